// SPDX-License-Identifier: MIT
// The window: mouse and keys, real time, and the frame time in the title.
#include "platform/clock.h"
#include "tools/view/app.h"
#include "tools/view/context.h"

#include <SDL.h>
#include <stdio.h>

#define FRAME_SECONDS  (1.0 / 60.0)
#define SECONDS_MOST   0.1 // that one frame makes up for after a pause of the program
#define SPEED_LEAST    (1.0 / 64.0)
#define SPEED_MOST     4.0
#define TITLE_EVERY_NS 500000000u
#define HELP_SECONDS   6.0 // that the title shows the keys

// key, how it is written, what it does
#define KEYS(X)                                              \
    X(SDLK_SPACE, "space", "pause and go on", pause)         \
    X(SDLK_PERIOD, ".", "one frame", single_step)            \
    X(SDLK_r, "r", "from the beginning", restart)            \
    X(SDLK_n, "n", "next clip", next_clip)                   \
    X(SDLK_p, "p", "previous clip", previous_clip)           \
    X(SDLK_PLUS, "+", "faster", faster)                      \
    X(SDLK_MINUS, "-", "slower", slower)                     \
    X(SDLK_d, "d", "colours by deviation", toggle_deviation) \
    X(SDLK_g, "g", "ghost of skinning alone", toggle_ghost)  \
    X(SDLK_m, "m", "muscles' lines", toggle_muscles)         \
    X(SDLK_h, "h", "keys", show_help)                        \
    X(SDLK_ESCAPE, "escape", "end", end)

typedef struct window {
    tlw_view_app* app;
    tlw_view_context context;
    tlw_studio* studio;
    tlw_view_size size;     // of the framebuffer
    float pixels_per_point; // a mouse counts points
    bool is_paused, has_ended;
    double speed;
    uint64_t last_ns, title_ns, help_until_ns;
    uint32_t frames; // since the title was written
} window;

// ---- Keys

static void pause(window* w) {
    w->is_paused = !w->is_paused;
}

static void single_step(window* w) {
    w->is_paused = true;
    tlw_view_advance(w->app, FRAME_SECONDS);
}

static void restart(window* w) {
    tlw_view_start(w->app);
}

static void next_clip(window* w) {
    tlw_view_change_clip(w->app, 1);
}

static void previous_clip(window* w) {
    tlw_view_change_clip(w->app, -1);
}

static void faster(window* w) {
    w->speed = w->speed < SPEED_MOST ? w->speed * 2.0 : w->speed;
}

static void slower(window* w) {
    w->speed = w->speed > SPEED_LEAST ? w->speed * 0.5 : w->speed;
}

static void toggle_deviation(window* w) {
    w->app->shown.has_deviation = !w->app->shown.has_deviation;
}

static void toggle_ghost(window* w) {
    w->app->shown.has_ghost = !w->app->shown.has_ghost;
}

static void toggle_muscles(window* w) {
    w->app->shown.has_muscles = !w->app->shown.has_muscles;
}

static void show_help(window* w) {
    printf("mouse: left pulls tissue, right orbits, middle pans, wheel zooms\n");
#define KEY_LINE(key, name, meaning, action) printf("  %-8s%s\n", name, meaning);
    KEYS(KEY_LINE)
#undef KEY_LINE
    fflush(stdout);
    w->help_until_ns = tlw_clock_ns() + (uint64_t)(HELP_SECONDS * 1e9);
    w->title_ns = 0;
}

static void end(window* w) {
    w->has_ended = true;
}

static void press_key(window* w, SDL_Keycode pressed) {
    pressed = pressed == SDLK_KP_PLUS || pressed == SDLK_EQUALS ? SDLK_PLUS
              : pressed == SDLK_KP_MINUS                        ? SDLK_MINUS
                                                                : pressed;
#define KEY_ACT(key, name, meaning, action) \
    if (pressed == (key)) {                 \
        action(w);                          \
    }
    KEYS(KEY_ACT)
#undef KEY_ACT
}

// ---- Mouse

