// SPDX-License-Identifier: MIT
// Reads profiles, sets of materials under a name (RULES 8.8), which name the recipe's layers and
// are therefore read after them. Writes cook.profiles. The first entry of a profile is about the
// whole character, with its preset and layers; the others are its parts.
#include "tools/recipe/reader.h"

#include "runtime/presets.h"

#include <stdio.h>
#include <string.h>

static const tlw_preset_values presets[] = {TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

// Columns by layer as a preset has them at run time (MODEL 3.10): the recipe's own preset knows
// only layers of the default names. Bone keeps what it has.
TLW_RECIPE_READ(tlw_recipe_read_profile_preset) {
    tlw_cook_profile_part* whole = object;
    const uint32_t count = r->out->cook.layer_count;
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, key, &chosen)) {
        return false;
    }
    for (uint32_t i = 1; i < count; ++i) {
        const int kind = i + 1 == count ? TLW_PRESET_SKIN
                         : i == 1       ? TLW_PRESET_MUSCLE
                                        : TLW_PRESET_FAT;
        whole->stiffness[i] = presets[chosen].stiffness[kind];
        whole->damping[i] = presets[chosen].damping[kind];
        whole->anchor_hz[i] = presets[chosen].anchor_hz[kind];
    }
    return true;
}

static void take(float* value, float given) {
    if (given >= 0) {
        *value = given;
    }
}

// Reads the layers of the whole character, which its preset has set before, or those of a part.
TLW_RECIPE_READ(tlw_recipe_read_profile_layers) {
    tlw_cook_profile_part* part = object;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of layers");
    }
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i));
#define LEAVE_OUT(field, most, meaning) .field = TLW_RECIPE_NOT_GIVEN,
        tlw_recipe_profile_layer values = {TLW_RECIPE_MATERIALS(LEAVE_OUT).limit_scale =
                                               TLW_RECIPE_NOT_GIVEN};
#undef LEAVE_OUT
        uint32_t layer;
        if (!tlw_recipe_find_layer(r, &member, &layer) ||
            !tlw_recipe_read_object(r, &member, key->members, &values)) {
            return false;
        }
#define TAKE(field, most, meaning) take(&part->field[layer], values.field);
        TLW_RECIPE_MATERIALS(TAKE)
#undef TAKE
        take(&part->limit_scale[layer], values.limit_scale);
    }
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_profile_parts) {
    tlw_cook_profile_part* parts = (tlw_cook_profile_part*)object + 1;
    char quoted[TLW_JSON_QUOTE_BYTES], other[TLW_RECIPE_PLACE_BYTES];
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of parts", &count)) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        if (!tlw_recipe_read_object(r, &element, key, &parts[i])) {
            return false;
        }
        const tlw_json joint = tlw_json_member(&element, "joint");
        for (size_t k = 0; k < i; ++k) {
            if (strcmp(parts[k].joint, parts[i].joint) == 0) {
                const tlw_json first = tlw_json_element(at, k);
                tlw_recipe_write_path(r, &first, other);
                return tlw_recipe_fail(r, &joint, "%s has a part here already, %s",
                                       tlw_json_quote(parts[i].joint, quoted), other);
            }
        }
    }
    return true;
}

static bool check_name(tlw_recipe_reader* r, const tlw_json* at) {
    const size_t bytes = strlen(at->key);
    if (bytes == 0) {
        return tlw_recipe_fail(r, at, "a profile needs a name");
    }
    if (bytes >= TLW_COOK_NAME_MAX) {
        return tlw_recipe_fail(r, at, "a name of %zu bytes; %d is the limit", bytes,
                               TLW_COOK_NAME_MAX - 1);
    }
    return strcmp(at->key, "cooked") != 0 ||
           tlw_recipe_fail(r, at,
                           "cooked is the name of what the recipe says outside its profiles; "
                           "choose another");
}

// Lets the places of a profile and of the joints of its parts be found by number, because a long
// name is shortened in a path.
static bool mark_places(tlw_recipe_reader* r, const tlw_json* at, size_t profile, size_t count) {
    char path[64];
    const tlw_json parts = tlw_json_member(at, "parts");
    snprintf(path, sizeof path, "profiles[%zu]", profile);
    if (!tlw_recipe_mark_place(r, at, path)) {
        return false;
    }
    for (size_t i = 1; i < count; ++i) {
        const tlw_json element = tlw_json_element(&parts, i - 1);
        const tlw_json joint = tlw_json_member(&element, "joint");
        snprintf(path, sizeof path, "profiles[%zu].parts[%zu].joint", profile, i);
        if (!tlw_recipe_mark_place(r, &joint, path)) {
            return false;
        }
    }
    return true;
}

static bool read_profile(tlw_recipe_reader* r, const tlw_json* at, const tlw_recipe_key* key,
                         size_t index, tlw_cook_profile* out) {
    const tlw_json list = tlw_json_member(at, "parts");
    size_t count = 0;
    if (!check_name(r, at) ||
        (list.value && !tlw_recipe_array(r, &list, "an array of parts", &count))) {
        return false;
    }
    count += 1; // the whole character
    tlw_cook_profile_part* parts = tlw_recipe_allocate(r, count, sizeof *parts);
    for (size_t i = 0; parts && i < count; ++i) {
        parts[i] = tlw_default_cook_profile_part(NULL);
    }
    out->parts = parts;
    out->part_count = (uint32_t)count;
    return parts && tlw_recipe_copy_name(r, at->key, &out->name) &&
           tlw_recipe_read_object(r, at, key, parts) && mark_places(r, at, index, count);
}

TLW_RECIPE_READ(tlw_recipe_read_profiles) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of profiles");
    }
    const size_t count = json_object_size(at->value);
    if ((double)count > key->most) {
        return tlw_recipe_fail(r, at, "%zu profiles; %.0f is the limit", count, key->most);
    }
    tlw_cook_profile* profiles = tlw_recipe_allocate(r, count, sizeof *profiles);
    size_t next = 0;
    for (void* i = profiles ? json_object_iter(at->value) : NULL; i;
         i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i));
        if (!read_profile(r, &member, key->members, next, &profiles[next])) {
            return false;
        }
        next += 1;
    }
    cook->profiles = profiles;
    cook->profile_count = (uint32_t)count;
    return profiles != NULL;
}
