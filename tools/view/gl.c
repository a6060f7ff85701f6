// SPDX-License-Identifier: MIT
// Makes and frees the OpenGL objects of gl.h.
#include "tools/view/gl.h"

#include <stdio.h>
#include <string.h>

#define SAMPLES 4

// ---- Objects

static uint32_t counts[TLW_GL_KIND_COUNT];

GLuint tlw_gl_make(tlw_gl_kind kind) {
    GLuint object = 0;
    switch (kind) {
#define MAKE_ROW(kind, name)     \
    case TLW_GL_##kind:          \
        glGen##name(1, &object); \
        break;
        TLW_GL_KINDS(MAKE_ROW)
#undef MAKE_ROW
    default:
        break;
    }
    counts[kind] += object != 0;
    return object;
}

void tlw_gl_delete(tlw_gl_kind kind, GLuint* object) {
    if (*object == 0) {
        return;
    }
    switch (kind) {
#define DELETE_ROW(kind, name)     \
    case TLW_GL_##kind:            \
        glDelete##name(1, object); \
        break;
        TLW_GL_KINDS(DELETE_ROW)
#undef DELETE_ROW
    default:
        glDeleteProgram(*object);
        break;
    }
    --counts[kind];
    *object = 0;
}

uint32_t tlw_gl_count(tlw_gl_kind kind) {
    return counts[kind];
}

// ---- Programs

static void set_why(char why[TLW_VIEW_WHY_BYTES], const char* name, const char* what,
                    const char* log) {
    snprintf(why, TLW_VIEW_WHY_BYTES, "shader '%s' does not %s: %.*s", name, what,
             (int)strcspn(log, "\n"), log);
}

static bool compile(GLuint shader, const char* name, const char* source,
                    char why[TLW_VIEW_WHY_BYTES]) {
    GLint is_good;
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
    if (!is_good) {
        char log[TLW_VIEW_WHY_BYTES] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        set_why(why, name, "compile", log);
    }
    return is_good;
}

static bool link_program(GLuint program, const char* name, char why[TLW_VIEW_WHY_BYTES]) {
    GLint is_good;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &is_good);
    if (!is_good) {
        char log[TLW_VIEW_WHY_BYTES] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        set_why(why, name, "link", log);
    }
    return is_good;
}

GLuint tlw_gl_program(const char* name, const char* vertex, const char* fragment,
                      char why[TLW_VIEW_WHY_BYTES]) {
    GLuint program = glCreateProgram();
    ++counts[TLW_GL_PROGRAM];
    const GLuint shaders[2] = {glCreateShader(GL_VERTEX_SHADER),
                               glCreateShader(GL_FRAGMENT_SHADER)};
    const bool is_compiled =
        compile(shaders[0], name, vertex, why) && compile(shaders[1], name, fragment, why);
    for (int i = 0; i < 2; ++i) {
        glAttachShader(program, shaders[i]);
        glDeleteShader(shaders[i]); // with the program
    }
    if (is_compiled && link_program(program, name, why)) {
        return program;
    }
    tlw_gl_delete(TLW_GL_PROGRAM, &program);
    return 0;
}

void tlw_gl_set_float(GLuint program, const char* name, float value) {
    glUniform1f(glGetUniformLocation(program, name), value);
}

void tlw_gl_set_int(GLuint program, const char* name, int value) {
    glUniform1i(glGetUniformLocation(program, name), value);
}

void tlw_gl_set_vec2(GLuint program, const char* name, float x, float y) {
    glUniform2f(glGetUniformLocation(program, name), x, y);
}

void tlw_gl_set_vec3(GLuint program, const char* name, const float value[3]) {
    glUniform3fv(glGetUniformLocation(program, name), 1, value);
}

void tlw_gl_set_matrix(GLuint program, const char* name, const float value[16]) {
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value);
}

// ---- Buffers

