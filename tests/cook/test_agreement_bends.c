// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker on bends and profiles (RULES 8.8 and 9.8 to 9.10):
// the same bends in the same order, shares and field to 1e-6, rest values to 1e-5 of them, and the
// lists of windows and pairs that follow from the oracle's voxels. check_agreement compares these
// on everything that other tests cook; the recipes that matter most to bends are here.
#include "tests/cook/support/agreement.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void compare_list(const agreement* at, const tlw_cook_bends* bends,
                         const oracle_result* oracle) {
    AGREE(bends->count, oracle->bend_count, 0);
    AGREE(bends->left_out, oracle->left_out_bend_count, 0);
    AGREE(bends->pair_count, oracle->bend_pair_count, 0);
    for (uint32_t k = 0; k < oracle->bend_count; ++k) {
        const oracle_bend* bend = &oracle->bends[k];
        AGREE(bends->list[k].joint, bend->joint, k);
        AGREE(bends->voxels[k], bend->voxel_count, k);
        AGREE_NEARLY(bends->list[k].rest_volume, bend->volume, 1e-5 * bend->volume, k);
        AGREE_NEARLY(bends->list[k].rest_slope, bend->slope, 1e-5 * bend->slope, k);
        AGREE_NEARLY(bends->list[k].reach, bend->reach, 1e-5 * bend->reach, k);
    }
    for (uint32_t p = 0; p < oracle->bend_pair_count; ++p) {
        AGREE(bends->pairs[p].first, oracle->bend_pairs[p].first, p);
        AGREE(bends->pairs[p].second, oracle->bend_pairs[p].second, p);
    }
}

// The share that the oracle gives a slot in a bend; 0 for an empty slot.
static double share_of(const tlw_cook* cook, const oracle_result* oracle, uint32_t slot,
                       uint32_t bend) {
    const uint32_t voxel = cook->order.voxel_of_slot[slot];
    double share = 0;
    for (int k = 0; voxel != TLW_NO_VOXEL && k < 2; ++k) {
        share += oracle->voxels[voxel].bends[k] == bend ? oracle->voxels[voxel].shares[k] : 0;
    }
    return share;
}

// A window's bends, ascending, with a share per lane: every bend in turn is in the list or not.
static void compare_entries(const agreement* at, const tlw_cook* cook, const oracle_result* oracle,
                            uint32_t window) {
    const tlw_cook_bends* bends = &cook->bends;
    uint32_t entry = bends->windows[window].first_entry;
    for (uint32_t bend = 0; bend < oracle->bend_count; ++bend) {
        double shares[TLW_LANES], sum = 0;
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            shares[lane] = share_of(cook, oracle, window * TLW_LANES + lane, bend);
            sum += shares[lane];
        }
        if (sum > 0) {
            CHECK_LT(entry, bends->entry_count);
            AGREE(bends->entries[entry], bend, window);
            for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
                const float share =
                    (float)bends->shares[entry * TLW_LANES + lane] * TLW_BLOB_BEND_UNIT;
                AGREE_NEARLY(share, shares[lane], 1e-6, window);
                AGREE(share > 0, shares[lane] > 0, window);
            }
            ++entry;
        }
    }
    AGREE(bends->windows[window + 1].first_entry, entry, window);
}

// A window's pairs, ascending, with the places of both bends in its list.
static void compare_couples(const agreement* at, const tlw_cook* cook, const oracle_result* oracle,
                            uint32_t window) {
    const tlw_cook_bends* bends = &cook->bends;
    const uint32_t first_entry = bends->windows[window].first_entry;
    uint32_t couple = bends->windows[window].first_couple;
    for (uint32_t pair = 0; pair < oracle->bend_pair_count; ++pair) {
        const oracle_bend_pair* both = &oracle->bend_pairs[pair];
        bool is_here = false;
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            const uint32_t slot = window * TLW_LANES + lane;
            is_here = is_here || (share_of(cook, oracle, slot, both->first) > 0 &&
                                  share_of(cook, oracle, slot, both->second) > 0);
        }
        if (is_here) {
            CHECK_LT(couple, bends->couple_count);
            AGREE(bends->couples[couple].pair, pair, window);
            AGREE(bends->entries[first_entry + bends->couples[couple].first], both->first, window);
            AGREE(bends->entries[first_entry + bends->couples[couple].second], both->second,
                  window);
            ++couple;
        }
    }
    AGREE(bends->windows[window + 1].first_couple, couple, window);
}

