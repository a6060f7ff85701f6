// SPDX-License-Identifier: MIT
// The blob's validator: what voxels have. Everything that follows from something else is computed
// again and compared, so that the passes need not look twice: what a window loads, links and their
// sums, blocks, boxes, regions. Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#define LANES TLW_BLOB_LANES

// Slots and voxels name each other, and cells are inside the grid.
static tlw_result check_places(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const uint32_t* slot_of = first_of(view, TLW_SECTION_VOXEL_SLOT);
    const tlw_blob_cell* cells = first_of(view, TLW_SECTION_VOXEL_CELL);
    for (uint32_t v = 0; v < l->voxel_count; ++v) {
        if (slot_of[v] >= l->slot_count || voxel_of[slot_of[v]] != v) {
            return fail_at(view, TLW_SECTION_VOXEL_SLOT, v, "a slot that names it", v, slot_of[v]);
        }
        const int16_t cell[3] = {cells[v].x, cells[v].y, cells[v].z};
        for (int axis = 0; axis < 3; ++axis) {
            if (cell[axis] < 0 || (uint32_t)cell[axis] >= l->size[axis]) {
                return fail_at(view, TLW_SECTION_VOXEL_CELL, v, "a cell of the grid", l->size[axis],
                               (uint16_t)cell[axis]);
            }
        }
        if (cells[v].reserved != 0) {
            return fail_at(view, TLW_SECTION_VOXEL_CELL, v, "reserved field", 0, cells[v].reserved);
        }
    }
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        const uint32_t voxel = voxel_of[s];
        if (voxel != TLW_BLOB_NO_INDEX && (voxel >= l->voxel_count || slot_of[voxel] != s)) {
            return fail_at(view, TLW_SECTION_SLOT_VOXEL, s, "a voxel that names it", s, voxel);
        }
    }
    return TLW_OK;
}

static tlw_result check_slots(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const uint8_t* layers = first_of(view, TLW_SECTION_SLOT_LAYER);
    const uint16_t* materials = first_of(view, TLW_SECTION_SLOT_MATERIAL);
    const float* limits = first_of(view, TLW_SECTION_SLOT_LIMIT);
    const float* volume = first_of(view, TLW_SECTION_SLOT_VOLUME_WEIGHT);
    uint32_t layer_voxels[TLW_BLOB_LAYERS_MAX] = {0};
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        const bool is_empty = voxel_of[s] == TLW_BLOB_NO_INDEX;
        if (is_empty ? layers[s] != TLW_BLOB_EMPTY_LAYER : layers[s] >= l->layer_count) {
            return fail_at(view, TLW_SECTION_SLOT_LAYER, s, "layer", l->layer_count, layers[s]);
        }
        if (!is_empty) {
            layer_voxels[layers[s]] += 1;
        }
        if (materials[s] >= l->part_count * l->layer_count ||
            (is_empty ? materials[s] != 0 : materials[s] % l->layer_count != layers[s])) {
            return fail_at(view, TLW_SECTION_SLOT_MATERIAL, s, "material of its layer",
                           l->part_count * l->layer_count, materials[s]);
        }
        if (!is_finite(limits[s]) || limits[s] < 0.0f || (is_empty && limits[s] > 0.0f)) {
            return fail_at(view, TLW_SECTION_SLOT_LIMIT, s, "limit, 0 or more; 0 where empty", 0,
                           bits_of(limits[s]));
        }
        const float most = is_empty || layers[s] == 0 ? 0.0f : 1.0f;
        if (!(volume[s] >= 0.0f && volume[s] <= most)) {
            return fail_at(view, TLW_SECTION_SLOT_VOLUME_WEIGHT, s,
                           "weight, 0 to 1; 0 for bone and where empty", bits_of(most),
                           bits_of(volume[s]));
        }
    }
    const tlw_blob_layer* layer = first_of(view, TLW_SECTION_LAYERS);
    for (uint32_t i = 0; i < l->layer_count; ++i) {
        if (layer[i].voxel_count != layer_voxels[i]) {
            return fail_at(view, TLW_SECTION_LAYERS, i, "voxel count", layer_voxels[i],
                           layer[i].voxel_count);
        }
    }
    return TLW_OK;
}

