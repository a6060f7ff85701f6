// SPDX-License-Identifier: MIT
// A task scheduler with the C interface of enkiTS 1.11. An engine that calls enkiTS from C puts
// this folder on its include path, relinks, and runs. Names and types are those of enkiTS; the
// comments and the implementation are ours. Compiles alone as C11 and as C++17.
//
// T is the scheduler. A thread may call functions that take a T if it has a number there: the
// thread that called init has 0, registered external threads have 1 and up, the threads that T
// created follow. enkiAddPinnedTask*, enkiIs* and enkiGet* may be called from any thread.
#ifndef TLW_JOBS_TASKSCHEDULER_C_H
#define TLW_JOBS_TASKSCHEDULER_C_H

#include <stddef.h>
#include <stdint.h>

// An engine that builds a shared library from this defines it as its export attribute.
#if !defined(ENKITS_API)
#    define ENKITS_API
#endif

// Levels of priority; 0 is the highest. The library and all includers must use the same number.
#if !defined(ENKITS_TASK_PRIORITIES_NUM)
#    define ENKITS_TASK_PRIORITIES_NUM 3
#endif

// Stands for "no thread number".
#define ENKI_NO_THREAD_NUM ((uint32_t)0xFFFFFFFFu)

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct enkiTaskScheduler enkiTaskScheduler;
typedef struct enkiTaskSet enkiTaskSet;
typedef struct enkiPinnedTask enkiPinnedTask;
typedef struct enkiCompletable enkiCompletable;
typedef struct enkiDependency enkiDependency;
typedef struct enkiCompletionAction enkiCompletionAction;

// Works on items [start, end) of a set.
typedef void (*enkiTaskExecuteRange)(uint32_t start, uint32_t end, uint32_t threadnum, void* args);
typedef void (*enkiPinnedTaskExecute)(void* args);
typedef void (*enkiCompletionFunction)(void* args, uint32_t threadNum);
typedef void (*enkiProfilerCallbackFunc)(uint32_t threadnum);

// Called on the thread that they report on. Each may be null.
struct enkiProfilerCallbacks {
    enkiProfilerCallbackFunc threadStart;
    enkiProfilerCallbackFunc threadStop;
    enkiProfilerCallbackFunc waitForNewTaskSuspendStart; // asleep, with nothing to do
    enkiProfilerCallbackFunc waitForNewTaskSuspendStop;
    enkiProfilerCallbackFunc waitForTaskCompleteStart; // in a wait, running other work meanwhile
    enkiProfilerCallbackFunc waitForTaskCompleteStop;
    enkiProfilerCallbackFunc waitForTaskCompleteSuspendStart; // asleep in a wait
    enkiProfilerCallbackFunc waitForTaskCompleteSuspendStop;
};

// All memory comes from here, and only in enkiNew*, enkiCreate* and enkiInit*. `free` gets the size
// that was allocated. `file` and `line` name the place in the scheduler that allocates.
typedef void* (*enkiAllocFunc)(size_t align, size_t size, void* userData, const char* file,
                               int line);
typedef void (*enkiFreeFunc)(void* ptr, size_t size, void* userData, const char* file, int line);
struct enkiCustomAllocator {
    enkiAllocFunc alloc;
    enkiFreeFunc free;
    void* userData;
};
ENKITS_API void* enkiDefaultAllocFunc(size_t align, size_t size, void* userData, const char* file,
                                      int line);
ENKITS_API void enkiDefaultFreeFunc(void* ptr, size_t size, void* userData, const char* file,
                                    int line);

struct enkiParamsTaskSet {
    void* pArgs;
    uint32_t setSize;  // items; 1 by default
    uint32_t minRange; // least items of every range but the last; 1 by default
    int priority;
};

struct enkiParamsPinnedTask {
    void* pArgs;
    int priority;
};

struct enkiParamsCompletionAction {
    void* pArgsPreComplete;
    void* pArgsPostComplete;
    const enkiCompletable* pDependency; // the action runs when this completes
};

// Get it from enkiGetTaskSchedulerConfig, change it, and pass it to
// enkiInitTaskSchedulerWithConfig.
struct enkiTaskSchedulerConfig {
    uint32_t numTaskThreadsToCreate; // hardware threads minus one by default; 0 is allowed
    uint32_t numExternalTaskThreads; // how many threads of the engine may register at once
    struct enkiProfilerCallbacks profilerCallbacks;
    struct enkiCustomAllocator customAllocator;
};

// ---- Start and end --------------------------------------------------------------------------

