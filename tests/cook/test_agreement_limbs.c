// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker on own limbs (RULES 9.11): the same limbs with the
// same radii, ends to 1e-5 voxel, and the same voxels that each may touch, wholly and by half.
// check_agreement compares these on everything that other tests cook.
#include "tests/cook/support/agreement.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"

#include <stdlib.h>

static void compare_capsules(const agreement* at, const tlw_cook* cook,
                             const oracle_result* oracle) {
    const tlw_cook_limbs* limbs = &cook->limbs;
    AGREE(limbs->count, oracle->limb_count, 0);
    for (uint32_t i = 0; i < oracle->limb_count; ++i) {
        const oracle_limb* limb = &oracle->limbs[i];
        AGREE(limbs->list[i].joint, limb->joint, i);
        AGREE(limbs->voxels[i], limb->voxel_count, i);
        for (uint32_t k = 0; k < 2; ++k) {
            AGREE_NEARLY(limbs->list[i].radius[k], limb->radius[k], 0, i);
            for (uint32_t a = 0; a < 3; ++a) {
                // The lattice axes are the grid's from the lane axis on.
                const double end = limb->ends[k][(cook->order.lane_axis + a) % 3];
                AGREE_NEARLY(limbs->list[i].ends[k][a], end, 1e-5, i);
            }
        }
    }
}

void check_limb_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle) {
    compare_capsules(at, cook, oracle);
    AGREE(cook->limbs.of_slot != NULL, oracle->limb_count > 0, 0);
    for (uint32_t s = 0; s < cook->order.slot_count && oracle->limb_count > 0; ++s) {
        const uint32_t voxel = cook->order.voxel_of_slot[s];
        const oracle_voxel* wanted = voxel != TLW_NO_VOXEL ? &oracle->voxels[voxel] : NULL;
        AGREE(cook->limbs.of_slot[s].touches, wanted != NULL ? wanted->limbs : 0, s);
        AGREE(cook->limbs.of_slot[s].halves, wanted != NULL ? wanted->half_limbs : 0, s);
    }
}

// What all characters of a test had, so that agreement is not about nothing.
typedef struct limb_counts {
    uint32_t limbs, touched, halves, untouched;
} limb_counts;

// Only limbs and what they depend on last, joints and layers, which other tests compare in full.
static void check_and_count(const char* name, const tlw_cook_input* input,
                            const tlw_cook_recipe* recipe, limb_counts* counts) {
    const agreement here = {name, recipe->resolution}, *at = &here;
    tlw_cook cook;
    oracle_result oracle;
    cook_both(at, input, recipe, &cook, &oracle);
    AGREE(cook.voxels.count, oracle.voxel_count, 0);
    for (uint32_t v = 0; v < oracle.voxel_count; ++v) {
        AGREE(cook.weights[v].joint[0], oracle.voxels[v].joint, v);
        AGREE(cook.anatomy.layer[v], oracle.voxels[v].layer, v);
    }
    check_limb_agreement(at, &cook, &oracle);
    counts->limbs += oracle.limb_count;
    for (uint32_t v = 0; v < oracle.voxel_count; ++v) {
        counts->touched += oracle.voxels[v].limbs != 0;
        counts->halves += oracle.voxels[v].half_limbs != 0;
        counts->untouched += oracle.voxels[v].limbs == 0 && oracle.voxels[v].layer > 0;
    }
    free_both(&cook, &oracle);
}

static tlw_cook_recipe recipe_at(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.has_limbs = true;
    recipe.resolution = resolution;
    return recipe;
}

// Ties are most common in scenes that stand upright.
TLW_TEST(library_and_oracle_agree_on_limbs_of_upright_scenes) {
    limb_counts counts = {0, 0, 0, 0};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        scene* s = scene_make((scene_kind)kind, 0);
        for (uint32_t resolution = 4; resolution <= 16; resolution *= 2) {
            tlw_cook_recipe recipe = recipe_at(resolution);
            recipe.volume_reach = 0.0f;
            check_and_count(scene_name((scene_kind)kind), scene_input(s), &recipe, &counts);
        }
        scene_free(s);
    }
    CHECK_LT(20u, counts.limbs);
    CHECK_LT(0u, counts.halves);
    CHECK_LT(1000u, counts.untouched);
}

// A box of cells of one metre, a quarter of a metre smaller at both ends, that follows a joint.
static void add_cells(scene* s, int x, int y, int end, uint32_t joint) {
    const double low[3] = {x + 0.25, y + 0.25, 0.25};
    const double high[3] = {end - 0.25, y + 0.75, 0.75};
    const uint32_t first = s->meshes[0].vertex_count;
    scene_add_box(s, low, high);
    scene_weigh_rigidly(s, first, joint);
}

