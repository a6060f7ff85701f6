// SPDX-License-Identifier: MIT
// Action lines and bellies (MODEL 3.18, 3.19): rest, rigid motion, statics, garbage, and what a
// game reads and draws of them.
#include "jobs/task_system.h"
#include "tests/helpers.h"
#include "tests/runtime/support/muscled_arm.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

TLW_TEST(lines_stay_where_they_are_drawn_at_rest_and_under_rigid_motion) {
    muscled_arm arm = muscled_arm_alone();
    for (int frame = 0; frame < 90; ++frame) {
        if (frame == 30) { // in a walk, and turned
            arm.root.rotation[1] = 0.6f;
            arm.root.rotation[3] = 0.8f;
        }
        arm.root.position[0] = frame < 30 ? 0.0 : 0.01 * frame;
        muscled_arm_pose(&arm, 0.0, frame == 30);
        CHECK_EQ(tlw_world_step(arm.world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
        CHECK_LT(line_off(&arm), 1e-5);
        CHECK_LT(largest_displacement(&arm), 1e-5);
    }
    muscled_arm_free(&arm);
}

// One second of curls, then rest.
static uint64_t curl(const tlw_world_def* def) {
    const tlw_blob blob = muscled_arm_blob();
    muscled_arm arm = muscled_arm_make(def, &blob);
    muscled_arm_set_gravity(&arm, -9.81f);
    CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_BICEPS, 0.5f));
    for (int frame = 0; frame < 24; ++frame) {
        muscled_arm_pose(&arm, 60.0 - 60.0 * cos(0.3 * frame), frame == 9);
        CHECK_EQ(tlw_world_step(arm.world, frame == 17 ? 0.3 : FRAME) & TLW_STEP_NOT_FINITE, 0u);
    }
    CHECK_LT(0.05, largest_displacement(&arm));
    const uint64_t hash = tlw_world_hash(arm.world);
    muscled_arm_free(&arm);
    return hash;
}

TLW_TEST(muscles_are_the_same_on_every_instruction_set) {
    tlw_world_def def = muscled_arm_def();
    const uint64_t best = curl(&def);
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
            def.isa = (tlw_isa)isa;
            CHECK_EQ(curl(&def), best);
        }
    }
}

TLW_TEST(muscles_are_the_same_for_any_number_of_workers) {
    tlw_world_def def = muscled_arm_def();
    const uint64_t alone = curl(&def);
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, 3);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    def.tasks = tlw_jobs_task_system(jobs);
    for (int i = 0; i < 2; ++i) {
        def.split_cost = i == 0 ? 1e-3f : 0.0f; // all threads share the character in the first
        CHECK_EQ(curl(&def), alone);
    }
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
}

// Where it comes to rest by motion is where a reset puts it.
TLW_TEST(lines_that_arrive_by_motion_are_where_a_reset_puts_them) {
    for (int i = 0; i < 6; ++i) {
        const double degrees = i % 3 == 0 ? 60.0 : i % 3 == 1 ? 90.0 : 40.0;
        muscled_arm moved = muscled_arm_alone(), reset = muscled_arm_alone();
        if (i >= 3) {
            muscled_arm_set_gravity(&moved, -9.81f);
            muscled_arm_set_gravity(&reset, -9.81f);
        }
        muscled_arm_move(&moved, 0.0, degrees, 30);
        muscled_arm_move(&moved, degrees, degrees, 240);
        muscled_arm_reset(&reset, degrees);
        CHECK_LT(line_distance(&moved, &reset), 1e-3);
        CHECK_LT(0.01, line_off(&reset)); // it is not where it is drawn
        muscled_arm_free(&moved);
        muscled_arm_free(&reset);
    }
}

