// SPDX-License-Identifier: MIT
// The table of subcommands, and the smallest of them, `machine`.
#include "tools/bench/commands.h"

#include "tools/bench/machine.h"

#include <string.h>

static const struct {
    const char *name, *arguments, *what;
    tlw_bench_command* run;
} commands[] = {
#define COMMAND(name, arguments, what) {#name, arguments, what, tlw_bench_##name##_main},
    TLW_BENCH_COMMANDS(COMMAND)
#undef COMMAND
};

tlw_bench_command* tlw_bench_find_command(const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(commands); ++i) {
        if (strcmp(name, commands[i].name) == 0) {
            return commands[i].run;
        }
    }
    return NULL;
}

void tlw_bench_print_commands(FILE* out) {
    fprintf(out, "or one of:\n");
    for (size_t i = 0; i < TLW_COUNT_OF(commands); ++i) {
        fprintf(out, "  tallow-bench %s %s\n      %s\n", commands[i].name, commands[i].arguments,
                commands[i].what);
    }
}

tlw_exit_code tlw_bench_command_usage(const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(commands); ++i) {
        if (strcmp(name, commands[i].name) == 0) {
            fprintf(stderr, "usage: tallow-bench %s %s\n", name, commands[i].arguments);
        }
    }
    return TLW_EXIT_USAGE;
}

tlw_exit_code tlw_bench_machine_main(int argc, char** argv) {
    if (argc != 1) {
        return tlw_bench_command_usage(argv[0]);
    }
    const tlw_machine machine = tlw_machine_describe();
    char name[96];
    tlw_machine_file_name(machine.cpu, name);
    printf("%s.json\n", name);
    return TLW_EXIT_OK;
}
