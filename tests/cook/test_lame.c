// SPDX-License-Identifier: MIT
// Lame layers as they are cooked (RULES 8.9, 9.15): which solver and numbers every part and layer
// has, which windows hold such voxels, and every mistake by its place.
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/open_cook.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAYERS = 4, FAT = 2, SKIN = 3 };

// A thick bar along x on a chain of joints with names: the hand at the end is firm by its name.
typedef struct body {
    scene* scene;
    tlw_cook_input input;
    tlw_cook_joint joints[3];
    tlw_cook_part parts[2];
    open_cook open;
} body;

static void make_body(body* b) {
    static const char* const names[3] = {"spine", "belly", "hand"};
    memset(b, 0, sizeof *b);
    b->scene = scene_new();
    scene_add_box(b->scene, (double[3]){-1, -0.3, -0.3}, (double[3]){1, 0.3, 0.3});
    for (uint32_t j = 0; j < 3; ++j) {
        scene_add_joint(b->scene, j > 0 ? j - 1 : TLW_NO_JOINT, 0.7 * j - 0.7, 0, 0);
    }
    b->input = *scene_input(b->scene);
    memcpy(b->joints, b->input.joints, sizeof b->joints);
    for (uint32_t j = 0; j < 3; ++j) {
        b->joints[j].name = names[j];
    }
    b->input.joints = b->joints;
    b->open.recipe = tlw_default_cook_recipe();
    b->open.recipe.resolution = 40;
    b->open.recipe.weights = TLW_WEIGHTS_GEODESIC;
    b->open.recipe.parts = b->parts;
    b->parts[0] = tlw_default_cook_part("belly");
    b->open.recipe.part_count = 1;
}

static void run_body(body* b) {
    (void)open_cook_run(&b->open, &b->input);
    CHECK_STRING(b->open.cook.error.message, "");
}

static void free_body(body* b) {
    open_cook_close(&b->open);
    scene_free(b->scene);
}

static void check_material(const body* b, uint32_t part, uint32_t layer, float young_kpa,
                           float poisson, float density) {
    const tlw_blob_lame* lame = &b->open.cook.lame.materials[part * LAYERS + layer];
    CHECK_EQ(lame->young_kpa, young_kpa);
    CHECK_EQ(lame->poisson, poisson);
    CHECK_EQ(lame->density, density);
}

// Materials

TLW_TEST(layers_outside_a_lame_layer_have_its_numbers_unless_they_give_their_own) {
    body b;
    make_body(&b);
    tlw_cook_lame* fat = &b.open.recipe.layers[FAT].lame;
    fat->solver = TLW_SOLVER_LAME;
    fat->young_kpa = 7.0f;
    b.open.recipe.layers[SKIN].lame.density = 1000.0f;
    run_body(&b);
    for (uint32_t part = 0; part < 2; ++part) { // a part without a word has what part 0 has
        check_material(&b, part, 0, 0.0f, 0.0f, 0.0f);
        check_material(&b, part, 1, 0.0f, 0.0f, 0.0f);
        check_material(&b, part, FAT, 7.0f, 0.4975f, 950.0f);
        check_material(&b, part, SKIN, 7.0f, 0.4975f, 1000.0f);
    }
    CHECK_EQ(b.open.cook.parts.count, 3);
    for (uint32_t layer = 0; layer < LAYERS; ++layer) { // the hand is firm
        check_material(&b, 2, layer, 0.0f, 0.0f, 0.0f);
    }
    free_body(&b);
}

TLW_TEST(a_part_says_solver_and_numbers_of_its_own_and_takes_the_others_from_the_layer) {
    body b;
    make_body(&b);
    b.open.recipe.layers[FAT].lame.young_kpa = 4.0f; // not lame outside of the part
    b.parts[0].lame[1].solver = TLW_SOLVER_LAME;
    b.parts[0].lame[1].poisson = 0.0f;
    b.parts[0].lame[SKIN].density = 500.0f;
    run_body(&b);
    for (uint32_t layer = 0; layer < LAYERS; ++layer) {
        check_material(&b, 0, layer, 0.0f, 0.0f, 0.0f);
    }
    check_material(&b, 1, 1, 3.0f, 0.0f, 950.0f);
    check_material(&b, 1, FAT, 4.0f, 0.0f, 950.0f);
    check_material(&b, 1, SKIN, 4.0f, 0.0f, 500.0f);
    free_body(&b);
}

