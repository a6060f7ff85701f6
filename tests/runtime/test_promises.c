// SPDX-License-Identifier: MIT
// Holds the runtime to the promises of MODEL 10 on small shapes, without an oracle: rest, rigid
// motion, decay, no lag, recovery. Prints its figures, in voxels.
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>

static const oracle_pair_def alone = {.preset = TLW_PRESET_DEFAULT};

// Every preset but the cooked one, and for how long it must be held or moved (MODEL 10).
static const struct {
    tlw_preset preset;
    double still_seconds, run_seconds;
} rows[] = {{TLW_PRESET_DEFAULT, 6, 3},   {TLW_PRESET_ATHLETIC, 4, 2}, {TLW_PRESET_HEAVY, 4, 2},
            {TLW_PRESET_BUNNY, 4, 2},     {TLW_PRESET_SMURF, 6, 4},    {TLW_PRESET_BLOAT, 6, 4},
            {TLW_PRESET_BLOAT_LOW, 6, 4}, {TLW_PRESET_CLASSIC, 4, 2}};

static double random_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) * 0x1p-53);
}

static oracle_vec random_vec(uint64_t* state, double sigma) {
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < 36; ++k) { // about normal
        sum[k % 3] += sigma * random_between(state, -0.5, 0.5);
    }
    return vec_of(sum);
}

static void dance_for(oracle_pair* pair, double seconds) {
    for (int k = 1; k <= (int)(seconds * 60); ++k) {
        pair_dance(pair, k * PAIR_SUBSTEP, shape_liveliness(pair));
        pair_step(pair, PAIR_SUBSTEP, false);
    }
}

static void hold(oracle_pair* pair, double seconds) {
    for (int k = 0; k < (int)(seconds * 60); ++k) {
        pair_step(pair, PAIR_SUBSTEP, false);
    }
}

// Rest

TLW_TEST(rest_and_any_rigid_pose_after_a_reset_stay) {
    double worst = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        for (uint32_t width = 2; width <= 3; ++width) {
            oracle_pair* pair = shape_pair((shape)k, width, 26, &alone);
            uint64_t seed = 3;
            for (int pose = 0; pose < 6; ++pose) {
                pair_rest_pose(pair);
                if (pose > 0) {
                    pair_rotate_root(pair, quat_exp(random_vec(&seed, 2)));
                    pair_move_root(pair, random_vec(&seed, 500));
                }
                if (pose > 3) { // rotated by the root joint as well
                    oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}};
                    for (uint32_t j = 0; j < pair->joint_count; ++j) {
                        if (pair->parent[j] == TLW_NO_JOINT) {
                            rotations[j] = random_vec(&seed, 1);
                        }
                    }
                    pair_rotate_joints(pair, rotations, NULL);
                }
                pair_settle(pair);
                for (int n = 0; n < 20; ++n) {
                    pair_step(pair, PAIR_SUBSTEP, false);
                    worst = fmax(worst, pair_largest_deviation(pair));
                }
            }
            pair_free(pair);
        }
    }
    printf("    rigid poses: %.1e\n", worst);
    CHECK_LT(worst, 1e-5);
}

// After a short dance a slow mode is left, which sleep must not preserve; also after a long dance.
TLW_TEST(held_still_in_a_rigid_pose_tissue_comes_to_rest) {
    for (size_t p = 0; p < TLW_COUNT_OF(rows); ++p) {
        double worst = 0, rotation = 0;
        for (int k = 0; k < (PAIR_IS_SLOW ? 1 : 2) * SHAPE_COUNT; ++k) {
            const shape which = (shape)(k % SHAPE_COUNT);
            oracle_pair* pair =
                shape_pair(which, 3, 26, &(oracle_pair_def){.preset = rows[p].preset});
            dance_for(pair, k < SHAPE_COUNT ? 0.3 : 2);
            pair_rest_pose(pair);
            pair_rotate_root(pair, quat_exp(vec(0.1, 0.2, -0.1)));
            hold(pair, rows[p].still_seconds);
            pair_step(pair, PAIR_SUBSTEP, false);
            const double left = pair_largest_deviation(pair);
            CHECK_LT(left, 1e-4);
            worst = fmax(worst, left);
            hold(pair, 1);
            rotation = fmax(rotation, pair_largest_rotation(pair));
            pair_free(pair);
        }
        printf("    %-9s %.1e left after %g s, R %.1e degrees off Rb a second later\n",
               tlw_preset_name(rows[p].preset), worst, rows[p].still_seconds, rotation);
        CHECK_LT(rotation, 0.1);
    }
}

