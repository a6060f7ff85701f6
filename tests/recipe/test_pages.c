// SPDX-License-Identifier: MIT
// The files that are made from the table of keys: the tables of README.md, its copy of the example,
// and the JSON schema. TLW_WRITE_PAGES=1 (tools/dev recipe) writes them instead of comparing them.
// Also what the example, the defaults and the paths of keys have to do with the table.
#include "tests/recipe/recipe_fixture.h"
#include "tests/recipe/schema_check.h"

#include "platform/file.h"

typedef struct page {
    char text[1 << 17];
    size_t used;
    const char* end; // first key of the next table, or null
    const char* first;
    bool is_inside;
} page;

static void add(page* p, const char* text, size_t length) {
    CHECK_LT(p->used + length, sizeof p->text);
    memcpy(p->text + p->used, text, length);
    p->used += length;
    p->text[p->used] = 0;
}

static void add_text(page* p, const char* text) {
    add(p, text, strlen(text));
}

static void add_row(const tlw_recipe_key_info* key, void* user) {
    page* p = user;
    p->is_inside = p->is_inside || strcmp(key->path, p->first) == 0;
    if (p->end && strcmp(key->path, p->end) == 0) {
        p->is_inside = false;
        p->first = "";
    }
    if (p->is_inside) {
        const char* cells[] = {"| `",         key->path, "` | ",       key->takes, " | ",
                               key->standard, " | ",     key->meaning, " |\n"};
        for (size_t i = 0; i < TLW_COUNT_OF(cells); ++i) {
            add_text(p, cells[i]);
        }
    }
}

static const char table_start[] = "<!-- keys from ", table_end[] = "<!-- end of keys -->";
static const char example_start[] = "<!-- example.json -->\n",
                  example_end[] = "<!-- end of example.json -->";

// The key that the next table begins with, as a copy, or null. The caller frees it.
static char* next_first(const char* text) {
    const char* found = strstr(text, table_start);
    if (!found) {
        return NULL;
    }
    found += strlen(table_start);
    const size_t length = strcspn(found, " ");
    char* key = calloc(length + 1, 1);
    CHECK(key != NULL);
    return memcpy(key, found, length);
}

// README.md with its tables and its example as they should be. Every key stands in the table of the
// nearest marker before it, so that no list says which key belongs where.
static void make_readme(const char* old, page* p) {
    const char* at = old;
    size_t size;
    for (const char* marker; (marker = strstr(at, table_start)) != NULL;) {
        const char* line_end = strchr(marker, '\n') + 1;
        char *first = next_first(marker), *end = next_first(line_end);
        const size_t used = p->used;
        add(p, at, (size_t)(line_end - at));
        add_text(p,
                 "\n| Key | Takes | Default | Meaning and reason |\n| --- | --- | --- | --- |\n");
        p->first = first;
        p->end = end;
        p->is_inside = false;
        tlw_recipe_for_each_key(add_row, p);
        CHECK_LT(used + 100, p->used);
        add_text(p, "\n");
        free(first);
        free(end);
        at = strstr(line_end, table_end);
        CHECK(at != NULL);
    }
    const char* marker = strstr(at, example_start);
    CHECK(marker != NULL);
    marker += strlen(example_start);
    add(p, at, (size_t)(marker - at));
    char* example = fixture_load("example.json", &size);
    add_text(p, "\n```json\n");
    add_text(p, example);
    add_text(p, "```\n\n");
    free(example);
    at = strstr(marker, example_end);
    CHECK(at != NULL);
    add_text(p, at);
}

static void check_page(const char* name, const char* text) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_RECIPE_FOLDER, name);
    if (getenv("TLW_WRITE_PAGES")) {
        CHECK_OK(tlw_file_replace(path, text, strlen(text), NULL));
        return;
    }
    char* old = fixture_load(name, NULL);
    if (strcmp(old, text) != 0) {
        size_t line = 1;
        for (size_t i = 0; old[i] && old[i] == text[i]; ++i) {
            line += old[i] == '\n';
        }
        tlw_test_fail(path, (int)line, "not what the table of keys says; run: tools/dev recipe");
    }
    free(old);
}