static void compare_field(const agreement* at, const tlw_cook* cook, const oracle_result* oracle,
                          uint32_t slot) {
    const uint32_t voxel = cook->order.voxel_of_slot[slot];
    const uint32_t window = slot / TLW_LANES, lane = slot % TLW_LANES;
    for (uint32_t a = 0; a < 3; ++a) {
        const float field =
            (float)cook->bends.field[(3 * window + a) * TLW_LANES + lane] * TLW_BLOB_FIELD_UNIT;
        // The lattice axes are the grid's from the lane axis on.
        const double expected = voxel == TLW_NO_VOXEL
                                    ? 0
                                    : oracle->voxels[voxel].field[(cook->order.lane_axis + a) % 3];
        AGREE_NEARLY(field, expected, 1e-6, slot);
        if (voxel == TLW_NO_VOXEL || oracle->voxels[voxel].bends[0] == ORACLE_NONE ||
            oracle->voxels[voxel].layer == 0) {
            AGREE_NEARLY(field, 0, 0, slot);
        }
    }
}

void check_bend_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle) {
    compare_list(at, &cook->bends, oracle);
    if (oracle->bend_count == 0) {
        AGREE(cook->bends.entry_count, 0, 0);
        AGREE(cook->bends.couple_count, 0, 0);
        return;
    }
    AGREE(cook->bends.windows[0].first_entry, 0, 0);
    AGREE(cook->bends.windows[0].first_couple, 0, 0);
    for (uint32_t window = 0; window < cook->order.window_count; ++window) {
        compare_entries(at, cook, oracle, window);
        compare_couples(at, cook, oracle, window);
    }
    AGREE(cook->bends.windows[cook->order.window_count].first_entry, cook->bends.entry_count, 0);
    AGREE(cook->bends.windows[cook->order.window_count].first_couple, cook->bends.couple_count, 0);
    for (uint32_t slot = 0; slot < cook->order.slot_count; ++slot) {
        compare_field(at, cook, oracle, slot);
    }
}

void check_profile_agreement(const agreement* at, const tlw_cook* cook,
                             const oracle_result* oracle) {
    const uint32_t layers = cook->recipe->layer_count;
    AGREE(cook->profiles.count, oracle->profile_count, 0);
    for (uint32_t p = 0; p < oracle->profile_count * oracle->part_count; ++p) {
        const oracle_profile_part* part = &oracle->profile_parts[p];
        for (uint32_t layer = 0; layer < layers; ++layer) {
            const tlw_blob_profile_material* material =
                &cook->profiles.materials[p * layers + layer];
            AGREE_NEARLY(material->stiffness, part->stiffness[layer], 0, p);
            AGREE_NEARLY(material->damping, part->damping[layer], 0, p);
            AGREE_NEARLY(material->anchor_hz, part->anchor_hz[layer], 0, p);
            AGREE_NEARLY(material->limit_scale, part->limit_scale[layer], 0, p);
        }
    }
}

// How many bends all characters of a test had, so that agreement is not about nothing.
typedef struct bend_counts {
    uint32_t bends, pairs, left_out;
} bend_counts;

// Only bends and what they depend on last, voxels and layers, which other tests compare in full.
static void check_and_count(const char* name, const tlw_cook_input* input,
                            const tlw_cook_recipe* recipe, bend_counts* counts) {
    const agreement here = {name, recipe->resolution}, *at = &here;
    tlw_cook cook;
    oracle_result oracle;
    cook_both(at, input, recipe, &cook, &oracle);
    AGREE(cook.voxels.count, oracle.voxel_count, 0);
    for (uint32_t v = 0; v < oracle.voxel_count; ++v) {
        AGREE(cook.anatomy.layer[v], oracle.voxels[v].layer, v);
    }
    check_bend_agreement(at, &cook, &oracle);
    counts->bends += oracle.bend_count;
    counts->pairs += oracle.bend_pair_count;
    counts->left_out += oracle.left_out_bend_count;
    free_both(&cook, &oracle);
}

