// SPDX-License-Identifier: MIT
// Connects the scheduler to the engine-neutral callbacks of platform/task.h. It has a fixed pool of
// task sets, made once, so that enqueue and finish allocate nothing.
#ifndef TLW_JOBS_TASK_SYSTEM_H
#define TLW_JOBS_TASK_SYSTEM_H

#include "jobs/TaskScheduler_c.h"
#include "platform/task.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_jobs_tasks tlw_jobs_tasks;

// The scheduler must be initialised and must outlive the result, which is allocated by the
// scheduler's allocator. Null if there is no memory.
tlw_jobs_tasks* tlw_jobs_tasks_create(enkiTaskScheduler* scheduler);
// No task may be in flight.
void tlw_jobs_tasks_destroy(tlw_jobs_tasks* tasks);

// Valid until `tasks` is destroyed or the scheduler is initialised again. Only threads that have a
// number in the scheduler may enqueue and finish; that number is a range's worker. A range that
// itself waits runs other ranges meanwhile with the same worker, so scratch memory does not survive
// a wait.
tlw_task_system tlw_jobs_task_system(tlw_jobs_tasks* tasks);

TLW_EXTERN_C_END

#endif
