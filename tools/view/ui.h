// SPDX-License-Identifier: MIT
// The interface of tallow-view in C: panels and controls over Dear ImGui, which only ui.cpp knows.
// A frame is drawn anew each time, and a control is a call that shows a value and says whether it
// was changed:
//
//     tlw_ui_begin(ui, text_scale);
//     if (tlw_ui_begin_panel(ui, "Materials", x, y, width, height)) {
//         changed = tlw_ui_slider(ui, "skin stiffness", &value, &(tlw_ui_range){...});
//     }
//     tlw_ui_end_panel(ui);
//     tlw_ui_end(ui); // draws over the window's framebuffer
//
// Labels are unique within their panel and scope (tlw_ui_push), and are what tests and scripts find
// controls by: tlw_ui_write_layout. What follows "##" in a label is not shown. Texts are UTF-8 in
// the letters of Latin.
#ifndef TLW_TOOLS_VIEW_UI_H
#define TLW_TOOLS_VIEW_UI_H

#include "platform/base.h"
#include "tools/render/picture.h"

#include <stdio.h>

TLW_EXTERN_C_BEGIN

typedef struct SDL_Window SDL_Window;
typedef union SDL_Event SDL_Event;
typedef struct tlw_ui tlw_ui;

// Lengths are points, of which a screen of high density has more than one pixel each.

// Null: out of memory, or the driver refused its shaders.
tlw_ui* tlw_ui_create(SDL_Window* window, void* sdl_context);
void tlw_ui_free(tlw_ui* ui);
// Hands an event to the interface. True: it was for the interface alone (the mouse is over a panel,
// or a number is being typed), and nothing else should act on it.
// Events wait until a frame can take them without losing any: a click takes at least two frames.
bool tlw_ui_take_event(tlw_ui* ui, const SDL_Event* event);
// Whether events wait that no frame has taken yet.
bool tlw_ui_has_events(const tlw_ui* ui);
// Whether a control has the mouse's button, or a text the keyboard.
bool tlw_ui_is_busy(const tlw_ui* ui);

// `text_scale` multiplies the size of letters and all that is measured by them: 1 is lines of 15
// points. It is held to 0.5 to 4.
void tlw_ui_begin(tlw_ui* ui, float text_scale);
void tlw_ui_end(tlw_ui* ui);

// A panel that stays at its place. False: it is folded; end it also then. A height of 0 is as much
// as what is in it needs, if the window has that much.
bool tlw_ui_begin_panel(tlw_ui* ui, const char* title, float x, float y, float width, float height);
void tlw_ui_end_panel(tlw_ui* ui);
// A box that is as large as what is in it, in the middle of the window, over everything.
void tlw_ui_begin_box(tlw_ui* ui, const char* title);
void tlw_ui_end_box(tlw_ui* ui);
// A heading that folds what follows it away. True: it is open.
bool tlw_ui_section(tlw_ui* ui, const char* label, bool is_open_at_first);
// What follows belongs to a scope of that name, so that labels in it may repeat others.
void tlw_ui_push(tlw_ui* ui, const char* scope);
void tlw_ui_pop(tlw_ui* ui);
// The next control stands beside the last one, not below it.
void tlw_ui_beside(tlw_ui* ui);
// The same, that many points from the panel's left edge, times the text scale: a column.
void tlw_ui_beside_at(tlw_ui* ui, float points);
void tlw_ui_line(tlw_ui* ui);

void tlw_ui_text(tlw_ui* ui, const char* format, ...) TLW_PRINTF(2, 3);
// Paler: what explains.
void tlw_ui_note(tlw_ui* ui, const char* format, ...) TLW_PRINTF(2, 3);
// In the colour of warnings, after a mark that is not a colour, broken into lines.
void tlw_ui_warning(tlw_ui* ui, const char* format, ...) TLW_PRINTF(2, 3);
// A filled square and a text beside it: a row of a legend.
void tlw_ui_swatch(tlw_ui* ui, tlw_rgb colour, const char* text);
// What the last control does; shown when the mouse rests on it.
void tlw_ui_hint(tlw_ui* ui, const char* text);
void tlw_ui_progress(tlw_ui* ui, float share, const char* text);

// True once, when it was pressed.
bool tlw_ui_button(tlw_ui* ui, const char* label);
// A button that cannot be pressed while `is_enabled` is false.
bool tlw_ui_button_if(tlw_ui* ui, const char* label, bool is_enabled);
// True when the value was changed.
bool tlw_ui_toggle(tlw_ui* ui, const char* label, bool* value);
// One of a list of names. True when another was chosen.
bool tlw_ui_choice(tlw_ui* ui, const char* label, uint32_t* chosen, const char* const* names,
                   uint32_t count);

// Draws a line of text that can be edited. Returns true when it was changed.
bool tlw_ui_text_field(tlw_ui* ui, const char* label, char* text, size_t room);

typedef struct tlw_ui_range {
    float low, high;
    bool is_log;        // steps are equal factors; low may be 0, which then is its own step
    const char* format; // of printf for one double, with the unit: "%.2f m/s^2"
} tlw_ui_range;

// How a value was changed. One undo step goes from the last DONE to the next.
typedef enum tlw_ui_edit {
    TLW_UI_KEPT,
    TLW_UI_MOVING, // it was changed, and is still being dragged
    TLW_UI_DONE    // it was changed, or let go after it had been
} tlw_ui_edit;

// Ctrl and a click, or the return key, turn a slider into a text field; what is typed is held to
// the range. Tab goes from one to the next, also into the first panel, and escape leaves.
tlw_ui_edit tlw_ui_slider(tlw_ui* ui, const char* label, float* value, const tlw_ui_range* range);
tlw_ui_edit tlw_ui_slider_int(tlw_ui* ui, const char* label, uint32_t* value, uint32_t low,
                              uint32_t high);

// A graph as wide as its panel. Values count from the oldest to the newest, and the newest is at
// the right edge.
typedef struct tlw_ui_series {
    const char* name; // of the legend
    tlw_rgb colour;
    const float* values; // `capacity` of them, used as a ring
} tlw_ui_series;

typedef struct tlw_ui_graph {
    const char* label;
    float height; // points
    const tlw_ui_series* series;
    uint32_t series_count;
    uint32_t capacity, count, next; // of the rings: how many are filled, and where the next goes
    bool is_stacked;                // areas on top of each other; otherwise lines
    float low, high;                // of the axis; equal: found from the values, 0 among them
    bool has_mark;                  // a line across the graph, such as a budget
    float mark;
    const char* unit; // "ms"; written at the ends of the axis and at the mark
} tlw_ui_graph;

void tlw_ui_draw_graph(tlw_ui* ui, const tlw_ui_graph* graph);

// Writes where every control of the last frame was, one per line, for tests and scripts that have a
// mouse. Fields are separated by tabs: PANEL/SCOPE/LABEL, x, y, width and height in points from the
// window's top left corner, and what the control showed: a value, "on" or "off", "open" or
// "folded", and nothing or "disabled" for buttons. For a slider and a choice the rectangle is that
// of the bar without the label. A panel's own line has its title bar. The names of an open choice
// follow as PANEL/SCOPE/LABEL/NAME. What is scrolled out of its panel has width and height 0.
void tlw_ui_write_layout(const tlw_ui* ui, FILE* out);

TLW_EXTERN_C_END

#endif
