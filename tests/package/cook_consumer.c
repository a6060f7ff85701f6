// SPDX-License-Identifier: MIT
// How a studio cooks from its own format: arrays in, and a blob out that the runtime's validator
// accepts.
#include "runtime/blob.h"
#include "tools/cook/cook.h"

#include <stdio.h>

#define BIND_AT(x) \
    { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0.1, 0.1, 1 }

int main(void) {
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const uint32_t followed[] = {0, 1, 0, 0};
    static const float weights[] = {1, 1, 1, 1};
    const tlw_cook_joint joints[] = {{.name = "hip", .parent = TLW_NO_JOINT, .bind = BIND_AT(0.1)},
                                     {.name = "knee", .parent = 0, .bind = BIND_AT(0.5)}};
    const tlw_cook_mesh mesh = {.name = "body",
                                .vertex_count = 4,
                                .positions = positions,
                                .triangle_count = 4,
                                .indices = indices,
                                .influence_count = 1,
                                .joints = followed,
                                .weights = weights};
    const tlw_cook_input input = {
        .joints = joints, .joint_count = 2, .meshes = &mesh, .mesh_count = 1};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output output;
    recipe.resolution = 8;
    if (tlw_cook_character(&input, &recipe, &options, &output) != TLW_OK) {
        puts(output.error.message);
        return 1;
    }
    const bool is_valid =
        tlw_blob_validate(output.blob, output.blob_bytes, TLW_BLOB_CHECK_ALL, NULL) == TLW_OK;
    printf("C consumer of the cooking library: %u voxels\n", output.report.voxels);
    tlw_cook_output_free(&output);
    // An error is a result, not an abort.
    recipe.resolution = 1;
    const bool is_refused =
        tlw_cook_character(&input, &recipe, &options, &output) == TLW_ERROR_BAD_ARGUMENT &&
        output.error.is_of_recipe;
    tlw_cook_output_free(&output);
    return is_valid && is_refused ? 0 : 1;
}
