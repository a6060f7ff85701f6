// SPDX-License-Identifier: MIT
// Curves over time, or over anything else that has equal steps, in a rectangle of a picture.
#ifndef TLW_TOOLS_FIGURES_PLOT_H
#define TLW_TOOLS_FIGURES_PLOT_H

#include "tools/render/render.h"

typedef struct tlw_plot_line {
    const double* values; // element i * stride
    uint32_t count, stride;
    tlw_rgb colour;
    const char* name;
} tlw_plot_line;

// All lines share the axes, which fit them; 0 has a line of its own if it is in range. `unit` is
// what a value times `factor` is measured in.
void tlw_plot_draw(tlw_picture* picture, tlw_render_area area, const tlw_plot_line* lines,
                   uint32_t line_count, double step_seconds, double factor, const char* unit);

// What curves run over: a value per step, a vertical line every `grid`.
typedef struct tlw_plot_axis {
    double step, grid;
    int decimals; // of the label at its end
    const char* unit;
} tlw_plot_axis;

// The same over another axis than time.
void tlw_plot_draw_over(tlw_picture* picture, tlw_render_area area, const tlw_plot_line* lines,
                        uint32_t line_count, const tlw_plot_axis* axis, double factor,
                        const char* unit);

// Colours of the first, second and further lines.
tlw_rgb tlw_plot_colour(uint32_t line);

#endif
