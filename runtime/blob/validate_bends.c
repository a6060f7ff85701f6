// SPDX-License-Identifier: MIT
// The blob's validator: skinned volume. Bends, the windows' lists of bends and of couples, shares
// and the field (MODEL 9.3, RULES 9.8 to 9.10). Freestanding; reads the blob, writes only the
// report.
#include "runtime/blob/validator.h"

#include <float.h>

// The least V0, so that the square of A_1rest/8, by which lengths are divided, is not 0 as a float.
#define REST_VOLUME_MIN 1e-12f
#define REACH_MAX       1e6f
// A_1rest of a bend is at least this share of V0; it cannot be more than 6.01, because no
// difference of two vectors of the field is longer than 2.002.
#define SLOPE_SHARE_MIN (0.01f * (1.0f - 1e-5f))
#define SLOPE_SHARE_MAX 7.0f
#define FIELD_MAX       16400 // 1, and what rounding adds
#define SHARE_ONE       32768u

static bool is_marked(const uint8_t* marks, uint32_t i) {
    return marks[i / 8] >> i % 8 & 1;
}

static void mark(uint8_t* marks, uint32_t i) {
    marks[i / 8] = (uint8_t)(marks[i / 8] | 1u << i % 8);
}

// The numbers of a bend that stand for themselves. Its joint has one above it and is a bend once.
static tlw_result check_bend(const blob_view* view, uint64_t i, uint8_t* is_bend) {
    const tlw_blob_section_kind kind = TLW_SECTION_BENDS;
    const tlw_blob_bend* bend = (const tlw_blob_bend*)first_of(view, kind) + i;
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    if (bend->joint >= view->lattice->joint_count) {
        return fail_at(view, kind, i, "joint", last_index(view->lattice->joint_count), bend->joint);
    }
    if (joints[bend->joint].parent == TLW_BLOB_NO_INDEX) {
        return fail_at(view, kind, i, "a joint with a parent", 1, 0);
    }
    if (is_marked(is_bend, bend->joint)) {
        return fail_at(view, kind, i, "a joint that is no bend before it", 0, 1);
    }
    mark(is_bend, bend->joint);
    const float volume = bend->rest_volume, slope = bend->rest_slope;
    if (!(volume >= REST_VOLUME_MIN && volume <= FLT_MAX)) {
        return fail_at(view, kind, i, "rest volume, at least 1e-12",
                       float_bound(volume, REST_VOLUME_MIN, FLT_MAX), bits_of(volume));
    }
    if (!(slope >= SLOPE_SHARE_MIN * volume && slope <= SLOPE_SHARE_MAX * volume)) {
        return fail_at(view, kind, i, "rest slope, 0.01 to 7 times the rest volume",
                       float_bound(slope, SLOPE_SHARE_MIN * volume, SLOPE_SHARE_MAX * volume),
                       bits_of(slope));
    }
    if (!(bend->reach >= 0.0f && bend->reach <= REACH_MAX)) {
        return fail_at(view, kind, i, "reach, 0 to 1e6", float_bound(bend->reach, 0.0f, REACH_MAX),
                       bits_of(bend->reach));
    }
    return TLW_OK;
}

// Bends of joints above a bend come before it. A joint is marked as done once all bends at and
// above it are known to be stored, so that no joint is climbed twice.
static tlw_result check_order(const blob_view* view, const uint8_t* is_bend) {
    const tlw_blob_section_kind kind = TLW_SECTION_BENDS;
    const tlw_blob_bend* bends = first_of(view, kind);
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    uint8_t is_done[UINT16_MAX / 8 + 1];
    memset(is_done, 0, sizeof is_done);
    for (uint64_t i = 0; i < count_of(view, kind); ++i) {
        const uint32_t from = joints[bends[i].joint].parent;
        uint32_t up = from;
        while (up != TLW_BLOB_NO_INDEX && !is_marked(is_done, up)) {
            if (is_marked(is_bend, up)) {
                return fail_at(view, kind, i, "a bend after those of joints above it", up,
                               bends[i].joint);
            }
            up = joints[up].parent;
        }
        for (uint32_t done = from; done != up; done = joints[done].parent) {
            mark(is_done, done);
        }
        mark(is_done, bends[i].joint);
    }
    return TLW_OK;
}

