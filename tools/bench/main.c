// SPDX-License-Identifier: MIT
// tallow-bench: parses the command line, runs the sections asked for, prints their tables and
// writes their figures as JSON; or hands over to a command that reads such files.
#include "tools/bench/commands.h"
#include "tools/bench/results.h"

#include "platform/file.h"
#include "platform/isa.h"
#include "platform/thread.h"
#include "tools/bench/options.h"

#include <stdio.h>
#include <stdlib.h>
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
    fprintf(out, "usage: tallow-bench [SECTION...] [--quick] [--json FILE] [--help]\n"
                 "sections (all of them when none is named):\n");
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        fprintf(out, "  %-10s %s\n", sections[i].name, sections[i].what);
    }
    tlw_bench_print_scene_usage(out);
    tlw_bench_print_commands(out);
}

static int usage_error(const char* what, const char* argument) {
    fprintf(stderr, "tallow-bench: %s '%s'\n", what, argument);
    print_usage(stderr);
    return EXIT_USAGE;
}

static const section* find_section(const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        if (strcmp(name, sections[i].name) == 0) {
            return &sections[i];
        }
    }
    return NULL;
}

static int write_json(tlw_bench* bench, tlw_file_writer* writer) {
    tlw_text json = tlw_results_json(bench);
    if (json.out_of_memory) {
        tlw_text_free(&json);
        fprintf(stderr, "tallow-bench: cannot write '%s': out of memory\n", writer->path);
        tlw_file_writer_abandon(writer);
        return EXIT_CANNOT_WRITE;
    }
    (void)tlw_file_writer_write(writer, json.bytes, json.used); // the commit tells
    tlw_text_free(&json);
    if (tlw_file_writer_commit(writer) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", writer->error.message);
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

int main(int argc, char** argv) {
    tlw_bench bench = {0};
    tlw_bench_command* command = argc > 1 ? tlw_bench_find_command(argv[1]) : NULL;
    if (command) {
        return command(argc - 1, argv + 1);
    }
    bench_options options;
    const int status = tlw_bench_parse(argc, argv, &options);
    if (status != EXIT_OK) {
        return status;
    }
    if (options.wants_help) {
        print_usage(stdout);
        return EXIT_OK;
    }
    if (options.scene) {
        return tlw_bench_scene(&options);
    }
    const char* json_path = options.json;
    bench.is_quick = options.is_quick;
    bool is_wanted[TLW_COUNT_OF(sections)] = {0};
    for (uint32_t i = 0; i < options.section_count; ++i) {
        const section* s = find_section(options.sections[i]);
        if (s == NULL) {
            return usage_error("unknown section", options.sections[i]);
        }
        is_wanted[s - sections] = true;
    }
    const bool any_wanted = options.section_count > 0;

    // Opened before anything is measured: nobody waits ten minutes for a path that cannot be
    // written.
    static tlw_file_writer writer;
    if (json_path && tlw_file_writer_begin(&writer, json_path) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", writer.error.message);
        return EXIT_CANNOT_WRITE;
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
    int result = json_path ? write_json(&bench, &writer) : EXIT_OK;
    tlw_results_free(&bench);
    return result == EXIT_OK && bench.has_failed ? EXIT_NOT_MEASURED : result;
}
