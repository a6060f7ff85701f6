// SPDX-License-Identifier: MIT
// Where values stand: line and column of everything in a recipe's files, noted beside jansson's
// tree, and the texts that messages begin with. Reads a text that jansson has accepted and its tree
// side by side; writes tlw_recipe_places and, for messages after reading, the recipe's marks.
#include "tools/recipe/reader.h"

#include "platform/handlers.h"

#include <stdlib.h>
#include <string.h>

#define FILE_BYTES 480 // of a file's name in a message; a longer name loses its beginning

tlw_recipe_position tlw_recipe_position_of(const char* text, size_t byte) {
    tlw_recipe_position position = {1, 1};
    for (size_t i = 0; i < byte; ++i) {
        if (text[i] == '\n') {
            position = (tlw_recipe_position){position.line + 1, 1};
        } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
            position.column += 1;
        }
    }
    return position;
}

// Noting
// ------------------------------------------------------------------------------------------------

static uint32_t bucket_of(const json_t* holder, const char* key, size_t index) {
    uint64_t hash = (uint64_t)(uintptr_t)holder ^ (uint64_t)index * 0x9E3779B97F4A7C15u;
    for (; key && *key; ++key) {
        hash = (hash ^ (unsigned char)*key) * 0x100000001B3u;
    }
    hash *= 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 40) % TLW_RECIPE_BUCKETS;
}

static bool add_value(tlw_recipe_reader* r, tlw_recipe_value value, uint32_t* place) {
    tlw_recipe_places* places = r->places;
    if (places->count == places->capacity) {
        const uint32_t capacity = places->capacity > 0 ? places->capacity * 2 : 256;
        tlw_recipe_value* values = realloc(places->values, capacity * sizeof *values);
        if (!values) {
            return tlw_recipe_no_memory(r);
        }
        places->values = values;
        places->capacity = capacity;
    }
    uint32_t* bucket = &places->buckets[bucket_of(value.holder, value.key, value.index)];
    value.next = *bucket;
    places->values[places->count] = value;
    *place = places->count++;
    *bucket = places->count;
    return true;
}

typedef struct walk {
    tlw_recipe_reader* r;
    uint32_t file;
    const char* at;
    tlw_recipe_position position;
} walk;

static void step(walk* w) {
    if (*w->at == '\n') {
        w->position = (tlw_recipe_position){w->position.line + 1, 1};
    } else if (((unsigned char)*w->at & 0xC0) != 0x80) {
        w->position.column += 1;
    }
    w->at += 1;
}

static void skip_blank(walk* w) {
    while (*w->at == ' ' || *w->at == '\t' || *w->at == '\r' || *w->at == '\n') {
        step(w);
    }
}

static void skip_string(walk* w) {
    step(w);
    while (*w->at != '"') {
        if (*w->at == '\\') {
            step(w);
        }
        step(w);
    }
    step(w);
}

static bool walk_value(walk* w, const json_t* value, uint32_t place);

// An object or array: `place` is its own. jansson keeps members in the order of the text, so text
// and tree are walked side by side and no escape in a key needs to be decoded.
static bool walk_members(walk* w, const json_t* holder, uint32_t place) {
    const bool is_object = json_is_object(holder);
    const size_t count = is_object ? json_object_size(holder) : json_array_size(holder);
    void* member = is_object ? json_object_iter((json_t*)holder) : NULL;
    for (size_t i = 0; i < count; ++i) {
        tlw_recipe_value value = {
            .holder = holder, .index = i, .parent = place, .file = w->file, .file_index = i};
        step(w); // the bracket or the comma
        skip_blank(w);
        if (is_object) {
            value.key = json_object_iter_key(member);
            value.index = 0;
            value.at_key = w->position;
            skip_string(w);
            skip_blank(w);
            step(w); // the colon
            skip_blank(w);
        }
        value.at_value = w->position;
        value.at_key = is_object ? value.at_key : value.at_value;
        uint32_t own;
        if (!add_value(w->r, value, &own) ||
            !walk_value(w, is_object ? json_object_iter_value(member) : json_array_get(holder, i),
                        own)) {
            return false;
        }
        skip_blank(w);
        member = is_object ? json_object_iter_next((json_t*)holder, member) : NULL;
    }
    if (count == 0) {
        step(w);
        skip_blank(w);
    }
    step(w); // the closing bracket
    return true;
}

// Recursion is as deep as the text nests, which was limited before it was parsed.
static bool walk_value(walk* w, const json_t* value, uint32_t place) {
    if (json_is_object(value) || json_is_array(value)) {
        return walk_members(w, value, place);
    }
    if (json_is_string(value)) {
        skip_string(w);
        return true;
    }
    while (!strchr(" \t\r\n,]}", *w->at)) {
        step(w);
    }
    return true;
}

bool tlw_recipe_note_places(tlw_recipe_reader* r, uint32_t file, const char* text,
                            const json_t* root) {
    walk w = {r, file, text, {1, 1}};
    skip_blank(&w);
    return walk_value(&w, root, TLW_RECIPE_NO_PLACE);
}

// Finding
// ------------------------------------------------------------------------------------------------

