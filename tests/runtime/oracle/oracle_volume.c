// SPDX-License-Identifier: MIT
// Oracle, volume (MODEL 3.5; Iwamoto et al. 2015, Eq. 6 and 10 to 13): stencils, the floor of their
// denominators, and the stage. Reads q and R of this substep; writes q.
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define LEAST_SUM 1e-6 // stencils with a smaller denominator move nothing

// A voxel's volume stencil: V, and dV/dp of each voxel in it.
typedef struct stencil {
    double volume;
    uint32_t count;
    uint32_t voxel[7];
    oracle_vec gradient[7];
} stencil;

static void add_gradient(stencil* s, uint32_t voxel, double coefficient, oracle_vec area) {
    for (uint32_t k = 0; k < s->count; ++k) {
        if (s->voxel[k] == voxel) {
            s->gradient[k] = vec_add_scaled(s->gradient[k], coefficient, area);
            return;
        }
    }
    s->voxel[s->count] = voxel;
    s->gradient[s->count] = vec_scale(area, coefficient);
    s->count += 1;
}

bool oracle_axis_ends(const oracle* o, uint32_t voxel, int axis, uint32_t* low, uint32_t* high,
                      double* coefficient) {
    *high = o->linked[voxel][oracle_link_of(axis == 0, axis == 1, axis == 2)];
    *low = o->linked[voxel][oracle_link_of(-(axis == 0), -(axis == 1), -(axis == 2))];
    if (*high == ORACLE_NO_VOXEL && *low == ORACLE_NO_VOXEL) {
        *coefficient = 0;
        return false;
    }
    *coefficient = *high != ORACLE_NO_VOXEL && *low != ORACLE_NO_VOXEL ? 0.5 : 1;
    *high = *high == ORACLE_NO_VOXEL ? voxel : *high;
    *low = *low == ORACLE_NO_VOXEL ? voxel : *low;
    return true;
}

// V = X . (Y x Z), dV/dX = Y x Z, and cyclically. X = coefficient (q[high] - q[low]): between both
// neighbours with 1/2, or between the only neighbour and the voxel itself with 1. Without a
// neighbour X is R e_x, a constant.
static stencil make_stencil(const oracle* o, const oracle_vec* q, oracle_quat R, uint32_t i) {
    oracle_vec axis[3];
    uint32_t low[3], high[3];
    double coefficient[3];
    for (int a = 0; a < 3; ++a) {
        if (!oracle_axis_ends(o, i, a, &low[a], &high[a], &coefficient[a])) {
            axis[a] = quat_rotate(R, vec(a == 0, a == 1, a == 2));
            continue;
        }
        axis[a] = vec_scale(vec_sub(q[high[a]], q[low[a]]), coefficient[a]);
    }
    stencil s = {.volume = vec_dot(axis[0], vec_cross(axis[1], axis[2]))};
    for (int a = 0; a < 3; ++a) {
        if (coefficient[a] != 0) {
            const oracle_vec area = vec_cross(axis[(a + 1) % 3], axis[(a + 2) % 3]);
            add_gradient(&s, high[a], coefficient[a], area);
            add_gradient(&s, low[a], -coefficient[a], area);
        }
    }
    return s;
}

// sum_k w_k |grad_k|^2
static double weigh(const oracle* o, const stencil* s) {
    double sum = 0;
    for (uint32_t k = 0; k < s->count; ++k) {
        sum += o->input->volume_weight[s->voxel[k]] * vec_dot(s->gradient[k], s->gradient[k]);
    }
    return sum;
}

double oracle_stencil_volume(const oracle* o, const oracle_vec* q, uint32_t voxel) {
    return make_stencil(o, q, o->R[voxel], voxel).volume;
}

void oracle_measure_rest_volume(oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const stencil s = make_stencil(o, o->rest, QUAT_IDENTITY, i);
        o->volume_floor[i] = 2.0 / 3.0 * weigh(o, &s);
    }
}

// q_j += 0.5 G(2) sum over stencils of -w_j C grad_j / D,  D = max(sum_k w_k |grad_k|^2, floor)
void oracle_keep_volume(oracle* o, oracle_vec* q) {
    memset(o->work_delta, 0, o->input->voxel_count * sizeof *o->work_delta);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const stencil s = make_stencil(o, q, o->R[i], i);
        o->volume[i] = s.volume;
        const double C = fmax(-1, fmin(1, s.volume - 1));
        const double D = fmax(weigh(o, &s), o->volume_floor[i]);
        if (D < LEAST_SUM || oracle_is_lame(o, i)) { // MODEL 3.20
            continue;
        }
        for (uint32_t k = 0; k < s.count; ++k) {
            const uint32_t j = s.voxel[k];
            const double w = oracle_is_lame(o, j) ? 0 : o->input->volume_weight[j];
            o->work_delta[j] = vec_add_scaled(o->work_delta[j], -w * C / D, s.gradient[k]);
        }
    }
    oracle_settings once = o->settings; // volume runs once per substep, whatever the repeats
    once.repeats = 1;
    oracle_apply(o, q, 0.5 * oracle_gain(&once, 2));
}
