// SPDX-License-Identifier: MIT
// Uploads meshes. Locations of attributes are those of shaders.c.
#include "tools/view/slots.h"

#include <stdlib.h>

enum { POSITION, NORMAL, COLOUR, OPENNESS };

static void make_slot(tlw_slot* slot) {
    *slot = (tlw_slot){.array = tlw_gl_make(TLW_GL_ARRAY), .indices = tlw_gl_make(TLW_GL_BUFFER)};
    glBindVertexArray(slot->array);
    slot->positions = tlw_gl_attribute(POSITION, 3, GL_FLOAT);
    slot->normals = tlw_gl_attribute(NORMAL, 3, GL_FLOAT);
    slot->colours = tlw_gl_attribute(COLOUR, 4, GL_UNSIGNED_BYTE);
    slot->openness = tlw_gl_attribute(OPENNESS, 1, GL_FLOAT);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, slot->indices);
}

static void free_slot(tlw_slot* slot) {
    tlw_gl_delete(TLW_GL_ARRAY, &slot->array);
    GLuint* const buffers[] = {&slot->positions, &slot->normals, &slot->colours, &slot->openness,
                               &slot->indices};
    for (size_t i = 0; i < TLW_COUNT_OF(buffers); ++i) {
        tlw_gl_delete(TLW_GL_BUFFER, buffers[i]);
    }
}

static void load_slot(tlw_slot* slot, const tlw_studio_mesh* mesh) {
    const size_t count = mesh->vertex_count;
    glBindVertexArray(slot->array);
    tlw_gl_stream(slot->positions, mesh->positions, count * 3 * sizeof(float));
    tlw_gl_stream(slot->normals, mesh->normals, count * 3 * sizeof(float));
    if (mesh->colours) {
        tlw_gl_stream(slot->colours, mesh->colours, count * 4);
        glEnableVertexAttribArray(COLOUR);
    } else {
        glDisableVertexAttribArray(COLOUR);
    }
    if (mesh->openness) {
        tlw_gl_stream(slot->openness, mesh->openness, count * sizeof(float));
        glEnableVertexAttribArray(OPENNESS);
    } else {
        glDisableVertexAttribArray(OPENNESS);
    }
    if (mesh->indices_stamp == 0 || mesh->indices_stamp != slot->stamp ||
        slot->index_count != (GLsizei)mesh->index_count) {
        slot->stamp = mesh->indices_stamp;
        slot->index_count = (GLsizei)mesh->index_count;
        glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                     (GLsizeiptr)((size_t)mesh->index_count * sizeof *mesh->indices), mesh->indices,
                     mesh->indices_stamp ? GL_STATIC_DRAW : GL_STREAM_DRAW);
    }
}

static void shorten(tlw_slots* slots, uint32_t count) {
    while (slots->count > count) {
        free_slot(&slots->list[--slots->count]);
    }
}

bool tlw_slots_load(tlw_slots* slots, const tlw_studio_view* view) {
    shorten(slots, view->mesh_count);
    if (view->mesh_count > slots->capacity) {
        tlw_slot* grown = realloc(slots->list, view->mesh_count * sizeof *grown);
        if (grown == NULL) {
            tlw_slots_free(slots);
            return false;
        }
        slots->list = grown;
        slots->capacity = view->mesh_count;
    }
    while (slots->count < view->mesh_count) {
        make_slot(&slots->list[slots->count++]);
    }
    for (uint32_t i = 0; i < slots->count; ++i) {
        load_slot(&slots->list[i], &view->meshes[i]);
    }
    return true;
}

void tlw_slots_free(tlw_slots* slots) {
    shorten(slots, 0);
    free(slots->list);
    *slots = (tlw_slots){0};
}

void tlw_slot_draw(const tlw_slot* slot, const tlw_studio_mesh* mesh) {
    // A constant for all vertices belongs to the context, not to the vertex array.
    glVertexAttrib4f(COLOUR, mesh->colour.r, mesh->colour.g, mesh->colour.b, 1.0f);
    glVertexAttrib1f(OPENNESS, 1.0f);
    glBindVertexArray(slot->array);
    glDrawElements(GL_TRIANGLES, slot->index_count, GL_UNSIGNED_INT, NULL);
}
