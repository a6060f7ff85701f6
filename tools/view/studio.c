// SPDX-License-Identifier: MIT
// The passes of a picture, in order: depth as the key light and the sky see the character,
// backdrop, ground, character, ghost, overlay. Then the samples of each pixel are averaged.
#include "tools/view/studio.h"

#include "tools/render/render.h"
#include "tools/view/shaders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAP_SIDE 1024
#define SKY_MAP_SIDE 256
#define RAMP_COLOURS 256
#define GROUND_ROWS  48
#define GROUND_REACH 1.5f // in sizes of the character
#define SHADOW_REACH 0.75f

// Directions towards the lights: right, up and back of the camera they stand for.
static const float key_from[3] = {-0.44f, 0.66f, 0.61f}, fill_from[3] = {0.83f, 0.10f, 0.55f},
                   rim_from[3] = {0.62f, 0.42f, -0.66f};

// name, shaders of that name
#define PROGRAMS(X) X(depth) X(backdrop) X(ground) X(body) X(ghost) X(overlay)

struct tlw_studio {
    struct {
#define PROGRAM_FIELD(name) GLuint name;
        PROGRAMS(PROGRAM_FIELD)
#undef PROGRAM_FIELD
    } programs;
    GLuint ramp;
    tlw_gl_shadow key, sky;
    tlw_gl_target target;
    GLsizei index_count;
    GLuint indices;
    GLuint body_array, positions, normals, heat;
    GLuint ghost_array, ghost_positions;
    GLuint overlay_array, overlay;
    GLuint empty_array; // for what shaders make of vertex numbers alone
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

static void make_ramp(tlw_studio* s, tlw_rgb cold) {
    uint8_t texels[RAMP_COLOURS][3];
    for (int i = 0; i < RAMP_COLOURS; ++i) {
        const tlw_rgb c = tlw_render_heat_colour(cold, (float)i / (RAMP_COLOURS - 1));
        const float channels[3] = {c.r, c.g, c.b};
        for (int k = 0; k < 3; ++k) {
            texels[i][k] = (uint8_t)(channels[k] * 255.0f + 0.5f);
        }
    }
    glGenTextures(1, &s->ramp);
    glBindTexture(GL_TEXTURE_2D, s->ramp);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, RAMP_COLOURS, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static GLuint make_array(void) {
    GLuint array;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    return array;
}

static void make_arrays(tlw_studio* s, const uint32_t* indices, uint32_t index_count) {
    s->index_count = (GLsizei)index_count;
    glGenBuffers(1, &s->indices);
    s->body_array = make_array();
    s->positions = tlw_gl_attribute(0, 3);
    s->normals = tlw_gl_attribute(1, 3);
    s->heat = tlw_gl_attribute(2, 1);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)index_count * sizeof *indices),
                 indices, GL_STATIC_DRAW);
    s->ghost_array = make_array();
    s->ghost_positions = tlw_gl_attribute(0, 3);
    // The ghost is lit by the normals of the character, which are near enough for its edges.
    glBindBuffer(GL_ARRAY_BUFFER, s->normals);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(1);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    s->overlay_array = make_array();
    const GLsizei corner = (GLsizei)sizeof(tlw_overlay_corner);
    s->overlay = tlw_gl_attribute(0, 2);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, corner, NULL);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, corner,
                          (const void*)offsetof(tlw_overlay_corner, r));
    glEnableVertexAttribArray(1);
    s->empty_array = make_array();
}

tlw_studio* tlw_studio_create(const uint32_t* indices, uint32_t index_count, tlw_rgb cold,
                              uint32_t width, uint32_t height, char why[TLW_VIEW_WHY_BYTES]) {
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
    make_ramp(s, cold);
    make_arrays(s, indices, index_count);
    return s;
}

