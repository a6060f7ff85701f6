// SPDX-License-Identifier: MIT
// tallow-bench table1: a frame at 60 Hz of characters like those of the core paper, one substep and
// everything that is drawn, on one core, beside the milliseconds that its Table 1 reports (N.
// Iwamoto, H. Shum, L. Yang, S. Morishima: Multi-layer Lattice Model for Real-Time Dynamic
// Character Deformation, Computer Graphics Forum 34 (7), 2015; a 3.4 GHz Core i7-3770, mesh drawing
// excluded). The share of each pass, which its Figure 8 shows of theirs, goes into a table of its
// own; `tallow-bench shares` draws it.
#include "tools/bench/measure.h"

#include <stdio.h>

static const struct {
    const char* character;
    const char* sample;
    uint32_t resolution, region_width;
    const char* paper_model;
    double paper_voxels, paper_ms;
} rows[] = {
    {"bunny", "bunny", 32, 3, "Bunny", 3671, 19.47},
    {"thin", "thin", 64, 3, "Smurf", 4312, 36.36},
    {"stout", "stout", 32, 3, "Bloat", 4798, 32.45},
    {"stout_low", "stout", 16, 2, "Bloat (Low Res.)", 922, 5.47},
};
#define ROWS TLW_COUNT_OF(rows)

static bool open_row(tlw_bench* bench, size_t i, tlw_bench_contender* row) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = rows[i].resolution;
    recipe.region_width = rows[i].region_width;
    if (!tlw_bench_make_actor(bench, rows[i].sample, &recipe, &row->actor)) {
        return false;
    }
    tlw_scene_def def = tlw_bench_scene_def(&row->actor);
    def.has_positions = def.has_normals = true;
    row->scene = tlw_bench_open(bench, &def);
    row->best.count = 0;
    return row->scene != NULL;
}

static double print_frame(tlw_bench* bench, size_t i, tlw_bench_contender* row) {
    char name[64];
    snprintf(name, sizeof name, "%s_frame_ms", rows[i].character);
    const tlw_bench_about about = tlw_bench_noise(row->best.others);
    return tlw_bench_row_about(bench, name, "ms", row->best.frame_ms, row->best.count, &about)
        .median;
}

static void print_row(tlw_bench* bench, size_t i, const tlw_bench_contender* row, double ms) {
    const tlw_blob_info* info = &row->actor.info;
    const tlw_bench_cell cells[] = {
        {.key = "character", .text = rows[i].character},
        {.key = "voxels", .value = info->voxel_count},
        {.key = "d_r", .value = info->region_width},
        {.key = "vertices", .value = info->vertex_count},
        {.key = "ms", .value = ms, .decimals = 3},
        {.key = "paper_model", .text = rows[i].paper_model},
        {.key = "paper_voxels", .value = rows[i].paper_voxels},
        {.key = "paper_ms", .value = rows[i].paper_ms, .decimals = 2},
        {.key = "ratio", .value = rows[i].paper_ms / ms, .decimals = 1},
    };
    tlw_bench_table_row(bench, "table1", cells, TLW_COUNT_OF(cells));
}

// Of the passes' time, all frames together.
static void print_shares(tlw_bench* bench, size_t i, const tlw_bench_contender* row) {
    double sums[TLW_PASS_COUNT] = {0}, all = 0.0;
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        for (size_t k = 0; k < row->best.count; ++k) {
            sums[p] += row->best.passes[p][k];
        }
        all += sums[p];
    }
    tlw_bench_cell cells[TLW_PASS_COUNT + 1] = {{.key = "character", .text = rows[i].character}};
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        cells[p + 1] = (tlw_bench_cell){
            .key = tlw_pass_name((tlw_pass)p), .value = sums[p] / all, .decimals = 3};
    }
    tlw_bench_table_row(bench, "table1_shares", cells, TLW_COUNT_OF(cells));
}

void tlw_bench_section_table1(tlw_bench* bench) {
    static tlw_bench_contender made[ROWS];
    double ms[ROWS];
    bool is_made = true;
    for (size_t i = 0; i < ROWS; ++i) {
        is_made = open_row(bench, i, &made[i]) && is_made;
    }
    if (is_made) {
        tlw_bench_measure_in_turns(bench, made, ROWS);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        ms[i] = print_frame(bench, i, &made[i]);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        print_row(bench, i, &made[i], ms[i]);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        print_shares(bench, i, &made[i]);
    }
    tlw_bench_close_contenders(made, ROWS);
}
