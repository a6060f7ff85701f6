// SPDX-License-Identifier: MIT
// Stage influences (RULES 11.4): the joints of each window's voxels, with their weights by lane.
// Reads cook->weights and cook->order; writes cook->influences, and in each window where its list
// begins and how long it is.
#include "tools/cook/stages.h"

// Lists the joints of the window's voxels in ascending order and returns their number.
static uint32_t list_joints(const tlw_cook* cook, uint32_t window,
                            uint16_t joints[TLW_BLOB_JOINTS_PER_WINDOW]) {
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const uint32_t voxel = cook->order.voxel_of_slot[window * TLW_BLOB_LANES + lane];
        const uint32_t used = voxel == TLW_NO_VOXEL ? 0 : tlw_influence_count(cook, voxel);
        for (uint32_t k = 0; k < used; ++k) {
            const uint16_t joint = (uint16_t)cook->weights[voxel].joint[k];
            uint32_t at = count;
            while (at > 0 && joints[at - 1] > joint) {
                at -= 1;
            }
            if (at > 0 && joints[at - 1] == joint) {
                continue;
            }
            for (uint32_t i = count++; i > at; --i) {
                joints[i] = joints[i - 1];
            }
            joints[at] = joint;
        }
    }
    return count;
}

static void fill_list(tlw_cook* cook, uint32_t window) {
    const uint32_t first = cook->order.windows[window].first_influence;
    uint16_t* joints = cook->influences.joints + first;
    const uint32_t count = list_joints(cook, window, joints);
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const uint32_t voxel = cook->order.voxel_of_slot[window * TLW_BLOB_LANES + lane];
        const uint32_t used = voxel == TLW_NO_VOXEL ? 0 : tlw_influence_count(cook, voxel);
        for (uint32_t k = 0; k < used; ++k) {
            for (uint32_t i = 0; i < count; ++i) {
                if (joints[i] == cook->weights[voxel].joint[k]) {
                    cook->influences.weights[(size_t)(first + i) * TLW_BLOB_LANES + lane] =
                        (float)cook->weights[voxel].weight[k];
                }
            }
        }
    }
}

tlw_result tlw_cook_make_influences(tlw_cook* cook) {
    tlw_cook_influences* influences = &cook->influences;
    for (uint32_t w = 0; w < cook->order.window_count; ++w) {
        uint16_t joints[TLW_BLOB_JOINTS_PER_WINDOW];
        tlw_cook_window* window = &cook->order.windows[w];
        window->first_influence = influences->count;
        window->influences = (uint8_t)list_joints(cook, w, joints);
        influences->count += window->influences;
    }
    influences->joints = tlw_cook_allocate(cook, influences->count, sizeof *influences->joints);
    influences->weights = tlw_cook_allocate(cook, (uint64_t)influences->count * TLW_BLOB_LANES,
                                            sizeof *influences->weights);
    for (uint32_t w = 0; cook->error.result == TLW_OK && w < cook->order.window_count; ++w) {
        fill_list(cook, w);
    }
    return cook->error.result;
}
