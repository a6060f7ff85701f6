// SPDX-License-Identifier: MIT
// The life of a scheduler: creating, starting and stopping it, its configuration, profiler
// callbacks and memory.
#include "tests/jobs/jobs_fixture.h"

JOBS_TEST(scheduler_can_be_deleted_without_init) {
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    CHECK_EQ(enkiGetNumTaskThreads(s), 0u);
    CHECK_EQ(enkiGetThreadNum(s), ENKI_NO_THREAD_NUM);
    CHECK(enkiGetIsRunning(s));
    enkiWaitForAll(s);
    enkiWaitforAllAndShutdown(s);
    CHECK(!enkiGetIsRunning(s));
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(config_has_defaults_then_what_is_in_force) {
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    CHECK_EQ(config.numTaskThreadsToCreate, tlw_core_count() - 1);
    CHECK_EQ(config.numExternalTaskThreads, 0u);
    CHECK(config.customAllocator.alloc == enkiDefaultAllocFunc);
    CHECK(config.customAllocator.free == enkiDefaultFreeFunc);
    CHECK(config.profilerCallbacks.threadStart == NULL);
    config.numTaskThreadsToCreate = 3;
    config.numExternalTaskThreads = 2;
    enkiInitTaskSchedulerWithConfig(s, config);
    config = enkiGetTaskSchedulerConfig(s);
    CHECK_EQ(config.numTaskThreadsToCreate, 3u);
    CHECK_EQ(config.numExternalTaskThreads, 2u);
    CHECK_EQ(enkiGetNumTaskThreads(s), 6u);
    enkiInitTaskScheduler(s);
    config = enkiGetTaskSchedulerConfig(s);
    CHECK_EQ(config.numTaskThreadsToCreate, tlw_core_count() - 1);
    CHECK_EQ(config.numExternalTaskThreads, 0u);
    CHECK_EQ(enkiGetNumTaskThreads(s), tlw_core_count());
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(scheduler_can_be_initialised_again_and_again) {
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    for (uint32_t i = 0; i < 60; ++i) {
        enkiInitTaskSchedulerNumThreads(s, 1 + i % 7);
        CHECK_EQ(enkiGetNumTaskThreads(s), 1 + i % 7);
        CHECK_EQ(enkiGetThreadNum(s), 0u);
        CHECK(enkiGetIsRunning(s) && !enkiGetIsShutdownRequested(s));
        CHECK(!enkiGetIsWaitforAllCalled(s));
        enkiAddTaskSetArgs(s, set, &ran, 100);
        if (i % 3 == 0) {
            enkiWaitforAllAndShutdown(s);
            CHECK(!enkiGetIsRunning(s) && enkiGetIsShutdownRequested(s));
            CHECK(enkiGetIsWaitforAllCalled(s));
            CHECK_EQ(enkiGetNumTaskThreads(s), 0u);
            CHECK_EQ(enkiGetThreadNum(s), ENKI_NO_THREAD_NUM);
        }
    }
    enkiWaitforAllAndShutdown(s);
    CHECK_EQ(atomic_load(&ran), 6000u);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

// Sets add other sets while the scheduler is shut down, initialised again or deleted: none is lost.
typedef struct cascade {
    enkiTaskScheduler* scheduler;
    enkiTaskSet* sets[64];
    tlw_atomic_u32 next, ran;
} cascade;

static void cascade_range(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    cascade* at = args;
    atomic_fetch_add(&at->ran, end - begin);
    if (begin == 0) {
        uint32_t next = atomic_fetch_add(&at->next, 1);
        if (next < 64) {
            enkiAddTaskSetArgs(at->scheduler, at->sets[next], at, 16);
        }
    }
}

JOBS_TEST(pending_work_is_run_by_shutdown_reinit_and_delete) {
    for (uint32_t repeat = 0; repeat < 60; ++repeat) {
        cascade at = {.next = 4};
        enkiTaskScheduler* s = new_scheduler(1 + repeat % 5);
        at.scheduler = s;
        for (int i = 0; i < 64; ++i) {
            at.sets[i] = enkiCreateTaskSet(s, cascade_range);
            enkiSetPriorityTaskSet(at.sets[i], i % 3);
        }
        for (int i = 0; i < 4; ++i) {
            enkiAddTaskSetArgs(s, at.sets[i], &at, 16);
        }
        if (repeat % 2) {
            enkiWaitforAllAndShutdown(s);
        } else {
            enkiInitTaskSchedulerNumThreads(s, 2);
        }
        CHECK_EQ(atomic_load(&at.ran), 64u * 16u);
        for (int i = 0; i < 64; ++i) {
            enkiDeleteTaskSet(s, at.sets[i]);
        }
        enkiDeleteTaskScheduler(s);
    }
}

static void until_shutdown(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    tlw_atomic_u32* loops = args;
    while (atomic_load(loops) == 0) {
        tlw_thread_yield();
    }
}

typedef struct looper {
    enkiTaskScheduler* scheduler;
    tlw_atomic_u32 started, ended;
} looper;

static void loop_until_asked(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    looper* at = args;
    atomic_fetch_add(&at->started, 1);
    while (!enkiGetIsWaitforAllCalled(at->scheduler)) {
        tlw_thread_yield();
    }
    atomic_fetch_add(&at->ended, 1);
}

JOBS_TEST(tasks_that_loop_see_the_wait_for_all) {
    enkiTaskScheduler* s = new_scheduler(3);
    looper at = {.scheduler = s};
    enkiTaskSet* sets[2] = {enkiCreateTaskSet(s, loop_until_asked),
                            enkiCreateTaskSet(s, loop_until_asked)};
    enkiAddTaskSetArgs(s, sets[0], &at, 1);
    enkiAddTaskSetArgs(s, sets[1], &at, 1);
    CHECK(becomes(&at.started, 2));
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&at.ended), 2u);
    CHECK(!enkiGetIsWaitforAllCalled(s));
    enkiDeleteTaskSet(s, sets[0]);
    enkiDeleteTaskSet(s, sets[1]);
    enkiDeleteTaskScheduler(s);
}

static void release_later(void* user) {
    tlw_thread_sleep_ns(30000000);
    atomic_store((tlw_atomic_u32*)user, 1);
}

JOBS_TEST(wait_for_all_sleeps_through_long_tasks) {
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        enkiTaskScheduler* s = new_scheduler(threads);
        tlw_atomic_u32 may_end = 0;
        enkiTaskSet* set = enkiCreateTaskSet(s, until_shutdown);
        test_thread thread;
        enkiAddTaskSetArgs(s, set, &may_end, 1);
        tlw_thread_sleep_ns(3000000); // by now a worker runs it
        run_thread(&thread, release_later, &may_end);
        enkiWaitForAll(s);
        CHECK(enkiIsTaskSetComplete(s, set));
        tlw_thread_join(&thread.thread);
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskScheduler(s);
    }
}

