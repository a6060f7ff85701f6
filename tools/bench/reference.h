// SPDX-License-Identifier: MIT
// The substep of MODEL 3 as one would first write it: floats, an array of structs, neighbours by
// index, and only those wide registers that the compiler uses by itself. The runtime's passes are
// measured against it, and must compute the same positions.
#ifndef TLW_TOOLS_BENCH_REFERENCE_H
#define TLW_TOOLS_BENCH_REFERENCE_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// A joint's transform from the rest position in voxels to the posed one, as three rows, and its
// rotation.
typedef struct tlw_reference_joint {
    float row[3][4];
    float rotation[4];
} tlw_reference_joint;

typedef struct tlw_reference tlw_reference;

// What a validated blob has that the reference does not know, such as "muscles"; null: nothing.
const char* tlw_reference_unknown(const void* blob);
// From a validated blob, with the materials that it was cooked with. The reference knows no
// colliders and no forces (MODEL 3.15 to 3.17). Null: no memory, or something that it does not
// know.
tlw_reference* tlw_reference_create(const void* blob, double step_seconds, uint32_t iterations);
void tlw_reference_free(tlw_reference* reference);

// `joints` has 16 floats per joint, joint to model space, column-major; the root stays at the
// origin. `out` has room for every joint of the blob.
void tlw_reference_pose(const void* blob, const float* joints, tlw_reference_joint* out);

// Puts every voxel at rest in the pose.
void tlw_reference_reset(tlw_reference* reference, const tlw_reference_joint* joints);
void tlw_reference_step(tlw_reference* reference, const tlw_reference_joint* joints);

// `voxel` counts in the order of the blob's voxels.
void tlw_reference_position(const tlw_reference* reference, uint32_t voxel, float out[3]);
// By how much skinned volume moved the voxel's skinned position in the last pose, voxels.
void tlw_reference_correction(const tlw_reference* reference, uint32_t voxel, float out[3]);
// Bytes that the reference keeps per voxel.
size_t tlw_reference_voxel_bytes(void);

TLW_EXTERN_C_END

#endif
