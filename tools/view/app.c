// SPDX-License-Identifier: MIT
// The character of tallow-view: its scene, what the camera follows, colours by deviation, the pull
// of the mouse, and what is written over the picture.
#include "tools/view/app.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLLOW_SECONDS 0.25  // in which the camera makes up for two thirds of a movement
#define PULL_RADIUS    0.07f // in sizes of the character
#define PULL_HZ        10.0f
#define RAMP_COLOURS   256

static const tlw_rgb clay = {0.80f, 0.74f, 0.68f}, ink = {0.88f, 0.90f, 0.94f},
                     faint_ink = {0.60f, 0.65f, 0.73f}, pull_colour = {0.30f, 0.80f, 1.00f};

// ---- Opening

static tlw_exit_code fail_memory(const tlw_view_app* app) {
    return tlw_command_fail(&tlw_view_command, TLW_EXIT_CANNOT_READ,
                            "cannot read '%s': out of memory", app->options->file);
}

static tlw_exit_code make_room(tlw_view_app* app) {
    const size_t count = app->actor.info.vertex_count;
    float** const rows[] = {&app->skinned, &app->own, &app->rest, &app->rest_normals};
    for (size_t i = 0; i < TLW_COUNT_OF(rows); ++i) {
        *rows[i] = malloc((count * 3 + 1) * sizeof(float));
    }
    app->deviation = malloc((count + 1) * sizeof(float));
    app->colours = malloc((count + 1) * 4);
    if (!app->skinned || !app->own || !app->rest || !app->rest_normals || !app->deviation ||
        !app->colours) {
        return fail_memory(app);
    }
    const tlw_vertex* vertices = tlw_actor_vertices(&app->actor);
    bool has_normals = false;
    for (size_t v = 0; v < count; ++v) {
        const float* n = vertices[v].normal;
        memcpy(app->rest + v * 3, vertices[v].position, 3 * sizeof(float));
        memcpy(app->rest_normals + v * 3, n, 3 * sizeof(float));
        has_normals = has_normals || n[0] != 0.0f || n[1] != 0.0f || n[2] != 0.0f;
    }
    if (has_normals) { // then the runtime writes them
        free(app->own);
        app->own = NULL;
    }
    return TLW_EXIT_OK;
}

static tlw_exit_code open_scene(tlw_view_app* app) {
    const tlw_view_options* o = app->options;
    tlw_scene_error error;
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = &app->actor;
    def.clip = o->motion[0] ? o->motion_clip : o->file_clip;
    def.drag_capacity = 1;
    def.has_positions = def.has_normals = def.has_deltas = true;
    if (tlw_scene_open(&def, &app->scene, &error) != TLW_SCENE_OK) {
        return tlw_command_fail(&tlw_view_command, tlw_scene_exit_code(error.code), "%s",
                                error.message);
    }
    return TLW_EXIT_OK;
}

// Stands the camera so that the character at the start fits.
static void frame_character(tlw_view_app* app) {
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (size_t at = 0; at < (size_t)app->actor.info.vertex_count * 3; ++at) {
        low[at % 3] = fminf(low[at % 3], app->skinned[at]);
        high[at % 3] = fmaxf(high[at % 3], app->skinned[at]);
    }
    float squared = 0.0f;
    for (int i = 0; i < 3; ++i) {
        squared += (high[i] - low[i]) * (high[i] - low[i]);
    }
    app->ground = low[1];
    app->size = fmaxf(sqrtf(squared), 1e-3f);
    app->camera = app->options->camera;
    app->camera.target[0] = app->centre[0];
    app->camera.target[1] = low[1] + 0.50f * (high[1] - low[1]);
    app->camera.target[2] = app->centre[1];
    if (!app->options->has_camera) {
        app->camera.distance = tlw_view_camera_fit(0.5f * app->size, app->options->size.width,
                                                   app->options->size.height, 0.95f);
    }
}

