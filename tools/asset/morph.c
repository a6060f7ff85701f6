// SPDX-License-Identifier: MIT
// Morph targets of a glTF file that have weight at rest: of a mesh, or of a node that shows it.
// They are part of the shape that the artist sees, so the conversion to cook input applies them.
// Targets without weight are not read: faces have fifty of them. Reads accessors, meshes and nodes,
// writes morphs and weights of primitives, meshes and nodes.
#include "tools/asset/gltf.h"

#include <stdio.h>
#include <string.h>

// Whether a list of weights has one that is not 0; *out has them all.
static bool read_weights(tlw_gltf* g, const tlw_json* at, const double** out, uint32_t* count,
                         bool* has_weight) {
    uint32_t n = 0;
    *has_weight = false;
    if (!tlw_json_array(g, at, 0, &n) || n == 0) {
        return g->error->code == TLW_ASSET_OK;
    }
    double* weights = tlw_gltf_allocate(g, at, TLW_KEPT, n, sizeof *weights);
    if (!weights || !tlw_json_numbers(g, at, n, weights)) {
        return false;
    }
    for (uint32_t i = 0; i < n; ++i) {
        *has_weight |= weights[i] != 0;
    }
    *out = weights;
    *count = n;
    return true;
}

bool tlw_gltf_find_morphs(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json meshes = tlw_json_member(&root, "meshes"), nodes = tlw_json_member(&root, "nodes");
    uint32_t mesh_count, node_count;
    if (!tlw_json_objects(g, &meshes, 0, &mesh_count) ||
        !tlw_json_objects(g, &nodes, 0, &node_count)) {
        return false;
    }
    g->is_morphed = tlw_gltf_allocate(g, &meshes, TLW_SCRATCH, mesh_count, sizeof *g->is_morphed);
    if (!g->is_morphed) {
        return false;
    }
    const double* weights;
    uint32_t count;
    for (uint32_t i = 0; i < mesh_count; ++i) {
        tlw_json at = tlw_json_element(&meshes, i), weights_at = tlw_json_member(&at, "weights");
        if (!read_weights(g, &weights_at, &weights, &count, &g->is_morphed[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < node_count; ++i) {
        tlw_json at = tlw_json_element(&nodes, i), weights_at = tlw_json_member(&at, "weights");
        tlw_json mesh_at = tlw_json_member(&at, "mesh");
        uint32_t mesh = TLW_ASSET_NONE;
        bool has_weight = false;
        if (!weights_at.value) {
            continue;
        }
        if (!tlw_json_index(g, &mesh_at, TLW_OPTIONAL, mesh_count, &mesh) ||
            !read_weights(g, &weights_at, &weights, &count, &has_weight)) {
            return false;
        }
        if (mesh != TLW_ASSET_NONE) {
            g->is_morphed[mesh] |= has_weight;
        }
    }
    return true;
}

bool tlw_gltf_read_morph_weights(tlw_gltf* g, const tlw_json* at, const double** weights,
                                 uint32_t* count) {
    bool has_weight;
    return read_weights(g, at, weights, count, &has_weight);
}

bool tlw_gltf_read_morphs(tlw_gltf* g, const tlw_json* at, bool is_morphed,
                          tlw_asset_primitive* p) {
    uint32_t count = 0;
    if (!tlw_json_objects(g, at, 0, &count) || count == 0) {
        return g->error->code == TLW_ASSET_OK;
    }
    if (!is_morphed) {
        tlw_gltf_note(g, at, "%u morph targets are left out, because none has weight at rest",
                      count);
        return true;
    }
    tlw_asset_morph* morphs = tlw_gltf_allocate(g, at, TLW_KEPT, count, sizeof *morphs);
    for (uint32_t i = 0; morphs && i < count; ++i) {
        tlw_json target = tlw_json_element(at, i);
        if (!tlw_gltf_read_morph(g, &target, p->vertex_count, &morphs[i])) {
            return false;
        }
    }
    p->morphs = morphs;
    p->morph_count = count;
    return morphs != NULL;
}

bool tlw_gltf_check_morphs(tlw_gltf* g) {
    const tlw_asset* asset = g->asset;
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const tlw_asset_node* node = &asset->nodes[i];
        if (node->mesh == TLW_ASSET_NONE) {
            continue;
        }
        const tlw_asset_mesh* mesh = &asset->meshes[node->mesh];
        const bool is_own = node->morph_weight_count > 0;
        const uint32_t weights = is_own ? node->morph_weight_count : mesh->morph_weight_count;
        for (uint32_t k = 0; k < mesh->primitive_count; ++k) {
            const tlw_asset_primitive* p = &mesh->primitives[k];
            if (weights > 0 && p->morph_count > 0 && p->morph_count != weights) {
                return tlw_gltf_fail(g, NULL,
                                     "%s[%u].weights: it has %u elements, and meshes[%u]."
                                     "primitives[%u] has %u morph targets",
                                     is_own ? "nodes" : "meshes", is_own ? i : node->mesh, weights,
                                     node->mesh, p->file_index, p->morph_count);
            }
        }
    }
    return true;
}
