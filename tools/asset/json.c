// SPDX-License-Identifier: MIT
// Strict JSON for the glTF reader: text to a tree with jansson after a scan that bounds its depth
// and memory, and typed access that names the path of whatever is wrong.
#include "platform/checked.h"
#include "tools/asset/gltf.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Errors
// ------------------------------------------------------------------------------------------------

static size_t append(char* text, size_t bytes, size_t used, const char* format, ...)
    TLW_PRINTF(4, 5);
static size_t append(char* text, size_t bytes, size_t used, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
    used += length > 0 ? (size_t)length : 0;
    return used < bytes ? used : bytes - 1;
}

// "meshes[0].primitives[1].indices: ". The chain is as long as our own code nests, a few links.
static size_t write_place(const tlw_json* at, char* text, size_t bytes) {
    if (!at || (!at->parent && !at->key)) {
        return 0;
    }
    size_t used = write_place(at->parent, text, bytes);
    if (at->key) {
        return append(text, bytes, used, "%s%s", used > 0 ? "." : "", at->key);
    }
    return append(text, bytes, used, "[%zu]", at->index);
}

static void write_message(const tlw_json* at, char* text, size_t bytes, const char* format,
                          va_list arguments) {
    size_t used = write_place(at, text, bytes);
    if (used > 0) {
        used = append(text, bytes, used, ": ");
    }
    vsnprintf(text + used, bytes - used, format, arguments);
}

bool tlw_gltf_fail(tlw_gltf* g, const tlw_json* at, const char* format, ...) {
    if (g->error->code == TLW_ASSET_OK) {
        va_list arguments;
        va_start(arguments, format);
        g->error->code = TLW_ASSET_BAD;
        write_message(at, g->error->message, sizeof g->error->message, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool tlw_gltf_cannot_read(tlw_gltf* g, const tlw_json* at, const char* format, ...) {
    if (g->error->code == TLW_ASSET_OK) {
        va_list arguments;
        va_start(arguments, format);
        g->error->code = TLW_ASSET_CANNOT_READ;
        write_message(at, g->error->message, sizeof g->error->message, format, arguments);
        va_end(arguments);
    }
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
    uint32_t index = g->asset->note_count;
    if (index == TLW_GLTF_NOTES_MAX) {
        g->notes[index - 1] = "and more of these";
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    write_message(at, text, sizeof text, format, arguments);
    va_end(arguments);
    const char* copy = tlw_asset_copy_string(g->memory, text);
    if (copy) {
        g->notes[index] = copy;
        g->asset->note_count = index + 1;
    }
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

typedef struct tlw_json_shape {
    uint64_t containers;
    uint64_t members; // commas and colons
} tlw_json_shape;

// Brackets outside strings: depth before the parser recurses, and how much its tree can take.
static bool scan(tlw_gltf* g, const char* text, size_t size, tlw_json_shape* shape) {
    uint32_t depth = 0;
    bool is_in_string = false;
    for (size_t i = 0; i < size; ++i) {
        char c = text[i];
        if (is_in_string) {
            if (c == '\\') {
                i += 1;
            } else if (c == '"') {
                is_in_string = false;
            }
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '{' || c == '[') {
            shape->containers += 1;
            if (++depth > g->limits.json_depth) {
                return tlw_gltf_fail(g, NULL, "JSON byte %zu: nested deeper than %u", i,
                                     g->limits.json_depth);
            }
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
        } else if (c == ',' || c == ':') {
            shape->members += 1;
        }
    }
    return true;
}

bool tlw_json_parse(tlw_gltf* g, const char* text, size_t size) {
    tlw_json_shape shape = {0, 0};
    if (!scan(g, text, size, &shape)) {
        return false;
    }
    // Measured on jansson 2.14, 64 bits: an empty object takes 235 bytes, an empty array 139, a
    // string 91, a member with its number 133. This is a little more than any mix of them.
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
    // Held until the load ends, and never given back: nothing is allocated after it.
    return tlw_asset_charge(g->memory, bytes) || tlw_gltf_no_memory(g, NULL, bytes, 1);
}

// Access
// ------------------------------------------------------------------------------------------------

tlw_json tlw_json_root(const tlw_gltf* g) {
    return (tlw_json){g->root, NULL, NULL, 0};
}

tlw_json tlw_json_member(const tlw_json* object, const char* key) {
    return (tlw_json){json_object_get(object->value, key), object, key, 0};
}

tlw_json tlw_json_element(const tlw_json* array, size_t index) {
    return (tlw_json){json_array_get(array->value, index), array, NULL, index};
}

// A value as a message shows it.
static const char* show(const json_t* value, char text[64]) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        snprintf(text, 64, "\"%.40s\"", json_string_value(value));
        return text;
    case JSON_INTEGER:
        snprintf(text, 64, "%lld", (long long)json_integer_value(value));
        return text;
    case JSON_REAL:
        snprintf(text, 64, "%.17g", json_real_value(value));
        return text;
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    default:
        return "null";
    }
}

static bool wrong_type(tlw_gltf* g, const tlw_json* at, const char* expected) {
    char text[64];
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
    // One less than the type holds, which means "none".
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
    uint64_t index;
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
