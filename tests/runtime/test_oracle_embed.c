// SPDX-License-Identifier: MIT
// Checks the oracle's embedding (MODEL 5.2 to 5.6) against results that are known exactly, on
// points that are bound by hand to a box.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <string.h>

#define POINTS 64

// Trilinear over voxel centres; points within half a voxel of the border take the nearest.
static oracle_bound_point bind_point(const small_input* small, oracle_vec x0) {
    oracle_bound_point point = {
        .rest = {x0.x, x0.y, x0.z}, .normal = {0.6, -0.48, 0.64}, .tangent = {0.8, 0.36, -0.48}};
    const int low[3] = {(int)floor(x0.x - 0.5), (int)floor(x0.y - 0.5), (int)floor(x0.z - 0.5)};
    const double f[3] = {x0.x - 0.5 - low[0], x0.y - 0.5 - low[1], x0.z - 0.5 - low[2]};
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        const uint32_t voxel =
            small_input_voxel_at(small, low[0] + d[0], low[1] + d[1], low[2] + d[2]);
        double w = voxel == ORACLE_NO_VOXEL ? 0 : 1;
        for (int a = 0; a < 3; ++a) {
            w *= d[a] ? f[a] : 1 - f[a];
        }
        point.voxel[k] = voxel;
        point.weight[k] = w;
        sum += w;
    }
    for (int k = 0; k < 8; ++k) {
        point.weight[k] /= sum;
    }
    point.joint[0] = 0, point.joint[1] = 1;
    point.skinning[0] = 0.3, point.skinning[1] = 0.7;
    return point;
}

static void bind_points(const small_input* small, oracle_bound_point points[POINTS]) {
    uint64_t seed = 31;
    for (int i = 0; i < POINTS; ++i) {
        const double x = 2.5 + 2.4 * random_unit(&seed), y = 2.5 + 2.4 * random_unit(&seed);
        points[i] = bind_point(small, vec(x, y, 3.5 + 3.4 * random_unit(&seed)));
    }
}

static oracle_vec in_model(const small_input* small, const oracle_bound_point* point) {
    return vec_add_scaled(vec_of(point->rest), 1 / small->input.voxel_metres,
                          vec_of(small->input.origin));
}

static void embed(const fixture* f, oracle_embedding embedding, const oracle_bound_point* points,
                  uint32_t count, oracle_vec* x, oracle_vec* n) {
    oracle_embed(f->o, &(oracle_embed_def){.embedding = embedding, .smoothing = 0.25}, points,
                 count, &(oracle_embedded){.positions = x, .normals = n});
}

TLW_TEST(frames_are_exact_at_rest_and_under_rigid_motion) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point points[POINTS];
    oracle_vec x[POINTS], n[POINTS];
    bind_points(f.small, points);
    for (int k = 0; k < 3; ++k) {
        f.pose.root_rotation = quat_exp(vec(0, 1.5 * k, 0.4 * k));
        fixture_move(&f, vec(70, 0, -5));
        fixture_settle(&f);
        embed(&f, ORACLE_EMBED_FRAMES, points, POINTS, x, n);
        for (int i = 0; i < POINTS; ++i) {
            const oracle_vec expected =
                quat_rotate(f.pose.root_rotation, in_model(f.small, &points[i]));
            CHECK_LT(vec_length(vec_sub(x[i], expected)), 1e-9);
            const oracle_vec normal = quat_rotate(f.pose.root_rotation, vec_of(points[i].normal));
            CHECK_LT(vec_length(vec_sub(n[i], normal)), 1e-9);
        }
    }
    fixture_free(&f);
}

