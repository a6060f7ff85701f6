// SPDX-License-Identifier: MIT
// The operations of one backend, compiled once per instruction set. Values go in and out by memcpy,
// not by the loads and stores that are under test.
#include "tests/platform/simd/simd_kernels.h"

#include "platform/simd.h"
#include "platform/simd_math.h"

#include <string.h>

#define FETCH(kind)                                                          \
    static TLW_KIND_##kind fetch_##kind(const tlw_simd_call* call, int at) { \
        TLW_KIND_##kind value;                                               \
        memcpy(&value, call->in[at], sizeof value);                          \
        return value;                                                        \
    }                                                                        \
    TLW_STATIC_ASSERT(sizeof(TLW_KIND_##kind) % 4 == 0, "lanes of 32 bits")
FETCH(f8);
FETCH(i8);
FETCH(m8);
FETCH(index);
FETCH(f8x3);
FETCH(f8x4);
FETCH(f8x8);
FETCH(f32);
FETCH(i32);
FETCH(bits);

#define FETCH_COUNT(kind)                                        \
    static int fetch_##kind(const tlw_simd_call* call, int at) { \
        (void)at;                                                \
        return call->count;                                      \
    }                                                            \
    TLW_STATIC_ASSERT(sizeof(TLW_KIND_##kind) == sizeof(int), "an int")
FETCH_COUNT(lane);
FETCH_COUNT(lanes);
FETCH_COUNT(shift);

#define FETCH_POINTER(kind)                                                  \
    static TLW_KIND_##kind fetch_##kind(const tlw_simd_call* call, int at) { \
        (void)at;                                                            \
        return (TLW_KIND_##kind)call->memory;                                \
    }                                                                        \
    TLW_STATIC_ASSERT(sizeof(TLW_KIND_##kind) == sizeof(void*), "a pointer")
FETCH_POINTER(floats);
FETCH_POINTER(ints);
FETCH_POINTER(aligned_floats);
FETCH_POINTER(aligned_ints);
FETCH_POINTER(u8s);
FETCH_POINTER(s8s);
FETCH_POINTER(u16s);
FETCH_POINTER(s16s);
FETCH_POINTER(out_floats);
FETCH_POINTER(out_ints);
FETCH_POINTER(out_aligned_floats);
FETCH_POINTER(out_aligned_ints);
FETCH_POINTER(out_u16s);

static float one_f32(const tlw_simd_call* call, int lane) {
    float value;
    memcpy(&value, &call->in[0][lane], sizeof value);
    return value;
}

static int32_t one_i32(const tlw_simd_call* call, int lane) {
    return (int32_t)call->in[0][lane];
}

// A macro, because a function taking wide values by value would need an ABI for them.
#define GIVE(kind, call, expression)                \
    do {                                            \
        const TLW_KIND_##kind given = (expression); \
        memcpy((call)->out, &given, sizeof given);  \
    } while (0)
#define GIVE_f8(call, expression)   GIVE(f8, call, expression)
#define GIVE_i8(call, expression)   GIVE(i8, call, expression)
#define GIVE_m8(call, expression)   GIVE(m8, call, expression)
#define GIVE_f8x3(call, expression) GIVE(f8x3, call, expression)
#define GIVE_f8x4(call, expression) GIVE(f8x4, call, expression)
#define GIVE_f8x8(call, expression) GIVE(f8x8, call, expression)
#define GIVE_f32(call, expression)  GIVE(f32, call, expression)
#define GIVE_i32(call, expression)  GIVE(i32, call, expression)
#define GIVE_bits(call, expression) GIVE(bits, call, expression)
#define GIVE_b1(call, expression)   ((call)->out[0][0] = (expression) ? 1u : 0u)
#define GIVE_void(call, expression) expression

#define TLW_OP0(result, name, cost)               \
    static void run_##name(tlw_simd_call* call) { \
        GIVE_##result(call, name());              \
    }
#define TLW_OP1(result, name, a, cost)                 \
    static void run_##name(tlw_simd_call* call) {      \
        GIVE_##result(call, name(fetch_##a(call, 0))); \
    }
#define TLW_OP2(result, name, a, b, cost)                                  \
    static void run_##name(tlw_simd_call* call) {                          \
        GIVE_##result(call, name(fetch_##a(call, 0), fetch_##b(call, 1))); \
    }
#define TLW_OP3(result, name, a, b, c, cost)                                                   \
    static void run_##name(tlw_simd_call* call) {                                              \
        GIVE_##result(call, name(fetch_##a(call, 0), fetch_##b(call, 1), fetch_##c(call, 2))); \
    }
#define TLW_OP8(result, name, each, cost)                                                       \
    static void run_##name(tlw_simd_call* call) {                                               \
        GIVE_##result(call, name(one_##each(call, 0), one_##each(call, 1), one_##each(call, 2), \
                                 one_##each(call, 3), one_##each(call, 4), one_##each(call, 5), \
                                 one_##each(call, 6), one_##each(call, 7)));                    \
    }
