// SPDX-License-Identifier: MIT
// Copies of the small blobs for tests of the validator: blobs to damage, and a check of its report.
#ifndef TLW_TESTS_COOK_SUPPORT_DAMAGED_BLOBS_H
#define TLW_TESTS_COOK_SUPPORT_DAMAGED_BLOBS_H

#include "tests/cook/support/blob_reader.h"
#include "tests/cook/support/small_blobs.h"

// Some of the blobs of small_blobs.h.
enum {
    WITH_ALL = 1,
    ELL = 2,
    LEGS = 3,
    LARGE_ELL = 4,
    MIXED_ELL = 5,
    TOUCHING_LEGS = 7,
    MUSCLED_ELL = 8
};
#define SITE 16u // ELL's first voxel
// Places besides the sections where a test plants an error.
enum { IN_HEADER = TLW_SECTION_COUNT, IN_TABLE };

// A copy that the caller may change and frees with blob_free.
uint8_t* get_blob(uint32_t which, size_t* size);
const tlw_blob_section* entry_of(const uint8_t* blob, uint32_t kind);
void* first_of(uint8_t* blob, uint32_t kind);
// A blob of the same sections, with one of them left out or with another count. New elements are 0.
uint8_t* rebuild(const uint8_t* blob, uint32_t left_out, uint32_t resized, uint64_t count,
                 size_t* size);
// A blob with these counts, TLW_BLOB_ABSENT without the section; sections may be new.
uint8_t* resize(const uint8_t* blob, const uint64_t counts[TLW_SECTION_COUNT], size_t* size);
void get_counts(const uint8_t* blob, uint64_t counts[TLW_SECTION_COUNT]);
// The blob is rejected by the rule `what` in this section, with two values that differ. Otherwise
// the test fails at file and line: HERE.
#define HERE __FILE__, __LINE__
void check_report(const uint8_t* blob, size_t size, uint32_t section, const char* what,
                  tlw_blob_report* report, const char* file, int line);

#endif
