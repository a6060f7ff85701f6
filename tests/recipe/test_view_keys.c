// SPDX-License-Identifier: MIT
// What the viewer keeps in a recipe: read, refused by name, united with what the recipe extends,
// saved, and of no concern to the cooker.
#include "tests/recipe/mistakes.h"
#include "tools/recipe/save.h"

#include "tests/cook/support/cook_scenes.h"

TLW_TEST(recipe_view_reaches_every_field) {
    char* text = fixture_load("example.json", NULL);
    tlw_recipe recipe = fixture_read(text);
    const tlw_recipe_view* v = &recipe.view;
    free(text);
    CHECK_EQ(v->gravity[1], -9.81f);
    CHECK_EQ(v->wind[0], 2.0f);
    CHECK_EQ(v->wind[2], 0.5f);
    CHECK_EQ(v->wind_drag, 0.4f);
    CHECK_EQ(v->time_scale, 0.5f);
    CHECK_EQ(v->rotation_iterations, 3);
    CHECK_EQ(v->repeats, 2);
    CHECK(!v->skinned_volume);
    CHECK(!v->own_limbs);
    CHECK(v->has_filter);
    CHECK_EQ(v->cutoff_hz, 2.0f);
    CHECK_EQ(v->hz_per_speed, 4.0f);
    CHECK_EQ(v->hz_per_turn, 5.0f);
    CHECK_EQ(v->tension_count, 2);
    CHECK_STRING(v->tensions[0].muscle, "biceps.L");
    CHECK_EQ(v->tensions[0].tension, 0.75f);
    CHECK_EQ(v->tensions[1].tension, 0.25f);
    CHECK_EQ(v->part_count, 2);
    CHECK_EQ(v->parts[0].joint, NULL);
    CHECK_EQ(v->parts[0].limit_scale[3], 0.5f);
    CHECK_EQ(v->parts[0].limit_scale[4], -1.0f);
    CHECK_STRING(v->parts[1].joint, "belly");
    CHECK_EQ(v->parts[1].limit_scale[3], 2.0f);
    CHECK_EQ(v->parts[1].limit_scale[4], 3.0f);
    CHECK_STRING(v->profile, "tense");
    CHECK_STRING(v->clip, "run");
    CHECK(!v->root_motion);
    CHECK_EQ(v->noise_mm, 12.0f);
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_view_tells_what_was_given) {
    tlw_recipe recipe = fixture_read("{\"view\": {\"repeats\": 2, \"filter\": {\"on\": true}}}");
    CHECK_STRING(tlw_recipe_place(&recipe, "view.repeats"), "1:22: view.repeats");
    CHECK(tlw_recipe_place(&recipe, "view.filter.on") != NULL);
    CHECK_EQ(tlw_recipe_place(&recipe, "view.filter.cutoff_hz"), NULL);
    CHECK_EQ(tlw_recipe_place(&recipe, "view.gravity"), NULL);
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_names_every_mistake_in_view) {
    CHECK_MISTAKES(
        {"{\"view\": 1}", "view: an object is expected, not 1"},
        {"{\"view\": []}", "view: an object is expected, not an array"},
        {"{\"view\":\n {\"gravty\": 1}}",
         "2:3: view.gravty: unknown key; did you mean \"gravity\"? allowed: gravity, wind, "
         "wind_drag, time_scale, rotation_iterations, repeats, skinned_volume, own_limbs, filter, "
         "tensions, layers, parts, profile, clip, root_motion, noise_mm"},
        {"{\"view\": {\"gravity\": -9.81}}",
         "view.gravity: an array of three numbers is expected, not -9.81"},
        {"{\"view\": {\"wind\": [0, 1e7, 0]}}",
         "view.wind[1]: a number from -1000000 to 1000000 is expected, not 10000000.0"},
        {"{\"view\": {\"time_scale\": 11}}",
         "view.time_scale: a number from 0 to 10 is expected, not 11"},
        {"{\"view\": {\"rotation_iterations\": 0}}",
         "view.rotation_iterations: an integer from 1 to 4 is expected, not 0"},
        {"{\"view\": {\"repeats\": 9}}", "view.repeats: an integer from 1 to 8 is expected, not 9"},
        {"{\"view\": {\"own_limbs\": 1}}", "view.own_limbs: true or false is expected, not 1"},
        {"{\"view\": {\"filter\": true}}", "view.filter: an object is expected, not true"},
        {"{\"view\": {\"filter\": {\"cutoff\": 1}}}",
         "view.filter.cutoff: unknown key; did you mean \"cutoff_hz\"? allowed: on, cutoff_hz, "
         "hz_per_speed, hz_per_turn"},
        {"{\"view\": {\"tensions\": [1]}}",
         "view.tensions: an object with names of muscles is expected, not an array"},
        {"{\"view\": {\"tensions\": {\"a\": 1.5}}}",
         "view.tensions.a: a number from 0 to 1 is expected, not 1.5"},
        {"{\"view\": {\"layers\": {\"fatt\": {}}}}",
         "view.layers.fatt: there is no such layer; did you mean \"fat\"? allowed: bone, muscle, "
         "fat, skin"},
        {"{\"view\": {\"layers\": {\"fat\": {\"stiffness\": 1}}}}",
         "view.layers.fat.stiffness: unknown key; allowed: limit"},
        {"{\"view\": {\"layers\": {\"fat\": {\"limit\": -1}}}}",
         "view.layers.fat.limit: a number from 0 to 1000000000 is expected, not -1"},
        {"{\"view\": {\"parts\": {}}}", "view.parts: an array of parts is expected, not an object"},
        {"{\"view\": {\"parts\": [{\"layers\": {}}]}}",
         "view.parts[0].joint: missing; a name is expected"},
        {"{\"view\": {\"parts\": [{\"joint\": \"x\"}, {\"joint\": \"x\"}]}}",
         "view.parts[1].joint: \"x\" has a part here already, view.parts[0]"},
        {"{\"profiles\": {\"tense\": {}}, \"view\": {\"profile\": \"tens\"}}",
         "view.profile: \"tens\" is no profile; did you mean \"tense\"? allowed: cooked, tense"},
        {"{\"view\": {\"clip\": 1}}", "view.clip: a name is expected, not 1"},
        {"{\"view\": {\"noise_mm\": 61}}",
         "view.noise_mm: a number from 0 to 60 is expected, not 61"});
}

