// SPDX-License-Identifier: MIT
// Poses for skinning by dual quaternions (MODEL 3.13): each joint's rigid motion D as a dual
// quaternion, and its stretch S about its bind, so that joint times inverse bind is D S. With pose
// and bind as T R U,
//
//     D = T R (T_b R_b)^-1        S = T_b R_b U U_b^-1 (T_b R_b)^-1
//
// Q_b is R_b^T in the lattice's axes (the bind's lattice_rotation), and K = U_b^-1 Q_b the linear
// part of its `lattice`, so the linear part of S along these axes is Q_b^T U K.
#include "runtime/step/matrix.h"
#include "runtime/step/pose.h"

// A stretch whose linear part is nearer to the identity than this, in every number, is none: poses
// are floats.
#define STRETCH_LEAST 1e-6

// Both parts of a dual quaternion, from the rotation with its sign and the translation t: the dual
// part is half of t times the rotation.
static void set_dual(const double r[4], const double t[3], float real[4], float dual[4]) {
    const double pure[4] = {0.5 * t[0], 0.5 * t[1], 0.5 * t[2], 0.0};
    double product[4];
    tlw_multiply_rotations(pure, r, product);
    for (int i = 0; i < 4; ++i) {
        real[i] = (float)r[i];
        dual[i] = (float)product[i];
    }
}

static bool is_identity(double m[3][3]) {
    for (int i = 0; i < 9; ++i) {
        const double off = m[i / 3][i % 3] - (i % 4 == 0 ? 1.0 : 0.0);
        if (!(off < STRETCH_LEAST && off > -STRETCH_LEAST)) {
            return false;
        }
    }
    return true;
}

// The joint at `at` of the way from a to b.
typedef struct joint_between {
    double translation[3], rotation[4];
    double stretch[3][3]; // columns of U
} joint_between;

static joint_between joint_at(const tlw_joint_pose* from, const tlw_joint_pose* to, double at) {
    joint_between out;
    for (int i = 0; i < 3; ++i) {
        const double t = (double)from->translation[i];
        out.translation[i] = t + at * ((double)to->translation[i] - t);
        for (int k = 0; k < 3; ++k) {
            const double u = (double)from->stretch[i][k];
            out.stretch[i][k] = u + at * ((double)to->stretch[i][k] - u);
        }
    }
    tlw_blend_rotations(from->rotation, to->rotation, at, out.rotation);
    return out;
}

// U K and U k, for K and k of the bind's lattice: rows.
static void stretch_lattice(const joint_between* joint, const tlw_joint_bind* bind,
                            double out[3][4]) {
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) {
            out[i][k] = joint->stretch[0][i] * bind->lattice[0][k] +
                        joint->stretch[1][i] * bind->lattice[1][k] +
                        joint->stretch[2][i] * bind->lattice[2][k];
        }
    }
}

// R_b^T (o - t_b): the lattice's corner as the joint's rotation alone sees it, metres.
static void corner_of(const tlw_blob_lattice* l, const tlw_joint_bind* bind, double q[3][3],
                      double out[3]) {
    double along[3];
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t axis = (l->lane_axis + k) % 3;
        along[k] = l->origin[axis] - bind->matrix[axis][3];
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = tlw_dot(q[i], along);
    }
}

bool tlw_pose_duals(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                    const tlw_pose_moment* a, const tlw_pose_moment* b, double share,
                    const tlw_skin_entry* joints, tlw_dual_entry* duals) {
    const tlw_blob_lattice* l = blob->lattice;
    const tlw_root root = tlw_root_between(&a->root, &b->root, share);
    const double per_voxel = 1.0 / l->voxel_metres;
    const double at = share <= 0.0 ? 0.0 : share >= 1.0 ? 1.0 : share;
    double root_rotation[4];
    for (int i = 0; i < 4; ++i) {
        root_rotation[i] = (double)root.rotation[i];
    }
    tlw_normalise_rotation(root_rotation);
    bool has_stretch = false;
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        const tlw_joint_bind* bind = &binds[j];
        const tlw_joint_pose *from = at >= 1.0 ? &b->joints[j] : &a->joints[j],
                             *to = at <= 0.0 ? &a->joints[j] : &b->joints[j];
        const joint_between joint = joint_at(from, to, at);
        double q[3][3], corner[3], moved[3], stretched[3][4], linear[3][3], r[4];
        tlw_rows_of_rotation(bind->lattice_rotation, q);
        corner_of(l, bind, q, corner);
        stretch_lattice(&joint, bind, stretched);

        // The rotation as skin has it, with its sign.
        tlw_dual_entry* out = &duals[j];
        for (int i = 0; i < 4; ++i) {
            r[i] = (double)joints[j].rotation[i];
        }
        tlw_rotate_vector(joint.rotation, corner, moved);
        for (int i = 0; i < 3; ++i) {
            moved[i] = (moved[i] + joint.translation[i]) * per_voxel;
        }
        tlw_rotate_vector(root_rotation, moved, moved);
        set_dual(r, moved, out->real, out->dual);

        for (int i = 0; i < 9; ++i) {
            const int row = i / 3, k = i % 3;
            linear[row][k] = q[0][row] * stretched[0][k] + q[1][row] * stretched[1][k] +
                             q[2][row] * stretched[2][k];
        }
        const bool is_stretched = !is_identity(linear);
        has_stretch = has_stretch || is_stretched;
        for (int i = 0; i < 3; ++i) {
            double last = 0.0;
            for (int k = 0; k < 3; ++k) {
                const double off = (stretched[k][3] - corner[k]) * per_voxel;
                last += q[k][i] * off;
                out->stretch[k][i] = is_stretched ? (float)linear[i][k] : i == k ? 1.0f : 0.0f;
            }
            out->stretch[3][i] = is_stretched ? (float)last : 0.0f;
        }
        for (int k = 0; k < 4; ++k) {
            out->stretch[k][3] = 0.0f;
        }
    }
    return has_stretch;
}

