// SPDX-License-Identifier: MIT
// The built-in backend: its macros, its statistics against a sorted oracle, and threads and
// profilers that come and go.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/handlers.h"
#include "platform/thread.h"
#include "tests/profiling/profiling_fixture.h"

static const tlw_zone_site oracle_site = TLW_ZONE_SITE("oracle", 0x112233);

static uint64_t zone_count(profiling_fixture* fixture, const char* name) {
    CHECK_OK(tlw_profiler_collect(fixture->profiler));
    tlw_zone_statistics zone;
    return tlw_profiler_find_zone(fixture->profiler, name, &zone) == TLW_OK ? zone.count : 0;
}

static tlw_profiler_health health_of(profiling_fixture* fixture) {
    tlw_profiler_health health;
    tlw_profiler_get_health(fixture->profiler, &health);
    return health;
}

static void run_thread(tlw_thread_main* main, void* user) {
    tlw_thread thread;
    tlw_thread_def def = tlw_default_thread_def();
    def.main = main;
    def.user = user;
    CHECK_OK(tlw_thread_start(&thread, &def));
    tlw_thread_join(&thread);
}

// ---- macros

static int leaves_early(int way) {
    TLW_ZONE("leaves early");
    if (way == 0) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        TLW_ZONE_COLOUR("loop", 0xFF8800);
        if (way == 1) {
            break;
        }
        if (way == 2) {
            continue;
        }
        if (way == 3) {
            goto end;
        }
        if (way == 4) {
            return 4;
        }
    }
end:
    return way;
}

TLW_TEST(zone_ends_on_every_way_out_of_its_block) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    for (int way = 0; way < 6; ++way) {
        leaves_early(way);
    }
    CHECK_EQ(zone_count(&fixture, "leaves early"), 6);
    CHECK_EQ(zone_count(&fixture, "loop"), 1 + 3 + 1 + 1 + 3);
    tlw_zone_statistics zone;
    CHECK_OK(tlw_profiler_find_zone(fixture.profiler, "loop", &zone));
    CHECK_EQ(zone.colour, 0xFF8800);
    profiling_fixture_close(&fixture);
}

TLW_TEST(zones_in_one_scope_and_on_one_line_all_count) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    {
        TLW_ZONE("one");
        TLW_ZONE("two");
        // clang-format off
        { TLW_ZONE("three"); { TLW_ZONE("four"); TLW_ZONE_AT(&oracle_site); } }
        // clang-format on
    }
    CHECK_EQ(zone_count(&fixture, "one"), 1);
    CHECK_EQ(zone_count(&fixture, "two"), 1);
    CHECK_EQ(zone_count(&fixture, "three"), 1);
    CHECK_EQ(zone_count(&fixture, "four"), 1);
    CHECK_EQ(zone_count(&fixture, "oracle"), 1);
    profiling_fixture_close(&fixture);
}

TLW_TEST(zone_value_belongs_to_the_innermost_open_zone) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    {
        TLW_ZONE("outer");
        {
            TLW_ZONE("inner");
            TLW_ZONE_VALUE(7);
        }
        TLW_ZONE_VALUE(11);
        {
            TLW_ZONE("later"); // has no value, although the zone around it has one
        }
    }
    TLW_ZONE_VALUE(13); // no zone is open: ignored
    CHECK_OK(tlw_profiler_collect(fixture.profiler));
    const char* trace = profiling_fixture_write_trace(&fixture);
    const char* outer = strstr(trace, "\"outer\"");
    const char* inner = strstr(trace, "\"inner\"");
    const char* later = strstr(trace, "\"later\"");
    CHECK(outer && inner && later);
    CHECK(strncmp(strstr(outer, "\"value\""), "\"value\":11}", 11) == 0);
    CHECK(strncmp(strstr(inner, "\"value\""), "\"value\":7}", 10) == 0);
    CHECK(strstr(later, "\"value\"") == NULL);
    profiling_fixture_close(&fixture);
}

