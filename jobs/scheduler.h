// SPDX-License-Identifier: MIT
// Private to jobs: the scheduler's objects, and the functions that its files offer each other.
//   queue.h     where sets wait          execute.c     taking ranges, the search, the waits
//   sleep.h     the protocol of sleep    dependency.c  completion, dependents, actions
//   wake.c      parking and waking       sleep.c       spinning, idle threads
//   protocol.h  steps on shared words    scheduler.c   start and end, threads, waiting for all
//   taskset.c   pinned.c
#ifndef TLW_JOBS_SCHEDULER_H
#define TLW_JOBS_SCHEDULER_H

#include "jobs/TaskScheduler_c.h"
#include "jobs/protocol.h"
#include "jobs/queue.h"
#include "jobs/sleep.h"
#include "platform/handlers.h"
#include "platform/thread.h"

#if defined(TLW_JOBS_ZONES)
#    include "profiling/profile.h"
#    define TLW_JOBS_ZONE(name) TLW_ZONE(name)
#else
#    define TLW_JOBS_ZONE(name) ((void)0)
#endif

// For a call that a program must not make. It asserts in debug builds. In release builds the call
// is logged and has no effect, because carrying it out could write to memory that is not ours.
#define TLW_REQUIRE(condition, message, result)            \
    do {                                                   \
        if (TLW_UNLIKELY(!(condition))) {                  \
            TLW_ASSERT_MESSAGE(condition, message);        \
            tlw_log(TLW_LOG_ERROR, "jobs: %s", (message)); \
            return result;                                 \
        }                                                  \
    } while (0)
#define TLW_NOTHING

#define TLW_PRIORITIES    ENKITS_TASK_PRIORITIES_NUM
#define TLW_LAST_PRIORITY ((uint32_t)ENKITS_TASK_PRIORITIES_NUM - 1)
TLW_STATIC_ASSERT(TLW_PRIORITIES >= 1 && TLW_PRIORITIES <= 16, "priorities fit a park kind");

typedef enum tlw_job_kind {
    TLW_JOB_PLAIN,
    TLW_JOB_SET,
    TLW_JOB_PINNED,
    TLW_JOB_ACTION
} tlw_job_kind;

struct enkiCompletable {
    tlw_atomic_u32 state;
    tlw_atomic_u32 left; // items of a set that no thread has finished
    tlw_atomic_u32 requirements_met;
    uint32_t requirement_count;
    enkiDependency* dependents;   // where this is `before`
    enkiDependency* requirements; // where this is `after`
    enkiCompletable* link;        // in the list of the thread that walks the graph
    uint8_t kind;
    uint8_t priority;
    uint8_t allocator; // index of the allocator that it came from
};

// No larger than 72 bytes: a program may walk a million of them, and one more cache line each costs
// time.
struct enkiTaskSet {
    enkiCompletable base;
    enkiTaskExecuteRange function;
    void* args;
    uint32_t size;
    uint32_t min_range;
};

struct enkiPinnedTask {
    enkiCompletable base;
    enkiPinnedTaskExecute function;
    void* args;
    enkiPinnedTask* next;
    uint32_t thread;
};

struct enkiDependency {
    enkiCompletable* before;
    enkiCompletable* after;
    enkiDependency* next_dependent;
    enkiDependency** dependent_link; // the pointer that points to this one
    enkiDependency* next_required;
    enkiDependency** required_link;
    uint8_t allocator;
};

struct enkiCompletionAction {
    enkiCompletable base;
    enkiDependency dependency;
    enkiCompletionFunction pre, post;
    void* pre_args;
    void* post_args;
};

