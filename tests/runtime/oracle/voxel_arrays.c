// SPDX-License-Identifier: MIT
// Allocates and frees the per-voxel arrays of an oracle's input.
#include "tests/runtime/oracle/voxel_arrays.h"

#include "tests/test.h"

#include <stdlib.h>

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

voxel_arrays voxel_arrays_make(size_t count) {
    voxel_arrays a;
    a.cell = allocate(count, sizeof *a.cell);
    a.layer = allocate(count, sizeof *a.layer);
    a.material = allocate(count, sizeof *a.material);
    a.joint = allocate(count, sizeof *a.joint);
    a.weight = allocate(count, sizeof *a.weight);
    a.links = allocate(count, sizeof *a.links);
    a.limit = allocate(count, sizeof *a.limit);
    a.volume_weight = allocate(count, sizeof *a.volume_weight);
    a.bend = allocate(count, sizeof *a.bend);
    a.bend_share = allocate(count, sizeof *a.bend_share);
    a.field = allocate(count, sizeof *a.field);
    a.limb_touches = allocate(count, sizeof *a.limb_touches);
    a.limb_halves = allocate(count, sizeof *a.limb_halves);
    return a;
}

void voxel_arrays_free(voxel_arrays* arrays) {
    free(arrays->cell);
    free(arrays->layer);
    free(arrays->material);
    free(arrays->joint);
    free(arrays->weight);
    free(arrays->links);
    free(arrays->limit);
    free(arrays->volume_weight);
    free(arrays->bend);
    free(arrays->bend_share);
    free(arrays->field);
    free(arrays->limb_touches);
    free(arrays->limb_halves);
}

void voxel_arrays_show(const voxel_arrays* arrays, oracle_input* input) {
    input->cell = (const int32_t(*)[3])arrays->cell;
    input->layer = arrays->layer;
    input->material = arrays->material;
    input->joint = (const uint32_t(*)[4])arrays->joint;
    input->weight = (const double(*)[4])arrays->weight;
    input->links = arrays->links;
    input->limit = arrays->limit;
    input->volume_weight = arrays->volume_weight;
    input->bend = (const uint32_t(*)[ORACLE_BEND_SHARES])arrays->bend;
    input->bend_share = (const double(*)[ORACLE_BEND_SHARES])arrays->bend_share;
    input->field = (const double(*)[3])arrays->field;
    input->limb_touches = arrays->limb_touches;
    input->limb_halves = arrays->limb_halves;
}
