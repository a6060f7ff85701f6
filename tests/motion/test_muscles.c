// SPDX-License-Identifier: MIT
// What muscles do to the skin of the study arm (tools/motion/muscles.h): the measures against a
// capsule that is known, the volume that a shortened and a stretched belly gain and lose.
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

// The line is pulled to the elbow's bone, and its bend carries that to the skin.
TLW_TEST(a_stretched_belly_loses_volume_on_the_surface_that_its_sections_do_not) {
    static const double rows[][3] = {// degrees, elongation, share
                                     {0, 1, 0},
                                     {60, 1.25, -0.132},
                                     {90, 1.36, -0.173},
                                     {110, 1.42, -0.235}};
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

// Opens a shoulder, raises its arm, and finds how far the belly's line is off the ribs.
static double off_ribs(bool has_field, double degrees) {
    static tlw_shoulder shoulder;
    tlw_scene_error error = {0};
    tlw_actor actor;
    tlw_muscle_sections line;
    CHECK(tlw_shoulder_make(&shoulder, has_field));
    if (tlw_actor_cook_input(&actor, "shoulder", &shoulder.input, &shoulder.recipe, &error) !=
        TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    tlw_shoulder_free(&shoulder);
    const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_COOKED);
    tlw_motion* motion = motion_open(&def);
    const tlw_bent_joint arm = tlw_shoulder_abduction(degrees);
    tlw_bent_set(motion, &arm, 1, 1.0);
    TLW_IGNORE(tlw_bent_skin(motion, false));
    CHECK(tlw_muscle_measure(motion, 0, &line));
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
    return tlw_shoulder_off_ribs(&line);
}

TLW_TEST(ribs_that_attract_keep_a_pectoral_on_them_while_the_arm_is_raised) {
    CHECK_LT(0.05, off_ribs(false, 80));
    CHECK_LT(off_ribs(true, 80), 0.015);
    CHECK_LT(off_ribs(true, -40), 0.005);
}
