// SPDX-License-Identifier: MIT
// The welded mesh of a character, and numbers of what an embedding writes for it.
#include "tools/motion/surface.h"
#include "tools/motion/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (180.0 / 3.14159265358979323846)

// ---- The welded mesh

typedef struct placed_vertex {
    float position[3];
    uint32_t vertex;
} placed_vertex;

static int compare_placed(const void* left, const void* right) {
    const placed_vertex *a = left, *b = right;
    for (int axis = 0; axis < 3; ++axis) {
        if (a->position[axis] < b->position[axis] || a->position[axis] > b->position[axis]) {
            return a->position[axis] < b->position[axis] ? -1 : 1;
        }
    }
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static bool is_same_place(const placed_vertex* a, const placed_vertex* b) {
    return memcmp(a->position, b->position, sizeof a->position) == 0;
}

static bool weld(tlw_surface* s) {
    placed_vertex* order = malloc(((size_t)s->vertex_count + 1) * sizeof *order);
    if (order == NULL) {
        return false;
    }
    const tlw_vertex* vertices = tlw_actor_vertices(s->actor);
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        for (int axis = 0; axis < 3; ++axis) {
            order[v].position[axis] = vertices[v].position[axis] + 0.0f; // no -0
        }
        order[v].vertex = v;
    }
    qsort(order, s->vertex_count, sizeof *order, compare_placed);
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        const bool is_new = i == 0 || !is_same_place(&order[i], &order[i - 1]);
        if (is_new) {
            s->first_of[s->welded_count++] = order[i].vertex;
        }
        s->welded_of[order[i].vertex] = s->welded_count - 1;
    }
    free(order);
    return true;
}

// A side of a triangle: from one welded vertex to the next, and the corner opposite to it.
typedef struct side {
    uint32_t from, to, corner;
} side;

static uint32_t lower(const side* s) {
    return s->from < s->to ? s->from : s->to;
}

static uint32_t upper(const side* s) {
    return s->from < s->to ? s->to : s->from;
}

static int compare_sides(const void* left, const void* right) {
    const side *a = left, *b = right;
    if (lower(a) != lower(b)) {
        return lower(a) < lower(b) ? -1 : 1;
    }
    if (upper(a) != upper(b)) {
        return upper(a) < upper(b) ? -1 : 1;
    }
    return a->from < b->from ? -1 : a->from > b->from;
}

static bool find_edges(tlw_surface* s) {
    const uint32_t count = 3 * s->triangle_count;
    side* sides = malloc(((size_t)count + 1) * sizeof *sides);
    if (sides == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        const uint32_t* corner = s->triangles[t];
        for (uint32_t k = 0; k < 3; ++k) {
            sides[3 * t + k] = (side){corner[k], corner[(k + 1) % 3], corner[(k + 2) % 3]};
        }
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && lower(&sides[end]) == lower(&sides[first]) &&
               upper(&sides[end]) == upper(&sides[first])) {
            end += 1;
        }
        if (end - first == 2 && sides[first].from != sides[first + 1].from) {
            s->edges[s->edge_count++] =
                (tlw_surface_edge){{sides[first].from, sides[first].to},
                                   {sides[first].corner, sides[first + 1].corner}};
        }
    }
    free(sides);
    return true;
}

static void find_triangles(tlw_surface* s) {
    uint64_t count;
    const uint32_t* indices = tlw_actor_indices(s->actor, &count);
    for (uint64_t i = 0; i + 2 < count; i += 3) {
        uint32_t* t = s->triangles[s->triangle_count];
        for (uint64_t k = 0; k < 3; ++k) {
            t[k] = s->welded_of[indices[i + k]];
        }
        s->triangle_count += t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    }
}

// A row's domain is that of its first coefficient.
static void find_domains(tlw_surface* s) {
    const void* blob = s->actor->blob_memory;
    uint64_t count, domain_count;
    const tlw_blob_rbf_domain* domains = tlw_blob_find(blob, TLW_SECTION_RBF_DOMAIN, &domain_count);
    const uint32_t* row_of = tlw_blob_find(blob, TLW_SECTION_RBF_VERTEX_ROW, &count);
    const uint32_t* row_first = tlw_blob_find(blob, TLW_SECTION_RBF_ROW_FIRST, &count);
    const uint16_t* row_index = tlw_blob_find(blob, TLW_SECTION_RBF_ROW_INDEX, &count);
    const uint32_t* cooked_of = tlw_blob_find(blob, TLW_SECTION_VERTEX_COOKED, &count);
    for (uint32_t w = 0; w < s->welded_count; ++w) {
        s->domain_of[w] = TLW_NO_INDEX;
        const uint32_t row = s->actor->info.has_rbf ? row_of[cooked_of[s->first_of[w]]] : 0;
        if (s->actor->info.has_rbf && row_first[row] < row_first[row + 1]) {
            uint32_t domain = (uint32_t)domain_count - 1;
            while (domain > 0 && row_index[row_first[row]] < domains[domain].first_coefficient) {
                domain -= 1;
            }
            s->domain_of[w] = domain;
        }
    }
}

