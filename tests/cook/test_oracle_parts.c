// SPDX-License-Identifier: MIT
// The oracle cooker's parts (RULES 8.5 and 8.6) against facts worked out by hand: which joints are
// firm by name, by shape and by the recipe's list, which part each joint has, and the materials.
#include "tests/cook/oracle/oracle.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/test.h"

#include <stdio.h>

#define LAYERS 4

static uint32_t add_joint(scene* s, uint32_t parent, const char* name) {
    const uint32_t joint = scene_add_joint(s, parent, 0, 0, 0);
    snprintf(s->joint_names[joint], sizeof *s->joint_names, "%s", name);
    CHECK_STRING(s->joint_names[joint], name);
    return joint;
}

// A box of 27 voxels that follows the root alone. The other joints have no voxels, so that only
// names and the recipe decide their parts.
static scene* make_body(const char* root) {
    scene* s = scene_new();
    add_joint(s, TLW_NO_JOINT, root);
    scene_add_box(s, (double[3]){-1.25, -1.25, -1.25}, (double[3]){1.25, 1.25, 1.25});
    scene_weigh_rigidly(s, 0, 0);
    return s;
}

static oracle_result cook_with(scene* s, const tlw_cook_recipe* recipe) {
    oracle_result r;
    const char* error = oracle_cook(scene_input(s), recipe, &r);
    CHECK_STRING(error == NULL ? "" : error, "");
    return r;
}

static tlw_cook_recipe recipe_at(uint32_t resolution) {
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = resolution;
    recipe.smoothing_passes = 0;
    recipe.is_firm_auto = true;
    return recipe;
}

static oracle_part_kind kind_of(const oracle_result* r, uint32_t joint) {
    return r->parts[r->joint_part[joint]].kind;
}

static tlw_cook_part keep_all(const char* joint) {
    tlw_cook_part part = {.joint = joint,
                          .bone_radius_voxels = TLW_COOK_KEEP,
                          .limit_extent = -1,
                          .limit_thickness = -1};
    for (int layer = 0; layer < TLW_COOK_LAYERS_MAX; ++layer) {
        part.stiffness[layer] = part.damping[layer] = part.anchor_hz[layer] = -1;
    }
    return part;
}

static void check_is_firm(const oracle_part* part) {
    for (int layer = 0; layer < LAYERS; ++layer) {
        CHECK_EQ(part->stiffness[layer], 2.0);
        CHECK_EQ((float)part->damping[layer], 0.1f);
        CHECK_EQ(part->anchor_hz[layer], 12.0);
    }
}

// Names
// -----------------------------------------------------------------------------------------

TLW_TEST(words_of_a_name_decide_which_list_it_is_on) {
    static const struct {
        const char* name;
        bool is_firm, is_soft;
    } names[] = {
        {"head", true, false},
        {"HEADS", true, false},
        {"Heads", true, false},
        {"headss", false, false},
        {"Headphones", false, false},
        {"forehand", false, false},
        {"foreHand", true, false},
        {"LHand", true, false},    // L, Hand
        {"LHAND", false, false},   // one word
        {"XYZhand", false, false}, // XY, Zhand
        {"hand_l", true, false},
        {"Hand.001", true, false},
        {"hand2hand", true, false},
        {"2Hand", true, false},
        {"FEET", true, false},
        {"FEETs", false, false}, // FEE, Ts
        {"foots", true, false},
        {"bip01_L_Toe0", true, false},
        {"mixamorig:LeftHandThumb1", true, false},
        {"b_Neck_04", true, false},
        {"shoulderEars", false, true},
        {"EarsL", false, true},
        {"shoulder", false, false},
        {"Ankle", true, false},
        {"ANKLEs", false, false},
        {"rear", false, false},
        {"tailbone", false, false},
        {"Tail_03", false, true},
        {"head_twist", true, true},
        {"HeadRoll", true, true},
        {"glutes", false, true},
        {"butt", false, true},
        {"button", false, false},
        {"b\xc3\xa4hand", true, false}, // b, hand: letters are ASCII
        {"ha nd", false, false},
        {"joint7", false, false},
        {"", false, false},
        {"1", false, false},
        {"s", false, false},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        if (oracle_is_firm_name(names[i].name) != names[i].is_firm ||
            oracle_is_soft_name(names[i].name) != names[i].is_soft) {
            tlw_test_fail(__FILE__, __LINE__, "the words of '%s'", names[i].name);
        }
    }
}

