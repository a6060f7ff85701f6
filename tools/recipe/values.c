// SPDX-License-Identifier: MIT
// Typed values from the tree of a recipe, each in the way that a kind of keys asks for
// (TLW_RECIPE_KINDS), and objects of them.
#include "tools/recipe/reader.h"

#include "platform/handlers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MEMBERS_MAX 64
#define MILLION     1000000

static bool (*const reads[TLW_RECIPE_KIND_COUNT])(tlw_recipe_reader* r, const tlw_json* at,
                                                  const tlw_recipe_key* key, void* object) = {
#define KIND_READ(kind, words, read) read,
    TLW_RECIPE_KINDS(KIND_READ)
#undef KIND_READ
};

static bool refuse_unknown_keys(tlw_recipe_reader* r, const tlw_json* at,
                                const tlw_recipe_key* key) {
    const char* names[MEMBERS_MAX];
    TLW_ASSERT(key->member_count <= MEMBERS_MAX);
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const char* name = json_object_iter_key(i);
        if (tlw_recipe_find_key(key, name)) {
            continue;
        }
        for (size_t k = 0; k < key->member_count; ++k) {
            names[k] = key->members[k].name;
        }
        const tlw_json member = tlw_json_member(at, name);
        return tlw_recipe_unknown(r, &member, true, "unknown key", name, names, key->member_count);
    }
    return true;
}

// What a required key takes, for the message that it is missing.
static const char* article_of(const tlw_recipe_key* key) {
    switch (key->kind) {
    case TLW_RECIPE_PAIR:
        return "an array of two names";
    case TLW_RECIPE_NUMBER:
        return "a number";
    case TLW_RECIPE_VECTOR:
        return "an array of three numbers";
    case TLW_RECIPE_LIST:
        return "an array";
    default:
        return "a name";
    }
}

TLW_RECIPE_READ(tlw_recipe_read_object) {
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object");
    }
    if (!refuse_unknown_keys(r, at, key)) {
        return false;
    }
    for (size_t k = 0; k < key->member_count; ++k) {
        const tlw_recipe_key* row = &key->members[k];
        const tlw_json member = tlw_json_member(at, row->name);
        if (!member.value && row->is_required) {
            return tlw_recipe_unexpected(r, &member, article_of(row));
        }
        if (!member.value) {
            continue;
        }
        if (row->instead_of && json_object_get(at->value, row->instead_of)) {
            return tlw_recipe_fail(r, &member, "%s is given as well; one of the two decides",
                                   row->instead_of);
        }
        const bool is_single = !row->members;
        if (!(row->read ? row->read : reads[row->kind])(r, &member, row, object) ||
            (is_single && !tlw_recipe_mark_place(r, &member, NULL))) {
            return false;
        }
    }
    return true;
}

bool tlw_recipe_array(tlw_recipe_reader* r, const tlw_json* at, const char* expected,
                      size_t* count) {
    if (!json_is_array(at->value)) {
        return tlw_recipe_unexpected(r, at, expected);
    }
    *count = json_array_size(at->value);
    if (*count > TLW_RECIPE_LIST_MAX) {
        return tlw_recipe_fail(r, at, "%zu elements; %u is the limit", *count, TLW_RECIPE_LIST_MAX);
    }
    return true;
}

bool tlw_recipe_string(tlw_recipe_reader* r, const tlw_json* at, const char** out) {
    if (!json_is_string(at->value) || json_string_length(at->value) == 0) {
        return tlw_recipe_unexpected(r, at, "a name");
    }
    *out = json_string_value(at->value);
    return true;
}

bool tlw_recipe_integer(tlw_recipe_reader* r, const tlw_json* at, double least, double most,
                        uint32_t* out) {
    if (!json_is_integer(at->value) || (double)json_integer_value(at->value) < least ||
        (double)json_integer_value(at->value) > most) {
        char expected[TLW_RECIPE_EXPECTED_BYTES];
        snprintf(expected, sizeof expected, "an integer from %.0f to %.0f", least, most);
        return tlw_recipe_unexpected(r, at, expected);
    }
    *out = (uint32_t)json_integer_value(at->value);
    return true;
}

