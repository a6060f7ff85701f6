// SPDX-License-Identifier: MIT
// The oracle cooker's layers by part and paint (RULES 8, 8.1, 8.5, 8.7) against facts worked out by
// hand: shells that are never bone, parts with bone, ratios and limits of their own, mirrored
// parts, blends at borders, and paint.
#include "tests/cook/oracle/oracle_private.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static tlw_cook_recipe recipe_at(uint32_t resolution) {
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = resolution;
    return recipe;
}

// Shells
// -----------------------------------------------------------------------------------------

// The bone runs from x = 5.5 to 0.25 through the middle of 9 x 9 x 9 cells. Its last voxel is on
// the shell, 4 deep, and stays skin; a radius does not change that.
TLW_TEST(deep_shell_is_never_bone) {
    scene* s = make_box(4.25, 4.25, 4.25, 1);
    tlw_cook_recipe recipe = recipe_at(9);
    for (int32_t radius = -1; radius <= 1; ++radius) {
        recipe.bone_radius_voxels = radius;
        oracle_result r = cook_checked(s, &recipe);
        const oracle_voxel* end = voxel_in(&r, 0, 4, 4);
        CHECK_EQ(end->d_seg, 0);
        CHECK_EQ(end->h, 4);
        CHECK_EQ(end->layer, 3);
        CHECK_EQ(end->d_bone, 1);
        for (int32_t x = 1; x <= 5; ++x) {
            CHECK_EQ(voxel_in(&r, x, 4, 4)->layer, 0);
        }
        CHECK_EQ(r.boneless_component_count, 0);
        oracle_free(&r);
    }
    scene_free(s);
}

// A point joint on the shell is all the bone that the cube would have: without it the whole cube
// becomes bone, its shell too. Of a cube of three the shell is one deep and may be bone.
TLW_TEST(piece_with_bone_only_in_a_deep_shell_becomes_bone_as_a_whole) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, -4, 0, 0);
    scene_add_box(s, (double[3]){-4.25, -4.25, -4.25}, (double[3]){4.25, 4.25, 4.25});
    oracle_result r = cook_at(s, 9);
    CHECK_EQ(r.boneless_component_count, 1);
    CHECK_EQ(count_layer(&r, 0), 729);
    oracle_free(&r);
    scene_free(s);

    s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, -1, 0, 0);
    scene_add_box(s, (double[3]){-1.25, -1.25, -1.25}, (double[3]){1.25, 1.25, 1.25});
    r = cook_at(s, 3);
    CHECK_EQ(voxel_in(&r, 0, 1, 1)->h, 1);
    CHECK_EQ(voxel_in(&r, 0, 1, 1)->layer, 0);
    CHECK_EQ(count_layer(&r, 0), 1);
    CHECK_EQ(r.boneless_component_count, 0);
    oracle_free(&r);
    scene_free(s);
}

// Parts
// -----------------------------------------------------------------------------------------

// A bar of 18 x 9 x 9 cells along x, in two halves of a joint each.
static scene* make_halves(void) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 4.5, 4.5, 4.5);
    scene_add_joint(s, 0, 9, 4.5, 4.5);
    const double x[] = {0.25, 8.75, 9.25, 17.75}, y[] = {0.25, 8.75};
    add_blocks(s, (const double* const[3]){x, y, y}, (uint32_t[3]){3, 1, 1}, "###");
    weigh_by_side(s, 0, 9, 0, 1);
    return s;
}

static bool is_in_second_half(const oracle_voxel* voxel) {
    return voxel->cell[0] >= 9;
}

