// SPDX-License-Identifier: MIT
// Holds the oracle to the promises of MODEL 10 on small inputs: rest, rigid motion, decay, no lag,
// recovery.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static const uint32_t neighbour_sets[] = {6, 14, 18, 20, 26};

TLW_TEST(rest_stays_exactly_where_it_is) {
    for (int kind = 0; kind < SMALL_INPUT_COUNT; ++kind) {
        for (size_t set = 0; set < TLW_COUNT_OF(neighbour_sets); ++set) {
            for (int preset = 0; preset < ORACLE_PRESET_COUNT; ++preset) {
                const uint32_t width = (set + (size_t)preset) % 2 == 0 ? 3 : 2;
                fixture f = fixture_make((small_input_kind)kind, width, neighbour_sets[set],
                                         (oracle_preset)preset);
                f.o->settings.repeats = 1 + (uint32_t)preset % 3;
                for (int k = 0; k < 8; ++k) {
                    CHECK_EQ(fixture_step(&f, H), 0u);
                }
                CHECK_LT(oracle_largest_deviation(f.o), 1e-12);
                CHECK_EQ(f.o->largest_dp, 0.0);
                fixture_free(&f);
            }
        }
    }
}

TLW_TEST(any_rigid_pose_stays_after_a_reset) {
    uint64_t seed = 11;
    for (int kind = 0; kind < SMALL_INPUT_COUNT; ++kind) {
        for (uint32_t width = 2; width <= 3; ++width) {
            fixture f = fixture_make((small_input_kind)kind, width, 26, ORACLE_PRESET_DEFAULT);
            for (int k = 0; k < 5; ++k) {
                f.pose.root_rotation = quat_exp(random_vec(&seed, 2));
                fixture_move(&f, random_vec(&seed, 100));
                fixture_settle(&f);
                for (int s = 0; s < 30; ++s) {
                    CHECK_EQ(fixture_step(&f, H), 0u);
                    CHECK_LT(oracle_largest_deviation(f.o), 1e-5);
                }
                for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
                    CHECK_LT(quat_angle(f.o->R[i], f.o->Rb[i]), 1e-6);
                }
            }
            fixture_free(&f);
        }
    }
}

// Rotates and moves the world: the poses and a state that was shaken.
TLW_TEST(poses_and_state_moved_rigidly_give_the_moved_result) {
    const oracle_quat rotation = quat_exp(vec(0.7, -1.9, 0.4));
    const oracle_vec move = {40, -7, 3};
    const int frames = getenv("TLW_TEST_FULL") ? 600 : 120;
    double worst_single = 0, worst_other = 0;
    for (int kind = 0; kind < SMALL_INPUT_COUNT; ++kind) {
        for (uint32_t width = 2; width <= 3; ++width) {
            fixture a = fixture_make((small_input_kind)kind, width, 26, ORACLE_PRESET_DEFAULT);
            fixture b = fixture_make((small_input_kind)kind, width, 26, ORACLE_PRESET_DEFAULT);
            uint64_t seed = 12;
            double worst = 0, liveliest = 0;
            for (int k = 0; k < frames; ++k) {
                fixture_dance(&a, k * H);
                b.pose = a.pose;
                b.pose.root_rotation = quat_mul(rotation, a.pose.root_rotation);
                b.pose.root_position = vec_add(quat_rotate(rotation, a.pose.root_position), move);
                if (k == 0) {
                    fixture_settle(&a);
                    fixture_settle(&b);
                    for (uint32_t i = 0; i < a.small->input.voxel_count; ++i) {
                        const oracle_vec dp = random_vec(&seed, 0.3), dv = random_vec(&seed, 3);
                        a.o->p[i] = vec_add(a.o->p[i], dp);
                        a.o->v[i] = vec_add(a.o->v[i], dv);
                        b.o->p[i] = vec_add(b.o->p[i], quat_rotate(rotation, dp));
                        b.o->v[i] = vec_add(b.o->v[i], quat_rotate(rotation, dv));
                    }
                    continue;
                }
                CHECK_EQ(fixture_step(&a, H), 0u);
                CHECK_EQ(fixture_step(&b, H), 0u);
                for (uint32_t i = 0; i < a.small->input.voxel_count; ++i) {
                    const oracle_vec p = quat_rotate(rotation, a.o->p[i]);
                    worst = fmax(worst, vec_length(vec_sub(p, b.o->p[i])));
                    worst = fmax(worst, quat_angle(quat_mul(rotation, a.o->R[i]), b.o->R[i]));
                }
                liveliest = fmax(liveliest, oracle_largest_deviation(a.o));
            }
            CHECK_LT(worst, 1e-3);
            CHECK_LT(0.04, liveliest);
            double* sum = kind == SMALL_INPUT_single ? &worst_single : &worst_other;
            *sum = fmax(*sum, worst);
            fixture_free(&a);
            fixture_free(&b);
        }
    }
    printf("    %d substeps: %.1e apart, a single voxel %.1e\n", frames, worst_other, worst_single);
}

