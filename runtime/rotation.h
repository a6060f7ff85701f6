// SPDX-License-Identifier: MIT
// Private to runtime: the rotation of a 3x3 matrix by Newton's method on the rotation, eight at a
// time, from a start that is near (design.md, "Rotation").
//
//     B = R^T A,  S = sym B,  g = (B32 - B23, B13 - B31, B21 - B12),  (tr(S) I - S) w = g,
//     R = R exp(w),  |w| <= 1
//
// Where the system is not safely positive (rods, plates, points): w = g / (|tr S| + 1e-6).
#ifndef TLW_RUNTIME_ROTATION_H
#define TLW_RUNTIME_ROTATION_H

#include "runtime/wide.h"

// A step below 0.03 rad in every lane has converged where the system is well set: terms of second
// order cancel in g(exp(-w) B), and of the third there remains
//     |w|^2 w / 12 + (w . g) K^-1 w / 4,
// |w|^3 / 3 = 1e-5 rad for a ball. On what is nearly a rod K^-1 makes it many times as much.
#define TLW_SMALL_TURN 9e-4f  // |w|^2
#define TLW_WELL_SET   500.0f // times the determinant of a system that is just safe

// w of b = R^T A, 0 in lanes that hold nothing; and whether the system is far from singular in all
// others.
TLW_WIDE_HELPER f8x3 solve_turn(f8x9 b, m8 counts, bool* is_well_set) {
    // Columns: b.c[j] holds B1j, B2j, B3j.
    const f8x3 g = {sub(b.c[1].z, b.c[2].y), sub(b.c[2].x, b.c[0].z), sub(b.c[0].y, b.c[1].x)};
    const f8 half = all(0.5f);
    const f8 s00 = b.c[0].x, s11 = b.c[1].y, s22 = b.c[2].z;
    // K = tr(S) I - S, with the signs of what is off the diagonal turned.
    const f8 n01 = mul(half, add(b.c[1].x, b.c[0].y));
    const f8 n02 = mul(half, add(b.c[2].x, b.c[0].z));
    const f8 n12 = mul(half, add(b.c[2].y, b.c[1].z));
    const f8 k00 = add(s11, s22), k11 = add(s00, s22), k22 = add(s00, s11);
    const f8 trace = add(k22, s22);
    const f8 c00 = sub(mul(k11, k22), mul(n12, n12));
    const f8 c11 = sub(mul(k00, k22), mul(n02, n02));
    const f8 c22 = sub(mul(k00, k11), mul(n01, n01));
    const f8 c01 = mad(n02, n12, mul(n01, k22));
    const f8 c02 = mad(n01, n12, mul(n02, k11));
    const f8 c12 = mad(n01, n02, mul(k00, n12));
    const f8 determinant = sub(sub(mul(k00, c00), mul(n01, c01)), mul(n02, c02));
    const f8 floor = mul(mul(mul(trace, trace), trace), all(1e-4f));
    m8 is_safe = tlw_m8_and(tlw_f8_gt(k00, tlw_f8_zero()), tlw_f8_gt(c22, tlw_f8_zero()));
    is_safe = tlw_m8_and(is_safe, tlw_f8_gt(determinant, tlw_f8_max(floor, tlw_f8_zero())));
    *is_well_set =
        tlw_m8_none(tlw_m8_and_not(counts, tlw_f8_gt(determinant, mul(floor, all(TLW_WELL_SET)))));
    const f8x3 w = {mad(c02, g.z, mad(c01, g.y, mul(c00, g.x))),
                    mad(c12, g.z, mad(c11, g.y, mul(c01, g.x))),
                    mad(c22, g.z, mad(c12, g.y, mul(c02, g.x)))};
    const f8 divisor = tlw_f8_select(is_safe, determinant, add(tlw_f8_abs(trace), all(1e-6f)));
    const f8 share = tlw_f8_keep(counts, tlw_f8_div(all(1.0f), divisor));
    return scale3(select3(is_safe, w, g), share);
}

// The quaternion of exp(w), |w| held to 1: Taylor in |w|^2, to float's last place. Also whether all
// are small.
TLW_WIDE_HELPER f8x4 exponential(f8x3 w, bool* is_small) {
    f8 t = dot3(w, w);
    *is_small = tlw_m8_all(tlw_f8_lt(t, all(TLW_SMALL_TURN)));
    const m8 is_long = tlw_f8_gt(t, all(1.0f));
    if (tlw_m8_any(is_long)) {
        w = select3(is_long, scale3(w, tlw_f8_div(all(1.0f), tlw_f8_sqrt(t))), w);
        t = tlw_f8_select(is_long, all(1.0f), t);
    }
    // A square below this changes no bit, and its own square would be a denormal, which costs more
    // than all the rest.
    t = tlw_f8_max(t, all(1e-12f));
    // In pairs of terms, for a shorter chain. sin(|w|/2) / |w|, and cos(|w|/2).
    const f8 t2 = mul(t, t);
    const f8 sine = mad(t2, mad(t, all(-1.0f / 645120.0f), all(1.0f / 3840.0f)),
                        mad(t, all(-1.0f / 48.0f), all(0.5f)));
    const f8 cosine =
        mad(t2, mad(t2, all(1.0f / 10321920.0f), mad(t, all(-1.0f / 46080.0f), all(1.0f / 384.0f))),
            mad(t, all(-0.125f), all(1.0f)));
    return (f8x4){mul(w.x, sine), mul(w.y, sine), mul(w.z, sine), cosine};
}

// A Newton step is one long chain of operations, and one window's does not fit the registers. So
// many windows go through it together, in loops so short that the CPU works on several windows at
// once; what passes from loop to loop stays in the first cache. One loop for all of it took 1.6
// times as long, two windows turn and turn about 1.5 times.
#define TLW_TURNS_MAX 20

typedef struct tlw_turns {
    f8x9 start[TLW_TURNS_MAX];      // R^T A
    f8x4 turn[TLW_TURNS_MAX];       // in R's own frame, takes it to the rotation of A
    uint32_t counts[TLW_TURNS_MAX]; // bits of the lanes that hold a voxel
} tlw_turns;

// From `start`, Newton steps: turn = exp(w1) exp(w2) ..., `iterations` or until converged.
TLW_WIDE_HELPER void find_turns(tlw_turns* t, uint32_t count, uint32_t iterations) {
    uint32_t list[TLW_TURNS_MAX], left = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool is_well_set, is_small;
        const m8 counts = tlw_m8_from_bits(t->counts[i]);
        t->turn[i] = exponential(solve_turn(t->start[i], counts, &is_well_set), &is_small);
        list[left] = i;
        left += !(is_well_set && is_small);
    }
    f8x9 b[TLW_TURNS_MAX];
    for (uint32_t k = 1; k < iterations && left > 0; ++k) {
        for (uint32_t i = 0; i < left; ++i) {
            b[i] = transposed_times(matrix_of(t->turn[list[i]]), t->start[list[i]]);
        }
        const uint32_t last = left;
        left = 0;
        for (uint32_t i = 0; i < last; ++i) {
            const uint32_t which = list[i];
            const m8 counts = tlw_m8_from_bits(t->counts[which]);
            bool is_well_set, is_small;
            const f8x4 turn = exponential(solve_turn(b[i], counts, &is_well_set), &is_small);
            t->turn[which] = multiply4(t->turn[which], turn);
            list[left] = which;
            left += !(is_well_set && is_small);
        }
    }
}

#endif