// With `same_layers` all layers agree with a cook whose recipe has the part's values everywhere, in
// the part's half, and with a plain cook in the other; otherwise bone alone, because distances to
// bone cross the border.
static void check_halves(scene* s, const tlw_cook_recipe* plain, const tlw_cook_recipe* changed,
                         const tlw_cook_part* part, bool same_layers) {
    tlw_cook_recipe with_part = *plain;
    with_part.parts = part;
    with_part.part_count = 1;
    oracle_result a = cook_checked(s, plain), b = cook_checked(s, changed),
                  r = cook_checked(s, &with_part);
    uint32_t differences = 0;
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        const oracle_voxel* voxel = &r.voxels[v];
        const bool is_second = is_in_second_half(voxel);
        const oracle_voxel* like = is_second ? &b.voxels[v] : &a.voxels[v];
        CHECK_EQ(voxel->part, is_second);
        CHECK_EQ(voxel->layer == 0, like->layer == 0);
        CHECK(!same_layers || voxel->layer == like->layer);
        CHECK_EQ(voxel->d_max, like->d_max);
        differences += a.voxels[v].layer != b.voxels[v].layer || a.voxels[v].d_max != like->d_max;
    }
    CHECK_LT(20, differences); // it was worth comparing
    oracle_free(&a);
    oracle_free(&b);
    oracle_free(&r);
}

TLW_TEST(part_has_bone_ratios_and_limits_of_its_own) {
    scene* s = make_halves();
    const tlw_cook_recipe plain = recipe_at(18);

    tlw_cook_part part = keep_all("joint1");
    tlw_cook_recipe changed = plain;
    part.bone_share = changed.bone_share = (tlw_cook_fraction){7, 10};
    check_halves(s, &plain, &changed, &part, false);

    part = keep_all("joint1");
    changed = plain;
    part.bone_radius_voxels = changed.bone_radius_voxels = 2;
    check_halves(s, &plain, &changed, &part, false);

    // A share goes before the recipe's radius, and a radius before the part's own share.
    tlw_cook_recipe by_radius = plain;
    by_radius.bone_radius_voxels = 3;
    changed = plain;
    part = keep_all("joint1");
    part.bone_share = changed.bone_share = (tlw_cook_fraction){1, 10};
    check_halves(s, &by_radius, &changed, &part, false);
    part.bone_radius_voxels = 2;
    changed = by_radius;
    changed.bone_radius_voxels = 2;
    check_halves(s, &by_radius, &changed, &part, false);

    // A radius of 0 is a radius: touched voxels alone.
    part = keep_all("joint1");
    part.bone_radius_voxels = changed.bone_radius_voxels = 0;
    check_halves(s, &by_radius, &changed, &part, false);

    part = keep_all("joint1");
    changed = plain;
    part.ratio[1] = changed.layers[1].ratio = (tlw_cook_fraction){2, 10};
    check_halves(s, &plain, &changed, &part, true);

    part = keep_all("joint1");
    changed = plain;
    part.limit_extent = changed.limit_extent = 0.03f;
    check_halves(s, &plain, &changed, &part, true);
    part = keep_all("joint1");
    changed = plain;
    part.limit_thickness = changed.limit_thickness = 0.2f;
    check_halves(s, &plain, &changed, &part, true);
    scene_free(s);
}

TLW_TEST(names_are_mirrored_by_their_words_for_sides) {
    static const struct {
        const char *name, *mirrored; // null: no side, or several
    } names[] = {
        {"LeftArm", "RightArm"},
        {"RightArm", "LeftArm"},
        {"mixamorig:LeftHandThumb1", "mixamorig:RightHandThumb1"},
        {"LEFT_ARM", "RIGHT_ARM"},
        {"left", "right"},
        {"LEFT", "RIGHT"},
        {"arm_l", "arm_r"},
        {"arm.L", "arm.R"},
        {"L_arm", "R_arm"},
        {"LArm", "RArm"},
        {"armL", "armR"},
        {"b_l_01", "b_r_01"},
        {"lEFT", "rEFT"}, // l, EFT
        {"arm", NULL},
        {"lefthand", NULL}, // one word
        {"Lefts", NULL},
        {"LeftArm_L", NULL},
        {"l_r", NULL},
        {"collar", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        char mirrored[64];
        const bool has_side = oracle_mirror_name(names[i].name, mirrored, sizeof mirrored);
        CHECK_EQ(has_side, names[i].mirrored != NULL);
        if (has_side) {
            CHECK_STRING(mirrored, names[i].mirrored);
        }
    }
}

static void rename_joint(scene* s, uint32_t joint, const char* name) {
    snprintf(s->joint_names[joint], sizeof *s->joint_names, "%s", name);
}

// A body with two arms of two joints and a tail; only the body has voxels.
static scene* make_arms(void) {
    scene* s = make_box(1.25, 1.25, 1.25, 0);
    static const char* const names[] = {"body", "arm_l", "hand_l", "arm_r", "hand_r", "tail"};
    static const uint32_t parents[] = {TLW_NO_JOINT, 0, 1, 0, 3, 0};
    for (uint32_t j = 1; j < 6; ++j) {
        scene_add_joint(s, parents[j], 0, 0, 0);
    }
    for (uint32_t j = 0; j < 6; ++j) {
        rename_joint(s, j, names[j]);
    }
    return s;
}

static void check_joint_parts(scene* s, const tlw_cook_part* parts, uint32_t count,
                              const uint32_t expected[6]) {
    tlw_cook_recipe recipe = recipe_at(3);
    recipe.parts = parts;
    recipe.part_count = count;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.part_count, count + 1);
    for (uint32_t j = 0; j < 6; ++j) {
        CHECK_EQ(r.joint_part[j], expected[j]);
    }
    oracle_free(&r);
}

