// SPDX-License-Identifier: MIT
// tallow-bench: parses the command line, runs the sections asked for, prints their tables and
// writes their figures as JSON. With --scene it measures a scene, and with the name of a subcommand
// as the first argument (commands.h) that one runs instead.
#include "tools/bench/commands.h"
#include "tools/bench/results.h"

#include "platform/isa.h"
#include "platform/thread.h"
#include "tools/bench/options.h"
#include "tools/command/output_file.h"

#include <string.h>

typedef struct section {
    const char* name;
    const char* what;
    void (*run)(tlw_bench* bench);
} section;

static const section sections[] = {
#define SECTION(name, what) {#name, what, tlw_bench_section_##name},
    TLW_BENCH_SECTIONS(SECTION)
#undef SECTION
};

static void print_usage(FILE* out) {
    fprintf(out, "usage: tallow-bench [SECTION...] [--quick] [--json FILE] [--load N] [--help]\n"
                 "  --load N   runs N busy processes beside the section jobs, named alone\n"
                 "sections (all of them when none is named):\n");
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        fprintf(out, "  %-10s %s\n", sections[i].name, sections[i].what);
    }
    tlw_bench_print_scene_usage(out);
    tlw_bench_print_commands(out);
}

// Exit code 1: a figure could not be measured, the budget does not hold or, with `compare`,
// something is worse. 2: also a blob, a motion or a results file that cannot be used.
const tlw_command tlw_bench_command_line = {
    .name = "tallow-bench",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_FAILED) |
                  TLW_EXIT_BIT(TLW_EXIT_USAGE) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE),
    .is_brief = true};

static const section* find_section(const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        if (strcmp(name, sections[i].name) == 0) {
            return &sections[i];
        }
    }
    return NULL;
}

int main(int argc, char** argv) {
    tlw_bench bench = {0};
    tlw_bench_command* command = argc > 1 ? tlw_bench_find_command(argv[1]) : NULL;
    if (command) {
        return command(argc - 1, argv + 1);
    }
    bench_options options;
    tlw_exit_code code;
    if (!tlw_bench_parse(argc, argv, &options, &code)) {
        return code;
    }
    if (options.scene) {
        return tlw_bench_scene(&options);
    }
    bench.is_quick = options.is_quick;
    bench.load = options.load;
    bool is_wanted[TLW_COUNT_OF(sections)] = {0};
    for (uint32_t i = 0; i < options.section_count; ++i) {
        const section* s = find_section(options.sections[i]);
        if (s == NULL) {
            code = tlw_command_mistake(&tlw_bench_command_line, "unknown section",
                                       options.sections[i], "");
            tlw_command_usage(&tlw_bench_command_line, stderr); // it lists the sections
            return code;
        }
        is_wanted[s - sections] = true;
    }
    const bool any_wanted = options.section_count > 0;

    // Begun before anything is measured: nobody waits ten minutes for a path that cannot be
    // written.
    static tlw_output_file file;
    if (tlw_output_file_begin(&tlw_bench_command_line, &file, options.json) != TLW_EXIT_OK) {
        return TLW_EXIT_CANNOT_WRITE;
    }

    const char* isa = tlw_isa_name(tlw_isa_best());
    printf("tallow-bench: %u cores, best instruction set %s%s\n\n", tlw_core_count(), isa,
           tlw_cycles_are_steady() ? "" : ", cycle counter not steady: zone times are approximate");
    tlw_results_begin(&bench);
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        if (!any_wanted || is_wanted[i]) {
            tlw_results_begin_section(&bench, sections[i].name, sections[i].what);
            sections[i].run(&bench);
            tlw_results_end_section(&bench);
        }
    }
    if (bench.is_noisy) {
        printf("a noisy run: other processes took more than %.0f%% of the time of some figures\n",
               100.0 * TLW_BENCH_NOISY);
    }
    if (options.json) {
        tlw_text json = tlw_results_json(&bench);
        code = tlw_output_file_commit_text(&tlw_bench_command_line, &file, &json);
        tlw_text_free(&json);
    }
    tlw_results_free(&bench);
    if (code == TLW_EXIT_OK && bench.has_failed) {
        code = TLW_EXIT_FAILED;
    }
    return code;
}