// A body is a small input in one of the two region widths. MODEL 10 gives figures of all bodies,
// which take a while; without TLW_TEST_FULL a preset runs one width of each input.
static int body_step(void) {
    return getenv("TLW_TEST_FULL") ? 1 : 2;
}

static int first_body(int preset) {
    return body_step() == 1 ? 0 : (preset + 1) % 2;
}

// The lines of MODEL 10 by preset, in voxels and seconds.
typedef struct preset_lines {
    const char* name;
    int settled_after; // seconds to 1e-4 in a rigid pose
    int no_lag_after;  // seconds to 0.01 in a run
    double garbage_1_s, garbage_2_s;
} preset_lines;

static const preset_lines lines[ORACLE_PRESET_COUNT] = {
    [ORACLE_PRESET_DEFAULT] = {"default", 4, 2, 0.3, 0.01},
    [ORACLE_PRESET_ATHLETIC] = {"athletic", 4, 2, 0.3, 0.01},
    [ORACLE_PRESET_HEAVY] = {"heavy", 4, 2, 0.3, 0.01},
    [ORACLE_PRESET_BUNNY] = {"bunny", 4, 2, 0.3, 0.01},
    [ORACLE_PRESET_SMURF] = {"smurf", 6, 4, 0.3, 0.05},
    [ORACLE_PRESET_BLOAT] = {"bloat", 6, 4, 0.3, 0.01},
    [ORACLE_PRESET_BLOAT_LOW] = {"bloat-low", 6, 4, 0.3, 0.01},
    [ORACLE_PRESET_CLASSIC] = {"classic", 4, 2, 0.3, 0.01},
};

TLW_TEST(held_still_in_a_rigid_pose_everything_decays) {
    for (int preset = 0; preset < ORACLE_PRESET_COUNT; ++preset) {
        double left[2] = {0, 0}; // after 4 s, after 6 s
        for (int n = first_body(preset); n < 2 * SMALL_INPUT_COUNT; n += body_step()) {
            fixture f = fixture_make((small_input_kind)(n / 2), 2 + (uint32_t)n % 2, 26,
                                     (oracle_preset)preset);
            for (int k = 0; k < 60; ++k) {
                fixture_dance(&f, k * H);
                fixture_step(&f, H);
            }
            CHECK_LT(0.001, oracle_largest_deviation(f.o));
            f.pose.joints[1] = small_input_rest_pose(f.small).joints[1];
            for (int k = 1; k <= 360; ++k) {
                fixture_step(&f, H);
                if (k == 240 || k == 360) {
                    left[k == 360] = fmax(left[k == 360], oracle_largest_deviation(f.o));
                }
            }
            fixture_free(&f);
        }
        printf("    %s: %.1e left 4 s after a dance, %.1e after 6 s\n", lines[preset].name, left[0],
               left[1]);
        CHECK_LT(left[lines[preset].settled_after == 6], 1e-4);
    }
}

