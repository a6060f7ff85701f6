// SPDX-License-Identifier: MIT
// Mixes all features of the scheduler at random, for race detectors:
//   stress_jobs [SETS [SEED [THREADS...]]]
// SETS task sets (TLW_JOBS_STRESS_SETS or 8000 by default) are shared among runs with 2, 4, 8 and
// 16 threads, while three external threads come and go and the scheduler is shut down and started
// again with work in it. Every set counts what it ran; a watchdog aborts if there is no progress.
#include "TaskScheduler_c.h"
#include "platform/clock.h"
#include "platform/thread.h"
#include "tests/helpers.h"

#include <stdio.h>
#include <stdlib.h>

#define BATCH       24
#define GRAPH_NODES 12
#define GUESTS      3

static tlw_atomic_u64 sets_added;
static tlw_atomic_u64 items_expected, items_run;
static tlw_atomic_u64 ranges_here, ranges_elsewhere; // run by the thread that added them, by others
static tlw_atomic_u32 mistakes;
static tlw_atomic_u32 gate_closed, guests_inside, guests_must_end;

static enkiTaskScheduler* scheduler;

static uint32_t pick(uint64_t* random, uint32_t end) {
    return (uint32_t)(tlw_test_random(random) % end);
}

static void expect(uint64_t sets, uint64_t items) {
    atomic_fetch_add_explicit(&sets_added, sets, memory_order_relaxed);
    atomic_fetch_add_explicit(&items_expected, items, memory_order_relaxed);
}

static void mistake(const char* what) {
    fprintf(stderr, "stress: %s\n", what);
    atomic_fetch_add(&mistakes, 1);
}

// Written by a set's ranges without atomics, so that the race detector sees whether the scheduler
// orders these accesses.
typedef struct cargo {
    uint32_t size;
    uint32_t depth;
    uint32_t home;   // the thread that adds it
    uint32_t pauses; // per item; sometimes long enough for other threads to come and help
    uint8_t runs[64];
} cargo;

static void run_cargo(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    cargo* at = args;
    if (enkiGetThreadNum(scheduler) != thread) {
        mistake("wrong thread number");
    }
    atomic_fetch_add_explicit(thread == at->home ? &ranges_here : &ranges_elsewhere, 1,
                              memory_order_relaxed);
    for (uint32_t i = begin; i < end; ++i) {
        at->runs[i] = (uint8_t)(at->runs[i] + 1);
        for (uint32_t j = 0; j < at->pauses; ++j) {
            tlw_cpu_pause();
        }
    }
    atomic_fetch_add_explicit(&items_run, end - begin, memory_order_relaxed);
    if (at->depth > 0 && begin == 0) {
        cargo below = {
            .size = 1 + at->size / 2, .depth = at->depth - 1, .home = thread, .pauses = at->pauses};
        enkiTaskSet* child = enkiCreateTaskSet(scheduler, run_cargo);
        enkiSetPriorityTaskSet(child, (int)(at->size % 3));
        expect(1, below.size);
        enkiAddTaskSetMinRange(scheduler, child, &below, below.size, 1 + at->size % 7);
        enkiWaitForTaskSetPriority(scheduler, child, (int)(at->size % 3));
        for (uint32_t i = 0; i < below.size; ++i) {
            if (below.runs[i] != 1) {
                mistake("a child's item did not run once");
            }
        }
        enkiDeleteTaskSet(scheduler, child);
    }
}

static cargo random_cargo(uint64_t* random, uint32_t sizes) {
    cargo at = {.size = pick(random, sizes), .home = enkiGetThreadNum(scheduler)};
    at.pauses = pick(random, 4) ? 0 : pick(random, 40);
    return at;
}

static void check_cargo(cargo* at) {
    for (uint32_t i = 0; i < at->size; ++i) {
        if (at->runs[i] != 1) {
            mistake("an item did not run once");
        }
        at->runs[i] = 0;
    }
}

static void run_count(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    (void)args;
    atomic_fetch_add_explicit(&items_run, end - begin, memory_order_relaxed);
}

static void run_pinned(void* args) {
    *(uint32_t*)args += 1;
}

// ---- Patterns; any thread that has a number runs them

