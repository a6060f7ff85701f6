// SPDX-License-Identifier: MIT
// The window: events, real time, panels over the picture, and a file that tells scripts where
// everything is.
#include "platform/clock.h"
#include "tools/view/context.h"
#include "tools/view/panels.h"
#include "tools/view/picture.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TITLE_EVERY_NS  500000000u
#define LAYOUT_EVERY_NS 30000000u
#define HIDDEN_MS       16 // between looks at a window that has no pixels
#define STANDARD_DPI    96.0f
#define NOISE_MM        10.0f

typedef struct window {
    tlw_view_app* app;
    tlw_view_context context;
    tlw_studio* studio;
    tlw_view_picture* picture;
    tlw_ui* ui;
    tlw_view_panels panels;
    tlw_studio_quality quality;
    tlw_view_size size;     // of the framebuffer
    tlw_view_area area;     // of the picture between the panels
    float pixels_per_point; // a mouse counts points
    float mouse[2];         // pixels
    tlw_view_colour last_colour;
    bool has_ended, is_warned; // that values are not saved
    bool is_kept;              // although its frame was told to close it
    uint64_t last_ns, title_ns, layout_ns;
    uint32_t frames; // since the title was written
    uint32_t panes;  // of the last picture; 0: there was no character
} window;

// ---- Keys

static void pause(window* w) {
    w->app->play.is_paused = !w->app->play.is_paused;
}

static void step_once(window* w) {
    tlw_view_step_once(w->app);
}

static void restart(window* w) {
    tlw_view_restart(w->app);
}

static void next_clip(window* w) {
    tlw_view_change_clip(w->app, 1);
}

static void previous_clip(window* w) {
    tlw_view_change_clip(w->app, -1);
}

static void faster(window* w) {
    w->app->play.speed = fmin(w->app->play.speed * 2.0, TLW_VIEW_SPEED_MOST);
}

static void slower(window* w) {
    w->app->play.speed = fmax(w->app->play.speed * 0.5, TLW_VIEW_SPEED_LEAST);
}

static void toggle_place(window* w) {
    w->app->play.is_in_place = !w->app->play.is_in_place;
}

static uint32_t pane_count(const window* w) {
    tlw_view_pane panes[TLW_VIEW_PANES_MAX];
    const uint32_t count = tlw_view_panes(w->app, w->area, panes);
    return count > 0 ? count : 1;
}

// The width in pixels of a pane when `count` panes stand side by side; at least 1.
static uint32_t pane_width(const window* w, uint32_t count) {
    return w->area.width > count ? w->area.width / count : 1;
}

static void frame(window* w) {
    tlw_view_frame(w->app, pane_width(w, pane_count(w)), w->area.height);
}

// Where the picture is shared out anew, the camera steps back or forth as a camera would that
// frames the character. In a pane of a few pixels there is nothing to frame.
static void share_out(window* w) {
    const uint32_t count = pane_count(w);
    const bool has_room = w->area.width >= TLW_VIEW_SIDE_LEAST * TLW_VIEW_PANES_MAX &&
                          w->area.height >= TLW_VIEW_SIDE_LEAST;
    if (w->panes != 0 && w->panes != count && has_room) {
        const float was = tlw_view_fit(w->app, pane_width(w, w->panes), w->area.height),
                    is = tlw_view_fit(w->app, pane_width(w, count), w->area.height);
        w->app->camera.distance =
            fminf(fmaxf(w->app->camera.distance * is / was, TLW_VIEW_DISTANCE_LEAST),
                  TLW_VIEW_DISTANCE_MOST);
    }
    w->panes = tlw_view_has_character(w->app) ? count : 0;
}

static void next_colour(window* w) {
    w->app->shown.colour =
        (tlw_view_colour)(((uint32_t)w->app->shown.colour + 1) % TLW_VIEW_COLOUR_COUNT);
}

static void toggle_plain(window* w) {
    const tlw_view_colour now = w->app->shown.colour;
    w->app->shown.colour = now == TLW_VIEW_COLOUR_PLAIN ? w->last_colour : TLW_VIEW_COLOUR_PLAIN;
    w->last_colour = now == TLW_VIEW_COLOUR_PLAIN ? w->last_colour : now;
}

static void throw_ball(window* w) {
    uint32_t side;
    tlw_view_ray ray;
    if (tlw_view_ray_at(w->app, w->area, w->mouse, &side, &ray)) {
        tlw_view_hands_throw(&w->app->hands, &ray);
    }
}