// Adds garbage to rows of all lanes; in some rounds it is huge or no number.
static void spoil(tlw_line_row* rows, int round, uint64_t* random) {
    for (int k = 0; k < 9 * 3 * TLW_LANES; ++k) {
        float* x = &rows[k / (3 * TLW_LANES)].x[k / TLW_LANES % 3][k % TLW_LANES];
        float* v = &rows[k / (3 * TLW_LANES)].v[k / TLW_LANES % 3][k % TLW_LANES];
        const double a = (double)(tlw_test_random(random) >> 11) / 0x1p52 - 1.0;
        *x += (float)(round % 4 == 3 && k % 5 == 0 ? 1e30 * a : 17.0 * a);
        *v += (float)(170.0 * a);
        *x = round == 5 && k % 24 == 3 ? NAN : *x;
        *v = round == 6 && k % 24 == 9 ? INFINITY : *v;
    }
}

// Lines of random numbers, also of none, are never contagious and come back.
TLW_TEST(garbage_lines_give_no_nan_and_come_back) {
    muscled_arm arm = muscled_arm_alone(), good = muscled_arm_alone();
    uint64_t random = 11;
    muscled_arm_reset(&good, 90.0);
    muscled_arm_reset(&arm, 90.0);
    for (int round = 0; round < 24; ++round) {
        spoil(arm.c->line_rows, round, &random);
        for (int frame = 0; frame < 4; ++frame) {
            CHECK_EQ(muscled_arm_step(&arm, 90.0) & TLW_STEP_NOT_FINITE, 0u);
            CHECK_LT(line_off(&arm), 100.0);
        }
    }
    muscled_arm_move(&arm, 90.0, 90.0, 240);
    CHECK_LT(line_distance(&arm, &good), 1e-3);
    muscled_arm_free(&arm);
    muscled_arm_free(&good);
}

// The passes between bellies and stand see tissue as it would be without muscles, so all of m
// reaches the skin.
TLW_TEST(tissue_deviates_from_a_bulging_place_as_from_a_plain_one) {
    const tlw_world_def def = muscled_arm_def();
    const tlw_blob blob = bare_arm_blob();
    muscled_arm arm = muscled_arm_alone(), bare = muscled_arm_make(&def, &blob);
    tlw_blob_info info;
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    muscled_arm_move(&arm, 0.0, 60.0, 30);
    muscled_arm_move(&arm, 60.0, 60.0, 200);
    muscled_arm_move(&bare, 0.0, 60.0, 30);
    muscled_arm_move(&bare, 60.0, 60.0, 200);
    CHECK_LT(0.2, largest_displacement(&arm));
    for (uint32_t v = 0; v < info.voxel_count; ++v) {
        tlw_voxel_state a, b;
        CHECK_OK(tlw_character_get_voxel(arm.world, arm.id, v, &a));
        CHECK_OK(tlw_character_get_voxel(bare.world, bare.id, v, &b));
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(a.position[i] - a.skinned[i], b.position[i] - b.skinned[i], 2e-3);
        }
    }
    muscled_arm_free(&arm);
    muscled_arm_free(&bare);
}

TLW_TEST(muscles_shorten_on_the_inside_of_a_bend_and_lengthen_on_the_outside) {
    muscled_arm arm = muscled_arm_alone();
    float inside = 1.0f, outside = 1.0f;
    for (int degrees = 20; degrees <= 80; degrees += 20) {
        tlw_muscle biceps, outer;
        muscled_arm_reset(&arm, degrees);
        CHECK_OK(tlw_character_get_muscle(arm.world, arm.id, ARM_BICEPS, &biceps));
        CHECK_OK(tlw_character_get_muscle(arm.world, arm.id, ARM_AUTO + 3, &outer));
        CHECK_LT(biceps.elongation, inside - 0.02f);
        CHECK_LT(outside + 0.02f, outer.elongation);
        inside = biceps.elongation;
        outside = outer.elongation;
    }
    CHECK_LT(inside, 0.8f);
    CHECK_LT(1.1f, outside);
    muscled_arm_free(&arm);
}

