// SPDX-License-Identifier: MIT
// Which voxels a voxel is linked to, by index, as the scalar references keep it.
#ifndef TLW_TOOLS_BENCH_REFERENCE_LINKS_H
#define TLW_TOOLS_BENCH_REFERENCE_LINKS_H

#include "runtime/lattice.h"

typedef struct tlw_reference_links {
    uint32_t count;
    uint32_t neighbours[TLW_STEPS]; // voxels, in the order of the steps
    uint8_t steps[TLW_STEPS];       // of runtime/lattice.h, with axes x, y, z
} tlw_reference_links;

// One for each voxel of a validated blob; free it. Null: no memory.
tlw_reference_links* tlw_reference_find_links(const void* blob);

#endif
