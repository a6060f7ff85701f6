// SPDX-License-Identifier: MIT
// Oracle cooker, meshes: runs RULES 10.5 to 10.10 one after another; the mesh graph and the rings
// (RULES 10.9).
#include "tests/cook/oracle/oracle_mesh.h"

#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct placed {
    float position[3];
    uint32_t vertex;
} placed;

static int compare_placed(const void* a, const void* b) {
    const placed *x = a, *y = b;
    for (int k = 0; k < 3; ++k) {
        if (x->position[k] != y->position[k]) { // -0 equals 0 as a float
            return x->position[k] < y->position[k] ? -1 : 1;
        }
    }
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

// Vertices of point sets are welded like the others: they need a row as well.
static void weld(oracle_mesh* mesh) {
    oracle_graph* graph = &mesh->graph;
    const uint32_t n = mesh->vertex_count;
    placed* list = oracle_allocate(n, sizeof *list);
    uint32_t* same = oracle_allocate(n, sizeof *same); // the first vertex at the place of each
    for (uint32_t v = 0; v < n; ++v) {
        memcpy(list[v].position, mesh->vertices[v].position, sizeof list[v].position);
        list[v].vertex = v;
    }
    qsort(list, n, sizeof *list, compare_placed);
    for (uint32_t k = 0, first = 0; k < n; ++k) {
        for (int a = 0; a < 3; ++a) {
            first = list[k].position[a] != list[first].position[a] ? k : first;
        }
        same[list[k].vertex] = list[first].vertex;
    }
    graph->welded_of = oracle_allocate(n, sizeof *graph->welded_of);
    graph->first_of = oracle_allocate(n, sizeof *graph->first_of);
    for (uint32_t v = 0; v < n; ++v) {
        if (same[v] == v) {
            graph->first_of[graph->count] = v;
            graph->welded_of[v] = graph->count++;
        } else {
            graph->welded_of[v] = graph->welded_of[same[v]];
        }
    }
    free(list);
    free(same);
}

static int compare_edges(const void* a, const void* b) {
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0]) {
        return x[0] < y[0] ? -1 : 1;
    }
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

void oracle_make_graph(const tlw_cook_input* input, oracle_mesh* mesh) {
    oracle_graph* graph = &mesh->graph;
    weld(mesh);
    size_t room = 0;
    for (uint32_t m = 0; m < input->mesh_count; ++m) {
        room += input->meshes[m].triangle_count;
    }
    graph->triangles = oracle_allocate(room, sizeof *graph->triangles);
    uint32_t(*edges)[2] = oracle_allocate(6 * room, sizeof *edges);
    size_t edge_count = 0;
    uint32_t first = 0;
    for (uint32_t m = 0; m < input->mesh_count; ++m) {
        const tlw_cook_mesh* given = &input->meshes[m];
        if (given->role == TLW_ROLE_IGNORE) {
            continue;
        }
        for (size_t t = 0; t < given->triangle_count; ++t) {
            uint32_t corner[3];
            for (size_t k = 0; k < 3; ++k) {
                corner[k] = graph->welded_of[first + given->indices[3 * t + k]];
            }
            if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
                continue;
            }
            memcpy(graph->triangles[graph->triangle_count++], corner, sizeof corner);
            for (int k = 0; k < 3; ++k) {
                const uint32_t a = corner[k], b = corner[(k + 1) % 3];
                memcpy(edges[edge_count++], (const uint32_t[2]){a, b}, sizeof *edges);
                memcpy(edges[edge_count++], (const uint32_t[2]){b, a}, sizeof *edges);
            }
        }
        first += given->vertex_count;
    }
    qsort(edges, edge_count, sizeof *edges, compare_edges);
    graph->edge_first = oracle_allocate((size_t)graph->count + 1, sizeof *graph->edge_first);
    graph->edge_ends = oracle_allocate(edge_count, sizeof *graph->edge_ends);
    uint32_t end_count = 0;
    size_t at = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        graph->edge_first[v] = end_count;
        for (; at < edge_count && edges[at][0] == v; ++at) {
            if (at == 0 || edges[at - 1][0] != v || edges[at - 1][1] != edges[at][1]) {
                graph->edge_ends[end_count++] = edges[at][1];
            }
        }
    }
    graph->edge_first[graph->count] = end_count;
    free(edges);
}

