// SPDX-License-Identifier: MIT
// The callbacks of platform/task.h on top of the scheduler (MODEL 7.1): a pool of 64 task sets,
// made once, so that enqueue and finish allocate nothing.
#include "jobs/task_system.h"

#include "jobs/scheduler.h"

typedef struct pooled_task {
    tlw_task* task;
    void* context;
    enkiTaskSet* set;
} pooled_task;

struct tlw_jobs_tasks {
    enkiTaskScheduler* scheduler;
    tlw_atomic_u64 taken; // one bit per entry of the pool
    uint8_t allocator;
    pooled_task pool[TLW_TASKS_IN_FLIGHT_MAX];
};
TLW_STATIC_ASSERT(TLW_TASKS_IN_FLIGHT_MAX == 64, "one bit of `taken` each");

static void run_range(uint32_t begin, uint32_t end, uint32_t worker, void* args) {
    const pooled_task* entry = args;
    entry->task(begin, end, worker, entry->context);
}

// Null if all are taken.
static pooled_task* take_entry(tlw_jobs_tasks* tasks) {
    const uint64_t bit = tlw_pool_take(&tasks->taken);
    return bit ? &tasks->pool[__builtin_ctzll(bit)] : NULL;
}

static void* enqueue(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                     void* user) {
    tlw_jobs_tasks* tasks = user;
    if (count == 0) {
        return NULL;
    }
    uint32_t number = enkiGetThreadNum(tasks->scheduler);
    TLW_REQUIRE(number != ENKI_NO_THREAD_NUM, "enqueued by a thread that is not registered", NULL);
    // If there is no other thread, or more tasks are in flight than promised, the caller runs it.
    pooled_task* entry = enkiGetNumTaskThreads(tasks->scheduler) > 1 ? take_entry(tasks) : NULL;
    if (!entry) {
        task(0, count, number, context);
        return NULL;
    }
    entry->task = task;
    entry->context = context;
    enkiAddTaskSetMinRange(tasks->scheduler, entry->set, entry, count, min_range);
    return entry;
}

static void finish(void* handle, void* user) {
    tlw_jobs_tasks* tasks = user;
    pooled_task* entry = handle;
    enkiWaitForTaskSet(tasks->scheduler, entry->set);
    tlw_pool_give(&tasks->taken, (uint64_t)1 << (entry - tasks->pool));
}

tlw_jobs_tasks* tlw_jobs_tasks_create(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a task system without a scheduler", NULL);
    uint8_t allocator;
    tlw_jobs_tasks* tasks = tlw_job_alloc(scheduler, sizeof *tasks, &allocator, __FILE__, __LINE__);
    if (!tasks) {
        return NULL;
    }
    *tasks = (tlw_jobs_tasks){.scheduler = scheduler, .allocator = allocator};
    for (int i = 0; i < TLW_TASKS_IN_FLIGHT_MAX; ++i) {
        tasks->pool[i].set = enkiCreateTaskSet(scheduler, run_range);
        if (!tasks->pool[i].set) {
            tlw_jobs_tasks_destroy(tasks);
            return NULL;
        }
    }
    return tasks;
}

void tlw_jobs_tasks_destroy(tlw_jobs_tasks* tasks) {
    if (!tasks) {
        return;
    }
    TLW_ASSERT_MESSAGE(atomic_load_explicit(&tasks->taken, memory_order_relaxed) == 0,
                       "tasks are still in flight");
    for (int i = 0; i < TLW_TASKS_IN_FLIGHT_MAX; ++i) {
        enkiDeleteTaskSet(tasks->scheduler, tasks->pool[i].set);
    }
    tlw_job_free(tasks->scheduler, tasks, sizeof *tasks, tasks->allocator, __FILE__, __LINE__);
}

tlw_task_system tlw_jobs_task_system(tlw_jobs_tasks* tasks) {
    TLW_REQUIRE(tasks, "a null task system", tlw_serial_task_system());
    uint32_t workers = enkiGetNumTaskThreads(tasks->scheduler);
    return (tlw_task_system){
        .enqueue = enqueue, .finish = finish, .user = tasks, .worker_count = workers ? workers : 1};
}
