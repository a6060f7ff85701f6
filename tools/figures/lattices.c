// SPDX-License-Identifier: MIT
// Figures 5, 9 and 11 of Chen et al. 2013: skinning by the lattice alone, a character that is
// pushed together, and resolutions.
#include "tools/figures/embedding.h"
#include "tools/motion/bent.h"
#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tlw_exit_code finish(tlw_figures* f, bool is_good, tlw_sheet* sheet, tlw_output_file* file) {
    const tlw_exit_code code =
        is_good ? tlw_output_file_committed(
                      f->command, file, tlw_picture_commit_small(&sheet->picture, &file->writer))
                : tlw_figures_fail(f);
    tlw_sheet_free(sheet);
    return code;
}

// Embeds with the lattice's matrices alone: no artist's skinning is added.
static bool show_frames(tlw_figures* f, tlw_embedded* e) {
    const tlw_surface_look frames = {.embedding = TLW_EMBED_FRAMES};
    return tlw_embedded_show_geometric(f, e, &frames);
}

// The voxels of the state that the motion has, as cubes coloured by their layers.
static bool draw_voxels(const tlw_embedded* e, const tlw_render_camera* camera, tlw_sheet* sheet,
                        uint32_t column, uint32_t row) {
    const size_t voxels = e->actor.info.voxel_count;
    tlw_take take = {.actor = &e->actor, .layers = malloc(voxels + 1)};
    tlw_take_shot shot = {.lattice = malloc((voxels * 12 + 1) * sizeof(float))};
    tlw_output output = tlw_default_output();
    output.lattice.data = shot.lattice;
    bool is_good = take.layers && shot.lattice &&
                   tlw_character_set_output(e->motion->world, e->motion->id, &output) == TLW_OK;
    if (is_good) {
        memcpy(take.layers, e->motion->layers, voxels);
        tlw_motion_step(e->motion, 0.0);
        const tlw_draw_row look = {.take = &take, .look = TLW_DRAW_VOXELS};
        is_good = tlw_draw_shot(&look, &shot, camera, 0.0f, &sheet->picture,
                                tlw_sheet_cell(sheet, column, row));
    }
    output = tlw_default_output();
    TLW_IGNORE(tlw_character_set_output(e->motion->world, e->motion->id, &output));
    free(take.layers);
    free(shot.lattice);
    return is_good;
}

// Shows what was embedded last as a whole.
static tlw_render_camera look_at_all(const tlw_embedded* e, float yaw, float aspect) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = yaw;
    camera.pitch_degrees = 6.0f;
    tlw_render_fit(&camera, e->surface.positions, e->surface.vertex_count, aspect);
    camera.height *= 1.08f;
    return camera;
}

// ---- Figure 5

enum { POSES = 4, JOINTS_MAX = 8 };

static const struct {
    const char* name;
    tlw_bent_joint joints[JOINTS_MAX]; // those above others come first
} poses[POSES] = {{"bind", {{0}}},
                  {"arms",
                   {{"arm_l", 50, {0, 1, 0}},
                    {"forearm_l", 80, {0, 0, 1}},
                    {"arm_r", 40, {0, -1, 0}},
                    {"forearm_r", 90, {0, 0, 1}},
                    {"head", 20, {1, 0, 0}}}},
                  {"step",
                   {{"spine", 15, {0, 0, 1}},
                    {"leg_l", 50, {0, 0, 1}},
                    {"shin_l", 60, {0, 0, -1}},
                    {"leg_r", 30, {0, 0, -1}},
                    {"shin_r", 20, {0, 0, -1}},
                    {"arm_l", 60, {0, 0, -1}},
                    {"arm_r", 60, {0, 0, 1}}}},
                  {"bow",
                   {{"spine", 35, {0, 0, 1}},
                    {"chest", 35, {0, 0, 1}},
                    {"head", 25, {0, 0, 1}},
                    {"arm_l", 50, {0, 0, 1}},
                    {"arm_r", 50, {0, 0, 1}}}}};

static uint32_t joint_count(const tlw_bent_joint* joints) {
    uint32_t count = 0;
    while (count < JOINTS_MAX && joints[count].joint) {
        count += 1;
    }
    return count;
}

