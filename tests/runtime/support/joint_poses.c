// SPDX-License-Identifier: MIT
// Turns and stretches the joints of an oracle_pair.
#include "tests/runtime/support/joint_poses.h"

#include "tests/test.h"

static const double degree = 0.017453292519943295;

void pair_stretch_joints(oracle_pair* pair, stretch_kind kind, double t) {
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        double k[3][3]; // columns
        for (int n = 0; n < 9; ++n) {
            const double swing = 0.25 * sin((3 + 0.4 * n) * t + n + j);
            k[n / 3][n % 3] = n % 4 == 0 ? 1 + swing : kind >= SHEARED ? swing : 0;
        }
        for (int row = 0; row < 3 && kind % 2 == 1; ++row) { // this or that axis, of every joint
            k[j % 3][row] = -k[j % 3][row];
        }
        float* m = pair->joints[j];
        oracle_vec column[3];
        for (int c = 0; c < 3; ++c) {
            column[c] = vec(0, 0, 0);
            for (int n = 0; n < 3; ++n) {
                const double own[3] = {(double)m[4 * n], (double)m[4 * n + 1],
                                       (double)m[4 * n + 2]};
                column[c] = vec_add_scaled(column[c], k[c][n], vec_of(own));
            }
        }
        for (int c = 0; c < 3; ++c) {
            m[4 * c] = (float)column[c].x;
            m[4 * c + 1] = (float)column[c].y;
            m[4 * c + 2] = (float)column[c].z;
        }
    }
}

uint32_t pair_find_joint(const oracle_pair* pair, const char* name) {
    uint32_t joint = 0;
    CHECK_OK(tlw_blob_find_joint(&pair->blob, name, &joint));
    return joint;
}

oracle_vec pair_bone_direction(const oracle_pair* pair, uint32_t joint) {
    const oracle_vec at = vec_of(&pair->bind[joint][12]);
    oracle_vec along = {0, 0, 0};
    for (uint32_t j = pair->joint_count; j-- > 0;) { // the first child is the last to be found
        if (pair->parent[j] == joint) {
            along = vec_sub(vec_of(&pair->bind[j][12]), at);
        }
    }
    if (vec_length(along) == 0 && pair->parent[joint] != TLW_NO_JOINT) {
        along = vec_sub(at, vec_of(&pair->bind[pair->parent[joint]][12]));
    }
    CHECK_LT(0.0, vec_length(along));
    return vec_scale(along, 1 / vec_length(along));
}

void pair_turn_joint(oracle_pair* pair, uint32_t joint, int axis, double degrees) {
    const oracle_vec along = pair_bone_direction(pair, joint);
    oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}}, about = along;
    if (axis != PAIR_TWIST) {
        about = vec(axis == 0, axis == 1, axis == 2);
        about = vec_add_scaled(about, -vec_dot(about, along), along);
        CHECK_LT(0.1, vec_length(about));
        about = vec_scale(about, 1 / vec_length(about));
    }
    rotations[joint] = vec_scale(about, degrees * degree);
    pair_rest_pose(pair);
    pair_rotate_joints(pair, rotations, NULL);
}