typedef struct tlw_job_thread {
    // Written by this thread only; read by all threads that look for work.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_u32 height[TLW_PRIORITIES];

    // Written by other threads.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_pointer inbox[TLW_PRIORITIES];
    tlw_atomic_u32 parked;
    tlw_atomic_pointer awaited; // the completable it is parked for
    tlw_atomic_pointer owner;   // identity of the thread that has this number; null: free
    // For tlw_part_cores in sleep.c: the core on which a created thread became idle, or why the
    // thread must not be moved.
    tlw_atomic_u32 idle_core;
    uint64_t system_id;     // written once, before idle_core
    tlw_core_set cores_set; // the cores that it has from us; for the thread that moves it

    // Used by this thread only.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) enkiTaskScheduler* scheduler;
    uint32_t number;
    tlw_atomic_u32 activity; // odd while it may hold work, counts up; read by waits for all only
    uint32_t depth[TLW_PRIORITIES];
    enkiPinnedTask* ready[TLW_PRIORITIES]; // pinned tasks taken from the inbox, oldest first
    uint32_t victim;                       // thread from which it last took a range
    uint32_t victim_slot;
    uint32_t hesitation;  // pauses before it helps with a set that its owner takes next
    bool may_be_moved;    // nobody else has chosen its cores, and there is one for each thread
    bool searching;       // counted among the searchers
    bool must_pass_on;    // was woken in a wait for work that it may not have taken
    bool busy;            // activity is odd
    bool expects;         // has parked with a time limit in this gap already
    uint32_t vain_spins;  // in a row
    uint32_t shares_core; // > 0: seems to share a core with one of our threads, so offers it often
    uint64_t idle_since_ns; // 0: not idle
    uint64_t pushes_seen;   // sum at the last look for work
    tlw_job_gaps gaps;      // between pieces of work
    tlw_job_gaps wait_gaps; // lengths of waits
    tlw_thread system_thread;

    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_job_pipe pipes[TLW_PRIORITIES];
} tlw_job_thread;

#define TLW_ALLOCATORS 8 // different allocators that one scheduler may have used

struct enkiTaskScheduler {
    // Read by every add, written when threads become idle.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_u64 idle;

    tlw_atomic_u32 part_turn; // sleep.c, tlw_part_cores

    // What tlw_is_crowded has found out.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_u64 crowd_asked_ns;
    tlw_atomic_u32 is_crowded;
    tlw_atomic_u32 system_cores; // 0: not asked yet

    // Fixed while it runs, except the flags.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_job_thread* threads;
    uint32_t thread_count;
    uint32_t first_created;
    uint32_t parties;     // threads that can run at once: at most the number of cores
    uint32_t share_shift; // log2 of parties, rounded up
    bool oversubscribed;
    uint64_t epoch; // unique to this start of this scheduler
    tlw_atomic_u32 running;
    tlw_atomic_u32 shutdown_requested;
    tlw_atomic_u32 wait_for_all_count;
    tlw_atomic_u32 external_count;

    struct enkiTaskSchedulerConfig config;
    struct enkiCustomAllocator allocators[TLW_ALLOCATORS];
    uint32_t allocator_count;
    uint8_t current_allocator; // for new objects
    uint8_t threads_allocator; // that allocated `threads`
    size_t threads_bytes;

    tlw_core_set cores; // of the thread that started the others, which inherit them
    bool has_cores;     // the system knows them
};

// ---- scheduler.c

// The calling thread in this scheduler; null if it has no number there.
tlw_job_thread* tlw_job_current(enkiTaskScheduler* scheduler);
// Thread numbers are below this. It counts the threads that exist, which may be fewer than asked
// for.
uint32_t tlw_job_number_end(const enkiTaskScheduler* scheduler);
void* tlw_job_alloc(enkiTaskScheduler* scheduler, size_t size, uint8_t* allocator, const char* file,
                    int line);
void tlw_job_free(enkiTaskScheduler* scheduler, void* memory, size_t size, uint8_t allocator,
                  const char* file, int line);

// ---- execute.c

