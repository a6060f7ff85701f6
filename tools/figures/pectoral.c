// SPDX-License-Identifier: MIT
// The action line of a pectoral while the arm is raised, without and with a field (Aubel and
// Thalmann 2000, Figure 2; MODEL 3.18).
#include "tools/figures/muscled.h"
#include "tools/motion/shoulder.h"
#include "tools/render/animation.h"

enum { POSES = 4, WITHOUT = 0, WITH, KINDS };

static const double poses[POSES] = {-40, 0, 40, 80};
static const tlw_rgb orange = {0.96f, 0.55f, 0.16f}, red = {0.90f, 0.16f, 0.20f},
                     bone = {0.55f, 0.66f, 0.80f};

static bool open_shoulder(tlw_figures* f, bool has_field, tlw_embedded* out) {
    tlw_shoulder shoulder;
    *out = (tlw_embedded){0};
    bool is_good = tlw_shoulder_make(&shoulder, has_field);
    if (!is_good) {
        f->error.code = TLW_SCENE_CANNOT_READ;
        snprintf(f->error.message, sizeof f->error.message, "out of memory for a shoulder");
    }
    is_good = is_good && tlw_muscled_open(f, "shoulder", &shoulder.input, &shoulder.recipe, out);
    tlw_shoulder_free(&shoulder);
    return is_good;
}

// The arm's outline, the ribs, and the line over them.
static bool draw(const tlw_embedded* body, const tlw_muscle_sections* s, tlw_rgb colour,
                 float pitch, tlw_sheet* sheet, uint32_t column, uint32_t row) {
    const tlw_render_area area = tlw_sheet_cell(sheet, column, row);
    tlw_render_camera camera = tlw_default_render_camera();
    camera.pitch_degrees = pitch;
    camera.height = pitch > 45.0f ? 0.27f : 0.42f;
    camera.target[0] = pitch > 45.0f ? 0.11f : 0.12f;
    camera.target[1] = 1.31f;
    camera.target[2] = pitch > 45.0f ? 0.05f : 0.0f;
    tlw_muscled_solid ribs;
    const tlw_render_mesh mesh = tlw_muscled_mesh(body);
    const bool is_good =
        tlw_muscled_ellipsoid(tlw_shoulder_ribs, tlw_shoulder_rib_radii, bone, &ribs) &&
        tlw_render_draw(&sheet->picture, area, &camera, &ribs.mesh) &&
        tlw_render_outline(&sheet->picture, area, &camera, &mesh, tlw_draw_ghost, 1.0f);
    tlw_muscled_draw_line(s, &camera, colour, &sheet->picture, area);
    tlw_muscled_free_solid(&ribs);
    return is_good;
}

tlw_exit_code tlw_figure_pectoral(tlw_figures* f, tlw_output_file* file) {
    static const char* const labels[2 * KINDS] = {
        "without a field, from the front", "ribs that attract, from the front",
        "without a field, from above", "ribs that attract, from above"};
    const tlw_sheet_def def = {
        .columns = POSES,
        .rows = 2 * KINDS,
        .cell_width = f->cell_height * 22 / 18,
        .cell_height = f->cell_height * 15 / 18,
        .title = "Aubel and Thalmann, Figure 2: a pectoral's action line",
        .remark = "the arm is lowered and raised from the bind pose; blue: the ribs, an ellipsoid",
        .note_count = 2};
    tlw_sheet sheet = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    bool is_good = true;
    for (uint32_t kind = 0; kind < KINDS && is_good; ++kind) {
        tlw_embedded body;
        is_good = open_shoulder(f, kind == WITH, &body);
        for (uint32_t k = 0; k < POSES && is_good; ++k) {
            const tlw_bent_joint arm = tlw_shoulder_abduction(poses[k]);
            tlw_muscle_sections s = {0};
            is_good = tlw_muscled_look(f, &body, &arm, 1) &&
                      tlw_muscle_measure(body.motion, 0, &s) &&
                      draw(&body, &s, kind == WITH ? orange : red, 5.0f, &sheet, k, kind) &&
                      draw(&body, &s, kind == WITH ? orange : red, 88.0f, &sheet, k, 2 + kind);
            char text[96];
            snprintf(text, sizeof text, "%+.0f degrees: e %.2f", poses[k], s.elongation);
            tlw_sheet_caption(&sheet, k, kind, text);
            snprintf(text, sizeof text, "off the ribs %.0f mm", 1e3 * tlw_shoulder_off_ribs(&s));
            tlw_sheet_caption(&sheet, k, 2 + kind, text);
        }
        tlw_embedded_free(&body);
    }
    for (uint32_t row = 0; row < 2 * KINDS; ++row) {
        tlw_sheet_row_label(&sheet, row, labels[row]);
    }
    tlw_sheet_note(&sheet, 0, "e: length of the belly against rest");
    tlw_sheet_note(&sheet, 1,
                   "off: the distance of the belly's vertex that is farthest from the ribs");
    const tlw_exit_code code =
        is_good ? tlw_output_file_committed(f->command, file,
                                            tlw_picture_commit_small(&sheet.picture, &file->writer))
                : tlw_figures_fail(f);
    tlw_sheet_free(&sheet);
    return code;
}