#include "platform/simd_operations.h"

static const tlw_simd_operation operations[] = {
#define TLW_OP0(result, name, cost)          {#name, #result, {"", "", ""}, #cost, run_##name},
#define TLW_OP1(result, name, a, cost)       {#name, #result, {#a, "", ""}, #cost, run_##name},
#define TLW_OP2(result, name, a, b, cost)    {#name, #result, {#a, #b, ""}, #cost, run_##name},
#define TLW_OP3(result, name, a, b, c, cost) {#name, #result, {#a, #b, #c}, #cost, run_##name},
#define TLW_OP8(result, name, each, cost)    {#name, #result, {#each, "", ""}, #cost, run_##name},
#include "platform/simd_operations.h"
};

#define OVER_ARRAY(name)                                                 \
    static void wide_##name(const float* in, float* out, size_t count) { \
        for (size_t i = 0; i < count; i += TLW_WIDE_LANES) {             \
            tlw_f8_store(out + i, tlw_f8_##name(tlw_f8_load(in + i)));   \
        }                                                                \
    }
OVER_ARRAY(exp)
OVER_ARRAY(sin)
OVER_ARRAY(cos)
OVER_ARRAY(acos)

static void half_from_float(const float* in, uint16_t* out, size_t count) {
    for (size_t i = 0; i < count; i += TLW_WIDE_LANES) {
        tlw_i8_store_u16(out + i, tlw_i8_half_from_f8(tlw_f8_load(in + i)));
    }
}

static void float_from_half(const uint16_t* in, float* out, size_t count) {
    for (size_t i = 0; i < count; i += TLW_WIDE_LANES) {
        tlw_f8_store(out + i, tlw_f8_from_half(tlw_i8_load_s16((const int16_t*)in + i)));
    }
}

static void sample(const float* a, const float* b, float* out, size_t count) {
    for (size_t i = 0; i < count; i += TLW_WIDE_LANES) {
        const tlw_f8 wide_a = tlw_f8_load_aligned(a + i), wide_b = tlw_f8_load_aligned(b + i);
        const tlw_f8 root = tlw_f8_sqrt(tlw_f8_add(tlw_f8_mul(wide_a, wide_b), wide_b));
        tlw_f8_store_aligned(out + i, tlw_f8_select(tlw_f8_gt(wide_b, wide_a), root, wide_a));
    }
}

const tlw_simd_backend TLW_KERNEL(tlw_simd_backend_of) = {
    TLW_STRING(TLW_ISA_SUFFIX),
    TLW_ISA_OF_KERNEL,
    operations,
    TLW_COUNT_OF(operations),
    {wide_exp, wide_sin, wide_cos, wide_acos},
    {tlw_exp, tlw_sin, tlw_cos, tlw_acos},
    half_from_float,
    float_from_half,
    sample,
};
