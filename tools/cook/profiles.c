// SPDX-License-Identifier: MIT
// Stage profiles (RULES 8.8): the materials of every profile. Reads the recipe, cook->names,
// cook->mirrors and cook->parts; writes cook->profiles.
#include "tools/cook/stages.h"

#include <stdio.h>
#include <string.h>

// Room for the names of parts in a message; more of them end with dots.
#define NAMES_BYTES 200

static const char* name_of(const tlw_cook* cook, uint32_t joint) {
    return cook->input->joints[joint].name;
}

// The joints that parts have, for the message about one that has none.
static void list_parts(const tlw_cook* cook, char text[NAMES_BYTES]) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t p = 1; p < cook->parts.count && used < NAMES_BYTES; ++p) {
        const int more = snprintf(text + used, NAMES_BYTES - used, "%s'%s'", p > 1 ? ", " : "",
                                  name_of(cook, cook->parts.list[p].joint));
        used += more > 0 ? (size_t)more : 0;
    }
    if (used >= NAMES_BYTES) {
        memcpy(text + NAMES_BYTES - 4, "...", 4);
    }
}

// The part that a joint of a profile names: one that begins at this joint, or is mirrored to it.
// TLW_BLOB_NO_INDEX: none.
static uint32_t find_part(const tlw_cook* cook, const char* joint_name) {
    if (joint_name == NULL) {
        return 0;
    }
    const uint32_t joint = tlw_find_joint_name(cook->names, cook->input->joint_count, joint_name);
    const uint32_t part = cook->parts.of_joint[joint];
    const bool is_mirrored =
        part > 0 && part <= cook->recipe->part_count && cook->mirrors[part - 1] == joint;
    const bool is_own = part > 0 && cook->parts.list[part].joint == joint;
    return is_own || is_mirrored ? part : TLW_BLOB_NO_INDEX;
}

static tlw_result refuse_part(tlw_cook* cook, const tlw_cook_profile* profile, uint32_t i) {
    char names[NAMES_BYTES];
    list_parts(cook, names);
    cook->is_about_recipe = true;
    tlw_cook_blame_profile(cook, profile, i);
    return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND,
                         "profile '%s': '%s' has no part of its own; %s%s", profile->name,
                         profile->parts[i].joint,
                         cook->parts.count > 1 ? "there are parts of " : "no joint has one", names);
}

// Negative numbers keep what is there.
static void set_numbers(tlw_blob_profile_material* materials, uint32_t layers,
                        const tlw_cook_profile_part* part) {
    for (uint32_t i = 0; i < layers; ++i) {
        tlw_blob_profile_material* m = &materials[i];
        m->stiffness = part->stiffness[i] >= 0.0f ? part->stiffness[i] : m->stiffness;
        m->damping = part->damping[i] >= 0.0f ? part->damping[i] : m->damping;
        m->anchor_hz = part->anchor_hz[i] >= 0.0f ? part->anchor_hz[i] : m->anchor_hz;
        m->limit_scale = part->limit_scale[i] >= 0.0f ? part->limit_scale[i] : m->limit_scale;
    }
}

// Begins with the recipe's own materials; entries then change them one after another.
static tlw_result fill_profile(tlw_cook* cook, const tlw_cook_profile* profile,
                               tlw_blob_profile_material* materials) {
    const uint32_t layers = cook->recipe->layer_count;
    for (uint32_t i = 0; i < cook->parts.count * layers; ++i) {
        const tlw_blob_material* own = &cook->parts.materials[i];
        materials[i] =
            (tlw_blob_profile_material){own->stiffness, own->damping, own->anchor_hz, 1.0f};
    }
    for (uint32_t i = 0; i < profile->part_count; ++i) {
        const uint32_t part = find_part(cook, profile->parts[i].joint);
        if (part == TLW_BLOB_NO_INDEX) {
            return refuse_part(cook, profile, i);
        }
        set_numbers(materials + (size_t)part * layers, layers, &profile->parts[i]);
    }
    return TLW_OK;
}

tlw_result tlw_cook_make_profiles(tlw_cook* cook) {
    const tlw_cook_recipe* recipe = cook->recipe;
    const uint64_t each = (uint64_t)cook->parts.count * recipe->layer_count;
    tlw_cook_profiles* profiles = &cook->profiles;
    profiles->materials =
        tlw_cook_allocate(cook, recipe->profile_count * each, sizeof *profiles->materials);
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < recipe->profile_count; ++i) {
        profiles->count += 1;
        (void)fill_profile(cook, &recipe->profiles[i], profiles->materials + i * each);
    }
    return cook->error.result;
}
