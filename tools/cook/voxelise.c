// SPDX-License-Identifier: MIT
// Stage voxelise (RULES 3): a cell is a voxel if a triangle touches it, if it cannot be reached
// from outside, or, where the welded mesh has open edges, if a vote of six signed rays (inside.c)
// says that it is inside. The vote is asked for every mesh, because the closest point of a voxel
// depends on it. Reads cook->welded and cook->grid; writes cook->voxels, and snapped and
// is_inside_out of cook->welded.
#include "tools/cook/stages.h"

// What is known of a cell while the stage runs.
enum { CELL_EMPTY, CELL_SURFACE, CELL_OUTSIDE, CELL_VOTED };

typedef struct marking {
    const tlw_cook_grid* grid;
    uint8_t* cells;
} marking;

static void mark_surface(tlw_int3 voxel, void* user) {
    marking* m = user;
    m->cells[tlw_cook_cell(m->grid, voxel)] = CELL_SURFACE;
}

// Marks every empty cell that is connected to the outside through the faces of empty cells.
static tlw_result flood_outside(tlw_cook* cook, uint8_t* cells, size_t cell_count) {
    const tlw_int3 n = cook->grid.size;
    uint32_t* stack = tlw_cook_allocate(cook, cell_count, sizeof *stack);
    if (stack == NULL) {
        return cook->error.result;
    }
    const size_t row = (size_t)n.x, layer = (size_t)n.x * (size_t)n.y;
    size_t depth = 0;
    for (size_t i = 0; i < cell_count; ++i) {
        size_t x = i % row, y = i % layer / row, z = i / layer;
        bool at_border = x == 0 || y == 0 || z == 0 || x + 1 == (size_t)n.x ||
                         y + 1 == (size_t)n.y || z + 1 == (size_t)n.z;
        if (at_border && cells[i] == CELL_EMPTY) {
            cells[i] = CELL_OUTSIDE;
            stack[depth++] = (uint32_t)i;
        }
    }
    while (depth > 0) {
        size_t i = stack[--depth];
        size_t x = i % row, y = i % layer / row, z = i / layer;
        const size_t next[6] = {i - 1, i + 1, i - row, i + row, i - layer, i + layer};
        const bool exists[6] = {x > 0, x + 1 < (size_t)n.x, y > 0, y + 1 < (size_t)n.y,
                                z > 0, z + 1 < (size_t)n.z};
        for (int k = 0; k < 6; ++k) {
            if (exists[k] && cells[next[k]] == CELL_EMPTY) {
                cells[next[k]] = CELL_OUTSIDE;
                stack[depth++] = (uint32_t)next[k];
            }
        }
    }
    tlw_cook_free(cook, stack);
    return TLW_OK;
}

static tlw_result list_voxels(tlw_cook* cook, const uint8_t* cells, const uint8_t* rays_inside,
                              size_t cell_count) {
    tlw_cook_voxels* voxels = &cook->voxels;
    size_t count = 0;
    for (size_t i = 0; i < cell_count; ++i) {
        count += cells[i] != CELL_OUTSIDE;
        voxels->from_surface += cells[i] == CELL_SURFACE;
        voxels->from_inside += cells[i] == CELL_EMPTY;
        voxels->from_vote += cells[i] == CELL_VOTED;
    }
    if (count > cook->recipe->max_voxels) {
        tlw_cook_blame(cook, "limits.voxels");
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%zu voxels; the recipe allows %u", count,
                             cook->recipe->max_voxels);
    }
    voxels->coordinates = tlw_cook_allocate(cook, count, sizeof *voxels->coordinates);
    voxels->index = tlw_cook_allocate(cook, cell_count, sizeof *voxels->index);
    voxels->is_touched = tlw_cook_allocate(cook, count, sizeof *voxels->is_touched);
    voxels->is_inside = tlw_cook_allocate(cook, count, sizeof *voxels->is_inside);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    size_t at = 0;
    for (int32_t z = 0; z < cook->grid.size.z; ++z) {
        for (int32_t y = 0; y < cook->grid.size.y; ++y) {
            for (int32_t x = 0; x < cook->grid.size.x; ++x, ++at) {
                bool is_voxel = cells[at] != CELL_OUTSIDE;
                voxels->index[at] = is_voxel ? voxels->count : TLW_NO_VOXEL;
                if (is_voxel) {
                    voxels->is_touched[voxels->count] = cells[at] == CELL_SURFACE;
                    voxels->is_inside[voxels->count] = rays_inside[at] >= TLW_RAYS_INSIDE;
                    voxels->coordinates[voxels->count++] = (tlw_int3){x, y, z};
                }
            }
        }
    }
    return TLW_OK;
}

tlw_result tlw_cook_voxelise(tlw_cook* cook) {
    const tlw_cook_grid* grid = &cook->grid;
    tlw_cook_welded* welded = &cook->welded;
    const size_t cell_count = (size_t)grid->size.x * (size_t)grid->size.y * (size_t)grid->size.z;
    uint8_t* cells = tlw_cook_allocate(cook, cell_count, sizeof *cells);
    uint8_t* rays_inside = tlw_cook_allocate(cook, cell_count, sizeof *rays_inside);
    welded->snapped = tlw_cook_allocate(cook, welded->vertex_count, sizeof *welded->snapped);
    tlw_result result = cook->error.result;
    for (uint32_t v = 0; v < welded->vertex_count && result == TLW_OK; ++v) {
        welded->snapped[v] = tlw_cook_snap(grid, welded->positions[v]);
    }
    marking m = {grid, cells};
    for (uint32_t t = 0; t < welded->triangle_count && result == TLW_OK; ++t) {
        const uint32_t* corner = welded->triangles[t];
        const tlw_int3 triangle[3] = {welded->snapped[corner[0]], welded->snapped[corner[1]],
                                      welded->snapped[corner[2]]};
        tlw_for_touched_voxels(grid, triangle, mark_surface, &m);
    }
    if (result == TLW_OK) {
        result = flood_outside(cook, cells, cell_count);
    }
    if (result == TLW_OK) {
        result = tlw_cook_cast_rays(cook, rays_inside);
    }
    for (size_t i = 0; i < cell_count && result == TLW_OK && welded->open_edges > 0; ++i) {
        if (rays_inside[i] >= TLW_RAYS_INSIDE && cells[i] == CELL_OUTSIDE) {
            cells[i] = CELL_VOTED;
        }
    }
    if (result == TLW_OK) {
        result = list_voxels(cook, cells, rays_inside, cell_count);
    }
    tlw_cook_free(cook, cells);
    tlw_cook_free(cook, rays_inside);
    return result;
}
