// SPDX-License-Identifier: MIT
// An asset as one block of bytes. One walk over the asset serves all three directions (measuring,
// writing, reading), so that they cannot disagree. Each array is its length in bytes, then its
// bytes as they are in memory, padded to 8; pointers among them are replaced as they are reached.
#include "tools/asset/wire.h"

#include <string.h>

#define ABSENT UINT64_MAX // the length of a null pointer

typedef enum tlw_wire_way { TLW_WIRE_MEASURE, TLW_WIRE_WRITE, TLW_WIRE_READ } tlw_wire_way;

typedef struct tlw_wire {
    tlw_wire_way way;
    uint8_t* bytes;
    uint64_t size; // when reading
    uint64_t used;
    bool is_bad; // when reading: a length does not fit
} tlw_wire;

// Passes `length` bytes, which are at `from` except when reading; returns where they are then.
static void* pass_bytes(tlw_wire* w, const void* from, uint64_t length) {
    const uint64_t padded = (length + 7) & ~(uint64_t)7;
    if (w->way == TLW_WIRE_READ && (w->is_bad || padded < length || padded > w->size - w->used)) {
        w->is_bad = true;
        return NULL;
    }
    uint8_t* at = w->bytes ? w->bytes + w->used : NULL;
    if (w->way == TLW_WIRE_WRITE) {
        memcpy(at, from, (size_t)length);
        memset(at + length, 0, (size_t)(padded - length));
    }
    w->used += padded;
    return w->way == TLW_WIRE_READ ? at : (void*)from;
}

// `member` is the address of a pointer to `count` elements, or to null. When reading it is made to
// point into the bytes. Returns the array, or null if there is none or it does not fit.
static void* pass(tlw_wire* w, const void* member, uint64_t count, size_t element_bytes) {
    void* array;
    memcpy(&array, member, sizeof array);
    const uint64_t expected = count * element_bytes;
    uint64_t length = array ? expected : ABSENT;
    const void* at = pass_bytes(w, &length, sizeof length);
    if (w->way == TLW_WIRE_READ) {
        if (at) {
            memcpy(&length, at, sizeof length);
        }
        w->is_bad |= length != ABSENT && length != expected;
    }
    array = w->is_bad || length == ABSENT ? NULL : pass_bytes(w, array, length);
    if (w->way == TLW_WIRE_READ) {
        memcpy((void*)member, &array, sizeof array);
    }
    return array;
}

static void pass_text(tlw_wire* w, const char* const* member) {
    uint64_t length = w->way != TLW_WIRE_READ ? strlen(*member) + 1 : 0;
    const void* at = pass_bytes(w, &length, sizeof length);
    if (w->way == TLW_WIRE_READ && at) {
        memcpy(&length, at, sizeof length);
    }
    const char* text = pass_bytes(w, *member, length);
    if (w->way == TLW_WIRE_READ) {
        w->is_bad |= !text || length == 0 || text[length - 1] != 0;
        const char* read = w->is_bad ? "" : text;
        memcpy((void*)member, &read, sizeof read);
    }
}

static void pass_primitive(tlw_wire* w, const tlw_asset_primitive* p) {
    const uint64_t vertices = p->vertex_count;
    pass(w, &p->positions, vertices * 3, sizeof(float));
    pass(w, &p->normals, vertices * 3, sizeof(float));
    pass(w, &p->tangents, vertices * 4, sizeof(float));
    pass(w, &p->uvs, vertices * 2, sizeof(float));
    pass(w, &p->indices, (uint64_t)p->triangle_count * 3, sizeof(uint32_t));
    pass(w, &p->joints, vertices * p->influence_count, sizeof(uint32_t));
    pass(w, &p->weights, vertices * p->influence_count, sizeof(float));
    const tlw_asset_attribute* list =
        pass(w, &p->attributes, p->attribute_count, sizeof *p->attributes);
    for (uint32_t i = 0; list && i < p->attribute_count; ++i) {
        pass_text(w, &list[i].name);
        pass(w, &list[i].values, vertices * list[i].component_count, sizeof(float));
    }
}

static void pass_nodes(tlw_wire* w, const tlw_asset* a) {
    const tlw_asset_node* nodes = pass(w, &a->nodes, a->node_count, sizeof *a->nodes);
    pass(w, &a->order, a->node_count, sizeof *a->order);
    for (uint32_t i = 0; nodes && i < a->node_count; ++i) {
        pass_text(w, &nodes[i].name);
        pass(w, &nodes[i].children, nodes[i].child_count, sizeof *nodes[i].children);
    }
}

