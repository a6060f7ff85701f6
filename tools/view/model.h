// SPDX-License-Identifier: MIT
// A character that was read or cooked, and what pictures of it need besides: shared by all that
// show it, and freed by the last of them. Nothing here changes after loading.
#ifndef TLW_TOOLS_VIEW_MODEL_H
#define TLW_TOOLS_VIEW_MODEL_H

#include "tools/recipe/recipe.h"
#include "tools/scene/scene.h"

// An edge of the mesh, between welded vertices.
typedef struct tlw_view_edge {
    uint32_t from, to; // from < to
} tlw_view_edge;

typedef struct tlw_view_model {
    tlw_actor actor;
    bool has_recipe;   // it was cooked, not read
    tlw_recipe recipe; // with which it was cooked
    uint32_t users;
    const uint32_t* indices; // of all triangles, source order
    uint32_t index_count;
    float *rest, *rest_normals;   // 3 per vertex
    bool has_normals;             // the blob has some; otherwise they are made for each picture
    tlw_vertex_binding* bindings; // source order
    uint32_t* welded;             // of each vertex: the first one at the same place at rest
    tlw_view_edge* edges;
    uint32_t edge_count;
    float* around;  // of each welded vertex: lengths of all edges that end there at rest, together
    bool is_closed; // every edge has two triangles, one on either side
    // One bit for each of the first 64 muscles, per voxel; null without muscles.
    uint64_t* muscles_of;
    float* openness; // one per vertex, at rest (studio.h); null: not known
    uint64_t stamp;  // another number for every model, below TLW_VIEW_VOXELS_STAMPS
} tlw_view_model;

// A joint that moves a voxel.
typedef struct tlw_view_share {
    uint32_t joint;
    float weight;
} tlw_view_share;

#define TLW_VIEW_SHARES_MAX 8u

// The joints of a voxel, the largest weights first. Returns how many there are.
uint32_t tlw_view_voxel_shares(const tlw_view_model* model, uint32_t voxel,
                               tlw_view_share shares[TLW_VIEW_SHARES_MAX]);

// Takes the actor, which is freed also after a failure, and has one user. Null: `message`, of 768
// bytes, says why.
tlw_view_model* tlw_view_model_create(tlw_actor* actor, char* message, size_t room);
tlw_view_model* tlw_view_model_share(tlw_view_model* model);
// Null: nothing happens.
void tlw_view_model_release(tlw_view_model* model);

#endif
