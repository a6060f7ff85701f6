// SPDX-License-Identifier: MIT
// A small canvas of floats in display space (sRGB): rectangles, discs, labels, and output as PNG.
#ifndef TLW_TOOLS_RENDER_PICTURE_H
#define TLW_TOOLS_RENDER_PICTURE_H

#include "platform/base.h"
#include "platform/file.h"
#include "platform/result.h"

#define TLW_PICTURE_SIDE_MAX 4096u

typedef struct tlw_rgb {
    float r, g, b; // sRGB, 0 to 1
} tlw_rgb;

typedef struct tlw_picture {
    uint32_t width, height;
    tlw_rgb* pixels;
} tlw_picture;

// Filled with the background, a soft light on dark slate. False if out of memory.
bool tlw_picture_create(tlw_picture* picture, uint32_t width, uint32_t height);
void tlw_picture_free(tlw_picture* picture);

// Receives a PNG piece by piece. After it has returned false it is not called again.
typedef bool tlw_picture_sink(const void* bytes, size_t size, void* user);
// TLW_OK, TLW_ERROR_OUT_OF_MEMORY, or TLW_ERROR_CANNOT_WRITE if the sink returned false.
tlw_result tlw_picture_write(const tlw_picture* picture, tlw_picture_sink* sink, void* user);
// Writes to a file that was begun, and commits it. Without memory the file is abandoned.
tlw_result tlw_picture_commit(const tlw_picture* picture, tlw_file_writer* writer);

// The pixels as bytes, red, green, blue, row by row from the top.
void tlw_picture_bytes(const tlw_picture* picture, uint8_t* rgb);

// Drawing outside the picture is ignored. Coordinates are pixels, y grows downwards.
void tlw_picture_blend(tlw_picture* picture, int32_t x, int32_t y, tlw_rgb colour, float share);
void tlw_picture_fill(tlw_picture* picture, int32_t x, int32_t y, int32_t width, int32_t height,
                      tlw_rgb colour, float share);
void tlw_picture_disc(tlw_picture* picture, float x, float y, float radius, tlw_rgb colour,
                      float share);
// The top left corner is at (x, y). Bytes that are not ASCII appear as '?', and text after 160
// letters is left out.
void tlw_picture_label(tlw_picture* picture, int32_t x, int32_t y, int32_t scale, const char* text,
                       tlw_rgb colour);
int32_t tlw_picture_label_width(int32_t scale, const char* text);

// Bone is ivory, muscle red, fat yellow, skin pink-brown; further layers have other colours.
tlw_rgb tlw_layer_colour(uint32_t layer, uint32_t layer_count);

#endif
