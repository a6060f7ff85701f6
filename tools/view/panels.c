// SPDX-License-Identifier: MIT
// The right panel, numbers, help and messages; panel_tissue.c has the left one.
#include "tools/view/panels.h"

#include "runtime/lattice.h"
#include "tools/view/panel_tissue.h"

#include <math.h>
#include <string.h>

#define KEYS_COLUMN   100.0f
#define KEYS_WIDTH    480.0f
#define MESSAGE_TOP   40.0f  // below the title
#define MESSAGE_SHARE 0.86f  // of the picture's width
#define VOXEL_SHARE   0.31f  // of the graphs' width
#define GRAPHS_POINTS 178.0f // height of the panels with graphs
#define GRAPH_POINTS  50.0f
#define FOLDED_POINTS 26.0f
#define LONG_SECONDS  3.0 // a longer half-life is that of a pose, not of tissue that rings
#define FRAME_MS      (1000.0f / 60.0f) // what a picture may take

static const tlw_rgb graph_colour = {0.337f, 0.706f, 0.914f}, frame_colour = {0.60f, 0.65f, 0.73f},
                     probe_colour = {1.00f, 0.85f, 0.20f};

tlw_view_panels tlw_default_view_panels(void) {
    return (tlw_view_panels){.fade_seconds = 0.5f, .text_scale = 1.0f, .has_graphs = true};
}

// ---- How it plays

static void show_clips(tlw_view_app* app, tlw_ui* ui) {
    enum { CLIPS_MOST = 256 };
    const tlw_view_side* first = &app->sides[0];
    const tlw_asset* asset = first->character.model->actor.asset;
    const char* names[CLIPS_MOST];
    if (first->way.clip == TLW_ASSET_NONE || asset == NULL) {
        tlw_ui_note(ui, "no clips: the bind pose");
        return;
    }
    const uint32_t count = asset->clip_count < CLIPS_MOST ? asset->clip_count : CLIPS_MOST;
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = tlw_actor_clip_name(&first->character.model->actor, i);
    }
    uint32_t clip = first->way.clip;
    if (tlw_ui_choice(ui, "clip", &clip, names, count)) {
        tlw_view_set_clip(app, clip);
    }
    tlw_ui_hint(ui, "n and p: the next and the previous one");
}

static void show_play(tlw_view_app* app, tlw_ui* ui) {
    static const tlw_ui_range speeds = {(float)TLW_VIEW_SPEED_LEAST, (float)TLW_VIEW_SPEED_MOST,
                                        true, "%.3g times"};
    static const tlw_ui_range noise = {0.0f, TLW_VIEW_NOISE_MM, false, "%.0f mm"};
    tlw_view_play* play = &app->play;
    show_clips(app, ui);
    (void)tlw_ui_toggle(ui, "pause", &play->is_paused);
    tlw_ui_beside(ui);
    if (tlw_ui_button(ui, "step")) {
        tlw_view_step_once(app);
    }
    tlw_ui_beside(ui);
    if (tlw_ui_button(ui, "restart")) {
        tlw_view_restart(app);
    }
    float speed = (float)play->speed;
    if (tlw_ui_slider(ui, "speed", &speed, &speeds) != TLW_UI_KEPT) {
        play->speed = (double)speed;
    }
    bool is_limited = play->limit_hz > 0;
    if (tlw_ui_toggle(ui, "limit frames", &is_limited)) {
        play->limit_hz = is_limited ? 60 : 0;
    }
    tlw_ui_hint(ui, "steps of a fixed length, whatever the screen does: the look must not depend "
                    "on it");
    if (play->limit_hz > 0) {
        (void)tlw_ui_slider_int(ui, "steps per second", &play->limit_hz, TLW_VIEW_LIMIT_LOW,
                                TLW_VIEW_LIMIT_HIGH);
    }
    bool has_way = !play->is_in_place;
    if (tlw_ui_toggle(ui, "root motion", &has_way)) {
        play->is_in_place = !has_way;
    }
    tlw_ui_hint(ui, "off: the way of the clip over the ground is taken out");
    (void)tlw_ui_slider(ui, "noise", &play->noise_mm, &noise);
    tlw_ui_hint(ui, "of a capture at 30 Hz, on a character of 1.7 m; the pose filter calms it");
}

