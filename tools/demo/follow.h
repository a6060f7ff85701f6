// SPDX-License-Identifier: MIT
// The demo's kernel: points that follow a moving target with lag and settle, 8 at a time.
#ifndef TLW_TOOLS_DEMO_FOLLOW_H
#define TLW_TOOLS_DEMO_FOLLOW_H

#include "platform/isa.h"

// Structure of arrays; each array has a multiple of 8 floats and is aligned to 32 bytes.
typedef struct follow_points {
    float* position[3];
    float* velocity[3];
    const float* rest[3];
    uint32_t count;
} follow_points;

typedef struct follow_step {
    float target[3]; // where the rest shape's origin is now
    float target_velocity[3];
    float step_seconds;
    float frequency_hz;
    float kept_velocity; // the share of relative velocity left after a step
    float longest;       // no point strays further from its target
} follow_step;

typedef void follow_kernel(const follow_points* points, const follow_step* step, uint32_t begin,
                           uint32_t end);

#define FOLLOW_DECLARE(enumerator, name) follow_kernel follow_points_##name;
TLW_ISA_TABLE(FOLLOW_DECLARE)
#undef FOLLOW_DECLARE

#endif
