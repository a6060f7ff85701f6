// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 3: reads the welded mesh, writes the set of voxels, which of them the
// mesh touches, and which have their centre inside.
#include "tests/cook/oracle/oracle_private.h"

#include <stdlib.h>

static size_t cell_index(const oracle_result* result, int32_t x, int32_t y, int32_t z) {
    return ((size_t)z * result->counts[1] + (size_t)y) * result->counts[0] + (size_t)x;
}

static bool is_in_grid(const oracle_result* result, const int32_t cell[3]) {
    for (int a = 0; a < 3; ++a) {
        if (cell[a] < 0 || cell[a] >= (int32_t)result->counts[a]) {
            return false;
        }
    }
    return true;
}

// The cells that can touch a triangle or lie in its columns; perhaps some more.
static void bounds_of(const oracle_result* result, const int64_t* const corner[3], int32_t low[3],
                      int32_t high[3]) {
    for (int a = 0; a < 3; ++a) {
        int64_t least = corner[0][a], most = corner[0][a];
        for (int i = 1; i < 3; ++i) {
            least = corner[i][a] < least ? corner[i][a] : least;
            most = corner[i][a] > most ? corner[i][a] : most;
        }
        int32_t n = (int32_t)result->counts[a];
        low[a] = (int32_t)(least / ORACLE_UNITS) - 1;
        high[a] = (int32_t)(most / ORACLE_UNITS) + 1;
        low[a] = low[a] < 0 ? 0 : low[a];
        high[a] = high[a] >= n ? n - 1 : high[a];
    }
}

void oracle_snapped_centre(const int32_t cell[3], int64_t centre[3]) {
    for (int a = 0; a < 3; ++a) {
        centre[a] = (int64_t)cell[a] * ORACLE_UNITS + ORACLE_UNITS / 2;
    }
}

static void mark_conservative(const oracle_work* work, uint8_t* is_voxel) {
    const oracle_result* result = work->result;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        const int64_t* corner[3];
        for (uint32_t i = 0; i < 3; ++i) {
            corner[i] = &work->snapped[work->triangles[t * 3 + i] * 3];
        }
        int32_t low[3], high[3], cell[3];
        bounds_of(result, corner, low, high);
        for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
            for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1]) {
                for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
                    if (oracle_triangle_touches_cell(corner[0], corner[1], corner[2], cell)) {
                        is_voxel[cell_index(result, cell[0], cell[1], cell[2])] = 1;
                    }
                }
            }
        }
    }
}

// Makes a voxel of every cell that is none yet and cannot be reached from outside.
static uint32_t mark_solid(const oracle_result* result, uint8_t* is_voxel) {
    const int32_t nx = (int32_t)result->counts[0];
    const int32_t ny = (int32_t)result->counts[1];
    const int32_t nz = (int32_t)result->counts[2];
    // Padded by one empty cell on every side, so that the outside is connected.
    const size_t px = (size_t)nx + 2, py = (size_t)ny + 2, pz = (size_t)nz + 2;
    uint8_t* is_outside = oracle_allocate(px * py * pz, 1);
    size_t* stack = oracle_allocate(px * py * pz, sizeof *stack);
    size_t depth = 0;
    is_outside[0] = 1;
    stack[depth++] = 0;
    while (depth > 0) {
        size_t at = stack[--depth];
        int32_t cell[3] = {(int32_t)(at % px), (int32_t)(at / px % py), (int32_t)(at / px / py)};
        for (int face = 0; face < 6; ++face) {
            int32_t next[3] = {cell[0], cell[1], cell[2]};
            next[face / 2] += face % 2 == 0 ? -1 : 1;
            if (next[0] < 0 || next[1] < 0 || next[2] < 0 || next[0] > nx + 1 || next[1] > ny + 1 ||
                next[2] > nz + 1) {
                continue;
            }
            int32_t inner[3] = {next[0] - 1, next[1] - 1, next[2] - 1};
            size_t to = ((size_t)next[2] * py + (size_t)next[1]) * px + (size_t)next[0];
            if (is_outside[to] || (is_in_grid(result, inner) &&
                                   is_voxel[cell_index(result, inner[0], inner[1], inner[2])])) {
                continue;
            }
            is_outside[to] = 1;
            stack[depth++] = to;
        }
    }
    uint32_t added = 0;
    for (int32_t z = 0; z < nz; ++z) {
        for (int32_t y = 0; y < ny; ++y) {
            for (int32_t x = 0; x < nx; ++x) {
                size_t padded = ((size_t)(z + 1) * py + (size_t)(y + 1)) * px + (size_t)(x + 1);
                size_t cell = cell_index(result, x, y, z);
                if (!is_outside[padded] && !is_voxel[cell]) {
                    is_voxel[cell] = 1;
                    ++added;
                }
            }
        }
    }
    free(stack);
    free(is_outside);
    return added;
}

