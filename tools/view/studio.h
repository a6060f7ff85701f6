// SPDX-License-Identifier: MIT
// The studio: draws a character with lights, shadows and ground into a picture on the GPU. Reads
// plain arrays, and knows nothing of scenes or windows. A context of OpenGL 3.3 core must be
// current.
#ifndef TLW_TOOLS_VIEW_STUDIO_H
#define TLW_TOOLS_VIEW_STUDIO_H

#include "tools/view/camera.h"
#include "tools/view/gl.h"
#include "tools/view/overlay.h"

// The arrays are the caller's.
typedef struct tlw_studio_frame {
    const tlw_view_camera* camera;
    float light_yaw_degrees; // the lights stand as for a camera from there
    float centre[3];         // of the character on the ground, metres
    float size;              // its height and width are below this, metres
    uint32_t vertex_count;
    const float *positions, *normals; // 3 per vertex
    const float* heat;                // one per vertex, 0 to 1; null: cold
    const float* ghost;               // 3 per vertex: positions by skinning alone; null: not shown
    const tlw_overlay* overlay;
} tlw_studio_frame;

typedef struct tlw_studio tlw_studio;

// The triangles stay the same; `cold` is the colour at heat 0. Null: `why` has one line that says
// what went wrong.
tlw_studio* tlw_studio_create(const uint32_t* indices, uint32_t index_count, tlw_rgb cold,
                              uint32_t width, uint32_t height, char why[TLW_VIEW_WHY_BYTES]);
// Null: nothing happens.
void tlw_studio_free(tlw_studio* studio);
bool tlw_studio_resize(tlw_studio* studio, uint32_t width, uint32_t height,
                       char why[TLW_VIEW_WHY_BYTES]);

void tlw_studio_draw(tlw_studio* studio, const tlw_studio_frame* frame);
// Copies the picture into the window's framebuffer, which has the same size.
void tlw_studio_present(const tlw_studio* studio);
// Reads the picture: red, green, blue, alpha, row by row from the bottom.
void tlw_studio_read(const tlw_studio* studio, uint8_t* rgba);

#endif
