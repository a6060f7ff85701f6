// SPDX-License-Identifier: MIT
// Private to tools/recipe: JSON text to a tree, places in it, and typed values with errors that
// name the place, what was found and what is allowed. Every bool function returns false after
// setting the error.
#ifndef TLW_TOOLS_RECIPE_READER_H
#define TLW_TOOLS_RECIPE_READER_H

#include "tools/recipe/recipe.h"

#include <jansson.h>

// A value and the way to it. A key of null: element `index` of an array, or the root.
typedef struct tlw_place {
    json_t* value;
    const struct tlw_place* parent;
    const char* key;
    size_t index;
} tlw_place;

typedef struct tlw_recipe_reader {
    tlw_recipe* out;
    tlw_recipe_error* error;
} tlw_recipe_reader;

// A key of an object: how it is read, where it goes (bytes into the struct that the object fills),
// what is allowed. Objects are tables of these, in the order in which they must be read; messages
// list the keys from the same table.
typedef struct tlw_recipe_key {
    const char* name;
    bool (*read)(tlw_recipe_reader* r, const tlw_place* at, const struct tlw_recipe_key* key,
                 void* object);
    size_t offset;
    double least, most;
    const char* const* words; // of a read_word key, ends with null
    const uint32_t* choices;  // of a read_choice key, ends with 0
    size_t count_offset;      // of a read_names key
} tlw_recipe_key;

#define TLW_QUOTE_BYTES 72
// In quotes, shortened between two characters.
const char* tlw_recipe_quote(const char* text, char quoted[TLW_QUOTE_BYTES]);

bool tlw_recipe_fail(tlw_recipe_reader* r, const tlw_place* at, const char* format, ...)
    TLW_PRINTF(3, 4);
bool tlw_recipe_no_memory(tlw_recipe_reader* r);
// Zeroed, freed with the recipe.
void* tlw_recipe_allocate(tlw_recipe_reader* r, size_t count, size_t element_bytes);
// "layers[1].name: a string is expected, not 3".
bool tlw_recipe_unexpected(tlw_recipe_reader* r, const tlw_place* at, const char* expected);
// `what` begins the message: "unknown key", "\"artits\" is not known".
bool tlw_recipe_unknown(tlw_recipe_reader* r, const tlw_place* at, const char* what,
                        const char* word, const char* const* known, size_t known_count);

// The tree, which the caller gives back with json_decref; null on failure.
json_t* tlw_recipe_parse(tlw_recipe_reader* r, const char* text, size_t size);

tlw_place tlw_recipe_member(const tlw_place* object, const char* key);
tlw_place tlw_recipe_element(const tlw_place* array, size_t index);

bool tlw_recipe_read_object(tlw_recipe_reader* r, const tlw_place* at, const tlw_recipe_key* keys,
                            size_t key_count, void* object);
bool tlw_recipe_array(tlw_recipe_reader* r, const tlw_place* at, const char* of, size_t* count);
bool tlw_recipe_string(tlw_recipe_reader* r, const tlw_place* at, const char** out);
bool tlw_recipe_copy_name(tlw_recipe_reader* r, const char* text, const char** out);
bool tlw_recipe_integer(tlw_recipe_reader* r, const tlw_place* at, double least, double most,
                        uint32_t* out);
bool tlw_recipe_number(tlw_recipe_reader* r, const tlw_place* at, double least, double most,
                       double* out);

// For tables of keys.
#define TLW_RECIPE_READ(name) \
    bool name(tlw_recipe_reader* r, const tlw_place* at, const tlw_recipe_key* key, void* object)
TLW_RECIPE_READ(tlw_recipe_read_u32);
TLW_RECIPE_READ(tlw_recipe_read_float);
TLW_RECIPE_READ(tlw_recipe_read_double);
TLW_RECIPE_READ(tlw_recipe_read_bool);
TLW_RECIPE_READ(tlw_recipe_read_fraction);
TLW_RECIPE_READ(tlw_recipe_read_word);   // its index, to an int
TLW_RECIPE_READ(tlw_recipe_read_choice); // to a uint32_t
TLW_RECIPE_READ(tlw_recipe_read_name);   // a copy, to a const char*
TLW_RECIPE_READ(tlw_recipe_read_names);  // to a const char* const* and a uint32_t count

#endif
