// SPDX-License-Identifier: MIT
// Wide floats in two NEON registers of a 64-bit ARM. Division, square root and rounding are those
// of IEEE 754. Min, max and conversions differ from our contract (they prefer numbers to NaNs, and
// saturate), so they are built from other instructions here. Only included by simd.h.
#ifndef TLW_PLATFORM_SIMD_NEON_H
#define TLW_PLATFORM_SIMD_NEON_H

#include "platform/simd.h"

#if defined(TLW_WIDE_NEON)

TLW_FORCE_INLINE tlw_f8 tlw_neon_f8(float32x4_t low, float32x4_t high) {
    tlw_f8 r = {low, high};
    return r;
}

TLW_FORCE_INLINE tlw_i8 tlw_neon_i8(int32x4_t low, int32x4_t high) {
    tlw_i8 r = {low, high};
    return r;
}

TLW_FORCE_INLINE tlw_m8 tlw_neon_m8(uint32x4_t low, uint32x4_t high) {
    tlw_m8 r = {low, high};
    return r;
}

TLW_FORCE_INLINE uint32x4_t tlw_neon_sign(void) {
    return vdupq_n_u32(0x80000000u);
}

TLW_FORCE_INLINE float32x4_t tlw_neon_xor(float32x4_t a, uint32x4_t bits) {
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), bits));
}

