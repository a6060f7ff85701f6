// SPDX-License-Identifier: MIT
// Strict JSON for the glTF reader: bounds depth and memory, parses with jansson, and gives typed
// access with errors that name the path of the wrong value. Writes g->root.
#include "platform/checked.h"
#include "tools/asset/gltf.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Errors
// ------------------------------------------------------------------------------------------------

static void write_message(const tlw_json* at, char* text, size_t bytes, const char* format,
                          va_list arguments) {
    size_t used = tlw_json_write_path(at, text, bytes);
    if (used > 0) {
        used = tlw_json_append(text, bytes, used, ": ");
    }
    vsnprintf(text + used, bytes - used, format, arguments);
}

// Only the first error counts.
static void set_error(tlw_gltf* g, tlw_asset_code code, const tlw_json* at, const char* format,
                      va_list arguments) {
    if (g->error->code == TLW_ASSET_OK) {
        g->error->code = code;
        write_message(at, g->error->message, sizeof g->error->message, format, arguments);
    }
}

bool tlw_gltf_fail(tlw_gltf* g, const tlw_json* at, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(g, TLW_ASSET_BAD, at, format, arguments);
    va_end(arguments);
    return false;
}

bool tlw_gltf_cannot_read(tlw_gltf* g, const tlw_json* at, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(g, TLW_ASSET_CANNOT_READ, at, format, arguments);
    va_end(arguments);
    return false;
}

bool tlw_gltf_no_memory(tlw_gltf* g, const tlw_json* at, uint64_t count, size_t element_bytes) {
    return tlw_gltf_fail(
        g, at, "%llu elements of %zu bytes do not fit the memory limit of %llu bytes, %llu left",
        (unsigned long long)count, element_bytes, (unsigned long long)g->limits.memory_bytes,
        (unsigned long long)tlw_asset_memory_left(g->memory));
}

void tlw_gltf_note(tlw_gltf* g, const tlw_json* at, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    write_message(at, text, sizeof text, format, arguments);
    va_end(arguments);
    tlw_notes_add(&g->notes, format, text);
}

void* tlw_gltf_allocate(tlw_gltf* g, const tlw_json* at, tlw_asset_lifetime lifetime,
                        uint64_t count, size_t element_bytes) {
    void* memory = tlw_asset_allocate(g->memory, lifetime, count, element_bytes);
    if (!memory) {
        tlw_gltf_no_memory(g, at, count, element_bytes);
    }
    return memory;
}

// Text to tree
// ------------------------------------------------------------------------------------------------

bool tlw_json_parse(tlw_gltf* g, const char* text, size_t size) {
    // Before jansson builds a tree: the depth that it will recurse to, and how much memory it
    // takes.
    const tlw_json_shape shape = tlw_json_scan(text, size, g->limits.json_depth);
    if (shape.too_deep < size) {
        return tlw_gltf_fail(g, NULL, "JSON byte %llu: nested deeper than %u",
                             (unsigned long long)shape.too_deep, g->limits.json_depth);
    }
    // Measured with jansson 2.14 on 64 bits: an empty object takes 235 bytes, an empty array 139, a
    // string 91, a member with a number 133. The formula is a little above any mix of these.
    uint64_t bytes = shape.containers * 320 + shape.members * 96 + (uint64_t)size;
    if (bytes > tlw_asset_memory_left(g->memory)) {
        return tlw_gltf_fail(g, NULL,
                             "JSON: %llu values would take about %llu bytes, beyond the memory "
                             "limit of %llu",
                             (unsigned long long)(shape.containers + shape.members),
                             (unsigned long long)bytes, (unsigned long long)g->limits.memory_bytes);
    }
    json_error_t error;
    g->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!g->root) {
        return tlw_gltf_fail(g, NULL, "JSON line %d, column %d: %s", error.line, error.column,
                             error.text);
    }
    if (!json_is_object(g->root)) {
        return tlw_gltf_fail(g, NULL, "JSON: an object was expected, not an array");
    }
    // Counted until the load ends, like the tree itself.
    return tlw_asset_charge(g->memory, bytes) || tlw_gltf_no_memory(g, NULL, bytes, 1);
}

// Access
// ------------------------------------------------------------------------------------------------

tlw_json tlw_json_root(const tlw_gltf* g) {
    return (tlw_json){g->root, NULL, NULL, 0};
}

// The value as messages show it.
static const char* show(const json_t* value, char text[TLW_JSON_QUOTE_BYTES]) {
    if (json_is_string(value)) {
        snprintf(text, TLW_JSON_QUOTE_BYTES, "\"%.40s\"", json_string_value(value));
        return text;
    }
    if (json_is_real(value)) {
        snprintf(text, TLW_JSON_QUOTE_BYTES, "%.17g", json_real_value(value));
        return text;
    }
    return tlw_json_show(value, text);
}

