// SPDX-License-Identifier: MIT
// Asserts and log lines, and the two handlers by which an engine can receive them. The handlers are
// the only globals of the runtime.
#ifndef TLW_PLATFORM_HANDLERS_H
#define TLW_PLATFORM_HANDLERS_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// A failed assert means a mistake of the calling program, such as a null pointer or a call in the
// wrong phase. Bad data never asserts; it gets a named result.
//
// Return true to stop in the debugger, as the default handler does after logging, or false to go
// on.
typedef bool tlw_assert_handler(const char* condition, const char* message, const char* file,
                                int line, void* user);

typedef enum tlw_log_level { TLW_LOG_ERROR, TLW_LOG_WARNING, TLW_LOG_INFO } tlw_log_level;

// `text` has no newline and lives only during the call. May be called from any thread.
typedef void tlw_log_handler(tlw_log_level level, const char* text, void* user);

// Call these before other threads use Tallow, because handler and user pointer are stored one after
// the other. Null restores the default handler, which writes to standard error.
void tlw_set_assert_handler(tlw_assert_handler* handler, void* user);
void tlw_set_log_handler(tlw_log_handler* handler, void* user);

// Formats into a fixed buffer of 512 bytes; a longer line is cut and ends in "...".
void tlw_log(tlw_log_level level, const char* format, ...) TLW_PRINTF(2, 3);

// Called by TLW_ASSERT. If it returns true, the caller must trap.
bool tlw_assert_failed(const char* condition, const char* message, const char* file, int line);

// Unless the build defines it, asserts are on in debug builds.
#if !defined(TLW_ENABLE_ASSERTS)
#    if defined(NDEBUG)
#        define TLW_ENABLE_ASSERTS 0
#    else
#        define TLW_ENABLE_ASSERTS 1
#    endif
#endif

#if TLW_HAS_GNU_EXTENSIONS
#    define TLW_TRAP() __builtin_trap()
#else
#    define TLW_TRAP() __debugbreak()
#endif

#if TLW_ENABLE_ASSERTS
#    define TLW_ASSERT_MESSAGE(condition, message)                            \
        do {                                                                  \
            if (TLW_UNLIKELY(!(condition)) &&                                 \
                tlw_assert_failed(#condition, message, __FILE__, __LINE__)) { \
                TLW_TRAP();                                                   \
            }                                                                 \
        } while (0)
#else
// The condition is still compiled, so that it stays valid code, but never evaluated.
#    define TLW_ASSERT_MESSAGE(condition, message) ((void)sizeof(!(condition)))
#endif
#define TLW_ASSERT(condition) TLW_ASSERT_MESSAGE(condition, "")

TLW_EXTERN_C_END

#endif