static void toggle_thing(window* w, tlw_view_thing_kind kind) {
    tlw_view_hands_show(&w->app->hands, kind, !w->app->hands.things[kind].is_there);
}

static void toggle_plane(window* w) {
    toggle_thing(w, TLW_VIEW_PLANE);
}

static void toggle_capsule(window* w) {
    toggle_thing(w, TLW_VIEW_CAPSULE);
}

// Turns or moves the camera as a mouse would that is dragged over this share of the window's
// height.
static void turn(window* w, float right, float down) {
    const float way = 0.04f * (float)w->size.height;
    if (SDL_GetModState() & KMOD_SHIFT) {
        tlw_view_camera_pan(&w->app->camera, w->size.height, right * way, down * way);
    } else {
        tlw_view_camera_orbit(&w->app->camera, w->size.height, right * way, down * way);
    }
}

static void turn_left(window* w) {
    turn(w, -1.0f, 0.0f);
}

static void turn_right(window* w) {
    turn(w, 1.0f, 0.0f);
}

static void turn_up(window* w) {
    turn(w, 0.0f, -1.0f);
}

static void turn_down(window* w) {
    turn(w, 0.0f, 1.0f);
}

static void nearer(window* w) {
    tlw_view_camera_zoom(&w->app->camera, 1.0f);
}

static void farther(window* w) {
    tlw_view_camera_zoom(&w->app->camera, -1.0f);
}

static void toggle_noise(window* w) {
    w->app->play.noise_mm = w->app->play.noise_mm > 0.0f ? 0.0f : NOISE_MM;
}

static void toggle_limit(window* w) {
    w->app->play.limit_hz = w->app->play.limit_hz > 0 ? 0 : (uint32_t)TLW_VIEW_STEP_HZ;
}

static void toggle_quality(window* w) {
    w->panels.quality ^= 1;
}

static void pick(window* w) {
    uint32_t side;
    tlw_view_ray ray;
    if (tlw_view_ray_at(w->app, w->area, w->mouse, &side, &ray)) {
        tlw_view_pick(w->app, side, &ray);
    }
}

static void other_side(window* w) {
    w->app->chosen = w->app->side_count > 1 ? tlw_view_chosen_side(w->app) ^ 1 : 0;
}

static void reset_values(window* w) {
    tlw_view_reset_values(w->app);
}

static void stop_test(window* w) {
    tlw_view_begin_stop_test(w->app);
}

static void toggle_compared(window* w) {
    tlw_view_set_compared(w->app, w->app->side_count == 1);
}

static void undo(window* w) {
    tlw_view_undo(w->app);
}

static void redo(window* w) {
    tlw_view_redo(w->app);
}

static void save(window* w) {
    tlw_view_save_recipe(&w->panels, w->app);
}

static void reload(window* w) {
    tlw_view_reload(w->app);
}

static void toggle_panels(window* w) {
    w->panels.is_hidden = !w->panels.is_hidden;
}

static void toggle_graphs(window* w) {
    w->panels.has_graphs = !w->panels.has_graphs;
}

// Rounds to quarters, so that larger and smaller lead back to the same size.
static void scale_letters(window* w, float by) {
    const float scale = 0.25f * roundf(4.0f * w->panels.text_scale) + by;
    w->panels.text_scale = fminf(fmaxf(scale, TLW_VIEW_TEXT_LEAST), TLW_VIEW_TEXT_MOST);
}

static void larger_letters(window* w) {
    scale_letters(w, 0.25f);
}

static void smaller_letters(window* w) {
    scale_letters(w, -0.25f);
}

static void toggle_help(window* w) {
    w->panels.has_help = !w->panels.has_help;
}

// Ends the window if every value is saved, or if somebody asks for the second time. Returns false
// at the first time.
static bool may_end(window* w) {
    if (!tlw_view_has_changes(w->app) || w->is_warned) {
        return true;
    }
    w->is_warned = true;
    w->panels.has_saved = false;
    snprintf(w->panels.saved, sizeof w->panels.saved,
             "values were changed and not saved: w saves them, escape or closing once more ends");
    return false;
}

static void end(window* w) {
    const bool is_open = w->panels.has_help;
    w->panels.has_help = false;
    w->has_ended = !is_open && may_end(w);
}

