// SPDX-License-Identifier: MIT
// A software rasteriser for contact sheets: draws triangle meshes into a rectangle of a picture. It
// has a depth buffer and 3x3 samples per pixel. Light comes from a key light, a fill light, a rim
// light and a sky, which is darker where nearby surfaces hide it (found from the depth buffer). The
// ground takes a soft shadow. The same numbers give the same picture.
#ifndef TLW_TOOLS_RENDER_RENDER_H
#define TLW_TOOLS_RENDER_RENDER_H

#include "tools/render/picture.h"

// The caller owns the arrays. Triangles with coordinates that are not finite are left out.
typedef struct tlw_render_mesh {
    uint32_t vertex_count, index_count;
    const float* positions; // 3 per vertex, metres, y up
    const float* normals;   // 3 per vertex; if null or zero the triangle's normal is used
    const uint32_t* indices;
    const float* heat; // one per vertex, 0 (the mesh's colour) to 1 (hot); may be null
    tlw_rgb colour;
} tlw_render_mesh;

typedef struct tlw_render_camera {
    float target[3];     // appears in the middle of the rectangle
    float height;        // metres between top and bottom, at the target
    float yaw_degrees;   // 0: from +z, 90: from +x
    float pitch_degrees; // above 0: from above
    float field_degrees; // field of view, top to bottom; 0: a parallel projection
    bool has_ground;
    float ground;   // height (y) of the plane that takes the shadow
    bool is_raking; // one light that grazes what the camera sees, from the left: small bumps show
} tlw_render_camera;

tlw_render_camera tlw_default_render_camera(void);

// Sets target and height so that the points, seen from the camera's direction, just fit a rectangle
// of that aspect (width over height). Points that are not finite are left out; without any point
// nothing changes.
void tlw_render_fit(tlw_render_camera* camera, const float* positions, uint32_t count,
                    float aspect);
// Width over height of the points as the camera sees them; 1 if there are none.
float tlw_render_aspect(const tlw_render_camera* camera, const float* positions, uint32_t count);

typedef struct tlw_render_area {
    uint32_t x, y, width, height; // pixels; clipped to the picture
} tlw_render_area;

// These return false if out of memory.
bool tlw_render_draw(tlw_picture* picture, tlw_render_area area, const tlw_render_camera* camera,
                     const tlw_render_mesh* mesh);
// Several meshes in one space: the nearer one hides the other, and all throw shadows.
bool tlw_render_draw_all(tlw_picture* picture, tlw_render_area area,
                         const tlw_render_camera* camera, const tlw_render_mesh* meshes,
                         uint32_t mesh_count);
// Draws the mesh's outline only, as a line of about `width` pixels.
bool tlw_render_outline(tlw_picture* picture, tlw_render_area area, const tlw_render_camera* camera,
                        const tlw_render_mesh* mesh, tlw_rgb colour, float width);

// Where a point appears, in pixels of the picture. False if it is behind the eye.
bool tlw_render_project(tlw_render_area area, const tlw_render_camera* camera, const float point[3],
                        float* x, float* y);

// The colour of a surface at that heat, before lighting.
tlw_rgb tlw_render_heat_colour(tlw_rgb cold, float heat);

// Smooth normals of a mesh in the pose `positions`. Vertices with the same position in `rest` count
// as one vertex, so that seams do not show. If `rest_normals` is not null, only vertices with the
// same normal there are united, so that hard edges stay hard. False if out of memory.
bool tlw_render_normals(const float* rest, const float* rest_normals, const float* positions,
                        uint32_t vertex_count, const uint32_t* indices, uint32_t index_count,
                        float* normals);

#endif
