// SPDX-License-Identifier: MIT
// Pass lame: elasticity in physical units of layers that the recipe says so of (MODEL 3.20), after
// the viscoelastic layer of Aubel and Thalmann 2000, "Realistic deformation of human body shapes".
//
//     (1 + c L) d1 = d*,   (1 + D^T C D) d2 = d1,   q = p_skin + Rb d2,   d = Rb^T (q - p_skin)
//
// L is the sum over linked faces of d_i - d_j, D the divergence of d at a Lame voxel. Both systems
// are solved by a few steps of Chebyshev's iteration on top of Jacobi's:
//
//     z = kept z + new P^-1 (rhs - A d),   d += z       P: the diagonal of A
//
// The stages, and what they keep where (sites; f: read at the six faces):
//
//     lame_hold        mq = q: others see the predicted q of Lame voxels
//     lame_spare       work 0-8 and mq: 0, so that no volume stencil is centred on a Lame voxel;
//                      work 9-11 = q, because the stencils of other voxels move Lame ones too
//     lame_begin       work 0-2 (f), 3-5 (f): d, of known voxels beside Lame ones too; 9-11: d*
//     lame_shear       reads one of the two d, writes the other; work 6-8: z
//     lame_divergence  mq (f): C div d times the coefficient of each axis
//     lame_bulk        d in place, work 6-8: z, 9-11: d1
//     lame_end         q
//
// Only lame_begin looks at windows without a Lame voxel; the others follow a list of those that
// have one. Lanes that hold something else, or nothing, keep their d. Why two systems, and why
// gravity is not in the start of the first: MODEL 3.20.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

#define Z   6 // arrays of work
#define RHS 9

TLW_FORCE_INLINE m8 lame_lanes(const tlw_substep* s, uint32_t w) {
    return tlw_m8_from_bits(s->blob->lame_windows[w].lanes);
}

TLW_FORCE_INLINE float* array_of(const tlw_substep* s, size_t array) {
    return s->work + array * s->stride;
}

void TLW_KERNEL(tlw_stage_lame_hold)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const uint32_t last = s->lame.block_places[end];
    for (uint32_t place = s->lame.block_places[first]; place < last; ++place) {
        const uint32_t w = s->lame.windows[place];
        const size_t site = s->blob->windows[w].rows[4];
        const f8x3 q = load3(s->q + site, s->stride), mq = load3(s->mq + site, s->stride);
        store3(s->mq + site, s->stride, select3(lame_lanes(s, w), q, mq));
    }
}

void TLW_KERNEL(tlw_stage_lame_spare)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const uint32_t last = s->lame.block_places[end];
    for (uint32_t place = s->lame.block_places[first]; place < last; ++place) {
        const uint32_t w = s->lame.windows[place];
        const size_t site = s->blob->windows[w].rows[4];
        const m8 is_lame = lame_lanes(s, w);
        for (size_t array = 0; array < 9; array += 3) {
            float* at = array_of(s, array) + site;
            store3(at, s->stride, drop3(is_lame, load3(at, s->stride)));
        }
        store3(s->mq + site, s->stride, drop3(is_lame, load3(s->mq + site, s->stride)));
        store3(array_of(s, RHS) + site, s->stride, load3(s->q + site, s->stride));
    }
}

// d of a window next to a Lame voxel. In an empty lane everything is 0.
TLW_FORCE_INLINE void begin_window(const tlw_substep* s, uint32_t w, m8 is_lame) {
    const size_t site = s->blob->windows[w].rows[4];
    const f8x4 rb = load_window4(s->pose[w].rb);
    const f8x3 kept = load3(array_of(s, RHS) + site, s->stride);
    const f8x3 q = select3(is_lame, kept, load3(s->q + site, s->stride));
    const f8x3 d = unrotate3(rb, sub3(q, load_window3(s->pose[w].skin)));
    const f8x3 fall = sub3(unrotate3(rb, all3(s->gravity)), all3(s->rest_gravity));
    store3(array_of(s, RHS) + site, s->stride, d);
    store3(array_of(s, 0) + site, s->stride, sub3(d, keep3(is_lame, fall)));
    store3(array_of(s, 3) + site, s->stride, d);
    store3(s->mq + site, s->stride, zero3());
}

