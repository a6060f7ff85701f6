// SPDX-License-Identifier: MIT
// Stage volume (RULES 9.4 and 9.5): the weights of the volume pass (Eq. 13 of Iwamoto et al. 2015),
// and which ends of the three lattice axes a voxel has neighbours on. Reads cook->links,
// cook->anatomy and the lane axis; writes cook->volume.
#include "tools/cook/stages.h"

static float volume_weight_of(const tlw_cook* cook, uint32_t voxel) {
    const uint32_t deepest = cook->anatomy.max_d_skin > 1 ? cook->anatomy.max_d_skin : 1;
    return cook->anatomy.layer[voxel] == 0
               ? 0.0f
               : (float)(1.0 - (double)cook->anatomy.d_skin[voxel] / (double)deepest);
}

// Steps through the faces across each axis of the grid, x, y, z.
static const int face_minus[3] = {TLW_STEP_LANE_MINUS, TLW_STEP_ROW_MINUS, TLW_STEP_PLANE_MINUS},
                 face_plus[3] = {TLW_STEP_LANE_PLUS, TLW_STEP_ROW_PLUS, TLW_STEP_PLANE_PLUS};

// The sum of the weights on both sides, minus side first; 0 for a side without a linked face.
static float volume_pair_of(const tlw_cook* cook, uint32_t voxel, uint32_t axis) {
    const int steps[2] = {face_minus[axis], face_plus[axis]};
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i) {
        if (cook->links.masks[voxel] >> steps[i] & 1) {
            sum += cook->volume.weight[tlw_linked_voxel(cook, voxel, steps[i])];
        }
    }
    return sum;
}

// Where exactly one side has no linked face, the voxel stands for its neighbour on that side.
static int8_t volume_end_of(const tlw_cook* cook, uint32_t voxel, uint32_t axis) {
    const uint32_t mask = cook->links.masks[voxel];
    return (int8_t)((int)(mask >> face_minus[axis] & 1) - (int)(mask >> face_plus[axis] & 1));
}

tlw_result tlw_cook_make_volume(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_volume* volume = &cook->volume;
    volume->weight = tlw_cook_allocate(cook, count, sizeof *volume->weight);
    volume->pair = tlw_cook_allocate(cook, count, sizeof *volume->pair);
    volume->end = tlw_cook_allocate(cook, count, sizeof *volume->end);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t v = 0; v < count; ++v) {
        volume->weight[v] = volume_weight_of(cook, v);
    }
    for (uint32_t v = 0; v < count; ++v) {
        for (uint32_t a = 0; a < 3; ++a) {
            const uint32_t axis = (cook->order.lane_axis + a) % 3; // of the grid
            volume->pair[v][a] = volume_pair_of(cook, v, axis);
            volume->end[v][a] = volume_end_of(cook, v, axis);
        }
    }
    return TLW_OK;
}
