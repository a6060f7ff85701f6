// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 4 to 6: reads voxels, skeleton and artist weights, writes segments,
// weights and links.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double squared_distance(const double a[3], const double b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void centre_of(const oracle_voxel* voxel, double centre[3]) {
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
    return squared_distance(p, nearest);
}

// RULES 4
// -------------------------------------------------------------------------------------------

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
    double length = sqrt(squared_distance(mean, start));
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

// RULES 5
// -------------------------------------------------------------------------------------------

// Weights are compared in steps of 1e-8, so that two joints that are equal by geometry stay equal
// whatever the order of the sums was (RULES 5.5).
static int64_t weight_key(double weight) {
    return (int64_t)floor(weight * 1e8 + 0.5);
}

static void take_four_largest(oracle_voxel* voxel, double* row, uint32_t joint_count) {
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

// Squared distance from p to the closed triangle, and where on it.
static double nearest_on_triangle(const double p[3], const double* const corner[3],
                                  double barycentric[3]) {
    double best = INFINITY;
    // The nearest point is on an edge, or inside, at the foot of p.
    for (int i = 0; i < 3; ++i) {
        double nearest[3], t;
        int next = (i + 1) % 3;
        double d = oracle_nearest_on_segment(p, corner[i], corner[next], nearest, &t);
        if (d < best) {
            best = d;
            barycentric[i] = 1 - t;
            barycentric[next] = t;
            barycentric[(i + 2) % 3] = 0;
        }
    }
    double e[3], f[3], w[3];
    for (int a = 0; a < 3; ++a) {
        e[a] = corner[1][a] - corner[0][a];
        f[a] = corner[2][a] - corner[0][a];
        w[a] = p[a] - corner[0][a];
    }
    double ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    double ff = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    double ef = e[0] * f[0] + e[1] * f[1] + e[2] * f[2];
    double ew = e[0] * w[0] + e[1] * w[1] + e[2] * w[2];
    double fw = f[0] * w[0] + f[1] * w[1] + f[2] * w[2];
    double det = ee * ff - ef * ef;
    if (det > 0) {
        double s = (ff * ew - ef * fw) / det;
        double t = (ee * fw - ef * ew) / det;
        if (s >= 0 && t >= 0 && s + t <= 1) {
            double nearest[3];
            for (int a = 0; a < 3; ++a) {
                nearest[a] = corner[0][a] + s * e[a] + t * f[a];
            }
            double d = squared_distance(p, nearest);
            if (d < best) {
                best = d;
                barycentric[0] = 1 - s - t;
                barycentric[1] = s;
                barycentric[2] = t;
            }
        }
    }
    return best;
}

// Squared distance from p to a triangle's bounding box: no part of the triangle is nearer.
static double box_distance(const double p[3], const double low[3], const double high[3]) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        double d = p[a] < low[a] ? low[a] - p[a] : p[a] > high[a] ? p[a] - high[a] : 0;
        sum += d * d;
    }
    return sum;
}

// A triangle whose three corners have weights, with its bounds.
typedef struct oracle_candidate {
    const uint32_t* triangle;
    const double* corner[3];
    double low[3], high[3];
} oracle_candidate;

static uint32_t find_candidates(const oracle_work* work, oracle_candidate* list) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        const uint32_t* triangle = &work->triangles[t * 3];
        if (!work->is_weighted[triangle[0]] || !work->is_weighted[triangle[1]] ||
            !work->is_weighted[triangle[2]]) {
            continue;
        }
        oracle_candidate* to = &list[count++];
        to->triangle = triangle;
        for (int i = 0; i < 3; ++i) {
            to->corner[i] = &work->scaled[triangle[i] * 3];
        }
        for (int a = 0; a < 3; ++a) {
            to->low[a] = fmin(fmin(to->corner[0][a], to->corner[1][a]), to->corner[2][a]);
            to->high[a] = fmax(fmax(to->corner[0][a], to->corner[1][a]), to->corner[2][a]);
        }
    }
    return count;
}

