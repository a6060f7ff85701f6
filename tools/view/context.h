// SPDX-License-Identifier: MIT
// Contexts of OpenGL 3.3 core: one without a window, by EGL or, where that is not possible, by a
// hidden window; and one of a window.
#ifndef TLW_TOOLS_VIEW_CONTEXT_H
#define TLW_TOOLS_VIEW_CONTEXT_H

#include "tools/view/gl.h"
#include "tools/view/options.h"

typedef struct SDL_Window SDL_Window;

typedef struct tlw_view_context {
    void *display, *surface, *egl_context; // of EGL; null: SDL's
    SDL_Window* window;
    void* sdl_context;
} tlw_view_context;

// Each makes a context and makes it current. False: `why` has one line that says what is missing.
// Close the context also then.
bool tlw_view_context_open_windowless(tlw_view_context* context, char why[TLW_VIEW_WHY_BYTES]);
bool tlw_view_context_open_window(tlw_view_context* context, tlw_view_size size, bool is_hidden,
                                  char why[TLW_VIEW_WHY_BYTES]);
void tlw_view_context_close(tlw_view_context* context);

#endif
