// SPDX-License-Identifier: MIT
// tallow-bench step: what a character costs, through the runtime's public header. The stout sample
// dances, a substep a frame; times are those of the world's reports. What is compared is measured
// in turns, round by round, and of every thing the best round counts; frames in which another
// process ran, or kept the core busy, are left out where enough others are. So a machine that is
// busy for a second spoils no ratio; one that is always busy does, and is called noisy.
#define _POSIX_C_SOURCE 200809L
#include "platform/isa.h"
#include "platform/thread.h"
#include "tools/bench/bench.h"
#include "tools/bench/reference.h"
#include "tools/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAME_SECONDS       (1.0 / 60.0)
#define ROTATION_ITERATIONS 2u
#define WARM_UP_FRAMES      2u
#define FRAMES_MAX          240u
#define ROUNDS_MAX          5u
#define TURNS_MAX           15u

// The reference and the runtime differ by rounding; a wrong term shows at once.
#define CHECK_SUBSTEPS 30u
#define CHECK_VOXELS   1e-2

// Resolutions of about 4,800, 4,000 and 40,000 voxels.
#define RESOLUTION       32u
#define SMALL_RESOLUTION 29u
#define LARGE_RESOLUTION 66u
#define CROWD            100u
#define CROWD_APART      0.137 // seconds of the clip

// ---- Time