// A name is data, such as that of a character; statistics are kept per zone.
TLW_TEST(zone_name_is_shown_in_the_trace_and_counted_under_the_zone) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    static const char names[2][16] = {"stout 0", "a \"quoted\" one"};
    for (int i = 0; i < 2; ++i) {
        TLW_ZONE("character");
        TLW_ZONE_VALUE(9); // the last value counts
        TLW_ZONE_NAME(names[i]);
        {
            TLW_ZONE("pass"); // keeps its own name
        }
    }
    TLW_ZONE_NAME("nowhere"); // no zone is open
    CHECK_OK(tlw_profiler_collect(fixture.profiler));
    tlw_zone_statistics zone;
    CHECK_OK(tlw_profiler_find_zone(fixture.profiler, "character", &zone));
    CHECK_EQ(zone.count, 2);
    CHECK_RESULT(tlw_profiler_find_zone(fixture.profiler, "stout 0", &zone), TLW_ERROR_NOT_FOUND);
    const char* trace = profiling_fixture_write_trace(&fixture);
    CHECK_CONTAINS(trace, "\"name\":\"stout 0\"");
    CHECK_CONTAINS(trace, "\"name\":\"a \\\"quoted\\\" one\"");
    CHECK_CONTAINS(trace, "\"args\":{\"zone\":\"character\",\"site\"");
    CHECK_CONTAINS(trace, "\"name\":\"pass\"");
    CHECK(strstr(trace, "\"value\"") == NULL && strstr(trace, "nowhere") == NULL);
    profiling_fixture_close(&fixture);
}

TLW_TEST(macros_without_a_profiler_record_nothing_and_do_no_harm) {
    TLW_ZONE("nowhere");
    TLW_ZONE_NAME("nowhere");
    TLW_ZONE_VALUE(1);
    TLW_PLOT("nowhere", 1.0);
    TLW_MESSAGE("nowhere");
    TLW_POOL_ALLOC("nowhere", &oracle_site, 1);
    TLW_POOL_FREE("nowhere", &oracle_site, 1);
    TLW_FRAME_MARK();
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    CHECK_OK(tlw_profiler_collect(fixture.profiler));
    CHECK_EQ(tlw_profiler_zone_count(fixture.profiler), 0);
    profiling_fixture_close(&fixture);
}

// One name from two literals, as in the copies of a file that are compiled per instruction set.
static const char name_copy_a[] = "same name";
static const char name_copy_b[] = "same name";

TLW_TEST(zones_of_one_name_merge_whatever_their_site) {
    static const tlw_zone_site a = {name_copy_a, "a", "a.c", 1, 0};
    static const tlw_zone_site b = {name_copy_b, "b", "b.c", 2, 0};
    CHECK(a.name != b.name);
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    {
        TLW_ZONE_AT(&a);
        TLW_ZONE_AT(&b);
    }
    CHECK_EQ(zone_count(&fixture, "same name"), 2);
    CHECK_EQ(tlw_profiler_zone_count(fixture.profiler), 1);
    profiling_fixture_close(&fixture);
}

TLW_TEST(names_beyond_the_table_are_counted_not_stored) {
    static const char* const names[] = {"a", "b", "c", "d"};
    tlw_zone_site sites[4];
    tlw_profiler_def def = profiling_fixture_def();
    def.max_zones = 2;
    profiling_fixture fixture = profiling_fixture_open(&def);
    for (size_t i = 0; i < 4; ++i) {
        sites[i] = (tlw_zone_site){.name = names[i], .file = "", .function = ""};
        tlw_profiler_record_zone(&sites[i], 10, 20);
        tlw_profiler_record_zone(&sites[i], 20, 30);
    }
    CHECK_EQ(zone_count(&fixture, "a"), 2);
    CHECK_EQ(zone_count(&fixture, "b"), 2);
    CHECK_EQ(zone_count(&fixture, "c"), 0);
    CHECK_EQ(health_of(&fixture).unnamed_events, 4);
    profiling_fixture_close(&fixture);
}

// ---- statistics

static int compare_u64(const void* a, const void* b) {
    uint64_t left = *(const uint64_t*)a, right = *(const uint64_t*)b;
    return (left > right) - (left < right);
}

static double oracle_percentile(const uint64_t* sorted, size_t count, double share) {
    // The definition: the smallest sample such that at least that share of all samples does not
    // exceed it.
    for (size_t i = 0; i < count; ++i) {
        size_t not_above = 0;
        for (size_t j = 0; j < count; ++j) {
            not_above += sorted[j] <= sorted[i];
        }
        if ((double)not_above * 100.0 >= share * (double)count) {
            return (double)sorted[i];
        }
    }
    return -1.0;
}

