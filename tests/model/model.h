// SPDX-License-Identifier: MIT
// Shared by the models: a word to sleep on, and expect(), which checks that a protocol holds in
// every interleaving, or that a planted bug is found in one.
#ifndef TLW_TESTS_MODEL_MODEL_H
#define TLW_TESTS_MODEL_MODEL_H

#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <relacy/relacy.hpp>

// tlw_wait and tlw_wake_one as platform/wait_table.c implements them: comparing and going to sleep
// are atomic under the mutex. (relacy's own futex has fences, which would hide an order that we
// lack.)
struct sleep_word {
    rl::atomic<unsigned> value;
    rl::mutex mutex;
    rl::condition_variable changed;

    void wait(unsigned expected) {
        mutex.lock($);
        if (value.load(rl::mo_relaxed, $) == expected) {
            changed.wait(mutex, $);
        }
        mutex.unlock($);
    }
    void wake() {
        mutex.lock($);
        changed.notify_all($);
        mutex.unlock($);
    }
};

// Searches all interleavings if `context_bound` is 0, otherwise those with up to that many
// preemptions.
template <typename model> bool holds(unsigned context_bound, rl::iteration_t* iterations) {
    // Not a string stream: relacy replaces operator new, which the library's streams do not expect.
    std::ostream quiet(nullptr);
    rl::test_params params;
    params.search_type = context_bound ? rl::sched_bound : rl::sched_full;
    params.context_bound = context_bound;
    params.execution_depth_limit = 4000;
    params.output_stream = &quiet;
    params.progress_stream = &quiet;
    bool result = rl::simulate<model>(params);
    *iterations = params.stop_iteration;
    return result;
}

template <typename model> int expect(const char* name, bool should_hold, unsigned context_bound) {
    rl::iteration_t iterations = 0;
    bool held = holds<model>(context_bound, &iterations);
    std::printf("%-52s %s after %llu interleavings%s\n", name, held ? "holds" : "fails",
                (unsigned long long)iterations, held == should_hold ? "" : "  <-- WRONG");
    std::fflush(stdout);
    return held == should_hold ? 0 : 1;
}

#endif
