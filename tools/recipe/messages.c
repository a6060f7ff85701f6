// SPDX-License-Identifier: MIT
// Messages that name the place, and JSON text to a tree: checks size, encoding and depth before
// jansson builds its tree.
#include "tools/recipe/nearest.h"
#include "tools/recipe/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX   16 // the keys nest 7 deep
#define LIST_BYTES  400
#define GUESS_BYTES (TLW_JSON_QUOTE_BYTES + 32)

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

static bool fail(tlw_recipe_reader* r, const char* place, const char* format, va_list arguments) {
    tlw_recipe_error* error = r->error;
    if (error->result != TLW_OK) {
        return false;
    }
    const size_t used =
        place[0] ? tlw_json_append(error->message, sizeof error->message, 0, "%s: ", place) : 0;
    vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
    make_one_line(error->message);
    error->result = TLW_ERROR_BAD_ARGUMENT;
    return false;
}

static bool fail_in_words(tlw_recipe_reader* r, const char* place, const char* format, ...)
    TLW_PRINTF(3, 4);

static bool fail_in_words(tlw_recipe_reader* r, const char* place, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail(r, place, format, arguments);
    va_end(arguments);
    return false;
}

bool tlw_recipe_fail(tlw_recipe_reader* r, const tlw_json* at, const char* format, ...) {
    char place[TLW_RECIPE_PLACE_BYTES];
    tlw_recipe_write_place(r, at, false, place);
    va_list arguments;
    va_start(arguments, format);
    fail(r, place, format, arguments);
    va_end(arguments);
    return false;
}

bool tlw_recipe_fail_at(tlw_recipe_reader* r, uint32_t file, tlw_recipe_position position,
                        const char* format, ...) {
    char place[TLW_RECIPE_PLACE_BYTES];
    tlw_recipe_write_position(r, file, position, place);
    va_list arguments;
    va_start(arguments, format);
    fail(r, place, format, arguments);
    va_end(arguments);
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

const char* tlw_recipe_show(const json_t* value, char text[TLW_JSON_QUOTE_BYTES]) {
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

size_t tlw_recipe_append_choices(char* text, size_t bytes, size_t used, const uint32_t* choices) {
    for (const uint32_t* choice = choices; *choice; ++choice) {
        const char* before = choice == choices ? "" : choice[1] ? ", " : " or ";
        used = tlw_json_append(text, bytes, used, "%s%u", before, *choice);
    }
    return used;
}

bool tlw_recipe_unexpected(tlw_recipe_reader* r, const tlw_json* at, const char* expected) {
    char text[TLW_JSON_QUOTE_BYTES];
    if (!at->value) {
        return tlw_recipe_fail(r, at, "missing; %s is expected", expected);
    }
    return tlw_recipe_fail(r, at, "%s is expected, not %s", expected,
                           tlw_recipe_show(at->value, text));
}

bool tlw_recipe_unknown(tlw_recipe_reader* r, const tlw_json* at, bool is_key, const char* what,
                        const char* word, const char* const* known, size_t known_count) {
    tlw_nearest nearest = {.word = word};
    char list[LIST_BYTES] = "", guess[GUESS_BYTES] = "", quoted[TLW_JSON_QUOTE_BYTES];
    char place[TLW_RECIPE_PLACE_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < known_count; ++i) {
        tlw_nearest_try(&nearest, known[i]);
        used = tlw_json_append(list, sizeof list, used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    if (nearest.best) {
        snprintf(guess, sizeof guess, "; did you mean %s?", tlw_json_quote(nearest.best, quoted));
    }
    tlw_recipe_write_place(r, at, is_key, place);
    return fail_in_words(r, place, "%s%s%s allowed: %s", what, guess, guess[0] ? "" : ";", list);
}

// Text to tree
// ------------------------------------------------------------------------------------------------

typedef struct source {
    uint32_t file;
    const char* text;
    size_t size;
} source;

static bool fail_at_byte(tlw_recipe_reader* r, const source* s, size_t byte, const char* what) {
    return tlw_recipe_fail_at(r, s->file, tlw_recipe_position_of(s->text, byte), "%s", what);
}

static bool starts_with(const char* text, size_t size, const char* bytes, size_t count) {
    return size >= count && memcmp(text, bytes, count) == 0;
}

// Refuses what jansson would report less clearly, and deep nesting, which it would follow by
// recursion.
static bool look_over(tlw_recipe_reader* r, const source* s) {
    const char* text = s->text;
    const size_t size = s->size;
    if (size > TLW_RECIPE_BYTES_MAX) {
        tlw_recipe_fail_at(r, s->file, (tlw_recipe_position){1, 1},
                           "the recipe has %zu bytes; %u is the limit", size, TLW_RECIPE_BYTES_MAX);
        r->error->result = TLW_ERROR_TOO_LARGE;
        return false;
    }
    if (starts_with(text, size, "\xEF\xBB\xBF", 3)) {
        return fail_at_byte(r, s, 0, "a UTF-8 byte order mark; save the file without it");
    }
    if (starts_with(text, size, "\xFF\xFE", 2) || starts_with(text, size, "\xFE\xFF", 2)) {
        return fail_at_byte(r, s, 0, "UTF-16; save the file as UTF-8");
    }
    const char* zero = size > 0 ? memchr(text, 0, size) : NULL;
    if (zero) {
        return fail_at_byte(r, s, (size_t)(zero - text), "a zero byte; a recipe is UTF-8 text");
    }
    size_t blank = 0;
    while (blank < size && strchr(" \t\r\n", text[blank])) {
        blank += 1;
    }
    if (blank == size) {
        return fail_at_byte(r, s, 0, "the recipe is empty; the shortest one is {}");
    }
    const tlw_json_shape shape = tlw_json_scan(text, size, DEPTH_MAX);
    if (shape.too_deep < size) {
        char what[TLW_RECIPE_EXPECTED_BYTES];
        snprintf(what, sizeof what, "nested deeper than %d", DEPTH_MAX);
        return fail_at_byte(r, s, (size_t)shape.too_deep, what);
    }
    return true;
}

json_t* tlw_recipe_parse(tlw_recipe_reader* r, uint32_t file, const char* text, size_t size) {
    const source s = {file, text, size};
    const tlw_recipe_position start = {1, 1};
    json_error_t error;
    if (!look_over(r, &s)) {
        return NULL;
    }
    json_t* root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root && json_error_code(&error) == json_error_out_of_memory) {
        tlw_recipe_no_memory(r);
    } else if (!root) {
        const tlw_recipe_position position = {error.line > 0 ? (uint32_t)error.line : 1,
                                              error.column > 0 ? (uint32_t)error.column : 1};
        tlw_recipe_fail_at(r, file, position, "%s", error.text);
    } else if (json_array_append_new(r->places->kept, root) != 0) { // releases it where it fails
        tlw_recipe_no_memory(r);
        root = NULL;
    } else if (!json_is_object(root)) {
        tlw_recipe_fail_at(r, file, start, "an object is expected, not an array");
        root = NULL;
    } else if (!tlw_recipe_note_places(r, file, text, root)) {
        root = NULL;
    }
    return root;
}
