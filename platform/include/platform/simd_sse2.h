// SPDX-License-Identifier: MIT
// Wide floats in two SSE2 registers, with no instruction newer than SSE2. The blending and rounding
// of later sets are built from older instructions here. Only included by simd.h.
#ifndef TLW_PLATFORM_SIMD_SSE2_H
#define TLW_PLATFORM_SIMD_SSE2_H

#include "platform/simd.h"

#if defined(TLW_WIDE_SSE2)

typedef int32_t tlw_sse2_ints __attribute__((vector_size(16)));

TLW_FORCE_INLINE tlw_f8 tlw_sse2_f8(__m128 low, __m128 high) {
    tlw_f8 r = {low, high};
    return r;
}

TLW_FORCE_INLINE tlw_i8 tlw_sse2_i8(__m128i low, __m128i high) {
    tlw_i8 r = {low, high};
    return r;
}

TLW_FORCE_INLINE tlw_m8 tlw_sse2_m8(__m128 low, __m128 high) {
    tlw_m8 r = {low, high};
    return r;
}

TLW_FORCE_INLINE tlw_m8 tlw_sse2_m8_of_ints(__m128i low, __m128i high) {
    return tlw_sse2_m8(_mm_castsi128_ps(low), _mm_castsi128_ps(high));
}

TLW_FORCE_INLINE __m128 tlw_sse2_sign(void) {
    return _mm_set1_ps(-0.0f);
}

TLW_FORCE_INLINE __m128 tlw_sse2_select(__m128 mask, __m128 a, __m128 b) {
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

TLW_FORCE_INLINE __m128i tlw_sse2_select_ints(__m128i mask, __m128i a, __m128i b) {
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

// Loads one word of any type. Uses memcpy, because floats must not be read through an int pointer.
TLW_FORCE_INLINE __m128i tlw_sse2_load_word(const char* from) {
    int32_t word;
    __builtin_memcpy(&word, from, sizeof word);
    return _mm_cvtsi32_si128(word);
}

TLW_FORCE_INLINE void tlw_sse2_store_word(char* to, __m128i a) {
    const int32_t word = _mm_cvtsi128_si32(a);
    __builtin_memcpy(to, &word, sizeof word);
}

// The first 0 to 4 of 4 words (a larger count means 4).
TLW_FORCE_INLINE __m128i tlw_sse2_load_first(const void* from, int count) {
    const char* bytes = (const char*)from;
    if (count >= 4) {
        return _mm_loadu_si128((const __m128i*)from);
    }
    if (count == 3) {
        return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i*)from),
                                  tlw_sse2_load_word(bytes + 8));
    }
    if (count == 2) {
        return _mm_loadl_epi64((const __m128i*)from);
    }
    return count == 1 ? tlw_sse2_load_word(bytes) : _mm_setzero_si128();
}

