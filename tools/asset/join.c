// SPDX-License-Identifier: MIT
// Joins the vertices of a primitive that are equal in everything. Assimp gives every corner of
// every polygon a vertex of its own, which would make a character's vertices, and its blob, several
// times as many. Vertices that differ in a weight, a normal or a uv stay apart, as the lips of a
// closed mouth must.
#include "tools/asset/join.h"

#include <string.h>

#define STREAMS_MAX (6 + TLW_JOIN_ATTRIBUTES_MAX)

// One array of the primitive.
typedef struct tlw_join_stream {
    uint8_t* bytes;
    size_t stride; // bytes per vertex
} tlw_join_stream;

typedef struct tlw_join {
    tlw_join_stream streams[STREAMS_MAX];
    size_t count;
} tlw_join;

static void add_stream(tlw_join* join, const void* bytes, size_t stride) {
    if (bytes && stride > 0) {
        join->streams[join->count++] = (tlw_join_stream){(uint8_t*)bytes, stride};
    }
}

static uint64_t hash_of(const tlw_join* join, size_t vertex) {
    uint64_t hash = 0xCBF29CE484222325u; // FNV-1a, by words: all strides are multiples of 4
    for (size_t i = 0; i < join->count; ++i) {
        const tlw_join_stream* stream = &join->streams[i];
        for (size_t k = 0; k < stream->stride; k += 4) {
            uint32_t word;
            memcpy(&word, stream->bytes + vertex * stream->stride + k, sizeof word);
            hash = (hash ^ word) * 0x100000001B3u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

static bool are_equal(const tlw_join* join, size_t a, size_t b) {
    for (size_t i = 0; i < join->count; ++i) {
        const tlw_join_stream* stream = &join->streams[i];
        if (memcmp(stream->bytes + a * stream->stride, stream->bytes + b * stream->stride,
                   stream->stride) != 0) {
            return false;
        }
    }
    return true;
}

static void move_vertex(const tlw_join* join, size_t to, size_t from) {
    for (size_t i = 0; i < join->count && to != from; ++i) {
        const tlw_join_stream* stream = &join->streams[i];
        memcpy(stream->bytes + to * stream->stride, stream->bytes + from * stream->stride,
               stream->stride);
    }
}

bool tlw_join_vertices(tlw_gltf* g, tlw_asset_primitive* p) {
    tlw_join join = {.count = 0};
    add_stream(&join, p->positions, 3 * sizeof(float));
    add_stream(&join, p->normals, 3 * sizeof(float));
    add_stream(&join, p->tangents, 4 * sizeof(float));
    add_stream(&join, p->uvs, 2 * sizeof(float));
    add_stream(&join, p->joints, p->influence_count * sizeof(uint32_t));
    add_stream(&join, p->weights, p->influence_count * sizeof(float));
    for (uint32_t i = 0; i < p->attribute_count && i < TLW_JOIN_ATTRIBUTES_MAX; ++i) {
        add_stream(&join, p->attributes[i].values,
                   p->attributes[i].component_count * sizeof(float));
    }
    uint64_t slots = 1;
    while (slots < (uint64_t)p->vertex_count * 2) {
        slots *= 2;
    }
    // Both hold a vertex plus 1: the joined vertex of each slot, and that of each old vertex.
    uint32_t* table = tlw_gltf_allocate(g, NULL, TLW_SCRATCH, slots, sizeof *table);
    uint32_t* joined = tlw_gltf_allocate(g, NULL, TLW_SCRATCH, p->vertex_count, sizeof *joined);
    if (!table || !joined) {
        return false;
    }
    uint32_t used = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        uint64_t slot = hash_of(&join, v) & (slots - 1);
        while (table[slot] && !are_equal(&join, table[slot] - 1, v)) {
            slot = (slot + 1) & (slots - 1);
        }
        if (!table[slot]) {
            move_vertex(&join, used, v);
            table[slot] = ++used;
        }
        joined[v] = table[slot];
    }
    uint32_t* indices = (uint32_t*)p->indices;
    for (size_t i = 0; i < (size_t)p->triangle_count * 3; ++i) {
        indices[i] = joined[indices[i]] - 1;
    }
    p->vertex_count = used;
    return true;
}