static void move_mouse(window* w, const SDL_MouseMotionEvent* e) {
    const float scale = w->pixels_per_point;
    const float dx = scale * (float)e->xrel, dy = scale * (float)e->yrel;
    const float at[2] = {scale * (float)e->x, scale * (float)e->y};
    if (e->state & SDL_BUTTON_RMASK) {
        tlw_view_camera_orbit(&w->app->camera, w->size.height, dx, dy);
    } else if (e->state & SDL_BUTTON_MMASK) {
        tlw_view_camera_pan(&w->app->camera, w->size.height, dx, dy);
    }
    tlw_view_pull(w->app, w->size, at);
}

static void press_button(window* w, const SDL_MouseButtonEvent* e) {
    const float at[2] = {w->pixels_per_point * (float)e->x, w->pixels_per_point * (float)e->y};
    if (e->button == SDL_BUTTON_LEFT && e->type == SDL_MOUSEBUTTONDOWN) {
        (void)tlw_view_grab(w->app, w->size, at);
    } else if (e->button == SDL_BUTTON_LEFT) {
        tlw_view_let_go(w->app);
    }
}

static void take_event(window* w, const SDL_Event* e) {
    switch (e->type) {
    case SDL_QUIT:
        w->has_ended = true;
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

// ---- Frames

static void write_title(window* w, uint64_t now) {
    char title[512];
    if (now - w->title_ns < TITLE_EVERY_NS) {
        return;
    }
    if (now < w->help_until_ns) {
        snprintf(title, sizeof title, "%s",
#define KEY_TITLE(key, name, meaning, action) name ": " meaning "  "
                 KEYS(KEY_TITLE)
#undef KEY_TITLE
        );
    } else {
        const double ms = w->frames ? (double)(now - w->title_ns) * 1e-6 / w->frames : 0.0;
        snprintf(title, sizeof title, "%s: %s, %.1f ms per frame, %g times%s; h: keys",
                 w->app->actor.name, tlw_actor_clip_name(&w->app->actor, w->app->scene->clip), ms,
                 w->speed, w->is_paused ? ", paused" : "");
    }
    SDL_SetWindowTitle(w->context.window, title);
    w->title_ns = now;
    w->frames = 0;
}

// A minimised window has no pixels.
static tlw_exit_code draw_frame(window* w) {
    char why[TLW_VIEW_WHY_BYTES];
    int points, ignored, width, height;
    SDL_GetWindowSize(w->context.window, &points, &ignored);
    SDL_GL_GetDrawableSize(w->context.window, &width, &height);
    if (width <= 0 || height <= 0 || points <= 0) {
        SDL_Delay(16);
        return TLW_EXIT_OK;
    }
    w->size = (tlw_view_size){(uint32_t)width, (uint32_t)height};
    w->pixels_per_point = (float)width / (float)points;
    if (!tlw_studio_resize(w->studio, w->size.width, w->size.height, why)) {
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED, "%s", why);
    }
    tlw_view_draw(w->app, w->studio, w->size);
    tlw_studio_present(w->studio);
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
        if (!w->is_paused) {
            tlw_view_advance(w->app, w->speed * (passed < SECONDS_MOST ? passed : SECONDS_MOST));
        }
        code = draw_frame(w);
        ++w->frames;
        write_title(w, now);
    }
    return code;
}

tlw_exit_code tlw_view_run_window(tlw_view_app* app) {
    char why[TLW_VIEW_WHY_BYTES];
    window w = {.app = app, .size = app->options->size, .pixels_per_point = 1.0f, .speed = 1.0};
    tlw_exit_code code;
    if (!tlw_view_context_open_window(&w.context, app->options->size, false, why)) {
        code = tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED,
                                "%s; --png writes pictures without one", why);
    } else if ((w.studio = tlw_studio_create(w.size.width, w.size.height, why)) == NULL) {
        code = tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED, "%s", why);
    } else {
        SDL_GL_SetSwapInterval(1);
        show_help(&w);
        code = run(&w);
    }
    tlw_studio_free(w.studio);
    tlw_view_context_close(&w.context);
    return code;
}
