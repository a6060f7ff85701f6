// SPDX-License-Identifier: MIT
// The measures of tools/motion themselves, against motion that is known: a decaying wave, a body at
// rest, places of the samples, the volume pass off.
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"

#include <math.h>

TLW_TEST(ringing_finds_frequency_half_life_and_overshoot_of_a_decaying_wave) {
    double means[120];
    for (int k = 0; k < 120; ++k) {
        const double t = (k + 1) / 60.0;
        means[k] = 0.05 * exp2(-t / 0.25) * sin(2 * 3.14159265358979 * 3.0 * t);
    }
    const tlw_motion_place_numbers r = tlw_motion_ringing(means, 120, 1 / 60.0);
    CHECK_NEAR(r.hertz, 3.0, 0.02);
    CHECK_NEAR(r.half_life_seconds, 0.25, 0.005);
    CHECK_NEAR(r.overshoot, 0.0395, 0.001); // of the first quarter, a little decayed
    const double still[3] = {0, 0, 0};
    CHECK_EQ(tlw_motion_ringing(still, 3, 1 / 60.0).hertz, 0.0);
}

TLW_TEST(a_body_at_rest_has_volume_1_no_residual_and_no_deviation) {
    tlw_actor actor = motion_make_sample("stout", 16);
    const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
    tlw_motion* motion = motion_open(&def);
    tlw_motion_step(motion, 1 / 60.0);
    tlw_motion_read(motion);
    CHECK_LT(tlw_motion_volume_error(motion), 1e-5);
    CHECK_LT(tlw_motion_residual(motion), 1e-5);
    CHECK_LT(tlw_motion_largest_deviation(motion), 1e-5);
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}

TLW_TEST(every_place_of_a_sample_has_soft_voxels_that_no_other_place_has) {
    for (size_t c = 0; c < motion_character_count; ++c) {
        tlw_actor actor;
        if (!motion_make_actor(&actor, &motion_characters[c], 32)) {
            continue;
        }
        const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
        tlw_motion* motion = motion_open(&def);
        static const tlw_motion_place apart[] = {TLW_MOTION_BELLY, TLW_MOTION_HEAD, TLW_MOTION_HAND,
                                                 TLW_MOTION_THIGH, TLW_MOTION_FOOT};
        uint32_t sum = 0, body, count;
        tlw_motion_place_voxels(motion, TLW_MOTION_BODY, &body);
        printf("    %s: %u soft voxels", actor.name, body);
        for (size_t k = 0; k < TLW_COUNT_OF(apart); ++k) {
            const uint32_t* voxels = tlw_motion_place_voxels(motion, apart[k], &count);
            printf(", %s %u", tlw_motion_place_name(apart[k]), count);
            CHECK_LT(0u, count);
            CHECK(motion->layers[voxels[0]] != 0);
            sum += count;
        }
        printf("\n");
        CHECK_LT(sum, body);
        tlw_motion_place_voxels(motion, TLW_MOTION_BELLY_FAT, &count);
        CHECK_LT(0u, count);
        tlw_motion_close(motion);
        tlw_actor_free(&actor);
    }
}

TLW_TEST(without_volume_a_body_at_rest_stays_and_a_moving_one_moves_differently) {
    tlw_actor actor = motion_make_sample("stout", 16);
    tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
    const tlw_motion_numbers with = motion_run_once(&def, TLW_MOTION_BOB);
    def.has_volume = false;
    tlw_motion* motion = motion_open(&def);
    tlw_motion_step(motion, 1 / 60.0);
    tlw_motion_read(motion);
    CHECK_LT(tlw_motion_largest_deviation(motion), 1e-5);
    tlw_motion_close(motion);
    CHECK_LT(with.volume_error, motion_run_once(&def, TLW_MOTION_BOB).volume_error);
    tlw_actor_free(&actor);
}
