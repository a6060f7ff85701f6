// SPDX-License-Identifier: MIT
// What a section of tallow-bench calls to report what it measured. A section reports rows of
// samples (many times of one thing) and single values (ratios, counts). Both are printed in its
// table and, under the same names, written to the JSON.
#ifndef TLW_TOOLS_BENCH_BENCH_H
#define TLW_TOOLS_BENCH_BENCH_H

#include "platform/base.h"
#include "platform/clock.h"

typedef struct tlw_bench tlw_bench;

// One line per section: its name, which is also the suffix of its function, and what it measures.
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

// A build without the importer, or without pictures, has no scenes and so nothing to step.
#if defined(TLW_BENCH_HAS_STEP)
#    define TLW_BENCH_STEP_SECTION_(X)                                                             \
        X(step, "a character's substep, pass by pass, against a scalar reference and the targets") \
        X(embed, "a frame and its output, by every way of embedding, against a scalar reference")  \
        X(skinning, "skinned volume and dual quaternions, as shares of a substep without them")    \
        X(contact, "colliders, own limbs and forces, as shares of a substep without them")         \
        X(muscles, "action lines, bellies and Lame layers, as shares of a substep without them")   \
        X(table1, "a frame of characters like the core paper's, beside its Table 1")               \
        X(table2, "frames per second, beside the second paper's table")                            \
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
// How many busy processes --load asks for.
uint32_t tlw_bench_load(const tlw_bench* bench);

// Sorts `samples`, prints a row and records it. `name` is lower_snake_case and unique in its
// section; `unit` is the unit of a sample, such as "ns" or "us".
tlw_bench_summary tlw_bench_row(tlw_bench* bench, const char* name, const char* unit,
                                double* samples, size_t count);

// A single figure, such as a ratio of two medians of this run.
void tlw_bench_value(tlw_bench* bench, const char* name, const char* unit, double value);

// A target for a figure.
typedef enum tlw_bench_bound {
    TLW_BENCH_NO_TARGET,
    TLW_BENCH_AT_MOST,
    TLW_BENCH_AT_LEAST
} tlw_bench_bound;

typedef struct tlw_bench_about {
    tlw_bench_bound bound;
    double target; // for the value, or for the median of a row
    // Share of the time, or of the core, that other processes took while the figure was measured;
    // below 0 if that is not known. Above TLW_BENCH_NOISY the figure and the whole run are called
    // noisy.
    double others;
} tlw_bench_about;
#define TLW_BENCH_NOISY 0.05

// The same two with a target and the noise. `about` null: neither is known.
tlw_bench_summary tlw_bench_row_about(tlw_bench* bench, const char* name, const char* unit,
                                      double* samples, size_t count, const tlw_bench_about* about);
void tlw_bench_value_about(tlw_bench* bench, const char* name, const char* unit, double value,
                           const tlw_bench_about* about);

// Adds a line to the table of that name, for figures that are read side by side. All lines of a
// table are added one after the other and have the same columns. In the JSON a table is an array of
// objects at the top level. A section reports its times through the functions above as well.
typedef struct tlw_bench_cell {
    const char* key;  // lower_snake_case
    const char* text; // null: a number
    double value;     // not finite: not measured
    int decimals;     // as printed; the JSON has all digits
} tlw_bench_cell;
void tlw_bench_table_row(tlw_bench* bench, const char* table, const tlw_bench_cell* cells,
                         size_t count);

// Says what could not be measured, and why. The command then ends with exit code 1.
void tlw_bench_fail(tlw_bench* bench, const char* format, ...) TLW_PRINTF(2, 3);

// Prints a line that is not in the JSON.
void tlw_bench_remark(tlw_bench* bench, const char* format, ...) TLW_PRINTF(2, 3);

// Keeps the compiler from removing a computation whose result is not used.
TLW_FORCE_INLINE void tlw_bench_keep(const void* pointer) {
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

#endif