TLW_TEST(recipe_pages_readme_is_what_the_table_of_keys_says) {
    page* p = calloc(1, sizeof *p);
    CHECK(p != NULL);
    char* old = fixture_load("README.md", NULL);
    make_readme(old, p);
    check_page("README.md", p->text);
    free(old);
    free(p);
}

TLW_TEST(recipe_pages_schema_is_what_the_table_of_keys_says) {
    char* schema = tlw_recipe_make_schema();
    CHECK(schema != NULL);
    char* text = calloc(strlen(schema) + 2, 1);
    CHECK(text != NULL);
    sprintf(text, "%s\n", schema);
    check_page("recipe.schema.json", text);
    free(text);
    free(schema);
}

static void count_row(const tlw_recipe_key_info* key, void* user) {
    char* readme = user;
    char row[256];
    snprintf(row, sizeof row, "\n| `%s` | ", key->path);
    const char* found = strstr(readme, row);
    CHECK_CONTAINS(readme, row);
    CHECK(strstr(found + 1, row) == NULL);
    CHECK(key->standard[0] != 0 && strlen(key->meaning) > 10);
    CHECK(strchr(key->meaning, '|') == NULL && strchr(key->meaning, '\n') == NULL);
}

TLW_TEST(recipe_readme_documents_every_key_once) {
    char* readme = fixture_load("README.md", NULL);
    tlw_recipe_for_each_key(count_row, readme);
    free(readme);
}

// A key without a list or a chosen name, whose default is a value, written out: nothing may change.
static void repeat_default(const tlw_recipe_key_info* key, void* user) {
    static const char* const not_values[] = {"none", "all", "required"};
    char text[512];
    const bool is_array = key->standard[0] == '[';
    bool is_value =
        strpbrk(key->path, "[*$") == NULL && (is_array || strchr(key->standard, ' ') == NULL);
    for (size_t i = 0; i < TLW_COUNT_OF(not_values); ++i) {
        is_value = is_value && strcmp(key->standard, not_values[i]) != 0;
    }
    if (!is_value) {
        return;
    }
    const bool is_word = !is_array && strspn(key->standard, "0123456789.") == 0 &&
                         strcmp(key->standard, "true") != 0 && strcmp(key->standard, "false") != 0;
    const char* quote = is_word ? "\"" : "";
    size_t used = 0, depth = 0;
    for (const char* at = key->path; at; ++depth) {
        const char* dot = strchr(at, '.');
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "{\"%.*s\": ", (int)strcspn(at, "."), at);
        at = dot ? dot + 1 : NULL;
    }
    snprintf(text + used, sizeof text - used, "%s%s%s%.*s", quote, key->standard, quote, (int)depth,
             "}}}}}}}}");
    tlw_recipe recipe = fixture_read(text);
    fixture_check_defaults(&recipe);
    tlw_recipe_free(&recipe);
    *(int*)user += 1;
}

TLW_TEST(recipe_documented_defaults_are_the_defaults) {
    int count = 0;
    tlw_recipe_for_each_key(repeat_default, &count);
    CHECK_EQ(count, 36);
}

