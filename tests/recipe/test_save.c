// SPDX-License-Identifier: MIT
// Saving a recipe with changed numbers: cooked again, the character has exactly these and no other
// one changed, and the text keeps what it said. The files are in memory.
#include "tests/cook/support/cook_scenes.h"
#include "tests/recipe/recipe_fixture.h"

#include "runtime/blob.h"
#include "tools/recipe/save.h"

#include <math.h>

enum { LAYERS = 4, PARTS = 3, KEYS = 6, JOINTS = 4 };

static const char* const layer_names[LAYERS] = {"bone", "muscle", "fat", "skin"};
// The hand is firm by its name.
static const char* const part_names[PARTS] = {NULL, "arm_l", "hand"};
static const char* const key_names[KEYS] = {"stiffness", "damping", "anchor_hz",
                                            "young_kpa", "poisson", "density"};

#define CHANGE(in_profile, of_part, of_layer, name, value)                              \
    {                                                                                   \
        .profile = (in_profile), .part = (of_part), .layer = (of_layer), .key = (name), \
        .number = (value)                                                               \
    }

// A path and its text; the new file is added behind them.
typedef struct shelf {
    const char* paths[4];
    const char* texts[4];
    char messages[4096]; // of what was left out, a line each
} shelf;

static tlw_result load(const char* path, const void** bytes, size_t* size,
                       char why[TLW_RECIPE_WHY_BYTES], void* user) {
    const shelf* s = user;
    for (size_t i = 0; i < TLW_COUNT_OF(s->paths); ++i) {
        const char* name = s->paths[i] ? strrchr(s->paths[i], '/') : NULL;
        // A path that was rewritten leads to the same file another way: its name tells which it is.
        if (s->paths[i] &&
            (strcmp(s->paths[i], path) == 0 ||
             (name && strrchr(path, '/') && strcmp(name, strrchr(path, '/')) == 0))) {
            *bytes = s->texts[i];
            *size = strlen(s->texts[i]);
            return TLW_OK;
        }
    }
    snprintf(why, TLW_RECIPE_WHY_BYTES, "cannot read '%.200s'", path);
    return TLW_ERROR_CANNOT_READ;
}

static void leave_out(const tlw_recipe_change* change, const char* why, void* user) {
    shelf* s = user;
    const size_t used = strlen(s->messages);
    (void)change;
    snprintf(s->messages + used, sizeof s->messages - used, "%s\n", why);
}

// ---- A thick bar along x on a chain of joints

typedef struct body {
    scene* scene;
    tlw_cook_input input;
    tlw_cook_joint joints[JOINTS];
} body;

static void make_body(body* b) {
    static const char* const names[JOINTS] = {"spine", "arm_l", "arm_r", "hand"};
    static const uint32_t parents[JOINTS] = {TLW_NO_JOINT, 0, 0, 2};
    static const double places[JOINTS] = {0.0, -0.4, 0.4, 0.8};
    b->scene = scene_new();
    scene_add_box(b->scene, (double[3]){-1, -0.3, -0.3}, (double[3]){1, 0.3, 0.3});
    for (uint32_t j = 0; j < JOINTS; ++j) {
        scene_add_joint(b->scene, parents[j], places[j], 0, 0);
    }
    b->input = *scene_input(b->scene);
    memcpy(b->joints, b->input.joints, sizeof b->joints);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        b->joints[j].name = names[j];
    }
    b->input.joints = b->joints;
}

typedef struct cooked {
    tlw_cook_output output;
    tlw_blob blob;
    float numbers[PARTS][LAYERS][KEYS];
    float profile[PARTS][LAYERS][4]; // the one profile
} cooked;

static void read_numbers(cooked* c) {
    uint64_t count, lame_count, profile_count;
    const tlw_blob_material* materials =
        tlw_blob_find(c->output.blob, TLW_SECTION_MATERIALS, &count);
    const tlw_blob_lame* lame = tlw_blob_find(c->output.blob, TLW_SECTION_LAME, &lame_count);
    const tlw_blob_profile_material* profile =
        tlw_blob_find(c->output.blob, TLW_SECTION_PROFILE_MATERIALS, &profile_count);
    CHECK_LE(count, PARTS * LAYERS);
    memset(c->numbers, 0, sizeof c->numbers);
    memset(c->profile, 0, sizeof c->profile);
    for (uint32_t i = 0; i < count; ++i) {
        float* to = c->numbers[i / LAYERS][i % LAYERS];
        memcpy(to, &materials[i], sizeof materials[i]);
        if (lame_count > 0) {
            memcpy(to + 3, &lame[i], sizeof lame[i]);
        }
        if (profile_count > 0) {
            memcpy(c->profile[i / LAYERS][i % LAYERS], &profile[i], sizeof profile[i]);
        }
    }
}