tlw_exit_code tlw_figure_lattice(tlw_figures* f, tlw_output_file* file) {
    const tlw_sheet_def def = {.columns = POSES,
                               .rows = 2,
                               .cell_width = f->cell_height * 237 / 180,
                               .cell_height = f->cell_height,
                               .title = "Chen et al., Figure 5: skinning by the lattice",
                               .remark = "thin at 64: weights of voxels, not of vertices",
                               .note_count = 0};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 64;
    tlw_sheet sheet = {0};
    tlw_embedded e = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    bool is_good = tlw_embedded_make(f, "thin", &recipe, &e);
    const float aspect = (float)def.cell_width / (float)def.cell_height;
    tlw_render_camera camera = tlw_default_render_camera();
    tlw_sheet_row_label(&sheet, 0, "the mesh, which follows the voxels alone");
    tlw_sheet_row_label(&sheet, 1, "the voxels at rest on p_skin");
    for (uint32_t k = 0; k < POSES && is_good; ++k) {
        tlw_bent_set(e.motion, poses[k].joints, joint_count(poses[k].joints), 1.0);
        is_good = tlw_bent_skin(e.motion, true) && show_frames(f, &e);
        if (is_good) {
            camera = k == 0 ? look_at_all(&e, 40.0f, aspect) : camera;
            is_good = tlw_embedded_draw(&e, &camera, 0.0f, &sheet, k, 0) &&
                      draw_voxels(&e, &camera, &sheet, k, 1);
        }
    }
    tlw_embedded_free(&e);
    return finish(f, is_good, &sheet, file);
}

// ---- Figure 9

// Volume that the triangles enclose.
static double mesh_volume(const tlw_surface* s) {
    double sum = 0.0;
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        double p[3][3];
        for (int k = 0; k < 3; ++k) {
            for (size_t axis = 0; axis < 3; ++axis) {
                const size_t vertex = s->first_of[s->triangles[t][k]];
                p[k][axis] = (double)s->positions[vertex * 3 + axis];
            }
        }
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum / 6.0;
}

// Sets a pose in which the trunk is pushed together along y: every joint of the spine goes down to
// that share of its height above the hips, and takes what hangs on it along.
static void push_down(tlw_motion* motion, double share) {
    static const char* const spine[] = {"spine", "chest", "head"};
    const tlw_blob* blob = &motion->def.actor->blob;
    const uint32_t joints = motion->def.actor->info.joint_count;
    tlw_motion_pose(motion, TLW_ASSET_NONE, 0.0);
    for (size_t i = 0; i < TLW_COUNT_OF(spine); ++i) {
        uint32_t joint, parent;
        tlw_joint_info info, up;
        if (tlw_blob_find_joint(blob, spine[i], &joint) != TLW_OK ||
            tlw_blob_get_joint(blob, joint, &info) != TLW_OK ||
            tlw_blob_get_joint(blob, info.parent, &up) != TLW_OK) {
            continue;
        }
        const double above = (1.0 - share) * (info.bind[13] - up.bind[13]);
        for (uint32_t j = 0; j < joints; ++j) {
            for (parent = j; parent != TLW_NO_INDEX && parent != joint; parent = info.parent) {
                TLW_IGNORE(tlw_blob_get_joint(blob, parent, &info));
            }
            if (parent == joint) {
                motion->pose_joints[(size_t)j * 16 + 13] -= (float)above;
            }
        }
    }
}

#define PUSHED_TO    0.8
#define PUSH_FRAMES  60 // until it is down
#define PUSHED_UNTIL 300

// Puts the character at rest on its skinning, or goes down and waits until tissue is still.
static bool push(tlw_motion* motion, bool has_volume, bool is_held) {
    push_down(motion, is_held ? 1.0 : PUSHED_TO);
    const bool is_good = tlw_bent_skin(motion, has_volume);
    for (int frame = 1; frame <= PUSHED_UNTIL && is_held; ++frame) {
        const double share = frame < PUSH_FRAMES ? frame / (double)PUSH_FRAMES : 1.0;
        push_down(motion, 1.0 - share * (1.0 - PUSHED_TO));
        tlw_motion_step(motion, 1.0 / 60.0);
    }
    return is_good;
}

