// SPDX-License-Identifier: MIT
// Pass muscles, its stages over voxels (MODEL 3.19). Reads what lines come to at their vertices
// (passes/lines.c) and the cooked stations, offsets and shares; writes m, the displacement of the
// place to which tissue is drawn, and q or the pose.
//
//     m = sum over the voxel's muscles of  Rb B(u) d + a c(u)
//
//     bellies   q <- q - m: the passes up to stand see tissue as it would be without muscles
//
//     stand     q <- q + m,  p_skin <- p_skin + m = t, before the limit
//
//     seat      p_skin <- p_skin + m, in a carried substep, before carry
//
// Why bellies leaves q alone in the first substep after a carried one: predict has taken v_skin
// from t_last to p_skin there, which is short by m/h of the way to t, and what was added for that
// would be taken off again.
//
// A window without muscles is not touched: its m has been 0 since the character was created.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

TLW_FORCE_INLINE bool has_bellies(const tlw_blob_arrays* blob, uint32_t w) {
    return blob->belly_windows[w] != blob->belly_windows[w + 1];
}

// B(u) and c(u) of eight voxels, times the unit of weights.
typedef struct station8 {
    f8 b;
    f8x3 c;
} station8;

TLW_FORCE_INLINE station8 station_of(const tlw_substep* s, const tlw_blob_belly_entry* entry) {
    const uint32_t lane = entry->muscle % TLW_LANES;
    const tlw_belly_row* row = s->belly_rows +
                               s->blob->muscle_groups[entry->muscle / TLW_LANES].first_row +
                               entry->first_vertex;
    const tlw_blob_belly_weight* weight = s->blob->belly_weight + entry->first_weight;
    station8 sum = {tlw_f8_zero(), zero3()};
    for (uint32_t i = 0; i < entry->vertex_count; ++i, ++row, ++weight) {
        const f8 curve = tlw_f8_from_i8(tlw_i8_load_s16(weight->curve));
        const f8 linear = tlw_f8_from_i8(tlw_i8_load_s16(weight->linear));
        const f8x3 c = {all(row->c[0][lane]), all(row->c[1][lane]), all(row->c[2][lane])};
        sum.b = mad(curve, all(row->b[lane]), sum.b);
        sum.c = mad3(c, linear, sum.c);
    }
    return sum;
}

// m of a window that has muscles.
TLW_FORCE_INLINE f8x3 displacement_of(const tlw_substep* s, uint32_t w) {
    const tlw_blob_arrays* blob = s->blob;
    f8x3 across = zero3(), moved = zero3();
    for (uint32_t i = blob->belly_windows[w]; i < blob->belly_windows[w + 1]; ++i) {
        const station8 at = station_of(s, &blob->belly_entry[i]);
        const tlw_blob_belly_shape* shape = &blob->belly_shape[i];
        across = mad3(load_window3(shape->d), at.b, across);
        moved = mad3(at.c, tlw_f8_load_aligned(shape->a), moved);
    }
    const f8 unit = all(TLW_BLOB_STATION_UNIT);
    return scale3(add3(rotate3(load_window4(s->pose[w].rb), across), moved), unit);
}

void TLW_KERNEL(tlw_stage_bellies)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (has_bellies(blob, w)) {
            const size_t site = blob->windows[w].rows[4];
            const f8x3 m = displacement_of(s, w);
            store_window3(s->displacement[w].m, m);
            if (!s->is_start) {
                store3(s->q + site, s->stride, sub3(load3(s->q + site, s->stride), m));
            }
        }
    }
}

void TLW_KERNEL(tlw_stage_stand)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (has_bellies(blob, w)) {
            const size_t site = blob->windows[w].rows[4];
            const f8x3 m = load_window3(s->displacement[w].m);
            store3(s->q + site, s->stride, add3(load3(s->q + site, s->stride), m));
            store_window3(s->pose[w].skin, add3(load_window3(s->pose[w].skin), m));
        }
    }
}

void TLW_KERNEL(tlw_stage_seat)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (has_bellies(blob, w)) {
            const f8x3 m = displacement_of(s, w);
            store_window3(s->displacement[w].m, m);
            store_window3(s->pose[w].skin, add3(load_window3(s->pose[w].skin), m));
        }
    }
}