TLW_TEST(a_part_can_be_shape_matched_in_a_lame_character) {
    body b;
    make_body(&b);
    b.open.recipe.layers[FAT].lame.solver = TLW_SOLVER_LAME;
    b.parts[0].lame[FAT].solver = TLW_SOLVER_SHAPE;
    run_body(&b);
    check_material(&b, 0, SKIN, 3.0f, 0.4975f, 950.0f);
    check_material(&b, 1, FAT, 0.0f, 0.0f, 0.0f);
    check_material(&b, 1, SKIN, 0.0f, 0.0f, 0.0f);
    free_body(&b);
}

// Windows

TLW_TEST(lame_windows_hold_the_voxels_of_lame_materials_and_their_neighbours) {
    body b;
    make_body(&b);
    b.parts[0].lame[FAT].solver = TLW_SOLVER_LAME;
    run_body(&b);
    const tlw_cook* cook = &b.open.cook;
    uint32_t voxels = 0, places = 0, near = 0;
    for (uint32_t w = 0; w < cook->order.window_count; ++w) {
        const tlw_blob_lame_window* window = &cook->lame.windows[w];
        bool is_near = false;
        for (uint32_t lane = 0; lane < 8; ++lane) {
            const uint32_t v = cook->order.voxel_of_slot[8 * w + lane];
            const bool is_lame = v != TLW_NO_VOXEL && cook->anatomy.layer[v] >= FAT &&
                                 tlw_cook_part_of(cook, v) == 1;
            CHECK_EQ(window->lanes >> lane & 1, is_lame);
            voxels += is_lame;
            uint32_t faces[6];
            const uint32_t count = v == TLW_NO_VOXEL ? 0 : tlw_cook_linked_faces(cook, v, faces);
            for (uint32_t i = 0; i < count; ++i) {
                is_near = is_near || (cook->anatomy.layer[faces[i]] >= FAT &&
                                      tlw_cook_part_of(cook, faces[i]) == 1);
            }
            is_near = is_near || is_lame;
        }
        CHECK_EQ(window->is_near, is_near);
        CHECK_EQ(window->place, window->lanes != 0 ? places : 0);
        places += window->lanes != 0;
        near += is_near;
    }
    CHECK_LT(0, voxels);
    CHECK_EQ(voxels, cook->lame.voxels);
    CHECK_EQ(places, cook->lame.window_count);
    CHECK_LT(places, near);
    CHECK_LT(near, cook->order.window_count);
    free_body(&b);
}

TLW_TEST(a_character_whose_lame_layers_have_no_voxel_has_no_section_of_them) {
    body b, plain;
    make_body(&b);
    make_body(&plain);
    b.parts[0] = tlw_default_cook_part("hand"); // not firm any more
    plain.parts[0] = tlw_default_cook_part("hand");
    b.open.recipe.layers[FAT].lame.young_kpa = 5.0f; // but no solver
    run_body(&b);
    run_body(&plain);
    CHECK_EQ(b.open.cook.lame.voxels, 0);
    CHECK(b.open.cook.lame.materials == NULL);
    CHECK_EQ(b.open.cook.blob_bytes, plain.open.cook.blob_bytes);
    CHECK_BYTES(b.open.cook.blob, plain.open.cook.blob, plain.open.cook.blob_bytes);
    free_body(&b);
    free_body(&plain);
}

// Mistakes

static void check_mistake(body* b, const char* message, const char* key) {
    CHECK_EQ(open_cook_run(&b->open, &b->input), TLW_ERROR_BAD_ARGUMENT);
    CHECK_STRING(b->open.cook.error.message, message);
    CHECK_STRING(b->open.cook.error.key, key);
    CHECK(b->open.cook.error.is_of_recipe);
    free_body(b);
}

