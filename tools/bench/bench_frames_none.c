// SPDX-License-Identifier: MIT
// --scene in a build without scenes. No name of one is ever accepted; this is for the linker.
#include "tools/bench/options.h"

int tlw_bench_scene(const bench_options* options) {
    fprintf(stderr, "tallow-bench: no scene '%s': this build has none\n", options->scene);
    return EXIT_USAGE;
}
