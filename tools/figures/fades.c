// SPDX-License-Identifier: MIT
// Figure 10 of Chen et al. 2013: the same motion with two deltas, which are two profiles of one
// character, and a fade from one to the other beside a switch.
#include "tools/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRM = 1, LOOSE = 2, SHOTS = 6, FROM_FRAME = 90, FRAMES = 120, CURVES = 4 };

#define FIRM_DELTA  0.7
#define LOOSE_DELTA 0.9
#define FADE_AT     2.5 // seconds
#define FADE_TIME   0.6

// RULES 8.8.
static double anchor_of(double delta) {
    return 60.0 / 6.283185307179586 * sqrt(-log(delta));
}

static bool make(tlw_figures* f, tlw_actor* out) {
    const double deltas[] = {FIRM_DELTA, LOOSE_DELTA};
    tlw_cook_profile_part parts[2];
    tlw_cook_profile profiles[2] = {{.name = "delta 0.7"}, {.name = "delta 0.9"}};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    for (int i = 0; i < 2; ++i) {
        parts[i] = tlw_default_cook_profile_part(NULL);
        for (uint32_t layer = 1; layer < recipe.layer_count; ++layer) {
            parts[i].anchor_hz[layer] = (float)anchor_of(deltas[i]);
        }
        profiles[i].parts = &parts[i];
        profiles[i].part_count = 1;
    }
    recipe.profiles = profiles;
    recipe.profile_count = 2;
    return tlw_actor_make(out, "bunny", &recipe, &f->error) == TLW_SCENE_OK;
}

static tlw_figure_row stop_row(const tlw_actor* actor, const double* seconds, uint32_t profile,
                               const char* label) {
    tlw_figure_row row = {.take = tlw_default_take_def(actor),
                          .seconds = seconds,
                          .look = TLW_DRAW_TISSUE,
                          .label = label,
                          .yaw_degrees = 75.0f};
    row.take.clip = "sudden_stop";
    row.take.profile = profile;
    return row;
}

// How far the belly is above its skinned place, over time, while it walks. Free it.
static double* walk(tlw_figures* f, const tlw_actor* actor, uint32_t from, uint32_t to,
                    double fade_seconds) {
    tlw_take_def def = tlw_default_take_def(actor);
    def.clip = "walk";
    def.is_bobbing = true;
    def.profile = from;
    def.fade_profile = to;
    def.fade_at = from == to ? 0.0 : FADE_AT;
    def.fade_seconds = fade_seconds;
    const double last = (FROM_FRAME + FRAMES) / TLW_TAKE_HZ;
    tlw_take take;
    double* values = malloc(FRAMES * sizeof *values);
    const bool is_played = tlw_take_play(&take, &def, &last, 1, &f->error) == TLW_SCENE_OK;
    for (uint32_t i = 0; i < FRAMES && values && is_played; ++i) {
        const size_t at = (size_t)(FROM_FRAME + i) * 3 + 1;
        values[i] = (take.track.tissue[at] - take.track.skinned[at]) / take.extent_metres;
    }
    tlw_take_free(&take);
    if (!is_played) {
        free(values);
        values = NULL;
    }
    return values;
}

static tlw_exit_code draw(tlw_figures* f, const tlw_actor* actor, tlw_output_file* file) {
    static const double seconds[SHOTS] = {1.0, 1.05, 67 / 60.0, 1.2, 78 / 60.0, 1.5};
    tlw_figure_sheet sheet = {
        .title = "Chen et al., Figure 10: delta 0.7 and 0.9",
        .remark = "bunny at 32; the root stands still from 1.00 s on",
        .columns = SHOTS,
        .row_count = 2,
        .legend = TLW_LEGEND_DEVIATION,
        .rows = {stop_row(actor, seconds, FIRM, "delta 0.7"),
                 stop_row(actor, seconds, LOOSE, "delta 0.9")},
        .line_count = CURVES,
        .line_seconds = 1.0 / TLW_TAKE_HZ,
        .line_factor = TLW_MOTION_HEIGHT_MM,
        .line_unit = "mm of a character of 1.7 m",
        .line_label = "the belly above its skinned place in a walk, 2 s; the change is after 1 s"};
    const struct {
        const char* name;
        uint32_t from, to;
        double seconds;
    } curves[CURVES] = {{"0.9", LOOSE, LOOSE, 0.0},
                        {"0.7", FIRM, FIRM, 0.0},
                        {"0.9, then 0.7 at once", LOOSE, FIRM, 0.0},
                        {"0.9, fades to 0.7 in 0.6 s", LOOSE, FIRM, FADE_TIME}};
    double* values[CURVES] = {NULL};
    bool is_good = true;
    for (uint32_t i = 0; i < CURVES && is_good; ++i) {
        values[i] = walk(f, actor, curves[i].from, curves[i].to, curves[i].seconds);
        is_good = values[i] != NULL;
        sheet.lines[i] = (tlw_plot_line){.values = values[i],
                                         .count = FRAMES,
                                         .stride = 1,
                                         .colour = tlw_plot_colour(i),
                                         .name = curves[i].name};
    }
    tlw_figure_note(&sheet, "anchors of %.1f and %.1f Hz in every layer; firm parts keep theirs",
                    anchor_of(FIRM_DELTA), anchor_of(LOOSE_DELTA));
    const tlw_exit_code code = is_good ? tlw_figures_draw(f, &sheet, file) : tlw_figures_fail(f);
    for (uint32_t i = 0; i < CURVES; ++i) {
        free(values[i]);
    }
    return code;
}

tlw_exit_code tlw_figure_deltas(tlw_figures* f, tlw_output_file* file) {
    tlw_actor actor;
    const tlw_exit_code code = make(f, &actor) ? draw(f, &actor, file) : tlw_figures_fail(f);
    tlw_actor_free(&actor);
    return code;
}