JOBS_TEST(pinned_tasks_that_nobody_could_run_are_dropped_at_the_end) {
    enkiTaskScheduler* s = new_scheduler_with_external(1, 1);
    tlw_atomic_u32 ran = 0;
    enkiPinnedTask* task = enkiCreatePinnedTask(s, count_pinned, 1); // no thread has that number
    enkiAddPinnedTaskArgs(s, task, &ran);
    enkiWaitforAllAndShutdown(s);
    CHECK_EQ(atomic_load(&ran), 0u);
    CHECK(enkiIsPinnedTaskComplete(s, task));
    enkiDeletePinnedTask(s, task);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(zero_created_threads_run_everything_on_the_caller) {
    enkiTaskScheduler* s = new_scheduler_with_external(0, 0);
    CHECK_EQ(enkiGetNumTaskThreads(s), 1u);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    enkiAddTaskSetArgs(s, set, &ran, 1000);
    CHECK_EQ(atomic_load(&ran), 0u);
    enkiWaitForTaskSet(s, set);
    CHECK_EQ(atomic_load(&ran), 1000u);
    enkiAddTaskSetArgs(s, set, &ran, 1000);
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&ran), 2000u);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

// ---- Profiler callbacks

static tlw_atomic_u32 events[8];
static tlw_atomic_u32 bad_threads;
#define EVENT(name, index)                     \
    static void name(uint32_t thread) {        \
        atomic_fetch_add(&events[index], 1);   \
        if (thread > 2) {                      \
            atomic_fetch_add(&bad_threads, 1); \
        }                                      \
    }
EVENT(on_thread_start, 0)
EVENT(on_thread_stop, 1)
EVENT(on_new_suspend, 2)
EVENT(on_new_resume, 3)
EVENT(on_wait_start, 4)
EVENT(on_wait_stop, 5)
EVENT(on_wait_suspend, 6)
EVENT(on_wait_resume, 7)

static void nap(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    (void)args;
    tlw_thread_sleep_ns(5000000);
}

static void pinned_nap(void* args) {
    (void)args;
    tlw_thread_sleep_ns(5000000);
}

static void wait_once(void* args) {
    enkiWaitForNewPinnedTasks(args);
}

