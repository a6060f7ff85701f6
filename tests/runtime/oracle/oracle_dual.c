// SPDX-License-Identifier: MIT
// Oracle, skinning by dual quaternions (MODEL 3.13): a point from the rigid motions D of its joints
// and from their stretches S about their binds.
#include "tests/runtime/oracle/oracle_private.h"

#define LEAST_STRETCH 1e-6 // smaller ones count as none

// e in r + epsilon e, for "rotate by r, then move by t": 1/2 t r.
static oracle_quat dual_part(oracle_vec t, oracle_quat r) {
    return quat_scale(quat_mul((oracle_quat){t.x, t.y, t.z, 0}, r), 0.5);
}

// The linear part of S = T_b R_b U U_b^-1 (T_b R_b)^-1.
static oracle_mat stretch_about_bind(const struct oracle_joint* bind, const oracle_trs* trs) {
    const oracle_mat stretch = oracle_stretch_of(trs), to = mat_of_quat(bind->bind_rotation);
    const oracle_mat own = mat_mul(&stretch, &bind->unbind_stretch), from = mat_transpose(&to);
    const oracle_mat turned = mat_mul(&own, &from);
    oracle_mat S = mat_mul(&to, &turned);
    double largest = 0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            largest = fmax(largest, fabs(S.m[row][column] - (row == column)));
        }
    }
    if (largest < LEAST_STRETCH) {
        S = (oracle_mat){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    }
    return S;
}

// x0 in model space, metres. y = sum w S x0, then the normalised blend of the joints' motions.
oracle_vec oracle_skin_point_dual(const oracle* o, const oracle_kept_pose* pose, oracle_vec x0,
                                  const uint32_t* joint, const double* weight, uint32_t count,
                                  oracle_mat* blended) {
    const uint32_t first = joint[oracle_largest_weight(weight, count)];
    const oracle_quat side = oracle_joint_rotation(o, pose, first);
    oracle_quat real = {0, 0, 0, 0}, dual = {0, 0, 0, 0};
    oracle_mat linear = {0};
    oracle_vec y = {0, 0, 0};
    for (uint32_t k = 0; k < count; ++k) {
        if (weight[k] == 0) {
            continue;
        }
        const struct oracle_joint* bind = &o->joints[joint[k]];
        const oracle_trs* trs = &pose->joints[joint[k]];
        const oracle_mat S = stretch_about_bind(bind, trs);
        const oracle_vec arm = vec_sub(x0, bind->bind_move);
        y = vec_add_scaled(y, weight[k], vec_add(bind->bind_move, mat_apply(&S, arm)));
        mat_add_scaled(&linear, weight[k], &S);

        const oracle_quat r = quat_align(oracle_joint_rotation(o, pose, joint[k]), side);
        const oracle_vec t = vec_sub(quat_rotate(pose->root_rotation, trs->translation),
                                     quat_rotate(r, bind->bind_move));
        real = quat_add(real, quat_scale(r, weight[k]));
        dual = quat_add(dual, quat_scale(dual_part(t, r), weight[k]));
    }
    const double length = sqrt(quat_dot(real, real));
    real = quat_scale(real, 1 / length);
    dual = quat_scale(dual, 1 / length);
    const oracle_quat move = quat_scale(quat_mul(dual, quat_conjugate(real)), 2);
    if (blended) {
        const oracle_mat rotation = mat_of_quat(real);
        *blended = mat_mul(&rotation, &linear);
    }
    const oracle_vec x = vec_add(quat_rotate(real, y), vec(move.x, move.y, move.z));
    return vec_scale(x, 1 / o->input->voxel_metres);
}
