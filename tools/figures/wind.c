// SPDX-License-Identifier: MIT
// A character in a wind from the front, and in none (MODEL 3.17).
#include "tools/figures/touch.h"

#include <math.h>

enum { SHOTS = 4 };

#define WIND 20.0f // m/s
#define DRAG 0.2f  // per metre

static void blow(tlw_motion* motion, uint32_t frame, void* user) {
    const bool has_wind = *(const bool*)user;
    tlw_settings settings;
    if (frame == 0 && has_wind &&
        tlw_character_get_settings(motion->world, motion->id, &settings) == TLW_OK) {
        settings.wind[2] = -WIND;
        settings.wind_drag = DRAG;
        TLW_IGNORE(tlw_character_set_settings(motion->world, motion->id, &settings));
    }
}

// The mean deviation of vertices, and the largest, in shares of L.
static bool measure(tlw_figures* f, const tlw_take_def* def, const double* seconds, double* mean,
                    double* most) {
    tlw_take take;
    const bool is_played = tlw_take_play(&take, def, seconds, SHOTS, &f->error) == TLW_SCENE_OK;
    *mean = *most = 0.0;
    for (uint32_t i = 0; i < SHOTS && is_played; ++i) {
        for (uint32_t v = 0; v < take.actor->info.vertex_count; ++v) {
            const double share = (double)take.shots[i].deviation[v] / take.extent_metres;
            *mean += share / (SHOTS * (double)take.actor->info.vertex_count);
            *most = fmax(*most, share);
        }
    }
    tlw_take_free(&take);
    return is_played;
}

tlw_exit_code tlw_figure_blown(tlw_figures* f, tlw_output_file* file) {
    static const double seconds[SHOTS] = {0.25, 0.5, 1.0, 2.0};
    static bool has_wind[2] = {false, true};
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    tlw_figure_sheet sheet = {.title = "Forces: wind",
                              .columns = SHOTS,
                              .row_count = 2,
                              .cell_aspect = 1.24f,
                              .legend = TLW_LEGEND_DEVIATION};
    char remark[128];
    snprintf(remark, sizeof remark,
             "bunny at 32, idle; %.0f m/s from the front, drag %.2f per metre", (double)WIND,
             (double)DRAG);
    sheet.remark = remark;
    double mean[2], most[2];
    for (uint32_t r = 0; r < 2; ++r) {
        tlw_figure_row* row = &sheet.rows[r];
        *row = (tlw_figure_row){.take = tlw_default_take_def(actor),
                                .seconds = seconds,
                                .look = TLW_DRAW_TISSUE,
                                .label = r ? "wind" : "no wind",
                                .yaw_degrees = 62.0f};
        row->take.clip = "idle";
        row->take.script = (tlw_take_script){.before = blow, .user = &has_wind[r]};
        if (!measure(f, &row->take, seconds, &mean[r], &most[r])) {
            return tlw_figures_fail(f);
        }
    }
    tlw_figure_note(
        &sheet,
        "deviation of vertices, mean and largest: %.1f and %.0f mm without wind, %.1f and "
        "%.0f mm in it",
        TLW_MOTION_MM(mean[0]), TLW_MOTION_MM(most[0]), TLW_MOTION_MM(mean[1]),
        TLW_MOTION_MM(most[1]));
    return tlw_figures_draw(f, &sheet, file);
}
