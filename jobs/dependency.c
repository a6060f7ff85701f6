// SPDX-License-Identifier: MIT
// Completables, dependencies between them, and what happens when one completes. The graph may only
// be changed while nothing in it runs. Marking and completing walk it without recursion, because a
// chain may have any length.
#include "jobs/scheduler.h"

void tlw_completable_init(enkiCompletable* completable, tlw_job_kind kind, uint8_t allocator) {
    *completable = (enkiCompletable){.kind = (uint8_t)kind, .allocator = allocator};
}

size_t tlw_completable_size(tlw_job_kind kind) {
    switch (kind) {
    case TLW_JOB_SET:
        return sizeof(enkiTaskSet);
    case TLW_JOB_PINNED:
        return sizeof(enkiPinnedTask);
    case TLW_JOB_ACTION:
        return sizeof(enkiCompletionAction);
    case TLW_JOB_PLAIN:
        break;
    }
    return sizeof(enkiCompletable);
}

static void unlink_dependency(enkiDependency* dependency) {
    if (!dependency->before) {
        return;
    }
    *dependency->dependent_link = dependency->next_dependent;
    if (dependency->next_dependent) {
        dependency->next_dependent->dependent_link = dependency->dependent_link;
    }
    *dependency->required_link = dependency->next_required;
    if (dependency->next_required) {
        dependency->next_required->required_link = dependency->required_link;
    }
    dependency->after->requirement_count -= 1;
    dependency->before = NULL;
    dependency->after = NULL;
}

bool tlw_completable_retire(enkiCompletable* completable) {
    TLW_ASSERT_MESSAGE(tlw_is_complete(completable), "deleting what has not completed");
    if (tlw_state_doom(&completable->state)) {
        // The memory is in use. The thread that completes it, which is the last to use it, frees
        // it.
        tlw_log(TLW_LOG_ERROR, "jobs: deleting what has not completed");
        return false;
    }
    while (completable->dependents) {
        unlink_dependency(completable->dependents);
    }
    while (completable->requirements) {
        unlink_dependency(completable->requirements);
    }
    return true;
}

void tlw_mark_pending(enkiCompletable* completable) {
    atomic_store_explicit(&completable->state, TLW_STATE_PENDING, memory_order_relaxed);
    enkiCompletable* list = completable->dependents ? completable : NULL;
    completable->link = NULL;
    while (list) {
        enkiCompletable* marked = list;
        list = list->link;
        for (enkiDependency* d = marked->dependents; d; d = d->next_dependent) {
            // Two graphs with different roots may share nodes. The graph that marks a node first
            // goes on from there.
            uint32_t expected = 0;
            if (atomic_load_explicit(&d->after->state, memory_order_relaxed) == 0 &&
                atomic_compare_exchange_strong_explicit(&d->after->state, &expected,
                                                        TLW_STATE_PENDING, memory_order_relaxed,
                                                        memory_order_relaxed)) {
                d->after->link = list;
                list = d->after;
            }
        }
    }
}

typedef struct completion {
    tlw_job_thread* thread;
    enkiCompletable* list; // ready and without work of their own: completed here
    enkiTaskSet* next;     // ready; the caller runs it
    bool may_run;
} completion;

static void start(completion* run, enkiCompletable* ready) {
    enkiTaskScheduler* scheduler = run->thread->scheduler;
    if (ready->kind == TLW_JOB_SET && ((enkiTaskSet*)ready)->size > 0) {
        enkiTaskSet* set = (enkiTaskSet*)ready;
        // If the pipe is full, tlw_schedule_set would run the set inside this call, and each link
        // of a chain would be one call deeper.
        bool is_for_one = tlw_set_grain(scheduler, set) >= set->size ||
                          run->thread->depth[ready->priority] == TLW_PIPE_SLOTS;
        if (run->may_run && !run->next && is_for_one) {
            run->next = set;
        } else {
            tlw_schedule_set(run->thread, set);
        }
    } else if (ready->kind == TLW_JOB_PINNED) {
        tlw_schedule_pinned(scheduler, (enkiPinnedTask*)ready);
    } else {
        ready->link = run->list;
        run->list = ready;
    }
}

