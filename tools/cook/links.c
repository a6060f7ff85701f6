// SPDX-License-Identifier: MIT
// Stage links (RULES 6): a link from every voxel to each of its 26 neighbours that is a voxel. The
// stage cuts takes links away later. Reads cook->voxels; writes cook->links.masks. Also the steps
// over the 26 neighbours that every later stage uses.
#include "tools/cook/stages.h"

// Bit i of a link mask is step i; the opposite of step i is TLW_STEPS - 1 - i.
const tlw_int3 tlw_link_steps[TLW_STEPS] = {
    {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1}, {1, 0, -1}, {-1, 1, -1},
    {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0}, {-1, 0, 0}, {1, 0, 0},
    {-1, 1, 0},   {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1}, {-1, 0, 1},
    {0, 0, 1},    {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1},
};
const uint8_t tlw_link_lengths[TLW_STEPS] = {3, 2, 3, 2, 1, 2, 3, 2, 3, 2, 1, 2, 1,
                                             1, 2, 1, 2, 3, 2, 3, 2, 1, 2, 3, 2, 3};

uint32_t tlw_linked_voxel(const tlw_cook* cook, uint32_t voxel, int step) {
    const tlw_int3 at = cook->voxels.coordinates[voxel], by = tlw_link_steps[step];
    return cook->voxels
        .index[tlw_cook_cell(&cook->grid, (tlw_int3){at.x + by.x, at.y + by.y, at.z + by.z})];
}

uint32_t tlw_cook_all_links(const tlw_cook* cook, uint32_t voxel) {
    const tlw_int3 at = cook->voxels.coordinates[voxel];
    uint32_t mask = 0;
    for (int step = 0; step < TLW_STEPS; ++step) {
        const tlw_int3 by = tlw_link_steps[step];
        const tlw_int3 to = {at.x + by.x, at.y + by.y, at.z + by.z};
        mask |= (tlw_cook_voxel_at(cook, to) != TLW_NO_VOXEL) * 1u << step;
    }
    return mask;
}

uint32_t tlw_cook_linked_faces(const tlw_cook* cook, uint32_t voxel, uint32_t faces[6]) {
    static const int steps[6] = {TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS,   TLW_STEP_ROW_MINUS,
                                 TLW_STEP_ROW_PLUS,   TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS};
    uint32_t count = 0;
    for (int i = 0; i < 6; ++i) {
        if (cook->links.masks[voxel] >> steps[i] & 1) {
            faces[count++] = tlw_linked_voxel(cook, voxel, steps[i]);
        }
    }
    return count;
}

tlw_result tlw_cook_link(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    cook->links.masks = tlw_cook_allocate(cook, count, sizeof *cook->links.masks);
    for (uint32_t v = 0; cook->links.masks != NULL && v < count; ++v) {
        cook->links.masks[v] = tlw_cook_all_links(cook, v);
    }
    return cook->error.result;
}
