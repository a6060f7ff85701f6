// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle where layers are lame (MODEL 3.20): the study breast under
// gravity, in stops and through all that may happen to a character, and the study arm with lame fat
// on muscles that bulge. Lengths in voxels.
#include "tests/runtime/support/oracle_pair_contact.h"
#include "tests/runtime/support/pair_track.h"
#include "tests/test.h"
#include "tools/motion/arm.h"
#include "tools/motion/breast.h"

#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const oracle_pair_def plain = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};

typedef struct breast_kind {
    const char* name;
    float gravity[3], rest_gravity[3];
    double speed; // voxels/s across, stopped half way
    float scale;
    uint32_t region_width;
    bool is_limit_off;
} breast_kind;

static oracle_pair* breast_pair(const breast_kind* kind, oracle_pair_def def) {
    tlw_breast breast;
    CHECK(tlw_breast_make(&breast, true));
    memcpy(breast.recipe.rest_gravity, kind->rest_gravity, sizeof kind->rest_gravity);
    breast.recipe.region_width = kind->region_width;
    def.is_limit_off = kind->is_limit_off;
    oracle_pair* pair = pair_make(&breast.input, &breast.recipe, &def);
    pair_set_gravity(pair, kind->gravity[0], kind->gravity[1], kind->gravity[2]);
    tlw_breast_free(&breast);
    CHECK(pair->info.has_lame);
    return pair;
}

TLW_TEST(breasts_under_gravity_and_in_stops_agree_with_the_oracle) {
    static const breast_kind rows[] = {
        {"gravity across", {0, -9.81f, 0}, {0, 0, 0}, 0, 1, 3, true},
        {"gravity outwards, limit", {0, 0, 9.81f}, {0, 0, 0}, 0, 1, 3, false},
        {"modelled under gravity", {3, 0, 9.81f}, {0, 0, -9.81f}, 20, 1, 3, true},
        {"stop from 30 across", {0, 0, 0}, {0, 0, 0}, 30, 1, 3, true},
        {"stop, root 0.4, width 2", {0, -9.81f, 0}, {0, 0, 0}, 15, 0.4f, 2, false}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        oracle_pair* pair = breast_pair(&rows[k], plain);
        pair->root.scale = rows[k].scale;
        pair_settle(pair);
        pair_track track = track_begin(pair);
        track.has_flat_regions = rows[k].region_width == 2; // those of the plate
        const int frames = PAIR_IS_SLOW ? 4 : k == 0 ? 150 : 40;
        for (int n = 1; n <= frames; ++n) {
            pair_move_root(pair, vec(n <= frames / 2 ? rows[k].speed * PAIR_SUBSTEP : 0, 0, 0));
            track_step(&track, PAIR_SUBSTEP, false);
        }
        CHECK(PAIR_IS_SLOW || track.tissue_off > 0.2);
        track_end(rows[k].name, &track);
        pair_free(pair);
    }
}

