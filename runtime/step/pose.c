// SPDX-License-Identifier: MIT
// Poses: read, taken apart, interpolated, and made into what skinning takes of a joint. In double,
// because it is done once a joint; rounded to float where the passes take over.
#include "runtime/step/pose.h"

#include "runtime/step/scalar_math.h"

#include <string.h>

void tlw_multiply_rotations(const double a[4], const double b[4], double out[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const double y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    const double z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

void tlw_normalise_rotation(double q[4]) {
    const double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double by = tlw_inverse_sqrt_of(length2);
    for (int i = 0; i < 4; ++i) {
        q[i] *= by;
    }
}

// Rows of a unit quaternion's matrix.
static void rotation_rows(const double q[4], double r[3][3]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    r[0][0] = 1.0 - 2.0 * (y * y + z * z);
    r[0][1] = 2.0 * (x * y - w * z);
    r[0][2] = 2.0 * (x * z + w * y);
    r[1][0] = 2.0 * (x * y + w * z);
    r[1][1] = 1.0 - 2.0 * (x * x + z * z);
    r[1][2] = 2.0 * (y * z - w * x);
    r[2][0] = 2.0 * (x * z - w * y);
    r[2][1] = 2.0 * (y * z + w * x);
    r[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

void tlw_rotate_vector(const double rotation[4], const double v[3], double out[3]) {
    double r[3][3];
    rotation_rows(rotation, r);
    const double from[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; ++i) {
        out[i] = r[i][0] * from[0] + r[i][1] * from[1] + r[i][2] * from[2];
    }
}

// The quaternion of a rotation by its rows, from its largest component.
static void quaternion_of(double r[3][3], double q[4]) {
    const double squares[4] = {1.0 + r[0][0] - r[1][1] - r[2][2], 1.0 - r[0][0] + r[1][1] - r[2][2],
                               1.0 - r[0][0] - r[1][1] + r[2][2],
                               1.0 + r[0][0] + r[1][1] + r[2][2]};
    int largest = 3;
    for (int i = 0; i < 3; ++i) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    const double xy = r[0][1] + r[1][0], xz = r[0][2] + r[2][0], yz = r[1][2] + r[2][1];
    const double wx = r[2][1] - r[1][2], wy = r[0][2] - r[2][0], wz = r[1][0] - r[0][1];
    const double four[4][4] = {{squares[0], xy, xz, wx},
                               {xy, squares[1], yz, wy},
                               {xz, yz, squares[2], wz},
                               {wx, wy, wz, squares[3]}};
    memcpy(q, four[largest], sizeof four[largest]);
    tlw_normalise_rotation(q);
}

static bool is_usable(double value) {
    return value >= -1e18 && value <= 1e18; // false for a NaN
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Rows of a rotation: the columns of m made orthonormal one after the other, right-handed. False
// for what has no volume to speak of.
static bool rotation_of(double m[3][3], double r[3][3]) {
    double column[3][3], length2[3];
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            column[j][i] = m[i][j];
        }
        length2[j] = dot(column[j], column[j]);
        if (!(length2[j] > 1e-24 && length2[j] < 1e36)) {
            return false;
        }
        const double by = tlw_inverse_sqrt_of(length2[j]);
        for (int i = 0; i < 3; ++i) {
            column[j][i] *= by;
        }
    }
    const double along = dot(column[0], column[1]);
    for (int i = 0; i < 3; ++i) {
        column[1][i] -= along * column[0][i];
    }
    const double rest2 = dot(column[1], column[1]);
    if (!(rest2 > 1e-8)) {
        return false;
    }
    const double by = tlw_inverse_sqrt_of(rest2);
    for (int i = 0; i < 3; ++i) {
        column[1][i] *= by;
    }
    const double z[3] = {column[0][1] * column[1][2] - column[0][2] * column[1][1],
                         column[0][2] * column[1][0] - column[0][0] * column[1][2],
                         column[0][0] * column[1][1] - column[0][1] * column[1][0]};
    const double height = dot(z, column[2]);
    if (!(height > 1e-4 || height < -1e-4)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        r[i][0] = column[0][i];
        r[i][1] = column[1][i];
        r[i][2] = z[i];
    }
    return true;
}

static bool take_apart(double rows[3][4], tlw_joint_pose* out) {
    double m[3][3], r[3][3], q[4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            if (!is_usable(rows[i][j])) {
                return false;
            }
        }
        memcpy(m[i], rows[i], sizeof m[i]);
    }
    if (!rotation_of(m, r)) {
        return false;
    }
    quaternion_of(r, q);
    rotation_rows(q, r);
    for (int i = 0; i < 3; ++i) {
        out->translation[i] = (float)rows[i][3];
        for (int j = 0; j < 3; ++j) {
            out->stretch[j][i] = (float)(r[0][i] * m[0][j] + r[1][i] * m[1][j] + r[2][i] * m[2][j]);
        }
    }
    for (int i = 0; i < 4; ++i) {
        out->rotation[i] = (float)q[i];
    }
    return true;
}

// Rows of an affine matrix's inverse.
static void invert(double m[3][4], double out[3][4]) {
    double c[3][3];
    for (int i = 0; i < 3; ++i) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int p = (j + 1) % 3, q = (j + 2) % 3;
            c[j][i] = m[a][p] * m[b][q] - m[a][q] * m[b][p]; // transposed
        }
    }
    const double determinant = m[0][0] * c[0][0] + m[0][1] * c[1][0] + m[0][2] * c[2][0];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] = c[i][j] / determinant;
        }
        out[i][3] = -(out[i][0] * m[0][3] + out[i][1] * m[1][3] + out[i][2] * m[2][3]);
    }
}

