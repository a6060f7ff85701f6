// SPDX-License-Identifier: MIT
// The closest point of a mesh (RULES 5.2): a tree of boxes over its triangles, split at the median
// along the longest side. A query searches twice, for the smallest distance and then for the lowest
// triangle at that distance: a voxel on the mirror plane of a character is as far from its left
// side as from its right, and rounding must not choose between them. Used by the stages surface and
// cuts.
#include "tools/cook/closest.h"

#include "tools/cook/vectors.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_TRIANGLES 4
#define DEPTH_MAX      64

static tlw_double3 corner_of(const tlw_cook_welded* welded, uint32_t triangle, int corner) {
    return welded->positions[welded->triangles[triangle][corner]];
}

static double component(const tlw_double3* v, int axis) {
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// Three times the centre, because only the order of centres matters.
static double centre_of(const tlw_cook_welded* welded, uint32_t triangle, int axis) {
    const tlw_double3 a = corner_of(welded, triangle, 0), b = corner_of(welded, triangle, 1),
                      c = corner_of(welded, triangle, 2);
    return component(&a, axis) + component(&b, axis) + component(&c, axis);
}

// Ascending centres, equal ones by index, so that the order does not depend on the sort.
static bool comes_before(const tlw_cook_welded* welded, uint32_t a, uint32_t b, int axis) {
    double x = centre_of(welded, a, axis), y = centre_of(welded, b, axis);
    return x != y ? x < y : a < b;
}

// Puts the element of rank `middle` in its place, with smaller ones before it and larger ones
// after.
static void select_rank(const tlw_cook_welded* welded, uint32_t* list, uint32_t begin, uint32_t end,
                        uint32_t middle, int axis) {
    while (end - begin > 1) {
        uint32_t pivot = list[begin + (end - begin) / 2], low = begin, high = end - 1;
        while (low <= high) {
            while (comes_before(welded, list[low], pivot, axis)) {
                low += 1;
            }
            while (comes_before(welded, pivot, list[high], axis)) {
                high -= 1;
            }
            if (low <= high) {
                uint32_t swapped = list[low];
                list[low++] = list[high];
                list[high] = swapped;
                if (high == 0) {
                    break;
                }
                high -= 1;
            }
        }
        if (middle <= high) {
            end = high + 1;
        } else if (middle >= low) {
            begin = low;
        } else {
            return;
        }
    }
}

static void bound(tlw_closest* tree, tlw_closest_node* node) {
    for (int axis = 0; axis < 3; ++axis) {
        node->low[axis] = INFINITY;
        node->high[axis] = -INFINITY;
        for (uint32_t i = node->begin; i < node->end; ++i) {
            for (int corner = 0; corner < 3; ++corner) {
                tlw_double3 p = corner_of(tree->welded, tree->order[i], corner);
                double x = component(&p, axis);
                node->low[axis] = x < node->low[axis] ? x : node->low[axis];
                node->high[axis] = x > node->high[axis] ? x : node->high[axis];
            }
        }
    }
}

static uint32_t build(tlw_closest* tree, uint32_t begin, uint32_t end) {
    uint32_t index = tree->node_count++;
    tlw_closest_node* node = &tree->nodes[index];
    *node = (tlw_closest_node){.begin = begin, .end = end};
    bound(tree, node);
    if (end - begin > LEAF_TRIANGLES) {
        int axis = 0;
        for (int i = 1; i < 3; ++i) {
            if (node->high[i] - node->low[i] > node->high[axis] - node->low[axis]) {
                axis = i;
            }
        }
        uint32_t middle = begin + (end - begin) / 2;
        select_rank(tree->welded, tree->order, begin, end, middle, axis);
        build(tree, begin, middle);
        tree->nodes[index].second = build(tree, middle, end);
    }
    return index;
}

bool tlw_has_weights(const tlw_cook_welded* welded, uint32_t triangle) {
    for (int i = 0; i < 3; ++i) {
        const uint32_t v = welded->triangles[triangle][i];
        if (welded->influence_begin[v] == welded->influence_begin[v + 1]) {
            return false;
        }
    }
    return true;
}

tlw_result tlw_closest_build(tlw_cook* cook, bool is_only_weighted, tlw_closest* tree) {
    const uint32_t count = cook->welded.triangle_count;
    *tree = (tlw_closest){.welded = &cook->welded};
    tree->order = tlw_cook_allocate(cook, count, sizeof *tree->order);
    tree->nodes = tlw_cook_allocate(cook, (uint64_t)count * 2, sizeof *tree->nodes);
    if (cook->error.result == TLW_OK) {
        for (uint32_t i = 0; i < count; ++i) {
            if (!is_only_weighted || tlw_has_weights(&cook->welded, i)) {
                tree->order[tree->triangle_count++] = i;
            }
        }
        build(tree, 0, tree->triangle_count);
    }
    return cook->error.result;
}

void tlw_closest_free(tlw_cook* cook, tlw_closest* tree) {
    tlw_cook_free(cook, tree->order);
    tlw_cook_free(cook, tree->nodes);
}

// The triangle's plane is divided into seven areas, by whether a corner, an edge or the face is
// closest.
static tlw_closest_point closest_of_triangle(const tlw_cook_welded* welded, uint32_t triangle,
                                             tlw_double3 p) {
    const tlw_double3 a = corner_of(welded, triangle, 0), b = corner_of(welded, triangle, 1),
                      c = corner_of(welded, triangle, 2);
    const tlw_double3 ab = tlw_minus3(b, a), ac = tlw_minus3(c, a);
    const tlw_double3 ap = tlw_minus3(p, a), bp = tlw_minus3(p, b), cp = tlw_minus3(p, c);
    const double d1 = tlw_dot3(ab, ap), d2 = tlw_dot3(ac, ap), d3 = tlw_dot3(ab, bp),
                 d4 = tlw_dot3(ac, bp), d5 = tlw_dot3(ab, cp), d6 = tlw_dot3(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    double v, w; // shares of b and c
    if (d1 <= 0.0 && d2 <= 0.0) {
        v = w = 0.0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        v = 1.0;
        w = 0.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        v = 0.0;
        w = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        v = d1 / (d1 - d3);
        w = 0.0;
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        v = 0.0;
        w = d2 / (d2 - d6);
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        v = 1.0 - w;
    } else {
        const double sum = va + vb + vc;
        v = vb / sum;
        w = vc / sum;
    }
    const tlw_double3 away = {ap.x - ab.x * v - ac.x * w, ap.y - ab.y * v - ac.y * w,
                              ap.z - ab.z * v - ac.z * w};
    return (tlw_closest_point){
        .triangle = triangle, .share = {1.0 - v - w, v, w}, .squared = tlw_dot3(away, away)};
}

static double squared_to_box(const tlw_closest_node* node, tlw_double3 p) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double x = component(&p, axis);
        const double below = node->low[axis] - x, above = x - node->high[axis];
        const double farther = below > above ? below : above; // inside both are negative
        const double outside = farther > 0.0 ? farther : 0.0;
        sum += outside * outside;
    }
    return sum;
}

