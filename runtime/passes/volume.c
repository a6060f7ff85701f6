// SPDX-License-Identifier: MIT
// Pass volume, in two stages (MODEL 3.5). Stage volume_gradients reads q of a voxel and its faces
// and writes what the voxel's stencil wants to push its faces (work) and itself (mq); stage volume
// gathers the pushes from the six faces and writes q. Eq. 10 to 13 of Iwamoto, Shum, Yang,
// Morishima 2015, "Multi-layer lattice model for real-time dynamic character deformation", with the
// gradients corrected, projected as in Mueller, Heidelberger, Hennix, Ratcliff 2007, "Position
// based dynamics":
//
//     X = (q_x+ - q_x-) / 2, likewise Y, Z;   V = X . (Y x Z),   C = V - 1 clamped to +-1
//     dV/dq_x+- = +- 1/2 (Y x Z), likewise y, z
//     q_j += gain sum over stencils of  -w_j C grad_j / D,   gain = 0.5 G(2)
//     D = max(sum_k w_k |grad_k|^2, 2/3 of the same sum at rest)
//
// A stencil is a voxel and its linked faces; lambda is -C / D. Why a floor: the gradients of a
// crushed cell are so small that the step to volume 1 along them overshoots, and cells in a corner
// went back and forth by 0.1 voxel.
//
// Why a determinant: the eight triple products of Eq. 11 are this one determinant, and its
// gradients are its cross products, while the printed gradients (Eq. 12) are wrong in sign and
// partly zero; the pass brings the mean of |V - 1| from 0.056 to 0.034. Why two stages: each voxel
// then only writes itself; the first stage leaves lambda grad for the plus end of each axis, and
// the minus end takes it negated.
//
// With one neighbour missing along an axis the voxel itself is that end, and the coefficient is 1
// instead of 1/2. With both missing the axis is the region's rotated rest axis, a constant. The
// product of the three coefficients is common to the volume and to all gradients, and is multiplied
// in once (166 to 130 cycles per window, together with adding the voxel where an end is missing).
#include "runtime/passes/kernels.h"
#include "runtime/passes/stencil.h"

TLW_FORCE_INLINE void window_gradients(const tlw_substep* s, uint32_t w, bool has_cuts,
                                       bool is_thin) {
    const tlw_blob_arrays* blob = s->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const uint32_t* rows = window->rows;
    const size_t slot = (size_t)w * TLW_LANES, site = rows[4];
    const f8x3 self = load3(s->q + site, s->stride);
    const size_t slots = blob->slot_count;
    const int8_t* own_x = blob->slot_volume_end + slot;
    const int8_t *own_y = own_x + slots, *own_z = own_y + slots;
    axis x = measure_axis(s->q, s->stride, window, has_cuts, self, own_x, site - 1, site + 1,
                          TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS);
    axis y = measure_axis(s->q, s->stride, window, has_cuts, self, own_y, rows[3], rows[5],
                          TLW_STEP_ROW_MINUS, TLW_STEP_ROW_PLUS);
    axis z = measure_axis(s->q, s->stride, window, has_cuts, self, own_z, rows[1], rows[7],
                          TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS);
    m8 has_x = tlw_m8_first(TLW_LANES), has_y = has_x, has_z = has_x;
    if (is_thin) {
        const f8x9 r =
            matrix_of(multiply4(load_window4(s->pose[w].rb), load_window4(s->now[w].rotation)));
        has_x = set_constant(&x, window, TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS, r.c[0]);
        has_y = set_constant(&y, window, TLW_STEP_ROW_MINUS, TLW_STEP_ROW_PLUS, r.c[1]);
        has_z = set_constant(&z, window, TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS, r.c[2]);
    }
    f8x3 gx = cross3(y.edge, z.edge), gy = cross3(z.edge, x.edge), gz = cross3(x.edge, y.edge);
    const f8 coefficient = mul(mul(x.coefficient, y.coefficient), z.coefficient);
    const f8 volume = mul(coefficient, dot3(x.edge, gx));
    const f8 error = tlw_f8_min(tlw_f8_max(sub(all(1.0f), volume), all(-1.0f)), all(1.0f));
    if (is_thin) {
        gx = keep3(has_x, gx);
        gy = keep3(has_y, gy);
        gz = keep3(has_z, gz);
    }
    const f8x3 own = mad3(gz, z.own, mad3(gy, y.own, scale3(gx, x.own)));

    const float* pair = blob->slot_volume_pair + slot;
    const f8 weight = tlw_f8_load_aligned(blob->slot_volume_weight + slot);
    const f8 pair_x = tlw_f8_load_aligned(pair), pair_y = tlw_f8_load_aligned(pair + slots),
             pair_z = tlw_f8_load_aligned(pair + 2 * slots);
    f8 sum = mul(weight, dot3(own, own));
    sum = mad(pair_x, dot3(gx, gx), sum);
    sum = mad(pair_y, dot3(gy, gy), sum);
    sum = mad(pair_z, dot3(gz, gz), sum);
    // At rest the gradient of an axis is as long as its coefficient, and 0 along a constant one,
    // whose pair has no weight.
    f8 rest = mul(weight, mad(x.own, x.own, mad(y.own, y.own, mul(z.own, z.own))));
    rest = mad(pair_x, mul(x.coefficient, x.coefficient), rest);
    rest = mad(pair_y, mul(y.coefficient, y.coefficient), rest);
    rest = mad(pair_z, mul(z.coefficient, z.coefficient), rest);
    const f8 denominator =
        tlw_f8_max(mul(sum, mul(coefficient, coefficient)), mul(rest, all(2.0f / 3.0f)));
    // In an empty lane all weights are 0, and so are both sums.
    const m8 counts = tlw_f8_ge(denominator, all(1e-6f));
    const f8 lambda = tlw_f8_keep(counts, tlw_f8_div(mul(error, coefficient), denominator));
    store3(s->work + site, s->stride, scale3(gx, lambda));
    store3(s->work + 3 * s->stride + site, s->stride, scale3(gy, lambda));
    store3(s->work + 6 * s->stride + site, s->stride, scale3(gz, lambda));
    store3(s->mq + site, s->stride, scale3(own, lambda));
}

