// SPDX-License-Identifier: MIT
// What a run has found so far: the sections print and record through bench.h, and the whole becomes
// one JSON file at the end, whose keys README.md lists.
#ifndef TLW_TOOLS_BENCH_RESULTS_H
#define TLW_TOOLS_BENCH_RESULTS_H

#include "tools/bench/bench.h"
#include "tools/bench/noise.h"
#include "tools/command/text.h"

// Says which program wrote a file, and by which list of keys.
#define TLW_RESULTS_FORMAT "tallow-bench 1"

// Keys at the top level of the JSON: key, section, name of the row (its median) or value there.
#define TLW_RESULTS_HEADLINES(X)                                                  \
    X(step_ns_per_voxel, "step", "step_ns_per_voxel")                             \
    X(step_speedup_over_reference, "step", "step_speedup_over_reference")         \
    X(embed_ns_per_vertex, "step", "embed_ns_per_vertex")                         \
    X(workers2_speedup_100_characters, "step", "workers2_speedup_100_characters") \
    X(workers2_speedup_one_large, "step", "workers2_speedup_one_large")           \
    X(state_bytes_per_voxel, "step", "state_bytes_per_voxel")                     \
    X(scratch_bytes_per_voxel, "step", "scratch_bytes_per_voxel")                 \
    X(blob_bytes_per_voxel, "step", "blob_bytes_per_voxel")                       \
    X(jobs_200us_speedup_2_threads, "jobs", "loop_200us_speedup_2_threads")

enum {
#define TLW_RESULTS_INDEX(key, section, name) TLW_RESULTS_##key,
    TLW_RESULTS_HEADLINES(TLW_RESULTS_INDEX)
#undef TLW_RESULTS_INDEX
        TLW_RESULTS_HEADLINE_COUNT
};

struct tlw_bench {
    bool is_quick;
    bool has_failed;
    bool is_noisy;
    // Of the section under way.
    const char* section;
    bool section_has_entries;
    tlw_noise_cores cores;
    // Parts of the JSON.
    tlw_text sections, tables, others;
    char table[32];                               // the last one: its array is still open
    bool is_in_table;                             // and was printed last
    double headlines[TLW_RESULTS_HEADLINE_COUNT]; // NaN: not measured
};

void tlw_results_begin(tlw_bench* bench);
void tlw_results_begin_section(tlw_bench* bench, const char* name, const char* what);
void tlw_results_end_section(tlw_bench* bench);
// The whole file, or one that is out of memory.
tlw_text tlw_results_json(const tlw_bench* bench);
void tlw_results_free(tlw_bench* bench);

#endif
