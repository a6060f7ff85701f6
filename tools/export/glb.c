// SPDX-License-Identifier: MIT
// An animated GLB (glTF 2.0, binary container): a mesh per object whose shape is frame 0, and a
// morph target per further frame, of which one after another has the weight 1. The skeleton is left
// out: vertices follow blends of up to eight joints, dual quaternions or no joints at all, which
// not every program computes, and all of them add a target to a shape.
//
// The JSON comes before the numbers and needs the bounds of all of them. So the numbers of all
// frames stay in memory until the end.
#include "tools/export/private.h"

#include "tools/command/text.h"

#include <stdlib.h>
#include <string.h>

#define GLB_MAGIC      0x46546C67u
#define GLB_CHUNK_JSON 0x4E4F534Au
#define GLB_CHUNK_BIN  0x004E4942u
#define HEADER_BYTES   20 // the file's, and that of the first chunk

// About as many bytes of JSON does a mesh need per frame, at most.
#define JSON_BYTES 400.0

enum { COMPONENT_U32 = 5125, COMPONENT_F32 = 5126 };
enum { TARGET_NONE = 0, TARGET_ARRAY = 34962, TARGET_ELEMENTS = 34963 };

// Where the numbers of a mesh begin in the binary chunk. Samples follow one after another.
typedef struct glb_mesh {
    size_t uvs, indices, positions, normals;
    float (*bounds)[6]; // per sample: the lowest x, y, z, then the highest
} glb_mesh;

struct export_glb {
    uint8_t* binary;
    size_t used, times, weights;
    float *positions, *normals; // of sample 0, all vertices
    glb_mesh* meshes;
    float (*bounds)[6];
    tlw_text json, views, accessors; // the JSON, in this order
    unsigned view_count, accessor_count;
};

static bool has_uvs(const tlw_export* file) {
    return file->geometry.uvs != NULL;
}

// ---- Memory

static size_t take(export_glb* glb, size_t count, size_t bytes_each) {
    const size_t at = glb->used;
    glb->used += count * bytes_each;
    return at;
}

// In floating point, because a product of counts may not fit an integer.
static double estimate_bytes(const tlw_export* file) {
    const double samples = (double)file->sample_count;
    double bytes = 4096.0 + 4.0 * samples * samples;
    for (uint32_t m = 0; m < file->mesh_count; ++m) {
        const tlw_mesh_info* mesh = &file->meshes[m];
        const double vertices = (double)mesh->vertex_count;
        bytes += vertices * (has_uvs(file) ? 8.0 : 0.0) + 4.0 * (double)mesh->index_count +
                 samples * (vertices * (mesh->has_normals ? 24.0 : 12.0) + JSON_BYTES);
    }
    return bytes;
}

static tlw_export_code fail_size(const tlw_export* file, double bytes, tlw_export_error* error) {
    return tlw_export_fail(error, TLW_EXPORT_CANNOT_WRITE,
                           "cannot write '%s': %u frames need %.0f bytes and a GLB can have %.0f; "
                           "write fewer frames",
                           file->def.path, file->sample_count, bytes,
                           (double)file->def.limit_bytes);
}

static void lay_out(const tlw_export* file, export_glb* glb) {
    const size_t samples = file->sample_count;
    glb->times = take(glb, samples > 1 ? samples : 0, 4);
    glb->weights = take(glb, samples, 4 * (samples - 1));
    for (uint32_t m = 0; m < file->mesh_count; ++m) {
        const tlw_mesh_info* mesh = &file->meshes[m];
        glb_mesh* at = &glb->meshes[m];
        at->bounds = glb->bounds + (size_t)m * samples;
        at->uvs = take(glb, has_uvs(file) ? mesh->vertex_count : 0, 8);
        at->indices = take(glb, mesh->index_count, 4);
        at->positions = take(glb, mesh->vertex_count * samples, 12);
        at->normals = take(glb, mesh->has_normals ? mesh->vertex_count * samples : 0, 12);
    }
}

static bool allocate(tlw_export* file, double bytes) {
    const size_t samples = file->sample_count, vertices = file->geometry.vertex_count;
    export_glb* glb = file->glb = calloc(1, sizeof *glb);
    if (glb == NULL || bytes > (double)(SIZE_MAX / 2)) {
        return false;
    }
    glb->meshes = calloc(file->mesh_count, sizeof *glb->meshes);
    glb->bounds = malloc(file->mesh_count * samples * sizeof *glb->bounds);
    glb->positions = malloc(vertices * 3 * sizeof(float));
    glb->normals = malloc(vertices * 3 * sizeof(float));
    if (!glb->meshes || !glb->bounds || !glb->positions || !glb->normals) {
        return false;
    }
    lay_out(file, glb);
    glb->binary = malloc(glb->used);
    return glb->binary != NULL;
}

