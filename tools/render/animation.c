// SPDX-License-Identifier: MIT
// Writes PNG (W3C recommendation, third edition) with a palette and, for more than one frame, the
// chunks of animation. The last index of the palette is transparent; only later frames use it.
#include "tools/render/animation.h"

#include "tools/render/deflate.h"
#include "tools/render/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLOURS     255 // and one that is transparent
#define FRAMES_MAX  100000u
#define BLEND_OVER  1
#define DISPOSE_NOT 0

typedef struct tlw_animation {
    tlw_animation_def def;
    uint32_t frame_count;
    uint8_t** frames; // 3 bytes per pixel each
    tlw_palette palette;
    // While it is written.
    tlw_picture_sink* sink;
    void* user;
    tlw_result result;
    uint32_t sequence; // number of the next fcTL or fdAT
} tlw_animation;

tlw_animation* tlw_animation_begin(const tlw_animation_def* def) {
    if (def->width == 0 || def->height == 0 || def->width > TLW_PICTURE_SIDE_MAX ||
        def->height > TLW_PICTURE_SIDE_MAX || def->frame_capacity == 0 ||
        def->frame_capacity > FRAMES_MAX || def->frames_per_second == 0 || def->colours == 1 ||
        def->colours > COLOURS) {
        return NULL;
    }
    tlw_animation* a = calloc(1, sizeof *a);
    if (a == NULL) {
        return NULL;
    }
    a->def = *def;
    a->frames = calloc(def->frame_capacity, sizeof *a->frames);
    if (a->frames == NULL || !tlw_palette_begin(&a->palette)) {
        tlw_animation_free(a);
        return NULL;
    }
    return a;
}

void tlw_animation_free(tlw_animation* a) {
    if (a == NULL) {
        return;
    }
    for (uint32_t i = 0; i < a->frame_count; ++i) {
        free(a->frames[i]);
    }
    free(a->frames);
    tlw_palette_free(&a->palette);
    free(a);
}

bool tlw_animation_add(tlw_animation* a, const tlw_picture* picture) {
    const size_t count = (size_t)a->def.width * a->def.height;
    if (a->frame_count == a->def.frame_capacity || picture->width != a->def.width ||
        picture->height != a->def.height) {
        return false;
    }
    uint8_t* rgb = malloc(count * 3);
    if (rgb == NULL) {
        return false;
    }
    tlw_picture_bytes(picture, rgb);
    tlw_palette_count(&a->palette, rgb, count);
    a->frames[a->frame_count++] = rgb;
    return true;
}

// ---- Chunks

static void put(tlw_animation* a, const void* bytes, size_t count) {
    if (a->result == TLW_OK && count > 0 && !a->sink(bytes, count, a->user)) {
        a->result = TLW_ERROR_CANNOT_WRITE;
    }
}

static void store(uint8_t out[4], uint32_t value) {
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static uint32_t crc32(uint32_t crc, const uint8_t* bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (crc & 1u ? 0xEDB88320u : 0u);
        }
    }
    return crc;
}

// A chunk of a head and a body: its length, name, both, and a check of name and both.
static void put_chunk(tlw_animation* a, const char name[4], const uint8_t* head, size_t head_bytes,
                      const uint8_t* body, size_t body_bytes) {
    uint8_t length[4], check[4];
    uint32_t crc = crc32(0xFFFFFFFFu, (const uint8_t*)name, 4);
    crc = crc32(crc, head, head_bytes);
    crc = crc32(crc, body, body_bytes);
    store(length, (uint32_t)(head_bytes + body_bytes));
    store(check, ~crc);
    put(a, length, 4);
    put(a, name, 4);
    put(a, head, head_bytes);
    put(a, body, body_bytes);
    put(a, check, 4);
}

static void put_head(tlw_animation* a) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint8_t header[13] = {[8] = 8, [9] = 3}; // bits per index, kind: palette
    store(header, a->def.width);
    store(header + 4, a->def.height);
    put(a, signature, sizeof signature);
    put_chunk(a, "IHDR", header, sizeof header, NULL, 0);
    if (a->frame_count > 1) {
        uint8_t control[8];
        store(control, a->frame_count);
        store(control + 4, a->def.plays);
        put_chunk(a, "acTL", control, sizeof control, NULL, 0);
    }
    uint8_t colours[(COLOURS + 1) * 3] = {0}, opacity[COLOURS + 1];
    memcpy(colours, a->palette.colours, (size_t)a->palette.count * 3);
    memset(opacity, 0xFF, sizeof opacity);
    opacity[a->palette.count] = 0;
    const uint32_t extra = a->frame_count > 1 ? 1 : 0;
    put_chunk(a, "PLTE", colours, ((size_t)a->palette.count + extra) * 3, NULL, 0);
    if (extra) {
        put_chunk(a, "tRNS", opacity, (size_t)a->palette.count + 1, NULL, 0);
    }
}

// ---- Frames

typedef struct rectangle {
    uint32_t x, y, width, height;
} rectangle;

static bool is_near(const uint8_t* a, const uint8_t* b, uint32_t tolerance) {
    for (int k = 0; k < 3; ++k) {
        const uint32_t apart = a[k] > b[k] ? (uint32_t)(a[k] - b[k]) : (uint32_t)(b[k] - a[k]);
        if (apart > tolerance) {
            return false;
        }
    }
    return true;
}

