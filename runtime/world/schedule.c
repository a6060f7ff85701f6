// SPDX-License-Identifier: MIT
// The step of a world: which task steps which character, and the report (MODEL 7.1, 7.3).
//
//     begin    Sorts characters by cost. Those that cost more than a worker's share are split: some
//              tasks take these one by one, and a task that finds none left to start joins the team
//              of one that is still running. Every other character is one task.
//     end      Waits for all of these tasks, then writes the report.
//
// Whether a character is split changes no bit: a stage writes only its own windows, and reductions
// go by block.
#include "platform/fpu.h"
#include "profiling/profile.h"
#include "runtime/step/step.h"
#include "runtime/world/world.h"

#include <string.h>

// Where the def leaves it to the world, a character that costs less is not split: waiting between
// passes would take longer than it gains. Cost is in windows per substep.
#define SPLIT_COST_LEAST 256.0f
// This much cost keeps one thread busy.
#define HELPER_COST 64.0f

static uint64_t read_clock(const tlw_world* world) {
    return world->def.clock ? world->def.clock(world->def.clock_user) : 0;
}

static float cost_of(const tlw_world* world, uint32_t slot) {
    return world->slots[slot].character->blob.lattice->cost;
}

// Most expensive first. Characters of one blob stay together, so that a worker's scratch serves
// many in a row without being cleared.
static bool is_before(const tlw_world* world, uint32_t a, uint32_t b) {
    const float cost_a = cost_of(world, a), cost_b = cost_of(world, b);
    if (cost_a != cost_b) {
        return cost_a > cost_b;
    }
    const uintptr_t blob_a = (uintptr_t)world->slots[a].character->blob.bytes;
    const uintptr_t blob_b = (uintptr_t)world->slots[b].character->blob.bytes;
    return blob_a != blob_b ? blob_a < blob_b : a < b;
}

static void sift(const tlw_world* world, uint32_t* list, uint32_t at, uint32_t count) {
    for (uint32_t child = at * 2 + 1; child < count; child = at * 2 + 1) {
        if (child + 1 < count && is_before(world, list[child], list[child + 1])) {
            child += 1;
        }
        if (!is_before(world, list[at], list[child])) {
            return;
        }
        const uint32_t swap = list[at];
        list[at] = list[child];
        list[child] = swap;
        at = child;
    }
}

// A heap sort, which needs neither recursion nor memory.
static void sort_by_cost(const tlw_world* world, uint32_t* list, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) {
        sift(world, list, i, count);
    }
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t swap = list[0];
        list[0] = list[i];
        list[i] = swap;
        sift(world, list, 0, i);
    }
}

// Steps a character as one worker, with its team or alone (null), and fills in its report.
static void take_character(tlw_world* world, uint32_t slot, uint32_t worker, tlw_team* team) {
    tlw_character* c = world->slots[slot].character;
    tlw_character_report* report = &c->report;
    const uint64_t begin = read_clock(world);
    uint64_t pass_ns[TLW_PASS_COUNT] = {0};
    const tlw_runner runner = {.kernels = world->kernels,
                               .team = team,
                               .clock = world->def.clock,
                               .clock_user = world->def.clock_user,
                               .pass_ns = pass_ns};
    report->was_split = team != NULL;
    report->flags = tlw_character_step(c, &world->scratch[worker], &runner, world->dt);
    for (uint32_t p = 0; p < TLW_PASS_COUNT; ++p) {
        report->pass_ns[p] = pass_ns[p];
        world->pass_ns[worker][p] += pass_ns[p];
    }
    report->step_ns = read_clock(world) - begin;
    if (team) {
        tlw_team_end(team);
    }
}

static void character_task(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    tlw_world* world = context;
    for (uint32_t i = begin; i < end; ++i) {
        take_character(world, world->order[world->split_count + i], worker, NULL);
    }
}

// Takes split characters until all are taken, then joins the teams of characters that are still
// running.
static void split_task(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    tlw_world* world = context;
    for (uint32_t item = begin; item < end; ++item) {
        uint32_t i = atomic_fetch_add_explicit(&world->next_split, 1, memory_order_relaxed);
        for (; i < world->split_count;
             i = atomic_fetch_add_explicit(&world->next_split, 1, memory_order_relaxed)) {
            const uint32_t slot = world->order[i];
            take_character(world, slot, worker, &world->slots[slot].character->team);
        }
        for (i = 0; i < world->split_count; ++i) {
            tlw_team_help(&world->slots[world->order[i]].character->team, world->pass_ns[worker]);
        }
    }
}

// Sorts the characters by cost and decides which are split, and by how many threads.
static void plan_step(tlw_world* world) {
    TLW_FLOAT_SCOPE();
    uint32_t count = 0;
    float total = 0.0f;
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        if (world->slots[i].character) {
            world->order[count++] = i;
            total += cost_of(world, i);
        }
    }
    sort_by_cost(world, world->order, count);
    const uint32_t workers = world->def.tasks.worker_count;
    float split_at = world->def.split_cost;
    if (split_at == 0.0f) {
        split_at = total / (2.0f * (float)workers);
        split_at = split_at > SPLIT_COST_LEAST ? split_at : SPLIT_COST_LEAST;
    }
    world->split_count = 0;
    float threads = 0.0f; // that split characters keep busy
    while (workers > 1 && world->split_count < count &&
           cost_of(world, world->order[world->split_count]) > split_at) {
        threads += 2.0f + cost_of(world, world->order[world->split_count]) / HELPER_COST;
        world->split_count += 1;
    }
    world->task_count = count - world->split_count;
    world->thread_count = threads < (float)workers ? (uint32_t)threads : workers;
}