static tlw_result check_bends(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_BENDS;
    const uint64_t count = count_of(view, kind);
    if (count == 0) {
        return fail_at(view, kind, 0, "a bend or more", 1, 0);
    }
    uint8_t is_bend[UINT16_MAX / 8 + 1];
    memset(is_bend, 0, sizeof is_bend);
    // No joint is a bend twice, so that this ends after as many bends as there are joints.
    for (uint64_t i = 0; i < count; ++i) {
        const tlw_result result = check_bend(view, i, is_bend);
        if (result != TLW_OK) {
            return result;
        }
    }
    return check_order(view, is_bend);
}

// The marks of mark_couples have room for this many.
#define PAIRS_MAX (UINT16_MAX + 1u)

static tlw_result check_pairs(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_BEND_PAIRS;
    const tlw_blob_bend_pair* pairs = first_of(view, kind);
    const uint64_t bends = count_of(view, TLW_SECTION_BENDS), count = count_of(view, kind);
    if (count > PAIRS_MAX) {
        return fail_at(view, kind, 0, "pairs, at most 65536", PAIRS_MAX, count);
    }
    uint32_t last = 0;
    for (uint64_t i = 0; i < count; ++i) {
        if (pairs[i].second >= bends) {
            return fail_component(view, kind, i, 1, "bend", last_index(bends), pairs[i].second);
        }
        if (pairs[i].first >= pairs[i].second) {
            return fail_at(view, kind, i, "first below second",
                           pairs[i].second > 0 ? pairs[i].second - 1u : TLW_BLOB_NO_INDEX,
                           pairs[i].first);
        }
        const uint32_t key = (uint32_t)pairs[i].first << 16 | pairs[i].second;
        if (i > 0 && key <= last) {
            return fail_at(view, kind, i, "ascending by first, then second", (uint64_t)last + 1,
                           key);
        }
        last = key;
    }
    return TLW_OK;
}

// Lists lie one after another, none is longer than a window's voxels can make it, and the last ends
// with its section.
static tlw_result check_places(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_BEND_WINDOWS;
    const tlw_blob_bend_window* windows = first_of(view, kind);
    const uint64_t entries = count_of(view, TLW_SECTION_BEND_ENTRY),
                   couples = count_of(view, TLW_SECTION_BEND_COUPLE);
    tlw_blob_bend_window last = {0, 0};
    for (uint64_t w = 0; w <= view->lattice->window_count; ++w) {
        const uint64_t most = w > 0 ? TLW_BLOB_BENDS_PER_WINDOW : 0;
        const struct {
            const char* what;
            uint64_t low, high, found;
        } places[] = {
            {"entries one after another, at most 16", last.first_entry,
             last.first_entry + most < entries ? last.first_entry + most : entries,
             windows[w].first_entry},
            {"couples one after another, at most 8", last.first_couple,
             last.first_couple + most / 2 < couples ? last.first_couple + most / 2 : couples,
             windows[w].first_couple},
        };
        for (uint32_t i = 0; i < TLW_COUNT_OF(places); ++i) {
            if (places[i].found < places[i].low || places[i].found > places[i].high) {
                return fail_component(view, kind, w, i, places[i].what,
                                      integer_bound(places[i].found, places[i].low, places[i].high),
                                      places[i].found);
            }
        }
        last = windows[w];
    }
    const tlw_result result = check_count(view, TLW_SECTION_BEND_ENTRY, last.first_entry);
    return result == TLW_OK ? check_count(view, TLW_SECTION_BEND_COUPLE, last.first_couple)
                            : result;
}

