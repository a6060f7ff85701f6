// SPDX-License-Identifier: MIT
// Model of completion, on the library's own code (jobs/protocol.h): FINISHERS threads each finish a
// range as execute.c and dependency.c do, WAITERS others wait and sleep if they have to, and the
// last of them frees the set. No thread may touch the set after that, and no waiter may sleep for
// ever. With one range and one waiter every interleaving is searched, otherwise all with the number
// of preemptions that main() gives, which TLW_TEST_FULL raises by one.
#include "jobs/protocol.h"

#include <cstring>

enum planted { NONE, READS_AFTER, NO_EXCHANGE, TRUSTS_MARK };

template <planted BUG, unsigned FINISHERS, unsigned WAITERS>
struct completion_model
    : rl::test_suite<completion_model<BUG, FINISHERS, WAITERS>, FINISHERS + WAITERS> {
    tlw_atomic_u32 left, state;
    tlw_atomic_u64 idle;
    sleep_word parked[WAITERS];
    tlw_atomic_pointer awaited[WAITERS];
    rl::var<unsigned> results[FINISHERS];
    rl::var<unsigned> dependents;  // stands for the memory of the set
    rl::atomic<unsigned> returned; // stands for what the program does before it frees the set

    void before() {
        left.store(FINISHERS, rl::mo_relaxed, $);
        state.store(TLW_STATE_PENDING, rl::mo_relaxed, $);
        idle.store(0, rl::mo_relaxed, $);
        returned.store(0, rl::mo_relaxed, $);
        dependents($) = 5u;
        for (unsigned i = 0; i < FINISHERS; ++i) {
            results[i]($) = 0u;
        }
        for (unsigned i = 0; i < WAITERS; ++i) {
            parked[i].value.store(TLW_AWAKE, rl::mo_relaxed, $);
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
            tlw_parked_claim_waiter(&parked[i].value, &awaited[i], &idle, &state);
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
        tlw_atomic_u32* word = &parked[self].value;
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

static bool is_noticed(int line, rl::memory_order order) {
    searched::weak_line = line;
    searched::weak_order = order;
    rl::iteration_t iterations;
    const bool holds_all = holds<completion_model<NONE, 2, 1>>(3, &iterations) &&
                           holds<completion_model<NONE, 1, 2>>(2, &iterations);
    searched::weak_line = 0;
    return !holds_all;
}

// Weakens the memory orders of the completable's words one at a time: the model must notice. Those
// of parking are left out, because completion does not rely on them; other protocols do (sleep.h, 1
// to 3).
static int weaken_each_order() {
    int wrong = 0;
    for (int line = 0; line < searched::LINES; ++line) {
        const rl::memory_order written = searched::order_at[line];
        if (!searched::is_used[line] || written == rl::mo_relaxed ||
            std::strncmp(searched::function_at[line], "tlw_state_", 10) != 0) {
            continue;
        }
        const rl::memory_order weaker[] = {rl::mo_relaxed, rl::mo_acquire, rl::mo_release};
        const char* names[] = {"relaxed", "acquire", "release"};
        for (int i = 0; i < (written == rl::mo_acq_rel ? 3 : 1); ++i) {
            const bool noticed = is_noticed(line, weaker[i]);
            std::printf("%s only %-30s %s\n", names[i], searched::function_at[line],
                        noticed ? "fails" : "holds  <-- WRONG");
            wrong += !noticed;
        }
    }
    return wrong;
}

int main() {
    int wrong = 0;
    const unsigned more = std::getenv("TLW_TEST_FULL") ? 1 : 0;
    wrong += expect<completion_model<NONE, 1, 1>>("completion", true, 0);
    wrong += expect<completion_model<NONE, 2, 1>>("two ranges", true, 4 + more);
    wrong += expect<completion_model<NONE, 1, 2>>("two waiters", true, 2 + more);
    wrong += expect<completion_model<NONE, 2, 2>>("two ranges, two waiters", true, 2 + more);
    wrong += expect<completion_model<NONE, 1, 3>>("three waiters", true, 1 + more);
    wrong += expect<completion_model<READS_AFTER, 2, 1>>("planted: reads after the last touch",
                                                         false, 4);
    wrong += expect<completion_model<NO_EXCHANGE, 2, 1>>("planted: load then store", false, 4);
    wrong += expect<completion_model<TRUSTS_MARK, 1, 2>>(
        "two waiters, planted: trusts the other's mark", false, 2);
    wrong += expect<completion_model<TRUSTS_MARK, 1, 3>>(
        "three waiters, planted: trusts another's mark", false, 1);
    return wrong + weaken_each_order();
}