static uint32_t find(const tlw_recipe_reader* r, const tlw_json* at) {
    const tlw_recipe_places* places = r->places;
    if (!places || !at || !at->parent || !at->parent->value) {
        return TLW_RECIPE_NO_PLACE;
    }
    const json_t* holder = at->parent->value;
    const size_t index = at->key ? 0 : at->index;
    // The newest comes first: where files are united, that is where the value came from.
    for (uint32_t i = places->buckets[bucket_of(holder, at->key, index)]; i > 0;
         i = places->values[i - 1].next) {
        const tlw_recipe_value* value = &places->values[i - 1];
        if (value->holder == holder && (at->key ? value->key && strcmp(value->key, at->key) == 0
                                                : !value->key && value->index == index)) {
            return i - 1;
        }
    }
    return TLW_RECIPE_NO_PLACE;
}

bool tlw_recipe_move_place(tlw_recipe_reader* r, const tlw_json* from, const json_t* holder,
                           const char* key, size_t index) {
    const uint32_t old = find(r, from);
    TLW_ASSERT(old != TLW_RECIPE_NO_PLACE);
    tlw_recipe_value value = r->places->values[old];
    value.holder = holder;
    value.key = key ? value.key : NULL; // the same letters, in a tree that is kept
    value.index = key ? 0 : index;
    return add_value(r, value, &(uint32_t){0});
}

// Texts
// ------------------------------------------------------------------------------------------------

// The path of a value in its own file. Recursion as in walk_value.
static size_t write_file_path(const tlw_recipe_places* places, uint32_t place, char* text,
                              size_t bytes) {
    if (place == TLW_RECIPE_NO_PLACE) {
        return 0;
    }
    const tlw_recipe_value* value = &places->values[place];
    const size_t used = write_file_path(places, value->parent, text, bytes);
    return tlw_json_append_step(text, bytes, used, value->key, value->file_index);
}

size_t tlw_recipe_write_path(const tlw_recipe_reader* r, const tlw_json* at,
                             char text[TLW_RECIPE_PLACE_BYTES]) {
    const uint32_t place = find(r, at);
    text[0] = 0;
    if (place != TLW_RECIPE_NO_PLACE) {
        return write_file_path(r->places, place, text, TLW_RECIPE_PLACE_BYTES);
    }
    if (!at || !at->parent) {
        return 0;
    }
    // A value that is missing, or no tree at all: the path of what holds it, and the step to it.
    const size_t used = tlw_recipe_write_path(r, at->parent, text);
    return tlw_json_append_step(text, TLW_RECIPE_PLACE_BYTES, used, at->key, at->index);
}

size_t tlw_recipe_write_position(const tlw_recipe_reader* r, uint32_t file,
                                 tlw_recipe_position position, char text[TLW_RECIPE_PLACE_BYTES]) {
    const char* name = r->places->files[file];
    size_t used = 0;
    if (name) {
        const size_t length = strlen(name);
        const bool is_long = length > FILE_BYTES;
        used = tlw_json_append(text, TLW_RECIPE_PLACE_BYTES, 0, "%s%s:", is_long ? "..." : "",
                               is_long ? name + length - FILE_BYTES : name);
    }
    return tlw_json_append(text, TLW_RECIPE_PLACE_BYTES, used, "%u:%u", position.line,
                           position.column);
}

size_t tlw_recipe_write_place(const tlw_recipe_reader* r, const tlw_json* at, bool is_key,
                              char text[TLW_RECIPE_PLACE_BYTES]) {
    char path[TLW_RECIPE_PLACE_BYTES];
    const size_t length = tlw_recipe_write_path(r, at, path);
    // A value that is missing stands where the object stands that should have it.
    const tlw_json* nearest = at;
    while (nearest && nearest->parent && find(r, nearest) == TLW_RECIPE_NO_PLACE) {
        nearest = nearest->parent;
    }
    size_t used = 0;
    text[0] = 0;
    if (r->places && nearest && (nearest->parent || nearest->value)) {
        const uint32_t place = find(r, nearest);
        const tlw_recipe_value* value =
            place == TLW_RECIPE_NO_PLACE ? NULL : &r->places->values[place];
        const tlw_recipe_position start = {1, 1};
        used = tlw_recipe_write_position(r, value ? value->file : 0,
                                         !value   ? start
                                         : is_key ? value->at_key
                                                  : value->at_value,
                                         text);
    }
    if (length > 0) {
        used =
            tlw_json_append(text, TLW_RECIPE_PLACE_BYTES, used, "%s%s", used > 0 ? ": " : "", path);
    }
    return used;
}

bool tlw_recipe_mark_place(tlw_recipe_reader* r, const tlw_json* at, const char* path) {
    char tree_path[TLW_RECIPE_PLACE_BYTES], place[TLW_RECIPE_PLACE_BYTES];
    if (!path) {
        tlw_json_write_path(at, tree_path, sizeof tree_path);
        path = tree_path;
    }
    tlw_recipe_write_place(r, at, false, place);
    tlw_recipe_mark* mark = tlw_recipe_allocate(r, 1, sizeof *mark);
    if (!mark || !tlw_recipe_copy_name(r, path, &mark->path) ||
        !tlw_recipe_copy_name(r, place, &mark->place)) {
        return false;
    }
    mark->next = r->out->marks;
    r->out->marks = mark;
    return true;
}

const char* tlw_recipe_place(const tlw_recipe* recipe, const char* path) {
    for (const tlw_recipe_mark* mark = recipe->marks; mark; mark = mark->next) {
        if (strcmp(mark->path, path) == 0) {
            return mark->place;
        }
    }
    return NULL;
}
