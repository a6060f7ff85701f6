// SPDX-License-Identifier: MIT
// Draws each letter once, in rows of one picture.
#include "tools/view/letters.h"

#include <stb/stb_easy_font.h>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb/stb_truetype.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT      (TLW_LETTERS_END - TLW_LETTERS_FIRST)
#define WIDTH      512u
#define GAP        1u          // between letters, so that none bleeds into another
#define FILE_MOST  (16u << 20) // bytes of a font file
#define PLAIN_LINE 12          // pixels of a line of stb_easy_font
#define PLAIN_ROOM 4096        // bytes for a letter's rectangles

static const char* const font_files[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/local/share/fonts/dejavu/DejaVuSans.ttf",
};

// ---- Room

// Where the next letter goes: rows from the top, as high as their highest letter.
typedef struct pen {
    uint32_t x, y, row_height, capacity; // rows of pixels that there is memory for
} pen;

// Makes room for a letter and returns its upper left corner. Null: out of memory.
static uint8_t* take_room(tlw_letters* l, pen* p, tlw_letter* letter) {
    if (p->x + letter->width + GAP > WIDTH) {
        p->x = 0;
        p->y += p->row_height + GAP;
        p->row_height = 0;
    }
    const uint32_t end = p->y + letter->height + GAP;
    if (end > p->capacity) {
        const uint32_t capacity = 2 * end;
        uint8_t* grown = realloc(l->grey, (size_t)capacity * WIDTH);
        if (grown == NULL) {
            return NULL;
        }
        memset(grown + (size_t)p->capacity * WIDTH, 0, (size_t)(capacity - p->capacity) * WIDTH);
        l->grey = grown;
        p->capacity = capacity;
    }
    letter->x = (uint16_t)p->x;
    letter->y = (uint16_t)p->y;
    p->x += letter->width + GAP;
    p->row_height = letter->height > p->row_height ? letter->height : p->row_height;
    l->height = end > l->height ? end : l->height;
    return l->grey + (size_t)letter->y * WIDTH + letter->x;
}

// ---- From a font file

// Returns null if the file is absent or cannot be read.
static uint8_t* read_file(const char* path) {
    FILE* file = fopen(path, "rb");
    uint8_t* bytes = NULL;
    if (file == NULL) {
        return NULL;
    }
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size > 0 && size <= (long)FILE_MOST && fseek(file, 0, SEEK_SET) == 0) {
        bytes = malloc((size_t)size);
        if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static bool draw_font(tlw_letters* l, pen* p, const uint8_t* bytes) {
    stbtt_fontinfo font;
    int ascent, descent, gap;
    if (!stbtt_InitFont(&font, bytes, stbtt_GetFontOffsetForIndex(bytes, 0))) {
        return false;
    }
    const float scale = stbtt_ScaleForPixelHeight(&font, (float)l->pixels);
    stbtt_GetFontVMetrics(&font, &ascent, &descent, &gap);
    const int base = (int)((float)ascent * scale + 0.5f);
    for (uint32_t i = 0; i < COUNT; ++i) {
        tlw_letter* letter = &l->list[i];
        int advance, bearing, x0, y0, x1, y1;
        const int code = (int)(i + TLW_LETTERS_FIRST);
        stbtt_GetCodepointHMetrics(&font, code, &advance, &bearing);
        stbtt_GetCodepointBitmapBox(&font, code, scale, scale, &x0, &y0, &x1, &y1);
        *letter = (tlw_letter){.width = (uint16_t)(x1 - x0),
                               .height = (uint16_t)(y1 - y0),
                               .left = (int16_t)x0,
                               .top = (int16_t)(base + y0),
                               .advance = scale * (float)advance};
        uint8_t* at = take_room(l, p, letter);
        if (at == NULL) {
            return false;
        }
        if (letter->width > 0 && letter->height > 0) {
            stbtt_MakeCodepointBitmap(&font, at, x1 - x0, y1 - y0, (int)WIDTH, scale, scale, code);
        }
    }
    return true;
}

static bool draw_from_files(tlw_letters* l, pen* p) {
    for (size_t i = 0; i < TLW_COUNT_OF(font_files) && !l->has_font_file; ++i) {
        const pen before = *p;
        uint8_t* bytes = read_file(font_files[i]);
        if (bytes && draw_font(l, p, bytes)) {
            l->has_font_file = true;
        } else if (bytes) { // a broken file leaves nothing behind
            *p = (pen){before.x, before.y, before.row_height, p->capacity};
        }
        free(bytes);
    }
    return l->has_font_file;
}

// ---- Without one

typedef struct plain_corner {
    float x, y, z;
    uint8_t colour[4];
} plain_corner;

// stb_easy_font makes letters of rectangles, which are drawn in whole pixels. It has ASCII only.
static bool draw_plain(tlw_letters* l, pen* p) {
    static plain_corner corners[PLAIN_ROOM / sizeof(plain_corner)];
    const uint32_t scale = l->pixels > PLAIN_LINE ? l->pixels / PLAIN_LINE : 1;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t code = i + TLW_LETTERS_FIRST;
        char text[2] = {code <= '~' ? (char)code : '?', 0};
        const int width = stb_easy_font_width(text);
        const int quads = stb_easy_font_print(0.0f, 0.0f, text, NULL, corners, (int)sizeof corners);
        l->list[i] = (tlw_letter){.width = (uint16_t)((uint32_t)width * scale),
                                  .height = (uint16_t)(PLAIN_LINE * scale),
                                  .top = (int16_t)(2 * scale),
                                  .advance = (float)((uint32_t)width * scale)};
        uint8_t* at = take_room(l, p, &l->list[i]);
        if (at == NULL) {
            return false;
        }
        for (int q = 0; q < quads; ++q) {
            const plain_corner *low = &corners[q * 4], *high = low + 2;
            for (uint32_t y = (uint32_t)low->y * scale; y < (uint32_t)high->y * scale; ++y) {
                memset(at + (size_t)y * WIDTH + (size_t)low->x * scale, 255,
                       (size_t)(high->x - low->x) * scale);
            }
        }
    }
    return true;
}

