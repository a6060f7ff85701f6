// SPDX-License-Identifier: MIT
// tallow-bench step: what a character costs, through the runtime's public header. The stout sample
// dances, one substep per frame; times are those of the world's reports. The same substep in plain
// scalar code (reference.h) is measured beside it.
#include "platform/isa.h"
#include "tools/bench/embed_runs.h"
#include "tools/bench/rival.h"

#include <stdio.h>

// A machine is often busy for seconds at a time. A round takes a fifth of a second, so that some
// rounds find it quiet.
#define ROUNDS_MAX 15u
#define ROUNDS     5u // for figures that are not compared with the reference

// The reference and the runtime differ only by rounding; a wrong term would show at once.
#define CHECK_SUBSTEPS 30u
#define CHECK_VOXELS   1e-2

// Resolutions of about 4,800, 4,000 and 40,000 voxels.
#define RESOLUTION       32u
#define SMALL_RESOLUTION 29u
#define LARGE_RESOLUTION 66u
#define CROWD            100u
#define CROWD_APART      0.137 // seconds of the clip between one character and the next
#define CROWD_ROUNDS     30u   // fewer than elsewhere, because a frame of a crowd is long

typedef struct step_bench {
    tlw_bench* bench;
    size_t rounds, frames;
    tlw_actor actor; // the sample at RESOLUTION
    tlw_bench_core core;
} step_bench;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static tlw_scene* open_one(step_bench* at, const tlw_actor* actor) {
    const tlw_scene_def def = tlw_bench_scene_def(actor);
    return tlw_bench_open(at->bench, &def);
}

// ---- One character

// The speedup compares least times: however busy the machine is, an undisturbed frame of the one is
// found as often as one of the other.
static void print_one(step_bench* at, tlw_bench_measured* runtime, tlw_bench_measured* reference) {
    tlw_bench_about a = tlw_bench_target(TLW_BENCH_AT_MOST, 45.0, runtime->others);
    const tlw_bench_summary step = tlw_bench_row_about(at->bench, "step_ns_per_voxel", "ns",
                                                       runtime->step, runtime->count, &a);
    if (reference) {
        a = tlw_bench_noise(reference->others);
        const tlw_bench_summary other = tlw_bench_row_about(
            at->bench, "reference_ns_per_voxel", "ns", reference->step, reference->count, &a);
        a = tlw_bench_target(TLW_BENCH_AT_LEAST, 10.0, larger(runtime->others, reference->others));
        tlw_bench_value_about(at->bench, "step_speedup_over_reference", "x", other.min / step.min,
                              &a);
    }
    static const char* const names[TLW_PASS_COUNT] = {
#define PASS_NAME(name, text, colour, meaning) "pass_" text "_ns_per_voxel",
        TLW_PASS_TABLE(PASS_NAME)
#undef PASS_NAME
    };
    double sum = 0.0;
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        if (p != TLW_PASS_EMBED) {
            sum +=
                tlw_bench_row(at->bench, names[p], "ns", runtime->passes[p], runtime->count).median;
        }
    }
    tlw_bench_value(at->bench, "outside_passes_ns_per_voxel", "ns", step.median - sum);
}

// Whether the reference does the same work. If not, its time means nothing, and that is reported.
static bool check_reference(step_bench* at, tlw_rival* rival, tlw_scene* scene) {
    const double apart = tlw_rival_farthest_apart(rival, scene, CHECK_SUBSTEPS);
    if (!(apart <= CHECK_VOXELS)) {
        tlw_bench_fail(at->bench,
                       "after %u substeps reference and runtime are %.3g voxel apart: one of them "
                       "is wrong, and no time means anything",
                       CHECK_SUBSTEPS, apart);
        return false;
    }
    tlw_bench_remark(at->bench,
                     "reference (%zu bytes per voxel) and runtime agree within %.2g voxel after %u "
                     "substeps",
                     tlw_reference_voxel_bytes(), apart, CHECK_SUBSTEPS);
    return true;
}

