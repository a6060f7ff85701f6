// SPDX-License-Identifier: MIT
// What a good recipe becomes: defaults, every key, presets, exact fractions. The example has every
// key.
#include "tests/recipe/recipe_fixture.h"

TLW_TEST(recipe_without_keys_is_the_default_recipe) {
    tlw_recipe recipe = tlw_default_recipe();
    fixture_check_defaults(&recipe);
    tlw_recipe_free(&recipe);
    recipe = fixture_read("{}");
    fixture_check_defaults(&recipe);
    tlw_recipe_free(&recipe);
    recipe = fixture_read(" \r\n\t{ \n}\n");
    fixture_check_defaults(&recipe);
    tlw_recipe_free(&recipe);
}

// Written out as the README's table has them.
TLW_TEST(recipe_that_repeats_every_default_is_the_default_recipe) {
    tlw_recipe recipe = fixture_read(
        "{\"resolution\": 48, \"region_width\": 3, \"neighbours\": 26, \"weights\": \"auto\","
        " \"smoothing\": 4, \"skinning\": \"linear\", \"volume\": {\"reach\": 0.5},"
        " \"preset\": \"default\", \"profiles\": {},"
        " \"layers\": [{\"name\": \"bone\", \"stiffness\": 0, \"damping\": 0, \"anchor_hz\": 0},"
        "   {\"name\": \"muscle\", \"stiffness\": 2, \"damping\": 0.4, \"anchor_hz\": 6,"
        "    \"ratio\": 0.6},"
        "   {\"name\": \"fat\", \"stiffness\": 0.03, \"damping\": 0.7, \"anchor_hz\": 3.5,"
        "    \"ratio\": 1},"
        "   {\"name\": \"skin\", \"stiffness\": 0.6, \"damping\": 0.65, \"anchor_hz\": 3.5}],"
        " \"bone\": {\"share\": 0.34}, \"parts\": [], \"firm\": \"auto\", \"cuts\": [],"
        " \"limit\": {\"extent\": 0.1, \"thickness\": 0.6},"
        " \"limbs\": false, \"auto_bulge\": 1, \"muscles\": [], \"rest_gravity\": [0, 0, -0.0],"
        " \"meshes\": {\"roles\": {}, \"include\": [], \"exclude\": []},"
        " \"joints\": {\"include\": [], \"exclude\": []},"
        " \"embedding\": \"fit\", \"seam_passes\": 5, \"ring_normals\": false,"
        " \"limits\": {\"voxels\": 4000000, \"memory_mb\": 4096}, \"metres_per_unit\": 1}");
    fixture_check_defaults(&recipe);
    tlw_recipe_free(&recipe);
    recipe =
        fixture_read("{\"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\"},"
                     " {\"name\": \"fat\"}, {\"name\": \"skin\"}], \"bone\": {}, \"limit\": {},"
                     " \"meshes\": {}, \"joints\": {}, \"limits\": {}}");
    fixture_check_defaults(&recipe);
    tlw_recipe_free(&recipe);
}

static void check_lame(const tlw_cook_lame* found, tlw_cook_lame want) {
    CHECK_EQ(found->solver, want.solver);
    CHECK_EQ(found->young_kpa, want.young_kpa);
    CHECK_EQ(found->poisson, want.poisson);
    CHECK_EQ(found->density, want.density);
}

static void check_layer(const tlw_cook_layer* layer, const char* name, uint32_t numerator,
                        uint32_t denominator, float stiffness, float damping, float anchor_hz) {
    CHECK_STRING(layer->name, name);
    CHECK_EQ(layer->ratio.numerator, numerator);
    CHECK_EQ(layer->ratio.denominator, denominator);
    CHECK_EQ(layer->stiffness, stiffness);
    CHECK_EQ(layer->damping, damping);
    CHECK_EQ(layer->anchor_hz, anchor_hz);
}

// Per layer: stiffness, damping, anchor, limit scale.
static void check_profile_part(const tlw_cook_profile_part* part, const float want[][4]) {
    for (int i = 0; i < TLW_COOK_LAYERS_MAX; ++i) {
        const bool is_layer = i < 5;
        CHECK_EQ(part->stiffness[i], is_layer ? want[i][0] : -1.0f);
        CHECK_EQ(part->damping[i], is_layer ? want[i][1] : -1.0f);
        CHECK_EQ(part->anchor_hz[i], is_layer ? want[i][2] : -1.0f);
        CHECK_EQ(part->limit_scale[i], is_layer ? want[i][3] : -1.0f);
    }
}

