// SPDX-License-Identifier: MIT
// Reads what concerns the asset: roles and names of meshes, names of joints, vertex attributes.
// Writes the importer's settings in tlw_recipe, and cook.excluded_joints.
#include "tools/recipe/reader.h"

#include <stdio.h>
#include <string.h>

TLW_RECIPE_READ(tlw_recipe_read_roles) {
    tlw_recipe* recipe = object;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of meshes");
    }
    const size_t count = json_object_size(at->value);
    if (count > TLW_RECIPE_LIST_MAX) {
        return tlw_recipe_fail(r, at, "%zu meshes; %u is the limit", count, TLW_RECIPE_LIST_MAX);
    }
    tlw_recipe_role* roles = tlw_recipe_allocate(r, count, sizeof *roles);
    size_t next = 0;
    for (void* i = roles ? json_object_iter(at->value) : NULL; i;
         i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i));
        char path[48];
        int role = 0;
        if (member.key[0] == 0) {
            return tlw_recipe_fail(r, &member, "a mesh without a name cannot be named");
        }
        snprintf(path, sizeof path, "meshes.roles[%zu]", next);
        if (!tlw_recipe_read_word(r, &member, key->members, &role) ||
            !tlw_recipe_copy_name(r, member.key, &roles[next].name) ||
            !tlw_recipe_mark_place(r, &member, path)) {
            return false;
        }
        roles[next++].role = (tlw_cook_role)role;
    }
    recipe->roles = roles;
    recipe->role_count = (uint32_t)count;
    return roles != NULL;
}

// A name in both lists is a mistake, whichever of the two the importer would let win.
static bool check_apart(tlw_recipe_reader* r, const tlw_json* at, const char* const* included,
                        uint32_t included_count, const char* const* excluded,
                        uint32_t excluded_count) {
    const tlw_json list = tlw_json_member(at, "exclude");
    for (uint32_t i = 0; i < excluded_count; ++i) {
        for (uint32_t k = 0; k < included_count; ++k) {
            if (strcmp(excluded[i], included[k]) == 0) {
                const tlw_json element = tlw_json_element(&list, i);
                char quoted[TLW_JSON_QUOTE_BYTES];
                return tlw_recipe_fail(r, &element, "%s is included as well, as include[%u]",
                                       tlw_json_quote(excluded[i], quoted), k);
            }
        }
    }
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_meshes) {
    const tlw_recipe* recipe = object;
    return tlw_recipe_read_object(r, at, key, object) &&
           check_apart(r, at, recipe->included_meshes, recipe->included_mesh_count,
                       recipe->excluded_meshes, recipe->excluded_mesh_count);
}

TLW_RECIPE_READ(tlw_recipe_read_joints) {
    const tlw_recipe* recipe = object;
    return tlw_recipe_read_object(r, at, key, object) &&
           check_apart(r, at, recipe->included_joints, recipe->included_joint_count,
                       recipe->cook.excluded_joints, recipe->cook.excluded_joint_count);
}

// "_FAT", or with a component "COLOR_0.r". What the asset has is not known here.
TLW_RECIPE_READ(tlw_recipe_read_attribute) {
    static const char* const components[] = {"r", "g", "b", "a", "x", "y", "z", "w"};
    const char* text;
    if (!tlw_recipe_string(r, at, &text)) {
        return false;
    }
    const char* dot = strchr(text, '.');
    if (dot == text) {
        return tlw_recipe_fail(r, at, "an attribute's name is expected before the dot");
    }
    if (dot) {
        size_t i = 0;
        while (i < TLW_COUNT_OF(components) && strcmp(components[i], dot + 1) != 0) {
            i += 1;
        }
        if (i == TLW_COUNT_OF(components)) {
            char what[TLW_JSON_QUOTE_BYTES + 32], quoted[TLW_JSON_QUOTE_BYTES];
            snprintf(what, sizeof what, "%s is no component", tlw_json_quote(dot + 1, quoted));
            return tlw_recipe_unknown(r, at, false, what, dot + 1, components,
                                      TLW_COUNT_OF(components));
        }
    }
    return tlw_recipe_read_name(r, at, key, object);
}