static cooked cook(const body* b, shelf* s, const char* path) {
    const tlw_recipe_loader loader = {load, NULL, s};
    tlw_recipe recipe = tlw_default_recipe();
    tlw_recipe_error error = {0};
    cooked c;
    if (path) {
        (void)tlw_recipe_read_file(path, &loader, &recipe, &error);
    }
    CHECK_STRING(error.message, "");
    recipe.cook.resolution = 12;
    recipe.cook.weights = TLW_WEIGHTS_GEODESIC;
    const tlw_cook_options options = tlw_default_cook_options();
    (void)tlw_cook_character(&b->input, &recipe.cook, &options, &c.output);
    CHECK_STRING(c.output.error.message, "");
    CHECK_EQ(tlw_blob_open(c.output.blob, c.output.blob_bytes, TLW_BLOB_CHECK_ALL, &c.blob, NULL),
             TLW_OK);
    tlw_recipe_free(&recipe);
    read_numbers(&c);
    return c;
}

// The text is put on the shelf as `to`; the caller frees it.
static char* save(shelf* s, const char* to, const tlw_blob* blob, const tlw_recipe_change* changes,
                  uint32_t count) {
    const tlw_recipe_loader loader = {load, NULL, s};
    const tlw_recipe_save_def def = {.from = s->paths[0],
                                     .to = to,
                                     .loader = &loader,
                                     .blob = blob,
                                     .changes = changes,
                                     .change_count = count,
                                     .leave_out = leave_out,
                                     .user = s};
    char* text;
    size_t size;
    tlw_recipe_error error;
    s->messages[0] = 0;
    (void)tlw_recipe_save(&def, &text, &size, &error);
    CHECK_STRING(error.message, "");
    CHECK_EQ(strlen(text), size);
    s->paths[3] = to;
    s->texts[3] = text;
    return text;
}

// ---- Every number

static const char plain_recipe[] =
    "{\n"
    "    \"parts\": [\n"
    "        {\"joint\": \"arm_l\", \"mirror\": true, \"layers\": {\"fat\": {\"stiffness\": "
    "0.25}}}\n"
    "    ],\n"
    "    \"profiles\": {\"soft\": {\"layers\": {\"fat\": {\"damping\": 0.75}},\n"
    "        \"parts\": [{\"joint\": \"arm_r\", \"layers\": {\"fat\": {\"limit\": 2}}}]}}\n"
    "}\n";

// Fat and skin are lame; the part has a modulus of its own, which its skin follows.
static const char lame_base[] =
    "{\"preset\": \"heavy\", \"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\"},\n"
    "  {\"name\": \"fat\", \"solver\": \"lame\", \"young_kpa\": 2.5, \"delta\": 0.9},\n"
    "  {\"name\": \"skin\"}]}";
#define LAME_RECIPE_REST                                                                     \
    "\n \"parts\": [{\"joint\": \"arm_l\", \"layers\": {\"fat\": {\"young_kpa\": 1.5}}}],\n" \
    " \"profiles\": {\"soft\": {\"preset\": \"smurf\"}}}"
static const char lame_recipe[] = "{\"extend\": \"looks/lame.json\"," LAME_RECIPE_REST;

static shelf plain_shelf(void) {
    return (shelf){.paths = {"a/hero.json"}, .texts = {plain_recipe}};
}

static shelf lame_shelf(void) {
    return (shelf){.paths = {"a/hero.json", "a/looks/lame.json"},
                   .texts = {lame_recipe, lame_base}};
}

// In the range of every key, and with as many digits as a float has.
static float other_number(float number, uint32_t key) {
    return key == 5   ? 1001.3847f + number
           : key == 4 ? 0.3f + 0.1f * number
                      : 0.123456789f + number / 3;
}

