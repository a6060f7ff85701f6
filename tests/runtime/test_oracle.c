// SPDX-License-Identifier: MIT
// Checks the oracle's substep stage by stage against results that were worked out by hand, so that
// it can be trusted where the runtime is compared with it.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <stdlib.h>
#include <string.h>

// Gains and rotations

TLW_TEST(gain_is_stable_for_every_stiffness_and_the_same_over_repeats_and_steps) {
    oracle_settings one = oracle_preset_settings(ORACLE_PRESET_DEFAULT);
    oracle_settings three = one, half = one;
    three.repeats = 3;
    half.h = 0.5 * one.h;
    for (double k = 0; k < 100; k = 1.3 * k + 0.01) {
        const double kept = 1 - oracle_gain(&one, k);
        CHECK_LE(0, kept);
        CHECK_LE(kept, 1);
        CHECK_NEAR(pow(1 - oracle_gain(&three, k), 3), kept, 1e-12);
        CHECK_NEAR(pow(1 - oracle_gain(&half, k), 4), kept, 1e-12);
    }
    CHECK_NEAR(oracle_gain(&one, 2), 1 - exp(-2), 1e-12);
}

static oracle_mat stretched(oracle_quat R, double a, double b, double c) {
    const oracle_mat r = mat_of_quat(R), axes = mat_of_quat(quat_exp(vec(0.3, 0.1, -0.4)));
    const oracle_mat unaxes = mat_transpose(&axes);
    const oracle_mat scale = {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
    oracle_mat S = mat_mul(&axes, &scale);
    S = mat_mul(&S, &unaxes);
    return mat_mul(&r, &S);
}

TLW_TEST(rotation_iterations_find_the_rotation_of_a_known_product) {
    uint64_t seed = 1;
    for (int k = 0; k < 200; ++k) {
        const oracle_quat R = quat_exp(random_vec(&seed, 0.5));
        const oracle_mat A = stretched(R, 20, 14 + 5 * random_unit(&seed), 9);
        CHECK_LT(quat_angle(oracle_rotation(QUAT_IDENTITY, &A, 12), R), 1e-9);
        const oracle_quat near = quat_mul(R, quat_exp(vec(0.1, -0.1, 0.05)));
        CHECK_LT(quat_angle(oracle_rotation(near, &A, 1), R), 1e-2);
        CHECK_LT(quat_angle(oracle_rotation(near, &A, 2), R), 1e-4);
    }
}

TLW_TEST(rotation_of_a_rod_has_no_twist) {
    uint64_t seed = 2;
    for (int k = 0; k < 100; ++k) {
        const oracle_vec axis = {0, 0, 1};
        const oracle_vec to = quat_rotate(quat_exp(random_vec(&seed, 0.4)), axis);
        oracle_mat A = {0};
        mat_add_outer(&A, 2, to, axis);
        const oracle_quat R = oracle_rotation(QUAT_IDENTITY, &A, 20);
        CHECK_LT(vec_length(vec_sub(quat_rotate(R, axis), to)), 1e-5);
        CHECK_NEAR(R.z, 0, 1e-9); // no rotation about the rod itself
    }
}

// A rod with a little thickness: tr(S) I - S is about diag(1, 1, 2 thin).
TLW_TEST(rotation_takes_the_plain_gradient_where_the_determinant_is_small) {
    for (int k = 0; k < 2; ++k) {
        const double thin = k == 0 ? 1e-3 : 1e-5; // det / tr^3 is about 2 thin
        oracle_mat A = {{{thin, 0, 0}, {0, thin, 0}, {0, 0, 1}}};
        A.m[1][0] = 1e-6; // g = (0, 0, 1e-6), a twist
        const double trace = 1 + 2 * thin;
        const double w = k == 0 ? 1e-6 / (2 * thin) : 1e-6 / (trace + 1e-6);
        const oracle_quat R = oracle_rotation(QUAT_IDENTITY, &A, 1);
        CHECK_NEAR(2 * R.z / w, 1, 1e-3);
    }
}

TLW_TEST(rotation_survives_matrices_that_have_none) {
    uint64_t seed = 3;
    const oracle_quat start = quat_exp(vec(0.5, 0.2, -0.3));
    oracle_mat A = {0};
    CHECK_EQ(quat_angle(oracle_rotation(start, &A, 4), start), 0.0);
    for (int k = 0; k < 1000; ++k) {
        const double size = pow(10, 8 * random_unit(&seed));
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                A.m[row][column] = size * random_normal(&seed); // mirrored half of the time
            }
        }
        for (uint32_t n = 1; n <= 4; ++n) {
            const oracle_quat R = oracle_rotation(start, &A, n);
            CHECK_NEAR(quat_dot(R, R), 1, 1e-9);
            CHECK_LE(quat_angle(R, start), n + 1e-9); // |w| <= 1 each
        }
    }
}

