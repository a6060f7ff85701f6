// SPDX-License-Identifier: MIT
// Model of completion (jobs/execute.c, jobs/dependency.c): FINISHERS threads each finish a range,
// WAITERS others wait and sleep if they have to, and the last of them frees the set. No thread may
// touch the set after that, and no waiter may sleep for ever. With one range and one waiter every
// interleaving is searched, otherwise all with the number of preemptions that main() gives, which
// TLW_TEST_FULL raises by one.
#include "model.h"

enum planted { NONE, READS_AFTER, NO_EXCHANGE, RELAXED_COUNT, TRUSTS_MARK };

template <planted BUG, unsigned FINISHERS, unsigned WAITERS>
struct completion_model
    : rl::test_suite<completion_model<BUG, FINISHERS, WAITERS>, FINISHERS + WAITERS> {
    enum { PENDING = 1, WAITED = 2, AWAKE = 0, CLAIMED = 1, PARKED = 4 };
    rl::atomic<unsigned> left, state;
    sleep_word parked[WAITERS];
    rl::atomic<unsigned> awaited[WAITERS]; // 1: the set
    rl::var<unsigned> results[FINISHERS];
    rl::var<unsigned> dependents;  // stands for the memory of the set
    rl::atomic<unsigned> returned; // stands for what the program does before it frees the set

    void before() {
        left.store(FINISHERS, rl::mo_relaxed, $);
        state.store(PENDING, rl::mo_relaxed, $);
        returned.store(0, rl::mo_relaxed, $);
        dependents($) = 5u;
        for (unsigned i = 0; i < FINISHERS; ++i) {
            results[i]($) = 0u;
        }
        for (unsigned i = 0; i < WAITERS; ++i) {
            parked[i].value.store(AWAKE, rl::mo_relaxed, $);
            awaited[i].store(0, rl::mo_relaxed, $);
        }
    }

    void wake_waiters() {
        for (unsigned i = 0; i < WAITERS; ++i) {
            if (awaited[i].load(rl::mo_relaxed, $) == 0 ||
                parked[i].value.load(rl::mo_relaxed, $) != PARKED) {
                continue;
            }
            unsigned expected = PARKED;
            if (parked[i].value.compare_exchange_strong(expected, CLAIMED, rl::mo_seq_cst, $)) {
                parked[i].value.store(AWAKE, rl::mo_release, $);
                parked[i].wake();
            }
        }
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
            wake_waiters();
        }
    }

    void park(unsigned self) {
        // TRUSTS_MARK: if another waiter has marked the set, nothing orders this waiter's
        // announcement before the finisher's look at it.
        awaited[self].store(1, rl::mo_relaxed, $);
        parked[self].value.store(PARKED, rl::mo_seq_cst, $);
        unsigned seen = state.load(rl::mo_acquire, $);
        while (seen != 0 && !(BUG == TRUSTS_MARK && (seen & WAITED)) &&
               !state.compare_exchange_weak(seen, seen | WAITED, rl::mo_acq_rel, $, rl::mo_acquire,
                                            $)) {
        }
        unsigned expected = PARKED;
        if (seen != 0 ||
            !parked[self].value.compare_exchange_strong(expected, AWAKE, rl::mo_seq_cst, $)) {
            while ((seen = parked[self].value.load(rl::mo_acquire, $)) != AWAKE) {
                parked[self].wait(seen);
            }
        }
        awaited[self].store(0, rl::mo_relaxed, $);
    }

    void wait(unsigned self) {
        while (state.load(rl::mo_acquire, $) != 0) {
            park(self);
        }
        for (unsigned i = 0; i < FINISHERS; ++i) {
            RL_ASSERT(results[i]($) == 1);
        }
        if (returned.fetch_add(1, rl::mo_acq_rel, $) == WAITERS - 1) {
            dependents($) = 0u; // freed
        }
    }

    void thread(unsigned index) {
        if (index < FINISHERS) {
            finish(index);
        } else {
            wait(index - FINISHERS);
        }
    }
};

int main() {
    int wrong = 0;
    const unsigned more = std::getenv("TLW_TEST_FULL") ? 1 : 0;
    wrong += expect<completion_model<NONE, 1, 1>>("completion", true, 0);
    wrong += expect<completion_model<NONE, 2, 1>>("two ranges", true, 5 + more);
    wrong += expect<completion_model<NONE, 1, 2>>("two waiters", true, 2 + more);
    wrong += expect<completion_model<NONE, 2, 2>>("two ranges, two waiters", true, 2 + more);
    wrong += expect<completion_model<NONE, 1, 3>>("three waiters", true, 1 + more);
    wrong += expect<completion_model<READS_AFTER, 2, 1>>("planted: reads after the last touch",
                                                         false, 5);
    wrong += expect<completion_model<NO_EXCHANGE, 2, 1>>("planted: load then store", false, 5);
    wrong += expect<completion_model<RELAXED_COUNT, 2, 1>>("planted: relaxed count", false, 5);
    wrong += expect<completion_model<TRUSTS_MARK, 1, 2>>(
        "two waiters, planted: trusts the other's mark", false, 2);
    wrong += expect<completion_model<TRUSTS_MARK, 1, 3>>(
        "three waiters, planted: trusts another's mark", false, 1);
    return wrong;
}