// Called when somebody goes on working: the warning about unsaved values is taken away, and ending
// has to be asked for twice again.
static void forget_warning(window* w) {
    if (w->is_warned) {
        w->is_warned = false;
        w->panels.saved[0] = 0;
    }
}

// Keys that need a character do nothing until there is one.
static bool is_for_anybody(SDL_Keycode key) {
    return key == SDLK_ESCAPE || key == SDLK_h || key == SDLK_F2 || key == SDLK_F5;
}

static void press_key(window* w, SDL_Keycode pressed) {
    pressed = pressed == SDLK_KP_PLUS || pressed == SDLK_EQUALS ? SDLK_PLUS
              : pressed == SDLK_KP_MINUS                        ? SDLK_MINUS
                                                                : pressed;
    if (!tlw_view_has_character(w->app) && !is_for_anybody(pressed)) {
        return;
    }
    if (pressed != SDLK_ESCAPE) {
        forget_warning(w);
    }
#define KEY_ACT(key, name, meaning, action) \
    if (pressed == (key)) {                 \
        action(w);                          \
    }
    TLW_VIEW_KEYS(KEY_ACT)
#undef KEY_ACT
#define MARK_ACT(field, word, key, meaning)                     \
    if (pressed == (SDL_Keycode)(key)[0]) {                     \
        w->app->shown.has_##field = !w->app->shown.has_##field; \
    }
    TLW_VIEW_MARKS(MARK_ACT)
#undef MARK_ACT
}

// ---- Mouse

static void move_mouse(window* w, const SDL_MouseMotionEvent* e) {
    const float scale = w->pixels_per_point;
    const float dx = scale * (float)e->xrel, dy = scale * (float)e->yrel;
    const bool has_shift = (SDL_GetModState() & KMOD_SHIFT) != 0;
    uint32_t side;
    tlw_view_ray ray;
    if ((e->state & SDL_BUTTON_MMASK) || ((e->state & SDL_BUTTON_RMASK) && has_shift)) {
        tlw_view_camera_pan(&w->app->camera, w->size.height, dx, dy);
    } else if (e->state & SDL_BUTTON_RMASK) {
        tlw_view_camera_orbit(&w->app->camera, w->size.height, dx, dy);
    }
    if (tlw_view_ray_at(w->app, w->area, w->mouse, &side, &ray)) {
        tlw_view_hands_move(&w->app->hands, &ray);
    }
}

static void press_button(window* w, const SDL_MouseButtonEvent* e) {
    uint32_t side;
    tlw_view_ray ray;
    if (e->button != SDL_BUTTON_LEFT) {
        return;
    }
    if (e->type == SDL_MOUSEBUTTONUP) {
        tlw_view_hands_let_go(&w->app->hands);
    } else if (tlw_view_ray_at(w->app, w->area, w->mouse, &side, &ray)) {
        if (SDL_GetModState() & KMOD_CTRL) {
            tlw_view_pick(w->app, side, &ray);
        } else {
            (void)tlw_view_hands_grab(&w->app->hands, side, &ray);
        }
    }
}

static void note_mouse(window* w, int x, int y) {
    w->mouse[0] = w->pixels_per_point * (float)x;
    w->mouse[1] = w->pixels_per_point * (float)y;
}

static void take_event(window* w, const SDL_Event* e) {
    if (e->type == SDL_MOUSEMOTION) {
        note_mouse(w, e->motion.x, e->motion.y);
    } else if (e->type == SDL_MOUSEBUTTONDOWN || e->type == SDL_MOUSEBUTTONUP) {
        note_mouse(w, e->button.x, e->button.y);
        forget_warning(w);
    }
    // A pull that began on the character goes on over the panels, and ends there too.
    const bool is_held = w->app->hands.is_pulling || w->app->hands.is_moving;
    const bool is_for_ui = tlw_ui_take_event(w->ui, e);
    if (is_for_ui && !(is_held && e->type != SDL_KEYDOWN)) {
        return;
    }
    switch (e->type) {
    case SDL_WINDOWEVENT: // when its frame closes it, SDL_QUIT follows; after a signal that is
                          // alone
        w->is_kept = e->window.event == SDL_WINDOWEVENT_CLOSE ? !may_end(w) : w->is_kept;
        break;
    case SDL_QUIT:
        w->has_ended = !w->is_kept;
        w->is_kept = false;
        break;
    case SDL_KEYDOWN:
        press_key(w, e->key.keysym.sym);
        break;
    case SDL_MOUSEMOTION:
        move_mouse(w, &e->motion);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        press_button(w, &e->button);
        break;
    case SDL_MOUSEWHEEL:
        tlw_view_camera_zoom(&w->app->camera, e->wheel.preciseY);
        break;
    default:
        break;
    }
}

