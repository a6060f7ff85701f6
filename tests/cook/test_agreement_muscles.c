// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker on muscles and Lame layers (RULES 8.9, 9.12 to
// 9.15): the same muscles, their vertices and fields to 1e-5, the same muscles per voxel with d and
// a to 1e-5, exactly the same station weights, lists of windows that follow from the oracle's
// voxels, and exactly the same Lame materials and voxels. check_agreement compares these on
// everything that other tests cook.
#include "tests/cook/support/agreement.h"
#include "tests/cook/support/muscle_arm.h"
#include "tests/cook/support/random_muscles.h"
#include "tests/cook/support/sample_input.h"
#include "tests/helpers.h"
#include "tests/test.h"
#if TLW_TEST_MOTION
#    include "tools/motion/arm.h"
#    include "tools/motion/breast.h"
#endif

#include <math.h>
#include <stdio.h>

#define NEAR 1e-5

// ---- Lines

static void compare_vector(const agreement* at, const tlw_cook* cook, float (*lanes)[TLW_LANES],
                           uint32_t lane, const double wanted[3], uint32_t index) {
    for (uint32_t a = 0; a < 3; ++a) {
        // The lattice axes are the grid's from the lane axis on.
        const double along = wanted[(cook->order.lane_axis + a) % 3];
        AGREE_NEARLY(lanes[a][lane], along, NEAR, index);
    }
}

static void compare_vertex(const agreement* at, const tlw_cook* cook, tlw_blob_muscle_row* row,
                           uint32_t lane, const oracle_cooked_vertex* wanted, uint32_t muscle) {
    compare_vector(at, cook, row->place, lane, wanted->place, muscle);
    compare_vector(at, cook, row->tangent, lane, wanted->tangent, muscle);
    compare_vector(at, cook, row->balance, lane, wanted->balance, muscle);
    compare_vector(at, cook, row->outward, lane, wanted->outward, muscle);
    AGREE_NEARLY(row->ratio[lane], wanted->ratio, NEAR, muscle);
    AGREE_NEARLY(row->length[lane], wanted->length, NEAR, muscle);
    AGREE_NEARLY(row->slack[lane], wanted->slack, NEAR, muscle);
    AGREE_NEARLY(row->belly[lane], wanted->is_belly ? 1 : 0, 0, muscle);
    AGREE_NEARLY(row->radius[lane], wanted->radius, NEAR, muscle);
    AGREE_NEARLY(row->arc[lane], wanted->arc, NEAR, muscle);
    AGREE_NEARLY(row->flex[lane], wanted->flex, NEAR, muscle);
    AGREE_NEARLY(row->is_dynamic[lane], wanted->is_dynamic ? 1 : 0, 0, muscle);
    for (uint32_t k = 0; k < ORACLE_LINE_JOINTS; ++k) {
        AGREE(row->joint[k][lane], k < wanted->joint_count ? wanted->joints[k] : 0, muscle);
        AGREE_NEARLY(row->weight[k][lane], k < wanted->joint_count ? wanted->weights[k] : 0, 1e-7,
                     muscle);
    }
}

static void compare_field(const agreement* at, const tlw_cook* cook, tlw_blob_muscle_field* field,
                          uint32_t lane, const oracle_muscle_field* wanted, uint32_t muscle) {
    double inverse[3];
    for (int a = 0; a < 3; ++a) {
        inverse[a] = wanted->radii[a] > 0 ? 1 / wanted->radii[a] : 0;
    }
    compare_vector(at, cook, field->centre, lane, wanted->centre, muscle);
    compare_vector(at, cook, field->inverse, lane, inverse, muscle);
    AGREE_NEARLY(field->gain[lane], wanted->gain, 0, muscle);
    AGREE_NEARLY(field->reach[lane], wanted->reach, 0, muscle);
    AGREE(field->joint[lane], wanted->joint, muscle);
}

