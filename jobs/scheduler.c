// SPDX-License-Identifier: MIT
// Creating, starting and stopping the scheduler, its threads and their numbers, memory, and waiting
// until no work is left. The protocol between the threads is in sleep.h and queue.h.
#include "jobs/scheduler.h"
#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>
#if TLW_OS_WINDOWS
#    include <malloc.h>
#endif

// ---- Memory ---------------------------------------------------------------------------------

void* enkiDefaultAllocFunc(size_t align, size_t size, void* user, const char* file, int line) {
    (void)user;
    (void)file;
    (void)line;
#if TLW_OS_WINDOWS
    return _aligned_malloc(size, align);
#else
    if (align <= _Alignof(max_align_t)) {
        return malloc(size);
    }
    // aligned_alloc requires a size that is a multiple of the alignment.
    return aligned_alloc(align, (size + align - 1) & ~(align - 1));
#endif
}

void enkiDefaultFreeFunc(void* memory, size_t size, void* user, const char* file, int line) {
    (void)size;
    (void)user;
    (void)file;
    (void)line;
#if TLW_OS_WINDOWS
    _aligned_free(memory);
#else
    free(memory);
#endif
}

static void* alloc_with(const struct enkiCustomAllocator* allocator, size_t align, size_t size,
                        const char* file, int line) {
    return allocator->alloc(align, size, allocator->userData, file, line);
}

// An init may change the allocator while objects of the last one still exist. Each object remembers
// its own allocator.
static uint8_t use_allocator(enkiTaskScheduler* scheduler, struct enkiCustomAllocator allocator) {
    for (uint32_t i = 0; i < scheduler->allocator_count; ++i) {
        const struct enkiCustomAllocator* known = &scheduler->allocators[i];
        if (known->alloc == allocator.alloc && known->free == allocator.free &&
            known->userData == allocator.userData) {
            return (uint8_t)i;
        }
    }
    TLW_REQUIRE(scheduler->allocator_count < TLW_ALLOCATORS, "too many different allocators",
                (uint8_t)(scheduler->allocator_count - 1));
    scheduler->allocators[scheduler->allocator_count] = allocator;
    return (uint8_t)scheduler->allocator_count++;
}

void* tlw_job_alloc(enkiTaskScheduler* scheduler, size_t size, uint8_t* allocator, const char* file,
                    int line) {
    *allocator = scheduler->current_allocator;
    return alloc_with(&scheduler->allocators[*allocator], _Alignof(uint64_t), size, file, line);
}

void tlw_job_free(enkiTaskScheduler* scheduler, void* memory, size_t size, uint8_t allocator,
                  const char* file, int line) {
    const struct enkiCustomAllocator* from = &scheduler->allocators[allocator];
    from->free(memory, size, from->userData, file, line);
}

// ---- The calling thread ---------------------------------------------------------------------

// A thread may have a number in several schedulers. The one used last is remembered here. The
// others are found in their scheduler's table, where the address of this variable identifies the
// thread.
typedef struct current_thread {
    uint64_t epoch;
    tlw_job_thread* thread;
} current_thread;
static TLW_THREAD_LOCAL current_thread current;

// Counts starts of schedulers. A remembered thread of a deleted scheduler is then not mistaken for
// one of another scheduler at the same address.
static tlw_atomic_u64 last_epoch;

static TLW_NOINLINE tlw_job_thread* find_current(enkiTaskScheduler* scheduler) {
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        if (atomic_load_explicit(&thread->owner, memory_order_relaxed) == &current) {
            current = (current_thread){.epoch = scheduler->epoch, .thread = thread};
            return thread;
        }
    }
    return NULL;
}

tlw_job_thread* tlw_job_current(enkiTaskScheduler* scheduler) {
    return TLW_LIKELY(current.epoch == scheduler->epoch && current.thread)
               ? current.thread
               : find_current(scheduler);
}

static bool try_own(tlw_job_thread* thread) {
    if (!tlw_owner_take(&thread->owner, &current)) {
        return false;
    }
    current = (current_thread){.epoch = thread->scheduler->epoch, .thread = thread};
    return true;
}

uint32_t tlw_job_number_end(const enkiTaskScheduler* scheduler) {
    return scheduler->threads ? scheduler->first_created + scheduler->config.numTaskThreadsToCreate
                              : 0;
}

uint32_t enkiGetNumTaskThreads(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", 0);
    return tlw_job_number_end(scheduler);
}

uint32_t enkiGetThreadNum(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", ENKI_NO_THREAD_NUM);
    tlw_job_thread* thread = tlw_job_current(scheduler);
    return thread ? thread->number : ENKI_NO_THREAD_NUM;
}

