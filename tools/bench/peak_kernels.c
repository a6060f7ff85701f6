// SPDX-License-Identifier: MIT
// Loops that reach the peaks of peaks.h. Compiled once per instruction set, as the passes are,
// without fused multiply-add.
#include "platform/simd.h"
#include "tools/bench/peaks.h"

// A core that finishes two results per cycle, each after four cycles, needs eight independent
// chains of a multiplication and an addition; two more hide the cost of the loop. Where registers
// hold four floats, a tlw_f8 is two registers, and half as many chains do.
#if defined(TLW_WIDE_AVX2)
#    define CHAINS 10
#else
#    define CHAINS 5
#endif
#define TURNS 4

static void multiply_and_add(uint32_t rounds, float* sum) {
    const tlw_f8 by = tlw_f8_set1(0.999f), more = tlw_f8_set1(0.001f);
    tlw_f8 x[CHAINS];
    for (int i = 0; i < CHAINS; ++i) {
        x[i] = tlw_f8_set1(0.1f * (float)i);
    }
    for (uint32_t k = 0; k < rounds; ++k) {
#if !defined(__clang__)
#    pragma GCC unroll 4
#endif
        for (int t = 0; t < TURNS; ++t) {
#if !defined(__clang__)
#    pragma GCC unroll 10
#endif
            for (int i = 0; i < CHAINS; ++i) {
                x[i] = tlw_f8_add(tlw_f8_mul(x[i], by), more);
            }
        }
    }
    for (int i = 0; i < CHAINS; ++i) {
        float lanes[TLW_WIDE_LANES];
        tlw_f8_store(lanes, x[i]);
        *sum += lanes[0];
    }
}

static void triad(float* a, const float* b, const float* c, size_t count) {
    const tlw_f8 half = tlw_f8_set1(0.5f);
    for (size_t i = 0; i < count; i += 4 * TLW_WIDE_LANES) {
        for (size_t k = i; k < i + 4 * TLW_WIDE_LANES; k += TLW_WIDE_LANES) {
            tlw_f8_store_aligned(a + k, tlw_f8_add(tlw_f8_mul(tlw_f8_load_aligned(c + k), half),
                                                   tlw_f8_load_aligned(b + k)));
        }
    }
}

extern const tlw_peak_kernels TLW_KERNEL(tlw_peak_kernels);
const tlw_peak_kernels TLW_KERNEL(tlw_peak_kernels) = {multiply_and_add,
                                                       CHAINS* TURNS * 2 * TLW_WIDE_LANES, triad};
