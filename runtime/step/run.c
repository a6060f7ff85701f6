// SPDX-License-Identifier: MIT
// Runs the stages of a substep over a character's blocks.
//
// Stages that need nothing of other blocks go together as a group: what one leaves is still in the
// first cache when the next reads it. A group begins when the one before has ended on all blocks.
// On this thread, or as one job of a team a group; the bits are the same, as every stage writes
// only its own windows. (A wave, each stage trailing the one before by no more than it must, keeps
// more in the second cache and was no faster at any size: six stages that look at their neighbours'
// planes span more than that cache holds.)
#include "platform/fpu.h"
#include "platform/thread.h"
#include "profiling/profile.h"
#include "runtime/world/character.h"

// Blocks that a group's stages take in turns: few enough for the first cache, enough that clock and
// zone cost nothing beside the work.
#define BLOCKS_AT_ONCE 16u

static const tlw_zone_site zones[TLW_PASS_COUNT] = {
#define ZONE(name, text, colour, meaning) TLW_ZONE_SITE(text, colour),
    TLW_PASS_TABLE(ZONE)
#undef ZONE
};

static const struct {
    tlw_pass pass;
    bool reads_neighbours;
} stages[TLW_STAGE_COUNT] = {
#define STAGE(name, pass, reach) {TLW_PASS_##pass, reach},
    TLW_STAGE_TABLE(STAGE)
#undef STAGE
};

static uint64_t read_clock(const tlw_runner* runner) {
    return runner->clock ? runner->clock(runner->clock_user) : 0;
}

// Stages that follow one another on a block.
typedef struct stage_group {
    const tlw_runner* runner;
    const tlw_substep* substep;
    uint32_t count;
    struct {
        tlw_stage_function* function;
        tlw_pass pass;
    } stages[TLW_STAGE_COUNT];
} stage_group;

// Blocks [seen, first) were this thread's, just before.
static void group_job(const void* context, uint32_t seen, uint32_t first, uint32_t end,
                      uint64_t* pass_ns) {
    const stage_group* group = context;
    tlw_substep substep = *group->substep;
    uint64_t from = read_clock(group->runner);
    while (first < end) {
        const uint32_t left = end - first;
        const uint32_t count = group->count > 1 && left > BLOCKS_AT_ONCE ? BLOCKS_AT_ONCE : left;
        substep.seen_blocks = first - seen;
        for (uint32_t i = 0; i < group->count; ++i) {
            const tlw_pass pass = group->stages[i].pass;
            {
                TLW_ZONE_AT(&zones[pass]);
                group->stages[i].function(&substep, first, first + count);
            }
            const uint64_t to = read_clock(group->runner);
            pass_ns[pass] += to - from;
            from = to;
        }
        first += count;
    }
}

// ---- Teams
//
// A character's step is one thread's, which takes it, and does everything that is not a stage. It
// lays out each job and opens the gate; whoever comes by enters, takes what is left, and goes out
// again; the thread that took the character does the same, then shuts the gate and waits for those
// inside. So nothing depends on anybody coming. Parts keep a thread on the same blocks in every
// job, as long as all are equally fast: what it left is in its own cache.

#define GATE_HELPER 1u
#define GATE_OPEN   (1u << 15)
#define GATE_JOB    (1u << 16)
#define GATE_INSIDE (GATE_OPEN - 1)
// How long one waits, in looks at the gate. A helper for the next job: some 100 us, longer than
// what happens between two, and short enough for machines with fewer cores than workers; for others
// who are still at the last one, longer. And the thread that took the character for helpers: one
// that is so late was held up by the system, which it may be again, and the rest is done without
// any.
#define LOOKS_FOR_JOB    4000u
#define LOOKS_FOR_OTHERS 16u // times as many
// Helpings of a part: a thread that comes late or is held up leaves the rest to others. Those of
// one thread mostly follow each other, and so many are as good as one.
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

void tlw_team_end(tlw_team* team) {
    atomic_store_explicit(&team->is_done, 1, memory_order_release);
}