// The side of the line from a to b that the origin lies on, after the origin was moved by (e, e^2)
// for an infinitely small e > 0: it is never on the line, unless a is b. So an edge between two
// triangles belongs to one of them, and a vertex to one triangle of its fan (RULES 3.5).
static int side(int64_t au, int64_t av, int64_t bu, int64_t bv) {
    int64_t at_origin = au * bv - av * bu;
    if (at_origin != 0) {
        return oracle_sign(at_origin);
    }
    return bv != av ? oracle_sign(av - bv) : oracle_sign(bu - au);
}

// The sign of the mesh's volume: -1 if it is inside out (RULES 3.4).
static int volume_sign(const oracle_work* work) {
    const oracle_result* result = work->result;
    oracle_wide volume = 0;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        int64_t p[3][3];
        for (uint32_t i = 0; i < 3; ++i) {
            for (uint32_t a = 0; a < 3; ++a) {
                p[i][a] = work->snapped[work->triangles[t * 3 + i] * 3 + a] -
                          (int64_t)(ORACLE_UNITS / 2) * result->counts[a];
            }
        }
        const int64_t origin[3] = {0, 0, 0};
        volume -= oracle_determinant(p[0], p[1], p[2], origin); // -det(b - a, c - a, -a)
    }
    return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

// Adds to `ahead` and `behind` of every cell what one triangle counts for its rays along an axis:
// +1 for a triangle that faces along the ray, -1 for one that faces against it. A triangle whose
// plane holds the centre counts for neither ray (RULES 3.5).
static void count_triangle(const oracle_work* work, uint32_t t, int axis, int reversed, int* ahead,
                           int* behind) {
    const oracle_result* result = work->result;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int64_t* corner[3];
    for (uint32_t i = 0; i < 3; ++i) {
        corner[i] = &work->snapped[work->triangles[t * 3 + i] * 3];
    }
    int64_t area = (corner[1][u] - corner[0][u]) * (corner[2][v] - corner[0][v]) -
                   (corner[1][v] - corner[0][v]) * (corner[2][u] - corner[0][u]);
    const int facing = oracle_sign(area);
    int32_t low[3], high[3], cell[3];
    bounds_of(result, corner, low, high);
    for (cell[u] = low[u]; facing != 0 && cell[u] <= high[u]; ++cell[u]) {
        for (cell[v] = low[v]; cell[v] <= high[v]; ++cell[v]) {
            int64_t p[3][2];
            for (int i = 0; i < 3; ++i) {
                p[i][0] = corner[i][u] - (int64_t)cell[u] * ORACLE_UNITS - ORACLE_UNITS / 2;
                p[i][1] = corner[i][v] - (int64_t)cell[v] * ORACLE_UNITS - ORACLE_UNITS / 2;
            }
            if (side(p[0][0], p[0][1], p[1][0], p[1][1]) != facing ||
                side(p[1][0], p[1][1], p[2][0], p[2][1]) != facing ||
                side(p[2][0], p[2][1], p[0][0], p[0][1]) != facing) {
                continue;
            }
            for (cell[axis] = 0; cell[axis] < (int32_t)result->counts[axis]; ++cell[axis]) {
                int64_t centre[3];
                oracle_snapped_centre(cell, centre);
                // Below 0: the centre is behind the triangle, so the ray that leaves through it
                // runs the way it faces.
                int where =
                    oracle_sign(oracle_determinant(corner[0], corner[1], corner[2], centre));
                size_t at = cell_index(result, cell[0], cell[1], cell[2]);
                ahead[at] += where * facing < 0 ? facing * reversed : 0;
                behind[at] += where * facing > 0 ? -facing * reversed : 0;
            }
        }
    }
}

