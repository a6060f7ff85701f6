// SPDX-License-Identifier: MIT
// What a blob has for skinned volume (RULES 9.8 to 9.10) and which skinning it was cooked for, as
// the oracle's input.
#ifndef TLW_TESTS_RUNTIME_ORACLE_BLOB_BENDS_H
#define TLW_TESTS_RUNTIME_ORACLE_BLOB_BENDS_H

#include "tests/runtime/oracle/voxel_arrays.h"

// Fills bends and skinning of `input`, and the voxels' shares and field, which `arrays` holds.
// oracle_voxel is the oracle's voxel for each of the blob's. Returns the bends, which the caller
// frees; null if the blob has none. Fails the running test where lists and shares contradict each
// other.
oracle_bend* blob_bends_read(const void* blob, const uint32_t* oracle_voxel, voxel_arrays* arrays,
                             oracle_input* input);

#endif
