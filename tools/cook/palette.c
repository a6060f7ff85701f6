// SPDX-License-Identifier: MIT
// Stage palette: the joints that voxels have, each with the largest joint of the voxel (blob.h,
// tlw_blob_palette). Reads weights; writes cook->palette.
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

static uint32_t entry_of(uint32_t joint, uint32_t reference) {
    return reference << 16 | joint;
}

static int compare_entries(const void* a, const void* b) {
    const uint32_t p = *(const uint32_t*)a, q = *(const uint32_t*)b;
    return (p > q) - (p < q);
}

// Their number, once sorted and each left once.
static uint64_t make_unique(uint32_t* entries, uint64_t count) {
    uint64_t kept = 0;
    qsort(entries, count, sizeof *entries, compare_entries);
    for (uint64_t i = 0; i < count; ++i) {
        if (i == 0 || entries[i] != entries[i - 1]) {
            entries[kept++] = entries[i];
        }
    }
    return kept;
}

tlw_result tlw_cook_make_palette(tlw_cook* cook) {
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
        const uint32_t* joint = cook->weights[v].joint;
        for (uint32_t k = 0; k < tlw_influence_count(cook, v); ++k) {
            all[count++] = entry_of(joint[k], joint[0]);
        }
    }
    count = make_unique(all, count);
    if (count > UINT16_MAX) {
        tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                      "%llu pairs of joints that voxels have together; at most %u",
                      (unsigned long long)count, UINT16_MAX);
    } else {
        cook->palette.entries = tlw_cook_allocate(cook, count, sizeof *all);
    }
    if (cook->palette.entries != NULL) {
        memcpy(cook->palette.entries, all, count * sizeof *all);
        cook->palette.count = (uint32_t)count;
    }
    tlw_cook_free(cook, all, room, sizeof *all);
    return cook->error.result;
}

uint32_t tlw_palette_entry(const tlw_cook_palette* palette, uint32_t joint, uint32_t reference) {
    const uint32_t entry = entry_of(joint, reference);
    const uint32_t* found =
        bsearch(&entry, palette->entries, palette->count, sizeof entry, compare_entries);
    return (uint32_t)(found - palette->entries);
}
