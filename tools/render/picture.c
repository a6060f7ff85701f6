// SPDX-License-Identifier: MIT
// The canvas. Letters come from stb_easy_font, which needs no font file and whose rectangles are
// sharp at whole scales.
#include "tools/render/picture.h"

#define STBI_WRITE_NO_STDIO
#include <stb/stb_easy_font.h>
#include <stb/stb_image_write.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float mix(float a, float b, float share) {
    return a + (b - a) * share;
}

static tlw_rgb mix_rgb(tlw_rgb a, tlw_rgb b, float share) {
    return (tlw_rgb){mix(a.r, b.r, share), mix(a.g, b.g, share), mix(a.b, b.b, share)};
}

bool tlw_picture_create(tlw_picture* picture, uint32_t width, uint32_t height) {
    *picture = (tlw_picture){width, height, malloc((size_t)width * height * sizeof(tlw_rgb))};
    if (picture->pixels == NULL) {
        return false;
    }
    const tlw_rgb light = {0.235f, 0.265f, 0.325f}, dark = {0.095f, 0.107f, 0.138f};
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const float dx = ((float)x + 0.5f) / (float)width - 0.5f;
            const float dy = ((float)y + 0.5f) / (float)height - 0.42f;
            const float far = sqrtf(dx * dx + dy * dy) / 0.75f;
            picture->pixels[(size_t)y * width + x] =
                mix_rgb(light, dark, far < 1.0f ? far * far * (3.0f - 2.0f * far) : 1.0f);
        }
    }
    return true;
}

void tlw_picture_free(tlw_picture* picture) {
    free(picture->pixels);
    *picture = (tlw_picture){0};
}

typedef struct png_out {
    tlw_picture_sink* sink;
    void* user;
    bool has_failed;
} png_out;

static void write_png(void* context, void* bytes, int size) {
    png_out* out = context;
    out->has_failed = out->has_failed || !out->sink(bytes, (size_t)size, out->user);
}

static uint8_t to_byte(float value) {
    const float scaled = value * 255.0f + 0.5f;
    return scaled <= 0.0f ? 0 : scaled >= 255.0f ? 255 : (uint8_t)scaled;
}

void tlw_picture_bytes(const tlw_picture* picture, uint8_t* rgb) {
    const size_t count = (size_t)picture->width * picture->height;
    for (size_t i = 0; i < count; ++i) {
        rgb[i * 3] = to_byte(picture->pixels[i].r);
        rgb[i * 3 + 1] = to_byte(picture->pixels[i].g);
        rgb[i * 3 + 2] = to_byte(picture->pixels[i].b);
    }
}