// Completes one completable. After the exchange of its state its memory may be freed by others, so
// everything that is needed later is read before.
static void complete_one(completion* run, enkiCompletable* completable) {
    tlw_job_thread* thread = run->thread;
    enkiTaskScheduler* scheduler = thread->scheduler;
    enkiCompletionFunction post = NULL;
    void* post_args = NULL;
    if (completable->kind == TLW_JOB_ACTION) {
        enkiCompletionAction* action = (enkiCompletionAction*)completable;
        if (action->pre) {
            action->pre(action->pre_args, thread->number);
        }
        post = action->post;
        post_args = action->post_args;
    }
    enkiDependency* dependency = completable->dependents;
    uint32_t state = tlw_state_complete(&completable->state);
    if (TLW_UNLIKELY(state & TLW_STATE_WAITED)) {
        tlw_wake_waiters(scheduler, completable);
    }
    while (dependency) {
        enkiCompletable* after = dependency->after;
        uint32_t count = after->requirement_count;
        // Once it is counted, `after` may complete and the dependency may be deleted.
        dependency = dependency->next_dependent;
        if (count == 1 || tlw_requirement_is_last(&after->requirements_met, count)) {
            atomic_store_explicit(&after->requirements_met, 0, memory_order_relaxed);
            start(run, after);
        }
    }
    if (post) {
        post(post_args, thread->number);
    }
    if (TLW_UNLIKELY(state & TLW_STATE_DOOMED)) {
        while (completable->dependents) {
            unlink_dependency(completable->dependents);
        }
        while (completable->requirements) {
            unlink_dependency(completable->requirements);
        }
        tlw_job_free(scheduler, completable, tlw_completable_size((tlw_job_kind)completable->kind),
                     completable->allocator, __FILE__, __LINE__);
    }
}

enkiTaskSet* tlw_complete(tlw_job_thread* thread, enkiCompletable* completable, bool may_run) {
    completion run = {.thread = thread, .may_run = may_run};
    complete_one(&run, completable);
    while (run.list) {
        enkiCompletable* ready = run.list;
        run.list = ready->link;
        complete_one(&run, ready);
    }
    return run.next;
}

// ---- Plain completables ---------------------------------------------------------------------

enkiCompletable* enkiGetCompletableFromTaskSet(enkiTaskSet* set) {
    return set ? &set->base : NULL;
}

enkiCompletable* enkiGetCompletableFromPinnedTask(enkiPinnedTask* task) {
    return task ? &task->base : NULL;
}

enkiCompletable* enkiGetCompletableFromCompletionAction(enkiCompletionAction* action) {
    return action ? &action->base : NULL;
}

enkiCompletable* enkiCreateCompletable(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a completable without a scheduler", NULL);
    uint8_t allocator;
    enkiCompletable* completable =
        tlw_job_alloc(scheduler, sizeof *completable, &allocator, __FILE__, __LINE__);
    if (completable) {
        tlw_completable_init(completable, TLW_JOB_PLAIN, allocator);
    }
    return completable;
}

void enkiDeleteCompletable(enkiTaskScheduler* scheduler, enkiCompletable* completable) {
    TLW_REQUIRE(scheduler, "deleting a completable without its scheduler", TLW_NOTHING);
    TLW_REQUIRE(!completable || completable->kind == TLW_JOB_PLAIN,
                "deleting a completable that is part of something", TLW_NOTHING);
    if (completable && tlw_completable_retire(completable)) {
        tlw_job_free(scheduler, completable, sizeof *completable, completable->allocator, __FILE__,
                     __LINE__);
    }
}

void enkiWaitForCompletable(enkiTaskScheduler* scheduler, enkiCompletable* completable) {
    tlw_wait_for(scheduler, completable, (int)TLW_LAST_PRIORITY);
}

void enkiWaitForCompletablePriority(enkiTaskScheduler* scheduler, enkiCompletable* completable,
                                    int max_priority) {
    tlw_wait_for(scheduler, completable, max_priority);
}

// ---- Dependencies ---------------------------------------------------------------------------

