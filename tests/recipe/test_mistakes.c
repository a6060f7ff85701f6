// SPDX-License-Identifier: MIT
// Every mistake that a person can make in a recipe, and the line that says what is wrong.
#include "tests/recipe/mistakes.h"
#include "tools/recipe/nearest.h"

#define ROOT_KEYS                                                                               \
    "$schema, extend, resolution, voxel_size, region_width, neighbours, weights, smoothing, "   \
    "heat, skinning, volume, preset, anchor_hz, delta, layers, bone, parts, firm, profiles, "   \
    "paint, cuts, limit, limbs, auto_bulge, muscles, rest_gravity, meshes, joints, embedding, " \
    "seam_passes, "                                                                             \
    "ring_normals, limits, "                                                                    \
    "metres_per_unit, view"

TLW_TEST(recipe_names_text_that_is_not_a_recipe) {
    CHECK_MISTAKES({"", "1:1: the recipe is empty; the shortest one is {}"},
                   {" \n\t ", "1:1: the recipe is empty; the shortest one is {}"},
                   {"\xEF\xBB\xBF{}", "1:1: a UTF-8 byte order mark; save the file without it"},
                   {"\xFF\xFE{", "1:1: UTF-16; save the file as UTF-8"},
                   {"\xFE\xFF{", "1:1: UTF-16; save the file as UTF-8"},
                   {"[]", "1:1: an object is expected, not an array"},
                   {"{\n\"parts\":\n [[[[[[[[[[[[[[[[[", "3:17: nested deeper than 16"},
                   {"{\"\xC3\xA4\":[[[[[[[[[[[[[[[[[", "1:21: nested deeper than 16"});
    check_refused("{}\n\0", 4, "2:1: a zero byte; a recipe is UTF-8 text");
    check_refused(NULL, 0, "1:1: the recipe is empty; the shortest one is {}");
}

// The wording is jansson's: the test checks the place and the gist.
TLW_TEST(recipe_names_line_and_column_of_broken_text) {
    static const struct {
        const char *text, *place, *gist;
    } cases[] = {
        {"{\n  \"resolution\" 32}", "2:17: ", "':' expected"},
        {"{\"resolution\": 32,}", "1:19: ", "expected"},
        {"{\"resolution\": 32} x", "1:20: ", "end of file expected"},
        {"{} {}", "1:4: ", "end of file expected"},
        {"{} // comment", "1:4: ", "end of file expected"},
        {"{\"resolution\": 32", "1:17: ", "end of file"},
        {"{\n\n  \"resolution\": 32, \"resolution\": 48}", "3:32: ", "duplicate object key"},
        {"{\"bone\": {\"share\": 0.1, \"share\": 0.2}}", "1:31: ", "duplicate object key"},
        {"{\"anchor_hz\": 1e999}", "1:19: ", "overflow near '1e999'"},
        {"{\"rest_gravity\": [0, -1e999, 0]}", "1:27: ", "overflow near '-1e999'"},
        {"{\"anchor_hz\": NaN}", "1:17: ", "near 'NaN'"},
        {"{\"anchor_hz\": 01}", "1:15: ", "invalid token"},
        {"{\"resolution\": 99999999999999999999}", "1:35: ", "too big integer"},
        {"{\"meshes\": {\"include\": [\"a\\u0000b\"]}}", "1:34: ", "not allowed"},
        {"{\"meshes\": {\"include\": [\"\xC3(\"]}}", "1:25: ", "decode byte 0xc3"},
        {"{\"weights\": 'auto'}", "1:13: ", "invalid token"},
        {"{\"weights\": \"a\nb\"}", "1:14: ", "newline"},
        {"3", "1:1: ", "expected"},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        tlw_recipe recipe;
        tlw_recipe_error error;
        CHECK_RESULT(tlw_recipe_read(cases[i].text, strlen(cases[i].text), &recipe, &error),
                     TLW_ERROR_BAD_ARGUMENT);
        CHECK_CONTAINS(error.message, cases[i].place);
        CHECK_CONTAINS(error.message, cases[i].gist);
        CHECK_EQ(recipe.memory, NULL);
    }
}

TLW_TEST(recipe_survives_a_depth_bomb) {
    char* text = malloc(TLW_RECIPE_BYTES_MAX);
    CHECK(text != NULL);
    memset(text, '[', TLW_RECIPE_BYTES_MAX);
    check_refused(text, TLW_RECIPE_BYTES_MAX, "1:17: nested deeper than 16");
    for (size_t i = 0; i + 5 <= TLW_RECIPE_BYTES_MAX; i += 5) {
        memcpy(text + i, "{\"a\":", 5);
    }
    check_refused(text, TLW_RECIPE_BYTES_MAX, "1:81: nested deeper than 16");
    free(text);
}

