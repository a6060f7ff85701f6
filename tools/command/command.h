// SPDX-License-Identifier: MIT
// What a command is called, how it shows its usage, and how it says what went wrong: one line on
// stderr that begins with the command's name.
#ifndef TLW_TOOLS_COMMAND_COMMAND_H
#define TLW_TOOLS_COMMAND_COMMAND_H

#include "platform/base.h"
#include "tools/command/exit_code.h"

#include <stdio.h>

TLW_EXTERN_C_BEGIN

#define TLW_COMMAND_LINE_BYTES 4096 // that tlw_command.hear gets at most

typedef struct tlw_command {
    const char* name;               // "tallow-cook"
    void (*print_usage)(FILE* out); // all but the exit codes, which are added after it
    uint32_t exit_codes;            // TLW_EXIT_BIT of each that the command ends with
    // A mistake on the command line is answered by one line, without the usage after it. For
    // commands whose usage is longer than a screen.
    bool is_brief;
    // Also gets each line about what went wrong, without the command's name; null, or for commands
    // with a window. It may be called from several threads at a time.
    void (*hear)(const char* line);
    bool is_silent; // prints no such lines: for a try whose failure does not matter
} tlw_command;

// The usage, and a last line with the exit codes.
void tlw_command_usage(const tlw_command* command, FILE* out);

// Prints "NAME: MESSAGE", unless the command is silent, and returns `code`.
tlw_exit_code tlw_command_fail(const tlw_command* command, tlw_exit_code code, const char* format,
                               ...) TLW_PRINTF(3, 4);

// A mistake on the command line: prints "NAME: WHAT 'ARGUMENT'REST" and, unless the command is
// brief, the usage. Returns TLW_EXIT_USAGE.
tlw_exit_code tlw_command_mistake(const tlw_command* command, const char* what,
                                  const char* argument, const char* rest);

TLW_EXTERN_C_END

#endif