bool tlw_recipe_number(tlw_recipe_reader* r, const tlw_json* at, double least, double most,
                       double* out) {
    const double value = json_number_value(at->value);
    if (!json_is_number(at->value) || !(value >= least && value <= most)) {
        char expected[TLW_RECIPE_EXPECTED_BYTES], a[TLW_JSON_QUOTE_BYTES], b[TLW_JSON_QUOTE_BYTES];
        snprintf(expected, sizeof expected, "a number from %.40s to %.40s",
                 tlw_recipe_show_number(least, a), tlw_recipe_show_number(most, b));
        return tlw_recipe_unexpected(r, at, expected);
    }
    *out = value + 0.0; // turns -0 into 0, so that both give the same blob
    return true;
}

// Returns void* because a cast from char* would warn about alignment. The offsets come from
// offsetof, so the address is aligned.
void* tlw_recipe_field(void* object, size_t offset) {
    return (void*)((char*)object + offset);
}

TLW_RECIPE_READ(tlw_recipe_read_u32) {
    uint32_t* out = tlw_recipe_field(object, key->offset);
    return tlw_recipe_integer(r, at, key->least, key->most, out);
}

TLW_RECIPE_READ(tlw_recipe_read_double) {
    double* out = tlw_recipe_field(object, key->offset);
    return tlw_recipe_number(r, at, key->least, key->most, out);
}

TLW_RECIPE_READ(tlw_recipe_read_float) {
    float* out = tlw_recipe_field(object, key->offset);
    double value;
    if (!tlw_recipe_number(r, at, key->least, key->most, &value)) {
        return false;
    }
    *out = (float)value;
    return true;
}

// Every delta from the smallest double on is an anchor below 261 Hz, so it needs no other limit.
TLW_RECIPE_READ(tlw_recipe_read_delta) {
    float* out = tlw_recipe_field(object, key->offset);
    const double value = json_number_value(at->value);
    if (!json_is_number(at->value) || !(value > 0 && value <= 1)) {
        return tlw_recipe_unexpected(r, at, "a number above 0, up to 1,");
    }
    *out = tlw_cook_anchor_of_delta(value);
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_bool) {
    bool* out = tlw_recipe_field(object, key->offset);
    if (!json_is_boolean(at->value)) {
        return tlw_recipe_unexpected(r, at, "true or false");
    }
    *out = json_is_true(at->value);
    return true;
}

static bool read_pair(tlw_recipe_reader* r, const tlw_json* at, tlw_cook_fraction* out) {
    const tlw_json numerator = tlw_json_element(at, 0), denominator = tlw_json_element(at, 1);
    tlw_cook_fraction pair;
    if (json_array_size(at->value) != 2) {
        return tlw_recipe_fail(r, at, "[numerator, denominator] is expected, not %zu elements",
                               json_array_size(at->value));
    }
    if (!tlw_recipe_integer(r, &numerator, 0, MILLION, &pair.numerator) ||
        !tlw_recipe_integer(r, &denominator, 1, MILLION, &pair.denominator)) {
        return false;
    }
    if (pair.numerator > pair.denominator) {
        return tlw_recipe_fail(r, at, "%u/%u is more than 1", pair.numerator, pair.denominator);
    }
    *out = pair;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_fraction) {
    tlw_cook_fraction* out = tlw_recipe_field(object, key->offset);
    if (json_is_array(at->value)) {
        return read_pair(r, at, out);
    }
    const double value = json_number_value(at->value);
    if (!json_is_number(at->value) || !(value >= 0 && value <= 1)) {
        return tlw_recipe_unexpected(r, at, "a number from 0 to 1, or [numerator, denominator],");
    }
    // Parsing and dividing both round to the nearest double. So a text of up to 6 decimals gives
    // exactly the quotient of two integers, and these integers can be recovered from it.
    uint32_t numerator = (uint32_t)floor(value * MILLION + 0.5), denominator = MILLION;
    if ((double)numerator / MILLION != value) {
        char text[TLW_JSON_QUOTE_BYTES];
        return tlw_recipe_fail(r, at,
                               "%s has more than 6 decimals; write it as [numerator, denominator]",
                               tlw_recipe_show(at->value, text));
    }
    while (denominator > 1 && numerator % 10 == 0) {
        numerator /= 10;
        denominator /= 10;
    }
    *out = (tlw_cook_fraction){numerator, denominator};
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_vector) {
    float* out = tlw_recipe_field(object, key->offset);
    if (!json_is_array(at->value)) {
        return tlw_recipe_unexpected(r, at, "an array of three numbers");
    }
    if (json_array_size(at->value) != 3) {
        return tlw_recipe_fail(r, at, "three numbers are expected, not %zu",
                               json_array_size(at->value));
    }
    for (size_t i = 0; i < 3; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        double value = 0.0;
        if (!tlw_recipe_number(r, &element, key->least, key->most, &value)) {
            return false;
        }
        out[i] = (float)value;
    }
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_word) {
    int* out = tlw_recipe_field(object, key->offset);
    char what[TLW_JSON_QUOTE_BYTES + 32], quoted[TLW_JSON_QUOTE_BYTES];
    size_t count = 0;
    const char* word = json_string_value(at->value);
    for (; key->words[count]; ++count) {
        if (word && strcmp(key->words[count], word) == 0) {
            *out = (int)count;
            return true;
        }
    }
    snprintf(what, sizeof what, "%s is not known", tlw_recipe_show(at->value, quoted));
    return tlw_recipe_unknown(r, at, false, what, word ? word : "", key->words, count);
}

