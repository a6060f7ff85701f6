// SPDX-License-Identifier: MIT
// Recipes that extend other files: what is united and how, which file a message names, and every
// mistake. The files are in memory.
#include "tests/recipe/recipe_fixture.h"

typedef struct file {
    const char *path, *text;
} file;

typedef struct shelf {
    const file* files;
    size_t count;
    int loaded, released;
} shelf;

static tlw_result load(const char* path, const void** bytes, size_t* size,
                       char why[TLW_RECIPE_WHY_BYTES], void* user) {
    shelf* s = user;
    for (size_t i = 0; i < s->count; ++i) {
        if (strcmp(s->files[i].path, path) == 0) {
            // Memory of the exact size lets the sanitizer see a read beyond the end.
            char* copy = malloc(strlen(s->files[i].text) + 1);
            CHECK(copy != NULL);
            *size = strlen(s->files[i].text);
            *bytes = memcpy(copy, s->files[i].text, *size);
            s->loaded += 1;
            return TLW_OK;
        }
    }
    snprintf(why, TLW_RECIPE_WHY_BYTES, "cannot read '%.200s'", path);
    return TLW_ERROR_CANNOT_READ;
}

static void release(const void* bytes, size_t size, void* user) {
    shelf* s = user;
    (void)size;
    free((void*)bytes);
    s->released += 1;
}

// Reads the first of the files.
static tlw_result read_files(const file* files, size_t count, tlw_recipe* recipe,
                             tlw_recipe_error* error) {
    shelf s = {files, count, 0, 0};
    const tlw_recipe_loader loader = {load, release, &s};
    const tlw_result result = tlw_recipe_read_file(files[0].path, &loader, recipe, error);
    CHECK_EQ(s.loaded, s.released);
    return result;
}

static tlw_recipe read_good(const file* files, size_t count) {
    tlw_recipe recipe;
    tlw_recipe_error error;
    read_files(files, count, &recipe, &error);
    CHECK_STRING(error.message, "");
    return recipe;
}

#define FILES(...) (const file[]){__VA_ARGS__}, sizeof((const file[]){__VA_ARGS__}) / sizeof(file)

