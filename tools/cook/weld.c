// SPDX-License-Identifier: MIT
// Stage weld (RULES 1): vertices of the meshes to voxelise that have exactly the same position
// become one, with the average of their weights and their paint; triangles that lose a corner are
// dropped. Almost every real file has split vertices, and closed models look open until they are
// welded. Reads the input; writes cook->welded.
#include "tools/cook/stages.h"

#include <stdlib.h>
#include <string.h>

typedef struct position_bits {
    uint32_t x, y, z;
} position_bits;

static position_bits bits_of(const float* position) {
    float folded[3] = {position[0] + 0.0f, position[1] + 0.0f, position[2] + 0.0f}; // -0 to +0
    position_bits bits;
    memcpy(&bits, folded, sizeof bits);
    return bits;
}

static uint64_t hash_bits(position_bits b) {
    uint64_t hash =
        b.x * 0x9E3779B97F4A7C15u ^ b.y * 0xC2B2AE3D27D4EB4Fu ^ b.z * 0x165667B19E3779F9u;
    return hash ^ hash >> 29;
}

// Data that exists only while welding.
typedef struct welding {
    uint32_t source_count;
    uint32_t* welded_of; // per source vertex, meshes one after another: its welded vertex
    uint32_t* next;      // per source vertex: the next with the same welded vertex, + 1
    uint32_t* first;     // per welded vertex: its first source vertex
    uint32_t* last;
    uint32_t* table; // hash table with open addressing: welded vertex + 1
    uint32_t table_size;
    position_bits* bits; // per welded vertex
} welding;

static bool is_voxelised(const tlw_cook_mesh* mesh) {
    return mesh->role == TLW_ROLE_VOXELISE;
}

static tlw_result weld_vertices(tlw_cook* cook, welding* w) {
    tlw_cook_welded* welded = &cook->welded;
    uint32_t source = 0;
    for (uint32_t m = 0; m < cook->input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &cook->input->meshes[m];
        for (uint32_t i = 0; is_voxelised(mesh) && i < mesh->vertex_count; ++i, ++source) {
            const float* position = mesh->positions + (size_t)i * 3;
            position_bits bits = bits_of(position);
            uint32_t slot = (uint32_t)hash_bits(bits) & (w->table_size - 1);
            while (w->table[slot] != 0 &&
                   memcmp(&w->bits[w->table[slot] - 1], &bits, sizeof bits) != 0) {
                slot = (slot + 1) & (w->table_size - 1);
            }
            if (w->table[slot] == 0) {
                uint32_t vertex = welded->vertex_count++;
                w->table[slot] = vertex + 1;
                w->bits[vertex] = bits;
                w->first[vertex] = w->last[vertex] = source;
                welded->positions[vertex] =
                    (tlw_double3){(double)(position[0] + 0.0f), (double)(position[1] + 0.0f),
                                  (double)(position[2] + 0.0f)};
            } else {
                uint32_t vertex = w->table[slot] - 1;
                w->next[w->last[vertex]] = source + 1; // + 1: 0 ends the list
                w->last[vertex] = source;
            }
            w->welded_of[source] = w->table[slot] - 1;
        }
    }
    return TLW_OK;
}

static bool is_influence(const tlw_cook* cook, const tlw_cook_mesh* mesh, size_t at) {
    return mesh->weights[at] > 0.0f && !cook->is_excluded[mesh->joints[at]];
}

typedef struct influence_sum {
    tlw_influence* list; // ascending joints
    uint32_t count;
    uint32_t contributors; // source vertices that have weights
} influence_sum;

// Adds a source vertex's weights, normalised without excluded joints. Returns whether the weights
// as given did not sum to 1.
static bool add_influences(const tlw_cook* cook, const tlw_cook_mesh* mesh, uint32_t vertex,
                           influence_sum* sum) {
    const size_t at = (size_t)vertex * mesh->influence_count;
    double total = 0.0, given = 0.0;
    for (uint32_t k = 0; k < mesh->influence_count; ++k) {
        given += (double)mesh->weights[at + k];
        total += is_influence(cook, mesh, at + k) ? (double)mesh->weights[at + k] : 0.0;
    }
    if (!(total > 0.0)) {
        return false;
    }
    sum->contributors += 1;
    for (uint32_t k = 0; k < mesh->influence_count; ++k) {
        if (!is_influence(cook, mesh, at + k)) {
            continue;
        }
        uint32_t joint = mesh->joints[at + k], place = 0;
        while (place < sum->count && sum->list[place].joint < joint) {
            place += 1;
        }
        if (place == sum->count || sum->list[place].joint != joint) {
            memmove(sum->list + place + 1, sum->list + place,
                    (sum->count - place) * sizeof *sum->list);
            sum->list[place] = (tlw_influence){joint, 0.0};
            sum->count += 1;
        }
        sum->list[place].weight += (double)mesh->weights[at + k] / total;
    }
    return given < 1.0 - 1e-3 || given > 1.0 + 1e-3;
}