TLW_TEST(every_word_of_both_lists_is_known) {
    static const char* const firm[] = {"head", "neck",  "skull",  "face",  "jaw",
                                       "hand", "wrist", "finger", "thumb", "foot",
                                       "feet", "ankle", "toe",    "paw",   "hoof"};
    static const char* const soft[] = {"ear",    "tail", "hair",   "tongue",  "cheek",
                                       "breast", "bust", "belly",  "stomach", "butt",
                                       "glute",  "fat",  "jiggle", "twist",   "roll"};
    for (int i = 0; i < 15; ++i) {
        CHECK(oracle_is_firm_name(firm[i]) && !oracle_is_soft_name(firm[i]));
        CHECK(oracle_is_soft_name(soft[i]) && !oracle_is_firm_name(soft[i]));
    }
}

// Neck and all that hangs on it are one part, but for the tail and what is below that.
TLW_TEST(nearest_name_upwards_decides_and_firm_joints_that_hang_together_are_one_part) {
    scene* s = make_body("spine");
    const uint32_t tail_end = add_joint(s, 6, "tip"); // parents may come after their children
    const uint32_t hand = add_joint(s, 0, "LHand");
    const uint32_t neck = add_joint(s, 0, "Neck");
    const uint32_t head = add_joint(s, neck, "head");
    const uint32_t crown = add_joint(s, head, "crown");
    const uint32_t tail = add_joint(s, head, "tail");
    const uint32_t twist = add_joint(s, neck, "head_twist");
    const uint32_t below_twist = add_joint(s, twist, "top");
    const uint32_t arm = add_joint(s, 0, "arm");
    CHECK_EQ(tail, 6);
    const tlw_cook_recipe recipe = recipe_at(3);
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 3);
    CHECK_EQ(r.parts[1].joint, hand);
    CHECK_EQ(r.parts[2].joint, neck);
    CHECK_EQ(r.parts[1].kind, ORACLE_PART_FIRM_NAME);
    CHECK_EQ(r.parts[2].kind, ORACLE_PART_FIRM_NAME);
    check_is_firm(&r.parts[1]);
    check_is_firm(&r.parts[2]);
    CHECK_EQ(r.joint_part[hand], 1);
    CHECK_EQ(r.joint_part[neck], 2);
    CHECK_EQ(r.joint_part[head], 2);
    CHECK_EQ(r.joint_part[crown], 2);
    const uint32_t whole[] = {0, tail, tail_end, twist, below_twist, arm};
    for (size_t i = 0; i < TLW_COUNT_OF(whole); ++i) {
        CHECK_EQ(r.joint_part[whole[i]], 0);
    }
    CHECK_EQ(r.parts[0].voxel_count, 27);
    CHECK_EQ(r.parts[1].voxel_count, 0);
    // Part 0 has the layers' own values.
    for (int layer = 0; layer < LAYERS; ++layer) {
        CHECK_EQ((float)r.parts[0].stiffness[layer], recipe.layers[layer].stiffness);
        CHECK_EQ((float)r.parts[0].damping[layer], recipe.layers[layer].damping);
        CHECK_EQ((float)r.parts[0].anchor_hz[layer], recipe.layers[layer].anchor_hz);
    }
    oracle_free(&r);
    scene_free(s);
}