enkiDependency* enkiCreateDependency(enkiTaskScheduler* scheduler) {
    TLW_REQUIRE(scheduler, "a dependency without a scheduler", NULL);
    uint8_t allocator;
    enkiDependency* dependency =
        tlw_job_alloc(scheduler, sizeof *dependency, &allocator, __FILE__, __LINE__);
    if (dependency) {
        *dependency = (enkiDependency){.allocator = allocator};
    }
    return dependency;
}

static bool is_at_rest(const enkiDependency* dependency) {
    return !dependency->before ||
           (tlw_is_complete(dependency->before) && tlw_is_complete(dependency->after));
}

void enkiDeleteDependency(enkiTaskScheduler* scheduler, enkiDependency* dependency) {
    TLW_REQUIRE(scheduler, "deleting a dependency without its scheduler", TLW_NOTHING);
    if (!dependency) {
        return;
    }
    TLW_REQUIRE(is_at_rest(dependency), "deleting a dependency of what runs", TLW_NOTHING);
    unlink_dependency(dependency);
    tlw_job_free(scheduler, dependency, sizeof *dependency, dependency->allocator, __FILE__,
                 __LINE__);
}

void enkiSetDependency(enkiDependency* dependency, enkiCompletable* before,
                       enkiCompletable* after) {
    TLW_REQUIRE(dependency && before && after, "a dependency with an end missing", TLW_NOTHING);
    TLW_REQUIRE(before != after, "a dependency on itself", TLW_NOTHING);
    TLW_REQUIRE(is_at_rest(dependency) && tlw_is_complete(before) && tlw_is_complete(after),
                "a dependency changed while it is in use", TLW_NOTHING);
    unlink_dependency(dependency);
    dependency->before = before;
    dependency->after = after;
    dependency->next_dependent = before->dependents;
    dependency->dependent_link = &before->dependents;
    if (before->dependents) {
        before->dependents->dependent_link = &dependency->next_dependent;
    }
    before->dependents = dependency;
    dependency->next_required = after->requirements;
    dependency->required_link = &after->requirements;
    if (after->requirements) {
        after->requirements->required_link = &dependency->next_required;
    }
    after->requirements = dependency;
    after->requirement_count += 1;
}

// ---- Completion actions ---------------------------------------------------------------------

enkiCompletionAction* enkiCreateCompletionAction(enkiTaskScheduler* scheduler,
                                                 enkiCompletionFunction pre,
                                                 enkiCompletionFunction post) {
    TLW_REQUIRE(scheduler, "a completion action without a scheduler", NULL);
    uint8_t allocator;
    enkiCompletionAction* action =
        tlw_job_alloc(scheduler, sizeof *action, &allocator, __FILE__, __LINE__);
    if (action) {
        *action = (enkiCompletionAction){.pre = pre, .post = post};
        tlw_completable_init(&action->base, TLW_JOB_ACTION, allocator);
    }
    return action;
}

void enkiDeleteCompletionAction(enkiTaskScheduler* scheduler, enkiCompletionAction* action) {
    TLW_REQUIRE(scheduler, "deleting a completion action without its scheduler", TLW_NOTHING);
    if (action && tlw_completable_retire(&action->base)) {
        tlw_job_free(scheduler, action, sizeof *action, action->base.allocator, __FILE__, __LINE__);
    }
}

struct enkiParamsCompletionAction enkiGetParamsCompletionAction(enkiCompletionAction* action) {
    TLW_REQUIRE(action, "a null completion action",
                (struct enkiParamsCompletionAction){.pDependency = NULL});
    return (struct enkiParamsCompletionAction){.pArgsPreComplete = action->pre_args,
                                               .pArgsPostComplete = action->post_args,
                                               .pDependency = action->dependency.before};
}

void enkiSetParamsCompletionAction(enkiCompletionAction* action,
                                   struct enkiParamsCompletionAction params) {
    TLW_REQUIRE(action, "a null completion action", TLW_NOTHING);
    action->pre_args = params.pArgsPreComplete;
    action->post_args = params.pArgsPostComplete;
    // The interface takes a const pointer, but a dependency is linked into the completable.
    enkiCompletable* before = (enkiCompletable*)params.pDependency;
    if (before) {
        enkiSetDependency(&action->dependency, before, &action->base);
    } else {
        unlink_dependency(&action->dependency);
    }
}