// Rows by q, then p, then along the lane axis; windows of a row do not overlap.
static bool is_before(const tlw_blob_window* a, const tlw_blob_window* b) {
    if (a->cell[2] != b->cell[2]) {
        return a->cell[2] < b->cell[2];
    }
    return a->cell[1] != b->cell[1] ? a->cell[1] < b->cell[1]
                                    : a->cell[0] + (int32_t)LANES <= b->cell[0];
}

static tlw_result check_window(const blob_view* view, uint32_t w) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const tlw_blob_window* window = &windows[w];
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const tlw_blob_cell* cells = first_of(view, TLW_SECTION_VOXEL_CELL);
    const tlw_blob_section_kind kind = TLW_SECTION_WINDOWS;
    const uint32_t site = window->rows[4], end = l->site_count - TLW_BLOB_PADDING - LANES;
    if (site % LANES != 0 || site < TLW_BLOB_PADDING || site > end ||
        (w == 0 && site != TLW_BLOB_PADDING) || (w == l->window_count - 1 && site != end)) {
        return fail_at(view, kind, w, "site", w == 0 ? TLW_BLOB_PADDING : end, site);
    }
    for (size_t i = 0; i < sizeof window->reserved; ++i) {
        if (window->reserved[i] != 0) {
            return fail_at(view, kind, w, "reserved byte", 0, window->reserved[i]);
        }
    }
    if (window->occupied == 0) {
        return fail_at(view, kind, w, "a voxel or more", 1, 0);
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const uint32_t voxel = voxel_of[w * LANES + lane];
        if ((window->occupied >> lane & 1) != (voxel != TLW_BLOB_NO_INDEX)) {
            return fail_at(view, kind, w, "occupied lanes", voxel, window->occupied);
        }
        if (voxel == TLW_BLOB_NO_INDEX) {
            continue;
        }
        const int32_t xyz[3] = {cells[voxel].x, cells[voxel].y, cells[voxel].z};
        for (uint32_t i = 0; i < 3; ++i) {
            const int32_t at = xyz[(l->lane_axis + i) % 3] - (i == 0 ? (int32_t)lane : 0);
            if (window->cell[i] != at) {
                return fail_at(view, kind, w, "cell", (uint16_t)at, (uint16_t)window->cell[i]);
            }
        }
    }
    if (w > 0 && site <= windows[w - 1].rows[4]) {
        return fail_at(view, kind, w, "ascending sites", windows[w - 1].rows[4], site);
    }
    if (w > 0 && !is_before(&windows[w - 1], window)) {
        return fail_at(view, kind, w, "ascending cells", (uint16_t)windows[w - 1].cell[0],
                       (uint16_t)window->cell[0]);
    }
    return TLW_OK;
}

static tlw_result check_windows(const blob_view* view) {
    for (uint32_t w = 0; w < view->lattice->window_count; ++w) {
        const tlw_result result = check_window(view, w);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}

static uint32_t pair_key(uint32_t joint, uint32_t reference) {
    return reference << 16 | joint;
}

static tlw_result check_pairs(const blob_view* view) {
    const tlw_blob_joint_pair* pairs = first_of(view, TLW_SECTION_JOINT_PAIRS);
    const uint32_t joints = view->lattice->joint_count;
    uint32_t last = 0;
    for (uint32_t i = 0; i < view->lattice->pair_count; ++i) {
        if (pairs[i].joint >= joints) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "joint", joints, pairs[i].joint);
        }
        if (pairs[i].reference >= joints) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "reference", joints,
                           pairs[i].reference);
        }
        const uint32_t key = pair_key(pairs[i].joint, pairs[i].reference);
        if (i > 0 && key <= last) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "ascending references, then joints",
                           last, key);
        }
        last = key;
    }
    return TLW_OK;
}

// What a window's lanes have.
typedef struct lane_joints {
    uint32_t counts[LANES];
    float sums[LANES];
    float largest[LANES];
    uint32_t references[LANES];
} lane_joints;

