// SPDX-License-Identifier: MIT
// Stage voxelise (RULES 3): a cell is a voxel if a triangle touches it, if it cannot be reached
// from outside, or, where the welded mesh has open edges, if a vote of six signed rays says that it
// is inside. Reads cook->welded and cook->grid; writes cook->voxels.
#include "tools/cook/stages.h"

#include <string.h>

// What is known of a cell while the stage runs.
enum { CELL_EMPTY, CELL_SURFACE, CELL_OUTSIDE, CELL_VOTED };

typedef struct marking {
    const tlw_cook_grid* grid;
    uint8_t* cells;
} marking;

static void mark_surface(tlw_int3 voxel, void* user) {
    marking* m = user;
    m->cells[tlw_cook_cell(m->grid, voxel)] = CELL_SURFACE;
}

// Marks every empty cell that is connected to the outside through the faces of empty cells.
static tlw_result flood_outside(tlw_cook* cook, uint8_t* cells, size_t cell_count) {
    const tlw_int3 n = cook->grid.size;
    uint32_t* stack = tlw_cook_allocate(cook, cell_count, sizeof *stack);
    if (stack == NULL) {
        return cook->error.result;
    }
    const size_t row = (size_t)n.x, layer = (size_t)n.x * (size_t)n.y;
    size_t depth = 0;
    for (size_t i = 0; i < cell_count; ++i) {
        size_t x = i % row, y = i % layer / row, z = i / layer;
        bool at_border = x == 0 || y == 0 || z == 0 || x + 1 == (size_t)n.x ||
                         y + 1 == (size_t)n.y || z + 1 == (size_t)n.z;
        if (at_border && cells[i] == CELL_EMPTY) {
            cells[i] = CELL_OUTSIDE;
            stack[depth++] = (uint32_t)i;
        }
    }
    while (depth > 0) {
        size_t i = stack[--depth];
        size_t x = i % row, y = i % layer / row, z = i / layer;
        const size_t next[6] = {i - 1, i + 1, i - row, i + row, i - layer, i + layer};
        const bool exists[6] = {x > 0, x + 1 < (size_t)n.x, y > 0, y + 1 < (size_t)n.y,
                                z > 0, z + 1 < (size_t)n.z};
        for (int k = 0; k < 6; ++k) {
            if (exists[k] && cells[next[k]] == CELL_EMPTY) {
                cells[next[k]] = CELL_OUTSIDE;
                stack[depth++] = (uint32_t)next[k];
            }
        }
    }
    tlw_cook_free(cook, stack);
    return TLW_OK;
}

// The six-ray vote

