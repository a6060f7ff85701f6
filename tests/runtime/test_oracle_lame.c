// SPDX-License-Identifier: MIT
// Facts about the oracle's Lame layers (MODEL 3.20): the two systems, solved directly, and what a
// half ball of fat does under gravity.
#include "tests/runtime/oracle/oracle_fixture.h"
#include "tests/runtime/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Muscle is shape-matched, fat and skin are lame.
static const oracle_lame two_materials[ORACLE_LAYERS] = {
    [2] = {3000, 0.45, 950}, [3] = {8000, 0.3, 1100}};

// A dense system A x = b in 3 n unknowns, solved by elimination.
typedef struct dense {
    uint32_t n;
    double *A, *b;
} dense;

static dense dense_make(uint32_t n) {
    dense s = {n, calloc((size_t)n * n, sizeof(double)), calloc(n, sizeof(double))};
    CHECK(s.A && s.b);
    for (uint32_t i = 0; i < n; ++i) {
        s.A[(size_t)i * n + i] = 1;
    }
    return s;
}

static void dense_solve(dense* s) {
    const size_t n = s->n;
    for (size_t p = 0; p < n; ++p) {
        for (size_t row = p + 1; row < n; ++row) {
            const double factor = s->A[row * n + p] / s->A[p * n + p];
            for (size_t c = p; factor != 0 && c < n; ++c) {
                s->A[row * n + c] -= factor * s->A[p * n + c];
            }
            s->b[row] -= factor * s->b[p];
        }
    }
    for (size_t row = n; row-- > 0;) {
        for (size_t c = row + 1; c < n; ++c) {
            s->b[row] -= s->A[row * n + c] * s->b[c];
        }
        s->b[row] /= s->A[row * n + row];
    }
}

static void dense_free(dense* s) {
    free(s->A);
    free(s->b);
}

// The rows of voxels that are not lame say that they stay.
static void hold(dense* s, const oracle* o, const double* known) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        for (uint32_t k = 0; k < 3 && !oracle_is_lame(o, i); ++k) {
            const size_t row = 3 * (size_t)i + k;
            memset(&s->A[row * s->n], 0, s->n * sizeof(double));
            s->A[row * s->n + row] = 1;
            s->b[row] = known[row];
        }
    }
}

static bool are_linked(const oracle* o, uint32_t i, uint32_t j) {
    for (uint32_t k = 0; k < 26; ++k) {
        if (o->linked[i][k] == j) {
            return true;
        }
    }
    return false;
}

// 1 + c L, over all pairs that a face joins.
static void add_shear(dense* s, const oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        for (uint32_t j = 0; j < o->input->voxel_count; ++j) {
            const bool is_face = fabs(vec_length(vec_sub(o->rest[i], o->rest[j])) - 1) < 1e-9;
            if (!is_face || !are_linked(o, i, j)) {
                continue;
            }
            const double a = oracle_lame_number(o, i, 1, false);
            const double b = oracle_is_lame(o, j) ? oracle_lame_number(o, j, 1, false) : a;
            for (size_t k = 0; k < 3; ++k) {
                s->A[(3 * (size_t)i + k) * s->n + 3 * (size_t)i + k] += 0.5 * (a + b);
                s->A[(3 * (size_t)i + k) * s->n + 3 * (size_t)j + k] -= 0.5 * (a + b);
            }
        }
    }
}

