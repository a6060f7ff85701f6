// SPDX-License-Identifier: MIT
// Draws curves as overlapping discs, which are smooth at any slope.
#include "tools/figures/plot.h"

#include <math.h>
#include <stdio.h>

#define TEXT   2
#define INSET  8
#define BOTTOM 26
#define TOP    26

static const tlw_rgb ink = {0.88f, 0.90f, 0.94f}, faint = {0.60f, 0.65f, 0.73f};

tlw_rgb tlw_plot_colour(uint32_t line) {
    static const tlw_rgb colours[] = {
        {0.74f, 0.84f, 1.00f}, {0.96f, 0.62f, 0.26f}, {0.55f, 0.86f, 0.55f}, {0.93f, 0.45f, 0.50f}};
    return colours[line % TLW_COUNT_OF(colours)];
}

typedef struct frame {
    float left, top, width, height;
    double low, high, end; // end: of the axis
} frame;

static float x_of(const frame* f, double at) {
    return f->left + f->width * (float)(at / f->end);
}

static float y_of(const frame* f, double value) {
    return f->top + f->height * (float)((f->high - value) / (f->high - f->low));
}

static void draw_line(tlw_picture* picture, const frame* f, const tlw_plot_line* line, double step,
                      double factor) {
    for (uint32_t i = 0; i + 1 < line->count; ++i) {
        const float x0 = x_of(f, i * step), x1 = x_of(f, (i + 1) * step);
        const float y0 = y_of(f, factor * line->values[(size_t)i * line->stride]);
        const float y1 = y_of(f, factor * line->values[(size_t)(i + 1) * line->stride]);
        const int steps = (int)(fabsf(x1 - x0) + fabsf(y1 - y0)) + 1;
        for (int k = 0; k < steps; ++k) {
            const float share = (float)k / (float)steps;
            tlw_picture_disc(picture, x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, 0.7f,
                             line->colour, 0.75f);
        }
    }
}

void tlw_plot_draw(tlw_picture* picture, tlw_render_area area, const tlw_plot_line* lines,
                   uint32_t line_count, double step_seconds, double factor, const char* unit) {
    const tlw_plot_axis time = {.step = step_seconds, .grid = 0.5, .decimals = 1, .unit = "s"};
    tlw_plot_draw_over(picture, area, lines, line_count, &time, factor, unit);
}

void tlw_plot_draw_over(tlw_picture* picture, tlw_render_area area, const tlw_plot_line* lines,
                        uint32_t line_count, const tlw_plot_axis* axis, double factor,
                        const char* unit) {
    frame f = {.left = (float)area.x + INSET,
               .top = (float)area.y + TOP,
               .width = (float)area.width - 2 * INSET,
               .height = (float)area.height - TOP - BOTTOM,
               .low = 1e30,
               .high = -1e30,
               .end = 1e-9};
    for (uint32_t l = 0; l < line_count; ++l) {
        for (uint32_t i = 0; i < lines[l].count; ++i) {
            const double value = factor * lines[l].values[(size_t)i * lines[l].stride];
            f.low = fmin(f.low, value);
            f.high = fmax(f.high, value);
        }
        f.end = fmax(f.end, (lines[l].count > 1 ? lines[l].count - 1 : 1) * axis->step);
    }
    if (!(f.high - f.low > 1e-9)) {
        f.low -= 1.0;
        f.high += 1.0;
    }
    tlw_picture_fill(picture, (int32_t)area.x, (int32_t)area.y, (int32_t)area.width,
                     (int32_t)area.height, (tlw_rgb){0.06f, 0.07f, 0.09f}, 0.55f);
    if (f.low < 0.0 && f.high > 0.0) {
        tlw_picture_fill(picture, (int32_t)f.left, (int32_t)y_of(&f, 0.0), (int32_t)f.width, 1,
                         faint, 0.6f);
    }
    for (double at = axis->grid; at < f.end; at += axis->grid) {
        tlw_picture_fill(picture, (int32_t)x_of(&f, at), (int32_t)f.top, 1, (int32_t)f.height,
                         faint, 0.25f);
    }
    for (uint32_t l = 0; l < line_count; ++l) {
        draw_line(picture, &f, &lines[l], axis->step, factor);
    }
    char text[64];
    int32_t x = (int32_t)f.left;
    for (uint32_t l = 0; l < line_count; ++l) {
        tlw_picture_label(picture, x, (int32_t)area.y + 6, TEXT, lines[l].name, lines[l].colour);
        x += tlw_picture_label_width(TEXT, lines[l].name) + 20;
    }
    snprintf(text, sizeof text, "%.3g to %.3g %s", f.low, f.high, unit);
    const int32_t y = (int32_t)(area.y + area.height) - 20;
    tlw_picture_label(picture, (int32_t)f.left, y, TEXT, text, ink);
    snprintf(text, sizeof text, "%.*f %s", axis->decimals, f.end, axis->unit);
    tlw_picture_label(picture, (int32_t)(f.left + f.width) - tlw_picture_label_width(TEXT, text), y,
                      TEXT, text, faint);
}
