// SPDX-License-Identifier: MIT
// Fuzzes the recipe's reader: a recipe must be refused with one line that says why, or keep the
// promises of tools/recipe/README.md. Accepted recipes are then applied to a few joints. Text after
// a line "---" is every file that the text before it extends.
#include "tools/recipe/recipe.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

static bool is_share(tlw_cook_fraction f) {
    return f.denominator > 0 && f.denominator <= 1000000 && f.numerator <= f.denominator;
}

static void check_message(const tlw_recipe_error* error) {
    const size_t length = strlen(error->message);
    require(length > 0 && length + 1 < sizeof error->message);
    for (size_t i = 0; i < length; ++i) {
        require((unsigned char)error->message[i] >= 0x20);
    }
}

static void check_layers(const tlw_cook_recipe* cook) {
    require(cook->layer_count >= 2 && cook->layer_count <= TLW_COOK_LAYERS_MAX);
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        const tlw_cook_layer* layer = &cook->layers[i];
        require(memchr(layer->name, 0, sizeof layer->name) && layer->name[0]);
        require(layer->stiffness >= 0 && layer->stiffness <= 1e6f);
        require(layer->damping >= 0 && layer->damping <= 1);
        require(layer->anchor_hz >= 0 && layer->anchor_hz <= 1000);
        require(is_share(layer->ratio));
        for (uint32_t k = 0; k < i; ++k) {
            require(strcmp(layer->name, cook->layers[k].name) != 0);
        }
        if (i > 1 && i + 2 < cook->layer_count) {
            const tlw_cook_fraction a = cook->layers[i - 1].ratio, b = layer->ratio;
            require((uint64_t)a.numerator * b.denominator < (uint64_t)b.numerator * a.denominator);
        }
    }
}

static void check_names(const char* const* names, uint32_t count) {
    require(count <= TLW_RECIPE_LIST_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        require(names[i][0] != 0);
    }
}

static void check_profile(const tlw_cook_profile* profile) {
    const size_t bytes = strlen(profile->name);
    require(bytes > 0 && bytes < TLW_COOK_NAME_MAX && strcmp(profile->name, "cooked") != 0);
    require(profile->part_count > 0 && !profile->parts[0].joint);
    for (uint32_t i = 0; i < profile->part_count; ++i) {
        const tlw_cook_profile_part* part = &profile->parts[i];
        require(i == 0 || part->joint[0] != 0);
        for (uint32_t k = 0; k < TLW_COOK_LAYERS_MAX; ++k) {
            require(part->stiffness[k] >= -1 && part->stiffness[k] <= 1e6f);
            require(part->damping[k] >= -1 && part->damping[k] <= 1);
            require(part->anchor_hz[k] >= -1 && part->anchor_hz[k] <= 1000);
            require(part->limit_scale[k] >= -1 && part->limit_scale[k] <= 1e9f);
        }
    }
}

