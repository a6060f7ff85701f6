// SPDX-License-Identifier: MIT
// Stage order (RULES 11): where each voxel lies in memory. Rows along the lane axis are cut into
// windows of 8 lanes, and rows are laid out in sites so that the neighbours of 8 voxels are plain
// loads at nine offsets. Reads cook->voxels and cook->links; writes cook->order.
#include "tools/cook/stages.h"

#include <stdlib.h>
#include <string.h>

#define LANES ((int32_t)TLW_BLOB_LANES)
// Longest gap between voxels of one run. A window loads 10 cells of a neighbouring row at one
// offset, so two runs must not both have cells among those 10: gaps of up to 8 cells are stored as
// empty sites, and only longer gaps end a run.
#define GAP_MAX 8
// A block ends with the first row that brings it to this many windows. Blocks are what workers
// share a large character by.
#define BLOCK_WINDOWS 16
// A window takes up to 24 sites, its gap included, and the number of every site must fit 32 bits.
#define WINDOWS_MAX (UINT32_MAX / 128)

tlw_int3 tlw_cook_permute(tlw_int3 cell, uint32_t lane_axis) {
    const int32_t xyz[3] = {cell.x, cell.y, cell.z};
    return (tlw_int3){xyz[lane_axis], xyz[(lane_axis + 1) % 3], xyz[(lane_axis + 2) % 3]};
}

typedef struct lattice_voxel {
    tlw_int3 cell; // along the lattice axes: lane, row, plane
    uint32_t voxel;
} lattice_voxel;

// By plane, then row, then lane.
static int compare_voxels(const void* a, const void* b) {
    const tlw_int3 left = ((const lattice_voxel*)a)->cell, right = ((const lattice_voxel*)b)->cell;
    if (left.z != right.z) {
        return left.z < right.z ? -1 : 1;
    }
    if (left.y != right.y) {
        return left.y < right.y ? -1 : 1;
    }
    return left.x < right.x ? -1 : left.x > right.x;
}

static void sort_voxels(const tlw_cook* cook, uint32_t lane_axis, lattice_voxel* list) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        list[v] = (lattice_voxel){tlw_cook_permute(cook->voxels.coordinates[v], lane_axis), v};
    }
    qsort(list, cook->voxels.count, sizeof *list, compare_voxels);
}

static bool starts_run(const lattice_voxel* list, uint32_t i) {
    return i == 0 || list[i].cell.z != list[i - 1].cell.z || list[i].cell.y != list[i - 1].cell.y ||
           list[i].cell.x - list[i - 1].cell.x - 1 > GAP_MAX;
}

