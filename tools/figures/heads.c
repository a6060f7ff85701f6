// SPDX-License-Identifier: MIT
// Heads that stay firm: a helmet that is fixed to the head's joint, and the fox.
#include "tools/figures/figures.h"

#include "tools/render/animation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 48, UP = 14, HELMET_VERTICES = (AROUND + 1) * (UP + 1), PERIOD_FRAMES = 3 };

// ---- The helmet: the upper part of an ellipsoid about the head's voxels

typedef struct helmet {
    float rest[HELMET_VERTICES * 3], positions[HELMET_VERTICES * 3];
    uint32_t indices[AROUND * UP * 6];
    uint32_t joint;
    float centre[3], size[3]; // of the head's voxels at rest
} helmet;

static uint32_t find_joint(const tlw_actor* actor, const char* name) {
    for (uint32_t j = 0; j < actor->info.joint_count; ++j) {
        if (strcmp(tlw_blob_joint_name(&actor->blob, j), name) == 0) {
            return j;
        }
    }
    return 0;
}

static void make_helmet(const tlw_take* take, helmet* h) {
    double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30};
    h->joint = find_joint(take->actor, "head");
    for (uint32_t v = 0; v < take->actor->info.voxel_count; ++v) {
        double centre[3];
        tlw_actor_voxel_centre(take->actor, v, centre);
        for (int axis = 0; axis < 3 && take->joints[v] == h->joint; ++axis) {
            low[axis] = fmin(low[axis], centre[axis]);
            high[axis] = fmax(high[axis], centre[axis]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        h->centre[axis] = (float)(0.5 * (low[axis] + high[axis]));
        h->size[axis] = (float)(high[axis] - low[axis] + take->actor->info.voxel_metres);
    }
    uint32_t index = 0;
    for (uint32_t j = 0; j <= UP; ++j) {
        for (uint32_t i = 0; i <= AROUND; ++i) {
            // From a little below the middle up to the top, open at the bottom.
            const float up = -0.12f + 1.6907963f * (float)j / UP;
            const float turn = 6.2831853f * (float)i / AROUND;
            float* p = h->rest + ((size_t)j * (AROUND + 1) + i) * 3;
            p[0] = h->centre[0] + 0.53f * h->size[0] * cosf(up) * cosf(turn);
            p[1] = h->centre[1] + 0.53f * h->size[1] * sinf(up);
            p[2] = h->centre[2] + 0.53f * h->size[2] * cosf(up) * sinf(turn);
            if (i < AROUND && j < UP) {
                const uint32_t a = j * (AROUND + 1) + i, b = a + AROUND + 1;
                const uint32_t quad[6] = {a, b, a + 1, a + 1, b, b + 1};
                memcpy(h->indices + index, quad, sizeof quad);
                index += 6;
            }
        }
    }
}

// The inverse of an affine matrix applied to a point: bind^-1 p.
static void to_joint(const double* m, const float p[3], double out[3]) {
    const double d[3] = {(double)p[0] - m[12], (double)p[1] - m[13], (double)p[2] - m[14]};
    const double *a = m, *b = m + 4, *c = m + 8;
    const double bc[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                          b[0] * c[1] - b[1] * c[0]};
    const double ca[3] = {c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2],
                          c[0] * a[1] - c[1] * a[0]};
    const double ab[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                          a[0] * b[1] - a[1] * b[0]};
    const double volume = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    out[0] = (d[0] * bc[0] + d[1] * bc[1] + d[2] * bc[2]) / volume;
    out[1] = (d[0] * ca[0] + d[1] * ca[1] + d[2] * ca[2]) / volume;
    out[2] = (d[0] * ab[0] + d[1] * ab[1] + d[2] * ab[2]) / volume;
}

static void pose_helmet(const tlw_take* take, const tlw_take_shot* shot, helmet* h) {
    uint64_t count;
    const tlw_blob_joint* joints =
        tlw_blob_find(take->actor->blob_memory, TLW_SECTION_JOINTS, &count);
    const float* m = shot->joints + (size_t)h->joint * 16;
    for (uint32_t v = 0; v < HELMET_VERTICES; ++v) {
        double p[3];
        to_joint(joints[h->joint].bind, h->rest + (size_t)v * 3, p);
        for (int row = 0; row < 3; ++row) {
            h->positions[v * 3 + (uint32_t)row] =
                (float)((double)m[row] * p[0] + (double)m[4 + row] * p[1] +
                        (double)m[8 + row] * p[2] + (double)m[12 + row]) +
                shot->root[row];
        }
    }
}

static bool draw_head(const tlw_take* take, const tlw_take_shot* shot, helmet* h, float hot,
                      tlw_picture* picture, tlw_render_area area) {
    const uint32_t count = take->actor->info.vertex_count;
    uint64_t index_count;
    float* heat = malloc(((size_t)count + 1) * sizeof *heat);
    if (heat == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < count; ++v) {
        heat[v] = hot > 0.0f ? shot->deviation[v] / hot : 0.0f;
    }
    pose_helmet(take, shot, h);
    tlw_render_mesh meshes[2] = {{.vertex_count = count,
                                  .positions = shot->positions,
                                  .normals = shot->normals,
                                  .indices = tlw_actor_indices(take->actor, &index_count),
                                  .heat = heat,
                                  .colour = tlw_draw_clay},
                                 {.vertex_count = HELMET_VERTICES,
                                  .index_count = AROUND * UP * 6,
                                  .positions = h->positions,
                                  .indices = h->indices,
                                  .colour = {0.36f, 0.44f, 0.58f}}};
    meshes[0].index_count = (uint32_t)index_count;
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = 25.0f;
    camera.height = 2.0f * fmaxf(h->size[1], h->size[0]);
    for (int axis = 0; axis < 3; ++axis) {
        camera.target[axis] = h->centre[axis];
    }
    camera.target[1] -= 0.1f * h->size[1];
    const bool is_good = tlw_render_draw_all(picture, area, &camera, meshes, 2);
    free(heat);
    return is_good;
}

