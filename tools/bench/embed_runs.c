// SPDX-License-Identifier: MIT
// Opens, checks and times ways of embedding, and the scalar reference beside them.
#include "tools/bench/embed_runs.h"

#include "tools/bench/rival.h"

#include <math.h>
#include <stdlib.h>

// The reference and the runtime differ only by rounding; a wrong term would show at once.
#define CHECK_FRAMES 30u
#define CHECK_VOXELS 1e-3 // between two positions, in voxels; between two normals of length 1

// ---- The reference

// Steps the scene, and gives the reference what the step left.
static void feed(tlw_embed_run* run) {
    const tlw_actor* actor = run->def.actor;
    tlw_scene_advance(run->scene, TLW_BENCH_FRAME_SECONDS);
    tlw_actor_pose(actor, run->scene->clip, run->scene->seconds, run->joints);
    tlw_reference_pose(actor->blob_memory, run->joints, run->pose);
    tlw_reference_embed_pose(run->embed, run->pose);
    tlw_reference_reset(run->substep, run->pose);
    for (uint32_t v = 0; v < actor->info.voxel_count; ++v) {
        tlw_voxel_state state;
        float correction[3];
        tlw_reference_correction(run->substep, v, correction);
        TLW_IGNORE(
            tlw_character_get_voxel(run->scene->world, run->scene->characters[0].id, v, &state));
        tlw_reference_embed_set(run->embed, v, &state, correction);
    }
}

// At 60 Hz the output shows the last substep (MODEL 5.1), so the blend is 1.
static void write_output(tlw_embed_run* run, tlw_bounds* bounds) {
    tlw_reference_embed_write(run->embed, run->def.output.embedding, run->def.output.smoothing,
                              1.0f, run->positions, run->normals, bounds);
}

static double farthest(const float* a, const float* b, size_t count) {
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        const double apart = fabs((double)a[i] - (double)b[i]);
        most = apart <= most ? most : apart; // keeps a NaN
    }
    return most;
}

static double bounds_apart(const tlw_embed_run* run, const tlw_bounds* bounds) {
    tlw_bounds its;
    const tlw_scene* scene = run->scene;
    if (tlw_character_get_bounds(scene->world, scene->characters[0].id, &its) != TLW_OK) {
        return (double)NAN;
    }
    const double low = farthest(its.low, bounds->low, 3),
                 high = farthest(its.high, bounds->high, 3);
    return low > high ? low : high;
}

static bool check(tlw_bench* bench, tlw_embed_run* run) {
    const tlw_scene_character* character = &run->scene->characters[0];
    const double voxel = run->def.actor->info.voxel_metres;
    const size_t count = (size_t)run->def.actor->info.vertex_count * 3;
    tlw_bounds bounds;
    for (uint32_t i = 0; i < CHECK_FRAMES; ++i) {
        feed(run);
    }
    write_output(run, &bounds);
    const double apart = farthest(run->positions, character->positions, count) / voxel;
    const double box = bounds_apart(run, &bounds) / voxel;
    const double turned = run->normals ? farthest(run->normals, character->normals, count) : 0.0;
    if (!(apart <= CHECK_VOXELS && box <= CHECK_VOXELS && turned <= CHECK_VOXELS)) {
        tlw_bench_fail(bench,
                       "the embedding of reference and runtime differs by %.3g voxel, bounds by "
                       "%.3g and normals by %.3g: one of them is wrong, and no time means anything",
                       apart, box, turned);
        return false;
    }
    run->apart = apart;
    return true;
}