static void make_ring(const oracle_mesh* mesh, oracle_vertex* vertex, uint32_t welded) {
    const oracle_graph* graph = &mesh->graph;
    const double nx = (double)vertex->normal[0], ny = (double)vertex->normal[1],
                 nz = (double)vertex->normal[2];
    const double length = sqrt(nx * nx + ny * ny + nz * nz);
    // MODEL 5.6
    const double n[3] = {nx / length, ny / length, nz / length};
    const double s = n[2] < 0 ? -1 : 1, a = -1 / (s + n[2]), b = n[0] * n[1] * a;
    const double t1[3] = {1 + s * n[0] * n[0] * a, s * b, -s * n[0]};
    const double t2[3] = {b, s + n[1] * n[1] * a, -n[1]};
    double e[ORACLE_RING][2], w[ORACLE_RING], G[3] = {0}; // 11, 12, 22
    for (uint32_t k = graph->edge_first[welded];
         k < graph->edge_first[welded + 1] && vertex->ring_count < ORACLE_RING; ++k) {
        const uint32_t i = vertex->ring_count++, to = graph->first_of[graph->edge_ends[k]];
        double squared = 0;
        vertex->ring[i] = to;
        e[i][0] = e[i][1] = 0;
        for (int c = 0; c < 3; ++c) {
            const double y = (double)mesh->vertices[to].position[c] - (double)vertex->position[c];
            squared += y * y;
            e[i][0] += y * t1[c];
            e[i][1] += y * t2[c];
        }
        w[i] = 1 / squared;
        G[0] += w[i] * e[i][0] * e[i][0];
        G[1] += w[i] * e[i][0] * e[i][1];
        G[2] += w[i] * e[i][1] * e[i][1];
    }
    const double determinant = G[0] * G[2] - G[1] * G[1], half = (G[0] + G[2]) / 2;
    if (!(length > 0) || !(determinant > 1e-3 * half * half)) {
        return; // all coefficients stay 0
    }
    for (uint32_t i = 0; i < vertex->ring_count; ++i) {
        vertex->ring_weight[i][0] = w[i] * (G[2] * e[i][0] - G[1] * e[i][1]) / determinant;
        vertex->ring_weight[i][1] = w[i] * (G[0] * e[i][1] - G[1] * e[i][0]) / determinant;
    }
}

void oracle_make_rings(oracle_mesh* mesh) {
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        make_ring(mesh, &mesh->vertices[v], mesh->graph.welded_of[v]);
    }
}

static bool is_any_skinned(const oracle_mesh* mesh) {
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        if (mesh->vertices[v].joints.count > 0) {
            return true;
        }
    }
    return false;
}

const char* oracle_cook_mesh(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                             const oracle_result* result, oracle_mesh* mesh) {
    memset(mesh, 0, sizeof *mesh);
    oracle_make_vertices(input, recipe, result, mesh);
    oracle_make_groups(result, mesh);
    oracle_make_rest(result, mesh);
    const bool is_skinned = is_any_skinned(mesh);
    if (recipe->embedding == TLW_COOK_EMBED_RBF && !is_skinned) {
        return "rbf needs artist weights";
    }
    mesh->has_rings = recipe->has_ring_normals && is_skinned;
    mesh->has_rbf = recipe->embedding == TLW_COOK_EMBED_RBF;
    if (mesh->has_rings || mesh->has_rbf) {
        oracle_make_graph(input, mesh);
    }
    if (mesh->has_rings) {
        oracle_make_rings(mesh);
    }
    if (mesh->has_rbf) {
        const char* wrong = oracle_make_rbf(result, input->joint_count, mesh);
        if (wrong != NULL) {
            return wrong;
        }
        oracle_make_systems(mesh);
        oracle_make_rows(mesh);
        oracle_make_seams(mesh);
    }
    return NULL;
}

void oracle_free_mesh(oracle_mesh* mesh) {
    free(mesh->vertices);
    free(mesh->cooked);
    free(mesh->groups);
    free(mesh->is_bound);
    free(mesh->rest);
    free(mesh->graph.welded_of);
    free(mesh->graph.first_of);
    free(mesh->graph.triangles);
    free(mesh->graph.edge_first);
    free(mesh->graph.edge_ends);
    for (uint32_t d = 0; d < mesh->rbf.domain_count; ++d) {
        free(mesh->rbf.domains[d].inverse);
    }
    free(mesh->rbf.domains);
    free(mesh->rbf.centres);
    free(mesh->rbf.domain_of);
    free(mesh->rbf.row_first);
    free(mesh->rbf.rows);
    free(mesh->rbf.seams);
    free(mesh->rbf.seam_first);
    free(mesh->rbf.seam_neighbours);
    free(mesh->rbf.seam_weights);
    memset(mesh, 0, sizeof *mesh);
}
