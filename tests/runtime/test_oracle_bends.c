// SPDX-License-Identifier: MIT
// Facts about the oracle's skinned volume (MODEL 3.12) that were worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define VOXELS_MAX   400
#define TOWARDS_ZERO 1e-4 // what the last line of the solve takes off

static const double degree = 0.017453292519943295;

// p_skin of a pose, before and after the correction.
typedef struct corrected {
    oracle_vec plain[VOXELS_MAX], p_skin[VOXELS_MAX];
    oracle_quat Rb[VOXELS_MAX];
} corrected;

static fixture bending_fixture(small_input_kind kind) {
    fixture f = {.small = small_input_make(kind, 3, 26)};
    small_input_add_bend(f.small, 1);
    f.pose = small_input_rest_pose(f.small);
    const oracle_settings settings = oracle_preset_settings(ORACLE_PRESET_DEFAULT);
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    f.o = oracle_create(&f.small->input, &settings, &pose);
    CHECK(f.o != NULL);
    CHECK_LE(f.small->input.voxel_count, VOXELS_MAX);
    return f;
}

static void correct(fixture* f, corrected* c) {
    const oracle_pose pose = small_input_oracle_pose(&f->pose);
    CHECK(oracle_keep_pose(f->o, &pose, &f->o->between));
    oracle_skin_voxels(f->o, &f->o->between, c->plain, c->Rb);
    memcpy(c->p_skin, c->plain, sizeof c->plain);
    oracle_correct_skin(f->o, &f->o->between, c->p_skin, c->Rb);
}

static double largest_correction(const fixture* f, const corrected* c) {
    return largest_difference(c->p_skin, c->plain, f->small->input.voxel_count);
}

// Moves all joints rigidly, and the root by another motion.
static void move_rigidly(fixture* f, uint64_t* random) {
    const oracle_quat rotation = quat_exp(random_vec(random, 1));
    const oracle_vec move = random_vec(random, 0.1);
    for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
        oracle_trs* joint = &f->pose.joints[j];
        joint->rotation = quat_mul(rotation, joint->rotation);
        joint->translation = vec_add(quat_rotate(rotation, joint->translation), move);
    }
    f->pose.root_rotation = quat_exp(random_vec(random, 1));
    f->pose.root_position = random_vec(random, 3);
}

TLW_TEST(rest_and_rigid_poses_are_left_to_the_bit) {
    static const small_input_kind kinds[] = {SMALL_INPUT_plate, SMALL_INPUT_box, SMALL_INPUT_ell,
                                             SMALL_INPUT_capsule};
    corrected c;
    uint64_t random = 5;
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        fixture f = bending_fixture(kinds[k]);
        for (int round = 0; round < 20; ++round) {
            f.pose = small_input_rest_pose(f.small);
            if (round > 0) {
                move_rigidly(&f, &random);
            }
            f.o->bend_length[0] = 1;
            correct(&f, &c);
            CHECK_EQ(f.o->bend_length[0], 0.0);
            CHECK_EQ(memcmp(c.plain, c.p_skin, f.small->input.voxel_count * sizeof c.plain[0]), 0);
        }
        fixture_free(&f);
    }
}

TLW_TEST(rigid_motion_of_a_bent_pose_moves_the_correction_rigidly) {
    corrected c, moved;
    uint64_t random = 6;
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    small_input_bend(&f.pose, vec(0.3, 1.2, 0.4));
    correct(&f, &c);
    CHECK_LT(0.05, largest_correction(&f, &c));
    const double length = f.o->bend_length[0];
    for (int round = 0; round < 10; ++round) {
        f.pose.root_rotation = quat_exp(random_vec(&random, 1));
        f.pose.root_position = random_vec(&random, 3);
        correct(&f, &moved);
        CHECK_NEAR(f.o->bend_length[0], length, 1e-12);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const oracle_vec p = quat_rotate(f.pose.root_rotation, c.p_skin[i]);
            CHECK_LT(vec_length(vec_sub(p, moved.p_skin[i])), 1e-12);
        }
    }
    fixture_free(&f);
}