// 1 + D^T C D, row of D by row.
static void add_bulk(dense* s, const oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        size_t at[6];
        double entry[6];
        uint32_t count = 0;
        for (int axis = 0; axis < 3 && oracle_is_lame(o, i); ++axis) {
            uint32_t ends[2] = {ORACLE_NO_VOXEL, ORACLE_NO_VOXEL};
            for (uint32_t j = 0; j < o->input->voxel_count; ++j) {
                const oracle_vec d = vec_sub(o->rest[j], o->rest[i]);
                const double along = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
                if (fabs(fabs(along) - 1) < 1e-9 && fabs(vec_length(d) - 1) < 1e-9 &&
                    are_linked(o, i, j)) {
                    ends[along > 0] = j;
                }
            }
            const bool has_both = ends[0] != ORACLE_NO_VOXEL && ends[1] != ORACLE_NO_VOXEL;
            const bool has_any = ends[0] != ORACLE_NO_VOXEL || ends[1] != ORACLE_NO_VOXEL;
            for (int side = 0; side < 2 && has_any; ++side) {
                const uint32_t j = ends[side] == ORACLE_NO_VOXEL ? i : ends[side];
                at[count] = 3 * (size_t)j + (size_t)axis;
                entry[count++] = (side ? 1 : -1) * (has_both ? 0.5 : 1);
            }
        }
        const double C = oracle_lame_number(o, i, 1, true);
        for (uint32_t a = 0; a < count; ++a) {
            for (uint32_t b = 0; b < count; ++b) {
                s->A[at[a] * s->n + at[b]] += C * entry[a] * entry[b];
            }
        }
    }
}

TLW_TEST(many_iterations_of_both_solves_are_the_direct_solutions) {
    static const small_input_kind kinds[] = {SMALL_INPUT_box, SMALL_INPUT_ell};
    for (size_t kind = 0; kind < TLW_COUNT_OF(kinds); ++kind) {
        fixture f = fixture_make(kinds[kind], 3, 26, ORACLE_PRESET_DEFAULT);
        const uint32_t n = f.small->input.voxel_count;
        f.o->settings.lame = two_materials;
        f.o->settings.shear_iterations = f.o->settings.bulk_iterations = 4000;
        f.o->settings.gravity[0] = 3;
        oracle_vec *q = calloc(n, sizeof *q), *m = calloc(n, sizeof *m);
        CHECK(q && m);
        dense shear = dense_make(3 * n), bulk = dense_make(3 * n);
        uint64_t random = 8;
        for (uint32_t i = 0; i < n; ++i) {
            const bool is_bone = f.small->input.layer[i] == 0;
            const oracle_vec off = random_vec(&random, is_bone ? 0 : 0.3);
            q[i] = vec_add(f.o->p[i], off);
            shear.b[3 * i] = off.x, shear.b[3 * i + 1] = off.y, shear.b[3 * i + 2] = off.z;
        }
        const oracle_skin skin = {.p_skin = f.o->p, .m = m, .Rb = f.o->Rb, .root_scale = 1};
        oracle_solve_lame(f.o, &skin, f.o->p, q);
        double* known = calloc(3 * n, sizeof *known);
        CHECK(known != NULL);
        memcpy(known, shear.b, 3 * n * sizeof *known);
        add_shear(&shear, f.o);
        hold(&shear, f.o, known);
        dense_solve(&shear);
        memcpy(bulk.b, shear.b, 3 * n * sizeof *known);
        add_bulk(&bulk, f.o);
        hold(&bulk, f.o, known);
        dense_solve(&bulk);
        for (uint32_t i = 0; i < n; ++i) {
            const oracle_vec d = vec_sub(q[i], f.o->p[i]);
            CHECK_LT(vec_length(vec_sub(d, vec_of(&bulk.b[3 * i]))), 1e-7);
        }
        free(known);
        free(q);
        free(m);
        dense_free(&shear);
        dense_free(&bulk);
        fixture_free(&f);
    }
}

