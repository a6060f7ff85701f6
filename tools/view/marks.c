// SPDX-License-Identifier: MIT
// Reads the app and adds to an overlay. Nothing here keeps anything.
#include "tools/view/marks.h"

#include "runtime/lattice.h"
#include "tools/scene/lines.h"
#include "tools/view/colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN       12.0f // of words, in scales
#define LINE_HEIGHT  1.35f // in heights of letters
#define BAR_WIDTH    130.0f
#define EDGE         1.4f // of what is dark around lines and discs, in scales
#define WEIGHT_LEAST 1.0f // width of a line to a joint, in scales, and of one that has all weight
#define WEIGHT_MOST  5.0f
#define TEXT_LINES   4u     // of a text that a pane is too narrow for
#define WEIGHT_SEEN  0.005f // weights below that are not shown
#define LABEL_AWAY   8.0f   // of a joint's weight from the joint

static const tlw_rgb ink = {0.93f, 0.95f, 0.98f}, faint_ink = {0.80f, 0.83f, 0.88f},
                     dark = {0.04f, 0.05f, 0.06f}, pull_colour = {0.34f, 0.71f, 0.91f},
                     bone_colour = {0.98f, 0.93f, 0.78f}, link_colour = {0.34f, 0.71f, 0.91f},
                     picked_colour = {0.94f, 0.89f, 0.26f}, weight_colour = {0.90f, 0.62f, 0.00f};

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

// Lines and dots have a dark edge, so that they can be seen on any colour.
static void dot(const sheet* s, const float place[3], float radius, tlw_rgb colour) {
    float at[2];
    if (project(s, place, at)) {
        tlw_overlay_disc(s->overlay, at, (radius + 0.5f * EDGE) * s->scale, dark, 0.5f);
        tlw_overlay_disc(s->overlay, at, radius * s->scale, colour, 1.0f);
    }
}

static void line(const sheet* s, const float from[3], const float to[3], float width,
                 tlw_rgb colour, float share) {
    float a[2], b[2];
    if (project(s, from, a) && project(s, to, b)) {
        tlw_overlay_line(s->overlay, a, b, (width + EDGE) * s->scale, dark, 0.5f * share);
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
                line(s, last, at, 2.2f, colour, 1.0f);
            }
            dot(s, at, 2.0f, colour);
            memcpy(last, at, sizeof last);
        }
    }
}

// Returns the matrices of the pose's joints in the world; elements 12 to 14 are the position.
// Returns null when out of memory.
static float (*find_joints(const sheet* s))[16] {
    const tlw_motion* motion = s->character->motion;
    const uint32_t count = s->character->model->actor.info.joint_count;
    float(*joints)[16] = malloc((size_t)count * sizeof *joints);
    if (joints == NULL ||
        tlw_character_get_joints(motion->world, motion->id, joints, count) != TLW_OK) {
        free(joints);
        return NULL;
    }
    for (uint32_t j = 0; j < count; ++j) {
        for (int axis = 0; axis < 3; ++axis) {
            joints[j][12 + axis] += (float)motion->root.position[axis];
        }
    }
    return joints;
}

static void add_skeleton(const sheet* s) {
    const tlw_blob_info* info = &s->character->model->actor.info;
    float(*joints)[16] = find_joints(s);
    for (uint32_t j = 0; j < info->joint_count && joints; ++j) {
        tlw_joint_info joint;
        if (tlw_blob_get_joint(&s->character->model->actor.blob, j, &joint) == TLW_OK) {
            if (joint.parent != TLW_NO_INDEX) {
                line(s, joints[joint.parent] + 12, joints[j] + 12, 1.2f, bone_colour, 1.0f);
            }
            dot(s, joints[j] + 12, joint.has_voxels ? 2.6f : 1.6f, bone_colour);
        }
    }
    free(joints);
}

static void add_pull(const sheet* s) {
    const tlw_view_hands* hands = &s->app->hands;
    float from[3], to[3];
    if (hands->is_pulling && hands->pulled == s->pane->side &&
        tlw_view_hands_pull(hands, from, to)) {
        line(s, from, to, 2.0f, pull_colour, 1.0f);
        dot(s, from, 2.5f, pull_colour);
        dot(s, to, 4.0f, pull_colour);
    }
}

// ---- A picked voxel

