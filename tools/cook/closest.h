// SPDX-License-Identifier: MIT
// Private to the cooking library: the closest point of a triangle mesh, by a tree of boxes.
#ifndef TLW_TOOLS_COOK_CLOSEST_H
#define TLW_TOOLS_COOK_CLOSEST_H

#include "tools/cook/stages.h"

typedef struct tlw_closest_node {
    double low[3], high[3];
    uint32_t begin, end; // its range of `order`
    uint32_t second;     // the second child; the first is the next node. 0: a leaf
} tlw_closest_node;

typedef struct tlw_closest {
    const tlw_cook_welded* welded;
    tlw_closest_node* nodes;
    uint32_t* order; // triangles
    uint32_t node_count, triangle_count;
} tlw_closest;

typedef struct tlw_closest_point {
    uint32_t triangle;
    double share[3]; // of its corners
    double squared;  // squared distance
} tlw_closest_point;

// A tree over the triangles whose corners all have weights, or over all triangles. There must be at
// least one.
tlw_result tlw_closest_build(tlw_cook* cook, bool is_only_weighted, tlw_closest* tree);
void tlw_closest_free(tlw_cook* cook, tlw_closest* tree);

typedef struct tlw_closest_query {
    tlw_double3 point;
    // Only triangles count that have the point behind them or in their plane, if there are any. The
    // test is exact, with the point as integers.
    bool is_behind;
    tlw_int3 snapped;
    double tie;
    uint32_t hint; // a triangle that is probably near, or UINT32_MAX; changes the time, never more
} tlw_closest_query;

// The lowest triangle among those whose squared distance is at most the smallest plus `tie`.
tlw_closest_point tlw_closest_find(const tlw_closest* tree, const tlw_closest_query* query);

// Whether `test` is true for a triangle whose box touches the box from low to high. Which of
// them it is asked for first is not defined.
typedef bool tlw_closest_test(uint32_t triangle, const void* user);
bool tlw_closest_any(const tlw_closest* tree, tlw_double3 low, tlw_double3 high,
                     tlw_closest_test* test, const void* user);

#endif
