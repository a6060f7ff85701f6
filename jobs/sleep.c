// SPDX-License-Identifier: MIT
// When threads spin and when they sleep: what they learn about the gaps between pieces of work,
// which core they are on, and what an idle thread does. How they park and wake each other is in
// wake.c.
#include "jobs/scheduler.h"
#include "platform/clock.h"

#include <string.h>

// ---- Gaps -----------------------------------------------------------------------------------

void tlw_gaps_note(tlw_job_gaps* gaps, uint64_t gap_ns) {
    bool is_short = gap_ns <= TLW_SPIN_MAX_NS;
    gaps->recent_ns[gaps->count++ % TLW_GAPS] = is_short ? (uint32_t)gap_ns : 0;
    if (is_short) {
        return;
    }
    uint64_t off = gap_ns > gaps->long_ns ? gap_ns - gaps->long_ns : gaps->long_ns - gap_ns;
    if (gap_ns > TLW_LONG_GAP_MAX_NS) {
        gaps->long_count = 0;
    } else if (gaps->long_count == 0 || off > gaps->long_ns / 2) {
        // The rhythm has changed: starts over.
        gaps->long_count = 1;
        gaps->long_ns = gap_ns;
        gaps->long_deviation_ns = gap_ns / 16;
    } else {
        gaps->long_count += 1;
        gaps->long_ns = (3 * gaps->long_ns + gap_ns) / 4;
        gaps->long_deviation_ns = (3 * gaps->long_deviation_ns + off) / 4;
    }
}

uint64_t tlw_gaps_spin_ns(const tlw_job_gaps* gaps) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < TLW_GAPS; ++i) {
        longest = longest > gaps->recent_ns[i] ? longest : gaps->recent_ns[i];
    }
    uint64_t spin = longest + longest / 2 + TLW_SPIN_MIN_NS;
    return spin < TLW_SPIN_MAX_NS ? spin : TLW_SPIN_MAX_NS;
}

bool tlw_gaps_expect(const tlw_job_gaps* gaps, uint64_t* end_ns, uint64_t* margin_ns) {
    uint64_t margin = 2 * gaps->long_deviation_ns + 100000;
    if (gaps->long_count < 2 || margin > TLW_SPIN_MAX_NS) {
        return false;
    }
    *end_ns = gaps->long_ns;
    *margin_ns = margin;
    return true;
}

// ---- Crowds ---------------------------------------------------------------------------------

bool tlw_is_crowded(enkiTaskScheduler* scheduler, uint64_t now_ns) {
    uint64_t asked = atomic_load_explicit(&scheduler->crowd_asked_ns, memory_order_relaxed);
    // Threads beyond the cores are a crowd of our own, which has rules of its own.
    if (scheduler->oversubscribed) {
        return false;
    }
    if (now_ns - asked > TLW_CROWD_ASK_NS &&
        atomic_compare_exchange_strong_explicit(&scheduler->crowd_asked_ns, &asked, now_ns,
                                                memory_order_relaxed, memory_order_relaxed)) {
        uint32_t cores = atomic_load_explicit(&scheduler->system_cores, memory_order_relaxed);
        if (cores == 0) {
            cores = tlw_system_core_count();
            atomic_store_explicit(&scheduler->system_cores, cores, memory_order_relaxed);
        }
        atomic_store_explicit(&scheduler->is_crowded, tlw_system_running_threads() > cores,
                              memory_order_relaxed);
    }
    return atomic_load_explicit(&scheduler->is_crowded, memory_order_relaxed) != 0;
}

bool tlw_should_give_way(tlw_job_thread* thread, uint64_t spun_ns, uint64_t now_ns) {
    // Every sixteenth spin is long, to notice when spinning helps again.
    const bool is_in_vain = thread->vain_spins >= 2 && thread->vain_spins % 16 != 0;
    return spun_ns > (is_in_vain ? TLW_SPIN_IN_VAIN_NS : TLW_SPIN_CROWDED_NS) &&
           tlw_is_crowded(thread->scheduler, now_ns);
}

void tlw_learn_spin(tlw_job_thread* thread, bool has_helped) {
    thread->vain_spins = has_helped ? 0 : thread->vain_spins + 1;
}

// ---- Which core -----------------------------------------------------------------------------

