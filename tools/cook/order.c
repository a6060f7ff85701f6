// SPDX-License-Identifier: MIT
// Stage order: where each voxel lies in memory. Rows along the lane axis are cut into windows of 8
// lanes, and laid out in sites so that the neighbours of 8 voxels are plain loads at nine offsets.
// The axis with the fewest windows, then the fewest runs, is taken. Reads voxels and links;
// writes cook->order.
#include "tools/cook/stages.h"

#include "runtime/blob.h"

#include <stdlib.h>
#include <string.h>

#define LANES ((int32_t)TLW_BLOB_LANES)
// A window reads 10 cells of a neighbouring row. Two runs that both have cells there must share one
// offset, so gaps of up to 8 cells are stored, and longer ones closed.
#define GAP_MAX 8
// Windows of a block, about: what a large character is split into among workers.
#define BLOCK_WINDOWS 16
// A window has up to 24 sites, the gap with it, and all sites are to be numbers of 32 bits.
#define WINDOWS_MAX (UINT32_MAX / 128)

tlw_int3 tlw_cook_turn(tlw_int3 cell, uint32_t lane_axis) {
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
        list[v] = (turned_voxel){tlw_cook_turn(cook->voxels.coordinates[v], lane_axis), v};
    }
    qsort(list, cook->voxels.count, sizeof *list, compare_turned);
}

static bool starts_run(const turned_voxel* list, uint32_t i) {
    return i == 0 || list[i].cell.z != list[i - 1].cell.z || list[i].cell.y != list[i - 1].cell.y ||
           list[i].cell.x - list[i - 1].cell.x - 1 > GAP_MAX;
}

// Runs through the voxels in order; with `order` null it only counts windows and runs.
static uint32_t lay_out(const turned_voxel* list, uint32_t count, tlw_cook_order* order,
                        uint32_t* run_count) {
    uint32_t windows = 0, runs = 0;
    int32_t run_start = 0, last_window = -1;
    for (uint32_t i = 0; i < count; ++i) {
        if (starts_run(list, i)) {
            run_start = list[i].cell.x;
            last_window = -1;
            if (order) {
                order->runs[runs] = (tlw_cook_run){.start = list[i].cell};
            }
            runs += 1;
        }
        const int32_t along = list[i].cell.x - run_start;
        if (along / LANES != last_window) {
            last_window = along / LANES;
            if (order) {
                order->windows[windows] = (tlw_cook_window){
                    .cell = {run_start + last_window * LANES, list[i].cell.y, list[i].cell.z},
                    .run = runs - 1};
            }
            windows += 1;
        }
        if (order) {
            order->runs[runs - 1].length = along + 1;
            order->slot_of_voxel[list[i].voxel] =
                (windows - 1) * TLW_BLOB_LANES + (uint32_t)(along % LANES);
        }
    }
    *run_count = runs;
    if (order) {
        order->run_count = runs;
        order->window_count = windows;
        order->slot_count = windows * TLW_BLOB_LANES;
    }
    return windows;
}

static uint32_t round_up(uint32_t site) {
    return (site + TLW_BLOB_LANES - 1) / TLW_BLOB_LANES * TLW_BLOB_LANES;
}

uint32_t tlw_cook_site(const tlw_cook_order* order, uint32_t slot) {
    return order->windows[slot / TLW_BLOB_LANES].rows[4] + slot % TLW_BLOB_LANES;
}

// The run of row (y, z) that has cells within [x - 1, x + 8], or null.
static tlw_cook_run* find_run(const tlw_cook_order* order, tlw_int3 cell) {
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
    tlw_cook_run* run = &order->runs[low];
    return run->start.z == cell.z && run->start.y == cell.y && run->start.x <= cell.x + LANES
               ? run
               : NULL;
}