static tlw_result add_influence(const blob_view* view, const tlw_blob_window* window, uint32_t i,
                                lane_joints* lanes) {
    const uint16_t* joints = first_of(view, TLW_SECTION_INFLUENCE_JOINT);
    const uint64_t at = (uint64_t)i * LANES;
    const float* weights = (const float*)first_of(view, TLW_SECTION_INFLUENCE_WEIGHT) + at;
    if (joints[i] >= view->lattice->joint_count) {
        return fail_at(view, TLW_SECTION_INFLUENCE_JOINT, i, "joint", view->lattice->joint_count,
                       joints[i]);
    }
    if (i > window->first_influence && joints[i] <= joints[i - 1]) {
        return fail_at(view, TLW_SECTION_INFLUENCE_JOINT, i, "ascending joints", joints[i - 1],
                       joints[i]);
    }
    bool has_any = false;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const float weight = weights[lane];
        const float most = window->occupied >> lane & 1 ? 1.0f : 0.0f;
        if (!(weight >= 0.0f && weight <= most)) {
            return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at + lane,
                           "weight, 0 to 1; 0 where empty", bits_of(most), bits_of(weight));
        }
        has_any = has_any || weight > 0.0f;
        lanes->counts[lane] += weight > 0.0f;
        lanes->sums[lane] += weight;
        if (weight > lanes->largest[lane]) {
            lanes->largest[lane] = weight;
            lanes->references[lane] = joints[i];
        }
    }
    if (!has_any) {
        return fail_at(view, TLW_SECTION_INFLUENCE_JOINT, i, "a joint that a voxel has", 1, 0);
    }
    return TLW_OK;
}

// The pair's place, or their number.
static uint32_t find_pair(const blob_view* view, uint32_t key) {
    const tlw_blob_joint_pair* pairs = first_of(view, TLW_SECTION_JOINT_PAIRS);
    const uint32_t count = view->lattice->pair_count;
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (pair_key(pairs[middle].joint, pairs[middle].reference) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && pair_key(pairs[low].joint, pairs[low].reference) == key ? low : count;
}

static tlw_result mark_pairs(const blob_view* view, const tlw_blob_window* window,
                             const lane_joints* lanes, uint8_t* is_used) {
    const uint16_t* joints = first_of(view, TLW_SECTION_INFLUENCE_JOINT);
    const float* weights = first_of(view, TLW_SECTION_INFLUENCE_WEIGHT);
    for (uint32_t k = 0; k < window->influences; ++k) {
        const uint32_t i = window->first_influence + k;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const uint64_t at = (uint64_t)i * LANES + lane;
            if (!(weights[at] > 0.0f)) {
                continue;
            }
            const uint32_t key = pair_key(joints[i], lanes->references[lane]);
            const uint32_t pair = find_pair(view, key);
            if (pair == view->lattice->pair_count) {
                return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at, "a pair that is listed",
                               view->lattice->pair_count, key);
            }
            is_used[pair / 8] = (uint8_t)(is_used[pair / 8] | 1u << pair % 8);
        }
    }
    return TLW_OK;
}

static tlw_result check_list(const blob_view* view, uint32_t w, uint8_t* is_used) {
    const tlw_blob_window* window = (const tlw_blob_window*)first_of(view, TLW_SECTION_WINDOWS) + w;
    lane_joints lanes = {{0}, {0}, {0}, {0}};
    for (uint32_t k = 0; k < window->influences; ++k) {
        const tlw_result result = add_influence(view, window, window->first_influence + k, &lanes);
        if (result != TLW_OK) {
            return result;
        }
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const uint64_t at = (uint64_t)window->first_influence * LANES + lane;
        if (lanes.counts[lane] > TLW_BLOB_JOINTS_A_VOXEL) {
            return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at, "joints of a voxel, 1 to 4",
                           TLW_BLOB_JOINTS_A_VOXEL, lanes.counts[lane]);
        }
        if ((window->occupied >> lane & 1) &&
            !(lanes.sums[lane] > 0.99999f && lanes.sums[lane] < 1.00001f)) {
            return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at, "weights that sum to 1",
                           bits_of(1.0f), bits_of(lanes.sums[lane]));
        }
    }
    return mark_pairs(view, window, &lanes, is_used);
}

