// SPDX-License-Identifier: MIT
// Task sets: every index runs once, in ranges of the right size, by priority; waits inside tasks
// and full pipes lose nothing.
#include "tests/jobs/jobs_fixture.h"

#include "jobs/queue.h"

static oracle seen;

// By the slot's generation: a thread that returns with a range of the last set gets none of the
// next.
JOBS_TEST(reused_slots_are_told_apart) {
    static tlw_job_pipe pipe;
    uint32_t depth = 0;
    tlw_atomic_u32 height = 0;
    int first, second;
    CHECK(tlw_pipe_push(&pipe, &depth, &height, &first, 2, 1));
    CHECK_EQ(depth, 1u);
    CHECK_EQ(atomic_load(&height), 1u);
    tlw_job_range old = {.set = NULL}, range = {.set = NULL};
    CHECK(tlw_slot_take(&pipe.slots[0], 1, &old));
    CHECK(old.set == &first && old.begin == 0 && old.end == 1);
    CHECK(tlw_slot_take(&pipe.slots[0], 1, &range));
    CHECK(range.set == &first && range.begin == 1 && range.end == 2);
    CHECK(!tlw_slot_take(&pipe.slots[0], 1, &range));
    CHECK(tlw_pipe_push(&pipe, &depth, &height, &second, 2, 1));
    CHECK_EQ(depth, 1u);
    CHECK(!tlw_slot_take(&pipe.slots[0], 1, &old));
    range.set = NULL;
    CHECK(tlw_slot_take(&pipe.slots[0], 1, &range));
    CHECK(range.set == &second && range.begin == 0);
}

static const uint32_t SIZES[] = {
    0,   1,   2,    3,    5,    7,    13,   16,   17,   31,    32,    64,    97,       127,     128,
    509, 512, 1021, 1024, 4093, 4096, 8191, 9973, 8192, 65536, 65537, 99991, 1u << 20, 16777213};
static const uint32_t MIN_RANGES[] = {0, 1, 2, 3, 7, 64, 1000, UINT32_MAX};

JOBS_TEST(sets_of_all_sizes_run_every_index_once) {
    for (uint32_t threads = 1; threads <= 5; ++threads) {
        enkiTaskScheduler* s = new_scheduler(threads);
        enkiTaskSet* set = enkiCreateTaskSet(s, oracle_record);
        for (size_t i = 0; i < TLW_COUNT_OF(SIZES); ++i) {
            for (size_t j = 0; j < TLW_COUNT_OF(MIN_RANGES); ++j) {
                for (int repeat = 0; repeat < 4; ++repeat) {
                    enkiAddTaskSetMinRange(s, set, &seen, SIZES[i], MIN_RANGES[j]);
                    enkiWaitForTaskSet(s, set);
                    CHECK(enkiIsTaskSetComplete(s, set));
                    oracle_check(&seen, SIZES[i], MIN_RANGES[j]);
                }
            }
        }
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskScheduler(s);
    }
}

JOBS_TEST(sets_of_the_largest_size_run_every_index_once) {
    for (uint32_t threads = 1; threads <= 4; ++threads) {
        enkiTaskScheduler* s = new_scheduler(threads);
        enkiTaskSet* set = enkiCreateTaskSet(s, oracle_record);
        for (uint32_t shift = 17; shift < 32; ++shift) {
            enkiAddTaskSetMinRange(s, set, &seen, UINT32_MAX, 1u << shift);
            enkiWaitForTaskSet(s, set);
            oracle_check(&seen, UINT32_MAX, 1u << shift);
        }
        enkiAddTaskSetMinRange(s, set, &seen, UINT32_MAX, UINT32_MAX);
        enkiWaitForTaskSet(s, set);
        oracle_check(&seen, UINT32_MAX, UINT32_MAX);
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskScheduler(s);
    }
}

