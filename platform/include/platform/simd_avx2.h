// SPDX-License-Identifier: MIT
// Wide floats in one AVX2 register. No FMA, no F16C, no estimates. Included by simd.h alone.
#ifndef TLW_PLATFORM_SIMD_AVX2_H
#define TLW_PLATFORM_SIMD_AVX2_H

#include "platform/simd.h"

#if defined(TLW_WIDE_AVX2)

typedef int32_t tlw_avx2_ints __attribute__((vector_size(32)));

TLW_FORCE_INLINE tlw_f8 tlw_avx2_f8(__m256 all) {
    tlw_f8 r = {all};
    return r;
}

TLW_FORCE_INLINE tlw_i8 tlw_avx2_i8(__m256i all) {
    tlw_i8 r = {all};
    return r;
}

TLW_FORCE_INLINE tlw_m8 tlw_avx2_m8(__m256 all) {
    tlw_m8 r = {all};
    return r;
}

TLW_FORCE_INLINE tlw_m8 tlw_avx2_m8_of_ints(__m256i all) {
    return tlw_avx2_m8(_mm256_castsi256_ps(all));
}

TLW_FORCE_INLINE __m256i tlw_avx2_mask_ints(tlw_m8 a) {
    return _mm256_castps_si256(a.all);
}

TLW_FORCE_INLINE __m256 tlw_avx2_sign(void) {
    return _mm256_set1_ps(-0.0f);
}

