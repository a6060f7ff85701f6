// SPDX-License-Identifier: MIT
// Reads the lists whose entries are about joints: parts, cuts and heat, and which joints are firm.
// Writes cook.parts, cook.cuts, cook.heat and cook.firm_joints.
#include "tools/recipe/reader.h"

#include <string.h>

static bool are_equal(const char* a, const char* b) {
    return strcmp(a, b) == 0;
}

// "parts[0]", as the file counts them.
static const char* path_of(const tlw_recipe_reader* r, const tlw_json* list, size_t index,
                           char text[TLW_RECIPE_PLACE_BYTES]) {
    const tlw_json element = tlw_json_element(list, index);
    tlw_recipe_write_path(r, &element, text);
    return text;
}

// Parts
// ------------------------------------------------------------------------------------------------

TLW_RECIPE_READ(tlw_recipe_read_radius) {
    int32_t* out = tlw_recipe_field(object, key->offset);
    uint32_t radius;
    if (!tlw_recipe_integer(r, at, key->least, key->most, &radius)) {
        return false;
    }
    *out = (int32_t)radius;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_part_layers) {
    tlw_cook_part* part = object;
    const tlw_cook_recipe* cook = &r->out->cook;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of layers");
    }
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i)),
                       ratio = tlw_json_member(&member, "ratio");
#define LEAVE_OUT(field, most, meaning) .field = TLW_RECIPE_NOT_GIVEN,
        tlw_recipe_part_layer values = {TLW_RECIPE_MATERIALS(LEAVE_OUT).lame =
                                            tlw_default_cook_lame()};
#undef LEAVE_OUT
        uint32_t layer;
        if (!tlw_recipe_find_layer(r, &member, &layer) ||
            !tlw_recipe_read_object(r, &member, key->members, &values) ||
            !tlw_recipe_check_ratio(r, &ratio, layer, cook->layer_count, values.ratio)) {
            return false;
        }
#define TAKE(field, most, meaning) part->field[layer] = values.field;
        TLW_RECIPE_MATERIALS(TAKE)
#undef TAKE
        part->ratio[layer] = values.ratio;
        part->lame[layer] = values.lame;
    }
    return true;
}

static tlw_cook_fraction ratio_of(const tlw_cook_recipe* cook, const tlw_cook_part* part,
                                  uint32_t layer) {
    return part->ratio[layer].denominator > 0 ? part->ratio[layer] : cook->layers[layer].ratio;
}

// The ratios of a part, with the layers' where it gives none, ascend too. The message is about the
// upper one of two, or about the lower one if the part gives only that.
static bool check_part_ratios(tlw_recipe_reader* r, const tlw_json* at, const tlw_cook_part* part) {
    const tlw_cook_recipe* cook = &r->out->cook;
    const tlw_json layers = tlw_json_member(at, "layers");
    for (uint32_t i = 2; i + 2 < cook->layer_count; ++i) {
        const bool is_upper = part->ratio[i].denominator > 0;
        const uint32_t named = is_upper ? i : i - 1;
        const tlw_json layer = tlw_json_member(&layers, cook->layers[named].name);
        const tlw_json place = tlw_json_member(&layer, "ratio");
        const tlw_cook_fraction a = ratio_of(cook, part, i - 1), b = ratio_of(cook, part, i);
        if (part->ratio[named].denominator > 0 &&
            !tlw_recipe_check_ascent(r, &place, a, b, cook->layers[i - 1].name)) {
            return false;
        }
    }
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_parts) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    char quoted[TLW_JSON_QUOTE_BYTES], other[TLW_RECIPE_PLACE_BYTES];
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of parts", &count)) {
        return false;
    }
    tlw_cook_part* parts = tlw_recipe_allocate(r, count, sizeof *parts);
    for (size_t i = 0; parts && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        parts[i] = tlw_default_cook_part(NULL);
        if (!tlw_recipe_read_object(r, &element, key, &parts[i]) ||
            !check_part_ratios(r, &element, &parts[i])) {
            return false;
        }
        const tlw_json joint = tlw_json_member(&element, "joint");
        for (size_t k = 0; k < i; ++k) {
            if (are_equal(parts[k].joint, parts[i].joint)) {
                return tlw_recipe_fail(r, &joint, "%s has a part already, %s",
                                       tlw_json_quote(parts[i].joint, quoted),
                                       path_of(r, at, k, other));
            }
        }
    }
    cook->parts = parts;
    cook->part_count = (uint32_t)count;
    return parts != NULL;
}

// Firm joints
// ------------------------------------------------------------------------------------------------