// Both have new memory in every round. Which pages the system gives decides what shares a set of a
// cache with what, and that luck lasts as long as the memory.
static bool bench_one(step_bench* at) {
    static tlw_bench_measured runtime, reference;
    tlw_scene* scenes[ROUNDS_MAX] = {NULL};
    tlw_rival rivals[ROUNDS_MAX] = {{0}};
    const bool has_reference = tlw_rival_can_run();
    bool is_right = true;
    runtime.count = reference.count = 0;
    if (!has_reference) {
        tlw_bench_fail(at->bench, "the reference is built for AVX2, which this CPU lacks");
    }
    for (size_t i = 0; i < at->rounds && is_right; ++i) {
        scenes[i] = open_one(at, &at->actor);
        is_right = scenes[i] != NULL;
        if (is_right && has_reference && !tlw_rival_open(&rivals[i], scenes[i])) {
            const char* unknown = tlw_reference_unknown(at->actor.blob_memory);
            tlw_bench_fail(at->bench, "the reference cannot be made of this blob: %s",
                           unknown ? unknown : "no memory");
            is_right = false;
        }
        if (is_right && has_reference && i == 0) {
            is_right = check_reference(at, &rivals[0], scenes[0]);
        }
    }
    for (size_t i = 0; i < at->rounds && is_right; ++i) {
        tlw_bench_measure(scenes[i], at->frames, &runtime);
        if (has_reference) {
            tlw_rival_measure(&rivals[i], at->frames / 4, &reference);
        }
    }
    if (is_right) {
        print_one(at, &runtime, has_reference ? &reference : NULL);
    }
    for (size_t i = 0; i < at->rounds; ++i) {
        tlw_rival_close(&rivals[i]);
        tlw_scene_close(scenes[i]);
    }
    return is_right;
}

// One vertex of the output: as outputs are by default, and by delta; positions alone and with
// normals. The reference of each has its turns beside it.
static void print_embed(step_bench* at, const char* name, tlw_embed_run* run, double target) {
    char text[64];
    double* ns = tlw_embed_ns_per_vertex(run, &run->best);
    const tlw_bench_bound bound = target > 0.0 ? TLW_BENCH_AT_MOST : TLW_BENCH_NO_TARGET;
    tlw_bench_about a = tlw_bench_target(bound, target, run->best.others);
    snprintf(text, sizeof text, "%s_ns_per_vertex", name);
    const tlw_bench_summary own =
        tlw_bench_row_about(at->bench, text, "ns", ns, run->best.count, &a);
    if (run->has_reference) {
        const double reference = tlw_embed_reference_ns(run);
        a = tlw_bench_noise(larger(run->best.others, run->reference.others));
        snprintf(text, sizeof text, "%s_reference_ns_per_vertex", name);
        tlw_bench_value_about(at->bench, text, "ns", reference, &a);
        snprintf(text, sizeof text, "%s_speedup", name);
        tlw_bench_value_about(at->bench, text, "x", reference / own.min, &a);
    }
}

static void bench_embed(step_bench* at) {
    static const struct {
        const char* name;
        bool is_delta, has_normals;
        double target;
    } of[] = {{"embed", false, false, 12.0},
              {"embed_normals", false, true, 0.0},
              {"embed_delta", true, false, 12.0},
              {"embed_delta_normals", true, true, 0.0}};
    static tlw_embed_run runs[TLW_COUNT_OF(of)];
    const tlw_blob_info* info = &at->actor.info;
    for (size_t i = 0; i < TLW_COUNT_OF(of); ++i) {
        runs[i] = (tlw_embed_run){.def = tlw_bench_scene_def(&at->actor), .has_reference = true};
        // What auto is with artist weights; the reference needs to know.
        runs[i].def.output.embedding = of[i].is_delta ? TLW_EMBED_DELTA : TLW_EMBED_FIT;
        runs[i].def.has_positions = true;
        runs[i].def.has_normals = of[i].has_normals;
    }
    if (tlw_embed_runs_open(at->bench, runs, TLW_COUNT_OF(of))) {
        double apart = 0.0;
        for (size_t i = 0; i < TLW_COUNT_OF(of); ++i) {
            apart = larger(apart, runs[i].apart);
        }
        tlw_bench_remark(at->bench,
                         "the embeddings of reference and runtime agree within %.2g voxel", apart);
        tlw_embed_runs_measure(runs, TLW_COUNT_OF(of), at->rounds < ROUNDS ? at->rounds : ROUNDS,
                               at->frames / 2);
        for (size_t i = 0; i < TLW_COUNT_OF(of); ++i) {
            print_embed(at, of[i].name, &runs[i], of[i].target);
        }
    }
    tlw_embed_runs_close(runs, TLW_COUNT_OF(of));
    tlw_bench_value(at->bench, "vertices_per_voxel", "",
                    (double)info->vertex_count / info->voxel_count);
}

