// SPDX-License-Identifier: MIT
// tallow-bench scaling: how the time per voxel and substep depends on the instruction set, the
// workers, the number of characters and the number of voxels. The lines of a table are measured in
// turns, so that all of them meet the same disturbances.
#include "platform/isa.h"
#include "tools/bench/rival.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS_MAX   5u
#define ROUNDS       9u    // in which every line of a table has a turn
#define CROWD_APART  0.137 // seconds of the clip between one character and the next
#define RESOLUTION   32u
#define LARGE        66u // about 40,000 voxels
#define CROWD_MEMBER 16u // about 900 voxels: a thousand of them fit most memories

typedef struct scaling_bench {
    tlw_bench* bench;
    bool is_quick;
    tlw_bench_core core;
    tlw_actor actor; // at RESOLUTION
} scaling_bench;

// One line of a table: a scene that takes turns with the others.
typedef struct thing {
    char name[64];
    tlw_bench_turns turns;
    double median, least, speedup;
} thing;

static void measure_things(scaling_bench* at, thing* things, size_t count, bool is_wall) {
    static tlw_bench_rounds rounds;
    tlw_bench_turns turns[TLW_BENCH_THINGS_MAX] = {{0}};
    for (size_t i = 0; i < count; ++i) {
        turns[i] = things[i].turns;
    }
    tlw_bench_take_rounds(at->bench, turns, count, is_wall, ROUNDS, &rounds);
    const tlw_bench_about about = tlw_bench_noise(rounds.others);
    for (size_t i = 1; i < count && is_wall; ++i) {
        double ratios[TLW_COUNT_OF(rounds.ns[0])];
        char name[96];
        for (size_t r = 0; r < rounds.count; ++r) {
            ratios[r] = rounds.ns[0][r] / rounds.ns[i][r];
        }
        snprintf(name, sizeof name, "%s_speedup", things[i].name);
        // With more workers than cores the speedup is reported, but `compare` does not judge it.
        const bool has_cores = things[i].turns.scene->def.worker_count <= tlw_core_count();
        things[i].speedup = tlw_bench_row_about(at->bench, name, has_cores ? "x" : "ratio", ratios,
                                                rounds.count, &about)
                                .median;
    }
    things[0].speedup = 1.0;
    for (size_t i = 0; i < count;
         ++i) { // after the ratios, because printing a row sorts its samples
        char name[96];
        snprintf(name, sizeof name, "%s_ns_per_voxel", things[i].name);
        const tlw_bench_summary summary =
            tlw_bench_row_about(at->bench, name, "ns", rounds.ns[i], rounds.count, &about);
        things[i].median = summary.median;
        things[i].least = summary.min;
    }
}

static void close_things(thing* things, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        tlw_scene_close(things[i].turns.scene);
    }
    free(things);
}

// ---- Instruction sets

static void print_isa(scaling_bench* at, const char* name, tlw_bench_measured* m,
                      double reference) {
    char row[64];
    const tlw_bench_about about = tlw_bench_noise(m->others);
    snprintf(row, sizeof row, "isa_%s_ns_per_voxel", name);
    m->median = tlw_bench_row_about(at->bench, row, "ns", m->step, m->count, &about).min;
    if (reference > 0.0) {
        snprintf(row, sizeof row, "isa_%s_speedup_over_reference", name);
        tlw_bench_value_about(at->bench, row, "x", reference / m->median, &about);
    }
}

static void table_isa(scaling_bench* at, const char* name, const tlw_bench_measured* m,
                      double reference) {
    const tlw_bench_cell cells[] = {
        {.key = "set", .text = name},
        {.key = "least_ns_per_voxel", .value = m->median, .decimals = 1},
        {.key = "speedup_over_reference",
         .value = reference > 0.0 ? reference / m->median : NAN,
         .decimals = 2},
    };
    tlw_bench_table_row(at->bench, "scaling_isa", cells, TLW_COUNT_OF(cells));
}