// Joint 0 has cells 0 to 7 at y = 0, and its axis to joint 1 is `beside` above their centres. Joint
// 2 has cells 0 to 5 at y = 3, and a slanting axis far from them. Of these cells only those on the
// last bone are bone.
static scene* make_two_bars(double beside) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 0, 0.5 + beside, 0.5);
    scene_add_joint(s, 0, 8, 0.5 + beside, 0.5);
    scene_add_joint(s, TLW_NO_JOINT, -4, 3.5, 4.5);
    scene_add_joint(s, 2, 6.5, 3.5, 0.5);
    add_cells(s, 0, 0, 8, 0);
    add_cells(s, 8, 0, 10, 1);
    add_cells(s, 0, 3, 6, 2);
    add_cells(s, 6, 3, 7, 3);
    return s;
}

static void check_two_bars(double beside, limb_counts* counts, float radius) {
    scene* s = make_two_bars(beside);
    tlw_cook_recipe recipe = recipe_at(0);
    recipe.voxel_metres = 1.0;
    recipe.smoothing_passes = 0;
    recipe.is_firm_auto = false;
    *counts = (limb_counts){0, 0, 0, 0};
    check_and_count("two bars", scene_input(s), &recipe, counts);
    tlw_cook_output output;
    const tlw_cook_options options = tlw_default_cook_options();
    CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &output));
    uint64_t limb_count;
    const tlw_blob_limb* limbs = tlw_blob_find(output.blob, TLW_SECTION_LIMBS, &limb_count);
    CHECK_EQ(limb_count, counts->limbs);
    for (uint64_t i = 0; i < limb_count; ++i) {
        CHECK_EQ(limbs[i].joint, 0);
        CHECK_EQ(limbs[i].radius[0], radius);
        CHECK_EQ(limbs[i].radius[1], radius);
    }
    tlw_cook_output_free(&output);
    scene_free(s);
}

// With 1107/1024 the cells at y = 3 are 1 + 941/1024 from the axis, and 941/1024 is the radius.
// What a float rounds away must not decide; what it does not, must.
TLW_TEST(library_and_oracle_measure_the_room_around_limbs_as_floats_store_them) {
    static const struct {
        double more;
        uint32_t touched;
    } cases[] = {{0, 5}, {2e-8, 5}, {-2e-8, 5}, {1.1e-7, 0}, {-1.1e-7, 5}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        limb_counts counts;
        check_two_bars(1107.0 / 1024 + cases[i].more, &counts, 941.0f / 1024);
        CHECK_EQ(counts.touched, cases[i].touched);
        CHECK_EQ(counts.limbs, cases[i].touched > 0);
    }
}

// A blob holds no radius of 0, though an axis may lead through the centres of all its voxels.
TLW_TEST(library_and_oracle_agree_on_the_least_radius) {
    limb_counts counts;
    check_two_bars(0.0, &counts, 1.0f / 1024);
    CHECK_EQ(counts.limbs, 1);
}

// Joints that are left out, by the recipe or because nothing hangs on them, still lead ways.
TLW_TEST(library_and_oracle_agree_on_limbs_around_joints_that_are_left_out) {
    limb_counts counts = {0, 0, 0, 0};
    static const scene_kind kinds[] = {SCENE_figure, SCENE_legs, SCENE_torus};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        scene* s = scene_make(kinds[i], 2);
        const tlw_cook_input* input = scene_input(s);
        for (uint32_t j = 0; j < input->joint_count; j += 1 + TLW_UNDER_SANITIZER) {
            const char* const excluded[] = {input->joints[j].name};
            tlw_cook_recipe recipe = recipe_at(14);
            recipe.volume_reach = 0.0f;
            recipe.excluded_joints = excluded;
            recipe.excluded_joint_count = 1;
            check_and_count(scene_name(kinds[i]), input, &recipe, &counts);
        }
        scene_free(s);
    }
    CHECK_LT(60u, counts.limbs);
}

TLW_TEST(library_and_oracle_agree_on_limbs_of_the_samples) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_AUTO, TLW_WEIGHTS_HEAT,
                                             TLW_WEIGHTS_GEODESIC};
    static const tlw_sample_variant variants[] = {TLW_SAMPLE_BUNNY, TLW_SAMPLE_STOUT,
                                                  TLW_SAMPLE_THIN};
    limb_counts counts = {0, 0, 0, 0};
    for (size_t i = 0; i < TLW_COUNT_OF(variants); ++i) {
        sample_input* sample = sample_input_make(variants[i]);
        tlw_cook_recipe recipe = recipe_at(16);
        recipe.volume_reach = 0.0f;
        recipe.weights = modes[i];
        check_and_count("sample", sample_input_get(sample), &recipe, &counts);
        sample_input_free(sample);
    }
    CHECK_LT(15u, counts.limbs);
    CHECK_LT(500u, counts.touched);
    CHECK_LT(0u, counts.halves);
}
