// SPDX-License-Identifier: MIT
// The blob's validator: what a window reads from the windows around it. Rows, links and everything
// that is summed over links is computed again and compared, so that the passes can trust it (MODEL
// 9.2, 9.3). Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

void tlw_blob_look_around(const blob_view* view, uint32_t w, surroundings* around) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint32_t count = view->lattice->window_count;
    for (int r = 0; r < TLW_ROWS_AROUND; ++r) {
        uint32_t* slots = around->slots[r];
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            slots[i] = TLW_BLOB_NO_INDEX;
        }
        const int32_t first = windows[w].cell[0] - 1, row = windows[w].cell[1] + r % 3 - 1,
                      plane = windows[w].cell[2] + r / 3 - 1;
        uint32_t n = around->cursors[r];
        while (n < count &&
               (windows[n].cell[2] != plane ? windows[n].cell[2] < plane
                : windows[n].cell[1] != row ? windows[n].cell[1] < row
                                            : windows[n].cell[0] + (int32_t)LANES <= first)) {
            n += 1;
        }
        around->cursors[r] = n;
        for (; n < count && windows[n].cell[2] == plane && windows[n].cell[1] == row; ++n) {
            const int32_t by = windows[n].cell[0] - first;
            if (by >= (int32_t)LANES + 2) {
                break;
            }
            for (int32_t lane = 0; lane < (int32_t)LANES; ++lane) {
                if (is_occupied(&windows[n], (uint32_t)lane) && by + lane >= 0 &&
                    by + lane < (int32_t)LANES + 2) {
                    slots[by + lane] = n * LANES + (uint32_t)lane;
                }
            }
        }
    }
}

// The window's loads find these voxels, each in its place, and the loads of a voxel find no others.
static tlw_result check_rows(const blob_view* view, uint32_t w, const surroundings* around) {
    const tlw_blob_section_kind kind = TLW_SECTION_WINDOWS;
    const tlw_blob_window* windows = first_of(view, kind);
    const float* site_kinds = first_of(view, TLW_SECTION_SITE_KIND);
    const uint32_t occupied = windows[w].occupied,
                   looked_at = occupied | occupied << 1 | occupied << 2;
    for (uint32_t r = 0; r < TLW_ROWS_AROUND; ++r) {
        uint32_t expected = TLW_BLOB_EMPTY_ROW;
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            const uint32_t slot = around->slots[r][i];
            if (slot == TLW_BLOB_NO_INDEX) {
                continue;
            }
            // A voxel's site lies after the padding, so it is larger than i.
            const uint32_t row = windows[slot / LANES].rows[TLW_ROW_SELF] + slot % LANES + 1 - i;
            if (expected != TLW_BLOB_EMPTY_ROW && row != expected) { // voxels not side by side
                return fail_component(view, kind, w, r, "row", expected, row);
            }
            expected = row;
        }
        if (windows[w].rows[r] != expected) {
            return fail_component(view, kind, w, r, "row", expected, windows[w].rows[r]);
        }
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            const float found = site_kinds[expected - 1 + i];
            if ((looked_at >> i & 1) && around->slots[r][i] == TLW_BLOB_NO_INDEX &&
                found > TLW_SITE_EMPTY) {
                return fail_component(view, kind, w, r, "no voxel of another row",
                                      bits_of(TLW_SITE_EMPTY), bits_of(found));
            }
        }
    }
    return TLW_OK;
}

// Every link leads to a voxel, and that voxel links back.
static tlw_result check_links(const blob_view* view, uint32_t w, const surroundings* around) {
    const tlw_blob_section_kind kind = TLW_SECTION_WINDOWS;
    const tlw_blob_window* windows = first_of(view, kind);
    for (int step = 0; step < TLW_STEPS; ++step) {
        const uint32_t links = windows[w].links[step];
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            if (!(links >> lane & 1)) {
                continue;
            }
            const uint32_t slot = slot_at(around, lane, tlw_cell_of_step(step));
            if (!is_occupied(&windows[w], lane)) {
                return fail_component(view, kind, w, (uint32_t)step, "links of voxels only",
                                      links & windows[w].occupied, links);
            }
            if (slot == TLW_BLOB_NO_INDEX) {
                return fail_component(view, kind, w, (uint32_t)step,
                                      "a linked neighbour in its place", links & ~(1u << lane),
                                      links);
            }
            const uint32_t back = windows[slot / LANES].links[tlw_opposite_step(step)];
            if (!(back >> slot % LANES & 1)) {
                return fail_component(view, kind, w, (uint32_t)step, "a neighbour that links back",
                                      back | 1u << slot % LANES, back);
            }
        }
    }
    return TLW_OK;
}

