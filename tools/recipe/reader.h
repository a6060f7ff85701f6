// SPDX-License-Identifier: MIT
// Private to tools/recipe: parsing JSON text into a tree, tables of keys, and typed values. Errors
// name the place, what was found and what is allowed. Every function here that returns bool returns
// false after it has set the error.
#ifndef TLW_TOOLS_RECIPE_READER_H
#define TLW_TOOLS_RECIPE_READER_H

#include "tools/json/json.h"
#include "tools/recipe/recipe.h"

typedef struct tlw_recipe_reader {
    tlw_recipe* out;
    tlw_recipe_error* error;
    float anchor_hz; // of every layer that gives none; negative: the recipe does not say
} tlw_recipe_reader;

// One key of the file: how it is read, where its value goes and what is allowed. An object's keys
// are a table, in the order in which they must be read. The tables hang together through `members`
// and start at tlw_recipe_schema. Parsing, error messages and tlw_recipe_for_each_key all follow
// them, so a new key is one new entry.
typedef struct tlw_recipe_key {
    const char* name; // "*": the person chooses the name
    bool (*read)(tlw_recipe_reader* r, const tlw_json* at, const struct tlw_recipe_key* key,
                 void* object);
    size_t offset; // of the value, in bytes into the struct that the object fills
    // The kind of value, for the documentation, which adds the range, words or choices. Null for an
    // object that only groups other keys: it is not documented by itself.
    const char* takes;
    double least, most;                   // range of a number; most 0: the value has no range
    const char* const* words;             // for read_word, ends with null
    const uint32_t* choices;              // for read_choice, ends with 0
    size_t count_offset;                  // for read_names
    const char* instead_of;               // a key of the same object that must be absent, or null
    const struct tlw_recipe_key* members; // of the object, or of each object in the list
    size_t member_count;
    bool is_list;
} tlw_recipe_key;

#define TLW_RECIPE_MEMBERS(keys) .members = (keys), .member_count = TLW_COUNT_OF(keys)

// The key whose members are the keys of a whole recipe.
extern const tlw_recipe_key tlw_recipe_schema;

// The shortest of 15 or 17 digits that reads back as the same number.
const char* tlw_recipe_show_number(double value, char text[TLW_JSON_QUOTE_BYTES]);
// "6, 14 or 26".
size_t tlw_recipe_append_choices(char* text, size_t bytes, size_t used, const uint32_t* choices);

bool tlw_recipe_fail(tlw_recipe_reader* r, const tlw_json* at, const char* format, ...)
    TLW_PRINTF(3, 4);
bool tlw_recipe_no_memory(tlw_recipe_reader* r);
// Zeroed memory that tlw_recipe_free gives back.
void* tlw_recipe_allocate(tlw_recipe_reader* r, size_t count, size_t element_bytes);
// "layers[1].name: a name is expected, not 3".
bool tlw_recipe_unexpected(tlw_recipe_reader* r, const tlw_json* at, const char* expected);
// `what` begins the message, for example "unknown key". The message goes on with the known word
// that is nearest to `word`, if any is near, and the list of all known words.
bool tlw_recipe_unknown(tlw_recipe_reader* r, const tlw_json* at, const char* what,
                        const char* word, const char* const* known, size_t known_count);

// The tree, which the caller releases with json_decref; null on failure.
json_t* tlw_recipe_parse(tlw_recipe_reader* r, const char* text, size_t size);

// `expected` is for the message: "an array of layers".
bool tlw_recipe_array(tlw_recipe_reader* r, const tlw_json* at, const char* expected,
                      size_t* count);
bool tlw_recipe_string(tlw_recipe_reader* r, const tlw_json* at, const char** out);
bool tlw_recipe_copy_name(tlw_recipe_reader* r, const char* text, const char** out);
bool tlw_recipe_integer(tlw_recipe_reader* r, const tlw_json* at, double least, double most,
                        uint32_t* out);
bool tlw_recipe_number(tlw_recipe_reader* r, const tlw_json* at, double least, double most,
                       double* out);

// The functions that tables of keys name in `read`. Each writes to `object` at the key's offset.
#define TLW_RECIPE_READ(name) \
    bool name(tlw_recipe_reader* r, const tlw_json* at, const tlw_recipe_key* key, void* object)
TLW_RECIPE_READ(tlw_recipe_read_object); // the key's members, into the same `object`
TLW_RECIPE_READ(tlw_recipe_read_u32);
TLW_RECIPE_READ(tlw_recipe_read_float);
TLW_RECIPE_READ(tlw_recipe_read_double);
TLW_RECIPE_READ(tlw_recipe_read_bool);
TLW_RECIPE_READ(tlw_recipe_read_fraction);
TLW_RECIPE_READ(tlw_recipe_read_word);   // the word's index, as an int
TLW_RECIPE_READ(tlw_recipe_read_choice); // a uint32_t
TLW_RECIPE_READ(tlw_recipe_read_name);   // a copy, as a const char*
TLW_RECIPE_READ(tlw_recipe_read_names);  // a const char* const* and, at count_offset, a uint32_t

#endif
