// SPDX-License-Identifier: MIT
// Stage voxelise (design.md, cooking rules 2 and 3): the grid; every voxel that a triangle touches,
// exactly; every voxel that cannot be reached from outside; and, where the welded mesh has open
// edges, the voxels inside by a signed six-ray vote. Reads cook->welded; writes cook->grid and
// cook->voxels.
#include "tools/cook/stages.h"

#include <math.h>
#include <string.h>

#define RESOLUTION_MAX 1024
#define CELLS_MAX      ((uint64_t)1 << 28)

// Of a cell while the stage runs.
enum { CELL_EMPTY, CELL_SURFACE, CELL_OUTSIDE, CELL_VOTED };

static double axis_of(const tlw_double3* v, int axis) {
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

tlw_result tlw_cook_make_grid(tlw_cook* cook) {
    const tlw_cook_welded* welded = &cook->welded;
    const tlw_cook_recipe* recipe = cook->recipe;
    tlw_cook_grid* grid = &cook->grid;
    double low[3], high[3], extent = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = high[axis] = axis_of(&welded->positions[0], axis);
        for (uint32_t v = 0; v < welded->vertex_count; ++v) {
            double x = axis_of(&welded->positions[v], axis);
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
        extent = high[axis] - low[axis] > extent ? high[axis] - low[axis] : extent;
    }
    if (!(extent > 0.0 && extent <= 1e30)) { // the blob's numbers are finite as floats
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "the mesh has an extent of %g m",
                             extent);
    }
    if (recipe->resolution > 0) {
        grid->voxel = extent / ((double)recipe->resolution - 0.5);
    } else {
        grid->voxel = recipe->voxel_metres;
    }
    double resolution = floor(extent / grid->voxel) + 1.0;
    if (!(resolution >= 2.0 && resolution <= RESOLUTION_MAX)) {
        return tlw_cook_fail(
            cook, TLW_ERROR_TOO_LARGE,
            "a resolution of %.0f voxels (of %g m along %g m); 2 to %d are possible", resolution,
            grid->voxel, extent, RESOLUTION_MAX);
    }
    int32_t size[3];
    double origin[3];
    for (int axis = 0; axis < 3; ++axis) {
        double count = floor((high[axis] - low[axis]) / grid->voxel) + 1.0;
        size[axis] = (int32_t)count;
        origin[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * (count * grid->voxel);
    }
    grid->size = (tlw_int3){size[0], size[1], size[2]};
    grid->origin = (tlw_double3){origin[0], origin[1], origin[2]};
    grid->extent = extent;
    uint64_t cells = (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2];
    if (cells > CELLS_MAX) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                             "a grid of %d x %d x %d cells; at most %llu", size[0], size[1],
                             size[2], (unsigned long long)CELLS_MAX);
    }
    return TLW_OK;
}

typedef struct marking {
    const tlw_cook_grid* grid;
    uint8_t* cells;
} marking;

static void mark_surface(tlw_int3 voxel, void* user) {
    marking* m = user;
    m->cells[tlw_cook_cell(m->grid, voxel)] = CELL_SURFACE;
}

// Marks every empty cell that faces of empty cells connect to the outside.
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
    tlw_cook_free(cook, stack, cell_count, sizeof *stack);
    return TLW_OK;
}

// The six-ray vote

