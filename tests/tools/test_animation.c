// SPDX-License-Identifier: MIT
// Animated PNG and its compressor. What was written is read back by a reader of the test's own:
// chunks in order, checks, frames composed pixel by pixel; the streams are unpacked by stb_image.
#include "tests/test.h"
#include "tools/render/animation.h"
#include "tools/render/deflate.h"
#include "tools/render/palette.h"

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

#include <stdlib.h>
#include <string.h>

typedef struct byte_store {
    uint8_t* bytes;
    size_t used, capacity;
} byte_store;

static bool keep(const void* bytes, size_t size, void* user) {
    byte_store* s = user;
    if (s->used + size > s->capacity) {
        s->capacity = (s->used + size) * 2;
        s->bytes = realloc(s->bytes, s->capacity);
        CHECK(s->bytes != NULL);
    }
    memcpy(s->bytes + s->used, bytes, size);
    s->used += size;
    return true;
}

static bool refuse(const void* bytes, size_t size, void* user) {
    (void)bytes, (void)size;
    *(int*)user += 1;
    return false;
}

static void check_round_trip(const uint8_t* bytes, size_t count) {
    size_t stream_bytes = 0;
    uint8_t* stream = tlw_deflate(bytes, count, &stream_bytes);
    CHECK(stream != NULL);
    int unpacked_bytes = 0;
    char* unpacked =
        stbi_zlib_decode_malloc((const char*)stream, (int)stream_bytes, &unpacked_bytes);
    CHECK(unpacked != NULL);
    CHECK_EQ((size_t)unpacked_bytes, count);
    CHECK_EQ(memcmp(unpacked, bytes, count), 0);
    free(unpacked);
    free(stream);
}

TLW_TEST(deflate_gives_back_every_byte) {
    enum { COUNT = 300000 };
    uint8_t* bytes = calloc(COUNT, 1);
    uint64_t random = 7;
    CHECK(bytes != NULL);
    check_round_trip(bytes, 1);
    check_round_trip(bytes, COUNT); // one long run
    for (size_t i = 0; i < COUNT; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (uint8_t)(random >> 56);
    }
    for (size_t count = 0; count < 300; ++count) {
        check_round_trip(bytes, count);
    }
    check_round_trip(bytes, COUNT);      // nothing to match, several blocks
    for (size_t i = 0; i < COUNT; ++i) { // letters of very different frequency: long codes
        uint32_t zeros = 0;
        for (uint32_t byte = bytes[i]; zeros < 8 && (byte & 1u) == 0; byte >>= 1) {
            zeros += 1;
        }
        bytes[i] = (uint8_t)(zeros * zeros + (i % 977 == 0 ? i % 251 : 0));
    }
    check_round_trip(bytes, COUNT);
    for (size_t i = 40000; i < COUNT; ++i) { // matches far back, up to the window's end and beyond
        bytes[i] = bytes[i - (i / 50000 % 2 ? 32767 : 33000)];
    }
    check_round_trip(bytes, COUNT);
    free(bytes);
}

TLW_TEST(deflate_packs_a_picture_of_few_colours_into_a_tenth) {
    enum { SIDE = 256 };
    uint8_t* bytes = malloc(SIDE * SIDE);
    CHECK(bytes != NULL);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int x = i % SIDE - 128, y = i / SIDE - 128;
        bytes[i] = (uint8_t)((x * x + y * y) / 400);
    }
    size_t count;
    uint8_t* stream = tlw_deflate(bytes, SIDE * SIDE, &count);
    CHECK(stream != NULL);
    CHECK_LT(count, SIDE * SIDE / 10);
    free(stream);
    free(bytes);
}

TLW_TEST(palette_keeps_every_colour_while_there_is_room) {
    tlw_palette palette;
    uint8_t rgb[200][3];
    CHECK(tlw_palette_begin(&palette));
    for (int i = 0; i < 200; ++i) { // values that 7 bits hold exactly
        rgb[i][0] = (uint8_t)(i % 8 * 36 / 2 * 2);
        rgb[i][1] = (uint8_t)(i / 8 * 10);
        rgb[i][2] = (uint8_t)(i % 3 * 100);
    }
    tlw_palette_count(&palette, rgb[0], 200);
    CHECK(tlw_palette_choose(&palette, 255));
    for (int i = 0; i < 200; ++i) {
        const uint8_t* near = palette.colours[tlw_palette_nearest(&palette, rgb[i])];
        for (int k = 0; k < 3; ++k) {
            CHECK_LE(abs((int)near[k] - (int)rgb[i][k]), 1);
        }
    }
    CHECK(tlw_palette_choose(&palette, 2));
    CHECK_EQ(palette.count, 2);
    tlw_palette_free(&palette);
}

