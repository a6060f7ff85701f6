// SPDX-License-Identifier: MIT
// Stage surface (RULES 5.2): the closest point of the mesh for every voxel, with its triangle.
// Where the voxel's centre is inside, triangles that face it do not count: of two thighs that
// overlap, each keeps its own skin. Reads cook->welded and cook->voxels; writes cook->surface and
// cook->tree. Voxels are searched in parallel, each by itself.
#include "tools/cook/closest.h"
#include "tools/cook/stages.h"

static void find_closest(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    (void)worker;
    const tlw_cook* cook = context;
    tlw_closest_query query = {.tie = TLW_SLACK * cook->grid.voxel * cook->grid.voxel,
                               .hint = UINT32_MAX};
    for (uint32_t v = begin; v < end; ++v) {
        const tlw_int3 cell = cook->voxels.coordinates[v];
        query.point = tlw_cook_voxel_centre(&cook->grid, cell);
        query.is_behind = cook->voxels.is_inside[v];
        query.snapped = tlw_cook_snapped_centre(cell);
        const tlw_closest_point found = tlw_closest_find(cook->tree, &query);
        query.hint = found.triangle; // most voxels lie beside the one before
        cook->surface[v] =
            (tlw_surface_point){found.triangle, {found.share[0], found.share[1], found.share[2]}};
    }
}

tlw_result tlw_cook_find_surface(tlw_cook* cook) {
    bool has_weights = false;
    for (uint32_t t = 0; t < cook->welded.triangle_count && !has_weights; ++t) {
        has_weights = tlw_has_weights(&cook->welded, t);
    }
    cook->surface = tlw_cook_allocate(cook, cook->voxels.count, sizeof *cook->surface);
    cook->tree = tlw_cook_allocate(cook, 1, sizeof *cook->tree);
    if (cook->error.result == TLW_OK &&
        tlw_closest_build(cook, has_weights, cook->tree) == TLW_OK) {
        tlw_cook_run_task(cook, find_closest, cook->voxels.count, 256, cook);
    }
    tlw_cook_free(cook, cook->voxels.is_inside);
    cook->voxels.is_inside = NULL;
    return cook->error.result;
}
