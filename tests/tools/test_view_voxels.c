// SPDX-License-Identifier: MIT
// The cubes of tallow-view: which faces are made, which way they face, and where they stand.
#include "tests/test.h"
#include "tools/view/voxels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE, LAYERS = 3 };

static const double metres = 0.02;
static const float nowhere[3] = {0.0f, 0.0f, 0.0f};
static int16_t cells[COUNT * 3];
static uint8_t layers[COUNT];

// A full cube of SIDE voxels each way, in a shuffled order, with negative cells too.
static tlw_view_voxels* make_full_cube(void) {
    uint32_t order[COUNT];
    uint64_t random = 7;
    tlw_test_number(order, COUNT, TLW_TEST_SHUFFLED, &random);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t at[3] = {order[i] % SIDE, order[i] / SIDE % SIDE, order[i] / SIDE / SIDE};
        for (uint32_t axis = 0; axis < 3; ++axis) {
            cells[i * 3 + axis] = (int16_t)((int)at[axis] - 2);
        }
        layers[i] = (uint8_t)(at[0] % LAYERS);
    }
    const tlw_view_voxels_def def = {.voxel_count = COUNT,
                                     .cells = cells,
                                     .layers = layers,
                                     .layer_count = LAYERS,
                                     .origin = {0.5, 1.0, -2.0},
                                     .voxel_metres = metres};
    tlw_view_voxels* v = tlw_view_voxels_create(&def);
    CHECK(v != NULL);
    return v;
}

// Six times the volume inside the mesh, by the divergence theorem, and its surface.
static void measure(const tlw_view_voxels* v, double* volume, double* surface) {
    *volume = *surface = 0.0;
    for (uint32_t t = 0; t < v->index_count; t += 3) {
        double p[3][3], cross[3], across = 0.0, squared = 0.0;
        for (uint32_t k = 0; k < 3; ++k) {
            CHECK(v->indices[t + k] < v->vertex_count);
            for (uint32_t i = 0; i < 3; ++i) {
                p[k][i] = (double)v->positions[v->indices[t + k] * 3 + i];
            }
        }
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            cross[i] = (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) -
                       (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
            squared += cross[i] * cross[i];
            *volume += cross[i] * p[0][i] / 6.0;
            across += cross[i] * (double)v->normals[v->indices[t] * 3 + (uint32_t)i];
        }
        *surface += 0.5 * sqrt(squared);
        CHECK_NEAR(across / sqrt(squared), 1.0, 1e-5); // the normal is the triangle's
    }
}

TLW_TEST(view_voxels_show_only_faces_without_a_neighbour) {
    tlw_view_voxels* v = make_full_cube();
    CHECK_EQ(v->vertex_count, (uint32_t)(4 * 6 * SIDE * SIDE));
    CHECK_EQ(v->index_count, (uint32_t)(6 * 6 * SIDE * SIDE));
    double volume, surface;
    measure(v, &volume, &surface);
    CHECK_NEAR(volume, COUNT * metres * metres * metres, 1e-8);
    CHECK_NEAR(surface, 6 * SIDE * SIDE * metres * metres, 1e-6);
    tlw_view_voxels_free(v);
}

TLW_TEST(view_voxels_beyond_the_plane_are_left_out_and_the_cut_is_closed) {
    tlw_view_voxels* v = make_full_cube();
    const uint32_t faces_of_all = v->index_count / 6;
    for (int axis = 0; axis < 3; ++axis) {
        for (uint32_t kept = 0; kept <= SIDE; ++kept) {
            double volume, surface;
            tlw_view_voxels_cut(v, axis, (float)kept / SIDE);
            tlw_view_voxels_place(v, NULL, nowhere);
            measure(v, &volume, &surface);
            CHECK_EQ(v->index_count / 6, kept ? 2 * SIDE * SIDE + 4 * kept * SIDE : 0);
            CHECK_NEAR(volume, kept * SIDE * SIDE * metres * metres * metres, 1e-8);
            const float edge = (float)(kept ? (-2.0 + kept) * metres : 0.0);
            float greatest = -FLT_MAX;
            for (uint32_t at = 0; at < v->vertex_count; ++at) {
                greatest = fmaxf(greatest, v->positions[at * 3 + (uint32_t)axis]);
            }
            if (kept) {
                const float origin[3] = {0.5f, 1.0f, -2.0f};
                CHECK_NEAR(greatest, origin[axis] + edge, 1e-6);
            }
        }
    }
    tlw_view_voxels_cut(v, 1, 1.0f);
    CHECK_EQ(v->index_count / 6, faces_of_all);
    tlw_view_voxels_free(v);
}