// For every length of a substep a box overshoots by the same amount when it stops, and it falls
// asleep only once it is at rest.
TLW_TEST(a_stop_and_the_rest_after_it_do_not_depend_on_the_length_of_a_substep) {
    static const double lengths[] = {1.0 / 60, 1.0 / 30, 1.0 / 120, 1.0 / 240, 1.0 / 480};
    double first = 0;
    for (size_t n = 0; n < TLW_COUNT_OF(lengths); ++n) {
        oracle_pair* pair = shape_pair(
            SHAPE_box_along_y, 3, 26,
            &(oracle_pair_def){.preset = TLW_PRESET_DEFAULT, .substep_seconds = lengths[n]});
        double most = 0;
        int frames = 0;
        tlw_step_flags flags = 0;
        for (; frames < 60 * 12 && !(flags & TLW_STEP_ASLEEP); ++frames) {
            pair_rest_pose(pair);
            pair_move_root(pair, vec(fmin(frames, 30) * 0.5, 0, 0));
            flags = pair_step(pair, 1.0 / 60, false);
            CHECK_EQ(flags & ~(tlw_step_flags)TLW_STEP_ASLEEP, 0u);
            most = frames > 30 ? fmax(most, pair_largest_deviation(pair)) : most;
        }
        const double left = pair_largest_deviation(pair);
        first = n == 0 ? most : first;
        printf("    1/%-3.0f s: overshoot %.3f, %.1e left when asleep after %.1f s\n",
               1 / lengths[n], most, left, frames / 60.0);
        CHECK_EQ(flags, TLW_STEP_ASLEEP);
        CHECK_LT(left, 1e-4);
        CHECK_LT(fabs(most - first), 0.25 * first);
        pair_free(pair);
    }
}

TLW_TEST(rotations_of_rods_and_plates_come_back_after_any_motion) {
    static const shape thin[] = {SHAPE_lone_voxels, SHAPE_pair_of_voxels, SHAPE_rod_along_x,
                                 SHAPE_rod_along_y, SHAPE_rod_along_z,    SHAPE_plate_xy,
                                 SHAPE_plate_yz,    SHAPE_plate_zx};
    double worst = 0, farthest = 0;
    for (size_t k = 0; k < TLW_COUNT_OF(thin); ++k) {
        for (uint32_t width = 2; width <= 3; ++width) {
            for (uint64_t seed = 1; seed <= (PAIR_IS_SLOW ? 1 : 4); ++seed) {
                oracle_pair* pair = shape_pair(thin[k], width, 26, &alone);
                uint64_t random = seed;
                const oracle_vec axis = random_vec(&random, 1), bend = random_vec(&random, 1);
                const double speed = random_between(&random, 1, 9);
                for (int n = 1; n <= 60; ++n) { // it twists, spins and jumps
                    oracle_vec rotations[PAIR_JOINTS_MAX];
                    for (uint32_t j = 0; j < pair->joint_count; ++j) {
                        rotations[j] = vec_scale(bend, sin(speed * n * PAIR_SUBSTEP * (j + 1)));
                    }
                    pair_rest_pose(pair);
                    pair_rotate_joints(pair, rotations, NULL);
                    pair_rotate_root(pair, quat_exp(vec_scale(axis, speed * n * PAIR_SUBSTEP)));
                    pair_step(pair, PAIR_SUBSTEP, false);
                    farthest = fmax(farthest, pair_largest_rotation(pair));
                }
                pair_rest_pose(pair); // in a bent pose R and Rb differ for good reason
                pair_rotate_root(pair, quat_exp(vec_scale(axis, speed)));
                hold(pair, 5);
                worst = fmax(worst, pair_largest_rotation(pair));
                pair_free(pair);
            }
        }
    }
    printf("    R off Rb by up to %.1f degrees, %.1e after 5 s\n", farthest, worst);
    CHECK_LT(worst, 0.1);
}

TLW_TEST(rotations_keep_their_length_however_long_a_dance) {
    oracle_pair* pair = shape_pair(SHAPE_lump, 3, 26, &alone);
    double worst = 0;
    for (int n = 1; n <= (PAIR_IS_SLOW ? 1000 : 20000); ++n) {
        pair_dance(pair, n * PAIR_SUBSTEP, shape_liveliness(pair));
        pair_step(pair, PAIR_SUBSTEP, false);
    }
    pair_read(pair);
    for (uint32_t v = 0; v < pair->info.voxel_count; ++v) {
        const float* r = pair->state[v].rotation;
        double length2 = 0;
        for (int i = 0; i < 4; ++i) {
            length2 += (double)r[i] * (double)r[i];
        }
        worst = fmax(worst, fabs(sqrt(length2) - 1));
    }
    printf("    lengths of R: %.1e off at the most\n", worst);
    CHECK_LT(worst, 2e-6);
    pair_free(pair);
}

