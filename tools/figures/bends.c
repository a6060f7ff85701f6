// SPDX-License-Identifier: MIT
// Knees and elbows: skinning alone, with its volume given back, by dual quaternions, and what
// tissue settles at; and the field that gives volume back (Chen et al. 2013, Figures 8 and 12).
#include "tools/figures/embedding.h"
#include "tools/motion/bent.h"
#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>

// One bent joint of one character.
typedef struct bent_case {
    const char* sample;
    uint32_t resolution;
    tlw_bent_joint joint;
    double height;            // of a cell, shares of L
    float yaw, pitch, second; // where the camera is, and the yaw of the other side
    const char* label;
} bent_case;

static tlw_exit_code commit(tlw_figures* f, tlw_sheet* sheet, tlw_output_file* file) {
    return tlw_output_file_committed(f->command, file,
                                     tlw_picture_commit_small(&sheet->picture, &file->writer));
}

static tlw_render_camera look_at(const tlw_embedded* e, const bent_case* c, float yaw) {
    tlw_render_camera camera = tlw_default_render_camera();
    uint32_t joint = 0;
    tlw_joint_info info = {0};
    if (tlw_blob_find_joint(&e->actor.blob, c->joint.joint, &joint) == TLW_OK) {
        TLW_IGNORE(tlw_blob_get_joint(&e->actor.blob, joint, &info));
    }
    camera.yaw_degrees = yaw;
    camera.pitch_degrees = c->pitch;
    camera.height = (float)(c->height * e->actor.info.extent_voxels * e->actor.info.voxel_metres);
    for (int axis = 0; axis < 3; ++axis) {
        camera.target[axis] = (float)info.bind[12 + axis];
    }
    return camera;
}

typedef enum bent_look { LINEAR, CORRECTED, DUAL, LINEAR_HELD, CORRECTED_HELD } bent_look;

// Puts the character into one of these states and embeds it.
static bool show(tlw_figures* f, tlw_embedded* e, const bent_case* c, bent_look look,
                 tlw_bent_numbers* numbers) {
    tlw_motion* motion = e->motion;
    if (look == LINEAR_HELD || look == CORRECTED_HELD) {
        tlw_bent_hold(motion, &c->joint, 1, look == CORRECTED_HELD);
    } else {
        tlw_bent_set(motion, &c->joint, 1, 1.0);
        TLW_IGNORE(tlw_bent_skin(motion, look == CORRECTED));
    }
    TLW_IGNORE(tlw_bent_measure(motion, c->joint.joint, numbers));
    return tlw_embedded_show_geometric(f, e, &tlw_embedded_names[TLW_EMBEDDED_FIT].look);
}

static bool draw(const tlw_embedded* e, const bent_case* c, float yaw, tlw_sheet* sheet,
                 uint32_t column, uint32_t row) {
    const tlw_render_camera camera = look_at(e, c, yaw);
    return tlw_embedded_draw(e, &camera, 0.0f, sheet, column, row);
}

static bool make(tlw_figures* f, const bent_case* c, tlw_skinning skinning, tlw_embedded* out) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = c->resolution;
    recipe.skinning = skinning;
    return tlw_embedded_make(f, c->sample, &recipe, out);
}

// ---- Bends

// What stands in which column. The second side shows skinning alone.
static const struct {
    bent_look look;
    const char* name;
    bool is_second;
} bend_columns[] = {{LINEAR, "linear", false},       {CORRECTED, "volume", false},
                    {DUAL, "dual", false},           {LINEAR_HELD, "tissue", false},
                    {CORRECTED_HELD, "both", false}, {LINEAR, "linear", true},
                    {CORRECTED, "volume", true},     {DUAL, "dual", true}};

static void label_bend(const tlw_embedded* e, const bent_case* c, tlw_sheet* sheet, uint32_t row) {
    tlw_bent_numbers numbers;
    char text[96];
    tlw_bent_set(e->motion, &c->joint, 1, 1.0);
    const double length = tlw_bent_length(e->motion, c->joint.joint);
    TLW_IGNORE(tlw_bent_measure(e->motion, c->joint.joint, &numbers));
    snprintf(text, sizeof text, "%s: l is %.2f of at most %.2f voxels", c->label, length,
             numbers.reach);
    tlw_sheet_row_label(sheet, row, text);
}

