// SPDX-License-Identifier: MIT
// tallow-bench jobs: what the scheduler costs and how much faster it makes a loop, through its
// public interface only. Every parallel row comes with the serial time of the same work in the same
// run.
#define _POSIX_C_SOURCE 200809L
#include "TaskScheduler_c.h"
#include "platform/atomic.h"
#include "platform/thread.h"
#include "tools/bench/bench.h"
#include "tools/bench/load.h"
#include "tools/bench/noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES 2000

#define LOOP_ITEMS         1024
#define FRAME_ITEMS_PER_US 5u

// Loops of LOOP_ITEMS items, by the time that they take on one thread. The items of the last one
// are those of a frame's stages.
enum { LOOP_50_US, LOOP_200_US, LOOP_2_MS, LOOP_FRAME, LOOPS };

static const double loop_us[LOOPS] = {
    [LOOP_50_US] = 50,
    [LOOP_200_US] = 200,
    [LOOP_2_MS] = 2000,
    [LOOP_FRAME] = (double)LOOP_ITEMS / FRAME_ITEMS_PER_US,
};

typedef struct jobs_bench {
    tlw_bench* bench;
    double* samples;
    double* others;
    uint32_t rounds[LOOPS]; // of each loop
    uint32_t threads;       // of parallel rows: one per core, at least 2 and at most 8
} jobs_bench;

static double now_us(void) {
    return (double)tlw_clock_ns() * 1e-3;
}

static size_t sample_count(const jobs_bench* at, size_t count) {
    size_t fewer = tlw_bench_is_quick(at->bench) ? count / 10 : count;
    return fewer < 5 ? 5 : fewer < MOST_SAMPLES ? fewer : MOST_SAMPLES;
}

static enkiTaskScheduler* scheduler_with(uint32_t threads) {
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    enkiInitTaskSchedulerNumThreads(s, threads);
    return s;
}

static void run_nothing(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    (void)args;
}

// ---- Round trips

static void round_trips(jobs_bench* at) {
    static const uint32_t SIZES[] = {1, 1024};
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t threads = i < 2 ? 1 : at->threads, size = SIZES[i % 2];
        enkiTaskScheduler* s = scheduler_with(threads);
        enkiTaskSet* set = enkiCreateTaskSet(s, run_nothing);
        size_t count = sample_count(at, 400);
        for (size_t j = 0; j < count; ++j) {
            double start = now_us();
            for (int k = 0; k < 500; ++k) {
                enkiAddTaskSetArgs(s, set, NULL, size);
                enkiWaitForTaskSet(s, set);
            }
            at->samples[j] = (now_us() - start) * 1000 / 500;
        }
        char name[64];
        snprintf(name, sizeof name, "round_trip_set%u_threads%u", size, threads);
        tlw_bench_row(at->bench, name, "ns", at->samples, count);
        enkiDeleteTaskSet(s, set);
        enkiDeleteTaskScheduler(s);
    }
}

static void count_up(void* args) {
    *(volatile uint32_t*)args += 1;
}

static void pinned_round_trip(jobs_bench* at) {
    enkiTaskScheduler* s = scheduler_with(2);
    uint32_t runs = 0;
    enkiPinnedTask* task = enkiCreatePinnedTask(s, count_up, 1);
    size_t count = sample_count(at, 300);
    for (size_t j = 0; j < count; ++j) {
        double start = now_us();
        for (int k = 0; k < 200; ++k) {
            enkiAddPinnedTaskArgs(s, task, &runs);
            enkiWaitForPinnedTask(s, task);
        }
        at->samples[j] = (now_us() - start) * 1000 / 200;
    }
    tlw_bench_row(at->bench, "pinned_round_trip", "ns", at->samples, count);
    enkiDeletePinnedTask(s, task);
    enkiDeleteTaskScheduler(s);
}

// ---- Parallel loops

typedef struct loop_work {
    float out[LOOP_ITEMS];
    uint32_t rounds;
    tlw_atomic_u32 helped;
} loop_work;

static void run_loop(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    loop_work* work = args;
    if (thread != 0) {
        atomic_store_explicit(&work->helped, 1, memory_order_relaxed);
    }
    for (uint32_t i = begin; i < end; ++i) {
        float a = (float)i * 1e-3f, b = a + 0.1f, c = a + 0.2f, d = a + 0.3f;
        for (uint32_t k = 0; k < work->rounds; ++k) {
            a = a * 0.9999f + 0.0001f;
            b = b * 0.9998f + 0.0002f;
            c = c * 0.9997f + 0.0003f;
            d = d * 0.9996f + 0.0004f;
        }
        work->out[i] = a + b + c + d;
    }
}

