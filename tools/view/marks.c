// SPDX-License-Identifier: MIT
// Reads the app and adds to an overlay. Nothing here keeps anything.
#include "tools/view/marks.h"

#include "runtime/lattice.h"
#include "tools/scene/lines.h"
#include "tools/view/colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN      10.0f // of words, in scales
#define LINE_HEIGHT 14.0f
#define BAR_WIDTH   110.0f
#define BAR_HEIGHT  8.0f

static const tlw_rgb ink = {0.88f, 0.90f, 0.94f}, faint_ink = {0.60f, 0.65f, 0.73f},
                     pull_colour = {0.30f, 0.80f, 1.00f}, bone_colour = {0.98f, 0.93f, 0.78f},
                     link_colour = {0.35f, 0.70f, 0.90f}, picked_colour = {1.00f, 0.85f, 0.20f};

// What the marks of a pane share.
typedef struct sheet {
    const tlw_view_app* app;
    const tlw_view_pane* pane;
    const tlw_view_character* character;
    float scale;
    tlw_overlay* overlay;
} sheet;

static bool project(const sheet* s, const float place[3], float pixel[2]) {
    const tlw_view_area* area = &s->pane->area;
    if (!tlw_view_camera_project(&s->app->camera, area->width, area->height, place, pixel)) {
        return false;
    }
    pixel[0] += (float)area->x;
    pixel[1] += (float)area->y;
    return true;
}

static void dot(const sheet* s, const float place[3], float radius, tlw_rgb colour) {
    float at[2];
    if (project(s, place, at)) {
        tlw_overlay_disc(s->overlay, at, radius * s->scale, colour, 1.0f);
    }
}

static void line(const sheet* s, const float from[3], const float to[3], float width,
                 tlw_rgb colour, float share) {
    float a[2], b[2];
    if (project(s, from, a) && project(s, to, b)) {
        tlw_overlay_line(s->overlay, a, b, width * s->scale, colour, share);
    }
}

// ---- The character

static void add_muscles(const sheet* s) {
    const tlw_motion* motion = s->character->motion;
    for (uint32_t m = 0; m < s->character->model->actor.info.muscle_count; ++m) {
        double places[TLW_BLOB_LINE_VERTICES][3];
        float last[3] = {0.0f, 0.0f, 0.0f};
        tlw_muscle muscle;
        if (tlw_character_get_muscle(motion->world, motion->id, m, &muscle) != TLW_OK ||
            tlw_character_get_line(motion->world, motion->id, m, places, muscle.vertex_count) !=
                TLW_OK) {
            continue;
        }
        const tlw_rgb colour = tlw_elongation_colour(muscle.elongation);
        for (uint32_t v = 0; v < muscle.vertex_count; ++v) {
            const float at[3] = {(float)places[v][0], (float)places[v][1], (float)places[v][2]};
            if (v > 0) {
                line(s, last, at, 1.3f, colour, 0.9f);
            }
            dot(s, at, 1.4f, colour);
            memcpy(last, at, sizeof last);
        }
    }
}

static void add_skeleton(const sheet* s) {
    const tlw_motion* motion = s->character->motion;
    const tlw_blob_info* info = &s->character->model->actor.info;
    float(*joints)[16] = malloc((size_t)info->joint_count * sizeof *joints);
    if (joints == NULL ||
        tlw_character_get_joints(motion->world, motion->id, joints, info->joint_count) != TLW_OK) {
        free(joints);
        return; // a picture without it
    }
    for (uint32_t j = 0; j < info->joint_count; ++j) {
        for (int axis = 0; axis < 3; ++axis) {
            joints[j][12 + axis] += (float)motion->root.position[axis];
        }
    }
    for (uint32_t j = 0; j < info->joint_count; ++j) {
        tlw_joint_info joint;
        if (tlw_blob_get_joint(&s->character->model->actor.blob, j, &joint) == TLW_OK) {
            if (joint.parent != TLW_NO_INDEX) {
                line(s, joints[joint.parent] + 12, joints[j] + 12, 1.2f, bone_colour, 0.8f);
            }
            dot(s, joints[j] + 12, joint.has_voxels ? 2.2f : 1.4f, bone_colour);
        }
    }
    free(joints);
}

static void add_pull(const sheet* s) {
    const tlw_view_hands* hands = &s->app->hands;
    float from[3], to[3];
    if (hands->is_pulling && hands->pulled == s->pane->side &&
        tlw_view_hands_pull(hands, from, to)) {
        line(s, from, to, 1.5f, pull_colour, 0.9f);
        dot(s, from, 2.0f, pull_colour);
        dot(s, to, 3.5f, pull_colour);
    }
}

