// SPDX-License-Identifier: MIT
// `extend`: loads a recipe and the files that it extends, and unites them into one tree. Objects
// are united key by key and the extending file wins. Lists and values replace, but for lists whose
// entries are about a joint or a pair of joints: of two entries about the same one, the keys are
// united, and the other entries are added. Reads the table of keys, which says which lists those
// are; moves places along, so that messages name the file that a value comes from.
#include "tools/recipe/reader.h"

#include <stdio.h>
#include <string.h>

#define PATH_BYTES  1024
#define CHAIN_BYTES 1280

typedef struct loading {
    tlw_recipe_reader* r;
    const tlw_recipe_loader* loader;
    size_t bytes; // of all files so far
    uint32_t depth;
    const char* chain[TLW_RECIPE_CHAIN_MAX]; // paths from the recipe to the file that is loaded
} loading;

// Uniting
// ------------------------------------------------------------------------------------------------

static const char* text_of(const json_t* value) {
    const char* text = json_string_value(value);
    return text ? text : "";
}

// Whether two entries of a list are about the same joint, or the same pair in any order.
static bool are_about_the_same(const json_t* a, const json_t* b, const char* identity) {
    const json_t *x = json_object_get(a, identity), *y = json_object_get(b, identity);
    if (json_is_string(a) && json_is_string(b)) { // a word in place of an object
        return strcmp(text_of(a), text_of(b)) == 0;
    }
    if (json_is_string(x) && json_is_string(y)) {
        return strcmp(text_of(x), text_of(y)) == 0;
    }
    if (json_array_size(x) != 2 || json_array_size(y) != 2) {
        return false;
    }
    const char *x0 = text_of(json_array_get(x, 0)), *x1 = text_of(json_array_get(x, 1));
    const char *y0 = text_of(json_array_get(y, 0)), *y1 = text_of(json_array_get(y, 1));
    return (strcmp(x0, y0) == 0 && strcmp(x1, y1) == 0) ||
           (strcmp(x0, y1) == 0 && strcmp(x1, y0) == 0);
}

// Whether the object has a key that is given instead of `key`.
static bool has_rival(const tlw_recipe_key* table, const tlw_recipe_key* key,
                      const json_t* object) {
    if (key->instead_of && json_object_get(object, key->instead_of)) {
        return true;
    }
    for (size_t i = 0; i < table->member_count; ++i) {
        const tlw_recipe_key* other = &table->members[i];
        if (other->instead_of && strcmp(other->instead_of, key->name) == 0 &&
            json_object_get(object, other->name)) {
            return true;
        }
    }
    return false;
}

static bool unite_objects(tlw_recipe_reader* r, const tlw_recipe_key* table, const tlw_json* base,
                          const tlw_json* over);

// The entries of `base` come first, in their order, each united with the first entry of `over`
// about the same; then what `over` adds. A second entry of one file about the same stays, for the
// reader to refuse.
static bool unite_entries(tlw_recipe_reader* r, const tlw_recipe_key* key, const tlw_json* base,
                          const tlw_json* over) {
    size_t base_count, over_count;
    bool is_used[TLW_RECIPE_LIST_MAX] = {false};
    if (!tlw_recipe_array(r, base, "", &base_count) ||
        !tlw_recipe_array(r, over, "", &over_count)) {
        return false;
    }
    json_t* united = json_array();
    // The list that is replaced stays alive: places are found by its address.
    if (!united || json_array_append(r->places->kept, over->value) != 0 ||
        json_object_set_new_nocheck(over->parent->value, over->key, united) != 0) {
        return tlw_recipe_no_memory(r);
    }
    for (size_t i = 0; i < base_count; ++i) {
        tlw_json entry = tlw_json_element(base, i);
        size_t k = 0;
        while (k < over_count && (is_used[k] || !are_about_the_same(json_array_get(over->value, k),
                                                                    entry.value, key->identity))) {
            k += 1;
        }
        if (k < over_count) {
            const tlw_json own = tlw_json_element(over, k);
            is_used[k] = true;
            if (json_is_object(entry.value) && !unite_objects(r, key, &entry, &own)) {
                return false;
            }
            entry = own;
        }
        if (!tlw_recipe_move_place(r, &entry, united, NULL, i)) {
            return false;
        }
        if (json_array_append(united, entry.value) != 0) {
            return tlw_recipe_no_memory(r);
        }
    }
    for (size_t k = 0; k < over_count; ++k) {
        const tlw_json entry = tlw_json_element(over, k);
        if (is_used[k]) {
            continue;
        }
        if (!tlw_recipe_move_place(r, &entry, united, NULL, json_array_size(united))) {
            return false;
        }
        if (json_array_append(united, entry.value) != 0) {
            return tlw_recipe_no_memory(r);
        }
    }
    return true;
}