// What each of the 27 cells adds to a voxel's sums; the same for all voxels.
typedef struct cell_table {
    int16_t moments[TLW_CELLS_AROUND][16]; // of mass 1; TLW_MOMENT_COUNT are used, the rest lets
                                           // the compiler add whole vectors
    uint8_t is_in_set[TLW_CELLS_AROUND];   // the lattice's neighbour set
    uint8_t face_axis[TLW_CELLS_AROUND];   // 3: not a face
    int8_t face_end[TLW_CELLS_AROUND]; // SLOT_VOLUME_END of a voxel that has only this face on the
                                       // axis; 0 where there is no face
} cell_table;

static void fill_cells(const blob_view* view, cell_table* table) {
    memset(table, 0, sizeof *table);
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        const int o[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
        const int distance = tlw_cell_distance(cell);
        const int moments[TLW_MOMENT_COUNT] = {o[0],        o[1],        o[2],        1,
                                               o[0] * o[0], o[1] * o[1], o[2] * o[2], o[0] * o[1],
                                               o[0] * o[2], o[1] * o[2]};
        for (int e = 0; e < TLW_MOMENT_COUNT; ++e) {
            table->moments[cell][e] = (int16_t)moments[e];
        }
        const bool is_face = distance == 1;
        table->is_in_set[cell] = tlw_neighbour_set_has(view->lattice->neighbours, distance);
        table->face_axis[cell] = (uint8_t)(!is_face ? 3 : o[0] != 0 ? 0 : o[1] != 0 ? 1 : 2);
        table->face_end[cell] = (int8_t)(!is_face ? 0 : cell < TLW_CELL_SELF ? 1 : -1);
    }
}

// SLOT_REST has what follows from the moments, with the same bits.
static tlw_result check_rest(const blob_view* view, uint32_t slot, const int16_t* moments) {
    const float* stored = first_of(view, TLW_SECTION_SLOT_REST);
    float expected[TLW_REST_COUNT];
    tlw_blob_rest_of(moments, expected);
    for (uint64_t e = 0; e < TLW_REST_COUNT; ++e) {
        const uint64_t at = e * view->lattice->slot_count + slot;
        if (bits_of(stored[at]) != bits_of(expected[e])) {
            return fail_at(view, TLW_SECTION_SLOT_REST, at, "rest shape of its moments",
                           bits_of(expected[e]), bits_of(stored[at]));
        }
    }
    return TLW_OK;
}

// What follows from the links of a lane.
typedef struct lane_sums {
    int16_t moments[16];
    float volume_pairs[4]; // by face_axis: the last takes what is not a face
    int8_t volume_ends[4];
    uint8_t neighbours, regions;
    uint8_t flags;
} lane_sums;

static lane_sums sum_lane(const blob_view* view, uint32_t w, uint32_t lane,
                          const surroundings* around, const cell_table* table) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint8_t* layers = first_of(view, TLW_SECTION_SLOT_LAYER);
    const float* volume = first_of(view, TLW_SECTION_SLOT_VOLUME_WEIGHT);
    lane_sums sums = {{0}, {0}, {0}, 0, 0, 0};
    uint32_t held = 0; // axes with a linked face
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        const uint32_t slot = slot_at(around, lane, cell);
        if (cell != TLW_CELL_SELF && !(windows[w].links[tlw_step_of_cell(cell)] >> lane & 1)) {
            sums.flags |= slot != TLW_BLOB_NO_INDEX ? TLW_WINDOW_HAS_CUTS : 0;
            continue;
        }
        const int mass = layers[slot] == 0 ? TLW_BONE_MASS : 1;
        for (int e = 0; e < 16; ++e) {
            sums.moments[e] = (int16_t)(sums.moments[e] + mass * table->moments[cell][e]);
        }
        held |= 1u << table->face_axis[cell];
        int8_t* end = &sums.volume_ends[table->face_axis[cell]];
        *end = (int8_t)(*end + table->face_end[cell]);
        sums.volume_pairs[table->face_axis[cell]] += volume[slot];
        sums.neighbours = (uint8_t)(sums.neighbours + table->is_in_set[cell]);
        sums.regions = (uint8_t)(sums.regions + 1);
    }
    if (view->lattice->region_width == 2) {
        sums.regions = TLW_BLOB_REGION_MEMBERS;
    }
    if ((held & 7) != 7) {
        sums.flags |= TLW_WINDOW_IS_THIN;
    }
    return sums;
}

