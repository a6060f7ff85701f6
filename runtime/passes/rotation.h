// SPDX-License-Identifier: MIT
// Private to runtime: the rotation of a region, eight at a time (MODEL 3.6). Reads R^T A, where R
// is a rotation that is already near; gives the correction, a quaternion in R's own frame, that
// takes R to the rotation of A: R = R correction. Newton's method on the rotation finds the R that
// fits best, the one that Mueller, Heidelberger, Teschner, Gross 2005, "Meshless deformations based
// on shape matching" (Eq. 7 and 8) take from the polar decomposition of A:
//
//     B = R^T A,  S = sym B,  g = (B32 - B23, B13 - B31, B21 - B12),  (tr(S) I - S) w = g,
//     correction = exp(w),  |w| <= 1
//
// Where the system is not safely positive definite (rods, plates, points): w = g / (|tr S| + 1e-6).
//
// Why Newton from a start: on a part that is one voxel thick A has no unique rotation, the polar
// decomposition is NaN and exact methods flip by 180 degrees from frame to frame, while Newton
// stays with the rotation that it started from wherever A does not say otherwise. Why one corrected
// step stands for two: regions rotate little in a substep, so a step whose third-order error is
// taken off ends within 1.2e-5 rad of two steps (regions took 280 instead of 346 cycles per
// window).
#ifndef TLW_RUNTIME_PASSES_ROTATION_H
#define TLW_RUNTIME_PASSES_ROTATION_H

#include "runtime/passes/wide.h"

// The linear system of a Newton step: g, and K = tr(S) I - S by its cofactors.
typedef struct newton_system {
    f8x3 g;
    f8 c00, c11, c22, c01, c02, c12;
    f8 determinant, trace;
    m8 has_minors; // the first two leading minors are positive
} newton_system;

// From b = R^T A by columns: b.c[j] holds B1j, B2j, B3j.
TLW_WIDE_HELPER newton_system set_up_newton(const f8x9* b) {
    newton_system y;
    y.g = (f8x3){sub(b->c[1].z, b->c[2].y), sub(b->c[2].x, b->c[0].z), sub(b->c[0].y, b->c[1].x)};
    const f8 half = all(0.5f);
    const f8 s00 = b->c[0].x, s11 = b->c[1].y, s22 = b->c[2].z;
    // The elements of K off the diagonal are -n01, -n02, -n12.
    const f8 n01 = mul(half, add(b->c[1].x, b->c[0].y));
    const f8 n02 = mul(half, add(b->c[2].x, b->c[0].z));
    const f8 n12 = mul(half, add(b->c[2].y, b->c[1].z));
    const f8 k00 = add(s11, s22), k11 = add(s00, s22), k22 = add(s00, s11);
    y.trace = add(k22, s22);
    y.c00 = sub(mul(k11, k22), mul(n12, n12));
    y.c11 = sub(mul(k00, k22), mul(n02, n02));
    y.c22 = sub(mul(k00, k11), mul(n01, n01));
    y.c01 = mad(n02, n12, mul(n01, k22));
    y.c02 = mad(n01, n12, mul(n02, k11));
    y.c12 = mad(n01, n02, mul(k00, n12));
    y.determinant = sub(sub(mul(k00, y.c00), mul(n01, y.c01)), mul(n02, y.c02));
    y.has_minors = tlw_m8_and(tlw_f8_gt(k00, tlw_f8_zero()), tlw_f8_gt(y.c22, tlw_f8_zero()));
    return y;
}

// det(K) K^-1 v
TLW_WIDE_HELPER f8x3 cofactors_times(const newton_system* y, f8x3 v) {
    return (f8x3){mad(y->c02, v.z, mad(y->c01, v.y, mul(y->c00, v.x))),
                  mad(y->c12, v.z, mad(y->c11, v.y, mul(y->c01, v.x))),
                  mad(y->c22, v.z, mad(y->c12, v.y, mul(y->c02, v.x)))};
}

