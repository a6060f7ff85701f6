// SPDX-License-Identifier: MIT
// Execution: takes ranges from queues (queue.h), runs them and counts them. Waits are here too,
// because a waiting thread runs other work until the completable that it waits for is complete. How
// threads search and fall asleep is in sleep.h.
#include "jobs/scheduler.h"
#include "platform/clock.h"

void tlw_begin_busy(tlw_job_thread* thread) {
    if (!thread->busy) {
        thread->busy = true;
        // Comes before any range is taken. Taking a range is a release, so a thread that sees the
        // emptied queue also sees this.
        tlw_activity_change(&thread->activity);
    }
}

void tlw_end_busy(tlw_job_thread* thread) {
    if (thread->busy) {
        thread->busy = false;
        tlw_activity_change(&thread->activity);
    }
}

void tlw_backoff(uint32_t round) {
    uint32_t pauses = round < 3 ? 1u << round : 8;
    for (uint32_t i = 0; i < pauses; ++i) {
        tlw_cpu_pause();
    }
}

static bool has_inbox(tlw_job_thread* thread) {
    bool any = false;
    for (uint32_t i = 0; i < TLW_PRIORITIES; ++i) {
        any |= atomic_load_explicit(&thread->inbox[i], memory_order_relaxed) != NULL;
    }
    return any;
}

static bool is_over(const enkiCompletable* awaited) {
    return awaited && tlw_is_complete(awaited);
}

// Runs ranges of one slot until it is empty, `awaited` is complete, or more urgent work may have
// arrived. False if the slot was empty.
static bool run_slot(tlw_job_thread* thread, tlw_job_slot* slot, uint32_t priority, uint32_t shift,
                     const enkiCompletable* awaited) {
    tlw_begin_busy(thread);
    tlw_job_range range = {.set = NULL};
    if (!tlw_slot_take(slot, shift, &range)) {
        return false;
    }
    if (thread->searching) {
        tlw_stop_searching(thread);
    } else if (thread->must_pass_on) {
        tlw_pass_on(thread);
    }
    enkiTaskSet* set = range.set;
    uint32_t done = 0;
    do {
        TLW_JOBS_ZONE("range");
        set->function(range.begin, range.end, thread->number, set->args);
        done += range.end - range.begin;
        // The condition reads the slot, not the set. So nothing of the set has to be read when
        // other threads have finished it.
    } while (tlw_cursor_left(range.cursor) > 0 && priority == 0 && !has_inbox(thread) &&
             (awaited == &set->base || !is_over(awaited)) &&
             tlw_slot_take(slot, thread->scheduler->share_shift + 1, &range));
    // A thread that has run the whole set alone need not touch the counter.
    if (done == range.size || tlw_state_count(&set->base.left, done)) {
        bool may_run = awaited != &set->base && !is_over(awaited) && !has_inbox(thread);
        enkiTaskSet* next = tlw_complete(thread, &set->base, may_run);
        if (next) {
            tlw_run_sets(thread, next, awaited);
        }
    }
    return true;
}

static bool run_own(tlw_job_thread* thread, uint32_t priority, const enkiCompletable* awaited) {
    tlw_job_slot* slots = thread->pipes[priority].slots;
    uint32_t* depth = &thread->depth[priority];
    while (*depth > 0) {
        if (run_slot(thread, &slots[*depth - 1], priority, thread->scheduler->share_shift,
                     awaited)) {
            return true;
        }
        *depth -= 1;
    }
    // Thieves look at every slot below the height. After a deep stack it is reset, so that they do
    // not have to look at many empty slots. Nothing else is read on the strength of a height, so no
    // order is needed.
    if (atomic_load_explicit(&thread->height[priority], memory_order_relaxed) > 4) {
        atomic_store_explicit(&thread->height[priority], 0, memory_order_relaxed);
    }
    return false;
}

// Whether a set is still there a moment later and not nearly done. A set that its own thread
// finishes within about 100 ns gets slower if another thread helps. How long the moment is depends
// on how helping went the last times (run_topmost).
#define HESITATION_MIN 4
#define HESITATION_MAX 32 // pauses: about 1.5 us