// The least time of a whole loop on one thread.
static double least_loop_us(loop_work* work, uint32_t rounds) {
    double best = 1e30;
    work->rounds = rounds;
    for (int i = 0; i < 10; ++i) {
        double start = now_us();
        run_loop(0, LOOP_ITEMS, 0, work);
        double taken = now_us() - start;
        best = taken < best ? taken : best;
    }
    return best;
}

// How many rounds an item needs so that a whole loop takes its time on one thread: found by trying,
// because short items overlap in the core and long ones do not. Measured once, before the busy
// processes of --load run.
static void measure_loops(jobs_bench* at) {
    loop_work* work = calloc(1, sizeof *work);
    for (uint32_t loop = 0; loop < LOOPS; ++loop) {
        double rounds = 100;
        for (int turn = 0; turn < 5; ++turn) {
            rounds *= loop_us[loop] / least_loop_us(work, (uint32_t)(rounds + 0.5));
            rounds = rounds < 1 ? 1 : rounds > 1e6 ? 1e6 : rounds;
        }
        at->rounds[loop] = (uint32_t)(rounds + 0.5);
    }
    free(work);
}

// Reports the times of something with threads and without, of which `helped` had a worker's help.
// Returns the speedup over the serial rows.
static double report_pairs(jobs_bench* at, const char* name, size_t count, uint32_t helped) {
    char row[96];
    const double parallel = tlw_bench_row(at->bench, name, "us", at->samples, count).median;
    snprintf(row, sizeof row, "%s_serial", name);
    const double serial = tlw_bench_row(at->bench, row, "us", at->others, count).median;
    snprintf(row, sizeof row, "%s_speedup", name);
    tlw_bench_value(at->bench, row, "x", serial / parallel);
    snprintf(row, sizeof row, "%s_helped", name);
    tlw_bench_value(at->bench, row, "%", 100.0 * helped / (double)count);
    return serial / parallel;
}

// Returns the speedup over the serial loop.
static double parallel_loop(jobs_bench* at, const char* prefix, uint32_t threads, uint32_t loop,
                            uint32_t gap_ms) {
    loop_work* work = calloc(1, sizeof *work);
    work->rounds = at->rounds[loop];
    enkiTaskScheduler* s = scheduler_with(threads);
    enkiTaskSet* set = enkiCreateTaskSet(s, run_loop);
    size_t count = sample_count(at, gap_ms ? 200 : loop == LOOP_2_MS ? 300 : 1000);
    uint32_t helped = 0;
    for (size_t i = 0; i < count; ++i) {
        if (gap_ms) {
            tlw_thread_sleep_ns((uint64_t)gap_ms * 1000000u);
        }
        atomic_store(&work->helped, 0);
        double start = now_us();
        enkiAddTaskSetMinRange(s, set, work, LOOP_ITEMS, 1);
        enkiWaitForTaskSet(s, set);
        double middle = now_us();
        at->samples[i] = middle - start;
        helped += atomic_load(&work->helped);
        // Without a gap, the serial loops run after all parallel ones: between them they would be
        // the gap that is to be left out.
        if (gap_ms) {
            run_loop(0, LOOP_ITEMS, 0, work);
            at->others[i] = now_us() - middle;
        }
    }
    for (size_t i = 0; i < count && !gap_ms; ++i) {
        double start = now_us();
        run_loop(0, LOOP_ITEMS, 0, work);
        at->others[i] = now_us() - start;
    }
    char name[64];
    snprintf(name, sizeof name, "%sloop_%.0fus_gap%ums", prefix, loop_us[loop], gap_ms);
    const double speedup = report_pairs(at, name, count, helped);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
    free(work);
    return speedup;
}

// ---- A frame like that of a physics engine

// What each stage takes on one thread, and the serial part that follows it.
static const struct {
    uint16_t stage_us, serial_us;
} frame_parts[] = {{200, 5},  {40, 20}, {10, 10}, {120, 40}, {20, 5},  {60, 20}, {10, 10},
                   {180, 40}, {30, 5},  {15, 20}, {100, 10}, {10, 40}, {50, 5},  {20, 20},
                   {150, 10}, {10, 40}, {80, 5},  {30, 20},  {15, 10}, {200, 40}};

// Without a scheduler the stages run here.
static void run_frame(enkiTaskScheduler* s, enkiTaskSet* set, loop_work* work) {
    for (size_t i = 0; i < TLW_COUNT_OF(frame_parts); ++i) {
        const uint32_t items = frame_parts[i].stage_us * FRAME_ITEMS_PER_US;
        if (s) {
            enkiAddTaskSetMinRange(s, set, work, items, 16);
            enkiWaitForTaskSet(s, set);
        } else {
            run_loop(0, items, 0, work);
        }
        run_loop(0, frame_parts[i].serial_us * FRAME_ITEMS_PER_US, 0, work);
    }
}

