// SPDX-License-Identifier: MIT
// A small validator of JSON schema, a function per keyword.
#include "tests/recipe/schema_check.h"
#include "tests/test.h"

#include <string.h>

typedef struct check {
    const json_t *root, *schema, *rule, *value;
} check;

static bool check_ref(const check* c) {
    // "#/$defs/name"
    const char* name = strrchr(json_string_value(c->rule), '/') + 1;
    const json_t* schema = json_object_get(json_object_get(c->root, "$defs"), name);
    CHECK(schema != NULL);
    return schema_check(c->root, schema, c->value);
}

static bool check_type(const check* c) {
    const char* type = json_string_value(c->rule);
    const double number = json_number_value(c->value);
    if (strcmp(type, "integer") == 0) { // 1.0 is an integer to JSON schema
        return json_is_number(c->value) && number == (double)(int64_t)number;
    }
    return strcmp(type, "object") == 0    ? json_is_object(c->value)
           : strcmp(type, "array") == 0   ? json_is_array(c->value)
           : strcmp(type, "string") == 0  ? json_is_string(c->value)
           : strcmp(type, "number") == 0  ? json_is_number(c->value)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(c->value)
                                          : false;
}

static bool check_enum(const check* c) {
    for (size_t i = 0; i < json_array_size(c->rule); ++i) {
        if (json_equal(json_array_get(c->rule, i), c->value)) {
            return true;
        }
    }
    return false;
}

static bool check_const(const check* c) {
    return json_equal(c->rule, c->value);
}

static bool check_minimum(const check* c) {
    return !json_is_number(c->value) || json_number_value(c->value) >= json_number_value(c->rule);
}

static bool check_exclusive_minimum(const check* c) {
    return !json_is_number(c->value) || json_number_value(c->value) > json_number_value(c->rule);
}

static bool check_maximum(const check* c) {
    return !json_is_number(c->value) || json_number_value(c->value) <= json_number_value(c->rule);
}

static bool check_min_length(const check* c) {
    return !json_is_string(c->value) ||
           (json_int_t)json_string_length(c->value) >= json_integer_value(c->rule);
}

// The one pattern that is used: letters but dots, then perhaps a dot and one of eight letters.
static bool check_pattern(const check* c) {
    CHECK_STRING(json_string_value(c->rule), "^[^.]+(\\.[rgbaxyzw])?$");
    const char* text = json_string_value(c->value);
    const size_t name = text ? strcspn(text, ".") : 1;
    return !text || (name > 0 && (!text[name] || (text[name + 1] && !text[name + 2] &&
                                                  strchr("rgbaxyzw", text[name + 1]))));
}

static bool check_properties(const check* c) {
    for (void* i = json_object_iter((json_t*)c->rule); i;
         i = json_object_iter_next((json_t*)c->rule, i)) {
        const json_t* member = json_object_get(c->value, json_object_iter_key(i));
        if (member && !schema_check(c->root, json_object_iter_value(i), member)) {
            return false;
        }
    }
    return true;
}

static bool check_additional(const check* c) {
    const json_t* known = json_object_get(c->schema, "properties");
    for (void* i = json_object_iter((json_t*)c->value); i;
         i = json_object_iter_next((json_t*)c->value, i)) {
        if (!json_object_get(known, json_object_iter_key(i)) &&
            !schema_check(c->root, c->rule, json_object_iter_value(i))) {
            return false;
        }
    }
    return true;
}

static bool check_max_properties(const check* c) {
    return !json_is_object(c->value) ||
           (json_int_t)json_object_size(c->value) <= json_integer_value(c->rule);
}

static bool check_required(const check* c) {
    for (size_t i = 0; json_is_object(c->value) && i < json_array_size(c->rule); ++i) {
        if (!json_object_get(c->value, json_string_value(json_array_get(c->rule, i)))) {
            return false;
        }
    }
    return true;
}

static bool check_prefix_items(const check* c) {
    for (size_t i = 0; i < json_array_size(c->rule) && i < json_array_size(c->value); ++i) {
        if (!schema_check(c->root, json_array_get(c->rule, i), json_array_get(c->value, i))) {
            return false;
        }
    }
    return true;
}

static bool check_items(const check* c) {
    const size_t first = json_array_size(json_object_get(c->schema, "prefixItems"));
    for (size_t i = first; i < json_array_size(c->value); ++i) {
        if (!schema_check(c->root, c->rule, json_array_get(c->value, i))) {
            return false;
        }
    }
    return true;
}

static bool check_min_items(const check* c) {
    return !json_is_array(c->value) ||
           (json_int_t)json_array_size(c->value) >= json_integer_value(c->rule);
}

static bool check_max_items(const check* c) {
    return !json_is_array(c->value) ||
           (json_int_t)json_array_size(c->value) <= json_integer_value(c->rule);
}

static bool check_unique(const check* c) {
    for (size_t i = 0; json_is_true(c->rule) && i < json_array_size(c->value); ++i) {
        for (size_t k = 0; k < i; ++k) {
            if (json_equal(json_array_get(c->value, i), json_array_get(c->value, k))) {
                return false;
            }
        }
    }
    return true;
}

static bool check_any_of(const check* c) {
    for (size_t i = 0; i < json_array_size(c->rule); ++i) {
        if (schema_check(c->root, json_array_get(c->rule, i), c->value)) {
            return true;
        }
    }
    return false;
}

static bool check_all_of(const check* c) {
    for (size_t i = 0; i < json_array_size(c->rule); ++i) {
        if (!schema_check(c->root, json_array_get(c->rule, i), c->value)) {
            return false;
        }
    }
    return true;
}

static bool check_not(const check* c) {
    return !schema_check(c->root, c->rule, c->value);
}

static bool check_nothing(const check* c) {
    (void)c;
    return true;
}

bool schema_check(const json_t* root, const json_t* schema, const json_t* value) {
    static const struct {
        const char* keyword;
        bool (*run)(const check* c);
    } keywords[] = {{"$ref", check_ref},
                    {"$schema", check_nothing},
                    {"$defs", check_nothing},
                    {"title", check_nothing},
                    {"description", check_nothing},
                    {"default", check_nothing},
                    {"type", check_type},
                    {"enum", check_enum},
                    {"const", check_const},
                    {"minimum", check_minimum},
                    {"exclusiveMinimum", check_exclusive_minimum},
                    {"maximum", check_maximum},
                    {"minLength", check_min_length},
                    {"pattern", check_pattern},
                    {"properties", check_properties},
                    {"additionalProperties", check_additional},
                    {"maxProperties", check_max_properties},
                    {"required", check_required},
                    {"prefixItems", check_prefix_items},
                    {"items", check_items},
                    {"minItems", check_min_items},
                    {"maxItems", check_max_items},
                    {"uniqueItems", check_unique},
                    {"anyOf", check_any_of},
                    {"allOf", check_all_of},
                    {"not", check_not}};
    if (json_is_boolean(schema)) {
        return json_is_true(schema);
    }
    for (void* i = json_object_iter((json_t*)schema); i;
         i = json_object_iter_next((json_t*)schema, i)) {
        size_t k = 0;
        while (k < TLW_COUNT_OF(keywords) &&
               strcmp(keywords[k].keyword, json_object_iter_key(i)) != 0) {
            k += 1;
        }
        if (k == TLW_COUNT_OF(keywords)) {
            tlw_test_fail(__FILE__, __LINE__, "the schema has the keyword \"%s\"",
                          json_object_iter_key(i));
        }
        const check c = {root, schema, json_object_iter_value(i), value};
        if (!keywords[k].run(&c)) {
            return false;
        }
    }
    return true;
}