TLW_TEST(mirrored_part_stands_for_both_sides_unless_the_recipe_has_the_other) {
    scene* s = make_arms();
    tlw_cook_part parts[] = {keep_all("arm_l"), keep_all("hand_r"), keep_all("arm_r")};
    check_joint_parts(s, parts, 1, (uint32_t[6]){0, 1, 1, 0, 0, 0});
    parts[0].is_mirrored = true;
    check_joint_parts(s, parts, 1, (uint32_t[6]){0, 1, 1, 1, 1, 0});
    check_joint_parts(s, parts, 2, (uint32_t[6]){0, 1, 1, 1, 2, 0});
    check_joint_parts(s, parts, 3, (uint32_t[6]){0, 1, 1, 3, 2, 0});
    parts[1].is_mirrored = true;
    check_joint_parts(s, parts, 2, (uint32_t[6]){0, 1, 2, 1, 2, 0});
    // Mistakes: no side in the name, and no joint on the other side.
    tlw_cook_recipe recipe = recipe_at(3);
    recipe.parts = parts;
    recipe.part_count = 1;
    oracle_result r;
    parts[0].joint = "tail";
    CHECK(oracle_cook(scene_input(s), &recipe, &r) != NULL);
    oracle_free(&r);
    rename_joint(s, 3, "arm_x");
    parts[0].joint = "arm_l";
    CHECK(oracle_cook(scene_input(s), &recipe, &r) != NULL);
    oracle_free(&r);
    scene_free(s);
}

// Blends
// -----------------------------------------------------------------------------------------

// The border is between cells 8 and 9: one slice of 81 voxels on each side, less bone.
TLW_TEST(voxels_at_a_border_of_parts_blend_a_quarter_of_the_other) {
    scene* s = make_halves();
    tlw_cook_part part = keep_all("joint1");
    tlw_cook_recipe recipe = recipe_at(18);
    recipe.parts = &part;
    recipe.part_count = 1;
    const tlw_cook_cut cut = {"joint0", "joint1", TLW_CUT_ALL};
    recipe.cuts = &cut;
    for (recipe.cut_count = 0; recipe.cut_count < 2; ++recipe.cut_count) {
        oracle_result r = cook_checked(s, &recipe);
        uint32_t blended = 0, bone = 0;
        for (uint32_t v = 0; v < r.voxel_count; ++v) {
            const oracle_voxel* voxel = &r.voxels[v];
            const bool is_border = voxel->cell[0] == 8 || voxel->cell[0] == 9;
            // Cut faces do not count.
            if (is_border && voxel->layer != 0 && recipe.cut_count == 0) {
                CHECK_EQ(voxel->other_part, !is_in_second_half(voxel));
                CHECK_EQ(voxel->other_share, 0.25);
                ++blended;
            } else {
                CHECK_EQ(voxel->other_part, ORACLE_NONE);
                CHECK_EQ(voxel->other_share, 0.0);
                bone += is_border && voxel->layer == 0;
            }
        }
        CHECK_EQ(blended + bone, recipe.cut_count == 0 ? 162 : bone);
        CHECK_EQ(bone > 0, recipe.cut_count == 0); // the cut makes a deep shell of it
        oracle_free(&r);
    }
    scene_free(s);
}

