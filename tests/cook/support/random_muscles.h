// SPDX-License-Identifier: MIT
// Random muscles for the recipe of any input: on one joint each or between two, with fields that
// repel and that attract. The cooker may refuse them.
#ifndef TLW_TESTS_COOK_SUPPORT_RANDOM_MUSCLES_H
#define TLW_TESTS_COOK_SUPPORT_RANDOM_MUSCLES_H

#include "tools/cook/cook.h"

enum { RANDOM_MUSCLES = 6, RANDOM_VERTICES = 8, RANDOM_FIELDS = 2 };

typedef struct random_muscles {
    tlw_cook_muscle list[RANDOM_MUSCLES];
    tlw_cook_line_vertex lines[RANDOM_MUSCLES][RANDOM_VERTICES];
    tlw_cook_muscle_field fields[RANDOM_MUSCLES][RANDOM_FIELDS];
    uint32_t tendons[RANDOM_MUSCLES][2];
    char names[RANDOM_MUSCLES][16];
} random_muscles;

// Offsets and radii up to `size` metres. It owns what its recipe points to, and must not be moved.
void random_muscles_make(random_muscles* r, const tlw_cook_input* input, double size,
                         uint64_t* random);
float random_between(uint64_t* random, double low, double high);
// How far apart the coordinates of an input's first mesh are, in metres.
double random_muscles_extent(const tlw_cook_input* input);

#endif