static tlw_exit_code draw_helmets(tlw_figures* f, const tlw_take takes[2], double firm, double soft,
                                  tlw_output_file* file) {
    const tlw_sheet_def def = {.columns = TLW_FIGURE_SHOTS,
                               .rows = 2,
                               .cell_width = f->cell_height * 9 / 10,
                               .cell_height = f->cell_height,
                               .title = "A helmet, fixed to the joint of the head",
                               .remark = "stout at resolution 32; the root goes up and down by 45 "
                                         "mm of 1.7 m, 2.8 times a second",
                               .note_count = 1};
    tlw_sheet sheet = {0};
    helmet* h = malloc(sizeof *h);
    bool is_good = h && tlw_sheet_create(&sheet, &def) == TLW_OK;
    const float hot = fmaxf(tlw_take_farthest(&takes[0]), tlw_take_farthest(&takes[1]));
    for (uint32_t r = 0; r < 2 && is_good; ++r) {
        make_helmet(&takes[r], h);
        tlw_sheet_row_label(
            &sheet, r, r ? "without firm parts: the head leaves it" : "head and hands are firm");
        for (uint32_t i = 0; i < takes[r].shot_count && is_good; ++i) {
            is_good = draw_head(&takes[r], &takes[r].shots[i], h, hot, &sheet.picture,
                                tlw_sheet_cell(&sheet, i, r));
        }
    }
    tlw_exit_code code;
    if (is_good) {
        char text[160];
        snprintf(text, sizeof text,
                 "head, 90th percentile of the peaks: %.1f mm of 1.7 m firm, %.1f mm without%s",
                 TLW_MOTION_MM(firm), TLW_MOTION_MM(soft),
                 firm < 0.5 * soft ? "" : ": firm parts bring little");
        tlw_sheet_note(&sheet, 0, text);
        snprintf(text, sizeof text, "%.0f mm off the skinned place",
                 TLW_MOTION_MM((double)hot / takes[0].extent_metres));
        tlw_sheet_heat_legend(&sheet, tlw_draw_clay, "0", text);
        code = tlw_output_file_committed(f->command, file,
                                         tlw_picture_commit_small(&sheet.picture, &file->writer));
    } else {
        code = tlw_figures_fail_memory(f);
    }
    tlw_sheet_free(&sheet);
    free(h);
    return code;
}

tlw_exit_code tlw_figure_head(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_STOUT);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    double seconds[TLW_FIGURE_SHOTS];
    for (uint32_t i = 0; i < TLW_FIGURE_SHOTS;
         ++i) { // a period of the bob, after two seconds of it
        seconds[i] = (120 + i * PERIOD_FRAMES) / TLW_TAKE_HZ;
    }
    tlw_take_def def = tlw_default_take_def(actor);
    def.is_bobbing = true;
    tlw_take_def soft = def;
    soft.motion.has_firm_parts = false;
    tlw_take takes[2] = {{0}};
    tlw_figure_numbers n[2] = {{.bob_head = 0.0}};
    tlw_exit_code code;
    if (tlw_take_play(&takes[0], &def, seconds, TLW_FIGURE_SHOTS, &f->error) == TLW_SCENE_OK &&
        tlw_take_play(&takes[1], &soft, seconds, TLW_FIGURE_SHOTS, &f->error) == TLW_SCENE_OK &&
        tlw_figures_measure(f, &def.motion, &n[0]) && tlw_figures_measure(f, &soft.motion, &n[1])) {
        code = draw_helmets(f, takes, n[0].bob_head, n[1].bob_head, file);
    } else {
        code = tlw_figures_fail(f);
    }
    for (int i = 0; i < 2; ++i) {
        tlw_take_free(&takes[i]);
        tlw_figure_numbers_free(&n[i]);
    }
    return code;
}

// ---- The fox

tlw_exit_code tlw_figure_fox(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_FOX);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    double seconds[TLW_FIGURE_SHOTS];
    for (uint32_t i = 0; i < TLW_FIGURE_SHOTS; ++i) {
        seconds[i] = 2.0 + i * 0.1;
    }
    tlw_figure_row row = {.take = tlw_default_take_def(actor),
                          .seconds = seconds,
                          .look = TLW_DRAW_SKINNING,
                          .label = "skinning alone",
                          .yaw_degrees = 62.0f};
    row.take.clip = "Run";
    tlw_figure_sheet sheet = {.title = "Fox, running",
                              .remark = "Khronos sample model, resolution 32, clip Run",
                              .columns = TLW_FIGURE_SHOTS,
                              .row_count = 2,
                              .cell_aspect = 1.25f,
                              .legend = TLW_LEGEND_DEVIATION,
                              .rows = {row, row}};
    sheet.rows[1].look = TLW_DRAW_TISSUE;
    sheet.rows[1].label = "tissue";
    tlw_figure_numbers n;
    tlw_exit_code code;
    if (tlw_figures_measure(f, &row.take.motion, &n)) {
        tlw_figure_note_numbers(&sheet, "Fox 32", &n);
        tlw_figure_note(&sheet, "Run, mean deviation in mm of 1.7 m: belly %.1f, head %.1f",
                        TLW_MOTION_MM(n.clip.places[TLW_MOTION_BELLY].lag),
                        TLW_MOTION_MM(n.clip.places[TLW_MOTION_HEAD].lag));
        code = tlw_figures_draw(f, &sheet, file);
    } else {
        code = tlw_figures_fail(f);
    }
    tlw_figure_numbers_free(&n);
    return code;
}
