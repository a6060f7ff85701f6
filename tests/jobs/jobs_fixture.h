// SPDX-License-Identifier: MIT
// What the tests of jobs/ share: a watchdog against hangs, the oracle for "every index exactly
// once", an allocator that counts, and the interposed malloc.
#ifndef TLW_TESTS_JOBS_JOBS_FIXTURE_H
#define TLW_TESTS_JOBS_JOBS_FIXTURE_H

#include "TaskScheduler_c.h"
#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/handlers.h"
#include "platform/thread.h"
#include "tests/test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define TLW_UNDER_SANITIZER 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define TLW_UNDER_SANITIZER 1
#    endif
#endif
#if !defined(TLW_UNDER_SANITIZER)
#    define TLW_UNDER_SANITIZER 0
#endif

// Aborts with a message that names the test if the next call does not come in time.
void watch(const char* test);
#define JOBS_TEST(name)               \
    static void name##_watched(void); \
    TLW_TEST(name) {                  \
        watch(#name);                 \
        name##_watched();             \
        watch(NULL);                  \
    }                                 \
    static void name##_watched(void)

enkiTaskScheduler* new_scheduler(uint32_t threads);

// Every range that ran, to be compared with [0, size) afterwards.
#define ORACLE_RANGES 65536
typedef struct oracle {
    tlw_atomic_u32 count;
    struct {
        uint32_t begin, end;
    } ranges[ORACLE_RANGES];
} oracle;
void oracle_record(uint32_t begin, uint32_t end, uint32_t thread, void* args); // args: oracle*
// Each index once, each range but the last at least min_range.
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

// Calls of malloc and its kin by any thread while armed; 0 where it cannot be interposed.
bool malloc_is_counted(void);
void malloc_count_start(void);
uint64_t malloc_count_stop(void);

// The start of threads fails after so many more; false where that cannot be arranged.
bool fail_thread_starts_after(uint32_t count);
void let_threads_start(void);

void spin_ns(uint64_t ns);
uint64_t process_cpu_ns(void);
// Waits up to 20 s.
bool becomes(tlw_atomic_u32* word, uint32_t value);

// Collects asserts and log lines instead of stopping.
void misuse_begin(void);
// How many asserts came; the last message.
uint32_t misuse_end(void);
const char* misuse_message(void);

typedef struct test_thread {
    tlw_thread thread;
} test_thread;
void run_thread(test_thread* thread, tlw_thread_main* main, void* user);

#endif
