// SPDX-License-Identifier: MIT
// The semaphore, built on tlw_wait and the same on every system.
//
// No wake-up is lost. A waiter announces itself in `sleepers` before it looks at `count` for the
// last time (inside tlw_wait); a poster raises `count` before it looks at `sleepers`. These
// accesses are sequentially consistent, so either the poster sees the sleeper and wakes it, or the
// waiter's comparison sees the new count and does not sleep.
#include "platform/clock.h"
#include "platform/thread.h"

void tlw_semaphore_init(tlw_semaphore* semaphore, uint32_t count) {
    atomic_init(&semaphore->count, count);
    atomic_init(&semaphore->sleepers, 0);
}

void tlw_semaphore_post(tlw_semaphore* semaphore, uint32_t count) {
    atomic_fetch_add(&semaphore->count, count);
    uint32_t sleepers = atomic_load(&semaphore->sleepers);
    if (sleepers == 0) {
        return;
    }
    if (count >= sleepers) {
        tlw_wake_all(&semaphore->count);
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            tlw_wake_one(&semaphore->count);
        }
    }
}

bool tlw_semaphore_try_wait(tlw_semaphore* semaphore) {
    uint32_t count = atomic_load_explicit(&semaphore->count, memory_order_relaxed);
    while (count > 0) {
        if (atomic_compare_exchange_weak_explicit(&semaphore->count, &count, count - 1,
                                                  memory_order_acquire, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

tlw_result tlw_semaphore_wait(tlw_semaphore* semaphore, uint64_t timeout_ns) {
    if (tlw_semaphore_try_wait(semaphore)) {
        return TLW_OK;
    }
    uint64_t start = timeout_ns == TLW_WAIT_FOREVER ? 0 : tlw_clock_ns();
    uint64_t left = timeout_ns;
    atomic_fetch_add(&semaphore->sleepers, 1);
    tlw_result result = TLW_OK;
    while (!tlw_semaphore_try_wait(semaphore)) {
        if (timeout_ns != TLW_WAIT_FOREVER) {
            uint64_t spent = tlw_clock_ns() - start;
            if (spent >= timeout_ns) {
                result = TLW_ERROR_TIMEOUT;
                break;
            }
            left = timeout_ns - spent;
        }
        (void)tlw_wait(&semaphore->count, 0, left);
    }
    atomic_fetch_sub(&semaphore->sleepers, 1);
    return result;
}
