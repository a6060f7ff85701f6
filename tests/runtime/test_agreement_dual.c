// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle where voxels are skinned by dual quaternions (MODEL 3.13),
// with and without skinned volume, and with stretched joints. test_agreement_embed.c compares the
// vertices. Lengths in voxels.
#include "tests/runtime/support/joint_poses.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/test.h"

#include <stdio.h>

static const oracle_pair_def plain = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};

static tlw_cook_recipe dual_recipe(uint32_t resolution, bool keeps_volume) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.skinning = TLW_SKINNING_DUAL;
    recipe.volume_reach = keeps_volume ? recipe.volume_reach : 0;
    return recipe;
}

// Bends, twists beyond half a turn, where the joint of largest weight chooses the signs, and poses
// with stretched joints.
TLW_TEST(dual_poses_agree_with_the_oracle_joint_by_joint) {
    for (int keeps_volume = 0; keeps_volume < 2; ++keeps_volume) {
        const tlw_cook_recipe recipe = dual_recipe(16, keeps_volume != 0);
        sample_pair s = sample_pair_cook("bunny", "walk", &recipe, &plain);
        oracle_pair* pair = s.pair;
        double worst = 0, rotation = 0;
        for (uint32_t j = 1; j < pair->joint_count; j += PAIR_IS_SLOW ? 7 : 1) {
            static const double degrees[] = {70, 150, -120, 200};
            for (size_t n = 0; n < TLW_COUNT_OF(degrees); ++n) {
                const bool is_along_x = fabs(pair_bone_direction(pair, j).x) > 0.9;
                const int axis = n == 2 ? PAIR_TWIST : is_along_x ? 2 : 0;
                pair_turn_joint(pair, j, axis, degrees[n]);
                if (n % 2 == 1) {
                    pair_stretch_joints(pair, SHEARED, 0.2 * j);
                }
                pair_rotate_root(pair, quat_exp(vec(0.3 * j, 0.1, -0.2)));
                pair_settle(pair);
                const oracle_pair_gap gap = pair_compare(pair);
                worst = fmax(worst, gap.skin);
                rotation = fmax(rotation, gap.rotation);
            }
        }
        printf("    volume %s: p_skin %.1e apart, Rb %.1e\n", keeps_volume ? "on" : "off", worst,
               rotation);
        CHECK_LT(worst, 5e-5);
        CHECK_LT(rotation, 1e-4);
        sample_pair_free(&s);
    }
}

TLW_TEST(dual_characters_agree_with_the_oracle_in_motion) {
    static const struct {
        const char *sample, *clip;
        uint32_t resolution;
        bool keeps_volume, is_stretched;
        tlw_pose_kind pose_kind;
    } rows[] = {{"bunny", "dance", 14, false, false, TLW_POSE_MATRICES},
                {"bunny", "dance", 14, true, false, TLW_POSE_SKINNING},
                {"thin", "walk", 32, true, true, TLW_POSE_MATRICES},
                {"stout", "dance", 14, true, true, TLW_POSE_TRANSFORMS}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        const tlw_cook_recipe recipe = dual_recipe(rows[k].resolution, rows[k].keeps_volume);
        oracle_pair_def def = plain;
        def.pose_kind = rows[k].pose_kind;
        sample_pair s = sample_pair_cook(rows[k].sample, rows[k].clip, &recipe, &def);
        double one = 0, all = 0, skin = 0;
        for (int n = 0; n <= (PAIR_IS_SLOW ? 6 : 60); ++n) {
            sample_pair_pose(&s, n * PAIR_SUBSTEP);
            pair_rotate_root(s.pair, quat_exp(vec(0, 0.02 * n, 0)));
            if (rows[k].is_stretched) {
                pair_stretch_joints(s.pair, UNEVEN, 0.3 * n * PAIR_SUBSTEP);
            }
            if (n == 0) {
                pair_settle(s.pair);
                continue;
            }
            pair_step(s.pair, PAIR_SUBSTEP, n % 25 == 0); // with a jump now and then
            const oracle_pair_gap gap = pair_compare(s.pair);
            one = n == 1 ? gap.p : one;
            all = fmax(all, gap.p);
            skin = fmax(skin, gap.skin);
        }
        printf("    %s %s: p %.1e after 1, %.1e up to 60, p_skin %.1e\n", rows[k].sample,
               rows[k].clip, one, all, skin);
        CHECK_LT(one, 1e-4);
        CHECK_LT(all, 1e-3);
        CHECK_LT(skin, 5e-5);
        sample_pair_free(&s);
    }
}
