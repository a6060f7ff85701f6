// SPDX-License-Identifier: MIT
// Private to jobs. The steps that touch words which threads share, with the memory order of each:
// completion and parking (sleep.h), inboxes, activity, owners, pools. They know nothing of
// schedulers and threads, so that tests/model can compile them with atomics whose interleavings it
// searches, and weaken their orders one at a time. The table in its README.md says what each order
// is for.
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

// Marks what is deleted by mistake while it runs. False: it is complete, and what the threads that
// ran it did comes before.
TLW_INLINE bool tlw_state_doom(tlw_atomic_u32* state) {
    uint32_t seen = atomic_load_explicit(state, memory_order_acquire);
    while (seen != 0 &&
           !atomic_compare_exchange_weak_explicit(state, &seen, seen | TLW_STATE_DOOMED,
                                                  memory_order_acq_rel, memory_order_acquire)) {
    }
    return seen != 0;
}

// Counts one completed requirement of what waits for `count`. True if it was the last one; what was
// done for the others then comes before.
TLW_INLINE bool tlw_requirement_is_last(tlw_atomic_u32* met, uint32_t count) {
    return atomic_fetch_add_explicit(met, 1, memory_order_acq_rel) == count - 1;
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
    // Claimed; the waking thread may be between its two stores. Acquires, so that the thread finds
    // the work that it was woken for at its first look.
    while (atomic_load_explicit(parked, memory_order_acquire) != TLW_AWAKE) {
        tlw_cpu_pause();
    }
}

// Returns false if another thread claimed it before.
TLW_INLINE bool tlw_parked_cancel(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint32_t kind) {
    uint32_t expected = kind;
    if (atomic_compare_exchange_strong_explicit(parked, &expected, TLW_AWAKE, memory_order_seq_cst,
                                                memory_order_relaxed)) {
        atomic_fetch_add(idle, tlw_idle_change_on_wake(kind));
        return true;
    }
    tlw_parked_wait_until_awake(parked);
    return false;
}

// False: the time was up.
TLW_INLINE bool tlw_parked_sleep(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint32_t kind,
                                 uint64_t timeout_ns) {
    while (atomic_load_explicit(parked, memory_order_relaxed) == kind) {
        if (tlw_wait(parked, kind, timeout_ns) == TLW_ERROR_TIMEOUT) {
            (void)tlw_parked_cancel(parked, idle, kind);
            return false;
        }
    }
    tlw_parked_wait_until_awake(parked);
    return true;
}