TLW_FORCE_INLINE float32x4_t tlw_neon_min(float32x4_t a, float32x4_t b) {
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

TLW_FORCE_INLINE float32x4_t tlw_neon_max(float32x4_t a, float32x4_t b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

// A NaN fails both comparisons.
TLW_FORCE_INLINE int32x4_t tlw_neon_if_it_fits(float32x4_t a, int32x4_t converted) {
    const uint32x4_t fits = vandq_u32(vcgeq_f32(a, vdupq_n_f32(-2147483648.0f)),
                                      vcltq_f32(a, vdupq_n_f32(2147483648.0f)));
    return vbslq_s32(fits, converted, vdupq_n_s32(INT32_MIN));
}

TLW_FORCE_INLINE int32x4_t tlw_neon_load_first(const int32_t* from, int count) {
    if (count >= 4) {
        return vld1q_s32(from);
    }
    if (count >= 2) {
        const int32x4_t pair = vcombine_s32(vld1_s32(from), vdup_n_s32(0));
        return count == 3 ? vld1q_lane_s32(from + 2, pair, 2) : pair;
    }
    return count == 1 ? vld1q_lane_s32(from, vdupq_n_s32(0), 0) : vdupq_n_s32(0);
}

TLW_FORCE_INLINE void tlw_neon_store_first(int32_t* to, int32x4_t a, int count) {
    if (count >= 4) {
        vst1q_s32(to, a);
        return;
    }
    if (count >= 2) {
        vst1_s32(to, vget_low_s32(a));
    }
    if (count == 3) {
        vst1q_lane_s32(to + 2, a, 2);
    } else if (count == 1) {
        vst1q_lane_s32(to, a, 0);
    }
}

TLW_FORCE_INLINE float32x4_t tlw_neon_load_first_floats(const float* from, int count) {
    if (count >= 4) {
        return vld1q_f32(from);
    }
    if (count >= 2) {
        const float32x4_t pair = vcombine_f32(vld1_f32(from), vdup_n_f32(0.0f));
        return count == 3 ? vld1q_lane_f32(from + 2, pair, 2) : pair;
    }
    return count == 1 ? vld1q_lane_f32(from, vdupq_n_f32(0.0f), 0) : vdupq_n_f32(0.0f);
}

TLW_FORCE_INLINE void tlw_neon_store_first_floats(float* to, float32x4_t a, int count) {
    if (count >= 4) {
        vst1q_f32(to, a);
        return;
    }
    if (count >= 2) {
        vst1_f32(to, vget_low_f32(a));
    }
    if (count == 3) {
        vst1q_lane_f32(to + 2, a, 2);
    } else if (count == 1) {
        vst1q_lane_f32(to, a, 0);
    }
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_zero(void) {
    return tlw_neon_f8(vdupq_n_f32(0.0f), vdupq_n_f32(0.0f));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_zero(void) {
    return tlw_neon_i8(vdupq_n_s32(0), vdupq_n_s32(0));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_set1(float a) {
    return tlw_neon_f8(vdupq_n_f32(a), vdupq_n_f32(a));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_set1(int32_t a) {
    return tlw_neon_i8(vdupq_n_s32(a), vdupq_n_s32(a));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_set(float l0, float l1, float l2, float l3, float l4, float l5,
                                   float l6, float l7) {
    const float32x4_t low = {l0, l1, l2, l3}, high = {l4, l5, l6, l7};
    return tlw_neon_f8(low, high);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_set(int32_t l0, int32_t l1, int32_t l2, int32_t l3, int32_t l4,
                                   int32_t l5, int32_t l6, int32_t l7) {
    const int32x4_t low = {l0, l1, l2, l3}, high = {l4, l5, l6, l7};
    return tlw_neon_i8(low, high);
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_iota(void) {
    return tlw_f8_set(0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_iota(void) {
    return tlw_i8_set(0, 1, 2, 3, 4, 5, 6, 7);
}

TLW_FORCE_INLINE float tlw_f8_get(tlw_f8 a, int lane) {
    return lane < 4 ? a.low[lane & 3] : a.high[lane & 3];
}

TLW_FORCE_INLINE int32_t tlw_i8_get(tlw_i8 a, int lane) {
    return lane < 4 ? a.low[lane & 3] : a.high[lane & 3];
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_with(tlw_f8 a, int lane, float value) {
    if (lane < 4) {
        a.low[lane & 3] = value;
    } else {
        a.high[lane & 3] = value;
    }
    return a;
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_with(tlw_i8 a, int lane, int32_t value) {
    if (lane < 4) {
        a.low[lane & 3] = value;
    } else {
        a.high[lane & 3] = value;
    }
    return a;
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_from_bits_of(tlw_f8 a) {
    return tlw_neon_i8(vreinterpretq_s32_f32(a.low), vreinterpretq_s32_f32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_from_bits_of(tlw_i8 a) {
    return tlw_neon_f8(vreinterpretq_f32_s32(a.low), vreinterpretq_f32_s32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load(const float* from) {
    return tlw_neon_f8(vld1q_f32(from), vld1q_f32(from + 4));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_aligned(const float* from) {
    return tlw_f8_load(from);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load(const int32_t* from) {
    return tlw_neon_i8(vld1q_s32(from), vld1q_s32(from + 4));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_aligned(const int32_t* from) {
    return tlw_i8_load(from);
}

TLW_FORCE_INLINE void tlw_f8_store(float* to, tlw_f8 a) {
    vst1q_f32(to, a.low);
    vst1q_f32(to + 4, a.high);
}

TLW_FORCE_INLINE void tlw_f8_store_aligned(float* to, tlw_f8 a) {
    tlw_f8_store(to, a);
}

TLW_FORCE_INLINE void tlw_i8_store(int32_t* to, tlw_i8 a) {
    vst1q_s32(to, a.low);
    vst1q_s32(to + 4, a.high);
}

TLW_FORCE_INLINE void tlw_i8_store_aligned(int32_t* to, tlw_i8 a) {
    tlw_i8_store(to, a);
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_first(const float* from, int count) {
    tlw_f8 r = tlw_f8_zero();
    r.low = tlw_neon_load_first_floats(from, count);
    if (count > 4) {
        r.high = tlw_neon_load_first_floats(from + 4, count - 4);
    }
    return r;
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_first(const int32_t* from, int count) {
    tlw_i8 r = tlw_i8_zero();
    r.low = tlw_neon_load_first(from, count);
    if (count > 4) {
        r.high = tlw_neon_load_first(from + 4, count - 4);
    }
    return r;
}

TLW_FORCE_INLINE void tlw_f8_store_first(float* to, tlw_f8 a, int count) {
    tlw_neon_store_first_floats(to, a.low, count);
    if (count > 4) {
        tlw_neon_store_first_floats(to + 4, a.high, count - 4);
    }
}

TLW_FORCE_INLINE void tlw_i8_store_first(int32_t* to, tlw_i8 a, int count) {
    tlw_neon_store_first(to, a.low, count);
    if (count > 4) {
        tlw_neon_store_first(to + 4, a.high, count - 4);
    }
}

TLW_FORCE_INLINE uint32_t tlw_m8_to_bits(tlw_m8 a) {
    const uint32x4_t low = {1, 2, 4, 8}, high = {16, 32, 64, 128};
    return vaddvq_u32(vorrq_u32(vandq_u32(a.low, low), vandq_u32(a.high, high)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_masked(const float* from, tlw_m8 mask) {
    const uint32_t bits = tlw_m8_to_bits(mask);
    float lane[TLW_WIDE_LANES];
    for (int i = 0; i < TLW_WIDE_LANES; ++i) {
        lane[i] = (bits >> i & 1u) != 0 ? from[i] : 0.0f;
    }
    return tlw_f8_load(lane);
}

TLW_FORCE_INLINE void tlw_f8_store_masked(float* to, tlw_f8 a, tlw_m8 mask) {
    const uint32_t bits = tlw_m8_to_bits(mask);
    float lane[TLW_WIDE_LANES];
    tlw_f8_store(lane, a);
    for (int i = 0; i < TLW_WIDE_LANES; ++i) {
        if ((bits >> i & 1u) != 0) {
            to[i] = lane[i];
        }
    }
}

TLW_FORCE_INLINE void tlw_i8_store_masked(int32_t* to, tlw_i8 a, tlw_m8 mask) {
    const uint32_t bits = tlw_m8_to_bits(mask);
    int32_t lane[TLW_WIDE_LANES];
    tlw_i8_store(lane, a);
    for (int i = 0; i < TLW_WIDE_LANES; ++i) {
        if ((bits >> i & 1u) != 0) {
            to[i] = lane[i];
        }
    }
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_gather(const float* from, tlw_i8 index) {
    int32_t at[TLW_WIDE_LANES];
    tlw_i8_store(at, index);
    return tlw_f8_set(from[at[0]], from[at[1]], from[at[2]], from[at[3]], from[at[4]], from[at[5]],
                      from[at[6]], from[at[7]]);
}

TLW_FORCE_INLINE tlw_i8 tlw_neon_widen(uint16x8_t a) {
    return tlw_neon_i8(vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(a))),
                       vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(a))));
}

TLW_FORCE_INLINE tlw_i8 tlw_neon_widen_signed(int16x8_t a) {
    return tlw_neon_i8(vmovl_s16(vget_low_s16(a)), vmovl_s16(vget_high_s16(a)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_u8(const uint8_t* from) {
    return tlw_neon_widen(vmovl_u8(vld1_u8(from)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_s8(const int8_t* from) {
    return tlw_neon_widen_signed(vmovl_s8(vld1_s8(from)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_u16(const uint16_t* from) {
    return tlw_neon_widen(vld1q_u16(from));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_s16(const int16_t* from) {
    return tlw_neon_widen_signed(vld1q_s16(from));
}

TLW_FORCE_INLINE void tlw_i8_store_u16(uint16_t* to, tlw_i8 a) {
    vst1_u16(to, vmovn_u32(vreinterpretq_u32_s32(a.low)));
    vst1_u16(to + 4, vmovn_u32(vreinterpretq_u32_s32(a.high)));
}

TLW_FORCE_INLINE tlw_f8x3 tlw_f8x3_load(const float* from) {
    const float32x4x3_t low = vld3q_f32(from), high = vld3q_f32(from + 12);
    tlw_f8x3 r;
    r.x = tlw_neon_f8(low.val[0], high.val[0]);
    r.y = tlw_neon_f8(low.val[1], high.val[1]);
    r.z = tlw_neon_f8(low.val[2], high.val[2]);
    return r;
}

TLW_FORCE_INLINE tlw_f8x4 tlw_f8x4_load(const float* from) {
    const float32x4x4_t low = vld4q_f32(from), high = vld4q_f32(from + 16);
    tlw_f8x4 r;
    r.x = tlw_neon_f8(low.val[0], high.val[0]);
    r.y = tlw_neon_f8(low.val[1], high.val[1]);
    r.z = tlw_neon_f8(low.val[2], high.val[2]);
    r.w = tlw_neon_f8(low.val[3], high.val[3]);
    return r;
}

TLW_FORCE_INLINE void tlw_f8x3_store(float* to, tlw_f8x3 a) {
    const float32x4x3_t low = {{a.x.low, a.y.low, a.z.low}},
                        high = {{a.x.high, a.y.high, a.z.high}};
    vst3q_f32(to, low);
    vst3q_f32(to + 12, high);
}

TLW_FORCE_INLINE void tlw_f8x4_store(float* to, tlw_f8x4 a) {
    const float32x4x4_t low = {{a.x.low, a.y.low, a.z.low, a.w.low}};
    const float32x4x4_t high = {{a.x.high, a.y.high, a.z.high, a.w.high}};
    vst4q_f32(to, low);
    vst4q_f32(to + 16, high);
}

TLW_FORCE_INLINE float32x4_t tlw_neon_low_pairs(float32x4_t a, float32x4_t b) {
    return vcombine_f32(vget_low_f32(a), vget_low_f32(b));
}

TLW_FORCE_INLINE float32x4_t tlw_neon_high_pairs(float32x4_t a, float32x4_t b) {
    return vcombine_f32(vget_high_f32(a), vget_high_f32(b));
}

TLW_FORCE_INLINE void tlw_neon_transpose_4x4(float32x4_t* a, float32x4_t* b, float32x4_t* c,
                                             float32x4_t* d) {
    const float32x4_t ab_even = vtrn1q_f32(*a, *b), ab_odd = vtrn2q_f32(*a, *b);
    const float32x4_t cd_even = vtrn1q_f32(*c, *d), cd_odd = vtrn2q_f32(*c, *d);
    *a = tlw_neon_low_pairs(ab_even, cd_even);
    *b = tlw_neon_low_pairs(ab_odd, cd_odd);
    *c = tlw_neon_high_pairs(ab_even, cd_even);
    *d = tlw_neon_high_pairs(ab_odd, cd_odd);
}

// Four 4x4 transposes; the two off the diagonal also change places.
TLW_FORCE_INLINE tlw_f8x8 tlw_f8x8_transpose(tlw_f8x8 a) {
    tlw_neon_transpose_4x4(&a.row[0].low, &a.row[1].low, &a.row[2].low, &a.row[3].low);
    tlw_neon_transpose_4x4(&a.row[0].high, &a.row[1].high, &a.row[2].high, &a.row[3].high);
    tlw_neon_transpose_4x4(&a.row[4].low, &a.row[5].low, &a.row[6].low, &a.row[7].low);
    tlw_neon_transpose_4x4(&a.row[4].high, &a.row[5].high, &a.row[6].high, &a.row[7].high);
    for (int i = 0; i < 4; ++i) {
        const float32x4_t upper_right = a.row[i].high;
        a.row[i].high = a.row[i + 4].low;
        a.row[i + 4].low = upper_right;
    }
    return a;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_shift_in(tlw_f8 a, float first) {
    return tlw_neon_f8(vextq_f32(vdupq_n_f32(first), a.low, 3), vextq_f32(a.low, a.high, 3));
}

TLW_FORCE_INLINE float32x4_t tlw_neon_between(float32x4_t a, float32x4_t b) {
    return vcombine_f32(vget_low_f32(vextq_f32(a, a, 1)), vget_low_f32(vextq_f32(b, b, 1)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_between(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(tlw_neon_between(a.low, b.low), tlw_neon_between(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_hold(tlw_f8 a) {
    __asm__("" : "+w"(a.low), "+w"(a.high));
    return a;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_add(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sub(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_mul(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_div(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sqrt(tlw_f8 a) {
    return tlw_neon_f8(vsqrtq_f32(a.low), vsqrtq_f32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_mul_then_add(tlw_f8 a, tlw_f8 b, tlw_f8 c) {
    return tlw_f8_add(tlw_f8_mul(a, b), c);
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_min(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(tlw_neon_min(a.low, b.low), tlw_neon_min(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_max(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(tlw_neon_max(a.low, b.low), tlw_neon_max(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_neg(tlw_f8 a) {
    return tlw_neon_f8(vnegq_f32(a.low), vnegq_f32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_abs(tlw_f8 a) {
    return tlw_neon_f8(vabsq_f32(a.low), vabsq_f32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_copysign(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(vbslq_f32(tlw_neon_sign(), b.low, a.low),
                       vbslq_f32(tlw_neon_sign(), b.high, a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_xor_sign(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(
        tlw_neon_xor(a.low, vandq_u32(tlw_neon_sign(), vreinterpretq_u32_f32(b.low))),
        tlw_neon_xor(a.high, vandq_u32(tlw_neon_sign(), vreinterpretq_u32_f32(b.high))));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_floor(tlw_f8 a) {
    return tlw_neon_f8(vrndmq_f32(a.low), vrndmq_f32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_round(tlw_f8 a) {
    return tlw_neon_f8(vrndnq_f32(a.low), vrndnq_f32(a.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_truncate(tlw_f8 a) {
    return tlw_neon_i8(tlw_neon_if_it_fits(a.low, vcvtq_s32_f32(a.low)),
                       tlw_neon_if_it_fits(a.high, vcvtq_s32_f32(a.high)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_round(tlw_f8 a) {
    return tlw_neon_i8(tlw_neon_if_it_fits(a.low, vcvtnq_s32_f32(a.low)),
                       tlw_neon_if_it_fits(a.high, vcvtnq_s32_f32(a.high)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_from_i8(tlw_i8 a) {
    return tlw_neon_f8(vcvtq_f32_s32(a.low), vcvtq_f32_s32(a.high));
}

TLW_FORCE_INLINE float tlw_f8_sum_of_lanes(tlw_f8 a) {
    const float32x4_t s = vaddq_f32(a.low, a.high);
    const float32x4_t t = vaddq_f32(s, tlw_neon_high_pairs(s, s));
    return t[0] + t[1];
}

TLW_FORCE_INLINE void tlw_f8x4_store_sums(float* to, tlw_f8x4 a) {
    float32x4_t x = vaddq_f32(a.x.low, a.x.high), y = vaddq_f32(a.y.low, a.y.high);
    float32x4_t z = vaddq_f32(a.z.low, a.z.high), w = vaddq_f32(a.w.low, a.w.high);
    tlw_neon_transpose_4x4(&x, &y, &z, &w); // x holds s[0] of all four now, y s[1], z s[2], w s[3]
    vst1q_f32(to, vaddq_f32(vaddq_f32(x, z), vaddq_f32(y, w)));
}

TLW_FORCE_INLINE float tlw_f8_min_of_lanes(tlw_f8 a) {
    const float32x4_t s = tlw_neon_min(a.low, a.high);
    const float32x4_t t = tlw_neon_min(s, tlw_neon_high_pairs(s, s));
    return t[0] < t[1] ? t[0] : t[1];
}

TLW_FORCE_INLINE float tlw_f8_max_of_lanes(tlw_f8 a) {
    const float32x4_t s = tlw_neon_max(a.low, a.high);
    const float32x4_t t = tlw_neon_max(s, tlw_neon_high_pairs(s, s));
    return t[0] > t[1] ? t[0] : t[1];
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_lt(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_m8(vcltq_f32(a.low, b.low), vcltq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_le(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_m8(vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_gt(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_m8(vcgtq_f32(a.low, b.low), vcgtq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_ge(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_m8(vcgeq_f32(a.low, b.low), vcgeq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_eq(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_m8(vceqq_f32(a.low, b.low), vceqq_f32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_ne(tlw_f8 a, tlw_f8 b) {
    return tlw_neon_m8(vmvnq_u32(vceqq_f32(a.low, b.low)), vmvnq_u32(vceqq_f32(a.high, b.high)));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_eq(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_m8(vceqq_s32(a.low, b.low), vceqq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_lt(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_m8(vcltq_s32(a.low, b.low), vcltq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_gt(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_m8(vcgtq_s32(a.low, b.low), vcgtq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_and(tlw_m8 a, tlw_m8 b) {
    return tlw_neon_m8(vandq_u32(a.low, b.low), vandq_u32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_or(tlw_m8 a, tlw_m8 b) {
    return tlw_neon_m8(vorrq_u32(a.low, b.low), vorrq_u32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_xor(tlw_m8 a, tlw_m8 b) {
    return tlw_neon_m8(veorq_u32(a.low, b.low), veorq_u32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_and_not(tlw_m8 a, tlw_m8 b) {
    return tlw_neon_m8(vbicq_u32(a.low, b.low), vbicq_u32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_not(tlw_m8 a) {
    return tlw_neon_m8(vmvnq_u32(a.low), vmvnq_u32(a.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_from_bits(uint32_t bits) {
    const uint32x4_t low = {1, 2, 4, 8}, high = {16, 32, 64, 128};
    return tlw_neon_m8(vtstq_u32(vdupq_n_u32(bits), low), vtstq_u32(vdupq_n_u32(bits), high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_first(int count) {
    return tlw_i8_gt(tlw_i8_set1(count), tlw_i8_iota());
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_from_mask(tlw_m8 a) {
    return tlw_neon_i8(vreinterpretq_s32_u32(a.low), vreinterpretq_s32_u32(a.high));
}

TLW_FORCE_INLINE bool tlw_m8_any(tlw_m8 a) {
    return vmaxvq_u32(vorrq_u32(a.low, a.high)) != 0;
}

TLW_FORCE_INLINE bool tlw_m8_all(tlw_m8 a) {
    return vminvq_u32(vandq_u32(a.low, a.high)) != 0;
}

TLW_FORCE_INLINE bool tlw_m8_none(tlw_m8 a) {
    return !tlw_m8_any(a);
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_select(tlw_m8 mask, tlw_f8 a, tlw_f8 b) {
    return tlw_neon_f8(vbslq_f32(mask.low, a.low, b.low), vbslq_f32(mask.high, a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_select(tlw_m8 mask, tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vbslq_s32(mask.low, a.low, b.low), vbslq_s32(mask.high, a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_keep(tlw_m8 mask, tlw_f8 a) {
    return tlw_neon_f8(vreinterpretq_f32_u32(vandq_u32(mask.low, vreinterpretq_u32_f32(a.low))),
                       vreinterpretq_f32_u32(vandq_u32(mask.high, vreinterpretq_u32_f32(a.high))));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_drop(tlw_m8 mask, tlw_f8 a) {
    return tlw_neon_f8(vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a.low), mask.low)),
                       vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a.high), mask.high)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_keep(tlw_m8 mask, tlw_i8 a) {
    return tlw_neon_i8(vandq_s32(vreinterpretq_s32_u32(mask.low), a.low),
                       vandq_s32(vreinterpretq_s32_u32(mask.high), a.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_add(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vaddq_s32(a.low, b.low), vaddq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_sub(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vsubq_s32(a.low, b.low), vsubq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_mul(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vmulq_s32(a.low, b.low), vmulq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_min(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vminq_s32(a.low, b.low), vminq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_max(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vmaxq_s32(a.low, b.low), vmaxq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_and(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vandq_s32(a.low, b.low), vandq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_or(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(vorrq_s32(a.low, b.low), vorrq_s32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_xor(tlw_i8 a, tlw_i8 b) {
    return tlw_neon_i8(veorq_s32(a.low, b.low), veorq_s32(a.high, b.high));
}

// NEON shifts right by a negative count to the left.
TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_left(tlw_i8 a, int count) {
    return tlw_neon_i8(vshlq_s32(a.low, vdupq_n_s32(count)), vshlq_s32(a.high, vdupq_n_s32(count)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_right(tlw_i8 a, int count) {
    return tlw_neon_i8(
        vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a.low), vdupq_n_s32(-count))),
        vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a.high), vdupq_n_s32(-count))));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_right_signed(tlw_i8 a, int count) {
    return tlw_neon_i8(vshlq_s32(a.low, vdupq_n_s32(-count)),
                       vshlq_s32(a.high, vdupq_n_s32(-count)));
}

#endif
#endif
