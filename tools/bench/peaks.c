// SPDX-License-Identifier: MIT
// Measures the peaks of peaks.h with the kernels of peak_kernels.c.
#include "tools/bench/peaks.h"

#include "platform/clock.h"
#include "platform/simd.h"
#include "tools/bench/bench.h"

#include <stdlib.h>

#define DECLARE(isa, name) extern const tlw_peak_kernels tlw_peak_kernels_##name;
TLW_KERNEL_TABLE(DECLARE)
#undef DECLARE

// Sizes of three arrays together: within the first cache, within the second but not the first, and
// beyond every cache.
#define L1_BYTES   (24u << 10)
#define L2_BYTES   (384u << 10)
#define DRAM_BYTES (192u << 20)

static const tlw_peak_kernels* kernels_of(tlw_isa isa) {
    switch (isa) {
#define KERNELS(isa, name) \
    case isa:              \
        return &tlw_peak_kernels_##name;
        TLW_KERNEL_TABLE(KERNELS)
#undef KERNELS
    default:
        return NULL;
    }
}

static double measure_flops(const tlw_peak_kernels* k, int tries) {
    enum { ROUNDS = 2000 };
    double best = 0.0;
    for (int i = 0; i < tries; ++i) {
        float sum = 0.0f;
        const uint64_t start = tlw_clock_ns();
        k->flops(ROUNDS, &sum);
        const double ns = (double)(tlw_clock_ns() - start);
        tlw_bench_keep(&sum);
        const double now = (double)k->flops_per_round * ROUNDS / ns;
        best = now > best ? now : best;
    }
    return best;
}

// A try takes about 100 us, less than a time slice, so that some tries are not interrupted.
static double measure_bytes(const tlw_peak_kernels* k, float* memory, size_t bytes, int tries) {
    const size_t count = bytes / 3 / sizeof(float) / 32 * 32;
    const size_t loops = bytes < (1u << 20) ? (4u << 20) / bytes : 1;
    double best = 0.0;
    for (int i = 0; i < tries; ++i) {
        const uint64_t start = tlw_clock_ns();
        for (size_t l = 0; l < loops; ++l) {
            k->triad(memory, memory + count, memory + 2 * count, count);
            tlw_bench_keep(memory);
        }
        const double ns = (double)(tlw_clock_ns() - start);
        const double now = (double)(loops * count * 3 * sizeof(float)) / ns;
        best = now > best ? now : best;
    }
    return best;
}

bool tlw_peaks_measure(tlw_isa isa, bool is_quick, tlw_peaks* peaks) {
    const tlw_peak_kernels* k = kernels_of(isa);
    const size_t dram = is_quick ? DRAM_BYTES / 2 : DRAM_BYTES;
    void* block = k ? malloc(dram + TLW_WIDE_ALIGNMENT) : NULL;
    if (block == NULL) {
        return false;
    }
    const uintptr_t from = (uintptr_t)block + TLW_WIDE_ALIGNMENT - 1;
    float* memory = (float*)(from / TLW_WIDE_ALIGNMENT * TLW_WIDE_ALIGNMENT);
    for (size_t i = 0; i < dram / sizeof *memory;
         ++i) { // the system may map untouched pages to one page of zeros
        memory[i] = 1.0f;
    }
    const int tries = is_quick ? 100 : 1000;
    peaks->gflop_s = measure_flops(k, tries);
    peaks->l1_gb_s = measure_bytes(k, memory, L1_BYTES, tries);
    peaks->l2_gb_s = measure_bytes(k, memory, L2_BYTES, tries);
    peaks->dram_gb_s = measure_bytes(k, memory, dram, is_quick ? 3 : 10);
    free(block);
    return true;
}
