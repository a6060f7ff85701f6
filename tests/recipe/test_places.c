// SPDX-License-Identifier: MIT
// Line and column of mistakes, and where a recipe gives a key.
#include "tests/recipe/recipe_fixture.h"

typedef struct mistake {
    const char* text;
    const char* message; // how the line begins
} mistake;

static void check_begins(const mistake* mistakes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        tlw_recipe recipe;
        tlw_recipe_error error;
        CHECK_RESULT(tlw_recipe_read(mistakes[i].text, strlen(mistakes[i].text), &recipe, &error),
                     TLW_ERROR_BAD_ARGUMENT);
        char start[sizeof error.message];
        snprintf(start, sizeof start, "%.*s", (int)strlen(mistakes[i].message), error.message);
        CHECK_STRING(start, mistakes[i].message);
    }
}

// A value's place is where it begins; an unknown key's is where the key begins; a missing one's is
// where the object begins that should have it.
TLW_TEST(recipe_gives_line_and_column_of_a_mistake) {
    static const mistake mistakes[] = {
        {"{\"resolution\": 1}", "1:16: resolution: an integer"},
        {"{\n\t\"resolution\"\n  :\n   1}", "4:4: resolution: an integer"},
        {"{\r\n  \"bone\": { }, \"resolution\": 1}", "2:30: resolution: an integer"},
        {"{\"bone\": {\"share\": [1,\n0]}}", "2:1: bone.share[1]: an integer"},
        {"{\n  \"a\": 1,\n  \"b\": 2}", "2:3: a: unknown key"},
        {"{\"parts\": [{\"joint\": \"\\\"]}\\u00e4\xC3\xA4\", \"layers\": {}},\n"
         " {\"joint\": \"\\\\\", \"layers\": {\"mucsle\": {}}}]}",
         "2:29: parts[1].layers.mucsle: there is no such layer"},
        {"{\"parts\": [{\"joint\": \"\xC3\xA4\xC3\xA4\", \"mirror\": 1}]}",
         "1:38: parts[0].mirror: true or false"},
        {"{\"parts\": [{},{ \"joint\": \"a\"}]}", "1:12: parts[0].joint: missing; a name"},
        {"{\"layers\": [{\"name\":\"bone\"},\n {\"name\":\"skin\"\n,\n\"damping\": -1.5e+3}]}",
         "4:12: layers[1].damping: a number from 0 to 1"},
        {"{\"firm\": [\"a\", null]}", "1:16: firm[1]: a name is expected, not null"},
        {"{\"firm\": [true, true]}", "1:11: firm[0]: a name is expected, not true"},
        {"{\"firm\": [\"a\", true, \"b\", true]}", "1:16: firm[1]: a name is expected, not true"},
        {"{\"joints\": {}, \"meshes\": {\"roles\": {\"left eye\": false}}}",
         "1:49: meshes.roles[\"left eye\"]: false is not known"},
        {"{\"limit\": {\"extent\": 0.1},\n\"limits\": {\"voxels\": 0}}", "2:22: limits.voxels: an"},
        {"{\"resolution\": 32,\n\"voxel_size\": 0.1}", "2:15: voxel_size: resolution is given"},
        {"{\"weights\": \"\"}", "1:13: weights: \"\" is not known"},
        {"{\"extend\": [1]}", "1:12: extend: a recipe that is not read from a file"},
    };
    check_begins(mistakes, TLW_COUNT_OF(mistakes));
}

TLW_TEST(recipe_knows_where_it_gives_a_key) {
    tlw_recipe recipe =
        fixture_read("{\"limits\": {\n  \"voxels\": 10},\n"
                     "\"firm\": [\"a\", \"b\"],\n"
                     "\"meshes\": {\"roles\": {\"x\": \"ride\", \"y\": \"ride\"}},\n"
                     "\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": "
                     "{\"damping\": 0}}}]}");
    CHECK_STRING(tlw_recipe_place(&recipe, "limits.voxels"), "2:13: limits.voxels");
    CHECK_STRING(tlw_recipe_place(&recipe, "firm[1]"), "3:15: firm[1]");
    CHECK_STRING(tlw_recipe_place(&recipe, "meshes.roles[1]"), "4:40: meshes.roles.y");
    CHECK_STRING(tlw_recipe_place(&recipe, "parts[0].joint"), "5:21: parts[0].joint");
    CHECK_STRING(tlw_recipe_place(&recipe, "parts[0].layers.fat.damping"),
                 "5:56: parts[0].layers.fat.damping");
    CHECK_EQ(tlw_recipe_place(&recipe, "limits.memory_mb"), NULL);
    CHECK_EQ(tlw_recipe_place(&recipe, "parts"), NULL);
    CHECK_EQ(tlw_recipe_place(&recipe, ""), NULL);
    tlw_recipe_free(&recipe);
    recipe = tlw_default_recipe();
    CHECK_EQ(tlw_recipe_place(&recipe, "limits.voxels"), NULL);
}
