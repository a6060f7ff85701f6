// SPDX-License-Identifier: MIT
// Takes the place of platform/thread.h for protocol code that a model compiles.
#ifndef TLW_PLATFORM_THREAD_H
#define TLW_PLATFORM_THREAD_H

#include "platform/atomic.h"
#include "platform/result.h"
#include "tests/model/model.h"

#define TLW_WAIT_FOREVER UINT64_MAX
#define TLW_ANY_CORE     UINT32_MAX

// Fields of a scheduler that no model uses.
typedef struct tlw_thread {
    int unused;
} tlw_thread;
typedef struct tlw_core_set {
    int unused;
} tlw_core_set;

// With a limit the time is always up: the thread sleeps for as long as other threads run meanwhile.
inline tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns) {
    sleeping_place* place = place_of(word);
    bool is_late = false;
    place->mutex.lock($);
    if (word->load(rl::mo_relaxed, $) == expected) {
        is_late = timeout_ns != TLW_WAIT_FOREVER;
        if (!is_late) {
            place->changed.wait(place->mutex, $);
        }
    }
    place->mutex.unlock($);
    return is_late ? TLW_ERROR_TIMEOUT : TLW_OK;
}

inline void tlw_wake_one(tlw_atomic_u32* word) {
    sleeping_place* place = place_of(word);
    place->mutex.lock($);
    place->changed.notify_all($);
    place->mutex.unlock($);
}

inline void tlw_cpu_pause(void) {
    rl::yield(1, $);
}

#endif