// ---- What is shown

static void show_looks(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui) {
    static const char* const qualities[] = {"full", "fast"};
    static const char* const axes[] = {"x", "y", "z"};
    static const tlw_ui_range shares = {0.0f, 1.0f, false, "%.2f"};
    static const tlw_ui_range letters = {TLW_VIEW_TEXT_LEAST, TLW_VIEW_TEXT_MOST, false,
                                         "%.2f times"};
    const char* names[TLW_VIEW_COLOUR_COUNT];
    uint32_t colour = (uint32_t)app->shown.colour;
    for (int i = 0; i < TLW_VIEW_COLOUR_COUNT; ++i) {
        names[i] = tlw_view_colour_name((tlw_view_colour)i);
    }
    if (tlw_ui_choice(ui, "colours", &colour, names, TLW_VIEW_COLOUR_COUNT)) {
        app->shown.colour = (tlw_view_colour)colour;
    }
    tlw_ui_hint(ui, tlw_view_colour_meaning(app->shown.colour));
    uint32_t shown = 0;
#define SHOW_MARK(field, word, key, meaning)                \
    if (shown++ % 2 == 1) {                                 \
        tlw_ui_beside_at(ui, 0.5f * TLW_VIEW_RIGHT_POINTS); \
    }                                                       \
    (void)tlw_ui_toggle(ui, word, &app->shown.has_##field); \
    tlw_ui_hint(ui, meaning " (" key ")");
    TLW_VIEW_MARKS(SHOW_MARK)
#undef SHOW_MARK
    if (app->shown.has_voxels) {
        (void)tlw_ui_choice(ui, "cut across", &app->cut_axis, axes, 3);
        (void)tlw_ui_slider(ui, "cut at", &app->cut_share, &shares);
        tlw_ui_hint(ui, "1 cuts nothing away");
    }
    (void)tlw_ui_choice(ui, "quality", &panels->quality, qualities, 2);
    tlw_ui_hint(ui, "fast is for drivers that draw on the CPU");
    (void)tlw_ui_slider(ui, "letters", &panels->text_scale, &letters);
    tlw_ui_hint(ui, "size of everything that is written ([ and ])");
    bool is_compared = app->side_count > 1;
    if (tlw_ui_toggle(ui, "compare", &is_compared)) {
        tlw_view_set_compared(app, is_compared);
    }
    tlw_ui_hint(ui, "a second character beside this one, in step, with values of its own");
}

// ---- What touches

static void place_slider(tlw_view_app* app, tlw_ui* ui, const char* label, tlw_view_thing_kind kind,
                         int axis, float from, float reach) {
    const tlw_ui_range range = {from - reach, from + reach, false, "%.2f m"};
    float at = (float)app->hands.things[kind].position[axis];
    if (tlw_ui_slider(ui, label, &at, &range) != TLW_UI_KEPT) {
        app->hands.things[kind].position[axis] = (double)at;
        tlw_view_hands_place(&app->hands, kind);
    }
}

static bool show_thing(tlw_view_app* app, tlw_ui* ui, const char* label, tlw_view_thing_kind kind) {
    bool is_there = app->hands.things[kind].is_there;
    if (tlw_ui_toggle(ui, label, &is_there)) {
        tlw_view_hands_show(&app->hands, kind, is_there);
    }
    return is_there;
}

static void show_touch(tlw_view_app* app, tlw_ui* ui) {
    static const tlw_ui_range degrees = {-180.0f, 180.0f, false, "%.0f degrees"};
    const float middle = app->ground + 0.5f * app->size;
    tlw_ui_note(ui, "left drag pulls; b throws a ball");
    tlw_ui_note(ui, "ctrl and a click pick a voxel");
    (void)show_thing(app, ui, "ball", TLW_VIEW_BALL);
    if (show_thing(app, ui, "plane", TLW_VIEW_PLANE)) {
        place_slider(app, ui, "plane height", TLW_VIEW_PLANE, 1, app->ground, app->size);
    }
    if (show_thing(app, ui, "capsule", TLW_VIEW_CAPSULE)) {
        place_slider(app, ui, "capsule x", TLW_VIEW_CAPSULE, 0, app->centre[0], app->size);
        place_slider(app, ui, "capsule y", TLW_VIEW_CAPSULE, 1, middle, app->size);
        place_slider(app, ui, "capsule z", TLW_VIEW_CAPSULE, 2, app->centre[1], app->size);
        if (tlw_ui_slider(ui, "capsule turn", &app->hands.things[TLW_VIEW_CAPSULE].yaw_degrees,
                          &degrees) != TLW_UI_KEPT) {
            tlw_view_hands_place(&app->hands, TLW_VIEW_CAPSULE);
        }
    }
}

// ---- Numbers

static void show_frames(const tlw_view_panels* panels, const tlw_view_app* app, tlw_ui* ui) {
    const tlw_view_frames* f = &app->frames;
    const tlw_ui_series lines[2] = {{"picture", frame_colour, f->frame_ms},
                                    {"step", graph_colour, f->step_ms}};
    const tlw_ui_graph graph = {.label = "##frames",
                                .height = GRAPH_POINTS * panels->text_scale,
                                .series = lines,
                                .series_count = 2,
                                .capacity = TLW_VIEW_FRAMES_KEPT,
                                .count = f->count,
                                .next = f->next,
                                .has_mark = true,
                                .mark = FRAME_MS,
                                .unit = "ms"};
    tlw_ui_draw_graph(ui, &graph);
    tlw_ui_hint(ui, "the line is at 60 pictures a second");
}

static void show_passes(const tlw_view_panels* panels, const tlw_view_app* app, tlw_ui* ui) {
    const tlw_view_frames* f = &app->frames;
    tlw_ui_series passes[TLW_PASS_COUNT];
    for (int pass = 0; pass < TLW_PASS_COUNT; ++pass) {
        const uint32_t rgb = tlw_pass_colour((tlw_pass)pass);
        passes[pass] = (tlw_ui_series){.name = tlw_pass_name((tlw_pass)pass),
                                       .colour = {(float)(rgb >> 16 & 255) / 255.0f,
                                                  (float)(rgb >> 8 & 255) / 255.0f,
                                                  (float)(rgb & 255) / 255.0f},
                                       .values = f->pass_ms[pass]};
    }
    const tlw_ui_graph graph = {.label = "##passes",
                                .height = GRAPH_POINTS * panels->text_scale,
                                .series = passes,
                                .series_count = TLW_PASS_COUNT,
                                .capacity = TLW_VIEW_FRAMES_KEPT,
                                .count = f->count,
                                .next = f->next,
                                .is_stacked = true,
                                .has_mark = true,
                                .mark = (float)app->budget_ms,
                                .unit = "ms"};
    tlw_ui_draw_graph(ui, &graph);
}

// The mean time of the pictures that the graph shows.
static double picture_ms(const tlw_view_frames* f) {
    double sum = 0.0;
    for (uint32_t i = 0; i < f->count; ++i) {
        sum += (double)f->frame_ms[i];
    }
    return f->count > 0 ? sum / f->count : 0.0;
}

static void show_numbers(tlw_view_panels* panels, const tlw_view_app* app, tlw_ui* ui) {
    const tlw_view_side* side = &app->sides[tlw_view_chosen_side(app)];
    const tlw_view_character* c = &side->character;
    const tlw_blob_info* info = &c->model->actor.info;
    const double ms = picture_ms(&app->frames);
    tlw_world_report report;
    tlw_world_get_report(c->motion->world, &report);
    const uint64_t steps = report.step_count > 0 ? report.step_count : 1;
    show_frames(panels, app, ui);
    tlw_ui_text(ui, "%.0f pictures a second, %.1f ms", ms > 0.0 ? 1000.0 / ms : 0.0, ms);
    tlw_ui_text(ui, "step %.2f ms, mean %.2f of %.1f", (double)report.wall_ns * 1e-6,
                (double)report.total_wall_ns * 1e-6 / (double)steps, report.budget_ms);
    tlw_ui_hint(ui, "all passes of the last step, the mean of all steps, and the budget");
    tlw_ui_text(ui, "%u voxels, %u vertices", info->voxel_count, info->vertex_count);
    tlw_ui_text(ui, "%.2f MB blob, %.2f MB world", (double)c->model->actor.blob_bytes / 1e6,
                (double)report.memory_bytes / 1e6);
    tlw_ui_hint(ui, "the blob is shared by all characters of its kind; a world has their state and "
                    "the scratch memory of its workers");
    tlw_ui_text(ui, "%u workers, %u contacts%s", app->worker_count, c->contact_count,
                report.asleep_count > 0 ? ", asleep" : "");
    tlw_ui_note(ui, "%s", panels->driver);
    (void)tlw_ui_toggle(ui, "graphs", &panels->has_graphs);
    tlw_ui_hint(ui, "below the picture (F3)");
}

static void show_probe(const tlw_view_panels* panels, const tlw_view_app* app, tlw_ui* ui) {
    const tlw_view_probe* p = &app->probe;
    const tlw_view_character* c = &app->sides[p->side].character;
    const tlw_ui_series line = {"off its place", probe_colour, p->deviation_mm};
    const tlw_ui_graph graph = {.label = "##deviation",
                                .height = GRAPH_POINTS * panels->text_scale,
                                .series = &line,
                                .series_count = 1,
                                .capacity = TLW_VIEW_FRAMES_KEPT,
                                .count = p->count,
                                .next = p->next,
                                .unit = "mm"};
    uint32_t links = 0;
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        links +=
            c->motion->around[(size_t)p->voxel * TLW_CELLS_AROUND + (size_t)cell] != TLW_NO_INDEX;
    }
    tlw_ui_draw_graph(ui, &graph);
    if (p->hertz > 0.0 && p->half_life_seconds < LONG_SECONDS) {
        tlw_ui_text(ui, "%.2f Hz, half-life %.0f ms", p->hertz, p->half_life_seconds * 1e3);
    } else {
        tlw_ui_text(ui, "does not ring");
    }
    tlw_ui_note(ui, "%u: %s, %u links", p->voxel,
                tlw_blob_layer_name(&c->model->actor.blob, c->motion->layers[p->voxel]),
                links > 0 ? links - 1 : 0);
}

