// SPDX-License-Identifier: MIT
// Finds each argument in the table of options, and names mistakes.
#include "tools/command/arguments.h"

#include <string.h>

tlw_arguments tlw_arguments_begin(const tlw_command* command, int argc, char** argv,
                                  const tlw_option* options, int option_count) {
    return (tlw_arguments){.command = command,
                           .options = options,
                           .option_count = option_count,
                           .argc = argc,
                           .next = 1,
                           .argv = argv};
}

static int stop(tlw_arguments* a, tlw_exit_code code) {
    a->exit_code = code;
    return a->which = TLW_ARGUMENT_STOP;
}

static int stop_mistake(tlw_arguments* a, const char* what, const char* argument,
                        const char* rest) {
    return stop(a, tlw_command_mistake(a->command, what, argument, rest));
}

static bool is_called(const tlw_option* option, const char* argument) {
    return strcmp(argument, option->name) == 0 ||
           (option->other && strcmp(argument, option->other) == 0);
}

static int stop_unknown(tlw_arguments* a, const char* argument) {
    char hint[96] = "";
    if (a->command->is_brief) { // otherwise the usage follows
        snprintf(hint, sizeof hint, "; %s --help lists them", a->command->name);
    }
    return stop_mistake(a, "unknown option", argument, hint);
}

int tlw_arguments_next(tlw_arguments* a) {
    if (a->next >= a->argc) {
        return a->which = TLW_ARGUMENT_END;
    }
    const char* argument = a->argv[a->next++];
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        tlw_command_usage(a->command, stdout);
        return stop(a, TLW_EXIT_OK);
    }
    int which = 0;
    while (which < a->option_count && !is_called(&a->options[which], argument)) {
        ++which;
    }
    if (which == a->option_count) {
        a->value = argument;
        return argument[0] == '-' ? stop_unknown(a, argument) : (a->which = TLW_ARGUMENT_PLAIN);
    }
    const tlw_option* option = &a->options[which];
    if (option->takes && a->next == a->argc) {
        return stop_mistake(a, option->missing ? option->missing : "something must follow",
                            argument, "");
    }
    if (option->takes && a->is_given[which] && !a->may_repeat && !option->is_list) {
        return stop_mistake(a, "given twice:", argument, "");
    }
    a->is_given[which] = true;
    a->value = option->takes ? a->argv[a->next++] : argument;
    return a->which = which;
}

bool tlw_arguments_second_value(tlw_arguments* a, const char* missing) {
    if (a->next == a->argc) {
        stop_mistake(a, missing, a->value, "");
        return false;
    }
    a->value = a->argv[a->next++];
    return true;
}

tlw_exit_code tlw_arguments_refuse(const tlw_arguments* a, const char* rest) {
    const tlw_option* option = &a->options[a->which];
    char what[192];
    snprintf(what, sizeof what, "%s takes %s, not", option->name, option->takes);
    return tlw_command_mistake(a->command, option->mistake ? option->mistake : what, a->value,
                               rest);
}
