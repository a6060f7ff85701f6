// SPDX-License-Identifier: MIT
// The blob's validator: the joints of voxels. Pairs of a joint and its reference, the windows'
// lists of joints and weights, and the joints' boxes (MODEL 9.3). Freestanding; reads the blob,
// writes only the report.
#include "runtime/blob/validator.h"

// Pairs ascend by this.
static uint32_t pair_key(uint32_t joint, uint32_t reference) {
    return reference << 16 | joint;
}

tlw_result tlw_blob_check_pairs(const blob_view* view) {
    const tlw_blob_joint_pair* pairs = first_of(view, TLW_SECTION_JOINT_PAIRS);
    const uint32_t joints = view->lattice->joint_count;
    uint32_t last = 0;
    for (uint32_t i = 0; i < view->lattice->pair_count; ++i) {
        if (pairs[i].joint >= joints) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "joint", last_index(joints),
                           pairs[i].joint);
        }
        if (pairs[i].reference >= joints) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "reference", last_index(joints),
                           pairs[i].reference);
        }
        const uint32_t key = pair_key(pairs[i].joint, pairs[i].reference);
        if (i > 0 && key <= last) {
            return fail_at(view, TLW_SECTION_JOINT_PAIRS, i, "ascending references, then joints",
                           (uint64_t)last + 1, key);
        }
        last = key;
    }
    return TLW_OK;
}

// The joints of a window's lanes.
typedef struct lane_joints {
    uint32_t counts[LANES];
    float sums[LANES];    // of weights
    float largest[LANES]; // weight
    uint32_t references[LANES];
} lane_joints;