// The whole character with preset and layers comes first, then the parts.
static void check_example_profiles(const tlw_cook_recipe* cook) {
    static const float none[5][4] = {
        {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}};
    static const float tense[5][4] = {{-1, -1, -1, -1},
                                      {2.5f, 0.3f, 8, -1},    // muscle of athletic
                                      {1.25f, 0.5f, 5, -1},   // gland: athletic's fat
                                      {0.3f, 0.25f, 7, 0.5f}, // fat
                                      {1.5f, 0.5f, 5, -1}};   // skin
    static const float belly[5][4] = {
        {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {3, 0.1f, 9, 2}, {-1, -1, -1, -1}};
    static const float water[5][4] = {
        {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, 0.2f, -1, -1}};
    CHECK_EQ(cook->profile_count, 2);
    CHECK_STRING(cook->profiles[0].name, "tense");
    CHECK_EQ(cook->profiles[0].part_count, 3);
    CHECK_EQ(cook->profiles[0].parts[0].joint, NULL);
    check_profile_part(&cook->profiles[0].parts[0], tense);
    CHECK_STRING(cook->profiles[0].parts[1].joint, "belly");
    check_profile_part(&cook->profiles[0].parts[1], belly);
    CHECK_STRING(cook->profiles[0].parts[2].joint, "hand.L");
    check_profile_part(&cook->profiles[0].parts[2], none);
    CHECK_STRING(cook->profiles[1].name, "under water");
    CHECK_EQ(cook->profiles[1].part_count, 1);
    CHECK_EQ(cook->profiles[1].parts[0].joint, NULL);
    check_profile_part(&cook->profiles[1].parts[0], water);
}

TLW_TEST(recipe_example_reaches_every_field) {
    size_t size;
    char* text = fixture_load("example.json", &size);
    tlw_recipe recipe = fixture_read(text);
    // The recipe owns what it points to.
    memset(text, 'x', size);
    free(text);
    const tlw_cook_recipe* cook = &recipe.cook;
    CHECK_EQ(cook->resolution, 64);
    CHECK_EQ(cook->voxel_metres, 0.0);
    CHECK_EQ(cook->region_width, 2);
    CHECK_EQ(cook->neighbours, 18);
    CHECK_EQ(cook->weights, TLW_WEIGHTS_ARTIST);
    CHECK_EQ(cook->smoothing_passes, 2);
    CHECK_EQ(cook->skinning, TLW_SKINNING_DUAL);
    CHECK_EQ(cook->volume_reach, 0.75f);
    CHECK_EQ(cook->layer_count, 5);
    check_layer(&cook->layers[0], "bone", 1, 1, 0.0f, 0.0f, 1.5f);
    check_layer(&cook->layers[1], "muscle", 25, 100, 2.5f, 0.6f, 5.0f);
    check_layer(&cook->layers[2], "gland", 2, 3, 0.8f, 0.45f, 1.5f);
    check_layer(&cook->layers[3], "fat", 1, 1, 0.5f, 0.6f, 1.5f);
    check_layer(&cook->layers[4], "skin", 1, 1, 1.5f, 0.5f, 1.5f);
    CHECK_EQ(cook->bone_share.numerator, 3);
    CHECK_EQ(cook->bone_share.denominator, 10);
    CHECK_EQ(cook->bone_radius_voxels, -1);
    CHECK_EQ(cook->heat_count, 2);
    CHECK_STRING(cook->heat[0].joint, "belly");
    CHECK_EQ(cook->heat[0].strength, 4.0f);
    CHECK_EQ(cook->heat[0].energy, 0.5f);
    CHECK_STRING(cook->heat[1].joint, "head");
    CHECK_EQ(cook->heat[1].strength, 1.0f);
    CHECK_EQ(cook->heat[1].energy, 1.0f);
    CHECK_EQ(cook->part_count, 3);
    CHECK_STRING(cook->parts[2].joint, "thigh.L");
    for (int i = 0; i < 3; ++i) {
        const tlw_cook_part* part = &cook->parts[i];
        CHECK_EQ(part->is_mirrored, i == 2);
        CHECK_EQ(part->bone_share.numerator, i == 1 ? 2 : 0);
        CHECK_EQ(part->bone_share.denominator, i == 1 ? 10 : 0);
        CHECK_EQ(part->bone_radius_voxels, TLW_COOK_KEEP);
        CHECK_EQ(part->limit_extent, i == 1 ? 0.12f : -1.0f);
        CHECK_EQ(part->limit_thickness, i == 1 ? 0.8f : -1.0f);
        for (int k = 0; k < TLW_COOK_LAYERS_MAX; ++k) {
            const bool has_ratio = (i == 1 && k == 1) || (i == 2 && k == 2);
            CHECK_EQ(part->ratio[k].numerator, !has_ratio ? 0 : i == 1 ? 2 : 1);
            CHECK_EQ(part->ratio[k].denominator, !has_ratio ? 0 : i == 1 ? 10 : 2);
        }
    }
    CHECK_STRING(cook->parts[0].joint, "head");
    CHECK_STRING(cook->parts[1].joint, "belly");
    const tlw_cook_lame belly = {TLW_SOLVER_LAME, 2.0f, 0.49f, 900.0f};
    check_lame(&cook->layers[2].lame, tlw_default_cook_lame());
    check_lame(&cook->layers[3].lame, (tlw_cook_lame){TLW_SOLVER_SHAPE, 2.5f, 0.48f, 920.0f});
    for (int i = 0; i < TLW_COOK_LAYERS_MAX; ++i) {
        CHECK_EQ(cook->parts[0].stiffness[i], i == 3 ? 4.0f : i == 4 ? 5.0f : -1.0f);
        CHECK_EQ(cook->parts[0].damping[i], i == 3 ? 0.2f : -1.0f);
        CHECK_EQ(cook->parts[1].stiffness[i], -1.0f);
        CHECK_EQ(cook->parts[1].damping[i], i == 3 ? 0.8f : -1.0f);
        CHECK_EQ(cook->parts[0].anchor_hz[i], -1.0f);
        CHECK_EQ(cook->parts[1].anchor_hz[i], i == 3 ? 2.5f : -1.0f);
        check_lame(&cook->parts[0].lame[i], tlw_default_cook_lame());
        check_lame(&cook->parts[1].lame[i], i == 3 ? belly : tlw_default_cook_lame());
    }
    CHECK(!cook->is_firm_auto);
    CHECK_EQ(cook->firm_joint_count, 2);
    CHECK_STRING(cook->firm_joints[0], "hand.L");
    CHECK_STRING(cook->firm_joints[1], "hand.R");
    check_example_profiles(cook);
    CHECK_STRING(recipe.paint[TLW_PAINT_FAT], "_FAT");
    CHECK_STRING(recipe.paint[TLW_PAINT_STIFFNESS], "COLOR_0.r");
    CHECK_EQ(cook->cut_count, 3);
    CHECK_STRING(cook->cuts[2].joint_a, "head");
    CHECK_EQ(cook->cuts[2].kind, TLW_CUT_ALL);
    CHECK_STRING(cook->cuts[0].joint_a, "thigh.L");
    CHECK_STRING(cook->cuts[0].joint_b, "thigh.R");
    CHECK_EQ(cook->cuts[0].kind, TLW_CUT_FORCED);
    CHECK_STRING(cook->cuts[1].joint_a, "neck");
    CHECK_STRING(cook->cuts[1].joint_b, "head");
    CHECK_EQ(cook->cuts[1].kind, TLW_CUT_NEVER);
    CHECK_EQ(cook->limit_extent, 0.08f);
    CHECK_EQ(cook->limit_thickness, 0.5f);
    CHECK(cook->has_limbs);
    CHECK_EQ(cook->rest_gravity[0], 0.0f);
    CHECK_EQ(cook->rest_gravity[1], -9.81f);
    CHECK_EQ(cook->rest_gravity[2], 0.5f);
    CHECK_EQ(cook->embedding, TLW_COOK_EMBED_RBF);
    CHECK_EQ(cook->seam_passes, 3);
    CHECK(cook->has_ring_normals);
    CHECK_EQ(recipe.role_count, 3);
    CHECK_STRING(recipe.roles[0].name, "body");
    CHECK_EQ(recipe.roles[0].role, TLW_ROLE_VOXELISE);
    CHECK_STRING(recipe.roles[1].name, "left eye");
    CHECK_EQ(recipe.roles[1].role, TLW_ROLE_RIDE);
    CHECK_STRING(recipe.roles[2].name, "cage");
    CHECK_EQ(recipe.roles[2].role, TLW_ROLE_IGNORE);
    CHECK_EQ(recipe.included_mesh_count, 2);
    CHECK_STRING(recipe.included_meshes[0], "body");
    CHECK_STRING(recipe.included_meshes[1], "left eye");
    CHECK_EQ(recipe.excluded_mesh_count, 1);
    CHECK_STRING(recipe.excluded_meshes[0], "hair");
    CHECK_EQ(recipe.included_joint_count, 1);
    CHECK_STRING(recipe.included_joints[0], "hips");
    CHECK_EQ(cook->excluded_joint_count, 2);
    CHECK_STRING(cook->excluded_joints[0], "tail");
    CHECK_STRING(cook->excluded_joints[1], "prop");
    CHECK_EQ(cook->max_voxels, 200000);
    CHECK_EQ(cook->max_memory_bytes, (uint64_t)512 << 20);
    CHECK_EQ(recipe.metres_per_unit, 0.01);
    CHECK_EQ(cook->cookie, tlw_default_cook_recipe().cookie);
    tlw_recipe_free(&recipe);
}

// Paths of all keys of a JSON text, in the parser's notation, one per line. `names` marks objects
// whose keys are names that a person chooses. The text is known to be valid.
static void list_keys(const char* text, char* paths, size_t room) {
    static const char* const names[] = {"parts[].layers",
                                        "meshes.roles",
                                        "profiles",
                                        "profiles.*.layers",
                                        "profiles.*.parts[].layers",
                                        "muscles[].line[].joints",
                                        "view.tensions",
                                        "view.layers",
                                        "view.parts[].layers",
                                        "muscles[].fields[].joints"};
    char path[256] = "";
    size_t lengths[16] = {0}, depth = 0, used = 0; // path's length at each open bracket
    paths[0] = 0;
    for (const char* at = text; *at; ++at) {
        if (*at == '{' || *at == '[') {
            lengths[++depth] = strlen(path);
            if (*at == '[') {
                snprintf(path + strlen(path), sizeof path - strlen(path), "[]");
                lengths[depth] = strlen(path);
            }
        } else if (*at == '}' || *at == ']') {
            path[lengths[depth--]] = 0;
        } else if (*at == '"') {
            const char* end = strchr(at + 1, '"');
            if (end[1] == ':') {
                path[lengths[depth]] = 0;
                bool is_name = false;
                for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
                    is_name = is_name || strcmp(path, names[i]) == 0;
                }
                snprintf(path + strlen(path), sizeof path - strlen(path), "%s%.*s",
                         path[0] ? "." : "", is_name ? 1 : (int)(end - at - 1),
                         is_name ? "*" : at + 1);
                used += (size_t)snprintf(paths + used, room - used, "%s\n", path);
                CHECK_LT(used, room);
            }
            at = end;
        }
    }
}

