// SPDX-License-Identifier: MIT
// How the runtime asks for parallel work: two callbacks that an engine fills in with its own job
// system. jobs/ is the default behind the same callbacks; the serial one below needs no threads.
#ifndef TLW_PLATFORM_TASK_H
#define TLW_PLATFORM_TASK_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Works on items [begin, end). `worker` < worker_count names scratch memory: two ranges with the
// same worker never run at the same time.
typedef void tlw_task(uint32_t begin, uint32_t end, uint32_t worker, void* context);

// Cuts [0, count) into ranges of at least min_range items (but for the last) and has every item run
// exactly once, on any threads, in any order, now or later. Returns a handle for `finish`, or null
// if everything has run already; for null, finish is not called. count may be 0. Never called for
// more than TLW_TASKS_IN_FLIGHT_MAX unfinished handles.
typedef void* tlw_enqueue_task(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                               void* user);

// Returns when every item of that handle has run and its writes are visible to the caller. Called
// exactly once for each handle, on the thread that enqueued it.
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
