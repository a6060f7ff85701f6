// SPDX-License-Identifier: MIT
// How far a command has come, on stderr: a line that is written over on a terminal, and plain lines
// now and then where there is none, as in a build's log.
#ifndef TLW_TOOLS_COMMAND_PROGRESS_H
#define TLW_TOOLS_COMMAND_PROGRESS_H

#include "platform/base.h"

#include <stdio.h>

TLW_EXTERN_C_BEGIN

typedef struct tlw_progress {
    const char* before; // of plain lines: "tallow-cook: hero.glb"
    FILE* out;
    bool is_terminal;
    uint64_t (*clock_ns)(void);
    uint64_t began_ns, said_ns; // when it began, and when the last plain line was written
} tlw_progress;

tlw_progress tlw_progress_begin(const char* before);
// Terminal: shows "[ 42%] STAGE" over what was shown before, and wipes it out where `share` is 1.
// Otherwise: writes "BEFORE: 42%, STAGE, 12 s", but nothing in the first 5 seconds, nothing within
// 5 seconds of the line before, and nothing at 1. May be used as tlw_cook_options.progress; `user`
// is a tlw_progress.
void tlw_progress_show(const char* stage, double share, void* user);

TLW_EXTERN_C_END

#endif
