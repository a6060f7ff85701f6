// SPDX-License-Identifier: MIT
// The scalar reference of the output: MODEL 5.1, 5.2 and 5.5, a second time and on purpose, as a
// good programmer writes it without wide registers. Reads a blob, states and poses; keeps one
// struct per voxel and one per vertex. Gradients are computed only where they are asked for, and
// only of voxels that a vertex hangs on.
#include "tools/bench/reference_embed.h"

#include "tools/bench/reference_links.h"
#include "tools/bench/reference_math.h"

#include "runtime/blob.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a substep leaves: the deviation and the rotation, both relative to Rb; voxels.
typedef struct deviation {
    vec3 d;
    quat q;
} deviation;

typedef struct voxel {
    vec3 skin;       // p_skin, voxels
    vec3 correction; // of p_skin by skinned volume, contained in it
    quat rb;
    deviation from, to;
    float mass;
    vec3 delta; // p - p_skin before its correction, metres
    mat3 d;     // D: its gradient
    vec3 e;     // what fit adds: d - D p0/2
    uint32_t neighbour_count;
    uint32_t neighbours[TLW_STEPS];
    uint8_t steps[TLW_STEPS];
    bool is_bound, spans_space;
    float inverse_mass;
    vec3 centre;  // c0, voxels, relative to the voxel
    mat3 inverse; // of A0 in voxels, divided by a voxel's metres
    vec3 rest;    // p0, metres
} voxel;

typedef struct vertex {
    vec3 position, normal, centre; // centre: xb
    uint32_t joint_count, voxel_count;
    uint32_t joints[8], voxels[8];
    float joint_weights[8], voxel_weights[8];
} vertex;

typedef struct affine {
    float row[3][4];
} affine;

struct tlw_reference_embed {
    uint32_t voxel_count, vertex_count, joint_count;
    float voxel_metres;
    vec3 origin;
    voxel* voxels;
    vertex* vertices;
    affine* joints; // rest to posed, metres
};

TLW_INLINE vec3 lerp(vec3 a, vec3 b, float by) {
    return add_scaled(a, sub(b, a), by);
}

TLW_INLINE vec3 apply(const mat3* m, vec3 v) {
    return add_scaled(add_scaled(scale(m->c[0], v.x), m->c[1], v.y), m->c[2], v.z);
}

TLW_INLINE vec3 rotate(quat q, vec3 v) {
    const vec3 axis = {q.x, q.y, q.z};
    const vec3 twice = scale(cross(axis, v), 2.0f);
    return add(add_scaled(v, twice, q.w), cross(axis, twice));
}

TLW_INLINE quat nlerp(quat a, quat b, float by) {
    const float s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -by : by;
    const float t = 1.0f - by;
    const quat q = {t * a.x + s * b.x, t * a.y + s * b.y, t * a.z + s * b.z, t * a.w + s * b.w};
    const float length = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (quat){q.x * length, q.y * length, q.z * length, q.w * length};
}

// ---- Voxels

// MODEL 5.1 and 5.8
static void place_voxels(tlw_reference_embed* embed, float blend, tlw_bounds* bounds) {
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    const float metres = embed->voxel_metres;
    for (uint32_t i = 0; i < embed->voxel_count; ++i) {
        voxel* v = &embed->voxels[i];
        const vec3 off = scale(rotate(v->rb, lerp(v->from.d, v->to.d, blend)), metres);
        v->delta = add_scaled(off, v->correction, metres);
        const vec3 p = add_scaled(off, v->skin, metres);
        low =
            (vec3){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z};
        high = (vec3){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y,
                      p.z > high.z ? p.z : high.z};
    }
    const float grown = 0.5f * sqrtf(3.0f) * metres;
    *bounds = (tlw_bounds){{low.x - grown, low.y - grown, low.z - grown},
                           {high.x + grown, high.y + grown, high.z + grown}};
}

