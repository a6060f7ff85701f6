// SPDX-License-Identifier: MIT
// Seams of radial basis functions (RULES 10.10, point 7): vertices where domains meet, which the
// runtime smooths, with their mesh neighbours and cotangent weights. Reads cook->graph and
// cook->rbf.domain_of; writes the seams of cook->rbf.
#include "tools/cook/rbf.h"

#include <math.h>

// Two vertices that are all but at one place have hardly any weight but each other's: with a share
// of 1 they only change values, pass after pass, and the triangles between them fold over.
#define MOST_SHARE    0.75
#define SEAM_RINGS    2
#define LEAST_WEIGHT  1e-6
#define NO_AREA       1e-12 // sine of an angle that counts as none
#define NO_SEAM_COUNT 255

static bool has_domain(const tlw_cook* cook, uint32_t vertex) {
    return cook->rbf.domain_of[vertex] != TLW_RBF_NO_DOMAIN;
}

static bool is_border(const tlw_cook* cook, uint32_t vertex) {
    const tlw_cook_graph* graph = &cook->graph;
    for (uint32_t e = graph->edge_begin[vertex]; e < graph->edge_begin[vertex + 1]; ++e) {
        const uint32_t end = graph->edge_ends[e];
        if (has_domain(cook, vertex) && has_domain(cook, end) &&
            cook->rbf.domain_of[vertex] != cook->rbf.domain_of[end]) {
            return true;
        }
    }
    return false;
}

// Edges from each vertex to the nearest end of an edge between domains, up to SEAM_RINGS.
static void measure_rings(const tlw_cook* cook, uint8_t* ring) {
    const tlw_cook_graph* graph = &cook->graph;
    for (uint32_t v = 0; v < graph->count; ++v) {
        ring[v] = is_border(cook, v) ? 0 : NO_SEAM_COUNT;
    }
    for (uint8_t r = 0; r < SEAM_RINGS; ++r) {
        for (uint32_t v = 0; v < graph->count; ++v) {
            for (uint32_t e = graph->edge_begin[v]; ring[v] == r && e < graph->edge_begin[v + 1];
                 ++e) {
                uint8_t* of = &ring[graph->edge_ends[e]];
                *of = *of == NO_SEAM_COUNT ? (uint8_t)(r + 1) : *of;
            }
        }
    }
}

// A seam vertex has a domain and a neighbour that has one.
static bool is_seam(const tlw_cook* cook, const uint8_t* ring, uint32_t vertex) {
    const tlw_cook_graph* graph = &cook->graph;
    bool has_neighbour = false;
    for (uint32_t e = graph->edge_begin[vertex]; e < graph->edge_begin[vertex + 1]; ++e) {
        has_neighbour = has_neighbour || has_domain(cook, graph->edge_ends[e]);
    }
    return has_neighbour && ring[vertex] != NO_SEAM_COUNT && has_domain(cook, vertex);
}

// The cotangent of the angle at a; 0 in a triangle without area.
static double cotangent(tlw_double3 a, tlw_double3 b, tlw_double3 c) {
    const tlw_double3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    const tlw_double3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double sine = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    const double lengths =
        sqrt(u.x * u.x + u.y * u.y + u.z * u.z) * sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return sine > NO_AREA * lengths ? (u.x * v.x + u.y * v.y + u.z * v.z) / sine : 0.0;
}

// The place of an edge among those of `from`.
static uint32_t find_edge(const tlw_cook_graph* graph, uint32_t from, uint32_t to) {
    uint32_t low = graph->edge_begin[from], high = graph->edge_begin[from + 1] - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (graph->edge_ends[middle] < to) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Adds up cotangents for each edge, once at either end.
static void add_cotangents(const tlw_cook_graph* graph, double* sums) {
    for (uint32_t t = 0; t < graph->triangle_count; ++t) {
        const uint32_t* corners = graph->triangles[t];
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = corners[(k + 1) % 3], b = corners[(k + 2) % 3];
            const double value =
                cotangent(graph->positions[corners[k]], graph->positions[a], graph->positions[b]);
            sums[find_edge(graph, a, b)] += value;
            sums[find_edge(graph, b, a)] += value;
        }
    }
}