// Of all threads of this process, or of the caller alone.
static double cpu_ns(bool is_process) {
#if TLW_OS_WINDOWS
    (void)is_process;
    return (double)clock() * 1e9 / CLOCKS_PER_SEC;
#else
    struct timespec now;
    clock_gettime(is_process ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
#endif
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median_of(const double* samples, size_t count) {
    double sorted[FRAMES_MAX];
    memcpy(sorted, samples, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return sorted[(count - 1) / 2];
}

// A fixed piece of work that keeps the core's multipliers busy, in nanoseconds: how much of the
// core there is at this moment. A neighbour on the same core takes its share of every nanosecond,
// and no clock of this process shows it.
static double probe(void) {
    enum { LANES = 64, ROUNDS = 400 };
    float x[LANES];
    for (int i = 0; i < LANES; ++i) {
        x[i] = (float)i * 0.01f;
    }
    const uint64_t start = tlw_clock_ns();
    for (int k = 0; k < ROUNDS; ++k) {
        for (int i = 0; i < LANES; ++i) {
            x[i] = x[i] * 0.99f + 0.01f;
        }
        tlw_bench_keep(x);
    }
    return (double)(tlw_clock_ns() - start);
}

// What a probe takes when nobody disturbs it.
static double quiet_probe(void) {
    double best = probe();
    for (int i = 0; i < 2000; ++i) {
        const double now = probe();
        best = now < best ? now : best;
    }
    return best;
}

// Watches frames on one thread for others.
typedef struct watch {
    double quiet; // quiet_probe()
    double cpu, wall, probes;
    size_t frames;
    double cpu_before, wall_before, probe_before;
} watch;

static void watch_begin(watch* w) {
    w->probe_before = probe();
    w->cpu_before = cpu_ns(false);
    w->wall_before = (double)tlw_clock_ns();
}

// Nanoseconds that the frame took of this thread, and whether it had the core to itself.
static double watch_end(watch* w, bool* is_clean) {
    const double wall = (double)tlw_clock_ns() - w->wall_before;
    const double cpu = cpu_ns(false) - w->cpu_before;
    const double after = probe();
    w->wall += wall;
    w->cpu += cpu;
    w->probes += w->probe_before + after;
    w->frames += 1;
    *is_clean = cpu > 0.98 * wall && w->probe_before < 1.1 * w->quiet && after < 1.1 * w->quiet;
    return cpu < wall ? cpu : wall;
}

// Share of the time, or of the core, that others took.
static double watch_others(const watch* w) {
    const double of_time = 1.0 - w->cpu / w->wall;
    const double of_core = 1.0 - w->quiet * 2.0 * (double)w->frames / w->probes;
    return larger(larger(of_time, of_core), 0.0);
}

// The frames of the best round of one thing, nanoseconds a voxel and substep.
typedef struct measured {
    double step[FRAMES_MAX]; // all but embed
    double passes[TLW_PASS_COUNT][FRAMES_MAX];
    bool is_clean[FRAMES_MAX];
    size_t count;
    double median; // of step
    double others;
} measured;

// Only clean frames, if there are some: the others measure somebody else.
static void drop_disturbed(measured* m) {
    size_t clean = 0, at = 0;
    for (size_t i = 0; i < m->count; ++i) {
        clean += m->is_clean[i];
    }
    if (clean < 5) {
        return;
    }
    for (size_t i = 0; i < m->count; ++i) {
        if (m->is_clean[i]) {
            m->step[at] = m->step[i];
            for (int p = 0; p < TLW_PASS_COUNT; ++p) {
                m->passes[p][at] = m->passes[p][i];
            }
            at += 1;
        }
    }
    m->count = at;
}

static void keep_better(measured* best, const measured* now) {
    if (now->count > 0 && (best->count == 0 || now->median < best->median)) {
        *best = *now;
    }
}

// A frame: the poses, which are not the runtime's, then the step.
static void pose_next(tlw_scene* scene) {
    scene->seconds += FRAME_SECONDS;
    tlw_scene_pose(scene, scene->seconds);
}

// On one thread.
static void measure(tlw_scene* scene, size_t frames, double quiet, measured* best) {
    static measured now;
    static double embed[FRAMES_MAX]; // its share
    watch w = {.quiet = quiet};
    now.count = 0;
    for (size_t i = 0; i < WARM_UP_FRAMES; ++i) {
        tlw_scene_advance(scene, FRAME_SECONDS);
    }
    for (size_t i = 0; i < frames; ++i) {
        pose_next(scene);
        watch_begin(&w);
        tlw_world_step(scene->world, FRAME_SECONDS);
        const double taken = watch_end(&w, &now.is_clean[now.count]);
        tlw_world_report report;
        tlw_world_get_report(scene->world, &report);
        if (report.voxel_substeps == 0) {
            continue;
        }
        const double a_voxel = 1.0 / (double)report.voxel_substeps;
        now.step[now.count] = taken * a_voxel;
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            now.passes[p][now.count] = (double)report.pass_ns[p] * a_voxel;
        }
        embed[now.count] = (double)report.pass_ns[TLW_PASS_EMBED] / (double)report.wall_ns;
        now.count += 1;
    }
    if (now.count == 0) {
        return;
    }
    const double others = 1.0 - median_of(embed, now.count);
    for (size_t i = 0; i < now.count; ++i) {
        now.step[i] *= others;
    }
    now.others = watch_others(&w);
    drop_disturbed(&now);
    now.median = median_of(now.step, now.count);
    keep_better(best, &now);
}

// ---- The section

typedef struct step_bench {
    tlw_bench* bench;
    size_t rounds, frames, turns;
    tlw_actor actor; // the sample at RESOLUTION
    tlw_core_set cores;
    bool is_pinned;
    double quiet; // quiet_probe()
} step_bench;

static tlw_bench_about about(tlw_bench_bound bound, double target, double others) {
    return (tlw_bench_about){bound, target, others};
}

static void pin(step_bench* at) {
    const uint32_t core = tlw_thread_current_core();
    at->is_pinned =
        tlw_thread_get_cores(&at->cores) && tlw_thread_pin(core == TLW_ANY_CORE ? 0 : core);
}

static void unpin(step_bench* at) {
    if (at->is_pinned) {
        tlw_thread_set_cores(tlw_thread_current_id(), &at->cores, TLW_ANY_CORE);
        at->is_pinned = false;
    }
}

static bool make_actor(step_bench* at, uint32_t resolution, tlw_actor* actor) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_scene_error error;
    recipe.resolution = resolution;
    if (tlw_actor_make(actor, "stout", &recipe, &error) != TLW_SCENE_OK) {
        tlw_bench_fail(at->bench, "%s", error.message);
        return false;
    }
    return true;
}

static tlw_scene_def scene_def(const tlw_actor* actor) {
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = actor;
    def.clip = "dance";
    def.worker_count = 0; // tasks run at once
    return def;
}

static tlw_scene* open_scene(step_bench* at, const tlw_scene_def* def) {
    tlw_scene* scene;
    tlw_scene_error error;
    if (tlw_scene_open(def, &scene, &error) != TLW_SCENE_OK) {
        tlw_bench_fail(at->bench, "%s", error.message);
        return NULL;
    }
    for (uint32_t i = 0; i < scene->character_count; ++i) {
        tlw_settings settings;
        (void)tlw_character_get_settings(scene->world, scene->characters[i].id, &settings);
        settings.rotation_iterations = ROTATION_ITERATIONS;
        (void)tlw_character_set_settings(scene->world, scene->characters[i].id, &settings);
    }
    tlw_scene_start(scene);
    return scene;
}

static tlw_scene* open_one(step_bench* at, const tlw_actor* actor) {
    const tlw_scene_def def = scene_def(actor);
    return open_scene(at, &def);
}

// ---- The reference

typedef struct rival {
    tlw_reference* reference;
    const tlw_actor* actor;
    uint32_t clip;
    double seconds;
    float* joints;
    tlw_reference_joint* pose;
} rival;

static void pose_rival(rival* r) {
    tlw_actor_pose(r->actor, r->clip, r->seconds, r->joints);
    tlw_reference_pose(r->actor->blob, r->joints, r->pose);
}

static bool open_rival(rival* r, const tlw_scene* scene) {
    const tlw_actor* actor = scene->def.actor;
    *r = (rival){.actor = actor, .clip = scene->clip};
    r->reference = tlw_reference_create(actor->blob, FRAME_SECONDS, ROTATION_ITERATIONS);
    r->joints = calloc(actor->info.joint_count, 16 * sizeof *r->joints);
    r->pose = calloc(actor->info.joint_count, sizeof *r->pose);
    if (r->reference == NULL || r->joints == NULL || r->pose == NULL) {
        return false;
    }
    pose_rival(r);
    tlw_reference_reset(r->reference, r->pose);
    return true;
}

static void close_rival(rival* r) {
    tlw_reference_free(r->reference);
    free(r->joints);
    free(r->pose);
}

static void measure_rival(rival* r, size_t frames, double quiet, measured* best) {
    static measured now;
    watch w = {.quiet = quiet};
    now.count = frames;
    for (size_t i = 0; i < frames; ++i) {
        r->seconds += FRAME_SECONDS;
        pose_rival(r);
        watch_begin(&w);
        tlw_reference_step(r->reference, r->pose);
        now.step[i] = watch_end(&w, &now.is_clean[i]) / r->actor->info.voxel_count;
    }
    now.others = watch_others(&w);
    drop_disturbed(&now);
    now.median = median_of(now.step, now.count);
    keep_better(best, &now);
}

// The farthest that a voxel of one is from that of the other after the same motion.
static double farthest_apart(tlw_scene* scene, rival* r) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < CHECK_SUBSTEPS; ++i) {
        tlw_scene_advance(scene, FRAME_SECONDS);
        r->seconds = scene->seconds;
        pose_rival(r);
        tlw_reference_step(r->reference, r->pose);
    }
    for (uint32_t v = 0; v < scene->def.actor->info.voxel_count; ++v) {
        tlw_voxel_state state;
        float p[3];
        (void)tlw_character_get_voxel(scene->world, scene->characters[0].id, v, &state);
        tlw_reference_position(r->reference, v, p);
        double length2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double d = (double)state.position[i] - (double)p[i];
            length2 += d * d;
        }
        farthest = length2 <= farthest * farthest ? farthest : sqrt(length2); // a NaN stays
    }
    return farthest;
}

