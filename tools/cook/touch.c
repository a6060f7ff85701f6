// SPDX-License-Identifier: MIT
// Which cells a triangle touches (RULES 3): an exact separating-axis test in integers, closed
// triangle against closed box. Boxes of several cells are tested first and halved only when
// touched, so the cost follows the cells touched, not the bounding box. Used by the stages voxelise
// and segments.
#include "tools/cook/stages.h"

#include <stdlib.h>

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

// Whether the axis (edge x unit axis) separates. That axis lies in the plane of the two other
// coordinates, u and v: the triangle's corners there, relative to the box's centre, and the box's
// half edges. All of them are doubled, so that centres stay whole.
static bool is_separated(const int64_t u[3], const int64_t v[3], int64_t edge_u, int64_t edge_v,
                         int64_t half_u, int64_t half_v) {
    tlw_wide_int low = 0, high = 0;
    for (int i = 0; i < 3; ++i) {
        tlw_wide_int at = (tlw_wide_int)edge_v * u[i] - (tlw_wide_int)edge_u * v[i];
        low = i == 0 || at < low ? at : low;
        high = i == 0 || at > high ? at : high;
    }
    tlw_wide_int radius =
        absolute((tlw_wide_int)edge_v * half_u) + absolute((tlw_wide_int)edge_u * half_v);
    return low > radius || high < -radius;
}

bool tlw_triangle_touches_box(const tlw_int3 triangle[3], tlw_int3 low, tlw_int3 high) {
    // Everything is doubled, so that the centre of a box of an odd number of sub-voxels is whole.
    const int64_t centre[3] = {((int64_t)low.x + high.x + 1) * TLW_SUBVOXELS,
                               ((int64_t)low.y + high.y + 1) * TLW_SUBVOXELS,
                               ((int64_t)low.z + high.z + 1) * TLW_SUBVOXELS};
    const int64_t half[3] = {((int64_t)high.x - low.x + 1) * TLW_SUBVOXELS,
                             ((int64_t)high.y - low.y + 1) * TLW_SUBVOXELS,
                             ((int64_t)high.z - low.z + 1) * TLW_SUBVOXELS};
    int64_t at[3][3]; // [axis][corner], relative to the centre
    for (int i = 0; i < 3; ++i) {
        at[0][i] = (int64_t)triangle[i].x * 2 - centre[0];
        at[1][i] = (int64_t)triangle[i].y * 2 - centre[1];
        at[2][i] = (int64_t)triangle[i].z * 2 - centre[2];
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (min3(at[axis][0], at[axis][1], at[axis][2]) > half[axis] ||
            max3(at[axis][0], at[axis][1], at[axis][2]) < -half[axis]) {
            return false;
        }
    }
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        for (int axis = 0; axis < 3; ++axis) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (is_separated(at[u], at[v], at[u][next] - at[u][i], at[v][next] - at[v][i], half[u],
                             half[v])) {
                return false;
            }
        }
    }
    int64_t e0[3], e1[3];
    for (int axis = 0; axis < 3; ++axis) {
        e0[axis] = at[axis][1] - at[axis][0];
        e1[axis] = at[axis][2] - at[axis][0];
    }
    tlw_wide_int distance = 0, radius = 0;
    for (int axis = 0; axis < 3; ++axis) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        tlw_wide_int normal = (tlw_wide_int)e0[u] * e1[v] - (tlw_wide_int)e0[v] * e1[u];
        distance += normal * at[axis][0];
        radius += absolute(normal) * half[axis];
    }
    return absolute(distance) <= radius;
}

bool tlw_segment_touches_box(tlw_int3 start, tlw_int3 end, tlw_int3 low, tlw_int3 high) {
    // Doubled, as above.
    const int64_t from[3] = {2 * (int64_t)start.x, 2 * (int64_t)start.y, 2 * (int64_t)start.z};
    const int64_t to[3] = {2 * (int64_t)end.x, 2 * (int64_t)end.y, 2 * (int64_t)end.z};
    const int64_t first[3] = {low.x, low.y, low.z}, last[3] = {high.x, high.y, high.z};
    int64_t at[3], along[3], half[3]; // the start, relative to the box's centre
    for (int axis = 0; axis < 3; ++axis) {
        const int64_t centre = (first[axis] + last[axis] + 1) * TLW_SUBVOXELS;
        half[axis] = (last[axis] - first[axis] + 1) * TLW_SUBVOXELS;
        at[axis] = from[axis] - centre;
        along[axis] = to[axis] - from[axis];
        if ((at[axis] > half[axis] && to[axis] - centre > half[axis]) ||
            (at[axis] < -half[axis] && to[axis] - centre < -half[axis])) {
            return false;
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const int64_t distance = along[v] * at[u] - along[u] * at[v];
        const int64_t radius = llabs(along[v]) * half[u] + llabs(along[u]) * half[v];
        if (distance > radius || distance < -radius) {
            return false;
        }
    }
    return true;
}

// The first cell whose closed box has the coordinate. On a border that is the cell below it.
static int32_t lowest_voxel(int64_t coordinate) {
    int64_t below = coordinate - 1;
    int64_t voxel =
        below >= 0 ? below / TLW_SUBVOXELS : -((-below + TLW_SUBVOXELS - 1) / TLW_SUBVOXELS);
    return (int32_t)voxel;
}

// The last such cell.
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
