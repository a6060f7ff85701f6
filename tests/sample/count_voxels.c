// SPDX-License-Identifier: MIT
// Counts the voxels of a mesh (count_voxels.h). Slow and plain: every cell in a triangle's box is
// tested on all thirteen axes in 64-bit integers, at 1024 units per voxel.
#include "tests/sample/count_voxels.h"

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct int3 {
    int64_t v[3];
} int3;

static int3 difference(int3 a, int3 b) {
    return (int3){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}

static int3 cross_product(int3 a, int3 b) {
    return (int3){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                   a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

// Touching counts as overlapping: separated only if there is a gap.
static bool is_separated(int3 axis, const int3 triangle[3], int3 low, int64_t edge) {
    int64_t box_low = 0, box_high = 0, tri_low = INT64_MAX, tri_high = INT64_MIN;
    for (int k = 0; k < 3; ++k) {
        int64_t at_low = axis.v[k] * low.v[k], at_high = axis.v[k] * (low.v[k] + edge);
        box_low += at_low < at_high ? at_low : at_high;
        box_high += at_low < at_high ? at_high : at_low;
    }
    for (int i = 0; i < 3; ++i) {
        int64_t d = axis.v[0] * triangle[i].v[0] + axis.v[1] * triangle[i].v[1] +
                    axis.v[2] * triangle[i].v[2];
        tri_low = d < tri_low ? d : tri_low;
        tri_high = d > tri_high ? d : tri_high;
    }
    return tri_high < box_low || box_high < tri_low;
}

static bool touches(const int3 triangle[3], int3 low) {
    const int3 units[3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    int3 edges[3] = {difference(triangle[1], triangle[0]), difference(triangle[2], triangle[1]),
                     difference(triangle[0], triangle[2])};
    if (is_separated(cross_product(edges[0], edges[1]), triangle, low, 1024)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (is_separated(units[i], triangle, low, 1024)) {
            return false;
        }
        for (int k = 0; k < 3; ++k) {
            if (is_separated(cross_product(edges[i], units[k]), triangle, low, 1024)) {
                return false;
            }
        }
    }
    return true;
}

static int64_t floor_div_1024(int64_t x) {
    return x >= 0 ? x / 1024 : -((-x + 1023) / 1024);
}

enum { EMPTY, SURFACE, OUTSIDE };

static void mark_surface(const int3 triangle[3], const uint32_t n[3], uint8_t* cells) {
    int64_t from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (int i = 0; i < 3; ++i) {
            low = triangle[i].v[k] < low ? triangle[i].v[k] : low;
            high = triangle[i].v[k] > high ? triangle[i].v[k] : high;
        }
        from[k] = floor_div_1024(low) - 1; // a vertex on a boundary touches both sides
        to[k] = floor_div_1024(high) + 1;
        from[k] = from[k] < 0 ? 0 : from[k];
        to[k] = to[k] >= n[k] ? (int64_t)n[k] - 1 : to[k];
    }
    for (int64_t z = from[2]; z <= to[2]; ++z) {
        for (int64_t y = from[1]; y <= to[1]; ++y) {
            for (int64_t x = from[0]; x <= to[0]; ++x) {
                uint8_t* cell = &cells[((size_t)z * n[1] + (size_t)y) * n[0] + (size_t)x];
                if (*cell == EMPTY && touches(triangle, (int3){{x * 1024, y * 1024, z * 1024}})) {
                    *cell = SURFACE;
                }
            }
        }
    }
}

// Sweeps until nothing changes: the outside spreads by face steps from the border through empty
// cells.
static void flood_outside(const uint32_t n[3], uint8_t* cells) {
    size_t steps[3] = {1, n[0], (size_t)n[0] * n[1]};
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        size_t i = 0;
        for (uint32_t z = 0; z < n[2]; ++z) {
            for (uint32_t y = 0; y < n[1]; ++y) {
                for (uint32_t x = 0; x < n[0]; ++x, ++i) {
                    uint32_t at[3] = {x, y, z};
                    bool is_reached = false;
                    for (int k = 0; k < 3 && cells[i] == EMPTY; ++k) {
                        is_reached = is_reached || at[k] == 0 || at[k] + 1 == n[k] ||
                                     cells[i - steps[k]] == OUTSIDE ||
                                     cells[i + steps[k]] == OUTSIDE;
                    }
                    if (is_reached) {
                        cells[i] = OUTSIDE;
                        has_changed = true;
                    }
                }
            }
        }
    }
}

uint32_t tlw_count_voxels(const float* positions, uint32_t vertex_count, const uint32_t* indices,
                          uint32_t triangle_count, uint32_t resolution, uint8_t** solid,
                          uint32_t grid[3]) {
    double low[3], high[3], longest = 0.0, origin[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = (double)positions[k];
        for (size_t i = 0; i < vertex_count; ++i) {
            double x = (double)positions[3 * i + (size_t)k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
        longest = high[k] - low[k] > longest ? high[k] - low[k] : longest;
    }
    double s = longest / ((double)resolution - 0.5);
    uint32_t n[3];
    for (int k = 0; k < 3; ++k) {
        n[k] = (uint32_t)floor((high[k] - low[k]) / s) + 1;
        origin[k] = 0.5 * (low[k] + high[k]) - 0.5 * (double)n[k] * s;
    }
    size_t cell_count = (size_t)n[0] * n[1] * n[2];
    uint8_t* cells = calloc(cell_count, 1);
    CHECK(cells != NULL);
    for (size_t t = 0; t < triangle_count; ++t) {
        int3 triangle[3];
        for (size_t i = 0; i < 3; ++i) {
            for (size_t k = 0; k < 3; ++k) {
                double x = (double)positions[3 * (size_t)indices[3 * t + i] + k];
                triangle[i].v[k] = (int64_t)floor((x - origin[k]) / s * 1024.0 + 0.5);
            }
        }
        mark_surface(triangle, n, cells);
    }
    flood_outside(n, cells);
    uint32_t count = 0;
    for (size_t i = 0; i < cell_count; ++i) {
        count += cells[i] != OUTSIDE;
        cells[i] = cells[i] != OUTSIDE;
    }
    if (grid != NULL) {
        memcpy(grid, n, sizeof n);
    }
    if (solid != NULL) {
        *solid = cells;
    } else {
        free(cells);
    }
    return count;
}
