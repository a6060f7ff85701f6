// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker where recipes and paint say more than the default:
// every mode of weights, every kind of cut, meshes that are inside out, parts with bone, ratios and
// limits of their own, mirrored parts, and paint.
#include "tests/cook/support/agreement.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

static tlw_cook_recipe recipe_at(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return recipe;
}

TLW_TEST(library_and_oracle_agree_on_heat_and_diffusion) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_HEAT, TLW_WEIGHTS_DIFFUSION};
    static const tlw_cook_heat heat[] = {{"joint0", 4, 2}, {"joint2", 0.25f, 0.5f}};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint32_t m = 0; m < 4; ++m) {
            scene* s = scene_make((scene_kind)kind, m % 2);
            tlw_cook_recipe recipe = recipe_at(14 + m);
            recipe.weights = modes[m / 2];
            recipe.heat = heat;
            recipe.heat_count = m % 2 == 0 || s->joint_count < 3 ? 0 : 2;
            CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), scene_input(s), &recipe));
            scene_free(s);
        }
    }
}

TLW_TEST(library_and_oracle_agree_on_every_kind_of_cut) {
    static const tlw_cook_cut_kind kinds[] = {TLW_CUT_NEVER, TLW_CUT_FORCED, TLW_CUT_ALL};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint32_t k = 0; k < 6; k += TLW_UNDER_SANITIZER ? 4 : 1) {
            scene* s = scene_make((scene_kind)kind, k);
            tlw_cook_recipe recipe = recipe_at(12 + k);
            const tlw_cook_cut cuts[] = {{"joint0", "joint1", kinds[k % 3]},
                                         {"joint2", "joint1", kinds[(k + 1) % 3]},
                                         {"joint1", "joint1", TLW_CUT_FORCED},
                                         {"joint1", "joint0", kinds[k % 3]}};
            recipe.weights = k < 3 ? TLW_WEIGHTS_AUTO : TLW_WEIGHTS_GEODESIC;
            recipe.cuts = cuts;
            recipe.cut_count = s->joint_count < 3 ? 0 : TLW_COUNT_OF(cuts);
            CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), scene_input(s), &recipe));
            scene_free(s);
        }
    }
}

// Limbs cross a cut at higher resolutions, where voxels beside it are not touched by the mesh.
TLW_TEST(library_and_oracle_agree_on_limbs_that_nearly_touch) {
    for (uint32_t resolution = 32; resolution <= 64; resolution += 16) {
        scene* s = scene_make(SCENE_legs, resolution == 48);
        tlw_cook_recipe recipe = recipe_at(resolution);
        CHECK_LT(0u, check_agreement("legs", scene_input(s), &recipe));
        scene_free(s);
    }
}

TLW_TEST(library_and_oracle_agree_on_meshes_that_are_inside_out) {
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        scene* s = scene_make((scene_kind)kind, 3);
        turn_inside_out(s);
        tlw_cook_recipe recipe = recipe_at(15);
        CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), scene_input(s), &recipe));
        scene_free(s);
    }
}

// A value per vertex that depends on its place alone, so that welded vertices have the same.
static void paint_by_place(scene* s, tlw_cook_paint paint, double scale) {
    scene_paint(s, paint, 0);
    const scene_mesh* mesh = &s->meshes[s->mesh_count - 1];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const float* p = &mesh->positions[v * 3];
        mesh->paint[paint][v] = (float)(0.5 + 0.5 * sin(scale * (double)(p[0] + 2 * p[1] - p[2])));
    }
}

TLW_TEST(library_and_oracle_agree_on_paint) {
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint32_t which = 1; which < 4; ++which) {
            scene* s = scene_make((scene_kind)kind, which % 2);
            if ((which & 1) !=
                0) { // the last mesh alone: the others, and riding ones, have defaults
                paint_by_place(s, TLW_PAINT_FAT, 3);
            }
            if ((which & 2) != 0) {
                paint_by_place(s, TLW_PAINT_STIFFNESS, 5);
            }
            tlw_cook_recipe recipe = recipe_at(14);
            recipe.weights = which == 2 ? TLW_WEIGHTS_HEAT : TLW_WEIGHTS_AUTO;
            CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), scene_input(s), &recipe));
            scene_free(s);
        }
    }
}