static bool wrong_type(tlw_gltf* g, const tlw_json* at, const char* expected) {
    char text[TLW_JSON_QUOTE_BYTES];
    if (!at->value) {
        return tlw_gltf_fail(g, at, "%s is missing", expected);
    }
    return tlw_gltf_fail(g, at, "%s was expected, not %s", expected, show(at->value, text));
}

bool tlw_json_object(tlw_gltf* g, const tlw_json* at, tlw_json_need need) {
    if (!at->value && need == TLW_OPTIONAL) {
        return true;
    }
    return json_is_object(at->value) || wrong_type(g, at, "an object");
}

bool tlw_json_array(tlw_gltf* g, const tlw_json* at, uint32_t least, uint32_t* count) {
    *count = 0;
    if (!at->value && least == 0) {
        return true;
    }
    if (!json_is_array(at->value)) {
        return wrong_type(g, at, "an array");
    }
    size_t size = json_array_size(at->value);
    // The largest uint32_t is TLW_ASSET_NONE and cannot be a count.
    if (!tlw_u32_from_u64(size, count) || *count == TLW_ASSET_NONE) {
        return tlw_gltf_fail(g, at, "%zu elements are too many", size);
    }
    if (*count < least) {
        return tlw_gltf_fail(g, at, "it has %u elements, and needs at least %u", *count, least);
    }
    return true;
}

bool tlw_json_objects(tlw_gltf* g, const tlw_json* at, uint32_t least, uint32_t* count) {
    if (!tlw_json_array(g, at, least, count)) {
        return false;
    }
    for (uint32_t i = 0; i < *count; ++i) {
        tlw_json element = tlw_json_element(at, i);
        if (!tlw_json_object(g, &element, TLW_REQUIRED)) {
            return false;
        }
    }
    return true;
}

bool tlw_json_uint(tlw_gltf* g, const tlw_json* at, tlw_json_need need, uint64_t* out) {
    if (!at->value && need == TLW_OPTIONAL) {
        return true;
    }
    if (!json_is_integer(at->value) || json_integer_value(at->value) < 0) {
        return wrong_type(g, at, "an integer of 0 or more");
    }
    *out = (uint64_t)json_integer_value(at->value);
    return true;
}

bool tlw_json_index(tlw_gltf* g, const tlw_json* at, tlw_json_need need, uint32_t count,
                    uint32_t* out) {
    if (!at->value && need == TLW_OPTIONAL) {
        return true;
    }
    uint64_t index = 0;
    if (!tlw_json_uint(g, at, need, &index)) {
        return false;
    }
    if (index >= count) {
        return tlw_gltf_fail(g, at, "%llu is out of range: the file has %u of them",
                             (unsigned long long)index, count);
    }
    *out = (uint32_t)index;
    return true;
}

bool tlw_json_bool(tlw_gltf* g, const tlw_json* at, bool* out) {
    if (!at->value) {
        return true;
    }
    if (!json_is_boolean(at->value)) {
        return wrong_type(g, at, "true or false");
    }
    *out = json_is_true(at->value);
    return true;
}

bool tlw_json_string(tlw_gltf* g, const tlw_json* at, tlw_json_need need, const char** out) {
    if (!at->value && need == TLW_OPTIONAL) {
        return true;
    }
    if (!json_is_string(at->value)) {
        return wrong_type(g, at, "a string");
    }
    *out = json_string_value(at->value);
    return true;
}

bool tlw_json_numbers(tlw_gltf* g, const tlw_json* at, uint32_t count, double* out) {
    if (!at->value) {
        return true;
    }
    if (!json_is_array(at->value)) {
        return wrong_type(g, at, "an array of numbers");
    }
    if (json_array_size(at->value) != count) {
        return tlw_gltf_fail(g, at, "%u numbers were expected, not %zu", count,
                             json_array_size(at->value));
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json element = tlw_json_element(at, i);
        if (!json_is_number(element.value)) {
            return wrong_type(g, &element, "a number");
        }
        out[i] = json_number_value(element.value);
        if (!(fabs(out[i]) <= FLT_MAX)) {
            return tlw_gltf_fail(g, &element, "%g is more than a float holds", out[i]);
        }
    }
    return true;
}

bool tlw_json_name(tlw_gltf* g, const tlw_json* object, const char** out) {
    tlw_json name = tlw_json_member(object, "name");
    const char* text = "";
    if (!tlw_json_string(g, &name, TLW_OPTIONAL, &text)) {
        return false;
    }
    *out = text[0] ? tlw_asset_copy_string(g->memory, text) : "";
    return *out || tlw_gltf_no_memory(g, &name, strlen(text), 1);
}