TLW_TEST(part_with_most_faces_blends_then_the_lowest) {
    oracle_voxel voxels[7] = {{.layer = 1}};
    oracle_result r = {.voxels = voxels, .voxel_count = 1, .part_count = 4};
    oracle_work work = {.result = &r};
    static const struct {
        uint32_t own, around[6]; // parts; ORACLE_NONE: no link
        uint32_t other;
    } cases[] = {
        {0, {0, 0, 0, 0, 0, 0}, ORACLE_NONE},
        {0, {1, 2, 2, 0, 0, 0}, 2},
        {0, {3, 2, 0, 0, 0, 0}, 2},
        {2, {3, 1, 2, 2, 2, 2}, 1},
        {1, {ORACLE_NONE, ORACLE_NONE, 1, 1, 3, 0}, 0},
        {3, {ORACLE_NONE, 3, 3, 3, 3, 3}, ORACLE_NONE},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        for (uint32_t layer = 0; layer < 2; ++layer) { // bone does not blend
            voxels[0].part = cases[i].own;
            voxels[0].layer = layer;
            for (uint32_t face = 0; face < 6; ++face) {
                const bool is_linked = cases[i].around[face] != ORACLE_NONE;
                voxels[0].faces[face] = is_linked ? face + 1 : ORACLE_NONE;
                voxels[face + 1].part = is_linked ? cases[i].around[face] : 0;
            }
            oracle_make_blends(&work);
            CHECK_EQ(voxels[0].other_part, layer == 0 ? ORACLE_NONE : cases[i].other);
        }
    }
}

// Paint
// -----------------------------------------------------------------------------------------

// A point joint in 9 x 9 x 9 cells (test_oracle.c): with |x|, |y|, |z| from the middle, their sum
// and the largest a, d_bone = sum - 1 and d_skin = 4 - a outside of bone. Paint of 1/2 halves the
// muscle's ratio of 6/10, paint of 1 leaves no muscle.
TLW_TEST(fat_paint_takes_its_share_of_the_muscle) {
    for (int half = 0; half <= 2; ++half) {
        scene* s = make_box(4.25, 4.25, 4.25, 0);
        scene_paint(s, TLW_PAINT_FAT, half / 2.0);
        oracle_result r = cook_at(s, 9);
        CHECK(r.is_painted[TLW_PAINT_FAT] && !r.is_painted[TLW_PAINT_STIFFNESS]);
        uint32_t muscle = 0;
        for (uint32_t v = 0; v < r.voxel_count; ++v) {
            const oracle_voxel* voxel = &r.voxels[v];
            int sum = 0, a = 0;
            for (int k = 0; k < 3; ++k) {
                const int d = abs(voxel->cell[k] - 4);
                sum += d;
                a = d > a ? d : a;
            }
            CHECK_EQ(voxel->paint[TLW_PAINT_FAT], (uint32_t)half * 32768);
            CHECK_EQ(voxel->paint[TLW_PAINT_STIFFNESS], 32768);
            CHECK_EQ(voxel->stiffness_factor, 1.0);
            const bool is_muscle =
                sum > 1 && a < 4 && 20 * (sum - 1) <= 6 * (2 - half) * (sum - 1 + 4 - a);
            CHECK_EQ(voxel->layer == 1, is_muscle);
            muscle += is_muscle;
        }
        CHECK_EQ(muscle > 0, half < 2);
        oracle_free(&r);
        scene_free(s);
    }
}