// Which cells have their centre inside: at least four of six rays say so (RULES 3.4 to 3.6).
static bool* find_inside(oracle_work* work, size_t cells) {
    uint8_t* votes = oracle_allocate(cells, 1);
    bool* is_inside = oracle_allocate(cells, sizeof(bool));
    int* ahead = oracle_allocate(cells, sizeof(int));
    int* behind = oracle_allocate(cells, sizeof(int));
    const int reversed = work->is_inside_out ? -1 : 1;
    for (int axis = 0; axis < 3; ++axis) {
        for (size_t cell = 0; cell < cells; ++cell) {
            ahead[cell] = behind[cell] = 0;
        }
        for (uint32_t t = 0; t < work->triangle_count; ++t) {
            count_triangle(work, t, axis, reversed, ahead, behind);
        }
        for (size_t cell = 0; cell < cells; ++cell) {
            votes[cell] = (uint8_t)(votes[cell] + (ahead[cell] > 0) + (behind[cell] > 0));
        }
    }
    for (size_t cell = 0; cell < cells; ++cell) {
        is_inside[cell] = votes[cell] >= 4;
    }
    free(behind);
    free(ahead);
    free(votes);
    return is_inside;
}

void oracle_voxelise(oracle_work* work) {
    oracle_result* result = work->result;
    work->snapped = oracle_allocate((size_t)work->vertex_count * 3, sizeof(int64_t));
    work->scaled = oracle_allocate((size_t)work->vertex_count * 3, sizeof(double));
    for (uint32_t i = 0; i < work->vertex_count * 3; ++i) {
        work->snapped[i] = oracle_snap(result, work->positions[i], (int)(i % 3));
        work->scaled[i] = oracle_to_voxels(result, work->positions[i], (int)(i % 3));
    }
    work->is_inside_out = volume_sign(work) < 0;
    const size_t cells = (size_t)result->counts[0] * result->counts[1] * result->counts[2];
    uint8_t* is_voxel = oracle_allocate(cells, 1);
    bool* is_inside = find_inside(work, cells);
    mark_conservative(work, is_voxel);
    bool* is_touched = oracle_allocate(cells, sizeof(bool));
    for (size_t cell = 0; cell < cells; ++cell) {
        result->conservative_count += is_voxel[cell];
        is_touched[cell] = is_voxel[cell] != 0;
    }
    result->solid_count = mark_solid(result, is_voxel);
    for (size_t cell = 0; result->open_edge_count > 0 && cell < cells; ++cell) {
        if (is_inside[cell] && !is_voxel[cell]) {
            is_voxel[cell] = 1;
            result->vote_count += 1;
        }
    }
    result->voxel_count = result->conservative_count + result->solid_count + result->vote_count;
    result->voxels = oracle_allocate(result->voxel_count, sizeof *result->voxels);
    result->voxel_of_cell = oracle_allocate(cells, sizeof(uint32_t));
    uint32_t count = 0;
    for (size_t cell = 0; cell < cells; ++cell) {
        result->voxel_of_cell[cell] = ORACLE_NONE;
        if (is_voxel[cell]) {
            oracle_voxel* voxel = &result->voxels[count];
            voxel->cell[0] = (int32_t)(cell % result->counts[0]);
            voxel->cell[1] = (int32_t)(cell / result->counts[0] % result->counts[1]);
            voxel->cell[2] = (int32_t)(cell / result->counts[0] / result->counts[1]);
            voxel->is_touched = is_touched[cell];
            voxel->is_inside = is_inside[cell];
            result->voxel_of_cell[cell] = count++;
        }
    }
    free(is_touched);
    free(is_inside);
    free(is_voxel);
}
