// SPDX-License-Identifier: MIT
// JSON for the recipe: checks size, encoding and depth before jansson builds its tree, then reads
// typed values from that tree and writes error messages that name the place.
#include "tools/recipe/nearest.h"
#include "tools/recipe/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX      16 // the schema nests 5 deep
#define PLACE_BYTES    320
#define EXPECTED_BYTES 128
#define LIST_BYTES     400
#define MILLION        1000000

struct tlw_recipe_memory {
    struct tlw_recipe_memory* next;
};

// Messages
// ------------------------------------------------------------------------------------------------

// A message is one line, but names from the file may hold line ends and other control characters.
static void make_one_line(char* text) {
    for (; *text; ++text) {
        if ((unsigned char)*text < 0x20 || *text == 0x7F) {
            *text = '?';
        }
    }
}

bool tlw_recipe_fail(tlw_recipe_reader* r, const tlw_json* at, const char* format, ...) {
    tlw_recipe_error* error = r->error;
    char place[PLACE_BYTES];
    if (error->result != TLW_OK) {
        return false;
    }
    size_t used = tlw_json_write_path(at, place, sizeof place);
    used = used > 0 ? tlw_json_append(error->message, sizeof error->message, 0, "%s: ", place) : 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
    va_end(arguments);
    make_one_line(error->message);
    error->result = TLW_ERROR_BAD_ARGUMENT;
    return false;
}

bool tlw_recipe_no_memory(tlw_recipe_reader* r) {
    tlw_recipe_fail(r, NULL, "the system refuses memory");
    r->error->result = TLW_ERROR_OUT_OF_MEMORY;
    return false;
}

void* tlw_recipe_allocate(tlw_recipe_reader* r, size_t count, size_t element_bytes) {
    // The file's size is limited and so are its counts: the product cannot overflow. The header is
    // as large as the strictest alignment, so the memory after it is aligned for every type.
    const size_t header = sizeof(struct tlw_recipe_memory) > TLW_ALIGNOF(max_align_t)
                              ? sizeof(struct tlw_recipe_memory)
                              : TLW_ALIGNOF(max_align_t);
    struct tlw_recipe_memory* block = calloc(1, header + count * element_bytes);
    if (!block) {
        tlw_recipe_no_memory(r);
        return NULL;
    }
    block->next = r->out->memory;
    r->out->memory = block;
    return (char*)block + header;
}

void tlw_recipe_free(tlw_recipe* recipe) {
    struct tlw_recipe_memory* block = recipe->memory;
    while (block) {
        struct tlw_recipe_memory* next = block->next;
        free(block);
        block = next;
    }
    memset(recipe, 0, sizeof *recipe);
}

const char* tlw_recipe_show_number(double value, char text[TLW_JSON_QUOTE_BYTES]) {
    snprintf(text, TLW_JSON_QUOTE_BYTES, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, TLW_JSON_QUOTE_BYTES, "%.17g", value);
    }
    return text;
}

static const char* show(const json_t* value, char text[TLW_JSON_QUOTE_BYTES]) {
    if (json_is_string(value)) {
        return tlw_json_quote(json_string_value(value), text);
    }
    if (json_is_real(value)) {
        tlw_recipe_show_number(json_real_value(value), text);
        // 48.0 is a real number to jansson. Without the ".0" the message would read "an integer is
        // expected, not 48".
        if (!strpbrk(text, ".,e")) {
            tlw_json_append(text, TLW_JSON_QUOTE_BYTES, strlen(text), ".0");
        }
        return text;
    }
    return tlw_json_show(value, text);
}

bool tlw_recipe_unexpected(tlw_recipe_reader* r, const tlw_json* at, const char* expected) {
    char text[TLW_JSON_QUOTE_BYTES];
    if (!at->value) {
        return tlw_recipe_fail(r, at, "missing; %s is expected", expected);
    }
    return tlw_recipe_fail(r, at, "%s is expected, not %s", expected, show(at->value, text));
}