// Adds to `over` what it does not say itself. Recursion is as deep as the table of keys nests.
static bool unite_objects(tlw_recipe_reader* r, const tlw_recipe_key* table, const tlw_json* base,
                          const tlw_json* over) {
    for (void* i = json_object_iter(base->value); i; i = json_object_iter_next(base->value, i)) {
        const char* name = json_object_iter_key(i);
        const tlw_recipe_key* key = tlw_recipe_find_key(table, name);
        const tlw_json theirs = tlw_json_member(base, name), own = tlw_json_member(over, name);
        const bool is_of_file =
            key && (key->kind == TLW_RECIPE_FILES || key->kind == TLW_RECIPE_TEXT);
        if (!own.value) {
            if (is_of_file || (key && has_rival(table, key, over->value))) {
                continue;
            }
            if (!tlw_recipe_move_place(r, &theirs, over->value, name, 0)) {
                return false;
            }
            if (json_object_set_nocheck(over->value, name, theirs.value) != 0) {
                return tlw_recipe_no_memory(r);
            }
        } else if (key && key->identity && json_is_array(theirs.value) &&
                   json_is_array(own.value)) {
            if (!unite_entries(r, key, &theirs, &own)) {
                return false;
            }
        } else if (key && key->members && json_is_object(theirs.value) &&
                   json_is_object(own.value)) {
            if (!unite_objects(r, key, &theirs, &own)) {
                return false;
            }
        }
    }
    return true;
}

// Loading
// ------------------------------------------------------------------------------------------------

size_t tlw_recipe_folder_length(const char* path) {
    size_t length = 0;
    for (size_t i = 0; path[i]; ++i) {
        if (path[i] == '/' || (TLW_OS_WINDOWS && path[i] == '\\')) {
            length = i + 1;
        }
    }
    return length;
}

// Takes "." and "name/.." out, so that two ways of writing one path are equal.
static void simplify(const char* path, char out[PATH_BYTES]) {
    size_t used = 0;
    while (*path) {
        size_t length = strcspn(path, "/");
        const size_t next = length + (path[length] == '/');
        if (length == 1 && path[0] == '.') {
            length = 0;
        } else if (length == 2 && memcmp(path, "..", 2) == 0) {
            size_t before = used > 0 ? used - 1 : 0; // of the folder before
            while (before > 0 && out[before - 1] != '/') {
                before -= 1;
            }
            const bool is_name =
                used > 1 && !(used - before == 3 && out[before] == '.' && out[before + 1] == '.');
            if (is_name) {
                used = before;
                length = 0;
            }
        }
        const bool is_root = used == 0 && path[0] == '/';
        if (length > 0 || is_root) {
            memcpy(out + used, path, next);
            used += next;
        }
        path += next;
    }
    out[used] = 0;
}

static bool is_same_file(const char* a, const char* b) {
    char x[PATH_BYTES], y[PATH_BYTES];
    if (strlen(a) >= PATH_BYTES || strlen(b) >= PATH_BYTES) {
        return strcmp(a, b) == 0;
    }
    simplify(a, x);
    simplify(b, y);
    return strcmp(x, y) == 0;
}

// "hero.json, looks/a.json, looks/b.json". A long path is shortened to its end.
static const char* write_chain(const loading* l, const char* last, char text[CHAIN_BYTES]) {
    const size_t most = 64;
    size_t used = 0;
    for (uint32_t i = 0; i <= l->depth; ++i) {
        const char* path = i < l->depth ? l->chain[i] : last;
        const size_t length = strlen(path), cut = length > most ? length - most : 0;
        used = tlw_json_append(text, CHAIN_BYTES, used, "%s%s%s", i > 0 ? ", " : "",
                               cut > 0 ? "..." : "", path + cut);
    }
    return text;
}

static bool note_file(tlw_recipe_reader* r, const char* path) {
    for (uint32_t i = 0; i < r->out->file_count; ++i) {
        if (strcmp(r->out->files[i], path) == 0) {
            return true;
        }
    }
    const char** files = tlw_recipe_allocate(r, r->out->file_count + 1u, sizeof *files);
    if (!files) {
        return false;
    }
    for (uint32_t i = 0; i < r->out->file_count; ++i) {
        files[i] = r->out->files[i];
    }
    files[r->out->file_count++] = path;
    r->out->files = files;
    return true;
}

static json_t* load(loading* l, const char* path, const tlw_json* named_at);

// The path that `name` means in the file that is being loaded: copied into the recipe.
static bool resolve(loading* l, const tlw_json* at, const char* name, const char** path) {
    const char* from = l->chain[l->depth - 1];
    const size_t folder = tlw_recipe_folder_length(from);
    char text[PATH_BYTES];
    if (name[0] == '/' || strchr(name, '\\') || strchr(name, ':')) {
        return tlw_recipe_fail(l->r, at,
                               "a path relative to this file is expected, with / between folders");
    }
    if (folder + strlen(name) >= sizeof text) {
        return tlw_recipe_fail(l->r, at, "a path of %zu bytes; %d is the limit",
                               folder + strlen(name), PATH_BYTES - 1);
    }
    snprintf(text, sizeof text, "%.*s%s", (int)folder, from, name);
    return tlw_recipe_copy_name(l->r, text, path);
}

