// SPDX-License-Identifier: MIT
// Counts the voxels of a closed mesh by RULES 1 to 3, without the cooker.
#ifndef TLW_TESTS_SAMPLE_COUNT_VOXELS_H
#define TLW_TESTS_SAMPLE_COUNT_VOXELS_H

#include "platform/base.h"

// The grid has `resolution` cells along the longest extent; every cell that the surface touches is
// a voxel, and so is every cell inside. Welding would change nothing: the caller has checked that
// no two vertices coincide. *solid, unless solid is null, receives 1 for each voxel, x fastest, and
// `grid` its size; the caller frees it.
uint32_t tlw_count_voxels(const float* positions, uint32_t vertex_count, const uint32_t* indices,
                          uint32_t triangle_count, uint32_t resolution, uint8_t** solid,
                          uint32_t grid[3]);

#endif
