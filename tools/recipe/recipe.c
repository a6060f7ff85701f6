// SPDX-License-Identifier: MIT
// The front of the library: reads a recipe from memory or from files, starting from
// tlw_default_cook_recipe, and the keys that are a line of code each.
#include "tools/recipe/reader.h"

#include <stdlib.h>
#include <string.h>

TLW_RECIPE_READ(tlw_recipe_read_voxel_size) {
    tlw_recipe* recipe = object;
    recipe->cook.resolution = 0;
    return tlw_recipe_read_double(r, at, key, object);
}

TLW_RECIPE_READ(tlw_recipe_read_weights) {
    tlw_recipe* recipe = object;
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, key, &chosen)) {
        return false;
    }
    recipe->cook.weights = (tlw_cook_weights)chosen;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_embedding) {
    tlw_recipe* recipe = object;
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, key, &chosen)) {
        return false;
    }
    recipe->cook.embedding = (tlw_cook_embedding)chosen;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_skinning) {
    tlw_recipe* recipe = object;
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, key, &chosen)) {
        return false;
    }
    recipe->cook.skinning = (tlw_skinning)chosen;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_memory) {
    tlw_recipe* recipe = object;
    uint32_t mebibytes;
    if (!tlw_recipe_integer(r, at, key->least, key->most, &mebibytes)) {
        return false;
    }
    recipe->cook.max_memory_bytes = (uint64_t)mebibytes << 20;
    return true;
}

tlw_recipe tlw_default_recipe(void) {
    return (tlw_recipe){.cook = tlw_default_cook_recipe(), .metres_per_unit = 1.0};
}

// One of a path and a text.
static tlw_result read_recipe(const char* path, const tlw_recipe_loader* loader, const void* bytes,
                              size_t size, tlw_recipe* out, tlw_recipe_error* error) {
    tlw_recipe_error unused;
    tlw_recipe_reader r = {out, error ? error : &unused, TLW_RECIPE_NOT_GIVEN, NULL, 1.0f};
    memset(r.error, 0, sizeof *r.error);
    *out = tlw_default_recipe();
    r.places = calloc(1, sizeof *r.places);
    json_t* kept = r.places ? json_array() : NULL;
    if (kept) {
        json_t* tree;
        r.places->kept = kept;
        if (path) {
            tree = tlw_recipe_unite(&r, path, loader);
        } else {
            r.places->file_count = 1;
            tree = tlw_recipe_parse(&r, 0, bytes, size);
        }
        const tlw_json root = {.value = tree};
        if (tree) {
            tlw_recipe_read_object(&r, &root, &tlw_recipe_keys, out);
        }
    } else {
        tlw_recipe_no_memory(&r);
    }
    if (r.error->result != TLW_OK) {
        tlw_recipe_free(out);
    }
    if (r.places) {
        free(r.places->values);
    }
    free(r.places);
    json_decref(kept);
    return r.error->result;
}

tlw_result tlw_recipe_read(const void* bytes, size_t size, tlw_recipe* out,
                           tlw_recipe_error* error) {
    return read_recipe(NULL, NULL, bytes, size, out, error);
}

tlw_result tlw_recipe_read_file(const char* path, const tlw_recipe_loader* loader, tlw_recipe* out,
                                tlw_recipe_error* error) {
    return read_recipe(path, loader, NULL, 0, out, error);
}