uint32_t enkiGetNumFirstExternalTaskThread(void) {
    return 1;
}

static int register_between(enkiTaskScheduler* scheduler, uint32_t first, uint32_t end) {
    TLW_REQUIRE(!tlw_job_current(scheduler), "a thread registered twice", 0);
    for (uint32_t i = first; i < end; ++i) {
        if (try_own(&scheduler->threads[i])) {
            atomic_fetch_add_explicit(&scheduler->external_count, 1, memory_order_relaxed);
            return 1;
        }
    }
    return 0;
}

int enkiRegisterExternalTaskThread(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", 0);
    return register_between(scheduler, 1, scheduler->first_created);
}

int enkiRegisterExternalTaskThreadNum(enkiTaskScheduler* scheduler, uint32_t number) {
    TLW_REQUIRE(scheduler, "a null scheduler", 0);
    TLW_REQUIRE(number >= 1 && number < scheduler->first_created,
                "a number that is not an external thread's", 0);
    return register_between(scheduler, number, number + 1);
}

void enkiDeRegisterExternalTaskThread(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", TLW_NOTHING);
    tlw_job_thread* thread = tlw_job_current(scheduler);
    TLW_REQUIRE(thread && thread->number >= 1 && thread->number < scheduler->first_created,
                "a thread that is not registered", TLW_NOTHING);
    current = (current_thread){.thread = NULL};
    atomic_fetch_sub_explicit(&scheduler->external_count, 1, memory_order_relaxed);
    // Work that is still in the pipe can be taken by others and by the next owner.
    tlw_owner_leave(&thread->owner);
}

uint32_t enkiGetNumRegisteredExternalTaskThreads(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", 0);
    return atomic_load_explicit(&scheduler->external_count, memory_order_relaxed);
}

// ---- Waiting for all ------------------------------------------------------------------------

static void wait_for_all(enkiTaskScheduler* scheduler, tlw_job_thread* thread) {
    TLW_JOBS_ZONE("wait for all");
    const bool was_busy = thread->busy;
    tlw_wait_for_all_begins(&scheduler->wait_for_all_count);
    uint32_t tries = 0;
    while (atomic_load_explicit(&scheduler->running, memory_order_relaxed)) {
        if (tlw_run_one(thread, TLW_LAST_PRIORITY, NULL)) {
            tries = 0;
            continue;
        }
        if (tlw_is_quiet(scheduler, thread)) {
            break;
        }
        // Wakes threads that wait for pinned tasks in a loop, which may want to end it.
        for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
            (void)tlw_claim(scheduler, &scheduler->threads[i], TLW_PARK_PINNED);
        }
        tries += 1;
        if (tries < 200 && !scheduler->oversubscribed) {
            tlw_backoff(tries);
        } else if (tries < 220 && !tlw_is_crowded(scheduler, tlw_clock_ns())) {
            tlw_thread_yield();
        } else {
            tries = tries < 220 ? 220 : tries;
            // A thread runs something long, and its end is not signalled. Looks again at growing
            // intervals, from 50 us to 2 ms.
            uint64_t nap_ns = 50000u * (uint64_t)(tries < 260 ? tries - 219 : 40);
            tlw_park_announce(thread, TLW_PARK_WAIT + TLW_LAST_PRIORITY);
            if (tlw_work_is_visible(thread, TLW_LAST_PRIORITY)) {
                (void)tlw_park_cancel(thread, TLW_PARK_WAIT + TLW_LAST_PRIORITY);
            } else {
                (void)tlw_park_sleep(thread, TLW_PARK_WAIT + TLW_LAST_PRIORITY, nap_ns);
            }
        }
    }
    if (!was_busy) {
        tlw_end_busy(thread);
    }
    atomic_fetch_sub_explicit(&scheduler->wait_for_all_count, 1, memory_order_relaxed);
}

void enkiWaitForAll(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", TLW_NOTHING);
    if (!atomic_load_explicit(&scheduler->running, memory_order_relaxed)) {
        return;
    }
    tlw_job_thread* thread = tlw_job_current(scheduler);
    TLW_REQUIRE(thread, "a wait by a thread that is not registered", TLW_NOTHING);
    wait_for_all(scheduler, thread);
}

int enkiGetIsRunning(enkiTaskScheduler* scheduler) {
    return !enkiGetIsShutdownRequested(scheduler);
}

int enkiGetIsShutdownRequested(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", 1);
    return tlw_flag_is_raised(&scheduler->shutdown_requested);
}

int enkiGetIsWaitforAllCalled(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", 1);
    return tlw_flag_is_raised(&scheduler->wait_for_all_count) ||
           tlw_flag_is_raised(&scheduler->shutdown_requested);
}

