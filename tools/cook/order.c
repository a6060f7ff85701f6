// SPDX-License-Identifier: MIT
// Stage order: where each voxel lies in memory. Rows along the lane axis are stored as they lie, in
// windows of 8 slots, so that the neighbours of 8 voxels are plain loads at nine offsets. The axis
// with the fewest windows is taken. Reads voxels and links; writes cook->order.
#include "tools/cook/stages.h"

#include "runtime/blob.h"

#include <stdlib.h>
#include <string.h>

#define LANES ((int32_t)TLW_BLOB_LANES)
// A window reads 10 cells of a neighbouring row. Two runs that both have cells there must share one
// offset, so gaps of up to 8 cells are stored, and longer ones closed.
#define GAP_MAX 8
// Windows between two points where a large character may be split among workers.
#define SPLIT_WINDOWS 16

// A voxel's coordinates with the lane axis first, then the two others in order.
static tlw_int3 turn(tlw_int3 cell, uint32_t lane_axis) {
    const int32_t xyz[3] = {cell.x, cell.y, cell.z};
    return (tlw_int3){xyz[lane_axis], xyz[(lane_axis + 1) % 3], xyz[(lane_axis + 2) % 3]};
}

typedef struct turned_voxel {
    tlw_int3 cell; // x: along the lane; rows by z, then y
    uint32_t voxel;
} turned_voxel;

static int compare_turned(const void* a, const void* b) {
    const tlw_int3 p = ((const turned_voxel*)a)->cell, q = ((const turned_voxel*)b)->cell;
    if (p.z != q.z) {
        return p.z < q.z ? -1 : 1;
    }
    if (p.y != q.y) {
        return p.y < q.y ? -1 : 1;
    }
    return p.x < q.x ? -1 : p.x > q.x;
}

static void sort_turned(const tlw_cook* cook, uint32_t lane_axis, turned_voxel* list) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        list[v] = (turned_voxel){turn(cook->voxels.coordinates[v], lane_axis), v};
    }
    qsort(list, cook->voxels.count, sizeof *list, compare_turned);
}

static bool starts_run(const turned_voxel* list, uint32_t i) {
    return i == 0 || list[i].cell.z != list[i - 1].cell.z || list[i].cell.y != list[i - 1].cell.y ||
           list[i].cell.x - list[i - 1].cell.x - 1 > GAP_MAX;
}

// Runs through the voxels in order; with `order` null it only counts windows.
static uint32_t lay_out(const turned_voxel* list, uint32_t count, tlw_cook_order* order) {
    uint32_t windows = 0, slot = TLW_BLOB_PADDING, run_slot = 0;
    int32_t run_start = 0, last_window = -1;
    for (uint32_t i = 0; i < count; ++i) {
        if (starts_run(list, i)) {
            run_slot = slot;
            run_start = list[i].cell.x;
            last_window = -1;
            if (order) {
                order->runs[order->run_count++] =
                    (tlw_cook_run){.start = list[i].cell, .slot = run_slot, .length = 0};
            }
        }
        const int32_t along = list[i].cell.x - run_start;
        if (along / LANES != last_window) {
            last_window = along / LANES;
            if (order) {
                order->windows[windows] = (tlw_cook_window){
                    .cell = {run_start + last_window * LANES, list[i].cell.y, list[i].cell.z},
                    .slot = run_slot + (uint32_t)(last_window * LANES),
                    .run = order->run_count - 1};
            }
            windows += 1;
        }
        slot = run_slot + (uint32_t)((last_window + 1) * LANES);
        if (order) {
            order->runs[order->run_count - 1].length = along + 1;
            order->slot_of_voxel[list[i].voxel] = run_slot + (uint32_t)along;
        }
    }
    if (order) {
        order->slot_count = slot + TLW_BLOB_PADDING;
        order->window_count = windows;
    }
    return windows;
}

