// SPDX-License-Identifier: MIT
// Joints that are scaled unevenly, sheared or mirrored (MODEL 4.1): a 4x4 must be reproduced
// exactly at both poses, with its rotation and the remaining stretch each interpolated in between.
// Compares p_skin and the output with the plain sum of w M x0 and with the oracle. Lengths are in
// voxels.
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/runtime/support/joint_poses.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const stretch_names[] = {"uneven", "uneven, mirrored", "sheared",
                                            "sheared, mirrored"};

// sum w M x0 with `joints` as 4x4 to model space, rotated by the root, in voxels.
static oracle_vec plain_sum(const oracle_pair* pair, const float (*joints)[16], oracle_vec rest,
                            const uint32_t* joint, const double* weight, int count) {
    const oracle_vec x0 = vec_add_scaled(vec_of(pair->info.origin), pair->info.voxel_metres, rest);
    oracle_vec sum = {0, 0, 0};
    for (int k = 0; k < count; ++k) {
        if (weight[k] == 0) {
            continue;
        }
        double m[16];
        for (int n = 0; n < 16; ++n) {
            m[n] = (double)joints[joint[k]][n];
        }
        const double* b = pair->bind[joint[k]];
        const oracle_mat bind = mat_of_columns(vec_of(b), vec_of(b + 4), vec_of(b + 8)),
                         linear = mat_of_columns(vec_of(m), vec_of(m + 4), vec_of(m + 8));
        const oracle_mat unbind = mat_inverse(&bind);
        const oracle_vec local = mat_apply(&unbind, vec_sub(x0, vec_of(b + 12)));
        sum = vec_add_scaled(sum, weight[k], vec_add(mat_apply(&linear, local), vec_of(m + 12)));
    }
    const float* r = pair->root.rotation;
    const oracle_quat root = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
    return quat_rotate(quat_normalise(root), vec_scale(sum, 1 / pair->info.voxel_metres));
}

static oracle_vec skinned_sum(const oracle_pair* pair, const float (*joints)[16], uint32_t voxel) {
    const uint32_t k = pair->oracle_voxel[voxel];
    return plain_sum(pair, joints, pair->o->rest[k], pair->cooked_input->input.joint[k],
                     pair->cooked_input->input.weight[k], 4);
}

// The largest difference between p_skin of the last substep and the sum at these joints.
static double skin_off(oracle_pair* pair, const float (*joints)[16]) {
    double off = 0;
    pair_read(pair);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const float* s = pair->state[i].skinned;
        const oracle_vec at = {(double)s[0], (double)s[1], (double)s[2]};
        off = fmax(off, vec_length(vec_sub(at, skinned_sum(pair, joints, i))));
    }
    return off;
}

// The same for all vertices that have skinning weights.
static double output_off(const oracle_pair* pair, const float* positions) {
    double off = 0;
    const float* r = pair->root.rotation;
    const oracle_quat root = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
    for (uint32_t v = 0; v < pair->info.vertex_count; ++v) {
        const oracle_bound_point* point = &pair->cooked_input->points[v];
        const double x[3] = {(double)positions[3 * v], (double)positions[3 * v + 1],
                             (double)positions[3 * v + 2]};
        double weight = 0;
        for (int k = 0; k < 8; ++k) {
            weight += point->skinning[k];
        }
        if (weight > 0) {
            const oracle_vec at = quat_rotate(quat_normalise(root),
                                              vec_scale(vec_of(x), 1 / pair->info.voxel_metres));
            const oracle_vec sum = plain_sum(pair, (const float(*)[16])pair->joints,
                                             vec_of(point->rest), point->joint, point->skinning, 8);
            off = fmax(off, vec_length(vec_sub(at, sum)));
        }
    }
    return off;
}

static oracle_pair* make_held(tlw_pose_kind pose_kind) {
    const oracle_pair_def def = {
        .preset = TLW_PRESET_DEFAULT, .has_oracle = true, .pose_kind = pose_kind};
    oracle_pair* pair = shape_pair(SHAPE_lump, 3, 26, &def);
    pair_set_skinned_volume(pair, false); // it would correct what the matrices say
    // A limit of 0: voxels follow the skeleton exactly.
    const tlw_material held = {
        .stiffness = 0.1f, .damping = 0.7f, .anchor_hz = 2, .limit_scale = 0};
    pair_set_material(pair, TLW_ALL, TLW_ALL, &held);
    return pair;
}

static void pose_at(oracle_pair* pair, stretch_kind kind, double t) {
    pair_dance(pair, t, shape_liveliness(pair));
    pair_stretch_joints(pair, kind, t);
}

static const char* const pose_names[] = {"matrices", "transforms", "skinning"};

