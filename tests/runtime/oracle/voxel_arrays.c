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
}