// Changes one number at a time, and compares all of them.
static void check_each_number(shelf s, bool is_lame) {
    body b;
    make_body(&b);
    cooked before = cook(&b, &s, s.paths[0]);
    for (uint32_t i = 0; i < PARTS * LAYERS * KEYS; ++i) {
        const uint32_t p = i / (LAYERS * KEYS), l = i / KEYS % LAYERS, k = i % KEYS;
        if (k >= 3 && (!is_lame || before.numbers[p][l][5] == 0.0f)) {
            continue;
        }
        const float number = other_number(before.numbers[p][l][k], k);
        const tlw_recipe_change change =
            CHANGE(NULL, part_names[p], layer_names[l], key_names[k], (double)number);
        char* text = save(&s, "a/new.json", &before.blob, &change, 1);
        CHECK_STRING(s.messages, "");
        cooked after = cook(&b, &s, "a/new.json");
        float wanted[PARTS][LAYERS][KEYS];
        memcpy(wanted, before.numbers, sizeof wanted);
        wanted[p][l][k] = number;
        for (uint32_t n = 0; n < PARTS * LAYERS * KEYS; ++n) {
            CHECK_EQ(((float*)after.numbers)[n], ((float*)wanted)[n]);
        }
        tlw_cook_output_free(&after.output);
        free(text);
    }
    tlw_cook_output_free(&before.output);
    scene_free(b.scene);
}

TLW_TEST(save_changes_one_number_and_no_other) {
    check_each_number(plain_shelf(), false);
}

TLW_TEST(save_changes_one_number_of_lame_layers_and_no_other) {
    check_each_number(lame_shelf(), true);
}

TLW_TEST(save_changes_every_number_at_once) {
    shelf s = lame_shelf();
    tlw_recipe_change changes[PARTS * LAYERS * KEYS];
    uint32_t count = 0;
    uint64_t state = 7;
    body b;
    make_body(&b);
    cooked before = cook(&b, &s, s.paths[0]);
    float wanted[PARTS][LAYERS][KEYS];
    memcpy(wanted, before.numbers, sizeof wanted);
    for (uint32_t i = 0; i < PARTS * LAYERS * KEYS; ++i) {
        const uint32_t p = i / (LAYERS * KEYS), l = i / KEYS % LAYERS, k = i % KEYS;
        if (k < 3 || before.numbers[p][l][5] > 0.0f) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const float share = (float)(state >> 40) * 0x1p-24f; // 24 random bits
            wanted[p][l][k] = k == 5 ? 1.0f + 9999.0f * share : k == 4 ? 0.49f * share : share;
            changes[count++] = (tlw_recipe_change)CHANGE(NULL, part_names[p], layer_names[l],
                                                         key_names[k], (double)wanted[p][l][k]);
        }
    }
    char* text = save(&s, "a/new.json", &before.blob, changes, count);
    CHECK_STRING(s.messages, "");
    cooked after = cook(&b, &s, "a/new.json");
    for (uint32_t n = 0; n < PARTS * LAYERS * KEYS; ++n) {
        CHECK_EQ(((float*)after.numbers)[n], ((float*)wanted)[n]);
    }
    tlw_cook_output_free(&after.output);
    tlw_cook_output_free(&before.output);
    free(text);
    scene_free(b.scene);
}

TLW_TEST(save_changes_each_number_of_a_profile_and_no_other) {
    static const char* const names[4] = {"stiffness", "damping", "anchor_hz", "limit"};
    shelf s = plain_shelf();
    body b;
    make_body(&b);
    cooked before = cook(&b, &s, s.paths[0]);
    for (uint32_t i = 0; i < PARTS * LAYERS * 4; ++i) {
        const uint32_t p = i / (LAYERS * 4), l = i / 4 % LAYERS, k = i % 4;
        const float number = other_number(before.profile[p][l][k], k);
        const tlw_recipe_change change =
            CHANGE("soft", part_names[p], layer_names[l], names[k], (double)number);
        char* text = save(&s, "a/new.json", &before.blob, &change, 1);
        CHECK_STRING(s.messages, "");
        cooked after = cook(&b, &s, "a/new.json");
        float wanted[PARTS][LAYERS][4];
        memcpy(wanted, before.profile, sizeof wanted);
        wanted[p][l][k] = number;
        CHECK(memcmp(after.profile, wanted, sizeof wanted) == 0);
        CHECK(memcmp(after.numbers, before.numbers, sizeof after.numbers) == 0);
        tlw_cook_output_free(&after.output);
        free(text);
    }
    tlw_cook_output_free(&before.output);
    scene_free(b.scene);
}

