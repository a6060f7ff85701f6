// SPDX-License-Identifier: MIT
// The limb: a cylinder of voxels with a radius of 4 and a length of 40 along x, its bones on the
// axis, end to end, as the stages up to the links would leave it. A bone touches the voxels on both
// sides of the place where it ends. What heat weights and bends do to it is known.
#ifndef TLW_TESTS_COOK_SUPPORT_LIMB_H
#define TLW_TESTS_COOK_SUPPORT_LIMB_H

#include "tools/cook/stages.h"

enum {
    LIMB_LENGTH = 40,
    LIMB_ACROSS = 9,
    LIMB_CENTRE = 4,
    LIMB_CELLS = LIMB_LENGTH * LIMB_ACROSS * LIMB_ACROSS,
    LIMB_BONES_MAX = 10
};

typedef struct limb {
    tlw_cook cook;
    tlw_cook_recipe recipe;
    tlw_cook_input input;
    tlw_task_system tasks;
    tlw_cook_joint joints[LIMB_BONES_MAX];
    tlw_joint_name names[LIMB_BONES_MAX];
    tlw_cook_heat heat[LIMB_BONES_MAX];
    tlw_cook_skeleton_joint skeleton_joints[LIMB_BONES_MAX];
    uint32_t touched[LIMB_LENGTH + 2 * LIMB_BONES_MAX];
    tlw_int3 coordinates[LIMB_CELLS];
    uint32_t index[LIMB_CELLS];
    double value[LIMB_BONES_MAX][LIMB_CELLS]; // room for a number per joint and voxel
} limb;

// Bone b belongs to joint_of_bone[b], or, if that is null, to joint b. Each joint's parent is that
// of the bone before it.
limb* limb_make(uint32_t bones, const uint32_t* joint_of_bone);
void limb_free(limb* l);
uint32_t limb_voxel_on_axis(const limb* l, int x);
// Runs the stages from the weights up to the bends, with heat weights.
tlw_result limb_cook_bends(limb* l);

#endif
