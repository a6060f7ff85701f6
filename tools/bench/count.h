// SPDX-License-Identifier: MIT
// How many operations each pass does, counted by running it: the runtime's kernels, compiled for
// the counting backend (platform/simd_count.h) into this command and into no library.
#ifndef TLW_TOOLS_BENCH_COUNT_H
#define TLW_TOOLS_BENCH_COUNT_H

#include "tools/bench/measure.h"

// Per voxel and substep. Empty lanes of a window count, because they are computed too.
typedef struct tlw_pass_counts {
    double flops, divides;
    double bytes_loaded, bytes_stored; // between registers and memory, whichever cache serves them
} tlw_pass_counts;

// Counts the first frames of the scene. False: tlw_bench_fail has said why.
bool tlw_count_passes(tlw_bench* bench, const tlw_scene_def* def,
                      tlw_pass_counts counts[TLW_PASS_COUNT]);

#endif
