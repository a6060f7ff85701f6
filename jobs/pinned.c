// SPDX-License-Identifier: MIT
// Pinned tasks, which run on one given thread. Each thread has one inbox per priority: a list to
// which any thread pushes and from which its thread takes all nodes at once. Because it takes all
// of them, no node can return to the list during a compare-exchange (the ABA problem).
#include "jobs/scheduler.h"

enkiPinnedTask* enkiCreatePinnedTask(enkiTaskScheduler* scheduler, enkiPinnedTaskExecute function,
                                     uint32_t thread) {
    TLW_REQUIRE(scheduler, "a pinned task without a scheduler", NULL);
    TLW_REQUIRE(function, "a pinned task without a function", NULL);
    uint8_t allocator;
    enkiPinnedTask* task = tlw_job_alloc(scheduler, sizeof *task, &allocator, __FILE__, __LINE__);
    if (task) {
        *task = (enkiPinnedTask){.function = function, .thread = thread};
        tlw_completable_init(&task->base, TLW_JOB_PINNED, allocator);
    }
    return task;
}

void enkiDeletePinnedTask(enkiTaskScheduler* scheduler, enkiPinnedTask* task) {
    TLW_REQUIRE(scheduler, "deleting a pinned task without its scheduler", TLW_NOTHING);
    if (task && tlw_completable_retire(&task->base)) {
        tlw_job_free(scheduler, task, sizeof *task, task->base.allocator, __FILE__, __LINE__);
    }
}

struct enkiParamsPinnedTask enkiGetParamsPinnedTask(enkiPinnedTask* task) {
    TLW_REQUIRE(task, "a null pinned task", (struct enkiParamsPinnedTask){.priority = 0});
    return (struct enkiParamsPinnedTask){.pArgs = task->args, .priority = task->base.priority};
}

void enkiSetPriorityPinnedTask(enkiPinnedTask* task, int priority) {
    TLW_REQUIRE(task, "a null pinned task", TLW_NOTHING);
    TLW_REQUIRE(priority >= 0 && priority < TLW_PRIORITIES, "a priority that there is not",
                TLW_NOTHING);
    task->base.priority = (uint8_t)priority;
}

void enkiSetArgsPinnedTask(enkiPinnedTask* task, void* args) {
    TLW_REQUIRE(task, "a null pinned task", TLW_NOTHING);
    task->args = args;
}

void enkiSetParamsPinnedTask(enkiPinnedTask* task, struct enkiParamsPinnedTask params) {
    enkiSetArgsPinnedTask(task, params.pArgs);
    enkiSetPriorityPinnedTask(task, params.priority);
}

void tlw_schedule_pinned(enkiTaskScheduler* scheduler, enkiPinnedTask* task) {
    tlw_job_thread* thread = &scheduler->threads[task->thread];
    tlw_atomic_pointer* inbox = &thread->inbox[task->base.priority];
    void* head = tlw_inbox_newest(inbox);
    do {
        task->next = head;
    } while (!tlw_inbox_push(inbox, &head, task));
    (void)tlw_claim_any(scheduler, thread);
}

void enkiAddPinnedTask(enkiTaskScheduler* scheduler, enkiPinnedTask* task) {
    TLW_REQUIRE(scheduler && task, "adding without a scheduler or a pinned task", TLW_NOTHING);
    TLW_REQUIRE(task->thread < tlw_job_number_end(scheduler),
                "a pinned task for a thread that there is not", TLW_NOTHING);
    TLW_REQUIRE(tlw_is_complete(&task->base), "a pinned task added while it runs", TLW_NOTHING);
    tlw_mark_pending(&task->base);
    tlw_schedule_pinned(scheduler, task);
}

void enkiAddPinnedTaskArgs(enkiTaskScheduler* scheduler, enkiPinnedTask* task, void* args) {
    TLW_REQUIRE(scheduler && task, "adding without a scheduler or a pinned task", TLW_NOTHING);
    TLW_REQUIRE(tlw_is_complete(&task->base), "a pinned task added while it runs", TLW_NOTHING);
    task->args = args;
    enkiAddPinnedTask(scheduler, task);
}