TLW_TEST(recipe_extends_objects_key_by_key_and_replaces_values_and_lists) {
    tlw_recipe recipe = read_good(
        FILES({"hero.json", "{\"extend\": \"studio.json\", \"resolution\": 64,"
                            " \"limit\": {\"extent\": 0.2}, \"firm\": [\"hand\"],"
                            " \"meshes\": {\"roles\": {\"eye\": \"ride\", \"hat\": \"ignore\"},"
                            " \"exclude\": []}}"},
              {"studio.json", "{\"resolution\": 32, \"preset\": \"heavy\", \"$schema\": \"x\","
                              " \"limit\": {\"extent\": 0.3, \"thickness\": 0.4},"
                              " \"firm\": [\"head\", \"foot\"],"
                              " \"meshes\": {\"roles\": {\"eye\": \"ignore\", \"coat\": \"ride\"},"
                              " \"exclude\": [\"cage\"]}}"}));
    CHECK_EQ(recipe.cook.resolution, 64);
    CHECK_EQ(recipe.cook.layers[1].stiffness, 1.5f); // heavy
    CHECK_EQ(recipe.cook.limit_extent, 0.2f);
    CHECK_EQ(recipe.cook.limit_thickness, 0.4f);
    CHECK_EQ(recipe.cook.firm_joint_count, 1);
    CHECK_STRING(recipe.cook.firm_joints[0], "hand");
    CHECK_EQ(recipe.role_count, 3);
    CHECK_STRING(recipe.roles[0].name, "eye");
    CHECK_EQ(recipe.roles[0].role, TLW_ROLE_RIDE);
    CHECK_STRING(recipe.roles[2].name, "coat");
    CHECK_EQ(recipe.excluded_mesh_count, 0);
    CHECK_EQ(recipe.file_count, 2);
    CHECK_STRING(recipe.files[0], "hero.json");
    CHECK_STRING(recipe.files[1], "studio.json");
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_extends_parts_cuts_and_heat_by_joint) {
    tlw_recipe recipe = read_good(FILES(
        {"hero.json", "{\"extend\": \"studio.json\", \"parts\": [{\"joint\": \"tail\"},"
                      " {\"joint\": \"head\", \"layers\": {\"fat\": {\"stiffness\": 7}}}],"
                      " \"cuts\": [{\"joints\": [\"b\", \"a\"], \"cut\": \"all\"}, {\"joints\": "
                      "[\"a\", \"c\"]}],"
                      " \"heat\": [{\"joint\": \"head\", \"energy\": 3}, {\"joint\": \"tail\"}]}"},
        {"studio.json",
         "{\"parts\": [{\"joint\": \"head\", \"mirror\": true, \"layers\": {\"fat\": "
         "{\"stiffness\":"
         " 4, \"damping\": 0.25}, \"skin\": {\"damping\": 0.5}}}, {\"joint\": \"belly\", \"limit\":"
         " {\"extent\": 0.5}}],"
         " \"cuts\": [{\"joints\": [\"d\", \"e\"], \"cut\": false}, {\"joints\": [\"a\", \"b\"]}],"
         " \"heat\": [{\"joint\": \"head\", \"strength\": 2}]}"}));
    const tlw_cook_recipe* cook = &recipe.cook;
    CHECK_EQ(cook->part_count, 3);
    CHECK_STRING(cook->parts[0].joint, "head");
    CHECK_EQ(cook->parts[0].stiffness[2], 7.0f);
    CHECK_EQ(cook->parts[0].damping[2], 0.25f);
    CHECK_EQ(cook->parts[0].damping[3], 0.5f);
    CHECK(cook->parts[0].is_mirrored);
    CHECK_STRING(cook->parts[1].joint, "belly");
    CHECK_EQ(cook->parts[1].limit_extent, 0.5f);
    CHECK_STRING(cook->parts[2].joint, "tail");
    CHECK_EQ(cook->cut_count, 3);
    CHECK_STRING(cook->cuts[0].joint_a, "d");
    CHECK_EQ(cook->cuts[0].kind, TLW_CUT_NEVER);
    CHECK_STRING(cook->cuts[1].joint_a, "b");
    CHECK_EQ(cook->cuts[1].kind, TLW_CUT_ALL);
    CHECK_STRING(cook->cuts[2].joint_b, "c");
    CHECK_EQ(cook->heat_count, 2);
    CHECK_EQ(cook->heat[0].strength, 2.0f);
    CHECK_EQ(cook->heat[0].energy, 3.0f);
    // Where a value stands, in the file that it comes from.
    CHECK_STRING(tlw_recipe_place(&recipe, "parts[0].layers.fat.stiffness"),
                 "hero.json:1:106: parts[1].layers.fat.stiffness");
    CHECK_STRING(tlw_recipe_place(&recipe, "parts[0].layers.fat.damping"),
                 "studio.json:1:92: parts[0].layers.fat.damping");
    CHECK_STRING(tlw_recipe_place(&recipe, "parts[0].mirror"), "studio.json:1:40: parts[0].mirror");
    CHECK_STRING(tlw_recipe_place(&recipe, "parts[2].joint"), "hero.json:1:47: parts[0].joint");
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_key_takes_away_the_one_that_it_excludes) {
    tlw_recipe recipe =
        read_good(FILES({"a", "{\"extend\": \"b\", \"voxel_size\": 0.5, \"bone\": {\"share\": 0.5},"
                              " \"parts\": [{\"joint\": \"x\", \"bone\": {\"radius\": 3}}]}"},
                        {"b", "{\"resolution\": 32, \"bone\": {\"radius\": 2},"
                              " \"parts\": [{\"joint\": \"x\", \"bone\": {\"share\": 0.1}}]}"}));
    CHECK_EQ(recipe.cook.resolution, 0);
    CHECK_EQ(recipe.cook.voxel_metres, 0.5);
    CHECK_EQ(recipe.cook.bone_radius_voxels, -1);
    CHECK_EQ(recipe.cook.bone_share.numerator, 5);
    CHECK_EQ(recipe.cook.parts[0].bone_radius_voxels, 3);
    CHECK_EQ(recipe.cook.parts[0].bone_share.denominator, 0);
    tlw_recipe_free(&recipe);
}

