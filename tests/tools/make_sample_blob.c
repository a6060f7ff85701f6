// SPDX-License-Identifier: MIT
// make_sample_blob FILE VARIANT RESOLUTION [REGION-WIDTH NEIGHBOURS | all | bare | muscles]: cooks
// a sample to a file, for tests of commands that read blobs. `all`: with ring normals, radial basis
// functions, own limbs and a profile, "firm". `bare`: without skinned volume. `muscles`: with a
// biceps in each arm, which flexes with the elbow and has a field there.
#include "tests/tools/sample_blob.h"

#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A straight line from shoulder to forearm.
typedef struct biceps {
    tlw_cook_line_vertex line[4];
    tlw_cook_muscle_field field;
    tlw_cook_muscle muscle;
} biceps;

static void make_biceps(biceps* b) {
    static const float along[4] = {0.1f, 0.5f, 0.9f, 0.4f};
    static const uint32_t tendon = 2;
    for (int v = 0; v < 4; ++v) {
        b->line[v] = (tlw_cook_line_vertex){
            .place = {.joint = v < 3 ? "arm_l" : "forearm_l", .along = along[v]},
            .radius = TLW_COOK_KEEP,
            .is_dynamic = -1};
    }
    b->field = tlw_default_cook_muscle_field();
    b->field.place.joint = "forearm_l";
    b->field.radii[0] = b->field.radii[1] = b->field.radii[2] = 0.03f;
    b->muscle = tlw_default_cook_muscle("biceps_l");
    b->muscle.radius = 0.05f;
    b->muscle.line = b->line;
    b->muscle.vertex_count = 4;
    b->muscle.tendons = &tendon;
    b->muscle.tendon_count = 1;
    b->muscle.fields = &b->field;
    b->muscle.field_count = 1;
    b->muscle.flex_joint = "forearm_l";
    b->muscle.flex_to = 90.0f;
    b->muscle.is_mirrored = true;
}

int main(int argc, char** argv) {
    const bool has_all = argc == 5 && strcmp(argv[4], "all") == 0;
    const bool is_bare = argc == 5 && strcmp(argv[4], "bare") == 0;
    const bool has_muscles = argc == 5 && strcmp(argv[4], "muscles") == 0;
    if (argc != 4 && argc != 6 && !has_all && !is_bare && !has_muscles) {
        fprintf(stderr, "usage: make_sample_blob FILE VARIANT RESOLUTION "
                        "[REGION-WIDTH NEIGHBOURS | all | bare | muscles]\n");
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
    static biceps both;
    if (has_muscles) {
        make_biceps(&both);
        recipe.muscles = &both.muscle;
        recipe.muscle_count = 1;
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
