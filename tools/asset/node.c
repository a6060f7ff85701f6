// SPDX-License-Identifier: MIT
// Reads nodes and scenes of a glTF file: a forest with local transforms. Reads
// the counts of meshes and skins, writes asset->nodes and asset->order. Nothing here recurses, so a
// chain of a million nodes cannot overflow the stack.
#include "tools/asset/gltf.h"
#include "tools/asset/matrix.h"

#include <math.h>
#include <string.h>

static bool read_matrix(tlw_gltf* g, const tlw_json* at, tlw_asset_node* node) {
    double* m = node->matrix;
    if (!tlw_json_numbers(g, at, 16, m)) {
        return false;
    }
    if (!tlw_matrix_make_affine(m)) {
        return tlw_gltf_fail(g, at, "its bottom row is %g %g %g %g, not 0 0 0 1", m[3], m[7], m[11],
                             m[15]);
    }
    node->has_matrix = true;
    tlw_matrix_to_transform(m, &node->rest);
    return true;
}

static bool read_transform(tlw_gltf* g, const tlw_json* at, tlw_asset_node* node) {
    tlw_json matrix_at = tlw_json_member(at, "matrix");
    tlw_json translation_at = tlw_json_member(at, "translation");
    tlw_json rotation_at = tlw_json_member(at, "rotation"), scale_at = tlw_json_member(at, "scale");
    if (matrix_at.value) {
        if (translation_at.value || rotation_at.value || scale_at.value) {
            return tlw_gltf_fail(g, &matrix_at,
                                 "given beside translation, rotation or scale; it is one or the "
                                 "other");
        }
        return read_matrix(g, &matrix_at, node);
    }
    tlw_asset_transform* rest = &node->rest;
    *rest = (tlw_asset_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    if (!tlw_json_numbers(g, &translation_at, 3, rest->translation) ||
        !tlw_json_numbers(g, &rotation_at, 4, rest->rotation) ||
        !tlw_json_numbers(g, &scale_at, 3, rest->scale)) {
        return false;
    }
    double* rotation = rest->rotation;
    double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                         rotation[2] * rotation[2] + rotation[3] * rotation[3]);
    if (!(fabs(length - 1) <= TLW_GLTF_ROTATION_TOLERANCE)) {
        return tlw_gltf_fail(g, &rotation_at, "a quaternion of length %g, not 1", length);
    }
    for (int i = 0; i < 4; ++i) {
        rotation[i] /= length;
    }
    tlw_matrix_from_transform(node->matrix, rest);
    return true;
}

static bool read_children(tlw_gltf* g, const tlw_json* at, uint32_t index) {
    tlw_asset_node* node = &g->nodes[index];
    if (!tlw_json_array(g, at, 0, &node->child_count)) {
        return false;
    }
    uint32_t* children = tlw_gltf_allocate(g, at, TLW_KEPT, node->child_count, sizeof *children);
    if (!children) {
        return false;
    }
    node->children = children;
    for (uint32_t i = 0; i < node->child_count; ++i) {
        tlw_json child_at = tlw_json_element(at, i);
        if (!tlw_json_index(g, &child_at, TLW_REQUIRED, g->asset->node_count, &children[i])) {
            return false;
        }
        tlw_asset_node* child = &g->nodes[children[i]];
        if (child->parent != TLW_ASSET_NONE) {
            return tlw_gltf_fail(g, &child_at, "node %u is already a child of node %u", children[i],
                                 child->parent);
        }
        child->parent = index;
    }
    return true;
}