TLW_FORCE_INLINE void tlw_sse2_store_first(void* to, __m128i a, int count) {
    char* bytes = (char*)to;
    if (count >= 4) {
        _mm_storeu_si128((__m128i*)to, a);
        return;
    }
    if (count >= 2) {
        _mm_storel_epi64((__m128i*)to, a);
    }
    if (count == 3) {
        tlw_sse2_store_word(bytes + 8, _mm_unpackhi_epi64(a, a));
    } else if (count == 1) {
        tlw_sse2_store_word(bytes, a);
    }
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_zero(void) {
    return tlw_sse2_f8(_mm_setzero_ps(), _mm_setzero_ps());
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_zero(void) {
    return tlw_sse2_i8(_mm_setzero_si128(), _mm_setzero_si128());
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_set1(float a) {
    return tlw_sse2_f8(_mm_set1_ps(a), _mm_set1_ps(a));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_set1(int32_t a) {
    return tlw_sse2_i8(_mm_set1_epi32(a), _mm_set1_epi32(a));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_set(float l0, float l1, float l2, float l3, float l4, float l5,
                                   float l6, float l7) {
    return tlw_sse2_f8(_mm_setr_ps(l0, l1, l2, l3), _mm_setr_ps(l4, l5, l6, l7));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_set(int32_t l0, int32_t l1, int32_t l2, int32_t l3, int32_t l4,
                                   int32_t l5, int32_t l6, int32_t l7) {
    return tlw_sse2_i8(_mm_setr_epi32(l0, l1, l2, l3), _mm_setr_epi32(l4, l5, l6, l7));
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
    return lane < 4 ? ((tlw_sse2_ints)a.low)[lane & 3] : ((tlw_sse2_ints)a.high)[lane & 3];
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
    tlw_sse2_ints half = (tlw_sse2_ints)(lane < 4 ? a.low : a.high);
    half[lane & 3] = value;
    return lane < 4 ? tlw_sse2_i8((__m128i)half, a.high) : tlw_sse2_i8(a.low, (__m128i)half);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_from_bits_of(tlw_f8 a) {
    return tlw_sse2_i8(_mm_castps_si128(a.low), _mm_castps_si128(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_from_bits_of(tlw_i8 a) {
    return tlw_sse2_f8(_mm_castsi128_ps(a.low), _mm_castsi128_ps(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load(const float* from) {
    return tlw_sse2_f8(_mm_loadu_ps(from), _mm_loadu_ps(from + 4));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_aligned(const float* from) {
    return tlw_sse2_f8(_mm_load_ps(from), _mm_load_ps(from + 4));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load(const int32_t* from) {
    return tlw_sse2_i8(_mm_loadu_si128((const __m128i*)from),
                       _mm_loadu_si128((const __m128i*)(from + 4)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_aligned(const int32_t* from) {
    return tlw_sse2_i8(_mm_load_si128((const __m128i*)from),
                       _mm_load_si128((const __m128i*)(from + 4)));
}

TLW_FORCE_INLINE void tlw_f8_store(float* to, tlw_f8 a) {
    _mm_storeu_ps(to, a.low);
    _mm_storeu_ps(to + 4, a.high);
}

TLW_FORCE_INLINE void tlw_f8_store_aligned(float* to, tlw_f8 a) {
    _mm_store_ps(to, a.low);
    _mm_store_ps(to + 4, a.high);
}

TLW_FORCE_INLINE void tlw_i8_store(int32_t* to, tlw_i8 a) {
    _mm_storeu_si128((__m128i*)to, a.low);
    _mm_storeu_si128((__m128i*)(to + 4), a.high);
}

TLW_FORCE_INLINE void tlw_i8_store_aligned(int32_t* to, tlw_i8 a) {
    _mm_store_si128((__m128i*)to, a.low);
    _mm_store_si128((__m128i*)(to + 4), a.high);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_first(const int32_t* from, int count) {
    tlw_i8 r = tlw_i8_zero();
    r.low = tlw_sse2_load_first(from, count);
    if (count > 4) {
        r.high = tlw_sse2_load_first(from + 4, count - 4);
    }
    return r;
}

TLW_FORCE_INLINE void tlw_i8_store_first(int32_t* to, tlw_i8 a, int count) {
    tlw_sse2_store_first(to, a.low, count);
    if (count > 4) {
        tlw_sse2_store_first(to + 4, a.high, count - 4);
    }
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_first(const float* from, int count) {
    tlw_f8 r = tlw_f8_zero();
    r.low = _mm_castsi128_ps(tlw_sse2_load_first(from, count));
    if (count > 4) {
        r.high = _mm_castsi128_ps(tlw_sse2_load_first(from + 4, count - 4));
    }
    return r;
}

TLW_FORCE_INLINE void tlw_f8_store_first(float* to, tlw_f8 a, int count) {
    tlw_sse2_store_first(to, _mm_castps_si128(a.low), count);
    if (count > 4) {
        tlw_sse2_store_first(to + 4, _mm_castps_si128(a.high), count - 4);
    }
}

TLW_FORCE_INLINE uint32_t tlw_m8_to_bits(tlw_m8 a) {
    return (uint32_t)(_mm_movemask_ps(a.low) | _mm_movemask_ps(a.high) << 4);
}

// Stores lane by lane, because maskmovdqu bypasses the caches and is slower.
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

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_u16(const uint16_t* from) {
    const __m128i a = _mm_loadu_si128((const __m128i*)(const void*)from);
    return tlw_sse2_i8(_mm_unpacklo_epi16(a, _mm_setzero_si128()),
                       _mm_unpackhi_epi16(a, _mm_setzero_si128()));
}

// Puts the value into the upper half of each lane, then shifts it down with its sign.
TLW_FORCE_INLINE tlw_i8 tlw_sse2_widen_signed(__m128i halves) {
    return tlw_sse2_i8(_mm_srai_epi32(_mm_unpacklo_epi16(halves, halves), 16),
                       _mm_srai_epi32(_mm_unpackhi_epi16(halves, halves), 16));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_s16(const int16_t* from) {
    return tlw_sse2_widen_signed(_mm_loadu_si128((const __m128i*)(const void*)from));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_u8(const uint8_t* from) {
    return tlw_sse2_widen_signed(
        _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i*)(const void*)from), _mm_setzero_si128()));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_s8(const int8_t* from) {
    const __m128i a = _mm_loadl_epi64((const __m128i*)(const void*)from);
    return tlw_sse2_widen_signed(_mm_srai_epi16(_mm_unpacklo_epi8(a, a), 8));
}

// SSE2 has no unsigned saturating pack of 32 bits. With the sign of bit 15 extended, the signed
// pack keeps all bits.
TLW_FORCE_INLINE void tlw_i8_store_u16(uint16_t* to, tlw_i8 a) {
    const __m128i low = _mm_srai_epi32(_mm_slli_epi32(a.low, 16), 16);
    const __m128i high = _mm_srai_epi32(_mm_slli_epi32(a.high, 16), 16);
    _mm_storeu_si128((__m128i*)(void*)to, _mm_packs_epi32(low, high));
}

// 4 triples: a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3.
TLW_FORCE_INLINE void tlw_sse2_load_triples(const float* from, __m128* x, __m128* y, __m128* z) {
    const __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8);
    const __m128 yz01 = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    const __m128 xy23 = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    *x = _mm_shuffle_ps(a, xy23, _MM_SHUFFLE(2, 0, 3, 0));
    *y = _mm_shuffle_ps(yz01, xy23, _MM_SHUFFLE(3, 1, 2, 0));
    *z = _mm_shuffle_ps(yz01, c, _MM_SHUFFLE(3, 0, 3, 1));
}

TLW_FORCE_INLINE tlw_f8x3 tlw_f8x3_load(const float* from) {
    tlw_f8x3 r;
    tlw_sse2_load_triples(from, &r.x.low, &r.y.low, &r.z.low);
    tlw_sse2_load_triples(from + 12, &r.x.high, &r.y.high, &r.z.high);
    return r;
}

TLW_FORCE_INLINE void tlw_sse2_store_triples(float* to, __m128 x, __m128 y, __m128 z) {
    const __m128 xy02 = _mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
    const __m128 yz13 = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
    const __m128 z02x13 = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
    _mm_storeu_ps(to, _mm_shuffle_ps(xy02, z02x13, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm_storeu_ps(to + 4, _mm_shuffle_ps(yz13, xy02, _MM_SHUFFLE(3, 1, 2, 0)));
    _mm_storeu_ps(to + 8, _mm_shuffle_ps(z02x13, yz13, _MM_SHUFFLE(3, 1, 3, 1)));
}

TLW_FORCE_INLINE void tlw_f8x3_store(float* to, tlw_f8x3 a) {
    tlw_sse2_store_triples(to, a.x.low, a.y.low, a.z.low);
    tlw_sse2_store_triples(to + 12, a.x.high, a.y.high, a.z.high);
}

TLW_FORCE_INLINE tlw_f8x4 tlw_f8x4_load(const float* from) {
    tlw_f8x4 r;
    r.x = tlw_sse2_f8(_mm_loadu_ps(from), _mm_loadu_ps(from + 16));
    r.y = tlw_sse2_f8(_mm_loadu_ps(from + 4), _mm_loadu_ps(from + 20));
    r.z = tlw_sse2_f8(_mm_loadu_ps(from + 8), _mm_loadu_ps(from + 24));
    r.w = tlw_sse2_f8(_mm_loadu_ps(from + 12), _mm_loadu_ps(from + 28));
    _MM_TRANSPOSE4_PS(r.x.low, r.y.low, r.z.low, r.w.low);
    _MM_TRANSPOSE4_PS(r.x.high, r.y.high, r.z.high, r.w.high);
    return r;
}

TLW_FORCE_INLINE void tlw_f8x4_store(float* to, tlw_f8x4 a) {
    _MM_TRANSPOSE4_PS(a.x.low, a.y.low, a.z.low, a.w.low);
    _MM_TRANSPOSE4_PS(a.x.high, a.y.high, a.z.high, a.w.high);
    _mm_storeu_ps(to, a.x.low);
    _mm_storeu_ps(to + 4, a.y.low);
    _mm_storeu_ps(to + 8, a.z.low);
    _mm_storeu_ps(to + 12, a.w.low);
    _mm_storeu_ps(to + 16, a.x.high);
    _mm_storeu_ps(to + 20, a.y.high);
    _mm_storeu_ps(to + 24, a.z.high);
    _mm_storeu_ps(to + 28, a.w.high);
}

// Four 4x4 transposes; the two off the diagonal also change places.
TLW_FORCE_INLINE tlw_f8x8 tlw_f8x8_transpose(tlw_f8x8 a) {
    _MM_TRANSPOSE4_PS(a.row[0].low, a.row[1].low, a.row[2].low, a.row[3].low);
    _MM_TRANSPOSE4_PS(a.row[0].high, a.row[1].high, a.row[2].high, a.row[3].high);
    _MM_TRANSPOSE4_PS(a.row[4].low, a.row[5].low, a.row[6].low, a.row[7].low);
    _MM_TRANSPOSE4_PS(a.row[4].high, a.row[5].high, a.row[6].high, a.row[7].high);
    for (int i = 0; i < 4; ++i) {
        const __m128 upper_right = a.row[i].high;
        a.row[i].high = a.row[i + 4].low;
        a.row[i + 4].low = upper_right;
    }
    return a;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_shift_in(tlw_f8 a, float first) {
    const __m128 low = _mm_shuffle_ps(a.low, a.low, _MM_SHUFFLE(2, 1, 0, 0));
    const __m128 high = _mm_shuffle_ps(a.high, a.high, _MM_SHUFFLE(2, 1, 0, 0));
    const __m128 last = _mm_shuffle_ps(a.low, a.low, _MM_SHUFFLE(3, 3, 3, 3));
    return tlw_sse2_f8(_mm_move_ss(low, _mm_set_ss(first)), _mm_move_ss(high, last));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_between(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_shuffle_ps(a.low, b.low, _MM_SHUFFLE(2, 1, 2, 1)),
                       _mm_shuffle_ps(a.high, b.high, _MM_SHUFFLE(2, 1, 2, 1)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_hold(tlw_f8 a) {
    __asm__("" : "+x"(a.low), "+x"(a.high));
    return a;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_add(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_add_ps(a.low, b.low), _mm_add_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sub(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_sub_ps(a.low, b.low), _mm_sub_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_mul(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_mul_ps(a.low, b.low), _mm_mul_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_div(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_div_ps(a.low, b.low), _mm_div_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sqrt(tlw_f8 a) {
    return tlw_sse2_f8(_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_mul_then_add(tlw_f8 a, tlw_f8 b, tlw_f8 c) {
    return tlw_f8_add(tlw_f8_mul(a, b), c);
}

// minps and maxps follow our rule for NaNs and zeros.
TLW_FORCE_INLINE tlw_f8 tlw_f8_min(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_min_ps(a.low, b.low), _mm_min_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_max(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_max_ps(a.low, b.low), _mm_max_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_neg(tlw_f8 a) {
    return tlw_sse2_f8(_mm_xor_ps(a.low, tlw_sse2_sign()), _mm_xor_ps(a.high, tlw_sse2_sign()));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_abs(tlw_f8 a) {
    return tlw_sse2_f8(_mm_andnot_ps(tlw_sse2_sign(), a.low),
                       _mm_andnot_ps(tlw_sse2_sign(), a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_copysign(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(tlw_sse2_select(tlw_sse2_sign(), b.low, a.low),
                       tlw_sse2_select(tlw_sse2_sign(), b.high, a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_xor_sign(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(_mm_xor_ps(a.low, _mm_and_ps(tlw_sse2_sign(), b.low)),
                       _mm_xor_ps(a.high, _mm_and_ps(tlw_sse2_sign(), b.high)));
}

// Floats from 2^23 on are integers and stay as they are, and so do NaNs. The sign is restored for
// values that became zero.
TLW_FORCE_INLINE __m128 tlw_sse2_as_integral(__m128 a, __m128 integral) {
    const __m128 small = _mm_cmplt_ps(_mm_andnot_ps(tlw_sse2_sign(), a), _mm_set1_ps(8388608.0f));
    return tlw_sse2_select(small, _mm_or_ps(integral, _mm_and_ps(tlw_sse2_sign(), a)), a);
}

TLW_FORCE_INLINE __m128 tlw_sse2_floor(__m128 a) {
    const __m128 towards_zero = _mm_cvtepi32_ps(_mm_cvttps_epi32(a));
    const __m128 one_too_high = _mm_and_ps(_mm_cmpgt_ps(towards_zero, a), _mm_set1_ps(1.0f));
    return tlw_sse2_as_integral(a, _mm_sub_ps(towards_zero, one_too_high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_floor(tlw_f8 a) {
    return tlw_sse2_f8(tlw_sse2_floor(a.low), tlw_sse2_floor(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_round(tlw_f8 a) {
    return tlw_sse2_f8(tlw_sse2_as_integral(a.low, _mm_cvtepi32_ps(_mm_cvtps_epi32(a.low))),
                       tlw_sse2_as_integral(a.high, _mm_cvtepi32_ps(_mm_cvtps_epi32(a.high))));
}

// The CPU itself gives INT32_MIN for values that do not fit.
TLW_FORCE_INLINE tlw_i8 tlw_i8_truncate(tlw_f8 a) {
    return tlw_sse2_i8(_mm_cvttps_epi32(a.low), _mm_cvttps_epi32(a.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_round(tlw_f8 a) {
    return tlw_sse2_i8(_mm_cvtps_epi32(a.low), _mm_cvtps_epi32(a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_from_i8(tlw_i8 a) {
    return tlw_sse2_f8(_mm_cvtepi32_ps(a.low), _mm_cvtepi32_ps(a.high));
}

TLW_FORCE_INLINE float tlw_f8_sum_of_lanes(tlw_f8 a) {
    const __m128 s = _mm_add_ps(a.low, a.high);
    const __m128 t = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(t, _mm_shuffle_ps(t, t, _MM_SHUFFLE(1, 1, 1, 1))));
}

TLW_FORCE_INLINE void tlw_f8x4_store_sums(float* to, tlw_f8x4 a) {
    __m128 x = _mm_add_ps(a.x.low, a.x.high), y = _mm_add_ps(a.y.low, a.y.high);
    __m128 z = _mm_add_ps(a.z.low, a.z.high), w = _mm_add_ps(a.w.low, a.w.high);
    _MM_TRANSPOSE4_PS(x, y, z, w); // x holds s[0] of all four now, y s[1], z s[2], w s[3]
    _mm_storeu_ps(to, _mm_add_ps(_mm_add_ps(x, z), _mm_add_ps(y, w)));
}

TLW_FORCE_INLINE float tlw_f8_min_of_lanes(tlw_f8 a) {
    const __m128 s = _mm_min_ps(a.low, a.high);
    const __m128 t = _mm_min_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_min_ss(t, _mm_shuffle_ps(t, t, _MM_SHUFFLE(1, 1, 1, 1))));
}

TLW_FORCE_INLINE float tlw_f8_max_of_lanes(tlw_f8 a) {
    const __m128 s = _mm_max_ps(a.low, a.high);
    const __m128 t = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(t, _mm_shuffle_ps(t, t, _MM_SHUFFLE(1, 1, 1, 1))));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_lt(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_m8(_mm_cmplt_ps(a.low, b.low), _mm_cmplt_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_le(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_m8(_mm_cmple_ps(a.low, b.low), _mm_cmple_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_gt(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_m8(_mm_cmpgt_ps(a.low, b.low), _mm_cmpgt_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_ge(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_m8(_mm_cmpge_ps(a.low, b.low), _mm_cmpge_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_eq(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_m8(_mm_cmpeq_ps(a.low, b.low), _mm_cmpeq_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_ne(tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_m8(_mm_cmpneq_ps(a.low, b.low), _mm_cmpneq_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_eq(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_m8_of_ints(_mm_cmpeq_epi32(a.low, b.low), _mm_cmpeq_epi32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_lt(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_m8_of_ints(_mm_cmplt_epi32(a.low, b.low), _mm_cmplt_epi32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_gt(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_m8_of_ints(_mm_cmpgt_epi32(a.low, b.low), _mm_cmpgt_epi32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_and(tlw_m8 a, tlw_m8 b) {
    return tlw_sse2_m8(_mm_and_ps(a.low, b.low), _mm_and_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_or(tlw_m8 a, tlw_m8 b) {
    return tlw_sse2_m8(_mm_or_ps(a.low, b.low), _mm_or_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_xor(tlw_m8 a, tlw_m8 b) {
    return tlw_sse2_m8(_mm_xor_ps(a.low, b.low), _mm_xor_ps(a.high, b.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_and_not(tlw_m8 a, tlw_m8 b) {
    return tlw_sse2_m8(_mm_andnot_ps(b.low, a.low), _mm_andnot_ps(b.high, a.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_not(tlw_m8 a) {
    return tlw_sse2_m8(_mm_xor_ps(a.low, _mm_castsi128_ps(_mm_set1_epi32(-1))),
                       _mm_xor_ps(a.high, _mm_castsi128_ps(_mm_set1_epi32(-1))));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_from_bits(uint32_t bits) {
    const tlw_i8 of_lane = tlw_i8_set(1, 2, 4, 8, 16, 32, 64, 128);
    const __m128i all = _mm_set1_epi32((int)bits);
    return tlw_sse2_m8_of_ints(_mm_cmpeq_epi32(_mm_and_si128(all, of_lane.low), of_lane.low),
                               _mm_cmpeq_epi32(_mm_and_si128(all, of_lane.high), of_lane.high));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_first(int count) {
    return tlw_i8_gt(tlw_i8_set1(count), tlw_i8_iota());
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_from_mask(tlw_m8 a) {
    return tlw_sse2_i8(_mm_castps_si128(a.low), _mm_castps_si128(a.high));
}

TLW_FORCE_INLINE bool tlw_m8_any(tlw_m8 a) {
    return _mm_movemask_ps(_mm_or_ps(a.low, a.high)) != 0;
}

TLW_FORCE_INLINE bool tlw_m8_all(tlw_m8 a) {
    return _mm_movemask_ps(_mm_and_ps(a.low, a.high)) == 0xf;
}

TLW_FORCE_INLINE bool tlw_m8_none(tlw_m8 a) {
    return !tlw_m8_any(a);
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_select(tlw_m8 mask, tlw_f8 a, tlw_f8 b) {
    return tlw_sse2_f8(tlw_sse2_select(mask.low, a.low, b.low),
                       tlw_sse2_select(mask.high, a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_select(tlw_m8 mask, tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(tlw_sse2_select_ints(_mm_castps_si128(mask.low), a.low, b.low),
                       tlw_sse2_select_ints(_mm_castps_si128(mask.high), a.high, b.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_keep(tlw_m8 mask, tlw_f8 a) {
    return tlw_sse2_f8(_mm_and_ps(mask.low, a.low), _mm_and_ps(mask.high, a.high));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_drop(tlw_m8 mask, tlw_f8 a) {
    return tlw_sse2_f8(_mm_andnot_ps(mask.low, a.low), _mm_andnot_ps(mask.high, a.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_keep(tlw_m8 mask, tlw_i8 a) {
    return tlw_sse2_i8(_mm_and_si128(_mm_castps_si128(mask.low), a.low),
                       _mm_and_si128(_mm_castps_si128(mask.high), a.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_add(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(_mm_add_epi32(a.low, b.low), _mm_add_epi32(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_sub(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(_mm_sub_epi32(a.low, b.low), _mm_sub_epi32(a.high, b.high));
}

// Multiplies even and odd lanes with the 32x32 to 64 bit product and joins the low words.
TLW_FORCE_INLINE __m128i tlw_sse2_mul_ints(__m128i a, __m128i b) {
    const __m128i even = _mm_mul_epu32(a, b);
    const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0)),
                              _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_mul(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(tlw_sse2_mul_ints(a.low, b.low), tlw_sse2_mul_ints(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_min(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(tlw_sse2_select_ints(_mm_cmplt_epi32(a.low, b.low), a.low, b.low),
                       tlw_sse2_select_ints(_mm_cmplt_epi32(a.high, b.high), a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_max(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(tlw_sse2_select_ints(_mm_cmpgt_epi32(a.low, b.low), a.low, b.low),
                       tlw_sse2_select_ints(_mm_cmpgt_epi32(a.high, b.high), a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_and(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(_mm_and_si128(a.low, b.low), _mm_and_si128(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_or(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(_mm_or_si128(a.low, b.low), _mm_or_si128(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_xor(tlw_i8 a, tlw_i8 b) {
    return tlw_sse2_i8(_mm_xor_si128(a.low, b.low), _mm_xor_si128(a.high, b.high));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_left(tlw_i8 a, int count) {
    return tlw_sse2_i8(_mm_slli_epi32(a.low, count), _mm_slli_epi32(a.high, count));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_right(tlw_i8 a, int count) {
    return tlw_sse2_i8(_mm_srli_epi32(a.low, count), _mm_srli_epi32(a.high, count));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_right_signed(tlw_i8 a, int count) {
    return tlw_sse2_i8(_mm_srai_epi32(a.low, count), _mm_srai_epi32(a.high, count));
}

#endif
#endif