// Creates a scheduler without threads. Null if there is no memory.
ENKITS_API enkiTaskScheduler* enkiNewTaskScheduler(void);
ENKITS_API enkiTaskScheduler*
enkiNewTaskSchedulerWithCustomAllocator(struct enkiCustomAllocator customAllocator);

// The defaults before init, the values in use after it.
ENKITS_API struct enkiTaskSchedulerConfig enkiGetTaskSchedulerConfig(enkiTaskScheduler* T);

// Starts the scheduler, with the calling thread as number 0. When called again it waits for all
// work, ends the threads and starts anew. numThreads includes the calling thread.
ENKITS_API void enkiInitTaskScheduler(enkiTaskScheduler* T);
ENKITS_API void enkiInitTaskSchedulerNumThreads(enkiTaskScheduler* T, uint32_t numThreads);
ENKITS_API void enkiInitTaskSchedulerWithConfig(enkiTaskScheduler* T,
                                                struct enkiTaskSchedulerConfig config);

// Runs work and waits until none is left. Work that keeps adding work can keep this from returning.
ENKITS_API void enkiWaitForAll(enkiTaskScheduler* T);
// The same, and then ends the threads. T can be initialised again. May be called before any init.
ENKITS_API void enkiWaitforAllAndShutdown(enkiTaskScheduler* T);
// The same, and then deletes T. Sets and tasks must be deleted before.
ENKITS_API void enkiDeleteTaskScheduler(enkiTaskScheduler* T);

// For tasks that loop. In this order: no shutdown was requested; a shutdown, re-init or delete is
// in progress; a thread is in a wait for all (also true during a shutdown).
ENKITS_API int enkiGetIsRunning(enkiTaskScheduler* T);
ENKITS_API int enkiGetIsShutdownRequested(enkiTaskScheduler* T);
ENKITS_API int enkiGetIsWaitforAllCalled(enkiTaskScheduler* T);

// ---- Threads --------------------------------------------------------------------------------

// Created threads + external threads + 1; 0 while not initialised.
ENKITS_API uint32_t enkiGetNumTaskThreads(enkiTaskScheduler* T);
// The number of the calling thread in T: 0 for the thread that called init, ENKI_NO_THREAD_NUM for
// a thread without a number.
ENKITS_API uint32_t enkiGetThreadNum(enkiTaskScheduler* T);

// Gives the calling thread a number: the first free one, or the given one. Returns 0 if none is
// free.
ENKITS_API int enkiRegisterExternalTaskThread(enkiTaskScheduler* T);
ENKITS_API int enkiRegisterExternalTaskThreadNum(enkiTaskScheduler* T, uint32_t threadNum);
ENKITS_API void enkiDeRegisterExternalTaskThread(enkiTaskScheduler* T);
ENKITS_API uint32_t enkiGetNumRegisteredExternalTaskThreads(enkiTaskScheduler* T);
ENKITS_API uint32_t enkiGetNumFirstExternalTaskThread(void); // 1

// ---- Task sets ------------------------------------------------------------------------------

ENKITS_API enkiTaskSet* enkiCreateTaskSet(enkiTaskScheduler* T, enkiTaskExecuteRange taskFunc);
// The set must be complete.
ENKITS_API void enkiDeleteTaskSet(enkiTaskScheduler* T, enkiTaskSet* set);

ENKITS_API struct enkiParamsTaskSet enkiGetParamsTaskSet(enkiTaskSet* set);
ENKITS_API void enkiSetParamsTaskSet(enkiTaskSet* set, struct enkiParamsTaskSet params);
ENKITS_API void enkiSetPriorityTaskSet(enkiTaskSet* set, int priority);
ENKITS_API void enkiSetArgsTaskSet(enkiTaskSet* set, void* args);
ENKITS_API void enkiSetSetSizeTaskSet(enkiTaskSet* set, uint32_t setSize);
ENKITS_API void enkiSetMinRangeTaskSet(enkiTaskSet* set, uint32_t minRange);

// Schedules the set: every index of [0, setSize) runs exactly once, on any thread, in ranges of at
// least minRange items except the last. The given arguments stay in the set for the next time.
ENKITS_API void enkiAddTaskSet(enkiTaskScheduler* T, enkiTaskSet* set);
ENKITS_API void enkiAddTaskSetArgs(enkiTaskScheduler* T, enkiTaskSet* set, void* args,
                                   uint32_t setSize);
ENKITS_API void enkiAddTaskSetMinRange(enkiTaskScheduler* T, enkiTaskSet* set, void* args,
                                       uint32_t setSize, uint32_t minRange);

