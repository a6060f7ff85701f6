// SPDX-License-Identifier: MIT
// The task callbacks on enkiTS, through its C interface. This is for an engine that has enkiTS
// already: put enkiTS's folder on the include path, include "TaskScheduler_c.h" without the folder
// in front, and link enkiTS. Here the file is compiled and linked with jobs/, which has the same
// interface.
//
// The number of a thread in enkiTS is the worker. The thread that opens the system is 0 and runs
// ranges itself while it waits in finish. Another thread that steps worlds must be registered
// (enkiRegisterExternalTaskThread) and gets a number by that.
#include "jobs/TaskScheduler_c.h"
#include "platform/atomic.h"
#include "tools/example/tasks.h"

#include <stdlib.h>

// A task set calls its function with one argument. Task and context are therefore kept beside it.
typedef struct loop {
    tlw_task* task;
    void* context;
    enkiTaskSet* set;
    tlw_atomic_u32 is_taken; // from enqueue to finish
} loop;

// Task sets are created once, so that enqueue and finish allocate nothing.
typedef struct enkits {
    enkiTaskScheduler* scheduler;
    loop loops[TLW_TASKS_IN_FLIGHT_MAX];
} enkits;

static void run_range(uint32_t begin, uint32_t end, uint32_t thread_number, void* args) {
    const loop* l = args;
    l->task(begin, end, thread_number, l->context);
}

static void* enqueue(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                     void* user) {
    enkits* s = user;
    if (count == 0) {
        return NULL;
    }
    for (loop* l = s->loops; l < s->loops + TLW_TASKS_IN_FLIGHT_MAX; ++l) {
        if (atomic_exchange(&l->is_taken, 1) == 0) {
            l->task = task;
            l->context = context;
            enkiAddTaskSetMinRange(s->scheduler, l->set, l, count, min_range);
            return l;
        }
    }
    // Not reached if the runtime keeps its promise. The caller's own number is safe to use, because
    // the caller runs nothing else at this moment; null says that everything has run.
    task(0, count, enkiGetThreadNum(s->scheduler), context);
    return NULL;
}

static void finish(void* handle, void* user) {
    enkits* s = user;
    loop* l = handle;
    enkiWaitForTaskSet(s->scheduler, l->set);
    atomic_store(&l->is_taken, 0);
}

static void close_enkits(const tlw_task_system* tasks) {
    enkits* s = tasks->user;
    for (int i = 0; i < TLW_TASKS_IN_FLIGHT_MAX; ++i) {
        if (s->loops[i].set != NULL) {
            enkiDeleteTaskSet(s->scheduler, s->loops[i].set);
        }
    }
    if (s->scheduler != NULL) {
        enkiDeleteTaskScheduler(s->scheduler); // ends the threads
    }
    free(s);
}

static tlw_task_system open_enkits(uint32_t worker_count) {
    enkits* s = calloc(1, sizeof *s);
    if (s == NULL) {
        return (tlw_task_system){.enqueue = NULL};
    }
    tlw_task_system tasks = {.enqueue = enqueue, .finish = finish, .user = s};
    s->scheduler = enkiNewTaskScheduler();
    bool is_open = s->scheduler != NULL;
    if (is_open) {
        // The init returns nothing. How many threads there are, with the calling one, is asked
        // after it: jobs/ goes on with fewer where the system refuses to start more.
        enkiInitTaskSchedulerNumThreads(s->scheduler, worker_count);
        tasks.worker_count = enkiGetNumTaskThreads(s->scheduler);
        is_open = tasks.worker_count > 0;
    }
    for (int i = 0; i < TLW_TASKS_IN_FLIGHT_MAX && is_open; ++i) {
        s->loops[i].set = enkiCreateTaskSet(s->scheduler, run_range);
        is_open = s->loops[i].set != NULL;
    }
    if (!is_open) {
        close_enkits(&tasks);
        return (tlw_task_system){.enqueue = NULL};
    }
    return tasks;
}

const example_tasks example_tasks_enkits = {"enkits", open_enkits, close_enkits};
