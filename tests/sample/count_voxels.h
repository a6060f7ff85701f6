// SPDX-License-Identifier: MIT
// Counts the voxels of a closed mesh by rules 1 to 3 of the cooking rules, without the cooker.
#ifndef TLW_TESTS_SAMPLE_COUNT_VOXELS_H
#define TLW_TESTS_SAMPLE_COUNT_VOXELS_H

#include "platform/base.h"

// The grid has `resolution` voxels along the longest extent; the surface is conservative, the
// inside solid. Welding would change nothing: the caller has checked that no two vertices coincide.
// *solid, where asked for, holds 1 for each voxel, x fastest, `grid` its size, and is freed by the
// caller.
uint32_t tlw_count_voxels(const float* positions, uint32_t vertex_count, const uint32_t* indices,
                          uint32_t triangle_count, uint32_t resolution, uint8_t** solid,
                          uint32_t grid[3]);

#endif
