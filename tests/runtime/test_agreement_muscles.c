// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle where muscles displace tissue (MODEL 3.18, 3.19): lines, the
// places to which tissue is drawn, voxels and what is drawn, in curls of the study arm, on the
// small arm of the cook tests through all that may happen to a character, on scenes with random
// muscles, on samples with automatic ones, and where colliders and limbs touch. Lengths in voxels.
#include "tests/cook/support/muscle_arm.h"
#include "tests/cook/support/random_muscles.h"
#include "tests/runtime/support/oracle_pair_contact.h"
#include "tests/runtime/support/pair_track.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/test.h"
#include "tools/motion/arm.h"

#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const oracle_pair_def plain = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};

// ---- The study arm

static oracle_pair* study_arm(tlw_arm_muscles muscles, const oracle_pair_def* def) {
    tlw_arm arm;
    CHECK(tlw_arm_make(&arm, muscles));
    oracle_pair* pair = pair_make(&arm.input, &arm.recipe, def);
    tlw_arm_free(&arm);
    return pair;
}

// To 120 degrees in a second, and back.
static double curl_at(double seconds) {
    return PI / 3 * (1 - cos(PI * seconds));
}

// Turns a joint from x towards z.
static void bend_joint(oracle_pair* pair, uint32_t joint, double angle) {
    oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}};
    rotations[joint] = vec(0, -angle, 0);
    const tlw_root root = pair->root;
    pair_rest_pose(pair);
    pair_rotate_joints(pair, rotations, NULL);
    pair->root = root;
}

TLW_TEST(curls_of_the_study_arm_agree_with_the_oracle) {
    static const struct {
        const char* name;
        tlw_arm_muscles muscles;
        int substeps;
    } rows[] = {{"biceps, triceps", TLW_ARM_BOTH, 300}, {"automatic", TLW_ARM_AUTO, 60}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        oracle_pair* pair = study_arm(rows[k].muscles, &plain);
        pair_track track = track_begin(pair);
        for (int n = 1; n <= (PAIR_IS_SLOW ? 6 : rows[k].substeps); ++n) {
            if (n % 40 == 5) { // in steps
                pair_set_tension(pair, (uint32_t)(n / 40) % pair->o->input->muscle_count,
                                 n % 80 == 5 ? 1 : 0.25);
            }
            bend_joint(pair, 1, curl_at(n * PAIR_SUBSTEP));
            track_step(&track, PAIR_SUBSTEP, false);
        }
        CHECK(PAIR_IS_SLOW || track.displaced > 0.3);
        track_end(rows[k].name, &track);
        pair_free(pair);
    }
}

// A second oracle makes 16 iterations where the page says 2.
TLW_TEST(two_iterations_of_lines_are_as_good_as_sixteen_in_curls) {
    oracle_pair* pair = study_arm(TLW_ARM_BOTH, &plain);
    oracle* o = pair->o;
    oracle_settings settings = o->settings;
    settings.line_iterations = 16;
    double rest[PAIR_JOINTS_MAX][16];
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        memcpy(rest[j], pair->bind[j], sizeof rest[j]);
    }
    const oracle_pose at_rest = {.kind = ORACLE_POSE_MATRICES,
                                 .matrices = (const double(*)[16])rest,
                                 .root_rotation = {0, 0, 0, 1},
                                 .root_scale = 1};
    oracle* many = oracle_create(o->input, &settings, &at_rest);
    CHECK(many != NULL);
    double lines[2] = {0, 0}, voxels = 0;
    for (int n = 1; n <= (PAIR_IS_SLOW ? 6 : 120); ++n) {
        const double c = cos(curl_at(n * PAIR_SUBSTEP)), s = sin(curl_at(n * PAIR_SUBSTEP));
        rest[1][0] = c, rest[1][2] = s, rest[1][8] = -s, rest[1][10] = c;
        oracle* both[2] = {o, many};
        for (int k = 0; k < 2; ++k) {
            CHECK(oracle_set_pose(both[k], &at_rest));
            CHECK_EQ(oracle_step(both[k], PAIR_SUBSTEP, false), 0u);
        }
        for (uint32_t m = 0; m < 2; ++m) {
            for (uint32_t i = 0; i < o->input->muscles[m].vertex_count; ++i) {
                const oracle_vec off = vec_sub(o->muscles[m].x[i], many->muscles[m].x[i]);
                lines[m] = fmax(lines[m], vec_length(off));
            }
        }
        for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
            voxels = fmax(voxels, vec_length(vec_sub(o->p[i], many->p[i])));
        }
    }
    printf("    biceps %.1e, triceps with its field %.1e, voxels %.1e\n", lines[0], lines[1],
           voxels);
    CHECK_LT(lines[0], 0.001); // one iteration: 0.018, 0.034 and 0.009
    CHECK_LT(lines[1], 0.02);
    CHECK_LT(voxels, 0.004);
    oracle_destroy(many);
    pair_free(pair);
}

