// SPDX-License-Identifier: MIT
// The blob's validator: bellies, what each window's voxels have of muscles (MODEL 3.19, 9.3, RULES
// 9.14). Relies on the check of muscles. Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#define WINDOW_MUSCLES_MAX (TLW_BLOB_LANES * TLW_BLOB_VOXEL_MUSCLES)
#define LENGTH_MAX         64.0f
#define LENGTH_SLACK       1e-5f

// Lists lie one after another, none longer than the voxels of a window can make it, and the last
// ends with its section.
static tlw_result check_windows(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_BELLY_WINDOWS;
    const uint32_t* windows = first_of(view, kind);
    const uint64_t entries = count_of(view, TLW_SECTION_BELLY_ENTRY);
    uint64_t last = 0;
    for (uint64_t w = 0; w <= view->lattice->window_count; ++w) {
        const uint64_t most = w > 0 ? last + WINDOW_MUSCLES_MAX : 0;
        const uint64_t high = most < entries ? most : entries;
        if (windows[w] < last || windows[w] > high) {
            return fail_at(view, kind, w, "entries one after another, at most 32",
                           integer_bound(windows[w], last, high), windows[w]);
        }
        last = windows[w];
    }
    const tlw_result result = check_count(view, TLW_SECTION_BELLY_ENTRY, last);
    return result == TLW_OK ? check_count(view, TLW_SECTION_BELLY_SHAPE, last) : result;
}

// Muscles of a window ascend, vertices are the muscle's, and weights lie one after another.
static tlw_result check_entry(const blob_view* view, uint64_t e, bool is_first, uint64_t* weights) {
    const tlw_blob_section_kind kind = TLW_SECTION_BELLY_ENTRY;
    const tlw_blob_belly_entry* entry = (const tlw_blob_belly_entry*)first_of(view, kind) + e;
    const tlw_blob_muscle* muscles = first_of(view, TLW_SECTION_MUSCLES);
    const uint32_t low = is_first ? 0 : entry[-1].muscle + 1u;
    if (entry->muscle >= view->lattice->muscle_count) {
        return fail_at(view, kind, e, "muscle", last_index(view->lattice->muscle_count),
                       entry->muscle);
    }
    if (entry->muscle < low) {
        return fail_at(view, kind, e, "ascending muscles", low, entry->muscle);
    }
    const uint32_t vertices = muscles[entry->muscle].vertex_count;
    if (entry->first_vertex >= vertices) {
        return fail_at(view, kind, e, "first vertex", last_index(vertices), entry->first_vertex);
    }
    const uint32_t most = vertices - entry->first_vertex;
    if (entry->vertex_count < 1 || entry->vertex_count > most) {
        return fail_at(view, kind, e, "vertices of the muscle",
                       integer_bound(entry->vertex_count, 1, most), entry->vertex_count);
    }
    if (entry->first_weight != *weights ||
        *weights + entry->vertex_count > count_of(view, TLW_SECTION_BELLY_WEIGHT)) {
        return fail_at(view, kind, e, "weights one after another",
                       entry->first_weight != *weights
                           ? *weights
                           : count_of(view, TLW_SECTION_BELLY_WEIGHT) - entry->vertex_count,
                       entry->first_weight);
    }
    *weights += entry->vertex_count;
    return TLW_OK;
}

// Weights of a lane sum to 1, and are 0 where the voxel does not have the muscle.
static tlw_result check_weights(const blob_view* view, const tlw_blob_belly_entry* entry,
                                uint32_t lane, bool has_muscle) {
    const tlw_blob_section_kind kind = TLW_SECTION_BELLY_WEIGHT;
    const tlw_blob_belly_weight* weights =
        (const tlw_blob_belly_weight*)first_of(view, kind) + entry->first_weight;
    const int32_t one = has_muscle ? TLW_BLOB_STATION_ONE : 0;
    int32_t sums[2] = {0, 0};
    for (uint32_t i = 0; i < entry->vertex_count; ++i) {
        const int32_t found[2] = {weights[i].curve[lane], weights[i].linear[lane]};
        const int32_t low[2] = {-one, 0};
        for (uint32_t k = 0; k < 2; ++k) {
            if (found[k] < low[k] || found[k] > one) {
                return fail_component(view, kind, entry->first_weight + i, k * LANES + lane,
                                      "weight, -1 to 1; 0 without the muscle",
                                      (uint16_t)(found[k] < low[k] ? low[k] : one),
                                      (uint16_t)found[k]);
            }
            sums[k] += found[k];
        }
    }
    for (uint32_t k = 0; k < 2; ++k) {
        if (sums[k] != one) {
            return fail_component(view, kind, entry->first_weight, k * LANES + lane,
                                  "weights that sum to 1", (uint64_t)one, (uint32_t)sums[k]);
        }
    }
    return TLW_OK;
}