TLW_RECIPE_READ(tlw_recipe_read_firm) {
    static const char* const words[] = {"auto", NULL};
    static const tlw_recipe_key word = {.words = words};
    tlw_recipe* recipe = object;
    int chosen;
    recipe->cook.is_firm_auto = json_is_string(at->value);
    if (recipe->cook.is_firm_auto) {
        return tlw_recipe_read_word(r, at, &word, &chosen);
    }
    if (!json_is_array(at->value)) {
        return tlw_recipe_unexpected(r, at, "\"auto\" or an array of names");
    }
    return tlw_recipe_read_names(r, at, key, object);
}

// Cuts
// ------------------------------------------------------------------------------------------------

TLW_RECIPE_READ(tlw_recipe_read_pair) {
    static const tlw_recipe_key keys[2] = {{.offset = offsetof(tlw_cook_cut, joint_a)},
                                           {.offset = offsetof(tlw_cook_cut, joint_b)}};
    const tlw_cook_cut* cut = object;
    (void)key;
    if (!json_is_array(at->value)) {
        return tlw_recipe_unexpected(r, at, "an array of two names");
    }
    if (json_array_size(at->value) != 2) {
        return tlw_recipe_fail(r, at, "two names are expected, not %zu",
                               json_array_size(at->value));
    }
    for (size_t i = 0; i < 2; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        if (!tlw_recipe_read_name(r, &element, &keys[i], object) ||
            !tlw_recipe_mark_place(r, &element, NULL)) {
            return false;
        }
    }
    if (are_equal(cut->joint_a, cut->joint_b)) {
        char quoted[TLW_JSON_QUOTE_BYTES];
        return tlw_recipe_fail(r, at, "two joints are expected, not %s twice",
                               tlw_json_quote(cut->joint_a, quoted));
    }
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_cut) {
    tlw_cook_cut* cut = object;
    (void)key;
    if (json_is_boolean(at->value)) {
        cut->kind = json_is_true(at->value) ? TLW_CUT_FORCED : TLW_CUT_NEVER;
        return true;
    }
    if (json_is_string(at->value) && are_equal(json_string_value(at->value), "all")) {
        cut->kind = TLW_CUT_ALL;
        return true;
    }
    return tlw_recipe_unexpected(r, at, "true, false or \"all\"");
}

static bool are_same_pair(const tlw_cook_cut* a, const tlw_cook_cut* b) {
    return (are_equal(a->joint_a, b->joint_a) && are_equal(a->joint_b, b->joint_b)) ||
           (are_equal(a->joint_a, b->joint_b) && are_equal(a->joint_b, b->joint_a));
}

TLW_RECIPE_READ(tlw_recipe_read_cuts) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    char other[TLW_RECIPE_PLACE_BYTES];
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of cuts", &count)) {
        return false;
    }
    tlw_cook_cut* cuts = tlw_recipe_allocate(r, count, sizeof *cuts);
    for (size_t i = 0; cuts && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        cuts[i].kind = TLW_CUT_FORCED;
        if (!tlw_recipe_read_object(r, &element, key, &cuts[i])) {
            return false;
        }
        const tlw_json joints = tlw_json_member(&element, "joints");
        for (size_t k = 0; k < i; ++k) {
            if (are_same_pair(&cuts[k], &cuts[i])) {
                return tlw_recipe_fail(r, &joints, "this pair has a cut already, %s",
                                       path_of(r, at, k, other));
            }
        }
    }
    cook->cuts = cuts;
    cook->cut_count = (uint32_t)count;
    return cuts != NULL;
}

// Heat
// ------------------------------------------------------------------------------------------------

TLW_RECIPE_READ(tlw_recipe_read_heat) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    char quoted[TLW_JSON_QUOTE_BYTES], other[TLW_RECIPE_PLACE_BYTES];
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of joints and their heat", &count)) {
        return false;
    }
    tlw_cook_heat* heat = tlw_recipe_allocate(r, count, sizeof *heat);
    for (size_t i = 0; heat && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        heat[i].strength = heat[i].energy = 1.0f;
        if (!tlw_recipe_read_object(r, &element, key, &heat[i])) {
            return false;
        }
        const tlw_json joint = tlw_json_member(&element, "joint");
        for (size_t k = 0; k < i; ++k) {
            if (are_equal(heat[k].joint, heat[i].joint)) {
                return tlw_recipe_fail(r, &joint, "%s has heat already, %s",
                                       tlw_json_quote(heat[i].joint, quoted),
                                       path_of(r, at, k, other));
            }
        }
    }
    cook->heat = heat;
    cook->heat_count = (uint32_t)count;
    return heat != NULL;
}
