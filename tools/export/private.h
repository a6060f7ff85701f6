// SPDX-License-Identifier: MIT
// Private to tools/export: an export in progress, and what each kind of file does.
#ifndef TLW_TOOLS_EXPORT_PRIVATE_H
#define TLW_TOOLS_EXPORT_PRIVATE_H

#include "platform/file.h"
#include "tools/export/export.h"

#define EXPORT_NAME_BYTES 128

// What programs show as one object: a mesh of the source with all its primitives, which are meshes
// of the blob.
typedef struct export_object {
    char name[EXPORT_NAME_BYTES];    // cut where the room ends
    uint32_t first_mesh, mesh_count; // in tlw_export.meshes
    uint32_t first_vertex, vertex_count;
} export_object;

typedef struct export_glb export_glb; // glb.c

struct tlw_export {
    tlw_export_def def;
    const struct export_kind* kind;
    tlw_geometry geometry;
    tlw_mesh_info* meshes; // of the blob, without bound points and what has no triangles
    uint32_t mesh_count;
    export_object* objects;
    uint32_t object_count;
    uint32_t sample_count;       // frames that are written
    uint32_t frame, next_sample; // the next ones
    tlw_file_writer* writers;
    uint32_t writer_count; // begun
    uint8_t* words;        // one frame of the largest object (pc2.c)
    export_glb* glb;       // null for other kinds
};

typedef struct export_kind {
    const char* ending;
    bool has_normals;
    tlw_export_code (*begin)(tlw_export* file, tlw_export_error* error);
    void (*add)(tlw_export* file, const float* positions, const float* normals);
    // Writes what is left; the caller commits the writers.
    tlw_export_code (*end)(tlw_export* file, tlw_export_error* error);
} export_kind;

#define EXPORT_KIND_FUNCTIONS(KIND, name, ending, has_normals)                                    \
    tlw_export_code tlw_export_##name##_begin(tlw_export* file, tlw_export_error* error);         \
    void tlw_export_##name##_add(tlw_export* file, const float* positions, const float* normals); \
    tlw_export_code tlw_export_##name##_end(tlw_export* file, tlw_export_error* error);
TLW_EXPORT_KINDS(EXPORT_KIND_FUNCTIONS)
#undef EXPORT_KIND_FUNCTIONS
void tlw_export_glb_free(export_glb* glb);

// Writes the message and returns the code.
tlw_export_code tlw_export_fail(tlw_export_error* error, tlw_export_code code, const char* format,
                                ...) TLW_PRINTF(3, 4);
tlw_export_code tlw_export_fail_memory(const tlw_export* file, tlw_export_error* error);
// Begins the next of the writers; there are as many as meshes.
tlw_export_code tlw_export_begin_writer(tlw_export* file, const char* path,
                                        tlw_export_error* error);

// Little-endian.
TLW_INLINE void export_put_u32(uint8_t* out, uint32_t word) {
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(word >> (8 * i));
    }
}

TLW_INLINE void export_put_float(uint8_t* out, float value) {
    union {
        float value;
        uint32_t word;
    } bits = {value};
    export_put_u32(out, bits.word);
}

#endif