static void check_in_example(const tlw_recipe_key_info* key, void* user) {
    char line[256];
    snprintf(line, sizeof line, "\n%s\n", key->path);
    // The parser refuses both of two keys that exclude each other, and files that are not there.
    if (key->instead_of || strcmp(key->path, "extend") == 0) {
        CHECK(strstr(user, line) == NULL);
    } else {
        CHECK_CONTAINS((const char*)user, line);
    }
}

// The parser refuses unknown keys, so the example has no others.
TLW_TEST(recipe_example_has_every_key) {
    size_t size;
    char paths[4096] = "\n";
    char* text = fixture_load("example.json", &size);
    list_keys(text, paths + 1, sizeof paths - 1);
    tlw_recipe_for_each_key(check_in_example, paths);
    tlw_recipe recipe = fixture_read(text);
    tlw_recipe_free(&recipe);
    free(text);
}

TLW_TEST(recipe_takes_what_the_example_cannot_show) {
    tlw_recipe recipe =
        fixture_read("{\"voxel_size\": 0.025, \"bone\": {\"radius\": 0},"
                     " \"weights\": \"geodesic\", \"anchor_hz\": 0, \"smoothing\": 0,"
                     " \"firm\": [], \"$schema\": \"\","
                     " \"parts\": [{\"joint\": \"a\", \"bone\": {\"radius\": 0}}],"
                     " \"cuts\": [{\"joints\": [\"a\", \"b\"]}]}");
    CHECK_EQ(recipe.cook.resolution, 0);
    CHECK_EQ(recipe.cook.voxel_metres, 0.025);
    CHECK_EQ(recipe.cook.bone_radius_voxels, 0);
    CHECK_EQ(recipe.cook.weights, TLW_WEIGHTS_GEODESIC);
    CHECK_EQ(recipe.cook.parts[0].bone_radius_voxels, 0);
    CHECK_EQ(recipe.cook.parts[0].bone_share.denominator, 0);
    CHECK_EQ(recipe.cook.layers[1].anchor_hz, 0.0f);
    CHECK_EQ(recipe.cook.layers[3].anchor_hz, 0.0f);
    CHECK(!recipe.cook.is_firm_auto);
    CHECK_EQ(recipe.cook.firm_joint_count, 0);
    CHECK_EQ(recipe.cook.smoothing_passes, 0);
    CHECK_EQ(recipe.cook.cuts[0].kind, TLW_CUT_FORCED);
    tlw_recipe_free(&recipe);
    // Two layers with names of the studio's own: the first is bone and the last is skin by
    // position.
    recipe = fixture_read("{\"layers\": [{\"name\": \"core\"}, {\"name\": \"hide\"}]}");
    CHECK_EQ(recipe.cook.layer_count, 2);
    check_layer(&recipe.cook.layers[0], "core", 1, 1, 0.0f, 0.0f, 0.0f);
    check_layer(&recipe.cook.layers[1], "hide", 1, 1, 0.6f, 0.65f, 3.5f);
    CHECK_STRING(recipe.cook.layers[2].name, "");
    tlw_recipe_free(&recipe);
    // Minus zero becomes zero, bit for bit.
    recipe = fixture_read("{\"anchor_hz\": -0.0}");
    const float zero = 0.0f;
    CHECK_BYTES(&recipe.cook.layers[1].anchor_hz, &zero, sizeof zero);
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_takes_the_ends_of_every_range) {
    static const char* const texts[] = {
        "{\"resolution\": 2}",
        "{\"resolution\": 1024}",
        "{\"voxel_size\": 0.000001}",
        "{\"voxel_size\": 1000}",
        "{\"region_width\": 2}",
        "{\"region_width\": 3}",
        "{\"neighbours\": 6}",
        "{\"neighbours\": 14}",
        "{\"neighbours\": 20}",
        "{\"smoothing\": 100}",
        "{\"anchor_hz\": 1000}",
        "{\"delta\": 1}",
        "{\"delta\": 5e-324}",
        "{\"volume\": {}}",
        "{\"limbs\": true}",
        "{\"rest_gravity\": [-1e6, 1000000, 1e-300]}",
        "{\"volume\": {\"reach\": 0}}",
        "{\"volume\": {\"reach\": 10}}",
        "{\"skinning\": \"dual\"}",
        "{\"profiles\": {}}",
        "{\"profiles\": {\"a\": {}, \"A\": {\"layers\": {}, \"parts\": []}}}",
        "{\"profiles\": {\"a\": {\"layers\": {\"bone\": {\"limit\": 0}, \"fat\": {\"stiffness\": "
        "1e6,"
        " \"damping\": 1, \"anchor_hz\": 1000, \"limit\": 1e9}}}}}",
        "{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"x\", \"layers\": {\"fat\": {\"delta\": "
        "1}}}]}}}",
        "{\"profiles\": {\"01234567890123456789012345678901234567890123456789012345678901"
        "2\": {}}}",
        "{\"weights\": \"heat\"}",
        "{\"weights\": \"diffusion\"}",
        "{\"heat\": [{\"joint\": \"a\", \"strength\": 0.001, \"energy\": 1000}]}",
        "{\"heat\": []}",
        "{\"paint\": {\"fat\": \"COLOR_0.w\"}}",
        "{\"paint\": {}}",
        "{\"parts\": [{\"joint\": \"a\"}]}",
        "{\"parts\": [{\"joint\": \"a\", \"mirror\": false, \"bone\": {}, \"limit\": {}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"limit\": {\"extent\": 0.001, \"thickness\": 1000}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"bone\": {\"radius\": 1024}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"bone\": {\"share\": 1}}]}",
        "{\"parts\": [{\"joint\": \"a\", \"layers\": {\"muscle\": {\"ratio\": 0},"
        " \"fat\": {\"ratio\": 1}}}]}",
        "{\"bone\": {\"radius\": 1024}}",
        "{\"bone\": {\"share\": 0}}",
        "{\"bone\": {\"share\": 1}}",
        "{\"limit\": {\"extent\": 0.001, \"thickness\": 1000}}",
        "{\"limits\": {\"voxels\": 1000000000, \"memory_mb\": 1048576}}",
        "{\"limits\": {\"voxels\": 1, \"memory_mb\": 1}}",
        "{\"metres_per_unit\": 1000000}",
        "{\"layers\": [{\"name\": \"bone\"},"
        " {\"name\": \"skin\", \"stiffness\": 1e6, \"damping\": 1}]}",
        "{\"layers\": [{\"name\": \"bone\"},"
        " {\"name\": \"skin\", \"stiffness\": 0, \"damping\": 0}]}",
        "{\"layers\": [{\"name\": \"0\"},"
        " {\"name\": \"1\", \"ratio\": 0.1, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"2\", \"ratio\": 0.2, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"3\", \"ratio\": 0.3, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"4\", \"ratio\": 0.4, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"5\", \"ratio\": 0.5, \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 0},"
        " {\"name\": \"6\", \"stiffness\": 1, \"damping\": 1, \"anchor_hz\": 1000}, {\"name\": "
        "\"7\"}]}"};
    for (size_t i = 0; i < TLW_COUNT_OF(texts); ++i) {
        tlw_recipe recipe = fixture_read(texts[i]);
        tlw_recipe_free(&recipe);
    }
}

