// SPDX-License-Identifier: MIT
// Meshes of a pane: the surface or the voxels, the ghost, limbs and things that touch.
#include "tools/view/picture.h"

#include "runtime/lattice.h"
#include "tools/scene/solids.h"
#include "tools/view/colours.h"
#include "tools/view/marks.h"
#include "tools/view/voxels.h"

#include <stdlib.h>
#include <string.h>

#define MESHES_MAX     (3u + TLW_SOLIDS_MAX)
#define PLANE_REACH    1.2f  // in sizes of the character
#define LETTER_POINTS  15.0f // height of a line, in scales
#define REGION_OPACITY 0.30f

static const tlw_rgb limb_colour = {0.94f, 0.89f, 0.26f}, thing_colour = {0.34f, 0.71f, 0.91f},
                     region_colour = {0.34f, 0.71f, 0.91f};

// Of a pane, kept from picture to picture.
typedef struct sheet {
    uint8_t* colours;
    size_t colour_bytes;
    float* normals; // of skinning alone, which the runtime does not write
    size_t normal_bytes;
    tlw_view_voxels* voxels;
    uint64_t voxels_of;      // stamp of the model that they were made of
    tlw_view_voxels* region; // of the picked voxel
    uint64_t region_of;      // stamp of its model
    uint32_t region_voxel;
    float region_lattice[TLW_CELLS_AROUND * 12];
    tlw_overlay overlay;
    tlw_studio_mesh meshes[MESHES_MAX];
    uint32_t mesh_count;
    tlw_solid_mesh solids[TLW_SOLIDS_MAX];
    uint32_t solid_count;
    float plane[4 * 3], plane_normals[4 * 3];
} sheet;

struct tlw_view_picture {
    sheet sheets[TLW_VIEW_PANES_MAX];
    tlw_letters* letters;   // of all of them
    uint32_t letter_pixels; // that were asked for
};

tlw_view_picture* tlw_view_picture_create(void) {
    return calloc(1, sizeof(tlw_view_picture));
}

static void free_solids(sheet* s) {
    for (uint32_t i = 0; i < s->solid_count; ++i) {
        tlw_solid_free_mesh(&s->solids[i]);
    }
    s->solid_count = 0;
}

void tlw_view_picture_free(tlw_view_picture* picture) {
    for (uint32_t i = 0; i < TLW_VIEW_PANES_MAX && picture; ++i) {
        sheet* s = &picture->sheets[i];
        free_solids(s);
        free(s->colours);
        free(s->normals);
        tlw_view_voxels_free(s->voxels);
        tlw_view_voxels_free(s->region);
        tlw_overlay_free(&s->overlay);
    }
    if (picture) {
        tlw_letters_free(picture->letters);
    }
    free(picture);
}

// ---- Panes

uint32_t tlw_view_panes(const tlw_view_app* app, tlw_view_area whole,
                        tlw_view_pane panes[TLW_VIEW_PANES_MAX]) {
    uint32_t count = 0;
    // The camera and the ground go by the first character: without it nothing is shown.
    for (uint32_t i = 0; i < app->side_count && app->sides[0].has_character; ++i) {
        if (app->sides[i].has_character) {
            panes[count++] = (tlw_view_pane){.side = i};
        }
    }
    if (app->shown.has_skinning && app->sides[0].has_character) {
        panes[count++] = (tlw_view_pane){.is_skinning = true};
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t from = whole.width * i / count, to = whole.width * (i + 1) / count;
        panes[i].area = (tlw_view_area){whole.x + from, whole.y, to - from, whole.height};
    }
    return count;
}

