// SPDX-License-Identifier: MIT
// The demo's second character: the athletic sample bends its arms, relaxed and then tensed
// (MODEL 3.18, 3.19). Cooks it with its own recipe, prints how much its muscles thicken, and draws
// a contact sheet of the upper body from two sides.
#ifndef TLW_TOOLS_DEMO_FLEX_H
#define TLW_TOOLS_DEMO_FLEX_H

#include "tools/command/output_file.h"

// Prints to stdout and writes the sheet to a file that was begun; the caller commits nothing.
tlw_exit_code tlw_demo_flex(const tlw_command* command, tlw_output_file* picture);

#endif
