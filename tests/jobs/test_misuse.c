// SPDX-License-Identifier: MIT
// Calls that a program must not make. A debug build asserts with a message. A release build ignores
// the call, logs a line and writes no memory that it should not.
#include "tests/jobs/jobs_fixture.h"

#include "jobs/task_system.h"

// The call asserts with this message (where asserts are compiled in) and does no harm.
#define CHECK_MISUSE(call, message)                       \
    do {                                                  \
        misuse_begin();                                   \
        call;                                             \
        uint32_t asserts_ = misuse_end();                 \
        CHECK_EQ(asserts_ > 0, (bool)TLW_ENABLE_ASSERTS); \
        CHECK_CONTAINS(misuse_message(), message);        \
    } while (0)
// The same for a call that a release build corrects silently.
#define CHECK_MISUSE_CORRECTED(call)                      \
    do {                                                  \
        misuse_begin();                                   \
        call;                                             \
        uint32_t asserts_ = misuse_end();                 \
        CHECK_EQ(asserts_ > 0, (bool)TLW_ENABLE_ASSERTS); \
    } while (0)

JOBS_TEST(null_scheduler_is_named) {
    tlw_atomic_u32 ran = 0;
    enkiTaskScheduler* s = new_scheduler(2);
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, 0);
    enkiDependency* dependency = enkiCreateDependency(s);
    enkiCompletable* plain = enkiCreateCompletable(s);
    enkiCompletionAction* action = enkiCreateCompletionAction(s, NULL, NULL);
    enkiTaskScheduler* no = NULL;
    CHECK_MISUSE(CHECK(!enkiCreateTaskSet(no, count_range)), "scheduler");
    CHECK_MISUSE(CHECK(!enkiCreatePinnedTask(no, count_pinned, 0)), "scheduler");
    CHECK_MISUSE(CHECK(!enkiCreateCompletable(no)), "scheduler");
    CHECK_MISUSE(CHECK(!enkiCreateDependency(no)), "scheduler");
    CHECK_MISUSE(CHECK(!enkiCreateCompletionAction(no, NULL, NULL)), "scheduler");
    CHECK_MISUSE(CHECK(!tlw_jobs_tasks_create(no)), "scheduler");
    CHECK_MISUSE(enkiDeleteTaskSet(no, set), "scheduler");
    CHECK_MISUSE(enkiDeletePinnedTask(no, pinned), "scheduler");
    CHECK_MISUSE(enkiDeleteCompletable(no, plain), "scheduler");
    CHECK_MISUSE(enkiDeleteDependency(no, dependency), "scheduler");
    CHECK_MISUSE(enkiDeleteCompletionAction(no, action), "scheduler");
    CHECK_MISUSE(enkiAddTaskSet(no, set), "scheduler");
    CHECK_MISUSE(enkiAddTaskSetArgs(no, set, &ran, 1), "scheduler");
    CHECK_MISUSE(enkiAddTaskSetMinRange(no, set, &ran, 1, 1), "scheduler");
    CHECK_MISUSE(enkiAddPinnedTask(no, pinned), "scheduler");
    CHECK_MISUSE(enkiAddPinnedTaskArgs(no, pinned, &ran), "scheduler");
    CHECK_MISUSE(enkiWaitForTaskSet(no, set), "scheduler");
    CHECK_MISUSE(enkiRunPinnedTasks(no), "scheduler");
    CHECK_MISUSE(enkiWaitForNewPinnedTasks(no), "scheduler");
    CHECK_MISUSE(enkiWaitForAll(no), "scheduler");
    CHECK_MISUSE(enkiWaitforAllAndShutdown(no), "scheduler");
    CHECK_MISUSE(enkiDeleteTaskScheduler(no), "scheduler");
    CHECK_MISUSE(enkiInitTaskScheduler(no), "scheduler");
    CHECK_MISUSE(enkiInitTaskSchedulerNumThreads(no, 2), "scheduler");
    CHECK_MISUSE(enkiInitTaskSchedulerWithConfig(no, enkiGetTaskSchedulerConfig(s)), "scheduler");
    CHECK_MISUSE((void)enkiGetTaskSchedulerConfig(no), "scheduler");
    CHECK_MISUSE(CHECK_EQ(enkiGetNumTaskThreads(no), 0u), "scheduler");
    CHECK_MISUSE(CHECK_EQ(enkiGetThreadNum(no), ENKI_NO_THREAD_NUM), "scheduler");
    CHECK_MISUSE(CHECK(!enkiGetIsRunning(no)), "scheduler");
    CHECK_MISUSE(CHECK(enkiGetIsShutdownRequested(no)), "scheduler");
    CHECK_MISUSE(CHECK(enkiGetIsWaitforAllCalled(no)), "scheduler");
    CHECK_MISUSE(CHECK(!enkiRegisterExternalTaskThread(no)), "scheduler");
    CHECK_MISUSE(CHECK(!enkiRegisterExternalTaskThreadNum(no, 1)), "scheduler");
    CHECK_MISUSE(enkiDeRegisterExternalTaskThread(no), "scheduler");
    CHECK_MISUSE(CHECK_EQ(enkiGetNumRegisteredExternalTaskThreads(no), 0u), "scheduler");
    CHECK_EQ(atomic_load(&ran), 0u);
    enkiDeleteTaskSet(s, set);
    enkiDeletePinnedTask(s, pinned);
    enkiDeleteDependency(s, dependency);
    enkiDeleteCompletable(s, plain);
    enkiDeleteCompletionAction(s, action);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(null_objects_and_functions_are_named) {
    enkiTaskScheduler* s = new_scheduler(2);
    CHECK_MISUSE(CHECK(!enkiCreateTaskSet(s, NULL)), "function");
    CHECK_MISUSE(CHECK(!enkiCreatePinnedTask(s, NULL, 0)), "function");
    CHECK_MISUSE(enkiAddTaskSet(s, NULL), "set");
    CHECK_MISUSE(enkiAddTaskSetArgs(s, NULL, NULL, 1), "set");
    CHECK_MISUSE(enkiAddTaskSetMinRange(s, NULL, NULL, 1, 1), "set");
    CHECK_MISUSE(enkiAddPinnedTask(s, NULL), "pinned");
    CHECK_MISUSE(enkiAddPinnedTaskArgs(s, NULL, NULL), "pinned");
    CHECK_MISUSE((void)enkiGetParamsTaskSet(NULL), "null task set");
    CHECK_MISUSE(enkiSetParamsTaskSet(NULL, (struct enkiParamsTaskSet){.priority = 0}), "null");
    CHECK_MISUSE(enkiSetPriorityTaskSet(NULL, 0), "null");
    CHECK_MISUSE(enkiSetArgsTaskSet(NULL, NULL), "null");
    CHECK_MISUSE(enkiSetSetSizeTaskSet(NULL, 0), "null");
    CHECK_MISUSE(enkiSetMinRangeTaskSet(NULL, 0), "null");
    CHECK_MISUSE(CHECK(enkiIsTaskSetComplete(s, NULL)), "null");
    CHECK_MISUSE((void)enkiGetParamsPinnedTask(NULL), "null");
    CHECK_MISUSE(enkiSetParamsPinnedTask(NULL, (struct enkiParamsPinnedTask){.priority = 0}),
                 "null");
    CHECK_MISUSE(enkiSetPriorityPinnedTask(NULL, 0), "null");
    CHECK_MISUSE(enkiSetArgsPinnedTask(NULL, NULL), "null");
    CHECK_MISUSE(CHECK(enkiIsPinnedTaskComplete(s, NULL)), "null");
    CHECK_MISUSE((void)enkiGetParamsCompletionAction(NULL), "null");
    CHECK_MISUSE(enkiSetParamsCompletionAction(
                     NULL, (struct enkiParamsCompletionAction){.pDependency = NULL}),
                 "null");
    CHECK_MISUSE(enkiSetDependency(NULL, NULL, NULL), "missing");
    CHECK_MISUSE((void)tlw_jobs_task_system(NULL), "null");
    struct enkiCustomAllocator none = {.alloc = NULL};
    CHECK_MISUSE(CHECK(!enkiNewTaskSchedulerWithCustomAllocator(none)), "allocator");
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    config.customAllocator.free = NULL;
    CHECK_MISUSE(enkiInitTaskSchedulerWithConfig(s, config), "allocator");
    config = enkiGetTaskSchedulerConfig(s);
    config.numTaskThreadsToCreate = 1u << 20;
    CHECK_MISUSE(enkiInitTaskSchedulerWithConfig(s, config), "more threads");
    CHECK_MISUSE(enkiInitTaskSchedulerNumThreads(s, 0), "calling thread");
    CHECK_EQ(enkiGetNumTaskThreads(s), 2u); // unchanged
    // Deleting null is allowed, and so is waiting for it.
    enkiDeleteTaskSet(s, NULL);
    enkiDeletePinnedTask(s, NULL);
    enkiDeleteCompletable(s, NULL);
    enkiDeleteDependency(s, NULL);
    enkiDeleteCompletionAction(s, NULL);
    tlw_jobs_tasks_destroy(NULL);
    enkiWaitForPinnedTask(s, NULL);
    enkiWaitForPinnedTaskPriority(s, NULL, 0);
    enkiWaitForCompletable(s, NULL);
    CHECK(enkiGetCompletableFromTaskSet(NULL) == NULL);
    CHECK(enkiGetCompletableFromPinnedTask(NULL) == NULL);
    CHECK(enkiGetCompletableFromCompletionAction(NULL) == NULL);
    enkiDeleteTaskScheduler(s);
}

