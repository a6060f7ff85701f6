// SPDX-License-Identifier: MIT
// Reads skins of a glTF file: joint nodes and inverse bind matrices. Checks that skinned meshes
// only use joints that their skin has. Reads asset->nodes and asset->meshes, writes asset->skins.
#include "tools/asset/gltf.h"
#include "tools/asset/matrix.h"

#include <string.h>

// `last_skin` has for each node the last skin, plus 1, that named it as a joint.
static bool read_joints(tlw_gltf* g, const tlw_json* list, uint32_t* last_skin, uint32_t index,
                        tlw_asset_skin* skin) {
    if (!tlw_json_array(g, list, 1, &skin->joint_count)) {
        return false;
    }
    uint32_t* joints = tlw_gltf_allocate(g, list, TLW_KEPT, skin->joint_count, sizeof *joints);
    if (!joints) {
        return false;
    }
    for (uint32_t i = 0; i < skin->joint_count; ++i) {
        tlw_json at = tlw_json_element(list, i);
        if (!tlw_json_index(g, &at, TLW_REQUIRED, g->asset->node_count, &joints[i])) {
            return false;
        }
        if (last_skin[joints[i]] == index + 1) {
            return tlw_gltf_fail(g, &at, "node %u is a joint of this skin already", joints[i]);
        }
        last_skin[joints[i]] = index + 1;
    }
    skin->joints = joints;
    return true;
}

static bool read_inverse_binds(tlw_gltf* g, const tlw_json* at, tlw_asset_skin* skin) {
    uint32_t accessor = TLW_ASSET_NONE;
    const float* floats = NULL;
    if (!tlw_json_index(g, at, TLW_OPTIONAL, g->accessor_count, &accessor)) {
        return false;
    }
    if (accessor != TLW_ASSET_NONE) {
        const tlw_gltf_accessor* a = &g->accessors[accessor];
        if (strcmp(a->type, "MAT4") != 0 || a->component != TLW_F32) {
            return tlw_gltf_fail(g, at, "accessor %u is %s of %s, not MAT4 of FLOAT", accessor,
                                 a->type, tlw_component_name(a->component));
        }
        if (a->count < skin->joint_count) {
            return tlw_gltf_fail(g, at, "accessor %u has %u matrices for %u joints", accessor,
                                 a->count, skin->joint_count);
        }
        if (!tlw_accessor_floats(g, at, accessor, &floats)) {
            return false;
        }
    }
    double* matrices =
        tlw_gltf_allocate(g, at, TLW_KEPT, (uint64_t)skin->joint_count * 16, sizeof *matrices);
    if (!matrices) {
        return false;
    }
    for (uint32_t i = 0; i < skin->joint_count; ++i) {
        double* m = matrices + (size_t)i * 16;
        tlw_matrix_identity(m);
        for (uint32_t k = 0; floats && k < 16; ++k) {
            m[k] = (double)floats[(size_t)i * 16 + k];
        }
        if (!tlw_matrix_make_affine(m)) {
            return tlw_gltf_fail(g, at, "matrix %u has the bottom row %g %g %g %g, not 0 0 0 1", i,
                                 m[3], m[7], m[11], m[15]);
        }
    }
    skin->inverse_binds = matrices;
    return true;
}

bool tlw_gltf_read_skins(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json list = tlw_json_member(&root, "skins");
    uint32_t count;
    if (!tlw_json_objects(g, &list, 0, &count)) {
        return false;
    }
    tlw_asset_skin* skins = tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *skins);
    uint32_t* last_skin =
        tlw_gltf_allocate(g, &list, TLW_SCRATCH, g->asset->node_count, sizeof *last_skin);
    if (!skins || !last_skin) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json at = tlw_json_element(&list, i);
        tlw_json joints_at = tlw_json_member(&at, "joints");
        tlw_json binds_at = tlw_json_member(&at, "inverseBindMatrices");
        tlw_json skeleton_at = tlw_json_member(&at, "skeleton");
        uint32_t skeleton;
        if (!tlw_json_name(g, &at, &skins[i].name) ||
            !read_joints(g, &joints_at, last_skin, i, &skins[i]) ||
            !tlw_json_index(g, &skeleton_at, TLW_OPTIONAL, g->asset->node_count, &skeleton) ||
            !read_inverse_binds(g, &binds_at, &skins[i])) {
            return false;
        }
    }
    g->asset->skins = skins;
    g->asset->skin_count = count;
    return true;
}

// Nodes and their skins
// ------------------------------------------------------------------------------------------------

// The largest joint number of a mesh and where it occurs. Found once per mesh, however many nodes
// show it.
typedef struct tlw_largest_joint {
    bool is_known;
    uint32_t unskinned; // a primitive without joints, or TLW_ASSET_NONE
    uint32_t joint;
    uint32_t primitive, vertex, influence;
} tlw_largest_joint;

static void find_largest_joint(const tlw_asset_mesh* mesh, tlw_largest_joint* largest) {
    *largest = (tlw_largest_joint){.is_known = true, .unskinned = TLW_ASSET_NONE};
    for (uint32_t i = 0; i < mesh->primitive_count; ++i) {
        const tlw_asset_primitive* p = &mesh->primitives[i];
        if (p->influence_count == 0) {
            largest->unskinned = p->file_index;
        }
        for (uint32_t v = 0; v < p->vertex_count; ++v) {
            for (uint32_t k = 0; k < p->influence_count; ++k) {
                uint32_t joint = p->joints[(size_t)v * p->influence_count + k];
                if (joint > largest->joint) {
                    largest->joint = joint;
                    largest->primitive = p->file_index;
                    largest->vertex = v;
                    largest->influence = k;
                }
            }
        }
    }
}

bool tlw_gltf_check_skinned_nodes(tlw_gltf* g) {
    const tlw_asset* asset = g->asset;
    tlw_largest_joint* largest =
        tlw_gltf_allocate(g, NULL, TLW_SCRATCH, asset->mesh_count, sizeof *largest);
    if (!largest) {
        return false;
    }
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const tlw_asset_node* node = &asset->nodes[i];
        if (node->skin == TLW_ASSET_NONE) {
            continue;
        }
        tlw_largest_joint* found = &largest[node->mesh];
        if (!found->is_known) {
            find_largest_joint(&asset->meshes[node->mesh], found);
        }
        if (found->unskinned != TLW_ASSET_NONE) {
            return tlw_gltf_fail(g, NULL,
                                 "meshes[%u].primitives[%u].attributes.JOINTS_0: missing, and node "
                                 "%u shows the mesh with skin %u",
                                 node->mesh, found->unskinned, i, node->skin);
        }
        uint32_t joint_count = asset->skins[node->skin].joint_count;
        if (found->joint >= joint_count) {
            return tlw_gltf_fail(g, NULL,
                                 "meshes[%u].primitives[%u].attributes.JOINTS_%u: vertex %u refers "
                                 "to joint %u, and skins[%u] of node %u has %u",
                                 node->mesh, found->primitive, found->influence / 4, found->vertex,
                                 found->joint, node->skin, i, joint_count);
        }
    }
    return true;
}