TLW_TEST(a_bend_to_either_side_has_the_same_length_and_bone_stays) {
    corrected c;
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    double length[4];
    for (int side = 0; side < 4; ++side) { // the capsule is its own mirror image in x and y
        const double angle = (side % 2 ? -70 : 70) * degree;
        f.pose = small_input_rest_pose(f.small);
        small_input_bend(&f.pose, side < 2 ? vec(angle, 0, 0) : vec(0, angle, 0));
        correct(&f, &c);
        length[side] = f.o->bend_length[0];
        CHECK_NEAR(length[side], length[0], 1e-12);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            if (f.small->input.layer[i] == 0) {
                CHECK_EQ(memcmp(&c.plain[i], &c.p_skin[i], sizeof c.plain[i]), 0);
            }
        }
    }
    CHECK_LT(0.01, length[0]);
    fixture_free(&f);
}

TLW_TEST(a_bend_keeps_more_of_its_volume_the_further_it_goes) {
    corrected c;
    double before = 0;
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    for (int angle = 30; angle <= 120; angle += 30) {
        f.pose = small_input_rest_pose(f.small);
        small_input_bend(&f.pose, vec(angle * degree, 0, 0));
        correct(&f, &c);
        double lost, left;
        oracle_bend_errors(f.o, c.plain, c.Rb, &lost);
        oracle_bend_errors(f.o, c.p_skin, c.Rb, &left);
        CHECK_LT(before, f.o->bend_length[0]);
        CHECK_LT(lost, 0.0);
        CHECK_LT(fabs(left), 0.25 * fabs(lost));
        before = f.o->bend_length[0];
    }
    f.o->settings.skinned_volume = false;
    correct(&f, &c);
    CHECK_EQ(largest_correction(&f, &c), 0.0);
    fixture_free(&f);
}

// Two voxels, one on the other, both moved by joint 0 alone. The field of the upper one leads up,
// so that a length of l makes both voxels taller by l: V = s + l, where s is the pose's scale in z.
static fixture column_fixture(double reach, uint32_t bend_count) {
    fixture f = {.small = small_input_make(SMALL_INPUT_pair, 3, 26)};
    voxel_arrays* voxels = &f.small->voxels;
    const double share = 1.0 / bend_count;
    for (uint32_t i = 0; i < 2; ++i) {
        voxels->joint[i][0] = 0;
        voxels->weight[i][0] = 1;
        voxels->weight[i][1] = 0;
        voxels->field[i][2] = i;
        for (uint32_t k = 0; k < bend_count; ++k) {
            voxels->bend[i][k] = k;
            voxels->bend_share[i][k] = share;
            f.small->bends[k] = (oracle_bend_rest){2 * share, 2 * share * share, reach};
        }
    }
    f.small->input.bend_count = bend_count;
    f.small->input.bends = f.small->bends;
    f.pose = small_input_rest_pose(f.small);
    const oracle_settings settings = oracle_preset_settings(ORACLE_PRESET_DEFAULT);
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    f.o = oracle_create(&f.small->input, &settings, &pose);
    CHECK(f.o != NULL);
    return f;
}

// A_0 - V0 = 2 (s - 1), A_1 = A_1rest = 2: every step leaves (1/8)^2/(1 + (1/8)^2) = 1/65 of the
// error.
TLW_TEST(four_damped_steps_leave_what_they_should) {
    static const double scales[] = {0.8, 1.2, 0.95};
    corrected c;
    fixture f = column_fixture(10, 1);
    for (size_t k = 0; k < TLW_COUNT_OF(scales); ++k) {
        f.pose.joints[0].scale.z = scales[k];
        correct(&f, &c);
        const double solved = (1 - scales[k]) * (1 - pow(1.0 / 65, 4));
        const double l = solved - copysign(TOWARDS_ZERO, solved);
        CHECK_NEAR(f.o->bend_length[0], l, 1e-12);
        CHECK_NEAR(c.p_skin[1].z - c.plain[1].z, l, 1e-12);
        CHECK_EQ(c.p_skin[0].z, c.plain[0].z);
    }
    f.pose.joints[0].scale.z = 1 - 0.9 * TOWARDS_ZERO; // too little to be corrected
    correct(&f, &c);
    CHECK_EQ(f.o->bend_length[0], 0.0);
    fixture_free(&f);
    f = column_fixture(0.1, 1);
    f.pose.joints[0].scale.z = 0.5;
    correct(&f, &c);
    CHECK_NEAR(f.o->bend_length[0], 0.1 - TOWARDS_ZERO, 1e-12);
    f.pose.joints[0].scale.z = 1.5;
    correct(&f, &c);
    CHECK_NEAR(f.o->bend_length[0], -0.1 + TOWARDS_ZERO, 1e-12);
    fixture_free(&f);
}