static bool check_chain(loading* l, const tlw_json* at, const char* path) {
    char chain[CHAIN_BYTES];
    for (uint32_t i = 0; i < l->depth; ++i) {
        if (is_same_file(l->chain[i], path)) {
            return tlw_recipe_fail(l->r, at, "files that extend each other in a circle: %s",
                                   write_chain(l, path, chain));
        }
    }
    if (l->depth == TLW_RECIPE_CHAIN_MAX) {
        return tlw_recipe_fail(l->r, at, "a chain of more than %u files: %s", TLW_RECIPE_CHAIN_MAX,
                               write_chain(l, path, chain));
    }
    if (l->r->places->file_count == TLW_RECIPE_FILES_MAX) {
        return tlw_recipe_fail(l->r, at, "more than %u files are read for this recipe",
                               TLW_RECIPE_FILES_MAX);
    }
    return true;
}

// Loads the file that `at` names, on top of what `*base` holds so far.
static bool add_base(loading* l, const tlw_json* at, json_t** base) {
    const char *name, *path;
    if (!json_is_string(at->value) || json_string_length(at->value) == 0) {
        return tlw_recipe_unexpected(l->r, at, "the name of a file");
    }
    name = json_string_value(at->value);
    if (!resolve(l, at, name, &path) || !check_chain(l, at, path)) {
        return false;
    }
    json_t* next = load(l, path, at);
    if (!next) {
        return false;
    }
    const tlw_json below = {.value = *base}, over = {.value = next};
    if (*base && !unite_objects(l->r, &tlw_recipe_keys, &below, &over)) {
        return false;
    }
    *base = next;
    return true;
}

// Unites a file with all that it extends, in its own tree.
static bool add_bases(loading* l, json_t* root) {
    const tlw_json over = {.value = root}, at = tlw_json_member(&over, "extend");
    json_t* base = NULL;
    size_t count = 0;
    if (!at.value) {
        return true;
    }
    if (json_is_string(at.value)) {
        if (!add_base(l, &at, &base)) {
            return false;
        }
    } else if (!json_is_array(at.value)) {
        return tlw_recipe_unexpected(l->r, &at, "the name of a file or an array of them");
    } else if (!tlw_recipe_array(l->r, &at, "", &count)) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        const tlw_json element = tlw_json_element(&at, i);
        if (!add_base(l, &element, &base)) {
            return false;
        }
    }
    const tlw_json below = {.value = base};
    return !base || unite_objects(l->r, &tlw_recipe_keys, &below, &over);
}

static bool check_sum(loading* l, const tlw_json* named_at, size_t size) {
    l->bytes += size;
    if (l->bytes <= TLW_RECIPE_ALL_BYTES_MAX) {
        return true;
    }
    tlw_recipe_fail(l->r, named_at, "all files of this recipe have more than %u bytes",
                    TLW_RECIPE_ALL_BYTES_MAX);
    l->r->error->result = TLW_ERROR_TOO_LARGE;
    return false;
}

// `named_at` is where another file names this one; null for the recipe itself.
static json_t* load(loading* l, const char* path, const tlw_json* named_at) {
    tlw_recipe_reader* r = l->r;
    char why[TLW_RECIPE_WHY_BYTES] = "";
    const void* bytes = NULL;
    size_t size = 0;
    if (!note_file(r, path)) {
        return NULL;
    }
    const tlw_result result = l->loader->load(path, &bytes, &size, why, l->loader->user);
    if (result != TLW_OK) {
        tlw_recipe_fail(r, named_at, "%s", why);
        r->error->result = result;
        return NULL;
    }
    const uint32_t file = r->places->file_count++;
    r->places->files[file] = path;
    json_t* root = check_sum(l, named_at, size) ? tlw_recipe_parse(r, file, bytes, size) : NULL;
    if (l->loader->release) {
        l->loader->release(bytes, size, l->loader->user);
    }
    l->chain[l->depth++] = path;
    if (root && !add_bases(l, root)) {
        root = NULL;
    }
    l->depth -= 1;
    return root;
}

json_t* tlw_recipe_unite(tlw_recipe_reader* r, const char* path, const tlw_recipe_loader* loader) {
    loading l = {.r = r, .loader = loader};
    const char* copy;
    return tlw_recipe_copy_name(r, path, &copy) ? load(&l, copy, NULL) : NULL;
}

// The tree is united before it is read: what is left here is text that came from no file.
TLW_RECIPE_READ(tlw_recipe_read_extend) {
    (void)key;
    (void)object;
    return r->out->file_count > 0 ||
           tlw_recipe_fail(r, at, "a recipe that is not read from a file extends none");
}
