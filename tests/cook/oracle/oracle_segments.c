// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 4: reads voxels, skeleton and artist weights, writes segments and the
// voxels that they touch.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double oracle_squared_distance(const double a[3], const double b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

void oracle_centre_of(const oracle_voxel* voxel, double centre[3]) {
    for (int a = 0; a < 3; ++a) {
        centre[a] = (double)voxel->cell[a] + 0.5;
    }
}

double oracle_nearest_on_segment(const double p[3], const double a[3], const double b[3],
                                 double nearest[3], double* parameter) {
    double along = 0, length = 0;
    for (int k = 0; k < 3; ++k) {
        along += (p[k] - a[k]) * (b[k] - a[k]);
        length += (b[k] - a[k]) * (b[k] - a[k]);
    }
    double t = length > 0 ? along / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; ++k) {
        nearest[k] = a[k] + t * (b[k] - a[k]);
    }
    *parameter = t;
    return oracle_squared_distance(p, nearest);
}

static void joint_position(const oracle_work* work, uint32_t joint, double position[3]) {
    for (int a = 0; a < 3; ++a) {
        position[a] = work->input->joints[joint].bind[12 + a];
    }
}

static double vertex_weight(const oracle_work* work, uint32_t vertex, uint32_t joint) {
    return work->vertex_weight[(size_t)vertex * work->input->joint_count + joint];
}

// The end of a leaf's segment, in model space.
static void leaf_end(const oracle_work* work, uint32_t joint, double end[3]) {
    double start[3], mean[3] = {0, 0, 0}, sum = 0;
    joint_position(work, joint, start);
    memcpy(end, start, sizeof start);
    for (uint32_t v = 0; v < work->vertex_count; ++v) {
        double w = vertex_weight(work, v, joint);
        sum += w;
        for (uint32_t a = 0; a < 3; ++a) {
            mean[a] += w * work->positions[v * 3 + a];
        }
    }
    if (!(sum > 0)) {
        return;
    }
    for (int a = 0; a < 3; ++a) {
        mean[a] /= sum;
    }
    double length = sqrt(oracle_squared_distance(mean, start));
    if (!(length > 0)) {
        return;
    }
    double furthest = 0; // at least 0, so the segment never points backwards (RULES 4.5)
    for (uint32_t v = 0; v < work->vertex_count; ++v) {
        if (vertex_weight(work, v, joint) >= 0.5 - ORACLE_SLACK) {
            double projection = 0;
            for (uint32_t a = 0; a < 3; ++a) {
                projection +=
                    (work->positions[v * 3 + a] - start[a]) * ((mean[a] - start[a]) / length);
            }
            furthest = fmax(furthest, projection);
        }
    }
    for (int a = 0; a < 3; ++a) {
        end[a] = start[a] + (mean[a] - start[a]) / length * furthest;
    }
}

static void add_segment(oracle_work* work, uint32_t owner, uint32_t child) {
    oracle_result* result = work->result;
    oracle_segment* segment = &result->segments[result->segment_count++];
    segment->owner = owner;
    segment->child = child;
    double ends[2][3];
    joint_position(work, owner, ends[0]);
    if (child == ORACLE_NONE) {
        leaf_end(work, owner, ends[1]);
    } else {
        joint_position(work, child, ends[1]);
    }
    for (int e = 0; e < 2; ++e) {
        for (int a = 0; a < 3; ++a) {
            segment->ends[e][a] = oracle_to_voxels(result, ends[e][a], a);
            segment->snapped[e][a] = oracle_snap(result, ends[e][a], a);
        }
    }
}

void oracle_make_segments(oracle_work* work) {
    oracle_result* result = work->result;
    const uint32_t n = work->input->joint_count;
    result->joint_count = n;
    result->is_kept = oracle_allocate(n, sizeof(bool));
    result->parent = oracle_allocate(n, sizeof(uint32_t));
    bool has_weights = false;
    for (uint32_t v = 0; v < work->vertex_count; ++v) {
        has_weights = has_weights || work->is_weighted[v];
    }
    for (uint32_t j = 0; j < n; ++j) {
        // Without any weight in the mesh all joints are kept (RULES 4.2).
        result->is_kept[j] = !has_weights && !work->is_excluded[j];
        for (uint32_t v = 0; v < work->vertex_count; ++v) {
            if (vertex_weight(work, v, j) > 0) {
                result->is_kept[j] = true;
            }
        }
    }
    for (uint32_t j = 0; j < n; ++j) {
        uint32_t up = work->input->joints[j].parent;
        while (up != TLW_NO_JOINT && !result->is_kept[up]) {
            up = work->input->joints[up].parent;
        }
        result->parent[j] = up == TLW_NO_JOINT ? ORACLE_NONE : up;
    }
    result->segments = oracle_allocate((size_t)n * 2, sizeof *result->segments);
    for (uint32_t j = 0; j < n; ++j) {
        if (!result->is_kept[j]) {
            continue;
        }
        bool is_leaf = true;
        for (uint32_t child = 0; child < n; ++child) {
            if (result->is_kept[child] && result->parent[child] == j) {
                add_segment(work, j, child);
                is_leaf = false;
            }
        }
        if (is_leaf) {
            add_segment(work, j, ORACLE_NONE);
        }
    }
    result->touched = oracle_allocate((size_t)result->voxel_count * n, sizeof(bool));
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        const oracle_segment* segment = &result->segments[k];
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            if (oracle_triangle_touches_cell(segment->snapped[0], segment->snapped[1],
                                             segment->snapped[1], result->voxels[v].cell)) {
                result->touched[(size_t)v * n + segment->owner] = true;
            }
        }
    }
}
