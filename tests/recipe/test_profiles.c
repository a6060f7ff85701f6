// SPDX-License-Identifier: MIT
// Profiles: what their presets become, and every mistake that a person can make in one. What the
// example's profiles become is in test_values.c, and how files unite theirs in test_extend.c.
#include "tests/recipe/mistakes.h"

// As MODEL 3.10 has it: the first layer after bone takes muscle's values, the last one skin's,
// layers between fat's. Layers that the profile names override it, in any order in the file.
TLW_TEST(recipe_preset_of_a_profile_is_for_layers_of_any_name) {
    tlw_recipe recipe = fixture_read(
        "{\"layers\": [{\"name\": \"core\"},"
        " {\"name\": \"a\", \"ratio\": 0.2, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"b\", \"ratio\": 0.4, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"c\", \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0}, {\"name\":"
        " \"hide\"}], \"profiles\": {\"p\": {\"layers\": {\"b\": {\"damping\": 0.75}},"
        " \"preset\": \"smurf\"}}}");
    static const float stiffness[] = {-1, 3.2f, 1.2f, 1.2f, 2.8f};
    static const float damping[] = {-1, 0.4f, 0.75f, 0.5f, 0.7f};
    static const float anchor_hz[] = {-1, 4, 1, 1, 1};
    for (int i = 0; i < 5; ++i) {
        CHECK_EQ(recipe.cook.profiles[0].parts[0].stiffness[i], stiffness[i]);
        CHECK_EQ(recipe.cook.profiles[0].parts[0].damping[i], damping[i]);
        CHECK_EQ(recipe.cook.profiles[0].parts[0].anchor_hz[i], anchor_hz[i]);
        CHECK_EQ(recipe.cook.profiles[0].parts[0].limit_scale[i], -1.0f);
    }
    tlw_recipe_free(&recipe);
    // The one layer after bone is the last one: skin.
    recipe = fixture_read("{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\"}],"
                          " \"profiles\": {\"p\": {\"preset\": \"smurf\"}}}");
    CHECK_EQ(recipe.cook.profiles[0].parts[0].stiffness[1], 2.8f);
    tlw_recipe_free(&recipe);
}

// 0 is a value like any other, also over a preset.
TLW_TEST(recipe_profile_takes_zeros) {
    tlw_recipe recipe = fixture_read(
        "{\"profiles\": {\"p\": {\"preset\": \"smurf\", \"layers\": {\"fat\": {\"stiffness\": 0,"
        " \"damping\": 0, \"anchor_hz\": 0, \"limit\": 0}}}}}");
    CHECK_EQ(recipe.cook.profiles[0].parts[0].stiffness[2], 0.0f);
    CHECK_EQ(recipe.cook.profiles[0].parts[0].damping[2], 0.0f);
    CHECK_EQ(recipe.cook.profiles[0].parts[0].anchor_hz[2], 0.0f);
    CHECK_EQ(recipe.cook.profiles[0].parts[0].limit_scale[2], 0.0f);
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_names_unknown_keys_of_profiles) {
    CHECK_MISTAKES(
        {"{\"profiles\": {\"a\": {\"pressed\": \"heavy\"}}}",
         "profiles.a.pressed: unknown key; did you mean \"preset\"? allowed: preset, layers, "
         "parts"},
        {"{\"profiles\": {\"a b\": {\"layers\": {\"fat\": {\"limits\": 1}}}}}",
         "profiles[\"a b\"].layers.fat.limits: unknown key; did you mean \"limit\"? allowed: "
         "stiffness, damping, anchor_hz, delta, limit"},
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"ratio\": 1}}}}}",
         "profiles.a.layers.fat.ratio: unknown key; allowed: stiffness, damping, anchor_hz, delta, "
         "limit"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\", \"layer\": {}}]}}}",
         "profiles.a.parts[0].layer: unknown key; did you mean \"layers\"? allowed: joint, "
         "layers"});
}

TLW_TEST(recipe_names_unknown_presets_and_layers_of_profiles) {
    CHECK_MISTAKES(
        {"{\"profiles\": {\"a\": {\"preset\": \"heavi\"}}}",
         "profiles.a.preset: \"heavi\" is not known; did you mean \"heavy\"? allowed: default, "
         "athletic, heavy, bunny, smurf, bloat, bloat-low, classic"},
        {"{\"profiles\": {\"a\": {\"layers\": {\"mucsle\": {}}}}}",
         "profiles.a.layers.mucsle: there is no such layer; did you mean \"muscle\"? allowed: "
         "bone, "
         "muscle, fat, skin"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\", \"layers\": {\"gland\": {}}}]}}}",
         "profiles.a.parts[0].layers.gland: there is no such layer; allowed: bone, muscle, fat, "
         "skin"});
}