// Two voxels, the lower one bone: with E = 3 rho s^2/h^2 and nu = 0.5 - 1/4, mu = 1.2 and lambda =
// 1.2 of the same unit. c = 1.2: (1 + c) d1 = d*; the divergence along z, of coefficient 1, has C =
// 2.4, but along x and y there is none.
TLW_TEST(one_voxel_on_bone_is_solved_as_by_hand) {
    fixture f = fixture_make(SMALL_INPUT_pair, 3, 26, ORACLE_PRESET_DEFAULT);
    const double s = f.small->input.voxel_metres;
    oracle_lame lame[ORACLE_LAYERS] = {0};
    lame[f.small->input.layer[1]] = (oracle_lame){3 * 950 * s * s / (H * H), 0.25, 950};
    f.o->settings.lame = lame;
    CHECK_NEAR(oracle_lame_number(f.o, 1, 1, false), 1.2, 1e-12);
    CHECK_NEAR(oracle_lame_number(f.o, 1, 1, true), 2.4, 1e-12);
    CHECK_NEAR(oracle_lame_number(f.o, 1, 2, true), 0.6, 1e-12);
    CHECK_EQ(oracle_lame_number(f.o, 0, 1, false), 0.0);
    CHECK_EQ(oracle_shear_count(f.o, 1), 5u); // 1.25 sqrt(15.4) = 4.905
    f.o->settings.shear_iterations = f.o->settings.bulk_iterations = 200;
    oracle_vec q[2] = {f.o->p[0], vec_add(f.o->p[1], vec(0.3, -0.2, 0.5))};
    const oracle_vec m[2] = {{0, 0, 0}, {0, 0, 0}};
    const oracle_skin skin = {.p_skin = f.o->p, .m = m, .Rb = f.o->Rb, .root_scale = 1};
    oracle_solve_lame(f.o, &skin, f.o->p, q);
    const oracle_vec d = vec_sub(q[1], f.o->p[1]);
    CHECK_NEAR(d.x, 0.3 / 2.2, 1e-9);
    CHECK_NEAR(d.y, -0.2 / 2.2, 1e-9);
    CHECK_NEAR(d.z, 0.5 / 2.2 / 3.4, 1e-9);
    fixture_free(&f);
}

TLW_TEST(lame_voxels_skip_stretch_goal_anchor_and_volume) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    f.o->settings.lame = two_materials;
    fixture_shake(&f, 4, 0.2);
    fixture_step(&f, H);
    uint32_t lame = 0;
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        const oracle_vec moved =
            vec_sub(f.o->stage[ORACLE_STAGE_VOLUME][i], f.o->stage[ORACLE_STAGE_PREDICT][i]);
        const oracle_vec solved =
            vec_sub(f.o->stage[ORACLE_STAGE_LAME][i], f.o->stage[ORACLE_STAGE_VOLUME][i]);
        if (oracle_is_lame(f.o, i)) {
            CHECK_EQ(vec_length(moved), 0.0);
            CHECK_EQ(f.o->share[i], 1.0);
            CHECK_LT(1e-4, vec_length(solved));
            lame += 1;
        } else {
            CHECK_EQ(vec_length(solved), 0.0);
            CHECK(oracle_is_bone(f.o, i) || vec_length(moved) > 1e-4);
        }
    }
    CHECK_LT(100u, lame);
    fixture_free(&f);
}

// Half a ball of fat of 1 cm voxels on a plate of bone, all moved by one joint.
typedef struct breast {
    voxel_arrays voxels;
    oracle_input input;
    double bind[1][16];
    oracle* o;
    oracle_trs joint;
} breast;

#define BREAST_RADIUS 7.54
#define BREAST_ROOM   18

static void link_breast(breast* b) {
    for (uint32_t i = 0; i < b->input.voxel_count; ++i) {
        for (uint32_t j = 0; j < b->input.voxel_count; ++j) {
            int step[3], largest = 0;
            for (int k = 0; k < 3; ++k) {
                step[k] = b->voxels.cell[j][k] - b->voxels.cell[i][k];
                largest = abs(step[k]) > largest ? abs(step[k]) : largest;
            }
            if (largest == 1) {
                b->voxels.links[i] |= 1u << oracle_link_of(step[0], step[1], step[2]);
            }
        }
    }
}

