// SPDX-License-Identifier: MIT
// Makes what pictures need of a character: its rest shape, bindings, edges, and which voxels each
// muscle moves.
#include "tools/view/model.h"

#include "tools/render/render.h"
#include "tools/view/openness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MUSCLES_SEEN 64u // bits of muscles_of

// ---- Edges

// A place and the vertex that is there, for sorting.
typedef struct spot {
    float at[3];
    uint32_t vertex;
} spot;

static int compare_places(const void* a, const void* b) {
    const spot *x = a, *y = b;
    for (int axis = 0; axis < 3; ++axis) {
        if (x->at[axis] != y->at[axis]) {
            return x->at[axis] < y->at[axis] ? -1 : 1;
        }
    }
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

// A mesh has several vertices at one place where its texture or its normals have a seam.
static bool weld(tlw_view_model* model) {
    const uint32_t count = model->actor.info.vertex_count;
    spot* places = malloc(((size_t)count + 1) * sizeof *places);
    model->welded = malloc(((size_t)count + 1) * sizeof *model->welded);
    if (places == NULL || model->welded == NULL) {
        free(places);
        return false;
    }
    for (uint32_t v = 0; v < count; ++v) {
        memcpy(places[v].at, model->rest + (size_t)v * 3, sizeof places[v].at);
        places[v].vertex = v;
    }
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t i = 0, first = 0; i < count; ++i) {
        const float *at = places[i].at, *from = places[first].at;
        first = at[0] == from[0] && at[1] == from[1] && at[2] == from[2] ? first : i;
        model->welded[places[i].vertex] = places[first].vertex;
    }
    free(places);
    return true;
}

// An edge of a triangle; the two triangles beside it go along it in opposite directions.
typedef struct side {
    tlw_view_edge edge;
    int direction;
} side;

static int compare_sides(const void* a, const void* b) {
    const tlw_view_edge *x = &((const side*)a)->edge, *y = &((const side*)b)->edge;
    return x->from != y->from ? (x->from < y->from ? -1 : 1)
           : x->to != y->to   ? (x->to < y->to ? -1 : 1)
                              : 0;
}

static uint32_t find_sides(const tlw_view_model* model, side* sides) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->index_count; ++i) {
        const uint32_t a = model->welded[model->indices[i]];
        const uint32_t b = model->welded[model->indices[i % 3 == 2 ? i - 2 : i + 1]];
        if (a != b) { // a triangle of no width has an edge of no length
            sides[count++] = (side){.edge = {.from = a < b ? a : b, .to = a < b ? b : a},
                                    .direction = a < b ? 1 : -1};
        }
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    return count;
}

static void add_edge(tlw_view_model* model, const tlw_view_edge* edge) {
    const float *a = model->rest + (size_t)edge->from * 3, *b = model->rest + (size_t)edge->to * 3;
    const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    const float metres = sqrtf(x * x + y * y + z * z);
    model->around[edge->from] += metres;
    model->around[edge->to] += metres;
    model->edges[model->edge_count++] = *edge;
}

// Each edge once, although two triangles have it.
static bool find_edges(tlw_view_model* model) {
    side* sides = malloc(((size_t)model->index_count + 1) * sizeof *sides);
    model->edges = malloc(((size_t)model->index_count + 1) * sizeof *model->edges);
    model->around = calloc((size_t)model->actor.info.vertex_count + 1, sizeof *model->around);
    if (!weld(model) || !sides || !model->edges || !model->around) {
        free(sides);
        return false;
    }
    const uint32_t count = find_sides(model, sides);
    model->is_closed = true;
    for (uint32_t i = 0, end; i < count; i = end) {
        int turns = 0;
        for (end = i; end < count && compare_sides(&sides[i], &sides[end]) == 0; ++end) {
            turns += sides[end].direction;
        }
        model->is_closed = model->is_closed && end - i == 2 && turns == 0;
        add_edge(model, &sides[i].edge);
    }
    free(sides);
    return true;
}

// ---- Light

// When memory runs out, the ambient light is left out.
static void find_openness(tlw_view_model* model) {
    const uint32_t count = model->actor.info.vertex_count;
    float* normals = malloc(((size_t)count * 3 + 1) * sizeof *normals);
    model->openness = malloc(((size_t)count + 1) * sizeof *model->openness);
    const bool is_good =
        normals && model->openness &&
        tlw_render_normals(model->rest, model->has_normals ? model->rest_normals : NULL,
                           model->rest, count, model->indices, model->index_count, normals) &&
        tlw_view_openness(model->rest, normals, count, model->indices, model->index_count,
                          model->openness);
    free(normals);
    if (!is_good) {
        free(model->openness);
        model->openness = NULL;
    }
}

// ---- Muscles

