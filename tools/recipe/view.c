// SPDX-License-Identifier: MIT
// Reads what tallow-view keeps of a character besides what is cooked: settings, tensions, limits,
// and what plays. It names layers and profiles, and is therefore read after them. Writes
// recipe->view, which no cook stage knows.
#include "tools/recipe/reader.h"

#include <stdio.h>
#include <string.h>

TLW_RECIPE_READ(tlw_recipe_read_view) {
    tlw_recipe_view* view = &((tlw_recipe*)object)->view;
    const tlw_json list = tlw_json_member(at, "parts");
    size_t count = 0;
    if (list.value && !tlw_recipe_array(r, &list, "an array of parts", &count)) {
        return false;
    }
    count += 1; // the whole character
    view->parts = tlw_recipe_allocate(r, count, sizeof *view->parts);
    for (size_t i = 0; view->parts && i < count; ++i) {
        view->parts[i] = tlw_default_cook_profile_part(NULL);
    }
    view->part_count = (uint32_t)count;
    return view->parts && tlw_recipe_read_object(r, at, key, object);
}

TLW_RECIPE_READ(tlw_recipe_read_view_layers) {
    return tlw_recipe_read_profile_layers(r, at, key, ((tlw_recipe*)object)->view.parts);
}

TLW_RECIPE_READ(tlw_recipe_read_view_parts) {
    return tlw_recipe_read_profile_parts(r, at, key, ((tlw_recipe*)object)->view.parts);
}

TLW_RECIPE_READ(tlw_recipe_read_view_profile) {
    const tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    const char* names[256] = {"cooked"};
    char what[TLW_JSON_QUOTE_BYTES + 32], quoted[TLW_JSON_QUOTE_BYTES];
    const char* name;
    size_t count = 1;
    if (!tlw_recipe_string(r, at, &name)) {
        return false;
    }
    for (uint32_t i = 0; i < cook->profile_count && count < TLW_COUNT_OF(names); ++i) {
        names[count++] = cook->profiles[i].name;
    }
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return tlw_recipe_read_name(r, at, key, object);
        }
    }
    snprintf(what, sizeof what, "%s is no profile", tlw_json_quote(name, quoted));
    return tlw_recipe_unknown(r, at, false, what, name, names, count);
}

// Which muscles there are is known only once automatic ones were made: the viewer says which of
// these names it does not find.
TLW_RECIPE_READ(tlw_recipe_read_tensions) {
    tlw_recipe_view* view = &((tlw_recipe*)object)->view;
    size_t next = 0;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of muscles");
    }
    tlw_recipe_tension* tensions =
        tlw_recipe_allocate(r, json_object_size(at->value), sizeof *tensions);
    for (void* i = tensions ? json_object_iter(at->value) : NULL; i;
         i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i));
        double tension;
        if (!tlw_recipe_number(r, &member, key->members[0].least, key->members[0].most, &tension) ||
            !tlw_recipe_copy_name(r, member.key, &tensions[next].muscle)) {
            return false;
        }
        tensions[next++].tension = (float)tension;
    }
    view->tensions = tensions;
    view->tension_count = (uint32_t)next;
    return tensions != NULL;
}
