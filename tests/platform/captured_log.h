// SPDX-License-Identifier: MIT
// Captures the log lines that a test provokes.
#ifndef TLW_TESTS_PLATFORM_CAPTURED_LOG_H
#define TLW_TESTS_PLATFORM_CAPTURED_LOG_H

#include "platform/handlers.h"

#include <stdio.h>

typedef struct captured_log {
    char text[1024]; // the last line
    int count;
    tlw_log_level level;
} captured_log;

TLW_INLINE void captured_log_handler(tlw_log_level level, const char* text, void* user) {
    captured_log* log = user;
    log->count += 1;
    log->level = level;
    snprintf(log->text, sizeof log->text, "%s", text);
}

TLW_INLINE void captured_log_begin(captured_log* log) {
    *log = (captured_log){.count = 0};
    tlw_set_log_handler(captured_log_handler, log);
}

TLW_INLINE void captured_log_end(void) {
    tlw_set_log_handler(NULL, NULL);
}

#endif