// Whether K is positive definite with det(K) > share tr(S)^3.
TLW_WIDE_HELPER m8 is_well_set(const newton_system* y, float share) {
    const f8 floor = mul(mul(y->trace, y->trace), mul(y->trace, all(share)));
    return tlw_m8_and(y->has_minors, tlw_f8_gt(y->determinant, tlw_f8_max(floor, tlw_f8_zero())));
}

// From B = exp(theta) P, P symmetric, one Newton step w overshoots theta by
//     |w|^2 w / 12 + (w . g) K^-1 w / 4
// and terms of fifth order; the terms of second and fourth order cancel. With these two taken off,
// a step below 0.1 rad ends within 1.2e-5 rad of two steps, provided that K is well set: where the
// region is nearly a rod, K^-1 makes the error many times larger. The correction is made as the
// quaternion (u, 1), normalised, with u = tan(|theta|/2) theta / |theta|. The third order of the
// tangent is just what takes off the first of the two terms, so that
//     u = w/2 - (w . g) K^-1 w / 8
// Below 0.05 rad it is enough to take K for a multiple of I, which gives u = w/2 (1 - |w|^2 / 4):
// with random P that were just well set the worst was 6e-5 rad off, the mean 5e-6
// (tests/runtime/test_rotation.c).
#define TLW_NEAR_CORRECTION  6.25e-4f // |u|^2 of 0.05 rad
#define TLW_CLOSE_CORRECTION 2.5e-3f  // |u|^2 of 0.1 rad
#define TLW_WELL_SET         0.05f    // det(K) over tr(S)^3

// The correction from b = R^T A in one step. False, and the correction useless, unless every
// occupied lane is well set and below 0.05 rad; with `is_exact`, which takes off both terms, below
// 0.1 rad. The identity in lanes that are not occupied.
TLW_WIDE_HELPER bool find_correction(const f8x9* b, m8 occupied, bool is_exact, f8x4* correction) {
    const newton_system y = set_up_newton(b);
    const f8 share = tlw_f8_keep(occupied, tlw_f8_div(all(0.5f), y.determinant));
    const f8x3 half = scale3(cofactors_times(&y, y.g), share);
    f8x3 u = half;
    if (is_exact) {
        const f8 over = mul(dot3(half, y.g), share);
        u = sub3(half, scale3(cofactors_times(&y, half), over));
    }
    // Smaller squares change no bit of the result, but their products would be denormal numbers,
    // which cost more time than all the rest.
    const f8 t = tlw_f8_max(dot3(u, u), all(1e-12f));
    const f8 limit = all(is_exact ? TLW_CLOSE_CORRECTION : TLW_NEAR_CORRECTION);
    const m8 is_near = tlw_m8_and(is_well_set(&y, TLW_WELL_SET), tlw_f8_lt(t, limit));
    // 1/sqrt(1 + |u|^2) by its series. Without `is_exact`, u is still w/2: both series then also
    // contain the factor 1 - t that shortens it.
    const f8 unit = mad(t, mad(t, all(is_exact ? 0.375f : 1.375f), all(-0.5f)), all(1.0f));
    const f8 by = is_exact ? unit : mul(unit, sub(all(1.0f), t));
    *correction = (f8x4){mul(u.x, by), mul(u.y, by), mul(u.z, by), unit};
    return tlw_m8_none(tlw_m8_and_not(occupied, is_near));
}

// w from b = R^T A; 0 in lanes that are not occupied.
TLW_WIDE_HELPER f8x3 solve_newton(const f8x9* b, m8 occupied) {
    const newton_system y = set_up_newton(b);
    const m8 is_safe = is_well_set(&y, 1e-4f);
    const f8 divisor = tlw_f8_select(is_safe, y.determinant, add(tlw_f8_abs(y.trace), all(1e-6f)));
    const f8 share = tlw_f8_keep(occupied, tlw_f8_div(all(1.0f), divisor));
    return scale3(select3(is_safe, cofactors_times(&y, y.g), y.g), share);
}

