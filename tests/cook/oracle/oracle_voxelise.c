// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 1 to 3: reads the input's meshes, writes the set of voxels.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>

// RULES 1
// -------------------------------------------------------------------------------------------

// Adds a vertex's normalised weights to its welded vertex (RULES 1.2); false if it has none.
static bool add_weights(const oracle_work* work, const tlw_cook_mesh* mesh, uint32_t vertex,
                        double* row) {
    const uint32_t n = mesh->influence_count;
    double sum = 0;
    for (uint32_t k = 0; k < n; ++k) {
        if (!work->is_excluded[mesh->joints[vertex * n + k]]) {
            sum += (double)mesh->weights[vertex * n + k];
        }
    }
    if (!(sum > 0)) {
        return false;
    }
    for (uint32_t k = 0; k < n; ++k) {
        uint32_t joint = mesh->joints[vertex * n + k];
        if (!work->is_excluded[joint]) {
            row[joint] += (double)mesh->weights[vertex * n + k] / sum;
        }
    }
    return true;
}

typedef struct oracle_edge {
    uint32_t low, high;
} oracle_edge;

static int compare_edges(const void* left, const void* right) {
    const oracle_edge* a = left;
    const oracle_edge* b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    return a->high < b->high ? -1 : a->high > b->high;
}

static void count_edges(oracle_work* work) {
    const size_t count = (size_t)work->triangle_count * 3;
    oracle_edge* edges = oracle_allocate(count, sizeof *edges);
    for (size_t e = 0; e < count; ++e) {
        uint32_t from = work->triangles[e];
        uint32_t to = work->triangles[e % 3 == 2 ? e - 2 : e + 1];
        edges[e] = from < to ? (oracle_edge){from, to} : (oracle_edge){to, from};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t e = 0; e < count;) {
        size_t end = e;
        while (end < count && compare_edges(&edges[e], &edges[end]) == 0) {
            ++end;
        }
        work->result->open_edge_count += end - e == 1;
        work->result->non_manifold_edge_count += end - e > 2;
        e = end;
    }
    free(edges);
}

const char* oracle_weld(oracle_work* work) {
    const tlw_cook_input* input = work->input;
    const uint32_t joint_count = input->joint_count;
    size_t vertex_max = 0;
    size_t triangle_max = 0;
    for (uint32_t m = 0; m < input->mesh_count; ++m) {
        if (input->meshes[m].role == TLW_ROLE_VOXELISE) {
            vertex_max += input->meshes[m].vertex_count;
            triangle_max += input->meshes[m].triangle_count;
        }
    }
    work->positions = oracle_allocate(vertex_max * 3, sizeof(double));
    work->vertex_weight = oracle_allocate(vertex_max * joint_count, sizeof(double));
    work->is_weighted = oracle_allocate(vertex_max, sizeof(bool));
    work->triangles = oracle_allocate(triangle_max * 3, sizeof(uint32_t));
    uint32_t* weighted_copies = oracle_allocate(vertex_max, sizeof(uint32_t));
    bool* is_used = oracle_allocate(vertex_max, sizeof(bool));
    const char* error = NULL;

    for (uint32_t m = 0; m < input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &input->meshes[m];
        if (mesh->role != TLW_ROLE_VOXELISE) {
            continue;
        }
        uint32_t* welded = oracle_allocate(mesh->vertex_count, sizeof(uint32_t));
        for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
            const float* p = &mesh->positions[v * 3];
            uint32_t w = 0;
            // == takes -0 for +0, as the rule asks.
            while (w < work->vertex_count && !((double)p[0] == work->positions[w * 3] &&
                                               (double)p[1] == work->positions[w * 3 + 1] &&
                                               (double)p[2] == work->positions[w * 3 + 2])) {
                ++w;
            }
            if (w == work->vertex_count) {
                for (int a = 0; a < 3; ++a) {
                    work->positions[w * 3 + (uint32_t)a] = (double)p[a] + 0.0;
                }
                work->vertex_count += 1;
            }
            welded[v] = w;
            if (add_weights(work, mesh, v, &work->vertex_weight[(size_t)w * joint_count])) {
                weighted_copies[w] += 1;
            }
        }
        for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
            uint32_t a = welded[mesh->indices[t * 3]];
            uint32_t b = welded[mesh->indices[t * 3 + 1]];
            uint32_t c = welded[mesh->indices[t * 3 + 2]];
            if (a != b && b != c && c != a) {
                uint32_t* triangle = &work->triangles[work->triangle_count * 3];
                triangle[0] = a;
                triangle[1] = b;
                triangle[2] = c;
                work->triangle_count += 1;
                is_used[a] = is_used[b] = is_used[c] = true;
            }
        }
        free(welded);
    }
    // Averages weights, and drops vertices of no triangle (RULES 1.3).
    uint32_t* kept = oracle_allocate(vertex_max, sizeof(uint32_t));
    uint32_t count = 0;
    for (uint32_t w = 0; w < work->vertex_count; ++w) {
        if (!is_used[w]) {
            continue;
        }
        for (uint32_t j = 0; j < joint_count; ++j) {
            double sum = work->vertex_weight[(size_t)w * joint_count + j];
            work->vertex_weight[(size_t)count * joint_count + j] =
                weighted_copies[w] > 0 ? sum / weighted_copies[w] : 0;
        }
        for (uint32_t a = 0; a < 3; ++a) {
            work->positions[count * 3 + a] = work->positions[w * 3 + a];
        }
        work->is_weighted[count] = weighted_copies[w] > 0;
        kept[w] = count++;
    }
    work->vertex_count = count;
    for (uint32_t i = 0; i < work->triangle_count * 3; ++i) {
        work->triangles[i] = kept[work->triangles[i]];
    }
    if (work->triangle_count == 0) {
        error = "no triangle to voxelise";
    } else {
        count_edges(work);
    }
    work->result->welded_vertex_count = work->vertex_count;
    work->result->triangle_count = work->triangle_count;
    free(kept);
    free(is_used);
    free(weighted_copies);
    return error;
}

