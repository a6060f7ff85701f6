// SPDX-License-Identifier: MIT
// Parking and waking: the protocol of sleep.h over all threads of a scheduler. What a thread looks
// at before it parks, whom it wakes after a push, and whether any work is left. tests/model
// compiles this file and searches its interleavings, so it is written in what C and C++ share, and
// every operation on a word that decides who sleeps is in protocol.h or queue.h.
#include "jobs/scheduler.h"

// ---- Looking --------------------------------------------------------------------------------

bool tlw_has_pinned(tlw_job_thread* thread, uint32_t max_priority) {
    for (uint32_t priority = 0; priority <= max_priority; ++priority) {
        if (tlw_inbox_is_filled(&thread->inbox[priority]) || thread->ready[priority] != NULL) {
            return true;
        }
    }
    return false;
}

tlw_job_slot* tlw_visible_slot(enkiTaskScheduler* scheduler, uint32_t max_priority,
                               uint64_t* pushes) {
    uint64_t sum = 0;
    for (uint32_t priority = 0; priority <= max_priority; ++priority) {
        for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
            tlw_job_thread* other = &scheduler->threads[i];
            uint32_t height = tlw_pipe_height(&other->height[priority]);
            for (uint32_t j = 0; j < height; ++j) {
                tlw_job_slot* slot = &other->pipes[priority].slots[j];
                uint64_t cursor = tlw_slot_cursor(slot);
                if (tlw_cursor_left(cursor) > 0) {
                    return slot;
                }
                sum += cursor >> 32;
            }
        }
    }
    *pushes = sum;
    return NULL;
}

bool tlw_work_is_visible(tlw_job_thread* thread, uint32_t max_priority) {
    uint64_t pushes;
    return tlw_has_pinned(thread, max_priority) ||
           tlw_visible_slot(thread->scheduler, max_priority, &pushes) != NULL;
}

uint32_t tlw_work_wanting_threads(enkiTaskScheduler* scheduler, uint32_t most, uint32_t* priority) {
    uint32_t sleepers = TLW_IDLE_SLEEPERS(tlw_idle_look(&scheduler->idle));
    uint32_t awake = scheduler->thread_count - scheduler->first_created - sleepers + 1;
    bool has_free_core = awake < scheduler->parties;
    uint32_t found = 0;
    for (uint32_t p = 0; p < TLW_PRIORITIES && found < most; ++p) {
        for (uint32_t i = 0; i < scheduler->thread_count && found < most; ++i) {
            tlw_job_thread* other = &scheduler->threads[i];
            uint32_t height = tlw_pipe_height(&other->height[p]);
            for (uint32_t j = 0; j < height && found < most; ++j) {
                tlw_job_slot* slot = &other->pipes[p].slots[j];
                uint32_t left = tlw_cursor_left(tlw_slot_cursor(slot));
                // A set that a thread works on will be finished by that thread. It does not need
                // another one, but can use one. The owner of an untouched set may be blocked.
                bool untouched = left == atomic_load_explicit(&slot->size, memory_order_relaxed);
                if (left > 0 && (untouched || has_free_core)) {
                    *priority = found == 0 ? p : *priority;
                    found += 1;
                }
            }
        }
    }
    return found;
}

bool tlw_may_not_park(tlw_job_thread* thread) {
    return tlw_work_is_visible(thread, TLW_LAST_PRIORITY) ||
           !tlw_is_running(&thread->scheduler->running);
}

// ---- Parking --------------------------------------------------------------------------------

void tlw_park_announce(tlw_job_thread* thread, uint32_t kind) {
    uint64_t change = tlw_idle_change_on_park(kind);
    if (thread->searching) {
        thread->searching = false;
        change -= TLW_IDLE_SEARCHER;
    }
    tlw_parked_announce(&thread->parked, &thread->scheduler->idle, change, kind);
}

bool tlw_park_cancel(tlw_job_thread* thread, uint32_t kind) {
    bool is_cancelled = tlw_parked_cancel(&thread->parked, &thread->scheduler->idle, kind);
    thread->searching = kind == TLW_PARK_IDLE;
    return is_cancelled;
}

bool tlw_park_sleep(tlw_job_thread* thread, uint32_t kind, uint64_t timeout_ns) {
    bool is_claimed = tlw_parked_sleep(&thread->parked, &thread->scheduler->idle, kind, timeout_ns);
    thread->searching = kind == TLW_PARK_IDLE;
    return is_claimed;
}

bool tlw_claim(enkiTaskScheduler* scheduler, tlw_job_thread* thread, uint32_t kind) {
    return tlw_parked_claim(&thread->parked, &scheduler->idle, kind);
}

bool tlw_claim_any(enkiTaskScheduler* scheduler, tlw_job_thread* thread) {
    uint32_t kind = tlw_parked_look(&thread->parked);
    return kind > TLW_CLAIMED && tlw_claim(scheduler, thread, kind);
}

void tlw_park_in_wait(tlw_job_thread* thread, enkiCompletable* completable, uint32_t max_priority) {
    enkiTaskScheduler* scheduler = thread->scheduler;
    const struct enkiProfilerCallbacks* callbacks = &scheduler->config.profilerCallbacks;
    const uint32_t kind = TLW_PARK_WAIT + max_priority;
    atomic_store_explicit(&thread->awaited, completable, memory_order_relaxed);
    tlw_park_announce(thread, kind);
    if (!tlw_state_mark_waited(&completable->state) || tlw_work_is_visible(thread, max_priority) ||
        !tlw_is_running(&scheduler->running)) {
        if (!tlw_park_cancel(thread, kind)) {
            // Perhaps claimed for work that this thread will not take, because its wait is over.
            thread->must_pass_on = true;
        }
    } else {
        TLW_JOBS_ZONE("asleep in a wait");
        if (callbacks->waitForTaskCompleteSuspendStart) {
            callbacks->waitForTaskCompleteSuspendStart(thread->number);
        }
        tlw_park_sleep(thread, kind, TLW_WAIT_FOREVER);
        thread->must_pass_on = true;
        if (callbacks->waitForTaskCompleteSuspendStop) {
            callbacks->waitForTaskCompleteSuspendStop(thread->number);
        }
    }
    atomic_store_explicit(&thread->awaited, NULL, memory_order_relaxed);
}

