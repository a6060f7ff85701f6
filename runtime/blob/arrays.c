// SPDX-License-Identifier: MIT
// Opens the arrays of a validated blob: reads its table of sections once, writes one pointer per
// section and the counts that the passes use (MODEL 9.1).
#include "runtime/blob/arrays.h"

void tlw_blob_arrays_open(const void* blob, tlw_blob_arrays* out) {
    tlw_blob_contents contents;
    tlw_blob_find_all(blob, &contents);
    out->bytes = blob;
#define OPEN_ARRAY(kind, field, type, count) out->field = contents.first[TLW_SECTION_##kind];
    TLW_BLOB_SECTIONS(OPEN_ARRAY)
#undef OPEN_ARRAY
    out->mesh_count = contents.count[TLW_SECTION_MESHES];
    out->bend_count = (uint32_t)contents.count[TLW_SECTION_BENDS];
    out->bend_pair_count = (uint32_t)contents.count[TLW_SECTION_BEND_PAIRS];
    out->block_count = (uint32_t)contents.count[TLW_SECTION_BLOCKS] - 1;
    out->window_count = out->lattice->window_count;
    out->slot_count = out->lattice->slot_count;
    out->site_count = out->lattice->site_count;
    out->region_stride = (uint32_t)tlw_blob_region_stride(out->lattice);
}