TLW_TEST(view_voxels_have_a_new_stamp_exactly_when_their_faces_change) {
    tlw_view_voxels* v = make_full_cube();
    CHECK(v->stamp != 0);
    const uint64_t first = v->stamp;
    tlw_view_voxels_place(v, NULL, nowhere);
    tlw_view_voxels_cut(v, 2, 0.5f);
    const uint64_t second = v->stamp;
    CHECK(second != first);
    tlw_view_voxels_cut(v, 2, 0.5f);
    CHECK_EQ(v->stamp, second);
    tlw_view_voxels_cut(v, 1, 0.5f);
    CHECK(v->stamp != second);
    tlw_view_voxels* other = make_full_cube();
    CHECK(other->stamp != first && other->stamp != v->stamp);
    tlw_view_voxels_free(other);
    tlw_view_voxels_free(v);
}

// A quarter of a turn about z and a shift: each place lies where the matrix puts the one at rest.
TLW_TEST(view_voxels_stand_where_their_matrices_put_them) {
    static float lattice[COUNT * 12], rest[COUNT * 6 * 12], normals[COUNT * 6 * 12];
    const float turn[12] = {0, -1, 0, 0.25f, 1, 0, 0, -0.5f, 0, 0, 1, 0.125f};
    const float root[3] = {10.0f, 0.0f, -3.0f};
    tlw_view_voxels* v = make_full_cube();
    memcpy(rest, v->positions, (size_t)v->vertex_count * 3 * sizeof *rest);
    memcpy(normals, v->normals, (size_t)v->vertex_count * 3 * sizeof *normals);
    for (size_t i = 0; i < COUNT; ++i) {
        memcpy(lattice + i * 12, turn, sizeof turn);
    }
    tlw_view_voxels_place(v, lattice, root);
    for (size_t at = 0; at < (size_t)v->vertex_count * 3; at += 3) {
        for (size_t row = 0; row < 3; ++row) {
            const float* m = turn + row * 4;
            double moved = (double)m[3] + (double)root[row], turned = 0.0;
            for (size_t i = 0; i < 3; ++i) {
                moved += (double)(m[i] * rest[at + i]);
                turned += (double)(m[i] * normals[at + i]);
            }
            CHECK_NEAR(v->positions[at + row], moved, 1e-5);
            CHECK_NEAR(v->normals[at + row], turned, 1e-5);
        }
    }
    tlw_view_voxels_free(v);
}

TLW_TEST(view_voxels_have_the_colour_of_their_layer) {
    const tlw_view_voxels_def one = {.voxel_count = 1,
                                     .cells = (const int16_t[3]){0, 0, 0},
                                     .layers = (const uint8_t[1]){1},
                                     .layer_count = 4,
                                     .voxel_metres = metres};
    tlw_view_voxels* v = tlw_view_voxels_create(&one);
    float colour[3];
    tlw_view_voxels_colour(1, 4, colour);
    for (uint32_t at = 0; at < v->vertex_count; ++at) {
        for (uint32_t i = 0; i < 3; ++i) {
            CHECK_NEAR(v->colours[at * 4 + i], colour[i] * 255.0f, 0.5);
        }
        CHECK_EQ(v->colours[at * 4 + 3], 255);
    }
    tlw_view_voxels_free(v);
}

// How much two colours differ to people without one kind of cones, after Vienot, Brettel and Mollon
// 1999: the confused colours are projected, in linear RGB.
static double difference_without(const double rows[2][3], const float a[3], const float b[3]) {
    double squared = 0.0;
    for (int row = 0; row < 2; ++row) {
        double way = 0.0;
        for (int i = 0; i < 3; ++i) {
            way += rows[row][i] * (pow((double)a[i], 2.2) - pow((double)b[i], 2.2));
        }
        squared += way * way;
    }
    return sqrt(squared);
}

TLW_TEST(view_voxels_colours_of_layers_differ_for_the_colour_blind) {
    static const double protanope[2][3] = {{0.11238, 0.88762, 0.0}, {0.00401, -0.00401, 1.0}};
    static const double deuteranope[2][3] = {{0.29275, 0.70725, 0.0}, {-0.02234, 0.02234, 1.0}};
    for (uint32_t count = 2; count <= 5; ++count) {
        for (uint32_t layer = 0; layer < count; ++layer) {
            for (uint32_t other = 0; other < layer; ++other) {
                float a[3], b[3];
                tlw_view_voxels_colour(layer, count, a);
                tlw_view_voxels_colour(other, count, b);
                CHECK(difference_without(protanope, a, b) > 0.1);
                CHECK(difference_without(deuteranope, a, b) > 0.1);
            }
        }
    }
}

TLW_TEST(view_voxels_may_be_none) {
    const tlw_view_voxels_def none = {.voxel_metres = metres, .layer_count = 1};
    tlw_view_voxels* v = tlw_view_voxels_create(&none);
    CHECK(v != NULL);
    tlw_view_voxels_cut(v, 1, 0.5f);
    tlw_view_voxels_place(v, NULL, nowhere);
    CHECK_EQ(v->index_count, 0);
    tlw_view_voxels_free(v);
}
