// SPDX-License-Identifier: MIT
// One backend as the tests call it: every operation of platform/simd_operations.h with the same
// signature, and the functions of simd_math.h over arrays. simd_kernels.c implements it once per
// instruction set.
#ifndef TLW_TESTS_PLATFORM_SIMD_SIMD_KERNELS_H
#define TLW_TESTS_PLATFORM_SIMD_SIMD_KERNELS_H

#include "platform/isa.h"

// Argument i is in in[i]; an f8x3 takes in[i], in[i + 1] and in[i + 2], and so on. Eight single
// values are the lanes of in[0].
typedef struct tlw_simd_call {
    uint32_t in[8][8];
    int count; // a lane, a number of lanes or a shift
    void* memory;
    uint32_t out[8][8];
} tlw_simd_call;

typedef struct tlw_simd_operation {
    const char* name;
    const char* result; // kinds, as in the list
    const char* arguments[3];
    const char* cost;
    void (*run)(tlw_simd_call* call);
} tlw_simd_operation;

enum { TLW_SIMD_EXP, TLW_SIMD_SIN, TLW_SIMD_COS, TLW_SIMD_ACOS, TLW_SIMD_FUNCTIONS };

typedef struct tlw_simd_backend {
    const char* name;
    tlw_isa isa;
    const tlw_simd_operation* operations;
    size_t operation_count;
    // The length of the arrays is a multiple of 8.
    void (*wide[TLW_SIMD_FUNCTIONS])(const float* in, float* out, size_t count);
    float (*one[TLW_SIMD_FUNCTIONS])(float x);
    void (*half_from_float)(const float* in, uint16_t* out, size_t count);
    void (*float_from_half)(const uint16_t* in, float* out, size_t count);
    // out = b > a ? sqrt(a * b + b) : a, on aligned arrays.
    void (*sample)(const float* a, const float* b, float* out, size_t count);
} tlw_simd_backend;

extern const tlw_simd_backend tlw_simd_backend_of_scalar;
extern const tlw_simd_backend tlw_simd_backend_of_sse2;
extern const tlw_simd_backend tlw_simd_backend_of_avx2;
extern const tlw_simd_backend tlw_simd_backend_of_neon;
extern const tlw_simd_backend tlw_simd_backend_of_count;
// The backends of this build that this CPU supports; null at and after the end.
const tlw_simd_backend* tlw_simd_backend_at(size_t i);

#endif
