// SPDX-License-Identifier: MIT
// Smooth normals of a posed mesh. Vertices that lie at one place at rest are found by sorting.
#include "tools/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vec3 {
    float x, y, z;
} vec3;

static vec3 load(const float* p) {
    return (vec3){p[0], p[1], p[2]};
}

static bool is_finite(vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static vec3 subtract(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec3 normalise(vec3 a) {
    const float length = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
    return length > 0.0f
               ? (vec3){a.x * (1.0f / length), a.y * (1.0f / length), a.z * (1.0f / length)}
               : (vec3){0.0f, 0.0f, 1.0f};
}

// Loads the corners of a triangle. False for an index out of range or a position that is not
// finite.
static bool load_triangle(const float* positions, uint32_t vertex_count, const uint32_t at[3],
                          vec3 p[3]) {
    for (int k = 0; k < 3; ++k) {
        if (at[k] >= vertex_count) {
            return false;
        }
        p[k] = load(positions + (size_t)at[k] * 3);
        if (!is_finite(p[k])) {
            return false;
        }
    }
    return true;
}

typedef struct place {
    float key[6]; // position and normal at rest
    uint32_t vertex;
} place;

static int compare_keys(const float* a, const float* b) {
    for (int i = 0; i < 6; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_places(const void* a, const void* b) {
    const place *left = a, *right = b;
    const int order = compare_keys(left->key, right->key);
    return order ? order : (left->vertex > right->vertex) - (left->vertex < right->vertex);
}

bool tlw_render_normals(const float* rest, const float* rest_normals, const float* positions,
                        uint32_t vertex_count, const uint32_t* indices, uint32_t index_count,
                        float* normals) {
    place* places = calloc((size_t)vertex_count + 1, sizeof *places);
    uint32_t* first = malloc(((size_t)vertex_count + 1) * sizeof *first);
    if (places && first) {
        for (uint32_t v = 0; v < vertex_count; ++v) {
            memcpy(places[v].key, rest + (size_t)v * 3, 3 * sizeof(float));
            if (rest_normals) {
                memcpy(places[v].key + 3, rest_normals + (size_t)v * 3, 3 * sizeof(float));
            }
            places[v].vertex = v;
        }
        qsort(places, vertex_count, sizeof *places, compare_places);
        for (uint32_t i = 0; i < vertex_count; ++i) {
            const bool is_same = i > 0 && compare_keys(places[i].key, places[i - 1].key) == 0;
            first[places[i].vertex] = is_same ? first[places[i - 1].vertex] : places[i].vertex;
        }
        memset(normals, 0, (size_t)vertex_count * 3 * sizeof *normals);
        for (uint32_t t = 0; t < index_count / 3; ++t) {
            const uint32_t* at = indices + (size_t)t * 3;
            vec3 p[3];
            if (!load_triangle(positions, vertex_count, at, p)) {
                continue;
            }
            const vec3 n = cross(subtract(p[1], p[0]), subtract(p[2], p[0])); // weighted by area
            for (int k = 0; k < 3; ++k) {
                float* sum = normals + (size_t)first[at[k]] * 3;
                sum[0] += n.x, sum[1] += n.y, sum[2] += n.z;
            }
        }
        for (uint32_t v = 0; v < vertex_count;
             ++v) { // the first vertex of a place has the lowest number
            float* out = normals + (size_t)v * 3;
            const vec3 n = normalise(load(out));
            const float unit[3] = {n.x, n.y, n.z};
            memcpy(out, first[v] == v ? unit : normals + (size_t)first[v] * 3, sizeof unit);
        }
    }
    const bool has_memory = places && first;
    free(places);
    free(first);
    return has_memory;
}