// Hair between head and jaw is an island: the jaw below it is firm again, in a part of its own.
TLW_TEST(firm_joint_below_an_island_that_is_not_firm_has_a_part_of_its_own) {
    scene* s = make_body("spine");
    const uint32_t head = add_joint(s, 0, "head");
    const uint32_t hair = add_joint(s, head, "hair");
    const uint32_t tip = add_joint(s, hair, "tip");
    const uint32_t jaw = add_joint(s, tip, "jaw");
    const uint32_t chin = add_joint(s, jaw, "chin");
    tlw_cook_recipe recipe = recipe_at(3);
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 3);
    CHECK_EQ(r.joint_part[head], 1);
    CHECK_EQ(r.joint_part[hair], 0);
    CHECK_EQ(r.joint_part[tip], 0);
    CHECK_EQ(r.joint_part[jaw], 2);
    CHECK_EQ(r.joint_part[chin], 2);
    oracle_free(&r);

    // With a part on the spine the island has that one, as it would without firm joints.
    const tlw_cook_part spine = keep_all("spine");
    recipe.parts = &spine;
    recipe.part_count = 1;
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 4);
    CHECK_EQ(r.joint_part[0], 1);
    CHECK_EQ(r.joint_part[head], 2);
    CHECK_EQ(r.joint_part[hair], 1);
    CHECK_EQ(r.joint_part[tip], 1);
    CHECK_EQ(r.joint_part[jaw], 3);
    CHECK_EQ(r.parts[0].voxel_count, 0);
    CHECK_EQ(r.parts[1].voxel_count, 27);
    oracle_free(&r);
    scene_free(s);
}

// The recipe's parts
// -----------------------------------------------------------------------------------------

