// SPDX-License-Identifier: MIT
// Part of the stage check (RULES 8.8, 12): the recipe's profiles: names, joints and numbers.
// Whether a joint has a part of its own shows only after the stage parts, and is asked by the stage
// profiles. Reads the recipe and cook->names.
#include "tools/cook/stages.h"

#include <string.h>

// The key of an error has room for names that are not longer.
#define KEY_NAME_MAX 24

void tlw_cook_blame_profile(tlw_cook* cook, const tlw_cook_profile* profile, uint32_t part) {
    // Entries without a joint come from other keys of the file than its list of parts.
    uint32_t in_list = 0;
    for (uint32_t i = 0; i < part; ++i) {
        in_list += profile->parts[i].joint != NULL;
    }
    if (strlen(profile->name) > KEY_NAME_MAX) {
        tlw_cook_blame(cook, "profiles");
    } else if (profile->parts[part].joint == NULL) {
        tlw_cook_blame(cook, "profiles.%s", profile->name);
    } else {
        tlw_cook_blame(cook, "profiles.%s.parts[%u].joint", profile->name, in_list);
    }
}

static tlw_result check_name(tlw_cook* cook, uint32_t i) {
    const tlw_cook_profile* profiles = cook->recipe->profiles;
    const char* name = profiles[i].name;
    if (name == NULL || name[0] == '\0') {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "profile %u has no name", i);
    }
    if (strcmp(name, TLW_COOKED_PROFILE) == 0) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "profile %u: '%s' is the name of what the recipe says outside its "
                             "profiles",
                             i, name);
    }
    for (uint32_t k = 0; k < i; ++k) {
        if (strcmp(name, profiles[k].name) == 0) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "profiles %u and %u have the same name '%s'", k, i, name);
        }
    }
    return TLW_OK;
}

static tlw_result check_part(tlw_cook* cook, const tlw_cook_profile* profile, uint32_t i) {
    const tlw_cook_profile_part* part = &profile->parts[i];
    if (part->joint != NULL &&
        tlw_find_joint_name(cook->names, cook->input->joint_count, part->joint) == TLW_NO_JOINT) {
        tlw_cook_blame_profile(cook, profile, i);
        return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "profile '%s': there is no joint '%s'",
                             profile->name, part->joint);
    }
    for (uint32_t k = 0; k < cook->recipe->layer_count; ++k) {
        if (!(part->stiffness[k] <= 1e6f) || !(part->damping[k] <= 1.0f) ||
            !(part->anchor_hz[k] <= 1e6f) || !(part->limit_scale[k] <= 1e9f)) {
            tlw_cook_blame_profile(cook, profile, i);
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "profile '%s', part of '%s', layer '%s': stiffness %g, damping "
                                 "%g, anchor_hz %g, limit_scale %g; damping is at most 1, the "
                                 "limit scale 1e9, the others 1e6",
                                 profile->name, part->joint ? part->joint : "",
                                 cook->recipe->layers[k].name, (double)part->stiffness[k],
                                 (double)part->damping[k], (double)part->anchor_hz[k],
                                 (double)part->limit_scale[k]);
        }
    }
    return TLW_OK;
}

tlw_result tlw_cook_check_profiles(tlw_cook* cook) {
    const tlw_cook_recipe* recipe = cook->recipe;
    if (recipe->profile_count > TLW_COOK_PROFILES_MAX) {
        tlw_cook_blame(cook, "profiles");
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%u profiles; at most %u are possible",
                             recipe->profile_count, TLW_COOK_PROFILES_MAX);
    }
    for (uint32_t i = 0; i < recipe->profile_count; ++i) {
        const tlw_cook_profile* profile = &recipe->profiles[i];
        tlw_cook_blame(cook, "profiles");
        tlw_result result = check_name(cook, i);
        for (uint32_t k = 0; k < profile->part_count && result == TLW_OK; ++k) {
            result = check_part(cook, profile, k);
        }
        if (result != TLW_OK) {
            return result;
        }
    }
    tlw_cook_blame(cook, "%s", "");
    return TLW_OK;
}