// Draws a line from the picked voxel to each joint that moves it. The line is as thick as the
// joint's weight is large, and the weight stands beside it in percent.
static void add_weights(const sheet* s, uint32_t voxel, const float place[3]) {
    const tlw_view_model* model = s->character->model;
    tlw_view_share shares[TLW_VIEW_SHARES_MAX];
    const uint32_t count = tlw_view_voxel_shares(model, voxel, shares);
    float(*joints)[16] = find_joints(s);
    for (uint32_t i = 0; i < count && joints && shares[i].weight > WEIGHT_SEEN; ++i) {
        const float width = WEIGHT_LEAST + (WEIGHT_MOST - WEIGHT_LEAST) * shares[i].weight;
        line(s, place, joints[shares[i].joint] + 12, width, weight_colour, 0.8f);
    }
    for (uint32_t i = 0; i < count && joints && shares[i].weight > WEIGHT_SEEN; ++i) {
        float at[2];
        char text[160];
        snprintf(text, sizeof text, "%s %.0f %%",
                 tlw_blob_joint_name(&model->actor.blob, shares[i].joint),
                 (double)shares[i].weight * 100.0);
        dot(s, joints[shares[i].joint] + 12, 2.6f, weight_colour);
        if (project(s, joints[shares[i].joint] + 12, at)) {
            tlw_overlay_label(s->overlay, at[0] + LABEL_AWAY * s->scale,
                              at[1] - LABEL_AWAY * s->scale, text, weight_colour);
        }
    }
    free(joints);
}

// Links are lines to neighbours, and the region, whose voxels they are, is glass (picture.c).
static void add_probe(const sheet* s) {
    const tlw_view_probe* probe = &s->app->probe;
    if (!probe->is_there || probe->side != s->pane->side) {
        return;
    }
    const uint32_t* around = s->character->motion->around + (size_t)probe->voxel * TLW_CELLS_AROUND;
    float centre[3], skinned[3];
    tlw_view_character_place(s->character, probe->voxel, false, centre);
    tlw_view_character_place(s->character, probe->voxel, true, skinned);
    add_weights(s, probe->voxel, centre);
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        float place[3];
        if (around[cell] != TLW_NO_INDEX && cell != TLW_CELL_SELF) {
            tlw_view_character_place(s->character, around[cell], false, place);
            line(s, centre, place, 0.9f, link_colour, 0.8f);
            dot(s, place, 1.5f, link_colour);
        }
    }
    line(s, skinned, centre, 1.6f, picked_colour, 1.0f);
    dot(s, centre, 3.2f, picked_colour);
}

// ---- Words

static float letter_height(const sheet* s) {
    return s->overlay->letters ? (float)s->overlay->letters->pixels : 0.0f;
}

static void word(const sheet* s, float x, float y, const char* text, tlw_rgb colour) {
    tlw_overlay_label(s->overlay, x, y, text, colour);
}

typedef struct text_lines {
    char text[TEXT_LINES][160];
    uint32_t count;
} text_lines;

// Breaks a text between words where the pane is too narrow for it, and cuts off what does not fit.
static void break_text(const sheet* s, const char* text, text_lines* out) {
    const float room = (float)s->pane->area.width - 2.0f * MARGIN * s->scale;
    *out = (text_lines){.count = 1};
    while (*text) {
        char* last = out->text[out->count - 1];
        const size_t have = strlen(last), word = strcspn(text, " ");
        char longer[2 * sizeof out->text[0]];
        snprintf(longer, sizeof longer, "%s%s%.*s", last, have > 0 ? " " : "", (int)word, text);
        size_t length = strlen(longer);
        if (have > 0 && out->count < TEXT_LINES &&
            (length >= sizeof out->text[0] || tlw_overlay_label_width(s->overlay, longer) > room)) {
            ++out->count;
            continue;
        }
        if (length >= sizeof out->text[0]) { // cut between characters
            length = sizeof out->text[0] - 1;
            while (length > 0 && ((uint8_t)longer[length] & 0xC0u) == 0x80u) {
                length -= 1;
            }
        }
        memcpy(last, longer, length);
        last[length] = 0;
        text += word;
        text += strspn(text, " ");
    }
}

// Draws lines of text, the last of which ends at y. Returns the y of the line above them.
static float note(const sheet* s, float x, float y, const char* text) {
    text_lines lines;
    break_text(s, text, &lines);
    for (uint32_t i = lines.count; i-- > 0; y -= LINE_HEIGHT * letter_height(s)) {
        word(s, x, y, lines.text[i], faint_ink);
    }
    return y;
}

// Draws a rectangle of a legend, centred in the line whose top is at y.
static void swatch(const sheet* s, float x, float y, float width, tlw_rgb colour) {
    const float height = floorf(0.62f * letter_height(s)),
                top = floorf(y + 0.5f * (letter_height(s) - height));
    tlw_overlay_fill(s->overlay, x, top, width, height, colour, 1.0f);
}

static void frame(const sheet* s, float x, float y, float width) {
    swatch(s, x - s->scale, y - s->scale, width + 2.0f * s->scale, dark);
    swatch(s, x - s->scale, y + s->scale, width + 2.0f * s->scale, dark);
}

