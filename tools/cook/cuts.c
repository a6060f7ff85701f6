// SPDX-License-Identifier: MIT
// Stage cuts (RULES 6): takes away links that would fuse limbs that merely lie close in the bind
// pose. Three tests must hold: the path along the skeleton is much longer than the way across and
// the two voxels share little weight; surface is between them; no skin joins them. Only links that
// pass the first, which few do, need the two others (skin.c). Reads cook->weights, cook->skeleton,
// cook->voxels and cook->surface; writes cook->links and frees cook->tree.
#include "tools/cook/closest.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdlib.h>

#define PATH_OVER_DIRECT 1.25
#define SHARED_WEIGHT    0.5
// The second half of the steps leads to later voxels, so that each link is looked at once.
#define FIRST_LATER_STEP (TLW_STEPS / 2)
#define LATER_STEPS      (~0u << FIRST_LATER_STEP)

static double distance(tlw_double3 a, tlw_double3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static tlw_anchor anchor_on(const tlw_cook_segment* segment, uint32_t index, tlw_double3 centre) {
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
    return (tlw_anchor){point, distance(centre, point), index};
}

double tlw_squared_to_segment(const tlw_cook_segment* segment, tlw_double3 point) {
    const tlw_anchor found = anchor_on(segment, 0, point);
    return found.away * found.away;
}

// The nearest; the first of several that are equally near.
tlw_anchor tlw_cook_find_anchor(const tlw_cook* cook, uint32_t voxel) {
    const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[cook->weights[voxel].joint[0]];
    const tlw_double3 centre = tlw_cook_voxel_centre(&cook->grid, cook->voxels.coordinates[voxel]);
    const double slack = TLW_SLACK * cook->grid.voxel * cook->grid.voxel;
    tlw_anchor best = {.away = INFINITY, .segment = UINT32_MAX};
    for (uint32_t s = joint->segment_begin; s < joint->segment_end; ++s) {
        const tlw_anchor found = anchor_on(&cook->skeleton.segments[s], s, centre);
        if (found.away * found.away < best.away * best.away - slack) {
            best = found;
        }
    }
    return best;
}

// The shortest path between two anchors: out of either end of one segment and into either end of
// the other. The far end of a leaf leads nowhere.
static double path_between(const tlw_cook* cook, const tlw_ways* ways, const tlw_anchor* a,
                           const tlw_anchor* b) {
    if (a->segment == b->segment) {
        return distance(a->point, b->point);
    }
    const tlw_cook_segment* sa = &cook->skeleton.segments[a->segment];
    const tlw_cook_segment* sb = &cook->skeleton.segments[b->segment];
    double best = INFINITY;
    for (int i = 0; i < 2; ++i) {
        const uint32_t from = i ? sa->child : sa->owner;
        for (int k = 0; k < 2 && from != TLW_NO_JOINT; ++k) {
            const uint32_t to = k ? sb->child : sb->owner;
            if (to != TLW_NO_JOINT) {
                const double length = distance(a->point, i ? sa->end : sa->start) +
                                      tlw_way_between(ways, from, to) +
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

// What the recipe asks for between two joints.
typedef enum wish { WISH_NONE, WISH_KEEP, WISH_CUT, WISH_CUT_ALL } wish;

typedef struct joint_pair {
    uint32_t a, b; // a <= b
} joint_pair;

static joint_pair pair_of(uint32_t a, uint32_t b) {
    return a < b ? (joint_pair){a, b} : (joint_pair){b, a};
}

static int compare_pairs(const void* a, const void* b) {
    const joint_pair *x = a, *y = b;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

typedef struct pair_wish {
    joint_pair pair;
    uint32_t number; // in the recipe: the last entry for a pair counts
    wish wish;
} pair_wish;

static int compare_wishes(const void* a, const void* b) {
    const pair_wish *x = a, *y = b;
    const int order = compare_pairs(&x->pair, &y->pair);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static void read_wishes(const tlw_cook* cook, pair_wish* wishes) {
    const uint32_t joints = cook->input->joint_count, count = cook->recipe->cut_count;
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_cook_cut* cut = &cook->recipe->cuts[i];
        wishes[i] = (pair_wish){pair_of(tlw_find_joint_name(cook->names, joints, cut->joint_a),
                                        tlw_find_joint_name(cook->names, joints, cut->joint_b)),
                                i,
                                cut->kind == TLW_CUT_ALL      ? WISH_CUT_ALL
                                : cut->kind == TLW_CUT_FORCED ? WISH_CUT
                                                              : WISH_KEEP};
    }
    if (count > 0) {
        qsort(wishes, count, sizeof *wishes, compare_wishes);
    }
}

static wish wish_of(const pair_wish* wishes, uint32_t count, joint_pair pair) {
    uint32_t low = 0, high = count; // ends one past the last entry for the pair
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_pairs(&wishes[middle].pair, &pair) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && compare_pairs(&wishes[low - 1].pair, &pair) == 0 ? wishes[low - 1].wish
                                                                       : WISH_NONE;
}

typedef struct cutting {
    tlw_anchor* anchors; // per voxel; only those with is_anchored
    bool* is_anchored;   // per voxel: few need their anchor
    pair_wish* wishes;   // the recipe's cuts, sorted by pair
    tlw_ways* ways;
    tlw_skin* skin;
} cutting;

static const tlw_anchor* anchor_of(const tlw_cook* cook, cutting* c, uint32_t voxel) {
    if (!c->is_anchored[voxel]) {
        c->is_anchored[voxel] = true;
        c->anchors[voxel] = tlw_cook_find_anchor(cook, voxel);
    }
    return &c->anchors[voxel];
}

// The first test. Computed weights cross the gap between two limbs, so that what they share says
// nothing: there the path decides alone.
static bool are_far_apart(const tlw_cook* cook, cutting* c, uint32_t i, uint32_t j, int step) {
    if (cook->has_artist_weights &&
        !(shared_weight(&cook->weights[i], &cook->weights[j]) < SHARED_WEIGHT - TLW_SLACK)) {
        return false;
    }
    const tlw_anchor *a = anchor_of(cook, c, i), *b = anchor_of(cook, c, j);
    if (a->segment == UINT32_MAX || b->segment == UINT32_MAX) {
        return false;
    }
    const double across = sqrt((double)tlw_link_lengths[step]) * cook->grid.voxel;
    const double path = path_between(cook, c->ways, a, b);
    return path > PATH_OVER_DIRECT * ((a->away + b->away) + across) + TLW_SLACK * cook->grid.voxel;
}

static bool must_cut(const tlw_cook* cook, cutting* c, uint32_t i, uint32_t j, int step) {
    const wish wished = wish_of(c->wishes, cook->recipe->cut_count,
                                pair_of(cook->weights[i].joint[0], cook->weights[j].joint[0]));
    if (wished == WISH_KEEP || wished == WISH_CUT_ALL) {
        return wished == WISH_CUT_ALL;
    }
    return (wished == WISH_CUT || are_far_apart(cook, c, i, j, step)) &&
           tlw_skin_is_between(c->skin, i, j) && !tlw_skin_joins(c->skin, i, j);
}

static void cut_links(tlw_cook* cook, cutting* c) {
    for (uint32_t i = 0; i < cook->voxels.count; ++i) {
        for (int step = FIRST_LATER_STEP; step < TLW_STEPS; ++step) {
            if (!(cook->links.masks[i] >> step & 1)) {
                continue;
            }
            const uint32_t j = tlw_linked_voxel(cook, i, step);
            if (must_cut(cook, c, i, j, step)) {
                cook->links.masks[i] &= ~(1u << step);
                cook->links.masks[j] &= ~(1u << (TLW_STEPS - 1 - step));
                cook->links.cut_count += 1;
            }
        }
    }
}

// Counts cut links by pairs of joints. A link is cut where two neighbours are voxels and the mask
// does not have their link.
static tlw_result list_cuts(tlw_cook* cook) {
    tlw_cook_links* links = &cook->links;
    joint_pair* pairs = tlw_cook_allocate(cook, links->cut_count, sizeof *pairs);
    if (pairs == NULL) {
        return cook->error.result;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < cook->voxels.count && links->cut_count > 0; ++i) {
        for (uint32_t left = tlw_cook_all_links(cook, i) & ~links->masks[i] & LATER_STEPS;
             left != 0; left &= left - 1) {
            const uint32_t j = tlw_linked_voxel(cook, i, __builtin_ctz(left));
            pairs[found++] = pair_of(cook->weights[i].joint[0], cook->weights[j].joint[0]);
        }
    }
    if (found > 0) {
        qsort(pairs, found, sizeof *pairs, compare_pairs);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < found; ++i) {
        count += i == 0 || compare_pairs(&pairs[i - 1], &pairs[i]) != 0;
    }
    links->cuts = tlw_cook_allocate(cook, count, sizeof *links->cuts);
    for (uint32_t i = 0; i < found && links->cuts != NULL; ++i) {
        if (i == 0 || compare_pairs(&pairs[i - 1], &pairs[i]) != 0) {
            links->cuts[links->cut_pair_count++] = (tlw_cook_cut_count){pairs[i].a, pairs[i].b, 0};
        }
        links->cuts[links->cut_pair_count - 1].count += 1;
    }
    tlw_cook_free(cook, pairs);
    return cook->error.result;
}

static void free_searched(tlw_cook* cook) {
    tlw_closest_free(cook, cook->tree);
    tlw_cook_free(cook, cook->tree);
    tlw_cook_free(cook, cook->voxels.is_touched);
    cook->tree = NULL;
    cook->voxels.is_touched = NULL;
}

tlw_result tlw_cook_cut_links(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    cutting c = {.anchors = tlw_cook_allocate(cook, count, sizeof *c.anchors),
                 .is_anchored = tlw_cook_allocate(cook, count, sizeof *c.is_anchored),
                 .wishes = tlw_cook_allocate(cook, cook->recipe->cut_count, sizeof *c.wishes),
                 .ways = tlw_cook_make_ways(cook),
                 .skin = tlw_cook_make_skin(cook)};
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        read_wishes(cook, c.wishes);
        cut_links(cook, &c);
        result = list_cuts(cook);
    }
    tlw_cook_free(cook, c.anchors);
    tlw_cook_free(cook, c.is_anchored);
    tlw_cook_free(cook, c.wishes);
    tlw_cook_free_ways(cook, c.ways);
    tlw_cook_free_skin(cook, c.skin);
    free_searched(cook);
    return result;
}
