// SPDX-License-Identifier: MIT
// Profiles as they are cooked (RULES 8.8): which materials every part and layer has, and every
// mistake by its place. A profile's preset and layers are entries without a joint here; the
// recipe's reader makes them.
#include "tests/cook/support/bend_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAYERS = 4, PARTS_MAX = 4 };

// A thick bar along x on a chain of joints with names: the hand at the end is firm by its name.
typedef struct body {
    scene* scene;
    tlw_cook_input input;
    tlw_cook_joint joints[4];
    tlw_cook_part parts[2];
    tlw_cook_profile profiles[256];
    tlw_cook_profile_part entries[PARTS_MAX];
    open_cook open;
} body;

static void make_body(body* b) {
    static const char* const names[4] = {"spine", "arm_l", "arm_r", "hand"};
    static const uint32_t parents[4] = {TLW_NO_JOINT, 0, 0, 2};
    static const double places[4] = {0.0, -0.4, 0.4, 0.8};
    memset(b, 0, sizeof *b);
    b->scene = scene_new();
    scene_add_box(b->scene, (double[3]){-1, -0.3, -0.3}, (double[3]){1, 0.3, 0.3});
    for (uint32_t j = 0; j < 4; ++j) {
        scene_add_joint(b->scene, parents[j], places[j], 0, 0);
    }
    b->input = *scene_input(b->scene);
    memcpy(b->joints, b->input.joints, sizeof b->joints);
    for (uint32_t j = 0; j < 4; ++j) {
        b->joints[j].name = names[j];
    }
    b->input.joints = b->joints;
    b->open.recipe = tlw_default_cook_recipe();
    b->open.recipe.resolution = 16;
    b->open.recipe.weights = TLW_WEIGHTS_GEODESIC;
    b->open.recipe.parts = b->parts;
    b->open.recipe.profiles = b->profiles;
    b->parts[0] = tlw_default_cook_part("arm_l");
    b->parts[0].is_mirrored = true;
    b->parts[0].stiffness[2] = 0.25f;
    b->open.recipe.part_count = 1;
    b->profiles[0] = (tlw_cook_profile){.name = "soft", .parts = b->entries};
    b->open.recipe.profile_count = 1;
}

static tlw_cook_profile_part* add_entry(body* b, const char* joint) {
    tlw_cook_profile_part* entry = &b->entries[b->profiles[0].part_count++];
    *entry = tlw_default_cook_profile_part(joint);
    return entry;
}

static void run_body(body* b) {
    (void)open_cook_run(&b->open, &b->input);
    CHECK_STRING(b->open.cook.error.message, "");
}

static void free_body(body* b) {
    open_cook_close(&b->open);
    scene_free(b->scene);
}

// Part 0 is the whole, 1 both arms, 2 the hand.
static const tlw_blob_profile_material* material_of(const body* b, uint32_t profile, uint32_t part,
                                                    uint32_t layer) {
    const uint32_t parts = b->open.cook.parts.count;
    return &b->open.cook.profiles.materials[(profile * parts + part) * LAYERS + layer];
}

TLW_TEST(a_profile_without_entries_has_the_recipes_own_materials) {
    body b;
    make_body(&b);
    run_body(&b);
    CHECK_EQ(b.open.cook.parts.count, 3);
    CHECK_EQ(b.open.cook.profiles.count, 1);
    for (uint32_t i = 0; i < 3 * LAYERS; ++i) {
        const tlw_blob_profile_material* m = material_of(&b, 0, i / LAYERS, i % LAYERS);
        CHECK_BYTES(m, &b.open.cook.parts.materials[i], sizeof(tlw_blob_material));
        CHECK_EQ(m->limit_scale, 1.0f);
    }
    CHECK_EQ(material_of(&b, 0, 1, 2)->stiffness, 0.25f);
    CHECK_EQ(material_of(&b, 0, 2, 2)->anchor_hz, 12.0f);
    free_body(&b);
}