TLW_TEST(zone_statistics_match_a_sorted_oracle) {
    uint64_t state = 5;
    for (size_t count = 1; count < 150; count += count < 8 ? 1 : 13) {
        tlw_profiler_def def = profiling_fixture_def();
        profiling_fixture fixture = profiling_fixture_open(&def);
        uint64_t spans[150], total = 0;
        for (size_t i = 0; i < count; ++i) {
            spans[i] = 1000 + tlw_test_random(&state) % 1000000;
            total += spans[i];
            tlw_profiler_record_zone(&oracle_site, 5000, 5000 + spans[i]);
        }
        CHECK_OK(tlw_profiler_collect(fixture.profiler));
        size_t window = count < def.window ? count : def.window;
        uint64_t* newest = spans + count - window;
        qsort(newest, window, sizeof *newest, compare_u64);

        double scale = health_of(&fixture).scale.ns_per_cycle;
        tlw_zone_statistics zone;
        CHECK_OK(tlw_profiler_find_zone(fixture.profiler, "oracle", &zone));
        CHECK_EQ(zone.count, count);
        CHECK_EQ(zone.window.samples, window);
        CHECK_NEAR(zone.total_ns / scale, (double)total, 0.5);
        CHECK_NEAR(zone.window.min_ns / scale, (double)newest[0], 0.01);
        CHECK_NEAR(zone.window.max_ns / scale, (double)newest[window - 1], 0.01);
        CHECK_NEAR(zone.window.p50_ns / scale, oracle_percentile(newest, window, 50), 0.01);
        CHECK_NEAR(zone.window.p95_ns / scale, oracle_percentile(newest, window, 95), 0.01);
        CHECK_NEAR(zone.window.p99_ns / scale, oracle_percentile(newest, window, 99), 0.01);
        profiling_fixture_close(&fixture);
    }
}

TLW_TEST(zone_time_is_wall_time) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    uint64_t before = tlw_clock_ns();
    {
        TLW_ZONE("sleep");
        tlw_thread_sleep_ns(20000000);
    }
    uint64_t around = tlw_clock_ns() - before;
    CHECK_EQ(zone_count(&fixture, "sleep"), 1);
    tlw_zone_statistics zone;
    CHECK_OK(tlw_profiler_find_zone(fixture.profiler, "sleep", &zone));
    CHECK_LE(19.9e6, zone.total_ns);
    CHECK_LE(zone.total_ns, (double)around * 1.01);
    profiling_fixture_close(&fixture);
}

TLW_TEST(full_ring_drops_and_counts_and_keeps_what_it_has) {
    tlw_profiler_def def = profiling_fixture_def();
    def.events_per_thread = 16;
    profiling_fixture fixture = profiling_fixture_open(&def);
    for (uint64_t i = 0; i < 40; ++i) {
        tlw_profiler_record_zone(&oracle_site, 0, i + 1);
    }
    // One entry holds the event that says which thread this is.
    CHECK_EQ(zone_count(&fixture, "oracle"), 15);
    CHECK_EQ(health_of(&fixture).dropped_events, 25);
    tlw_zone_statistics zone;
    CHECK_OK(tlw_profiler_find_zone(fixture.profiler, "oracle", &zone));
    CHECK_NEAR(zone.total_ns / health_of(&fixture).scale.ns_per_cycle, 15 * 16 / 2, 0.01);
    for (uint64_t i = 0; i < 16; ++i) {
        tlw_profiler_record_zone(&oracle_site, 0, 1);
    }
    CHECK_EQ(zone_count(&fixture, "oracle"), 31);
    CHECK_EQ(health_of(&fixture).dropped_events, 25);
    profiling_fixture_close(&fixture);
}

// ---- frames, plots, pools