// ---- Nothing else

// The file moves to another folder, so that its text does change.
TLW_TEST(save_without_changes_cooks_the_same_bytes) {
    shelf s = lame_shelf();
    body b;
    make_body(&b);
    cooked before = cook(&b, &s, s.paths[0]);
    char* text = save(&s, "b/c/new.json", &before.blob, NULL, 0);
    CHECK_STRING(text, "{\"extend\": \"../../a/looks/lame.json\"," LAME_RECIPE_REST);
    cooked after = cook(&b, &s, "b/c/new.json");
    CHECK_EQ(after.output.blob_bytes, before.output.blob_bytes);
    CHECK(memcmp(after.output.blob, before.output.blob, before.output.blob_bytes) == 0);
    tlw_cook_output_free(&after.output);
    tlw_cook_output_free(&before.output);
    free(text);
    scene_free(b.scene);
}

static void check_text(const char* recipe, const tlw_recipe_change* changes, uint32_t count,
                       const char* wanted) {
    shelf s = {.paths = {recipe ? "hero.json" : NULL}, .texts = {recipe}};
    char* text = save(&s, "new.json", NULL, changes, count);
    CHECK_STRING(s.messages, "");
    CHECK_STRING(text, wanted);
    free(text);
}
#define CHECK_TEXT(recipe, wanted, ...)                                                      \
    check_text(recipe, (const tlw_recipe_change[]){__VA_ARGS__},                             \
               sizeof((const tlw_recipe_change[]){__VA_ARGS__}) / sizeof(tlw_recipe_change), \
               wanted)

TLW_TEST(save_keeps_the_text_of_what_was_not_changed) {
    // A number that it has already, and one that replaces another way to say it.
    CHECK_TEXT("{ \"layers\" :[{\"name\":\"bone\"},{\"name\":\"m\\u00fcscle\",\"ratio\":1,"
               "\"stiffness\":1.50,\"damping\":5e-1,\"delta\":0.9 },{\"name\":\"skin\"}]}",
               "{ \"layers\" :[{\"name\":\"bone\"},{\"name\":\"m\\u00fcscle\",\"ratio\":1,"
               "\"stiffness\":1.50,\"damping\":5e-1,\"anchor_hz\":2.25 },{\"name\":\"skin\"}]}",
               CHANGE(NULL, NULL, "m\xc3\xbcscle", "stiffness", 1.5),
               CHANGE(NULL, NULL, "m\xc3\xbcscle", "anchor_hz", 2.25));
}

TLW_TEST(save_does_not_take_a_name_for_one_that_begins_with_it) {
    CHECK_TEXT("{\"parts\": [{\"joint\": \"arm\"}, {\"joint\": \"arm_left\"}]}",
               "{\"parts\": [{\"joint\": \"arm\"}, {\"joint\": \"arm_left\", \"layers\": {\"fat\": "
               "{\"damping\": 0.5}}}]}",
               CHANGE(NULL, "arm_left", "fat", "damping", 0.5));
}

TLW_TEST(save_adds_lines_where_the_text_has_lines) {
    CHECK_TEXT("{\n  \"parts\": [\n    {\"joint\": \"a\"}\n  ]\n}\n",
               "{\n  \"parts\": [\n    {\"joint\": \"a\", \"layers\": {\"fat\": {\"damping\": "
               "0.125}}}\n  ],\n  \"limbs\": true\n}\n",
               CHANGE(NULL, "a", "fat", "damping", 0.125), CHANGE(NULL, NULL, NULL, "limbs", 1));
}

// The part keeps what it took from the layer.
TLW_TEST(save_lists_all_layers_where_the_recipe_lists_none) {
    CHECK_TEXT(NULL,
               "{\n    \"layers\": [\n        {\"name\": \"bone\"},\n        {\"name\": "
               "\"muscle\"},\n        {\"name\": \"fat\", \"stiffness\": 0.7},\n        {\"name\": "
               "\"skin\"}\n    ]\n}\n",
               CHANGE(NULL, NULL, "fat", "stiffness", (double)0.7f));
    CHECK_TEXT(
        "{\"preset\": \"smurf\", \"parts\": [{\"joint\": \"a\"}]}",
        "{\"preset\": \"smurf\", \"parts\": [{\"joint\": \"a\", \"layers\": {\"fat\": "
        "{\"stiffness\": 1.2}}}], \"layers\": [{\"name\": \"bone\"}, {\"name\": \"muscle\"}, "
        "{\"name\": \"fat\", \"stiffness\": 2}, {\"name\": \"skin\"}]}",
        CHANGE(NULL, NULL, "fat", "stiffness", 2));
}

