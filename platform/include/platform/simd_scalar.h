// SPDX-License-Identifier: MIT
// Wide floats in plain C, lane by lane, for any CPU. The other backends must agree with this one,
// and the counting backend uses it for its arithmetic. Only included by simd.h.
#ifndef TLW_PLATFORM_SIMD_SCALAR_H
#define TLW_PLATFORM_SIMD_SCALAR_H

#include "platform/simd.h"

#if defined(TLW_WIDE_SCALAR) || defined(TLW_WIDE_COUNT)

// simd_count.h wraps these functions with its own.
#    if !defined(TLW_SCALAR)
#        define TLW_SCALAR(name) name
#    endif
#    define TLW_EACH_LANE(i) for (int i = 0; i < TLW_WIDE_LANES; ++i)

TLW_FORCE_INLINE uint32_t tlw_scalar_bits(float a) {
    uint32_t bits;
    __builtin_memcpy(&bits, &a, 4);
    return bits;
}

TLW_FORCE_INLINE float tlw_scalar_float(uint32_t bits) {
    float a;
    __builtin_memcpy(&a, &bits, 4);
    return a;
}

TLW_FORCE_INLINE uint32_t tlw_scalar_mask(bool set) {
    return set ? 0xffffffffu : 0u;
}

// The magnitude of a, the sign of b.
TLW_FORCE_INLINE float tlw_scalar_copysign(float a, float b) {
    return tlw_scalar_float((tlw_scalar_bits(a) & 0x7fffffffu) |
                            (tlw_scalar_bits(b) & 0x80000000u));
}

// Floats from 2^23 on are integers. Adding and subtracting 2^23 rounds smaller values, halves to
// even.
TLW_FORCE_INLINE float tlw_scalar_round(float a) {
    const float magnitude = tlw_scalar_copysign(a, 0.0f);
    if (!(magnitude < 8388608.0f)) {
        return a;
    }
    return tlw_scalar_copysign((magnitude + 8388608.0f) - 8388608.0f, a);
}

TLW_FORCE_INLINE float tlw_scalar_floor(float a) {
    if (!(tlw_scalar_copysign(a, 0.0f) < 8388608.0f)) {
        return a;
    }
    const float towards_zero = (float)(int32_t)a;
    const float down = towards_zero > a ? towards_zero - 1.0f : towards_zero;
    return tlw_scalar_copysign(down, a);
}

TLW_FORCE_INLINE int32_t tlw_scalar_to_int(float a) {
    return a >= -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT32_MIN;
}

TLW_FORCE_INLINE float tlw_scalar_min(float a, float b) {
    return a < b ? a : b;
}

TLW_FORCE_INLINE float tlw_scalar_max(float a, float b) {
    return a > b ? a : b;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_zero)(void) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = 0.0f;
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_zero)(void) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = 0;
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_set1)(float a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a;
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_set1)(int32_t a) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a;
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_set)(float l0, float l1, float l2, float l3, float l4,
                                               float l5, float l6, float l7) {
    tlw_f8 r = {{l0, l1, l2, l3, l4, l5, l6, l7}};
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_set)(int32_t l0, int32_t l1, int32_t l2, int32_t l3,
                                               int32_t l4, int32_t l5, int32_t l6, int32_t l7) {
    tlw_i8 r = {{l0, l1, l2, l3, l4, l5, l6, l7}};
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_iota)(void) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (float)i;
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_iota)(void) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = i;
    }
    return r;
}

TLW_FORCE_INLINE float TLW_SCALAR(tlw_f8_get)(tlw_f8 a, int lane) {
    return a.lane[lane];
}

