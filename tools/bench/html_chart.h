// SPDX-License-Identifier: MIT
// Private to tools/bench: a chart of the report as inline SVG, with scales, axes and labels.
#ifndef TLW_TOOLS_BENCH_HTML_CHART_H
#define TLW_TOOLS_BENCH_HTML_CHART_H

#include "tools/bench/frame_files.h"

typedef struct tlw_chart {
    tlw_text* out;
    const char* id;
    double width, height;            // of the picture
    double left, right, top, bottom; // edges of the plot in it
    double x0, x1, y0, y1;           // values at those edges
    bool is_log;                     // both axes
} tlw_chart;

// With room for an axis on the left and below, and `margin` on the right.
tlw_chart tlw_chart_make(tlw_text* out, const char* id, double width, double height, double margin);
double tlw_chart_x(const tlw_chart* chart, double value);
double tlw_chart_y(const tlw_chart* chart, double value);

// A round step that cuts `span` into about `parts` parts.
double tlw_chart_step(double span, uint32_t parts);
// How many decimals tell multiples of the step apart.
int tlw_chart_decimals(double step);

// Opens the picture; `title` is for readers who cannot see it.
void tlw_chart_begin(tlw_chart* chart, const char* title);
void tlw_chart_end(tlw_chart* chart);
void tlw_chart_y_axis(tlw_chart* chart, const char* unit, uint32_t parts);
// An axis of integers.
void tlw_chart_x_axis(tlw_chart* chart, const char* unit, uint32_t parts);

typedef struct tlw_chart_mark {
    const char* kind; // CSS class of line and label
    double value;
    char text[48];
} tlw_chart_mark;

// Horizontal lines with labels in the right margin, which never overlap. A mark above the plot is a
// label with an arrow. Sorts the marks.
void tlw_chart_marks(tlw_chart* chart, tlw_chart_mark* marks, uint32_t count);

#define TLW_CHART_POINTS 1200u

// A chart has at most TLW_CHART_POINTS points. More frames are grouped, each group shown by its
// worst.
uint32_t tlw_chart_points(uint32_t frames);
uint32_t tlw_chart_frame(const tlw_frames* frames, uint32_t point);

// 1234567 as 1,234,567.
const char* tlw_thousands(uint64_t value, char text[32]);

// The parts of the report.
void tlw_html_frame_line(tlw_text* out, const tlw_frames* frames);
void tlw_html_stack(tlw_text* out, const tlw_frames* frames);
void tlw_html_histogram(tlw_text* out, const tlw_frames* frames);
void tlw_html_scaling(tlw_text* out, const tlw_frames_result* result);
void tlw_html_worst(tlw_text* out, const tlw_frames* frames);

#endif