// Both bends see what the other has done, and so the voxels move as far as one bend would move
// them: eight steps, each of which leaves 1/65 of the error.
TLW_TEST(two_bends_that_share_their_voxels_do_the_work_of_one) {
    corrected c;
    fixture f = column_fixture(10, 2);
    f.pose.joints[0].scale.z = 0.8;
    correct(&f, &c);
    const double together = 0.2 * (1 - pow(1.0 / 65, 8)) - TOWARDS_ZERO;
    CHECK_NEAR(0.5 * (f.o->bend_length[0] + f.o->bend_length[1]), together, 1e-12);
    CHECK_NEAR(c.p_skin[1].z - c.plain[1].z, together, 1e-12);
    CHECK_LT(0.3, f.o->bend_length[0]); // the first does most of it
    fixture_free(&f);
}

// f = 4 cos(angle/2) below 1: from 151 degrees on, and 0 at 180.
TLW_TEST(the_field_vanishes_where_joints_are_half_a_turn_apart) {
    static const struct {
        double degrees, f;
    } rows[] = {{150, 1}, {151, 1}, {160, 0.694592710667722}, {180, 0}};
    corrected c;
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        f.pose = small_input_rest_pose(f.small);
        small_input_bend(&f.pose, vec(rows[k].degrees * degree, 0, 0));
        correct(&f, &c);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const bool has_both = f.small->input.weight[i][1] > 0;
            const double size = vec_length(vec_of(f.small->input.field[i]));
            CHECK_NEAR(vec_length(f.o->work_field[i]), size * (has_both ? rows[k].f : 1), 1e-12);
        }
        if (rows[k].f == 0) {
            CHECK_LT(largest_correction(&f, &c), 1e-12);
        }
    }
    fixture_free(&f);
}

TLW_TEST(state_stands_on_the_corrected_pose_and_jumps_look_at_the_plain_one) {
    corrected c;
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    const uint32_t n = f.small->input.voxel_count;
    small_input_bend(&f.pose, vec(1.5, 0, 0));
    correct(&f, &c);
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    CHECK(oracle_set_pose(f.o, &pose));
    oracle_step(f.o, H, true); // carried
    CHECK_EQ(largest_difference(f.o->p_skin_prev, c.p_skin, n), 0.0);
    CHECK_EQ(largest_difference(f.o->p, c.p_skin, n), 0.0);
    oracle_reset(f.o);
    CHECK_EQ(largest_difference(f.o->p, c.p_skin, n), 0.0);
    CHECK_EQ(largest_difference(f.o->last_p_skin, c.plain, n), 0.0);
    fixture_step(&f, H); // an ordinary one
    CHECK_EQ(largest_difference(f.o->p_skin_prev, c.p_skin, n), 0.0);
    fixture_free(&f);
}

// The output adds the correction to the artist's skinning: it is a part of every deviation.
TLW_TEST(deviations_of_the_output_are_from_the_plain_pose) {
    corrected c;
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    small_input_bend(&f.pose, vec(1.5, 0, 0));
    fixture_settle(&f);
    correct(&f, &c);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        const oracle_vec correction = vec_sub(c.p_skin[i], c.plain[i]);
        const oracle_fit fit = oracle_fit_voxel(f.o, i, 0);
        CHECK_LT(vec_length(vec_sub(fit.delta, correction)), 1e-12);
        CHECK_LT(vec_length(vec_sub(f.o->out_p[i], c.p_skin[i])), 1e-12);
    }
    CHECK_LT(0.05, largest_correction(&f, &c));
    fixture_free(&f);
}

TLW_TEST(turning_skinned_volume_off_carries_the_next_substep) {
    fixture f = bending_fixture(SMALL_INPUT_capsule);
    const uint32_t n = f.small->input.voxel_count;
    small_input_bend(&f.pose, vec(1.5, 0, 0));
    fixture_settle(&f);
    fixture_shake(&f, 3, 0.05);
    fixture_step(&f, H);
    oracle_vec d[VOXELS_MAX];
    memcpy(d, f.o->d1, n * sizeof d[0]);
    for (int k = 0; k < 2; ++k) {
        f.o->settings.skinned_volume = k == 1;
        fixture_step(&f, H);
        CHECK_EQ(f.o->carried_count, 1);
        CHECK_LT(largest_difference(f.o->d1, d, n), 1e-12);
    }
    fixture_step(&f, H);
    CHECK_EQ(f.o->carried_count, 0);
    fixture_free(&f);
}
