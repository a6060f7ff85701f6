// SPDX-License-Identifier: MIT
// What each pass does, counted by running it: the runtime with kernels of the counting backend
// (platform/simd_count.h), which are in this command and in no archive.
#ifndef TLW_TOOLS_BENCH_COUNT_H
#define TLW_TOOLS_BENCH_COUNT_H

#include "tools/bench/measure.h"

// A voxel and substep. Empty lanes of a window count: they are computed too.
typedef struct tlw_pass_counts {
    double flops, divides;
    double bytes_loaded, bytes_stored; // between registers and memory, however near that is
} tlw_pass_counts;

// Of the def's scene in its first frames. False: told by tlw_bench_fail.
bool tlw_count_passes(tlw_bench* bench, const tlw_scene_def* def,
                      tlw_pass_counts counts[TLW_PASS_COUNT]);

#endif
