// SPDX-License-Identifier: MIT
// tallow-demo FOLDER: Tallow at work. A character dances (dance.h); then the layers below it on
// their own: a ball of points follows a target that darts and stops, once on every instruction set,
// with the hash of all bits, then as parallel tasks with every frame against a budget. Leaves a
// contact sheet and a trace for Perfetto in FOLDER.
#include "tools/demo/dance.h"
#include "tools/demo/follow.h"

#include "jobs/task_system.h"
#include "platform/arena.h"
#include "platform/file.h"
#include "platform/pages.h"
#include "platform/thread.h"
#include "profiling/profiler.h"
#include "runtime/tallow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BALL_RADIUS   22 // in lattice steps; about 44,000 points
#define FRAMES        600
#define FRAME_SECONDS (1.0f / 60.0f)
#define BUDGET_MS     1.0
#define TASK_POINTS   1024

typedef struct ball {
    follow_points points;
    float* mutable_rest[3];
} ball;

// Rounded up to whole registers; the lanes beyond the last point follow too, and nobody looks.
static bool make_ball(tlw_arena* arena, ball* out) {
    uint32_t inside = 0;
    const int r = BALL_RADIUS;
    for (int pass = 0; pass < 2; ++pass) {
        uint32_t at = 0;
        for (int z = -r; z <= r; ++z) {
            for (int y = -r; y <= r; ++y) {
                for (int x = -r; x <= r; ++x) {
                    if (x * x + y * y + z * z > r * r) {
                        continue;
                    }
                    if (pass == 1) {
                        out->mutable_rest[0][at] = (float)x;
                        out->mutable_rest[1][at] = (float)y;
                        out->mutable_rest[2][at] = (float)z;
                    }
                    at += 1;
                }
            }
        }
        inside = at;
        uint32_t room = (inside + 7) / 8 * 8;
        for (int axis = 0; axis < 3 && pass == 0; ++axis) {
            float* arrays[3];
            for (int i = 0; i < 3; ++i) {
                arrays[i] = tlw_arena_push_array(arena, room, sizeof(float), TLW_CACHE_LINE);
                if (arrays[i] == NULL) {
                    return false;
                }
                if (arena->base) { // a measuring arena gives addresses, not memory
                    memset(arrays[i], 0, room * sizeof(float));
                }
            }
            out->mutable_rest[axis] = arrays[0];
            out->points.rest[axis] = arrays[0];
            out->points.position[axis] = arrays[1];
            out->points.velocity[axis] = arrays[2];
        }
        out->points.count = room;
        if (arena->base == NULL) {
            return true;
        }
    }
    return true;
}

static void reset_ball(ball* b) {
    for (int axis = 0; axis < 3; ++axis) {
        memcpy(b->points.position[axis], b->points.rest[axis], b->points.count * sizeof(float));
        memset(b->points.velocity[axis], 0, b->points.count * sizeof(float));
    }
}

// Darts for half a second, rests for half a second, each time to another side.
static follow_step step_of_frame(int frame) {
    follow_step step = {.step_seconds = FRAME_SECONDS,
                        .frequency_hz = 2.0f,
                        .kept_velocity = 0.94f,
                        .longest = 8.0f};
    for (int f = 0; f <= frame; ++f) {
        int beat = f / 30;
        bool darts = beat % 2 == 0;
        for (int axis = 0; axis < 3; ++axis) {
            float side = (beat / 2 + axis) % 2 ? 1.0f : -1.0f;
            step.target_velocity[axis] = darts ? side * 30.0f / (float)(axis + 1) : 0.0f;
            step.target[axis] += step.target_velocity[axis] * FRAME_SECONDS;
        }
    }
    return step;
}

// FNV-1a over the words of all positions and velocities.
static uint64_t hash_ball(const ball* b, uint64_t hash) {
    for (int i = 0; i < 6; ++i) {
        const float* array = i < 3 ? b->points.position[i] : b->points.velocity[i - 3];
        for (uint32_t k = 0; k < b->points.count; ++k) {
            uint32_t bits;
            memcpy(&bits, &array[k], sizeof bits);
            hash = (hash ^ bits) * 0x100000001B3u;
        }
    }
    return hash;
}

static follow_kernel* const kernels[TLW_ISA_COUNT] = {
#define KERNEL(enumerator, name) [enumerator] = follow_points_##name,
    TLW_KERNEL_TABLE(KERNEL)
#undef KERNEL
};

