// SPDX-License-Identifier: MIT
// Stage regions (RULES 9.2), for width 2: every 2x2x2 cube of cells that holds a voxel. Voxels that
// links inside the cube join are one region, so a cube that cuts have split gives one region per
// piece. Regions of width 3 need no list: they are a voxel and its links. Lattice shape matching is
// that of Rivers and James 2007. Reads cook->voxels, cook->links and cook->order; writes
// cook->regions and cook->region_order.
#include "tools/cook/stages.h"

#include <stdlib.h>

typedef struct placed_region {
    uint64_t key; // lowest slot of its voxels << 3 | the member in that slot
    uint32_t region;
} placed_region;

static int compare_placed(const void* a, const void* b) {
    const uint64_t x = ((const placed_region*)a)->key, y = ((const placed_region*)b)->key;
    return (x > y) - (x < y);
}

// Sorts regions by their first slot, so that consecutive regions read and write memory that lies
// close together.
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
                                         tlw_cook_permute_member(i, cook->order.lane_axis);
                    list[r].key = key < list[r].key ? key : list[r].key;
                }
            }
        }
        qsort(list, count, sizeof *list, compare_placed);
        for (uint32_t r = 0; r < count; ++r) {
            cook->region_order[r] = list[r].region;
        }
    }
    tlw_cook_free(cook, list);
    return cook->error.result;
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
                    unsigned left = tlw_cook_cube(cook, (tlw_int3){x, y, z}, voxels);
                    while (left != 0) {
                        const unsigned piece =
                            tlw_cook_reach_in_cube(cook, voxels, __builtin_ctz(left));
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