// ---- Threads --------------------------------------------------------------------------------

static void thread_main(void* user) {
    tlw_job_thread* thread = user;
    enkiTaskScheduler* scheduler = thread->scheduler;
    const struct enkiProfilerCallbacks* callbacks = &scheduler->config.profilerCallbacks;
    (void)try_own(thread);
    if (callbacks->threadStart) {
        callbacks->threadStart(thread->number);
    }
    // It has inherited its cores. If the callback has chosen others, move_thread (sleep.c) notices.
    thread->system_id = tlw_thread_current_id();
    thread->cores_set = scheduler->cores;
    thread->may_be_moved = scheduler->has_cores && !scheduler->oversubscribed;
    while (atomic_load_explicit(&scheduler->running, memory_order_relaxed)) {
        if (tlw_run_one(thread, TLW_LAST_PRIORITY, NULL)) {
            thread->idle_since_ns = 0;
        } else {
            tlw_end_busy(thread);
            tlw_idle(thread);
        }
    }
    tlw_end_busy(thread);
    if (callbacks->threadStop) {
        callbacks->threadStop(thread->number);
    }
}

static uint32_t log2_up(uint32_t value) {
    uint32_t log = 0;
    while (((uint32_t)1 << log) < value) {
        log += 1;
    }
    return log;
}

// Prepares the table. Created threads take their entries themselves when they start.
static void init_threads(enkiTaskScheduler* scheduler) {
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        memset(thread, 0, sizeof *thread);
        thread->scheduler = scheduler;
        thread->number = i;
        atomic_init(&thread->idle_core, TLW_ANY_CORE);
    }
}

static void start_threads(enkiTaskScheduler* scheduler) {
    scheduler->first_created = 1 + scheduler->config.numExternalTaskThreads;
    scheduler->thread_count = scheduler->first_created + scheduler->config.numTaskThreadsToCreate;
    scheduler->threads_bytes = scheduler->thread_count * sizeof(tlw_job_thread);
    scheduler->threads_allocator = scheduler->current_allocator;
    scheduler->threads =
        alloc_with(&scheduler->allocators[scheduler->threads_allocator], _Alignof(tlw_job_thread),
                   scheduler->threads_bytes, __FILE__, __LINE__);
    if (!scheduler->threads) {
        tlw_log(TLW_LOG_ERROR, "jobs: no memory for %u threads", scheduler->thread_count);
        scheduler->thread_count = 0;
        return;
    }
    uint32_t cores = tlw_core_count();
    uint32_t working = 1 + scheduler->config.numTaskThreadsToCreate;
    scheduler->parties = scheduler->thread_count < cores ? scheduler->thread_count : cores;
    scheduler->share_shift = log2_up(scheduler->parties);
    scheduler->oversubscribed = working > cores;
    scheduler->epoch = atomic_fetch_add_explicit(&last_epoch, 1, memory_order_relaxed) + 1;
    // Starting the threads orders all of this before what they do.
    atomic_store_explicit(&scheduler->idle, 0, memory_order_relaxed);
    atomic_store_explicit(&scheduler->shutdown_requested, 0, memory_order_relaxed);
    atomic_store_explicit(&scheduler->wait_for_all_count, 0, memory_order_relaxed);
    atomic_store_explicit(&scheduler->external_count, 0, memory_order_relaxed);
    atomic_store_explicit(&scheduler->running, 1, memory_order_relaxed);
    init_threads(scheduler);
    scheduler->has_cores = tlw_thread_get_cores(&scheduler->cores);
    (void)try_own(&scheduler->threads[0]);
    for (uint32_t i = scheduler->first_created; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        tlw_thread_def def = tlw_default_thread_def();
        def.main = thread_main;
        def.user = thread;
        def.name = "tallow job";
        if (tlw_thread_start(&thread->system_thread, &def) != TLW_OK) {
            // The threads that could be started do the work. The table keeps its size, because they
            // look at it; no thread has the numbers above.
            tlw_log(TLW_LOG_ERROR, "jobs: only %u of %u threads could be started",
                    i - scheduler->first_created, scheduler->config.numTaskThreadsToCreate);
            scheduler->config.numTaskThreadsToCreate = i - scheduler->first_created;
            break;
        }
    }
}

// Pinned tasks that nobody ran are not pending any more: they can be deleted, or added again.
static void drop_pinned(tlw_job_thread* thread) {
    for (uint32_t p = 0; p < TLW_PRIORITIES; ++p) {
        enkiPinnedTask* lists[2] = {tlw_inbox_take(&thread->inbox[p]), thread->ready[p]};
        for (int i = 0; i < 2; ++i) {
            while (lists[i]) {
                enkiPinnedTask* task = lists[i];
                lists[i] = task->next;
                (void)tlw_state_complete(&task->base.state);
            }
        }
    }
}

