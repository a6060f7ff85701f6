// SPDX-License-Identifier: MIT
// Pinned tasks run on their own thread, external threads come and go, and thread numbers are
// unique.
#include "tests/jobs/jobs_fixture.h"

typedef struct visit {
    enkiTaskScheduler* scheduler;
    uint32_t expected_thread;
    tlw_atomic_u32 count, wrong;
} visit;

static void note_visit(void* args) {
    visit* at = args;
    atomic_fetch_add(&at->count, 1);
    if (enkiGetThreadNum(at->scheduler) != at->expected_thread) {
        atomic_fetch_add(&at->wrong, 1);
    }
}

JOBS_TEST(pinned_tasks_run_on_their_thread_only) {
    enum { THREADS = 5, REPEATS = 400 };
    enkiTaskScheduler* s = new_scheduler(THREADS);
    visit visits[THREADS];
    enkiPinnedTask* tasks[THREADS];
    for (uint32_t i = 0; i < THREADS; ++i) {
        visits[i] = (visit){.scheduler = s, .expected_thread = i};
        tasks[i] = enkiCreatePinnedTask(s, note_visit, i);
        enkiSetPriorityPinnedTask(tasks[i], (int)(i % 3));
        CHECK_EQ(enkiGetParamsPinnedTask(tasks[i]).priority, (int)(i % 3));
    }
    for (uint32_t repeat = 0; repeat < REPEATS; ++repeat) {
        for (uint32_t i = 0; i < THREADS; ++i) {
            enkiAddPinnedTaskArgs(s, tasks[i], &visits[i]);
        }
        for (uint32_t i = 0; i < THREADS; ++i) {
            if (repeat % 2) {
                enkiWaitForPinnedTask(s, tasks[i]);
            } else {
                enkiWaitForPinnedTaskPriority(s, tasks[i], 2);
            }
            CHECK(enkiIsPinnedTaskComplete(s, tasks[i]));
        }
        if (repeat % 50 == 0) {
            tlw_thread_sleep_ns(2000000); // they fall asleep: the next task must wake them
        }
    }
    for (uint32_t i = 0; i < THREADS; ++i) {
        CHECK(enkiGetParamsPinnedTask(tasks[i]).pArgs == &visits[i]);
        CHECK_EQ(atomic_load(&visits[i].count), (uint32_t)REPEATS);
        CHECK_EQ(atomic_load(&visits[i].wrong), 0u);
        enkiDeletePinnedTask(s, tasks[i]);
    }
    enkiDeleteTaskScheduler(s);
}

static uint32_t pinned_order[16];
static uint32_t pinned_order_count;
static void note_pinned_order(void* args) {
    pinned_order[pinned_order_count++] = (uint32_t)(uintptr_t)args;
}

JOBS_TEST(pinned_tasks_run_by_priority_then_in_order_of_arrival) {
    enkiTaskScheduler* s = new_scheduler(1);
    enkiPinnedTask* tasks[9];
    pinned_order_count = 0;
    for (uint32_t i = 0; i < 9; ++i) {
        tasks[i] = enkiCreatePinnedTask(s, note_pinned_order, 0);
        enkiSetPriorityPinnedTask(tasks[i], (int)(2 - i % 3));
        enkiAddPinnedTaskArgs(s, tasks[i], (void*)(uintptr_t)i);
    }
    CHECK_EQ(pinned_order_count, 0u);
    enkiRunPinnedTasks(s);
    CHECK_EQ(pinned_order_count, 9u);
    static const uint32_t EXPECTED[9] = {2, 5, 8, 1, 4, 7, 0, 3, 6};
    for (uint32_t i = 0; i < 9; ++i) {
        CHECK_EQ(pinned_order[i], EXPECTED[i]);
        enkiDeletePinnedTask(s, tasks[i]);
    }
    enkiDeleteTaskScheduler(s);
}

