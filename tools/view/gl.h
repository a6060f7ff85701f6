// SPDX-License-Identifier: MIT
// OpenGL objects for tallow-view: programs, streams of vertices, pictures to draw into. A context
// of OpenGL 3.3 core must be current. Nothing here knows what is drawn. Every object is counted, so
// that tests can tell our leaks from those of a driver.
#ifndef TLW_TOOLS_VIEW_GL_H
#define TLW_TOOLS_VIEW_GL_H

#include "platform/base.h"

#include <epoxy/gl.h>

#define TLW_VIEW_WHY_BYTES 512 // room for one line that says what went wrong

// kind, how glGen and glDelete call it
#define TLW_GL_KINDS(X)          \
    X(BUFFER, Buffers)           \
    X(ARRAY, VertexArrays)       \
    X(TEXTURE, Textures)         \
    X(FRAMEBUFFER, Framebuffers) \
    X(RENDERBUFFER, Renderbuffers)

typedef enum tlw_gl_kind {
#define TLW_GL_KIND_ROW(kind, name) TLW_GL_##kind,
    TLW_GL_KINDS(TLW_GL_KIND_ROW)
#undef TLW_GL_KIND_ROW
        TLW_GL_PROGRAM,
    TLW_GL_KIND_COUNT
} tlw_gl_kind;

// A new object of any kind but a program.
GLuint tlw_gl_make(tlw_gl_kind kind);
// Deletes it and sets it to 0; 0 stays 0.
void tlw_gl_delete(tlw_gl_kind kind, GLuint* object);
// How many there are.
uint32_t tlw_gl_count(tlw_gl_kind kind);

// Compiles and links. 0: failed, and `why` has the first line of the driver's log.
GLuint tlw_gl_program(const char* name, const char* vertex, const char* fragment,
                      char why[TLW_VIEW_WHY_BYTES]);

// These set a uniform of the program in use; one that it does not have is ignored.
void tlw_gl_set_float(GLuint program, const char* name, float value);
void tlw_gl_set_int(GLuint program, const char* name, int value);
void tlw_gl_set_vec2(GLuint program, const char* name, float x, float y);
void tlw_gl_set_vec3(GLuint program, const char* name, const float value[3]);
void tlw_gl_set_matrix(GLuint program, const char* name, const float value[16]);

// Makes a buffer that is the attribute `location` of the bound vertex array: packed numbers of
// `type`, of which bytes count from 0 to 1.
GLuint tlw_gl_attribute(GLuint location, GLint components, GLenum type);
// Replaces all that a buffer holds.
void tlw_gl_stream(GLuint buffer, const void* bytes, size_t size);

// A depth map that shaders compare with (sampler2DShadow). Outside of it nothing is hidden.
typedef struct tlw_gl_shadow {
    GLuint framebuffer, texture;
    GLsizei side;
} tlw_gl_shadow;

bool tlw_gl_shadow_create(tlw_gl_shadow* shadow, GLsizei side, char why[TLW_VIEW_WHY_BYTES]);
void tlw_gl_shadow_free(tlw_gl_shadow* shadow);

// A square texture of bytes, read smoothly; outside of it its edge goes on.
GLuint tlw_gl_grey(GLsizei side);
// Replaces a grey texture by one of another size, with these bytes.
void tlw_gl_fill_grey(GLuint texture, GLsizei width, GLsizei height, const uint8_t* bytes);

// A picture in sRGB with several samples per pixel and depth, and the same with one sample,
// whose depth is its own.
typedef struct tlw_gl_target {
    uint32_t width, height;
    GLuint framebuffer, colour, depth;
    GLuint resolved, resolved_colour, resolved_depth;
} tlw_gl_target;

bool tlw_gl_target_create(tlw_gl_target* target, uint32_t width, uint32_t height,
                          char why[TLW_VIEW_WHY_BYTES]);
void tlw_gl_target_free(tlw_gl_target* target);
// Averages the samples. Then `resolved` has the picture.
void tlw_gl_target_resolve(const tlw_gl_target* target);

#endif
