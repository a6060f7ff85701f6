// SPDX-License-Identifier: MIT
// The scalar reference that the bench divides by: the substep of MODEL 3, a second time and on
// purpose, as a good programmer writes it without wide registers. Reads a blob and poses; keeps one
// struct per voxel. Passes that look at one voxel alone share a loop, bones skip what cannot move
// them, and missing neighbours are not in the lists. It keeps nothing for the output (d and Q of
// the last two substeps), which the runtime does in the same time.
#include "tools/bench/reference_voxel.h"

#include <math.h>

#define R2 1.41421356f
#define R3 1.73205081f
static const float lengths[TLW_STEPS] = {R3, R2, R3, R2, 1,  R2, R3, R2, R3, R2, 1,  R2, 1,
                                         1,  R2, 1,  R2, R3, R2, R3, R2, 1,  R2, R3, R2, R3};

TLW_INLINE vec3 within(vec3 a, float radius) {
    const float length2 = dot(a, a);
    return length2 > radius * radius ? scale(a, radius / sqrtf(length2)) : a;
}

TLW_INLINE quat normalise(quat a) {
    const float by = 1.0f / sqrtf(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
    return (quat){a.x * by, a.y * by, a.z * by, a.w * by};
}

TLW_INLINE mat3 transposed_times(const mat3* a, const mat3* b) {
    mat3 out;
    for (int i = 0; i < 3; ++i) {
        out.c[i] = (vec3){dot(a->c[0], b->c[i]), dot(a->c[1], b->c[i]), dot(a->c[2], b->c[i])};
    }
    return out;
}

// ---- Passes

// MODEL 3.2: linear blend skinning, and the blended rotation. MODEL 3.12: the field in this pose.
TLW_INLINE void skin(voxel* v, const tlw_reference_joint* joints) {
    vec3 at = {0, 0, 0};
    const float* first = joints[v->joints[0]].rotation;
    quat sum = {0, 0, 0, 0};
    float least = 1.0f; // cosine of half the angle between its joints
    for (uint32_t k = 0; k < v->joint_count; ++k) {
        const tlw_reference_joint* j = &joints[v->joints[k]];
        const float w = v->weights[k], *r = j->rotation;
        const vec3 x = v->rest;
        at.x += w * (j->row[0][0] * x.x + j->row[0][1] * x.y + j->row[0][2] * x.z + j->row[0][3]);
        at.y += w * (j->row[1][0] * x.x + j->row[1][1] * x.y + j->row[1][2] * x.z + j->row[1][3]);
        at.z += w * (j->row[2][0] * x.x + j->row[2][1] * x.y + j->row[2][2] * x.z + j->row[2][3]);
        const float same = r[0] * first[0] + r[1] * first[1] + r[2] * first[2] + r[3] * first[3];
        const float s = same < 0.0f ? -w : w;
        least = fabsf(same) < least ? fabsf(same) : least;
        sum = (quat){sum.x + s * r[0], sum.y + s * r[1], sum.z + s * r[2], sum.w + s * r[3]};
    }
    v->skin = at;
    v->rb = normalise(sum);
    if (dot(v->field, v->field) > 0.0f) {
        const mat3 r = matrix_of(v->rb);
        const vec3 f = scale(v->field, least < 0.25f ? 4.0f * least : 1.0f);
        v->outwards = add_scaled(add_scaled(scale(r.c[0], f.x), r.c[1], f.y), r.c[2], f.z);
    }
}

// MODEL 3.3
TLW_INLINE void predict(voxel* v, float h, bool is_start) {
    if (v->is_bone) {
        v->p = v->q = v->skin;
        return;
    }
    v->p = add(v->skin_last, within(sub(v->p, v->skin_last), v->limit));
    if (is_start) {
        v->v = add_scaled(v->v, sub(v->skin, v->skin_last), 1.0f / h);
    }
    v->q = add_scaled(v->p, v->v, h);
}

// MODEL 3.4: q to q2
TLW_INLINE void stretch(const voxel* all, voxel* v, float gain) {
    if (v->is_bone || v->neighbour_count == 0) {
        v->q2 = v->q;
        return;
    }
    const vec3 q = v->q;
    vec3 sum = {0, 0, 0};
    for (uint32_t k = 0; k < v->neighbour_count; ++k) {
        const voxel* other = &all[v->neighbours[k]];
        const vec3 d = sub(q, other->q);
        const float l = sqrtf(dot(d, d));
        if (l >= 1e-6f) {
            sum = add_scaled(sum, d, other->pull * (l - lengths[v->steps[k]]) / l);
        }
    }
    v->q2 = add_scaled(q, sum, -gain / (float)v->neighbour_count);
}

// Q 5% back (MODEL 3.6).
TLW_INLINE quat start_rotation(quat a) {
    const float share = a.w < 0.0f ? -0.95f : 0.95f;
    return normalise((quat){share * a.x, share * a.y, share * a.z, share * a.w + 0.05f});
}

// exp(w) with |w| <= 1; the square is kept away from denormal numbers.
TLW_INLINE quat exponential(vec3 w) {
    w = within(w, 1.0f);
    const float length2 = dot(w, w), t = length2 > 1e-12f ? length2 : 1e-12f;
    const float sine = 0.5f + t * (-1.0f / 48.0f + t * (1.0f / 3840.0f + t * (-1.0f / 645120.0f)));
    const float cosine =
        1.0f +
        t * (-0.125f + t * (1.0f / 384.0f + t * (-1.0f / 46080.0f + t * (1.0f / 10321920.0f))));
    return (quat){w.x * sine, w.y * sine, w.z * sine, cosine};
}

// One Newton step from B = R^T A: the correction of R in its own frame.
TLW_INLINE quat newton(const mat3* b) {
    const vec3 g = {b->c[1].z - b->c[2].y, b->c[2].x - b->c[0].z, b->c[0].y - b->c[1].x};
    const float n01 = 0.5f * (b->c[1].x + b->c[0].y), n02 = 0.5f * (b->c[2].x + b->c[0].z),
                n12 = 0.5f * (b->c[2].y + b->c[1].z);
    const float k00 = b->c[1].y + b->c[2].z, k11 = b->c[0].x + b->c[2].z,
                k22 = b->c[0].x + b->c[1].y, trace = k22 + b->c[2].z;
    const float c00 = k11 * k22 - n12 * n12, c11 = k00 * k22 - n02 * n02,
                c22 = k00 * k11 - n01 * n01, c01 = n02 * n12 + n01 * k22,
                c02 = n01 * n12 + n02 * k11, c12 = n01 * n02 + k00 * n12;
    const float determinant = k00 * c00 - n01 * c01 - n02 * c02;
    if (k00 > 0.0f && c22 > 0.0f && determinant > 0.0f &&
        determinant > 1e-4f * trace * trace * trace) {
        const float by = 1.0f / determinant;
        return exponential((vec3){by * (c00 * g.x + c01 * g.y + c02 * g.z),
                                  by * (c01 * g.x + c11 * g.y + c12 * g.z),
                                  by * (c02 * g.x + c12 * g.y + c22 * g.z)});
    }
    return exponential(scale(g, 1.0f / (fabsf(trace) + 1e-6f)));
}

// MODEL 3.6: the rotation of a voxel and its linked neighbours.
TLW_INLINE void region(const voxel* all, voxel* v, uint32_t iterations) {
    vec3 sum = scale(v->q2, v->mass);
    mat3 a = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (uint32_t k = 0; k < v->neighbour_count; ++k) {
        const voxel* other = &all[v->neighbours[k]];
        const vec3 mq = scale(other->q2, other->mass), o = offsets[v->steps[k]];
        sum = add(sum, mq);
        a.c[0] = add_scaled(a.c[0], mq, o.x);
        a.c[1] = add_scaled(a.c[1], mq, o.y);
        a.c[2] = add_scaled(a.c[2], mq, o.z);
    }
    a.c[0] = add_scaled(a.c[0], sum, -v->c0.x);
    a.c[1] = add_scaled(a.c[1], sum, -v->c0.y);
    a.c[2] = add_scaled(a.c[2], sum, -v->c0.z);
    quat relative = start_rotation(v->relative);
    mat3 r = matrix_of(multiply(v->rb, relative));
    for (uint32_t k = 0; k < iterations; ++k) {
        const mat3 b = transposed_times(&r, &a);
        relative = multiply(relative, newton(&b));
        r = matrix_of(multiply(v->rb, relative));
    }
    v->relative = relative;
    v->r = r;
    vec3 t = scale(sum, v->inverse_mass);
    t = add_scaled(t, r.c[0], -v->c0.x);
    t = add_scaled(t, r.c[1], -v->c0.y);
    v->t = add_scaled(t, r.c[2], -v->c0.z);
}

// MODEL 3.7: the mean goal of a voxel over the regions that hold it.
TLW_INLINE void goal(const voxel* all, voxel* v) {
    if (v->is_bone) {
        return;
    }
    vec3 sum = v->t;
    for (uint32_t k = 0; k < v->neighbour_count; ++k) {
        const voxel* other = &all[v->neighbours[k]];
        const vec3 o = offsets[v->steps[k]]; // the voxel's offset in that region is -o
        sum = add(sum, other->t);
        sum = add_scaled(sum, other->r.c[0], -o.x);
        sum = add_scaled(sum, other->r.c[1], -o.y);
        sum = add_scaled(sum, other->r.c[2], -o.z);
    }
    const vec3 g = scale(sum, 1.0f / (float)(v->neighbour_count + 1));
    v->q = add_scaled(v->q2, sub(g, v->q2), v->goal);
}

// MODEL 3.8
TLW_INLINE void anchor(voxel* v) {
    if (!v->is_bone) {
        v->q = add_scaled(v->q, sub(v->skin, v->q), v->anchor);
    }
}

// MODEL 3.5, first half: how a voxel's volume pushes its six faces and itself.
TLW_INLINE void volume_gradients(const voxel* all, voxel* v) {
    vec3 axis[3], gradient[3], own = {0, 0, 0};
    float coefficient[3], sum = 0.0f;
    for (int a = 0; a < 3; ++a) {
        const uint32_t low = v->faces[2 * a], high = v->faces[2 * a + 1];
        if (low == NONE && high == NONE) {
            axis[a] = v->r.c[a];
            coefficient[a] = 0.0f;
            continue;
        }
        coefficient[a] = low != NONE && high != NONE ? 0.5f : 1.0f;
        axis[a] = scale(sub(high != NONE ? all[high].q : v->q, low != NONE ? all[low].q : v->q),
                        coefficient[a]);
    }
    for (int a = 0; a < 3; ++a) {
        gradient[a] = scale(cross(axis[(a + 1) % 3], axis[(a + 2) % 3]), coefficient[a]);
        const uint32_t low = v->faces[2 * a], high = v->faces[2 * a + 1];
        const float weight = (low != NONE ? all[low].volume_weight : 0.0f) +
                             (high != NONE ? all[high].volume_weight : 0.0f);
        sum += weight * dot(gradient[a], gradient[a]);
        if (low == NONE) { // the voxel itself is that end
            own = sub(own, gradient[a]);
        }
        if (high == NONE) {
            own = add(own, gradient[a]);
        }
    }
    sum += v->volume_weight * dot(own, own);
    sum = sum > v->volume_floor ? sum : v->volume_floor;
    float error = dot(axis[0], cross(axis[1], axis[2])) - 1.0f;
    error = error < -1.0f ? -1.0f : error > 1.0f ? 1.0f : error;
    const float lambda = sum >= 1e-6f ? -error / sum : 0.0f;
    for (int a = 0; a < 3; ++a) {
        v->push[a] = scale(gradient[a], lambda);
    }
    v->own = scale(own, lambda);
}

// MODEL 3.5, second half
TLW_INLINE void volume(const voxel* all, voxel* v, float gain) {
    if (v->is_bone) {
        return;
    }
    vec3 sum = v->own;
    for (int a = 0; a < 3; ++a) {
        const uint32_t low = v->faces[2 * a], high = v->faces[2 * a + 1];
        if (low != NONE) {
            sum = add(sum, all[low].push[a]);
        }
        if (high != NONE) {
            sum = sub(sum, all[high].push[a]);
        }
    }
    v->q = add_scaled(v->q, sum, gain * v->volume_weight);
}

// MODEL 3.8
TLW_INLINE void limit(voxel* v) {
    if (!v->is_bone) {
        v->q = add(v->skin, within(sub(v->q, v->skin), v->limit));
    }
}

TLW_INLINE void settle(float* off, float* relative) {
    if (fabsf(*off) < 2e-5f && fabsf(*relative) < 2e-3f) {
        *off = *relative = 0.0f;
    }
}

// MODEL 3.9
TLW_INLINE void velocity(voxel* v, float inverse_h) {
    const vec3 v_skin = scale(sub(v->skin, v->skin_last), inverse_h);
    vec3 relative = scale(sub(scale(sub(v->q, v->p), inverse_h), v_skin), v->damping);
    vec3 off = sub(v->q, v->skin);
    settle(&off.x, &relative.x);
    settle(&off.y, &relative.y);
    settle(&off.z, &relative.z);
    v->v = add(v_skin, relative);
    v->p = add(v->skin, off);
    v->skin_last = v->skin;
}

void tlw_reference_step(tlw_reference* reference, const tlw_reference_joint* joints) {
    voxel* all = reference->voxels;
    const uint32_t count = reference->count;
    const float h = reference->h;
    for (uint32_t i = 0; i < count; ++i) {
        skin(&all[i], joints);
    }
    tlw_reference_correct(reference);
    for (uint32_t i = 0; i < count; ++i) {
        predict(&all[i], h, reference->is_start);
    }
    for (uint32_t i = 0; i < count; ++i) {
        stretch(all, &all[i], reference->stretch_gain);
    }
    for (uint32_t i = 0; i < count; ++i) {
        region(all, &all[i], reference->iterations);
    }
    for (uint32_t i = 0; i < count; ++i) {
        goal(all, &all[i]);
        anchor(&all[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        volume_gradients(all, &all[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        volume(all, &all[i], reference->volume_gain);
        limit(&all[i]);
        velocity(&all[i], 1.0f / h);
    }
    reference->is_start = false;
}

void tlw_reference_reset(tlw_reference* reference, const tlw_reference_joint* joints) {
    for (uint32_t i = 0; i < reference->count; ++i) {
        skin(&reference->voxels[i], joints);
    }
    tlw_reference_correct(reference);
    for (uint32_t i = 0; i < reference->count; ++i) {
        voxel* v = &reference->voxels[i];
        v->p = v->q = v->q2 = v->skin_last = v->skin;
        v->v = (vec3){0, 0, 0};
        v->relative = (quat){0, 0, 0, 1};
    }
    reference->is_start = true;
}

void tlw_reference_position(const tlw_reference* reference, uint32_t index, float out[3]) {
    const vec3 p = reference->voxels[index].p;
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}

void tlw_reference_correction(const tlw_reference* reference, uint32_t index, float out[3]) {
    const vec3 by = reference->voxels[index].outwards;
    out[0] = by.x;
    out[1] = by.y;
    out[2] = by.z;
}

size_t tlw_reference_voxel_bytes(void) {
    return sizeof(voxel);
}