static bool has_muscle(const tlw_blob_belly_shape* shape, uint32_t lane) {
    return (bits_of(shape->d[0][lane]) | bits_of(shape->d[1][lane]) | bits_of(shape->d[2][lane]) |
            bits_of(shape->a[lane])) != 0;
}

// d and a of a lane.
static tlw_result check_shape(const blob_view* view, uint64_t e, uint32_t lane) {
    const tlw_blob_section_kind kind = TLW_SECTION_BELLY_SHAPE;
    const tlw_blob_belly_shape* shape = (const tlw_blob_belly_shape*)first_of(view, kind) + e;
    const tlw_blob_belly_entry* entry =
        (const tlw_blob_belly_entry*)first_of(view, TLW_SECTION_BELLY_ENTRY) + e;
    const float reach =
        ((const tlw_blob_muscle*)first_of(view, TLW_SECTION_MUSCLES))[entry->muscle].reach;
    float squared = 0.0f;
    for (uint32_t a = 0; a < 3; ++a) {
        const float d = shape->d[a][lane];
        if (!(d >= -LENGTH_MAX && d <= LENGTH_MAX)) {
            return fail_component(view, kind, e, a * LANES + lane, "d, within 64",
                                  float_bound(d, -LENGTH_MAX, LENGTH_MAX), bits_of(d));
        }
        squared += d * d;
    }
    const float most = reach * reach * (1.0f + LENGTH_SLACK);
    if (squared > most) {
        return fail_component(view, kind, e, lane, "|d| squared, by the muscle's reach",
                              bits_of(most), bits_of(squared));
    }
    if (!(shape->a[lane] >= 0.0f && shape->a[lane] <= 1.0f)) {
        return fail_component(view, kind, e, 3 * LANES + lane, "a, 0 to 1",
                              float_bound(shape->a[lane], 0.0f, 1.0f), bits_of(shape->a[lane]));
    }
    return TLW_OK;
}

// The lanes of an entry. Only soft voxels have muscles, four at most: `counts` is per lane.
static tlw_result check_lanes(const blob_view* view, uint32_t w, uint64_t e,
                              uint32_t counts[TLW_BLOB_LANES]) {
    const tlw_blob_section_kind kind = TLW_SECTION_BELLY_SHAPE;
    const tlw_blob_belly_shape* shape = (const tlw_blob_belly_shape*)first_of(view, kind) + e;
    const tlw_blob_belly_entry* entry =
        (const tlw_blob_belly_entry*)first_of(view, TLW_SECTION_BELLY_ENTRY) + e;
    const uint8_t* layers =
        (const uint8_t*)first_of(view, TLW_SECTION_SLOT_LAYER) + (size_t)w * LANES;
    bool has_any = false;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const bool has = has_muscle(shape, lane);
        if (has && (layers[lane] == 0 || layers[lane] == TLW_BLOB_EMPTY_LAYER)) {
            return fail_component(view, kind, e, lane, "no muscle for bone and where empty", 0, 1);
        }
        counts[lane] += has;
        if (counts[lane] > TLW_BLOB_VOXEL_MUSCLES) {
            return fail_component(view, kind, e, lane, "muscles of a voxel, at most 4",
                                  TLW_BLOB_VOXEL_MUSCLES, counts[lane]);
        }
        tlw_result result = check_shape(view, e, lane);
        if (result == TLW_OK) {
            result = check_weights(view, entry, lane, has);
        }
        if (result != TLW_OK) {
            return result;
        }
        has_any = has_any || has;
    }
    return has_any ? TLW_OK
                   : fail_at(view, TLW_SECTION_BELLY_ENTRY, e, "a muscle that a voxel has", 1, 0);
}

tlw_result tlw_blob_check_bellies(const blob_view* view) {
    if (view->lattice->muscle_count == 0) {
        return TLW_OK; // the check of muscles has seen that nothing is there
    }
    tlw_result result = check_windows(view);
    const uint32_t* windows = first_of(view, TLW_SECTION_BELLY_WINDOWS);
    uint64_t weights = 0;
    for (uint32_t w = 0; w < view->lattice->window_count && result == TLW_OK; ++w) {
        uint32_t counts[TLW_BLOB_LANES] = {0};
        for (uint64_t e = windows[w]; e < windows[w + 1] && result == TLW_OK; ++e) {
            result = check_entry(view, e, e == windows[w], &weights);
            if (result == TLW_OK) {
                result = check_lanes(view, w, e, counts);
            }
        }
    }
    return result == TLW_OK ? check_count(view, TLW_SECTION_BELLY_WEIGHT, weights) : result;
}
