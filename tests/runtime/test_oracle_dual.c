// SPDX-License-Identifier: MIT
// Facts about the oracle's dual quaternions (MODEL 3.13) that were worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define VOXELS_MAX 400

static const double degree = 0.017453292519943295;

typedef struct skinned {
    oracle_vec p_skin[VOXELS_MAX];
    oracle_quat Rb[VOXELS_MAX];
} skinned;

static fixture capsule_fixture(oracle_skinning skinning) {
    fixture f = {.small = small_input_make(SMALL_INPUT_capsule, 3, 26)};
    f.small->input.skinning = skinning;
    f.pose = small_input_rest_pose(f.small);
    const oracle_settings settings = oracle_preset_settings(ORACLE_PRESET_DEFAULT);
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    f.o = oracle_create(&f.small->input, &settings, &pose);
    CHECK(f.o != NULL);
    CHECK_LE(f.small->input.voxel_count, VOXELS_MAX);
    return f;
}

// Skins the capsule in the pose of `f`, by one way or the other.
static void skin(fixture* f, oracle_skinning skinning, skinned* out) {
    const oracle_pose pose = small_input_oracle_pose(&f->pose);
    f->small->input.skinning = skinning;
    CHECK(oracle_keep_pose(f->o, &pose, &f->o->between));
    oracle_skin_voxels(f->o, &f->o->between, out->p_skin, out->Rb);
}

static double difference(const fixture* f, const skinned* a, const skinned* b) {
    return largest_difference(a->p_skin, b->p_skin, f->small->input.voxel_count);
}

// Where the model's point lies in the oracle's space, in voxels.
static oracle_vec in_voxels(const fixture* f, oracle_vec metres) {
    return vec_scale(metres, 1 / f->small->input.voxel_metres);
}

static oracle_vec rest_place(const fixture* f, uint32_t voxel) {
    const oracle_vec origin = in_voxels(f, vec_of(f->small->input.origin));
    return vec_add(origin, f->o->rest[voxel]);
}

TLW_TEST(dual_and_linear_agree_where_all_joints_move_together) {
    skinned linear, dual;
    uint64_t random = 4;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    for (int round = 0; round < 20; ++round) {
        const oracle_quat rotation = quat_exp(random_vec(&random, 1.5));
        const oracle_vec move = random_vec(&random, 0.2);
        f.pose = small_input_rest_pose(f.small);
        f.pose.root_rotation = quat_exp(random_vec(&random, 1.5));
        for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
            oracle_trs* joint = &f.pose.joints[j];
            joint->rotation = quat_mul(rotation, joint->rotation);
            joint->translation = vec_add(quat_rotate(rotation, joint->translation), move);
        }
        skin(&f, ORACLE_SKINNING_LINEAR, &linear);
        skin(&f, ORACLE_SKINNING_DUAL, &dual);
        CHECK_LT(difference(&f, &linear, &dual), 1e-12);
    }
    fixture_free(&f);
}

TLW_TEST(a_single_joint_moves_by_its_matrix) {
    skinned linear, dual;
    uint64_t random = 5;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    for (int round = 0; round < 20; ++round) {
        for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
            f.pose.joints[j] = (oracle_trs){
                random_vec(&random, 0.3), quat_exp(random_vec(&random, 1.5)),
                vec_add(vec(1, 1, 1), random_vec(&random, 0.2)), random_vec(&random, 0.2)};
        }
        skin(&f, ORACLE_SKINNING_LINEAR, &linear);
        skin(&f, ORACLE_SKINNING_DUAL, &dual);
        uint32_t single = 0;
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            if (f.small->input.weight[i][0] == 1) {
                single += 1;
                CHECK_LT(vec_length(vec_sub(linear.p_skin[i], dual.p_skin[i])), 1e-11);
            }
        }
        CHECK_LT(50u, single);
        CHECK_LT(0.1, difference(&f, &linear, &dual));
    }
    fixture_free(&f);
}

// Every voxel keeps its distance to the axis and its height; linear skinning draws voxels of equal
// weights to cos 75 = 0.26 of their distance.
TLW_TEST(a_straight_limb_twisted_by_150_degrees_keeps_its_shape) {
    skinned linear, dual;
    double thinnest = 1;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    const oracle_vec axis = in_voxels(&f, f.pose.joints[0].translation);
    for (int side = -1; side <= 1; side += 2) {
        f.pose = small_input_rest_pose(f.small);
        small_input_bend(&f.pose, vec(0, 0, side * 150 * degree));
        skin(&f, ORACLE_SKINNING_LINEAR, &linear);
        skin(&f, ORACLE_SKINNING_DUAL, &dual);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const oracle_vec a = vec_sub(rest_place(&f, i), axis);
            const oracle_vec b = vec_sub(dual.p_skin[i], axis), c = vec_sub(linear.p_skin[i], axis);
            CHECK_NEAR(hypot(b.x, b.y), hypot(a.x, a.y), 1e-12);
            CHECK_NEAR(b.z, a.z, 1e-12);
            if (hypot(a.x, a.y) > 0.5) {
                thinnest = fmin(thinnest, hypot(c.x, c.y) / hypot(a.x, a.y));
            }
        }
    }
    CHECK_LT(thinnest, 0.45);
    fixture_free(&f);
}