typedef struct stranger {
    enkiTaskScheduler* scheduler;
    enkiTaskSet* set;
    enkiTaskSet* running;
    tlw_task_system tasks;
    tlw_atomic_u32 ran;
} stranger;

static void run_task(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    count_range(begin, end, worker, context);
}

static void act_as_stranger(void* user) {
    stranger* from = user;
    enkiTaskScheduler* s = from->scheduler;
    enkiAddTaskSetArgs(s, from->set, &from->ran, 100);
    enkiWaitForTaskSet(s, from->set);
    enkiWaitForTaskSet(s, from->running);
    enkiWaitForTaskSet(s, NULL);
    enkiWaitForAll(s);
    enkiRunPinnedTasks(s);
    enkiWaitForNewPinnedTasks(s);
    enkiDeRegisterExternalTaskThread(s);
    (void)enkiRegisterExternalTaskThread(s); // there are no external numbers
    (void)enkiRegisterExternalTaskThreadNum(s, 1);
    (void)from->tasks.enqueue(run_task, 10, 1, &from->ran, from->tasks.user);
}

static void nap(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    tlw_thread_sleep_ns(20000000);
    if (args) {
        atomic_fetch_add((tlw_atomic_u32*)args, 1);
    }
}

JOBS_TEST(unregistered_thread_that_adds_work_is_refused) {
    enkiTaskScheduler* s = new_scheduler(2);
    tlw_jobs_tasks* tasks = tlw_jobs_tasks_create(s);
    stranger from = {.scheduler = s,
                     .set = enkiCreateTaskSet(s, count_range),
                     .running = enkiCreateTaskSet(s, nap),
                     .tasks = tlw_jobs_task_system(tasks)};
    enkiAddTaskSet(s, from.running);
    test_thread thread;
    misuse_begin();
    run_thread(&thread, act_as_stranger, &from);
    tlw_thread_join(&thread.thread);
    uint32_t asserts = misuse_end();
    CHECK_EQ(asserts, TLW_ENABLE_ASSERTS ? 9u : 0u);
    CHECK_CONTAINS(misuse_message(), "not registered");
    CHECK_EQ(atomic_load(&from.ran), 0u);
    CHECK(enkiIsTaskSetComplete(s, from.set));
    CHECK(enkiIsTaskSetComplete(s, from.running)); // its wait did wait
    enkiDeleteTaskSet(s, from.set);
    enkiDeleteTaskSet(s, from.running);
    tlw_jobs_tasks_destroy(tasks);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(deleting_what_runs_frees_it_when_it_has_run) {
    counting_allocator counts = {.bytes = 0};
    enkiTaskScheduler* s = new_counting_scheduler(&counts, 2);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, nap);
    enkiTaskSet* after = enkiCreateTaskSet(s, count_range);
    enkiTaskSet* first = enkiCreateTaskSet(s, count_range);
    enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, 0);
    enkiCompletable* plain = enkiCreateCompletable(s);
    enkiCompletionAction* action = enkiCreateCompletionAction(s, NULL, NULL);
    enkiDependency* d[2] = {enkiCreateDependency(s), enkiCreateDependency(s)};
    enkiSetDependency(d[0], enkiGetCompletableFromTaskSet(first),
                      enkiGetCompletableFromTaskSet(set));
    enkiSetDependency(d[1], enkiGetCompletableFromTaskSet(set),
                      enkiGetCompletableFromTaskSet(after));
    enkiSetParamsCompletionAction(action, (struct enkiParamsCompletionAction){
                                              .pDependency = enkiGetCompletableFromTaskSet(after)});
    enkiDependency* to_plain = enkiCreateDependency(s);
    enkiSetDependency(to_plain, enkiGetCompletableFromTaskSet(after), plain);
    enkiSetArgsTaskSet(after, &ran);
    enkiSetArgsTaskSet(set, &ran);
    enkiAddTaskSetArgs(s, first, &ran, 1);
    enkiAddPinnedTaskArgs(s, pinned, &ran);
    CHECK_MISUSE(enkiDeleteTaskSet(s, set), "has not completed");
    CHECK_MISUSE(enkiDeletePinnedTask(s, pinned), "has not completed");
    CHECK_MISUSE(enkiDeleteCompletable(s, plain), "has not completed");
    CHECK_MISUSE(enkiDeleteCompletionAction(s, action), "has not completed");
    CHECK_MISUSE(enkiDeleteDependency(s, d[1]), "dependency of what runs");
    CHECK_MISUSE(enkiSetDependency(d[1], enkiGetCompletableFromTaskSet(first), plain), "in use");
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&ran), 4u);
    enkiDeleteTaskSet(s, first);
    enkiDeleteTaskSet(s, after);
    enkiDeleteDependency(s, d[0]);
    enkiDeleteDependency(s, d[1]);
    enkiDeleteDependency(s, to_plain);
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
}

