// SPDX-License-Identifier: MIT
// Job systems behind the task callbacks of platform/task.h, one file each: tasks_threads.c,
// tasks_jobs.c, tasks_enkits.c, tasks_tbb.cpp. Copy the file whose job system you have; none of
// them includes another. tallow-tasks (tasks_main.c) checks that they keep the contract and that
// all of them step a world to the same bits.
#ifndef TLW_TOOLS_EXAMPLE_TASKS_H
#define TLW_TOOLS_EXAMPLE_TASKS_H

#include "platform/task.h"

TLW_EXTERN_C_BEGIN

typedef struct example_tasks {
    const char* name;
    // Starts a job system with about worker_count workers (1 or more); the result says how many it
    // has. If it cannot be started, `enqueue` of the result is null and there is nothing to close.
    tlw_task_system (*open)(uint32_t worker_count);
    // Ends its threads, on the thread that opened it. Every handle must have been finished.
    void (*close)(const tlw_task_system* tasks);
} example_tasks;

extern const example_tasks example_tasks_threads;
extern const example_tasks example_tasks_jobs;
extern const example_tasks example_tasks_enkits;
extern const example_tasks example_tasks_tbb; // only where oneTBB was found

TLW_EXTERN_C_END

#endif
