// SPDX-License-Identifier: MIT
// Makes triangles of what is drawn over the picture.
#include "tools/view/overlay.h"

#include <math.h>
#include <stdlib.h>

#define DISC_SIDES 16
#define FULL       2.0f // texels: in the middle of those that are full
#define EDGE_SHARE 0.30f

typedef struct rectangle {
    float x, y, width, height;
} rectangle;

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
        overlay->corners[overlay->count++] = (tlw_overlay_corner){.x = places[i][0],
                                                                  .y = places[i][1],
                                                                  .u = FULL,
                                                                  .v = FULL,
                                                                  .r = colour.r,
                                                                  .g = colour.g,
                                                                  .b = colour.b,
                                                                  .share = share};
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

// Draws a part of the picture of letters in its own size.
static void add_part(tlw_overlay* overlay, const rectangle* from, float x, float y, tlw_rgb colour,
                     float share) {
    const size_t first = overlay->count;
    tlw_overlay_fill(overlay, x, y, from->width, from->height, colour, share);
    for (size_t i = first; i < overlay->count; ++i) {
        tlw_overlay_corner* corner = &overlay->corners[i];
        corner->u = from->x + (corner->x - x);
        corner->v = from->y + (corner->y - y);
    }
}

// Letters stand on whole pixels, where they are sharp.
static void add_word(tlw_overlay* overlay, float x, float y, const char* text, tlw_rgb colour,
                     float share) {
    for (const tlw_letter* l; (l = tlw_letters_next(overlay->letters, &text)) != NULL;) {
        const rectangle from = {(float)l->x, (float)l->y, (float)l->width, (float)l->height};
        if (l->width > 0 && l->height > 0) {
            add_part(overlay, &from, floorf(x + 0.5f) + (float)l->left,
                     floorf(y + 0.5f) + (float)l->top, colour, share);
        }
        x += l->advance;
    }
}

float tlw_overlay_label_width(const tlw_overlay* overlay, const char* text) {
    return overlay->letters ? tlw_letters_width(overlay->letters, text) : 0.0f;
}

void tlw_overlay_label(tlw_overlay* overlay, float x, float y, const char* text, tlw_rgb colour) {
    static const float around[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {1, 1}, {-1, -1}};
    static const tlw_rgb dark = {0.03f, 0.04f, 0.05f};
    if (overlay->letters == NULL) {
        return;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(around); ++i) {
        add_word(overlay, x + around[i][0], y + around[i][1], text, dark, EDGE_SHARE);
    }
    add_word(overlay, x, y, text, colour, 1.0f);
}
