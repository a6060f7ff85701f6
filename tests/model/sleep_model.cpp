// SPDX-License-Identifier: MIT
// Model of sleep and wake, on the library's own code (jobs/wake.c, protocol.h and queue.h). Thread
// 0 adds sets and runs none, like a thread in a long task; workers each run one and never come
// back. A lost wake-up leaves a thread asleep for ever. Variants: a worker that sleeps with a time
// limit, a thread that sleeps in a wait and has to run what it waits for, workers that are stopped.
#include "tests/model/searched_scheduler.h"

enum planted { NONE, NO_LAST_LOOK, NO_HANDOVER, LATE_ANNOUNCE, LEAVES_SILENTLY };

// Thread 0 adds WORKERS sets. With more than one worker the first of them begins as a searcher, so
// that the search covers the hand-over between them.
template <planted BUG, unsigned WORKERS, bool HAS_LIMIT = false, bool SEARCHES = false>
struct workers_model
    : rl::test_suite<workers_model<BUG, WORKERS, HAS_LIMIT, SEARCHES>, WORKERS + 1> {
    searched_scheduler<WORKERS + 1> searched;
    searched_set sets[WORKERS];

    void before() {
        searched.begin(1);
        if (WORKERS > 1) {
            searched.threads[1].searching = true;
            searched.scheduler.idle.store(TLW_IDLE_SEARCHER, rl::mo_relaxed, $);
        }
        for (searched_set& set : sets) {
            reset(&set.base);
            set.args($) = 0u;
            set.runs($) = 0u;
        }
    }

    // park of sleep.c.
    // True if the thread was woken.
    bool park(tlw_job_thread* thread, uint64_t timeout_ns) {
        bool must_not = BUG == LATE_ANNOUNCE && tlw_may_not_park(thread);
        if (must_not) {
            return false;
        }
        tlw_park_announce(thread, TLW_PARK_IDLE);
        must_not = BUG != LATE_ANNOUNCE && BUG != NO_LAST_LOOK && tlw_may_not_park(thread);
        if (must_not) {
            tlw_park_cancel(thread, TLW_PARK_IDLE);
            return false;
        }
        return tlw_park_sleep(thread, TLW_PARK_IDLE, timeout_ns);
    }

    void thread(unsigned index) {
        tlw_job_thread* thread = &searched.threads[index];
        if (index == 0) {
            for (searched_set& set : sets) {
                set.args($) = 5u;
                searched.add(thread, &set);
            }
        } else {
            bool has_limit = HAS_LIMIT;
            bool must_find = false;
            while (!searched.run_one(thread, BUG == NO_HANDOVER)) {
                // With one worker there is nobody who could have taken what it was woken for.
                RL_ASSERT(!must_find || WORKERS > 1);
                if (SEARCHES && tlw_start_searching(thread) && searched.run_one(thread)) {
                    break;
                }
                must_find = park(thread, has_limit ? 1000 : TLW_WAIT_FOREVER);
                has_limit = false; // once per gap
            }
        }
    }
};

// Thread 0 adds a set, which thread 1 (not a worker) waits for and has to run.
template <planted BUG> struct waiting_model : rl::test_suite<waiting_model<BUG>, 2> {
    searched_scheduler<2> searched;
    searched_set set;

    void before() {
        searched.begin(2);
        reset(&set.base);
        set.args($) = 5u;
        set.runs($) = 0u;
    }

    void thread(unsigned index) {
        tlw_job_thread* thread = &searched.threads[index];
        if (index == 0) {
            searched.add(thread, &set);
        } else { // tlw_wait_for of execute.c
            while (!tlw_is_complete(&set.base)) {
                if (!searched.run_one(thread)) {
                    tlw_park_in_wait(thread, &set.base, 0);
                }
            }
            RL_ASSERT(set.runs($) == 1);
        }
    }
};

