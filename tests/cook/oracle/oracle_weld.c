// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 1 and 2: reads the input's meshes, writes the welded mesh with weights
// and paint, and the grid.
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

// Adds a vertex's paint to its welded vertex, where its mesh has some (RULES 8.7).
static void add_paint(oracle_work* work, const tlw_cook_mesh* mesh, uint32_t vertex, uint32_t to,
                      uint32_t* painted_copies) {
    for (uint32_t p = 0; p < TLW_COOK_PAINTS; ++p) {
        if (mesh->paint[p] != NULL) {
            work->vertex_paint[(size_t)to * TLW_COOK_PAINTS + p] += (double)mesh->paint[p][vertex];
            painted_copies[(size_t)to * TLW_COOK_PAINTS + p] += 1;
        }
    }
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
    work->vertex_paint = oracle_allocate(vertex_max * TLW_COOK_PAINTS, sizeof(double));
    uint32_t* weighted_copies = oracle_allocate(vertex_max, sizeof(uint32_t));
    uint32_t* painted_copies = oracle_allocate(vertex_max * TLW_COOK_PAINTS, sizeof(uint32_t));
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
            add_paint(work, mesh, v, w, painted_copies);
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
    // Averages weights and paint, and drops vertices of no triangle (RULES 1.3).
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
        for (uint32_t p = 0; p < TLW_COOK_PAINTS; ++p) {
            const size_t from = (size_t)w * TLW_COOK_PAINTS + p;
            const double unpainted = p == TLW_PAINT_STIFFNESS ? 0.5 : 0;
            work->vertex_paint[(size_t)count * TLW_COOK_PAINTS + p] =
                painted_copies[from] > 0 ? work->vertex_paint[from] / painted_copies[from]
                                         : unpainted;
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
    free(painted_copies);
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