tlw_exit_code tlw_view_open(tlw_view_app* app, const tlw_view_options* options) {
    *app = (tlw_view_app){.options = options, .shown = options->shown};
    uint64_t index_count = 0;
    tlw_exit_code code = tlw_view_load(options, &app->actor);
    if (code != TLW_EXIT_OK) {
        return code;
    }
    (void)tlw_actor_indices(&app->actor, &index_count);
    if (index_count == 0) {
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_BAD_ASSET,
                                "'%s' has no triangles to draw", options->file);
    }
    code = open_scene(app);
    if (code == TLW_EXIT_OK) {
        code = make_room(app);
    }
    if (code == TLW_EXIT_OK) {
        tlw_view_start(app);
        frame_character(app);
    }
    return code;
}

void tlw_view_close(tlw_view_app* app) {
    tlw_scene_close(app->scene);
    tlw_actor_free(&app->actor);
    tlw_lines_free(&app->lines);
    tlw_overlay_free(&app->overlay);
    free(app->skinned);
    free(app->own);
    free(app->deviation);
    free(app->colours);
    free(app->rest);
    free(app->rest_normals);
    *app = (tlw_view_app){0};
}

// ---- Motion

// The next of 1, 2 and 5 times a power of ten metres that is not below the largest deviation.
static float round_up(float metres) {
    float step = 1e-3f;
    for (int i = 1; step < metres && i < 20; ++i) {
        step *= i % 3 == 2 ? 2.5f : 2.0f;
    }
    return step;
}

// Reads what the last step wrote. Returns the middle of the skinned character in `middle`.
static void take_output(tlw_view_app* app, float middle[2]) {
    const tlw_scene_character* c = &app->scene->characters[0];
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (size_t v = 0; v < app->actor.info.vertex_count; ++v) {
        float squared = 0.0f;
        for (size_t axis = 0, at = v * 3; axis < 3; ++axis, ++at) {
            app->skinned[at] = c->positions[at] - c->deltas[at];
            squared += c->deltas[at] * c->deltas[at];
            low[axis] = fminf(low[axis], app->skinned[at]);
            high[axis] = fmaxf(high[axis], app->skinned[at]);
        }
        app->deviation[v] = sqrtf(squared);
        app->farthest = fmaxf(app->farthest, app->deviation[v]);
    }
    app->hot = round_up(app->farthest);
    middle[0] = 0.5f * (low[0] + high[0]);
    middle[1] = 0.5f * (low[2] + high[2]);
}

void tlw_view_start(tlw_view_app* app) {
    float middle[2];
    app->farthest = 0.0f;
    tlw_view_let_go(app);
    tlw_scene_start(app->scene);
    take_output(app, middle);
    for (int i = 0; i < 2; ++i) {
        app->camera.target[i * 2] += middle[i] - app->centre[i];
        app->centre[i] = middle[i];
    }
}

void tlw_view_advance(tlw_view_app* app, double seconds) {
    float middle[2];
    tlw_scene_advance(app->scene, seconds);
    take_output(app, middle);
    const float share = (float)(1.0 - exp(-seconds / FOLLOW_SECONDS));
    for (int i = 0; i < 2; ++i) {
        const float way = share * (middle[i] - app->centre[i]);
        app->camera.target[i * 2] += way;
        app->centre[i] += way;
    }
}

void tlw_view_change_clip(tlw_view_app* app, int by) {
    tlw_scene* scene = app->scene;
    if (scene->clip != TLW_ASSET_NONE) {
        const uint32_t count = app->actor.asset->clip_count;
        scene->clip = (scene->clip + count + (uint32_t)(by % (int)count)) % count;
        tlw_view_start(app);
    }
}

// ---- Pulling tissue

// Where the ray through a pixel meets the plane through a place, parallel to the picture.
static void place_on_plane(const tlw_view_app* app, tlw_view_size size, const float pixel[2],
                           const double through[3], double out[3]) {
    double origin[3];
    float direction[3];
    const tlw_view_axes axes = tlw_view_camera_axes(&app->camera);
    tlw_view_camera_ray(&app->camera, size.width, size.height, pixel, origin, direction);
    double way = 0.0, pace = 0.0;
    for (int i = 0; i < 3; ++i) {
        way += (through[i] - origin[i]) * (double)axes.back[i];
        pace += (double)(direction[i] * axes.back[i]);
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = origin[i] + (double)direction[i] * way / pace;
    }
}

