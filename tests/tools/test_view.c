// SPDX-License-Identifier: MIT
// What tallow-view computes without a GPU: its camera, the values of its command line, and the
// triangles that it draws over a picture.
#include "tests/test.h"
#include "tools/view/camera.h"
#include "tools/view/options.h"
#include "tools/view/overlay.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 360 };

static const tlw_view_camera cameras[] = {
    {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 2.0f},
    {{0.3f, 0.9f, -0.2f}, 30.0f, 12.0f, 4.5f},
    {{-1.0f, 0.1f, 5.0f}, -250.0f, -20.0f, 0.4f},
    {{0.0f, 1.0f, 0.0f}, 77.0f, 89.0f, 30.0f},
};

// Points about a camera's target, within half its distance.
static void point_near(const tlw_view_camera* camera, int number, float point[3]) {
    for (int i = 0; i < 3; ++i) {
        point[i] =
            camera->target[i] + 0.28f * camera->distance * sinf((float)(number * 3 + i) * 1.7f);
    }
}

TLW_TEST(view_ray_through_a_projected_point_hits_it) {
    for (size_t c = 0; c < TLW_COUNT_OF(cameras); ++c) {
        for (int n = 0; n < 20; ++n) {
            float point[3], pixel[2], direction[3];
            double origin[3], along = 0.0, squared = 0.0;
            point_near(&cameras[c], n, point);
            CHECK(tlw_view_camera_project(&cameras[c], WIDTH, HEIGHT, point, pixel));
            tlw_view_camera_ray(&cameras[c], WIDTH, HEIGHT, pixel, origin, direction);
            for (int i = 0; i < 3; ++i) {
                along += ((double)point[i] - origin[i]) * (double)direction[i];
            }
            for (int i = 0; i < 3; ++i) {
                const double off = origin[i] + along * (double)direction[i] - (double)point[i];
                squared += off * off;
            }
            CHECK(along > 0.0);
            CHECK_NEAR(sqrt(squared), 0.0, 1e-5 * (double)cameras[c].distance);
        }
    }
}

TLW_TEST(view_matrix_puts_points_where_the_projection_does) {
    for (size_t c = 0; c < TLW_COUNT_OF(cameras); ++c) {
        float m[16];
        tlw_view_camera_matrix(&cameras[c], WIDTH, HEIGHT, m);
        for (int n = 0; n < 20; ++n) {
            float p[3], pixel[2], clip[4];
            point_near(&cameras[c], n, p);
            CHECK(tlw_view_camera_project(&cameras[c], WIDTH, HEIGHT, p, pixel));
            for (int i = 0; i < 4; ++i) {
                clip[i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
            }
            CHECK_NEAR((0.5f + 0.5f * clip[0] / clip[3]) * WIDTH, pixel[0], 0.02);
            CHECK_NEAR((0.5f - 0.5f * clip[1] / clip[3]) * HEIGHT, pixel[1], 0.02);
            CHECK(fabsf(clip[2] / clip[3]) < 1.0f);
        }
    }
}

TLW_TEST(view_camera_does_not_see_what_is_behind_it) {
    const tlw_view_axes axes = tlw_view_camera_axes(&cameras[1]);
    float behind[3], pixel[2];
    for (int i = 0; i < 3; ++i) {
        behind[i] = axes.eye[i] + 0.1f * axes.back[i];
    }
    CHECK(!tlw_view_camera_project(&cameras[1], WIDTH, HEIGHT, behind, pixel));
}

TLW_TEST(view_camera_fits_a_sphere_into_the_shorter_side) {
    const tlw_view_size sizes[] = {{WIDTH, HEIGHT}, {HEIGHT, WIDTH}};
    for (size_t s = 0; s < TLW_COUNT_OF(sizes); ++s) {
        tlw_view_camera camera = {.distance = 0.0f};
        camera.distance = tlw_view_camera_fit(0.5f, sizes[s].width, sizes[s].height, 0.5f);
        float pixel[2];
        const float edge[3] = {0.5f, 0.0f, 0.0f};
        CHECK(tlw_view_camera_project(&camera, sizes[s].width, sizes[s].height, edge, pixel));
        CHECK_NEAR(pixel[0] - 0.5f * (float)sizes[s].width, 0.25f * HEIGHT, 0.01);
    }
}

TLW_TEST(view_pan_moves_the_target_with_the_mouse) {
    tlw_view_camera camera = cameras[1];
    float before[3], pixel[2];
    memcpy(before, camera.target, sizeof before);
    tlw_view_camera_pan(&camera, HEIGHT, 40.0f, -25.0f);
    CHECK(tlw_view_camera_project(&camera, WIDTH, HEIGHT, before, pixel));
    CHECK_NEAR(pixel[0], 0.5f * WIDTH + 40.0f, 0.01);
    CHECK_NEAR(pixel[1], 0.5f * HEIGHT - 25.0f, 0.01);
}

TLW_TEST(view_orbit_and_zoom_stay_within_their_limits) {
    tlw_view_camera camera = cameras[1];
    tlw_view_camera_orbit(&camera, HEIGHT, 0.0f, 1e6f);
    CHECK_EQ(camera.pitch_degrees, TLW_VIEW_PITCH_HIGH);
    tlw_view_camera_orbit(&camera, HEIGHT, 1e5f, -1e6f);
    CHECK_EQ(camera.pitch_degrees, TLW_VIEW_PITCH_LOW);
    CHECK(fabsf(camera.yaw_degrees) < 360.0f);
    tlw_view_camera_zoom(&camera, 1000.0f);
    CHECK_EQ(camera.distance, TLW_VIEW_DISTANCE_LEAST);
    tlw_view_camera_zoom(&camera, -1000.0f);
    CHECK_EQ(camera.distance, TLW_VIEW_DISTANCE_MOST);
}

TLW_TEST(view_size_is_two_numbers_in_range) {
    tlw_view_size size = {1, 2};
    const char* const bad[] = {"",       "640",     "640x",      "x360",    "640X360", "15x360",
                               "640x15", "4097x16", "640x360x3", "640,360", "-64x360", "640x 360"};
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK(!tlw_view_parse_size(bad[i], &size));
    }
    CHECK_EQ(size.width, 1);
    CHECK(tlw_view_parse_size("4096x16", &size));
    CHECK_EQ(size.width, 4096);
    CHECK_EQ(size.height, 16);
}

