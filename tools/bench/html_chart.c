// SPDX-License-Identifier: MIT
// Scales, axes and labels of the report's charts.
#include "tools/bench/html_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_GAP 15.0

tlw_chart tlw_chart_make(tlw_text* out, const char* id, double width, double height,
                         double margin) {
    return (tlw_chart){.out = out,
                       .id = id,
                       .width = width,
                       .height = height,
                       .left = 58.0,
                       .right = width - margin,
                       .top = 26.0,
                       .bottom = height - 40.0,
                       .x1 = 1.0,
                       .y1 = 1.0};
}

static double part_of(double value, double from, double to, bool is_log) {
    const double part =
        is_log ? (log(value) - log(from)) / (log(to) - log(from)) : (value - from) / (to - from);
    return part - part == 0.0 ? part : 0.0; // not finite where the range is empty
}

double tlw_chart_x(const tlw_chart* c, double value) {
    return c->left + part_of(value, c->x0, c->x1, c->is_log) * (c->right - c->left);
}

double tlw_chart_y(const tlw_chart* c, double value) {
    return c->bottom - part_of(value, c->y0, c->y1, c->is_log) * (c->bottom - c->top);
}

double tlw_chart_step(double span, uint32_t parts) {
    const double rough = span > 0.0 ? span / parts : 1.0;
    const double decade = pow(10.0, floor(log10(rough)));
    const double times = rough / decade;
    return decade * (times > 5.0 ? 10.0 : times > 2.0 ? 5.0 : times > 1.0 ? 2.0 : 1.0);
}

int tlw_chart_decimals(double step) {
    const int digits = (int)ceil(-log10(step) - 1e-9);
    return digits < 0 ? 0 : digits > 6 ? 6 : digits;
}

void tlw_chart_begin(tlw_chart* c, const char* title) {
    tlw_text_add(c->out,
                 "<div class=\"chart\"><svg id=\"%s\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n"
                 "<title>",
                 c->id, c->width, c->height);
    tlw_text_html(c->out, title);
    tlw_text_add(c->out,
                 "</title>\n<clipPath id=\"%s-plot\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                 "height=\"%.1f\"/></clipPath>\n",
                 c->id, c->left, c->top, c->right - c->left, c->bottom - c->top);
}

void tlw_chart_end(tlw_chart* c) {
    tlw_text_add(c->out, "</svg></div>\n");
}

static void add_y_tick(tlw_chart* c, double value, int decimals) {
    const double y = tlw_chart_y(c, value);
    tlw_text_add(c->out,
                 "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
                 c->left, c->right, y, y, c->left - 8.0, y + 4.0, decimals, value);
}

void tlw_chart_y_axis(tlw_chart* c, const char* unit, uint32_t parts) {
    if (c->is_log) {
        static const double steps[3] = {1.0, 2.0, 5.0};
        const bool is_wide = c->y1 / c->y0 > 2000.0; // decades alone are enough
        for (double decade = pow(10.0, floor(log10(c->y0))); decade <= c->y1; decade *= 10.0) {
            for (int i = 0; i < (is_wide ? 1 : 3); ++i) {
                const double value = decade * steps[i];
                if (value >= c->y0 * 0.999 && value <= c->y1 * 1.001) {
                    add_y_tick(c, value, tlw_chart_decimals(value));
                }
            }
        }
    } else {
        const double step = tlw_chart_step(c->y1 - c->y0, parts);
        for (double value = c->y0; value <= c->y1 + step * 1e-6; value += step) {
            add_y_tick(c, value, tlw_chart_decimals(step));
        }
    }
    const bool is_long = strlen(unit) > 6;
    tlw_text_add(c->out, "<text class=\"unit\" x=\"%.1f\" y=\"14\" text-anchor=\"%s\">",
                 is_long ? 2.0 : c->left - 8.0, is_long ? "start" : "end");
    tlw_text_html(c->out, unit);
    tlw_text_add(c->out, "</text>\n");
}

void tlw_chart_x_axis(tlw_chart* c, const char* unit, uint32_t parts) {
    double step = tlw_chart_step(c->x1 - c->x0, parts);
    step = step < 1.0 ? 1.0 : step;
    tlw_text_add(c->out, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                 c->left, c->right, c->bottom, c->bottom);
    for (double value = c->x0; value <= c->x1 + step * 1e-6; value += step) {
        tlw_text_add(c->out,
                     "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f"
                     "</text>\n",
                     tlw_chart_x(c, value), c->bottom + 17.0, value);
    }
    tlw_text_add(c->out, "<text class=\"unit\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                 (c->left + c->right) * 0.5, c->bottom + 34.0);
    tlw_text_html(c->out, unit);
    tlw_text_add(c->out, "</text>\n");
}

static int by_value_downwards(const void* a, const void* b) {
    const double x = ((const tlw_chart_mark*)a)->value, y = ((const tlw_chart_mark*)b)->value;
    return (x < y) - (x > y);
}

void tlw_chart_marks(tlw_chart* c, tlw_chart_mark* marks, uint32_t count) {
    qsort(marks, count, sizeof *marks, by_value_downwards);
    double places[16];
    count = count < TLW_COUNT_OF(places) ? count : (uint32_t)TLW_COUNT_OF(places);
    for (uint32_t i = 0; i < count; ++i) {
        const double y = tlw_chart_y(c, marks[i].value);
        places[i] = y < c->top ? c->top : y;
        if (i > 0 && places[i] < places[i - 1] + LABEL_GAP) {
            places[i] = places[i - 1] + LABEL_GAP;
        }
    }
    // Labels that were pushed out at the bottom push the others back up.
    for (uint32_t i = count; i-- > 0;) {
        const double most = i + 1 < count ? places[i + 1] - LABEL_GAP : c->bottom;
        places[i] = places[i] > most ? most : places[i];
    }
    for (uint32_t i = 0; i < count; ++i) {
        const double y = tlw_chart_y(c, marks[i].value);
        const bool is_above = marks[i].value > c->y1;
        if (!is_above) {
            tlw_text_add(c->out,
                         "<line class=\"mark %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
                         "y2=\"%.1f\"/><line class=\"lead %s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
                         "y2=\"%.1f\"/>",
                         marks[i].kind, c->left, c->right, y, y, marks[i].kind, c->right, y,
                         c->right + 8.0, places[i]);
        }
        tlw_text_add(c->out, "<text class=\"label %s\" x=\"%.1f\" y=\"%.1f\">%s", marks[i].kind,
                     c->right + 12.0, places[i] + 4.0, is_above ? "&#9650; " : "");
        tlw_text_html(c->out, marks[i].text);
        tlw_text_add(c->out, "</text>\n");
    }
}

static uint32_t group_of(uint32_t frames) {
    return (frames + TLW_CHART_POINTS - 1) / TLW_CHART_POINTS;
}

uint32_t tlw_chart_points(uint32_t frames) {
    const uint32_t group = group_of(frames);
    return group > 0 ? (frames + group - 1) / group : 0;
}

uint32_t tlw_chart_frame(const tlw_frames* frames, uint32_t point) {
    const uint32_t group = group_of(frames->count);
    uint32_t worst = point * group;
    for (uint32_t i = worst; i < (point + 1) * group && i < frames->count; ++i) {
        worst = frames->frames[i].ms > frames->frames[worst].ms ? i : worst;
    }
    return worst;
}

const char* tlw_thousands(uint64_t value, char text[32]) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t used = 0;
    for (int i = 0; i < length; ++i) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    text[used] = 0;
    return text;
}
