// SPDX-License-Identifier: MIT
// Checks what the oracle does about space and time (MODEL 4): poses between calls, the accumulator,
// dropped time, bad input. Expected results are worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <stdlib.h>
#include <string.h>

// Poses

static void set_matrix(double m[16], const oracle_trs* trs) {
    const oracle_mat r = mat_of_quat(trs->rotation);
    const double scale[3] = {trs->scale.x, trs->scale.y, trs->scale.z};
    memset(m, 0, 16 * sizeof *m);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            m[4 * column + row] = r.m[row][column] * scale[column];
        }
    }
    m[12] = trs->translation.x, m[13] = trs->translation.y, m[14] = trs->translation.z, m[15] = 1;
}

// The matrix has a rotation and a translation only.
static void invert_rigid(const double m[16], double inverse[16]) {
    for (int row = 0; row < 3; ++row) {
        double sum = 0;
        for (int column = 0; column < 3; ++column) {
            inverse[4 * column + row] = m[4 * row + column];
            sum += m[4 * row + column] * m[12 + column];
        }
        inverse[12 + row] = -sum;
        inverse[4 * row + 3] = 0;
    }
    inverse[15] = 1;
}

static void multiply(const double a[16], const double b[16], double product[16]) {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            product[4 * column + row] = 0;
            for (int k = 0; k < 4; ++k) {
                product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
            }
        }
    }
}

TLW_TEST(joints_matrices_and_skinning_matrices_are_the_same_pose) {
    fixture fixtures[3];
    for (int k = 0; k < 3; ++k) {
        fixtures[k] = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    }
    for (int s = 0; s < 30; ++s) {
        fixture_dance(&fixtures[0], s * H);
        small_input_pose* pose = &fixtures[0].pose;
        pose->joints[0].scale = vec(1.1, 1.1, 1.1);
        pose->joints[1].scale = vec(0.9, 1.05, 1.2);
        oracle_pose given = small_input_oracle_pose(pose);
        double matrices[SMALL_INPUT_JOINTS][16], skinning[SMALL_INPUT_JOINTS][16];
        for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
            double unbind[16];
            set_matrix(matrices[j], &pose->joints[j]);
            invert_rigid(fixtures[0].small->bind[j], unbind);
            multiply(matrices[j], unbind, skinning[j]);
        }
        CHECK(oracle_set_pose(fixtures[0].o, &given));
        given.kind = ORACLE_POSE_MATRICES;
        given.matrices = (const double(*)[16])matrices;
        CHECK(oracle_set_pose(fixtures[1].o, &given));
        given.kind = ORACLE_POSE_SKINNING;
        given.matrices = (const double(*)[16])skinning;
        CHECK(oracle_set_pose(fixtures[2].o, &given));
        for (int k = 0; k < 3; ++k) {
            oracle_step(fixtures[k].o, 0.7 * H, false); // poses between calls
        }
        const uint32_t n = fixtures[0].small->input.voxel_count;
        CHECK_LT(largest_difference(fixtures[0].o->p, fixtures[1].o->p, n), 1e-9);
        CHECK_LT(largest_difference(fixtures[0].o->p, fixtures[2].o->p, n), 1e-9);
    }
    for (int k = 0; k < 3; ++k) {
        fixture_free(&fixtures[k]);
    }
}

TLW_TEST(a_mirrored_matrix_is_kept_and_does_not_rotate_voxels) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    f.pose.joints[0].scale.z = -1;
    const oracle_pose trs = small_input_oracle_pose(&f.pose);
    double matrices[SMALL_INPUT_JOINTS][16];
    for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
        set_matrix(matrices[j], &f.pose.joints[j]);
    }
    oracle_pose given = trs;
    given.kind = ORACLE_POSE_MATRICES;
    given.matrices = (const double(*)[16])matrices;
    CHECK(oracle_set_pose(f.o, &given));
    oracle_step(f.o, H, true);
    // A voxel of joint 0 alone: its z relative to the joint, which is at the lowest z, changes
    // sign.
    const oracle_vec rest =
        vec_add_scaled(vec_scale(vec_of(f.small->input.origin), 20), 1, f.o->rest[0]);
    CHECK_NEAR(f.o->p_skin_prev[0].z, 2 * 20 * f.small->input.origin[2] - rest.z, 1e-9);
    CHECK_NEAR(f.o->p_skin_prev[0].x, rest.x, 1e-9);
    CHECK_LT(quat_angle(f.o->Rb[0], QUAT_IDENTITY), 1e-9);
    fixture_free(&f);
}

