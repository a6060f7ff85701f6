// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle on small shapes: every shape, neighbour set, region width
// and lane axis, every kind of motion and of time. Both get the same poses and must stay within
// 1e-4 voxel of each other after one substep and 1e-3 after many (MODEL 10).
#include "runtime/world/character.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define AFTER_ONE  1e-4
#define AFTER_MANY 1e-3

typedef struct variant {
    uint32_t region_width, neighbours;
    oracle_pair_def def;
} variant;

static const variant plain = {3, 26, {.preset = TLW_PRESET_DEFAULT, .has_oracle = true}};

static oracle_pair* make(shape which, const variant* v) {
    return shape_pair(which, v->region_width, v->neighbours, &v->def);
}

typedef struct gaps {
    double after_one, after_60, after_end, rotation;
} gaps;

static gaps dance(oracle_pair* pair, int frames, double dt) {
    gaps g = {0};
    for (int k = 1; k <= frames; ++k) {
        pair_dance(pair, k * dt, shape_liveliness(pair));
        const tlw_step_flags flags = pair_step(pair, dt, false);
        CHECK_EQ(flags & TLW_STEP_JUMPED, 0u);
        if (k > 60 && k % 20 != 0 && k != frames) {
            continue;
        }
        const oracle_pair_gap gap = pair_compare(pair);
        g.after_one = k == 1 ? gap.p : g.after_one;
        g.after_60 = k <= 60 ? fmax(g.after_60, gap.p) : g.after_60;
        g.after_end = fmax(g.after_end, gap.p);
        g.rotation = fmax(g.rotation, gap.rotation);
    }
    return g;
}

static void check_gaps(const char* name, const oracle_pair* pair, gaps g) {
    printf(
        "    %-18s %4u voxels, axis %u: %.1e after 1, %.1e up to 60, %.1e up to the end, R %.1e\n",
        name, pair->info.voxel_count, pair->lane_axis, g.after_one, g.after_60, g.after_end,
        g.rotation);
    CHECK_LT(g.after_one, AFTER_ONE);
    CHECK_LT(g.after_60, AFTER_MANY);
    CHECK_LT(g.after_end, AFTER_MANY);
}

static uint32_t soft_voxels(const oracle_pair* pair) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        count += pair_layer(pair, i) != 0;
    }
    return count;
}

TLW_TEST(runtime_and_oracle_agree_on_every_shape_and_lane_axis) {
    unsigned axes = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        oracle_pair* pair = make((shape)k, &plain);
        check_gaps(shape_name((shape)k), pair, dance(pair, PAIR_IS_SLOW ? 40 : 600, PAIR_SUBSTEP));
        axes |= 1u << pair->lane_axis;
        if (k != SHAPE_lone_voxels) { // a piece without bone becomes bone as a whole
            CHECK_LT(0u, soft_voxels(pair));
        }
        pair_free(pair);
    }
    CHECK_EQ(axes, 7u);
}

TLW_TEST(runtime_and_oracle_agree_on_a_bar_longer_than_the_buffer_of_a_block) {
    oracle_pair* pair = long_bar_pair(&plain.def);
    check_gaps("long bar", pair, dance(pair, PAIR_IS_SLOW ? 3 : 60, PAIR_SUBSTEP));
    CHECK_LT(260.0 * 4, (double)pair->info.voxel_count);
    pair_free(pair);
}