static void multiply_rows(double a[3][4], const double b[3][4], double out[3][4]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] +
                        (j == 3 ? a[i][3] : 0.0);
        }
    }
}

// The turn from the rest frame with the lane axis first to the blob's.
static void lattice_turn(const tlw_blob_lattice* lattice, double q[4]) {
    const double third = lattice->lane_axis == 0 ? 0.0 : lattice->lane_axis == 1 ? 0.5 : -0.5;
    q[0] = q[1] = q[2] = third;
    q[3] = lattice->lane_axis == 0 ? 1.0 : 0.5;
}

void tlw_bind_of(const double bind[16], const tlw_blob_lattice* lattice, tlw_joint_bind* out) {
    double r[3][3], m[3][3], rotation[4] = {0.0, 0.0, 0.0, 1.0}, turn[4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            out->matrix[i][j] = bind[j * 4 + i];
        }
        memcpy(m[i], out->matrix[i], sizeof m[i]);
    }
    invert(out->matrix, out->inverse);
    if (rotation_of(m, r)) { // the validator has seen to it: tlw_blob_is_bind
        quaternion_of(r, rotation);
    }
    const double back[4] = {-rotation[0], -rotation[1], -rotation[2], rotation[3]};
    lattice_turn(lattice, turn);
    tlw_multiply_rotations(back, turn, out->turn);
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
        TLW_ASSERT(is_whole); // as above
        (void)is_whole;
    }
    out->root = (tlw_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

static bool read_joint(const void* joints, uint32_t j, tlw_pose_kind kind,
                       const tlw_joint_bind* bind, tlw_joint_pose* out) {
    if (kind == TLW_POSE_TRANSFORMS) {
        const tlw_transform* from = (const tlw_transform*)joints + j;
        double q[4], length2 = 0.0;
        *out = still_joint;
        for (int i = 0; i < 3; ++i) {
            const double scale = (double)from->scale[i];
            if (!is_usable((double)from->translation[i]) || !is_usable(scale) ||
                !(scale > 1e-12 || scale < -1e-12)) {
                return false;
            }
            out->translation[i] = from->translation[i];
            out->stretch[i][i] = from->scale[i];
        }
        for (int i = 0; i < 4; ++i) {
            q[i] = (double)from->rotation[i];
            length2 += q[i] * q[i];
        }
        if (!(length2 > 1e-12 && length2 < 1e12)) {
            return false;
        }
        tlw_normalise_rotation(q);
        for (int i = 0; i < 4; ++i) {
            out->rotation[i] = (float)q[i];
        }
        return true;
    }
    const float* m = (const float*)joints + (size_t)j * 16;
    double rows[3][4], whole[3][4];
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            rows[i][k] = (double)m[k * 4 + i];
        }
        if (!is_usable((double)m[k * 4 + 3])) { // not read, but a sign of garbage
            return false;
        }
    }
    if (kind == TLW_POSE_SKINNING) {
        multiply_rows(rows, bind->matrix, whole);
        return take_apart(whole, out);
    }
    return take_apart(rows, out);
}