bool tlw_recipe_unknown(tlw_recipe_reader* r, const tlw_json* at, const char* what,
                        const char* word, const char* const* known, size_t known_count) {
    tlw_nearest nearest = {.word = word};
    char list[LIST_BYTES] = "", guess[TLW_JSON_QUOTE_BYTES + 32] = "", quoted[TLW_JSON_QUOTE_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < known_count; ++i) {
        tlw_nearest_try(&nearest, known[i]);
        used = tlw_json_append(list, sizeof list, used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    if (nearest.best) {
        snprintf(guess, sizeof guess, "; did you mean %s?", tlw_json_quote(nearest.best, quoted));
    }
    return tlw_recipe_fail(r, at, "%s%s%s allowed: %s", what, guess, guess[0] ? "" : ";", list);
}

// Text to tree
// ------------------------------------------------------------------------------------------------

static bool fail_at_byte(tlw_recipe_reader* r, const char* text, size_t byte, const char* what) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < byte; ++i) {
        if (text[i] == '\n') {
            line += 1;
            column = 1;
        } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
            column += 1;
        }
    }
    return tlw_recipe_fail(r, NULL, "%zu:%zu: %s", line, column, what);
}

static bool starts_with(const char* text, size_t size, const char* bytes, size_t count) {
    return size >= count && memcmp(text, bytes, count) == 0;
}

// Refuses what jansson would report less clearly, and deep nesting, which it would follow by
// recursion.
static bool look_over(tlw_recipe_reader* r, const char* text, size_t size) {
    if (size > TLW_RECIPE_BYTES_MAX) {
        tlw_recipe_fail(r, NULL, "the recipe has %zu bytes; %u is the limit", size,
                        TLW_RECIPE_BYTES_MAX);
        r->error->result = TLW_ERROR_TOO_LARGE;
        return false;
    }
    if (starts_with(text, size, "\xEF\xBB\xBF", 3)) {
        return fail_at_byte(r, text, 0, "a UTF-8 byte order mark; save the file without it");
    }
    if (starts_with(text, size, "\xFF\xFE", 2) || starts_with(text, size, "\xFE\xFF", 2)) {
        return fail_at_byte(r, text, 0, "UTF-16; save the file as UTF-8");
    }
    const char* zero = size > 0 ? memchr(text, 0, size) : NULL;
    if (zero) {
        return fail_at_byte(r, text, (size_t)(zero - text), "a zero byte; a recipe is UTF-8 text");
    }
    size_t blank = 0;
    while (blank < size && strchr(" \t\r\n", text[blank])) {
        blank += 1;
    }
    if (blank == size) {
        return fail_at_byte(r, text, 0, "the recipe is empty; the shortest one is {}");
    }
    const tlw_json_shape shape = tlw_json_scan(text, size, DEPTH_MAX);
    if (shape.too_deep < size) {
        char what[EXPECTED_BYTES];
        snprintf(what, sizeof what, "nested deeper than %d", DEPTH_MAX);
        return fail_at_byte(r, text, (size_t)shape.too_deep, what);
    }
    return true;
}

json_t* tlw_recipe_parse(tlw_recipe_reader* r, const char* text, size_t size) {
    json_error_t error;
    if (!look_over(r, text, size)) {
        return NULL;
    }
    json_t* root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root && json_error_code(&error) == json_error_out_of_memory) {
        tlw_recipe_no_memory(r);
    } else if (!root) {
        tlw_recipe_fail(r, NULL, "%d:%d: %s", error.line > 0 ? error.line : 1,
                        error.column > 0 ? error.column : 1, error.text);
    } else if (!json_is_object(root)) {
        tlw_recipe_fail(r, NULL, "1:1: an object is expected, not an array");
        json_decref(root);
        root = NULL;
    }
    return root;
}

// Typed values
// ------------------------------------------------------------------------------------------------

