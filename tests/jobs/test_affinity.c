// SPDX-License-Identifier: MIT
// Which workers are moved between cores. A worker that was bound to a core by somebody else stays
// there, whoever bound it and when: tests bind it, and then add work on the same core after gaps,
// which is when the scheduler moves workers that it may move.
#include "tests/jobs/jobs_fixture.h"

#include <string.h>

static tlw_atomic_u64 worker_id;
static tlw_core_set chosen;                // what a test binds the worker to
static tlw_core_set all;                   // cores of the test
static bool binds_in_start;                // start_worker does
static uint32_t start_core = TLW_ANY_CORE; // where the worker starts, not bound to it
static tlw_atomic_u32 has_worker;          // worker_id is known

static tlw_core_set only(uint32_t core) {
    tlw_core_set cores = {{0}};
    cores.words[core / 64] = (uint64_t)1 << core % 64;
    return cores;
}

static bool is_same(const tlw_core_set* a, const tlw_core_set* b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static uint32_t core_from(uint32_t core) {
    while (!(all.words[core / 64] >> core % 64 & 1)) {
        core += 1;
    }
    return core;
}

static uint32_t first_core(void) {
    return core_from(0);
}

static uint32_t second_core(void) {
    return core_from(first_core() + 1);
}

static void start_worker(uint32_t number) {
    (void)number;
    atomic_store(&worker_id, tlw_thread_current_id());
    if (start_core != TLW_ANY_CORE) {
        const tlw_core_set start = only(start_core);
        (void)tlw_thread_set_cores(tlw_thread_current_id(), &start, TLW_ANY_CORE);
        (void)tlw_thread_set_cores(tlw_thread_current_id(), &all, TLW_ANY_CORE);
    }
    if (binds_in_start) {
        (void)tlw_thread_set_cores(tlw_thread_current_id(), &chosen, TLW_ANY_CORE);
    }
    atomic_store(&has_worker, 1);
}

static void bind_self(void* args) {
    (void)args;
    (void)tlw_thread_set_cores(tlw_thread_current_id(), &chosen, TLW_ANY_CORE);
}

// With one worker, whose id is then known.
static enkiTaskScheduler* new_affinity_scheduler(bool binds) {
    chosen = only(first_core());
    binds_in_start = binds;
    atomic_store(&has_worker, 0);
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    config.numTaskThreadsToCreate = 1;
    config.profilerCallbacks.threadStart = start_worker;
    enkiInitTaskSchedulerWithConfig(s, config);
    CHECK(becomes(&has_worker, 1));
    return s;
}

static tlw_core_set worker_cores(void) {
    tlw_core_set cores;
    CHECK(tlw_thread_get_cores_of(atomic_load(&worker_id), &cores));
    return cores;
}

static void run_short(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)begin;
    (void)end;
    (void)thread;
    (void)args;
    spin_ns(20000);
}

// Adds work from `core` after gaps, until the worker's cores are not `before` any more or it has
// done so often enough. Without the check in move_thread every test failed in each of 50 runs, in
// all but one after at most 9 additions.
static bool is_moved_by_work_from(enkiTaskScheduler* s, uint32_t core, tlw_core_set before) {
    enkiTaskSet* set = enkiCreateTaskSet(s, run_short);
    const tlw_core_set mine = only(core);
    CHECK(tlw_thread_set_cores(tlw_thread_current_id(), &mine, TLW_ANY_CORE));
    bool is_moved = false;
    for (uint32_t i = 0; i < 60 && !is_moved; ++i) {
        enkiAddTaskSetMinRange(s, set, NULL, 8, 1);
        enkiWaitForTaskSet(s, set);
        tlw_thread_sleep_ns(1000000);
        const tlw_core_set now = worker_cores();
        is_moved = !is_same(&now, &before);
    }
    CHECK(tlw_thread_set_cores(tlw_thread_current_id(), &all, TLW_ANY_CORE));
    enkiDeleteTaskSet(s, set);
    return is_moved;
}

static void need_cores(void) {
    if (!tlw_thread_get_cores(&all) || tlw_core_count() < 2) {
        tlw_test_skip(__FILE__, __LINE__, "one core only, or no sets of cores");
    }
}

