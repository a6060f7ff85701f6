// SPDX-License-Identifier: MIT
// What this machine can do at most: loops that do nothing but multiply and add, or load and store.
#ifndef TLW_TOOLS_BENCH_PEAKS_H
#define TLW_TOOLS_BENCH_PEAKS_H

#include "platform/isa.h"

// Kernels, one a set (peak_kernels.c).
typedef struct tlw_peak_kernels {
    // Multiplications and additions in turns, as many chains as the core needs; adds to *sum.
    void (*flops)(uint32_t rounds, float* sum);
    uint32_t flops_a_round;
    // a = b + 0.5 c; count is a multiple of 32.
    void (*triad)(float* a, const float* b, const float* c, size_t count);
} tlw_peak_kernels;

typedef struct tlw_peaks {
    double gflop_s;                     // of one core
    double l1_gb_s, l2_gb_s, dram_gb_s; // loaded and stored, as the loop says
} tlw_peaks;

// The best of many short tries on the calling thread. False: no memory.
bool tlw_peaks_measure(tlw_isa isa, bool is_quick, tlw_peaks* peaks);

#endif
