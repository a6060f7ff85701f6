// SPDX-License-Identifier: MIT
// MODEL 3.2, 3.5 and 3.12 in double, one voxel and one bend after another.
#include "tests/cook/support/bend_volume.h"

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS 4
#define REST   1e-4 // what every length loses at the end

// Motions
// -------------------------------------------------------------------------------------------

static void to_matrix(const double q[4], double m[3][3]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(m, rows, sizeof rows);
}

static void multiply(const double m[3][3], const double x[3], double out[3]) {
    for (int row = 0; row < 3; ++row) {
        out[row] = m[row][0] * x[0] + m[row][1] * x[1] + m[row][2] * x[2];
    }
}

void bend_motion_apply(const bend_motion* motion, const double x[3], double out[3]) {
    double m[3][3];
    to_matrix(motion->rotation, m);
    multiply(m, x, out);
    for (int a = 0; a < 3; ++a) {
        out[a] += motion->shift[a];
    }
}

bend_motion bend_motion_about(const double axis[3], double radians, const double point[3]) {
    const double s = sin(radians / 2);
    bend_motion motion = {{axis[0] * s, axis[1] * s, axis[2] * s, cos(radians / 2)}, {0, 0, 0}};
    double rotated[3];
    bend_motion_apply(&motion, point, rotated);
    for (int a = 0; a < 3; ++a) {
        motion.shift[a] = point[a] - rotated[a];
    }
    return motion;
}

bend_motion bend_motion_after(bend_motion outer, bend_motion inner) {
    const double *p = outer.rotation, *q = inner.rotation;
    bend_motion both = {{p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
                         p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
                         p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
                         p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]},
                        {0, 0, 0}};
    bend_motion_apply(&outer, inner.shift, both.shift);
    return both;
}

// Skinning and field
// -------------------------------------------------------------------------------------------

static void skin_voxel(const oracle_result* result, const bend_motion* motions, uint32_t voxel,
                       bend_state* state) {
    const oracle_voxel* v = &result->voxels[voxel];
    const double centre[3] = {v->cell[0] + 0.5, v->cell[1] + 0.5, v->cell[2] + 0.5};
    const double* reference = motions[v->joints[0]].rotation;
    double blended[4] = {0, 0, 0, 0}, least = 1, length = 0;
    for (int k = 0; k < 4 && v->joints[k] != ORACLE_NONE; ++k) {
        const bend_motion* motion = &motions[v->joints[k]];
        double moved[3], dot = 0;
        bend_motion_apply(motion, centre, moved);
        for (int a = 0; a < 3; ++a) {
            state->skinned[voxel][a] += v->weights[k] * moved[a];
        }
        for (int i = 0; i < 4; ++i) {
            dot += reference[i] * motion->rotation[i];
        }
        for (int i = 0; i < 4; ++i) {
            blended[i] += (dot < 0 ? -v->weights[k] : v->weights[k]) * motion->rotation[i];
        }
        least = fmin(least, fabs(dot));
    }
    for (int i = 0; i < 4; ++i) {
        length += blended[i] * blended[i];
    }
    for (int i = 0; i < 4; ++i) {
        blended[i] /= sqrt(length);
    }
    to_matrix(blended, state->rotation[voxel]);
    state->factor[voxel] = fmin(1, 4 * least);
    multiply(state->rotation[voxel], v->field, state->v[voxel]);
    for (int a = 0; a < 3; ++a) {
        state->v[voxel][a] *= state->factor[voxel];
    }
}

// Volumes
// -------------------------------------------------------------------------------------------

double bend_triple(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// X, Y and Z of the stencil. Where an axis has neither end it is a column of Rb for positions, and
// 0 for what moves them.
static void stencil(const oracle_result* result, const bend_state* state, const double (*values)[3],
                    uint32_t voxel, bool is_motion, double axes[3][3]) {
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t minus = result->voxels[voxel].faces[2 * axis];
        const uint32_t plus = result->voxels[voxel].faces[2 * axis + 1];
        const double* low = values[minus == ORACLE_NONE ? voxel : minus];
        const double* high = values[plus == ORACLE_NONE ? voxel : plus];
        const double factor = minus != ORACLE_NONE && plus != ORACLE_NONE ? 0.5 : 1;
        for (int a = 0; a < 3; ++a) {
            axes[axis][a] = factor * (high[a] - low[a]);
            if (minus == ORACLE_NONE && plus == ORACLE_NONE && !is_motion) {
                axes[axis][a] = state->rotation[voxel][a][axis];
            }
        }
    }
}

