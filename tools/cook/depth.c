// SPDX-License-Identifier: MIT
// Stage depth (RULES 9.6): how deep the body is at each voxel, which layers and limits follow.
// Reads cook->links and d_skin; writes thickness of cook->anatomy. Also the order by d_skin, which
// the field of bends follows too.
#include "tools/cook/stages.h"

// From the deepest voxels outwards: a voxel is as thick as its thickest linked neighbour that
// is deeper, in all 26 directions: by faces alone, limits of neighbours differ by half in places.
static void measure_thickness(const tlw_cook* cook, const uint32_t* order) {
    const tlw_cook_anatomy* anatomy = &cook->anatomy;
    for (uint32_t i = cook->voxels.count; i-- > 0;) {
        const uint32_t v = order[i];
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

// Counts, then places: the order among equals is that of voxels.
uint32_t* tlw_cook_sort_by_d_skin(tlw_cook* cook) {
    const uint32_t* d_skin = cook->anatomy.d_skin;
    const uint32_t count = cook->voxels.count, deepest = cook->anatomy.max_d_skin;
    uint32_t* order = tlw_cook_allocate(cook, count, sizeof *order);
    uint32_t* begin = tlw_cook_allocate(cook, (uint64_t)deepest + 2, sizeof *begin);
    for (uint32_t v = 0; cook->error.result == TLW_OK && v < count; ++v) {
        begin[d_skin[v] + 1] += 1;
    }
    for (uint32_t d = 0; cook->error.result == TLW_OK && d <= deepest; ++d) {
        begin[d + 1] += begin[d];
    }
    for (uint32_t v = 0; cook->error.result == TLW_OK && v < count; ++v) {
        order[begin[d_skin[v]]++] = v;
    }
    tlw_cook_free(cook, begin);
    return order;
}

tlw_result tlw_cook_measure_depth(tlw_cook* cook) {
    tlw_cook_anatomy* anatomy = &cook->anatomy;
    anatomy->thickness = tlw_cook_allocate(cook, cook->voxels.count, sizeof *anatomy->thickness);
    uint32_t* order = tlw_cook_sort_by_d_skin(cook);
    if (cook->error.result == TLW_OK) {
        measure_thickness(cook, order);
    }
    tlw_cook_free(cook, order);
    return cook->error.result;
}