TLW_RECIPE_READ(tlw_recipe_read_choice) {
    uint32_t* out = tlw_recipe_field(object, key->offset);
    char expected[TLW_RECIPE_EXPECTED_BYTES];
    for (const uint32_t* choice = key->choices; *choice; ++choice) {
        if (json_is_integer(at->value) && json_integer_value(at->value) == (json_int_t)*choice) {
            *out = *choice;
            return true;
        }
    }
    tlw_recipe_append_choices(expected, sizeof expected, 0, key->choices);
    return tlw_recipe_unexpected(r, at, expected);
}

bool tlw_recipe_copy_name(tlw_recipe_reader* r, const char* text, const char** out) {
    const size_t bytes = strlen(text) + 1;
    char* copy = tlw_recipe_allocate(r, bytes, 1);
    *out = copy ? memcpy(copy, text, bytes) : NULL;
    return copy != NULL;
}

TLW_RECIPE_READ(tlw_recipe_read_text) {
    (void)key;
    (void)object;
    return json_is_string(at->value) || tlw_recipe_unexpected(r, at, "a text");
}

TLW_RECIPE_READ(tlw_recipe_read_name) {
    const char** out = tlw_recipe_field(object, key->offset);
    const char* text = NULL;
    return tlw_recipe_string(r, at, &text) && tlw_recipe_copy_name(r, text, out);
}

TLW_RECIPE_READ(tlw_recipe_read_names) {
    const char* const** out = tlw_recipe_field(object, key->offset);
    uint32_t* out_count = tlw_recipe_field(object, key->count_offset);
    char quoted[TLW_JSON_QUOTE_BYTES];
    size_t count = 0;
    if (!tlw_recipe_array(r, at, "an array of names", &count)) {
        return false;
    }
    const char** names = tlw_recipe_allocate(r, count, sizeof *names);
    for (size_t i = 0; names && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        const char* text = NULL;
        if (!tlw_recipe_string(r, &element, &text)) {
            return false;
        }
        for (size_t k = 0; k < i; ++k) {
            if (strcmp(names[k], text) == 0) {
                return tlw_recipe_fail(r, &element, "%s is in the list already, as [%zu]",
                                       tlw_json_quote(text, quoted), k);
            }
        }
        if (!tlw_recipe_copy_name(r, text, &names[i]) ||
            !tlw_recipe_mark_place(r, &element, NULL)) {
            return false;
        }
    }
    *out = names;
    *out_count = (uint32_t)count;
    return names != NULL;
}
