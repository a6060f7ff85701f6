// SPDX-License-Identifier: MIT
// The task callbacks on Tallow's own scheduler: jobs/task_system.h has them ready, and two calls
// after the scheduler's init are all that an engine writes. The thread that opens the system is
// worker 0 and runs ranges itself while it waits in finish; the threads that the scheduler starts
// are the workers from 1 on. Another thread that steps worlds must be registered
// (enkiRegisterExternalTaskThread).
#include "jobs/task_system.h"
#include "tools/example/tasks.h"

// `user` of the task system belongs to jobs/, so this example keeps the two objects here. An engine
// keeps them wherever its other systems are.
static enkiTaskScheduler* scheduler;
static tlw_jobs_tasks* jobs;

static void close_jobs(const tlw_task_system* tasks) {
    (void)tasks;
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
    jobs = NULL;
    scheduler = NULL;
}

static tlw_task_system open_jobs(uint32_t worker_count) {
    scheduler = enkiNewTaskScheduler();
    if (scheduler == NULL) {
        return (tlw_task_system){.enqueue = NULL};
    }
    // If fewer threads can be started, it goes on with these; 0 if there is no memory for any.
    enkiInitTaskSchedulerNumThreads(scheduler, worker_count);
    if (enkiGetNumTaskThreads(scheduler) > 0) {
        // These are the two lines.
        jobs = tlw_jobs_tasks_create(scheduler);
        if (jobs != NULL) {
            return tlw_jobs_task_system(jobs);
        }
    }
    close_jobs(NULL);
    return (tlw_task_system){.enqueue = NULL};
}

const example_tasks example_tasks_jobs = {"jobs", open_jobs, close_jobs};