void tlw_export_glb_free(export_glb* glb) {
    if (glb) {
        free(glb->binary);
        free(glb->meshes);
        free(glb->bounds);
        free(glb->positions);
        free(glb->normals);
        tlw_text_free(&glb->json);
        tlw_text_free(&glb->views);
        tlw_text_free(&glb->accessors);
        free(glb);
    }
}

// ---- Numbers

static void write_floats(uint8_t* out, const float* values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        export_put_float(out + i * 4, values[i]);
    }
}

// Key k is sample k: its target, number k - 1, has the weight 1 and all others 0.
static void write_keys(const tlw_export* file, export_glb* glb) {
    const size_t samples = file->sample_count, targets = samples - 1;
    for (size_t k = 0; k < samples && targets > 0; ++k) {
        const double frame = (double)k * file->def.every;
        export_put_float(glb->binary + glb->times + k * 4, (float)(frame / file->def.hz));
        for (size_t t = 0; t < targets; ++t) {
            export_put_float(glb->binary + glb->weights + (k * targets + t) * 4,
                             t + 1 == k ? 1.0f : 0.0f);
        }
    }
}

tlw_export_code tlw_export_glb_begin(tlw_export* file, tlw_export_error* error) {
    const double bytes = estimate_bytes(file);
    if (bytes > (double)file->def.limit_bytes) {
        return fail_size(file, bytes, error);
    }
    if (!allocate(file, bytes)) {
        return tlw_export_fail_memory(file, error);
    }
    export_glb* glb = file->glb;
    for (uint32_t m = 0; m < file->mesh_count; ++m) {
        const tlw_mesh_info* mesh = &file->meshes[m];
        if (has_uvs(file)) {
            write_floats(glb->binary + glb->meshes[m].uvs,
                         file->geometry.uvs + (size_t)mesh->first_vertex * 2,
                         (size_t)mesh->vertex_count * 2);
        }
        for (size_t i = 0; i < mesh->index_count; ++i) {
            export_put_u32(glb->binary + glb->meshes[m].indices + i * 4,
                           file->geometry.indices[mesh->first_index + i] - mesh->first_vertex);
        }
    }
    write_keys(file, glb);
    return tlw_export_begin_writer(file, file->def.path, error);
}

// Sample 0 as it is, every other one as what it adds to sample 0. `bounds` may be null.
static void write_sample(uint8_t* out, const float* values, const float* base, size_t count,
                         float bounds[6]) {
    for (size_t i = 0; i < count * 3; ++i) {
        const float value = base ? values[i] - base[i] : values[i];
        export_put_float(out + i * 4, value);
        if (bounds) {
            const size_t axis = i % 3;
            bounds[axis] = i < 3 || value < bounds[axis] ? value : bounds[axis];
            bounds[axis + 3] = i < 3 || value > bounds[axis + 3] ? value : bounds[axis + 3];
        }
    }
}

void tlw_export_glb_add(tlw_export* file, const float* positions, const float* normals) {
    export_glb* glb = file->glb;
    const size_t sample = file->next_sample;
    for (uint32_t m = 0; m < file->mesh_count; ++m) {
        const tlw_mesh_info* mesh = &file->meshes[m];
        const glb_mesh* at = &glb->meshes[m];
        const size_t count = mesh->vertex_count, first = (size_t)mesh->first_vertex * 3;
        write_sample(glb->binary + at->positions + sample * count * 12, positions + first,
                     sample > 0 ? glb->positions + first : NULL, count, at->bounds[sample]);
        if (mesh->has_normals) {
            write_sample(glb->binary + at->normals + sample * count * 12, normals + first,
                         sample > 0 ? glb->normals + first : NULL, count, NULL);
        }
    }
    if (sample == 0) {
        const size_t bytes = (size_t)file->geometry.vertex_count * 3 * sizeof(float);
        memcpy(glb->positions, positions, bytes);
        memcpy(glb->normals, normals, bytes);
    }
}

// ---- JSON

static unsigned add_view(export_glb* glb, size_t start, size_t bytes, int stride, int target) {
    tlw_text_add(&glb->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                 glb->view_count ? ",\n" : "", start, bytes);
    if (stride > 0) {
        tlw_text_add(&glb->views, ",\"byteStride\":%d", stride);
    }
    if (target != TARGET_NONE) {
        tlw_text_add(&glb->views, ",\"target\":%d", target);
    }
    tlw_text_add(&glb->views, "}");
    return glb->view_count++;
}

