// SPDX-License-Identifier: MIT
// Shared by the recipe's tests: reading a recipe from text, and the example file that has every
// key.
#ifndef TLW_TESTS_RECIPE_RECIPE_FIXTURE_H
#define TLW_TESTS_RECIPE_RECIPE_FIXTURE_H

#include "tests/test.h"
#include "tools/recipe/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends with a zero; the caller frees it.
TLW_INLINE char* fixture_load(const char* name, size_t* size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_RECIPE_FOLDER, name);
    return tlw_test_read_text(path, size);
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
