// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 5.9 and 5.10 (after Eq. 3 to 5 of Chen et al. 2013): reads touched
// voxels, links and the recipe's heat, gives a field per joint over all voxels.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS_MAX 2000
#define CHANGE     1e-8

const tlw_cook_heat* oracle_heat_of(const oracle_work* work, uint32_t joint) {
    for (uint32_t k = 0; k < work->recipe->heat_count; ++k) {
        if (strcmp(work->recipe->heat[k].joint, work->input->joints[joint].name) == 0) {
            return &work->recipe->heat[k];
        }
    }
    return NULL;
}

// The linked neighbours of a voxel in the order of the 26 steps, with t of each.
typedef struct oracle_spread {
    uint32_t count;
    uint32_t voxels[26];
    double t[26];
    double sum; // of t
} oracle_spread;

static oracle_spread* find_spreads(const oracle_result* result) {
    oracle_spread* spreads = oracle_allocate(result->voxel_count, sizeof *spreads);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_spread* spread = &spreads[v];
        for (uint32_t bit = 0; bit < 26; ++bit) {
            const uint32_t other = oracle_linked(result, v, bit);
            if (other == ORACLE_NONE) {
                continue;
            }
            int32_t offset[3];
            oracle_offset(bit, offset);
            const double step = sqrt(abs(offset[0]) + abs(offset[1]) + abs(offset[2]));
            spread->voxels[spread->count] = other;
            spread->t[spread->count] = 1 / (step + 1);
            spread->sum += spread->t[spread->count++];
        }
    }
    return spreads;
}

// The mean of a joint's values around a voxel, weighted by t.
static double mean_around(const oracle_spread* spread, const double* rows, size_t n, size_t joint) {
    double sum = 0;
    for (uint32_t k = 0; k < spread->count; ++k) {
        sum += spread->t[k] * rows[spread->voxels[k] * n + joint];
    }
    return sum / spread->sum;
}

// Per voxel, the path length to the nearest touched voxel of any joint, or ORACLE_FAR; in rows of
// p, an equal share for each of the joints at that length, and the mean strength of these.
static void find_nearest_joints(const oracle_work* work, uint32_t* least, double* p,
                                double* strength) {
    const oracle_result* result = work->result;
    const size_t n = result->joint_count;
    uint32_t* distances = oracle_allocate(n * result->voxel_count, sizeof(uint32_t));
    for (size_t j = 0; j < n; ++j) {
        uint32_t* distance = &distances[j * result->voxel_count];
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            distance[v] = result->touched[v * n + j] ? 0 : ORACLE_FAR;
        }
        oracle_path_lengths(result, distance, false);
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        least[v] = ORACLE_FAR;
        for (size_t j = 0; j < n; ++j) {
            const uint32_t d = distances[j * result->voxel_count + v];
            least[v] = d < least[v] ? d : least[v];
        }
        uint32_t count = 0;
        for (uint32_t j = 0; least[v] != ORACLE_FAR && j < n; ++j) {
            if (distances[j * result->voxel_count + v] == least[v]) {
                const tlw_cook_heat* heat = oracle_heat_of(work, j);
                strength[v] += heat == NULL ? 1 : (double)heat->strength;
                p[v * n + j] = 1;
                ++count;
            }
        }
        for (size_t j = 0; count > 0 && j < n; ++j) {
            p[v * n + j] /= count;
        }
        strength[v] = count > 0 ? strength[v] / count : 0;
    }
    free(distances);
}

double* oracle_heat_field(oracle_work* work) {
    oracle_result* result = work->result;
    const size_t n = result->joint_count, size = result->voxel_count * n;
    double* p = oracle_allocate(size, sizeof(double));
    double* now = oracle_allocate(size, sizeof(double));
    double* next = oracle_allocate(size, sizeof(double));
    double* strength = oracle_allocate(result->voxel_count, sizeof(double));
    uint32_t* least = oracle_allocate(result->voxel_count, sizeof(uint32_t));
    oracle_spread* spreads = find_spreads(result);
    find_nearest_joints(work, least, p, strength);
    memcpy(now, p, size * sizeof(double));
    double change = INFINITY;
    for (result->sweep_count = 0; change > CHANGE && result->sweep_count < SWEEPS_MAX;
         ++result->sweep_count) {
        change = 0;
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            // A piece without a touched voxel stays at 0; a voxel without links keeps p.
            const bool keeps = least[v] == ORACLE_FAR || spreads[v].count == 0;
            const double d = (double)least[v] + 0.5;
            const double heat = 2 * strength[v] / (d * d); // H
            for (size_t j = 0; j < n; ++j) {
                const size_t at = v * n + j;
                next[at] = keeps
                               ? p[at]
                               : (mean_around(&spreads[v], now, n, j) + heat * p[at]) / (1 + heat);
                change = fmax(change, fabs(next[at] - now[at]));
            }
        }
        double* swapped = now;
        now = next;
        next = swapped;
    }
    free(spreads);
    free(least);
    free(strength);
    free(next);
    free(p);
    return now;
}

double* oracle_diffusion_field(oracle_work* work) {
    oracle_result* result = work->result;
    const size_t n = result->joint_count, size = result->voxel_count * n;
    double* now = oracle_allocate(size, sizeof(double));
    double* next = oracle_allocate(size, sizeof(double));
    uint32_t* links = oracle_allocate(result->voxel_count, sizeof(uint32_t));
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        links[v] = ORACLE_FAR;
        for (uint32_t j = 0; j < n; ++j) {
            if (result->touched[v * n + j]) {
                const tlw_cook_heat* heat = oracle_heat_of(work, j);
                now[v * n + j] = heat == NULL ? 1 : (double)heat->energy;
                links[v] = 0;
            }
        }
    }
    memcpy(next, now, size * sizeof(double));
    oracle_path_lengths(result, links, true);
    result->sweep_count = 0;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        if (links[v] != ORACLE_FAR && links[v] > result->sweep_count) {
            result->sweep_count = links[v];
        }
    }
    oracle_spread* spreads = find_spreads(result);
    for (uint32_t sweep = 0; sweep < result->sweep_count; ++sweep) {
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            // A source keeps its values, those of other joints included (0).
            for (size_t j = 0; links[v] != 0 && spreads[v].count > 0 && j < n; ++j) {
                next[v * n + j] = mean_around(&spreads[v], now, n, j);
            }
        }
        double* swapped = now;
        now = next;
        next = swapped;
    }
    free(spreads);
    free(links);
    free(next);
    return now;
}
