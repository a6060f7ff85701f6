// SPDX-License-Identifier: MIT
// How the runtime asks for parallel work (MODEL 7.1): two callbacks that an engine implements with
// its own job system. jobs/ implements the same callbacks; the serial task system below needs no
// threads.
#ifndef TLW_PLATFORM_TASK_H
#define TLW_PLATFORM_TASK_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Works on items [begin, end). `worker` is below worker_count and selects scratch memory: two
// ranges with the same worker never run at the same time. A task never enqueues or finishes
// another. In C++ a function with extern "C" linkage or a lambda without captures will do.
typedef void tlw_task(uint32_t begin, uint32_t end, uint32_t worker, void* context);

// Divides [0, count) into ranges of at least min_range items, except the last, and runs every item
// exactly once, on any threads, in any order, now or later. Returns a handle for `finish`, or null
// if everything has run already; finish is not called for null. count may be 0, min_range is at
// least 1. Called a few times per step, on the thread that steps the world, so it may block or
// allocate. There are never more than TLW_TASKS_IN_FLIGHT_MAX unfinished handles per world, so an
// array of that many needs no heap.
typedef void* tlw_enqueue_task(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                               void* user);

// Returns when all items of the handle have run and their writes are visible to the caller. Called
// exactly once per handle, in any order, on the thread that enqueued it. It may run ranges of any
// handle meanwhile: a thread that helps is a worker like any other, with a number of its own that
// worker_count includes.
typedef void tlw_finish_task(void* handle, void* user);

#define TLW_TASKS_IN_FLIGHT_MAX 64

typedef struct tlw_task_system {
    tlw_enqueue_task* enqueue;
    tlw_finish_task* finish;
    void* user;
    uint32_t worker_count; // 1 or more
} tlw_task_system;

// Runs everything at once on the calling thread, as one range, as worker 0.
tlw_task_system tlw_serial_task_system(void);

TLW_EXTERN_C_END

#endif
