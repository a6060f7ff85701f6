// SPDX-License-Identifier: MIT
// Wide floats: 8 logical lanes on every CPU. Operations are declared once, by the list in
// simd_operations.h, and give the same bits in every backend, except the sign and payload of a NaN
// that arithmetic produces. Kernels are compiled once per instruction set (tallow_kernels() defines
// TLW_SIMD_SCALAR, _SSE2, _AVX2, _NEON or _COUNT); other files get the best set that their flags
// allow.
//
// The bits hold under -ffp-contract=off (gcc would otherwise fuse on ARM), without fast-math, while
// the CPU rounds to nearest with denormals on.
#ifndef TLW_PLATFORM_SIMD_H
#define TLW_PLATFORM_SIMD_H

#include "platform/base.h"

#if !TLW_HAS_GNU_EXTENSIONS
#    error "kernels need gcc or clang: wide floats use their attributes"
#endif
#if defined(__FAST_MATH__)
#    error "wide floats promise bits that -ffast-math does not keep"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#    error "wide floats need float arithmetic in float (x87: -mfpmath=sse)"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#    error "wide floats assume a little-endian CPU"
#endif

// Named TLW_WIDE_<SET> and not TLW_SIMD_<SET>, because this choice must not give TLW_KERNEL a
// suffix.
#if defined(TLW_SIMD_SCALAR)
#    define TLW_WIDE_SCALAR 1
#elif defined(TLW_SIMD_SSE2)
#    define TLW_WIDE_SSE2 1
#elif defined(TLW_SIMD_AVX2)
#    define TLW_WIDE_AVX2 1
#elif defined(TLW_SIMD_NEON)
#    define TLW_WIDE_NEON 1
#elif defined(TLW_SIMD_COUNT)
#    define TLW_WIDE_COUNT 1
#elif defined(__AVX2__)
#    define TLW_WIDE_AVX2 1
#elif defined(__SSE2__)
#    define TLW_WIDE_SSE2 1
#elif defined(__aarch64__) && defined(__ARM_NEON)
#    define TLW_WIDE_NEON 1
#else
#    define TLW_WIDE_SCALAR 1
#endif

#define TLW_WIDE_LANES 8
// Alignment of the memory for aligned loads and stores.
#define TLW_WIDE_ALIGNMENT 32

// Every type is 8 lanes of 32 bits in order, but its alignment differs between backends. So kernels
// share arrays of floats, which they load and store, and never these types.
#if defined(TLW_WIDE_AVX2)
#    include <immintrin.h>
typedef struct tlw_f8 {
    __m256 all;
} tlw_f8;
typedef struct tlw_i8 {
    __m256i all;
} tlw_i8;
typedef struct tlw_m8 {
    __m256 all;
} tlw_m8;
#elif defined(TLW_WIDE_SSE2)
#    include <emmintrin.h>
typedef struct tlw_f8 {
    __m128 low, high;
} tlw_f8;
typedef struct tlw_i8 {
    __m128i low, high;
} tlw_i8;
typedef struct tlw_m8 {
    __m128 low, high;
} tlw_m8;
#elif defined(TLW_WIDE_NEON)
#    include <arm_neon.h>
typedef struct tlw_f8 {
    float32x4_t low, high;
} tlw_f8;
typedef struct tlw_i8 {
    int32x4_t low, high;
} tlw_i8;
typedef struct tlw_m8 {
    uint32x4_t low, high;
} tlw_m8;
#else
typedef struct tlw_f8 {
    float lane[TLW_WIDE_LANES];
} tlw_f8;
typedef struct tlw_i8 {
    int32_t lane[TLW_WIDE_LANES];
} tlw_i8;
typedef struct tlw_m8 {
    uint32_t lane[TLW_WIDE_LANES];
} tlw_m8;
#endif
TLW_STATIC_ASSERT(sizeof(tlw_f8) == 32 && sizeof(tlw_i8) == 32 && sizeof(tlw_m8) == 32,
                  "8 lanes of 32 bits");

typedef struct tlw_f8x3 {
    tlw_f8 x, y, z;
} tlw_f8x3;
typedef struct tlw_f8x4 {
    tlw_f8 x, y, z, w;
} tlw_f8x4;
typedef struct tlw_f8x8 {
    tlw_f8 row[8];
} tlw_f8x8;

// The C types of the kinds in simd_operations.h.
#define TLW_KIND_void               void
#define TLW_KIND_f8                 tlw_f8
#define TLW_KIND_i8                 tlw_i8
#define TLW_KIND_m8                 tlw_m8
#define TLW_KIND_f8x3               tlw_f8x3
#define TLW_KIND_f8x4               tlw_f8x4
#define TLW_KIND_f8x8               tlw_f8x8
#define TLW_KIND_f32                float
#define TLW_KIND_i32                int32_t
#define TLW_KIND_b1                 bool
#define TLW_KIND_lane               int
#define TLW_KIND_lanes              int
#define TLW_KIND_shift              int
#define TLW_KIND_bits               uint32_t
#define TLW_KIND_index              tlw_i8
#define TLW_KIND_floats             const float*
#define TLW_KIND_ints               const int32_t*
#define TLW_KIND_aligned_floats     const float*
#define TLW_KIND_aligned_ints       const int32_t*
#define TLW_KIND_u8s                const uint8_t*
#define TLW_KIND_s8s                const int8_t*
#define TLW_KIND_u16s               const uint16_t*
#define TLW_KIND_s16s               const int16_t*
#define TLW_KIND_out_floats         float*
#define TLW_KIND_out_ints           int32_t*
#define TLW_KIND_out_aligned_floats float*
#define TLW_KIND_out_aligned_ints   int32_t*
#define TLW_KIND_out_u16s           uint16_t*

#define TLW_OP0(result, name, cost)    TLW_FORCE_INLINE TLW_KIND_##result name(void);
#define TLW_OP1(result, name, a, cost) TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##a);
#define TLW_OP2(result, name, a, b, cost) \
    TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##a, TLW_KIND_##b);
#define TLW_OP3(result, name, a, b, c, cost) \
    TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##a, TLW_KIND_##b, TLW_KIND_##c);
#define TLW_OP8(result, name, e, cost)                                                \
    TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##e, TLW_KIND_##e, TLW_KIND_##e, \
                                            TLW_KIND_##e, TLW_KIND_##e, TLW_KIND_##e, \
                                            TLW_KIND_##e, TLW_KIND_##e);
#include "platform/simd_operations.h"

#if defined(TLW_WIDE_AVX2)
#    include "platform/simd_avx2.h"
#elif defined(TLW_WIDE_SSE2)
#    include "platform/simd_sse2.h"
#elif defined(TLW_WIDE_NEON)
#    include "platform/simd_neon.h"
#elif defined(TLW_WIDE_COUNT)
#    include "platform/simd_count.h"
#else
#    include "platform/simd_scalar.h"
#endif

#endif
