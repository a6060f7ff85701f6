// SPDX-License-Identifier: MIT
// Colours of the surface by what tissue does, and the legend that says what they mean. Amounts go
// from light to dark, and differences from blue over white to orange, so that they can be told
// apart without seeing hues; kinds have the colours of Okabe and Ito; layers have those of
// voxels.h.
#ifndef TLW_TOOLS_VIEW_COLOURS_H
#define TLW_TOOLS_VIEW_COLOURS_H

#include "tools/view/character.h"
#include "tools/view/options.h"

extern const tlw_rgb tlw_view_clay;

// The colour of a part or a muscle, which count from 0, and begin again after the last.
tlw_rgb tlw_view_kind_colour(uint32_t kind);

// Bytes for a picture: 4 per vertex, sRGB and 255. `hot` is the deviation that has the darkest
// colour, metres. PLAIN writes clay. The character's voxels must have been read (not for PLAIN and
// DEVIATION).
void tlw_view_colour_surface(const tlw_view_character* character, tlw_view_colour colour, float hot,
                             uint8_t* rgba);

// What the colours of a picture mean, to be drawn as a bar with two ends, or as a list of kinds.
#define TLW_VIEW_LEGEND_KINDS 8u
typedef struct tlw_view_legend {
    const char* meaning; // a literal
    bool is_bar;
    char low[24], high[24]; // at the ends of the bar, with the unit
    tlw_rgb bar[32];
    uint32_t kind_count; // at most TLW_VIEW_LEGEND_KINDS; more than that are not shown
    const char* kinds[TLW_VIEW_LEGEND_KINDS];
    tlw_rgb kind_colours[TLW_VIEW_LEGEND_KINDS];
} tlw_view_legend;

void tlw_view_make_legend(const tlw_view_model* model, tlw_view_colour colour, float hot,
                          tlw_view_legend* out);
// The next of 1, 2 and 5 times a power of ten metres that is not below it, at least 1 mm.
float tlw_view_round_up(float metres);

#endif
