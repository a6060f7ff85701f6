// SPDX-License-Identifier: MIT
// The report's scaling curves: frame time with more characters, and with more workers.
#include "tools/bench/html_chart.h"

#include <math.h>

#define HALF 520.0

static void add_point(tlw_chart* c, double x, double y, const char* label) {
    tlw_text_add(c->out,
                 "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>"
                 "<text class=\"value\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                 x, y, x + 7.0, y + 16.0, label);
}

static void add_x_tick(tlw_chart* c, uint32_t count) {
    tlw_text_add(c->out,
                 "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%u</text>\n",
                 tlw_chart_x(c, count), c->bottom + 17.0, count);
}

static void add_axis(tlw_chart* c, const char* unit) {
    tlw_text_add(c->out,
                 "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<text class=\"unit\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                 c->left, c->right, c->bottom, c->bottom, (c->left + c->right) * 0.5,
                 c->bottom + 34.0, unit);
}

static void add_ideal(tlw_chart* c, double x0, double y0, double x1, double y1) {
    tlw_text_add(c->out,
                 "<line class=\"ideal\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                 tlw_chart_x(c, x0), tlw_chart_y(c, y0), tlw_chart_x(c, x1), tlw_chart_y(c, y1));
}

static void add_characters(tlw_text* out, const tlw_scaling* s) {
    tlw_chart c = tlw_chart_make(out, "characters", HALF, 300.0, 66.0);
    const tlw_scaling_point* first = &s->characters[0];
    const tlw_scaling_point* last = &s->characters[s->character_points - 1];
    const double ideal = first->ms * last->count;
    const double highest = last->ms > ideal ? last->ms : ideal;
    c.is_log = true;
    c.x0 = first->count;
    c.x1 = last->count > first->count ? last->count : first->count + 1.0;
    c.y0 = first->ms > 0.0 ? first->ms * 0.7 : 1e-3;
    c.y1 = highest > c.y0 ? highest * 1.25 : c.y0 * 10.0;
    tlw_chart_begin(&c, "Frame time of more characters");
    tlw_chart_y_axis(&c, "ms", 5);
    add_axis(&c, "characters (both axes logarithmic)");
    add_ideal(&c, first->count, first->ms > 0.0 ? first->ms : c.y0, last->count,
              ideal > 0.0 ? ideal : c.y0);
    tlw_text_add(out, "<polyline class=\"line\" points=\"");
    for (uint32_t i = 0; i < s->character_points; ++i) {
        tlw_text_add(out, "%.1f,%.1f ", tlw_chart_x(&c, s->characters[i].count),
                     tlw_chart_y(&c, s->characters[i].ms));
    }
    tlw_text_add(out, "\"/>\n");
    for (uint32_t i = 0; i < s->character_points; ++i) {
        char label[32];
        snprintf(label, sizeof label, "%.3g", s->characters[i].ms);
        add_x_tick(&c, s->characters[i].count);
        add_point(&c, tlw_chart_x(&c, s->characters[i].count), tlw_chart_y(&c, s->characters[i].ms),
                  label);
    }
    tlw_chart_end(&c);
}

static double speedup(const tlw_scaling* s, uint32_t i) {
    return s->workers[i].ms > 0.0 ? s->workers[0].ms / s->workers[i].ms : 0.0;
}

static void add_workers(tlw_text* out, const tlw_scaling* s, uint32_t cores) {
    tlw_chart c = tlw_chart_make(out, "workers", HALF, 300.0, 66.0);
    const uint32_t most = s->workers[s->worker_points - 1].count;
    c.x0 = 1.0;
    c.x1 = most > 1 ? most : 2.0;
    c.y1 = 1.0;
    for (uint32_t i = 0; i < s->worker_points; ++i) {
        c.y1 = speedup(s, i) > c.y1 ? speedup(s, i) : c.y1;
    }
    // The ideal speedup stops growing at the number of cores.
    const double ideal = cores < most ? cores : most;
    c.y1 = ceil((ideal > c.y1 ? ideal : c.y1) + 0.25);
    tlw_chart_begin(&c, "Speed-up by more workers");
    tlw_chart_y_axis(&c, "x", (uint32_t)c.y1);
    add_axis(&c, "workers");
    add_ideal(&c, 1.0, 1.0, ideal, ideal);
    add_ideal(&c, ideal, ideal, c.x1, ideal);
    tlw_text_add(out, "<polyline class=\"line\" points=\"");
    for (uint32_t i = 0; i < s->worker_points; ++i) {
        tlw_text_add(out, "%.1f,%.1f ", tlw_chart_x(&c, s->workers[i].count),
                     tlw_chart_y(&c, speedup(s, i)));
    }
    tlw_text_add(out, "\"/>\n");
    for (uint32_t i = 0; i < s->worker_points; ++i) {
        char label[32];
        snprintf(label, sizeof label, "%.2fx", speedup(s, i));
        add_x_tick(&c, s->workers[i].count);
        add_point(&c, tlw_chart_x(&c, s->workers[i].count), tlw_chart_y(&c, speedup(s, i)), label);
    }
    tlw_chart_end(&c);
}

void tlw_html_scaling(tlw_text* out, const tlw_frames_result* r) {
    const tlw_scaling* s = &r->scaling;
    tlw_text_add(out,
                 "<section><h2>Scaling</h2><p class=\"note\">Medians of short runs. Dashed: every "
                 "character costs what one does; every worker up to the %u core%s brings its whole "
                 "share, of %u character%s.</p>\n<div class=\"two\">",
                 r->machine.cores, r->machine.cores > 1 ? "s" : "", s->crowd,
                 s->crowd > 1 ? "s" : "");
    add_characters(out, s);
    add_workers(out, s, r->machine.cores);
    tlw_text_add(out, "</div></section>\n");
}
