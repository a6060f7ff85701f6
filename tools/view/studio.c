// SPDX-License-Identifier: MIT
// The passes of a view, in order: depth as the key light and the sky see its bodies, bodies,
// ground, backdrop, glass, ghosts, overlay. Then the samples of each pixel are averaged.
#include "tools/view/studio.h"

#include "tools/view/shaders.h"
#include "tools/view/slots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAP_SIDE 1024
#define SKY_MAP_SIDE 256
#define GROUND_ROWS  48
#define GROUND_REACH 1.5f // in sizes of the character
#define SHADOW_REACH 0.75f

// Directions towards the lights: right, up and back of the camera they stand for.
static const float key_from[3] = {-0.44f, 0.66f, 0.61f}, fill_from[3] = {0.83f, 0.10f, 0.55f},
                   rim_from[3] = {0.62f, 0.42f, -0.66f};

// name, shaders of that name
#define PROGRAMS(X) X(depth) X(backdrop) X(ground) X(body) X(glass) X(ghost) X(overlay)

struct tlw_studio {
    struct {
#define PROGRAM_FIELD(name) GLuint name;
        PROGRAMS(PROGRAM_FIELD)
#undef PROGRAM_FIELD
    } programs;
    tlw_gl_shadow key, sky;
    tlw_gl_target target;
    tlw_slots slots[TLW_STUDIO_VIEWS_MAX];
    GLuint overlay_array, overlay;
    GLuint empty_array; // for what shaders make of vertex numbers alone
    tlw_studio_quality quality;
};

// ---- Making it

static bool make_programs(tlw_studio* s, char why[TLW_VIEW_WHY_BYTES]) {
#define PROGRAM_MAKE(name)                                                                    \
    s->programs.name =                                                                        \
        tlw_gl_program(#name, tlw_shader_##name##_vertex, tlw_shader_##name##_fragment, why); \
    if (s->programs.name == 0) {                                                              \
        return false;                                                                         \
    }
    PROGRAMS(PROGRAM_MAKE)
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
    if (!make_programs(s, why) || !tlw_gl_shadow_create(&s->key, KEY_MAP_SIDE, why) ||
        !tlw_gl_shadow_create(&s->sky, SKY_MAP_SIDE, why) ||
        !tlw_gl_target_create(&s->target, width, height, why)) {
        tlw_studio_free(s);
        return NULL;
    }
    make_arrays(s);
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
    tlw_gl_target_free(&s->target);
#define PROGRAM_FREE(name) tlw_gl_delete(TLW_GL_PROGRAM, &s->programs.name);
    PROGRAMS(PROGRAM_FREE)
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

typedef struct lights {
    float key[3], fill[3], rim[3];
    float key_map[16], sky_map[16]; // from the world to 0 to 1 in the map
} lights;

// What the passes of a view share.
typedef struct view {
    const tlw_studio_view* def;
    const tlw_slots* slots;
    float camera[16];
    float eye[3];
    lights lights;
} view;

// ---- Lights

static void direction_of(const float from[3], float yaw_degrees, float out[3]) {
    const tlw_view_camera level = {.yaw_degrees = yaw_degrees};
    const tlw_view_axes axes = tlw_view_camera_axes(&level);
    float length = 0.0f;
    for (int i = 0; i < 3; ++i) {
        out[i] = from[0] * axes.right[i] + from[1] * axes.up[i] + from[2] * axes.back[i];
        length += out[i] * out[i];
    }
    for (int i = 0; i < 3; ++i) {
        out[i] /= sqrtf(length);
    }
}

// A parallel projection along a light onto a square about the character. Its middle is moved to
// whole texels, so that shadows do not shimmer when the character moves.
static void light_matrix(const tlw_studio_view* def, const float towards[3], GLsizei side,
                         float matrix[16]) {
    const float helper[3] = {fabsf(towards[1]) > 0.99f ? 1.0f : 0.0f,
                             fabsf(towards[1]) > 0.99f ? 0.0f : 1.0f, 0.0f};
    float rows[3][3];
    const float *z = towards, *h = helper;
    const float right[3] = {h[1] * z[2] - h[2] * z[1], h[2] * z[0] - h[0] * z[2],
                            h[0] * z[1] - h[1] * z[0]};
    const float length = sqrtf(right[0] * right[0] + right[1] * right[1] + right[2] * right[2]);
    for (int i = 0; i < 3; ++i) {
        rows[0][i] = right[i] / length;
        rows[2][i] = z[i];
    }
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rows[1][i] = z[j] * rows[0][k] - z[k] * rows[0][j];
    }
    const float reach = SHADOW_REACH * def->size, texel = 2.0f * reach / (float)side;
    const float middle[3] = {def->centre[0], def->centre[1] + 0.5f * def->size, def->centre[2]};
    memset(matrix, 0, 16 * sizeof *matrix);
    matrix[15] = 1.0f;
    for (int row = 0; row < 3; ++row) {
        float at = 0.0f;
        for (int i = 0; i < 3; ++i) {
            at += rows[row][i] * middle[i];
        }
        // Depth grows away from the light, over a longer way.
        const float scale = row < 2 ? 1.0f / reach : -1.0f / (3.0f * reach);
        at = row < 2 ? texel * floorf(at / texel) : at;
        for (int i = 0; i < 3; ++i) {
            matrix[i * 4 + row] = scale * rows[row][i];
        }
        matrix[12 + row] = -scale * at;
    }
}

// Draws the meshes of one look with the program in use.
static void draw_meshes(const view* v, tlw_studio_look look) {
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        if (v->def->meshes[i].look == look) {
            tlw_slot_draw(&v->slots->list[i], &v->def->meshes[i]);
        }
    }
}

