// SPDX-License-Identifier: MIT
// tallow-bench muscles: what action lines, bellies and Lame layers cost (MODEL 3.18 to 3.20), as
// ratios to the substep of the same character without them. A row has the character without, with
// and, of muscles, with lines alone: muscles that are too thin to displace any voxel. These take
// turns, and the least time of each pass counts.
#include "tools/bench/measure.h"
#include "tools/bench/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LIVES_MAX  3u  // how often everything is opened anew: which pages it gets matters
#define ROUNDS_MAX 12u // in a life
#define FRAMES     30u
#define TURN       6.28318530717958647693

typedef enum kind { WITHOUT, LINES, WHOLE, KIND_COUNT } kind;

// ---- Characters

#define LINES_MAX    44u
#define VERTICES     9u
#define ACROSS       0.18 // metres from the spine
#define THICK        0.06f
#define THIN         1e-4f // metres: below 1/16 voxel a muscle displaces nothing
#define FIELD_RADIUS 0.1f

// Rows of muscles. A count of 0 stands for automatic ones.
static const struct {
    const char* name;
    const char* sample;
    uint32_t resolution, lines;
    bool has_fields;
    double most_lines, most_bellies; // shares of a substep; 0: no target
} muscle_rows[] = {
    {"lines_8", "stout", 32, 8, false, 0.02, 0.1},
    {"lines_8_fields", "stout", 32, 8, true, 0.0, 0.0},
    {"lines_16", "stout", 32, 16, false, 0.0, 0.0},
    {"lines_44", "stout", 32, 44, false, 0.0, 0.0},
    {"lines_44_fields", "stout", 32, 44, true, 0.0, 0.0},
    {"auto", "bunny", 32, 0, true, 0.0, 0.0},
};

// Layers from `first_layer` on are lame: of the spine and what is above it, or of the whole body.
static const struct {
    const char* name;
    uint32_t resolution, first_layer;
    const char* joint; // null: everywhere
    float young_kpa;
} lame_rows[] = {
    {"fat_and_skin", 32, 2, NULL, 3.0f},
    {"fat_and_skin_firm", 32, 2, NULL, 300.0f},
    {"belly", 32, 2, "spine", 3.0f},
    {"all_but_bone", 32, 1, NULL, 3.0f},
};

typedef struct muscle_set {
    tlw_cook_muscle muscles[LINES_MAX];
    tlw_cook_line_vertex lines[LINES_MAX][VERTICES];
    tlw_cook_muscle_field fields[LINES_MAX];
    char names[LINES_MAX][16];
} muscle_set;

// A muscle from the hips up the trunk to the chest, one of `count` around it.
static void make_muscle(muscle_set* set, uint32_t i, uint32_t count, float radius, bool has_field) {
    static const char* const joints[] = {"hips", "spine", "chest"};
    static const uint32_t tendons[] = {0, VERTICES - 2};
    const double angle = TURN * i / count;
    const float x = (float)(ACROSS * sin(angle)), z = (float)(ACROSS * cos(angle));
    for (uint32_t v = 0; v < VERTICES; ++v) {
        set->lines[i][v] = (tlw_cook_line_vertex){
            .place = {.joint = joints[v / 3], .along = (float)(v % 3) * 0.3f, .offset = {x, 0, z}},
            .radius = TLW_COOK_KEEP,
            .is_dynamic = TLW_COOK_KEEP};
    }
    snprintf(set->names[i], sizeof set->names[i], "line %u", i);
    set->muscles[i] = tlw_default_cook_muscle(set->names[i]);
    set->muscles[i].radius = radius;
    set->muscles[i].line = set->lines[i];
    set->muscles[i].vertex_count = VERTICES;
    set->muscles[i].tendons = tendons;
    set->muscles[i].tendon_count = TLW_COUNT_OF(tendons);
    if (has_field) {
        set->fields[i] = tlw_default_cook_muscle_field();
        set->fields[i].place.joint = joints[1];
        for (int a = 0; a < 3; ++a) {
            set->fields[i].radii[a] = FIELD_RADIUS;
        }
        set->muscles[i].fields = &set->fields[i];
        set->muscles[i].field_count = 1;
    }
}

