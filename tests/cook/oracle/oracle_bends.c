// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 9.8 to 9.10 (after Eq. 6 to 12 of Chen et al. 2013): reads weights,
// links, d_skin, layers and depths, writes the bends of skinned volume, the shares of voxels in
// them, the field that moves voxels, and the pairs of bends.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES 2 // of smoothing

// Bends before any is left out: one array per joint, null where the joint is no bend.
typedef struct oracle_bending {
    double** pi;      // [joint][voxel], smoothed
    double* pi_sum;   // [voxel], over all joints, not smoothed
    double (*u)[3];   // [voxel] the field, from the shell's directions to F
    uint32_t* stored; // [joint] its place in the order of bends, or ORACLE_NONE
} oracle_bending;

static bool is_bend(const oracle_result* result, uint32_t joint) {
    return result->is_kept[joint] && result->parent[joint] != ORACLE_NONE;
}

// The mean of a voxel and its linked face neighbours, for all voxels at once. `stride` is that of
// `values`, of which the first of each voxel is smoothed.
static void smooth(const oracle_result* result, double* values, size_t stride) {
    double* before = oracle_allocate(result->voxel_count, sizeof *before);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        before[v] = values[v * stride];
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        double sum = before[v];
        uint32_t count = 1;
        for (int face = 0; face < 6; ++face) {
            const uint32_t other = result->voxels[v].faces[face];
            if (other != ORACLE_NONE) {
                sum += before[other];
                ++count;
            }
        }
        values[v * stride] = sum / count;
    }
    free(before);
}

// RULES 9.8
// -------------------------------------------------------------------------------------------

static void make_pi(const oracle_result* result, oracle_bending* bending) {
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        if (!is_bend(result, j)) {
            continue;
        }
        bending->pi[j] = oracle_allocate(result->voxel_count, sizeof(double));
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            const oracle_voxel* voxel = &result->voxels[v];
            bending->pi[j][v] = oracle_weight(voxel, j) * oracle_weight(voxel, result->parent[j]);
            bending->pi_sum[v] += bending->pi[j][v];
        }
        for (int pass = 0; pass < PASSES; ++pass) {
            smooth(result, bending->pi[j], 1);
        }
    }
}

// Compared in the steps of RULES 5.5; what is 0 here is no bend of the voxel.
static int64_t step_of(double pi) {
    return (int64_t)floor(1e8 * pi + 0.5);
}

// The joint with the largest pi at a voxel other than `taken`, the lower of two, or ORACLE_NONE.
static uint32_t largest_pi(const oracle_result* result, const oracle_bending* bending,
                           uint32_t voxel, uint32_t taken) {
    uint32_t best = ORACLE_NONE;
    int64_t best_step = 0;
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        if (j != taken && bending->pi[j] != NULL && step_of(bending->pi[j][voxel]) > best_step) {
            best = j;
            best_step = step_of(bending->pi[j][voxel]);
        }
    }
    return best;
}

// Shares in 32768ths, which sum to 1. Bends are still called by their joints.
static void make_shares(const oracle_result* result, const oracle_bending* bending) {
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        double pi[2] = {0, 0};
        voxel->bends[0] = largest_pi(result, bending, v, ORACLE_NONE);
        voxel->bends[1] = voxel->bends[0] == ORACLE_NONE
                              ? ORACLE_NONE
                              : largest_pi(result, bending, v, voxel->bends[0]);
        for (int k = 0; k < 2; ++k) {
            pi[k] = voxel->bends[k] == ORACLE_NONE ? 0 : bending->pi[voxel->bends[k]][v];
        }
        if (voxel->bends[0] != ORACLE_NONE) {
            voxel->shares[0] = floor(32768 * pi[0] / (pi[0] + pi[1]) + 0.5) / 32768;
            voxel->shares[1] = 1 - voxel->shares[0];
        }
        if (voxel->shares[1] == 0) {
            voxel->bends[1] = ORACLE_NONE;
        }
    }
}

// RULES 9.9
// -------------------------------------------------------------------------------------------

// Away from the linked neighbours.
static void shell_direction(const oracle_result* result, uint32_t voxel, double u[3]) {
    int32_t sum[3] = {0, 0, 0};
    for (uint32_t bit = 0; bit < 26; ++bit) {
        int32_t offset[3];
        oracle_offset(bit, offset);
        for (int a = 0; a < 3 && oracle_linked(result, voxel, bit) != ORACLE_NONE; ++a) {
            sum[a] -= offset[a];
        }
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int a = 0; a < 3; ++a) {
        u[a] = length > 0 ? sum[a] / length : 0;
    }
}

