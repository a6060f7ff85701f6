// SPDX-License-Identifier: MIT
// Private to runtime: the rotation of a 3x3 matrix by Newton's method on the rotation, eight at a
// time, from a start that is near (design.md, "Rotation").
//
//     B = R^T A,  S = sym B,  g = (B32 - B23, B13 - B31, B21 - B12),  (tr(S) I - S) w = g,
//     R = R exp(w),  |w| <= 1
//
// Where the system is not safely positive (rods, plates, points): w = g / (|tr S| + 1e-6).
#ifndef TLW_RUNTIME_PASSES_ROTATION_H
#define TLW_RUNTIME_PASSES_ROTATION_H

#include "runtime/passes/wide.h"

// The system of a Newton step: g, and K = tr(S) I - S by its cofactors.
typedef struct turn_system {
    f8x3 g;
    f8 c00, c11, c22, c01, c02, c12;
    f8 determinant, trace;
    m8 has_minors; // the leading ones are positive, but for the determinant
} turn_system;

// Of b = R^T A by columns: b.c[j] holds B1j, B2j, B3j.
TLW_WIDE_HELPER turn_system set_up_turn(const f8x9* b) {
    turn_system y;
    y.g = (f8x3){sub(b->c[1].z, b->c[2].y), sub(b->c[2].x, b->c[0].z), sub(b->c[0].y, b->c[1].x)};
    const f8 half = all(0.5f);
    const f8 s00 = b->c[0].x, s11 = b->c[1].y, s22 = b->c[2].z;
    // With the signs of what is off the diagonal turned.
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

// det K times K^-1 v
TLW_WIDE_HELPER f8x3 cofactors_times(const turn_system* y, f8x3 v) {
    return (f8x3){mad(y->c02, v.z, mad(y->c01, v.y, mul(y->c00, v.x))),
                  mad(y->c12, v.z, mad(y->c11, v.y, mul(y->c01, v.x))),
                  mad(y->c22, v.z, mad(y->c12, v.y, mul(y->c02, v.x)))};
}

// Whether the determinant is more than so many times trace^3.
TLW_WIDE_HELPER m8 is_set(const turn_system* y, float share) {
    const f8 floor = mul(mul(y->trace, y->trace), mul(y->trace, all(share)));
    return tlw_m8_and(y->has_minors, tlw_f8_gt(y->determinant, tlw_f8_max(floor, tlw_f8_zero())));
}

// One Newton step w from B = exp(theta) P overshoots by
//     |w|^2 w / 12 + (w . g) K^-1 w / 4
// and terms of fifth order: those of the second and fourth cancel. With that taken off, a step
// below 0.1 rad is where two of them would end but for 1.2e-5 rad, as far as K is well set: on what
// is nearly a rod K^-1 makes it many times as much. The turn is made as the quaternion (u, 1), to
// be normalised, with u = tan(|theta|/2) theta / |theta|: a third order of its own that takes off
// the first of the two, and
//     u = w/2 - (w . g) K^-1 w / 8
// Below 0.05 rad it is enough to take K for a multiple of I, u = w/2 (1 - |w|^2 / 4): of random P
// the worst, just well set, was 6e-5 rad off, the mean 5e-6 (tests/runtime/test_rotation.c).
#define TLW_NEAR_TURN  6.25e-4f // |u|^2
#define TLW_CLOSE_TURN 2.5e-3f
#define TLW_WELL_SET   0.05f // determinant over trace^3

// The turn of b in one step, if all lanes that count are near theirs, or close if it `is_exact`;
// false if not. No turn in the others.
TLW_WIDE_HELPER bool find_turn(const f8x9* b, m8 counts, bool is_exact, f8x4* turn) {
    const turn_system y = set_up_turn(b);
    const f8 share = tlw_f8_keep(counts, tlw_f8_div(all(0.5f), y.determinant));
    const f8x3 half = scale3(cofactors_times(&y, y.g), share);
    f8x3 u = half;
    if (is_exact) {
        const f8 over = mul(dot3(half, y.g), share);
        u = sub3(half, scale3(cofactors_times(&y, half), over));
    }
    // A square below this changes no bit, and products of it would be denormals, which cost more
    // than all the rest.
    const f8 t = tlw_f8_max(dot3(u, u), all(1e-12f));
    const f8 limit = all(is_exact ? TLW_CLOSE_TURN : TLW_NEAR_TURN);
    const m8 is_near = tlw_m8_and(is_set(&y, TLW_WELL_SET), tlw_f8_lt(t, limit));
    // 1/sqrt(1 + |u|^2), and u: of w/2 both are still to be shortened, by 1 - t.
    const f8 unit = mad(t, mad(t, all(is_exact ? 0.375f : 1.375f), all(-0.5f)), all(1.0f));
    const f8 by = is_exact ? unit : mul(unit, sub(all(1.0f), t));
    *turn = (f8x4){mul(u.x, by), mul(u.y, by), mul(u.z, by), unit};
    return tlw_m8_none(tlw_m8_and_not(counts, is_near));
}

// w of b = R^T A, 0 in lanes that hold nothing.
TLW_WIDE_HELPER f8x3 solve_turn(const f8x9* b, m8 counts) {
    const turn_system y = set_up_turn(b);
    const m8 is_safe = is_set(&y, 1e-4f);
    const f8 divisor = tlw_f8_select(is_safe, y.determinant, add(tlw_f8_abs(y.trace), all(1e-6f)));
    const f8 share = tlw_f8_keep(counts, tlw_f8_div(all(1.0f), divisor));
    return scale3(select3(is_safe, cofactors_times(&y, y.g), y.g), share);
}

// The quaternion of exp(w), |w| held to 1: Taylor in |w|^2, to float's last place.
TLW_WIDE_HELPER f8x4 exponential(f8x3 w) {
    f8 t = dot3(w, w);
    const m8 is_long = tlw_f8_gt(t, all(1.0f));
    if (tlw_m8_any(is_long)) {
        w = select3(is_long, scale3(w, tlw_f8_div(all(1.0f), tlw_f8_sqrt(t))), w);
        t = tlw_f8_select(is_long, all(1.0f), t);
    }
    t = tlw_f8_max(t, all(1e-12f)); // as above
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
#define TLW_TURNS_MAX 6

typedef struct tlw_turns {
    f8x9 start[TLW_TURNS_MAX];      // R^T A
    f8x4 turn[TLW_TURNS_MAX];       // in R's own frame, takes it to the rotation of A
    uint32_t counts[TLW_TURNS_MAX]; // bits of the lanes that hold a voxel
} tlw_turns;

// Rare enough to stay out of the way: a close turn, or Newton steps, turn = exp(w1) exp(w2) ...;
// one step is made only where one is asked for.
static TLW_NOINLINE __attribute__((unused)) f8x4 find_far_turn(const f8x9* start, m8 counts,
                                                               uint32_t iterations) {
    f8x4 turn;
    if (iterations > 1 && find_turn(start, counts, true, &turn)) {
        return turn;
    }
    turn = exponential(solve_turn(start, counts));
    for (uint32_t k = 1; k < iterations; ++k) {
        const f8x9 b = transposed_times(matrix_of(turn), *start);
        turn = multiply4(turn, exponential(solve_turn(&b, counts)));
    }
    return turn;
}

// Windows whose turn is not near, by their index, to `far`; returns their number. Their turns are
// not what was asked for.
TLW_WIDE_HELPER uint32_t find_near_turns(tlw_turns* t, uint32_t count, uint32_t iterations,
                                         uint32_t far[TLW_TURNS_MAX]) {
    uint32_t far_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        far[far_count] = i;
        far_count += !find_turn(&t->start[i], tlw_m8_from_bits(t->counts[i]), false, &t->turn[i]) ||
                     iterations < 2;
    }
    return far_count;
}

// All of them, those that are not near from the same start.
TLW_WIDE_HELPER void find_turns(tlw_turns* t, uint32_t count, uint32_t iterations) {
    uint32_t far[TLW_TURNS_MAX];
    const uint32_t far_count = find_near_turns(t, count, iterations, far);
    for (uint32_t i = 0; i < far_count; ++i) {
        t->turn[far[i]] =
            find_far_turn(&t->start[far[i]], tlw_m8_from_bits(t->counts[far[i]]), iterations);
    }
}

#endif
