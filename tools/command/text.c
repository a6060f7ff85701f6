// SPDX-License-Identifier: MIT
// Grows by doubling. A failed allocation is remembered, so that callers ask once, at the end.
#include "tools/command/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tlw_text_free(tlw_text* text) {
    free(text->bytes);
    *text = (tlw_text){0};
}

static bool make_room(tlw_text* text, size_t bytes) {
    if (text->out_of_memory || text->capacity - text->used >= bytes) {
        return !text->out_of_memory;
    }
    const size_t capacity = (text->used + bytes) * 2 + 4096;
    char* grown = realloc(text->bytes, capacity);
    if (grown == NULL) {
        text->out_of_memory = true;
        return false;
    }
    text->bytes = grown;
    text->capacity = capacity;
    return true;
}

void tlw_text_add(tlw_text* text, const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && make_room(text, (size_t)length + 1)) {
        vsnprintf(text->bytes + text->used, (size_t)length + 1, format, again);
        text->used += (size_t)length;
    }
    va_end(again);
}

// How many bytes the UTF-8 character at that place has; 0: it is not one.
static size_t character_bytes(const unsigned char* at) {
    const size_t length = at[0] < 0x80                    ? 1
                          : at[0] >= 0xC2 && at[0] < 0xE0 ? 2
                          : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
                          : at[0] >= 0xF0 && at[0] < 0xF5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; ++i) {
        if ((at[i] & 0xC0) != 0x80) { // the final zero too
            return 0;
        }
    }
    // Longer than needed, half of a UTF-16 pair, beyond the last character: readers of JSON refuse
    // the whole text.
    const bool is_refused = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
                            (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F);
    return is_refused ? 0 : length;
}

// HTML has no way to write control characters.
static void add_name(tlw_text* text, const char* name, const char* (*escape)(char), bool is_json) {
    for (const unsigned char* at = (const unsigned char*)name; *at;) {
        const size_t length = character_bytes(at);
        const char* escaped = length == 1 ? escape((char)*at) : NULL;
        if (escaped) {
            tlw_text_add(text, "%s", escaped);
        } else if (length == 1 && *at < 0x20 && is_json) {
            tlw_text_add(text, "\\u%04x", *at);
        } else if (length == 0 || *at < 0x20 || (*at == 0x7F && !is_json)) {
            tlw_text_add(text, "?");
        } else {
            tlw_text_add(text, "%.*s", (int)length, (const char*)at);
        }
        at += length > 0 ? length : 1;
    }
}

static const char* escape_html(char c) {
    return c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&#39;"
                       : NULL;
}

static const char* escape_json(char c) {
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

void tlw_text_html(tlw_text* text, const char* name) {
    add_name(text, name, escape_html, false);
}

void tlw_text_json(tlw_text* text, const char* name) {
    tlw_text_add(text, "\"");
    add_name(text, name, escape_json, true);
    tlw_text_add(text, "\"");
}

void tlw_text_json_number(tlw_text* text, double value) {
    if (value - value == 0.0) { // infinity or NaN less itself is NaN
        tlw_text_add(text, "%.9g", value);
    } else {
        tlw_text_add(text, "null");
    }
}
