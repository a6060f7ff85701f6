// SPDX-License-Identifier: MIT
// Runs the stages of a substep over a character's blocks.
//
// On one thread a stage trails the one before by no more than it must: as soon as a block and the
// blocks of its neighbours are done, the next stage takes it, so that what a stage left is still in
// the cache when the next one reads it. As tasks, a stage is one set over all blocks, and the next
// begins when it has ended. The bits are the same: every stage writes only its own windows.
#include "platform/fpu.h"
#include "profiling/profile.h"
#include "runtime/character.h"

// Blocks that a stage takes at once: enough that clock and zone cost nothing beside the work.
#define BLOCKS_AT_ONCE 8u
// Repeats of the stages from stretch to goal, and the others.
#define REPEATS_MAX 8u
#define INSTANCES_MAX \
    (TLW_STAGE_COUNT + (REPEATS_MAX - 1) * (TLW_STAGE_goal - TLW_STAGE_stretch_pairs + 1))

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

// Stages that one task runs one after the other on its blocks.
typedef struct stage_group {
    const tlw_runner* runner;
    const tlw_substep* substep;
    uint32_t count;
    struct {
        tlw_stage_function* function;
        tlw_pass pass;
    } stages[4];
} stage_group;

static void run_here(const stage_group* group, uint32_t first, uint32_t end, uint64_t* pass_ns) {
    uint64_t from = read_clock(group->runner);
    for (uint32_t i = 0; i < group->count; ++i) {
        const tlw_pass pass = group->stages[i].pass;
        {
            TLW_ZONE_AT(&zones[pass]);
            group->stages[i].function(group->substep, first, end);
        }
        const uint64_t to = read_clock(group->runner);
        pass_ns[pass] += to - from;
        from = to;
    }
}

static void group_task(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    const stage_group* group = context;
    TLW_FLOAT_SCOPE();
    run_here(group, begin, end, group->runner->task_ns[worker]);
}

static void run_group(stage_group* group, uint32_t count) {
    const tlw_task_system* tasks = group->runner->tasks;
    if (tasks == NULL) {
        run_here(group, 0, count, group->runner->pass_ns);
        return;
    }
    const uint32_t share = count / (tasks->worker_count * 4);
    void* handle = tasks->enqueue(group_task, count, share > 0 ? share : 1, group, tasks->user);
    if (handle) {
        tasks->finish(handle, tasks->user);
    }
}

void tlw_run_stage(const tlw_runner* runner, tlw_pass pass, tlw_stage_function* stage,
                   const tlw_substep* substep, uint32_t count) {
    stage_group group = {runner, substep, 1, {{stage, pass}}};
    run_group(&group, count);
}

static void run_tasks(const tlw_runner* runner, const tlw_substep* first, const tlw_substep* later,
                      uint32_t repeats) {
    const tlw_kernels* k = runner->kernels;
    const tlw_body* body = first->body;
    const bool is_wide = body->lattice->region_width == 3;
    stage_group group = {runner,
                         first,
                         2,
                         {{k->stages[TLW_STAGE_skin], TLW_PASS_SKIN},
                          {k->stages[TLW_STAGE_predict], TLW_PASS_PREDICT}}};
    run_group(&group, body->block_count);
    for (uint32_t i = 0; i < repeats; ++i) {
        const tlw_substep* s = i == 0 ? first : later;
        for (uint32_t stage = TLW_STAGE_stretch_pairs; stage <= TLW_STAGE_volume; ++stage) {
            tlw_run_stage(runner, stages[stage].pass, k->stages[stage], s, body->block_count);
        }
        if (is_wide) {
            tlw_run_stage(runner, TLW_PASS_REGIONS, k->stages[TLW_STAGE_regions], s,
                          body->block_count);
        } else {
            tlw_run_stage(runner, TLW_PASS_REGIONS, k->regions2, s,
                          body->region_stride / TLW_LANES);
        }
        const bool is_last = i + 1 == repeats;
        group = (stage_group){runner,
                              s,
                              is_last ? 3 : 1,
                              {{is_wide ? k->stages[TLW_STAGE_goal] : k->goal2, TLW_PASS_GOAL},
                               {k->stages[TLW_STAGE_limit], TLW_PASS_LIMIT},
                               {k->stages[TLW_STAGE_velocity], TLW_PASS_VELOCITY}}};
        run_group(&group, body->block_count);
    }
}

