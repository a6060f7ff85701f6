// SPDX-License-Identifier: MIT
// The studio: draws meshes with lights, shadows and ground into a picture on the GPU, one or more
// views side by side. Reads plain arrays, which may be others in every frame, and knows nothing of
// characters, scenes or windows. A context of OpenGL 3.3 core must be current, the same in all
// calls.
//
//     tlw_studio* studio = tlw_studio_create(1280, 720, why);
//     tlw_studio_set_quality(studio, tlw_studio_quality_of_driver());
//     while (...) {
//         tlw_studio_show(studio, views, view_count); // into the window's framebuffer
//         ... draw panels over it, and swap
//     }
//     tlw_studio_free(studio);
#ifndef TLW_TOOLS_VIEW_STUDIO_H
#define TLW_TOOLS_VIEW_STUDIO_H

#include "tools/view/camera.h"
#include "tools/view/gl.h"
#include "tools/view/overlay.h"

typedef enum tlw_studio_look {
    TLW_LOOK_BODY,  // lit, opaque, throws shadows
    TLW_LOOK_GHOST, // a blue shell over everything, of which only the nearest surface is seen
    TLW_LOOK_GLASS  // lit and translucent, without a shadow: limbs, colliders, planes
} tlw_studio_look;

// The arrays are the caller's, and are read during the call only.
typedef struct tlw_studio_mesh {
    tlw_studio_look look;
    uint32_t vertex_count, index_count;
    const float *positions, *normals; // 3 per vertex; normals of length 1, outwards
    // 4 per vertex: sRGB, and a share of `opacity`. Null: `colour`. A ghost has a colour of its
    // own.
    const uint8_t* colours;
    tlw_rgb colour;
    float opacity;  // of glass, 0 to 1: how much it hides where one looks at it straight
    bool is_inside; // of glass: bodies do not hide it
    // One per vertex, 0 to 1: the share of the sky that the body itself does not hide. Null: 1.
    const float* openness;
    const uint32_t* indices; // below vertex_count; 3 per triangle, counterclockwise from outside
    // A number that the caller gives to these indices, and never to others. They are uploaded, and
    // what the studio derives from them is made again, only if the mesh at the same place of the
    // same view had another number in the last picture. 0: in every picture.
    uint64_t indices_stamp;
    // Only its outside is ever seen: the studio may then leave out what faces away, which is
    // faster.
    bool is_closed;
} tlw_studio_mesh;

// A rectangle of the picture with a camera of its own.
typedef struct tlw_studio_view {
    tlw_view_area area;
    const tlw_view_camera* camera;
    float light_yaw_degrees; // the lights stand as for a camera from there
    float centre[3];         // of the character, on the ground, metres
    float size;              // its height and width are below this, metres
    const tlw_studio_mesh* meshes;
    uint32_t mesh_count;
    const tlw_overlay*
        overlay; // in pixels of the picture, cut off at the area's edges; may be null
} tlw_studio_view;

#define TLW_STUDIO_VIEWS_MAX 4u

typedef enum tlw_studio_quality {
    TLW_STUDIO_FULL, // for files, graphics cards and pictures that stand still
    TLW_STUDIO_FAST  // for motion where the driver draws on the CPU
} tlw_studio_quality;

// What suits the driver of the current context, by its name.
tlw_studio_quality tlw_studio_quality_of_driver(void);

typedef struct tlw_studio tlw_studio;

// The quality is full. Null: `why` has one line that says what went wrong.
tlw_studio* tlw_studio_create(uint32_t width, uint32_t height, char why[TLW_VIEW_WHY_BYTES]);
// Null: nothing happens.
void tlw_studio_free(tlw_studio* studio);
bool tlw_studio_resize(tlw_studio* studio, uint32_t width, uint32_t height,
                       char why[TLW_VIEW_WHY_BYTES]);
void tlw_studio_set_quality(tlw_studio* studio, tlw_studio_quality quality);

// Draws into a picture that the studio keeps. At most TLW_STUDIO_VIEWS_MAX views, inside the
// picture. Buffers of meshes that this picture does not have are freed.
void tlw_studio_draw(tlw_studio* studio, const tlw_studio_view* views, uint32_t view_count);
// Reads the picture: red, green, blue, alpha, row by row from the bottom.
void tlw_studio_read(const tlw_studio* studio, uint8_t* rgba);
// Copies the picture into the window's framebuffer, which has the same size.
void tlw_studio_present(const tlw_studio* studio);
// Draws into the window's framebuffer. At the fast level this leaves the studio's own picture as it
// was, and saves the copy.
void tlw_studio_show(tlw_studio* studio, const tlw_studio_view* views, uint32_t view_count);

#endif