static bool open_reference(tlw_bench* bench, tlw_embed_run* run) {
    const tlw_actor* actor = run->def.actor;
    run->embed = tlw_reference_embed_create(&actor->blob, actor->blob_memory);
    run->substep =
        tlw_reference_create(actor->blob_memory, TLW_BENCH_FRAME_SECONDS, TLW_BENCH_ITERATIONS);
    run->joints = calloc(actor->info.joint_count, 16 * sizeof *run->joints);
    run->pose = calloc(actor->info.joint_count, sizeof *run->pose);
    run->positions = calloc(actor->info.vertex_count, 3 * sizeof *run->positions);
    run->normals =
        run->def.has_normals ? calloc(actor->info.vertex_count, 3 * sizeof *run->normals) : NULL;
    if (!run->embed || !run->substep || !run->joints || !run->pose || !run->positions ||
        (run->def.has_normals && !run->normals)) {
        const char* unknown = tlw_reference_unknown(actor->blob_memory);
        tlw_bench_fail(bench, "the reference of the embedding cannot be made of this blob: %s",
                       unknown ? unknown : "no memory");
        return false;
    }
    return check(bench, run);
}

static void measure_reference(tlw_embed_run* run, size_t frames) {
    static tlw_bench_measured now;
    tlw_bench_watch watch = {0};
    tlw_bounds bounds;
    now.count = frames;
    for (size_t i = 0; i < frames; ++i) {
        feed(run);
        tlw_bench_watch_begin(&watch);
        write_output(run, &bounds);
        tlw_bench_keep(&bounds);
        const double taken = tlw_bench_watch_end(&watch, &now.is_clean[i]);
        now.frame_ms[i] = taken * 1e-6;
        now.passes[TLW_PASS_EMBED][i] = taken / run->def.actor->info.voxel_count;
    }
    now.others = tlw_bench_watch_others(&watch);
    tlw_bench_keep_round(&run->reference, &now);
}

// ---- All of them

bool tlw_embed_runs_open(tlw_bench* bench, tlw_embed_run* runs, size_t count) {
    const bool can_run = tlw_rival_can_run();
    for (size_t i = 0; i < count; ++i) {
        tlw_embed_run* run = &runs[i];
        *run = (tlw_embed_run){.def = run->def, .has_reference = run->has_reference && can_run};
    }
    if (!can_run) {
        tlw_bench_fail(bench, "the reference is built for AVX2, which this CPU lacks");
    }
    for (size_t i = 0; i < count; ++i) {
        runs[i].scene = tlw_bench_open(bench, &runs[i].def);
        if (runs[i].scene == NULL || (runs[i].has_reference && !open_reference(bench, &runs[i]))) {
            return false;
        }
    }
    return true;
}

void tlw_embed_runs_close(tlw_embed_run* runs, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        tlw_scene_close(runs[i].scene);
        tlw_reference_embed_free(runs[i].embed);
        tlw_reference_free(runs[i].substep);
        free(runs[i].joints);
        free(runs[i].pose);
        free(runs[i].positions);
        free(runs[i].normals);
        runs[i] = (tlw_embed_run){.def = runs[i].def, .has_reference = runs[i].has_reference};
    }
}

void tlw_embed_runs_measure(tlw_embed_run* runs, size_t count, size_t rounds, size_t frames) {
    for (size_t round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) {
            tlw_bench_measure(runs[i].scene, frames, &runs[i].best);
            if (runs[i].has_reference) {
                measure_reference(&runs[i], frames / 2);
            }
        }
    }
}

double tlw_embed_reference_ns(const tlw_embed_run* run) {
    const tlw_blob_info* info = &run->def.actor->info;
    double ns = (double)INFINITY;
    for (size_t i = 0; i < run->reference.count; ++i) {
        ns = fmin(ns, run->reference.passes[TLW_PASS_EMBED][i]);
    }
    return ns * info->voxel_count / info->vertex_count;
}

double* tlw_embed_ns_per_vertex(const tlw_embed_run* run, tlw_bench_measured* of) {
    const tlw_blob_info* info = &run->def.actor->info;
    double* ns = of->passes[TLW_PASS_EMBED];
    for (size_t i = 0; i < of->count; ++i) {
        ns[i] *= (double)info->voxel_count / info->vertex_count;
    }
    return ns;
}