JOBS_TEST(adding_what_runs_is_refused) {
    enkiTaskScheduler* s = new_scheduler(1);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, 0);
    enkiAddTaskSetArgs(s, set, &ran, 10);
    enkiAddPinnedTaskArgs(s, pinned, &ran);
    CHECK_MISUSE(enkiAddTaskSet(s, set), "while it runs");
    CHECK_MISUSE(enkiAddTaskSetArgs(s, set, NULL, 7), "while it runs");
    CHECK_MISUSE(enkiAddTaskSetMinRange(s, set, NULL, 7, 1), "while it runs");
    CHECK_MISUSE(enkiAddPinnedTask(s, pinned), "while it runs");
    CHECK_MISUSE(enkiAddPinnedTaskArgs(s, pinned, NULL), "while it runs");
    enkiWaitForAll(s);
    CHECK_EQ(atomic_load(&ran), 11u);
    enkiDeleteTaskSet(s, set);
    enkiDeletePinnedTask(s, pinned);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(numbers_out_of_range_are_corrected_or_refused) {
    enkiTaskScheduler* s = new_scheduler(2);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    CHECK_MISUSE_CORRECTED(enkiSetPriorityTaskSet(set, -1));
    CHECK_EQ(enkiGetParamsTaskSet(set).priority, 0);
    CHECK_MISUSE_CORRECTED(enkiSetPriorityTaskSet(set, ENKITS_TASK_PRIORITIES_NUM));
    CHECK_EQ(enkiGetParamsTaskSet(set).priority, ENKITS_TASK_PRIORITIES_NUM - 1);
    enkiSetPriorityTaskSet(set, 0);
    CHECK_MISUSE_CORRECTED(enkiSetPriorityTaskSet(set, 99));
    CHECK_EQ(enkiGetParamsTaskSet(set).priority, ENKITS_TASK_PRIORITIES_NUM - 1);
    enkiAddTaskSetArgs(s, set, &ran, 5);
    CHECK_MISUSE_CORRECTED(enkiWaitForTaskSetPriority(s, set, -5));
    enkiAddTaskSetArgs(s, set, &ran, 5);
    enkiWaitForTaskSetPriority(s, set, 1000); // larger than any priority means all of them
    CHECK_EQ(atomic_load(&ran), 10u);
    enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, 17);
    CHECK_MISUSE(enkiSetPriorityPinnedTask(pinned, -1), "priority");
    CHECK_MISUSE(enkiSetPriorityPinnedTask(pinned, 3), "priority");
    CHECK_MISUSE(enkiAddPinnedTask(s, pinned), "a thread that there is not");
    CHECK(enkiIsPinnedTaskComplete(s, pinned));
    CHECK_MISUSE(CHECK(!enkiRegisterExternalTaskThreadNum(s, 1)), "not an external thread");
    enkiCompletable* inside = enkiGetCompletableFromTaskSet(set);
    CHECK_MISUSE(enkiDeleteCompletable(s, inside), "part of something");
    enkiDependency* d = enkiCreateDependency(s);
    CHECK_MISUSE(enkiSetDependency(d, inside, inside), "on itself");
    enkiDeleteDependency(s, d);
    enkiDeletePinnedTask(s, pinned);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}