bool tlw_view_ray_at(const tlw_view_app* app, tlw_view_area whole, const float pixel[2],
                     uint32_t* side, tlw_view_ray* ray) {
    tlw_view_pane panes[TLW_VIEW_PANES_MAX];
    const uint32_t count = tlw_view_panes(app, whole, panes);
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_view_area* area = &panes[i].area;
        const float at[2] = {pixel[0] - (float)area->x, pixel[1] - (float)area->y};
        if (at[0] >= 0.0f && at[0] < (float)area->width && !panes[i].is_skinning) {
            const tlw_view_axes axes = tlw_view_camera_axes(&app->camera);
            tlw_view_camera_ray(&app->camera, area->width, area->height, at, ray->origin,
                                ray->direction);
            memcpy(ray->back, axes.back, sizeof ray->back);
            *side = panes[i].side;
            return true;
        }
    }
    return false;
}

// ---- Meshes

static tlw_studio_mesh* add_mesh(sheet* s) {
    return s->mesh_count < MESHES_MAX ? &s->meshes[s->mesh_count++] : NULL;
}

// Null: out of memory, and the surface is clay.
static const uint8_t* colour_surface(const tlw_view_app* app, const tlw_view_character* c,
                                     sheet* s) {
    const size_t bytes = (size_t)c->model->actor.info.vertex_count * 4;
    if (app->shown.colour == TLW_VIEW_COLOUR_PLAIN) {
        return NULL;
    }
    if (bytes > s->colour_bytes) {
        free(s->colours);
        s->colours = malloc(bytes);
        s->colour_bytes = s->colours ? bytes : 0;
    }
    if (s->colours) {
        tlw_view_colour_surface(c, app->shown.colour, app->hot, s->colours);
    }
    return s->colours;
}

// Normals at rest, turned as skinning turns the voxels that a vertex hangs on: smoother than what
// triangles say. The character's voxels must have been read.
static void turn_normals(const tlw_view_character* c, float* normals) {
    const tlw_view_model* model = c->model;
    for (size_t v = 0; v < model->actor.info.vertex_count; ++v) {
        const tlw_vertex_binding* binding = &model->bindings[v];
        const float *first = c->motion->voxels[binding->voxels[0]].skinned_rotation,
                    *n = model->rest_normals + v * 3;
        float q[4] = {0.0f, 0.0f, 0.0f, 0.0f}, squared = 0.0f;
        for (int k = 0; k < 8 && binding->weights[k] > 0.0f; ++k) {
            const float* r = c->motion->voxels[binding->voxels[k]].skinned_rotation;
            const float along =
                first[0] * r[0] + first[1] * r[1] + first[2] * r[2] + first[3] * r[3];
            for (int i = 0; i < 4; ++i) {
                q[i] += (along < 0.0f ? -binding->weights[k] : binding->weights[k]) * r[i];
            }
        }
        for (int i = 0; i < 4; ++i) {
            squared += q[i] * q[i];
        }
        // n + 2 q x (q x n + w n), for a quaternion of any length
        const float twice = squared > 0.0f ? 2.0f / squared : 0.0f;
        const float t[3] = {q[1] * n[2] - q[2] * n[1] + q[3] * n[0],
                            q[2] * n[0] - q[0] * n[2] + q[3] * n[1],
                            q[0] * n[1] - q[1] * n[0] + q[3] * n[2]};
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            normals[v * 3 + (size_t)i] = n[i] + twice * (q[j] * t[k] - q[k] * t[j]);
        }
    }
}

// Null: out of memory, and those of the tissue will do.
static const float* skinned_normals(const tlw_view_character* c, sheet* s) {
    const tlw_view_model* model = c->model;
    const uint32_t count = model->actor.info.vertex_count;
    const size_t bytes = (size_t)count * 3 * sizeof(float);
    if (bytes > s->normal_bytes) {
        free(s->normals);
        s->normals = malloc(bytes);
        s->normal_bytes = s->normals ? bytes : 0;
    }
    if (s->normals && model->has_normals) {
        turn_normals(c, s->normals);
        return s->normals;
    }
    return s->normals && tlw_render_normals(model->rest, NULL, c->skinned, count, model->indices,
                                            model->index_count, s->normals)
               ? s->normals
               : NULL;
}