// Lists lie one behind the other; the pairs that their voxels have are those that are listed.
static tlw_result check_influences(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    uint8_t is_used[UINT16_MAX / 8 + 1];
    memset(is_used, 0, sizeof is_used);
    uint32_t next = 0;
    for (uint32_t w = 0; w < l->window_count; ++w) {
        const uint32_t count = windows[w].influences;
        if (windows[w].first_influence != next) {
            return fail_at(view, TLW_SECTION_WINDOWS, w, "first influence", next,
                           windows[w].first_influence);
        }
        if (count == 0 || count > TLW_BLOB_JOINTS_A_WINDOW || count > l->influence_count - next) {
            return fail_at(view, TLW_SECTION_WINDOWS, w, "influences, 1 to 32",
                           l->influence_count - next, count);
        }
        const tlw_result result = check_list(view, w, is_used);
        if (result != TLW_OK) {
            return result;
        }
        next += count;
    }
    if (next != l->influence_count) {
        return fail_at(view, TLW_SECTION_LATTICE, 0, "influences of all windows", next,
                       l->influence_count);
    }
    for (uint32_t i = 0; i < l->pair_count; ++i) {
        if (!(is_used[i / 8] >> i % 8 & 1)) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "a pair that a voxel has", 1, 0);
        }
    }
    return TLW_OK;
}

static uint32_t last_site(const tlw_blob_window* window) {
    uint32_t lane = LANES - 1;
    while (!(window->occupied >> lane & 1)) {
        lane -= 1;
    }
    return window->rows[4] + lane;
}

// From the first window to the last, whole rows, with the gap between two blocks.
static tlw_result check_blocks(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_BLOCKS;
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const tlw_blob_block* blocks = first_of(view, kind);
    const uint64_t count = count_of(view, kind);
    if (count < 2) {
        return fail_at(view, kind, 0, "two blocks or more", 2, count);
    }
    for (uint64_t b = 0; b < count; ++b) {
        const uint32_t first = blocks[b].first_window;
        if (b == 0 ? first != 0 : first <= blocks[b - 1].first_window) {
            return fail_at(view, kind, b, "ascending windows from 0",
                           b > 0 ? blocks[b - 1].first_window : 0, first);
        }
        if (b == count - 1 ? first != l->window_count : first >= l->window_count) {
            return fail_at(view, kind, b, "up to the last window", l->window_count, first);
        }
        if (b > 0 && b < count - 1 && windows[first].cell[1] == windows[first - 1].cell[1] &&
            windows[first].cell[2] == windows[first - 1].cell[2]) {
            return fail_at(view, kind, b, "whole rows", first, first);
        }
        const uint32_t site =
            b == count - 1 ? l->site_count - TLW_BLOB_PADDING : windows[first].rows[4];
        if (blocks[b].first_site != site) {
            return fail_at(view, kind, b, "site of its first window", site, blocks[b].first_site);
        }
        if (b > 0 && b < count - 1 && site - last_site(&windows[first - 1]) <= TLW_BLOB_GAP) {
            return fail_at(view, kind, b, "a gap before it",
                           last_site(&windows[first - 1]) + 1 + TLW_BLOB_GAP, site);
        }
    }
    return TLW_OK;
}

// What a window's nine loads find: slots of the voxels in its rows, from one cell before it to one
// behind, TLW_BLOB_NO_INDEX where there is none. Windows are gone through in order, so the first
// one that a row reaches only ever moves on.
typedef struct surroundings {
    uint32_t cursors[9];
    uint32_t slots[9][LANES + 2];
} surroundings;

static void look_around(const blob_view* view, uint32_t w, surroundings* around) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint32_t count = view->lattice->window_count;
    for (int r = 0; r < 9; ++r) {
        uint32_t* slots = around->slots[r];
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            slots[i] = TLW_BLOB_NO_INDEX;
        }
        const int32_t first = windows[w].cell[0] - 1, p = windows[w].cell[1] + r % 3 - 1,
                      q = windows[w].cell[2] + r / 3 - 1;
        uint32_t n = around->cursors[r];
        while (n < count &&
               (windows[n].cell[2] != q   ? windows[n].cell[2] < q
                : windows[n].cell[1] != p ? windows[n].cell[1] < p
                                          : windows[n].cell[0] + (int32_t)LANES <= first)) {
            n += 1;
        }
        around->cursors[r] = n;
        for (; n < count && windows[n].cell[2] == q && windows[n].cell[1] == p; ++n) {
            const int32_t by = windows[n].cell[0] - first;
            if (by >= (int32_t)LANES + 2) {
                break;
            }
            for (int32_t lane = 0; lane < (int32_t)LANES; ++lane) {
                if ((windows[n].occupied >> lane & 1) && by + lane >= 0 &&
                    by + lane < (int32_t)LANES + 2) {
                    slots[by + lane] = n * LANES + (uint32_t)lane;
                }
            }
        }
    }
}