static tlw_result check_sums(const blob_view* view, uint32_t w, const surroundings* around,
                             const cell_table* table) {
    const uint32_t slots = view->lattice->slot_count;
    const tlw_blob_window* window = (const tlw_blob_window*)first_of(view, TLW_SECTION_WINDOWS) + w;
    const uint8_t* neighbours = first_of(view, TLW_SECTION_SLOT_NEIGHBOURS);
    const uint8_t* regions = first_of(view, TLW_SECTION_SLOT_REGIONS);
    const float* pairs = first_of(view, TLW_SECTION_SLOT_VOLUME_PAIR);
    const int8_t* ends = first_of(view, TLW_SECTION_SLOT_VOLUME_END);
    const int16_t* moments = first_of(view, TLW_SECTION_SLOT_MOMENT);
    uint32_t flags = 0;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const uint32_t s = w * LANES + lane;
        lane_sums sums = {{0}, {0}, {0}, 0, 0, 0};
        if (is_occupied(window, lane)) {
            sums = sum_lane(view, w, lane, around, table);
            flags |= sums.flags;
        }
        if (neighbours[s] != sums.neighbours) {
            return fail_at(view, TLW_SECTION_SLOT_NEIGHBOURS, s, "linked neighbours",
                           sums.neighbours, neighbours[s]);
        }
        if (regions[s] != sums.regions) {
            return fail_at(view, TLW_SECTION_SLOT_REGIONS, s, "regions that hold it", sums.regions,
                           regions[s]);
        }
        for (uint64_t axis = 0; axis < 3; ++axis) {
            const float pair = pairs[axis * slots + s];
            if (bits_of(pair) != bits_of(sums.volume_pairs[axis])) {
                return fail_at(view, TLW_SECTION_SLOT_VOLUME_PAIR, axis * slots + s,
                               "weights of both sides", bits_of(sums.volume_pairs[axis]),
                               bits_of(pair));
            }
            if (ends[axis * slots + s] != sums.volume_ends[axis]) {
                return fail_at(view, TLW_SECTION_SLOT_VOLUME_END, axis * slots + s,
                               "the end that it stands for", (uint8_t)sums.volume_ends[axis],
                               (uint8_t)ends[axis * slots + s]);
            }
        }
        for (uint64_t e = 0; e < TLW_MOMENT_COUNT; ++e) {
            const int16_t moment = moments[e * slots + s];
            if (moment != sums.moments[e]) {
                return fail_at(view, TLW_SECTION_SLOT_MOMENT, e * slots + s, "moment of its links",
                               (uint16_t)sums.moments[e], (uint16_t)moment);
            }
        }
        const tlw_result result = check_rest(view, s, sums.moments);
        if (result != TLW_OK) {
            return result;
        }
    }
    // Those are checked by check_told_apart and tlw_blob_check_groups.
    const uint32_t others = window->flags & (TLW_WINDOW_IS_TOLD_APART | TLW_WINDOW_IS_BOUND);
    if (window->flags != (flags | others)) {
        return fail_at(view, TLW_SECTION_WINDOWS, w, "flags", flags | others, window->flags);
    }
    return TLW_OK;
}

// Whether a voxel of the window is not linked to a voxel along a step into the row.
static bool has_cuts_along(const tlw_blob_window* window, int row, const surroundings* around) {
    for (int cell = 3 * row; cell < 3 * row + 3; ++cell) {
        for (uint32_t lane = 0; lane < LANES && cell != TLW_CELL_SELF; ++lane) {
            const uint32_t cut =
                window->occupied & ~(uint32_t)window->links[tlw_step_of_cell(cell)];
            if ((cut >> lane & 1) && slot_at(around, lane, cell) != TLW_BLOB_NO_INDEX) {
                return true;
            }
        }
    }
    return false;
}

static tlw_result check_told_apart(const blob_view* view, uint32_t w, const surroundings* around) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    for (int row = 0; row < TLW_ROWS_AROUND && (windows[w].flags & TLW_WINDOW_HAS_CUTS); ++row) {
        if (!has_cuts_along(&windows[w], row, around)) {
            continue;
        }
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            const uint32_t slot = around->slots[row][i];
            if (slot != TLW_BLOB_NO_INDEX &&
                !(windows[slot / LANES].flags & TLW_WINDOW_IS_TOLD_APART)) {
                return fail_at(view, TLW_SECTION_WINDOWS, slot / LANES, "flags",
                               windows[slot / LANES].flags | (uint64_t)TLW_WINDOW_IS_TOLD_APART,
                               windows[slot / LANES].flags);
            }
        }
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_neighbours(const blob_view* view) {
    surroundings around = {{0}, {{0}}};
    cell_table table;
    fill_cells(view, &table);
    for (uint32_t w = 0; w < view->lattice->window_count; ++w) {
        tlw_blob_look_around(view, w, &around);
        tlw_result result = check_rows(view, w, &around);
        if (result == TLW_OK) {
            result = check_links(view, w, &around);
        }
        if (result == TLW_OK) {
            result = check_sums(view, w, &around, &table);
        }
        if (result == TLW_OK) {
            result = check_told_apart(view, w, &around);
        }
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}