TLW_TEST(part_of_the_recipe_on_a_firm_joint_takes_its_whole_subtree) {
    scene* s = make_body("spine");
    const uint32_t neck = add_joint(s, 0, "neck");
    const uint32_t head = add_joint(s, neck, "head");
    const uint32_t jaw = add_joint(s, head, "jaw");
    const uint32_t hair = add_joint(s, head, "hair");
    const uint32_t tip = add_joint(s, hair, "tip");
    const uint32_t face = add_joint(s, tip, "face");
    tlw_cook_part parts[] = {keep_all("hair"), keep_all("head"), keep_all("head")};
    parts[1].stiffness[2] = 0.25f;
    parts[1].damping[1] = 0;
    parts[1].anchor_hz[3] = 5;
    parts[2].stiffness[2] = 7;
    tlw_cook_recipe recipe = recipe_at(3);
    recipe.parts = &parts[1];
    recipe.part_count = 1;
    oracle_result r = cook_with(s, &recipe);
    // The neck above stays firm, alone; jaw, hair and even the face below the hair are the head's.
    CHECK_EQ(r.part_count, 3);
    CHECK_EQ(r.joint_part[neck], 2);
    CHECK_EQ(r.parts[2].joint, neck);
    const uint32_t of_head[] = {head, jaw, hair, tip, face};
    for (size_t i = 0; i < TLW_COUNT_OF(of_head); ++i) {
        CHECK_EQ(r.joint_part[of_head[i]], 1);
    }
    CHECK_EQ(r.parts[1].kind, ORACLE_PART_RECIPE);
    CHECK_EQ(r.parts[1].joint, head);
    for (int layer = 0; layer < LAYERS; ++layer) { // what the part does not give is the layer's
        const tlw_cook_layer* given = &recipe.layers[layer];
        CHECK_EQ((float)r.parts[1].stiffness[layer], layer == 2 ? 0.25f : given->stiffness);
        CHECK_EQ((float)r.parts[1].damping[layer], layer == 1 ? 0.0f : given->damping);
        CHECK_EQ((float)r.parts[1].anchor_hz[layer], layer == 3 ? 5.0f : given->anchor_hz);
    }
    oracle_free(&r);

    // A part on the hair, which is not firm, ends that of the head, and the face is firm again. Of
    // the two parts on the head the first counts.
    recipe.parts = parts;
    recipe.part_count = 3;
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 6);
    CHECK_EQ(r.joint_part[head], 2);
    CHECK_EQ(r.joint_part[jaw], 2);
    CHECK_EQ(r.joint_part[hair], 1);
    CHECK_EQ(r.joint_part[tip], 1);
    CHECK_EQ(r.joint_part[neck], 4);
    CHECK_EQ(r.joint_part[face], 5);
    CHECK_EQ(r.parts[3].joint, head);
    CHECK_EQ(r.parts[3].stiffness[2], 7.0);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(part_of_the_recipe_on_another_joint_leaves_firm_joints_below_it_firm) {
    scene* s = make_body("spine");
    const uint32_t chest = add_joint(s, 0, "chest");
    const uint32_t head = add_joint(s, chest, "head");
    const tlw_cook_part part = keep_all("spine");
    tlw_cook_recipe recipe = recipe_at(3);
    recipe.parts = &part;
    recipe.part_count = 1;
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 3);
    CHECK_EQ(r.joint_part[0], 1);
    CHECK_EQ(r.joint_part[chest], 1);
    CHECK_EQ(r.joint_part[head], 2);
    CHECK_EQ(r.parts[2].kind, ORACLE_PART_FIRM_NAME);
    check_is_firm(&r.parts[2]);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(list_of_firm_joints_goes_instead_of_names_and_shapes) {
    scene* s = make_body("spine");
    const uint32_t head = add_joint(s, 0, "head");
    const uint32_t shield = add_joint(s, 0, "shield");
    const uint32_t tail = add_joint(s, shield, "tail");
    const uint32_t boss = add_joint(s, tail, "boss");
    static const char* const firm[] = {"boss", "shield"};
    tlw_cook_recipe recipe = recipe_at(3);
    recipe.is_firm_auto = false;
    recipe.firm_joints = firm;
    recipe.firm_joint_count = 2;
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 2); // the boss hangs together with the shield
    CHECK_EQ(r.parts[1].joint, shield);
    CHECK_EQ(r.parts[1].kind, ORACLE_PART_FIRM_RECIPE);
    check_is_firm(&r.parts[1]);
    CHECK_EQ(r.joint_part[head], 0);
    CHECK_EQ(r.joint_part[shield], 1);
    CHECK_EQ(r.joint_part[tail], 1);
    CHECK_EQ(r.joint_part[boss], 1);
    oracle_free(&r);

    // A part on the tail, which is firm by the list, takes the boss with it.
    const tlw_cook_part part = keep_all("tail");
    recipe.parts = &part;
    recipe.part_count = 1;
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 3);
    CHECK_EQ(r.joint_part[shield], 2);
    CHECK_EQ(r.joint_part[tail], 1);
    CHECK_EQ(r.joint_part[boss], 1);
    oracle_free(&r);

    recipe.part_count = 0;
    recipe.firm_joint_count = 0;
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 1); // not even the head
    oracle_free(&r);
    recipe.is_firm_auto = true;
    recipe.firm_joint_count = 2; // not read
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 2);
    CHECK_EQ(r.parts[1].joint, head);
    oracle_free(&r);
    scene_free(s);
}

// Shapes
// -----------------------------------------------------------------------------------------

// A bar along x of `height` x 4 cells, six slices long; the last `slices` follow the second joint,
// which hangs on the first.
static scene* make_bar(int height, int slices) {
    scene* s = scene_new();
    const double border = 6 - slices, y = 0.5 * height;
    scene_add_joint(s, TLW_NO_JOINT, 0.5, y, 2);
    scene_add_joint(s, 0, border, y, 2);
    scene_add_box(s, (double[3]){0.25, 0.25, 0.25},
                  (double[3]){border - 0.25, height - 0.25, 3.75});
    scene_weigh_rigidly(s, 0, 0);
    scene_add_box(s, (double[3]){border + 0.25, 0.25, 0.25},
                  (double[3]){5.75, height - 0.25, 3.75});
    scene_weigh_rigidly(s, 8, 1);
    return s;
}