// Rays run along `axis` through the centres of cells, at coordinates (u, v) on the two other axes,
// in cyclic order. A ray through an edge or a corner counts as moved by (e, e^2) along u and v, e
// infinitely small, so that it crosses each surface once (RULES 3.5): that decides the sign of a
// cross product that is zero.
static int64_t coordinate(const tlw_int3* v, int axis) {
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// The side of the edge a -> b that the ray lies on: +1, -1; 0 only for an edge that has no length
// when seen along the axis.
static int side_of_edge(int64_t au, int64_t av, int64_t bu, int64_t bv, int64_t u, int64_t v) {
    int64_t cross = (bu - au) * (v - av) - (bv - av) * (u - au);
    if (cross == 0) {
        cross = bv != av ? -(bv - av) : bu - au;
    }
    return (cross > 0) - (cross < 0);
}

typedef struct crossing_votes {
    int32_t* ahead;  // per cell: signed crossings of the ray along the axis
    int32_t* behind; // and of the ray against it
} crossing_votes;

// Adds one triangle's crossings to every cell of the lines along `axis` that it covers.
static void cross_lines(const tlw_cook_grid* grid, const tlw_int3 t[3], int axis,
                        crossing_votes votes) {
    const int axis_u = (axis + 1) % 3, axis_v = (axis + 2) % 3;
    const int64_t sizes[3] = {grid->size.x, grid->size.y, grid->size.z};
    int64_t a[3], u[3], v[3];
    int64_t low_u = INT64_MAX, high_u = INT64_MIN, low_v = INT64_MAX, high_v = INT64_MIN;
    for (int i = 0; i < 3; ++i) {
        a[i] = coordinate(&t[i], axis);
        u[i] = coordinate(&t[i], axis_u);
        v[i] = coordinate(&t[i], axis_v);
        low_u = u[i] < low_u ? u[i] : low_u;
        high_u = u[i] > high_u ? u[i] : high_u;
        low_v = v[i] < low_v ? v[i] : low_v;
        high_v = v[i] > high_v ? v[i] : high_v;
    }
    // Twice the signed area seen along the axis. Its sign says which way the triangle faces.
    const int64_t area = (u[1] - u[0]) * (v[2] - v[0]) - (v[1] - v[0]) * (u[2] - u[0]);
    if (area == 0) {
        return;
    }
    const int32_t facing = area > 0 ? 1 : -1;
    const int64_t half = TLW_SUBVOXELS / 2;
    int64_t first_u = (low_u - half) / TLW_SUBVOXELS - 1,
            last_u = (high_u - half) / TLW_SUBVOXELS + 1;
    int64_t first_v = (low_v - half) / TLW_SUBVOXELS - 1,
            last_v = (high_v - half) / TLW_SUBVOXELS + 1;
    first_u = first_u < 0 ? 0 : first_u;
    first_v = first_v < 0 ? 0 : first_v;
    last_u = last_u >= sizes[axis_u] ? sizes[axis_u] - 1 : last_u;
    last_v = last_v >= sizes[axis_v] ? sizes[axis_v] - 1 : last_v;
    for (int64_t cell_v = first_v; cell_v <= last_v; ++cell_v) {
        for (int64_t cell_u = first_u; cell_u <= last_u; ++cell_u) {
            const int64_t ray_u = cell_u * TLW_SUBVOXELS + half,
                          ray_v = cell_v * TLW_SUBVOXELS + half;
            int sides = 0;
            for (int i = 0; i < 3; ++i) {
                int k = (i + 1) % 3;
                sides += side_of_edge(u[i], v[i], u[k], v[k], ray_u, ray_v);
            }
            if (sides != 3 && sides != -3) {
                continue;
            }
            // Where along the axis the plane is crossed, as a fraction over `area`.
            const tlw_wide_int weight1 = (tlw_wide_int)(ray_u - u[0]) * (v[2] - v[0]) -
                                         (tlw_wide_int)(ray_v - v[0]) * (u[2] - u[0]);
            const tlw_wide_int weight2 = (tlw_wide_int)(u[1] - u[0]) * (ray_v - v[0]) -
                                         (tlw_wide_int)(v[1] - v[0]) * (ray_u - u[0]);
            const tlw_wide_int at =
                (tlw_wide_int)a[0] * area + weight1 * (a[1] - a[0]) + weight2 * (a[2] - a[0]);
            for (int64_t cell_along = 0; cell_along < sizes[axis]; ++cell_along) {
                const tlw_wide_int centre =
                    (tlw_wide_int)(cell_along * TLW_SUBVOXELS + half) * area;
                int64_t cell[3];
                cell[axis] = cell_along;
                cell[axis_u] = cell_u;
                cell[axis_v] = cell_v;
                size_t index = tlw_cook_cell(
                    grid, (tlw_int3){(int32_t)cell[0], (int32_t)cell[1], (int32_t)cell[2]});
                // A ray leaves through a triangle that faces along it. A centre in the plane of the
                // triangle counts the crossing as ahead.
                if (area > 0 ? at >= centre : at <= centre) {
                    votes.ahead[index] += facing;
                } else {
                    votes.behind[index] -= facing;
                }
            }
        }
    }
}

static tlw_result vote_inside(tlw_cook* cook, const tlw_int3* snapped, uint8_t* cells,
                              size_t cell_count) {
    crossing_votes votes = {tlw_cook_allocate(cook, cell_count, sizeof(int32_t)),
                            tlw_cook_allocate(cook, cell_count, sizeof(int32_t))};
    uint8_t* yes = tlw_cook_allocate(cook, cell_count, sizeof *yes);
    tlw_result result = cook->error.result;
    for (int axis = 0; axis < 3 && result == TLW_OK; ++axis) {
        memset(votes.ahead, 0, cell_count * sizeof(int32_t));
        memset(votes.behind, 0, cell_count * sizeof(int32_t));
        for (uint32_t t = 0; t < cook->welded.triangle_count; ++t) {
            const uint32_t* corner = cook->welded.triangles[t];
            const tlw_int3 triangle[3] = {snapped[corner[0]], snapped[corner[1]],
                                          snapped[corner[2]]};
            cross_lines(&cook->grid, triangle, axis, votes);
        }
        for (size_t i = 0; i < cell_count; ++i) {
            yes[i] = (uint8_t)(yes[i] + (votes.ahead[i] > 0) + (votes.behind[i] > 0));
        }
    }
    for (size_t i = 0; i < cell_count && result == TLW_OK; ++i) {
        if (yes[i] >= 4 && cells[i] == CELL_OUTSIDE) {
            cells[i] = CELL_VOTED;
        }
    }
    tlw_cook_free(cook, votes.ahead);
    tlw_cook_free(cook, votes.behind);
    tlw_cook_free(cook, yes);
    return result;
}

static tlw_result list_voxels(tlw_cook* cook, const uint8_t* cells, size_t cell_count) {
    tlw_cook_voxels* voxels = &cook->voxels;
    size_t count = 0;
    for (size_t i = 0; i < cell_count; ++i) {
        count += cells[i] != CELL_OUTSIDE;
        voxels->from_surface += cells[i] == CELL_SURFACE;
        voxels->from_inside += cells[i] == CELL_EMPTY;
        voxels->from_vote += cells[i] == CELL_VOTED;
    }
    if (count > cook->recipe->max_voxels) {
        cook->error.key = "limits.voxels";
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%zu voxels; the recipe allows %u", count,
                             cook->recipe->max_voxels);
    }
    voxels->coordinates = tlw_cook_allocate(cook, count, sizeof *voxels->coordinates);
    voxels->index = tlw_cook_allocate(cook, cell_count, sizeof *voxels->index);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    size_t at = 0;
    for (int32_t z = 0; z < cook->grid.size.z; ++z) {
        for (int32_t y = 0; y < cook->grid.size.y; ++y) {
            for (int32_t x = 0; x < cook->grid.size.x; ++x, ++at) {
                bool is_voxel = cells[at] != CELL_OUTSIDE;
                voxels->index[at] = is_voxel ? voxels->count : TLW_NO_VOXEL;
                if (is_voxel) {
                    voxels->coordinates[voxels->count++] = (tlw_int3){x, y, z};
                }
            }
        }
    }
    return TLW_OK;
}

