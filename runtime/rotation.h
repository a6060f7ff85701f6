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

// The quaternion of exp(w): Taylor in |w|^2 <= 1, which is float's last place.
TLW_FORCE_INLINE f8x4 exponential(f8x3 w) {
    f8 t = dot3(w, w);
    const m8 is_long = tlw_f8_gt(t, all(1.0f));
    if (tlw_m8_any(is_long)) {
        const f8 shorter = tlw_f8_div(all(1.0f), tlw_f8_sqrt(t));
        w = select3(is_long, scale3(w, shorter), w);
        t = tlw_f8_select(is_long, all(1.0f), t);
    }
    f8 sine = mad(t, all(-1.0f / 645120.0f), all(1.0f / 3840.0f)); // sin(|w|/2) / |w|
    sine = mad(t, sine, all(-1.0f / 48.0f));
    sine = mad(t, sine, all(0.5f));
    f8 cosine = mad(t, all(1.0f / 10321920.0f), all(-1.0f / 46080.0f));
    cosine = mad(t, cosine, all(1.0f / 384.0f));
    cosine = mad(t, cosine, all(-0.125f));
    cosine = mad(t, cosine, all(1.0f));
    return (f8x4){mul(w.x, sine), mul(w.y, sine), mul(w.z, sine), cosine};
}

// One step: exp(w) of b = R^T A.
TLW_FORCE_INLINE f8x4 newton_turn(f8x9 b) {
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
    // Cofactors of K; k01 = -n01 and so on.
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
    f8x3 w = {mad(c02, g.z, mad(c01, g.y, mul(c00, g.x))),
              mad(c12, g.z, mad(c11, g.y, mul(c01, g.x))),
              mad(c22, g.z, mad(c12, g.y, mul(c02, g.x)))};
    f8 divisor = determinant;
    if (!tlw_m8_all(is_safe)) {
        w = select3(is_safe, w, g);
        divisor = tlw_f8_select(is_safe, determinant, add(tlw_f8_abs(trace), all(1e-6f)));
    }
    return exponential(scale3(w, tlw_f8_div(all(1.0f), divisor)));
}

// The turn, in R's own frame, that takes R to the rotation of A: R exp(w1) exp(w2) ...
TLW_FORCE_INLINE f8x4 rotation_from(f8x4 r, f8x9 a, uint32_t iterations) {
    const f8x9 start = transposed_times(matrix_of(r), a);
    f8x4 turn = newton_turn(start);
    for (uint32_t i = 1; i < iterations; ++i) {
        turn = multiply4(turn, newton_turn(transposed_times(matrix_of(turn), start)));
    }
    return turn;
}

#endif
