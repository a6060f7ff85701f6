// SPDX-License-Identifier: MIT
// Private to tools/motion: what a subject keeps besides its public fields, and the functions that
// its files share.
#ifndef TLW_TOOLS_MOTION_PRIVATE_H
#define TLW_TOOLS_MOTION_PRIVATE_H

#include "runtime/lattice.h"
#include "tools/motion/motion.h"

typedef struct tlw_motion_private {
    void *world_memory, *character_memory;
    uint8_t* blob_memory; // a copy without volume weights, or null
    tlw_blob blob;        // that copy's, or the actor's
    uint8_t* layers;
    uint32_t* joints;
    uint32_t part_count, layer_count, joint_count;
    // Voxel of each cell around a voxel in x, y, z (runtime/lattice.h), element 27 * voxel + cell;
    // TLW_NO_INDEX where there is no link.
    uint32_t* around;
    uint32_t* place_voxels[TLW_MOTION_PLACE_COUNT];
    uint32_t place_counts[TLW_MOTION_PLACE_COUNT];
} tlw_motion_private;

// Fills in error, which may be null; returns the code.
tlw_scene_code tlw_motion_fail(tlw_scene_error* error, tlw_scene_code code, const char* format, ...)
    TLW_PRINTF(3, 4);
tlw_scene_code tlw_motion_fail_memory(tlw_scene_error* error);

// Finds the voxels of all places. False if out of memory.
bool tlw_motion_find_places(tlw_motion* motion);

// Turns a vector by a quaternion (x, y, z, w).
void tlw_motion_rotate(const float q[4], const double v[3], double out[3]);

// The deviation of a voxel that was read, p - p_skin, in voxels.
TLW_INLINE void tlw_motion_deviation(const tlw_motion* motion, uint32_t voxel, double out[3]) {
    const tlw_voxel_state* v = &motion->voxels[voxel];
    for (int a = 0; a < 3; ++a) {
        out[a] = (double)v->position[a] - (double)v->skinned[a];
    }
}

#endif