static void stop(enkiTaskScheduler* scheduler) {
    tlw_flag_raise(&scheduler->shutdown_requested);
    if (!atomic_load_explicit(&scheduler->running, memory_order_relaxed)) {
        return;
    }
    tlw_job_thread* self = tlw_job_current(scheduler);
    if (self) {
        wait_for_all(scheduler, self);
    }
    tlw_stop_running(&scheduler->running);
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        (void)tlw_claim_any(scheduler, &scheduler->threads[i]);
    }
    for (uint32_t i = scheduler->first_created; i < tlw_job_number_end(scheduler); ++i) {
        tlw_thread_join(&scheduler->threads[i].system_thread);
    }
    for (uint32_t i = 0; i < scheduler->thread_count; ++i) {
        drop_pinned(&scheduler->threads[i]);
    }
    tlw_job_free(scheduler, scheduler->threads, scheduler->threads_bytes,
                 scheduler->threads_allocator, __FILE__, __LINE__);
    scheduler->threads = NULL;
    scheduler->thread_count = 0;
    scheduler->first_created = 1;
    scheduler->epoch = 0;
}

// ---- Start and end --------------------------------------------------------------------------

enkiTaskScheduler* enkiNewTaskScheduler(void) {
    return enkiNewTaskSchedulerWithCustomAllocator(
        (struct enkiCustomAllocator){.alloc = enkiDefaultAllocFunc, .free = enkiDefaultFreeFunc});
}

enkiTaskScheduler* enkiNewTaskSchedulerWithCustomAllocator(struct enkiCustomAllocator allocator) {
    TLW_REQUIRE(allocator.alloc && allocator.free, "an allocator with a function missing", NULL);
    enkiTaskScheduler* scheduler =
        alloc_with(&allocator, _Alignof(enkiTaskScheduler), sizeof *scheduler, __FILE__, __LINE__);
    if (!scheduler) {
        return NULL;
    }
    memset(scheduler, 0, sizeof *scheduler);
    scheduler->first_created = 1;
    scheduler->config.numTaskThreadsToCreate = tlw_core_count() - 1;
    scheduler->config.customAllocator = allocator;
    scheduler->current_allocator = use_allocator(scheduler, allocator);
    return scheduler;
}

struct enkiTaskSchedulerConfig enkiGetTaskSchedulerConfig(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler",
                (struct enkiTaskSchedulerConfig){.numTaskThreadsToCreate = 0});
    return scheduler->config;
}

void enkiInitTaskSchedulerWithConfig(enkiTaskScheduler* scheduler,
                                     struct enkiTaskSchedulerConfig config) {
    TLW_REQUIRE(scheduler, "a null scheduler", TLW_NOTHING);
    TLW_REQUIRE(config.customAllocator.alloc && config.customAllocator.free,
                "an allocator with a function missing", TLW_NOTHING);
    TLW_REQUIRE(config.numTaskThreadsToCreate < 0xFFFF && config.numExternalTaskThreads < 0xFFFF,
                "more threads than can be counted", TLW_NOTHING);
    stop(scheduler);
    scheduler->config = config;
    scheduler->current_allocator = use_allocator(scheduler, config.customAllocator);
    start_threads(scheduler);
}

void enkiInitTaskSchedulerNumThreads(enkiTaskScheduler* scheduler, uint32_t thread_count) {
    TLW_REQUIRE(scheduler, "a null scheduler", TLW_NOTHING);
    TLW_REQUIRE(thread_count > 0, "a scheduler without even the calling thread", TLW_NOTHING);
    struct enkiTaskSchedulerConfig config = scheduler->config;
    config.numTaskThreadsToCreate = thread_count - 1;
    config.numExternalTaskThreads = 0;
    enkiInitTaskSchedulerWithConfig(scheduler, config);
}

void enkiInitTaskScheduler(enkiTaskScheduler* scheduler) {
    enkiInitTaskSchedulerNumThreads(scheduler, tlw_core_count());
}

void enkiWaitforAllAndShutdown(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", TLW_NOTHING);
    stop(scheduler);
}

void enkiDeleteTaskScheduler(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a null scheduler", TLW_NOTHING);
    stop(scheduler);
    // The one it was made with, which need not be the one of the last init.
    struct enkiCustomAllocator allocator = scheduler->allocators[0];
    allocator.free(scheduler, sizeof *scheduler, allocator.userData, __FILE__, __LINE__);
}
