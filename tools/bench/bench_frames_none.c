// SPDX-License-Identifier: MIT
// --scene in a build without scenes. The command line accepts no scene there, so this is never
// called; the linker needs it.
#include "tools/bench/options.h"

tlw_exit_code tlw_bench_scene(const bench_options* options) {
    return tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_USAGE,
                            "no scene '%s': this build has none", options->scene);
}
