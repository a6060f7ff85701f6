// SPDX-License-Identifier: MIT
// The ground's shadow of tallow-view: where it lies, how much it covers, and that it does not
// depend on how finely a body is divided into triangles.
#include "tests/test.h"
#include "tools/view/shade.h"

#include <math.h>
#include <string.h>

#define SIDE TLW_SHADE_SIDE

static tlw_shade shade, other;

// A light from -x at 45 degrees.
static void begin(tlw_shade* s) {
    const float half = sqrtf(0.5f);
    *s = (tlw_shade){.centre = {1.0f, 0.5f, -2.0f}, .reach = 1.6f, .towards = {-half, half, 0.0f}};
    tlw_shade_begin(s);
}

// A level square, divided into n * n cells of two triangles, that faces up or down.
static void add_square(tlw_shade* s, const float middle[3], float side, uint32_t n, bool is_up) {
    static float positions[65 * 65 * 3];
    static uint32_t indices[64 * 64 * 6];
    uint32_t count = 0;
    for (uint32_t row = 0; row <= n; ++row) {
        for (uint32_t column = 0; column <= n; ++column) {
            float* at = positions + (row * (n + 1) + column) * 3;
            at[0] = middle[0] + side * ((float)column / (float)n - 0.5f);
            at[1] = middle[1];
            at[2] = middle[2] + side * ((float)row / (float)n - 0.5f);
        }
    }
    for (uint32_t cell = 0; cell < n * n; ++cell) {
        const uint32_t low = cell / n * (n + 1) + cell % n, high = low + n + 1;
        const uint32_t up[6] = {low, high, low + 1, low + 1, high, high + 1};
        for (uint32_t k = 0; k < 6; ++k) {
            indices[count++] = up[is_up ? k : 5 - k];
        }
    }
    tlw_shade_add(s, positions, indices, count);
}

static double sum_of(const float* grid) {
    double sum = 0.0;
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        sum += (double)grid[i];
    }
    return sum;
}

static double key_sum(const tlw_shade* s) {
    return sum_of(s->key[0]) + sum_of(s->key[1]);
}

// The square of the ground that has a place.
static uint8_t shade_at(const tlw_shade* s, double x, double z) {
    const double scale = SIDE / (2.0 * (double)s->reach);
    const uint32_t column = (uint32_t)((x - (double)s->centre[0]) * scale + 0.5 * SIDE);
    const uint32_t row = (uint32_t)((z - (double)s->centre[2]) * scale + 0.5 * SIDE);
    return s->shade[row * SIDE + column];
}

TLW_TEST(view_shade_of_a_body_lies_where_the_light_throws_it) {
    const float middle[3] = {0.8f, 1.2f, -2.0f}; // 0.7 above the ground: 0.7 further along x
    begin(&shade);
    add_square(&shade, middle, 0.5f, 8, true);
    const double squares = 0.5 * 0.5 * pow(SIDE / (2.0 * (double)shade.reach), 2.0);
    CHECK_NEAR(key_sum(&shade), squares, 1e-3 * squares);
    tlw_shade_end(&shade);
    const uint8_t bright = shade_at(&shade, 0.0, -1.0);
    CHECK_EQ(bright, 255);
    CHECK(shade_at(&shade, 1.5, -2.0) < bright - 30);
    CHECK_EQ(shade_at(&shade, 0.8, -2.0), bright); // not below it
}

TLW_TEST(view_shade_does_not_depend_on_the_size_of_triangles) {
    const float middle[3] = {0.6f, 0.9f, -2.1f};
    begin(&shade);
    add_square(&shade, middle, 0.8f, 1, true);
    begin(&other);
    add_square(&other, middle, 0.8f, 64, true);
    CHECK_NEAR(key_sum(&shade), key_sum(&other), 1e-3 * key_sum(&other));
    tlw_shade_end(&shade);
    tlw_shade_end(&other);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        CHECK_NEAR(shade.shade[i], other.shade[i], 10);
    }
}

TLW_TEST(view_shade_is_thrown_once_by_a_closed_body) {
    const float low[3] = {0.8f, 0.9f, -2.0f}, high[3] = {0.8f, 0.95f, -2.0f};
    begin(&shade);
    add_square(&shade, high, 0.4f, 8, true);
    const double once = key_sum(&shade);
    add_square(&shade, low, 0.4f, 8, false);
    CHECK_EQ(key_sum(&shade), once);
}

TLW_TEST(view_shade_is_dark_below_what_is_near_the_ground) {
    const float near_ground[3] = {1.0f, 0.51f, -2.0f}, high[3] = {1.0f, 2.5f, -2.0f};
    begin(&shade);
    add_square(&shade, near_ground, 0.4f, 8, false);
    tlw_shade_end(&shade);
    begin(&other);
    add_square(&other, high, 0.4f, 8, false);
    tlw_shade_end(&other);
    CHECK(shade_at(&shade, 1.0, -2.0) < 220);
    CHECK(shade_at(&other, 1.0, -2.0) > 250);
}

TLW_TEST(view_shade_ignores_what_is_below_the_ground_or_far_away) {
    static const float places[][3] = {{1.0f, 0.4f, -2.0f}, {90.0f, 1.0f, 0.0f}, {1.0f, NAN, -2.0f}};
    begin(&shade);
    for (size_t i = 0; i < TLW_COUNT_OF(places); ++i) {
        add_square(&shade, places[i], 0.4f, 4, true);
        add_square(&shade, places[i], 0.4f, 4, false);
    }
    tlw_shade_end(&shade);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        CHECK_EQ(shade.shade[i], 255);
    }
}

TLW_TEST(view_shade_ends_bright_at_the_border) {
    begin(&shade);
    const float everywhere[3] = {1.0f, 0.6f, -2.0f};
    add_square(&shade, everywhere, 4.0f, 64, true);
    add_square(&shade, everywhere, 4.0f, 64, false);
    tlw_shade_end(&shade);
    for (uint32_t i = 0; i < SIDE; ++i) {
        CHECK_EQ(shade.shade[i], 255);
        CHECK_EQ(shade.shade[(SIDE - 1) * SIDE + i], 255);
        CHECK_EQ(shade.shade[i * SIDE], 255);
        CHECK_EQ(shade.shade[i * SIDE + SIDE - 1], 255);
    }
}