// The region that is matched around the voxel has the same voxels as its links.
static void add_probe(const sheet* s) {
    const tlw_view_probe* probe = &s->app->probe;
    if (!probe->is_there || probe->side != s->pane->side) {
        return;
    }
    const uint32_t* around = s->character->motion->around + (size_t)probe->voxel * TLW_CELLS_AROUND;
    float centre[3], skinned[3];
    tlw_view_character_place(s->character, probe->voxel, false, centre);
    tlw_view_character_place(s->character, probe->voxel, true, skinned);
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        float place[3];
        if (around[cell] != TLW_NO_INDEX && cell != TLW_CELL_SELF) {
            tlw_view_character_place(s->character, around[cell], false, place);
            line(s, centre, place, 0.8f, link_colour, 0.6f);
            dot(s, place, 1.5f, link_colour);
        }
    }
    line(s, skinned, centre, 1.2f, picked_colour, 1.0f);
    dot(s, centre, 3.0f, picked_colour);
}

// ---- Words

static void word(const sheet* s, float x, float y, const char* text, tlw_rgb colour) {
    tlw_overlay_label(s->overlay, x, y, s->scale, text, colour);
}

static void add_bar(const sheet* s, const tlw_view_legend* legend, float x, float y) {
    const float width = BAR_WIDTH * s->scale / (float)TLW_COUNT_OF(legend->bar);
    char high[128];
    snprintf(high, sizeof high, "%s %s", legend->high, legend->meaning);
    word(s, x, y, legend->low, faint_ink);
    x += tlw_overlay_label_width(s->scale, legend->low) + 6.0f * s->scale;
    for (size_t i = 0; i < TLW_COUNT_OF(legend->bar); ++i) {
        tlw_overlay_fill(s->overlay, x + width * (float)i, y - s->scale, width,
                         BAR_HEIGHT * s->scale, legend->bar[i], 1.0f);
    }
    word(s, x + (BAR_WIDTH + 6.0f) * s->scale, y, high, faint_ink);
}

static void add_kinds(const sheet* s, const tlw_view_legend* legend, float x, float y) {
    const float right = (float)(s->pane->area.x + s->pane->area.width);
    for (uint32_t k = 0; k < legend->kind_count; ++k) {
        const float width = tlw_overlay_label_width(s->scale, legend->kinds[k]);
        if (x + width + 14.0f * s->scale > right) {
            return;
        }
        tlw_overlay_fill(s->overlay, x, y - s->scale, BAR_HEIGHT * s->scale, BAR_HEIGHT * s->scale,
                         legend->kind_colours[k], 1.0f);
        x += 12.0f * s->scale;
        word(s, x, y, legend->kinds[k], faint_ink);
        x += width + 10.0f * s->scale;
    }
}

static void add_legend(const sheet* s) {
    const tlw_view_area* area = &s->pane->area;
    const float x = (float)area->x + MARGIN * s->scale;
    float y = (float)(area->y + area->height) - (MARGIN + BAR_HEIGHT) * s->scale;
    const tlw_view_colour colour =
        s->app->shown.has_voxels ? TLW_VIEW_COLOUR_LAYER : s->app->shown.colour;
    tlw_view_legend legend;
    tlw_view_make_legend(s->character->model, colour, s->app->hot, &legend);
    if (legend.is_bar) {
        add_bar(s, &legend, x, y);
        y -= LINE_HEIGHT * s->scale;
    } else if (legend.kind_count > 0) {
        add_kinds(s, &legend, x, y);
        y -= LINE_HEIGHT * s->scale;
    }
    if (s->app->shown.has_ghost) {
        word(s, x, y, "blue shell: skinning alone", faint_ink);
    }
}

static void add_title(const sheet* s) {
    const tlw_view_app* app = s->app;
    const tlw_actor* actor = &s->character->model->actor;
    const char* clip = tlw_actor_clip_name(actor, app->sides[s->pane->side].way.clip);
    const char* which = s->pane->is_skinning  ? ", skinning alone"
                        : app->side_count > 1 ? (s->pane->side == 0 ? " A" : " B")
                                              : "";
    char text[256];
    snprintf(text, sizeof text, "%s%s: %s, %.2f s", actor->name, which, clip, app->play.seconds);
    word(s, (float)s->pane->area.x + MARGIN * s->scale, (float)s->pane->area.y + MARGIN * s->scale,
         text, ink);
}

void tlw_view_mark(const tlw_view_app* app, const tlw_view_pane* pane, float scale,
                   tlw_overlay* overlay) {
    const sheet s = {.app = app,
                     .pane = pane,
                     .character = &app->sides[pane->side].character,
                     .scale = scale,
                     .overlay = overlay};
    if (app->shown.has_muscles) {
        add_muscles(&s);
    }
    if (app->shown.has_skeleton) {
        add_skeleton(&s);
    }
    if (!pane->is_skinning) {
        add_probe(&s);
        add_pull(&s);
        add_legend(&s);
    }
    add_title(&s);
}
