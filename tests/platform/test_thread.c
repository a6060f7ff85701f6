// SPDX-License-Identifier: MIT
// Threads, waiting on a word and semaphores. Compiled twice: with the system's own wait
// (test_platform), and with platform/wait_table.c in its place (test_wait_table).
#include "platform/clock.h"
#include "platform/thread.h"
#include "tests/test.h"

#include <string.h>
#if TLW_OS_LINUX
#    include <sys/prctl.h>
#endif

#define LONG_NS UINT64_C(20000000000)

static void start(tlw_thread* thread, tlw_thread_main* main, void* user) {
    tlw_thread_def def = tlw_default_thread_def();
    def.main = main;
    def.user = user;
    def.name = "tallow-test";
    CHECK_OK(tlw_thread_start(thread, &def));
}

typedef struct thread_facts {
    uint64_t id;
    char name[TLW_THREAD_NAME_MAX];
} thread_facts;

static void note_facts(void* user) {
    thread_facts* facts = user;
    facts->id = tlw_thread_current_id();
#if TLW_OS_LINUX
    prctl(PR_GET_NAME, facts->name, 0, 0, 0);
#endif
}

TLW_TEST(thread_runs_with_its_name_and_is_joined) {
    thread_facts facts = {0};
    tlw_thread thread;
    start(&thread, note_facts, &facts);
    tlw_thread_join(&thread);
    CHECK(facts.id != 0);
    CHECK(facts.id != tlw_thread_current_id());
#if TLW_OS_LINUX // other systems have no common way to ask for it
    CHECK_STRING(facts.name, "tallow-test");
#endif
}

TLW_TEST(thread_cuts_a_long_name_and_takes_any_stack_and_core_hint) {
    for (uint32_t i = 0; i < 3; ++i) {
        static const uint32_t hints[] = {0, TLW_ANY_CORE, 1000000};
        static const size_t stacks[] = {0, 1, 1 << 20};
        thread_facts facts = {0};
        tlw_thread thread;
        tlw_thread_def def = tlw_default_thread_def();
        def.main = note_facts;
        def.user = &facts;
        def.name = "a name much longer than the system keeps";
        def.core_hint = hints[i];
        def.stack_bytes = stacks[i];
        CHECK_OK(tlw_thread_start(&thread, &def));
        tlw_thread_join(&thread);
#if TLW_OS_LINUX
        CHECK_STRING(facts.name, "a name much lon");
#endif
    }
}

TLW_TEST(thread_refuses_a_def_that_did_not_come_from_its_default) {
    tlw_thread thread;
    tlw_thread_def zero = {.main = note_facts};
    CHECK_RESULT(tlw_thread_start(&thread, &zero), TLW_ERROR_BAD_DEF);
    tlw_thread_def no_main = tlw_default_thread_def();
    CHECK_RESULT(tlw_thread_start(&thread, &no_main), TLW_ERROR_BAD_DEF);
}

TLW_TEST(core_count_is_at_least_one) {
    CHECK_LE(1u, tlw_core_count());
    CHECK(!tlw_thread_pin(1000000));
    tlw_thread_yield();
}

static void run_until_set(void* user) {
    while (!atomic_load((tlw_atomic_u32*)user)) {
        tlw_cpu_pause();
    }
}

TLW_TEST(running_threads_are_counted_with_those_that_wait_for_a_core) {
    CHECK_LE(tlw_core_count(), tlw_system_core_count());
    if (tlw_system_running_threads() == 0) {
        tlw_test_skip(__FILE__, __LINE__, "this system does not tell");
    }
    enum { MORE = 8 };
    const uint32_t cores = tlw_system_core_count();
    tlw_atomic_u32 is_over = 0;
    tlw_thread threads[64 + MORE];
    const uint32_t count = (cores < 64 ? cores : 64) + MORE;
    tlw_thread_def def = tlw_default_thread_def();
    def.main = run_until_set;
    def.user = &is_over;
    for (uint32_t i = 0; i < count; ++i) {
        CHECK_OK(tlw_thread_start(&threads[i], &def));
    }
    // All of them, although a core runs only one at a time. Another program may be asleep between
    // two looks, so only ours are sure.
    uint32_t most = 0;
    for (int i = 0; i < 100 && most < count; ++i) {
        most = tlw_system_running_threads();
        tlw_thread_sleep_ns(1000000);
    }
    atomic_store(&is_over, 1);
    for (uint32_t i = 0; i < count; ++i) {
        tlw_thread_join(&threads[i]);
    }
    CHECK_LE(count, most);
}

TLW_TEST(thread_can_be_kept_off_a_core_but_not_off_all) {
    tlw_core_set cores;
    if (!tlw_thread_get_cores(&cores)) {
        CHECK_EQ(tlw_thread_current_core(), TLW_ANY_CORE);
        tlw_test_skip(__FILE__, __LINE__, "this system keeps no sets of cores");
    }
    const uint64_t self = tlw_thread_current_id();
    const uint32_t here = tlw_thread_current_core();
    CHECK(here != TLW_ANY_CORE && (cores.words[here / 64] >> here % 64 & 1) == 1);
    const bool has_others = tlw_core_count() > 1;
    CHECK_EQ(tlw_thread_set_cores(self, &cores, here), has_others);
    CHECK(!has_others || tlw_thread_current_core() != here);
    tlw_core_set now;
    CHECK(tlw_thread_get_cores_of(self, &now));
    CHECK_EQ(now.words[here / 64] >> here % 64 & 1, has_others ? 0u : 1u);
    tlw_core_set one = {{0}};
    one.words[here / 64] = UINT64_C(1) << here % 64;
    CHECK(!tlw_thread_set_cores(self, &one, here)); // nothing would be left
    CHECK(tlw_thread_set_cores(self, &cores, TLW_ANY_CORE));
}

