// SPDX-License-Identifier: MIT
// tallow-example FILE.tlw: the least that an engine writes. A character runs, stops and settles.
#include "platform/thread.h"
#include "runtime/tallow.h"

#include <stdio.h>
#include <stdlib.h>

// Jobs: a loop that all threads share; it has run when enqueue returns, and needs no finish.
enum { THREADS = 4, BLOB_BYTES_MAX = 64 << 20 };
typedef struct pool {
    tlw_task* task;
    void* context;
    uint32_t count, range;
    tlw_atomic_u32 next, workers;
    tlw_semaphore start, done;
    tlw_thread threads[THREADS];
} pool;

static void run_thread(void* user) {
    pool* p = user;
    const uint32_t worker = p->workers++;
    while (tlw_semaphore_wait(&p->start, TLW_WAIT_FOREVER) == TLW_OK) {
        for (uint32_t i; (i = atomic_fetch_add(&p->next, p->range)) < p->count;) {
            p->task(i, p->count - i < p->range ? p->count : i + p->range, worker, p->context);
        }
        tlw_semaphore_post(&p->done, 1);
    }
}

static void* enqueue(tlw_task* task, uint32_t count, uint32_t range, void* context, void* user) {
    pool* p = user;
    p->task = task, p->context = context, p->count = count, p->range = range, p->next = 0;
    tlw_semaphore_post(&p->start, THREADS);
    for (int i = 0; i < THREADS; ++i) {
        tlw_semaphore_wait(&p->done, TLW_WAIT_FOREVER);
    }
    return NULL;
}

static void must(tlw_result result) {
    if (result != TLW_OK) {
        fprintf(stderr, "tallow-example FILE.tlw: %s\n", tlw_result_meaning(result));
        exit(1);
    }
}

// Memory: malloc's, on multiples of 64, all of it before the first step.
static void* take(size_t bytes) {
    static void *blocks[8], **next = blocks; // what an engine would free
    const uintptr_t block = (uintptr_t)(*next++ = malloc(bytes + TLW_MEMORY_ALIGNMENT));
    must(block ? TLW_OK : TLW_ERROR_OUT_OF_MEMORY);
    return (void*)((block / TLW_MEMORY_ALIGNMENT + 1) * TLW_MEMORY_ALIGNMENT);
}

int main(int argc, char** argv) {
    must(argc == 2 && freopen(argv[1], "rb", stdin) ? TLW_OK : TLW_ERROR_CANNOT_READ);
    void* file = take(BLOB_BYTES_MAX);
    size_t bytes, file_bytes = fread(file, 1, BLOB_BYTES_MAX, stdin);
    tlw_blob blob; // used where it lies
    tlw_blob_info info;
    must(tlw_blob_open(file, file_bytes, TLW_BLOB_CHECK_ALL, &blob, NULL));
    must(tlw_blob_get_info(&blob, &info));

    static pool jobs; // lives as long as the process
    tlw_thread_def thread_def = tlw_default_thread_def();
    thread_def.main = run_thread, thread_def.user = &jobs;
    for (int i = 0; i < THREADS; ++i) {
        must(tlw_thread_start(&jobs.threads[i], &thread_def));
    }
    tlw_world_def world_def = tlw_default_world_def();
    world_def.tasks = (tlw_task_system){enqueue, world_def.tasks.finish, &jobs, THREADS};
    world_def.scratch_bytes = info.scratch_bytes;
    tlw_world* world;
    must(tlw_world_bytes(&world_def, &bytes));
    must(tlw_world_create(&world_def, take(bytes), bytes, &world));

    tlw_character_def def = tlw_default_character_def();
    def.blob = blob, def.pose_kind = TLW_POSE_SKINNING;
    tlw_character_id id;
    must(tlw_character_bytes(&def, &bytes));
    must(tlw_character_create(world, &def, take(bytes), bytes, &id));
    tlw_output output = tlw_default_output();
    output.positions.data = take(info.vertex_count * 3 * sizeof(float)); // or a mapped GPU buffer
    must(tlw_character_set_output(world, id, &output));
    float* joints = take(info.joint_count * 16 * sizeof(float));
    for (uint32_t i = 0; i < info.joint_count * 16; ++i) {
        joints[i] = i % 16 % 5 == 0 ? 1.0f : 0.0f; // identities: the bind pose
    }
    tlw_pose pose = {joints, info.joint_count, {.rotation = {0, 0, 0, 1}, .scale = 1}, false};
    tlw_bounds bounds = {0}, most = {0};
    for (int frame = 0; frame < 120; ++frame) {
        pose.root.position[2] = (frame < 60 ? frame : 60) / 60.0; // a metre a second
        must(tlw_character_set_pose(world, id, &pose));
        tlw_world_step(world, 1.0 / 60.0);
        must(tlw_character_get_bounds(world, id, &bounds));
        most = bounds.high[2] > most.high[2] ? bounds : most;
    }
    printf("the front ran %.1f mm past its rest\n", (double)(most.high[2] - bounds.high[2]) * 1e3);
}
