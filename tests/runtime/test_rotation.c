// SPDX-License-Identifier: MIT
// Tests of runtime/passes/rotation.h (MODEL 3.6): corrections of rotations, eight at a time,
// against Newton's method as the model writes it, in double precision; and of start_rotation in
// wide.h.
#include "runtime/passes/rotation.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

#define WINDOWS 3000

typedef struct matrix {
    double m[3][3];
} matrix;

static double between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) * 0x1p-53);
}

static matrix times(matrix a, matrix b) {
    matrix out;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
    }
    return out;
}

static matrix transposed(matrix a) {
    matrix out;
    for (int i = 0; i < 9; ++i) {
        out.m[i / 3][i % 3] = a.m[i % 3][i / 3];
    }
    return out;
}

static double determinant(matrix a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

static matrix rotation_by(const double w[3]) {
    const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double s = angle > 0 ? sin(angle) / angle : 1;
    const double c = angle > 0 ? (1 - cos(angle)) / (angle * angle) : 0.5;
    const matrix cross = {{{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}}};
    const matrix square = times(cross, cross);
    matrix out;
    for (int i = 0; i < 9; ++i) {
        out.m[i / 3][i % 3] = (i % 4 == 0) + s * cross.m[i / 3][i % 3] + c * square.m[i / 3][i % 3];
    }
    return out;
}

// Angle between two rotations.
static double angle_between(matrix a, matrix b) {
    const matrix d = times(transposed(a), b);
    const double x = d.m[2][1] - d.m[1][2], y = d.m[0][2] - d.m[2][0], z = d.m[1][0] - d.m[0][1];
    return atan2(sqrt(x * x + y * y + z * z), d.m[0][0] + d.m[1][1] + d.m[2][2] - 1);
}

// One Newton step of MODEL 3.6, R exp(w) with (tr(S) I - S) w = g, for an A that is well set.
static matrix newton_step(matrix r, matrix a) {
    const matrix b = times(transposed(r), a);
    const double g[3] = {b.m[2][1] - b.m[1][2], b.m[0][2] - b.m[2][0], b.m[1][0] - b.m[0][1]};
    const double trace = b.m[0][0] + b.m[1][1] + b.m[2][2];
    matrix k;
    for (int i = 0; i < 9; ++i) {
        const double s = 0.5 * (b.m[i / 3][i % 3] + b.m[i % 3][i / 3]);
        k.m[i / 3][i % 3] = (i % 4 == 0 ? trace : 0) - s;
    }
    double w[3], length2 = 0;
    for (int j = 0; j < 3; ++j) { // Cramer
        matrix with = k;
        for (int i = 0; i < 3; ++i) {
            with.m[i][j] = g[i];
        }
        w[j] = determinant(with) / determinant(k);
        length2 += w[j] * w[j];
    }
    for (int j = 0; j < 3 && length2 > 1; ++j) {
        w[j] /= sqrt(length2);
    }
    return times(r, rotation_by(w));
}

// exp(theta) P with |theta| = angle and P symmetric, of the size that a region of 27 voxels has.
static matrix rotated_shape(uint64_t* state, double angle) {
    double axis[3], twist[3], length = 0;
    for (int i = 0; i < 3; ++i) {
        axis[i] = between(state, -1, 1);
        twist[i] = between(state, -3, 3);
        length += axis[i] * axis[i];
    }
    for (int i = 0; i < 3; ++i) {
        axis[i] *= angle / sqrt(length);
    }
    const matrix u = rotation_by(twist);
    matrix stretched = u;
    for (int j = 0; j < 3; ++j) {
        const double by = 18 * between(state, 0.2, 1.5);
        for (int i = 0; i < 3; ++i) {
            stretched.m[i][j] *= by;
        }
    }
    return times(rotation_by(axis), times(stretched, transposed(u)));
}

static void put(f8x9* to, int lane, const matrix* a) {
    for (int j = 0; j < 3; ++j) {
        to->c[j].x = tlw_f8_with(to->c[j].x, lane, (float)a->m[0][j]);
        to->c[j].y = tlw_f8_with(to->c[j].y, lane, (float)a->m[1][j]);
        to->c[j].z = tlw_f8_with(to->c[j].z, lane, (float)a->m[2][j]);
    }
}

static matrix matrix_of_lane(f8x4 rotation, int lane) {
    const f8x9 r = matrix_of(rotation);
    matrix out;
    for (int j = 0; j < 3; ++j) {
        out.m[0][j] = (double)tlw_f8_get(r.c[j].x, lane);
        out.m[1][j] = (double)tlw_f8_get(r.c[j].y, lane);
        out.m[2][j] = (double)tlw_f8_get(r.c[j].z, lane);
    }
    return out;
}

// How far corrections are off two Newton steps in doubles, in radians.
typedef struct deviation {
    double worst, mean;
    uint32_t near, close; // windows, of WINDOWS, that one step served, without and with `is_exact`
} deviation;

// Windows of eight corrections whose angles lie between `low` and `high`.
static deviation measure_corrections(double low, double high) {
    const matrix none = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    uint64_t state = 1;
    deviation out = {0};
    for (uint32_t w = 0; w < WINDOWS; ++w) {
        tlw_corrections t = {.occupied = {(1u << 8) - 1}};
        matrix a[8];
        for (int lane = 0; lane < 8; ++lane) {
            a[lane] = rotated_shape(&state, between(&state, low, high));
            put(&t.start[0], lane, &a[lane]);
        }
        f8x4 correction;
        out.near += find_correction(&t.start[0], tlw_m8_first(8), false, &correction);
        out.close += find_correction(&t.start[0], tlw_m8_first(8), true, &correction);
        find_corrections(&t, 1, 2);
        for (int lane = 0; lane < 8; ++lane) {
            const matrix two = newton_step(newton_step(none, a[lane]), a[lane]);
            const double angle = angle_between(two, matrix_of_lane(t.correction[0], lane));
            out.worst = angle > out.worst ? angle : out.worst;
            out.mean += angle / (8.0 * WINDOWS);
        }
    }
    printf("    corrections of %.2f to %.2f rad: %.1e off at the most, %.1e in the mean; %u near, "
           "%u close of %u\n",
           low, high, out.worst, out.mean, out.near, out.close, WINDOWS);
    return out;
}

TLW_TEST(corrections_below_a_twentieth_end_within_5e_5_of_two_newton_steps) {
    const deviation at = measure_corrections(0.0, 0.045);
    CHECK_EQ(at.near, WINDOWS);
    CHECK_LT(at.worst, 5e-5);
    CHECK_LT(at.mean, 2e-6);
}

TLW_TEST(corrections_below_a_tenth_end_within_5e_6_of_two_newton_steps) {
    const deviation at = measure_corrections(0.06, 0.09);
    CHECK_EQ(at.near, 0);
    CHECK_EQ(at.close, WINDOWS);
    CHECK_LT(at.worst, 5e-6);
}

TLW_TEST(larger_corrections_are_two_newton_steps) {
    const deviation at = measure_corrections(0.15, 1.0);
    CHECK_EQ(at.close, 0);
    CHECK_LT(at.worst, 2e-6);
}

TLW_TEST(empty_lanes_are_not_corrected_and_make_no_others_far) {
    uint64_t state = 7;
    tlw_corrections t = {.occupied = {0x0f}};
    for (int lane = 0; lane < 8; ++lane) { // lanes after the fourth are far, or have no shape
        const matrix a = rotated_shape(&state, lane < 4 ? 0.02 : 1.0);
        const matrix nothing = {{{0}}};
        put(&t.start[0], lane, lane < 6 ? &a : &nothing);
    }
    f8x4 correction;
    CHECK(find_correction(&t.start[0], tlw_m8_from_bits(t.occupied[0]), false, &correction));
    find_corrections(&t, 1, 2);
    for (int lane = 4; lane < 8; ++lane) {
        CHECK_NEAR(tlw_f8_get(t.correction[0].x, lane), 0, 0);
        CHECK_NEAR(tlw_f8_get(t.correction[0].y, lane), 0, 0);
        CHECK_NEAR(tlw_f8_get(t.correction[0].z, lane), 0, 0);
        CHECK_NEAR(tlw_f8_get(t.correction[0].w, lane), 1, 1e-6);
    }
}

TLW_TEST(start_is_five_percent_back_and_of_unit_length) {
    uint64_t state = 3;
    for (int i = 0; i < WINDOWS; ++i) {
        double r[4], length2 = 0;
        for (int k = 0; k < 4; ++k) {
            r[k] = between(&state, -1, 1);
            length2 += r[k] * r[k];
        }
        double start[4], start2 = 0;
        for (int k = 0; k < 4; ++k) {
            r[k] /= sqrt(length2);
            start[k] = 0.95 * (r[3] < 0 ? -r[k] : r[k]) + (k == 3 ? 0.05 : 0);
            start2 += start[k] * start[k];
        }
        const f8x4 got = start_rotation(
            (f8x4){all((float)r[0]), all((float)r[1]), all((float)r[2]), all((float)r[3])});
        const float lanes[4] = {tlw_f8_get(got.x, 0), tlw_f8_get(got.y, 0), tlw_f8_get(got.z, 0),
                                tlw_f8_get(got.w, 0)};
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(lanes[k], start[k] / sqrt(start2), 1.2e-6);
        }
    }
}

TLW_TEST(start_brings_a_length_that_is_off_back_to_1) {
    f8x4 r = {all(0.6f), all(0.0f), all(0.3f), all(0.8f)};
    for (int i = 0; i < 400; ++i) {
        r = start_rotation(r);
    }
    CHECK_NEAR(tlw_f8_get(dot4(r, r), 0), 1, 5e-6);
}
