// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle on the sample characters and their clips while the root
// moves. Both must stay within 1e-4 voxel after one substep and 1e-3 after many (MODEL 10).
#include "tests/runtime/support/sample_pair.h"
#include "tests/test.h"

#include <stdio.h>

typedef struct motion_case {
    const char* sample;
    const char* clip;
    uint32_t resolution, region_width, frames;
    tlw_preset preset;
} motion_case;

// The clip, on a root that walks a curve and sways.
static void pose_at(sample_pair* s, double t) {
    oracle_pair* pair = s->pair;
    sample_pair_pose(s, t);
    pair_rotate_root(pair, quat_exp(vec(0.1 * sin(2 * t), 0.7 * t, 0)));
    pair_move_root(pair, vec(8 * sin(0.7 * t), 1.5 * sin(3 * t), 8 - 8 * cos(0.7 * t)));
}

static void compare_motion(const motion_case* c) {
    const oracle_pair_def def = {.preset = c->preset, .has_oracle = true};
    sample_pair s = sample_pair_make(c->sample, c->clip, c->resolution, c->region_width, &def);
    pose_at(&s, 0);
    pair_settle(s.pair);
    const uint32_t frames = PAIR_IS_SLOW ? c->frames / 20 : c->frames;
    double one = 0, sixty = 0, all = 0, rotation = 0, off = 0;
    uint32_t jumps = 0;
    for (uint32_t k = 1; k <= frames; ++k) {
        pose_at(&s, k * PAIR_SUBSTEP);
        jumps += (pair_step(s.pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED) != 0;
        if (k > 1 && k % 10 != 0 && k != frames) {
            continue;
        }
        const oracle_pair_gap gap = pair_compare(s.pair);
        one = k == 1 ? gap.p : one;
        sixty = k <= 60 ? fmax(sixty, gap.p) : sixty;
        all = fmax(all, gap.p);
        rotation = fmax(rotation, gap.rotation);
        off = fmax(off, oracle_largest_deviation(s.pair->o));
    }
    printf("    %-5s %-5s %-7s res %u width %u, %u voxels, %u frames: %.1e after 1, %.1e up to 60, "
           "%.1e up to the end, R %.1e; off up to %.2f, %u jumps\n",
           c->sample, c->clip, tlw_preset_name(c->preset), c->resolution, c->region_width,
           s.pair->info.voxel_count, frames, one, sixty, all, rotation, off, jumps);
    CHECK_LT(one, 1e-4);
    CHECK_LT(sixty, 1e-3);
    CHECK_LT(all, 1e-3);
    CHECK_LT(0.1, off); // without motion the comparison would prove nothing
    sample_pair_free(&s);
}

TLW_TEST(runtime_and_oracle_agree_on_the_samples_for_a_second) {
    static const motion_case cases[] = {{"stout", "dance", 32, 3, 60, TLW_PRESET_DEFAULT},
                                        {"bunny", "dance", 20, 3, 60, TLW_PRESET_BUNNY},
                                        {"thin", "walk", 32, 3, 60, TLW_PRESET_DEFAULT},
                                        {"thin", "dance", 32, 2, 60, TLW_PRESET_BUNNY},
                                        {"stout", "walk", 14, 2, 60, TLW_PRESET_BLOAT_LOW}};
    for (size_t k = 0; k < TLW_COUNT_OF(cases); ++k) {
        compare_motion(&cases[k]);
    }
}

TLW_TEST(runtime_and_oracle_agree_on_the_samples_for_ten_seconds) {
    static const motion_case cases[] = {{"stout", "dance", 12, 3, 600, TLW_PRESET_DEFAULT},
                                        {"bunny", "walk", 12, 3, 600, TLW_PRESET_BUNNY},
                                        {"thin", "dance", 24, 3, 600, TLW_PRESET_DEFAULT},
                                        {"stout", "dance", 10, 2, 600, TLW_PRESET_BUNNY}};
    for (size_t k = 0; k < TLW_COUNT_OF(cases); ++k) {
        compare_motion(&cases[k]);
    }
}

TLW_TEST(two_rotation_iterations_stay_near_converged_ones) {
    static const struct {
        const char *sample, *clip;
        uint32_t resolution;
    } rows[] = {{"stout", "dance", 14}, {"stout", "jump_and_land", 14},
                {"thin", "dance", 24},  {"thin", "walk", 24},
                {"bunny", "dance", 14}, {"bunny", "sudden_stop", 14}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};
        sample_pair s = sample_pair_make(rows[k].sample, rows[k].clip, rows[k].resolution, 3, &def);
        s.pair->o->settings.iterations = 20;
        sample_pair_pose(&s, 0);
        pair_settle(s.pair);
        double gap = 0;
        for (int n = 1; n <= (PAIR_IS_SLOW ? 5 : 90); ++n) {
            sample_pair_pose(&s, n * PAIR_SUBSTEP);
            pair_step(s.pair, PAIR_SUBSTEP, false);
            gap = fmax(gap, pair_compare(s.pair).p);
        }
        printf("    %s, %s: %.1e from converged rotations\n", rows[k].sample, rows[k].clip, gap);
        CHECK_LT(gap, 0.05);
        sample_pair_free(&s);
    }
}