TLW_TEST(save_sets_numbers_and_switches_of_the_recipe) {
    CHECK_TEXT(
        "{\"voxel_size\": 0.02, \"volume\": {\"reach\": 1}}",
        "{\"resolution\": 64, \"volume\": {\"reach\": 0.3}, \"limit\": {\"extent\": 0.25}, "
        "\"limbs\": false}",
        CHANGE(NULL, NULL, NULL, "resolution", 64), CHANGE(NULL, NULL, NULL, "volume.reach", 0.3),
        CHANGE(NULL, NULL, NULL, "limit.extent", 0.25), CHANGE(NULL, NULL, NULL, "limbs", 0));
}

// ---- What it cannot say

TLW_TEST(save_names_what_a_recipe_cannot_express) {
    static const tlw_recipe_change changes[] = {
        CHANGE(NULL, NULL, "fat", "limit_scale", 2), CHANGE(NULL, "arm_l", "fat", "young_kpa", 2),
        CHANGE(NULL, "tail", "fat", "stiffness", 2), CHANGE(NULL, "hand", "fat", "damping", 1.5),
        CHANGE(NULL, NULL, "gland", "damping", 0.5), CHANGE("tense", NULL, "fat", "damping", 0.5),
        CHANGE("soft", NULL, "fat", "density", 900), CHANGE(NULL, NULL, NULL, "wind_drag", 0.5),
        CHANGE(NULL, NULL, NULL, "anchor_hz", 2),    CHANGE(NULL, NULL, "fat", "stiffness", NAN),
    };
    shelf s = plain_shelf();
    body b;
    make_body(&b);
    cooked before = cook(&b, &s, s.paths[0]);
    char* text = save(&s, "a/new.json", &before.blob, changes, TLW_COUNT_OF(changes));
    CHECK_STRING(text, plain_recipe);
    CHECK_STRING(s.messages,
                 "fat, limit_scale: a recipe has no such number outside of its profiles\n"
                 "arm_l, fat, young_kpa: the layer is not of solver lame\n"
                 "tail, fat, stiffness: the recipe has no such part\n"
                 "hand, fat, damping: a recipe takes 0 to 1, not 1.5\n"
                 "gland, damping: the recipe has no such layer\n"
                 "tense, fat, damping: the recipe has no such profile\n"
                 "soft, fat, density: a profile has no such number\n"
                 "wind_drag: a recipe has no such number\n"
                 "anchor_hz: change the anchor of layers\n"
                 "fat, stiffness: a recipe takes 0 to 1e+06, not nan\n");
    free(text);
    tlw_cook_output_free(&before.output);
    scene_free(b.scene);
}

// A part of the recipe on the hand would take the twist joint along, which is soft by its name.
TLW_TEST(save_leaves_out_a_firm_part_with_soft_joints_below) {
    static const tlw_recipe_change change = CHANGE(NULL, "hand", "fat", "damping", 0.5);
    shelf s = {.paths = {"a/hero.json"}, .texts = {"{}"}};
    body b;
    make_body(&b);
    b.joints[2].name = "hand";
    b.joints[3].name = "twist";
    cooked before = cook(&b, &s, s.paths[0]);
    char* text = save(&s, "a/new.json", &before.blob, &change, 1);
    CHECK_STRING(text, "{}");
    CHECK_STRING(s.messages, "hand, fat, damping: a part on this firm joint would also take twist, "
                             "which is not firm\n");
    free(text);
    // With a part of its own it is not taken.
    s.texts[0] = "{\"parts\": [{\"joint\": \"twist\"}]}";
    cooked own = cook(&b, &s, s.paths[0]);
    text = save(&s, "a/new.json", &own.blob, &change, 1);
    CHECK_STRING(s.messages, "");
    cooked after = cook(&b, &s, "a/new.json");
    tlw_part_info part;
    uint32_t index;
    CHECK_OK(tlw_blob_find_part(&after.blob, "hand", &index));
    CHECK_OK(tlw_blob_get_part(&after.blob, index, &part));
    CHECK_EQ(part.kind, TLW_PART_RECIPE);
    CHECK_EQ(after.numbers[index][2][1], 0.5f);
    CHECK_EQ(after.numbers[index][2][0], 2.0f); // that of a firm part
    free(text);
    tlw_cook_output_free(&after.output);
    tlw_cook_output_free(&own.output);
    tlw_cook_output_free(&before.output);
    scene_free(b.scene);
}