// Speedups compare least times, as in the step section.
static void bench_isas(scaling_bench* at) {
    static tlw_bench_measured best[TLW_ISA_COUNT], reference;
    const size_t rounds = at->is_quick ? 1 : ROUNDS_MAX, frames = at->is_quick ? 6 : 60;
    tlw_scene* scenes[TLW_ISA_COUNT] = {NULL};
    tlw_rival rival = {0};
    bool has_rival = false;
    reference.count = 0;
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        best[isa].count = 0;
        if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
            tlw_scene_def def = tlw_bench_scene_def(&at->actor);
            def.world.isa = (tlw_isa)isa;
            scenes[isa] = tlw_bench_open(at->bench, &def);
            if (scenes[isa] && rival.reference == NULL && tlw_rival_can_run()) {
                has_rival = tlw_rival_open(&rival, scenes[isa]);
            }
        }
    }
    for (size_t i = 0; i < rounds; ++i) {
        if (has_rival) {
            tlw_rival_measure(&rival, frames, &reference);
        }
        for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
            if (scenes[isa]) {
                tlw_bench_measure(scenes[isa], frames, &best[isa]);
            }
        }
    }
    double least = 0.0;
    if (has_rival) {
        print_isa(at, "reference", &reference, 0.0);
        least = reference.median;
    }
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (scenes[isa]) {
            print_isa(at, tlw_isa_name((tlw_isa)isa), &best[isa], least);
        }
    }
    if (has_rival) {
        table_isa(at, "reference", &reference, least);
    }
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (scenes[isa]) {
            table_isa(at, tlw_isa_name((tlw_isa)isa), &best[isa], least);
            tlw_scene_close(scenes[isa]);
        }
    }
    tlw_rival_close(&rival);
}

// ---- Workers

static const uint32_t WORKERS[] = {1, 2, 4};

// One line per number of workers. Null: the failure has been reported.
static thing* with_workers(scaling_bench* at, const char* what, tlw_scene_def def) {
    const size_t count = TLW_COUNT_OF(WORKERS);
    thing* things = calloc(count, sizeof *things);
    if (things == NULL) {
        tlw_bench_fail(at->bench, "no memory");
        return NULL;
    }
    bool is_open = true;
    for (size_t i = 0; i < count; ++i) {
        def.worker_count = WORKERS[i];
        snprintf(things[i].name, sizeof things[i].name, "%s_%u_workers", what, WORKERS[i]);
        things[i].turns = (tlw_bench_turns){tlw_bench_open(at->bench, &def), 2};
        is_open = is_open && things[i].turns.scene;
    }
    if (is_open) {
        measure_things(at, things, count, true);
        return things;
    }
    close_things(things, count);
    return NULL;
}

static void bench_workers(scaling_bench* at) {
    tlw_actor large = {0};
    tlw_scene_def crowd_def = tlw_bench_scene_def(&at->actor);
    crowd_def.character_count = at->is_quick ? 20 : 100;
    crowd_def.apart_seconds = CROWD_APART;
    thing* crowd = with_workers(at, at->is_quick ? "20_characters" : "100_characters", crowd_def);
    thing* one = NULL;
    if (tlw_bench_make_sample(at->bench, "stout", LARGE, &large)) {
        one = with_workers(at, "one_large", tlw_bench_scene_def(&large));
    }
    for (size_t i = 0; i < TLW_COUNT_OF(WORKERS) && crowd && one; ++i) {
        const tlw_bench_cell cells[] = {
            {.key = "workers", .value = WORKERS[i]},
            {.key = "cores", .value = tlw_core_count()},
            {.key = "crowd_ns_per_voxel", .value = crowd[i].median, .decimals = 1},
            {.key = "crowd_speedup", .value = crowd[i].speedup, .decimals = 2},
            {.key = "one_large_ns_per_voxel", .value = one[i].median, .decimals = 1},
            {.key = "one_large_speedup", .value = one[i].speedup, .decimals = 2},
        };
        tlw_bench_table_row(at->bench, "scaling_workers", cells, TLW_COUNT_OF(cells));
    }
    for (int k = 0; k < 2; ++k) {
        thing* things = k == 0 ? crowd : one;
        if (things) {
            close_things(things, TLW_COUNT_OF(WORKERS));
        }
    }
    tlw_actor_free(&large);
}

// ---- Characters

