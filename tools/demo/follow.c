// SPDX-License-Identifier: MIT
// Compiled once per instruction set. Reads rest shape, positions and velocities; writes positions
// and velocities. The same bits from every set: wide floats promise it, the demo shows it.
#include "tools/demo/follow.h"

#include "platform/simd.h"
#include "platform/simd_math.h"

void TLW_KERNEL(follow_points)(const follow_points* points, const follow_step* step, uint32_t begin,
                               uint32_t end) {
    const float h = step->step_seconds;
    const float turn = 6.2831853f * step->frequency_hz * h;
    const tlw_f8 gain = tlw_f8_sub(tlw_f8_set1(1.0f), tlw_f8_exp(tlw_f8_set1(-turn * turn)));
    const tlw_f8 kept = tlw_f8_set1(step->kept_velocity), longest = tlw_f8_set1(step->longest);
    const tlw_f8 dt = tlw_f8_set1(h), per_second = tlw_f8_set1(1.0f / h), zero = tlw_f8_zero();
    for (uint32_t i = begin; i < end; i += TLW_WIDE_LANES) {
        tlw_f8 away[3], target[3], old[3], squared = zero;
        for (int axis = 0; axis < 3; ++axis) {
            target[axis] = tlw_f8_add(tlw_f8_load_aligned(points->rest[axis] + i),
                                      tlw_f8_set1(step->target[axis]));
            old[axis] = tlw_f8_load_aligned(points->position[axis] + i);
            const tlw_f8 velocity = tlw_f8_load_aligned(points->velocity[axis] + i);
            const tlw_f8 coasting = tlw_f8_mul_then_add(velocity, dt, old[axis]);
            const tlw_f8 lag = tlw_f8_sub(coasting, target[axis]);
            away[axis] = tlw_f8_sub(lag, tlw_f8_mul(lag, gain));
            squared = tlw_f8_mul_then_add(away[axis], away[axis], squared);
        }
        const tlw_f8 distance = tlw_f8_sqrt(squared);
        const tlw_m8 too_far = tlw_f8_gt(distance, longest);
        const tlw_f8 scale =
            tlw_f8_select(too_far, tlw_f8_div(longest, distance), tlw_f8_set1(1.0f));
        for (int axis = 0; axis < 3; ++axis) {
            const tlw_f8 position = tlw_f8_mul_then_add(away[axis], scale, target[axis]);
            const tlw_f8 moved = tlw_f8_mul(tlw_f8_sub(position, old[axis]), per_second);
            const tlw_f8 carried = tlw_f8_set1(step->target_velocity[axis]);
            const tlw_f8 velocity = tlw_f8_mul_then_add(tlw_f8_sub(moved, carried), kept, carried);
            tlw_f8_store_aligned(points->position[axis] + i, position);
            tlw_f8_store_aligned(points->velocity[axis] + i, velocity);
        }
    }
}