// ---- The small arm

typedef struct small_arm {
    float rest_gravity[3];
    tlw_skinning skinning;
    uint32_t region_width;
    bool has_limbs, keeps_volume;
} small_arm;

// A biceps above the bones with a field that repels and one that attracts, a triceps below them
// that flexes with the elbow, and four automatic muscles.
static oracle_pair* small_arm_pair(const small_arm* how, const oracle_pair_def* def) {
    scene* s = arm_scene();
    arm_muscle biceps, triceps;
    arm_make_muscle(&biceps, "biceps", "joint0", "joint1");
    arm_make_muscle(&triceps, "triceps", "joint0", "joint1");
    for (int i = 0; i < ARM_VERTICES; ++i) {
        triceps.line[i].place.offset[2] = -triceps.line[i].place.offset[2];
    }
    tlw_cook_muscle_field fields[2] = {biceps.field, biceps.field};
    fields[1].attracts = true;
    fields[1].place.joint = "joint0";
    fields[1].place.along = 0.5f;
    fields[1].place.offset[2] = 0.02f;
    biceps.muscle.fields = fields;
    biceps.muscle.field_count = 2;
    biceps.muscle.bulge = 2.0f;
    triceps.muscle.flex_joint = "joint1";
    triceps.muscle.flex_from = 30.0f;
    triceps.muscle.flex_to = 90.0f;
    const tlw_cook_muscle muscles[3] = {biceps.muscle, triceps.muscle,
                                        tlw_default_cook_muscle(NULL)};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 30;
    recipe.region_width = how->region_width ? how->region_width : 3;
    recipe.skinning = how->skinning;
    recipe.has_limbs = how->has_limbs;
    recipe.volume_reach = how->keeps_volume ? recipe.volume_reach : 0;
    recipe.muscles = muscles;
    recipe.muscle_count = TLW_COUNT_OF(muscles);
    for (int k = 0; k < 3; ++k) {
        recipe.rest_gravity[k] = how->rest_gravity[k];
    }
    oracle_pair* pair = pair_make(scene_input(s), &recipe, def);
    CHECK_EQ(pair->o->input->muscle_count, 6u);
    scene_free(s);
    return pair;
}

// The elbow up and down; the whole arm turns.
static void swing_arm(oracle_pair* pair, double t) {
    oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}};
    rotations[0] = vec(0.3 * sin(3 * t), 0.2 * sin(4 * t), 0.3 * sin(2 * t));
    rotations[1] = vec(0.1 * sin(5 * t), -0.6 * (1 - cos(4 * t)), 0);
    pair_rest_pose(pair);
    pair_rotate_joints(pair, rotations, NULL);
    pair_rotate_root(pair, quat_exp(vec(0, 0.4 * sin(t), 0.3 * t)));
    pair_move_root(pair, vec(3 * sin(3 * t), 2 * sin(4 * t), t));
}

TLW_TEST(arms_of_every_kind_agree_with_the_oracle_in_motion) {
    static const struct {
        const char* name;
        small_arm how;
        tlw_pose_kind pose_kind;
        float scale;
    } rows[] = {{"plain", {{0, 0, 0}, TLW_SKINNING_LINEAR, 3, false, false}, TLW_POSE_MATRICES, 1},
                {"dual quaternions, volume",
                 {{0, 0, 0}, TLW_SKINNING_DUAL, 3, false, true},
                 TLW_POSE_TRANSFORMS,
                 1},
                {"width 2, skinning matrices",
                 {{0, 0, 0}, TLW_SKINNING_LINEAR, 2, false, false},
                 TLW_POSE_SKINNING,
                 1},
                {"root 1.75, rest gravity",
                 {{0, 0, -9.81f}, TLW_SKINNING_LINEAR, 3, false, true},
                 TLW_POSE_MATRICES,
                 1.75f},
                {"root 0.3, leaning gravity",
                 {{2, -9.81f, 1}, TLW_SKINNING_LINEAR, 3, false, false},
                 TLW_POSE_MATRICES,
                 0.3f}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        oracle_pair_def def = plain;
        def.pose_kind = rows[k].pose_kind;
        oracle_pair* pair = small_arm_pair(&rows[k].how, &def);
        pair_set_gravity(pair, 1, -9.81f, -4);
        pair_track track = track_begin(pair);
        for (int n = 0; n <= (PAIR_IS_SLOW ? 4 : 60); ++n) {
            swing_arm(pair, n * PAIR_SUBSTEP);
            pair->root.scale = rows[k].scale;
            if (n == 0) {
                pair_settle(pair);
                track_compare(&track);
                continue;
            }
            if (n % 20 == 7) {
                pair_set_tension(pair, (uint32_t)n / 20, n % 40 == 7 ? 1 : 0.5);
            }
            track_step(&track, PAIR_SUBSTEP, false);
        }
        track_end(rows[k].name, &track);
        pair_free(pair);
    }
}

