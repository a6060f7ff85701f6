// SPDX-License-Identifier: MIT
// make_sample_blob FILE VARIANT RESOLUTION [REGION-WIDTH NEIGHBOURS | all]: cooks a sample to a
// file, for tests of commands that read blobs. `all`: with ring normals and radial basis functions.
#include "tests/tools/sample_blob.h"

#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    const bool has_all = argc == 5 && strcmp(argv[4], "all") == 0;
    if (argc != 4 && argc != 6 && !has_all) {
        fprintf(
            stderr,
            "usage: make_sample_blob FILE VARIANT RESOLUTION [REGION-WIDTH NEIGHBOURS | all]\n");
        return 2;
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc == 6) {
        recipe.region_width = (uint32_t)strtoul(argv[4], NULL, 10);
        recipe.neighbours = (uint32_t)strtoul(argv[5], NULL, 10);
    }
    if (has_all) {
        recipe.has_ring_normals = true;
        recipe.embedding = TLW_COOK_EMBED_RBF;
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
