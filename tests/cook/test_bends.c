// SPDX-License-Identifier: MIT
// Skinned volume as it is cooked (RULES 9.8 to 9.10), on bodies whose bends are known: the limb, a
// body that mirrors itself, a slab; and mistakes of the recipe.
#include "tests/cook/support/bend_view.h"
#include "tests/cook/support/limb.h"

#include <math.h>

// The limb

TLW_TEST(a_limb_has_one_bend_with_known_volume_slope_and_reach) {
    limb* l = limb_make(2, NULL);
    CHECK_OK(limb_cook_bends(l));
    const tlw_cook_bends* bends = &l->cook.bends;
    CHECK_EQ(bends->count, 1);
    CHECK_EQ(bends->left_out, 0);
    CHECK_EQ(bends->list[0].joint, 1);
    CHECK_EQ(bends->voxels[0], l->cook.voxels.count);
    CHECK_EQ(bends->list[0].rest_volume, 1960.0f);
    CHECK_NEAR(bends->list[0].rest_slope, 162.151, 0.02); // of a second program
    CHECK_EQ(bends->list[0].reach, 2.5f);                 // half of a depth of 4, and 1
    CHECK_EQ(bends->pair_count, 0);
    CHECK_EQ(bends->couple_count, 0);
    limb_free(l);
}

TLW_TEST(bends_come_after_those_of_joints_above_whatever_the_order_of_the_input) {
    static const struct {
        uint32_t joint_of_bone[5], order[4];
    } rows[] = {{{0, 1, 2, 3, 4}, {1, 2, 3, 4}},
                {{4, 3, 2, 1, 0}, {3, 2, 1, 0}},
                {{2, 0, 3, 1, 4}, {0, 3, 1, 4}},
                {{3, 4, 0, 2, 1}, {4, 0, 2, 1}}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        limb* l = limb_make(5, rows[n].joint_of_bone);
        CHECK_OK(limb_cook_bends(l));
        CHECK_EQ(l->cook.bends.count, 4);
        for (uint32_t i = 0; i < 4; ++i) {
            CHECK_EQ(l->cook.bends.list[i].joint, rows[n].order[i]);
        }
        limb_free(l);
    }
}

// A joint between two bends that is no bend itself: nobody has weight for it, so it is not kept,
// and the joint below it has the one above it for its parent.
TLW_TEST(the_parent_of_a_bend_is_the_nearest_kept_joint_above) {
    limb* l = limb_make(3, NULL);
    l->skeleton_joints[1].is_kept = false;
    l->skeleton_joints[2].parent = 0;
    l->skeleton_joints[1].touched_end = l->skeleton_joints[1].touched_begin;
    CHECK_OK(limb_cook_bends(l));
    CHECK_EQ(l->cook.bends.count, 1);
    CHECK_EQ(l->cook.bends.list[0].joint, 2);
    CHECK_LT(1000, l->cook.bends.voxels[0]);
    limb_free(l);
}

TLW_TEST(a_reach_of_0_or_a_single_joint_has_no_bends) {
    limb *off = limb_make(2, NULL), *single = limb_make(1, NULL);
    off->recipe.volume_reach = 0.0f;
    CHECK_OK(limb_cook_bends(off));
    CHECK_OK(limb_cook_bends(single));
    CHECK_EQ(off->cook.bends.count, 0);
    CHECK(off->cook.bends.list == NULL && off->cook.bends.field == NULL);
    CHECK_EQ(single->cook.bends.count, 0);
    CHECK_EQ(single->cook.bends.left_out, 0);
    limb_free(off);
    limb_free(single);
}

TLW_TEST(the_reach_is_the_recipes_times_the_depth_of_the_bend) {
    limb* l = limb_make(2, NULL);
    l->recipe.volume_reach = 10.0f;
    CHECK_OK(limb_cook_bends(l));
    CHECK_EQ(l->cook.bends.list[0].reach, 50.0f);
    limb_free(l);
}

// Bodies

// A body that mirrors itself at x = 0: a chest, and an arm to either side of two joints each.
static scene* make_mirrored(void) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1.0, -0.2, -0.2}, (double[3]){1.0, 0.2, 0.2});
    scene_add_box(s, (double[3]){-0.3, -0.7, -0.3}, (double[3]){0.3, 0.35, 0.3});
    const uint32_t chest = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    const uint32_t left = scene_add_joint(s, chest, 0.35, 0, 0);
    const uint32_t right = scene_add_joint(s, chest, -0.35, 0, 0);
    scene_add_joint(s, left, 0.7, 0, 0);   // joint3
    scene_add_joint(s, right, -0.7, 0, 0); // joint4
    return s;
}

