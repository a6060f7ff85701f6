// SPDX-License-Identifier: MIT
// Poses: reads them, takes joints apart into translation, rotation and stretch, interpolates
// between two, and makes the skinning matrices (MODEL 4.1, 3.2). In double, because it is done once
// per joint; rounded to float where the passes take over.
#include "runtime/step/pose.h"

#include "runtime/step/matrix.h"

#include <string.h>

static bool is_usable(double value) {
    return value >= -1e18 && value <= 1e18; // false for a NaN
}

// M = T R U. False for a matrix that is not finite or that is singular.
static bool take_apart(double rows[3][4], tlw_joint_pose* out) {
    double m[3][3], r[3][3], rotation[4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            if (!is_usable(rows[i][j])) {
                return false;
            }
        }
        memcpy(m[i], rows[i], sizeof m[i]);
    }
    if (!tlw_rotation_of_matrix(m, r)) {
        return false;
    }
    tlw_rotation_of_rows(r, rotation);
    tlw_rows_of_rotation(rotation, r);
    for (int i = 0; i < 3; ++i) {
        out->translation[i] = (float)rows[i][3];
        for (int j = 0; j < 3; ++j) {
            out->stretch[j][i] = (float)(r[0][i] * m[0][j] + r[1][i] * m[1][j] + r[2][i] * m[2][j]);
        }
    }
    for (int i = 0; i < 4; ++i) {
        out->rotation[i] = (float)rotation[i];
    }
    return true;
}

// The lane axis is x, y or z and the other two follow it in cyclic order, so this is a rotation by
// a third of a circle around (1, 1, 1), or none.
void tlw_lattice_rotation(const tlw_blob_lattice* lattice, double out[4]) {
    const double third = lattice->lane_axis == 0 ? 0.0 : lattice->lane_axis == 1 ? 0.5 : -0.5;
    out[0] = out[1] = out[2] = third;
    out[3] = lattice->lane_axis == 0 ? 1.0 : 0.5;
}

void tlw_bind_of(const double bind[16], const tlw_blob_lattice* lattice, tlw_joint_bind* out) {
    double r[3][3], m[3][3], rotation[4] = {0.0, 0.0, 0.0, 1.0}, axes[4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            out->matrix[i][j] = bind[j * 4 + i];
        }
        memcpy(m[i], out->matrix[i], sizeof m[i]);
    }
    tlw_invert_affine(out->matrix, out->inverse);
    if (tlw_rotation_of_matrix(m, r)) { // always: the validator has checked it, tlw_blob_is_bind
        tlw_rotation_of_rows(r, rotation);
    }
    const double back[4] = {-rotation[0], -rotation[1], -rotation[2], rotation[3]};
    tlw_lattice_rotation(lattice, axes);
    tlw_multiply_rotations(back, axes, out->lattice_rotation);
    for (int i = 0; i < 3; ++i) {
        const double* row = out->inverse[i];
        for (uint32_t k = 0; k < 3; ++k) {
            out->lattice[i][k] = row[(lattice->lane_axis + k) % 3];
        }
        out->lattice[i][3] = row[0] * lattice->origin[0] + row[1] * lattice->origin[1] +
                             row[2] * lattice->origin[2] + row[3];
    }
}

