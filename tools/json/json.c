// SPDX-License-Identifier: MIT
// Paths, the scan and values as words.
#include "tools/json/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define QUOTED_MAX 60

tlw_json tlw_json_member(const tlw_json* object, const char* key) {
    return (tlw_json){json_object_get(object->value, key), object, key, 0};
}

tlw_json tlw_json_element(const tlw_json* array, size_t index) {
    return (tlw_json){json_array_get(array->value, index), array, NULL, index};
}

size_t tlw_json_append(char* text, size_t bytes, size_t used, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
    used += length > 0 ? (size_t)length : 0;
    return used < bytes ? used : bytes - 1;
}

const char* tlw_json_quote(const char* text, char quoted[TLW_JSON_QUOTE_BYTES]) {
    size_t length = strlen(text);
    const bool is_long = length > QUOTED_MAX;
    if (is_long) {
        length = QUOTED_MAX;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
            length -= 1;
        }
    }
    snprintf(quoted, TLW_JSON_QUOTE_BYTES, "\"%.*s%s\"", (int)length, text, is_long ? "..." : "");
    return quoted;
}

// Whether a key needs no quotes in a path.
static bool is_plain(const char* key) {
    size_t length = 0;
    for (; key[length]; ++length) {
        const char c = key[length];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '$')) {
            return false;
        }
    }
    return length > 0 && length <= QUOTED_MAX;
}

size_t tlw_json_append_step(char* text, size_t bytes, size_t used, const char* key, size_t index) {
    char quoted[TLW_JSON_QUOTE_BYTES];
    if (!key) {
        return tlw_json_append(text, bytes, used, "[%zu]", index);
    }
    if (!is_plain(key)) {
        return tlw_json_append(text, bytes, used, "[%s]", tlw_json_quote(key, quoted));
    }
    return tlw_json_append(text, bytes, used, "%s%s", used > 0 ? "." : "", key);
}

size_t tlw_json_write_path(const tlw_json* at, char* text, size_t bytes) {
    if (!at || !at->parent) {
        return 0;
    }
    const size_t used = tlw_json_write_path(at->parent, text, bytes);
    return tlw_json_append_step(text, bytes, used, at->key, at->index);
}

const char* tlw_json_show(const json_t* value, char text[TLW_JSON_QUOTE_BYTES]) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_INTEGER:
        snprintf(text, TLW_JSON_QUOTE_BYTES, "%lld", (long long)json_integer_value(value));
        return text;
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    default:
        return NULL;
    }
}

tlw_json_shape tlw_json_scan(const char* text, size_t size, uint32_t depth_max) {
    tlw_json_shape shape = {.too_deep = size};
    uint32_t depth = 0;
    bool is_in_string = false;
    for (size_t i = 0; i < size; ++i) {
        const char c = text[i];
        if (is_in_string) {
            if (c == '\\') {
                i += 1;
            } else if (c == '"') {
                is_in_string = false;
            }
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '{' || c == '[') {
            shape.containers += 1;
            if (++depth > depth_max) {
                shape.too_deep = i;
                return shape;
            }
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
        } else if (c == ',' || c == ':') {
            shape.members += 1;
        }
    }
    return shape;
}
