// SPDX-License-Identifier: MIT
// Pass volume, in two stages (design.md, substep 3 and "Volume"; Iwamoto et al. 2015, Eq. 10 to 13
// with the gradients put right).
//
//     X = (p_x+ - p_x-) / 2, likewise Y, Z;   V = X . (Y x Z),   C = V - 1 within +-1
//     q_j += gain sum over stencils of  -w_j C grad_j / sum_k w_k |grad_k|^2
//
// The eight triple products of the paper are this one determinant, and the gradients are its cross
// products. The first stage works out a stencil and leaves lambda grad for its faces' two ends (the
// minus end has it negated) and for the voxel itself; the second gathers them from six neighbours.
// With one neighbour missing on an axis the voxel itself is that end, with coefficient 1 for 1/2;
// with both missing the axis is the region's rotated rest axis, a constant.
#include "runtime/kernels.h"
#include "runtime/wide.h"

// Of the linked faces along an axis: steps of tlw_blob_window.links, and their rows.
enum { LANE_MINUS = 12, LANE_PLUS = 13, P_MINUS = 10, P_PLUS = 15, Q_MINUS = 4, Q_PLUS = 21 };

typedef struct axis {
    f8x3 edge;      // X
    f8 coefficient; // 1/2, 1 or 0: of X by an end
    m8 has_minus, has_plus;
} axis;

TLW_FORCE_INLINE axis measure_axis(const tlw_substep* s, const tlw_blob_window* window, f8x3 self,
                                   size_t minus, size_t plus, int minus_link, int plus_link) {
    axis a;
    a.has_minus = tlw_m8_from_bits(window->links[minus_link]);
    a.has_plus = tlw_m8_from_bits(window->links[plus_link]);
    const f8x3 low = select3(a.has_minus, load3(s->q2 + minus, s->stride), self);
    const f8x3 high = select3(a.has_plus, load3(s->q2 + plus, s->stride), self);
    a.coefficient = tlw_f8_select(tlw_m8_and(a.has_minus, a.has_plus), all(0.5f), all(1.0f));
    a.edge = scale3(sub3(high, low), a.coefficient);
    return a;
}

// Where neither end is there.
TLW_FORCE_INLINE void set_constant(axis* a, f8x3 rest_axis) {
    const m8 has_any = tlw_m8_or(a->has_minus, a->has_plus);
    a->edge = select3(has_any, a->edge, rest_axis);
    a->coefficient = tlw_f8_keep(has_any, a->coefficient);
}

// What the voxel itself stands for: the end that is missing.
TLW_FORCE_INLINE f8x3 own_share(const axis* a, f8x3 gradient) {
    const f8x3 plus = keep3(tlw_m8_and_not(a->has_minus, a->has_plus), gradient);
    const f8x3 minus = keep3(tlw_m8_and_not(a->has_plus, a->has_minus), gradient);
    return sub3(plus, minus);
}

