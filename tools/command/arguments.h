// SPDX-License-Identifier: MIT
// Reads a command line by a table of options, one argument after the other:
//
//     tlw_arguments a = tlw_arguments_begin(&command, argc, argv, options, OPTION_COUNT);
//     for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
//         switch (which) {
//         case OPTION_FRAMES: // its index in the table
//             if (!tlw_parse_count(a.value, 1, 1000, &frames)) {
//                 return tlw_arguments_refuse(&a, "");
//             }
//             break;
//         case TLW_ARGUMENT_PLAIN:
//             path = a.value;
//             break;
//         default: // TLW_ARGUMENT_STOP: help was shown, or a mistake was named
//             return a.exit_code;
//         }
//     }
#ifndef TLW_TOOLS_COMMAND_ARGUMENTS_H
#define TLW_TOOLS_COMMAND_ARGUMENTS_H

#include "tools/command/command.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_option {
    const char* name;    // "--recipe"
    const char* other;   // "-r"; null: it has one name
    const char* takes;   // "1 to 256"; null: a switch that no value follows
    const char* missing; // said where the value is missing; null: "something must follow"
    const char* mistake; // said of a value that does not fit; null: "NAME takes TAKES, not"
    bool is_list;        // may be given several times, and every value counts
} tlw_option;

#define TLW_OPTIONS_MAX 32

enum {
    TLW_ARGUMENT_END = -1,
    TLW_ARGUMENT_PLAIN = -2, // `value` is an argument that is no option
    TLW_ARGUMENT_STOP = -3   // end with `exit_code`: everything has been said
};

typedef struct tlw_arguments {
    const tlw_command* command;
    const tlw_option* options;
    int option_count; // at most TLW_OPTIONS_MAX
    int argc, next;
    char** argv;
    bool may_repeat; // the last one counts; false by default: an option given twice is a mistake
    bool is_given[TLW_OPTIONS_MAX];
    // The argument that was read last.
    int which;         // its option, or one of the numbers above
    const char* value; // what follows the option, or the argument itself
    tlw_exit_code exit_code;
} tlw_arguments;

tlw_arguments tlw_arguments_begin(const tlw_command* command, int argc, char** argv,
                                  const tlw_option* options, int option_count);
// The index of an option, whose value, if it takes one, is in `value`; or one of the numbers above.
// --help and -h show the usage on stdout and stop with exit code 0.
int tlw_arguments_next(tlw_arguments* arguments);
// For options that take two values: reads the second one. False: there is none, `missing` was said,
// and `exit_code` is set.
bool tlw_arguments_second_value(tlw_arguments* arguments, const char* missing);
// Names the value that was read last as one that its option does not take, and appends `rest`.
// Returns TLW_EXIT_USAGE.
tlw_exit_code tlw_arguments_refuse(const tlw_arguments* arguments, const char* rest);

TLW_EXTERN_C_END

#endif