TLW_TEST(recipe_names_unknown_keys_and_the_nearest_known_one) {
    CHECK_MISTAKES(
        {"{\"resolutoin\": 32}",
         "resolutoin: unknown key; did you mean \"resolution\"? allowed: " ROOT_KEYS},
        {"{\"Layers\": []}", "Layers: unknown key; did you mean \"layers\"? allowed: " ROOT_KEYS},
        {"{\"colour\": 1}", "colour: unknown key; allowed: " ROOT_KEYS},
        {"{\"\": 1}", "[\"\"]: unknown key; allowed: " ROOT_KEYS},
        {"{\"a\\nb\": 1}", "[\"a?b\"]: unknown key; allowed: " ROOT_KEYS},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\"},"
         " {\"name\": \"fat\", \"stifness\": 1}, {\"name\": \"skin\"}]}",
         "layers[2].stifness: unknown key; did you mean \"stiffness\"? allowed: name, ratio, "
         "stiffness, damping, anchor_hz, delta, solver, young_kpa, poisson, density"},
        {"{\"layers\": [{\"name\": \"bone\", \"damp\": 1}, {\"name\": \"skin\"}]}",
         "layers[0].damp: unknown key; did you mean \"damping\"? allowed: name, ratio, stiffness, "
         "damping, anchor_hz, delta, solver, young_kpa, poisson, density"},
        {"{\"layers\": [{\"name\": \"bone\", \"zamp\": 1}, {\"name\": \"skin\"}]}",
         "layers[0].zamp: unknown key; allowed: name, ratio, stiffness, damping, anchor_hz, delta, "
         "solver, young_kpa, poisson, density"},
        {"{\"bone\": {\"radios\": 1}}",
         "bone.radios: unknown key; did you mean \"radius\"? allowed: share, radius"},
        {"{\"parts\": [{\"joints\": \"a\"}]}",
         "parts[0].joints: unknown key; did you mean \"joint\"? allowed: joint, mirror, layers, "
         "bone, limit"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"share\": 1}}}]}",
         "parts[0].layers.fat.share: unknown key; allowed: ratio, stiffness, damping, anchor_hz, "
         "delta, solver, young_kpa, poisson, density"},
        {"{\"volume\": {\"reech\": 1}}",
         "volume.reech: unknown key; did you mean \"reach\"? allowed: reach"},
        {"{\"parts\": [{\"joint\": \"a\", \"bone\": {\"ratio\": 1}}]}",
         "parts[0].bone.ratio: unknown key; allowed: share, radius"},
        {"{\"parts\": [{\"joint\": \"a\", \"limit\": {\"voxels\": 1}}]}",
         "parts[0].limit.voxels: unknown key; allowed: extent, thickness"},
        {"{\"heat\": [{\"joint\": \"a\", \"strenght\": 1}]}",
         "heat[0].strenght: unknown key; did you mean \"strength\"? allowed: joint, strength, "
         "energy"},
        {"{\"paint\": {\"fad\": \"_FAT\"}}",
         "paint.fad: unknown key; did you mean \"fat\"? allowed: fat, stiffness"},
        {"{\"cuts\": [{\"joint\": 1}]}",
         "cuts[0].joint: unknown key; did you mean \"joints\"? allowed: joints, cut"},
        {"{\"limit\": {\"extend\": 1}}",
         "limit.extend: unknown key; did you mean \"extent\"? allowed: extent, thickness"},
        {"{\"meshes\": {\"exlude\": []}}",
         "meshes.exlude: unknown key; did you mean \"exclude\"? allowed: roles, include, exclude"},
        {"{\"joints\": {\"roles\": {}}}", "joints.roles: unknown key; allowed: include, exclude"},
        {"{\"limits\": {\"memory\": 1}}",
         "limits.memory: unknown key; did you mean \"memory_mb\"? allowed: voxels, memory_mb"});
}

