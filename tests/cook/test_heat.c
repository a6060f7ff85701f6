// SPDX-License-Identifier: MIT
// Heat and diffusion weights (RULES 5.9 and 5.10) on a limb whose blend is known, and what holds
// for every character: weights that sum to 1, the same bytes for any number of threads, any limit
// of memory and any numbering of joints, and a named error for every mistake in the recipe's heat.
#include "jobs/TaskScheduler_c.h"
#include "jobs/task_system.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/limb.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"
#include "tools/cook/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_value(uint32_t voxel, uint32_t joint, double value, void* user) {
    limb* l = user;
    CHECK_EQ(l->value[joint][voxel], 0.0); // each value comes once
    l->value[joint][voxel] = value;
}

static void spread_limb(limb* l) {
    memset(l->value, 0, sizeof l->value);
    l->recipe.heat = l->heat;
    l->recipe.heat_count = l->input.joint_count;
    CHECK_OK(tlw_cook_spread(&l->cook, take_value, l));
}

// The second joint's share along the limb, a mean over the voxels on the outside of each slice.
// Returns where it passes a level; centres of voxels are at x + 0.5.
static double place_of_share(const limb* l, double level) {
    double before = 0.0;
    for (int x = 0; x < LIMB_LENGTH; ++x) {
        double sum = 0.0, count = 0.0;
        for (uint32_t v = 0; v < l->cook.voxels.count; ++v) {
            const uint32_t along = 1u << TLW_STEP_LANE_MINUS | 1u << TLW_STEP_LANE_PLUS;
            const uint32_t faces = l->cook.links.masks[v] | along;
            if (l->coordinates[v].x == x && (faces & TLW_FACE_STEPS) != TLW_FACE_STEPS) {
                sum += l->value[1][v] / (l->value[0][v] + l->value[1][v]);
                count += 1.0;
            }
        }
        const double share = sum / count;
        if (share >= level) {
            return x - 0.5 + (level - before) / (share - before);
        }
        before = share;
    }
    return INFINITY;
}

// The width is that between shares of 10% and 90%.
static void check_blend(float strength, float energy, double half, double width) {
    limb* l = limb_make(2, NULL);
    l->heat[0].strength = l->heat[1].strength = strength;
    l->heat[1].energy = energy;
    spread_limb(l);
    CHECK_NEAR(place_of_share(l, 0.5), half, 0.01);
    CHECK_NEAR(place_of_share(l, 0.9) - place_of_share(l, 0.1), width, 0.01);
    limb_free(l);
}

TLW_TEST(a_limb_blends_over_5_6_voxels_around_its_joint) {
    check_blend(1.0f, 1.0f, 20.0, 5.59);
}

TLW_TEST(strength_narrows_and_widens_a_blend) {
    check_blend(4.0f, 1.0f, 20.0, 3.95);
    check_blend(0.25f, 1.0f, 20.0, 8.47);
}

TLW_TEST(energy_moves_a_border) {
    check_blend(1.0f, 2.0f, 19.10, 5.62);
}

TLW_TEST(heat_sums_to_1_before_rounding) {
    for (uint32_t bones = 1; bones <= LIMB_BONES_MAX; bones += 3) {
        limb* l = limb_make(bones, NULL);
        for (uint32_t b = 0; b < bones; ++b) {
            l->heat[b].strength = (float)(1 + b);
        }
        spread_limb(l);
        CHECK_LT(l->cook.weight_sweeps, 600u);
        for (uint32_t v = 0; v < l->cook.voxels.count; ++v) {
            double sum = 0.0;
            for (uint32_t b = 0; b < bones; ++b) {
                sum += l->value[b][v];
            }
            CHECK_NEAR(sum, 1.0, 1e-12);
        }
        limb_free(l);
    }
}

// Ten bones are two groups, of eight and two joints, which settle after different numbers of
// sweeps.
TLW_TEST(values_do_not_depend_on_how_joints_are_numbered) {
    static const uint32_t last_to_first[LIMB_BONES_MAX] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    limb *l = limb_make(LIMB_BONES_MAX, NULL), *reversed = limb_make(LIMB_BONES_MAX, last_to_first);
    l->heat[0].strength = reversed->heat[LIMB_BONES_MAX - 1].strength = 0.01f;
    spread_limb(l);
    spread_limb(reversed);
    CHECK_EQ(l->cook.weight_sweeps, reversed->cook.weight_sweeps);
    for (int b = 0; b < LIMB_BONES_MAX; ++b) {
        CHECK_BYTES(l->value[b], reversed->value[LIMB_BONES_MAX - 1 - b], sizeof l->value[b]);
    }
    limb_free(l);
    limb_free(reversed);
}

