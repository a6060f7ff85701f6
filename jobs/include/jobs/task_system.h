// SPDX-License-Identifier: MIT
// The scheduler behind the engine-neutral callbacks of platform/task.h: a fixed pool of task sets,
// made once, so that enqueue and finish allocate nothing.
#ifndef TLW_JOBS_TASK_SYSTEM_H
#define TLW_JOBS_TASK_SYSTEM_H

#include "jobs/TaskScheduler_c.h"
#include "platform/task.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_jobs_tasks tlw_jobs_tasks;

// For an initialised scheduler, which must outlive it; from its allocator. Null: no memory.
tlw_jobs_tasks* tlw_jobs_tasks_create(enkiTaskScheduler* scheduler);
// Nothing may be in flight.
void tlw_jobs_tasks_destroy(tlw_jobs_tasks* tasks);

// Valid until `tasks` is destroyed or the scheduler initialised again. Enqueue and finish from
// threads that have a number in the scheduler; a range's worker is that number. A range that itself
// waits runs other ranges meanwhile, with the same worker: scratch memory is not safe across it.
tlw_task_system tlw_jobs_task_system(tlw_jobs_tasks* tasks);

TLW_EXTERN_C_END

#endif