GLuint tlw_gl_attribute(GLuint location, GLint components, GLenum type) {
    const GLuint buffer = tlw_gl_make(TLW_GL_BUFFER);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(location, components, type, type != GL_FLOAT, 0, NULL);
    glEnableVertexAttribArray(location);
    return buffer;
}

void tlw_gl_stream(GLuint buffer, const void* bytes, size_t size) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, bytes, GL_STREAM_DRAW);
}

// ---- Pictures to draw into

static bool is_complete(const char* what, char why[TLW_VIEW_WHY_BYTES]) {
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        snprintf(why, TLW_VIEW_WHY_BYTES, "the driver cannot draw into %s (status 0x%x)", what,
                 (unsigned)status);
    }
    return status == GL_FRAMEBUFFER_COMPLETE;
}

bool tlw_gl_shadow_create(tlw_gl_shadow* shadow, GLsizei side, char why[TLW_VIEW_WHY_BYTES]) {
    static const float outside[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    *shadow = (tlw_gl_shadow){.side = side};
    shadow->texture = tlw_gl_make(TLW_GL_TEXTURE);
    glBindTexture(GL_TEXTURE_2D, shadow->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, side, side, 0, GL_DEPTH_COMPONENT,
                 GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, outside);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    shadow->framebuffer = tlw_gl_make(TLW_GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow->texture, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    return is_complete("a shadow map", why);
}

void tlw_gl_shadow_free(tlw_gl_shadow* shadow) {
    tlw_gl_delete(TLW_GL_FRAMEBUFFER, &shadow->framebuffer);
    tlw_gl_delete(TLW_GL_TEXTURE, &shadow->texture);
    *shadow = (tlw_gl_shadow){0};
}

GLuint tlw_gl_grey(GLsizei side) {
    const GLuint texture = tlw_gl_make(TLW_GL_TEXTURE);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, side, side, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

void tlw_gl_fill_grey(GLuint texture, GLsizei width, GLsizei height, const uint8_t* bytes) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, bytes);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

static GLuint attach_storage(GLenum attachment, GLenum format, GLsizei samples, GLsizei width,
                             GLsizei height) {
    const GLuint buffer = tlw_gl_make(TLW_GL_RENDERBUFFER);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

bool tlw_gl_target_create(tlw_gl_target* target, uint32_t width, uint32_t height,
                          char why[TLW_VIEW_WHY_BYTES]) {
    const GLsizei w = (GLsizei)width, h = (GLsizei)height;
    GLint samples;
    *target = (tlw_gl_target){.width = width, .height = height};
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    samples = samples < SAMPLES ? samples : SAMPLES;
    target->framebuffer = tlw_gl_make(TLW_GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    target->colour = attach_storage(GL_COLOR_ATTACHMENT0, GL_SRGB8_ALPHA8, samples, w, h);
    target->depth = attach_storage(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples, w, h);
    if (!is_complete("a picture with several samples per pixel", why)) {
        return false;
    }
    target->resolved = tlw_gl_make(TLW_GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
    target->resolved_colour = attach_storage(GL_COLOR_ATTACHMENT0, GL_SRGB8_ALPHA8, 0, w, h);
    target->resolved_depth = attach_storage(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 0, w, h);
    return is_complete("a picture", why);
}

void tlw_gl_target_free(tlw_gl_target* target) {
    tlw_gl_delete(TLW_GL_FRAMEBUFFER, &target->framebuffer);
    tlw_gl_delete(TLW_GL_FRAMEBUFFER, &target->resolved);
    tlw_gl_delete(TLW_GL_RENDERBUFFER, &target->colour);
    tlw_gl_delete(TLW_GL_RENDERBUFFER, &target->depth);
    tlw_gl_delete(TLW_GL_RENDERBUFFER, &target->resolved_colour);
    tlw_gl_delete(TLW_GL_RENDERBUFFER, &target->resolved_depth);
    *target = (tlw_gl_target){0};
}

void tlw_gl_target_resolve(const tlw_gl_target* target) {
    const GLint w = (GLint)target->width, h = (GLint)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