// Without room for more than one group at a time, groups start again once the number of sweeps is
// known.
TLW_TEST(values_do_not_depend_on_the_limit_of_memory) {
    limb *l = limb_make(LIMB_BONES_MAX, NULL), *tight = limb_make(LIMB_BONES_MAX, NULL);
    spread_limb(l);
    tight->recipe.max_memory_bytes = l->cook.peak_memory_bytes;
    spread_limb(tight);
    CHECK_LT(tight->cook.peak_memory_bytes, l->cook.peak_memory_bytes);
    CHECK_EQ(l->cook.weight_sweeps, tight->cook.weight_sweeps);
    CHECK_BYTES(l->value, tight->value, sizeof l->value);
    limb_free(l);
    limb_free(tight);
}

TLW_TEST(voxels_without_links_keep_their_sources_and_get_nothing_else) {
    limb* l = limb_make(2, NULL);
    const uint32_t both = limb_voxel_on_axis(l, 20),
                   none = l->index[LIMB_CENTRE * LIMB_LENGTH + 20];
    const uint32_t alone[2] = {both, none};
    for (int i = 0; i < 2; ++i) {
        for (int step = 0; step < TLW_STEPS; ++step) {
            if ((l->cook.links.masks[alone[i]] >> step & 1u) != 0) {
                const uint32_t to = tlw_linked_voxel(&l->cook, alone[i], step);
                l->cook.links.masks[to] &= ~(1u << tlw_opposite_step(step));
            }
        }
        l->cook.links.masks[alone[i]] = 0;
    }
    spread_limb(l);
    CHECK_EQ(l->value[0][both], 0.5);
    CHECK_EQ(l->value[1][both], 0.5);
    CHECK_EQ(l->value[0][none] + l->value[1][none], 0.0);
    l->cook.weight_mode = TLW_WEIGHTS_DIFFUSION;
    spread_limb(l);
    CHECK_EQ(l->value[0][both], 1.0);
    CHECK_EQ(l->value[1][both], 1.0);
    CHECK_EQ(l->value[0][none] + l->value[1][none], 0.0);
    limb_free(l);
}

// The outside of the limb is four links away from the axis.
TLW_TEST(diffusion_ends_when_every_voxel_has_a_value_and_ignores_strength) {
    limb *l = limb_make(2, NULL), *strong = limb_make(2, NULL);
    l->cook.weight_mode = strong->cook.weight_mode = TLW_WEIGHTS_DIFFUSION;
    l->heat[1].energy = strong->heat[1].energy = 3.0f;
    strong->heat[0].strength = 4.0f;
    strong->heat[1].strength = 0.25f;
    spread_limb(l);
    spread_limb(strong);
    CHECK_EQ(l->cook.weight_sweeps, 4u);
    CHECK_BYTES(l->value, strong->value, sizeof l->value);
    for (uint32_t v = 0; v < l->cook.voxels.count; ++v) {
        CHECK_LT(0.0, l->value[0][v] + l->value[1][v]);
    }
    for (int x = 0; x < LIMB_LENGTH;
         ++x) { // sources keep their energy, and take nothing from others
        CHECK_EQ(l->value[0][limb_voxel_on_axis(l, x)], x <= 20 ? 1.0 : 0.0);
        CHECK_EQ(l->value[1][limb_voxel_on_axis(l, x)], x >= 19 ? 3.0 : 0.0);
    }
    limb_free(l);
    limb_free(strong);
}

TLW_TEST(values_are_rounded_to_a_millionth) {
    CHECK_EQ(tlw_round_spread(0.75), 0.75);
    CHECK_EQ(tlw_round_spread(0.25 + 0x1p-22), 0.25);
    CHECK_EQ(tlw_round_spread(0.25 + 0x1p-21), 0.25 + 0x1p-20);
    CHECK_EQ(tlw_round_spread(0x1p-22), 0.0);
}

// Whole characters

static void cook(const tlw_cook_input* input, const tlw_cook_recipe* recipe, uint32_t threads,
                 tlw_cook_output* out) {
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, threads);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    tlw_cook_options options = tlw_default_cook_options();
    options.tasks = tlw_jobs_task_system(jobs);
    const tlw_result result = tlw_cook_character(input, recipe, &options, out);
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
    CHECK_OK(result);
}