// What is left of the job, this thread's own part first.
static void take_helpings(tlw_team* team, uint32_t own, uint64_t* pass_ns) {
    const uint32_t parts = team->part_count;
    uint32_t helping = team->count / (parts * HELPINGS);
    helping = helping > 0 ? helping : 1;
    for (uint32_t i = 0; i < parts; ++i) {
        const uint32_t part = (own + i) % parts;
        const uint32_t end = (uint32_t)((uint64_t)team->count * (part + 1) / parts);
        uint32_t seen = 0, behind = UINT32_MAX; // of helpings that followed each other
        for (;;) {
            const uint32_t first =
                atomic_fetch_add_explicit(&team->next[part], helping, memory_order_relaxed);
            if (first >= end) {
                break;
            }
            seen = first == behind ? seen : first;
            behind = end - first < helping ? end : first + helping;
            team->job(team->context, seen, first, behind, pass_ns);
        }
    }
}

static void run_job(const tlw_runner* runner, tlw_team_job* job, const void* context,
                    uint32_t count) {
    tlw_team* team = runner->team;
    if (team == NULL || atomic_load_explicit(&team->is_done, memory_order_relaxed)) {
        job(context, 0, 0, count, runner->pass_ns);
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
    take_helpings(team, 0, runner->pass_ns);
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
    uint32_t last = 0; // the job that it was in
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
        } else if (atomic_load_explicit(&team->is_done, memory_order_acquire)) {
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

void tlw_run_stage(const tlw_runner* runner, tlw_pass pass, tlw_stage_function* stage,
                   const tlw_substep* substep, uint32_t count) {
    const stage_group group = {runner, substep, 1, {{stage, pass}}};
    run_job(runner, group_job, &group, count);
}

// Width 2 has two stages of its own.
static tlw_stage_function* function_of(const tlw_kernels* kernels, tlw_stage stage, bool is_wide) {
    return is_wide || (stage != TLW_STAGE_regions && stage != TLW_STAGE_goal)
               ? kernels->stages[stage]
           : stage == TLW_STAGE_goal ? kernels->goal2
                                     : kernels->regions2;
}

static void run_stages(const tlw_runner* runner, const tlw_substep* s, uint32_t first,
                       uint32_t last) {
    const bool is_wide = s->blob->lattice->region_width == 3;
    stage_group group = {.runner = runner, .substep = s};
    uint32_t stage = first;
    while (stage <= last) {
        const bool has_windows_of_regions = stage == TLW_STAGE_regions && !is_wide;
        group.count = 0;
        do {
            group.stages[group.count].pass = stages[stage].pass;
            group.stages[group.count].function =
                function_of(runner->kernels, (tlw_stage)stage, is_wide);
            group.count += 1;
            stage += 1;
        } while (stage <= last && !stages[stage].reads_neighbours);
        run_job(runner, group_job, &group,
                has_windows_of_regions ? s->blob->region_stride / TLW_LANES : s->blob->block_count);
    }
}

void tlw_run_substep(const tlw_runner* runner, const tlw_substep* substep, uint32_t repeats) {
    tlw_substep s = *substep;
    run_stages(runner, &s, TLW_STAGE_skin, TLW_STAGE_predict);
    for (uint32_t i = 1; i <= repeats; ++i) {
        s.is_first_repeat = i == 1;
        run_stages(runner, &s, TLW_STAGE_stretch,
                   i == repeats ? TLW_STAGE_velocity : TLW_STAGE_goal);
    }
}

// What is drawn

typedef struct embed_job {
    const tlw_runner* runner;
    const tlw_embed* embed;
    tlw_embed_function* function;
} embed_job;

static void embed_items(const void* context, uint32_t seen, uint32_t begin, uint32_t end,
                        uint64_t* pass_ns) {
    const embed_job* job = context;
    (void)seen;
    const uint64_t from = read_clock(job->runner);
    {
        TLW_ZONE_AT(&zones[TLW_PASS_EMBED]);
        job->function(job->embed, begin, end);
    }
    pass_ns[TLW_PASS_EMBED] += read_clock(job->runner) - from;
}

void tlw_run_embed(const tlw_runner* runner, tlw_embed_function* stage, const tlw_embed* embed,
                   uint32_t count) {
    const embed_job job = {runner, embed, stage};
    run_job(runner, embed_items, &job, count);
}