static bool find_joints(tlw_surface* s) {
    tlw_vertex_skinning* skinning = malloc(((size_t)s->vertex_count + 1) * sizeof *skinning);
    const bool is_good = skinning && tlw_blob_get_skinning(&s->actor->blob, TLW_ORDER_SOURCE, 0,
                                                           s->vertex_count, skinning) == TLW_OK;
    for (uint32_t w = 0; is_good && w < s->welded_count; ++w) {
        const tlw_vertex_skinning* own = &skinning[s->first_of[w]];
        int best = 0;
        for (int k = 1; k < 8; ++k) {
            best = own->weights[k] > own->weights[best] ? k : best;
        }
        s->joint_of[w] = own->joints[best];
    }
    free(skinning);
    return is_good;
}

tlw_scene_code tlw_surface_open(tlw_surface* s, const tlw_actor* actor, tlw_scene_error* error) {
    uint64_t indices;
    TLW_IGNORE(tlw_actor_indices(actor, &indices));
    *s = (tlw_surface){.actor = actor, .vertex_count = actor->info.vertex_count};
    const size_t count = (size_t)s->vertex_count + 1, triangles = (size_t)indices / 3 + 1;
    uint32_t** const arrays[] = {&s->welded_of, &s->first_of, &s->domain_of, &s->joint_of};
    float** const streams[] = {&s->positions, &s->normals, &s->deltas, &s->skinned};
    bool has_memory = true;
    for (size_t k = 0; k < TLW_COUNT_OF(arrays); ++k) {
        *arrays[k] = calloc(count, sizeof(uint32_t));
        *streams[k] = calloc(count * 3, sizeof(float));
        has_memory = has_memory && *arrays[k] && *streams[k];
    }
    s->triangles = calloc(triangles, sizeof *s->triangles);
    s->edges = calloc(triangles * 3, sizeof *s->edges);
    if (!has_memory || !s->triangles || !s->edges || !weld(s) || !find_joints(s)) {
        return tlw_motion_fail_memory(error);
    }
    find_triangles(s);
    find_domains(s);
    return find_edges(s) ? TLW_SCENE_OK : tlw_motion_fail_memory(error);
}

void tlw_surface_close(tlw_surface* s) {
    free(s->welded_of);
    free(s->first_of);
    free(s->domain_of);
    free(s->joint_of);
    free(s->triangles);
    free(s->edges);
    free(s->positions);
    free(s->normals);
    free(s->deltas);
    free(s->skinned);
    *s = (tlw_surface){0};
}

// ---- Embedding

bool tlw_surface_embed(tlw_surface* s, tlw_motion* motion, const tlw_surface_look* look) {
    tlw_output output = tlw_default_output();
    output.embedding = look->embedding;
    output.smoothing = look->smoothing;
    output.normals_by = look->normals_by;
    output.positions.data = s->positions;
    output.normals.data = s->normals;
    output.deltas.data = s->deltas;
    const bool is_good = tlw_character_set_output(motion->world, motion->id, &output) == TLW_OK;
    if (is_good) {
        tlw_motion_step(motion, 0.0);
        for (size_t i = 0; i < (size_t)s->vertex_count * 3; ++i) {
            s->skinned[i] = s->positions[i] - s->deltas[i];
        }
    }
    output = tlw_default_output();
    TLW_IGNORE(tlw_character_set_output(motion->world, motion->id, &output));
    return is_good;
}

void tlw_surface_impose(tlw_motion* motion, tlw_surface_field* field, void* user,
                        const bool* is_moved) {
    const tlw_blob_info* info = &motion->def.actor->info;
    tlw_motion_reset(motion);
    tlw_motion_step(motion, 0.0);
    tlw_motion_read(motion);
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        double rest[3], off[3] = {0.0, 0.0, 0.0};
        tlw_actor_voxel_centre(motion->def.actor, v, rest);
        for (int axis = 0; axis < 3; ++axis) {
            rest[axis] =
                (rest[axis] - info->origin[axis]) / info->voxel_metres / info->extent_voxels;
        }
        if (is_moved == NULL || is_moved[v]) {
            field(rest, user, off);
        }
        float position[3];
        const float still[3] = {0.0f, 0.0f, 0.0f};
        for (int axis = 0; axis < 3; ++axis) {
            position[axis] =
                motion->voxels[v].skinned[axis] + (float)(off[axis] * info->extent_voxels);
        }
        TLW_IGNORE(tlw_character_set_voxel(motion->world, motion->id, v, position, still));
    }
}

