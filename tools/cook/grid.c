// SPDX-License-Identifier: MIT
// Stage grid (RULES 2): the size of a voxel, and a grid of cells around the mesh. Reads
// cook->welded; writes cook->grid. Also the functions that place points and cells in the grid.
#include "tools/cook/stages.h"

#include <math.h>

#define RESOLUTION_MAX 1024
#define CELLS_MAX      ((uint64_t)1 << 28)

static double axis_of(const tlw_double3* v, int axis) {
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

tlw_result tlw_cook_make_grid(tlw_cook* cook) {
    const tlw_cook_welded* welded = &cook->welded;
    const tlw_cook_recipe* recipe = cook->recipe;
    tlw_cook_grid* grid = &cook->grid;
    double low[3], high[3], extent = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = high[axis] = axis_of(&welded->positions[0], axis);
        for (uint32_t v = 0; v < welded->vertex_count; ++v) {
            double x = axis_of(&welded->positions[v], axis);
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
        extent = high[axis] - low[axis] > extent ? high[axis] - low[axis] : extent;
    }
    if (!(extent > 0.0 && extent <= 1e30)) { // so that the blob's floats stay finite
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "the mesh has an extent of %g m",
                             extent);
    }
    if (recipe->resolution > 0) {
        grid->voxel = extent / ((double)recipe->resolution - 0.5);
    } else {
        grid->voxel = recipe->voxel_metres;
    }
    double resolution = floor(extent / grid->voxel) + 1.0;
    if (!(resolution >= 2.0 && resolution <= RESOLUTION_MAX)) {
        tlw_cook_blame(cook, recipe->resolution > 0 ? "resolution" : "voxel_size");
        return tlw_cook_fail(
            cook, TLW_ERROR_TOO_LARGE,
            "a resolution of %.0f voxels (of %g m along %g m); 2 to %d are possible", resolution,
            grid->voxel, extent, RESOLUTION_MAX);
    }
    int32_t size[3];
    double origin[3];
    for (int axis = 0; axis < 3; ++axis) {
        double count = floor((high[axis] - low[axis]) / grid->voxel) + 1.0;
        size[axis] = (int32_t)count;
        origin[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * (count * grid->voxel);
    }
    grid->size = (tlw_int3){size[0], size[1], size[2]};
    grid->origin = (tlw_double3){origin[0], origin[1], origin[2]};
    grid->extent = extent;
    uint64_t cells = (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2];
    if (cells > CELLS_MAX) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                             "a grid of %d x %d x %d cells; at most %llu", size[0], size[1],
                             size[2], (unsigned long long)CELLS_MAX);
    }
    return TLW_OK;
}

static int32_t snap_axis(double x, double origin, double voxel) {
    const double limit = 1073741824.0, // 2^30
        at = floor((x - origin) / voxel * TLW_SUBVOXELS + 0.5);
    return (int32_t)(at < -limit ? -limit : at > limit ? limit : at);
}

tlw_int3 tlw_cook_snap(const tlw_cook_grid* grid, tlw_double3 point) {
    return (tlw_int3){snap_axis(point.x, grid->origin.x, grid->voxel),
                      snap_axis(point.y, grid->origin.y, grid->voxel),
                      snap_axis(point.z, grid->origin.z, grid->voxel)};
}

tlw_double3 tlw_cook_in_voxels(const tlw_cook_grid* grid, tlw_double3 point) {
    return (tlw_double3){(point.x - grid->origin.x) / grid->voxel,
                         (point.y - grid->origin.y) / grid->voxel,
                         (point.z - grid->origin.z) / grid->voxel};
}

tlw_double3 tlw_cook_voxel_centre(const tlw_cook_grid* grid, tlw_int3 cell) {
    return (tlw_double3){grid->origin.x + ((double)cell.x + 0.5) * grid->voxel,
                         grid->origin.y + ((double)cell.y + 0.5) * grid->voxel,
                         grid->origin.z + ((double)cell.z + 0.5) * grid->voxel};
}

tlw_int3 tlw_cook_snapped_centre(tlw_int3 cell) {
    const int32_t half = TLW_SUBVOXELS / 2;
    return (tlw_int3){cell.x * TLW_SUBVOXELS + half, cell.y * TLW_SUBVOXELS + half,
                      cell.z * TLW_SUBVOXELS + half};
}

size_t tlw_cook_cell(const tlw_cook_grid* grid, tlw_int3 cell) {
    return ((size_t)cell.z * (size_t)grid->size.y + (size_t)cell.y) * (size_t)grid->size.x +
           (size_t)cell.x;
}

bool tlw_cook_inside_grid(const tlw_cook_grid* grid, tlw_int3 cell) {
    return cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x < grid->size.x &&
           cell.y < grid->size.y && cell.z < grid->size.z;
}

uint32_t tlw_cook_voxel_at(const tlw_cook* cook, tlw_int3 cell) {
    return tlw_cook_inside_grid(&cook->grid, cell)
               ? cook->voxels.index[tlw_cook_cell(&cook->grid, cell)]
               : TLW_NO_VOXEL;
}
