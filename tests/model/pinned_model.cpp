// SPDX-License-Identifier: MIT
// Model of pinned tasks, on the library's own code (jobs/wake.c and protocol.h): one or two threads
// push tasks to the inbox of another, which sleeps in each way that there is: idle, in a wait for
// pinned tasks only, and in a wait for one of the tasks. No wake-up may be lost, and each task runs
// once, with what was written before it was pushed.
#include "tests/model/searched_scheduler.h"

enum planted { NONE, NO_LAST_LOOK, CLAIMS_FIRST };
enum sleeps { IDLE, FOR_PINNED, IN_WAIT, UNTIL_WAITED_FOR };

// Threads 1 and up push one task each, the last of them TASKS of them; thread 0 runs them.
template <planted BUG, sleeps HOW, unsigned PUSHERS, unsigned TASKS_EACH = 1>
struct pinned_model : rl::test_suite<pinned_model<BUG, HOW, PUSHERS, TASKS_EACH>, PUSHERS + 1> {
    enum { TASKS = PUSHERS * TASKS_EACH };
    struct task {
        enkiCompletable base;
        rl::var<unsigned> args;
        rl::var<task*> next;
        unsigned runs;
    };
    searched_scheduler<PUSHERS + 1> searched;
    task tasks[TASKS];

    void before() {
        // The runner is a worker where it sleeps idle; a scheduler may have no other threads.
        searched.begin(HOW == IDLE ? 0 : PUSHERS + 1);
        for (task& one : tasks) {
            reset(&one.base);
            one.args($) = 0u;
            one.next($) = nullptr;
            one.runs = 0;
        }
    }

    // tlw_schedule_pinned of pinned.c.
    void push(task* one) {
        tlw_job_thread* runner = &searched.threads[0];
        one->args($) = 5u;
        if (BUG == CLAIMS_FIRST) {
            (void)tlw_claim_any(&searched.scheduler, runner);
        }
        void* newest = tlw_inbox_newest(&runner->inbox[0]);
        do {
            one->next($) = (task*)newest;
        } while (!tlw_inbox_push(&runner->inbox[0], &newest, one));
        if (BUG != CLAIMS_FIRST) {
            (void)tlw_claim_any(&searched.scheduler, runner);
        }
    }

    // tlw_run_pinned of pinned.c, which also puts them into the order in which they came.
    unsigned run_pinned() {
        tlw_job_thread* self = &searched.threads[0];
        unsigned count = 0;
        if (!self->inbox[0].load(rl::mo_relaxed, $)) {
            return 0;
        }
        for (task* one = (task*)tlw_inbox_take(&self->inbox[0]); one; ++count) {
            task* next = one->next($);
            RL_ASSERT(one->args($) == 5);
            RL_ASSERT(one->runs == 0);
            one->runs = 1;
            if (self->searching) {
                tlw_stop_searching(self);
            }
            searched.complete(&one->base);
            one = next;
        }
        return count;
    }

    // park of sleep.c and enkiWaitForNewPinnedTasks of pinned.c.
    void park(bool* is_waited_for) {
        tlw_job_thread* self = &searched.threads[0];
        const uint32_t kind = HOW == IDLE ? TLW_PARK_IDLE : TLW_PARK_PINNED;
        tlw_park_announce(self, kind);
        *is_waited_for = HOW != IDLE && tlw_is_waited_for(&searched.scheduler.wait_for_all_count);
        const bool must_not =
            BUG != NO_LAST_LOOK &&
            (*is_waited_for || (HOW == IDLE ? tlw_may_not_park(self) : tlw_has_pinned(self, 0)));
        if (must_not) {
            tlw_park_cancel(self, kind);
        } else {
            (void)tlw_park_sleep(self, kind, TLW_WAIT_FOREVER);
        }
    }

    void run() {
        bool is_waited_for = false;
        if (HOW == UNTIL_WAITED_FOR) {
            while (!is_waited_for) {
                park(&is_waited_for);
            }
        } else if (HOW == IN_WAIT) {
            // Waits for the task that was pushed by thread 1.
            while (!tlw_is_complete(&tasks[0].base)) {
                if (run_pinned() == 0) {
                    tlw_park_in_wait(&searched.threads[0], &tasks[0].base, 0);
                }
            }
        } else {
            for (unsigned count = 0; count < TASKS;) {
                const unsigned done = run_pinned();
                count += done;
                if (done == 0) {
                    park(&is_waited_for);
                }
            }
        }
    }

    // wait_for_all of scheduler.c, which wakes threads that wait for pinned tasks until they end.
    void wait_for_all() {
        tlw_wait_for_all_begins(&searched.scheduler.wait_for_all_count);
        (void)tlw_claim(&searched.scheduler, &searched.threads[0], TLW_PARK_PINNED);
    }

    void thread(unsigned index) {
        if (index == 0) {
            run();
        } else if (HOW == UNTIL_WAITED_FOR) {
            wait_for_all();
        } else {
            for (unsigned i = 0; i < TASKS_EACH; ++i) {
                push(&tasks[(index - 1) * TASKS_EACH + i]);
            }
        }
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 1 : 0;
    wrong += expect<pinned_model<NONE, IDLE, 1>>("idle", true, 4 + more);
    wrong += expect<pinned_model<NONE, IDLE, 2>>("idle, two threads push", true, 2 + more);
    wrong += expect<pinned_model<NONE, FOR_PINNED, 1>>("for pinned tasks", true, 5 + more);
    wrong +=
        expect<pinned_model<NONE, FOR_PINNED, 1, 2>>("two tasks of one thread", true, 3 + more);
    wrong += expect<pinned_model<NONE, FOR_PINNED, 2>>("two threads push", true, 3 + more);
    wrong += expect<pinned_model<NONE, IN_WAIT, 1>>("in a wait for it", true, 4 + more);
    wrong += expect<pinned_model<NONE, UNTIL_WAITED_FOR, 1>>("all are waited for", true, 4 + more);
    wrong += expect<pinned_model<NO_LAST_LOOK, IDLE, 1>>("planted: idle, no last look", false, 3);
    wrong += expect<pinned_model<NO_LAST_LOOK, FOR_PINNED, 1>>("planted: no last look", false, 3);
    wrong +=
        expect<pinned_model<CLAIMS_FIRST, FOR_PINNED, 1>>("planted: claims, then pushes", false, 3);
    wrong += check_orders("pinned", shows_all(argc, argv),
                          {search<pinned_model<NONE, FOR_PINNED, 1>, 3>,
                           search<pinned_model<NONE, UNTIL_WAITED_FOR, 1>, 3>,
                           search<pinned_model<NONE, IDLE, 1>, 2>,
                           search<pinned_model<NONE, FOR_PINNED, 2>, 2>});
    return wrong;
}
