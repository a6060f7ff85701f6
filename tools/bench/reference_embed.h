// SPDX-License-Identifier: MIT
// The output of MODEL 5 as one would first write it: floats, an array of structs, a vertex at a
// time with its joints and voxels by index, and only those wide registers that the compiler uses by
// itself. The runtime's embed pass is measured against it, and must write the same numbers.
#ifndef TLW_TOOLS_BENCH_REFERENCE_EMBED_H
#define TLW_TOOLS_BENCH_REFERENCE_EMBED_H

#include "runtime/tallow.h"
#include "tools/bench/reference.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_reference_embed tlw_reference_embed;

// From an opened blob and its bytes. Null: no memory, or a vertex has no artist weights.
tlw_reference_embed* tlw_reference_embed_create(const tlw_blob* blob, const void* bytes);
void tlw_reference_embed_free(tlw_reference_embed* embed);

// Takes a voxel's state after a substep at the pose of the frame; what it had becomes the older one
// of the two that the output lies between. The root is at the origin, without rotation.
// `correction` is that of the skinned position by skinned volume, in voxels.
void tlw_reference_embed_set(tlw_reference_embed* embed, uint32_t voxel,
                             const tlw_voxel_state* state, const float correction[3]);
void tlw_reference_embed_pose(tlw_reference_embed* embed, const tlw_reference_joint* joints);

// What is measured. Writes 3 floats per vertex in the order of the source, and the bounds.
// `embedding` is delta or fit; `normals` by gradient may be null. `blend`: 0 the older state, 1 the
// newer.
void tlw_reference_embed_write(tlw_reference_embed* embed, tlw_embedding embedding, float smoothing,
                               float blend, float* positions, float* normals, tlw_bounds* bounds);

TLW_EXTERN_C_END

#endif
