// SPDX-License-Identifier: MIT
// Values in JSON text: where they are, and how one is changed without touching the others. What is
// added follows the lines and the indentation of what is there.
#include "tools/recipe/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define INDENT "    "

tlw_recipe_text tlw_recipe_text_make(const void* bytes, size_t size) {
    tlw_recipe_text t = {.bytes = malloc(size + 1), .size = size, .capacity = size + 1};
    t.is_out_of_memory = t.bytes == NULL;
    if (t.bytes) {
        memcpy(t.bytes, bytes, size);
        t.bytes[size] = 0;
    }
    return t;
}

void tlw_recipe_text_free(tlw_recipe_text* t) {
    free(t->bytes);
    *t = (tlw_recipe_text){0};
}

// Scanning
// ------------------------------------------------------------------------------------------------

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_space(const tlw_recipe_text* t, size_t at) {
    while (is_space(t->bytes[at])) {
        at += 1;
    }
    return at;
}

static size_t skip_string(const tlw_recipe_text* t, size_t at) {
    at += 1;
    while (t->bytes[at] && t->bytes[at] != '"') {
        at += t->bytes[at] == '\\' && t->bytes[at + 1] ? 2 : 1;
    }
    return t->bytes[at] ? at + 1 : at;
}

static size_t skip_value(const tlw_recipe_text* t, size_t at) {
    if (t->bytes[at] == '"') {
        return skip_string(t, at);
    }
    if (t->bytes[at] != '{' && t->bytes[at] != '[') {
        const size_t length = strcspn(t->bytes + at, ",]} \t\r\n");
        return at + length;
    }
    uint32_t depth = 0;
    do {
        const char c = t->bytes[at];
        depth += c == '{' || c == '[' ? 1u : 0u;
        depth -= c == '}' || c == ']' ? 1u : 0u;
        at = c == '"' ? skip_string(t, at) : at + 1;
    } while (depth > 0 && t->bytes[at]);
    return at;
}

typedef struct item {
    tlw_recipe_span key; // empty in a list
    tlw_recipe_span value;
} item;

// Begin with a value whose end is 0.
static bool next_item(const tlw_recipe_text* t, tlw_recipe_span holder, item* i) {
    size_t at = skip_space(t, i->value.end > 0 ? i->value.end : holder.begin + 1);
    at = t->bytes[at] == ',' ? skip_space(t, at + 1) : at;
    if (at >= holder.end - 1) {
        return false;
    }
    i->key = (tlw_recipe_span){at, at};
    if (t->bytes[holder.begin] == '{') {
        i->key.end = skip_string(t, at);
        at = skip_space(t, i->key.end);
        at = skip_space(t, at + 1); // the colon
    }
    i->value = (tlw_recipe_span){at, skip_value(t, at)};
    return true;
}

char* tlw_recipe_text_decode(const tlw_recipe_text* t, tlw_recipe_span string) {
    json_t* value =
        json_loadb(t->bytes + string.begin, string.end - string.begin, JSON_DECODE_ANY, NULL);
    const char* text = json_string_value(value);
    const size_t bytes = text ? strlen(text) + 1 : 0;
    char* copy = text ? malloc(bytes) : NULL;
    if (copy) {
        memcpy(copy, text, bytes);
    }
    json_decref(value);
    return copy;
}

char* tlw_recipe_text_encode(const char* string) {
    json_t* value = json_string(string);
    char* text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    const size_t bytes = text ? strlen(text) + 1 : 0;
    char* copy = text ? malloc(bytes) : NULL; // of our own allocator
    if (copy) {
        memcpy(copy, text, bytes);
    }
    if (text) {
        json_free_t release;
        json_get_alloc_funcs(NULL, &release);
        release(text);
    }
    json_decref(value);
    return copy;
}

static bool is_string(const tlw_recipe_text* t, tlw_recipe_span span, const char* string) {
    const size_t length = span.end - span.begin;
    if (length < 2 || t->bytes[span.begin] != '"') {
        return false;
    }
    if (!memchr(t->bytes + span.begin, '\\', length)) {
        return length - 2 == strlen(string) &&
               memcmp(t->bytes + span.begin + 1, string, length - 2) == 0;
    }
    char* decoded = tlw_recipe_text_decode(t, span);
    const bool is_same = decoded && strcmp(decoded, string) == 0;
    free(decoded);
    return is_same;
}

tlw_recipe_span tlw_recipe_text_root(const tlw_recipe_text* t) {
    const size_t begin = t->bytes ? skip_space(t, 0) : 0;
    return (tlw_recipe_span){begin, t->bytes ? skip_value(t, begin) : 0};
}

static bool find_member(const tlw_recipe_text* t, tlw_recipe_span object, const char* key,
                        item* i) {
    *i = (item){0};
    while (next_item(t, object, i)) {
        if (is_string(t, i->key, key)) {
            return true;
        }
    }
    return false;
}

bool tlw_recipe_text_member(const tlw_recipe_text* t, tlw_recipe_span object, const char* key,
                            tlw_recipe_span* value) {
    item i;
    const bool is_found = !t->is_out_of_memory && find_member(t, object, key, &i);
    *value = is_found ? i.value : (tlw_recipe_span){0, 0};
    return is_found;
}

bool tlw_recipe_text_next(const tlw_recipe_text* t, tlw_recipe_span list,
                          tlw_recipe_span* element) {
    item i = {.value = *element};
    const bool is_found = !t->is_out_of_memory && next_item(t, list, &i);
    *element = i.value;
    return is_found;
}