// Takes and runs one piece of work of this priority or higher: pinned tasks of this thread, or
// ranges of a set of its own or of another thread. Stops early when `awaited` completes. False if
// it found nothing.
bool tlw_run_one(tlw_job_thread* thread, uint32_t max_priority, const enkiCompletable* awaited);
// Whether a thread that spins might find something to run. Passing work is work that its own thread
// is about to finish, or has finished since the last look.
typedef enum tlw_job_sight { TLW_SEES_NOTHING, TLW_SEES_PASSING_WORK, TLW_SEES_WORK } tlw_job_sight;
tlw_job_sight tlw_look_for_work(tlw_job_thread* thread);
void tlw_wait_for(enkiTaskScheduler* scheduler, enkiCompletable* completable, int max_priority);
void tlw_begin_busy(tlw_job_thread* thread);
void tlw_end_busy(tlw_job_thread* thread);
// Spins for a few pauses. `round` counts up from 0; more pauses the higher it is.
void tlw_backoff(uint32_t round);

// ---- wake.c, besides what sleep.h names

// Whether tlw_run_one might find something. Sequentially consistent, for threads that are about to
// park.
bool tlw_work_is_visible(tlw_job_thread* thread, uint32_t max_priority);
// Its two halves. Pinned tasks of this thread.
bool tlw_has_pinned(tlw_job_thread* thread, uint32_t max_priority);
// The first slot that is not empty. If all are empty, null, and *pushes is a sum that changes with
// every push.
tlw_job_slot* tlw_visible_slot(enkiTaskScheduler* scheduler, uint32_t max_priority,
                               uint64_t* pushes);
// Counts sets that no thread has started, or that a free core could help with, up to `most`.
// *priority becomes the highest priority among them.
uint32_t tlw_work_wanting_threads(enkiTaskScheduler* scheduler, uint32_t most, uint32_t* priority);
// Sleeps until the completable is complete or there is work to run.
void tlw_park_in_wait(tlw_job_thread* thread, enkiCompletable* completable, uint32_t max_priority);
// Whether no work waits and no thread but `self` runs anything.
bool tlw_is_quiet(enkiTaskScheduler* scheduler, const tlw_job_thread* self);

// ---- taskset.c

// Puts a pending set into the thread's pipe, or runs it if the pipe is full.
void tlw_schedule_set(tlw_job_thread* thread, enkiTaskSet* set);
// Runs the whole set, and then sets that become ready by it and have one range only.
void tlw_run_sets(tlw_job_thread* thread, enkiTaskSet* set, const enkiCompletable* awaited);

// ---- pinned.c

void tlw_schedule_pinned(enkiTaskScheduler* scheduler, enkiPinnedTask* task);
// Runs all pinned tasks of this thread and priority. False if there were none.
bool tlw_run_pinned(tlw_job_thread* thread, uint32_t priority);

// ---- dependency.c

void tlw_completable_init(enkiCompletable* completable, tlw_job_kind kind, uint8_t allocator);
// Call it before freeing the memory. False if it still runs; the thread that completes it then
// frees it.
bool tlw_completable_retire(enkiCompletable* completable);
size_t tlw_completable_size(tlw_job_kind kind);
// Marks it and everything that depends on it as pending.
void tlw_mark_pending(enkiCompletable* completable);
// Call it when all items have run: completes it and starts what depends on it. If `may_run` is set,
// one dependent set that is ready and has one range only may be returned for the caller to run.
enkiTaskSet* tlw_complete(tlw_job_thread* thread, enkiCompletable* completable, bool may_run);

TLW_INLINE bool tlw_is_complete(const enkiCompletable* completable) {
    return tlw_state_is_complete(&((enkiCompletable*)completable)->state);
}

// The smallest range of a set. A scheduler with one thread takes the whole set.
TLW_INLINE uint32_t tlw_set_grain(const enkiTaskScheduler* scheduler, const enkiTaskSet* set) {
    uint32_t grain =
        scheduler->thread_count == 1 ? set->size : set->size >> (scheduler->share_shift + 4);
    grain = grain > set->min_range ? grain : set->min_range;
    return grain > 0 ? grain : 1;
}

#endif
