// SPDX-License-Identifier: MIT
// Part of the stage bends (RULES 9.10): the bends of each window's voxels with a share per lane,
// and the pairs of bends that voxels have together. Reads cook->order; writes the lists of
// cook->bends.
#include "tools/cook/bends.h"

#include <string.h>

// What a window has: bends and pairs of them, both ascending.
typedef struct window_lists {
    uint32_t bends[TLW_BLOB_BENDS_PER_WINDOW], bend_count;
    uint32_t pairs[TLW_BLOB_LANES], pair_count; // first << 16 | second
} window_lists;

// Puts a number into an ascending list that does not have it yet.
static void insert(uint32_t* list, uint32_t* count, uint32_t value) {
    uint32_t at = *count;
    while (at > 0 && list[at - 1] > value) {
        at -= 1;
    }
    if (at > 0 && list[at - 1] == value) {
        return;
    }
    memmove(&list[at + 1], &list[at], (*count - at) * sizeof *list);
    list[at] = value;
    *count += 1;
}

static uint32_t pair_of(uint32_t a, uint32_t b) {
    return a < b ? a << 16 | b : b << 16 | a;
}

static window_lists lists_of(const tlw_cook* cook, const tlw_voxel_bends* of_voxel,
                             const uint32_t* bend_of_joint, uint32_t window) {
    window_lists lists = {.bend_count = 0};
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const uint32_t voxel = cook->order.voxel_of_slot[window * TLW_BLOB_LANES + lane];
        const uint32_t* joint = voxel == TLW_NO_VOXEL ? NULL : of_voxel[voxel].joint;
        for (uint32_t i = 0; joint && i < TLW_BLOB_BENDS_PER_VOXEL; ++i) {
            if (joint[i] != TLW_NO_JOINT) {
                insert(lists.bends, &lists.bend_count, bend_of_joint[joint[i]]);
            }
        }
        if (joint && joint[1] != TLW_NO_JOINT) {
            insert(lists.pairs, &lists.pair_count,
                   pair_of(bend_of_joint[joint[0]], bend_of_joint[joint[1]]));
        }
    }
    return lists;
}

// Where the lists of every window begin, and the pairs of all windows, each once.
static tlw_result count_lists(tlw_cook* cook, const tlw_voxel_bends* of_voxel,
                              const uint32_t* bend_of_joint, uint32_t** all_pairs) {
    tlw_cook_bends* bends = &cook->bends;
    const uint32_t windows = cook->order.window_count;
    bends->windows = tlw_cook_allocate(cook, (uint64_t)windows + 1, sizeof *bends->windows);
    uint32_t* pairs = tlw_cook_allocate(cook, cook->order.slot_count, sizeof *pairs);
    *all_pairs = pairs;
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t w = 0; w < windows; ++w) {
        const window_lists lists = lists_of(cook, of_voxel, bend_of_joint, w);
        bends->windows[w] = (tlw_blob_bend_window){bends->entry_count, bends->couple_count};
        memcpy(pairs + bends->couple_count, lists.pairs, lists.pair_count * sizeof *pairs);
        bends->entry_count += lists.bend_count;
        bends->couple_count += lists.pair_count;
    }
    bends->windows[windows] = (tlw_blob_bend_window){bends->entry_count, bends->couple_count};
    bends->pair_count = (uint32_t)tlw_cook_make_unique(pairs, bends->couple_count);
    if (bends->pair_count > UINT16_MAX) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                             "%u pairs of bends that voxels have together; at most %u",
                             bends->pair_count, UINT16_MAX);
    }
    return TLW_OK;
}

static uint32_t place_in(const uint32_t* list, uint32_t count, uint32_t value) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        low = list[middle] < value ? middle + 1 : low;
        high = list[middle] < value ? high : middle;
    }
    return low;
}

static void fill_window(tlw_cook* cook, const tlw_voxel_bends* of_voxel,
                        const uint32_t* bend_of_joint, const uint32_t* pairs, uint32_t window) {
    tlw_cook_bends* bends = &cook->bends;
    const window_lists lists = lists_of(cook, of_voxel, bend_of_joint, window);
    const tlw_blob_bend_window first = bends->windows[window];
    for (uint32_t i = 0; i < lists.bend_count; ++i) {
        bends->entries[first.first_entry + i] = (uint16_t)lists.bends[i];
    }
    for (uint32_t i = 0; i < lists.pair_count; ++i) {
        const uint32_t pair = lists.pairs[i];
        bends->couples[first.first_couple + i] = (tlw_blob_bend_couple){
            .pair = (uint16_t)place_in(pairs, bends->pair_count, pair),
            .first = (uint8_t)place_in(lists.bends, lists.bend_count, pair >> 16),
            .second = (uint8_t)place_in(lists.bends, lists.bend_count, pair & UINT16_MAX)};
    }
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const uint32_t voxel = cook->order.voxel_of_slot[window * TLW_BLOB_LANES + lane];
        for (uint32_t i = 0; voxel != TLW_NO_VOXEL && i < TLW_BLOB_BENDS_PER_VOXEL; ++i) {
            const uint32_t joint = of_voxel[voxel].joint[i];
            if (joint != TLW_NO_JOINT) {
                const uint32_t entry =
                    place_in(lists.bends, lists.bend_count, bend_of_joint[joint]);
                bends->shares[(size_t)(first.first_entry + entry) * TLW_BLOB_LANES + lane] =
                    (uint16_t)(of_voxel[voxel].share[i] / TLW_BLOB_BEND_UNIT);
            }
        }
    }
}

tlw_result tlw_cook_list_bends(tlw_cook* cook, const tlw_voxel_bends* of_voxel,
                               const uint32_t* bend_of_joint) {
    tlw_cook_bends* bends = &cook->bends;
    uint32_t* pairs = NULL;
    if (count_lists(cook, of_voxel, bend_of_joint, &pairs) == TLW_OK) {
        bends->pairs = tlw_cook_allocate(cook, bends->pair_count, sizeof *bends->pairs);
        bends->entries = tlw_cook_allocate(cook, bends->entry_count, sizeof *bends->entries);
        bends->shares = tlw_cook_allocate(cook, (uint64_t)bends->entry_count * TLW_BLOB_LANES,
                                          sizeof *bends->shares);
        bends->couples = tlw_cook_allocate(cook, bends->couple_count, sizeof *bends->couples);
    }
    if (cook->error.result == TLW_OK) {
        for (uint32_t i = 0; i < bends->pair_count; ++i) {
            bends->pairs[i] = (tlw_blob_bend_pair){.first = (uint16_t)(pairs[i] >> 16),
                                                   .second = (uint16_t)(pairs[i] & UINT16_MAX)};
        }
        for (uint32_t w = 0; w < cook->order.window_count; ++w) {
            fill_window(cook, of_voxel, bend_of_joint, pairs, w);
        }
    }
    tlw_cook_free(cook, pairs);
    return cook->error.result;
}