TLW_TEST(recipe_presets_are_those_of_the_model) {
    static const struct {
        const char* name;
        float stiffness[3], damping[3], anchor_hz[3];
    } want[] = {{"default", {2.0f, 0.03f, 0.6f}, {0.4f, 0.7f, 0.65f}, {6, 3.5f, 3.5f}},
                {"athletic", {2.5f, 0.3f, 1.5f}, {0.3f, 0.5f, 0.5f}, {8, 5, 5}},
                {"heavy", {1.5f, 0.03f, 0.4f}, {0.4f, 0.6f, 0.55f}, {5, 2.5f, 2.5f}},
                {"bunny", {1.8f, 0.5f, 1.7f}, {0.6f, 0.5f, 0.4f}, {4, 1, 1}},
                {"smurf", {3.2f, 1.2f, 2.8f}, {0.4f, 0.5f, 0.7f}, {4, 1, 1}},
                {"bloat", {3.3f, 0.7f, 3.0f}, {0.7f, 0.5f, 0.6f}, {4, 1, 1}},
                {"bloat-low", {1.9f, 0.9f, 1.3f}, {0.6f, 0.4f, 0.3f}, {4, 1, 1}},
                {"classic", {0.4f, 0.1f, 0.35f}, {0.54f, 0.54f, 0.54f}, {2, 2, 2}}};
    for (size_t i = 0; i < TLW_COUNT_OF(want); ++i) {
        char text[64];
        snprintf(text, sizeof text, "{\"preset\": \"%s\"}", want[i].name);
        tlw_recipe recipe = fixture_read(text);
        for (int k = 0; k < 3; ++k) {
            CHECK_EQ(recipe.cook.layers[k + 1].stiffness, want[i].stiffness[k]);
            CHECK_EQ(recipe.cook.layers[k + 1].damping, want[i].damping[k]);
            CHECK_EQ(recipe.cook.layers[k + 1].anchor_hz, want[i].anchor_hz[k]);
        }
        CHECK_EQ(recipe.cook.layer_count, 4);
        tlw_recipe_free(&recipe);
    }
    // Other keys override a preset, wherever they are in the file.
    tlw_recipe recipe = fixture_read("{\"anchor_hz\": 3, \"preset\": \"bloat\"}");
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(recipe.cook.layers[k + 1].anchor_hz, 3.0f);
    }
    tlw_recipe_free(&recipe);
}