// Frames of any length, jumps, dropped time, resets, teleports, other numbers, pushes and a ball.
TLW_TEST(a_breast_agrees_with_the_oracle_through_jumps_resets_and_settings) {
    const breast_kind kind = {"", {0, -9.81f, 0}, {0, -3, 0}, 0, 1, 3, false};
    oracle_pair_def def = plain;
    def.collider_capacity = 1;
    def.contact_capacity = 4;
    oracle_pair* pair = breast_pair(&kind, def);
    const double metre = pair->info.voxel_metres;
    tlw_collider_def ball = tlw_default_collider_def();
    ball.radii[0] = ball.radii[1] = (float)(2.5 * metre);
    tlw_collider_pose pose = tlw_default_collider_pose();
    pose.position[2] = 9 * metre;
    const uint32_t collider = pair_add_collider(pair, &ball, &pose);
    pair_track track = track_begin(pair);
    track.has_flat_regions = true; // under the ball, while the fat is soft
    uint32_t jumped = 0, dropped = 0, touched = 0;
    for (int n = 1; n <= (PAIR_IS_SLOW ? 24 : 96); ++n) {
        const int at = n % 24;
        const double dt = at == 5 ? 0.3 : (n % 3 == 0 ? 0.6 : 1.3) * PAIR_SUBSTEP;
        const bool is_jump = at == 8 || at == 18;
        pair_move_root(pair, vec(0.4 * sin(n), 0.2, at < 12 ? 0.1 : -0.1));
        pair_rotate_root(pair, quat_exp(vec(0.02, is_jump ? 0.4 : 0.03, 0)));
        if (at == 10) {
            pair_teleport(pair, vec(0.1, 0.005 * n, -0.1), quat_exp(vec(0.1 * n, 1, 0)));
        }
        if (at == 3 || at == 15) {
            const tlw_lame lame = {at == 3 ? 40.0f : 0.5f, at == 3 ? 0.3f : 0.4999f, 700.0f};
            pair_set_lame(pair, TLW_ALL, n < 48 ? 2 : TLW_ALL, &lame);
        }
        if (at == 12) {
            pair_set_gravity(pair, 0, n < 48 ? 5 : -9.81f, 3);
        }
        if (at == 20) {
            pair_push(pair, (uint32_t)n * 7 % pair->info.voxel_count, vec(0.5, -0.4, 0.3));
        }
        const oracle_vec r =
            quat_rotate(quat_normalise((oracle_quat){
                            (double)pair->root.rotation[0], (double)pair->root.rotation[1],
                            (double)pair->root.rotation[2], (double)pair->root.rotation[3]}),
                        vec(0, 0, 8.5 * metre));
        pose.position[0] = pair->root.position[0] + r.x;
        pose.position[1] = pair->root.position[1] + r.y;
        pose.position[2] = pair->root.position[2] + r.z;
        pair_move_collider(pair, collider, &pose);
        const tlw_step_flags flags = track_step(&track, dt, is_jump);
        jumped += (flags & TLW_STEP_JUMPED) != 0;
        dropped += (flags & TLW_STEP_DROPPED_TIME) != 0;
        touched += pair->o->deepest[ORACLE_LIMBS_MAX + collider].is_touched;
        if (at == 22) {
            pair_settle(pair);
            track_compare(&track);
        }
    }
    printf("    touched in %u frames\n", touched);
    CHECK_LT(0u, jumped);
    CHECK_LT(0u, dropped);
    CHECK_LT(0u, touched);
    track_end("through everything", &track);
    pair_free(pair);
}

// Lame fat and skin on shape-matched muscle that bulges and bends, without limits, which would hide
// that tissue trembles.
TLW_TEST(lame_fat_on_muscles_of_an_arm_agrees_with_the_oracle) {
    tlw_arm arm;
    CHECK(tlw_arm_make(&arm, TLW_ARM_BOTH));
    arm.recipe.layers[2].lame.solver = TLW_SOLVER_LAME;
    oracle_pair_def def = plain;
    def.is_limit_off = true;
    oracle_pair* pair = pair_make(&arm.input, &arm.recipe, &def);
    pair_set_gravity(pair, 0, -9.81f, 0);
    tlw_arm_free(&arm);
    pair_track track = track_begin(pair);
    for (int n = 1; n <= (PAIR_IS_SLOW ? 4 : 60); ++n) {
        oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}};
        rotations[1] = vec(0, -PI / 4 * (1 - cos(PI * n * PAIR_SUBSTEP)), 0);
        pair_rest_pose(pair);
        pair_rotate_joints(pair, rotations, NULL);
        if (n == 10 || n == 40) {
            pair_set_tension(pair, n == 10 ? 0 : 1, 1);
        }
        track_step(&track, PAIR_SUBSTEP, n == 30);
    }
    CHECK(PAIR_IS_SLOW || track.displaced > 0.3);
    track_end("lame fat on muscles", &track);
    pair_free(pair);
}
