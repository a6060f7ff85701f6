// SPDX-License-Identifier: MIT
// exp, sin, cos, acos and half floats, written once on top of the wide operations, so that every
// backend gives the same bits. The polynomials are our own minimax fits for these intervals,
// rounded to float one coefficient after the other. Errors are the largest over every float of the
// range, in units in the last place of the exact result, also next to the zeros of sin and cos
// (tests/platform/simd measures them).
//
//     function   range         error   outside the range
//     exp        all           1.0     inf above 88.72, zero below -103.98
//     sin, cos   |x| <= 8192   1.02    in [-1, 1], but meaningless beyond about 2^20
//     acos       -1 to 1       1.16    the value at the nearer end
//
// exp keeps denormal results. sin and cos of an infinity are NaN.
// NaN gives NaN everywhere. sin(-0) is -0, and sin of a denormal is itself.
#ifndef TLW_PLATFORM_SIMD_MATH_H
#define TLW_PLATFORM_SIMD_MATH_H

#include "platform/simd.h"

typedef struct tlw_f8_sine_cosine {
    tlw_f8 sine, cosine;
} tlw_f8_sine_cosine;

// 2^a for integers from -126 to 127, by its exponent bits.
TLW_FORCE_INLINE tlw_f8 tlw_f8_power_of_two(tlw_i8 a) {
    return tlw_f8_from_bits_of(tlw_i8_shift_left(tlw_i8_add(a, tlw_i8_set1(127)), 23));
}

// exp(x) = 2^n exp(r),  r = x - n ln 2,  |r| <= ln 2 / 2.
TLW_FORCE_INLINE tlw_f8 tlw_f8_exp(tlw_f8 x) {
    // Beyond these bounds the result is inf or zero anyway. With the bound as the first argument, a
    // NaN passes through.
    x = tlw_f8_min(tlw_f8_set1(89.0f), tlw_f8_max(tlw_f8_set1(-104.0f), x));
    const tlw_f8 n = tlw_f8_round(tlw_f8_mul(x, tlw_f8_set1(0x1.715476p+0f)));
    // ln 2 in two parts; the first is short enough that its product with n is exact.
    tlw_f8 r = tlw_f8_sub(x, tlw_f8_mul(n, tlw_f8_set1(0x1.62e4p-1f)));
    r = tlw_f8_sub(r, tlw_f8_mul(n, tlw_f8_set1(0x1.7f7d1cp-20f)));

    tlw_f8 p = tlw_f8_set1(0x1.6ac3e6p-10f);
    p = tlw_f8_mul_then_add(p, r, tlw_f8_set1(0x1.123dc2p-7f));
    p = tlw_f8_mul_then_add(p, r, tlw_f8_set1(0x1.555858p-5f));
    p = tlw_f8_mul_then_add(p, r, tlw_f8_set1(0x1.55548cp-3f));
    p = tlw_f8_mul_then_add(p, r, tlw_f8_set1(0x1.fffffcp-2f));
    p = tlw_f8_mul_then_add(tlw_f8_mul(r, r), p, r);
    p = tlw_f8_add(p, tlw_f8_set1(1.0f));

    // In two steps, because 2^n may be outside the range of float. The first is exact, the second
    // rounds denormals.
    const tlw_i8 exponent = tlw_i8_round(n);
    const tlw_i8 half = tlw_i8_shift_right_signed(exponent, 1);
    p = tlw_f8_mul(p, tlw_f8_power_of_two(half));
    return tlw_f8_mul(p, tlw_f8_power_of_two(tlw_i8_sub(exponent, half)));
}

