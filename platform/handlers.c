// SPDX-License-Identifier: MIT
// Assert and log handlers. A handler and its user pointer are stored one after the other, so they
// must be set before threads start.
#include "platform/handlers.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static bool default_assert(const char* condition, const char* message, const char* file, int line,
                           void* user) {
    (void)user;
    fprintf(stderr, "%s:%d: assert failed: %s%s%s\n", file, line, condition, message[0] ? ": " : "",
            message);
    fflush(stderr);
    return true;
}

static void default_log(tlw_log_level level, const char* text, void* user) {
    (void)user;
    static const char* const prefix[] = {"error: ", "warning: ", ""};
    fprintf(stderr, "tallow: %s%s\n", prefix[level], text);
}

static _Atomic(tlw_assert_handler*) assert_handler = default_assert;
static _Atomic(void*) assert_user;
static _Atomic(tlw_log_handler*) log_handler = default_log;
static _Atomic(void*) log_user;

void tlw_set_assert_handler(tlw_assert_handler* handler, void* user) {
    atomic_store_explicit(&assert_user, user, memory_order_release);
    atomic_store_explicit(&assert_handler, handler ? handler : default_assert,
                          memory_order_release);
}

void tlw_set_log_handler(tlw_log_handler* handler, void* user) {
    atomic_store_explicit(&log_user, user, memory_order_release);
    atomic_store_explicit(&log_handler, handler ? handler : default_log, memory_order_release);
}

bool tlw_assert_failed(const char* condition, const char* message, const char* file, int line) {
    tlw_assert_handler* handler = atomic_load_explicit(&assert_handler, memory_order_acquire);
    return handler(condition, message, file, line,
                   atomic_load_explicit(&assert_user, memory_order_acquire));
}

void tlw_log(tlw_log_level level, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    if ((size_t)length >= sizeof text) {
        memcpy(text + sizeof text - 4, "...", 4);
    }
    tlw_log_handler* handler = atomic_load_explicit(&log_handler, memory_order_acquire);
    handler(level, text, atomic_load_explicit(&log_user, memory_order_acquire));
}