static void one_set(uint64_t* random) {
    cargo at = random_cargo(random, 64);
    enkiTaskSet* set = enkiCreateTaskSet(scheduler, run_cargo);
    enkiSetPriorityTaskSet(set, (int)pick(random, 3));
    at.depth = at.size ? pick(random, 3) : 0;
    expect(1, at.size);
    enkiAddTaskSetMinRange(scheduler, set, &at, at.size, pick(random, 20));
    enkiWaitForTaskSetPriority(scheduler, set, (int)pick(random, 3));
    check_cargo(&at);
    enkiDeleteTaskSet(scheduler, set);
}

static void batch(uint64_t* random) {
    cargo at[BATCH];
    enkiTaskSet* sets[BATCH];
    for (int i = 0; i < BATCH; ++i) {
        at[i] = random_cargo(random, 64);
        sets[i] = enkiCreateTaskSet(scheduler, run_cargo);
        enkiSetPriorityTaskSet(sets[i], (int)pick(random, 3));
        expect(1, at[i].size);
        enkiAddTaskSetMinRange(scheduler, sets[i], &at[i], at[i].size, 1 + pick(random, 5));
    }
    bool backwards = pick(random, 2);
    for (int i = 0; i < BATCH; ++i) {
        int j = backwards ? BATCH - 1 - i : i;
        enkiWaitForTaskSet(scheduler, sets[j]);
        check_cargo(&at[j]);
        enkiDeleteTaskSet(scheduler, sets[j]);
    }
}

static void graph(uint64_t* random) {
    cargo at[GRAPH_NODES];
    enkiTaskSet* sets[GRAPH_NODES];
    enkiDependency* edges[2 * GRAPH_NODES];
    uint32_t pinned_runs = 0, edge_count = 0;
    uint32_t pinned_thread = enkiGetThreadNum(scheduler);
    enkiPinnedTask* pinned = enkiCreatePinnedTask(scheduler, run_pinned, pinned_thread);
    enkiSetArgsPinnedTask(pinned, &pinned_runs);
    enkiCompletable* last = enkiCreateCompletable(scheduler);
    for (uint32_t i = 0; i < GRAPH_NODES; ++i) {
        at[i] = random_cargo(random, 40);
        sets[i] = enkiCreateTaskSet(scheduler, run_cargo);
        struct enkiParamsTaskSet params = {&at[i], at[i].size, 1 + pick(random, 30),
                                           (int)pick(random, 3)};
        enkiSetParamsTaskSet(sets[i], params);
        if (i > 0) {
            uint32_t before = pick(random, i);
            edges[edge_count] = enkiCreateDependency(scheduler);
            enkiSetDependency(edges[edge_count++], enkiGetCompletableFromTaskSet(sets[before]),
                              enkiGetCompletableFromTaskSet(sets[i]));
        }
        if (i + 1 == GRAPH_NODES || i == 4) {
            edges[edge_count] = enkiCreateDependency(scheduler);
            enkiSetDependency(edges[edge_count++], enkiGetCompletableFromTaskSet(sets[i]),
                              i == 4 ? enkiGetCompletableFromPinnedTask(pinned) : last);
        }
    }
    edges[edge_count] = enkiCreateDependency(scheduler);
    enkiSetDependency(edges[edge_count++], enkiGetCompletableFromPinnedTask(pinned), last);
    for (uint32_t repeat = 1; repeat <= 4; ++repeat) {
        for (uint32_t i = 0; i < GRAPH_NODES; ++i) {
            expect(1, at[i].size);
        }
        enkiAddTaskSet(scheduler, sets[0]);
        enkiWaitForCompletable(scheduler, last);
        for (uint32_t i = 0; i < GRAPH_NODES; ++i) {
            enkiWaitForTaskSet(scheduler, sets[i]);
            check_cargo(&at[i]);
        }
        if (pinned_runs != repeat) {
            mistake("a pinned task in a graph did not run once");
        }
    }
    for (uint32_t i = 0; i < edge_count; ++i) {
        enkiDeleteDependency(scheduler, edges[i]);
    }
    for (uint32_t i = 0; i < GRAPH_NODES; ++i) {
        enkiDeleteTaskSet(scheduler, sets[i]);
    }
    enkiDeletePinnedTask(scheduler, pinned);
    enkiDeleteCompletable(scheduler, last);
}

