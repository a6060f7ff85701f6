// SPDX-License-Identifier: MIT
// Private to tools/sim: what the command line says.
#ifndef TLW_TOOLS_SIM_OPTIONS_H
#define TLW_TOOLS_SIM_OPTIONS_H

#include "platform/file.h"
#include "runtime/tallow.h"

enum {
    EXIT_OK = 0,
    EXIT_USAGE = 2,
    EXIT_CANNOT_READ = 3,
    EXIT_BAD_ASSET = 4,
    EXIT_CANNOT_WRITE = 6
};

#define FRAMES_MAX  1000000u
#define WORKERS_MAX 256u
#define COLUMNS_MAX 16u

typedef struct sim_options {
    const char* blob;
    char motion[TLW_PATH_MAX];
    const char* clip; // behind the colon; null: the first
    uint32_t frames;
    double hz;
    uint32_t workers;
    tlw_isa isa;
    tlw_preset preset;
    bool wants_hash;
    const char *dump, *picture;
    uint32_t columns;
    double yaw_degrees;
} sim_options;

// EXIT_OK to go on, EXIT_USAGE with a line and the usage printed, -1: help was asked for.
int tlw_sim_parse(int argc, char** argv, sim_options* out);

#endif
