// SPDX-License-Identifier: MIT
// Private to runtime: a team, the threads that step one large character together (MODEL 7.3).
//
// One thread owns the character's step and does everything that is not a stage. It posts each group
// of stages as a job and opens a gate. Any task that has nothing else to do may enter, take items
// of the job, and leave. The owner takes items too, then shuts the gate and waits for the helpers
// that are still inside. It never waits for a helper to arrive, so any task system will do: one
// that runs its tasks late, one after the other, or all but one of them only when the step is over.
#ifndef TLW_RUNTIME_STEP_TEAM_H
#define TLW_RUNTIME_STEP_TEAM_H

#include "platform/atomic.h"
#include "runtime/passes.h"

TLW_EXTERN_C_BEGIN

// Runs items [begin, end) of one job and adds the time of each pass to `pass_ns`. Items [seen,
// begin) of the same job were run by this thread just before.
typedef void tlw_team_job(const void* context, uint32_t seen, uint32_t begin, uint32_t end,
                          uint64_t* pass_ns);

// A job's items are dealt out in at most this many parts. A model has fewer.
#if !defined(TLW_TEAM_PARTS_MAX)
#    define TLW_TEAM_PARTS_MAX 16
#endif

typedef struct tlw_team {
    // From the highest bit: number of jobs so far, whether the gate is open, helpers inside. 0 when
    // a step begins.
    tlw_atomic_u32 gate;
    tlw_atomic_u32 helper_count; // helpers that ever came in this step
    tlw_atomic_u32 is_done;      // no further job will be posted
    // The job. Written only while the gate is shut and no helper is inside.
    TLW_SHARED(tlw_team_job*) job;
    TLW_SHARED(const void*) context;
    TLW_SHARED(uint32_t) count;
    uint32_t part_count; // of this step; each thread starts with the same part in every job
    tlw_atomic_u32 next[TLW_TEAM_PARTS_MAX];  // per part, the first item that nobody has taken
    tlw_atomic_u64 helper_ns[TLW_PASS_COUNT]; // time that helpers spent in each pass
} tlw_team;

// Resets a team before the step's tasks are enqueued. `threads` is how many may take part, the
// owner included.
void tlw_team_begin(tlw_team* team, uint32_t threads);
// The owner's last call in a step: helpers that look for a job go away.
void tlw_team_end(tlw_team* team);
// The owner's: runs items [0, count) of a job, together with the helpers that come, and returns
// when all have run. With a null team, or when the owner gave up on its helpers, the job runs on
// this thread alone. `pass_ns` gets this thread's times only.
void tlw_team_run(tlw_team* team, tlw_team_job* job, const void* context, uint32_t count,
                  uint64_t* pass_ns);
// A helper's: takes part in jobs until the character is done, or until there was no job for too
// long. Adds this thread's times to `pass_ns`.
void tlw_team_help(tlw_team* team, uint64_t pass_ns[TLW_PASS_COUNT]);

TLW_EXTERN_C_END

#endif