// The top-level key is for every layer that gives no anchor of its own, also for one without
// defaults.
TLW_TEST(recipe_layer_without_an_anchor_takes_that_of_the_whole_recipe) {
    tlw_recipe recipe =
        fixture_read("{\"layers\": [{\"name\": \"bone\"},"
                     " {\"name\": \"gland\", \"ratio\": 0.5, \"stiffness\": 1, \"damping\": 1},"
                     " {\"name\": \"fat\", \"anchor_hz\": 0}, {\"name\": \"skin\"}],"
                     " \"preset\": \"heavy\", \"anchor_hz\": 7}");
    static const float want[] = {7, 7, 0, 7};
    for (int i = 0; i < 4; ++i) {
        CHECK_EQ(recipe.cook.layers[i].anchor_hz, want[i]);
    }
    tlw_recipe_free(&recipe);
    recipe = fixture_read("{\"preset\": \"heavy\", \"layers\": [{\"name\": \"bone\"},"
                          " {\"name\": \"fat\", \"anchor_hz\": 9}, {\"name\": \"skin\"}]}");
    CHECK_EQ(recipe.cook.layers[0].anchor_hz, 0.0f);
    CHECK_EQ(recipe.cook.layers[1].anchor_hz, 9.0f);
    CHECK_EQ(recipe.cook.layers[2].anchor_hz, 2.5f);
    tlw_recipe_free(&recipe);
}

