// SPDX-License-Identifier: MIT
// blob_seeds FOLDER: writes the small blobs to FOLDER/*.tlw, as seeds for fuzz_blob.
#include "platform/file.h"
#include "tests/cook/support/small_blobs.h"
#include "tests/test.h"

#include <stdio.h>

// The cook scenes need it. It is defined in tests/test.c, which cannot be linked here because it
// has a main of its own.
uint64_t tlw_test_random(uint64_t* state) {
    uint64_t x = (*state += 0x9E3779B97F4A7C15u);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

int main(int count, char** arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: blob_seeds FOLDER\n");
        return 2;
    }
    for (uint32_t i = 0; i < SMALL_BLOB_COUNT; ++i) {
        char path[TLW_PATH_MAX];
        tlw_file_error error;
        tlw_cook_output out;
        small_blob_cook(i, &out);
        snprintf(path, sizeof path, "%s/%s.tlw", arguments[1], small_blob_name(i));
        if (tlw_file_replace(path, out.blob, out.blob_bytes, &error) != TLW_OK) {
            fprintf(stderr, "blob_seeds: %s\n", error.message);
            return 1;
        }
        tlw_cook_output_free(&out);
    }
    return 0;
}
