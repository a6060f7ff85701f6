// SPDX-License-Identifier: MIT
// tallow-bench profiling: what a zone costs. Measures two reads of the counter (the least any
// profiler can do), a zone pair of the built-in backend, nested pairs, a pair with no profiler
// installed, and the none backend. Batches are timed with the counter; rings are drained between
// them, never inside.
#if defined(TLW_PROFILE_BACKEND)
#    undef TLW_PROFILE_BACKEND
#endif
#define TLW_PROFILE_BACKEND 1

#include <stdlib.h>

#include "platform/clock.h"
#include "platform/result.h"
#include "profiling/profile.h"
#include "profiling/profiler.h"
#include "tools/bench/bench.h"

enum { BATCH = 512, MOST_SAMPLES = 4000 };

// bench_profiling_none.c: the same loop as zone_pairs, compiled with the none backend.
void tlw_bench_none_pairs(uint64_t count);

static void empty_loop(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        tlw_bench_keep(&i);
    }
}

static void counter_read_pairs(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        (void)tlw_cycles();
        tlw_bench_keep(&i);
        (void)tlw_cycles();
    }
}

static void zone_pairs(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        TLW_ZONE("pair");
        tlw_bench_keep(&i);
    }
}

static void nested_pairs(uint64_t count) {
    for (uint64_t i = 0; i < count; i += 4) {
        TLW_ZONE("one");
        TLW_ZONE("two");
        TLW_ZONE("three");
        TLW_ZONE("four");
        tlw_bench_keep(&i);
    }
}

static void valued_pairs(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        TLW_ZONE("valued");
        TLW_ZONE_VALUE(i);
        tlw_bench_keep(&i);
    }
}

typedef struct pair_bench {
    tlw_bench* bench;
    tlw_profiler* profiler; // null: none is installed
    tlw_cycle_scale scale;
    size_t samples;
    double* ns;
    double* reads_ns;
} pair_bench;

static double time_batch(const pair_bench* b, void (*pairs)(uint64_t count)) {
    uint64_t begin = tlw_cycles();
    pairs(BATCH);
    uint64_t end = tlw_cycles();
    return tlw_cycles_to_ns(b->scale, end - begin) / BATCH;
}

// Fills reads_ns too, by alternating batches of both. A neighbour on the same core, or a change of
// clock rate, then slows down both figures that are compared, and not only one.
static double measure(pair_bench* b, const char* name, void (*pairs)(uint64_t count)) {
    for (size_t i = 0; i < b->samples + 16; ++i) {
        double reads = time_batch(b, counter_read_pairs);
        double ns = time_batch(b, pairs);
        if (i >= 16) { // the first batches attach the thread and warm up its ring
            b->ns[i - 16] = ns;
            b->reads_ns[i - 16] = reads;
        }
        if (b->profiler) {
            (void)tlw_profiler_collect(b->profiler);
        }
    }
    return tlw_bench_row(b->bench, name, "ns", b->ns, b->samples).median;
}

void tlw_bench_section_profiling(tlw_bench* bench) {
    tlw_profiler_def def = tlw_default_profiler_def();
    size_t bytes = 0;
    if (tlw_profiler_bytes(&def, &bytes) != TLW_OK) {
        return;
    }
    uint8_t* block = malloc(bytes + TLW_PROFILER_ALIGNMENT);
    double* ns = malloc(2 * MOST_SAMPLES * sizeof *ns);
    tlw_profiler* profiler = NULL;
    tlw_result result = TLW_ERROR_OUT_OF_MEMORY;
    if (block && ns) {
        uint8_t* memory = block + (-(uintptr_t)block & (TLW_PROFILER_ALIGNMENT - 1));
        result = tlw_profiler_create(&def, memory, bytes, &profiler);
    }
    if (result == TLW_OK) {
        pair_bench b = {.bench = bench,
                        .scale = tlw_cycles_calibrate(20000000),
                        .samples = tlw_bench_is_quick(bench) ? MOST_SAMPLES / 10 : MOST_SAMPLES,
                        .ns = ns,
                        .reads_ns = ns + MOST_SAMPLES};
        measure(&b, "empty_loop", empty_loop);
        measure(&b, "none_pair", tlw_bench_none_pairs);
        measure(&b, "not_installed_pair", zone_pairs);
        result = tlw_profiler_install(profiler);
        if (result == TLW_OK) {
            b.profiler = profiler;
            double pair = measure(&b, "builtin_pair", zone_pairs);
            double reads =
                tlw_bench_row(bench, "two_counter_reads", "ns", b.reads_ns, b.samples).median;
            measure(&b, "builtin_nested_pair", nested_pairs);
            measure(&b, "builtin_valued_pair", valued_pairs);
            tlw_bench_value(bench, "builtin_pair_over_two_counter_reads", "ns", pair - reads);
            tlw_profiler_health health;
            tlw_profiler_get_health(profiler, &health);
            tlw_bench_value(bench, "builtin_dropped_events", "events",
                            (double)health.dropped_events);
            if (!health.counter_is_steady) {
                tlw_bench_remark(bench, "the counter's rate varies on this CPU");
            }
            if (tlw_profiler_uninstall(profiler) != TLW_OK) {
                tlw_profiler_forget_threads(
                    profiler); // they belong to other sections and are asleep
            }
        }
    }
    if (result != TLW_OK) {
        tlw_bench_fail(bench, "%s", tlw_result_meaning(result));
    }
    free(ns);
    free(block);
}