// The run of row (y, z) that has cells within [x - 1, x + 8], or null.
static const tlw_cook_run* find_run(const tlw_cook_order* order, tlw_int3 cell) {
    uint32_t low = 0, high = order->run_count;
    while (low < high) { // the first run that ends behind x - 1, in the order of rows
        const uint32_t middle = low + (high - low) / 2;
        const tlw_cook_run* run = &order->runs[middle];
        bool is_before;
        if (run->start.z != cell.z) {
            is_before = run->start.z < cell.z;
        } else if (run->start.y != cell.y) {
            is_before = run->start.y < cell.y;
        } else {
            is_before = run->start.x + run->length <= cell.x - 1;
        }
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    if (low == order->run_count) {
        return NULL;
    }
    const tlw_cook_run* run = &order->runs[low];
    return run->start.z == cell.z && run->start.y == cell.y && run->start.x <= cell.x + LANES
               ? run
               : NULL;
}

static void find_rows(tlw_cook_order* order) {
    for (uint32_t w = 0; w < order->window_count; ++w) {
        tlw_cook_window* window = &order->windows[w];
        for (int r = 0; r < 9; ++r) {
            const tlw_int3 cell = {window->cell.x, window->cell.y + r % 3 - 1,
                                   window->cell.z + r / 3 - 1};
            const tlw_cook_run* run = r == 4 ? &order->runs[window->run] : find_run(order, cell);
            window->rows[r] =
                run ? (uint32_t)((int64_t)run->slot + cell.x - run->start.x) : TLW_BLOB_EMPTY_ROW;
        }
    }
}

// Steps along the grid's axes become steps along the turned ones; bits of a voxel become bits of a
// lane.
static void turn_links(const tlw_cook* cook, tlw_cook_order* order) {
    int turned_step[26];
    for (int k = 0; k < 26; ++k) {
        const tlw_int3 by = turn(tlw_link_steps[k], order->lane_axis);
        const int index = (by.x + 1) + (by.y + 1) * 3 + (by.z + 1) * 9;
        turned_step[k] = index < 13 ? index : index - 1;
    }
    for (uint32_t w = 0; w < order->window_count; ++w) {
        tlw_cook_window* window = &order->windows[w];
        for (int lane = 0; lane < LANES; ++lane) {
            const uint32_t voxel = order->voxel_of_slot[window->slot + (uint32_t)lane];
            if (voxel == TLW_NO_VOXEL) {
                continue;
            }
            window->occupied = (uint8_t)(window->occupied | 1u << lane);
            for (uint32_t left = cook->links.masks[voxel]; left != 0; left &= left - 1) {
                uint8_t* lanes = &window->links[turned_step[__builtin_ctz(left)]];
                *lanes = (uint8_t)(*lanes | 1u << lane);
            }
        }
    }
}

static void choose_splits(tlw_cook_order* order) {
    uint32_t last = 0;
    order->splits[order->split_count++] = 0;
    for (uint32_t w = 1; w < order->window_count; ++w) {
        const tlw_int3 a = order->windows[w - 1].cell, b = order->windows[w].cell;
        if (w - last >= SPLIT_WINDOWS && (a.y != b.y || a.z != b.z)) {
            order->splits[order->split_count++] = last = w;
        }
    }
    order->splits[order->split_count++] = order->window_count;
}

tlw_result tlw_cook_make_order(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_order* order = &cook->order;
    turned_voxel* list = tlw_cook_allocate(cook, count, sizeof *list);
    if (list == NULL) {
        return cook->error.result;
    }
    uint32_t fewest = UINT32_MAX;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        sort_turned(cook, axis, list);
        const uint32_t windows = lay_out(list, count, NULL);
        if (windows < fewest) {
            fewest = windows;
            order->lane_axis = axis;
        }
    }
    sort_turned(cook, order->lane_axis, list);
    order->windows = tlw_cook_allocate(cook, fewest, sizeof *order->windows);
    order->runs = tlw_cook_allocate(cook, fewest, sizeof *order->runs);
    order->splits = tlw_cook_allocate(cook, fewest / SPLIT_WINDOWS + 3, sizeof *order->splits);
    order->slot_of_voxel = tlw_cook_allocate(cook, count, sizeof *order->slot_of_voxel);
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        lay_out(list, count, order);
        order->voxel_of_slot =
            tlw_cook_allocate(cook, order->slot_count, sizeof *order->voxel_of_slot);
        result = cook->error.result;
    }
    if (result == TLW_OK) {
        memset(order->voxel_of_slot, 0xFF, order->slot_count * sizeof *order->voxel_of_slot);
        for (uint32_t v = 0; v < count; ++v) {
            order->voxel_of_slot[order->slot_of_voxel[v]] = v;
        }
        find_rows(order);
        turn_links(cook, order);
        choose_splits(order);
    }
    tlw_cook_free(cook, list, count, sizeof *list);
    return result;
}