// ---- Reading back

typedef struct reader {
    const uint8_t *at, *end;
    uint32_t width, height, told_frames, plays, control_count, frame_count, sequence;
    uint8_t palette[256][3], opacity[256];
    uint32_t delay_numerator, delay_denominator;
    uint32_t x, y, frame_width, frame_height; // of the last fcTL
    uint8_t* shown;                           // 3 bytes per pixel
    uint32_t transparent_pixels;              // of later frames
    bool has_data, is_ended;
} reader;

static uint32_t word(const uint8_t* p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t check_of(const uint8_t* bytes, size_t count) {
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit) {
            table[i] = table[i] & 1u ? 0xEDB88320u ^ table[i] >> 1 : table[i] >> 1;
        }
    }
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; ++i) {
        crc = table[(crc ^ bytes[i]) & 0xFFu] ^ crc >> 8;
    }
    return ~crc;
}

static void compose(reader* r, const uint8_t* stream, uint32_t count) {
    int unpacked = 0;
    uint8_t* rows = (uint8_t*)stbi_zlib_decode_malloc((const char*)stream, (int)count, &unpacked);
    CHECK(rows != NULL);
    CHECK_EQ((uint32_t)unpacked, (r->frame_width + 1) * r->frame_height);
    CHECK_LE(r->x + r->frame_width, r->width);
    CHECK_LE(r->y + r->frame_height, r->height);
    for (uint32_t y = 0; y < r->frame_height; ++y) {
        const uint8_t* row = rows + (size_t)y * (r->frame_width + 1);
        CHECK_EQ(row[0], 0);
        for (uint32_t x = 0; x < r->frame_width; ++x) {
            const uint8_t index = row[1 + x];
            if (r->opacity[index] == 0) {
                CHECK(r->frame_count > 0); // the first frame covers everything
                r->transparent_pixels += 1;
                continue;
            }
            memcpy(r->shown + ((size_t)(r->y + y) * r->width + r->x + x) * 3, r->palette[index], 3);
        }
    }
    free(rows);
    r->frame_count += 1;
}

static void read_chunk(reader* r, const char* name, const uint8_t* body, uint32_t length) {
    if (strcmp(name, "IHDR") == 0) {
        CHECK_EQ(length, 13);
        r->width = r->frame_width = word(body);
        r->height = r->frame_height = word(body + 4);
        CHECK_EQ(body[8], 8);
        CHECK_EQ(body[9], 3);
        r->shown = calloc((size_t)r->width * r->height, 3);
        CHECK(r->shown != NULL);
        memset(r->opacity, 0xFF, sizeof r->opacity);
    } else if (strcmp(name, "acTL") == 0) {
        CHECK(!r->has_data);
        r->told_frames = word(body);
        r->plays = word(body + 4);
    } else if (strcmp(name, "PLTE") == 0) {
        CHECK_EQ(length % 3, 0);
        CHECK_LE(length, 768);
        memcpy(r->palette, body, length);
    } else if (strcmp(name, "tRNS") == 0) {
        CHECK_LE(length, 256);
        memcpy(r->opacity, body, length);
    } else if (strcmp(name, "fcTL") == 0) {
        CHECK_EQ(length, 26);
        CHECK_EQ(word(body), r->sequence);
        r->sequence += 1;
        r->frame_width = word(body + 4);
        r->frame_height = word(body + 8);
        r->x = word(body + 12);
        r->y = word(body + 16);
        r->delay_numerator = (uint32_t)body[20] << 8 | body[21];
        r->delay_denominator = (uint32_t)body[22] << 8 | body[23];
        CHECK_EQ(body[24], 0);
        CHECK_EQ(body[25], 1);
        r->control_count += 1;
    } else if (strcmp(name, "IDAT") == 0) {
        CHECK(!r->has_data);
        r->has_data = true;
        compose(r, body, length);
    } else if (strcmp(name, "fdAT") == 0) {
        CHECK(r->has_data);
        CHECK_EQ(word(body), r->sequence);
        r->sequence += 1;
        compose(r, body + 4, length - 4);
    } else {
        CHECK_STRING(name, "IEND");
        CHECK_EQ(length, 0);
        r->is_ended = true;
    }
}