TLW_TEST(recipe_names_unknown_words_and_the_nearest_known_one) {
    CHECK_MISTAKES(
        {"{\"weights\": \"artits\"}",
         "weights: \"artits\" is not known; did you mean \"artist\"? allowed: auto, artist, heat, "
         "diffusion, geodesic"},
        {"{\"weights\": \"none\"}",
         "weights: \"none\" is not known; allowed: auto, artist, heat, diffusion, geodesic"},
        {"{\"weights\": 1}",
         "weights: 1 is not known; allowed: auto, artist, heat, diffusion, geodesic"},
        {"{\"preset\": \"bloat_low\"}",
         "preset: \"bloat_low\" is not known; did you mean \"bloat-low\"? allowed: default, "
         "athletic, heavy, bunny, smurf, bloat, bloat-low, classic"},
        {"{\"preset\": null}",
         "preset: null is not known; allowed: default, athletic, heavy, bunny, smurf, bloat, "
         "bloat-low, classic"},
        {"{\"skinning\": \"duel\"}",
         "skinning: \"duel\" is not known; did you mean \"dual\"? allowed: linear, dual"},
        {"{\"skinning\": 1}", "skinning: 1 is not known; allowed: linear, dual"},
        {"{\"embedding\": \"rfb\"}",
         "embedding: \"rfb\" is not known; did you mean \"rbf\"? allowed: fit, rbf"},
        {"{\"firm\": \"Auto\"}",
         "firm: \"Auto\" is not known; did you mean \"auto\"? allowed: auto"},
        {"{\"firm\": \"head\"}", "firm: \"head\" is not known; allowed: auto"},
        {"{\"meshes\": {\"roles\": {\"left eye\": \"voxelize\"}}}",
         "meshes.roles[\"left eye\"]: \"voxelize\" is not known; did you mean \"voxelise\"? "
         "allowed: voxelise, ride, ignore"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"mucsle\": {}}}]}",
         "parts[0].layers.mucsle: there is no such layer; did you mean \"muscle\"? allowed: bone, "
         "muscle, fat, skin"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\"}],"
         " \"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {}}}]}",
         "parts[0].layers.fat: there is no such layer; allowed: bone, skin"});
}