// A pinned task on thread 0 is not run by a wait that allows only higher priorities.
JOBS_TEST(run_pinned_tasks_runs_no_sets) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 sets = 0, pinned = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    enkiPinnedTask* task = enkiCreatePinnedTask(s, count_pinned, 0);
    enkiAddTaskSetArgs(s, set, &sets, 1);
    enkiAddPinnedTaskArgs(s, task, &pinned);
    enkiRunPinnedTasks(s);
    CHECK_EQ(atomic_load(&sets), 0u);
    CHECK_EQ(atomic_load(&pinned), 1u);
    enkiWaitForTaskSet(s, set);
    enkiAddPinnedTask(s, task);
    enkiWaitForTaskSet(s, NULL);
    CHECK_EQ(atomic_load(&pinned), 2u);
    enkiDeleteTaskSet(s, set);
    enkiDeletePinnedTask(s, task);
    enkiDeleteTaskScheduler(s);
}

// A created thread that serves pinned tasks only, until a wait for all or a shutdown ends it.
typedef struct server {
    enkiTaskScheduler* scheduler;
    bool until_shutdown;
    tlw_atomic_u32 rounds, is_up;
} server;

static void serve(void* args) {
    server* at = args;
    atomic_store(&at->is_up, 1);
    while (at->until_shutdown ? !enkiGetIsShutdownRequested(at->scheduler)
                              : !enkiGetIsWaitforAllCalled(at->scheduler)) {
        enkiWaitForNewPinnedTasks(at->scheduler);
        enkiRunPinnedTasks(at->scheduler);
        atomic_fetch_add(&at->rounds, 1);
    }
    atomic_store(&at->is_up, 0);
}

JOBS_TEST(thread_that_waits_for_pinned_tasks_is_woken_by_each_and_by_the_end) {
    for (int until_shutdown = 0; until_shutdown < 2; ++until_shutdown) {
        enkiTaskScheduler* s = new_scheduler(3);
        server at = {.scheduler = s, .until_shutdown = until_shutdown};
        enkiPinnedTask* loop = enkiCreatePinnedTask(s, serve, 1);
        enkiPinnedTask* task = enkiCreatePinnedTask(s, count_pinned, 1);
        tlw_atomic_u32 served = 0;
        enkiAddPinnedTaskArgs(s, loop, &at);
        for (uint32_t i = 1; i <= 200; ++i) {
            enkiAddPinnedTaskArgs(s, task, &served);
            enkiWaitForPinnedTask(s, task);
            CHECK_EQ(atomic_load(&served), i);
            if (i % 50 == 0) {
                tlw_thread_sleep_ns(1000000);
            }
        }
        if (until_shutdown) {
            enkiWaitforAllAndShutdown(s);
        } else {
            enkiWaitForAll(s);
        }
        CHECK_EQ(atomic_load(&at.is_up), 0u);
        CHECK(enkiIsPinnedTaskComplete(s, loop));
        enkiDeletePinnedTask(s, loop);
        enkiDeletePinnedTask(s, task);
        enkiDeleteTaskScheduler(s);
    }
}

JOBS_TEST(wait_for_new_pinned_tasks_returns_at_once_if_there_is_one) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 ran = 0;
    enkiPinnedTask* task = enkiCreatePinnedTask(s, count_pinned, 0);
    enkiAddPinnedTaskArgs(s, task, &ran);
    enkiWaitForNewPinnedTasks(s);
    CHECK_EQ(atomic_load(&ran), 0u);
    enkiRunPinnedTasks(s);
    CHECK_EQ(atomic_load(&ran), 1u);
    enkiDeletePinnedTask(s, task);
    enkiDeleteTaskScheduler(s);
}

// ---- External threads

typedef struct guest {
    enkiTaskScheduler* scheduler;
    tlw_atomic_u32 ran, failures, is_registered, may_leave;
    uint32_t repeats;
} guest;

