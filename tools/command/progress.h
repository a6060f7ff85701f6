// SPDX-License-Identifier: MIT
// A line on the terminal that shows how far a command has come.
#ifndef TLW_TOOLS_COMMAND_PROGRESS_H
#define TLW_TOOLS_COMMAND_PROGRESS_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Whether stderr is a terminal: a build's log wants no such line.
bool tlw_progress_is_visible(void);
// Shows "[ 42%] STAGE" over what was shown before, and wipes it out where `share` is 1. May be used
// as tlw_cook_options.progress.
void tlw_progress_show(const char* stage, double share, void* user);

TLW_EXTERN_C_END

#endif
