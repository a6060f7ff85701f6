// SPDX-License-Identifier: MIT
// Private to jobs. When threads spin, sleep and are woken: wake.c parks and wakes, sleep.c decides
// when to spin and to sleep. State: one word `idle` of the scheduler with three counts (sleepers,
// searchers, waiters), and one word `parked` per thread, which is also what it sleeps on.
//
//   searcher   a created thread that found nothing and looks again and again
//   sleeper    a created thread that is parked until there is work
//   waiter     any thread parked inside a wait for a completable
//
// SLEEP   park: parked = kind; count in idle; look at everything once more (queues, own inbox, the
//         awaited state, shutdown); then tlw_wait(parked, kind). Found something: take it back.
// WAKE    claim: compare-exchange parked from kind to CLAIMED (one winner); move the sleeper to the
//         searchers in idle on its behalf; parked = AWAKE; tlw_wake_one(parked).
// ADD     push (sequentially consistent, queue.h); load idle; if fewer search than the work wants,
//         claim sleepers for the rest; with nobody searching or asleep, claim a waiter whose
//         priority allows it.
//
// No wake-up is lost:
//  1. New work, sleeper. Push then load idle on one side; count in idle then look at the queues on
//     the other; all four sequentially consistent. Whichever count or push is first in that order
//     is seen by the other side: the adder sees the sleeper, or the sleeper the work.
//  2. New work, adder relies on a searcher instead. A searcher that parks falls under 1. One that
//     finds other work leaves the searchers (sequentially consistent) and, if it was the last,
//     looks at the queues after that and claims a sleeper for what it sees; a thread claimed but
//     not yet running counts as a searcher. A waiter claimed for work, even if it was only about to
//     sleep, passes it on likewise: when it takes any range, and when it leaves its wait.
//  3. Pinned task. Push on the inbox then load parked; parked = kind then look at the inbox; all
//     four sequentially consistent: as 1.
//  4. Completion. Every waiter marks the completable's state with a read-modify-write, also if it
//     is marked already, and the finisher sets it to 0 with another. Marks release, the finisher
//     acquires, and all of them stand in one order, that of the word. Marks before the 0: the
//     finisher sees that there are marks and, by acquire, the parked and awaited of every thread
//     that made one, and claims them. The 0 is first: the waiter sees it and does not sleep.
//  5. Between the claim and the futex: tlw_wait compares parked inside the kernel.
//
// COMPLETE. A set counts items left; the thread that brings that to 0 reads what it still needs
// (dependents, kind), then exchanges state for 0. That exchange is the last touch: from then on the
// memory is the caller's. A range is held by the thread that took it, so no other thread is inside
// the set by then.
//
// SPIN. A thread that runs out of work looks again for a while before it parks. For how long is
// learned: a little longer than the longest of its last 8 gaps that were worth spinning for
// (TLW_SPIN_MAX_NS), 10 us if none were. Gaps too long for that but regular (a frame's) make it
// park with a time limit just before the expected end and spin over it, once: so it is awake when
// the work comes, and an idle scheduler sleeps for good after one look. No more threads search at
// once than there are cores to share, and with more threads than cores nobody spins long.
//
// GIVE WAY. If more threads of all programs want to run than there are cores, a thread that spins
// takes time from one that works, perhaps from the one that it waits for. The system gives every
// thread its share: a thread that has spun through its share is held for milliseconds when its work
// comes. So nobody spins for longer than TLW_SPIN_CROWDED_NS, or, if the last two spins have ended
// in sleep, than TLW_SPIN_IN_VAIN_NS; nobody sleeps with a time limit; and nobody offers its core,
// because that gives the rest of its share away. The system is asked at most every
// TLW_CROWD_ASK_NS, by a thread that has spun for a while or is about to do one of these things.
#ifndef TLW_JOBS_SLEEP_H
#define TLW_JOBS_SLEEP_H

#include "platform/atomic.h"
#include "platform/base.h"

#define TLW_SPIN_MAX_NS            400000u
#define TLW_SPIN_MIN_NS            10000u
#define TLW_SPIN_OVERSUBSCRIBED_NS 20000u
#define TLW_SPIN_POLITE_NS         25000u // longer than this, and the core is offered now and then
#define TLW_SPIN_CROWDED_NS        20000u // a little longer than a wake-up on another core takes
#define TLW_SPIN_IN_VAIN_NS        500u   // if the last spins have ended in sleep
#define TLW_CROWD_ASK_NS           2000000u
#define TLW_LONG_GAP_MAX_NS        50000000u
#define TLW_GAPS                   8