static bool draw_bend(tlw_figures* f, const bent_case* c, tlw_sheet* sheet, uint32_t row) {
    tlw_embedded plain, dual = {0};
    bool is_good = make(f, c, TLW_SKINNING_LINEAR, &plain) && make(f, c, TLW_SKINNING_DUAL, &dual);
    if (is_good) {
        label_bend(&plain, c, sheet, row);
    }
    for (uint32_t k = 0; k < TLW_COUNT_OF(bend_columns) && is_good; ++k) {
        const bent_look look = bend_columns[k].look;
        tlw_embedded* e = look == DUAL ? &dual : &plain;
        tlw_bent_numbers numbers;
        is_good = show(f, e, c, look, &numbers) &&
                  draw(e, c, bend_columns[k].is_second ? c->second : c->yaw, sheet, k, row);
        const bool is_held = look == LINEAR_HELD || look == CORRECTED_HELD;
        char text[96];
        snprintf(text, sizeof text, "%s %+.0f%%", bend_columns[k].name,
                 100.0 * (is_held ? numbers.volume : numbers.skinned));
        tlw_sheet_caption(sheet, k, row, text);
    }
    tlw_embedded_free(&plain);
    tlw_embedded_free(&dual);
    return is_good;
}

tlw_exit_code tlw_figure_bends(tlw_figures* f, tlw_output_file* file) {
    static const bent_case cases[] = {
        {"stout", 32, {"shin_l", 60, {0, 0, -1}}, 0.34, 100, 6, 150, "knee at 60 degrees"},
        {"stout", 32, {"shin_l", 90, {0, 0, -1}}, 0.34, 100, 6, 150, "knee at 90 degrees"},
        {"stout", 32, {"shin_l", 120, {0, 0, -1}}, 0.34, 100, 6, 150, "knee at 120 degrees"},
        {"stout",
         32,
         {"forearm_l", 150, {0, 0, 0}},
         0.34,
         0,
         6,
         60,
         "elbow twisted by 150 degrees"}};
    const tlw_sheet_def def = {
        .columns = (uint32_t)TLW_COUNT_OF(bend_columns),
        .rows = (uint32_t)TLW_COUNT_OF(cases),
        .cell_width = f->cell_height * 13 / 18,
        .cell_height = f->cell_height * 11 / 18,
        .title = "Bends: the volume that skinning loses",
        .remark =
            "stout at 32; linear, with volume given back, dual: skinning alone, from two sides",
        .note_count = 2};
    tlw_sheet sheet = {0};
    bool is_good = tlw_sheet_create(&sheet, &def) == TLW_OK;
    if (!is_good) {
        return tlw_figures_fail_memory(f);
    }
    for (uint32_t i = 0; i < TLW_COUNT_OF(cases) && is_good; ++i) {
        is_good = draw_bend(f, &cases[i], &sheet, i);
    }
    tlw_sheet_note(
        &sheet, 0,
        "tissue: linear skinning with tissue, held for 4 s; both: with volume given back, too");
    tlw_sheet_note(&sheet, 1, "percent: volume of the bend's voxels against rest, by their shares");
    const tlw_exit_code code = is_good ? commit(f, &sheet, file) : tlw_figures_fail(f);
    tlw_sheet_free(&sheet);
    return code;
}

// ---- Figures 8 and 12

enum { WITHOUT, FIELD, WITH, FIELD_COLUMNS };

#define FIELD_VOXELS 3.0  // length of a line that stands for |C v| of 1
#define LINE_STEP    0.02 // of a line, from disc to disc

static void draw_line(const tlw_embedded* e, const tlw_render_camera* camera, const double from[3],
                      const double by[3], tlw_sheet* sheet, tlw_render_area area) {
    const tlw_rgb blue = {0.35f, 0.62f, 1.0f};
    for (double t = 0.0; t <= 1.0; t += LINE_STEP) {
        float point[3], x, y;
        for (int axis = 0; axis < 3; ++axis) {
            point[axis] =
                (float)((from[axis] + t * FIELD_VOXELS * by[axis]) * e->actor.info.voxel_metres);
        }
        if (tlw_render_project(area, camera, point, &x, &y) && x >= (float)area.x &&
            y >= (float)area.y && x < (float)(area.x + area.width) &&
            y < (float)(area.y + area.height)) {
            tlw_picture_disc(&sheet->picture, x, y, t <= 0.0 ? 1.8f : 0.8f, blue, 0.9f);
        }
    }
}

