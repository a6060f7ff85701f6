// SPDX-License-Identifier: MIT
// tallow-bench embed: what the output of a frame costs, on one core, for the characters of table1:
// every embedding, source of normals and order, and the streams for engines that embed on the GPU;
// beside the scalar reference where that does the same work. All of a character's rows are measured
// in turns.
#include "tools/bench/embed_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char* name; // of the sample too
    uint32_t resolution;
} characters[] = {{"bunny", 32}, {"thin", 64}, {"stout", 32}};

typedef enum stream {
    POSITIONS = 1,
    NORMALS = 2,
    VOXEL_DELTAS = 4,
    VOXEL_FITS = 8,
    LATTICE = 16
} stream;

// `reference` names the row whose reference does the same work; null: none does.
static const struct {
    const char* name;
    uint32_t streams; // of stream
    tlw_embedding embedding;
    tlw_normal_source normals_by;
    tlw_vertex_order order;
    const char* reference;
} variants[] = {
    {"none", 0, TLW_EMBED_AUTO, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, NULL},
    {"bounds", 0, TLW_EMBED_AUTO, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, NULL},
    {"delta", POSITIONS, TLW_EMBED_DELTA, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, "delta"},
    {"delta_cooked", POSITIONS, TLW_EMBED_DELTA, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_COOKED,
     "delta"},
    {"delta_normals", POSITIONS | NORMALS, TLW_EMBED_DELTA, TLW_NORMALS_BY_GRADIENT,
     TLW_ORDER_SOURCE, "delta_normals"},
    {"delta_normals_cooked", POSITIONS | NORMALS, TLW_EMBED_DELTA, TLW_NORMALS_BY_GRADIENT,
     TLW_ORDER_COOKED, "delta_normals"},
    {"delta_ring_normals", POSITIONS | NORMALS, TLW_EMBED_DELTA, TLW_NORMALS_BY_RING,
     TLW_ORDER_SOURCE, NULL},
    {"delta_ring_normals_cooked", POSITIONS | NORMALS, TLW_EMBED_DELTA, TLW_NORMALS_BY_RING,
     TLW_ORDER_COOKED, NULL},
    {"fit", POSITIONS, TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, "fit"},
    {"fit_cooked", POSITIONS, TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_COOKED, "fit"},
    {"fit_normals", POSITIONS | NORMALS, TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE,
     "fit_normals"},
    {"fit_normals_cooked", POSITIONS | NORMALS, TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT,
     TLW_ORDER_COOKED, "fit_normals"},
    {"fit_ring_normals", POSITIONS | NORMALS, TLW_EMBED_FIT, TLW_NORMALS_BY_RING, TLW_ORDER_SOURCE,
     NULL},
    {"rbf", POSITIONS, TLW_EMBED_RBF, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, NULL},
    {"voxel_deltas", VOXEL_DELTAS, TLW_EMBED_AUTO, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, NULL},
    {"voxel_fits", VOXEL_FITS, TLW_EMBED_AUTO, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, NULL},
    {"lattice", LATTICE, TLW_EMBED_AUTO, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE, NULL},
};
#define VARIANTS TLW_COUNT_OF(variants)

static tlw_scene_def def_of(size_t i, const tlw_actor* actor) {
    const uint32_t streams = variants[i].streams;
    tlw_scene_def def = tlw_bench_scene_def(actor);
    def.output.embedding = variants[i].embedding;
    def.output.normals_by = variants[i].normals_by;
    def.output.order = variants[i].order;
    def.output.wants_bounds = strcmp(variants[i].name, "bounds") == 0;
    def.has_positions = streams & POSITIONS;
    def.has_normals = streams & NORMALS;
    def.has_voxel_deltas = streams & VOXEL_DELTAS;
    def.has_voxel_fits = streams & VOXEL_FITS;
    def.has_lattice = streams & LATTICE;
    return def;
}

// The least time per vertex of the reference that does the work of variant i; NAN if none does.
static double reference_ns(const tlw_embed_run* runs, size_t i) {
    for (size_t k = 0; k < VARIANTS && variants[i].reference; ++k) {
        if (strcmp(variants[i].reference, variants[k].name) == 0 && runs[k].has_reference) {
            return tlw_embed_reference_ns(&runs[k]);
        }
    }
    return (double)NAN;
}

// What a line of the table says.
typedef struct figures {
    double ms, us, ns_per_voxel, ns_per_vertex, speedup;
} figures;

