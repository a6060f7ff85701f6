// SPDX-License-Identifier: MIT
// What every file of ours may assume of its compiler. Public headers need C11 or C++17 and nothing
// else, so that an engine built with MSVC can include them; compiling Tallow itself takes gcc or
// clang, whose attributes scoped zones and wide floats use. TLW_HAS_GNU_EXTENSIONS says which it
// is.
#ifndef TLW_PLATFORM_BASE_H
#define TLW_PLATFORM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#    define TLW_HAS_GNU_EXTENSIONS 1
#else
#    define TLW_HAS_GNU_EXTENSIONS 0
#endif

#if defined(_WIN32)
#    define TLW_OS_WINDOWS 1
#else
#    define TLW_OS_WINDOWS 0
#endif
#if defined(__linux__)
#    define TLW_OS_LINUX 1
#else
#    define TLW_OS_LINUX 0
#endif

#if defined(__x86_64__) || defined(_M_X64)
#    define TLW_CPU_X64 1
#else
#    define TLW_CPU_X64 0
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
#    define TLW_CPU_ARM64 1
#else
#    define TLW_CPU_ARM64 0
#endif

#if defined(__cplusplus)
#    define TLW_EXTERN_C_BEGIN                    extern "C" {
#    define TLW_EXTERN_C_END                      }
#    define TLW_STATIC_ASSERT(condition, message) static_assert(condition, message)
#    define TLW_ALIGNAS(bytes)                    alignas(bytes)
#    define TLW_ALIGNOF(type)                     alignof(type)
#    define TLW_THREAD_LOCAL                      thread_local
#else
#    define TLW_EXTERN_C_BEGIN
#    define TLW_EXTERN_C_END
#    define TLW_STATIC_ASSERT(condition, message) _Static_assert(condition, message)
#    define TLW_ALIGNAS(bytes)                    _Alignas(bytes)
#    define TLW_ALIGNOF(type)                     _Alignof(type)
#    define TLW_THREAD_LOCAL                      _Thread_local
#endif

// TLW_PRINTF: argument `format_index` is a printf format whose values begin at argument `first`.
// TLW_MUST_USE: a caller that ignores the returned value is warned.
#if TLW_HAS_GNU_EXTENSIONS
#    if defined(__MINGW32__)
#        define TLW_PRINTF(format_index, first) \
            __attribute__((format(gnu_printf, format_index, first)))
#    else
#        define TLW_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#    endif
#    define TLW_INLINE       static inline __attribute__((unused))
#    define TLW_FORCE_INLINE static inline __attribute__((always_inline, unused))
#    define TLW_NOINLINE     __attribute__((noinline))
#    define TLW_MUST_USE     __attribute__((warn_unused_result))
#    define TLW_LIKELY(x)    __builtin_expect(!!(x), 1)
#    define TLW_UNLIKELY(x)  __builtin_expect(!!(x), 0)
#else
#    define TLW_PRINTF(format_index, first)
#    define TLW_INLINE       static inline
#    define TLW_FORCE_INLINE static __forceinline
#    define TLW_NOINLINE     __declspec(noinline)
#    if defined(__cplusplus)
#        define TLW_MUST_USE [[nodiscard]]
#    else
#        define TLW_MUST_USE
#    endif
#    define TLW_LIKELY(x)   (x)
#    define TLW_UNLIKELY(x) (x)
#endif

// Says that a result is ignored on purpose: gcc warns about a (void) in front of TLW_MUST_USE.
#define TLW_IGNORE(call) \
    do {                 \
        if (call) {      \
        }                \
    } while (0)

#define TLW_CONCAT_(a, b)  a##b
#define TLW_CONCAT(a, b)   TLW_CONCAT_(a, b)
#define TLW_STRING_(a)     #a
#define TLW_STRING(a)      TLW_STRING_(a)
#define TLW_COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

// Data written by different threads is kept this far apart: two cache lines of 64 bytes, because
// x86 fetches lines in pairs.
#define TLW_CACHE_LINE          64
#define TLW_FALSE_SHARING_BYTES 128

#endif