// Loads two blocks of 4 floats into one register. The shuffles below stay inside a half.
TLW_FORCE_INLINE __m256 tlw_avx2_load_halves(const float* low, const float* high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

TLW_FORCE_INLINE void tlw_avx2_store_halves(float* low, float* high, __m256 a) {
    _mm_storeu_ps(low, _mm256_castps256_ps128(a));
    _mm_storeu_ps(high, _mm256_extractf128_ps(a, 1));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_zero(void) {
    return tlw_avx2_f8(_mm256_setzero_ps());
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_zero(void) {
    return tlw_avx2_i8(_mm256_setzero_si256());
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_set1(float a) {
    return tlw_avx2_f8(_mm256_set1_ps(a));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_set1(int32_t a) {
    return tlw_avx2_i8(_mm256_set1_epi32(a));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_set(float l0, float l1, float l2, float l3, float l4, float l5,
                                   float l6, float l7) {
    return tlw_avx2_f8(_mm256_setr_ps(l0, l1, l2, l3, l4, l5, l6, l7));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_set(int32_t l0, int32_t l1, int32_t l2, int32_t l3, int32_t l4,
                                   int32_t l5, int32_t l6, int32_t l7) {
    return tlw_avx2_i8(_mm256_setr_epi32(l0, l1, l2, l3, l4, l5, l6, l7));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_iota(void) {
    return tlw_f8_set(0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_iota(void) {
    return tlw_i8_set(0, 1, 2, 3, 4, 5, 6, 7);
}

TLW_FORCE_INLINE float tlw_f8_get(tlw_f8 a, int lane) {
    return a.all[lane];
}

TLW_FORCE_INLINE int32_t tlw_i8_get(tlw_i8 a, int lane) {
    return ((tlw_avx2_ints)a.all)[lane];
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_with(tlw_f8 a, int lane, float value) {
    a.all[lane] = value;
    return a;
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_with(tlw_i8 a, int lane, int32_t value) {
    tlw_avx2_ints ints = (tlw_avx2_ints)a.all;
    ints[lane] = value;
    return tlw_avx2_i8((__m256i)ints);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_from_bits_of(tlw_f8 a) {
    return tlw_avx2_i8(_mm256_castps_si256(a.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_from_bits_of(tlw_i8 a) {
    return tlw_avx2_f8(_mm256_castsi256_ps(a.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load(const float* from) {
    return tlw_avx2_f8(_mm256_loadu_ps(from));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_aligned(const float* from) {
    return tlw_avx2_f8(_mm256_load_ps(from));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load(const int32_t* from) {
    return tlw_avx2_i8(_mm256_loadu_si256((const __m256i*)from));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_aligned(const int32_t* from) {
    return tlw_avx2_i8(_mm256_load_si256((const __m256i*)from));
}

TLW_FORCE_INLINE void tlw_f8_store(float* to, tlw_f8 a) {
    _mm256_storeu_ps(to, a.all);
}

TLW_FORCE_INLINE void tlw_f8_store_aligned(float* to, tlw_f8 a) {
    _mm256_store_ps(to, a.all);
}

TLW_FORCE_INLINE void tlw_i8_store(int32_t* to, tlw_i8 a) {
    _mm256_storeu_si256((__m256i*)to, a.all);
}

TLW_FORCE_INLINE void tlw_i8_store_aligned(int32_t* to, tlw_i8 a) {
    _mm256_store_si256((__m256i*)to, a.all);
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_first(int count) {
    return tlw_avx2_m8_of_ints(_mm256_cmpgt_epi32(_mm256_set1_epi32(count), tlw_i8_iota().all));
}

// The CPU does not fault on lanes that are not set in the mask.
TLW_FORCE_INLINE tlw_f8 tlw_f8_load_masked(const float* from, tlw_m8 mask) {
    return tlw_avx2_f8(_mm256_maskload_ps(from, tlw_avx2_mask_ints(mask)));
}

TLW_FORCE_INLINE void tlw_f8_store_masked(float* to, tlw_f8 a, tlw_m8 mask) {
    _mm256_maskstore_ps(to, tlw_avx2_mask_ints(mask), a.all);
}

TLW_FORCE_INLINE void tlw_i8_store_masked(int32_t* to, tlw_i8 a, tlw_m8 mask) {
    _mm256_maskstore_epi32((int*)to, tlw_avx2_mask_ints(mask), a.all);
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_load_first(const float* from, int count) {
    return tlw_f8_load_masked(from, tlw_m8_first(count));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_first(const int32_t* from, int count) {
    return tlw_avx2_i8(
        _mm256_maskload_epi32((const int*)from, tlw_avx2_mask_ints(tlw_m8_first(count))));
}

TLW_FORCE_INLINE void tlw_f8_store_first(float* to, tlw_f8 a, int count) {
    tlw_f8_store_masked(to, a, tlw_m8_first(count));
}

TLW_FORCE_INLINE void tlw_i8_store_first(int32_t* to, tlw_i8 a, int count) {
    tlw_i8_store_masked(to, a, tlw_m8_first(count));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_gather(const float* from, tlw_i8 index) {
    return tlw_avx2_f8(_mm256_i32gather_ps(from, index.all, 4));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_u8(const uint8_t* from) {
    return tlw_avx2_i8(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_s8(const int8_t* from) {
    return tlw_avx2_i8(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_u16(const uint16_t* from) {
    return tlw_avx2_i8(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)(const void*)from)));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_load_s16(const int16_t* from) {
    return tlw_avx2_i8(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i*)(const void*)from)));
}

TLW_FORCE_INLINE void tlw_i8_store_u16(uint16_t* to, tlw_i8 a) {
    const __m256i low_bits = _mm256_and_si256(a.all, _mm256_set1_epi32(0xffff));
    const __m128i packed =
        _mm_packus_epi32(_mm256_castsi256_si128(low_bits), _mm256_extracti128_si256(low_bits, 1));
    _mm_storeu_si128((__m128i*)(void*)to, packed);
}

// Each half has 4 triples: a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3.
TLW_FORCE_INLINE tlw_f8x3 tlw_f8x3_load(const float* from) {
    const __m256 a = tlw_avx2_load_halves(from, from + 12);
    const __m256 b = tlw_avx2_load_halves(from + 4, from + 16);
    const __m256 c = tlw_avx2_load_halves(from + 8, from + 20);
    const __m256 yz01 = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    const __m256 xy23 = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    tlw_f8x3 r;
    r.x.all = _mm256_shuffle_ps(a, xy23, _MM_SHUFFLE(2, 0, 3, 0));
    r.y.all = _mm256_shuffle_ps(yz01, xy23, _MM_SHUFFLE(3, 1, 2, 0));
    r.z.all = _mm256_shuffle_ps(yz01, c, _MM_SHUFFLE(3, 0, 3, 1));
    return r;
}

TLW_FORCE_INLINE void tlw_f8x3_store(float* to, tlw_f8x3 a) {
    const __m256 xy02 = _mm256_shuffle_ps(a.x.all, a.y.all, _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 yz13 = _mm256_shuffle_ps(a.y.all, a.z.all, _MM_SHUFFLE(3, 1, 3, 1));
    const __m256 z02x13 = _mm256_shuffle_ps(a.z.all, a.x.all, _MM_SHUFFLE(3, 1, 2, 0));
    tlw_avx2_store_halves(to, to + 12, _mm256_shuffle_ps(xy02, z02x13, _MM_SHUFFLE(2, 0, 2, 0)));
    tlw_avx2_store_halves(to + 4, to + 16, _mm256_shuffle_ps(yz13, xy02, _MM_SHUFFLE(3, 1, 2, 0)));
    tlw_avx2_store_halves(to + 8, to + 20,
                          _mm256_shuffle_ps(z02x13, yz13, _MM_SHUFFLE(3, 1, 3, 1)));
}

// Transposes a 4x4 matrix in each half.
TLW_FORCE_INLINE tlw_f8x4 tlw_avx2_transpose_halves(tlw_f8x4 a) {
    const __m256 xy_low = _mm256_unpacklo_ps(a.x.all, a.y.all);
    const __m256 xy_high = _mm256_unpackhi_ps(a.x.all, a.y.all);
    const __m256 zw_low = _mm256_unpacklo_ps(a.z.all, a.w.all);
    const __m256 zw_high = _mm256_unpackhi_ps(a.z.all, a.w.all);
    tlw_f8x4 r;
    r.x.all = _mm256_shuffle_ps(xy_low, zw_low, _MM_SHUFFLE(1, 0, 1, 0));
    r.y.all = _mm256_shuffle_ps(xy_low, zw_low, _MM_SHUFFLE(3, 2, 3, 2));
    r.z.all = _mm256_shuffle_ps(xy_high, zw_high, _MM_SHUFFLE(1, 0, 1, 0));
    r.w.all = _mm256_shuffle_ps(xy_high, zw_high, _MM_SHUFFLE(3, 2, 3, 2));
    return r;
}

TLW_FORCE_INLINE tlw_f8x4 tlw_f8x4_load(const float* from) {
    tlw_f8x4 rows;
    rows.x.all = tlw_avx2_load_halves(from, from + 16);
    rows.y.all = tlw_avx2_load_halves(from + 4, from + 20);
    rows.z.all = tlw_avx2_load_halves(from + 8, from + 24);
    rows.w.all = tlw_avx2_load_halves(from + 12, from + 28);
    return tlw_avx2_transpose_halves(rows);
}

TLW_FORCE_INLINE void tlw_f8x4_store(float* to, tlw_f8x4 a) {
    const tlw_f8x4 rows = tlw_avx2_transpose_halves(a);
    tlw_avx2_store_halves(to, to + 16, rows.x.all);
    tlw_avx2_store_halves(to + 4, to + 20, rows.y.all);
    tlw_avx2_store_halves(to + 8, to + 24, rows.z.all);
    tlw_avx2_store_halves(to + 12, to + 28, rows.w.all);
}

TLW_FORCE_INLINE tlw_f8x8 tlw_f8x8_transpose(tlw_f8x8 a) {
    const tlw_f8x4 upper_rows = {a.row[0], a.row[1], a.row[2], a.row[3]};
    const tlw_f8x4 lower_rows = {a.row[4], a.row[5], a.row[6], a.row[7]};
    const tlw_f8x4 upper = tlw_avx2_transpose_halves(upper_rows);
    const tlw_f8x4 lower = tlw_avx2_transpose_halves(lower_rows);
    tlw_f8x8 r;
    r.row[0].all = _mm256_permute2f128_ps(upper.x.all, lower.x.all, 0x20);
    r.row[1].all = _mm256_permute2f128_ps(upper.y.all, lower.y.all, 0x20);
    r.row[2].all = _mm256_permute2f128_ps(upper.z.all, lower.z.all, 0x20);
    r.row[3].all = _mm256_permute2f128_ps(upper.w.all, lower.w.all, 0x20);
    r.row[4].all = _mm256_permute2f128_ps(upper.x.all, lower.x.all, 0x31);
    r.row[5].all = _mm256_permute2f128_ps(upper.y.all, lower.y.all, 0x31);
    r.row[6].all = _mm256_permute2f128_ps(upper.z.all, lower.z.all, 0x31);
    r.row[7].all = _mm256_permute2f128_ps(upper.w.all, lower.w.all, 0x31);
    return r;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_shift_in(tlw_f8 a, float first) {
    const __m256i from = _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6);
    return tlw_avx2_f8(
        _mm256_blend_ps(_mm256_permutevar8x32_ps(a.all, from), _mm256_set1_ps(first), 1));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_between(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_shuffle_ps(a.all, b.all, _MM_SHUFFLE(2, 1, 2, 1)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_hold(tlw_f8 a) {
    __asm__("" : "+x"(a.all));
    return a;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_add(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_add_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sub(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_sub_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_mul(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_mul_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_div(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_div_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_sqrt(tlw_f8 a) {
    return tlw_avx2_f8(_mm256_sqrt_ps(a.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_mul_then_add(tlw_f8 a, tlw_f8 b, tlw_f8 c) {
    return tlw_f8_add(tlw_f8_mul(a, b), c);
}

// vminps and vmaxps follow our rule for NaNs and zeros.
TLW_FORCE_INLINE tlw_f8 tlw_f8_min(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_min_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_max(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_max_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_neg(tlw_f8 a) {
    return tlw_avx2_f8(_mm256_xor_ps(a.all, tlw_avx2_sign()));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_abs(tlw_f8 a) {
    return tlw_avx2_f8(_mm256_andnot_ps(tlw_avx2_sign(), a.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_copysign(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_or_ps(_mm256_andnot_ps(tlw_avx2_sign(), a.all),
                                    _mm256_and_ps(tlw_avx2_sign(), b.all)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_xor_sign(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_xor_ps(a.all, _mm256_and_ps(tlw_avx2_sign(), b.all)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_floor(tlw_f8 a) {
    return tlw_avx2_f8(_mm256_round_ps(a.all, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_round(tlw_f8 a) {
    return tlw_avx2_f8(_mm256_round_ps(a.all, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

// The CPU itself gives INT32_MIN for values that do not fit.
TLW_FORCE_INLINE tlw_i8 tlw_i8_truncate(tlw_f8 a) {
    return tlw_avx2_i8(_mm256_cvttps_epi32(a.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_round(tlw_f8 a) {
    return tlw_avx2_i8(_mm256_cvtps_epi32(a.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_from_i8(tlw_i8 a) {
    return tlw_avx2_f8(_mm256_cvtepi32_ps(a.all));
}

TLW_FORCE_INLINE float tlw_f8_sum_of_lanes(tlw_f8 a) {
    const __m128 s = _mm_add_ps(_mm256_castps256_ps128(a.all), _mm256_extractf128_ps(a.all, 1));
    const __m128 t = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(t, _mm_movehdup_ps(t)));
}

// Two vectors share a register from the first addition on.
TLW_FORCE_INLINE void tlw_f8x4_store_sums(float* to, tlw_f8x4 a) {
    const __m256 xy = _mm256_add_ps(_mm256_permute2f128_ps(a.x.all, a.y.all, 0x20),
                                    _mm256_permute2f128_ps(a.x.all, a.y.all, 0x31));
    const __m256 zw = _mm256_add_ps(_mm256_permute2f128_ps(a.z.all, a.w.all, 0x20),
                                    _mm256_permute2f128_ps(a.z.all, a.w.all, 0x31));
    // s[0] + s[2] and s[1] + s[3]: of x and z in the lower half, of y and w in the upper.
    const __m256 t = _mm256_add_ps(_mm256_unpacklo_ps(xy, zw), _mm256_unpackhi_ps(xy, zw));
    const __m128 low = _mm256_castps256_ps128(t), high = _mm256_extractf128_ps(t, 1);
    _mm_storeu_ps(to, _mm_add_ps(_mm_unpacklo_ps(low, high), _mm_unpackhi_ps(low, high)));
}

TLW_FORCE_INLINE float tlw_f8_min_of_lanes(tlw_f8 a) {
    const __m128 s = _mm_min_ps(_mm256_castps256_ps128(a.all), _mm256_extractf128_ps(a.all, 1));
    const __m128 t = _mm_min_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_min_ss(t, _mm_movehdup_ps(t)));
}

TLW_FORCE_INLINE float tlw_f8_max_of_lanes(tlw_f8 a) {
    const __m128 s = _mm_max_ps(_mm256_castps256_ps128(a.all), _mm256_extractf128_ps(a.all, 1));
    const __m128 t = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(t, _mm_movehdup_ps(t)));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_lt(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_m8(_mm256_cmp_ps(a.all, b.all, _CMP_LT_OQ));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_le(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_m8(_mm256_cmp_ps(a.all, b.all, _CMP_LE_OQ));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_gt(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_m8(_mm256_cmp_ps(a.all, b.all, _CMP_GT_OQ));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_ge(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_m8(_mm256_cmp_ps(a.all, b.all, _CMP_GE_OQ));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_eq(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_m8(_mm256_cmp_ps(a.all, b.all, _CMP_EQ_OQ));
}

TLW_FORCE_INLINE tlw_m8 tlw_f8_ne(tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_m8(_mm256_cmp_ps(a.all, b.all, _CMP_NEQ_UQ));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_eq(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_m8_of_ints(_mm256_cmpeq_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_lt(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_m8_of_ints(_mm256_cmpgt_epi32(b.all, a.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_i8_gt(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_m8_of_ints(_mm256_cmpgt_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_and(tlw_m8 a, tlw_m8 b) {
    return tlw_avx2_m8(_mm256_and_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_or(tlw_m8 a, tlw_m8 b) {
    return tlw_avx2_m8(_mm256_or_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_xor(tlw_m8 a, tlw_m8 b) {
    return tlw_avx2_m8(_mm256_xor_ps(a.all, b.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_and_not(tlw_m8 a, tlw_m8 b) {
    return tlw_avx2_m8(_mm256_andnot_ps(b.all, a.all));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_not(tlw_m8 a) {
    return tlw_avx2_m8(_mm256_xor_ps(a.all, _mm256_castsi256_ps(_mm256_set1_epi32(-1))));
}

TLW_FORCE_INLINE tlw_m8 tlw_m8_from_bits(uint32_t bits) {
    const __m256i of_lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return tlw_avx2_m8_of_ints(
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), of_lane), of_lane));
}

TLW_FORCE_INLINE uint32_t tlw_m8_to_bits(tlw_m8 a) {
    return (uint32_t)_mm256_movemask_ps(a.all);
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_from_mask(tlw_m8 a) {
    return tlw_avx2_i8(tlw_avx2_mask_ints(a));
}

TLW_FORCE_INLINE bool tlw_m8_any(tlw_m8 a) {
    return tlw_m8_to_bits(a) != 0;
}

TLW_FORCE_INLINE bool tlw_m8_all(tlw_m8 a) {
    return tlw_m8_to_bits(a) == 0xffu;
}

TLW_FORCE_INLINE bool tlw_m8_none(tlw_m8 a) {
    return tlw_m8_to_bits(a) == 0;
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_select(tlw_m8 mask, tlw_f8 a, tlw_f8 b) {
    return tlw_avx2_f8(_mm256_blendv_ps(b.all, a.all, mask.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_select(tlw_m8 mask, tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_blendv_epi8(b.all, a.all, tlw_avx2_mask_ints(mask)));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_keep(tlw_m8 mask, tlw_f8 a) {
    return tlw_avx2_f8(_mm256_and_ps(mask.all, a.all));
}

TLW_FORCE_INLINE tlw_f8 tlw_f8_drop(tlw_m8 mask, tlw_f8 a) {
    return tlw_avx2_f8(_mm256_andnot_ps(mask.all, a.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_keep(tlw_m8 mask, tlw_i8 a) {
    return tlw_avx2_i8(_mm256_and_si256(tlw_avx2_mask_ints(mask), a.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_add(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_add_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_sub(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_sub_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_mul(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_mullo_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_min(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_min_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_max(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_max_epi32(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_and(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_and_si256(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_or(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_or_si256(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_xor(tlw_i8 a, tlw_i8 b) {
    return tlw_avx2_i8(_mm256_xor_si256(a.all, b.all));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_left(tlw_i8 a, int count) {
    return tlw_avx2_i8(_mm256_slli_epi32(a.all, count));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_right(tlw_i8 a, int count) {
    return tlw_avx2_i8(_mm256_srli_epi32(a.all, count));
}

TLW_FORCE_INLINE tlw_i8 tlw_i8_shift_right_signed(tlw_i8 a, int count) {
    return tlw_avx2_i8(_mm256_srai_epi32(a.all, count));
}

#endif
#endif
