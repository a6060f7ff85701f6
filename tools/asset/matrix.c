// SPDX-License-Identifier: MIT
// Affine 4x4 matrices of doubles for the asset tools.
#include "tools/asset/matrix.h"

#include <math.h>
#include <string.h>

#define BOTTOM_ROW_TOLERANCE 1e-4

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
    // Relative to the columns: the determinant of a rig in centimetres is 1e-6 and can be inverted
    // as well as 1, a matrix that flattens cannot.
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

bool tlw_matrix_make_affine(double m[16]) {
    if (!(fabs(m[3]) + fabs(m[7]) + fabs(m[11]) + fabs(m[15] - 1) <= BOTTOM_ROW_TOLERANCE)) {
        return false;
    }
    m[3] = m[7] = m[11] = 0;
    m[15] = 1;
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
    const double* r = transform->rotation;
    double x = r[0], y = r[1], z = r[2], w = r[3];
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

// Rotation matrix (column-major 3x3) to quaternion. Starts from the quaternion's largest component,
// so that nothing is divided by a small number.
static void to_quaternion(double out[4], const double m[9]) {
    double trace = m[0] + m[4] + m[8];
    if (trace > 0) {
        double s = 2 * sqrt(trace + 1);
        out[3] = s / 4;
        out[0] = (m[5] - m[7]) / s;
        out[1] = (m[6] - m[2]) / s;
        out[2] = (m[1] - m[3]) / s;
    } else {
        int i = m[4] > m[0] ? 1 : 0;
        i = m[8] > m[i * 4] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = 2 * sqrt(1 + m[i * 4] - m[j * 4] - m[k * 4]);
        out[i] = s / 4;
        out[j] = (m[i * 3 + j] + m[j * 3 + i]) / s;
        out[k] = (m[i * 3 + k] + m[k * 3 + i]) / s;
        out[3] = (m[j * 3 + k] - m[k * 3 + j]) / s;
    }
    double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int i = 0; i < 4; ++i) {
        out[i] = length > 0 && tlw_is_finite(length) ? out[i] / length : (i == 3 ? 1.0 : 0.0);
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
