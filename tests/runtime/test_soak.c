// SPDX-License-Identifier: MIT
// The soak: long random life (support/soak.h). Whatever happens to a character, its state stays
// finite, no voxel leaves its cap (MODEL 3.15), nothing grows from round to round, and once
// everything has ended it comes to rest and falls asleep. All of it is the same to the bit when it
// runs again, and on several workers. It is ten minutes of simulated time, an hour with
// TLW_TEST_FULL=1, less in slow builds; under the thread sanitizer only what has threads runs.
#include "jobs/task_system.h"
#include "tests/runtime/support/soak.h"
#include "tests/test.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

// A round is at most 20 s: random life, then everything ends; a second later what is left is
// measured, and then both characters must fall asleep.
#define WILD_FRAMES     900u
#define RECOVERY_FRAMES 60u
#define SLEEP_FRAMES    300u
#define MEASURE_EVERY   10u
#define FULL_ROUNDS     180u

#if !defined(TLW_TEST_ROUNDS)
#    define TLW_TEST_ROUNDS 30u
#endif
// How many frames the run on two workers has, and whether this build makes no other run.
#if !defined(TLW_TEST_SPLIT_FRAMES)
#    define TLW_TEST_SPLIT_FRAMES 600u
#endif
#if !defined(TLW_TEST_THREADS)
#    define TLW_TEST_THREADS 0
#endif

// Measured over the hour of TLW_TEST_FULL, with a fifth more: voxels off skinning a second after
// everything has ended, and the mean of half the squared velocity then, voxels^2/s^2.
#define LEFT_VOXELS 0.39
#define LEFT_ENERGY 2.1

typedef struct outcome {
    soak_state left; // a second after everything has ended; the most of all rounds
    double of_cap;
    uint32_t frames_to_sleep; // after that second, the most of all rounds
    uint64_t hash;            // after the last round
} outcome;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void check_state(const soak* s, double* of_cap) {
    const soak_state state = soak_measure(s);
    CHECK(state.is_finite);
    CHECK_LE(state.of_cap, 1.0);
    CHECK_EQ(soak_get_seen(s).not_finite, 0u);
    *of_cap = larger(*of_cap, state.of_cap);
}

static void run_wild(soak* s, uint32_t frames, double* of_cap) {
    for (uint32_t frame = 0; frame < frames; ++frame) {
        soak_frame(s);
        if (frame % MEASURE_EVERY == 0) {
            check_state(s, of_cap);
        }
    }
}

static void run_round(soak* s, outcome* out) {
    soak_choose(s);
    run_wild(s, WILD_FRAMES / 2, &out->of_cap);
    soak_choose(s);
    run_wild(s, WILD_FRAMES / 2, &out->of_cap);
    soak_calm(s);
    for (uint32_t frame = 0; frame < RECOVERY_FRAMES; ++frame) {
        (void)soak_calm_frame(s);
    }
    check_state(s, &out->of_cap);
    const soak_state left = soak_measure(s);
    CHECK_LE(left.deviation, LEFT_VOXELS);
    CHECK_LE(left.energy, LEFT_ENERGY);
    out->left.deviation = larger(out->left.deviation, left.deviation);
    out->left.energy = larger(out->left.energy, left.energy);
    uint32_t frames = 1;
    while (!soak_calm_frame(s)) {
        CHECK_LT(frames, SLEEP_FRAMES);
        frames += 1;
    }
    out->frames_to_sleep = frames > out->frames_to_sleep ? frames : out->frames_to_sleep;
}

static void print_outcome(const char* name, uint32_t rounds, const outcome* out) {
    printf("%s, %u rounds: %.3f of the cap; after 1 s %.3f voxels off, energy %.2f; asleep %u "
           "frames later\n",
           name, rounds, out->of_cap, out->left.deviation, out->left.energy, out->frames_to_sleep);
}

static outcome run_rounds(const soak_config* config, uint32_t rounds, soak_seen* seen) {
    soak* s = soak_open(config);
    outcome out = {.of_cap = 0.0};
    for (uint32_t round = 0; round < rounds; ++round) {
        run_round(s, &out);
    }
    *seen = soak_get_seen(s);
    out.hash = soak_hash(s);
    soak_close(s);
    return out;
}

static uint32_t rounds_to_run(void) {
    return getenv("TLW_TEST_FULL") != NULL ? FULL_ROUNDS : TLW_TEST_ROUNDS;
}

TLW_TEST(soak_stays_finite_and_within_caps_and_comes_to_rest) {
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "only what has threads runs here");
    }
    const soak_config config = {tlw_serial_task_system(), FLT_MAX, 1, false};
    soak_seen seen;
    const uint32_t rounds = rounds_to_run();
    const outcome out = run_rounds(&config, rounds, &seen);
    print_outcome("soak", rounds, &out);
    if (rounds >= 3) { // long enough for everything to have happened
        CHECK_EQ(seen.flags,
                 (tlw_step_flags)(TLW_STEP_BAD_DT | TLW_STEP_NO_TIME | TLW_STEP_DROPPED_TIME |
                                  TLW_STEP_BAD_POSE | TLW_STEP_JUMPED | TLW_STEP_ASLEEP));
        CHECK(seen.collider_contacts > 0 && seen.limb_contacts > 0 && seen.drags > 0 &&
              seen.pushes > 0 && seen.fades > 0);
    }
}

TLW_TEST(soak_with_numbers_at_the_ends_of_their_ranges_does_no_harm) {
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "only what has threads runs here");
    }
    const soak_config config = {tlw_serial_task_system(), FLT_MAX, 2, true};
    soak_seen seen;
    const uint32_t rounds = (rounds_to_run() + 5) / 6;
    const outcome out = run_rounds(&config, rounds, &seen);
    print_outcome("soak at the ends of ranges", rounds, &out);
}

// ---- The same again

// Everything at once, from another seed.
static uint64_t run_everything(tlw_task_system tasks, float split_cost, soak_seen* seen) {
    const soak_config config = {tasks, split_cost, 3, false};
    soak* s = soak_open(&config);
    double of_cap = 0.0;
    soak_choose_all(s);
    run_wild(s, TLW_TEST_SPLIT_FRAMES, &of_cap);
    const uint64_t hash = soak_hash(s);
    *seen = soak_get_seen(s);
    soak_close(s);
    return hash;
}

TLW_TEST(soak_is_the_same_again_and_split_among_two_workers) {
    soak_seen seen;
    const uint64_t first = run_everything(tlw_serial_task_system(), FLT_MAX, &seen);
    CHECK_EQ(seen.splits, 0u);
    CHECK(seen.collider_contacts > 0 && seen.limb_contacts > 0 && seen.drags > 0);
    if (!TLW_TEST_THREADS) {
        CHECK_EQ(run_everything(tlw_serial_task_system(), FLT_MAX, &seen), first);
    }
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, 2);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    CHECK_EQ(run_everything(tlw_jobs_task_system(jobs), 1e-3f, &seen), first);
    CHECK(seen.splits > 0);
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
}