// RULES 2
// -------------------------------------------------------------------------------------------

double oracle_to_voxels(const oracle_result* result, double x, int axis) {
    return (x - result->origin[axis]) / result->s;
}

int64_t oracle_snap(const oracle_result* result, double x, int axis) {
    double units = floor((x - result->origin[axis]) / result->s * 1024 + 0.5);
    // Joints may lie anywhere. Those more than a million voxels away are brought nearer
    // (RULES 4.7).
    const double far = 1024.0 * 1024.0 * 1024.0;
    return (int64_t)(units < -far ? -far : units > far ? far : units);
}

const char* oracle_make_grid(oracle_work* work) {
    oracle_result* result = work->result;
    double low[3], high[3], longest = 0;
    for (uint32_t a = 0; a < 3; ++a) {
        low[a] = high[a] = work->positions[a];
        for (uint32_t v = 0; v < work->vertex_count; ++v) {
            low[a] = fmin(low[a], work->positions[v * 3 + a]);
            high[a] = fmax(high[a], work->positions[v * 3 + a]);
        }
        longest = fmax(longest, high[a] - low[a]);
    }
    const tlw_cook_recipe* recipe = work->recipe;
    result->s = recipe->resolution > 0 ? longest / ((double)recipe->resolution - 0.5)
                                       : recipe->voxel_metres;
    if (!(longest > 0) || !(result->s > 0) || !(longest / result->s < 512)) {
        return "the oracle wants an extent above 0 and at most 512 voxels along it";
    }
    result->length = longest / result->s;
    for (int a = 0; a < 3; ++a) {
        double n = floor((high[a] - low[a]) / result->s) + 1;
        result->counts[a] = (uint32_t)n;
        // Halves are exact in binary, so every grouping of this expression gives the same bits.
        result->origin[a] = 0.5 * (low[a] + high[a]) - 0.5 * (n * result->s);
    }
    return NULL;
}

// RULES 3
// -------------------------------------------------------------------------------------------

typedef struct oracle_vector {
    int64_t x, y, z;
} oracle_vector;

