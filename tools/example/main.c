// SPDX-License-Identifier: MIT
// tallow-example FILE.tlw: the least that an engine writes to give a character soft tissue. Reads a
// cooked blob, moves the character forward for a second, stops it, and prints how far its front ran
// on. It uses the runtime, and platform/thread.h for threads; an engine has its own.
#include "platform/thread.h"
#include "runtime/tallow.h"

#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, BLOCKS_MAX = 8, BLOB_BYTES_MAX = 64 << 20 };

void must(tlw_result result); // ends the program with a message unless the result is TLW_OK
void* take(size_t bytes);     // memory on a multiple of TLW_MEMORY_ALIGNMENT

void must(tlw_result result) {
    if (result != TLW_OK) {
        fprintf(stderr, "tallow-example FILE.tlw: %s\n", tlw_result_meaning(result));
        exit(1);
    }
}

// ---- Jobs: every thread takes ranges of a loop until there are none left.

typedef struct pool {
    tlw_task* task; // what the loop calls for a range
    void* context;
    uint32_t count;
    uint32_t range;         // items that a thread takes at a time
    tlw_atomic_u32 next;    // the first item that no thread has taken
    tlw_atomic_u32 workers; // threads that have started
    tlw_semaphore start, done;
    tlw_thread threads[THREADS];
} pool;

static void run_thread(void* user) {
    pool* p = user;
    const uint32_t worker = atomic_fetch_add(&p->workers, 1);
    while (tlw_semaphore_wait(&p->start, TLW_WAIT_FOREVER) == TLW_OK) {
        uint32_t begin = atomic_fetch_add(&p->next, p->range);
        while (begin < p->count) {
            const bool is_last = p->count - begin < p->range;
            const uint32_t end = is_last ? p->count : begin + p->range;
            p->task(begin, end, worker, p->context);
            begin = atomic_fetch_add(&p->next, p->range);
        }
        tlw_semaphore_post(&p->done, 1);
    }
}

// The runtime calls this for every parallel loop. Everything has run when it returns, which the
// null handle says; an engine that returns a handle is asked to finish it later.
static void* enqueue(tlw_task* task, uint32_t count, uint32_t range, void* context, void* user) {
    pool* p = user;
    p->task = task;
    p->context = context;
    p->count = count;
    p->range = range;
    p->next = 0;
    tlw_semaphore_post(&p->start, THREADS);
    for (int i = 0; i < THREADS; ++i) {
        tlw_semaphore_wait(&p->done, TLW_WAIT_FOREVER);
    }
    return NULL;
}

static void start_threads(pool* p) {
    tlw_thread_def def = tlw_default_thread_def();
    def.main = run_thread;
    def.user = p;
    for (int i = 0; i < THREADS; ++i) {
        must(tlw_thread_start(&p->threads[i], &def));
    }
}

// ---- Memory: all of it is taken before the first step, on multiples of TLW_MEMORY_ALIGNMENT.

static void* blocks[BLOCKS_MAX];
static int block_count;

void* take(size_t bytes) {
    char* block = block_count < BLOCKS_MAX ? malloc(bytes + TLW_MEMORY_ALIGNMENT) : NULL;
    must(block ? TLW_OK : TLW_ERROR_OUT_OF_MEMORY);
    blocks[block_count++] = block;
    return block + TLW_MEMORY_ALIGNMENT - (uintptr_t)block % TLW_MEMORY_ALIGNMENT;
}

static void* read_file(const char* path, size_t* bytes) {
    FILE* file = path ? fopen(path, "rb") : NULL;
    must(file ? TLW_OK : TLW_ERROR_CANNOT_READ);
    void* memory = take(BLOB_BYTES_MAX);
    *bytes = fread(memory, 1, BLOB_BYTES_MAX, file);
    fclose(file);
    return memory;
}

// ---- The character. Returns how far its front ran past the place where it came to rest, in
// metres.

static float run(const void* file, size_t file_bytes, tlw_task_system tasks) {
    // The blob is checked once, and then used where it lies: keep the memory.
    tlw_blob blob;
    tlw_blob_info info;
    must(tlw_blob_open(file, file_bytes, TLW_BLOB_CHECK_ALL, &blob, NULL));
    must(tlw_blob_get_info(&blob, &info));

    // A world: ask for its size, then create it in memory of yours.
    tlw_world_def world_def = tlw_default_world_def();
    world_def.tasks = tasks;
    world_def.scratch_bytes = info.scratch_bytes; // of the largest blob in it
    tlw_world* world;
    size_t bytes;
    must(tlw_world_bytes(&world_def, &bytes));
    must(tlw_world_create(&world_def, take(bytes), bytes, &world));

    // A character, in the same way.
    tlw_character_def def = tlw_default_character_def();
    def.blob = blob;
    def.pose_kind = TLW_POSE_SKINNING;
    tlw_character_id id;
    must(tlw_character_bytes(&def, &bytes));
    must(tlw_character_create(world, &def, take(bytes), bytes, &id));

    // Where its vertices go: here the heap, or a mapped GPU buffer. They come in the order of the
    // source mesh; tallow-characters takes the cooked order, which is faster.
    tlw_output output = tlw_default_output();
    output.positions.data = take(info.vertex_count * 3 * sizeof(float));
    must(tlw_character_set_output(world, id, &output));

    // Skinning matrices, column-major. Identities are the bind pose.
    float* joints = take(info.joint_count * 16 * sizeof(float));
    for (uint32_t i = 0; i < info.joint_count * 16; ++i) {
        const uint32_t column = i % 16 / 4, row = i % 4;
        joints[i] = column == row ? 1.0f : 0.0f;
    }
    tlw_pose pose = tlw_default_pose();
    pose.joints = joints;
    pose.joint_count = info.joint_count;

    // Two seconds: the root moves by a metre per second, and then stands still.
    float farthest = 0.0f;
    tlw_bounds bounds;
    for (int frame = 0; frame < 120; ++frame) {
        pose.root.position[2] = frame < 60 ? frame / 60.0 : 1.0;
        must(tlw_character_set_pose(world, id, &pose));
        tlw_world_step(world, 1.0 / 60.0);
        must(tlw_character_get_bounds(world, id, &bounds));
        farthest = bounds.high[2] > farthest ? bounds.high[2] : farthest;
    }
    tlw_world_destroy(world);
    return farthest - bounds.high[2];
}

int main(int argc, char** argv) {
    static pool jobs; // lives as long as its threads
    start_threads(&jobs);
    tlw_task_system tasks = tlw_serial_task_system(); // its finish is never called: see enqueue
    tasks.enqueue = enqueue;
    tasks.user = &jobs;
    tasks.worker_count = THREADS;
    size_t file_bytes;
    const void* file = read_file(argc == 2 ? argv[1] : NULL, &file_bytes);
    const float metres = run(file, file_bytes, tasks);
    printf("the front ran %.1f mm past its rest\n", (double)metres * 1e3);
    for (int i = 0; i < block_count; ++i) {
        free(blocks[i]);
    }
    return 0;
}