static const tlw_joint_pose still_joint = {
    {0.0f, 0.0f, 0.0f},
    {0.0f, 0.0f, 0.0f, 1.0f},
    {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};

void tlw_pose_set_bind(const tlw_joint_bind* binds, uint32_t count, tlw_pose_moment* out) {
    for (uint32_t j = 0; j < count; ++j) {
        double rows[3][4];
        memcpy(rows, binds[j].matrix, sizeof rows);
        const bool is_whole = take_apart(rows, &out->joints[j]);
        TLW_ASSERT(is_whole); // the validator has checked it
        (void)is_whole;
    }
    out->root = (tlw_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

static const char bad_rotation[] = "a rotation that is not finite or has no length";

// Normalises a quaternion. False if it is not finite or has hardly any length.
static bool read_rotation(const float from[4], float out[4]) {
    double rotation[4], length2 = 0.0;
    for (int i = 0; i < 4; ++i) {
        rotation[i] = (double)from[i];
        length2 += rotation[i] * rotation[i];
    }
    if (!(length2 > 1e-12 && length2 < 1e12)) {
        return false;
    }
    tlw_normalise_rotation(rotation);
    for (int i = 0; i < 4; ++i) {
        out[i] = (float)rotation[i];
    }
    return true;
}

static const char not_finite[] = "a number that is not finite, or beyond 1e18";
static const char no_volume[] = "axes without a volume";

// Null, or what is wrong, a literal.
static const char* read_joint(const void* joints, uint32_t j, tlw_pose_kind kind,
                              const tlw_joint_bind* bind, tlw_joint_pose* out) {
    if (kind == TLW_POSE_TRANSFORMS) {
        const tlw_transform* from = (const tlw_transform*)joints + j;
        *out = still_joint;
        for (int i = 0; i < 3; ++i) {
            const double scale = (double)from->scale[i];
            if (!is_usable((double)from->translation[i]) || !is_usable(scale)) {
                return not_finite;
            }
            if (!(scale > 1e-12 || scale < -1e-12)) {
                return "a scale of 0";
            }
            out->translation[i] = from->translation[i];
            out->stretch[i][i] = from->scale[i];
        }
        return read_rotation(from->rotation, out->rotation) ? NULL : bad_rotation;
    }
    const float* m = (const float*)joints + (size_t)j * 16;
    double rows[3][4], whole[3][4];
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            rows[i][k] = (double)m[k * 4 + i];
        }
        if (!is_usable((double)m[k * 4 + 3])) { // not used, but a sign of garbage
            return not_finite;
        }
    }
    for (int k = 0; k < 12; ++k) {
        if (!is_usable(rows[k / 4][k % 4])) {
            return not_finite;
        }
    }
    if (kind == TLW_POSE_SKINNING) {
        tlw_multiply_affine(rows, bind->matrix, whole);
        return take_apart(whole, out) ? NULL : no_volume;
    }
    return take_apart(rows, out) ? NULL : no_volume;
}

static const char* read_root(const tlw_root* from, tlw_root* out) {
    for (int i = 0; i < 3; ++i) {
        if (!is_usable(from->position[i])) {
            return not_finite;
        }
    }
    *out = *from;
    if (!(from->scale > 1e-6f && from->scale < 1e6f)) {
        return "a scale that is not between 1e-6 and 1e6";
    }
    return read_rotation(from->rotation, out->rotation) ? NULL : bad_rotation;
}

tlw_pose_problem tlw_pose_read(const tlw_pose* pose, tlw_pose_kind kind,
                               const tlw_joint_bind* binds, tlw_pose_moment* out) {
    tlw_joint_pose joint;
    tlw_root root;
    tlw_pose_problem problem = {TLW_NO_INDEX, read_root(&pose->root, &root)};
    for (uint32_t j = 0; problem.what == NULL && j < pose->joint_count; ++j) {
        problem = (tlw_pose_problem){j, read_joint(pose->joints, j, kind, &binds[j], &joint)};
    }
    if (problem.what != NULL) {
        return problem;
    }
    // Joints are read twice, so that a bad one leaves the last good pose whole without a copy of
    // it.
    for (uint32_t j = 0; j < pose->joint_count; ++j) {
        (void)read_joint(pose->joints, j, kind, &binds[j], &out->joints[j]);
    }
    out->root = root;
    return problem;
}

bool tlw_pose_is_equal(const tlw_pose_moment* a, const tlw_pose_moment* b, uint32_t count) {
    return memcmp(a->root.position, b->root.position, sizeof a->root.position) == 0 &&
           memcmp(a->root.rotation, b->root.rotation, sizeof a->root.rotation) == 0 &&
           a->root.scale == b->root.scale &&
           memcmp(a->joints, b->joints, count * sizeof *a->joints) == 0;
}

void tlw_blend_rotations(const float a[4], const float b[4], double share, double out[4]) {
    double same = 0.0;
    for (int i = 0; i < 4; ++i) {
        same += (double)a[i] * (double)b[i];
    }
    for (int i = 0; i < 4; ++i) {
        const double other = same < 0.0 ? -(double)b[i] : (double)b[i];
        out[i] = (double)a[i] + share * (other - (double)a[i]);
    }
    tlw_normalise_rotation(out);
}

static double between(double a, double b, double share) {
    return a + share * (b - a);
}

tlw_root tlw_root_between(const tlw_root* a, const tlw_root* b, double share) {
    if (share <= 0.0 || share >= 1.0) {
        return share <= 0.0 ? *a : *b;
    }
    tlw_root out = {.scale = (float)between((double)a->scale, (double)b->scale, share)};
    double rotation[4];
    tlw_blend_rotations(a->rotation, b->rotation, share, rotation);
    for (int i = 0; i < 4; ++i) {
        out.rotation[i] = (float)rotation[i];
    }
    for (int i = 0; i < 3; ++i) {
        out.position[i] = between(a->position[i], b->position[i], share);
    }
    return out;
}

void tlw_pose_joints(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                     const tlw_pose_moment* a, const tlw_pose_moment* b, double share,
                     tlw_skin_entry* joints) {
    const tlw_blob_lattice* l = blob->lattice;
    const tlw_root root = tlw_root_between(&a->root, &b->root, share);
    double root_rotation[4], root_r[3][3];
    for (int i = 0; i < 4; ++i) {
        root_rotation[i] = (double)root.rotation[i];
    }
    tlw_normalise_rotation(root_rotation);
    tlw_rows_of_rotation(root_rotation, root_r);
    const double per_voxel = 1.0 / l->voxel_metres;
    const double at = share <= 0.0 ? 0.0 : share >= 1.0 ? 1.0 : share;
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        // At an end, both are the same pose, so that its bits come back.
        const tlw_joint_pose *from = at >= 1.0 ? &b->joints[j] : &a->joints[j],
                             *to = at <= 0.0 ? &a->joints[j] : &b->joints[j];
        double rotation[4], r[3][3], stretch[3][3], rows[3][3], t[3];
        for (int i = 0; i < 3; ++i) {
            t[i] = between((double)from->translation[i], (double)to->translation[i], at);
            for (int k = 0; k < 3; ++k) {
                stretch[i][k] = between((double)from->stretch[i][k], (double)to->stretch[i][k], at);
            }
        }
        tlw_blend_rotations(from->rotation, to->rotation, at, rotation);
        tlw_multiply_rotations(root_rotation, rotation, rotation);
        tlw_rows_of_rotation(rotation, r);
        tlw_multiply_stretch(r, stretch, rows);
        const tlw_joint_bind* bind = &binds[j];
        tlw_skin_entry* out = &joints[j];
        for (int i = 0; i < 3; ++i) {
            double moved[4];
            for (int k = 0; k < 4; ++k) {
                moved[k] = rows[i][0] * bind->lattice[0][k] + rows[i][1] * bind->lattice[1][k] +
                           rows[i][2] * bind->lattice[2][k];
            }
            moved[3] += root_r[i][0] * t[0] + root_r[i][1] * t[1] + root_r[i][2] * t[2];
            moved[3] *= per_voxel;
            for (int k = 0; k < 4; ++k) {
                out->column[k][i] = (float)moved[k];
            }
        }
        for (int k = 0; k < 4; ++k) {
            out->column[k][3] = 0.0f;
        }
        tlw_multiply_rotations(rotation, bind->lattice_rotation, rotation);
        for (int i = 0; i < 4; ++i) {
            out->rotation[i] = (float)rotation[i];
        }
    }
}

