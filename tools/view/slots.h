// SPDX-License-Identifier: MIT
// Meshes on the GPU: a slot for each mesh of each view, whose buffers are filled anew in every
// picture and freed when the picture has no such mesh.
#ifndef TLW_TOOLS_VIEW_SLOTS_H
#define TLW_TOOLS_VIEW_SLOTS_H

#include "tools/view/studio.h"

typedef struct tlw_slot {
    GLuint array, positions, normals, colours, openness, indices;
    GLsizei index_count;
    uint64_t stamp; // of the indices that were uploaded last
} tlw_slot;

typedef struct tlw_slots {
    tlw_slot* list;
    uint32_t count, capacity;
} tlw_slots;

// Uploads the meshes of a view, and frees slots that it has no more. False if out of memory; then
// there are no slots.
bool tlw_slots_load(tlw_slots* slots, const tlw_studio_view* view);
void tlw_slots_free(tlw_slots* slots);
void tlw_slot_draw(const tlw_slot* slot, const tlw_studio_mesh* mesh);

#endif
