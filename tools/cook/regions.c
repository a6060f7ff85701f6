// SPDX-License-Identifier: MIT
// Stage regions (design.md, cooking rule 9), for width 2: every 2x2x2 block around a corner of the
// grid that holds a voxel; voxels joined by links inside the block are one region, so a block that
// cuts have split gives one region a piece. Regions of width 3 need no list: they are a voxel and
// its links. Reads voxels, links and order; writes cook->regions and cook->region_order.
#include "tools/cook/stages.h"

#include <stdlib.h>

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

typedef struct placed_region {
    uint64_t key; // first slot, and which member that is
    uint32_t region;
} placed_region;

static int compare_placed(const void* a, const void* b) {
    const uint64_t p = ((const placed_region*)a)->key, q = ((const placed_region*)b)->key;
    return (p > q) - (p < q);
}

// By first slot, so that what a run of regions reads and writes lies close together.
static tlw_result order_regions(tlw_cook* cook) {
    const uint32_t count = cook->region_count;
    placed_region* list = tlw_cook_allocate(cook, count, sizeof *list);
    cook->region_order = tlw_cook_allocate(cook, count, sizeof *cook->region_order);
    if (list != NULL && cook->region_order != NULL) {
        for (uint32_t r = 0; r < count; ++r) {
            list[r] = (placed_region){UINT64_MAX, r};
            for (uint32_t i = 0; i < 8; ++i) {
                const uint32_t voxel = cook->regions[r].voxels[i];
                if (voxel != TLW_NO_VOXEL) {
                    const uint64_t key = (uint64_t)cook->order.slot_of_voxel[voxel] << 3 |
                                         tlw_turned_member(i, cook->order.lane_axis);
                    list[r].key = key < list[r].key ? key : list[r].key;
                }
            }
        }
        qsort(list, count, sizeof *list, compare_placed);
        for (uint32_t r = 0; r < count; ++r) {
            cook->region_order[r] = list[r].region;
        }
    }
    tlw_cook_free(cook, list, count, sizeof *list);
    return cook->error.result;
}

uint32_t tlw_turned_member(uint32_t member, uint32_t lane_axis) {
    return (member >> lane_axis & 1) | (member >> (lane_axis + 1) % 3 & 1) << 1 |
           (member >> (lane_axis + 2) % 3 & 1) << 2;
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
                            cook->regions[count].voxels[i] =
                                piece >> i & 1 ? voxels[i] : TLW_NO_VOXEL;
                        }
                        count += 1;
                    }
                }
            }
        }
        if (pass == 0) {
            if (count > UINT32_MAX / 16) {
                return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%llu regions; at most %u",
                                     (unsigned long long)count, UINT32_MAX / 16);
            }
            cook->regions = tlw_cook_allocate(cook, count, sizeof *cook->regions);
            if (cook->regions == NULL) {
                return cook->error.result;
            }
            cook->region_count = (uint32_t)count;
        }
    }
    return order_regions(cook);
}
