// SPDX-License-Identifier: MIT
// The study arm with muscles: its girth over the elbow's angle, pictures of it relaxed and flexed,
// and the volume of muscles that shorten and stretch (Aubel and Thalmann 2000, Figure 4; MODEL
// 3.19).
#include "tools/figures/muscled.h"
#include "tools/render/animation.h"

#include <math.h>

#define BELLY_SHARE 0.47  // of the upper arm: where its girth is taken
#define STEP        5.0   // degrees, of curves
#define HOT_METRES  0.016 // displacement that is drawn hottest

enum { STEPS = 29, FLEXES = 2, BULGES = 2, KINDS = 2 };

static const tlw_rgb flesh = {0.78f, 0.30f, 0.27f};
static const tlw_plot_axis degrees_axis = {
    .step = STEP, .grid = 30, .decimals = 0, .unit = "degrees"};

static tlw_exit_code commit(tlw_figures* f, tlw_sheet* sheet, tlw_output_file* file, bool is_good) {
    const tlw_exit_code code =
        is_good ? tlw_output_file_committed(
                      f->command, file, tlw_picture_commit_small(&sheet->picture, &file->writer))
                : tlw_figures_fail(f);
    tlw_sheet_free(sheet);
    return code;
}

static void set_tension(const tlw_embedded* body, float tension) {
    for (uint32_t i = 0; i < body->actor.info.muscle_count; ++i) {
        TLW_IGNORE(tlw_character_set_tension(body->motion->world, body->motion->id, i, tension));
    }
}

static bool look(tlw_figures* f, tlw_embedded* body, double degrees) {
    const tlw_bent_joint elbow = tlw_arm_elbow(degrees);
    return tlw_muscled_look(f, body, &elbow, 1);
}

static double girth(const tlw_embedded* body) {
    static const double place[3] = {(BELLY_SHARE - 1) * TLW_ARM_UPPER_METRES, 0, 0};
    static const double across[3] = {1, 0, 0};
    return tlw_muscle_girth(&body->surface, 0, place, across);
}

// ---- Girth

typedef struct girths {
    double values[BULGES][FLEXES][STEPS]; // shares of that at rest, less 1
    double at_rest;                       // metres
} girths;

static bool measure_girths(tlw_figures* f, tlw_arm_muscles muscles, girths* out) {
    bool is_good = true;
    for (uint32_t b = 0; b < BULGES && is_good; ++b) {
        tlw_embedded body;
        is_good = tlw_muscled_open_arm(f, muscles, 2, (float)(b + 1), &body) && look(f, &body, 0);
        out->at_rest = is_good ? girth(&body) : 1;
        for (uint32_t i = 0; i < FLEXES * STEPS && is_good; ++i) {
            set_tension(&body, (float)(i / STEPS));
            is_good = look(f, &body, STEP * (i % STEPS));
            out->values[b][i / STEPS][i % STEPS] = girth(&body) / out->at_rest - 1;
        }
        tlw_embedded_free(&body);
    }
    return is_good;
}

static const char* const girth_names[BULGES][FLEXES] = {{"bulge 1", "bulge 1, flexed"},
                                                        {"bulge 2", "bulge 2, flexed"}};

static void plot_girths(const girths* g, tlw_sheet* sheet, uint32_t row) {
    tlw_plot_line lines[BULGES * FLEXES];
    for (uint32_t k = 0; k < BULGES * FLEXES; ++k) {
        lines[k] = (tlw_plot_line){.values = g->values[k / FLEXES][k % FLEXES],
                                   .count = STEPS,
                                   .stride = 1,
                                   .colour = tlw_plot_colour(k),
                                   .name = girth_names[k / FLEXES][k % FLEXES]};
    }
    tlw_plot_draw_over(&sheet->picture, tlw_sheet_cell(sheet, 0, row), lines, TLW_COUNT_OF(lines),
                       &degrees_axis, 100.0, "% of the girth at rest");
}