// Stages

TLW_TEST(stretch_moves_a_soft_voxel_towards_its_bone_by_the_documented_share) {
    fixture f = fixture_make(SMALL_INPUT_pair, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.is_limit_off = true;
    f.o->p[1] = vec_add(f.o->p[0], vec(0, 0.6, 1.1));
    fixture_step(&f, H);
    const oracle_vec before = f.o->stage[ORACLE_STAGE_PREDICT][1];
    const oracle_vec d = vec_sub(before, f.o->stage[ORACLE_STAGE_PREDICT][0]);
    const double l = vec_length(d);
    const oracle_vec expected = vec_add_scaled(before, -(1 - exp(-2)) * (l - 1) / l, d);
    CHECK_NEAR(l, vec_length(vec(0, 0.6, 1.1)), 1e-12);
    CHECK_LT(vec_length(vec_sub(f.o->stage[ORACLE_STAGE_STRETCH][1], expected)), 1e-12);
    CHECK_EQ(vec_length(vec_sub(f.o->stage[ORACLE_STAGE_STRETCH][0], f.o->p_skin_prev[0])), 0.0);
    fixture_free(&f);
}

TLW_TEST(stretch_shares_between_soft_voxels_and_counts_coincident_ones_in_the_mean) {
    fixture f = fixture_make(SMALL_INPUT_boneless_rod, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.is_limit_off = true;
    f.o->p[0] = vec_add(f.o->p[0], vec(0, 0, -0.4)); // an end: one neighbour, 1.4 away
    f.o->p[4] = f.o->p[5];                           // 5: one neighbour at distance 0, one at rest
    fixture_step(&f, H);
    const oracle_vec* q = f.o->stage[ORACLE_STAGE_PREDICT];
    const oracle_vec* s = f.o->stage[ORACLE_STAGE_STRETCH];
    const double gain = 1 - exp(-2);
    CHECK_NEAR(s[0].z - q[0].z, gain * 0.5 * 0.4, 1e-12);
    CHECK_NEAR(s[1].z - q[1].z, -gain * 0.5 * 0.5 * 0.4, 1e-12); // mean over two
    CHECK_NEAR(s[5].z - q[5].z, 0, 1e-12);
    CHECK_NEAR(s[4].z - q[4].z, -gain * 0.5 * 0.5 * 1.0, 1e-12); // 3 is 2 away; 5 is at distance 0
    fixture_free(&f);
}

// Ends 4e-4 apart pull as if they were 1e-3 apart: (l - l0)/l is -999, not -2499.
TLW_TEST(stretch_of_a_very_short_pair_is_bounded) {
    fixture f = fixture_make(SMALL_INPUT_pair, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.is_limit_off = true;
    f.o->p[1] = vec_add(f.o->p[0], vec(0, 0, 4e-4));
    fixture_step(&f, H);
    const double off =
        f.o->stage[ORACLE_STAGE_STRETCH][1].z - f.o->stage[ORACLE_STAGE_PREDICT][1].z;
    CHECK_NEAR(off, (1 - exp(-2)) * 999 * 4e-4, 1e-9);
    fixture_free(&f);
}

TLW_TEST(stretch_reaches_the_neighbours_of_the_set_and_no_others) {
    static const uint32_t sets[] = {6, 14, 18, 20, 26};
    static const uint32_t bones[] = {0, 2, 1, 3, 3}; // bones: one across an edge, two corners
    for (size_t k = 0; k < TLW_COUNT_OF(sets); ++k) {
        fixture f = fixture_make(SMALL_INPUT_box, 3, sets[k], ORACLE_PRESET_DEFAULT);
        fixture_settle(&f);
        f.o->settings.is_limit_off = true;
        const uint32_t moved =
            small_input_voxel_at(f.small, 1, 1, 3); // inside; bone is at x = y = 2
        f.o->p[moved] = vec_add(f.o->p[moved], vec(0.11, 0.07, -0.13));
        fixture_step(&f, H);
        uint32_t reached = 0;
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const oracle_vec q = f.o->stage[ORACLE_STAGE_PREDICT][i];
            const oracle_vec s = f.o->stage[ORACLE_STAGE_STRETCH][i];
            reached += i != moved && vec_length(vec_sub(q, s)) > 1e-9;
        }
        CHECK_EQ(reached, sets[k] - bones[k]);
        fixture_free(&f);
    }
}

TLW_TEST(every_region_of_a_rigidly_moved_shape_finds_its_voxels) {
    for (int kind = 0; kind < SMALL_INPUT_COUNT; ++kind) {
        for (uint32_t width = 2; width <= 3; ++width) {
            fixture f = fixture_make((small_input_kind)kind, width, 26, ORACLE_PRESET_DEFAULT);
            const oracle_quat rotation = quat_exp(vec(0.3, -0.5, 0.4));
            for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
                f.o->p[i] = vec_add(quat_rotate(rotation, f.o->rest[i]), vec(300, -20, 7));
            }
            for (uint32_t r = 0; r < f.o->region_count; ++r) {
                oracle_vec c;
                const oracle_mat A = oracle_region_matrix(f.o, f.o->p, r, &c);
                const oracle_quat R = oracle_rotation(QUAT_IDENTITY, &A, 12);
                for (uint32_t k = f.o->region_first[r]; k < f.o->region_first[r + 1]; ++k) {
                    const uint32_t i = f.o->region_voxels[k];
                    const oracle_vec arm = vec_sub(f.o->rest[i], f.o->region_rest[r]);
                    const oracle_vec goal = vec_add(quat_rotate(R, arm), c);
                    CHECK_LT(vec_length(vec_sub(goal, f.o->p[i])), 1e-6);
                }
            }
            fixture_free(&f);
        }
    }
}

// A region of bone and one soft voxel: mass 10 puts the centre at 1/11 of the way.
TLW_TEST(bones_weigh_ten_in_the_fit_and_do_not_move) {
    fixture f = fixture_make(SMALL_INPUT_pair, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.is_limit_off = true;
    f.small->input.stiffness_scale = 2.25; // as at resolution 48
    f.o->p[1] = vec_add(f.o->p[0], vec(0.3, 0.4, 0.9));
    fixture_step(&f, H);
    const oracle_vec* q = f.o->stage[ORACLE_STAGE_STRETCH];
    const oracle_vec c = vec_lerp(q[0], q[1], 1.0 / 11);
    CHECK_LT(vec_length(vec_sub(f.o->region_c[0], c)), 1e-12);
    // c0 is 1/11 above the bone's centre, so the soft voxel's goal is 10/11 along the rotated axis.
    const oracle_vec goal = vec_add(c, quat_rotate(f.o->region_R[0], vec(0, 0, 10.0 / 11)));
    CHECK_LT(vec_length(vec_sub(f.o->goal[1], goal)), 1e-12);
    const double gain = 1 - exp(-0.6 * 2.25); // skin's ks
    const oracle_vec expected = vec_lerp(q[1], goal, gain);
    CHECK_LT(vec_length(vec_sub(f.o->stage[ORACLE_STAGE_GOAL][1], expected)), 1e-12);
    CHECK_EQ(vec_length(vec_sub(f.o->p[0], f.o->p_skin_prev[0])), 0.0);
    fixture_free(&f);
}

// Without neighbours only predict, anchor, limit and velocity are left.
TLW_TEST(single_voxel_follows_the_recurrence_worked_out_by_hand) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.is_limit_off = true;
    const double anchor = 1 - exp(-pow(7 * acos(-1) * H, 2)), kept = pow(0.65, H / 0.1);
    double x = 0.8, v = -3; // deviation and relative velocity along x, while the root runs
    f.o->p[0].x += x;
    f.o->v[0].x += v;
    for (int k = 0; k < 200; ++k) {
        fixture_move(&f, vec(0.1, -0.05, 0));
        fixture_step(&f, H);
        double q = x + H * v; // v is relative: the first substep adds its own v_skin
        q -= anchor * q;
        v = kept / (1 - anchor) * (q - x) / H;
        x = q;
        if (fabs(x) < 2e-5 && fabs(v) < 2e-3) {
            x = v = 0;
        }
        CHECK_NEAR(f.o->p[0].x - f.o->p_skin_prev[0].x, x, 1e-9);
        CHECK_NEAR(f.o->v[0].x - f.o->v_skin[0].x, v, 1e-7);
        CHECK_NEAR(f.o->p[0].z - f.o->p_skin_prev[0].z, 0, 1e-12);
    }
    fixture_free(&f);
}

// The deviations x and velocities v of two motions span an area x1 v2 - x2 v1. One substep of a
// voxel multiplies it by the determinant e d, e = 1 - a what the anchor leaves and d = kd^(h/0.1) /
// max(e, 1/2): by kd^(h/0.1), whatever h and f_a are, and by less where 1/2 is larger than e. A
// swing decays by the root of it, so its half-life is 0.2 s ln 2 / -ln kd.
TLW_TEST(a_ringing_voxel_has_the_half_life_of_its_damping_at_any_h_and_anchor) {
    static const double lengths[] = {1.0 / 30, H, 1.0 / 120, 1.0 / 480}, hz[] = {0.5, 2, 3.5, 12};
    for (size_t n = 0; n < TLW_COUNT_OF(lengths); ++n) {
        for (size_t m = 0; m < TLW_COUNT_OF(hz); ++m) {
            const double anchors[ORACLE_LAYERS] = {hz[m], hz[m], hz[m], hz[m]};
            const double h = lengths[n], e = exp(-pow(2 * acos(-1) * hz[m] * h, 2));
            fixture f[2];
            for (int k = 0; k < 2; ++k) {
                f[k] = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
                f[k].o->settings.is_limit_off = true;
                f[k].o->settings.h = h;
                f[k].o->settings.anchors = anchors;
                fixture_settle(&f[k]);
                oracle_step(f[k].o, h, false); // takes the new share
            }
            f[0].o->p[0].x += 50;
            oracle_set_velocity(f[1].o, 0, vec(1000, 0, 0));
            double area[2];
            const int substeps = (int)(0.2 / h + 0.5);
            for (int k = 0; k <= substeps; ++k) {
                double x[2], v[2];
                for (int c = 0; c < 2; ++c) {
                    x[c] = f[c].o->p[0].x - f[c].o->p_skin_prev[0].x;
                    v[c] = oracle_velocity(f[c].o, 0).x - f[c].o->v_skin[0].x;
                    fixture_step(&f[c], h);
                }
                area[k > 0] = x[0] * v[1] - x[1] * v[0];
            }
            CHECK_NEAR(area[0], 50 * 1000, 1e-6);
            const double left = pow(0.65, 2) * pow(e / fmax(e, 0.5), substeps);
            CHECK_NEAR(area[1] / area[0], left, 1e-9);
            CHECK(e < 0.5 || left == pow(0.65, 2));
            fixture_free(&f[0]);
            fixture_free(&f[1]);
        }
    }
}

TLW_TEST(a_change_of_material_or_h_leaves_the_velocity) {
    static const double hard[ORACLE_LAYERS] = {20, 20, 20, 20}; // e^-4.4 is below 1/2
    static const double firm[ORACLE_LAYERS] = {5, 5, 5, 5};
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.is_limit_off = true;
    f.o->p[0].x += 1;
    for (int k = 0; k < 5; ++k) {
        fixture_move(&f, vec(0.1, 0, 0));
        fixture_step(&f, H);
    }
    for (int k = 0; k < 3; ++k) {
        const double relative = f.o->v[0].x - f.o->v_skin[0].x, share = f.o->share[0];
        const oracle_vec velocity = oracle_velocity(f.o, 0);
        CHECK_NEAR(velocity.x, f.o->v_skin[0].x + share * relative, 1e-12);
        CHECK_LT(0.5, fabs(share * relative));
        const double x = f.o->p[0].x - f.o->p_skin_prev[0].x;
        f.o->settings.anchors = k == 1 ? hard : firm;
        f.o->settings.h = k == 2 ? 0.5 * H : H;
        CHECK_EQ(vec_length(vec_sub(oracle_velocity(f.o, 0), velocity)), 0.0);
        fixture_move(&f, vec(k == 2 ? 0.05 : 0.1, 0, 0));
        fixture_step(&f, f.o->settings.h);
        const double angle = 2 * acos(-1) * f.o->settings.anchors[3] * f.o->settings.h;
        const double now = fmax(exp(-angle * angle), 0.5);
        CHECK(now != share);
        const double q = x + f.o->settings.h * relative * share / now;
        CHECK_NEAR(f.o->stage[ORACLE_STAGE_PREDICT][0].x - f.o->p_skin_prev[0].x, q, 1e-9);
        CHECK_NEAR(f.o->share[0], now, 1e-12);
    }
    oracle_set_velocity(f.o, 0, vec(1, 2, 3));
    CHECK_LT(vec_length(vec_sub(oracle_velocity(f.o, 0), vec(1, 2, 3))), 1e-12);
    fixture_free(&f);
}

// At rest p = (1 - a)(p + h^2 g): the sag is h^2 g (1 - a) / a.
TLW_TEST(gravity_sags_a_voxel_to_the_balance_of_its_anchor_at_any_scale) {
    for (int k = 0; k < 2; ++k) {
        fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
        f.pose.root_scale = k == 0 ? 1 : 2.5;
        f.pose.root_rotation = quat_exp(vec(1, 1, 0)); // gravity is the world's
        f.o->settings.gravity[1] = -9.81;
        f.o->settings.is_limit_off = true;
        for (int s = 0; s < 900; ++s) {
            fixture_step(&f, H);
        }
        const double a = 1 - exp(-pow(7 * acos(-1) * H, 2));
        const double g = -9.81 / (0.05 * f.pose.root_scale);
        CHECK_NEAR(f.o->p[0].y - f.o->p_skin_prev[0].y, H * H * g * (1 - a) / a, 1e-4);
        CHECK_NEAR(f.o->p[0].x - f.o->p_skin_prev[0].x, 0, 1e-9);
        fixture_free(&f);
    }
}

TLW_TEST(no_voxel_ends_a_substep_beyond_its_limit) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    uint64_t seed = 9;
    double largest = 0;
    for (int k = 0; k < 120; ++k) {
        fixture_move(&f, random_vec(&seed, 0.8));
        CHECK_EQ(fixture_step(&f, H), 0u);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            const double off = vec_length(vec_sub(f.o->p[i], f.o->p_skin_prev[i]));
            CHECK_LE(off, f.small->input.limit[i] + 1e-12);
            largest = fmax(largest, off / f.small->input.limit[i]);
            CHECK(f.small->input.layer[i] != 0 || off == 0);
        }
    }
    CHECK_LT(0.999, largest); // it was reached
    f.o->settings.is_limit_off = true;
    for (int k = 0; k < 30; ++k) {
        fixture_move(&f, vec(k < 15 ? 1.5 : 0, 0, 0));
        fixture_step(&f, H);
        largest = fmax(largest, oracle_largest_deviation(f.o) / 1.35); // 0.10 L
    }
    CHECK_LT(1.1, largest);
    fixture_free(&f);
}

