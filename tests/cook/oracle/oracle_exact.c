// SPDX-License-Identifier: MIT
// The oracle cooker's exact tests in snapped integers (RULES 2.2): triangles and segments against
// boxes (RULES 3 and 6.3), segments against triangles (RULES 6.3), and which side of a triangle a
// point is on (RULES 5.2).
#include "tests/cook/oracle/oracle_private.h"

#include <stdlib.h>

static oracle_vector minus(const int64_t a[3], const int64_t b[3]) {
    return (oracle_vector){a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

static oracle_vector cross(oracle_vector a, oracle_vector b) {
    return (oracle_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(oracle_vector a, oracle_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

int oracle_sign(int64_t x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

int64_t oracle_determinant(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                           const int64_t x[3]) {
    return dot(cross(minus(b, a), minus(c, a)), minus(x, a));
}

// Whether a gap lies between triangle and box along the axis. Touching is no gap. An axis of zero
// length, which degenerate triangles give, never separates; the axes that are left are those of a
// segment or a point against a box, so the test stays exact (RULES 3.2).
static bool separates(oracle_vector axis, const oracle_vector corner[3], oracle_vector half) {
    int64_t radius = half.x * llabs(axis.x) + half.y * llabs(axis.y) + half.z * llabs(axis.z);
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    for (int i = 0; i < 3; ++i) {
        int64_t d = dot(axis, corner[i]);
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    return low > radius || high < -radius;
}

bool oracle_triangle_touches_cells(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                   const int32_t low[3], const int32_t high[3]) {
    const int64_t* points[3] = {a, b, c};
    const oracle_vector unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int64_t centre[3], half[3];
    for (int k = 0; k < 3; ++k) {
        centre[k] = ((int64_t)low[k] + high[k] + 1) * (ORACLE_UNITS / 2);
        half[k] = ((int64_t)high[k] - low[k] + 1) * (ORACLE_UNITS / 2);
    }
    const oracle_vector size = {half[0], half[1], half[2]};
    oracle_vector corner[3];
    for (int i = 0; i < 3; ++i) {
        corner[i] = minus(points[i], centre);
    }
    for (int i = 0; i < 3; ++i) {
        if (separates(unit[i], corner, size)) {
            return false;
        }
    }
    oracle_vector edge[3];
    for (int i = 0; i < 3; ++i) {
        edge[i] = minus(points[(i + 1) % 3], points[i]);
        for (int k = 0; k < 3; ++k) {
            if (separates(cross(edge[i], unit[k]), corner, size)) {
                return false;
            }
        }
    }
    return !separates(cross(edge[0], edge[1]), corner, size);
}

bool oracle_triangle_touches_cell(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                  const int32_t cell[3]) {
    return oracle_triangle_touches_cells(a, b, c, cell, cell);
}

bool oracle_segment_meets_triangle(const int64_t p[3], const int64_t q[3], const int64_t a[3],
                                   const int64_t b[3], const int64_t c[3]) {
    int at_p = oracle_sign(oracle_determinant(a, b, c, p));
    int at_q = oracle_sign(oracle_determinant(a, b, c, q));
    if (at_p == at_q) {
        return false; // both ends on one side; or in a plane with the triangle, which does not
                      // count
    }
    // The line crosses the plane in one point. It is in the triangle if no two of the edges have
    // the line on different sides.
    int side[3] = {oracle_sign(oracle_determinant(p, q, a, b)),
                   oracle_sign(oracle_determinant(p, q, b, c)),
                   oracle_sign(oracle_determinant(p, q, c, a))};
    bool has_left = side[0] > 0 || side[1] > 0 || side[2] > 0;
    bool has_right = side[0] < 0 || side[1] < 0 || side[2] < 0;
    return !(has_left && has_right);
}