// Loads find these voxels, each in its place, and a voxel's own loads nothing else.
static tlw_result check_rows(const blob_view* view, uint32_t w, const surroundings* around) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const float* blob = first_of(view, TLW_SECTION_SITE_KIND);
    const uint32_t occupied = windows[w].occupied,
                   looked_at = occupied | occupied << 1 | occupied << 2;
    for (int r = 0; r < 9; ++r) {
        uint32_t expected = TLW_BLOB_EMPTY_ROW;
        bool is_right = true;
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            const uint32_t slot = around->slots[r][i];
            if (slot != TLW_BLOB_NO_INDEX) {
                // Of sites that lie behind the padding: more than i.
                const uint32_t row = windows[slot / LANES].rows[4] + slot % LANES + 1 - i;
                is_right = is_right && (expected == TLW_BLOB_EMPTY_ROW || expected == row);
                expected = row;
            }
        }
        if (windows[w].rows[r] != expected || !is_right) {
            return fail_at(view, TLW_SECTION_WINDOWS, w, "row", expected, windows[w].rows[r]);
        }
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            const uint32_t site = expected - 1 + i;
            if ((looked_at >> i & 1) && around->slots[r][i] == TLW_BLOB_NO_INDEX &&
                blob[site] > TLW_SITE_EMPTY) {
                return fail_at(view, TLW_SECTION_WINDOWS, w, "no voxel of another row", (uint32_t)r,
                               site);
            }
        }
    }
    return TLW_OK;
}

static bool is_in_set(uint32_t neighbours, int axes) {
    switch (neighbours) {
    case 6:
        return axes == 1;
    case 14:
        return axes != 2;
    case 18:
        return axes != 3;
    case 20:
        return axes != 1;
    default:
        return true;
    }
}

// What each of the 27 steps adds to a voxel's sums, the same for all of them.
typedef struct step_table {
    int16_t moments[27][16]; // of mass 1; TLW_MOMENT_COUNT are used: wide additions
    uint8_t is_in_set[27];
    uint8_t face_axis[27]; // 3: no face
    int8_t face_end[27];   // what a neighbour there leaves the voxel to be, if it is the only one
} step_table;

static void fill_steps(const blob_view* view, step_table* table) {
    memset(table, 0, sizeof *table);
    for (int step = 0; step < 27; ++step) {
        const int o[3] = {step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        const int axes = (o[0] != 0) + (o[1] != 0) + (o[2] != 0);
        const int parts[TLW_MOMENT_COUNT] = {o[0],        o[1],        o[2],        1,
                                             o[0] * o[0], o[1] * o[1], o[2] * o[2], o[0] * o[1],
                                             o[0] * o[2], o[1] * o[2]};
        for (int e = 0; e < TLW_MOMENT_COUNT; ++e) {
            table->moments[step][e] = (int16_t)parts[e];
        }
        table->is_in_set[step] = axes > 0 && is_in_set(view->lattice->neighbours, axes);
        table->face_axis[step] = (uint8_t)(axes != 1 ? 3 : o[0] != 0 ? 0 : o[1] != 0 ? 1 : 2);
        table->face_end[step] = (int8_t)(axes != 1 ? 0 : step < 13 ? 1 : -1);
    }
}

// What follows from the links of a lane.
typedef struct lane_sums {
    int16_t moments[16];
    float volume_pairs[4]; // the last is none
    int8_t volume_ends[4];
    uint8_t neighbours, regions;
    uint8_t flags;
} lane_sums;

static lane_sums sum_lane(const blob_view* view, uint32_t w, uint32_t lane,
                          const surroundings* around, const step_table* table) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint8_t* layers = first_of(view, TLW_SECTION_SLOT_LAYER);
    const float* volume = first_of(view, TLW_SECTION_SLOT_VOLUME_WEIGHT);
    lane_sums sums = {{0}, {0}, {0}, 0, 0, 0};
    uint32_t held = 0;
    for (uint32_t step = 0; step < 27; ++step) {
        const uint32_t slot = around->slots[step / 3][lane + step % 3];
        if (step != 13 && !(windows[w].links[step < 13 ? step : step - 1] >> lane & 1)) {
            sums.flags |= slot != TLW_BLOB_NO_INDEX ? TLW_WINDOW_HAS_CUTS : 0;
            continue;
        }
        const int mass = layers[slot] == 0 ? TLW_BONE_MASS : 1;
        for (int e = 0; e < 16; ++e) {
            sums.moments[e] = (int16_t)(sums.moments[e] + mass * table->moments[step][e]);
        }
        held |= 1u << table->face_axis[step];
        int8_t* end = &sums.volume_ends[table->face_axis[step]];
        *end = (int8_t)(*end + table->face_end[step]);
        sums.volume_pairs[table->face_axis[step]] += volume[slot];
        sums.neighbours = (uint8_t)(sums.neighbours + table->is_in_set[step]);
        sums.regions = (uint8_t)(sums.regions + 1);
    }
    if (view->lattice->region_width == 2) {
        sums.regions = 8;
    }
    if ((held & 7) != 7) {
        sums.flags |= TLW_WINDOW_IS_THIN;
    }
    return sums;
}

