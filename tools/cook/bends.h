// SPDX-License-Identifier: MIT
// Private to the stage bends (RULES 9.8 to 9.10): what its files hand to each other.
#ifndef TLW_TOOLS_COOK_BENDS_H
#define TLW_TOOLS_COOK_BENDS_H

#include "tools/cook/stages.h"

// The bends of a voxel by their joint, the one with the larger pi first. Places without a bend come
// last and have TLW_NO_JOINT and a share of 0.
typedef struct tlw_voxel_bends {
    uint32_t joint[TLW_BLOB_BENDS_PER_VOXEL];
    float share[TLW_BLOB_BENDS_PER_VOXEL]; // C, a multiple of TLW_BLOB_BEND_UNIT
} tlw_voxel_bends;

// bend_shares.c (RULES 9.8): the bends of every voxel, and per voxel the sum of all pi before they
// are smoothed.
tlw_result tlw_cook_share_bends(tlw_cook* cook, tlw_voxel_bends* of_voxel, double* pi_sum);

// bend_field.c (RULES 9.9): F of every voxel along the lattice axes, in multiples of
// TLW_BLOB_FIELD_UNIT, as if all voxels had a share.
tlw_result tlw_cook_make_field(tlw_cook* cook, const double* pi_sum, float (*field)[3]);

// bend_lists.c (RULES 9.10): the lists of windows and the pairs. `bend_of_joint` is the place of a
// joint's bend in cook->bends.list; every joint of `of_voxel` has one.
tlw_result tlw_cook_list_bends(tlw_cook* cook, const tlw_voxel_bends* of_voxel,
                               const uint32_t* bend_of_joint);

#endif
