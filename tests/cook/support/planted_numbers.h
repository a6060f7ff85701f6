// SPDX-License-Identifier: MIT
// Single numbers that a test changes in a blob, and what the validator's report must say of each.
#ifndef TLW_TESTS_COOK_SUPPORT_PLANTED_NUMBERS_H
#define TLW_TESTS_COOK_SUPPORT_PLANTED_NUMBERS_H

#include "tests/cook/support/damaged_blobs.h"
#include "tests/test.h"

#include <string.h>

typedef struct planted_number {
    tlw_blob_section_kind kind;
    uint64_t element;
    size_t offset, bytes; // of the number in the element
    uint64_t value;       // what it is changed to
    // What the report must say.
    tlw_blob_section_kind reported;
    bool is_elsewhere; // another element, which is not looked at
    const char* what;
    uint32_t component;
} planted_number;

// The last arguments are the rule and the component.
#define LEADS_TO(kind_, element_, offset_, bytes_, value_, reported_, ...)                    \
    {                                                                                         \
        .kind = TLW_SECTION_##kind_, .element = element_, .offset = offset_, .bytes = bytes_, \
        .value = value_, .reported = TLW_SECTION_##reported_, .is_elsewhere = true,           \
        .what = __VA_ARGS__                                                                   \
    }
#define FIELD(kind_, type, element_, field, value_, ...)                                       \
    {                                                                                          \
        .kind = TLW_SECTION_##kind_, .element = element_, .offset = offsetof(type, field),     \
        .bytes = sizeof((type*)NULL)->field, .value = value_, .reported = TLW_SECTION_##kind_, \
        .what = __VA_ARGS__                                                                    \
    }
#define PLAIN(kind_, type, element_, value_, ...)                                                 \
    {                                                                                             \
        .kind = TLW_SECTION_##kind_, .element = element_, .bytes = sizeof(type), .value = value_, \
        .reported = TLW_SECTION_##kind_, .what = __VA_ARGS__                                      \
    }

#define NAN_32   0x7FC00000u
#define INF_32   0x7F800000u
#define MINUS_1  0xBF800000u
#define HALF_32  0x3F000000u
#define ONE_32   0x3F800000u
#define TWO_32   0x40000000u
#define LEAST_32 1u // the least float above 0

// Plants one after another in the blob, which is as before afterwards.
static inline void check_planted_numbers(uint8_t* blob, size_t size, const planted_number* list,
                                         size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const planted_number* p = &list[i];
        const tlw_blob_section* entry = entry_of(blob, (uint32_t)p->kind);
        CHECK_LT(p->element, entry->count);
        uint8_t* at = blob + entry->offset + p->element * entry->element_bytes + p->offset;
        uint64_t before = 0;
        memcpy(&before, at, p->bytes);
        CHECK(before != p->value);
        memcpy(at, &p->value, p->bytes);
        blob_set_content_hash(blob, size);
        tlw_blob_report report;
        check_report(blob, size, (uint32_t)p->reported, p->what, &report, HERE);
        if (report.component != p->component) {
            tlw_test_fail(HERE, "'%s' of %s: component %u was meant, %u found", p->what,
                          tlw_blob_section_name((uint32_t)p->reported), p->component,
                          report.component);
        }
        if (!p->is_elsewhere) {
            CHECK_EQ(report.element, p->element);
        }
        memcpy(at, &before, p->bytes);
    }
    blob_set_content_hash(blob, size);
    CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, NULL)); // all was put back
}

#endif
