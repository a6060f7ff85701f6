// SPDX-License-Identifier: MIT
// Oracle, contact (MODEL 3.15): brings q out of limbs and colliders, shape by shape, then within
// 1.5 d_max of p_skin, and leaves the bound that velocity obeys.
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define VOXEL_RADIUS 0.25
#define MOST_SAMPLES 16
#define CAP          1.5 // of d_max

// u: how far the point of the surface of C(0) nearest to p moves with the shape.
static oracle_vec surface_motion(const oracle_sweep* sweep, oracle_vec p) {
    const oracle_nearness near = oracle_nearness_of(&sweep->from, p);
    const oracle_vec y = vec_add_scaled(p, -near.distance, near.n);
    const oracle_vec own = quat_unrotate(sweep->from.rotation, vec_sub(y, sweep->from.centre));
    return vec_sub(vec_add(sweep->to.centre, quat_rotate(sweep->to.rotation, own)), y);
}

static uint32_t count_samples(const oracle_sweep* sweep, double way) {
    const oracle_shape* shape = &sweep->to;
    if (shape->kind == ORACLE_SHAPE_PLANE) {
        return 1;
    }
    const double r =
        shape->kind == ORACLE_SHAPE_BOX ? shape->rounding : fmin(shape->radii[0], shape->radii[1]);
    return (uint32_t)fmin(MOST_SAMPLES, fmax(1, ceil(way / (0.5 * (r + 0.5)))));
}

typedef struct push {
    double d; // 0: not touched
    oracle_vec n, u;
} push;

// One shape: how far and along what q has to go.
static push find_push(const oracle_sweep* sweep, oracle_vec p, oracle_vec q, bool is_half) {
    push found = {.u = surface_motion(sweep, p)};
    const oracle_vec moved = vec_sub(q, p);
    const double way = vec_length(vec_sub(moved, found.u));
    const uint32_t k = count_samples(sweep, way);
    for (uint32_t sample = 1; sample <= k; ++sample) {
        const double s = (double)sample / k;
        const oracle_shape shape = oracle_shape_between(&sweep->from, &sweep->to, s);
        const oracle_vec x = vec_add_scaled(p, s, moved);
        const oracle_nearness near = oracle_nearness_of(&shape, x);
        const double e = VOXEL_RADIUS - near.distance;
        if (e > 0) {
            const double rest = vec_dot(near.n, vec_sub(x, q)) + (1 - s) * vec_dot(near.n, found.u);
            const double d = fmin(fmax(0, e + rest), way + VOXEL_RADIUS);
            found.d = is_half ? 0.5 * d : d;
            found.n = near.n;
            return found;
        }
    }
    return found;
}

// Friction and push along the same n.
static oracle_vec move_out(oracle_vec q, oracle_vec p, const push* by, double friction) {
    const oracle_vec slid = vec_sub(vec_sub(q, p), by->u);
    const oracle_vec t = vec_add_scaled(slid, -vec_dot(slid, by->n), by->n);
    const double length = vec_length(t);
    if (length > 0) {
        q = vec_add_scaled(q, -fmin(1, friction * by->d / length), t);
    }
    return vec_add_scaled(q, by->d, by->n);
}

static bool may_touch(const oracle* o, const oracle_sweep* sweep, uint32_t voxel) {
    return !sweep->is_limb || (o->input->limb_touches[voxel] >> sweep->index & 1) != 0;
}

static void report(oracle* o, const oracle_sweep* sweep, uint32_t voxel, const push* by,
                   const oracle_skin* skin, oracle_vec q) {
    const uint32_t shape = sweep->index + (sweep->is_limb ? 0 : ORACLE_LIMBS_MAX);
    oracle_deepest* deepest = &o->deepest[shape];
    const double depth = vec_dot(by->n, vec_sub(q, skin->p_skin[voxel]));
    if (deepest->is_touched && depth <= deepest->depth) {
        return;
    }
    const oracle_vec closing = vec_sub(vec_scale(by->u, 1 / o->settings.h), o->v[voxel]);
    *deepest = (oracle_deepest){.is_touched = true,
                                .voxel = voxel,
                                .depth = depth,
                                .n = by->n,
                                .speed = vec_dot(closing, by->n)};
    const double metres = o->input->voxel_metres * skin->root_scale;
    deepest->position[0] = skin->root_position[0] + metres * q.x;
    deepest->position[1] = skin->root_position[1] + metres * q.y;
    deepest->position[2] = skin->root_position[2] + metres * q.z;
}

