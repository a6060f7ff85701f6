// SPDX-License-Identifier: MIT
// What all kinds of files have in common: the def, the objects of a blob, and which frames count.
#include "tools/export/private.h"

#include "platform/handlers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT_COOKIE 0x4558504Fu

static const export_kind kinds[TLW_EXPORT_KIND_COUNT] = {
#define EXPORT_KIND_ROW(KIND, name, text, normals)             \
    [TLW_EXPORT_##KIND] = {.ending = text,                     \
                           .has_normals = normals,             \
                           .begin = tlw_export_##name##_begin, \
                           .add = tlw_export_##name##_add,     \
                           .end = tlw_export_##name##_end},
    TLW_EXPORT_KINDS(EXPORT_KIND_ROW)
#undef EXPORT_KIND_ROW
};

static bool is_ending(const char* path, const char* ending) {
    const size_t length = strlen(path), size = strlen(ending);
    bool is_same = length > size;
    for (size_t i = 0; i < size && is_same; ++i) {
        const char c = path[length - size + i];
        is_same = (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == ending[i];
    }
    return is_same;
}

tlw_export_kind tlw_export_kind_of(const char* path) {
    int kind = 0;
    while (kind < TLW_EXPORT_KIND_COUNT && !is_ending(path, kinds[kind].ending)) {
        ++kind;
    }
    return (tlw_export_kind)kind;
}

bool tlw_export_has_normals(tlw_export_kind kind) {
    return kind < TLW_EXPORT_KIND_COUNT && kinds[kind].has_normals;
}

tlw_exit_code tlw_export_exit_code(tlw_export_code code) {
    static const tlw_exit_code codes[TLW_EXPORT_CODE_COUNT] = {
#define EXPORT_CODE_ROW(name, exit_code, meaning) [name] = exit_code,
        TLW_EXPORT_CODE_TABLE(EXPORT_CODE_ROW)
#undef EXPORT_CODE_ROW
    };
    return codes[code];
}

tlw_export_def tlw_default_export_def(void) {
    return (tlw_export_def){.cookie = EXPORT_COOKIE,
                            .clip = "tallow",
                            .frame_count = 1,
                            .every = 1,
                            .hz = 60.0,
                            .limit_bytes = UINT32_MAX};
}

// ---- Errors

tlw_export_code tlw_export_fail(tlw_export_error* error, tlw_export_code code, const char* format,
                                ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->code = code;
    }
    return code;
}

tlw_export_code tlw_export_fail_memory(const tlw_export* file, tlw_export_error* error) {
    return tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE, "cannot write '%s': out of memory",
                           file->def.path);
}

tlw_export_code tlw_export_begin_writer(tlw_export* file, const char* path,
                                        tlw_export_error* error) {
    tlw_file_writer* writer = &file->writers[file->writer_count];
    if (tlw_file_writer_begin(writer, path) != TLW_OK) {
        return tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE, "%s", writer->error.message);
    }
    file->writer_count += 1;
    return TLW_EXPORT_OK;
}

// ---- Objects

// The importer of assets calls the primitives of one mesh NAME[0], NAME[1] and so on. The length of
// NAME if this is primitive `number`, and 0 if it is not.
static size_t base_length(const char* name, uint32_t number) {
    char ending[16];
    snprintf(ending, sizeof ending, "[%u]", number);
    const size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0 ? length - size : 0;
}

// Whether the mesh is the next primitive of the object before it.
static bool is_next(const tlw_export* file, const export_object* object, const char* name) {
    const char* first = file->meshes[object->first_mesh].name;
    const size_t base = base_length(first, 0);
    return base > 0 && base_length(name, object->mesh_count) == base &&
           memcmp(first, name, base) == 0;
}

static void gather_objects(tlw_export* file) {
    for (uint32_t m = 0; m < file->mesh_count; ++m) {
        const tlw_mesh_info* mesh = &file->meshes[m];
        export_object* last = file->objects + file->object_count - 1;
        if (file->object_count > 0 && is_next(file, last, mesh->name) &&
            mesh->first_vertex == last->first_vertex + last->vertex_count) {
            last->mesh_count += 1;
            last->vertex_count += mesh->vertex_count;
        } else {
            file->objects[file->object_count++] = (export_object){
                .first_mesh = m,
                .mesh_count = 1,
                .first_vertex = mesh->first_vertex,
                .vertex_count = mesh->vertex_count,
            };
        }
    }
    for (uint32_t i = 0; i < file->object_count; ++i) {
        export_object* object = &file->objects[i];
        const char* name = file->meshes[object->first_mesh].name;
        const size_t length = object->mesh_count > 1 ? base_length(name, 0) : strlen(name);
        snprintf(object->name, sizeof object->name, "%.*s", (int)length, name);
    }
}