// A delta takes an anchor away and an anchor a delta, in each place for itself.
TLW_TEST(recipe_delta_and_anchor_replace_each_other) {
    const float slow = tlw_cook_anchor_of_delta(0.9);
    tlw_recipe recipe = read_good(FILES(
        {"a", "{\"extend\": \"b\", \"delta\": 0.9, \"parts\": [{\"joint\": \"x\", \"layers\":"
              " {\"fat\": {\"anchor_hz\": 5}, \"skin\": {\"damping\": 0.5}}}],"
              " \"profiles\": {\"p\": {\"layers\": {\"fat\": {\"delta\": 0.9}},"
              " \"parts\": [{\"joint\": \"x\", \"layers\": {\"fat\": {\"anchor_hz\": 6}}}]}}}"},
        {"b", "{\"anchor_hz\": 7, \"parts\": [{\"joint\": \"x\", \"layers\":"
              " {\"fat\": {\"delta\": 0.9}, \"skin\": {\"delta\": 0.9}}}],"
              " \"profiles\": {\"p\": {\"layers\": {\"fat\": {\"anchor_hz\": 8}},"
              " \"parts\": [{\"joint\": \"x\", \"layers\": {\"fat\": {\"delta\": 0.9}}}]}}}"}));
    const tlw_cook_recipe* cook = &recipe.cook;
    CHECK_EQ(cook->layers[1].anchor_hz, slow);
    CHECK_EQ(cook->parts[0].anchor_hz[2], 5.0f);
    CHECK_EQ(cook->parts[0].anchor_hz[3], slow);
    CHECK_EQ(cook->profiles[0].parts[0].anchor_hz[2], slow);
    CHECK_EQ(cook->profiles[0].parts[1].anchor_hz[2], 6.0f);
    tlw_recipe_free(&recipe);
    recipe = read_good(FILES({"a", "{\"extend\": \"b\", \"anchor_hz\": 7}"},
                             {"b", "{\"delta\": 0.9, \"volume\": {\"reach\": 2}}"}));
    CHECK_EQ(recipe.cook.layers[1].anchor_hz, 7.0f);
    CHECK_EQ(recipe.cook.volume_reach, 2.0f);
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_extends_profiles_by_name_and_their_parts_by_joint) {
    tlw_recipe recipe = read_good(
        FILES({"hero.json",
               "{\"extend\": \"studio.json\", \"profiles\": {\"tense\": {\"layers\":"
               " {\"fat\": {\"damping\": 0.25}}, \"parts\": [{\"joint\": \"tail\"}, {\"joint\":"
               " \"belly\", \"layers\": {\"fat\": {\"stiffness\": 7}}}]}, \"own\": {}}}"},
              {"studio.json",
               "{\"profiles\": {\"wet\": {\"preset\": \"bloat\"}, \"tense\": {\"preset\":"
               " \"heavy\", \"layers\": {\"fat\": {\"damping\": 0.5, \"limit\": 2}, \"skin\":"
               " {\"limit\": 3}}, \"parts\": [{\"joint\": \"belly\", \"layers\": {\"fat\":"
               " {\"stiffness\": 4, \"damping\": 0.125}}}, {\"joint\": \"head\"}]}}}"}));
    const tlw_cook_recipe* cook = &recipe.cook;
    CHECK_EQ(cook->profile_count, 3);
    CHECK_STRING(cook->profiles[0].name, "tense");
    CHECK_STRING(cook->profiles[1].name, "own");
    CHECK_STRING(cook->profiles[2].name, "wet");
    const tlw_cook_profile_part* parts = cook->profiles[0].parts;
    CHECK_EQ(cook->profiles[0].part_count, 4);
    CHECK_EQ(parts[0].stiffness[1], 1.5f); // heavy
    CHECK_EQ(parts[0].damping[2], 0.25f);
    CHECK_EQ(parts[0].limit_scale[2], 2.0f);
    CHECK_EQ(parts[0].limit_scale[3], 3.0f);
    CHECK_STRING(parts[1].joint, "belly");
    CHECK_EQ(parts[1].stiffness[2], 7.0f);
    CHECK_EQ(parts[1].damping[2], 0.125f);
    CHECK_STRING(parts[2].joint, "head");
    CHECK_STRING(parts[3].joint, "tail");
    CHECK_STRING(tlw_recipe_place(&recipe, "profiles[0].parts[3].joint"),
                 "hero.json:1:108: profiles.tense.parts[0].joint");
    CHECK_STRING(tlw_recipe_place(&recipe, "profiles[0].parts[2].joint"),
                 "studio.json:1:238: profiles.tense.parts[1].joint");
    CHECK_STRING(tlw_recipe_place(&recipe, "profiles[2]"), "studio.json:1:22: profiles.wet");
    tlw_recipe_free(&recipe);
}