TLW_FORCE_INLINE int32_t TLW_SCALAR(tlw_i8_get)(tlw_i8 a, int lane) {
    return a.lane[lane];
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_with)(tlw_f8 a, int lane, float value) {
    a.lane[lane] = value;
    return a;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_with)(tlw_i8 a, int lane, int32_t value) {
    a.lane[lane] = value;
    return a;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_from_bits_of)(tlw_f8 a) {
    tlw_i8 r;
    __builtin_memcpy(&r, &a, sizeof r);
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_from_bits_of)(tlw_i8 a) {
    tlw_f8 r;
    __builtin_memcpy(&r, &a, sizeof r);
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_load)(const float* from) {
    tlw_f8 r;
    __builtin_memcpy(&r, from, sizeof r);
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_load_aligned)(const float* from) {
    tlw_f8 r;
    __builtin_memcpy(&r, from, sizeof r);
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load)(const int32_t* from) {
    tlw_i8 r;
    __builtin_memcpy(&r, from, sizeof r);
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load_aligned)(const int32_t* from) {
    tlw_i8 r;
    __builtin_memcpy(&r, from, sizeof r);
    return r;
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8_store)(float* to, tlw_f8 a) {
    __builtin_memcpy(to, &a, sizeof a);
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8_store_aligned)(float* to, tlw_f8 a) {
    __builtin_memcpy(to, &a, sizeof a);
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_i8_store)(int32_t* to, tlw_i8 a) {
    __builtin_memcpy(to, &a, sizeof a);
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_i8_store_aligned)(int32_t* to, tlw_i8 a) {
    __builtin_memcpy(to, &a, sizeof a);
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_load_first)(const float* from, int count) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = i < count ? from[i] : 0.0f;
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load_first)(const int32_t* from, int count) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = i < count ? from[i] : 0;
    }
    return r;
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8_store_first)(float* to, tlw_f8 a, int count) {
    for (int i = 0; i < count; ++i) {
        to[i] = a.lane[i];
    }
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_i8_store_first)(int32_t* to, tlw_i8 a, int count) {
    for (int i = 0; i < count; ++i) {
        to[i] = a.lane[i];
    }
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_load_masked)(const float* from, tlw_m8 mask) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = mask.lane[i] ? from[i] : 0.0f;
    }
    return r;
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8_store_masked)(float* to, tlw_f8 a, tlw_m8 mask) {
    TLW_EACH_LANE(i) {
        if (mask.lane[i]) {
            to[i] = a.lane[i];
        }
    }
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_i8_store_masked)(int32_t* to, tlw_i8 a, tlw_m8 mask) {
    TLW_EACH_LANE(i) {
        if (mask.lane[i]) {
            to[i] = a.lane[i];
        }
    }
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_gather)(const float* from, tlw_i8 index) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = from[index.lane[i]];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load_u8)(const uint8_t* from) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = from[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load_s8)(const int8_t* from) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = from[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load_u16)(const uint16_t* from) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = from[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_load_s16)(const int16_t* from) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = from[i];
    }
    return r;
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_i8_store_u16)(uint16_t* to, tlw_i8 a) {
    TLW_EACH_LANE(i) {
        to[i] = (uint16_t)(a.lane[i] & 0xffff);
    }
}

