// SPDX-License-Identifier: MIT
// The arrays of an oracle's input that have one element per voxel, which are filled by hand
// (small_inputs.c) or from the cooking oracle (cooked_input.c).
#ifndef TLW_TESTS_RUNTIME_ORACLE_VOXEL_ARRAYS_H
#define TLW_TESTS_RUNTIME_ORACLE_VOXEL_ARRAYS_H

#include "tests/runtime/oracle/oracle.h"

// As in oracle_input.
typedef struct voxel_arrays {
    int32_t (*cell)[3];
    uint8_t* layer;
    uint16_t* material;
    uint32_t (*joint)[4];
    double (*weight)[4];
    uint32_t* links;
    double* limit;
    double* volume_weight;
    uint32_t (*bend)[ORACLE_BEND_SHARES]; // these three are only read where the input has bends
    double (*bend_share)[ORACLE_BEND_SHARES];
    double (*field)[3];
    uint32_t *limb_touches, *limb_halves; // only read where the input has limbs
} voxel_arrays;

// Zeroed. Fails the running test if there is no memory.
voxel_arrays voxel_arrays_make(size_t count);
void voxel_arrays_free(voxel_arrays* arrays);
// Lets `input` point to the arrays.
void voxel_arrays_show(const voxel_arrays* arrays, oracle_input* input);

#endif