static void be_guest(void* user) {
    guest* at = user;
    enkiTaskScheduler* s = at->scheduler;
    for (uint32_t i = 0; i < at->repeats; ++i) {
        if (enkiGetThreadNum(s) != ENKI_NO_THREAD_NUM) {
            atomic_fetch_add(&at->failures, 1);
        }
        while (!enkiRegisterExternalTaskThread(s)) {
            tlw_thread_yield();
        }
        uint32_t number = enkiGetThreadNum(s);
        if (number < 1 || number > 2) {
            atomic_fetch_add(&at->failures, 1);
        }
        enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
        tlw_atomic_u32 ran = 0;
        enkiAddTaskSetArgs(s, set, &ran, 37);
        enkiWaitForTaskSet(s, set);
        if (atomic_load(&ran) != 37) {
            atomic_fetch_add(&at->failures, 1);
        }
        enkiDeleteTaskSet(s, set);
        atomic_fetch_add(&at->ran, 1);
        enkiDeRegisterExternalTaskThread(s);
    }
}

JOBS_TEST(external_threads_come_and_go) {
    for (uint32_t created = 0; created <= 2; ++created) {
        enkiTaskScheduler* s = new_scheduler_with_external(created, 2);
        CHECK_EQ(enkiGetNumTaskThreads(s), created + 3);
        CHECK_EQ(enkiGetNumFirstExternalTaskThread(), 1u);
        guest at = {.scheduler = s, .repeats = 300};
        test_thread threads[4];
        for (int i = 0; i < 4; ++i) {
            run_thread(&threads[i], be_guest, &at);
        }
        tlw_atomic_u32 ran = 0;
        enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
        while (atomic_load(&at.ran) < 4 * at.repeats) {
            enkiAddTaskSetArgs(s, set, &ran, 100);
            enkiWaitForTaskSet(s, set);
        }
        for (int i = 0; i < 4; ++i) {
            tlw_thread_join(&threads[i].thread);
        }
        CHECK_EQ(atomic_load(&at.failures), 0u);
        CHECK_EQ(enkiGetNumRegisteredExternalTaskThreads(s), 0u);
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskScheduler(s);
    }
}

static void stay(void* user) {
    guest* at = user;
    atomic_store(&at->is_registered, enkiRegisterExternalTaskThreadNum(at->scheduler, 2) ? 1 : 2);
    // Runs the tasks that are pinned to it until it is told to leave.
    while (!atomic_load(&at->may_leave)) {
        enkiWaitForNewPinnedTasks(at->scheduler);
        enkiRunPinnedTasks(at->scheduler);
    }
    enkiDeRegisterExternalTaskThread(at->scheduler);
}

static void let_go(void* args) {
    atomic_store(&((guest*)args)->may_leave, 1);
}

static void try_third(void* user) {
    guest* at = user;
    if (enkiRegisterExternalTaskThreadNum(at->scheduler, 2)) {
        atomic_fetch_add(&at->failures, 1);
    }
    if (!enkiRegisterExternalTaskThread(at->scheduler)) {
        atomic_fetch_add(&at->failures, 1);
    }
    atomic_store(&at->is_registered, 1);
    while (!atomic_load(&at->may_leave)) {
        tlw_thread_sleep_ns(100000);
    }
    // Work that an external thread has not run when it leaves is run by others.
    enkiTaskSet* set = enkiCreateTaskSet(at->scheduler, count_range);
    enkiAddTaskSetArgs(at->scheduler, set, &at->ran, 50);
    enkiDeRegisterExternalTaskThread(at->scheduler);
    while (!enkiIsTaskSetComplete(at->scheduler, set)) {
        tlw_thread_sleep_ns(100000);
    }
    enkiDeleteTaskSet(at->scheduler, set);
}

