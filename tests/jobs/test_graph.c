// SPDX-License-Identifier: MIT
// Dependencies, plain completables and completion actions: graphs that are built once and run many
// times must run in order every time.
#include "tests/jobs/jobs_fixture.h"

#include <stdlib.h>

static tlw_atomic_u32 clock_now;

typedef struct node {
    tlw_atomic_u32 first, last, items;
} node;

static void run_node(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    node* at = args;
    uint32_t now = atomic_fetch_add(&clock_now, 1);
    uint32_t none = UINT32_MAX;
    (void)atomic_compare_exchange_strong(&at->first, &none, now);
    atomic_fetch_add(&at->items, end - begin);
    now = atomic_fetch_add(&clock_now, 1);
    uint32_t last = atomic_load(&at->last);
    while (last < now && !atomic_compare_exchange_weak(&at->last, &last, now)) {
    }
}

enum { LEVELS = 6, WIDTH = 7, NODES = LEVELS * WIDTH };

// Every node of a level depends on all of the level before.
JOBS_TEST(layered_graph_runs_in_order_every_time) {
    for (uint32_t threads = 1; threads <= 4; ++threads) {
        enkiTaskScheduler* s = new_scheduler(threads);
        static node nodes[NODES];
        enkiTaskSet* sets[NODES];
        enkiDependency* edges[(LEVELS - 1) * WIDTH * WIDTH];
        uint32_t edge_count = 0;
        for (uint32_t i = 0; i < NODES; ++i) {
            sets[i] = enkiCreateTaskSet(s, run_node);
            // Also sizes 0 and 1: nothing to run, and a single range.
            enkiSetParamsTaskSet(
                sets[i], (struct enkiParamsTaskSet){&nodes[i], i % 4 * (i % 9), 1, (int)(i % 3)});
        }
        for (uint32_t i = WIDTH; i < NODES; ++i) {
            for (uint32_t j = 0; j < WIDTH; ++j) {
                edges[edge_count] = enkiCreateDependency(s);
                enkiSetDependency(edges[edge_count++],
                                  enkiGetCompletableFromTaskSet(sets[(i / WIDTH - 1) * WIDTH + j]),
                                  enkiGetCompletableFromTaskSet(sets[i]));
            }
        }
        for (int repeat = 0; repeat < 200; ++repeat) {
            for (uint32_t i = 0; i < NODES; ++i) {
                atomic_store(&nodes[i].first, UINT32_MAX);
                atomic_store(&nodes[i].last, 0);
                atomic_store(&nodes[i].items, 0);
            }
            atomic_store(&clock_now, 1);
            for (uint32_t i = 0; i < WIDTH; ++i) {
                enkiAddTaskSet(s, sets[i]);
            }
            for (uint32_t i = 0; i < WIDTH; ++i) {
                enkiWaitForTaskSet(s, sets[NODES - 1 - i]);
            }
            uint32_t level_end = 0;
            for (uint32_t level = 0; level < LEVELS; ++level) {
                uint32_t start = UINT32_MAX, end = level_end;
                for (uint32_t i = level * WIDTH; i < (level + 1) * WIDTH; ++i) {
                    CHECK_EQ(atomic_load(&nodes[i].items), i % 4 * (i % 9));
                    CHECK(enkiIsTaskSetComplete(s, sets[i]));
                    if (atomic_load(&nodes[i].items)) {
                        start = start < nodes[i].first ? start : nodes[i].first;
                        end = end > nodes[i].last ? end : nodes[i].last;
                    }
                }
                CHECK_LE(level_end, start);
                level_end = end;
            }
        }
        for (uint32_t i = 0; i < edge_count; ++i) {
            enkiDeleteDependency(s, edges[i]);
        }
        for (uint32_t i = 0; i < NODES; ++i) {
            enkiDeleteTaskSet(s, sets[i]);
        }
        enkiDeleteTaskScheduler(s);
    }
}

