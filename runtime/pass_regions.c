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

typedef struct row_sums {
    f8x3 sum, difference;
} row_sums;

// Sums of three sites in a row; `links` are the bits of the three steps.
TLW_FORCE_INLINE row_sums sum_row(const tlw_substep* s, const tlw_blob_window* window,
                                  bool has_cuts, int row) {
    const size_t at = window->rows[row];
    f8x3 a = load_sites(s->mq, at - 1), b = load_sites(s->mq, at), c = load_sites(s->mq, at + 1);
    if (has_cuts) {
        const int step = row * 3 - (row > 4); // of links: the cell itself is left out
        a = keep3(tlw_m8_from_bits(window->links[step]), a);
        if (row == 4) {
            c = keep3(tlw_m8_from_bits(window->links[step + 1]), c);
        } else {
            b = keep3(tlw_m8_from_bits(window->links[step + 1]), b);
            c = keep3(tlw_m8_from_bits(window->links[step + 2]), c);
        }
    }
    return (row_sums){add3(add3(a, c), b), sub3(c, a)};
}

TLW_FORCE_INLINE void fit_window(const tlw_substep* s, uint32_t w, bool has_cuts) {
    const tlw_body* body = s->body;
    const tlw_blob_window* window = &body->windows[w];
    f8x9 a;
    f8x3 sum;
    {
        // Planes of q one after the other: nine rows at once do not fit the registers.
        row_sums low = sum_row(s, window, has_cuts, 0), mid = sum_row(s, window, has_cuts, 1),
                 high = sum_row(s, window, has_cuts, 2);
        f8x3 below = add3(add3(low.sum, high.sum), mid.sum);
        a.c[0] = add3(add3(low.difference, high.difference), mid.difference);
        a.c[1] = sub3(high.sum, low.sum);

        low = sum_row(s, window, has_cuts, 3);
        mid = sum_row(s, window, has_cuts, 4);
        high = sum_row(s, window, has_cuts, 5);
        sum = add3(add3(low.sum, high.sum), mid.sum);
        a.c[0] = add3(a.c[0], add3(add3(low.difference, high.difference), mid.difference));
        a.c[1] = add3(a.c[1], sub3(high.sum, low.sum));

        low = sum_row(s, window, has_cuts, 6);
        mid = sum_row(s, window, has_cuts, 7);
        high = sum_row(s, window, has_cuts, 8);
        const f8x3 above = add3(add3(low.sum, high.sum), mid.sum);
        a.c[0] = add3(a.c[0], add3(add3(low.difference, high.difference), mid.difference));
        a.c[1] = add3(a.c[1], sub3(high.sum, low.sum));
        a.c[2] = sub3(above, below);
        sum = add3(add3(below, above), sum);
    }
    // Off the cells' own centre: c0 = sum m o / sum m.
    const int16_t* moment = body->slot_moment + (size_t)w * TLW_LANES;
    const size_t slots = body->slot_count;
    const f8 mass = tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_MASS * slots));
    const f8 share = tlw_f8_div(all(1.0f), tlw_f8_max(mass, all(1.0f)));
    const f8x3 c0 = {mul(share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_LANE * slots))),
                     mul(share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_P * slots))),
                     mul(share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_Q * slots)))};
    a.c[0] = sub3(a.c[0], scale3(sum, c0.x));
    a.c[1] = sub3(a.c[1], scale3(sum, c0.y));
    a.c[2] = sub3(a.c[2], scale3(sum, c0.z));

    tlw_window_state* state = &s->state[w];
    f8x4 q = load_window4(state->q);
    if (s->is_first_repeat) {
        store_window4(state->q0, q);
        q = start_rotation(q);
    }
    const f8x4 rb = load_window4(s->pose[w].rb);
    q = multiply4(q, rotation_from(multiply4(rb, q), a, s->rotation_iterations));
    store_window4(state->q, q);

    const f8x9 r = matrix_of(multiply4(rb, q));
    const m8 is_voxel = tlw_m8_from_bits(window->occupied);
    const size_t site = window->rows[4];
    f8x3 t = scale3(sum, share);
    t = sub3(t, scale3(r.c[0], c0.x));
    t = sub3(t, scale3(r.c[1], c0.y));
    t = sub3(t, scale3(r.c[2], c0.z));
    store_sites(s->work, site, keep3(is_voxel, t));
    store_sites(s->work + 3, site, keep3(is_voxel, r.c[0]));
    store_sites(s->work + 6, site, keep3(is_voxel, r.c[1]));
    store_sites(s->work + 9, site, keep3(is_voxel, r.c[2]));
}

void TLW_KERNEL(tlw_stage_regions)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        if (body->windows[w].flags & TLW_WINDOW_HAS_CUTS) {
            fit_window(s, w, true);
        } else {
            fit_window(s, w, false);
        }
    }
}