void tlw_surface_jiggle(tlw_motion* motion) {
    const double hz = 60.0, speed = 0.8 * motion->extent_voxels * motion->voxel_metres;
    const uint32_t clip = tlw_motion_clip_experiment(motion->def.actor).clip;
    const int moving = 120;
    tlw_motion_reset(motion);
    tlw_motion_pose(motion, clip, 0.0);
    tlw_motion_settle(motion);
    for (int frame = 0; frame <= moving + TLW_SURFACE_JIGGLE_FRAMES; ++frame) {
        const double seconds = (frame < moving ? frame : moving) / hz;
        tlw_motion_pose(motion, clip, seconds);
        motion->root.position[2] = speed * seconds;
        tlw_motion_step(motion, frame > 0 ? 1.0 / hz : 0.0);
    }
}

// ---- Creases

typedef struct direction {
    double x, y, z;
} direction;

static direction between(const float* positions, uint32_t from, uint32_t to) {
    const float *a = positions + (size_t)from * 3, *b = positions + (size_t)to * 3;
    return (direction){(double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
                       (double)b[2] - (double)a[2]};
}

static direction cross(direction a, direction b) {
    return (direction){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(direction a, direction b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// By how much the second triangle is folded out of the plane of the first; radians.
static double fold(const tlw_surface* s, const tlw_surface_edge* edge, const float* positions) {
    const uint32_t from = s->first_of[edge->ends[0]], to = s->first_of[edge->ends[1]];
    const direction along = between(positions, from, to);
    const direction a = cross(along, between(positions, from, s->first_of[edge->corners[0]]));
    const direction b = cross(between(positions, from, s->first_of[edge->corners[1]]), along);
    const double length = sqrt(dot(along, along));
    return length > 0.0 ? atan2(dot(cross(a, b), along) / length, dot(a, b)) : 0.0;
}

double tlw_surface_crease(const tlw_surface* s, tlw_surface_edges which) {
    const double whole = 6.28318530717958647692;
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->edge_count; ++e) {
        const tlw_surface_edge* edge = &s->edges[e];
        if (which == TLW_SURFACE_SEAM_EDGES &&
            s->domain_of[edge->ends[0]] == s->domain_of[edge->ends[1]]) {
            continue;
        }
        double change = fold(s, edge, s->positions) - fold(s, edge, s->skinned);
        change -= whole * floor(change / whole + 0.5);
        sum += change * change;
        count += 1;
    }
    return count > 0 ? sqrt(sum / count) * DEGREES : 0.0;
}

double tlw_surface_rms(const tlw_surface* s) {
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)s->vertex_count * 3; ++i) {
        sum += (double)s->deltas[i] * (double)s->deltas[i];
    }
    return s->vertex_count > 0 ? sqrt(sum / s->vertex_count) : 0.0;
}

// ---- Normals

bool tlw_surface_geometric_normals(const tlw_surface* s, const float* positions, float* normals) {
    double* sums = calloc((size_t)s->welded_count * 3 + 1, sizeof *sums);
    if (sums == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        const uint32_t* corner = s->triangles[t];
        const uint32_t first = s->first_of[corner[0]];
        const direction n = cross(between(positions, first, s->first_of[corner[1]]),
                                  between(positions, first, s->first_of[corner[2]]));
        for (int k = 0; k < 3; ++k) {
            double* sum = sums + (size_t)corner[k] * 3;
            sum[0] += n.x;
            sum[1] += n.y;
            sum[2] += n.z;
        }
    }
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        const double* sum = sums + (size_t)s->welded_of[v] * 3;
        const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (size_t axis = 0; axis < 3; ++axis) {
            normals[(size_t)v * 3 + axis] = length > 0.0 ? (float)(sum[axis] / length) : 0.0f;
        }
    }
    free(sums);
    return true;
}

// Three sines in different directions: row i is amplitude, wave vector (a unit vector) and phase of
// component i.
#define WAVE_LENGTH 0.35 // L
#define WAVE_HEIGHT 0.017
static const double waves[3][4] = {
    {0.0, 0.8, 0.6, 0.0}, {0.6, 0.0, -0.8, 1.0}, {0.36, 0.48, 0.8, 2.0}};

static double wave_angle(int component, const double rest[3]) {
    const double* w = waves[component];
    return 6.28318530717958647692 / WAVE_LENGTH *
               (w[0] * rest[0] + w[1] * rest[1] + w[2] * rest[2]) +
           w[3];
}

void tlw_surface_sines(const double rest[3], void* user, double out[3]) {
    (void)user;
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = WAVE_HEIGHT * sin(wave_angle(axis, rest));
    }
}