// The faces at the ends of a bar of 5 x 3 x 3 cells are painted 0 and 1, so v rises along x as
// x / 4.5 on its sides. The middle row ties between all faces at distance 1.25; the ends come first
// (0, 1/2, 1). One pass of smoothing makes the middle row's first voxel the mean of its six faces.
TLW_TEST(paint_comes_from_the_closest_point_and_is_smoothed_and_rounded) {
    scene* s = make_box(2.25, 1.25, 1.25, 0);
    scene_paint(s, TLW_PAINT_STIFFNESS, 0);
    for (uint32_t v = 1; v < 8; v += 2) {
        s->meshes[0].paint[TLW_PAINT_STIFFNESS][v] = 1;
    }
    tlw_cook_recipe recipe = recipe_at(5);
    recipe.smoothing_passes = 0;
    oracle_result r = cook_checked(s, &recipe);
    const uint32_t side = 18204; // 65536 * 1.25 / 4.5 = 18204.4
    CHECK_EQ(voxel_in(&r, 0, 1, 1)->paint[TLW_PAINT_STIFFNESS], 0);
    CHECK_EQ(voxel_in(&r, 1, 1, 1)->paint[TLW_PAINT_STIFFNESS], 0);
    CHECK_EQ(voxel_in(&r, 1, 0, 1)->paint[TLW_PAINT_STIFFNESS], side);
    CHECK_EQ(voxel_in(&r, 2, 1, 1)->paint[TLW_PAINT_STIFFNESS], 32768);
    CHECK_EQ(voxel_in(&r, 4, 1, 1)->paint[TLW_PAINT_STIFFNESS], 65536);
    CHECK_EQ(voxel_in(&r, 0, 1, 1)->stiffness_factor, 0.25);
    CHECK_EQ(voxel_in(&r, 2, 1, 1)->stiffness_factor, 1.0);
    CHECK_EQ(voxel_in(&r, 4, 1, 1)->stiffness_factor, 4.0);
    CHECK_NEAR(voxel_in(&r, 1, 0, 1)->stiffness_factor, pow(4, 2 * side / 65536.0 - 1), 1e-12);
    oracle_free(&r);
    recipe.smoothing_passes = 1;
    r = cook_checked(s, &recipe);
    CHECK_EQ(voxel_in(&r, 1, 1, 1)->paint[TLW_PAINT_STIFFNESS],
             (uint32_t)floor(65536 * (0 + 0.5 + 4 * (1.25 / 4.5)) / 6 + 0.5));
    CHECK_EQ(voxel_in(&r, 1, 0, 1)->paint[TLW_PAINT_STIFFNESS], side); // shell: as it was
    oracle_free(&r);
    scene_free(s);
}

// A second box without paint on the same vertices at x = 1.25: welded, these have the painted
// value alone. Far from them its own default counts.
TLW_TEST(meshes_without_paint_have_its_default_and_welded_vertices_the_painted_value) {
    scene* s = make_box(1.25, 1.25, 1.25, 0);
    scene_paint(s, TLW_PAINT_FAT, 1);
    scene_paint(s, TLW_PAINT_STIFFNESS, 1);
    s->meshes[0].paint[TLW_PAINT_FAT][0] = 0.3f;
    scene_add_mesh(s, TLW_ROLE_VOXELISE);
    scene_add_box(s, (double[3]){1.25, -1.25, -1.25}, (double[3]){8.25, 1.25, 1.25});
    scene_weigh_rigidly(s, 0, 0);
    tlw_cook_recipe recipe = recipe_at(10);
    recipe.smoothing_passes = 0;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(voxel_in(&r, 9, 1, 1)->paint[TLW_PAINT_FAT], 0);
    CHECK_EQ(voxel_in(&r, 9, 1, 1)->paint[TLW_PAINT_STIFFNESS], 32768);
    CHECK_EQ(voxel_in(&r, 2, 2, 2)->paint[TLW_PAINT_FAT], 65536);
    // The corner with 0.3 has a share of 0.9: 65536 * 0.37 = 24248.3.
    CHECK_EQ(voxel_in(&r, 0, 0, 0)->paint[TLW_PAINT_FAT], 24248);
    // Cell 3's centre is 0.75 of 7 on the way from the welded corners to those without paint.
    CHECK_EQ(voxel_in(&r, 3, 1, 0)->paint[TLW_PAINT_FAT],
             (uint32_t)floor(65536 * (1 - 0.75 / 7) + 0.5));
    oracle_free(&r);
    scene_free(s);
}