static bool make_with_muscles(tlw_bench* bench, size_t row, kind of, tlw_actor* out) {
    static muscle_set set;
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = muscle_rows[row].resolution;
    recipe.muscles = set.muscles;
    recipe.muscle_count = of == WITHOUT ? 0 : muscle_rows[row].lines;
    for (uint32_t i = 0; i < recipe.muscle_count; ++i) {
        make_muscle(&set, i, recipe.muscle_count, of == LINES ? THIN : THICK,
                    muscle_rows[row].has_fields);
    }
    if (muscle_rows[row].lines == 0 && of == WHOLE) {
        set.muscles[0] = tlw_default_cook_muscle(NULL);
        recipe.muscle_count = 1;
    }
    return tlw_bench_make_actor(bench, muscle_rows[row].sample, &recipe, out);
}

static bool make_with_lame(tlw_bench* bench, size_t row, kind of, tlw_actor* out) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_cook_part part = tlw_default_cook_part(lame_rows[row].joint);
    recipe.resolution = lame_rows[row].resolution;
    for (uint32_t i = lame_rows[row].first_layer; i < recipe.layer_count && of == WHOLE; ++i) {
        tlw_cook_lame* to = lame_rows[row].joint != NULL ? &part.lame[i] : &recipe.layers[i].lame;
        *to = tlw_default_cook_lame();
        to->solver = TLW_SOLVER_LAME;
        to->young_kpa = lame_rows[row].young_kpa;
    }
    recipe.parts = &part;
    recipe.part_count = lame_rows[row].joint != NULL;
    return tlw_bench_make_actor(bench, "stout", &recipe, out);
}

typedef bool maker(tlw_bench* bench, size_t row, kind of, tlw_actor* out);

// ---- What a blob holds

static uint32_t count_pairs(const tlw_actor* actor) {
    uint64_t count;
    uint32_t pairs = 0;
    const tlw_blob_belly_shape* shapes =
        tlw_blob_find(actor->blob_memory, TLW_SECTION_BELLY_SHAPE, &count);
    for (uint64_t i = 0; shapes != NULL && i < count * TLW_BLOB_LANES; ++i) {
        const tlw_blob_belly_shape* s = &shapes[i / TLW_BLOB_LANES];
        const uint64_t lane = i % TLW_BLOB_LANES;
        pairs += s->d[0][lane] != 0.0f || s->d[1][lane] != 0.0f || s->d[2][lane] != 0.0f;
    }
    return pairs;
}

static uint32_t count_lame(const tlw_actor* actor) {
    uint64_t count;
    uint32_t voxels = 0;
    const tlw_blob_lame_window* windows =
        tlw_blob_find(actor->blob_memory, TLW_SECTION_LAME_WINDOWS, &count);
    for (uint64_t i = 0; windows != NULL && i < count * TLW_BLOB_LANES; ++i) {
        voxels += windows[i / TLW_BLOB_LANES].lanes >> i % TLW_BLOB_LANES & 1;
    }
    return voxels;
}

static const tlw_blob_lattice* lattice_of(const tlw_actor* actor) {
    uint64_t count;
    return tlw_blob_find(actor->blob_memory, TLW_SECTION_LATTICE, &count);
}

static uint32_t count_muscles(const tlw_actor* actor) {
    return lattice_of(actor)->muscle_count;
}

// ---- Turns

// Least nanoseconds per substep of the whole character; `step` is all but embed.
typedef struct runner {
    tlw_actor actor;
    tlw_scene* scene;
    double step, passes[TLW_PASS_COUNT];
    double others; // of the quietest round
    bool is_used;
} runner;

static bool open_runners(tlw_bench* bench, runner runners[KIND_COUNT]) {
    for (int k = 0; k < KIND_COUNT; ++k) {
        if (runners[k].is_used) {
            tlw_scene_def def = tlw_bench_scene_def(&runners[k].actor);
            def.has_positions = def.has_normals = true;
            runners[k].scene = tlw_bench_open(bench, &def);
            if (runners[k].scene == NULL) {
                return false;
            }
        }
    }
    return true;
}

static void close_runners(runner runners[KIND_COUNT]) {
    for (int k = 0; k < KIND_COUNT; ++k) {
        tlw_scene_close(runners[k].scene);
        runners[k].scene = NULL;
    }
}

static double least(double low, const double* of, size_t count, double times) {
    for (size_t i = 0; i < count; ++i) {
        low = fmin(low, of[i] * times);
    }
    return low;
}

static void take_turn(runner* of, size_t frames) {
    static tlw_bench_measured now;
    const double voxels = of->actor.info.voxel_count;
    now.count = 0;
    tlw_bench_measure(of->scene, frames, &now);
    if (now.count > 0) {
        of->step = least(of->step, now.step, now.count, voxels);
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            of->passes[p] = least(of->passes[p], now.passes[p], now.count, voxels);
        }
        of->others = fmin(of->others, now.others);
    }
}

