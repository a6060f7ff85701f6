// SPDX-License-Identifier: MIT
// Figures 9, 13, 14 and 15, and the three looks: the same motion, one thing changed.
#include "tools/figures/figures.h"

#include <stdio.h>

#define STOP_YAW    75.0f
#define DANCE_YAW   20.0f
#define LITTLE      1.2 // a ratio below which a caption says that layers bring little
#define HIGH_TIMES  5.0f
#define HIGH_ANCHOR 2.0f

static tlw_figure_row row_of(const tlw_actor* actor, const char* clip, const double* seconds,
                             tlw_draw_look look, const char* label, float yaw) {
    tlw_figure_row row = {.take = tlw_default_take_def(actor),
                          .seconds = seconds,
                          .look = look,
                          .label = label,
                          .yaw_degrees = yaw};
    row.take.clip = clip;
    return row;
}

static tlw_figure_row stop_row(const tlw_actor* actor, tlw_draw_look look, const char* label) {
    return row_of(actor, "sudden_stop", tlw_figure_stop, look, label, STOP_YAW);
}

static tlw_figure_row dance_row(const tlw_actor* actor, tlw_draw_look look, const char* label) {
    tlw_figure_row row = row_of(actor, "dance", tlw_figure_dance, look, label, DANCE_YAW);
    row.group = 1;
    return row;
}

static double overshoot(const tlw_figure_numbers* n) {
    return n->stop.places[TLW_MOTION_BELLY].overshoot;
}

static double ratio(double a, double b) {
    return b > 0.0 ? a / b : 0.0;
}

tlw_exit_code tlw_figure_skinning(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    tlw_figure_sheet sheet = {
        .title = "Figure 13: skinning alone, and tissue",
        .remark = "bunny at resolution 32; the root stands still from 1.00 s on",
        .columns = TLW_FIGURE_SHOTS,
        .row_count = 4,
        .legend = TLW_LEGEND_DEVIATION,
        .rows = {stop_row(actor, TLW_DRAW_SKINNING, "(a) sudden stop: skinning alone"),
                 stop_row(actor, TLW_DRAW_TISSUE, "(b) sudden stop: tissue"),
                 dance_row(actor, TLW_DRAW_SKINNING, "(a) dance: skinning alone"),
                 dance_row(actor, TLW_DRAW_TISSUE, "(b) dance: tissue")}};
    tlw_figure_numbers numbers;
    tlw_exit_code code = TLW_EXIT_OK;
    if (tlw_figures_measure(f, &sheet.rows[1].take.motion, &numbers)) {
        tlw_figure_note_numbers(&sheet, "(b) tissue", &numbers);
        tlw_figure_note(
            &sheet,
            "(a) has no lag by definition; ears, belly and cheeks do not move by themselves");
        code = tlw_figures_draw(f, &sheet, file);
    } else {
        code = tlw_figures_fail(f);
    }
    tlw_figure_numbers_free(&numbers);
    return code;
}

