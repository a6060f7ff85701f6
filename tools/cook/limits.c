// SPDX-License-Identifier: MIT
// Stage limits (RULES 9.6): how far a voxel may leave its skinned position. The limit follows the
// local thickness, because one limit for all voxels lets arms smear across a body. Reads
// cook->links, d_skin and the recipe; writes thickness and limit of cook->anatomy.
#include "tools/cook/stages.h"

#include <stdlib.h>

static int compare_by_depth(const void* a, const void* b) {
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? 1 : x > y ? -1 : 0; // deepest first
}

// From the deepest voxels outwards: a voxel is as thick as its thickest linked neighbour that
// is deeper, in all 26 directions: by faces alone, limits of neighbours differ by half in places.
static void measure_thickness(const tlw_cook* cook, uint64_t* order) {
    const uint32_t count = cook->voxels.count;
    const tlw_cook_anatomy* anatomy = &cook->anatomy;
    for (uint32_t v = 0; v < count; ++v) {
        order[v] = (uint64_t)anatomy->d_skin[v] << 32 | v;
    }
    qsort(order, count, sizeof *order, compare_by_depth);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t v = (uint32_t)order[i];
        anatomy->thickness[v] = anatomy->d_skin[v];
        for (uint32_t left = cook->links.masks[v]; left != 0; left &= left - 1) {
            const uint32_t to = tlw_linked_voxel(cook, v, __builtin_ctz(left));
            if (anatomy->d_skin[to] > anatomy->d_skin[v] &&
                anatomy->thickness[to] > anatomy->thickness[v]) {
                anatomy->thickness[v] = anatomy->thickness[to];
            }
        }
    }
}

static float limit_of(const tlw_cook* cook, uint32_t voxel) {
    const double by_extent =
        (double)cook->recipe->limit_extent * (cook->grid.extent / cook->grid.voxel);
    const double by_thickness =
        (double)cook->recipe->limit_thickness * ((double)cook->anatomy.thickness[voxel] + 1.0);
    return (float)(by_extent < by_thickness ? by_extent : by_thickness);
}

tlw_result tlw_cook_make_limits(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_anatomy* anatomy = &cook->anatomy;
    anatomy->thickness = tlw_cook_allocate(cook, count, sizeof *anatomy->thickness);
    anatomy->limit = tlw_cook_allocate(cook, count, sizeof *anatomy->limit);
    uint64_t* order = tlw_cook_allocate(cook, count, sizeof *order);
    if (cook->error.result == TLW_OK) {
        measure_thickness(cook, order);
        for (uint32_t v = 0; v < count; ++v) {
            anatomy->limit[v] = limit_of(cook, v);
        }
    }
    tlw_cook_free(cook, order);
    return cook->error.result;
}
