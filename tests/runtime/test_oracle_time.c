// SPDX-License-Identifier: MIT
// The oracle's time layer: poses between calls, the accumulator, output, jumps, teleports, bad
// input.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <stdlib.h>
#include <string.h>

static double largest_output_deviation(const oracle* o) {
    return largest_difference(o->out_p, o->out_p_skin, o->body->voxel_count);
}

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

// Of rotation and translation only.
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
    fixture beds[3];
    for (int k = 0; k < 3; ++k) {
        beds[k] = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    }
    for (int s = 0; s < 30; ++s) {
        fixture_dance(&beds[0], s * H);
        body_pose* pose = &beds[0].pose;
        pose->joints[0].scale = vec(1.1, 1.1, 1.1);
        pose->joints[1].scale = vec(0.9, 1.05, 1.2);
        oracle_pose given = body_oracle_pose(pose);
        double matrices[BODY_JOINTS][16], skinning[BODY_JOINTS][16];
        for (int j = 0; j < BODY_JOINTS; ++j) {
            double unbind[16];
            set_matrix(matrices[j], &pose->joints[j]);
            invert_rigid(beds[0].b->bind[j], unbind);
            multiply(matrices[j], unbind, skinning[j]);
        }
        CHECK(oracle_set_pose(beds[0].o, &given));
        given.kind = ORACLE_POSE_MATRICES;
        given.matrices = (const double(*)[16])matrices;
        CHECK(oracle_set_pose(beds[1].o, &given));
        given.kind = ORACLE_POSE_SKINNING;
        given.matrices = (const double(*)[16])skinning;
        CHECK(oracle_set_pose(beds[2].o, &given));
        for (int k = 0; k < 3; ++k) {
            oracle_step(beds[k].o, 0.7 * H, false); // poses between calls
        }
        const uint32_t n = beds[0].b->body.voxel_count;
        CHECK_LT(largest_difference(beds[0].o->p, beds[1].o->p, n), 1e-9);
        CHECK_LT(largest_difference(beds[0].o->p, beds[2].o->p, n), 1e-9);
    }
    for (int k = 0; k < 3; ++k) {
        fixture_free(&beds[k]);
    }
}

TLW_TEST(a_mirrored_matrix_is_kept_and_does_not_turn_the_voxels) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    t.pose.joints[0].scale.z = -1;
    const oracle_pose trs = body_oracle_pose(&t.pose);
    double matrices[BODY_JOINTS][16];
    for (int j = 0; j < BODY_JOINTS; ++j) {
        set_matrix(matrices[j], &t.pose.joints[j]);
    }
    oracle_pose given = trs;
    given.kind = ORACLE_POSE_MATRICES;
    given.matrices = (const double(*)[16])matrices;
    CHECK(oracle_set_pose(t.o, &given));
    oracle_step(t.o, H, true);
    // A voxel of joint 0 alone: z about the joint, at the grid's lowest z, changes its sign.
    const oracle_vec rest =
        vec_add_scaled(vec_scale(vec_of(t.b->body.origin), 20), 1, t.o->rest[0]);
    CHECK_NEAR(t.o->p_skin_prev[0].z, 2 * 20 * t.b->body.origin[2] - rest.z, 1e-9);
    CHECK_NEAR(t.o->p_skin_prev[0].x, rest.x, 1e-9);
    CHECK_LT(quat_angle(t.o->Rb[0], QUAT_IDENTITY), 1e-9);
    fixture_free(&t);
}