TLW_TEST(library_and_oracle_agree_on_bends_in_every_mode_of_weights) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_AUTO, TLW_WEIGHTS_HEAT,
                                             TLW_WEIGHTS_GEODESIC, TLW_WEIGHTS_DIFFUSION};
    bend_counts counts = {0, 0, 0};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint32_t m = 0; m < TLW_COUNT_OF(modes); m += TLW_UNDER_SANITIZER ? 2 : 1) {
            scene* s = scene_make((scene_kind)kind, m);
            tlw_cook_recipe recipe = tlw_default_cook_recipe();
            recipe.resolution = 11 + 2 * m;
            recipe.weights = modes[m];
            recipe.region_width = 2 + m % 2;
            recipe.volume_reach = 0.25f + 0.5f * (float)m;
            check_and_count(scene_name((scene_kind)kind), scene_input(s), &recipe, &counts);
            scene_free(s);
        }
    }
    CHECK_LT(50u, counts.bends);
    CHECK_LT(50u, counts.pairs);
    CHECK_LT(0u, counts.left_out);
}

TLW_TEST(library_and_oracle_agree_on_bends_of_the_coarsest_lattices) {
    bend_counts counts = {0, 0, 0};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint32_t resolution = 2; resolution <= 4; ++resolution) {
            scene* s = scene_make((scene_kind)kind, resolution % 2);
            tlw_cook_recipe recipe = tlw_default_cook_recipe();
            recipe.resolution = resolution;
            recipe.region_width = resolution == 4 ? 2 : 3;
            check_and_count(scene_name((scene_kind)kind), scene_input(s), &recipe, &counts);
            scene_free(s);
        }
    }
    CHECK_LT(10u, counts.bends);
}

TLW_TEST(library_and_oracle_agree_on_bends_with_a_size_of_voxels_and_without_any) {
    bend_counts counts = {0, 0, 0}, none = {0, 0, 0};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        scene* s = scene_make((scene_kind)kind, 4);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 0;
        recipe.voxel_metres = 0.16;
        check_and_count(scene_name((scene_kind)kind), scene_input(s), &recipe, &counts);
        recipe.volume_reach = 0;
        check_and_count(scene_name((scene_kind)kind), scene_input(s), &recipe, &none);
        scene_free(s);
    }
    CHECK_LT(10u, counts.bends);
    CHECK_EQ(none.bends + none.pairs + none.left_out, 0);
}

// Every joint takes the number order[j]. The order mixes parents and children, unlike a reversal.
TLW_TEST(library_and_oracle_agree_on_bends_of_shuffled_joints_of_which_some_are_left_out) {
    uint64_t random = 23;
    bend_counts counts = {0, 0, 0};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        scene* s = scene_make((scene_kind)kind, 1);
        tlw_cook_input input = *scene_input(s);
        const uint32_t count = input.joint_count;
        uint32_t* order = calloc(count, sizeof *order);
        tlw_cook_joint* joints = calloc(count, sizeof *joints);
        tlw_cook_mesh* meshes = calloc(input.mesh_count, sizeof *meshes);
        CHECK(order != NULL && joints != NULL && meshes != NULL);
        tlw_test_number(order, count, TLW_TEST_SHUFFLED, &random);
        for (uint32_t j = 0; j < count; ++j) {
            joints[order[j]] = input.joints[j];
            joints[order[j]].parent = input.joints[j].parent == TLW_NO_JOINT
                                          ? TLW_NO_JOINT
                                          : order[input.joints[j].parent];
        }
        for (uint32_t m = 0; m < input.mesh_count; ++m) {
            meshes[m] = input.meshes[m];
            const size_t pairs = (size_t)meshes[m].vertex_count * meshes[m].influence_count;
            uint32_t* shuffled = calloc(pairs + 1, sizeof *shuffled);
            CHECK(shuffled != NULL);
            for (size_t i = 0; i < pairs; ++i) {
                shuffled[i] = order[meshes[m].joints[i]];
            }
            meshes[m].joints = shuffled;
        }
        input.joints = joints;
        input.meshes = meshes;
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 13;
        check_and_count(scene_name((scene_kind)kind), &input, &recipe, &counts);
        const char* const excluded[] = {joints[order[count / 2]].name};
        recipe.excluded_joints = excluded;
        recipe.excluded_joint_count = count > 2;
        recipe.weights = TLW_WEIGHTS_HEAT;
        check_and_count(scene_name((scene_kind)kind), &input, &recipe, &counts);
        for (uint32_t m = 0; m < input.mesh_count; ++m) {
            free((void*)meshes[m].joints);
        }
        free(order);
        free(joints);
        free(meshes);
        scene_free(s);
    }
    CHECK_LT(30u, counts.bends);
}