tlw_result tlw_picture_write(const tlw_picture* picture, tlw_picture_sink* sink, void* user) {
    const size_t count = (size_t)picture->width * picture->height;
    uint8_t* bytes = malloc(count * 3);
    if (bytes == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    tlw_picture_bytes(picture, bytes);
    png_out out = {sink, user, false};
    const int has_encoded =
        stbi_write_png_to_func(write_png, &out, (int)picture->width, (int)picture->height, 3, bytes,
                               (int)picture->width * 3);
    free(bytes);
    return out.has_failed ? TLW_ERROR_CANNOT_WRITE : has_encoded ? TLW_OK : TLW_ERROR_OUT_OF_MEMORY;
}

static bool write_to_file(const void* bytes, size_t size, void* writer) {
    return tlw_file_writer_write(writer, bytes, size) == TLW_OK;
}

tlw_result tlw_picture_commit(const tlw_picture* picture, tlw_file_writer* writer) {
    if (tlw_picture_write(picture, write_to_file, writer) == TLW_ERROR_OUT_OF_MEMORY) {
        tlw_file_writer_abandon(writer);
        writer->error.result = TLW_ERROR_OUT_OF_MEMORY;
        snprintf(writer->error.message, sizeof writer->error.message,
                 "cannot write '%.400s': out of memory", writer->path);
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    return tlw_file_writer_commit(writer); // reports the first failed write
}

void tlw_picture_blend(tlw_picture* picture, int32_t x, int32_t y, tlw_rgb colour, float share) {
    if (x < 0 || y < 0 || (uint32_t)x >= picture->width || (uint32_t)y >= picture->height) {
        return;
    }
    tlw_rgb* pixel = &picture->pixels[(size_t)y * picture->width + (size_t)x];
    *pixel = mix_rgb(*pixel, colour, share);
}

void tlw_picture_fill(tlw_picture* picture, int32_t x, int32_t y, int32_t width, int32_t height,
                      tlw_rgb colour, float share) {
    for (int32_t j = y; j < y + height; ++j) {
        for (int32_t i = x; i < x + width; ++i) {
            tlw_picture_blend(picture, i, j, colour, share);
        }
    }
}

void tlw_picture_disc(tlw_picture* picture, float x, float y, float radius, tlw_rgb colour,
                      float share) {
    const float side = (float)TLW_PICTURE_SIDE_MAX + radius;
    if (!(x > -side && x < side && y > -side &&
          y < side)) { // joints may be far outside, or not finite
        return;
    }
    const int32_t reach = (int32_t)radius + 2, cx = (int32_t)x, cy = (int32_t)y;
    for (int32_t j = cy - reach; j <= cy + reach; ++j) {
        for (int32_t i = cx - reach; i <= cx + reach; ++i) {
            const float dx = (float)i + 0.5f - x, dy = (float)j + 0.5f - y;
            const float inside = radius + 0.5f - sqrtf(dx * dx + dy * dy);
            if (inside > 0.0f) {
                tlw_picture_blend(picture, i, j, colour, share * (inside < 1.0f ? inside : 1.0f));
            }
        }
    }
}

// The font only has ASCII, and names may be any bytes.
#define LETTERS_MAX 160

static void to_letters(char letters[LETTERS_MAX + 1], const char* text) {
    size_t i = 0;
    for (; i < LETTERS_MAX && text[i] != 0; ++i) {
        letters[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    }
    letters[i] = 0;
}

int32_t tlw_picture_label_width(int32_t scale, const char* text) {
    char letters[LETTERS_MAX + 1];
    to_letters(letters, text);
    return stb_easy_font_width(letters) * scale;
}

void tlw_picture_label(tlw_picture* picture, int32_t x, int32_t y, int32_t scale, const char* text,
                       tlw_rgb colour) {
    struct corner {
        float x, y, z;
        uint8_t colour[4];
    };
    static struct corner
        corners[LETTERS_MAX * 80]; // 20 rectangles per letter; stb stops when it is full
    char letters[LETTERS_MAX + 1];
    to_letters(letters, text);
    const int count = stb_easy_font_print(0.0f, 0.0f, letters, NULL, corners, (int)sizeof corners);
    for (int i = 0; i < count; ++i) {
        const struct corner *low = &corners[i * 4], *high = &corners[i * 4 + 2];
        tlw_picture_fill(picture, x + (int32_t)low->x * scale, y + (int32_t)low->y * scale,
                         (int32_t)(high->x - low->x) * scale, (int32_t)(high->y - low->y) * scale,
                         colour, 1.0f);
    }
}

tlw_rgb tlw_layer_colour(uint32_t layer, uint32_t layer_count) {
    static const tlw_rgb bone = {0.945f, 0.910f, 0.815f}, skin = {0.830f, 0.600f, 0.510f};
    static const tlw_rgb between[] = {{0.745f, 0.190f, 0.185f}, {0.955f, 0.775f, 0.330f},
                                      {0.340f, 0.600f, 0.560f}, {0.480f, 0.400f, 0.680f},
                                      {0.560f, 0.680f, 0.300f}, {0.310f, 0.500f, 0.760f}};
    return layer == 0                 ? bone
           : layer + 1 == layer_count ? skin
                                      : between[(layer - 1) % TLW_COUNT_OF(between)];
}