// The scheduler runs long chains by a loop, not by recursion.
JOBS_TEST(long_chains_do_not_overflow_the_stack) {
    enum { LENGTH = 100000 };
    enkiTaskScheduler* s = new_scheduler(2);
    tlw_atomic_u32 ran = 0;
    enkiCompletable** links = malloc(LENGTH * sizeof *links);
    enkiTaskSet** sets = calloc(LENGTH, sizeof *sets);
    enkiDependency** edges = malloc(LENGTH * sizeof *edges);
    uint32_t set_count = 0;
    for (uint32_t i = 0; i < LENGTH; ++i) {
        // Stretches of sets with one range, with several, with none, and of plain completables.
        if (i % 1000 < 500 || i == 0) {
            sets[i] = enkiCreateTaskSet(s, count_range);
            uint32_t size = i % 1000 < 100 ? 4 : i % 1000 < 300 ? 0 : 1;
            size = i == 0 ? 1 : size;
            enkiSetParamsTaskSet(sets[i], (struct enkiParamsTaskSet){&ran, size, 1, 0});
            links[i] = enkiGetCompletableFromTaskSet(sets[i]);
            set_count += size;
        } else {
            links[i] = enkiCreateCompletable(s);
        }
        if (i > 0) {
            edges[i] = enkiCreateDependency(s);
            enkiSetDependency(edges[i], links[i - 1], links[i]);
        }
    }
    for (int repeat = 0; repeat < 3; ++repeat) {
        atomic_store(&ran, 0);
        enkiAddTaskSet(s, sets[0]);
        enkiWaitForCompletable(s, links[LENGTH - 1]);
        CHECK_EQ(atomic_load(&ran), set_count);
    }
    for (uint32_t i = 1; i < LENGTH; ++i) {
        enkiDeleteDependency(s, edges[i]);
    }
    for (uint32_t i = 0; i < LENGTH; ++i) {
        if (sets[i]) {
            enkiDeleteTaskSet(s, sets[i]);
        } else {
            enkiDeleteCompletable(s, links[i]);
        }
    }
    free(links);
    free(sets);
    free(edges);
    enkiDeleteTaskScheduler(s);
}

typedef struct held_thread {
    tlw_atomic_u32 is_held, may_go;
} held_thread;

static void hold_thread(void* args) {
    held_thread* held = args;
    atomic_store(&held->is_held, 1);
    while (!atomic_load(&held->may_go)) {
        tlw_thread_sleep_ns(100000);
    }
}

