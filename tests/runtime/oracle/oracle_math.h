// SPDX-License-Identifier: MIT
// Vectors, quaternions and 3x3 matrices of the runtime's oracle, in double precision and by value.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_MATH_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_MATH_H

#include "platform/base.h"

#include <math.h>

typedef struct oracle_vec {
    double x, y, z;
} oracle_vec;

typedef struct oracle_quat {
    double x, y, z, w;
} oracle_quat;

typedef struct oracle_mat {
    double m[3][3]; // [row][column]
} oracle_mat;

// Vectors

TLW_INLINE oracle_vec vec(double x, double y, double z) {
    return (oracle_vec){x, y, z};
}

TLW_INLINE oracle_vec vec_of(const double a[3]) {
    return (oracle_vec){a[0], a[1], a[2]};
}

TLW_INLINE oracle_vec vec_add(oracle_vec a, oracle_vec b) {
    return (oracle_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

TLW_INLINE oracle_vec vec_sub(oracle_vec a, oracle_vec b) {
    return (oracle_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

TLW_INLINE oracle_vec vec_scale(oracle_vec a, double s) {
    return (oracle_vec){a.x * s, a.y * s, a.z * s};
}

// a + s b
TLW_INLINE oracle_vec vec_add_scaled(oracle_vec a, double s, oracle_vec b) {
    return (oracle_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

TLW_INLINE oracle_vec vec_lerp(oracle_vec a, oracle_vec b, double t) {
    return vec_add(vec_scale(a, 1 - t), vec_scale(b, t));
}

TLW_INLINE double vec_dot(oracle_vec a, oracle_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TLW_INLINE oracle_vec vec_cross(oracle_vec a, oracle_vec b) {
    return (oracle_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TLW_INLINE double vec_length(oracle_vec a) {
    return sqrt(vec_dot(a, a));
}

// Not isfinite, which some C libraries implement for floats only. Infinity minus itself is NaN.
TLW_INLINE bool number_is_finite(double a) {
    return a - a == 0;
}

TLW_INLINE bool vec_is_finite(oracle_vec a) {
    return number_is_finite(a.x) && number_is_finite(a.y) && number_is_finite(a.z);
}

// Quaternions, of unit length unless a comment says otherwise

#define QUAT_IDENTITY ((oracle_quat){0, 0, 0, 1})

TLW_INLINE oracle_quat quat_of(const double a[4]) {
    return (oracle_quat){a[0], a[1], a[2], a[3]};
}

TLW_INLINE double quat_dot(oracle_quat a, oracle_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

TLW_INLINE oracle_quat quat_scale(oracle_quat a, double s) {
    return (oracle_quat){a.x * s, a.y * s, a.z * s, a.w * s};
}

TLW_INLINE oracle_quat quat_add(oracle_quat a, oracle_quat b) {
    return (oracle_quat){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

// The identity for a quaternion of length 0.
TLW_INLINE oracle_quat quat_normalise(oracle_quat a) {
    double length = sqrt(quat_dot(a, a));
    return length > 0 ? quat_scale(a, 1 / length) : QUAT_IDENTITY;
}

TLW_INLINE oracle_quat quat_conjugate(oracle_quat a) {
    return (oracle_quat){-a.x, -a.y, -a.z, a.w};
}

// Rotates by b first, then by a.
TLW_INLINE oracle_quat quat_mul(oracle_quat a, oracle_quat b) {
    return (oracle_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                         a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                         a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// a or -a, whichever is on the same side as b.
TLW_INLINE oracle_quat quat_align(oracle_quat a, oracle_quat b) {
    return quat_dot(a, b) < 0 ? quat_scale(a, -1) : a;
}

TLW_INLINE oracle_quat quat_nlerp(oracle_quat a, oracle_quat b, double t) {
    return quat_normalise(quat_add(quat_scale(a, 1 - t), quat_scale(quat_align(b, a), t)));
}

// exp of a rotation vector.
TLW_INLINE oracle_quat quat_exp(oracle_vec w) {
    double angle = vec_length(w);
    double s = angle > 1e-9 ? sin(0.5 * angle) / angle : 0.5;
    return quat_normalise((oracle_quat){w.x * s, w.y * s, w.z * s, cos(0.5 * angle)});
}

TLW_INLINE oracle_vec quat_rotate(oracle_quat r, oracle_vec a) {
    oracle_vec u = {r.x, r.y, r.z};
    oracle_vec t = vec_scale(vec_cross(u, a), 2);
    return vec_add(vec_add_scaled(a, r.w, t), vec_cross(u, t));
}

TLW_INLINE oracle_vec quat_unrotate(oracle_quat r, oracle_vec a) {
    return quat_rotate(quat_conjugate(r), a);
}

// The angle between two rotations, in radians.
TLW_INLINE double quat_angle(oracle_quat a, oracle_quat b) {
    oracle_quat d = quat_mul(quat_conjugate(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

// Matrices

TLW_INLINE oracle_mat mat_of_columns(oracle_vec a, oracle_vec b, oracle_vec c) {
    return (oracle_mat){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

TLW_INLINE oracle_mat mat_of_quat(oracle_quat r) {
    return mat_of_columns(quat_rotate(r, vec(1, 0, 0)), quat_rotate(r, vec(0, 1, 0)),
                          quat_rotate(r, vec(0, 0, 1)));
}

TLW_INLINE oracle_vec mat_column(const oracle_mat* a, int c) {
    return (oracle_vec){a->m[0][c], a->m[1][c], a->m[2][c]};
}

TLW_INLINE oracle_vec mat_apply(const oracle_mat* a, oracle_vec v) {
    return (oracle_vec){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

TLW_INLINE oracle_mat mat_mul(const oracle_mat* a, const oracle_mat* b) {
    oracle_mat c;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            c.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                               a->m[row][2] * b->m[2][column];
        }
    }
    return c;
}

TLW_INLINE oracle_mat mat_transpose(const oracle_mat* a) {
    oracle_mat t;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            t.m[row][column] = a->m[column][row];
        }
    }
    return t;
}

// a += s b
TLW_INLINE void mat_add_scaled(oracle_mat* a, double s, const oracle_mat* b) {
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            a->m[row][column] += s * b->m[row][column];
        }
    }
}

// a += s u v^T
TLW_INLINE void mat_add_outer(oracle_mat* a, double s, oracle_vec u, oracle_vec v) {
    const double rows[3] = {u.x, u.y, u.z}, columns[3] = {v.x, v.y, v.z};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            a->m[row][column] += s * rows[row] * columns[column];
        }
    }
}

TLW_INLINE double mat_trace(const oracle_mat* a) {
    return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

TLW_INLINE double mat_determinant(const oracle_mat* a) {
    return vec_dot(mat_column(a, 0), vec_cross(mat_column(a, 1), mat_column(a, 2)));
}

// cof(A): its columns are the cross products of A's; A^-1 = cof(A)^T / det A.
TLW_INLINE oracle_mat mat_cofactor(const oracle_mat* a) {
    oracle_vec x = mat_column(a, 0), y = mat_column(a, 1), z = mat_column(a, 2);
    return mat_of_columns(vec_cross(y, z), vec_cross(z, x), vec_cross(x, y));
}

// The determinant must not be 0.
TLW_INLINE oracle_mat mat_inverse(const oracle_mat* a) {
    oracle_mat cofactor = mat_cofactor(a);
    oracle_mat inverse = mat_transpose(&cofactor);
    double determinant = mat_determinant(a);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            inverse.m[row][column] /= determinant;
        }
    }
    return inverse;
}

// r must be a rotation matrix. Starts from the largest component, so that the square root loses no
// digits.
TLW_INLINE oracle_quat quat_of_mat(const oracle_mat* r) {
    const double(*m)[3] = r->m;
    double trace = mat_trace(r);
    oracle_quat out;
    if (trace > 0) {
        out = (oracle_quat){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace};
    } else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
        out = (oracle_quat){1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0],
                            m[2][1] - m[1][2]};
    } else if (m[1][1] >= m[2][2]) {
        out = (oracle_quat){m[0][1] + m[1][0], 1 - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1],
                            m[0][2] - m[2][0]};
    } else {
        out = (oracle_quat){m[0][2] + m[2][0], m[1][2] + m[2][1], 1 - m[0][0] - m[1][1] + m[2][2],
                            m[1][0] - m[0][1]};
    }
    return quat_normalise(out);
}

#endif
