// SPDX-License-Identifier: MIT
// Shared by the recipe's tests: reading a recipe from text, the example file that has every key,
// and what a recipe without keys has.
#ifndef TLW_TESTS_RECIPE_RECIPE_FIXTURE_H
#define TLW_TESTS_RECIPE_RECIPE_FIXTURE_H

#include "tests/test.h"
#include "tools/recipe/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends with a zero; the caller frees it.
TLW_INLINE char* fixture_load(const char* name, size_t* size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_RECIPE_FOLDER, name);
    return tlw_test_read_text(path, size);
}

TLW_INLINE tlw_recipe fixture_read(const char* text) {
    tlw_recipe recipe;
    tlw_recipe_error error;
    tlw_recipe_read(text, strlen(text), &recipe, &error);
    CHECK_STRING(error.message, "");
    CHECK_EQ(error.result, TLW_OK);
    return recipe;
}

// Compares field by field, because padding may hold anything.
TLW_INLINE void fixture_check_defaults(const tlw_recipe* recipe) {
    const tlw_cook_recipe want = tlw_default_cook_recipe();
    const tlw_cook_recipe* cook = &recipe->cook;
    CHECK_EQ(cook->resolution, want.resolution);
    CHECK_EQ(cook->voxel_metres, want.voxel_metres);
    CHECK_EQ(cook->region_width, want.region_width);
    CHECK_EQ(cook->neighbours, want.neighbours);
    CHECK_EQ(cook->weights, want.weights);
    CHECK_EQ(cook->smoothing_passes, want.smoothing_passes);
    CHECK_EQ(cook->layer_count, want.layer_count);
    for (int i = 0; i < TLW_COOK_LAYERS_MAX; ++i) {
        CHECK_STRING(cook->layers[i].name, want.layers[i].name);
        CHECK_EQ(cook->layers[i].ratio.numerator, want.layers[i].ratio.numerator);
        CHECK_EQ(cook->layers[i].ratio.denominator, want.layers[i].ratio.denominator);
        CHECK_EQ(cook->layers[i].stiffness, want.layers[i].stiffness);
        CHECK_EQ(cook->layers[i].damping, want.layers[i].damping);
        CHECK_EQ(cook->layers[i].anchor_hz, want.layers[i].anchor_hz);
    }
    CHECK_EQ(cook->bone_share.numerator, want.bone_share.numerator);
    CHECK_EQ(cook->bone_share.denominator, want.bone_share.denominator);
    CHECK_EQ(cook->bone_radius_voxels, want.bone_radius_voxels);
    CHECK_EQ(cook->part_count, 0);
    CHECK_EQ(cook->heat_count, 0);
    CHECK_EQ(cook->cut_count, 0);
    CHECK_EQ(cook->excluded_joint_count, 0);
    CHECK_EQ(cook->is_firm_auto, want.is_firm_auto);
    CHECK_EQ(cook->firm_joint_count, 0);
    CHECK_EQ(cook->limit_extent, want.limit_extent);
    CHECK_EQ(cook->limit_thickness, want.limit_thickness);
    CHECK_EQ(cook->embedding, want.embedding);
    CHECK_EQ(cook->seam_passes, want.seam_passes);
    CHECK_EQ(cook->has_ring_normals, want.has_ring_normals);
    CHECK_EQ(cook->volume_reach, want.volume_reach);
    CHECK_EQ(cook->has_limbs, want.has_limbs);
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(cook->rest_gravity[i], want.rest_gravity[i]);
    }
    CHECK_EQ(cook->skinning, want.skinning);
    CHECK_EQ(cook->profile_count, 0);
    CHECK_EQ(cook->max_voxels, want.max_voxels);
    CHECK_EQ(cook->max_memory_bytes, want.max_memory_bytes);
    CHECK_EQ(cook->cookie, want.cookie);
    CHECK_EQ(recipe->metres_per_unit, 1.0);
    for (int i = 0; i < TLW_COOK_PAINTS; ++i) {
        CHECK_EQ(recipe->paint[i], NULL);
    }
    CHECK(recipe->view.part_count <= 1);
    CHECK_EQ(recipe->view.tension_count, 0);
    CHECK_EQ(recipe->file_count, 0);
    CHECK_EQ(recipe->role_count, 0);
    CHECK_EQ(recipe->included_mesh_count, 0);
    CHECK_EQ(recipe->excluded_mesh_count, 0);
    CHECK_EQ(recipe->included_joint_count, 0);
}

#endif
