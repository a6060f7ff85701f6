// SPDX-License-Identifier: MIT
// The task callbacks on a plain thread pool. A handle is the address of a loop in a table, from
// which pool threads take ranges while the thread that enqueued it does something else. The number
// of a pool thread is the worker of its ranges. A thread that calls finish has none; it only waits.
#include "platform/thread.h"
#include "tools/example/tasks.h"

#include <stdlib.h>

typedef struct loop {
    tlw_task* task; // null: this entry of the table is free
    void* context;
    uint32_t count, range, next; // items, how many a worker takes, the first that is not taken
    tlw_atomic_u32 ranges_left;  // ranges that have not run to their end
    tlw_semaphore done;          // gets a unit when the last range has run
} loop;

typedef struct pool {
    tlw_semaphore work;                  // a unit per range to take; more than that: the pool ends
    tlw_semaphore lock;                  // guards the loops; has a unit while nobody holds it
    loop loops[TLW_TASKS_IN_FLIGHT_MAX]; // enough, by the contract of tlw_enqueue_task
    tlw_atomic_u32 numbers;              // given to workers so far
    uint32_t worker_count;
    tlw_thread threads[64];
} pool;

static void wait_for(tlw_semaphore* semaphore) {
    TLW_IGNORE(tlw_semaphore_wait(semaphore, TLW_WAIT_FOREVER)); // cannot time out
}

static void run_worker(void* user) {
    pool* p = user;
    const uint32_t worker = atomic_fetch_add(&p->numbers, 1);
    for (;;) {
        wait_for(&p->work);
        wait_for(&p->lock);
        loop* l = p->loops;
        while (l < p->loops + TLW_TASKS_IN_FLIGHT_MAX && l->next == l->count) {
            ++l;
        }
        if (l == p->loops + TLW_TASKS_IN_FLIGHT_MAX) { // a unit without a range: the pool ends
            tlw_semaphore_post(&p->lock, 1);
            return;
        }
        const uint32_t begin = l->next;
        const uint32_t end = l->count - begin < l->range ? l->count : begin + l->range;
        l->next = end;
        tlw_semaphore_post(&p->lock, 1);
        l->task(begin, end, worker, l->context);
        if (atomic_fetch_sub(&l->ranges_left, 1) == 1) {
            tlw_semaphore_post(&l->done, 1);
        }
    }
}

// Ranges are as small as they may be, because the runtime's items are whole characters.
static void* enqueue(tlw_task* task, uint32_t count, uint32_t range, void* context, void* user) {
    pool* p = user;
    if (count == 0) {
        return NULL;
    }
    wait_for(&p->lock);
    loop* l = p->loops;
    while (l->task != NULL) {
        ++l;
    }
    l->task = task;
    l->context = context;
    l->count = count;
    l->range = range;
    l->next = 0;
    const uint32_t range_count = (count - 1) / range + 1;
    atomic_store(&l->ranges_left, range_count);
    tlw_semaphore_post(&p->lock, 1);
    tlw_semaphore_post(&p->work, range_count);
    return l;
}

// The semaphore makes what the ranges wrote visible here.
static void finish(void* handle, void* user) {
    pool* p = user;
    loop* l = handle;
    wait_for(&l->done);
    wait_for(&p->lock);
    l->task = NULL;
    tlw_semaphore_post(&p->lock, 1);
}

static void close_pool(const tlw_task_system* tasks) {
    pool* p = tasks->user;
    tlw_semaphore_post(&p->work, p->worker_count);
    for (uint32_t i = 0; i < p->worker_count; ++i) {
        tlw_thread_join(&p->threads[i]);
    }
    free(p);
}

static tlw_task_system open_pool(uint32_t worker_count) {
    pool* p = calloc(1, sizeof *p); // also empties the semaphores
    if (p == NULL) {
        return (tlw_task_system){.enqueue = NULL};
    }
    tlw_semaphore_post(&p->lock, 1);
    tlw_thread_def def = tlw_default_thread_def();
    def.main = run_worker;
    def.user = p;
    // If the system refuses to start a thread, the threads before it do the work.
    while (p->worker_count < worker_count && p->worker_count < TLW_COUNT_OF(p->threads) &&
           tlw_thread_start(&p->threads[p->worker_count], &def) == TLW_OK) {
        p->worker_count += 1;
    }
    if (p->worker_count == 0) {
        free(p);
        return (tlw_task_system){.enqueue = NULL};
    }
    return (tlw_task_system){enqueue, finish, p, p->worker_count};
}

const example_tasks example_tasks_threads = {"threads", open_pool, close_pool};