TLW_TEST(recipe_names_numbers_out_of_range) {
    CHECK_MISTAKES(
        {"{\"resolution\": 0}", "resolution: an integer from 2 to 1024 is expected, not 0"},
        {"{\"resolution\": 1}", "resolution: an integer from 2 to 1024 is expected, not 1"},
        {"{\"resolution\": 1025}", "resolution: an integer from 2 to 1024 is expected, not 1025"},
        {"{\"resolution\": 100000}",
         "resolution: an integer from 2 to 1024 is expected, not 100000"},
        {"{\"resolution\": -48}", "resolution: an integer from 2 to 1024 is expected, not -48"},
        {"{\"resolution\": 48.0}", "resolution: an integer from 2 to 1024 is expected, not 48.0"},
        {"{\"resolution\": 4294967344}",
         "resolution: an integer from 2 to 1024 is expected, not 4294967344"},
        {"{\"voxel_size\": 0}", "voxel_size: a number from 1e-06 to 1000 is expected, not 0"},
        {"{\"voxel_size\": -0.1}", "voxel_size: a number from 1e-06 to 1000 is expected, not -0.1"},
        {"{\"region_width\": 4}", "region_width: 2 or 3 is expected, not 4"},
        {"{\"neighbours\": 27}", "neighbours: 6, 14, 18, 20 or 26 is expected, not 27"},
        {"{\"smoothing\": 101}", "smoothing: an integer from 0 to 100 is expected, not 101"},
        {"{\"seam_passes\": 17}", "seam_passes: an integer from 0 to 16 is expected, not 17"},
        {"{\"seam_passes\": -1}", "seam_passes: an integer from 0 to 16 is expected, not -1"},
        {"{\"anchor_hz\": -1}", "anchor_hz: a number from 0 to 1000 is expected, not -1"},
        {"{\"delta\": 0}", "delta: a number above 0, up to 1, is expected, not 0"},
        {"{\"delta\": 1e-400}", "delta: a number above 0, up to 1, is expected, not 0.0"},
        {"{\"delta\": -0.9}", "delta: a number above 0, up to 1, is expected, not -0.9"},
        {"{\"delta\": 1.001}", "delta: a number above 0, up to 1, is expected, not 1.001"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"delta\": 2}]}",
         "layers[1].delta: a number above 0, up to 1, is expected, not 2"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"delta\": 2}}}]}",
         "parts[0].layers.fat.delta: a number above 0, up to 1, is expected, not 2"},
        {"{\"volume\": {\"reach\": -0.5}}",
         "volume.reach: a number from 0 to 10 is expected, not -0.5"},
        {"{\"volume\": {\"reach\": 11}}",
         "volume.reach: a number from 0 to 10 is expected, not 11"},
        {"{\"rest_gravity\": [0, -1000001, 0]}",
         "rest_gravity[1]: a number from -1000000 to 1000000 is expected, not -1000001"},
        {"{\"rest_gravity\": [0, 0, 1e7]}",
         "rest_gravity[2]: a number from -1000000 to 1000000 is expected, not 10000000.0"},
        {"{\"rest_gravity\": []}", "rest_gravity: three numbers are expected, not 0"},
        {"{\"rest_gravity\": [0, -9.81]}", "rest_gravity: three numbers are expected, not 2"},
        {"{\"rest_gravity\": [0, -9.81, 0, 0]}", "rest_gravity: three numbers are expected, not 4"},
        {"{\"anchor_hz\": 1e300}", "anchor_hz: a number from 0 to 1000 is expected, not 1e+300"},
        {"{\"limit\": {\"extent\": 0}}",
         "limit.extent: a number from 0.001 to 1000 is expected, not 0"},
        {"{\"limit\": {\"thickness\": 1e-50}}",
         "limit.thickness: a number from 0.001 to 1000 is expected, not 1e-50"},
        {"{\"limits\": {\"voxels\": 0}}",
         "limits.voxels: an integer from 1 to 1000000000 is expected, not 0"},
        {"{\"limits\": {\"memory_mb\": 2000000}}",
         "limits.memory_mb: an integer from 1 to 1048576 is expected, not 2000000"},
        {"{\"metres_per_unit\": 0}",
         "metres_per_unit: a number from 1e-06 to 1000000 is expected, not 0"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"stiffness\": -0.5}]}",
         "layers[1].stiffness: a number from 0 to 1000000 is expected, not -0.5"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"stiffness\": 1e7}]}",
         "layers[1].stiffness: a number from 0 to 1000000 is expected, not 10000000.0"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"damping\": 1.01}]}",
         "layers[1].damping: a number from 0 to 1 is expected, not 1.01"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"damping\": -1}]}",
         "layers[1].damping: a number from 0 to 1 is expected, not -1"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"stiffness\": -1}}}]}",
         "parts[0].layers.fat.stiffness: a number from 0 to 1000000 is expected, not -1"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"young_kpa\": 0}}}]}",
         "parts[0].layers.fat.young_kpa: a number from 1e-06 to 1000000 is expected, not 0"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"poisson\": 0.5}}}]}",
         "parts[0].layers.fat.poisson: a number from 0 to 0.4999 is expected, not 0.5"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"density\": 0}]}",
         "layers[1].density: a number from 1 to 100000 is expected, not 0"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"solver\": \"lam\"}]}",
         "layers[1].solver: \"lam\" is not known; did you mean \"lame\"? allowed: shape, lame"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"solver\": 1}]}",
         "layers[1].solver: 1 is not known; allowed: shape, lame"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"damping\": 2}}}]}",
         "parts[0].layers.fat.damping: a number from 0 to 1 is expected, not 2"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"anchor_hz\": -1}]}",
         "layers[1].anchor_hz: a number from 0 to 1000 is expected, not -1"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"anchor_hz\": 1001}}}]}",
         "parts[0].layers.fat.anchor_hz: a number from 0 to 1000 is expected, not 1001"},
        {"{\"bone\": {\"radius\": -1}}",
         "bone.radius: an integer from 0 to 1024 is expected, not -1"},
        {"{\"parts\": [{\"joint\": \"a\", \"bone\": {\"radius\": 1025}}]}",
         "parts[0].bone.radius: an integer from 0 to 1024 is expected, not 1025"},
        {"{\"parts\": [{\"joint\": \"a\", \"limit\": {\"extent\": 0}}]}",
         "parts[0].limit.extent: a number from 0.001 to 1000 is expected, not 0"},
        {"{\"parts\": [{\"joint\": \"a\", \"limit\": {\"thickness\": -1}}]}",
         "parts[0].limit.thickness: a number from 0.001 to 1000 is expected, not -1"},
        {"{\"heat\": [{\"joint\": \"a\", \"strength\": 0}]}",
         "heat[0].strength: a number from 0.001 to 1000 is expected, not 0"},
        {"{\"heat\": [{\"joint\": \"a\", \"energy\": 1001}]}",
         "heat[0].energy: a number from 0.001 to 1000 is expected, not 1001"});
}

