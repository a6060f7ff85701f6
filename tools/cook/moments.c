// SPDX-License-Identifier: MIT
// Stage moments (RULES 9.7): mass, first and second moments of each region of width 3, which the
// runtime's shape matching needs and which never change (FastLSM, Rivers and James 2007). Reads
// cook->links, cook->anatomy and the lane axis; writes cook->moments.
#include "tools/cook/stages.h"

// Adds a voxel of the region at offset o from its centre, along the lattice axes.
static void add_moments(int16_t sum[TLW_MOMENT_COUNT], int m, tlw_int3 o) {
    const int moments[TLW_MOMENT_COUNT] = {
        [TLW_MOMENT_LANE] = m * o.x,
        [TLW_MOMENT_ROW] = m * o.y,
        [TLW_MOMENT_PLANE] = m * o.z,
        [TLW_MOMENT_MASS] = m,
        [TLW_MOMENT_LANE_LANE] = m * o.x * o.x,
        [TLW_MOMENT_ROW_ROW] = m * o.y * o.y,
        [TLW_MOMENT_PLANE_PLANE] = m * o.z * o.z,
        [TLW_MOMENT_LANE_ROW] = m * o.x * o.y,
        [TLW_MOMENT_LANE_PLANE] = m * o.x * o.z,
        [TLW_MOMENT_ROW_PLANE] = m * o.y * o.z,
    };
    for (int e = 0; e < TLW_MOMENT_COUNT; ++e) {
        sum[e] = (int16_t)(sum[e] + moments[e]);
    }
}

static int mass_of(const tlw_cook* cook, uint32_t voxel) {
    return cook->anatomy.layer[voxel] == 0 ? TLW_BONE_MASS : 1;
}

tlw_result tlw_cook_make_moments(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    cook->moments = tlw_cook_allocate(cook, count, sizeof *cook->moments);
    for (uint32_t v = 0; cook->moments != NULL && v < count; ++v) {
        add_moments(cook->moments[v], mass_of(cook, v), (tlw_int3){0, 0, 0});
        for (uint32_t left = cook->links.masks[v]; left != 0; left &= left - 1) {
            const int step = __builtin_ctz(left);
            add_moments(cook->moments[v], mass_of(cook, tlw_linked_voxel(cook, v, step)),
                        tlw_cook_permute(tlw_link_steps[step], cook->order.lane_axis));
        }
    }
    return cook->error.result;
}
