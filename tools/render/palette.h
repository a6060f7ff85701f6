// SPDX-License-Identifier: MIT
// A palette of at most 256 colours for many pictures together. Colours are counted at 7 bits per
// channel; the box of colours with the largest squared error is split at its mean, until there are
// enough boxes. There is no dithering, which would flicker in motion and compress badly.
#ifndef TLW_TOOLS_RENDER_PALETTE_H
#define TLW_TOOLS_RENDER_PALETTE_H

#include "platform/base.h"

typedef struct tlw_palette {
    uint32_t count;
    uint8_t colours[256][3];
    struct tlw_palette_cells* cells; // counts, and the nearest colour of each cell
} tlw_palette;

// False if out of memory. Free the palette also then.
bool tlw_palette_begin(tlw_palette* palette);
void tlw_palette_free(tlw_palette* palette);
// Counts the colours of a picture, 3 bytes per pixel.
void tlw_palette_count(tlw_palette* palette, const uint8_t* rgb, size_t pixel_count);
// Chooses at most `count` colours. False if out of memory.
bool tlw_palette_choose(tlw_palette* palette, uint32_t count);
// The index of the colour that is nearest to a colour.
uint8_t tlw_palette_nearest(tlw_palette* palette, const uint8_t rgb[3]);

#endif