bool tlw_view_grab(tlw_view_app* app, tlw_view_size size, const float pixel[2]) {
    const tlw_scene* scene = app->scene;
    double origin[3];
    float direction[3];
    tlw_pick pick;
    tlw_view_camera_ray(&app->camera, size.width, size.height, pixel, origin, direction);
    if (tlw_character_pick(scene->world, scene->characters[0].id, origin, direction, &pick) !=
        TLW_OK) {
        return false;
    }
    app->drag = (tlw_drag){.voxel = pick.voxel, .radius = PULL_RADIUS * app->size, .hz = PULL_HZ};
    memcpy(app->drag.target, pick.position, sizeof pick.position);
    app->is_pulling = true;
    tlw_view_pull(app, size, pixel);
    return app->is_pulling;
}

void tlw_view_pull(tlw_view_app* app, tlw_view_size size, const float pixel[2]) {
    const tlw_scene* scene = app->scene;
    if (app->is_pulling) {
        place_on_plane(app, size, pixel, app->drag.target, app->drag.target);
        app->is_pulling =
            tlw_character_set_drag(scene->world, scene->characters[0].id, 0, &app->drag) == TLW_OK;
    }
}

void tlw_view_let_go(tlw_view_app* app) {
    if (app->is_pulling) {
        const tlw_scene* scene = app->scene;
        TLW_IGNORE(tlw_character_end_drag(scene->world, scene->characters[0].id, 0));
        app->is_pulling = false;
    }
}

// ---- Over the picture

static void add_muscles(tlw_view_app* app, tlw_view_size size, float scale) {
    tlw_lines_free(&app->lines);
    if (!app->shown.has_muscles || !tlw_lines_copy(&app->lines, app->scene)) {
        return;
    }
    for (uint32_t m = 0; m < app->lines.count; ++m) {
        const tlw_line* line = &app->lines.list[m];
        const tlw_rgb colour = tlw_line_colour(line);
        float last[2] = {0.0f, 0.0f};
        for (uint32_t v = 0; v < line->vertex_count; ++v) {
            float at[2];
            if (!tlw_view_camera_project(&app->camera, size.width, size.height, line->places[v],
                                         at)) {
                break;
            }
            if (v > 0) {
                tlw_overlay_line(&app->overlay, last, at, 1.3f * scale, colour, 0.9f);
            }
            tlw_overlay_disc(&app->overlay, at, 1.4f * scale, colour, 1.0f);
            memcpy(last, at, sizeof last);
        }
    }
}

static void add_pull(tlw_view_app* app, tlw_view_size size, float scale) {
    const tlw_scene* scene = app->scene;
    tlw_voxel_state voxel;
    if (!app->is_pulling || tlw_character_get_voxel(scene->world, scene->characters[0].id,
                                                    app->drag.voxel, &voxel) != TLW_OK) {
        return;
    }
    float from[3], to[3], from_pixel[2], to_pixel[2];
    for (int i = 0; i < 3; ++i) {
        from[i] = voxel.position[i] * (float)app->actor.info.voxel_metres;
        to[i] = (float)app->drag.target[i];
    }
    if (tlw_view_camera_project(&app->camera, size.width, size.height, from, from_pixel) &&
        tlw_view_camera_project(&app->camera, size.width, size.height, to, to_pixel)) {
        tlw_overlay_line(&app->overlay, from_pixel, to_pixel, 1.5f * scale, pull_colour, 0.9f);
        tlw_overlay_disc(&app->overlay, from_pixel, 2.0f * scale, pull_colour, 1.0f);
        tlw_overlay_disc(&app->overlay, to_pixel, 3.5f * scale, pull_colour, 1.0f);
    }
}