typedef struct own_end {
    enkiTaskSet* set;
    enkiCompletionAction* action;
} own_end;

static void delete_all(void* args, uint32_t thread) {
    (void)thread;
    own_end* end = args;
    enkiDeleteTaskSet(scheduler, end->set);
    enkiDeleteCompletionAction(scheduler, end->action);
    free(end);
}

// No thread waits for these sets: they delete themselves.
static void fire_and_forget(uint64_t* random) {
    own_end* end = malloc(sizeof *end);
    end->set = enkiCreateTaskSet(scheduler, run_count);
    end->action = enkiCreateCompletionAction(scheduler, NULL, delete_all);
    struct enkiParamsTaskSet params = {NULL, pick(random, 200), 1 + pick(random, 9),
                                       (int)pick(random, 3)};
    enkiSetParamsTaskSet(end->set, params);
    enkiSetParamsCompletionAction(
        end->action,
        (struct enkiParamsCompletionAction){
            .pArgsPostComplete = end, .pDependency = enkiGetCompletableFromTaskSet(end->set)});
    expect(1, params.setSize);
    enkiAddTaskSet(scheduler, end->set);
}

static void pinned_elsewhere(uint64_t* random) {
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(scheduler);
    uint32_t first = 1 + config.numExternalTaskThreads;
    uint32_t thread = first + pick(random, config.numTaskThreadsToCreate);
    uint32_t runs = 0;
    enkiPinnedTask* task = enkiCreatePinnedTask(scheduler, run_pinned, thread);
    enkiSetPriorityPinnedTask(task, (int)pick(random, 3));
    for (uint32_t i = 1; i <= 3; ++i) {
        enkiAddPinnedTaskArgs(scheduler, task, &runs);
        enkiWaitForPinnedTaskPriority(scheduler, task, (int)pick(random, 3));
        if (runs != i) {
            mistake("a pinned task did not run once");
        }
    }
    enkiDeletePinnedTask(scheduler, task);
}

static void any_pattern(uint64_t* random) {
    switch (pick(random, 10)) {
    case 0:
    case 1:
    case 2:
        one_set(random);
        break;
    case 3:
    case 4:
        batch(random);
        break;
    case 5:
        graph(random);
        break;
    case 6:
    case 7:
        for (int i = 0; i < 10; ++i) {
            fire_and_forget(random);
        }
        break;
    case 8:
        pinned_elsewhere(random);
        break;
    default:
        enkiWaitForTaskSet(scheduler, NULL);
        enkiRunPinnedTasks(scheduler);
        break;
    }
}

// ---- Threads

static void be_guest(void* user) {
    uint64_t random = (uint64_t)(uintptr_t)user;
    while (!atomic_load(&guests_must_end)) {
        atomic_fetch_add(&guests_inside, 1);
        if (!atomic_load(&gate_closed) && enkiRegisterExternalTaskThread(scheduler)) {
            for (uint32_t i = pick(&random, 6); i > 0; --i) {
                any_pattern(&random);
            }
            enkiDeRegisterExternalTaskThread(scheduler);
        }
        atomic_fetch_sub(&guests_inside, 1);
        tlw_thread_sleep_ns(pick(&random, 200000));
    }
}

static void watchdog(void* user) {
    uint64_t last = 0, since = tlw_clock_ns();
    while (!atomic_load((tlw_atomic_u32*)user)) {
        tlw_thread_sleep_ns(100000000);
        uint64_t now = atomic_load(&sets_added) + atomic_load(&items_run);
        if (now != last) {
            last = now;
            since = tlw_clock_ns();
        } else if (tlw_clock_ns() - since > 60u * 1000000000ull) {
            fprintf(stderr, "stress: nothing has moved for 60 s\n");
            abort();
        }
    }
}

static void start_scheduler(uint32_t threads) {
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(scheduler);
    config.numTaskThreadsToCreate = threads - 1;
    config.numExternalTaskThreads = 2; // fewer than there are external threads
    enkiInitTaskSchedulerWithConfig(scheduler, config);
}

