// SPDX-License-Identifier: MIT
// Private to the stage limbs (RULES 9.11): what limbs.c measures of every joint, and limb_masks.c
// asks of it. Lengths are in voxels, places along the grid's axes from its lowest corner.
#ifndef TLW_TOOLS_COOK_LIMBS_H
#define TLW_TOOLS_COOK_LIMBS_H

#include "tools/cook/stages.h"

// A joint as a capsule. Joints without voxels, and those that are left out, have none.
typedef struct tlw_joint_capsule {
    tlw_double3 ends[2]; // of the axis; of a limb as the blob's floats have them
    double radius[2];    // of a limb, at each end
    double largest;      // r of the rule, of joints that are no limb too
    uint32_t voxels;     // of the joint
} tlw_joint_capsule;

// The point of an axis that is nearest to another point.
typedef struct tlw_axis_point {
    double parameter; // 0 to 1; 0 on an axis without length
    double distance;
} tlw_axis_point;

tlw_axis_point tlw_nearest_on_axis(const tlw_double3 ends[2], tlw_double3 point);
tlw_double3 tlw_centre_in_voxels(const tlw_cook* cook, uint32_t voxel);

// Sets in `of_slot` which of the limbs, given by their joints, may touch each voxel.
tlw_result tlw_cook_touch_limbs(tlw_cook* cook, const tlw_joint_capsule* capsules,
                                const uint32_t* limbs, uint32_t count,
                                tlw_blob_slot_limbs* of_slot);

#endif