static bool reference_runs(void) {
#if defined(TLW_REFERENCE_AVX2)
    return tlw_isa_is_supported(TLW_ISA_AVX2);
#else
    return true;
#endif
}

// ---- One character

// The speedup is of the least times: those of one are found as often as those of the other, however
// busy the machine is.
static void print_one(step_bench* at, measured* runtime, measured* reference) {
    tlw_bench_about a = about(TLW_BENCH_AT_MOST, 45.0, runtime->others);
    const tlw_bench_summary step = tlw_bench_row_about(at->bench, "step_ns_per_voxel", "ns",
                                                       runtime->step, runtime->count, &a);
    if (reference) {
        a = about(TLW_BENCH_NO_TARGET, 0.0, reference->others);
        const tlw_bench_summary other = tlw_bench_row_about(
            at->bench, "reference_ns_per_voxel", "ns", reference->step, reference->count, &a);
        a = about(TLW_BENCH_AT_LEAST, 10.0, larger(runtime->others, reference->others));
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

static bool bench_one(step_bench* at) {
    static measured runtime, reference;
    tlw_scene* scene = open_one(at, &at->actor);
    rival r = {0};
    if (scene == NULL) {
        return false;
    }
    runtime.count = reference.count = 0;
    bool is_right = true;
    const bool has_reference = reference_runs();
    if (!has_reference) {
        tlw_bench_fail(at->bench, "the reference is built for AVX2, which this CPU lacks");
    } else if (!open_rival(&r, scene)) {
        tlw_bench_fail(at->bench, "the reference cannot be made of this blob");
        is_right = false;
    } else {
        const double apart = farthest_apart(scene, &r);
        if (!(apart <= CHECK_VOXELS)) {
            tlw_bench_fail(at->bench,
                           "after %u substeps reference and runtime are %.3g voxel apart: one of "
                           "them is wrong, and no time means anything",
                           CHECK_SUBSTEPS, apart);
            is_right = false;
        } else {
            tlw_bench_remark(at->bench,
                             "reference (%zu bytes a voxel) and runtime agree within %.2g voxel "
                             "after %u substeps",
                             tlw_reference_voxel_bytes(), apart, CHECK_SUBSTEPS);
        }
    }
    for (size_t i = 0; i < at->rounds && is_right; ++i) {
        measure(scene, at->frames, at->quiet, &runtime);
        if (has_reference) {
            measure_rival(&r, at->frames / 4, at->quiet, &reference);
        }
    }
    if (is_right) {
        print_one(at, &runtime, has_reference ? &reference : NULL);
    }
    close_rival(&r);
    tlw_scene_close(scene);
    return is_right;
}

static void bench_isas(step_bench* at) {
    static measured best[TLW_ISA_COUNT];
    tlw_scene* scenes[TLW_ISA_COUNT] = {NULL};
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        best[isa].count = 0;
        if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
            tlw_scene_def def = scene_def(&at->actor);
            def.world.isa = (tlw_isa)isa;
            scenes[isa] = open_scene(at, &def);
        }
    }
    for (size_t i = 0; i < at->rounds; ++i) {
        for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
            if (scenes[isa]) {
                measure(scenes[isa], at->frames / 4, at->quiet, &best[isa]);
            }
        }
    }
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (scenes[isa]) {
            char name[64];
            snprintf(name, sizeof name, "step_%s_ns_per_voxel", tlw_isa_name((tlw_isa)isa));
            const tlw_bench_about a = about(TLW_BENCH_NO_TARGET, 0.0, best[isa].others);
            tlw_bench_row_about(at->bench, name, "ns", best[isa].step, best[isa].count, &a);
            tlw_scene_close(scenes[isa]);
        }
    }
}

