// SPDX-License-Identifier: MIT
// Stage rings (RULES 10.9, MODEL 5.6): the neighbours and coefficients of ring normals, which make
// the gradient of a field along the surface from its values at up to six mesh neighbours. Reads
// cook->sources, cook->groups and cook->graph; writes cook->rings. Without artist weights there are
// none: then every vertex rides on frames, whose normals do not come from neighbours.
#include "tools/cook/stages.h"

#include <math.h>

#define RING TLW_BLOB_RING_NEIGHBOURS

// Neighbours at this share of the determinant that a round ring has lie nearly in one line.
#define LEAST_SPREAD 1e-3

static double dot(tlw_double3 a, tlw_double3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// A tangent basis of the normal (Duff et al. 2017). False if the normal has no length.
static bool make_basis(const float* normal, tlw_double3* t1, tlw_double3* t2) {
    const tlw_double3 given = {(double)normal[0], (double)normal[1], (double)normal[2]};
    const double length = sqrt(dot(given, given));
    if (!(length > 0.0)) {
        return false;
    }
    const tlw_double3 n = {given.x / length, given.y / length, given.z / length};
    const double s = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (s + n.z), b = n.x * n.y * a;
    *t1 = (tlw_double3){1.0 + s * n.x * n.x * a, s * b, -s * n.x};
    *t2 = (tlw_double3){b, s + n.y * n.y * a, -n.y};
    return true;
}

// The least-squares gradient of a field at a point from its differences to the neighbours, each
// weighted by 1 over its squared distance. False if the neighbours do not span the tangent plane.
static bool solve(uint32_t count, const tlw_double3* offset, tlw_double3 t1, tlw_double3 t2,
                  double out[RING][2]) {
    double weight[RING], e[RING][2], g11 = 0.0, g12 = 0.0, g22 = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        weight[i] = 1.0 / dot(offset[i], offset[i]);
        e[i][0] = dot(offset[i], t1);
        e[i][1] = dot(offset[i], t2);
        g11 += weight[i] * e[i][0] * e[i][0];
        g12 += weight[i] * e[i][0] * e[i][1];
        g22 += weight[i] * e[i][1] * e[i][1];
    }
    const double determinant = g11 * g22 - g12 * g12, half = (g11 + g22) / 2.0;
    if (!(determinant > LEAST_SPREAD * (half * half))) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        out[i][0] = weight[i] * (g22 * e[i][0] - g12 * e[i][1]) / determinant;
        out[i][1] = weight[i] * (g11 * e[i][1] - g12 * e[i][0]) / determinant;
    }
    return true;
}

// Fills the places of one lane; returns whether the vertex has coefficients.
static bool make_ring(const tlw_cook* cook, const tlw_cook_source* source, uint32_t cooked,
                      uint32_t* neighbours, float* weights) {
    const tlw_cook_graph* graph = &cook->graph;
    const uint32_t vertex = cook->groups.source_of[cooked], own = graph->welded_of[vertex];
    const uint32_t* ends = graph->edge_ends + graph->edge_begin[own];
    const uint32_t all = graph->edge_begin[own + 1] - graph->edge_begin[own];
    const uint32_t count = all < RING ? all : RING;
    const tlw_double3 from = graph->positions[own];
    tlw_double3 offset[RING], t1, t2;
    double solved[RING][2] = {{0}};
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_double3 to = graph->positions[ends[i]];
        offset[i] = (tlw_double3){to.x - from.x, to.y - from.y, to.z - from.z};
    }
    const float* normals = source->mesh.normals;
    const bool is_solved =
        normals != NULL &&
        make_basis(normals + (size_t)(vertex - source->first_vertex) * 3, &t1, &t2) &&
        solve(count, offset, t1, t2, solved);
    for (uint32_t i = 0; i < RING; ++i) {
        neighbours[i * TLW_BLOB_LANES] =
            i < count ? cook->groups.cooked_of[graph->first_of[ends[i]]] : cooked;
        weights[2 * i * TLW_BLOB_LANES] = (float)solved[i][0];
        weights[(2 * i + 1) * TLW_BLOB_LANES] = (float)solved[i][1];
    }
    return is_solved;
}

tlw_result tlw_cook_make_rings(tlw_cook* cook) {
    const tlw_cook_groups* groups = &cook->groups;
    tlw_cook_rings* rings = &cook->rings;
    if (!tlw_cook_makes_rings(cook)) {
        return TLW_OK;
    }
    const uint64_t places = (uint64_t)groups->count * RING * TLW_BLOB_LANES;
    rings->neighbours = tlw_cook_allocate(cook, places, sizeof *rings->neighbours);
    rings->weights = tlw_cook_allocate(cook, places * 2, sizeof *rings->weights);
    const tlw_cook_source* source = cook->sources.list;
    for (uint32_t g = 0; cook->error.result == TLW_OK && g < groups->count; ++g) {
        const tlw_blob_group* group = &groups->list[g];
        while (group->first_vertex - source->first_vertex >= source->mesh.vertex_count) {
            source += 1;
        }
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            const uint32_t last = group->vertex_count - 1u;
            const size_t place = (size_t)g * RING * TLW_BLOB_LANES;
            const bool has_coefficients =
                make_ring(cook, source, group->first_vertex + (lane < last ? lane : last),
                          rings->neighbours + place + lane, rings->weights + 2 * place + lane);
            rings->vertices_without += lane <= last && !has_coefficients;
        }
    }
    return cook->error.result;
}
