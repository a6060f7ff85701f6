// SPDX-License-Identifier: MIT
// Exports, read back: every vertex of every frame that a PC2 or a GLB has is where the runtime put
// it. The GLB is evaluated here as glTF says, from its JSON and its numbers, and read by our own
// importer.
#include "tests/test.h"
#include "tools/asset/to_cook.h"
#include "tools/export/export.h"
#include "tools/scene/scene.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 10

// A run, kept frame by frame.
typedef struct take {
    tlw_actor actor;
    tlw_geometry geometry;
    float *positions, *normals; // 3 per vertex and frame
} take;

static void record(take* t) {
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = &t->actor;
    def.has_positions = def.has_normals = true;
    tlw_scene* scene;
    tlw_scene_error error = {0};
    if (tlw_scene_open(&def, &scene, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    CHECK_OK(tlw_blob_get_geometry(&t->actor.blob, &t->geometry));
    const size_t count = (size_t)t->geometry.vertex_count * 3;
    t->positions = malloc(count * FRAMES * sizeof(float));
    t->normals = malloc(count * FRAMES * sizeof(float));
    CHECK(t->positions != NULL && t->normals != NULL);
    for (size_t frame = 0; frame < FRAMES; ++frame) {
        if (frame == 0) {
            tlw_scene_start(scene);
        } else {
            tlw_scene_advance(scene, 1.0 / 60.0);
        }
        memcpy(t->positions + frame * count, scene->characters[0].positions, count * sizeof(float));
        memcpy(t->normals + frame * count, scene->characters[0].normals, count * sizeof(float));
    }
    tlw_scene_close(scene);
}

static const float* frame_of(const take* t, const float* values, size_t frame) {
    return values + frame * t->geometry.vertex_count * 3;
}

static void free_take(take* t) {
    tlw_actor_free(&t->actor);
    free(t->positions);
    free(t->normals);
}

static tlw_cook_recipe recipe_of(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return recipe;
}

static take one_mesh(void) {
    take t = {0};
    const tlw_cook_recipe recipe = recipe_of(12);
    tlw_scene_error error = {0};
    if (tlw_actor_make(&t.actor, "bunny", &recipe, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    record(&t);
    return t;
}

// A smaller copy of a mesh, with other uvs and fewer triangles, that rides on the character. `room`
// has 5 floats per vertex.
static tlw_cook_mesh smaller(const tlw_cook_mesh* from, const char* name, float size, uint32_t part,
                             float* room) {
    tlw_cook_mesh mesh = *from;
    const size_t count = from->vertex_count;
    for (size_t i = 0; i < count * 3; ++i) {
        room[i] = from->positions[i] * size;
    }
    for (size_t i = 0; i < count * 2; ++i) {
        room[count * 3 + i] = from->uvs[i] * size;
    }
    mesh.name = name;
    mesh.role = TLW_ROLE_RIDE;
    mesh.positions = room;
    mesh.uvs = room + count * 3;
    mesh.triangle_count /= part;
    return mesh;
}

// Three primitives in two objects, and a bound point, which no file has. The pose stands still, so
// numbers are added that differ from frame to frame and from vertex to vertex.
static take several_meshes(void) {
    const tlw_sample_def sample = tlw_default_sample_def(TLW_SAMPLE_BUNNY);
    uint8_t* bytes;
    size_t size;
    CHECK_OK(tlw_sample_build(&sample, &bytes, &size));
    tlw_asset* asset;
    CHECK_EQ(tlw_asset_load_memory(bytes, size, NULL, NULL, &asset, NULL), TLW_ASSET_OK);
    free(bytes);
    tlw_asset_cook cook;
    CHECK_EQ(tlw_asset_to_cook(asset, NULL, &cook, NULL), TLW_ASSET_OK);
    tlw_cook_input input = cook.input;
    tlw_cook_mesh meshes[3] = {input.meshes[0]};
    const size_t floats = (size_t)meshes[0].vertex_count * 5;
    float* copies = malloc(floats * 2 * sizeof(float));
    CHECK(copies != NULL);
    meshes[0].name = "body[0]";
    meshes[1] = smaller(&meshes[0], "body[1]", 0.9f, 2, copies);
    meshes[2] = smaller(&meshes[0], "eyes/\"left\"", 0.8f, 3, copies + floats);
    const float socket[3] = {0.0f, 0.5f, 0.0f};
    const tlw_cook_points points = {.name = "socket", .count = 1, .positions = socket};
    input.meshes = meshes;
    input.mesh_count = 3;
    input.points = &points;
    input.points_count = 1;
    take t = {0};
    const tlw_cook_recipe recipe = recipe_of(12);
    tlw_scene_error error = {0};
    if (tlw_actor_cook_input(&t.actor, "several", &input, &recipe, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    free(copies);
    tlw_asset_cook_free(&cook);
    tlw_asset_free(asset);
    CHECK_OK(tlw_blob_get_geometry(&t.actor.blob, &t.geometry));
    record(&t);
    for (size_t i = 0; i < (size_t)t.geometry.vertex_count * 3 * FRAMES; ++i) {
        t.positions[i] += 1e-3f * (float)((i * 7919) % 1013);
    }
    return t;
}

static const char* path_of(const char* name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", tlw_test_folder(), name);
    return path;
}

static tlw_export_def def_of(const take* t, const char* path, uint32_t every) {
    tlw_export_def def = tlw_default_export_def();
    def.blob = &t->actor.blob;
    def.path = path;
    def.clip = "say \"hello\"";
    def.frame_count = FRAMES;
    def.every = every;
    return def;
}

static void write_export(const take* t, const char* name, uint32_t every) {
    const tlw_export_def def = def_of(t, path_of(name), every);
    tlw_export* file;
    tlw_export_error error = {0};
    if (tlw_export_begin(&def, &file, &error) != TLW_EXPORT_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    for (size_t frame = 0; frame < FRAMES; ++frame) {
        tlw_export_add(file, frame_of(t, t->positions, frame), frame_of(t, t->normals, frame));
    }
    if (tlw_export_commit(file, &error) != TLW_EXPORT_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
}

static uint32_t u32_at(const uint8_t* bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float float_at(const uint8_t* bytes) {
    const uint32_t word = u32_at(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// ---- PC2

// The file has vertices [first, first + count) of the take.
static void check_pc2(const take* t, const char* name, uint32_t every, uint32_t first,
                      uint32_t count) {
    size_t size;
    uint8_t* bytes = (uint8_t*)tlw_test_read_text(path_of(name), &size);
    const uint32_t samples = (FRAMES - 1) / every + 1;
    CHECK_EQ(size, 32 + (size_t)samples * count * 12);
    CHECK_BYTES(bytes, "POINTCACHE2", 12);
    CHECK_EQ(u32_at(bytes + 12), 1);
    CHECK_EQ(u32_at(bytes + 16), count);
    CHECK_EQ(float_at(bytes + 20), 0.0f);
    CHECK_EQ(float_at(bytes + 24), (float)every);
    CHECK_EQ(u32_at(bytes + 28), samples);
    const uint8_t* at = bytes + 32;
    for (size_t sample = 0; sample < samples; ++sample) {
        const float* positions = frame_of(t, t->positions, sample * every) + (size_t)first * 3;
        for (size_t i = 0; i < (size_t)count * 3; ++i, at += 4) {
            CHECK_EQ(float_at(at), positions[i]);
        }
    }
    free(bytes);
}

TLW_TEST(pc2_has_every_vertex_of_every_frame_in_the_order_of_the_source) {
    take t = one_mesh();
    write_export(&t, "all.pc2", 1);
    check_pc2(&t, "all.pc2", 1, 0, t.geometry.vertex_count);
    write_export(&t, "some.PC2", 4); // frames 0, 4 and 8
    check_pc2(&t, "some.PC2", 4, 0, t.geometry.vertex_count);
    free_take(&t);
}

TLW_TEST(pc2_has_a_file_per_object_with_the_vertices_of_its_primitives) {
    take t = several_meshes();
    write_export(&t, "parts.pc2", 3);
    const uint32_t each = t.geometry.vertex_count / 3;
    check_pc2(&t, "parts.0.body.pc2", 3, 0, 2 * each);
    check_pc2(&t, "parts.1.eyes__left_.pc2", 3, 2 * each, each);
    FILE* whole = fopen(path_of("parts.pc2"), "rb");
    CHECK(whole == NULL);
    free_take(&t);
}

// ---- GLB

typedef struct glb {
    uint8_t* bytes;
    const uint8_t* binary;
    size_t binary_bytes;
    json_t* root;
} glb;

static glb open_glb(const char* name) {
    glb g;
    size_t size;
    g.bytes = (uint8_t*)tlw_test_read_text(path_of(name), &size);
    CHECK(size > 28);
    CHECK_BYTES(g.bytes, "glTF", 4);
    CHECK_EQ(u32_at(g.bytes + 4), 2);
    CHECK_EQ(u32_at(g.bytes + 8), size);
    const size_t json_bytes = u32_at(g.bytes + 12);
    CHECK_EQ(json_bytes % 4, 0);
    CHECK_BYTES(g.bytes + 16, "JSON", 4);
    json_error_t error;
    g.root = json_loadb((const char*)g.bytes + 20, json_bytes, 0, &error);
    if (g.root == NULL) {
        tlw_test_fail(__FILE__, __LINE__, "line %d: %s", error.line, error.text);
    }
    const uint8_t* chunk = g.bytes + 20 + json_bytes;
    g.binary_bytes = u32_at(chunk);
    CHECK_BYTES(chunk + 4, "BIN", 4);
    CHECK_EQ(28 + json_bytes + g.binary_bytes, size);
    g.binary = chunk + 8;
    return g;
}

static void close_glb(glb* g) {
    json_decref(g->root);
    free(g->bytes);
}

static json_t* member(const json_t* object, const char* key) {
    json_t* value = json_object_get(object, key);
    if (value == NULL) {
        tlw_test_fail(__FILE__, __LINE__, "there is no member '%s'", key);
    }
    return value;
}

static size_t number(const json_t* object, const char* key) {
    return (size_t)json_integer_value(member(object, key));
}

// The numbers of an accessor, which must lie in its view, in its buffer. `*count` elements of
// `width` numbers; a position's bounds must be what they are.
static const uint8_t* numbers(const glb* g, const json_t* accessor_index, size_t width,
                              size_t* count) {
    const json_t* accessor =
        json_array_get(member(g->root, "accessors"), (size_t)json_integer_value(accessor_index));
    const json_t* view =
        json_array_get(member(g->root, "bufferViews"), number(accessor, "bufferView"));
    const size_t offset = number(accessor, "byteOffset"), start = number(view, "byteOffset");
    *count = number(accessor, "count");
    CHECK_EQ((start + offset) % 4, 0);
    CHECK_LE(offset + *count * width * 4, number(view, "byteLength"));
    CHECK_LE(start + number(view, "byteLength"), g->binary_bytes);
    CHECK_EQ(number(json_array_get(member(g->root, "buffers"), 0), "byteLength"), g->binary_bytes);
    const uint8_t* at = g->binary + start + offset;
    const json_t *low = json_object_get(accessor, "min"), *high = json_object_get(accessor, "max");
    for (size_t k = 0; low && k < width; ++k) {
        float least = float_at(at + 4 * k), most = least;
        for (size_t i = 0; i < *count; ++i) {
            least = fminf(least, float_at(at + 4 * (i * width + k)));
            most = fmaxf(most, float_at(at + 4 * (i * width + k)));
        }
        CHECK_EQ((float)json_number_value(json_array_get(low, k)), least);
        CHECK_EQ((float)json_number_value(json_array_get(high, k)), most);
    }
    return at;
}

// Weights of all targets at a time, interpolated as glTF says. `weights` has one per target.
static void weights_at(const glb* g, uint32_t node, double seconds, float* weights,
                       size_t targets) {
    const json_t* animation = json_array_get(member(g->root, "animations"), 0);
    const json_t* channel = json_array_get(member(animation, "channels"), node);
    CHECK_EQ(number(member(channel, "target"), "node"), node);
    CHECK_STRING(json_string_value(member(member(channel, "target"), "path")), "weights");
    const json_t* sampler =
        json_array_get(member(animation, "samplers"), number(channel, "sampler"));
    CHECK_STRING(json_string_value(member(sampler, "interpolation")), "LINEAR");
    size_t keys, count, key = 0;
    const uint8_t* times = numbers(g, member(sampler, "input"), 1, &keys);
    const uint8_t* values = numbers(g, member(sampler, "output"), 1, &count);
    CHECK_EQ(count, keys * targets);
    while (key + 2 < keys && (double)float_at(times + 4 * (key + 1)) <= seconds) {
        ++key;
    }
    const double from = (double)float_at(times + 4 * key);
    const double to = (double)float_at(times + 4 * (key + 1));
    CHECK(to > from);
    const double share = (seconds - from) / (to - from);
    for (size_t i = 0; i < targets; ++i) {
        const double a = (double)float_at(values + 4 * (key * targets + i));
        const double b = (double)float_at(values + 4 * ((key + 1) * targets + i));
        weights[i] = (float)(a + (b - a) * share);
    }
}

// The shape with those weights is the given one.
static void check_shape(const glb* g, const json_t* primitive, const char* attribute,
                        const float* weights, size_t targets, const float* expected,
                        size_t expected_count) {
    size_t count;
    const uint8_t* base = numbers(g, member(member(primitive, "attributes"), attribute), 3, &count);
    CHECK_EQ(count, expected_count);
    double* sum = malloc(count * 3 * sizeof(double));
    CHECK(sum != NULL);
    for (size_t i = 0; i < count * 3; ++i) {
        sum[i] = (double)float_at(base + 4 * i);
    }
    for (size_t k = 0; k < targets; ++k) {
        const json_t* target = json_array_get(member(primitive, "targets"), k);
        size_t again;
        const uint8_t* delta = numbers(g, member(target, attribute), 3, &again);
        CHECK_EQ(again, count);
        for (size_t i = 0; i < count * 3 && weights[k] != 0.0f; ++i) {
            sum[i] += (double)weights[k] * (double)float_at(delta + 4 * i);
        }
    }
    for (size_t i = 0; i < count * 3; ++i) {
        CHECK_NEAR(sum[i], (double)expected[i], 1e-6); // a rounding is at most 1.2e-7 here
    }
    free(sum);
}

static void check_primitive(const take* t, const glb* g, uint32_t node, const json_t* primitive,
                            uint32_t mesh, uint32_t every) {
    tlw_mesh_info info;
    CHECK_OK(tlw_blob_get_mesh(&t->actor.blob, mesh, &info));
    const size_t targets = (FRAMES - 1) / every, first = (size_t)info.first_vertex * 3;
    if (targets > 0) {
        CHECK_EQ(json_array_size(member(primitive, "targets")), targets);
    } else {
        CHECK(json_object_get(primitive, "targets") == NULL);
    }
    for (size_t sample = 0; sample <= targets; ++sample) {
        float weights[FRAMES] = {0};
        const size_t frame = sample * every;
        if (targets > 0) {
            weights_at(g, node, (double)frame / 60.0, weights, targets);
        }
        check_shape(g, primitive, "POSITION", weights, targets,
                    frame_of(t, t->positions, frame) + first, info.vertex_count);
        check_shape(g, primitive, "NORMAL", weights, targets,
                    frame_of(t, t->normals, frame) + first, info.vertex_count);
    }
    size_t count;
    const uint8_t* indices = numbers(g, member(primitive, "indices"), 1, &count);
    CHECK_EQ(count, info.index_count);
    for (size_t i = 0; i < count; ++i) {
        CHECK_EQ(u32_at(indices + 4 * i) + info.first_vertex,
                 t->geometry.indices[info.first_index + i]);
    }
    const uint8_t* uvs =
        numbers(g, member(member(primitive, "attributes"), "TEXCOORD_0"), 2, &count);
    CHECK_EQ(count, info.vertex_count);
    for (size_t i = 0; i < count * 2; ++i) {
        CHECK_EQ(float_at(uvs + 4 * i), t->geometry.uvs[(size_t)info.first_vertex * 2 + i]);
    }
}

// The first frame and the mesh, as our own importer reads them.
static void check_import(const take* t, const char* name, uint32_t mesh_count) {
    tlw_asset* asset;
    tlw_asset_error error = {0};
    if (tlw_asset_load(path_of(name), NULL, &asset, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    uint32_t at = 0;
    for (uint32_t m = 0; m < asset->mesh_count; ++m) {
        for (uint32_t i = 0; i < asset->meshes[m].primitive_count; ++i, ++at) {
            const tlw_asset_primitive* p = &asset->meshes[m].primitives[i];
            tlw_mesh_info info;
            CHECK_OK(tlw_blob_get_mesh(&t->actor.blob, at, &info));
            CHECK_EQ(p->vertex_count, info.vertex_count);
            CHECK_EQ(p->triangle_count * 3, info.index_count);
            CHECK_BYTES(p->positions, t->positions + (size_t)info.first_vertex * 3,
                        (size_t)info.vertex_count * 12);
            CHECK_BYTES(p->normals, t->normals + (size_t)info.first_vertex * 3,
                        (size_t)info.vertex_count * 12);
        }
    }
    CHECK_EQ(at, mesh_count);
    tlw_asset_free(asset);
}

TLW_TEST(glb_shows_every_vertex_of_every_frame_at_its_time) {
    take t = one_mesh();
    const uint32_t every[] = {1, 4, FRAMES};
    for (size_t i = 0; i < TLW_COUNT_OF(every); ++i) {
        write_export(&t, "one.glb", every[i]);
        glb g = open_glb("one.glb");
        const json_t* mesh = json_array_get(member(g.root, "meshes"), 0);
        CHECK_STRING(json_string_value(member(mesh, "name")), "bunny");
        check_primitive(&t, &g, 0, json_array_get(member(mesh, "primitives"), 0), 0, every[i]);
        close_glb(&g);
        check_import(&t, "one.glb", 1);
    }
    free_take(&t);
}

TLW_TEST(glb_has_an_object_per_mesh_of_the_source_with_its_primitives) {
    take t = several_meshes();
    write_export(&t, "parts.glb", 3);
    glb g = open_glb("parts.glb");
    const json_t* meshes = member(g.root, "meshes");
    CHECK_EQ(json_array_size(meshes), 2);
    CHECK_EQ(json_array_size(member(g.root, "nodes")), 2);
    const json_t *body = json_array_get(meshes, 0), *eyes = json_array_get(meshes, 1);
    CHECK_STRING(json_string_value(member(body, "name")), "body");
    CHECK_STRING(json_string_value(member(eyes, "name")), "eyes/\"left\"");
    CHECK_EQ(json_array_size(member(body, "primitives")), 2);
    CHECK_EQ(json_array_size(member(eyes, "primitives")), 1);
    for (uint32_t i = 0; i < 2; ++i) {
        const json_t* primitive = json_array_get(member(body, "primitives"), i);
        check_primitive(&t, &g, 0, primitive, i, 3);
    }
    check_primitive(&t, &g, 1, json_array_get(member(eyes, "primitives"), 0), 2, 3);
    const json_t* names = member(member(eyes, "extras"), "targetNames");
    CHECK_EQ(json_array_size(names), 3);
    CHECK_STRING(json_string_value(json_array_get(names, 1)), "frame 6");
    const json_t* animation = json_array_get(member(g.root, "animations"), 0);
    CHECK_STRING(json_string_value(member(animation, "name")), "say \"hello\"");
    close_glb(&g);
    check_import(&t, "parts.glb", 3);
    free_take(&t);
}

// ---- Mistakes

static void check_refused(const tlw_export_def* def, tlw_export_code code, const char* part) {
    tlw_export* file;
    tlw_export_error error = {0};
    CHECK_EQ(tlw_export_begin(def, &file, &error), code);
    CHECK_EQ(error.code, code);
    CHECK_CONTAINS(error.message, part);
    CHECK(file == NULL);
}

static void check_nothing_there(const char* name) {
    FILE* file = fopen(path_of(name), "rb");
    CHECK(file == NULL);
}

TLW_TEST(export_names_every_mistake_of_its_def_and_writes_nothing) {
    take t = one_mesh();
    char cache[512], mesh[512];
    snprintf(cache, sizeof cache, "%s", path_of("no.pc2"));
    snprintf(mesh, sizeof mesh, "%s", path_of("no.glb"));
    tlw_export_def def = def_of(&t, cache, 1);
    def.cookie = 0;
    check_refused(&def, TLW_EXPORT_BAD_ARGUMENT, "tlw_default_export_def");
    def = def_of(&t, "a.obj", 1);
    check_refused(&def, TLW_EXPORT_BAD_ARGUMENT, "'a.obj' does not end in .pc2 or .glb");
    def = def_of(&t, ".pc2", 1);
    check_refused(&def, TLW_EXPORT_BAD_ARGUMENT, "'.pc2' does not end in");
    def = def_of(&t, cache, 0);
    check_refused(&def, TLW_EXPORT_BAD_ARGUMENT, "10 frames, of which every 0, at 60 Hz");
    def = def_of(&t, cache, 1);
    def.frame_count = 0;
    check_refused(&def, TLW_EXPORT_BAD_ARGUMENT, "0 frames, of which every 1");
    def = def_of(&t, mesh, 1);
    def.hz = NAN;
    check_refused(&def, TLW_EXPORT_BAD_ARGUMENT, "no export");
    def = def_of(&t, "nowhere/at all/a.glb", 1);
    check_refused(&def, TLW_EXPORT_CANNOT_WRITE, "cannot write 'nowhere/at all/a.glb': ");
    check_nothing_there("no.pc2");
    check_nothing_there("no.glb");
    free_take(&t);
}

TLW_TEST(glb_that_is_too_large_is_refused_before_the_first_frame_or_at_the_end) {
    take t = one_mesh();
    tlw_export_def def = def_of(&t, path_of("large.glb"), 1);
    def.frame_count = 1000000;
    check_refused(&def, TLW_EXPORT_CANNOT_WRITE, "large.glb': 1000000 frames need ");
    def.every = 1000; // 1,000 frames fit
    tlw_export* file;
    CHECK_EQ(tlw_export_begin(&def, &file, NULL), TLW_EXPORT_OK);
    tlw_export_abandon(file);

    // Names make the JSON longer than the estimate.
    static char clip[100000];
    memset(clip, 'c', sizeof clip - 1);
    def = def_of(&t, path_of("large.glb"), 1);
    write_export(&t, "large.glb", 1);
    size_t size;
    free(tlw_test_read_text(path_of("large.glb"), &size));
    def.clip = clip;
    def.limit_bytes = size + 50000;
    tlw_export_error error = {0};
    CHECK_EQ(tlw_export_begin(&def, &file, &error), TLW_EXPORT_OK);
    for (size_t frame = 0; frame < FRAMES; ++frame) {
        tlw_export_add(file, frame_of(&t, t.positions, frame), frame_of(&t, t.normals, frame));
    }
    CHECK_EQ(tlw_export_commit(file, &error), TLW_EXPORT_CANNOT_WRITE);
    CHECK_CONTAINS(error.message, "large.glb': 10 frames need ");
    size_t after;
    free(tlw_test_read_text(path_of("large.glb"), &after));
    CHECK_EQ(after, size); // the old file
    free_take(&t);
}

TLW_TEST(character_without_triangles_is_not_exported) {
    take t = one_mesh();
    uint64_t count;
    const void* meshes = tlw_blob_find(t.actor.blob_memory, TLW_SECTION_MESHES, &count);
    const size_t offset = (size_t)((const uint8_t*)meshes - t.actor.blob_memory);
    ((tlw_blob_mesh*)(void*)(t.actor.blob_memory + offset))->is_points = 1;
    const tlw_export_def def = def_of(&t, path_of("empty.pc2"), 1);
    check_refused(&def, TLW_EXPORT_NO_MESH, "the character has no triangles");
    check_nothing_there("empty.pc2");
    free_take(&t);
}

TLW_TEST(abandoned_export_leaves_the_old_file) {
    take t = several_meshes();
    write_export(&t, "kept.pc2", 1);
    const tlw_export_def def = def_of(&t, path_of("kept.pc2"), 5);
    tlw_export* file;
    CHECK_EQ(tlw_export_begin(&def, &file, NULL), TLW_EXPORT_OK);
    tlw_export_add(file, t.positions, NULL);
    tlw_export_abandon(file);
    tlw_export_abandon(NULL);
    check_pc2(&t, "kept.0.body.pc2", 1, 0, t.geometry.vertex_count / 3 * 2);
    free_take(&t);
}
