// SPDX-License-Identifier: MIT
// Fuzzes the blob's validator (MODEL 9.3). Size and hashes are corrected first, because no mutation
// would get past them. What the validator lets through is read as a runtime reads it; what it
// rejects must have a report with two values that differ.
#include "tests/cook/support/blob_reader.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint8_t* blob = blob_copy(data, size);
    if (size >= sizeof(tlw_blob_header)) {
        ((tlw_blob_header*)blob)->total_bytes = size;
        ((tlw_blob_header*)blob)->layout_hash = tlw_blob_layout_hash();
        blob_set_content_hash(blob, size);
    }
    tlw_blob_report report;
    const tlw_result result = tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, &report);
    if (result != report.result || (result != TLW_OK && report.expected == report.found) ||
        result != tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, NULL)) {
        abort();
    }
    const char* problem = result == TLW_OK ? blob_unsoundness(blob) : NULL;
    if (problem) {
        fprintf(stderr, "unsound: %s\n", problem);
        abort();
    }
    blob_free(blob);
    return 0;
}