// Fills `indices` with the frame. A pixel that may stay gets the transparent index; `shown` is what
// a viewer sees afterwards. Returns the rectangle that changed, at least one pixel.
static rectangle map_frame(tlw_animation* a, uint32_t frame, uint8_t* shown, uint8_t* indices) {
    const uint32_t width = a->def.width, height = a->def.height;
    uint32_t low_x = width, low_y = height, high_x = 0, high_y = 0;
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const size_t at = (size_t)y * width + x;
            const uint8_t* rgb = a->frames[frame] + at * 3;
            const uint8_t index = tlw_palette_nearest(&a->palette, rgb);
            if (frame > 0 && (index == shown[at] ||
                              is_near(rgb, a->palette.colours[shown[at]], a->def.tolerance))) {
                indices[at] = (uint8_t)a->palette.count;
                continue;
            }
            indices[at] = shown[at] = index;
            low_x = x < low_x ? x : low_x;
            low_y = y < low_y ? y : low_y;
            high_x = x > high_x ? x : high_x;
            high_y = y > high_y ? y : high_y;
        }
    }
    return low_y == height ? (rectangle){0, 0, 1, 1}
                           : (rectangle){low_x, low_y, high_x - low_x + 1, high_y - low_y + 1};
}

static void put_frame_control(tlw_animation* a, rectangle r) {
    uint8_t control[26] = {0};
    const uint32_t words[5] = {a->sequence++, r.width, r.height, r.x, r.y};
    for (int i = 0; i < 5; ++i) {
        store(control + 4 * i, words[i]);
    }
    control[21] = 1; // shown for 1 / frames_per_second of a second
    control[22] = (uint8_t)(a->def.frames_per_second >> 8);
    control[23] = (uint8_t)a->def.frames_per_second;
    control[24] = DISPOSE_NOT;
    control[25] = BLEND_OVER;
    put_chunk(a, "fcTL", control, sizeof control, NULL, 0);
}

static void put_frame(tlw_animation* a, uint32_t frame, const uint8_t* indices, rectangle r) {
    const size_t row = (size_t)r.width + 1;
    uint8_t* rows = malloc(row * r.height);
    size_t count = 0;
    uint8_t* stream = NULL;
    if (rows) {
        for (uint32_t y = 0; y < r.height; ++y) {
            rows[y * row] = 0; // no filter: neighbouring indices are not neighbouring colours
            memcpy(rows + y * row + 1, indices + (size_t)(r.y + y) * a->def.width + r.x, r.width);
        }
        stream = tlw_deflate(rows, row * r.height, &count);
    }
    if (stream == NULL) {
        a->result = a->result == TLW_OK ? TLW_ERROR_OUT_OF_MEMORY : a->result;
    } else {
        if (a->frame_count > 1) {
            put_frame_control(a, r);
        }
        uint8_t sequence[4];
        store(sequence, a->sequence);
        if (frame == 0) {
            put_chunk(a, "IDAT", NULL, 0, stream, count);
        } else {
            put_chunk(a, "fdAT", sequence, sizeof sequence, stream, count);
            a->sequence += 1;
        }
    }
    free(stream);
    free(rows);
}

tlw_result tlw_animation_write(tlw_animation* a, tlw_picture_sink* sink, void* user) {
    if (a->frame_count == 0) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const size_t count = (size_t)a->def.width * a->def.height;
    uint8_t *shown = malloc(count), *indices = malloc(count);
    a->sink = sink;
    a->user = user;
    a->sequence = 0;
    a->result = shown && indices &&
                        tlw_palette_choose(&a->palette, a->def.colours ? a->def.colours : COLOURS)
                    ? TLW_OK
                    : TLW_ERROR_OUT_OF_MEMORY;
    if (a->result == TLW_OK) {
        put_head(a);
    }
    for (uint32_t i = 0; i < a->frame_count && a->result == TLW_OK; ++i) {
        const rectangle changed = map_frame(a, i, shown, indices);
        put_frame(a, i, indices, changed);
    }
    if (a->result == TLW_OK) {
        put_chunk(a, "IEND", NULL, 0, NULL, 0);
    }
    free(shown);
    free(indices);
    return a->result;
}

static bool write_to_file(const void* bytes, size_t size, void* writer) {
    return tlw_file_writer_write(writer, bytes, size) == TLW_OK;
}

static tlw_result fail_memory(tlw_file_writer* writer) {
    tlw_file_writer_abandon(writer);
    writer->error.result = TLW_ERROR_OUT_OF_MEMORY;
    snprintf(writer->error.message, sizeof writer->error.message,
             "cannot write '%.400s': out of memory", writer->path);
    return TLW_ERROR_OUT_OF_MEMORY;
}

tlw_result tlw_animation_commit(tlw_animation* a, tlw_file_writer* writer) {
    return tlw_animation_write(a, write_to_file, writer) == TLW_ERROR_OUT_OF_MEMORY
               ? fail_memory(writer)
               : tlw_file_writer_commit(writer); // reports the first failed write
}

tlw_result tlw_picture_commit_small(const tlw_picture* picture, tlw_file_writer* writer) {
    const tlw_animation_def def = {.width = picture->width,
                                   .height = picture->height,
                                   .frame_capacity = 1,
                                   .frames_per_second = 1};
    tlw_animation* a = tlw_animation_begin(&def);
    const tlw_result result =
        a && tlw_animation_add(a, picture) ? tlw_animation_commit(a, writer) : fail_memory(writer);
    tlw_animation_free(a);
    return result;
}
