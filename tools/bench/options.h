// SPDX-License-Identifier: MIT
// The command line of tallow-bench.
#ifndef TLW_TOOLS_BENCH_OPTIONS_H
#define TLW_TOOLS_BENCH_OPTIONS_H

#include "platform/file.h"
#include "runtime/tallow.h"

#include <stdio.h>

enum {
    EXIT_OK = 0,
    EXIT_NOT_MEASURED = 1,
    EXIT_OVER_BUDGET = 1,
    EXIT_USAGE = 2, // also a blob or motion that is not usable
    EXIT_CANNOT_WRITE = 6
};

#define BENCH_SECTIONS_MAX 32u

typedef struct bench_options {
    bool is_quick, wants_help;
    const char* json;
    uint32_t section_count;
    const char* sections[BENCH_SECTIONS_MAX];
    // What follows goes with --scene. 0: the scene's, or the default.
    const char *scene, *blob, *csv, *trace, *html;
    char motion[TLW_PATH_MAX];
    const char* clip; // behind the motion's colon; null: the scene's
    uint32_t characters, resolution, workers, frames;
    tlw_isa isa;
    double budget_ms, percentile;
    tlw_pass plant_pass;
    double plant_us;
} bench_options;

// EXIT_OK, or EXIT_USAGE with one line printed that says what is wrong and what there is.
int tlw_bench_parse(int argc, char** argv, bench_options* out);
// The lines of --help that are about scenes.
void tlw_bench_print_scene_usage(FILE* out);

// Measures the scene, writes the files, prints the table. An exit code. A build without scenes says
// so.
int tlw_bench_scene(const bench_options* options);

#endif