static bool is_lasting(const tlw_job_thread* thread, tlw_job_slot* slot) {
    uint64_t first = atomic_load_explicit(&slot->cursor, memory_order_relaxed);
    for (uint32_t i = 0; i < HESITATION_MIN + thread->hesitation; ++i) {
        tlw_cpu_pause();
    }
    uint64_t later = atomic_load_explicit(&slot->cursor, memory_order_relaxed);
    uint32_t left = tlw_cursor_left(first);
    return (later >> 32) == (first >> 32) && tlw_cursor_left(later) > left - left / 4 - 1;
}

// Helps with the topmost slot of another thread, which is the one that its owner takes next. If the
// work was short, helping was not worth it, and the thread hesitates longer the next time.
static bool run_topmost(tlw_job_thread* thread, tlw_job_slot* slot, uint32_t priority,
                        const enkiCompletable* awaited) {
    // A searcher has already hesitated in tlw_look_for_work.
    if (!thread->searching && !is_lasting(thread, slot)) {
        return false;
    }
    uint64_t start = tlw_clock_ns();
    if (!run_slot(thread, slot, priority, thread->scheduler->share_shift + 1, awaited)) {
        return false;
    }
    bool was_short = tlw_clock_ns() - start < 1000;
    uint32_t more = 2 * thread->hesitation + 2;
    thread->hesitation = !was_short ? 0 : more < HESITATION_MAX ? more : HESITATION_MAX;
    return true;
}

static bool run_other(tlw_job_thread* thread, uint32_t priority, const enkiCompletable* awaited) {
    enkiTaskScheduler* scheduler = thread->scheduler;
    const uint32_t count = scheduler->thread_count;
    uint32_t victim = thread->victim;
    for (uint32_t i = 0; i < count; ++i, victim = victim + 1 < count ? victim + 1 : 0) {
        tlw_job_thread* other = &scheduler->threads[victim];
        uint32_t height = atomic_load_explicit(&other->height[priority], memory_order_relaxed);
        if (height == 0 || other == thread) {
            continue;
        }
        tlw_job_slot* slots = other->pipes[priority].slots;
        bool is_usual = victim == thread->victim && thread->victim_slot < height;
        uint32_t at = is_usual ? thread->victim_slot : 0;
        for (uint32_t j = 0; j < height; ++j, at = at + 1 < height ? at + 1 : 0) {
            uint64_t cursor = atomic_load_explicit(&slots[at].cursor, memory_order_relaxed);
            if (tlw_cursor_left(cursor) == 0) {
                continue;
            }
            if (at + 1 == height
                    ? run_topmost(thread, &slots[at], priority, awaited)
                    : run_slot(thread, &slots[at], priority, scheduler->share_shift + 1, awaited)) {
                thread->victim = victim;
                thread->victim_slot = at;
                return true;
            }
        }
    }
    return false;
}

bool tlw_run_one(tlw_job_thread* thread, uint32_t max_priority, const enkiCompletable* awaited) {
    for (uint32_t priority = 0; priority <= max_priority; ++priority) {
        if (tlw_run_pinned(thread, priority) || run_own(thread, priority, awaited) ||
            run_other(thread, priority, awaited)) {
            return true;
        }
    }
    return false;
}

tlw_job_sight tlw_look_for_work(tlw_job_thread* thread) {
    if (tlw_has_pinned(thread, TLW_LAST_PRIORITY)) {
        return TLW_SEES_WORK;
    }
    uint64_t pushes = thread->pushes_seen;
    tlw_job_slot* slot = tlw_visible_slot(thread->scheduler, TLW_LAST_PRIORITY, &pushes);
    if (slot) {
        return is_lasting(thread, slot) ? TLW_SEES_WORK : TLW_SEES_PASSING_WORK;
    }
    bool is_changed = pushes != thread->pushes_seen;
    thread->pushes_seen = pushes;
    return is_changed ? TLW_SEES_PASSING_WORK : TLW_SEES_NOTHING;
}

