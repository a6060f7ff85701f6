// SPDX-License-Identifier: MIT
// Checks the oracle's volume stage (MODEL 3.5) and its place in the substep (MODEL 3.1) against
// finite differences and results that were worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"
#include "tests/runtime/oracle/oracle_private.h"

#include <stdlib.h>
#include <string.h>

// The denominator of a stencil at rest by the formula of MODEL 3.5: the gradients of an axis have
// length 1/2, or 1 where the voxel itself is an end; its own gradients are square to each other.
static double rest_sum(const fixture* f, uint32_t voxel) {
    const double* w = f->small->input.volume_weight;
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        const uint32_t up = f->o->linked[voxel][oracle_link_of(a == 0, a == 1, a == 2)];
        const uint32_t down = f->o->linked[voxel][oracle_link_of(-(a == 0), -(a == 1), -(a == 2))];
        if (up != ORACLE_NO_VOXEL && down != ORACLE_NO_VOXEL) {
            sum += 0.25 * (w[up] + w[down]);
        } else if (up != ORACLE_NO_VOXEL || down != ORACLE_NO_VOXEL) {
            sum += w[up != ORACLE_NO_VOXEL ? up : down] + w[voxel];
        }
    }
    return sum;
}

// Computes every stencil's gradient by central differences of V, then the sum of MODEL 3.5. q is
// what the anchor left, R what the regions found in this substep, and repeats change no gain.
TLW_TEST(volume_stage_is_what_finite_differences_of_the_volume_say) {
    uint32_t floored = 0, free_ones = 0;
    for (int kind = 0; kind < SMALL_INPUT_COUNT; ++kind) {
        fixture f = fixture_make((small_input_kind)kind, 3, 26, ORACLE_PRESET_DEFAULT);
        fixture_settle(&f);
        f.o->settings.is_limit_off = true;
        f.o->settings.repeats = 1 + (uint32_t)kind % 3;
        fixture_shake(&f, 7, 0.4);
        fixture_step(&f, H);
        const uint32_t n = f.small->input.voxel_count;
        oracle_vec* q = f.o->stage[ORACLE_STAGE_ANCHOR];
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
            const double least = 2 * rest_sum(&f, i) / 3;
            CHECK_NEAR(f.o->volume_floor[i], least, 1e-12);
            if (fmax(sum, least) < 1e-6) {
                continue;
            }
            floored += sum < least;
            free_ones += sum > least;
            const double C = fmax(-1, fmin(1, V - 1));
            for (uint32_t k = 0; k < count; ++k) {
                const double share = -f.small->input.volume_weight[near[k]] * C / fmax(sum, least);
                expected[near[k]] =
                    vec_add_scaled(expected[near[k]], 0.5 * (1 - exp(-2)) * share, gradient[k]);
            }
        }
        const double off = largest_difference(expected, f.o->stage[ORACLE_STAGE_VOLUME], n);
        CHECK_LT(off, 1e-8);
        free(expected);
        fixture_free(&f);
    }
    CHECK_LT(10u, floored); // both kinds were seen
    CHECK_LT(10u, free_ones);
}

TLW_TEST(the_anchor_comes_after_shape_matching_and_the_limit_after_volume) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_settle(&f);
    f.o->settings.limit_scale = 0.2; // some reach it, some do not
    uint64_t seed = 8;
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        f.o->v[i] = random_vec(&seed, 20);
    }
    fixture_step(&f, H);
    static const double hz[ORACLE_LAYERS] = {0, 6, 3.5, 3.5};
    uint32_t limited = 0, moved = 0;
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        if (f.small->input.layer[i] == 0) {
            continue;
        }
        const double a = 1 - exp(-pow(2 * acos(-1) * hz[f.small->input.layer[i]] * H, 2));
        const oracle_vec at = f.o->p_skin_prev[i];
        const oracle_vec anchored = vec_lerp(f.o->stage[ORACLE_STAGE_GOAL][i], at, a);
        CHECK_LT(vec_length(vec_sub(anchored, f.o->stage[ORACLE_STAGE_ANCHOR][i])), 1e-12);
        const oracle_vec d = vec_sub(f.o->stage[ORACLE_STAGE_VOLUME][i], at);
        const double d_max = 0.2 * f.small->input.limit[i];
        const oracle_vec kept = vec_scale(d, fmin(1, d_max / vec_length(d)));
        CHECK_LT(vec_length(vec_sub(vec_sub(f.o->p[i], at), kept)), 2e-5);
        limited += vec_length(d) > d_max;
        moved += vec_length(vec_sub(f.o->stage[ORACLE_STAGE_VOLUME][i], anchored)) > 1e-4;
    }
    CHECK_LT(5u, limited);
    CHECK_LT(100u, moved);
    fixture_free(&f);
}

// A plate at half its size: V = 1/4, so C = -3/4, everywhere, and gradients are half of those at
// rest. The voxel in the middle of the free edge is an end of its own stencil and of the one beside
// it; those above and below it cancel. At rest the sum of the first is 1 + 1 + 1/4 + 1/4, the sum
// of the second four times 1/4. All weights are 1.
TLW_TEST(a_crushed_cell_is_corrected_as_if_two_thirds_of_its_gradients_were_left) {
    fixture f = fixture_make(SMALL_INPUT_plate, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t edge = small_input_voxel_at(f.small, 6, 0, 4);
    const uint32_t n = f.small->input.voxel_count;
    oracle_vec* q = calloc(n, sizeof *q);
    CHECK(q != NULL);
    for (int k = 0; k < 2; ++k) {
        const double size = k == 0 ? 0.5 : 0.95; // 0.95^2 is above 2/3: no floor
        for (uint32_t i = 0; i < n; ++i) {
            f.o->R[i] = QUAT_IDENTITY;
            q[i] = vec_scale(f.o->rest[i], size);
        }
        const oracle_vec before = q[edge];
        oracle_keep_volume(f.o, q);
        const double C = size * size - 1;
        const double D_edge = 2.5 * (k == 0 ? 2.0 / 3 : size * size);
        const double D_beside = k == 0 ? 2.0 / 3 : size * size;
        const double x = -C * (size / D_edge + 0.5 * size / D_beside);
        const oracle_vec expected = vec_add(before, vec(0.5 * (1 - exp(-2)) * x, 0, 0));
        CHECK_LT(vec_length(vec_sub(q[edge], expected)), 1e-12);
    }
    CHECK_NEAR(f.o->volume[edge], 0.95 * 0.95, 1e-12);
    free(q);
    fixture_free(&f);
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
