// SPDX-License-Identifier: MIT
// tallow-tasks BLOB.tlw: steps the same eight characters with every job system of tasks.h that was
// built, and prints the hash of the world after the last frame. Job systems change when and where
// work runs, never its result: every hash must be that of the serial task system. Before that,
// each job system is checked against the contract of platform/task.h. To check your own adapter,
// add it to the table. Exit code 0, 1 if something failed, 2 for a mistake on the command line.
#include "platform/file.h"
#include "platform/thread.h"
#include "runtime/tallow.h"
#include "tools/command/memory.h"
#include "tools/example/tasks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHARACTERS = 8, FRAMES = 120, BLOB_BYTES_MAX = 256 << 20 };

static const example_tasks* const adapters[] = {
    &example_tasks_threads,
    &example_tasks_jobs,
    &example_tasks_enkits,
#if EXAMPLE_HAS_TBB
    &example_tasks_tbb,
#endif
};

static void must(tlw_result result) {
    if (result != TLW_OK) {
        fprintf(stderr, "tallow-tasks: %s\n", tlw_result_meaning(result));
        exit(1);
    }
}

static void* take(size_t bytes) { // on a multiple of TLW_MEMORY_ALIGNMENT
    void* memory = tlw_heap_grow_aligned(NULL, 0, bytes, NULL);
    must(memory != NULL ? TLW_OK : TLW_ERROR_OUT_OF_MEMORY);
    return memory;
}

static void give_back(void* memory) {
    (void)tlw_heap_grow_aligned(memory, 1, 0, NULL);
}

// ---- The contract: loops of many sizes, all of them unfinished at the same time.

enum { WORKERS_MAX = 1024, ITEMS_MAX = 600, ROUNDS = 10, PAUSES = 100 };

typedef struct probe {
    uint32_t count, min_range, worker_count;
    uint8_t runs[ITEMS_MAX]; // per item. Plain memory: finish must make it visible.
} probe;

static tlw_atomic_u32 is_busy[WORKERS_MAX]; // by worker
static tlw_atomic_u32 bad_workers, shared_workers, small_ranges;

static void run_probe(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    probe* p = context;
    const bool is_bad = worker >= p->worker_count || worker >= WORKERS_MAX;
    if (is_bad) {
        atomic_fetch_add(&bad_workers, 1);
    } else if (atomic_exchange(&is_busy[worker], 1) != 0) {
        atomic_fetch_add(&shared_workers, 1);
    }
    if (end - begin < p->min_range && end != p->count) {
        atomic_fetch_add(&small_ranges, 1);
    }
    for (uint32_t i = begin; i < end; ++i) {
        p->runs[i] += 1;
    }
    for (int i = 0; i < PAUSES; ++i) { // some microseconds, so that ranges overlap
        tlw_cpu_pause();
    }
    if (!is_bad) {
        atomic_store(&is_busy[worker], 0);
    }
}

// Returns what was broken, or null.
static const char* check_contract(const tlw_task_system* tasks) {
    static probe probes[TLW_TASKS_IN_FLIGHT_MAX];
    void* handles[TLW_TASKS_IN_FLIGHT_MAX];
    bad_workers = shared_workers = small_ranges = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < TLW_TASKS_IN_FLIGHT_MAX; ++i) {
            probe* p = &probes[i];
            memset(p, 0, sizeof *p);
            p->count = i * (round + i) % ITEMS_MAX; // 0 for some
            p->min_range = 1 + (i + round) % 9;
            p->worker_count = tasks->worker_count;
            handles[i] = tasks->enqueue(run_probe, p->count, p->min_range, p, tasks->user);
        }
        for (uint32_t i = TLW_TASKS_IN_FLIGHT_MAX; i-- > 0;) { // in another order
            if (handles[i] != NULL) {
                tasks->finish(handles[i], tasks->user);
            }
            for (uint32_t item = 0; item < ITEMS_MAX; ++item) {
                if (probes[i].runs[item] != (item < probes[i].count ? 1 : 0)) {
                    return "an item did not run exactly once before finish returned";
                }
            }
        }
    }
    return atomic_load(&bad_workers) > 0      ? "a worker is not below worker_count"
           : atomic_load(&shared_workers) > 0 ? "two ranges ran at once with the same worker"
           : atomic_load(&small_ranges) > 0   ? "a range was smaller than min_range"
                                              : NULL;
}

// ---- The world.

// Each character runs, stops and turns in its own rhythm. Its joints stay in the bind pose.
static void make_poses(tlw_pose poses[CHARACTERS], int frame) {
    for (int i = 0; i < CHARACTERS; ++i) {
        const double seconds = frame / 60.0;
        const double phase = seconds * (3.0 + i) * 0.5;
        tlw_root* root = &poses[i].root;
        root->position[0] = 2.0 * i;
        root->position[1] = 0.1 * sin(phase * 2.0);
        root->position[2] = seconds < 1.0 ? seconds * (0.5 + 0.1 * i) : 0.5 + 0.1 * i;
        root->rotation[1] = (float)sin(phase * 0.5);
        root->rotation[3] = (float)cos(phase * 0.5);
        root->scale = 1.0f;
    }
}