static void add_numbers(tlw_text* text, const char* key, const float* values, int count) {
    tlw_text_add(text, ",\"%s\":[", key);
    for (int i = 0; i < count; ++i) {
        tlw_text_add(text, i ? "," : "");
        tlw_text_json_number(text, (double)values[i]);
    }
    tlw_text_add(text, "]");
}

// `width` numbers of `low` and `high`, which a width of 0 leaves out.
static unsigned add_accessor(export_glb* glb, unsigned view, size_t offset, int component,
                             size_t count, const char* type, const float* low, const float* high,
                             int width) {
    tlw_text_add(&glb->accessors,
                 "%s{\"bufferView\":%u,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%zu,"
                 "\"type\":\"%s\"",
                 glb->accessor_count ? ",\n" : "", view, offset, component, count, type);
    if (width > 0) {
        add_numbers(&glb->accessors, "min", low, width);
        add_numbers(&glb->accessors, "max", high, width);
    }
    tlw_text_add(&glb->accessors, "}");
    return glb->accessor_count++;
}

// Positions and, where the mesh has them, normals of one sample.
static void add_sample(tlw_text* json, export_glb* glb, const tlw_mesh_info* mesh,
                       const glb_mesh* at, const unsigned views[2], size_t sample) {
    const size_t count = mesh->vertex_count, offset = sample * count * 12;
    const float* bounds = at->bounds[sample];
    tlw_text_add(
        json, "\"POSITION\":%u",
        add_accessor(glb, views[0], offset, COMPONENT_F32, count, "VEC3", bounds, bounds + 3, 3));
    if (mesh->has_normals) {
        tlw_text_add(
            json, ",\"NORMAL\":%u",
            add_accessor(glb, views[1], offset, COMPONENT_F32, count, "VEC3", NULL, NULL, 0));
    }
}

static void add_primitive(tlw_text* json, const tlw_export* file, export_glb* glb, uint32_t m) {
    const tlw_mesh_info* mesh = &file->meshes[m];
    const glb_mesh* at = &glb->meshes[m];
    const size_t count = mesh->vertex_count, bytes = file->sample_count * count * 12;
    const unsigned views[2] = {
        add_view(glb, at->positions, bytes, 12, TARGET_ARRAY),
        mesh->has_normals ? add_view(glb, at->normals, bytes, 12, TARGET_ARRAY) : 0};
    tlw_text_add(json, "{\"material\":0,\"attributes\":{");
    add_sample(json, glb, mesh, at, views, 0);
    if (has_uvs(file)) {
        const unsigned view = add_view(glb, at->uvs, count * 8, 8, TARGET_ARRAY);
        tlw_text_add(json, ",\"TEXCOORD_0\":%u",
                     add_accessor(glb, view, 0, COMPONENT_F32, count, "VEC2", NULL, NULL, 0));
    }
    const unsigned view =
        add_view(glb, at->indices, (size_t)mesh->index_count * 4, 0, TARGET_ELEMENTS);
    tlw_text_add(
        json, "},\"indices\":%u",
        add_accessor(glb, view, 0, COMPONENT_U32, mesh->index_count, "SCALAR", NULL, NULL, 0));
    for (size_t sample = 1; sample < file->sample_count; ++sample) {
        tlw_text_add(json, sample == 1 ? ",\n\"targets\":[{" : "},\n{");
        add_sample(json, glb, mesh, at, views, sample);
    }
    tlw_text_add(json, file->sample_count > 1 ? "}]}" : "}");
}

static void add_meshes(tlw_text* json, const tlw_export* file, export_glb* glb) {
    for (uint32_t i = 0; i < file->object_count; ++i) {
        const export_object* object = &file->objects[i];
        tlw_text_add(json, i ? ",\n{\"name\":" : "{\"name\":");
        tlw_text_json(json, object->name);
        tlw_text_add(json, ",\"primitives\":[");
        for (uint32_t m = 0; m < object->mesh_count; ++m) {
            tlw_text_add(json, m ? ",\n" : "\n");
            add_primitive(json, file, glb, object->first_mesh + m);
        }
        tlw_text_add(json, "]");
        for (uint32_t sample = 1; sample < file->sample_count; ++sample) {
            tlw_text_add(json, "%s\"frame %llu\"",
                         sample == 1 ? ",\n\"extras\":{\"targetNames\":[" : ",",
                         (unsigned long long)sample * file->def.every);
        }
        tlw_text_add(json, file->sample_count > 1 ? "]}}" : "}");
    }
}