TLW_TEST(view_camera_is_three_numbers_in_range) {
    tlw_view_camera camera = cameras[1];
    const char* const bad[] = {"",          "30",        "30,12",    "30,12,",
                               "30,12,4,5", "30,90,4",   "30,-21,4", "361,0,4",
                               "30,12,0",   "30,12,nan", "30 ,12,4", "a,b,c"};
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK(!tlw_view_parse_camera(bad[i], &camera));
    }
    CHECK_EQ(camera.yaw_degrees, 30.0f);
    CHECK(tlw_view_parse_camera("0,-20,0.05", &camera)); // the ends of what usage says
    CHECK(tlw_view_parse_camera("360,89,1000", &camera));
    CHECK(tlw_view_parse_camera("-45,7.5,3", &camera));
    CHECK_EQ(camera.yaw_degrees, -45.0f);
    CHECK_EQ(camera.pitch_degrees, 7.5f);
    CHECK_EQ(camera.distance, 3.0f);
    CHECK_EQ(camera.target[1], cameras[1].target[1]);
}

TLW_TEST(view_shows_what_is_listed_and_nothing_else) {
    tlw_view_shown shown = {0};
    const char* const bad[] = {"",   ",", "deviation,", "ghosts", "ghost,none", "deviation ghost",
                               "dev"};
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK(!tlw_view_parse_shown(bad[i], &shown));
    }
    CHECK(tlw_view_parse_shown("muscles,ghost", &shown));
    CHECK(shown.has_muscles && shown.has_ghost && shown.colour == TLW_VIEW_COLOUR_PLAIN);
    CHECK(tlw_view_parse_shown("deviation", &shown));
    CHECK(!shown.has_muscles && !shown.has_ghost && shown.colour == TLW_VIEW_COLOUR_DEVIATION);
    CHECK(tlw_view_parse_shown("voxels,layer,skinning", &shown));
    CHECK(shown.has_voxels && shown.has_skinning && shown.colour == TLW_VIEW_COLOUR_LAYER);
    CHECK(tlw_view_parse_shown("none", &shown));
    CHECK(!shown.has_muscles && !shown.has_ghost && shown.colour == TLW_VIEW_COLOUR_PLAIN);
}

TLW_TEST(view_pattern_has_a_place_for_exactly_one_number) {
    const char* const bad[] = {
        "",         "out.png",  "out_%d_%d.png", "out_%s.png", "out_%0d.png", "%",  "100%.png",
        "%d%%.png", "%-4d.png", "%12d.png",      "%4u.png",    "%04",         "%ld"};
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK(!tlw_view_pattern_is_good(bad[i]));
    }
    const struct {
        const char *pattern, *path;
    } good[] = {{"out_%04d.png", "out_0042.png"},
                {"%d", "42"},
                {"a/%3d", "a/ 42"},
                {"x%01d.png", "x42.png"}};
    for (size_t i = 0; i < TLW_COUNT_OF(good); ++i) {
        char path[32];
        CHECK(tlw_view_pattern_is_good(good[i].pattern));
        CHECK(tlw_view_pattern_path(good[i].pattern, 42, path, sizeof path));
        CHECK_STRING(path, good[i].path);
    }
    char small[12];
    CHECK(!tlw_view_pattern_path("out_%04d.png", 42, small, sizeof small));
}