JOBS_TEST(chain_after_a_full_pipe_does_not_recurse) {
    enum { FILL = 256, LENGTH = 100000 };
    enkiTaskScheduler* s = new_scheduler(2);
    tlw_atomic_u32 ran = 0;
    // The other thread is kept busy, so that the pipe stays full.
    held_thread held = {.is_held = 0};
    enkiPinnedTask* hold = enkiCreatePinnedTask(s, hold_thread, 1);
    enkiAddPinnedTaskArgs(s, hold, &held);
    CHECK(becomes(&held.is_held, 1));
    static enkiTaskSet *fill[FILL], *chain[LENGTH];
    static enkiDependency* edges[LENGTH];
    for (int i = 0; i < FILL; ++i) {
        fill[i] = enkiCreateTaskSet(s, count_range);
        enkiSetPriorityTaskSet(fill[i], 2);
        enkiAddTaskSetArgs(s, fill[i], &ran, 2);
    }
    for (int i = 0; i < LENGTH; ++i) {
        chain[i] = enkiCreateTaskSet(s, count_range);
        enkiSetParamsTaskSet(chain[i], (struct enkiParamsTaskSet){&ran, 64, 1, 2});
        if (i > 0) {
            edges[i] = enkiCreateDependency(s);
            enkiSetDependency(edges[i], enkiGetCompletableFromTaskSet(chain[i - 1]),
                              enkiGetCompletableFromTaskSet(chain[i]));
        }
    }
    enkiAddTaskSet(s, chain[0]);
    CHECK_EQ(atomic_load(&ran), 64u * LENGTH); // ran where it was added
    atomic_store(&held.may_go, 1);
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&ran), 2u * FILL + 64u * LENGTH);
    enkiDeletePinnedTask(s, hold);
    for (int i = 0; i < FILL; ++i) {
        enkiDeleteTaskSet(s, fill[i]);
    }
    for (int i = 0; i < LENGTH; ++i) {
        enkiDeleteDependency(s, edges[i]);
        enkiDeleteTaskSet(s, chain[i]);
    }
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(dependencies_can_be_moved_and_ends_deleted_in_any_order) {
    counting_allocator counts = {.bytes = 0};
    enkiTaskScheduler* s = new_counting_scheduler(&counts, 2);
    tlw_atomic_u32 a_ran = 0, b_ran = 0, c_ran = 0;
    enkiTaskSet* a = enkiCreateTaskSet(s, count_range);
    enkiTaskSet* b = enkiCreateTaskSet(s, count_range);
    enkiTaskSet* c = enkiCreateTaskSet(s, count_range);
    enkiSetArgsTaskSet(a, &a_ran);
    enkiSetArgsTaskSet(b, &b_ran);
    enkiSetArgsTaskSet(c, &c_ran);
    enkiCompletable* ca = enkiGetCompletableFromTaskSet(a);
    enkiCompletable* cb = enkiGetCompletableFromTaskSet(b);
    enkiCompletable* cc = enkiGetCompletableFromTaskSet(c);
    enkiDependency* d[3] = {enkiCreateDependency(s), enkiCreateDependency(s),
                            enkiCreateDependency(s)};
    enkiSetDependency(d[0], ca, cb);
    enkiSetDependency(d[1], ca, cc);
    enkiSetDependency(d[2], cb, cc);
    enkiAddTaskSet(s, a);
    enkiWaitForCompletablePriority(s, cc, 2);
    CHECK(atomic_load(&a_ran) == 1 && atomic_load(&b_ran) == 1 && atomic_load(&c_ran) == 1);
    enkiSetDependency(d[0], cb, ca); // now b -> a -> c, b -> c
    enkiAddTaskSet(s, b);
    enkiWaitForTaskSet(s, c);
    CHECK(atomic_load(&a_ran) == 2 && atomic_load(&b_ran) == 2 && atomic_load(&c_ran) == 2);
    enkiDeleteTaskSet(s, b); // c then depends on a alone
    enkiAddTaskSet(s, a);
    enkiWaitForTaskSet(s, c);
    CHECK(atomic_load(&a_ran) == 3 && atomic_load(&c_ran) == 3);
    enkiDeleteTaskSet(s, c); // a is alone
    enkiAddTaskSet(s, a);
    enkiWaitForTaskSet(s, a);
    enkiDeleteTaskSet(s, a);
    for (int i = 0; i < 3; ++i) {
        enkiDeleteDependency(s, d[i]);
    }
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
}

typedef struct action_log {
    tlw_atomic_u32 pre, post, dependents;
    tlw_atomic_u32 dependents_at_pre;
    enkiTaskSet* dependent;
    tlw_atomic_u32 next_args;
} action_log;

static void before_complete(void* args, uint32_t thread) {
    (void)thread;
    action_log* log = args;
    atomic_fetch_add(&log->pre, 1);
    atomic_store(&log->dependents_at_pre, atomic_load(&log->dependents));
    // The first function may change what will run.
    enkiSetSetSizeTaskSet(log->dependent, atomic_load(&log->pre));
}

static void after_complete(void* args, uint32_t thread) {
    (void)thread;
    atomic_fetch_add(&((action_log*)args)->post, 1);
}