static void add_legend(tlw_view_app* app, tlw_view_size size, float scale) {
    const float margin = 12.0f * scale, width = 110.0f * scale, bar = 8.0f * scale;
    const float y = (float)size.height - margin - bar;
    const int steps = 64;
    char high[96];
    snprintf(high, sizeof high, "%.0f mm off the skinned place", (double)app->hot * 1e3);
    if (app->shown.has_deviation) {
        float x = margin;
        tlw_overlay_label(&app->overlay, x, y, scale, "0", faint_ink);
        x += tlw_overlay_label_width(scale, "0") + 6.0f * scale;
        for (int i = 0; i < steps; ++i) {
            tlw_overlay_fill(&app->overlay, x + width * (float)i / (float)steps, y - scale,
                             width / (float)steps, bar,
                             tlw_render_heat_colour(clay, ((float)i + 0.5f) / (float)steps), 1.0f);
        }
        tlw_overlay_label(&app->overlay, x + width + 6.0f * scale, y, scale, high, faint_ink);
    }
    if (app->shown.has_ghost) {
        const float above = app->shown.has_deviation ? 14.0f * scale : 0.0f;
        tlw_overlay_label(&app->overlay, margin, y - above, scale, "blue shell: skinning alone",
                          faint_ink);
    }
}

static void add_title(tlw_view_app* app, float scale) {
    const float margin = 12.0f * scale;
    char text[160];
    snprintf(text, sizeof text, "%s: %s, %.2f s", app->actor.name,
             tlw_actor_clip_name(&app->actor, app->scene->clip), app->scene->seconds);
    tlw_overlay_label(&app->overlay, margin, margin, scale, text, ink);
}

static void add_overlay(tlw_view_app* app, tlw_view_size size) {
    const uint32_t shorter = size.width < size.height ? size.width : size.height;
    const float scale = shorter < 600 ? 1.0f : shorter < 1080 ? 2.0f : 3.0f;
    tlw_overlay_clear(&app->overlay);
    add_muscles(app, size, scale);
    add_pull(app, size, scale);
    add_title(app, scale);
    add_legend(app, size, scale);
}

// ---- Drawing

static void set_colours(tlw_view_app* app) {
    uint8_t ramp[RAMP_COLOURS][4];
    for (int i = 0; i < RAMP_COLOURS; ++i) {
        const tlw_rgb c = tlw_render_heat_colour(clay, (float)i / (RAMP_COLOURS - 1));
        const float channels[4] = {c.r, c.g, c.b, 1.0f};
        for (int k = 0; k < 4; ++k) {
            ramp[i][k] = (uint8_t)(channels[k] * 255.0f + 0.5f);
        }
    }
    for (uint32_t v = 0; v < app->actor.info.vertex_count; ++v) {
        const float share = fminf(app->deviation[v] / app->hot, 1.0f);
        memcpy(app->colours + (size_t)v * 4, ramp[(int)(share * (RAMP_COLOURS - 1) + 0.5f)], 4);
    }
}

void tlw_view_draw(tlw_view_app* app, tlw_studio* studio, tlw_view_size size) {
    const tlw_scene_character* c = &app->scene->characters[0];
    const uint32_t count = app->actor.info.vertex_count;
    uint64_t index_count;
    const uint32_t* indices = tlw_actor_indices(&app->actor, &index_count);
    if (app->own && !tlw_render_normals(app->rest, NULL, c->positions, count, indices,
                                        (uint32_t)index_count, app->own)) {
        return; // out of memory: the picture stays as it was
    }
    add_overlay(app, size);
    if (app->shown.has_deviation) {
        set_colours(app);
    }
    const tlw_studio_mesh body = {.look = TLW_LOOK_BODY,
                                  .vertex_count = count,
                                  .index_count = (uint32_t)index_count,
                                  .positions = c->positions,
                                  .normals = app->own ? app->own : c->normals,
                                  .colours = app->shown.has_deviation ? app->colours : NULL,
                                  .colour = clay,
                                  .indices = indices,
                                  .indices_stamp = 1};
    // The ghost is lit by the normals of the character, which are near enough for its edges.
    tlw_studio_mesh meshes[2] = {body, body};
    meshes[1].look = TLW_LOOK_GHOST;
    meshes[1].positions = app->skinned;
    const tlw_studio_view view = {.area = {.width = size.width, .height = size.height},
                                  .camera = &app->camera,
                                  .light_yaw_degrees = app->options->camera.yaw_degrees,
                                  .centre = {app->centre[0], app->ground, app->centre[1]},
                                  .size = app->size,
                                  .meshes = meshes,
                                  .mesh_count = app->shown.has_ghost ? 2 : 1,
                                  .overlay = &app->overlay};
    tlw_studio_draw(studio, &view, 1);
}
