// SPDX-License-Identifier: MIT
// What muscles do to the skin of the study arm (tools/motion/muscles.h): the measures against a
// capsule that is known, the volume that a shortened and a stretched belly gain and lose.
#include "tests/helpers.h"
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"
#include "tools/motion/arm.h"
#include "tools/motion/muscles.h"
#include "tools/motion/shoulder.h"

#define PI 3.14159265358979323846

typedef struct muscled {
    tlw_actor actor;
    tlw_motion* motion;
    tlw_surface surface;
} muscled;

enum { BICEPS, TRICEPS, BARE };

static void open_arm(muscled* m, uint32_t which) {
    static tlw_arm arm;
    tlw_scene_error error = {0};
    CHECK(tlw_arm_make(&arm, which == BARE ? TLW_ARM_BARE : TLW_ARM_BOTH));
    arm.recipe.muscles = which == BARE ? NULL : &arm.muscles[which];
    arm.recipe.muscle_count = which != BARE;
    if (tlw_actor_cook_input(&m->actor, "arm", &arm.input, &arm.recipe, &error) != TLW_SCENE_OK ||
        tlw_surface_open(&m->surface, &m->actor, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    const tlw_motion_def def = motion_def_of(&m->actor, TLW_PRESET_COOKED);
    m->motion = motion_open(&def);
    tlw_arm_free(&arm);
}

static void close_arm(muscled* m) {
    tlw_surface_close(&m->surface);
    tlw_motion_close(m->motion);
    tlw_actor_free(&m->actor);
}

static void bend(muscled* m, double degrees) {
    const tlw_bent_joint elbow = tlw_arm_elbow(degrees);
    CHECK(tlw_muscle_look(&m->surface, m->motion, &elbow, 1));
}

TLW_TEST(girth_and_enclosed_volume_of_a_capsule_are_its_own) {
    static const double place[3] = {-0.09, 0, 0}, across[3] = {1, 0, 0};
    const double r = TLW_ARM_RADIUS_METRES, shaft = 0.162 + 0.1155;
    muscled bare;
    open_arm(&bare, BARE);
    bend(&bare, 0);
    CHECK_NEAR(tlw_muscle_girth(&bare.surface, 0, place, across) / (2 * PI * r), 1, 0.005);
    CHECK_NEAR(tlw_muscle_enclosed(&bare.surface) / (PI * r * r * (shaft + 4 * r / 3)), 1, 0.01);
    // At 140 degrees the forearm is beside the upper arm, and is not counted.
    bend(&bare, 140);
    CHECK_NEAR(tlw_muscle_girth(&bare.surface, 0, place, across) / (2 * PI * r), 1, 0.005);
    close_arm(&bare);
}

// Share of the belly's volume by which the surface encloses more than that of the bare arm.
static double gained(muscled* m, muscled* bare, double degrees, double* elongation) {
    tlw_muscle_sections sections;
    bend(m, degrees);
    bend(bare, degrees);
    CHECK(tlw_muscle_measure(m->motion, 0, &sections));
    CHECK_NEAR(sections.volume / sections.rest, 1, 1e-4);
    *elongation = sections.elongation;
    return (tlw_muscle_enclosed(&m->surface) - tlw_muscle_enclosed(&bare->surface)) / sections.rest;
}

TLW_TEST(a_belly_that_shortens_by_a_third_keeps_its_volume_on_the_surface_to_a_tenth) {
    muscled biceps, bare;
    double elongation;
    open_arm(&biceps, BICEPS);
    open_arm(&bare, BARE);
    for (double degrees = 30; degrees <= 120; degrees += 30) {
        const double share = gained(&biceps, &bare, degrees, &elongation);
        CHECK_LT(0, share);
        CHECK_LT(share, 0.10);
    }
    CHECK_NEAR(gained(&biceps, &bare, 90, &elongation), 0.078, 0.01);
    CHECK_NEAR(elongation, 0.70, 0.01);
    close_arm(&biceps);
    close_arm(&bare);
}

// What slides past the elbow does not thicken the tendon there (MODEL 3.19).
TLW_TEST(a_stretched_belly_loses_volume_on_the_surface_that_its_sections_do_not) {
    static const double rows[][3] = {// degrees, elongation, share
                                     {0, 1, 0},
                                     {60, 1.25, -0.065},
                                     {90, 1.36, -0.092},
                                     {110, 1.42, -0.124}};
    muscled triceps, bare;
    open_arm(&triceps, TRICEPS);
    open_arm(&bare, BARE);
    for (size_t i = 0; i < TLW_COUNT_OF(rows); ++i) {
        double elongation;
        CHECK_NEAR(gained(&triceps, &bare, rows[i][0], &elongation), rows[i][2], 0.01);
        CHECK_NEAR(elongation, rows[i][1], 0.01);
    }
    CHECK_EQ(tlw_muscle_inverted(triceps.motion), tlw_muscle_inverted(bare.motion));
    close_arm(&triceps);
    close_arm(&bare);
}

// Share by which the arm is thicker around the middle of its biceps than at rest.
static double thickened(muscled* m, double degrees, float tension, double at_rest) {
    static const double place[3] = {-0.53 * TLW_ARM_UPPER_METRES, 0, 0}, across[3] = {1, 0, 0};
    CHECK_OK(tlw_character_set_tension(m->motion->world, m->motion->id, 0, tension));
    bend(m, degrees);
    return tlw_muscle_girth(&m->surface, 0, place, across) / at_rest - 1;
}

TLW_TEST(an_arm_is_thicker_around_a_biceps_that_is_bent_or_flexed) {
    muscled biceps;
    open_arm(&biceps, BICEPS);
    const double at_rest = 1 + thickened(&biceps, 0, 0, 1);
    CHECK_NEAR(thickened(&biceps, 60, 0, at_rest), 0.021, 0.003);
    CHECK_NEAR(thickened(&biceps, 90, 0, at_rest), 0.028, 0.003);
    for (double degrees = 0; degrees <= 120; degrees += 30) {
        const double relaxed = thickened(&biceps, degrees, 0, at_rest);
        CHECK_LT(relaxed + 0.005, thickened(&biceps, degrees, 1, at_rest));
    }
    close_arm(&biceps);
}

typedef struct shoulder {
    tlw_actor actor;
    tlw_motion* motion;
} shoulder;

static void open_shoulder(shoulder* s, bool has_field) {
    static tlw_shoulder body;
    tlw_scene_error error = {0};
    CHECK(tlw_shoulder_make(&body, has_field));
    if (tlw_actor_cook_input(&s->actor, "shoulder", &body.input, &body.recipe, &error) !=
        TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    tlw_shoulder_free(&body);
    const tlw_motion_def def = motion_def_of(&s->actor, TLW_PRESET_COOKED);
    s->motion = motion_open(&def);
}

static double off_ribs(shoulder* s, double degrees) {
    const tlw_bent_joint arm = tlw_shoulder_abduction(degrees);
    tlw_muscle_sections line;
    tlw_bent_set(s->motion, &arm, 1, 1.0);
    tlw_motion_settle(s->motion);
    CHECK(tlw_muscle_measure(s->motion, 0, &line));
    return tlw_shoulder_off_ribs(&line);
}

TLW_TEST(ribs_that_attract_keep_a_pectoral_on_them_while_the_arm_is_raised) {
    motion_skip_where_slow();
    shoulder plain, ribs;
    open_shoulder(&plain, false);
    open_shoulder(&ribs, true);
    CHECK_LT(0.05, off_ribs(&plain, 80));
    CHECK_LT(off_ribs(&ribs, 80), 0.015);
    CHECK_LT(off_ribs(&ribs, -40), 0.005);
    tlw_motion_close(plain.motion);
    tlw_motion_close(ribs.motion);
    tlw_actor_free(&plain.actor);
    tlw_actor_free(&ribs.actor);
}
