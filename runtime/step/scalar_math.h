// SPDX-License-Identifier: MIT
// Private to runtime: exp, log, inverse square root and angles of doubles by plain arithmetic, so
// that every machine gives the same bits (MODEL 8). For what is computed once per character or
// joint; the passes have wide floats.
#ifndef TLW_RUNTIME_STEP_SCALAR_MATH_H
#define TLW_RUNTIME_STEP_SCALAR_MATH_H

#include "platform/base.h"

#include <math.h>
#include <string.h>

#define TLW_LN_2 0.693147180559945309417

TLW_INLINE double tlw_scale_by_two(double value, int power) {
    const uint64_t bits = (uint64_t)(power + 1023) << 52;
    double factor;
    memcpy(&factor, &bits, sizeof factor);
    return value * factor;
}

// Within 1e-15; x is clamped to -700 to 700.
TLW_INLINE double tlw_exp_of(double x) {
    x = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
    const int n = (int)(x / TLW_LN_2 + (x < 0.0 ? -0.5 : 0.5));
    const double r = x - n * TLW_LN_2;
    double sum = 1.0;
    for (int k = 16; k > 0; --k) {
        sum = 1.0 + sum * r / k;
    }
    return tlw_scale_by_two(sum, n);
}

// x must be a normal number above 0.
TLW_INLINE double tlw_log_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int power = (int)(bits >> 52) - 1023;
    bits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309505) {
        m *= 0.5;
        power += 1;
    }
    const double t = (m - 1.0) / (m + 1.0), t2 = t * t; // 2 atanh t, |t| < 0.172
    double sum = 0.0;
    for (int k = 23; k > 0; k -= 2) {
        sum = sum * t2 + 1.0 / k;
    }
    return 2.0 * t * sum + power * TLW_LN_2;
}

// 1/sqrt(x) for x in the range of normal floats: the root in float, then one Newton step, which
// doubles the digits.
TLW_INLINE double tlw_inverse_sqrt_of(double x) {
    const double guess = 1.0 / (double)sqrtf((float)x);
    return guess * (1.5 - 0.5 * x * guess * guess);
}

// The angle of the direction (x, y), within 1e-12 rad; neither is negative, and not both are 0.
TLW_INLINE double tlw_angle_of(double y, double x) {
    // Half the angle between the direction and the nearer axis: its tangent is below 0.42.
    const double low = y < x ? y : x, high = y < x ? x : y, ratio = low / high;
    const double root = 1.0 + ratio * ratio;
    const double t = ratio / (1.0 + root * tlw_inverse_sqrt_of(root)), t2 = t * t;
    double sum = 0.0;
    for (int k = 29; k > 0; k -= 2) {
        sum = 1.0 / k - sum * t2;
    }
    const double angle = 2.0 * t * sum;
    return y < x ? angle : 1.57079632679489661923 - angle;
}

#endif