// |x| = n pi/2 + r,  |r| <= pi/4;  n modulo 4 selects one of +-sin r, +-cos r.
TLW_FORCE_INLINE tlw_f8_sine_cosine tlw_f8_sincos(tlw_f8 x) {
    const tlw_f8 magnitude = tlw_f8_abs(x);
    const tlw_f8 n = tlw_f8_round(tlw_f8_mul(magnitude, tlw_f8_set1(0x1.45f306p-1f)));
    // pi/2 in four parts, the first three of 11 bits. Their products with n are exact up to 2^13,
    // and so are the first two differences. The rounding error of the third is kept in `rest`
    // together with the last part, so that the result is also exact to the last place next to a
    // multiple of pi/2.
    const tlw_f8 third = tlw_f8_mul(n, tlw_f8_set1(0x1.444p-24f));
    tlw_f8 wide = tlw_f8_sub(magnitude, tlw_f8_mul(n, tlw_f8_set1(0x1.92p+0f)));
    wide = tlw_f8_sub(wide, tlw_f8_mul(n, tlw_f8_set1(0x1.fb4p-12f)));
    tlw_f8 r = tlw_f8_sub(wide, third);
    tlw_f8 rest = tlw_f8_sub(tlw_f8_sub(wide, r), third);
    rest = tlw_f8_sub(rest, tlw_f8_mul(n, tlw_f8_set1(0x1.68c234p-39f)));
    // Within the range these have no effect: there r exceeds pi/4 by 0.001 at most, because n is
    // rounded from a rounded product. Outside they keep the polynomials inside [-1, 1]. A NaN
    // passes through.
    const tlw_f8 bound = tlw_f8_set1(0x1.94p-1f), rest_bound = tlw_f8_set1(0x1p-20f);
    r = tlw_f8_min(bound, tlw_f8_max(tlw_f8_neg(bound), r));
    rest = tlw_f8_min(rest_bound, tlw_f8_max(tlw_f8_neg(rest_bound), rest));

    // sin(r + rest) = sin r + rest and cos(r + rest) = cos r - r rest, to float accuracy.
    const tlw_f8 z = tlw_f8_mul(r, r);
    tlw_f8 s = tlw_f8_set1(-0x1.9955bp-13f);
    s = tlw_f8_mul_then_add(s, z, tlw_f8_set1(0x1.11077cp-7f));
    s = tlw_f8_mul_then_add(s, z, tlw_f8_set1(-0x1.555546p-3f));
    s = tlw_f8_add(tlw_f8_mul_then_add(tlw_f8_mul(s, z), r, rest), r);
    tlw_f8 c = tlw_f8_set1(0x1.99df14p-16f);
    c = tlw_f8_mul_then_add(c, z, tlw_f8_set1(-0x1.6c0c16p-10f));
    c = tlw_f8_mul_then_add(c, z, tlw_f8_set1(0x1.55554ap-5f));
    c = tlw_f8_sub(tlw_f8_mul(tlw_f8_mul(z, z), c), tlw_f8_mul(r, rest));
    c = tlw_f8_sub(c, tlw_f8_mul(z, tlw_f8_set1(0.5f)));
    c = tlw_f8_add(c, tlw_f8_set1(1.0f));

    const tlw_i8 quadrant = tlw_i8_round(n);
    const tlw_m8 swapped = tlw_i8_eq(tlw_i8_and(quadrant, tlw_i8_set1(1)), tlw_i8_set1(1));
    // Moves bit 1 up to the sign bit.
    const tlw_f8 sine_sign = tlw_f8_from_bits_of(tlw_i8_shift_left(quadrant, 30));
    const tlw_f8 cosine_sign =
        tlw_f8_from_bits_of(tlw_i8_shift_left(tlw_i8_add(quadrant, tlw_i8_set1(1)), 30));
    tlw_f8_sine_cosine result;
    result.sine = tlw_f8_xor_sign(tlw_f8_xor_sign(tlw_f8_select(swapped, c, s), sine_sign), x);
    result.cosine = tlw_f8_xor_sign(tlw_f8_select(swapped, s, c), cosine_sign);
    return result;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sin(tlw_f8 x) {
    return tlw_f8_sincos(x).sine;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_cos(tlw_f8 x) {
    return tlw_f8_sincos(x).cosine;
}

// With asin t = t + t z P(z), z = t^2 <= 1/4:  acos x = pi/2 - asin x for |x| <= 1/2,
// 2 asin sqrt((1 - |x|)/2) or pi minus that beyond.
TLW_FORCE_INLINE tlw_f8 tlw_f8_acos(tlw_f8 x) {
    x = tlw_f8_min(tlw_f8_set1(1.0f), tlw_f8_max(tlw_f8_set1(-1.0f), x));
    const tlw_f8 magnitude = tlw_f8_abs(x);
    const tlw_m8 inner = tlw_f8_le(magnitude, tlw_f8_set1(0.5f));
    const tlw_f8 outer_z = tlw_f8_mul(tlw_f8_sub(tlw_f8_set1(1.0f), magnitude), tlw_f8_set1(0.5f));
    const tlw_f8 z = tlw_f8_select(inner, tlw_f8_mul(x, x), outer_z);
    const tlw_f8 t = tlw_f8_select(inner, x, tlw_f8_sqrt(outer_z));

    tlw_f8 p = tlw_f8_set1(0x1.593e42p-5f);
    p = tlw_f8_mul_then_add(p, z, tlw_f8_set1(0x1.8c6ea8p-6f));
    p = tlw_f8_mul_then_add(p, z, tlw_f8_set1(0x1.7474ep-5f));
    p = tlw_f8_mul_then_add(p, z, tlw_f8_set1(0x1.33026ap-4f));
    p = tlw_f8_mul_then_add(p, z, tlw_f8_set1(0x1.5555c6p-3f));
    const tlw_f8 tail = tlw_f8_mul(tlw_f8_mul(p, z), t);

    // pi/2 = high + low; the small terms are added first.
    const tlw_f8 high = tlw_f8_set1(0x1.921fb6p+0f), low = tlw_f8_set1(-0x1.777a5cp-25f);
    const tlw_f8 middle = tlw_f8_sub(high, tlw_f8_sub(t, tlw_f8_sub(low, tail)));
    const tlw_f8 asin_t = tlw_f8_add(t, tail);
    // For x < -1/2 the result, pi - 2 asin t, is twice that of the middle formula.
    const tlw_f8 half_outer = tlw_f8_select(tlw_f8_lt(x, tlw_f8_zero()), middle, asin_t);
    return tlw_f8_select(inner, middle, tlw_f8_add(half_outer, half_outer));
}

// The 16 bits of the nearest half float, halves to even. Values that are too large become infinity.
// Every NaN becomes 0x7e00, because the sign of a NaN differs between CPUs.
TLW_FORCE_INLINE tlw_i8 tlw_i8_half_from_f8(tlw_f8 a) {
    const tlw_i8 bits = tlw_i8_from_bits_of(a);
    const tlw_i8 sign = tlw_i8_and(tlw_i8_shift_right(bits, 16), tlw_i8_set1(0x8000));
    const tlw_f8 magnitude = tlw_f8_abs(a);
    const tlw_i8 word = tlw_i8_from_bits_of(magnitude);

    // Rounding up may carry into the exponent, which is correct. The exponent's bias decreases by
    // 112.
    const tlw_i8 odd = tlw_i8_and(tlw_i8_shift_right(word, 13), tlw_i8_set1(1));
    const tlw_i8 rounded = tlw_i8_add(word, tlw_i8_add(odd, tlw_i8_set1(0xfff)));
    const tlw_i8 normal = tlw_i8_sub(tlw_i8_shift_right(rounded, 13), tlw_i8_set1(112 << 10));
    // The last place of 1/2 is the unit of denormal half floats, so the addition rounds to it.
    const tlw_i8 denormal =
        tlw_i8_sub(tlw_i8_from_bits_of(tlw_f8_add(magnitude, tlw_f8_set1(0.5f))),
                   tlw_i8_from_bits_of(tlw_f8_set1(0.5f)));

    tlw_i8 half = tlw_i8_select(tlw_f8_lt(magnitude, tlw_f8_set1(0x1p-14f)), denormal, normal);
    half = tlw_i8_select(tlw_f8_ge(magnitude, tlw_f8_set1(65520.0f)), tlw_i8_set1(0x7c00), half);
    half = tlw_i8_or(half, sign);
    return tlw_i8_select(tlw_f8_ne(a, a), tlw_i8_set1(0x7e00), half);
}

// Exact. Bits above the 16th are ignored.
TLW_FORCE_INLINE tlw_f8 tlw_f8_from_half(tlw_i8 half) {
    const tlw_i8 sign = tlw_i8_shift_left(tlw_i8_and(half, tlw_i8_set1(0x8000)), 16);
    const tlw_i8 magnitude = tlw_i8_and(half, tlw_i8_set1(0x7fff));
    const tlw_i8 rebias = tlw_i8_set1(112 << 23);
    tlw_i8 word = tlw_i8_add(tlw_i8_shift_left(magnitude, 13), rebias);
    // Infinities and NaNs get the largest exponent.
    const tlw_m8 special = tlw_i8_gt(magnitude, tlw_i8_set1(0x7bff));
    word = tlw_i8_add(word, tlw_i8_keep(special, rebias));
    const tlw_f8 denormal = tlw_f8_mul(tlw_f8_from_i8(magnitude), tlw_f8_set1(0x1p-24f));
    word = tlw_i8_select(tlw_i8_lt(magnitude, tlw_i8_set1(0x400)), tlw_i8_from_bits_of(denormal),
                         word);
    return tlw_f8_from_bits_of(tlw_i8_or(word, sign));
}

// For one value, with the same bits as a lane.
TLW_INLINE float tlw_exp(float x) {
    return tlw_f8_get(tlw_f8_exp(tlw_f8_set1(x)), 0);
}

TLW_INLINE float tlw_sin(float x) {
    return tlw_f8_get(tlw_f8_sin(tlw_f8_set1(x)), 0);
}

TLW_INLINE float tlw_cos(float x) {
    return tlw_f8_get(tlw_f8_cos(tlw_f8_set1(x)), 0);
}

TLW_INLINE float tlw_acos(float x) {
    return tlw_f8_get(tlw_f8_acos(tlw_f8_set1(x)), 0);
}

#endif
