// SPDX-License-Identifier: MIT
// How far the lattice alone is from the artist's skinning: every bound vertex is moved by the
// blended joint matrices of its voxels, and by those of its own weights, and the two places are
// compared. No voxel jiggles. This is the figure that RULES 5 gives for the modes of weights.
#ifndef TLW_TESTS_COOK_SUPPORT_SKINNING_DEVIATION_H
#define TLW_TESTS_COOK_SUPPORT_SKINNING_DEVIATION_H

#include "tools/asset/to_cook.h"

// In shares of L, the longest extent.
typedef struct skinning_deviation {
    double mean;     // over all vertices and moments
    double farthest; // of any vertex
} skinning_deviation;

// Over moments that divide the clip evenly, from its beginning on.
skinning_deviation measure_skinning(const tlw_asset* asset, const tlw_asset_cook* cook,
                                    const uint8_t* blob, uint32_t clip, uint32_t moments);

#endif
