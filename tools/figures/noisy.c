// SPDX-License-Identifier: MIT
// Figure 12: poses from a noisy capture at 30 Hz, also with the pose filter (MODEL 4.10).
#include "tools/figures/figures.h"

#include <stdio.h>

#define FROM_FRAME 240u // the second round of the dance
#define FRAMES     90u

static tlw_figure_row noisy_row(const tlw_take_def* take, const double* seconds, tlw_draw_look look,
                                const char* label) {
    return (tlw_figure_row){
        .take = *take, .seconds = seconds, .look = look, .label = label, .yaw_degrees = 20.0f};
}

// Jitter of the belly over that of skinning, with that noise in the joints.
static bool measure_jitter(tlw_figures* f, const tlw_take_def* take, double noise, double* out) {
    tlw_motion* motion;
    if (tlw_motion_open(&take->motion, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    tlw_motion_jitter_def def = tlw_default_motion_jitter_def();
    def.noise = noise;
    def.is_in_joints = true;
    const bool is_good =
        tlw_actor_find_clip(take->motion.actor, take->clip, &def.clip, &f->error) == TLW_SCENE_OK &&
        tlw_motion_jitter(motion, &def, out, &f->error) == TLW_SCENE_OK;
    tlw_motion_close(motion);
    return is_good;
}

static tlw_plot_line line_of(const double* track, uint32_t colour, const char* name) {
    return (tlw_plot_line){.values = track + FROM_FRAME * 3 + 1, // height
                           .count = FRAMES,
                           .stride = 3,
                           .colour = tlw_plot_colour(colour),
                           .name = name};
}

static tlw_exit_code draw(tlw_figures* f, const tlw_take_def takes[2], const tlw_take wholes[2],
                          tlw_output_file* file) {
    const tlw_motion_jitter_def jitter = tlw_default_motion_jitter_def();
    double noisy = 0.0, held = 0.0, filtered = 0.0;
    if (!measure_jitter(f, &takes[0], jitter.noise, &noisy) ||
        !measure_jitter(f, &takes[0], 0.0, &held) ||
        !measure_jitter(f, &takes[1], jitter.noise, &filtered)) {
        return tlw_figures_fail(f);
    }
    double seconds[TLW_FIGURE_SHOTS]; // one frame after the other
    for (uint32_t i = 0; i < TLW_FIGURE_SHOTS; ++i) {
        seconds[i] = (FROM_FRAME + 30 + i) / TLW_TAKE_HZ;
    }
    char remark[128];
    snprintf(
        remark, sizeof remark,
        "bunny at resolution 32, the dance, captured at %.0f Hz with %.0f mm of noise, drawn at "
        "%.0f Hz",
        jitter.capture_hz, TLW_MOTION_MM(jitter.noise), jitter.draw_hz);
    tlw_figure_sheet sheet = {
        .title = "Figure 12: a noisy capture",
        .remark = remark,
        .columns = TLW_FIGURE_SHOTS,
        .row_count = 3,
        .legend = TLW_LEGEND_DEVIATION,
        .rows = {noisy_row(&takes[0], seconds, TLW_DRAW_SKINNING,
                           "skinning alone: every second frame stands still, then jumps"),
                 noisy_row(&takes[0], seconds, TLW_DRAW_TISSUE, "tissue"),
                 noisy_row(&takes[1], seconds, TLW_DRAW_TISSUE, "tissue, with the pose filter")},
        .lines = {line_of(wholes[0].track.skinned, 0, "skinning alone"),
                  line_of(wholes[0].track.tissue, 1, "tissue"),
                  line_of(wholes[1].track.tissue, 2, "with the filter")},
        .line_count = 3,
        .line_seconds = 1.0 / TLW_TAKE_HZ,
        .line_factor = TLW_MOTION_HEIGHT_MM / wholes[0].extent_metres,
        .line_unit = "mm of a character of 1.7 m",
        .line_label = "height of the belly over 1.5 s"};
    tlw_figure_note(&sheet,
                    "jitter of the belly, tissue over skinning: %.2f with noise, %.2f with held "
                    "poses alone%s, %.2f with noise and the filter",
                    noisy, held, noisy < 1.0 ? "" : ": tissue does not calm a noisy capture",
                    filtered);
    return tlw_figures_draw(f, &sheet, file);
}

tlw_exit_code tlw_figure_noisy(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    const tlw_motion_jitter_def jitter = tlw_default_motion_jitter_def();
    const double last = (FROM_FRAME + FRAMES) / TLW_TAKE_HZ;
    tlw_take_def takes[2]; // without the filter and with it
    tlw_take wholes[2] = {{0}};
    bool is_good = true;
    for (int i = 0; i < 2; ++i) {
        takes[i] = tlw_default_take_def(actor);
        takes[i].clip = "dance";
        takes[i].capture_hz = jitter.capture_hz;
        takes[i].noise = jitter.noise;
        takes[i].motion.has_pose_filter = i == 1;
        is_good =
            is_good && tlw_take_play(&wholes[i], &takes[i], &last, 1, &f->error) == TLW_SCENE_OK;
    }
    const tlw_exit_code code = is_good ? draw(f, takes, wholes, file) : tlw_figures_fail(f);
    tlw_take_free(&wholes[0]);
    tlw_take_free(&wholes[1]);
    return code;
}
