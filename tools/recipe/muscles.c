// SPDX-License-Identifier: MIT
// Reads muscles (RULES 9.12): lists of objects and of the word auto. Writes cook.muscles. What
// needs the character, such as the length of segments, the cooking library checks.
#include "tools/recipe/reader.h"

#include <stdio.h>
#include <string.h>

// How thick automatic muscles become. It is read before the list.
TLW_RECIPE_READ(tlw_recipe_read_auto_bulge) {
    (void)object;
    const tlw_recipe_key plain = {.least = key->least, .most = key->most};
    return tlw_recipe_read_float(r, at, &plain, &r->auto_bulge);
}

// ---- Places

// true or false, as a number of 32 bits that may also say that nothing was given.
TLW_RECIPE_READ(tlw_recipe_read_dynamic) {
    tlw_cook_line_vertex* vertex = object;
    bool is_dynamic;
    const tlw_recipe_key plain = {.name = key->name, .kind = key->kind};
    if (!tlw_recipe_read_bool(r, at, &plain, &is_dynamic)) {
        return false;
    }
    vertex->is_dynamic = is_dynamic;
    return true;
}

// Names of joints with their weights, into a tlw_cook_place.
TLW_RECIPE_READ(tlw_recipe_read_place_joints) {
    tlw_cook_place* place = tlw_recipe_field(object, key->offset);
    size_t next = 0;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of joints");
    }
    if (json_object_size(at->value) < 1 || json_object_size(at->value) > TLW_COOK_PLACE_JOINTS) {
        return tlw_recipe_fail(r, at, "1 to %d joints are expected, not %zu", TLW_COOK_PLACE_JOINTS,
                               json_object_size(at->value));
    }
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i));
        double weight;
        if (!tlw_recipe_number(r, &member, key->members[0].least, key->members[0].most, &weight) ||
            !tlw_recipe_copy_name(r, member.key, &place->joints[next]) ||
            !tlw_recipe_mark_place(r, &member, NULL)) {
            return false;
        }
        place->weights[next++] = (float)weight;
    }
    return tlw_recipe_mark_place(r, at, NULL);
}

// A place is on a joint's segment, or anywhere with joints of its own.
static bool check_place(tlw_recipe_reader* r, const tlw_json* at) {
    static const char* const on_segment[] = {"along", "offset"};
    const bool has_joint = json_object_get(at->value, "joint") != NULL,
               has_joints = json_object_get(at->value, "joints") != NULL,
               has_at = json_object_get(at->value, "at") != NULL;
    if (!has_joint && !has_joints) {
        return tlw_recipe_fail(r, at, "a place needs joint, or joints and at");
    }
    if (has_joints != has_at) {
        return tlw_recipe_fail(r, at, "joints and at are given together");
    }
    for (size_t i = 0; i < TLW_COUNT_OF(on_segment) && has_joints; ++i) {
        const tlw_json member = tlw_json_member(at, on_segment[i]);
        if (member.value) {
            return tlw_recipe_fail(r, &member, "it goes with joint; with joints, at says where");
        }
    }
    return tlw_recipe_mark_place(r, at, NULL);
}

// The elements of a list, checked in number; null after setting the error.
static void* allocate_list(tlw_recipe_reader* r, const tlw_json* at, const tlw_recipe_key* key,
                           const char* expected, size_t element_bytes, size_t* count) {
    if (!tlw_recipe_array(r, at, expected, count)) {
        return NULL;
    }
    if ((double)*count < key->least || (double)*count > key->most) {
        tlw_recipe_fail(r, at, "%zu elements; %.0f to %.0f are possible", *count, key->least,
                        key->most);
        return NULL;
    }
    return tlw_recipe_mark_place(r, at, NULL) ? tlw_recipe_allocate(r, *count, element_bytes)
                                              : NULL;
}

TLW_RECIPE_READ(tlw_recipe_read_line) {
    tlw_cook_muscle* muscle = object;
    size_t count;
    tlw_cook_line_vertex* line =
        allocate_list(r, at, key, "an array of vertices", sizeof *line, &count);
    for (size_t i = 0; line && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        line[i].radius = TLW_COOK_KEEP;
        line[i].is_dynamic = TLW_COOK_KEEP;
        if (!tlw_recipe_read_object(r, &element, key, &line[i]) || !check_place(r, &element)) {
            return false;
        }
    }
    muscle->line = line;
    muscle->vertex_count = (uint32_t)count;
    return line != NULL;
}

// `repel` is true by default.
TLW_RECIPE_READ(tlw_recipe_read_repel) {
    tlw_cook_muscle_field* field = object;
    bool repels;
    const tlw_recipe_key plain = {.name = key->name, .kind = key->kind};
    if (!tlw_recipe_read_bool(r, at, &plain, &repels)) {
        return false;
    }
    field->attracts = !repels;
    return true;
}

static bool check_field(tlw_recipe_reader* r, const tlw_json* at,
                        const tlw_cook_muscle_field* field) {
    const tlw_json joints = tlw_json_member(at, "joints"), reach = tlw_json_member(at, "reach");
    if (field->place.joint == NULL && field->place.joints[1] != NULL) {
        return tlw_recipe_fail(r, &joints, "a field follows one joint");
    }
    if (field->attracts && !(field->reach > 1.0f)) {
        return tlw_recipe_unexpected(r, &reach, "a number above 1");
    }
    return field->attracts || !reach.value ||
           tlw_recipe_fail(r, &reach, "only a field with \"repel\": false has a reach");
}

