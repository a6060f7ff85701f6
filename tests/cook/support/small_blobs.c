// SPDX-License-Identifier: MIT
// The table of small blobs, and how each is cooked.
#include "tests/cook/support/small_blobs.h"

#include "tests/cook/support/cook_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char* name;
    scene_kind kind;
    uint32_t resolution, region_width;
    bool has_extras; // normals, tangents, texture coordinates, and a part besides the character
    bool is_mixed;   // painted stiffness, and a part whose border blends
    bool has_rings;  // ring normals
    bool is_dual;    // skinned by dual quaternions, and with two profiles
    bool has_limbs;  // own limbs
    bool
        has_muscles; // two muscles, one with a field that repels and one with a field that attracts
} small_blobs[SMALL_BLOB_COUNT] = {
    {"triangle", SCENE_triangle, 6, 3, false, false, false, false, false, false},
    {"triangle_with_all", SCENE_triangle, 4, 2, true, false, true, false, false, false},
    {"ell", SCENE_ell, 8, 3, true, false, false, false, false, false},
    {"legs", SCENE_legs, 8, 2, false, false, true, false, false, false},
    {"large_ell", SCENE_ell, 12, 3, false, false, false, false, false,
     false}, // several blocks, long rows
    {"mixed_ell", SCENE_ell, 8, 3, false, true, false, false, false, false},
    {"dual_ell", SCENE_ell, 8, 3, true, false, false, true, false, false},
    {"touching_legs", SCENE_legs, 10, 3, false, false, false, false, true, false},
    {"muscled_ell", SCENE_ell, 8, 3, false, false, false, false, false, true},
};

const char* small_blob_name(uint32_t which) {
    return small_blobs[which].name;
}

enum { ELL_VERTICES = 5, ELL_MUSCLES = 2 };

// Muscles of an ell: one along its long side that follows the angle of joint 2, one in the open
// between places of the model.
typedef struct ell_muscles {
    tlw_cook_line_vertex lines[ELL_MUSCLES][ELL_VERTICES];
    tlw_cook_muscle_field fields[ELL_MUSCLES];
    uint32_t tendons[1];
    tlw_cook_muscle list[ELL_MUSCLES];
} ell_muscles;

static void make_ell_muscles(ell_muscles* to) {
    static const char* const names[ELL_MUSCLES] = {"flexor", "extensor"};
    memset(to, 0, sizeof *to);
    to->tendons[0] = 3;
    for (int i = 0; i < ELL_VERTICES; ++i) {
        const float at = 0.2f * (float)i;
        to->lines[0][i] = (tlw_cook_line_vertex){
            .place = {.joint = i < 4 ? "joint0" : "joint1", .along = i < 4 ? at : 0.25f},
            .radius = -1.0f,
            .is_dynamic = -1};
        to->lines[0][i].place.offset[1] = 0.15f;
        to->lines[1][i] = (tlw_cook_line_vertex){
            .place = {.joints = {"joint2", "joint1"}, .weights = {at + 0.1f, 1.0f}},
            .radius = i == 0 ? 0.5f : -1.0f,
            .is_dynamic = i == 1 ? 0 : -1};
        to->lines[1][i].place.at[0] = 0.4f;
        to->lines[1][i].place.at[1] = 0.25f;
        to->lines[1][i].place.at[2] = 0.3f + at;
    }
    for (int m = 0; m < ELL_MUSCLES; ++m) {
        tlw_cook_muscle_field* field = &to->fields[m];
        *field = tlw_default_cook_muscle_field();
        field->place.joint = "joint1";
        field->radii[0] = field->radii[1] = field->radii[2] = 0.2f;
        field->attracts = m == 1;
        to->list[m] = tlw_default_cook_muscle(names[m]);
        to->list[m].radius = 0.15f;
        to->list[m].line = to->lines[m];
        to->list[m].vertex_count = m == 0 ? ELL_VERTICES : ELL_VERTICES - 1;
        to->list[m].fields = field;
        to->list[m].field_count = 1;
    }
    to->list[0].tendons = to->tendons;
    to->list[0].tendon_count = 1;
    to->list[0].flex_joint = "joint2";
    to->list[0].flex_from = 10.0f;
    to->list[0].flex_to = 90.0f;
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
    ell_muscles muscles;
    if (small_blobs[which].has_muscles) {
        make_ell_muscles(&muscles);
        recipe.muscles = muscles.list;
        recipe.muscle_count = ELL_MUSCLES;
    }
    const tlw_cook_options options = tlw_default_cook_options();
    if (tlw_cook_character(&input, &recipe, &options, out) != TLW_OK) {
        fprintf(stderr, "%s: %s\n", small_blobs[which].name, out->error.message);
        abort();
    }
    free(extras);
    scene_free(s);
}