static void bench_embed(step_bench* at) {
    static const char* const names[2] = {"embed_ns_per_vertex", "embed_normals_ns_per_vertex"};
    const double voxels = at->actor.info.voxel_count, vertices = at->actor.info.vertex_count;
    for (int i = 0; i < 2; ++i) {
        static measured best;
        tlw_scene_def def = scene_def(&at->actor);
        def.has_positions = true;
        def.has_normals = i == 1;
        tlw_scene* scene = open_scene(at, &def);
        if (scene == NULL) {
            return;
        }
        best.count = 0;
        for (size_t j = 0; j < at->rounds; ++j) {
            measure(scene, at->frames / 2, at->quiet, &best);
        }
        double* ns = best.passes[TLW_PASS_EMBED];
        for (size_t j = 0; j < best.count; ++j) {
            ns[j] *= voxels / vertices;
        }
        const tlw_bench_about a =
            about(i == 0 ? TLW_BENCH_AT_MOST : TLW_BENCH_NO_TARGET, 12.0, best.others);
        tlw_bench_row_about(at->bench, names[i], "ns", ns, best.count, &a);
        tlw_scene_close(scene);
    }
    tlw_bench_value(at->bench, "vertices_per_voxel", "", vertices / voxels);
}

// ---- Sizes and crowds