// The quaternion of exp(w), |w| held to 1: Taylor series in |w|^2, exact to float's last place.
TLW_WIDE_HELPER f8x4 exponential(f8x3 w) {
    f8 t = dot3(w, w);
    const m8 is_long = tlw_f8_gt(t, all(1.0f));
    if (tlw_m8_any(is_long)) {
        w = select3(is_long, scale3(w, tlw_f8_div(all(1.0f), tlw_f8_sqrt(t))), w);
        t = tlw_f8_select(is_long, all(1.0f), t);
    }
    t = tlw_f8_max(t, all(1e-12f)); // no denormal numbers, as in find_correction
    // sin(|w|/2) / |w| and cos(|w|/2), terms added in pairs for a shorter chain of operations.
    const f8 t2 = mul(t, t);
    const f8 sine = mad(t2, mad(t, all(-1.0f / 645120.0f), all(1.0f / 3840.0f)),
                        mad(t, all(-1.0f / 48.0f), all(0.5f)));
    const f8 cosine =
        mad(t2, mad(t2, all(1.0f / 10321920.0f), mad(t, all(-1.0f / 46080.0f), all(1.0f / 384.0f))),
            mad(t, all(-0.125f), all(1.0f)));
    return (f8x4){mul(w.x, sine), mul(w.y, sine), mul(w.z, sine), cosine};
}

// Windows that go through Newton together. A Newton step is one long chain of operations, and the
// values of one window alone do not fit the registers. So the windows pass through it in several
// loops, each so short that the CPU works on several windows at once; what one loop leaves for the
// next stays in the L1 cache. One loop for everything took 1.6 times as long, two windows in
// alternation 1.5 times; ten windows instead of six were slower too (regions 13.0 instead of 12.6
// ns per voxel, measured together with gcc's -flive-range-shrinkage).
#define TLW_CORRECTIONS_MAX 6

typedef struct tlw_corrections {
    f8x9 start[TLW_CORRECTIONS_MAX]; // R^T A
    f8x4 correction[TLW_CORRECTIONS_MAX];
    uint32_t occupied[TLW_CORRECTIONS_MAX]; // bit i: lane i holds a voxel
} tlw_corrections;

// One window that is not near: the exact single step where that is enough, otherwise as many Newton
// steps as `iterations` says, exp(w1) exp(w2) ... Where one iteration is asked for, one plain step
// is made. Rare, and therefore a function of its own.
static TLW_NOINLINE __attribute__((unused)) f8x4 find_far_correction(const f8x9* start, m8 occupied,
                                                                     uint32_t iterations) {
    f8x4 correction;
    if (iterations > 1 && find_correction(start, occupied, true, &correction)) {
        return correction;
    }
    correction = exponential(solve_newton(start, occupied));
    for (uint32_t k = 1; k < iterations; ++k) {
        const f8x9 b = transposed_times(matrix_of(correction), *start);
        correction = multiply4(correction, exponential(solve_newton(&b, occupied)));
    }
    return correction;
}

// Corrections of the windows that are near. Writes the indices of all others to `far` and returns
// their number; their corrections are not valid.
TLW_WIDE_HELPER uint32_t find_near_corrections(tlw_corrections* t, uint32_t count,
                                               uint32_t iterations,
                                               uint32_t far[TLW_CORRECTIONS_MAX]) {
    uint32_t far_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        far[far_count] = i;
        far_count += !find_correction(&t->start[i], tlw_m8_from_bits(t->occupied[i]), false,
                                      &t->correction[i]) ||
                     iterations < 2;
    }
    return far_count;
}

// Corrections of all windows.
TLW_WIDE_HELPER void find_corrections(tlw_corrections* t, uint32_t count, uint32_t iterations) {
    uint32_t far[TLW_CORRECTIONS_MAX];
    const uint32_t far_count = find_near_corrections(t, count, iterations, far);
    for (uint32_t i = 0; i < far_count; ++i) {
        t->correction[far[i]] = find_far_correction(
            &t->start[far[i]], tlw_m8_from_bits(t->occupied[far[i]]), iterations);
    }
}

#endif
