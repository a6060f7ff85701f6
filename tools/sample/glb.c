// SPDX-License-Identifier: MIT
// Stage 5 of a sample: writes shape, mesh, rig and clips as a GLB file (glTF 2.0, binary
// container). Numbers in the JSON are formatted here, because printf's exponents and rounding
// differ between systems.
#include "tools/sample/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLB_MAGIC      0x46546C67u
#define GLB_CHUNK_JSON 0x4E4F534Au
#define GLB_CHUNK_BIN  0x004E4942u

enum { COMPONENT_U8 = 5121, COMPONENT_U16 = 5123, COMPONENT_U32 = 5125, COMPONENT_F32 = 5126 };
enum { TARGET_NONE = 0, TARGET_ARRAY = 34962, TARGET_ELEMENTS = 34963 };

// A growing array of bytes. When memory runs out, has_failed is set and later bytes are dropped.
typedef struct byte_list {
    uint8_t* bytes;
    size_t count, capacity;
    bool has_failed;
} byte_list;

static void push_bytes(byte_list* list, const void* bytes, size_t count) {
    if (list->has_failed || count == 0) {
        return;
    }
    if (list->count + count > list->capacity) {
        size_t capacity = 2 * (list->count + count) + 4096;
        uint8_t* grown = realloc(list->bytes, capacity);
        if (grown == NULL) {
            list->has_failed = true;
            return;
        }
        list->bytes = grown;
        list->capacity = capacity;
    }
    memcpy(list->bytes + list->count, bytes, count);
    list->count += count;
}

static void push_u32(byte_list* list, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};
    push_bytes(list, bytes, 4);
}

static void push_floats(byte_list* list, const float* values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], 4);
        push_u32(list, bits);
    }
}

static void push_padding(byte_list* list, uint8_t fill) {
    while (list->count % 4 != 0 && !list->has_failed) {
        push_bytes(list, &fill, 1);
    }
}

static void text(byte_list* json, const char* format, ...) TLW_PRINTF(2, 3);

static void text(byte_list* json, const char* format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length_of_line = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length_of_line < 0 || (size_t)length_of_line >= sizeof line) {
        json->has_failed = true;
        return;
    }
    push_bytes(json, line, (size_t)length_of_line);
}

// Rounds to a multiple of 2^-30 and writes all decimals of that, so that multiples of 2^-30 are
// exact. |value| must be below 2^30.
static void number(byte_list* json, double value) {
    int64_t units = (int64_t)floor(value * 1073741824.0 + 0.5);
    uint64_t rest = (uint64_t)(units < 0 ? -units : units);
    char digits[32];
    int count = 0;
    for (uint64_t fraction = rest & 0x3fffffff; fraction != 0; fraction &= 0x3fffffff) {
        fraction *= 10;
        digits[count++] = (char)('0' + (fraction >> 30));
    }
    text(json, "%s%u%s%.*s", units < 0 ? "-" : "", (unsigned)(rest >> 30), count ? "." : "", count,
         digits);
}

static void numbers(byte_list* json, const double* values, int count) {
    text(json, "[");
    for (int i = 0; i < count; ++i) {
        text(json, i ? "," : "");
        number(json, values[i]);
    }
    text(json, "]");
}

// The binary chunk, and the JSON of its bufferViews and accessors.
typedef struct glb_writer {
    byte_list binary, views, accessors;
    unsigned view_count, accessor_count;
    size_t view_start;
} glb_writer;

static void begin_view(glb_writer* w) {
    push_padding(&w->binary, 0);
    w->view_start = w->binary.count;
}

static unsigned end_view(glb_writer* w, int target) {
    text(&w->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
         w->view_count ? ",\n" : "", w->view_start, w->binary.count - w->view_start);
    if (target != TARGET_NONE) {
        text(&w->views, ",\"target\":%d", target);
    }
    text(&w->views, "}");
    return w->view_count++;
}

// Writes the accessor up to its bounds, which may follow; close_accessor ends it.
static void open_accessor(glb_writer* w, unsigned view, size_t offset, int component, size_t count,
                          const char* type, bool is_normalised) {
    text(&w->accessors, "%s{\"bufferView\":%u,", w->accessor_count ? ",\n" : "", view);
    if (offset != 0) {
        text(&w->accessors, "\"byteOffset\":%zu,", offset);
    }
    text(&w->accessors, "\"componentType\":%d,%s\"count\":%zu,\"type\":\"%s\"", component,
         is_normalised ? "\"normalized\":true," : "", count, type);
}

static unsigned close_accessor(glb_writer* w) {
    text(&w->accessors, "}");
    return w->accessor_count++;
}

static void bounds(glb_writer* w, const float* values, size_t count, int width) {
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < width; ++k) {
            double x = (double)values[i * (size_t)width + (size_t)k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    }
    text(&w->accessors, ",\"min\":");
    numbers(&w->accessors, low, width);
    text(&w->accessors, ",\"max\":");
    numbers(&w->accessors, high, width);
}