// Draws the graphs side by side below the picture.
static void show_graphs(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui, float x, float y,
                        float width, float height) {
    const tlw_view_probe* p = &app->probe;
    const bool has_probe = p->is_there && app->sides[p->side].has_character;
    const float voxel = has_probe ? width * VOXEL_SHARE : 0.0f, passes = width - voxel;
    bool is_open = false;
    if (tlw_ui_begin_panel(ui, "Passes of a step", x, y, passes, height)) {
        is_open = true;
        show_passes(panels, app, ui);
    }
    tlw_ui_end_panel(ui);
    if (has_probe) {
        if (tlw_ui_begin_panel(ui, "Voxel", x + passes, y, voxel, height)) {
            is_open = true;
            show_probe(panels, app, ui);
        }
        tlw_ui_end_panel(ui);
    }
    panels->are_graphs_folded = !is_open;
}

// ---- All of them

static void show_help(tlw_ui* ui) {
    static const char* const rows[][2] = {{"left drag", "pull tissue, move a ball or a capsule"},
                                          {"ctrl click", "pick a voxel"},
                                          {"right drag", "orbit"},
                                          {"middle drag", "pan (also shift and right)"},
                                          {"wheel", "zoom"},
                                          {"tab", "from one control to the next; arrows change it"},
#define KEY_ROW(key, name, meaning, action) {name, meaning},
                                          TLW_VIEW_KEYS(KEY_ROW)
#undef KEY_ROW
#define MARK_ROW(field, word, key, meaning) {key, meaning},
                                              TLW_VIEW_MARKS(MARK_ROW)
#undef MARK_ROW
    };
    const size_t count = TLW_COUNT_OF(rows), half = (count + 1) / 2;
    tlw_ui_begin_box(ui, "Keys");
    for (size_t i = 0; i < count; ++i) { // two columns, row by row
        const size_t row = i / 2 + (i % 2) * half;
        const float left = (float)(i % 2) * KEYS_WIDTH;
        if (i % 2 == 1) {
            tlw_ui_beside_at(ui, left);
        }
        tlw_ui_text(ui, "%s", rows[row][0]);
        tlw_ui_beside_at(ui, left + KEYS_COLUMN);
        tlw_ui_note(ui, "%s", rows[row][1]);
    }
    tlw_ui_end_box(ui);
}