static bool read_node(tlw_gltf* g, const tlw_json* at, uint32_t skin_count, uint32_t index) {
    tlw_asset_node* node = &g->nodes[index];
    tlw_json mesh_at = tlw_json_member(at, "mesh"), skin_at = tlw_json_member(at, "skin");
    tlw_json children_at = tlw_json_member(at, "children");
    tlw_json weights_at = tlw_json_member(at, "weights");
    node->mesh = node->skin = TLW_ASSET_NONE;
    if (!tlw_json_name(g, at, &node->name) ||
        !tlw_json_index(g, &mesh_at, TLW_OPTIONAL, g->asset->mesh_count, &node->mesh) ||
        !tlw_json_index(g, &skin_at, TLW_OPTIONAL, skin_count, &node->skin) ||
        !tlw_gltf_read_morph_weights(g, &weights_at, &node->morph_weights,
                                     &node->morph_weight_count)) {
        return false;
    }
    if (node->skin != TLW_ASSET_NONE && node->mesh == TLW_ASSET_NONE) {
        return tlw_gltf_fail(g, &skin_at, "skin %u, and the node has no mesh", node->skin);
    }
    return read_transform(g, at, node) && read_children(g, &children_at, index);
}

// Breadth first from the roots. Every node has at most one parent, so a node that is not reached
// is part of a cycle or below one.
static bool order_nodes(tlw_gltf* g, const tlw_json* list) {
    uint32_t count = g->asset->node_count, found = 0;
    uint32_t* order = tlw_gltf_allocate(g, list, TLW_KEPT, count, sizeof *order);
    bool* is_found = tlw_gltf_allocate(g, list, TLW_SCRATCH, count, sizeof *is_found);
    if (!order || !is_found) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (g->nodes[i].parent == TLW_ASSET_NONE) {
            order[found++] = i;
        }
    }
    for (uint32_t i = 0; i < found; ++i) {
        const tlw_asset_node* node = &g->nodes[order[i]];
        is_found[order[i]] = true;
        for (uint32_t k = 0; k < node->child_count; ++k) {
            order[found++] = node->children[k];
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_found[i]) {
            tlw_json at = tlw_json_element(list, i);
            return tlw_gltf_fail(g, &at, "the node is its own ancestor, by way of its parent %u",
                                 g->nodes[i].parent);
        }
    }
    g->asset->order = order;
    return true;
}

static bool read_scenes(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json list = tlw_json_member(&root, "scenes"), scene_at = tlw_json_member(&root, "scene");
    uint32_t count, chosen = 0;
    if (!tlw_json_objects(g, &list, 0, &count) ||
        !tlw_json_index(g, &scene_at, TLW_OPTIONAL, count, &chosen)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json at = tlw_json_element(&list, i);
        tlw_json nodes_at = tlw_json_member(&at, "nodes");
        uint32_t node_count;
        if (!tlw_json_array(g, &nodes_at, 0, &node_count)) {
            return false;
        }
        for (uint32_t k = 0; k < node_count; ++k) {
            tlw_json node_at = tlw_json_element(&nodes_at, k);
            uint32_t node;
            if (!tlw_json_index(g, &node_at, TLW_REQUIRED, g->asset->node_count, &node)) {
                return false;
            }
            if (g->nodes[node].parent != TLW_ASSET_NONE) {
                return tlw_gltf_fail(g, &node_at, "node %u is no root: its parent is node %u", node,
                                     g->nodes[node].parent);
            }
            g->nodes[node].is_in_scene |= i == chosen;
        }
    }
    for (uint32_t i = 0; i < g->asset->node_count; ++i) {
        tlw_asset_node* node = &g->nodes[g->asset->order[i]];
        node->is_in_scene |= count == 0;
        if (node->parent != TLW_ASSET_NONE) {
            node->is_in_scene = g->nodes[node->parent].is_in_scene;
        }
    }
    return true;
}

bool tlw_gltf_read_nodes(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json list = tlw_json_member(&root, "nodes"), skins = tlw_json_member(&root, "skins");
    uint32_t count, skin_count;
    if (!tlw_json_objects(g, &list, 0, &count) || !tlw_json_objects(g, &skins, 0, &skin_count)) {
        return false;
    }
    g->nodes = tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *g->nodes);
    if (!g->nodes) {
        return false;
    }
    g->asset->nodes = g->nodes;
    g->asset->node_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        g->nodes[i].parent = TLW_ASSET_NONE;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json at = tlw_json_element(&list, i);
        if (!read_node(g, &at, skin_count, i)) {
            return false;
        }
    }
    return order_nodes(g, &list) && read_scenes(g);
}