// A row of the table: a label, then a number per angle of 0, 30, 60, 90, 120 and 140 degrees.
static void note_girths(const girths* g, uint32_t bulge, uint32_t flex, const char* kind,
                        tlw_sheet* sheet, uint32_t line) {
    static const uint32_t steps[] = {0, 6, 12, 18, 24, 28};
    char text[64];
    snprintf(text, sizeof text, "%s, %s", kind, girth_names[bulge][flex]);
    tlw_sheet_note(sheet, line, text);
    for (uint32_t k = 0; k < TLW_COUNT_OF(steps); ++k) {
        snprintf(text, sizeof text, "%+.1f%%", 100.0 * g->values[bulge][flex][steps[k]]);
        tlw_sheet_note_at(sheet, line, k, TLW_COUNT_OF(steps), 340, text);
    }
}

tlw_exit_code tlw_figure_girths(tlw_figures* f, tlw_output_file* file) {
    static const char* const kinds[KINDS] = {"biceps", "both"};
    static const char* const heads[] = {"0", "30", "60", "90", "120", "140"};
    const tlw_sheet_def def = {
        .columns = 1,
        .rows = KINDS,
        .cell_width = 904,
        .cell_height = f->cell_height * 21 / 18,
        .title = "Muscles: the girth of an arm over the elbow's angle",
        .remark = "at 47% of the upper arm; flexed: tension 1, else 0; a line every 30 degrees",
        .note_count = 1 + KINDS * BULGES * FLEXES};
    tlw_sheet sheet = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    girths g[KINDS];
    char text[96];
    bool is_good =
        measure_girths(f, TLW_ARM_BICEPS, &g[0]) && measure_girths(f, TLW_ARM_BOTH, &g[1]);
    for (uint32_t k = 0; k < KINDS && is_good; ++k) {
        snprintf(text, sizeof text, "%s; %.0f mm at rest",
                 k == 0 ? "the biceps alone" : "biceps and triceps, which thins",
                 1e3 * g[k].at_rest);
        tlw_sheet_row_label(&sheet, k, text);
        plot_girths(&g[k], &sheet, k);
        for (uint32_t i = 0; i < BULGES * FLEXES; ++i) {
            note_girths(&g[k], i / FLEXES, i % FLEXES, kinds[k], &sheet,
                        1 + k * BULGES * FLEXES + i);
        }
    }
    tlw_sheet_note(&sheet, 0, "elbow's angle in degrees");
    for (uint32_t k = 0; k < TLW_COUNT_OF(heads); ++k) {
        tlw_sheet_note_at(&sheet, 0, k, TLW_COUNT_OF(heads), 340, heads[k]);
    }
    return commit(f, &sheet, file, is_good);
}

// ---- Pictures of the arm

// The bending plane, seen along its normal, and the biceps' side.
static const struct {
    float yaw, pitch, height, target[3];
    const char* label;
} sides[] = {{180, 89, 0.27f, {-0.023f, 0, 0.055f}, "in the plane in which the elbow bends"},
             {0, 42, 0.27f, {-0.023f, 0, 0.04f}, "from the side of the biceps and above"}};

static tlw_render_camera camera_of(uint32_t side) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = sides[side].yaw;
    camera.pitch_degrees = sides[side].pitch;
    camera.height = sides[side].height;
    for (int a = 0; a < 3; ++a) {
        camera.target[a] = sides[side].target[a];
    }
    return camera;
}

static double largest_displacement(const tlw_surface* s) {
    double most = 0;
    for (size_t v = 0; v < s->vertex_count; ++v) {
        const float* d = s->deltas + v * 3;
        most = fmax(most, sqrt((double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])));
    }
    return most;
}