TLW_TEST(delta_and_fit_are_exactly_the_artist_s_skinning_when_nothing_jiggles) {
    static const oracle_embedding modes[] = {ORACLE_EMBED_DELTA, ORACLE_EMBED_FIT};
    for (uint32_t k = 0; k < 4; ++k) {
        fixture f = fixture_make(SMALL_INPUT_box, 2 + k / 2, 26, ORACLE_PRESET_DEFAULT);
        oracle_bound_point points[POINTS];
        oracle_vec x[POINTS], n[POINTS];
        bind_points(f.small, points);
        const oracle_quat rotation = quat_exp(vec(0.5, 0.2, -0.3));
        small_input_bend(&f.pose, vec(0.5, 0.2, -0.3));
        fixture_settle(&f);
        embed(&f, modes[k % 2], points, POINTS, x, n);
        const oracle_vec joint = vec_scale(f.pose.joints[1].translation, 20);
        for (int i = 0; i < POINTS; ++i) {
            const oracle_vec rest = in_model(f.small, &points[i]);
            const oracle_vec rotated = vec_add(joint, quat_rotate(rotation, vec_sub(rest, joint)));
            CHECK_LT(vec_length(vec_sub(x[i], vec_lerp(rest, rotated, 0.7))), 1e-9);
            oracle_mat M = {0};
            const oracle_mat still = mat_of_quat(QUAT_IDENTITY), moved = mat_of_quat(rotation);
            mat_add_scaled(&M, 0.3, &still);
            mat_add_scaled(&M, 0.7, &moved);
            const oracle_mat cofactor = mat_cofactor(&M);
            oracle_vec normal = mat_apply(&cofactor, vec_of(points[i].normal));
            normal = vec_scale(normal, 1 / vec_length(normal));
            CHECK_LT(vec_length(vec_sub(n[i], normal)), 1e-9);
        }
        fixture_free(&f);
    }
}

TLW_TEST(delta_adds_the_voxels_deviations) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point points[POINTS];
    oracle_vec x[POINTS], still[POINTS];
    bind_points(f.small, points);
    fixture_settle(&f);
    embed(&f, ORACLE_EMBED_DELTA, points, POINTS, still, NULL);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        f.o->out_p[i] = vec_add(f.o->out_p[i], vec(0.25, 0, -0.5));
    }
    embed(&f, ORACLE_EMBED_DELTA, points, POINTS, x, NULL);
    for (int i = 0; i < POINTS; ++i) {
        CHECK_LT(vec_length(vec_sub(vec_sub(x[i], still[i]), vec(0.25, 0, -0.5))), 1e-12);
    }
    fixture_free(&f);
}

// The whole lattice is deformed by M, so every F is M and normals transform by its cofactor.
TLW_TEST(normals_of_a_deformed_lattice_transform_by_the_cofactor) {
    const oracle_mat M = {{{1.2, 0.3, 0}, {-0.2, 0.9, 0.1}, {0, 0.4, 1.1}}};
    const oracle_mat cofactor = mat_cofactor(&M);
    for (uint32_t width = 2; width <= 3; ++width) {
        fixture f = fixture_make(SMALL_INPUT_box, width, 26, ORACLE_PRESET_DEFAULT);
        oracle_bound_point points[POINTS];
        oracle_vec x[POINTS], n[POINTS];
        bind_points(f.small, points);
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            f.o->out_p[i] = mat_apply(&M, f.o->out_p[i]);
        }
        for (int mode = ORACLE_EMBED_DELTA; mode <= ORACLE_EMBED_FIT; ++mode) {
            embed(&f, (oracle_embedding)mode, points, POINTS, x, n);
            for (int i = 0; i < POINTS; ++i) {
                oracle_vec expected = mat_apply(&cofactor, vec_of(points[i].normal));
                expected = vec_scale(expected, 1 / vec_length(expected));
                CHECK_LT(vec_length(vec_sub(n[i], expected)), 1e-9);
            }
        }
        fixture_free(&f);
    }
}

TLW_TEST(normals_on_plates_and_rods_rotate_with_their_voxels) {
    static const small_input_kind kinds[] = {SMALL_INPUT_single, SMALL_INPUT_rod,
                                             SMALL_INPUT_plate};
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        fixture f = fixture_make(kinds[k], 3, 26, ORACLE_PRESET_DEFAULT);
        oracle_bound_point point = bind_point(f.small, vec(0.6, 0.4, 0.7));
        oracle_vec x, n;
        f.pose.root_rotation = quat_exp(vec(1, 0, 1));
        fixture_settle(&f);
        const oracle_quat rotation = quat_exp(vec(0, 0.7, 0));
        for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
            f.o->out_R[i] = quat_mul(rotation, f.o->out_R[i]);
        }
        const oracle_vec expected =
            quat_rotate(rotation, quat_rotate(f.pose.root_rotation, vec_of(point.normal)));
        embed(&f, ORACLE_EMBED_FRAMES, &point, 1, &x, &n);
        CHECK_LT(vec_length(vec_sub(n, expected)), 1e-9);
        embed(&f, ORACLE_EMBED_DELTA, &point, 1, &x, &n);
        CHECK_LT(vec_length(vec_sub(n, expected)), 1e-9);
        fixture_free(&f);
    }
}