// Motion that is not deformation

TLW_TEST(constant_speed_leaves_no_lag) {
    for (size_t p = 0; p < TLW_COUNT_OF(rows); ++p) {
        double worst = 0, first = 0;
        for (int k = 0; k < SHAPE_COUNT; ++k) {
            oracle_pair* pair =
                shape_pair((shape)k, 3, 26, &(oracle_pair_def){.preset = rows[p].preset});
            const double speed = fmin(0.5, 0.1 * pair->info.extent_voxels);
            hold(pair, 0.1); // right after a reset tissue would start with that speed
            for (int n = 0; n < (int)(rows[p].run_seconds * 60);
                 ++n) { // at full speed from the first frame
                pair_move_root(pair, vec(speed, 0.3 * speed, -0.2 * speed));
                CHECK_EQ(pair_step(pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED, 0u);
                first = n == 5 ? fmax(first, pair_largest_deviation(pair)) : first;
            }
            worst = fmax(worst, pair_largest_deviation(pair));
            pair_free(pair);
        }
        printf("    %-9s %.2f behind at first, %.1e after %g s\n", tlw_preset_name(rows[p].preset),
               first, worst, rows[p].run_seconds);
        CHECK_LT(0.1, first);
        CHECK_LT(worst, 0.01);
    }
}

TLW_TEST(rotated_motion_gives_the_rotated_result) {
    const oracle_quat rotation = quat_exp(vec(0.7, -1.1, 0.4));
    double worst = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        for (uint32_t width = 2; width <= 3; ++width) {
            oracle_pair *a = shape_pair((shape)k, width, 26, &alone),
                        *b = shape_pair((shape)k, width, 26, &alone);
            pair_rotate_root(b, rotation);
            pair_settle(b);
            for (int n = 1; n <= (PAIR_IS_SLOW ? 20 : 240); ++n) {
                pair_dance(a, n * PAIR_SUBSTEP, shape_liveliness(a));
                pair_dance(b, n * PAIR_SUBSTEP, shape_liveliness(b));
                pair_rotate_root(b, rotation);
                const oracle_vec at = quat_rotate(rotation, vec_of(b->root.position));
                b->root.position[0] = at.x;
                b->root.position[1] = at.y;
                b->root.position[2] = at.z;
                pair_step(a, PAIR_SUBSTEP, false);
                pair_step(b, PAIR_SUBSTEP, false);
            }
            pair_read(a);
            pair_read(b);
            for (uint32_t i = 0; i < a->info.voxel_count; ++i) {
                const oracle_vec same = quat_rotate(rotation, pair_p(a, i));
                worst = fmax(worst, vec_length(vec_sub(same, pair_p(b, i))));
            }
            pair_free(a);
            pair_free(b);
        }
    }
    printf("    rotated: %.1e apart\n", worst);
    CHECK_LT(worst, 1e-3);
}

TLW_TEST(motion_far_from_the_origin_is_the_same_as_at_the_origin) {
    double worst = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        oracle_pair *a = shape_pair((shape)k, 3, 26, &alone),
                    *b = shape_pair((shape)k, 3, 26, &alone);
        const oracle_vec far = {1e5, -0.7e5, 0.3e5};
        pair_move_root(b, far);
        pair_settle(b);
        for (int n = 1; n <= (PAIR_IS_SLOW ? 20 : 240); ++n) {
            pair_dance(a, n / 45.0, shape_liveliness(a));
            pair_dance(b, n / 45.0, shape_liveliness(b));
            pair_move_root(b, far);
            pair_step(a, 1 / 45.0, false);
            pair_step(b, 1 / 45.0, false);
        }
        pair_read(a);
        pair_read(b);
        for (uint32_t i = 0; i < a->info.voxel_count; ++i) {
            worst = fmax(worst, vec_length(vec_sub(pair_p(a, i), pair_p(b, i))));
        }
        pair_free(a);
        pair_free(b);
    }
    printf("    far away: %.1e apart\n", worst);
    CHECK_LT(worst, 1e-3);
}