static void show_loading(const tlw_view_app* app, tlw_ui* ui) {
    for (uint32_t i = 0; i < app->side_count; ++i) {
        const tlw_view_side* side = &app->sides[i];
        if (side->is_loading) {
            tlw_ui_begin_box(ui, i == 0 ? "Loading" : "Loading the second character");
            tlw_ui_text(ui, "%s", side->source.file);
            tlw_ui_progress(ui, (float)side->news.share,
                            side->news.stage ? side->news.stage : "reading");
            tlw_ui_end_box(ui);
        }
    }
}

// What went wrong, until it is mended. The last good character is shown behind it.
static void show_messages(const tlw_view_panels* panels, const tlw_view_app* app, tlw_ui* ui,
                          float width, float height) {
    bool has_any = panels->saved[0] != 0;
    for (uint32_t i = 0; i < app->side_count; ++i) {
        has_any = has_any || (app->sides[i].message[0] && !app->sides[i].is_loading);
    }
    if (!has_any) {
        return;
    }
    const tlw_view_margins m = tlw_view_panel_margins(panels, app, width, height);
    const float top = MESSAGE_TOP * panels->text_scale;
    const float room = width - m.left - m.right, wide = room * MESSAGE_SHARE;
    if (tlw_ui_begin_panel(ui, "Messages", m.left + 0.5f * (room - wide), top, wide, 0.0f)) {
        for (uint32_t i = 0; i < app->side_count; ++i) {
            if (app->sides[i].message[0]) {
                tlw_ui_warning(ui, "%s", app->sides[i].message);
            }
        }
        if (panels->saved[0] && panels->has_saved) {
            tlw_ui_text(ui, "%s", panels->saved);
        } else if (panels->saved[0]) {
            tlw_ui_warning(ui, "%s", panels->saved);
        }
    }
    tlw_ui_end_panel(ui);
}