// The rotation of a joint from its bind, without root and lattice: R R_b^T. Its sign is that of the
// joint's quaternion in skin, which has both.
static void rotation_from_bind(const tlw_joint_bind* bind, const double rotation[4],
                               const double axes[4], const double root[4],
                               const tlw_skin_entry* joint, double out[4]) {
    const double back[4] = {-axes[0], -axes[1], -axes[2], axes[3]};
    double whole[4], same = 0.0;
    tlw_multiply_rotations(rotation, bind->lattice_rotation, whole);
    tlw_multiply_rotations(whole, back, out);
    tlw_multiply_rotations(root, whole, whole);
    for (int i = 0; i < 4; ++i) {
        same += whole[i] * (double)joint->rotation[i];
    }
    for (int i = 0; i < 4 && same < 0.0; ++i) {
        out[i] = -out[i];
    }
}

// Whether two of these rotations may have a negative dot product: not if all are within 45 degrees
// of their mean as quaternions.
static bool may_point_apart(const tlw_dual_affine* duals, uint32_t count) {
    double mean[4] = {0.0, 0.0, 0.0, 0.0};
    for (uint32_t j = 0; j < count; ++j) {
        for (int i = 0; i < 4; ++i) {
            mean[i] += (double)duals[j].real[i];
        }
    }
    const double length2 =
        mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] + mean[3] * mean[3];
    if (!(length2 > 1e-12)) {
        return true;
    }
    const double by = tlw_inverse_sqrt_of(length2);
    for (uint32_t j = 0; j < count; ++j) {
        double same = 0.0;
        for (int i = 0; i < 4; ++i) {
            same += mean[i] * by * (double)duals[j].real[i];
        }
        if (!(same > 0.7072)) {
            return true;
        }
    }
    return false;
}

tlw_dual_flags tlw_pose_dual_affines(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                                     const tlw_pose_moment* pose, const tlw_skin_entry* joints,
                                     tlw_dual_affine* duals, tlw_affine* stretches) {
    const tlw_blob_lattice* l = blob->lattice;
    tlw_dual_flags flags = {false, false};
    double axes[4], root[4];
    tlw_lattice_rotation(l, axes);
    for (int i = 0; i < 4; ++i) {
        root[i] = (double)pose->root.rotation[i];
    }
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        const tlw_joint_bind* bind = &binds[j];
        const joint_between joint = joint_at(&pose->joints[j], &pose->joints[j], 0.0);
        double r[4], b[3][3], t[3], moved[3], linear[3][3], back[4], stretched[3][3];
        rotation_from_bind(bind, joint.rotation, axes, root, &joints[j], r);
        for (int i = 0; i < 3; ++i) {
            t[i] = bind->matrix[i][3];
        }
        tlw_rotate_vector(r, t, moved);
        for (int i = 0; i < 3; ++i) {
            moved[i] = joint.translation[i] - moved[i];
        }
        set_dual(r, moved, duals[j].real, duals[j].dual);

        // R_b U B^-1, the linear part of S in model space; R_b = R (R R_b^T)^T as rows.
        const double inverse[4] = {-r[0], -r[1], -r[2], r[3]};
        tlw_multiply_rotations(inverse, joint.rotation, back);
        tlw_rows_of_rotation(back, b);
        for (int i = 0; i < 9; ++i) {
            const int row = i / 3, k = i % 3;
            stretched[row][k] = joint.stretch[0][row] * bind->inverse[0][k] +
                                joint.stretch[1][row] * bind->inverse[1][k] +
                                joint.stretch[2][row] * bind->inverse[2][k];
        }
        for (int i = 0; i < 9; ++i) {
            const int row = i / 3, k = i % 3;
            linear[row][k] = b[row][0] * stretched[0][k] + b[row][1] * stretched[1][k] +
                             b[row][2] * stretched[2][k];
        }
        const bool is_stretched = !is_identity(linear);
        flags.has_stretch = flags.has_stretch || is_stretched;
        for (int i = 0; i < 3; ++i) {
            float* row = stretches[j].row[i];
            for (int k = 0; k < 3; ++k) {
                row[k] = is_stretched ? (float)linear[i][k] : i == k ? 1.0f : 0.0f;
            }
            row[3] = is_stretched ? (float)(t[i] - tlw_dot(linear[i], t)) : 0.0f;
        }
    }
    flags.may_point_apart = may_point_apart(duals, l->joint_count);
    return flags;
}
