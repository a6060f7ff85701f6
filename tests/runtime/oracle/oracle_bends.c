// SPDX-License-Identifier: MIT
// Oracle, skinned volume (MODEL 3.12; Chen et al. 2013, Eq. 6 to 12). Reads p_skin, Rb and the
// joints of a pose; adds to p_skin what its bends have lost.
#include "tests/runtime/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>

#define SWEEPS       4
#define TOWARDS_ZERO 1e-4 // taken off every |l| at the end
#define FULL_FIELD   4.0  // f = min(1, 4 min |r_0 . r_j|)

static double* allocate(size_t count) {
    double* memory = calloc(count ? count : 1, sizeof *memory);
    if (!memory) {
        (void)fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static double share_of(const oracle* o, uint32_t voxel, uint32_t bend) {
    double share = 0;
    for (int k = 0; k < ORACLE_BEND_SHARES; ++k) {
        const double C = o->input->bend_share[voxel][k];
        share += C != 0 && o->input->bend[voxel][k] == bend ? C : 0;
    }
    return share;
}

// How far the field counts where the joints of a voxel are turned far apart.
static double fade_of(const oracle* o, const oracle_kept_pose* pose, uint32_t voxel) {
    const double* weight = o->input->weight[voxel];
    const uint32_t* joint = o->input->joint[voxel];
    const oracle_quat first =
        oracle_joint_rotation(o, pose, joint[oracle_largest_weight(weight, 4)]);
    double least = 1;
    for (int k = 0; k < 4; ++k) {
        if (weight[k] > 0) {
            const oracle_quat other = oracle_joint_rotation(o, pose, joint[k]);
            least = fmin(least, fabs(quat_dot(first, other)));
        }
    }
    return fmin(1, FULL_FIELD * least);
}

// Field: v = f Rb F
static void make_field(const oracle* o, const oracle_kept_pose* pose, const oracle_quat* Rb,
                       oracle_vec* v) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec F = vec_of(o->input->field[i]);
        v[i] = vec_scale(quat_rotate(Rb[i], F), fade_of(o, pose, i));
    }
}

static double triple(oracle_vec x, oracle_vec y, oracle_vec z) {
    return vec_dot(x, vec_cross(y, z));
}

// Measure: the numbers a of V(p + l v) = a[0] + a[1] l + a[2] l^2 + a[3] l^3 of a voxel. v null:
// nothing moves, and a[0] is its volume.
static void measure(const oracle* o, const oracle_vec* p, const oracle_quat* Rb,
                    const oracle_vec* v, uint32_t voxel, double a[4]) {
    oracle_vec at[3], by[3]; // X, Y, Z and X', Y', Z'
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t low, high;
        double coefficient;
        at[axis] = quat_rotate(Rb[voxel], vec(axis == 0, axis == 1, axis == 2));
        by[axis] = vec(0, 0, 0);
        if (oracle_axis_ends(o, voxel, axis, &low, &high, &coefficient)) {
            at[axis] = vec_scale(vec_sub(p[high], p[low]), coefficient);
            by[axis] = v ? vec_scale(vec_sub(v[high], v[low]), coefficient) : by[axis];
        }
    }
    a[0] = triple(at[0], at[1], at[2]);
    a[1] = triple(by[0], at[1], at[2]) + triple(at[0], by[1], at[2]) + triple(at[0], at[1], by[2]);
    a[2] = triple(at[0], by[1], by[2]) + triple(by[0], at[1], by[2]) + triple(by[0], by[1], at[2]);
    a[3] = triple(by[0], by[1], by[2]);
}

// A_m = sum C^(m+1) a_m of every bend, and J = sum C_k C_l a_1 of every two, 0 on the diagonal.
static void sum_bends(const oracle* o, const oracle_vec* p, const oracle_quat* Rb,
                      const oracle_vec* v, double* A, double* J) {
    const uint32_t count = o->input->bend_count;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        double a[4] = {0};
        if (o->input->bend_share[i][0] != 0 || o->input->bend_share[i][1] != 0) {
            measure(o, p, Rb, v, i, a);
        }
        for (uint32_t k = 0; k < count; ++k) {
            const double C = share_of(o, i, k);
            double power = C;
            for (int m = 0; m < 4; ++m, power *= C) {
                A[4 * k + (uint32_t)m] += power * a[m];
            }
            for (uint32_t other = 0; other < count && C != 0; ++other) {
                J[k * count + other] += other == k ? 0 : C * share_of(o, i, other) * a[1];
            }
        }
    }
}

// Solve: one damped step per bend and sweep, from l = 0.
static void solve(const oracle* o, const double* A, const double* J, double* l) {
    const uint32_t count = o->input->bend_count;
    for (uint32_t k = 0; k < count; ++k) {
        l[k] = 0;
    }
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (uint32_t k = 0; k < count; ++k) {
            const oracle_bend_rest* bend = &o->input->bends[k];
            const double *a = &A[4 * k], x = l[k];
            double r = a[0] - bend->rest_volume + a[1] * x + a[2] * x * x + a[3] * x * x * x;
            for (uint32_t other = 0; other < count; ++other) {
                r += J[k * count + other] * l[other];
            }
            const double g = fmax(a[1] + 2 * a[2] * x + 3 * a[3] * x * x, 0);
            const double damping = bend->rest_slope / 8;
            const double moved = x - r * g / (g * g + damping * damping);
            l[k] = fmin(fmax(moved, -bend->reach), bend->reach);
        }
    }
    for (uint32_t k = 0; k < count; ++k) {
        const double size = fmax(fabs(l[k]) - TOWARDS_ZERO, 0);
        l[k] = l[k] < 0 ? -size : size;
    }
}

void oracle_correct_skin(oracle* o, const oracle_kept_pose* pose, oracle_vec* p_skin,
                         const oracle_quat* Rb) {
    const uint32_t count = o->input->bend_count;
    if (count == 0 || !o->settings.skinned_volume) {
        return;
    }
    double *A = allocate(4 * (size_t)count), *J = allocate((size_t)count * count);
    make_field(o, pose, Rb, o->work_field);
    sum_bends(o, p_skin, Rb, o->work_field, A, J);
    solve(o, A, J, o->bend_length);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        double sum = 0; // of C l
        for (int k = 0; k < ORACLE_BEND_SHARES; ++k) {
            const double C = o->input->bend_share[i][k];
            sum += C != 0 ? C * o->bend_length[o->input->bend[i][k]] : 0;
        }
        p_skin[i] = vec_add_scaled(p_skin[i], sum, o->work_field[i]);
    }
    free(A);
    free(J);
}

void oracle_bend_errors(const oracle* o, const oracle_vec* p_skin, const oracle_quat* Rb,
                        double* errors) {
    for (uint32_t k = 0; k < o->input->bend_count; ++k) {
        double sum = 0;
        for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
            const double C = share_of(o, i, k);
            double a[4] = {0};
            if (C != 0) {
                measure(o, p_skin, Rb, NULL, i, a);
            }
            sum += C * a[0];
        }
        errors[k] = sum / o->input->bends[k].rest_volume - 1;
    }
}