TLW_RECIPE_READ(tlw_recipe_read_object) {
    const tlw_recipe_key* members = key->members;
    const char* names[32];
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object");
    }
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const char* name = json_object_iter_key(i);
        size_t k = 0;
        for (; k < key->member_count && strcmp(members[k].name, name) != 0; ++k) {
            names[k] = members[k].name;
        }
        if (k == key->member_count) {
            const tlw_json member = tlw_json_member(at, name);
            return tlw_recipe_unknown(r, &member, "unknown key", name, names, key->member_count);
        }
    }
    for (size_t k = 0; k < key->member_count; ++k) {
        const tlw_json member = tlw_json_member(at, members[k].name);
        const char* other = members[k].instead_of;
        if (!member.value) {
            continue;
        }
        if (other && json_object_get(at->value, other)) {
            return tlw_recipe_fail(r, &member, "%s is given as well; one of the two decides",
                                   other);
        }
        if (!members[k].read(r, &member, &members[k], object)) {
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
        char expected[EXPECTED_BYTES];
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
        char expected[EXPECTED_BYTES], a[TLW_JSON_QUOTE_BYTES], b[TLW_JSON_QUOTE_BYTES];
        snprintf(expected, sizeof expected, "a number from %.40s to %.40s",
                 tlw_recipe_show_number(least, a), tlw_recipe_show_number(most, b));
        return tlw_recipe_unexpected(r, at, expected);
    }
    *out = value + 0.0; // turns -0 into 0, so that both give the same blob
    return true;
}

// Returns void* because a cast from char* would warn about alignment. The offsets come from
// offsetof, so the address is aligned.
static void* field(void* object, size_t offset) {
    return (void*)((char*)object + offset);
}

TLW_RECIPE_READ(tlw_recipe_read_u32) {
    uint32_t* out = field(object, key->offset);
    return tlw_recipe_integer(r, at, key->least, key->most, out);
}

TLW_RECIPE_READ(tlw_recipe_read_double) {
    double* out = field(object, key->offset);
    return tlw_recipe_number(r, at, key->least, key->most, out);
}

TLW_RECIPE_READ(tlw_recipe_read_float) {
    float* out = field(object, key->offset);
    double value;
    if (!tlw_recipe_number(r, at, key->least, key->most, &value)) {
        return false;
    }
    *out = (float)value;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_bool) {
    bool* out = field(object, key->offset);
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
    tlw_cook_fraction* out = field(object, key->offset);
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
                               show(at->value, text));
    }
    while (denominator > 1 && numerator % 10 == 0) {
        numerator /= 10;
        denominator /= 10;
    }
    *out = (tlw_cook_fraction){numerator, denominator};
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_word) {
    int* out = field(object, key->offset);
    char what[TLW_JSON_QUOTE_BYTES + 32], quoted[TLW_JSON_QUOTE_BYTES];
    size_t count = 0;
    const char* word = json_string_value(at->value);
    for (; key->words[count]; ++count) {
        if (word && strcmp(key->words[count], word) == 0) {
            *out = (int)count;
            return true;
        }
    }
    snprintf(what, sizeof what, "%s is not known", show(at->value, quoted));
    return tlw_recipe_unknown(r, at, what, word ? word : "", key->words, count);
}

size_t tlw_recipe_append_choices(char* text, size_t bytes, size_t used, const uint32_t* choices) {
    for (const uint32_t* choice = choices; *choice; ++choice) {
        const char* before = choice == choices ? "" : choice[1] ? ", " : " or ";
        used = tlw_json_append(text, bytes, used, "%s%u", before, *choice);
    }
    return used;
}

TLW_RECIPE_READ(tlw_recipe_read_choice) {
    uint32_t* out = field(object, key->offset);
    char expected[EXPECTED_BYTES];
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

TLW_RECIPE_READ(tlw_recipe_read_name) {
    const char** out = field(object, key->offset);
    const char* text;
    return tlw_recipe_string(r, at, &text) && tlw_recipe_copy_name(r, text, out);
}

TLW_RECIPE_READ(tlw_recipe_read_names) {
    const char* const** out = field(object, key->offset);
    uint32_t* out_count = field(object, key->count_offset);
    char quoted[TLW_JSON_QUOTE_BYTES];
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of names", &count)) {
        return false;
    }
    const char** names = tlw_recipe_allocate(r, count, sizeof *names);
    for (size_t i = 0; names && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        const char* text;
        if (!tlw_recipe_string(r, &element, &text)) {
            return false;
        }
        for (size_t k = 0; k < i; ++k) {
            if (strcmp(names[k], text) == 0) {
                return tlw_recipe_fail(r, &element, "%s is in the list already, as [%zu]",
                                       tlw_json_quote(text, quoted), k);
            }
        }
        if (!tlw_recipe_copy_name(r, text, &names[i])) {
            return false;
        }
    }
    *out = names;
    *out_count = (uint32_t)count;
    return names != NULL;
}
