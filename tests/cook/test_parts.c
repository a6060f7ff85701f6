// SPDX-License-Identifier: MIT
// Parts with layers, bone and limits of their own, mirrored parts, borders and paint (RULES 8.5,
// 8.7). The stages run on small scenes, and what they leave behind is held against the rule, voxel
// by voxel.
#include "tests/cook/support/cook_scenes.h"
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 3, VERTICES_MAX = 64 };

// A thick bar along x on a chain of three joints: the first is the arm, the second, with the third
// below it, is the stomach.
typedef struct body {
    scene* scene;
    tlw_cook_input input;
    tlw_cook_mesh meshes[2];
    float paint[TLW_COOK_PAINTS][VERTICES_MAX];
    tlw_cook_part parts[4];
    tlw_cook_recipe recipe;
    tlw_cook cook;
} body;

static void make_body(body* b) {
    *b = (body){.scene = scene_new()};
    scene_add_box(b->scene, (double[3]){-1, -0.5, -0.5}, (double[3]){1, 0.5, 0.5});
    for (uint32_t j = 0; j < JOINTS; ++j) {
        scene_add_joint(b->scene, j == 0 ? TLW_NO_JOINT : j - 1, -0.9 + 0.9 * j, 0, 0);
    }
    b->input = *scene_input(b->scene);
    b->meshes[0] = b->input.meshes[0];
    b->input.meshes = b->meshes;
    CHECK_LE(b->meshes[0].vertex_count, VERTICES_MAX);
    b->recipe = tlw_default_cook_recipe();
    b->recipe.resolution = 28;
    b->recipe.weights = TLW_WEIGHTS_GEODESIC;
    b->recipe.is_firm_auto = false;
    b->parts[0] = tlw_default_cook_part("joint1");
    b->recipe.parts = b->parts;
}

static void run_body(body* b) {
    b->cook = (tlw_cook){.input = &b->input, .recipe = &b->recipe};
    static tlw_task_system tasks;
    tasks = tlw_serial_task_system();
    b->cook.tasks = &tasks;
    (void)tlw_cook_run_stages(&b->cook);
    CHECK_STRING(b->cook.error.message, "");
}

static void free_body(body* b) {
    tlw_cook_free_stages(&b->cook);
    scene_free(b->scene);
}

// Voxels of a layer in a part.
static uint32_t count_layer(const tlw_cook* cook, uint32_t part, uint32_t layer) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        count += tlw_cook_part_of(cook, v) == part && cook->anatomy.layer[v] == layer;
    }
    return count;
}

TLW_TEST(a_stomach_can_have_more_fat_than_the_arm) {
    body plain, fat;
    make_body(&plain);
    make_body(&fat);
    plain.recipe.part_count = fat.recipe.part_count = 1;
    fat.parts[0].ratio[1] = (tlw_cook_fraction){1, 4};
    run_body(&plain);
    run_body(&fat);
    const uint32_t before = count_layer(&plain.cook, 1, 2), after = count_layer(&fat.cook, 1, 2);
    printf("    fat in the stomach: %u voxels, %u with a ratio of 1/4\n", before, after);
    CHECK_LT(before + before / 4, after);
    for (uint32_t v = 0; v < fat.cook.voxels.count; ++v) {
        const tlw_cook_anatomy* a = &fat.cook.anatomy;
        if (tlw_cook_part_of(&fat.cook, v) == 0) {
            CHECK_EQ(a->layer[v], plain.cook.anatomy.layer[v]);
        } else if (a->layer[v] > 0 && a->d_skin[v] > 0) {
            CHECK_EQ(a->layer[v], 4 * a->d_bone[v] <= a->d_bone[v] + a->d_skin[v] ? 1u : 2u);
        }
    }
    free_body(&plain);
    free_body(&fat);
}

