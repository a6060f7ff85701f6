// SPDX-License-Identifier: MIT
// Shared by tests of what is wrong with a recipe: a text, and the line that it must be refused
// with.
#ifndef TLW_TESTS_RECIPE_MISTAKES_H
#define TLW_TESTS_RECIPE_MISTAKES_H

#include "tests/recipe/recipe_fixture.h"

typedef struct mistake {
    const char* text;
    const char* message; // the line, without its position unless it begins with one
} mistake;

TLW_INLINE const char* skip_position(const char* message) {
    const size_t line = strspn(message, "0123456789");
    const size_t column = strspn(message + line + (message[line] == ':'), "0123456789");
    const char* rest = message + line + 1 + column;
    return line > 0 && column > 0 && strncmp(rest, ": ", 2) == 0 ? rest + 2 : NULL;
}

TLW_INLINE void check_refused(const char* text, size_t size, const char* message) {
    tlw_recipe recipe;
    tlw_recipe_error error;
    const tlw_result result = tlw_recipe_read(text, size, &recipe, &error);
    CHECK(skip_position(error.message) != NULL);
    CHECK_STRING(skip_position(message) ? error.message : skip_position(error.message), message);
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(recipe.memory, NULL);
    CHECK_EQ(recipe.cook.cookie, 0);
    CHECK_RESULT(tlw_recipe_read(text, size, &recipe, NULL), TLW_ERROR_BAD_ARGUMENT);
}

TLW_INLINE void check_mistakes(const mistake* mistakes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        check_refused(mistakes[i].text, strlen(mistakes[i].text), mistakes[i].message);
    }
}

#define CHECK_MISTAKES(...)                               \
    do {                                                  \
        static const mistake mistakes[] = {__VA_ARGS__};  \
        check_mistakes(mistakes, TLW_COUNT_OF(mistakes)); \
    } while (0)

#endif