static void check_threads(tlw_cook_weights weights) {
    sample_input* sample = sample_input_make(TLW_SAMPLE_STOUT);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 20;
    recipe.weights = weights;
    tlw_cook_output first;
    cook(sample_input_get(sample), &recipe, 1, &first);
    CHECK_EQ(first.report.weights, weights);
    CHECK_LT(1024u, first.report.voxels); // more than one range of voxels
    static const uint32_t threads[] = {2, 7};
    for (size_t i = 0; i < TLW_COUNT_OF(threads); ++i) {
        tlw_cook_output out;
        cook(sample_input_get(sample), &recipe, threads[i], &out);
        CHECK_EQ(out.report.weight_sweeps, first.report.weight_sweeps);
        CHECK_EQ(out.blob_bytes, first.blob_bytes);
        CHECK_BYTES(out.blob, first.blob, first.blob_bytes);
        tlw_cook_output_free(&out);
    }
    tlw_cook_output_free(&first);
    sample_input_free(sample);
}

TLW_TEST(heat_gives_the_same_bytes_on_1_2_and_7_threads) {
    check_threads(TLW_WEIGHTS_HEAT);
}

TLW_TEST(diffusion_gives_the_same_bytes_on_1_2_and_7_threads) {
    check_threads(TLW_WEIGHTS_DIFFUSION);
}

static tlw_cook_report cook_scene(scene_kind kind, tlw_cook_weights weights) {
    scene* s = scene_make(kind, 1);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 12;
    recipe.weights = weights;
    tlw_cook_output out;
    cook(scene_input(s), &recipe, 1, &out);
    const tlw_cook_report report = out.report;
    tlw_cook_output_free(&out);
    scene_free(s);
    return report;
}

TLW_TEST(auto_is_heat_where_a_mesh_has_no_weights) {
    CHECK_EQ(cook_scene(SCENE_unweighted_lump, TLW_WEIGHTS_AUTO).weights, TLW_WEIGHTS_HEAT);
    CHECK_EQ(cook_scene(SCENE_lump, TLW_WEIGHTS_AUTO).weights, TLW_WEIGHTS_ARTIST);
    CHECK_EQ(cook_scene(SCENE_lump, TLW_WEIGHTS_HEAT).weights, TLW_WEIGHTS_HEAT);
    CHECK_EQ(cook_scene(SCENE_lump, TLW_WEIGHTS_HEAT).has_artist_weights, false);
}

// Pieces that no segment touches follow the nearest segment (RULES 5.7), so the blob is valid.
TLW_TEST(every_scene_cooks_with_heat_and_with_diffusion) {
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        CHECK_LT(0u, cook_scene((scene_kind)kind, TLW_WEIGHTS_HEAT).voxels);
        CHECK_LT(0u, cook_scene((scene_kind)kind, TLW_WEIGHTS_DIFFUSION).voxels);
    }
}

static void check_mistake(const tlw_cook_heat* heat, uint32_t count, tlw_result result,
                          const char* message) {
    scene* s = scene_make(SCENE_box, 0);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 8;
    recipe.heat = heat;
    recipe.heat_count = count;
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_EQ(tlw_cook_character(scene_input(s), &recipe, &options, &out), result);
    CHECK_STRING(out.error.message, message);
    CHECK_EQ(out.error.is_of_recipe, result != TLW_OK);
    tlw_cook_output_free(&out);
    scene_free(s);
}

TLW_TEST(heat_of_a_recipe_is_checked) {
    const tlw_cook_heat good[] = {{"joint1", 1e-3f, 1e3f}, {"joint0", 1e3f, 1e-3f}};
    const tlw_cook_heat unknown[] = {{"joint1", 1, 1}, {"wing", 1, 1}};
    const tlw_cook_heat nameless[] = {{NULL, 1, 1}};
    const tlw_cook_heat twice[] = {{"joint1", 1, 1}, {"joint0", 1, 1}, {"joint1", 2, 1}};
    const tlw_cook_heat weak[] = {{"joint1", 0.0009f, 1}};
    const tlw_cook_heat not_a_number[] = {{"joint1", 1, NAN}};
    const tlw_cook_heat hot[] = {{"joint1", 1, 1001}};
    check_mistake(good, 2, TLW_OK, "");
    check_mistake(unknown, 2, TLW_ERROR_NOT_FOUND, "heat 1: there is no joint 'wing'");
    check_mistake(nameless, 1, TLW_ERROR_NOT_FOUND, "heat 0: there is no joint ''");
    check_mistake(twice, 3, TLW_ERROR_BAD_ARGUMENT, "heat 2: 'joint1' is in the list already");
    check_mistake(weak, 1, TLW_ERROR_BAD_ARGUMENT,
                  "heat 0 'joint1': strength 0.0009, energy 1; both are 0.001 to 1000");
    check_mistake(not_a_number, 1, TLW_ERROR_BAD_ARGUMENT,
                  "heat 0 'joint1': strength 1, energy nan; both are 0.001 to 1000");
    check_mistake(hot, 1, TLW_ERROR_BAD_ARGUMENT,
                  "heat 0 'joint1': strength 1, energy 1001; both are 0.001 to 1000");
}
