// SPDX-License-Identifier: MIT
// A character as input for the runtime's oracle, cooked by the cooking oracle (tests/cook/oracle):
// neither the cooking library nor a blob has a part in it. Materials are ordered by part, then by
// layer: part 0 holds the voxels that belong to no part of the recipe, part k is its k-th.
#ifndef TLW_TESTS_RUNTIME_ORACLE_COOKED_INPUT_H
#define TLW_TESTS_RUNTIME_ORACLE_COOKED_INPUT_H

#include "tests/runtime/oracle/oracle.h"
#include "tools/cook/cook.h"

typedef struct cooked_input {
    oracle_input input;
    uint32_t point_count;
    oracle_bound_point*
        points; // vertices of all meshes that are bound, then the cook input's points
    struct cooked_arrays* arrays;
} cooked_input;

// Fails the running test if the input does not cook.
cooked_input* cooked_input_make(const tlw_cook_input* input, const tlw_cook_recipe* recipe);
void cooked_input_free(cooked_input* c);

#endif