// Fit repeats an affine field of deviations at every point, for any smoothing; the mean deviation
// does not, because half of the 2x2x2 centres are missing beside the surface.
TLW_TEST(fit_is_exact_on_an_affine_field_and_delta_is_not) {
    const oracle_mat M = {{{0.1, 0.2, 0}, {-0.2, 0.1, 0.1}, {0, -0.1, 0.2}}};
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point points[POINTS];
    oracle_vec u[POINTS];
    bind_points(f.small, points);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        f.o->out_p[i] = vec_add(f.o->out_p[i], mat_apply(&M, f.o->rest[i]));
    }
    double off[4];
    for (int k = 0; k < 4; ++k) {
        const oracle_embed_def def = {.embedding = k == 3 ? ORACLE_EMBED_DELTA : ORACLE_EMBED_FIT,
                                      .smoothing = 0.5 * k};
        oracle_embed(f.o, &def, points, POINTS, &(oracle_embedded){.deltas = u});
        off[k] = 0;
        for (int i = 0; i < POINTS; ++i) {
            const oracle_vec expected = mat_apply(&M, vec_of(points[i].rest));
            off[k] = fmax(off[k], vec_length(vec_sub(u[i], expected)));
        }
    }
    CHECK_LT(off[0], 1e-12);
    CHECK_LT(off[1], 1e-12);
    CHECK_LT(off[2], 1e-12);
    CHECK_LT(0.05, off[3]);
    fixture_free(&f);
}

// With smoothing 1 a single voxel that is off counts as one of its 27, with 0 for all of itself.
TLW_TEST(smoothing_takes_the_plane_through_the_neighbours) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t voxel = small_input_voxel_at(f.small, 2, 2, 2);
    double mass = 0;
    const bool is_bone = f.small->input.layer[voxel] == 0;
    for (int k = 0; k < 26; ++k) {
        CHECK(f.o->linked[voxel][k] != ORACLE_NO_VOXEL);
        mass += f.small->input.layer[f.o->linked[voxel][k]] == 0 ? 10 : 1;
    }
    mass += is_bone ? 10 : 1;
    f.o->out_p[voxel] = vec_add(f.o->out_p[voxel], vec(1, 0, 0));
    CHECK_NEAR(oracle_fit_voxel(f.o, voxel, 0).d.x, 1, 1e-12);
    const oracle_fit whole = oracle_fit_voxel(f.o, voxel, 1),
                     half = oracle_fit_voxel(f.o, voxel, 0.5);
    CHECK_NEAR(half.d.x, 0.5 * (1 + whole.d.x), 1e-12);
    CHECK_LE((is_bone ? 10 : 1) / mass, whole.d.x + 1e-12); // the plane leans towards the voxel
    CHECK_LT(whole.d.x, 0.9);
    CHECK_NEAR(whole.delta.x, 1, 1e-12);
    fixture_free(&f);
}

