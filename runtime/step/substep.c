// SPDX-License-Identifier: MIT
// Runs the stages of a substep over a character's blocks.
//
// Stages that need nothing of other blocks go together as a group: what one leaves is still in the
// first cache when the next reads it. A group begins when the one before has ended on all blocks.
// On this thread, or as one job of a team a group; the bits are the same, as every stage writes
// only its own windows. (A wave, each stage trailing the one before by no more than it must, keeps
// more in the second cache and was no faster at any size: six stages that look at their neighbours'
// planes span more than that cache holds.)
#include "runtime/step/substep.h"

#include "profiling/profile.h"

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

void tlw_run_stage(const tlw_runner* runner, tlw_pass pass, tlw_stage_function* stage,
                   const tlw_substep* substep, uint32_t count) {
    const stage_group group = {runner, substep, 1, {{stage, pass}}};
    tlw_team_run(runner->team, group_job, &group, count, runner->pass_ns);
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
        tlw_team_run(runner->team, group_job, &group,
                     has_windows_of_regions ? s->blob->region_stride / TLW_LANES
                                            : s->blob->block_count,
                     runner->pass_ns);
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
    tlw_team_run(runner->team, embed_items, &job, count, runner->pass_ns);
}