static tlw_cook_part random_part(const char* joint, uint64_t* random) {
    tlw_cook_part part = {.joint = joint,
                          .bone_radius_voxels = (int32_t)(tlw_test_random(random) % 4) - 1,
                          .limit_extent = 0.05f * (float)(tlw_test_random(random) % 3) - 0.05f,
                          .limit_thickness = 0.3f * (float)(tlw_test_random(random) % 3) - 0.3f};
    for (int layer = 0; layer < TLW_COOK_LAYERS_MAX; ++layer) {
        part.stiffness[layer] = part.damping[layer] = part.anchor_hz[layer] = TLW_COOK_KEEP;
    }
    part.limit_extent = part.limit_extent == 0 ? TLW_COOK_KEEP : part.limit_extent;
    part.limit_thickness = part.limit_thickness == 0 ? TLW_COOK_KEEP : part.limit_thickness;
    if (tlw_test_random(random) % 2 == 0) {
        part.ratio[1] = (tlw_cook_fraction){(uint32_t)(tlw_test_random(random) % 9) + 1, 10};
    }
    if (tlw_test_random(random) % 2 == 0) {
        part.bone_share = (tlw_cook_fraction){(uint32_t)(tlw_test_random(random) % 9) + 1, 10};
    }
    return part;
}

TLW_TEST(library_and_oracle_agree_on_parts_with_bone_ratios_and_limits) {
    uint64_t random = 5;
    for (uint32_t round = 0; round < 3; ++round) {
        for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
            scene* s = scene_make((scene_kind)kind, round);
            const uint32_t count = s->joint_count;
            tlw_cook_part parts[2];
            for (uint32_t k = 0; k < 2; ++k) {
                parts[k] = random_part(s->joint_names[(round + 2 * k) % count], &random);
            }
            tlw_cook_recipe recipe = recipe_at(16);
            recipe.bone_radius_voxels = round == 1 ? 1 : -1;
            recipe.parts = parts;
            recipe.part_count = count > 2 ? 2 : 1;
            CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), scene_input(s), &recipe));
            scene_free(s);
        }
    }
}

TLW_TEST(library_and_oracle_agree_on_mirrored_parts) {
    static const char* const limbs[] = {"arm_", "Hand", "thigh.", "shin", "end"};
    static const char* const sides[2][5] = {{"l", "Left", "L", "_left", "l"},
                                            {"r", "Right", "R", "_right", "r"}};
    uint64_t random = 9;
    for (uint32_t round = 0; round < 4; ++round) {
        scene* s = scene_make(SCENE_figure, round);
        for (uint32_t j = 5; j < 15; ++j) {
            const uint32_t limb = (j - 5) % 5;
            snprintf(s->joint_names[j], sizeof *s->joint_names, "%s%s", limbs[limb],
                     sides[j >= 10][limb]);
        }
        snprintf(s->joint_names[9], sizeof *s->joint_names, "end_l");
        snprintf(s->joint_names[14], sizeof *s->joint_names, "end_r");
        static const char* const on[] = {"thigh.R", "HandLeft", "thigh.L", "joint2"};
        tlw_cook_part parts[4];
        for (uint32_t k = 0; k < 4; ++k) {
            parts[k] = random_part(on[k], &random);
            parts[k].stiffness[2] = (float)k;
            parts[k].is_mirrored = k < 2;
        }
        tlw_cook_recipe recipe = recipe_at(20);
        recipe.parts = parts;
        recipe.part_count = round + 1;
        recipe.is_firm_auto = round % 2 == 0;
        CHECK_LT(0u, check_agreement("figure", scene_input(s), &recipe));
        scene_free(s);
    }
}