static tlw_result weld_weights(tlw_cook* cook, const welding* w) {
    tlw_cook_welded* welded = &cook->welded;
    const tlw_cook_input* input = cook->input;
    uint32_t* mesh_begin = tlw_cook_allocate(cook, input->mesh_count + 1, sizeof *mesh_begin);
    influence_sum sum = {.list = tlw_cook_allocate(cook, input->joint_count + 1, sizeof *sum.list)};
    tlw_result result = cook->error.result;
    for (uint32_t m = 0; m < input->mesh_count && result == TLW_OK; ++m) {
        const tlw_cook_mesh* mesh = &input->meshes[m];
        mesh_begin[m + 1] = mesh_begin[m] + (is_voxelised(mesh) ? mesh->vertex_count : 0);
    }
    uint32_t used = 0;
    for (uint32_t v = 0; v < welded->vertex_count && result == TLW_OK; ++v) {
        sum.count = sum.contributors = 0;
        for (uint32_t s = w->first[v] + 1; s != 0; s = w->next[s - 1]) {
            uint32_t m = 0; // there are few meshes
            while (s - 1 >= mesh_begin[m + 1]) {
                m += 1;
            }
            welded->normalised_vertices +=
                add_influences(cook, &input->meshes[m], s - 1 - mesh_begin[m], &sum);
        }
        welded->influence_begin[v] = used;
        for (uint32_t k = 0; k < sum.count; ++k) {
            sum.list[k].weight /= (double)sum.contributors;
            welded->influences[used++] = sum.list[k];
        }
    }
    if (result == TLW_OK) {
        welded->influence_begin[welded->vertex_count] = used;
    }
    tlw_cook_free(cook, mesh_begin);
    tlw_cook_free(cook, sum.list);
    return result;
}

// Paint of a welded vertex: the mean of all vertices there that have any (RULES 8.7).
static tlw_result weld_paint(tlw_cook* cook, const welding* w, int which) {
    static const double unpainted[TLW_COOK_PAINTS] = {
        [TLW_PAINT_FAT] = 0.0, [TLW_PAINT_STIFFNESS] = 0.5};
    tlw_cook_welded* welded = &cook->welded;
    double* paint = tlw_cook_allocate(cook, w->source_count, sizeof *paint);
    uint32_t* sources = tlw_cook_allocate(cook, welded->vertex_count, sizeof *sources);
    uint32_t source = 0;
    for (uint32_t m = 0; cook->error.result == TLW_OK && m < cook->input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &cook->input->meshes[m];
        for (uint32_t i = 0; is_voxelised(mesh) && i < mesh->vertex_count; ++i, ++source) {
            if (mesh->paint[which] != NULL) {
                paint[w->welded_of[source]] += (double)mesh->paint[which][i];
                sources[w->welded_of[source]] += 1;
            }
        }
    }
    for (uint32_t v = 0; cook->error.result == TLW_OK && v < welded->vertex_count; ++v) {
        paint[v] = sources[v] > 0 ? paint[v] / (double)sources[v] : unpainted[which];
    }
    tlw_cook_free(cook, sources);
    welded->paint[which] = paint;
    return cook->error.result;
}

static bool is_painted(const tlw_cook* cook, int which) {
    bool is_painted = false;
    for (uint32_t m = 0; m < cook->input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &cook->input->meshes[m];
        is_painted = is_painted || (is_voxelised(mesh) && mesh->paint[which] != NULL);
    }
    return is_painted;
}

