// SPDX-License-Identifier: MIT
// The rasteriser and its contact sheets, on meshes of a few triangles whose picture is known.
#include "tests/test.h"
#include "tools/render/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

static const tlw_rgb red = {0.9f, 0.1f, 0.1f}, blue = {0.1f, 0.1f, 0.9f};

// A square of side 2 about the origin at depth z, seen from +z, in two triangles.
typedef struct square {
    float positions[12];
    tlw_render_mesh mesh;
} square;

static const uint32_t square_indices[6] = {0, 1, 2, 0, 2, 3};

static void make_square(square* s, float z, float half, tlw_rgb colour) {
    const float corners[12] = {-half, -half, z, half, -half, z, half, half, z, -half, half, z};
    memcpy(s->positions, corners, sizeof corners);
    s->mesh = (tlw_render_mesh){.vertex_count = 4,
                                .index_count = 6,
                                .positions = s->positions,
                                .indices = square_indices,
                                .colour = colour};
}

static tlw_render_camera from_front(float height) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = camera.pitch_degrees = camera.field_degrees = 0.0f;
    camera.height = height;
    return camera;
}

static const tlw_render_area whole = {0, 0, SIDE, SIDE};

static tlw_picture blank(void) {
    tlw_picture picture;
    CHECK(tlw_picture_create(&picture, SIDE, SIDE));
    for (int i = 0; i < SIDE * SIDE; ++i) {
        picture.pixels[i] = (tlw_rgb){0.5f, 0.5f, 0.5f};
    }
    return picture;
}

static tlw_rgb at(const tlw_picture* picture, uint32_t x, uint32_t y) {
    return picture->pixels[(size_t)y * picture->width + x];
}

static bool is_background(tlw_rgb c) {
    return fabsf(c.r - 0.5f) < 1e-3f && fabsf(c.g - 0.5f) < 1e-3f && fabsf(c.b - 0.5f) < 1e-3f;
}

TLW_TEST(render_fills_a_square_where_it_lies_and_nothing_else) {
    tlw_picture picture = blank();
    square s;
    make_square(&s, 0.0f, 1.0f, red);
    const tlw_render_camera camera = from_front(4.0f); // the square is half as wide as the view
    CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
    for (uint32_t y = 0; y < SIDE; ++y) {
        for (uint32_t x = 0; x < SIDE; ++x) {
            const bool is_inside = x >= 17 && x < 47 && y >= 17 && y < 47;
            const bool is_outside = x < 15 || x >= 49 || y < 15 || y >= 49;
            if (is_inside || is_outside) {
                CHECK_EQ(is_background(at(&picture, x, y)), is_outside);
            }
        }
    }
    CHECK_LT(at(&picture, 32, 32).b, at(&picture, 32, 32).r);
    tlw_picture_free(&picture);
}

TLW_TEST(render_shows_the_nearer_of_two_whatever_comes_first) {
    for (int order = 0; order < 2; ++order) {
        tlw_picture picture = blank();
        square pair[2];
        make_square(&pair[0], 0.5f, 1.0f, red);
        make_square(&pair[1], -0.5f, 1.0f, red);
        // Both in one mesh, so that one depth buffer decides; their heat colours differ.
        float positions[24], heat[8];
        const int near_first = order == 0;
        memcpy(positions + (near_first ? 0 : 12), pair[0].positions, sizeof pair[0].positions);
        memcpy(positions + (near_first ? 12 : 0), pair[1].positions, sizeof pair[1].positions);
        for (int v = 0; v < 8; ++v) {
            heat[v] = (v < 4) == near_first ? 0.0f : 1.0f;
        }
        uint32_t indices[12];
        for (uint32_t i = 0; i < 12; ++i) {
            indices[i] = square_indices[i % 6] + i / 6 * 4;
        }
        const tlw_render_mesh both = {8, 12, positions, NULL, indices, heat, blue};
        const tlw_render_camera camera = from_front(4.0f);
        CHECK(tlw_render_draw(&picture, whole, &camera, &both));
        CHECK_LT(at(&picture, 32, 32).r, at(&picture, 32, 32).b); // the near square is cold: blue
        tlw_picture_free(&picture);
    }
}

