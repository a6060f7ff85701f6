// SPDX-License-Identifier: MIT
// Models of what has one owner at a time, on the library's own code (jobs/protocol.h): a thread
// number with its pipe, which external threads take and leave, an entry of a pool of tasks, and the
// set of cores of an idle worker. No two threads may have it at once, and each must find what the
// last owner left. And of flags that programs ask for.
#include "tests/model/searched_scheduler.h"

enum planted { NONE, TAKES_BLINDLY, LEAVES_WHILE_MOVED };

// EXTERNALS external threads take one number in turn; each that gets it adds a set with what the
// pipe holds, waits for it, and leaves. The worker, if there is one, takes sets too.
template <planted BUG, unsigned EXTERNALS, unsigned WORKERS>
struct number_model : rl::test_suite<number_model<BUG, EXTERNALS, WORKERS>, EXTERNALS + WORKERS> {
    enum { NUMBERS = 1 + WORKERS };
    searched_scheduler<NUMBERS> searched;
    searched_set sets[EXTERNALS];
    rl::var<unsigned> own; // stands for all that only the owner of the number touches
    int who[EXTERNALS];

    void before() {
        searched.begin(1);
        own($) = 0u;
        for (searched_set& set : sets) {
            reset(&set.base);
            set.args($) = 0u;
            set.runs($) = 0u;
        }
    }

    void be_external(unsigned index) {
        tlw_job_thread* thread = &searched.threads[0];
        if (!tlw_owner_take(&thread->owner, &who[index]) && BUG != TAKES_BLINDLY) {
            return;
        }
        own($) = own($) + 1;
        searched_set* set = &sets[index];
        set->args($) = 5u;
        searched.add(thread, set);
        while (!tlw_is_complete(&set->base)) {
            if (!searched.run_one(thread)) {
                tlw_park_in_wait(thread, &set->base, 0);
            }
        }
        RL_ASSERT(set->runs($) == 1);
        own($) = own($) + 1;
        tlw_owner_leave(&thread->owner);
    }

    void thread(unsigned index) {
        if (index < EXTERNALS) {
            be_external(index);
        } else {
            (void)searched.run_one(&searched.threads[1 + index - EXTERNALS]);
        }
    }
};

// Three threads use a pool with one free entry.
struct pool_model : rl::test_suite<pool_model, 3> {
    tlw_atomic_u64 taken;
    rl::var<unsigned> entry;

    void before() {
        taken.store(~(uint64_t)2, rl::mo_relaxed, $);
        entry($) = 0u;
    }
    void thread(unsigned) {
        const uint64_t bit = tlw_pool_take(&taken);
        RL_ASSERT(bit == 0 || bit == 2);
        if (bit) {
            entry($) = entry($) + 1;
            tlw_pool_give(&taken, bit);
        }
    }
};

// A worker becomes idle on a core and busy again, twice; MOVERS other threads move it off that core
// if they find it idle there (sleep.c). What a move reads and writes belongs to the worker while it
// is not idle, and to one mover while that moves it.
template <planted BUG, unsigned MOVERS>
struct core_model : rl::test_suite<core_model<BUG, MOVERS>, MOVERS + 1> {
    enum { HERE = 1 };
    tlw_atomic_u32 core;
    rl::var<unsigned> cores_set;

    void before() {
        core.store(TLW_ANY_CORE, rl::mo_relaxed, $);
        cores_set($) = 0u;
    }
    void withdraw() { // withdraw_core
        uint32_t seen = tlw_core_after_move(&core);
        while (seen != TLW_ANY_CORE && seen != TLW_CORE_IS_NOT_OURS) {
            if (seen == TLW_CORE_BEING_CHANGED && BUG != LEAVES_WHILE_MOVED) {
                rl::yield(1, $);
            } else if (tlw_core_withdraw(&core, seen)) {
                return;
            }
            seen = tlw_core_after_move(&core);
        }
    }
    void thread(unsigned index) {
        if (index == 0) {
            for (unsigned i = 0; i < 2; ++i) {
                cores_set($) = cores_set($) + 1; // a task that chooses the thread's cores
                tlw_core_announce(&core, HERE);
                withdraw();
            }
            cores_set($) = cores_set($) + 1;
        } else if (core.load(rl::mo_relaxed, $) == HERE && tlw_core_begin_move(&core, HERE)) {
            cores_set($) = cores_set($) + 1;
            tlw_core_end_move(&core, TLW_ANY_CORE);
        }
    }
};

// A program sees that a flag is raised; what the thread that raised it did before must be there.
struct flag_model : rl::test_suite<flag_model, 2> {
    tlw_atomic_u32 flag;
    rl::var<unsigned> written;

    void before() {
        flag.store(0, rl::mo_relaxed, $);
        written($) = 0u;
    }
    void thread(unsigned index) {
        if (index == 0) {
            written($) = 1u;
            tlw_flag_raise(&flag);
        } else if (tlw_flag_is_raised(&flag)) {
            RL_ASSERT(written($) == 1);
        }
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 1 : 0;
    wrong += expect<number_model<NONE, 2, 0>>("two external threads, one number", true, 4 + more);
    wrong += expect<number_model<NONE, 2, 1>>("the same with a worker", true, 2 + more);
    wrong += expect<number_model<NONE, 3, 0>>("three external threads", true, 2 + more);
    wrong += expect<pool_model>("pool, all interleavings", true, 0);
    wrong += expect<core_model<NONE, 1>>("worker and mover, all interleavings", true, 0);
    wrong += expect<core_model<NONE, 2>>("worker and two movers", true, 4 + more);
    wrong +=
        expect<core_model<LEAVES_WHILE_MOVED, 1>>("planted: leaves while it is moved", false, 3);
    wrong += expect<flag_model>("flag, all interleavings", true, 0);
    wrong += expect<number_model<TAKES_BLINDLY, 2, 0>>("planted: takes a number blindly", false, 3);
    wrong += check_orders("owner", shows_all(argc, argv),
                          {search<number_model<NONE, 2, 0>, 2>, search<pool_model, 2>,
                           search<flag_model, 2>, search<core_model<NONE, 2>, 3>});
    return wrong;
}