static void show_right(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui, float x, float width,
                       float height) {
    if (tlw_ui_begin_panel(ui, "View", x, 0.0f, width, height)) {
        if (tlw_ui_section(ui, "Play", true)) {
            show_play(app, ui);
        }
        if (tlw_ui_section(ui, "Picture", true)) {
            show_looks(panels, app, ui);
        }
        if (tlw_ui_section(ui, "Touch", false)) {
            show_touch(app, ui);
        }
        if (tlw_ui_section(ui, "Numbers", true)) {
            show_numbers(panels, app, ui);
        }
    }
    tlw_ui_end_panel(ui);
}

tlw_view_margins tlw_view_panel_margins(const tlw_view_panels* panels, const tlw_view_app* app,
                                        float width, float height) {
    const float left = TLW_VIEW_LEFT_POINTS * panels->text_scale,
                right = TLW_VIEW_RIGHT_POINTS * panels->text_scale;
    const float graphs =
        (panels->are_graphs_folded ? FOLDED_POINTS : GRAPHS_POINTS) * panels->text_scale;
    tlw_view_margins m = {0.0f, 0.0f, 0.0f};
    if (panels->is_hidden || !tlw_view_has_character(app)) {
        return m;
    }
    if (width >= 1.5f * (left + right)) {
        m.left = left;
        m.right = right;
        m.bottom = panels->has_graphs && height >= 2.5f * graphs ? graphs : 0.0f;
    }
    return m;
}

void tlw_view_show_panels(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui, float width,
                          float height) {
    const float left = TLW_VIEW_LEFT_POINTS * panels->text_scale,
                right = TLW_VIEW_RIGHT_POINTS * panels->text_scale;
    const tlw_view_margins m = tlw_view_panel_margins(panels, app, width, height);
    if (tlw_view_has_character(app) && !panels->is_hidden) {
        if (tlw_ui_begin_panel(ui, "Tissue", 0.0f, 0.0f, left, height)) {
            tlw_view_show_tissue(panels, app, ui);
        }
        tlw_ui_end_panel(ui);
        show_right(panels, app, ui, width - right, right, height);
        if (m.bottom > 0.0f) {
            show_graphs(panels, app, ui, m.left, height - m.bottom, width - m.left - m.right,
                        m.bottom);
        }
    }
    show_messages(panels, app, ui, width, height);
    show_loading(app, ui);
    if (panels->has_help) {
        show_help(ui);
    }
}
