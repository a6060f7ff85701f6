// SPDX-License-Identifier: MIT
// Private to jobs. Where sets wait to be run: one pipe per thread and priority, a stack of slots,
// each slot a set and a cursor over its items. Anyone takes ranges off any cursor; only the owner
// adds. No lock, and no memory of the set's is read before a range of it has been taken.
//
//   owner      pushes on top, and looks for work from the top down (the newest is still in cache)
//   thieves    look from the bottom up (the oldest is the largest piece of the frame)
//
// A cursor is one 64-bit word, generation and items left. Taking a range is one compare-exchange
// that lowers `left`; there is no splitting and no re-adding of halves, so a set that nobody helps
// with costs its owner a handful of exchanges, and a thread that comes late still finds a share.
//
// Why a stale reader is harmless. A slot's other words are written only while left is 0, and a
// thief believes what it read of them only if its compare-exchange then succeeds from left > 0:
//   - that exchange releases, the later one that brings left to 0 continues its release sequence,
//     and the owner acquires the 0 before it writes: the reads came before the writes;
//   - if the slot was reused in between, the generation differs and the exchange fails. It wraps
//     after 2^32 uses of one slot: a thread would have to be held for minutes between two
//     instructions and come back at exactly that use.
// A thread that has taken a range holds the set: the set cannot complete before that range is
// accounted for.
#ifndef TLW_JOBS_QUEUE_H
#define TLW_JOBS_QUEUE_H

#include "platform/atomic.h"
#include "platform/base.h"

// Sets of one thread and priority that wait; more run where they are added. A model has fewer.
#if !defined(TLW_PIPE_SLOTS)
#    define TLW_PIPE_SLOTS 256
#endif

typedef struct tlw_job_slot {
    TLW_ALIGNAS(32) tlw_atomic_u64 cursor; // generation << 32 | items left
    tlw_atomic_pointer set;
    tlw_atomic_u32 size;  // of the set: the first item left is size - left
    tlw_atomic_u32 grain; // no range is smaller but for the last
} tlw_job_slot;

// The parts lie apart in memory (scheduler.h): `height` is read by all, `depth` only by the owner.
typedef struct tlw_job_pipe {
    tlw_job_slot slots[TLW_PIPE_SLOTS];
} tlw_job_pipe;

typedef struct tlw_job_range {
    void* set;
    uint32_t begin, end;
    uint32_t size; // of the set
    // As this thread left it. If it is unchanged at the next look, no other thread helps.
    uint64_t cursor;
} tlw_job_range;

TLW_INLINE uint32_t tlw_cursor_left(uint64_t cursor) {
    return (uint32_t)cursor;
}

// For the owner only. `depth` slots may be in use; thieves look at `height` slots, which is never
// less.
// False: full. The store that makes the set visible is sequentially consistent, so that a look at
// the sleepers after this cannot come before it (sleep.h).
TLW_INLINE bool tlw_pipe_push(tlw_job_pipe* pipe, uint32_t* depth, tlw_atomic_u32* height,
                              void* set, uint32_t size, uint32_t grain) {
    uint32_t at = *depth;
    // Slots on top that thieves or we have emptied.
    while (at > 0 && tlw_cursor_left(atomic_load_explicit(&pipe->slots[at - 1].cursor,
                                                          memory_order_relaxed)) == 0) {
        at -= 1;
    }
    *depth = at;
    if (at == TLW_PIPE_SLOTS) {
        return false;
    }
    tlw_job_slot* slot = &pipe->slots[at];
    // Acquires the 0 of whoever emptied it, whose reads of the other words then came before.
    uint64_t old = atomic_load_explicit(&slot->cursor, memory_order_acquire);
    uint64_t cursor = (((old >> 32) + 1) << 32) | size;
    atomic_store_explicit(&slot->set, set, memory_order_relaxed);
    atomic_store_explicit(&slot->size, size, memory_order_relaxed);
    atomic_store_explicit(&slot->grain, grain, memory_order_relaxed);
    *depth = at + 1;
    if (at < atomic_load_explicit(height, memory_order_relaxed)) {
        (void)atomic_exchange(&slot->cursor, cursor);
    } else {
        atomic_store_explicit(&slot->cursor, cursor, memory_order_release);
        (void)atomic_exchange(height, at + 1);
    }
    return true;
}

// Takes a range of left >> shift items, at least the slot's grain. With range->set null it takes
// from any set that is in the slot. Otherwise it takes from the same set as the range before, and
// twice as much if no other thread has touched the slot since: more than half of the cost of small
// pieces is for sharing with threads that did not help. False: nothing left.
TLW_INLINE bool tlw_slot_take(tlw_job_slot* slot, uint32_t shift, tlw_job_range* range) {
    uint64_t cursor = atomic_load_explicit(&slot->cursor, memory_order_acquire);
    for (;;) {
        uint32_t left = tlw_cursor_left(cursor);
        if (left == 0 || (range->set && (cursor >> 32) != (range->cursor >> 32))) {
            return false;
        }
        void* set = atomic_load_explicit(&slot->set, memory_order_relaxed);
        uint32_t size = atomic_load_explicit(&slot->size, memory_order_relaxed);
        uint32_t count = atomic_load_explicit(&slot->grain, memory_order_relaxed);
        uint32_t share = left >> (cursor == range->cursor ? shift - 1 : shift);
        count = count > share ? count : share;
        count = count < left ? count : left;
        if (atomic_compare_exchange_weak_explicit(&slot->cursor, &cursor, cursor - count,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            range->set = set;
            range->begin = size - left;
            range->end = size - left + count;
            range->size = size;
            range->cursor = cursor - count;
            return true;
        }
    }
}

// Reads the cursor with sequential consistency, for threads that are about to sleep.
TLW_INLINE uint64_t tlw_slot_cursor(tlw_job_slot* slot) {
    return atomic_load(&slot->cursor);
}

// Reads the number of slots to look at, likewise.
TLW_INLINE uint32_t tlw_pipe_height(tlw_atomic_u32* height) {
    return atomic_load(height);
}

#endif