TLW_INLINE bool tlw_parked_claim(tlw_atomic_u32* parked, tlw_atomic_u64* idle, uint32_t kind) {
    uint32_t expected = kind;
    if (!atomic_compare_exchange_strong_explicit(parked, &expected, TLW_CLAIMED,
                                                 memory_order_seq_cst, memory_order_relaxed)) {
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

// ---- Counts of idle threads (TLW_IDLE_...)

TLW_INLINE uint64_t tlw_idle_look(tlw_atomic_u64* idle) {
    return atomic_load(idle);
}

// False: `most` threads search already. Needs no order: a thread that relies on this searcher
// relies on what the searcher does when it leaves.
TLW_INLINE bool tlw_idle_start_searching(tlw_atomic_u64* idle, uint32_t most) {
    uint64_t seen = atomic_load_explicit(idle, memory_order_relaxed);
    while (TLW_IDLE_SEARCHERS(seen) < most) {
        if (atomic_compare_exchange_weak_explicit(idle, &seen, seen + TLW_IDLE_SEARCHER,
                                                  memory_order_relaxed, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

// Returns the counts from before.
TLW_INLINE uint64_t tlw_idle_stop_searching(tlw_atomic_u64* idle) {
    return atomic_fetch_sub(idle, TLW_IDLE_SEARCHER);
}

// In what way a thread is parked.
TLW_INLINE uint32_t tlw_parked_look(tlw_atomic_u32* parked) {
    return atomic_load(parked);
}

// ---- Inboxes: lists of pinned tasks, to which all push and from which one takes

TLW_INLINE void* tlw_inbox_newest(tlw_atomic_pointer* inbox) {
    return atomic_load_explicit(inbox, memory_order_relaxed);
}

// `task`, which points to *newest, becomes the newest. False: *newest is not the newest any more;
// it becomes what is.
TLW_INLINE bool tlw_inbox_push(tlw_atomic_pointer* inbox, void** newest, void* task) {
    return atomic_compare_exchange_weak_explicit(inbox, newest, task, memory_order_seq_cst,
                                                 memory_order_relaxed);
}

// Takes all tasks. Releases, so that a thread that sees the inbox empty also sees that this thread
// is active.
TLW_INLINE void* tlw_inbox_take(tlw_atomic_pointer* inbox) {
    return atomic_exchange_explicit(inbox, NULL, memory_order_acq_rel);
}

// Whether the inbox holds a task. For a thread that is about to sleep.
TLW_INLINE bool tlw_inbox_is_filled(tlw_atomic_pointer* inbox) {
    return atomic_load(inbox) != NULL;
}

// ---- Flags of the scheduler, for threads that are about to sleep

TLW_INLINE bool tlw_is_running(tlw_atomic_u32* running) {
    return atomic_load(running) != 0;
}

// Stops the threads, which must be woken after this.
TLW_INLINE void tlw_stop_running(tlw_atomic_u32* running) {
    atomic_store(running, 0);
}

// Threads that wait for pinned tasks must be woken after this.
TLW_INLINE void tlw_wait_for_all_begins(tlw_atomic_u32* wait_for_all_count) {
    atomic_fetch_add(wait_for_all_count, 1);
}

TLW_INLINE bool tlw_is_waited_for(tlw_atomic_u32* wait_for_all_count) {
    return atomic_load(wait_for_all_count) != 0;
}

// ---- Flags that programs ask for: who sees one raised sees what came before it was raised

TLW_INLINE void tlw_flag_raise(tlw_atomic_u32* flag) {
    atomic_store_explicit(flag, 1, memory_order_release);
}

TLW_INLINE bool tlw_flag_is_raised(tlw_atomic_u32* flag) {
    return atomic_load_explicit(flag, memory_order_acquire) != 0;
}

// ---- Activity: odd while a thread may hold work

TLW_INLINE void tlw_activity_change(tlw_atomic_u32* activity) {
    const uint32_t now = atomic_load_explicit(activity, memory_order_relaxed);
    atomic_store_explicit(activity, now + 1, memory_order_release);
}

TLW_INLINE uint32_t tlw_activity_look(tlw_atomic_u32* activity) {
    return atomic_load_explicit(activity, memory_order_acquire);
}

// ---- Cores (sleep.c): on which core an idle thread is, TLW_ANY_CORE if it is not idle, or one of
// these

#define TLW_CORE_BEING_CHANGED (TLW_ANY_CORE - 1)
#define TLW_CORE_IS_NOT_OURS   (TLW_ANY_CORE - 2)

// The thread's own: it is idle. Releases what a thread that moves it reads.
TLW_INLINE void tlw_core_announce(tlw_atomic_u32* core, uint32_t here) {
    atomic_store_explicit(core, here, memory_order_release);
}

// False: another thread moves it, or has. tlw_core_after_move says which.
TLW_INLINE bool tlw_core_withdraw(tlw_atomic_u32* core, uint32_t here) {
    return atomic_compare_exchange_strong_explicit(core, &here, TLW_ANY_CORE, memory_order_relaxed,
                                                   memory_order_relaxed);
}

// Reads the word, and acquires what a move that has ended wrote.
TLW_INLINE uint32_t tlw_core_after_move(tlw_atomic_u32* core) {
    return atomic_load_explicit(core, memory_order_acquire);
}

// The moving thread's. False: it is not idle there any more, or another thread moves it.
TLW_INLINE bool tlw_core_begin_move(tlw_atomic_u32* core, uint32_t there) {
    return atomic_compare_exchange_strong_explicit(core, &there, TLW_CORE_BEING_CHANGED,
                                                   memory_order_acquire, memory_order_relaxed);
}

TLW_INLINE void tlw_core_end_move(tlw_atomic_u32* core, uint32_t result) {
    atomic_store_explicit(core, result, memory_order_release);
}

// ---- Owners of thread numbers, and with them of pipes

// Returns false if the number has an owner already.
TLW_INLINE bool tlw_owner_take(tlw_atomic_pointer* owner, void* who) {
    void* nobody = NULL;
    return atomic_compare_exchange_strong_explicit(owner, &nobody, who, memory_order_acquire,
                                                   memory_order_relaxed);
}

TLW_INLINE void tlw_owner_leave(tlw_atomic_pointer* owner) {
    atomic_store_explicit(owner, NULL, memory_order_release);
}

// ---- Pools of 64 entries, one bit each

// Returns the bit of an entry that is now the caller's; 0: all are taken.
TLW_INLINE uint64_t tlw_pool_take(tlw_atomic_u64* taken) {
    uint64_t seen = atomic_load_explicit(taken, memory_order_relaxed);
    while (seen != UINT64_MAX) {
        const uint64_t lowest_free = ~seen & (seen + 1);
        if (atomic_compare_exchange_weak_explicit(taken, &seen, seen | lowest_free,
                                                  memory_order_acquire, memory_order_relaxed)) {
            return lowest_free;
        }
    }
    return 0;
}

TLW_INLINE void tlw_pool_give(tlw_atomic_u64* taken, uint64_t bit) {
    atomic_fetch_and_explicit(taken, ~bit, memory_order_release);
}

#endif