// MODEL 5.5 and 5.2: D, and what fit takes from it.
static void gradient(const voxel* all, voxel* v, float metres, float smoothing, float blend) {
    vec3 smooth = v->delta;
    if (v->spans_space) {
        vec3 sum = scale(v->delta, v->mass);
        mat3 a = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
        for (uint32_t k = 0; k < v->neighbour_count; ++k) {
            const voxel* other = &all[v->neighbours[k]];
            const vec3 md = scale(other->delta, other->mass), o = offsets[v->steps[k]];
            sum = add(sum, md);
            a.c[0] = add_scaled(a.c[0], md, o.x);
            a.c[1] = add_scaled(a.c[1], md, o.y);
            a.c[2] = add_scaled(a.c[2], md, o.z);
        }
        a.c[0] = add_scaled(a.c[0], sum, -v->centre.x);
        a.c[1] = add_scaled(a.c[1], sum, -v->centre.y);
        a.c[2] = add_scaled(a.c[2], sum, -v->centre.z);
        for (int i = 0; i < 3; ++i) {
            v->d.c[i] = apply(&a, v->inverse.c[i]);
        }
        const vec3 plane =
            add_scaled(scale(sum, v->inverse_mass), apply(&v->d, v->centre), -metres);
        smooth = lerp(v->delta, plane, smoothing);
    } else {
        const mat3 r = matrix_of(multiply(v->rb, nlerp(v->from.q, v->to.q, blend)));
        const mat3 rb = matrix_of(v->rb);
        for (int i = 0; i < 3; ++i) {
            v->d.c[i] = sub(r.c[i], rb.c[i]);
        }
    }
    v->e = add_scaled(smooth, apply(&v->d, v->rest), -0.5f);
}

// ---- Vertices

// L = sum w M
TLW_INLINE affine skin(const vertex* v, const affine* joints) {
    affine sum = {{{0}}};
    for (uint32_t k = 0; k < v->joint_count; ++k) {
        const affine* m = &joints[v->joints[k]];
        const float w = v->joint_weights[k];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 4; ++j) {
                sum.row[i][j] += w * m->row[i][j];
            }
        }
    }
    return sum;
}

TLW_INLINE vec3 skinned(const affine* l, vec3 x) {
    return (vec3){l->row[0][0] * x.x + l->row[0][1] * x.y + l->row[0][2] * x.z + l->row[0][3],
                  l->row[1][0] * x.x + l->row[1][1] * x.y + l->row[1][2] * x.z + l->row[1][3],
                  l->row[2][0] * x.x + l->row[2][1] * x.y + l->row[2][2] * x.z + l->row[2][3]};
}

// n = normalise(cof(L + sum w D) n0)
TLW_INLINE vec3 normal_of(const vertex* v, const affine* l, const mat3* d) {
    const vec3 a = add((vec3){l->row[0][0], l->row[1][0], l->row[2][0]}, d->c[0]);
    const vec3 b = add((vec3){l->row[0][1], l->row[1][1], l->row[2][1]}, d->c[1]);
    const vec3 c = add((vec3){l->row[0][2], l->row[1][2], l->row[2][2]}, d->c[2]);
    const vec3 n = add_scaled(add_scaled(scale(cross(b, c), v->normal.x), cross(c, a), v->normal.y),
                              cross(a, b), v->normal.z);
    const float length2 = dot(n, n);
    return length2 > 0.0f ? scale(n, 1.0f / sqrtf(length2)) : v->normal;
}

void tlw_reference_embed_write(tlw_reference_embed* embed, tlw_embedding embedding, float smoothing,
                               float blend, float* positions, float* normals, tlw_bounds* bounds) {
    const bool is_fit = embedding == TLW_EMBED_FIT;
    place_voxels(embed, blend, bounds);
    for (uint32_t i = 0; i < embed->voxel_count && (is_fit || normals); ++i) {
        if (embed->voxels[i].is_bound) {
            gradient(embed->voxels, &embed->voxels[i], embed->voxel_metres, smoothing, blend);
        }
    }
    for (uint32_t i = 0; i < embed->vertex_count; ++i) {
        const vertex* v = &embed->vertices[i];
        const affine l = skin(v, embed->joints);
        vec3 u = {0, 0, 0};
        mat3 d = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
        for (uint32_t k = 0; k < v->voxel_count; ++k) {
            const voxel* at = &embed->voxels[v->voxels[k]];
            const float w = v->voxel_weights[k];
            u = add_scaled(u, is_fit ? at->e : at->delta, w);
            if (is_fit || normals) {
                d.c[0] = add_scaled(d.c[0], at->d.c[0], w);
                d.c[1] = add_scaled(d.c[1], at->d.c[1], w);
                d.c[2] = add_scaled(d.c[2], at->d.c[2], w);
            }
        }
        if (is_fit) {
            u = add(u, apply(&d, add_scaled(v->position, v->centre, -0.5f)));
        }
        const vec3 x = add(skinned(&l, v->position), u);
        memcpy(&positions[(size_t)i * 3], &x, sizeof x);
        if (normals) {
            const vec3 n = normal_of(v, &l, &d);
            memcpy(&normals[(size_t)i * 3], &n, sizeof n);
        }
    }
}