// The bends of a window's lanes.
typedef struct lane_bends {
    uint32_t count;
    uint32_t entry[TLW_BLOB_BENDS_PER_VOXEL]; // counted from the window's first, ascending
    uint32_t sum;                             // of shares
} lane_bends;

static tlw_result add_entry(const blob_view* view, uint32_t w, uint32_t entry,
                            lane_bends lanes[TLW_BLOB_LANES]) {
    const tlw_blob_window* window = (const tlw_blob_window*)first_of(view, TLW_SECTION_WINDOWS) + w;
    const tlw_blob_bend_window* lists =
        (const tlw_blob_bend_window*)first_of(view, TLW_SECTION_BEND_WINDOWS) + w;
    const uint16_t* entries = first_of(view, TLW_SECTION_BEND_ENTRY);
    const uint64_t i = (uint64_t)lists->first_entry + entry, at = i * LANES;
    const uint16_t* shares = (const uint16_t*)first_of(view, TLW_SECTION_BEND_SHARE) + at;
    const uint64_t bends = count_of(view, TLW_SECTION_BENDS);
    if (entries[i] >= bends) {
        return fail_at(view, TLW_SECTION_BEND_ENTRY, i, "bend", last_index(bends), entries[i]);
    }
    if (entry > 0 && entries[i] <= entries[i - 1]) {
        return fail_at(view, TLW_SECTION_BEND_ENTRY, i, "ascending bends",
                       (uint64_t)entries[i - 1] + 1, entries[i]);
    }
    bool has_any = false;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const uint32_t most = is_occupied(window, lane) ? SHARE_ONE : 0;
        if (shares[lane] > most) {
            return fail_at(view, TLW_SECTION_BEND_SHARE, at + lane, "share, 0 to 1; 0 where empty",
                           most, shares[lane]);
        }
        if (shares[lane] == 0) {
            continue;
        }
        has_any = true;
        if (lanes[lane].count == TLW_BLOB_BENDS_PER_VOXEL) {
            return fail_at(view, TLW_SECTION_BEND_SHARE, at + lane, "bends of a voxel, at most 2",
                           TLW_BLOB_BENDS_PER_VOXEL, TLW_BLOB_BENDS_PER_VOXEL + 1u);
        }
        lanes[lane].entry[lanes[lane].count++] = entry;
        lanes[lane].sum += shares[lane];
        if (lanes[lane].sum > SHARE_ONE) {
            return fail_at(view, TLW_SECTION_BEND_SHARE, at + lane, "shares that sum to 1 at most",
                           SHARE_ONE, lanes[lane].sum);
        }
    }
    return has_any ? TLW_OK
                   : fail_at(view, TLW_SECTION_BEND_ENTRY, i, "a bend that a voxel has", 1, 0);
}

// A couple names two entries of its window and their pair, and some voxel has both.
static tlw_result check_couple(const blob_view* view, const tlw_blob_bend_window* lists, uint64_t i,
                               const lane_bends lanes[TLW_BLOB_LANES]) {
    const tlw_blob_section_kind kind = TLW_SECTION_BEND_COUPLE;
    const tlw_blob_bend_couple* couple = (const tlw_blob_bend_couple*)first_of(view, kind) + i;
    const uint16_t* entries = first_of(view, TLW_SECTION_BEND_ENTRY);
    const uint64_t count = (uint64_t)lists[1].first_entry - lists->first_entry;
    const uint64_t pairs = count_of(view, TLW_SECTION_BEND_PAIRS);
    if (couple->pair >= pairs) {
        return fail_at(view, kind, i, "pair", last_index(pairs), couple->pair);
    }
    if (i > lists->first_couple && couple->pair <= couple[-1].pair) {
        return fail_at(view, kind, i, "ascending pairs", (uint64_t)couple[-1].pair + 1,
                       couple->pair);
    }
    const tlw_blob_bend_pair pair =
        ((const tlw_blob_bend_pair*)first_of(view, TLW_SECTION_BEND_PAIRS))[couple->pair];
    const uint32_t places[2] = {couple->first, couple->second},
                   of_pair[2] = {pair.first, pair.second};
    for (uint32_t k = 0; k < 2; ++k) {
        if (places[k] >= count) {
            return fail_component(view, kind, i, k, "entry of its window", last_index(count),
                                  places[k]);
        }
        const uint32_t bend = entries[lists->first_entry + places[k]];
        if (bend != of_pair[k]) {
            return fail_component(view, kind, i, k, "bend of its pair", of_pair[k], bend);
        }
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        if (lanes[lane].count == 2 && lanes[lane].entry[0] == places[0] &&
            lanes[lane].entry[1] == places[1]) {
            return TLW_OK;
        }
    }
    return fail_at(view, kind, i, "a couple that a voxel has", 1, 0);
}

