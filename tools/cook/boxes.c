// SPDX-License-Identifier: MIT
// Stage boxes (RULES 11.6): for each joint, the box of cells whose voxels follow it, along the
// lattice axes. The runtime moves the corners of these boxes to see whether a pose jumps. Reads
// cook->weights and the lane axis; writes cook->boxes.
#include "tools/cook/stages.h"

static void widen_box(tlw_blob_joint_box* box, tlw_int3 cell) {
    const int16_t at[3] = {(int16_t)cell.x, (int16_t)cell.y, (int16_t)cell.z};
    const bool is_empty = box->low[0] > box->high[0];
    for (int i = 0; i < 3; ++i) {
        box->low[i] = is_empty || at[i] < box->low[i] ? at[i] : box->low[i];
        box->high[i] = is_empty || at[i] > box->high[i] ? at[i] : box->high[i];
    }
}

tlw_result tlw_cook_make_boxes(tlw_cook* cook) {
    const uint32_t joint_count = cook->input->joint_count;
    cook->boxes = tlw_cook_allocate(cook, joint_count, sizeof *cook->boxes);
    if (cook->boxes == NULL) {
        return cook->error.result;
    }
    for (uint32_t j = 0; j < joint_count; ++j) {
        cook->boxes[j] = (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}}; // empty
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_int3 cell = tlw_cook_permute(cook->voxels.coordinates[v], cook->order.lane_axis);
        for (uint32_t k = 0; k < tlw_influence_count(cook, v); ++k) {
            widen_box(&cook->boxes[cook->weights[v].joint[k]], cell);
        }
    }
    return TLW_OK;
}
