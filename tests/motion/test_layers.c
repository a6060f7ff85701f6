// SPDX-License-Identifier: MIT
// Layers that show (MODEL 3.8, 3.10): the default look against one stiffness throughout, firm
// parts, the skin's share, the volume pass, resolutions. Prints its figures as the table of
// tools/motion.
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

TLW_TEST(layers_skin_volume_and_firm_parts_show_on_every_character) {
    motion_skip_where_slow();
    tlw_motion_row rows[16];
    uint32_t count = 0;
    const uint32_t finest = getenv("TLW_TEST_FULL") != NULL ? 48 : 32;
    for (size_t c = 0; c < motion_character_count; ++c) {
        for (uint32_t resolution = 32; resolution <= finest; resolution += 16) {
            tlw_actor actor;
            tlw_scene_error error;
            if (!motion_make_actor(&actor, &motion_characters[c], resolution)) {
                continue;
            }
            if (tlw_motion_measure(&actor, TLW_PRESET_DEFAULT, &rows[count++], &error) !=
                TLW_SCENE_OK) {
                tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
            }
            tlw_actor_free(&actor);
        }
    }
    tlw_motion_print_table(rows, count, stdout);
    for (uint32_t k = 0; k < count; ++k) {
        const tlw_motion_row* r = &rows[k];
        CHECK_LE(1.5, r->belly_single);
        CHECK_LE(TLW_MOTION_MM(r->bob.places[TLW_MOTION_HEAD].peak), 3.5);
        CHECK_LE(r->hand_lag, 0.6);
        CHECK_LE(r->volume, 0.75);
        CHECK_LE(1.2, r->residual);
        CHECK_EQ(r->stop.flags & (unsigned)(TLW_STEP_JUMPED | TLW_STEP_DROPPED_TIME), 0u);
    }
}

TLW_TEST(layers_show_with_the_values_of_the_paper_too) {
    motion_skip_where_slow();
    for (size_t c = 0; c < motion_character_count; ++c) {
        tlw_actor actor;
        if (!motion_make_actor(&actor, &motion_characters[c], 32)) {
            continue;
        }
        tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_BUNNY);
        const double multi =
            motion_run_once(&def, TLW_MOTION_STOP).places[TLW_MOTION_BELLY].overshoot;
        def.layers = TLW_MOTION_SINGLE;
        const double single =
            motion_run_once(&def, TLW_MOTION_STOP).places[TLW_MOTION_BELLY].overshoot;
        printf("    %s, bunny preset: belly %.2f%% of L, %.2f times muscle alone\n", actor.name,
               100 * multi, multi / single);
        CHECK_LE(1.2 * single, multi);
        tlw_actor_free(&actor);
    }
}

TLW_TEST(a_stop_looks_the_same_at_resolutions_32_48_and_64) {
    motion_skip_where_slow();
    for (size_t c = 0; c < motion_character_count; ++c) {
        double least = HUGE_VAL, most = 0;
        for (uint32_t resolution = 32; resolution <= 64; resolution += 16) {
            tlw_actor actor;
            if (!motion_make_actor(&actor, &motion_characters[c], resolution)) {
                continue;
            }
            const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
            const tlw_motion_numbers stop = motion_run_once(&def, TLW_MOTION_STOP);
            const double overshoot = stop.places[TLW_MOTION_BELLY].overshoot;
            printf("    %s %u: belly %.2f%% of L\n", actor.name, resolution, 100 * overshoot);
            least = fmin(least, overshoot);
            most = fmax(most, overshoot);
            tlw_actor_free(&actor);
        }
        if (most > 0) {
            CHECK_LE(most, 1.6 * least);
        }
    }
}

// What was the default up to format 4, for projects that keep its look: figures of then.
TLW_TEST(the_classic_preset_moves_as_the_default_did_before) {
    motion_skip_where_slow();
    tlw_preset classic;
    CHECK(tlw_preset_from_name("classic", &classic));
    tlw_actor actor = motion_make_sample("stout", 32);
    tlw_motion_def def = motion_def_of(&actor, classic);
    def.has_firm_parts = false;
    const tlw_motion_place_numbers belly =
        motion_run_once(&def, TLW_MOTION_STOP).places[TLW_MOTION_BELLY];
    printf("    classic: belly %.2f%% of L, %.2f Hz, half-life %.3f s\n", 100 * belly.overshoot,
           belly.hertz, belly.half_life_seconds);
    CHECK_NEAR(belly.overshoot, 0.0414, 0.15 * 0.0414);
    CHECK_NEAR(belly.hertz, 2.2, 0.15 * 2.2);
    CHECK_NEAR(belly.half_life_seconds, 0.168, 0.2 * 0.168);
    tlw_actor_free(&actor);
}