static void add_surface(const tlw_view_app* app, const tlw_view_pane* pane,
                        const tlw_view_character* c, sheet* s) {
    tlw_studio_mesh* body = add_mesh(s);
    const float* normals = pane->is_skinning ? skinned_normals(c, s) : NULL;
    *body = (tlw_studio_mesh){.look = TLW_LOOK_BODY,
                              .vertex_count = c->model->actor.info.vertex_count,
                              .index_count = c->model->index_count,
                              .positions = pane->is_skinning ? c->skinned : c->positions,
                              .normals = normals ? normals : c->normals,
                              .colours = pane->is_skinning ? NULL : colour_surface(app, c, s),
                              .colour = tlw_view_clay,
                              .openness = c->model->openness,
                              .indices = c->model->indices,
                              .indices_stamp = c->model->stamp,
                              .is_closed = c->model->is_closed};
}

// Makes cubes of the `count` voxels in `list`, or of the first `count` voxels if `list` is null.
static tlw_view_voxels* make_voxels(const tlw_view_character* c, const uint32_t* list,
                                    uint32_t count) {
    const tlw_blob_info* info = &c->model->actor.info;
    tlw_blob_contents contents;
    tlw_blob_find_all(c->model->actor.blob_memory, &contents);
    const tlw_blob_cell* from = contents.first[TLW_SECTION_VOXEL_CELL];
    int16_t* cells = malloc((size_t)count * 3 * sizeof *cells);
    uint8_t* layers = malloc((size_t)count * sizeof *layers);
    for (size_t i = 0; i < count && cells && layers; ++i) {
        const size_t v = list ? list[i] : i;
        const int16_t cell[3] = {from[v].x, from[v].y, from[v].z};
        memcpy(cells + i * 3, cell, sizeof cell);
        layers[i] = c->motion->layers[v];
    }
    const tlw_view_voxels_def def = {.voxel_count = count,
                                     .cells = cells,
                                     .layers = layers,
                                     .layer_count = info->layer_count,
                                     .origin = {info->origin[0], info->origin[1], info->origin[2]},
                                     .voxel_metres = info->voxel_metres};
    tlw_view_voxels* voxels = cells && layers ? tlw_view_voxels_create(&def) : NULL;
    free(cells);
    free(layers);
    return voxels;
}

// Null: out of memory, and the surface is drawn.
static tlw_view_voxels* voxels_of(const tlw_view_character* c, sheet* s) {
    if (s->voxels == NULL || s->voxels_of != c->model->stamp) {
        tlw_view_voxels_free(s->voxels);
        s->voxels = make_voxels(c, NULL, c->model->actor.info.voxel_count);
        s->voxels_of = c->model->stamp;
    }
    return s->voxels;
}

static bool add_voxels(const tlw_view_app* app, const tlw_view_character* c, sheet* s) {
    const double* at = c->motion->root.position;
    const float root[3] = {(float)at[0], (float)at[1], (float)at[2]};
    tlw_view_voxels* v = voxels_of(c, s);
    if (v == NULL) {
        return false;
    }
    tlw_view_voxels_cut(v, (int)app->cut_axis, app->cut_share);
    tlw_view_voxels_place(v, c->lattice, root);
    *add_mesh(s) = (tlw_studio_mesh){.look = TLW_LOOK_BODY,
                                     .vertex_count = v->vertex_count,
                                     .index_count = v->index_count,
                                     .positions = v->positions,
                                     .normals = v->normals,
                                     .colours = v->colours,
                                     .indices = v->indices,
                                     .indices_stamp = v->stamp,
                                     .is_closed = true};
    return true;
}