// ---- Saving

typedef struct files {
    const char *base, *hero, *text; // what "base.json", "hero.json" and "new.json" hold
    char messages[1024];
} files;

static tlw_result load(const char* path, const void** bytes, size_t* size,
                       char why[TLW_RECIPE_WHY_BYTES], void* user) {
    const files* f = user;
    const char* text = strstr(path, "base") ? f->base : strstr(path, "new") ? f->text : f->hero;
    (void)why;
    *bytes = text;
    *size = strlen(text);
    return TLW_OK;
}

static void leave_out(const tlw_recipe_change* change, const char* why, void* user) {
    files* f = user;
    (void)change;
    strncat(f->messages, why, sizeof f->messages - strlen(f->messages) - 2);
    strcat(f->messages, "\n");
}

static void check_saved(files f, const tlw_recipe_change* changes, size_t count, const char* wanted,
                        const char* messages) {
    const tlw_recipe_loader loader = {load, NULL, &f};
    const tlw_recipe_save_def def = {.from = "hero.json",
                                     .to = "new.json",
                                     .loader = &loader,
                                     .changes = changes,
                                     .change_count = (uint32_t)count,
                                     .leave_out = leave_out,
                                     .user = &f};
    char* text;
    size_t size;
    tlw_recipe_error error;
    tlw_recipe now;
    (void)tlw_recipe_save(&def, &text, &size, &error);
    CHECK_STRING(error.message, "");
    CHECK_STRING(text, wanted);
    CHECK_STRING(f.messages, messages);
    f.text = text;
    (void)tlw_recipe_read_file("new.json", &loader, &now, &error);
    CHECK_STRING(error.message, "");
    tlw_recipe_free(&now);
    free(text);
}

TLW_TEST(save_keeps_in_view_what_is_not_cooked) {
    static const float gravity[3] = {0.1f, -9.81f, 0.0f};
    static const tlw_recipe_change changes[] = {
        {.key = "view.gravity", .vector = gravity},
        {.key = "view.wind_drag", .number = (double)0.7f},
        {.key = "view.repeats", .number = 3},
        {.key = "view.own_limbs", .number = 0},
        {.key = "view.filter.on", .number = 1},
        {.key = "view.filter.cutoff_hz", .number = 2.5},
        {.key = "view.clip", .text = "run \"2\""},
        {.muscle = "biceps.L", .number = (double)0.3f},
        {.layer = "fat", .key = "limit", .number = 2},
        {.part = "a", .layer = "skin", .key = "limit", .number = 0.5},
    };
    check_saved((files){.hero = "{}"}, changes, TLW_COUNT_OF(changes),
                "{\"view\": {\"gravity\": [0.1, -9.81, 0], \"wind_drag\": 0.7, \"repeats\": 3, "
                "\"own_limbs\": false, \"filter\": {\"on\": true, \"cutoff_hz\": 2.5}, \"clip\": "
                "\"run \\\"2\\\"\", \"tensions\": {\"biceps.L\": 0.3}, \"layers\": {\"fat\": "
                "{\"limit\": 2}}, \"parts\": [{\"joint\": \"a\", \"layers\": {\"skin\": "
                "{\"limit\": 0.5}}}]}}",
                "");
    check_saved((files){.base = "{\"view\": {\"repeats\": 2, \"tensions\": {\"a\": 1}}}",
                        .hero = "{\"extend\": \"base.json\",\n  \"view\": {\"repeats\": 5}\n}"},
                changes + 2, 1, "{\"extend\": \"base.json\",\n  \"view\": {\"repeats\": 3}\n}", "");
}

