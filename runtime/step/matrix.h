// SPDX-License-Identifier: MIT
// Private to runtime: rotations and affine matrices in double, for what is computed once per joint
// or per character. Rotations are unit quaternions x, y, z, w; a 3x4 matrix is its three rows, the
// fourth column is the translation.
#ifndef TLW_RUNTIME_STEP_MATRIX_H
#define TLW_RUNTIME_STEP_MATRIX_H

#include "runtime/step/scalar_math.h"

#include <string.h>

// The rotation b, then a. `out` may be either.
TLW_INLINE void tlw_multiply_rotations(const double a[4], const double b[4], double out[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const double y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    const double z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

TLW_INLINE void tlw_normalise_rotation(double r[4]) {
    const double length2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    const double by = tlw_inverse_sqrt_of(length2);
    for (int i = 0; i < 4; ++i) {
        r[i] *= by;
    }
}

TLW_INLINE void tlw_rows_of_rotation(const double r[4], double rows[3][3]) {
    const double x = r[0], y = r[1], z = r[2], w = r[3];
    rows[0][0] = 1.0 - 2.0 * (y * y + z * z);
    rows[0][1] = 2.0 * (x * y - w * z);
    rows[0][2] = 2.0 * (x * z + w * y);
    rows[1][0] = 2.0 * (x * y + w * z);
    rows[1][1] = 1.0 - 2.0 * (x * x + z * z);
    rows[1][2] = 2.0 * (y * z - w * x);
    rows[2][0] = 2.0 * (x * z - w * y);
    rows[2][1] = 2.0 * (y * z + w * x);
    rows[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

// `out` may be `v`.
TLW_INLINE void tlw_rotate_vector(const double rotation[4], const double v[3], double out[3]) {
    double rows[3][3];
    tlw_rows_of_rotation(rotation, rows);
    const double from[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; ++i) {
        out[i] = rows[i][0] * from[0] + rows[i][1] * from[1] + rows[i][2] * from[2];
    }
}

// The unit quaternion of a rotation matrix, computed from its largest component.
TLW_INLINE void tlw_rotation_of_rows(double rows[3][3], double out[4]) {
    const double squares[4] = {
        1.0 + rows[0][0] - rows[1][1] - rows[2][2], 1.0 - rows[0][0] + rows[1][1] - rows[2][2],
        1.0 - rows[0][0] - rows[1][1] + rows[2][2], 1.0 + rows[0][0] + rows[1][1] + rows[2][2]};
    int largest = 3;
    for (int i = 0; i < 3; ++i) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    const double xy = rows[0][1] + rows[1][0], xz = rows[0][2] + rows[2][0],
                 yz = rows[1][2] + rows[2][1];
    const double wx = rows[2][1] - rows[1][2], wy = rows[0][2] - rows[2][0],
                 wz = rows[1][0] - rows[0][1];
    const double four[4][4] = {{squares[0], xy, xz, wx},
                               {xy, squares[1], yz, wy},
                               {xz, yz, squares[2], wz},
                               {wx, wy, wz, squares[3]}};
    memcpy(out, four[largest], sizeof four[largest]);
    tlw_normalise_rotation(out);
}

TLW_INLINE double tlw_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Rows of a right-handed rotation: the columns of m made orthonormal one after the other
// (Gram-Schmidt). False for a matrix that is singular or nearly so.
TLW_INLINE bool tlw_rotation_of_matrix(double m[3][3], double rows[3][3]) {
    double column[3][3], length2[3];
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            column[j][i] = m[i][j];
        }
        length2[j] = tlw_dot(column[j], column[j]);
        if (!(length2[j] > 1e-24 && length2[j] < 1e36)) {
            return false;
        }
        const double by = tlw_inverse_sqrt_of(length2[j]);
        for (int i = 0; i < 3; ++i) {
            column[j][i] *= by;
        }
    }
    const double along = tlw_dot(column[0], column[1]);
    for (int i = 0; i < 3; ++i) {
        column[1][i] -= along * column[0][i];
    }
    const double rest2 = tlw_dot(column[1], column[1]);
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
    const double height = tlw_dot(z, column[2]);
    if (!(height > 1e-4 || height < -1e-4)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        rows[i][0] = column[0][i];
        rows[i][1] = column[1][i];
        rows[i][2] = z[i];
    }
    return true;
}

TLW_INLINE void tlw_invert_affine(double m[3][4], double out[3][4]) {
    double c[3][3]; // cofactors, transposed
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[j][i] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
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

// a b; `out` must be neither.
TLW_INLINE void tlw_multiply_affine(double a[3][4], const double b[3][4], double out[3][4]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] +
                        (j == 3 ? a[i][3] : 0.0);
        }
    }
}

// A rotation's rows times a stretch, which is given by its columns.
TLW_INLINE void tlw_multiply_stretch(double rotation[3][3], double stretch[3][3],
                                     double rows[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            rows[i][j] = rotation[i][0] * stretch[j][0] + rotation[i][1] * stretch[j][1] +
                         rotation[i][2] * stretch[j][2];
        }
    }
}

#endif