TLW_TEST(recipe_names_wrong_types) {
    CHECK_MISTAKES(
        {"{\"resolution\": \"48\"}",
         "resolution: an integer from 2 to 1024 is expected, not \"48\""},
        {"{\"resolution\": null}", "resolution: an integer from 2 to 1024 is expected, not null"},
        {"{\"voxel_size\": []}",
         "voxel_size: a number from 1e-06 to 1000 is expected, not an array"},
        {"{\"anchor_hz\": null}", "anchor_hz: a number from 0 to 1000 is expected, not null"},
        {"{\"anchor_hz\": \"2\"}", "anchor_hz: a number from 0 to 1000 is expected, not \"2\""},
        {"{\"smoothing\": true}", "smoothing: an integer from 0 to 100 is expected, not true"},
        {"{\"limbs\": \"true\"}", "limbs: true or false is expected, not \"true\""},
        {"{\"rest_gravity\": -9.81}",
         "rest_gravity: an array of three numbers is expected, not -9.81"},
        {"{\"rest_gravity\": {}}",
         "rest_gravity: an array of three numbers is expected, not an object"},
        {"{\"rest_gravity\": [0, null, 0]}",
         "rest_gravity[1]: a number from -1000000 to 1000000 is expected, not null"},
        {"{\"rest_gravity\": [\"0\", 0, 0]}",
         "rest_gravity[0]: a number from -1000000 to 1000000 is expected, not \"0\""},
        {"{\"ring_normals\": 1}", "ring_normals: true or false is expected, not 1"},
        {"{\"neighbours\": 26.0}", "neighbours: 6, 14, 18, 20 or 26 is expected, not 26.0"},
        {"{\"layers\": {}}", "layers: an array of layers is expected, not an object"},
        {"{\"layers\": [1, 2]}", "layers[0]: an object is expected, not 1"},
        {"{\"layers\": [{\"name\": 1}, {}]}", "layers[0].name: a name is expected, not 1"},
        {"{\"layers\": [{\"name\": \"\"}, {}]}", "layers[0].name: a name is expected, not \"\""},
        {"{\"bone\": 0.3}", "bone: an object is expected, not 0.3"},
        {"{\"parts\": {}}", "parts: an array of parts is expected, not an object"},
        {"{\"parts\": [true]}", "parts[0]: an object is expected, not true"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": []}]}",
         "parts[0].layers: an object with names of layers is expected, not an array"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": 1}}]}",
         "parts[0].layers.fat: an object is expected, not 1"},
        {"{\"volume\": 0.5}", "volume: an object is expected, not 0.5"},
        {"{\"volume\": {\"reach\": true}}",
         "volume.reach: a number from 0 to 10 is expected, not true"},
        {"{\"delta\": \"0.9\"}", "delta: a number above 0, up to 1, is expected, not \"0.9\""},
        {"{\"firm\": true}", "firm: \"auto\" or an array of names is expected, not true"},
        {"{\"firm\": {}}", "firm: \"auto\" or an array of names is expected, not an object"},
        {"{\"firm\": [1]}", "firm[0]: a name is expected, not 1"},
        {"{\"firm\": [\"\"]}", "firm[0]: a name is expected, not \"\""},
        {"{\"cuts\": 1}", "cuts: an array of cuts is expected, not 1"},
        {"{\"cuts\": [{\"joints\": \"a\"}]}",
         "cuts[0].joints: an array of two names is expected, not \"a\""},
        {"{\"cuts\": [{\"joints\": [\"a\", 1]}]}", "cuts[0].joints[1]: a name is expected, not 1"},
        {"{\"cuts\": [{\"joints\": [\"a\", \"b\"], \"cut\": 1}]}",
         "cuts[0].cut: true, false or \"all\" is expected, not 1"},
        {"{\"cuts\": [{\"joints\": [\"a\", \"b\"], \"cut\": \"some\"}]}",
         "cuts[0].cut: true, false or \"all\" is expected, not \"some\""},
        {"{\"parts\": [{\"joint\": \"a\", \"mirror\": \"x\"}]}",
         "parts[0].mirror: true or false is expected, not \"x\""},
        {"{\"parts\": [{\"joint\": \"a\", \"bone\": 0.3}]}",
         "parts[0].bone: an object is expected, not 0.3"},
        {"{\"parts\": [{\"joint\": \"a\", \"limit\": 1}]}",
         "parts[0].limit: an object is expected, not 1"},
        {"{\"heat\": {}}", "heat: an array of joints and their heat is expected, not an object"},
        {"{\"heat\": [\"a\"]}", "heat[0]: an object is expected, not \"a\""},
        {"{\"paint\": \"_FAT\"}", "paint: an object is expected, not \"_FAT\""},
        {"{\"paint\": {\"fat\": 1}}", "paint.fat: a name is expected, not 1"},
        {"{\"paint\": {\"stiffness\": \"\"}}", "paint.stiffness: a name is expected, not \"\""},
        {"{\"$schema\": 1}", "$schema: a text is expected, not 1"},
        {"{\"limit\": false}", "limit: an object is expected, not false"},
        {"{\"meshes\": []}", "meshes: an object is expected, not an array"},
        {"{\"meshes\": {\"roles\": []}}",
         "meshes.roles: an object with names of meshes is expected, not an array"},
        {"{\"meshes\": {\"include\": \"a\"}}",
         "meshes.include: an array of names is expected, not \"a\""},
        {"{\"joints\": {\"exclude\": [\"a\", 3]}}", "joints.exclude[1]: a name is expected, not 3"},
        {"{\"limits\": 5}", "limits: an object is expected, not 5"});
}