bool tlw_recipe_text_entry(const tlw_recipe_text* t, tlw_recipe_span list, const char* identity,
                           const char* name, tlw_recipe_span* entry) {
    tlw_recipe_span value;
    *entry = (tlw_recipe_span){0, 0};
    while (tlw_recipe_text_next(t, list, entry)) {
        if (t->bytes[entry->begin] == '{' && tlw_recipe_text_member(t, *entry, identity, &value) &&
            is_string(t, value, name)) {
            return true;
        }
    }
    return false;
}

// Changing
// ------------------------------------------------------------------------------------------------

void tlw_recipe_text_replace(tlw_recipe_text* t, tlw_recipe_span span, const char* with) {
    const size_t length = strlen(with), rest = t->size - span.end;
    const size_t size = span.begin + length + rest;
    if (t->is_out_of_memory) {
        return;
    }
    if (size + 1 > t->capacity) {
        char* larger = realloc(t->bytes, 2 * size + 1);
        if (!larger) {
            t->is_out_of_memory = true;
            return;
        }
        t->bytes = larger;
        t->capacity = 2 * size + 1;
    }
    memmove(t->bytes + span.begin + length, t->bytes + span.end, rest + 1);
    memcpy(t->bytes + span.begin, with, length);
    t->size = size;
}

static size_t append(tlw_recipe_text* t, size_t at, const char* what) {
    tlw_recipe_text_replace(t, (tlw_recipe_span){at, at}, what);
    return at + strlen(what);
}

// The spaces that the line of `at` begins with. False: there is more than spaces before `at`, or
// too many of them to be an indentation.
#define INDENT_BYTES 128
static bool find_indent(const tlw_recipe_text* t, size_t at, char indent[INDENT_BYTES]) {
    size_t line = at;
    while (line > 0 && t->bytes[line - 1] != '\n') {
        line -= 1;
    }
    const size_t length = strspn(t->bytes + line, " \t");
    const size_t kept = length < INDENT_BYTES - sizeof INDENT ? length : 0;
    memcpy(indent, t->bytes + line, kept);
    indent[kept] = 0;
    return line > 0 && line + length >= at && kept == length;
}

// Adds a value at the end of a list, or with a key (JSON) at the end of an object.
static tlw_recipe_span add(tlw_recipe_text* t, tlw_recipe_span holder, const char* key,
                           const char* value) {
    char indent[INDENT_BYTES];
    item last = {0}, i = {0};
    bool is_line = false; // each item is a line
    while (next_item(t, holder, &i)) {
        is_line = is_line || last.value.end == 0 ? find_indent(t, i.key.begin, indent) : is_line;
        last = i;
    }
    size_t at = last.value.end > 0 ? append(t, last.value.end, ",") : holder.begin + 1;
    if (last.value.end == 0 && memchr(t->bytes + holder.begin, '\n', holder.end - holder.begin)) {
        (void)find_indent(t, holder.end - 1, indent);
        strcat(indent, INDENT);
        is_line = true;
    }
    if (is_line) {
        at = append(t, append(t, at, "\n"), indent);
    } else if (last.value.end > 0) {
        at = append(t, at, " ");
    }
    if (key) {
        at = append(t, append(t, at, key), ": ");
    }
    tlw_recipe_span added = {at, append(t, at, value)};
    if (is_line && key && strcmp(value, "[]") == 0) { // entries then get lines of their own
        append(t, append(t, at + 1, "\n"), indent);
        added.end += 1 + strlen(indent);
    }
    return t->is_out_of_memory ? holder : added;
}

tlw_recipe_span tlw_recipe_text_need_member(tlw_recipe_text* t, tlw_recipe_span object,
                                            const char* key, const char* fallback) {
    tlw_recipe_span value;
    if (t->is_out_of_memory || tlw_recipe_text_member(t, object, key, &value)) {
        return t->is_out_of_memory ? object : value;
    }
    char* encoded = tlw_recipe_text_encode(key);
    t->is_out_of_memory = encoded == NULL;
    value = encoded ? add(t, object, encoded, fallback) : object;
    free(encoded);
    return value;
}

tlw_recipe_span tlw_recipe_text_need_entry(tlw_recipe_text* t, tlw_recipe_span list,
                                           const char* identity, const char* name) {
    tlw_recipe_span entry;
    if (t->is_out_of_memory || tlw_recipe_text_entry(t, list, identity, name, &entry)) {
        return t->is_out_of_memory ? list : entry;
    }
    char* encoded = tlw_recipe_text_encode(name);
    t->is_out_of_memory = encoded == NULL;
    entry = encoded ? add(t, list, NULL, "{}") : list;
    if (encoded) {
        (void)tlw_recipe_text_need_member(t, entry, identity, encoded);
        entry.end = t->is_out_of_memory ? entry.end : skip_value(t, entry.begin);
    }
    free(encoded);
    return entry;
}

void tlw_recipe_text_rename(tlw_recipe_text* t, tlw_recipe_span object, const char* from,
                            const char* to) {
    item i;
    if (!t->is_out_of_memory && find_member(t, object, from, &i)) {
        char* encoded = tlw_recipe_text_encode(to);
        t->is_out_of_memory = encoded == NULL;
        if (encoded) {
            tlw_recipe_text_replace(t, i.key, encoded);
        }
        free(encoded);
    }
}