static tlw_export_code gather_meshes(tlw_export* file, tlw_export_error* error) {
    const tlw_blob* blob = file->def.blob;
    tlw_blob_info info;
    if (tlw_blob_get_info(blob, &info) != TLW_OK ||
        tlw_blob_get_geometry(blob, &file->geometry) != TLW_OK) {
        return tlw_export_fail(error, TLW_EXPORT_BAD_ARGUMENT, "the blob was not opened");
    }
    file->meshes = malloc(((size_t)info.mesh_count + 1) * sizeof *file->meshes);
    file->objects = malloc(((size_t)info.mesh_count + 1) * sizeof *file->objects);
    file->writers = malloc(((size_t)info.mesh_count + 1) * sizeof *file->writers);
    if (!file->meshes || !file->objects || !file->writers) {
        return tlw_export_fail_memory(file, error);
    }
    for (uint32_t m = 0; m < info.mesh_count; ++m) {
        tlw_mesh_info* mesh = &file->meshes[file->mesh_count];
        TLW_IGNORE(tlw_blob_get_mesh(blob, m, mesh));
        file->mesh_count += !mesh->is_points && mesh->index_count > 0;
    }
    if (file->mesh_count == 0) {
        return tlw_export_fail(error, TLW_EXPORT_NO_MESH,
                               "cannot write '%s': the character has no triangles", file->def.path);
    }
    gather_objects(file);
    return TLW_EXPORT_OK;
}

// ---- The course of an export

static void free_export(tlw_export* file) {
    for (uint32_t i = 0; i < file->writer_count; ++i) {
        tlw_file_writer_abandon(&file->writers[i]);
    }
    tlw_export_glb_free(file->glb);
    free(file->meshes);
    free(file->objects);
    free(file->writers);
    free(file->words);
    free(file);
}

static tlw_export_code begin(tlw_export* file, tlw_export_error* error) {
    const tlw_export_def* def = &file->def;
    const tlw_export_kind kind = tlw_export_kind_of(def->path);
    if (kind == TLW_EXPORT_KIND_COUNT) {
        return tlw_export_fail(error, TLW_EXPORT_BAD_ARGUMENT,
                               "'%s' does not end in " TLW_EXPORT_ENDINGS, def->path);
    }
    if (def->frame_count == 0 || def->every == 0 || !(def->hz > 0.0 && def->hz <= 1e6)) {
        return tlw_export_fail(error, TLW_EXPORT_BAD_ARGUMENT,
                               "%u frames, of which every %u, at %g Hz, are no export",
                               def->frame_count, def->every, def->hz);
    }
    file->kind = &kinds[kind];
    file->sample_count = (def->frame_count - 1) / def->every + 1;
    const tlw_export_code code = gather_meshes(file, error);
    return code == TLW_EXPORT_OK ? file->kind->begin(file, error) : code;
}

tlw_export_code tlw_export_begin(const tlw_export_def* def, tlw_export** out,
                                 tlw_export_error* error) {
    TLW_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != EXPORT_COOKIE || !def->blob || !def->path || !def->clip) {
        return tlw_export_fail(error, TLW_EXPORT_BAD_ARGUMENT,
                               "the def does not come from tlw_default_export_def, or has no blob, "
                               "path or clip");
    }
    tlw_export* file = calloc(1, sizeof *file);
    if (file == NULL) {
        return tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE, "cannot write '%s': out of memory",
                               def->path);
    }
    file->def = *def;
    const tlw_export_code code = begin(file, error);
    if (code != TLW_EXPORT_OK) {
        free_export(file);
        return code;
    }
    *out = file;
    return TLW_EXPORT_OK;
}

void tlw_export_add(tlw_export* file, const float* positions, const float* normals) {
    TLW_ASSERT(file != NULL && positions != NULL && file->frame < file->def.frame_count);
    TLW_ASSERT(normals != NULL || !file->kind->has_normals);
    if (file->frame++ % file->def.every == 0) {
        file->kind->add(file, positions, normals);
        file->next_sample += 1;
    }
}

tlw_export_code tlw_export_commit(tlw_export* file, tlw_export_error* error) {
    TLW_ASSERT(file != NULL && file->frame == file->def.frame_count);
    tlw_export_code code = file->kind->end(file, error);
    uint32_t done = 0;
    while (code == TLW_EXPORT_OK && done < file->writer_count) {
        tlw_file_writer* writer = &file->writers[done++];
        if (tlw_file_writer_commit(writer) != TLW_OK) {
            code = tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE, "%s", writer->error.message);
        }
    }
    // Those that were committed, with or without success, are not to be abandoned.
    for (uint32_t i = done; i < file->writer_count; ++i) {
        tlw_file_writer_abandon(&file->writers[i]);
    }
    file->writer_count = 0;
    free_export(file);
    return code;
}

void tlw_export_abandon(tlw_export* file) {
    if (file) {
        free_export(file);
    }
}