void tlw_studio_free(tlw_studio* s) {
    if (s == NULL) {
        return;
    }
    const GLuint buffers[] = {s->indices, s->positions,       s->normals,
                              s->heat,    s->ghost_positions, s->overlay};
    const GLuint arrays[] = {s->body_array, s->ghost_array, s->overlay_array, s->empty_array};
    glDeleteBuffers((GLsizei)TLW_COUNT_OF(buffers), buffers);
    glDeleteVertexArrays((GLsizei)TLW_COUNT_OF(arrays), arrays);
    glDeleteTextures(1, &s->ramp);
    tlw_gl_shadow_free(&s->key);
    tlw_gl_shadow_free(&s->sky);
    tlw_gl_target_free(&s->target);
#define PROGRAM_FREE(name) glDeleteProgram(s->programs.name);
    PROGRAMS(PROGRAM_FREE)
#undef PROGRAM_FREE
    free(s);
}

bool tlw_studio_resize(tlw_studio* s, uint32_t width, uint32_t height,
                       char why[TLW_VIEW_WHY_BYTES]) {
    if (width == s->target.width && height == s->target.height) {
        return true;
    }
    tlw_gl_target_free(&s->target);
    return tlw_gl_target_create(&s->target, width, height, why);
}

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
static void light_matrix(const tlw_studio_frame* frame, const float towards[3], GLsizei side,
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
    const float reach = SHADOW_REACH * frame->size, texel = 2.0f * reach / (float)side;
    const float middle[3] = {frame->centre[0], frame->centre[1] + 0.5f * frame->size,
                             frame->centre[2]};
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

static void draw_depth(tlw_studio* s, const tlw_gl_shadow* shadow, const float matrix[16]) {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(0, 0, shadow->side, shadow->side);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(s->programs.depth);
    tlw_gl_set_matrix(s->programs.depth, "camera", matrix);
    glBindVertexArray(s->body_array);
    glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
}

typedef struct lights {
    float key[3], fill[3], rim[3];
    float key_map[16], sky_map[16]; // from the world to 0 to 1 in the map
} lights;

static lights draw_shadows(tlw_studio* s, const tlw_studio_frame* frame) {
    static const float above[3] = {0.0f, 1.0f, 0.0f};
    static const float to_map[16] = {0.5f, 0, 0,    0, 0,    0.5f, 0,    0,
                                     0,    0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1.0f};
    lights l;
    float key[16], sky[16];
    direction_of(key_from, frame->light_yaw_degrees, l.key);
    direction_of(fill_from, frame->light_yaw_degrees, l.fill);
    direction_of(rim_from, frame->light_yaw_degrees, l.rim);
    light_matrix(frame, l.key, KEY_MAP_SIDE, key);
    light_matrix(frame, above, SKY_MAP_SIDE, sky);
    glEnable(GL_DEPTH_TEST);
    draw_depth(s, &s->key, key);
    draw_depth(s, &s->sky, sky);
    tlw_view_multiply(to_map, key, l.key_map);
    tlw_view_multiply(to_map, sky, l.sky_map);
    return l;
}

// ---- The picture

// Sets what the programs that draw shadows read: both shadow maps and their matrices.
static void set_shadows(const tlw_studio* s, GLuint program, const lights* l) {
    tlw_gl_set_matrix(program, "key_map", l->key_map);
    tlw_gl_set_matrix(program, "sky_map", l->sky_map);
    tlw_gl_set_int(program, "key_depth", 1);
    tlw_gl_set_int(program, "sky_depth", 2);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, s->key.texture);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, s->sky.texture);
    glActiveTexture(GL_TEXTURE0);
}

// Where nothing else is.
static void draw_backdrop(const tlw_studio* s) {
    glUseProgram(s->programs.backdrop);
    glBindVertexArray(s->empty_array);
    glDepthFunc(GL_LEQUAL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_LESS);
}

// From below the ground there is none to see.
static void draw_ground(const tlw_studio* s, const tlw_studio_frame* frame, const lights* l,
                        const float camera[16], const float eye[3]) {
    if (eye[1] <= frame->centre[1]) {
        return;
    }
    const GLuint program = s->programs.ground;
    glBindVertexArray(s->empty_array);
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", camera);
    tlw_gl_set_vec3(program, "centre", frame->centre);
    tlw_gl_set_float(program, "reach", GROUND_REACH * frame->size);
    tlw_gl_set_float(program, "picture_height", (float)s->target.height);
    set_shadows(s, program, l);
    tlw_gl_set_int(program, "rows", GROUND_ROWS);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (GROUND_ROWS + 1), GROUND_ROWS);
}

