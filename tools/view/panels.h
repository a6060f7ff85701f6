// SPDX-License-Identifier: MIT
// The panels of the window: what is shown and how it plays on the right, what the chosen character
// is made of on the left, graphs below the picture. Each control changes a field of the app, and
// nothing else does what a control does.
#ifndef TLW_TOOLS_VIEW_PANELS_H
#define TLW_TOOLS_VIEW_PANELS_H

#include "tools/view/app.h"
#include "tools/view/ui.h"

#define TLW_VIEW_LEFT_POINTS  320.0f // widths, times the text scale
#define TLW_VIEW_RIGHT_POINTS 280.0f
#define TLW_VIEW_TEXT_LEAST   0.75f
#define TLW_VIEW_TEXT_MOST    3.0f

// key, how it is written, what it does, the function of the window that does it
#define TLW_VIEW_KEYS(X)                                                        \
    X(SDLK_SPACE, "space", "pause and go on", pause)                            \
    X(SDLK_PERIOD, ".", "one step", step_once)                                  \
    X(SDLK_r, "r", "from the beginning, at rest", restart)                      \
    X(SDLK_n, "n", "next clip", next_clip)                                      \
    X(SDLK_p, "p", "previous clip", previous_clip)                              \
    X(SDLK_PLUS, "+", "faster", faster)                                         \
    X(SDLK_MINUS, "-", "slower", slower)                                        \
    X(SDLK_i, "i", "the clip's way over the ground, or in place", toggle_place) \
    X(SDLK_j, "j", "the noise of a capture, or none", toggle_noise)             \
    X(SDLK_0, "0", "limit frames to 60 steps per second, or not", toggle_limit) \
    X(SDLK_f, "f", "stand the camera where everything fits", frame)             \
    X(SDLK_LEFT, "left", "orbit; with shift: pan", turn_left)                   \
    X(SDLK_RIGHT, "right", "likewise", turn_right)                              \
    X(SDLK_UP, "up", "likewise", turn_up)                                       \
    X(SDLK_DOWN, "down", "likewise", turn_down)                                 \
    X(SDLK_PAGEUP, "page up", "nearer", nearer)                                 \
    X(SDLK_PAGEDOWN, "page down", "farther", farther)                           \
    X(SDLK_d, "d", "next colours", next_colour)                                 \
    X(SDLK_e, "e", "plain clay, and back", toggle_plain)                        \
    X(SDLK_b, "b", "throw a ball to the mouse", throw_ball)                     \
    X(SDLK_o, "o", "a floor that can be raised", toggle_plane)                  \
    X(SDLK_c, "c", "a capsule that the mouse moves", toggle_capsule)            \
    X(SDLK_z, "z", "pick the voxel under the mouse", pick)                      \
    X(SDLK_t, "t", "the stop test", stop_test)                                  \
    X(SDLK_x, "x", "two characters side by side, in step", toggle_compared)     \
    X(SDLK_1, "1", "the other one's values", other_side)                        \
    X(SDLK_u, "u", "undo", undo)                                                \
    X(SDLK_y, "y", "redo", redo)                                                \
    X(SDLK_a, "a", "all values as cooked", reset_values)                        \
    X(SDLK_w, "w", "write the recipe", save)                                    \
    X(SDLK_F5, "F5", "read all files again", reload)                            \
    X(SDLK_q, "q", "quality: full or fast", toggle_quality)                     \
    X(SDLK_F2, "F2", "panels", toggle_panels)                                   \
    X(SDLK_F3, "F3", "graphs", toggle_graphs)                                   \
    X(SDLK_RIGHTBRACKET, "]", "larger letters", larger_letters)                 \
    X(SDLK_LEFTBRACKET, "[", "smaller letters", smaller_letters)                \
    X(SDLK_h, "h", "keys", toggle_help)                                         \
    X(SDLK_ESCAPE, "escape", "end", end)

typedef struct tlw_view_panels {
    bool is_hidden, has_help;
    bool has_graphs, are_graphs_folded; // by their own headings
    float text_scale;                   // of letters and all that is measured by them
    float fade_seconds;
    char saved[TLW_VIEW_MESSAGE_BYTES]; // how the last saving went; empty: there was none
    bool has_saved;                     // it went well
    uint64_t saved_ns;                  // when
    uint32_t quality;                   // tlw_studio_quality
    const char* driver;                 // its name
} tlw_view_panels;

tlw_view_panels tlw_default_view_panels(void);

// How much of a window of that size is left for the picture, all in points: to the left, the right
// and below it are panels. 0 where there are none, or where they would leave next to nothing.
typedef struct tlw_view_margins {
    float left, right, bottom;
} tlw_view_margins;
tlw_view_margins tlw_view_panel_margins(const tlw_view_panels* panels, const tlw_view_app* app,
                                        float width, float height);
// Draws all panels into a window of that size, in points.
void tlw_view_show_panels(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui, float width,
                          float height);
// Writes the recipe with the values that were changed, and says how that went in panels->saved.
void tlw_view_save_recipe(tlw_view_panels* panels, tlw_view_app* app);

#endif