TLW_TEST(render_looks_from_the_side_that_yaw_and_pitch_say) {
    // A small square off to +x: right of the middle from the front, in the middle from the side.
    square s;
    make_square(&s, 0.0f, 0.3f, red);
    for (int v = 0; v < 4; ++v) {
        s.positions[v * 3] += 1.0f;
    }
    tlw_picture picture = blank();
    tlw_render_camera camera = from_front(4.0f);
    CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
    CHECK(!is_background(at(&picture, 48, 32)));
    CHECK(is_background(at(&picture, 16, 32)));
    tlw_picture_free(&picture);
    // Seen from the back it is on the left.
    picture = blank();
    camera.yaw_degrees = 180.0f;
    CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
    CHECK(!is_background(at(&picture, 16, 32)));
    CHECK(is_background(at(&picture, 48, 32)));
    tlw_picture_free(&picture);
    // Seen from +x, a point at -z is on the right.
    make_square(&s, 0.0f, 0.3f, red);
    for (int v = 0; v < 4; ++v) {
        s.positions[v * 3 + 2] = s.positions[v * 3] - 1.0f;
        s.positions[v * 3] = 0.0f;
    }
    picture = blank();
    camera.yaw_degrees = 90.0f;
    CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
    CHECK(!is_background(at(&picture, 48, 32)));
    CHECK(is_background(at(&picture, 16, 32)));
    tlw_picture_free(&picture);
    // In a view from above, a point in front of the target is in the lower half.
    make_square(&s, 1.0f, 0.3f, red);
    picture = blank();
    camera = from_front(4.0f);
    camera.pitch_degrees = 45.0f;
    CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
    CHECK(!is_background(at(&picture, 32, 32 + 11)));
    CHECK(is_background(at(&picture, 32, 32 - 11)));
    tlw_picture_free(&picture);
}

TLW_TEST(render_in_perspective_makes_near_things_larger) {
    uint32_t filled[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        tlw_picture picture = blank();
        square s;
        make_square(&s, i ? 1.0f : -1.0f, 0.5f, red);
        tlw_render_camera camera = from_front(4.0f);
        camera.field_degrees = 40.0f;
        CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
        for (int p = 0; p < SIDE * SIDE; ++p) {
            filled[i] += !is_background(picture.pixels[p]);
        }
        tlw_picture_free(&picture);
    }
    CHECK_LT(filled[0] * 1.3, filled[1]);
}

TLW_TEST(render_lights_a_face_towards_the_light_more) {
    float brightness[2];
    for (int i = 0; i < 2; ++i) {
        tlw_picture picture = blank();
        square s;
        make_square(&s, 0.0f, 1.0f, red);
        float normals[12];
        for (int v = 0; v < 4; ++v) {
            normals[v * 3] = i ? 0.6f : -0.6f; // the key light comes from the left
            normals[v * 3 + 1] = i ? -0.5f : 0.5f;
            normals[v * 3 + 2] = 0.6f;
        }
        s.mesh.normals = normals;
        const tlw_render_camera camera = from_front(4.0f);
        CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
        brightness[i] = at(&picture, 32, 32).r;
        tlw_picture_free(&picture);
    }
    CHECK_LT(brightness[1] + 0.1f, brightness[0]);
}

TLW_TEST(render_throws_a_shadow_on_the_ground_only_where_asked) {
    for (int has_ground = 0; has_ground < 2; ++has_ground) {
        tlw_picture picture = blank();
        square s;
        make_square(&s, 0.0f, 0.5f, red);
        for (int v = 0; v < 4; ++v) { // lying flat, well above the ground
            s.positions[v * 3 + 2] = s.positions[v * 3 + 1];
            s.positions[v * 3 + 1] = 1.0f;
        }
        tlw_render_camera camera = from_front(4.0f);
        camera.pitch_degrees = 30.0f;
        camera.has_ground = has_ground != 0;
        camera.ground = -0.5f;
        CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
        uint32_t darker = 0;
        for (uint32_t y = 34; y < SIDE; ++y) {
            for (uint32_t x = 0; x < SIDE; ++x) {
                darker += at(&picture, x, y).r < 0.45f;
            }
        }
        CHECK_EQ(darker > 20, has_ground != 0);
        tlw_picture_free(&picture);
    }
}

TLW_TEST(render_leaves_out_what_is_not_finite_or_names_no_vertex) {
    const tlw_render_camera camera = from_front(4.0f);
    for (int mistake = 0; mistake < 2; ++mistake) {
        tlw_picture picture = blank();
        square s;
        make_square(&s, 0.0f, 1.0f, red);
        uint32_t indices[6];
        memcpy(indices, square_indices, sizeof indices);
        s.mesh.indices = indices;
        if (mistake == 0) {
            s.positions[3] = NAN; // used by the lower triangle only
        } else {
            s.mesh.vertex_count = 3;
            indices[1] = 3;
        }
        CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
        CHECK(tlw_render_outline(&picture, whole, &camera, &s.mesh, blue, 1.0f));
        CHECK(is_background(at(&picture, 40, 40)));
        CHECK_EQ(is_background(at(&picture, 24, 24)),
                 mistake == 1); // the other mistake affects both triangles
        tlw_picture_free(&picture);
    }
}

