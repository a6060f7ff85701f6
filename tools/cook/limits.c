// SPDX-License-Identifier: MIT
// Stage limits (RULES 9.6): how far a voxel may leave its skinned position. The limit follows the
// local thickness, because one limit for all voxels lets arms smear across a body. Reads
// cook->parts, cook->weights and thickness of cook->anatomy; writes limit of cook->anatomy.
#include "tools/cook/stages.h"

static float limit_of(const tlw_cook* cook, uint32_t voxel) {
    const tlw_cook_thresholds* by = &cook->parts.thresholds[tlw_cook_part_of(cook, voxel)];
    const double by_extent = (double)by->limit_extent * (cook->grid.extent / cook->grid.voxel);
    const double by_thickness =
        (double)by->limit_thickness * ((double)cook->anatomy.thickness[voxel] + 1.0);
    return (float)(by_extent < by_thickness ? by_extent : by_thickness);
}

tlw_result tlw_cook_make_limits(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_anatomy* anatomy = &cook->anatomy;
    anatomy->limit = tlw_cook_allocate(cook, count, sizeof *anatomy->limit);
    for (uint32_t v = 0; v < count && anatomy->limit != NULL; ++v) {
        anatomy->limit[v] = limit_of(cook, v);
    }
    return cook->error.result;
}