TLW_TEST(bone_of_a_part_is_by_its_own_share_or_radius) {
    static const struct {
        tlw_cook_fraction share;
        int32_t radius, whole_radius;
    } rows[] = {{{1, 10}, -1, -1},
                {{0, 0}, 3, -1},
                {{0, 0}, 0, 2},
                {{6, 10}, -1, 1},
                {{6, 10}, 2, -1}}; // a radius goes before a share
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        body b;
        uint32_t differ = 0;
        make_body(&b);
        b.recipe.part_count = 1;
        b.recipe.bone_radius_voxels = rows[n].whole_radius;
        b.parts[0].bone_share = rows[n].share;
        b.parts[0].bone_radius_voxels = rows[n].radius;
        run_body(&b);
        for (uint32_t v = 0; v < b.cook.voxels.count; ++v) {
            const uint32_t seg = b.cook.anatomy.d_seg[v], all = seg + b.cook.anatomy.d_skin[v];
            const bool by_whole = rows[n].whole_radius >= 0 ? seg <= (uint32_t)rows[n].whole_radius
                                                            : seg <= all * 34 / 100;
            const bool by_part = rows[n].radius >= 0 ? seg <= (uint32_t)rows[n].radius
                                                     : seg <= all * rows[n].share.numerator /
                                                                  rows[n].share.denominator;
            const bool is_part = tlw_cook_part_of(&b.cook, v) == 1;
            // Deep shells are never bone; nothing here depends on that.
            if (b.cook.anatomy.d_skin[v] > 0) {
                CHECK_EQ(b.cook.anatomy.layer[v] == 0, is_part ? by_part : by_whole);
                differ += is_part && by_part != by_whole;
            }
        }
        CHECK_LT(10u, differ);
        free_body(&b);
    }
}

TLW_TEST(limits_of_a_part_are_by_its_own_factors) {
    static const float rows[][2] = {{0.02f, -1}, {-1, 0.2f}, {0.5f, 3.0f}, {0, -1}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        body b;
        make_body(&b);
        b.recipe.part_count = 1;
        b.parts[0].limit_extent = rows[n][0];
        b.parts[0].limit_thickness = rows[n][1];
        run_body(&b);
        for (uint32_t v = 0; v < b.cook.voxels.count; ++v) {
            const bool is_part = tlw_cook_part_of(&b.cook, v) == 1;
            const float extent = is_part && rows[n][0] >= 0 ? rows[n][0] : 0.10f;
            const float thickness = is_part && rows[n][1] >= 0 ? rows[n][1] : 0.6f;
            const double most = fmin((double)extent * (b.cook.grid.extent / b.cook.grid.voxel),
                                     (double)thickness * (b.cook.anatomy.thickness[v] + 1.0));
            CHECK_EQ(b.cook.anatomy.limit[v], (float)most);
        }
        free_body(&b);
    }
}

// ---- Mirror

// The stage check on one part, on a character with these joints.
static tlw_cook_error mirror_part(const char* joint, const char* partner, uint32_t* mirror) {
    tlw_cook_joint joints[2] = {{.name = joint, .parent = TLW_NO_JOINT},
                                {.name = partner, .parent = TLW_NO_JOINT}};
    tlw_cook_part part = tlw_default_cook_part(joint);
    part.is_mirrored = true;
    const tlw_cook_input input = {.joints = joints, .joint_count = 2};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.parts = &part;
    recipe.part_count = 1;
    tlw_joint_name names[2];
    tlw_cook cook = {.input = &input, .recipe = &recipe, .names = names, .mirrors = mirror};
    tlw_sort_joint_names(joints, 2, names);
    (void)tlw_cook_check_part(&cook, 0);
    tlw_cook_free_stages(&cook);
    return cook.error;
}

TLW_TEST(a_mirrored_part_finds_the_joint_on_the_other_side_by_its_name) {
    static const char* const rows[][2] = {
        {"thigh_l", "thigh_r"},
        {"thigh_L", "thigh_R"},
        {"LThigh", "RThigh"},
        {"thighL", "thighR"},
        {"mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"},
        {"upperarm.L", "upperarm.R"},
        {"LEFT_ARM", "RIGHT_ARM"},
        {"left arm 2", "right arm 2"},
        {"Bip01 L Calf", "Bip01 R Calf"},
        {"l", "r"},
        {"J_Bip_L_UpperLeg.001", "J_Bip_R_UpperLeg.001"},
    };
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        for (int side = 0; side < 2; ++side) {
            uint32_t mirror = 77;
            const tlw_cook_error error = mirror_part(rows[n][side], rows[n][1 - side], &mirror);
            CHECK_STRING(error.message, "");
            CHECK_EQ(mirror, 1u);
        }
    }
}