static void draw_depth(tlw_studio* s, const view* v, const tlw_gl_shadow* shadow,
                       const float matrix[16]) {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(0, 0, shadow->side, shadow->side);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(s->programs.depth);
    tlw_gl_set_matrix(s->programs.depth, "camera", matrix);
    draw_meshes(v, TLW_LOOK_BODY);
}

static void draw_shadows(tlw_studio* s, view* v) {
    static const float above[3] = {0.0f, 1.0f, 0.0f};
    static const float to_map[16] = {0.5f, 0, 0,    0, 0,    0.5f, 0,    0,
                                     0,    0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1.0f};
    lights* l = &v->lights;
    float key[16], sky[16];
    direction_of(key_from, v->def->light_yaw_degrees, l->key);
    direction_of(fill_from, v->def->light_yaw_degrees, l->fill);
    direction_of(rim_from, v->def->light_yaw_degrees, l->rim);
    light_matrix(v->def, l->key, KEY_MAP_SIDE, key);
    light_matrix(v->def, above, SKY_MAP_SIDE, sky);
    glEnable(GL_DEPTH_TEST);
    draw_depth(s, v, &s->key, key);
    draw_depth(s, v, &s->sky, sky);
    tlw_view_multiply(to_map, key, l->key_map);
    tlw_view_multiply(to_map, sky, l->sky_map);
}

// ---- The picture

// Sets what the programs that draw shadows read: both shadow maps and their matrices.
static void set_shadows(const tlw_studio* s, GLuint program, const lights* l) {
    tlw_gl_set_matrix(program, "key_map", l->key_map);
    tlw_gl_set_matrix(program, "sky_map", l->sky_map);
    tlw_gl_set_int(program, "key_depth", 0);
    tlw_gl_set_int(program, "sky_depth", 1);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, s->sky.texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->key.texture);
}

// Where nothing else is.
static void draw_backdrop(const tlw_studio* s) {
    glUseProgram(s->programs.backdrop);
    glBindVertexArray(s->empty_array);
    glDepthFunc(GL_LEQUAL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_LESS);
}

// The first row of an area, counted from the bottom of the picture.
static float bottom_of(const tlw_studio* s, const tlw_view_area* area) {
    return (float)s->target.height - (float)(area->y + area->height);
}

// From below the ground there is none to see.
static void draw_ground(const tlw_studio* s, const view* v) {
    if (v->eye[1] <= v->def->centre[1]) {
        return;
    }
    const GLuint program = s->programs.ground;
    glBindVertexArray(s->empty_array);
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_vec3(program, "centre", v->def->centre);
    tlw_gl_set_float(program, "reach", GROUND_REACH * v->def->size);
    tlw_gl_set_vec2(program, "rows", bottom_of(s, &v->def->area), (float)v->def->area.height);
    set_shadows(s, program, &v->lights);
    tlw_gl_set_int(program, "cells", GROUND_ROWS);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (GROUND_ROWS + 1), GROUND_ROWS);
}

// Sets what the programs that light surfaces read.
static void set_surface(const tlw_studio* s, GLuint program, const view* v) {
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_float(program, "size", v->def->size);
    tlw_gl_set_vec3(program, "eye", v->eye);
    tlw_gl_set_vec3(program, "key_light", v->lights.key);
    tlw_gl_set_vec3(program, "fill_light", v->lights.fill);
    tlw_gl_set_vec3(program, "rim_light", v->lights.rim);
    set_shadows(s, program, &v->lights);
}

