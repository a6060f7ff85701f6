// SPDX-License-Identifier: MIT
// `tallow-cook --explain KEY`: what the table of recipe keys says of a key, and which keys a person
// may have meant.
#include "tools/cook/command.h"
#include "tools/recipe/nearest.h"

#include <stdio.h>
#include <string.h>

#define WIDTH      92 // columns of a wrapped text
#define TEXT_BYTES 2048
#define NEAR_MAX   12

typedef struct search {
    const char* asked;
    tlw_recipe_match wanted; // NO_MATCH: all keys
    int found;
} search;

// Breaks lines between words.
static void print_wrapped(const char* text) {
    size_t column = 0;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            column = 0;
            printf("\n");
        }
        column += (size_t)printf("%s%.*s", column > 0 ? " " : "    ", (int)length, text);
        text += length + (text[length] == ' ');
    }
    printf("\n");
}

static void explain(const tlw_recipe_key_info* key, void* user) {
    search* s = user;
    char text[TEXT_BYTES];
    if (s->wanted != TLW_RECIPE_NO_MATCH &&
        tlw_recipe_match_key(key->path, s->asked) != s->wanted) {
        return;
    }
    printf("%s%s\n    takes:   %s\n    default: %s\n", s->found > 0 ? "\n" : "", key->path,
           key->takes, key->standard);
    print_wrapped(tlw_recipe_plain_text(key->meaning, text, sizeof text));
    s->found += 1;
}

static void list(const tlw_recipe_key_info* key, void* user) {
    search* s = user;
    if (tlw_recipe_match_key(key->path, s->asked) == s->wanted) {
        s->found += 1;
        printf("%-40s %s\n", key->path, key->takes);
    }
}

// The last name in a path: ratio of layers[].ratio.
static const char* last_name(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

// Keys that are spelled nearly like the one asked for, as a whole or in their last name, and keys
// that contain it.
static void list_near(const tlw_recipe_key_info* key, void* user) {
    search* s = user;
    tlw_nearest whole = {.word = s->asked}, last = {.word = last_name(s->asked)};
    tlw_nearest_try(&whole, key->path);
    tlw_nearest_try(&last, last_name(key->path));
    if (s->found < NEAR_MAX && (whole.best || last.best || strstr(key->path, s->asked))) {
        fprintf(stderr, "%s%s", s->found > 0 ? ", " : "; did you mean one of: ", key->path);
        s->found += 1;
    }
}

bool tlw_cook_explain(const char* asked) {
    search same = {asked, TLW_RECIPE_SAME, 0}, below = {asked, TLW_RECIPE_BELOW, 0};
    search near = {asked, TLW_RECIPE_NO_MATCH, 0};
    if (strcmp(asked, "all") == 0) {
        tlw_recipe_for_each_key(explain, &near); // every key
        return true;
    }
    tlw_recipe_for_each_key(explain, &same);
    tlw_recipe_for_each_key(list, &below); // a list is a key of its own and holds others
    if (same.found + below.found > 0) {
        return true;
    }
    fprintf(stderr, "tallow-cook: a recipe has no key '%s'", asked);
    tlw_recipe_for_each_key(list_near, &near);
    fprintf(stderr, "%s\n", near.found > 0 ? "?" : "; --explain all lists every key");
    return false;
}