// Rows and fields that a muscle does not have are 0.
static void compare_line(const agreement* at, const tlw_cook* cook, const oracle_result* oracle,
                         uint32_t muscle) {
    static const oracle_cooked_vertex no_vertex;
    static const oracle_muscle_field no_field;
    const tlw_blob_muscle_group* group = &cook->muscles.groups[muscle / TLW_LANES];
    const oracle_cooked_muscle* wanted = muscle < oracle->muscle_count
                                             ? &oracle->muscles[muscle]
                                             : &(oracle_cooked_muscle){.bulge = 0};
    for (uint32_t v = 0; v < group[1].first_row - group->first_row; ++v) {
        compare_vertex(at, cook, &cook->muscles.rows[group->first_row + v], muscle % TLW_LANES,
                       v < wanted->vertex_count ? &wanted->vertices[v] : &no_vertex, muscle);
    }
    for (uint32_t f = 0; f < group[1].first_field - group->first_field; ++f) {
        compare_field(at, cook, &cook->muscles.fields[group->first_field + f], muscle % TLW_LANES,
                      f < wanted->field_count ? &wanted->fields[f] : &no_field, muscle);
    }
}

static double length_of(const double d[3]) {
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double reach_of(const oracle_result* oracle, uint32_t muscle) {
    double reach = 0;
    for (size_t i = 0; i < (size_t)oracle->voxel_count * ORACLE_VOXEL_MUSCLES; ++i) {
        if (oracle->bellies[i].muscle == muscle) {
            reach = fmax(reach, length_of(oracle->bellies[i].d));
        }
    }
    return reach;
}

static void compare_muscles(const agreement* at, const tlw_cook* cook,
                            const oracle_result* oracle) {
    const tlw_cook_muscles* muscles = &cook->muscles;
    AGREE(muscles->count, oracle->muscle_count, 0);
    if (oracle->muscle_count == 0) {
        return;
    }
    const uint32_t groups = (oracle->muscle_count + TLW_LANES - 1) / TLW_LANES;
    AGREE(muscles->group_count, groups, 0);
    for (uint32_t i = 0; i < groups * TLW_LANES; ++i) {
        compare_line(at, cook, oracle, i);
    }
    for (uint32_t i = 0; i < oracle->muscle_count; ++i) {
        const oracle_cooked_muscle* wanted = &oracle->muscles[i];
        const tlw_blob_muscle* muscle = &muscles->list[i];
        CHECK_STRING(muscles->names[i], wanted->name);
        AGREE(muscle->vertex_count, wanted->vertex_count, i);
        AGREE(muscle->flex_joint,
              wanted->flex_joint == ORACLE_NONE ? TLW_BLOB_NO_INDEX : wanted->flex_joint, i);
        AGREE_NEARLY(muscle->flex_from, wanted->flex_from, 0, i);
        AGREE_NEARLY(muscle->flex_to, wanted->flex_to, 0, i);
        AGREE_NEARLY(muscle->bulge, wanted->bulge, 0, i);
        AGREE_NEARLY(muscle->radius, wanted->radius, NEAR, i);
        AGREE_NEARLY(muscle->reach, reach_of(oracle, i), NEAR, i);
        AGREE(muscles->voxels[i], wanted->voxel_count, i);
    }
}

// ---- Bellies

// What a slot has of a muscle, or null.
static const oracle_cooked_belly* belly_of(const tlw_cook* cook, const oracle_result* oracle,
                                           uint32_t slot, uint32_t muscle) {
    const uint32_t voxel = cook->order.voxel_of_slot[slot];
    for (size_t k = 0; voxel != TLW_NO_VOXEL && k < ORACLE_VOXEL_MUSCLES; ++k) {
        const oracle_cooked_belly* belly =
            &oracle->bellies[(size_t)voxel * ORACLE_VOXEL_MUSCLES + k];
        if (belly->muscle == muscle) {
            return belly;
        }
    }
    return NULL;
}

static void compare_stations(const agreement* at, const tlw_cook* cook,
                             const tlw_blob_belly_entry* entry, uint32_t vertex_count,
                             const oracle_cooked_belly* const bellies[TLW_LANES], uint32_t window) {
    uint32_t first = ORACLE_LINE_VERTICES, last = 0;
    for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        if (bellies[lane] != NULL) {
            const uint32_t segment = bellies[lane]->segment;
            const uint32_t low = segment > 0 ? segment - 1 : 0;
            const uint32_t high = segment + 2 < vertex_count ? segment + 2 : vertex_count - 1;
            first = low < first ? low : first;
            last = high > last ? high : last;
        }
    }
    AGREE(entry->first_vertex, first, window);
    AGREE(entry->vertex_count, last + 1 - first, window);
    for (uint32_t v = first; v <= last; ++v) {
        const tlw_blob_belly_weight* weight =
            &cook->muscles.weights[entry->first_weight + v - first];
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            const oracle_cooked_belly* belly = bellies[lane];
            AGREE((int64_t)weight->curve[lane], belly ? (int64_t)belly->curve[v] : 0, window);
            AGREE((int64_t)weight->linear[lane], belly ? (int64_t)belly->linear[v] : 0, window);
        }
    }
}