// ---- Sizes and crowds

static void bench_ratio(step_bench* at, const char* name, tlw_bench_bound bound, double target,
                        bool is_wall, tlw_bench_turns over, tlw_bench_turns under) {
    static tlw_bench_rounds rounds;
    const tlw_bench_turns both[2] = {over, under};
    const bool is_crowd = over.scene->character_count > 1;
    const size_t wanted = is_crowd ? CROWD_ROUNDS : TLW_BENCH_ROUNDS_MAX;
    tlw_bench_take_rounds(at->bench, both, 2, is_wall, wanted, &rounds);
    for (size_t i = 0; i < rounds.count; ++i) {
        rounds.ns[0][i] /= rounds.ns[1][i];
    }
    const tlw_bench_about a = tlw_bench_target(bound, target, rounds.others);
    tlw_bench_row_about(at->bench, name, "x", rounds.ns[0], rounds.count, &a);
    tlw_bench_remark(at->bench, "  %zu of %zu rounds were undisturbed", rounds.clean, rounds.taken);
}

static void bench_workers(step_bench* at, const char* name, double target, tlw_scene* one,
                          const tlw_scene_def* one_def) {
    if (tlw_core_count() < 2) {
        tlw_bench_remark(at->bench, "%s: left out, there is one core", name);
        return;
    }
    tlw_scene_def def = *one_def;
    def.worker_count = 2;
    tlw_scene* two = tlw_bench_open(at->bench, &def);
    if (two) {
        bench_ratio(at, name, TLW_BENCH_AT_LEAST, target, true, (tlw_bench_turns){one, 1},
                    (tlw_bench_turns){two, 2});
    }
    tlw_scene_close(two);
}

static void bench_sizes(step_bench* at) {
    tlw_actor small = {0}, large = {0};
    tlw_scene *small_scene = NULL, *large_scene = NULL;
    if (tlw_bench_make_sample(at->bench, "stout", SMALL_RESOLUTION, &small) &&
        tlw_bench_make_sample(at->bench, "stout", LARGE_RESOLUTION, &large)) {
        small_scene = open_one(at, &small);
        large_scene = open_one(at, &large);
    }
    if (small_scene && large_scene) {
        tlw_bench_value(at->bench, "small_voxels", "voxels", small.info.voxel_count);
        tlw_bench_value(at->bench, "large_voxels", "voxels", large.info.voxel_count);
        tlw_bench_pin(&at->core);
        bench_ratio(at, "large_over_small", TLW_BENCH_AT_MOST, 1.15, false,
                    (tlw_bench_turns){large_scene, 2}, (tlw_bench_turns){small_scene, 20});
        tlw_bench_unpin(&at->core);
        const tlw_scene_def def = tlw_bench_scene_def(&large);
        bench_workers(at, "workers2_speedup_one_large", 1.6, large_scene, &def);
    }
    tlw_scene_close(small_scene);
    tlw_scene_close(large_scene);
    tlw_actor_free(&small);
    tlw_actor_free(&large);
}

