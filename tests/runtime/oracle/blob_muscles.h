// SPDX-License-Identifier: MIT
// Muscles, bellies and Lame materials of a blob as input for the oracle: a decoder of its own over
// the sections MUSCLES to LAME, which shares no line with the runtime's. What the cooking oracle
// has of them is compared with the blob in tests/cook.
#ifndef TLW_TESTS_RUNTIME_ORACLE_BLOB_MUSCLES_H
#define TLW_TESTS_RUNTIME_ORACLE_BLOB_MUSCLES_H

#include "tests/runtime/oracle/oracle.h"

typedef struct blob_muscles {
    uint32_t muscle_count; // 0: the two after it are null
    oracle_muscle_rest* muscles;
    oracle_voxel_bellies* bellies; // by the oracle's voxels
    oracle_lame* lame;             // by material; null if none is lame
    uint32_t material_count;
} blob_muscles;

// `oracle_voxel` is the oracle's voxel for each voxel of the blob. Fails the running test if
// sections contradict each other.
blob_muscles* blob_muscles_read(const void* blob, const uint32_t* oracle_voxel);
void blob_muscles_free(blob_muscles* b);

#endif
