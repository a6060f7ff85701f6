// SPDX-License-Identifier: MIT
// The command line of tallow-bench.
#ifndef TLW_TOOLS_BENCH_OPTIONS_H
#define TLW_TOOLS_BENCH_OPTIONS_H

#include "platform/file.h"
#include "runtime/tallow.h"
#include "tools/command/command.h"
#include "tools/scene/skinning.h"

#define BENCH_SECTIONS_MAX 32u

typedef struct bench_options {
    bool is_quick;
    const char* json;
    uint32_t load; // busy processes, with the section `jobs`
    uint32_t section_count;
    const char* sections[BENCH_SECTIONS_MAX];
    // The rest goes with --scene. 0: the scene's value, or the default.
    const char *scene, *blob, *csv, *trace, *html;
    char motion[TLW_PATH_MAX];
    const char* clip; // the name after the motion's colon; null: the scene's clip
    uint32_t characters, resolution, workers, frames;
    tlw_isa isa;
    tlw_output output;       // how vertices are embedded; without streams
    tlw_scene_volume volume; // whether skinned volume is on
    tlw_skinning skinning;   // of the sample
    double budget_ms, percentile;
    tlw_pass plant_pass;
    double plant_us;
} bench_options;

extern const tlw_command tlw_bench_command_line; // tallow-bench, in main.c

// False: end with *code. Help was shown, or one line said what is wrong and what there is.
bool tlw_bench_parse(int argc, char** argv, bench_options* out, tlw_exit_code* code);
// The lines of --help that are about scenes.
void tlw_bench_print_scene_usage(FILE* out);

// Measures the scene, prints the table, writes the files. A build without scenes says so.
// TLW_EXIT_FAILED: over budget, or not measured. TLW_EXIT_USAGE: also a blob or a motion that
// cannot be used.
tlw_exit_code tlw_bench_scene(const bench_options* options);

#endif