JOBS_TEST(external_numbers_are_given_once) {
    enkiTaskScheduler* s = new_scheduler_with_external(1, 2);
    guest first = {.scheduler = s}, second = {.scheduler = s};
    test_thread threads[2];
    run_thread(&threads[0], stay, &first);
    CHECK(becomes(&first.is_registered, 1));
    CHECK_EQ(enkiGetNumRegisteredExternalTaskThreads(s), 1u);
    run_thread(&threads[1], try_third, &second);
    CHECK(becomes(&second.is_registered, 1));
    CHECK_EQ(enkiGetNumRegisteredExternalTaskThreads(s), 2u);
    // From this thread: a task pinned to the external thread that sleeps.
    visit at = {.scheduler = s, .expected_thread = 2};
    enkiPinnedTask* task = enkiCreatePinnedTask(s, note_visit, 2);
    for (int i = 0; i < 50; ++i) {
        enkiAddPinnedTaskArgs(s, task, &at);
        enkiWaitForPinnedTask(s, task);
    }
    CHECK_EQ(atomic_load(&at.count), 50u);
    CHECK_EQ(atomic_load(&at.wrong), 0u);
    enkiPinnedTask* go = enkiCreatePinnedTask(s, let_go, 2);
    enkiAddPinnedTaskArgs(s, go, &first);
    enkiWaitForPinnedTask(s, go);
    atomic_store(&second.may_leave, 1);
    tlw_thread_join(&threads[0].thread);
    tlw_thread_join(&threads[1].thread);
    CHECK_EQ(atomic_load(&second.ran), 50u);
    CHECK_EQ(atomic_load(&first.failures) + atomic_load(&second.failures), 0u);
    CHECK_EQ(enkiGetNumRegisteredExternalTaskThreads(s), 0u);
    enkiDeletePinnedTask(s, task);
    enkiDeletePinnedTask(s, go);
    enkiDeleteTaskScheduler(s);
}

typedef struct stranger {
    enkiTaskScheduler* scheduler;
    enkiPinnedTask* task;
    visit at;
    tlw_atomic_u32 number;
} stranger;

static void pin_from_outside(void* user) {
    stranger* from = user;
    atomic_store(&from->number, enkiGetThreadNum(from->scheduler));
    for (int i = 0; i < 100; ++i) {
        while (!enkiIsPinnedTaskComplete(from->scheduler, from->task)) {
            tlw_thread_yield();
        }
        enkiAddPinnedTaskArgs(from->scheduler, from->task, &from->at);
    }
}

JOBS_TEST(any_thread_can_add_pinned_tasks) {
    enkiTaskScheduler* s = new_scheduler(2);
    stranger from = {.scheduler = s, .task = enkiCreatePinnedTask(s, note_visit, 1)};
    from.at = (visit){.scheduler = s, .expected_thread = 1};
    test_thread thread;
    run_thread(&thread, pin_from_outside, &from);
    tlw_thread_join(&thread.thread);
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&from.number), ENKI_NO_THREAD_NUM);
    CHECK_EQ(atomic_load(&from.at.count), 100u);
    CHECK_EQ(atomic_load(&from.at.wrong), 0u);
    enkiDeletePinnedTask(s, from.task);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(one_thread_can_have_a_number_in_two_schedulers) {
    enkiTaskScheduler* a = new_scheduler(2);
    enkiTaskScheduler* b = new_scheduler(3);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* in_a = enkiCreateTaskSet(a, count_range);
    enkiTaskSet* in_b = enkiCreateTaskSet(b, count_range);
    for (uint32_t i = 0; i < 200; ++i) {
        CHECK_EQ(enkiGetThreadNum(a), 0u);
        enkiAddTaskSetArgs(a, in_a, &ran, 10);
        CHECK_EQ(enkiGetThreadNum(b), 0u);
        enkiAddTaskSetArgs(b, in_b, &ran, 10);
        enkiWaitForTaskSet(a, in_a);
        enkiWaitForTaskSet(b, in_b);
    }
    CHECK_EQ(atomic_load(&ran), 4000u);
    enkiDeleteTaskSet(a, in_a);
    enkiDeleteTaskSet(b, in_b);
    enkiDeleteTaskScheduler(a);
    CHECK_EQ(enkiGetThreadNum(b), 0u);
    enkiDeleteTaskScheduler(b);
}