// Frames of any length, jumps, dropped time, resets, teleports, tensions, gravity on and off,
// skinned volume off and on, a root whose scale changes.
TLW_TEST(an_arm_agrees_with_the_oracle_through_jumps_resets_and_settings) {
    const small_arm how = {.rest_gravity = {0, 0, -3}, .keeps_volume = true};
    oracle_pair* pair = small_arm_pair(&how, &plain);
    pair_track track = track_begin(pair);
    double time = 0;
    uint32_t jumped = 0, dropped = 0;
    for (int n = 1; n <= (PAIR_IS_SLOW ? 24 : 96); ++n) {
        const int at = n % 24;
        const double dt = at == 5 ? 0.3 : (n % 3 == 0 ? 0.6 : 1.3) * PAIR_SUBSTEP;
        const bool is_jump = at == 8 || at == 18;
        time += is_jump ? 0.4 : fmin(dt, 0.05);
        const tlw_root root = pair->root;
        swing_arm(pair, time);
        pair->root = root;
        pair->root.position[1] += 0.01;
        pair->root.scale = n >= 48 && n < 72 ? 1.5f : 1.0f;
        if (at == 10) {
            pair_teleport(pair, vec(2, 0.5 * n, -1), quat_exp(vec(0.1 * n, 1, 0)));
        }
        if (at == 12 || at == 14) {
            pair_set_skinned_volume(pair, at == 14);
        }
        if (at % 5 == 1) {
            pair_set_tension(pair, (uint32_t)n % 6, 0.25 * (n % 5));
        }
        if (at == 16 || at == 3) {
            pair_set_gravity(pair, 0, 3, at == 16 ? -9.81f : 0);
        }
        if (at == 20) {
            pair_push(pair, (uint32_t)n * 7 % pair->info.voxel_count, vec(0.5, -0.4, 0.3));
        }
        const tlw_step_flags flags = track_step(&track, dt, is_jump);
        jumped += (flags & TLW_STEP_JUMPED) != 0;
        dropped += (flags & TLW_STEP_DROPPED_TIME) != 0;
        if (at == 22) {
            pair_settle(pair);
            track_compare(&track);
        }
    }
    CHECK_LT(0u, jumped);
    CHECK_LT(0u, dropped);
    track_end("through everything", &track);
    pair_free(pair);
}

// Contact sees t: a muscle that swells under a collider pushes into it.
TLW_TEST(an_arm_that_swells_against_colliders_and_limbs_agrees_with_the_oracle) {
    const small_arm how = {.has_limbs = true};
    oracle_pair_def def = plain;
    def.collider_capacity = 2;
    def.contact_capacity = 8;
    oracle_pair* pair = small_arm_pair(&how, &def);
    pair_set_gravity(pair, 0, 0, -2);
    tlw_collider_def capsule = tlw_default_collider_def();
    capsule.radii[0] = capsule.radii[1] = 0.05f;
    capsule.ends[1][1] = 0.08f;
    capsule.friction = 0.5f;
    tlw_collider_pose pose = tlw_default_collider_pose();
    pose.position[0] = 0.2;
    pose.position[2] = ARM_RADIUS + 0.055;
    const uint32_t collider = pair_add_collider(pair, &capsule, &pose);
    pair_track track = track_begin(pair);
    uint32_t touched = 0, limb = 0;
    for (int n = 1; n <= (PAIR_IS_SLOW ? 4 : 60); ++n) {
        if (n == 10) {
            pair_set_tension(pair, 0, 1);
        }
        bend_joint(pair, 1, 1.4 * curl_at(n * PAIR_SUBSTEP));
        pose.position[0] = 0.2 + 0.001 * n;
        pair_move_collider(pair, collider, &pose);
        track_step(&track, PAIR_SUBSTEP, false);
        (void)pair_compare_contacts(pair);
        touched += pair->o->deepest[ORACLE_LIMBS_MAX + collider].is_touched;
        for (uint32_t l = 0; l < pair->o->input->limb_count; ++l) {
            limb += pair->o->deepest[l].is_touched;
        }
    }
    printf("    touched by the collider in %u frames, by limbs %u times\n", touched, limb);
    CHECK(PAIR_IS_SLOW || touched > 10);
    track_end("touched", &track);
    pair_free(pair);
}