// ---- State and poses

void tlw_reference_embed_set(tlw_reference_embed* embed, uint32_t index,
                             const tlw_voxel_state* state, const float correction[3]) {
    voxel* v = &embed->voxels[index];
    const float *p = state->position, *s = state->skinned, *r = state->rotation,
                *b = state->skinned_rotation;
    const quat back = {-b[0], -b[1], -b[2], b[3]};
    v->skin = (vec3){s[0], s[1], s[2]};
    v->correction = (vec3){correction[0], correction[1], correction[2]};
    v->rb = (quat){b[0], b[1], b[2], b[3]};
    v->from = v->to;
    v->to.d = rotate(back, (vec3){p[0] - s[0], p[1] - s[1], p[2] - s[2]});
    v->to.q = multiply(back, (quat){r[0], r[1], r[2], r[3]});
}

// The joints' rows are in voxels, from a rest position relative to the grid's origin.
void tlw_reference_embed_pose(tlw_reference_embed* embed, const tlw_reference_joint* joints) {
    const vec3 o = embed->origin;
    for (uint32_t j = 0; j < embed->joint_count; ++j) {
        memcpy(embed->joints[j].row, joints[j].row, sizeof joints[j].row);
        for (int i = 0; i < 3; ++i) {
            const float* row = joints[j].row[i];
            embed->joints[j].row[i][3] =
                row[3] * embed->voxel_metres - (row[0] * o.x + row[1] * o.y + row[2] * o.z);
        }
    }
}

// ---- From the blob

// A0 of a voxel and its linked neighbours, and its inverse if they span space; double, because it
// is done once.
static void set_rest_shape(const voxel* all, voxel* v, double metres) {
    double mass = (double)v->mass, sum[3] = {0}, a[3][3] = {{0}}, inverse[3][3];
    for (uint32_t k = 0; k < v->neighbour_count; ++k) {
        const int cell = tlw_cell_of_step(v->steps[k]);
        const double m = (double)all[v->neighbours[k]].mass;
        const double o[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
        mass += m;
        for (int i = 0; i < 3; ++i) {
            sum[i] += m * o[i];
            for (int j = 0; j < 3; ++j) {
                a[i][j] += m * o[i] * o[j];
            }
        }
    }
    double determinant = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            a[i][j] -= sum[i] * sum[j] / mass;
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
            inverse[i][j] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
        determinant += a[0][i] * inverse[i][0];
    }
    const double third = (a[0][0] + a[1][1] + a[2][2]) / 3.0;
    v->spans_space = determinant > 1e-3 * third * third * third;
    v->inverse_mass = (float)(1.0 / mass);
    v->centre = (vec3){(float)(sum[0] / mass), (float)(sum[1] / mass), (float)(sum[2] / mass)};
    const double by = v->spans_space ? 1.0 / (determinant * metres) : 0.0;
    for (int j = 0; j < 3; ++j) {
        v->inverse.c[j] = (vec3){(float)(inverse[0][j] * by), (float)(inverse[1][j] * by),
                                 (float)(inverse[2][j] * by)};
    }
}

