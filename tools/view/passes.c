// SPDX-License-Identifier: MIT
// Parts of a view's passes that both qualities share.
#include "tools/view/passes.h"

#include <math.h>
#include <string.h>

// Directions towards the lights: right, up and back of the camera they stand for.
static const float key_from[3] = {-0.44f, 0.66f, 0.61f}, fill_from[3] = {0.83f, 0.10f, 0.55f},
                   rim_from[3] = {0.62f, 0.42f, -0.66f};

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

tlw_pass_view tlw_pass_begin(const tlw_studio* s, const tlw_studio_view* def,
                             const tlw_slots* slots, GLuint framebuffer) {
    const tlw_view_area* area = &def->area;
    const tlw_view_axes axes = tlw_view_camera_axes(def->camera);
    tlw_pass_view v = {.def = def,
                       .slots = slots,
                       .framebuffer = framebuffer,
                       .bottom = (GLint)s->target.height - (GLint)(area->y + area->height),
                       .eye = {axes.eye[0], axes.eye[1], axes.eye[2]}};
    tlw_view_camera_matrix(def->camera, area->width, area->height, v.camera);
    direction_of(key_from, def->light_yaw_degrees, v.lights.key);
    direction_of(fill_from, def->light_yaw_degrees, v.lights.fill);
    direction_of(rim_from, def->light_yaw_degrees, v.lights.rim);
    return v;
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
    const float reach = TLW_SHADOW_REACH * def->size, texel = 2.0f * reach / (float)side;
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

static bool is_whole(const tlw_studio* s, const tlw_view_area* area) {
    return area->width == s->target.width && area->height == s->target.height;
}

static void set_background(void) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.05f, 0.06f, 0.08f, 1.0f);
}

void tlw_pass_clear(GLuint framebuffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    set_background();
    glClear(GL_COLOR_BUFFER_BIT);
}

void tlw_pass_begin_picture(const tlw_studio* s, const tlw_pass_view* v) {
    const tlw_view_area* area = &v->def->area;
    glBindFramebuffer(GL_FRAMEBUFFER, v->framebuffer);
    glViewport((GLint)area->x, v->bottom, (GLsizei)area->width, (GLsizei)area->height);
    set_background();
    if (v->is_first) {
        glClear(GL_DEPTH_BUFFER_BIT | (is_whole(s, area) ? 0 : GL_COLOR_BUFFER_BIT));
    }
    if (!is_whole(s, area)) {
        glScissor((GLint)area->x, v->bottom, (GLsizei)area->width, (GLsizei)area->height);
        glEnable(GL_SCISSOR_TEST);
    }
}

void tlw_pass_draw_shadow(const tlw_studio* s, const tlw_pass_view* v, const tlw_gl_shadow* shadow,
                          const float towards[3], float to_map[16]) {
    static const float half[16] = {0.5f, 0, 0,    0, 0,    0.5f, 0,    0,
                                   0,    0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1.0f};
    float matrix[16];
    light_matrix(v->def, towards, shadow->side, matrix);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(0, 0, shadow->side, shadow->side);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(s->programs.depth);
    tlw_gl_set_matrix(s->programs.depth, "camera", matrix);
    tlw_pass_draw_meshes(v, TLW_LOOK_BODY);
    tlw_view_multiply(half, matrix, to_map);
}

// ---- Meshes

void tlw_pass_draw_meshes(const tlw_pass_view* v, tlw_studio_look look) {
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        const tlw_studio_mesh* mesh = &v->def->meshes[i];
        if (mesh->look == look) {
            (mesh->is_closed ? glEnable : glDisable)(GL_CULL_FACE);
            tlw_slot_draw(&v->slots->list[i], mesh);
        }
    }
    glDisable(GL_CULL_FACE);
}

void tlw_pass_draw_depth(const tlw_studio* s, const tlw_pass_view* v, tlw_studio_look look) {
    glUseProgram(s->programs.depth);
    tlw_gl_set_matrix(s->programs.depth, "camera", v->camera);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    tlw_pass_draw_meshes(v, look);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void tlw_pass_set_lights(GLuint program, const tlw_pass_view* v) {
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_float(program, "size", v->def->size);
    tlw_gl_set_vec3(program, "eye", v->eye);
    tlw_gl_set_vec3(program, "key_light", v->lights.key);
    tlw_gl_set_vec3(program, "fill_light", v->lights.fill);
    tlw_gl_set_vec3(program, "rim_light", v->lights.rim);
}

void tlw_pass_draw_glass(GLuint program, const tlw_pass_view* v) {
    glUseProgram(program);
    tlw_pass_set_lights(program, v);
    glEnable(GL_BLEND);
    glEnable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        const tlw_studio_mesh* mesh = &v->def->meshes[i];
        if (mesh->look == TLW_LOOK_GLASS) {
            (mesh->is_inside ? glDisable : glEnable)(GL_DEPTH_TEST);
            tlw_gl_set_float(program, "opacity", mesh->opacity);
            glCullFace(GL_FRONT);
            tlw_slot_draw(&v->slots->list[i], mesh);
            glCullFace(GL_BACK);
            tlw_slot_draw(&v->slots->list[i], mesh);
        }
    }
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}

static bool has_look(const tlw_pass_view* v, tlw_studio_look look) {
    for (uint32_t i = 0; i < v->def->mesh_count; ++i) {
        if (v->def->meshes[i].look == look) {
            return true;
        }
    }
    return false;
}

void tlw_pass_draw_ghosts(const tlw_studio* s, GLuint program, const tlw_pass_view* v) {
    if (!has_look(v, TLW_LOOK_GHOST)) {
        return;
    }
    glClear(GL_DEPTH_BUFFER_BIT);
    tlw_pass_draw_depth(s, v, TLW_LOOK_GHOST);
    glUseProgram(program);
    tlw_gl_set_matrix(program, "camera", v->camera);
    tlw_gl_set_vec3(program, "eye", v->eye);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
    tlw_pass_draw_meshes(v, TLW_LOOK_GHOST);
    glDisable(GL_BLEND);
    glDepthFunc(GL_LESS);
}

void tlw_pass_draw_overlay(const tlw_studio* s, GLuint program, const tlw_pass_view* v) {
    const tlw_overlay* overlay = v->def->overlay;
    if (overlay == NULL || overlay->count == 0) {
        return;
    }
    tlw_gl_stream(s->overlay, overlay->corners, overlay->count * sizeof *overlay->corners);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glViewport(0, 0, (GLsizei)s->target.width, (GLsizei)s->target.height);
    glUseProgram(program);
    tlw_gl_set_vec2(program, "size", (float)s->target.width, (float)s->target.height);
    tlw_gl_set_int(program, "letters", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->letters_texture);
    glBindVertexArray(s->overlay_array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)overlay->count);
    glDisable(GL_BLEND);
}