// What a voxel's substep takes of one scene over that of another. They take turns of some frames,
// so that both meet the same disturbances: a frame of a crowd is too long to be clean on a busy
// machine. Times are of this thread's CPU, or of the clock where there are workers.
typedef struct turns {
    tlw_scene* scene;
    size_t frames;
} turns;

static double take_turn(const turns* t, bool is_wall, double* cpu, double* wall) {
    double taken = 0.0, voxels = 0.0;
    for (size_t i = 0; i <= t->frames; ++i) {
        pose_next(t->scene);
        const double cpu_before = cpu_ns(is_wall), wall_before = (double)tlw_clock_ns();
        tlw_world_step(t->scene->world, FRAME_SECONDS);
        const double wall_now = (double)tlw_clock_ns() - wall_before;
        const double cpu_now = cpu_ns(is_wall) - cpu_before;
        if (i == 0) { // warms the caches
            continue;
        }
        tlw_world_report report;
        tlw_world_get_report(t->scene->world, &report);
        voxels += (double)report.voxel_substeps;
        taken += is_wall ? wall_now : cpu_now;
        *cpu += cpu_now;
        *wall += wall_now * (t->scene->def.worker_count > 1 ? t->scene->def.worker_count : 1);
    }
    return taken / voxels;
}

static void bench_ratio(step_bench* at, const char* name, tlw_bench_bound bound, double target,
                        bool is_wall, turns over, turns under) {
    double ratios[TURNS_MAX], cpu = 0.0, wall = 0.0;
    for (size_t i = 0; i < at->turns; ++i) {
        const double below = take_turn(&under, is_wall, &cpu, &wall);
        ratios[i] = take_turn(&over, is_wall, &cpu, &wall) / below;
    }
    const tlw_bench_about a = about(bound, target, larger(1.0 - cpu / wall, 0.0));
    tlw_bench_row_about(at->bench, name, "x", ratios, at->turns, &a);
}

static void bench_workers(step_bench* at, const char* name, double target, tlw_scene* one,
                          const tlw_scene_def* one_def) {
    if (tlw_core_count() < 2) {
        tlw_bench_remark(at->bench, "%s: left out, there is one core", name);
        return;
    }
    tlw_scene_def def = *one_def;
    def.worker_count = 2;
    tlw_scene* two = open_scene(at, &def);
    if (two) {
        bench_ratio(at, name, TLW_BENCH_AT_LEAST, target, true, (turns){one, 1}, (turns){two, 2});
    }
    tlw_scene_close(two);
}

static void bench_sizes(step_bench* at) {
    tlw_actor small = {0}, large = {0};
    tlw_scene *small_scene = NULL, *large_scene = NULL;
    if (make_actor(at, SMALL_RESOLUTION, &small) && make_actor(at, LARGE_RESOLUTION, &large)) {
        small_scene = open_one(at, &small);
        large_scene = open_one(at, &large);
    }
    if (small_scene && large_scene) {
        tlw_bench_value(at->bench, "small_voxels", "voxels", small.info.voxel_count);
        tlw_bench_value(at->bench, "large_voxels", "voxels", large.info.voxel_count);
        pin(at);
        bench_ratio(at, "large_over_small", TLW_BENCH_AT_MOST, 1.15, false, (turns){large_scene, 2},
                    (turns){small_scene, 20});
        unpin(at);
        const tlw_scene_def def = scene_def(&large);
        bench_workers(at, "workers2_speedup_one_large", 1.6, large_scene, &def);
    }
    tlw_scene_close(small_scene);
    tlw_scene_close(large_scene);
    tlw_actor_free(&small);
    tlw_actor_free(&large);
}