static void start_reading(reader* r, const byte_store* s) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    *r = (reader){.at = s->bytes + 8, .end = s->bytes + s->used};
    CHECK_LE(8u, s->used);
    CHECK_EQ(memcmp(s->bytes, signature, 8), 0);
}

// Reads chunks until that many frames are composed, or to the end.
static void read_until(reader* r, uint32_t frames) {
    while (r->at < r->end && r->frame_count < frames) {
        CHECK_LE(12, r->end - r->at);
        const uint32_t length = word(r->at);
        CHECK_LE((ptrdiff_t)length, r->end - r->at - 12);
        char name[5] = {0};
        memcpy(name, r->at + 4, 4);
        CHECK_EQ(word(r->at + 8 + length), check_of(r->at + 4, (size_t)length + 4));
        read_chunk(r, name, r->at + 8, length);
        r->at += length + 12;
    }
}

enum { WIDTH = 40, HEIGHT = 30, FRAMES = 5 };

static void draw_frame(tlw_picture* picture, int frame) {
    tlw_picture_fill(picture, 0, 0, WIDTH, HEIGHT, (tlw_rgb){0.2f, 0.2f, 0.3f}, 1.0f);
    if (frame != 3) { // which is the background alone
        tlw_picture_fill(picture, 5 + 4 * frame, 6, 8, 9, (tlw_rgb){0.8f, 0.4f, 0.2f}, 1.0f);
    }
}

static byte_store write_frames(int count, tlw_result expected) {
    const tlw_animation_def def = {.width = WIDTH,
                                   .height = HEIGHT,
                                   .frame_capacity = FRAMES,
                                   .frames_per_second = 24,
                                   .plays = 3};
    tlw_animation* a = tlw_animation_begin(&def);
    tlw_picture picture;
    CHECK(a != NULL);
    CHECK(tlw_picture_create(&picture, WIDTH, HEIGHT));
    for (int i = 0; i < count; ++i) {
        draw_frame(&picture, i);
        CHECK_EQ(tlw_animation_add(a, &picture), i < FRAMES);
    }
    byte_store s = {0};
    CHECK_EQ(tlw_animation_write(a, keep, &s), expected);
    tlw_picture_free(&picture);
    tlw_animation_free(a);
    return s;
}

TLW_TEST(animation_reads_back_frame_by_frame) {
    byte_store s = write_frames(FRAMES, TLW_OK);
    reader r;
    start_reading(&r, &s);
    tlw_picture picture;
    uint8_t wanted[WIDTH * HEIGHT * 3];
    CHECK(tlw_picture_create(&picture, WIDTH, HEIGHT));
    for (int i = 0; i < FRAMES; ++i) {
        read_until(&r, (uint32_t)i + 1);
        CHECK_EQ(r.frame_count, (uint32_t)i + 1);
        draw_frame(&picture, i);
        tlw_picture_bytes(&picture, wanted);
        for (int k = 0; k < WIDTH * HEIGHT * 3; ++k) {
            CHECK_LE(abs((int)wanted[k] - (int)r.shown[k]), 1); // 7 bits per channel
        }
        if (i > 0) { // only what changed is written
            CHECK_LT(r.frame_width * r.frame_height, WIDTH * HEIGHT / 4);
        }
    }
    read_until(&r, UINT32_MAX);
    CHECK(r.is_ended);
    CHECK_EQ(r.told_frames, FRAMES);
    CHECK_EQ(r.control_count, FRAMES);
    CHECK_EQ(r.plays, 3);
    CHECK_EQ(r.width, WIDTH);
    CHECK_EQ(r.height, HEIGHT);
    CHECK_EQ(r.delay_numerator, 1);
    CHECK_EQ(r.delay_denominator, 24);
    CHECK_LT(0u, r.transparent_pixels);
    // A reader that knows no animation sees the first frame.
    int width, height, channels;
    uint8_t* first = stbi_load_from_memory(s.bytes, (int)s.used, &width, &height, &channels, 3);
    CHECK(first != NULL);
    CHECK_EQ(width, WIDTH);
    CHECK_EQ(height, HEIGHT);
    draw_frame(&picture, 0);
    tlw_picture_bytes(&picture, wanted);
    for (int k = 0; k < WIDTH * HEIGHT * 3; ++k) {
        CHECK_LE(abs((int)wanted[k] - (int)first[k]), 1);
    }
    free(first);
    tlw_picture_free(&picture);
    free(r.shown);
    free(s.bytes);
}