TLW_TEST(wait_returns_at_once_when_the_word_differs_and_times_out_when_it_does_not) {
    tlw_atomic_u32 word;
    atomic_init(&word, 7);
    CHECK_OK(tlw_wait(&word, 8, LONG_NS));
    uint64_t begin = tlw_clock_ns();
    tlw_result result;
    do { // a wait may end without a wake
        result = tlw_wait(&word, 7, 5000000);
    } while (result == TLW_OK && tlw_clock_ns() - begin < LONG_NS);
    CHECK_RESULT(result, TLW_ERROR_TIMEOUT);
    CHECK_LE(4000000u, tlw_clock_ns() - begin);
}

// Two threads pass a number back and forth; each sleeps until it is its turn.
typedef struct ping_pong {
    tlw_atomic_u32 word;
    uint32_t turns;
} ping_pong;

static void play(ping_pong* game, uint32_t parity) {
    for (uint32_t turn = parity; turn < game->turns; turn += 2) {
        uint32_t now;
        while ((now = atomic_load_explicit(&game->word, memory_order_acquire)) != turn) {
            (void)tlw_wait(&game->word, now, TLW_WAIT_FOREVER);
        }
        atomic_store(&game->word, turn + 1);
        tlw_wake_one(&game->word);
    }
}

static void play_odd(void* user) {
    play(user, 1);
}

TLW_TEST(wait_and_wake_lose_no_turn_of_a_ping_pong) {
    ping_pong game = {.turns = TLW_OS_WINDOWS ? 2000 : 20000};
    atomic_init(&game.word, 0);
    tlw_thread thread;
    start(&thread, play_odd, &game);
    play(&game, 0);
    tlw_thread_join(&thread);
    CHECK_EQ(atomic_load(&game.word), game.turns);
}

typedef struct gate {
    tlw_atomic_u32 open, passed;
} gate;

static void pass_gate(void* user) {
    gate* g = user;
    while (atomic_load_explicit(&g->open, memory_order_acquire) == 0) {
        (void)tlw_wait(&g->open, 0, TLW_WAIT_FOREVER);
    }
    atomic_fetch_add(&g->passed, 1);
}

TLW_TEST(wake_all_wakes_every_sleeper) {
    gate g;
    atomic_init(&g.open, 0);
    atomic_init(&g.passed, 0);
    tlw_thread threads[8];
    for (int i = 0; i < 8; ++i) {
        start(&threads[i], pass_gate, &g);
    }
    tlw_thread_sleep_ns(5000000); // let most of them fall asleep; correct either way
    CHECK_EQ(atomic_load(&g.passed), 0);
    atomic_store(&g.open, 1);
    tlw_wake_all(&g.open);
    for (int i = 0; i < 8; ++i) {
        tlw_thread_join(&threads[i]);
    }
    CHECK_EQ(atomic_load(&g.passed), 8);
}

#define POSTERS   3
#define TAKERS    3
#define POSTS     3000
#define PER_TAKER (POSTERS * POSTS / TAKERS)

typedef struct exchange {
    tlw_semaphore semaphore;
    tlw_atomic_u32 taken;
} exchange;

static void post_many(void* user) {
    exchange* e = user;
    for (int left = POSTS; left > 0;) {
        int count = left % 3 + 1 < left ? left % 3 + 1 : left; // single posts and several at once
        tlw_semaphore_post(&e->semaphore, (uint32_t)count);
        left -= count;
    }
}

static void take_many(void* user) {
    exchange* e = user;
    for (int i = 0; i < PER_TAKER; ++i) {
        if (tlw_semaphore_wait(&e->semaphore, LONG_NS) != TLW_OK) {
            return;
        }
        atomic_fetch_add(&e->taken, 1);
    }
}

TLW_TEST(semaphore_hands_out_every_unit_exactly_once) {
    exchange e;
    tlw_semaphore_init(&e.semaphore, 0);
    atomic_init(&e.taken, 0);
    tlw_thread threads[POSTERS + TAKERS];
    for (int i = 0; i < POSTERS + TAKERS; ++i) {
        start(&threads[i], i % 2 ? post_many : take_many, &e);
    }
    for (int i = 0; i < POSTERS + TAKERS; ++i) {
        tlw_thread_join(&threads[i]);
    }
    CHECK_EQ(atomic_load(&e.taken), POSTERS * POSTS);
    CHECK(!tlw_semaphore_try_wait(&e.semaphore));
    CHECK_EQ(atomic_load(&e.semaphore.sleepers), 0);
}

TLW_TEST(semaphore_wait_times_out_and_takes_nothing) {
    tlw_semaphore semaphore;
    tlw_semaphore_init(&semaphore, 0);
    uint64_t begin = tlw_clock_ns();
    CHECK_RESULT(tlw_semaphore_wait(&semaphore, 3000000), TLW_ERROR_TIMEOUT);
    CHECK_LE(3000000u, tlw_clock_ns() - begin);
    tlw_semaphore_post(&semaphore, 2);
    CHECK_OK(tlw_semaphore_wait(&semaphore, 0));
    CHECK(tlw_semaphore_try_wait(&semaphore));
    CHECK(!tlw_semaphore_try_wait(&semaphore));
}