static breast* breast_make(const oracle_lame* lame) {
    breast* b = calloc(1, sizeof *b);
    CHECK(b != NULL);
    b->voxels = voxel_arrays_make(BREAST_ROOM * BREAST_ROOM * BREAST_ROOM);
    uint32_t n = 0;
    for (int z = -1; z < 8; ++z) {
        for (int y = -9; y < 9; ++y) {
            for (int x = -9; x < 9; ++x) {
                const double dx = x + 0.5, dy = y + 0.5, dz = z < 0 ? 0 : z + 0.5;
                if (dx * dx + dy * dy + dz * dz <= BREAST_RADIUS * BREAST_RADIUS) {
                    int32_t* cell = b->voxels.cell[n];
                    cell[0] = x, cell[1] = y, cell[2] = z;
                    b->voxels.layer[n] = z < 0 ? 0 : 2;
                    b->voxels.material[n] = b->voxels.layer[n];
                    b->voxels.weight[n][0] = 1;
                    b->voxels.limit[n] = 100;
                    n += 1;
                }
            }
        }
    }
    voxel_arrays_show(&b->voxels, &b->input);
    b->input.voxel_count = n;
    link_breast(b);
    for (int k = 0; k < 4; ++k) {
        b->bind[0][5 * k] = 1;
    }
    b->input.joint_count = 1;
    b->input.bind = (const double(*)[16])b->bind;
    b->input.neighbours = 26;
    b->input.region_width = 3;
    b->input.voxel_metres = 0.01;
    b->input.extent_voxels = 15;
    b->input.stiffness_scale = 1;
    b->joint = (oracle_trs){{0, 0, 0}, QUAT_IDENTITY, {1, 1, 1}, {0, 0, 0}};
    oracle_settings settings = oracle_preset_settings(ORACLE_PRESET_DEFAULT);
    settings.lame = lame;
    const oracle_pose pose = {
        .kind = ORACLE_POSE_TRS, .trs = &b->joint, .root_rotation = {0, 0, 0, 1}, .root_scale = 1};
    b->o = oracle_create(&b->input, &settings, &pose);
    CHECK(b->o != NULL);
    return b;
}

static void breast_free(breast* b) {
    oracle_destroy(b->o);
    voxel_arrays_free(&b->voxels);
    free(b);
}

static double mean_fall(const breast* b, double* volume) {
    double sum = 0, count = 0;
    *volume = 0;
    for (uint32_t i = 0; i < b->input.voxel_count; ++i) {
        if (!oracle_is_bone(b->o, i)) {
            sum += b->o->p_skin_prev[i].x - b->o->p[i].x;
            *volume += oracle_stencil_volume(b->o, b->o->p, i) - 1;
            count += 1;
        }
    }
    *volume /= count;
    return sum / count;
}

// lambda = 200 mu: nu = lambda/(2 (lambda + mu)), E = 2 mu (1 + nu).
TLW_TEST(fat_sags_under_gravity_by_what_its_modulus_says_and_keeps_its_volume) {
    const double nu = 200.0 / 402, E = 2 * 1000 * (1 + nu);
    oracle_lame lame[ORACLE_LAYERS] = {[2] = {E, nu, 950}};
    breast* b = breast_make(lame);
    double sag[3], volume, largest = 0;
    for (int run = 0; run < 3; ++run) {
        // Gravity across; of twice the modulus; upside down for a shape that was modelled under it.
        lame[2].young_pa = run == 1 ? 2 * E : E;
        b->input.rest_gravity[0] = run == 2 ? 9.81 : 0;
        b->o->settings.gravity[0] = -9.81;
        oracle_reset(b->o);
        for (int n = 0; n < 100; ++n) {
            oracle_step(b->o, H, false);
            sag[run] = mean_fall(b, &volume);
            largest = fmax(largest, fabs(volume));
        }
        CHECK(run > 0 || fabs(volume) < 0.01);
    }
    printf("    sag %.3f, twice as stiff %.3f, upside down %.3f; volume %.4f at most\n", sag[0],
           sag[1], sag[2], largest);
    CHECK_NEAR(sag[0], 1.16, 0.12);
    CHECK_NEAR(sag[1] / sag[0], 0.5, 0.05);
    CHECK_NEAR(sag[2] / sag[0], 2, 0.1);
    // A sculpt under its own gravity does not move.
    b->input.rest_gravity[0] = -9.81;
    oracle_reset(b->o);
    for (int n = 0; n < 10; ++n) {
        oracle_step(b->o, H, false);
    }
    CHECK_EQ(mean_fall(b, &volume), 0.0);
    breast_free(b);
}
