// SPDX-License-Identifier: MIT
// An oracle_pair of a sample character, posed by the sample's clips.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SAMPLE_PAIR_H
#define TLW_TESTS_RUNTIME_SUPPORT_SAMPLE_PAIR_H

#include "tests/runtime/support/oracle_pair.h"
#include "tools/scene/actor.h"

typedef struct sample_pair {
    tlw_actor actor; // supplies the clips
    oracle_pair* pair;
    uint32_t clip;
} sample_pair;

// "stout", "bunny" or "thin"; a clip of null is the first one.
sample_pair sample_pair_make(const char* sample, const char* clip, uint32_t resolution,
                             uint32_t region_width, const oracle_pair_def* def);
// The same with a recipe of the test's own.
sample_pair sample_pair_cook(const char* sample, const char* clip, const tlw_cook_recipe* recipe,
                             const oracle_pair_def* def);
void sample_pair_free(sample_pair* s);

// Sets the pose of the next pair_step: the clip at a time, on a root at the origin.
void sample_pair_pose(sample_pair* s, double seconds);

// The front of the stout's belly: soft, in the front half of the ellipsoid that tools/sample makes.
bool sample_pair_is_belly(const sample_pair* s, uint32_t voxel);
// Mean of p - p_skin over the front of the belly; calls pair_read.
oracle_vec sample_pair_belly_deviation(sample_pair* s);

#endif