TLW_TEST(a_layer_of_another_solver_outside_a_lame_layer_is_a_named_mistake) {
    body b;
    make_body(&b);
    b.open.recipe.layers[1].lame.solver = TLW_SOLVER_LAME;
    b.open.recipe.layers[SKIN].lame.solver = TLW_SOLVER_SHAPE;
    check_mistake(&b,
                  "layer 'skin': its solver is shape, but layer 'fat' inside it is lame; all "
                  "layers outside a Lame layer are",
                  "layers[3].solver");
    make_body(&b);
    b.parts[0].lame[FAT].solver = TLW_SOLVER_LAME;
    b.parts[0].lame[SKIN].solver = TLW_SOLVER_SHAPE;
    check_mistake(&b,
                  "part 0 'belly', layer 'skin': its solver is shape, but layer 'fat' inside it is "
                  "lame; all layers outside a Lame layer are",
                  "parts[0].layers.skin.solver");
    make_body(&b); // part 0 says it
    b.parts[0].lame[FAT].solver = TLW_SOLVER_LAME;
    b.open.recipe.layers[SKIN].lame.solver = TLW_SOLVER_SHAPE;
    check_mistake(&b,
                  "part 0 'belly', layer 'skin': its solver is shape, but layer 'fat' inside it is "
                  "lame; all layers outside a Lame layer are",
                  "parts[0].layers.fat.solver");
}

TLW_TEST(lame_bone_is_a_named_mistake) {
    body b;
    make_body(&b);
    b.parts[0].lame[0].solver = TLW_SOLVER_LAME;
    check_mistake(&b,
                  "part 0 'belly', layer 'bone' is bone, which follows the skeleton; it cannot be "
                  "lame",
                  "parts[0].layers.bone.solver");
}

TLW_TEST(numbers_of_lame_layers_outside_their_range_are_named_mistakes) {
    static const struct {
        tlw_cook_lame lame;
        const char *message, *key;
    } mistakes[] = {
        {{TLW_SOLVER_LAME, 0.0f, 0.3f, 950.0f},
         "young_kpa is 0; it is above 0, at most 1e6",
         "young_kpa"},
        {{TLW_SOLVER_LAME, 2e6f, 0.3f, 950.0f},
         "young_kpa is 2e+06; it is above 0, at most 1e6",
         "young_kpa"},
        {{TLW_SOLVER_LAME, NAN, 0.3f, 950.0f},
         "young_kpa is nan; it is above 0, at most 1e6",
         "young_kpa"},
        {{TLW_SOLVER_LAME, 3.0f, 0.5f, 950.0f}, "poisson is 0.5; it is 0 to 0.4999", "poisson"},
        {{TLW_SOLVER_LAME, 3.0f, 0.3f, 0.0f}, "density is 0; it is 1 to 1e5", "density"},
        {{TLW_SOLVER_LAME, 3.0f, 0.3f, 2e5f}, "density is 200000; it is 1 to 1e5", "density"},
        {{(tlw_cook_solver)9, 3.0f, 0.3f, 1e3f}, "there is no solver 9", "solver"},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(mistakes); ++i) {
        body b;
        char message[160], key[64];
        make_body(&b);
        b.parts[0].lame[FAT] = mistakes[i].lame;
        snprintf(message, sizeof message, "part 0 'belly', layer 'fat': %s", mistakes[i].message);
        snprintf(key, sizeof key, "parts[0].layers.fat.%s", mistakes[i].key);
        check_mistake(&b, message, key);
    }
}

TLW_TEST(zeros_are_numbers_of_layers_and_parts_that_are_not_lame) {
    body b, plain;
    make_body(&b);
    make_body(&plain);
    for (uint32_t layer = 0; layer < LAYERS; ++layer) {
        b.open.recipe.layers[layer].lame = (tlw_cook_lame){0};
        b.parts[0].lame[layer] = (tlw_cook_lame){0};
    }
    run_body(&b);
    run_body(&plain);
    CHECK_BYTES(b.open.cook.blob, plain.open.cook.blob, plain.open.cook.blob_bytes);
    free_body(&b);
    free_body(&plain);
}

TLW_TEST(zeros_of_a_layer_are_a_mistake_where_a_part_makes_it_lame) {
    body b;
    make_body(&b);
    b.open.recipe.layers[SKIN].lame = (tlw_cook_lame){0};
    b.parts[0].lame[FAT].solver = TLW_SOLVER_LAME; // skin too, with the zeros of its layer
    check_mistake(&b, "part 0 'belly', layer 'skin': young_kpa is 0; it is above 0, at most 1e6",
                  "parts[0].layers.skin.young_kpa");
}