TLW_TEST(mirrored_muscles_agree_with_the_oracle) {
    scene* s = arms_scene();
    arm_muscle biceps;
    arm_make_muscle(&biceps, "biceps.L", "arm.L", "fore.L");
    biceps.muscle.is_mirrored = true;
    biceps.muscle.flex_joint = "fore.L";
    biceps.muscle.flex_from = 10;
    biceps.muscle.flex_to = 90;
    const tlw_cook_muscle muscles[2] = {tlw_default_cook_muscle(NULL), biceps.muscle};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 30;
    recipe.muscles = muscles;
    recipe.muscle_count = 2;
    oracle_pair* pair = pair_make(scene_input(s), &recipe, &plain);
    scene_free(s);
    CHECK_LT(8u, pair->o->input->muscle_count); // more than one group
    pair_track track = track_begin(pair);
    for (int n = 1; n <= (PAIR_IS_SLOW ? 2 : 30); ++n) {
        oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}};
        rotations[2] = vec(0, -curl_at(2 * n * PAIR_SUBSTEP), 0);
        rotations[4] = vec(0.1, -0.6 * curl_at(3 * n * PAIR_SUBSTEP), 0);
        pair_rest_pose(pair);
        pair_rotate_joints(pair, rotations, NULL);
        track_step(&track, PAIR_SUBSTEP, false);
    }
    track_end("mirrored", &track);
    pair_free(pair);
}

// ---- Scenes and samples

// Lines that are folded, or held across their way by a field, go from side to side without end
// while they are solved for rest, and rounding grows with every iteration: such scenes are left
// out.
#define RESTLESS 1e-2 // voxels

TLW_TEST(random_muscles_of_scenes_agree_with_the_oracle) {
    uint64_t random = 5;
    uint32_t compared = 0;
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        random_muscles muscles;
        scene* s = scene_make((scene_kind)kind, (uint64_t)kind % 2);
        const tlw_cook_input* input = scene_input(s);
        random_muscles_make(&muscles, input, 0.2 * random_muscles_extent(input), &random);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 10;
        recipe.volume_reach = 0;
        recipe.muscles = muscles.list;
        recipe.muscle_count = RANDOM_MUSCLES;
        tlw_cook_output out;
        const tlw_cook_options options = tlw_default_cook_options();
        const tlw_result result = tlw_cook_character(input, &recipe, &options, &out);
        tlw_cook_output_free(&out);
        if (result == TLW_OK) {
            oracle_pair* pair = pair_make(input, &recipe, &plain);
            pair_track track = track_begin(pair);
            for (int n = 1; n <= (PAIR_IS_SLOW ? 4 : 36); ++n) {
                pair_dance(pair, n * PAIR_SUBSTEP, 0.3);
                if (n % 6 == 3) {
                    pair_set_tension(pair, (uint32_t)n / 6, 1);
                }
                track_step(&track, PAIR_SUBSTEP, n % 25 == 0);
            }
            if (pair->o->line_restless < RESTLESS) {
                track_end(scene_name((scene_kind)kind), &track);
                compared += 1;
            } else {
                track_drop(&track);
            }
            pair_free(pair);
        }
        scene_free(s);
    }
    CHECK_LT(5u, compared);
}

TLW_TEST(automatic_muscles_of_a_sample_agree_with_the_oracle) {
    static const struct {
        const char *name, *clip;
        tlw_skinning skinning;
        uint32_t region_width;
    } rows[] = {{"thin", "dance", TLW_SKINNING_LINEAR, 3},
                {"thin, dual, width 2", "jump_and_land", TLW_SKINNING_DUAL, 2}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        const tlw_cook_muscle automatic = tlw_default_cook_muscle(NULL);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 32;
        recipe.region_width = rows[k].region_width;
        recipe.skinning = rows[k].skinning;
        recipe.muscles = &automatic;
        recipe.muscle_count = 1;
        sample_pair s = sample_pair_cook("thin", rows[k].clip, &recipe, &plain);
        CHECK_EQ(s.pair->o->input->muscle_count, 8u);
        sample_pair_pose(&s, 0);
        pair_settle(s.pair);
        pair_track track = track_begin(s.pair);
        for (int n = 1; n <= (PAIR_IS_SLOW ? 4 : 40); ++n) {
            sample_pair_pose(&s, n * PAIR_SUBSTEP);
            track_step(&track, PAIR_SUBSTEP, false);
        }
        track_end(rows[k].name, &track);
        sample_pair_free(&s);
    }
}