TLW_TEST(recipe_names_invalid_fractions) {
    CHECK_MISTAKES(
        {"{\"bone\": {\"share\": 1.5}}", "bone.share: a number from 0 to 1, or [numerator, "
                                         "denominator], is expected, not 1.5"},
        {"{\"bone\": {\"share\": -0.1}}", "bone.share: a number from 0 to 1, or [numerator, "
                                          "denominator], is expected, not -0.1"},
        {"{\"bone\": {\"share\": \"1/3\"}}", "bone.share: a number from 0 to 1, or [numerator, "
                                             "denominator], is expected, not \"1/3\""},
        {"{\"bone\": {\"share\": 0.3333333}}", "bone.share: 0.3333333 has more than 6 decimals; "
                                               "write it as [numerator, denominator]"},
        {"{\"bone\": {\"share\": 1e-7}}", "bone.share: 1e-07 has more than 6 decimals; write it "
                                          "as [numerator, denominator]"},
        {"{\"bone\": {\"share\": [1]}}",
         "bone.share: [numerator, denominator] is expected, not 1 elements"},
        {"{\"bone\": {\"share\": [1, 0]}}",
         "bone.share[1]: an integer from 1 to 1000000 is expected, not 0"},
        {"{\"bone\": {\"share\": [0.5, 1]}}",
         "bone.share[0]: an integer from 0 to 1000000 is expected, not 0.5"},
        {"{\"bone\": {\"share\": [1, 1000001]}}",
         "bone.share[1]: an integer from 1 to 1000000 is expected, not 1000001"},
        {"{\"bone\": {\"share\": [4, 3]}}", "bone.share: 4/3 is more than 1"},
        {"{\"parts\": [{\"joint\": \"a\", \"bone\": {\"share\": 2}}]}",
         "parts[0].bone.share: a number from 0 to 1, or [numerator, denominator], is expected, not "
         "2"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"muscle\": {\"ratio\": [3, 2]}}}]}",
         "parts[0].layers.muscle.ratio: 3/2 is more than 1"});
}

#define NAMED(name) "{\"name\": \"" name "\", \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 1}"

TLW_TEST(recipe_names_what_is_wrong_with_layers) {
    CHECK_MISTAKES(
        {"{\"layers\": []}", "layers: 2 to 8 layers are possible, not 0"},
        {"{\"layers\": [{\"name\": \"bone\"}]}", "layers: 2 to 8 layers are possible, not 1"},
        {"{\"layers\": [{}, {}, {}, {}, {}, {}, {}, {}, {}]}",
         "layers: 2 to 8 layers are possible, not 9"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"stiffness\": 1}]}",
         "layers[1].name: missing; a name is expected"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"fat\"}, {\"name\": \"fat\"}]}",
         "layers[2].name: \"fat\" is the name of layers[1] already"},
        {"{\"layers\": [{\"name\": \"skin\"}, {\"name\": \"fat\"}, {\"name\": \"bone\"}]}",
         "layers[0].name: skin is the last layer: they go from the inside out"},
        {"{\"layers\": [{\"name\": \"core\"}, {\"name\": \"fat\"}, {\"name\": \"bone\"}]}",
         "layers[2].name: bone is the first layer: they go from the inside out"},
        {"{\"layers\": [{\"name\": \"bone\", \"ratio\": 0.1}, {\"name\": \"skin\"}]}",
         "layers[0].ratio: the first layer, bone, has no ratio; only layers between have one"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"skin\", \"ratio\": 1}]}",
         "layers[1].ratio: the last layer, skin, has no ratio; only layers between have one"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"fat\", \"ratio\": 0.9},"
         " {\"name\": \"skin\"}]}",
         "layers[1].ratio: the layer below the skin takes what is left: leave its ratio out, or "
         "write 1, not 9/10"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\"},"
         " {\"name\": \"gland\", \"ratio\": 0.6, \"stiffness\": 1, \"damping\": 1},"
         " {\"name\": \"fat\"}, {\"name\": \"skin\"}]}",
         "layers[2].ratio: layers out of order: 6/10 does not come after the 6/10 of \"muscle\""},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\", \"ratio\": [2, 3]},"
         " {\"name\": \"gland\", \"ratio\": 0.5, \"stiffness\": 1, \"damping\": 1},"
         " {\"name\": \"fat\"}, {\"name\": \"skin\"}]}",
         "layers[2].ratio: layers out of order: 5/10 does not come after the 2/3 of \"muscle\""},
        {"{\"layers\": [{\"name\": \"bone\"}, " NAMED("a") ", " NAMED(
             "b") ", {\"name\": \"skin\"}]}",
         "layers[1].ratio: missing; a number from 0 to 1, or [numerator, denominator], is "
         "expected"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"a\"}, {\"name\": \"skin\"}]}",
         "layers[1].stiffness: missing; a number (only bone, muscle, fat and skin have defaults) "
         "is expected"},
        {"{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"a\", \"stiffness\": 1},"
         " {\"name\": \"skin\"}]}",
         "layers[1].damping: missing; a number (only bone, muscle, fat and skin have defaults) is "
         "expected"},
        {"{\"layers\": [{\"name\": \"0123456789012345678901234567890123456789012345678901234567890"
         "123\"}, {\"name\": \"skin\"}]}",
         "layers[0].name: a name of 64 bytes; 63 is the limit"});
}

