// SPDX-License-Identifier: MIT
// The bits of a float, and the float of bits.
#ifndef TLW_TESTS_PLATFORM_SIMD_FLOAT_BITS_H
#define TLW_TESTS_PLATFORM_SIMD_FLOAT_BITS_H

#include "platform/base.h"

#include <string.h>

TLW_INLINE uint32_t as_bits(float a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

TLW_INLINE float as_float(uint32_t bits) {
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

#endif