// 0.9 is 3.10 Hz and 0.7 is 5.70 Hz. A delta may stand wherever an anchor may.
TLW_TEST(recipe_delta_is_another_way_to_write_an_anchor) {
    const float slow = tlw_cook_anchor_of_delta(0.9), fast = tlw_cook_anchor_of_delta(0.7);
    CHECK_NEAR(slow, 3.10f, 0.005);
    CHECK_NEAR(fast, 5.70f, 0.005);
    tlw_recipe recipe = fixture_read("{\"preset\": \"heavy\", \"delta\": 0.9}");
    for (int i = 0; i < 4; ++i) {
        CHECK_EQ(recipe.cook.layers[i].anchor_hz, slow);
    }
    tlw_recipe_free(&recipe);
    recipe = fixture_read(
        "{\"layers\": [{\"name\": \"bone\", \"anchor_hz\": 2}, {\"name\": \"muscle\", \"delta\": "
        "1},"
        " {\"name\": \"gland\", \"stiffness\": 1, \"damping\": 1, \"delta\": 0.7}, {\"name\":"
        " \"skin\"}], \"delta\": 0.9,"
        " \"parts\": [{\"joint\": \"a\", \"layers\": {\"gland\": {\"delta\": 0.9}}}],"
        " \"profiles\": {\"p\": {\"preset\": \"heavy\", \"layers\": {\"skin\": {\"delta\": 0.7}},"
        " \"parts\": [{\"joint\": \"a\", \"layers\": {\"muscle\": {\"delta\": 0.9}}}]}}}");
    const float want[] = {2, 0, fast, slow};
    for (int i = 0; i < 4; ++i) {
        CHECK_EQ(recipe.cook.layers[i].anchor_hz, want[i]);
    }
    CHECK_EQ(recipe.cook.parts[0].anchor_hz[2], slow);
    CHECK_EQ(recipe.cook.profiles[0].parts[0].anchor_hz[3], fast);
    CHECK_EQ(recipe.cook.profiles[0].parts[1].anchor_hz[1], slow);
    tlw_recipe_free(&recipe);
}

