// SPDX-License-Identifier: MIT
// The table of small blobs, and how each is cooked.
#include "tests/cook/support/small_blobs.h"

#include "tests/cook/support/cook_scenes.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char* name;
    scene_kind kind;
    uint32_t resolution, region_width;
    bool has_extras; // normals, tangents, texture coordinates, and a part besides the character
    bool is_mixed;   // painted stiffness, and a part whose border blends
    bool has_rings;  // ring normals
    bool is_dual;    // skinned by dual quaternions, and with two profiles
    bool has_limbs;  // own limbs
} small_blobs[SMALL_BLOB_COUNT] = {
    {"triangle", SCENE_triangle, 6, 3, false, false, false, false, false},
    {"triangle_with_all", SCENE_triangle, 4, 2, true, false, true, false, false},
    {"ell", SCENE_ell, 8, 3, true, false, false, false, false},
    {"legs", SCENE_legs, 8, 2, false, false, true, false, false},
    {"large_ell", SCENE_ell, 12, 3, false, false, false, false, false}, // several blocks, long rows
    {"mixed_ell", SCENE_ell, 8, 3, false, true, false, false, false},
    {"dual_ell", SCENE_ell, 8, 3, true, false, false, true, false},
    {"touching_legs", SCENE_legs, 10, 3, false, false, false, false, true},
};

const char* small_blob_name(uint32_t which) {
    return small_blobs[which].name;
}

void small_blob_cook(uint32_t which, tlw_cook_output* out) {
    scene* s = scene_make(small_blobs[which].kind, 0);
    tlw_cook_input input = *scene_input(s);
    tlw_cook_mesh mesh = input.meshes[0];
    const size_t floats = (size_t)mesh.vertex_count * 4;
    float* extras = calloc(floats, sizeof *extras);
    if (extras == NULL) {
        abort();
    }
    for (size_t i = 0; i < floats; ++i) {
        extras[i] = (float)(i % 4) * 0.25f;
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = small_blobs[which].resolution;
    recipe.region_width = small_blobs[which].region_width;
    recipe.has_ring_normals = small_blobs[which].has_rings;
    recipe.has_limbs = small_blobs[which].has_limbs;
    tlw_cook_part part = tlw_default_cook_part(input.joints[input.joint_count - 1].name);
    if (small_blobs[which].has_extras) {
        mesh.normals = mesh.tangents = mesh.uvs = extras;
        input.meshes = &mesh;
        input.mesh_count = 1;
        part.stiffness[1] = 0.5f;
        recipe.parts = &part;
        recipe.part_count = 1;
    }
    if (small_blobs[which].is_mixed) {
        mesh.paint[TLW_PAINT_STIFFNESS] = extras;
        input.meshes = &mesh;
        input.mesh_count = 1;
        part = tlw_default_cook_part(input.joints[1].name);
        part.stiffness[3] = 2.0f;
        recipe.parts = &part;
        recipe.part_count = 1;
    }
    tlw_cook_profile_part numbers[2] = {tlw_default_cook_profile_part(NULL),
                                        tlw_default_cook_profile_part(part.joint)};
    numbers[0].anchor_hz[1] = numbers[0].anchor_hz[2] = 40.0f;
    numbers[1].limit_scale[3] = 0.5f;
    const tlw_cook_profile profiles[2] = {{"tense", numbers, 1}, {"held", numbers, 2}};
    if (small_blobs[which].is_dual) {
        recipe.skinning = TLW_SKINNING_DUAL;
        recipe.profiles = profiles;
        recipe.profile_count = 2;
    }
    const tlw_cook_options options = tlw_default_cook_options();
    if (tlw_cook_character(&input, &recipe, &options, out) != TLW_OK) {
        fprintf(stderr, "%s: %s\n", small_blobs[which].name, out->error.message);
        abort();
    }
    free(extras);
    scene_free(s);
}