// The hash of the state covers the materials in the order of the parts, so saving must keep it.
TLW_TEST(save_keeps_the_order_of_firm_parts) {
    static const tlw_recipe_change change = CHANGE(NULL, "hand", "fat", "damping", 0.5);
    shelf s = {.paths = {"a/hero.json"}, .texts = {"{}"}};
    body b;
    make_body(&b);
    b.joints[1].name = "head";
    cooked before = cook(&b, &s, s.paths[0]);
    char* text = save(&s, "a/new.json", &before.blob, &change, 1);
    CHECK_STRING(s.messages, "");
    cooked after = cook(&b, &s, "a/new.json");
    for (uint32_t i = 0; i < PARTS; ++i) {
        tlw_part_info was, is;
        CHECK_OK(tlw_blob_get_part(&before.blob, i, &was));
        CHECK_OK(tlw_blob_get_part(&after.blob, i, &is));
        CHECK_EQ(is.joint, was.joint);
        for (uint32_t l = 0; l < LAYERS; ++l) {
            const bool is_changed = i == 2 && l == 2;
            CHECK_EQ(before.numbers[i][l][1] == after.numbers[i][l][1], !is_changed);
        }
    }
    CHECK_EQ(after.numbers[2][2][1], 0.5f);
    free(text);
    tlw_cook_output_free(&after.output);
    tlw_cook_output_free(&before.output);
    scene_free(b.scene);
}

TLW_TEST(save_finds_a_mirrored_part_by_either_joint) {
    static const tlw_recipe_change changes[] = {CHANGE(NULL, "arm_r", "fat", "damping", 0.5),
                                                CHANGE("soft", "arm_l", "fat", "limit", 3)};
    shelf s = plain_shelf();
    body b;
    make_body(&b);
    cooked before = cook(&b, &s, s.paths[0]);
    char* text = save(&s, "a/new.json", &before.blob, changes, TLW_COUNT_OF(changes));
    CHECK_STRING(s.messages, "");
    CHECK_CONTAINS(text, "{\"joint\": \"arm_l\", \"mirror\": true, \"layers\": {\"fat\": "
                         "{\"stiffness\": 0.25, \"damping\": 0.5}}}\n    ],");
    CHECK_CONTAINS(text, "\"parts\": [{\"joint\": \"arm_r\", \"layers\": {\"fat\": {\"limit\": "
                         "3}}}]}}\n}");
    free(text);
    tlw_cook_output_free(&before.output);
    scene_free(b.scene);
}

static void check_failure(const char* text, const char* to, const char* message) {
    shelf s = {.paths = {"a/hero.json", "a/base.json"}, .texts = {text, "{}"}};
    const tlw_recipe_loader loader = {load, NULL, &s};
    const tlw_recipe_save_def def = {.from = "a/hero.json", .to = to, .loader = &loader};
    char* out;
    size_t size;
    tlw_recipe_error error;
    CHECK(tlw_recipe_save(&def, &out, &size, &error) != TLW_OK);
    CHECK_EQ(out, NULL);
    CHECK_STRING(error.message, message);
}

TLW_TEST(save_says_why_there_is_no_new_text) {
    check_failure("{\"limb\": true}", "a/new.json",
                  "a/hero.json:1:2: limb: unknown key; did you mean \"limbs\"? allowed: $schema, "
                  "extend, resolution, voxel_size, region_width, neighbours, weights, smoothing, "
                  "heat, skinning, volume, preset, anchor_hz, delta, layers, bone, parts, firm, "
                  "profiles, paint, cuts, limit, limbs, auto_bulge, muscles, rest_gravity, meshes, "
                  "joints, embedding, seam_passes, ring_normals, limits, metres_per_unit, view");
    check_failure(
        "{\"extend\": \"base.json\"}", "a/base.json",
        "a/base.json:1:12: extend: files that extend each other in a circle: a/base.json, "
        "a/base.json");
}