TLW_TEST(frames_over_budget_are_counted_and_the_worst_are_kept_in_order) {
    tlw_profiler_def def = profiling_fixture_def();
    def.frame_budget_ms = 10.0;
    profiling_fixture fixture = profiling_fixture_open(&def);
    CHECK_OK(tlw_profiler_collect(fixture.profiler));
    static const double ms[] = {5, 12, 9, 30, 9.9, 11, 10.1, 30, 1, 50};
    double cycles_per_ms = 1e6 / health_of(&fixture).scale.ns_per_cycle;
    uint64_t clock_ns = tlw_clock_ns();
    uint64_t now = tlw_cycles();
    tlw_profiler_record_frame(now);
    for (size_t i = 0; i < TLW_COUNT_OF(ms); ++i) {
        now += (uint64_t)(ms[i] * cycles_per_ms);
        tlw_profiler_record_frame(now);
    }
    tlw_frame_statistics frames;
    tlw_profiler_frames(fixture.profiler, &frames);
    CHECK_EQ(frames.count, 10);
    CHECK_EQ(frames.over_budget, 6);
    CHECK_EQ(frames.budget_ms, 10.0);
    CHECK_NEAR(frames.window.max_ns, 50e6, 1e5);
    CHECK_NEAR(frames.window.min_ns, 1e6, 1e4);
    CHECK_NEAR(frames.window.p50_ns, 10.1e6, 0.1e6);
    tlw_worst_frame worst[8];
    CHECK_EQ(tlw_profiler_worst_frames(fixture.profiler, worst, 8), 4);
    CHECK_EQ(worst[0].number, 10);
    CHECK_EQ(worst[1].number, 4);
    CHECK_EQ(worst[2].number, 8);
    CHECK_EQ(worst[3].number, 2);
    CHECK_NEAR(worst[0].ns, 50e6, 1e5);
    CHECK_NEAR((double)(worst[0].begin_clock_ns - clock_ns), 118e6, 1e6);
    CHECK_EQ(tlw_profiler_worst_frames(fixture.profiler, worst, 2), 2);
    profiling_fixture_close(&fixture);
}

TLW_TEST(frame_mark_collects) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    { TLW_ZONE("in frame"); }
    TLW_FRAME_MARK();
    tlw_zone_statistics zone;
    CHECK_OK(tlw_profiler_find_zone(fixture.profiler, "in frame", &zone));
    CHECK_EQ(zone.count, 1);
    profiling_fixture_close(&fixture);
}

TLW_TEST(plots_keep_last_and_range_and_pools_keep_sums_and_peak) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    TLW_PLOT("load", 0.5);
    TLW_PLOT("load", -2.25);
    TLW_PLOT("load", 0.25);
    TLW_PLOT("above zero", 3.0);
    TLW_PLOT("above zero", 2.0);
    TLW_PLOT("below zero", -3.0);
    TLW_PLOT("below zero", -2.0);
    char block[4];
    TLW_POOL_ALLOC("state", &block[0], 100);
    TLW_POOL_ALLOC("state", &block[1], 50);
    TLW_POOL_FREE("state", &block[0], 100);
    TLW_POOL_ALLOC("scratch", &block[2], 8);
    CHECK_OK(tlw_profiler_collect(fixture.profiler));
    CHECK_EQ(tlw_profiler_plot_count(fixture.profiler), 3);
    tlw_plot_statistics plot;
    CHECK_OK(tlw_profiler_plot(fixture.profiler, 0, &plot));
    CHECK_STRING(plot.name, "load");
    CHECK_EQ(plot.count, 3);
    CHECK_EQ(plot.last, 0.25);
    CHECK_EQ(plot.min, -2.25);
    CHECK_EQ(plot.max, 0.5);
    CHECK_OK(tlw_profiler_plot(fixture.profiler, 1, &plot));
    CHECK_EQ(plot.min, 2.0);
    CHECK_OK(tlw_profiler_plot(fixture.profiler, 2, &plot));
    CHECK_EQ(plot.max, -2.0);
    CHECK_RESULT(tlw_profiler_plot(fixture.profiler, 3, &plot), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(tlw_profiler_pool_count(fixture.profiler), 2);
    tlw_pool_statistics pool;
    CHECK_OK(tlw_profiler_pool(fixture.profiler, 0, &pool));
    CHECK_STRING(pool.name, "state");
    CHECK_EQ(pool.bytes, 50);
    CHECK_EQ(pool.peak_bytes, 150);
    CHECK_EQ(pool.allocations, 2);
    CHECK_EQ(pool.frees, 1);
    CHECK_RESULT(tlw_profiler_pool(fixture.profiler, 2, &pool), TLW_ERROR_BAD_ARGUMENT);
    profiling_fixture_close(&fixture);
}

