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

static void shake(fixture* f, uint64_t seed, double sigma) {
    for (uint32_t i = 0; i < f->small->input.voxel_count; ++i) {
        f->o->p[i] = vec_add(f->o->p[i], random_vec(&seed, sigma));
    }
}

// Computes every stencil's gradient by central differences of V, then the sum of MODEL 3.5.
TLW_TEST(volume_stage_is_what_finite_differences_of_the_volume_say) {
    for (int kind = 0; kind < SMALL_INPUT_COUNT; ++kind) {
        fixture f = fixture_make((small_input_kind)kind, 3, 26, ORACLE_PRESET_DEFAULT);
        fixture_settle(&f);
        f.o->settings.is_limit_off = true;
        f.o->settings.iterations = 0; // R stays the start R that the volume stage read
        shake(&f, 7, 0.15);
        fixture_step(&f, H);
        const uint32_t n = f.small->input.voxel_count;
        oracle_vec* q = f.o->stage[ORACLE_STAGE_STRETCH];
        oracle_vec* expected = calloc(n, sizeof *expected);
        CHECK(expected != NULL);
        memcpy(expected, q, n * sizeof *q);
        for (uint32_t i = 0; i < n; ++i) {
            uint32_t near[7] = {i}, count = 1;
            for (uint32_t k = 0; k < 26; ++k) {
                const uint32_t j = f.o->linked[i][k];
                if (j != ORACLE_NO_VOXEL && vec_length(vec_sub(f.o->rest[j], f.o->rest[i])) < 1.1) {
                    near[count++] = j;
                }
            }
            const double V = oracle_stencil_volume(f.o, q, i);
            CHECK_EQ(V, f.o->volume[i]);
            oracle_vec gradient[7];
            double sum = 0;
            for (uint32_t k = 0; k < count; ++k) {
                double* place[3] = {&q[near[k]].x, &q[near[k]].y, &q[near[k]].z};
                double slope[3];
                for (int a = 0; a < 3; ++a) {
                    const double was = *place[a];
                    *place[a] = was + 1e-5;
                    const double above = oracle_stencil_volume(f.o, q, i);
                    *place[a] = was - 1e-5;
                    slope[a] = (above - oracle_stencil_volume(f.o, q, i)) / 2e-5;
                    *place[a] = was;
                }
                gradient[k] = vec_of(slope);
                sum += f.small->input.volume_weight[near[k]] * vec_dot(gradient[k], gradient[k]);
            }
            if (sum < 1e-6) {
                continue;
            }
            const double C = fmax(-1, fmin(1, V - 1));
            for (uint32_t k = 0; k < count; ++k) {
                const double share = -f.small->input.volume_weight[near[k]] * C / sum;
                expected[near[k]] =
                    vec_add_scaled(expected[near[k]], 0.5 * (1 - exp(-2)) * share, gradient[k]);
            }
        }
        const double off = largest_difference(expected, f.o->stage[ORACLE_STAGE_VOLUME], n);
        CHECK_LT(off, 1e-8);
        free(expected);
        fixture_free(&f);
    }
}

TLW_TEST(volume_of_an_affinely_deformed_lattice_is_the_determinant) {
    const oracle_mat M = {{{1.1, 0.2, 0}, {-0.1, 0.9, 0.3}, {0.05, 0, 1.2}}};
    static const small_input_kind kinds[] = {SMALL_INPUT_box,
                                             SMALL_INPUT_ell}; // a neighbour on every axis
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        fixture f = fixture_make(kinds[k], 3, 26, ORACLE_PRESET_DEFAULT);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            f.o->p[i] = mat_apply(&M, f.o->rest[i]);
        }
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            CHECK_NEAR(oracle_stencil_volume(f.o, f.o->p, i), mat_determinant(&M), 1e-12);
        }
        fixture_free(&f);
    }
}

TLW_TEST(volume_of_rods_and_plates_takes_missing_axes_from_the_rotation) {
    static const small_input_kind kinds[] = {SMALL_INPUT_single, SMALL_INPUT_rod,
                                             SMALL_INPUT_plate};
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        fixture f = fixture_make(kinds[k], 3, 26, ORACLE_PRESET_DEFAULT);
        f.pose.root_rotation = quat_exp(vec(1, -0.5, 0.7));
        fixture_settle(&f);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            CHECK_NEAR(oracle_stencil_volume(f.o, f.o->p, i), 1, 1e-12);
        }
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
    const oracle_vec* q = f.o->stage[ORACLE_STAGE_VOLUME];
    const oracle_vec c = vec_lerp(q[0], q[1], 1.0 / 11);
    CHECK_LT(vec_length(vec_sub(f.o->region_c[0], c)), 1e-12);
    // c0 is 1/11 above the bone's centre, so the soft voxel's goal is 10/11 along the rotated axis.
    const oracle_vec goal = vec_add(c, quat_rotate(f.o->region_R[0], vec(0, 0, 10.0 / 11)));
    CHECK_LT(vec_length(vec_sub(f.o->goal[1], goal)), 1e-12);
    const double gain = 1 - exp(-0.35 * 2.25); // skin's ks
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
    const double anchor = 1 - exp(-pow(4 * acos(-1) * H, 2)), kept = pow(0.7, H / 0.1);
    double x = 0.8, v = -3; // deviation and relative velocity along x, while the root runs
    f.o->p[0].x += x;
    f.o->v[0].x += v;
    for (int k = 0; k < 200; ++k) {
        fixture_move(&f, vec(0.1, -0.05, 0));
        fixture_step(&f, H);
        double q = x + H * v; // v is relative: the first substep adds its own v_skin
        q -= anchor * q;
        v = kept * (q - x) / H;
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
        const double a = 1 - exp(-pow(4 * acos(-1) * H, 2));
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
