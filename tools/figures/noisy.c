// SPDX-License-Identifier: MIT
// Figure 12: poses from a noisy capture at 30 Hz.
#include "tools/figures/figures.h"

#include <stdio.h>

#define FROM_FRAME 240u // the second round of the dance
#define FRAMES     90u

static tlw_figure_row noisy_row(const tlw_take_def* take, const double* seconds, tlw_draw_look look,
                                const char* label) {
    return (tlw_figure_row){
        .take = *take, .seconds = seconds, .look = look, .label = label, .yaw_degrees = 20.0f};
}

static bool measure_jitter(tlw_figures* f, const tlw_take_def* take, double* noisy, double* held) {
    tlw_motion* motion;
    if (tlw_motion_open(&take->motion, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    tlw_motion_jitter_def def = tlw_default_motion_jitter_def();
    bool is_good =
        tlw_actor_find_clip(take->motion.actor, take->clip, &def.clip, &f->error) == TLW_SCENE_OK &&
        tlw_motion_jitter(motion, &def, noisy, &f->error) == TLW_SCENE_OK;
    def.noise = 0.0;
    is_good = is_good && tlw_motion_jitter(motion, &def, held, &f->error) == TLW_SCENE_OK;
    tlw_motion_close(motion);
    return is_good;
}

tlw_exit_code tlw_figure_noisy(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    const tlw_motion_jitter_def jitter = tlw_default_motion_jitter_def();
    tlw_take_def take = tlw_default_take_def(actor);
    take.clip = "dance";
    take.capture_hz = jitter.capture_hz;
    take.noise = jitter.noise;
    double seconds[TLW_FIGURE_SHOTS]; // one frame after the other
    for (uint32_t i = 0; i < TLW_FIGURE_SHOTS; ++i) {
        seconds[i] = (FROM_FRAME + 30 + i) / TLW_TAKE_HZ;
    }
    double noisy = 0.0, held = 0.0;
    const double last = (FROM_FRAME + FRAMES) / TLW_TAKE_HZ;
    tlw_take whole;
    tlw_exit_code code = TLW_EXIT_OK;
    if (tlw_take_play(&whole, &take, &last, 1, &f->error) != TLW_SCENE_OK ||
        !measure_jitter(f, &take, &noisy, &held)) {
        code = tlw_figures_fail(f);
    } else {
        char remark[128];
        snprintf(remark, sizeof remark,
                 "bunny at resolution 32, the dance, captured at %.0f Hz with %.0f mm of noise in "
                 "the root, "
                 "drawn at %.0f Hz",
                 jitter.capture_hz, TLW_MOTION_MM(jitter.noise), jitter.draw_hz);
        tlw_figure_sheet sheet = {
            .title = "Figure 12: a noisy capture",
            .remark = remark,
            .columns = TLW_FIGURE_SHOTS,
            .row_count = 2,
            .legend = TLW_LEGEND_DEVIATION,
            .rows = {noisy_row(&take, seconds, TLW_DRAW_SKINNING,
                               "skinning alone: every second frame stands still, then jumps"),
                     noisy_row(&take, seconds, TLW_DRAW_TISSUE, "tissue")},
            .line_count = 2,
            .line_seconds = 1.0 / TLW_TAKE_HZ,
            .line_factor = TLW_MOTION_HEIGHT_MM / whole.extent_metres,
            .line_unit = "mm of a character of 1.7 m",
            .line_label = "height of the belly over 1.5 s"};
        sheet.lines[0] = (tlw_plot_line){.values = whole.track.skinned + FROM_FRAME * 3 + 1,
                                         .count = FRAMES,
                                         .stride = 3,
                                         .colour = tlw_plot_colour(0),
                                         .name = "skinning alone"};
        sheet.lines[1] = (tlw_plot_line){.values = whole.track.tissue + FROM_FRAME * 3 + 1,
                                         .count = FRAMES,
                                         .stride = 3,
                                         .colour = tlw_plot_colour(1),
                                         .name = "tissue"};
        tlw_figure_note(
            &sheet,
            "jitter of the belly, tissue over skinning: %.2f with noise, %.2f with held "
            "poses alone%s",
            noisy, held, noisy < 1.0 ? "" : ": tissue does not calm a noisy capture");
        code = tlw_figures_draw(f, &sheet, file);
    }
    tlw_take_free(&whole);
    return code;
}