static bool find_muscles(tlw_view_model* model) {
    const tlw_blob_info* info = &model->actor.info;
    if (info->muscle_count == 0) {
        return true;
    }
    tlw_blob_contents c;
    tlw_blob_find_all(model->actor.blob_memory, &c);
    const uint32_t* slots = c.first[TLW_SECTION_VOXEL_SLOT];
    const uint32_t* first_entry = c.first[TLW_SECTION_BELLY_WINDOWS];
    const tlw_blob_belly_entry* entries = c.first[TLW_SECTION_BELLY_ENTRY];
    const tlw_blob_belly_shape* shapes = c.first[TLW_SECTION_BELLY_SHAPE];
    model->muscles_of = calloc(info->voxel_count, sizeof *model->muscles_of);
    if (model->muscles_of == NULL || !first_entry || !entries || !shapes) {
        return false;
    }
    for (uint32_t v = 0; v < info->voxel_count; ++v) {
        const uint32_t window = slots[v] / TLW_LANES, lane = slots[v] % TLW_LANES;
        for (uint32_t e = first_entry[window]; e < first_entry[window + 1]; ++e) {
            const float* d[3] = {shapes[e].d[0], shapes[e].d[1], shapes[e].d[2]};
            const bool is_moved = d[0][lane] != 0.0f || d[1][lane] != 0.0f || d[2][lane] != 0.0f ||
                                  shapes[e].a[lane] != 0.0f;
            if (is_moved && entries[e].muscle < MUSCLES_SEEN) {
                model->muscles_of[v] |= (uint64_t)1 << entries[e].muscle;
            }
        }
    }
    return true;
}

// ---- Voxels

uint32_t tlw_view_voxel_shares(const tlw_view_model* model, uint32_t voxel,
                               tlw_view_share shares[TLW_VIEW_SHARES_MAX]) {
    tlw_blob_contents c;
    tlw_blob_find_all(model->actor.blob_memory, &c);
    const uint32_t slot = ((const uint32_t*)c.first[TLW_SECTION_VOXEL_SLOT])[voxel];
    const tlw_blob_window* windows = c.first[TLW_SECTION_WINDOWS];
    const uint16_t* joints = c.first[TLW_SECTION_INFLUENCE_JOINT];
    const float* weights = c.first[TLW_SECTION_INFLUENCE_WEIGHT];
    const tlw_blob_window* window = &windows[slot / TLW_LANES];
    uint32_t count = 0;
    for (uint32_t k = 0; k < window->influences; ++k) {
        const uint32_t at = window->first_influence + k;
        const tlw_view_share share = {joints[at],
                                      weights[(size_t)at * TLW_LANES + slot % TLW_LANES]};
        uint32_t place = count;
        for (; place > 0 && shares[place - 1].weight < share.weight; --place) {
            if (place < TLW_VIEW_SHARES_MAX) {
                shares[place] = shares[place - 1];
            }
        }
        if (share.weight > 0.0f && place < TLW_VIEW_SHARES_MAX) {
            shares[place] = share;
            count += count < TLW_VIEW_SHARES_MAX ? 1 : 0;
        }
    }
    return count;
}

// ---- Models

static bool copy_rest(tlw_view_model* model) {
    const uint32_t count = model->actor.info.vertex_count;
    const tlw_vertex* vertices = tlw_actor_vertices(&model->actor);
    model->rest = malloc(((size_t)count * 3 + 1) * sizeof *model->rest);
    model->rest_normals = malloc(((size_t)count * 3 + 1) * sizeof *model->rest_normals);
    model->bindings = malloc(((size_t)count + 1) * sizeof *model->bindings);
    if (!model->rest || !model->rest_normals || !model->bindings) {
        return false;
    }
    for (size_t v = 0; v < count; ++v) {
        const float* n = vertices[v].normal;
        memcpy(model->rest + v * 3, vertices[v].position, 3 * sizeof(float));
        memcpy(model->rest_normals + v * 3, n, 3 * sizeof(float));
        model->has_normals = model->has_normals || n[0] != 0.0f || n[1] != 0.0f || n[2] != 0.0f;
    }
    return tlw_blob_get_bindings(&model->actor.blob, TLW_ORDER_SOURCE, 0, count, model->bindings) ==
           TLW_OK;
}

tlw_view_model* tlw_view_model_create(tlw_actor* actor, char* message, size_t room) {
    static uint64_t stamps;
    uint64_t index_count;
    tlw_view_model* model = calloc(1, sizeof *model);
    if (model == NULL) {
        snprintf(message, room, "cannot show '%s': out of memory", actor->name);
        tlw_actor_free(actor);
        return NULL;
    }
    model->actor = *actor;
    *actor = (tlw_actor){0};
    model->users = 1;
    model->stamp = ++stamps;
    model->indices = tlw_actor_indices(&model->actor, &index_count);
    model->index_count = (uint32_t)index_count;
    const char* why = NULL;
    if (index_count == 0) {
        why = "it has no triangles to draw";
    } else if (!copy_rest(model) || !find_edges(model) || !find_muscles(model)) {
        why = "out of memory";
    }
    if (why) {
        snprintf(message, room, "cannot show '%s': %s", model->actor.name, why);
        tlw_view_model_release(model);
        return NULL;
    }
    find_openness(model);
    return model;
}

tlw_view_model* tlw_view_model_share(tlw_view_model* model) {
    ++model->users;
    return model;
}

void tlw_view_model_release(tlw_view_model* model) {
    if (model == NULL || --model->users > 0) {
        return;
    }
    tlw_actor_free(&model->actor);
    tlw_recipe_free(&model->recipe);
    free(model->rest);
    free(model->rest_normals);
    free(model->bindings);
    free(model->welded);
    free(model->edges);
    free(model->around);
    free(model->muscles_of);
    free(model->openness);
    free(model);
}
