// SPDX-License-Identifier: MIT
// Checks which moment the oracle's output shows (MODEL 5.1): the pose of the call, with deviations
// that are as old as the lag. Expected results are worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"

TLW_TEST(output_is_in_step_with_the_pose_at_any_frame_rate) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    uint64_t seed = 21;
    double time = 0;
    while (time < 6) {
        const double dt = H * (0.1 + 1.6 * fabs(random_unit(&seed)));
        time += dt;
        fixture_move(&f, vec(12 * dt, -5 * dt, 0));
        CHECK_EQ(fixture_step(&f, dt), 0u);
        if (time > 2) {
            CHECK_LT(largest_output_deviation(f.o), 0.01);
        }
    }
    CHECK_LT(largest_output_deviation(f.o), 1e-4);
    fixture_free(&f);
}

TLW_TEST(output_blends_the_last_two_deviations_by_lag_and_accumulator) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int s = 0; s < 40; ++s) {
        fixture_dance(&f, s * H);
        fixture_step(&f, H);
    }
    const oracle_vec before = f.o->d1[0];
    fixture_dance(&f, 40 * H);
    fixture_step(&f, H);
    CHECK_EQ(vec_length(vec_sub(f.o->d0[0], before)), 0.0);
    CHECK_LT(1e-4, vec_length(vec_sub(f.o->d1[0], before)));
    CHECK_NEAR(f.o->lag, 0, 1e-12); // at 60 Hz the deviation of this very pose is drawn
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        CHECK_LT(vec_length(vec_sub(f.o->out_p[i], f.o->p[i])), 1e-9);
        CHECK_LT(quat_angle(f.o->out_R[i], f.o->R[i]), 1e-6);
    }
    f.o->lag = 0.9 * H; // as after calls at other rates; comes down by 5% of the time
    fixture same = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int quarter = 1; quarter <= 3; ++quarter) {
        fixture_dance(&f, (40 + 0.25 * quarter) * H);
        fixture_step(&f, 0.25 * H);
        same.pose = f.pose;
        fixture_settle(&same);
        CHECK_LT(largest_difference(f.o->out_p_skin, same.o->p, f.small->input.voxel_count), 1e-12);
        CHECK_EQ(f.o->substep_count, 0u);
        const double lag = 0.9 - 0.05 * 0.25 * quarter, s = 1 - (lag - 0.25 * quarter);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const oracle_vec d = vec_add(vec_scale(f.o->d0[i], 1 - s), vec_scale(f.o->d1[i], s));
            const oracle_vec p = vec_add(f.o->out_p_skin[i], quat_rotate(f.o->out_Rb[i], d));
            CHECK_LT(vec_length(vec_sub(p, f.o->out_p[i])), 1e-9);
        }
        // d1 is the deviation of the state
        const oracle_vec d = quat_unrotate(f.o->Rb[0], vec_sub(f.o->p[0], f.o->p_skin_prev[0]));
        CHECK_LT(vec_length(vec_sub(d, f.o->d1[0])), 1e-12);
        CHECK_LT(quat_angle(quat_mul(f.o->Rb[0], f.o->Q1[0]), f.o->R[0]), 1e-7);
        CHECK_LE(0, f.o->Q1[0].w);
    }
    CHECK_LT(0.05, largest_output_deviation(f.o));
    fixture_free(&same);
    fixture_free(&f);
}

// Calls of `dt` over a whole number of cycles; `lags` are those of the last cycle, in units.
static void check_lags(double dt, int cycle, double unit, const double* lags) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 4 * cycle; ++k) {
        CHECK_EQ(fixture_step(&f, dt), 0u);
        CHECK_LE(f.o->accumulator, f.o->lag);
        if (k >= 3 * cycle) {
            CHECK_NEAR(f.o->lag / unit, lags[k % cycle], 1e-6);
        }
    }
    fixture_free(&f);
}

// In parts of h the accumulator repeats every few calls; the lag follows it up at once and comes
// down by 5% of the call's time.
TLW_TEST(the_lag_is_the_least_age_that_all_frames_can_have) {
    static const double none[1] = {0};
    check_lags(1.0 / 60, 1, H, none);
    check_lags(1.0 / 30, 1, H, none);
    check_lags(1.0 / 15, 1, H, none);
    // 24 Hz: 2.5 h a call, so 5% are 0.125 h; the accumulator is 0.5 h and 0 by turns.
    check_lags(1.0 / 24, 2, H, (const double[]){0.5, 0.375});
    // 240 Hz: the accumulator goes 0.25, 0.5, 0.75, 0.
    check_lags(1.0 / 240, 4, H, (const double[]){0.725, 0.7125, 0.75, 0.7375});
    // 144 Hz in units of h/12: 5 a call, so 5% are 0.25; the accumulator goes
    // 5 10 3 8 1 6 11 4 9 2 7 0. The lag stays within 2 units: a delay that is almost constant.
    check_lags(1.0 / 144, 12, H / 12,
               (const double[]){9.5, 10, 9.75, 9.5, 9.25, 9, 11, 10.75, 10.5, 10.25, 10, 9.75});
}

TLW_TEST(the_lag_comes_down_after_a_hitch_and_is_never_longer_than_a_substep) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_step(&f, 1.75 * H);
    CHECK_NEAR(f.o->lag / H, 0.75, 1e-9);
    fixture_step(&f, 0.25 * H); // on the pose again, and at 60 Hz from now on
    CHECK_NEAR(f.o->lag / H, 0.7375, 1e-9);
    for (int k = 1; k <= 20; ++k) {
        fixture_step(&f, H);
        CHECK_NEAR(f.o->accumulator, 0, 1e-9);
        CHECK_NEAR(f.o->lag / H, fmax(0, 0.7375 - 0.05 * k), 1e-6);
    }
    fixture_step(&f, 1.9 * H);
    f.o->settings.h = 0.5 * H;
    fixture_step(&f, 0.1 * H); // bounded by the new h, then 5% of the time
    CHECK_NEAR(f.o->lag / H, 0.5 - 0.005, 1e-6);
    const double lag = f.o->lag;
    CHECK_EQ(fixture_step(&f, 0), (unsigned)ORACLE_BAD_DT);
    CHECK_EQ(f.o->lag, lag);
    oracle_reset(f.o);
    CHECK_EQ(f.o->lag, 0.0);
    fixture_free(&f);
}
