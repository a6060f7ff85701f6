// SPDX-License-Identifier: MIT
// How open each place of a body is: the share of the light from all around that the body itself
// does not keep away, as tlw_studio_mesh takes it. Made once, of the shape at rest. Needs no GPU.
#ifndef TLW_TOOLS_VIEW_OPENNESS_H
#define TLW_TOOLS_VIEW_OPENNESS_H

#include "platform/base.h"

// Writes one number per vertex, from 0, in a cave, to 1, on a ball: light that comes from along the
// normal counts most, and from behind the surface not at all. Positions and normals have 3 numbers
// per vertex, normals of length 1; indices are below vertex_count. The same input gives the same
// numbers. False if out of memory; then nothing is written.
bool tlw_view_openness(const float* positions, const float* normals, uint32_t vertex_count,
                       const uint32_t* indices, uint32_t index_count, float* openness);

#endif