#define TWO_RATIOS                                                                                \
    "{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\", \"ratio\": 0.4},"                 \
    " {\"name\": \"gland\", \"ratio\": 0.6, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 1}," \
    " {\"name\": \"fat\"}, {\"name\": \"skin\"}], \"parts\": [{\"joint\": \"a\", \"layers\": "

// A part's ratios ascend together with those of the layers that it leaves alone.
TLW_TEST(recipe_names_what_is_wrong_with_ratios_of_parts) {
    CHECK_MISTAKES(
        {TWO_RATIOS "{\"bone\": {\"ratio\": 0.1}}}]}",
         "parts[0].layers.bone.ratio: the first layer, bone, has no ratio; only layers between "
         "have "
         "one"},
        {TWO_RATIOS "{\"skin\": {\"ratio\": 1}}}]}",
         "parts[0].layers.skin.ratio: the last layer, skin, has no ratio; only layers between have "
         "one"},
        {TWO_RATIOS "{\"fat\": {\"ratio\": 0.9}}}]}",
         "parts[0].layers.fat.ratio: the layer below the skin takes what is left: leave its ratio "
         "out, or write 1, not 9/10"},
        {TWO_RATIOS "{\"muscle\": {\"ratio\": 0.7}}}]}",
         "parts[0].layers.muscle.ratio: layers out of order: 6/10 does not come after the 7/10 of "
         "\"muscle\""},
        {TWO_RATIOS "{\"gland\": {\"ratio\": 0.4}}}]}",
         "parts[0].layers.gland.ratio: layers out of order: 4/10 does not come after the 4/10 of "
         "\"muscle\""},
        {TWO_RATIOS "{\"muscle\": {\"ratio\": 0.9}, \"gland\": {\"ratio\": 0.8}}}]}",
         "parts[0].layers.gland.ratio: layers out of order: 8/10 does not come after the 9/10 of "
         "\"muscle\""});
    tlw_recipe recipe =
        fixture_read(TWO_RATIOS "{\"muscle\": {\"ratio\": 0.7}, \"gland\": {\"ratio\": 0.8}}}]}");
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_names_contradictions) {
    CHECK_MISTAKES(
        {"{\"resolution\": 48, \"voxel_size\": 0.1}",
         "voxel_size: resolution is given as well; one of the two decides"},
        {"{\"bone\": {\"share\": 0.3, \"radius\": 2}}",
         "bone.radius: share is given as well; one of the two decides"},
        {"{\"anchor_hz\": 3, \"delta\": 0.9}",
         "delta: anchor_hz is given as well; one of the two decides"},
        {"{\"layers\": [{\"name\": \"bone\", \"delta\": 1, \"anchor_hz\": 0}, {\"name\": "
         "\"skin\"}]}",
         "layers[0].delta: anchor_hz is given as well; one of the two decides"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": {\"delta\": 1, \"anchor_hz\": "
         "0}}}]}",
         "parts[0].layers.fat.delta: anchor_hz is given as well; one of the two decides"},
        {"{\"parts\": [{\"layers\": {}}]}", "parts[0].joint: missing; a name is expected"},
        {"{\"parts\": [{\"joint\": \"a\", \"bone\": {\"radius\": 2, \"share\": 0.3}}]}",
         "parts[0].bone.radius: share is given as well; one of the two decides"},
        {"{\"heat\": [{\"energy\": 2}]}", "heat[0].joint: missing; a name is expected"},
        {"{\"heat\": [{\"joint\": \"a\"}, {\"joint\": \"b\"}, {\"joint\": \"a\"}]}",
         "heat[2].joint: \"a\" has heat already, heat[0]"},
        {"{\"paint\": {\"fat\": \"COLOR_0.red\"}}",
         "paint.fat: \"red\" is no component; allowed: r, g, b, a, x, y, z, w"},
        {"{\"paint\": {\"fat\": \".r\"}}",
         "paint.fat: an attribute's name is expected before the dot"},
        {"{\"extend\": \"studio.json\"}",
         "extend: a recipe that is not read from a file extends none"},
        {"{\"parts\": [{\"joint\": \"a\", \"layers\": {}}, {\"joint\": \"a\", \"layers\": {}}]}",
         "parts[1].joint: \"a\" has a part already, parts[0]"},
        {"{\"cuts\": [{}]}", "cuts[0].joints: missing; an array of two names is expected"},
        {"{\"cuts\": [{\"joints\": [\"a\"]}]}", "cuts[0].joints: two names are expected, not 1"},
        {"{\"cuts\": [{\"joints\": [\"a\", \"a\"]}]}",
         "cuts[0].joints: two joints are expected, not \"a\" twice"},
        {"{\"cuts\": [{\"joints\": [\"a\", \"b\"]}, {\"joints\": [\"b\", \"a\"], \"cut\": false}]}",
         "cuts[1].joints: this pair has a cut already, cuts[0]"},
        {"{\"meshes\": {\"roles\": {\"\": \"ride\"}}}",
         "meshes.roles[\"\"]: a mesh without a name cannot be named"},
        {"{\"meshes\": {\"include\": [\"a\", \"b\", \"a\"]}}",
         "meshes.include[2]: \"a\" is in the list already, as [0]"},
        {"{\"meshes\": {\"include\": [\"a\", \"b\"], \"exclude\": [\"c\", \"b\"]}}",
         "meshes.exclude[1]: \"b\" is included as well, as include[1]"},
        {"{\"joints\": {\"include\": [\"a\"], \"exclude\": [\"a\"]}}",
         "joints.exclude[0]: \"a\" is included as well, as include[0]"});
}