tlw_exit_code tlw_figure_pushed(tlw_figures* f, tlw_output_file* file) {
    static const struct {
        const char* name;
        bool is_pushed, has_volume, is_held;
    } columns[] = {{"at rest", false, false, false},
                   {"without", true, false, false},
                   {"with", true, true, false},
                   {"tissue, without", true, false, true},
                   {"tissue, with", true, true, true}};
    const tlw_sheet_def def = {.columns = (uint32_t)TLW_COUNT_OF(columns),
                               .rows = 1,
                               .cell_width = f->cell_height * 23 / 18,
                               .cell_height = f->cell_height,
                               .title = "Chen et al., Figure 9: pushed down",
                               .remark = "bunny at 32, its spine at 0.8 of its length",
                               .note_count = 1};
    const tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_sheet sheet = {0};
    tlw_embedded e = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    bool is_good = tlw_embedded_make(f, "bunny", &recipe, &e);
    tlw_render_camera camera = tlw_default_render_camera();
    double rest = 0.0;
    for (uint32_t k = 0; k < TLW_COUNT_OF(columns) && is_good; ++k) {
        if (columns[k].is_pushed) {
            is_good = push(e.motion, columns[k].has_volume, columns[k].is_held);
        }
        is_good = is_good &&
                  tlw_embedded_show_geometric(f, &e, &tlw_embedded_names[TLW_EMBEDDED_FIT].look);
        const double volume = is_good ? mesh_volume(&e.surface) : 0.0;
        rest = k == 0 ? volume : rest;
        camera = k == 0 && is_good ? look_at_all(&e, 30.0f, 1.0f) : camera;
        char text[96];
        snprintf(text, sizeof text, "%s: %+.0f%%", columns[k].name,
                 rest > 0.0 ? 100.0 * (volume / rest - 1.0) : 0.0);
        tlw_sheet_caption(&sheet, k, 0, text);
        is_good = is_good && tlw_embedded_draw(&e, &camera, 0.0f, &sheet, k, 0);
    }
    tlw_sheet_note(&sheet, 0, "percent: volume that the whole mesh encloses, against rest");
    tlw_embedded_free(&e);
    return finish(f, is_good, &sheet, file);
}

// ---- Figure 11

static tlw_render_camera look_at_joint(const tlw_embedded* e, const char* name, double height,
                                       float yaw) {
    tlw_render_camera camera = tlw_default_render_camera();
    uint32_t joint;
    if (tlw_blob_find_joint(&e->actor.blob, name, &joint) == TLW_OK) {
        memcpy(camera.target, e->motion->pose_joints + (size_t)joint * 16 + 12,
               sizeof camera.target);
    }
    camera.yaw_degrees = yaw;
    camera.pitch_degrees = 6.0f;
    camera.height = (float)(height * e->actor.info.extent_voxels * e->actor.info.voxel_metres);
    return camera;
}

tlw_exit_code tlw_figure_resolutions(tlw_figures* f, tlw_output_file* file) {
    static const uint32_t resolutions[] = {16, 24, 32, 64};
    static const tlw_bent_joint joints[] = {{"leg_l", 40, {0, 0, 1}},  {"shin_l", 70, {0, 0, -1}},
                                            {"arm_l", 30, {0, 1, 0}},  {"forearm_l", 90, {0, 0, 1}},
                                            {"arm_r", 30, {0, -1, 0}}, {"forearm_r", 60, {0, 0, 1}},
                                            {"ear_l", 40, {1, 0, 0}}};
    const tlw_sheet_def def = {
        .columns = 2 * (uint32_t)TLW_COUNT_OF(resolutions),
        .rows = 2,
        .cell_width = f->cell_height * 25 / 36,
        .cell_height = f->cell_height * 5 / 6,
        .title = "Chen et al., Figure 11: resolutions",
        .remark =
            "thin, by the lattice alone: body and knee; below, resolution and number of voxels"};
    tlw_sheet sheet = {0};
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        return tlw_figures_fail_memory(f);
    }
    bool is_good = true;
    tlw_render_camera camera = tlw_default_render_camera();
    const float aspect = (float)def.cell_width / (float)def.cell_height;
    for (uint32_t k = 0; k < TLW_COUNT_OF(resolutions) && is_good; ++k) {
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = resolutions[k];
        tlw_embedded e;
        is_good = tlw_embedded_make(f, "thin", &recipe, &e);
        if (is_good) {
            tlw_bent_set(e.motion, joints, (uint32_t)TLW_COUNT_OF(joints), 1.0);
            is_good = tlw_bent_skin(e.motion, true) && show_frames(f, &e);
        }
        if (is_good) {
            camera = k == 0 ? look_at_all(&e, 35.0f, aspect) : camera;
            const tlw_render_camera near = look_at_joint(&e, "shin_l", 0.24, 70.0f);
            char text[96];
            snprintf(text, sizeof text, "%u: %u", resolutions[k], e.actor.info.voxel_count);
            tlw_sheet_caption(&sheet, 2 * k, 1, text);
            is_good = tlw_embedded_draw(&e, &camera, 0.0f, &sheet, 2 * k, 0) &&
                      tlw_embedded_draw(&e, &near, 0.0f, &sheet, 2 * k + 1, 0) &&
                      draw_voxels(&e, &camera, &sheet, 2 * k, 1) &&
                      draw_voxels(&e, &near, &sheet, 2 * k + 1, 1);
        }
        tlw_embedded_free(&e);
    }
    return finish(f, is_good, &sheet, file);
}
