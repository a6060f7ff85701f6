// SPDX-License-Identifier: MIT
// tallow-bench passes: nanoseconds, flops and bytes per voxel and substep of each pass, and which
// share they are of the best that one core was seen to do in the same run. Bytes are those of wide
// loads and stores. The first cache serves most of them, so a share of the memory rate above 1 says
// how much a pass owes to the caches.
#include "platform/isa.h"
#include "tools/bench/count.h"
#include "tools/bench/peaks.h"

#include <stdio.h>

#define ROUNDS_MAX 5u
#define RESOLUTION 32u

static void print_peaks(tlw_bench* bench, const tlw_peaks* peaks) {
    tlw_bench_value(bench, "peak_gflop_s", "Gflop/s", peaks->gflop_s);
    tlw_bench_value(bench, "l1_gb_s", "GB/s", peaks->l1_gb_s);
    tlw_bench_value(bench, "l2_gb_s", "GB/s", peaks->l2_gb_s);
    tlw_bench_value(bench, "dram_gb_s", "GB/s", peaks->dram_gb_s);
}

// Bytes and flops per nanosecond are GB/s and Gflop/s.
static void print_pass(tlw_bench* bench, const char* name, double ns, const tlw_pass_counts* c,
                       const tlw_peaks* peaks) {
    const double gb_s = (c->bytes_loaded + c->bytes_stored) / ns, gflop_s = c->flops / ns;
    const tlw_bench_cell cells[] = {
        {.key = "pass", .text = name},
        {.key = "ns", .value = ns, .decimals = 2},
        {.key = "flops", .value = c->flops, .decimals = 1},
        {.key = "divides", .value = c->divides, .decimals = 1},
        {.key = "bytes_loaded", .value = c->bytes_loaded, .decimals = 0},
        {.key = "bytes_stored", .value = c->bytes_stored, .decimals = 0},
        {.key = "gflop_s", .value = gflop_s, .decimals = 1},
        {.key = "peak_share", .value = gflop_s / peaks->gflop_s, .decimals = 3},
        {.key = "gb_s", .value = gb_s, .decimals = 1},
        {.key = "l1_share", .value = gb_s / peaks->l1_gb_s, .decimals = 3},
        {.key = "l2_share", .value = gb_s / peaks->l2_gb_s, .decimals = 3},
        {.key = "dram_share", .value = gb_s / peaks->dram_gb_s, .decimals = 3},
    };
    tlw_bench_table_row(bench, "passes", cells, TLW_COUNT_OF(cells));
}

static void print_passes(tlw_bench* bench, tlw_bench_measured* best, const tlw_pass_counts* counts,
                         const tlw_peaks* peaks) {
    double ns[TLW_PASS_COUNT], all_ns = 0.0;
    tlw_pass_counts all = {0};
    const tlw_bench_about about = tlw_bench_noise(best->others);
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        char name[64];
        snprintf(name, sizeof name, "pass_%s_ns_per_voxel", tlw_pass_name((tlw_pass)p));
        ns[p] = tlw_bench_row_about(bench, name, "ns", best->passes[p], best->count, &about).median;
        all_ns += ns[p];
        all.flops += counts[p].flops;
        all.divides += counts[p].divides;
        all.bytes_loaded += counts[p].bytes_loaded;
        all.bytes_stored += counts[p].bytes_stored;
    }
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        print_pass(bench, tlw_pass_name((tlw_pass)p), ns[p], &counts[p], peaks);
    }
    print_pass(bench, "all", all_ns, &all, peaks);
}

void tlw_bench_section_passes(tlw_bench* bench) {
    static tlw_bench_measured best;
    const bool is_quick = tlw_bench_is_quick(bench);
    const size_t rounds = is_quick ? 1 : ROUNDS_MAX, frames = is_quick ? 24 : TLW_BENCH_FRAMES_MAX;
    tlw_bench_core core = {0};
    tlw_actor actor;
    tlw_peaks peaks;
    tlw_pass_counts counts[TLW_PASS_COUNT];
    if (!tlw_bench_make_sample(bench, "stout", RESOLUTION, &actor)) {
        tlw_actor_free(&actor);
        return;
    }
    tlw_scene_def def = tlw_bench_scene_def(&actor);
    def.has_positions = def.has_normals = true;
    tlw_scene* scene = tlw_bench_open(bench, &def);
    tlw_bench_pin(&core);
    const bool is_counted = scene && tlw_count_passes(bench, &def, counts);
    const bool has_peaks = is_counted && tlw_peaks_measure(tlw_isa_best(), is_quick, &peaks);
    if (is_counted && !has_peaks) {
        tlw_bench_fail(bench, "no memory for the bandwidth of main memory");
    }
    if (has_peaks) {
        best.count = 0;
        for (size_t i = 0; i < rounds; ++i) {
            tlw_bench_measure(scene, frames, &best);
        }
        tlw_bench_remark(bench, "stout, %u voxels, %u vertices with normals, %s",
                         actor.info.voxel_count, actor.info.vertex_count,
                         tlw_isa_name(tlw_isa_best()));
        print_peaks(bench, &peaks);
        print_passes(bench, &best, counts, &peaks);
    }
    tlw_bench_unpin(&core);
    tlw_scene_close(scene);
    tlw_actor_free(&actor);
}