TLW_TEST(any_invertible_matrix_moves_voxels_exactly) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    uint64_t seed = 17;
    int mirrored = 0;
    for (int n = 0; n < 20; ++n) {
        double matrices[SMALL_INPUT_JOINTS][16], unbind[SMALL_INPUT_JOINTS][16],
            skinning[SMALL_INPUT_JOINTS][16];
        for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
            set_matrix(matrices[j], &f.pose.joints[j]);
            for (int k = 0; k < 12; ++k) {
                matrices[j][k] = k % 4 < 3 ? random_unit(&seed) : 0;
            }
            invert_rigid(f.small->bind[j], unbind[j]);
            multiply(matrices[j], unbind[j], skinning[j]);
        }
        const double* m = matrices[0];
        mirrored += vec_dot(vec_cross(vec_of(m), vec_of(m + 4)), vec_of(m + 8)) < 0;
        oracle_pose given = small_input_oracle_pose(&f.pose);
        given.kind = ORACLE_POSE_MATRICES;
        given.matrices = (const double(*)[16])matrices;
        CHECK(oracle_set_pose(f.o, &given));
        oracle_step(f.o, H, true);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const oracle_vec x = vec_add_scaled(vec_of(f.small->input.origin),
                                                f.small->input.voxel_metres, f.o->rest[i]);
            oracle_vec sum = {0, 0, 0};
            for (int k = 0; k < 4 && f.small->input.weight[i][k] > 0; ++k) {
                const double* s = skinning[f.small->input.joint[i][k]];
                const double w = f.small->input.weight[i][k] / f.small->input.voxel_metres;
                const oracle_mat linear = mat_of_columns(vec_of(s), vec_of(s + 4), vec_of(s + 8));
                sum = vec_add_scaled(sum, w, vec_add(mat_apply(&linear, x), vec_of(s + 12)));
            }
            CHECK_LT(vec_length(vec_sub(f.o->p_skin_prev[i], sum)), 1e-9);
        }
    }
    CHECK_LT(0, mirrored);
    CHECK_LT(mirrored, 20);
    fixture_free(&f);
}

TLW_TEST(skinning_is_the_weighted_sum_of_the_joints_and_rotations_blend_beside_it) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    const oracle_vec rotation = {0.4, 0, 0};
    small_input_bend(&f.pose, rotation);
    f.pose.root_rotation = quat_exp(vec(0, 0, 1));
    fixture_settle(&f);
    const oracle_vec joint =
        vec_scale(f.pose.joints[1].translation, 1 / f.small->input.voxel_metres);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        const oracle_vec x = vec_add_scaled(f.o->rest[i], 1 / f.small->input.voxel_metres,
                                            vec_of(f.small->input.origin));
        const double w = f.small->input.joint[i][0] == 1 ? f.small->input.weight[i][0]
                                                         : f.small->input.weight[i][1];
        const oracle_vec rotated =
            vec_add(joint, quat_rotate(quat_exp(rotation), vec_sub(x, joint)));
        const oracle_vec expected = quat_rotate(f.pose.root_rotation, vec_lerp(x, rotated, w));
        CHECK_LT(vec_length(vec_sub(f.o->p[i], expected)), 1e-9);
        // nlerp differs from slerp by less than 1e-3 at these angles.
        const oracle_quat Rb = quat_mul(f.pose.root_rotation, quat_exp(vec_scale(rotation, w)));
        CHECK_LT(quat_angle(f.o->Rb[i], Rb), 1e-3);
    }
    fixture_free(&f);
}

TLW_TEST(a_bad_pose_is_refused_and_the_last_good_one_stays) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_dance(&f, 0.1);
    fixture_step(&f, H);
    const small_input_pose good = f.pose;
    for (int k = 0; k < 7; ++k) {
        small_input_pose bad = good;
        switch (k) {
        case 0:
            bad.joints[1].translation.y = NAN;
            break;
        case 1:
            bad.joints[0].rotation = (oracle_quat){0, 0, 0, 0};
            break;
        case 2:
            bad.joints[1].scale.x = 0;
            break;
        case 3:
            bad.root_position.z = INFINITY;
            break;
        case 4:
            bad.root_scale = 0;
            break;
        case 5:
            bad.root_rotation.w = NAN;
            break;
        default:
            bad.root_scale = -1;
            break;
        }
        const oracle_pose pose = small_input_oracle_pose(&bad);
        CHECK(!oracle_set_pose(f.o, &pose));
        CHECK_EQ(oracle_step(f.o, H, false), (unsigned)ORACLE_BAD_POSE);
        CHECK_EQ(vec_length(vec_sub(vec_of(f.o->last.root_position), good.root_position)), 0.0);
    }
    CHECK_EQ(fixture_step(&f, H), 0u);
    fixture_free(&f);
}

