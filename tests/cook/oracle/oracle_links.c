// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 6: reads voxels with the weights that decide cuts, skeleton, mesh and
// closest triangles, writes links and counts of cuts.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Anchors and paths
// -------------------------------------------------------------------------------------------

oracle_anchor oracle_find_anchor(const oracle_result* result, const oracle_voxel* voxel) {
    oracle_anchor anchor = {ORACLE_NONE, {0, 0, 0}, 0};
    double centre[3], nearest[3], t, least = INFINITY;
    oracle_centre_of(voxel, centre);
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

// Makes two joints neighbours at their straight distance.
static void join(const oracle_result* result, const double* places, uint32_t a, uint32_t b,
                 double* between) {
    const size_t n = result->joint_count;
    between[a * n + b] = between[b * n + a] =
        sqrt(oracle_squared_distance(&places[a * 3], &places[b * 3]));
}

// Over kept segments, lines from any joint to its parent, and lines between children of one joint,
// roots being children of one.
double* oracle_joint_distances(const oracle_work* work) {
    const oracle_result* result = work->result;
    const tlw_cook_joint* joints = work->input->joints;
    const size_t n = result->joint_count;
    double* places = oracle_allocate(n * 3, sizeof(double));
    double* between = oracle_allocate(n * n, sizeof(double));
    for (uint32_t j = 0; j < n; ++j) {
        for (uint32_t a = 0; a < 3; ++a) {
            places[j * 3 + a] = oracle_to_voxels(result, joints[j].bind[12 + a], (int)a);
        }
    }
    for (size_t i = 0; i < n * n; ++i) {
        between[i] = i / n == i % n ? 0 : INFINITY;
    }
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        if (result->segments[k].child != ORACLE_NONE) {
            join(result, places, result->segments[k].owner, result->segments[k].child, between);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (joints[i].parent != TLW_NO_JOINT) {
            join(result, places, i, joints[i].parent, between);
        }
        for (uint32_t j = 0; j < i; ++j) {
            if (joints[i].parent == joints[j].parent) {
                join(result, places, i, j, between);
            }
        }
    }
    free(places);
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
        return sqrt(oracle_squared_distance(a->point, b->point));
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
                            sqrt(oracle_squared_distance(a->point, from->ends[i])) +
                                between[(size_t)from_joint[i] * result->joint_count + to_joint[j]] +
                                sqrt(oracle_squared_distance(to->ends[j], b->point)));
            }
        }
    }
    return path;
}

// Skin
// -------------------------------------------------------------------------------------------

typedef struct oracle_side {
    uint32_t low, high; // the edge's vertices
    uint32_t triangle;
} oracle_side;

static int compare_sides(const void* left, const void* right) {
    const oracle_side* a = left;
    const oracle_side* b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    return a->high < b->high ? -1 : a->high > b->high;
}

// The triangles' sides, sorted by edge: those of one edge follow each other.
typedef struct oracle_skin {
    oracle_side* sides;
    size_t count;
    uint32_t* seen;  // [triangle]: the last walk that came here
    uint32_t* queue; // of a walk
    uint32_t walk_count;
} oracle_skin;

static oracle_skin make_skin(const oracle_work* work) {
    oracle_skin skin = {.count = (size_t)work->triangle_count * 3};
    skin.sides = oracle_allocate(skin.count, sizeof *skin.sides);
    skin.seen = oracle_allocate(work->triangle_count, sizeof(uint32_t));
    skin.queue = oracle_allocate(work->triangle_count, sizeof(uint32_t));
    for (size_t e = 0; e < skin.count; ++e) {
        uint32_t from = work->triangles[e];
        uint32_t to = work->triangles[e % 3 == 2 ? e - 2 : e + 1];
        skin.sides[e] =
            (oracle_side){from < to ? from : to, from < to ? to : from, (uint32_t)(e / 3)};
    }
    qsort(skin.sides, skin.count, sizeof *skin.sides, compare_sides);
    return skin;
}

static void free_skin(oracle_skin* skin) {
    free(skin->sides);
    free(skin->seen);
    free(skin->queue);
}