TLW_TEST(plots_and_pools_beyond_their_tables_are_counted_and_leave_the_others_alone) {
    tlw_profiler_def def = profiling_fixture_def();
    def.max_plots = 1;
    def.max_pools = 1;
    profiling_fixture fixture = profiling_fixture_open(&def);
    char block[2];
    TLW_PLOT("load", 0.5);
    TLW_POOL_ALLOC("state", &block[0], 100);
    for (uint64_t i = 1; i <= 3; ++i) { // by a new name, and by one that was refused before
        TLW_PLOT("speed", 7.0);
        CHECK_OK(tlw_profiler_collect(fixture.profiler));
        CHECK_EQ(health_of(&fixture).unnamed_events, 3 * i - 2);
        TLW_POOL_ALLOC("scratch", &block[1], 8);
        TLW_POOL_FREE("scratch", &block[1], 8);
        CHECK_OK(tlw_profiler_collect(fixture.profiler));
        CHECK_EQ(health_of(&fixture).unnamed_events, 3 * i);
    }
    CHECK_EQ(tlw_profiler_plot_count(fixture.profiler), 1);
    CHECK_EQ(tlw_profiler_pool_count(fixture.profiler), 1);
    tlw_plot_statistics plot;
    CHECK_OK(tlw_profiler_plot(fixture.profiler, 0, &plot));
    CHECK_STRING(plot.name, "load");
    CHECK_EQ(plot.count, 1);
    CHECK_EQ(plot.last, 0.5);
    tlw_pool_statistics pool;
    CHECK_OK(tlw_profiler_pool(fixture.profiler, 0, &pool));
    CHECK_STRING(pool.name, "state");
    CHECK_EQ(pool.bytes, 100);
    CHECK_EQ(pool.allocations, 1);
    CHECK_EQ(pool.frees, 0);
    profiling_fixture_close(&fixture);
}

// ---- threads

static void zone_and_detach(void* user) {
    (void)user;
    TLW_THREAD_NAME("passer-by");
    { TLW_ZONE("visit"); }
    tlw_profiler_detach_thread();
}

static void zone_and_leave(void* user) {
    (void)user;
    TLW_ZONE("visit");
}

TLW_TEST(rings_of_detached_threads_are_used_again) {
    tlw_profiler_def def = profiling_fixture_def();
    def.max_threads = 2;
    profiling_fixture fixture = profiling_fixture_open(&def);
    for (int i = 0; i < 20; ++i) {
        run_thread(zone_and_detach, NULL);
    }
    CHECK_EQ(zone_count(&fixture, "visit"), 20);
    CHECK_EQ(health_of(&fixture).refused_threads, 0);
    CHECK_EQ(health_of(&fixture).attached_threads, 0);
    profiling_fixture_close(&fixture);
}

TLW_TEST(threads_beyond_the_rings_are_refused_and_counted_once) {
    tlw_profiler_def def = profiling_fixture_def();
    def.max_threads = 2;
    profiling_fixture fixture = profiling_fixture_open(&def);
    for (int i = 0; i < 5; ++i) {
        run_thread(zone_and_leave, NULL); // keeps its ring: it never detached
    }
    for (int i = 0; i < 5; ++i) {
        TLW_ZONE("here");
    }
    CHECK_EQ(zone_count(&fixture, "visit"), 2);
    CHECK_EQ(zone_count(&fixture, "here"), 0);
    CHECK_EQ(health_of(&fixture).refused_threads, 4);
    CHECK_EQ(health_of(&fixture).attached_threads, 2);
    profiling_fixture_close(&fixture);
}

