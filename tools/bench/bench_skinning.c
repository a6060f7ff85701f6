// SPDX-License-Identifier: MIT
// tallow-bench skinning: what keeping skinned volume costs (MODEL 3.12), and what dual quaternions
// do (MODEL 3.13), as ratios of two times of the same run. A character is there four times, and
// these take turns: as it is cooked by default, the same blob with skinned volume switched off, a
// blob that was cooked without it, and one that is skinned by dual quaternions.
#include "tools/bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS_MAX 9u
#define FRAMES     80u

static const struct {
    const char* sample;
    uint32_t resolution;
} rows[] = {{"bunny", 32}, {"bunny", 48}, {"stout", 32}, {"stout", 48},
            {"thin", 32},  {"thin", 48},  {"stout", 64}};

typedef enum kind { KEPT, SWITCHED_OFF, NOT_COOKED, DUAL, KIND_COUNT } kind;

// Nanoseconds per voxel and substep: the least of all rounds, and the least median of a round.
typedef struct lowest {
    double min, median;
} lowest;

typedef struct runner {
    tlw_actor actor;
    tlw_scene* scene;
    lowest step, skin, bends;
    double others; // of the quietest round
} runner;

static int compare(const void* a, const void* b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void lower(lowest* to, double* samples, size_t count) {
    qsort(samples, count, sizeof *samples, compare);
    to->min = fmin(to->min, samples[0]);
    to->median = fmin(to->median, samples[count / 2]);
}

static bool open_runner(tlw_bench* bench, size_t row, kind of, runner* out) {
    const lowest none = {(double)INFINITY, (double)INFINITY};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = rows[row].resolution;
    recipe.volume_reach = of == NOT_COOKED ? 0.0f : recipe.volume_reach;
    recipe.skinning = of == DUAL ? TLW_SKINNING_DUAL : TLW_SKINNING_LINEAR;
    *out = (runner){.step = none, .skin = none, .bends = none, .others = (double)INFINITY};
    if (!tlw_bench_make_actor(bench, rows[row].sample, &recipe, &out->actor)) {
        return false;
    }
    tlw_scene_def def = tlw_bench_scene_def(&out->actor);
    def.volume = of == SWITCHED_OFF ? TLW_SCENE_VOLUME_OFF : TLW_SCENE_VOLUME_COOKED;
    out->scene = tlw_bench_open(bench, &def);
    return out->scene != NULL;
}

static void take_turn(runner* of, size_t frames) {
    static tlw_bench_measured now;
    now.count = 0;
    tlw_bench_measure(of->scene, frames, &now);
    if (now.count > 0) {
        lower(&of->step, now.step, now.count);
        lower(&of->skin, now.passes[TLW_PASS_SKIN], now.count);
        lower(&of->bends, now.passes[TLW_PASS_BENDS], now.count);
        of->others = fmin(of->others, now.others);
    }
}

// What all characters together must hold: the worst of each ratio, by minima.
typedef struct worst {
    double bends, dual, absent, others;
} worst;

static void print_row(tlw_bench* bench, size_t row, const runner of[KIND_COUNT], worst* most) {
    const runner *kept = &of[KEPT], *off = &of[SWITCHED_OFF], *none = &of[NOT_COOKED],
                 *dual = &of[DUAL];
    char name[32];
    snprintf(name, sizeof name, "%s_%u", rows[row].sample, rows[row].resolution);
    const double bends = kept->bends.min / off->step.min, twice = dual->skin.min / kept->skin.min;
    const double absent = off->step.min / none->step.min;
    const tlw_bench_cell cells[] = {
        {.key = "character", .text = name},
        {.key = "voxels", .value = kept->actor.info.voxel_count},
        {.key = "step_ns", .value = off->step.min, .decimals = 2},
        {.key = "bends_ns", .value = kept->bends.min, .decimals = 2},
        {.key = "bends_over_step", .value = bends, .decimals = 3},
        {.key = "medians", .value = kept->bends.median / off->step.median, .decimals = 3},
        {.key = "kept_over_off", .value = kept->step.min / off->step.min, .decimals = 3},
        {.key = "skin_ns", .value = kept->skin.min, .decimals = 2},
        {.key = "dual_ns", .value = dual->skin.min, .decimals = 2},
        {.key = "dual_over_linear", .value = twice, .decimals = 3},
        {.key = "dual_medians", .value = dual->skin.median / kept->skin.median, .decimals = 3},
        {.key = "off_over_not_cooked", .value = absent, .decimals = 3},
    };
    tlw_bench_table_row(bench, "skinning", cells, TLW_COUNT_OF(cells));
    most->bends = fmax(most->bends, bends);
    most->dual = fmax(most->dual, twice);
    most->absent = fmax(most->absent, absent);
    for (int k = 0; k < KIND_COUNT; ++k) {
        most->others = fmax(most->others, of[k].others);
    }
}

static bool bench_row(tlw_bench* bench, size_t row, worst* most) {
    static runner runners[KIND_COUNT];
    const size_t rounds = tlw_bench_is_quick(bench) ? 1 : ROUNDS_MAX;
    const size_t frames = tlw_bench_is_quick(bench) ? 24 : FRAMES;
    bool is_made = true;
    for (int k = 0; k < KIND_COUNT; ++k) {
        is_made = open_runner(bench, row, (kind)k, &runners[k]) && is_made;
    }
    for (size_t round = 0; round < rounds && is_made; ++round) {
        for (int k = 0; k < KIND_COUNT; ++k) {
            take_turn(&runners[k], frames);
        }
    }
    if (is_made) {
        print_row(bench, row, runners, most);
    }
    for (int k = 0; k < KIND_COUNT; ++k) {
        tlw_scene_close(runners[k].scene);
        tlw_actor_free(&runners[k].actor);
    }
    return is_made;
}

void tlw_bench_section_skinning(tlw_bench* bench) {
    tlw_bench_core core = {0};
    worst most = {0};
    bool is_made = true;
    tlw_bench_pin(&core);
    // A quick run is one that only shows that everything works.
    const size_t count = tlw_bench_is_quick(bench) ? 1 : TLW_COUNT_OF(rows);
    for (size_t i = 0; i < count && is_made; ++i) {
        is_made = bench_row(bench, i, &most);
    }
    tlw_bench_unpin(&core);
    if (is_made) {
        tlw_bench_about a = tlw_bench_target(TLW_BENCH_AT_MOST, 0.25, most.others);
        tlw_bench_value_about(bench, "bends_over_substep", "x", most.bends, &a);
        a.target = 1.6;
        tlw_bench_value_about(bench, "dual_over_linear_skin", "x", most.dual, &a);
        a = tlw_bench_noise(most.others);
        tlw_bench_value_about(bench, "off_over_not_cooked", "x", most.absent, &a);
    }
}