TLW_TEST(entries_without_a_joint_change_part_0_alone_and_later_ones_override) {
    body b;
    make_body(&b);
    tlw_cook_profile_part* preset = add_entry(&b, NULL);
    for (uint32_t k = 1; k < LAYERS; ++k) {
        preset->stiffness[k] = 3.0f;
        preset->damping[k] = 0.5f;
        preset->anchor_hz[k] = 1.0f;
    }
    tlw_cook_profile_part* layers = add_entry(&b, NULL);
    layers->anchor_hz[2] = 7.0f;
    layers->limit_scale[3] = 0.0f; // a number, not "as before"
    run_body(&b);
    for (uint32_t k = 0; k < LAYERS; ++k) {
        const tlw_blob_profile_material* m = material_of(&b, 0, 0, k);
        const tlw_blob_material* own = b.open.cook.parts.materials;
        CHECK_EQ(m->stiffness, k == 0 ? own[0].stiffness : 3.0f);
        CHECK_EQ(m->damping, k == 0 ? own[0].damping : 0.5f);
        CHECK_EQ(m->anchor_hz, k == 0 ? own[0].anchor_hz : k == 2 ? 7.0f : 1.0f);
        CHECK_EQ(m->limit_scale, k == 3 ? 0.0f : 1.0f);
        for (uint32_t p = 1; p < 3; ++p) { // what the recipe's parts and firm ones have stays
            CHECK_BYTES(material_of(&b, 0, p, k), &own[p * LAYERS + k], sizeof(tlw_blob_material));
            CHECK_EQ(material_of(&b, 0, p, k)->limit_scale, 1.0f);
        }
    }
    free_body(&b);
}

TLW_TEST(a_part_is_named_by_its_joint_or_the_one_it_is_mirrored_to_and_firm_parts_by_theirs) {
    static const struct {
        const char* joint;
        uint32_t part;
    } rows[] = {{"arm_l", 1}, {"arm_r", 1}, {"hand", 2}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        body b;
        make_body(&b);
        add_entry(&b, rows[n].joint)->damping[1] = 0.125f;
        run_body(&b);
        for (uint32_t i = 0; i < 3 * LAYERS; ++i) {
            const bool is_changed = i == rows[n].part * LAYERS + 1;
            CHECK_EQ(material_of(&b, 0, i / LAYERS, i % LAYERS)->damping,
                     is_changed ? 0.125f : b.open.cook.parts.materials[i].damping);
        }
        free_body(&b);
    }
}

TLW_TEST(of_two_parts_of_the_recipe_on_one_joint_a_profile_changes_the_first) {
    body b;
    make_body(&b);
    b.parts[0] = b.parts[1] = tlw_default_cook_part("arm_r");
    b.open.recipe.part_count = 2;
    add_entry(&b, "arm_r")->stiffness[3] = 9.0f;
    run_body(&b);
    CHECK_EQ(material_of(&b, 0, 1, 3)->stiffness, 9.0f);
    CHECK_EQ(material_of(&b, 0, 2, 3)->stiffness, b.open.recipe.layers[3].stiffness);
    free_body(&b);
}

TLW_TEST(the_blob_has_255_profiles_by_name_and_nothing_else_depends_on_them) {
    static char names[255][8];
    body none, many;
    make_body(&none);
    make_body(&many);
    none.open.recipe.profile_count = 0;
    add_entry(&many, NULL)->stiffness[2] = 5.0f;
    for (uint32_t i = 0; i < 255; ++i) {
        snprintf(names[i], sizeof names[i], "look%u", i);
        many.profiles[i] = (tlw_cook_profile){
            .name = names[i], .parts = many.entries, .part_count = i == 254 ? 1 : 0};
    }
    many.open.recipe.profile_count = 255;
    run_body(&none);
    run_body(&many);
    const uint8_t *a = none.open.cook.blob, *b = many.open.cook.blob;
    for (int kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        const tlw_blob_section in_a = find_section(a, (tlw_blob_section_kind)kind);
        const tlw_blob_section in_b = find_section(b, (tlw_blob_section_kind)kind);
        if (kind == TLW_SECTION_PROFILES || kind == TLW_SECTION_PROFILE_MATERIALS) {
            CHECK_EQ(in_a.count, 0);
            CHECK_EQ(in_b.count, kind == TLW_SECTION_PROFILES ? 255 : 255 * 3 * LAYERS);
        } else if (kind != TLW_SECTION_LATTICE && kind != TLW_SECTION_STRINGS) {
            CHECK_EQ(in_a.count, in_b.count);
            CHECK_BYTES(a + in_a.offset, b + in_b.offset,
                        (size_t)(in_a.count * in_a.element_bytes));
        }
    }
    tlw_blob_profile profile;
    const char* strings = (const char*)b + find_section(b, TLW_SECTION_STRINGS).offset;
    memcpy(&profile, b + find_section(b, TLW_SECTION_PROFILES).offset + 254 * sizeof profile,
           sizeof profile);
    CHECK_STRING(strings + profile.name, "look254");
    CHECK_EQ(material_of(&many, 254, 0, 2)->stiffness, 5.0f);
    CHECK_EQ(material_of(&many, 253, 0, 2)->stiffness, many.open.recipe.layers[2].stiffness);
    free_body(&none);
    free_body(&many);
}

// Mistakes

