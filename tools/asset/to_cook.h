// SPDX-License-Identifier: MIT
// From an asset to what the cooking library takes: one list of joints, meshes in one model space.
//
// Model space is the scene's, times metres_per_unit. A skinned vertex goes there by M = G_r IBM_r,
// r the first joint of its skin without an ancestor in that skin, G_r its rest transform in the
// scene, IBM_r its inverse bind: so a Z-up or centimetre armature comes out right whatever space
// the mesh was modelled in, and a bind pose that differs from rest stays the bind pose. A joint's
// bind is M IBM_j^-1. Joints are those of all skins in use, in order of nodes.
#ifndef TLW_TOOLS_ASSET_TO_COOK_H
#define TLW_TOOLS_ASSET_TO_COOK_H

#include "tools/asset/asset.h"
#include "tools/cook/cook.h"

TLW_EXTERN_C_BEGIN

// A name is a node's or a mesh's; a node's goes before its mesh's.
typedef struct tlw_asset_role {
    const char* name;
    tlw_cook_role role;
} tlw_asset_role;

typedef struct tlw_asset_cook_options {
    const tlw_asset_role* roles;
    uint32_t role_count;
    // By name of node or mesh. No included names: all. Excluded goes before included.
    const char* const* included;
    uint32_t included_count;
    const char* const* excluded;
    uint32_t excluded_count;
    tlw_cook_role skinned_role; // of meshes that `roles` does not name: voxelise
    tlw_cook_role rigid_role;   // the same for those without a skin that hang on a joint: ride
    double metres_per_unit;     // 1, as glTF has it
    uint64_t memory_bytes;      // 1 GiB
    uint32_t cookie;
} tlw_asset_cook_options;

tlw_asset_cook_options tlw_default_asset_cook_options(void);

// Where a mesh of the cook input comes from: vertex i of that primitive is vertex i here.
typedef struct tlw_asset_cook_source {
    uint32_t node;
    uint32_t mesh;
    uint32_t primitive; // of tlw_asset_mesh.primitives
    bool is_rigid;
    bool is_turned; // mirrored by M, so that its triangles were turned round
} tlw_asset_cook_source;

typedef struct tlw_asset_cook_report {
    uint64_t vertex_count;
    uint64_t normalised_count;       // weights summed to other than 1 by more than 1e-5
    double largest_weight_error;     // the largest |sum - 1| among vertices that had weights
    uint64_t unweighted_count;       // no weight at all: given to the skin's root
    uint64_t repeated_count;         // named a joint twice: put together
    uint32_t renamed_joint_count;    // names are unique in the output
    uint32_t disagreeing_bind_count; // joints whose bind differs between skins; the first is taken
    const char* const* notes;        // what was ignored, renamed or warned of
    uint32_t note_count;
} tlw_asset_cook_report;

typedef struct tlw_asset_cook {
    tlw_cook_input input;
    const uint32_t* joint_nodes;          // of the asset, one a joint
    const tlw_asset_cook_source* sources; // one a mesh
    tlw_asset_cook_report report;
    double metres_per_unit;
    struct tlw_asset_memory* memory;
} tlw_asset_cook;

// On failure *out is zero and *error (which may be null) says what and where. `out` does not refer
// to `asset` afterwards.
tlw_asset_code tlw_asset_to_cook(const tlw_asset* asset, const tlw_asset_cook_options* options,
                                 tlw_asset_cook* out, tlw_asset_error* error);
void tlw_asset_cook_free(tlw_asset_cook* cook);

// Joint transforms in model space, 16 doubles a joint of the input, from the nodes' in the scene
// (tlw_asset_global_matrices): what a pose of the runtime is made of. At bind they are `bind`.
void tlw_asset_cook_pose(const tlw_asset_cook* cook, const double* globals, double* joints);

TLW_EXTERN_C_END

#endif
