// SPDX-License-Identifier: MIT
// Implements jobs_fixture.h: the record of ranges, the counting allocator, and the replacements of
// malloc and pthread_create.
#define _GNU_SOURCE
#include "tests/jobs/jobs_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if !TLW_OS_WINDOWS
#    include <errno.h>
#    include <pthread.h>
#    include <unistd.h>
#endif

// ---- Schedulers and oracles

enkiTaskScheduler* new_scheduler(uint32_t threads) {
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    enkiInitTaskSchedulerNumThreads(scheduler, threads);
    return scheduler;
}

enkiTaskScheduler* new_scheduler_with_external(uint32_t created, uint32_t external) {
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(scheduler);
    config.numTaskThreadsToCreate = created;
    config.numExternalTaskThreads = external;
    enkiInitTaskSchedulerWithConfig(scheduler, config);
    return scheduler;
}

void oracle_record(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    oracle* seen = args;
    uint32_t at = atomic_fetch_add(&seen->count, 1);
    if (at < ORACLE_RANGES) {
        seen->ranges[at].begin = begin;
        seen->ranges[at].end = end;
    }
    // Every second range takes long enough for other threads to come and help.
    for (int i = 0; i < (at & 1 ? 30 : 0); ++i) {
        tlw_cpu_pause();
    }
}

static int compare_ranges(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

void oracle_check(oracle* seen, uint32_t size, uint32_t min_range) {
    uint32_t count = atomic_load(&seen->count);
    CHECK_LE(count, ORACLE_RANGES);
    qsort(seen->ranges, count, sizeof seen->ranges[0], compare_ranges);
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; ++i) {
        CHECK_EQ(seen->ranges[i].begin, next);
        CHECK_LT(seen->ranges[i].begin, seen->ranges[i].end);
        if (i + 1 < count) {
            CHECK_LE(min_range, seen->ranges[i].end - seen->ranges[i].begin);
        }
        next = seen->ranges[i].end;
    }
    CHECK_EQ(next, size);
    atomic_store(&seen->count, 0);
}

void count_range(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)thread;
    atomic_fetch_add((tlw_atomic_u32*)args, end - begin);
}

void count_pinned(void* args) {
    atomic_fetch_add((tlw_atomic_u32*)args, 1);
}

void count_completion(void* args, uint32_t thread) {
    (void)thread;
    atomic_fetch_add((tlw_atomic_u32*)args, 1);
}

// ---- Allocators

static void* counting_alloc(size_t align, size_t size, void* user, const char* file, int line) {
    counting_allocator* counts = user;
    if (!file || !file[0] || line <= 0 || align == 0 || (align & (align - 1))) {
        atomic_fetch_add(&counts->bad, 1);
    }
    atomic_fetch_add(&counts->calls, 1);
    if (atomic_load(&counts->fail_after) && atomic_fetch_sub(&counts->fail_after, 1) == 1) {
        return NULL;
    }
    void* memory = enkiDefaultAllocFunc(align, size, NULL, file, line);
    if ((uintptr_t)memory & (align - 1)) {
        atomic_fetch_add(&counts->bad, 1);
    }
    memset(memory, 0xA5, size);
    atomic_fetch_add(&counts->bytes, size);
    atomic_fetch_add(&counts->blocks, 1);
    return memory;
}

static void counting_free(void* memory, size_t size, void* user, const char* file, int line) {
    counting_allocator* counts = user;
    if (!memory || !file || line <= 0) {
        atomic_fetch_add(&counts->bad, 1);
    }
    // Overwrites the memory, so that a use after free is noticed.
    memset(memory, 0xDD, size);
    atomic_fetch_sub(&counts->bytes, size);
    atomic_fetch_sub(&counts->blocks, 1);
    enkiDefaultFreeFunc(memory, size, NULL, file, line);
}

struct enkiCustomAllocator counting(counting_allocator* counts) {
    return (struct enkiCustomAllocator){counting_alloc, counting_free, counts};
}

enkiTaskScheduler* new_counting_scheduler(counting_allocator* counts, uint32_t threads) {
    enkiTaskScheduler* scheduler = enkiNewTaskSchedulerWithCustomAllocator(counting(counts));
    enkiInitTaskSchedulerNumThreads(scheduler, threads);
    return scheduler;
}

