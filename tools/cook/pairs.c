// SPDX-License-Identifier: MIT
// Stage pairs (RULES 11.5): the joints that voxels have, each with the reference joint of the voxel
// (tlw_blob_joint_pair in runtime/blob.h). Reads cook->weights; writes cook->pairs.
#include "tools/cook/stages.h"

#include <stdlib.h>
#include <string.h>

uint32_t tlw_influence_count(const tlw_cook* cook, uint32_t voxel) {
    uint32_t count = 0;
    while (count < TLW_VOXEL_JOINTS && (float)cook->weights[voxel].weight[count] > 0.0f) {
        count += 1;
    }
    return count;
}

// The joint with the largest weight as a float, the lower joint of two. Weights that differ as
// doubles may be the same float, and the blob stores floats.
static uint32_t reference_of(const tlw_cook* cook, uint32_t voxel) {
    const tlw_voxel_weights* weights = &cook->weights[voxel];
    uint32_t best = 0;
    for (uint32_t k = 1; k < tlw_influence_count(cook, voxel); ++k) {
        const float weight = (float)weights->weight[k], most = (float)weights->weight[best];
        if (weight > most || (weight == most && weights->joint[k] < weights->joint[best])) {
            best = k;
        }
    }
    return weights->joint[best];
}

static int compare_pairs(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

uint64_t tlw_cook_make_unique(uint32_t* pairs, uint64_t count) {
    uint64_t kept = 0;
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint64_t i = 0; i < count; ++i) {
        if (i == 0 || pairs[i] != pairs[i - 1]) {
            pairs[kept++] = pairs[i];
        }
    }
    return kept;
}

tlw_result tlw_cook_make_pairs(tlw_cook* cook) {
    if (cook->input->joint_count > UINT16_MAX) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%u joints; at most %u",
                             cook->input->joint_count, UINT16_MAX);
    }
    const uint64_t room = (uint64_t)cook->voxels.count * TLW_VOXEL_JOINTS;
    uint32_t* all = tlw_cook_allocate(cook, room, sizeof *all);
    if (all == NULL) {
        return cook->error.result;
    }
    uint64_t count = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const uint32_t reference = reference_of(cook, v);
        for (uint32_t k = 0; k < tlw_influence_count(cook, v); ++k) {
            all[count++] = reference << 16 | cook->weights[v].joint[k];
        }
    }
    count = tlw_cook_make_unique(all, count);
    if (count > UINT16_MAX) {
        tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                      "%llu pairs of joints that voxels have together; at most %u",
                      (unsigned long long)count, UINT16_MAX);
    } else {
        cook->pairs.list = tlw_cook_allocate(cook, count, sizeof *all);
    }
    if (cook->pairs.list != NULL) {
        memcpy(cook->pairs.list, all, count * sizeof *all);
        cook->pairs.count = (uint32_t)count;
    }
    tlw_cook_free(cook, all);
    return cook->error.result;
}
