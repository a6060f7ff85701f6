// SPDX-License-Identifier: MIT
// Stage links (design.md, cooking rule 6): voxels are linked to their 26 neighbours, but for links
// that would fuse limbs that merely lie close in the bind pose: the way along the skeleton is much
// longer than the way across, and the two voxels share little weight. Reads weights and skeleton;
// writes cook->links.
#include "tools/cook/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_OVER_DIRECT 1.5
#define SHARED_WEIGHT    0.5

static double distance(tlw_double3 a, tlw_double3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

// Where a voxel hangs on the skeleton: the nearest point of its largest-weight joint's segments.
typedef struct anchor {
    tlw_double3 point;
    double away; // from the voxel's centre
    uint32_t segment;
} anchor;

static anchor anchor_on(const tlw_cook_segment* segment, uint32_t index, tlw_double3 centre) {
    const tlw_double3 a = segment->start, b = segment->end;
    const tlw_double3 along = {b.x - a.x, b.y - a.y, b.z - a.z};
    const double squared = along.x * along.x + along.y * along.y + along.z * along.z;
    double t = 0.0;
    if (squared > 0.0) {
        t = ((centre.x - a.x) * along.x + (centre.y - a.y) * along.y + (centre.z - a.z) * along.z) /
            squared;
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    }
    const tlw_double3 point = {a.x + along.x * t, a.y + along.y * t, a.z + along.z * t};
    return (anchor){point, distance(centre, point), index};
}

double tlw_squared_to_segment(const tlw_cook_segment* segment, tlw_double3 point) {
    const anchor found = anchor_on(segment, 0, point);
    return found.away * found.away;
}

// The nearest; of several, the first.
static anchor find_anchor(const tlw_cook* cook, uint32_t voxel) {
    const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[cook->weights[voxel].joint[0]];
    const tlw_double3 centre = tlw_cook_voxel_centre(&cook->grid, cook->voxels.coordinates[voxel]);
    const double slack = TLW_SLACK * cook->grid.voxel * cook->grid.voxel;
    anchor best = {.away = INFINITY, .segment = UINT32_MAX};
    for (uint32_t s = joint->segment_begin; s < joint->segment_end; ++s) {
        const anchor found = anchor_on(&cook->skeleton.segments[s], s, centre);
        if (found.away * found.away < best.away * best.away - slack) {
            best = found;
        }
    }
    return best;
}

// Lengths between joints along the skeleton; infinite between trees.
static tlw_result measure_skeleton(tlw_cook* cook, double* lengths) {
    const tlw_cook_skeleton* skeleton = &cook->skeleton;
    const uint32_t n = skeleton->joint_count;
    for (uint32_t from = 0; from < n; ++from) {
        for (uint32_t to = 0; to < n; ++to) {
            // Up from both to the first common ancestor: what the climbs do not share.
            double length = INFINITY, climbed = 0.0;
            uint32_t up = from;
            while (up != TLW_NO_JOINT && length == INFINITY) {
                double other = 0.0;
                for (uint32_t at = to; at != TLW_NO_JOINT; at = skeleton->joints[at].parent) {
                    if (at == up) {
                        length = climbed + other;
                        break;
                    }
                    const uint32_t above = skeleton->joints[at].parent;
                    if (above != TLW_NO_JOINT) {
                        other += distance(skeleton->joints[at].position,
                                          skeleton->joints[above].position);
                    }
                }
                const uint32_t above = skeleton->joints[up].parent;
                if (above != TLW_NO_JOINT) {
                    climbed +=
                        distance(skeleton->joints[up].position, skeleton->joints[above].position);
                }
                up = above;
            }
            lengths[(size_t)from * n + to] = length;
        }
    }
    return TLW_OK;
}

static double path_between(const tlw_cook* cook, const double* lengths, const anchor* a,
                           const anchor* b) {
    if (a->segment == b->segment) {
        return distance(a->point, b->point);
    }
    const tlw_cook_segment* sa = &cook->skeleton.segments[a->segment];
    const tlw_cook_segment* sb = &cook->skeleton.segments[b->segment];
    const size_t n = cook->skeleton.joint_count;
    double best = INFINITY;
    for (int i = 0; i < 2; ++i) {
        const uint32_t from = i ? sa->child : sa->owner;
        for (int k = 0; k < 2 && from != TLW_NO_JOINT; ++k) {
            const uint32_t to = k ? sb->child : sb->owner;
            if (to != TLW_NO_JOINT) {
                const double length = distance(a->point, i ? sa->end : sa->start) +
                                      lengths[(size_t)from * n + to] +
                                      distance(b->point, k ? sb->end : sb->start);
                best = length < best ? length : best;
            }
        }
    }
    return best;
}

static double shared_weight(const tlw_voxel_weights* a, const tlw_voxel_weights* b) {
    double sum = 0.0;
    for (int i = 0; i < TLW_VOXEL_JOINTS; ++i) {
        for (int k = 0; k < TLW_VOXEL_JOINTS; ++k) {
            if (a->joint[i] == b->joint[k] && a->weight[i] > 0.0 && b->weight[k] > 0.0) {
                sum += a->weight[i] < b->weight[k] ? a->weight[i] : b->weight[k];
            }
        }
    }
    return sum;
}

// What the recipe says of two joints: cut, keep, or nothing.
typedef enum wish { WISH_NONE, WISH_CUT, WISH_KEEP } wish;

static wish wish_of(const tlw_cook* cook, uint32_t a, uint32_t b) {
    const tlw_cook_joint* joints = cook->input->joints;
    wish found = WISH_NONE;
    for (uint32_t i = 0; i < cook->recipe->cut_count; ++i) {
        const tlw_cook_cut* cut = &cook->recipe->cuts[i];
        const bool matches = (strcmp(cut->joint_a, joints[a].name) == 0 &&
                              strcmp(cut->joint_b, joints[b].name) == 0) ||
                             (strcmp(cut->joint_a, joints[b].name) == 0 &&
                              strcmp(cut->joint_b, joints[a].name) == 0);
        if (matches) {
            found = cut->is_forced ? WISH_CUT : WISH_KEEP; // the last word counts
        }
    }
    return found;
}

static void link_all(tlw_cook* cook) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_int3 at = cook->voxels.coordinates[v];
        cook->links.masks[v] = 0;
        for (int step = 0; step < 26; ++step) {
            const tlw_int3 by = tlw_link_steps[step];
            const tlw_int3 to = {at.x + by.x, at.y + by.y, at.z + by.z};
            if (tlw_cook_inside_grid(&cook->grid, to) &&
                cook->voxels.index[tlw_cook_cell(&cook->grid, to)] != TLW_NO_VOXEL) {
                cook->links.masks[v] |= 1u << step;
            }
        }
    }
}

