// SPDX-License-Identifier: MIT
// Private to runtime. What the blob's validator has understood so far; sections are looked at only
// once the table is known to be right.
#ifndef TLW_RUNTIME_BLOB_VALIDATOR_H
#define TLW_RUNTIME_BLOB_VALIDATOR_H

#include "runtime/blob.h"

#include <string.h>

typedef struct blob_view {
    const uint8_t* bytes;
    size_t size;
    const tlw_blob_lattice* lattice;
    const tlw_blob_section* sections[TLW_SECTION_COUNT]; // null: absent
    tlw_blob_report* report;
} blob_view;

TLW_INLINE const void* first_of(const blob_view* view, tlw_blob_section_kind kind) {
    return view->sections[kind] ? view->bytes + view->sections[kind]->offset : NULL;
}

TLW_INLINE uint64_t count_of(const blob_view* view, tlw_blob_section_kind kind) {
    return view->sections[kind] ? view->sections[kind]->count : 0;
}

TLW_INLINE uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TLW_INLINE bool is_finite(float value) {
    return (bits_of(value) >> 23 & 0xFF) != 0xFF;
}

TLW_INLINE tlw_result fail(const blob_view* view, uint32_t section, uint64_t element,
                           uint64_t offset, const char* what, uint64_t expected, uint64_t found) {
    if (view->report) {
        *view->report =
            (tlw_blob_report){TLW_ERROR_BAD_BLOB, section, element, offset, what, expected, found};
    }
    return TLW_ERROR_BAD_BLOB;
}

// A wrong element of a section.
TLW_INLINE tlw_result fail_at(const blob_view* view, tlw_blob_section_kind kind, uint64_t element,
                              const char* what, uint64_t expected, uint64_t found) {
    const tlw_blob_section* section = view->sections[kind];
    return fail(view, (uint32_t)kind, element, section->offset + element * section->element_bytes,
                what, expected, found);
}

// Everything that slots, sites, windows and regions hold, once all counts are right.
tlw_result tlw_blob_check_voxels(const blob_view* view);

#endif