JOBS_TEST(profiler_callbacks_come_in_pairs) {
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    config.numTaskThreadsToCreate = 2;
    config.profilerCallbacks = (struct enkiProfilerCallbacks){
        on_thread_start, on_thread_stop, on_new_suspend,  on_new_resume,
        on_wait_start,   on_wait_stop,   on_wait_suspend, on_wait_resume};
    enkiInitTaskSchedulerWithConfig(s, config);
    enkiTaskSet* set = enkiCreateTaskSet(s, nap);
    // There is nothing that this thread could run meanwhile: it must sleep, unless a busy machine
    // takes its core away for as long as the nap. So there are more naps, until it has slept.
    enkiPinnedTask* elsewhere = enkiCreatePinnedTask(s, pinned_nap, 2);
    for (int i = 0; i < 5 || (i < 1000 && !(atomic_load(&events[2]) && atomic_load(&events[6])));
         ++i) {
        enkiAddTaskSetArgs(s, set, NULL, 3);
        enkiWaitForTaskSet(s, set);
        enkiAddPinnedTask(s, elsewhere);
        enkiWaitForPinnedTask(s, elsewhere);
    }
    enkiPinnedTask* sleeper = enkiCreatePinnedTask(s, wait_once, 1);
    enkiAddPinnedTaskArgs(s, sleeper, s);
    tlw_thread_sleep_ns(5000000);
    enkiWaitforAllAndShutdown(s);
    CHECK_EQ(atomic_load(&events[0]), 2u);
    for (int i = 0; i < 8; i += 2) {
        CHECK_LT(0, atomic_load(&events[i]));
        CHECK_EQ(atomic_load(&events[i]), atomic_load(&events[i + 1]));
    }
    CHECK_EQ(atomic_load(&bad_threads), 0u);
    enkiDeleteTaskSet(s, set);
    enkiDeletePinnedTask(s, sleeper);
    enkiDeletePinnedTask(s, elsewhere);
    enkiDeleteTaskScheduler(s);
}

// ---- Memory

JOBS_TEST(every_byte_goes_back_to_the_allocator_it_came_from) {
    counting_allocator first = {.bytes = 0}, second = {.bytes = 0};
    enkiTaskScheduler* s = enkiNewTaskSchedulerWithCustomAllocator(counting(&first));
    CHECK_LT(0, atomic_load(&first.bytes));
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    CHECK(config.customAllocator.userData == &first);
    enkiTaskSet* from_first = enkiCreateTaskSet(s, count_range);
    for (uint32_t i = 0; i < 13; ++i) { // the second allocator is in use at the end
        config.customAllocator = counting(i % 2 ? &first : &second);
        config.numTaskThreadsToCreate = i % 4;
        config.numExternalTaskThreads = i % 3;
        enkiInitTaskSchedulerWithConfig(s, config);
        tlw_atomic_u32 ran = 0;
        enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
        enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, 0);
        enkiDependency* dependency = enkiCreateDependency(s);
        enkiCompletable* plain = enkiCreateCompletable(s);
        enkiCompletionAction* action = enkiCreateCompletionAction(s, NULL, count_completion);
        enkiSetParamsCompletionAction(action, (struct enkiParamsCompletionAction){
                                                  .pArgsPostComplete = &ran, .pDependency = plain});
        enkiSetDependency(dependency, enkiGetCompletableFromTaskSet(set), plain);
        enkiAddTaskSetArgs(s, from_first, &ran, 10);
        enkiAddTaskSetArgs(s, set, &ran, 10);
        enkiAddPinnedTaskArgs(s, pinned, &ran);
        enkiWaitForAll(s);
        CHECK_EQ(atomic_load(&ran), 22u);
        enkiDeleteCompletionAction(s, action);
        enkiDeleteCompletable(s, plain);
        enkiDeleteDependency(s, dependency);
        enkiDeletePinnedTask(s, pinned);
        enkiDeleteTaskSet(s, set);
    }
    enkiDeleteTaskSet(s, from_first);
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&first.bytes), 0u);
    CHECK_EQ(atomic_load(&first.blocks), 0u);
    CHECK_EQ(atomic_load(&second.bytes), 0u);
    CHECK_EQ(atomic_load(&second.blocks), 0u);
    CHECK_EQ(atomic_load(&first.bad) + atomic_load(&second.bad), 0u);
}