TLW_TEST(the_field_of_a_mirrored_body_is_mirrored) {
    static const uint32_t other[5] = {0, 2, 1, 4, 3};
    tlw_cook_recipe recipe = recipe_of(32);
    recipe.weights = TLW_WEIGHTS_HEAT;
    character c;
    cook_scene(&c, make_mirrored(), &recipe);
    const tlw_cook* cook = &c.open.cook;
    CHECK_EQ(cook->bends.count, 4);
    uint32_t compared = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        tlw_int3 at = cook->voxels.coordinates[v];
        at.x = cook->grid.size.x - 1 - at.x;
        const uint32_t mirror = tlw_cook_voxel_at(cook, at);
        CHECK(mirror != TLW_NO_VOXEL);
        const voxel_view a = view_of(cook, v), b = view_of(cook, mirror);
        for (uint32_t k = 0; k < 3; ++k) {
            const bool is_x = (cook->order.lane_axis + k) % 3 == 0;
            CHECK_NEAR(a.field[k], is_x ? -b.field[k] : b.field[k], 1e-6);
        }
        CHECK_EQ(a.count, b.count);
        for (uint32_t i = 0; i < a.count; ++i) {
            const uint32_t joint = other[cook->bends.list[a.bend[i]].joint];
            for (uint32_t k = 0; k < b.count; ++k) {
                if (cook->bends.list[b.bend[k]].joint == joint) {
                    CHECK_NEAR(a.share[i], b.share[k], 1e-6);
                    compared += 1;
                }
            }
        }
    }
    CHECK_LT(1000, compared);
    free_character(&c);
}

// A slab five voxels thick along y. Its rim points the field aside, so voxels near it do not count.
TLW_TEST(the_field_vanishes_on_the_medial_axis_of_a_slab_and_points_outwards_beside_it) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1.0, -0.11, -0.6}, (double[3]){1.0, 0.11, 0.6});
    const uint32_t root = scene_add_joint(s, TLW_NO_JOINT, -0.5, 0, 0);
    scene_add_joint(s, root, 0, 0, 0);
    tlw_cook_recipe recipe = recipe_of(40);
    recipe.weights = TLW_WEIGHTS_HEAT;
    character c;
    cook_scene(&c, s, &recipe);
    const tlw_cook* cook = &c.open.cook;
    const uint32_t up = (1 + 3 - cook->order.lane_axis) % 3; // the lattice axis that is y
    uint32_t medial = 0, outside = 0;
    CHECK_EQ(cook->grid.size.y, 5);
    CHECK_EQ(cook->bends.count, 1);
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_int3 at = cook->voxels.coordinates[v];
        const bool is_far =
            at.x >= 8 && at.x < cook->grid.size.x - 8 && at.z >= 6 && at.z < cook->grid.size.z - 6;
        const voxel_view view = view_of(cook, v);
        if (!is_far || cook->anatomy.layer[v] == 0) {
            continue;
        }
        if (at.y == 2) {
            medial += 1;
            for (uint32_t a = 0; a < 3; ++a) {
                CHECK_NEAR(view.field[a], 0.0, 1e-12);
            }
        } else if (view.count > 0) {
            outside += 1;
            CHECK_LT(0.0f, at.y > 2 ? view.field[up] : -view.field[up]);
        }
    }
    CHECK_LT(100, medial);
    CHECK_LT(400, outside);
    free_character(&c);
}

// Mistakes

static void check_mistake(const tlw_cook_recipe* recipe, const char* key, const char* message) {
    scene* s = scene_make(SCENE_box, 0);
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_RESULT(tlw_cook_character(scene_input(s), recipe, &options, &out),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK(out.blob == NULL && out.error.is_of_recipe);
    CHECK_STRING(out.error.key, key);
    CHECK_STRING(out.error.message, message);
    tlw_cook_output_free(&out);
    scene_free(s);
}

TLW_TEST(a_reach_that_is_not_0_to_10_and_an_unknown_skinning_are_named) {
    tlw_cook_recipe recipe = recipe_of(16);
    recipe.volume_reach = -0.5f;
    check_mistake(&recipe, "volume.reach", "volume_reach is -0.5; it is 0 to 10");
    recipe.volume_reach = 10.5f;
    check_mistake(&recipe, "volume.reach", "volume_reach is 10.5; it is 0 to 10");
    recipe.volume_reach = INFINITY;
    check_mistake(&recipe, "volume.reach", "volume_reach is inf; it is 0 to 10");
    recipe.volume_reach = NAN;
    check_mistake(&recipe, "volume.reach", "volume_reach is nan; it is 0 to 10");
    recipe.volume_reach = 10.0f;
    recipe.skinning = (tlw_skinning)TLW_SKINNING_COUNT;
    check_mistake(&recipe, "skinning", "there is no skinning 2");
}