TLW_TEST(a_part_that_cannot_be_mirrored_is_refused_and_says_why) {
    static const struct {
        const char *joint, *partner, *message;
    } rows[] = {
        {"spine", "enips",
         "part 0: 'spine' cannot be mirrored: none of its words is left, right, l or r"},
        {"leftover", "rightover",
         "part 0: 'leftover' cannot be mirrored: none of its words is left, right, l or r"},
        {"left_hand_l", "right_hand_r",
         "part 0: 'left_hand_l' cannot be mirrored: more than one of its words is left, right, l "
         "or r"},
        {"thigh_l", "thigh_R", "part 0: 'thigh_l' cannot be mirrored: there is no joint 'thigh_r'"},
        {"LeftArm", "rightArm",
         "part 0: 'LeftArm' cannot be mirrored: there is no joint 'RightArm'"},
    };
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        uint32_t mirror;
        CHECK_STRING(mirror_part(rows[n].joint, rows[n].partner, &mirror).message, rows[n].message);
    }
}

// Joints: the middle one is the root, one on each side, and one more below each of these.
static void make_sides(body* b) {
    static const char* const names[] = {"root", "arm_l", "arm_r", "hand_l", "hand_r"};
    static const uint32_t parents[] = {TLW_NO_JOINT, 0, 0, 1, 2};
    static const double places[] = {0, -0.4, 0.4, -0.8, 0.8};
    *b = (body){.scene = scene_new()};
    scene_add_box(b->scene, (double[3]){-1, -0.3, -0.3}, (double[3]){1, 0.3, 0.3});
    for (uint32_t j = 0; j < 5; ++j) {
        scene_add_joint(b->scene, parents[j], places[j], 0, 0);
        snprintf(b->scene->joint_names[j], sizeof *b->scene->joint_names, "%s", names[j]);
    }
    b->input = *scene_input(b->scene);
    b->recipe = tlw_default_cook_recipe();
    b->recipe.resolution = 24;
    b->recipe.weights = TLW_WEIGHTS_GEODESIC;
    b->recipe.is_firm_auto = false;
    b->recipe.parts = b->parts;
}

static void check_parts_of_joints(const body* b, const uint32_t parts[5]) {
    for (uint32_t j = 0; j < 5; ++j) {
        CHECK_EQ(b->cook.parts.of_joint[j], parts[j]);
    }
}

TLW_TEST(a_mirrored_part_is_one_part_on_both_sides) {
    body b;
    make_sides(&b);
    b.parts[0] = tlw_default_cook_part("arm_r");
    b.parts[0].is_mirrored = true;
    b.parts[0].limit_extent = 0.01f;
    b.recipe.part_count = 1;
    run_body(&b);
    check_parts_of_joints(&b, (uint32_t[5]){0, 1, 1, 1, 1});
    CHECK_EQ(b.cook.parts.count, 2);
    CHECK_EQ(b.cook.parts.list[1].joint, 2);
    uint32_t on_side[2] = {0, 0};
    for (uint32_t v = 0; v < b.cook.voxels.count; ++v) {
        const uint32_t joint = b.cook.weights[v].joint[0];
        if (joint > 0) {
            on_side[joint % 2] += 1;
            CHECK_EQ(b.cook.anatomy.limit[v],
                     (float)((double)0.01f * (b.cook.grid.extent / b.cook.grid.voxel)));
        }
    }
    CHECK_EQ(b.cook.parts.list[1].voxel_count, on_side[0] + on_side[1]);
    CHECK_LT(50u, on_side[0]);
    CHECK_LT(50u, on_side[1]);
    free_body(&b);
}

TLW_TEST(a_joint_with_a_part_of_its_own_is_not_mirrored_to) {
    body b;
    make_sides(&b);
    b.parts[0] = tlw_default_cook_part("arm_l");
    b.parts[1] = tlw_default_cook_part("arm_r");
    b.parts[2] = tlw_default_cook_part("hand_r");
    b.parts[0].is_mirrored = b.parts[2].is_mirrored = true;
    b.recipe.part_count = 3;
    run_body(&b);
    check_parts_of_joints(&b, (uint32_t[5]){0, 1, 2, 3, 3});
    free_body(&b);
    // The first of two entries for one joint counts on both sides; two that mirror each other stay.
    make_sides(&b);
    b.parts[0] = b.parts[1] = tlw_default_cook_part("arm_l");
    b.parts[2] = tlw_default_cook_part("hand_l");
    b.parts[3] = tlw_default_cook_part("hand_r");
    for (int i = 0; i < 4; ++i) {
        b.parts[i].is_mirrored = true;
    }
    b.recipe.part_count = 4;
    run_body(&b);
    check_parts_of_joints(&b, (uint32_t[5]){0, 1, 1, 3, 4});
    free_body(&b);
}