// With a split_cost of 0 the world decides which characters are split among workers, and splits
// none of eight equal ones; with FLT_MIN all of them are split.
static uint64_t hash_after_steps(const tlw_blob* blob, const tlw_task_system* tasks,
                                 float split_cost) {
    tlw_blob_info info;
    must(tlw_blob_get_info(blob, &info));
    tlw_world_def world_def = tlw_default_world_def();
    world_def.character_capacity = CHARACTERS;
    world_def.scratch_bytes = info.scratch_bytes;
    world_def.tasks = *tasks;
    world_def.split_cost = split_cost;
    tlw_world* world;
    size_t bytes;
    must(tlw_world_bytes(&world_def, &bytes));
    void* world_memory = take(bytes);
    must(tlw_world_create(&world_def, world_memory, bytes, &world));

    float* joints = take(info.joint_count * 16 * sizeof(float)); // identities: the bind pose
    for (uint32_t i = 0; i < info.joint_count * 16; ++i) {
        joints[i] = i % 16 % 5 == 0 ? 1.0f : 0.0f;
    }
    tlw_character_def def = tlw_default_character_def();
    def.blob = *blob;
    def.pose_kind = TLW_POSE_SKINNING;
    must(tlw_character_bytes(&def, &bytes));
    void* memory[CHARACTERS];
    tlw_character_id ids[CHARACTERS];
    tlw_pose poses[CHARACTERS];
    for (int i = 0; i < CHARACTERS; ++i) {
        memory[i] = take(bytes);
        must(tlw_character_create(world, &def, memory[i], bytes, &ids[i]));
        poses[i] = (tlw_pose){.joints = joints, .joint_count = info.joint_count};
    }

    make_poses(poses, 0);
    for (int frame = 0; frame < FRAMES; ++frame) {
        for (int i = 0; i < CHARACTERS; ++i) {
            must(tlw_character_set_pose(world, ids[i], &poses[i])); // copies it
        }
        tlw_world_begin_step(world, 1.0 / 60.0);
        make_poses(poses, frame + 1); // the engine's own work, while tasks run
        tlw_world_end_step(world);
    }
    const uint64_t hash = tlw_world_hash(world);
    tlw_world_destroy(world);
    for (int i = 0; i < CHARACTERS; ++i) {
        give_back(memory[i]);
    }
    give_back(joints);
    give_back(world_memory);
    return hash;
}

static void print_hash(const char* name, uint32_t worker_count, uint64_t hash) {
    printf("%-8s workers %2u  world %016" PRIx64 "\n", name, worker_count, hash);
}

// Prints the hash, or what is wrong; false if something is.
static bool try_adapter(const example_tasks* adapter, const tlw_blob* blob, uint64_t serial) {
    const uint32_t cores = tlw_core_count();
    const tlw_task_system tasks = adapter->open(cores < 2 ? 2 : cores < 8 ? cores : 8);
    if (tasks.enqueue == NULL) {
        printf("%-8s could not be started\n", adapter->name);
        return false;
    }
    const char* broken = check_contract(&tasks);
    uint64_t whole = 0, split = 0;
    if (broken == NULL) {
        whole = hash_after_steps(blob, &tasks, 0.0f);
        split = hash_after_steps(blob, &tasks, FLT_MIN);
    }
    adapter->close(&tasks);
    if (broken != NULL) {
        printf("%-8s %s\n", adapter->name, broken);
        return false;
    }
    print_hash(adapter->name, tasks.worker_count, whole);
    if (whole != serial || split != serial) {
        printf("%-8s differs from serial: %016" PRIx64 " whole, %016" PRIx64 " split\n",
               adapter->name, whole, split);
        return false;
    }
    return true;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: tallow-tasks BLOB.tlw\n");
        return 2;
    }
    tlw_file_read_def read_def = tlw_default_file_read_def();
    read_def.path = argv[1];
    read_def.limit_bytes = BLOB_BYTES_MAX;
    read_def.grow = tlw_heap_grow_aligned;
    uint8_t* file;
    size_t file_bytes;
    tlw_file_error error;
    if (tlw_file_read(&read_def, &file, &file_bytes, &error) != TLW_OK) {
        fprintf(stderr, "tallow-tasks: %s\n", error.message);
        return 1;
    }
    tlw_blob blob;
    must(tlw_blob_open(file, file_bytes, TLW_BLOB_CHECK_ALL, &blob, NULL));

    const tlw_task_system serial_tasks = tlw_serial_task_system();
    const uint64_t serial = hash_after_steps(&blob, &serial_tasks, 0.0f);
    print_hash("serial", serial_tasks.worker_count, serial);
    bool is_good = true;
    for (size_t i = 0; i < TLW_COUNT_OF(adapters); ++i) {
        is_good = try_adapter(adapters[i], &blob, serial) && is_good;
    }
    give_back(file);
    return is_good ? 0 : 1;
}