// Whether the triangle has the point behind it or in its plane (RULES 5.2).
static bool has_behind(const tlw_cook_welded* welded, uint32_t triangle, tlw_int3 x) {
    const tlw_int3 a = welded->snapped[welded->triangles[triangle][0]],
                   b = welded->snapped[welded->triangles[triangle][1]],
                   c = welded->snapped[welded->triangles[triangle][2]];
    const int64_t bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
    const int64_t cx = c.x - a.x, cy = c.y - a.y, cz = c.z - a.z;
    const int64_t side = (by * cz - bz * cy) * (x.x - a.x) + (bz * cx - bx * cz) * (x.y - a.y) +
                         (bx * cy - by * cx) * (x.z - a.z);
    return welded->is_inside_out ? side >= 0 : side <= 0;
}

// With is_by_index, the lowest triangle no further than `limit`; otherwise the nearest.
static tlw_closest_point search(const tlw_closest* tree, const tlw_closest_query* query,
                                double limit, bool is_by_index) {
    tlw_closest_point best = {.triangle = UINT32_MAX, .squared = limit};
    struct {
        uint32_t node;
        double squared; // to its box
    } stack[DEPTH_MAX];
    uint32_t depth = 0;
    stack[depth].node = 0;
    stack[depth++].squared = squared_to_box(&tree->nodes[0], query->point);
    while (depth > 0) {
        const uint32_t index = stack[--depth].node;
        const tlw_closest_node* node = &tree->nodes[index];
        if (stack[depth].squared > (is_by_index ? limit : best.squared)) {
            continue;
        }
        if (node->second == 0) {
            for (uint32_t i = node->begin; i < node->end; ++i) {
                const uint32_t triangle = tree->order[i];
                if (is_by_index && triangle > best.triangle) {
                    continue;
                }
                tlw_closest_point found = closest_of_triangle(tree->welded, triangle, query->point);
                if ((is_by_index ? found.squared <= limit : found.squared < best.squared) &&
                    (!query->is_behind || has_behind(tree->welded, triangle, query->snapped))) {
                    best = found;
                }
            }
            continue;
        }
        // The nearer child is pushed last, so that it is searched first.
        uint32_t near = index + 1, far = node->second;
        double to_near = squared_to_box(&tree->nodes[near], query->point);
        double to_far = squared_to_box(&tree->nodes[far], query->point);
        if (to_far < to_near) {
            const uint32_t child = near;
            const double squared = to_near;
            near = far;
            to_near = to_far;
            far = child;
            to_far = squared;
        }
        stack[depth].node = far;
        stack[depth++].squared = to_far;
        stack[depth].node = near;
        stack[depth++].squared = to_near;
    }
    return best;
}

tlw_closest_point tlw_closest_find(const tlw_closest* tree, const tlw_closest_query* query) {
    const uint32_t hint = query->hint;
    double known = INFINITY; // nothing farther than the hint needs to be searched
    if (hint != UINT32_MAX &&
        (!query->is_behind || has_behind(tree->welded, hint, query->snapped))) {
        known = closest_of_triangle(tree->welded, hint, query->point).squared;
    }
    const double nearer = search(tree, query, known, false).squared; // or equally near
    if (query->is_behind && !(nearer < INFINITY)) { // no triangle has the point behind it
        tlw_closest_query any = *query;
        any.is_behind = false;
        return tlw_closest_find(tree, &any);
    }
    return search(tree, query, nearer + query->tie, true);
}

bool tlw_closest_any(const tlw_closest* tree, tlw_double3 low, tlw_double3 high,
                     tlw_closest_test* test, const void* user) {
    uint32_t stack[DEPTH_MAX], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t index = stack[--depth];
        const tlw_closest_node* node = &tree->nodes[index];
        if (node->low[0] > high.x || node->high[0] < low.x || node->low[1] > high.y ||
            node->high[1] < low.y || node->low[2] > high.z || node->high[2] < low.z) {
            continue;
        }
        for (uint32_t i = node->begin; node->second == 0 && i < node->end; ++i) {
            if (test(tree->order[i], user)) {
                return true;
            }
        }
        if (node->second != 0) {
            stack[depth++] = node->second;
            stack[depth++] = index + 1;
        }
    }
    return false;
}
