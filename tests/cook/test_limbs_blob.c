// SPDX-License-Identifier: MIT
// Which joints are limbs (RULES 9.11), what a blob and a report have of them, and that a character
// without limbs has nothing of them in its blob.
#include "tests/cook/support/limb_view.h"

#include <math.h>

// Which joints

// Boxes apart from each other, each the voxels of a joint in its floor: `tall` or `low` ones.
static scene* make_boxes(uint32_t count, const bool* is_low) {
    scene* s = scene_new();
    for (uint32_t i = 0; i < count; ++i) {
        const double x = (double)(i % 6), y = (double)(i / 6), height = is_low[i] ? 0.5 : 0.9;
        const uint32_t first = s->meshes[0].vertex_count;
        scene_add_box(s, (double[3]){x, y, 0.0}, (double[3]){x + 0.5, y + 0.5, height});
        scene_weigh_rigidly(s, first, scene_add_joint(s, TLW_NO_JOINT, x + 0.25, y + 0.25, 0.0));
    }
    return s;
}

TLW_TEST(limbs_are_the_32_joints_with_most_voxels_ties_to_the_lower_in_ascending_order) {
    enum { BOXES = 36 };
    static const uint32_t low[] = {3, 10, 17, 24, 30};
    bool is_low[BOXES] = {false};
    for (size_t i = 0; i < TLW_COUNT_OF(low); ++i) {
        is_low[low[i]] = true;
    }
    const tlw_cook_recipe recipe = limbs_at(32);
    character c;
    cook_scene(&c, make_boxes(BOXES, is_low), &recipe);
    const tlw_cook* cook = &c.open.cook;
    CHECK_EQ(count_of(cook, 3), count_of(cook, 10));
    CHECK_LE(8, count_of(cook, 3));
    CHECK_LT(count_of(cook, 3), count_of(cook, 0));
    CHECK_EQ(cook->limbs.count, 32);
    CHECK(limb_of(cook, 3) != NULL);
    for (size_t i = 1; i < TLW_COUNT_OF(low); ++i) {
        CHECK(limb_of(cook, low[i]) == NULL);
    }
    for (uint32_t i = 1; i < cook->limbs.count; ++i) {
        CHECK_LT(cook->limbs.list[i - 1].joint, cook->limbs.list[i].joint);
    }
    free_character(&c);
}

// A third box, which is thin enough to press into the two others, but has too few voxels.
TLW_TEST(limbs_are_none_of_joints_with_fewer_than_8_voxels) {
    const bool is_low[2] = {false, false};
    const tlw_cook_recipe recipe = limbs_at(16);
    for (int is_large = 0; is_large < 2; ++is_large) {
        scene* s = make_boxes(2, is_low);
        character c;
        const uint32_t first = s->meshes[0].vertex_count;
        scene_add_box(s, (double[3]){2.45, 0.25, 0.1}, (double[3]){2.5, 0.3, is_large ? 0.8 : 0.3});
        scene_weigh_rigidly(s, first, scene_add_joint(s, TLW_NO_JOINT, 2.47, 0.27, 0.1));
        cook_scene(&c, s, &recipe);
        CHECK_EQ(count_of(&c.open.cook, 2) >= 8, is_large);
        CHECK_EQ(limb_of(&c.open.cook, 2) != NULL, is_large);
        free_character(&c);
    }
}

// A joint that is far outside would give ends and radii that floats do not hold.
TLW_TEST(limbs_are_none_of_joints_that_lie_too_far_outside) {
    static const double away[] = {1e4, 1e7, 1e18};
    const bool is_low[6] = {false};
    for (size_t n = 0; n < TLW_COUNT_OF(away); ++n) {
        const tlw_cook_options options = tlw_default_cook_options();
        const tlw_cook_recipe recipe = limbs_at(32);
        scene* s = make_boxes(6, is_low);
        tlw_cook_output out;
        s->joints[2].bind[14] = -away[n]; // its axis still runs through the box
        CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &out));
        CHECK_LT(0, out.report.limb_count);
        for (uint32_t i = 0; i < out.report.limb_count; ++i) {
            CHECK(out.report.limbs[i].joint != 2);
            CHECK_LT(out.report.limbs[i].radius[0], 4.0);
        }
        tlw_cook_output_free(&out);
        scene_free(s);
    }
}

// A rod one voxel thick around its own axis: the distance of its voxels is 0, and no capsule has a
// radius of 0.
TLW_TEST(a_limb_whose_voxels_lie_on_its_axis_has_the_least_radius) {
    const tlw_cook_options options = tlw_default_cook_options();
    const tlw_cook_recipe recipe = limbs_at(36);
    scene* s = scene_new();
    tlw_cook_output out;
    scene_add_box(s, (double[3]){0.0, -0.001, -0.001}, (double[3]){2.0, 0.001, 0.001});
    scene_weigh_rigidly(s, 0, scene_add_joint(s, TLW_NO_JOINT, 0.0, 0.0, 0.0));
    const uint32_t first = s->meshes[0].vertex_count;
    scene_add_box(s, (double[3]){3.0, -0.5, -0.5}, (double[3]){4.0, 0.5, 0.5});
    scene_weigh_rigidly(s, first, scene_add_joint(s, TLW_NO_JOINT, 3.0, 0.0, 0.0));
    (void)tlw_cook_character(scene_input(s), &recipe, &options, &out);
    CHECK_STRING(out.error.message, "");
    CHECK_EQ(out.report.limb_count, 1);
    CHECK_EQ(out.report.limbs[0].joint, 0);
    CHECK_EQ(out.report.limbs[0].radius[0], 1.0 / 1024.0);
    tlw_cook_output_free(&out);
    scene_free(s);
}

