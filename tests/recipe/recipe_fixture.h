// SPDX-License-Identifier: MIT
// What the recipe's tests share: reading a text, and the example that has every key.
#ifndef TLW_TESTS_RECIPE_RECIPE_FIXTURE_H
#define TLW_TESTS_RECIPE_RECIPE_FIXTURE_H

#include "platform/file.h"
#include "tests/test.h"
#include "tools/recipe/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TLW_INLINE void* fixture_grow(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)old_bytes;
    (void)user;
    if (new_bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_bytes);
}

// With a zero at its end. The caller frees it.
TLW_INLINE char* fixture_load(const char* name, size_t* size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_RECIPE_FOLDER, name);
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.limit_bytes = 1 << 20;
    def.grow = fixture_grow;
    uint8_t* bytes = NULL;
    CHECK_OK(tlw_file_read(&def, &bytes, size, NULL));
    char* text = realloc(bytes, *size + 1);
    CHECK(text != NULL);
    text[*size] = 0;
    return text;
}

TLW_INLINE tlw_recipe fixture_read(const char* text) {
    tlw_recipe recipe;
    tlw_recipe_error error;
    tlw_recipe_read(text, strlen(text), &recipe, &error);
    CHECK_STRING(error.message, "");
    CHECK_EQ(error.result, TLW_OK);
    return recipe;
}

#endif