// Every link leads to a voxel, and that one links back.
static tlw_result check_links(const blob_view* view, uint32_t w, const surroundings* around) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    for (uint32_t k = 0; k < 26; ++k) {
        const uint32_t step = k < 13 ? k : k + 1;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            if (!(windows[w].links[k] >> lane & 1)) {
                continue;
            }
            const uint32_t slot = around->slots[step / 3][lane + step % 3];
            if (!(windows[w].occupied >> lane & 1)) {
                return fail_at(view, TLW_SECTION_WINDOWS, w, "links of voxels only",
                               windows[w].occupied, windows[w].links[k]);
            }
            if (slot == TLW_BLOB_NO_INDEX) {
                return fail_at(view, TLW_SECTION_WINDOWS, w, "a linked neighbour in its place", k,
                               lane);
            }
            if (!(windows[slot / LANES].links[25 - k] >> slot % LANES & 1)) {
                return fail_at(view, TLW_SECTION_WINDOWS, w, "a neighbour that links back", k,
                               slot);
            }
        }
    }
    return TLW_OK;
}

static tlw_result check_sums(const blob_view* view, uint32_t w, const surroundings* around,
                             const step_table* table) {
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
        if (window->occupied >> lane & 1) {
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
    }
    if ((window->flags & ~(uint32_t)TLW_WINDOW_IS_TOLD_APART) != flags) {
        return fail_at(view, TLW_SECTION_WINDOWS, w, "flags", flags, window->flags);
    }
    return TLW_OK;
}

// Whether a voxel of the window has one that it is not linked to along the steps of a row.
static bool has_cuts_along(const tlw_blob_window* window, uint32_t row,
                           const surroundings* around) {
    for (uint32_t step = 3 * row; step < 3 * row + 3; ++step) {
        for (uint32_t lane = 0; lane < LANES && step != 13; ++lane) {
            if ((window->occupied & ~window->links[step < 13 ? step : step - 1]) >> lane & 1 &&
                around->slots[row][lane + step % 3] != TLW_BLOB_NO_INDEX) {
                return true;
            }
        }
    }
    return false;
}

static tlw_result check_told_apart(const blob_view* view, uint32_t w, const surroundings* around) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    for (uint32_t row = 0; row < 9 && (windows[w].flags & TLW_WINDOW_HAS_CUTS); ++row) {
        if (!has_cuts_along(&windows[w], row, around)) {
            continue;
        }
        for (uint32_t i = 0; i < LANES + 2; ++i) {
            const uint32_t slot = around->slots[row][i];
            if (slot != TLW_BLOB_NO_INDEX &&
                !(windows[slot / LANES].flags & TLW_WINDOW_IS_TOLD_APART)) {
                return fail_at(view, TLW_SECTION_WINDOWS, slot / LANES, "flags",
                               windows[slot / LANES].flags | TLW_WINDOW_IS_TOLD_APART,
                               windows[slot / LANES].flags);
            }
        }
    }
    return TLW_OK;
}

