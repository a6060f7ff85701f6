// SPDX-License-Identifier: MIT
// A small canvas: floats in display space, rectangles, discs, labels, and PNG out.
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

// Filled with the background, a soft light on dark slate. False: out of memory.
bool tlw_picture_create(tlw_picture* picture, uint32_t width, uint32_t height);
void tlw_picture_free(tlw_picture* picture);

// Where a PNG goes, piece by piece; false: it failed, and need not be called again.
typedef bool tlw_picture_sink(const void* bytes, size_t size, void* user);
// TLW_OK, TLW_ERROR_OUT_OF_MEMORY, TLW_ERROR_CANNOT_WRITE (the sink said so).
tlw_result tlw_picture_write(const tlw_picture* picture, tlw_picture_sink* sink, void* user);
// Into a file that was begun; it is committed, or abandoned where there is no memory.
tlw_result tlw_picture_commit(const tlw_picture* picture, tlw_file_writer* writer);

// What lies outside the picture is left out. Coordinates are pixels, y down.
void tlw_picture_blend(tlw_picture* picture, int32_t x, int32_t y, tlw_rgb colour, float share);
void tlw_picture_fill(tlw_picture* picture, int32_t x, int32_t y, int32_t width, int32_t height,
                      tlw_rgb colour, float share);
void tlw_picture_disc(tlw_picture* picture, float x, float y, float radius, tlw_rgb colour,
                      float share);
// Top left corner at (x, y); what is not ASCII shows as '?'. Text beyond 80 letters is left out.
void tlw_picture_label(tlw_picture* picture, int32_t x, int32_t y, int32_t scale, const char* text,
                       tlw_rgb colour);
int32_t tlw_picture_label_width(int32_t scale, const char* text);

// Bone ivory, muscle red, fat yellow, skin pink-brown; further layers stay apart from these.
tlw_rgb tlw_layer_colour(uint32_t layer, uint32_t layer_count);

#endif