TLW_TEST(a_mirrored_part_on_firm_joints_takes_both_subtrees_with_it) {
    static const char* const firm[] = {"arm_l", "arm_r"};
    body b;
    make_sides(&b);
    b.recipe.firm_joints = firm;
    b.recipe.firm_joint_count = 2;
    b.parts[0] = tlw_default_cook_part("arm_l");
    b.parts[0].is_mirrored = true;
    b.recipe.part_count = 1;
    run_body(&b);
    check_parts_of_joints(&b, (uint32_t[5]){0, 1, 1, 1, 1});
    CHECK_EQ(b.cook.parts.count, 2);
    free_body(&b);
    make_sides(&b); // only the side that it is mirrored to would be firm
    b.recipe.firm_joints = firm + 1;
    b.recipe.firm_joint_count = 1;
    b.parts[0] = tlw_default_cook_part("arm_l");
    b.parts[0].is_mirrored = true;
    b.recipe.part_count = 1;
    run_body(&b);
    check_parts_of_joints(&b, (uint32_t[5]){0, 1, 1, 1, 1});
    CHECK_EQ(b.cook.parts.count, 2);
    free_body(&b);
    make_sides(&b); // not mirrored: the other side stays firm
    b.recipe.firm_joints = firm;
    b.recipe.firm_joint_count = 2;
    b.parts[0] = tlw_default_cook_part("arm_l");
    b.recipe.part_count = 1;
    run_body(&b);
    check_parts_of_joints(&b, (uint32_t[5]){0, 1, 2, 1, 2});
    CHECK_EQ(b.cook.parts.list[2].kind, TLW_PART_FIRM_RECIPE);
    free_body(&b);
}

TLW_TEST(numbers_of_a_part_are_checked) {
    static const struct {
        tlw_cook_part part;
        const char* message;
    } rows[] = {
        {{.bone_share = {3, 2}}, "part 0 'joint1': bone_share is 3 / 2"},
        {{.ratio[1] = {5, 4}}, "part 0 'joint1', layer 'muscle': ratio is 5 / 4"},
        {{.limit_extent = NAN}, "part 0 'joint1': limit_extent nan, limit_thickness 0"},
        {{.limit_thickness = 2e6f}, "part 0 'joint1': limit_extent 0, limit_thickness 2e+06"},
    };
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        body b;
        make_body(&b);
        b.parts[0] = rows[n].part;
        b.parts[0].joint = "joint1";
        b.recipe.part_count = 1;
        const tlw_cook_options options = tlw_default_cook_options();
        tlw_cook_output out;
        CHECK_RESULT(tlw_cook_character(&b.input, &b.recipe, &options, &out),
                     TLW_ERROR_BAD_ARGUMENT);
        CHECK_STRING(out.error.message, rows[n].message);
        CHECK(out.error.is_of_recipe);
        tlw_cook_output_free(&out);
        scene_free(b.scene);
    }
    // Ratios ascend together with those that the part keeps.
    body b;
    make_body(&b);
    b.recipe.layer_count = 5;
    b.recipe.layers[4] = b.recipe.layers[3];
    b.recipe.layers[2].ratio = (tlw_cook_fraction){8, 10};
    b.parts[0].ratio[1] = (tlw_cook_fraction){8, 10};
    b.recipe.part_count = 1;
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_RESULT(tlw_cook_character(&b.input, &b.recipe, &options, &out), TLW_ERROR_BAD_ARGUMENT);
    CHECK_STRING(out.error.message, "part 0 'joint1': layers out of order: 'fat' (8 / 10) does not "
                                    "come after 'muscle' (8 / 10)");
    tlw_cook_output_free(&out);
    scene_free(b.scene);
}
