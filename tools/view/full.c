// SPDX-License-Identifier: MIT
// The passes of a view in full quality, in order: depth as the key light and the sky see its
// bodies, bodies, ground, backdrop, glass, ghosts, overlay. The picture has several samples per
// pixel and stores linear colours as sRGB.
#include "tools/view/passes.h"

#define GROUND_ROWS 48

// Sets what the programs that draw shadows read: both shadow maps and their matrices.
static void set_shadows(const tlw_studio* s, GLuint program, const tlw_studio_lights* l) {
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

// From below the ground there is none to see.
static void draw_ground(const tlw_studio* s, const tlw_pass_view* v) {
    if (v->eye[1] <= v->def->centre[1]) {
        return;
    }
    const GLuint program = s->programs.ground;
    glBindVertexArray(s->empty_array);
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_vec3(program, "centre", v->def->centre);
    tlw_gl_set_float(program, "reach", TLW_GROUND_REACH * v->def->size);
    tlw_gl_set_vec2(program, "rows", (float)v->bottom, (float)v->def->area.height);
    set_shadows(s, program, &v->lights);
    tlw_gl_set_int(program, "cells", GROUND_ROWS);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (GROUND_ROWS + 1), GROUND_ROWS);
}

// Their depth is drawn first, so that only what is seen is lit.
static void draw_bodies(const tlw_studio* s, const tlw_pass_view* v) {
    glEnable(GL_DEPTH_TEST);
    tlw_pass_draw_depth(s, v, TLW_LOOK_BODY);
    glDepthFunc(GL_LEQUAL);
    glUseProgram(s->programs.body);
    tlw_pass_set_lights(s->programs.body, v);
    set_shadows(s, s->programs.body, &v->lights);
    tlw_pass_draw_meshes(v, TLW_LOOK_BODY);
    glDepthFunc(GL_LESS);
}

void tlw_pass_draw_full(tlw_studio* s, tlw_pass_view* v) {
    static const float above[3] = {0.0f, 1.0f, 0.0f};
    tlw_pass_draw_shadow(s, v, &s->key, v->lights.key, v->lights.key_map);
    tlw_pass_draw_shadow(s, v, &s->sky, above, v->lights.sky_map);
    tlw_pass_begin_picture(s, v);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_bodies(s, v);
    draw_ground(s, v);
    draw_backdrop(s);
    tlw_pass_draw_glass(s->programs.glass, v);
    tlw_pass_draw_ghosts(s, s->programs.ghost, v);
    tlw_pass_draw_overlay(s, s->programs.overlay, v);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_SCISSOR_TEST);
}