TLW_TEST(runtime_and_oracle_agree_in_every_neighbour_set_and_region_width) {
    static const uint32_t neighbours[] = {6, 14, 18, 20, 26};
    static const shape few[] = {SHAPE_rod_along_y, SHAPE_plate_zx, SHAPE_box_along_z,
                                SHAPE_ell_with_cuts, SHAPE_legs_with_cuts};
    for (size_t n = 0; n < TLW_COUNT_OF(neighbours); ++n) {
        for (uint32_t width = 2; width <= 3; ++width) {
            for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
                variant v = plain;
                v.neighbours = neighbours[n];
                v.region_width = width;
                v.def.preset = k % 2 ? TLW_PRESET_BUNNY : TLW_PRESET_DEFAULT;
                oracle_pair* pair = make(few[k], &v);
                char name[64];
                snprintf(name, sizeof name, "%u/%u %.40s", neighbours[n], width,
                         shape_name(few[k]));
                check_gaps(name, pair, dance(pair, PAIR_IS_SLOW ? 10 : 60, PAIR_SUBSTEP));
                pair_free(pair);
            }
        }
    }
}

// Frames of 1/60 s, every fourth four times as long; with some of these substeps that drops time.
TLW_TEST(runtime_and_oracle_agree_at_any_length_of_a_substep) {
    static const double lengths[] = {1.0 / 30, 1.0 / 45, 1.0 / 100, 1.0 / 120, 1.0 / 480};
    static const shape few[] = {SHAPE_rod_along_z, SHAPE_box_along_y, SHAPE_legs_with_cuts};
    for (size_t n = 0; n < TLW_COUNT_OF(lengths); ++n) {
        for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
            variant v = plain;
            v.def.substep_seconds = lengths[n];
            oracle_pair* pair = make(few[k], &v);
            double now = 0, worst = 0;
            for (int frame = 0; frame < (PAIR_IS_SLOW ? 8 : 40); ++frame) {
                const double dt = frame % 4 == 3 ? 4.0 / 60 : 1.0 / 60;
                now += dt;
                pair_dance(pair, now, 0.5 * shape_liveliness(pair));
                pair_step(pair, dt, false);
                worst = fmax(worst, pair_compare(pair).p);
            }
            printf("    1/%-3.0f s, %-18s %.1e\n", 1 / lengths[n], shape_name(few[k]), worst);
            CHECK_LT(worst, AFTER_MANY);
            pair_free(pair);
        }
    }
}

TLW_TEST(runtime_and_oracle_agree_on_presets_repeats_iterations_and_gravity) {
    // Without a limit the soft box collapses under full gravity, and motion after that is chaotic.
    static const tlw_settings settings[] = {{.gravity = {0, 0, 0},
                                             .rotation_iterations = 1,
                                             .repeats = 1,
                                             .skinned_volume = true,
                                             .time_scale = 1.0f},
                                            {.gravity = {0, -1, 0},
                                             .rotation_iterations = 2,
                                             .repeats = 1,
                                             .skinned_volume = false,
                                             .time_scale = 1.0f},
                                            {.gravity = {1, -9.81f, 3},
                                             .rotation_iterations = 3,
                                             .repeats = 2,
                                             .skinned_volume = true,
                                             .time_scale = 1.0f},
                                            {.gravity = {0, 0, 0},
                                             .rotation_iterations = 4,
                                             .repeats = 3,
                                             .skinned_volume = true,
                                             .time_scale = 1.0f}};
    static const shape few[] = {SHAPE_rod_along_z, SHAPE_plate_xy, SHAPE_box_along_y, SHAPE_lump};
    for (size_t n = 0; n < TLW_COUNT_OF(settings); ++n) {
        for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
            variant v = plain;
            v.def.settings = settings[n];
            v.def.preset = (tlw_preset)(TLW_PRESET_DEFAULT + (n + k) % 5);
            v.region_width = (n + k) % 3 == 0 ? 2 : 3;
            v.def.is_limit_off = n == 1;
            oracle_pair* pair = make(few[k], &v);
            char name[64];
            snprintf(name, sizeof name, "%u it %u rep %.30s", settings[n].rotation_iterations,
                     settings[n].repeats, shape_name(few[k]));
            check_gaps(name, pair, dance(pair, PAIR_IS_SLOW ? 10 : 60, PAIR_SUBSTEP));
            pair_free(pair);
        }
    }
}

