// SPDX-License-Identifier: MIT
// An arm along x with a shoulder, an elbow and muscles of a recipe, for tests that cook muscles.
#ifndef TLW_TESTS_COOK_SUPPORT_MUSCLE_ARM_H
#define TLW_TESTS_COOK_SUPPORT_MUSCLE_ARM_H

#include "tests/cook/support/cook_scenes.h"

#define ARM_ELBOW  0.4
#define ARM_END    0.7
#define ARM_RADIUS 0.06

enum { ARM_VERTICES = 7, ARM_MUSCLES_MAX = 4 };

// A capsule whose joints are joint0, the shoulder at the origin, and joint1, the elbow.
scene* arm_scene(void);
// Two such arms, side by side along y with a trunk between them: trunk, arm.L, fore.L, arm.R,
// fore.R.
scene* arms_scene(void);

// A muscle like a biceps on two joints, 0.03 above the bones, with a field around the lower joint.
// It owns what its recipe points to; muscle->line[i].place may be changed through `line`.
typedef struct arm_muscle {
    tlw_cook_muscle muscle;
    tlw_cook_line_vertex line[ARM_VERTICES];
    uint32_t tendons[2];
    tlw_cook_muscle_field field;
} arm_muscle;
void arm_make_muscle(arm_muscle* m, const char* name, const char* upper, const char* lower);

#endif