static tlw_result check_neighbours(const blob_view* view) {
    surroundings around = {{0}, {{0}}};
    step_table table;
    fill_steps(view, &table);
    for (uint32_t w = 0; w < view->lattice->window_count; ++w) {
        look_around(view, w, &around);
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

// 0 wherever no voxel lies, to the bit.
static tlw_result check_sites(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint8_t* layers = first_of(view, TLW_SECTION_SLOT_LAYER);
    const float* blob = first_of(view, TLW_SECTION_SITE_KIND);
    uint32_t w = 0;
    for (uint32_t site = 0; site < l->site_count; ++site) {
        w += w < l->window_count && site == windows[w].rows[4] + LANES;
        float expected = TLW_SITE_EMPTY;
        if (w < l->window_count && site >= windows[w].rows[4] &&
            (windows[w].occupied >> (site - windows[w].rows[4]) & 1)) {
            expected =
                layers[w * LANES + site - windows[w].rows[4]] == 0 ? TLW_SITE_BONE : TLW_SITE_SOFT;
        }
        if (bits_of(blob[site]) != bits_of(expected)) {
            return fail_at(view, TLW_SECTION_SITE_KIND, site, "what lies there", bits_of(expected),
                           bits_of(blob[site]));
        }
    }
    return TLW_OK;
}

// Joints that are looked at in one walk over the voxels: more than a character has.
#define BOXES_A_WALK 4096u
#define ALL_SIDES    0x3Fu

// Sides of a joint's box that the voxel lies on; false if it lies outside.
static bool mark_sides(const tlw_blob_joint_box* box, const int32_t cell[3], uint8_t* sides) {
    for (int i = 0; i < 3; ++i) {
        if (cell[i] < box->low[i] || cell[i] > box->high[i]) {
            return false;
        }
        *sides = (uint8_t)(*sides | (cell[i] == box->low[i]) << i |
                           (cell[i] == box->high[i]) << (i + 3));
    }
    return true;
}

// Boxes hold their voxels, and each side touches one: they are neither too small nor too large.
static tlw_result check_boxes_from(const blob_view* view, uint32_t first) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_joint_box* boxes = first_of(view, TLW_SECTION_JOINT_BOX);
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint16_t* joints = first_of(view, TLW_SECTION_INFLUENCE_JOINT);
    const float* weights = first_of(view, TLW_SECTION_INFLUENCE_WEIGHT);
    uint8_t sides[BOXES_A_WALK];
    memset(sides, 0, sizeof sides);
    uint32_t w = 0;
    for (uint32_t i = 0; i < l->influence_count; ++i) {
        w += i == windows[w].first_influence + windows[w].influences;
        const uint32_t joint = joints[i];
        if (joint < first || joint - first >= BOXES_A_WALK) {
            continue;
        }
        const int16_t* cell = windows[w].cell;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const int32_t here[3] = {cell[0] + (int32_t)lane, cell[1], cell[2]};
            if (weights[(uint64_t)i * LANES + lane] > 0.0f &&
                !mark_sides(&boxes[joint], here, &sides[joint - first])) {
                return fail_at(view, TLW_SECTION_JOINT_BOX, joint, "a box that holds its voxels",
                               w * LANES + lane, w * LANES + lane);
            }
        }
    }
    static const tlw_blob_joint_box empty = {{0, 0, 0}, {-1, -1, -1}};
    for (uint32_t j = first; j < l->joint_count && j - first < BOXES_A_WALK; ++j) {
        if (sides[j - first] != ALL_SIDES && memcmp(&boxes[j], &empty, sizeof empty) != 0) {
            return fail_at(view, TLW_SECTION_JOINT_BOX, j, "a box no larger than its voxels",
                           ALL_SIDES, sides[j - first]);
        }
    }
    return TLW_OK;
}

static tlw_result check_boxes(const blob_view* view) {
    for (uint32_t j = 0; j < view->lattice->joint_count; j += BOXES_A_WALK) {
        const tlw_result result = check_boxes_from(view, j);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}

// The members of a slot's eight regions lie in 2x2x2 blocks: with the first voxel of a region known
// to be one of its members, and to be it once, every other has its place relative to that one.
static bool is_in_block(const blob_view* view, uint32_t slot, uint32_t member, uint32_t region,
                        uint32_t first) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint32_t* region_of = first_of(view, TLW_SECTION_SLOT_REGION);
    const int16_t* here = windows[slot / LANES].cell;
    const int16_t* there = windows[first / LANES].cell;
    uint32_t place = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        int32_t by = there[i] - here[i] + (int32_t)(member >> i & 1);
        by += i == 0 ? (int32_t)(first % LANES) - (int32_t)(slot % LANES) : 0;
        if (by < 0 || by > 1) {
            return false;
        }
        place |= (uint32_t)by << i;
    }
    return region_of[(uint64_t)place * view->lattice->slot_count + first] == region;
}

