// SPDX-License-Identifier: MIT
// The report's worst frames: the time of the frame, of its characters, and of their passes.
#include "tools/bench/html_chart.h"

#include <stdlib.h>

#define CHARACTERS_SHOWN 4u
#define LEAST_SHARE      0.005

typedef struct tree {
    tlw_text* out;
    double all_ms; // 100%: the frame's time times the workers
    const tlw_frames* frames;
} tree;

static void add_row(const tree* t, int depth, double ms, const char* colour, const char* name) {
    const double share = t->all_ms > 0.0 ? ms / t->all_ms : 0.0;
    tlw_text_add(t->out, "<div class=\"row d%d\"><span class=\"zone\">", depth);
    tlw_text_html(t->out, name);
    tlw_text_add(t->out,
                 "</span><span class=\"bar\"><i style=\"width:%.1f%%%s%s\"></i></span><span "
                 "class=\"ms\">%.3f ms</span><span class=\"share\">%.1f%%</span></div>\n",
                 share > 1.0 ? 100.0 : share * 100.0, colour[0] ? ";background:" : "", colour, ms,
                 share * 100.0);
}

// Largest first.
static void add_passes(const tree* t, int depth, const double* pass_ms) {
    bool is_shown[TLW_PASS_COUNT] = {0};
    for (int n = 0; n < TLW_PASS_COUNT; ++n) {
        int largest = -1;
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            if (!is_shown[p] && (largest < 0 || pass_ms[p] > pass_ms[largest])) {
                largest = p;
            }
        }
        is_shown[largest] = true;
        if (pass_ms[largest] < LEAST_SHARE * t->all_ms) {
            return;
        }
        char colour[16];
        snprintf(colour, sizeof colour, "#%06x", tlw_pass_colour((tlw_pass)largest));
        add_row(t, depth, pass_ms[largest], colour, tlw_pass_name((tlw_pass)largest));
    }
}

static double sum_of(const double* pass_ms) {
    double sum = 0.0;
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        sum += pass_ms[p];
    }
    return sum;
}

// Several workers share a split character: its passes add up to more than its step took.
static double time_of(const tlw_frame_character* c) {
    const double sum = sum_of(c->pass_ms);
    return sum > c->ms ? sum : c->ms;
}

static uint32_t slowest_left(const tlw_worst_of_frames* w, uint32_t count, const uint32_t* shown,
                             uint32_t shown_count) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        bool is_shown = false;
        for (uint32_t k = 0; k < shown_count; ++k) {
            is_shown = is_shown || shown[k] == i;
        }
        if (!is_shown &&
            (best == UINT32_MAX || time_of(&w->characters[i]) > time_of(&w->characters[best]))) {
            best = i;
        }
    }
    return best;
}

static void add_characters(const tree* t, const tlw_worst_of_frames* w) {
    const uint32_t count = t->frames->def.character_count;
    uint32_t shown[CHARACTERS_SHOWN];
    double rest_ms = 0.0, rest_passes[TLW_PASS_COUNT] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        rest_ms += time_of(&w->characters[i]);
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            rest_passes[p] += w->characters[i].pass_ms[p];
        }
    }
    for (uint32_t n = 0; n < CHARACTERS_SHOWN && n < count; ++n) {
        shown[n] = slowest_left(w, count, shown, n);
        const tlw_frame_character* c = &w->characters[shown[n]];
        char name[128];
        snprintf(name, sizeof name, "%s %u%s", t->frames->def.actor->name, shown[n],
                 c->was_split ? ", split among workers" : "");
        add_row(t, 1, time_of(c), "", name);
        add_passes(t, 2, c->pass_ms);
        const double outside = time_of(c) - sum_of(c->pass_ms);
        if (outside > LEAST_SHARE * t->all_ms) {
            add_row(t, 2, outside, "var(--outside)", "outside passes");
        }
        rest_ms -= time_of(c);
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            rest_passes[p] -= c->pass_ms[p];
        }
    }
    if (count > CHARACTERS_SHOWN) {
        char name[48];
        snprintf(name, sizeof name, "%u other characters", count - CHARACTERS_SHOWN);
        add_row(t, 1, rest_ms, "", name);
        add_passes(t, 2, rest_passes);
    }
}

static double characters_ms(const tlw_frames* f, const tlw_worst_of_frames* w) {
    double sum = 0.0;
    for (uint32_t i = 0; i < f->def.character_count; ++i) {
        sum += time_of(&w->characters[i]);
    }
    return sum;
}

static void add_frame(tlw_text* out, const tlw_frames* f, uint32_t at) {
    const tlw_worst_of_frames* w = &f->worst[at];
    const tlw_frame* frame = &f->frames[w->frame];
    const tree t = {out, frame->ms * f->def.worker_count, f};
    char name[64];
    tlw_text_add(out,
                 "<details class=\"frame\"%s><summary><b>frame %u</b> <span>%.3f ms</span> "
                 "<span class=\"soft\">%.1f times the median%s</span></summary>\n",
                 at == 0 ? " open" : "", w->frame, frame->ms,
                 f->total.median > 0.0 ? frame->ms / f->total.median : 0.0,
                 frame->is_clean ? "" : "; another process ran meanwhile");
    snprintf(name, sizeof name, "frame %u%s", w->frame,
             f->def.worker_count > 1 ? ", all workers" : "");
    add_row(&t, 0, t.all_ms, "", name);
    add_characters(&t, w);
    double planted = sum_of(frame->pass_ms);
    for (uint32_t i = 0; i < f->def.character_count; ++i) {
        planted -= sum_of(w->characters[i].pass_ms);
    }
    planted = f->def.plant_us > 0.0 && planted > 0.0 ? planted : 0.0;
    if (planted > 0.0) {
        snprintf(name, sizeof name, "%s, planted", tlw_pass_name(f->def.plant_pass));
        add_row(&t, 1, planted, "", name);
    }
    const double rest = t.all_ms - planted - characters_ms(f, w);
    add_row(&t, 1, rest > 0.0 ? rest : 0.0, "",
            f->def.worker_count > 1 ? "scheduling and waiting" : "outside of characters");
    tlw_text_add(out, "</details>\n");
}

void tlw_html_worst(tlw_text* out, const tlw_frames* f) {
    tlw_text_add(out, "<section id=\"worst\"><h2>Worst frames</h2><p class=\"note\">What they were "
                      "made of: characters, and their passes from the largest down.</p>\n");
    for (uint32_t i = 0; i < f->worst_count; ++i) {
        add_frame(out, f, i);
    }
    tlw_text_add(out, "</section>\n");
}