TLW_RECIPE_READ(tlw_recipe_read_fields) {
    tlw_cook_muscle* muscle = object;
    size_t count;
    tlw_cook_muscle_field* fields =
        allocate_list(r, at, key, "an array of fields", sizeof *fields, &count);
    for (size_t i = 0; fields && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        fields[i] = tlw_default_cook_muscle_field();
        if (!tlw_recipe_read_object(r, &element, key, &fields[i]) || !check_place(r, &element) ||
            !check_field(r, &element, &fields[i])) {
            return false;
        }
    }
    muscle->fields = fields;
    muscle->field_count = (uint32_t)count;
    return fields != NULL;
}

TLW_RECIPE_READ(tlw_recipe_read_integers) {
    const uint32_t** out = tlw_recipe_field(object, key->offset);
    uint32_t* out_count = tlw_recipe_field(object, key->count_offset);
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of integers", &count)) {
        return false;
    }
    uint32_t* list = tlw_recipe_allocate(r, count, sizeof *list);
    for (size_t i = 0; list && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        if (!tlw_recipe_integer(r, &element, key->least, key->most, &list[i])) {
            return false;
        }
        for (size_t k = 0; k < i; ++k) {
            if (list[k] == list[i]) {
                return tlw_recipe_fail(r, &element, "%u is in the list already, as [%zu]", list[i],
                                       k);
            }
        }
    }
    *out = list;
    *out_count = (uint32_t)count;
    return list != NULL;
}

TLW_RECIPE_READ(tlw_recipe_read_flex) {
    const tlw_cook_muscle* muscle = object;
    if (!tlw_recipe_read_object(r, at, key, object) || !tlw_recipe_mark_place(r, at, NULL)) {
        return false;
    }
    const float apart = muscle->flex_to - muscle->flex_from;
    return apart >= 1.0f || apart <= -1.0f ||
           tlw_recipe_fail(r, at, "from and to are at least 1 degree apart");
}

// ---- Muscles

static bool check_name(tlw_recipe_reader* r, const tlw_json* list, const tlw_cook_muscle* muscles,
                       size_t i) {
    char quoted[TLW_JSON_QUOTE_BYTES], other[TLW_RECIPE_PLACE_BYTES];
    const tlw_json element = tlw_json_element(list, i), at = tlw_json_member(&element, "name");
    const char* name = muscles[i].name;
    if (name != NULL && strlen(name) >= TLW_COOK_NAME_MAX) {
        return tlw_recipe_fail(r, &at, "a name of %zu bytes; %d is the limit", strlen(name),
                               TLW_COOK_NAME_MAX - 1);
    }
    for (size_t k = 0; k < i; ++k) {
        const tlw_json first = tlw_json_element(list, k);
        tlw_recipe_write_path(r, &first, other);
        if (name == NULL && muscles[k].name == NULL) {
            return tlw_recipe_fail(r, &element, "\"auto\" is in the list already, %s", other);
        }
        if (name != NULL && muscles[k].name != NULL && strcmp(name, muscles[k].name) == 0) {
            return tlw_recipe_fail(r, &at, "%s is the name of %s already",
                                   tlw_json_quote(name, quoted), other);
        }
    }
    return true;
}

static bool check_tendons(tlw_recipe_reader* r, const tlw_json* element,
                          const tlw_cook_muscle* muscle) {
    const tlw_json tendons = tlw_json_member(element, "tendons");
    const uint32_t segments = muscle->vertex_count - 1;
    for (uint32_t i = 0; i < muscle->tendon_count; ++i) {
        const tlw_json at = tlw_json_element(&tendons, i);
        if (muscle->tendons[i] >= segments) {
            return tlw_recipe_fail(r, &at,
                                   "there is no segment %u; a line of %u vertices has 0 to "
                                   "%u",
                                   muscle->tendons[i], segments + 1, segments - 1);
        }
    }
    return muscle->tendon_count < segments ||
           tlw_recipe_fail(r, &tendons, "all segments are tendons; one at least is the belly");
}

TLW_RECIPE_READ(tlw_recipe_read_muscles) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of muscles", &count)) {
        return false;
    }
    tlw_cook_muscle* muscles = tlw_recipe_allocate(r, count, sizeof *muscles);
    for (size_t i = 0; muscles && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        muscles[i] = tlw_default_cook_muscle(NULL);
        if (json_is_string(element.value)) {
            int chosen;
            const tlw_recipe_key word = {.words = key->words};
            muscles[i].bulge = r->auto_bulge;
            if (!tlw_recipe_read_word(r, &element, &word, &chosen)) {
                return false;
            }
        } else if (!tlw_recipe_read_object(r, &element, key, &muscles[i]) ||
                   !check_tendons(r, &element, &muscles[i])) {
            return false;
        }
        if (!check_name(r, at, muscles, i) || !tlw_recipe_mark_place(r, &element, NULL)) {
            return false;
        }
    }
    cook->muscles = muscles;
    cook->muscle_count = (uint32_t)count;
    return muscles != NULL && tlw_recipe_mark_place(r, at, NULL);
}
