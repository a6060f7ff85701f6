// SPDX-License-Identifier: MIT
// Checks that an asset is sound; see sound.h.
#include "tests/asset/sound.h"
#include "tools/asset/matrix.h"
#include "tools/asset/to_cook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)     \
    do {                       \
        if (!(condition)) {    \
            return #condition; \
        }                      \
    } while (0)

static bool are_finite(const float* values, size_t count) {
    for (size_t i = 0; values && i < count; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static const char* check_primitive(const tlw_asset_primitive* p, uint32_t joint_count) {
    size_t count = p->vertex_count;
    REQUIRE(count > 0 && p->triangle_count > 0);
    REQUIRE(p->positions && are_finite(p->positions, count * 3));
    REQUIRE(are_finite(p->normals, count * 3) && are_finite(p->tangents, count * 4) &&
            are_finite(p->uvs, count * 2));
    for (size_t i = 0; i < (size_t)p->triangle_count * 3; ++i) {
        REQUIRE(p->indices[i] < count);
    }
    REQUIRE(p->influence_count == 0 || p->influence_count == 4 || p->influence_count == 8);
    REQUIRE(are_finite(p->weights, count * p->influence_count));
    for (size_t i = 0; i < count * p->influence_count; ++i) {
        REQUIRE(p->weights[i] >= 0);
        REQUIRE(p->joints[i] < joint_count);
    }
    for (uint32_t i = 0; i < p->attribute_count; ++i) { // any float, but there are as many
        const tlw_asset_attribute* a = &p->attributes[i];
        REQUIRE(a->name && a->component_count >= 1 && a->component_count <= 4);
        for (size_t k = 0; k < count * a->component_count; ++k) {
            volatile float value = a->values[k];
            (void)value;
        }
    }
    return NULL;
}

static const char* check_nodes(const tlw_asset* asset) {
    uint64_t reached = 0;
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const tlw_asset_node* node = &asset->nodes[i];
        REQUIRE(asset->order[i] < asset->node_count);
        reached += asset->nodes[asset->order[i]].child_count;
        reached += asset->nodes[asset->order[i]].parent == TLW_ASSET_NONE ? 1 : 0;
        REQUIRE(node->name && tlw_matrix_is_finite(node->matrix));
        REQUIRE(node->parent == TLW_ASSET_NONE || node->parent < asset->node_count);
        REQUIRE(node->mesh == TLW_ASSET_NONE || node->mesh < asset->mesh_count);
        REQUIRE(node->skin == TLW_ASSET_NONE || node->skin < asset->skin_count);
        for (uint32_t k = 0; k < node->child_count; ++k) {
            REQUIRE(asset->nodes[node->children[k]].parent == i);
        }
        for (uint32_t k = 0;
             node->mesh != TLW_ASSET_NONE && k < asset->meshes[node->mesh].primitive_count; ++k) {
            uint32_t joint_count =
                node->skin != TLW_ASSET_NONE ? asset->skins[node->skin].joint_count : UINT32_MAX;
            const tlw_asset_primitive* p = &asset->meshes[node->mesh].primitives[k];
            REQUIRE(node->skin == TLW_ASSET_NONE || p->influence_count > 0);
            const char* why = check_primitive(p, joint_count);
            REQUIRE(!why);
        }
    }
    REQUIRE(reached == asset->node_count);
    return NULL;
}

static const char* check_clips(const tlw_asset* asset, tlw_asset_transform* pose, double* globals) {
    for (uint32_t i = 0; i < asset->clip_count; ++i) {
        const tlw_asset_clip* clip = &asset->clips[i];
        for (int step = -1; step <= 5; ++step) {
            tlw_asset_evaluate_clip(asset, i, clip->duration_seconds * step / 4, pose);
            for (uint32_t k = 0; k < asset->node_count; ++k) {
                const double* r = pose[k].rotation;
                double length = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
                REQUIRE(fabs(length - 1) < 1e-6);
                for (int axis = 0; axis < 3; ++axis) {
                    REQUIRE(tlw_is_finite(pose[k].translation[axis]));
                    REQUIRE(tlw_is_finite(pose[k].scale[axis]));
                }
            }
            tlw_asset_global_matrices(asset, pose, globals);
        }
    }
    return NULL;
}

static const char* check_cook(const tlw_asset_cook* cook) {
    const tlw_cook_input* input = &cook->input;
    REQUIRE(input->joint_count > 0 && input->mesh_count > 0);
    for (uint32_t i = 0; i < input->joint_count; ++i) {
        REQUIRE(input->joints[i].parent == TLW_NO_JOINT ||
                input->joints[i].parent < input->joint_count);
        REQUIRE(tlw_matrix_is_finite(input->joints[i].bind));
        REQUIRE(input->joints[i].name[0]);
    }
    for (uint32_t i = 0; i < input->mesh_count; ++i) {
        const tlw_cook_mesh* mesh = &input->meshes[i];
        REQUIRE(are_finite(mesh->positions, (size_t)mesh->vertex_count * 3));
        REQUIRE(are_finite(mesh->normals, (size_t)mesh->vertex_count * 3));
        for (size_t v = 0; v < mesh->vertex_count; ++v) {
            double sum = 0;
            for (size_t k = 0; k < mesh->influence_count; ++k) {
                REQUIRE(mesh->joints[v * mesh->influence_count + k] < input->joint_count);
                sum += (double)mesh->weights[v * mesh->influence_count + k];
            }
            REQUIRE(fabs(sum - 1) < 1e-5);
        }
        for (size_t k = 0; k < (size_t)mesh->triangle_count * 3; ++k) {
            REQUIRE(mesh->indices[k] < mesh->vertex_count);
        }
    }
    return NULL;
}

const char* tlw_asset_unsoundness(const tlw_asset* asset) {
    const char* why = check_nodes(asset);
    if (why) {
        return why;
    }
    for (uint32_t i = 0; i < asset->skin_count; ++i) {
        REQUIRE(asset->skins[i].joint_count > 0);
        for (uint32_t k = 0; k < asset->skins[i].joint_count; ++k) {
            REQUIRE(asset->skins[i].joints[k] < asset->node_count);
            REQUIRE(tlw_matrix_is_finite(asset->skins[i].inverse_binds + (size_t)k * 16));
        }
    }
    tlw_asset_transform* pose = calloc((size_t)asset->node_count + 1, sizeof *pose);
    double* globals = calloc((size_t)asset->node_count + 1, 16 * sizeof *globals);
    why = pose && globals ? check_clips(asset, pose, globals) : "no memory";
    free(pose);
    free(globals);
    tlw_asset_cook cook;
    tlw_asset_error error;
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.memory_bytes = (uint64_t)256 << 20;
    if (!why && tlw_asset_to_cook(asset, &options, &cook, &error) == TLW_ASSET_OK) {
        why = check_cook(&cook);
        tlw_asset_cook_free(&cook);
    }
    return why;
}