// The first side of an edge.
static size_t find_edge(const oracle_skin* skin, const oracle_side* edge) {
    size_t low = 0, high = skin->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_sides(&skin->sides[middle], edge) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Whether a walk over edges that touch the smallest box of cells around both voxels leads from one
// voxel's closest triangle to the other's.
static bool is_joined_by_skin(const oracle_work* work, oracle_skin* skin, const oracle_voxel* i,
                              const oracle_voxel* j) {
    int32_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = i->cell[a] < j->cell[a] ? i->cell[a] : j->cell[a];
        high[a] = i->cell[a] < j->cell[a] ? j->cell[a] : i->cell[a];
    }
    const uint32_t walk = ++skin->walk_count;
    uint32_t count = 0;
    skin->queue[count++] = i->closest_triangle;
    skin->seen[i->closest_triangle] = walk;
    for (uint32_t at = 0; at < count && skin->seen[j->closest_triangle] != walk; ++at) {
        const uint32_t* triangle = &work->triangles[skin->queue[at] * 3];
        for (int side = 0; side < 3; ++side) {
            const uint32_t from = triangle[side], to = triangle[(side + 1) % 3];
            const oracle_side edge = {from < to ? from : to, from < to ? to : from, 0};
            if (!oracle_triangle_touches_cells(&work->snapped[from * 3], &work->snapped[to * 3],
                                               &work->snapped[to * 3], low, high)) {
                continue;
            }
            for (size_t s = find_edge(skin, &edge);
                 s < skin->count && compare_sides(&skin->sides[s], &edge) == 0; ++s) {
                const uint32_t next = skin->sides[s].triangle;
                if (skin->seen[next] != walk) {
                    skin->seen[next] = walk;
                    skin->queue[count++] = next;
                }
            }
        }
    }
    return skin->seen[j->closest_triangle] == walk;
}

// The three tests
// -------------------------------------------------------------------------------------------

static bool is_far_apart(const oracle_result* result, const double* between, const oracle_voxel* i,
                         const oracle_voxel* j, const oracle_anchor* a, const oracle_anchor* b) {
    if (a->segment == ORACLE_NONE || b->segment == ORACLE_NONE) {
        return false;
    }
    double shared = 0, from[3], to[3];
    for (int k = 0; k < 4; ++k) {
        if (i->joints[k] != ORACLE_NONE) {
            shared += fmin(i->weights[k], oracle_weight(j, i->joints[k]));
        }
    }
    oracle_centre_of(i, from);
    oracle_centre_of(j, to);
    double direct = a->distance + b->distance + sqrt(oracle_squared_distance(from, to));
    double path = anchor_path(result, between, a, b);
    const bool blends = result->mode == TLW_WEIGHTS_ARTIST && !(shared < 0.5 - ORACLE_SLACK);
    return path > 1.25 * direct + ORACLE_SLACK && !blends;
}

static bool has_surface_between(const oracle_work* work, const oracle_voxel* i,
                                const oracle_voxel* j) {
    if (i->is_touched && j->is_touched) {
        return true;
    }
    int64_t p[3], q[3];
    oracle_snapped_centre(i->cell, p);
    oracle_snapped_centre(j->cell, q);
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        const int64_t* corner[3];
        for (uint32_t k = 0; k < 3; ++k) {
            corner[k] = &work->snapped[work->triangles[t * 3 + k] * 3];
        }
        if (oracle_segment_meets_triangle(p, q, corner[0], corner[1], corner[2])) {
            return true;
        }
    }
    return false;
}

static bool is_pair(const oracle_work* work, const tlw_cook_cut* cut, uint32_t i, uint32_t j) {
    return strcmp(work->input->joints[i].name, cut->joint_a) == 0 &&
           strcmp(work->input->joints[j].name, cut->joint_b) == 0;
}

static bool is_cut(const oracle_work* work, oracle_skin* skin, const double* between,
                   const oracle_voxel* i, const oracle_voxel* j, const oracle_anchor* a,
                   const oracle_anchor* b) {
    // The recipe goes before the tests; its last entry for the pair counts (RULES 6.5).
    const tlw_cook_cut* given = NULL;
    for (uint32_t c = 0; c < work->recipe->cut_count; ++c) {
        const tlw_cook_cut* cut = &work->recipe->cuts[c];
        if (is_pair(work, cut, i->joint, j->joint) || is_pair(work, cut, j->joint, i->joint)) {
            given = cut;
        }
    }
    if (given != NULL && given->kind != TLW_CUT_FORCED) {
        return given->kind == TLW_CUT_ALL;
    }
    return (given != NULL || is_far_apart(work->result, between, i, j, a, b)) &&
           has_surface_between(work, i, j) && !is_joined_by_skin(work, skin, i, j);
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
    double* between = oracle_joint_distances(work);
    oracle_skin skin = make_skin(work);
    oracle_anchor* anchors = oracle_allocate(result->voxel_count, sizeof *anchors);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        anchors[v] = oracle_find_anchor(result, &result->voxels[v]);
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
            if (is_cut(work, &skin, between, voxel, &result->voxels[other], &anchors[v],
                       &anchors[other])) {
                voxel->links &= ~(1u << bit);
                result->voxels[other].links &= ~(1u << (25 - bit));
                count_cut(result, voxel->joint, result->voxels[other].joint);
            }
        }
    }
    free_skin(&skin);
    free(anchors);
    free(between);
}