// A window's muscles, ascending: every muscle in turn is in the list or not.
static void compare_window(const agreement* at, const tlw_cook* cook, const oracle_result* oracle,
                           uint32_t window) {
    const tlw_cook_muscles* muscles = &cook->muscles;
    static const double nothing[3];
    uint32_t entry = muscles->windows[window];
    for (uint32_t muscle = 0; muscle < oracle->muscle_count; ++muscle) {
        const oracle_cooked_belly* bellies[TLW_LANES];
        bool has_any = false;
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            bellies[lane] = belly_of(cook, oracle, window * TLW_LANES + lane, muscle);
            has_any = has_any || bellies[lane] != NULL;
        }
        if (!has_any) {
            continue;
        }
        CHECK_LT(entry, muscles->windows[window + 1]);
        AGREE(muscles->entries[entry].muscle, muscle, window);
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            tlw_blob_belly_shape* shape = &muscles->shapes[entry];
            compare_vector(at, cook, shape->d, lane, bellies[lane] ? bellies[lane]->d : nothing,
                           window);
            AGREE_NEARLY(shape->a[lane], bellies[lane] ? bellies[lane]->a : 0, NEAR, window);
        }
        compare_stations(at, cook, &muscles->entries[entry], oracle->muscles[muscle].vertex_count,
                         bellies, window);
        entry += 1;
    }
    AGREE(muscles->windows[window + 1], entry, window);
}

void check_muscle_agreement(const agreement* at, const tlw_cook* cook,
                            const oracle_result* oracle) {
    compare_muscles(at, cook, oracle);
    for (uint32_t w = 0; w < cook->order.slot_count / TLW_LANES && oracle->muscle_count > 0; ++w) {
        compare_window(at, cook, oracle, w);
    }
}

// ---- Lame layers

static bool is_near_lame(const oracle_result* oracle, const oracle_voxel* voxel) {
    bool is_near = voxel->is_lame;
    for (int face = 0; face < 6; ++face) {
        const uint32_t other = voxel->faces[face];
        is_near = is_near || (other != ORACLE_NONE && oracle->voxels[other].is_lame);
    }
    return is_near;
}

static void compare_lame_windows(const agreement* at, const tlw_cook* cook,
                                 const oracle_result* oracle) {
    uint32_t place = 0;
    for (uint32_t w = 0; w < cook->order.slot_count / TLW_LANES; ++w) {
        uint32_t lanes = 0;
        bool is_near = false;
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            const uint32_t voxel = cook->order.voxel_of_slot[w * TLW_LANES + lane];
            if (voxel != TLW_NO_VOXEL) {
                lanes |= (uint32_t)oracle->voxels[voxel].is_lame << lane;
                is_near = is_near || is_near_lame(oracle, &oracle->voxels[voxel]);
            }
        }
        AGREE(cook->lame.windows[w].lanes, lanes, w);
        AGREE(cook->lame.windows[w].is_near, is_near, w);
        AGREE(cook->lame.windows[w].place, lanes != 0 ? place : 0, w);
        place += lanes != 0;
    }
    AGREE(cook->lame.window_count, place, 0);
}

void check_lame_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle) {
    uint32_t voxels = 0;
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        voxels += oracle->voxels[v].is_lame;
    }
    AGREE(cook->lame.voxels, voxels, 0);
    if (voxels == 0) {
        return;
    }
    const uint32_t layers = cook->recipe->layer_count;
    for (uint32_t i = 0; i < oracle->part_count * layers; ++i) {
        const oracle_part* part = &oracle->parts[i / layers];
        const uint32_t layer = i % layers;
        AGREE_NEARLY(cook->lame.materials[i].young_kpa, part->young_kpa[layer], 0, i);
        AGREE_NEARLY(cook->lame.materials[i].poisson, part->poisson[layer], 0, i);
        AGREE_NEARLY(cook->lame.materials[i].density, part->density[layer], 0, i);
    }
    compare_lame_windows(at, cook, oracle);
}

// ---- What is compared

