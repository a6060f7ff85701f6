// SPDX-License-Identifier: MIT
// Commands beside measuring: `tallow-bench compare A.json B.json` and the like read what runs left.
#ifndef TLW_TOOLS_BENCH_COMMANDS_H
#define TLW_TOOLS_BENCH_COMMANDS_H

#include "platform/base.h"

#include <stdio.h>

// argv[0] is the command's name. Returns the exit code.
typedef int tlw_bench_command(int argc, char** argv);

// Exit codes: given what it cannot use, or a place where it cannot write.
#define TLW_BENCH_BAD_INPUT    2
#define TLW_BENCH_CANNOT_WRITE 6

// function suffix, arguments, what it does; those that read JSON need its reader's package
#if defined(TLW_BENCH_HAS_COOK)
#    define TLW_BENCH_COMMANDS(X)                                                       \
        X(compare, "OLD.json NEW.json [--band PERCENT]",                                \
          "ratios of two runs; exit code 1 where the new one is worse beyond the band") \
        X(table, "RESULTS.json [NAME...]", "the README's table, as Markdown")           \
        TLW_BENCH_SHARES_COMMAND_(X)                                                    \
        X(machine, "", "the name of this CPU's results file")
#else
#    define TLW_BENCH_COMMANDS(X) X(machine, "", "the name of this CPU's results file")
#endif
#if defined(TLW_BENCH_HAS_STEP)
#    define TLW_BENCH_SHARES_COMMAND_(X) \
        X(shares, "RESULTS.json FILE.png", "draws the share of each pass in table 1")
#else
#    define TLW_BENCH_SHARES_COMMAND_(X)
#endif

#define TLW_BENCH_COMMAND_DECLARE(name, arguments, what) tlw_bench_command tlw_bench_##name##_main;
TLW_BENCH_COMMANDS(TLW_BENCH_COMMAND_DECLARE)
#undef TLW_BENCH_COMMAND_DECLARE

// Null: no such command.
tlw_bench_command* tlw_bench_find_command(const char* name);
void tlw_bench_print_commands(FILE* out);
// Says on stderr how a command is used; returns TLW_BENCH_BAD_INPUT.
int tlw_bench_command_usage(const char* name);

#endif