static bool fill_voxels(tlw_reference_embed* embed, const void* bytes, const double origin[3],
                        double metres) {
    uint64_t count;
    const tlw_blob_cell* cells = tlw_blob_find(bytes, TLW_SECTION_VOXEL_CELL, &count);
    const uint32_t* slots = tlw_blob_find(bytes, TLW_SECTION_VOXEL_SLOT, &count);
    const uint8_t* layers = tlw_blob_find(bytes, TLW_SECTION_SLOT_LAYER, &count);
    tlw_reference_links* links = tlw_reference_find_links(bytes);
    for (uint32_t i = 0; i < embed->voxel_count && links; ++i) {
        voxel* v = &embed->voxels[i];
        v->mass = layers[slots[i]] == 0 ? (float)TLW_BONE_MASS : 1.0f;
        v->rest = (vec3){(float)(origin[0] + (cells[i].x + 0.5) * metres),
                         (float)(origin[1] + (cells[i].y + 0.5) * metres),
                         (float)(origin[2] + (cells[i].z + 0.5) * metres)};
        v->neighbour_count = links[i].count;
        memcpy(v->neighbours, links[i].neighbours, sizeof v->neighbours);
        memcpy(v->steps, links[i].steps, sizeof v->steps);
        v->to.q = v->rb = (quat){0, 0, 0, 1};
    }
    for (uint32_t i = 0; i < embed->voxel_count && links; ++i) {
        set_rest_shape(embed->voxels, &embed->voxels[i], metres);
    }
    const bool is_filled = links != NULL;
    free(links);
    return is_filled;
}

static bool fill_vertex(tlw_reference_embed* embed, const tlw_blob* blob, uint32_t index) {
    vertex* v = &embed->vertices[index];
    tlw_vertex rest;
    tlw_vertex_skinning skinning;
    tlw_vertex_binding binding;
    if (tlw_blob_get_vertices(blob, TLW_ORDER_SOURCE, index, 1, &rest) != TLW_OK ||
        tlw_blob_get_skinning(blob, TLW_ORDER_SOURCE, index, 1, &skinning) != TLW_OK ||
        tlw_blob_get_bindings(blob, TLW_ORDER_SOURCE, index, 1, &binding) != TLW_OK) {
        return false;
    }
    memcpy(&v->position, rest.position, sizeof v->position);
    memcpy(&v->normal, rest.normal, sizeof v->normal);
    memcpy(&v->centre, binding.centre, sizeof v->centre);
    for (int k = 0; k < 8; ++k) {
        if (skinning.weights[k] > 0.0f) {
            v->joints[v->joint_count] = skinning.joints[k];
            v->joint_weights[v->joint_count++] = skinning.weights[k];
        }
        if (binding.weights[k] > 0.0f) {
            v->voxels[v->voxel_count] = binding.voxels[k];
            v->voxel_weights[v->voxel_count++] = binding.weights[k];
            embed->voxels[binding.voxels[k]].is_bound = true;
        }
    }
    return v->joint_count > 0;
}

tlw_reference_embed* tlw_reference_embed_create(const tlw_blob* blob, const void* bytes) {
    tlw_blob_info info;
    tlw_reference_embed* embed = calloc(1, sizeof *embed);
    if (embed == NULL || tlw_blob_get_info(blob, &info) != TLW_OK) {
        free(embed);
        return NULL;
    }
    embed->voxel_count = info.voxel_count;
    embed->vertex_count = info.vertex_count;
    embed->joint_count = info.joint_count;
    embed->voxel_metres = (float)info.voxel_metres;
    embed->origin = (vec3){(float)info.origin[0], (float)info.origin[1], (float)info.origin[2]};
    embed->voxels = calloc(info.voxel_count, sizeof *embed->voxels);
    embed->vertices = calloc(info.vertex_count, sizeof *embed->vertices);
    embed->joints = calloc(info.joint_count, sizeof *embed->joints);
    bool is_filled = embed->voxels && embed->vertices && embed->joints &&
                     fill_voxels(embed, bytes, info.origin, info.voxel_metres);
    for (uint32_t i = 0; i < info.vertex_count && is_filled; ++i) {
        is_filled = fill_vertex(embed, blob, i);
    }
    if (!is_filled) {
        tlw_reference_embed_free(embed);
        return NULL;
    }
    return embed;
}

void tlw_reference_embed_free(tlw_reference_embed* embed) {
    if (embed) {
        free(embed->voxels);
        free(embed->vertices);
        free(embed->joints);
        free(embed);
    }
}