TLW_TEST(a_matrix_of_any_nine_numbers_moves_voxels_as_it_stands) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    uint64_t seed = 17;
    int mirrored = 0;
    for (int n = 0; n < 20; ++n) {
        double matrices[BODY_JOINTS][16], unbind[BODY_JOINTS][16], skinning[BODY_JOINTS][16];
        for (int j = 0; j < BODY_JOINTS; ++j) {
            set_matrix(matrices[j], &t.pose.joints[j]);
            for (int k = 0; k < 12; ++k) {
                matrices[j][k] = k % 4 < 3 ? random_unit(&seed) : 0;
            }
            invert_rigid(t.b->bind[j], unbind[j]);
            multiply(matrices[j], unbind[j], skinning[j]);
        }
        const double* m = matrices[0];
        mirrored += vec_dot(vec_cross(vec_of(m), vec_of(m + 4)), vec_of(m + 8)) < 0;
        oracle_pose given = body_oracle_pose(&t.pose);
        given.kind = ORACLE_POSE_MATRICES;
        given.matrices = (const double(*)[16])matrices;
        CHECK(oracle_set_pose(t.o, &given));
        oracle_step(t.o, H, true);
        for (uint32_t i = 0; i < t.b->body.voxel_count; ++i) {
            const oracle_vec x =
                vec_add_scaled(vec_of(t.b->body.origin), t.b->body.voxel_metres, t.o->rest[i]);
            oracle_vec sum = {0, 0, 0};
            for (int k = 0; k < 4 && t.b->weight[i][k] > 0; ++k) {
                const double* s = skinning[t.b->joint[i][k]];
                const double w = t.b->weight[i][k] / t.b->body.voxel_metres;
                const oracle_mat linear = mat_of_columns(vec_of(s), vec_of(s + 4), vec_of(s + 8));
                sum = vec_add_scaled(sum, w, vec_add(mat_apply(&linear, x), vec_of(s + 12)));
            }
            CHECK_LT(vec_length(vec_sub(t.o->p_skin_prev[i], sum)), 1e-9);
        }
    }
    CHECK_LT(0, mirrored);
    CHECK_LT(mirrored, 20);
    fixture_free(&t);
}

TLW_TEST(skinning_is_the_weighted_sum_of_the_joints_and_rotations_blend_beside_it) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    const oracle_vec turn = {0.4, 0, 0};
    body_bend(&t.pose, turn);
    t.pose.root_rotation = quat_exp(vec(0, 0, 1));
    fixture_settle(&t);
    const oracle_vec joint = vec_scale(t.pose.joints[1].translation, 1 / t.b->body.voxel_metres);
    for (uint32_t i = 0; i < t.b->body.voxel_count; ++i) {
        const oracle_vec x =
            vec_add_scaled(t.o->rest[i], 1 / t.b->body.voxel_metres, vec_of(t.b->body.origin));
        const double w = t.b->joint[i][0] == 1 ? t.b->weight[i][0] : t.b->weight[i][1];
        const oracle_vec turned = vec_add(joint, quat_rotate(quat_exp(turn), vec_sub(x, joint)));
        const oracle_vec expected = quat_rotate(t.pose.root_rotation, vec_lerp(x, turned, w));
        CHECK_LT(vec_length(vec_sub(t.o->p[i], expected)), 1e-9);
        // Half angles blend nearly linearly: nlerp against slerp is off by less than 1e-3 here.
        const oracle_quat Rb = quat_mul(t.pose.root_rotation, quat_exp(vec_scale(turn, w)));
        CHECK_LT(quat_angle(t.o->Rb[i], Rb), 1e-3);
    }
    fixture_free(&t);
}

TLW_TEST(a_bad_pose_is_refused_and_the_last_good_one_stays) {
    fixture t = fixture_make(BODY_box, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_dance(&t, 0.1);
    fixture_step(&t, H);
    const body_pose good = t.pose;
    for (int k = 0; k < 7; ++k) {
        body_pose bad = good;
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
        const oracle_pose pose = body_oracle_pose(&bad);
        CHECK(!oracle_set_pose(t.o, &pose));
        CHECK_EQ(oracle_step(t.o, H, false), (unsigned)ORACLE_BAD_POSE);
        CHECK_EQ(vec_length(vec_sub(vec_of(t.o->last.root_position), good.root_position)), 0.0);
    }
    CHECK_EQ(fixture_step(&t, H), 0u);
    fixture_free(&t);
}

// Time

TLW_TEST(substeps_follow_the_time_that_passed) {
    fixture t = fixture_make(BODY_single, 3, 26, ORACLE_PRESET_DEFAULT);
    static const int rates[] = {24, 30, 60, 90, 144, 240};
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        uint32_t count = 0;
        for (int s = 0; s < 10 * rates[k]; ++s) {
            CHECK_EQ(fixture_step(&t, 1.0 / rates[k]), 0u);
            count += t.o->substep_count;
            CHECK_LE(0, t.o->accumulator);
            CHECK_LT(t.o->accumulator, H);
        }
        CHECK_EQ(count, 600u);
    }
    fixture_free(&t);
}