TLW_TEST(save_names_what_view_cannot_express) {
    static const float far[3] = {0.0f, 2e6f, 0.0f};
    static const tlw_recipe_change changes[] = {
        {.key = "view.gravity", .vector = far},
        {.key = "view.repeats", .number = 9},
        {.key = "view.nothing", .number = 9},
        {.key = "view.tensions.a", .number = 1},
        {.key = "repeats.view", .number = 1},
        {.muscle = "a", .number = 2},
        {.layer = "gland", .key = "limit", .number = 2},
        {.layer = "fat", .key = "limit", .number = -1},
    };
    check_saved((files){.hero = "{}"}, changes, TLW_COUNT_OF(changes), "{}",
                "view.gravity: a recipe takes -1e+06 to 1e+06, not 2e+06\n"
                "view.repeats: a recipe takes 1 to 8, not 9\n"
                "view.nothing: a recipe has no such number\n"
                "view.tensions.a: a recipe has no such number\n"
                "repeats.view: a recipe has no such number\n"
                "a: a recipe takes 0 to 1, not 2\n"
                "gland, limit: the recipe has no such layer\n"
                "fat, limit: a recipe takes 0 to 1e+09, not -1\n");
}

TLW_TEST(recipe_that_extends_unites_views) {
    files f = {.base = "{\"view\": {\"gravity\": [0, 1, 0], \"clip\": \"run\", \"tensions\": "
                       "{\"a\": 1, \"b\": 0.5}, \"parts\": [{\"joint\": \"x\", \"layers\": "
                       "{\"fat\": {\"limit\": 2}}}]}}",
               .hero = "{\"extend\": \"base.json\", \"view\": {\"gravity\": [2, 0, 0], "
                       "\"tensions\": {\"b\": 0.25}, \"parts\": [{\"joint\": \"x\", \"layers\": "
                       "{\"skin\": {\"limit\": 3}}}]}}"};
    const tlw_recipe_loader loader = {load, NULL, &f};
    tlw_recipe recipe;
    tlw_recipe_error error;
    (void)tlw_recipe_read_file("hero.json", &loader, &recipe, &error);
    CHECK_STRING(error.message, "");
    CHECK_EQ(recipe.view.gravity[0], 2.0f);
    CHECK_EQ(recipe.view.gravity[1], 0.0f);
    CHECK_STRING(recipe.view.clip, "run");
    CHECK_EQ(recipe.view.tension_count, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        const bool is_a = strcmp(recipe.view.tensions[i].muscle, "a") == 0;
        CHECK_EQ(recipe.view.tensions[i].tension, is_a ? 1.0f : 0.25f);
    }
    CHECK_EQ(recipe.view.part_count, 2);
    CHECK_EQ(recipe.view.parts[1].limit_scale[2], 2.0f);
    CHECK_EQ(recipe.view.parts[1].limit_scale[3], 3.0f);
    tlw_recipe_free(&recipe);
}

// ---- Cooking

static tlw_cook_output cook(const char* text) {
    scene* s = scene_new();
    tlw_cook_output output;
    scene_add_box(s, (double[3]){-1, -0.3, -0.3}, (double[3]){1, 0.3, 0.3});
    scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    tlw_recipe recipe = fixture_read(text);
    recipe.cook.resolution = 10;
    recipe.cook.weights = TLW_WEIGHTS_GEODESIC;
    const tlw_cook_options options = tlw_default_cook_options();
    (void)tlw_cook_character(scene_input(s), &recipe.cook, &options, &output);
    CHECK_STRING(output.error.message, "");
    tlw_recipe_free(&recipe);
    scene_free(s);
    return output;
}

TLW_TEST(recipe_view_changes_no_byte_of_the_blob) {
    tlw_cook_output with = cook("{\"view\": {\"gravity\": [0, -9.81, 0], \"repeats\": 4, "
                                "\"layers\": {\"fat\": {\"limit\": 0.5}}, \"tensions\": {\"a\": "
                                "1}, \"clip\": \"run\", \"own_limbs\": false}}"),
                    without = cook("{}");
    CHECK_EQ(with.blob_bytes, without.blob_bytes);
    CHECK_BYTES(with.blob, without.blob, with.blob_bytes);
    tlw_cook_output_free(&with);
    tlw_cook_output_free(&without);
}
