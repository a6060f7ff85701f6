// SPDX-License-Identifier: MIT
// Walks the tables of keys and says in words what each key takes. Reads tlw_recipe_schema. The test
// that compares README.md and example.json with the parser uses it.
#include "tools/recipe/reader.h"

#include <string.h>

#define PATH_BYTES  128
#define TAKES_BYTES 256

static void write_takes(const tlw_recipe_key* key, char text[TAKES_BYTES]) {
    char least[TLW_JSON_QUOTE_BYTES], most[TLW_JSON_QUOTE_BYTES];
    size_t used = tlw_json_append(text, TAKES_BYTES, 0, "%s", key->takes);
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

// `path` is that of the object, `used` its length. Recursion is as deep as the schema nests.
static void visit_members(const tlw_recipe_key* object, char path[PATH_BYTES], size_t used,
                          tlw_recipe_visit* visit, void* user) {
    for (size_t i = 0; i < object->member_count; ++i) {
        const tlw_recipe_key* key = &object->members[i];
        size_t length = used;
        length = tlw_json_append(path, PATH_BYTES, length, "%s%s", used > 0 ? "." : "", key->name);
        if (key->takes) {
            char takes[TAKES_BYTES];
            write_takes(key, takes);
            visit(&(tlw_recipe_key_info){path, takes, key->instead_of}, user);
        }
        length = tlw_json_append(path, PATH_BYTES, length, "%s", key->is_list ? "[]" : "");
        visit_members(key, path, length, visit, user);
    }
}

void tlw_recipe_for_each_key(tlw_recipe_visit* visit, void* user) {
    char path[PATH_BYTES] = "";
    visit_members(&tlw_recipe_schema, path, 0, visit, user);
}
