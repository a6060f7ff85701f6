// SPDX-License-Identifier: MIT
// Runs and times the scalar reference.
#include "tools/bench/rival.h"

#include "platform/isa.h"

#include <math.h>
#include <stdlib.h>

bool tlw_rival_can_run(void) {
#if defined(TLW_REFERENCE_AVX2)
    return tlw_isa_is_supported(TLW_ISA_AVX2);
#else
    return true;
#endif
}

static void pose(tlw_rival* rival) {
    tlw_actor_pose(rival->actor, rival->clip, rival->seconds, rival->joints);
    tlw_reference_pose(rival->actor->blob_memory, rival->joints, rival->pose);
}

bool tlw_rival_open(tlw_rival* rival, const tlw_scene* scene) {
    const tlw_actor* actor = scene->def.actor;
    *rival = (tlw_rival){.actor = actor, .clip = scene->clip};
    if (tlw_world_collider_count(scene->world) > 0) { // which the reference does not know
        return false;
    }
    rival->reference =
        tlw_reference_create(actor->blob_memory, TLW_BENCH_FRAME_SECONDS, TLW_BENCH_ITERATIONS);
    rival->joints = calloc(actor->info.joint_count, 16 * sizeof *rival->joints);
    rival->pose = calloc(actor->info.joint_count, sizeof *rival->pose);
    if (rival->reference == NULL || rival->joints == NULL || rival->pose == NULL) {
        return false;
    }
    pose(rival);
    tlw_reference_reset(rival->reference, rival->pose);
    return true;
}

void tlw_rival_close(tlw_rival* rival) {
    tlw_reference_free(rival->reference);
    free(rival->joints);
    free(rival->pose);
    *rival = (tlw_rival){0};
}

void tlw_rival_measure(tlw_rival* rival, size_t frames, tlw_bench_measured* best) {
    static tlw_bench_measured now;
    tlw_bench_watch watch = {0};
    now.count = frames;
    for (size_t i = 0; i < frames; ++i) {
        rival->seconds += TLW_BENCH_FRAME_SECONDS;
        pose(rival);
        tlw_bench_watch_begin(&watch);
        tlw_reference_step(rival->reference, rival->pose);
        const double taken = tlw_bench_watch_end(&watch, &now.is_clean[i]);
        now.frame_ms[i] = taken * 1e-6;
        now.step[i] = taken / rival->actor->info.voxel_count;
    }
    now.others = tlw_bench_watch_others(&watch);
    tlw_bench_keep_round(best, &now);
}

double tlw_rival_farthest_apart(tlw_rival* rival, tlw_scene* scene, uint32_t substeps) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < substeps; ++i) {
        tlw_scene_advance(scene, TLW_BENCH_FRAME_SECONDS);
        rival->seconds = scene->seconds;
        pose(rival);
        tlw_reference_step(rival->reference, rival->pose);
    }
    for (uint32_t v = 0; v < scene->def.actor->info.voxel_count; ++v) {
        tlw_voxel_state state;
        float p[3];
        TLW_IGNORE(tlw_character_get_voxel(scene->world, scene->characters[0].id, v, &state));
        tlw_reference_position(rival->reference, v, p);
        double length2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double d = (double)state.position[i] - (double)p[i];
            length2 += d * d;
        }
        farthest = length2 <= farthest * farthest ? farthest : sqrt(length2); // keeps a NaN
    }
    return farthest;
}
