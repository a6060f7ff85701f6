// SPDX-License-Identifier: MIT
// Converts an asset to the input of the cooking library: one list of joints, and meshes in one
// model space.
//
// Model space is the scene's space times metres_per_unit. M = G_r IBM_r brings a skinned vertex
// there, where r is the first joint of its skin without an ancestor in that skin, G_r the joint's
// rest transform in the scene and IBM_r its inverse bind matrix. So an armature with z up or in
// centimetres is placed correctly, whatever space the mesh was modelled in, and a bind pose that
// differs from the rest pose stays the bind pose. The bind of joint j is B_j = M IBM_j^-1.
//
// That is the skin with most joints. Other skins are put together with it in the bind pose: a skin
// with a joint j that has a bind already has M = B_j IBM_j, where j is its r or else the first such
// joint; one whose r hangs on a joint a with a bind has M = B_a G_a^-1 G_r IBM_r. (From G_r IBM_r
// alone, a head and a body that were bound in a T-pose came out in pieces in a file that rests in
// the first step of a walk.) The joints are those of all skins in use, in the order of their nodes.
// A mesh without a skin follows the nearest joint at or above its node with full weight; one
// without a joint above it is left out, with a note.
#ifndef TLW_TOOLS_ASSET_TO_COOK_H
#define TLW_TOOLS_ASSET_TO_COOK_H

#include "tools/asset/asset.h"
#include "tools/cook/cook.h"

TLW_EXTERN_C_BEGIN

// The name of a node or a mesh. If both a node and its mesh are named, the node's role counts.
typedef struct tlw_asset_role {
    const char* name;
    tlw_cook_role role;
} tlw_asset_role;

typedef struct tlw_asset_cook_options {
    const tlw_asset_role* roles;
    uint32_t role_count;
    // Names of nodes or meshes. Without included names all are included; excluded names win.
    const char* const* included;
    uint32_t included_count;
    const char* const* excluded;
    uint32_t excluded_count;
    // Roles of meshes that `roles` does not name.
    tlw_cook_role skinned_role; // meshes with a skin: voxelise
    tlw_cook_role rigid_role;   // meshes without a skin, below a joint: voxelise, by that joint
    // Vertex attributes to paint with, or null: "_FAT", "COLOR_0.g" (r, g, b, a or x, y, z, w; the
    // first without one). Values are 0 to 1; what is outside is clamped, what is not finite
    // refused. At least one mesh to voxelise must have the attribute.
    const char* paint[TLW_COOK_PAINTS];
    double metres_per_unit; // 1, as in glTF
    uint64_t memory_bytes;  // 1 GiB
    uint32_t cookie;
} tlw_asset_cook_options;

tlw_asset_cook_options tlw_default_asset_cook_options(void);

// Where a mesh of the cook input comes from. Vertex i of that primitive is vertex i of the mesh.
typedef struct tlw_asset_cook_source {
    uint32_t node;
    uint32_t mesh;
    uint32_t primitive; // of tlw_asset_mesh.primitives
    bool is_rigid;      // has no skin and follows one joint
    bool is_mirrored; // by M; two corners of each triangle were swapped to keep it facing outwards
} tlw_asset_cook_source;

typedef struct tlw_asset_cook_report {
    uint64_t vertex_count;
    uint64_t normalised_count;       // vertices whose weights summed to 1 with an error above 1e-5
    double largest_weight_error;     // the largest |sum - 1| of vertices that had weights
    uint64_t unweighted_count;       // vertices without any weight, given to the skin's root
    uint64_t repeated_count;         // vertices that named a joint twice; both weights were added
    uint32_t renamed_joint_count;    // joints renamed, because names in the output are unique
    uint32_t disagreeing_bind_count; // joints whose bind differs between skins
    const char* const* notes;        // what was ignored, renamed or doubtful, one sentence each
    uint32_t note_count;
} tlw_asset_cook_report;

typedef struct tlw_asset_cook {
    tlw_cook_input input;
    const uint32_t* joint_nodes;          // nodes of the asset, one per joint
    const tlw_asset_cook_source* sources; // one per mesh
    tlw_asset_cook_report report;
    double metres_per_unit;
    struct tlw_asset_memory* memory;
} tlw_asset_cook;

// On failure *out is zero and *error, which may be null, says what is wrong and where. *out does
// not refer to the asset afterwards.
tlw_asset_code tlw_asset_to_cook(const tlw_asset* asset, const tlw_asset_cook_options* options,
                                 tlw_asset_cook* out, tlw_asset_error* error);
void tlw_asset_cook_free(tlw_asset_cook* cook);

// Joint transforms in model space, 16 doubles per joint of the input, made from the nodes'
// transforms in the scene (tlw_asset_global_matrices). They are what a pose of the runtime takes.
// In the bind pose they equal `bind`.
void tlw_asset_cook_pose(const tlw_asset_cook* cook, const double* globals, double* joints);

TLW_EXTERN_C_END

#endif
