// SPDX-License-Identifier: MIT
// Muscles in a character's life (MODEL 3.19, 4.3, 4.5, 4.7): jumps, dropped time, sleep, teleports,
// the hash, memory and output.
#include "tests/helpers.h"
#include "tests/runtime/support/muscled_arm.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

// p - t of a voxel in its own axes.
static void read_deviation(const muscled_arm* arm, uint32_t slot, double out[3]) {
    const tlw_character* c = arm->c;
    const uint32_t w = slot / TLW_LANES, lane = slot % TLW_LANES;
    const tlw_window_pose* pose = &c->poses[c->is_odd][w];
    double q[4], d[3];
    for (int i = 0; i < 3; ++i) {
        d[i] = (double)c->states[c->is_odd][w].p[i][lane] - (double)pose->skin[i][lane];
        q[i] = -(double)pose->rb[i][lane];
    }
    q[3] = (double)pose->rb[3][lane];
    for (int i = 0; i < 3; ++i) { // d + 2 w (u x d) + 2 u x (u x d)
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double tj = q[k] * d[i] - q[i] * d[k], tk = q[i] * d[j] - q[j] * d[i];
        out[i] = d[i] + 2.0 * (q[3] * (q[j] * d[k] - q[k] * d[j]) + q[j] * tk - q[k] * tj);
    }
}

static void check_keeps_deviations(const muscled_arm* arm, double before[][3]) {
    double most = 0.0;
    for (uint32_t slot = 0; slot < arm->c->blob.slot_count; ++slot) {
        double d[3];
        read_deviation(arm, slot, d);
        for (int i = 0; i < 3 && arm->c->blob.slot_voxel[slot] != TLW_NO_INDEX; ++i) {
            CHECK_NEAR(d[i], before[slot][i], 1e-4);
            most = fabs(d[i]) > most ? fabs(d[i]) : most;
        }
    }
    CHECK_LT(0.05, most);
}

TLW_TEST(jumps_and_dropped_time_keep_how_far_tissue_is_off_its_bulging_place) {
    static double before[8 * 4096][3];
    for (int by_jump = 0; by_jump < 2; ++by_jump) {
        muscled_arm arm = muscled_arm_alone();
        CHECK_LE(arm.c->blob.slot_count, TLW_COUNT_OF(before));
        muscled_arm_move(&arm, 0.0, 50.0, 8);
        const double m = largest_displacement(&arm);
        for (uint32_t slot = 0; slot < arm.c->blob.slot_count; ++slot) {
            read_deviation(&arm, slot, before[slot]);
        }
        arm.root.position[1] = 3.0;
        CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_BICEPS, 1.0f));
        muscled_arm_pose(&arm, 90.0, true);
        const double dt = by_jump ? FRAME : 0.5;
        CHECK_EQ(tlw_world_step(arm.world, dt) & TLW_STEP_JUMPED, TLW_STEP_JUMPED);
        CHECK_LT(m + 0.1, largest_displacement(&arm)); // m is another, of lines at rest
        check_keeps_deviations(&arm, before);
        muscled_arm_free(&arm);
    }
}

// After a jump at rest nothing moves: the first ordinary substep starts with the velocity of t.
TLW_TEST(arm_at_rest_stays_at_rest_after_a_jump) {
    muscled_arm arm = muscled_arm_alone();
    muscled_arm_pose(&arm, 80.0, true);
    CHECK_EQ(tlw_world_step(arm.world, FRAME) & TLW_STEP_JUMPED, TLW_STEP_JUMPED);
    muscled_arm other = muscled_arm_alone();
    muscled_arm_reset(&other, 80.0);
    (void)muscled_arm_step(&arm, 80.0); // carried too: the substep that a jump owes
    for (int frame = 0; frame < 10; ++frame) {
        (void)muscled_arm_step(&arm, 80.0);
        (void)muscled_arm_step(&other, 80.0);
    }
    for (uint32_t slot = 0; slot < arm.c->blob.slot_count; ++slot) {
        double a[3], b[3];
        read_deviation(&arm, slot, a);
        read_deviation(&other, slot, b);
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(a[i], b[i], 1e-5);
        }
    }
    CHECK_LT(line_distance(&arm, &other), 1e-5);
    muscled_arm_free(&arm);
    muscled_arm_free(&other);
}

static int frames_until_asleep(const muscled_arm* arm, double degrees) {
    for (int frame = 1; frame < 600; ++frame) {
        if (muscled_arm_step(arm, degrees) & TLW_STEP_ASLEEP) {
            return frame;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "still awake after 10 s");
    return 0;
}

TLW_TEST(arm_falls_asleep_and_wakes_by_tension) {
    muscled_arm arm = muscled_arm_alone();
    (void)frames_until_asleep(&arm, 40.0);
    CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_BICEPS, 0.0f)); // as it is
    CHECK_EQ(muscled_arm_step(&arm, 40.0), TLW_STEP_ASLEEP);
    CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_BICEPS, 0.7f));
    CHECK_EQ(muscled_arm_step(&arm, 40.0) & TLW_STEP_ASLEEP, 0u);
    (void)frames_until_asleep(&arm, 40.0);
    muscled_arm_free(&arm);
}

