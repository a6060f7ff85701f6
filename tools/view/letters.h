// SPDX-License-Identifier: MIT
// Letters as pictures of coverage, side by side in one grey picture, for words over the picture.
// They come from DejaVu Sans where it is installed, and from stb_easy_font otherwise. Needs no GPU.
#ifndef TLW_TOOLS_VIEW_LETTERS_H
#define TLW_TOOLS_VIEW_LETTERS_H

#include "platform/base.h"

#define TLW_LETTERS_FIRST 0x20u // code points that there are pictures of: Latin
#define TLW_LETTERS_END   0x180u
#define TLW_LETTERS_LEAST 8u // heights, pixels
#define TLW_LETTERS_MOST  96u

// Where a letter is in the grey picture, and where it is drawn relative to the pen. In pixels, with
// y downwards.
typedef struct tlw_letter {
    uint16_t x, y, width, height;
    int16_t left, top; // from the pen at the top of the line
    float advance;
} tlw_letter;

typedef struct tlw_letters {
    uint32_t pixels; // from the top of a line to its bottom
    uint32_t width, height;
    uint8_t* grey;      // 0 to 255; the first texel is 255, for what is filled
    uint64_t stamp;     // another number for each set of letters
    bool has_font_file; // of DejaVu Sans
    tlw_letter list[TLW_LETTERS_END - TLW_LETTERS_FIRST];
} tlw_letters;

// Makes letters of this height, which is clamped to the range above. With `is_plain` no font file
// is looked for. Returns null when out of memory.
tlw_letters* tlw_letters_create(uint32_t pixels, bool is_plain);
// Null: nothing happens.
void tlw_letters_free(tlw_letters* letters);

// Returns the next letter of a text in UTF-8 and advances *text past it. A letter without a picture
// becomes a question mark. Returns null at the end of the text.
const tlw_letter* tlw_letters_next(const tlw_letters* letters, const char** text);
// Pixels from the left edge of a word to its right.
float tlw_letters_width(const tlw_letters* letters, const char* text);

#endif
