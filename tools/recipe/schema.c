// SPDX-License-Identifier: MIT
// The table of keys as a JSON schema (draft 2020-12), with which editors check and complete a
// recipe. It says what the table says: types, ranges, words, required keys and keys that exclude
// each other. Rules between keys, such as ascending ratios, only the parser knows.
#include "tools/recipe/reader.h"

#include <stdlib.h>
#include <string.h>

#define MILLION 1000000

static json_t* schema_of(const tlw_recipe_key* key);

// A number as it would be typed: 2, not 2.0.
static json_t* number_of(double value) {
    return value == (double)(json_int_t)value ? json_integer((json_int_t)value) : json_real(value);
}

static json_t* words_of(const tlw_recipe_key* key) {
    json_t* words = json_array();
    for (size_t i = 0; key->words && key->words[i]; ++i) {
        json_array_append_new(words, json_string(key->words[i]));
    }
    for (size_t i = 0; key->choices && key->choices[i]; ++i) {
        json_array_append_new(words, json_integer((json_int_t)key->choices[i]));
    }
    return words;
}

static json_t* reference(const char* to) {
    return json_pack("{s:s}", "$ref", to);
}

static json_t* object_of(const tlw_recipe_key* key) {
    json_t *object = json_pack("{s:s}", "type", "object"), *members = json_object();
    json_t *required = json_array(), *apart = json_array();
    for (size_t i = 0; i < key->member_count; ++i) {
        const tlw_recipe_key* member = &key->members[i];
        if (strcmp(member->name, "*") == 0) {
            json_object_set_new(object, "additionalProperties", schema_of(member));
            continue;
        }
        json_object_set_new(members, member->name, schema_of(member));
        if (member->is_required) {
            json_array_append_new(required, json_string(member->name));
        }
        if (member->instead_of) {
            json_array_append_new(apart, json_pack("{s:{s:[s,s]}}", "not", "required", member->name,
                                                   member->instead_of));
        }
    }
    if (json_object_size(members) > 0) {
        json_object_set(object, "properties", members);
        json_object_set_new(object, "additionalProperties", json_false());
    }
    if (json_array_size(required) > 0) {
        json_object_set(object, "required", required);
    }
    if (json_array_size(apart) > 0) {
        json_object_set(object, "allOf", apart);
    }
    json_decref(members);
    json_decref(required);
    json_decref(apart);
    return object;
}

static json_t* list_of(const tlw_recipe_key* key) {
    json_t* items =
        key->words ? json_pack("{s:[{s:o}, o]}", "anyOf", "enum", words_of(key), object_of(key))
                   : object_of(key);
    json_t* list = json_pack("{s:s, s:o}", "type", "array", "items", items);
    if (key->least > 0) {
        json_object_set_new(list, "minItems", number_of(key->least));
    }
    json_object_set_new(list, "maxItems",
                        number_of(key->most > 0 ? key->most : TLW_RECIPE_LIST_MAX));
    return list;
}

// An object whose keys are names: of at most `most`, where there is a limit.
static json_t* named_of(const tlw_recipe_key* key) {
    json_t* object = object_of(key);
    if (key->most > 0) {
        json_object_set_new(object, "maxProperties", number_of(key->most));
    }
    return object;
}

static json_t* range_of(const tlw_recipe_key* key, const char* type) {
    return json_pack("{s:s, s:o, s:o}", "type", type, "minimum", number_of(key->least), "maximum",
                     number_of(key->most));
}

