// SPDX-License-Identifier: MIT
// Characters, sheets and numbers for all figures.
#include "tools/figures/figures.h"

#include "tools/render/animation.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define ASPECT     0.87f
#define TEXT_SCALE 2   // of notes
#define NAME_WIDTH 270 // pixels of the first column of the table of numbers

const double tlw_figure_dance[TLW_FIGURE_SHOTS] = {4.25, 4.5, 4.75, 5.0, 6.75, 7.0, 7.25, 7.5};
const double tlw_figure_stop[TLW_FIGURE_SHOTS] = {0.95, 1.0,       1.05, 67 / 60.0,
                                                  1.2,  78 / 60.0, 1.5,  148 / 60.0};

// ---- Characters

static const struct {
    const char* sample; // null: a file of the models folder
    const char* file;
    uint32_t resolution, region_width;
} cast[TLW_CAST_COUNT] = {[TLW_CAST_BUNNY] = {"bunny", NULL, 32, 3},
                          [TLW_CAST_STOUT] = {"stout", NULL, 32, 3},
                          [TLW_CAST_THIN] = {"thin", NULL, 64, 3},
                          [TLW_CAST_STOUT_LOW] = {"stout", NULL, 16, 2},
                          [TLW_CAST_FOX] = {NULL, "Fox.glb", 32, 3}};

