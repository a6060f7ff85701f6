// SPDX-License-Identifier: MIT
// A software rasteriser for contact sheets: triangle meshes into a rectangle of a picture. Depth
// buffer, 3x3 samples a pixel; a key light, a fill light and a rim over a sky, darkened where the
// depth buffer shows little of that sky; a soft shadow on the ground. The same numbers in give the
// same picture.
#ifndef TLW_TOOLS_RENDER_RENDER_H
#define TLW_TOOLS_RENDER_RENDER_H

#include "tools/render/picture.h"

// Arrays are the caller's. What is not finite is left out, triangle by triangle.
typedef struct tlw_render_mesh {
    uint32_t vertex_count, index_count;
    const float* positions; // 3 a vertex, metres, y up
    const float* normals;   // 3 a vertex; null, or a zero one: the triangle's own
    const uint32_t* indices;
    const float* heat; // one a vertex, 0 (the mesh's colour) to 1 (hot); null: none
    tlw_rgb colour;
} tlw_render_mesh;

typedef struct tlw_render_camera {
    float target[3];     // in the middle of the rectangle
    float height;        // metres between top and bottom, at the target
    float yaw_degrees;   // 0: from +z, 90: from +x
    float pitch_degrees; // above 0: from above
    float field_degrees; // of view, top to bottom; 0: a parallel projection
    bool has_ground;
    float ground; // y of the plane that takes the shadow
} tlw_render_camera;

tlw_render_camera tlw_default_render_camera(void);

// Target and height so that the points, seen from this camera's side, just fit a rectangle of that
// width over height. Points that are not finite are left out; with none at all nothing changes.
void tlw_render_fit(tlw_render_camera* camera, const float* positions, uint32_t count,
                    float aspect);
// Width over height of the points as that camera sees them; 1 where there are none.
float tlw_render_aspect(const tlw_render_camera* camera, const float* positions, uint32_t count);

typedef struct tlw_render_area {
    uint32_t x, y, width, height; // pixels; what is outside the picture is left out
} tlw_render_area;

// False: out of memory.
bool tlw_render_draw(tlw_picture* picture, tlw_render_area area, const tlw_render_camera* camera,
                     const tlw_render_mesh* mesh);
// The mesh's outline alone, a line of about `width` pixels.
bool tlw_render_outline(tlw_picture* picture, tlw_render_area area, const tlw_render_camera* camera,
                        const tlw_render_mesh* mesh, tlw_rgb colour, float width);

// The colour of a surface at that heat, as it is before any light.
tlw_rgb tlw_render_heat_colour(tlw_rgb cold, float heat);

// Smooth normals of a mesh in some pose. Vertices that lie at the same place in `rest` count as
// one, so that seams do not show; with `rest_normals` (or null) only those that agree there too, so
// that hard edges stay hard. False: out of memory.
bool tlw_render_normals(const float* rest, const float* rest_normals, const float* positions,
                        uint32_t vertex_count, const uint32_t* indices, uint32_t index_count,
                        float* normals);

#endif
