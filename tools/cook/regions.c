// SPDX-License-Identifier: MIT
// Stage regions (design.md, cooking rule 9), for width 2: every 2x2x2 block around a corner of the
// grid that holds a voxel; voxels joined by links inside the block are one region, so a block that
// cuts have split gives one region a piece. Regions of width 3 need no list: they are a voxel and
// its links. Reads voxels, links and order; writes cook->regions.
#include "tools/cook/stages.h"

#include "runtime/blob.h"

static uint32_t voxel_at(const tlw_cook* cook, tlw_int3 cell) {
    return tlw_cook_inside_grid(&cook->grid, cell)
               ? cook->voxels.index[tlw_cook_cell(&cook->grid, cell)]
               : TLW_NO_VOXEL;
}

unsigned tlw_cook_block(const tlw_cook* cook, tlw_int3 lowest, uint32_t voxels[8]) {
    unsigned present = 0;
    for (int i = 0; i < 8; ++i) {
        voxels[i] = voxel_at(
            cook, (tlw_int3){lowest.x + (i & 1), lowest.y + (i >> 1 & 1), lowest.z + (i >> 2 & 1)});
        present |= (voxels[i] != TLW_NO_VOXEL) * 1u << i;
    }
    return present;
}

unsigned tlw_cook_reach_in_block(const tlw_cook* cook, const uint32_t voxels[8], int from) {
    unsigned reached = 1u << from, last = 0;
    while (reached != last) {
        last = reached;
        for (int i = 0; i < 8; ++i) {
            for (int k = 0; k < 8 && (reached >> i & 1); ++k) {
                const int dx = (k & 1) - (i & 1), dy = (k >> 1 & 1) - (i >> 1 & 1),
                          dz = (k >> 2 & 1) - (i >> 2 & 1);
                const int index = (dx + 1) + (dy + 1) * 3 + (dz + 1) * 9;
                const int step = index < 13 ? index : index - 1; // the cell itself is no step
                if (k != i && voxels[k] != TLW_NO_VOXEL &&
                    (cook->links.masks[voxels[i]] >> step & 1)) {
                    reached |= 1u << k;
                }
            }
        }
    }
    return reached;
}

tlw_result tlw_cook_make_regions(tlw_cook* cook) {
    if (cook->recipe->region_width != 2) {
        return TLW_OK;
    }
    const tlw_int3 n = cook->grid.size;
    for (int pass = 0; pass < 2; ++pass) {
        uint64_t count = 0;
        for (int32_t z = -1; z < n.z; ++z) {
            for (int32_t y = -1; y < n.y; ++y) {
                for (int32_t x = -1; x < n.x; ++x) {
                    uint32_t voxels[8];
                    unsigned left = tlw_cook_block(cook, (tlw_int3){x, y, z}, voxels);
                    while (left != 0) {
                        const unsigned piece =
                            tlw_cook_reach_in_block(cook, voxels, __builtin_ctz(left));
                        left &= ~piece;
                        for (int i = 0; i < 8 && pass == 1; ++i) {
                            cook->regions[count].slots[i] =
                                piece >> i & 1 ? cook->order.slot_of_voxel[voxels[i]]
                                               : TLW_BLOB_NO_INDEX;
                        }
                        count += 1;
                    }
                }
            }
        }
        if (pass == 0) {
            cook->regions = tlw_cook_allocate(cook, count, sizeof *cook->regions);
            cook->region_count = count;
            if (cook->regions == NULL) {
                break;
            }
        }
    }
    return cook->error.result;
}
