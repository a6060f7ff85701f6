// SPDX-License-Identifier: MIT
// Walks the table of keys and says in words what each key takes, and which key a person means.
// README.md, `tallow-cook --explain` and the tests that compare them use it.
#include "tools/recipe/reader.h"

#include <string.h>

#define PATH_BYTES  128
#define TAKES_BYTES 256

static const char* const kind_words[] = {
#define KIND_WORDS(kind, words, read) words,
    TLW_RECIPE_KINDS(KIND_WORDS)
#undef KIND_WORDS
};

static void write_takes(const tlw_recipe_key* key, char text[TAKES_BYTES]) {
    char least[TLW_JSON_QUOTE_BYTES], most[TLW_JSON_QUOTE_BYTES];
    size_t used = tlw_json_append(text, TAKES_BYTES, 0, "%s",
                                  key->takes ? key->takes : kind_words[key->kind]);
    if (key->words || key->choices || key->most > 0) {
        used = tlw_json_append(text, TAKES_BYTES, used, ": ");
    }
    for (size_t i = 0; key->words && key->words[i]; ++i) {
        used = tlw_json_append(text, TAKES_BYTES, used, "%s%s", i > 0 ? ", " : "", key->words[i]);
    }
    if (key->choices) {
        tlw_recipe_append_choices(text, TAKES_BYTES, used, key->choices);
    } else if (key->most > 0) {
        tlw_json_append(text, TAKES_BYTES, used, "%s to %s",
                        tlw_recipe_show_number(key->least, least),
                        tlw_recipe_show_number(key->most, most));
    }
}

// `path` is that of the object, `used` its length. Recursion is as deep as the table nests.
static void visit_members(const tlw_recipe_key* object, char path[PATH_BYTES], size_t used,
                          tlw_recipe_visit* visit, void* user) {
    for (size_t i = 0; i < object->member_count; ++i) {
        const tlw_recipe_key* key = &object->members[i];
        size_t length = used;
        length = tlw_json_append(path, PATH_BYTES, length, "%s%s", used > 0 ? "." : "", key->name);
        if (key->meaning) {
            char takes[TAKES_BYTES];
            write_takes(key, takes);
            visit(&(tlw_recipe_key_info){path, takes, key->standard, key->meaning, key->instead_of},
                  user);
        }
        length = tlw_json_append(path, PATH_BYTES, length, "%s",
                                 key->kind == TLW_RECIPE_LIST ? "[]" : "");
        visit_members(key, path, length, visit, user);
    }
}

void tlw_recipe_for_each_key(tlw_recipe_visit* visit, void* user) {
    char path[PATH_BYTES] = "";
    visit_members(&tlw_recipe_keys, path, 0, visit, user);
}

// One step of a path: a name, or what is in brackets and quotes. Elements of lists are left out.
typedef struct path_step {
    const char* text;
    size_t length;
} path_step;

// False at the end of the path.
static bool next_step(const char** path, path_step* step) {
    const char* at = *path;
    while (*at == '.' || (*at == '[' && at[1] != '"')) {
        if (*at == '[') {
            at += strcspn(at, "]");
        }
        at += *at != 0;
    }
    if (*at == '[') {
        step->text = at + 2;
        step->length = strcspn(step->text, "\"");
        at = step->text + step->length;
        at += strcspn(at, "]");
        at += *at != 0;
    } else {
        step->text = at;
        step->length = strcspn(at, ".[");
        at += step->length;
    }
    *path = at;
    return step->length > 0;
}

tlw_recipe_match tlw_recipe_match_key(const char* path, const char* asked) {
    path_step own, wanted;
    bool is_any = false;
    while (next_step(&asked, &wanted)) {
        is_any = true;
        if (!next_step(&path, &own) ||
            ((own.length != 1 || own.text[0] != '*') &&
             (own.length != wanted.length || memcmp(own.text, wanted.text, own.length) != 0))) {
            return TLW_RECIPE_NO_MATCH;
        }
    }
    return !is_any                  ? TLW_RECIPE_NO_MATCH
           : next_step(&path, &own) ? TLW_RECIPE_BELOW
                                    : TLW_RECIPE_SAME;
}

const char* tlw_recipe_plain_text(const char* markdown, char* text, size_t bytes) {
    size_t used = 0;
    for (const char* at = markdown; *at && used + 1 < bytes; ++at) {
        const char* close = *at == '[' ? strstr(at, "](") : NULL;
        const char* end = close ? strchr(close, ')') : NULL;
        // "layers[].ratio" is no link: the bracket closes at once.
        if (end && close > at + 1 && !memchr(at + 1, ']', (size_t)(close - at - 1))) {
            for (++at; at < close && used + 1 < bytes; ++at) {
                text[used++] = *at;
            }
            at = end;
        } else {
            text[used++] = *at;
        }
    }
    text[used] = 0;
    return text;
}
