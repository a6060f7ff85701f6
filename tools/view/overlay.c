// SPDX-License-Identifier: MIT
// Makes triangles of what is drawn over the picture. Letters come from stb_easy_font, which needs
// no font file.
#include "tools/view/overlay.h"

#include <stb/stb_easy_font.h>

#include <math.h>
#include <stdlib.h>

#define DISC_SIDES  16
#define LETTERS_MAX 160

void tlw_overlay_clear(tlw_overlay* overlay) {
    overlay->count = 0;
}

void tlw_overlay_free(tlw_overlay* overlay) {
    free(overlay->corners);
    *overlay = (tlw_overlay){0};
}

static void add_triangle(tlw_overlay* overlay, const float a[2], const float b[2], const float c[2],
                         tlw_rgb colour, float share) {
    if (overlay->count + 3 > overlay->capacity) {
        const size_t capacity = overlay->capacity ? overlay->capacity * 2 : 3 * 1024;
        tlw_overlay_corner* grown = realloc(overlay->corners, capacity * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        overlay->corners = grown;
        overlay->capacity = capacity;
    }
    const float* places[3] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
        overlay->corners[overlay->count++] =
            (tlw_overlay_corner){places[i][0], places[i][1], colour.r, colour.g, colour.b, share};
    }
}

void tlw_overlay_fill(tlw_overlay* overlay, float x, float y, float width, float height,
                      tlw_rgb colour, float share) {
    const float a[2] = {x, y}, b[2] = {x + width, y}, c[2] = {x + width, y + height};
    const float d[2] = {x, y + height};
    add_triangle(overlay, a, b, c, colour, share);
    add_triangle(overlay, a, c, d, colour, share);
}

void tlw_overlay_disc(tlw_overlay* overlay, const float centre[2], float radius, tlw_rgb colour,
                      float share) {
    float last[2] = {centre[0] + radius, centre[1]};
    for (int i = 1; i <= DISC_SIDES; ++i) {
        const float angle = 6.2831853f * (float)i / DISC_SIDES;
        const float next[2] = {centre[0] + radius * cosf(angle), centre[1] + radius * sinf(angle)};
        add_triangle(overlay, centre, last, next, colour, share);
        last[0] = next[0];
        last[1] = next[1];
    }
}

void tlw_overlay_line(tlw_overlay* overlay, const float from[2], const float to[2], float width,
                      tlw_rgb colour, float share) {
    const float dx = to[0] - from[0], dy = to[1] - from[1], length = sqrtf(dx * dx + dy * dy);
    if (!(length > 0.0f)) {
        return;
    }
    const float x = -dy / length * 0.5f * width, y = dx / length * 0.5f * width;
    const float a[2] = {from[0] + x, from[1] + y}, b[2] = {to[0] + x, to[1] + y};
    const float c[2] = {to[0] - x, to[1] - y}, d[2] = {from[0] - x, from[1] - y};
    add_triangle(overlay, a, b, c, colour, share);
    add_triangle(overlay, a, c, d, colour, share);
}

// The font only has ASCII, and names may be any bytes.
static void to_letters(char letters[LETTERS_MAX + 1], const char* text) {
    size_t i = 0;
    for (; i < LETTERS_MAX && text[i] != 0; ++i) {
        letters[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    }
    letters[i] = 0;
}

float tlw_overlay_label_width(float scale, const char* text) {
    char letters[LETTERS_MAX + 1];
    to_letters(letters, text);
    return scale * (float)stb_easy_font_width(letters);
}

void tlw_overlay_label(tlw_overlay* overlay, float x, float y, float scale, const char* text,
                       tlw_rgb colour) {
    static struct {
        float x, y, z;
        uint8_t colour[4];
    } corners[LETTERS_MAX * 80]; // 20 rectangles per letter; stb stops when it is full
    char letters[LETTERS_MAX + 1];
    to_letters(letters, text);
    const int count = stb_easy_font_print(0.0f, 0.0f, letters, NULL, corners, (int)sizeof corners);
    for (int i = 0; i < count; ++i) {
        const float left = corners[i * 4].x, top = corners[i * 4].y;
        tlw_overlay_fill(overlay, x + left * scale, y + top * scale,
                         (corners[i * 4 + 2].x - left) * scale,
                         (corners[i * 4 + 2].y - top) * scale, colour, 1.0f);
    }
}
