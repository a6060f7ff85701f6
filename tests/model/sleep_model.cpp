// SPDX-License-Identifier: MIT
// Models of sleep and wake (jobs/sleep.h): one thread adds N pieces of work and waits for none; N
// workers each take one and never come back, like threads in long tasks. A lost wake-up leaves one
// asleep for ever. With one worker, which goes to sleep, every interleaving is searched. With two
// workers, one of which begins as a searcher, the model covers the hand-over between them, and the
// search is bounded.
#include "model.h"

enum planted { NONE, RELEASE_PUSH, NO_LAST_LOOK, NO_HANDOVER, LATE_ANNOUNCE };

template <planted BUG, int N> struct sleep_model : rl::test_suite<sleep_model<BUG, N>, N + 1> {
    enum { AWAKE = 0, CLAIMED = 1, PARKED = 2, SLEEPER = 1, SEARCHER = 16 };
    rl::atomic<unsigned> idle;
    rl::atomic<unsigned> work[N];
    sleep_word parked[N];
    rl::var<unsigned> payload[N];

    void before() {
        // With two workers the first one searches; the last one is awake and about to look for
        // work.
        idle.store(N > 1 ? SEARCHER : 0, rl::mo_relaxed, $);
        for (int i = 0; i < N; ++i) {
            work[i].store(0, rl::mo_relaxed, $);
            parked[i].value.store(AWAKE, rl::mo_relaxed, $);
        }
    }

    void wake_for_work() {
        unsigned now = idle.load(rl::mo_seq_cst, $);
        if (now / SEARCHER >= 1 || now % SEARCHER == 0) {
            return;
        }
        for (int i = 0; i < N; ++i) {
            unsigned expected = PARKED;
            if (parked[i].value.load(rl::mo_seq_cst, $) == PARKED &&
                parked[i].value.compare_exchange_strong(expected, CLAIMED, rl::mo_seq_cst, $)) {
                idle.fetch_add(SEARCHER - SLEEPER, rl::mo_seq_cst, $);
                parked[i].value.store(AWAKE, rl::mo_release, $);
                parked[i].wake();
                return;
            }
        }
    }

    bool is_visible() {
        bool is_there = false;
        for (int i = 0; i < N && !is_there; ++i) {
            is_there = work[i].load(rl::mo_seq_cst, $) == 1;
        }
        return is_there;
    }

    bool take(bool is_searching) {
        for (int i = 0; i < N; ++i) {
            unsigned there = 1;
            if (work[i].load(rl::mo_acquire, $) == 1 &&
                work[i].compare_exchange_strong(there, 2, rl::mo_acq_rel, $)) {
                if (is_searching) {
                    unsigned before = idle.fetch_sub(SEARCHER, rl::mo_seq_cst, $);
                    if (BUG != NO_HANDOVER && before / SEARCHER == 1 && is_visible()) {
                        wake_for_work();
                    }
                }
                RL_ASSERT(payload[i]($) == 5);
                return true;
            }
        }
        return false;
    }

    void work_as(unsigned self) {
        bool is_searching = N > 1 && self == 0;
        while (!take(is_searching)) {
            unsigned change = is_searching ? SLEEPER - SEARCHER : SLEEPER;
            if (BUG != LATE_ANNOUNCE) {
                idle.fetch_add(change, rl::mo_seq_cst, $);
                parked[self].value.store(PARKED, rl::mo_seq_cst, $);
            }
            bool is_there = BUG != NO_LAST_LOOK && is_visible();
            if (BUG == LATE_ANNOUNCE && !is_there) {
                idle.fetch_add(change, rl::mo_seq_cst, $);
                parked[self].value.store(PARKED, rl::mo_seq_cst, $);
            }
            if (is_there && BUG == LATE_ANNOUNCE) {
                continue;
            }
            unsigned expected = PARKED;
            if (is_there &&
                parked[self].value.compare_exchange_strong(expected, AWAKE, rl::mo_seq_cst, $)) {
                idle.fetch_add(SEARCHER - SLEEPER, rl::mo_seq_cst, $);
            }
            unsigned seen;
            while ((seen = parked[self].value.load(rl::mo_acquire, $)) != AWAKE) {
                parked[self].wait(seen);
            }
            is_searching = true;
        }
    }

    void add(int which) {
        payload[which]($) = 5u;
        if (BUG == RELEASE_PUSH) {
            work[which].store(1, rl::mo_release, $);
        } else {
            work[which].exchange(1, rl::mo_seq_cst, $);
        }
        wake_for_work();
    }

    void thread(unsigned index) {
        if (index == N) {
            for (int i = 0; i < N; ++i) {
                add(i);
            }
        } else {
            work_as(index);
        }
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    wrong += expect<sleep_model<NONE, 1>>("one sleeper", true, 0);
    wrong +=
        expect<sleep_model<RELEASE_PUSH, 1>>("one sleeper, planted: push only releases", false, 0);
    wrong += expect<sleep_model<NO_LAST_LOOK, 1>>("one sleeper, planted: no last look", false, 0);
    wrong += expect<sleep_model<LATE_ANNOUNCE, 1>>("one sleeper, planted: announces after looking",
                                                   false, 0);
    // All interleavings with up to this many preemptions; an unbounded search with two does not
    // end.
    unsigned bound = argc > 1 ? (unsigned)std::atoi(argv[1]) : 3;
    wrong += expect<sleep_model<NONE, 2>>("two", true, bound);
    wrong += expect<sleep_model<RELEASE_PUSH, 2>>("two, planted: push only releases", false, bound);
    wrong += expect<sleep_model<NO_LAST_LOOK, 2>>("two, planted: no last look", false, bound);
    wrong +=
        expect<sleep_model<NO_HANDOVER, 2>>("two, planted: searcher leaves silently", false, bound);
    wrong += expect<sleep_model<LATE_ANNOUNCE, 2>>("two, planted: announces after looking", false,
                                                   bound);
    return wrong;
}