// Two joints with half of the weight each, one of which turns about a point: the blend turns by
// half of the angle about the same point, and so does Rb.
TLW_TEST(half_of_a_turn_about_a_point_is_half_the_angle_about_it) {
    skinned dual;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        f.small->voxels.joint[i][0] = 0;
        f.small->voxels.joint[i][1] = 1;
        f.small->voxels.weight[i][0] = f.small->voxels.weight[i][1] = 0.5;
    }
    const oracle_vec centre = in_voxels(&f, f.pose.joints[1].translation);
    small_input_bend(&f.pose, vec(0.9, -1.2, 0.4));
    skin(&f, ORACLE_SKINNING_DUAL, &dual);
    const oracle_quat half = quat_exp(vec(0.45, -0.6, 0.2));
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        const oracle_vec arm = vec_sub(rest_place(&f, i), centre);
        const oracle_vec expected = vec_add(centre, quat_rotate(half, arm));
        CHECK_LT(vec_length(vec_sub(dual.p_skin[i], expected)), 1e-12);
        CHECK_LT(quat_angle(dual.Rb[i], half), 1e-7);
    }
    fixture_free(&f);
}

// The joint of largest weight decides on the side: a turn of 210 degrees is one of -150, whichever
// of the two quaternions the pose has.
TLW_TEST(signs_of_rotations_do_not_matter) {
    skinned a, b;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    const small_input_pose rest = f.pose;
    small_input_bend(&f.pose, vec(0, 210 * degree, 0));
    skin(&f, ORACLE_SKINNING_DUAL, &a);
    f.pose.joints[1].rotation = quat_scale(f.pose.joints[1].rotation, -1);
    skin(&f, ORACLE_SKINNING_DUAL, &b);
    CHECK_LT(difference(&f, &a, &b), 1e-12);
    f.pose = rest;
    small_input_bend(&f.pose, vec(0, -150 * degree, 0));
    skin(&f, ORACLE_SKINNING_DUAL, &b);
    CHECK_LT(difference(&f, &a, &b), 1e-12);
    fixture_free(&f);
}

// Stretch comes first, about each joint's bind: joints that are scaled but not turned move tissue
// as linear skinning does. One that is scaled by less than 1e-6 counts as not scaled.
TLW_TEST(stretched_joints_that_do_not_turn_move_tissue_linearly) {
    skinned linear, dual, rest;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    skin(&f, ORACLE_SKINNING_DUAL, &rest);
    f.pose.joints[0].scale = vec(1.5, 0.8, 1.1);
    f.pose.joints[1].scale = vec(0.7, 1.2, 1.3);
    f.pose.joints[1].shear = vec(0.1, -0.2, 0.3);
    skin(&f, ORACLE_SKINNING_LINEAR, &linear);
    skin(&f, ORACLE_SKINNING_DUAL, &dual);
    CHECK_LT(difference(&f, &linear, &dual), 1e-12);
    CHECK_LT(0.5, difference(&f, &rest, &dual));
    f.pose = small_input_rest_pose(f.small);
    f.pose.joints[0].scale = vec(1 + 9e-7, 1, 1 - 9e-7);
    skin(&f, ORACLE_SKINNING_DUAL, &dual);
    CHECK_LT(difference(&f, &rest, &dual), 1e-13);
    f.pose.joints[0].scale = vec(1 + 2e-6, 1, 1);
    skin(&f, ORACLE_SKINNING_DUAL, &dual);
    CHECK_LT(1e-7, difference(&f, &rest, &dual));
    fixture_free(&f);
}

// L of a vertex is the derivative of where it is skinned.
TLW_TEST(the_linear_part_of_a_vertex_is_the_slope_of_its_place) {
    static const uint32_t joint[2] = {0, 1};
    static const double weight[2] = {0.4, 0.6}, step = 1e-5;
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    small_input_bend(&f.pose, vec(1.1, 0.4, -0.7));
    f.pose.joints[0].scale = vec(1.2, 0.9, 1);
    f.pose.joints[1].shear = vec(0.2, 0, 0.1);
    f.pose.root_rotation = quat_exp(vec(0.3, 0.2, -0.5));
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    CHECK(oracle_keep_pose(f.o, &pose, &f.o->between));
    const oracle_vec x = vec(1.5, 2.5, 6);
    oracle_mat L;
    oracle_skin_point(f.o, &f.o->between, x, joint, weight, 2, &L);
    for (int axis = 0; axis < 3; ++axis) {
        const oracle_vec by = vec_scale(vec(axis == 0, axis == 1, axis == 2), step);
        const oracle_vec high =
            oracle_skin_point(f.o, &f.o->between, vec_add(x, by), joint, weight, 2, NULL);
        const oracle_vec low =
            oracle_skin_point(f.o, &f.o->between, vec_sub(x, by), joint, weight, 2, NULL);
        const oracle_vec slope = vec_scale(vec_sub(high, low), 0.5 / step);
        CHECK_LT(vec_length(vec_sub(slope, mat_column(&L, axis))), 1e-8);
    }
    fixture_free(&f);
}

TLW_TEST(rest_of_a_dual_character_stays_at_rest) {
    fixture f = capsule_fixture(ORACLE_SKINNING_DUAL);
    for (int k = 0; k < 60; ++k) {
        fixture_step(&f, H);
    }
    CHECK_LT(oracle_largest_deviation(f.o), 1e-12);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        CHECK_LT(vec_length(vec_sub(f.o->p[i], rest_place(&f, i))), 1e-12);
    }
    fixture_free(&f);
}