// cof(1 + gradient of the sines) times the normal: rows of the cofactor are cross products of rows.
static direction true_normal(const double rest[3], direction n) {
    direction row[3];
    for (int i = 0; i < 3; ++i) {
        const double slope =
            WAVE_HEIGHT * 6.28318530717958647692 / WAVE_LENGTH * cos(wave_angle(i, rest));
        row[i] = (direction){(i == 0) + slope * waves[i][0], (i == 1) + slope * waves[i][1],
                             (i == 2) + slope * waves[i][2]};
    }
    return (direction){dot(cross(row[1], row[2]), n), dot(cross(row[2], row[0]), n),
                       dot(cross(row[0], row[1]), n)};
}

double tlw_surface_normal_error(const tlw_surface* s, const float* normals) {
    const tlw_blob_info* info = &s->actor->info;
    const tlw_vertex* vertices = tlw_actor_vertices(s->actor);
    double sum = 0.0;
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        double rest[3];
        for (int axis = 0; axis < 3; ++axis) {
            rest[axis] = ((double)vertices[v].position[axis] - info->origin[axis]) /
                         info->voxel_metres / info->extent_voxels;
        }
        const direction want = true_normal(rest, (direction){(double)vertices[v].normal[0],
                                                             (double)vertices[v].normal[1],
                                                             (double)vertices[v].normal[2]});
        const float* n = normals + (size_t)v * 3;
        const direction is = {(double)n[0], (double)n[1], (double)n[2]};
        const direction off = cross(want, is);
        sum += atan2(sqrt(dot(off, off)), dot(want, is));
    }
    return s->vertex_count > 0 ? sum / s->vertex_count * DEGREES : 0.0;
}

// ---- One limb moves another

static bool is_below(const tlw_actor* actor, uint32_t joint, uint32_t limb) {
    tlw_joint_info info;
    while (joint != limb && tlw_blob_get_joint(&actor->blob, joint, &info) == TLW_OK) {
        joint = info.parent;
    }
    return joint == limb;
}

// Edge by edge outwards; an edge of the mesh with one triangle does not count.
static void measure_edges(const tlw_surface* s, uint8_t* edges_to) {
    for (int distance = 0; distance < TLW_SURFACE_LIMB_FAR; ++distance) {
        for (uint32_t e = 0; e < s->edge_count; ++e) {
            for (int k = 0; k < 2; ++k) {
                const uint32_t from = s->edges[e].ends[k], to = s->edges[e].ends[1 - k];
                if (edges_to[from] == distance && edges_to[to] > distance + 1) {
                    edges_to[to] = (uint8_t)(distance + 1);
                }
            }
        }
    }
}

bool tlw_surface_limb_open(const tlw_surface* s, const tlw_motion* motion, const char* joint,
                           tlw_surface_limb* out) {
    uint32_t limb;
    *out = (tlw_surface_limb){.is_moved = calloc(motion->voxel_count + 1u, sizeof *out->is_moved),
                              .edges_to = calloc(s->welded_count + 1u, 1)};
    if (!out->is_moved || !out->edges_to ||
        tlw_blob_find_joint(&s->actor->blob, joint, &limb) != TLW_OK) {
        return false;
    }
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        out->is_moved[v] = is_below(s->actor, motion->joints[v], limb);
    }
    for (uint32_t w = 0; w < s->welded_count; ++w) {
        out->edges_to[w] = is_below(s->actor, s->joint_of[w], limb) ? 0 : UINT8_MAX;
    }
    measure_edges(s, out->edges_to);
    return true;
}

void tlw_surface_limb_close(tlw_surface_limb* limb) {
    free(limb->is_moved);
    free(limb->edges_to);
    *limb = (tlw_surface_limb){0};
}

static void shift(const double rest[3], void* user, double out[3]) {
    (void)rest;
    (void)user;
    out[0] = TLW_SURFACE_LIMB_SHIFT;
}

void tlw_surface_limb_move(const tlw_surface_limb* limb, tlw_motion* motion) {
    tlw_surface_impose(motion, shift, NULL, limb->is_moved);
}

double tlw_surface_limb_leak(const tlw_surface* s, const tlw_surface_limb* limb,
                             const float* deltas) {
    const double whole =
        TLW_SURFACE_LIMB_SHIFT * s->actor->info.extent_voxels * s->actor->info.voxel_metres;
    double most = 0.0;
    for (uint32_t w = 0; w < s->welded_count; ++w) {
        if (limb->edges_to[w] > TLW_SURFACE_LIMB_FAR) {
            const float* u = deltas + (size_t)s->first_of[w] * 3;
            const double x = (double)u[0], y = (double)u[1], z = (double)u[2];
            most = fmax(most, sqrt(x * x + y * y + z * z));
        }
    }
    return most / whole;
}
