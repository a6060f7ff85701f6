// SPDX-License-Identifier: MIT
// Checks the oracle's jumps, resets, teleports and count of quiet substeps (MODEL 4.3, 4.5, 4.7).
// Expected results are worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <stdlib.h>

TLW_TEST(a_jump_puts_deviation_velocity_and_rotation_on_the_new_pose) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t n = f.small->input.voxel_count;
    for (int k = 0; k < 40; ++k) {
        fixture_dance(&f, k * H);
        fixture_step(&f, H);
    }
    oracle_vec* d = calloc(n, sizeof *d);
    oracle_vec* relative = calloc(n, sizeof *relative);
    oracle_quat* Q = calloc(n, sizeof *Q);
    CHECK(d && relative && Q);
    for (uint32_t i = 0; i < n; ++i) {
        d[i] = f.o->d1[i];
        Q[i] = f.o->Q1[i];
        relative[i] = quat_unrotate(f.o->Rb[i], vec_sub(f.o->v[i], f.o->v_skin[i]));
    }
    fixture_move(&f, vec(0, 500, 0));
    f.pose.root_rotation = quat_exp(vec(1, 2, 0.5));
    CHECK_EQ(fixture_step(&f, 2 * H), (unsigned)ORACLE_JUMPED);
    CHECK_EQ(f.o->carried_count, 2u);
    fixture_move(&f, vec(0.2, 0, 0));
    CHECK_EQ(fixture_step(&f, H), 0u);
    CHECK_EQ(f.o->carried_count, 1u);
    for (uint32_t i = 0; i < n; ++i) {
        CHECK_LT(vec_length(vec_sub(f.o->d1[i], d[i])), 1e-9);
        const oracle_vec v = quat_unrotate(f.o->Rb[i], f.o->v[i]);
        CHECK_LT(vec_length(vec_sub(v, relative[i])), 1e-9);
        CHECK_LT(quat_angle(f.o->Q1[i], Q[i]), 1e-6);
        CHECK_EQ(vec_length(f.o->v_skin[i]), 0.0);
        const oracle_vec p = vec_add(f.o->p_skin_prev[i], quat_rotate(f.o->Rb[i], f.o->d1[i]));
        CHECK_LT(vec_length(vec_sub(p, f.o->p[i])), 1e-12);
    }
    // In the first ordinary substep predict gives p + h (its own v_skin + relative velocity).
    const oracle_vec p = f.o->p[0], v = f.o->v[0];
    fixture_move(&f, vec(0.2, 0, 0));
    CHECK_EQ(fixture_step(&f, H), 0u);
    CHECK_EQ(f.o->carried_count, 0u);
    const oracle_vec q = vec_add_scaled(vec_sub(p, vec(0.2, 0, 0)), H, v);
    const oracle_vec expected = vec_add(q, vec(0.2, 0, 0));
    CHECK_LT(vec_length(vec_sub(f.o->stage[ORACLE_STAGE_PREDICT][0], expected)), 1e-9);
    free(d);
    free(relative);
    free(Q);
    fixture_free(&f);
}

TLW_TEST(jumps_begin_beyond_the_documented_distances) {
    const double L = 13.5;
    for (int k = 0; k < 10; ++k) {
        fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        fixture_step(&f, H);
        double dt = H;
        bool is_jump = k % 2 == 1;
        const double beyond = is_jump ? 1.001 : 0.999;
        if (k < 2) { // the root moves, within one substep's time
            dt = 0.5 * H;
            fixture_move(&f, vec(0, 0.25 * L * beyond, 0));
        } else if (k < 4) { // the root moves, within three substeps' time
            dt = 3 * H;
            fixture_move(&f, vec(0, 0.75 * L * beyond, 0));
        } else { // a joint moves, and the voxels of the far half with it
            static const double times[] = {0.5 * H, 1.0 / 24, 0.1}, most[] = {0.20, 0.20, 0.48};
            dt = times[k / 2 - 2];
            const double voxels = most[k / 2 - 2] * L * beyond;
            f.pose.joints[1].translation.x += voxels * f.small->input.voxel_metres;
        }
        CHECK_EQ(fixture_step(&f, dt), is_jump ? (unsigned)ORACLE_JUMPED : 0u);
        fixture_free(&f);
    }
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    CHECK_EQ(oracle_step(f.o, H, true), (unsigned)ORACLE_JUMPED);
    fixture_free(&f);
}

