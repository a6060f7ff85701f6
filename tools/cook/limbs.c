// SPDX-License-Identifier: MIT
// Stage limbs (RULES 9.11): capsules of the character's own joints, and which voxels each may touch
// (MODEL 3.16). Reads the recipe's has_limbs, cook->weights, the skeleton, anatomy and order;
// writes cook->limbs.
#include "tools/cook/stages.h"

tlw_result tlw_cook_make_limbs(tlw_cook* cook) {
    (void)cook;
    return TLW_OK;
}
