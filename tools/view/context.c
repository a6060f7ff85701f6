// SPDX-License-Identifier: MIT
// Opens contexts of OpenGL. Without a window it tries, in this order: EGL without any surface
// (EGL_MESA_platform_surfaceless), EGL's default display, and a hidden window of SDL, for which a
// virtual display such as Xvfb will do.
#include "tools/view/context.h"

#include <SDL.h>
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <stdio.h>
#include <stdlib.h>

#define VERSION_NEEDED 33 // as epoxy_gl_version counts

static bool check_version(char why[TLW_VIEW_WHY_BYTES]) {
    const int version = epoxy_gl_version();
    if (version < VERSION_NEEDED || !epoxy_is_desktop_gl()) {
        snprintf(why, TLW_VIEW_WHY_BYTES, "OpenGL 3.3 is needed, and the driver has %s %d.%d (%s)",
                 epoxy_is_desktop_gl() ? "OpenGL" : "OpenGL ES", version / 10, version % 10,
                 (const char*)glGetString(GL_RENDERER));
        return false;
    }
    return true;
}

// ---- EGL

typedef enum egl_result { EGL_OPEN, EGL_NOT_THERE, EGL_TOO_OLD } egl_result;

// libepoxy ends the process where there is no EGL, so this looks first.
static bool has_egl(void) {
    void* library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library) {
        dlclose(library);
    }
    return library != NULL;
}

static bool make_current(tlw_view_context* c, EGLConfig config, const EGLint* attributes) {
    c->egl_context = eglCreateContext(c->display, config, EGL_NO_CONTEXT, attributes);
    if (c->egl_context == EGL_NO_CONTEXT) {
        return false;
    }
    if (eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->egl_context)) {
        return true;
    }
    static const EGLint small[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    c->surface = eglCreatePbufferSurface(c->display, config, small);
    return c->surface && eglMakeCurrent(c->display, c->surface, c->surface, c->egl_context);
}

static void close_egl(tlw_view_context* c) {
    eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (c->surface) {
        eglDestroySurface(c->display, c->surface);
    }
    if (c->egl_context) {
        eglDestroyContext(c->display, c->egl_context);
    }
    eglTerminate(c->display);
    *c = (tlw_view_context){0};
}

// A driver that has no 3.3 still has a context that says what it has.
static egl_result open_display(tlw_view_context* c, EGLDisplay display,
                               char why[TLW_VIEW_WHY_BYTES]) {
    static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
    static const EGLint any[] = {EGL_NONE};
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        return EGL_NOT_THERE;
    }
    c->display = display;
    if (eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, wanted, &config, 1, &count) &&
        count > 0) {
        if (make_current(c, config, core) || make_current(c, config, any)) {
            return check_version(why) ? EGL_OPEN : EGL_TOO_OLD;
        }
    }
    close_egl(c);
    return EGL_NOT_THERE;
}

static egl_result open_egl(tlw_view_context* c, char why[TLW_VIEW_WHY_BYTES]) {
    if (!has_egl()) {
        return EGL_NOT_THERE;
    }
    egl_result result = EGL_NOT_THERE;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        result = open_display(
            c, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
            why);
    }
    return result == EGL_NOT_THERE ? open_display(c, eglGetDisplay(EGL_DEFAULT_DISPLAY), why)
                                   : result;
}

// ---- SDL

// A context of any version, only to say which one there is.
static bool open_any(tlw_view_context* c, char why[TLW_VIEW_WHY_BYTES]) {
    snprintf(why, TLW_VIEW_WHY_BYTES, "OpenGL 3.3 is needed: %s", SDL_GetError());
    SDL_GL_ResetAttributes();
    c->sdl_context = SDL_GL_CreateContext(c->window);
    return c->sdl_context && check_version(why);
}

bool tlw_view_context_open_window(tlw_view_context* c, tlw_view_size size, bool is_hidden,
                                  char why[TLW_VIEW_WHY_BYTES]) {
    *c = (tlw_view_context){0};
    // Without either SDL would take a driver that shows nothing to anybody.
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) {
        snprintf(why, TLW_VIEW_WHY_BYTES, "no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
        return false;
    }
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        snprintf(why, TLW_VIEW_WHY_BYTES, "no display: %s", SDL_GetError());
        return false;
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    const uint32_t flags = SDL_WINDOW_OPENGL | SDL_WINDOW_ALLOW_HIGHDPI |
                           (is_hidden ? SDL_WINDOW_HIDDEN : SDL_WINDOW_RESIZABLE);
    c->window = SDL_CreateWindow(tlw_view_command.name, SDL_WINDOWPOS_CENTERED,
                                 SDL_WINDOWPOS_CENTERED, (int)size.width, (int)size.height, flags);
    if (c->window == NULL) {
        snprintf(why, TLW_VIEW_WHY_BYTES, "no window: %s", SDL_GetError());
        return false;
    }
    c->sdl_context = SDL_GL_CreateContext(c->window);
    return c->sdl_context ? check_version(why) : open_any(c, why);
}

bool tlw_view_context_open_windowless(tlw_view_context* c, char why[TLW_VIEW_WHY_BYTES]) {
    static const tlw_view_size small = {16, 16};
    *c = (tlw_view_context){0};
    const egl_result result = open_egl(c, why);
    if (result != EGL_NOT_THERE) {
        return result == EGL_OPEN;
    }
    char sdl_why[TLW_VIEW_WHY_BYTES];
    if (tlw_view_context_open_window(c, small, true, sdl_why)) {
        return true;
    }
    snprintf(why, TLW_VIEW_WHY_BYTES,
             "no EGL driver (Mesa's is in libegl-mesa0 and libgl1-mesa-dri), and %.300s", sdl_why);
    return false;
}

void tlw_view_context_close(tlw_view_context* c) {
    if (c->display) {
        close_egl(c);
    }
    if (c->sdl_context) {
        SDL_GL_DeleteContext(c->sdl_context);
    }
    if (c->window) {
        SDL_DestroyWindow(c->window);
    }
    if (SDL_WasInit(SDL_INIT_VIDEO)) {
        SDL_Quit();
    }
    *c = (tlw_view_context){0};
}