// A chain of small parallel stages with serial parts between them.
static void frames(jobs_bench* at, uint32_t gap_ms) {
    loop_work* work = calloc(1, sizeof *work);
    work->rounds = at->rounds[LOOP_FRAME];
    enkiTaskScheduler* s = scheduler_with(at->threads);
    enkiTaskSet* set = enkiCreateTaskSet(s, run_loop);
    const size_t count = sample_count(at, 300);
    uint32_t helped = 0;
    for (size_t i = 0; i < count; ++i) {
        tlw_thread_sleep_ns((uint64_t)gap_ms * 1000000u);
        atomic_store(&work->helped, 0);
        const double start = now_us();
        run_frame(s, set, work);
        at->samples[i] = now_us() - start;
        helped += atomic_load(&work->helped);
    }
    for (size_t i = 0; i < count; ++i) {
        const double start = now_us();
        run_frame(NULL, NULL, work);
        at->others[i] = now_us() - start;
    }
    char name[64];
    snprintf(name, sizeof name, "frame_20_stages_gap%ums", gap_ms);
    (void)report_pairs(at, name, count, helped);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
    free(work);
}

// ---- Throughput, alone, with all cores, and with far too many threads

typedef struct throughput_work {
    enkiTaskScheduler* scheduler;
    enkiTaskSet** sets;
} throughput_work;

static void add_range(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    throughput_work* work = args;
    for (uint32_t i = begin; i < end; ++i) {
        enkiAddTaskSet(work->scheduler, work->sets[i]);
    }
}

// Median throughput in millions of sets per second.
static double throughput(jobs_bench* at, uint32_t threads) {
    uint32_t set_count = tlw_bench_is_quick(at->bench) ? 1u << 16 : 1u << 20;
    throughput_work work = {scheduler_with(threads), malloc(set_count * sizeof *work.sets)};
    for (uint32_t i = 0; i < set_count; ++i) {
        work.sets[i] = enkiCreateTaskSet(work.scheduler, run_nothing);
    }
    enkiTaskSet* adder = enkiCreateTaskSet(work.scheduler, add_range);
    size_t count = sample_count(at, 15);
    for (size_t i = 0; i < count; ++i) {
        double start = now_us();
        enkiAddTaskSetArgs(work.scheduler, adder, &work, set_count);
        enkiWaitForAll(work.scheduler);
        at->samples[i] = (now_us() - start) * 1000 / set_count;
    }
    char name[64];
    snprintf(name, sizeof name, "throughput_threads%u", threads);
    double median_ns = tlw_bench_row(at->bench, name, "ns", at->samples, count).median;
    for (uint32_t i = 0; i < set_count; ++i) {
        enkiDeleteTaskSet(work.scheduler, work.sets[i]);
    }
    enkiDeleteTaskSet(work.scheduler, adder);
    enkiDeleteTaskScheduler(work.scheduler);
    free(work.sets);
    return 1000 / median_ns;
}

// ---- Graphs

static void chain(jobs_bench* at, uint32_t threads) {
    enum { LINKS = 16 };
    enkiTaskScheduler* s = scheduler_with(threads);
    enkiTaskSet* sets[LINKS];
    enkiDependency* edges[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        sets[i] = enkiCreateTaskSet(s, run_nothing);
        edges[i] = enkiCreateDependency(s);
        if (i > 0) {
            enkiSetDependency(edges[i], enkiGetCompletableFromTaskSet(sets[i - 1]),
                              enkiGetCompletableFromTaskSet(sets[i]));
        }
    }
    size_t count = sample_count(at, 400);
    for (size_t i = 0; i < count; ++i) {
        double start = now_us();
        for (int j = 0; j < 50; ++j) {
            enkiAddTaskSet(s, sets[0]);
            enkiWaitForTaskSet(s, sets[LINKS - 1]);
        }
        at->samples[i] = (now_us() - start) * 1000 / (50 * LINKS);
    }
    char name[64];
    snprintf(name, sizeof name, "dependency_chain_threads%u", threads);
    tlw_bench_row(at->bench, name, "ns", at->samples, count);
    for (int i = 0; i < LINKS; ++i) {
        enkiDeleteDependency(s, edges[i]);
        enkiDeleteTaskSet(s, sets[i]);
    }
    enkiDeleteTaskScheduler(s);
}

