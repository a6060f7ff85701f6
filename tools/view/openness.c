// SPDX-License-Identifier: MIT
// Looks at the body from many directions, each time at its front and its back at once: a map of
// both depths says for each vertex whether something lies before it.
#include "tools/view/openness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define SIDE   128 // of a map, in texels
#define BORDER 2.0f
#define LOOKS  64   // maps; each serves two directions
#define LIFT   1.5f // of a vertex off its surface, in texels, so that it does not hide itself
#define SLACK  1.0f // in depth, in texels

typedef struct look {
    float right[3], up[3], towards[3]; // of the viewer in front
    float low[2], texel, lift;
    float near[SIDE * SIDE], far[SIDE * SIDE]; // greatest and least along `towards`
} look;

typedef struct body {
    const float *positions, *normals;
    const uint32_t* indices;
    uint32_t vertex_count, index_count;
    float middle[3], radius;
} body;

static float dot(const float* a, const float* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Directions of a half sphere, evenly, by the golden angle.
static void aim(look* l, const body* b, int number) {
    const float turn = 2.3999632f * (float)number, height = ((float)number + 0.5f) / LOOKS;
    const float flat = sqrtf(1.0f - height * height);
    const float towards[3] = {flat * cosf(turn), height, flat * sinf(turn)};
    const float right[3] = {-sinf(turn), 0.0f, cosf(turn)};
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        l->towards[i] = towards[i];
        l->right[i] = right[i];
        l->up[i] = towards[j] * right[k] - towards[k] * right[j];
    }
    l->texel = 2.0f * b->radius / ((float)SIDE - 2.0f * BORDER);
    l->lift = LIFT * l->texel;
    l->low[0] = dot(b->middle, l->right) - b->radius - BORDER * l->texel;
    l->low[1] = dot(b->middle, l->up) - b->radius - BORDER * l->texel;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        l->near[i] = -FLT_MAX;
        l->far[i] = FLT_MAX;
    }
}

// A place in the map, in texels, and its depth in metres.
static void project(const look* l, const float* place, float out[3]) {
    out[0] = (dot(place, l->right) - l->low[0]) / l->texel;
    out[1] = (dot(place, l->up) - l->low[1]) / l->texel;
    out[2] = dot(place, l->towards);
}

static void put(look* l, int x, int y, float depth) {
    const int at = y * SIDE + x;
    l->near[at] = fmaxf(l->near[at], depth);
    l->far[at] = fminf(l->far[at], depth);
}

static int clamp(float x, int low, int high) {
    return x < (float)low ? low : x > (float)high ? high : (int)x;
}

// All texels whose middle a triangle covers.
static void fill(look* l, const float* a, const float* b, const float* c) {
    const float area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const int left = clamp(ceilf(fminf(a[0], fminf(b[0], c[0])) - 0.5f), 0, SIDE - 1);
    const int right = clamp(floorf(fmaxf(a[0], fmaxf(b[0], c[0])) - 0.5f), -1, SIDE - 1);
    const int low = clamp(ceilf(fminf(a[1], fminf(b[1], c[1])) - 0.5f), 0, SIDE - 1);
    const int high = clamp(floorf(fmaxf(a[1], fmaxf(b[1], c[1])) - 0.5f), -1, SIDE - 1);
    if (fabsf(area) < 1e-6f) {
        return;
    }
    for (int y = low; y <= high; ++y) {
        for (int x = left; x <= right; ++x) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float u = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
            const float v = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
            if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f) {
                put(l, x, y, a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]));
            }
        }
    }
}

// Vertices are put as well, because small triangles may lie between the middles of texels.
static void draw(look* l, const body* b, float* projected) {
    for (uint32_t v = 0; v < b->vertex_count; ++v) {
        float* at = projected + (size_t)v * 3;
        project(l, b->positions + (size_t)v * 3, at);
        put(l, clamp(at[0], 0, SIDE - 1), clamp(at[1], 0, SIDE - 1), at[2]);
    }
    for (uint32_t t = 0; t + 2 < b->index_count; t += 3) {
        fill(l, projected + (size_t)b->indices[t] * 3, projected + (size_t)b->indices[t + 1] * 3,
             projected + (size_t)b->indices[t + 2] * 3);
    }
}

// The share of the four texels about a place where nothing lies before it. `sign` is 1 for a viewer
// in front, -1 for one behind.
static float seen(const look* l, const float at[3], float sign) {
    const float* map = sign > 0.0f ? l->near : l->far;
    const float depth = sign * at[2] + SLACK * l->texel;
    const int x = clamp(at[0] - 0.5f, 0, SIDE - 2), y = clamp(at[1] - 0.5f, 0, SIDE - 2);
    const float across = fminf(fmaxf(at[0] - 0.5f - (float)x, 0.0f), 1.0f);
    const float up = fminf(fmaxf(at[1] - 0.5f - (float)y, 0.0f), 1.0f);
    const float* low = map + y * SIDE + x;
    const float* high = low + SIDE;
    return (1.0f - up) * ((1.0f - across) * (float)(depth >= sign * low[0]) +
                          across * (float)(depth >= sign * low[1])) +
           up * ((1.0f - across) * (float)(depth >= sign * high[0]) +
                 across * (float)(depth >= sign * high[1]));
}

// Adds what each vertex sees in the two directions of a look: the light, and how much it could be.
static void gather(const look* l, const body* b, float* light, float* most) {
    for (uint32_t v = 0; v < b->vertex_count; ++v) {
        const float* n = b->normals + (size_t)v * 3;
        const float cosine = dot(n, l->towards);
        float lifted[3], at[3];
        for (int i = 0; i < 3; ++i) {
            lifted[i] = b->positions[(size_t)v * 3 + (size_t)i] + l->lift * n[i];
        }
        project(l, lifted, at);
        light[v] += fabsf(cosine) * seen(l, at, cosine);
        most[v] += fabsf(cosine);
    }
}

static void measure(body* b) {
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (size_t at = 0; at < (size_t)b->vertex_count * 3; ++at) {
        low[at % 3] = fminf(low[at % 3], b->positions[at]);
        high[at % 3] = fmaxf(high[at % 3], b->positions[at]);
    }
    float squared = 0.0f;
    for (int i = 0; i < 3; ++i) {
        b->middle[i] = 0.5f * (low[i] + high[i]);
        squared += 0.25f * (high[i] - low[i]) * (high[i] - low[i]);
    }
    b->radius = fmaxf(sqrtf(squared), 1e-6f);
}

bool tlw_view_openness(const float* positions, const float* normals, uint32_t vertex_count,
                       const uint32_t* indices, uint32_t index_count, float* openness) {
    body b = {.positions = positions,
              .normals = normals,
              .indices = indices,
              .vertex_count = vertex_count,
              .index_count = index_count};
    look* l = malloc(sizeof *l);
    float* projected = malloc(((size_t)vertex_count * 3 + 1) * sizeof *projected);
    float* light = calloc((size_t)vertex_count * 2 + 1, sizeof *light);
    const bool is_ready = l && projected && light;
    if (is_ready) {
        float* most = light + vertex_count;
        measure(&b);
        for (int number = 0; number < LOOKS; ++number) {
            aim(l, &b, number);
            draw(l, &b, projected);
            gather(l, &b, light, most);
        }
        for (uint32_t v = 0; v < vertex_count; ++v) {
            openness[v] = most[v] > 0.0f ? light[v] / most[v] : 1.0f;
        }
    }
    free(light);
    free(projected);
    free(l);
    return is_ready;
}
