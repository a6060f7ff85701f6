// SPDX-License-Identifier: MIT
// Private to tools/recipe: changes single values in JSON text that the reader has accepted, and
// leaves every other byte as it is: order, spaces, line breaks, and the digits of numbers.
#ifndef TLW_TOOLS_RECIPE_TEXT_H
#define TLW_TOOLS_RECIPE_TEXT_H

#include "platform/base.h"

// Ends with a zero, which `size` does not count.
typedef struct tlw_recipe_text {
    char* bytes;
    size_t size, capacity;
    bool is_out_of_memory; // nothing was changed since
} tlw_recipe_text;

// A value in the text. A change moves the ends of the values that it lies in, so those are looked
// up again, from the root on.
typedef struct tlw_recipe_span {
    size_t begin, end;
} tlw_recipe_span;

tlw_recipe_text tlw_recipe_text_make(const void* bytes, size_t size);
void tlw_recipe_text_free(tlw_recipe_text* text);

tlw_recipe_span tlw_recipe_text_root(const tlw_recipe_text* text);
bool tlw_recipe_text_member(const tlw_recipe_text* text, tlw_recipe_span object, const char* key,
                            tlw_recipe_span* value);
// The entry of a list of objects whose member `identity` is the string `name`.
bool tlw_recipe_text_entry(const tlw_recipe_text* text, tlw_recipe_span list, const char* identity,
                           const char* name, tlw_recipe_span* entry);
// The next element after *element, which is empty at first: {0, 0}.
bool tlw_recipe_text_next(const tlw_recipe_text* text, tlw_recipe_span list,
                          tlw_recipe_span* element);

// The same; what is missing is added at the end, a member as `fallback`, which is JSON.
tlw_recipe_span tlw_recipe_text_need_member(tlw_recipe_text* text, tlw_recipe_span object,
                                            const char* key, const char* fallback);
tlw_recipe_span tlw_recipe_text_need_entry(tlw_recipe_text* text, tlw_recipe_span list,
                                           const char* identity, const char* name);
void tlw_recipe_text_replace(tlw_recipe_text* text, tlw_recipe_span span, const char* with);
// Gives a member another key, if the object has it.
void tlw_recipe_text_rename(tlw_recipe_text* text, tlw_recipe_span object, const char* from,
                            const char* to);

// Copies that the caller frees; null if out of memory. A string's value, and a string as JSON.
char* tlw_recipe_text_decode(const tlw_recipe_text* text, tlw_recipe_span string);
char* tlw_recipe_text_encode(const char* string);

#endif
