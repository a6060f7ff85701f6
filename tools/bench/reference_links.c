// SPDX-License-Identifier: MIT
// Turns a blob's links, bits of windows in the lattice's axes, into lists of voxels.
#include "tools/bench/reference_links.h"

#include "runtime/blob.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

// The voxel of each cell, or NONE; one cell wider than the grid on every side.
typedef struct grid {
    size_t size[3];
    uint32_t* voxels;
} grid;

static uint32_t* cell_at(const grid* g, int x, int y, int z) {
    return &g->voxels[((size_t)(z + 1) * g->size[1] + (size_t)(y + 1)) * g->size[0] +
                      (size_t)(x + 1)];
}

static bool fill_grid(grid* g, const tlw_blob_cell* cells, uint32_t count) {
    int most[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i) {
        most[0] = cells[i].x > most[0] ? cells[i].x : most[0];
        most[1] = cells[i].y > most[1] ? cells[i].y : most[1];
        most[2] = cells[i].z > most[2] ? cells[i].z : most[2];
    }
    size_t all = 1;
    for (int a = 0; a < 3; ++a) {
        g->size[a] = (size_t)most[a] + 3;
        all *= g->size[a];
    }
    g->voxels = malloc(all * sizeof *g->voxels);
    if (g->voxels == NULL) {
        return false;
    }
    memset(g->voxels, 0xff, all * sizeof *g->voxels);
    for (uint32_t i = 0; i < count; ++i) {
        *cell_at(g, cells[i].x, cells[i].y, cells[i].z) = i;
    }
    return true;
}

// Whether the blob links a slot to the cell at offset o. Its steps are in the lattice's axes: lane,
// row, plane.
static bool is_linked(const tlw_blob_lattice* lattice, const tlw_blob_window* windows,
                      uint32_t slot, const int o[3]) {
    int cell = 0;
    for (uint32_t a = 3; a-- > 0;) {
        cell = cell * 3 + o[(lattice->lane_axis + a) % 3] + 1;
    }
    const int step = tlw_step_of_cell(cell);
    return windows[slot / TLW_BLOB_LANES].links[step] >> slot % TLW_BLOB_LANES & 1;
}

tlw_reference_links* tlw_reference_find_links(const void* blob) {
    uint64_t count;
    const tlw_blob_lattice* lattice = tlw_blob_find(blob, TLW_SECTION_LATTICE, &count);
    const tlw_blob_window* windows = tlw_blob_find(blob, TLW_SECTION_WINDOWS, &count);
    const tlw_blob_cell* cells = tlw_blob_find(blob, TLW_SECTION_VOXEL_CELL, &count);
    const uint32_t* slots = tlw_blob_find(blob, TLW_SECTION_VOXEL_SLOT, &count);
    grid g = {0};
    tlw_reference_links* links = calloc(lattice->voxel_count, sizeof *links);
    if (links == NULL || !fill_grid(&g, cells, lattice->voxel_count)) {
        free(links);
        return NULL;
    }
    for (uint32_t i = 0; i < lattice->voxel_count; ++i) {
        for (uint8_t k = 0; k < TLW_STEPS; ++k) {
            const int cell = tlw_cell_of_step(k);
            const int o[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
            const uint32_t other =
                *cell_at(&g, cells[i].x + o[0], cells[i].y + o[1], cells[i].z + o[2]);
            if (other != NONE && is_linked(lattice, windows, slots[i], o)) {
                links[i].neighbours[links[i].count] = other;
                links[i].steps[links[i].count++] = k;
            }
        }
    }
    free(g.voxels);
    return links;
}