TLW_TEST(second_profiler_is_not_installed_beside_the_first) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    void* memory = profiling_fixture_allocate(fixture.bytes);
    tlw_profiler* second;
    CHECK_OK(tlw_profiler_create(&def, memory, fixture.bytes, &second));
    CHECK_RESULT(tlw_profiler_install(second), TLW_ERROR_BUSY);
    CHECK_OK(tlw_profiler_uninstall(second)); // it was never installed: nothing to wait for
    { TLW_ZONE("first"); }
    CHECK_EQ(zone_count(&fixture, "first"), 1);
    profiling_fixture_free(memory);
    profiling_fixture_close(&fixture);
}

typedef struct sleeper {
    tlw_semaphore attached, wake, woke, leave;
} sleeper;

static void sleep_inside_a_zone(void* user) {
    sleeper* s = user;
    {
        TLW_ZONE("long sleep");
        tlw_semaphore_post(&s->attached, 1);
        tlw_semaphore_wait(&s->wake, TLW_WAIT_FOREVER);
    }
    tlw_semaphore_post(&s->woke, 1);
    tlw_semaphore_wait(&s->leave, TLW_WAIT_FOREVER);
    { TLW_ZONE("after"); }
    tlw_profiler_detach_thread();
}

static void start_sleeper(sleeper* s, tlw_thread* thread) {
    tlw_semaphore_init(&s->attached, 0);
    tlw_semaphore_init(&s->wake, 0);
    tlw_semaphore_init(&s->woke, 0);
    tlw_semaphore_init(&s->leave, 0);
    tlw_thread_def def = tlw_default_thread_def();
    def.main = sleep_inside_a_zone;
    def.user = s;
    CHECK_OK(tlw_thread_start(thread, &def));
    CHECK_OK(tlw_semaphore_wait(&s->attached, TLW_WAIT_FOREVER));
}

// A profiler that is busy, because a sleeper has a ring of it.
static profiling_fixture open_busy(const tlw_profiler_def* def, sleeper* s, tlw_thread* thread) {
    const profiling_fixture fixture = profiling_fixture_open(def);
    start_sleeper(s, thread);
    CHECK_RESULT(tlw_profiler_uninstall(fixture.profiler), TLW_ERROR_BUSY);
    return fixture;
}

TLW_TEST(uninstall_stays_busy_until_every_thread_gave_its_ring_back) {
    const tlw_profiler_def def = profiling_fixture_def();
    sleeper s;
    tlw_thread thread;
    profiling_fixture fixture = open_busy(&def, &s, &thread);
    CHECK_RESULT(tlw_profiler_uninstall(fixture.profiler), TLW_ERROR_BUSY);
    CHECK_RESULT(tlw_profiler_install(fixture.profiler), TLW_ERROR_BUSY);
    tlw_semaphore_post(&s.wake, 1);
    CHECK_OK(tlw_semaphore_wait(&s.woke, TLW_WAIT_FOREVER));
    CHECK_OK(tlw_profiler_uninstall(fixture.profiler));
    tlw_semaphore_post(&s.leave, 1);
    tlw_thread_join(&thread);
    CHECK_EQ(zone_count(&fixture, "long sleep"), 0); // it ended after the profiler had gone
    profiling_fixture_close(&fixture);
}

TLW_TEST(thread_that_wakes_after_its_profiler_is_gone_does_not_touch_it) {
    const tlw_profiler_def def = profiling_fixture_def();
    sleeper s;
    tlw_thread thread;
    profiling_fixture fixture = open_busy(&def, &s, &thread);
    tlw_profiler_forget_threads(fixture.profiler);
    memset(fixture.memory, 0xEE, fixture.bytes);
    profiling_fixture next = profiling_fixture_open(&def);
    tlw_semaphore_post(&s.wake, 1);
    CHECK_OK(tlw_semaphore_wait(&s.woke, TLW_WAIT_FOREVER));
    for (size_t i = 0; i < fixture.bytes; ++i) {
        CHECK_EQ(((uint8_t*)fixture.memory)[i], 0xEE);
    }
    profiling_fixture_free(fixture.memory);
    // The zone that began under the first profiler does not reach the second one.
    CHECK_EQ(zone_count(&next, "long sleep"), 0);
    tlw_semaphore_post(&s.leave, 1);
    tlw_thread_join(&thread);
    CHECK_EQ(zone_count(&next, "after"), 1);
    profiling_fixture_close(&next);
}

typedef struct zoner {
    tlw_atomic_u32* stop;
    uint64_t zones;
} zoner;

