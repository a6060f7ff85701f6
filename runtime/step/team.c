// SPDX-License-Identifier: MIT
// The gate protocol of a team (team.h, MODEL 7.3). tests/model/team_model.cpp compiles this file
// and searches its interleavings, so it is written in what C and C++ share.
//
// Parts keep a thread on the same blocks in every job, as long as all threads are equally fast:
// what a thread wrote in one job is still in its own cache in the next.
#include "runtime/step/team.h"

#include "platform/fpu.h"
#include "platform/thread.h"

#define GATE_HELPER 1u
#define GATE_OPEN   (1u << 15)
#define GATE_JOB    (1u << 16)
#define GATE_INSIDE (GATE_OPEN - 1)

// How long a thread waits, counted in looks at the gate. A helper waits for the next job for some
// 100 us: longer than what happens between two jobs, and short enough for machines with fewer cores
// than workers. While others are still at work on the last job it waits 16 times as long, and so
// does the owner for helpers that are inside. A helper that is later than that was held up by the
// system, which may happen again, so the rest of the step is done without helpers.
// A model looks less often.
#if !defined(LOOKS_FOR_JOB)
#    define LOOKS_FOR_JOB    4000u
#    define LOOKS_FOR_OTHERS 16u // times LOOKS_FOR_JOB
#endif

// A part is taken in 16 helpings, so that a thread that comes late or is held up leaves the rest to
// others. Helpings of one thread mostly follow each other, which makes them as good as a single
// one.
#define HELPINGS 16u

void tlw_team_begin(tlw_team* team, uint32_t threads) {
    atomic_store_explicit(&team->gate, 0, memory_order_relaxed);
    atomic_store_explicit(&team->helper_count, 0, memory_order_relaxed);
    atomic_store_explicit(&team->is_done, 0, memory_order_relaxed);
    for (uint32_t p = 0; p < TLW_PASS_COUNT; ++p) {
        atomic_store_explicit(&team->helper_ns[p], 0, memory_order_relaxed);
    }
    team->part_count = threads < TLW_TEAM_PARTS_MAX ? threads : TLW_TEAM_PARTS_MAX;
}

// Nothing is read on the strength of is_done: what helpers leave behind is read after their tasks
// have ended.
void tlw_team_end(tlw_team* team) {
    atomic_store_explicit(&team->is_done, 1, memory_order_relaxed);
}

// Runs what is left of the job, this thread's own part first.
static void take_helpings(tlw_team* team, uint32_t own, uint64_t* pass_ns) {
    const uint32_t parts = team->part_count;
    uint32_t helping = team->count / (parts * HELPINGS);
    helping = helping > 0 ? helping : 1;
    for (uint32_t i = 0; i < parts; ++i) {
        const uint32_t part = (own + i) % parts;
        const uint32_t end = (uint32_t)((uint64_t)team->count * (part + 1) / parts);
        // Items [seen, after) were helpings of this thread without a gap between them.
        uint32_t seen = 0, after = UINT32_MAX;
        for (;;) {
            const uint32_t first =
                atomic_fetch_add_explicit(&team->next[part], helping, memory_order_relaxed);
            if (first >= end) {
                break;
            }
            seen = first == after ? seen : first;
            after = end - first < helping ? end : first + helping;
            team->job(team->context, seen, first, after, pass_ns);
        }
    }
}

void tlw_team_run(tlw_team* team, tlw_team_job* job, const void* context, uint32_t count,
                  uint64_t* pass_ns) {
    if (team == NULL || atomic_load_explicit(&team->is_done, memory_order_relaxed)) {
        job(context, 0, 0, count, pass_ns);
        return;
    }
    const uint32_t gate = atomic_load_explicit(&team->gate, memory_order_relaxed) + GATE_JOB;
    team->job = job;
    team->context = context;
    team->count = count;
    for (uint32_t part = 0; part < team->part_count; ++part) {
        const uint32_t first = (uint32_t)((uint64_t)count * part / team->part_count);
        atomic_store_explicit(&team->next[part], first, memory_order_relaxed);
    }
    atomic_store_explicit(&team->gate, gate | GATE_OPEN, memory_order_release);
    take_helpings(team, 0, pass_ns);
    atomic_fetch_and_explicit(&team->gate, ~GATE_OPEN, memory_order_relaxed);
    uint32_t looks = 0;
    while (atomic_load_explicit(&team->gate, memory_order_acquire) & GATE_INSIDE) {
        tlw_cpu_pause();
        looks += 1;
    }
    if (looks > LOOKS_FOR_JOB * LOOKS_FOR_OTHERS) {
        tlw_team_end(team);
    }
}

void tlw_team_help(tlw_team* team, uint64_t pass_ns[TLW_PASS_COUNT]) {
    TLW_FLOAT_SCOPE();
    const uint32_t own =
        1 + atomic_fetch_add_explicit(&team->helper_count, 1, memory_order_relaxed);
    uint64_t ns[TLW_PASS_COUNT] = {0};
    uint32_t last = 0; // number of the last job that this thread was in
    uint32_t looks = 0;
    while (looks < LOOKS_FOR_JOB * LOOKS_FOR_OTHERS) {
        uint32_t gate = atomic_load_explicit(&team->gate, memory_order_relaxed);
        if ((gate & GATE_OPEN) && gate / GATE_JOB != last) {
            if (atomic_compare_exchange_strong_explicit(&team->gate, &gate, gate + GATE_HELPER,
                                                        memory_order_acquire,
                                                        memory_order_relaxed)) {
                take_helpings(team, own, ns);
                last = gate / GATE_JOB;
                looks = 0;
                atomic_fetch_sub_explicit(&team->gate, GATE_HELPER, memory_order_release);
            }
        } else if (atomic_load_explicit(&team->is_done, memory_order_relaxed)) {
            break;
        } else {
            looks += gate & GATE_OPEN ? 1 : LOOKS_FOR_OTHERS;
            tlw_cpu_pause();
        }
    }
    for (uint32_t p = 0; p < TLW_PASS_COUNT; ++p) {
        pass_ns[p] += ns[p];
        atomic_fetch_add_explicit(&team->helper_ns[p], ns[p], memory_order_relaxed);
    }
}
