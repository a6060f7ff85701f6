// SPDX-License-Identifier: MIT
// A sample character with its clips, on the runtime and, where asked for, on the oracle.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SAMPLE_PAIR_H
#define TLW_TESTS_RUNTIME_SUPPORT_SAMPLE_PAIR_H

#include "tests/runtime/support/oracle_pair.h"
#include "tools/scene/actor.h"

typedef struct sample_pair {
    tlw_actor actor; // for its clips
    oracle_pair* pair;
    uint32_t clip;
} sample_pair;

// "stout", "bunny" or "thin"; a clip of null is the first one.
sample_pair sample_pair_make(const char* sample, const char* clip, uint32_t resolution,
                             uint32_t region_width, const oracle_pair_def* def);
void sample_pair_free(sample_pair* s);

// The clip at a time on a root at the origin; the next pair_step gives it.
void sample_pair_pose(sample_pair* s, double seconds);

// The front of the stout's belly: soft, in the front half of the ellipsoid that tools/sample makes.
bool sample_pair_is_belly(const sample_pair* s, uint32_t voxel);
// Mean of p - p_skin over it; reads the state.
oracle_vec sample_pair_belly_deviation(sample_pair* s);

#endif
