// SPDX-License-Identifier: MIT
// Colliders and limbs as things to draw and to measure with: capsules, spheres and rounded boxes as
// triangle meshes, and how deep a point is inside one.
#ifndef TLW_TOOLS_SCENE_SOLIDS_H
#define TLW_TOOLS_SCENE_SOLIDS_H

#include "runtime/tallow.h"
#include "tools/render/render.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_solid {
    tlw_collider_def shape; // a capsule or a box; planes have no end that could be drawn
    tlw_collider_pose pose;
    tlw_rgb colour;
    bool is_line; // only its outline is drawn, over everything
} tlw_solid;

enum { TLW_SOLIDS_MAX = 32 };

typedef struct tlw_solids {
    uint32_t count;
    tlw_solid list[TLW_SOLIDS_MAX];
} tlw_solids;

// Capsules in the world, from one end to the other; a sphere if both are the same. Null if the list
// is full.
tlw_solid* tlw_solids_add_capsule(tlw_solids* solids, const double from[3], const double to[3],
                                  double radius, tlw_rgb colour);
// The collider's def and the pose that was set last.
tlw_solid* tlw_solids_add_collider(tlw_solids* solids, const tlw_world* world, tlw_collider_id id,
                                   tlw_rgb colour);
// A limb of a character where the last substep had it.
tlw_solid* tlw_solids_add_limb(tlw_solids* solids, const tlw_limb* limb, tlw_rgb colour);

// How far a point of the world is inside, in metres; below 0: outside, by that much.
double tlw_solid_depth(const tlw_solid* solid, const double point[3]);

// A mesh in the world, whose arrays the caller frees. False if out of memory.
typedef struct tlw_solid_mesh {
    float *positions, *normals; // 3 per vertex
    uint32_t* indices;
    uint32_t vertex_count, index_count;
} tlw_solid_mesh;

bool tlw_solid_make_mesh(const tlw_solid* solid, tlw_solid_mesh* out);
void tlw_solid_free_mesh(tlw_solid_mesh* mesh);

// Draws a mesh among solids: the nearer one hides the other. Those that are lines come last. False
// if out of memory.
bool tlw_solids_draw(const tlw_solids* solids, const tlw_render_mesh* mesh,
                     const tlw_render_camera* camera, tlw_picture* picture, tlw_render_area area);

TLW_EXTERN_C_END

#endif