static bool read_root(const tlw_root* from, tlw_root* out) {
    double q[4], length2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        if (!is_usable(from->position[i])) {
            return false;
        }
    }
    for (int i = 0; i < 4; ++i) {
        q[i] = (double)from->rotation[i];
        length2 += q[i] * q[i];
    }
    if (!(length2 > 1e-12 && length2 < 1e12) || !(from->scale > 1e-6f && from->scale < 1e6f)) {
        return false;
    }
    tlw_normalise_rotation(q);
    *out = *from;
    for (int i = 0; i < 4; ++i) {
        out->rotation[i] = (float)q[i];
    }
    return true;
}

bool tlw_pose_read(const tlw_pose* pose, tlw_pose_kind kind, const tlw_joint_bind* binds,
                   tlw_pose_moment* out) {
    tlw_joint_pose joint;
    tlw_root root;
    if (!read_root(&pose->root, &root)) {
        return false;
    }
    for (uint32_t j = 0; j < pose->joint_count; ++j) {
        if (!read_joint(pose->joints, j, kind, &binds[j], &joint)) {
            return false;
        }
    }
    // Twice, so that a bad joint leaves the last good pose whole and no room for a copy is needed.
    for (uint32_t j = 0; j < pose->joint_count; ++j) {
        (void)read_joint(pose->joints, j, kind, &binds[j], &out->joints[j]);
    }
    out->root = root;
    return true;
}

bool tlw_pose_is_equal(const tlw_pose_moment* a, const tlw_pose_moment* b, uint32_t count) {
    return memcmp(a->root.position, b->root.position, sizeof a->root.position) == 0 &&
           memcmp(a->root.rotation, b->root.rotation, sizeof a->root.rotation) == 0 &&
           a->root.scale == b->root.scale &&
           memcmp(a->joints, b->joints, count * sizeof *a->joints) == 0;
}

static void blend_rotations(const float a[4], const float b[4], double share, double out[4]) {
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
    double q[4];
    blend_rotations(a->rotation, b->rotation, share, q);
    for (int i = 0; i < 4; ++i) {
        out.rotation[i] = (float)q[i];
    }
    for (int i = 0; i < 3; ++i) {
        out.position[i] = between(a->position[i], b->position[i], share);
    }
    return out;
}

// Rows of a rotation times stretch.
static void stretch_rows(double r[3][3], double stretch[3][3], double rows[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            rows[i][j] =
                r[i][0] * stretch[j][0] + r[i][1] * stretch[j][1] + r[i][2] * stretch[j][2];
        }
    }
}

void tlw_pose_joints(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                     const tlw_pose_moment* a, const tlw_pose_moment* b, double share,
                     tlw_skin_entry* joints) {
    const tlw_blob_lattice* l = blob->lattice;
    const tlw_root root = tlw_root_between(&a->root, &b->root, share);
    double root_q[4], root_r[3][3];
    for (int i = 0; i < 4; ++i) {
        root_q[i] = (double)root.rotation[i];
    }
    tlw_normalise_rotation(root_q);
    rotation_rows(root_q, root_r);
    const double per_voxel = 1.0 / l->voxel_metres;
    const double at = share <= 0.0 ? 0.0 : share >= 1.0 ? 1.0 : share;
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        // At an end both are the same pose: its bits come back.
        const tlw_joint_pose *from = at >= 1.0 ? &b->joints[j] : &a->joints[j],
                             *to = at <= 0.0 ? &a->joints[j] : &b->joints[j];
        double q[4], r[3][3], stretch[3][3], rows[3][3], t[3];
        for (int i = 0; i < 3; ++i) {
            t[i] = between((double)from->translation[i], (double)to->translation[i], at);
            for (int k = 0; k < 3; ++k) {
                stretch[i][k] = between((double)from->stretch[i][k], (double)to->stretch[i][k], at);
            }
        }
        blend_rotations(from->rotation, to->rotation, at, q);
        tlw_multiply_rotations(root_q, q, q);
        rotation_rows(q, r);
        stretch_rows(r, stretch, rows);
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
        tlw_multiply_rotations(q, binds[j].turn, q);
        for (int i = 0; i < 4; ++i) {
            out->rotation[i] = (float)q[i];
        }
    }
}

