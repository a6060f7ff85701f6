// SPDX-License-Identifier: MIT
// make_sample_blob FILE VARIANT RESOLUTION [REGION-WIDTH NEIGHBOURS | all | bare]: cooks a sample
// to a file, for tests of commands that read blobs. `all`: with ring normals, radial basis
// functions, own limbs and a profile, "firm". `bare`: without skinned volume.
#include "tests/tools/sample_blob.h"

#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    const bool has_all = argc == 5 && strcmp(argv[4], "all") == 0;
    const bool is_bare = argc == 5 && strcmp(argv[4], "bare") == 0;
    if (argc != 4 && argc != 6 && !has_all && !is_bare) {
        fprintf(stderr, "usage: make_sample_blob FILE VARIANT RESOLUTION "
                        "[REGION-WIDTH NEIGHBOURS | all | bare]\n");
        return 2;
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc == 6) {
        recipe.region_width = (uint32_t)strtoul(argv[4], NULL, 10);
        recipe.neighbours = (uint32_t)strtoul(argv[5], NULL, 10);
    }
    tlw_cook_profile_part firm = tlw_default_cook_profile_part(NULL);
    for (uint32_t i = 1; i < recipe.layer_count; ++i) {
        firm.anchor_hz[i] = 12.0f;
    }
    const tlw_cook_profile profile = {"firm", &firm, 1};
    if (is_bare) {
        recipe.volume_reach = 0.0f;
    }
    if (has_all) {
        recipe.profiles = &profile;
        recipe.profile_count = 1;
        recipe.has_ring_normals = true;
        recipe.has_limbs = true;
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
