// SPDX-License-Identifier: MIT
// A character for the runtime's oracle, cooked by the cooking oracle: no library, no blob.
// Materials are by part, then layer: part 0 is what no part of the recipe has, part k its k-th.
#ifndef TLW_TESTS_RUNTIME_ORACLE_COOKED_INPUT_H
#define TLW_TESTS_RUNTIME_ORACLE_COOKED_INPUT_H

#include "tests/runtime/oracle/oracle.h"
#include "tools/cook/cook.h"

typedef struct cooked_input {
    oracle_input input;
    uint32_t point_count;
    oracle_bound_point* points; // vertices of all meshes that are bound, then the input's points
    struct cooked_arrays* arrays;
} cooked_input;

// Fails the running test if it does not cook.
cooked_input* cooked_input_make(const tlw_cook_input* input, const tlw_cook_recipe* recipe);
void cooked_input_free(cooked_input* c);

#endif