// Adds to `row` the weights of the closest point of the lowest triangle at the least distance,
// within the slack (RULES 5.2). *hint is any candidate, if possible a near one: it gives a first
// bound.
static void closest_weights(const oracle_work* work, const oracle_candidate* list, uint32_t count,
                            const double p[3], uint32_t* hint, double* row) {
    double barycentric[3];
    double least = nearest_on_triangle(p, list[*hint].corner, barycentric);
    for (uint32_t c = 0; c < count; ++c) {
        if (box_distance(p, list[c].low, list[c].high) <= least) {
            least = fmin(least, nearest_on_triangle(p, list[c].corner, barycentric));
        }
    }
    for (uint32_t c = 0; c < count; ++c) {
        if (box_distance(p, list[c].low, list[c].high) <= least + ORACLE_SLACK &&
            nearest_on_triangle(p, list[c].corner, barycentric) <= least + ORACLE_SLACK) {
            for (uint32_t j = 0; j < work->input->joint_count; ++j) {
                for (uint32_t i = 0; i < 3; ++i) {
                    row[j] += barycentric[i] * vertex_weight(work, list[c].triangle[i], j);
                }
            }
            *hint = c;
            return;
        }
    }
}

static void artist_weights(oracle_work* work) {
    oracle_result* result = work->result;
    const size_t n = result->joint_count;
    double* now = oracle_allocate(result->voxel_count * n, sizeof(double));
    double* next = oracle_allocate(result->voxel_count * n, sizeof(double));
    oracle_candidate* list = oracle_allocate(work->triangle_count, sizeof *list);
    uint32_t count = find_candidates(work, list);
    uint32_t hint = 0;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        double centre[3];
        centre_of(&result->voxels[v], centre);
        closest_weights(work, list, count, centre, &hint, &now[v * n]);
    }
    free(list);
    for (uint32_t pass = 0; pass < work->recipe->smoothing_passes; ++pass) {
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            const int32_t* c = result->voxels[v].cell;
            uint32_t around[6] = {oracle_voxel_at(result, c[0] - 1, c[1], c[2]),
                                  oracle_voxel_at(result, c[0] + 1, c[1], c[2]),
                                  oracle_voxel_at(result, c[0], c[1] - 1, c[2]),
                                  oracle_voxel_at(result, c[0], c[1] + 1, c[2]),
                                  oracle_voxel_at(result, c[0], c[1], c[2] - 1),
                                  oracle_voxel_at(result, c[0], c[1], c[2] + 1)};
            bool is_inner = true;
            for (int face = 0; face < 6; ++face) {
                is_inner = is_inner && around[face] != ORACLE_NONE;
            }
            for (size_t j = 0; j < n; ++j) {
                double sum = 0;
                for (int face = 0; is_inner && face < 6; ++face) {
                    sum += now[around[face] * n + j];
                }
                next[v * n + j] = is_inner ? sum / 6 : now[v * n + j]; // RULES 5.4
            }
        }
        double* swapped = now;
        now = next;
        next = swapped;
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        take_four_largest(&result->voxels[v], &now[v * n], result->joint_count);
    }
    free(next);
    free(now);
}