TLW_TEST(render_keeps_within_a_triangle) {
    const tlw_render_camera camera = from_front(4.0f);
    for (uint32_t first = 0; first < 3; ++first) { // whichever corner comes first
        tlw_picture picture = blank();
        square s;
        make_square(&s, 0.0f, 1.0f, red);
        const uint32_t indices[3] = {first, (first + 1) % 3, (first + 2) % 3};
        s.mesh.indices = indices;
        s.mesh.index_count = 3;
        CHECK(tlw_render_draw(&picture, whole, &camera, &s.mesh));
        CHECK(!is_background(at(&picture, 40, 40)));
        CHECK(is_background(at(&picture, 24, 24)));
        tlw_picture_free(&picture);
    }
}

TLW_TEST(render_cuts_an_area_off_where_the_picture_ends) {
    tlw_picture picture = blank();
    square s;
    make_square(&s, 0.0f, 1.0f, red);
    const tlw_render_camera camera = from_front(2.0f);
    const tlw_render_area beyond[] = {{32, 32, SIDE, SIDE}, {SIDE, 0, 8, 8}, {0, SIDE + 9, 8, 8}};
    for (size_t i = 0; i < TLW_COUNT_OF(beyond); ++i) {
        CHECK(tlw_render_draw(&picture, beyond[i], &camera, &s.mesh));
    }
    CHECK(is_background(at(&picture, 31, 31)));
    CHECK(!is_background(at(&picture, 48, 48)));
    tlw_picture_free(&picture);
}

TLW_TEST(render_outline_runs_along_the_edge_and_not_inside) {
    tlw_picture picture = blank();
    square s;
    make_square(&s, 0.0f, 1.0f, red);
    const tlw_render_camera camera = from_front(4.0f);
    CHECK(tlw_render_outline(&picture, whole, &camera, &s.mesh, blue, 1.0f));
    CHECK(is_background(at(&picture, 32, 32)));
    CHECK(is_background(at(&picture, 4, 4)));
    CHECK(!is_background(at(&picture, 16, 32)));
    CHECK(!is_background(at(&picture, 32, 47)));
    tlw_picture_free(&picture);
}

// From every side the picture is as large as the rectangle allows, and no larger.
TLW_TEST(render_fit_shows_all_points_and_wastes_nothing) {
    uint64_t state = 7;
    for (int round = 0; round < 20; ++round) {
        float points[90];
        for (int i = 0; i < 90; ++i) {
            points[i] =
                (float)(tlw_test_random(&state) % 1000) * 0.003f - (i % 3 == 1 ? 0.0f : 1.5f);
        }
        tlw_render_camera camera = tlw_default_render_camera();
        camera.yaw_degrees = (float)(tlw_test_random(&state) % 360);
        camera.field_degrees = round % 2 ? 25.0f : 0.0f;
        tlw_render_fit(&camera, points, 30, 1.0f);
        camera.height *= 1.25f; // a margin, because points that are cut off would not be seen
        uint32_t indices[30];
        for (uint32_t i = 0; i < 30; ++i) {
            indices[i] = i;
        }
        const tlw_render_mesh mesh = {30, 30, points, NULL, indices, NULL, red};
        tlw_picture picture = blank();
        CHECK(tlw_render_draw(&picture, whole, &camera, &mesh));
        uint32_t low[2] = {SIDE, SIDE}, high[2] = {0, 0};
        for (uint32_t y = 0; y < SIDE; ++y) {
            for (uint32_t x = 0; x < SIDE; ++x) {
                if (!is_background(at(&picture, x, y))) {
                    low[0] = x < low[0] ? x : low[0];
                    low[1] = y < low[1] ? y : low[1];
                    high[0] = x > high[0] ? x : high[0];
                    high[1] = y > high[1] ? y : high[1];
                }
            }
        }
        const uint32_t wide = high[0] - low[0], tall = high[1] - low[1];
        const double most = wide > tall ? wide : tall;
        CHECK_NEAR(most, SIDE / 1.25, 3.0);
        tlw_picture_free(&picture);
    }
    square wide;
    make_square(&wide, 0.0f, 1.0f, red);
    for (int v = 0; v < 4; ++v) {
        wide.positions[v * 3] *= 2.5f;
    }
    tlw_render_camera camera = from_front(3.0f);
    CHECK_NEAR((double)tlw_render_aspect(&camera, wide.positions, 4), 2.5, 1e-4);
    const float nowhere[3] = {NAN, 0.0f, 0.0f};
    tlw_render_fit(&camera, nowhere, 1, 1.0f);
    CHECK_EQ(camera.height, 3.0f);
}