// ---- Letters

tlw_letters* tlw_letters_create(uint32_t pixels, bool is_plain) {
    static uint64_t stamps;
    tlw_letters* l = calloc(1, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    l->pixels = pixels < TLW_LETTERS_LEAST  ? TLW_LETTERS_LEAST
                : pixels > TLW_LETTERS_MOST ? TLW_LETTERS_MOST
                                            : pixels;
    l->width = WIDTH;
    l->stamp = ++stamps;
    pen p = {0};
    tlw_letter full = {.width = 4, .height = 4};
    uint8_t* at = take_room(l, &p, &full);
    for (uint32_t y = 0; y < full.height && at; ++y) {
        memset(at + (size_t)y * WIDTH, 255, full.width);
    }
    if (at == NULL || (!(!is_plain && draw_from_files(l, &p)) && !draw_plain(l, &p))) {
        tlw_letters_free(l);
        return NULL;
    }
    return l;
}

void tlw_letters_free(tlw_letters* letters) {
    if (letters) {
        free(letters->grey);
        free(letters);
    }
}

// Reads a code point of one or two bytes. Longer and broken ones have no picture.
static uint32_t next_code(const char** text) {
    const uint8_t* at = (const uint8_t*)*text;
    const uint32_t first = *at++;
    uint32_t code = first;
    if (first >= 0xc2 && first < 0xe0 && (*at & 0xc0) == 0x80) {
        code = (first & 31) << 6 | (*at++ & 63);
    } else if (first >= 0x80) {
        for (code = '?'; (*at & 0xc0) == 0x80; ++at) {
        }
    }
    *text = (const char*)at;
    return code;
}

const tlw_letter* tlw_letters_next(const tlw_letters* l, const char** text) {
    if (**text == 0) {
        return NULL;
    }
    uint32_t code = next_code(text);
    code = code < TLW_LETTERS_FIRST || code >= TLW_LETTERS_END || (code > '~' && code < 0xa0)
               ? '?'
               : code;
    return &l->list[code - TLW_LETTERS_FIRST];
}

float tlw_letters_width(const tlw_letters* l, const char* text) {
    float width = 0.0f;
    for (const tlw_letter* letter; (letter = tlw_letters_next(l, &text)) != NULL;) {
        width += letter->advance;
    }
    return width;
}