JOBS_TEST(no_memory_is_answered_with_null) {
    misuse_begin();
    counting_allocator counts = {.fail_after = 1};
    CHECK(enkiNewTaskSchedulerWithCustomAllocator(counting(&counts)) == NULL);
    enkiTaskScheduler* s = enkiNewTaskSchedulerWithCustomAllocator(counting(&counts));
    atomic_store(&counts.fail_after, 1);
    enkiInitTaskSchedulerNumThreads(s, 2); // no memory for its threads: nothing changes
    CHECK_EQ(enkiGetNumTaskThreads(s), 0u);
    enkiWaitForAll(s);
    enkiInitTaskSchedulerNumThreads(s, 2);
    CHECK_EQ(enkiGetNumTaskThreads(s), 2u);
    for (int i = 0; i < 5; ++i) {
        atomic_store(&counts.fail_after, 1);
        void* made = i == 0   ? (void*)enkiCreateTaskSet(s, count_range)
                     : i == 1 ? (void*)enkiCreatePinnedTask(s, count_pinned, 0)
                     : i == 2 ? (void*)enkiCreateCompletable(s)
                     : i == 3 ? (void*)enkiCreateDependency(s)
                              : (void*)enkiCreateCompletionAction(s, NULL, NULL);
        CHECK(made == NULL);
    }
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(misuse_end(), 0u);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
}

JOBS_TEST(scheduler_works_with_fewer_threads_if_some_do_not_start) {
    misuse_begin(); // collects the log line
    bool can_fail = fail_thread_starts_after(2);
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    if (can_fail) {
        enkiInitTaskSchedulerNumThreads(s, 6);
    }
    let_threads_start();
    CHECK_EQ(misuse_end(), 0u);
    if (!can_fail) {
        enkiDeleteTaskScheduler(s);
        tlw_test_skip(__FILE__, __LINE__, "the start of threads cannot be made to fail here");
    }
    CHECK_CONTAINS(misuse_message(), "only 2 of 5 threads");
    CHECK_EQ(enkiGetNumTaskThreads(s), 3u);
    CHECK_EQ(enkiGetTaskSchedulerConfig(s).numTaskThreadsToCreate, 2u);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    for (int i = 0; i < 100; ++i) {
        enkiAddTaskSetArgs(s, set, &ran, 1000);
        enkiWaitForTaskSet(s, set);
    }
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&ran), 100000u);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(nothing_is_allocated_while_work_runs) {
    if (!malloc_is_counted()) {
        tlw_test_skip(__FILE__, __LINE__, "malloc cannot be interposed here");
    }
    counting_allocator counts = {.bytes = 0};
    enkiTaskScheduler* s = new_counting_scheduler(&counts, 4);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* sets[400];
    for (int i = 0; i < 400; ++i) {
        sets[i] = enkiCreateTaskSet(s, count_range);
        enkiSetPriorityTaskSet(sets[i], i % 3);
    }
    enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, 2);
    enkiCompletionAction* action =
        enkiCreateCompletionAction(s, count_completion, count_completion);
    enkiSetParamsCompletionAction(action, (struct enkiParamsCompletionAction){
                                              &ran, &ran, enkiGetCompletableFromTaskSet(sets[0])});
    enkiDependency* dependency = enkiCreateDependency(s);
    enkiSetDependency(dependency, enkiGetCompletableFromTaskSet(sets[1]),
                      enkiGetCompletableFromTaskSet(sets[2]));
    enkiSetParamsTaskSet(sets[2], (struct enkiParamsTaskSet){&ran, 5, 1, 0});
    uint64_t calls = atomic_load(&counts.calls);
    malloc_count_start();
    for (int repeat = 0; repeat < 50; ++repeat) {
        for (int i = 0; i < 400; ++i) {
            if (i != 2) {
                enkiAddTaskSetArgs(s, sets[i], &ran, (uint32_t)(1 + i % 50));
            }
        }
        enkiAddPinnedTaskArgs(s, pinned, &ran);
        for (int i = 0; i < 400; ++i) {
            enkiWaitForTaskSet(s, sets[i]);
        }
        enkiWaitForPinnedTask(s, pinned);
        if (repeat % 10 == 0) {
            tlw_thread_sleep_ns(1500000);
            enkiWaitForAll(s);
        }
    }
    uint64_t mallocs = malloc_count_stop();
    CHECK_EQ(mallocs, 0u);
    CHECK_EQ(atomic_load(&counts.calls), calls);
    enkiWaitForAll(s);
    enkiDeleteDependency(s, dependency);
    enkiDeleteCompletionAction(s, action);
    enkiDeletePinnedTask(s, pinned);
    for (int i = 0; i < 400; ++i) {
        enkiDeleteTaskSet(s, sets[i]);
    }
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
}
