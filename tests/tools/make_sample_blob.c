// SPDX-License-Identifier: MIT
// make_sample_blob FILE VARIANT RESOLUTION [REGION-WIDTH NEIGHBOURS]: cooks a sample to a file,
// for tests of commands that read blobs.
#include "tests/tools/sample_blob.h"

#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    if (argc != 4 && argc != 6) {
        fprintf(stderr,
                "usage: make_sample_blob FILE VARIANT RESOLUTION [REGION-WIDTH NEIGHBOURS]\n");
        return 2;
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc == 6) {
        recipe.region_width = (uint32_t)strtoul(argv[4], NULL, 10);
        recipe.neighbours = (uint32_t)strtoul(argv[5], NULL, 10);
    }
    tlw_cook_output output;
    tlw_file_error error;
    const char* failure = sample_blob_cook(argv[2], &recipe, &output);
    if (failure == NULL &&
        tlw_file_replace(argv[1], output.blob, output.blob_bytes, &error) != TLW_OK) {
        failure = error.message;
    }
    if (failure != NULL) {
        fprintf(stderr, "make_sample_blob: %s\n", failure);
    }
    tlw_cook_output_free(&output);
    return failure != NULL;
}
