// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 9.14: reads muscles, voxels with layers and links, and the skeleton;
// writes what each voxel has of its muscles.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS_LEAST  (1.0 / 16)
#define SMOOTH_PASSES 2
#define SHAPE         4 // numbers of a voxel and a muscle: d and a

// Where a voxel is beside a line.
typedef struct oracle_station {
    uint32_t segment;
    double f;
    double point[3]; // X
} oracle_station;

static oracle_station find_station(const oracle_cooked_muscle* m, const double x[3]) {
    oracle_station found = {0, 0, {0, 0, 0}};
    double least = INFINITY, nearest[3], t;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t s = 0; s + 1 < m->vertex_count; ++s) {
            const double d = oracle_nearest_on_segment(x, m->vertices[s].place,
                                                       m->vertices[s + 1].place, nearest, &t);
            if (pass == 0) {
                least = fmin(least, d);
            } else if (d <= least + ORACLE_SLACK) {
                found.segment = s;
                found.f = t;
                memcpy(found.point, nearest, sizeof nearest);
                return found;
            }
        }
    }
    return found;
}

// The nearest point of the whole skeleton.
static void nearest_bone(const oracle_result* result, const double x[3], double out[3]) {
    double least = INFINITY, nearest[3], t;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t k = 0; k < result->segment_count; ++k) {
            const oracle_segment* segment = &result->segments[k];
            const double d =
                oracle_nearest_on_segment(x, segment->ends[0], segment->ends[1], nearest, &t);
            if (pass == 0) {
                least = fmin(least, d);
            } else if (d <= least + ORACLE_SLACK) {
                memcpy(out, nearest, sizeof nearest);
                return;
            }
        }
    }
}

// Path lengths from the voxels that the line touches.
static uint32_t* line_paths(const oracle_result* result, const oracle_cooked_muscle* m) {
    uint32_t* paths = oracle_allocate(result->voxel_count, sizeof *paths);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        paths[v] = ORACLE_FAR;
        for (uint32_t s = 0; s + 1 < m->vertex_count; ++s) {
            int64_t ends[2][3];
            for (uint32_t k = 0; k < 6; ++k) {
                const double at = m->vertices[s + k / 3].place[k % 3];
                ends[k / 3][k % 3] = (int64_t)floor(at * ORACLE_UNITS + 0.5);
            }
            if (oracle_triangle_touches_cell(ends[0], ends[1], ends[1], result->voxels[v].cell)) {
                paths[v] = 0;
            }
        }
    }
    oracle_path_lengths(result, paths, false);
    return paths;
}

// d and a before smoothing; zeros where the voxel has nothing of the muscle.
static void shape_voxel(const oracle_result* result, const oracle_cooked_muscle* m,
                        const double x[3], const oracle_station* at, uint32_t path,
                        double shape[SHAPE]) {
    const oracle_cooked_vertex *from = &m->vertices[at->segment], *to = from + 1;
    double t[3], n[3], bone[3] = {0, 0, 0}, away[3], o[3];
    const double r =
        sqrt((1 - at->f) * from->radius * from->radius + at->f * to->radius * to->radius);
    oracle_add_scaled(to->place, -1, from->place, t);
    oracle_normalise(t);
    nearest_bone(result, at->point, bone);
    oracle_add_scaled(at->point, -1, bone, n);
    oracle_take_part(n, t);
    oracle_add_scaled(x, -1, at->point, away);
    const double distance = sqrt(oracle_dot(away, away));
    const bool is_end =
        (at->segment == 0 && at->f == 0) || (at->segment + 2 == m->vertex_count && at->f == 1);
    if (r < RADIUS_LEAST - ORACLE_SLACK || oracle_normalise(n) < 1e-6 || path == ORACLE_FAR ||
        path > 2 * distance + 3 + ORACLE_SLACK ||
        (is_end && fabs(oracle_dot(away, t)) > r + ORACLE_SLACK)) {
        return;
    }
    oracle_add_scaled(away, r, n, o);
    oracle_take_part(o, t);
    const double out = oracle_dot(o, n), ratio = 2 * r * out / oracle_dot(o, o);
    const double k = out <= 0 ? 0 : fmin(1, ratio * ratio), share = fmax(0, (k - 0.1) / 0.9);
    for (int a = 0; a < 3 && share > 0; ++a) {
        shape[a] = share * o[a] / (2 * r * r);
    }
    shape[3] = share * r / m->radius;
}

static void smooth(const oracle_result* result, double* shapes) {
    const size_t n = (size_t)result->voxel_count * SHAPE;
    double* before = oracle_allocate(n, sizeof *before);
    memcpy(before, shapes, n * sizeof *before);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        const oracle_voxel* voxel = &result->voxels[v];
        for (size_t k = 0; k < SHAPE && voxel->layer > 0; ++k) {
            double sum = 0;
            int count = 0;
            for (int face = 0; face < 6; ++face) {
                const uint32_t other = voxel->faces[face];
                if (other != ORACLE_NONE && result->voxels[other].layer > 0) {
                    sum += before[other * SHAPE + k];
                    count += 1;
                }
            }
            const double own = before[v * SHAPE + k];
            shapes[v * SHAPE + k] = 0.5 * own + 0.5 * (count > 0 ? sum / count : own);
        }
    }
    free(before);
}