static double mean_edge(const tlw_cook_graph* graph) {
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        for (uint32_t e = graph->edge_begin[v]; e < graph->edge_begin[v + 1]; ++e) {
            if (graph->edge_ends[e] > v) {
                sum += sqrt(
                    tlw_rbf_squared(graph->positions[v], graph->positions[graph->edge_ends[e]]));
                count += 1;
            }
        }
    }
    return count > 0 ? sum / (double)count : 0.0;
}

// The neighbours of one seam vertex, from `place` on; returns the place after them.
static uint32_t list_neighbours(tlw_cook* cook, uint32_t vertex, const double* cotangents,
                                uint32_t place) {
    const tlw_cook_graph* graph = &cook->graph;
    const uint32_t begin = graph->edge_begin[vertex], end = graph->edge_begin[vertex + 1];
    double sum = 0.0;
    for (uint32_t e = begin; e < end; ++e) {
        if (has_domain(cook, graph->edge_ends[e])) {
            sum += cotangents[e] > LEAST_WEIGHT ? cotangents[e] : LEAST_WEIGHT;
        }
    }
    for (uint32_t e = begin; e < end; ++e) {
        if (has_domain(cook, graph->edge_ends[e])) {
            const double weight = cotangents[e] > LEAST_WEIGHT ? cotangents[e] : LEAST_WEIGHT;
            cook->rbf.seam_rows[place] = graph->edge_ends[e];
            cook->rbf.seam_weights[place++] = (float)(weight / sum);
        }
    }
    return place;
}

// Counts seam vertices and their neighbours.
static uint32_t count_seams(tlw_cook* cook, const uint8_t* ring) {
    const tlw_cook_graph* graph = &cook->graph;
    uint32_t neighbours = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        const bool counts = is_seam(cook, ring, v);
        cook->rbf.head.seam_count += counts;
        for (uint32_t e = graph->edge_begin[v]; counts && e < graph->edge_begin[v + 1]; ++e) {
            neighbours += has_domain(cook, graph->edge_ends[e]);
        }
    }
    return neighbours;
}

static void list_seams(tlw_cook* cook, const uint8_t* ring, const double* cotangents) {
    uint32_t place = 0, seam = 0;
    for (uint32_t v = 0; v < cook->graph.count; ++v) {
        if (is_seam(cook, ring, v)) {
            cook->rbf.seams[seam++] = (tlw_blob_rbf_seam){v, place};
            place = list_neighbours(cook, v, cotangents, place);
        }
    }
    cook->rbf.seams[seam] = (tlw_blob_rbf_seam){cook->graph.count, place};
}

tlw_result tlw_rbf_make_seams(tlw_cook* cook, double radius) {
    const tlw_cook_graph* graph = &cook->graph;
    tlw_cook_rbf* rbf = &cook->rbf;
    const double share = radius / (2.0 * mean_edge(graph)); // infinite without edges
    rbf->head.seam_share = (float)fmin(share * share, MOST_SHARE);
    uint8_t* ring = tlw_cook_allocate(cook, graph->count, sizeof *ring);
    double* cotangents =
        tlw_cook_allocate(cook, graph->edge_begin[graph->count], sizeof *cotangents);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    measure_rings(cook, ring);
    add_cotangents(graph, cotangents);
    const uint32_t neighbours = count_seams(cook, ring);
    rbf->seams = tlw_cook_allocate(cook, (uint64_t)rbf->head.seam_count + 1, sizeof *rbf->seams);
    rbf->seam_rows = tlw_cook_allocate(cook, neighbours, sizeof *rbf->seam_rows);
    rbf->seam_weights = tlw_cook_allocate(cook, neighbours, sizeof *rbf->seam_weights);
    if (cook->error.result == TLW_OK) {
        list_seams(cook, ring, cotangents);
    }
    tlw_cook_free(cook, cotangents);
    tlw_cook_free(cook, ring);
    return cook->error.result;
}
