// SPDX-License-Identifier: MIT
// Sums triangles into the squares of the ground that their shadows cover, and blurs.
#include "tools/view/shade.h"

#include <math.h>
#include <string.h>

#define SIDE        ((int)TLW_SHADE_SIDE)
#define SAMPLES_MAX 32    // along an edge of a large triangle
#define HIGH        0.6f  // in reaches, from where a shadow is as soft as it gets
#define NEAR        0.10f // in reaches, below which a body darkens the ground under it
#define KEY_SHARE   0.52f // of the light on the ground
#define SKY_SHARE   0.40f

void tlw_shade_begin(tlw_shade* s) {
    memset(s->key, 0, sizeof s->key);
    memset(s->contact, 0, sizeof s->contact);
}

// Adds to the four squares about a place, by their distance. x and y are in squares.
static void splat(float* grid, float x, float y, float amount) {
    const float left = floorf(x - 0.5f), low = floorf(y - 0.5f);
    if (!(left >= 0.0f && low >= 0.0f && left < (float)(SIDE - 1) && low < (float)(SIDE - 1))) {
        return;
    }
    const float across = x - 0.5f - left, up = y - 0.5f - low;
    float* at = grid + (int)low * SIDE + (int)left;
    at[0] += amount * (1.0f - across) * (1.0f - up);
    at[1] += amount * across * (1.0f - up);
    at[SIDE] += amount * (1.0f - across) * up;
    at[SIDE + 1] += amount * across * up;
}

// One place of a body, at a height above the ground. `lit` and `above` are squares of the ground
// that it covers, seen along the key light and from above.
static void add_place(tlw_shade* s, const float place[3], float lit, float above) {
    const float height = place[1] - s->centre[1];
    const float scale = (float)SIDE / (2.0f * s->reach), middle = 0.5f * (float)SIDE;
    const float x = (place[0] - s->centre[0]) * scale + middle;
    const float y = (place[2] - s->centre[2]) * scale + middle;
    if (!(height >= 0.0f)) {
        return;
    }
    if (lit > 0.0f) {
        const float slope = height * scale / s->towards[1];
        const float soft = fminf(height / (HIGH * s->reach), 1.0f);
        const float to_x = x - s->towards[0] * slope, to_y = y - s->towards[2] * slope;
        splat(s->key[0], to_x, to_y, lit * (1.0f - soft));
        splat(s->key[1], to_x, to_y, lit * soft);
    }
    if (above > 0.0f) {
        const float far = height / (NEAR * s->reach);
        splat(s->contact, x, y, above / (1.0f + far * far));
    }
}

// A triangle that covers several squares is added in as many places.
static void add_triangle(tlw_shade* s, const float* a, const float* b, const float* c) {
    float e[3], f[3], place[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = b[i] - a[i];
        f[i] = c[i] - a[i];
    }
    const float scale = (float)SIDE / (2.0f * s->reach), half = 0.5f * scale * scale;
    const float n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2],
                        e[0] * f[1] - e[1] * f[0]};
    const float lit =
        half * (n[0] * s->towards[0] + n[1] * s->towards[1] + n[2] * s->towards[2]) / s->towards[1];
    const float above = -half * n[1]; // what faces the ground
    const float most = fmaxf(lit, above);
    if (!(most > 0.0f)) {
        return;
    }
    const int parts = most <= 1.0f ? 1 : (int)fminf(ceilf(sqrtf(most)), (float)SAMPLES_MAX);
    const float share = 1.0f / (float)(parts * parts);
    for (int row = 0; row < parts; ++row) {
        // Small triangles like the large one: `parts - row` that stand, and one less between them.
        for (int k = 0; k < 2 * (parts - row) - 1; ++k) {
            const float third = k % 2 ? 2.0f / 3.0f : 1.0f / 3.0f;
            const float u = ((float)(k / 2) + third) / (float)parts;
            const float v = ((float)row + third) / (float)parts;
            for (int i = 0; i < 3; ++i) {
                place[i] = a[i] + u * e[i] + v * f[i];
            }
            add_place(s, place, lit * share, above * share);
        }
    }
}

void tlw_shade_add(tlw_shade* s, const float* positions, const uint32_t* indices,
                   uint32_t index_count) {
    for (uint32_t t = 0; t + 2 < index_count; t += 3) {
        add_triangle(s, positions + (size_t)indices[t] * 3, positions + (size_t)indices[t + 1] * 3,
                     positions + (size_t)indices[t + 2] * 3);
    }
}

// The mean of 2 radius + 1 squares along a row or a column, by a running sum; bright outside.
static void blur_line(float* line, int stride, int radius) {
    float copy[TLW_SHADE_SIDE], sum = 0.0f;
    for (int i = 0; i < SIDE; ++i) {
        copy[i] = line[i * stride];
    }
    for (int i = 0; i < radius; ++i) {
        sum += copy[i];
    }
    for (int i = 0; i < SIDE; ++i) {
        sum += i + radius < SIDE ? copy[i + radius] : 0.0f;
        line[i * stride] = sum / (float)(2 * radius + 1);
        sum -= i >= radius ? copy[i - radius] : 0.0f;
    }
}

// Twice, which is nearly a bell.
static void blur(float* grid, int radius) {
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < SIDE; ++i) {
            blur_line(grid + i * SIDE, 1, radius);
        }
        for (int i = 0; i < SIDE; ++i) {
            blur_line(grid + i, SIDE, radius);
        }
    }
}

// One square larger on each side, as shade is read smoothly.
static void find_rectangle(tlw_shade* s) {
    int low[2] = {SIDE, SIDE}, high[2] = {0, 0};
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            if (s->shade[y * SIDE + x] < 255) {
                low[0] = x < low[0] ? x : low[0];
                low[1] = y < low[1] ? y : low[1];
                high[0] = x > high[0] ? x : high[0];
                high[1] = y > high[1] ? y : high[1];
            }
        }
    }
    for (int i = 0; i < 2; ++i) {
        s->low[i] = fmaxf((float)(low[i] - 1) / (float)SIDE, 0.0f);
        s->high[i] = fminf((float)(high[i] + 2) / (float)SIDE, 1.0f);
    }
}

void tlw_shade_end(tlw_shade* s) {
    uint8_t encoded[257]; // of light from 0 to 1
    for (int i = 0; i <= 256; ++i) {
        encoded[i] = (uint8_t)(powf((float)i / 256.0f, 1.0f / 2.2f) * 255.0f + 0.5f);
    }
    // Several surfaces may lie above each other; a square is covered once at most.
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const float both = s->key[0][i] + s->key[1][i], most = both > 1.0f ? 1.0f / both : 1.0f;
        s->key[0][i] *= most;
        s->key[1][i] *= most;
        s->contact[i] = fminf(s->contact[i], 1.0f);
    }
    blur(s->key[0], 1);
    blur(s->key[1], 3);
    blur(s->contact, 3);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int x = i % SIDE, y = i / SIDE;
        const int edge = (int)fminf(fminf((float)x, (float)y),
                                    fminf((float)(SIDE - 1 - x), (float)(SIDE - 1 - y)));
        const float fade = fminf((float)edge / 12.0f, 1.0f);
        const float key = fminf(s->key[0][i] + s->key[1][i], 1.0f);
        const float hidden =
            fade * (KEY_SHARE * key + SKY_SHARE * fminf(1.6f * s->contact[i], 1.0f));
        s->shade[i] = encoded[(int)((1.0f - hidden) * 256.0f)];
    }
    find_rectangle(s);
}