bool tlw_start_searching(tlw_job_thread* thread) {
    const enkiTaskScheduler* scheduler = thread->scheduler;
    const uint32_t most = scheduler->parties > 1 ? scheduler->parties - 1 : 1;
    if (!thread->searching) {
        thread->searching = tlw_idle_start_searching(&thread->scheduler->idle, most);
    }
    return thread->searching;
}

// ---- Waking ---------------------------------------------------------------------------------

void tlw_wake_for_work(enkiTaskScheduler* scheduler, uint32_t wanted, uint32_t priority,
                       bool is_divisible) {
    uint64_t idle = tlw_idle_look(&scheduler->idle);
    uint32_t searchers = TLW_IDLE_SEARCHERS(idle);
    if (searchers + TLW_IDLE_SLEEPERS(idle) > 0) {
        tlw_part_cores(scheduler, is_divisible);
    }
    if (searchers >= wanted || (TLW_IDLE_SLEEPERS(idle) == 0 && TLW_IDLE_WAITERS(idle) == 0)) {
        return;
    }
    // Starts at the lowest number, so that the same few threads stay warm and the others asleep.
    uint32_t missing = wanted - searchers;
    for (uint32_t i = scheduler->first_created;
         i < scheduler->thread_count && missing > 0 && TLW_IDLE_SLEEPERS(idle) > 0; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        if (tlw_parked_look(&thread->parked) == TLW_PARK_IDLE &&
            tlw_claim(scheduler, thread, TLW_PARK_IDLE)) {
            missing -= 1;
        }
    }
    if (missing < wanted || TLW_IDLE_WAITERS(idle) == 0) {
        return;
    }
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        uint32_t kind = tlw_parked_look(&thread->parked);
        if (kind >= TLW_PARK_WAIT + priority && tlw_claim(scheduler, thread, kind)) {
            return;
        }
    }
}

void tlw_wake_waiters(enkiTaskScheduler* scheduler, const void* completable) {
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        tlw_parked_claim_waiter(&thread->parked, &thread->awaited, &scheduler->idle, completable);
    }
}

// `idle`: the counts of idle threads that the caller has seen.
static void wake_for_visible(enkiTaskScheduler* scheduler, uint64_t idle) {
    uint32_t priority = 0;
    if (TLW_IDLE_SLEEPERS(idle) == 0 && TLW_IDLE_WAITERS(idle) == 0) {
        return;
    }
    // Wakes two, so that a burst of work spreads over many threads like a tree, not like a chain.
    uint32_t found = tlw_work_wanting_threads(scheduler, 2, &priority);
    if (found > 0) {
        tlw_wake_for_work(scheduler, found, priority, false);
    }
}

void tlw_stop_searching(tlw_job_thread* thread) {
    thread->searching = false;
    uint64_t idle = tlw_idle_stop_searching(&thread->scheduler->idle);
    if (TLW_IDLE_SEARCHERS(idle) == 1) {
        wake_for_visible(thread->scheduler, idle);
    }
}

void tlw_pass_on(tlw_job_thread* thread) {
    thread->must_pass_on = false;
    uint64_t idle = tlw_idle_look(&thread->scheduler->idle);
    if (TLW_IDLE_SEARCHERS(idle) == 0) {
        wake_for_visible(thread->scheduler, idle);
    }
}

// ---- Waiting for all ------------------------------------------------------------------------

static bool pipes_are_empty(enkiTaskScheduler* scheduler) {
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        // During a shutdown, inboxes of numbers that no thread has any more do not count.
        bool counts_inbox =
            !atomic_load_explicit(&scheduler->shutdown_requested, memory_order_relaxed) ||
            atomic_load_explicit(&thread->owner, memory_order_relaxed) != NULL;
        for (uint32_t p = 0; p < TLW_PRIORITIES; ++p) {
            uint32_t height = tlw_pipe_height(&thread->height[p]);
            for (uint32_t j = 0; j < height; ++j) {
                if (tlw_cursor_left(tlw_slot_cursor(&thread->pipes[p].slots[j])) > 0) {
                    return false;
                }
            }
            if (counts_inbox && tlw_inbox_is_filled(&thread->inbox[p])) {
                return false;
            }
        }
    }
    return true;
}

static uint64_t sum_of_activity(enkiTaskScheduler* scheduler, const tlw_job_thread* self,
                                bool* anyone) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        if (thread != self) {
            uint32_t activity = tlw_activity_look(&thread->activity);
            *anyone = *anyone || (activity & 1);
            sum += activity;
        }
    }
    return sum;
}

// One look is not enough, because work may move from a queue that has not been looked at yet to a
// thread that has. If two looks at every thread find the same activity count and no thread busy,
// nothing happened in between. Counts only go up, so comparing the sums is enough.
bool tlw_is_quiet(enkiTaskScheduler* scheduler, const tlw_job_thread* self) {
    bool anyone = false;
    uint64_t before = sum_of_activity(scheduler, self, &anyone);
    if (anyone || !pipes_are_empty(scheduler)) {
        return false;
    }
    return sum_of_activity(scheduler, self, &anyone) == before && !anyone;
}
