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

void get_counts(const uint8_t* blob, uint64_t counts[TLW_SECTION_COUNT]) {
    const tlw_blob_header* header = (const tlw_blob_header*)blob;
    const tlw_blob_section* table = (const tlw_blob_section*)(header + 1);
    for (uint32_t kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        counts[kind] = TLW_BLOB_ABSENT;
    }
    for (uint32_t i = 0; i < header->section_count; ++i) {
        counts[table[i].kind] = table[i].count;
    }
}

uint8_t* resize(const uint8_t* blob, const uint64_t counts[TLW_SECTION_COUNT], size_t* size) {
    const tlw_blob_header* header = (const tlw_blob_header*)blob;
    tlw_blob_section sections[TLW_SECTION_COUNT];
    uint64_t before[TLW_SECTION_COUNT];
    uint32_t kept;
    get_counts(blob, before);
    const uint64_t end = tlw_blob_lay_out(counts, sections, &kept);
    uint8_t* out = blob_allocate(end);
    memset(out, 0, end);
    for (uint32_t i = 0; i < kept; ++i) {
        if (before[sections[i].kind] != TLW_BLOB_ABSENT) {
            const tlw_blob_section* from = entry_of(blob, sections[i].kind);
            const uint64_t elements =
                from->count < sections[i].count ? from->count : sections[i].count;
            memcpy(out + sections[i].offset, blob + from->offset, elements * from->element_bytes);
        }
    }
    memcpy(out, header, sizeof *header);
    ((tlw_blob_header*)out)->section_count = kept;
    ((tlw_blob_header*)out)->total_bytes = end;
    memcpy(out + sizeof *header, sections, kept * sizeof *sections);
    blob_set_content_hash(out, end);
    *size = end;
    return out;
}

uint8_t* rebuild(const uint8_t* blob, uint32_t left_out, uint32_t resized, uint64_t count,
                 size_t* size) {
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    if (left_out < TLW_SECTION_COUNT) {
        counts[left_out] = TLW_BLOB_ABSENT;
    }
    if (resized < TLW_SECTION_COUNT && counts[resized] != TLW_BLOB_ABSENT) {
        counts[resized] = count;
    }
    return resize(blob, counts, size);
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
