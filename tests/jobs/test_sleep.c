// SPDX-License-Identifier: MIT
// Sleeping and waking: what workers learn about gaps, no CPU time used while idle, no wake-up lost
// after sleeps of any length, and workers that take part again after an idle gap. Also the adapter
// to platform/task.h.
#include "tests/jobs/jobs_fixture.h"

#include "jobs/scheduler.h"
#include "jobs/task_system.h"

#include <stdlib.h>

JOBS_TEST(gaps_that_are_short_are_spun_over) {
    tlw_job_gaps gaps = {.count = 0};
    CHECK_EQ(tlw_gaps_spin_ns(&gaps), (uint64_t)TLW_SPIN_MIN_NS);
    for (int i = 0; i < 20; ++i) {
        tlw_gaps_note(&gaps, i % 4 ? 1000 : 200000); // every fourth is long
    }
    CHECK_LE(200000, tlw_gaps_spin_ns(&gaps));
    CHECK_LE(tlw_gaps_spin_ns(&gaps), TLW_SPIN_MAX_NS);
    // It is forgotten when no such gap has occurred for a while.
    for (int i = 0; i < TLW_GAPS; ++i) {
        tlw_gaps_note(&gaps, 100000000);
    }
    CHECK_EQ(tlw_gaps_spin_ns(&gaps), (uint64_t)TLW_SPIN_MIN_NS);
}

JOBS_TEST(gaps_that_are_long_and_regular_are_expected) {
    tlw_job_gaps gaps = {.count = 0};
    uint64_t end, margin;
    CHECK(!tlw_gaps_expect(&gaps, &end, &margin));
    for (int i = 0; i < 20; ++i) {
        tlw_gaps_note(&gaps, 2000000 + (uint64_t)(i % 3) * 20000);
    }
    CHECK(tlw_gaps_expect(&gaps, &end, &margin));
    CHECK_NEAR(end, 2000000, 50000);
    CHECK_LE(margin, TLW_SPIN_MAX_NS);
    tlw_gaps_note(&gaps, 8000000); // another rhythm
    CHECK(!tlw_gaps_expect(&gaps, &end, &margin));
    for (int i = 0; i < 20; ++i) {
        tlw_gaps_note(&gaps, i % 2 ? 3000000 : 7000000); // no rhythm
    }
    CHECK(!tlw_gaps_expect(&gaps, &end, &margin));
    tlw_gaps_note(&gaps, 1000000000);
    CHECK(!tlw_gaps_expect(&gaps, &end, &margin));
}