// A stage of one repeat, and how many blocks it has done.
typedef struct stage_instance {
    tlw_stage stage;
    const tlw_substep* substep;
    uint32_t done;
} stage_instance;

static uint32_t list_instances(const tlw_substep* first, const tlw_substep* later, uint32_t repeats,
                               stage_instance* list) {
    uint32_t count = 0;
    for (uint32_t stage = 0; stage < TLW_STAGE_stretch_pairs; ++stage) {
        list[count++] = (stage_instance){(tlw_stage)stage, first, 0};
    }
    for (uint32_t i = 0; i < repeats; ++i) {
        for (uint32_t stage = TLW_STAGE_stretch_pairs; stage <= TLW_STAGE_goal; ++stage) {
            list[count++] = (stage_instance){(tlw_stage)stage, i == 0 ? first : later, 0};
        }
    }
    for (uint32_t stage = TLW_STAGE_goal + 1; stage < TLW_STAGE_COUNT; ++stage) {
        list[count++] = (stage_instance){(tlw_stage)stage, first, 0};
    }
    return count;
}

// How far a stage may go: its blocks' neighbours must have been through the stage before.
static uint32_t ready_blocks(const tlw_body* body, const stage_instance* list, uint32_t i) {
    const uint32_t all_blocks = body->block_count;
    const uint32_t before = i == 0 ? all_blocks : list[i - 1].done;
    uint32_t end = list[i].done + BLOCKS_AT_ONCE;
    end = end < all_blocks ? end : all_blocks;
    if (!stages[list[i].stage].reads_neighbours) {
        return end < before ? end : before;
    }
    while (end > list[i].done && body->blocks[end - 1].last_neighbour >= before) {
        end -= 1;
    }
    return end;
}

static void run_wave(const tlw_runner* runner, const tlw_substep* first, const tlw_substep* later,
                     uint32_t repeats) {
    const tlw_body* body = first->body;
    stage_instance list[INSTANCES_MAX];
    const uint32_t count = list_instances(first, later, repeats, list);
    uint64_t from = read_clock(runner);
    while (list[count - 1].done < body->block_count) {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t end = ready_blocks(body, list, i);
            // Whole helpings only, until the stage before is through.
            const bool is_helping = end - list[i].done >= BLOCKS_AT_ONCE || i == 0 ||
                                    list[i - 1].done == body->block_count;
            if (end == list[i].done || !is_helping) {
                continue;
            }
            const tlw_pass pass = stages[list[i].stage].pass;
            {
                TLW_ZONE_AT(&zones[pass]);
                runner->kernels->stages[list[i].stage](list[i].substep, list[i].done, end);
            }
            list[i].done = end;
            const uint64_t to = read_clock(runner);
            runner->pass_ns[pass] += to - from;
            from = to;
        }
    }
}

void tlw_run_substep(const tlw_runner* runner, const tlw_substep* substep, uint32_t repeats) {
    tlw_substep first = *substep, later = *substep;
    first.is_first_repeat = true;
    later.is_first_repeat = false;
    if (runner->tasks == NULL && substep->body->lattice->region_width == 3) {
        run_wave(runner, &first, &later, repeats);
    } else {
        run_tasks(runner, &first, &later, repeats);
    }
}

// What is drawn

typedef struct embed_job {
    const tlw_runner* runner;
    const tlw_embed* embed;
    tlw_embed_function* function;
} embed_job;

static void embed_here(const embed_job* job, uint32_t first, uint32_t end, uint64_t* pass_ns) {
    const uint64_t from = read_clock(job->runner);
    {
        TLW_ZONE_AT(&zones[TLW_PASS_EMBED]);
        job->function(job->embed, first, end);
    }
    pass_ns[TLW_PASS_EMBED] += read_clock(job->runner) - from;
}

static void embed_task(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    const embed_job* job = context;
    TLW_FLOAT_SCOPE();
    embed_here(job, begin, end, job->runner->task_ns[worker]);
}

void tlw_run_embed(const tlw_runner* runner, tlw_embed_function* stage, const tlw_embed* embed,
                   uint32_t count) {
    embed_job job = {runner, embed, stage};
    const tlw_task_system* tasks = runner->tasks;
    if (tasks == NULL) {
        embed_here(&job, 0, count, runner->pass_ns);
        return;
    }
    const uint32_t share = count / (tasks->worker_count * 4);
    void* handle = tasks->enqueue(embed_task, count, share > 0 ? share : 1, &job, tasks->user);
    if (handle) {
        tasks->finish(handle, tasks->user);
    }
}