// Rays run along `axis` through the centres of voxels, at coordinates (p, q) in the two other axes.
// A ray through an edge or a corner is moved by an infinitesimal amount, first in p, then in q, so
// that it crosses each surface once: the sign of a cross product that is zero comes from that.
static int64_t coordinate(const tlw_int3* v, int axis) {
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// On which side of the edge a -> b the ray lies: +1, -1; 0 only for an edge without length there.
static int side_of_edge(int64_t ap, int64_t aq, int64_t bp, int64_t bq, int64_t p, int64_t q) {
    int64_t cross = (bp - ap) * (q - aq) - (bq - aq) * (p - ap);
    if (cross == 0) {
        cross = bq != aq ? -(bq - aq) : bp - ap;
    }
    return (cross > 0) - (cross < 0);
}

typedef struct crossing_votes {
    int32_t* ahead;  // signed crossings beyond the centre, for each cell
    int32_t* behind; // and before it
} crossing_votes;

// Adds one triangle's crossings to every cell of the lines along `axis` that it covers.
static void cross_lines(const tlw_cook_grid* grid, const tlw_int3 t[3], int axis,
                        crossing_votes votes) {
    const int axis_p = (axis + 1) % 3, axis_q = (axis + 2) % 3;
    const int64_t sizes[3] = {grid->size.x, grid->size.y, grid->size.z};
    int64_t a[3], p[3], q[3];
    int64_t low_p = INT64_MAX, high_p = INT64_MIN, low_q = INT64_MAX, high_q = INT64_MIN;
    for (int i = 0; i < 3; ++i) {
        a[i] = coordinate(&t[i], axis);
        p[i] = coordinate(&t[i], axis_p);
        q[i] = coordinate(&t[i], axis_q);
        low_p = p[i] < low_p ? p[i] : low_p;
        high_p = p[i] > high_p ? p[i] : high_p;
        low_q = q[i] < low_q ? q[i] : low_q;
        high_q = q[i] > high_q ? q[i] : high_q;
    }
    // Twice the signed area seen along the axis: which way the surface faces the ray.
    const int64_t area = (p[1] - p[0]) * (q[2] - q[0]) - (q[1] - q[0]) * (p[2] - p[0]);
    if (area == 0) {
        return;
    }
    const int32_t facing = area > 0 ? 1 : -1;
    const int64_t half = TLW_SUBVOXELS / 2;
    int64_t first_p = (low_p - half) / TLW_SUBVOXELS - 1,
            last_p = (high_p - half) / TLW_SUBVOXELS + 1;
    int64_t first_q = (low_q - half) / TLW_SUBVOXELS - 1,
            last_q = (high_q - half) / TLW_SUBVOXELS + 1;
    first_p = first_p < 0 ? 0 : first_p;
    first_q = first_q < 0 ? 0 : first_q;
    last_p = last_p >= sizes[axis_p] ? sizes[axis_p] - 1 : last_p;
    last_q = last_q >= sizes[axis_q] ? sizes[axis_q] - 1 : last_q;
    for (int64_t cell_q = first_q; cell_q <= last_q; ++cell_q) {
        for (int64_t cell_p = first_p; cell_p <= last_p; ++cell_p) {
            const int64_t rp = cell_p * TLW_SUBVOXELS + half, rq = cell_q * TLW_SUBVOXELS + half;
            int sides = 0;
            for (int i = 0; i < 3; ++i) {
                int k = (i + 1) % 3;
                sides += side_of_edge(p[i], q[i], p[k], q[k], rp, rq);
            }
            if (sides != 3 && sides != -3) {
                continue;
            }
            // Where along the axis the plane is crossed, as a fraction over `area`.
            const tlw_wide_int weight1 = (tlw_wide_int)(rp - p[0]) * (q[2] - q[0]) -
                                         (tlw_wide_int)(rq - q[0]) * (p[2] - p[0]);
            const tlw_wide_int weight2 = (tlw_wide_int)(p[1] - p[0]) * (rq - q[0]) -
                                         (tlw_wide_int)(q[1] - q[0]) * (rp - p[0]);
            const tlw_wide_int at =
                (tlw_wide_int)a[0] * area + weight1 * (a[1] - a[0]) + weight2 * (a[2] - a[0]);
            for (int64_t cell_a = 0; cell_a < sizes[axis]; ++cell_a) {
                const tlw_wide_int centre = (tlw_wide_int)(cell_a * TLW_SUBVOXELS + half) * area;
                int64_t cell[3];
                cell[axis] = cell_a;
                cell[axis_p] = cell_p;
                cell[axis_q] = cell_q;
                size_t index = tlw_cook_cell(
                    grid, (tlw_int3){(int32_t)cell[0], (int32_t)cell[1], (int32_t)cell[2]});
                // A ray leaves through a face that looks along it. On the plane itself counts as
                // ahead.
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
    tlw_cook_free(cook, votes.ahead, cell_count, sizeof(int32_t));
    tlw_cook_free(cook, votes.behind, cell_count, sizeof(int32_t));
    tlw_cook_free(cook, yes, cell_count, sizeof *yes);
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
    tlw_cook_free(cook, cells, cell_count, sizeof *cells);
    tlw_cook_free(cook, snapped, cook->welded.vertex_count, sizeof *snapped);
    return result;
}
