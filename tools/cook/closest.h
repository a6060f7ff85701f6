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
    uint32_t node_count;
} tlw_closest;

typedef struct tlw_closest_point {
    uint32_t triangle;
    double share[3]; // of its corners
    double squared;  // squared distance
} tlw_closest_point;

// A tree over the triangles whose corners all have weights, over all triangles if there are none.
tlw_result tlw_closest_build(tlw_cook* cook, tlw_closest* tree);
void tlw_closest_free(tlw_cook* cook, tlw_closest* tree);

// The lowest triangle among those whose squared distance is at most the smallest plus `tie`. `hint`
// is a triangle that is probably near, or UINT32_MAX; it changes the time of the search, never its
// result.
tlw_closest_point tlw_closest_find(const tlw_closest* tree, tlw_double3 point, double tie,
                                   uint32_t hint);

#endif