// After a gap the system often wakes a worker on the core of the thread that adds work, although
// another core is free, and leaves it there for many frames. The worker then starts only when the
// other thread's range is done. So a thread that adds work and sees an idle worker on its own core
// moves that worker to the other cores. That is two system calls, and rare, because the worker then
// stays away from that core until it is found on another thread's core.
//
// On a crowded machine only a set of several ranges has a worker moved. There the system stops each
// thread for milliseconds now and then, and threads on two cores at different times. The ranges of
// a set are then taken by the thread that runs. But a set of one range stands still with the thread
// that has taken it, and on one core its adder would not have been held up by it.
//
// A thread whose cores somebody else has chosen is never moved: its set of cores is compared with
// the one that it has from us, and if they differ it is left alone for good. `idle_core` is a core
// only while the thread is idle, and a thread that is being moved does not leave before that is
// done. So nothing that it runs can choose its cores between the comparison and the move.
// Returns what idle_core becomes.
static uint32_t move_thread(tlw_job_thread* thread, uint32_t away_from) {
    tlw_core_set now;
    if (!tlw_thread_get_cores_of(thread->system_id, &now) ||
        memcmp(&now, &thread->cores_set, sizeof now) != 0) {
        return TLW_CORE_IS_NOT_OURS;
    }
    const tlw_core_set* cores = &thread->scheduler->cores;
    if (tlw_thread_set_cores(thread->system_id, cores, away_from)) {
        thread->cores_set = *cores;
        thread->cores_set.words[away_from / 64] &= ~((uint64_t)1 << away_from % 64);
    }
    return TLW_ANY_CORE;
}

static void announce_core(tlw_job_thread* thread) {
    if (thread->may_be_moved) {
        tlw_core_announce(&thread->idle_core, tlw_thread_current_core());
    }
}

static void withdraw_core(tlw_job_thread* thread) {
    uint32_t core = tlw_core_after_move(&thread->idle_core);
    while (core != TLW_ANY_CORE && core != TLW_CORE_IS_NOT_OURS) {
        if (core == TLW_CORE_BEING_CHANGED) {
            tlw_thread_yield();
        } else if (tlw_core_withdraw(&thread->idle_core, core)) {
            return;
        }
        core = tlw_core_after_move(&thread->idle_core);
    }
    thread->may_be_moved = thread->may_be_moved && core != TLW_CORE_IS_NOT_OURS;
}

void tlw_part_cores(enkiTaskScheduler* scheduler, bool is_divisible) {
    // Only every fourth add looks, because it reads cache lines that the workers write.
    const uint32_t turn = atomic_load_explicit(&scheduler->part_turn, memory_order_relaxed);
    atomic_store_explicit(&scheduler->part_turn, turn + 1, memory_order_relaxed);
    if (turn % 4 != 0 || scheduler->oversubscribed) {
        return;
    }
    const uint32_t here = tlw_thread_current_core();
    for (uint32_t i = scheduler->first_created; i < scheduler->thread_count; ++i) {
        tlw_job_thread* thread = &scheduler->threads[i];
        uint32_t there = atomic_load_explicit(&thread->idle_core, memory_order_relaxed);
        if (there == here && here != TLW_ANY_CORE &&
            (is_divisible || !tlw_is_crowded(scheduler, tlw_clock_ns())) &&
            tlw_core_begin_move(&thread->idle_core, there)) {
            tlw_core_end_move(&thread->idle_core, move_thread(thread, here));
        }
    }
}

// ---- Idle threads ---------------------------------------------------------------------------

// Work has arrived, no matter which thread runs it: the gap ends, and another one begins.
static uint64_t note_arrival(tlw_job_thread* thread) {
    uint64_t now = tlw_clock_ns();
    tlw_gaps_note(&thread->gaps, now - thread->idle_since_ns);
    thread->idle_since_ns = now;
    thread->expects = false;
    return now;
}

static uint64_t spin_budget_ns(const tlw_job_thread* thread) {
    return thread->scheduler->oversubscribed ? TLW_SPIN_OVERSUBSCRIBED_NS
                                             : tlw_gaps_spin_ns(&thread->gaps);
}

// On a machine that is busy with other programs, the system may run the thread that adds work and
// the thread that waits for it on one core, and each spins while the other could run. The sign of
// it: the awaited work arrives when the core is given away for a short time. If the core came back
// at once, no thread wanted it, and the work would have arrived anyway; counting that as help would
// make every round trip of a pinned task pay for a system call. If the core was gone for long,
// another program had it, and offering it again soon would be a mistake.
#define CORE_TAKEN_NS \
    3000u // two switches and what ran between them; a refusal takes less than 1 us
#define CORE_LOST_NS 200000u

bool tlw_offer_core(void) {
    uint64_t start = tlw_clock_ns();
    tlw_thread_yield();
    uint64_t gone = tlw_clock_ns() - start;
    return gone > CORE_TAKEN_NS && gone < CORE_LOST_NS;
}