// What all characters of a test had, so that agreement is not about nothing.
typedef struct muscle_counts {
    uint32_t muscles, moved, refused, full, lame;
} muscle_counts;

// Only muscles, Lame layers and what they depend on last, which other tests compare in full. Both
// may refuse a muscle.
static void check_and_count(const char* name, const tlw_cook_input* input,
                            const tlw_cook_recipe* recipe, muscle_counts* counts) {
    const agreement here = {name, recipe->resolution}, *at = &here;
    tlw_task_system tasks = tlw_serial_task_system();
    tlw_cook cook = {.input = input, .recipe = recipe, .tasks = &tasks};
    oracle_result oracle;
    const char* problem = oracle_cook(input, recipe, &oracle);
    const tlw_result result = tlw_cook_run_stages(&cook);
    if ((problem != NULL) != (result != TLW_OK)) {
        tlw_test_fail(__FILE__, __LINE__, "%s at %u: oracle says '%s', library '%s'", name,
                      recipe->resolution, problem ? problem : "ok", cook.error.message);
    }
    counts->refused += problem != NULL;
    if (problem == NULL) {
        AGREE(cook.voxels.count, oracle.voxel_count, 0);
        check_muscle_agreement(at, &cook, &oracle);
        check_lame_agreement(at, &cook, &oracle);
        counts->muscles += oracle.muscle_count;
        for (uint32_t v = 0; v < oracle.voxel_count; ++v) {
            const oracle_cooked_belly* bellies =
                oracle.bellies ? &oracle.bellies[(size_t)v * ORACLE_VOXEL_MUSCLES] : NULL;
            counts->moved += bellies != NULL && bellies[0].muscle != ORACLE_NONE;
            counts->full +=
                bellies != NULL && bellies[ORACLE_VOXEL_MUSCLES - 1].muscle != ORACLE_NONE;
            counts->lame += oracle.voxels[v].is_lame;
        }
    }
    free_both(&cook, &oracle);
}

static tlw_cook_recipe recipe_at(uint32_t resolution, const tlw_cook_muscle* muscles,
                                 uint32_t count) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.volume_reach = 0.0f;
    recipe.muscles = muscles;
    recipe.muscle_count = count;
    return recipe;
}

// ---- Random muscles

TLW_TEST(library_and_oracle_agree_on_random_muscles_of_scenes) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    uint64_t random = 22;
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 3; ++seed) {
            random_muscles muscles;
            scene* s = scene_make((scene_kind)kind, seed);
            const tlw_cook_input* input = scene_input(s);
            random_muscles_make(&muscles, input, 0.3 * random_muscles_extent(input), &random);
            const tlw_cook_recipe recipe =
                recipe_at(7 + 3 * (uint32_t)seed, muscles.list, RANDOM_MUSCLES);
            check_and_count(scene_name((scene_kind)kind), input, &recipe, &counts);
            scene_free(s);
        }
    }
    CHECK_LT(100u, counts.muscles);
    CHECK_LT(1000u, counts.moved);
    CHECK_LT(10u, counts.full);
}

TLW_TEST(library_and_oracle_agree_on_automatic_muscles_of_scenes) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    tlw_cook_muscle automatic = tlw_default_cook_muscle(NULL);
    automatic.bulge = 2;
    static const scene_kind kinds[] = {SCENE_box,   SCENE_torus, SCENE_rod,  SCENE_thin_rod,
                                       SCENE_plate, SCENE_ell,   SCENE_legs, SCENE_figure};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        for (uint64_t seed = 0; seed < 2; ++seed) {
            scene* s = scene_make(kinds[i], seed);
            const tlw_cook_recipe recipe = recipe_at(16, &automatic, 1);
            check_and_count(scene_name(kinds[i]), scene_input(s), &recipe, &counts);
            scene_free(s);
        }
    }
    CHECK_LT(60u, counts.muscles);
    CHECK_LT(1000u, counts.moved);
    CHECK_EQ(counts.refused, 0);
}

TLW_TEST(library_and_oracle_agree_on_automatic_muscles_of_a_sample) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    const tlw_cook_muscle automatic = tlw_default_cook_muscle(NULL);
    sample_input* sample = sample_input_make(TLW_SAMPLE_THIN);
    const tlw_cook_recipe recipe = recipe_at(32, &automatic, 1);
    check_and_count("thin", sample_input_get(sample), &recipe, &counts);
    sample_input_free(sample);
    CHECK_LT(7u, counts.muscles);
    CHECK_LT(50u, counts.moved);
}