static unsigned add_floats(glb_writer* w, const float* values, size_t count, int width,
                           const char* type, int target, bool has_bounds) {
    begin_view(w);
    push_floats(&w->binary, values, count * (size_t)width);
    open_accessor(w, end_view(w, target), 0, COMPONENT_F32, count, type, false);
    if (has_bounds) {
        bounds(w, values, count, width);
    }
    return close_accessor(w);
}

static unsigned add_octets(glb_writer* w, const uint8_t* values, size_t count, bool is_normalised) {
    begin_view(w);
    push_bytes(&w->binary, values, 4 * count);
    open_accessor(w, end_view(w, TARGET_ARRAY), 0, COMPONENT_U8, count, "VEC4", is_normalised);
    return close_accessor(w);
}

static unsigned add_indices(glb_writer* w, const sample_mesh* mesh) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    bool is_short = mesh->vertex_count < 65535;
    begin_view(w);
    for (size_t i = 0; i < count; ++i) {
        uint32_t v = mesh->indices[i];
        uint8_t octets[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
        push_bytes(&w->binary, octets, is_short ? 2 : 4);
    }
    open_accessor(w, end_view(w, TARGET_ELEMENTS), 0, is_short ? COMPONENT_U16 : COMPONENT_U32,
                  count, "SCALAR", false);
    return close_accessor(w);
}

static unsigned add_inverse_binds(glb_writer* w, const sample_shape* shape, const sample_rig* rig) {
    float matrices[JOINT_COUNT * 16];
    for (int j = 0; j < JOINT_COUNT; ++j) {
        quat inverse = conjugate(rig->bind[j]);
        vec3 columns[4] = {
            rotate(inverse, (vec3){1.0, 0.0, 0.0}), rotate(inverse, (vec3){0.0, 1.0, 0.0}),
            rotate(inverse, (vec3){0.0, 0.0, 1.0}), rotate(inverse, scale(shape->joints[j], -1.0))};
        for (int c = 0; c < 4; ++c) {
            float* out = matrices + j * 16 + c * 4;
            out[0] = (float)columns[c].x, out[1] = (float)columns[c].y;
            out[2] = (float)columns[c].z, out[3] = c == 3 ? 1.0f : 0.0f;
        }
    }
    return add_floats(w, matrices, JOINT_COUNT, 16, "MAT4", TARGET_NONE, false);
}

// One clip: times and values in one bufferView, one accessor per list of times and one per track.
static void add_animation(glb_writer* w, byte_list* json, const sample_clip* clip,
                          const char* name) {
    static const char* const modes[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    begin_view(w);
    push_floats(&w->binary, clip->times, clip->time_count);
    push_floats(&w->binary, clip->values, clip->value_count);
    unsigned view = end_view(w, TARGET_NONE);
    unsigned time_accessors[SAMPLE_TRACKS_MAX], value_accessors[SAMPLE_TRACKS_MAX];
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const sample_track* track = &clip->tracks[i];
        uint32_t same = 0;
        while (clip->tracks[same].first_time != track->first_time ||
               clip->tracks[same].key_count != track->key_count) {
            ++same;
        }
        if (same < i) {
            time_accessors[i] = time_accessors[same];
        } else {
            open_accessor(w, view, 4 * (size_t)track->first_time, COMPONENT_F32, track->key_count,
                          "SCALAR", false);
            bounds(w, clip->times + track->first_time, track->key_count, 1);
            time_accessors[i] = close_accessor(w);
        }
        size_t values_per_key = track->interpolation == LERP_CUBIC ? 3 : 1;
        open_accessor(w, view, 4 * ((size_t)clip->time_count + track->first_value), COMPONENT_F32,
                      values_per_key * track->key_count, track->is_rotation ? "VEC4" : "VEC3",
                      false);
        value_accessors[i] = close_accessor(w);
    }
    text(json, "{\"name\":\"%s\",\"samplers\":[\n", name);
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        text(json, "%s{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}", i ? ",\n" : "",
             time_accessors[i], value_accessors[i], modes[clip->tracks[i].interpolation]);
    }
    text(json, "],\"channels\":[\n");
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        text(json, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", i ? ",\n" : "",
             (unsigned)i, (unsigned)clip->tracks[i].joint,
             clip->tracks[i].is_rotation ? "rotation" : "translation");
    }
    text(json, "]}");
}

static void add_nodes(byte_list* json, const sample_shape* shape, const sample_rig* rig) {
    for (int j = 0; j < JOINT_COUNT; ++j) {
        quat r = rig->local_rotation[j];
        vec3 t = rig->local_translation[j];
        text(json, "{\"name\":\"%s\",\"translation\":", tlw_sample_joint_names[j]);
        numbers(json, (double[]){t.x, t.y, t.z}, 3);
        text(json, ",\"rotation\":");
        numbers(json, (double[]){r.x, r.y, r.z, r.w}, 4);
        bool has_children = false;
        for (int k = j + 1; k < JOINT_COUNT; ++k) {
            if ((int)tlw_sample_joint_parents[k] == j) {
                text(json, "%s%d", has_children ? "," : ",\"children\":[", k);
                has_children = true;
            }
        }
        text(json, "%s},\n", has_children ? "]" : "");
    }
    text(json, "{\"name\":\"%s\",\"mesh\":0,\"skin\":0}", tlw_sample_variant_name(shape->variant));
}