static void bench_crowd(step_bench* at) {
    tlw_scene_def def = scene_def(&at->actor);
    def.character_count = CROWD;
    def.apart_seconds = CROWD_APART;
    tlw_scene* one = open_one(at, &at->actor);
    tlw_scene* crowd = open_scene(at, &def);
    if (one && crowd) {
        pin(at);
        bench_ratio(at, "crowd_100_over_one", TLW_BENCH_AT_MOST, 1.25, false, (turns){crowd, 1},
                    (turns){one, 100});
        unpin(at);
        bench_workers(at, "workers2_speedup_100_characters", 1.8, crowd, &def);
    }
    tlw_scene_close(one);
    tlw_scene_close(crowd);
}

// ---- Bytes

// What draws, and nothing else needs.
static bool is_of_mesh(uint32_t kind) {
    switch (kind) {
    case TLW_SECTION_MESHES:
    case TLW_SECTION_VERTICES:
    case TLW_SECTION_SKINNING:
    case TLW_SECTION_BINDINGS:
    case TLW_SECTION_INDICES:
    case TLW_SECTION_UVS:
        return true;
    default:
        return false;
    }
}

static void bench_bytes(step_bench* at) {
    const tlw_actor* actor = &at->actor;
    const double voxels = actor->info.voxel_count;
    tlw_character_def def = tlw_default_character_def();
    size_t state;
    def.tissue = actor->tissue;
    if (tlw_character_bytes(&def, &state) != TLW_OK) {
        tlw_bench_fail(at->bench, "bytes of a character");
        return;
    }
    const tlw_blob_header* header = (const void*)actor->blob;
    const tlw_blob_section* table = (const void*)(header + 1);
    double blob = (double)actor->blob_bytes;
    for (uint32_t i = 0; i < header->section_count; ++i) {
        if (is_of_mesh(table[i].kind)) {
            blob -= (double)table[i].count * table[i].element_bytes;
        }
    }
    tlw_bench_about a = about(TLW_BENCH_AT_MOST, 240.0, -1.0);
    tlw_bench_value_about(at->bench, "state_bytes_per_voxel", "bytes", (double)state / voxels, &a);
    a.target = 400.0;
    tlw_bench_value_about(at->bench, "scratch_bytes_per_voxel", "bytes",
                          (double)actor->info.scratch_bytes / voxels, &a);
    a.target = 150.0;
    tlw_bench_value_about(at->bench, "blob_bytes_per_voxel", "bytes", blob / voxels, &a);
}

void tlw_bench_section_step(tlw_bench* bench) {
    const bool is_quick = tlw_bench_is_quick(bench);
    step_bench at = {.bench = bench,
                     .rounds = is_quick ? 1 : ROUNDS_MAX,
                     .frames = is_quick ? 24 : FRAMES_MAX,
                     .turns = is_quick ? 2 : TURNS_MAX};
    if (make_actor(&at, RESOLUTION, &at.actor)) {
        pin(&at);
        at.quiet = quiet_probe();
        tlw_bench_remark(bench, "stout, %u voxels, %u vertices, %u neighbours, %u iterations, %s%s",
                         at.actor.info.voxel_count, at.actor.info.vertex_count,
                         at.actor.info.neighbours, ROTATION_ITERATIONS,
                         tlw_isa_name(tlw_isa_best()), at.is_pinned ? ", pinned" : "");
        const bool is_right = bench_one(&at);
        if (is_right) {
            bench_isas(&at);
            bench_embed(&at);
        }
        unpin(&at);
        if (is_right) {
            bench_sizes(&at);
            bench_crowd(&at);
            bench_bytes(&at);
        }
    }
    tlw_actor_free(&at.actor);
}