// Muscle's values for every layer, many times as stiff.
static bool high_materials(tlw_figures* f, const tlw_actor* actor, tlw_material* out) {
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = actor;
    tlw_motion* motion;
    if (tlw_motion_open(&def, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    tlw_material muscle;
    TLW_IGNORE(tlw_character_get_material(motion->world, motion->id, 0, 1, &muscle)); // is there
    muscle.stiffness *= HIGH_TIMES;
    muscle.anchor_hz *= HIGH_ANCHOR;
    for (uint32_t layer = 0; layer < actor->info.layer_count; ++layer) {
        out[layer] = muscle;
    }
    tlw_motion_close(motion);
    return true;
}

tlw_exit_code tlw_figure_stiffness(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    tlw_material high[TLW_COOK_LAYERS_MAX];
    if (actor == NULL || !high_materials(f, actor, high)) {
        return tlw_figures_fail(f);
    }
    tlw_figure_sheet sheet = {
        .title = "Figure 14: one stiffness, normal and high, against layers",
        .remark = "bunny at resolution 32; sudden stop above, dance below. One stiffness: muscle's "
                  "values in every layer",
        .columns = TLW_FIGURE_SHOTS,
        .row_count = 4,
        .legend = TLW_LEGEND_DEVIATION,
        .rows = {
            stop_row(actor, TLW_DRAW_TISSUE, "(a) one stiffness: muscle's, in head and hands too"),
            stop_row(actor, TLW_DRAW_TISSUE, "(b) layers"),
            dance_row(actor, TLW_DRAW_TISSUE,
                      "(c) one stiffness, high: 5 times muscle's, anchored twice as hard"),
            dance_row(actor, TLW_DRAW_TISSUE, "(d) layers")}};
    sheet.rows[0].take.motion.layers = TLW_MOTION_SINGLE;
    sheet.rows[0].take.motion.has_firm_parts = false;
    sheet.rows[2].take.motion.materials = high;
    tlw_motion_def fat = sheet.rows[1].take.motion;
    fat.layers = TLW_MOTION_FAT;
    fat.has_firm_parts = false;
    tlw_figure_numbers n[4] = {{.bob_head = 0.0}};
    tlw_exit_code code;
    if (tlw_figures_measure(f, &sheet.rows[0].take.motion, &n[0]) &&
        tlw_figures_measure(f, &sheet.rows[1].take.motion, &n[1]) &&
        tlw_figures_measure(f, &sheet.rows[2].take.motion, &n[2]) &&
        tlw_figures_measure(f, &fat, &n[3])) {
        tlw_figure_note_numbers(&sheet, "(a) one stiffness", &n[0]);
        tlw_figure_note_numbers(&sheet, "(b, d) layers", &n[1]);
        tlw_figure_note_numbers(&sheet, "(c) one, high", &n[2]);
        tlw_figure_note_numbers(&sheet, "fat's everywhere", &n[3]);
        const double gain = ratio(overshoot(&n[1]), overshoot(&n[0]));
        const double hand =
            ratio(n[1].clip.places[TLW_MOTION_HAND].lag, n[3].clip.places[TLW_MOTION_HAND].lag);
        tlw_figure_note(
            &sheet,
            "layers: the belly swings %.2f times as far as with one stiffness, the hand "
            "lags %.2f times as much as with fat alone%s",
            gain, hand, gain < LITTLE ? ": they bring little" : "");
        tlw_figure_note(&sheet,
                        "(c) hardly moves, where the paper's overshoots: gains never exceed 1, "
                        "so no stiffness is unstable");
        tlw_figure_line_stop(&sheet, "(a) one stiffness", &n[0]);
        tlw_figure_line_stop(&sheet, "(b, d) layers", &n[1]);
        tlw_figure_line_stop(&sheet, "(c) one stiffness, high", &n[2]);
        tlw_figure_line_stop(&sheet, "fat's in every layer", &n[3]);
        code = tlw_figures_draw(f, &sheet, file);
    } else {
        code = tlw_figures_fail(f);
    }
    for (int i = 0; i < 4; ++i) {
        tlw_figure_numbers_free(&n[i]);
    }
    return code;
}

// Two rows that are measured and compared; `say` adds the last note.
static tlw_exit_code draw_pair(tlw_figures* f, tlw_figure_sheet* sheet, tlw_output_file* file,
                               void (*say)(tlw_figure_sheet* sheet,
                                           const tlw_figure_numbers n[2])) {
    tlw_figure_numbers n[2] = {{.bob_head = 0.0}};
    tlw_exit_code code;
    if (tlw_figures_measure(f, &sheet->rows[0].take.motion, &n[0]) &&
        tlw_figures_measure(f, &sheet->rows[1].take.motion, &n[1])) {
        tlw_figure_note_numbers(sheet, "(a)", &n[0]);
        tlw_figure_note_numbers(sheet, "(b)", &n[1]);
        say(sheet, n);
        code = tlw_figures_draw(f, sheet, file);
    } else {
        code = tlw_figures_fail(f);
    }
    tlw_figure_numbers_free(&n[0]);
    tlw_figure_numbers_free(&n[1]);
    return code;
}

static void say_skin(tlw_figure_sheet* sheet, const tlw_figure_numbers n[2]) {
    const double gain = ratio(n[0].stop.residual, n[1].stop.residual);
    tlw_figure_note(
        sheet,
        "surface: root mean square distance of skin voxels to their regions' rigid fits "
        "in the stop. Without skin it is %.2f times%s",
        gain, gain < LITTLE ? ": skin brings little" : "");
}

tlw_exit_code tlw_figure_skin(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    tlw_figure_sheet sheet = {
        .title = "Figure 15: without and with the skin layer",
        .remark = "bunny at resolution 32, sudden stop. Without: skin has the values of fat",
        .columns = TLW_FIGURE_SHOTS,
        .row_count = 2,
        .legend = TLW_LEGEND_UNEVEN,
        .rows = {stop_row(actor, TLW_DRAW_UNEVEN, "(a) without the skin layer"),
                 stop_row(actor, TLW_DRAW_UNEVEN, "(b) with it")}};
    sheet.rows[0].take.motion.layers = TLW_MOTION_NO_SKIN;
    return draw_pair(f, &sheet, file, say_skin);
}

static void say_resolution(tlw_figure_sheet* sheet, const tlw_figure_numbers n[2]) {
    tlw_figure_note(
        sheet,
        "the belly of (a) swings %.2f times as far as that of (b); thin parts of (a) are "
        "one or two voxels wide",
        ratio(overshoot(&n[0]), overshoot(&n[1])));
}

tlw_exit_code tlw_figure_resolution(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor *low = tlw_figures_actor(f, TLW_CAST_STOUT_LOW), *normal = NULL;
    normal = low ? tlw_figures_actor(f, TLW_CAST_STOUT) : NULL;
    if (normal == NULL) {
        return tlw_figures_fail(f);
    }
    char labels[2][96];
    snprintf(labels[0], sizeof labels[0],
             "(a) resolution 16, regions of width 2, preset bloat-low: %u voxels",
             low->info.voxel_count);
    snprintf(labels[1], sizeof labels[1],
             "(b) resolution 32, regions of width 3, preset bloat: %u voxels",
             normal->info.voxel_count);
    tlw_figure_sheet sheet = {.title = "Figure 9: low and normal resolution",
                              .remark = "stout, the stand-in for the paper's bloat; sudden stop",
                              .columns = TLW_FIGURE_SHOTS,
                              .row_count = 2,
                              .legend = TLW_LEGEND_DEVIATION,
                              .rows = {stop_row(low, TLW_DRAW_TISSUE, labels[0]),
                                       stop_row(normal, TLW_DRAW_TISSUE, labels[1])}};
    sheet.rows[0].take.motion.preset = TLW_PRESET_BLOAT_LOW;
    sheet.rows[1].take.motion.preset = TLW_PRESET_BLOAT;
    return draw_pair(f, &sheet, file, say_resolution);
}

tlw_exit_code tlw_figure_looks(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    static const char* const names[3] = {"default", "athletic", "heavy"};
    tlw_figure_sheet sheet = {.title = "Three looks: default, athletic, heavy",
                              .remark = "bunny at resolution 32, sudden stop",
                              .columns = TLW_FIGURE_SHOTS,
                              .row_count = 3,
                              .legend = TLW_LEGEND_DEVIATION};
    tlw_figure_numbers n[3] = {{.bob_head = 0.0}};
    tlw_exit_code code = TLW_EXIT_OK;
    for (uint32_t i = 0; i < 3 && code == TLW_EXIT_OK; ++i) {
        sheet.rows[i] = stop_row(actor, TLW_DRAW_TISSUE, names[i]);
        if (!tlw_preset_from_name(names[i], &sheet.rows[i].take.motion.preset)) {
            code =
                tlw_command_fail(f->command, TLW_EXIT_FAILED, "there is no preset '%s'", names[i]);
        } else if (!tlw_figures_measure(f, &sheet.rows[i].take.motion, &n[i])) {
            code = tlw_figures_fail(f);
        } else {
            tlw_figure_note_numbers(&sheet, names[i], &n[i]);
            tlw_figure_line_stop(&sheet, names[i], &n[i]);
        }
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_figures_draw(f, &sheet, file);
    }
    for (int i = 0; i < 3; ++i) {
        tlw_figure_numbers_free(&n[i]);
    }
    return code;
}
