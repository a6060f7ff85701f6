// SPDX-License-Identifier: MIT
// Affine 4x4 matrices of doubles for the asset tools.
#include "tools/asset/matrix.h"

#include <math.h>
#include <string.h>

void tlw_matrix_identity(double out[16]) {
    for (int i = 0; i < 16; ++i) {
        out[i] = i % 5 == 0 ? 1.0 : 0.0;
    }
}

void tlw_matrix_multiply(double out[16], const double a[16], const double b[16]) {
    double product[16];
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) {
                sum += a[k * 4 + row] * b[column * 4 + k];
            }
            product[column * 4 + row] = sum;
        }
    }
    memcpy(out, product, sizeof product);
}

static void cross(double out[3], const double a[3], const double b[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void tlw_matrix_cofactors(double out[9], const double m[16]) {
    cross(out, m + 4, m + 8);
    cross(out + 3, m + 8, m);
    cross(out + 6, m, m + 4);
}

double tlw_matrix_determinant(const double m[16]) {
    double cofactor[3];
    cross(cofactor, m + 4, m + 8);
    return dot(m, cofactor);
}

bool tlw_matrix_invert(double out[16], const double m[16]) {
    double cofactors[9], inverse[16];
    tlw_matrix_cofactors(cofactors, m);
    double determinant = dot(m, cofactors);
    double scale = sqrt(dot(m, m)) * sqrt(dot(m + 4, m + 4)) * sqrt(dot(m + 8, m + 8));
    // Relative: a centimetre rig's 1e-6 is as invertible as 1, a flattened matrix is not.
    if (!(fabs(determinant) > 1e-12 * scale)) {
        return false;
    }
    tlw_matrix_identity(inverse);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            inverse[column * 4 + row] = cofactors[row * 3 + column] / determinant;
        }
    }
    double moved[3];
    tlw_matrix_direction(moved, inverse, m + 12);
    for (int row = 0; row < 3; ++row) {
        inverse[12 + row] = -moved[row];
    }
    if (!tlw_matrix_is_finite(inverse)) {
        return false;
    }
    memcpy(out, inverse, sizeof inverse);
    return true;
}

bool tlw_matrix_is_finite(const double m[16]) {
    for (int i = 0; i < 16; ++i) {
        if (!tlw_is_finite(m[i])) {
            return false;
        }
    }
    return true;
}

void tlw_matrix_direction(double out[3], const double m[16], const double d[3]) {
    double x = d[0], y = d[1], z = d[2];
    for (int row = 0; row < 3; ++row) {
        out[row] = m[row] * x + m[4 + row] * y + m[8 + row] * z;
    }
}

void tlw_matrix_point(double out[3], const double m[16], const double point[3]) {
    tlw_matrix_direction(out, m, point);
    for (int row = 0; row < 3; ++row) {
        out[row] += m[12 + row];
    }
}

void tlw_matrix_from_transform(double out[16], const tlw_asset_transform* transform) {
    const double* q = transform->rotation;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y),
    };
    tlw_matrix_identity(out);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            out[column * 4 + row] = rotation[column * 3 + row] * transform->scale[column];
        }
        out[12 + column] = transform->translation[column];
    }
}

// Rotation matrix (column-major 3x3) to quaternion, from its largest component.
static void to_quaternion(double q[4], const double r[9]) {
    double trace = r[0] + r[4] + r[8];
    if (trace > 0) {
        double s = 2 * sqrt(trace + 1);
        q[3] = s / 4;
        q[0] = (r[5] - r[7]) / s;
        q[1] = (r[6] - r[2]) / s;
        q[2] = (r[1] - r[3]) / s;
    } else {
        int i = r[4] > r[0] ? 1 : 0;
        i = r[8] > r[i * 4] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = 2 * sqrt(1 + r[i * 4] - r[j * 4] - r[k * 4]);
        q[i] = s / 4;
        q[j] = (r[i * 3 + j] + r[j * 3 + i]) / s;
        q[k] = (r[i * 3 + k] + r[k * 3 + i]) / s;
        q[3] = (r[j * 3 + k] - r[k * 3 + j]) / s;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) {
        q[i] = length > 0 && tlw_is_finite(length) ? q[i] / length : (i == 3 ? 1.0 : 0.0);
    }
}

void tlw_matrix_to_transform(const double m[16], tlw_asset_transform* transform) {
    double rotation[9];
    bool is_mirrored = tlw_matrix_determinant(m) < 0;
    for (int column = 0; column < 3; ++column) {
        double length = sqrt(dot(m + column * 4, m + column * 4));
        transform->scale[column] = is_mirrored && column == 0 ? -length : length;
        transform->translation[column] = m[12 + column];
        for (int row = 0; row < 3; ++row) {
            rotation[column * 3 + row] = length > 0 ? m[column * 4 + row] / transform->scale[column]
                                                    : (row == column ? 1.0 : 0.0);
        }
    }
    to_quaternion(transform->rotation, rotation);
}
