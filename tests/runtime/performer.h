// SPDX-License-Identifier: MIT
// A sample character with its clips, on the runtime and, where asked for, on the oracle.
#ifndef TLW_TESTS_RUNTIME_PERFORMER_H
#define TLW_TESTS_RUNTIME_PERFORMER_H

#include "tests/runtime/duet.h"
#include "tools/scene/actor.h"

typedef struct performer {
    tlw_actor actor; // for its clips
    duet* d;
    uint32_t clip;
} performer;

// "stout", "bunny" or "thin"; a clip of null is the first one.
performer performer_make(const char* sample, const char* clip, uint32_t resolution,
                         uint32_t region_width, const duet_def* def);
void performer_free(performer* p);

// The clip at a time on a root at the origin; the next duet_step gives it.
void performer_pose(performer* p, double seconds);

// The front of the stout's belly: soft, in the front half of the ellipsoid that tools/sample makes.
bool performer_is_belly(const performer* p, uint32_t voxel);
// Mean of p - p_skin over it; reads the state.
oracle_vec performer_belly_off(performer* p);

#endif