TLW_TEST(runtime_and_oracle_agree_in_every_kind_of_pose) {
    static const tlw_pose_kind kinds[] = {TLW_POSE_TRANSFORMS, TLW_POSE_SKINNING};
    for (size_t n = 0; n < TLW_COUNT_OF(kinds); ++n) {
        variant v = plain;
        v.def.pose_kind = kinds[n];
        oracle_pair* pair = make(SHAPE_lump, &v);
        check_gaps(n ? "skinning" : "transforms", pair, dance(pair, 60, 1 / 45.0));
        pair_free(pair);
    }
}

// Time

TLW_TEST(runtime_and_oracle_agree_at_every_frame_rate) {
    static const double rates[] = {24, 30, 50, 59.94, 90, 120, 144, 240, 1000};
    static const shape few[] = {SHAPE_rod_along_x, SHAPE_box_along_z, SHAPE_ell_with_cuts};
    for (size_t n = 0; n < TLW_COUNT_OF(rates); ++n) {
        for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
            oracle_pair* pair = make(few[k], &plain);
            char name[64];
            snprintf(name, sizeof name, "%g Hz %.40s", rates[n], shape_name(few[k]));
            check_gaps(name, pair,
                       dance(pair, (int)(rates[n] * (PAIR_IS_SLOW ? 0.3 : 1)), 1 / rates[n]));
            pair_free(pair);
        }
    }
}

static double random_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) * 0x1p-53);
}

TLW_TEST(runtime_and_oracle_agree_over_random_frame_times_some_of_them_dropped) {
    static const shape few[] = {SHAPE_rod_along_y, SHAPE_plate_xy, SHAPE_box_along_x, SHAPE_torus};
    for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
        oracle_pair* pair = make(few[k], &plain);
        uint64_t seed = 11 + k;
        double seconds = 0, worst = 0;
        int dropped = 0;
        for (int n = 0; n < (PAIR_IS_SLOW ? 40 : 200); ++n) {
            // Every tenth frame is a hitch of 5 to 9 substeps.
            const double dt = n % 10 == 9 ? random_between(&seed, 5.01, 9) * PAIR_SUBSTEP
                                          : random_between(&seed, 0.1, 3.9) * PAIR_SUBSTEP;
            seconds += dt;
            // At 0.4 of the time the torus folds against its limit, 2.8 rad off its pose, where
            // rounding grows to 8e-3 before it dies out.
            pair_dance(pair, 0.3 * seconds, shape_liveliness(pair));
            dropped += (pair_step(pair, dt, false) & TLW_STEP_DROPPED_TIME) != 0;
            worst = fmax(worst, pair_compare(pair).p);
        }
        printf("    %-18s %d calls dropped time: %.1e\n", shape_name(few[k]), dropped, worst);
        CHECK_LT(0, dropped);
        CHECK_LT(worst, AFTER_MANY);
        pair_free(pair);
    }
}

// Space