// The mean of the neighbours by which the shortest paths to the shell lead.
static void inner_direction(const oracle_result* result, const oracle_bending* bending,
                            uint32_t voxel, double u[3]) {
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < 26; ++bit) {
        int32_t offset[3];
        oracle_offset(bit, offset);
        const uint32_t step = (uint32_t)(abs(offset[0]) + abs(offset[1]) + abs(offset[2]));
        const uint32_t other = oracle_linked(result, voxel, bit);
        if (other == ORACLE_NONE ||
            result->voxels[other].d_skin + step != result->voxels[voxel].d_skin) {
            continue;
        }
        for (int a = 0; a < 3; ++a) {
            u[a] += bending->u[other][a];
        }
        ++count;
    }
    for (int a = 0; a < 3; ++a) {
        u[a] /= count;
    }
}

static void make_directions(const oracle_result* result, oracle_bending* bending) {
    bool is_more = true;
    for (uint32_t depth = 0; is_more; ++depth) {
        is_more = false;
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            const uint32_t d = result->voxels[v].d_skin;
            is_more = is_more || d > depth;
            if (d == depth && depth == 0) {
                shell_direction(result, v, bending->u[v]);
            } else if (d == depth) {
                inner_direction(result, bending, v, bending->u[v]);
            }
        }
    }
}

static void clear_bone(const oracle_result* result, oracle_bending* bending) {
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        if (result->voxels[v].layer == 0) {
            memset(bending->u[v], 0, sizeof bending->u[v]);
        }
    }
}

static void make_field(const oracle_result* result, oracle_bending* bending) {
    make_directions(result, bending);
    double* b = oracle_allocate(result->voxel_count, sizeof *b);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        b[v] = fmin(1, 2 * sqrt(bending->pi_sum[v]));
        for (int a = 0; a < 3; ++a) {
            bending->u[v][a] /= 1 + (double)result->voxels[v].d_skin;
        }
    }
    clear_bone(result, bending);
    for (int pass = 0; pass < PASSES; ++pass) {
        for (int a = 0; a < 3; ++a) {
            smooth(result, &bending->u[0][a], 3);
        }
        clear_bone(result, bending);
        smooth(result, b, 1);
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        for (int a = 0; a < 3; ++a) {
            voxel->field[a] =
                voxel->bends[0] == ORACLE_NONE ? 0 : round(16384 * b[v] * bending->u[v][a]) / 16384;
        }
    }
    free(b);
}

// RULES 9.10
// -------------------------------------------------------------------------------------------

// a_1 of MODEL 3.12 at rest. X, Y and Z are the axes themselves there, so what is left of the three
// triple products is how the field grows along each axis. An axis without a linked face is
// constant.
static double rest_slope(const oracle_result* result, uint32_t voxel) {
    const oracle_voxel* v = &result->voxels[voxel];
    double slope = 0;
    for (int a = 0; a < 3; ++a) {
        const uint32_t minus = v->faces[2 * a], plus = v->faces[2 * a + 1];
        const double low = minus == ORACLE_NONE ? v->field[a] : result->voxels[minus].field[a];
        const double high = plus == ORACLE_NONE ? v->field[a] : result->voxels[plus].field[a];
        slope += minus != ORACLE_NONE && plus != ORACLE_NONE ? (high - low) / 2 : high - low;
    }
    return slope;
}

static oracle_bend measure_bend(const oracle_work* work, uint32_t joint) {
    const oracle_result* result = work->result;
    oracle_bend bend = {.joint = joint};
    double deepest = 0;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        const oracle_voxel* voxel = &result->voxels[v];
        for (int k = 0; k < 2; ++k) {
            if (voxel->bends[k] == joint) {
                const double share = voxel->shares[k];
                bend.voxel_count += 1;
                bend.volume += share;
                bend.slope += share * share * rest_slope(result, v);
                deepest = share >= 0.499 ? fmax(deepest, voxel->d_skin) : deepest;
            }
        }
    }
    if (bend.voxel_count > 0) {
        bend.reach = (double)work->recipe->volume_reach * (deepest + 1);
    }
    return bend;
}

