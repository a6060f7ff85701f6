// SPDX-License-Identifier: MIT
// Subcommands that do not measure: `tallow-bench compare A.json B.json` and others read the results
// files of earlier runs.
#ifndef TLW_TOOLS_BENCH_COMMANDS_H
#define TLW_TOOLS_BENCH_COMMANDS_H

#include "tools/command/command.h"

// argv[0] is the subcommand's name. TLW_EXIT_USAGE is also for a file that is no results file.
typedef tlw_exit_code tlw_bench_command(int argc, char** argv);

// function suffix, arguments, what it does. Subcommands that read JSON need its reader's package.
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

// Null: there is no such subcommand.
tlw_bench_command* tlw_bench_find_command(const char* name);
void tlw_bench_print_commands(FILE* out);
// Says on stderr how a subcommand is used. Returns TLW_EXIT_USAGE.
tlw_exit_code tlw_bench_command_usage(const char* name);

#endif
