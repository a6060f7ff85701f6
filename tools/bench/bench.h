// SPDX-License-Identifier: MIT
// tallow-bench: sections measure, this prints. A section reports rows of samples (times of one
// thing) and single values (ratios, counts); both end up in the table and, under the same names, in
// the JSON.
#ifndef TLW_TOOLS_BENCH_BENCH_H
#define TLW_TOOLS_BENCH_BENCH_H

#include "platform/base.h"
#include "platform/clock.h"

typedef struct tlw_bench tlw_bench;

// One line a section: function suffix, name on the command line, what it measures.
#define TLW_BENCH_SECTIONS(X)                                                              \
    X(profiling, "cost of a zone pair in each profiler backend")                           \
    X(jobs, "round trips, parallel loops, throughput, graphs and idling of the scheduler") \
    TLW_BENCH_COOK_SECTION_(X)                                                             \
    TLW_BENCH_STEP_SECTION_(X)

// A build without the importer's packages has no characters to cook.
#if defined(TLW_BENCH_HAS_COOK)
#    define TLW_BENCH_COOK_SECTION_(X) X(cook, "seconds and memory of a cook at three resolutions")
#else
#    define TLW_BENCH_COOK_SECTION_(X)
#endif

// Nor to step, or no pictures, without which there are no scenes.
#if defined(TLW_BENCH_HAS_STEP)
#    define TLW_BENCH_STEP_SECTION_(X)                                                             \
        X(step, "a character's substep, pass by pass, against a scalar reference and the targets") \
        X(table1, "a frame of the core paper's characters, beside its Table 1")                    \
        X(table2, "frames a second, beside the second paper's table")                              \
        X(passes, "bytes and flops of each pass, beside what this machine can do")                 \
        X(scaling, "instruction sets, workers, characters and voxels")
#else
#    define TLW_BENCH_STEP_SECTION_(X)
#endif

#define TLW_BENCH_DECLARE(name, what) void tlw_bench_section_##name(tlw_bench* bench);
TLW_BENCH_SECTIONS(TLW_BENCH_DECLARE)
#undef TLW_BENCH_DECLARE

typedef struct tlw_bench_summary {
    size_t count;
    double min, median, p95, p99, worst;
} tlw_bench_summary;

// Whether --quick was given: use a tenth of the samples or less.
bool tlw_bench_is_quick(const tlw_bench* bench);

// Sorts `samples`, prints a row and records it. `name` is lower_snake_case and unique in its
// section; `unit` is what one sample is in, "ns" or "us".
tlw_bench_summary tlw_bench_row(tlw_bench* bench, const char* name, const char* unit,
                                double* samples, size_t count);

// A single figure, such as a ratio of two medians of this run.
void tlw_bench_value(tlw_bench* bench, const char* name, const char* unit, double value);

// What is said beside a figure.
typedef enum tlw_bench_bound {
    TLW_BENCH_NO_TARGET,
    TLW_BENCH_AT_MOST,
    TLW_BENCH_AT_LEAST
} tlw_bench_bound;

typedef struct tlw_bench_about {
    tlw_bench_bound bound;
    double target; // of a row's median
    // Share of the time, or of the core, that other processes took while it was measured; below 0:
    // not known. Above TLW_BENCH_NOISY the figure, and the run, are called noisy.
    double others;
} tlw_bench_about;
#define TLW_BENCH_NOISY 0.05

// As the two above, with a target and the noise. Null: neither.
tlw_bench_summary tlw_bench_row_about(tlw_bench* bench, const char* name, const char* unit,
                                      double* samples, size_t count, const tlw_bench_about* about);
void tlw_bench_value_about(tlw_bench* bench, const char* name, const char* unit, double value,
                           const tlw_bench_about* about);

// A line of a table, for what is read across: `table` names it. Its lines come one after the other
// and have the same columns; in the JSON it is an array of objects at the top level. What is timed
// is reported by the functions above too.
typedef struct tlw_bench_cell {
    const char* key;  // lower_snake_case
    const char* text; // null: a number
    double value;     // not finite: not measured
    int decimals;     // for people
} tlw_bench_cell;
void tlw_bench_table_row(tlw_bench* bench, const char* table, const tlw_bench_cell* cells,
                         size_t count);

// What could not be measured, and why; the command then ends with exit code 1.
void tlw_bench_fail(tlw_bench* bench, const char* format, ...) TLW_PRINTF(2, 3);

// A line for people only.
void tlw_bench_remark(tlw_bench* bench, const char* format, ...) TLW_PRINTF(2, 3);

// Keeps the compiler from removing a computation whose result is not used.
TLW_FORCE_INLINE void tlw_bench_keep(const void* pointer) {
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

#endif
