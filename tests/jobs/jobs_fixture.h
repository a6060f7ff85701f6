// SPDX-License-Identifier: MIT
// Shared by the tests of jobs/: a record of the ranges that ran, which must cover every index
// exactly once, an allocator that counts, and replacements of malloc and pthread_create.
#ifndef TLW_TESTS_JOBS_JOBS_FIXTURE_H
#define TLW_TESTS_JOBS_JOBS_FIXTURE_H

#include "TaskScheduler_c.h"
#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/handlers.h"
#include "platform/thread.h"
#include "tests/test.h"

#define JOBS_TEST(name) TLW_TEST(name)

enkiTaskScheduler* new_scheduler(uint32_t threads);
// With numbers for threads that the scheduler does not create.
enkiTaskScheduler* new_scheduler_with_external(uint32_t created, uint32_t external);

// Records every range that ran, to be compared with [0, size) afterwards.
#define ORACLE_RANGES 65536
typedef struct oracle {
    tlw_atomic_u32 count;
    struct {
        uint32_t begin, end;
    } ranges[ORACLE_RANGES];
} oracle;
void oracle_record(uint32_t begin, uint32_t end, uint32_t thread, void* args); // args: oracle*
// Every index ran once, and every range but the last has at least min_range of them.
void oracle_check(oracle* seen, uint32_t size, uint32_t min_range);

// Adds to *(tlw_atomic_u32*)args.
void count_range(uint32_t begin, uint32_t end, uint32_t thread, void* args);
void count_pinned(void* args);
void count_completion(void* args, uint32_t thread);

typedef struct counting_allocator {
    tlw_atomic_u64 bytes, blocks, calls;
    tlw_atomic_u32 bad;        // wrong alignment, no file or line
    tlw_atomic_u32 fail_after; // calls until null is returned; 0: never
} counting_allocator;
struct enkiCustomAllocator counting(counting_allocator* counts);
enkiTaskScheduler* new_counting_scheduler(counting_allocator* counts, uint32_t threads);

// Counts calls of malloc and related functions by any thread; 0 where they cannot be replaced.
bool malloc_is_counted(void);
void malloc_count_start(void);
uint64_t malloc_count_stop(void);

// Lets `count` more threads start, then makes every start fail; false where that cannot be
// arranged.
bool fail_thread_starts_after(uint32_t count);
void let_threads_start(void);

void spin_ns(uint64_t ns);
uint64_t process_cpu_ns(void);
// Waits up to 20 s for a word to have a value.
bool becomes(tlw_atomic_u32* word, uint32_t value);

// Collects asserts and log lines instead of aborting.
void misuse_begin(void);
// The number of asserts since misuse_begin, and the last message.
uint32_t misuse_end(void);
const char* misuse_message(void);

typedef struct test_thread {
    tlw_thread thread;
} test_thread;
void run_thread(test_thread* thread, tlw_thread_main* main, void* user);

// Threads that keep every core of the machine busy, and one more that wants one. Skips the test
// where the system does not tell how many threads want to run.
#define CROWD_MAX 257
typedef struct busy_crowd {
    test_thread threads[CROWD_MAX];
    uint32_t count;
    tlw_atomic_u32 is_over;
} busy_crowd;
void begin_crowd(busy_crowd* crowd);
void end_crowd(busy_crowd* crowd);

#endif