// One slice of 1 x 4 voxels has as many faces as voxels: 4^3 < 8 * 4^2, so it is firm. One of
// 2 x 4: 8^3 = 8 * 8^2, which is not less. Two of 2 x 4: 8^3 < 8 * 16^2. One of 3 x 4: 12^3 is
// more than 8 * 12^2. Two: 12^3 < 8 * 24^2.
TLW_TEST(end_of_a_bar_is_firm_by_shape_if_its_cross_section_is_small_for_its_volume) {
    static const struct {
        int height, slices;
        bool is_firm;
    } ends[] = {{1, 1, true}, {2, 1, false}, {2, 2, true}, {3, 1, false}, {3, 2, true}};
    for (size_t i = 0; i < TLW_COUNT_OF(ends); ++i) {
        scene* s = make_bar(ends[i].height, ends[i].slices);
        tlw_cook_recipe recipe = recipe_at(6);
        oracle_result r = cook_with(s, &recipe);
        const uint32_t n = 4 * (uint32_t)(ends[i].height * ends[i].slices);
        CHECK_EQ(r.cut_count, 0);
        CHECK_EQ(r.voxel_count, 24 * (uint32_t)ends[i].height);
        CHECK_EQ(r.joint_part[0], 0); // the root is no leaf
        CHECK_EQ(r.part_count, ends[i].is_firm ? 2 : 1);
        CHECK_EQ(kind_of(&r, 1), ends[i].is_firm ? ORACLE_PART_FIRM_SHAPE : ORACLE_PART_WHOLE);
        CHECK_EQ(r.parts[0].voxel_count, r.voxel_count - (ends[i].is_firm ? n : 0));
        if (ends[i].is_firm) {
            CHECK_EQ(r.parts[1].joint, 1);
            CHECK_EQ(r.parts[1].voxel_count, n);
            check_is_firm(&r.parts[1]);
        }
        oracle_free(&r);
        scene_free(s);
    }
}

// Cut faces do not count: cut off, every end is firm.
TLW_TEST(only_linked_faces_count_for_the_shape) {
    scene* s = make_bar(2, 1);
    tlw_cook_recipe recipe = recipe_at(6);
    const tlw_cook_cut cut = {"joint0", "joint1", TLW_CUT_ALL};
    recipe.cuts = &cut;
    recipe.cut_count = 1;
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.component_count, 2);
    CHECK_EQ(kind_of(&r, 1), ORACLE_PART_FIRM_SHAPE);
    oracle_free(&r);
    scene_free(s);
}

// Cells along x: a body of five, a neck of two that is one cell thin, a ball of five; one of the
// ball's 125 voxels shares a face with the neck.
static scene* make_ball_on_a_neck(void) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 2.5, 2.5, 2.5);
    scene_add_joint(s, 0, 7, 2.5, 2.5);
    scene_add_box(s, (double[3]){0.25, 0.25, 0.25}, (double[3]){4.75, 4.75, 4.75});
    scene_add_box(s, (double[3]){5.25, 2.25, 2.25}, (double[3]){6.75, 2.75, 2.75});
    scene_weigh_rigidly(s, 0, 0);
    scene_add_box(s, (double[3]){7.25, 0.25, 0.25}, (double[3]){11.75, 4.75, 4.75});
    scene_weigh_rigidly(s, 16, 1);
    return s;
}