void TLW_KERNEL(tlw_stage_lame_begin)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (blob->lame_windows[w].is_near) {
            begin_window(s, w, lame_lanes(s, w));
        }
    }
}

// d + z, and z itself, from P^-1 (rhs - A d). Other lanes than those of Lame voxels stay.
TLW_FORCE_INLINE void advance_window(const tlw_substep* s, size_t site, m8 is_lame, f8x3 d,
                                     f8x3 residual, float* to) {
    f8x3 z = scale3(residual, all(s->lame.new_share));
    if (s->lame.iteration > 0) {
        z = mad3(load3(array_of(s, Z) + site, s->stride), all(s->lame.kept_share), z);
    }
    z = keep3(is_lame, z);
    store3(array_of(s, Z) + site, s->stride, z);
    store3(to + site, s->stride, add3(d, z));
}

void TLW_KERNEL(tlw_stage_lame_shear)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const float* from = array_of(s, 3 * (size_t)s->lame.buffer);
    float* to = array_of(s, 3 * (size_t)(1 - s->lame.buffer));
    const uint32_t last = s->lame.block_places[end];
    for (uint32_t place = s->lame.block_places[first]; place < last; ++place) {
        const tlw_lame_window* lame = &s->lame.coefficients[place];
        const uint32_t w = s->lame.windows[place];
        const uint32_t* rows = s->blob->windows[w].rows;
        const size_t faces[6] = {rows[4] - 1, rows[4] + 1, rows[3], rows[5], rows[1], rows[7]};
        // rhs - A d = rhs + sum c_j d_j - P d
        f8x3 sum = load3(array_of(s, RHS) + rows[4], s->stride);
        TLW_UNROLL for (int i = 0; i < 6; ++i) {
            sum = mad3(load3(from + faces[i], s->stride), tlw_f8_load_aligned(lame->shear[i]), sum);
        }
        const f8x3 d = load3(from + rows[4], s->stride);
        const f8x3 residual = sub3(scale3(sum, tlw_f8_load_aligned(lame->shear_inverse)), d);
        advance_window(s, rows[4], lame_lanes(s, w), d, residual, to);
    }
}

// One component by site, at the two ends of an axis; 0 where no link leads there.
typedef struct axis_ends {
    f8 minus, plus;
} axis_ends;

TLW_FORCE_INLINE axis_ends ends_of(const float* at, const tlw_blob_window* window, bool has_cuts,
                                   int axis) {
    static const int minus_steps[3] = {TLW_STEP_LANE_MINUS, TLW_STEP_ROW_MINUS,
                                       TLW_STEP_PLANE_MINUS};
    const uint32_t* rows = window->rows;
    const size_t minus[3] = {rows[4] - 1, rows[3], rows[1]};
    const size_t plus[3] = {rows[4] + 1, rows[5], rows[7]};
    axis_ends ends = {tlw_f8_load(at + minus[axis]), tlw_f8_load(at + plus[axis])};
    if (has_cuts) {
        const int step = minus_steps[axis];
        ends.minus = tlw_f8_keep(tlw_m8_from_bits(window->links[step]), ends.minus);
        ends.plus =
            tlw_f8_keep(tlw_m8_from_bits(window->links[tlw_opposite_step(step)]), ends.plus);
    }
    return ends;
}

// Which end of an axis the voxel itself is: 1 plus, -1 minus, 0 neither.
TLW_FORCE_INLINE f8 own_end(const tlw_substep* s, uint32_t w, int axis) {
    const size_t at = (size_t)axis * s->blob->slot_count + (size_t)w * TLW_LANES;
    return tlw_f8_from_i8(tlw_i8_load_s8(s->blob->slot_volume_end + at));
}