static void weld_triangles(tlw_cook* cook, const welding* w) {
    tlw_cook_welded* welded = &cook->welded;
    uint32_t base = 0;
    for (uint32_t m = 0; m < cook->input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &cook->input->meshes[m];
        if (!is_voxelised(mesh)) {
            continue;
        }
        for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
            const uint32_t* corner = mesh->indices + (size_t)t * 3;
            uint32_t a = w->welded_of[base + corner[0]], b = w->welded_of[base + corner[1]],
                     c = w->welded_of[base + corner[2]];
            if (a == b || b == c || c == a) {
                welded->collapsed_triangles += 1;
                continue;
            }
            uint32_t* triangle = welded->triangles[welded->triangle_count++];
            triangle[0] = a;
            triangle[1] = b;
            triangle[2] = c;
        }
        base += mesh->vertex_count;
    }
}

// Drops vertices that no triangle uses: they are not on the surface, and one stray vertex would
// change the extent.
static tlw_result drop_unused(tlw_cook* cook) {
    tlw_cook_welded* welded = &cook->welded;
    const uint32_t count = welded->vertex_count;
    uint32_t* place = tlw_cook_allocate(cook, count, sizeof *place);
    if (place == NULL) {
        return cook->error.result;
    }
    for (size_t i = 0; i < (size_t)welded->triangle_count * 3; ++i) {
        place[welded->triangles[i / 3][i % 3]] = 1;
    }
    uint32_t kept = 0, used = 0;
    for (uint32_t v = 0; v < count; ++v) {
        if (!place[v]) {
            continue;
        }
        const uint32_t begin = welded->influence_begin[v], end = welded->influence_begin[v + 1];
        welded->positions[kept] = welded->positions[v];
        for (int i = 0; i < TLW_COOK_PAINTS; ++i) {
            if (welded->paint[i] != NULL) {
                welded->paint[i][kept] = welded->paint[i][v];
            }
        }
        welded->influence_begin[kept] = used;
        for (uint32_t i = begin; i < end; ++i) {
            welded->influences[used++] = welded->influences[i];
        }
        place[v] = kept++;
    }
    welded->influence_begin[kept] = used;
    welded->vertex_count = kept;
    for (size_t i = 0; i < (size_t)welded->triangle_count * 3; ++i) {
        uint32_t* corner = &welded->triangles[i / 3][i % 3];
        *corner = place[*corner];
    }
    tlw_cook_free(cook, place);
    return TLW_OK;
}

// A side of a triangle on its edge: side 3 t + i of triangle t runs from corner i to the next one.
typedef struct edge_side {
    uint32_t high; // the higher vertex of the edge
    uint32_t side;
} edge_side;

static int compare_sides(const void* a, const void* b) {
    const edge_side *x = a, *y = b;
    return x->high != y->high ? (x->high > y->high) - (x->high < y->high)
                              : (x->side > y->side) - (x->side < y->side);
}

// Most vertices have only a few sides, for which a plain insertion is fastest.
static void sort_sides(edge_side* sides, uint32_t count) {
    if (count > 16) {
        qsort(sides, count, sizeof *sides, compare_sides);
        return;
    }
    for (uint32_t i = 1; i < count; ++i) {
        const edge_side side = sides[i];
        uint32_t place = i;
        while (place > 0 && compare_sides(&sides[place - 1], &side) > 0) {
            sides[place] = sides[place - 1];
            place -= 1;
        }
        sides[place] = side;
    }
}

static uint32_t low_vertex(const tlw_cook_welded* welded, uint32_t side, uint32_t* high) {
    const uint32_t* triangle = welded->triangles[side / 3];
    const uint32_t a = triangle[side % 3], b = triangle[(side + 1) % 3];
    *high = a < b ? b : a;
    return a < b ? a : b;
}

