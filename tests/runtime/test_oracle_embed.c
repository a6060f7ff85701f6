// SPDX-License-Identifier: MIT
// Checks the oracle's embedding (MODEL 5.2 to 5.4) against results that are known exactly, on
// points that are bound by hand to a box.
#include "tests/runtime/oracle/oracle_fixture.h"

#define POINTS 64

// Trilinear over voxel centres; points within half a voxel of the border take the nearest.
static oracle_bound_point bind_point(const small_input* small, oracle_vec x0) {
    oracle_bound_point point = {.rest = {x0.x, x0.y, x0.z}, .normal = {0.6, -0.48, 0.64}};
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

TLW_TEST(frames_are_exact_at_rest_and_under_rigid_motion) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point points[POINTS];
    oracle_vec x[POINTS], n[POINTS];
    bind_points(f.small, points);
    for (int k = 0; k < 3; ++k) {
        f.pose.root_rotation = quat_exp(vec(0, 1.5 * k, 0.4 * k));
        fixture_move(&f, vec(70, 0, -5));
        fixture_settle(&f);
        oracle_embed(f.o, ORACLE_EMBED_FRAMES, ORACLE_RELATIVE_TO_SKIN, points, POINTS, x, n);
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

TLW_TEST(delta_is_exactly_the_artist_s_skinning_when_nothing_jiggles) {
    for (uint32_t width = 2; width <= 3; ++width) {
        fixture f = fixture_make(SMALL_INPUT_box, width, 26, ORACLE_PRESET_DEFAULT);
        oracle_bound_point points[POINTS];
        oracle_vec x[POINTS], n[POINTS], m[POINTS];
        bind_points(f.small, points);
        const oracle_quat rotation = quat_exp(vec(0.5, 0.2, -0.3));
        small_input_bend(&f.pose, vec(0.5, 0.2, -0.3));
        fixture_settle(&f);
        oracle_embed(f.o, ORACLE_EMBED_DELTA, ORACLE_RELATIVE_TO_SKIN, points, POINTS, x, n);
        oracle_embed(f.o, ORACLE_EMBED_DELTA, ORACLE_RELATIVE_TO_RB, points, POINTS, x, m);
        const oracle_vec joint = vec_scale(f.pose.joints[1].translation, 20);
        double off = 0;
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
            off = fmax(off, vec_length(vec_sub(m[i], normal)));
        }
        CHECK_LT(0.01, off); // why MODEL 5.4 makes normals relative to the skinned lattice
        fixture_free(&f);
    }
}

TLW_TEST(delta_adds_the_voxels_deviations) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    oracle_bound_point points[POINTS];
    oracle_vec x[POINTS], still[POINTS];
    bind_points(f.small, points);
    fixture_settle(&f);
    oracle_embed(f.o, ORACLE_EMBED_DELTA, ORACLE_RELATIVE_TO_SKIN, points, POINTS, still, NULL);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        f.o->out_p[i] = vec_add(f.o->out_p[i], vec(0.25, 0, -0.5));
    }
    oracle_embed(f.o, ORACLE_EMBED_DELTA, ORACLE_RELATIVE_TO_SKIN, points, POINTS, x, NULL);
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
        for (int mode = 0; mode < 3; ++mode) {
            oracle_embed(f.o, mode == 0 ? ORACLE_EMBED_FRAMES : ORACLE_EMBED_DELTA,
                         mode == 1 ? ORACLE_RELATIVE_TO_SKIN : ORACLE_RELATIVE_TO_RB, points,
                         POINTS, x, n);
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
        oracle_embed(f.o, ORACLE_EMBED_FRAMES, ORACLE_RELATIVE_TO_SKIN, &point, 1, &x, &n);
        CHECK_LT(vec_length(vec_sub(n, expected)), 1e-9);
        oracle_embed(f.o, ORACLE_EMBED_DELTA, ORACLE_RELATIVE_TO_SKIN, &point, 1, &x, &n);
        CHECK_LT(vec_length(vec_sub(n, expected)), 1e-9);
        fixture_free(&f);
    }
}