// Later files go before earlier ones, the recipe before all; each path is relative to its file.
TLW_TEST(recipe_extends_several_files_in_order_and_from_their_folders) {
    tlw_recipe recipe = read_good(
        FILES({"c/hero.json", "{\"extend\": [\"../looks/a.json\", \"b.json\"], \"smoothing\": 9}"},
              {"c/../looks/a.json", "{\"extend\": \"deep/d.json\", \"resolution\": 10, "
                                    "\"region_width\": 2, \"smoothing\": 1}"},
              {"c/b.json", "{\"extend\": \"../looks/a.json\", \"resolution\": 20}"},
              {"c/../looks/deep/d.json", "{\"neighbours\": 6, \"resolution\": 5}"}));
    CHECK_EQ(recipe.cook.resolution, 20);
    CHECK_EQ(recipe.cook.region_width, 2);
    CHECK_EQ(recipe.cook.neighbours, 6);
    CHECK_EQ(recipe.cook.smoothing_passes, 9);
    CHECK_EQ(recipe.file_count, 4); // a and d are read twice
    CHECK_STRING(recipe.files[2], "c/../looks/deep/d.json");
    tlw_recipe_free(&recipe);
    recipe = read_good(FILES({"a", "{\"extend\": [], \"resolution\": 7}"}));
    CHECK_EQ(recipe.cook.resolution, 7);
    tlw_recipe_free(&recipe);
}

static void check_refused(const file* files, size_t count, tlw_result result, const char* message) {
    tlw_recipe recipe;
    tlw_recipe_error error;
    const tlw_result got = read_files(files, count, &recipe, &error);
    CHECK_STRING(error.message, message);
    CHECK_STRING(tlw_result_name(got), tlw_result_name(result));
    CHECK_EQ(recipe.memory, NULL);
    CHECK_EQ(recipe.file_count, 0);
}

TLW_TEST(recipe_that_extends_names_the_file_of_a_mistake) {
    static const tlw_result bad = TLW_ERROR_BAD_ARGUMENT;
    check_refused(FILES({"a", "{\"extend\": \"b\"}"}, {"b", "{\n\"resolution\": 1}"}), bad,
                  "b:2:15: resolution: an integer from 2 to 1024 is expected, not 1");
    check_refused(FILES({"a", "{\"extend\": \"b\", \"colour\": 1}"}, {"b", "{}"}), bad,
                  "a:1:17: colour: unknown key; allowed: $schema, extend, resolution, voxel_size, "
                  "region_width, neighbours, weights, smoothing, heat, skinning, volume, preset, "
                  "anchor_hz, delta, layers, bone, parts, firm, profiles, paint, cuts, limit, "
                  "limbs, auto_bulge, muscles, rest_gravity, meshes, joints, embedding, "
                  "seam_passes, ring_normals, "
                  "limits, metres_per_unit, view");
    check_refused(FILES({"a", "{\"extend\": \"b\"}"}, {"b", "{\n}}"}), bad,
                  "b:2:2: end of file expected near '}'");
    check_refused(FILES({"a", "{\"extend\": \"b\"}"}, {"b", "[]"}), bad,
                  "b:1:1: an object is expected, not an array");
    check_refused(FILES({"a", "{\"extend\": \"b\", \"parts\": [{\"joint\": \"x\"},"
                              " {\"joint\": \"y\", \"mirror\": 1}]}"},
                        {"b", "{\"parts\": [{\"joint\": \"z\"}]}"}),
                  bad, "a:1:68: parts[1].mirror: true or false is expected, not 1");
    check_refused(
        FILES({"a", "{\"extend\": \"b\", \"parts\": [{\"joint\": \"y\"}]}"},
              {"b", "{\"parts\": [{\"joint\": \"z\"}, {\"joint\": \"y\", \"mirror\": 1}]}"}),
        bad, "b:1:53: parts[1].mirror: true or false is expected, not 1");
    check_refused(
        FILES({"a", "{\"extend\": \"b\", \"parts\": [{\"joint\": \"x\"}, {\"joint\": \"y\"},"
                    " {\"joint\": \"y\"}]}"},
              {"b", "{\"parts\": [{\"joint\": \"z\"}, {\"joint\": \"y\"}]}"}),
        bad, "a:1:69: parts[2].joint: \"y\" has a part already, parts[1]");
    check_refused(FILES({"a", "{\"extend\": \"b\", \"bone\": 1}"}, {"b", "{\"bone\": {}}"}), bad,
                  "a:1:25: bone: an object is expected, not 1");
    check_refused(FILES({"a", "{\"extend\": \"b\", \"meshes\": {\"include\": [\"m\"]}}"},
                        {"b", "{\"meshes\": {\"exclude\": [\"n\", \"m\"]}}"}),
                  bad, "b:1:30: meshes.exclude[1]: \"m\" is included as well, as include[0]");
    check_refused(FILES({"a", ""}), bad, "a:1:1: the recipe is empty; the shortest one is {}");
}