// The scalar reference must refuse what it does not know, or it would be timed at less work.
static bool is_refused(tlw_bench* bench, const tlw_actor* actor) {
    const char* unknown = tlw_reference_unknown(actor->blob_memory);
    const char* wanted = count_muscles(actor) > 0 ? "muscles" : "Lame layers";
    if (unknown == NULL || strcmp(unknown, wanted) != 0) {
        tlw_bench_fail(bench, "the reference does not refuse %s", wanted);
        return false;
    }
    return true;
}

static bool run_row(tlw_bench* bench, maker* make, size_t row, bool has_lines,
                    runner runners[KIND_COUNT]) {
    const bool is_quick = tlw_bench_is_quick(bench);
    bool is_made = true;
    for (int k = 0; k < KIND_COUNT; ++k) {
        const double none = (double)INFINITY;
        runners[k] = (runner){.step = none, .others = none, .is_used = k != LINES || has_lines};
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            runners[k].passes[p] = none;
        }
        is_made = is_made && (!runners[k].is_used || make(bench, row, (kind)k, &runners[k].actor));
    }
    is_made = is_made && is_refused(bench, &runners[WHOLE].actor);
    for (size_t life = 0; life < (is_quick ? 1 : LIVES_MAX) && is_made; ++life) {
        is_made = open_runners(bench, runners);
        for (size_t round = 0; round < (is_quick ? 1 : ROUNDS_MAX) && is_made; ++round) {
            for (int k = 0; k < KIND_COUNT; ++k) {
                if (runners[k].is_used) {
                    take_turn(&runners[k], is_quick ? 16 : FRAMES);
                }
            }
        }
        close_runners(runners);
    }
    return is_made;
}

static void free_runners(runner runners[KIND_COUNT]) {
    for (int k = 0; k < KIND_COUNT; ++k) {
        tlw_actor_free(&runners[k].actor);
    }
}

static double most_others(const runner runners[KIND_COUNT]) {
    double most = 0.0;
    for (int k = 0; k < KIND_COUNT; ++k) {
        most = runners[k].is_used ? fmax(most, runners[k].others) : most;
    }
    return most;
}

// ---- Figures

// All passes of a substep.
static double passes_of(const runner* of) {
    double sum = 0.0;
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        sum += p == TLW_PASS_EMBED ? 0.0 : of->passes[p];
    }
    return sum;
}

static void put_value(tlw_bench* bench, const char* row, const char* what, const char* unit,
                      double value, double target, double others) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s", row, what);
    const tlw_bench_about a = target > 0.0 ? tlw_bench_target(TLW_BENCH_AT_MOST, target, others)
                                           : tlw_bench_noise(others);
    tlw_bench_value_about(bench, name, unit, value, &a);
}

// Times that are 0 where nothing is cooked, of all characters without muscles and Lame layers.
typedef struct idle {
    double muscles, lame;
} idle;

static void note_idle(idle* most, const runner* without) {
    most->muscles = fmax(most->muscles, without->passes[TLW_PASS_MUSCLES]);
    most->lame = fmax(most->lame, without->passes[TLW_PASS_LAME]);
}

static bool bench_muscles(tlw_bench* bench, size_t row, idle* most) {
    static runner r[KIND_COUNT];
    const bool has_lines = muscle_rows[row].lines > 0;
    const bool is_made = run_row(bench, make_with_muscles, row, has_lines, r);
    if (is_made) {
        const char* name = muscle_rows[row].name;
        const double step = r[WITHOUT].step, others = most_others(r);
        const double none = (double)NAN;
        const double lines = has_lines ? r[LINES].passes[TLW_PASS_MUSCLES] : none;
        const double bellies = r[WHOLE].passes[TLW_PASS_MUSCLES] - lines;
        const double further = has_lines ? passes_of(&r[WHOLE]) - passes_of(&r[LINES]) : none;
        const uint32_t pairs = count_pairs(&r[WHOLE].actor);
        const tlw_bench_cell cells[] = {
            {.key = "case", .text = name},
            {.key = "voxels", .value = r[WHOLE].actor.info.voxel_count},
            {.key = "lines", .value = count_muscles(&r[WHOLE].actor)},
            {.key = "pairs", .value = pairs},
            {.key = "step_us", .value = step * 1e-3, .decimals = 1},
            {.key = "lines_us", .value = lines * 1e-3, .decimals = 2},
            {.key = "bellies_us", .value = bellies * 1e-3, .decimals = 2},
            {.key = "pair_ns", .value = bellies / pairs, .decimals = 2},
            {.key = "others_us", .value = (further - bellies) * 1e-3, .decimals = 2},
            {.key = "lines_over_step", .value = lines / step, .decimals = 4},
            {.key = "bellies_over_step", .value = further / step, .decimals = 4},
            {.key = "pass_over_step",
             .value = r[WHOLE].passes[TLW_PASS_MUSCLES] / step,
             .decimals = 4},
            {.key = "step_times", .value = r[WHOLE].step / step, .decimals = 3},
            {.key = "embed_times",
             .value = r[WHOLE].passes[TLW_PASS_EMBED] / r[WITHOUT].passes[TLW_PASS_EMBED],
             .decimals = 3},
        };
        tlw_bench_table_row(bench, "muscles", cells, TLW_COUNT_OF(cells));
        note_idle(most, &r[WITHOUT]);
        if (has_lines) {
            put_value(bench, name, "lines_over_step", "x", lines / step,
                      muscle_rows[row].most_lines, others);
            put_value(bench, name, "bellies_over_step", "x", further / step,
                      muscle_rows[row].most_bellies, others);
        }
    }
    free_runners(r);
    return is_made;
}