TLW_TEST(a_teleport_back_to_the_origin_does_not_change_a_walk) {
    double worst = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        for (int rate = 0; rate < 2; ++rate) {
            const double dt = rate ? 1 / 50.0 : PAIR_SUBSTEP;
            oracle_pair *a = shape_pair((shape)k, 3, 26, &alone),
                        *b = shape_pair((shape)k, 3, 26, &alone);
            const double speed = fmin(12, 3 * a->info.extent_voxels);
            double back = 0; // voxels
            for (int n = 1; n <= (PAIR_IS_SLOW ? 30 : 200); ++n) {
                if (n % 40 == 0) {
                    const double walked = speed * (n - 1) * dt;
                    pair_move_root(b, vec(-(walked - back), 0, 0));
                    back = walked;
                    const float* r = b->root.rotation;
                    pair_teleport(
                        b, vec_of(b->root.position),
                        (oracle_quat){(double)r[0], (double)r[1], (double)r[2], (double)r[3]});
                }
                pair_dance(a, n * dt, 0.7 * shape_liveliness(a));
                pair_dance(b, n * dt, 0.7 * shape_liveliness(b));
                pair_move_root(a, vec(speed * n * dt, 0, 0));
                pair_move_root(b, vec(speed * n * dt - back, 0, 0));
                CHECK_EQ(pair_step(a, dt, false) & TLW_STEP_JUMPED, 0u);
                CHECK_EQ(pair_step(b, dt, false) & TLW_STEP_JUMPED, 0u);
                pair_read(a);
                pair_read(b);
                for (uint32_t i = 0; i < a->info.voxel_count; ++i) {
                    worst = fmax(worst,
                                 vec_length(vec_sub(pair_deviation(a, i), pair_deviation(b, i))));
                }
            }
            pair_free(a);
            pair_free(b);
        }
    }
    printf("    teleported: %.1e apart\n", worst);
    CHECK_LT(worst, 1e-3);
}

TLW_TEST(a_clip_seam_that_counts_as_a_jump_gives_no_kick) {
    double worst = 0, lively = 0;
    int ringing = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        oracle_pair* pair = shape_pair((shape)k, 3, 26, &alone);
        hold(pair, 0.1);
        pair_rotate_root(pair, quat_exp(vec(0, 1.9, 1.2)));
        CHECK_EQ(pair_step(pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED, (unsigned)TLW_STEP_JUMPED);
        for (int n = 0; n < 30; ++n) { // at rest before the seam, at rest after it
            worst = fmax(worst, pair_largest_deviation(pair));
            pair_step(pair, PAIR_SUBSTEP, false);
        }
        // If it rings before the seam it goes on ringing, no further out than without the seam.
        double peaks[2] = {0, 0};
        for (int has_seam = 0; has_seam < 2; ++has_seam) {
            pair_rest_pose(pair);
            pair_settle(pair);
            hold(pair, 0.1);
            for (int n = 0; n < 50; ++n) { // at constant speed from the first frame
                if (n == 10 && has_seam) {
                    pair_rotate_root(pair, quat_exp(vec(0, 1.9, 1.2)));
                }
                pair_move_root(pair, vec(0.02 * pair->info.extent_voxels, 0, 0));
                const bool jumped = (pair_step(pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED) != 0;
                CHECK_EQ(jumped, n == 10 && has_seam);
                peaks[has_seam] = n >= 9 ? fmax(peaks[has_seam], pair_largest_deviation(pair)) : 0;
            }
        }
        if (peaks[0] > 0.01) { // lone voxels are bone, and pairs of voxels hardly ring
            lively = fmax(lively, peaks[1] / peaks[0]);
            ringing += 1;
        }
        pair_free(pair);
    }
    printf("    seam: %.1e off at rest; ringing before, %.3f of its swing without a seam\n", worst,
           lively);
    CHECK_LT(worst, 1e-5);
    CHECK_LT(10, ringing);
    CHECK_LT(lively, 1.01);
}

// Recovery

TLW_TEST(garbage_positions_recover) {
    for (size_t p = 0; p < TLW_COUNT_OF(rows); ++p) {
        double after_one = 0, after_two = 0;
        for (int k = 0; k < SHAPE_COUNT; ++k) {
            for (uint64_t seed = 1; seed <= (PAIR_IS_SLOW ? 1 : 4); ++seed) {
                oracle_pair* pair = shape_pair((shape)k, 2 + seed % 2, 26,
                                               &(oracle_pair_def){.preset = rows[p].preset});
                uint64_t random = seed;
                for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
                    pair_push(pair, i, random_vec(&random, 10));
                }
                hold(pair, 1);
                after_one = fmax(after_one, pair_largest_deviation(pair));
                hold(pair, 1);
                after_two = fmax(after_two, pair_largest_deviation(pair));
                pair_free(pair);
            }
        }
        printf("    %-9s %.3f after 1 s, %.4f after 2 s\n", tlw_preset_name(rows[p].preset),
               after_one, after_two);
        CHECK_LT(after_one, 0.3);
        CHECK_LT(after_two, rows[p].preset == TLW_PRESET_SMURF ? 0.05 : 0.01);
    }
}
