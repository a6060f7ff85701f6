// SPDX-License-Identifier: MIT
// Oracle, Lame layers (MODEL 3.20): the two solves, of shear and of bulk, each by Chebyshev's
// iteration over Jacobi's. Reads q as volume left it, p_skin and Rb; writes q of Lame voxels.
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define SHEAR_LEAST     2
#define SHEAR_MOST      8
#define BULK_ITERATIONS 4
#define BULK_HI         6.0
#define BULK_LO         (6.0 / 9.0)

bool oracle_is_lame(const oracle* o, uint32_t voxel) {
    return o->settings.lame && !oracle_is_bone(o, voxel) &&
           o->settings.lame[o->input->material[voxel]].young_pa > 0;
}

// mu = E/(2 (1 + nu)), lambda = E nu/((1 + nu)(1 - 2 nu)); c = h^2 mu/(rho s^2),
// C = h^2 (lambda + mu)/(rho s^2)
double oracle_lame_number(const oracle* o, uint32_t voxel, double root_scale, bool bulk) {
    if (!oracle_is_lame(o, voxel)) {
        return 0;
    }
    const oracle_lame* lame = &o->settings.lame[o->input->material[voxel]];
    const double E = lame->young_pa, nu = lame->poisson;
    const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    const double s = o->input->voxel_metres * root_scale, h = o->settings.h;
    return h * h * (bulk ? lambda + mu : mu) / (lame->density * s * s);
}

static double largest_c(const oracle* o, double root_scale) {
    double largest = 0;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        largest = fmax(largest, oracle_lame_number(o, i, root_scale, false));
    }
    return largest;
}

uint32_t oracle_shear_count(const oracle* o, double root_scale) {
    const double count = ceil(1.25 * sqrt(1 + 12 * largest_c(o, root_scale)));
    return (uint32_t)fmax(SHEAR_LEAST, fmin(SHEAR_MOST, count));
}

static uint32_t face_of(const oracle* o, uint32_t voxel, int face) {
    const int axis = face / 2, side = face % 2 ? 1 : -1;
    return o
        ->linked[voxel][oracle_link_of(side * (axis == 0), side * (axis == 1), side * (axis == 2))];
}

// P^-1 (rhs - (1 + c L) d) at a voxel.
static oracle_vec shear_residual(const oracle* o, uint32_t i, double root_scale) {
    const double own = oracle_lame_number(o, i, root_scale, false);
    oracle_vec r = vec_sub(o->lame_target[i], o->lame_d[i]);
    double diagonal = 1;
    for (int face = 0; face < 6; ++face) {
        const uint32_t j = face_of(o, i, face);
        if (j != ORACLE_NO_VOXEL) {
            const double c = oracle_is_lame(o, j)
                                 ? 0.5 * (own + oracle_lame_number(o, j, root_scale, false))
                                 : own;
            r = vec_add_scaled(r, -c, vec_sub(o->lame_d[i], o->lame_d[j]));
            diagonal += c;
        }
    }
    return vec_scale(r, 1 / diagonal);
}

static double* component(oracle_vec* a, int axis) {
    return axis == 0 ? &a->x : axis == 1 ? &a->y : &a->z;
}

// The divergence of d at every Lame voxel.
static void diverge(oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->divergence[i] = 0;
        for (int axis = 0; axis < 3 && oracle_is_lame(o, i); ++axis) {
            uint32_t low, high;
            double coefficient;
            if (oracle_axis_ends(o, i, axis, &low, &high, &coefficient)) {
                o->divergence[i] += coefficient * (*component(&o->lame_d[high], axis) -
                                                   *component(&o->lame_d[low], axis));
            }
        }
    }
}