// Cuts the sorted voxels into runs and windows. With `order` null it only counts them.
static uint32_t lay_out(const lattice_voxel* list, uint32_t count, tlw_cook_order* order,
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

// The run in the cell's row that has cells within [lane - 1, lane + 8], or null.
static tlw_cook_run* find_run(const tlw_cook_order* order, tlw_int3 cell) {
    uint32_t low = 0, high = order->run_count;
    while (low < high) { // the first run that does not end before lane - 1, in the order of rows
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

// How far beyond a run's ends its neighbours are loaded: from one cell before the first voxel of
// each window that loads from it to one cell after the last.
static void measure_reach(tlw_cook_order* order) {
    for (uint32_t w = 0; w < order->window_count; ++w) {
        const tlw_cook_window* window = &order->windows[w];
        const int32_t first = window->cell.x + __builtin_ctz(window->occupied) - 1;
        const int32_t last = window->cell.x + 32 - __builtin_clz(window->occupied);
        for (int r = 0; r < 9; ++r) {
            tlw_cook_run* run = find_run(order, cell_of_row(window, r));
            if (run) {
                run->reach_before = larger(run->reach_before, run->start.x - first);
                run->reach_after =
                    larger(run->reach_after, last - (run->start.x + run->length - 1));
            }
        }
    }
}

// Places runs in order, each on a multiple of 8 sites. Between two runs lie as many empty sites as
// windows load beyond the end of the one or the start of the other, and between two blocks at least
// TLW_BLOB_GAP.
static void place_runs(tlw_cook_order* order) {
    uint32_t block = 0, last = TLW_BLOB_PADDING - 1;
    for (uint32_t w = 0; w < order->window_count; ++w) {
        const uint32_t run = order->windows[w].run;
        if (w > 0 && run == order->windows[w - 1].run) {
            continue;
        }
        tlw_cook_run* here = &order->runs[run];
        int32_t apart = run > 0 ? larger(here[-1].reach_after, here->reach_before) : 0;
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

// Link masks of windows: steps become steps along the lattice axes, and the bits of a voxel become
// the bits of its lane.
static void permute_links(const tlw_cook* cook, tlw_cook_order* order) {
    int lattice_step[TLW_STEPS];
    for (int k = 0; k < TLW_STEPS; ++k) {
        const tlw_int3 by = tlw_cook_permute(tlw_link_steps[k], order->lane_axis);
        lattice_step[k] = tlw_step_of_cell((by.x + 1) + (by.y + 1) * 3 + (by.z + 1) * 9);
    }
    for (uint32_t s = 0; s < order->slot_count; ++s) {
        tlw_cook_window* window = &order->windows[s / TLW_BLOB_LANES];
        const uint32_t voxel = order->voxel_of_slot[s], lane = s % TLW_BLOB_LANES;
        if (voxel == TLW_NO_VOXEL) {
            continue;
        }
        window->occupied = (uint8_t)(window->occupied | 1u << lane);
        for (uint32_t left = cook->links.masks[voxel]; left != 0; left &= left - 1) {
            uint8_t* lanes = &window->links[lattice_step[__builtin_ctz(left)]];
            *lanes = (uint8_t)(*lanes | 1u << lane);
        }
    }
}

static bool has_cuts(const tlw_cook* cook, uint32_t voxel) {
    return tlw_cook_all_links(cook, voxel) != cook->links.masks[voxel];
}

// Whether the voxel has no linked neighbour on either side along some axis.
static bool is_thin(uint32_t mask) {
    return !(mask & (1u << TLW_STEP_PLANE_MINUS | 1u << TLW_STEP_PLANE_PLUS)) ||
           !(mask & (1u << TLW_STEP_ROW_MINUS | 1u << TLW_STEP_ROW_PLUS)) ||
           !(mask & (1u << TLW_STEP_LANE_MINUS | 1u << TLW_STEP_LANE_PLUS));
}

static void describe_windows(const tlw_cook* cook, tlw_cook_order* order) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        tlw_cook_window* window = &order->windows[order->slot_of_voxel[v] / TLW_BLOB_LANES];
        window->flags |= (uint8_t)((has_cuts(cook, v) ? TLW_WINDOW_HAS_CUTS : 0) |
                                   (is_thin(cook->links.masks[v]) ? TLW_WINDOW_IS_THIN : 0));
    }
}

// The voxels of one of the nine rows around a window, from one cell before its lanes to one after.
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
        voxels.at[i] = tlw_cook_voxel_at(cook, (tlw_int3){xyz[0], xyz[1], xyz[2]});
    }
    return voxels;
}

// Whether a voxel of the window is not linked to a neighbour in that row.
static bool has_cuts_along(const tlw_cook_window* window, int row, const row_voxels* voxels) {
    for (int cell = 3 * row; cell < 3 * row + 3; ++cell) {
        for (int lane = 0; lane < LANES && cell != TLW_CELL_SELF; ++lane) {
            if ((window->occupied & ~window->links[tlw_step_of_cell(cell)]) >> lane & 1 &&
                voxels->at[lane + cell % 3] != TLW_NO_VOXEL) {
                return true;
            }
        }
    }
    return false;
}

// Sets TLW_WINDOW_IS_TOLD_APART (runtime/blob.h) on every window with a voxel in a row that another
// window has cuts along.
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

// Blocks are whole rows.
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
    lattice_voxel* list = tlw_cook_allocate(cook, count, sizeof *list);
    if (list == NULL) {
        return cook->error.result;
    }
    // The lane axis is the one with the fewest windows, then the fewest runs, then the first.
    uint32_t fewest = UINT32_MAX, fewest_runs = UINT32_MAX, runs;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        sort_voxels(cook, axis, list);
        const uint32_t windows = lay_out(list, count, NULL, &runs);
        if (windows < fewest || (windows == fewest && runs < fewest_runs)) {
            fewest = windows;
            fewest_runs = runs;
            order->lane_axis = axis;
        }
    }
    if (fewest > WINDOWS_MAX) {
        tlw_cook_free(cook, list);
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%u windows of voxels; at most %u", fewest,
                             WINDOWS_MAX);
    }
    sort_voxels(cook, order->lane_axis, list);
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
        permute_links(cook, order);
        describe_windows(cook, order);
        choose_blocks(order);
        measure_reach(order);
        place_runs(order);
        find_rows(order);
        mark_told_apart(cook, order);
        place_blocks(order);
    }
    tlw_cook_free(cook, list);
    return result;
}
