// SPDX-License-Identifier: MIT
// Busy processes beside a measurement, so that figures under load can be had on any machine.
#ifndef TLW_TOOLS_BENCH_LOAD_H
#define TLW_TOOLS_BENCH_LOAD_H

#include "platform/base.h"

#define TLW_LOAD_MAX 256u

typedef struct tlw_load {
    uint32_t count;
    int processes[TLW_LOAD_MAX];
    bool is_open; // the pipe
    int pipe[2];  // a process ends when its other end is closed
} tlw_load;

// Starts that many processes (at most TLW_LOAD_MAX) that only spin, at this process's priority.
// They end with tlw_load_end, and within milliseconds of this process's end, however it ends.
// False, and none runs: the system cannot start them.
bool tlw_load_begin(tlw_load* load, uint32_t count);
void tlw_load_end(tlw_load* load);

#endif