TLW_TEST(constant_translation_leaves_no_lag) {
    for (int preset = 0; preset < ORACLE_PRESET_COUNT; ++preset) {
        double lag[2] = {0, 0}; // after 2 s, after 4 s
        for (int n = first_body(preset); n < 2 * SMALL_INPUT_COUNT; n += body_step()) {
            fixture f = fixture_make((small_input_kind)(n / 2), 2 + (uint32_t)n % 2, 26,
                                     (oracle_preset)preset);
            for (int k = 0; k < 10; ++k) { // stands, then runs at full speed within a frame
                fixture_step(&f, H);
            }
            double largest = 0;
            for (int k = 1; k <= 240; ++k) {
                fixture_move(&f,
                             vec(0.09, 0.03, -0.05)); // 6.4 voxels/s; a single voxel jumps at 7.5
                CHECK_EQ(fixture_step(&f, H), 0u);
                largest = fmax(largest, oracle_largest_deviation(f.o));
                if (k == 120 || k == 240) {
                    lag[k == 240] = fmax(lag[k == 240], oracle_largest_deviation(f.o));
                }
            }
            CHECK_LT(0.01, largest);
            fixture_free(&f);
        }
        printf("    %s: lag %.1e after 2 s of a run, %.1e after 4 s\n", lines[preset].name, lag[0],
               lag[1]);
        CHECK_LT(lag[lines[preset].no_lag_after == 4], 0.01);
    }
}

TLW_TEST(garbage_positions_recover) {
    for (int preset = 0; preset < ORACLE_PRESET_COUNT; ++preset) {
        double left[2] = {0, 0}; // after 1 s, after 2 s
        for (int n = first_body(preset); n < 2 * SMALL_INPUT_COUNT; n += body_step()) {
            fixture f = fixture_make((small_input_kind)(n / 2), 2 + (uint32_t)n % 2, 26,
                                     (oracle_preset)preset);
            fixture_settle(&f);
            fixture_shake(&f, 13, 10);
            for (int k = 1; k <= 120; ++k) {
                CHECK_EQ(fixture_step(&f, H), 0u);
                if (k == 60 || k == 120) {
                    left[k == 120] = fmax(left[k == 120], oracle_largest_deviation(f.o));
                }
            }
            fixture_free(&f);
        }
        printf("    %s: garbage %.1e after 1 s, %.1e after 2 s\n", lines[preset].name, left[0],
               left[1]);
        CHECK_LT(left[0], lines[preset].garbage_1_s);
        CHECK_LT(left[1], lines[preset].garbage_2_s);
    }
}

TLW_TEST(rotations_of_rods_plates_and_single_voxels_come_back_after_any_motion) {
    static const small_input_kind kinds[] = {SMALL_INPUT_single, SMALL_INPUT_pair, SMALL_INPUT_rod,
                                             SMALL_INPUT_boneless_rod, SMALL_INPUT_plate};
    double worst = 0;
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        for (uint32_t width = 2; width <= 3; ++width) {
            fixture f = fixture_make(kinds[k], width, 26, ORACLE_PRESET_DEFAULT);
            fixture_shake(&f, 14, 1);
            for (int s = 0; s < 180; ++s) {
                fixture_dance(&f, s * H);
                fixture_step(&f, H);
            }
            // Twist alone, which the positions of a rod do not show.
            for (uint32_t r = 0; r < f.o->region_count; ++r) {
                f.o->region_Q[r] = quat_mul(quat_exp(vec(0, 0, 2.5)), f.o->region_Q[r]);
                f.o->region_Q[r] = quat_align(f.o->region_Q[r], QUAT_IDENTITY);
            }
            f.pose.joints[1] = small_input_rest_pose(f.small).joints[1];
            for (int s = 0; s < 300; ++s) {
                fixture_step(&f, H);
            }
            for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
                worst = fmax(worst, quat_angle(f.o->R[i], f.o->Rb[i]) * 57.3);
            }
            fixture_free(&f);
        }
    }
    printf("    %.1e degree\n", worst);
    CHECK_LT(worst, 0.1);
}

