// SPDX-License-Identifier: MIT
// Keeps shots of a scene, then draws them as cells of a contact sheet.
#include "tools/scene/film.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const tlw_rgb clay = {0.80f, 0.74f, 0.68f}, ghost = {0.74f, 0.84f, 1.00f};

typedef struct tlw_film_shot {
    double seconds;
    const char* note;
    float centre[3];                      // the camera follows it
    float *positions, *normals, *skinned; // 3 per vertex
    float* deviation;                     // length in metres, one per vertex
    tlw_solids solids;
    tlw_lines lines;
} tlw_film_shot;

bool tlw_film_create(tlw_film* film, const tlw_actor* actor, uint32_t shot_capacity) {
    *film = (tlw_film){.actor = actor, .shot_capacity = shot_capacity};
    film->shots = calloc((size_t)shot_capacity + 1, sizeof *film->shots);
    return film->shots != NULL;
}

static void free_shot(tlw_film_shot* shot) {
    free(shot->positions);
    free(shot->normals);
    free(shot->skinned);
    free(shot->deviation);
    tlw_lines_free(&shot->lines);
    *shot = (tlw_film_shot){0};
}

void tlw_film_free(tlw_film* film) {
    for (uint32_t i = 0; i < film->shot_count; ++i) {
        free_shot(&film->shots[i]);
    }
    free(film->shots);
    *film = (tlw_film){0};
}

bool tlw_film_shoot(tlw_film* film, const tlw_scene* scene) {
    if (film->shot_count == film->shot_capacity) {
        return false;
    }
    const uint32_t count = film->actor->info.vertex_count;
    const size_t bytes = (size_t)count * 3 * sizeof(float);
    const tlw_scene_character* c = &scene->characters[0];
    tlw_film_shot shot = {.seconds = scene->seconds,
                          .note = film->note,
                          .positions = malloc(bytes + 1),
                          .normals = malloc(bytes + 1),
                          .skinned = malloc(bytes + 1),
                          .deviation = malloc(bytes + 1)};
    if (!shot.positions || !shot.normals || !shot.skinned || !shot.deviation ||
        (film->has_lines && !tlw_lines_copy(&shot.lines, scene))) {
        free_shot(&shot);
        return false;
    }
    if (film->solids) {
        shot.solids = *film->solids;
    }
    memcpy(shot.positions, c->positions, bytes);
    memcpy(shot.normals, c->normals, bytes);
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (uint32_t v = 0; v < count; ++v) {
        float squared = 0.0f;
        for (size_t at = (size_t)v * 3, axis = 0; axis < 3; ++at, ++axis) {
            shot.skinned[at] = c->positions[at] - c->deltas[at];
            squared += c->deltas[at] * c->deltas[at];
            low[axis] = fminf(low[axis], shot.skinned[at]);
            high[axis] = fmaxf(high[axis], shot.skinned[at]);
        }
        shot.deviation[v] = sqrtf(squared);
    }
    for (int axis = 0; axis < 3 && count > 0; ++axis) {
        shot.centre[axis] = axis == 1 ? 0.0f : 0.5f * (low[axis] + high[axis]);
    }
    film->shots[film->shot_count++] = shot;
    return true;
}

float tlw_film_farthest(const tlw_film* film) {
    float farthest = 0.0f;
    for (uint32_t i = 0; i < film->shot_count; ++i) {
        for (uint32_t v = 0; v < film->actor->info.vertex_count; ++v) {
            farthest = fmaxf(farthest, film->shots[i].deviation[v]);
        }
    }
    return farthest;
}

static bool is_fitted(const tlw_film* film, const float* skinned) {
    bool is_inside = true, has_box = false;
    for (int axis = 0; axis < 3; ++axis) {
        has_box = has_box || film->fits_low[axis] != film->fits_high[axis];
        is_inside = is_inside && film->fits_low[axis] <= skinned[axis] &&
                    skinned[axis] <= film->fits_high[axis];
    }
    return is_inside || !has_box;
}

// The vertices of all shots that a camera fits, simulated and skinned, each shot moved so that its
// centre is the origin. Null if out of memory. *lowest is the y of the lowest skinned vertex.
static float* gather_points(const tlw_film* film, uint32_t first, uint32_t count,
                            uint32_t* point_count, float* lowest) {
    const size_t vertices = film->actor->info.vertex_count;
    float* points = malloc((vertices * count * 2 + 1) * 3 * sizeof *points);
    if (points == NULL) {
        return NULL;
    }
    float* out = points;
    *lowest = FLT_MAX;
    for (uint32_t i = first; i < first + count; ++i) {
        const tlw_film_shot* shot = &film->shots[i];
        for (size_t v = 0; v < vertices; ++v) {
            *lowest = fminf(*lowest, shot->skinned[v * 3 + 1]);
            if (!is_fitted(film, shot->skinned + v * 3)) {
                continue;
            }
            for (size_t axis = 0; axis < 3; ++axis) {
                out[axis] = shot->positions[v * 3 + axis] - shot->centre[axis];
                out[3 + axis] = shot->skinned[v * 3 + axis] - shot->centre[axis];
            }
            out += 6;
        }
    }
    *point_count = (uint32_t)((out - points) / 3);
    return points;
}

static tlw_render_camera camera_at(float yaw_degrees) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = yaw_degrees;
    return camera;
}

// One camera that fits all shots, with a margin of 10%.
static bool fit_camera(const tlw_film* film, uint32_t first, uint32_t count, float aspect,
                       tlw_render_camera* camera) {
    uint32_t point_count;
    float* points = gather_points(film, first, count, &point_count, &camera->ground);
    if (points == NULL) {
        return false;
    }
    tlw_render_fit(camera, points, point_count, aspect);
    camera->height *= 1.10f;
    camera->has_ground = true;
    free(points);
    return true;
}