// Called when there is nothing to run. Looks at the completable's state with pauses between. True
// if the wait is over or the caller should look for work again, false if it has taken too long and
// the caller should sleep.
static bool spin_in_wait(tlw_job_thread* thread, const enkiCompletable* completable,
                         uint64_t* started_ns) {
    const enkiTaskScheduler* scheduler = thread->scheduler;
    // Most waits are for the end of one range and are over soon. These do not read the clock.
    const bool is_in_vain = thread->vain_spins >= 2 && !scheduler->oversubscribed;
    const uint32_t pauses = thread->shares_core > 0 || is_in_vain ? 8 : 64;
    for (uint32_t i = 0; i < pauses; ++i) {
        if (tlw_is_complete(completable)) {
            return true;
        }
        tlw_cpu_pause();
    }
    uint64_t now = tlw_clock_ns();
    if (*started_ns == 0) {
        *started_ns = now;
    }
    uint64_t budget = scheduler->oversubscribed ? TLW_SPIN_OVERSUBSCRIBED_NS
                                                : tlw_gaps_spin_ns(&thread->wait_gaps);
    if (tlw_should_give_way(thread, now - *started_ns, now)) {
        return false;
    }
    // The thread with the last range may be waiting for this core.
    if ((scheduler->oversubscribed || thread->shares_core > 0 ||
         now - *started_ns > TLW_SPIN_POLITE_NS) &&
        !tlw_is_crowded(thread->scheduler, now)) {
        bool was_taken = tlw_offer_core();
        tlw_learn_sharing(thread, was_taken && tlw_is_complete(completable));
    }
    return now - *started_ns < budget;
}

static void wait_as_stranger(const enkiCompletable* completable) {
    while (!tlw_is_complete(completable)) {
        tlw_thread_sleep_ns(100000);
    }
}

void tlw_wait_for(enkiTaskScheduler* scheduler, enkiCompletable* completable, int max_priority) {
    TLW_REQUIRE(scheduler, "a wait without a scheduler", TLW_NOTHING);
    TLW_ASSERT_MESSAGE(max_priority >= 0, "a wait that runs nothing");
    uint32_t lowest = max_priority < 0 ? 0 : (uint32_t)max_priority;
    lowest = lowest < TLW_LAST_PRIORITY ? lowest : TLW_LAST_PRIORITY;
    if (completable && tlw_is_complete(completable)) {
        return;
    }
    tlw_job_thread* thread = tlw_job_current(scheduler);
    if (TLW_UNLIKELY(!thread)) {
        TLW_ASSERT_MESSAGE(thread, "a wait by a thread that is not registered");
        if (completable) {
            wait_as_stranger(completable);
        }
        return;
    }
    const bool was_busy = thread->busy;
    if (!completable) {
        (void)tlw_run_one(thread, lowest, NULL);
    } else {
        TLW_JOBS_ZONE("wait");
        const struct enkiProfilerCallbacks* callbacks = &scheduler->config.profilerCallbacks;
        // Includes the completable's own priority, so that a single thread can finish what it waits
        // for.
        lowest = lowest > completable->priority ? lowest : completable->priority;
        if (callbacks->waitForTaskCompleteStart) {
            callbacks->waitForTaskCompleteStart(thread->number);
        }
        uint64_t started_ns = 0;
        bool has_slept = false;
        while (!tlw_is_complete(completable) &&
               atomic_load_explicit(&scheduler->running, memory_order_relaxed)) {
            if (tlw_run_one(thread, lowest, completable)) {
                started_ns = 0;
            } else if (!spin_in_wait(thread, completable, &started_ns)) {
                tlw_park_in_wait(thread, completable, lowest);
                has_slept = true;
            }
        }
        if (started_ns != 0) {
            tlw_learn_spin(thread, !has_slept);
            tlw_gaps_note(&thread->wait_gaps, tlw_clock_ns() - started_ns);
        }
        if (thread->must_pass_on) {
            tlw_pass_on(thread);
        }
        if (callbacks->waitForTaskCompleteStop) {
            callbacks->waitForTaskCompleteStop(thread->number);
        }
    }
    if (!was_busy) {
        tlw_end_busy(thread);
    }
}