TLW_TEST(one_or_two_rotation_iterations_stay_near_converged_ones) {
    static const small_input_kind kinds[] = {SMALL_INPUT_rod, SMALL_INPUT_plate, SMALL_INPUT_ell,
                                             SMALL_INPUT_capsule};
    for (uint32_t iterations = 1; iterations <= 2; ++iterations) {
        double worst = 0;
        for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
            fixture few = fixture_make(kinds[k], 3, 26, ORACLE_PRESET_DEFAULT);
            fixture many = fixture_make(kinds[k], 3, 26, ORACLE_PRESET_DEFAULT);
            few.o->settings.iterations = iterations;
            many.o->settings.iterations = 30;
            for (int s = 0; s < 180; ++s) {
                fixture_dance(&few, s * H);
                many.pose = few.pose;
                fixture_step(&few, H);
                fixture_step(&many, H);
                const uint32_t n = few.small->input.voxel_count;
                worst = fmax(worst, largest_difference(few.o->p, many.o->p, n));
            }
            fixture_free(&few);
            fixture_free(&many);
        }
        printf("    iterations %u against 30: %.1e\n", iterations, worst);
        CHECK_LT(worst, 0.05);
    }
}

// From 30 voxels/s, which is 0.5 voxel per substep, to 0 between two substeps.
static double stop_overshoot(oracle_preset preset, uint32_t repeats, double* after_a_second) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, preset);
    f.o->settings.is_limit_off = true;
    f.o->settings.repeats = repeats;
    for (int k = 0; k < 150; ++k) {
        fixture_move(&f, vec(0.5, 0, 0));
        fixture_step(&f, H);
    }
    CHECK_LT(oracle_largest_deviation(f.o), 0.01);
    double largest = 0;
    for (int k = 0; k < 60; ++k) {
        fixture_step(&f, H);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            largest = fmax(largest, f.o->p[i].x - f.o->p_skin_prev[i].x);
        }
    }
    *after_a_second = oracle_largest_deviation(f.o);
    fixture_free(&f);
    return largest;
}

TLW_TEST(a_sudden_stop_overshoots_and_settles) {
    for (int preset = 0; preset < ORACLE_PRESET_COUNT; ++preset) {
        const uint32_t repeats = 1 + (uint32_t)preset % 3;
        double after;
        const double overshoot = stop_overshoot((oracle_preset)preset, repeats, &after);
        CHECK_LT(0.2, overshoot);
        CHECK_LT(overshoot, 2.5);
        CHECK_LT(after, 0.1 * overshoot);
    }
}

// G has h^2 in it and kd has h/0.1, so shorter substeps converge: each halving of h about halves
// the difference.
TLW_TEST(shorter_substeps_converge_to_one_motion) {
    enum { FRAMES = 90 };
    oracle_vec means[3][FRAMES];
    for (int k = 0; k < 3; ++k) {
        fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        f.o->settings.is_limit_off = true;
        f.o->settings.h = H / (1 << k);
        for (int frame = 0; frame < FRAMES; ++frame) {
            fixture_dance(&f, frame * H);
            fixture_step(&f, H);
            const uint32_t n = f.small->input.voxel_count;
            means[k][frame] = vec(0, 0, 0);
            for (uint32_t i = 0; i < n; ++i) {
                means[k][frame] = vec_add_scaled(means[k][frame], 1.0 / n, f.o->p[i]);
            }
        }
        fixture_free(&f);
    }
    const double coarse = largest_difference(means[0], means[1], FRAMES);
    const double fine = largest_difference(means[1], means[2], FRAMES);
    CHECK_LT(coarse, 0.7);
    CHECK_LT(fine, 0.65 * coarse);
}

TLW_TEST(a_cut_link_lets_the_ell_open_at_its_inner_corner) {
    fixture f = fixture_make(SMALL_INPUT_ell, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t a = small_input_voxel_at(f.small, 2, 1, 2),
                   b = small_input_voxel_at(f.small, 3, 1, 2);
    for (uint32_t k = 0; k < 26; ++k) {
        CHECK(f.o->linked[a][k] != b);
    }
    for (uint32_t k = f.o->region_first[a]; k < f.o->region_first[a + 1]; ++k) {
        CHECK(f.o->region_voxels[k] != b);
    }
    fixture_free(&f);
}