TLW_TEST(recipe_keys_are_found_as_messages_and_people_spell_them) {
    static const struct {
        const char *path, *asked;
        tlw_recipe_match match;
    } cases[] = {
        {"resolution", "resolution", TLW_RECIPE_SAME},
        {"parts[].layers.*.ratio", "parts[2].layers.fat.ratio", TLW_RECIPE_SAME},
        {"parts[].layers.*.ratio", "parts[].layers.*.ratio", TLW_RECIPE_SAME},
        {"parts[].layers.*.ratio", "parts.layers.fat.ratio", TLW_RECIPE_SAME},
        {"parts[].layers.*.ratio", "parts[0].layers[\"left [x] fat\"].ratio", TLW_RECIPE_SAME},
        {"parts[].layers.*.ratio", "parts", TLW_RECIPE_BELOW},
        {"parts[].layers.*.ratio", "parts[1].layers", TLW_RECIPE_BELOW},
        {"parts[].layers.*.ratio", "parts[1].layers.fat.damping", TLW_RECIPE_NO_MATCH},
        {"parts[].layers.*.ratio", "part", TLW_RECIPE_NO_MATCH},
        {"limit.extent", "limits", TLW_RECIPE_NO_MATCH},
        {"limit.extent", "limit.extent.x", TLW_RECIPE_NO_MATCH},
        {"limit.extent", "", TLW_RECIPE_NO_MATCH},
        {"limit.extent", "[", TLW_RECIPE_NO_MATCH},
        {"$schema", "$schema", TLW_RECIPE_SAME},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        CHECK_EQ(tlw_recipe_match_key(cases[i].path, cases[i].asked), cases[i].match);
    }
    char text[64];
    CHECK_STRING(tlw_recipe_plain_text("see [MODEL 3](../x.md), `layers[].ratio` (y)", text, 64),
                 "see MODEL 3, `layers[].ratio` (y)");
    CHECK_STRING(tlw_recipe_plain_text("[MODEL 3](../x.md)", text, 4), "MOD");
}

// The schema

static bool fits(const char* text) {
    json_error_t error;
    char* schema_text = fixture_load("recipe.schema.json", NULL);
    json_t *schema = json_loads(schema_text, JSON_REJECT_DUPLICATES, &error),
           *value = json_loads(text, 0, &error);
    CHECK(schema != NULL && value != NULL);
    const bool is_valid = schema_check(schema, schema, value);
    json_decref(schema);
    json_decref(value);
    free(schema_text);
    return is_valid;
}

TLW_TEST(recipe_schema_takes_the_example) {
    char* example = fixture_load("example.json", NULL);
    CHECK(fits(example));
    CHECK(fits("{}"));
    CHECK(fits("{\"extend\": \"a.json\"}"));
    CHECK(fits("{\"extend\": [\"a.json\", \"b.json\"]}"));
    CHECK(fits("{\"bone\": {\"radius\": 2}, \"firm\": \"auto\", \"voxel_size\": 0.02}"));
    CHECK(fits("{\"cuts\": [{\"joints\": [\"a\", \"b\"], \"cut\": true}]}"));
    CHECK(fits("{\"delta\": 1e-9, \"volume\": {\"reach\": 0}, \"skinning\": \"linear\"}"));
    CHECK(fits("{\"limbs\": false, \"rest_gravity\": [-1e6, 0, 9.81]}"));
    CHECK(fits("{\"profiles\": {\"a\": {}, \"b\": {\"layers\": {\"fat\": {\"delta\": 1}}}}}"));
    free(example);
}