JOBS_TEST(completion_actions_run_before_and_after) {
    for (uint32_t threads = 1; threads <= 3; ++threads) {
        enkiTaskScheduler* s = new_scheduler(threads);
        action_log log = {.pre = 0};
        tlw_atomic_u32 ran = 0;
        enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
        enkiSetParamsTaskSet(set, (struct enkiParamsTaskSet){&ran, 50, 1, 0});
        log.dependent = enkiCreateTaskSet(s, count_range);
        enkiSetArgsTaskSet(log.dependent, &log.dependents);
        enkiCompletionAction* action =
            enkiCreateCompletionAction(s, before_complete, after_complete);
        struct enkiParamsCompletionAction params = enkiGetParamsCompletionAction(action);
        CHECK(!params.pArgsPreComplete && !params.pArgsPostComplete && !params.pDependency);
        params.pArgsPreComplete = &log;
        params.pArgsPostComplete = &log;
        params.pDependency = enkiGetCompletableFromTaskSet(set);
        enkiSetParamsCompletionAction(action, params);
        params = enkiGetParamsCompletionAction(action);
        CHECK(params.pDependency == enkiGetCompletableFromTaskSet(set));
        CHECK(params.pArgsPreComplete == &log && params.pArgsPostComplete == &log);
        enkiCompletionAction* empty = enkiCreateCompletionAction(s, NULL, NULL);
        params.pDependency = enkiGetCompletableFromCompletionAction(action);
        enkiSetParamsCompletionAction(empty, params);
        enkiDependency* d = enkiCreateDependency(s);
        enkiSetDependency(d, enkiGetCompletableFromCompletionAction(empty),
                          enkiGetCompletableFromTaskSet(log.dependent));
        uint32_t expected = 0;
        for (uint32_t i = 1; i <= 100; ++i) {
            enkiAddTaskSet(s, set);
            enkiWaitForTaskSet(s, log.dependent);
            CHECK_EQ(atomic_load(&ran), 50 * i);
            CHECK_EQ(atomic_load(&log.pre), i);
            CHECK_EQ(atomic_load(&log.dependents_at_pre), expected);
            expected += i;
            CHECK_EQ(atomic_load(&log.dependents), expected);
            enkiWaitForAll(s); // for the second function
            CHECK_EQ(atomic_load(&log.post), i);
        }
        params.pDependency = NULL;
        enkiSetParamsCompletionAction(action, params);
        enkiAddTaskSet(s, set);
        enkiWaitForAll(s);
        CHECK_EQ(atomic_load(&log.pre), 100u);
        enkiDeleteDependency(s, d);
        enkiDeleteCompletionAction(s, action);
        enkiDeleteCompletionAction(s, empty);
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskSet(s, log.dependent);
        enkiDeleteTaskScheduler(s);
    }
}

// No thread waits: the last function deletes the set and the action.
typedef struct own_end {
    enkiTaskScheduler* scheduler;
    enkiTaskSet* set;
    enkiCompletionAction* action;
    tlw_atomic_u32* ended;
} own_end;

static void delete_all(void* args, uint32_t thread) {
    (void)thread;
    own_end* end = args;
    enkiDeleteTaskSet(end->scheduler, end->set);
    enkiDeleteCompletionAction(end->scheduler, end->action);
    tlw_atomic_u32* ended = end->ended;
    free(end);
    atomic_fetch_add(ended, 1);
}

JOBS_TEST(completion_action_can_delete_itself_and_its_set) {
    counting_allocator counts = {.bytes = 0};
    enkiTaskScheduler* s = new_counting_scheduler(&counts, 3);
    tlw_atomic_u32 ended = 0, ran = 0;
    for (uint32_t i = 0; i < 3000; ++i) {
        own_end* end = malloc(sizeof *end);
        *end = (own_end){s, enkiCreateTaskSet(s, count_range),
                         enkiCreateCompletionAction(s, NULL, delete_all), &ended};
        enkiSetParamsTaskSet(end->set, (struct enkiParamsTaskSet){&ran, 1 + i % 10, 1, 0});
        enkiSetParamsCompletionAction(
            end->action,
            (struct enkiParamsCompletionAction){
                .pArgsPostComplete = end, .pDependency = enkiGetCompletableFromTaskSet(end->set)});
        enkiAddTaskSet(s, end->set);
    }
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&ended), 3000u);
    CHECK_EQ(atomic_load(&ran), 300u * 55u);
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
}

