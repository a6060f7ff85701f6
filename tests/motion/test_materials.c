// SPDX-License-Identifier: MIT
// Materials (MODEL 3.9, 3.10): a change while tissue moves keeps its speed, and what is reported
// and set is the speed that is seen.
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

static tlw_motion* moving(const tlw_actor* actor, bool has_firm_parts) {
    tlw_motion_def def = motion_def_of(actor, TLW_PRESET_DEFAULT);
    def.has_firm_parts = has_firm_parts;
    tlw_motion* motion = motion_open(&def);
    for (int k = 1; k < 40; ++k) {
        motion->root.position[2] = 0.3 * sin(0.3 * k);
        tlw_motion_step(motion, 1 / 60.0);
    }
    tlw_motion_read(motion);
    return motion;
}

// The largest difference between the velocities that were read and those of now, voxels/s.
static double velocities_apart(tlw_motion* motion) {
    double apart = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        tlw_voxel_state state;
        CHECK_OK(tlw_character_get_voxel(motion->world, motion->id, v, &state));
        for (int a = 0; a < 3; ++a) {
            apart = fmax(apart,
                         fabs((double)state.velocity[a] - (double)motion->voxels[v].velocity[a]));
        }
    }
    return apart;
}

TLW_TEST(a_change_of_material_while_tissue_moves_keeps_its_velocity) {
    tlw_actor actor = motion_make_sample("stout", 16);
    for (int preset = TLW_PRESET_COOKED + 1; preset < TLW_PRESET_COUNT; ++preset) {
        tlw_motion* motion = moving(&actor, true);
        CHECK_OK(tlw_character_apply_preset(motion->world, motion->id, (tlw_preset)preset));
        CHECK_LT(velocities_apart(motion), 1e-4);
        tlw_motion_close(motion);
    }
    static const float anchors[] = {0, 1, 3.5f, 12, 1000};
    for (size_t k = 0; k < TLW_COUNT_OF(anchors); ++k) {
        tlw_motion* motion = moving(&actor, true);
        const tlw_material material = {1, 0.5f, anchors[k], 1};
        CHECK_OK(
            tlw_character_set_material(motion->world, motion->id, TLW_ALL, TLW_ALL, &material));
        CHECK_LT(velocities_apart(motion), 1e-4);
        tlw_motion_close(motion);
    }
    tlw_actor_free(&actor);
}

TLW_TEST(a_velocity_that_was_set_is_the_one_that_is_reported) {
    tlw_actor actor = motion_make_sample("stout", 16);
    tlw_motion* motion = moving(&actor, true);
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        tlw_voxel_state* state = &motion->voxels[v];
        for (int a = 0; a < 3; ++a) {
            state->velocity[a] += motion->layers[v] ? (float)a - 1.5f : 0;
        }
        if (motion->layers[v] != 0) {
            CHECK_OK(tlw_character_set_voxel(motion->world, motion->id, v, state->position,
                                             state->velocity));
        }
    }
    CHECK_LT(velocities_apart(motion), 1e-4);
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}

// The reported velocity is that of the tissue: what it moves by in a substep.
TLW_TEST(the_reported_velocity_is_that_of_the_deviation) {
    tlw_actor actor = motion_make_sample("stout", 16);
    tlw_motion* motion = moving(&actor, false); // at the border of firm parts damping blends
    const double h = 1 / 60.0;
    double* before = malloc((size_t)motion->voxel_count * 3 * sizeof *before);
    CHECK(before != NULL);
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        for (size_t a = 0; a < 3; ++a) {
            before[3 * (size_t)v + a] =
                (double)motion->voxels[v].position[a] - (double)motion->voxels[v].skinned[a];
        }
    }
    tlw_motion_step(motion, h); // the root stays: v_skin is 0
    tlw_motion_read(motion);
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        tlw_material m;
        if (motion->layers[v] == 0) {
            continue;
        }
        tlw_joint_info joint;
        CHECK_OK(tlw_blob_get_joint(&actor.blob, motion->joints[v], &joint));
        CHECK_OK(tlw_character_get_material(motion->world, motion->id, joint.part,
                                            motion->layers[v], &m));
        const double damping = pow((double)m.damping, h / 0.1);
        for (size_t a = 0; a < 3; ++a) {
            const double now =
                (double)motion->voxels[v].position[a] - (double)motion->voxels[v].skinned[a];
            CHECK_NEAR(motion->voxels[v].velocity[a],
                       damping * (now - before[3 * (size_t)v + a]) / h, 3e-3);
        }
    }
    free(before);
    tlw_motion_close(motion);
    tlw_actor_free(&actor);
}