// Rounds weights to units; what is missing goes to the largest.
static void round_weights(const double* weights, uint32_t count, int32_t* out) {
    double most = -INFINITY;
    int32_t missing = ORACLE_STATION_ONE;
    for (uint32_t i = 0; i < count; ++i) {
        most = fmax(most, weights[i]);
        out[i] = (int32_t)floor(ORACLE_STATION_ONE * weights[i] + 0.5);
        missing -= out[i];
    }
    uint32_t largest = 0;
    while (weights[largest] < most - ORACLE_SLACK) {
        ++largest;
    }
    out[largest] += missing;
}

static void weigh_station(const oracle_cooked_muscle* m, const oracle_station* at,
                          oracle_cooked_belly* belly) {
    const double f = at->f;
    const double curve[4] = {(-f + 2 * f * f - f * f * f) / 2, (2 - 5 * f * f + 3 * f * f * f) / 2,
                             (f + 4 * f * f - 3 * f * f * f) / 2, (-f * f + f * f * f) / 2};
    double sums[ORACLE_LINE_VERTICES] = {0}, linear[ORACLE_LINE_VERTICES] = {0};
    for (int k = 0; k < 4; ++k) {
        const int last = (int)m->vertex_count - 1, vertex = (int)at->segment - 1 + k;
        sums[vertex < 0 ? 0 : vertex > last ? last : vertex] += curve[k];
    }
    linear[at->segment] = 1 - f;
    linear[at->segment + 1] = f;
    round_weights(sums, m->vertex_count, belly->curve);
    round_weights(linear, m->vertex_count, belly->linear);
}

static int64_t size_of(const double d[3]) {
    return (int64_t)floor(1048576 * sqrt(oracle_dot(d, d)) + 0.5);
}

// Keeps a muscle if it is among the four largest of those so far, which ascend.
static void keep_belly(oracle_cooked_belly* bellies, const oracle_cooked_belly* belly) {
    uint32_t count = 0;
    while (count < ORACLE_VOXEL_MUSCLES && bellies[count].muscle != ORACLE_NONE) {
        ++count;
    }
    if (count == ORACLE_VOXEL_MUSCLES) {
        uint32_t least = 0; // the last of the smallest, which ties would have dropped
        for (uint32_t k = 1; k < count; ++k) {
            least = size_of(bellies[k].d) <= size_of(bellies[least].d) ? k : least;
        }
        if (size_of(belly->d) <= size_of(bellies[least].d)) {
            return;
        }
        count -= 1;
        memmove(&bellies[least], &bellies[least + 1], (count - least) * sizeof *bellies);
    }
    bellies[count] = *belly;
}

static void add_bellies(oracle_result* result, uint32_t muscle) {
    const oracle_cooked_muscle* m = &result->muscles[muscle];
    const uint32_t n = result->voxel_count;
    oracle_station* stations = oracle_allocate(n, sizeof *stations);
    double* shapes = oracle_allocate((size_t)n * SHAPE, sizeof *shapes);
    uint32_t* paths = line_paths(result, m);
    for (uint32_t v = 0; v < n; ++v) {
        double x[3];
        oracle_centre_of(&result->voxels[v], x);
        stations[v] = find_station(m, x);
        if (result->voxels[v].layer > 0) {
            shape_voxel(result, m, x, &stations[v], paths[v], &shapes[(size_t)v * SHAPE]);
        }
    }
    for (int pass = 0; pass < SMOOTH_PASSES; ++pass) {
        smooth(result, shapes);
    }
    for (uint32_t v = 0; v < n; ++v) {
        const double* shape = &shapes[(size_t)v * SHAPE];
        if (result->voxels[v].layer > 0 && size_of(shape) > 0) {
            oracle_cooked_belly belly = {.muscle = muscle, .d = {shape[0], shape[1], shape[2]}};
            belly.a = shape[3];
            belly.segment = stations[v].segment;
            weigh_station(m, &stations[v], &belly);
            keep_belly(&result->bellies[(size_t)v * ORACLE_VOXEL_MUSCLES], &belly);
        }
    }
    free(paths);
    free(shapes);
    free(stations);
}

// n0 of every vertex (RULES 9.12).
static void make_outwards(const oracle_result* result, oracle_cooked_muscle* m) {
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        oracle_cooked_vertex* vertex = &m->vertices[i];
        double bone[3] = {0, 0, 0};
        nearest_bone(result, vertex->place, bone);
        oracle_add_scaled(vertex->place, -1, bone, vertex->outward);
        oracle_take_part(vertex->outward, vertex->tangent);
        if (oracle_normalise(vertex->outward) < 1e-6) {
            memset(vertex->outward, 0, sizeof vertex->outward);
        }
    }
}

void oracle_make_bellies(oracle_work* work) {
    oracle_result* result = work->result;
    if (result->muscle_count == 0) {
        return;
    }
    const size_t count = (size_t)result->voxel_count * ORACLE_VOXEL_MUSCLES;
    result->bellies = oracle_allocate(count, sizeof *result->bellies);
    for (size_t i = 0; i < count; ++i) {
        result->bellies[i].muscle = ORACLE_NONE;
    }
    for (uint32_t m = 0; m < result->muscle_count; ++m) {
        make_outwards(result, &result->muscles[m]);
        add_bellies(result, m);
    }
    for (size_t i = 0; i < count; ++i) {
        if (result->bellies[i].muscle != ORACLE_NONE) {
            result->muscles[result->bellies[i].muscle].voxel_count += 1;
        }
    }
}