TLW_TEST(recipe_names_what_is_wrong_with_extend) {
    static const tlw_result bad = TLW_ERROR_BAD_ARGUMENT;
    check_refused(FILES({"a", "{\"extend\": 1}"}), bad,
                  "a:1:12: extend: the name of a file or an array of them is expected, not 1");
    check_refused(FILES({"a", "{\"extend\": \"\"}"}), bad,
                  "a:1:12: extend: the name of a file is expected, not \"\"");
    check_refused(FILES({"a", "{\"extend\": [\"b\", true]}"}, {"b", "{}"}), bad,
                  "a:1:18: extend[1]: the name of a file is expected, not true");
    check_refused(FILES({"a", "{\"extend\": \"/etc/b\"}"}), bad,
                  "a:1:12: extend: a path relative to this file is expected, with / between "
                  "folders");
    check_refused(FILES({"a", "{\"extend\": \"c:b\"}"}), bad,
                  "a:1:12: extend: a path relative to this file is expected, with / between "
                  "folders");
    check_refused(FILES({"a", "{\"extend\": \"looks\\\\b\"}"}), bad,
                  "a:1:12: extend: a path relative to this file is expected, with / between "
                  "folders");
    check_refused(FILES({"x/a", "{\"extend\": [\"b\"]}"}), TLW_ERROR_CANNOT_READ,
                  "x/a:1:13: extend[0]: cannot read 'x/b'");
    check_refused(FILES({"a", "{\"bone\": {\"extend\": \"b\"}}"}), bad,
                  "a:1:11: bone.extend: unknown key; allowed: share, radius");
    const file none = {"nowhere.json", ""};
    shelf s = {&none, 0, 0, 0};
    const tlw_recipe_loader loader = {load, release, &s};
    tlw_recipe recipe;
    tlw_recipe_error error;
    CHECK_RESULT(tlw_recipe_read_file("nowhere.json", &loader, &recipe, &error),
                 TLW_ERROR_CANNOT_READ);
    CHECK_STRING(error.message, "cannot read 'nowhere.json'");
}

TLW_TEST(recipe_refuses_files_that_extend_each_other_in_a_circle) {
    static const tlw_result bad = TLW_ERROR_BAD_ARGUMENT;
    check_refused(FILES({"a", "{\"extend\": \"a\"}"}), bad,
                  "a:1:12: extend: files that extend each other in a circle: a, a");
    check_refused(FILES({"x/a", "{\"extend\": \"../y/b\"}"}, {"x/../y/b", "{\"extend\": \"./c\"}"},
                        {"x/../y/./c", "{\"extend\": [\"../x/a\"]}"}),
                  bad,
                  "x/../y/./c:1:13: extend[0]: files that extend each other in a circle: x/a, "
                  "x/../y/b, x/../y/./c, x/../y/./../x/a");
    // Files above the recipe's folder do not meet by accident.
    tlw_recipe recipe =
        read_good(FILES({"a", "{\"extend\": \"../a\"}"}, {"../a", "{\"extend\": \"../a\"}"},
                        {"../../a", "{\"resolution\": 9}"}));
    CHECK_EQ(recipe.cook.resolution, 9);
    tlw_recipe_free(&recipe);
}

enum { CHAIN = 20 };

// n extends n + 1, up to `last`.
static void make_chain(file* files, char (*texts)[2][48], int last) {
    for (int i = 0; i <= last; ++i) {
        snprintf(texts[i][0], sizeof texts[i][0], "%d", i);
        snprintf(texts[i][1], sizeof texts[i][1],
                 i < last ? "{\"extend\": \"%d\"}" : "{\"resolution\": %d}", i + 1);
        files[i] = (file){texts[i][0], texts[i][1]};
    }
}