TLW_FORCE_INLINE tlw_f8x3 TLW_SCALAR(tlw_f8x3_load)(const float* from) {
    tlw_f8x3 r;
    TLW_EACH_LANE(i) {
        r.x.lane[i] = from[3 * i + 0];
        r.y.lane[i] = from[3 * i + 1];
        r.z.lane[i] = from[3 * i + 2];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8x4 TLW_SCALAR(tlw_f8x4_load)(const float* from) {
    tlw_f8x4 r;
    TLW_EACH_LANE(i) {
        r.x.lane[i] = from[4 * i + 0];
        r.y.lane[i] = from[4 * i + 1];
        r.z.lane[i] = from[4 * i + 2];
        r.w.lane[i] = from[4 * i + 3];
    }
    return r;
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8x3_store)(float* to, tlw_f8x3 a) {
    TLW_EACH_LANE(i) {
        to[3 * i + 0] = a.x.lane[i];
        to[3 * i + 1] = a.y.lane[i];
        to[3 * i + 2] = a.z.lane[i];
    }
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8x4_store)(float* to, tlw_f8x4 a) {
    TLW_EACH_LANE(i) {
        to[4 * i + 0] = a.x.lane[i];
        to[4 * i + 1] = a.y.lane[i];
        to[4 * i + 2] = a.z.lane[i];
        to[4 * i + 3] = a.w.lane[i];
    }
}

TLW_FORCE_INLINE tlw_f8x8 TLW_SCALAR(tlw_f8x8_transpose)(tlw_f8x8 a) {
    tlw_f8x8 r;
    TLW_EACH_LANE(i) {
        TLW_EACH_LANE(j) {
            r.row[j].lane[i] = a.row[i].lane[j];
        }
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_shift_in)(tlw_f8 a, float first) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = i == 0 ? first : a.lane[i - 1];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_between)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = i % 4 < 2 ? a.lane[i + 1] : b.lane[i - 1];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_hold)(tlw_f8 a) {
    return a;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_add)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] + b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_sub)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] - b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_mul)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] * b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_div)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] / b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_sqrt)(tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = __builtin_sqrtf(a.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_mul_then_add)(tlw_f8 a, tlw_f8 b, tlw_f8 c) {
    return TLW_SCALAR(tlw_f8_add)(TLW_SCALAR(tlw_f8_mul)(a, b), c);
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_min)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_min(a.lane[i], b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_max)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_max(a.lane[i], b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_neg)(tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_float(tlw_scalar_bits(a.lane[i]) ^ 0x80000000u);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_abs)(tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_float(tlw_scalar_bits(a.lane[i]) & 0x7fffffffu);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_copysign)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_copysign(a.lane[i], b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_xor_sign)(tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_float(tlw_scalar_bits(a.lane[i]) ^
                                     (tlw_scalar_bits(b.lane[i]) & 0x80000000u));
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_floor)(tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_floor(a.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_round)(tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_round(a.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_truncate)(tlw_f8 a) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_to_int(a.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_round)(tlw_f8 a) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_to_int(tlw_scalar_round(a.lane[i]));
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_from_i8)(tlw_i8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (float)a.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE float TLW_SCALAR(tlw_f8_sum_of_lanes)(tlw_f8 a) {
    const float s0 = a.lane[0] + a.lane[4], s1 = a.lane[1] + a.lane[5];
    const float s2 = a.lane[2] + a.lane[6], s3 = a.lane[3] + a.lane[7];
    return (s0 + s2) + (s1 + s3);
}

TLW_FORCE_INLINE void TLW_SCALAR(tlw_f8x4_store_sums)(float* to, tlw_f8x4 a) {
    to[0] = TLW_SCALAR(tlw_f8_sum_of_lanes)(a.x);
    to[1] = TLW_SCALAR(tlw_f8_sum_of_lanes)(a.y);
    to[2] = TLW_SCALAR(tlw_f8_sum_of_lanes)(a.z);
    to[3] = TLW_SCALAR(tlw_f8_sum_of_lanes)(a.w);
}

TLW_FORCE_INLINE float TLW_SCALAR(tlw_f8_min_of_lanes)(tlw_f8 a) {
    const float s0 = tlw_scalar_min(a.lane[0], a.lane[4]);
    const float s1 = tlw_scalar_min(a.lane[1], a.lane[5]);
    const float s2 = tlw_scalar_min(a.lane[2], a.lane[6]);
    const float s3 = tlw_scalar_min(a.lane[3], a.lane[7]);
    return tlw_scalar_min(tlw_scalar_min(s0, s2), tlw_scalar_min(s1, s3));
}

TLW_FORCE_INLINE float TLW_SCALAR(tlw_f8_max_of_lanes)(tlw_f8 a) {
    const float s0 = tlw_scalar_max(a.lane[0], a.lane[4]);
    const float s1 = tlw_scalar_max(a.lane[1], a.lane[5]);
    const float s2 = tlw_scalar_max(a.lane[2], a.lane[6]);
    const float s3 = tlw_scalar_max(a.lane[3], a.lane[7]);
    return tlw_scalar_max(tlw_scalar_max(s0, s2), tlw_scalar_max(s1, s3));
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_f8_lt)(tlw_f8 a, tlw_f8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] < b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_f8_le)(tlw_f8 a, tlw_f8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] <= b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_f8_gt)(tlw_f8 a, tlw_f8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] > b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_f8_ge)(tlw_f8 a, tlw_f8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] >= b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_f8_eq)(tlw_f8 a, tlw_f8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] == b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_f8_ne)(tlw_f8 a, tlw_f8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] != b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_i8_eq)(tlw_i8 a, tlw_i8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] == b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_i8_lt)(tlw_i8 a, tlw_i8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] < b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_i8_gt)(tlw_i8 a, tlw_i8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(a.lane[i] > b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_and)(tlw_m8 a, tlw_m8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] & b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_or)(tlw_m8 a, tlw_m8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] | b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_xor)(tlw_m8 a, tlw_m8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] ^ b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_and_not)(tlw_m8 a, tlw_m8 b) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] & ~b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_not)(tlw_m8 a) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = ~a.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_from_bits)(uint32_t bits) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask((bits >> i & 1u) != 0);
    }
    return r;
}