// Joins the sides that share an edge into rings, and counts edges: open if one triangle uses it,
// non-manifold if more than two do. Sides are grouped by their lower vertex and then sorted by the
// higher one, which is much faster than sorting all sides.
static tlw_result join_edges(tlw_cook* cook) {
    tlw_cook_welded* welded = &cook->welded;
    const uint32_t count = welded->triangle_count * 3;
    uint32_t* begin = tlw_cook_allocate(cook, (uint64_t)welded->vertex_count + 1, sizeof *begin);
    edge_side* sides = tlw_cook_allocate(cook, count, sizeof *sides);
    welded->next_side = tlw_cook_allocate(cook, count, sizeof *welded->next_side);
    const tlw_result result = cook->error.result;
    uint32_t high;
    for (uint32_t i = 0; i < count && result == TLW_OK; ++i) {
        begin[low_vertex(welded, i, &high) + 1] += 1;
    }
    for (uint32_t v = 0; v < welded->vertex_count && result == TLW_OK; ++v) {
        begin[v + 1] += begin[v];
    }
    for (uint32_t i = 0; i < count && result == TLW_OK; ++i) {
        // Moves the begin of each group to its end, which is where the next group began.
        const uint32_t low = low_vertex(welded, i, &high);
        sides[begin[low]++] = (edge_side){high, i};
    }
    for (uint32_t v = 0, first = 0; v < welded->vertex_count && result == TLW_OK; ++v) {
        const uint32_t last = begin[v];
        sort_sides(sides + first, last - first);
        while (first < last) {
            uint32_t end = first + 1;
            while (end < last && sides[end].high == sides[first].high) {
                welded->next_side[sides[end - 1].side] = sides[end].side;
                end += 1;
            }
            welded->next_side[sides[end - 1].side] = sides[first].side;
            welded->open_edges += end - first == 1;
            welded->non_manifold_edges += end - first > 2;
            first = end;
        }
    }
    tlw_cook_free(cook, begin);
    tlw_cook_free(cook, sides);
    return result;
}

tlw_result tlw_cook_weld(tlw_cook* cook) {
    uint64_t sources = 0, triangles = 0, influences = 0;
    for (uint32_t m = 0; m < cook->input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &cook->input->meshes[m];
        if (is_voxelised(mesh)) {
            sources += mesh->vertex_count;
            triangles += mesh->triangle_count;
            influences += (uint64_t)mesh->vertex_count * mesh->influence_count;
        }
    }
    if (sources == 0 || triangles == 0) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "there is no mesh to voxelise");
    }
    if (sources >= UINT32_MAX / 4 || triangles >= UINT32_MAX / 4) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                             "%llu vertices and %llu triangles are more than this cooker takes",
                             (unsigned long long)sources, (unsigned long long)triangles);
    }
    tlw_cook_welded* welded = &cook->welded;
    welding w = {.source_count = (uint32_t)sources, .table_size = 16};
    while (w.table_size < sources * 2) {
        w.table_size *= 2;
    }
    w.welded_of = tlw_cook_allocate(cook, sources, sizeof *w.welded_of);
    w.next = tlw_cook_allocate(cook, sources, sizeof *w.next);
    w.first = tlw_cook_allocate(cook, sources, sizeof *w.first);
    w.last = tlw_cook_allocate(cook, sources, sizeof *w.last);
    w.table = tlw_cook_allocate(cook, w.table_size, sizeof *w.table);
    w.bits = tlw_cook_allocate(cook, sources, sizeof *w.bits);
    welded->positions = tlw_cook_allocate(cook, sources, sizeof *welded->positions);
    welded->influence_begin = tlw_cook_allocate(cook, sources + 1, sizeof *welded->influence_begin);
    welded->influences = tlw_cook_allocate(cook, influences + 1, sizeof *welded->influences);
    welded->triangles = tlw_cook_allocate(cook, triangles, sizeof *welded->triangles);
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        result = weld_vertices(cook, &w);
    }
    if (result == TLW_OK) {
        result = weld_weights(cook, &w);
    }
    for (int i = 0; i < TLW_COOK_PAINTS && result == TLW_OK; ++i) {
        result = is_painted(cook, i) ? weld_paint(cook, &w, i) : TLW_OK;
    }
    if (result == TLW_OK) {
        weld_triangles(cook, &w);
        result = drop_unused(cook);
    }
    if (result == TLW_OK) {
        result = join_edges(cook);
    }
    tlw_cook_free(cook, w.welded_of);
    tlw_cook_free(cook, w.next);
    tlw_cook_free(cook, w.first);
    tlw_cook_free(cook, w.last);
    tlw_cook_free(cook, w.table);
    tlw_cook_free(cook, w.bits);
    if (result == TLW_OK && welded->triangle_count == 0) {
        result =
            tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                          "all %u triangles of %llu vertices collapse when vertices are welded "
                          "by position",
                          welded->collapsed_triangles, (unsigned long long)sources);
    }
    return result;
}
