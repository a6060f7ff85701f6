// SPDX-License-Identifier: MIT
// The most that one core of this machine does: loops that only multiply and add, or load and store.
#ifndef TLW_TOOLS_BENCH_PEAKS_H
#define TLW_TOOLS_BENCH_PEAKS_H

#include "platform/isa.h"

// Kernels, one table per instruction set (peak_kernels.c).
typedef struct tlw_peak_kernels {
    // Alternates multiplications and additions in as many chains as the core needs; adds to *sum.
    void (*flops)(uint32_t rounds, float* sum);
    uint32_t flops_per_round;
    // a = b + 0.5 c; count is a multiple of 32.
    void (*triad)(float* a, const float* b, const float* c, size_t count);
} tlw_peak_kernels;

typedef struct tlw_peaks {
    double gflop_s;                     // of one core
    double l1_gb_s, l2_gb_s, dram_gb_s; // bytes loaded and stored by the triad
} tlw_peaks;

// The best of many short tries on the calling thread. False: no memory.
bool tlw_peaks_measure(tlw_isa isa, bool is_quick, tlw_peaks* peaks);

#endif