static bool bench_lame(tlw_bench* bench, size_t row, idle* most) {
    static runner r[KIND_COUNT];
    const bool is_made = run_row(bench, make_with_lame, row, false, r);
    if (is_made) {
        const char* name = lame_rows[row].name;
        const double others = most_others(r), voxels = r[WHOLE].actor.info.voxel_count;
        const double step_ns = r[WITHOUT].step / voxels;
        const uint32_t lame = count_lame(&r[WHOLE].actor);
        const tlw_blob_lattice* lattice = lattice_of(&r[WHOLE].actor);
        const double by_window = r[WHOLE].passes[TLW_PASS_LAME] / lattice->lame_windows /
                                 (r[WITHOUT].step / lattice->window_count);
        const double pass_ns = r[WHOLE].passes[TLW_PASS_LAME] / lame;
        const double change_ns = (r[WHOLE].step - r[WITHOUT].step) / lame;
        const tlw_bench_cell cells[] = {
            {.key = "case", .text = name},
            {.key = "voxels", .value = voxels},
            {.key = "lame_voxels", .value = lame},
            {.key = "lame_windows", .value = lattice->lame_windows},
            {.key = "step_ns", .value = step_ns, .decimals = 2},
            {.key = "lame_ns", .value = pass_ns, .decimals = 2},
            {.key = "change_ns", .value = change_ns, .decimals = 2},
            {.key = "lame_over_step", .value = pass_ns / step_ns, .decimals = 3},
            {.key = "window_over_window", .value = by_window, .decimals = 3},
            {.key = "change_over_step", .value = change_ns / step_ns, .decimals = 3},
            {.key = "step_times", .value = r[WHOLE].step / r[WITHOUT].step, .decimals = 3},
            {.key = "embed_times",
             .value = r[WHOLE].passes[TLW_PASS_EMBED] / r[WITHOUT].passes[TLW_PASS_EMBED],
             .decimals = 3},
        };
        tlw_bench_table_row(bench, "lame", cells, TLW_COUNT_OF(cells));
        note_idle(most, &r[WITHOUT]);
        put_value(bench, name, "lame_over_step", "x", pass_ns / step_ns, row == 0 ? 0.4 : 0.0,
                  others);
    }
    free_runners(r);
    return is_made;
}

void tlw_bench_section_muscles(tlw_bench* bench) {
    tlw_bench_core core = {0};
    idle most = {0};
    bool is_made = true;
    tlw_bench_pin(&core);
    // A quick run is one that only shows that everything works.
    const bool is_quick = tlw_bench_is_quick(bench);
    const size_t muscle_count = is_quick ? 1 : TLW_COUNT_OF(muscle_rows);
    const size_t lame_count = is_quick ? 1 : TLW_COUNT_OF(lame_rows);
    for (size_t i = 0; i < muscle_count && is_made; ++i) {
        is_made = bench_muscles(bench, i, &most);
    }
    for (size_t i = 0; i < lame_count && is_made; ++i) {
        is_made = bench_lame(bench, i, &most);
    }
    tlw_bench_unpin(&core);
    if (is_made) { // nothing is cooked: the passes do not run at all
        const tlw_bench_about a = tlw_bench_target(TLW_BENCH_AT_MOST, 0.0, -1.0);
        tlw_bench_value_about(bench, "muscles_ns_without_muscles", "ns", most.muscles, &a);
        tlw_bench_value_about(bench, "lame_ns_without_layers", "ns", most.lame, &a);
    }
}
