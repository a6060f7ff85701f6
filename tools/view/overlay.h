// SPDX-License-Identifier: MIT
// What is drawn over the picture: rectangles, discs, thick lines and letters, as a list of
// triangles. Places are in pixels from the top left corner. Needs no GPU.
#ifndef TLW_TOOLS_VIEW_OVERLAY_H
#define TLW_TOOLS_VIEW_OVERLAY_H

#include "tools/render/picture.h"
#include "tools/view/letters.h"

typedef struct tlw_overlay_corner {
    float x, y;
    float u, v;           // in texels of the picture of letters, whose first ones are full
    float r, g, b, share; // sRGB; share 0: not seen, 1: opaque
} tlw_overlay_corner;

// Without memory, what is added is left out.
typedef struct tlw_overlay {
    tlw_overlay_corner* corners; // three for each triangle
    size_t count, capacity;
    const tlw_letters* letters; // the caller's; null: words are left out
} tlw_overlay;

void tlw_overlay_clear(tlw_overlay* overlay);
void tlw_overlay_free(tlw_overlay* overlay);

void tlw_overlay_fill(tlw_overlay* overlay, float x, float y, float width, float height,
                      tlw_rgb colour, float share);
void tlw_overlay_disc(tlw_overlay* overlay, const float centre[2], float radius, tlw_rgb colour,
                      float share);
void tlw_overlay_line(tlw_overlay* overlay, const float from[2], const float to[2], float width,
                      tlw_rgb colour, float share);
// Draws a word with its upper left corner at x, y in the overlay's letters. A dark edge makes it
// readable on any colour.
void tlw_overlay_label(tlw_overlay* overlay, float x, float y, const char* text, tlw_rgb colour);
float tlw_overlay_label_width(const tlw_overlay* overlay, const char* text);

#endif