// Set -> pinned on thread 0 -> plain -> pinned on a worker -> set, many times.
JOBS_TEST(graphs_mix_all_kinds) {
    enkiTaskScheduler* s = new_scheduler(2);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* first = enkiCreateTaskSet(s, count_range);
    enkiTaskSet* last = enkiCreateTaskSet(s, count_range);
    enkiSetParamsTaskSet(first, (struct enkiParamsTaskSet){&ran, 10, 1, 0});
    enkiSetParamsTaskSet(last, (struct enkiParamsTaskSet){&ran, 10, 10, 2});
    enkiPinnedTask* here = enkiCreatePinnedTask(s, count_pinned, 0);
    enkiPinnedTask* there = enkiCreatePinnedTask(s, count_pinned, 1);
    enkiSetArgsPinnedTask(here, &ran);
    enkiSetParamsPinnedTask(there, (struct enkiParamsPinnedTask){&ran, 1});
    enkiCompletable* plain = enkiCreateCompletable(s);
    enkiCompletable* chain[] = {
        enkiGetCompletableFromTaskSet(first), enkiGetCompletableFromPinnedTask(here), plain,
        enkiGetCompletableFromPinnedTask(there), enkiGetCompletableFromTaskSet(last)};
    enkiDependency* edges[4];
    for (int i = 0; i < 4; ++i) {
        edges[i] = enkiCreateDependency(s);
        enkiSetDependency(edges[i], chain[i], chain[i + 1]);
    }
    for (uint32_t i = 1; i <= 500; ++i) {
        enkiAddTaskSet(s, first);
        enkiWaitForTaskSet(s, last);
        CHECK_EQ(atomic_load(&ran), 22 * i);
    }
    for (int i = 0; i < 4; ++i) {
        enkiDeleteDependency(s, edges[i]);
    }
    enkiDeleteTaskSet(s, first);
    enkiDeleteTaskSet(s, last);
    enkiDeletePinnedTask(s, here);
    enkiDeletePinnedTask(s, there);
    enkiDeleteCompletable(s, plain);
    enkiDeleteTaskScheduler(s);
}

// Waiting for the first set of a chain does not run the others first.
static void note_late(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    atomic_store((tlw_atomic_u32*)args, 1);
}

JOBS_TEST(a_wait_returns_when_its_own_set_is_complete) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 ran = 0, late = 0;
    enkiTaskSet* a = enkiCreateTaskSet(s, count_range);
    enkiTaskSet* b = enkiCreateTaskSet(s, note_late);
    enkiSetArgsTaskSet(a, &ran);
    enkiSetArgsTaskSet(b, &late);
    enkiDependency* d = enkiCreateDependency(s);
    enkiSetDependency(d, enkiGetCompletableFromTaskSet(a), enkiGetCompletableFromTaskSet(b));
    enkiAddTaskSet(s, a);
    enkiWaitForTaskSet(s, a);
    CHECK_EQ(atomic_load(&ran), 1u);
    CHECK_EQ(atomic_load(&late), 0u);
    CHECK(!enkiIsTaskSetComplete(s, b));
    enkiWaitForTaskSet(s, b);
    CHECK_EQ(atomic_load(&late), 1u);
    enkiDeleteDependency(s, d);
    enkiDeleteTaskSet(s, a);
    enkiDeleteTaskSet(s, b);
    enkiDeleteTaskScheduler(s);
}

