// SPDX-License-Identifier: MIT
// Oracle, embedding (MODEL 5.2 to 5.4): positions and normals of render vertices and points from
// the output of the last call, by delta or by frames. Kept plain: each point sums its regions
// again.
#include "tests/runtime/oracle/oracle_private.h"

// A of a voxel: its region's, or with width 2 the sum over the regions that hold it (MODEL 5.4).
static oracle_mat voxel_matrix(const oracle* o, const oracle_vec* q, uint32_t voxel) {
    if (o->input->region_width == 3) {
        return oracle_region_matrix(o, q, voxel, NULL);
    }
    oracle_mat sum = {0};
    for (uint32_t k = o->holding_first[voxel]; k < o->holding_first[voxel + 1]; ++k) {
        const oracle_mat A = oracle_region_matrix(o, q, o->holding[k], NULL);
        mat_add_scaled(&sum, 1, &A);
    }
    return sum;
}

// Whether A spans three directions: det > 1e-3 after scaling A so that the mean length of its
// columns is 1.
static bool is_full(const oracle_mat* A) {
    const double size = (vec_length(mat_column(A, 0)) + vec_length(mat_column(A, 1)) +
                         vec_length(mat_column(A, 2))) /
                        3;
    return size > 0 && fabs(mat_determinant(A)) > 1e-3 * size * size * size;
}

// F_j = A_j A0_j^-1 where det A0_j (normalised) > 1e-3, otherwise R_j; relative: F_j Fskin_j^-1
static oracle_mat deformation(const oracle* o, uint32_t voxel, bool is_relative,
                              oracle_relative relative) {
    const oracle_mat A0 = voxel_matrix(o, o->rest, voxel);
    const oracle_quat unskin = quat_conjugate(o->out_Rb[voxel]);
    const double size = mat_trace(&A0) / 3;
    const bool has_volume = mat_determinant(&A0) > 1e-3 * size * size * size;
    if (!has_volume) {
        return mat_of_quat(is_relative ? quat_mul(o->out_R[voxel], unskin) : o->out_R[voxel]);
    }
    const oracle_mat A = voxel_matrix(o, o->out_p, voxel);
    oracle_mat base = A0;
    if (is_relative && relative == ORACLE_RELATIVE_TO_SKIN) {
        base = voxel_matrix(o, o->out_p_skin, voxel);
        if (!is_full(&base)) {
            return mat_of_quat(quat_mul(o->out_R[voxel], unskin));
        }
    }
    const oracle_mat inverse = mat_inverse(&base);
    const oracle_mat F = mat_mul(&A, &inverse);
    if (is_relative && relative == ORACLE_RELATIVE_TO_RB) {
        const oracle_mat rotated = mat_of_quat(unskin);
        return mat_mul(&F, &rotated);
    }
    return F;
}

static oracle_vec transform_normal(const oracle_mat* F, oracle_vec n) {
    const oracle_mat cofactor = mat_cofactor(F);
    const oracle_vec rotated = mat_apply(&cofactor, n);
    const double length = vec_length(rotated);
    return length > 0 ? vec_scale(rotated, 1 / length) : n;
}

static bool has_skinning(const oracle_bound_point* point) {
    for (int k = 0; k < 8; ++k) {
        if (point->skinning[k] != 0) {
            return true;
        }
    }
    return false;
}

void oracle_embed(const oracle* o, oracle_embedding embedding, oracle_relative relative,
                  const oracle_bound_point* points, uint32_t count, oracle_vec* positions,
                  oracle_vec* normals) {
    for (uint32_t i = 0; i < count; ++i) {
        const oracle_bound_point* point = &points[i];
        const bool is_delta = embedding == ORACLE_EMBED_DELTA && has_skinning(point);
        const oracle_vec x0 = vec_of(point->rest);
        oracle_mat skinning;
        oracle_vec x = {0, 0, 0};
        if (is_delta) {
            x = oracle_skin_point(o, &o->last, x0, point->joint, point->skinning, 8, &skinning);
        }
        oracle_mat F = {0};
        for (int k = 0; k < 8; ++k) {
            const double w = point->weight[k];
            if (w == 0) {
                continue;
            }
            const uint32_t j = point->voxel[k];
            oracle_vec part; // delta: p_j - p_skin_j; frames: p_j + R_j (x0 - p0_j)
            if (is_delta) {
                part = vec_sub(o->out_p[j], o->out_p_skin[j]);
            } else {
                part = vec_add(o->out_p[j], quat_rotate(o->out_R[j], vec_sub(x0, o->rest[j])));
            }
            x = vec_add_scaled(x, w, part);
            if (normals) {
                const oracle_mat own = deformation(o, j, is_delta, relative);
                mat_add_scaled(&F, w, &own);
            }
        }
        positions[i] = x;
        if (normals) {
            oracle_vec n = vec_of(point->normal);
            if (vec_length(n) > 0) {
                n = is_delta ? transform_normal(&skinning, n) : n;
                n = transform_normal(&F, n);
            }
            normals[i] = n;
        }
    }
}