TLW_FORCE_INLINE void window_divergence(const tlw_substep* s, uint32_t place, bool has_cuts) {
    const uint32_t w = s->lame.windows[place];
    const tlw_blob_window* window = &s->blob->windows[w];
    const size_t site = window->rows[4];
    const float* d = array_of(s, 3 * (size_t)s->lame.buffer);
    f8 coefficients[3], divergence = tlw_f8_zero();
    TLW_UNROLL for (int axis = 0; axis < 3; ++axis) {
        const float* at = d + (size_t)axis * s->stride;
        const axis_ends ends = ends_of(at, window, has_cuts, axis);
        const f8 own = own_end(s, w, axis);
        const f8 edge = mad(tlw_f8_load(at + site), own, sub(ends.plus, ends.minus));
        coefficients[axis] = tlw_f8_max(tlw_f8_abs(own), all(0.5f));
        divergence = mad(edge, coefficients[axis], divergence);
    }
    const f8 push = mul(divergence, tlw_f8_load_aligned(s->lame.coefficients[place].bulk));
    store3(
        s->mq + site, s->stride,
        (f8x3){mul(push, coefficients[0]), mul(push, coefficients[1]), mul(push, coefficients[2])});
}

void TLW_KERNEL(tlw_stage_lame_divergence)(const tlw_substep* substep, uint32_t first,
                                           uint32_t end) {
    TLW_STAGE_COPY(substep);
    const uint32_t last = s->lame.block_places[end];
    for (uint32_t place = s->lame.block_places[first]; place < last; ++place) {
        if (s->blob->windows[s->lame.windows[place]].flags & TLW_WINDOW_HAS_CUTS) {
            window_divergence(s, place, true);
        } else {
            window_divergence(s, place, false);
        }
    }
}

// The voxel is the plus end of its neighbour on the minus side, and the minus end of the other.
TLW_FORCE_INLINE f8 push_along(const tlw_substep* s, uint32_t w, bool has_cuts, int axis) {
    const tlw_blob_window* window = &s->blob->windows[w];
    const float* at = s->mq + (size_t)axis * s->stride;
    const axis_ends ends = ends_of(at, window, has_cuts, axis);
    return mad(tlw_f8_load(at + window->rows[4]), own_end(s, w, axis), sub(ends.minus, ends.plus));
}

TLW_FORCE_INLINE void window_bulk(const tlw_substep* s, uint32_t place, bool has_cuts) {
    const uint32_t w = s->lame.windows[place];
    const tlw_lame_window* lame = &s->lame.coefficients[place];
    const size_t site = s->blob->windows[w].rows[4];
    float* at = array_of(s, 3 * (size_t)s->lame.buffer);
    const f8x3 d = load3(at + site, s->stride);
    const f8x3 push = {push_along(s, w, has_cuts, 0), push_along(s, w, has_cuts, 1),
                       push_along(s, w, has_cuts, 2)};
    f8x3 residual = sub3(zero3(), push);
    if (s->lame.iteration == 0) { // d is d1 still
        store3(array_of(s, RHS) + site, s->stride, d);
    } else {
        residual = sub3(sub3(load3(array_of(s, RHS) + site, s->stride), d), push);
    }
    const f8x3 inverse = load_window3(lame->bulk_inverse);
    residual =
        (f8x3){mul(residual.x, inverse.x), mul(residual.y, inverse.y), mul(residual.z, inverse.z)};
    advance_window(s, site, lame_lanes(s, w), d, residual, at);
}

void TLW_KERNEL(tlw_stage_lame_bulk)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const uint32_t last = s->lame.block_places[end];
    for (uint32_t place = s->lame.block_places[first]; place < last; ++place) {
        if (s->blob->windows[s->lame.windows[place]].flags & TLW_WINDOW_HAS_CUTS) {
            window_bulk(s, place, true);
        } else {
            window_bulk(s, place, false);
        }
    }
}

void TLW_KERNEL(tlw_stage_lame_end)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const float* from = array_of(s, 3 * (size_t)s->lame.buffer);
    const uint32_t last = s->lame.block_places[end];
    for (uint32_t place = s->lame.block_places[first]; place < last; ++place) {
        const uint32_t w = s->lame.windows[place];
        const size_t site = s->blob->windows[w].rows[4];
        const f8x3 off = rotate3(load_window4(s->pose[w].rb), load3(from + site, s->stride));
        const f8x3 q = add3(load_window3(s->pose[w].skin), off);
        const f8x3 other = load3(s->q + site, s->stride);
        store3(s->q + site, s->stride, select3(lame_lanes(s, w), q, other));
    }
}