static tlw_int3 cell_of_row(const tlw_cook_window* window, int row) {
    return (tlw_int3){window->cell.x, window->cell.y + row % 3 - 1, window->cell.z + row / 3 - 1};
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

// How far beyond a run's ends voxels look for neighbours: from one cell before the first of a
// window that loads from it to one behind the last.
static void measure_reach(tlw_cook_order* order) {
    for (uint32_t w = 0; w < order->window_count; ++w) {
        const tlw_cook_window* window = &order->windows[w];
        const int32_t first = window->cell.x + __builtin_ctz(window->occupied) - 1;
        const int32_t last = window->cell.x + 32 - __builtin_clz(window->occupied);
        for (int r = 0; r < 9; ++r) {
            tlw_cook_run* run = find_run(order, cell_of_row(window, r));
            if (run) {
                run->reach_before = larger(run->reach_before, run->start.x - first);
                run->reach_behind =
                    larger(run->reach_behind, last - (run->start.x + run->length - 1));
            }
        }
    }
}

// Runs in order, each on a multiple of 8, with as many empty sites between two as voxels that look
// beyond the one or the other may load.
static void place_runs(tlw_cook_order* order) {
    uint32_t block = 0, last = TLW_BLOB_PADDING - 1;
    for (uint32_t w = 0; w < order->window_count; ++w) {
        const uint32_t run = order->windows[w].run;
        if (w > 0 && run == order->windows[w - 1].run) {
            continue;
        }
        tlw_cook_run* here = &order->runs[run];
        int32_t apart = run > 0 ? larger(here[-1].reach_behind, here->reach_before) : 0;
        if (w == order->blocks[block].first_window) {
            block += 1;
            apart = w > 0 ? larger(apart, TLW_BLOB_GAP) : 0;
        }
        here->site = round_up(last + 1 + (uint32_t)apart);
        last = here->site + (uint32_t)here->length - 1;
    }
    order->site_count = round_up(last + 1) + TLW_BLOB_PADDING;
}

static void find_rows(tlw_cook_order* order) {
    for (uint32_t w = 0; w < order->window_count; ++w) {
        tlw_cook_window* window = &order->windows[w];
        for (int r = 0; r < 9; ++r) {
            const tlw_int3 cell = cell_of_row(window, r);
            const tlw_cook_run* run = r == 4 ? &order->runs[window->run] : find_run(order, cell);
            window->rows[r] =
                run ? (uint32_t)((int64_t)run->site + cell.x - run->start.x) : TLW_BLOB_EMPTY_ROW;
        }
    }
}

// Steps along the grid's axes become steps along the turned ones; bits of a voxel become bits of a
// lane.
static void turn_links(const tlw_cook* cook, tlw_cook_order* order) {
    int turned_step[26];
    for (int k = 0; k < 26; ++k) {
        const tlw_int3 by = tlw_cook_turn(tlw_link_steps[k], order->lane_axis);
        const int index = (by.x + 1) + (by.y + 1) * 3 + (by.z + 1) * 9;
        turned_step[k] = index < 13 ? index : index - 1;
    }
    for (uint32_t s = 0; s < order->slot_count; ++s) {
        tlw_cook_window* window = &order->windows[s / TLW_BLOB_LANES];
        const uint32_t voxel = order->voxel_of_slot[s], lane = s % TLW_BLOB_LANES;
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

static bool has_cuts(const tlw_cook* cook, uint32_t voxel) {
    const tlw_int3 at = cook->voxels.coordinates[voxel];
    for (int k = 0; k < 26; ++k) {
        const tlw_int3 by = tlw_link_steps[k];
        const tlw_int3 cell = {at.x + by.x, at.y + by.y, at.z + by.z};
        if (!(cook->links.masks[voxel] >> k & 1) && tlw_cook_inside_grid(&cook->grid, cell) &&
            cook->voxels.index[tlw_cook_cell(&cook->grid, cell)] != TLW_NO_VOXEL) {
            return true;
        }
    }
    return false;
}

// Opposite steps add up to 25.
static bool is_thin(uint32_t mask) {
    return !(mask & (1u << 4 | 1u << 21)) || !(mask & (1u << 10 | 1u << 15)) ||
           !(mask & (1u << 12 | 1u << 13));
}

static void describe_windows(const tlw_cook* cook, tlw_cook_order* order) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        tlw_cook_window* window = &order->windows[order->slot_of_voxel[v] / TLW_BLOB_LANES];
        window->flags |= (uint8_t)((has_cuts(cook, v) ? TLW_WINDOW_HAS_CUTS : 0) |
                                   (is_thin(cook->links.masks[v]) ? TLW_WINDOW_IS_THIN : 0));
    }
}

// The voxels beside a window along one of its rows, from one cell before its lanes to one behind.
typedef struct row_voxels {
    uint32_t at[TLW_BLOB_LANES + 2]; // TLW_NO_VOXEL where there is none
} row_voxels;

static row_voxels look_along(const tlw_cook* cook, const tlw_cook_window* window, int row) {
    const tlw_int3 first = cell_of_row(window, row);
    const uint32_t axis = cook->order.lane_axis;
    row_voxels voxels;
    for (int32_t i = 0; i < LANES + 2; ++i) {
        int32_t xyz[3];
        xyz[axis] = first.x + i - 1;
        xyz[(axis + 1) % 3] = first.y;
        xyz[(axis + 2) % 3] = first.z;
        const tlw_int3 cell = {xyz[0], xyz[1], xyz[2]};
        voxels.at[i] = tlw_cook_inside_grid(&cook->grid, cell)
                           ? cook->voxels.index[tlw_cook_cell(&cook->grid, cell)]
                           : TLW_NO_VOXEL;
    }
    return voxels;
}

static bool has_cuts_along(const tlw_cook_window* window, int row, const row_voxels* voxels) {
    for (int step = 3 * row; step < 3 * row + 3; ++step) {
        for (int lane = 0; lane < LANES && step != 13; ++lane) {
            if ((window->occupied & ~window->links[step - (step > 13)]) >> lane & 1 &&
                voxels->at[lane + step % 3] != TLW_NO_VOXEL) {
                return true;
            }
        }
    }
    return false;
}

static void mark_told_apart(const tlw_cook* cook, tlw_cook_order* order) {
    for (uint32_t w = 0; w < order->window_count; ++w) {
        const tlw_cook_window* window = &order->windows[w];
        for (int row = 0; row < 9 && (window->flags & TLW_WINDOW_HAS_CUTS); ++row) {
            const row_voxels voxels = look_along(cook, window, row);
            for (int32_t i = 0; i < LANES + 2 && has_cuts_along(window, row, &voxels); ++i) {
                if (voxels.at[i] != TLW_NO_VOXEL) {
                    const uint32_t slot = order->slot_of_voxel[voxels.at[i]];
                    order->windows[slot / TLW_BLOB_LANES].flags |= TLW_WINDOW_IS_TOLD_APART;
                }
            }
        }
    }
}

// Whole rows.
static void choose_blocks(tlw_cook_order* order) {
    uint32_t first = 0;
    order->blocks[order->block_count++] = (tlw_blob_block){0, 0};
    for (uint32_t w = 1; w < order->window_count; ++w) {
        const tlw_int3 a = order->windows[w - 1].cell, b = order->windows[w].cell;
        if (w - first >= BLOCK_WINDOWS && (a.y != b.y || a.z != b.z)) {
            first = w;
            order->blocks[order->block_count++] = (tlw_blob_block){w, 0};
        }
    }
    order->blocks[order->block_count] = (tlw_blob_block){order->window_count, 0};
}

static void place_blocks(tlw_cook_order* order) {
    for (uint32_t b = 0; b < order->block_count; ++b) {
        order->blocks[b].first_site = order->windows[order->blocks[b].first_window].rows[4];
    }
    order->blocks[order->block_count].first_site = order->site_count - TLW_BLOB_PADDING;
}

tlw_result tlw_cook_make_order(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_order* order = &cook->order;
    turned_voxel* list = tlw_cook_allocate(cook, count, sizeof *list);
    if (list == NULL) {
        return cook->error.result;
    }
    uint32_t fewest = UINT32_MAX, fewest_runs = UINT32_MAX, runs;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        sort_turned(cook, axis, list);
        const uint32_t windows = lay_out(list, count, NULL, &runs);
        if (windows < fewest || (windows == fewest && runs < fewest_runs)) {
            fewest = windows;
            fewest_runs = runs;
            order->lane_axis = axis;
        }
    }
    if (fewest > WINDOWS_MAX) {
        tlw_cook_free(cook, list, count, sizeof *list);
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%u windows of voxels; at most %u", fewest,
                             WINDOWS_MAX);
    }
    sort_turned(cook, order->lane_axis, list);
    const uint32_t blocks = fewest / BLOCK_WINDOWS + 2;
    order->windows = tlw_cook_allocate(cook, fewest, sizeof *order->windows);
    order->runs = tlw_cook_allocate(cook, fewest, sizeof *order->runs);
    order->blocks = tlw_cook_allocate(cook, blocks, sizeof *order->blocks);
    order->slot_of_voxel = tlw_cook_allocate(cook, count, sizeof *order->slot_of_voxel);
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        lay_out(list, count, order, &runs);
        order->voxel_of_slot =
            tlw_cook_allocate(cook, order->slot_count, sizeof *order->voxel_of_slot);
        result = cook->error.result;
    }
    if (result == TLW_OK) {
        memset(order->voxel_of_slot, 0xFF, order->slot_count * sizeof *order->voxel_of_slot);
        for (uint32_t v = 0; v < count; ++v) {
            order->voxel_of_slot[order->slot_of_voxel[v]] = v;
        }
        turn_links(cook, order);
        describe_windows(cook, order);
        choose_blocks(order);
        measure_reach(order);
        place_runs(order);
        find_rows(order);
        mark_told_apart(cook, order);
        place_blocks(order);
    }
    tlw_cook_free(cook, list, count, sizeof *list);
    return result;
}
