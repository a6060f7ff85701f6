// SPDX-License-Identifier: MIT
// A substep of design.md as one would first write it: floats, an array of structs, neighbours by
// index, no wide registers but the compiler's. What the runtime's passes are measured against; they
// must end up in the same place.
#ifndef TLW_TOOLS_BENCH_REFERENCE_H
#define TLW_TOOLS_BENCH_REFERENCE_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Of a joint: rest place in voxels to posed place in voxels, three rows, and its rotation.
typedef struct tlw_reference_joint {
    float row[3][4];
    float rotation[4];
} tlw_reference_joint;

typedef struct tlw_reference tlw_reference;

// From a blob that was validated, with the materials it was cooked with, region width 3 and 26
// neighbours. Null: no memory, or a blob of another kind.
tlw_reference* tlw_reference_create(const void* blob, double step_seconds, uint32_t iterations);
void tlw_reference_free(tlw_reference* reference);

// Joint to model space, 16 floats a joint, column-major; the root stays where it is. `out` has room
// for every joint of the blob.
void tlw_reference_pose(const void* blob, const float* joints, tlw_reference_joint* out);

// At rest in a pose.
void tlw_reference_reset(tlw_reference* reference, const tlw_reference_joint* joints);
void tlw_reference_step(tlw_reference* reference, const tlw_reference_joint* joints);

// In the order of the blob's voxels.
void tlw_reference_position(const tlw_reference* reference, uint32_t voxel, float out[3]);
// Of one voxel.
size_t tlw_reference_voxel_bytes(void);

TLW_EXTERN_C_END

#endif