// Time

TLW_TEST(substeps_follow_the_time_that_passed) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    static const int rates[] = {24, 30, 60, 90, 144, 240};
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        uint32_t count = 0;
        for (int s = 0; s < 10 * rates[k]; ++s) {
            CHECK_EQ(fixture_step(&f, 1.0 / rates[k]), 0u);
            count += f.o->substep_count;
            CHECK_LE(0, f.o->accumulator);
            CHECK_LT(f.o->accumulator, H);
        }
        CHECK_EQ(count, 600u);
    }
    fixture_free(&f);
}

TLW_TEST(invalid_dt_changes_nothing) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 10; ++k) {
        fixture_dance(&f, k * H);
        fixture_step(&f, 1.3 * H);
    }
    const size_t bytes = f.small->input.voxel_count * sizeof(oracle_vec);
    oracle_vec* p = malloc(bytes);
    oracle_vec* out = malloc(bytes);
    CHECK(p && out);
    memcpy(p, f.o->p, bytes);
    memcpy(out, f.o->out_p, bytes);
    const double accumulator = f.o->accumulator;
    static const double bad[] = {0, -1, -0.0, NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < TLW_COUNT_OF(bad); ++k) {
        fixture_dance(&f, 11 * H);
        CHECK_EQ(fixture_step(&f, bad[k]), (unsigned)ORACLE_BAD_DT);
        CHECK_EQ(f.o->accumulator, accumulator);
        CHECK_BYTES(f.o->p, p, bytes);
        CHECK_BYTES(f.o->out_p, out, bytes);
    }
    CHECK_EQ(oracle_step(f.o, H, false), 0u); // uses the pose that was set before
    CHECK_EQ(f.o->last.root_position[0], f.pose.root_position.x);
    free(p);
    free(out);
    fixture_free(&f);
}

TLW_TEST(a_long_dt_drops_the_oldest_time_and_carries_the_state_over_it) {
    static const double longs[] = {7 * H, 0.12, 1, 1e9, 1.7e308};
    for (size_t k = 0; k < TLW_COUNT_OF(longs); ++k) {
        fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
        for (int s = 0; s < 120; ++s) { // run at constant speed
            fixture_move(&f, vec(0.1, 0, 0));
            fixture_step(&f, H);
        }
        const double speed = 0.1 / H; // voxels/s
        fixture_move(&f, vec(speed * fmin(longs[k], 1e6), 0, 0));
        CHECK_EQ(fixture_step(&f, longs[k]), (unsigned)ORACLE_DROPPED_TIME);
        CHECK_EQ(f.o->substep_count, 6u);
        CHECK_EQ(f.o->carried_count, 0u);
        CHECK_LT(f.o->accumulator, H);
        CHECK_LT(oracle_largest_deviation(f.o), 0.01); // no kick
        if (longs[k] < 2) {
            CHECK_NEAR(f.o->v_skin[0].x, speed, 1e-6);
        }
        fixture_move(&f, vec(0.1, 0, 0));
        CHECK_EQ(fixture_step(&f, H), 0u);
        CHECK_LT(oracle_largest_deviation(f.o), longs[k] < 2 ? 0.01 : 0.2);
        fixture_free(&f);
    }
}

// As many as there are in 0.1 s, and 6 at least.
TLW_TEST(a_call_makes_the_substeps_of_a_tenth_of_a_second_and_no_more) {
    static const struct {
        double h;
        uint32_t most;
    } rows[] = {{1.0 / 30, 6}, {1.0 / 50, 6},   {H, 6},         {1.0 / 84, 8},
                {1.0 / 86, 9}, {1.0 / 120, 12}, {1.0 / 480, 48}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
        f.o->settings.h = rows[k].h;
        CHECK_EQ(fixture_step(&f, rows[k].most * rows[k].h), 0u);
        CHECK_EQ(f.o->substep_count, rows[k].most);
        CHECK_EQ(fixture_step(&f, (rows[k].most + 1.3) * rows[k].h), (unsigned)ORACLE_DROPPED_TIME);
        CHECK_EQ(f.o->substep_count, rows[k].most);
        CHECK_NEAR(f.o->accumulator / rows[k].h, 0.3, 1e-6);
        fixture_free(&f);
    }
}