static oracle_vec touch_voxel(oracle* o, const oracle_skin* skin, uint32_t i, oracle_vec q) {
    const oracle_vec q6 = q, p = o->p[i];
    oracle_vec sum = {0, 0, 0}, u = {0, 0, 0};
    oracle_touch* touch = &o->touches[i];
    for (uint32_t k = 0; k < o->sweep_count; ++k) {
        const oracle_sweep* sweep = &o->sweeps[k];
        if (!may_touch(o, sweep, i)) {
            continue;
        }
        const bool is_half = sweep->is_limb && (o->input->limb_halves[i] >> sweep->index & 1) != 0;
        const push by = find_push(sweep, p, q, is_half);
        if (by.d > 0) {
            q = move_out(q, p, &by, sweep->friction);
            sum = vec_add_scaled(sum, by.d, by.n);
            u = by.u;
            touch->is_touched = true;
            report(o, sweep, i, &by, skin, q);
        }
    }
    if (!touch->is_touched) {
        return q;
    }
    const double cap = CAP * o->gains[i].limit;
    const oracle_vec away = vec_sub(q, skin->p_skin[i]);
    const double off = vec_length(away);
    if (off > cap) {
        q = vec_add_scaled(skin->p_skin[i], cap / off, away);
        touch->is_at_limit = true;
    }
    const double length = vec_length(sum);
    if (length > 0) {
        touch->n = vec_scale(sum, 1 / length);
        touch->most = fmax(vec_dot(u, touch->n), vec_dot(vec_sub(q6, p), touch->n)) / o->settings.h;
    }
    return q;
}

void oracle_contact(oracle* o, const oracle_skin* skin, oracle_vec* q) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->touches[i] = (oracle_touch){.most = HUGE_VAL};
        if (!oracle_is_bone(o, i)) {
            q[i] = touch_voxel(o, skin, i, q[i]);
        }
    }
}

oracle_vec oracle_bound_velocity(const oracle* o, uint32_t voxel, oracle_vec v) {
    const oracle_touch* touch = &o->touches[voxel];
    const double along = vec_dot(v, touch->n);
    return touch->is_touched && along > touch->most
               ? vec_add_scaled(v, touch->most - along, touch->n)
               : v;
}

double oracle_collider_depth(const oracle* o, uint32_t collider, uint32_t voxel) {
    const oracle_collider* c = &o->colliders[collider];
    const oracle_shape shape =
        oracle_place_collider(o, &c->def, &c->before, o->root_at_substep, o->last.root_scale);
    return VOXEL_RADIUS - oracle_nearness_of(&shape, o->p[voxel]).distance;
}

double oracle_limb_depth(const oracle* o, uint32_t limb, uint32_t voxel) {
    return VOXEL_RADIUS - oracle_nearness_of(&o->limb[limb], o->p[voxel]).distance;
}

static bool is_below_cap(const oracle* o, uint32_t voxel) {
    const double off = vec_length(vec_sub(o->p[voxel], o->p_skin_prev[voxel]));
    return off < CAP * o->gains[voxel].limit - 1e-9;
}

static void keep_deeper(double depth, uint32_t i, double* deepest, uint32_t* voxel) {
    if (depth > *deepest) {
        *deepest = depth;
        if (voxel) {
            *voxel = i;
        }
    }
}

double oracle_deepest_inside(const oracle* o, uint32_t* voxel) {
    double deepest = -HUGE_VAL;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (oracle_is_bone(o, i) || !is_below_cap(o, i)) {
            continue;
        }
        for (uint32_t l = 0; l < o->input->limb_count && o->settings.own_limbs; ++l) {
            if ((o->input->limb_touches[i] >> l & 1) != 0) {
                keep_deeper(oracle_limb_depth(o, l, i), i, &deepest, voxel);
            }
        }
        for (uint32_t c = 0; c < ORACLE_COLLIDERS_MAX; ++c) {
            const oracle_collider* collider = &o->colliders[c];
            if (collider->is_there && (collider->def.mask & o->settings.collider_mask) != 0) {
                keep_deeper(oracle_collider_depth(o, c, i), i, &deepest, voxel);
            }
        }
    }
    return deepest;
}
