// SPDX-License-Identifier: MIT
// The report's charts of frames: times, passes over frames, histogram.
#include "tools/bench/html_chart.h"

#include <math.h>
#include <string.h>

#define WIDE         1060.0
#define FRAME_MARGIN 148.0

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

// Above nearly all frames, but not above all: a few disturbed frames must not flatten the rest.
static double usual_top(const tlw_frames* f) {
    return smaller(f->total.worst, larger(f->total.p95 * 1.4, f->total.median * 1.8));
}

// The top of the axis. Frames above it are marked there; a budget is shown unless it is far above.
static double top_of(const tlw_frames* f) {
    double top = usual_top(f) * 1.06;
    if (f->def.budget_ms > top && f->def.budget_ms < 3.0 * top) {
        top = f->def.budget_ms * 1.08;
    }
    const double step = tlw_chart_step(larger(top, 1e-6), 5);
    return ceil(larger(top, 1e-6) / step - 1e-9) * step;
}

// A rectangle per point over the whole height, for the pointer to hit. Its title is the readout.
static void add_hit(tlw_chart* c, const tlw_frames* f, uint32_t point, bool has_passes) {
    const uint32_t i = tlw_chart_frame(f, point);
    const tlw_frame* frame = &f->frames[i];
    const double width = (c->right - c->left) / tlw_chart_points(f->count);
    tlw_text_add(c->out,
                 "<rect class=\"hit\" data-i=\"%u\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
                 "height=\"%.1f\"><title>frame %u: %.4g ms",
                 point, c->left + point * width, c->top, width, c->bottom - c->top, i, frame->ms);
    for (int p = 0; p < TLW_PASS_COUNT && has_passes; ++p) {
        tlw_text_add(c->out, ", %s %.4g", tlw_pass_name((tlw_pass)p), frame->pass_ms[p]);
    }
    if (has_passes) {
        tlw_text_add(c->out, ", outside passes %.4g", frame->outside_ms);
    }
    if (!frame->is_clean) {
        tlw_text_add(c->out, "; another process ran");
    }
    tlw_text_add(c->out, "</title></rect>\n");
}

static double middle_of(const tlw_chart* c, const tlw_frames* f, uint32_t point) {
    return c->left + (point + 0.5) * (c->right - c->left) / tlw_chart_points(f->count);
}

static void add_off_label(tlw_chart* c, double x, double ms) {
    tlw_text_add(
        c->out, "<text class=\"off\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.3g ms</text>\n",
        smaller(larger(x, c->left + 24.0), c->right - 24.0), c->top - 6.0, ms);
}

// Triangles at the top where the line leaves the plot. The worst one is labelled with its value,
// and so are others where there is room.
static void add_off_scale(tlw_chart* c, const tlw_frames* f) {
    const uint32_t points = tlw_chart_points(f->count);
    double worst_x = -1e9, worst_ms = c->y1, last_x = -1e9;
    for (uint32_t point = 0; point < points; ++point) {
        const double ms = f->frames[tlw_chart_frame(f, point)].ms;
        if (ms > c->y1) {
            tlw_text_add(c->out, "<path class=\"off\" d=\"M%.1f %.1fl4 7h-8z\"/>\n",
                         middle_of(c, f, point), c->top + 1.0);
        }
        if (ms > worst_ms) {
            worst_ms = ms;
            worst_x = middle_of(c, f, point);
        }
    }
    for (uint32_t point = 0; point < points; ++point) {
        const double ms = f->frames[tlw_chart_frame(f, point)].ms, x = middle_of(c, f, point);
        const bool is_worst = x == worst_x;
        const bool has_room = x > last_x + 90.0 && fabs(x - worst_x) > 90.0;
        if (ms > c->y1 && (is_worst || has_room)) {
            add_off_label(c, x, ms);
            last_x = x;
        }
    }
}

// Marks below the axis for frames in which another process was seen.
static void add_disturbed(tlw_chart* c, const tlw_frames* f) {
    const uint32_t points = tlw_chart_points(f->count);
    tlw_text_add(c->out, "<path class=\"disturbed\" d=\"");
    for (uint32_t i = 0; i < points; ++i) {
        if (!f->frames[tlw_chart_frame(f, i)].is_clean) {
            const double width = (c->right - c->left) / points;
            tlw_text_add(c->out, "M%.1f %.1fh%.1fv3h-%.1fz", c->left + i * width, c->bottom + 1.0,
                         width, width);
        }
    }
    tlw_text_add(c->out, "\"/>\n");
}

static void set_frame_axes(tlw_chart* c, const tlw_frames* f, double top) {
    c->x1 = f->count;
    c->y1 = top;
}

