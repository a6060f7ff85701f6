// SPDX-License-Identifier: MIT
// Pass goal, width 3. Reads the fits of the 27 regions that hold a voxel; writes q (design.md,
// substep 4).
//
//     g = mean over regions of  R (p0 - c0) + c  =  mean of  R o + T,    q += G(ks) (g - q)
//
// The adjoint of the sums in pass_regions.c, which has summed the fits along the lane axis; what
// remains are nine rows.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// Sum over one row of regions at (dp, dq), dp and dq constants: -dp and -dq of the voxel in them.
// `lanes` is one component's; columns p and q lie 3 and 6 strides behind it.
TLW_FORCE_INLINE f8 add_row(const float* lanes, size_t stride, int dp, int dq, f8 sum) {
    sum = add(sum, tlw_f8_load(lanes));
    if (dp != 0) {
        const f8 p = tlw_f8_load(lanes + 3 * stride);
        sum = dp < 0 ? add(sum, p) : sub(sum, p);
    }
    if (dq != 0) {
        const f8 q = tlw_f8_load(lanes + 6 * stride);
        sum = dq < 0 ? add(sum, q) : sub(sum, q);
    }
    return sum;
}

// One component at a time, and two sums that meet at the end: chains half as long.
TLW_FORCE_INLINE f8 sum_rows(const float* lanes, size_t stride, const uint32_t* rows) {
    f8 a = tlw_f8_load(lanes + rows[4]);
    f8 b = add_row(lanes + rows[0], stride, -1, -1, tlw_f8_zero());
    a = add_row(lanes + rows[1], stride, 0, -1, a);
    b = add_row(lanes + rows[2], stride, 1, -1, b);
    a = add_row(lanes + rows[3], stride, -1, 0, a);
    a = add_row(lanes + rows[5], stride, 1, 0, a);
    b = add_row(lanes + rows[6], stride, -1, 1, b);
    a = add_row(lanes + rows[7], stride, 0, 1, a);
    b = add_row(lanes + rows[8], stride, 1, 1, b);
    return add(a, b);
}

// goal + column times the voxel's step in a region at `step`, which is the opposite.
TLW_FORCE_INLINE f8x3 add_column(f8x3 goal, const float* column, size_t stride, int step) {
    return step < 0   ? add3(goal, load3(column, stride))
           : step > 0 ? sub3(goal, load3(column, stride))
                      : goal;
}

// Whether a voxel has one that it is not linked to beside it along the steps of a row: then their
// sum is not what it feels.
TLW_FORCE_INLINE bool has_cuts(const tlw_substep* s, const tlw_blob_window* window, int row) {
    const float* blob = s->blob->site_kind + window->rows[row];
    uint32_t cuts = 0;
    TLW_UNROLL for (int along = -1; along < 2; ++along) {
        const int step = 3 * row + 1 + along;
        const m8 is_voxel = tlw_f8_gt(tlw_f8_load(blob + along), tlw_f8_zero());
        if (step != 13) {
            cuts |= tlw_m8_to_bits(is_voxel) & ~(uint32_t)window->links[step - (step > 13)];
        }
    }
    return (cuts & window->occupied) != 0;
}

// One region after the other, where some are not linked.
TLW_FORCE_INLINE f8x3 add_linked(const tlw_substep* s, const tlw_blob_window* window, int row,
                                 f8x3 sum) {
    const size_t stride = s->stride;
    TLW_UNROLL for (int along = -1; along < 2; ++along) {
        const int step = 3 * row + 1 + along;
        const float* fit = s->work + window->rows[row] + along;
        f8x3 goal = load3(fit, stride);
        goal = add_column(goal, fit + 3 * stride, stride, along);
        goal = add_column(goal, fit + 6 * stride, stride, row % 3 - 1);
        goal = add_column(goal, fit + 9 * stride, stride, row / 3 - 1);
        if (step != 13) {
            goal = keep3(tlw_m8_from_bits(window->links[step - (step > 13)]), goal);
        }
        sum = add3(sum, goal);
    }
    return sum;
}

TLW_NOINLINE static f8x3 sum_linked(const tlw_substep* s, const tlw_blob_window* window) {
    const size_t stride = s->stride;
    f8x3 sum = zero3();
    TLW_UNROLL for (int row = 0; row < 9; ++row) {
        if (has_cuts(s, window, row)) {
            sum = add_linked(s, window, row, sum);
        } else {
            const float* lanes = s->lanes + window->rows[row];
            const int dp = row % 3 - 1, dq = row / 3 - 1;
            sum.x = add_row(lanes, stride, dp, dq, sum.x);
            sum.y = add_row(lanes + stride, stride, dp, dq, sum.y);
            sum.z = add_row(lanes + 2 * stride, stride, dp, dq, sum.z);
        }
    }
    return sum;
}

void TLW_KERNEL(tlw_stage_goal)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &blob->windows[w];
        const uint32_t* rows = window->rows;
        f8x3 sum;
        if (window->flags & TLW_WINDOW_HAS_CUTS) {
            sum = sum_linked(s, window);
        } else {
            sum = (f8x3){sum_rows(s->lanes, s->stride, rows),
                         sum_rows(s->lanes + s->stride, s->stride, rows),
                         sum_rows(s->lanes + 2 * s->stride, s->stride, rows)};
        }
        const size_t slot = (size_t)w * TLW_LANES;
        const f8 count = tlw_f8_from_i8(tlw_i8_load_u8(blob->slot_regions + slot));
        const f8 share = tlw_f8_div(all(1.0f), tlw_f8_max(count, all(1.0f)));
        const f8 gain = tlw_f8_load_aligned(s->gains[w].goal);
        const f8x3 q = load3(s->q + rows[4], s->stride);
        const f8x3 off = sub3(scale3(sum, share), q); // an empty lane has no gain
        store3(s->q + rows[4], s->stride, mad3(off, gain, q));
    }
}