// Voxels of the slice through the joint that bends: a dot at p_skin, and a line along the field.
static bool draw_field(const tlw_embedded* e, const bent_case* c, tlw_sheet* sheet, uint32_t row) {
    const tlw_motion* motion = e->motion;
    const tlw_render_camera camera = look_at(e, c, c->yaw);
    const tlw_render_area area = tlw_sheet_cell(sheet, FIELD, row);
    double* field = calloc((size_t)motion->voxel_count * 3 + 1, sizeof *field);
    uint64_t index_count;
    tlw_render_mesh mesh = {.vertex_count = e->surface.vertex_count,
                            .positions = e->surface.positions,
                            .indices = tlw_actor_indices(&e->actor, &index_count)};
    mesh.index_count = (uint32_t)index_count;
    bool is_good =
        field && tlw_render_outline(&sheet->picture, area, &camera, &mesh, tlw_draw_ghost, 1.0f);
    if (is_good && tlw_bent_field(motion, c->joint.joint, field)) {
        const int across = c->joint.towards[2] < 0.0 ? 0 : 1; // axis that the joint turns about
        for (uint32_t v = 0; v < motion->voxel_count; ++v) {
            double centre[3], from[3];
            tlw_actor_voxel_centre(&e->actor, v, centre);
            const double off = fabs(centre[across] - (double)camera.target[across]);
            for (int axis = 0; axis < 3; ++axis) {
                from[axis] = (double)motion->voxels[v].skinned[axis];
            }
            if (off <= 0.5 * e->actor.info.voxel_metres) {
                draw_line(e, &camera, from, field + (size_t)v * 3, sheet, area);
            }
        }
    }
    free(field);
    return is_good;
}

static bool draw_correction(tlw_figures* f, const bent_case* c, tlw_sheet* sheet, uint32_t row) {
    tlw_embedded e;
    tlw_bent_numbers before, after;
    bool is_good = make(f, c, TLW_SKINNING_LINEAR, &e) && show(f, &e, c, LINEAR, &before) &&
                   draw(&e, c, c->yaw, sheet, WITHOUT, row) && draw_field(&e, c, sheet, row) &&
                   show(f, &e, c, CORRECTED, &after) && draw(&e, c, c->yaw, sheet, WITH, row);
    if (is_good) {
        char text[96];
        const double length = tlw_bent_length(e.motion, c->joint.joint);
        tlw_sheet_row_label(sheet, row, c->label);
        snprintf(text, sizeof text, "without: volume %+.1f%%", 100.0 * before.skinned);
        tlw_sheet_caption(sheet, WITHOUT, row, text);
        snprintf(text, sizeof text, "field: l is %.2f voxels", length);
        tlw_sheet_caption(sheet, FIELD, row, text);
        snprintf(text, sizeof text, "with: volume %+.1f%%", 100.0 * after.skinned);
        tlw_sheet_caption(sheet, WITH, row, text);
    }
    tlw_embedded_free(&e);
    return is_good;
}

tlw_exit_code tlw_figure_correction(tlw_figures* f, tlw_output_file* file) {
    static const bent_case cases[] = {{"stout",
                                       32,
                                       {"forearm_l", 110, {0, 0, 1}},
                                       0.34,
                                       0,
                                       84,
                                       0,
                                       "an elbow at 110 degrees, from above (stout at 32)"},
                                      {"thin",
                                       64,
                                       {"shin_l", 110, {0, 0, -1}},
                                       0.15,
                                       90,
                                       0,
                                       0,
                                       "a knee at 110 degrees (thin at 64)"},
                                      {"bunny",
                                       32,
                                       {"shin_l", 80, {0, 0, -1}},
                                       0.36,
                                       90,
                                       0,
                                       0,
                                       "a short knee at 80 degrees (bunny at 32)"}};
    const tlw_sheet_def def = {.columns = FIELD_COLUMNS,
                               .rows = (uint32_t)TLW_COUNT_OF(cases),
                               .cell_width = f->cell_height * 298 / 180,
                               .cell_height = f->cell_height,
                               .title = "Chen et al., Figures 8 and 12: volume of bent joints",
                               .remark = "skinning alone; p_skin moves by l C v",
                               .note_count = 2};
    tlw_sheet sheet = {0};
    bool is_good = tlw_sheet_create(&sheet, &def) == TLW_OK;
    if (!is_good) {
        return tlw_figures_fail_memory(f);
    }
    for (uint32_t i = 0; i < TLW_COUNT_OF(cases) && is_good; ++i) {
        is_good = draw_correction(f, &cases[i], &sheet, i);
    }
    tlw_sheet_note(&sheet, 0, "field: C v of the voxels in the slice through the joint");
    tlw_sheet_note(&sheet, 1, "volume: of the bend's voxels against rest, by their shares C");
    const tlw_exit_code code = is_good ? commit(f, &sheet, file) : tlw_figures_fail(f);
    tlw_sheet_free(&sheet);
    return code;
}
