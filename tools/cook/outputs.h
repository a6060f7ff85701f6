// SPDX-License-Identifier: MIT
// What commands that cook to files write: the blob, and on request a depfile, a report and a
// picture.
#ifndef TLW_TOOLS_COOK_OUTPUTS_H
#define TLW_TOOLS_COOK_OUTPUTS_H

#include "tools/cook/command.h"

// Writes the files that the arguments of a run name, after tlw_cook_run_files returned
// TLW_EXIT_OK for it. If one of them cannot be written, none is. Prints the report on stdout for a
// dry run and where the arguments are verbose. Returns TLW_EXIT_OK, or TLW_EXIT_CANNOT_WRITE after
// saying why. May be called for several runs, one after another or at a time.
tlw_exit_code tlw_cook_write_outputs(const tlw_cook_run* run);

#endif