void tlw_learn_sharing(tlw_job_thread* thread, bool has_helped) {
    thread->shares_core = has_helped ? 16 : thread->shares_core > 0 ? thread->shares_core - 1 : 0;
}

// Looks for work until that time, and longer while other threads have work that they finish
// themselves. The inbox is checked after every pause, because only this thread reads it. Queues,
// which their owners write, are checked less and less often. True if there is work to run or the
// scheduler stops.
static bool spin_until(tlw_job_thread* thread, uint64_t until_ns) {
    uint64_t start_ns = tlw_clock_ns();
    for (uint32_t round = 0;; ++round) {
        for (uint32_t i = 0; i < 4 + 4 * (round < 5 ? round : 5); ++i) {
            for (uint32_t p = 0; p < TLW_PRIORITIES; ++p) {
                if (atomic_load_explicit(&thread->inbox[p], memory_order_relaxed)) {
                    return true;
                }
            }
            tlw_cpu_pause();
        }
        tlw_job_sight sight = tlw_look_for_work(thread);
        if (sight != TLW_SEES_NOTHING) {
            start_ns = note_arrival(thread);
            uint64_t until = start_ns + spin_budget_ns(thread);
            until_ns = until_ns > until ? until_ns : until;
        }
        if (sight == TLW_SEES_WORK ||
            !atomic_load_explicit(&thread->scheduler->running, memory_order_relaxed)) {
            return true;
        }
        const uint64_t now = tlw_clock_ns();
        if (now >= until_ns || tlw_should_give_way(thread, now - start_ns, now)) {
            return false;
        }
        // The thread that is about to add work may be waiting for this core. Offered rarely,
        // because another program that gets the core keeps it for milliseconds.
        if ((thread->scheduler->oversubscribed || thread->shares_core > 0 || round % 128 == 127) &&
            !tlw_is_crowded(thread->scheduler, now)) {
            bool was_taken = tlw_offer_core();
            tlw_learn_sharing(thread, was_taken && tlw_work_is_visible(thread, TLW_LAST_PRIORITY));
        }
    }
}

// Searches until that time, if not enough other threads do. True as spin_until.
static bool search_until(tlw_job_thread* thread, uint64_t until_ns) {
    if (!tlw_start_searching(thread)) {
        return false;
    }
    const bool is_found = spin_until(thread, until_ns);
    tlw_learn_spin(thread, is_found);
    return is_found;
}

static bool park(tlw_job_thread* thread, uint64_t timeout_ns) {
    const struct enkiProfilerCallbacks* callbacks = &thread->scheduler->config.profilerCallbacks;
    tlw_park_announce(thread, TLW_PARK_IDLE);
    if (tlw_may_not_park(thread)) {
        (void)tlw_park_cancel(thread, TLW_PARK_IDLE);
        return true;
    }
    TLW_JOBS_ZONE("asleep");
    if (callbacks->waitForNewTaskSuspendStart) {
        callbacks->waitForNewTaskSuspendStart(thread->number);
    }
    bool is_claimed = tlw_park_sleep(thread, TLW_PARK_IDLE, timeout_ns);
    if (is_claimed) {
        note_arrival(thread);
    }
    if (callbacks->waitForNewTaskSuspendStop) {
        callbacks->waitForNewTaskSuspendStop(thread->number);
    }
    return is_claimed;
}

static void search_and_sleep(tlw_job_thread* thread) {
    uint64_t now = tlw_clock_ns();
    if (thread->idle_since_ns == 0) {
        thread->idle_since_ns = now;
        thread->expects = false;
    }
    if (!thread->expects) {
        if (search_until(thread, thread->idle_since_ns + spin_budget_ns(thread))) {
            return;
        }
        now = tlw_clock_ns();
        const uint64_t since = thread->idle_since_ns;
        uint64_t end, margin;
        if (!thread->scheduler->oversubscribed && tlw_gaps_expect(&thread->gaps, &end, &margin) &&
            now < since + end + margin && !tlw_is_crowded(thread->scheduler, now)) {
            thread->expects = true;
            uint64_t start = end > margin ? since + end - margin : since;
            if ((start > now && park(thread, start - now)) ||
                search_until(thread, since + end + margin)) {
                return;
            }
        }
    }
    (void)park(thread, TLW_WAIT_FOREVER);
}

void tlw_idle(tlw_job_thread* thread) {
    announce_core(thread);
    search_and_sleep(thread);
    withdraw_core(thread);
}
