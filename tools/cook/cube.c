// SPDX-License-Identifier: MIT
// The 2x2x2 cube of cells around a corner of the grid, and which of its voxels links inside the
// cube join (RULES 9.2 and 10.4). Used by the stages regions and bind.
#include "tools/cook/stages.h"

unsigned tlw_cook_cube(const tlw_cook* cook, tlw_int3 lowest, uint32_t voxels[8]) {
    unsigned present = 0;
    for (int i = 0; i < 8; ++i) {
        voxels[i] = tlw_cook_voxel_at(
            cook, (tlw_int3){lowest.x + (i & 1), lowest.y + (i >> 1 & 1), lowest.z + (i >> 2 & 1)});
        present |= (voxels[i] != TLW_NO_VOXEL) * 1u << i;
    }
    return present;
}

unsigned tlw_cook_reach_in_cube(const tlw_cook* cook, const uint32_t voxels[8], int from) {
    unsigned reached = 1u << from, last = 0;
    while (reached != last) {
        last = reached;
        for (int i = 0; i < 8; ++i) {
            for (int k = 0; k < 8 && (reached >> i & 1); ++k) {
                const int dx = (k & 1) - (i & 1), dy = (k >> 1 & 1) - (i >> 1 & 1),
                          dz = (k >> 2 & 1) - (i >> 2 & 1);
                const int step = tlw_step_of_cell((dx + 1) + (dy + 1) * 3 + (dz + 1) * 9);
                if (k != i && voxels[k] != TLW_NO_VOXEL &&
                    (cook->links.masks[voxels[i]] >> step & 1)) {
                    reached |= 1u << k;
                }
            }
        }
    }
    return reached;
}

uint32_t tlw_cook_permute_member(uint32_t member, uint32_t lane_axis) {
    return (member >> lane_axis & 1) | (member >> (lane_axis + 1) % 3 & 1) << 1 |
           (member >> (lane_axis + 2) % 3 & 1) << 2;
}