void tlw_pose_affines(const tlw_joint_bind* binds, const tlw_pose_moment* pose, uint32_t count,
                      tlw_affine* joint_affines) {
    for (uint32_t j = 0; j < count; ++j) {
        const tlw_joint_pose* joint = &pose->joints[j];
        double q[4], r[3][3], stretch[3][3], turned[3][3], rows[3][4], skin[3][4];
        for (int i = 0; i < 4; ++i) {
            q[i] = (double)joint->rotation[i];
        }
        tlw_normalise_rotation(q);
        rotation_rows(q, r);
        for (int i = 0; i < 9; ++i) {
            stretch[i / 3][i % 3] = (double)joint->stretch[i / 3][i % 3];
        }
        stretch_rows(r, stretch, turned);
        for (int i = 0; i < 3; ++i) {
            memcpy(rows[i], turned[i], sizeof turned[i]);
            rows[i][3] = (double)joint->translation[i];
        }
        multiply_rows(rows, (const double(*)[4])binds[j].inverse, skin);
        for (int i = 0; i < 12; ++i) {
            joint_affines[j].row[i / 4][i % 4] = (float)skin[i / 4][i % 4];
        }
    }
}

static bool points_apart(const tlw_skin_entry* a, const tlw_skin_entry* b) {
    const float *p = a->rotation, *q = b->rotation;
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0f;
}

// Parents may come after their children: each way up is walked until it meets a joint whose sign is
// chosen, or ends, and again to choose those below it. Every joint is passed twice at most.
static void follow_parents(const tlw_blob_arrays* blob, tlw_skin_entry* joints) {
    const uint32_t count = blob->lattice->joint_count;
    uint8_t is_chosen[UINT16_MAX / 8 + 1];
    memset(is_chosen, 0, (count + 7) / 8);
    for (uint32_t j = 0; j < count; ++j) {
        bool is_turned = false;
        for (uint32_t up = j; !(is_chosen[up / 8] >> up % 8 & 1);) {
            const uint32_t parent = blob->joints[up].parent;
            if (parent == TLW_BLOB_NO_INDEX) {
                break;
            }
            is_turned = is_turned != points_apart(&joints[up], &joints[parent]);
            up = parent;
        }
        for (uint32_t up = j; up != TLW_BLOB_NO_INDEX && !(is_chosen[up / 8] >> up % 8 & 1);) {
            const uint32_t parent = blob->joints[up].parent;
            const bool is_parent_turned = parent != TLW_BLOB_NO_INDEX &&
                                          is_turned != points_apart(&joints[up], &joints[parent]);
            for (int i = 0; i < 4 && is_turned; ++i) {
                joints[up].rotation[i] = -joints[up].rotation[i];
            }
            is_chosen[up / 8] = (uint8_t)(is_chosen[up / 8] | 1u << up % 8);
            is_turned = is_parent_turned;
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

// How much joint b's column k differs from joint a's.
static float column_motion2(const tlw_skin_entry* a, const tlw_skin_entry* b, int k) {
    const float x = b->column[k][0] - a->column[k][0], y = b->column[k][1] - a->column[k][1],
                z = b->column[k][2] - a->column[k][2];
    return x * x + y * y + z * z;
}

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

// No corner moves further than the box's middle and half its sides do together, and the square of
// four lengths' sum is at most four times the sum of their squares: that tells of most joints that
// theirs do not move far, without a look at eight corners.
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
        const bool may_be_far = !(4.0f * squares <= limit * limit); // not a number: look
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