typedef struct frame_work {
    const ball* b;
    follow_step step;
    follow_kernel* kernel;
} frame_work;

static void follow_range(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    TLW_ZONE_COLOUR("follow", 0xE0A050);
    TLW_ZONE_VALUE(worker);
    const frame_work* work = context;
    uint32_t last = end * 8 < work->b->points.count ? end * 8 : work->b->points.count;
    work->kernel(&work->b->points, &work->step, begin * 8, last);
}

// All frames; the hash of every frame's bits.
static uint64_t run(ball* b, follow_kernel* kernel, const tlw_task_system* tasks,
                    double* worst_lag) {
    uint64_t hash = 0xCBF29CE484222325u;
    *worst_lag = 0.0;
    reset_ball(b);
    for (int frame = 0; frame < FRAMES; ++frame) {
        frame_work work = {.b = b, .step = step_of_frame(frame), .kernel = kernel};
        {
            TLW_ZONE_COLOUR("step", 0x4080C0);
            void* handle = tasks->enqueue(follow_range, b->points.count / 8, TASK_POINTS / 8, &work,
                                          tasks->user);
            if (handle) {
                tasks->finish(handle, tasks->user);
            }
        }
        {
            TLW_ZONE_COLOUR("hash", 0x60A060);
            hash = hash_ball(b, hash);
        }
        double lag = (double)b->points.position[0][0] - (double)b->points.rest[0][0] -
                     (double)work.step.target[0];
        lag = lag < 0 ? -lag : lag;
        *worst_lag = lag > *worst_lag ? lag : *worst_lag;
        TLW_PLOT("lag", lag);
        TLW_FRAME_MARK();
    }
    return hash;
}

static bool write_piece(const char* text, size_t bytes, void* user) {
    return tlw_file_writer_write(user, text, bytes) == TLW_OK;
}

static int fail_trace(const tlw_file_writer* writer) {
    fprintf(stderr, "tallow-demo: %s\n", writer->error.message);
    return 6;
}

static int write_trace(tlw_profiler* profiler, tlw_file_writer* writer, const char* path) {
    (void)tlw_profiler_write_trace(profiler, write_piece, writer); // the commit tells
    if (tlw_file_writer_commit(writer) != TLW_OK) {
        return fail_trace(writer);
    }
    printf("\n%s: load it in Perfetto or chrome://tracing\n", path);
    return 0;
}

static void print_report(tlw_profiler* profiler) {
    tlw_frame_statistics frames;
    tlw_profiler_frames(profiler, &frames);
    printf("\n%-8s %8s %10s %10s %10s %10s   us\n", "zone", "count", "p50", "p95", "p99", "worst");
    for (uint32_t i = 0; i < tlw_profiler_zone_count(profiler); ++i) {
        tlw_zone_statistics zone;
        if (tlw_profiler_zone(profiler, i, &zone) == TLW_OK) {
            printf("%-8s %8llu %10.1f %10.1f %10.1f %10.1f\n", zone.name,
                   (unsigned long long)zone.count, zone.window.p50_ns / 1e3,
                   zone.window.p95_ns / 1e3, zone.window.p99_ns / 1e3, zone.window.max_ns / 1e3);
        }
    }
    printf("%-8s %8llu %10.1f %10.1f %10.1f %10.1f   %llu over the budget of %.1f ms\n", "frame",
           (unsigned long long)frames.count, frames.window.p50_ns / 1e3, frames.window.p95_ns / 1e3,
           frames.window.p99_ns / 1e3, frames.window.max_ns / 1e3,
           (unsigned long long)frames.over_budget, frames.budget_ms);
}

// Memory for everything, asked for once and of exactly the size that the parts say they need.
typedef struct demo_memory {
    tlw_pages pages;
    tlw_arena arena;
    ball b;
    tlw_profiler* profiler;
} demo_memory;

static bool make_memory(demo_memory* memory) {
    tlw_profiler_def def = tlw_default_profiler_def();
    def.frame_budget_ms = BUDGET_MS;
    size_t profiler_bytes;
    tlw_arena measure;
    ball ignored = {0};
    tlw_arena_init_measuring(&measure, "measuring");
    if (tlw_profiler_bytes(&def, &profiler_bytes) != TLW_OK || !make_ball(&measure, &ignored) ||
        tlw_arena_push(&measure, profiler_bytes, TLW_PROFILER_ALIGNMENT) == NULL ||
        tlw_pages_allocate(&memory->pages, measure.used_bytes) != TLW_OK ||
        tlw_arena_init(&memory->arena, "demo", memory->pages.base, measure.used_bytes) != TLW_OK ||
        !make_ball(&memory->arena, &memory->b)) {
        return false;
    }
    void* profiler = tlw_arena_push(&memory->arena, profiler_bytes, TLW_PROFILER_ALIGNMENT);
    return profiler != NULL &&
           tlw_profiler_create(&def, profiler, profiler_bytes, &memory->profiler) == TLW_OK;
}

