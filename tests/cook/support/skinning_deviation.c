// SPDX-License-Identifier: MIT
#include "tests/cook/support/skinning_deviation.h"

#include "runtime/blob.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"

#include <math.h>
#include <stdlib.h>

static void add_skinned(const double* m, const float* x, double weight, double* out) {
    for (int r = 0; r < 3; ++r) {
        out[r] += weight * (m[r] * (double)x[0] + m[4 + r] * (double)x[1] +
                            m[8 + r] * (double)x[2] + m[12 + r]);
    }
}

typedef struct bound {
    const tlw_blob_lattice* lattice;
    tlw_vertex* vertices; // these three in source order
    tlw_vertex_skinning* skinning;
    tlw_vertex_binding* bindings;
    const uint32_t* slot_of;
    const tlw_blob_window* windows;
    const uint16_t* joints;
    const float* weights;
} bound;

static void read_vertices(bound* b, const uint8_t* bytes) {
    const uint32_t count = b->lattice->vertex_count;
    tlw_blob blob;
    b->vertices = calloc(count, sizeof *b->vertices);
    b->skinning = calloc(count, sizeof *b->skinning);
    b->bindings = calloc(count, sizeof *b->bindings);
    CHECK(b->vertices != NULL && b->skinning != NULL && b->bindings != NULL);
    CHECK_OK(tlw_blob_open(bytes, ((const tlw_blob_header*)(const void*)bytes)->total_bytes,
                           TLW_BLOB_SKIP_CONTENT_HASH, &blob, NULL));
    CHECK_OK(tlw_blob_get_vertices(&blob, TLW_ORDER_SOURCE, 0, count, b->vertices));
    CHECK_OK(tlw_blob_get_skinning(&blob, TLW_ORDER_SOURCE, 0, count, b->skinning));
    CHECK_OK(tlw_blob_get_bindings(&blob, TLW_ORDER_SOURCE, 0, count, b->bindings));
}

static double distance_of(const bound* b, uint32_t v, const double* skin) {
    double artist[3] = {0}, lattice[3] = {0};
    const float* x = b->vertices[v].position;
    for (int i = 0; i < 8; ++i) {
        add_skinned(skin + (size_t)b->skinning[v].joints[i] * 16, x,
                    (double)b->skinning[v].weights[i], artist);
        const uint32_t slot = b->slot_of[b->bindings[v].voxels[i]];
        const tlw_blob_window* window = &b->windows[slot / TLW_BLOB_LANES];
        for (uint32_t k = 0; k < window->influences && b->bindings[v].weights[i] > 0.0f; ++k) {
            const size_t at = (size_t)window->first_influence + k;
            add_skinned(skin + (size_t)b->joints[at] * 16, x,
                        (double)b->bindings[v].weights[i] *
                            (double)b->weights[at * TLW_BLOB_LANES + slot % TLW_BLOB_LANES],
                        lattice);
        }
    }
    return sqrt((artist[0] - lattice[0]) * (artist[0] - lattice[0]) +
                (artist[1] - lattice[1]) * (artist[1] - lattice[1]) +
                (artist[2] - lattice[2]) * (artist[2] - lattice[2]));
}

skinning_deviation measure_skinning(const tlw_asset* asset, const tlw_asset_cook* cook,
                                    const uint8_t* blob, uint32_t clip, uint32_t moments) {
    uint64_t count;
    bound b = {.lattice = tlw_blob_find(blob, TLW_SECTION_LATTICE, &count)};
    b.windows = tlw_blob_find(blob, TLW_SECTION_WINDOWS, &count);
    b.joints = tlw_blob_find(blob, TLW_SECTION_INFLUENCE_JOINT, &count);
    b.weights = tlw_blob_find(blob, TLW_SECTION_INFLUENCE_WEIGHT, &count);
    b.slot_of = tlw_blob_find(blob, TLW_SECTION_VOXEL_SLOT, &count);
    read_vertices(&b, blob);
    count = b.lattice->vertex_count;
    tlw_asset_transform* pose = calloc(asset->node_count, sizeof *pose);
    double* globals = calloc(asset->node_count, 16 * sizeof *globals);
    double* skin = calloc(cook->input.joint_count, 16 * sizeof *skin);
    CHECK(pose != NULL && globals != NULL && skin != NULL);
    const double extent = b.lattice->extent_voxels * b.lattice->voxel_metres;
    skinning_deviation found = {0};
    for (uint32_t i = 0; i < moments; ++i) {
        tlw_asset_evaluate_clip(asset, clip, asset->clips[clip].duration_seconds * i / moments,
                                pose);
        tlw_asset_global_matrices(asset, pose, globals);
        tlw_asset_cook_pose(cook, globals, skin);
        for (uint32_t j = 0; j < cook->input.joint_count; ++j) {
            double inverse[16];
            double* now = skin + (size_t)j * 16;
            CHECK(tlw_matrix_invert(inverse, cook->input.joints[j].bind));
            tlw_matrix_multiply(now, now, inverse);
        }
        for (uint32_t v = 0; v < count; ++v) {
            const double away = distance_of(&b, v, skin) / extent;
            found.mean += away / (double)count / moments;
            found.farthest = fmax(found.farthest, away);
        }
    }
    free(pose);
    free(globals);
    free(skin);
    free(b.vertices);
    free(b.skinning);
    free(b.bindings);
    return found;
}
