// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle where p_skin is corrected for lost volume (MODEL 3.12): in
// bent poses, in clips, and through whatever moves the pose otherwise. Lengths in voxels.
#include "tests/runtime/support/joint_poses.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/test.h"

#include <stdio.h>

#define SKIN_GAP 2e-5 // of p_skin, float against double

static const oracle_pair_def plain = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};

// How far the last pose was corrected.
static double largest_correction(const oracle* o) {
    double largest = 0;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        largest = fmax(largest, vec_length(vec_sub(o->out_p_skin[i], o->out_plain[i])));
    }
    return largest;
}

TLW_TEST(corrected_poses_agree_with_the_oracle_joint_by_joint) {
    static const struct {
        const char* sample;
        uint32_t resolution;
    } rows[] = {{"bunny", 18}, {"stout", 14}, {"thin", 32}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        sample_pair s = sample_pair_make(rows[k].sample, "walk", rows[k].resolution, 3, &plain);
        oracle_pair* pair = s.pair;
        double worst = 0, corrected = 0;
        for (uint32_t j = 1; j < pair->joint_count; j += PAIR_IS_SLOW ? 7 : 1) {
            static const double degrees[] = {-40, 70, 120, 165}; // the last one fades the field
            for (size_t n = 0; n < TLW_COUNT_OF(degrees); ++n) {
                const bool is_along_x = fabs(pair_bone_direction(pair, j).x) > 0.9;
                const int axis = n == 2 ? PAIR_TWIST : is_along_x ? 2 : 0;
                pair_turn_joint(pair, j, axis, degrees[n]);
                pair_rotate_root(pair, quat_exp(vec(0.3 * j, 0.1, -0.2)));
                pair_settle(pair);
                worst = fmax(worst, pair_compare(pair).skin);
                corrected = fmax(corrected, largest_correction(pair->o));
            }
        }
        printf("    %s: p_skin %.1e apart, corrected by up to %.2f\n", rows[k].sample, worst,
               corrected);
        CHECK_LT(worst, SKIN_GAP);
        CHECK(PAIR_IS_SLOW || corrected > 0.3);
        sample_pair_free(&s);
    }
}

TLW_TEST(corrected_poses_agree_with_the_oracle_in_clips) {
    static const struct {
        const char *sample, *clip;
        uint32_t resolution, region_width;
    } rows[] = {{"bunny", "dance", 18, 3},
                {"stout", "walk", 16, 3},
                {"thin", "jump_and_land", 32, 2},
                {"bunny", "jump_and_land", 16, 2}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        sample_pair s = sample_pair_make(rows[k].sample, rows[k].clip, rows[k].resolution,
                                         rows[k].region_width, &plain);
        double one = 0, all = 0, skin = 0, corrected = 0;
        sample_pair_pose(&s, 0);
        pair_settle(s.pair);
        for (int n = 1; n <= (PAIR_IS_SLOW ? 6 : 60); ++n) {
            sample_pair_pose(&s, n * PAIR_SUBSTEP);
            pair_rotate_root(s.pair, quat_exp(vec(0, 0.01 * n, 0)));
            pair_step(s.pair, PAIR_SUBSTEP, false);
            const oracle_pair_gap gap = pair_compare(s.pair);
            one = n == 1 ? gap.p : one;
            all = fmax(all, gap.p);
            skin = fmax(skin, gap.skin);
            corrected = fmax(corrected, largest_correction(s.pair->o));
        }
        printf("    %s %s: p %.1e after 1, %.1e up to 60, p_skin %.1e; corrected by up to %.2f\n",
               rows[k].sample, rows[k].clip, one, all, skin, corrected);
        CHECK_LT(one, 1e-4);
        CHECK_LT(all, 1e-3);
        CHECK_LT(skin, SKIN_GAP);
        CHECK(PAIR_IS_SLOW || corrected > 0.02);
        sample_pair_free(&s);
    }
}

// Frames of any length, jumps, dropped time, a reset, a teleport, and skinned volume turned off and
// on again.
TLW_TEST(corrected_state_agrees_with_the_oracle_through_jumps_resets_and_settings) {
    sample_pair s = sample_pair_make("bunny", "dance", 14, 3, &plain);
    oracle_pair* pair = s.pair;
    double worst = 0, time = 0;
    sample_pair_pose(&s, 0);
    pair_settle(pair);
    for (int n = 1; n <= (PAIR_IS_SLOW ? 24 : 96); ++n) {
        const double dt = n % 16 == 5 ? 0.3 : (n % 3 == 0 ? 0.6 : 1.3) * PAIR_SUBSTEP;
        const bool is_jump = n % 16 == 8;
        time += is_jump ? 0.4 : dt;
        const tlw_root root = pair->root;
        sample_pair_pose(&s, time);
        pair->root = root;
        if (n % 16 == 10) {
            pair_teleport(pair, vec(2, 0.5 * n, -1), quat_exp(vec(0.1 * n, 1, 0)));
        }
        if (n % 16 == 12 || n % 16 == 14) {
            pair_set_skinned_volume(pair, n % 16 == 14);
        }
        const tlw_step_flags flags = pair_step(pair, dt, is_jump);
        CHECK_EQ((flags & TLW_STEP_JUMPED) != 0, is_jump);
        CHECK_EQ((flags & TLW_STEP_DROPPED_TIME) != 0, dt == 0.3);
        if (n % 16 == 15) {
            pair_settle(pair);
        }
        worst = fmax(worst, pair_compare(pair).p);
    }
    printf("    %.1e apart\n", worst);
    CHECK_LT(worst, 1e-3);
    sample_pair_free(&s);
}
