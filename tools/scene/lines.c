// SPDX-License-Identifier: MIT
// Copies action lines of muscles from a world and draws them.
#include "tools/scene/lines.h"

#include <math.h>
#include <stdlib.h>

#define FULL_COLOUR 0.3f // difference of an elongation from 1 at which a line is wholly coloured
#define DOT         2.0f // pixels
#define WIDTH       1.1f

static const tlw_rgb at_rest = {0.97f, 0.97f, 0.93f}, shortened = {0.90f, 0.10f, 0.12f},
                     stretched = {0.10f, 0.35f, 0.95f};

static void copy_line(tlw_line* line, const tlw_scene* scene, uint32_t muscle) {
    const tlw_character_id id = scene->characters[0].id;
    double places[TLW_BLOB_LINE_VERTICES][3];
    tlw_muscle state;
    if (tlw_character_get_muscle(scene->world, id, muscle, &state) != TLW_OK ||
        tlw_character_get_line(scene->world, id, muscle, places, state.vertex_count) != TLW_OK) {
        return; // not the case for a muscle of the scene's own blob
    }
    line->vertex_count = state.vertex_count;
    line->elongation = state.elongation;
    for (uint32_t v = 0; v < state.vertex_count; ++v) {
        for (int axis = 0; axis < 3; ++axis) {
            line->places[v][axis] = (float)places[v][axis];
        }
    }
}

bool tlw_lines_copy(tlw_lines* lines, const tlw_scene* scene) {
    const uint32_t count = scene->def.actor->info.muscle_count;
    *lines = (tlw_lines){0};
    if (count == 0) {
        return true;
    }
    lines->list = calloc(count, sizeof *lines->list);
    if (lines->list == NULL) {
        return false;
    }
    lines->count = count;
    for (uint32_t m = 0; m < count; ++m) {
        copy_line(&lines->list[m], scene, m);
    }
    return true;
}

void tlw_lines_free(tlw_lines* lines) {
    free(lines->list);
    *lines = (tlw_lines){0};
}

tlw_rgb tlw_elongation_colour(float elongation) {
    const tlw_rgb end = elongation < 1.0f ? shortened : stretched;
    const float share = fminf(fabsf(elongation - 1.0f) / FULL_COLOUR, 1.0f);
    return (tlw_rgb){at_rest.r + share * (end.r - at_rest.r),
                     at_rest.g + share * (end.g - at_rest.g),
                     at_rest.b + share * (end.b - at_rest.b)};
}

tlw_rgb tlw_line_colour(const tlw_line* line) {
    return tlw_elongation_colour(line->elongation);
}

// A disc of every half pixel of the way; nothing outside the area.
static void draw_segment(tlw_picture* picture, tlw_render_area area, const float from[2],
                         const float to[2], tlw_rgb colour) {
    const float dx = to[0] - from[0], dy = to[1] - from[1];
    const float steps = ceilf(2.0f * sqrtf(dx * dx + dy * dy));
    for (float i = 0.0f; i <= steps && steps < 4.0f * (float)TLW_PICTURE_SIDE_MAX; i += 1.0f) {
        const float share = steps > 0.0f ? i / steps : 0.0f;
        const float x = from[0] + share * dx, y = from[1] + share * dy;
        if (x >= (float)area.x && x < (float)(area.x + area.width) && y >= (float)area.y &&
            y < (float)(area.y + area.height)) {
            tlw_picture_disc(picture, x, y, i == 0.0f || i == steps ? DOT : WIDTH, colour, 1.0f);
        }
    }
}

void tlw_lines_draw(const tlw_lines* lines, const tlw_render_camera* camera, tlw_picture* picture,
                    tlw_render_area area) {
    for (uint32_t m = 0; m < lines->count; ++m) {
        const tlw_line* line = &lines->list[m];
        const tlw_rgb colour = tlw_line_colour(line);
        for (uint32_t v = 0; v + 1 < line->vertex_count; ++v) {
            float from[2], to[2];
            if (tlw_render_project(area, camera, line->places[v], &from[0], &from[1]) &&
                tlw_render_project(area, camera, line->places[v + 1], &to[0], &to[1])) {
                draw_segment(picture, area, from, to, colour);
            }
        }
    }
}