// The joint with the nearest segment, for a voxel that no path joins to a segment (RULES 5.7).
static uint32_t nearest_joint(const oracle_result* result, const oracle_voxel* voxel) {
    double centre[3], nearest[3], t, least = INFINITY;
    centre_of(voxel, centre);
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

void oracle_geodesic_weights(oracle_work* work) {
    oracle_result* result = work->result;
    const size_t n = result->joint_count;
    double* weight = oracle_allocate(result->voxel_count * n, sizeof(double));
    bool* is_reached = oracle_allocate(result->voxel_count, sizeof(bool));
    uint32_t* distance = oracle_allocate(result->voxel_count, sizeof(uint32_t));
    for (size_t j = 0; j < n; ++j) {
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            distance[v] = result->touched[v * n + j] ? 0 : ORACLE_FAR;
        }
        oracle_path_lengths(result, distance);
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            if (distance[v] != ORACLE_FAR) {
                double a = 0.5;
                double d = (double)distance[v] + 0.5;
                double f = (1 - a) * d + a * d * d;
                weight[v * n + j] = 1 / (f * f);
                is_reached[v] = true;
            }
        }
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        if (!is_reached[v]) {
            weight[v * n + nearest_joint(result, &result->voxels[v])] = 1;
        }
        take_four_largest(&result->voxels[v], &weight[v * n], result->joint_count);
    }
    free(distance);
    free(is_reached);
    free(weight);
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
    if (work->recipe->weights == TLW_WEIGHTS_ARTIST && !has_weights) {
        return "artist weights asked for, and there are none";
    }
    result->is_artist = has_weights && work->recipe->weights != TLW_WEIGHTS_GEODESIC;
    if (result->is_artist) {
        artist_weights(work);
    } else {
        oracle_geodesic_weights(work); // over all links, for the test of cuts
    }
    return NULL;
}

// RULES 6
// -------------------------------------------------------------------------------------------

typedef struct oracle_anchor {
    uint32_t segment;
    double point[3];
    double distance; // from the voxel's centre
} oracle_anchor;

static oracle_anchor find_anchor(const oracle_result* result, const oracle_voxel* voxel) {
    oracle_anchor anchor = {ORACLE_NONE, {0, 0, 0}, 0};
    double centre[3], nearest[3], t, least = INFINITY;
    centre_of(voxel, centre);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t k = 0; k < result->segment_count; ++k) {
            const oracle_segment* segment = &result->segments[k];
            if (segment->owner != voxel->joint) {
                continue;
            }
            double d =
                oracle_nearest_on_segment(centre, segment->ends[0], segment->ends[1], nearest, &t);
            if (pass == 0) {
                least = fmin(least, d);
            } else if (d <= least + ORACLE_SLACK) {
                anchor = (oracle_anchor){k, {nearest[0], nearest[1], nearest[2]}, sqrt(d)};
                return anchor;
            }
        }
    }
    return anchor;
}

// Distances between joints along kept segments, in voxels; infinite between trees.
static double* joint_distances(const oracle_result* result) {
    const size_t n = result->joint_count;
    double* between = oracle_allocate(n * n, sizeof(double));
    for (size_t i = 0; i < n * n; ++i) {
        between[i] = i / n == i % n ? 0 : INFINITY;
    }
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        const oracle_segment* segment = &result->segments[k];
        if (segment->child != ORACLE_NONE) {
            double length = sqrt(squared_distance(segment->ends[0], segment->ends[1]));
            between[segment->owner * n + segment->child] = length;
            between[segment->child * n + segment->owner] = length;
        }
    }
    for (size_t via = 0; via < n; ++via) {
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j < n; ++j) {
                between[i * n + j] =
                    fmin(between[i * n + j], between[i * n + via] + between[via * n + j]);
            }
        }
    }
    return between;
}

// The path between two anchors along the skeleton (RULES 6.2): out of either end of one segment,
// into either end of the other. The far end of a leaf leads nowhere.
static double anchor_path(const oracle_result* result, const double* between,
                          const oracle_anchor* a, const oracle_anchor* b) {
    if (a->segment == b->segment) {
        return sqrt(squared_distance(a->point, b->point));
    }
    const oracle_segment* from = &result->segments[a->segment];
    const oracle_segment* to = &result->segments[b->segment];
    const uint32_t from_joint[2] = {from->owner, from->child};
    const uint32_t to_joint[2] = {to->owner, to->child};
    double path = INFINITY;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            if (from_joint[i] != ORACLE_NONE && to_joint[j] != ORACLE_NONE) {
                path = fmin(path,
                            sqrt(squared_distance(a->point, from->ends[i])) +
                                between[(size_t)from_joint[i] * result->joint_count + to_joint[j]] +
                                sqrt(squared_distance(to->ends[j], b->point)));
            }
        }
    }
    return path;
}

