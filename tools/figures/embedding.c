// SPDX-License-Identifier: MIT
// Samples for the figures of embeddings, and the picture of ours: one jiggle as each embedding and
// each kind of normals shows it, in a raking light.
#include "tools/figures/embedding.h"

#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>

#define LEGS_MESH  64  // cells of the mesh along the longest extent: about as fine as voxels at 64
#define LEGS_ANGLE 6.0 // degrees inwards

const tlw_embedded_name tlw_embedded_names[TLW_EMBEDDED_COUNT] = {
    [TLW_EMBEDDED_DELTA] = {"delta", {.embedding = TLW_EMBED_DELTA}},
    [TLW_EMBEDDED_FIT] = {"fit 0.25", {.embedding = TLW_EMBED_FIT, .smoothing = 0.25f}},
    [TLW_EMBEDDED_PLANE] = {"fit 1", {.embedding = TLW_EMBED_FIT, .smoothing = 1.0f}},
    [TLW_EMBEDDED_RBF] = {"rbf", {.embedding = TLW_EMBED_RBF}}};

// ---- Samples

tlw_cook_recipe tlw_embedded_recipe(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    recipe.has_ring_normals = true;
    return recipe;
}

// The actor is there already.
static bool open(tlw_figures* f, tlw_embedded* out) {
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = &out->actor;
    def.preset = TLW_PRESET_DEFAULT;
    return tlw_surface_open(&out->surface, &out->actor, &f->error) == TLW_SCENE_OK &&
           tlw_motion_open(&def, &out->motion, &f->error) == TLW_SCENE_OK;
}

bool tlw_embedded_make(tlw_figures* f, const char* sample, const tlw_cook_recipe* recipe,
                       tlw_embedded* out) {
    *out = (tlw_embedded){0};
    return tlw_actor_make(&out->actor, sample, recipe, &f->error) == TLW_SCENE_OK && open(f, out);
}

bool tlw_embedded_make_legs(tlw_figures* f, uint32_t resolution, tlw_embedded* out) {
    const tlw_cook_recipe recipe = tlw_embedded_recipe(resolution);
    tlw_sample_def def = tlw_default_sample_def(TLW_SAMPLE_THIN);
    def.resolution = LEGS_MESH;
    *out = (tlw_embedded){0};
    tlw_actor plain;
    const bool is_good = tlw_actor_make_from(&plain, &def, &recipe, &f->error) == TLW_SCENE_OK &&
                         tlw_surface_close_legs(&plain, LEGS_ANGLE, &recipe, &out->actor,
                                                &f->error) == TLW_SCENE_OK &&
                         open(f, out);
    tlw_actor_free(&plain);
    return is_good;
}

void tlw_embedded_free(tlw_embedded* e) {
    tlw_surface_close(&e->surface);
    tlw_motion_close(e->motion);
    tlw_actor_free(&e->actor);
}

bool tlw_embedded_show(tlw_figures* f, tlw_embedded* e, const tlw_surface_look* look) {
    if (!tlw_surface_embed(&e->surface, e->motion, look)) {
        f->error.code = TLW_SCENE_BAD;
        snprintf(f->error.message, sizeof f->error.message, "%s was not cooked for embedding %d",
                 e->actor.name, (int)look->embedding);
        return false;
    }
    return true;
}

bool tlw_embedded_show_geometric(tlw_figures* f, tlw_embedded* e, const tlw_surface_look* look) {
    return tlw_embedded_show(f, e, look) &&
           tlw_surface_geometric_normals(&e->surface, e->surface.positions, e->surface.normals);
}

bool tlw_embedded_draw(const tlw_embedded* e, const tlw_render_camera* camera, float hot,
                       tlw_sheet* sheet, uint32_t column, uint32_t row) {
    const tlw_surface* s = &e->surface;
    uint64_t index_count;
    tlw_render_mesh mesh = {.vertex_count = s->vertex_count,
                            .positions = s->positions,
                            .normals = s->normals,
                            .indices = tlw_actor_indices(&e->actor, &index_count),
                            .colour = tlw_draw_clay};
    mesh.index_count = (uint32_t)index_count;
    float* heat = hot > 0.0f ? malloc(((size_t)s->vertex_count + 1) * sizeof *heat) : NULL;
    for (uint32_t v = 0; heat && v < s->vertex_count; ++v) {
        const float* u = s->deltas + (size_t)v * 3;
        heat[v] = fminf(sqrtf(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / hot, 1.0f);
    }
    mesh.heat = heat;
    const bool is_good =
        (heat || hot <= 0.0f) &&
        tlw_render_draw(&sheet->picture, tlw_sheet_cell(sheet, column, row), camera, &mesh);
    free(heat);
    return is_good;
}

// ---- The picture

enum { COLUMNS = 4, ROWS = 3 };

// The belly from the side that swings towards the light.
static tlw_render_camera look_at_belly(const tlw_embedded* e) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = 20.0f;
    camera.pitch_degrees = 5.0f;
    camera.is_raking = true;
    camera.height = (float)(0.27 * e->actor.info.extent_voxels * e->actor.info.voxel_metres);
    uint32_t count = 0, spine = 0;
    double sum[3] = {0.0, 0.0, 0.0};
    TLW_IGNORE(tlw_blob_find_joint(&e->actor.blob, "spine", &spine));
    for (uint32_t w = 0; w < e->surface.welded_count; ++w) {
        if (e->surface.joint_of[w] == spine) {
            count += 1;
            for (size_t axis = 0; axis < 3; ++axis) {
                sum[axis] += (double)e->surface.skinned[(size_t)e->surface.first_of[w] * 3 + axis];
            }
        }
    }
    for (int axis = 0; axis < 3 && count > 0; ++axis) {
        camera.target[axis] = (float)(sum[axis] / count);
    }
    return camera;
}