static tlw_result add_influence(const blob_view* view, const tlw_blob_window* window, uint32_t i,
                                lane_joints* lanes) {
    const uint16_t* joints = first_of(view, TLW_SECTION_INFLUENCE_JOINT);
    const uint64_t at = (uint64_t)i * LANES;
    const float* weights = (const float*)first_of(view, TLW_SECTION_INFLUENCE_WEIGHT) + at;
    if (joints[i] >= view->lattice->joint_count) {
        return fail_at(view, TLW_SECTION_INFLUENCE_JOINT, i, "joint",
                       last_index(view->lattice->joint_count), joints[i]);
    }
    if (i > window->first_influence && joints[i] <= joints[i - 1]) {
        return fail_at(view, TLW_SECTION_INFLUENCE_JOINT, i, "ascending joints",
                       (uint64_t)joints[i - 1] + 1, joints[i]);
    }
    bool has_any = false;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const float weight = weights[lane];
        const float most = is_occupied(window, lane) ? 1.0f : 0.0f;
        if (!(weight >= 0.0f && weight <= most)) {
            return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at + lane,
                           "weight, 0 to 1; 0 where empty", float_bound(weight, 0.0f, most),
                           bits_of(weight));
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

static uint32_t key_at(const blob_view* view, uint32_t i) {
    const tlw_blob_joint_pair* pairs = first_of(view, TLW_SECTION_JOINT_PAIRS);
    return pair_key(pairs[i].joint, pairs[i].reference);
}

// The first pair whose key is not below `key`; the number of pairs if there is none.
static uint32_t find_pair(const blob_view* view, uint32_t key) {
    uint32_t low = 0, high = view->lattice->pair_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (key_at(view, middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Marks the pairs that a window's voxels have; all must be listed.
static tlw_result mark_pairs(const blob_view* view, const tlw_blob_window* window,
                             const lane_joints* lanes, uint8_t* is_used) {
    const uint16_t* joints = first_of(view, TLW_SECTION_INFLUENCE_JOINT);
    const float* weights = first_of(view, TLW_SECTION_INFLUENCE_WEIGHT);
    const uint32_t count = view->lattice->pair_count;
    for (uint32_t k = 0; k < window->influences; ++k) {
        const uint32_t i = window->first_influence + k;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const uint64_t at = (uint64_t)i * LANES + lane;
            if (!(weights[at] > 0.0f)) {
                continue;
            }
            const uint32_t key = pair_key(joints[i], lanes->references[lane]);
            const uint32_t pair = find_pair(view, key);
            const uint32_t listed = key_at(view, pair < count ? pair : count - 1);
            if (listed != key) {
                return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at, "a pair that is listed", key,
                               listed);
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
        if (lanes.counts[lane] > TLW_BLOB_JOINTS_PER_VOXEL) {
            return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at, "joints of a voxel, 1 to 4",
                           TLW_BLOB_JOINTS_PER_VOXEL, lanes.counts[lane]);
        }
        if (is_occupied(window, lane) &&
            !(lanes.sums[lane] > 0.99999f && lanes.sums[lane] < 1.00001f)) {
            return fail_at(view, TLW_SECTION_INFLUENCE_WEIGHT, at, "weights that sum to 1",
                           bits_of(1.0f), bits_of(lanes.sums[lane]));
        }
    }
    return mark_pairs(view, window, &lanes, is_used);
}

// Lists lie one after another, and the listed pairs are exactly those that voxels have.
tlw_result tlw_blob_check_influences(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    uint8_t is_used[UINT16_MAX / 8 + 1];
    memset(is_used, 0, sizeof is_used);
    uint32_t next = 0;
    for (uint32_t w = 0; w < l->window_count; ++w) {
        const uint32_t count = windows[w].influences, left = l->influence_count - next;
        const uint32_t most = left < TLW_BLOB_JOINTS_PER_WINDOW ? left : TLW_BLOB_JOINTS_PER_WINDOW;
        if (windows[w].first_influence != next) {
            return fail_at(view, TLW_SECTION_WINDOWS, w, "first influence", next,
                           windows[w].first_influence);
        }
        if (count == 0 || count > most) {
            return fail_at(view, TLW_SECTION_WINDOWS, w, "influences, 1 to 32",
                           integer_bound(count, 1, most), count);
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

// Joints whose boxes are checked in one walk over the voxels: more than a character has.
#define BOXES_PER_WALK 4096u

// Sides of a box: 0 to 2 the low ones, 3 to 5 the high ones, a bit each.
#define SIDE_COUNT 6u
#define ALL_SIDES  0x3Fu

// Marks the sides of a joint's box that the voxel touches. Returns the side that it lies beyond,
// SIDE_COUNT if none.
static uint32_t mark_sides(const tlw_blob_joint_box* box, const int32_t cell[3], uint8_t* sides) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (cell[i] < box->low[i] || cell[i] > box->high[i]) {
            return cell[i] < box->low[i] ? i : i + 3;
        }
        *sides = (uint8_t)(*sides | (cell[i] == box->low[i]) << i |
                           (cell[i] == box->high[i]) << (i + 3));
    }
    return SIDE_COUNT;
}

// Boxes of joints [first, first + BOXES_PER_WALK) hold their voxels, and each side touches one:
// they are neither too small nor too large.
static tlw_result check_boxes_from(const blob_view* view, uint32_t first) {
    const tlw_blob_section_kind kind = TLW_SECTION_JOINT_BOX;
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_joint_box* boxes = first_of(view, kind);
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint16_t* joints = first_of(view, TLW_SECTION_INFLUENCE_JOINT);
    const float* weights = first_of(view, TLW_SECTION_INFLUENCE_WEIGHT);
    uint8_t sides[BOXES_PER_WALK];
    memset(sides, 0, sizeof sides);
    uint32_t w = 0;
    for (uint32_t i = 0; i < l->influence_count; ++i) {
        w += i == windows[w].first_influence + windows[w].influences;
        const uint32_t joint = joints[i];
        if (joint < first || joint - first >= BOXES_PER_WALK) {
            continue;
        }
        const tlw_blob_joint_box* box = &boxes[joint];
        const int16_t* cell = windows[w].cell;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            if (!(weights[(uint64_t)i * LANES + lane] > 0.0f)) {
                continue;
            }
            const int32_t here[3] = {cell[0] + (int32_t)lane, cell[1], cell[2]};
            const uint32_t side = mark_sides(box, here, &sides[joint - first]);
            if (side < SIDE_COUNT) {
                const int16_t found = side < 3 ? box->low[side] : box->high[side - 3];
                return fail_component(view, kind, joint, side, "a box that holds its voxels",
                                      (uint16_t)here[side % 3], (uint16_t)found);
            }
        }
    }
    static const tlw_blob_joint_box empty = {{0, 0, 0}, {-1, -1, -1}};
    for (uint32_t j = first; j < l->joint_count && j - first < BOXES_PER_WALK; ++j) {
        const uint32_t touched = sides[j - first];
        if (touched != ALL_SIDES && memcmp(&boxes[j], &empty, sizeof empty) != 0) {
            uint32_t side = 0; // the first that no voxel touches
            while (touched >> side & 1) {
                side += 1;
            }
            return fail_component(view, kind, j, side, "a box no larger than its voxels", ALL_SIDES,
                                  touched);
        }
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_boxes(const blob_view* view) {
    for (uint32_t j = 0; j < view->lattice->joint_count; j += BOXES_PER_WALK) {
        const tlw_result result = check_boxes_from(view, j);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}
