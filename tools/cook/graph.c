// SPDX-License-Identifier: MIT
// Stage graph (RULES 10.9): welds the vertices of all sources, points among them, and lists the
// triangles and edges between welded vertices. It does nothing unless ring normals or radial basis
// functions are asked for. Reads cook->sources; writes cook->graph.
#include "tools/cook/stages.h"

#include <stdlib.h>
#include <string.h>

typedef struct position_bits {
    uint32_t x, y, z;
} position_bits;

static position_bits bits_of(const float* position) {
    const float folded[3] = {position[0] + 0.0f, position[1] + 0.0f, position[2] + 0.0f}; // no -0
    position_bits bits;
    memcpy(&bits, folded, sizeof bits);
    return bits;
}

static uint64_t hash_bits(position_bits b) {
    const uint64_t hash =
        b.x * 0x9E3779B97F4A7C15u ^ b.y * 0xC2B2AE3D27D4EB4Fu ^ b.z * 0x165667B19E3779F9u;
    return hash ^ hash >> 29;
}

// Finds welded vertices with a hash table of open addressing, whose entries are the welded vertex
// plus 1, and at most half full.
static void weld_vertices(tlw_cook* cook) {
    tlw_cook_graph* graph = &cook->graph;
    uint32_t table_size = 1;
    while (table_size < 2 * cook->sources.vertex_count) {
        table_size *= 2;
    }
    uint32_t* table = tlw_cook_allocate(cook, table_size, sizeof *table);
    position_bits* bits = tlw_cook_allocate(cook, cook->sources.vertex_count, sizeof *bits);
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < cook->sources.count; ++i) {
        const tlw_cook_source* source = &cook->sources.list[i];
        for (uint32_t v = 0; v < source->mesh.vertex_count; ++v) {
            const float* at = source->mesh.positions + (size_t)v * 3;
            const position_bits own = bits_of(at);
            uint32_t place = (uint32_t)hash_bits(own) & (table_size - 1);
            while (table[place] != 0 && memcmp(&bits[table[place] - 1], &own, sizeof own) != 0) {
                place = (place + 1) & (table_size - 1);
            }
            if (table[place] == 0) {
                bits[graph->count] = own;
                graph->first_of[graph->count] = source->first_vertex + v;
                graph->positions[graph->count] =
                    (tlw_double3){(double)at[0], (double)at[1], (double)at[2]};
                table[place] = ++graph->count;
            }
            graph->welded_of[source->first_vertex + v] = table[place] - 1;
        }
    }
    tlw_cook_free(cook, bits);
    tlw_cook_free(cook, table);
}

static void list_triangles(tlw_cook* cook) {
    tlw_cook_graph* graph = &cook->graph;
    for (uint32_t i = 0; i < cook->sources.count; ++i) {
        const tlw_cook_source* source = &cook->sources.list[i];
        for (uint32_t t = 0; t < source->mesh.triangle_count; ++t) {
            uint32_t corners[3];
            for (int k = 0; k < 3; ++k) {
                const uint32_t vertex = source->mesh.indices[(size_t)t * 3 + (size_t)k];
                corners[k] = graph->welded_of[source->first_vertex + vertex];
            }
            if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0]) {
                memcpy(graph->triangles[graph->triangle_count++], corners, sizeof corners);
            }
        }
    }
}

static int compare_indices(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return x < y ? -1 : x > y;
}

// Sorts the ends of each vertex and leaves each of them once. begin[v] is where the ends of v
// begin before and after.
static void drop_repeated_ends(uint32_t* begin, uint32_t* ends, uint32_t vertex_count) {
    uint32_t used = 0, from = begin[0];
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const uint32_t end = begin[v + 1];
        qsort(ends + from, end - from, sizeof *ends, compare_indices);
        begin[v] = used;
        for (; from < end; ++from) {
            if (used == begin[v] || ends[used - 1] != ends[from]) {
                ends[used++] = ends[from];
            }
        }
    }
    begin[vertex_count] = used;
}

static void list_edges(tlw_cook* cook) {
    tlw_cook_graph* graph = &cook->graph;
    graph->edge_begin =
        tlw_cook_allocate(cook, (uint64_t)graph->count + 1, sizeof *graph->edge_begin);
    uint32_t* ends = tlw_cook_allocate(cook, (uint64_t)graph->triangle_count * 6, sizeof *ends);
    if (cook->error.result != TLW_OK) {
        return;
    }
    uint32_t* begin = graph->edge_begin;
    for (uint32_t t = 0; t < graph->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            begin[graph->triangles[t][k]] += 2;
        }
    }
    uint32_t sum = 0;
    for (uint32_t v = 0; v <= graph->count; ++v) { // to the ends of lists, which filling moves back
        sum += begin[v];
        begin[v] = sum;
    }
    for (uint32_t t = 0; t < graph->triangle_count; ++t) {
        const uint32_t* corners = graph->triangles[t];
        for (int k = 0; k < 3; ++k) {
            ends[--begin[corners[k]]] = corners[(k + 1) % 3];
            ends[--begin[corners[k]]] = corners[(k + 2) % 3];
        }
    }
    drop_repeated_ends(begin, ends, graph->count);
    graph->edge_ends = tlw_cook_allocate(cook, begin[graph->count], sizeof *ends);
    if (graph->edge_ends != NULL) {
        memcpy(graph->edge_ends, ends, begin[graph->count] * sizeof *ends);
    }
    tlw_cook_free(cook, ends);
}

bool tlw_cook_makes_rings(const tlw_cook* cook) {
    return cook->recipe->has_ring_normals && cook->groups.is_skinned;
}

tlw_result tlw_cook_make_graph(tlw_cook* cook) {
    tlw_cook_graph* graph = &cook->graph;
    const uint32_t vertices = cook->sources.vertex_count;
    if (!cook->groups.is_skinned ||
        (!cook->recipe->has_ring_normals && cook->recipe->embedding != TLW_COOK_EMBED_RBF)) {
        return TLW_OK;
    }
    graph->welded_of = tlw_cook_allocate(cook, vertices, sizeof *graph->welded_of);
    graph->first_of = tlw_cook_allocate(cook, vertices, sizeof *graph->first_of);
    graph->positions = tlw_cook_allocate(cook, vertices, sizeof *graph->positions);
    graph->triangles =
        tlw_cook_allocate(cook, cook->sources.index_count / 3, sizeof *graph->triangles);
    if (cook->error.result == TLW_OK) {
        weld_vertices(cook);
    }
    if (cook->error.result == TLW_OK) {
        list_triangles(cook);
        list_edges(cook);
    }
    return cook->error.result;
}