tlw_result tlw_cook_voxelise(tlw_cook* cook) {
    const tlw_cook_grid* grid = &cook->grid;
    const size_t cell_count = (size_t)grid->size.x * (size_t)grid->size.y * (size_t)grid->size.z;
    uint8_t* cells = tlw_cook_allocate(cook, cell_count, sizeof *cells);
    tlw_int3* snapped = tlw_cook_allocate(cook, cook->welded.vertex_count, sizeof *snapped);
    tlw_result result = cook->error.result;
    for (uint32_t v = 0; v < cook->welded.vertex_count && result == TLW_OK; ++v) {
        snapped[v] = tlw_cook_snap(grid, cook->welded.positions[v]);
    }
    marking m = {grid, cells};
    for (uint32_t t = 0; t < cook->welded.triangle_count && result == TLW_OK; ++t) {
        const uint32_t* corner = cook->welded.triangles[t];
        const tlw_int3 triangle[3] = {snapped[corner[0]], snapped[corner[1]], snapped[corner[2]]};
        tlw_for_touched_voxels(grid, triangle, mark_surface, &m);
    }
    if (result == TLW_OK) {
        result = flood_outside(cook, cells, cell_count);
    }
    if (result == TLW_OK && cook->welded.open_edges > 0) {
        result = vote_inside(cook, snapped, cells, cell_count);
    }
    if (result == TLW_OK) {
        result = list_voxels(cook, cells, cell_count);
    }
    tlw_cook_free(cook, cells);
    tlw_cook_free(cook, snapped);
    return result;
}