static figures report(tlw_bench* bench, const char* character, tlw_embed_run* runs, size_t i) {
    char name[96];
    tlw_embed_run* run = &runs[i];
    const tlw_blob_info* info = &run->def.actor->info;
    const tlw_bench_about about = tlw_bench_noise(run->best.others);
    figures out = {.ms = run->best.median, .speedup = (double)NAN};
    if (variants[i].streams == 0 && !run->def.output.wants_bounds) {
        snprintf(name, sizeof name, "%s_no_output_frame_ms", character);
        tlw_bench_row_about(bench, name, "ms", run->best.frame_ms, run->best.count, &about);
        return out;
    }
    double* samples = tlw_embed_ns_per_vertex(run, &run->best);
    snprintf(name, sizeof name, "%s_%s_ns_per_vertex", character, variants[i].name);
    const tlw_bench_summary ns =
        tlw_bench_row_about(bench, name, "ns", samples, run->best.count, &about);
    out.ns_per_vertex = ns.median;
    out.us = ns.median * info->vertex_count * 1e-3;
    out.ns_per_voxel = ns.median * info->vertex_count / info->voxel_count;
    out.speedup = reference_ns(runs, i) / ns.min;
    return out;
}

static void print_line(tlw_bench* bench, const char* character, size_t i, const figures* f) {
    const tlw_bench_cell cells[] = {
        {.key = "character", .text = character},
        {.key = "output", .text = variants[i].name},
        {.key = "ms", .value = f->ms, .decimals = 3},
        {.key = "embed_us", .value = f->us, .decimals = 1},
        {.key = "ns_per_voxel", .value = f->ns_per_voxel, .decimals = 2},
        {.key = "ns_per_vertex", .value = f->ns_per_vertex, .decimals = 2},
        {.key = "speedup_over_reference", .value = f->speedup, .decimals = 2},
    };
    tlw_bench_table_row(bench, "embed", cells, TLW_COUNT_OF(cells));
}

// The blob with ring normals and rbf is larger, so only the rows that need them use it.
static bool make_actors(tlw_bench* bench, size_t c, tlw_actor actors[2]) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = characters[c].resolution;
    if (!tlw_bench_make_actor(bench, characters[c].name, &recipe, &actors[0])) {
        return false;
    }
    recipe.has_ring_normals = true;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    return tlw_bench_make_actor(bench, characters[c].name, &recipe, &actors[1]);
}

static bool needs_more(size_t i) {
    return variants[i].embedding == TLW_EMBED_RBF || variants[i].normals_by == TLW_NORMALS_BY_RING;
}

static bool bench_character(tlw_bench* bench, size_t c, figures out[VARIANTS]) {
    static tlw_embed_run runs[VARIANTS];
    const bool is_quick = tlw_bench_is_quick(bench);
    tlw_actor actors[2];
    tlw_bench_core core = {0};
    bool is_open = false;
    memset(runs, 0, sizeof runs);
    memset(actors, 0, sizeof actors);
    tlw_bench_pin(&core);
    if (make_actors(bench, c, actors)) {
        for (size_t i = 0; i < VARIANTS; ++i) {
            runs[i].def = def_of(i, &actors[needs_more(i)]);
            runs[i].has_reference =
                variants[i].reference && strcmp(variants[i].reference, variants[i].name) == 0;
        }
        is_open = tlw_embed_runs_open(bench, runs, VARIANTS);
    }
    if (is_open) {
        tlw_bench_remark(bench, "%s, %u voxels, %u vertices, %.1f bytes of the blob per vertex",
                         characters[c].name, actors[0].info.voxel_count,
                         actors[0].info.vertex_count, tlw_actor_vertex_bytes(&actors[0]));
        tlw_embed_runs_measure(runs, VARIANTS, is_quick ? 1 : 5, is_quick ? 16 : 120);
        for (size_t i = 0; i < VARIANTS; ++i) {
            out[i] = report(bench, characters[c].name, runs, i);
        }
    }
    tlw_bench_unpin(&core);
    tlw_embed_runs_close(runs, VARIANTS);
    tlw_actor_free(&actors[0]);
    tlw_actor_free(&actors[1]);
    return is_open;
}

void tlw_bench_section_embed(tlw_bench* bench) {
    static figures all[TLW_COUNT_OF(characters)][VARIANTS];
    bool is_measured[TLW_COUNT_OF(characters)];
    for (size_t c = 0; c < TLW_COUNT_OF(characters); ++c) {
        is_measured[c] = bench_character(bench, c, all[c]);
    }
    for (size_t c = 0; c < TLW_COUNT_OF(characters); ++c) {
        for (size_t i = 0; i < VARIANTS && is_measured[c]; ++i) {
            print_line(bench, characters[c].name, i, &all[c][i]);
        }
    }
}
