// SPDX-License-Identifier: MIT
// Private to the passes volume and bends: the stencil of a voxel, itself and its linked faces, from
// which volume is measured (MODEL 3.5).
#ifndef TLW_RUNTIME_PASSES_STENCIL_H
#define TLW_RUNTIME_PASSES_STENCIL_H

#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// One axis of a stencil.
typedef struct axis {
    f8x3 edge;      // X / coefficient: from the minus end to the plus end
    f8 own;         // which end the voxel itself is: 1 plus, -1 minus, 0 neither
    f8 coefficient; // 1/2, or 1 where the voxel is an end
} axis;

// `at` holds the quantity by site, `self` that of the voxel. `minus` and `plus` are the sites of
// the two ends, reached by the steps after them. An empty site reads as 0, so adding the voxel
// itself puts it in the place of a missing end.
TLW_FORCE_INLINE axis measure_axis(const float* at, size_t stride, const tlw_blob_window* window,
                                   bool has_cuts, f8x3 self, const int8_t* own, size_t minus,
                                   size_t plus, int minus_step, int plus_step) {
    axis a;
    f8x3 low = load3(at + minus, stride), high = load3(at + plus, stride);
    if (has_cuts) {
        low = keep3(tlw_m8_from_bits(window->links[minus_step]), low);
        high = keep3(tlw_m8_from_bits(window->links[plus_step]), high);
    }
    a.own = tlw_f8_from_i8(tlw_i8_load_s8(own));
    a.coefficient = tlw_f8_max(tlw_f8_abs(a.own), all(0.5f));
    a.edge = mad3(self, a.own, sub3(high, low));
    return a;
}

// Makes the axis a constant where both ends are missing; returns the lanes where it is not.
TLW_FORCE_INLINE m8 set_constant(axis* a, const tlw_blob_window* window, int minus_step,
                                 int plus_step, f8x3 rest_axis) {
    const uint32_t bits = (uint32_t)window->links[minus_step] | window->links[plus_step];
    const m8 has_any = tlw_m8_from_bits(bits);
    a->edge = select3(has_any, a->edge, rest_axis);
    a->coefficient = tlw_f8_select(has_any, a->coefficient, all(1.0f));
    return has_any;
}

#endif