JOBS_TEST(worker_bound_when_it_starts_stays_on_its_core) {
    need_cores();
    enkiTaskScheduler* s = new_affinity_scheduler(true);
    CHECK(!is_moved_by_work_from(s, first_core(), chosen));
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(worker_bound_in_a_pinned_task_stays_on_its_core) {
    need_cores();
    enkiTaskScheduler* s = new_affinity_scheduler(false);
    enkiPinnedTask* task = enkiCreatePinnedTask(s, bind_self, 1);
    enkiAddPinnedTask(s, task);
    enkiWaitForPinnedTask(s, task);
    CHECK(!is_moved_by_work_from(s, first_core(), chosen));
    enkiDeletePinnedTask(s, task);
    enkiDeleteTaskScheduler(s);
}

JOBS_TEST(worker_bound_from_outside_stays_on_its_core) {
    need_cores();
    enkiTaskScheduler* s = new_affinity_scheduler(false);
    CHECK(tlw_thread_set_cores(atomic_load(&worker_id), &chosen, TLW_ANY_CORE));
    CHECK(!is_moved_by_work_from(s, first_core(), chosen));
    enkiDeleteTaskScheduler(s);
}

// Also when it was moved before that.
JOBS_TEST(worker_bound_late_stays_on_its_core) {
    need_cores();
    enkiTaskScheduler* s = new_affinity_scheduler(false);
    (void)is_moved_by_work_from(s, first_core(), all);
    CHECK(tlw_thread_set_cores(atomic_load(&worker_id), &chosen, TLW_ANY_CORE));
    CHECK(!is_moved_by_work_from(s, first_core(), chosen));
    enkiDeleteTaskScheduler(s);
}

// ---- Workers that nobody has bound

static tlw_core_set all_without(uint32_t core) {
    tlw_core_set cores = all;
    cores.words[core / 64] &= ~((uint64_t)1 << core % 64);
    return cores;
}

// The cores that an unbound worker has after a set of `ranges` was added once from the first core,
// when it was last seen on `core`.
static tlw_core_set cores_after_work(uint32_t core, uint32_t ranges) {
    start_core = core;
    enkiTaskScheduler* s = new_affinity_scheduler(false);
    const tlw_core_set mine = only(first_core());
    CHECK(tlw_thread_set_cores(tlw_thread_current_id(), &mine, TLW_ANY_CORE));
    tlw_thread_sleep_ns(2000000); // the worker sleeps
    enkiTaskSet* set = enkiCreateTaskSet(s, run_short);
    enkiAddTaskSetMinRange(s, set, NULL, ranges, 1);
    const tlw_core_set cores = worker_cores();
    enkiWaitForTaskSet(s, set);
    CHECK(tlw_thread_set_cores(tlw_thread_current_id(), &all, TLW_ANY_CORE));
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
    start_core = TLW_ANY_CORE;
    return cores;
}

// The system may move a worker between its start and its first sleep, so each of these may need a
// few attempts.
JOBS_TEST(worker_on_the_core_of_the_thread_that_adds_work_is_moved_off_it) {
    need_cores();
    bool is_moved = false;
    for (int attempt = 0; attempt < 20 && !is_moved; ++attempt) {
        tlw_core_set cores = cores_after_work(first_core(), 8);
        const tlw_core_set others = all_without(first_core());
        is_moved = is_same(&cores, &others);
    }
    CHECK(is_moved);
}

JOBS_TEST(worker_is_not_moved_for_a_set_of_one_range_on_a_crowded_machine) {
    need_cores();
    busy_crowd crowd;
    begin_crowd(&crowd);
    for (int attempt = 0; attempt < 5; ++attempt) {
        const tlw_core_set cores = cores_after_work(first_core(), 1);
        CHECK(is_same(&cores, &all));
    }
    end_crowd(&crowd);
}

JOBS_TEST(worker_on_another_core_is_not_moved) {
    need_cores();
    bool is_left = false;
    for (int attempt = 0; attempt < 20 && !is_left; ++attempt) {
        const tlw_core_set cores = cores_after_work(second_core(), 8);
        is_left = is_same(&cores, &all);
    }
    CHECK(is_left);
}
