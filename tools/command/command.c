// SPDX-License-Identifier: MIT
// Usage texts and error lines.
#include "tools/command/command.h"

#include <stdarg.h>

void tlw_command_usage(const tlw_command* command, FILE* out) {
    static const struct {
        tlw_exit_code code;
        const char* name;
    } codes[] = {
#define CODE(code, number, short_name, meaning) {code, short_name},
        TLW_EXIT_TABLE(CODE)
#undef CODE
    };
    command->print_usage(out);
    const char* before = "exit codes: ";
    for (size_t i = 0; i < TLW_COUNT_OF(codes); ++i) {
        if (command->exit_codes & TLW_EXIT_BIT(codes[i].code)) {
            fprintf(out, "%s%d %s", before, (int)codes[i].code, codes[i].name);
            before = ", ";
        }
    }
    fprintf(out, "\n");
}

tlw_exit_code tlw_command_fail(const tlw_command* command, tlw_exit_code code, const char* format,
                               ...) {
    va_list arguments;
    if (!command->is_silent) {
        va_start(arguments, format);
        fprintf(stderr, "%s: ", command->name);
        vfprintf(stderr, format, arguments);
        fprintf(stderr, "\n");
        va_end(arguments);
    }
    if (command->hear) {
        char line[TLW_COMMAND_LINE_BYTES];
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        command->hear(line);
    }
    return code;
}

tlw_exit_code tlw_command_mistake(const tlw_command* command, const char* what,
                                  const char* argument, const char* rest) {
    fprintf(stderr, "%s: %s '%s'%s\n", command->name, what, argument, rest);
    if (!command->is_brief) {
        tlw_command_usage(command, stderr);
    }
    return TLW_EXIT_USAGE;
}