// Three points, each the ring of the others, on a plane: their deviations tilt it.
TLW_TEST(ring_normals_follow_the_slope_of_the_deviations) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point points[3];
    oracle_vec n[3], t[3];
    const oracle_vec places[3] = {{2.5, 2.5, 2.5}, {3.5, 2.5, 2.5}, {2.5, 3.5, 2.5}};
    for (int i = 0; i < 3; ++i) {
        points[i] = bind_point(f.small, places[i]); // at centres: each follows one voxel
        memcpy(points[i].normal, (double[]){0, 0, 2}, sizeof points[i].normal);
        memcpy(points[i].tangent, (double[]){0.6, 0.8, 0}, sizeof points[i].tangent);
    }
    const oracle_ring ring = {.neighbour = {1, 2}, .weight = {{1, 0}, {0, 1}}};
    const oracle_ring rings[3] = {ring, {{0}, {{0}}}, {{0}, {{0}}}};
    const oracle_embed_def def = {.embedding = ORACLE_EMBED_DELTA, .rings = rings};
    const oracle_embedded out = {.normals = n, .tangents = t};
    oracle_embed(f.o, &def, points, 3, &out);
    CHECK_LT(vec_length(vec_sub(n[0], vec(0, 0, 1))), 1e-12);
    CHECK_LT(vec_length(vec_sub(t[0], vec(0.6, 0.8, 0))), 1e-12);
    const uint32_t along_x = small_input_voxel_at(f.small, 3, 2, 2);
    f.o->out_p[along_x] = vec_add(f.o->out_p[along_x], vec(0, 0, 0.5)); // slope 1/2 along x
    oracle_embed(f.o, &def, points, 3, &out);
    const double length = sqrt(1.25);
    CHECK_LT(vec_length(vec_sub(n[0], vec(-0.5 / length, 0, 1 / length))), 1e-12);
    const oracle_vec tilted = {0.6, 0.8, 0.3};
    CHECK_LT(vec_length(vec_sub(t[0], vec_scale(tilted, 1 / vec_length(tilted)))), 1e-12);
    CHECK_LT(vec_length(vec_sub(n[1], vec(0, 0, 1))), 1e-12); // a ring without coefficients
    fixture_free(&f);
}

// Two domains of one centre each, and a seam between two rows.
TLW_TEST(rows_of_radial_basis_functions_and_their_seams_are_sums) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point centres[2] = {bind_point(f.small, vec(1.5, 1.5, 1.5)),
                                     bind_point(f.small, vec(3.5, 3.5, 3.5))};
    double inverses[2][2] = {{2, 3}, {5, 0}};
    oracle_rbf_domain domains[2] = {{0, 1, 0, 2, inverses[0]}, {1, 1, 8, 1, inverses[1]}};
    const oracle_rbf rbf = {.domain_count = 2,
                            .centre_count = 2,
                            .coefficient_count = 16,
                            .row_count = 3,
                            .seam_count = 2,
                            .seam_passes = 2,
                            .domains = domains,
                            .centres = centres,
                            .row_first = (uint32_t[]){0, 2, 3, 3},
                            .row_coefficient = (uint32_t[]){0, 1, 8},
                            .row_weight = (double[]){0.5, 0.25, 1},
                            .point_row = (uint32_t[]){0, 1, 2},
                            .seam_row = (uint32_t[]){0, 1},
                            .seam_first = (uint32_t[]){0, 1, 2},
                            .seam_neighbour = (uint32_t[]){1, 0},
                            .seam_weight = (double[]){1, 1},
                            .seam_share = 0.25};
    const uint32_t low = small_input_voxel_at(f.small, 1, 1, 1);
    const uint32_t high = small_input_voxel_at(f.small, 3, 3, 3);
    f.o->out_p[low] = vec_add(f.o->out_p[low], vec(1, 0, 0));
    f.o->out_p[high] = vec_add(f.o->out_p[high], vec(0, 0.1, 0));
    oracle_bound_point points[3];
    for (int i = 0; i < 3; ++i) {
        points[i] = bind_point(f.small, vec(2, 2, 2));
    }
    oracle_vec u[3];
    const oracle_embed_def def = {.embedding = ORACLE_EMBED_RBF, .rbf = &rbf};
    oracle_embed(f.o, &def, points, 3, &(oracle_embedded){.deltas = u});
    // Before the passes: (2/2 + 3/4, 0, 0) and (0, 0.5, 0). A pass brings both a quarter nearer to
    // each other, so their difference halves, and their mean stays.
    const oracle_vec a = {1.75, 0, 0}, b = {0, 0.5, 0};
    CHECK_LT(vec_length(vec_sub(u[0], vec_lerp(a, b, 0.375))), 1e-12);
    CHECK_LT(vec_length(vec_sub(u[1], vec_lerp(b, a, 0.375))), 1e-12);
    CHECK_LT(vec_length(u[2]), 1e-12); // an empty row
    fixture_free(&f);
}

TLW_TEST(auto_is_rbf_then_fit_then_frames) {
    CHECK_EQ(oracle_auto_embedding(true, true), ORACLE_EMBED_RBF);
    CHECK_EQ(oracle_auto_embedding(false, true), ORACLE_EMBED_FIT);
    CHECK_EQ(oracle_auto_embedding(false, false), ORACLE_EMBED_FRAMES);
}