TLW_TEST(sheared_uneven_and_mirrored_joints_put_voxels_and_vertices_where_their_matrices_say) {
    for (int pose = TLW_POSE_MATRICES; pose <= TLW_POSE_SKINNING; ++pose) {
        oracle_pair* pair = make_held((tlw_pose_kind)pose);
        float* positions = calloc(pair->info.vertex_count, 3 * sizeof *positions);
        CHECK(positions != NULL);
        tlw_output output = tlw_default_output();
        output.embedding = TLW_EMBED_DELTA;
        output.positions.data = positions;
        CHECK_OK(tlw_character_set_output(pair->world, pair->id, &output));
        // Transforms have no shear.
        const int kinds = pose == TLW_POSE_TRANSFORMS ? SHEARED : SHEARED_MIRRORED + 1;
        for (int kind = UNEVEN; kind < kinds; ++kind) {
            pose_at(pair, (stretch_kind)kind, 0);
            pair_settle(pair);
            double on = skin_off(pair, (const float(*)[16])pair->joints), oracle_off = 0,
                   output_gap = 0;
            for (int n = 1; n <= (PAIR_IS_SLOW ? 8 : 20); ++n) {
                pose_at(pair, (stretch_kind)kind, n / 120.0);
                CHECK_EQ(pair_step(pair, 1 / 120.0, false), 0u);
                if (n % 2 == 0) { // this call has a substep, at its own pose
                    on = fmax(on, skin_off(pair, (const float(*)[16])pair->joints));
                    oracle_off = fmax(oracle_off, pair_compare(pair).skin);
                }
                output_gap = fmax(output_gap, output_off(pair, positions));
            }
            printf("    %-10s %-17s p_skin %.1e off M x0, vertices %.1e, oracle %.1e\n",
                   pose_names[pose], stretch_names[kind], on, output_gap, oracle_off);
            CHECK_LT(on, 5e-5);
            CHECK_LT(output_gap, 5e-5);
            CHECK_LT(oracle_off, 5e-5);
        }
        free(positions);
        pair_free(pair);
    }
}

// The rotation and the remaining stretch are interpolated separately. Between two poses with the
// same rotation the whole matrix is therefore interpolated linearly.
TLW_TEST(shear_is_interpolated_linearly_between_poses_with_the_same_rotation) {
    for (int pose = TLW_POSE_MATRICES; pose <= TLW_POSE_SKINNING; pose += 2) {
        oracle_pair* pair = make_held((tlw_pose_kind)pose);
        float half[PAIR_JOINTS_MAX][16];
        double moved = 0;
        pose_at(pair, SHEARED, 0.3);
        pair_settle(pair);
        CHECK_EQ(pair_step(pair, 0.5 * PAIR_SUBSTEP, false),
                 0u); // the next substep is halfway to the next pose
        memcpy(half, pair->joints, sizeof half);
        for (uint32_t j = 0; j < pair->joint_count; ++j) {
            float* m = pair->joints[j];
            for (int n = 0; n < 3; ++n) { // x is scaled, y and z are sheared too
                const float x = m[n], y = m[4 + n], z = m[8 + n];
                m[n] = 1.08f * x;
                m[4 + n] = 0.94f * y + 0.1f * x;
                m[8 + n] = 1.05f * z - 0.1f * x + 0.08f * y;
                m[12 + n] += 0.01f * (float)n;
            }
            for (int n = 0; n < 16; ++n) {
                half[j][n] = 0.5f * (half[j][n] + m[n]);
            }
        }
        CHECK_EQ(pair_step(pair, PAIR_SUBSTEP, false), 0u);
        const double off = skin_off(pair, (const float(*)[16])half),
                     oracle_off = pair_compare(pair).skin;
        for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
            moved = fmax(moved,
                         vec_length(vec_sub(skinned_sum(pair, (const float(*)[16])pair->joints, i),
                                            skinned_sum(pair, (const float(*)[16])half, i))));
        }
        printf("    %-10s halfway: %.1e off the mean of both, %.1e off the oracle (%.2f to go)\n",
               pose_names[pose], off, oracle_off, moved);
        CHECK_LT(off, 5e-5);
        CHECK_LT(oracle_off, 5e-5);
        CHECK_LT(0.2, moved);
        pair_free(pair);
    }
}

TLW_TEST(runtime_and_oracle_agree_on_uneven_and_sheared_joints_at_any_frame_rate) {
    static const double rates[] = {60, 37, 144};
    for (size_t n = 0; n < TLW_COUNT_OF(rates); ++n) {
        const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT,
                                     .has_oracle = true,
                                     .pose_kind = n == 1 ? TLW_POSE_SKINNING : TLW_POSE_MATRICES};
        oracle_pair* pair = shape_pair(n == 2 ? SHAPE_ell_with_cuts : SHAPE_lump, 3, 26, &def);
        const stretch_kind kind = n == 0 ? UNEVEN : SHEARED;
        oracle_pair_gap worst = {0};
        pose_at(pair, kind, 0);
        pair_settle(pair);
        for (int k = 1; k <= (int)(rates[n] * (PAIR_IS_SLOW ? 0.2 : 0.5)); ++k) {
            pose_at(pair, kind, k / rates[n]);
            CHECK_EQ(pair_step(pair, 1 / rates[n], false), 0u);
            const oracle_pair_gap gap = pair_compare(pair);
            worst.p = fmax(worst.p, gap.p);
            worst.skin = fmax(worst.skin, gap.skin);
            worst.rotation = fmax(worst.rotation, gap.rotation);
        }
        printf("    %3g Hz %-8s p %.1e, skin %.1e, R %.1e; off by %.2f\n", rates[n],
               stretch_names[kind], worst.p, worst.skin, worst.rotation,
               pair_largest_deviation(pair));
        CHECK_LT(worst.p, 1e-3);
        CHECK_LT(worst.skin, 5e-5);
        CHECK_LT(worst.rotation, 1e-3);
        pair_free(pair);
    }
}