TLW_TEST(recipe_refuses_a_chain_of_more_than_sixteen_files) {
    file files[CHAIN];
    char texts[CHAIN][2][48];
    make_chain(files, texts, 15);
    tlw_recipe recipe = read_good(files, 16);
    CHECK_EQ(recipe.cook.resolution, 16);
    CHECK_EQ(recipe.file_count, 16);
    tlw_recipe_free(&recipe);
    make_chain(files, texts, 16);
    check_refused(files, 17, TLW_ERROR_BAD_ARGUMENT,
                  "15:1:12: extend: a chain of more than 16 files: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "
                  "10, 11, 12, 13, 14, 15, 16");
}

TLW_TEST(recipe_refuses_too_many_files_and_too_many_bytes) {
    // Each of 6 files extends the next one twice: 2^6 - 1 files are read. 7 would be 127.
    file files[7];
    char texts[7][2][48];
    for (int last = 5; last <= 6; ++last) {
        for (int i = 0; i <= last; ++i) {
            snprintf(texts[i][0], sizeof texts[i][0], "%d", i);
            snprintf(texts[i][1], sizeof texts[i][1],
                     i < last ? "{\"extend\": [\"%d\", \"%d\"]}" : "{}", i + 1, i + 1);
            files[i] = (file){texts[i][0], texts[i][1]};
        }
        if (last == 5) {
            tlw_recipe recipe = read_good(files, 6);
            CHECK_EQ(recipe.file_count, 6);
            tlw_recipe_free(&recipe);
        } else {
            check_refused(files, 7, TLW_ERROR_BAD_ARGUMENT,
                          "0:1:18: extend[1]: more than 64 files are read for this recipe");
        }
    }
    const size_t size = TLW_RECIPE_BYTES_MAX;
    char* large = malloc(size + 1);
    CHECK(large != NULL);
    memset(large, ' ', size);
    memcpy(large, "{}", 2);
    large[size] = 0;
    check_refused(FILES({"a", "{\"extend\": [\"b\", \"b\", \"b\", \"b\"]}"}, {"b", large}),
                  TLW_ERROR_TOO_LARGE,
                  "a:1:28: extend[3]: all files of this recipe have more than 1048576 bytes");
    free(large);
}

TLW_TEST(recipe_refuses_united_lists_beyond_the_limit) {
    const size_t bytes = 64 * 4200;
    char *base = malloc(bytes), *over = malloc(bytes);
    CHECK(base != NULL && over != NULL);
    size_t used = (size_t)sprintf(base, "{\"heat\": [{\"joint\": \"a0\"}");
    for (int i = 1; i < 4096; ++i) {
        used += (size_t)sprintf(base + used, ",{\"joint\": \"a%d\"}", i);
    }
    sprintf(base + used, "]}");
    sprintf(over, "{\"extend\": \"b\", \"heat\": [{\"joint\": \"a7\", \"energy\": 2}]}");
    tlw_recipe recipe = read_good(FILES({"a", over}, {"b", base}));
    CHECK_EQ(recipe.cook.heat_count, 4096);
    CHECK_EQ(recipe.cook.heat[7].energy, 2.0f);
    tlw_recipe_free(&recipe);
    sprintf(over, "{\"extend\": \"b\", \"heat\": [{\"joint\": \"b\"}]}");
    check_refused(FILES({"a", over}, {"b", base}), TLW_ERROR_BAD_ARGUMENT,
                  "a:1:25: heat: 4097 elements; 4096 is the limit");
    sprintf(base + used, ",{\"joint\": \"c\"}]}");
    check_refused(FILES({"a", over}, {"b", base}), TLW_ERROR_BAD_ARGUMENT,
                  "b:1:10: heat: 4097 elements; 4096 is the limit");
    free(base);
    free(over);
}

TLW_TEST(recipe_names_the_joint_that_is_not_there_in_its_file) {
    static const tlw_cook_joint joints[] = {{.name = "head", .parent = TLW_NO_JOINT}};
    tlw_recipe_error error;
    tlw_recipe recipe = read_good(
        FILES({"looks/a", "{\"extend\": \"b\",\n\"parts\": [{\"joint\": \"head\"}]}"},
              {"looks/b", "{\"parts\": [{\"joint\": \"head\"},\n {\"joint\": \"haed\"}]}"}));
    CHECK_RESULT(tlw_recipe_choose_joints(&recipe, joints, 1, &error), TLW_ERROR_NOT_FOUND);
    CHECK_STRING(error.message, "looks/b:2:12: parts[1].joint: there is no joint \"haed\"; did you "
                                "mean \"head\"?");
    tlw_recipe_free(&recipe);
}
