// SPDX-License-Identifier: MIT
// Private to jobs. The steps of parking and of completion (sleep.h) that touch words which threads
// share, with the memory order of each. They know nothing of schedulers and threads, so that
// tests/model can compile them with atomics whose interleavings it searches, and relax their orders
// one at a time.
#ifndef TLW_JOBS_PROTOCOL_H
#define TLW_JOBS_PROTOCOL_H

#include "jobs/sleep.h"
#include "platform/thread.h"

// Bits of enkiCompletable.state; 0: complete.
#define TLW_STATE_PENDING 1u
#define TLW_STATE_WAITED  2u // a thread sleeps until it completes
#define TLW_STATE_DOOMED  4u // deleted by mistake while it ran; freed when it completes

// ---- Completion

// Counts `done` items of a task set that have run; `left` is how many had not. True if they were
// the last ones.
TLW_INLINE bool tlw_state_count(tlw_atomic_u32* left, uint32_t done) {
    return atomic_fetch_sub_explicit(left, done, memory_order_acq_rel) == done;
}

TLW_INLINE bool tlw_state_is_complete(tlw_atomic_u32* state) {
    return atomic_load_explicit(state, memory_order_acquire) == 0;
}

// The last touch of a completable. Returns the bits that it had. Releases the results to waiting
// threads, and acquires the marks of waiters.
TLW_INLINE uint32_t tlw_state_complete(tlw_atomic_u32* state) {
    return atomic_exchange_explicit(state, 0, memory_order_acq_rel);
}

// Marks what the calling thread, which has announced itself, waits for. False: it is complete.
// Marks it even if another waiter has: the exchange is what makes this thread's announcement
// visible to the thread that completes it (sleep.h, 4).
TLW_INLINE bool tlw_state_mark_waited(tlw_atomic_u32* state) {
    uint32_t seen = atomic_load_explicit(state, memory_order_relaxed);
    while (seen != 0 &&
           !atomic_compare_exchange_weak_explicit(state, &seen, seen | TLW_STATE_WAITED,
                                                  memory_order_release, memory_order_relaxed)) {
    }
    return seen != 0;
}

// ---- Parking

TLW_INLINE uint64_t tlw_idle_change_on_park(uint32_t kind) {
    return kind == TLW_PARK_IDLE ? TLW_IDLE_SLEEPER : kind == TLW_PARK_PINNED ? 0 : TLW_IDLE_WAITER;
}

// A sleeper that is woken counts as a searcher from the moment it is claimed, so that threads that
// add work can rely on it.
TLW_INLINE uint64_t tlw_idle_change_on_wake(uint32_t kind) {
    return kind == TLW_PARK_IDLE ? TLW_IDLE_SEARCHER - TLW_IDLE_SLEEPER
                                 : (uint64_t)0 - tlw_idle_change_on_park(kind);
}

TLW_INLINE void tlw_parked_announce(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint64_t change,
                                    uint32_t kind) {
    // Counted before it can be claimed, because a claim subtracts it again.
    atomic_fetch_add(idle, change);
    atomic_store(parked, kind);
}

TLW_INLINE void tlw_parked_wait_until_awake(tlw_atomic_u32* parked) {
    // Claimed; the waking thread is between its two stores.
    while (atomic_load_explicit(parked, memory_order_acquire) != TLW_AWAKE) {
        tlw_cpu_pause();
    }
}

TLW_INLINE void tlw_parked_cancel(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint32_t kind) {
    uint32_t expected = kind;
    if (atomic_compare_exchange_strong(parked, &expected, TLW_AWAKE)) {
        atomic_fetch_add(idle, tlw_idle_change_on_wake(kind));
    } else {
        tlw_parked_wait_until_awake(parked);
    }
}

// False: the time was up.
TLW_INLINE bool tlw_parked_sleep(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint32_t kind,
                                 uint64_t timeout_ns) {
    while (atomic_load_explicit(parked, memory_order_acquire) == kind) {
        if (tlw_wait(parked, kind, timeout_ns) == TLW_ERROR_TIMEOUT) {
            tlw_parked_cancel(parked, idle, kind);
            return false;
        }
    }
    tlw_parked_wait_until_awake(parked);
    return true;
}

TLW_INLINE bool tlw_parked_claim(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint32_t kind) {
    uint32_t expected = kind;
    if (!atomic_compare_exchange_strong(parked, &expected, TLW_CLAIMED)) {
        return false;
    }
    atomic_fetch_add(idle, tlw_idle_change_on_wake(kind));
    atomic_store_explicit(parked, TLW_AWAKE, memory_order_release);
    tlw_wake_one(parked);
    return true;
}

// Claims a thread that is parked for `completable`, whose completion has acquired its mark.
TLW_INLINE void tlw_parked_claim_waiter(tlw_atomic_u32* parked, tlw_atomic_pointer* awaited,
                                        tlw_atomic_u64* idle, const void* completable) {
    if (atomic_load_explicit(awaited, memory_order_relaxed) == completable) {
        uint32_t kind = atomic_load_explicit(parked, memory_order_relaxed);
        if (kind >= TLW_PARK_WAIT) {
            (void)tlw_parked_claim(parked, idle, kind);
        }
    }
}

#endif