float tlw_film_aspect(const tlw_film* film, float yaw_degrees) {
    uint32_t point_count;
    float lowest;
    const tlw_render_camera camera = camera_at(yaw_degrees);
    float* points = gather_points(film, 0, film->shot_count, &point_count, &lowest);
    const float aspect = points ? tlw_render_aspect(&camera, points, point_count) : 1.0f;
    free(points);
    return aspect;
}

// A blob without normals has zeros in their place. Then the normals of the triangles are used.
static bool has_normals(const tlw_actor* actor) {
    const tlw_vertex* vertices = tlw_actor_vertices(actor);
    for (uint32_t v = 0; v < actor->info.vertex_count; ++v) {
        const float* n = vertices[v].normal;
        if (n[0] != 0.0f || n[1] != 0.0f || n[2] != 0.0f) {
            return true;
        }
    }
    return false;
}

// Memory and settings for drawing one shot after the other.
typedef struct drawing {
    const tlw_film* film;
    float *rest, *rest_normals; // 3 per vertex
    float *normals, *heat;      // of the current shot: 3 and 1 per vertex
    const uint32_t* indices;
    uint32_t index_count;
    bool has_normals;
    tlw_sheet* sheet;
} drawing;

static bool draw_shot(const drawing* d, const tlw_film_shot* shot, const tlw_render_camera* camera,
                      float hot, uint32_t column, uint32_t row) {
    const uint32_t count = d->film->actor->info.vertex_count;
    tlw_render_camera moved = *camera;
    for (int axis = 0; axis < 3; ++axis) {
        moved.target[axis] += shot->centre[axis];
    }
    for (uint32_t v = 0; v < count; ++v) {
        d->heat[v] = hot > 0.0f ? shot->deviation[v] / hot : 0.0f;
    }
    // The runtime only writes normals of the simulated mesh. Those of skinning are computed below.
    tlw_render_mesh skinned = {.vertex_count = count,
                               .index_count = d->index_count,
                               .positions = shot->skinned,
                               .normals = d->has_normals ? d->normals : NULL,
                               .indices = d->indices,
                               .colour = clay};
    tlw_render_mesh soft = skinned;
    soft.positions = shot->positions;
    soft.normals = d->has_normals ? shot->normals : NULL;
    soft.heat = d->heat;
    char caption[64];
    snprintf(caption, sizeof caption, "%.2f s%s%s", shot->seconds, shot->note ? ", " : "",
             shot->note ? shot->note : "");
    tlw_sheet_caption(d->sheet, column, row + 1, caption);
    tlw_picture* picture = &d->sheet->picture;
    const tlw_render_area lower = tlw_sheet_cell(d->sheet, column, row + 1);
    if (!tlw_render_normals(d->rest, d->has_normals ? d->rest_normals : NULL, shot->skinned, count,
                            d->indices, d->index_count, d->normals) ||
        !tlw_render_draw(picture, tlw_sheet_cell(d->sheet, column, row), &moved, &skinned) ||
        !tlw_solids_draw(&shot->solids, &soft, &moved, picture, lower) ||
        !tlw_render_outline(picture, lower, &moved, &skinned, ghost, 1.0f)) {
        return false;
    }
    tlw_lines_draw(&shot->lines, &moved, picture, lower);
    return true;
}

bool tlw_film_draw(const tlw_film* film, uint32_t first, uint32_t count, float yaw_degrees,
                   float hot, tlw_sheet* sheet, uint32_t row) {
    if (first > film->shot_count || count > film->shot_count - first) {
        return false;
    }
    const tlw_actor* actor = film->actor;
    const uint32_t vertices = actor->info.vertex_count;
    uint64_t index_count;
    const uint32_t* indices = tlw_actor_indices(actor, &index_count);
    drawing d = {.film = film,
                 .rest = malloc((size_t)vertices * 3 * sizeof(float) + 1),
                 .rest_normals = malloc((size_t)vertices * 3 * sizeof(float) + 1),
                 .normals = malloc((size_t)vertices * 3 * sizeof(float) + 1),
                 .heat = malloc((size_t)vertices * sizeof(float) + 1),
                 .indices = indices,
                 .index_count = (uint32_t)index_count,
                 .has_normals = has_normals(actor),
                 .sheet = sheet};
    tlw_render_camera camera = camera_at(yaw_degrees);
    const float aspect = (float)sheet->def.cell_width / (float)sheet->def.cell_height;
    bool is_good = d.rest && d.rest_normals && d.normals && d.heat &&
                   fit_camera(film, first, count, aspect, &camera);
    for (uint32_t v = 0; is_good && v < vertices; ++v) {
        const tlw_vertex* vertex = &tlw_actor_vertices(actor)[v];
        memcpy(d.rest + (size_t)v * 3, vertex->position, sizeof vertex->position);
        memcpy(d.rest_normals + (size_t)v * 3, vertex->normal, sizeof vertex->normal);
    }
    for (uint32_t i = 0; i < count && is_good; ++i) {
        is_good = draw_shot(&d, &film->shots[first + i], &camera, hot, i, row);
    }
    free(d.rest);
    free(d.rest_normals);
    free(d.normals);
    free(d.heat);
    return is_good;
}

void tlw_film_legend(tlw_sheet* sheet, float hot) {
    char high[64];
    snprintf(high, sizeof high, "%.3g %s off the skinned place; the line is skinning alone",
             hot < 1.0f ? (double)hot * 1e3 : (double)hot, hot < 1.0f ? "mm" : "m");
    tlw_sheet_heat_legend(sheet, clay, "0", high);
}