TLW_TEST(positions_beyond_the_limit_are_brought_back_before_they_become_velocity) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->p[0] = vec_add(f.o->p[0], vec(1000, 0, 0));
    fixture_step(&f, H);
    const double limit = f.small->input.limit[0]; // 0.05
    CHECK_NEAR(f.o->stage[ORACLE_STAGE_PREDICT][0].x - f.o->p_skin_prev[0].x, limit, 1e-9);
    CHECK_LT(fabs(f.o->v[0].x), limit / H);
    fixture_free(&f);
}

TLW_TEST(a_state_that_is_not_finite_resets_and_says_so) {
    static const double bad[] = {NAN, INFINITY, 1e308};
    for (size_t k = 0; k < TLW_COUNT_OF(bad); ++k) {
        fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
        for (int s = 0; s < 5; ++s) {
            fixture_dance(&f, s * H);
            fixture_step(&f, H);
        }
        f.o->v[3].y = bad[k];
        CHECK_EQ(fixture_step(&f, H), (unsigned)ORACLE_BROKE);
        CHECK_EQ(oracle_largest_deviation(f.o), 0.0);
        fixture_dance(&f, 6 * H);
        CHECK_EQ(fixture_step(&f, H), 0u);
        CHECK_LT(oracle_largest_deviation(f.o), 1);
        fixture_free(&f);
    }
}