// Stores a joint's bend, after those of all joints above it.
static void store_bend(oracle_result* result, oracle_bending* bending, const oracle_bend* measured,
                       const bool* is_left, uint32_t joint) {
    if (joint == ORACLE_NONE || bending->stored[joint] != ORACLE_NONE) {
        return;
    }
    store_bend(result, bending, measured, is_left, result->parent[joint]);
    if (is_left[joint]) {
        bending->stored[joint] = result->bend_count;
        result->bends[result->bend_count++] = measured[joint];
    }
}

// From joints to places in the order; shares of bends that are left out are dropped.
static void rename_bends(const oracle_result* result, const oracle_bending* bending) {
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        const uint32_t joints[2] = {voxel->bends[0], voxel->bends[1]};
        const double shares[2] = {voxel->shares[0], voxel->shares[1]};
        int count = 0;
        voxel->bends[0] = voxel->bends[1] = ORACLE_NONE;
        voxel->shares[0] = voxel->shares[1] = 0;
        for (int k = 0; k < 2; ++k) {
            if (joints[k] != ORACLE_NONE && bending->stored[joints[k]] != ORACLE_NONE) {
                voxel->bends[count] = bending->stored[joints[k]];
                voxel->shares[count++] = shares[k];
            }
        }
        for (int a = 0; count == 0 && a < 3; ++a) {
            voxel->field[a] = 0;
        }
    }
}

static void list_pairs(oracle_result* result) {
    const size_t n = result->bend_count;
    bool* is_pair = oracle_allocate(n * n, sizeof *is_pair);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        const uint32_t a = result->voxels[v].bends[0], b = result->voxels[v].bends[1];
        if (b != ORACLE_NONE) {
            is_pair[(a < b ? a : b) * n + (a < b ? b : a)] = true;
        }
    }
    result->bend_pairs = oracle_allocate(n * n, sizeof *result->bend_pairs);
    for (uint32_t a = 0; a < n; ++a) {
        for (uint32_t b = a + 1; b < n; ++b) {
            if (is_pair[a * n + b]) {
                result->bend_pairs[result->bend_pair_count++] = (oracle_bend_pair){a, b};
            }
        }
    }
    free(is_pair);
}

static void store_bends(const oracle_work* work, oracle_bending* bending) {
    oracle_result* result = work->result;
    const uint32_t n = result->joint_count;
    oracle_bend* measured = oracle_allocate(n, sizeof *measured);
    bool* is_left = oracle_allocate(n, sizeof *is_left);
    for (uint32_t j = 0; j < n; ++j) {
        bending->stored[j] = ORACLE_NONE;
        measured[j] = measure_bend(work, j);
        // What no voxel has is no bend. The comparison has no slack: in voxels, a slack of 1e-9
        // would keep a bend with hardly any volume.
        const bool has_voxels = bending->pi[j] != NULL && measured[j].voxel_count > 0;
        is_left[j] = has_voxels && measured[j].slope >= 0.01 * measured[j].volume;
        result->left_out_bend_count += has_voxels && !is_left[j];
    }
    result->bends = oracle_allocate(n, sizeof *result->bends);
    for (uint32_t j = 0; j < n; ++j) {
        if (is_left[j]) { // no other joint changes the order
            store_bend(result, bending, measured, is_left, j);
        }
    }
    rename_bends(result, bending);
    list_pairs(result);
    free(is_left);
    free(measured);
}

void oracle_make_bends(oracle_work* work) {
    oracle_result* result = work->result;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        result->voxels[v].bends[0] = result->voxels[v].bends[1] = ORACLE_NONE;
    }
    if (work->recipe->volume_reach == 0) {
        return;
    }
    oracle_bending bending = {
        .pi = oracle_allocate(result->joint_count, sizeof *bending.pi),
        .pi_sum = oracle_allocate(result->voxel_count, sizeof *bending.pi_sum),
        .u = oracle_allocate(result->voxel_count, sizeof *bending.u),
        .stored = oracle_allocate(result->joint_count, sizeof *bending.stored),
    };
    make_pi(result, &bending);
    make_shares(result, &bending);
    make_field(result, &bending);
    store_bends(work, &bending);
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        free(bending.pi[j]);
    }
    free(bending.pi);
    free(bending.pi_sum);
    free(bending.u);
    free(bending.stored);
}