// A row of embeddings, each with the normals of its own triangles.
static bool draw_embeddings(tlw_figures* f, tlw_embedded* e, tlw_sheet* sheet, uint32_t row) {
    bool is_good = true;
    for (uint32_t k = 0; k < COLUMNS && is_good; ++k) {
        is_good = tlw_embedded_show_geometric(f, e, &tlw_embedded_names[k].look);
        if (is_good) {
            const tlw_render_camera camera = look_at_belly(e);
            char text[64];
            snprintf(text, sizeof text, "%s: %.2f", tlw_embedded_names[k].name,
                     tlw_surface_crease(&e->surface, TLW_SURFACE_ALL_EDGES));
            tlw_sheet_caption(sheet, k, row, text);
            is_good = tlw_embedded_draw(e, &camera, 0.0f, sheet, k, row);
        }
    }
    return is_good;
}

// The normals that a look writes; then, in the last column, the triangles' own.
static bool draw_normals(tlw_figures* f, tlw_embedded* e, tlw_sheet* sheet, uint32_t row) {
    static const struct {
        const char* name;
        int embedding;
        tlw_normal_source by;
        bool is_geometric;
    } kinds[COLUMNS] = {{"delta, gradient", TLW_EMBEDDED_DELTA, TLW_NORMALS_BY_GRADIENT, false},
                        {"delta, ring", TLW_EMBEDDED_DELTA, TLW_NORMALS_BY_RING, false},
                        {"delta, geometric", TLW_EMBEDDED_DELTA, TLW_NORMALS_BY_RING, true},
                        {"fit, ring", TLW_EMBEDDED_FIT, TLW_NORMALS_BY_RING, false}};
    bool is_good = true;
    for (uint32_t k = 0; k < COLUMNS && is_good; ++k) {
        tlw_surface_look look = tlw_embedded_names[kinds[k].embedding].look;
        look.normals_by = kinds[k].by;
        is_good = kinds[k].is_geometric ? tlw_embedded_show_geometric(f, e, &look)
                                        : tlw_embedded_show(f, e, &look);
        if (is_good) {
            const tlw_render_camera camera = look_at_belly(e);
            tlw_sheet_caption(sheet, k, row, kinds[k].name);
            is_good = tlw_embedded_draw(e, &camera, 0.0f, sheet, k, row);
        }
    }
    return is_good;
}

static bool draw_rows(tlw_figures* f, tlw_sheet* sheet) {
    static const uint32_t resolutions[] = {24, 32};
    bool is_good = true;
    for (uint32_t k = 0; k < TLW_COUNT_OF(resolutions) && is_good; ++k) {
        const tlw_cook_recipe recipe = tlw_embedded_recipe(resolutions[k]);
        tlw_embedded e;
        is_good = tlw_embedded_make(f, "stout", &recipe, &e);
        if (is_good) {
            tlw_surface_jiggle(e.motion);
            char text[96];
            snprintf(text, sizeof text, "stout at %u, triangles' own normals", resolutions[k]);
            tlw_sheet_row_label(sheet, k, text);
            is_good = draw_embeddings(f, &e, sheet, k);
        }
        if (is_good && k + 1 == TLW_COUNT_OF(resolutions)) {
            tlw_sheet_row_label(sheet, k + 1, "normals that are written, at 32");
            is_good = draw_normals(f, &e, sheet, k + 1);
        }
        tlw_embedded_free(&e);
    }
    return is_good;
}

tlw_exit_code tlw_figure_embeddings(tlw_figures* f, tlw_output_file* file) {
    const tlw_sheet_def def = {.columns = COLUMNS,
                               .rows = ROWS,
                               .cell_width = 222 * f->cell_height / 180,
                               .cell_height = f->cell_height * 2 / 3,
                               .title = "Embeddings under one and the same jiggle",
                               .remark =
                                   "the belly in a raking light, after a dance that stops dead",
                               .note_count = 1};
    tlw_sheet sheet = {0};
    tlw_exit_code code;
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        code = tlw_figures_fail_memory(f);
    } else if (!draw_rows(f, &sheet)) {
        code = tlw_figures_fail(f);
    } else {
        tlw_sheet_note(
            &sheet, 0,
            "degrees: rms change of the angles between triangles against skinning alone");
        code = tlw_output_file_committed(f->command, file,
                                         tlw_picture_commit_small(&sheet.picture, &file->writer));
    }
    tlw_sheet_free(&sheet);
    return code;
}