TLW_TEST(recipe_schema_refuses_what_the_parser_refuses) {
    static const char* const texts[] = {
        "{\"resolutoin\": 32}",
        "{\"resolution\": 1}",
        "{\"resolution\": 48.5}",
        "{\"resolution\": \"48\"}",
        "{\"resolution\": 48, \"voxel_size\": 0.1}",
        "{\"region_width\": 4}",
        "{\"weights\": \"artits\"}",
        "{\"bone\": {\"share\": 1.5}}",
        "{\"bone\": {\"share\": [1]}}",
        "{\"bone\": {\"share\": [1, 0]}}",
        "{\"bone\": {\"share\": [1, 2, 3]}}",
        "{\"bone\": {\"share\": 0.3, \"radius\": 2}}",
        "{\"layers\": [{\"name\": \"bone\"}]}",
        "{\"layers\": [{\"name\": \"bone\"}, {\"stiffness\": 1}]}",
        "{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"\"}]}",
        "{\"parts\": [{\"mirror\": true}]}",
        "{\"parts\": [{\"joint\": \"a\", \"mirror\": 1}]}",
        "{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"damping\": 2}}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"colour\": 2}}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"bone\": {\"share\": 0.1, \"radius\": 1}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"limit\": {\"extent\": 0}}]}",
        "{\"heat\": [{\"strength\": 1}]}",
        "{\"limbs\": 1}",
        "{\"rest_gravity\": -9.81}",
        "{\"rest_gravity\": [0, -9.81]}",
        "{\"rest_gravity\": [0, -9.81, 0, 0]}",
        "{\"rest_gravity\": [0, \"-9.81\", 0]}",
        "{\"rest_gravity\": [0, 1e7, 0]}",
        "{\"volume\": 0.5}",
        "{\"volume\": {\"reach\": -0.1}}",
        "{\"volume\": {\"reach\": 10.5}}",
        "{\"skinning\": \"Dual\"}",
        "{\"delta\": 0}",
        "{\"delta\": 1.5}",
        "{\"delta\": 0.9, \"anchor_hz\": 3}",
        ("{\"layers\": [{\"name\": \"bone\"},"
         " {\"name\": \"skin\", \"anchor_hz\": 3, \"delta\": 0.9}]}"),
        "{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"delta\": 0}}}]}",
        "{\"profiles\": []}",
        "{\"profiles\": {\"a\": 1}}",
        "{\"profiles\": {\"a\": {\"preset\": \"Heavy\"}}}",
        "{\"profiles\": {\"a\": {\"mirror\": true}}}",
        "{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"limit\": -1}}}}}",
        "{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"ratio\": 0.5}}}}}",
        "{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"delta\": 0.9, \"anchor_hz\": 3}}}}}",
        "{\"profiles\": {\"a\": {\"parts\": [{\"layers\": {}}]}}}",
        "{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\", \"bone\": {}}]}}}",
        "{\"heat\": [{\"joint\": \"a\", \"strength\": 0}]}",
        "{\"firm\": \"Auto\"}",
        "{\"firm\": [\"a\", \"a\"]}",
        "{\"cuts\": [{\"cut\": true}]}",
        "{\"cuts\": [{\"joints\": [\"a\", \"a\"]}]}",
        "{\"cuts\": [{\"joints\": [\"a\", \"b\"], \"cut\": \"some\"}]}",
        "{\"cuts\": [{\"joints\": [\"a\", \"b\"], \"cut\": 1}]}",
        "{\"paint\": {\"fat\": \"\"}}",
        "{\"paint\": {\"fat\": 1}}",
        "{\"paint\": {\"colour\": \"_FAT\"}}",
        "{\"meshes\": {\"roles\": {\"a\": \"voxelize\"}}}",
        "{\"joints\": {\"include\": \"hips\"}}",
        "{\"extend\": 1}",
        "{\"$schema\": 1}",
    };
    for (size_t i = 0; i < TLW_COUNT_OF(texts); ++i) {
        tlw_recipe recipe;
        CHECK(!fits(texts[i]));
        CHECK_RESULT(tlw_recipe_read(texts[i], strlen(texts[i]), &recipe, NULL),
                     TLW_ERROR_BAD_ARGUMENT);
    }
}

// The schema is not stricter than the parser: whatever it takes of the damaged example, the schema
// takes too.
TLW_TEST(recipe_schema_takes_what_the_parser_takes) {
    static const char bytes[] = "019-.e \"[]{},x";
    json_error_t error;
    size_t size, taken = 0;
    char* text = fixture_load("example.json", &size);
    char* schema_text = fixture_load("recipe.schema.json", NULL);
    json_t* schema = json_loads(schema_text, 0, &error);
    CHECK(schema != NULL);
    // A sample, because time grows with the square of the example.
    const size_t stride = getenv("TLW_TEST_FULL") != NULL ? 1 : 5;
    for (size_t i = 0; i < size; i += stride) {
        const char old = text[i];
        for (size_t k = 0; k + 1 < sizeof bytes; ++k) {
            tlw_recipe recipe;
            text[i] = bytes[k];
            if (tlw_recipe_read(text, size, &recipe, NULL) == TLW_OK) {
                json_t* value = json_loads(text, 0, &error);
                if (!schema_check(schema, schema, value)) {
                    tlw_test_fail(__FILE__, __LINE__, "the schema refuses '%c' at byte %zu of %s",
                                  bytes[k], i, text);
                }
                json_decref(value);
                tlw_recipe_free(&recipe);
                taken += 1;
            }
        }
        text[i] = old;
    }
    CHECK_LT(500 / stride, taken);
    json_decref(schema);
    free(schema_text);
    free(text);
}
