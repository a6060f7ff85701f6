// SPDX-License-Identifier: MIT
// Model of completion, on the library's own code (jobs/protocol.h): FINISHERS threads each finish a
// range as execute.c and dependency.c do, WAITERS others wait and sleep if they have to, and the
// last of them frees the set. No thread may touch the set after that, and no waiter may sleep for
// ever. With one range and one waiter every interleaving is searched, otherwise all with the number
// of preemptions that main() gives, which TLW_TEST_FULL raises by one. Further models: waiters of
// several completables, a completable that waits for others, and one that is deleted while it runs.
#include "tests/model/model.h"

#include "jobs/protocol.h"

enum planted { NONE, READS_AFTER, NO_EXCHANGE, TRUSTS_MARK };

template <planted BUG, unsigned FINISHERS, unsigned WAITERS>
struct completion_model
    : rl::test_suite<completion_model<BUG, FINISHERS, WAITERS>, FINISHERS + WAITERS> {
    tlw_atomic_u32 left, state;
    tlw_atomic_u64 idle;
    tlw_atomic_u32 parked[WAITERS];
    sleeping_place places[WAITERS];
    tlw_atomic_pointer awaited[WAITERS];
    rl::var<unsigned> results[FINISHERS];
    rl::var<unsigned> dependents;  // stands for the memory of the set
    rl::atomic<unsigned> returned; // stands for what the program does before it frees the set

    void before() {
        sleeping_places = places;
        left.store(FINISHERS, rl::mo_relaxed, $);
        state.store(TLW_STATE_PENDING, rl::mo_relaxed, $);
        idle.store(0, rl::mo_relaxed, $);
        returned.store(0, rl::mo_relaxed, $);
        dependents($) = 5u;
        for (unsigned i = 0; i < FINISHERS; ++i) {
            results[i]($) = 0u;
        }
        for (unsigned i = 0; i < WAITERS; ++i) {
            parked[i].store(TLW_AWAKE, rl::mo_relaxed, $);
            places[i].word = &parked[i];
            awaited[i].store(nullptr, rl::mo_relaxed, $);
        }
    }

    // run_slot of execute.c, complete_one of dependency.c and tlw_wake_waiters of sleep.c.
    void finish(unsigned index) {
        results[index]($) = 1u;
        if (!tlw_state_count(&left, 1)) {
            return;
        }
        if (BUG != READS_AFTER) {
            RL_ASSERT(dependents($) == 5);
        }
        unsigned bits;
        if (BUG == NO_EXCHANGE) {
            bits = state.load(rl::mo_acquire, $);
            state.store(0, rl::mo_release, $);
        } else {
            bits = tlw_state_complete(&state);
        }
        if (BUG == READS_AFTER) {
            RL_ASSERT(dependents($) == 5);
        }
        for (unsigned i = 0; i < WAITERS && (bits & TLW_STATE_WAITED); ++i) {
            tlw_parked_claim_waiter(&parked[i], &awaited[i], &idle, &state);
        }
    }

    // TRUSTS_MARK: if another waiter has marked the set, nothing orders this waiter's announcement
    // before the finisher's look at it.
    bool mark() {
        if (BUG == TRUSTS_MARK && (state.load(rl::mo_acquire, $) & TLW_STATE_WAITED)) {
            return true;
        }
        return tlw_state_mark_waited(&state);
    }

    // park_in_wait of execute.c.
    void park(unsigned self) {
        const uint32_t kind = TLW_PARK_WAIT;
        tlw_atomic_u32* word = &parked[self];
        awaited[self].store(&state, rl::mo_relaxed, $);
        tlw_parked_announce(word, &idle, tlw_idle_change_on_park(kind), kind);
        if (mark()) {
            tlw_parked_sleep(word, &idle, kind, TLW_WAIT_FOREVER);
        } else {
            tlw_parked_cancel(word, &idle, kind);
        }
        awaited[self].store(nullptr, rl::mo_relaxed, $);
    }

    // tlw_wait_for of execute.c.
    void wait(unsigned self) {
        while (!tlw_state_is_complete(&state)) {
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

// Each of FINISHERS threads completes a completable; each of WAITERS waits for all of them, in an
// order of its own, and so sleeps for one after the other.
template <unsigned FINISHERS, unsigned WAITERS>
struct several_model : rl::test_suite<several_model<FINISHERS, WAITERS>, FINISHERS + WAITERS> {
    tlw_atomic_u32 states[FINISHERS];
    rl::var<unsigned> results[FINISHERS];
    tlw_atomic_u64 idle;
    tlw_atomic_u32 parked[WAITERS];
    sleeping_place places[WAITERS];
    tlw_atomic_pointer awaited[WAITERS];

    void before() {
        sleeping_places = places;
        idle.store(0, rl::mo_relaxed, $);
        for (unsigned i = 0; i < FINISHERS; ++i) {
            states[i].store(TLW_STATE_PENDING, rl::mo_relaxed, $);
            results[i]($) = 0u;
        }
        for (unsigned i = 0; i < WAITERS; ++i) {
            parked[i].store(TLW_AWAKE, rl::mo_relaxed, $);
            places[i].word = &parked[i];
            awaited[i].store(nullptr, rl::mo_relaxed, $);
        }
    }

    void finish(unsigned which) {
        results[which]($) = 1u;
        const uint32_t bits = tlw_state_complete(&states[which]);
        for (unsigned i = 0; i < WAITERS && (bits & TLW_STATE_WAITED); ++i) {
            tlw_parked_claim_waiter(&parked[i], &awaited[i], &idle, &states[which]);
        }
    }

    void wait(unsigned self) {
        for (unsigned i = 0; i < FINISHERS; ++i) {
            const unsigned which = (self + i) % FINISHERS;
            while (!tlw_state_is_complete(&states[which])) {
                awaited[self].store(&states[which], rl::mo_relaxed, $);
                tlw_parked_announce(&parked[self], &idle, TLW_IDLE_WAITER, TLW_PARK_WAIT);
                if (tlw_state_mark_waited(&states[which])) {
                    tlw_parked_sleep(&parked[self], &idle, TLW_PARK_WAIT, TLW_WAIT_FOREVER);
                } else {
                    tlw_parked_cancel(&parked[self], &idle, TLW_PARK_WAIT);
                }
                awaited[self].store(nullptr, rl::mo_relaxed, $);
            }
            RL_ASSERT(results[which]($) == 1);
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

// COUNT threads complete what one completable waits for. Exactly one of them starts it, when all
// the others have done their part.
template <unsigned COUNT>
struct requirements_model : rl::test_suite<requirements_model<COUNT>, COUNT> {
    tlw_atomic_u32 met;
    rl::var<unsigned> results[COUNT];
    rl::var<unsigned> starts;

    void before() {
        met.store(0, rl::mo_relaxed, $);
        starts($) = 0u;
        for (auto& result : results) {
            result($) = 0u;
        }
    }
    void thread(unsigned index) {
        results[index]($) = 1u;
        if (tlw_requirement_is_last(&met, COUNT)) {
            for (auto& result : results) {
                RL_ASSERT(result($) == 1);
            }
            starts($) = starts($) + 1;
        }
    }
    void after() { RL_ASSERT(starts($) == 1); }
};

// Thread 1 deletes, by mistake, what thread 0 completes (tlw_completable_retire and complete_one of
// dependency.c). Exactly one of the two frees it, and nobody touches it after that.
struct deletion_model : rl::test_suite<deletion_model, 2> {
    tlw_atomic_u32 state;
    rl::var<unsigned> memory;
    unsigned frees;

    void before() {
        state.store(TLW_STATE_PENDING, rl::mo_relaxed, $);
        memory($) = 1u;
        frees = 0;
    }
    void give_back() {
        memory($) = 0u;
        frees += 1;
    }
    void thread(unsigned index) {
        if (index == 0) {
            RL_ASSERT(memory($) == 1);
            if (tlw_state_complete(&state) & TLW_STATE_DOOMED) {
                give_back();
            }
        } else {
            RL_ASSERT(memory($) == 1); // reads its kind to see that it may be deleted at all
            if (!tlw_state_doom(&state)) {
                give_back();
            }
        }
    }
    void after() { RL_ASSERT(frees == 1); }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 1 : 0;
    wrong += expect<completion_model<NONE, 1, 1>>("completion", true, 0);
    wrong += expect<completion_model<NONE, 2, 1>>("two ranges", true, 4 + more);
    wrong += expect<completion_model<NONE, 1, 2>>("two waiters", true, 2 + more);
    wrong += expect<completion_model<NONE, 2, 2>>("two ranges, two waiters", true, 2 + more);
    wrong += expect<completion_model<NONE, 1, 3>>("three waiters", true, 1 + more);
    wrong += expect<several_model<2, 1>>("one waiter of two completables", true, 3 + more);
    wrong += expect<several_model<2, 2>>("two waiters of two completables", true, 2 + more);
    wrong += expect<several_model<2, 3>>("three waiters of two completables", true, 1 + more);
    if (is_full()) {
        wrong += expect<several_model<3, 2>>("two waiters of three completables", true, 2);
    }
    wrong += expect<requirements_model<3>>("three requirements, all interleavings", true, 0);
    wrong += expect<deletion_model>("deleted while it runs, all interleavings", true, 0);
    wrong += expect<completion_model<READS_AFTER, 2, 1>>("planted: reads after the last touch",
                                                         false, 4);
    wrong += expect<completion_model<NO_EXCHANGE, 2, 1>>("planted: load then store", false, 4);
    wrong += expect<completion_model<TRUSTS_MARK, 1, 2>>(
        "two waiters, planted: trusts the other's mark", false, 2);
    wrong += expect<completion_model<TRUSTS_MARK, 1, 3>>(
        "three waiters, planted: trusts another's mark", false, 1);
    wrong += check_orders("completion", shows_all(argc, argv),
                          {search<requirements_model<3>, 2>, search<deletion_model, 2>,
                           search<completion_model<NONE, 2, 1>, 3>,
                           search<completion_model<NONE, 1, 2>, 2>});
    return wrong;
}