// Marks the pairs that a window's voxels have; each couple is checked, and none is missing.
static tlw_result mark_couples(const blob_view* view, const tlw_blob_bend_window* lists,
                               const lane_bends lanes[TLW_BLOB_LANES], uint8_t* is_used) {
    const tlw_blob_bend_couple* couples = first_of(view, TLW_SECTION_BEND_COUPLE);
    uint32_t listed = 0; // lanes whose couple is in the list
    for (uint64_t i = lists->first_couple; i < lists[1].first_couple; ++i) {
        const tlw_result result = check_couple(view, lists, i, lanes);
        if (result != TLW_OK) {
            return result;
        }
        mark(is_used, couples[i].pair);
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            listed |= (uint32_t)(lanes[lane].entry[0] == couples[i].first &&
                                 lanes[lane].entry[1] == couples[i].second)
                      << lane;
        }
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        if (lanes[lane].count == 2 && !(listed >> lane & 1)) {
            const uint64_t entry = (uint64_t)lists->first_entry + lanes[lane].entry[1];
            return fail_at(view, TLW_SECTION_BEND_SHARE, entry * LANES + lane,
                           "a couple that is listed", 1, 0);
        }
    }
    return TLW_OK;
}

// The field is no longer than a direction, and 0 where nothing moves.
static tlw_result check_field(const blob_view* view, uint64_t w,
                              const lane_bends lanes[TLW_BLOB_LANES]) {
    const tlw_blob_section_kind kind = TLW_SECTION_FIELD;
    const int16_t* field = (const int16_t*)first_of(view, kind) + w * 3 * LANES;
    const uint8_t* layers = (const uint8_t*)first_of(view, TLW_SECTION_SLOT_LAYER) + w * LANES;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        // A lane without a voxel has no share.
        const int32_t most = layers[lane] > 0 && lanes[lane].count > 0 ? FIELD_MAX : 0;
        int32_t squared = 0;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const int32_t f = field[axis * LANES + lane];
            if (f < -most || f > most) {
                return fail_at(view, kind, w * 3 * LANES + axis * LANES + lane,
                               "field, -1 to 1; 0 for bone, without a share and where empty",
                               (uint16_t)(f < 0 ? -most : most), (uint16_t)f);
            }
            squared += f * f;
        }
        if (squared > FIELD_MAX * FIELD_MAX) {
            return fail_at(view, kind, w * 3 * LANES + lane, "a vector no longer than 1",
                           FIELD_MAX * FIELD_MAX, (uint64_t)squared);
        }
    }
    return TLW_OK;
}