TLW_TEST(runtime_and_oracle_agree_over_jumps_teleports_and_resets) {
    static const shape few[] = {SHAPE_rod_along_z, SHAPE_plate_yz, SHAPE_box_along_y,
                                SHAPE_legs_with_cuts};
    for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
        for (int rate = 0; rate < 3; ++rate) {
            variant v = plain;
            v.region_width = rate == 1 ? 2 : 3;
            oracle_pair* pair = make(few[k], &v);
            const double dt = rate == 0 ? PAIR_SUBSTEP : rate == 1 ? 1 / 24.0 : 1 / 144.0;
            const double L = pair->info.extent_voxels;
            double worst = 0;
            int jumps = 0;
            oracle_vec away = {0, 0, 0};
            oracle_quat rotated = {0, 0, 0, 1};
            for (int n = 1; n <= (PAIR_IS_SLOW ? 30 : 150); ++n) {
                bool is_jump = false;
                if (n % 29 == 10) { // a jump of the root
                    away = vec_add(away, vec(2 * L, 0, -L));
                } else if (n % 29 == 17) { // a jump because the caller says so
                    away = vec_add(away, vec(0.02 * L, 0, 0));
                    is_jump = true;
                } else if (n % 29 == 23) { // two jumps in a row
                    away = vec_add(away, vec(0, 3 * L, 0));
                } else if (n % 29 == 24) {
                    away = vec_add(away, vec(0, -3 * L, 0));
                } else if (n % 29 == 3) { // a jump of the pose
                    rotated = quat_mul(quat_exp(vec(0, 0, 1.5)), rotated);
                } else if (n % 29 == 27) {
                    const oracle_quat rotation = quat_exp(vec(0.4, -1, 0.3));
                    const double metres = pair->info.voxel_metres;
                    const oracle_vec at =
                        vec_add(vec_of(pair->root.position), vec(5 * L * metres, 1, 2));
                    const oracle_vec before = vec_of(pair->root.position);
                    const float* r = pair->root.rotation;
                    const double now[4] = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
                    pair_teleport(pair, at, quat_mul(rotation, quat_of(now)));
                    // The dance goes on from the new place, with the same motion on top.
                    const oracle_vec dance_at =
                        vec_add_scaled(before, -metres, away); // the root of the dance alone
                    const oracle_vec rest = quat_rotate(rotation, dance_at);
                    away = vec_scale(vec_sub(at, rest), 1 / metres);
                    rotated = quat_mul(rotation, rotated);
                }
                pair_dance(pair, n * dt, 0.8 * shape_liveliness(pair));
                pair_rotate_root(pair, rotated);
                const oracle_vec swayed =
                    quat_rotate(rotated, vec_of(pair->root.position)); // the sway rotates too
                pair->root.position[0] = swayed.x;
                pair->root.position[1] = swayed.y;
                pair->root.position[2] = swayed.z;
                pair_move_root(pair, away);
                jumps += (pair_step(pair, dt, is_jump) & TLW_STEP_JUMPED) != 0;
                worst = fmax(worst, pair_compare(pair).p);
                if (n % 50 == 49) {
                    pair_settle(pair);
                }
            }
            printf("    %-18s %.0f Hz: %d jumps, %.1e\n", shape_name(few[k]), 1 / dt, jumps, worst);
            CHECK_LT(2, jumps);
            CHECK_LT(worst, AFTER_MANY);
            pair_free(pair);
        }
    }
}

TLW_TEST(runtime_and_oracle_agree_on_scaled_roots_and_joints) {
    static const shape few[] = {SHAPE_rod_along_x, SHAPE_box_along_x, SHAPE_lump};
    for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
        variant v = plain;
        v.def.settings = (tlw_settings){.gravity = {0, -9.81f, 0},
                                        .rotation_iterations = 2,
                                        .repeats = 1,
                                        .skinned_volume = true,
                                        .time_scale = 1.0f};
        oracle_pair* pair = make(few[k], &v);
        double worst = 0;
        for (int n = 1; n <= (PAIR_IS_SLOW ? 20 : 120); ++n) {
            const double t = n / 48.0;
            oracle_vec rotations[PAIR_JOINTS_MAX];
            double scales[PAIR_JOINTS_MAX];
            for (uint32_t j = 0; j < pair->joint_count; ++j) {
                rotations[j] = vec(0.2 * sin(3 * t), 0.1 * sin(2 * t + j) - 0.1 * sin(j), 0);
                scales[j] = 1 + 0.1 * sin(2 * t + j);
            }
            pair_rest_pose(pair);
            pair_rotate_joints(pair, rotations, scales);
            pair->root.scale = (float)(1.5 + 0.4 * sin(3 * t));
            pair->root.position[0] = 5 * pair->info.voxel_metres * sin(4 * t);
            pair->root.position[2] = 10 * pair->info.voxel_metres * t;
            CHECK_EQ(pair_step(pair, 1 / 48.0, n == 1) & TLW_STEP_NOT_FINITE, 0u);
            worst = fmax(worst, pair_compare(pair).p);
        }
        printf("    %-18s %.1e\n", shape_name(few[k]), worst);
        CHECK_LT(worst, AFTER_MANY);
        pair_free(pair);
    }
}

