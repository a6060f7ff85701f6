// SPDX-License-Identifier: MIT
// Which voxels a triangle touches: an exact separating-axis test in integers, closed against closed
// (design.md, cooking rule 3). Boxes of several voxels are tested first and halved only when
// touched, so the cost follows the voxels touched, not the bounding box.
#include "tools/cook/stages.h"

#include <math.h>

static int64_t min3(int64_t a, int64_t b, int64_t c) {
    int64_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int64_t max3(int64_t a, int64_t b, int64_t c) {
    int64_t ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static tlw_wide_int absolute(tlw_wide_int a) {
    return a < 0 ? -a : a;
}

// The axis edge x unit axis, in the plane of the two other coordinates: p and q are the triangle's
// coordinates there relative to the box's centre (doubled, to stay whole), half the box's half
// edges.
static bool is_separated(const int64_t p[3], const int64_t q[3], int64_t edge_p, int64_t edge_q,
                         int64_t half_p, int64_t half_q) {
    tlw_wide_int low = 0, high = 0;
    for (int i = 0; i < 3; ++i) {
        tlw_wide_int at = (tlw_wide_int)edge_q * p[i] - (tlw_wide_int)edge_p * q[i];
        low = i == 0 || at < low ? at : low;
        high = i == 0 || at > high ? at : high;
    }
    tlw_wide_int radius =
        absolute((tlw_wide_int)edge_q * half_p) + absolute((tlw_wide_int)edge_p * half_q);
    return low > radius || high < -radius;
}

bool tlw_triangle_touches_box(const tlw_int3 triangle[3], tlw_int3 low, tlw_int3 high) {
    // Everything doubled: the centre of a box of an odd number of sub-voxels is whole then.
    const int64_t centre[3] = {((int64_t)low.x + high.x + 1) * TLW_SUBVOXELS,
                               ((int64_t)low.y + high.y + 1) * TLW_SUBVOXELS,
                               ((int64_t)low.z + high.z + 1) * TLW_SUBVOXELS};
    const int64_t half[3] = {((int64_t)high.x - low.x + 1) * TLW_SUBVOXELS,
                             ((int64_t)high.y - low.y + 1) * TLW_SUBVOXELS,
                             ((int64_t)high.z - low.z + 1) * TLW_SUBVOXELS};
    int64_t v[3][3]; // [axis][vertex]
    for (int i = 0; i < 3; ++i) {
        v[0][i] = (int64_t)triangle[i].x * 2 - centre[0];
        v[1][i] = (int64_t)triangle[i].y * 2 - centre[1];
        v[2][i] = (int64_t)triangle[i].z * 2 - centre[2];
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (min3(v[axis][0], v[axis][1], v[axis][2]) > half[axis] ||
            max3(v[axis][0], v[axis][1], v[axis][2]) < -half[axis]) {
            return false;
        }
    }
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        for (int axis = 0; axis < 3; ++axis) {
            int p = (axis + 1) % 3, q = (axis + 2) % 3;
            if (is_separated(v[p], v[q], v[p][next] - v[p][i], v[q][next] - v[q][i], half[p],
                             half[q])) {
                return false;
            }
        }
    }
    int64_t e0[3], e1[3];
    for (int axis = 0; axis < 3; ++axis) {
        e0[axis] = v[axis][1] - v[axis][0];
        e1[axis] = v[axis][2] - v[axis][0];
    }
    tlw_wide_int distance = 0, radius = 0;
    for (int axis = 0; axis < 3; ++axis) {
        int p = (axis + 1) % 3, q = (axis + 2) % 3;
        tlw_wide_int normal = (tlw_wide_int)e0[p] * e1[q] - (tlw_wide_int)e0[q] * e1[p];
        distance += normal * v[axis][0];
        radius += absolute(normal) * half[axis];
    }
    return absolute(distance) <= radius;
}

// A closed box that ends where a voxel begins touches it: the lowest voxel is the one before.
static int32_t lowest_voxel(int64_t coordinate) {
    int64_t below = coordinate - 1;
    int64_t voxel =
        below >= 0 ? below / TLW_SUBVOXELS : -((-below + TLW_SUBVOXELS - 1) / TLW_SUBVOXELS);
    return (int32_t)voxel;
}

static int32_t highest_voxel(int64_t coordinate) {
    int64_t voxel = coordinate >= 0 ? coordinate / TLW_SUBVOXELS
                                    : -((-coordinate + TLW_SUBVOXELS - 1) / TLW_SUBVOXELS);
    return (int32_t)voxel;
}

typedef struct touching {
    const tlw_int3* triangle;
    tlw_touch_voxel* touch;
    void* user;
} touching;

static void touch_box(const touching* t, tlw_int3 low, tlw_int3 high) {
    if (!tlw_triangle_touches_box(t->triangle, low, high)) {
        return;
    }
    int32_t dx = high.x - low.x, dy = high.y - low.y, dz = high.z - low.z;
    if (dx == 0 && dy == 0 && dz == 0) {
        t->touch(low, t->user);
        return;
    }
    tlw_int3 first_high = high, second_low = low;
    if (dx >= dy && dx >= dz) {
        first_high.x = low.x + dx / 2;
        second_low.x = first_high.x + 1;
    } else if (dy >= dz) {
        first_high.y = low.y + dy / 2;
        second_low.y = first_high.y + 1;
    } else {
        first_high.z = low.z + dz / 2;
        second_low.z = first_high.z + 1;
    }
    touch_box(t, low, first_high);
    touch_box(t, second_low, high);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

void tlw_for_touched_voxels(const tlw_cook_grid* grid, const tlw_int3 triangle[3],
                            tlw_touch_voxel* touch, void* user) {
    const tlw_int3 *a = &triangle[0], *b = &triangle[1], *c = &triangle[2];
    tlw_int3 low = {lowest_voxel(min3(a->x, b->x, c->x)), lowest_voxel(min3(a->y, b->y, c->y)),
                    lowest_voxel(min3(a->z, b->z, c->z))};
    tlw_int3 high = {highest_voxel(max3(a->x, b->x, c->x)), highest_voxel(max3(a->y, b->y, c->y)),
                     highest_voxel(max3(a->z, b->z, c->z))};
    if (high.x < 0 || high.y < 0 || high.z < 0 || low.x >= grid->size.x || low.y >= grid->size.y ||
        low.z >= grid->size.z) {
        return;
    }
    low = (tlw_int3){clamp(low.x, 0, grid->size.x - 1), clamp(low.y, 0, grid->size.y - 1),
                     clamp(low.z, 0, grid->size.z - 1)};
    high = (tlw_int3){clamp(high.x, 0, grid->size.x - 1), clamp(high.y, 0, grid->size.y - 1),
                      clamp(high.z, 0, grid->size.z - 1)};
    touching t = {triangle, touch, user};
    touch_box(&t, low, high);
}

static int32_t snap_axis(double x, double origin, double voxel) {
    const double limit = 1073741824.0, at = floor((x - origin) / voxel * TLW_SUBVOXELS + 0.5);
    return (int32_t)(at < -limit ? -limit : at > limit ? limit : at);
}

tlw_int3 tlw_cook_snap(const tlw_cook_grid* grid, tlw_double3 point) {
    return (tlw_int3){snap_axis(point.x, grid->origin.x, grid->voxel),
                      snap_axis(point.y, grid->origin.y, grid->voxel),
                      snap_axis(point.z, grid->origin.z, grid->voxel)};
}

tlw_double3 tlw_cook_voxel_centre(const tlw_cook_grid* grid, tlw_int3 voxel) {
    return (tlw_double3){grid->origin.x + ((double)voxel.x + 0.5) * grid->voxel,
                         grid->origin.y + ((double)voxel.y + 0.5) * grid->voxel,
                         grid->origin.z + ((double)voxel.z + 0.5) * grid->voxel};
}

size_t tlw_cook_cell(const tlw_cook_grid* grid, tlw_int3 voxel) {
    return ((size_t)voxel.z * (size_t)grid->size.y + (size_t)voxel.y) * (size_t)grid->size.x +
           (size_t)voxel.x;
}

bool tlw_cook_inside_grid(const tlw_cook_grid* grid, tlw_int3 voxel) {
    return voxel.x >= 0 && voxel.y >= 0 && voxel.z >= 0 && voxel.x < grid->size.x &&
           voxel.y < grid->size.y && voxel.z < grid->size.z;
}