// The windows' lists, and that the listed pairs are exactly those that voxels have.
static tlw_result check_lists(const blob_view* view) {
    const tlw_blob_bend_window* lists = first_of(view, TLW_SECTION_BEND_WINDOWS);
    uint8_t is_used[PAIRS_MAX / 8];
    memset(is_used, 0, sizeof is_used);
    for (uint32_t w = 0; w < view->lattice->window_count; ++w) {
        lane_bends lanes[TLW_BLOB_LANES];
        memset(lanes, 0, sizeof lanes);
        tlw_result result = TLW_OK;
        const uint32_t entries = lists[w + 1].first_entry - lists[w].first_entry;
        for (uint32_t entry = 0; entry < entries && result == TLW_OK; ++entry) {
            result = add_entry(view, w, entry, lanes);
        }
        if (result == TLW_OK) {
            result = mark_couples(view, &lists[w], lanes, is_used);
        }
        if (result == TLW_OK) {
            result = check_field(view, w, lanes);
        }
        if (result != TLW_OK) {
            return result;
        }
    }
    for (uint32_t i = 0; i < count_of(view, TLW_SECTION_BEND_PAIRS); ++i) {
        if (!is_marked(is_used, i)) {
            return fail_at(view, TLW_SECTION_BEND_PAIRS, i, "a pair that a voxel has", 1, 0);
        }
    }
    return TLW_OK;
}

// Bends whose volumes are summed in one walk over the shares: more than a character has.
#define BENDS_PER_WALK 1024u

// V0 is the sum of the shares, which is exact in their units, whatever the order.
static tlw_result check_volumes_from(const blob_view* view, uint32_t first) {
    const tlw_blob_section_kind kind = TLW_SECTION_BENDS;
    const tlw_blob_bend* bends = first_of(view, kind);
    const uint16_t* entries = first_of(view, TLW_SECTION_BEND_ENTRY);
    const uint16_t* shares = first_of(view, TLW_SECTION_BEND_SHARE);
    const uint64_t count = count_of(view, kind);
    uint64_t sums[BENDS_PER_WALK] = {0};
    for (uint64_t i = 0; i < count_of(view, TLW_SECTION_BEND_ENTRY); ++i) {
        if (entries[i] < first || entries[i] - first >= BENDS_PER_WALK) {
            continue;
        }
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            sums[entries[i] - first] += shares[i * LANES + lane];
        }
    }
    for (uint32_t b = first; b < count && b - first < BENDS_PER_WALK; ++b) {
        const float sum = (float)((double)sums[b - first] / SHARE_ONE);
        if (bends[b].rest_volume != sum) {
            return fail_at(view, kind, b, "rest volume, the sum of its shares", bits_of(sum),
                           bits_of(bends[b].rest_volume));
        }
    }
    return TLW_OK;
}

static tlw_result check_volumes(const blob_view* view) {
    tlw_result result = TLW_OK;
    for (uint32_t b = 0; b < count_of(view, TLW_SECTION_BENDS) && result == TLW_OK;
         b += BENDS_PER_WALK) {
        result = check_volumes_from(view, b);
    }
    return result;
}

static tlw_result check_counts(const blob_view* view) {
    const uint64_t entries = count_of(view, TLW_SECTION_BEND_ENTRY);
    const struct {
        tlw_blob_section_kind kind;
        uint64_t count;
    } counts[] = {{TLW_SECTION_BEND_WINDOWS, (uint64_t)view->lattice->window_count + 1},
                  {TLW_SECTION_BEND_SHARE, entries * LANES},
                  {TLW_SECTION_FIELD, (uint64_t)view->lattice->slot_count * 3}};
    tlw_result result = TLW_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(counts) && result == TLW_OK; ++i) {
        result = check_count(view, counts[i].kind, counts[i].count);
    }
    return result;
}

tlw_result tlw_blob_check_bends(const blob_view* view) {
    if (view->sections[TLW_SECTION_BENDS] == NULL) {
        for (uint32_t kind = TLW_SECTION_BENDS; kind <= TLW_SECTION_FIELD; ++kind) {
            if (view->sections[kind] != NULL) {
                return fail(view, kind, 0, 0, "absent without BENDS", 0, 1);
            }
        }
        return TLW_OK;
    }
    static blob_check* const checks[] = {check_counts, check_bends, check_pairs,
                                         check_places, check_lists, check_volumes};
    tlw_result result = TLW_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(checks) && result == TLW_OK; ++i) {
        result = checks[i](view);
    }
    return result;
}