// ---- For scripts

static void write_values(const tlw_view_side* side, FILE* out) {
    const tlw_view_character* c = &side->character;
    for (uint32_t p = 0; p < side->values.part_count; ++p) {
        for (uint32_t l = 1; l < side->values.layer_count; ++l) {
            tlw_material m;
            // From the character, not from the sliders: what counts is what it was told.
            if (tlw_character_get_material(c->motion->world, c->motion->id, p, l, &m) == TLW_OK) {
                fprintf(out, "material\t%s/%s\t%.9g\t%.9g\t%.9g\t%.9g\n",
                        tlw_view_part_name(c->model, p),
                        tlw_blob_layer_name(&c->model->actor.blob, l), (double)m.stiffness,
                        (double)m.damping, (double)m.anchor_hz, (double)m.limit_scale);
            }
        }
    }
    tlw_settings s;
    if (tlw_character_get_settings(c->motion->world, c->motion->id, &s) == TLW_OK) {
        fprintf(out, "settings\tgravity\t%.9g\twind\t%.9g\t%.9g\t%.9g\tdrag\t%.9g\ttime\t%.9g\n",
                (double)s.gravity[1], (double)s.wind[0], (double)s.wind[1], (double)s.wind[2],
                (double)s.wind_drag, (double)s.time_scale);
        fprintf(out, "settings\titerations\t%u\trepeats\t%u\tvolume\t%d\tlimbs\t%d\n",
                s.rotation_iterations, s.repeats, s.skinned_volume, s.own_limbs);
    }
    for (uint32_t m = 0; m < side->values.muscle_count; ++m) { // which no call reads back
        fprintf(out, "settings\ttension\t%u\t%.9g\n", m, (double)side->values.tensions[m]);
    }
}

// Tells where the pulled tissue is in the window and where it is pulled to, in points.
static void write_pull(const window* w, FILE* out) {
    tlw_view_pane panes[TLW_VIEW_PANES_MAX];
    float ends[2][3], pixels[2][2];
    const uint32_t count = tlw_view_panes(w->app, w->area, panes);
    if (!tlw_view_hands_pull(&w->app->hands, ends[0], ends[1])) {
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_view_area* area = &panes[i].area;
        if (panes[i].is_skinning || panes[i].side != w->app->hands.pulled) {
            continue;
        }
        for (int end = 0; end < 2; ++end) {
            if (!tlw_view_camera_project(&w->app->camera, area->width, area->height, ends[end],
                                         pixels[end])) {
                return;
            }
            pixels[end][0] = (pixels[end][0] + (float)area->x) / w->pixels_per_point;
            pixels[end][1] = (pixels[end][1] + (float)area->y) / w->pixels_per_point;
        }
        fprintf(out, "state\tpull\t%.1f\t%.1f\t%.1f\t%.1f\n", (double)pixels[0][0],
                (double)pixels[0][1], (double)pixels[1][0], (double)pixels[1][1]);
    }
}

static void write_state(const window* w, FILE* out) {
    const tlw_view_app* app = w->app;
    const float points = 1.0f / w->pixels_per_point;
    uint32_t objects = 0;
    for (int kind = 0; kind < TLW_GL_KIND_COUNT; ++kind) {
        objects += tlw_gl_count((tlw_gl_kind)kind);
    }
    fprintf(out, "state\tsteps\t%llu\tseconds\t%.6f\thash\t%016llx\tclip\t%s\tpaused\t%d\n",
            (unsigned long long)app->steps, app->play.seconds,
            (unsigned long long)tlw_view_hash(app), app->clip, app->play.is_paused);
    fprintf(out, "state\tloading\t%d\treloads\t%llu\tobjects\t%u\tsides\t%u\tcolours\t%s\n",
            tlw_view_is_loading(app), (unsigned long long)app->reloads, objects, app->side_count,
            tlw_view_colour_name(app->shown.colour));
    fprintf(out, "state\tpicture\t%.1f\t%.1f\t%.1f\t%.1f\tcamera\t%.3f\t%.3f\t%.4f\n",
            (double)((float)w->area.x * points), (double)((float)w->area.y * points),
            (double)((float)w->area.width * points), (double)((float)w->area.height * points),
            (double)app->camera.yaw_degrees, (double)app->camera.pitch_degrees,
            (double)app->camera.distance);
    write_pull(w, out);
    fprintf(out, "state\tprobe\t%d\t%u\thz\t%.4f\tcontacts\t%u\tdeviation\t%.6f\n",
            app->probe.is_there, app->probe.voxel, app->probe.hertz,
            app->sides[0].has_character ? app->sides[0].character.contact_count : 0,
            app->sides[0].has_character ? (double)app->sides[0].character.farthest : 0.0);
    fprintf(out, "state\tmessage\t%s\n", app->sides[0].message);
    fprintf(out, "state\tsaved\t%s\n", w->panels.saved);
    if (app->sides[0].has_character) {
        write_values(&app->sides[0], out);
    }
}