int main(int argc, char** argv) {
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "tallow-demo: one argument, the folder to leave a picture and a trace in\n"
                        "usage: tallow-demo FOLDER\n");
        return 2;
    }
    // Before anything runs: a folder that cannot be written to is told at once.
    static tlw_file_writer writer;
    char path[TLW_PATH_MAX];
    snprintf(path, sizeof path, "%s/demo.trace.json", argv[1]);
    if (tlw_file_writer_begin(&writer, path) != TLW_OK) {
        return fail_trace(&writer);
    }
#if defined(TLW_DEMO_HAS_DANCE)
    const int danced = tlw_demo_dance(argv[1]);
    if (danced != 0) {
        tlw_file_writer_abandon(&writer);
        return danced;
    }
    printf("\n");
#endif
    demo_memory memory;
    if (!make_memory(&memory)) {
        fprintf(stderr, "tallow-demo: out of memory\n");
        return 1;
    }
    tlw_version version = tlw_get_version();
    printf("Tallow %u.%u.%u: %u points follow a target for %d frames; %zu of %zu bytes used\n\n",
           version.major, version.minor, version.patch, memory.b.points.count, FRAMES,
           memory.arena.high_water_bytes, memory.arena.capacity_bytes);

    // Every instruction set: the same bits.
    tlw_task_system serial = tlw_serial_task_system();
    uint64_t first_hash = 0;
    bool same = true;
    double worst_lag;
    follow_kernel* best = NULL;
    printf("%-10s %10s   %s\n", "isa", "ns/point", "hash of every frame");
    for (unsigned i = 0; i < TLW_ISA_COUNT; ++i) {
        follow_kernel* kernel = kernels[i];
        if (kernel == NULL || !tlw_isa_is_supported((tlw_isa)i)) {
            continue;
        }
        uint64_t hash = run(&memory.b, kernel, &serial, &worst_lag);
        double fastest = 1e30;
        for (int repeat = 0; repeat < 50; ++repeat) {
            follow_step step = step_of_frame(repeat);
            uint64_t start = tlw_clock_ns();
            kernel(&memory.b.points, &step, 0, memory.b.points.count);
            double ns = (double)(tlw_clock_ns() - start);
            fastest = ns < fastest ? ns : fastest;
        }
        printf("%-10s %10.2f   %016llx\n", tlw_isa_name((tlw_isa)i),
               fastest / (double)memory.b.points.count, (unsigned long long)hash);
        same = same && (best == NULL || hash == first_hash);
        first_hash = hash;
        best = kernel;
    }

    // As tasks, with the profiler watching.
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    if (best == NULL || scheduler == NULL || tlw_profiler_install(memory.profiler) != TLW_OK) {
        fprintf(stderr, "tallow-demo: no kernel for this CPU, or no scheduler\n");
        return 1;
    }
    TLW_THREAD_NAME("main");
    enkiInitTaskSchedulerNumThreads(scheduler, tlw_core_count());
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    tlw_task_system tasks = jobs ? tlw_jobs_task_system(jobs) : serial;
    uint64_t hash = run(&memory.b, best, &tasks, &worst_lag);
    if (jobs) {
        tlw_jobs_tasks_destroy(jobs);
    }
    enkiDeleteTaskScheduler(scheduler);
    same = same && hash == first_hash;
    printf("%-10s %10s   %016llx\n", "tasks", "", (unsigned long long)hash);
    printf("the ball trailed by %.1f lattice steps at the most\n", worst_lag);
    if (tlw_profiler_uninstall(memory.profiler) != TLW_OK) {
        tlw_profiler_forget_threads(memory.profiler);
    }
    (void)tlw_profiler_collect(memory.profiler);
    print_report(memory.profiler);
    int result = write_trace(memory.profiler, &writer, path);
    tlw_pages_free(&memory.pages);
    if (!same) {
        fprintf(stderr, "tallow-demo: the hashes differ\n");
        return 1;
    }
    return result;
}