// The thighs are rotated so far in opposite directions that no choice of signs brings their
// quaternions to one side where a voxel has both: each voxel then decides for itself (MODEL 3.2).
// All substeps but the first are ordinary ones.
TLW_TEST(runtime_and_oracle_agree_on_joints_that_point_apart) {
    oracle_pair* pair = make(SHAPE_legs_with_cuts, &plain);
    tlw_blob_arrays blob;
    tlw_blob_arrays_open(pair->cooked.blob, &blob);
    const int frames = PAIR_IS_SLOW ? 10 : 60;
    oracle_pair_gap worst = {0};
    for (int n = 1; n <= frames; ++n) {
        oracle_vec rotations[PAIR_JOINTS_MAX];
        tlw_skin_entry joints[PAIR_JOINTS_MAX] = {0};
        for (uint32_t j = 0; j < pair->joint_count; ++j) {
            const double by = (2.3 + 0.2 * sin(0.05 * n)) * (j % 2 == 0 ? 1 : -1.1);
            rotations[j] = pair->parent[j] < pair->joint_count
                               ? vec(by, 0.1 * j, 0.05 * sin(0.1 * n))
                               : vec(0, 0, 0);
        }
        pair_rest_pose(pair);
        pair_rotate_joints(pair, rotations, NULL);
        for (uint32_t j = 0; j < pair->joint_count; ++j) {
            oracle_quat total = {0, 0, 0, 1}; // each joint's rotation after those of its ancestors
            for (uint32_t up = j; up < pair->joint_count; up = pair->parent[up]) {
                total = quat_mul(quat_exp(rotations[up]), total);
            }
            const float rotation[4] = {(float)total.x, (float)total.y, (float)total.z,
                                       (float)total.w};
            memcpy(joints[j].rotation, rotation, sizeof rotation);
        }
        CHECK(tlw_pose_choose_signs(&blob, joints));
        CHECK_EQ((pair_step(pair, PAIR_SUBSTEP, n == 1) & TLW_STEP_JUMPED) != 0, n == 1);
        const oracle_pair_gap gap = pair_compare(pair);
        worst.p = fmax(worst.p, gap.p);
        worst.skin = fmax(worst.skin, gap.skin);
        worst.rotation = fmax(worst.rotation, gap.rotation);
    }
    printf("    %-18s p %.1e, skin %.1e, R %.1e\n", shape_name(SHAPE_legs_with_cuts), worst.p,
           worst.skin, worst.rotation);
    CHECK_LT(worst.p, AFTER_MANY);
    CHECK_LT(worst.skin, 1e-5);
    CHECK_LT(worst.rotation, AFTER_MANY);
    pair_free(pair);
}

TLW_TEST(runtime_and_oracle_agree_on_garbage) {
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        oracle_pair* pair = make((shape)k, &plain);
        uint64_t seed = 5;
        for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
            double off[3] = {0, 0, 0};
            for (int n = 0; n < 36; ++n) { // about normal, sigma 0.3: small enough to be stable
                off[n % 3] += 0.3 * (random_between(&seed, 0, 1) - 0.5);
            }
            pair_push(pair, i, vec_of(off));
        }
        double first = 0, worst = 0;
        for (int n = 0; n < 60; ++n) {
            pair_step(pair, PAIR_SUBSTEP, false);
            const double p = pair_compare(pair).p;
            first = n == 0 ? p : first;
            worst = fmax(worst, p);
        }
        printf("    %-18s %.1e after 1, %.1e up to 60\n", shape_name((shape)k), first, worst);
        CHECK_LT(first, AFTER_ONE);
        CHECK_LT(worst, AFTER_MANY);
        pair_free(pair);
    }
}
