// SPDX-License-Identifier: MIT
// PC2, the point cache of 3ds Max, which Blender's Mesh Cache modifier reads. A file per object,
// because a cache must have as many points as the mesh that it moves. Each frame is written at
// once.
//
//     "POINTCACHE2\0", i32 version 1, i32 points, f32 first frame, f32 frames per sample, i32
//     samples per sample: f32 x, y, z of each point
//
// Little-endian.
#include "tools/export/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 32

// The object's name as part of a file name: what some system does not allow there becomes '_'.
static void file_part(const char* name, char out[EXPORT_NAME_BYTES]) {
    size_t i = 0;
    for (; name[i]; ++i) {
        const char c = name[i];
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '.';
        out[i] = is_plain ? c : '_';
    }
    out[i] = 0;
}

// PATH for a single object; with several, dance.pc2 becomes dance.0.body.pc2, dance.1.eyes.pc2. The
// number keeps objects apart whose names are the same.
static bool write_path(const tlw_export* file, uint32_t object, char path[TLW_PATH_MAX]) {
    const char* whole = file->def.path;
    int length = 0;
    if (file->object_count == 1) {
        length = snprintf(path, TLW_PATH_MAX, "%s", whole);
    } else {
        char part[EXPORT_NAME_BYTES];
        file_part(file->objects[object].name, part);
        const size_t stem = strlen(whole) - strlen(file->kind->ending);
        length = snprintf(path, TLW_PATH_MAX, "%.*s.%u.%s%s", (int)stem, whole, object, part,
                          whole + stem);
    }
    return length >= 0 && length < TLW_PATH_MAX;
}

static void write_header(tlw_export* file, uint32_t object) {
    uint8_t header[HEADER_BYTES] = "POINTCACHE2";
    export_put_u32(header + 12, 1);
    export_put_u32(header + 16, file->objects[object].vertex_count);
    export_put_float(header + 20, 0.0f);
    export_put_float(header + 24, (float)file->def.every);
    export_put_u32(header + 28, file->sample_count);
    (void)tlw_file_writer_write(&file->writers[object], header, sizeof header);
}

tlw_export_code tlw_export_pc2_begin(tlw_export* file, tlw_export_error* error) {
    size_t largest = 0;
    if (file->sample_count > INT32_MAX) {
        return tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE,
                               "cannot write '%s': %u frames are more than a PC2 can have",
                               file->def.path, file->sample_count);
    }
    for (uint32_t i = 0; i < file->object_count; ++i) {
        const size_t count = file->objects[i].vertex_count;
        largest = count > largest ? count : largest;
    }
    file->words = malloc(largest * 3 * sizeof(float) + 1);
    if (file->words == NULL) {
        return tlw_export_fail_memory(file, error);
    }
    for (uint32_t i = 0; i < file->object_count; ++i) {
        char path[TLW_PATH_MAX];
        if (!write_path(file, i, path)) {
            return tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE,
                                   "cannot write '%.200s...': the path is too long",
                                   file->def.path);
        }
        const tlw_export_code code = tlw_export_begin_writer(file, path, error);
        if (code != TLW_EXPORT_OK) {
            return code;
        }
        write_header(file, i);
    }
    return TLW_EXPORT_OK;
}

void tlw_export_pc2_add(tlw_export* file, const float* positions, const float* normals) {
    (void)normals;
    for (uint32_t i = 0; i < file->object_count; ++i) {
        const export_object* object = &file->objects[i];
        const float* from = positions + (size_t)object->first_vertex * 3;
        const size_t count = (size_t)object->vertex_count * 3;
        uint8_t* out = file->words;
        for (size_t k = 0; k < count; ++k) {
            export_put_float(out + k * 4, from[k]);
        }
        (void)tlw_file_writer_write(&file->writers[i], out, count * 4);
    }
}

tlw_export_code tlw_export_pc2_end(tlw_export* file, tlw_export_error* error) {
    (void)file;
    (void)error;
    return TLW_EXPORT_OK;
}
