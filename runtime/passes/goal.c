// SPDX-License-Identifier: MIT
// Pass goal, width 3 (MODEL 3.7). Reads the fits of the 27 regions that hold a voxel, summed along
// the lane (lanes) or, beside a cut, one by one (work); writes q. Eq. 4 and 5 of Iwamoto, Shum,
// Yang, Morishima 2015, "Multi-layer lattice model for real-time dynamic character deformation":
//
//     g = mean over regions of  R (p0 - c0) + c  =  mean of  R o + T,    q += G(ks) (g - q)
//
// Why G(ks) and not ks: the paper's dp = ks (g - p) with its own stiffnesses (0.5 to 3.3) diverges
// beyond about 1.5, while G(ks) = 1 - exp(-ks (h/h_ref)^2 / n) is stable for every ks >= 0. Why
// sums by row: this is the adjoint of the sums in regions.c, which has already added up the fits
// along the lane, so nine rows remain instead of 27 fits.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// Adds one row of regions, at offset (d_row, d_plane) from the voxel; both are compile-time
// constants. The voxel's offset in these regions is the opposite. `lanes` is one component's; the
// columns for row and plane lie 3 and 6 strides after it.
TLW_FORCE_INLINE f8 add_row(const float* lanes, size_t stride, int d_row, int d_plane, f8 sum) {
    sum = add(sum, tlw_f8_load(lanes));
    if (d_row != 0) {
        const f8 column = tlw_f8_load(lanes + 3 * stride);
        sum = d_row < 0 ? add(sum, column) : sub(sum, column);
    }
    if (d_plane != 0) {
        const f8 column = tlw_f8_load(lanes + 6 * stride);
        sum = d_plane < 0 ? add(sum, column) : sub(sum, column);
    }
    return sum;
}

// The nine rows of one component, in two sums that are added at the end: chains of additions half
// as long.
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

// goal + column times the voxel's offset in a region that lies at `offset` from it.
TLW_FORCE_INLINE f8x3 add_column(f8x3 goal, const float* column, size_t stride, int offset) {
    return offset < 0   ? add3(goal, load3(column, stride))
           : offset > 0 ? sub3(goal, load3(column, stride))
                        : goal;
}

// Whether some voxel of the window has a voxel in this row beside it that it is not linked to. Then
// the row's sums contain fits that do not hold it.
TLW_FORCE_INLINE bool has_cuts(const tlw_substep* s, const tlw_blob_window* window, int row) {
    const float* kinds = s->blob->site_kind + window->rows[row];
    uint32_t cuts = 0;
    TLW_UNROLL for (int along = -1; along < 2; ++along) {
        const int cell = 3 * row + 1 + along;
        const m8 is_voxel = tlw_f8_gt(tlw_f8_load(kinds + along), tlw_f8_zero());
        if (cell != TLW_CELL_SELF) {
            cuts |= tlw_m8_to_bits(is_voxel) & ~(uint32_t)window->links[tlw_step_of_cell(cell)];
        }
    }
    return (cuts & window->occupied) != 0;
}

// Adds the fits of a row one by one, only those of linked regions.
TLW_FORCE_INLINE f8x3 add_linked(const tlw_substep* s, const tlw_blob_window* window, int row,
                                 f8x3 sum) {
    const size_t stride = s->stride;
    TLW_UNROLL for (int along = -1; along < 2; ++along) {
        const int cell = 3 * row + 1 + along;
        const float* fit = s->work + window->rows[row] + along;
        f8x3 goal = load3(fit, stride);
        goal = add_column(goal, fit + 3 * stride, stride, along);
        goal = add_column(goal, fit + 6 * stride, stride, row % 3 - 1);
        goal = add_column(goal, fit + 9 * stride, stride, row / 3 - 1);
        if (cell != TLW_CELL_SELF) {
            goal = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell)]), goal);
        }
        sum = add3(sum, goal);
    }
    return sum;
}

// A window beside a cut. Rows without a cut are still added as sums: 24 of 832 windows had taken a
// sixth of this pass's time.
TLW_NOINLINE static f8x3 sum_linked(const tlw_substep* s, const tlw_blob_window* window) {
    const size_t stride = s->stride;
    f8x3 sum = zero3();
    TLW_UNROLL for (int row = 0; row < 9; ++row) {
        if (has_cuts(s, window, row)) {
            sum = add_linked(s, window, row, sum);
        } else {
            const float* lanes = s->lanes + window->rows[row];
            const int d_row = row % 3 - 1, d_plane = row / 3 - 1;
            sum.x = add_row(lanes, stride, d_row, d_plane, sum.x);
            sum.y = add_row(lanes + stride, stride, d_row, d_plane, sum.y);
            sum.z = add_row(lanes + 2 * stride, stride, d_row, d_plane, sum.z);
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
        const f8x3 q =
            stretched3(s->mq + rows[4], s->q + rows[4], s->stride, blob->site_kind + rows[4]);
        const f8x3 off = sub3(scale3(sum, share), q); // in an empty lane the gain is 0
        store3(s->q + rows[4], s->stride, mad3(off, gain, q));
    }
}
