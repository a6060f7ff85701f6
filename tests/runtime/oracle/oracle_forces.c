// SPDX-License-Identifier: MIT
// Oracle, forces (MODEL 3.17): gravity, drags and wind, which predict adds to q; pushes, which
// change v once; and the voxel that a ray meets.
#include "tests/runtime/oracle/oracle_private.h"

#include <stdlib.h>

#define RAY_REACH 1.0 // voxels: how far from a ray a voxel may be

static const double two_pi = 6.283185307179586476925;

// w = (1 - (l/r)^2)^2, 0 beyond r
static double falloff(double l, double r) {
    const double share = 1 - l * l / (r * r);
    return l < r ? share * share : 0;
}

void oracle_ways_from(const oracle* o, uint32_t voxel, double* ways) {
    const uint32_t n = o->input->voxel_count;
    for (uint32_t i = 0; i < n; ++i) {
        ways[i] = i == voxel ? 0 : HUGE_VAL;
    }
    for (bool is_changed = true; is_changed;) { // until no way becomes shorter
        is_changed = false;
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t k = 0; k < 26; ++k) {
                const uint32_t j = o->linked[i][k];
                if (j == ORACLE_NO_VOXEL) {
                    continue;
                }
                const double step = vec_length(vec_sub(o->rest[i], o->rest[j]));
                if (ways[j] + step < ways[i]) {
                    ways[i] = ways[j] + step;
                    is_changed = true;
                }
            }
        }
    }
}

void oracle_set_drag(oracle* o, uint32_t drag, uint32_t voxel, const double target[3],
                     double radius, double hz) {
    oracle_drag* d = &o->drags[drag];
    d->is_on = true;
    d->voxel = voxel;
    d->hz = hz;
    for (int k = 0; k < 3; ++k) {
        d->target[k] = target[k];
    }
    const double metres = o->input->voxel_metres * o->now.root_scale;
    oracle_ways_from(o, voxel, d->weight);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        d->weight[i] = falloff(d->weight[i], radius / metres);
    }
    o->quiet_substeps = 0;
}

void oracle_end_drag(oracle* o, uint32_t drag) {
    o->drags[drag].is_on = false;
    o->quiet_substeps = 0;
}

// What a drag pulls by where its weight is 1. p and v are those that predict uses.
static oracle_vec pull_of(const oracle* o, const oracle_skin* skin, const oracle_drag* drag) {
    const double h = o->settings.h, angle = two_pi * drag->hz * h;
    const double voxel = o->input->voxel_metres * skin->root_scale;
    const oracle_vec target =
        vec_scale(vec_sub(vec_of(drag->target), vec_of(skin->root_position)), 1 / voxel);
    const oracle_vec ahead = vec_add_scaled(o->p[drag->voxel], h, o->v[drag->voxel]);
    return vec_scale(vec_sub(target, ahead), 1 - exp(-angle * angle));
}

// h min(1, h c max(0, -A.w')) w', in voxels
static oracle_vec wind_of(const oracle* o, const oracle_skin* skin, uint32_t voxel) {
    const double h = o->settings.h, metres = o->input->voxel_metres * skin->root_scale;
    const oracle_vec w = vec_add_scaled(vec_of(o->settings.wind), -metres, o->v[voxel]); // w', m/s
    const oracle_vec A = quat_rotate(skin->Rb[voxel], o->open_faces[voxel]);
    const double share = fmin(1, h * o->settings.wind_drag * fmax(0, -vec_dot(A, w)));
    return vec_scale(w, h * share / metres);
}

oracle_vec oracle_gravity(const oracle* o, double root_scale, oracle_quat Rb) {
    const oracle_vec g0 = quat_rotate(Rb, vec_of(o->input->rest_gravity));
    const double metres = o->input->voxel_metres * root_scale;
    return vec_scale(vec_sub(vec_of(o->settings.gravity), g0), 1 / metres);
}

void oracle_apply_forces(oracle* o, const oracle_skin* skin, oracle_vec* q) {
    const double h = o->settings.h;
    oracle_vec pulls[ORACLE_DRAGS_MAX];
    for (int k = 0; k < ORACLE_DRAGS_MAX; ++k) {
        pulls[k] = o->drags[k].is_on ? pull_of(o, skin, &o->drags[k]) : vec(0, 0, 0);
    }
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (oracle_is_bone(o, i)) {
            continue;
        }
        q[i] = vec_add_scaled(q[i], h * h, oracle_gravity(o, skin->root_scale, skin->Rb[i]));
        for (int k = 0; k < ORACLE_DRAGS_MAX; ++k) {
            if (o->drags[k].is_on) {
                q[i] = vec_add_scaled(q[i], o->drags[k].weight[i], pulls[k]);
            }
        }
        q[i] = vec_add(q[i], wind_of(o, skin, i));
    }
}

// A point of the world relative to the root of the last substep, in voxels.
static oracle_vec in_state(const oracle* o, const double point[3], double metres) {
    return vec_scale(vec_sub(vec_of(point), vec_of(o->root_at_substep)), 1 / metres);
}

void oracle_push(oracle* o, const double centre[3], double radius, oracle_vec velocity,
                 double outward) {
    const double metres = o->input->voxel_metres * o->last.root_scale;
    const oracle_vec at = in_state(o, centre, metres);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec away = vec_sub(o->p[i], at);
        const double distance = vec_length(away);
        const double w = falloff(distance, radius / metres);
        if (oracle_is_bone(o, i) || w == 0) {
            continue;
        }
        oracle_vec added = velocity;
        if (distance > 0) {
            added = vec_add_scaled(added, outward / distance, away);
        }
        o->v[i] = vec_add_scaled(o->v[i], w / (metres * o->share[i]), added);
    }
    o->quiet_substeps = 0;
}

uint32_t oracle_pick(const oracle* o, const double origin[3], oracle_vec direction,
                     double* distance) {
    const double metres = o->input->voxel_metres * o->last.root_scale;
    const oracle_vec from = in_state(o, origin, metres);
    const oracle_vec along = vec_scale(direction, 1 / vec_length(direction));
    uint32_t first = ORACLE_NO_VOXEL;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec to = vec_sub(o->p[i], from);
        const double way = vec_dot(to, along);
        const double off = vec_length(vec_add_scaled(to, -way, along));
        if (!oracle_is_bone(o, i) && way >= 0 && off <= RAY_REACH && way < least) {
            least = way;
            first = i;
        }
    }
    if (distance) {
        *distance = metres * least;
    }
    return first;
}
