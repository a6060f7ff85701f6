// SPDX-License-Identifier: MIT
// Model of waiting for all (tlw_is_quiet of jobs/wake.c), on the library's own code: one thread
// waits until nothing is left to run while a worker takes sets and pinned tasks, one of which adds
// a further set. When the wait is over everything must have run, and what it wrote must be there to
// read.
#include "tests/model/searched_scheduler.h"

enum planted { NONE, LOOKS_ONCE, BUSY_TOO_LATE };
enum work { A_SET, A_SET_THAT_ADDS, A_PINNED_TASK };

template <planted BUG, work WHAT> struct quiet_model : rl::test_suite<quiet_model<BUG, WHAT>, 2> {
    enum { SETS = WHAT == A_SET_THAT_ADDS ? 2 : WHAT == A_SET ? 1 : 0 };
    searched_scheduler<2> searched;
    searched_set sets[2];
    rl::var<unsigned> pinned_runs;

    void before() {
        searched.begin(1);
        for (searched_set& set : sets) {
            reset(&set.base);
            set.args($) = 5u;
            set.runs($) = 0u;
        }
        pinned_runs($) = 0u;
    }

    void begin_busy(tlw_job_thread* thread) {
        thread->busy = true;
        tlw_activity_change(&thread->activity);
    }

    // run_slot of execute.c.
    bool run(tlw_job_thread* thread, tlw_job_slot* slot) {
        if (BUG != BUSY_TOO_LATE && !thread->busy) {
            begin_busy(thread);
        }
        tlw_job_range range;
        range.set = nullptr;
        if (!tlw_slot_take(slot, 1, &range)) {
            return false;
        }
        if (BUG == BUSY_TOO_LATE && !thread->busy) {
            begin_busy(thread);
        }
        searched_set* set = (searched_set*)range.set;
        if (WHAT == A_SET_THAT_ADDS && set == &sets[0]) {
            const bool is_pushed = tlw_pipe_push(&thread->pipes[0], &thread->depth[0],
                                                 &thread->height[0], &sets[1], 1, 1);
            RL_ASSERT(is_pushed);
        }
        set->runs($) = set->runs($) + 1;
        searched.complete(&set->base);
        return true;
    }

    bool run_one(tlw_job_thread* thread) {
        // next_pinned of pinned.c.
        if (thread->inbox[0].load(rl::mo_relaxed, $)) {
            if (BUG != BUSY_TOO_LATE && !thread->busy) {
                begin_busy(thread);
            }
            (void)tlw_inbox_take(&thread->inbox[0]);
            if (BUG == BUSY_TOO_LATE && !thread->busy) {
                begin_busy(thread);
            }
            pinned_runs($) = pinned_runs($) + 1;
            return true;
        }
        for (tlw_job_thread& owner : searched.threads) {
            const uint32_t height = owner.height[0].load(rl::mo_relaxed, $);
            for (uint32_t at = 0; at < height; ++at) {
                tlw_job_slot* slot = &owner.pipes[0].slots[at];
                if (tlw_cursor_left(slot->cursor.load(rl::mo_relaxed, $)) > 0 &&
                    run(thread, slot)) {
                    return true;
                }
            }
        }
        return false;
    }

    // is_quiet without its second look at the activity.
    bool is_quiet_once(tlw_job_thread* self) {
        bool anyone = false;
        (void)sum_of_activity(&searched.scheduler, self, &anyone);
        return !anyone && pipes_are_empty(&searched.scheduler);
    }

    void thread(unsigned index) {
        tlw_job_thread* self = &searched.threads[index];
        if (index == 1) { // thread_main of scheduler.c, twice
            for (unsigned looks = 0; looks < 2; ++looks) {
                if (!run_one(self) && self->busy) {
                    self->busy = false;
                    tlw_activity_change(&self->activity);
                }
            }
            if (self->busy) {
                self->busy = false;
                tlw_activity_change(&self->activity);
            }
            return;
        }
        if (WHAT == A_PINNED_TASK) {
            void* newest = nullptr;
            while (!tlw_inbox_push(&searched.threads[1].inbox[0], &newest, &pinned_runs)) {
            }
        } else {
            const bool is_pushed =
                tlw_pipe_push(&self->pipes[0], &self->depth[0], &self->height[0], &sets[0], 1, 1);
            RL_ASSERT(is_pushed);
        }
        // wait_for_all of scheduler.c. The worker may have looked before there was anything.
        self->busy = true; // nobody looks at this thread's own activity
        for (unsigned looks = 0; looks < 3; ++looks) {
            if (WHAT != A_PINNED_TASK && run_one(self)) {
                continue;
            }
            if (BUG == LOOKS_ONCE ? is_quiet_once(self) : tlw_is_quiet(&searched.scheduler, self)) {
                for (unsigned i = 0; i < SETS; ++i) {
                    RL_ASSERT(sets[i].runs($) == 1);
                }
                RL_ASSERT(WHAT != A_PINNED_TASK || pinned_runs($) == 1);
                return;
            }
            rl::yield(1, $);
        }
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 1 : 0;
    wrong += expect<quiet_model<NONE, A_SET>>("a set", true, 3 + more);
    wrong += expect<quiet_model<NONE, A_SET_THAT_ADDS>>("a set that adds another", true, 3 + more);
    wrong += expect<quiet_model<NONE, A_PINNED_TASK>>("a pinned task", true, 4 + more);
    wrong += expect<quiet_model<LOOKS_ONCE, A_SET_THAT_ADDS>>("planted: looks once", false, 4);
    wrong += expect<quiet_model<BUSY_TOO_LATE, A_SET>>("planted: busy too late", false, 4);
    wrong += expect<quiet_model<BUSY_TOO_LATE, A_PINNED_TASK>>("planted: busy too late with a task",
                                                               false, 4);
    wrong += check_orders("quiet", shows_all(argc, argv),
                          {search<quiet_model<NONE, A_SET>, 3>,
                           search<quiet_model<NONE, A_PINNED_TASK>, 3>,
                           search<quiet_model<NONE, A_SET_THAT_ADDS>, 3>});
    return wrong;
}