static void zone_until_stopped(void* user) {
    zoner* z = user;
    while (!atomic_load_explicit(z->stop, memory_order_acquire)) {
        TLW_ZONE("outer");
        TLW_ZONE("inner");
        TLW_ZONE_VALUE(z->zones);
        z->zones += 1;
        if (z->zones % 64 == 0) {
            TLW_PLOT("zones", (double)z->zones);
            TLW_MESSAGE("sixty-four");
            TLW_FRAME_MARK(); // collects while other threads collect too, or read
        }
        if (z->zones % 1000 == 0) {
            tlw_profiler_detach_thread();
        }
    }
    tlw_profiler_detach_thread();
}

TLW_TEST(profilers_come_and_go_while_threads_keep_zoning) {
    tlw_atomic_u32 stop = 0;
    zoner zoners[2] = {{&stop, 0}, {&stop, 0}};
    tlw_thread threads[2];
    for (int i = 0; i < 2; ++i) {
        tlw_thread_def def = tlw_default_thread_def();
        def.main = zone_until_stopped;
        def.user = &zoners[i];
        CHECK_OK(tlw_thread_start(&threads[i], &def));
    }
    tlw_profiler_def def = profiling_fixture_def();
    def.calibrate_ns = 1000;
    uint64_t seen = 0;
    for (int round = 0; round < 30; ++round) {
        profiling_fixture fixture = profiling_fixture_open(&def);
        for (int frame = 0; frame < 5; ++frame) {
            tlw_thread_sleep_ns(200000);
            TLW_FRAME_MARK();
            tlw_zone_statistics zone;
            (void)tlw_profiler_find_zone(fixture.profiler, "inner", &zone);
        }
        uint64_t give_up = tlw_clock_ns() + 20000000000u;
        while (tlw_profiler_uninstall(fixture.profiler) != TLW_OK) {
            CHECK_LT(tlw_clock_ns(), give_up);
            tlw_thread_yield();
        }
        CHECK_EQ(health_of(&fixture).attached_threads, 0);
        seen += zone_count(&fixture, "inner");
        // The memory may be freed as soon as uninstall succeeds; a late write would be found here.
        memset(fixture.memory, 0xEE, fixture.bytes);
        profiling_fixture_free(fixture.memory);
    }
    atomic_store_explicit(&stop, 1, memory_order_release);
    for (int i = 0; i < 2; ++i) {
        tlw_thread_join(&threads[i]);
    }
    CHECK_LT(0, seen);
}

TLW_TEST(every_zone_of_two_busy_threads_is_counted_or_dropped) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    tlw_atomic_u32 stop = 0;
    zoner zoners[2] = {{&stop, 0}, {&stop, 0}};
    tlw_thread threads[2];
    for (int i = 0; i < 2; ++i) {
        tlw_thread_def thread_def = tlw_default_thread_def();
        thread_def.main = zone_until_stopped;
        thread_def.user = &zoners[i];
        CHECK_OK(tlw_thread_start(&threads[i], &thread_def));
    }
    for (int i = 0; i < 50; ++i) {
        (void)tlw_profiler_collect(fixture.profiler);
        tlw_zone_statistics zone;
        (void)tlw_profiler_find_zone(fixture.profiler, "inner", &zone);
        tlw_thread_sleep_ns(100000);
    }
    atomic_store_explicit(&stop, 1, memory_order_release);
    tlw_thread_join(&threads[0]);
    tlw_thread_join(&threads[1]);
    uint64_t outer = zone_count(&fixture, "outer");
    uint64_t inner = zone_count(&fixture, "inner");
    tlw_profiler_health health = health_of(&fixture);
    uint64_t zones = zoners[0].zones + zoners[1].zones;
    // A thread that returns and finds no room for the event that says which thread it is is
    // refused: it records nothing until its next detach. Every other zone is recorded or counted as
    // dropped.
    if (health.refused_threads == 0) {
        uint64_t others = 0;
        for (uint32_t i = 0; i < 2; ++i) {
            others += zoners[i].zones / 64 * 3;
        }
        CHECK_LE(outer + inner, 2 * zones);
        CHECK_LE(2 * zones, outer + inner + health.dropped_events);
        CHECK_LE(outer + inner + health.dropped_events, 2 * zones + others);
    }
    CHECK_LT(0, inner);
    profiling_fixture_close(&fixture);
}