// Returns the y of the line above it.
static float add_bar(const sheet* s, const tlw_view_legend* legend, float x, float y) {
    const float gap = 7.0f * s->scale, step = LINE_HEIGHT * letter_height(s);
    const float low = tlw_overlay_label_width(s->overlay, legend->low) + gap,
                high = tlw_overlay_label_width(s->overlay, legend->high) + gap,
                meaning = tlw_overlay_label_width(s->overlay, legend->meaning) + gap;
    const float room = (float)s->pane->area.width - 2.0f * MARGIN * s->scale;
    const float wide = fminf(BAR_WIDTH * s->scale, fmaxf(room - low - high, 0.0f));
    const float width = floorf(wide / (float)TLW_COUNT_OF(legend->bar)),
                whole = width * (float)TLW_COUNT_OF(legend->bar);
    const bool has_room = low + whole + high + meaning <= room;
    float bar = floorf(x + low);
    word(s, x, y, legend->low, ink);
    frame(s, bar, y, whole);
    for (size_t i = 0; i < TLW_COUNT_OF(legend->bar); ++i) {
        swatch(s, bar + width * (float)i, y, width, legend->bar[i]);
    }
    bar += whole + gap;
    word(s, bar, y, legend->high, ink);
    word(s, has_room ? bar + high : x, has_room ? y : y - step, legend->meaning, ink);
    return y - (has_room ? 1.0f : 2.0f) * step;
}

// Draws names from left to right in as many lines as they need, the lowest line at y. Returns the y
// of the topmost line.
static float add_kinds(const sheet* s, const tlw_view_legend* legend, float x, float y) {
    const float right = (float)(s->pane->area.x + s->pane->area.width) - MARGIN * s->scale;
    const float side = floorf(0.62f * letter_height(s)), gap = 6.0f * s->scale, left = x;
    float widths[TLW_VIEW_LEGEND_KINDS];
    uint32_t lines = 1;
    for (uint32_t k = 0; k < legend->kind_count; ++k) {
        widths[k] = side + gap + tlw_overlay_label_width(s->overlay, legend->kinds[k]) + 2.0f * gap;
        lines += x > left && x + widths[k] > right ? 1 : 0;
        x = x > left && x + widths[k] > right ? left + widths[k] : x + widths[k];
    }
    const float top = y - (float)(lines - 1) * LINE_HEIGHT * letter_height(s);
    x = left;
    y = top;
    for (uint32_t k = 0; k < legend->kind_count; ++k) {
        if (x > left && x + widths[k] > right) {
            x = left;
            y += LINE_HEIGHT * letter_height(s);
        }
        frame(s, x, y, side);
        swatch(s, x, y, side, legend->kind_colours[k]);
        word(s, x + side + gap, y, legend->kinds[k], ink);
        x += widths[k];
    }
    return top;
}

static void add_legend(const sheet* s) {
    const tlw_view_area* area = &s->pane->area;
    const float x = floorf((float)area->x + MARGIN * s->scale),
                step = LINE_HEIGHT * letter_height(s);
    float y = floorf((float)(area->y + area->height) - MARGIN * s->scale - letter_height(s));
    const tlw_view_colour colour =
        s->app->shown.has_voxels ? TLW_VIEW_COLOUR_LAYER : s->app->shown.colour;
    tlw_view_legend legend;
    tlw_view_make_legend(s->character->model, colour, s->app->hot, &legend);
    if (legend.is_bar) {
        y = add_bar(s, &legend, x, y);
    } else if (legend.kind_count > 0) {
        y = add_kinds(s, &legend, x, y) - step;
    }
    if (s->app->shown.has_ghost) {
        y = note(s, x, y, "blue shell: skinning alone");
    }
    if (s->app->shown.has_muscles && s->character->model->actor.info.muscle_count > 0) {
        y = note(s, x, y, "lines: muscles, red where short, blue where long");
    }
    if (s->app->shown.has_limbs && s->character->model->actor.info.limb_count == 0) {
        y = note(s, x, y, "no limbs: the recipe asks for none");
    }
    if (s->app->probe.is_there && s->app->probe.side == s->pane->side) {
        (void)note(s, x, y, "picked voxel: region as glass, links blue, weights of joints orange");
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
    text_lines lines;
    break_text(s, text, &lines);
    for (uint32_t i = 0; i < lines.count; ++i) {
        word(s, (float)s->pane->area.x + MARGIN * s->scale,
             (float)s->pane->area.y + MARGIN * s->scale + (float)i * LINE_HEIGHT * letter_height(s),
             lines.text[i], ink);
    }
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
