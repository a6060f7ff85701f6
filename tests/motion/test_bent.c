// SPDX-License-Identifier: MIT
// Bent joints of the samples: where they go, what skinning loses there, and what skinned volume
// gives back (MODEL 3.12). Figures show the same numbers.
#include "tests/helpers.h"
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"
#include "tools/motion/bent.h"

#include <math.h>
#include <stdlib.h>

static const char* const samples[] = {"bunny", "stout", "thin"};
enum { SAMPLE_COUNT = TLW_UNDER_SANITIZER ? 1 : 3 };

static const tlw_bent_joint knee = {.joint = "shin_l", .degrees = 90, .towards = {0, 0, -1}};
static const tlw_bent_joint elbow = {.joint = "forearm_l", .degrees = 120, .towards = {0, 0, 1}};
static const tlw_bent_joint twist = {.joint = "forearm_l", .degrees = 120};

static tlw_motion* open_sample(tlw_actor* actor, const char* sample) {
    tlw_scene_error error = {0};
    if (tlw_actor_make(actor, sample, NULL, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    const tlw_motion_def def = motion_def_of(actor, TLW_PRESET_DEFAULT);
    return motion_open(&def);
}

static const float* place_of(const tlw_motion* motion, const char* name) {
    uint32_t joint;
    CHECK(tlw_blob_find_joint(&motion->def.actor->blob, name, &joint) == TLW_OK);
    return motion->pose_joints + (size_t)joint * 16 + 12;
}

TLW_TEST(a_bent_bone_turns_towards_the_direction_and_keeps_its_length) {
    tlw_actor actor;
    tlw_motion* motion = open_sample(&actor, "bunny");
    double before = 0, after = 0;
    for (int bent = 0; bent < 2; ++bent) {
        tlw_bent_set(motion, &knee, 1, bent);
        double squared = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double d =
                (double)place_of(motion, "foot_l")[axis] - (double)place_of(motion, "shin_l")[axis];
            squared += d * d;
        }
        *(bent ? &after : &before) = sqrt(squared);
    }
    CHECK_NEAR(after, before, 1e-5);
    // At 90 degrees the bone points where it was sent, as far as it was at right angles to that.
    CHECK((double)(place_of(motion, "foot_l")[2] - place_of(motion, "shin_l")[2]) < -0.9 * before);
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}

TLW_TEST(bends_of_the_bind_pose_have_their_volume_and_no_length) {
    tlw_actor actor;
    tlw_motion* motion = open_sample(&actor, "bunny");
    tlw_bent_numbers numbers;
    tlw_bent_set(motion, &knee, 1, 0.0);
    CHECK(tlw_bent_length(motion, knee.joint) == 0.0);
    CHECK(tlw_bent_measure(motion, knee.joint, &numbers));
    CHECK(numbers.voxel_count > 0 && numbers.reach > 0);
    CHECK_NEAR(numbers.skinned, 0, 1e-5);
    CHECK_NEAR(numbers.volume_crease, 0, 1e-5);
    CHECK(numbers.skinned_inverted == 0);
    CHECK(!tlw_bent_measure(motion, "root", &numbers));
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}

TLW_TEST(skinned_volume_gives_back_a_third_of_every_loss_within_its_reach) {
    const tlw_bent_joint* const joints[] = {&knee, &elbow, &twist};
    for (int n = 0; n < SAMPLE_COUNT; ++n) {
        tlw_actor actor;
        tlw_motion* motion = open_sample(&actor, samples[n]);
        for (size_t i = 0; i < TLW_COUNT_OF(joints); ++i) {
            tlw_bent_numbers without, with;
            tlw_bent_set(motion, joints[i], 1, 1.0);
            CHECK(tlw_bent_skin(motion, false));
            CHECK(tlw_bent_measure(motion, joints[i]->joint, &without));
            const double length = tlw_bent_length(motion, joints[i]->joint);
            CHECK(tlw_bent_measure(motion, joints[i]->joint, &with));
            CHECK(without.skinned < -0.05);
            CHECK(with.skinned > without.skinned * 2 / 3 && with.skinned < 0.02);
            CHECK(length > 0 && length <= with.reach + 1e-4);
        }
        tlw_motion_close(motion);
        tlw_actor_free(&actor);
    }
}

TLW_TEST(p_skin_moves_by_the_lengths_of_all_bends_along_the_field) {
    tlw_actor actor;
    tlw_motion* motion = open_sample(&actor, "stout");
    const size_t count = (size_t)motion->voxel_count * 3;
    double *field = malloc(count * sizeof *field), *left = malloc(count * sizeof *left);
    double most = 0, worst = 0;
    tlw_bent_set(motion, &elbow, 1, 1.0);
    for (int has_volume = 0; has_volume < 2; ++has_volume) {
        CHECK(tlw_bent_skin(motion, has_volume));
        for (size_t i = 0; i < count; ++i) {
            const double at = (double)motion->voxels[i / 3].skinned[i % 3];
            left[i] = has_volume ? at - left[i] : at;
            most = has_volume ? fmax(most, fabs(left[i])) : 0;
        }
    }
    for (uint32_t joint = 0; joint < actor.info.joint_count; ++joint) {
        const char* name = tlw_blob_joint_name(&actor.blob, joint);
        const double length = tlw_bent_length(motion, name);
        const bool is_bend = tlw_bent_field(motion, name, field);
        for (size_t i = 0; i < count && is_bend; ++i) {
            left[i] -= length * field[i];
        }
    }
    for (size_t i = 0; i < count; ++i) {
        worst = fmax(worst, fabs(left[i]));
    }
    CHECK(most > 0.2);
    CHECK_LT(worst, 1e-4);
    free(field);
    free(left);
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}

TLW_TEST(a_held_knee_keeps_more_of_its_volume_with_skinned_volume) {
    tlw_actor actor;
    tlw_motion* motion = open_sample(&actor, "bunny");
    tlw_bent_numbers without, with;
    tlw_bent_hold(motion, &knee, 1, false);
    CHECK(tlw_bent_measure(motion, knee.joint, &without));
    tlw_bent_hold(motion, &knee, 1, true);
    CHECK(tlw_bent_measure(motion, knee.joint, &with));
    CHECK(without.volume < -0.1);
    CHECK(with.volume > without.volume + 0.01);
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}