// Nothing but a line moves, and it moves no tissue: its muscle has no belly where it moves.
TLW_TEST(line_that_moves_keeps_a_character_awake) {
    muscled_arm arm = muscled_arm_alone();
    const int frames = frames_until_asleep(&arm, 0.0);
    CHECK_OK(tlw_character_reset(arm.world, arm.id));
    for (int frame = 0; frame < 200; ++frame) {
        arm.c->line_rows[3].x[0][ARM_BICEPS] += 1e-3f * (frame % 2 == 0 ? 1.0f : -1.0f);
        CHECK_EQ(muscled_arm_step(&arm, 0.0) & TLW_STEP_ASLEEP, 0u);
    }
    CHECK_LE(frames, 70);
    muscled_arm_free(&arm);
}

TLW_TEST(teleport_in_motion_changes_nothing) {
    muscled_arm here = muscled_arm_alone(), there = muscled_arm_alone();
    const float turned[4] = {0.6f, 0.0f, 0.0f, 0.8f};
    const double place[3] = {1000.0, 50.0, -7.0};
    muscled_arm_move(&here, 0.0, 80.0, 20);
    muscled_arm_move(&there, 0.0, 80.0, 20);
    CHECK_OK(tlw_character_teleport(there.world, there.id, place, turned));
    there.root = (tlw_root){{place[0], place[1], place[2]}, {0.6f, 0.0f, 0.0f, 0.8f}, 1.0f};
    for (int frame = 0; frame < 12; ++frame) {
        (void)muscled_arm_step(&here, 80.0 - 4.0 * frame);
        CHECK_EQ(muscled_arm_step(&there, 80.0 - 4.0 * frame) & TLW_STEP_JUMPED, 0u);
        CHECK_NEAR(largest_displacement(&here), largest_displacement(&there), 1e-3);
        CHECK_NEAR(line_off(&here), line_off(&there), 1e-3);
        for (uint32_t slot = 0; slot < here.c->blob.slot_count; ++slot) {
            double a[3], b[3];
            read_deviation(&here, slot, a);
            read_deviation(&there, slot, b);
            for (int i = 0; i < 3; ++i) {
                CHECK_NEAR(a[i], b[i], 1e-3);
            }
        }
    }
    muscled_arm_free(&here);
    muscled_arm_free(&there);
}

TLW_TEST(hash_covers_lines_displacements_and_tensions) {
    muscled_arm arm = muscled_arm_alone();
    muscled_arm_move(&arm, 0.0, 40.0, 10);
    float* const all[] = {&arm.c->line_rows[2].x[1][0],
                          &arm.c->line_rows[2].v[1][0],
                          &arm.c->line_rows[2].b[1][0],
                          &arm.c->line_rows[2].rb[1][0],
                          &arm.c->displacements[0][0].m[0][0],
                          &arm.c->displacements[1][0].m[0][0],
                          &arm.c->tensions[5]};
    const uint64_t hash = tlw_world_hash(arm.world);
    for (size_t i = 0; i < TLW_COUNT_OF(all); ++i) {
        const float was = *all[i];
        *all[i] = was + 0.5f;
        CHECK(tlw_world_hash(arm.world) != hash);
        *all[i] = was;
        CHECK_EQ(tlw_world_hash(arm.world), hash);
    }
    muscled_arm_free(&arm);
}

TLW_TEST(tensions_survive_a_reset) {
    muscled_arm arm = muscled_arm_alone();
    tlw_muscle muscle;
    CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_BICEPS, 0.25f));
    CHECK_OK(tlw_character_reset(arm.world, arm.id));
    CHECK_OK(tlw_character_get_muscle(arm.world, arm.id, ARM_BICEPS, &muscle));
    CHECK_EQ(muscle.tension, 0.25f);
    muscled_arm_free(&arm);
}

// Positions of all vertices in `embedding`, at 45 degrees after 2 s, drawn `late` seconds after the
// last substep.
static void draw(tlw_embedding embedding, float tension, double late, float* out) {
    muscled_arm arm = muscled_arm_alone();
    tlw_output output = tlw_default_output();
    output.positions.data = out;
    output.embedding = embedding;
    CHECK_OK(tlw_character_set_output(arm.world, arm.id, &output));
    CHECK_OK(tlw_character_set_tension(arm.world, arm.id, ARM_BICEPS, tension));
    muscled_arm_reset(&arm, 45.0);
    muscled_arm_move(&arm, 45.0, 45.0, 100);
    muscled_arm_pose(&arm, 45.0, false);
    (void)tlw_world_step(arm.world, FRAME + late);
    muscled_arm_free(&arm);
}

TLW_TEST(output_draws_bulging_muscles_whether_a_substep_is_at_the_frame_or_not) {
    const tlw_blob blob = muscled_arm_blob();
    tlw_blob_info info;
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    const size_t count = (size_t)info.vertex_count * 3;
    float* relaxed = sample_allocate(count * sizeof *relaxed);
    float* flexed = sample_allocate(count * sizeof *flexed);
    float* late = sample_allocate(count * sizeof *late);
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FIT, TLW_EMBED_FRAMES};
    for (size_t i = 0; i < TLW_COUNT_OF(embeddings); ++i) {
        draw(embeddings[i], 0.0f, 0.0, relaxed);
        draw(embeddings[i], 1.0f, 0.0, flexed);
        draw(embeddings[i], 1.0f, 0.4 * FRAME, late);
        double most = 0.0;
        for (size_t k = 0; k < count; ++k) {
            const double d = fabs((double)flexed[k] - (double)relaxed[k]) / info.voxel_metres;
            most = d > most ? d : most;
            CHECK_NEAR(late[k], flexed[k], 1e-5);
        }
        CHECK_LT(0.1, most);
    }
    sample_free(relaxed);
    sample_free(flexed);
    sample_free(late);
}