ENKITS_API int enkiIsTaskSetComplete(enkiTaskScheduler* T, enkiTaskSet* set);
// Waiting runs other work with priority numbers up to maxPriority, and always of the set's own
// priority. With a null set it tries to run one piece of work and returns.
ENKITS_API void enkiWaitForTaskSet(enkiTaskScheduler* T, enkiTaskSet* set);
ENKITS_API void enkiWaitForTaskSetPriority(enkiTaskScheduler* T, enkiTaskSet* set, int maxPriority);

// ---- Pinned tasks: run on one thread only ---------------------------------------------------

ENKITS_API enkiPinnedTask* enkiCreatePinnedTask(enkiTaskScheduler* T,
                                                enkiPinnedTaskExecute taskFunc, uint32_t threadNum);
ENKITS_API void enkiDeletePinnedTask(enkiTaskScheduler* T, enkiPinnedTask* task);

ENKITS_API struct enkiParamsPinnedTask enkiGetParamsPinnedTask(enkiPinnedTask* task);
ENKITS_API void enkiSetParamsPinnedTask(enkiPinnedTask* task, struct enkiParamsPinnedTask params);
ENKITS_API void enkiSetPriorityPinnedTask(enkiPinnedTask* task, int priority);
ENKITS_API void enkiSetArgsPinnedTask(enkiPinnedTask* task, void* args);

ENKITS_API void enkiAddPinnedTask(enkiTaskScheduler* T, enkiPinnedTask* task);
ENKITS_API void enkiAddPinnedTaskArgs(enkiTaskScheduler* T, enkiPinnedTask* task, void* args);
// Runs the pinned tasks of the calling thread. Threads that the engine owns must call this, or
// wait, to run theirs.
ENKITS_API void enkiRunPinnedTasks(enkiTaskScheduler* T);
ENKITS_API int enkiIsPinnedTaskComplete(enkiTaskScheduler* T, enkiPinnedTask* task);
ENKITS_API void enkiWaitForPinnedTask(enkiTaskScheduler* T, enkiPinnedTask* task);
ENKITS_API void enkiWaitForPinnedTaskPriority(enkiTaskScheduler* T, enkiPinnedTask* task,
                                              int maxPriority);
// Sleeps until there is a pinned task for this thread, a wait for all is called or T shuts down.
// Runs nothing itself.
ENKITS_API void enkiWaitForNewPinnedTasks(enkiTaskScheduler* T);

// ---- Completables: what can be waited for and depended on -----------------------------------

// Part of the set, task or action; must not be deleted separately.
ENKITS_API enkiCompletable* enkiGetCompletableFromTaskSet(enkiTaskSet* set);
ENKITS_API enkiCompletable* enkiGetCompletableFromPinnedTask(enkiPinnedTask* task);
ENKITS_API enkiCompletable* enkiGetCompletableFromCompletionAction(enkiCompletionAction* action);

// A completable without work of its own, which only depends on others.
ENKITS_API enkiCompletable* enkiCreateCompletable(enkiTaskScheduler* T);
ENKITS_API void enkiDeleteCompletable(enkiTaskScheduler* T, enkiCompletable* completable);
ENKITS_API void enkiWaitForCompletable(enkiTaskScheduler* T, enkiCompletable* completable);
ENKITS_API void enkiWaitForCompletablePriority(enkiTaskScheduler* T, enkiCompletable* completable,
                                               int maxPriority);

// ---- Dependencies ---------------------------------------------------------------------------

// `after` starts by itself each time everything that it depends on has completed. Only completables
// without dependencies are added by a call. A graph is built while nothing in it runs, and can then
// run any number of times.
ENKITS_API enkiDependency* enkiCreateDependency(enkiTaskScheduler* T);
ENKITS_API void enkiDeleteDependency(enkiTaskScheduler* T, enkiDependency* dependency);
ENKITS_API void enkiSetDependency(enkiDependency* dependency, enkiCompletable* before,
                                  enkiCompletable* after);

// ---- Completion actions ---------------------------------------------------------------------

// The first function runs when the completable that the action depends on has completed, and before
// anything that depends on the action starts. The second runs after the action is complete and may
// delete it. Either may be null.
ENKITS_API enkiCompletionAction* enkiCreateCompletionAction(enkiTaskScheduler* T,
                                                            enkiCompletionFunction preComplete,
                                                            enkiCompletionFunction postComplete);
ENKITS_API void enkiDeleteCompletionAction(enkiTaskScheduler* T, enkiCompletionAction* action);
ENKITS_API struct enkiParamsCompletionAction
enkiGetParamsCompletionAction(enkiCompletionAction* action);
ENKITS_API void enkiSetParamsCompletionAction(enkiCompletionAction* action,
                                              struct enkiParamsCompletionAction params);

#if defined(__cplusplus)
}
#endif

#endif