// What the value may be, by the key's kind.
static json_t* type_of(const tlw_recipe_key* key) {
    switch (key->kind) {
    case TLW_RECIPE_INTEGER:
        return range_of(key, "integer");
    case TLW_RECIPE_NUMBER:
        return range_of(key, "number");
    case TLW_RECIPE_DELTA:
        return json_pack("{s:s, s:i, s:i}", "type", "number", "exclusiveMinimum", 0, "maximum", 1);
    case TLW_RECIPE_FRACTION:
        return reference("#/$defs/fraction");
    case TLW_RECIPE_VECTOR:
        return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", range_of(key, "number"),
                         "minItems", 3, "maxItems", 3);
    case TLW_RECIPE_WORD:
    case TLW_RECIPE_CHOICE:
        return json_pack("{s:o}", "enum", words_of(key));
    case TLW_RECIPE_SWITCH:
        return json_pack("{s:s}", "type", "boolean");
    case TLW_RECIPE_TEXT:
        return json_pack("{s:s}", "type", "string");
    case TLW_RECIPE_NAME:
        return reference("#/$defs/name");
    case TLW_RECIPE_ATTRIBUTE:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[^.]+(\\.[rgbaxyzw])?$");
    case TLW_RECIPE_NAMES:
        return reference("#/$defs/names");
    case TLW_RECIPE_PAIR:
        return json_pack("{s:s, s:o, s:i, s:i, s:b}", "type", "array", "items",
                         reference("#/$defs/name"), "minItems", 2, "maxItems", 2, "uniqueItems", 1);
    case TLW_RECIPE_FILES:
        return json_pack("{s:[o, {s:s, s:o}]}", "anyOf", reference("#/$defs/name"), "type", "array",
                         "items", reference("#/$defs/name"));
    case TLW_RECIPE_FIRM:
        return json_pack("{s:[{s:s}, o]}", "anyOf", "const", "auto", reference("#/$defs/names"));
    case TLW_RECIPE_CUT:
        return json_pack("{s:[b, b, s]}", "enum", 1, 0, "all");
    case TLW_RECIPE_INTEGERS:
        return json_pack("{s:s, s:o, s:b, s:i}", "type", "array", "items", range_of(key, "integer"),
                         "uniqueItems", 1, "maxItems", (int)TLW_RECIPE_LIST_MAX);
    case TLW_RECIPE_NAMED:
        return named_of(key);
    case TLW_RECIPE_LIST:
        return list_of(key);
    default:
        return object_of(key);
    }
}

// Without the targets of Markdown links, which an editor does not know.
static json_t* plain_text(const char* markdown) {
    const size_t bytes = strlen(markdown) + 1;
    char* text = malloc(bytes);
    json_t* plain = text ? json_string(tlw_recipe_plain_text(markdown, text, bytes)) : NULL;
    free(text);
    return plain;
}

static json_t* schema_of(const tlw_recipe_key* key) {
    json_t* schema = type_of(key);
    json_error_t error;
    if (!key->meaning) {
        return schema;
    }
    json_object_set_new(schema, "description", plain_text(key->meaning));
    // Where the default is a value, and not words about one.
    json_t* standard = json_loads(key->standard, JSON_DECODE_ANY, &error);
    for (size_t i = 0; key->words && key->words[i]; ++i) {
        if (strcmp(key->words[i], key->standard) == 0) {
            standard = json_string(key->standard);
        }
    }
    if (key->kind == TLW_RECIPE_FIRM) {
        standard = json_string(key->standard);
    }
    if (standard) {
        json_object_set_new(schema, "default", standard);
    }
    return schema;
}

static json_t* definitions(void) {
    return json_pack("{s:{s:s, s:i}, s:{s:s, s:{s:s}, s:b, s:i}, s:{s:[{s:s, s:i, s:i}, {s:s, "
                     "s:[{s:s, s:i, s:i}, {s:s, s:i, s:i}], s:b, s:i}]}}",
                     "name", "type", "string", "minLength", 1, "names", "type", "array", "items",
                     "$ref", "#/$defs/name", "uniqueItems", 1, "maxItems", (int)TLW_RECIPE_LIST_MAX,
                     "fraction", "anyOf", "type", "number", "minimum", 0, "maximum", 1, "type",
                     "array", "prefixItems", "type", "integer", "minimum", 0, "maximum", MILLION,
                     "type", "integer", "minimum", 1, "maximum", MILLION, "items", 0, "minItems",
                     2);
}

char* tlw_recipe_make_schema(void) {
    json_t* schema =
        json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                  "Tallow recipe");
    json_t* object = object_of(&tlw_recipe_keys);
    json_object_update(schema, object);
    json_decref(object);
    json_object_set_new(schema, "$defs", definitions());
    char* text = json_dumps(schema, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(schema);
    return text;
}