TLW_TEST(library_and_oracle_agree_on_mirrored_muscles) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    arm_muscle biceps;
    scene* s = arms_scene();
    arm_make_muscle(&biceps, "biceps.L", "arm.L", "fore.L");
    biceps.muscle.is_mirrored = true;
    biceps.muscle.flex_joint = "fore.L";
    biceps.muscle.flex_from = 10;
    biceps.muscle.flex_to = 90;
    // One vertex half on both joints, one offset along every axis.
    biceps.line[5].place = (tlw_cook_place){
        .joints = {"fore.L", "arm.L"}, .weights = {1, 3}, .at = {0.39f, 0.01f, 0.031f}};
    for (int a = 0; a < 3; ++a) {
        const tlw_cook_input* input = scene_input(s);
        biceps.line[5].place.at[a] += (float)input->joints[1].bind[12 + a];
        biceps.line[2].place.offset[a] += 0.004f * (float)a;
    }
    const tlw_cook_muscle muscles[2] = {tlw_default_cook_muscle(NULL), biceps.muscle};
    const tlw_cook_recipe recipe = recipe_at(40, muscles, 2);
    check_and_count("arms", scene_input(s), &recipe, &counts);
    CHECK_EQ(counts.refused, 0);
    CHECK_EQ(counts.muscles % 4, 2);
    CHECK_LT(100u, counts.moved);
    scene_free(s);
}

// A layer that says something of its solver and its numbers, or not.
static tlw_cook_lame random_lame(uint32_t layer, uint64_t* random) {
    tlw_cook_lame lame = tlw_default_cook_lame();
    const uint64_t kind = tlw_test_random(random) % 12;
    if (layer > 0 && kind < 3) {
        lame.solver = kind == 0 ? TLW_SOLVER_SHAPE : TLW_SOLVER_LAME;
    }
    if (tlw_test_random(random) % 3 == 0) {
        lame.young_kpa = random_between(random, 0.1, 100);
    }
    if (tlw_test_random(random) % 3 == 0) {
        lame.poisson = random_between(random, 0, 0.4999);
    }
    if (tlw_test_random(random) % 3 == 0) {
        lame.density = random_between(random, 1, 2000);
    }
    return lame;
}

TLW_TEST(library_and_oracle_agree_on_random_lame_layers) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    uint64_t random = 9;
    for (uint32_t seed = 0; seed < 40; ++seed) {
        scene* s = scene_make(seed % 2 ? SCENE_figure : SCENE_legs, seed);
        tlw_cook_recipe recipe = recipe_at(10, NULL, 0);
        tlw_cook_part parts[2] = {tlw_default_cook_part("joint1"), tlw_default_cook_part("joint3")};
        for (uint32_t layer = 0; layer < recipe.layer_count; ++layer) {
            recipe.layers[layer].lame = random_lame(layer, &random);
            parts[0].lame[layer] = random_lame(layer, &random);
            parts[1].lame[layer] = random_lame(layer, &random);
        }
        recipe.parts = parts;
        recipe.part_count = 2;
        check_and_count(seed % 2 ? "figure" : "legs", scene_input(s), &recipe, &counts);
        scene_free(s);
    }
    CHECK_LT(2u, counts.refused);
    CHECK_LT(500u, counts.lame);
}

#if TLW_TEST_MOTION
TLW_TEST(library_and_oracle_agree_on_the_arm) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    for (int muscles = TLW_ARM_BICEPS; muscles <= TLW_ARM_AUTO; ++muscles) {
        tlw_arm arm;
        CHECK(tlw_arm_make(&arm, (tlw_arm_muscles)muscles));
        check_and_count("arm", &arm.input, &arm.recipe, &counts);
        tlw_arm_free(&arm);
    }
    CHECK_EQ(counts.muscles, 1 + 2 + 4);
    CHECK_LT(1000u, counts.moved);
}

TLW_TEST(library_and_oracle_agree_on_the_breast) {
    muscle_counts counts = {0, 0, 0, 0, 0};
    tlw_breast breast;
    CHECK(tlw_breast_make(&breast, true));
    check_and_count("breast", &breast.input, &breast.recipe, &counts);
    CHECK_EQ(counts.lame, 903);
    tlw_breast_free(&breast);
}
#endif