static void pass_meshes(tlw_wire* w, const tlw_asset* a) {
    const tlw_asset_mesh* meshes = pass(w, &a->meshes, a->mesh_count, sizeof *a->meshes);
    for (uint32_t i = 0; meshes && i < a->mesh_count; ++i) {
        const tlw_asset_mesh* mesh = &meshes[i];
        pass_text(w, &mesh->name);
        const tlw_asset_primitive* list =
            pass(w, &mesh->primitives, mesh->primitive_count, sizeof *mesh->primitives);
        for (uint32_t k = 0; list && k < mesh->primitive_count; ++k) {
            pass_primitive(w, &list[k]);
        }
    }
    const tlw_asset_skin* skins = pass(w, &a->skins, a->skin_count, sizeof *a->skins);
    for (uint32_t i = 0; skins && i < a->skin_count; ++i) {
        pass_text(w, &skins[i].name);
        pass(w, &skins[i].joints, skins[i].joint_count, sizeof *skins[i].joints);
        pass(w, &skins[i].inverse_binds, (uint64_t)skins[i].joint_count * 16, sizeof(double));
    }
}

static void pass_clips(tlw_wire* w, const tlw_asset* a) {
    const tlw_asset_clip* clips = pass(w, &a->clips, a->clip_count, sizeof *a->clips);
    for (uint32_t i = 0; clips && i < a->clip_count; ++i) {
        const tlw_asset_clip* clip = &clips[i];
        pass_text(w, &clip->name);
        const tlw_asset_channel* list =
            pass(w, &clip->channels, clip->channel_count, sizeof *clip->channels);
        for (uint32_t k = 0; list && k < clip->channel_count; ++k) {
            const uint64_t width = (list[k].path == TLW_PATH_ROTATION ? 4u : 3u) *
                                   (list[k].interpolation == TLW_INTERPOLATE_CUBICSPLINE ? 3u : 1u);
            pass(w, &list[k].times, list[k].key_count, sizeof(float));
            pass(w, &list[k].values, list[k].key_count * width, sizeof(float));
        }
    }
}

static void pass_texts(tlw_wire* w, const char* const* const* member, uint32_t count) {
    const char* const* list = pass(w, member, count, sizeof *list);
    for (uint32_t i = 0; list && i < count; ++i) {
        pass_text(w, &list[i]);
    }
}

// The asset itself has been passed.
static void pass_all(tlw_wire* w, const tlw_asset* asset) {
    pass_nodes(w, asset);
    pass_meshes(w, asset);
    pass_clips(w, asset);
    pass_texts(w, &asset->files, asset->file_count);
    pass(w, &asset->file_hashes, asset->file_count, sizeof *asset->file_hashes);
    pass_texts(w, &asset->notes, asset->note_count);
}

uint64_t tlw_wire_bytes(const tlw_asset* asset) {
    tlw_wire w = {.way = TLW_WIRE_MEASURE};
    pass_bytes(&w, asset, sizeof *asset);
    pass_all(&w, asset);
    return w.used;
}

void tlw_wire_write(const tlw_asset* asset, uint8_t* bytes) {
    tlw_wire w = {.way = TLW_WIRE_WRITE, .bytes = bytes};
    pass_bytes(&w, asset, sizeof *asset);
    pass_all(&w, asset);
}

bool tlw_wire_read(tlw_gltf* g, uint8_t* bytes, uint64_t size) {
    tlw_wire w = {.way = TLW_WIRE_READ, .bytes = bytes, .size = size};
    tlw_asset read = {0};
    const void* at = pass_bytes(&w, &read, sizeof read);
    if (at) {
        memcpy(&read, at, sizeof read);
        pass_all(&w, &read);
    }
    if (w.is_bad || w.used != size || read.note_count > TLW_NOTES_MAX) {
        return false;
    }
    // The notes of the load in progress are in an array of their own, where more can follow.
    for (uint32_t i = 0; i < read.note_count; ++i) {
        g->notes.texts[i] = read.notes[i];
    }
    read.notes = g->notes.texts;
    read.memory = g->asset->memory;
    *g->asset = read;
    return true;
}
