// SPDX-License-Identifier: MIT
// Counts the voxels of a closed mesh by rules 1 to 3 of the cooking rules, without the cooker.
#ifndef TLW_TESTS_SAMPLE_COUNT_VOXELS_H
#define TLW_TESTS_SAMPLE_COUNT_VOXELS_H

#include "platform/base.h"

// Weld by exact position (for a mesh without coincident vertices that changes nothing: the caller
// checks), grid of `resolution` voxels along the longest extent, conservative surface, solid
// inside. shell, where not null, receives the number of voxels that the surface touches. Optionally
// keeps the solid: *solid is freed by the caller, x fastest, grid[3] its size.
uint32_t tlw_count_voxels(const float* positions, uint32_t vertex_count, const uint32_t* indices,
                          uint32_t triangle_count, uint32_t resolution, uint8_t** solid,
                          uint32_t grid[3]);

#endif