void tlw_html_frame_line(tlw_text* out, const tlw_frames* f) {
    tlw_chart c = tlw_chart_make(out, "frames", WIDE, 300.0, FRAME_MARGIN);
    const uint32_t points = tlw_chart_points(f->count);
    set_frame_axes(&c, f, top_of(f));
    tlw_chart_begin(&c, "Time of every frame");
    tlw_chart_y_axis(&c, "ms", 5);
    tlw_chart_x_axis(&c, "frame", 10);
    tlw_text_add(out, "<g clip-path=\"url(#frames-plot)\"><polyline class=\"line\" points=\"");
    for (uint32_t i = 0; i < points; ++i) {
        tlw_text_add(out, "%.1f,%.1f ", middle_of(&c, f, i),
                     tlw_chart_y(&c, f->frames[tlw_chart_frame(f, i)].ms));
    }
    tlw_text_add(out, "\"/></g>\n");
    add_off_scale(&c, f);
    add_disturbed(&c, f);
    tlw_chart_mark marks[3] = {{"median", f->total.median, ""}, {"p99", f->total.p99, ""}};
    snprintf(marks[0].text, sizeof marks[0].text, "median %.3g ms", f->total.median);
    snprintf(marks[1].text, sizeof marks[1].text, "p99 %.3g ms", f->total.p99);
    if (f->def.budget_ms > 0.0) {
        marks[2] = (tlw_chart_mark){"budget", f->def.budget_ms, ""};
        snprintf(marks[2].text, sizeof marks[2].text, "budget %.4g ms", f->def.budget_ms);
    }
    tlw_chart_marks(&c, marks, f->def.budget_ms > 0.0 ? 3 : 2);
    for (uint32_t i = 0; i < points; ++i) {
        add_hit(&c, f, i, false);
    }
    tlw_chart_end(&c);
}

// ---- Passes over frames

// Layer TLW_PASS_COUNT is the time outside of all passes.
static double layer_ms(const tlw_frame* frame, int layer) {
    return layer < TLW_PASS_COUNT ? frame->pass_ms[layer] : frame->outside_ms;
}

static double height_until(const tlw_frame* frame, int layer) {
    double sum = 0.0;
    for (int i = 0; i < layer; ++i) {
        sum += layer_ms(frame, i);
    }
    return sum;
}

static void add_layer(tlw_chart* c, const tlw_frames* f, int layer) {
    const uint32_t points = tlw_chart_points(f->count);
    if (layer < TLW_PASS_COUNT) {
        tlw_text_add(c->out, "<path class=\"layer\" fill=\"#%06x\" d=\"",
                     tlw_pass_colour((tlw_pass)layer));
    } else {
        tlw_text_add(c->out, "<path class=\"layer outside\" d=\"");
    }
    for (uint32_t i = 0; i < points; ++i) {
        const tlw_frame* frame = &f->frames[tlw_chart_frame(f, i)];
        tlw_text_add(c->out, "%s%.1f %.1f", i ? "L" : "M", middle_of(c, f, i),
                     tlw_chart_y(c, height_until(frame, layer + 1)));
    }
    for (uint32_t i = points; i-- > 0;) {
        const tlw_frame* frame = &f->frames[tlw_chart_frame(f, i)];
        tlw_text_add(c->out, "L%.1f %.1f", middle_of(c, f, i),
                     tlw_chart_y(c, height_until(frame, layer)));
    }
    tlw_text_add(c->out, "Z\"/>\n");
}

static void add_legend(tlw_text* out) {
    tlw_text_add(out, "<ul class=\"legend\">");
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        tlw_text_add(out, "<li><i style=\"background:#%06x\"></i>%s</li>",
                     tlw_pass_colour((tlw_pass)p), tlw_pass_name((tlw_pass)p));
    }
    tlw_text_add(out, "<li><i class=\"outside\"></i>outside passes</li></ul>\n");
}

void tlw_html_stack(tlw_text* out, const tlw_frames* f) {
    tlw_chart c = tlw_chart_make(out, "passes", WIDE, 300.0, FRAME_MARGIN);
    double top = 0.0;
    // As high as the chart of frames, times the workers.
    set_frame_axes(&c, f, top_of(f) * f->def.worker_count);
    for (uint32_t i = 0; i < f->count; ++i) {
        top = larger(top, height_until(&f->frames[i], TLW_PASS_COUNT + 1));
    }
    const double step = tlw_chart_step(c.y1, 5);
    c.y1 = smaller(c.y1, larger(ceil(top / step) * step, step));
    add_legend(out);
    tlw_chart_begin(&c, "Time of every pass in every frame, stacked");
    tlw_chart_y_axis(&c, f->def.worker_count > 1 ? "core ms" : "ms", 5);
    tlw_chart_x_axis(&c, "frame", 10);
    tlw_text_add(out, "<g clip-path=\"url(#passes-plot)\">\n");
    for (int layer = 0; layer <= TLW_PASS_COUNT; ++layer) {
        add_layer(&c, f, layer);
    }
    tlw_text_add(out, "</g>\n");
    for (uint32_t i = 0; i < tlw_chart_points(f->count); ++i) {
        add_hit(&c, f, i, true);
    }
    tlw_chart_end(&c);
}

// ---- Histogram

#define BINS_MAX 64u

typedef struct histogram {
    double low, step;
    uint32_t bin_count, highest;
    uint32_t bins[BINS_MAX + 1]; // the last one is for everything above
} histogram;

