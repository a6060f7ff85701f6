// SPDX-License-Identifier: MIT
// The studio as its callers see it: makes and frees what it keeps, and draws views by the passes of
// its quality (full.c, fast.c).
#include "tools/view/studio.h"

#include "tools/view/passes.h"
#include "tools/view/shaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FULL_SIDE 4 // of the texture that stands for letters until there are some

// ---- Making it

static bool make_programs(tlw_studio* s, char why[TLW_VIEW_WHY_BYTES]) {
#define PROGRAM_MAKE(name)                                                                    \
    s->programs.name =                                                                        \
        tlw_gl_program(#name, tlw_shader_##name##_vertex, tlw_shader_##name##_fragment, why); \
    if (s->programs.name == 0) {                                                              \
        return false;                                                                         \
    }
    TLW_STUDIO_PROGRAMS(PROGRAM_MAKE)
#undef PROGRAM_MAKE
    return true;
}

static GLuint make_array(void) {
    const GLuint array = tlw_gl_make(TLW_GL_ARRAY);
    glBindVertexArray(array);
    return array;
}

static void make_arrays(tlw_studio* s) {
    const GLsizei corner = (GLsizei)sizeof(tlw_overlay_corner);
    s->overlay_array = make_array();
    s->overlay = tlw_gl_attribute(0, 2, GL_FLOAT);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, corner, NULL);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, corner,
                          (const void*)offsetof(tlw_overlay_corner, r));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, corner,
                          (const void*)offsetof(tlw_overlay_corner, u));
    glEnableVertexAttribArray(2);
    s->empty_array = make_array();
}

tlw_studio_quality tlw_studio_quality_of_driver(void) {
    static const char* const on_the_cpu[] = {"llvmpipe", "softpipe", "swrast", "Software"};
    const char* driver = (const char*)glGetString(GL_RENDERER);
    for (size_t i = 0; driver && i < TLW_COUNT_OF(on_the_cpu); ++i) {
        if (strstr(driver, on_the_cpu[i])) {
            return TLW_STUDIO_FAST;
        }
    }
    return TLW_STUDIO_FULL;
}

tlw_studio* tlw_studio_create(uint32_t width, uint32_t height, char why[TLW_VIEW_WHY_BYTES]) {
    tlw_studio* s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(why, TLW_VIEW_WHY_BYTES, "out of memory");
        return NULL;
    }
    if (!make_programs(s, why) || !tlw_gl_shadow_create(&s->key, TLW_KEY_MAP_SIDE, why) ||
        !tlw_gl_shadow_create(&s->sky, TLW_SKY_MAP_SIDE, why) ||
        !tlw_gl_shadow_create(&s->fast_key, TLW_KEY_MAP_SIDE_FAST, why) ||
        !tlw_gl_target_create(&s->target, width, height, why)) {
        tlw_studio_free(s);
        return NULL;
    }
    make_arrays(s);
    s->shade_texture = tlw_gl_grey(TLW_SHADE_SIDE);
    s->letters_texture = tlw_gl_grey(FULL_SIDE);
    const uint8_t full[FULL_SIDE * FULL_SIDE] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                 255, 255, 255, 255, 255, 255, 255, 255};
    tlw_gl_fill_grey(s->letters_texture, FULL_SIDE, FULL_SIDE, full);
    return s;
}

void tlw_studio_free(tlw_studio* s) {
    if (s == NULL) {
        return;
    }
    for (uint32_t v = 0; v < TLW_STUDIO_VIEWS_MAX; ++v) {
        tlw_slots_free(&s->slots[v]);
    }
    tlw_gl_delete(TLW_GL_BUFFER, &s->overlay);
    tlw_gl_delete(TLW_GL_ARRAY, &s->overlay_array);
    tlw_gl_delete(TLW_GL_ARRAY, &s->empty_array);
    tlw_gl_shadow_free(&s->key);
    tlw_gl_shadow_free(&s->sky);
    tlw_gl_shadow_free(&s->fast_key);
    tlw_gl_delete(TLW_GL_TEXTURE, &s->shade_texture);
    tlw_gl_delete(TLW_GL_TEXTURE, &s->letters_texture);
    tlw_gl_target_free(&s->target);
#define PROGRAM_FREE(name) tlw_gl_delete(TLW_GL_PROGRAM, &s->programs.name);
    TLW_STUDIO_PROGRAMS(PROGRAM_FREE)
#undef PROGRAM_FREE
    free(s);
}

void tlw_studio_set_quality(tlw_studio* s, tlw_studio_quality quality) {
    s->quality = quality;
}

bool tlw_studio_resize(tlw_studio* s, uint32_t width, uint32_t height,
                       char why[TLW_VIEW_WHY_BYTES]) {
    if (width == s->target.width && height == s->target.height) {
        return true;
    }
    tlw_gl_target_free(&s->target);
    return tlw_gl_target_create(&s->target, width, height, why);
}

// ---- Drawing

static void load_letters(tlw_studio* s, const tlw_overlay* overlay) {
    const tlw_letters* l = overlay ? overlay->letters : NULL;
    if (l && l->stamp != s->letters_stamp) {
        tlw_gl_fill_grey(s->letters_texture, (GLsizei)l->width, (GLsizei)l->height, l->grey);
        s->letters_stamp = l->stamp;
    }
}

static void draw_views(tlw_studio* s, const tlw_studio_view* views, uint32_t view_count,
                       GLuint framebuffer) {
    if (view_count == 0) { // a window without a character has only its messages
        tlw_pass_clear(framebuffer);
    }
    for (uint32_t i = 0; i < TLW_STUDIO_VIEWS_MAX; ++i) {
        if (i >= view_count) {
            tlw_slots_free(&s->slots[i]);
        } else if (tlw_slots_load(&s->slots[i], &views[i])) {
            load_letters(s, views[i].overlay);
            tlw_pass_view v = tlw_pass_begin(s, &views[i], &s->slots[i], framebuffer);
            v.is_first = i == 0;
            if (s->quality == TLW_STUDIO_FAST) {
                tlw_pass_draw_fast(s, &v);
            } else {
                tlw_pass_draw_full(s, &v);
            }
        }
    }
}

void tlw_studio_draw(tlw_studio* s, const tlw_studio_view* views, uint32_t view_count) {
    if (s->quality == TLW_STUDIO_FAST) {
        draw_views(s, views, view_count, s->target.resolved);
    } else {
        draw_views(s, views, view_count, s->target.framebuffer);
        tlw_gl_target_resolve(&s->target);
    }
}

void tlw_studio_show(tlw_studio* s, const tlw_studio_view* views, uint32_t view_count) {
    if (s->quality == TLW_STUDIO_FAST) {
        draw_views(s, views, view_count, 0);
    } else {
        tlw_studio_draw(s, views, view_count);
        tlw_studio_present(s);
    }
}

void tlw_studio_present(const tlw_studio* s) {
    const GLint w = (GLint)s->target.width, h = (GLint)s->target.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->target.resolved);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void tlw_studio_read(const tlw_studio* s, uint8_t* rgba) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->target.resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, (GLsizei)s->target.width, (GLsizei)s->target.height, GL_RGBA,
                 GL_UNSIGNED_BYTE, rgba);
}