tlw_exit_code tlw_figure_biceps(tlw_figures* f, tlw_output_file* file) {
    static const double angles[] = {0, 60, 110};
    enum { COLUMNS = FLEXES * 3 };
    const tlw_sheet_def def = {.columns = COLUMNS,
                               .rows = TLW_COUNT_OF(sides),
                               .cell_width = f->cell_height * 19 / 18,
                               .cell_height = f->cell_height * 12 / 18,
                               .title = "Muscles: an arm relaxed and flexed",
                               .remark = "biceps and triceps, bulge 2; flexed: tension 1 in both",
                               .note_count = 1};
    tlw_sheet sheet = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    tlw_embedded body;
    bool is_good = tlw_muscled_open_arm(f, TLW_ARM_BOTH, 2, 2.0f, &body) && look(f, &body, 0);
    const double at_rest = is_good ? girth(&body) : 1;
    for (uint32_t column = 0; column < COLUMNS && is_good; ++column) {
        char text[128];
        const bool is_flexed = column % FLEXES == 1;
        set_tension(&body, is_flexed ? 1.0f : 0.0f);
        is_good = look(f, &body, angles[column / FLEXES]);
        for (uint32_t side = 0; side < TLW_COUNT_OF(sides) && is_good; ++side) {
            const tlw_render_camera camera = camera_of(side);
            is_good = tlw_embedded_draw(&body, &camera, (float)HOT_METRES, &sheet, column, side);
        }
        snprintf(text, sizeof text, "%.0f%s", angles[column / FLEXES],
                 is_flexed ? ", flexed" : " degrees");
        tlw_sheet_caption(&sheet, column, 0, text);
        snprintf(text, sizeof text, "girth %+.1f%%", 100 * (girth(&body) / at_rest - 1));
        tlw_sheet_caption(&sheet, column, 1, text);
        if (column + 1 == COLUMNS) {
            snprintf(
                text, sizeof text,
                "colour: how far muscles move the skin; %.0f mm at most, at 110 degrees, flexed",
                1e3 * largest_displacement(&body.surface));
            tlw_sheet_note(&sheet, 0, text);
        }
    }
    for (uint32_t side = 0; side < TLW_COUNT_OF(sides); ++side) {
        tlw_sheet_row_label(&sheet, side, sides[side].label);
    }
    tlw_sheet_heat_legend(&sheet, tlw_draw_clay, "0 mm", "moved by 16 mm");
    tlw_embedded_free(&body);
    return commit(f, &sheet, file, is_good);
}

// ---- Volume

typedef struct volumes {
    double surface[STEPS]; // gained against the bare arm, shares of the belly's volume
    double elongation[STEPS];
    double sections[STEPS]; // gained by the sections
} volumes;

// The muscle as its sections have it, in the outline of the arm.
static bool draw_muscle(const tlw_embedded* body, const tlw_muscle_sections* s, tlw_sheet* sheet,
                        uint32_t column, uint32_t row) {
    const tlw_render_area area = tlw_sheet_cell(sheet, column, row);
    const tlw_render_camera camera = camera_of(0);
    const tlw_render_mesh mesh = tlw_muscled_mesh(body);
    tlw_muscled_solid tube;
    const bool is_good =
        tlw_muscled_tube(s, flesh, &tube) &&
        tlw_render_draw(&sheet->picture, area, &camera, &tube.mesh) &&
        tlw_render_outline(&sheet->picture, area, &camera, &mesh, tlw_draw_ghost, 1.0f);
    tlw_muscled_free_solid(&tube);
    return is_good;
}