// Every text with up to 6 decimals becomes exactly that fraction. Tests all of them up to 3
// decimals, and a sample of the longer ones.
TLW_TEST(recipe_decimals_become_exact_fractions) {
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    static const uint32_t strides[] = {1, 1, 1, 1, 7, 61, 613};
    for (int digits = 1; digits <= 6; ++digits) {
        for (uint32_t n = 0; n < powers[digits]; n += strides[digits]) {
            char text[64];
            snprintf(text, sizeof text, "{\"bone\": {\"share\": 0.%0*u}}", digits, n);
            tlw_recipe recipe = fixture_read(text);
            const tlw_cook_fraction f = recipe.cook.bone_share;
            CHECK_EQ((uint64_t)f.numerator * powers[digits], (uint64_t)n * f.denominator);
            CHECK_LE(f.denominator, powers[digits]);
            CHECK(f.denominator == 1 || f.numerator % 10 != 0);
            tlw_recipe_free(&recipe);
        }
    }
    tlw_recipe recipe = fixture_read("{\"bone\": {\"share\": 0.34}}");
    CHECK_EQ(recipe.cook.bone_share.numerator, 34);
    CHECK_EQ(recipe.cook.bone_share.denominator, 100);
    tlw_recipe_free(&recipe);
    recipe = fixture_read("{\"bone\": {\"share\": [1, 3]}}");
    CHECK_EQ(recipe.cook.bone_share.numerator, 1);
    CHECK_EQ(recipe.cook.bone_share.denominator, 3);
    tlw_recipe_free(&recipe);
}
