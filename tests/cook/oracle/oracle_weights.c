// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 5: reads closest points, touched voxels and links, writes the weights
// that decide cuts, and the final weights on the links that are left.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Weights are compared in steps of 1e-8, so that two joints that are equal by geometry stay equal
// whatever the order of the sums was (RULES 5.5).
static int64_t weight_key(double weight) {
    return (int64_t)floor(weight * 1e8 + 0.5);
}

void oracle_take_four_largest(oracle_voxel* voxel, double* row, uint32_t joint_count) {
    double sum = 0;
    for (uint32_t j = 0; j < joint_count; ++j) {
        sum += row[j];
    }
    for (uint32_t j = 0; j < joint_count; ++j) {
        row[j] /= sum;
    }
    double kept = 0;
    for (int k = 0; k < 4; ++k) {
        uint32_t best = ORACLE_NONE;
        int64_t best_key = 0;
        for (uint32_t j = 0; j < joint_count; ++j) {
            if (weight_key(row[j]) > best_key) {
                best = j;
                best_key = weight_key(row[j]);
            }
        }
        voxel->joints[k] = best;
        voxel->weights[k] = best == ORACLE_NONE ? 0 : row[best];
        kept += voxel->weights[k];
        if (best != ORACLE_NONE) {
            row[best] = 0;
        }
    }
    for (int k = 0; k < 4; ++k) {
        voxel->weights[k] /= kept;
    }
    voxel->joint = voxel->joints[0];
}

uint32_t oracle_nearest_joint(const oracle_result* result, const oracle_voxel* voxel) {
    double centre[3], nearest[3], t, least = INFINITY;
    oracle_centre_of(voxel, centre);
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        const oracle_segment* segment = &result->segments[k];
        least = fmin(least, oracle_nearest_on_segment(centre, segment->ends[0], segment->ends[1],
                                                      nearest, &t));
    }
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        const oracle_segment* segment = &result->segments[k];
        if (oracle_nearest_on_segment(centre, segment->ends[0], segment->ends[1], nearest, &t) <=
            least + ORACLE_SLACK) {
            return segment->owner;
        }
    }
    return ORACLE_NONE;
}

// Takes the four largest of all rows, which are freed. A row of zeros is a voxel that no joint
// reaches.
static void take_rows(oracle_result* result, double* rows) {
    const size_t n = result->joint_count;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        double sum = 0;
        for (size_t j = 0; j < n; ++j) {
            sum += rows[v * n + j];
        }
        if (!(sum > 0)) {
            rows[v * n + oracle_nearest_joint(result, &result->voxels[v])] = 1;
        }
        oracle_take_four_largest(&result->voxels[v], &rows[v * n], result->joint_count);
    }
    free(rows);
}

void oracle_geodesic_weights(oracle_work* work) {
    oracle_result* result = work->result;
    const size_t n = result->joint_count;
    double* weight = oracle_allocate(result->voxel_count * n, sizeof(double));
    uint32_t* distance = oracle_allocate(result->voxel_count, sizeof(uint32_t));
    for (size_t j = 0; j < n; ++j) {
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            distance[v] = result->touched[v * n + j] ? 0 : ORACLE_FAR;
        }
        oracle_path_lengths(result, distance, false);
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            if (distance[v] != ORACLE_FAR) {
                double a = 0.5;
                double d = (double)distance[v] + 0.5;
                double f = (1 - a) * d + a * d * d;
                weight[v * n + j] = 1 / (f * f);
            }
        }
    }
    free(distance);
    take_rows(result, weight);
}

// To a multiple of 2^-20, so that symmetry's ties stay ties (RULES 5.9).
static double round_weight(double weight) {
    return floor(weight * 1048576 + 0.5) / 1048576;
}

static void heat_weights(oracle_work* work) {
    oracle_result* result = work->result;
    const uint32_t n = result->joint_count;
    double* rows = oracle_heat_field(work);
    for (uint32_t j = 0; j < n; ++j) {
        const tlw_cook_heat* heat = oracle_heat_of(work, j);
        const double energy = heat == NULL ? 1 : (double)heat->energy;
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            double* w = &rows[(size_t)v * n + j];
            *w = round_weight(*w * energy);
        }
    }
    take_rows(result, rows);
}

static void diffusion_weights(oracle_work* work) {
    oracle_result* result = work->result;
    const size_t n = result->joint_count;
    double* rows = oracle_diffusion_field(work);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        double sum = 0;
        for (size_t j = 0; j < n; ++j) {
            sum += rows[v * n + j];
        }
        for (size_t j = 0; sum > 0 && j < n; ++j) {
            rows[v * n + j] = round_weight(rows[v * n + j] / sum);
        }
    }
    take_rows(result, rows);
}

const char* oracle_make_weights(oracle_work* work) {
    oracle_result* result = work->result;
    if (result->segment_count == 0) {
        return "no joint is left";
    }
    bool has_weights = false;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        const uint32_t* triangle = &work->triangles[t * 3];
        has_weights =
            has_weights || (work->is_weighted[triangle[0]] && work->is_weighted[triangle[1]] &&
                            work->is_weighted[triangle[2]]);
    }
    result->mode = work->recipe->weights;
    if (result->mode == TLW_WEIGHTS_AUTO) {
        result->mode = has_weights ? TLW_WEIGHTS_ARTIST : TLW_WEIGHTS_HEAT;
    }
    if (result->mode == TLW_WEIGHTS_ARTIST && !has_weights) {
        return "artist weights asked for, and there are none";
    }
    for (uint32_t k = 0; k < work->recipe->heat_count; ++k) {
        for (uint32_t m = 0; m < k; ++m) {
            if (strcmp(work->recipe->heat[k].joint, work->recipe->heat[m].joint) == 0) {
                return "a joint has two entries of heat";
            }
        }
    }
    oracle_find_closest(work);
    if (result->mode == TLW_WEIGHTS_ARTIST) {
        take_rows(result, oracle_closest_weights(work)); // not smoothed yet (RULES 6.6)
    } else {
        oracle_geodesic_weights(work);
    }
    return NULL;
}

void oracle_finish_weights(oracle_work* work) {
    oracle_result* result = work->result;
    switch (result->mode) {
    case TLW_WEIGHTS_AUTO:
    case TLW_WEIGHTS_ARTIST: {
        double* rows = oracle_closest_weights(work);
        oracle_smooth(work, rows, result->joint_count);
        take_rows(result, rows);
        break;
    }
    case TLW_WEIGHTS_HEAT:
        heat_weights(work);
        break;
    case TLW_WEIGHTS_DIFFUSION:
        diffusion_weights(work);
        break;
    case TLW_WEIGHTS_GEODESIC:
        oracle_geodesic_weights(work);
        break;
    }
}