#if defined(TLW_TEST_WRAPS) && defined(__GLIBC__) && !TLW_UNDER_SANITIZER
static tlw_atomic_u32 malloc_armed;
static tlw_atomic_u64 malloc_calls;
static void note_malloc(void) {
    if (atomic_load_explicit(&malloc_armed, memory_order_relaxed)) {
        atomic_fetch_add(&malloc_calls, 1);
    }
}
#    define ON_HEAP_CALL(name) note_malloc()
#    include "tests/replace_malloc.h"
// The linker redirects every call of pthread_create to here (tests/jobs/CMakeLists.txt).
static tlw_atomic_u32 starts_left = UINT32_MAX;
extern int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                 void* (*main)(void*), void* user);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*),
                          void* user);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*),
                          void* user) {
    if (atomic_load(&starts_left) != UINT32_MAX && atomic_load(&starts_left) == 0) {
        return EAGAIN;
    }
    if (atomic_load(&starts_left) != UINT32_MAX) {
        atomic_fetch_sub(&starts_left, 1);
    }
    return __real_pthread_create(thread, attributes, main, user);
}
bool fail_thread_starts_after(uint32_t count) {
    atomic_store(&starts_left, count);
    return true;
}
void let_threads_start(void) {
    atomic_store(&starts_left, UINT32_MAX);
}
bool malloc_is_counted(void) {
    return true;
}
void malloc_count_start(void) {
    atomic_store(&malloc_calls, 0);
    atomic_store(&malloc_armed, 1);
}
uint64_t malloc_count_stop(void) {
    atomic_store(&malloc_armed, 0);
    return atomic_load(&malloc_calls);
}
#else
bool malloc_is_counted(void) {
    return false;
}
bool fail_thread_starts_after(uint32_t count) {
    (void)count;
    return false;
}
void let_threads_start(void) {}
void malloc_count_start(void) {}
uint64_t malloc_count_stop(void) {
    return 0;
}
#endif

// ---- Time

void spin_ns(uint64_t ns) {
    uint64_t end = tlw_clock_ns() + ns;
    while (tlw_clock_ns() < end) {
        tlw_cpu_pause();
    }
}

uint64_t process_cpu_ns(void) {
#if TLW_OS_WINDOWS
    return 0;
#else
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

bool becomes(tlw_atomic_u32* word, uint32_t value) {
    for (int i = 0; i < 20000 && atomic_load(word) != value; ++i) {
        tlw_thread_sleep_ns(1000000);
    }
    return atomic_load(word) == value;
}

// ---- Misuse

static tlw_atomic_u32 assert_count;
static char last_message[256];

static bool collect_assert(const char* condition, const char* message, const char* file, int line,
                           void* user) {
    (void)condition;
    (void)file;
    (void)line;
    (void)user;
    atomic_fetch_add(&assert_count, 1);
    snprintf(last_message, sizeof last_message, "%s", message);
    return false;
}

static void collect_log(tlw_log_level level, const char* text, void* user) {
    (void)level;
    (void)user;
    snprintf(last_message, sizeof last_message, "%s", text);
}

void misuse_begin(void) {
    atomic_store(&assert_count, 0);
    last_message[0] = 0;
    tlw_set_assert_handler(collect_assert, NULL);
    tlw_set_log_handler(collect_log, NULL);
}

uint32_t misuse_end(void) {
    tlw_set_assert_handler(NULL, NULL);
    tlw_set_log_handler(NULL, NULL);
    return atomic_load(&assert_count);
}

const char* misuse_message(void) {
    return last_message;
}

void run_thread(test_thread* thread, tlw_thread_main* main, void* user) {
    tlw_thread_def def = tlw_default_thread_def();
    def.main = main;
    def.user = user;
    CHECK_OK(tlw_thread_start(&thread->thread, &def));
}

static void be_busy(void* user) {
    while (!atomic_load_explicit((tlw_atomic_u32*)user, memory_order_relaxed)) {
        tlw_cpu_pause();
    }
}

void begin_crowd(busy_crowd* crowd) {
    const uint32_t cores = tlw_system_core_count();
    if (tlw_system_running_threads() == 0 || cores >= CROWD_MAX) {
        tlw_test_skip(__FILE__, __LINE__, "no way to notice a crowd, or to make one");
    }
    atomic_store(&crowd->is_over, 0);
    crowd->count = cores + 1;
    for (uint32_t i = 0; i < crowd->count; ++i) {
        run_thread(&crowd->threads[i], be_busy, &crowd->is_over);
    }
    while (tlw_system_running_threads() <= cores) {
        tlw_thread_yield();
    }
}

void end_crowd(busy_crowd* crowd) {
    atomic_store(&crowd->is_over, 1);
    for (uint32_t i = 0; i < crowd->count; ++i) {
        tlw_thread_join(&crowd->threads[i].thread);
    }
}