// Two threads wait, one for what another thread completes, one for a set that is added meanwhile.
// The first may be woken for the set and leave with its own wait over, and then has to pass the
// wake-up on.
template <planted BUG> struct leaving_model : rl::test_suite<leaving_model<BUG>, 4> {
    searched_scheduler<4> searched;
    searched_set sets[2]; // the first one is run elsewhere

    void before() {
        searched.begin(4);
        for (searched_set& set : sets) {
            reset(&set.base);
            set.args($) = 5u;
            set.runs($) = 0u;
        }
    }

    void thread(unsigned index) {
        tlw_job_thread* thread = &searched.threads[index];
        if (index == 2) {
            (void)searched.complete(&sets[0].base);
        } else if (index == 3) {
            searched.add(thread, &sets[1]);
        } else { // tlw_wait_for of execute.c
            while (!tlw_is_complete(&sets[index].base)) {
                if (!searched.run_one(thread)) {
                    tlw_park_in_wait(thread, &sets[index].base, 0);
                }
            }
            if (thread->must_pass_on && BUG != LEAVES_SILENTLY) {
                tlw_pass_on(thread);
            }
        }
    }
};

// Thread 0 stops the scheduler (stop of scheduler.c); the workers are on their way to sleep.
template <unsigned WORKERS>
struct stopping_model : rl::test_suite<stopping_model<WORKERS>, WORKERS + 1> {
    searched_scheduler<WORKERS + 1> searched;

    void before() { searched.begin(1); }

    void thread(unsigned index) {
        tlw_job_thread* thread = &searched.threads[index];
        if (index == 0) {
            tlw_stop_running(&searched.scheduler.running);
            for (tlw_job_thread& other : searched.threads) {
                (void)tlw_claim_any(&searched.scheduler, &other);
            }
        } else {
            while (searched.scheduler.running.load(rl::mo_acquire, $)) {
                tlw_park_announce(thread, TLW_PARK_IDLE);
                if (tlw_may_not_park(thread)) {
                    tlw_park_cancel(thread, TLW_PARK_IDLE);
                } else {
                    (void)tlw_park_sleep(thread, TLW_PARK_IDLE, TLW_WAIT_FOREVER);
                }
            }
        }
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 1 : 0;
    wrong += expect<workers_model<NONE, 1>>("one worker", true, 4 + more);
    wrong += expect<workers_model<NONE, 1, true>>("one worker with a time limit", true, 3 + more);
    wrong +=
        expect<workers_model<NONE, 1, false, true>>("one worker that searches", true, 3 + more);
    wrong += expect<workers_model<NONE, 2>>("two workers", true, 2 + more);
    wrong += expect<workers_model<NONE, 2, false, true>>("two workers that search", true, 1 + more);
    wrong += expect<waiting_model<NONE>>("a thread that waits", true, 4 + more);
    wrong += expect<leaving_model<NONE>>("a thread that leaves its wait", true, 1 + more);
    wrong += expect<stopping_model<1>>("one worker is stopped", true, 4 + more);
    wrong += expect<stopping_model<2>>("two workers are stopped", true, 2 + more);
    wrong += expect<workers_model<NO_LAST_LOOK, 1>>("one, planted: no last look", false, 3);
    wrong +=
        expect<workers_model<LATE_ANNOUNCE, 1>>("one, planted: announces after looking", false, 3);
    wrong += expect<workers_model<NO_LAST_LOOK, 2>>("two, planted: no last look", false, 2);
    wrong +=
        expect<workers_model<LATE_ANNOUNCE, 2>>("two, planted: announces after looking", false, 2);
    wrong +=
        expect<workers_model<NO_HANDOVER, 2>>("two, planted: searcher leaves silently", false, 2);
    wrong += expect<leaving_model<LEAVES_SILENTLY>>("planted: leaves its wait silently", false, 1);
    wrong += check_orders("sleep", shows_all(argc, argv),
                          {search<workers_model<NONE, 1>, 2>, search<stopping_model<1>, 2>,
                           search<waiting_model<NONE>, 2>, search<workers_model<NONE, 1, true>, 2>,
                           search<workers_model<NONE, 1, false, true>, 2>,
                           search<workers_model<NONE, 2>, 2>});
    return wrong;
}