TLW_TEST(library_and_oracle_agree_on_bends_of_the_samples) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_AUTO, TLW_WEIGHTS_HEAT,
                                             TLW_WEIGHTS_GEODESIC};
    static const tlw_sample_variant variants[] = {TLW_SAMPLE_BUNNY, TLW_SAMPLE_STOUT,
                                                  TLW_SAMPLE_THIN};
    bend_counts counts = {0, 0, 0};
    for (size_t i = 0; i < TLW_COUNT_OF(variants); ++i) {
        sample_input* sample = sample_input_make(variants[i]);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 18;
        recipe.weights = modes[i];
        check_and_count("sample", sample_input_get(sample), &recipe, &counts);
        sample_input_free(sample);
    }
    CHECK_LT(30u, counts.bends);
    CHECK_LT(30u, counts.pairs);
}

static tlw_cook_profile_part random_numbers(const char* joint, uint64_t* random) {
    tlw_cook_profile_part part = tlw_default_cook_profile_part(joint);
    for (int layer = 0; layer < TLW_COOK_LAYERS_MAX; ++layer) {
        float* const numbers[] = {&part.stiffness[layer], &part.damping[layer],
                                  &part.anchor_hz[layer], &part.limit_scale[layer]};
        for (size_t k = 0; k < TLW_COUNT_OF(numbers); ++k) {
            const uint64_t dice = tlw_test_random(random) % 6;
            *numbers[k] = dice < 3 ? TLW_COOK_KEEP : 0.25f * (float)(dice - 2);
        }
    }
    return part;
}

// Parts by the recipe, mirrored and firm, named by their joints; later entries override.
TLW_TEST(library_and_oracle_agree_on_profiles) {
    static const char* const on[] = {NULL, "thigh_r", "thigh_l", "head", "hand_r", "thigh_l", NULL};
    uint64_t random = 31;
    for (uint32_t round = 0; round < 6; ++round) {
        scene* s = scene_make(SCENE_figure, round);
        static const struct {
            uint32_t joint;
            const char* name;
        } names[] = {{3, "head"}, {5, "thigh_l"}, {10, "thigh_r"}, {12, "hand_r"}};
        for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
            snprintf(s->joint_names[names[i].joint], sizeof *s->joint_names, "%s", names[i].name);
        }
        tlw_cook_part parts[2] = {tlw_default_cook_part("thigh_l"),
                                  tlw_default_cook_part("thigh_r")};
        parts[0].stiffness[1] = 0.5f;
        parts[0].is_mirrored = round % 2 == 0;
        tlw_cook_profile_part entries[TLW_COUNT_OF(on)];
        for (size_t e = 0; e < TLW_COUNT_OF(on); ++e) {
            entries[e] = random_numbers(on[e], &random);
        }
        const tlw_cook_profile profiles[] = {
            {"tense", entries, TLW_COUNT_OF(on)}, {"empty", NULL, 0}, {"loose", entries + 2, 3}};
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 14;
        recipe.parts = parts;
        recipe.part_count = round % 2 == 0 ? 1 : 2;
        recipe.layer_count = 2 + round % 3;
        recipe.profiles = profiles;
        recipe.profile_count = TLW_COUNT_OF(profiles);
        CHECK_LT(0u, check_agreement("figure", scene_input(s), &recipe));
        scene_free(s);
    }
}