TLW_TEST(dt_that_is_no_time_changes_nothing) {
    fixture t = fixture_make(BODY_box, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 10; ++k) {
        fixture_dance(&t, k * H);
        fixture_step(&t, 1.3 * H);
    }
    const size_t bytes = t.b->body.voxel_count * sizeof(oracle_vec);
    oracle_vec* p = malloc(bytes);
    oracle_vec* out = malloc(bytes);
    CHECK(p && out);
    memcpy(p, t.o->p, bytes);
    memcpy(out, t.o->out_p, bytes);
    const double accumulator = t.o->accumulator;
    static const double bad[] = {0, -1, -0.0, NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < TLW_COUNT_OF(bad); ++k) {
        fixture_dance(&t, 11 * H);
        CHECK_EQ(fixture_step(&t, bad[k]), (unsigned)ORACLE_BAD_DT);
        CHECK_EQ(t.o->accumulator, accumulator);
        CHECK_BYTES(t.o->p, p, bytes);
        CHECK_BYTES(t.o->out_p, out, bytes);
    }
    CHECK_EQ(oracle_step(t.o, H, false), 0u); // the pose had waited
    CHECK_EQ(t.o->last.root_position[0], t.pose.root_position.x);
    free(p);
    free(out);
    fixture_free(&t);
}

TLW_TEST(a_long_dt_drops_the_oldest_time_and_carries_the_state_over_it) {
    static const double longs[] = {5 * H, 0.1, 1, 1e9, 1.7e308};
    for (size_t k = 0; k < TLW_COUNT_OF(longs); ++k) {
        fixture t = fixture_make(BODY_box, 3, 26, ORACLE_PRESET_DEFAULT);
        for (int s = 0; s < 120; ++s) { // run at constant speed
            fixture_move(&t, vec(0.1, 0, 0));
            fixture_step(&t, H);
        }
        const double speed = 0.1 / H; // voxels/s
        fixture_move(&t, vec(speed * fmin(longs[k], 1e6), 0, 0));
        CHECK_EQ(fixture_step(&t, longs[k]), (unsigned)ORACLE_DROPPED_TIME);
        CHECK_EQ(t.o->substep_count, 4u);
        CHECK_EQ(t.o->carried_count, 0u);
        CHECK_LT(t.o->accumulator, H);
        CHECK_LT(oracle_largest_deviation(t.o), 0.01); // no kick
        if (longs[k] < 2) {
            CHECK_NEAR(t.o->v_skin[0].x, speed, 1e-6);
        }
        fixture_move(&t, vec(0.1, 0, 0));
        CHECK_EQ(fixture_step(&t, H), 0u);
        CHECK_LT(oracle_largest_deviation(t.o), longs[k] < 2 ? 0.01 : 0.2);
        fixture_free(&t);
    }
}

TLW_TEST(substeps_see_the_pose_of_their_own_moment) {
    fixture t = fixture_make(BODY_box, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int s = 1; s <= 4; ++s) { // 240 Hz, a motion that is not linear
        const double at = s / 240.0;
        t.pose = body_rest_pose(t.b);
        fixture_move(&t, vec(900 * at * at, 0, 0));
        fixture_step(&t, 1 / 240.0);
        CHECK_EQ(t.o->substep_count, s == 4 ? 1u : 0u);
    }
    CHECK_NEAR(t.o->root_at_substep[0], 0.05 * 900 / 3600.0, 1e-12);
    // 1.5 substeps a call: the first substep of the next is a third of the way.
    t.pose = body_rest_pose(t.b);
    fixture_settle(&t);
    fixture_move(&t, vec(1, 0, 0));
    fixture_step(&t, 1.5 * H);
    CHECK_NEAR(t.o->root_at_substep[0], 0.05 * 2 / 3.0, 1e-12);
    fixture_move(&t, vec(1.5, 0, 0));
    fixture_step(&t, 1.5 * H);
    CHECK_EQ(t.o->substep_count, 2u);
    CHECK_NEAR(t.o->root_at_substep[0], 0.05 * 2.5, 1e-12);
    CHECK_NEAR(t.o->v_skin[0].x, 60, 1e-6); // of the last: 1.5 over 1.5 H
    fixture_free(&t);
}

TLW_TEST(output_is_in_step_with_the_pose_at_any_frame_rate) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    uint64_t seed = 21;
    double time = 0;
    while (time < 6) {
        const double dt = H * (0.1 + 1.6 * fabs(random_unit(&seed)));
        time += dt;
        fixture_move(&t, vec(12 * dt, -5 * dt, 0));
        CHECK_EQ(fixture_step(&t, dt), 0u);
        if (time > 2) {
            CHECK_LT(largest_output_deviation(t.o), 0.01);
        }
    }
    CHECK_LT(largest_output_deviation(t.o), 1e-4);
    fixture_free(&t);
}

