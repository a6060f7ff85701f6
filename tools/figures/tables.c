// SPDX-License-Identifier: MIT
// Tables 1 and 2 on the samples, which stand in for the paper's characters.
#include "tools/figures/figures.h"

#include "tools/render/animation.h"

#include <stdio.h>

// The paper's model, our stand-in, its preset; resolution, voxels and region width of Table 1.
static const struct {
    const char* model;
    tlw_cast cast;
    tlw_preset preset;
    uint32_t resolution, voxels, region_width;
} stand_ins[] = {{"Bunny", TLW_CAST_BUNNY, TLW_PRESET_BUNNY, 32, 3671, 3},
                 {"Smurf", TLW_CAST_THIN, TLW_PRESET_SMURF, 64, 4312, 3},
                 {"Bloat", TLW_CAST_STOUT, TLW_PRESET_BLOAT, 32, 4798, 3},
                 {"Bloat low", TLW_CAST_STOUT_LOW, TLW_PRESET_BLOAT_LOW, 16, 922, 2}};

enum { STAND_INS = (int)TLW_COUNT_OF(stand_ins) };

// One cell: the character in its bind pose as voxels.
static bool draw_size(tlw_figures* f, const tlw_actor* actor, tlw_sheet* sheet, uint32_t column) {
    tlw_take_def def = tlw_default_take_def(actor);
    def.has_voxels = true;
    const double now = 0.0;
    tlw_take take;
    bool is_good = tlw_take_play(&take, &def, &now, 1, &f->error) == TLW_SCENE_OK;
    for (uint32_t r = 0; r < 2 && is_good; ++r) {
        const tlw_draw_row row = {.take = &take, .look = r ? TLW_DRAW_VOXELS : TLW_DRAW_SKINNING};
        tlw_render_camera camera;
        const tlw_render_area cell = tlw_sheet_cell(sheet, column, r);
        is_good =
            tlw_draw_camera(&row, 1, 25.0f, (float)cell.width / (float)cell.height, &camera) &&
            tlw_draw_shot(&row, &take.shots[0], &camera, 0.0f, &sheet->picture, cell);
    }
    tlw_take_free(&take);
    return is_good;
}

tlw_exit_code tlw_figure_sizes(tlw_figures* f, tlw_output_file* file) {
    const tlw_sheet_def def = {.columns = STAND_INS,
                               .rows = 2,
                               .cell_width = f->cell_height * 3 / 2,
                               .cell_height = f->cell_height * 3 / 2,
                               .title = "Table 1: the characters as voxels",
                               .remark = "samples stand in for the paper's models",
                               .note_count = 1};
    tlw_sheet sheet = {0};
    tlw_exit_code code = TLW_EXIT_OK;
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        code = tlw_figures_fail_memory(f);
    }
    for (uint32_t i = 0; i < STAND_INS && code == TLW_EXIT_OK; ++i) {
        const tlw_actor* actor = tlw_figures_actor(f, stand_ins[i].cast);
        if (actor == NULL || !draw_size(f, actor, &sheet, i)) {
            code = tlw_figures_fail(f);
            break;
        }
        char text[96];
        snprintf(text, sizeof text, "%s %u, width %u: %u", actor->name, stand_ins[i].resolution,
                 actor->info.region_width, actor->info.voxel_count);
        tlw_sheet_caption(&sheet, i, 0, text);
        snprintf(text, sizeof text, "%s %u, width %u: %u", stand_ins[i].model,
                 stand_ins[i].resolution, stand_ins[i].region_width, stand_ins[i].voxels);
        tlw_sheet_caption(&sheet, i, 1, text);
    }
    if (code == TLW_EXIT_OK) {
        tlw_sheet_note(&sheet, 0,
                       "resolution, width of regions, voxels; above ours, below the paper's. "
                       "Times: tallow-bench table1");
        code = tlw_output_file_committed(f->command, file,
                                         tlw_picture_commit_small(&sheet.picture, &file->writer));
    }
    tlw_sheet_free(&sheet);
    return code;
}

// The values that a preset gives the layers: of part 0, read back from a character.
static bool describe(tlw_figures* f, const tlw_motion_def* def, const char* model, char* text,
                     size_t room) {
    tlw_motion* motion;
    if (tlw_motion_open(def, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    tlw_material m[3] = {{0}};
    for (uint32_t i = 0; i < 3; ++i) {
        TLW_IGNORE(tlw_character_get_material(motion->world, motion->id, 0, i + 1, &m[i]));
    }
    snprintf(text, room, "%s (%s): ks %.1f %.1f %.1f, kd %.1f %.1f %.1f, anchor %.3g %.3g %.3g Hz",
             model, def->actor->name, (double)m[0].stiffness, (double)m[1].stiffness,
             (double)m[2].stiffness, (double)m[0].damping, (double)m[1].damping,
             (double)m[2].damping, (double)m[0].anchor_hz, (double)m[1].anchor_hz,
             (double)m[2].anchor_hz);
    tlw_motion_close(motion);
    return true;
}

tlw_exit_code tlw_figure_presets(tlw_figures* f, tlw_output_file* file) {
    tlw_figure_sheet sheet = {
        .title = "Table 2: the paper's four presets",
        .remark = "muscle, fat, skin; sudden stop. Samples stand in for the paper's models",
        .columns = TLW_FIGURE_SHOTS,
        .row_count = STAND_INS,
        .legend = TLW_LEGEND_DEVIATION};
    char labels[STAND_INS][200];
    tlw_exit_code code = TLW_EXIT_OK;
    for (uint32_t i = 0; i < STAND_INS && code == TLW_EXIT_OK; ++i) {
        const tlw_actor* actor = tlw_figures_actor(f, stand_ins[i].cast);
        if (actor == NULL) {
            code = tlw_figures_fail(f);
            break;
        }
        tlw_figure_row* row = &sheet.rows[i];
        *row = (tlw_figure_row){.take = tlw_default_take_def(actor),
                                .seconds = tlw_figure_stop,
                                .look = TLW_DRAW_TISSUE,
                                .label = labels[i],
                                .group = i,
                                .yaw_degrees = 75.0f};
        row->take.clip = "sudden_stop";
        row->take.motion.preset = stand_ins[i].preset;
        tlw_figure_numbers numbers;
        if (!describe(f, &row->take.motion, stand_ins[i].model, labels[i], sizeof labels[i]) ||
            !tlw_figures_measure(f, &row->take.motion, &numbers)) {
            code = tlw_figures_fail(f);
            break;
        }
        tlw_figure_note_numbers(&sheet, stand_ins[i].model, &numbers);
        tlw_figure_numbers_free(&numbers);
    }
    return code == TLW_EXIT_OK ? tlw_figures_draw(f, &sheet, file) : code;
}