JOBS_TEST(set_parameters_are_kept) {
    enkiTaskScheduler* s = new_scheduler(2);
    enkiTaskSet* set = enkiCreateTaskSet(s, oracle_record);
    struct enkiParamsTaskSet params = enkiGetParamsTaskSet(set);
    CHECK_EQ(params.setSize, 1u);
    CHECK_EQ(params.minRange, 1u);
    CHECK_EQ(params.priority, 0);
    CHECK(params.pArgs == NULL);
    params = (struct enkiParamsTaskSet){&seen, 100, 10, 2};
    enkiSetParamsTaskSet(set, params);
    params = enkiGetParamsTaskSet(set);
    CHECK(params.pArgs == &seen && params.setSize == 100 && params.minRange == 10);
    CHECK_EQ(params.priority, 2);
    enkiAddTaskSet(s, set);
    enkiWaitForTaskSet(s, set);
    oracle_check(&seen, 100, 10);
    enkiSetPriorityTaskSet(set, 1);
    enkiSetSetSizeTaskSet(set, 57);
    enkiSetMinRangeTaskSet(set, 57);
    enkiSetArgsTaskSet(set, &seen);
    enkiAddTaskSet(s, set);
    enkiWaitForTaskSet(s, set);
    oracle_check(&seen, 57, 57);
    enkiAddTaskSetArgs(s, set, &seen, 12);
    enkiWaitForTaskSet(s, set);
    oracle_check(&seen, 12, 12);
    params = enkiGetParamsTaskSet(set);
    CHECK_EQ(params.setSize, 12u);
    CHECK_EQ(params.minRange, 57u);
    CHECK_EQ(params.priority, 1);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

static uint32_t order[64];
static tlw_atomic_u32 order_count;
static void note_order(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    order[atomic_fetch_add(&order_count, 1) % 64] = (uint32_t)(uintptr_t)args;
}

JOBS_TEST(sets_of_higher_priority_run_first) {
    enkiTaskScheduler* s = new_scheduler(1);
    enkiTaskSet* sets[9];
    for (uint32_t i = 0; i < 9; ++i) {
        sets[i] = enkiCreateTaskSet(s, note_order);
        enkiSetPriorityTaskSet(sets[i], (int)(2 - i % 3));
        enkiAddTaskSetArgs(s, sets[i], (void*)(uintptr_t)(2 - i % 3), 1);
    }
    atomic_store(&order_count, 0);
    enkiWaitForAll(s);
    for (uint32_t i = 0; i < 9; ++i) {
        CHECK_EQ(order[i], i / 3);
        enkiDeleteTaskSet(s, sets[i]);
    }
    CHECK_EQ(atomic_load(&order_count), 9u);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(waits_run_no_lower_priority_than_asked) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 low = 0, high = 0;
    enkiTaskSet* low_set = enkiCreateTaskSet(s, count_range);
    enkiTaskSet* high_set = enkiCreateTaskSet(s, count_range);
    enkiSetPriorityTaskSet(low_set, 2);
    enkiAddTaskSetArgs(s, high_set, &high, 10);
    enkiAddTaskSetArgs(s, low_set, &low, 10);
    enkiWaitForTaskSetPriority(s, high_set, 0);
    CHECK_EQ(atomic_load(&high), 10u);
    CHECK_EQ(atomic_load(&low), 0u);
    enkiWaitForTaskSetPriority(s, NULL, 1);
    CHECK_EQ(atomic_load(&low), 0u);
    // The priority of the awaited set is always included: otherwise a single thread would never
    // end.
    enkiWaitForTaskSetPriority(s, low_set, 0);
    CHECK_EQ(atomic_load(&low), 10u);
    enkiDeleteTaskSet(s, low_set);
    enkiDeleteTaskSet(s, high_set);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(wait_for_null_runs_something_and_returns) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    enkiWaitForTaskSet(s, NULL);
    enkiAddTaskSetArgs(s, set, &ran, 3);
    CHECK(!enkiIsTaskSetComplete(s, set));
    enkiWaitForTaskSet(s, NULL);
    CHECK_EQ(atomic_load(&ran), 3u);
    CHECK(enkiIsTaskSetComplete(s, set));
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

// A tree of sets: each range adds the sets of the next level and waits for them.
typedef struct tree {
    enkiTaskScheduler* scheduler;
    tlw_atomic_u32* leaves;
    uint32_t depth;
} tree;

static tlw_atomic_u32 wrong_threads;

static void grow(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    const tree* at = args;
    if (enkiGetThreadNum(at->scheduler) != thread) {
        atomic_fetch_add(&wrong_threads, 1);
    }
    for (uint32_t i = begin; i < end; ++i) {
        if (at->depth == 0) {
            atomic_fetch_add(at->leaves, 1);
            continue;
        }
        tree below = *at;
        below.depth -= 1;
        enkiTaskSet* set = enkiCreateTaskSet(at->scheduler, grow);
        enkiSetPriorityTaskSet(set, (int)(i % 3));
        enkiAddTaskSetArgs(at->scheduler, set, &below, 4);
        enkiWaitForTaskSetPriority(at->scheduler, set, (int)(i % 3));
        enkiDeleteTaskSet(at->scheduler, set);
    }
}

JOBS_TEST(waits_inside_tasks_run_other_work) {
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        enkiTaskScheduler* s = new_scheduler(threads);
        tlw_atomic_u32 leaves = 0;
        tree root = {s, &leaves, 5};
        enkiTaskSet* set = enkiCreateTaskSet(s, grow);
        for (int repeat = 0; repeat < 3; ++repeat) {
            enkiAddTaskSetArgs(s, set, &root, 4);
            enkiWaitForTaskSet(s, set);
        }
        CHECK_EQ(atomic_load(&leaves), 3u * 4096u);
        CHECK_EQ(atomic_load(&wrong_threads), 0u);
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskScheduler(s);
    }
}

// Adds more sets than a pipe holds: the thread that adds the others runs them at once.
enum { MANY = 3000 };
static enkiTaskSet* many[MANY];
static tlw_atomic_u32 many_runs[MANY];

static void run_many(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    atomic_fetch_add((tlw_atomic_u32*)args, end - begin);
}

JOBS_TEST(full_pipes_lose_nothing) {
    for (uint32_t threads = 1; threads <= 4; ++threads) {
        enkiTaskScheduler* s = new_scheduler(threads);
        for (uint32_t i = 0; i < MANY; ++i) {
            many[i] = enkiCreateTaskSet(s, run_many);
            atomic_store(&many_runs[i], 0);
        }
        for (uint32_t repeat = 0; repeat < 5; ++repeat) {
            for (uint32_t i = 0; i < MANY; ++i) {
                enkiAddTaskSetArgs(s, many[i], &many_runs[i], 1 + i % 5);
            }
            if (repeat % 2) {
                enkiWaitForAll(s);
            } else {
                for (uint32_t i = 0; i < MANY; ++i) {
                    enkiWaitForTaskSet(s, many[i]);
                }
            }
        }
        for (uint32_t i = 0; i < MANY; ++i) {
            CHECK_EQ(atomic_load(&many_runs[i]), 5 * (1 + i % 5));
            enkiDeleteTaskSet(s, many[i]);
        }
        enkiDeleteTaskScheduler(s);
    }
}

// Tasks that wait for each other need all threads: no wake-up may be lost or left out.
typedef struct meeting {
    tlw_atomic_u32 arrived;
    uint32_t expected;
} meeting;

static void meet(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    meeting* at = args;
    atomic_fetch_add(&at->arrived, 1);
    while (atomic_load(&at->arrived) < at->expected) {
        tlw_thread_yield();
    }
}

JOBS_TEST(tasks_that_wait_for_each_other_get_a_thread_each) {
    enum { PARTIES = 12 };
    enkiTaskScheduler* s = new_scheduler(PARTIES);
    enkiTaskSet* sets[PARTIES];
    for (int i = 0; i < PARTIES; ++i) {
        sets[i] = enkiCreateTaskSet(s, meet);
    }
    for (int repeat = 0; repeat < 30; ++repeat) {
        if (repeat % 3 == 0) {
            tlw_thread_sleep_ns(3000000); // all threads are asleep
        }
        meeting at = {.arrived = 0, .expected = PARTIES};
        for (int i = 0; i < PARTIES; ++i) {
            enkiAddTaskSetArgs(s, sets[i], &at, 1);
        }
        for (int i = 0; i < PARTIES; ++i) {
            enkiWaitForTaskSet(s, sets[i]);
        }
        CHECK_EQ(atomic_load(&at.arrived), (uint32_t)PARTIES);
    }
    for (int i = 0; i < PARTIES; ++i) {
        enkiDeleteTaskSet(s, sets[i]);
    }
    enkiDeleteTaskScheduler(s);
}

// The set is freed right after the wait: the thread that ran its last range must not touch it any
// more.
JOBS_TEST(sets_can_be_deleted_right_after_the_wait) {
    counting_allocator counts = {.bytes = 0};
    enkiTaskScheduler* s = new_counting_scheduler(&counts, 4);
    tlw_atomic_u32 ran = 0;
    for (uint32_t i = 0; i < 20000; ++i) {
        enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
        enkiAddTaskSetArgs(s, set, &ran, 1 + i % 40);
        enkiWaitForTaskSet(s, set);
        enkiDeleteTaskSet(s, set);
    }
    CHECK_EQ(atomic_load(&ran), 20000u / 40u * 820u);
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
    CHECK_EQ(atomic_load(&counts.bad), 0u);
}

static void sleep_range(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    (void)args;
    for (uint32_t i = begin; i < end; ++i) {
        tlw_thread_sleep_ns(2000000);
    }
}

// Long enough that the waiting thread sleeps, and is woken by the completion.
JOBS_TEST(a_long_wait_sleeps_and_wakes) {
    enkiTaskScheduler* s = new_scheduler(3);
    enkiTaskSet* set = enkiCreateTaskSet(s, sleep_range);
    for (int i = 0; i < 20; ++i) {
        enkiAddTaskSetArgs(s, set, NULL, 5);
        enkiWaitForTaskSet(s, set);
    }
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}
