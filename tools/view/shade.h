// SPDX-License-Identifier: MIT
// The shadow of bodies on the ground as a small grey picture, for drivers that draw on the CPU: a
// soft shadow of the key light, and the darker place below what is near the ground. Triangles are
// summed into squares of the ground and blurred, which costs a tenth of a depth map and its
// comparisons. Needs no GPU.
#ifndef TLW_TOOLS_VIEW_SHADE_H
#define TLW_TOOLS_VIEW_SHADE_H

#include "platform/base.h"

#define TLW_SHADE_SIDE 128u

// The picture covers a square of the ground; `shade` is row by row along x, from the least z.
typedef struct tlw_shade {
    float centre[3];  // of the square, on the ground, metres
    float reach;      // from the centre to a side, metres
    float towards[3]; // the key light; of length 1, and above the ground
    float key[2][TLW_SHADE_SIDE * TLW_SHADE_SIDE];  // covered share, thrown by what is low and high
    float contact[TLW_SHADE_SIDE * TLW_SHADE_SIDE]; // covered share of the sky
    uint8_t shade[TLW_SHADE_SIDE * TLW_SHADE_SIDE]; // factor of the ground's sRGB values
    // Outside of this rectangle `shade` is bright. From 0 to 1 across the picture; empty if low is
    // not below high.
    float low[2], high[2];
} tlw_shade;

// Begins with bright ground. Set centre, reach and towards before.
void tlw_shade_begin(tlw_shade* shade);
// What lies below the ground throws no shadow. Triangles are counterclockwise from outside.
void tlw_shade_add(tlw_shade* shade, const float* positions, const uint32_t* indices,
                   uint32_t index_count);
// Blurs, and writes `shade`. Its border is bright.
void tlw_shade_end(tlw_shade* shade);

#endif