TLW_FORCE_INLINE uint32_t TLW_SCALAR(tlw_m8_to_bits)(tlw_m8 a) {
    uint32_t bits = 0;
    TLW_EACH_LANE(i) {
        bits |= (a.lane[i] & 1u) << i;
    }
    return bits;
}

TLW_FORCE_INLINE tlw_m8 TLW_SCALAR(tlw_m8_first)(int count) {
    tlw_m8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = tlw_scalar_mask(i < count);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_from_mask)(tlw_m8 a) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (int32_t)a.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE bool TLW_SCALAR(tlw_m8_any)(tlw_m8 a) {
    return TLW_SCALAR(tlw_m8_to_bits)(a) != 0;
}

TLW_FORCE_INLINE bool TLW_SCALAR(tlw_m8_all)(tlw_m8 a) {
    return TLW_SCALAR(tlw_m8_to_bits)(a) == 0xffu;
}

TLW_FORCE_INLINE bool TLW_SCALAR(tlw_m8_none)(tlw_m8 a) {
    return TLW_SCALAR(tlw_m8_to_bits)(a) == 0;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_select)(tlw_m8 mask, tlw_f8 a, tlw_f8 b) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = mask.lane[i] ? a.lane[i] : b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_select)(tlw_m8 mask, tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = mask.lane[i] ? a.lane[i] : b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_keep)(tlw_m8 mask, tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = mask.lane[i] ? a.lane[i] : 0.0f;
    }
    return r;
}

TLW_FORCE_INLINE tlw_f8 TLW_SCALAR(tlw_f8_drop)(tlw_m8 mask, tlw_f8 a) {
    tlw_f8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = mask.lane[i] ? 0.0f : a.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_keep)(tlw_m8 mask, tlw_i8 a) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = mask.lane[i] ? a.lane[i] : 0;
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_add)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (int32_t)((uint32_t)a.lane[i] + (uint32_t)b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_sub)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (int32_t)((uint32_t)a.lane[i] - (uint32_t)b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_mul)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (int32_t)((uint32_t)a.lane[i] * (uint32_t)b.lane[i]);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_min)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_max)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_and)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] & b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_or)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] | b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_xor)(tlw_i8 a, tlw_i8 b) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] ^ b.lane[i];
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_shift_left)(tlw_i8 a, int count) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (int32_t)((uint32_t)a.lane[i] << count);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_shift_right)(tlw_i8 a, int count) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = (int32_t)((uint32_t)a.lane[i] >> count);
    }
    return r;
}

// gcc and clang both copy the sign when they shift a negative number.
TLW_FORCE_INLINE tlw_i8 TLW_SCALAR(tlw_i8_shift_right_signed)(tlw_i8 a, int count) {
    tlw_i8 r;
    TLW_EACH_LANE(i) {
        r.lane[i] = a.lane[i] >> count;
    }
    return r;
}

#    undef TLW_EACH_LANE

#endif
#endif