// The oldest task of the `ready` list. If that is empty, takes the inbox, which has the newest
// first, and reverses it.
static enkiPinnedTask* next_pinned(tlw_job_thread* thread, uint32_t priority) {
    enkiPinnedTask** ready = &thread->ready[priority];
    if (!*ready && atomic_load_explicit(&thread->inbox[priority], memory_order_relaxed)) {
        tlw_begin_busy(thread);
        enkiPinnedTask* newest = tlw_inbox_take(&thread->inbox[priority]);
        while (newest) {
            enkiPinnedTask* older = newest->next;
            newest->next = *ready;
            *ready = newest;
            newest = older;
        }
    }
    enkiPinnedTask* task = *ready;
    if (task) {
        *ready = task->next;
    }
    return task;
}

bool tlw_run_pinned(tlw_job_thread* thread, uint32_t priority) {
    enkiPinnedTask* task = next_pinned(thread, priority);
    if (!task) {
        return false;
    }
    if (thread->searching) {
        tlw_stop_searching(thread);
    }
    do {
        {
            TLW_JOBS_ZONE("pinned");
            task->function(task->args);
        }
        (void)tlw_complete(thread, &task->base, false);
        task = next_pinned(thread, priority);
    } while (task);
    return true;
}

void enkiRunPinnedTasks(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "running pinned tasks without a scheduler", TLW_NOTHING);
    tlw_job_thread* thread = tlw_job_current(scheduler);
    TLW_REQUIRE(thread, "pinned tasks of a thread that is not registered", TLW_NOTHING);
    const bool was_busy = thread->busy;
    for (uint32_t priority = 0; priority < TLW_PRIORITIES; ++priority) {
        (void)tlw_run_pinned(thread, priority);
    }
    if (!was_busy) {
        tlw_end_busy(thread);
    }
}

int enkiIsPinnedTaskComplete(enkiTaskScheduler* scheduler, enkiPinnedTask* task) {
    (void)scheduler;
    TLW_REQUIRE(task, "a null pinned task", 1);
    return tlw_is_complete(&task->base);
}

void enkiWaitForPinnedTask(enkiTaskScheduler* scheduler, enkiPinnedTask* task) {
    tlw_wait_for(scheduler, task ? &task->base : NULL, (int)TLW_LAST_PRIORITY);
}

void enkiWaitForPinnedTaskPriority(enkiTaskScheduler* scheduler, enkiPinnedTask* task,
                                   int max_priority) {
    tlw_wait_for(scheduler, task ? &task->base : NULL, max_priority);
}

void enkiWaitForNewPinnedTasks(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "waiting for pinned tasks without a scheduler", TLW_NOTHING);
    tlw_job_thread* thread = tlw_job_current(scheduler);
    TLW_REQUIRE(thread, "pinned tasks of a thread that is not registered", TLW_NOTHING);
    const struct enkiProfilerCallbacks* callbacks = &scheduler->config.profilerCallbacks;
    tlw_park_announce(thread, TLW_PARK_PINNED);
    bool is_there = !tlw_is_running(&scheduler->running) ||
                    tlw_is_waited_for(&scheduler->wait_for_all_count) ||
                    tlw_has_pinned(thread, TLW_LAST_PRIORITY);
    if (is_there) {
        (void)tlw_park_cancel(thread, TLW_PARK_PINNED);
        return;
    }
    TLW_JOBS_ZONE("asleep until a pinned task comes");
    if (callbacks->waitForNewTaskSuspendStart) {
        callbacks->waitForNewTaskSuspendStart(thread->number);
    }
    (void)tlw_park_sleep(thread, TLW_PARK_PINNED, TLW_WAIT_FOREVER);
    if (callbacks->waitForNewTaskSuspendStop) {
        callbacks->waitForNewTaskSuspendStop(thread->number);
    }
}