TLW_TEST(ball_on_a_thin_neck_is_firm_by_shape_unless_a_name_says_otherwise) {
    scene* s = make_ball_on_a_neck();
    tlw_cook_recipe recipe = recipe_at(12);
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.voxel_count, 125 + 2 + 125);
    CHECK_EQ(r.part_count, 2);
    CHECK_EQ(r.parts[1].kind, ORACLE_PART_FIRM_SHAPE);
    CHECK_EQ(r.parts[1].voxel_count, 125);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        CHECK_EQ(r.voxels[v].part, r.voxels[v].cell[0] >= 7);
    }
    oracle_free(&r);

    static const struct {
        const char *body, *ball;
        oracle_part_kind of_body, of_ball;
    } names[] = {
        {"body", "belly", ORACLE_PART_WHOLE, ORACLE_PART_WHOLE},
        {"tail", "tip", ORACLE_PART_WHOLE, ORACLE_PART_WHOLE},
        {"body", "Hand", ORACLE_PART_WHOLE, ORACLE_PART_FIRM_NAME},
        {"Hand", "ball", ORACLE_PART_FIRM_NAME, ORACLE_PART_FIRM_NAME},
        {"body", "head_roll", ORACLE_PART_WHOLE, ORACLE_PART_WHOLE},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        snprintf(s->joint_names[0], sizeof *s->joint_names, "%s", names[i].body);
        snprintf(s->joint_names[1], sizeof *s->joint_names, "%s", names[i].ball);
        r = cook_with(s, &recipe);
        CHECK_EQ(kind_of(&r, 0), names[i].of_body);
        CHECK_EQ(kind_of(&r, 1), names[i].of_ball);
        oracle_free(&r);
    }
    scene_free(s);
}

// A part of the recipe on the ball goes before its shape; with a list, even an empty one, shapes do
// not count.
TLW_TEST(recipe_goes_before_the_shape) {
    scene* s = make_ball_on_a_neck();
    tlw_cook_recipe recipe = recipe_at(12);
    const tlw_cook_part on_ball = keep_all("joint1"), on_body = keep_all("joint0");
    recipe.part_count = 1;
    recipe.parts = &on_ball;
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 2);
    CHECK_EQ(kind_of(&r, 0), ORACLE_PART_WHOLE);
    CHECK_EQ(kind_of(&r, 1), ORACLE_PART_RECIPE);
    oracle_free(&r);
    recipe.parts = &on_body;
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 3);
    CHECK_EQ(kind_of(&r, 0), ORACLE_PART_RECIPE);
    CHECK_EQ(kind_of(&r, 1), ORACLE_PART_FIRM_SHAPE);
    oracle_free(&r);
    recipe.part_count = 0;
    recipe.is_firm_auto = false;
    r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 1);
    oracle_free(&r);
    scene_free(s);
}

// A leaf needs a kept joint above it, and must have none below it. Joints without weights do not
// count for either, and have no shape of their own.
TLW_TEST(shape_counts_only_for_a_kept_leaf_below_a_kept_joint) {
    scene* s = make_body("body");
    tlw_cook_recipe recipe = recipe_at(3);
    oracle_result r = cook_with(s, &recipe);
    CHECK_EQ(r.part_count, 1); // one joint
    oracle_free(&r);
    scene_free(s);

    s = make_ball_on_a_neck();
    const uint32_t end = scene_add_joint(s, 1, 11, 2.5, 2.5);
    recipe = recipe_at(12);
    r = cook_with(s, &recipe);
    CHECK(!r.is_kept[end]);
    CHECK_EQ(r.part_count, 2); // the ball is a leaf all the same
    CHECK_EQ(r.joint_part[1], 1);
    CHECK_EQ(r.joint_part[end], 0);
    oracle_free(&r);
    // The body's joint above it is excluded: everything follows the ball's joint.
    static const char* const excluded[] = {"joint0"};
    recipe.excluded_joints = excluded;
    recipe.excluded_joint_count = 1;
    r = cook_with(s, &recipe);
    CHECK(!r.is_kept[0]);
    CHECK_EQ(r.part_count, 1);
    oracle_free(&r);
    scene_free(s);

    // A kept joint below: the ball's +x vertices follow it.
    s = make_ball_on_a_neck();
    scene_add_joint(s, 1, 11, 2.5, 2.5);
    for (uint32_t v = 16; v < 24; ++v) {
        if (s->meshes[0].positions[v * 3] > 10) {
            s->meshes[0].joints[v * 4] = 2;
        }
    }
    recipe = recipe_at(12);
    r = cook_with(s, &recipe);
    CHECK(r.is_kept[2]);
    CHECK_EQ(r.joint_part[1], 0);
    oracle_free(&r);
    scene_free(s);
}