// Adds what the stencil of voxel i has of voxel j along an axis: D^T C D d, and the diagonal of it.
static void add_stencil(const oracle* o, uint32_t i, uint32_t j, int axis, double C,
                        oracle_vec* product, oracle_vec* diagonal) {
    uint32_t low, high;
    double coefficient;
    if (C == 0 || !oracle_axis_ends(o, i, axis, &low, &high, &coefficient)) {
        return;
    }
    const double entry = (high == j ? coefficient : 0) - (low == j ? coefficient : 0);
    *component(product, axis) += C * entry * o->divergence[i];
    *component(diagonal, axis) += C * entry * entry;
}

// P^-1 (rhs - (1 + D^T C D) d) at a voxel, whose stencils are its own and those of its faces.
static oracle_vec bulk_residual(const oracle* o, uint32_t j, double root_scale) {
    oracle_vec product = {0, 0, 0}, diagonal = {1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t stencils[3] = {j, face_of(o, j, 2 * axis), face_of(o, j, 2 * axis + 1)};
        for (int k = 0; k < 3; ++k) {
            if (stencils[k] != ORACLE_NO_VOXEL) {
                const double C = oracle_lame_number(o, stencils[k], root_scale, true);
                add_stencil(o, stencils[k], j, axis, C, &product, &diagonal);
            }
        }
    }
    const oracle_vec r = vec_sub(vec_sub(o->lame_target[j], o->lame_d[j]), product);
    return vec(r.x / diagonal.x, r.y / diagonal.y, r.z / diagonal.z);
}

// Chebyshev's iteration: d of Lame voxels towards A d = target, from d as it is. hi and lo bound
// the spectrum of P^-1 A.
static void iterate(oracle* o, uint32_t count, double hi, double lo, double root_scale,
                    bool is_bulk) {
    const double theta = (hi + lo) / 2, delta = (hi - lo) / 2;
    double rho = delta / theta;
    for (uint32_t k = 0; k < count; ++k) {
        const double before = rho;
        rho = k == 0 ? rho : 1 / (2 * theta / delta - before);
        if (is_bulk) {
            diverge(o);
        }
        for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
            if (!oracle_is_lame(o, i)) {
                continue;
            }
            const oracle_vec r =
                is_bulk ? bulk_residual(o, i, root_scale) : shear_residual(o, i, root_scale);
            o->lame_step[i] = k == 0 ? vec_scale(r, 1 / theta)
                                     : vec_add_scaled(vec_scale(o->lame_step[i], rho * before),
                                                      2 * rho / delta, r);
        }
        for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
            if (oracle_is_lame(o, i)) {
                o->lame_d[i] = vec_add(o->lame_d[i], o->lame_step[i]);
            }
        }
    }
}

void oracle_solve_lame(oracle* o, const oracle_skin* skin, const oracle_vec* p_skin,
                       oracle_vec* q) {
    const double h = o->settings.h, scale = skin->root_scale;
    const double c = largest_c(o, scale);
    if (c == 0) {
        return;
    }
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec fall = quat_unrotate(skin->Rb[i], oracle_gravity(o, scale, skin->Rb[i]));
        o->lame_d[i] = quat_unrotate(skin->Rb[i], vec_sub(q[i], p_skin[i]));
        o->lame_target[i] = o->lame_d[i];
        if (oracle_is_lame(o, i)) {
            o->lame_d[i] = vec_add_scaled(o->lame_d[i], -h * h, fall);
        }
    }
    const uint32_t m1 = oracle_shear_count(o, scale);
    const double hi = (1 + 12 * c) / (1 + 6 * c);
    const double lo = fmax(1 / (1 + 6 * c), hi / (m1 * m1 / 2.0 + 1));
    iterate(o, o->settings.shear_iterations ? o->settings.shear_iterations : m1, hi, lo, scale,
            false);
    memcpy(o->lame_target, o->lame_d, o->input->voxel_count * sizeof *o->lame_d);
    iterate(o, o->settings.bulk_iterations ? o->settings.bulk_iterations : BULK_ITERATIONS, BULK_HI,
            BULK_LO, scale, true);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (oracle_is_lame(o, i)) {
            q[i] = vec_add(p_skin[i], quat_rotate(skin->Rb[i], o->lame_d[i]));
        }
    }
}
