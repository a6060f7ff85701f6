// SPDX-License-Identifier: MIT
// blob_seeds FOLDER: writes the small blobs to FOLDER/*.tlw, as seeds for fuzz_blob.
#include "platform/file.h"
#include "tests/cook/support/small_blobs.h"

#include <stdio.h>

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