// The voxels that are linked to the picked one, and itself, as glass that shows through the body.
static void add_region(const tlw_view_app* app, const tlw_view_pane* pane,
                       const tlw_view_character* c, sheet* s) {
    const tlw_view_probe* probe = &app->probe;
    if (!probe->is_there || probe->side != pane->side || pane->is_skinning) {
        return;
    }
    const uint32_t* around = c->motion->around + (size_t)probe->voxel * TLW_CELLS_AROUND;
    const double* at = c->motion->root.position;
    const float root[3] = {(float)at[0], (float)at[1], (float)at[2]};
    uint32_t members[TLW_CELLS_AROUND], count = 0;
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        if (around[cell] != TLW_NO_INDEX) {
            memcpy(s->region_lattice + (size_t)count * 12, c->lattice + (size_t)around[cell] * 12,
                   12 * sizeof(float));
            members[count++] = around[cell];
        }
    }
    if (s->region == NULL || s->region_of != c->model->stamp || s->region_voxel != probe->voxel) {
        tlw_view_voxels_free(s->region);
        s->region = make_voxels(c, members, count);
        s->region_of = c->model->stamp;
        s->region_voxel = probe->voxel;
    }
    tlw_studio_mesh* mesh = s->region ? add_mesh(s) : NULL;
    if (mesh) {
        tlw_view_voxels_place(s->region, s->region_lattice, root);
        *mesh = (tlw_studio_mesh){.look = TLW_LOOK_GLASS,
                                  .vertex_count = s->region->vertex_count,
                                  .index_count = s->region->index_count,
                                  .positions = s->region->positions,
                                  .normals = s->region->normals,
                                  .colour = region_colour,
                                  .opacity = REGION_OPACITY,
                                  .is_inside = true,
                                  .indices = s->region->indices,
                                  .indices_stamp = s->region->stamp};
    }
}

// The ghost is lit by the normals of the character, which are near enough for its edges.
static void add_ghost(const tlw_view_character* c, sheet* s) {
    *add_mesh(s) = (tlw_studio_mesh){.look = TLW_LOOK_GHOST,
                                     .vertex_count = c->model->actor.info.vertex_count,
                                     .index_count = c->model->index_count,
                                     .positions = c->skinned,
                                     .normals = c->normals,
                                     .indices = c->model->indices,
                                     .indices_stamp = c->model->stamp,
                                     .is_closed = c->model->is_closed};
}

// ---- Glass

static void add_solid(sheet* s, const tlw_solid* solid, float opacity, bool is_inside) {
    tlw_solid_mesh* mesh = &s->solids[s->solid_count];
    if (s->solid_count == TLW_SOLIDS_MAX || !tlw_solid_make_mesh(solid, mesh)) {
        return;
    }
    ++s->solid_count;
    tlw_studio_mesh* glass = add_mesh(s);
    if (glass) {
        *glass = (tlw_studio_mesh){.look = TLW_LOOK_GLASS,
                                   .vertex_count = mesh->vertex_count,
                                   .index_count = mesh->index_count,
                                   .positions = mesh->positions,
                                   .normals = mesh->normals,
                                   .colour = solid->colour,
                                   .opacity = opacity,
                                   .is_inside = is_inside,
                                   .indices = mesh->indices};
    }
}

static void add_limbs(const tlw_view_character* c, sheet* s) {
    for (uint32_t i = 0; i < c->model->actor.info.limb_count; ++i) {
        tlw_solids one = {0};
        tlw_limb limb;
        if (tlw_character_get_limb(c->motion->world, c->motion->id, i, &limb) == TLW_OK &&
            tlw_solids_add_limb(&one, &limb, limb_colour)) {
            add_solid(s, &one.list[0], 0.22f, true);
        }
    }
}

static void add_plane(const tlw_view_app* app, const tlw_view_thing* plane, sheet* s) {
    static const uint32_t indices[6] = {0, 2, 1, 1, 2, 3};
    tlw_studio_mesh* mesh = add_mesh(s);
    for (size_t i = 0; i < 4 && mesh; ++i) {
        const float reach = PLANE_REACH * app->size;
        const float place[3] = {app->centre[0] + (i & 1 ? reach : -reach),
                                (float)plane->position[1],
                                app->centre[1] + (i & 2 ? reach : -reach)};
        memcpy(s->plane + i * 3, place, sizeof place);
        s->plane_normals[i * 3] = s->plane_normals[i * 3 + 2] = 0.0f;
        s->plane_normals[i * 3 + 1] = 1.0f;
    }
    if (mesh) {
        *mesh = (tlw_studio_mesh){.look = TLW_LOOK_GLASS,
                                  .vertex_count = 4,
                                  .index_count = 6,
                                  .positions = s->plane,
                                  .normals = s->plane_normals,
                                  .colour = thing_colour,
                                  .opacity = 0.35f,
                                  .indices = indices,
                                  .indices_stamp = 1};
    }
}