static bool is_named(const oracle_work* work, uint32_t joint, const char* name) {
    return strcmp(work->input->joints[joint].name, name) == 0;
}

static bool is_cut(const oracle_work* work, const oracle_voxel* i, const oracle_voxel* j,
                   const oracle_anchor* a, const oracle_anchor* b, double step,
                   const double* between) {
    // The recipe decides before the geometry; its last entry for the pair counts (RULES 6.5).
    for (uint32_t c = work->recipe->cut_count; c > 0; --c) {
        const tlw_cook_cut* cut = &work->recipe->cuts[c - 1];
        if ((is_named(work, i->joint, cut->joint_a) && is_named(work, j->joint, cut->joint_b)) ||
            (is_named(work, i->joint, cut->joint_b) && is_named(work, j->joint, cut->joint_a))) {
            return cut->kind != TLW_CUT_NEVER;
        }
    }
    double common = 0;
    for (int k = 0; k < 4; ++k) {
        if (i->joints[k] != ORACLE_NONE) {
            common += fmin(i->weights[k], oracle_weight(j, i->joints[k]));
        }
    }
    double direct = a->distance + b->distance + step;
    double path = anchor_path(work->result, between, a, b);
    return path > 1.5 * direct + ORACLE_SLACK && common < 0.5 - ORACLE_SLACK;
}

static void count_cut(oracle_result* result, uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t at = 0;
    while (at < result->cut_count &&
           (result->cuts[at].joint_a < low ||
            (result->cuts[at].joint_a == low && result->cuts[at].joint_b < high))) {
        ++at;
    }
    if (at == result->cut_count || result->cuts[at].joint_a != low ||
        result->cuts[at].joint_b != high) {
        oracle_cut* grown = oracle_allocate((size_t)result->cut_count + 1, sizeof *grown);
        memcpy(grown, result->cuts, at * sizeof *grown);
        grown[at] = (oracle_cut){low, high, 0};
        memcpy(grown + at + 1, result->cuts + at, (result->cut_count - at) * sizeof *grown);
        free(result->cuts);
        result->cuts = grown;
        result->cut_count += 1;
    }
    result->cuts[at].count += 1;
}

void oracle_make_links(oracle_work* work) {
    oracle_result* result = work->result;
    result->cuts = oracle_allocate(1, sizeof *result->cuts);
    double* between = joint_distances(result);
    oracle_anchor* anchors = oracle_allocate(result->voxel_count, sizeof *anchors);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        anchors[v] = find_anchor(result, &result->voxels[v]);
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        for (uint32_t bit = 0; bit < 26; ++bit) {
            if ((voxel->all_links >> bit & 1) == 0) {
                continue;
            }
            int32_t offset[3];
            oracle_offset(bit, offset);
            uint32_t other =
                oracle_voxel_at(result, voxel->cell[0] + offset[0], voxel->cell[1] + offset[1],
                                voxel->cell[2] + offset[2]);
            if (other < v) {
                continue; // this link was looked at from the other voxel
            }
            double step = sqrt(abs(offset[0]) + abs(offset[1]) + abs(offset[2]));
            if (is_cut(work, voxel, &result->voxels[other], &anchors[v], &anchors[other], step,
                       between)) {
                voxel->links &= ~(1u << bit);
                result->voxels[other].links &= ~(1u << (25 - bit));
                count_cut(result, voxel->joint, result->voxels[other].joint);
            }
        }
    }
    free(anchors);
    free(between);
    if (!result->is_artist) {
        oracle_geodesic_weights(work); // again, over the links that are left (RULES 6.7)
    }
}
