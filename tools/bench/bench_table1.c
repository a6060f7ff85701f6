// SPDX-License-Identifier: MIT
// tallow-bench table1: a frame at 60 Hz of characters like those of Iwamoto et al. 2015 (papers.h),
// one substep with positions and normals as output, on one core, beside the milliseconds of the
// paper's Table 1. The share of each pass, which the paper's Figure 8 shows for its own, goes into
// a table of its own; `tallow-bench shares` draws it.
#include "tools/bench/measure.h"
#include "tools/bench/papers.h"

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
    snprintf(row->name, sizeof row->name, "%s_frame_ms", rows[i].character);
    if (!tlw_bench_make_actor(bench, rows[i].sample, &recipe, &row->actor)) {
        return false;
    }
    return tlw_bench_open_contender(bench, row);
}

static void print_row(tlw_bench* bench, size_t i, const tlw_bench_contender* row) {
    const tlw_blob_info* info = &row->actor.info;
    const tlw_bench_cell cells[] = {
        {.key = "character", .text = rows[i].character},
        {.key = "voxels", .value = info->voxel_count},
        {.key = "d_r", .value = info->region_width},
        {.key = "vertices", .value = info->vertex_count},
        {.key = "ms", .value = row->ms, .decimals = 3},
        {.key = "paper_model", .text = rows[i].paper_model},
        {.key = "paper_voxels", .value = rows[i].paper_voxels},
        {.key = "paper_ms", .value = rows[i].paper_ms, .decimals = 2},
        {.key = "ratio", .value = rows[i].paper_ms / row->ms, .decimals = 1},
    };
    tlw_bench_table_row(bench, "table1", cells, TLW_COUNT_OF(cells));
}

// The share of each pass in the time of all passes, over all frames.
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
    bool is_made = true;
    for (size_t i = 0; i < ROWS; ++i) {
        is_made = open_row(bench, i, &made[i]) && is_made;
    }
    if (is_made) {
        tlw_bench_remark(bench, "the paper measured on a %s", TLW_PAPER_TABLE1_CPU);
        tlw_bench_measure_in_turns(bench, made, ROWS);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        print_row(bench, i, &made[i]);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        print_shares(bench, i, &made[i]);
    }
    tlw_bench_close_contenders(made, ROWS);
}
