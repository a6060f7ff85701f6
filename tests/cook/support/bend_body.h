// SPDX-License-Identifier: MIT
// Bodies of cells set by hand for the oracle cooker's bends and limbs (RULES 9.8 to 9.11), where
// every number can be worked out: bars, slabs, and the limb on which an earlier implementation was
// measured.
#ifndef TLW_TESTS_COOK_SUPPORT_BEND_BODY_H
#define TLW_TESTS_COOK_SUPPORT_BEND_BODY_H

#include "tests/cook/oracle/oracle_private.h"

#define BEND_BODY_JOINTS 40

typedef struct bend_body {
    oracle_result result;
    tlw_cook_joint joints[BEND_BODY_JOINTS];
    char names[BEND_BODY_JOINTS][16]; // "joint0", "joint1", ...
    tlw_cook_input input;
    tlw_cook_recipe recipe;
    oracle_work work;
} bend_body;

// A solid box of cells, all linked, without bone. All joints are kept, and hang on joint 0 until a
// test gives them other parents in the result.
bend_body* bend_body_new(uint32_t x, uint32_t y, uint32_t z, uint32_t joint_count);
// Takes away every voxel where `is_solid` is false.
bend_body* bend_body_carved(uint32_t x, uint32_t y, uint32_t z, uint32_t joint_count,
                            bool (*is_solid)(const int32_t cell[3]));
void bend_body_free(bend_body* body);
// Sets the weights of a voxel: one number per joint, of which at most four are above 0.
void bend_body_weigh(bend_body* body, uint32_t voxel, const double* weights);
// The same for all voxels.
void bend_body_weigh_all(bend_body* body, const double* weights);
// A round bar of radius 4 along x about a row of cells, 40 long, with heat weights of two bones of
// 20. Bone is cooked.
bend_body* bend_body_limb(void);

#endif
