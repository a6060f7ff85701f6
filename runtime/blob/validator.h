// SPDX-License-Identifier: MIT
// Private to runtime/blob: what the files of the validator share (MODEL 9.3). The list of checks,
// the blob as far as it is understood, and how a check reports what is wrong. Freestanding.
#ifndef TLW_RUNTIME_BLOB_VALIDATOR_H
#define TLW_RUNTIME_BLOB_VALIDATOR_H

#include "runtime/blob.h"

#include <string.h>

#define LANES TLW_BLOB_LANES

// A blob whose header, table of sections and lattice are right.
typedef struct blob_view {
    const uint8_t* bytes;
    size_t size;
    const tlw_blob_lattice* lattice;
    const tlw_blob_section* sections[TLW_SECTION_COUNT]; // null: absent
    tlw_blob_report* report;                             // null: not wanted
} blob_view;

// What is checked then, in this order: each check relies on all before it, so that nothing is
// followed before it was checked.
#define TLW_BLOB_CHECKS(X)                    \
    X(counts)     /* validate.c */            \
    X(strings)    /* validate_skeleton.c */   \
    X(joints)     /* validate_skeleton.c */   \
    X(parents)    /* validate_skeleton.c */   \
    X(materials)  /* validate_skeleton.c */   \
    X(profiles)   /* validate_skeleton.c */   \
    X(places)     /* validate_slots.c */      \
    X(slots)      /* validate_slots.c */      \
    X(pairs)      /* validate_influences.c */ \
    X(windows)    /* validate_windows.c */    \
    X(influences) /* validate_influences.c */ \
    X(blocks)     /* validate_windows.c */    \
    X(sites)      /* validate_windows.c */    \
    X(neighbours) /* validate_neighbours.c */ \
    X(boxes)      /* validate_influences.c */ \
    X(regions)    /* validate_regions.c */    \
    X(bends)      /* validate_bends.c */      \
    X(limbs)      /* validate_limbs.c */      \
    X(muscles)    /* validate_muscles.c */    \
    X(bellies)    /* validate_bellies.c */    \
    X(meshes)     /* validate_meshes.c */     \
    X(groups)     /* validate_groups.c */     \
    X(rbf)        /* validate_rbf.c */

typedef tlw_result blob_check(const blob_view* view);
#define TLW_BLOB_CHECK_DECLARE(name) blob_check tlw_blob_check_##name;
TLW_BLOB_CHECKS(TLW_BLOB_CHECK_DECLARE)
#undef TLW_BLOB_CHECK_DECLARE

TLW_INLINE const void* first_of(const blob_view* view, tlw_blob_section_kind kind) {
    return view->sections[kind] ? view->bytes + view->sections[kind]->offset : NULL;
}

TLW_INLINE uint64_t count_of(const blob_view* view, tlw_blob_section_kind kind) {
    return view->sections[kind] ? view->sections[kind]->count : 0;
}

TLW_INLINE bool is_occupied(const tlw_blob_window* window, uint32_t lane) {
    return window->occupied >> lane & 1;
}

// Values of a report

TLW_INLINE uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TLW_INLINE uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TLW_INLINE bool is_finite(float value) {
    return (bits_of(value) >> 23 & 0xFF) != 0xFF;
}

// Doubles must stay finite as floats, because the passes convert them.
#define DOUBLE_MAX 3e38

TLW_INLINE bool is_finite_double(double value) {
    return value >= -DOUBLE_MAX && value <= DOUBLE_MAX;
}

// The end of the range [low, high] that a value outside it has passed; the upper end for a NaN.
TLW_INLINE uint64_t float_bound(float value, float low, float high) {
    return bits_of(value < low ? low : high);
}

TLW_INLINE uint64_t double_bound(double value, double low, double high) {
    return bits_of_double(value < low ? low : high);
}

TLW_INLINE uint64_t integer_bound(uint64_t value, uint64_t low, uint64_t high) {
    return value < low ? low : high;
}

// The largest index into `count` elements; UINT64_MAX, which no 32-bit index equals, if there are
// none.
TLW_INLINE uint64_t last_index(uint64_t count) {
    return count - 1;
}

// Fills in the report (tlw_blob_report says what `component`, `expected` and `found` mean).

TLW_INLINE tlw_result fail_as(const blob_view* view, tlw_result result, uint32_t section,
                              uint64_t element, uint32_t component, uint64_t offset,
                              const char* what, uint64_t expected, uint64_t found) {
    if (view->report) {
        *view->report = (tlw_blob_report){.result = result,
                                          .section = section,
                                          .element = element,
                                          .component = component,
                                          .offset = offset,
                                          .what = what,
                                          .expected = expected,
                                          .found = found};
    }
    return result;
}

TLW_INLINE tlw_result fail_in(const blob_view* view, uint32_t section, uint64_t element,
                              uint32_t component, uint64_t offset, const char* what,
                              uint64_t expected, uint64_t found) {
    return fail_as(view, TLW_ERROR_BAD_BLOB, section, element, component, offset, what, expected,
                   found);
}

// The header, the table, or a section as a whole is wrong.
TLW_INLINE tlw_result fail(const blob_view* view, uint32_t section, uint64_t element,
                           uint64_t offset, const char* what, uint64_t expected, uint64_t found) {
    return fail_in(view, section, element, 0, offset, what, expected, found);
}

// An element of a section is wrong.
TLW_INLINE tlw_result fail_component(const blob_view* view, tlw_blob_section_kind kind,
                                     uint64_t element, uint32_t component, const char* what,
                                     uint64_t expected, uint64_t found) {
    const tlw_blob_section* section = view->sections[kind];
    return fail_in(view, (uint32_t)kind, element, component,
                   section->offset + element * section->element_bytes, what, expected, found);
}

TLW_INLINE tlw_result fail_at(const blob_view* view, tlw_blob_section_kind kind, uint64_t element,
                              const char* what, uint64_t expected, uint64_t found) {
    return fail_component(view, kind, element, 0, what, expected, found);
}

// The number of elements of an optional section; an absent one has none.
TLW_INLINE tlw_result check_count(const blob_view* view, tlw_blob_section_kind kind,
                                  uint64_t expected) {
    const uint64_t offset = view->sections[kind] ? view->sections[kind]->offset : 0;
    return count_of(view, kind) == expected ? TLW_OK
                                            : fail(view, (uint32_t)kind, 0, offset, "element count",
                                                   expected, count_of(view, kind));
}

// A name's offset into the strings, which end with a 0.
TLW_INLINE tlw_result check_name(const blob_view* view, tlw_blob_section_kind kind,
                                 uint64_t element, uint32_t name) {
    const uint64_t count = count_of(view, TLW_SECTION_STRINGS);
    return name < count ? TLW_OK : fail_at(view, kind, element, "name", last_index(count), name);
}

// Rules that several sections share (validate_groups.c)

// All numbers of a section of floats are finite; also true for a section that is absent.
tlw_result tlw_blob_check_finite(const blob_view* view, tlw_blob_section_kind kind);
// Whether the slot exists and holds a voxel.
bool tlw_blob_is_voxel_slot(const blob_view* view, uint32_t slot);
// A slot that holds a voxel: the last one up to `slot`, or else the first one after it.
uint32_t tlw_blob_nearest_voxel_slot(const blob_view* view, uint32_t slot);

#endif
