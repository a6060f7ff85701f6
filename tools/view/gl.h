// SPDX-License-Identifier: MIT
// OpenGL objects for tallow-view: programs, streams of vertices, pictures to draw into. A context
// of OpenGL 3.3 core must be current. Nothing here knows what is drawn.
#ifndef TLW_TOOLS_VIEW_GL_H
#define TLW_TOOLS_VIEW_GL_H

#include "platform/base.h"

#include <epoxy/gl.h>

#define TLW_VIEW_WHY_BYTES 512 // room for one line that says what went wrong

// Compiles and links. 0: failed, and `why` has the first line of the driver's log.
GLuint tlw_gl_program(const char* name, const char* vertex, const char* fragment,
                      char why[TLW_VIEW_WHY_BYTES]);

// These set a uniform of the program in use; one that it does not have is ignored.
void tlw_gl_set_float(GLuint program, const char* name, float value);
void tlw_gl_set_int(GLuint program, const char* name, int value);
void tlw_gl_set_vec2(GLuint program, const char* name, float x, float y);
void tlw_gl_set_vec3(GLuint program, const char* name, const float value[3]);
void tlw_gl_set_matrix(GLuint program, const char* name, const float value[16]);

// Makes a buffer the attribute `location` of the bound vertex array, packed floats.
GLuint tlw_gl_attribute(GLuint location, GLint components);
// Replaces all that a buffer holds.
void tlw_gl_stream(GLuint buffer, const void* floats, size_t bytes);

// A depth map that shaders compare with (sampler2DShadow). Outside of it nothing is hidden.
typedef struct tlw_gl_shadow {
    GLuint framebuffer, texture;
    GLsizei side;
} tlw_gl_shadow;

bool tlw_gl_shadow_create(tlw_gl_shadow* shadow, GLsizei side, char why[TLW_VIEW_WHY_BYTES]);
void tlw_gl_shadow_free(tlw_gl_shadow* shadow);

// A picture in sRGB with several samples per pixel and depth, and the same with one sample.
typedef struct tlw_gl_target {
    uint32_t width, height;
    GLuint framebuffer, colour, depth;
    GLuint resolved, resolved_colour;
} tlw_gl_target;

bool tlw_gl_target_create(tlw_gl_target* target, uint32_t width, uint32_t height,
                          char why[TLW_VIEW_WHY_BYTES]);
void tlw_gl_target_free(tlw_gl_target* target);
// Averages the samples. Then `resolved` has the picture.
void tlw_gl_target_resolve(const tlw_gl_target* target);

#endif