// The same for sets that the wait runs one after the other because each makes the next one ready.
JOBS_TEST(a_wait_for_the_middle_of_a_chain_does_not_run_its_end) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 ran = 0, late = 0;
    enkiTaskSet* sets[3];
    enkiDependency* edges[2];
    for (int i = 0; i < 3; ++i) {
        sets[i] = enkiCreateTaskSet(s, i < 2 ? count_range : note_late);
        enkiSetArgsTaskSet(sets[i], i < 2 ? &ran : &late);
    }
    for (int i = 0; i < 2; ++i) {
        edges[i] = enkiCreateDependency(s);
        enkiSetDependency(edges[i], enkiGetCompletableFromTaskSet(sets[i]),
                          enkiGetCompletableFromTaskSet(sets[i + 1]));
    }
    enkiAddTaskSet(s, sets[0]);
    enkiWaitForTaskSet(s, sets[1]);
    CHECK_EQ(atomic_load(&ran), 2u);
    CHECK_EQ(atomic_load(&late), 0u);
    enkiWaitForTaskSet(s, sets[2]);
    CHECK_EQ(atomic_load(&late), 1u);
    for (int i = 0; i < 2; ++i) {
        enkiDeleteDependency(s, edges[i]);
    }
    for (int i = 0; i < 3; ++i) {
        enkiDeleteTaskSet(s, sets[i]);
    }
    enkiDeleteTaskScheduler(s);
}

typedef struct finished_wait {
    enkiTaskScheduler* scheduler;
    enkiPinnedTask* awaited;
    tlw_atomic_u32 may_end; // the awaited task
    tlw_atomic_u32 has_returned;
    tlw_atomic_u32 ran_in_wait;
} finished_wait;

static void end_when_told(void* args) {
    (void)becomes(&((finished_wait*)args)->may_end, 1);
}

static void end_the_awaited(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    finished_wait* at = args;
    atomic_store(&at->may_end, 1);
    while (!enkiIsPinnedTaskComplete(at->scheduler, at->awaited)) {
        tlw_thread_yield();
    }
}

static void note_thread(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    finished_wait* at = args;
    if (thread == 0 && !atomic_load(&at->has_returned)) {
        atomic_store(&at->ran_in_wait, 1);
    }
}

// The awaited task ends while the waiting thread runs a set; what that set makes ready is left to
// others, or for later.
JOBS_TEST(a_wait_that_is_over_runs_no_follow_ups) {
    enkiTaskScheduler* s = new_scheduler(2);
    finished_wait at = {.scheduler = s};
    at.awaited = enkiCreatePinnedTask(s, end_when_told, 1);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* sets[3] = {enkiCreateTaskSet(s, count_range),
                            enkiCreateTaskSet(s, end_the_awaited),
                            enkiCreateTaskSet(s, note_thread)};
    enkiDependency* edges[2];
    for (int i = 0; i < 2; ++i) {
        edges[i] = enkiCreateDependency(s);
        enkiSetDependency(edges[i], enkiGetCompletableFromTaskSet(sets[i]),
                          enkiGetCompletableFromTaskSet(sets[i + 1]));
    }
    enkiSetArgsTaskSet(sets[0], &ran);
    enkiSetArgsTaskSet(sets[1], &at);
    enkiSetArgsTaskSet(sets[2], &at);
    enkiAddPinnedTaskArgs(s, at.awaited, &at);
    enkiAddTaskSet(s, sets[0]);
    enkiWaitForPinnedTask(s, at.awaited);
    atomic_store(&at.has_returned, 1);
    CHECK(atomic_load(&at.may_end));
    CHECK(!atomic_load(&at.ran_in_wait));
    enkiWaitForAll(s);
    for (int i = 0; i < 2; ++i) {
        enkiDeleteDependency(s, edges[i]);
    }
    for (int i = 0; i < 3; ++i) {
        enkiDeleteTaskSet(s, sets[i]);
    }
    enkiDeletePinnedTask(s, at.awaited);
    enkiDeleteTaskScheduler(s);
}