static histogram count_bins(const tlw_frames* f) {
    histogram h = {0};
    const double top = usual_top(f);
    h.step = tlw_chart_step(larger(top - f->total.min, f->total.median * 0.02 + 1e-9), 36);
    h.low = floor(f->total.min / h.step) * h.step;
    h.bin_count = (uint32_t)smaller(floor((top - h.low) / h.step) + 1.0, BINS_MAX);
    for (uint32_t i = 0; i < f->count; ++i) {
        const double at = floor((f->frames[i].ms - h.low) / h.step);
        const uint32_t bin = at < 0.0 ? 0 : at < h.bin_count ? (uint32_t)at : h.bin_count;
        h.bins[bin] += 1;
        h.highest = h.bins[bin] > h.highest ? h.bins[bin] : h.highest;
    }
    return h;
}

static void add_bars(tlw_chart* c, const tlw_frames* f, const histogram* h) {
    for (uint32_t i = 0; i <= h->bin_count; ++i) {
        const double from = h->low + i * h->step;
        const bool is_rest = i == h->bin_count;
        if (is_rest && h->bins[i] == 0) {
            continue;
        }
        // The last bar stands apart, so that its name does not touch the last number of the axis.
        const double x = is_rest ? c->right + 24.0 : tlw_chart_x(c, from);
        const double width = is_rest ? 24.0 : tlw_chart_x(c, from + h->step) - x;
        const double y = tlw_chart_y(c, h->bins[i]);
        const bool is_over = f->def.budget_ms > 0.0 && from >= f->def.budget_ms;
        tlw_text_add(c->out,
                     "<rect class=\"bar%s%s\" data-count=\"%u\" x=\"%.1f\" y=\"%.1f\" "
                     "width=\"%.1f\" height=\"%.1f\"><title>%u frames ",
                     is_over ? " over" : "", is_rest ? " rest" : "", h->bins[i], x + 0.5, y,
                     larger(width - 1.0, 1.0), c->bottom - y, h->bins[i]);
        if (is_rest) {
            tlw_text_add(c->out, "of %.4g ms and more</title></rect>", from);
            tlw_text_add(c->out,
                         "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">more"
                         "</text>\n",
                         x + width * 0.5, c->bottom + 17.0);
        } else {
            tlw_text_add(c->out, "from %.4g to %.4g ms</title></rect>\n", from, from + h->step);
        }
    }
}

// Each label has a row of its own above the bars.
static void add_column_mark(tlw_chart* c, const char* kind, const char* name, double value,
                            int row) {
    const bool is_beyond = value > c->x1;
    const double x = is_beyond ? c->right : tlw_chart_x(c, larger(value, c->x0));
    const double y = 12.0 + row * 15.0;
    const bool is_right = x > c->right - 110.0;
    if (is_beyond) {
        tlw_text_add(c->out,
                     "<text class=\"label %s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s %.3g "
                     "ms &#9654;</text>\n",
                     kind, x, y, name, value);
        return;
    }
    tlw_text_add(c->out,
                 "<line class=\"mark %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<text class=\"label %s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s %.3g ms"
                 "</text>\n",
                 kind, x, x, y - 8.0, c->bottom, kind, x + (is_right ? -6.0 : 6.0), y,
                 is_right ? "end" : "start", name, value);
}

void tlw_html_histogram(tlw_text* out, const tlw_frames* f) {
    const histogram h = count_bins(f);
    tlw_chart c = tlw_chart_make(out, "histogram", WIDE, 300.0, 60.0);
    c.top = 70.0;
    c.x0 = h.low;
    c.x1 = h.low + h.step * h.bin_count;
    const double step = tlw_chart_step(h.highest, 4);
    c.y1 = ceil(h.highest / step) * step;
    tlw_chart_begin(&c, "How many frames took how long");
    tlw_chart_y_axis(&c, "frames", 4);
    tlw_text_add(out, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                 c.left, c.right, c.bottom, c.bottom);
    const double every = tlw_chart_step(c.x1 - c.x0, 8);
    for (double at = ceil(c.x0 / every - 1e-6) * every; at <= c.x1 + every * 1e-6; at += every) {
        tlw_text_add(out,
                     "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*f"
                     "</text>\n",
                     tlw_chart_x(&c, at), c.bottom + 17.0, tlw_chart_decimals(every), at);
    }
    tlw_text_add(out,
                 "<text class=\"unit\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">ms per frame"
                 "</text>\n",
                 (c.left + c.right) * 0.5, c.bottom + 34.0);
    add_bars(&c, f, &h);
    add_column_mark(&c, "median", "median", f->total.median, 0);
    add_column_mark(&c, "p95", "p95", f->total.p95, 1);
    add_column_mark(&c, "p99", "p99", f->total.p99, 2);
    if (f->def.budget_ms > 0.0) {
        add_column_mark(&c, "budget", "budget", f->def.budget_ms, 3);
    }
    tlw_chart_end(&c);
}
