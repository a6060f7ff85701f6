// SPDX-License-Identifier: MIT
// The figures of a run so far. Sections print and record through bench.h; at the end the whole
// becomes one JSON file, whose keys README.md lists.
#ifndef TLW_TOOLS_BENCH_RESULTS_H
#define TLW_TOOLS_BENCH_RESULTS_H

#include "tools/bench/bench.h"
#include "tools/bench/noise.h"
#include "tools/command/text.h"

// The first key of a results file: which program wrote it, and the version of the list of keys.
#define TLW_RESULTS_FORMAT "tallow-bench 1"

// Figures that are also keys at the top level of the JSON: key, section, name of the row (of which
// the median is taken) or of the value.
#define TLW_RESULTS_HEADLINES(X)                                                  \
    X(step_ns_per_voxel, "step", "step_ns_per_voxel")                             \
    X(step_speedup_over_reference, "step", "step_speedup_over_reference")         \
    X(embed_ns_per_vertex, "step", "embed_ns_per_vertex")                         \
    X(embed_delta_ns_per_vertex, "step", "embed_delta_ns_per_vertex")             \
    X(embed_delta_speedup, "step", "embed_delta_speedup")                         \
    X(workers2_speedup_100_characters, "step", "workers2_speedup_100_characters") \
    X(workers2_speedup_one_large, "step", "workers2_speedup_one_large")           \
    X(state_bytes_per_voxel, "step", "state_bytes_per_voxel")                     \
    X(scratch_bytes_per_voxel, "step", "scratch_bytes_per_voxel")                 \
    X(blob_bytes_per_voxel, "step", "blob_bytes_per_voxel")                       \
    X(blob_bytes_per_vertex, "step", "blob_bytes_per_vertex")                     \
    X(bends_over_substep, "skinning", "bends_over_substep")                       \
    X(dual_over_linear_skin, "skinning", "dual_over_linear_skin")                 \
    X(capsules_over_substep, "contact", "capsules_apart")                         \
    X(limbs_over_substep, "contact", "limbs_dance")                               \
    X(lines_over_substep, "muscles", "lines_8_lines_over_step")                   \
    X(bellies_over_substep, "muscles", "lines_8_bellies_over_step")               \
    X(lame_over_shape, "muscles", "fat_and_skin_lame_over_step")                  \
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
    uint32_t load; // busy processes beside the section `jobs`
    // The section that is running.
    const char* section;
    bool section_has_entries;
    tlw_noise_cores cores;
    // Parts of the JSON.
    tlw_text sections, tables, others;
    char table[32];                               // the newest one, whose array is still open
    bool is_in_table;                             // the last line printed belongs to it
    double headlines[TLW_RESULTS_HEADLINE_COUNT]; // NaN: not measured
};

void tlw_results_begin(tlw_bench* bench);
void tlw_results_begin_section(tlw_bench* bench, const char* name, const char* what);
void tlw_results_end_section(tlw_bench* bench);
// The whole file. Its out_of_memory is set if there was not enough.
tlw_text tlw_results_json(const tlw_bench* bench);
void tlw_results_free(tlw_bench* bench);

#endif
