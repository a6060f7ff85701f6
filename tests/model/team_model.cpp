// SPDX-License-Identifier: MIT
// Model of a team's gate (runtime/step/team.c). One thread, the owner, posts two jobs of two items
// one after the other; two helpers may enter at any time, take items, and leave. Checked: every
// item runs exactly once, all items of a job have run when the owner goes on, and no helper reads a
// job while it is being written.
#include "model.h"

enum planted { NONE, RELAXED_OPEN, RELAXED_ENTER, RELAXED_LEAVE, ENTERS_BLINDLY, DOES_NOT_WAIT };

template <planted BUG> struct team_model : rl::test_suite<team_model<BUG>, 3> {
    enum { HELPER = 1, OPEN = 1 << 4, JOB = 1 << 5, INSIDE = OPEN - 1, JOBS = 2, ITEMS = 2 };
    rl::atomic<unsigned> gate, next;
    rl::var<unsigned> job;               // stands for the fields of the job, which helpers read
    rl::var<unsigned> runs[JOBS][ITEMS]; // how often each item ran; stands for what items write

    void before() {
        gate.store(0, rl::mo_relaxed, $);
        next.store(0, rl::mo_relaxed, $);
        job($) = 0u;
        for (auto& of_job : runs) {
            for (auto& of_item : of_job) {
                of_item($) = 0u;
            }
        }
    }

    void take_helpings() {
        for (unsigned item = next.fetch_add(1, rl::mo_relaxed, $); item < ITEMS;
             item = next.fetch_add(1, rl::mo_relaxed, $)) {
            const unsigned now = job($);
            runs[now][item]($) = runs[now][item]($) + 1;
        }
    }

    void drive() {
        for (unsigned k = 0; k < JOBS; ++k) {
            const unsigned last = gate.load(rl::mo_relaxed, $);
            job($) = k;
            next.store(0, rl::mo_relaxed, $);
            gate.store((last + JOB) | OPEN, BUG == RELAXED_OPEN ? rl::mo_relaxed : rl::mo_release,
                       $);
            take_helpings();
            gate.fetch_and(~unsigned(OPEN), rl::mo_relaxed, $);
            while (BUG != DOES_NOT_WAIT && (gate.load(rl::mo_acquire, $) & INSIDE)) {
                rl::yield(1, $);
            }
            for (auto& of_item : runs[k]) {
                RL_ASSERT(of_item($) == 1);
            }
        }
    }

    void help() {
        unsigned last = 0;
        for (int looks = 0; looks < 2; ++looks) {
            unsigned now = gate.load(rl::mo_relaxed, $);
            if (!(now & OPEN) || now / JOB == last) {
                continue;
            }
            if (BUG == ENTERS_BLINDLY) {
                gate.fetch_add(HELPER, rl::mo_acquire, $);
            } else if (!gate.compare_exchange_strong(now, now + HELPER,
                                                     BUG == RELAXED_ENTER ? rl::mo_relaxed
                                                                          : rl::mo_acquire,
                                                     $, rl::mo_relaxed, $)) {
                continue;
            }
            take_helpings();
            last = now / JOB;
            gate.fetch_sub(HELPER, BUG == RELAXED_LEAVE ? rl::mo_relaxed : rl::mo_release, $);
        }
    }

    void thread(unsigned index) {
        if (index == 0) {
            drive();
        } else {
            help();
        }
    }
};

int main() {
    int wrong = 0;
    wrong += expect<team_model<NONE>>("team, 4 preemptions", true, 4);
    wrong += expect<team_model<RELAXED_OPEN>>("team, planted: relaxed opening", false, 3);
    wrong += expect<team_model<RELAXED_ENTER>>("team, planted: relaxed entering", false, 3);
    wrong += expect<team_model<RELAXED_LEAVE>>("team, planted: relaxed leaving", false, 3);
    wrong += expect<team_model<ENTERS_BLINDLY>>("team, planted: enters a gate just shut", false, 3);
    wrong += expect<team_model<DOES_NOT_WAIT>>("team, planted: does not wait", false, 3);
    return wrong;
}