TLW_TEST(substeps_see_the_pose_of_their_own_moment) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int s = 1; s <= 4; ++s) { // 240 Hz, a motion that is not linear
        const double at = s / 240.0;
        f.pose = small_input_rest_pose(f.small);
        fixture_move(&f, vec(900 * at * at, 0, 0));
        fixture_step(&f, 1 / 240.0);
        CHECK_EQ(f.o->substep_count, s == 4 ? 1u : 0u);
    }
    CHECK_NEAR(f.o->root_at_substep[0], 0.05 * 900 / 3600.0, 1e-12);
    // 1.5 substeps per call: the first substep of the next call is at a third of the way.
    f.pose = small_input_rest_pose(f.small);
    fixture_settle(&f);
    fixture_move(&f, vec(1, 0, 0));
    fixture_step(&f, 1.5 * H);
    CHECK_NEAR(f.o->root_at_substep[0], 0.05 * 2 / 3.0, 1e-12);
    fixture_move(&f, vec(1.5, 0, 0));
    fixture_step(&f, 1.5 * H);
    CHECK_EQ(f.o->substep_count, 2u);
    CHECK_NEAR(f.o->root_at_substep[0], 0.05 * 2.5, 1e-12);
    CHECK_NEAR(f.o->v_skin[0].x, 60, 1e-6); // the call moves 1.5 voxels in 1.5 H
    fixture_free(&f);
}

// Mean position of the soft voxels in the world, in voxels.
static oracle_vec mean_in_world(const fixture* f) {
    oracle_vec sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->small->input.voxel_count; ++i) {
        if (f->small->input.layer[i] != 0) {
            sum = vec_add(sum, f->o->out_p[i]);
            count += 1;
        }
    }
    const oracle_vec root = vec_scale(f->pose.root_position, 1 / f->small->input.voxel_metres);
    return vec_add(root, vec_scale(sum, 1.0 / count));
}

// A run with a sudden stop at 2 s, then a dance.
static void pose_at(fixture* f, double time) {
    fixture_dance(f, fmax(0, time - 2.5));
    fixture_move(f, vec(20 * fmin(time, 2), 0, 0));
}

TLW_TEST(motion_does_not_depend_on_the_frame_rate) {
    static const int rates[] = {60, 24, 30, 90, 144, 240};
    enum { TIMES = 30 }; // every 1/6 s
    oracle_vec expected[TIMES];
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        double worst = 0;
        for (int frame = 1; frame <= TIMES * rates[k] / 6; ++frame) {
            pose_at(&f, (double)frame / rates[k]);
            CHECK_EQ(fixture_step(&f, 1.0 / rates[k]), 0u);
            if (frame % (rates[k] / 6) == 0) {
                const int at = frame / (rates[k] / 6) - 1;
                const oracle_vec mean = mean_in_world(&f);
                if (k == 0) {
                    expected[at] = mean;
                } else {
                    worst = fmax(worst, vec_length(vec_sub(mean, expected[at])));
                }
            }
        }
        CHECK_LT(worst, 0.1);
        fixture_free(&f);
    }
}

TLW_TEST(motion_far_from_the_origin_is_the_same_as_at_the_origin) {
    fixture near = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture far = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_move(&far, vec(1e5, -1e5, 1e5));
    fixture_settle(&near);
    fixture_settle(&far);
    for (int k = 0; k < 120; ++k) {
        fixture_dance(&near, k * H);
        far.pose = near.pose;
        fixture_move(&far, vec(1e5, -1e5, 1e5));
        CHECK_EQ(fixture_step(&near, 0.9 * H), 0u);
        CHECK_EQ(fixture_step(&far, 0.9 * H), 0u);
        CHECK_LT(largest_difference(near.o->p, far.o->p, near.small->input.voxel_count), 1e-6);
    }
    fixture_free(&near);
    fixture_free(&far);
}

TLW_TEST(a_scaled_character_moves_the_same_in_voxels) {
    fixture one = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture big = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 90; ++k) {
        fixture_dance(&one, k * H);
        big.pose = one.pose;
        big.pose.root_scale = 3;
        big.pose.root_position = vec_scale(one.pose.root_position, 3);
        fixture_step(&one, H);
        fixture_step(&big, H);
        if (k == 0) {
            fixture_settle(&one);
            fixture_settle(&big); // without this the change of scale would count as motion
        }
        CHECK_LT(largest_difference(one.o->p, big.o->p, one.small->input.voxel_count), 1e-6);
    }
    fixture_free(&one);
    fixture_free(&big);
}