static void stress(uint32_t threads, uint64_t sets, uint64_t seed) {
    uint64_t random = seed * 77 + threads, end = atomic_load(&sets_added) + sets;
    uint64_t started = tlw_clock_ns(), first = atomic_load(&sets_added);
    scheduler = enkiNewTaskScheduler();
    start_scheduler(threads);
    tlw_thread guests[GUESTS];
    atomic_store(&guests_must_end, 0);
    for (uint32_t i = 0; i < GUESTS; ++i) {
        tlw_thread_def def = tlw_default_thread_def();
        def.main = be_guest;
        def.user = (void*)(uintptr_t)(seed * 1000 + i + 1);
        if (tlw_thread_start(&guests[i], &def) != TLW_OK) {
            mistake("cannot start a thread");
        }
    }
    uint32_t restarts = 0;
    while (atomic_load(&sets_added) < end) {
        any_pattern(&random);
        uint32_t rare = pick(&random, 100);
        if (rare == 0) {
            tlw_thread_sleep_ns(pick(&random, 3000000));
        } else if (rare == 1) {
            enkiWaitForAll(scheduler);
        } else if (rare == 2) {
            // With work in it, from this thread and from external threads that have left.
            atomic_store(&gate_closed, 1);
            while (atomic_load(&guests_inside) > 0) {
                enkiWaitForTaskSet(scheduler, NULL);
                enkiRunPinnedTasks(scheduler);
            }
            for (int i = 0; i < 30; ++i) {
                fire_and_forget(&random);
            }
            if (pick(&random, 2)) {
                enkiWaitforAllAndShutdown(scheduler);
                if (atomic_load(&items_run) != atomic_load(&items_expected)) {
                    mistake("a shutdown left work behind");
                }
            }
            start_scheduler(threads);
            atomic_store(&gate_closed, 0);
            restarts += 1;
        }
    }
    atomic_store(&guests_must_end, 1);
    for (uint32_t i = 0; i < GUESTS; ++i) {
        tlw_thread_join(&guests[i]);
    }
    for (int i = 0; i < 50; ++i) {
        fire_and_forget(&random);
    }
    enkiDeleteTaskScheduler(scheduler); // with work pending
    if (atomic_load(&items_run) != atomic_load(&items_expected)) {
        mistake("items expected and run differ");
    }
    double elsewhere = (double)atomic_load(&ranges_elsewhere);
    printf("%2u threads: %llu sets, %.1f%% of ranges helped with, %u restarts, %.1f s\n", threads,
           (unsigned long long)(atomic_load(&sets_added) - first),
           100 * elsewhere / (elsewhere + (double)atomic_load(&ranges_here)), restarts,
           (double)(tlw_clock_ns() - started) * 1e-9);
    atomic_store(&ranges_here, 0);
    atomic_store(&ranges_elsewhere, 0);
    fflush(stdout);
}

int main(int argc, char** argv) {
    const char* asked = argc > 1 ? argv[1] : getenv("TLW_JOBS_STRESS_SETS");
    uint64_t sets = asked ? strtoull(asked, NULL, 10) : 8000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    static const char* const DEFAULT_THREADS[] = {"2", "4", "8", "16"};
    uint32_t runs = argc > 3 ? (uint32_t)argc - 3 : (uint32_t)TLW_COUNT_OF(DEFAULT_THREADS);
    tlw_atomic_u32 is_over = 0;
    tlw_thread dog;
    tlw_thread_def def = tlw_default_thread_def();
    def.main = watchdog;
    def.user = &is_over;
    if (tlw_thread_start(&dog, &def) != TLW_OK) {
        return 2;
    }
    for (uint32_t i = 0; i < runs; ++i) {
        const char* threads = argc > 3 ? argv[3 + i] : DEFAULT_THREADS[i];
        stress((uint32_t)atoi(threads), sets / runs, seed + i);
    }
    atomic_store(&is_over, 1);
    tlw_thread_join(&dog);
    printf("%llu sets, %llu items, %u mistakes\n", (unsigned long long)atomic_load(&sets_added),
           (unsigned long long)atomic_load(&items_run), atomic_load(&mistakes));
    return atomic_load(&mistakes) ? 1 : 0;
}
