// SPDX-License-Identifier: MIT
// Copies of the small blobs, and the check of a report. Each blob is cooked once per process.
#include "tests/cook/support/damaged_blobs.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static tlw_cook_output cooked[SMALL_BLOB_COUNT];

static void free_cooked(void) {
    for (uint32_t i = 0; i < SMALL_BLOB_COUNT; ++i) {
        tlw_cook_output_free(&cooked[i]);
    }
}

uint8_t* get_blob(uint32_t which, size_t* size) {
    if (cooked[which].blob == NULL) {
        static bool is_registered;
        if (!is_registered) {
            is_registered = atexit(free_cooked) == 0;
        }
        small_blob_cook(which, &cooked[which]);
    }
    *size = cooked[which].blob_bytes;
    return blob_copy(cooked[which].blob, *size);
}

const tlw_blob_section* entry_of(const uint8_t* blob, uint32_t kind) {
    const tlw_blob_section* table = (const tlw_blob_section*)(blob + sizeof(tlw_blob_header));
    while (table->kind != kind) {
        table += 1;
    }
    return table;
}

void* first_of(uint8_t* blob, uint32_t kind) {
    return blob + entry_of(blob, kind)->offset;
}

void check_report(const uint8_t* blob, size_t size, uint32_t section, const char* what,
                  tlw_blob_report* report, const char* file, int line) {
    // Another version of the format is not damage: the caller is told to cook again.
    const bool is_old = strcmp(what, "format version") == 0 || strcmp(what, "layout hash") == 0;
    const tlw_result expected = is_old ? TLW_ERROR_OLD_BLOB : TLW_ERROR_BAD_BLOB;
    if (tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, report) == TLW_OK) {
        tlw_test_fail(file, line, "let through: %s", what);
    }
    if (strcmp(report->what, what) != 0 || report->section != section ||
        report->result != expected) {
        tlw_test_fail(file, line, "'%s' of %s was meant, '%s' of %s found", what,
                      tlw_blob_section_name(section), report->what,
                      tlw_blob_section_name(report->section));
    }
    if (report->expected == report->found) {
        tlw_test_fail(file, line, "'%s' of %s expects what it found, %llu", what,
                      tlw_blob_section_name(section), (unsigned long long)report->found);
    }
    // The verdict is the same without a report.
    CHECK_STRING(tlw_result_name(tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, NULL)),
                 tlw_result_name(expected));
}
