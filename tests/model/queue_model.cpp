// SPDX-License-Identifier: MIT
// Model of one slot of jobs/queue.h: the owner pushes a set, takes items from it and reuses the
// slot for another set, while a thief takes items too. Every item must run once, and with the right
// set.
#include "model.h"

enum planted { NONE, NO_GENERATION, RELAXED_PUSH };

template <planted BUG, unsigned ITEMS>
struct queue_model : rl::test_suite<queue_model<BUG, ITEMS>, 2> {
    enum { SETS = 2 };
    rl::atomic<unsigned> cursor; // generation << 4 | left
    rl::atomic<unsigned> set;
    rl::var<unsigned> args[SETS];
    rl::var<unsigned> runs[SETS][ITEMS];
    rl::atomic<unsigned> left[SETS];

    void before() {
        cursor.store(0, rl::mo_relaxed, $);
        set.store(0, rl::mo_relaxed, $);
        for (int i = 0; i < SETS; ++i) {
            args[i]($) = 0u;
            left[i].store(ITEMS, rl::mo_relaxed, $);
            for (unsigned j = 0; j < ITEMS; ++j) {
                runs[i][j]($) = 0u;
            }
        }
    }

    void push(unsigned which) {
        unsigned old = cursor.load(rl::mo_acquire, $);
        args[which]($) = 7 + which;
        set.store(which, rl::mo_relaxed, $);
        unsigned generation = BUG == NO_GENERATION ? 0 : (old >> 4) + 1;
        cursor.store(generation << 4 | ITEMS, BUG == RELAXED_PUSH ? rl::mo_relaxed : rl::mo_seq_cst,
                     $);
    }

    // Takes and runs one item; false if there is none.
    bool take() {
        unsigned seen = cursor.load(rl::mo_acquire, $);
        while (seen & 15) {
            unsigned which = set.load(rl::mo_relaxed, $);
            if (cursor.compare_exchange_strong(seen, seen - 1, rl::mo_acq_rel, $, rl::mo_acquire,
                                               $)) {
                unsigned item = ITEMS - (seen & 15);
                RL_ASSERT(args[which]($) == 7 + which);
                RL_ASSERT(runs[which][item]($) == 0);
                runs[which][item]($) = 1u;
                if (left[which].fetch_sub(1, rl::mo_acq_rel, $) == 1) {
                    args[which]($) = 99u; // complete: the memory is the caller's again
                }
                return true;
            }
        }
        return false;
    }

    void thread(unsigned index) {
        if (index == 0) {
            for (unsigned which = 0; which < SETS; ++which) {
                push(which);
                while (take()) {
                }
            }
        } else {
            for (unsigned i = 0; i < 3 - ITEMS; ++i) {
                take();
            }
        }
    }

    void after() {
        for (int i = 0; i < SETS; ++i) {
            for (unsigned j = 0; j < ITEMS; ++j) {
                RL_ASSERT(runs[i][j]($) == 1);
            }
        }
    }
};

int main() {
    int wrong = 0;
    wrong += expect<queue_model<NONE, 1>>("queue, one item, all interleavings", true, 0);
    wrong += expect<queue_model<NONE, 2>>("queue, two items, 5 preemptions", true, 5);
    wrong += expect<queue_model<NO_GENERATION, 2>>("queue, planted: no generation", false, 5);
    wrong +=
        expect<queue_model<RELAXED_PUSH, 2>>("queue, planted: push does not release", false, 5);
    return wrong;
}
