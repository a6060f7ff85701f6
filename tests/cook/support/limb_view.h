// SPDX-License-Identifier: MIT
// What a cook's arrays say of limbs, voxels and joints, for the tests of own limbs.
#ifndef TLW_TESTS_COOK_SUPPORT_LIMB_VIEW_H
#define TLW_TESTS_COOK_SUPPORT_LIMB_VIEW_H

#include "tests/cook/support/bend_view.h"

TLW_INLINE tlw_cook_recipe limbs_at(uint32_t resolution) {
    tlw_cook_recipe recipe = recipe_of(resolution);
    recipe.has_limbs = true;
    return recipe;
}

TLW_INLINE tlw_blob_slot_limbs limbs_of(const tlw_cook* cook, uint32_t voxel) {
    return cook->limbs.of_slot[cook->order.slot_of_voxel[voxel]];
}

// The limb of a joint, or null.
TLW_INLINE const tlw_blob_limb* limb_of(const tlw_cook* cook, uint32_t joint) {
    for (uint32_t i = 0; i < cook->limbs.count; ++i) {
        if (cook->limbs.list[i].joint == joint) {
            return &cook->limbs.list[i];
        }
    }
    return NULL;
}

// How many voxels have the joint as the one with their largest weight.
TLW_INLINE uint32_t count_of(const tlw_cook* cook, uint32_t joint) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        count += cook->weights[v].joint[0] == joint;
    }
    return count;
}

#endif
