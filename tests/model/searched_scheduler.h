// SPDX-License-Identifier: MIT
// A scheduler for models: the library's own objects (jobs/scheduler.h) and its own parking and
// waking (jobs/wake.c), with one priority and short pipes. The loops of execute.c are written again
// here, without spinning, clocks and callbacks: which words they touch is the library's.
#ifndef TLW_TESTS_MODEL_SEARCHED_SCHEDULER_H
#define TLW_TESTS_MODEL_SEARCHED_SCHEDULER_H

#define ENKITS_TASK_PRIORITIES_NUM 1
#if !defined(TLW_PIPE_SLOTS)
#    define TLW_PIPE_SLOTS 2
#endif
#include "tests/model/model.h"

#include "jobs/wake.c"

// Which core a worker is on decides nothing about who wakes.
void tlw_part_cores(enkiTaskScheduler*, bool) {}

// A set of one item.
struct searched_set {
    enkiCompletable base;
    rl::var<unsigned> args;
    rl::var<unsigned> runs;
};

// Pending, so that threads may wait for it.
inline void reset(enkiCompletable* completable) {
    completable->state.store(TLW_STATE_PENDING, rl::mo_relaxed, $);
    completable->left.store(0, rl::mo_relaxed, $);
    completable->requirements_met.store(0, rl::mo_relaxed, $);
}

template <unsigned COUNT> struct searched_scheduler {
    enkiTaskScheduler scheduler;
    tlw_job_thread threads[COUNT];
    sleeping_place places[COUNT];

    // Threads from `first_created` on are workers.
    void begin(uint32_t first_created) {
        sleeping_places = places;
        scheduler.idle.store(0, rl::mo_relaxed, $);
        scheduler.running.store(1, rl::mo_relaxed, $);
        scheduler.shutdown_requested.store(0, rl::mo_relaxed, $);
        scheduler.wait_for_all_count.store(0, rl::mo_relaxed, $);
        scheduler.threads = threads;
        scheduler.thread_count = COUNT;
        scheduler.first_created = first_created;
        scheduler.parties = COUNT;
        scheduler.share_shift = 1;
        scheduler.oversubscribed = false;
        scheduler.config.profilerCallbacks = enkiProfilerCallbacks();
        for (unsigned i = 0; i < COUNT; ++i) {
            tlw_job_thread* thread = &threads[i];
            places[i].word = &thread->parked;
            thread->height[0].store(0, rl::mo_relaxed, $);
            thread->inbox[0].store(nullptr, rl::mo_relaxed, $);
            thread->parked.store(TLW_AWAKE, rl::mo_relaxed, $);
            thread->awaited.store(nullptr, rl::mo_relaxed, $);
            thread->owner.store(nullptr, rl::mo_relaxed, $);
            thread->activity.store(0, rl::mo_relaxed, $);
            thread->scheduler = &scheduler;
            thread->number = i;
            thread->depth[0] = 0;
            thread->ready[0] = nullptr;
            thread->searching = thread->must_pass_on = thread->busy = false;
            for (tlw_job_slot& slot : thread->pipes[0].slots) {
                slot.cursor.store(0, rl::mo_relaxed, $);
                slot.set.store(nullptr, rl::mo_relaxed, $);
                slot.size.store(0, rl::mo_relaxed, $);
                slot.grain.store(0, rl::mo_relaxed, $);
            }
        }
    }

    // add and tlw_schedule_set of taskset.c.
    void add(tlw_job_thread* thread, searched_set* set) {
        const bool is_pushed =
            tlw_pipe_push(&thread->pipes[0], &thread->depth[0], &thread->height[0], set, 1, 1);
        RL_ASSERT(is_pushed);
        tlw_wake_for_work(&scheduler, 1, 0, false);
    }

    // complete_one of dependency.c. Returns what the state was.
    uint32_t complete(enkiCompletable* completable) {
        const uint32_t state = tlw_state_complete(&completable->state);
        if (state & TLW_STATE_WAITED) {
            tlw_wake_waiters(&scheduler, completable);
        }
        return state;
    }

    // run_slot of execute.c.
    bool run_slot(tlw_job_thread* thread, tlw_job_slot* slot, bool leaves_silently) {
        tlw_job_range range;
        range.set = nullptr;
        if (!tlw_slot_take(slot, 1, &range)) {
            return false;
        }
        if (thread->searching && leaves_silently) { // a planted bug
            thread->searching = false;
            (void)tlw_idle_stop_searching(&scheduler.idle);
        } else if (thread->searching) {
            tlw_stop_searching(thread);
        } else if (thread->must_pass_on) {
            tlw_pass_on(thread);
        }
        searched_set* set = (searched_set*)range.set;
        RL_ASSERT(set->args($) == 5);
        RL_ASSERT(set->runs($) == 0);
        set->runs($) = 1u;
        complete(&set->base);
        return true;
    }

    // run_own and run_other of execute.c.
    bool run_one(tlw_job_thread* thread, bool leaves_silently = false) {
        while (thread->depth[0] > 0) {
            if (run_slot(thread, &thread->pipes[0].slots[thread->depth[0] - 1], leaves_silently)) {
                return true;
            }
            thread->depth[0] -= 1;
        }
        for (tlw_job_thread& other : threads) {
            const uint32_t height = &other == thread ? 0 : other.height[0].load(rl::mo_relaxed, $);
            for (uint32_t at = 0; at < height; ++at) {
                tlw_job_slot* slot = &other.pipes[0].slots[at];
                if (tlw_cursor_left(slot->cursor.load(rl::mo_relaxed, $)) > 0 &&
                    run_slot(thread, slot, leaves_silently)) {
                    return true;
                }
            }
        }
        return false;
    }
};

#endif