double bend_voxel_volume(const oracle_result* result, const bend_state* state,
                         const double (*positions)[3], uint32_t voxel) {
    double axes[3][3];
    stencil(result, state, positions, voxel, false, axes);
    return bend_triple(axes[0], axes[1], axes[2]);
}

// The coefficients of the volume of p_skin + l v.
static void measure_voxel(const oracle_result* result, const bend_state* state, uint32_t voxel,
                          double a[4]) {
    double p[3][3], v[3][3];
    stencil(result, state, (const double(*)[3])state->skinned, voxel, false, p);
    stencil(result, state, (const double(*)[3])state->v, voxel, true, v);
    memset(a, 0, 4 * sizeof *a);
    for (uint32_t choice = 0; choice < 8; ++choice) {
        const bool x = choice & 1, y = choice >> 1 & 1, z = choice >> 2 & 1;
        a[x + y + z] += bend_triple(x ? v[0] : p[0], y ? v[1] : p[1], z ? v[2] : p[2]);
    }
}

// Lengths
// -------------------------------------------------------------------------------------------

typedef struct bend_sums {
    double (*a)[4]; // [bend]
    double* j;      // [bend * bend_count + bend]
} bend_sums;

static void sum_up(const oracle_result* result, const bend_state* state, bend_sums* sums) {
    for (uint32_t voxel = 0; voxel < result->voxel_count; ++voxel) {
        const oracle_voxel* v = &result->voxels[voxel];
        if (v->bends[0] == ORACLE_NONE) {
            continue;
        }
        double a[4];
        measure_voxel(result, state, voxel, a);
        for (int k = 0; k < 2 && v->bends[k] != ORACLE_NONE; ++k) {
            double power = v->shares[k];
            for (int m = 0; m < 4; ++m, power *= v->shares[k]) {
                sums->a[v->bends[k]][m] += power * a[m];
            }
        }
        if (v->bends[1] != ORACLE_NONE) {
            const double both = v->shares[0] * v->shares[1] * a[1];
            sums->j[v->bends[0] * result->bend_count + v->bends[1]] += both;
            sums->j[v->bends[1] * result->bend_count + v->bends[0]] += both;
        }
    }
}

static void solve(const oracle_result* result, const bend_sums* sums, double* length) {
    const uint32_t n = result->bend_count;
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (uint32_t k = 0; k < n; ++k) {
            const oracle_bend* bend = &result->bends[k];
            const double* a = sums->a[k];
            const double l = length[k], damping = bend->slope / 8;
            double r = a[0] - bend->volume + a[1] * l + a[2] * l * l + a[3] * l * l * l;
            for (uint32_t other = 0; other < n; ++other) {
                r += sums->j[k * n + other] * length[other];
            }
            const double g = fmax(a[1] + 2 * a[2] * l + 3 * a[3] * l * l, 0);
            const double next = l - r * g / (g * g + damping * damping);
            length[k] = fmin(fmax(next, -bend->reach), bend->reach);
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        length[k] = length[k] > 0 ? fmax(length[k] - REST, 0) : fmin(length[k] + REST, 0);
    }
}

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count > 0 ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

bend_state bend_evaluate(const oracle_result* result, const bend_motion* motions) {
    const uint32_t n = result->voxel_count, bends = result->bend_count;
    bend_state state = {allocate(n, sizeof *state.skinned), allocate(n, sizeof *state.rotation),
                        allocate(n, sizeof *state.v),       allocate(n, sizeof *state.corrected),
                        allocate(bends, sizeof(double)),    allocate(n, sizeof(double))};
    for (uint32_t v = 0; v < n; ++v) {
        skin_voxel(result, motions, v, &state);
    }
    bend_sums sums = {allocate(bends, sizeof *sums.a),
                      allocate((size_t)bends * bends, sizeof *sums.j)};
    sum_up(result, &state, &sums);
    solve(result, &sums, state.length);
    free(sums.a);
    free(sums.j);
    for (uint32_t voxel = 0; voxel < n; ++voxel) {
        const oracle_voxel* v = &result->voxels[voxel];
        double l = 0;
        for (int k = 0; k < 2 && v->bends[k] != ORACLE_NONE; ++k) {
            l += v->shares[k] * state.length[v->bends[k]];
        }
        for (int a = 0; a < 3; ++a) {
            state.corrected[voxel][a] = state.skinned[voxel][a] + l * state.v[voxel][a];
        }
    }
    return state;
}

void bend_state_free(bend_state* state) {
    free(state->skinned);
    free(state->rotation);
    free(state->v);
    free(state->corrected);
    free(state->length);
    free(state->factor);
}
