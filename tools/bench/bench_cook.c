// SPDX-License-Identifier: MIT
// tallow-bench cook: cooks the stout sample at three resolutions on one thread. Reports
// milliseconds per cook, the memory of the stages, and microseconds per voxel and triangle: a cook
// is linear in their sum, so that figure should be the same at every resolution.
#include "tools/asset/asset.h"
#include "tools/asset/to_cook.h"
#include "tools/bench/bench.h"
#include "tools/cook/cook.h"
#include "tools/sample/sample.h"

#include <stdio.h>
#include <stdlib.h>

#define COOKS_MAX 10

static void bench_resolution(tlw_bench* bench, const tlw_asset_cook* from, uint32_t resolution,
                             size_t cooks) {
    double ms[COOKS_MAX];
    tlw_cook_report report = {0};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_cook_options options = tlw_default_cook_options();
    recipe.resolution = resolution;
    for (size_t i = 0; i < cooks; ++i) {
        tlw_cook_output output;
        const uint64_t start = tlw_clock_ns();
        const tlw_result result = tlw_cook_character(&from->input, &recipe, &options, &output);
        ms[i] = (double)(tlw_clock_ns() - start) * 1e-6;
        report = output.report;
        report.cuts = NULL;
        if (result != TLW_OK) {
            tlw_bench_fail(bench, "%s", output.error.message);
            tlw_cook_output_free(&output);
            return;
        }
        tlw_cook_output_free(&output);
    }
    char name[64];
    snprintf(name, sizeof name, "stout_resolution_%u", resolution);
    const tlw_bench_summary summary = tlw_bench_row(bench, name, "ms", ms, cooks);
    snprintf(name, sizeof name, "stout_resolution_%u_voxels", resolution);
    tlw_bench_value(bench, name, "voxels", report.voxels);
    snprintf(name, sizeof name, "stout_resolution_%u_memory", resolution);
    tlw_bench_value(bench, name, "MB", (double)report.peak_memory_bytes / 1e6);
    snprintf(name, sizeof name, "stout_resolution_%u_us_a_voxel_and_triangle", resolution);
    tlw_bench_value(bench, name, "us",
                    summary.median * 1e3 / ((double)report.voxels + (double)report.triangles));
}

void tlw_bench_section_cook(tlw_bench* bench) {
    tlw_sample_def def = tlw_default_sample_def(TLW_SAMPLE_STOUT);
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    tlw_asset* asset = NULL;
    tlw_asset_cook from = {0};
    uint8_t* bytes = NULL;
    size_t size;
    if (tlw_sample_build(&def, &bytes, &size) != TLW_OK ||
        tlw_asset_load_memory(bytes, size, NULL, NULL, &asset, NULL) != TLW_ASSET_OK ||
        tlw_asset_to_cook(asset, &options, &from, NULL) != TLW_ASSET_OK) {
        tlw_bench_fail(bench, "the sample cannot be made");
    } else {
        const bool is_quick = tlw_bench_is_quick(bench);
        bench_resolution(bench, &from, 32, is_quick ? 1 : COOKS_MAX);
        bench_resolution(bench, &from, 64, is_quick ? 1 : 5);
        if (!is_quick) {
            bench_resolution(bench, &from, 128, 2);
        }
    }
    tlw_asset_cook_free(&from);
    tlw_asset_free(asset);
    free(bytes);
}
