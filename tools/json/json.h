// SPDX-License-Identifier: MIT
// What the readers of JSON share: values that know the path to themselves, a scan before parsing,
// and values as words for messages.
#ifndef TLW_TOOLS_JSON_JSON_H
#define TLW_TOOLS_JSON_JSON_H

#include "platform/base.h"

#include <jansson.h>

// A JSON value and the path to it, as a chain of parents up to the root. A value that is absent is
// null and still has its path. Without a key it is element `index` of an array, or the root, which
// has no parent.
typedef struct tlw_json {
    json_t* value;
    const struct tlw_json* parent; // outlives this
    const char* key;
    size_t index;
} tlw_json;

tlw_json tlw_json_member(const tlw_json* object, const char* key);
tlw_json tlw_json_element(const tlw_json* array, size_t index);

// Writes the path, for example layers[2].name or meshes.roles["left eye"], and returns its length:
// 0 for the root and for null. Recursive over the parents, which are as many as the reader's own
// code nests, whatever the file contains.
size_t tlw_json_write_path(const tlw_json* at, char* text, size_t bytes);
// Appends one step to a path of `used` bytes: a key, or without one an index.
size_t tlw_json_append_step(char* text, size_t bytes, size_t used, const char* key, size_t index);

// Appends to a text of `used` bytes in a buffer of `bytes`, cutting it where the buffer ends.
// Returns the new length.
size_t tlw_json_append(char* text, size_t bytes, size_t used, const char* format, ...)
    TLW_PRINTF(4, 5);

#define TLW_JSON_QUOTE_BYTES 72
// The text in double quotes. A text above 60 bytes is shortened, never inside a UTF-8 character.
const char* tlw_json_quote(const char* text, char quoted[TLW_JSON_QUOTE_BYTES]);

// "an object", "an array", "true", "false", "null" or an integer's digits; null for strings and
// real numbers, which each reader shows in its own way.
const char* tlw_json_show(const json_t* value, char text[TLW_JSON_QUOTE_BYTES]);

typedef struct tlw_json_shape {
    uint64_t containers;
    uint64_t members;  // commas and colons outside strings
    uint64_t too_deep; // byte at which the text is nested too deep; its size if it never is
} tlw_json_shape;

// Counts brackets outside strings, without parsing. A parser that recurses is then safe, and the
// size of its tree can be bounded.
tlw_json_shape tlw_json_scan(const char* text, size_t size, uint32_t depth_max);

#endif