// Its depth is drawn first, so that only what is seen is lit.
static void draw_body(const tlw_studio* s, const tlw_studio_frame* frame, const lights* l,
                      const float camera[16], const float eye[3]) {
    const GLuint program = s->programs.body;
    glEnable(GL_DEPTH_TEST);
    glBindVertexArray(s->body_array);
    glUseProgram(s->programs.depth);
    tlw_gl_set_matrix(s->programs.depth, "camera", camera);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", camera);
    tlw_gl_set_float(program, "size", frame->size);
    tlw_gl_set_vec3(program, "eye", eye);
    tlw_gl_set_vec3(program, "key_light", l->key);
    tlw_gl_set_vec3(program, "fill_light", l->fill);
    tlw_gl_set_vec3(program, "rim_light", l->rim);
    tlw_gl_set_int(program, "ramp", 0);
    set_shadows(s, program, l);
    glBindTexture(GL_TEXTURE_2D, s->ramp);
    glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
    glDepthFunc(GL_LESS);
}

// Over everything, but only its nearest surface: its depth is drawn first.
static void draw_ghost(const tlw_studio* s, const tlw_studio_frame* frame, const float camera[16],
                       const float eye[3]) {
    if (frame->ghost == NULL) {
        return;
    }
    const GLuint program = s->programs.ghost;
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", camera);
    tlw_gl_set_vec3(program, "eye", eye);
    glBindVertexArray(s->ghost_array);
    glClear(GL_DEPTH_BUFFER_BIT);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
    glDrawElements(GL_TRIANGLES, s->index_count, GL_UNSIGNED_INT, NULL);
    glDisable(GL_BLEND);
    glDepthFunc(GL_LESS);
}

static void draw_overlay(const tlw_studio* s, const tlw_overlay* overlay) {
    tlw_gl_stream(s->overlay, overlay->corners, overlay->count * sizeof *overlay->corners);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glUseProgram(s->programs.overlay);
    tlw_gl_set_vec2(s->programs.overlay, "size", (float)s->target.width, (float)s->target.height);
    glBindVertexArray(s->overlay_array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)overlay->count);
    glDisable(GL_BLEND);
}

static void load_character(const tlw_studio* s, const tlw_studio_frame* frame) {
    const size_t bytes = (size_t)frame->vertex_count * 3 * sizeof(float);
    tlw_gl_stream(s->positions, frame->positions, bytes);
    tlw_gl_stream(s->normals, frame->normals, bytes);
    glBindVertexArray(s->body_array);
    if (frame->heat) {
        tlw_gl_stream(s->heat, frame->heat, bytes / 3);
        glEnableVertexAttribArray(2);
    } else {
        glDisableVertexAttribArray(2);
        glVertexAttrib1f(2, 0.0f);
    }
    if (frame->ghost) {
        tlw_gl_stream(s->ghost_positions, frame->ghost, bytes);
    }
}

void tlw_studio_draw(tlw_studio* s, const tlw_studio_frame* frame) {
    const tlw_view_axes axes = tlw_view_camera_axes(frame->camera);
    float camera[16];
    tlw_view_camera_matrix(frame->camera, s->target.width, s->target.height, camera);
    load_character(s, frame);
    const lights l = draw_shadows(s, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, s->target.framebuffer);
    glViewport(0, 0, (GLsizei)s->target.width, (GLsizei)s->target.height);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_body(s, frame, &l, camera, axes.eye);
    draw_ground(s, frame, &l, camera, axes.eye);
    draw_backdrop(s);
    draw_ghost(s, frame, camera, axes.eye);
    draw_overlay(s, frame->overlay);
    tlw_gl_target_resolve(&s->target);
    glDisable(GL_FRAMEBUFFER_SRGB);
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