// Draws only depth, with the same positions as the program that follows.
static void draw_depth_first(const tlw_studio* s, const view* v, tlw_studio_look look) {
    glUseProgram(s->programs.depth);
    tlw_gl_set_matrix(s->programs.depth, "camera", v->camera);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_meshes(v, look);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

// Their depth is drawn first, so that only what is seen is lit.
static void draw_bodies(const tlw_studio* s, const view* v) {
    glEnable(GL_DEPTH_TEST);
    draw_depth_first(s, v, TLW_LOOK_BODY);
    glDepthFunc(GL_LEQUAL);
    glUseProgram(s->programs.body);
    set_surface(s, s->programs.body, v);
    draw_meshes(v, TLW_LOOK_BODY);
    glDepthFunc(GL_LESS);
}

// In front of bodies and ground. Its far side is drawn before its near side.
static void draw_glass(const tlw_studio* s, const view* v) {
    glUseProgram(s->programs.glass);
    glEnable(GL_BLEND);
    glEnable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        const tlw_studio_mesh* mesh = &v->def->meshes[i];
        if (mesh->look == TLW_LOOK_GLASS) {
            set_surface(s, s->programs.glass, v);
            tlw_gl_set_float(s->programs.glass, "opacity", mesh->opacity);
            glCullFace(GL_FRONT);
            tlw_slot_draw(&v->slots->list[i], mesh);
            glCullFace(GL_BACK);
            tlw_slot_draw(&v->slots->list[i], mesh);
        }
    }
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}

// Over everything, but only the nearest surface: its depth is drawn first.
static void draw_ghosts(const tlw_studio* s, const view* v) {
    const GLuint program = s->programs.ghost;
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_depth_first(s, v, TLW_LOOK_GHOST);
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_vec3(program, "eye", v->eye);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
    draw_meshes(v, TLW_LOOK_GHOST);
    glDisable(GL_BLEND);
    glDepthFunc(GL_LESS);
}

static void draw_overlay(const tlw_studio* s, const tlw_overlay* overlay) {
    if (overlay == NULL) {
        return;
    }
    tlw_gl_stream(s->overlay, overlay->corners, overlay->count * sizeof *overlay->corners);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glViewport(0, 0, (GLsizei)s->target.width, (GLsizei)s->target.height);
    glUseProgram(s->programs.overlay);
    tlw_gl_set_vec2(s->programs.overlay, "size", (float)s->target.width, (float)s->target.height);
    glBindVertexArray(s->overlay_array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)overlay->count);
    glDisable(GL_BLEND);
}

static void draw_view(tlw_studio* s, const tlw_studio_view* def, const tlw_slots* slots) {
    const tlw_view_area* area = &def->area;
    const GLint bottom = (GLint)bottom_of(s, area);
    const GLsizei width = (GLsizei)area->width, height = (GLsizei)area->height;
    const tlw_view_axes axes = tlw_view_camera_axes(def->camera);
    view v = {.def = def, .slots = slots, .eye = {axes.eye[0], axes.eye[1], axes.eye[2]}};
    tlw_view_camera_matrix(def->camera, area->width, area->height, v.camera);
    draw_shadows(s, &v);
    glBindFramebuffer(GL_FRAMEBUFFER, s->target.framebuffer);
    glViewport((GLint)area->x, bottom, width, height);
    glScissor((GLint)area->x, bottom, width, height);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_bodies(s, &v);
    draw_ground(s, &v);
    draw_backdrop(s);
    draw_glass(s, &v);
    draw_ghosts(s, &v);
    draw_overlay(s, def->overlay);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_SCISSOR_TEST);
}

void tlw_studio_draw(tlw_studio* s, const tlw_studio_view* views, uint32_t view_count) {
    for (uint32_t v = 0; v < TLW_STUDIO_VIEWS_MAX; ++v) {
        if (v >= view_count) {
            tlw_slots_free(&s->slots[v]);
        } else if (tlw_slots_load(&s->slots[v], &views[v])) {
            draw_view(s, &views[v], &s->slots[v]);
        }
    }
    tlw_gl_target_resolve(&s->target);
}

void tlw_studio_show(tlw_studio* s, const tlw_studio_view* views, uint32_t view_count) {
    tlw_studio_draw(s, views, view_count);
    tlw_studio_present(s);
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