// Values of a thread's `parked`.
#define TLW_AWAKE       0u
#define TLW_CLAIMED     1u
#define TLW_PARK_IDLE   2u // wants any work
#define TLW_PARK_PINNED 3u // wants pinned tasks only
#define TLW_PARK_WAIT   4u // + priority: wants its completable, or work of that priority or higher

// Counts in `idle`.
#define TLW_IDLE_SLEEPER         ((uint64_t)1)
#define TLW_IDLE_SEARCHER        ((uint64_t)1 << 20)
#define TLW_IDLE_WAITER          ((uint64_t)1 << 40)
#define TLW_IDLE_SLEEPERS(idle)  ((uint32_t)((idle)&0xFFFFFu))
#define TLW_IDLE_SEARCHERS(idle) ((uint32_t)(((idle) >> 20) & 0xFFFFFu))
#define TLW_IDLE_WAITERS(idle)   ((uint32_t)(((idle) >> 40) & 0xFFFFFu))

struct enkiTaskScheduler;
struct tlw_job_thread;

// What a thread has learned about the gaps between its pieces of work.
typedef struct tlw_job_gaps {
    uint32_t recent_ns[TLW_GAPS]; // 0 for a gap that was too long to spin for
    uint32_t count;
    uint32_t long_count; // regular long gaps in a row
    uint64_t long_ns;    // their running mean and mean deviation
    uint64_t long_deviation_ns;
} tlw_job_gaps;

void tlw_gaps_note(tlw_job_gaps* gaps, uint64_t gap_ns);
uint64_t tlw_gaps_spin_ns(const tlw_job_gaps* gaps);
// When after its start a long gap is expected to end, and how far off that may be. False: unknown.
bool tlw_gaps_expect(const tlw_job_gaps* gaps, uint64_t* end_ns, uint64_t* margin_ns);

// The sleeper's side. Announce, look at everything, then cancel or sleep; both return with the
// thread counted as awake (as a searcher, if it was TLW_PARK_IDLE). Cancel is false when the thread
// had been claimed meanwhile. Sleep is true when it was claimed, false when the time was up.
void tlw_park_announce(struct tlw_job_thread* thread, uint32_t kind);
bool tlw_park_cancel(struct tlw_job_thread* thread, uint32_t kind);
bool tlw_park_sleep(struct tlw_job_thread* thread, uint32_t kind, uint64_t timeout_ns);

// Wakes the thread if it is parked in exactly this way. False: it was not, or someone else did.
bool tlw_claim(struct enkiTaskScheduler* scheduler, struct tlw_job_thread* thread, uint32_t kind);
// The same, in whatever way it is parked.
bool tlw_claim_any(struct enkiTaskScheduler* scheduler, struct tlw_job_thread* thread);

// Call it after a push of `priority`. `wanted` is how many threads besides the caller could work
// on it.
// `is_divisible`: it was a set of several ranges.
void tlw_wake_for_work(struct enkiTaskScheduler* scheduler, uint32_t wanted, uint32_t priority,
                       bool is_divisible);
// Wakes the waiters on `completable`, which is not touched: only its address is compared.
void tlw_wake_waiters(struct enkiTaskScheduler* scheduler, const void* completable);

// For a created thread that has announced that it parks: whether it must not.
bool tlw_may_not_park(struct tlw_job_thread* thread);
// The calling thread joins the searchers. False: there are enough.
bool tlw_start_searching(struct tlw_job_thread* thread);
// The calling thread leaves the searchers, or passes on a wake-up that it got for work it may not
// have taken: wakes others for what is still visible.
void tlw_stop_searching(struct tlw_job_thread* thread);
void tlw_pass_on(struct tlw_job_thread* thread);

// Whether more threads of all programs want to run than there are cores.
bool tlw_is_crowded(struct enkiTaskScheduler* scheduler, uint64_t now_ns);
// Whether a thread that has spun for so long should sleep because others want its core.
bool tlw_should_give_way(struct tlw_job_thread* thread, uint64_t spun_ns, uint64_t now_ns);
// Learns whether spinning brought what it waited for.
void tlw_learn_spin(struct tlw_job_thread* thread, bool has_helped);

// After a push: moves idle workers off the calling thread's core. `is_divisible` as above.
void tlw_part_cores(struct enkiTaskScheduler* scheduler, bool is_divisible);
// Gives the core away once. True if another thread had it for a short time.
bool tlw_offer_core(void);
// Learns whether giving the core away helped.
void tlw_learn_sharing(struct tlw_job_thread* thread, bool has_helped);

// For created threads: returns when there may be work, or the scheduler stops.
void tlw_idle(struct tlw_job_thread* thread);

#endif