// Every voxel is once each of the eight members, REGION_SITE has it there, and has nothing else.
// Regions are numbered in the order of their first slots, so that counting them finds them all.
static tlw_result check_regions_of_slots(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint32_t* region_of = first_of(view, TLW_SECTION_SLOT_REGION);
    const uint32_t* sites = first_of(view, TLW_SECTION_REGION_SITE);
    const uint32_t* firsts = first_of(view, TLW_SECTION_REGION_FIRST);
    const uint64_t stride = tlw_blob_region_stride(l);
    uint32_t next = 0;
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        const bool is_empty = !(windows[s / LANES].occupied >> s % LANES & 1);
        const uint32_t site = windows[s / LANES].rows[4] + s % LANES;
        for (uint32_t k = 0; k < 8; ++k) {
            const uint64_t at = (uint64_t)k * l->slot_count + s;
            const uint32_t r = region_of[at];
            if (is_empty ? r != 0 : r >= l->region_count) {
                return fail_at(view, TLW_SECTION_SLOT_REGION, at, "region; 0 where empty",
                               is_empty ? 0 : l->region_count, r);
            }
            if (is_empty) {
                continue;
            }
            for (uint32_t other = 0; other < k; ++other) {
                if (region_of[(uint64_t)other * l->slot_count + s] == r) {
                    return fail_at(view, TLW_SECTION_SLOT_REGION, at, "eight regions", other, r);
                }
            }
            if (sites[k * stride + r] != site) {
                return fail_at(view, TLW_SECTION_SLOT_REGION, at, "a region that has its site",
                               site, sites[k * stride + r]);
            }
            if (firsts[r] > s || (firsts[r] == s) != (r == next)) {
                return fail_at(view, TLW_SECTION_REGION_FIRST, r, "first slot, in order", s,
                               firsts[r]);
            }
            next += r == next;
        }
    }
    if (next != l->region_count) {
        return fail_at(view, TLW_SECTION_REGION_FIRST, next, "regions with voxels", next,
                       l->region_count);
    }
    return TLW_OK;
}

static tlw_result check_regions(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    if (l->region_width != 2) {
        return TLW_OK;
    }
    const tlw_result result = check_regions_of_slots(view);
    if (result != TLW_OK) {
        return result;
    }
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint32_t* region_of = first_of(view, TLW_SECTION_SLOT_REGION);
    const uint32_t* sites = first_of(view, TLW_SECTION_REGION_SITE);
    const uint32_t* firsts = first_of(view, TLW_SECTION_REGION_FIRST);
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        for (uint32_t k = 0; k < 8 && (windows[s / LANES].occupied >> s % LANES & 1); ++k) {
            const uint64_t at = (uint64_t)k * l->slot_count + s;
            if (!is_in_block(view, s, k, region_of[at], firsts[region_of[at]])) {
                return fail_at(view, TLW_SECTION_SLOT_REGION, at,
                               "a voxel in its place of the block", k, region_of[at]);
            }
        }
    }
    // Each slot has its eight; what there is beyond is no slot's.
    const uint64_t stride = tlw_blob_region_stride(l), count = stride * 8;
    uint64_t members = 0;
    for (uint64_t i = 0; i < count; ++i) {
        members += sites[i] != 0;
        if (i % stride >= l->region_count && sites[i] != 0) {
            return fail_at(view, TLW_SECTION_REGION_SITE, i, "0 behind the last region", 0,
                           sites[i]);
        }
    }
    if (members != (uint64_t)l->voxel_count * 8) {
        return fail_at(view, TLW_SECTION_REGION_SITE, 0, "sites of voxels only",
                       (uint64_t)l->voxel_count * 8, members);
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_voxels(const blob_view* view) {
    static tlw_result (*const checks[])(const blob_view*) = {
        check_places, check_slots, check_pairs,      check_windows, check_influences,
        check_blocks, check_sites, check_neighbours, check_boxes,   check_regions};
    for (size_t i = 0; i < TLW_COUNT_OF(checks); ++i) {
        const tlw_result result = checks[i](view);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}
