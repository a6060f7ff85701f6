// SPDX-License-Identifier: MIT
// Runs the stages of the stage table (passes/kernels.h) over a character's blocks (MODEL 3.1, 7.2).
//
// Stages that read nothing of other blocks are grouped with the stage before them: what one leaves
// is still in the first cache when the next reads it. A group begins when the group before has
// ended on all blocks. Each group is one job, run by this thread or by a team; the bits are the
// same, because every stage writes only its own windows.
//
// Tried and dropped: a wave, in which each stage trails the stage before by no more than it must.
// It keeps more in the second cache and was no faster at any size, because six stages that read
// their neighbours' planes span more than that cache holds.
#include "runtime/step/substep.h"

#include "profiling/profile.h"
#include "runtime/step/bends.h"

// A group runs its stages on this many blocks at a time: few enough for the first cache, enough
// that reading the clock and opening a zone cost nothing beside the work.
#define BLOCKS_AT_ONCE 16u

static const tlw_zone_site zones[TLW_PASS_COUNT] = {
#define ZONE(name, text, colour, meaning) TLW_ZONE_SITE(text, colour),
    TLW_PASS_TABLE(ZONE)
#undef ZONE
};

static uint64_t read_clock(const tlw_runner* runner) {
    return runner->clock ? runner->clock(runner->clock_user) : 0;
}

// Stages that follow one another on a block.
typedef struct stage_group {
    const tlw_runner* runner;
    const tlw_substep* substep;
    tlw_stage_items items;
    uint32_t count;
    tlw_stage stages[TLW_STAGE_COUNT];
} stage_group;

// Runs a group on items [first, end); this thread ran it on items [seen, first) just before.
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
            const tlw_stage stage = group->stages[i];
            const tlw_pass pass = tlw_stages[stage].pass;
            {
                TLW_ZONE_AT(&zones[pass]);
                group->runner->kernels->stages[stage](&substep, first, first + count);
            }
            const uint64_t to = read_clock(group->runner);
            pass_ns[pass] += to - from;
            from = to;
        }
        first += count;
    }
}

static void run_group(stage_group* group) {
    const tlw_blob_arrays* blob = group->substep->blob;
    if (group->count > 0) {
        tlw_team_run(group->runner->team, group_job, group,
                     group->items == TLW_ITEMS_REGIONS ? blob->region_stride / TLW_LANES
                                                       : blob->block_count,
                     group->runner->pass_ns);
    }
    group->count = 0;
}

static void add_stage(stage_group* group, tlw_stage stage) {
    const tlw_stage_info* info = &tlw_stages[stage];
    if (info->reads_neighbours || info->items != group->items) {
        run_group(group);
    }
    group->items = info->items;
    group->stages[group->count++] = stage;
}

void tlw_run_stage(const tlw_runner* runner, tlw_stage stage, const tlw_substep* substep) {
    stage_group group = {.runner = runner, .substep = substep};
    add_stage(&group, stage);
    run_group(&group);
}

#define PHASE(name) (1u << TLW_PHASE_##name)

static bool is_for(const tlw_substep* s, tlw_stage_only only) {
    switch (only) {
    case TLW_ONLY_WIDTH_3:
        return s->blob->lattice->region_width == 3;
    case TLW_ONLY_WIDTH_2:
        return s->blob->lattice->region_width == 2;
    case TLW_ONLY_BELLIES:
        return s->displacement != NULL;
    case TLW_ONLY_LAME:
        return s->lame != NULL;
    default:
        return true;
    }
}

// Runs all stages of the phases in a mask. Groups reach across the border of two phases.
static void run_phases(const tlw_runner* runner, const tlw_substep* s, uint32_t phases) {
    stage_group group = {.runner = runner, .substep = s};
    for (uint32_t phase = 0; phases >> phase != 0; ++phase) {
        for (uint32_t stage = 0; phases >> phase & 1 && stage < TLW_STAGE_COUNT; ++stage) {
            const tlw_stage_info* info = &tlw_stages[stage];
            if ((uint32_t)info->phase == phase && is_for(s, info->only)) {
                add_stage(&group, (tlw_stage)stage);
            }
        }
    }
    run_group(&group);
}

static void solve_bends(const tlw_runner* runner, const tlw_substep* s) {
    const uint64_t from = read_clock(runner);
    {
        TLW_ZONE_AT(&zones[TLW_PASS_BENDS]);
        tlw_solve_bends(s);
    }
    runner->pass_ns[TLW_PASS_BENDS] += read_clock(runner) - from;
}

void tlw_run_lines(const tlw_runner* runner, const struct tlw_lines* lines) {
    const uint64_t from = read_clock(runner);
    {
        TLW_ZONE_AT(&zones[TLW_PASS_MUSCLES]);
        runner->kernels->solve_lines(lines);
    }
    runner->pass_ns[TLW_PASS_MUSCLES] += read_clock(runner) - from;
}

// Runs skin, bends where volume is kept, and then the phases `after`.
static void run_skin_and(const tlw_runner* runner, const tlw_substep* s, uint32_t after) {
    if (s->bend_sums == NULL) {
        run_phases(runner, s, PHASE(SKIN) | after);
    } else {
        run_phases(runner, s, PHASE(SKIN) | PHASE(MEASURE));
        solve_bends(runner, s);
        run_phases(runner, s, PHASE(CORRECT) | after);
    }
}

void tlw_run_skin(const tlw_runner* runner, const tlw_substep* substep) {
    run_skin_and(runner, substep, 0);
}

void tlw_run_substep(const tlw_runner* runner, const tlw_substep* substep, uint32_t repeats) {
    tlw_substep s = *substep;
    const uint32_t contact = s.limbs.count + s.colliders.count > 0 ? PHASE(CONTACT) : 0;
    if (s.is_skinned) {
        run_phases(runner, &s, PHASE(BEFORE));
    } else {
        run_skin_and(runner, &s, PHASE(BEFORE));
    }
    for (uint32_t i = 1; i <= repeats; ++i) {
        s.is_first_repeat = i == 1;
        const uint32_t after =
            i == repeats ? PHASE(AFTER) | PHASE(LIMIT) | contact | PHASE(END) : 0;
        run_phases(runner, &s, PHASE(REPEATED) | after);
    }
}

// ---- Output

typedef struct embed_job {
    const tlw_runner* runner;
    const tlw_embed* embed;
    tlw_embed_function* function;
} embed_job;

static void run_embed_items(const void* context, uint32_t seen, uint32_t begin, uint32_t end,
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
    tlw_team_run(runner->team, run_embed_items, &job, count, runner->pass_ns);
}