// Blobs

TLW_TEST(a_character_without_limbs_has_no_section_of_them_and_the_bytes_of_a_recipe_that_says_so) {
    tlw_cook_recipe recipe = recipe_of(24);
    character silent, off;
    cook_scene(&silent, scene_make(SCENE_figure, 0), &recipe);
    recipe.has_limbs = false;
    cook_scene(&off, scene_make(SCENE_figure, 0), &recipe);
    const uint8_t* blob = silent.open.cook.blob;
    CHECK_EQ(find_section(blob, TLW_SECTION_LIMBS).count, 0);
    CHECK_EQ(find_section(blob, TLW_SECTION_SLOT_LIMBS).count, 0);
    CHECK_EQ(silent.open.cook.limbs.of_slot, NULL);
    CHECK_EQ(silent.open.cook.blob_bytes, off.open.cook.blob_bytes);
    CHECK_BYTES(blob, off.open.cook.blob, off.open.cook.blob_bytes);
    free_character(&silent);
    free_character(&off);
}

// One box, whose joint has nothing to touch but itself.
TLW_TEST(a_character_whose_limbs_may_touch_nothing_has_no_section_of_them) {
    const bool is_low[1] = {false};
    const tlw_cook_recipe recipe = limbs_at(16);
    character c;
    cook_scene(&c, make_boxes(1, is_low), &recipe);
    CHECK_EQ(c.open.cook.limbs.count, 0);
    CHECK_EQ(c.open.cook.limbs.of_slot, NULL);
    CHECK_EQ(find_section(c.open.cook.blob, TLW_SECTION_LIMBS).count, 0);
    CHECK_EQ(find_section(c.open.cook.blob, TLW_SECTION_SLOT_LIMBS).count, 0);
    free_character(&c);
}

TLW_TEST(nothing_else_of_a_blob_depends_on_limbs) {
    const tlw_cook_recipe on = limbs_at(24), off = recipe_of(24);
    character with, without;
    cook_scene(&with, scene_make(SCENE_figure, 0), &on);
    cook_scene(&without, scene_make(SCENE_figure, 0), &off);
    const uint8_t *a = with.open.cook.blob, *b = without.open.cook.blob;
    for (int kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        const tlw_blob_section in_a = find_section(a, (tlw_blob_section_kind)kind);
        const tlw_blob_section in_b = find_section(b, (tlw_blob_section_kind)kind);
        if (kind == TLW_SECTION_LIMBS || kind == TLW_SECTION_SLOT_LIMBS) {
            CHECK_LT(0, in_a.count);
            CHECK_EQ(in_b.count, 0);
        } else if (kind == TLW_SECTION_LATTICE) { // which counts them
            tlw_blob_lattice lattice = *(const tlw_blob_lattice*)(const void*)(a + in_a.offset);
            CHECK_EQ(lattice.limb_count, with.open.cook.limbs.count);
            lattice.limb_count = 0;
            CHECK_BYTES(&lattice, b + in_b.offset, sizeof lattice);
        } else {
            check_same_section(a, b, (tlw_blob_section_kind)kind);
        }
    }
    free_character(&with);
    free_character(&without);
}

TLW_TEST(the_report_of_a_cook_has_the_limbs_of_its_blob) {
    scene* s = scene_make(SCENE_figure, 0);
    const tlw_cook_options options = tlw_default_cook_options();
    const tlw_cook_recipe recipe = limbs_at(24);
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &out));
    const tlw_blob_section section = find_section(out.blob, TLW_SECTION_LIMBS);
    const tlw_blob_limb* limbs = (const tlw_blob_limb*)(const void*)(out.blob + section.offset);
    CHECK_LT(0, out.report.limb_count);
    CHECK_EQ(section.count, out.report.limb_count);
    for (uint32_t i = 0; i < out.report.limb_count; ++i) {
        const tlw_cook_limb_report* limb = &out.report.limbs[i];
        const double x = (double)limbs[i].ends[1][0] - (double)limbs[i].ends[0][0],
                     y = (double)limbs[i].ends[1][1] - (double)limbs[i].ends[0][1],
                     z = (double)limbs[i].ends[1][2] - (double)limbs[i].ends[0][2];
        CHECK_EQ(limb->joint, limbs[i].joint);
        CHECK_EQ(limb->radius[0], (double)limbs[i].radius[0]);
        CHECK_EQ(limb->radius[1], (double)limbs[i].radius[1]);
        CHECK_NEAR(limb->length, sqrt(x * x + y * y + z * z), 1e-9);
        CHECK_LT(0, limb->voxels);
        CHECK_LE(limb->voxels, out.report.voxels);
    }
    tlw_cook_output_free(&out);
    CHECK_EQ(out.report.limbs, NULL);
    scene_free(s);
}