static void add_things(const tlw_view_app* app, const tlw_view_pane* pane,
                       const tlw_view_character* c, sheet* s) {
    for (uint32_t kind = 0; kind < TLW_VIEW_COLLIDERS; ++kind) {
        const tlw_view_thing* thing = &app->hands.things[kind];
        tlw_solids one = {0};
        if (!thing->is_there) {
            continue;
        }
        if (kind == TLW_VIEW_PLANE) {
            add_plane(app, thing, s);
        } else if (tlw_solids_add_collider(&one, c->motion->world, thing->ids[pane->side],
                                           thing_colour)) {
            add_solid(s, &one.list[0], 0.6f, false);
        }
    }
}

// ---- The picture

// Makes the letters for a scale of the text. When memory runs out, no words are drawn.
static const tlw_letters* letters_of(tlw_view_picture* picture, float scale) {
    const uint32_t pixels = (uint32_t)(LETTER_POINTS * scale + 0.5f);
    if (picture->letters == NULL || picture->letter_pixels != pixels) {
        tlw_letters_free(picture->letters);
        picture->letters = tlw_letters_create(pixels, false);
        picture->letter_pixels = pixels;
    }
    return picture->letters;
}

static void make_sheet(const tlw_view_app* app, const tlw_view_pane* pane, float scale, sheet* s) {
    const tlw_view_character* c = &app->sides[pane->side].character;
    free_solids(s);
    s->mesh_count = 0;
    if (pane->is_skinning || !app->shown.has_voxels || !add_voxels(app, c, s)) {
        add_surface(app, pane, c, s);
    }
    if (app->shown.has_ghost && !pane->is_skinning) {
        add_ghost(c, s);
    }
    if (app->shown.has_limbs) {
        add_limbs(c, s);
    }
    add_things(app, pane, c, s);
    add_region(app, pane, c, s);
    tlw_overlay_clear(&s->overlay);
    tlw_view_mark(app, pane, scale, &s->overlay);
}

// Colours by volume, the marks of a picked voxel and the normals of skinning alone read them.
static bool needs_voxels(const tlw_view_app* app) {
    return app->shown.colour == TLW_VIEW_COLOUR_VOLUME || app->probe.is_there ||
           app->shown.has_skinning;
}

void tlw_view_draw(tlw_view_app* app, tlw_view_picture* picture, tlw_studio* studio,
                   tlw_view_area whole, float scale, bool is_for_window) {
    tlw_view_pane panes[TLW_VIEW_PANES_MAX];
    tlw_studio_view views[TLW_VIEW_PANES_MAX];
    const uint32_t count = tlw_view_panes(app, whole, panes);
    for (uint32_t i = 0; i < app->side_count; ++i) {
        if (app->sides[i].has_character && needs_voxels(app)) {
            tlw_view_character_read(&app->sides[i].character);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        sheet* s = &picture->sheets[i];
        s->overlay.letters = letters_of(picture, scale);
        make_sheet(app, &panes[i], scale, s);
        views[i] = (tlw_studio_view){.area = panes[i].area,
                                     .camera = &app->camera,
                                     .light_yaw_degrees = app->options->camera.yaw_degrees,
                                     .centre = {app->centre[0], app->ground, app->centre[1]},
                                     .size = app->size,
                                     .meshes = s->meshes,
                                     .mesh_count = s->mesh_count,
                                     .overlay = &s->overlay};
    }
    if (is_for_window) {
        tlw_studio_show(studio, views, count);
    } else {
        tlw_studio_draw(studio, views, count);
    }
}
