// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle while materials fade from one profile to another (MODEL
// 3.14). Lengths in voxels.
#include "tests/runtime/support/sample_pair.h"
#include "tests/test.h"

#include <stdio.h>

enum { PROFILE_COOKED, PROFILE_STIFF, PROFILE_LOOSE, PROFILE_COUNT };

// "stiff" anchors everything by 40 Hz and halves the limit; "loose" is softer than the default.
static sample_pair profiled_pair(const char* sample, uint32_t resolution, double substep_seconds) {
    static tlw_cook_profile_part parts[2];
    static tlw_cook_profile profiles[2];
    parts[0] = parts[1] = tlw_default_cook_profile_part(NULL);
    for (int layer = 1; layer < ORACLE_LAYERS; ++layer) {
        parts[0].stiffness[layer] = 3;
        parts[0].damping[layer] = 0.2f;
        parts[0].anchor_hz[layer] = 40;
        parts[0].limit_scale[layer] = 0.5f;
        parts[1].stiffness[layer] = 0.02f;
        parts[1].damping[layer] = 0.8f;
        parts[1].anchor_hz[layer] = 2;
        parts[1].limit_scale[layer] = 1.5f;
    }
    profiles[0] = (tlw_cook_profile){.name = "stiff", .parts = &parts[0], .part_count = 1};
    profiles[1] = (tlw_cook_profile){.name = "loose", .parts = &parts[1], .part_count = 1};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.profiles = profiles;
    recipe.profile_count = TLW_COUNT_OF(profiles);
    const oracle_pair_def def = {
        .preset = TLW_PRESET_COOKED, .has_oracle = true, .substep_seconds = substep_seconds};
    sample_pair s = sample_pair_cook(sample, "dance", &recipe, &def);
    CHECK_EQ(s.pair->lattice->profile_count, PROFILE_COUNT);
    sample_pair_pose(&s, 0);
    pair_settle(s.pair);
    return s;
}

typedef struct fade_event {
    int frame;
    uint32_t profile;
    double seconds;
} fade_event;

// Dances and fades; returns the largest gap of positions and velocities.
static double run(sample_pair* s, const fade_event* events, size_t count, double dt, int frames,
                  int jump_every) {
    double worst = 0;
    for (int n = 1; n <= frames; ++n) {
        for (size_t k = 0; k < count; ++k) {
            if (events[k].frame == n) {
                pair_fade_to(s->pair, events[k].profile, events[k].seconds);
            }
        }
        sample_pair_pose(s, n * dt);
        pair_step(s->pair, dt, jump_every > 0 && n % jump_every == 0);
        const oracle_pair_gap gap = pair_compare(s->pair);
        worst = fmax(worst, fmax(gap.p, gap.velocity));
        CHECK_LT(worst, n == 1 ? 1e-4 : 1e-3);
    }
    return worst;
}

TLW_TEST(fades_agree_with_the_oracle) {
    static const fade_event events[] = {
        {5, PROFILE_STIFF, 0.3},   {40, PROFILE_LOOSE, 0.5},
        {50, PROFILE_COOKED, 0.2},                             // before the last has ended
        {70, PROFILE_STIFF, 0},    {78, PROFILE_LOOSE, 0.004}, // less than a substep
        {84, PROFILE_STIFF, 1}};
    sample_pair s = profiled_pair("stout", 14, 0);
    printf("    %.1e apart\n",
           run(&s, events, TLW_COUNT_OF(events), PAIR_SUBSTEP, PAIR_IS_SLOW ? 20 : 110, 0));
    sample_pair_free(&s);
}

TLW_TEST(fades_agree_with_the_oracle_at_other_substeps_and_frame_rates) {
    static const fade_event events[] = {{3, PROFILE_STIFF, 0.25}, {20, PROFILE_LOOSE, 0.1}};
    static const double lengths[] = {1.0 / 30, 1.0 / 120};
    for (size_t k = 0; k < TLW_COUNT_OF(lengths); ++k) {
        sample_pair s = profiled_pair("bunny", 12, lengths[k]);
        printf("    1/%.0f s: %.1e apart\n", 1 / lengths[k],
               run(&s, events, TLW_COUNT_OF(events), 1.0 / 45, PAIR_IS_SLOW ? 10 : 40, 0));
        sample_pair_free(&s);
    }
}

// A jump carries one substep of its own and one after it; both count.
TLW_TEST(fades_agree_with_the_oracle_across_jumps) {
    static const fade_event events[] = {{3, PROFILE_STIFF, 0.25}, {24, PROFILE_LOOSE, 0.4}};
    sample_pair s = profiled_pair("bunny", 12, 0);
    printf("    %.1e apart\n",
           run(&s, events, TLW_COUNT_OF(events), PAIR_SUBSTEP, PAIR_IS_SLOW ? 12 : 60, 7));
    sample_pair_free(&s);
}

TLW_TEST(a_reset_and_a_material_end_a_fade_as_in_the_oracle) {
    static const fade_event events[] = {{2, PROFILE_STIFF, 2}};
    static const tlw_material material = {
        .stiffness = 0.1f, .damping = 0.5f, .anchor_hz = 3, .limit_scale = 1};
    for (int by_material = 0; by_material < 2; ++by_material) {
        sample_pair s = profiled_pair("bunny", 12, 0);
        run(&s, events, TLW_COUNT_OF(events), PAIR_SUBSTEP, 10, 0);
        CHECK(s.pair->o->is_fading);
        if (by_material) {
            pair_set_material(s.pair, TLW_ALL, 2, &material);
        } else {
            sample_pair_pose(&s, 0);
            pair_settle(s.pair);
        }
        CHECK(!s.pair->o->is_fading);
        printf("    %.1e apart\n", run(&s, NULL, 0, PAIR_SUBSTEP, PAIR_IS_SLOW ? 5 : 30, 0));
        sample_pair_free(&s);
    }
}

TLW_TEST(a_character_sleeps_only_after_its_fade) {
    sample_pair s = profiled_pair("bunny", 12, 0);
    pair_rest_pose(s.pair);
    pair_settle(s.pair);
    pair_fade_to(s.pair, PROFILE_LOOSE, 3);
    uint32_t asleep_at = 0;
    for (uint32_t n = 1; n <= 300 && asleep_at == 0; ++n) {
        const tlw_step_flags flags = pair_step(s.pair, PAIR_SUBSTEP, false);
        asleep_at = flags & TLW_STEP_ASLEEP ? n : 0;
    }
    printf("    asleep in frame %u\n", asleep_at);
    CHECK_LT(180u, asleep_at); // the fade takes 180 substeps
    CHECK_LT(asleep_at, 245u);
    sample_pair_free(&s);
}