TLW_TEST(recipe_names_numbers_of_profiles_out_of_range) {
    CHECK_MISTAKES(
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"delta\": 0}}}}}",
         "profiles.a.layers.fat.delta: a number above 0, up to 1, is expected, not 0"},
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"damping\": 2}}}}}",
         "profiles.a.layers.fat.damping: a number from 0 to 1 is expected, not 2"},
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"limit\": -1}}}}}",
         "profiles.a.layers.fat.limit: a number from 0 to 1000000000 is expected, not -1"},
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"limit\": 1.5e9}}}}}",
         "profiles.a.layers.fat.limit: a number from 0 to 1000000000 is expected, not "
         "1500000000.0"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\", \"layers\": {\"fat\":"
         " {\"anchor_hz\": 1001}}}]}}}",
         "profiles.a.parts[0].layers.fat.anchor_hz: a number from 0 to 1000 is expected, not "
         "1001"});
}

TLW_TEST(recipe_names_wrong_types_in_profiles) {
    CHECK_MISTAKES(
        {"{\"profiles\": []}",
         "profiles: an object with names of profiles is expected, not an array"},
        {"{\"profiles\": {\"a\": \"heavy\"}}", "profiles.a: an object is expected, not \"heavy\""},
        {"{\"profiles\": {\"a\": {\"layers\": []}}}",
         "profiles.a.layers: an object with names of layers is expected, not an array"},
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": 1}}}}",
         "profiles.a.layers.fat: an object is expected, not 1"},
        {"{\"profiles\": {\"a\": {\"parts\": {}}}}",
         "profiles.a.parts: an array of parts is expected, not an object"},
        {"{\"profiles\": {\"a\": {\"parts\": [1]}}}",
         "profiles.a.parts[0]: an object is expected, not 1"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": 1}]}}}",
         "profiles.a.parts[0].joint: a name is expected, not 1"});
}

TLW_TEST(recipe_names_contradictions_in_profiles) {
    CHECK_MISTAKES(
        {"{\"profiles\": {\"a\": {\"layers\": {\"fat\": {\"delta\": 1, \"anchor_hz\": 0}}}}}",
         "profiles.a.layers.fat.delta: anchor_hz is given as well; one of the two decides"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\", \"layers\": {\"fat\":"
         " {\"delta\": 1, \"anchor_hz\": 0}}}]}}}",
         "profiles.a.parts[0].layers.fat.delta: anchor_hz is given as well; one of the two "
         "decides"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"layers\": {}}]}}}",
         "profiles.a.parts[0].joint: missing; a name is expected"},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\"}, {\"joint\": \"x\"}]}}}",
         "profiles.a.parts[1].joint: \"x\" has a part here already, "
         "profiles.a.parts[0]"},
        {"{\"profiles\": {\"cooked\": {}}}",
         "profiles.cooked: cooked is the name of what the recipe says outside its profiles; choose "
         "another"},
        {"{\"profiles\": {\"\": {}}}", "profiles[\"\"]: a profile needs a name"},
        {"{\"profiles\": {\"0123456789012345678901234567890123456789012345678901234567890123\":"
         " {}}}",
         "profiles[\"012345678901234567890123456789012345678901234567890123456789...\"]: a name of "
         "64 "
         "bytes; 63 is the limit"});
}

TLW_TEST(recipe_refuses_more_than_255_profiles) {
    char text[8192];
    for (int count = 255; count <= 256; ++count) {
        size_t used = (size_t)sprintf(text, "{\"profiles\": {\"0\": {}");
        for (int i = 1; i < count; ++i) {
            used += (size_t)sprintf(text + used, ", \"%d\": {\"preset\": \"heavy\"}", i);
        }
        sprintf(text + used, "}}");
        if (count == 255) {
            tlw_recipe recipe = fixture_read(text);
            CHECK_EQ(recipe.cook.profile_count, 255);
            CHECK_STRING(recipe.cook.profiles[254].name, "254");
            tlw_recipe_free(&recipe);
        } else {
            check_refused(text, strlen(text), "profiles: 256 profiles; 255 is the limit");
        }
    }
}
