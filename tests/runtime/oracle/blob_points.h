// SPDX-License-Identifier: MIT
// What a blob has for its render meshes (groups, rings, radial basis functions) as input for the
// oracle's embedding: a decoder of its own over the blob's sections, which shares no line with the
// runtime's. Points are in source order; rests, weights and centres are doubles.
#ifndef TLW_TESTS_RUNTIME_ORACLE_BLOB_POINTS_H
#define TLW_TESTS_RUNTIME_ORACLE_BLOB_POINTS_H

#include "tests/runtime/oracle/oracle.h"

typedef struct blob_points {
    uint32_t count;
    oracle_bound_point* points;
    oracle_ring* rings; // null if the blob has none
    bool has_rbf;
    oracle_rbf rbf;
} blob_points;

// `oracle_voxel` is the oracle's voxel for each voxel of the blob. Fails the running test if
// sections contradict each other.
blob_points* blob_points_read(const void* blob, const uint32_t* oracle_voxel);
void blob_points_free(blob_points* p);

#endif