static void check_recipe(const tlw_recipe* recipe) {
    const tlw_cook_recipe* cook = &recipe->cook;
    require(cook->resolution == 0 ? cook->voxel_metres >= 1e-6 && cook->voxel_metres <= 1000
                                  : cook->resolution >= 2 && cook->resolution <= 1024);
    require(cook->region_width == 2 || cook->region_width == 3);
    require(cook->smoothing_passes <= 100 && cook->bone_radius_voxels <= 1024);
    require(is_share(cook->bone_share));
    check_layers(cook);
    for (uint32_t i = 0; i < cook->part_count; ++i) {
        require(cook->parts[i].joint[0] != 0);
        for (uint32_t k = 0; k < TLW_COOK_LAYERS_MAX; ++k) {
            require(cook->parts[i].stiffness[k] >= -1 && cook->parts[i].damping[k] <= 1);
            require(cook->parts[i].anchor_hz[k] >= -1 && cook->parts[i].anchor_hz[k] <= 1000);
            require(cook->parts[i].ratio[k].denominator == 0 || is_share(cook->parts[i].ratio[k]));
        }
        require(cook->parts[i].bone_share.denominator == 0 || is_share(cook->parts[i].bone_share));
        require(cook->parts[i].bone_radius_voxels >= -1);
        require(cook->parts[i].limit_extent >= -1 && cook->parts[i].limit_extent <= 1000);
        require(cook->parts[i].limit_thickness >= -1 && cook->parts[i].limit_thickness <= 1000);
    }
    require(cook->profile_count <= 255);
    for (uint32_t i = 0; i < cook->profile_count; ++i) {
        check_profile(&cook->profiles[i]);
    }
    require(cook->volume_reach >= 0 && cook->volume_reach <= 10);
    require((uint32_t)cook->skinning < TLW_SKINNING_COUNT);
    for (uint32_t i = 0; i < cook->heat_count; ++i) {
        require(cook->heat[i].joint[0] != 0 && cook->heat[i].strength > 0.0009f);
        require(cook->heat[i].energy > 0.0009f && cook->heat[i].energy <= 1000);
    }
    for (uint32_t i = 0; i < cook->cut_count; ++i) {
        require(strcmp(cook->cuts[i].joint_a, cook->cuts[i].joint_b) != 0);
    }
    for (uint32_t i = 0; i < recipe->role_count; ++i) {
        require(recipe->roles[i].name[0] != 0 && recipe->roles[i].role <= TLW_ROLE_IGNORE);
    }
    require(cook->limit_extent > 0 && cook->limit_thickness > 0);
    require(cook->max_voxels >= 1 && cook->max_memory_bytes >= 1 << 20);
    require(recipe->metres_per_unit > 0);
    check_names(recipe->included_meshes, recipe->included_mesh_count);
    check_names(recipe->excluded_meshes, recipe->excluded_mesh_count);
    check_names(recipe->included_joints, recipe->included_joint_count);
    require(!cook->is_firm_auto || cook->firm_joint_count == 0);
    check_names(cook->firm_joints, cook->firm_joint_count);
    check_names(cook->excluded_joints, cook->excluded_joint_count);
}

typedef struct shelf {
    const uint8_t *recipe, *other;
    size_t recipe_bytes, other_bytes;
} shelf;

static tlw_result load(const char* path, const void** bytes, size_t* size,
                       char why[TLW_RECIPE_WHY_BYTES], void* user) {
    const shelf* s = user;
    const bool is_recipe = strcmp(path, "recipe") == 0;
    memcpy(why, "not there", 10);
    *bytes = is_recipe ? s->recipe : s->other;
    *size = is_recipe ? s->recipe_bytes : s->other_bytes;
    return strstr(path, "nowhere") ? TLW_ERROR_CANNOT_READ : TLW_OK;
}

static tlw_result read_text(const uint8_t* data, size_t size, tlw_recipe* recipe,
                            tlw_recipe_error* error) {
    static const char border[] = "\n---\n";
    const size_t length = sizeof border - 1;
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(data + i, border, length) == 0) {
            shelf s = {data, data + i + length, i, size - i - length};
            const tlw_recipe_loader loader = {load, NULL, &s};
            return tlw_recipe_read_file("recipe", &loader, recipe, error);
        }
    }
    return tlw_recipe_read(data, size, recipe, error);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const tlw_recipe zero;
    static const tlw_cook_joint joints[] = {{.name = "hips", .parent = TLW_NO_JOINT},
                                            {.name = "head", .parent = 0},
                                            {.name = "neck", .parent = 0},
                                            {.name = "belly", .parent = 5},
                                            {.name = "thigh.L", .parent = 9},
                                            {.name = "thigh.R", .parent = 3},
                                            {.name = "tail", .parent = 7},
                                            {.name = "prop", .parent = 6}};
    tlw_recipe recipe;
    tlw_recipe_error error;
    if (read_text(data, size, &recipe, &error) == TLW_OK) {
        require(error.message[0] == 0);
        check_recipe(&recipe);
        if (tlw_recipe_choose_joints(&recipe, joints, TLW_COUNT_OF(joints), &error) == TLW_OK) {
            check_recipe(&recipe);
            require(recipe.cook.excluded_joint_count <= TLW_COUNT_OF(joints));
        } else {
            check_message(&error);
        }
        tlw_recipe_free(&recipe);
    } else {
        check_message(&error);
    }
    require(memcmp(&recipe, &zero, sizeof zero) == 0);
    return 0;
}