TLW_TEST(output_blends_the_last_two_deviations_by_the_accumulator) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int s = 0; s < 40; ++s) {
        fixture_dance(&t, s * H);
        fixture_step(&t, H);
    }
    const oracle_vec before = t.o->d1[0];
    fixture_dance(&t, 40 * H);
    fixture_step(&t, H);
    CHECK_EQ(vec_length(vec_sub(t.o->d0[0], before)), 0.0);
    CHECK_LT(1e-4, vec_length(vec_sub(t.o->d1[0], before)));
    fixture same = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int quarter = 1; quarter <= 3; ++quarter) {
        fixture_dance(&t, (40 + 0.25 * quarter) * H);
        fixture_step(&t, 0.25 * H);
        same.pose = t.pose;
        fixture_settle(&same);
        CHECK_LT(largest_difference(t.o->out_p_skin, same.o->p, t.b->body.voxel_count), 1e-12);
        CHECK_EQ(t.o->substep_count, 0u);
        for (uint32_t i = 0; i < t.b->body.voxel_count; ++i) {
            const oracle_vec d = vec_add(vec_scale(t.o->d0[i], 1 - 0.25 * quarter),
                                         vec_scale(t.o->d1[i], 0.25 * quarter));
            const oracle_vec p = vec_add(t.o->out_p_skin[i], quat_rotate(t.o->out_Rb[i], d));
            CHECK_LT(vec_length(vec_sub(p, t.o->out_p[i])), 1e-9);
        }
        // d is what the state says it is
        const oracle_vec d = quat_unrotate(t.o->Rb[0], vec_sub(t.o->p[0], t.o->p_skin_prev[0]));
        CHECK_LT(vec_length(vec_sub(d, t.o->d1[0])), 1e-12);
        CHECK_LT(quat_angle(quat_mul(t.o->Rb[0], t.o->Q1[0]), t.o->R[0]), 1e-7);
        CHECK_LE(0, t.o->Q1[0].w);
    }
    CHECK_LT(0.05, largest_output_deviation(t.o));
    fixture_free(&same);
    fixture_free(&t);
}

// Mean of the soft voxels in the world, in voxels.
static oracle_vec mean_in_world(const fixture* t) {
    oracle_vec sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->b->body.voxel_count; ++i) {
        if (t->b->layer[i] != 0) {
            sum = vec_add(sum, t->o->out_p[i]);
            count += 1;
        }
    }
    const oracle_vec root = vec_scale(t->pose.root_position, 1 / t->b->body.voxel_metres);
    return vec_add(root, vec_scale(sum, 1.0 / count));
}

// A run with a sudden stop at 2 s, then a dance.
static void pose_at(fixture* t, double time) {
    fixture_dance(t, fmax(0, time - 2.5));
    fixture_move(t, vec(20 * fmin(time, 2), 0, 0));
}

TLW_TEST(the_look_does_not_depend_on_the_frame_rate) {
    static const int rates[] = {60, 24, 30, 90, 144, 240};
    enum { TIMES = 30 }; // every 1/6 s
    oracle_vec expected[TIMES];
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        double worst = 0;
        for (int frame = 1; frame <= TIMES * rates[k] / 6; ++frame) {
            pose_at(&t, (double)frame / rates[k]);
            CHECK_EQ(fixture_step(&t, 1.0 / rates[k]), 0u);
            if (frame % (rates[k] / 6) == 0) {
                const int at = frame / (rates[k] / 6) - 1;
                const oracle_vec mean = mean_in_world(&t);
                if (k == 0) {
                    expected[at] = mean;
                } else {
                    worst = fmax(worst, vec_length(vec_sub(mean, expected[at])));
                }
            }
        }
        CHECK_LT(worst, 0.1);
        fixture_free(&t);
    }
}

TLW_TEST(far_from_the_origin_it_looks_as_at_the_origin) {
    fixture near = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture far = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_move(&far, vec(1e5, -1e5, 1e5));
    fixture_settle(&near);
    fixture_settle(&far);
    for (int k = 0; k < 120; ++k) {
        fixture_dance(&near, k * H);
        far.pose = near.pose;
        fixture_move(&far, vec(1e5, -1e5, 1e5));
        CHECK_EQ(fixture_step(&near, 0.9 * H), 0u);
        CHECK_EQ(fixture_step(&far, 0.9 * H), 0u);
        CHECK_LT(largest_difference(near.o->p, far.o->p, near.b->body.voxel_count), 1e-6);
    }
    fixture_free(&near);
    fixture_free(&far);
}