TLW_TEST(render_normals_are_smooth_over_vertices_at_the_same_place) {
    // Two triangles that meet at a right angle and share no vertices.
    const float positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, -1};
    const uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
    float normals[18];
    CHECK(tlw_render_normals(positions, NULL, positions, 6, indices, 6, normals));
    for (int shared = 0; shared < 2; ++shared) {
        const float* a = normals + (shared ? 6 : 0);
        const float* b = normals + (shared ? 12 : 9);
        for (int axis = 0; axis < 3; ++axis) {
            CHECK_EQ(a[axis], b[axis]);
        }
    }
    CHECK_NEAR((double)normals[2], sqrt(0.5), 1e-6);
    CHECK_NEAR((double)normals[0], -sqrt(0.5), 1e-6);
    CHECK_NEAR((double)normals[3 + 2], 1.0, 1e-6); // a corner that only one triangle has
    // An edge that is hard at rest stays so.
    const float hard[18] = {0, 0, 1, 0, 0, 1, 0, 0, 1, -1, 0, 0, -1, 0, 0, -1, 0, 0};
    CHECK(tlw_render_normals(positions, hard, positions, 6, indices, 6, normals));
    for (int i = 0; i < 18; ++i) {
        CHECK_NEAR((double)normals[i], (double)hard[i], 1e-6);
    }
}

TLW_TEST(render_heat_runs_from_the_surface_to_hot_and_no_further) {
    const tlw_rgb cold = tlw_render_heat_colour(blue, 0.0f),
                  hot = tlw_render_heat_colour(blue, 1.0f);
    const tlw_rgb below = tlw_render_heat_colour(blue, -3.0f);
    const tlw_rgb above = tlw_render_heat_colour(blue, 9.0f);
    CHECK_EQ(cold.b, blue.b);
    CHECK_EQ(below.b, blue.b);
    CHECK_EQ(above.r, hot.r);
    CHECK_LT(hot.g, 0.2f);
    CHECK_EQ(tlw_render_heat_colour(blue, NAN).b, blue.b);
}

TLW_TEST(sheet_cells_do_not_overlap_and_lie_inside) {
    const tlw_sheet_def def = {
        .columns = 3, .rows = 2, .cell_width = 40, .cell_height = 50, .title = "title"};
    tlw_sheet sheet;
    CHECK_OK(tlw_sheet_create(&sheet, &def));
    tlw_render_area last = {0};
    for (uint32_t row = 0; row < 2; ++row) {
        for (uint32_t column = 0; column < 3; ++column) {
            const tlw_render_area cell = tlw_sheet_cell(&sheet, column, row);
            CHECK_EQ(cell.width, 40u);
            CHECK_LE(cell.x + cell.width, sheet.picture.width);
            CHECK_LT(cell.y + cell.height, sheet.picture.height);
            CHECK(column == 0 || cell.x >= last.x + last.width);
            CHECK(row == 0 || cell.y > tlw_sheet_cell(&sheet, column, 0).y + 50);
            last = cell;
        }
    }
    tlw_sheet_free(&sheet);
    const tlw_sheet_def large = {.columns = 40, .rows = 1, .cell_width = 200, .cell_height = 9};
    CHECK_EQ(tlw_sheet_create(&sheet, &large), TLW_ERROR_TOO_LARGE);
    tlw_sheet_free(&sheet);
}

static bool refuse(const void* bytes, size_t size, void* user) {
    (void)bytes;
    (void)size;
    *(int*)user += 1;
    return false;
}

TLW_TEST(picture_says_when_its_sink_refuses) {
    tlw_picture picture = blank();
    int calls = 0;
    CHECK_EQ(tlw_picture_write(&picture, refuse, &calls), TLW_ERROR_CANNOT_WRITE);
    CHECK_EQ(calls, 1);
    tlw_picture_free(&picture);
}
