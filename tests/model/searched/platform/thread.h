// SPDX-License-Identifier: MIT
// Takes the place of platform/thread.h for protocol code that a model compiles. Words that are
// slept on are the `value` of a sleep_word (tests/model/model.h), which is its first member.
#ifndef TLW_PLATFORM_THREAD_H
#define TLW_PLATFORM_THREAD_H

#include "platform/atomic.h"
#include "platform/result.h"
#include "tests/model/model.h"

#define TLW_WAIT_FOREVER UINT64_MAX

inline tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns) {
    (void)timeout_ns; // without a limit
    reinterpret_cast<sleep_word*>(word)->wait(expected);
    return TLW_OK;
}

inline void tlw_wake_one(tlw_atomic_u32* word) {
    reinterpret_cast<sleep_word*>(word)->wake();
}

inline void tlw_cpu_pause(void) {
    rl::yield(1, $);
}

#endif