TLW_TEST(a_scaled_character_moving_as_many_voxels_moves_alike) {
    fixture one = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture big = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 90; ++k) {
        fixture_dance(&one, k * H);
        big.pose = one.pose;
        big.pose.root_scale = 3;
        big.pose.root_position = vec_scale(one.pose.root_position, 3);
        fixture_step(&one, H);
        fixture_step(&big, H);
        if (k == 0) {
            fixture_settle(&one);
            fixture_settle(&big); // the scale itself came in between
        }
        CHECK_LT(largest_difference(one.o->p, big.o->p, one.b->body.voxel_count), 1e-6);
    }
    fixture_free(&one);
    fixture_free(&big);
}

// Jumps

TLW_TEST(a_jump_puts_deviation_velocity_and_rotation_on_the_new_pose) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t n = t.b->body.voxel_count;
    for (int k = 0; k < 40; ++k) {
        fixture_dance(&t, k * H);
        fixture_step(&t, H);
    }
    oracle_vec* d = calloc(n, sizeof *d);
    oracle_vec* relative = calloc(n, sizeof *relative);
    oracle_quat* Q = calloc(n, sizeof *Q);
    CHECK(d && relative && Q);
    for (uint32_t i = 0; i < n; ++i) {
        d[i] = t.o->d1[i];
        Q[i] = t.o->Q1[i];
        relative[i] = quat_unrotate(t.o->Rb[i], vec_sub(t.o->v[i], t.o->v_skin[i]));
    }
    fixture_move(&t, vec(0, 500, 0));
    t.pose.root_rotation = quat_exp(vec(1, 2, 0.5));
    CHECK_EQ(fixture_step(&t, 2 * H), (unsigned)ORACLE_JUMPED);
    CHECK_EQ(t.o->carried_count, 2u);
    fixture_move(&t, vec(0.2, 0, 0));
    CHECK_EQ(fixture_step(&t, H), 0u);
    CHECK_EQ(t.o->carried_count, 1u);
    for (uint32_t i = 0; i < n; ++i) {
        CHECK_LT(vec_length(vec_sub(t.o->d1[i], d[i])), 1e-9);
        const oracle_vec v = quat_unrotate(t.o->Rb[i], t.o->v[i]);
        CHECK_LT(vec_length(vec_sub(v, relative[i])), 1e-9);
        CHECK_LT(quat_angle(t.o->Q1[i], Q[i]), 1e-6);
        CHECK_EQ(vec_length(t.o->v_skin[i]), 0.0);
        const oracle_vec p = vec_add(t.o->p_skin_prev[i], quat_rotate(t.o->Rb[i], t.o->d1[i]));
        CHECK_LT(vec_length(vec_sub(p, t.o->p[i])), 1e-12);
    }
    // The first ordinary substep: predict is p + h (own v_skin + relative velocity).
    const oracle_vec p = t.o->p[0], v = t.o->v[0];
    fixture_move(&t, vec(0.2, 0, 0));
    CHECK_EQ(fixture_step(&t, H), 0u);
    CHECK_EQ(t.o->carried_count, 0u);
    const oracle_vec q = vec_add_scaled(vec_sub(p, vec(0.2, 0, 0)), H, v);
    const oracle_vec expected = vec_add(q, vec(0.2, 0, 0));
    CHECK_LT(vec_length(vec_sub(t.o->stage[ORACLE_STAGE_PREDICT][0], expected)), 1e-9);
    free(d);
    free(relative);
    free(Q);
    fixture_free(&t);
}

TLW_TEST(jumps_are_told_apart_from_motion_by_the_printed_distances) {
    const double L = 13.5;
    for (int k = 0; k < 6; ++k) {
        fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        fixture_step(&t, H);
        double dt = H;
        bool is_jump = k % 2 == 1;
        const double beyond = is_jump ? 1.001 : 0.999;
        if (k < 2) { // the root, in one substep's time or less
            dt = 0.5 * H;
            fixture_move(&t, vec(0, 0.25 * L * beyond, 0));
        } else if (k < 4) { // and in three
            dt = 3 * H;
            fixture_move(&t, vec(0, 0.75 * L * beyond, 0));
        } else { // any voxel: the joints move along
            const double metres = 0.20 * L * beyond * t.b->body.voxel_metres;
            t.pose.joints[1].translation.x += metres;
        }
        CHECK_EQ(fixture_step(&t, dt), is_jump ? (unsigned)ORACLE_JUMPED : 0u);
        fixture_free(&t);
    }
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    CHECK_EQ(oracle_step(t.o, H, true), (unsigned)ORACLE_JUMPED);
    fixture_free(&t);
}