TLW_FORCE_INLINE void window_gradients(const tlw_substep* s, uint32_t w, bool is_thin) {
    const tlw_body* body = s->body;
    const tlw_blob_window* window = &body->windows[w];
    const uint32_t* rows = window->rows;
    const size_t slot = (size_t)w * TLW_LANES, site = rows[4];
    const f8x3 self = load3(s->q2 + site, s->stride);
    axis x = measure_axis(s, window, self, site - 1, site + 1, LANE_MINUS, LANE_PLUS);
    axis y = measure_axis(s, window, self, rows[3], rows[5], P_MINUS, P_PLUS);
    axis z = measure_axis(s, window, self, rows[1], rows[7], Q_MINUS, Q_PLUS);
    if (is_thin) {
        const f8x4 q = s->is_first_repeat ? start_rotation(load_window4(s->last[w].q))
                                          : load_window4(s->now[w].q);
        const f8x9 r = matrix_of(multiply4(load_window4(s->pose[w].rb), q));
        set_constant(&x, r.c[0]);
        set_constant(&y, r.c[1]);
        set_constant(&z, r.c[2]);
    }
    const f8x3 yz = cross3(y.edge, z.edge);
    const f8 volume = dot3(x.edge, yz);
    const f8 error = tlw_f8_min(tlw_f8_max(sub(volume, all(1.0f)), all(-1.0f)), all(1.0f));
    const f8x3 gx = scale3(yz, x.coefficient);
    const f8x3 gy = scale3(cross3(z.edge, x.edge), y.coefficient);
    const f8x3 gz = scale3(cross3(x.edge, y.edge), z.coefficient);
    const f8x3 own = add3(add3(own_share(&x, gx), own_share(&y, gy)), own_share(&z, gz));

    const float* pair = body->slot_volume_pair + slot;
    const size_t slots = body->slot_count;
    f8 sum = mul(tlw_f8_load_aligned(body->slot_volume_weight + slot), dot3(own, own));
    sum = mad(tlw_f8_load_aligned(pair), dot3(gx, gx), sum);
    sum = mad(tlw_f8_load_aligned(pair + slots), dot3(gy, gy), sum);
    sum = mad(tlw_f8_load_aligned(pair + 2 * slots), dot3(gz, gz), sum);
    const m8 counts = tlw_m8_and(tlw_f8_ge(sum, all(1e-6f)), tlw_m8_from_bits(window->occupied));
    const f8 lambda = tlw_f8_keep(counts, tlw_f8_neg(tlw_f8_div(error, sum)));
    store3(s->work + site, s->stride, scale3(gx, lambda));
    store3(s->work + 3 * s->stride + site, s->stride, scale3(gy, lambda));
    store3(s->work + 6 * s->stride + site, s->stride, scale3(gz, lambda));
    store3(s->q + site, s->stride, scale3(own, lambda));
}

void TLW_KERNEL(tlw_stage_volume_gradients)(const tlw_substep* substep, uint32_t first,
                                            uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        if (body->windows[w].flags & TLW_WINDOW_IS_THIN) {
            window_gradients(s, w, true);
        } else {
            window_gradients(s, w, false);
        }
    }
}

// What the neighbour at `at` leaves for this end; nothing if it is not linked.
TLW_FORCE_INLINE f8x3 left_at(const tlw_substep* s, const tlw_blob_window* window, bool has_cuts,
                              size_t array, size_t at, int link) {
    const f8x3 left = load3(s->work + array * s->stride + at, s->stride);
    return has_cuts ? keep3(tlw_m8_from_bits(window->links[link]), left) : left;
}

TLW_FORCE_INLINE void window_volume(const tlw_substep* s, uint32_t w, bool has_cuts) {
    const tlw_body* body = s->body;
    const tlw_blob_window* window = &body->windows[w];
    const uint32_t* rows = window->rows;
    const size_t site = rows[4];
    // This voxel is the plus end of the neighbour below, the minus end of the one above.
    f8x3 sum = load3(s->q + site, s->stride);
    sum = add3(sum, left_at(s, window, has_cuts, 0, site - 1, LANE_MINUS));
    sum = sub3(sum, left_at(s, window, has_cuts, 0, site + 1, LANE_PLUS));
    sum = add3(sum, left_at(s, window, has_cuts, 3, rows[3], P_MINUS));
    sum = sub3(sum, left_at(s, window, has_cuts, 3, rows[5], P_PLUS));
    sum = add3(sum, left_at(s, window, has_cuts, 6, rows[1], Q_MINUS));
    sum = sub3(sum, left_at(s, window, has_cuts, 6, rows[7], Q_PLUS));
    const f8 weight = mul(tlw_f8_load_aligned(body->slot_volume_weight + (size_t)w * TLW_LANES),
                          all(s->volume_gain));
    const f8x3 q = mad3(sum, weight, load3(s->q2 + site, s->stride));
    store3(s->q + site, s->stride, q);
    // Masses for the regions: 1, bone 10, nothing 0.
    const f8 kind = tlw_f8_load_aligned(body->site_body + site);
    const f8 mass = mul(kind, mad(kind, all(4.0f), all(-3.0f)));
    store3(s->mq + site, s->stride, scale3(q, mass));
}

void TLW_KERNEL(tlw_stage_volume)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        if (body->windows[w].flags & TLW_WINDOW_HAS_CUTS) {
            window_volume(s, w, true);
        } else {
            window_volume(s, w, false);
        }
    }
}