// Runs, and jumps back to where it began every half second; calls with and without substeps.
TLW_TEST(jumping_back_in_a_run_gives_no_kick) {
    static const int rates[] = {24, 60, 100, 240};
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        unsigned jumps = 0;
        double worst = 0;
        for (int frame = 1; frame < 4 * rates[k]; ++frame) {
            f.pose = small_input_rest_pose(f.small);
            fixture_move(&f, vec(40.0 * (frame % rates[k]) / rates[k], 0, 0));
            const unsigned flags = fixture_step(&f, 1.0 / rates[k]);
            jumps += flags == ORACLE_JUMPED;
            CHECK(flags == ORACLE_JUMPED || flags == 0);
            if (frame >= rates[k]) {
                worst = fmax(worst, largest_output_deviation(f.o));
            }
        }
        CHECK_EQ(jumps, 3u);
        CHECK_LT(worst, 0.02); // what is left of starting to run
        fixture_free(&f);
    }
}

TLW_TEST(a_reset_in_a_run_gives_no_kick) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int frame = 1; frame < 300; ++frame) {
        fixture_move(&f, vec(0.31, 0, 0));
        CHECK_EQ(fixture_step(&f, 0.73 * H), 0u);
        if (frame % 70 == 69) {
            CHECK_LT(0.05 * H, f.o->accumulator);
            CHECK_LT(0.05 * H, f.o->lag);
            oracle_reset(f.o);
            CHECK_EQ(f.o->accumulator, 0.0);
            CHECK_EQ(f.o->lag, 0.0);
            CHECK_EQ(largest_output_deviation(f.o), 0.0);
        }
        if (frame > 69) {
            CHECK_LT(oracle_largest_deviation(f.o), 1e-9);
        }
    }
    fixture_free(&f);
}

TLW_TEST(a_teleport_moves_everything_and_changes_nothing_else) {
    const oracle_quat rotation = quat_exp(vec(0.5, -1.2, 2));
    fixture a = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture b = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    const oracle_vec move = {30, 20, -10}; // metres
    double worst = 0;
    for (int k = 0; k < 160; ++k) {
        fixture_dance(&a, k * 0.8 * H);
        b.pose = a.pose;
        if (k >= 79) {
            b.pose.root_rotation = quat_mul(rotation, a.pose.root_rotation);
            b.pose.root_position = vec_add(quat_rotate(rotation, a.pose.root_position), move);
        }
        CHECK_EQ(fixture_step(&a, 0.8 * H), 0u);
        CHECK_EQ(fixture_step(&b, 0.8 * H), 0u);
        if (k == 78) {
            CHECK_LT(0.1 * H, a.o->accumulator); // between substeps
            const oracle_vec at = vec_add(quat_rotate(rotation, a.pose.root_position), move);
            const oracle_quat to = quat_mul(rotation, a.pose.root_rotation);
            oracle_teleport(b.o, (double[3]){at.x, at.y, at.z},
                            (double[4]){to.x, to.y, to.z, to.w});
        }
        for (uint32_t i = 0; i < a.small->input.voxel_count; ++i) {
            const oracle_quat r = k >= 78 ? rotation : QUAT_IDENTITY;
            worst = fmax(worst, vec_length(vec_sub(quat_rotate(r, a.o->p[i]), b.o->p[i])));
            worst = fmax(worst, vec_length(vec_sub(quat_rotate(r, a.o->out_p[i]), b.o->out_p[i])));
            worst = fmax(worst, 0.01 * vec_length(vec_sub(quat_rotate(r, a.o->v[i]), b.o->v[i])));
        }
    }
    CHECK_LT(worst, 1e-3);
    fixture_free(&a);
    fixture_free(&b);
}

TLW_TEST(quiet_substeps_are_counted_once_everything_is_still) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 30; ++k) {
        fixture_dance(&f, k * H);
        fixture_step(&f, H);
        CHECK_EQ(f.o->quiet_substeps, 0u);
    }
    f.pose.joints[1] = small_input_rest_pose(f.small).joints[1];
    for (int k = 0; k < 300; ++k) {
        fixture_step(&f, H);
    }
    CHECK_LT(30u, f.o->quiet_substeps);
    CHECK_EQ(oracle_largest_deviation(f.o), 0.0);
    fixture_free(&f);
}