void tlw_pose_affines(const tlw_joint_bind* binds, const tlw_pose_moment* pose, uint32_t count,
                      tlw_affine* joint_affines) {
    for (uint32_t j = 0; j < count; ++j) {
        const tlw_joint_pose* joint = &pose->joints[j];
        double rotation[4], r[3][3], stretch[3][3], linear[3][3], rows[3][4], skin[3][4];
        for (int i = 0; i < 4; ++i) {
            rotation[i] = (double)joint->rotation[i];
        }
        tlw_normalise_rotation(rotation);
        tlw_rows_of_rotation(rotation, r);
        for (int i = 0; i < 9; ++i) {
            stretch[i / 3][i % 3] = (double)joint->stretch[i / 3][i % 3];
        }
        tlw_multiply_stretch(r, stretch, linear);
        for (int i = 0; i < 3; ++i) {
            memcpy(rows[i], linear[i], sizeof linear[i]);
            rows[i][3] = (double)joint->translation[i];
        }
        tlw_multiply_affine(rows, (const double(*)[4])binds[j].inverse, skin);
        for (int i = 0; i < 12; ++i) {
            joint_affines[j].row[i / 4][i % 4] = (float)skin[i / 4][i % 4];
        }
    }
}

static float dot_rotations(const tlw_skin_entry* joint, const tlw_skin_entry* other) {
    const float *a = joint->rotation, *b = other->rotation;
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Whether the quaternions of two joints have a negative dot product: a blend of them would cancel.
static bool points_apart(const tlw_skin_entry* joint, const tlw_skin_entry* other) {
    return dot_rotations(joint, other) < 0.0f;
}

// Flips signs so that no joint's quaternion points away from its parent's. Parents may come after
// their children: the way up from each joint is walked until it meets a joint whose sign is chosen,
// or a root, to find out whether the joint is to be flipped, and once more to choose the signs on
// it. So every joint is visited twice at most.
static void follow_parents(const tlw_blob_arrays* blob, tlw_skin_entry* joints) {
    const uint32_t count = blob->lattice->joint_count;
    uint8_t is_chosen[UINT16_MAX / 8 + 1];
    memset(is_chosen, 0, (count + 7) / 8);
    for (uint32_t j = 0; j < count; ++j) {
        bool is_flipped = false;
        for (uint32_t up = j; !(is_chosen[up / 8] >> up % 8 & 1);) {
            const uint32_t parent = blob->joints[up].parent;
            if (parent == TLW_BLOB_NO_INDEX) {
                break;
            }
            is_flipped = is_flipped != points_apart(&joints[up], &joints[parent]);
            up = parent;
        }
        for (uint32_t up = j; up != TLW_BLOB_NO_INDEX && !(is_chosen[up / 8] >> up % 8 & 1);) {
            const uint32_t parent = blob->joints[up].parent;
            const bool is_parent_flipped = parent != TLW_BLOB_NO_INDEX &&
                                           is_flipped != points_apart(&joints[up], &joints[parent]);
            for (int i = 0; i < 4 && is_flipped; ++i) {
                joints[up].rotation[i] = -joints[up].rotation[i];
            }
            is_chosen[up / 8] = (uint8_t)(is_chosen[up / 8] | 1u << up % 8);
            is_flipped = is_parent_flipped;
            up = parent;
        }
    }
}

bool tlw_pose_choose_signs(const tlw_blob_arrays* blob, tlw_skin_entry* joints) {
    follow_parents(blob, joints);
    for (uint32_t i = 0; i < blob->lattice->pair_count; ++i) {
        const tlw_blob_joint_pair* pair = &blob->joint_pairs[i];
        if (points_apart(&joints[pair->joint], &joints[pair->reference])) {
            return true;
        }
    }
    return false;
}

bool tlw_pose_has_turned_pairs(const tlw_blob_arrays* blob, const tlw_skin_entry* joints) {
    for (uint32_t i = 0; i < blob->lattice->pair_count; ++i) {
        const tlw_blob_joint_pair* pair = &blob->joint_pairs[i];
        const float same = dot_rotations(&joints[pair->joint], &joints[pair->reference]);
        if (same < 0.25f && same > -0.25f) {
            return true;
        }
    }
    return false;
}

// Squared length of the difference of two skinning matrices' column k.
static float column_motion2(const tlw_skin_entry* a, const tlw_skin_entry* b, int k) {
    const float x = b->column[k][0] - a->column[k][0], y = b->column[k][1] - a->column[k][1],
                z = b->column[k][2] - a->column[k][2];
    return x * x + y * y + z * z;
}

// Squared distance that the point x moves when its joint goes from a to b.
static float motion2_at(const tlw_skin_entry* a, const tlw_skin_entry* b, const float x[3]) {
    float length2 = 0.0f;
    for (int i = 0; i < 3; ++i) {
        const float d = (b->column[0][i] - a->column[0][i]) * x[0] +
                        (b->column[1][i] - a->column[1][i]) * x[1] +
                        (b->column[2][i] - a->column[2][i]) * x[2] +
                        (b->column[3][i] - a->column[3][i]);
        length2 += d * d;
    }
    return length2;
}

// No corner of a box moves further than its middle and half of each of its sides do together, and
// the square of a sum of four lengths is at most four times the sum of their squares. This bound
// clears most joints without a look at their eight corners.
bool tlw_pose_moves_far(const tlw_blob_arrays* blob, const tlw_skin_entry* a_joints,
                        const tlw_skin_entry* b_joints, float limit) {
    for (uint32_t j = 0; j < blob->lattice->joint_count; ++j) {
        const tlw_blob_joint_box* box = &blob->joint_box[j];
        const tlw_skin_entry *a = &a_joints[j], *b = &b_joints[j];
        if (box->low[0] > box->high[0]) {
            continue;
        }
        float middle[3], squares = 0.0f;
        for (int i = 0; i < 3; ++i) {
            const float half = 0.5f * (float)(box->high[i] - box->low[i]);
            middle[i] = 0.5f * (float)(box->low[i] + box->high[i] + 1);
            squares += half * half * column_motion2(a, b, i);
        }
        squares += motion2_at(a, b, middle);
        const bool may_be_far = !(4.0f * squares <= limit * limit); // true for a NaN
        for (int corner = 0; corner < 8 && may_be_far; ++corner) {
            float x[3];
            for (int i = 0; i < 3; ++i) {
                x[i] = (float)(corner >> i & 1 ? box->high[i] : box->low[i]) + 0.5f;
            }
            if (motion2_at(a, b, x) > limit * limit) {
                return true;
            }
        }
    }
    return false;
}
