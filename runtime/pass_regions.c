// SPDX-License-Identifier: MIT
// Pass regions, width 3: a voxel and its linked neighbours. Reads m q of 27 sites; writes the
// region's fit, T and the columns of R, and the state's Q (design.md, substep 4; Iwamoto et al.
// 2015, Eq. 4 to 7).
//
//     A = sum m (q - c)(p0 - c0)^T,   R = rotation of A,   a voxel at step o: goal R o + T,
//     T = c - R c0
//
// Rest offsets are -1, 0, 1, so m q o^T needs no multiplication: sums and differences along each
// axis. Only the lane axis is taken first; summing rows in the same way would need values at empty
// cells. Differences come before sums where they can: neighbours' difference is exact in floats.
#include "runtime/kernels.h"
#include "runtime/rotation.h"

typedef struct region_sums {
    f8x9 a; // sum m q o^T, not yet about the centre
    f8x3 sum;
} region_sums;

typedef struct row_sums {
    f8 sum, difference;
} row_sums;

// Three sites in a row.
TLW_FORCE_INLINE row_sums sum_row(const float* mq, const tlw_blob_window* window, bool has_cuts,
                                  int row) {
    const float* at = mq + window->rows[row];
    f8 a = tlw_f8_load(at - 1), b = tlw_f8_load(at), c = tlw_f8_load(at + 1);
    if (has_cuts) {
        const int step = row * 3 - (row > 4); // of links: the cell itself is left out
        a = tlw_f8_keep(tlw_m8_from_bits(window->links[step]), a);
        if (row == 4) {
            c = tlw_f8_keep(tlw_m8_from_bits(window->links[step + 1]), c);
        } else {
            b = tlw_f8_keep(tlw_m8_from_bits(window->links[step + 1]), b);
            c = tlw_f8_keep(tlw_m8_from_bits(window->links[step + 2]), c);
        }
    }
    return (row_sums){add(add(a, c), b), sub(c, a)};
}

typedef struct component_sums {
    f8 sum, lane, p, q;
} component_sums;

// One component of q at a time, one plane of rows after the other: what is at work then fits the
// registers.
TLW_FORCE_INLINE component_sums sum_component(const float* mq, const tlw_blob_window* window,
                                              bool has_cuts) {
    component_sums s = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
    f8 below = tlw_f8_zero();
    TLW_UNROLL for (int plane = 0; plane < 3; ++plane) {
        const row_sums low = sum_row(mq, window, has_cuts, plane * 3);
        const row_sums mid = sum_row(mq, window, has_cuts, plane * 3 + 1);
        const row_sums high = sum_row(mq, window, has_cuts, plane * 3 + 2);
        const f8 along = add(add(low.difference, high.difference), mid.difference);
        const f8 across = sub(high.sum, low.sum), sum = add(add(low.sum, high.sum), mid.sum);
        s.lane = plane == 0 ? along : add(s.lane, along);
        s.p = plane == 0 ? across : add(s.p, across);
        s.sum = plane == 0 ? sum : add(s.sum, sum);
        s.q = plane == 2 ? sub(sum, below) : s.q;
        below = plane == 0 ? sum : below;
    }
    return s;
}

TLW_FORCE_INLINE region_sums sum_region(const tlw_substep* s, const tlw_blob_window* window,
                                        bool has_cuts) {
    const component_sums x = sum_component(s->mq, window, has_cuts);
    const component_sums y = sum_component(s->mq + s->stride, window, has_cuts);
    const component_sums z = sum_component(s->mq + 2 * s->stride, window, has_cuts);
    return (region_sums){{{{x.lane, y.lane, z.lane}, {x.p, y.p, z.p}, {x.q, y.q, z.q}}},
                         {x.sum, y.sum, z.sum}};
}

#define AT_ONCE TLW_TURNS_MAX

TLW_FORCE_INLINE void fit_windows(const tlw_substep* s, const uint32_t* list) {
    const tlw_body* body = s->body;
    const size_t slots = body->slot_count;
    f8x4 q[AT_ONCE], start[AT_ONCE], turn[AT_ONCE];
    f8x9 a[AT_ONCE];
    f8x3 c[AT_ONCE], c0[AT_ONCE];
    TLW_UNROLL for (int i = 0; i < AT_ONCE; ++i) {
        q[i] = load_window4(s->state[list[i]].q);
        if (s->is_first_repeat) {
            store_window4(s->state[list[i]].q0, q[i]);
            q[i] = start_rotation(q[i]);
        }
        start[i] = multiply4(load_window4(s->pose[list[i]].rb), q[i]);
    }
    TLW_UNROLL for (int i = 0; i < AT_ONCE; ++i) {
        const tlw_blob_window* window = &body->windows[list[i]];
        region_sums r;
        if (TLW_UNLIKELY(window->flags & TLW_WINDOW_HAS_CUTS)) {
            r = sum_region(s, window, true);
        } else {
            r = sum_region(s, window, false);
        }
        // Off the cells' own centre: c0 = sum m o / sum m.
        const int16_t* moment = body->slot_moment + (size_t)list[i] * TLW_LANES;
        const f8 mass = tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_MASS * slots));
        const f8 share = tlw_f8_div(all(1.0f), tlw_f8_max(mass, all(1.0f)));
        c0[i] =
            (f8x3){mul(share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_LANE * slots))),
                   mul(share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_P * slots))),
                   mul(share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_Q * slots)))};
        a[i].c[0] = sub3(r.a.c[0], scale3(r.sum, c0[i].x));
        a[i].c[1] = sub3(r.a.c[1], scale3(r.sum, c0[i].y));
        a[i].c[2] = sub3(r.a.c[2], scale3(r.sum, c0[i].z));
        c[i] = scale3(r.sum, share);
    }
    turns_from(start, a, AT_ONCE, s->rotation_iterations, turn);
    TLW_UNROLL for (int i = 0; i < AT_ONCE; ++i) {
        const tlw_blob_window* window = &body->windows[list[i]];
        store_window4(s->state[list[i]].q, multiply4(q[i], turn[i]));
        const f8x9 r = matrix_of(multiply4(start[i], turn[i]));
        const m8 is_voxel = tlw_m8_from_bits(window->occupied);
        float* fit = s->work + window->rows[4];
        f8x3 t = c[i];
        t = sub3(t, scale3(r.c[0], c0[i].x));
        t = sub3(t, scale3(r.c[1], c0[i].y));
        t = sub3(t, scale3(r.c[2], c0[i].z));
        store3(fit, s->stride, keep3(is_voxel, t));
        store3(fit + 3 * s->stride, s->stride, keep3(is_voxel, r.c[0]));
        store3(fit + 6 * s->stride, s->stride, keep3(is_voxel, r.c[1]));
        store3(fit + 9 * s->stride, s->stride, keep3(is_voxel, r.c[2]));
    }
}

void TLW_KERNEL(tlw_stage_regions)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; w += AT_ONCE) {
        uint32_t list[AT_ONCE];
        for (uint32_t i = 0; i < AT_ONCE; ++i) { // the last one twice, where they do not come out
            list[i] = w + i < last ? w + i : last - 1;
        }
        fit_windows(s, list);
    }
}