static oracle_vector minus(oracle_vector a, oracle_vector b) {
    return (oracle_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static oracle_vector cross(oracle_vector a, oracle_vector b) {
    return (oracle_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(oracle_vector a, oracle_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Corners are relative to the box's centre. Touching counts: only a gap separates. An axis of zero
// length, which degenerate triangles give, never separates; the axes that are left are those of a
// segment or a point against a box, so the test stays exact (RULES 3.2).
static bool separates(oracle_vector axis, const oracle_vector corner[3]) {
    const int64_t half = ORACLE_UNITS / 2;
    int64_t radius = half * (llabs(axis.x) + llabs(axis.y) + llabs(axis.z));
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    for (int i = 0; i < 3; ++i) {
        int64_t d = dot(axis, corner[i]);
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    return low > radius || high < -radius;
}

bool oracle_triangle_touches_cell(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                  const int32_t cell[3]) {
    const int64_t* points[3] = {a, b, c};
    const oracle_vector unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    oracle_vector centre = {(int64_t)cell[0] * ORACLE_UNITS + ORACLE_UNITS / 2,
                            (int64_t)cell[1] * ORACLE_UNITS + ORACLE_UNITS / 2,
                            (int64_t)cell[2] * ORACLE_UNITS + ORACLE_UNITS / 2};
    oracle_vector corner[3];
    for (int i = 0; i < 3; ++i) {
        corner[i] = minus((oracle_vector){points[i][0], points[i][1], points[i][2]}, centre);
    }
    for (int i = 0; i < 3; ++i) {
        if (separates(unit[i], corner)) {
            return false;
        }
    }
    for (int i = 0; i < 3; ++i) {
        oracle_vector edge = minus(corner[(i + 1) % 3], corner[i]);
        for (int k = 0; k < 3; ++k) {
            if (separates(cross(edge, unit[k]), corner)) {
                return false;
            }
        }
    }
    return !separates(cross(minus(corner[1], corner[0]), minus(corner[2], corner[0])), corner);
}

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

static void mark_conservative(const oracle_work* work, uint8_t* is_voxel) {
    const oracle_result* result = work->result;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        const int64_t* corner[3];
        for (uint32_t i = 0; i < 3; ++i) {
            corner[i] = &work->snapped[work->triangles[t * 3 + i] * 3];
        }
        // Cells outside the triangle's own bounds cannot touch it.
        int32_t low[3], high[3];
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
        int32_t cell[3];
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

static int sign_of(int64_t x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

// The side of the line from a to b that the origin lies on, after the origin was moved by (e, e^2)
// for an infinitely small e > 0: it is never on the line, unless a is b. So an edge between two
// triangles belongs to one of them, and a vertex to one triangle of its fan (RULES 3.5).
static int side(int64_t au, int64_t av, int64_t bu, int64_t bv) {
    int64_t at_origin = au * bv - av * bu;
    if (at_origin != 0) {
        return sign_of(at_origin);
    }
    return bv != av ? sign_of(av - bv) : sign_of(bu - au);
}

// Rays along one axis, both ways, column by column: all rays of a column cross the same triangles.
static void vote_along(const oracle_work* work, int axis, uint8_t* votes) {
    const oracle_result* result = work->result;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int32_t n = (int32_t)result->counts[axis];
    int* ahead = oracle_allocate((size_t)n, sizeof *ahead);
    int* behind = oracle_allocate((size_t)n, sizeof *behind);
    int32_t cell[3];
    for (cell[u] = 0; cell[u] < (int32_t)result->counts[u]; ++cell[u]) {
        for (cell[v] = 0; cell[v] < (int32_t)result->counts[v]; ++cell[v]) {
            int64_t cu = (int64_t)cell[u] * ORACLE_UNITS + ORACLE_UNITS / 2;
            int64_t cv = (int64_t)cell[v] * ORACLE_UNITS + ORACLE_UNITS / 2;
            for (int32_t k = 0; k < n; ++k) {
                ahead[k] = behind[k] = 0;
            }
            for (uint32_t t = 0; t < work->triangle_count; ++t) {
                int64_t p[3][3]; // corner, (along the axis, u, v), relative to the column
                for (uint32_t i = 0; i < 3; ++i) {
                    const int64_t* corner = &work->snapped[work->triangles[t * 3 + i] * 3];
                    p[i][0] = corner[axis];
                    p[i][1] = corner[u] - cu;
                    p[i][2] = corner[v] - cv;
                }
                oracle_vector a = {p[0][0], p[0][1], p[0][2]};
                oracle_vector b = {p[1][0], p[1][1], p[1][2]};
                oracle_vector c = {p[2][0], p[2][1], p[2][2]};
                oracle_vector normal = cross(minus(b, a), minus(c, a));
                int facing = sign_of(normal.x);
                if (facing == 0 || side(a.y, a.z, b.y, b.z) != facing ||
                    side(b.y, b.z, c.y, c.z) != facing || side(c.y, c.z, a.y, a.z) != facing) {
                    continue;
                }
                for (int32_t k = 0; k < n; ++k) {
                    int64_t centre = (int64_t)k * ORACLE_UNITS + ORACLE_UNITS / 2;
                    oracle_vector from = {a.x - centre, a.y, a.z};
                    // Whether the crossing lies ahead of the centre or behind it. 0: the centre is
                    // on the triangle, so its cell is a voxel already.
                    int where = sign_of(dot(normal, from)) * facing;
                    ahead[k] += where > 0 ? facing : 0;
                    behind[k] += where < 0 ? -facing : 0;
                }
            }
            // Leaving the shape through a triangle that faces along the ray counts +1, entering
            // counts -1, and a ray says "inside" if it leaves more often (RULES 3.4).
            for (int32_t k = 0; k < n; ++k) {
                cell[axis] = k;
                size_t at = cell_index(result, cell[0], cell[1], cell[2]);
                votes[at] = (uint8_t)(votes[at] + (ahead[k] > 0) + (behind[k] > 0));
            }
        }
    }
    free(behind);
    free(ahead);
}

void oracle_voxelise(oracle_work* work) {
    oracle_result* result = work->result;
    work->snapped = oracle_allocate((size_t)work->vertex_count * 3, sizeof(int64_t));
    work->scaled = oracle_allocate((size_t)work->vertex_count * 3, sizeof(double));
    for (uint32_t i = 0; i < work->vertex_count * 3; ++i) {
        work->snapped[i] = oracle_snap(result, work->positions[i], (int)(i % 3));
        work->scaled[i] = oracle_to_voxels(result, work->positions[i], (int)(i % 3));
    }
    const size_t cells = (size_t)result->counts[0] * result->counts[1] * result->counts[2];
    uint8_t* is_voxel = oracle_allocate(cells, 1);
    mark_conservative(work, is_voxel);
    for (size_t cell = 0; cell < cells; ++cell) {
        result->conservative_count += is_voxel[cell];
    }
    result->solid_count = mark_solid(result, is_voxel);
    if (result->open_edge_count > 0) {
        uint8_t* votes = oracle_allocate(cells, 1);
        for (int axis = 0; axis < 3; ++axis) {
            vote_along(work, axis, votes);
        }
        for (size_t cell = 0; cell < cells; ++cell) {
            if (votes[cell] >= 4 && !is_voxel[cell]) {
                is_voxel[cell] = 1;
                result->vote_count += 1;
            }
        }
        free(votes);
    }
    result->voxel_count = result->conservative_count + result->solid_count + result->vote_count;
    result->voxels = oracle_allocate(result->voxel_count, sizeof *result->voxels);
    result->voxel_of_cell = oracle_allocate(cells, sizeof(uint32_t));
    uint32_t count = 0;
    for (size_t cell = 0; cell < cells; ++cell) {
        result->voxel_of_cell[cell] = ORACLE_NONE;
        if (is_voxel[cell]) {
            int32_t* at = result->voxels[count].cell;
            at[0] = (int32_t)(cell % result->counts[0]);
            at[1] = (int32_t)(cell / result->counts[0] % result->counts[1]);
            at[2] = (int32_t)(cell / result->counts[0] / result->counts[1]);
            result->voxel_of_cell[cell] = count++;
        }
    }
    free(is_voxel);
}
