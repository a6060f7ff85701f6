// SPDX-License-Identifier: MIT
// How open places of simple bodies are, where it is known.
#include "tests/test.h"
#include "tools/view/openness.h"

#include <math.h>
#include <string.h>

enum { ROWS = 32, SHEET = (ROWS + 1) * (ROWS + 1), SHEETS = 2 };

static float positions[SHEETS * SHEET * 3], normals[SHEETS * SHEET * 3], openness[SHEETS * SHEET];
static uint32_t indices[SHEETS * ROWS * ROWS * 6];

static void add_indices(uint32_t sheet) {
    for (uint32_t cell = 0; cell < ROWS * ROWS; ++cell) {
        const uint32_t low = sheet * SHEET + cell / ROWS * (ROWS + 1) + cell % ROWS;
        const uint32_t high = low + ROWS + 1,
                       corners[6] = {low, high, low + 1, low + 1, high, high + 1};
        memcpy(indices + (sheet * ROWS * ROWS + cell) * 6, corners, sizeof corners);
    }
}

static void set_vertex(uint32_t vertex, float x, float y, float z, const float normal[3]) {
    const float place[3] = {x, y, z};
    memcpy(positions + vertex * 3, place, sizeof place);
    memcpy(normals + vertex * 3, normal, sizeof place);
}

// A ball, of which the sheet's columns are meridians. Its normals may point inwards.
static void make_ball(float radius, float sign) {
    for (uint32_t v = 0; v < SHEET; ++v) {
        const float across = 6.2831853f * (float)(v % (ROWS + 1)) / ROWS;
        const float down = 3.1415927f * (float)(v / (ROWS + 1)) / ROWS;
        const float n[3] = {sign * sinf(down) * cosf(across), sign * cosf(down),
                            sign * sinf(down) * sinf(across)};
        set_vertex(v, 3.0f + radius * sign * n[0], radius * sign * n[1], radius * sign * n[2], n);
    }
    add_indices(0);
}

static bool find(uint32_t sheets) {
    return tlw_view_openness(positions, normals, sheets * SHEET, indices, sheets * ROWS * ROWS * 6,
                             openness);
}

// A floor of 2 x 2 m, and a wall as large on its edge at x = -1.
static void make_floor_and_wall(void) {
    static const float up[3] = {0.0f, 1.0f, 0.0f}, along[3] = {1.0f, 0.0f, 0.0f};
    for (uint32_t v = 0; v < SHEET; ++v) {
        const float a = 2.0f * (float)(v % (ROWS + 1)) / ROWS,
                    b = 2.0f * (float)(v / (ROWS + 1)) / ROWS;
        set_vertex(v, a - 1.0f, 0.0f, b - 1.0f, up);
        set_vertex(SHEET + v, -1.0f, a, b - 1.0f, along);
    }
    add_indices(0);
    add_indices(1);
}

TLW_TEST(view_openness_of_a_ball_is_one_at_any_size) {
    static const float radii[] = {0.001f, 1.0f, 1000.0f};
    for (size_t r = 0; r < TLW_COUNT_OF(radii); ++r) {
        make_ball(radii[r], 1.0f);
        CHECK(find(1));
        for (uint32_t v = 0; v < SHEET; ++v) {
            CHECK_NEAR(openness[v], 1.0, 0.03);
        }
    }
}

TLW_TEST(view_openness_inside_of_a_ball_is_zero) {
    make_ball(0.5f, -1.0f);
    CHECK(find(1));
    for (uint32_t v = 0; v < SHEET; ++v) {
        CHECK_NEAR(openness[v], 0.0, 0.1);
    }
}

// What the wall leaves of the light from above a place on the floor, by rays whose density falls
// with their slope.
static double open_before_the_wall(const float* place) {
    enum { STEPS = 200 };
    uint32_t hits = 0;
    for (uint32_t ray = 0; ray < STEPS * STEPS; ++ray) {
        const double squared = (ray / STEPS + 0.5) / STEPS, flat = sqrt(squared);
        const double turn = 6.283185307 * (ray % STEPS + 0.5) / STEPS;
        const double x = flat * cos(turn), y = sqrt(1.0 - squared), z = flat * sin(turn);
        const double way = x < 0.0 ? (-1.0 - (double)place[0]) / x : 0.0;
        hits += way > 0.0 && way * y <= 2.0 && fabs((double)place[2] + way * z) <= 1.0;
    }
    return 1.0 - (double)hits / (STEPS * STEPS);
}

TLW_TEST(view_openness_before_a_wall_is_what_the_wall_leaves) {
    make_floor_and_wall();
    CHECK(find(2));
    const uint32_t middle = ROWS / 2 * (ROWS + 1);
    for (uint32_t column = 1; column < ROWS; ++column) { // not the edges, which are seen from below
        const uint32_t v = middle + column;
        CHECK_NEAR(openness[v], open_before_the_wall(positions + v * 3), 0.07);
    }
}

TLW_TEST(view_openness_is_the_same_each_time_and_between_0_and_1) {
    static float again[SHEETS * SHEET];
    make_floor_and_wall();
    CHECK(find(2));
    memcpy(again, openness, sizeof again);
    CHECK(find(2));
    CHECK_BYTES(openness, again, sizeof again);
    for (uint32_t v = 0; v < SHEETS * SHEET; ++v) {
        CHECK(openness[v] >= 0.0f && openness[v] <= 1.0f);
    }
}

TLW_TEST(view_openness_of_a_point_and_of_nothing_is_no_trouble) {
    static const float place[3] = {1.0f, 2.0f, 3.0f}, none[3] = {0.0f, 0.0f, 0.0f};
    static const uint32_t corners[3] = {0, 0, 0};
    float one = -1.0f;
    CHECK(tlw_view_openness(place, none, 1, corners, 3, &one));
    CHECK_EQ(one, 1.0f);
    CHECK(tlw_view_openness(NULL, NULL, 0, NULL, 0, NULL));
}