// Running, and every half second back to where it began; calls with and without substeps.
TLW_TEST(jumping_back_in_a_run_gives_no_kick) {
    static const int rates[] = {24, 60, 100, 240};
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        unsigned jumps = 0;
        double worst = 0;
        for (int frame = 1; frame < 4 * rates[k]; ++frame) {
            t.pose = body_rest_pose(t.b);
            fixture_move(&t, vec(40.0 * (frame % rates[k]) / rates[k], 0, 0));
            const unsigned flags = fixture_step(&t, 1.0 / rates[k]);
            jumps += flags == ORACLE_JUMPED;
            CHECK(flags == ORACLE_JUMPED || flags == 0);
            if (frame >= rates[k]) {
                worst = fmax(worst, largest_output_deviation(t.o));
            }
        }
        CHECK_EQ(jumps, 3u);
        CHECK_LT(worst, 0.02); // what is left of the start
        fixture_free(&t);
    }
}

TLW_TEST(a_reset_in_a_run_gives_no_kick) {
    fixture t = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int frame = 1; frame < 300; ++frame) {
        fixture_move(&t, vec(0.31, 0, 0));
        CHECK_EQ(fixture_step(&t, 0.73 * H), 0u);
        if (frame % 70 == 69) {
            CHECK_LT(0.3 * H, t.o->accumulator);
            oracle_reset(t.o);
            CHECK_EQ(largest_output_deviation(t.o), 0.0);
        }
        if (frame > 69) {
            CHECK_LT(oracle_largest_deviation(t.o), 1e-9);
        }
    }
    fixture_free(&t);
}

TLW_TEST(a_teleport_moves_everything_and_changes_nothing_else) {
    const oracle_quat turn = quat_exp(vec(0.5, -1.2, 2));
    fixture a = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture b = fixture_make(BODY_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    const oracle_vec move = {30, 20, -10}; // metres
    double worst = 0;
    for (int k = 0; k < 160; ++k) {
        fixture_dance(&a, k * 0.8 * H);
        b.pose = a.pose;
        if (k >= 79) {
            b.pose.root_rotation = quat_mul(turn, a.pose.root_rotation);
            b.pose.root_position = vec_add(quat_rotate(turn, a.pose.root_position), move);
        }
        CHECK_EQ(fixture_step(&a, 0.8 * H), 0u);
        CHECK_EQ(fixture_step(&b, 0.8 * H), 0u);
        if (k == 78) {
            CHECK_LT(0.1 * H, a.o->accumulator); // between substeps
            const oracle_vec at = vec_add(quat_rotate(turn, a.pose.root_position), move);
            const oracle_quat to = quat_mul(turn, a.pose.root_rotation);
            oracle_teleport(b.o, (double[3]){at.x, at.y, at.z},
                            (double[4]){to.x, to.y, to.z, to.w});
        }
        for (uint32_t i = 0; i < a.b->body.voxel_count; ++i) {
            const oracle_quat r = k >= 78 ? turn : QUAT_IDENTITY;
            worst = fmax(worst, vec_length(vec_sub(quat_rotate(r, a.o->p[i]), b.o->p[i])));
            worst = fmax(worst, vec_length(vec_sub(quat_rotate(r, a.o->out_p[i]), b.o->out_p[i])));
            worst = fmax(worst, 0.01 * vec_length(vec_sub(quat_rotate(r, a.o->v[i]), b.o->v[i])));
        }
    }
    CHECK_LT(worst, 1e-3);
    fixture_free(&a);
    fixture_free(&b);
}

TLW_TEST(quiet_substeps_are_counted_once_everything_is_still) {
    fixture t = fixture_make(BODY_box, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 30; ++k) {
        fixture_dance(&t, k * H);
        fixture_step(&t, H);
        CHECK_EQ(t.o->quiet_substeps, 0u);
    }
    t.pose.joints[1] = body_rest_pose(t.b).joints[1];
    for (int k = 0; k < 300; ++k) {
        fixture_step(&t, H);
    }
    CHECK_LT(30u, t.o->quiet_substeps);
    CHECK_EQ(oracle_largest_deviation(t.o), 0.0);
    fixture_free(&t);
}