// A script never reads half of it, because it is renamed into place. It is no result of anybody, so
// one that cannot be written is left out.
static void write_layout(window* w, uint64_t now) {
    char path[TLW_PATH_MAX + 8];
    const char* name = w->app->options->layout;
    // While events wait, what a script did is not yet what it sees.
    if (name == NULL || now - w->layout_ns < LAYOUT_EVERY_NS || tlw_ui_has_events(w->ui)) {
        return;
    }
    w->layout_ns = now;
    snprintf(path, sizeof path, "%s.new", name);
    FILE* file = fopen(path, "w");
    if (file) {
        tlw_ui_write_layout(w->ui, file);
        write_state(w, file);
        if (fclose(file) == 0) {
            (void)rename(path, name);
        }
    }
}

// ---- Frames

static void write_title(window* w, uint64_t now) {
    char title[512];
    if (now - w->title_ns < TITLE_EVERY_NS) {
        return;
    }
    const double ms = w->frames ? (double)(now - w->title_ns) * 1e-6 / w->frames : 0.0;
    const tlw_view_side* first = &w->app->sides[0];
    if (first->has_character) {
        snprintf(title, sizeof title, "%s: %s, %.1f ms per picture%s; h: keys",
                 first->character.model->actor.name, w->app->clip[0] ? w->app->clip : "bind pose",
                 ms, w->app->play.is_paused ? ", paused" : "");
    } else {
        snprintf(title, sizeof title, "tallow-view: %.400s", first->source.file);
    }
    SDL_SetWindowTitle(w->context.window, title);
    w->title_ns = now;
    w->frames = 0;
}

static float points_wide(const window* w) {
    return (float)w->size.width / w->pixels_per_point;
}

static float points_high(const window* w) {
    return (float)w->size.height / w->pixels_per_point;
}

// Between the panels, or the whole window where they leave nothing.
static tlw_view_area picture_area(const window* w) {
    const tlw_view_margins m =
        tlw_view_panel_margins(&w->panels, w->app, points_wide(w), points_high(w));
    const float scale = w->pixels_per_point;
    const uint32_t left = (uint32_t)(m.left * scale), right = (uint32_t)(m.right * scale);
    return (tlw_view_area){.x = left,
                           .width = w->size.width - left - right,
                           .height = w->size.height - (uint32_t)(m.bottom * scale)};
}

// False: the window has no pixels, as when it is minimised.
static bool measure(window* w) {
    int points, high, width, height;
    SDL_GetWindowSize(w->context.window, &points, &high);
    SDL_GL_GetDrawableSize(w->context.window, &width, &height);
    if (width <= 0 || height <= 0 || points <= 0 ||
        (SDL_GetWindowFlags(w->context.window) & SDL_WINDOW_MINIMIZED)) {
        return false;
    }
    const tlw_view_size size = {(uint32_t)width, (uint32_t)height};
    w->size = size;
    w->pixels_per_point = (float)width / (float)points;
    return true;
}