// Keys are interpolated linearly, so that between two of them the shape is a blend of both.
static void add_animation(tlw_text* json, const tlw_export* file, export_glb* glb) {
    const size_t samples = file->sample_count, weights = samples * (samples - 1);
    const float first = 0.0f;
    const float last = (float)((double)(samples - 1) * file->def.every / file->def.hz);
    const unsigned times_view = add_view(glb, glb->times, samples * 4, 0, TARGET_NONE);
    const unsigned weights_view = add_view(glb, glb->weights, weights * 4, 0, TARGET_NONE);
    const unsigned input =
        add_accessor(glb, times_view, 0, COMPONENT_F32, samples, "SCALAR", &first, &last, 1);
    const unsigned output =
        add_accessor(glb, weights_view, 0, COMPONENT_F32, weights, "SCALAR", NULL, NULL, 0);
    tlw_text_add(json, "\"animations\":[{\"name\":");
    tlw_text_json(json, file->def.clip);
    tlw_text_add(json,
                 ",\"samplers\":[{\"input\":%u,\"output\":%u,\"interpolation\":\"LINEAR\"}],"
                 "\"channels\":[",
                 input, output);
    for (uint32_t i = 0; i < file->object_count; ++i) {
        tlw_text_add(json, "%s{\"sampler\":0,\"target\":{\"node\":%u,\"path\":\"weights\"}}",
                     i ? "," : "", i);
    }
    tlw_text_add(json, "]}],\n");
}

static void add_json(const tlw_export* file, export_glb* glb) {
    tlw_text* json = &glb->json;
    tlw_text_add(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"tallow\"},\n"
                       "\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (uint32_t i = 0; i < file->object_count; ++i) {
        tlw_text_add(json, "%s%u", i ? "," : "", i);
    }
    tlw_text_add(json, "]}],\n\"nodes\":[");
    for (uint32_t i = 0; i < file->object_count; ++i) {
        tlw_text_add(json, i ? ",\n{\"name\":" : "{\"name\":");
        tlw_text_json(json, file->objects[i].name);
        tlw_text_add(json, ",\"mesh\":%u}", i);
    }
    tlw_text_add(json, "],\n\"materials\":[{\"name\":\"clay\",\"pbrMetallicRoughness\":{"
                       "\"baseColorFactor\":[0.8,0.74,0.68,1],\"metallicFactor\":0,"
                       "\"roughnessFactor\":0.8}}],\n\"meshes\":[");
    add_meshes(json, file, glb);
    tlw_text_add(json, "],\n");
    if (file->sample_count > 1) {
        add_animation(json, file, glb);
    }
    tlw_text_add(json, "\"buffers\":[{\"byteLength\":%zu}],\n\"bufferViews\":[", glb->used);
    tlw_text_add(&glb->views, "],\n\"accessors\":[");
    tlw_text_add(&glb->accessors, "]}\n");
    const size_t used = json->used + glb->views.used + glb->accessors.used;
    tlw_text_add(&glb->accessors, "%.*s", (int)(3 - (used + 3) % 4), "   ");
}

tlw_export_code tlw_export_glb_end(tlw_export* file, tlw_export_error* error) {
    export_glb* glb = file->glb;
    add_json(file, glb);
    if (glb->json.out_of_memory || glb->views.out_of_memory || glb->accessors.out_of_memory) {
        return tlw_export_fail_memory(file, error);
    }
    const double json_bytes =
        (double)glb->json.used + (double)glb->views.used + (double)glb->accessors.used;
    const double total = HEADER_BYTES + json_bytes + 8.0 + (double)glb->used;
    if (total > (double)file->def.limit_bytes || total > (double)UINT32_MAX) {
        return fail_size(file, total, error);
    }
    uint8_t header[HEADER_BYTES], chunk[8];
    export_put_u32(header, GLB_MAGIC);
    export_put_u32(header + 4, 2);
    export_put_u32(header + 8, (uint32_t)total);
    export_put_u32(header + 12, (uint32_t)json_bytes);
    export_put_u32(header + 16, GLB_CHUNK_JSON);
    export_put_u32(chunk, (uint32_t)glb->used);
    export_put_u32(chunk + 4, GLB_CHUNK_BIN);
    tlw_file_writer* writer = &file->writers[0];
    (void)tlw_file_writer_write(writer, header, sizeof header);
    (void)tlw_file_writer_write(writer, glb->json.bytes, glb->json.used);
    (void)tlw_file_writer_write(writer, glb->views.bytes, glb->views.used);
    (void)tlw_file_writer_write(writer, glb->accessors.bytes, glb->accessors.used);
    (void)tlw_file_writer_write(writer, chunk, sizeof chunk);
    (void)tlw_file_writer_write(writer, glb->binary, glb->used);
    return TLW_EXPORT_OK;
}
