// SPDX-License-Identifier: MIT
// Model of completion (jobs/execute.c, jobs/dependency.c): two threads each finish a range, a third
// waits, sleeps if it has to, and then frees the set. No thread may touch the set after that, and
// the waiter must not sleep for ever.
#include "model.h"

enum planted { NONE, READS_AFTER, NO_EXCHANGE, RELAXED_COUNT };

template <planted BUG> struct completion_model : rl::test_suite<completion_model<BUG>, 3> {
    enum { PENDING = 1, WAITED = 2, AWAKE = 0, PARKED = 4 };
    rl::atomic<unsigned> left, state;
    sleep_word parked;
    rl::var<unsigned> results[2];
    rl::var<unsigned> dependents; // stands for the memory of the set

    void before() {
        left.store(2, rl::mo_relaxed, $);
        state.store(PENDING, rl::mo_relaxed, $);
        parked.value.store(AWAKE, rl::mo_relaxed, $);
        dependents($) = 5u;
        results[0]($) = 0u;
        results[1]($) = 0u;
    }

    void finish(unsigned index) {
        results[index]($) = 1u;
        if (left.fetch_sub(1, BUG == RELAXED_COUNT ? rl::mo_relaxed : rl::mo_acq_rel, $) != 1) {
            return;
        }
        if (BUG != READS_AFTER) {
            RL_ASSERT(dependents($) == 5);
        }
        unsigned old;
        if (BUG == NO_EXCHANGE) {
            old = state.load(rl::mo_acquire, $);
            state.store(0, rl::mo_release, $);
        } else {
            old = state.exchange(0, rl::mo_acq_rel, $);
        }
        if (BUG == READS_AFTER) {
            RL_ASSERT(dependents($) == 5);
        }
        if (old & WAITED) {
            unsigned expected = PARKED;
            if (parked.value.compare_exchange_strong(expected, AWAKE, rl::mo_seq_cst, $)) {
                parked.wake();
            }
        }
    }

    void wait() {
        while (state.load(rl::mo_acquire, $) != 0) {
            parked.value.store(PARKED, rl::mo_seq_cst, $);
            unsigned seen = state.load(rl::mo_acquire, $);
            while (seen != 0 && !(seen & WAITED) &&
                   !state.compare_exchange_weak(seen, seen | WAITED, rl::mo_acq_rel, $,
                                                rl::mo_acquire, $)) {
            }
            if (seen == 0) {
                unsigned expected = PARKED;
                parked.value.compare_exchange_strong(expected, AWAKE, rl::mo_seq_cst, $);
            } else {
                while (parked.value.load(rl::mo_acquire, $) == PARKED) {
                    parked.wait(PARKED);
                }
            }
        }
        RL_ASSERT(results[0]($) == 1 && results[1]($) == 1);
        dependents($) = 0u; // freed
    }

    void thread(unsigned index) {
        if (index == 2) {
            wait();
        } else {
            finish(index);
        }
    }
};

int main() {
    int wrong = 0;
    wrong += expect<completion_model<NONE>>("completion", true, 0);
    wrong += expect<completion_model<READS_AFTER>>(
        "completion, planted: reads after the last touch", false, 0);
    wrong +=
        expect<completion_model<NO_EXCHANGE>>("completion, planted: load then store", false, 0);
    wrong +=
        expect<completion_model<RELAXED_COUNT>>("completion, planted: relaxed count", false, 0);
    return wrong;
}