static void check_mistake(body* b, const char* result, const char* key, const char* message) {
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_STRING(tlw_result_name(tlw_cook_character(&b->input, &b->open.recipe, &options, &out)),
                 result);
    CHECK(out.blob == NULL && out.error.is_of_recipe);
    CHECK_STRING(out.error.key, key);
    CHECK_STRING(out.error.message, message);
    tlw_cook_output_free(&out);
    scene_free(b->scene);
}

TLW_TEST(a_profile_names_joints_that_have_a_part) {
    body b;
    make_body(&b);
    (void)add_entry(&b, "hand");
    (void)add_entry(&b, "tentacle");
    check_mistake(&b, "TLW_ERROR_NOT_FOUND", "profiles.soft.parts[1].joint",
                  "profile 'soft': there is no joint 'tentacle'");
    make_body(&b);
    (void)add_entry(&b, NULL); // of the preset: it is in no list of parts
    (void)add_entry(&b, "spine");
    check_mistake(&b, "TLW_ERROR_NOT_FOUND", "profiles.soft.parts[0].joint",
                  "profile 'soft': 'spine' has no part of its own; there are parts of 'arm_l', "
                  "'hand'");
    make_body(&b);
    (void)add_entry(&b, "hand");
    b.open.recipe.part_count = 0;
    b.open.recipe.is_firm_auto = false;
    check_mistake(&b, "TLW_ERROR_NOT_FOUND", "profiles.soft.parts[0].joint",
                  "profile 'soft': 'hand' has no part of its own; no joint has one");
    make_body(&b); // a joint inside a part, but not its first
    b.open.recipe.is_firm_auto = false;
    (void)add_entry(&b, "hand");
    check_mistake(&b, "TLW_ERROR_NOT_FOUND", "profiles.soft.parts[0].joint",
                  "profile 'soft': 'hand' has no part of its own; there are parts of 'arm_l'");
    make_body(&b); // a key has no room for long names
    b.profiles[0].name = "a name that is longer than most";
    (void)add_entry(&b, "tentacle");
    check_mistake(&b, "TLW_ERROR_NOT_FOUND", "profiles",
                  "profile 'a name that is longer than most': there is no joint 'tentacle'");
}

TLW_TEST(names_of_profiles_are_there_unique_and_not_cooked) {
    static const struct {
        const char *name, *message;
    } rows[] = {{"soft", "profiles 0 and 1 have the same name 'soft'"},
                {"", "profile 1 has no name"},
                {NULL, "profile 1 has no name"},
                {"cooked", "profile 1: 'cooked' is the name of what the recipe says outside its "
                           "profiles"}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        body b;
        make_body(&b);
        b.profiles[1].name = rows[n].name;
        b.open.recipe.profile_count = 2;
        check_mistake(&b, "TLW_ERROR_BAD_ARGUMENT", "profiles", rows[n].message);
    }
}

TLW_TEST(numbers_of_a_profile_that_are_too_large_or_no_numbers_are_named) {
    static const struct {
        float stiffness, damping, anchor_hz, limit_scale;
        const char* numbers;
    } rows[] = {
        {2e6f, 0, 0, 0, "stiffness 2e+06, damping 0, anchor_hz 0, limit_scale 0"},
        {0, 1.5f, 0, 0, "stiffness 0, damping 1.5, anchor_hz 0, limit_scale 0"},
        {0, 0, NAN, 0, "stiffness 0, damping 0, anchor_hz nan, limit_scale 0"},
        {0, 0, 0, INFINITY, "stiffness 0, damping 0, anchor_hz 0, limit_scale inf"},
    };
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        for (int is_part = 0; is_part < 2; ++is_part) {
            body b;
            char message[256];
            make_body(&b);
            tlw_cook_profile_part* entry = add_entry(&b, is_part ? "hand" : NULL);
            entry->stiffness[2] = rows[n].stiffness;
            entry->damping[2] = rows[n].damping;
            entry->anchor_hz[2] = rows[n].anchor_hz;
            entry->limit_scale[2] = rows[n].limit_scale;
            snprintf(message, sizeof message,
                     "profile 'soft', part of '%s', layer 'fat': %s; damping is at most 1, the "
                     "limit scale 1e9, the others 1e6",
                     is_part ? "hand" : "", rows[n].numbers);
            check_mistake(&b, "TLW_ERROR_BAD_ARGUMENT",
                          is_part ? "profiles.soft.parts[0].joint" : "profiles.soft", message);
        }
    }
}

TLW_TEST(more_than_255_profiles_are_too_many) {
    body b;
    make_body(&b);
    b.open.recipe.profile_count = 256;
    check_mistake(&b, "TLW_ERROR_TOO_LARGE", "profiles", "256 profiles; at most 255 are possible");
}