// Fills a row of the sheet with the muscle at these angles, which are whole steps.
static bool measure_volumes(tlw_figures* f, uint32_t muscle, const double* angles, uint32_t count,
                            volumes* out, tlw_sheet* sheet) {
    tlw_embedded body, bare = {0};
    bool is_good = tlw_muscled_open_arm(f, TLW_ARM_BOTH, muscle, 1.0f, &body) &&
                   tlw_muscled_open_arm(f, TLW_ARM_BARE, 2, 1.0f, &bare);
    uint32_t column = 0;
    for (uint32_t i = 0; i < STEPS && is_good; ++i) {
        tlw_muscle_sections s = {0};
        is_good = look(f, &body, STEP * i) && look(f, &bare, STEP * i) &&
                  tlw_muscle_measure(body.motion, 0, &s);
        out->elongation[i] = s.elongation;
        out->sections[i] = s.volume / s.rest - 1;
        out->surface[i] =
            (tlw_muscle_enclosed(&body.surface) - tlw_muscle_enclosed(&bare.surface)) / s.rest;
        if (is_good && column < count && angles[column] <= STEP * i) {
            char text[64];
            is_good = draw_muscle(&body, &s, sheet, column, muscle);
            // Adding 0 makes a -0 of the rounding 0.
            snprintf(text, sizeof text, "e %.2f, skin %+.1f%%", s.elongation,
                     round(1000 * out->surface[i]) / 10 + 0.0);
            tlw_sheet_caption(sheet, column, muscle, text);
            column += 1;
        }
    }
    tlw_embedded_free(&body);
    tlw_embedded_free(&bare);
    return is_good;
}

static double largest(const double values[STEPS]) {
    double most = 0;
    for (uint32_t i = 0; i < STEPS; ++i) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

tlw_exit_code tlw_figure_fusiform(tlw_figures* f, tlw_output_file* file) {
    enum { COLUMNS = 4, PLOT_ROW = 2 };
    static const double angles[COLUMNS] = {0, 60, 90, 120};
    static const char* const names[KINDS] = {"biceps", "triceps"};
    static const char* const labels[KINDS] = {"biceps, the elbow at 0, 60, 90 and 120 degrees",
                                              "triceps"};
    const tlw_sheet_def def = {.columns = COLUMNS,
                               .rows = PLOT_ROW + 1,
                               .cell_width = f->cell_height * 24 / 18,
                               .cell_height = f->cell_height * 16 / 18,
                               .title = "Aubel and Thalmann, Figure 4: volume of muscles",
                               .remark =
                                   "red: sections along the line; blue: the skin; bulge 1, relaxed",
                               .note_count = 3};
    tlw_sheet sheet = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    volumes v[KINDS];
    bool is_good = true;
    tlw_plot_line lines[KINDS];
    for (uint32_t k = 0; k < KINDS && is_good; ++k) {
        is_good = measure_volumes(f, k, angles, COLUMNS, &v[k], &sheet);
        tlw_sheet_row_label(&sheet, k, labels[k]);
        lines[k] = (tlw_plot_line){.values = v[k].surface,
                                   .count = STEPS,
                                   .stride = 1,
                                   .colour = tlw_plot_colour(k),
                                   .name = names[k]};
    }
    if (is_good) {
        char text[128];
        tlw_render_area area = tlw_sheet_cell(&sheet, 0, PLOT_ROW);
        const tlw_render_area last = tlw_sheet_cell(&sheet, COLUMNS - 1, PLOT_ROW);
        area.width = last.x + last.width - area.x;
        tlw_plot_draw_over(&sheet.picture, area, lines, KINDS, &degrees_axis, 100.0,
                           "% of the muscle's volume");
        tlw_sheet_row_label(
            &sheet, PLOT_ROW,
            "volume inside of the skin over the elbow's angle, a line every 30 degrees");
        snprintf(text, sizeof text,
                 "sections keep their volume within %.1f%%, the paper's muscle within 6%%",
                 100 * fmax(largest(v[0].sections), largest(v[1].sections)));
        tlw_sheet_note(&sheet, 2, text);
    }
    tlw_sheet_note(&sheet, 0, "e: length of the belly against rest");
    tlw_sheet_note(&sheet, 1,
                   "skin: volume inside of it, less the bare arm's, in shares of the muscle's");
    return commit(f, &sheet, file, is_good);
}
