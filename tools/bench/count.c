// SPDX-License-Identifier: MIT
// The world reads its clock before and after every stage and adds up the difference per pass. Given
// a "clock" that reads a counter of operations, it adds up operations.
#include "tools/bench/count.h"

#include "platform/simd_count.h"
#include "runtime/instrument.h"

#include <inttypes.h>

#define FRAMES 2

extern const tlw_kernels tlw_kernels_count;

static uint64_t read_counter(void* counter) {
    return *(const uint64_t*)counter;
}

// Runs the scene with one of the counters as its clock, and adds up what each pass counted.
static bool count_one(tlw_bench* bench, const tlw_scene_def* scene_def, uint64_t* counter,
                      double sums[TLW_PASS_COUNT], uint64_t* hash) {
    tlw_scene_def def = *scene_def;
    def.world.clock = read_counter;
    def.world.clock_user = counter;
    tlw_scene* scene = tlw_bench_open(bench, &def);
    if (scene == NULL) {
        return false;
    }
    tlw_world_use_kernels(scene->world, &tlw_kernels_count);
    for (int i = 0; i < FRAMES; ++i) {
        tlw_scene_advance(scene, TLW_BENCH_FRAME_SECONDS);
        tlw_world_report report;
        tlw_world_get_report(scene->world, &report);
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            sums[p] += (double)report.pass_ns[p] / (double)report.voxel_substeps / FRAMES;
        }
    }
    *hash = tlw_world_hash(scene->world);
    tlw_scene_close(scene);
    return true;
}

// The counting kernels do the same work as the others if they end with the same bits.
static bool is_same_work(tlw_bench* bench, const tlw_scene_def* def, uint64_t hash) {
    tlw_scene* scene = tlw_bench_open(bench, def);
    if (scene == NULL) {
        return false;
    }
    for (int i = 0; i < FRAMES; ++i) {
        tlw_scene_advance(scene, TLW_BENCH_FRAME_SECONDS);
    }
    const uint64_t wanted = tlw_world_hash(scene->world);
    tlw_scene_close(scene);
    if (hash != wanted) {
        tlw_bench_fail(bench,
                       "the counting kernels end at %016" PRIx64 ", the others at %016" PRIx64,
                       hash, wanted);
    }
    return hash == wanted;
}

bool tlw_count_passes(tlw_bench* bench, const tlw_scene_def* def,
                      tlw_pass_counts counts[TLW_PASS_COUNT]) {
    uint64_t* const counters[] = {&tlw_simd_count.flops, &tlw_simd_count.divides,
                                  &tlw_simd_count.bytes_loaded, &tlw_simd_count.bytes_stored};
    double sums[TLW_COUNT_OF(counters)][TLW_PASS_COUNT] = {{0}};
    uint64_t hash = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(counters); ++i) {
        if (!count_one(bench, def, counters[i], sums[i], &hash)) {
            return false;
        }
    }
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        counts[p] = (tlw_pass_counts){sums[0][p], sums[1][p], sums[2][p], sums[3][p]};
    }
    return is_same_work(bench, def, hash);
}