static tlw_exit_code draw_frame(window* w) {
    char why[TLW_VIEW_WHY_BYTES];
    if (!tlw_studio_resize(w->studio, w->size.width, w->size.height, why)) {
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED, "%s", why);
    }
    w->area = picture_area(w);
    share_out(w);
    if (tlw_view_has_character(w->app) && !w->app->has_framed) {
        frame(w);
    }
    w->quality = (tlw_studio_quality)w->panels.quality;
    tlw_studio_set_quality(w->studio, w->quality);
    tlw_view_draw(w->app, w->picture, w->studio, w->area,
                  w->pixels_per_point * w->panels.text_scale, true);
    tlw_ui_begin(w->ui, w->panels.text_scale);
    tlw_view_show_panels(&w->panels, w->app, w->ui, points_wide(w), points_high(w));
    tlw_ui_end(w->ui);
    SDL_GL_SwapWindow(w->context.window);
    return TLW_EXIT_OK;
}

static tlw_exit_code run(window* w) {
    tlw_exit_code code = TLW_EXIT_OK;
    w->last_ns = w->title_ns = tlw_clock_ns();
    while (!w->has_ended && code == TLW_EXIT_OK) {
        for (SDL_Event e; SDL_PollEvent(&e);) {
            take_event(w, &e);
        }
        const uint64_t now = tlw_clock_ns();
        const double passed = (double)(now - w->last_ns) * 1e-9;
        w->last_ns = now;
        tlw_view_look(w->app, now);
        tlw_view_advance(w->app, passed);
        tlw_view_note_frame(w->app, (float)(passed * 1e3));
        if (measure(w)) {
            code = draw_frame(w);
        } else {
            SDL_Delay(HIDDEN_MS);
        }
        ++w->frames;
        write_title(w, now);
        write_layout(w, now);
    }
    // A window that never showed anything ends with the exit code of what went wrong.
    return code == TLW_EXIT_OK && !tlw_view_has_character(w->app) ? w->app->load_code : code;
}

// Systems that count pixels as points leave screens of high density to the program: there letters
// are as large as they would be at 96 pixels per inch, if that leaves room for the picture.
static float find_text_scale(const window* w) {
    const tlw_view_options* o = w->app->options;
    const int screen = SDL_GetWindowDisplayIndex(w->context.window);
    int points, high, pixels, pixels_high;
    float dpi = 0.0f;
    SDL_GetWindowSize(w->context.window, &points, &high);
    SDL_GL_GetDrawableSize(w->context.window, &pixels, &pixels_high);
    if (o->text_scale > 0.0f) {
        return o->text_scale;
    }
    if (points != pixels || screen < 0 || SDL_GetDisplayDPI(screen, &dpi, NULL, NULL) != 0) {
        return 1.0f;
    }
    const float room = (float)points / (2.0f * (TLW_VIEW_LEFT_POINTS + TLW_VIEW_RIGHT_POINTS));
    const float scale = 0.25f * floorf(4.0f * fminf(dpi / STANDARD_DPI, room));
    return fminf(fmaxf(scale, 1.0f), TLW_VIEW_TEXT_MOST);
}

static tlw_exit_code open_window(window* w) {
    char why[TLW_VIEW_WHY_BYTES];
    if (!tlw_view_context_open_window(&w->context, w->app->options->size, false, why)) {
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED,
                                w->context.window ? "%s" : "%s; --png writes pictures without one",
                                why);
    }
    w->studio = tlw_studio_create(w->size.width, w->size.height, why);
    if (w->studio == NULL) {
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED, "%s", why);
    }
    w->ui = tlw_ui_create(w->context.window, w->context.sdl_context);
    w->picture = tlw_view_picture_create();
    if (w->ui == NULL || w->picture == NULL) {
        return tlw_command_fail(
            &tlw_view_command, TLW_EXIT_FAILED,
            "the interface cannot be made: out of memory, or the driver refuses "
            "its shaders");
    }
    w->panels = tlw_default_view_panels();
    w->panels.quality = (uint32_t)tlw_studio_quality_of_driver();
    w->panels.driver = (const char*)glGetString(GL_RENDERER);
    w->panels.text_scale = find_text_scale(w);
    SDL_GL_SetSwapInterval(1);
    return TLW_EXIT_OK;
}

tlw_exit_code tlw_view_run_window(tlw_view_app* app) {
    window w = {.app = app,
                .size = app->options->size,
                .pixels_per_point = 1.0f,
                .last_colour = TLW_VIEW_COLOUR_DEVIATION};
    tlw_exit_code code = open_window(&w);
    if (code == TLW_EXIT_OK) {
        code = run(&w);
    }
    tlw_view_picture_free(w.picture);
    tlw_ui_free(w.ui);
    tlw_studio_free(w.studio);
    tlw_view_context_close(&w.context);
    return code;
}