TLW_TEST(recipe_shortens_long_names_between_characters) {
    CHECK_MISTAKES(
        {"{\"weights\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA4z\"}",
         "weights: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\" is not "
         "known; allowed: auto, artist, heat, diffusion, geodesic"});
}

TLW_TEST(recipe_refuses_lists_beyond_the_limit) {
    char* text = malloc(TLW_RECIPE_BYTES_MAX);
    CHECK(text != NULL);
    size_t used = (size_t)sprintf(text, "{\"joints\": {\"exclude\": [");
    for (uint32_t i = 0; i <= TLW_RECIPE_LIST_MAX; ++i) {
        used += (size_t)sprintf(text + used, "%s\"joint %u\"", i > 0 ? ", " : "", i);
        if (i + 1 == TLW_RECIPE_LIST_MAX) {
            memcpy(text + used, "]}}", 4);
            tlw_recipe recipe = fixture_read(text);
            CHECK_EQ(recipe.cook.excluded_joint_count, TLW_RECIPE_LIST_MAX);
            CHECK_STRING(recipe.cook.excluded_joints[4095], "joint 4095");
            tlw_recipe_free(&recipe);
        }
    }
    memcpy(text + used, "]}}", 4);
    check_refused(text, strlen(text), "joints.exclude: 4097 elements; 4096 is the limit");
    free(text);
}

// The distance at which a known word is meant, or -1 where it is not.
static int distance_to(const char* word, const char* known) {
    tlw_nearest nearest = {.word = word};
    tlw_nearest_try(&nearest, known);
    return nearest.best ? (int)nearest.distance : -1;
}

TLW_TEST(a_word_is_meant_if_a_third_of_its_letters_or_fewer_are_wrong) {
    static const struct {
        const char *word, *known;
        int distance;
    } pairs[] = {
        {"stiffness", "stiffness", 0},
        {"Stiffness", "stiffness", 0},
        {"ttiffness", "stiffness", 1},
        {"tiffness", "stiffness", 1},
        {"xstiffness", "stiffness", 1},
        {"tsiffness", "stiffness", 1},
        {"stifnes", "stiffness", 2},
        {"iffness", "stiffness", 2},
        {"ffness", "stiffness", 3},
        {"fness", "stiffness", -1},
        {"xyzstiffness", "stiffness", 3},
        {"xyfirm", "firm", 2},
        {"xyzfirm", "firm", -1},
        {"fimr", "firm", 1},
        {"f", "firm", -1},
        {"fir", "firm", 1},
        {"firmness", "firm", 4},
        {"firmxx", "firm", 2},
        {"damp", "damping", 3},
        {"da", "damping", -1},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(pairs); ++i) {
        const int there = distance_to(pairs[i].word, pairs[i].known);
        const int back = distance_to(pairs[i].known, pairs[i].word);
        if (there != pairs[i].distance || back != pairs[i].distance) {
            tlw_test_fail(__FILE__, __LINE__, "from '%s' to '%s' it is %d, and back %d, not %d",
                          pairs[i].word, pairs[i].known, there, back, pairs[i].distance);
        }
    }
}