TLW_TEST(animation_of_one_frame_is_a_plain_png) {
    byte_store s = write_frames(1, TLW_OK);
    reader r;
    start_reading(&r, &s);
    read_until(&r, UINT32_MAX);
    CHECK(r.is_ended);
    CHECK_EQ(r.told_frames, 0);
    CHECK_EQ(r.control_count, 0);
    CHECK_EQ(r.frame_count, 1);
    free(r.shown);
    free(s.bytes);
}

TLW_TEST(animation_gives_the_same_bytes_again) {
    byte_store a = write_frames(FRAMES, TLW_OK), b = write_frames(FRAMES, TLW_OK);
    CHECK_EQ(a.used, b.used);
    CHECK_EQ(memcmp(a.bytes, b.bytes, a.used), 0);
    free(a.bytes);
    free(b.bytes);
}

TLW_TEST(animation_keeps_pixels_within_its_tolerance) {
    tlw_animation_def def = {
        .width = 8, .height = 8, .frame_capacity = 2, .frames_per_second = 10, .tolerance = 6};
    tlw_animation* a = tlw_animation_begin(&def);
    tlw_picture picture;
    CHECK(a != NULL);
    CHECK(tlw_picture_create(&picture, 8, 8));
    tlw_picture_fill(&picture, 0, 0, 8, 8, (tlw_rgb){0.5f, 0.5f, 0.5f}, 1.0f);
    CHECK(tlw_animation_add(a, &picture));
    tlw_picture_fill(&picture, 0, 0, 4, 8, (tlw_rgb){0.515f, 0.5f, 0.5f}, 1.0f); // 4 of 255
    tlw_picture_fill(&picture, 6, 2, 1, 3, (tlw_rgb){0.6f, 0.5f, 0.5f}, 1.0f);
    CHECK(tlw_animation_add(a, &picture));
    byte_store s = {0};
    CHECK_EQ(tlw_animation_write(a, keep, &s), TLW_OK);
    reader r;
    start_reading(&r, &s);
    read_until(&r, UINT32_MAX);
    CHECK_EQ(r.x, 6);
    CHECK_EQ(r.y, 2);
    CHECK_EQ(r.frame_width, 1);
    CHECK_EQ(r.frame_height, 3);
    tlw_picture_free(&picture);
    tlw_animation_free(a);
    free(r.shown);
    free(s.bytes);
}

TLW_TEST(animation_names_what_it_cannot_do) {
    tlw_animation_def def = {.width = 8, .height = 8, .frame_capacity = 1, .frames_per_second = 10};
    def.width = 0;
    CHECK(tlw_animation_begin(&def) == NULL);
    def.width = TLW_PICTURE_SIDE_MAX + 1;
    CHECK(tlw_animation_begin(&def) == NULL);
    def.width = 8;
    def.frames_per_second = 0;
    CHECK(tlw_animation_begin(&def) == NULL);
    def.frames_per_second = 10;
    def.colours = 256;
    CHECK(tlw_animation_begin(&def) == NULL);
    def.colours = 0;
    tlw_animation* a = tlw_animation_begin(&def);
    CHECK(a != NULL);
    byte_store s = {0};
    CHECK_EQ(tlw_animation_write(a, keep, &s), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(s.used, 0);
    tlw_picture picture;
    CHECK(tlw_picture_create(&picture, 9, 8));
    CHECK(!tlw_animation_add(a, &picture));
    tlw_picture_free(&picture);
    CHECK(tlw_picture_create(&picture, 8, 8));
    CHECK(tlw_animation_add(a, &picture));
    CHECK(!tlw_animation_add(a, &picture)); // full
    int calls = 0;
    CHECK_EQ(tlw_animation_write(a, refuse, &calls), TLW_ERROR_CANNOT_WRITE);
    CHECK_EQ(calls, 1);
    tlw_picture_free(&picture);
    tlw_animation_free(a);
}
