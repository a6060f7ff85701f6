// SPDX-License-Identifier: MIT
// tallow-bench: parses the command line, runs the sections asked for, prints their tables and
// writes their figures as JSON; or hands over to a command that reads such files.
#include "tools/bench/commands.h"
#include "tools/bench/results.h"

#include "platform/file.h"
#include "platform/isa.h"
#include "platform/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_OK = 0, EXIT_NOT_MEASURED = 1, EXIT_USAGE = 2, EXIT_CANNOT_WRITE = 6 };

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
    fprintf(out,
            "usage: tallow-bench [SECTION...] [--quick] [--json FILE] [--commit TEXT] [--help]\n"
            "sections (all of them when none is named):\n");
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        fprintf(out, "  %-10s %s\n", sections[i].name, sections[i].what);
    }
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
    char* json = tlw_results_json(bench);
    if (json == NULL) {
        fprintf(stderr, "tallow-bench: cannot write '%s': out of memory\n", writer->path);
        tlw_file_writer_abandon(writer);
        return EXIT_CANNOT_WRITE;
    }
    (void)tlw_file_writer_write(writer, json, strlen(json)); // the commit tells
    free(json);
    if (tlw_file_writer_commit(writer) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", writer->error.message);
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

int main(int argc, char** argv) {
    tlw_bench bench = {0};
    const char* json_path = NULL;
    bool is_wanted[TLW_COUNT_OF(sections)] = {0};
    bool any_wanted = false;
    tlw_bench_command* command = argc > 1 ? tlw_bench_find_command(argv[1]) : NULL;
    if (command) {
        return command(argc - 1, argv + 1);
    }
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_usage(stdout);
            return EXIT_OK;
        } else if (strcmp(argv[i], "--quick") == 0) {
            bench.is_quick = true;
        } else if (strcmp(argv[i], "--json") == 0) {
            if (i + 1 == argc) {
                return usage_error("a file name must follow", argv[i]);
            }
            json_path = argv[++i];
        } else if (strcmp(argv[i], "--commit") == 0) {
            if (i + 1 == argc) {
                return usage_error("a commit must follow", argv[i]);
            }
            bench.commit = argv[++i];
        } else if (argv[i][0] == '-') {
            return usage_error("unknown option", argv[i]);
        } else {
            const section* s = find_section(argv[i]);
            if (s == NULL) {
                return usage_error("unknown section", argv[i]);
            }
            is_wanted[s - sections] = true;
            any_wanted = true;
        }
    }

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
