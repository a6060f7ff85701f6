// SPDX-License-Identifier: MIT
// The passes of a view for drivers that draw on the CPU, in order: the ground's shadow (shade.h), a
// small depth map of the key light, backdrop, ground, bodies, glass, ghosts, overlay. Vertices are
// lit, pixels only interpolate. The picture has one sample per pixel, and colours are encoded as
// sRGB before they are interpolated and blended.
#include "tools/view/passes.h"

#define BACKDROP_ROWS  16
#define GROUND_CORNERS 24
#define SHADE_REACH    1.0f // in sizes of the character

// Bodies are summed on the CPU, so that the ground needs one look-up per pixel.
static void make_shade(tlw_studio* s, const tlw_pass_view* v) {
    tlw_shade* shade = &s->shade;
    shade->reach = SHADE_REACH * v->def->size;
    for (int i = 0; i < 3; ++i) {
        shade->centre[i] = v->def->centre[i];
        shade->towards[i] = v->lights.key[i];
    }
    tlw_shade_begin(shade);
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        const tlw_studio_mesh* mesh = &v->def->meshes[i];
        if (mesh->look == TLW_LOOK_BODY) {
            tlw_shade_add(shade, mesh->positions, mesh->indices, mesh->index_count);
        }
    }
    tlw_shade_end(shade);
    glBindTexture(GL_TEXTURE_2D, s->shade_texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, TLW_SHADE_SIDE, TLW_SHADE_SIDE, GL_RED,
                    GL_UNSIGNED_BYTE, shade->shade);
}

// The gradient behind everything.
static void draw_backdrop(const tlw_studio* s) {
    const GLuint program = s->programs.fast_backdrop;
    glUseProgram(program);
    tlw_gl_set_int(program, "cells", BACKDROP_ROWS);
    glBindVertexArray(s->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (BACKDROP_ROWS + 1));
}

static void draw_ground(const tlw_studio* s, const tlw_pass_view* v) {
    const GLuint program = s->programs.fast_ground;
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_vec3(program, "centre", v->def->centre);
    tlw_gl_set_float(program, "reach", TLW_GROUND_REACH * v->def->size);
    tlw_gl_set_float(program, "shade_reach", s->shade.reach);
    tlw_gl_set_vec2(program, "rows", (float)v->bottom, 1.0f / (float)v->def->area.height);
    tlw_gl_set_int(program, "shade", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->shade_texture);
    glBindVertexArray(s->empty_array);
    tlw_gl_set_int(program, "corners", GROUND_CORNERS);
    glDrawArrays(GL_TRIANGLE_FAN, 0, GROUND_CORNERS + 2);
}

static void draw_bodies(const tlw_studio* s, const tlw_pass_view* v) {
    const GLuint program = s->programs.fast_body;
    glUseProgram(program);
    tlw_pass_set_lights(program, v);
    tlw_gl_set_matrix(program, "key_map", v->lights.key_map);
    tlw_gl_set_int(program, "key_depth", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->fast_key.texture);
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        const tlw_studio_mesh* mesh = &v->def->meshes[i];
        if (mesh->look == TLW_LOOK_BODY) {
            (mesh->is_closed ? glEnable : glDisable)(GL_CULL_FACE);
            tlw_gl_set_float(program, "turns", mesh->is_closed ? 0.0f : 1.0f);
            tlw_slot_draw(&v->slots->list[i], mesh);
        }
    }
    glDisable(GL_CULL_FACE);
}

void tlw_pass_draw_fast(tlw_studio* s, tlw_pass_view* v) {
    const bool has_ground = v->eye[1] > v->def->centre[1];
    if (has_ground) {
        make_shade(s, v);
    }
    tlw_pass_draw_shadow(s, v, &s->fast_key, v->lights.key, v->lights.key_map);
    tlw_pass_begin_picture(s, v);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_DEPTH_TEST);
    draw_backdrop(s);
    if (has_ground) {
        draw_ground(s, v);
    }
    glEnable(GL_DEPTH_TEST);
    draw_bodies(s, v);
    tlw_pass_draw_glass(s->programs.fast_glass, v);
    tlw_pass_draw_ghosts(s, s->programs.fast_ghost, v);
    tlw_pass_draw_overlay(s, s->programs.fast_overlay, v);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
}