const tlw_actor* tlw_figures_actor(tlw_figures* f, tlw_cast which) {
    tlw_actor* actor = &f->actors[which];
    if (f->is_made[which]) {
        return actor;
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = cast[which].resolution;
    recipe.region_width = cast[which].region_width;
    tlw_scene_code code;
    if (cast[which].sample) {
        code = tlw_actor_make(actor, cast[which].sample, &recipe, &f->error);
    } else {
        char path[TLW_PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", f->models ? f->models : ".", cast[which].file);
        code = tlw_actor_cook(actor, path, &recipe, &f->error);
    }
    if (code != TLW_SCENE_OK) {
        tlw_actor_free(actor);
        return NULL;
    }
    f->is_made[which] = true;
    return actor;
}

tlw_exit_code tlw_figures_fail(tlw_figures* f) {
    return tlw_command_fail(f->command, tlw_scene_exit_code(f->error.code), "%s", f->error.message);
}

tlw_exit_code tlw_figures_fail_memory(tlw_figures* f) {
    return tlw_command_fail(f->command, TLW_EXIT_FAILED, "out of memory");
}

// ---- Sheets

void tlw_figure_note(tlw_figure_sheet* sheet, const char* format, ...) {
    if (sheet->note_count < TLW_FIGURE_NOTES) {
        va_list arguments;
        va_start(arguments, format);
        char* note = sheet->notes[sheet->note_count++];
        vsnprintf(note, sizeof sheet->notes[0], format, arguments);
        va_end(arguments);
    }
}

static void draw_legend(const tlw_figure_sheet* def, tlw_sheet* sheet, float hot) {
    char high[96];
    const double mm = TLW_MOTION_MM((double)hot);
    if (def->legend == TLW_LEGEND_DEVIATION) {
        snprintf(high, sizeof high, "%.0f mm off the skinned place; the line is skinning alone",
                 mm);
        tlw_sheet_heat_legend(sheet, tlw_draw_clay, "0", high);
    } else if (def->legend == TLW_LEGEND_UNEVEN) {
        snprintf(high, sizeof high, "%.0f mm: deviation less its mean over the neighbourhood", mm);
        tlw_sheet_heat_legend(sheet, tlw_draw_clay, "0", high);
    }
}

static bool draw_groups(const tlw_figure_sheet* def, const tlw_take* takes, float hot,
                        tlw_sheet* sheet) {
    bool is_good = true;
    for (uint32_t first = 0, end; first < def->row_count && is_good; first = end) {
        tlw_draw_row rows[TLW_FIGURE_ROWS];
        for (end = first; end < def->row_count && def->rows[end].group == def->rows[first].group;
             ++end) {
            const tlw_figure_row* row = &def->rows[end];
            rows[end - first] = (tlw_draw_row){.take = &takes[end],
                                               .look = row->look,
                                               .label = row->label,
                                               .has_times = row->take.clip != NULL,
                                               .layers = row->layers,
                                               .cut = row->cut,
                                               .captions = row->captions,
                                               .camera = row->camera};
        }
        is_good = tlw_draw_rows(rows, end - first, def->rows[first].yaw_degrees, hot, sheet, first);
    }
    return is_good;
}

static tlw_exit_code commit(tlw_figures* f, tlw_sheet* sheet, tlw_output_file* file) {
    return tlw_output_file_committed(f->command, file,
                                     tlw_picture_commit_small(&sheet->picture, &file->writer));
}

// ---- Text at the foot

enum { LINES_MAX = 2 * TLW_FIGURE_NOTES };

// Breaks the notes into lines of that width in pixels. Returns how many there are.
static uint32_t break_notes(const tlw_figure_sheet* def, int32_t width,
                            char lines[LINES_MAX][160]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < def->note_count; ++i) {
        const char* rest = def->notes[i];
        while (*rest && count < LINES_MAX) {
            size_t fits = 0;
            char line[160];
            for (size_t length = 1; length < sizeof line - 1; ++length) {
                const bool is_end = rest[length - 1] == 0;
                if (is_end || rest[length - 1] == ' ') {
                    snprintf(line, sizeof line, "%.*s", (int)(length - 1), rest);
                    if (fits > 0 && tlw_picture_label_width(TEXT_SCALE, line) > width) {
                        break;
                    }
                    fits = length - 1;
                }
                if (is_end) {
                    break;
                }
            }
            snprintf(lines[count++], sizeof lines[0], "%.*s", (int)fits, rest);
            rest += fits;
            rest += *rest == ' ';
        }
    }
    return count;
}

// What the columns of the table of numbers are: the experiment, above its first column, and what
// was measured.
static const char* const column_heads[TLW_FIGURE_COLUMNS][2] = {
    {"after a stop", "belly"}, {"", "rings at"}, {"", "half-life"},    {"", "hand"},
    {"lag in clip", "belly"},  {"", "hand"},     {"in a bob", "head"}, {"volume", "error"},
    {"surface", "voxels"}};

static void draw_numbers(const tlw_figure_sheet* def, tlw_sheet* sheet, uint32_t first_line) {
    for (uint32_t row = 0; row < def->number_count + 2; ++row) {
        if (row >= 2) {
            tlw_sheet_note(sheet, first_line + row, def->numbers[row - 2][0]);
        }
        for (uint32_t column = 0; column < TLW_FIGURE_COLUMNS; ++column) {
            const char* text =
                row < 2 ? column_heads[column][row] : def->numbers[row - 2][column + 1];
            tlw_sheet_note_at(sheet, first_line + row, column, TLW_FIGURE_COLUMNS, NAME_WIDTH,
                              text);
        }
    }
}

static tlw_exit_code draw_takes(tlw_figures* f, const tlw_figure_sheet* def, const tlw_take* takes,
                                tlw_output_file* file) {
    float hot = 0.0f; // a share of L
    for (uint32_t r = 0; r < def->row_count; ++r) {
        const float farthest = def->legend == TLW_LEGEND_UNEVEN ? tlw_draw_most_uneven(&takes[r])
                                                                : tlw_take_farthest(&takes[r]);
        hot = fmaxf(hot, farthest / (float)takes[r].extent_metres);
    }
    const float aspect = def->cell_aspect > 0.0f ? def->cell_aspect : ASPECT;
    const uint32_t cell_width = (uint32_t)((float)f->cell_height * aspect);
    char lines[LINES_MAX][160];
    const uint32_t line_count = break_notes(def, (int32_t)(def->columns * cell_width), lines);
    const uint32_t number_lines = def->number_count > 0 ? def->number_count + 2 : 0;
    const tlw_sheet_def sheet_def = {.columns = def->columns,
                                     .rows = def->row_count + (def->line_count > 0 ? 1 : 0),
                                     .cell_width = cell_width,
                                     .cell_height = f->cell_height,
                                     .title = def->title,
                                     .remark = def->remark,
                                     .note_count = line_count + number_lines};
    tlw_sheet sheet = {0};
    tlw_exit_code code = TLW_EXIT_OK;
    if (tlw_sheet_create(&sheet, &sheet_def) != TLW_OK || !draw_groups(def, takes, hot, &sheet)) {
        code = tlw_figures_fail_memory(f);
    } else {
        if (def->line_count > 0) {
            tlw_render_area area = tlw_sheet_cell(&sheet, 0, def->row_count);
            const tlw_render_area last = tlw_sheet_cell(&sheet, def->columns - 1, def->row_count);
            area.width = last.x + last.width - area.x;
            tlw_sheet_row_label(&sheet, def->row_count, def->line_label);
            tlw_plot_draw(&sheet.picture, area, def->lines, def->line_count, def->line_seconds,
                          def->line_factor, def->line_unit);
        }
        for (uint32_t i = 0; i < line_count; ++i) {
            tlw_sheet_note(&sheet, i, lines[i]);
        }
        if (number_lines > 0) {
            draw_numbers(def, &sheet, line_count);
        }
        draw_legend(def, &sheet, hot);
        code = commit(f, &sheet, file);
    }
    tlw_sheet_free(&sheet);
    return code;
}

tlw_exit_code tlw_figures_draw(tlw_figures* f, const tlw_figure_sheet* def, tlw_output_file* file) {
    tlw_take takes[TLW_FIGURE_ROWS] = {{0}};
    tlw_exit_code code = TLW_EXIT_OK;
    for (uint32_t r = 0; r < def->row_count && code == TLW_EXIT_OK; ++r) {
        const tlw_figure_row* row = &def->rows[r];
        if (tlw_take_play(&takes[r], &row->take, row->seconds, def->columns, &f->error) !=
            TLW_SCENE_OK) {
            code = tlw_figures_fail(f);
        }
    }
    if (code == TLW_EXIT_OK) {
        code = draw_takes(f, def, takes, file);
    }
    for (uint32_t r = 0; r < def->row_count; ++r) {
        tlw_take_free(&takes[r]);
    }
    return code;
}

// ---- Numbers

static bool run(tlw_figures* f, tlw_motion* motion, tlw_figure_numbers* out) {
    const tlw_motion_experiment stop = tlw_default_motion_experiment(TLW_MOTION_STOP);
    const tlw_motion_experiment bob = tlw_default_motion_experiment(TLW_MOTION_BOB);
    const tlw_motion_experiment clip = tlw_motion_clip_experiment(motion->def.actor);
    tlw_motion_numbers bobbed;
    if (tlw_motion_run(motion, &stop, &out->stop_trace, &out->stop, &f->error) != TLW_SCENE_OK ||
        tlw_motion_run(motion, &bob, NULL, &bobbed, &f->error) != TLW_SCENE_OK ||
        tlw_motion_run(motion, &clip, NULL, &out->clip, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    out->bob_head = bobbed.places[TLW_MOTION_HEAD].peak;
    out->bob_belly = bobbed.places[TLW_MOTION_BELLY].peak;
    out->bob_hand = bobbed.places[TLW_MOTION_HAND].peak;
    return true;
}

bool tlw_figures_measure(tlw_figures* f, const tlw_motion_def* def, tlw_figure_numbers* out) {
    *out = (tlw_figure_numbers){0};
    tlw_motion* motion;
    if (tlw_motion_open(def, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    const bool is_good = run(f, motion, out);
    tlw_motion_close(motion);
    return is_good;
}

void tlw_figure_numbers_free(tlw_figure_numbers* numbers) {
    tlw_motion_trace_free(&numbers->stop_trace);
    *numbers = (tlw_figure_numbers){0};
}

void tlw_figure_note_numbers(tlw_figure_sheet* sheet, const char* label,
                             const tlw_figure_numbers* n) {
    if (sheet->number_count == TLW_FIGURE_ROWS) {
        return;
    }
    const tlw_motion_place_numbers* belly = &n->stop.places[TLW_MOTION_BELLY];
    const size_t room = sizeof sheet->numbers[0][0];
    char(*text)[40] = sheet->numbers[sheet->number_count++];
    snprintf(text[0], room, "%s", label);
    snprintf(text[1], room, "%.0f mm", TLW_MOTION_MM(belly->overshoot));
    snprintf(text[2], room, "%.1f Hz", belly->hertz);
    snprintf(text[3], room, "%.2f s", belly->half_life_seconds);
    snprintf(text[4], room, "%.0f mm", TLW_MOTION_MM(n->stop.places[TLW_MOTION_HAND].overshoot));
    snprintf(text[5], room, "%.1f mm", TLW_MOTION_MM(n->clip.places[TLW_MOTION_BELLY].lag));
    snprintf(text[6], room, "%.1f mm", TLW_MOTION_MM(n->clip.places[TLW_MOTION_HAND].lag));
    snprintf(text[7], room, "%.1f mm", TLW_MOTION_MM(n->bob_head));
    snprintf(text[8], room, "%.2f%%", 100.0 * n->clip.volume_error);
    snprintf(text[9], room, "%.4f", n->stop.residual);
}

void tlw_figure_line_stop(tlw_figure_sheet* sheet, const char* name,
                          const tlw_figure_numbers* numbers) {
    const tlw_motion_trace* trace = &numbers->stop_trace;
    // Element 2: the stop moves along z.
    sheet->lines[sheet->line_count] = (tlw_plot_line){.values = trace->means[TLW_MOTION_BELLY] + 2,
                                                      .count = trace->step_count,
                                                      .stride = 3,
                                                      .colour = tlw_plot_colour(sheet->line_count),
                                                      .name = name};
    sheet->line_count += 1;
    sheet->line_seconds = trace->step_seconds;
    sheet->line_factor = TLW_MOTION_HEIGHT_MM;
    sheet->line_unit = "mm of a character of 1.7 m";
    sheet->line_label = "how far the belly is ahead of its skinned place after the stop";
}
