// SPDX-License-Identifier: MIT
// Task sets: creating them, setting their parameters, adding them. Adding puts the whole set into
// one slot of the calling thread's pipe and wakes as many threads as the set can use. execute.c
// runs it.
#include "jobs/scheduler.h"

enkiTaskSet* enkiCreateTaskSet(enkiTaskScheduler* scheduler, enkiTaskExecuteRange function) {
    TLW_REQUIRE(scheduler, "a task set without a scheduler", NULL);
    TLW_REQUIRE(function, "a task set without a function", NULL);
    uint8_t allocator;
    enkiTaskSet* set = tlw_job_alloc(scheduler, sizeof *set, &allocator, __FILE__, __LINE__);
    if (set) {
        *set = (enkiTaskSet){.function = function, .size = 1, .min_range = 1};
        tlw_completable_init(&set->base, TLW_JOB_SET, allocator);
    }
    return set;
}

void enkiDeleteTaskSet(enkiTaskScheduler* scheduler, enkiTaskSet* set) {
    TLW_REQUIRE(scheduler, "deleting a task set without its scheduler", TLW_NOTHING);
    if (set && tlw_completable_retire(&set->base)) {
        tlw_job_free(scheduler, set, sizeof *set, set->base.allocator, __FILE__, __LINE__);
    }
}

static uint8_t checked_priority(int priority) {
    TLW_ASSERT_MESSAGE(priority >= 0 && priority < TLW_PRIORITIES, "a priority that there is not");
    return priority < 0                ? 0
           : priority < TLW_PRIORITIES ? (uint8_t)priority
                                       : (uint8_t)TLW_LAST_PRIORITY;
}

struct enkiParamsTaskSet enkiGetParamsTaskSet(enkiTaskSet* set) {
    TLW_REQUIRE(set, "a null task set", (struct enkiParamsTaskSet){.setSize = 0});
    return (struct enkiParamsTaskSet){.pArgs = set->args,
                                      .setSize = set->size,
                                      .minRange = set->min_range,
                                      .priority = set->base.priority};
}

void enkiSetParamsTaskSet(enkiTaskSet* set, struct enkiParamsTaskSet params) {
    TLW_REQUIRE(set, "a null task set", TLW_NOTHING);
    set->args = params.pArgs;
    set->size = params.setSize;
    set->min_range = params.minRange;
    set->base.priority = checked_priority(params.priority);
}

void enkiSetPriorityTaskSet(enkiTaskSet* set, int priority) {
    TLW_REQUIRE(set, "a null task set", TLW_NOTHING);
    set->base.priority = checked_priority(priority);
}

void enkiSetArgsTaskSet(enkiTaskSet* set, void* args) {
    TLW_REQUIRE(set, "a null task set", TLW_NOTHING);
    set->args = args;
}

void enkiSetSetSizeTaskSet(enkiTaskSet* set, uint32_t size) {
    TLW_REQUIRE(set, "a null task set", TLW_NOTHING);
    set->size = size;
}

void enkiSetMinRangeTaskSet(enkiTaskSet* set, uint32_t min_range) {
    TLW_REQUIRE(set, "a null task set", TLW_NOTHING);
    set->min_range = min_range;
}

void tlw_run_sets(tlw_job_thread* thread, enkiTaskSet* set, const enkiCompletable* awaited) {
    // A chain of dependent sets is a loop here, so that its length does not use up the stack.
    while (set) {
        {
            TLW_JOBS_ZONE("range");
            set->function(0, set->size, thread->number, set->args);
        }
        bool is_over = awaited && (awaited == &set->base || tlw_is_complete(awaited));
        set = tlw_complete(thread, &set->base, !is_over);
    }
}

void tlw_schedule_set(tlw_job_thread* thread, enkiTaskSet* set) {
    enkiTaskScheduler* scheduler = thread->scheduler;
    const uint32_t priority = set->base.priority;
    const uint32_t size = set->size;
    const uint32_t grain = tlw_set_grain(scheduler, set);
    uint32_t* depth = &thread->depth[priority];
    atomic_store_explicit(&set->base.left, size, memory_order_relaxed);
    if (!tlw_pipe_push(&thread->pipes[priority], depth, &thread->height[priority], set, size,
                       grain)) {
        // The pipe is full, so all threads have enough to do. Runs the set here.
        const bool was_busy = thread->busy;
        tlw_begin_busy(thread);
        set->function(0, size, thread->number, set->args);
        tlw_run_sets(thread, tlw_complete(thread, &set->base, true), NULL);
        if (!was_busy) {
            tlw_end_busy(thread);
        }
        return;
    }
    // From here on the set may be complete and deleted.
    uint32_t helpers = scheduler->parties > 1 ? scheduler->parties - 1 : 1;
    uint32_t wanted = size > grain || *depth > helpers ? helpers : *depth;
    tlw_wake_for_work(scheduler, wanted, priority, size > grain);
}

static void add(enkiTaskScheduler* scheduler, enkiTaskSet* set) {
    tlw_job_thread* thread = tlw_job_current(scheduler);
    TLW_REQUIRE(thread, "a task set added by a thread that is not registered", TLW_NOTHING);
    TLW_REQUIRE(tlw_is_complete(&set->base), "a task set added while it runs", TLW_NOTHING);
    tlw_mark_pending(&set->base);
    if (TLW_UNLIKELY(set->size == 0)) {
        tlw_run_sets(thread, tlw_complete(thread, &set->base, false), NULL);
        return;
    }
    tlw_schedule_set(thread, set);
}

void enkiAddTaskSet(enkiTaskScheduler* scheduler, enkiTaskSet* set) {
    TLW_REQUIRE(scheduler && set, "adding without a scheduler or a set", TLW_NOTHING);
    add(scheduler, set);
}

void enkiAddTaskSetArgs(enkiTaskScheduler* scheduler, enkiTaskSet* set, void* args, uint32_t size) {
    TLW_REQUIRE(scheduler && set, "adding without a scheduler or a set", TLW_NOTHING);
    TLW_REQUIRE(tlw_is_complete(&set->base), "a task set added while it runs", TLW_NOTHING);
    set->args = args;
    set->size = size;
    add(scheduler, set);
}

void enkiAddTaskSetMinRange(enkiTaskScheduler* scheduler, enkiTaskSet* set, void* args,
                            uint32_t size, uint32_t min_range) {
    TLW_REQUIRE(scheduler && set, "adding without a scheduler or a set", TLW_NOTHING);
    TLW_REQUIRE(tlw_is_complete(&set->base), "a task set added while it runs", TLW_NOTHING);
    set->args = args;
    set->size = size;
    set->min_range = min_range;
    add(scheduler, set);
}

int enkiIsTaskSetComplete(enkiTaskScheduler* scheduler, enkiTaskSet* set) {
    (void)scheduler;
    TLW_REQUIRE(set, "a null task set", 1);
    return tlw_is_complete(&set->base);
}

void enkiWaitForTaskSet(enkiTaskScheduler* scheduler, enkiTaskSet* set) {
    tlw_wait_for(scheduler, set ? &set->base : NULL, (int)TLW_LAST_PRIORITY);
}

void enkiWaitForTaskSetPriority(enkiTaskScheduler* scheduler, enkiTaskSet* set, int max_priority) {
    tlw_wait_for(scheduler, set ? &set->base : NULL, max_priority);
}