TLW_TEST(view_overlay_has_a_rectangle_where_it_was_filled) {
    tlw_overlay overlay = {0};
    tlw_overlay_fill(&overlay, 10.0f, 20.0f, 30.0f, 5.0f, (tlw_rgb){1.0f, 0.5f, 0.0f}, 0.5f);
    CHECK_EQ(overlay.count, (size_t)6);
    for (size_t i = 0; i < overlay.count; ++i) {
        CHECK(overlay.corners[i].x == 10.0f || overlay.corners[i].x == 40.0f);
        CHECK(overlay.corners[i].y == 20.0f || overlay.corners[i].y == 25.0f);
        CHECK_EQ(overlay.corners[i].share, 0.5f);
    }
    float area = 0.0f; // of its triangles
    for (size_t i = 0; i < overlay.count; i += 3) {
        const tlw_overlay_corner *a = &overlay.corners[i], *b = a + 1, *c = a + 2;
        area += 0.5f * fabsf((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x));
    }
    CHECK_EQ(area, 150.0f);
    tlw_overlay_clear(&overlay);
    tlw_overlay_label(&overlay, 0.0f, 0.0f, "kg", (tlw_rgb){1.0f, 1.0f, 1.0f});
    CHECK_EQ(overlay.count, (size_t)0); // there are no letters
    tlw_overlay_free(&overlay);
}

// Checks that a letter lies wholly inside the picture of all letters, and counts its texels that
// are not black.
static uint32_t count_lit(const tlw_letters* l, const tlw_letter* letter) {
    uint32_t lit = 0;
    CHECK(letter->x + letter->width <= l->width && letter->y + letter->height <= l->height);
    for (uint32_t y = 0; y < letter->height; ++y) {
        for (uint32_t x = 0; x < letter->width; ++x) {
            lit += l->grey[(letter->y + y) * l->width + letter->x + x] > 0;
        }
    }
    return lit;
}

static void check_letters(const tlw_letters* l) {
    // Every letter but blanks shows something, and none has a part of another one: together they
    // show as many texels as the whole picture.
    uint64_t all = 0, of_letters = 16;
    for (size_t i = 0; i < (size_t)l->width * l->height; ++i) {
        all += l->grey[i] > 0;
    }
    for (uint32_t i = 0; i < TLW_COUNT_OF(l->list); ++i) {
        of_letters += count_lit(l, &l->list[i]);
    }
    CHECK_EQ(all, of_letters);
    for (char c = '!'; c <= '~'; ++c) {
        const char text[2] = {c, 0};
        const char* at = text;
        const tlw_letter* letter = tlw_letters_next(l, &at);
        CHECK(letter != NULL && count_lit(l, letter) > 0);
        CHECK(*at == 0);
    }
    CHECK(tlw_letters_width(l, "mm") > tlw_letters_width(l, "m"));
    CHECK_EQ(tlw_letters_width(l, ""), 0.0f);
    // A letter of two bytes is one; what is not Latin, or no UTF-8, is a question mark for each.
    CHECK_EQ(tlw_letters_width(l, "\xe4\xbd\x93"), tlw_letters_width(l, "?"));
    CHECK_EQ(tlw_letters_width(l, "\xff\xc3"), tlw_letters_width(l, "??"));
    const char *umlaut = "\xc3\xbc", *plain = "?";
    const tlw_letter* one = tlw_letters_next(l, &umlaut);
    CHECK(*umlaut == 0);
    CHECK(!l->has_font_file || one != tlw_letters_next(l, &plain));
}

TLW_TEST(view_letters_are_there_with_a_font_file_and_without) {
    static const uint32_t heights[] = {1, 13, 15, 23, 60, 1000};
    for (size_t i = 0; i < TLW_COUNT_OF(heights); ++i) {
        for (int is_plain = 0; is_plain < 2; ++is_plain) {
            tlw_letters* l = tlw_letters_create(heights[i], is_plain);
            CHECK(l != NULL && !(is_plain && l->has_font_file));
            check_letters(l);
            tlw_letters_free(l);
        }
    }
}

TLW_TEST(view_overlay_words_are_as_wide_as_their_letters) {
    tlw_letters* l = tlw_letters_create(15, true);
    tlw_overlay overlay = {.letters = l};
    tlw_overlay_label(&overlay, 100.0f, 50.0f, "kg", (tlw_rgb){1.0f, 1.0f, 1.0f});
    CHECK(overlay.count > 0);
    const float width = tlw_overlay_label_width(&overlay, "kg");
    for (size_t i = 0; i < overlay.count; ++i) {
        const tlw_overlay_corner* c = &overlay.corners[i];
        CHECK(c->x >= 99.0f && c->x <= 101.0f + width);
        CHECK(c->y >= 49.0f && c->y <= 51.0f + 2.0f * (float)l->pixels);
        CHECK(c->u >= 0.0f && c->u <= (float)l->width && c->v >= 0.0f && c->v <= (float)l->height);
    }
    tlw_overlay_free(&overlay);
    tlw_letters_free(l);
}