// ---- memory and defs

static char logged[1024];

static void keep_log(tlw_log_level level, const char* text, void* user) {
    (void)level;
    (void)user;
    strncpy(logged, text, sizeof logged - 1);
}

TLW_TEST(profiler_fits_in_exactly_the_bytes_it_asked_for) {
    static const uint32_t sizes[] = {1, 3, 17};
    for (size_t i = 0; i < TLW_COUNT_OF(sizes); ++i) {
        tlw_profiler_def def = profiling_fixture_def();
        def.max_zones = sizes[i];
        def.window = 2 * sizes[i] + 1;
        def.history_events = 7 * sizes[i];
        def.max_plots = sizes[i] - 1;
        def.calibrate_ns = 1000;
        size_t bytes;
        CHECK_OK(tlw_profiler_bytes(&def, &bytes));
        void* memory = profiling_fixture_allocate(bytes);
        tlw_profiler* profiler = NULL;
        CHECK_OK(tlw_profiler_create(&def, memory, bytes, &profiler));
        tlw_set_log_handler(keep_log, NULL);
        tlw_result result = tlw_profiler_create(&def, memory, bytes - 1, &profiler);
        tlw_set_log_handler(NULL, NULL);
        CHECK_RESULT(result, TLW_ERROR_OUT_OF_MEMORY);
        CHECK_CONTAINS(logged, "'profiler'");
        CHECK_CONTAINS(logged, " 1 missing");
        CHECK_RESULT(tlw_profiler_create(&def, (uint8_t*)memory + 8, bytes - 8, &profiler),
                     TLW_ERROR_MISALIGNED);
        CHECK_RESULT(tlw_profiler_create(&def, NULL, bytes, &profiler), TLW_ERROR_BAD_ARGUMENT);
        profiling_fixture_free(memory);
    }
}

static void check_rejected(const tlw_profiler_def* def, const char* setting) {
    size_t bytes = 77;
    tlw_profiler* profiler = NULL;
    TLW_ALIGNAS(TLW_PROFILER_ALIGNMENT) uint8_t memory[128];
    logged[0] = 0;
    tlw_set_log_handler(keep_log, NULL);
    tlw_result sized = tlw_profiler_bytes(def, &bytes);
    tlw_result created = tlw_profiler_create(def, memory, sizeof memory, &profiler);
    tlw_set_log_handler(NULL, NULL);
    CHECK_RESULT(sized, TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(created, TLW_ERROR_BAD_ARGUMENT);
    CHECK_CONTAINS(logged, setting);
    CHECK_EQ(bytes, 77);
    CHECK(profiler == NULL);
}

TLW_TEST(bad_profiler_def_is_rejected_and_its_setting_named) {
    tlw_profiler_def def = {.max_threads = 1, .events_per_thread = 16};
    size_t bytes;
    CHECK_RESULT(tlw_profiler_bytes(&def, &bytes), TLW_ERROR_BAD_DEF);
#define CHECK_SETTING(setting, bad)   \
    def = tlw_default_profiler_def(); \
    def.setting = bad;                \
    check_rejected(&def, #setting)
    CHECK_SETTING(max_threads, 0);
    CHECK_SETTING(max_threads, 100000);
    CHECK_SETTING(events_per_thread, 0);
    CHECK_SETTING(events_per_thread, 1000);
    CHECK_SETTING(events_per_thread, 0x80000000u);
    CHECK_SETTING(max_zones, 0);
    CHECK_SETTING(max_zones, UINT32_MAX);
    CHECK_SETTING(max_plots, UINT32_MAX);
    CHECK_SETTING(max_pools, UINT32_MAX);
    CHECK_SETTING(window, 0);
    CHECK_SETTING(history_events, 0);
    CHECK_SETTING(frame_window, 0);
    CHECK_SETTING(max_worst_frames, UINT32_MAX);
    CHECK_SETTING(frame_budget_ms, 0.0);
    CHECK_SETTING(frame_budget_ms, (double)NAN);
#undef CHECK_SETTING
}