TLW_TEST(tension_follows_the_angle_of_a_joint_and_the_engine_whichever_is_larger) {
    muscled_arm arm = muscled_arm_alone();
    static const double angles[] = {0.0, 30.0, 45.0, 60.0, 90.0, 120.0};
    static const double tensions[] = {0.0, 0.0, 0.25, 0.5, 1.0, 1.0};
    for (size_t i = 0; i < TLW_COUNT_OF(angles); ++i) {
        tlw_muscle muscle;
        arm.root.rotation[2] = 0.1f * (float)i; // which has no part in it
        CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_TRICEPS, 0.0f));
        muscled_arm_reset(&arm, angles[i]);
        CHECK_OK(tlw_character_get_muscle(arm.world, arm.id, ARM_TRICEPS, &muscle));
        CHECK_NEAR(muscle.tension, tensions[i], 1e-4);
        CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_TRICEPS, 0.6f));
        CHECK_OK(tlw_character_reset(arm.world, arm.id));
        CHECK_OK(tlw_character_get_muscle(arm.world, arm.id, ARM_TRICEPS, &muscle));
        CHECK_NEAR(muscle.tension, tensions[i] > 0.6 ? tensions[i] : 0.6, 1e-4);
    }
    muscled_arm_free(&arm);
}

TLW_TEST(bad_arguments_of_muscles_are_named_and_change_nothing) {
    muscled_arm arm = muscled_arm_alone();
    const tlw_character_id stale = {arm.id.index1, arm.id.generation + 1};
    const uint64_t hash = tlw_world_hash(arm.world);
    static const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    tlw_muscle muscle = {.vertex_count = 77};
    double places[32][3] = {{77.0}};
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK_RESULT(tlw_character_set_tension(arm.world, arm.id, 0, bad[i]),
                     TLW_ERROR_BAD_ARGUMENT);
    }
    CHECK_RESULT(tlw_character_set_tension(arm.world, arm.id, 6, 1.0f), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_set_tension(arm.world, stale, 0, 1.0f), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_muscle(arm.world, arm.id, 6, &muscle), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_muscle(arm.world, stale, 0, &muscle), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_line(arm.world, arm.id, UINT32_MAX, places, 7),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_line(arm.world, arm.id, 0, places, 6), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_line(arm.world, arm.id, 0, places, 8), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_line(arm.world, stale, 0, places, 7), TLW_ERROR_STALE_ID);
    CHECK_EQ(muscle.vertex_count, 77u);
    CHECK_EQ(places[0][0], 77.0);
    CHECK_EQ(tlw_world_hash(arm.world), hash);
    CHECK_OK(tlw_character_get_muscle(arm.world, arm.id, 0, &muscle));
    CHECK_EQ(muscle.vertex_count, 7u);
    muscled_arm_free(&arm);

    const tlw_world_def def = muscled_arm_def();
    const tlw_blob blob = bare_arm_blob();
    muscled_arm bare = muscled_arm_make(&def, &blob);
    CHECK_RESULT(tlw_character_set_tension(bare.world, bare.id, 0, 0.5f), TLW_ERROR_BAD_ARGUMENT);
    muscled_arm_free(&bare);
}

// Its first vertex at rest is 5% along the upper arm, 3 cm above the bones.
TLW_TEST(line_is_in_the_world_in_metres) {
    muscled_arm arm = muscled_arm_alone();
    arm.root = (tlw_root){{100.0, -20.0, 3.0}, {0.0f, 0.0f, 1.0f, 0.0f}, 2.0f};
    muscled_arm_reset(&arm, 0.0);
    double places[7][3];
    CHECK_OK(tlw_character_get_line(arm.world, arm.id, ARM_BICEPS, places, 7));
    CHECK_NEAR(places[0][0], 100.0 - 2.0 * 0.02, 1e-5);
    CHECK_NEAR(places[0][1], -20.0, 1e-5);
    CHECK_NEAR(places[0][2], 3.0 + 2.0 * 0.03, 1e-5);
    CHECK_NEAR(places[6][0], 100.0 - 2.0 * (0.4 + 0.12 * 0.3), 0.02);
    muscled_arm_free(&arm);
}