// The task system's callbacks are the engine's and must run with the engine's float control, so
// there is no TLW_FLOAT_SCOPE here.
void tlw_world_begin_step(tlw_world* world, double dt) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "a step is under way");
    TLW_ZONE("tallow begin");
    const tlw_task_system* tasks = &world->def.tasks;
    world->begin_ns = read_clock(world);
    world->dt = dt;
    memset(world->pass_ns, 0, tasks->worker_count * sizeof *world->pass_ns);
    plan_step(world);
    for (uint32_t i = 0; i < world->split_count; ++i) {
        tlw_team_begin(&world->slots[world->order[i]].character->team, world->thread_count);
    }
    atomic_store_explicit(&world->next_split, 0, memory_order_relaxed);
    world->is_stepping = true;
    if (world->split_count > 0) {
        world->split_handle =
            tasks->enqueue(split_task, world->thread_count, 1, world, tasks->user);
    }
    world->handle = tasks->enqueue(character_task, world->task_count, 1, world, tasks->user);
}

static void keep_worst(tlw_world_report* report) {
    uint32_t at = TLW_WORST_FRAMES;
    while (at > 0 && report->wall_ns > report->worst[at - 1].wall_ns) {
        at -= 1;
    }
    if (at == TLW_WORST_FRAMES) {
        return;
    }
    memmove(&report->worst[at + 1], &report->worst[at],
            (TLW_WORST_FRAMES - 1 - at) * sizeof report->worst[0]);
    report->worst[at].step = report->step_count;
    report->worst[at].wall_ns = report->wall_ns;
    memcpy(report->worst[at].pass_ns, report->pass_ns, sizeof report->pass_ns);
}

static void report_step(tlw_world* world) {
    TLW_FLOAT_SCOPE();
    if (tlw_step_flags_of_time(world->dt) == 0) {
        tlw_colliders_end_call(&world->colliders);
    }
    for (uint32_t i = 0; i < world->split_count; ++i) {
        tlw_character* c = world->slots[world->order[i]].character;
        for (uint32_t p = 0; p < TLW_PASS_COUNT; ++p) {
            c->report.pass_ns[p] +=
                atomic_load_explicit(&c->team.helper_ns[p], memory_order_relaxed);
        }
    }
    tlw_world_report* report = &world->report;
    report->step_count += 1;
    report->character_count = world->task_count + world->split_count;
    report->split_count = world->split_count;
    report->flags = tlw_step_flags_of_time(world->dt); // also in an empty world
    report->asleep_count = report->substeps = 0;
    report->voxel_substeps = 0;
    for (uint32_t i = 0; i < report->character_count; ++i) {
        const tlw_character* c = world->slots[world->order[i]].character;
        const size_t scratch = tlw_scratch_bytes(&c->blob);
        report->flags |= c->report.flags;
        report->asleep_count += (c->report.flags & TLW_STEP_ASLEEP) != 0;
        report->substeps += c->report.substeps;
        report->voxel_substeps += (uint64_t)c->report.substeps * c->blob.lattice->voxel_count;
        report->scratch_high_water_bytes =
            scratch > report->scratch_high_water_bytes ? scratch : report->scratch_high_water_bytes;
    }
    for (uint32_t p = 0; p < TLW_PASS_COUNT; ++p) {
        report->pass_ns[p] = 0;
        for (uint32_t w = 0; w < world->def.tasks.worker_count; ++w) {
            report->pass_ns[p] += world->pass_ns[w][p];
        }
        report->total_pass_ns[p] += report->pass_ns[p];
    }
    report->wall_ns = read_clock(world) - world->begin_ns;
    report->total_wall_ns += report->wall_ns;
    report->over_budget_count += (double)report->wall_ns > world->def.budget_ms * 1e6;
    keep_worst(report);
}

tlw_step_flags tlw_world_end_step(tlw_world* world) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(world->is_stepping, "no step is under way");
    TLW_ZONE("tallow end");
    const tlw_task_system* tasks = &world->def.tasks;
    if (world->split_handle) {
        tasks->finish(world->split_handle, tasks->user);
    }
    if (world->handle) {
        tasks->finish(world->handle, tasks->user);
    }
    world->split_handle = world->handle = NULL;
    report_step(world);
    world->is_stepping = false;
    const tlw_world_report* report = &world->report;
    TLW_PLOT("tallow ms", (double)report->wall_ns * 1e-6);
    TLW_PLOT("tallow budget ms", world->def.budget_ms);
    TLW_PLOT("tallow scratch bytes", report->scratch_high_water_bytes);
    return report->flags;
}

tlw_step_flags tlw_world_step(tlw_world* world, double dt) {
    tlw_world_begin_step(world, dt);
    return tlw_world_end_step(world);
}

void tlw_world_get_report(const tlw_world* world, tlw_world_report* out) {
    TLW_ASSERT(world != NULL && out != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    *out = world->report;
}

void tlw_world_reset_report(tlw_world* world) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    tlw_world_report* report = &world->report;
    report->total_wall_ns = report->over_budget_count = 0;
    memset(report->total_pass_ns, 0, sizeof report->total_pass_ns);
    memset(report->worst, 0, sizeof report->worst);
}