JOBS_TEST(idle_scheduler_burns_no_cpu) {
    if (process_cpu_ns() == 0) {
        tlw_test_skip(__FILE__, __LINE__, "no CPU clock here");
    }
    enkiTaskScheduler* s = new_scheduler(8);
    tlw_atomic_u32 ran = 0;
    enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
    for (int i = 0; i < 100; ++i) {
        enkiAddTaskSetArgs(s, set, &ran, 1000);
        enkiWaitForTaskSet(s, set);
    }
    // TLW_JOBS_IDLE_MS=10000 tests 10 s.
    const char* asked = getenv("TLW_JOBS_IDLE_MS");
    uint64_t idle_ns = (asked ? (uint64_t)atoi(asked) : 1000) * 1000000u;
    uint64_t cpu = process_cpu_ns();
    tlw_thread_sleep_ns(idle_ns);
    cpu = process_cpu_ns() - cpu;
    // 0.5%, plus the most that spinning before sleep and the watchdog may cost.
    CHECK_LE(cpu, idle_ns / 200 + 8000000);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

// Sleeps of all lengths between additions. A lost wake-up hangs the wait, because the calling
// thread runs nothing itself.
JOBS_TEST(no_wake_up_is_lost_after_gaps_of_any_length) {
    for (uint32_t threads = 2; threads <= 5; ++threads) {
        enkiTaskScheduler* s = new_scheduler(threads);
        tlw_atomic_u32 ran = 0;
        enkiTaskSet* set = enkiCreateTaskSet(s, count_range);
        enkiPinnedTask* pinned = enkiCreatePinnedTask(s, count_pinned, threads - 1);
        uint64_t random = threads;
        for (uint32_t i = 0; i < 400; ++i) {
            uint32_t before = atomic_load(&ran);
            bool is_set = tlw_test_random(&random) & 1;
            if (is_set) {
                enkiAddTaskSetArgs(s, set, &ran, 1);
            } else {
                enkiAddPinnedTaskArgs(s, pinned, &ran);
            }
            while (atomic_load(&ran) == before) {
                tlw_thread_yield();
            }
            enkiWaitForAll(s);
            spin_ns(tlw_test_random(&random) % (1u << (tlw_test_random(&random) % 20)));
        }
        enkiDeleteTaskSet(s, set);
        enkiDeletePinnedTask(s, pinned);
        enkiDeleteTaskScheduler(s);
    }
}

static tlw_atomic_u32 ranges_of[2];
static void spin_range(uint32_t begin, uint32_t end, uint32_t thread, void* args) {
    (void)args;
    atomic_fetch_add(&ranges_of[thread], 1);
    spin_ns((uint64_t)(end - begin) * 200);
}

JOBS_TEST(worker_takes_part_after_an_idle_gap) {
    if (tlw_core_count() < 2) {
        tlw_test_skip(__FILE__, __LINE__, "one core only");
    }
    enkiTaskScheduler* s = new_scheduler(2);
    enkiTaskSet* set = enkiCreateTaskSet(s, spin_range);
    // 80% on a quiet machine (measured by tallow-bench jobs). This machine may be busy compiling,
    // so the test asks for a quarter, in one of several attempts.
    uint32_t shared = 0, loops = 100;
    for (int attempt = 0; attempt < 20 && shared < loops / 4; ++attempt) {
        shared = 0;
        for (uint32_t i = 0; i < loops; ++i) {
            atomic_store(&ranges_of[0], 0);
            atomic_store(&ranges_of[1], 0);
            enkiAddTaskSetMinRange(s, set, NULL, 1000, 1);
            enkiWaitForTaskSet(s, set);
            shared += atomic_load(&ranges_of[1]) > 0;
            tlw_thread_sleep_ns(2000000);
        }
    }
    CHECK_LE(loops / 4, shared);
    enkiDeleteTaskSet(s, set);
    enkiDeleteTaskScheduler(s);
}

// ---- Who is woken for work

static tlw_atomic_u32 is_asleep, wake_ups;

static void note_sleep(uint32_t thread) {
    atomic_fetch_add(&is_asleep, thread == 0);
}

static void note_wake_up(uint32_t thread) {
    atomic_fetch_add(&wake_ups, thread == 0);
}

typedef struct late_work {
    enkiTaskScheduler* scheduler;
    enkiTaskSet* work;
    tlw_atomic_u32 ran;
    bool is_for_waiter;
    bool is_asleep; // the waiter, when the work was added
    bool is_taken;  // by the waiter, while this thread was busy
} late_work;

// Adds work when thread 0 sleeps in its wait, and does not run it.
static void add_late(void* args) {
    late_work* at = args;
    at->is_asleep = becomes(&is_asleep, 1);
    tlw_thread_sleep_ns(2000000); // the callback comes before the thread sleeps
    enkiAddTaskSetArgs(at->scheduler, at->work, &at->ran, 1);
    if (at->is_for_waiter) {
        at->is_taken = becomes(&at->ran, 1);
    } else {
        tlw_thread_sleep_ns(20000000);
        at->is_taken = atomic_load(&at->ran) != 0 || atomic_load(&wake_ups) != 0;
    }
}

// Thread 0 waits for priority `awaited` or higher; the only other thread adds work of `added`.
static bool waiter_takes(int awaited, int added, bool is_for_waiter) {
    atomic_store(&is_asleep, 0);
    atomic_store(&wake_ups, 0);
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    config.numTaskThreadsToCreate = 1;
    config.profilerCallbacks.waitForTaskCompleteSuspendStart = note_sleep;
    config.profilerCallbacks.waitForTaskCompleteSuspendStop = note_wake_up;
    enkiInitTaskSchedulerWithConfig(s, config);
    late_work at = {.scheduler = s, .is_for_waiter = is_for_waiter};
    at.work = enkiCreateTaskSet(s, count_range);
    enkiSetPriorityTaskSet(at.work, added);
    enkiPinnedTask* task = enkiCreatePinnedTask(s, add_late, 1);
    enkiAddPinnedTaskArgs(s, task, &at);
    enkiWaitForPinnedTaskPriority(s, task, awaited);
    enkiWaitForTaskSet(s, at.work);
    enkiDeletePinnedTask(s, task);
    enkiDeleteTaskSet(s, at.work);
    enkiDeleteTaskScheduler(s);
    CHECK(at.is_asleep);
    return at.is_taken;
}

JOBS_TEST(thread_asleep_in_a_wait_is_woken_for_work_that_it_may_run) {
    CHECK(waiter_takes(0, 0, true));
    CHECK(waiter_takes(2, 1, true));
}

JOBS_TEST(thread_asleep_in_a_wait_is_not_woken_for_work_that_it_may_not_run) {
    CHECK(!waiter_takes(0, 1, false));
    CHECK(!waiter_takes(1, 2, false));
}

static tlw_atomic_u32 fallen_asleep, woken_up;

static void count_sleep(uint32_t thread) {
    (void)thread;
    atomic_fetch_add(&fallen_asleep, 1);
}

static void count_wake_up(uint32_t thread) {
    (void)thread;
    atomic_fetch_add(&woken_up, 1);
}

// Three workers sleep. When `wanted` threads are wanted and `searchers` search already, `expected`
// workers must wake up.
static void check_woken(uint32_t wanted, uint32_t searchers, uint32_t expected) {
    atomic_store(&fallen_asleep, 0);
    atomic_store(&woken_up, 0);
    enkiTaskScheduler* s = enkiNewTaskScheduler();
    struct enkiTaskSchedulerConfig config = enkiGetTaskSchedulerConfig(s);
    config.numTaskThreadsToCreate = 3;
    config.profilerCallbacks.waitForNewTaskSuspendStart = count_sleep;
    config.profilerCallbacks.waitForNewTaskSuspendStop = count_wake_up;
    enkiInitTaskSchedulerWithConfig(s, config);
    CHECK(becomes(&fallen_asleep, 3));
    tlw_thread_sleep_ns(2000000); // the callback comes before the thread sleeps
    atomic_fetch_add(&s->idle, searchers * TLW_IDLE_SEARCHER); // as if others did
    tlw_wake_for_work(s, wanted, 0, wanted > 1);
    const bool were_woken = becomes(&woken_up, expected);
    tlw_thread_sleep_ns(10000000);
    const uint32_t woken = atomic_load(&woken_up);
    atomic_fetch_sub(&s->idle, searchers * TLW_IDLE_SEARCHER);
    enkiDeleteTaskScheduler(s);
    CHECK(were_woken);
    CHECK_EQ(woken, expected);
}

JOBS_TEST(as_many_workers_are_woken_as_are_wanted_beside_those_that_search) {
    check_woken(1, 0, 1);
    check_woken(3, 0, 3);
    check_woken(1, 1, 0);
    check_woken(2, 1, 1);
}

JOBS_TEST(sharing_a_core_is_forgotten_when_offers_do_not_help) {
    static tlw_job_thread thread;
    thread = (tlw_job_thread){.shares_core = 0};
    tlw_learn_sharing(&thread, false);
    CHECK_EQ(thread.shares_core, 0u);
    tlw_learn_sharing(&thread, true);
    CHECK_LT(1u, thread.shares_core); // one offer that does not help is not enough
    for (int i = 0; i < 64; ++i) {
        tlw_learn_sharing(&thread, false);
    }
    CHECK_EQ(thread.shares_core, 0u);
}

// ---- Giving way

// As if the system had just been asked.
static void say_crowded(enkiTaskScheduler* s, bool is_crowded, uint64_t now_ns) {
    atomic_store(&s->crowd_asked_ns, now_ns);
    atomic_store(&s->is_crowded, is_crowded);
}

JOBS_TEST(spin_ends_early_where_more_threads_want_to_run_than_there_are_cores) {
    static enkiTaskScheduler s;
    tlw_job_thread thread = {.scheduler = &s};
    const uint64_t now = 1000000000;
    say_crowded(&s, false, now);
    CHECK(!tlw_should_give_way(&thread, TLW_SPIN_MAX_NS, now));
    say_crowded(&s, true, now);
    CHECK(!tlw_should_give_way(&thread, TLW_SPIN_CROWDED_NS, now));
    CHECK(tlw_should_give_way(&thread, TLW_SPIN_CROWDED_NS + 1, now));
    s.oversubscribed = true; // by its own threads
    CHECK(!tlw_should_give_way(&thread, TLW_SPIN_CROWDED_NS + 1, now));
    s.oversubscribed = false;
}

JOBS_TEST(spins_in_vain_get_shorter_but_for_every_sixteenth) {
    static enkiTaskScheduler s;
    tlw_job_thread thread = {.scheduler = &s};
    const uint64_t now = 1000000000;
    say_crowded(&s, true, now);
    for (uint32_t spins = 1; spins <= 64; ++spins) {
        tlw_learn_spin(&thread, false);
        const bool is_short = spins >= 2 && spins % 16 != 0;
        CHECK_EQ(tlw_should_give_way(&thread, TLW_SPIN_IN_VAIN_NS + 1, now), is_short);
        CHECK(!tlw_should_give_way(&thread, TLW_SPIN_IN_VAIN_NS, now));
    }
    tlw_learn_spin(&thread, true);
    CHECK(!tlw_should_give_way(&thread, TLW_SPIN_CROWDED_NS, now));
}

JOBS_TEST(crowd_is_noticed_and_forgotten_but_not_asked_about_all_the_time) {
    static enkiTaskScheduler s;
    uint64_t now = 1000000000;
    busy_crowd crowd;
    begin_crowd(&crowd);
    CHECK(tlw_is_crowded(&s, now));
    atomic_store(&s.is_crowded, 0);
    CHECK(!tlw_is_crowded(&s, now + TLW_CROWD_ASK_NS)); // not asked again so soon
    CHECK(tlw_is_crowded(&s, now += TLW_CROWD_ASK_NS + 1));
    end_crowd(&crowd);
    // Other programs may be busy, so a machine of very many cores stands in for a quiet one.
    atomic_store(&s.system_cores, 1000000);
    CHECK(!tlw_is_crowded(&s, now + TLW_CROWD_ASK_NS + 1));
}

// ---- The adapter

typedef struct items {
    tlw_atomic_u32 runs[5000];
    tlw_atomic_u32 wrong_worker;
    uint32_t worker_count;
} items;

static void run_items(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    items* at = context;
    if (worker >= at->worker_count) {
        atomic_fetch_add(&at->wrong_worker, 1);
    }
    for (uint32_t i = begin; i < end; ++i) {
        atomic_fetch_add(&at->runs[i], 1);
    }
}

JOBS_TEST(task_system_runs_every_item_once) {
    for (uint32_t threads = 1; threads <= 4; ++threads) {
        counting_allocator counts = {.bytes = 0};
        enkiTaskScheduler* s = new_counting_scheduler(&counts, threads);
        tlw_jobs_tasks* tasks = tlw_jobs_tasks_create(s);
        tlw_task_system system = tlw_jobs_task_system(tasks);
        CHECK_EQ(system.worker_count, threads);
        static items at;
        at = (items){.worker_count = system.worker_count};
        uint64_t calls = atomic_load(&counts.calls);
        CHECK(system.enqueue(run_items, 0, 1, &at, system.user) == NULL);
        // More than may be in flight: the others run at once.
        void* handles[TLW_TASKS_IN_FLIGHT_MAX + 6];
        for (uint32_t repeat = 0; repeat < 20; ++repeat) {
            for (uint32_t i = 0; i < TLW_COUNT_OF(handles); ++i) {
                handles[i] = system.enqueue(run_items, 70 * (i + 1) < 5000 ? 70 * (i + 1) : 5000,
                                            i % 9, &at, system.user);
            }
            for (uint32_t i = 0; i < TLW_COUNT_OF(handles); ++i) {
                if (handles[i]) {
                    system.finish(handles[i], system.user);
                }
            }
        }
        uint32_t total = 0, expected = 0;
        for (uint32_t i = 0; i < 5000; ++i) {
            total += atomic_load(&at.runs[i]);
        }
        for (uint32_t i = 0; i < TLW_COUNT_OF(handles); ++i) {
            expected += 20 * (70 * (i + 1) < 5000 ? 70 * (i + 1) : 5000);
        }
        CHECK_EQ(total, expected);
        CHECK_EQ(atomic_load(&at.wrong_worker), 0u);
        CHECK_EQ(atomic_load(&counts.calls), calls);
        tlw_jobs_tasks_destroy(tasks);
        enkiDeleteTaskScheduler(s);
        CHECK_EQ(atomic_load(&counts.bytes), 0u);
    }
}

JOBS_TEST(task_system_without_memory_is_null) {
    counting_allocator counts = {.bytes = 0};
    enkiTaskScheduler* s = enkiNewTaskSchedulerWithCustomAllocator(counting(&counts));
    for (uint32_t i = 1; i < 66; i += 13) {
        atomic_store(&counts.fail_after, i);
        CHECK(tlw_jobs_tasks_create(s) == NULL);
        atomic_store(&counts.fail_after, 0);
    }
    enkiDeleteTaskScheduler(s);
    CHECK_EQ(atomic_load(&counts.bytes), 0u);
}

JOBS_TEST(task_system_keeps_64_tasks_in_flight_and_runs_more_at_once) {
    enkiTaskScheduler* s = new_scheduler(2);
    tlw_jobs_tasks* tasks = tlw_jobs_tasks_create(s);
    tlw_task_system system = tlw_jobs_task_system(tasks);
    static items at;
    at = (items){.worker_count = system.worker_count};
    void* handles[TLW_TASKS_IN_FLIGHT_MAX];
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < TLW_TASKS_IN_FLIGHT_MAX; ++i) {
            handles[i] = system.enqueue(run_items, 1, 1, &at, system.user);
            CHECK(handles[i] != NULL);
        }
        uint32_t before = atomic_load(&at.runs[1]);
        CHECK(system.enqueue(run_items, 2, 1, &at, system.user) == NULL);
        CHECK_EQ(atomic_load(&at.runs[1]), before + 1);
        for (uint32_t i = 0; i < TLW_TASKS_IN_FLIGHT_MAX; ++i) {
            system.finish(handles[i], system.user);
        }
        CHECK_EQ(atomic_load(&at.runs[0]), (round + 1) * (TLW_TASKS_IN_FLIGHT_MAX + 1));
    }
    tlw_jobs_tasks_destroy(tasks);
    enkiDeleteTaskScheduler(s);
}