static void add_json(glb_writer* w, byte_list* json, const sample_shape* shape,
                     const sample_mesh* mesh, const sample_rig* rig, const sample_clip* clips) {
    size_t v = mesh->vertex_count;
    unsigned position = add_floats(w, mesh->positions, v, 3, "VEC3", TARGET_ARRAY, true);
    unsigned normal = add_floats(w, mesh->normals, v, 3, "VEC3", TARGET_ARRAY, false);
    unsigned uv = add_floats(w, mesh->uvs, v, 2, "VEC2", TARGET_ARRAY, false);
    unsigned colour = add_octets(w, mesh->colours, v, true);
    unsigned joints = add_octets(w, mesh->joints, v, false);
    unsigned weights = add_floats(w, mesh->weights, v, 4, "VEC4", TARGET_ARRAY, false);
    unsigned indices = add_indices(w, mesh);
    unsigned inverse_binds = add_inverse_binds(w, shape, rig);

    const char* name = tlw_sample_variant_name(shape->variant);
    text(json,
         "{\"asset\":{\"version\":\"2.0\",\"generator\":\"tallow-sample\"},\n"
         "\"scene\":0,\"scenes\":[{\"nodes\":[0,%d]}],\n\"nodes\":[\n",
         JOINT_COUNT);
    add_nodes(json, shape, rig);
    text(json,
         "],\n\"skins\":[{\"name\":\"%s\",\"skeleton\":0,\"inverseBindMatrices\":%u,\"joints\":[",
         name, inverse_binds);
    for (int j = 0; j < JOINT_COUNT; ++j) {
        text(json, "%s%d", j ? "," : "", j);
    }
    text(json,
         "]}],\n\"materials\":[{\"name\":\"%s\",\"pbrMetallicRoughness\":"
         "{\"metallicFactor\":0,\"roughnessFactor\":0.8}}],\n",
         shape->variant == TLW_SAMPLE_ATHLETIC ? "skin" : "fur");
    text(json,
         "\"meshes\":[{\"name\":\"%s\",\"primitives\":[{\"material\":0,\"indices\":%u,"
         "\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u,\"TEXCOORD_0\":%u,\"COLOR_0\":%u,"
         "\"JOINTS_0\":%u,\"WEIGHTS_0\":%u}}]}],\n\"animations\":[\n",
         name, indices, position, normal, uv, colour, joints, weights);
    for (int c = 0; c < tlw_sample_clip_count(shape->variant); ++c) {
        text(json, "%s", c ? ",\n" : "");
        add_animation(w, json, &clips[c], tlw_sample_clip_names[c]);
    }
    push_padding(&w->binary, 0);
    text(json, "],\n\"buffers\":[{\"byteLength\":%zu}],\n\"bufferViews\":[\n", w->binary.count);
    push_bytes(json, w->views.bytes, w->views.count);
    text(json, "],\n\"accessors\":[\n");
    push_bytes(json, w->accessors.bytes, w->accessors.count);
    text(json, "]}\n");
    push_padding(json, ' ');
}

tlw_result tlw_sample_write_glb(const tlw_sample_def* def, const sample_shape* shape,
                                const sample_mesh* mesh, const sample_rig* rig,
                                const sample_clip* clips, uint8_t** bytes, size_t* size) {
    glb_writer w = {0};
    byte_list json = {0}, file = {0};
    add_json(&w, &json, shape, mesh, rig, clips);
    push_u32(&file, GLB_MAGIC);
    push_u32(&file, 2);
    push_u32(&file, (uint32_t)(12 + 8 + json.count + 8 + w.binary.count));
    push_u32(&file, (uint32_t)json.count);
    push_u32(&file, GLB_CHUNK_JSON);
    push_bytes(&file, json.bytes, json.count);
    push_u32(&file, (uint32_t)w.binary.count);
    push_u32(&file, GLB_CHUNK_BIN);
    push_bytes(&file, w.binary.bytes, w.binary.count);

    tlw_result result = TLW_ERROR_OUT_OF_MEMORY;
    if (!json.has_failed && !w.binary.has_failed && !w.views.has_failed &&
        !w.accessors.has_failed && !file.has_failed) {
        uint8_t* out = def->grow(NULL, 0, file.count, def->user);
        if (out != NULL) {
            memcpy(out, file.bytes, file.count);
            *bytes = out;
            *size = file.count;
            result = TLW_OK;
        }
    }
    free(w.binary.bytes);
    free(w.views.bytes);
    free(w.accessors.bytes);
    free(json.bytes);
    free(file.bytes);
    return result;
}