typedef struct cutting {
    anchor* anchors;
    double* lengths;
    uint8_t* wishes;  // of each pair of joints
    uint32_t* counts; // likewise
} cutting;

static bool must_cut(const tlw_cook* cook, const cutting* c, uint32_t i, uint32_t j, int step) {
    const uint32_t a = cook->weights[i].joint[0], b = cook->weights[j].joint[0];
    const size_t pair = (size_t)a * cook->skeleton.joint_count + b;
    if (c->wishes[pair] != WISH_NONE) {
        return c->wishes[pair] == WISH_CUT;
    }
    if (c->anchors[i].segment == UINT32_MAX || c->anchors[j].segment == UINT32_MAX) {
        return false;
    }
    const double across = sqrt((double)tlw_link_lengths[step]) * cook->grid.voxel;
    const double direct = c->anchors[i].away + c->anchors[j].away + across;
    const double path = path_between(cook, c->lengths, &c->anchors[i], &c->anchors[j]);
    return path > PATH_OVER_DIRECT * direct + TLW_SLACK * cook->grid.voxel &&
           shared_weight(&cook->weights[i], &cook->weights[j]) < SHARED_WEIGHT - TLW_SLACK;
}

static void cut_links(tlw_cook* cook, cutting* c) {
    const size_t n = cook->skeleton.joint_count;
    for (uint32_t i = 0; i < cook->voxels.count; ++i) {
        // The second half of the steps leads to later voxels: each link is looked at once.
        for (int step = 13; step < 26; ++step) {
            if (!(cook->links.masks[i] >> step & 1)) {
                continue;
            }
            const uint32_t j = tlw_linked_voxel(cook, i, step);
            if (must_cut(cook, c, i, j, step)) {
                cook->links.masks[i] &= ~(1u << step);
                cook->links.masks[j] &= ~(1u << (25 - step));
                const uint32_t a = cook->weights[i].joint[0], b = cook->weights[j].joint[0];
                c->counts[a < b ? a * n + b : b * n + a] += 1;
                cook->links.cut_count += 1;
            }
        }
    }
}

static tlw_result list_cuts(tlw_cook* cook, const cutting* c) {
    const uint32_t n = cook->skeleton.joint_count;
    uint32_t pairs = 0;
    for (size_t i = 0; i < (size_t)n * n; ++i) {
        pairs += c->counts[i] > 0;
    }
    cook->links.cuts = tlw_cook_allocate(cook, pairs, sizeof *cook->links.cuts);
    if (cook->links.cuts == NULL) {
        return cook->error.result;
    }
    for (size_t i = 0; i < (size_t)n * n; ++i) {
        if (c->counts[i] > 0) {
            cook->links.cuts[cook->links.cut_pair_count++] =
                (tlw_cook_cut_count){(uint32_t)(i / n), (uint32_t)(i % n), c->counts[i]};
        }
    }
    return TLW_OK;
}

tlw_result tlw_cook_link(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    const uint64_t n = cook->skeleton.joint_count;
    cook->links.masks = tlw_cook_allocate(cook, count, sizeof *cook->links.masks);
    cutting c = {.anchors = tlw_cook_allocate(cook, count, sizeof *c.anchors),
                 .lengths = tlw_cook_allocate(cook, n * n, sizeof *c.lengths),
                 .wishes = tlw_cook_allocate(cook, n * n, sizeof *c.wishes),
                 .counts = tlw_cook_allocate(cook, n * n, sizeof *c.counts)};
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        link_all(cook);
        // Geodesic weights follow links: on all of them for the test, then again on those left.
        result = tlw_cook_weigh(cook);
    }
    if (result == TLW_OK) {
        result = measure_skeleton(cook, c.lengths);
        for (uint32_t a = 0; a < n; ++a) {
            for (uint32_t b = 0; b < n; ++b) {
                c.wishes[a * n + b] = (uint8_t)wish_of(cook, a, b);
            }
        }
        for (uint32_t v = 0; v < count; ++v) {
            c.anchors[v] = find_anchor(cook, v);
        }
        cut_links(cook, &c);
        result = list_cuts(cook, &c);
    }
    if (result == TLW_OK && !cook->has_artist_weights) {
        result = tlw_cook_weigh(cook);
    }
    tlw_cook_free(cook, c.anchors, count, sizeof *c.anchors);
    tlw_cook_free(cook, c.lengths, n * n, sizeof *c.lengths);
    tlw_cook_free(cook, c.wishes, n * n, sizeof *c.wishes);
    tlw_cook_free(cook, c.counts, n * n, sizeof *c.counts);
    return result;
}