// A line of a table: what differs from line to line, the voxels of one character, the least time
// per voxel, and the time of all characters.
static void print_line(scaling_bench* at, const char* table, tlw_bench_cell first,
                       const thing* line, const tlw_actor* actor) {
    const double voxels = actor->info.voxel_count;
    const uint32_t characters = line->turns.scene->def.character_count;
    const tlw_bench_cell cells[] = {
        first,
        {.key = "voxels", .value = voxels},
        {.key = "least_ns_per_voxel", .value = line->least, .decimals = 1},
        {.key = "ms", .value = line->least * voxels * characters * 1e-6, .decimals = 3},
    };
    tlw_bench_table_row(at->bench, table, cells, TLW_COUNT_OF(cells));
}

static void bench_characters(scaling_bench* at) {
    static const uint32_t counts[] = {1, 10, 100, 1000};
    const size_t count = TLW_COUNT_OF(counts) - (at->is_quick ? 1 : 0);
    thing* things = calloc(count, sizeof *things);
    tlw_actor actor = {0};
    bool is_open = things && tlw_bench_make_sample(at->bench, "stout", CROWD_MEMBER, &actor);
    for (size_t i = 0; i < count && is_open; ++i) {
        tlw_scene_def def = tlw_bench_scene_def(&actor);
        def.character_count = counts[i];
        def.apart_seconds = CROWD_APART;
        snprintf(things[i].name, sizeof things[i].name, "%u_characters_of_%u", counts[i],
                 CROWD_MEMBER);
        things[i].turns = (tlw_bench_turns){tlw_bench_open(at->bench, &def),
                                            counts[i] < 200 ? 200 / counts[i] : 1};
        is_open = things[i].turns.scene != NULL;
    }
    if (is_open) {
        measure_things(at, things, count, false);
    }
    for (size_t i = 0; i < count && is_open; ++i) {
        print_line(at, "scaling_characters",
                   (tlw_bench_cell){.key = "characters", .value = counts[i]}, &things[i], &actor);
    }
    if (things) {
        close_things(things, count);
    }
    tlw_actor_free(&actor);
}

// ---- Voxels

static void bench_voxels(scaling_bench* at) {
    static const uint32_t resolutions[] = {16, 24, 32, 48, 64, 96, 114};
    const size_t count = TLW_COUNT_OF(resolutions) - (at->is_quick ? 2 : 0);
    thing* things = calloc(count, sizeof *things);
    tlw_actor actors[TLW_COUNT_OF(resolutions)] = {0};
    bool is_open = things != NULL;
    for (size_t i = 0; i < count && is_open; ++i) {
        is_open = tlw_bench_make_sample(at->bench, "stout", resolutions[i], &actors[i]);
        if (is_open) {
            const tlw_scene_def def = tlw_bench_scene_def(&actors[i]);
            const uint32_t voxels = actors[i].info.voxel_count;
            snprintf(things[i].name, sizeof things[i].name, "resolution_%u", resolutions[i]);
            things[i].turns = (tlw_bench_turns){tlw_bench_open(at->bench, &def),
                                                voxels < 200000 ? 200000 / voxels : 1};
            is_open = things[i].turns.scene != NULL;
        }
    }
    if (is_open) {
        measure_things(at, things, count, false);
    }
    for (size_t i = 0; i < count && is_open; ++i) {
        print_line(at, "scaling_voxels",
                   (tlw_bench_cell){.key = "resolution", .value = resolutions[i]}, &things[i],
                   &actors[i]);
    }
    if (things) {
        close_things(things, count);
    }
    for (size_t i = 0; i < count; ++i) {
        tlw_actor_free(&actors[i]);
    }
}

void tlw_bench_section_scaling(tlw_bench* bench) {
    scaling_bench at = {.bench = bench, .is_quick = tlw_bench_is_quick(bench)};
    if (tlw_bench_make_sample(bench, "stout", RESOLUTION, &at.actor)) {
        tlw_bench_pin(&at.core);
        bench_isas(&at);
        bench_characters(&at);
        bench_voxels(&at);
        tlw_bench_unpin(&at.core);
        bench_workers(&at);
    }
    tlw_actor_free(&at.actor);
}