static void bench_crowd(step_bench* at) {
    tlw_scene_def def = tlw_bench_scene_def(&at->actor);
    def.character_count = CROWD;
    def.apart_seconds = CROWD_APART;
    tlw_scene* one = open_one(at, &at->actor);
    tlw_scene* crowd = tlw_bench_open(at->bench, &def);
    if (one && crowd) {
        tlw_bench_pin(&at->core);
        bench_ratio(at, "crowd_100_over_one", TLW_BENCH_AT_MOST, 1.25, false,
                    (tlw_bench_turns){crowd, 1}, (tlw_bench_turns){one, 100});
        tlw_bench_unpin(&at->core);
        bench_workers(at, "workers2_speedup_100_characters", 1.8, crowd, &def);
    }
    tlw_scene_close(one);
    tlw_scene_close(crowd);
}

// ---- Bytes

// Sections of skinned volume.
static bool is_of_bends(uint32_t kind) {
    return kind >= TLW_SECTION_BENDS && kind <= TLW_SECTION_FIELD;
}

// Sections of the blob that only the render mesh needs: the last ones of the table.
static bool is_of_mesh(uint32_t kind) {
    return kind >= TLW_SECTION_MESHES;
}

static void bench_bytes(step_bench* at) {
    const tlw_actor* actor = &at->actor;
    const double voxels = actor->info.voxel_count;
    tlw_character_def def = tlw_default_character_def();
    size_t state;
    def.blob = actor->blob;
    if (tlw_character_bytes(&def, &state) != TLW_OK) {
        tlw_bench_fail(at->bench, "bytes of a character");
        return;
    }
    const tlw_blob_header* header = (const void*)actor->blob_memory;
    const tlw_blob_section* table = (const void*)(header + 1);
    double blob = (double)actor->blob_bytes, bends = 0.0;
    for (uint32_t i = 0; i < header->section_count; ++i) {
        const double bytes = (double)table[i].count * table[i].element_bytes;
        blob -= is_of_mesh(table[i].kind) ? bytes : 0.0;
        bends += is_of_bends(table[i].kind) ? bytes : 0.0;
    }
    tlw_bench_about a = tlw_bench_target(TLW_BENCH_AT_MOST, 240.0, -1.0);
    tlw_bench_value_about(at->bench, "state_bytes_per_voxel", "bytes", (double)state / voxels, &a);
    a.target = 400.0;
    tlw_bench_value_about(at->bench, "scratch_bytes_per_voxel", "bytes",
                          (double)actor->info.scratch_bytes / voxels, &a);
    a.target = 150.0;
    tlw_bench_value_about(at->bench, "blob_bytes_per_voxel", "bytes", blob / voxels, &a);
    tlw_bench_value(at->bench, "bends_bytes_per_voxel", "bytes", bends / voxels);
    a.target = 96.0;
    tlw_bench_value_about(at->bench, "blob_bytes_per_vertex", "bytes",
                          tlw_actor_vertex_bytes(actor), &a);
}

void tlw_bench_section_step(tlw_bench* bench) {
    const bool is_quick = tlw_bench_is_quick(bench);
    step_bench at = {.bench = bench,
                     .rounds = is_quick ? 1 : ROUNDS_MAX,
                     .frames = is_quick ? 24 : TLW_BENCH_FRAMES_MAX};
    if (tlw_bench_make_sample(bench, "stout", RESOLUTION, &at.actor)) {
        tlw_bench_pin(&at.core);
        tlw_bench_remark(bench, "stout, %u voxels, %u vertices, %u neighbours, %u iterations, %s%s",
                         at.actor.info.voxel_count, at.actor.info.vertex_count,
                         at.actor.info.neighbours, TLW_BENCH_ITERATIONS,
                         tlw_isa_name(tlw_isa_best()), at.core.is_pinned ? ", pinned" : "");
        const bool is_right = bench_one(&at);
        if (is_right) {
            bench_embed(&at);
        }
        tlw_bench_unpin(&at.core);
        if (is_right) {
            bench_sizes(&at);
            bench_crowd(&at);
            bench_bytes(&at);
        }
    }
    tlw_actor_free(&at.actor);
}