// One set, then 128 sets that depend on it, then a set that depends on all 128.
static void fan_out(jobs_bench* at, uint32_t threads) {
    enum { WIDTH = 128 };
    enkiTaskScheduler* s = scheduler_with(threads);
    enkiTaskSet* first = enkiCreateTaskSet(s, run_nothing);
    enkiCompletable* last = enkiCreateCompletable(s);
    enkiTaskSet* sets[WIDTH];
    enkiDependency* edges[2 * WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        sets[i] = enkiCreateTaskSet(s, run_nothing);
        edges[2 * i] = enkiCreateDependency(s);
        edges[2 * i + 1] = enkiCreateDependency(s);
        enkiCompletable* middle = enkiGetCompletableFromTaskSet(sets[i]);
        enkiSetDependency(edges[2 * i], enkiGetCompletableFromTaskSet(first), middle);
        enkiSetDependency(edges[2 * i + 1], middle, last);
    }
    size_t count = sample_count(at, 400);
    for (size_t i = 0; i < count; ++i) {
        double start = now_us();
        for (int j = 0; j < 10; ++j) {
            enkiAddTaskSet(s, first);
            enkiWaitForCompletable(s, last);
        }
        at->samples[i] = (now_us() - start) * 1000 / (10 * WIDTH);
    }
    char name[64];
    snprintf(name, sizeof name, "dependency_fan_out_threads%u", threads);
    tlw_bench_row(at->bench, name, "ns", at->samples, count);
    for (int i = 0; i < 2 * WIDTH; ++i) {
        enkiDeleteDependency(s, edges[i]);
    }
    for (int i = 0; i < WIDTH; ++i) {
        enkiDeleteTaskSet(s, sets[i]);
    }
    enkiDeleteTaskSet(s, first);
    enkiDeleteCompletable(s, last);
    enkiDeleteTaskScheduler(s);
}

// ---- Idle

static void idle(jobs_bench* at) {
    enkiTaskScheduler* s = scheduler_with(8);
    enkiTaskSet* set = enkiCreateTaskSet(s, run_nothing);
    for (int i = 0; i < 1000; ++i) { // so that all threads are awake
        enkiAddTaskSetArgs(s, set, NULL, 1024);
        enkiWaitForTaskSet(s, set);
    }
    double seconds = tlw_bench_is_quick(at->bench) ? 1 : 10;
    double cpu = tlw_noise_cpu_ns(true);
    tlw_thread_sleep_ns((uint64_t)(seconds * 1e9));
    cpu = tlw_noise_cpu_ns(true) - cpu;
    tlw_bench_value(at->bench, "idle_8_threads_cpu", "%", cpu / (seconds * 1e9) * 100);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

static void run_rows(jobs_bench* at) {
    static const uint32_t GAPS_MS[] = {0, 2, 16};
    const uint32_t cores = tlw_core_count();
    round_trips(at);
    pinned_round_trip(at);
    double of_two = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(GAPS_MS); ++i) {
        for (uint32_t loop = LOOP_50_US; loop <= LOOP_2_MS; ++loop) {
            const double speedup = parallel_loop(at, "", at->threads, loop, GAPS_MS[i]);
            of_two = GAPS_MS[i] == 0 && loop == LOOP_200_US ? speedup : of_two;
        }
    }
    if (at->threads != 2) {
        of_two = parallel_loop(at, "two_threads_", 2, LOOP_200_US, 0);
    }
    if (cores < 2) {
        tlw_bench_remark(at->bench, "loop_200us_speedup_2_threads: left out, there is one core");
    } else {
        tlw_bench_value(at->bench, "loop_200us_speedup_2_threads", "x", of_two);
    }
    frames(at, 0);
    frames(at, 16);
    chain(at, 1);
    chain(at, at->threads);
    fan_out(at, 1);
    fan_out(at, at->threads);
    throughput(at, 1);
    double normal = throughput(at, at->threads);
    double crowded = throughput(at, 64);
    tlw_bench_value(at->bench, "throughput_64_threads_of_normal", "%", 100 * crowded / normal);
    idle(at);
}

void tlw_bench_section_jobs(tlw_bench* bench) {
    uint32_t cores = tlw_core_count();
    jobs_bench at = {.bench = bench,
                     .samples = malloc(MOST_SAMPLES * sizeof(double)),
                     .others = malloc(MOST_SAMPLES * sizeof(double)),
                     .threads = cores < 2   ? 2
                                : cores < 8 ? cores
                                            : 8};
    tlw_bench_remark(bench, "parallel rows with %u threads on %u cores", at.threads, cores);
    measure_loops(&at);
    tlw_load load;
    if (!tlw_load_begin(&load, tlw_bench_load(bench))) {
        tlw_bench_fail(bench, "this system could not start %u busy processes",
                       tlw_bench_load(bench));
    }
    run_rows(&at);
    tlw_load_end(&load);
    free(at.samples);
    free(at.others);
}
