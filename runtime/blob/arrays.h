// SPDX-License-Identifier: MIT
// Private to runtime: the arrays of a validated blob, as the passes read them. Generated from the
// table of sections in runtime/blob.h (MODEL 9.1).
#ifndef TLW_RUNTIME_BLOB_ARRAYS_H
#define TLW_RUNTIME_BLOB_ARRAYS_H

#include "runtime/blob.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_blob_arrays {
    const void* bytes; // the blob itself
    // One pointer per section, by the field name of the table: lattice, strings, joints, ... Null
    // only for an optional section that is absent.
    TLW_BLOB_SECTIONS(TLW_BLOB_FIELD)
    uint64_t mesh_count;
    uint32_t bend_count; // 0 without skinned volume
    uint32_t bend_pair_count;
    uint32_t block_count;   // without the entry after the last block
    uint32_t window_count;  // the lattice's
    uint32_t slot_count;    // the lattice's
    uint32_t site_count;    // the lattice's
    uint32_t region_stride; // tlw_blob_region_stride
} tlw_blob_arrays;

// `blob` was validated, and must stay where it is while the arrays are in use.
void tlw_blob_arrays_open(const void* blob, tlw_blob_arrays* out);

TLW_EXTERN_C_END

#endif