// Windows beside a cut or with thin parts, which are rare.
static TLW_NOINLINE void rare_gradients(const tlw_substep* s, uint32_t w, uint32_t flags) {
    if (flags == TLW_WINDOW_HAS_CUTS) {
        window_gradients(s, w, true, false);
    } else if (flags == TLW_WINDOW_IS_THIN) {
        window_gradients(s, w, false, true);
    } else {
        window_gradients(s, w, true, true);
    }
}

void TLW_KERNEL(tlw_stage_volume_gradients)(const tlw_substep* substep, uint32_t first,
                                            uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const uint32_t flags = blob->windows[w].flags & (TLW_WINDOW_HAS_CUTS | TLW_WINDOW_IS_THIN);
        if (flags == 0) {
            window_gradients(s, w, false, false);
        } else {
            rare_gradients(s, w, flags);
        }
    }
}

// lambda grad of the neighbour at site `at`, along the axis whose gradients begin with array
// `array` of work; 0 if it is not linked.
TLW_FORCE_INLINE f8x3 push_from(const tlw_substep* s, const tlw_blob_window* window, bool has_cuts,
                                size_t array, size_t at, int step) {
    const f8x3 push = load3(s->work + array * s->stride + at, s->stride);
    return has_cuts ? keep3(tlw_m8_from_bits(window->links[step]), push) : push;
}

TLW_FORCE_INLINE void window_volume(const tlw_substep* s, uint32_t w, bool has_cuts) {
    const tlw_blob_arrays* blob = s->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const uint32_t* rows = window->rows;
    const size_t site = rows[4];
    // This voxel is the plus end of its neighbour on the minus side, and the minus end of the
    // other.
    f8x3 sum = load3(s->mq + site, s->stride);
    sum = add3(sum, push_from(s, window, has_cuts, 0, site - 1, TLW_STEP_LANE_MINUS));
    sum = sub3(sum, push_from(s, window, has_cuts, 0, site + 1, TLW_STEP_LANE_PLUS));
    sum = add3(sum, push_from(s, window, has_cuts, 3, rows[3], TLW_STEP_ROW_MINUS));
    sum = sub3(sum, push_from(s, window, has_cuts, 3, rows[5], TLW_STEP_ROW_PLUS));
    sum = add3(sum, push_from(s, window, has_cuts, 6, rows[1], TLW_STEP_PLANE_MINUS));
    sum = sub3(sum, push_from(s, window, has_cuts, 6, rows[7], TLW_STEP_PLANE_PLUS));
    const f8 weight = mul(tlw_f8_load_aligned(blob->slot_volume_weight + (size_t)w * TLW_LANES),
                          all(s->volume_gain));
    store3(s->q + site, s->stride, mad3(sum, weight, load3(s->q + site, s->stride)));
}

void TLW_KERNEL(tlw_stage_volume)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (blob->windows[w].flags & TLW_WINDOW_HAS_CUTS) {
            window_volume(s, w, true);
        } else {
            window_volume(s, w, false);
        }
    }
}
