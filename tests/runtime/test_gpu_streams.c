// SPDX-License-Identifier: MIT
// What the vertex shaders of runtime/INTEGRATING.md do, in plain C on the same buffers: the streams
// voxel_deltas, voxel_fits and lattice (MODEL 5.8), and vertices packed from tlw_blob_get_vertices,
// _skinning and _bindings. Their positions must be those that the runtime writes itself, on a
// sample in motion, in both orders of vertices. Metres.
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- The vertex buffer of the guide

typedef struct gpu_vertex {
    float position[3], normal[3];
    uint16_t joints[8], joint_weights[8]; // weights in units of 2^-15
    uint32_t voxels[8];
    uint16_t voxel_weights[8];
    float centre[3];
} gpu_vertex;

#define WEIGHT_UNIT (1.0f / 32768.0f)

static void pack_weights(const float weights[8], uint16_t out[8]) {
    uint32_t sum = 0;
    for (int k = 0; k < 8; ++k) {
        out[k] = (uint16_t)(weights[k] * 32768.0f);
        CHECK_EQ((float)out[k] * WEIGHT_UNIT, weights[k]); // nothing is lost
        sum += out[k];
    }
    CHECK(sum == 32768 || sum == 0);
}

static gpu_vertex* fill_vertices(const tlw_blob* blob, tlw_vertex_order order, uint32_t count) {
    gpu_vertex* out = sample_allocate(count * sizeof *out);
    for (uint32_t v = 0; v < count; ++v) {
        tlw_vertex rest;
        tlw_vertex_skinning skinning;
        tlw_vertex_binding binding;
        CHECK_OK(tlw_blob_get_vertices(blob, order, v, 1, &rest));
        CHECK_OK(tlw_blob_get_skinning(blob, order, v, 1, &skinning));
        CHECK_OK(tlw_blob_get_bindings(blob, order, v, 1, &binding));
        memcpy(out[v].position, rest.position, sizeof rest.position);
        memcpy(out[v].normal, rest.normal, sizeof rest.normal);
        memcpy(out[v].voxels, binding.voxels, sizeof binding.voxels);
        memcpy(out[v].centre, binding.centre, sizeof binding.centre);
        pack_weights(skinning.weights, out[v].joint_weights);
        pack_weights(binding.weights, out[v].voxel_weights);
        for (int k = 0; k < 8; ++k) {
            out[v].joints[k] = (uint16_t)skinning.joints[k];
        }
    }
    return out;
}

// ---- The shaders: vectors, matrices by rows, and main of each

typedef struct vec3 {
    float x, y, z;
} vec3;

typedef struct rows3x4 {
    float m[3][4];
} rows3x4;

static vec3 vec3_of(const float a[3]) {
    return (vec3){a[0], a[1], a[2]};
}

static float dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec3 scaled(float s, vec3 a) {
    return (vec3){s * a.x, s * a.y, s * a.z};
}

static double apart(vec3 a, vec3 b) {
    const vec3 d = add(a, scaled(-1.0f, b));
    return sqrt((double)dot(d, d));
}

static vec3 transform(const rows3x4* a, vec3 x, float w) {
    vec3 rows[3];
    float out[3];
    for (int r = 0; r < 3; ++r) {
        rows[r] = vec3_of(a->m[r]);
        out[r] = dot(rows[r], x) + a->m[r][3] * w;
    }
    return vec3_of(out);
}

static void add_scaled(rows3x4* sum, float weight, const rows3x4* a) {
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            sum->m[r][c] += weight * a->m[r][c];
        }
    }
}

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// normalise(cof(gradient) n): the rows of a cofactor matrix are cross products of the other two.
static vec3 turn_normal(const rows3x4* gradient, vec3 n) {
    const vec3 a = vec3_of(gradient->m[0]), b = vec3_of(gradient->m[1]),
               c = vec3_of(gradient->m[2]);
    const vec3 turned = {dot(cross(b, c), n), dot(cross(c, a), n), dot(cross(a, b), n)};
    return scaled(1.0f / sqrtf(dot(turned, turned)), turned);
}

// unpackHalf2x16, for one half: by the definition of binary16.
static float of_half(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 0 ? ldexpf((float)fraction, -24)
                                     : ldexpf((float)(1024 + fraction), exponent - 25);
    return bits >> 15 ? -size : size;
}

// Streams as the shaders see them: a triple is four components long, so that a GPU can load it.
typedef struct gpu_streams {
    tlw_format format;
    void *voxel_deltas, *voxel_fits, *lattice;
} gpu_streams;

static float component(const gpu_streams* s, const void* stream, size_t index) {
    return s->format == TLW_FORMAT_FLOAT16 ? of_half(((const uint16_t*)stream)[index])
                                           : ((const float*)stream)[index];
}

static rows3x4 matrix_of(const gpu_streams* s, const void* stream, uint32_t voxel) {
    rows3x4 out;
    for (size_t k = 0; k < 12; ++k) {
        out.m[k / 4][k % 4] = component(s, stream, (size_t)voxel * 12 + k);
    }
    return out;
}

static rows3x4 linear_matrix(const gpu_vertex* v, const float (*palette)[16]) {
    rows3x4 skin = {{{0}}};
    for (int k = 0; k < 8; ++k) {
        const float* joint = palette[v->joints[k]]; // column-major
        rows3x4 rows;
        for (int c = 0; c < 12; ++c) {
            rows.m[c / 4][c % 4] = joint[c % 4 * 4 + c / 4];
        }
        add_scaled(&skin, (float)v->joint_weights[k] * WEIGHT_UNIT, &rows);
    }
    return skin;
}

// ---- The same by dual quaternions

typedef struct dual {
    float r[4], e[4]; // x, y, z, w
} dual;

// What the guide says an engine puts into the palette: the rotation of a matrix, and half of its
// translation times it. The poses here turn by less than half a turn.
static dual dual_of(const float m[16]) {
    const float w = 0.5f * sqrtf(1.0f + m[0] + m[5] + m[10]), by = 0.25f / w;
    const vec3 r = {(m[6] - m[9]) * by, (m[8] - m[2]) * by, (m[1] - m[4]) * by};
    const vec3 t = {m[12], m[13], m[14]};
    const vec3 e = scaled(0.5f, add(scaled(w, t), cross(t, r)));
    return (dual){{r.x, r.y, r.z, w}, {e.x, e.y, e.z, -0.5f * dot(t, r)}};
}

static float dot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static rows3x4 dual_matrix(const gpu_vertex* v, const float (*palette)[16]) {
    int first = 0;
    for (int k = 1; k < 8; ++k) {
        first = v->joint_weights[k] > v->joint_weights[first] ? k : first;
    }
    const dual side = dual_of(palette[v->joints[first]]);
    float r[4] = {0}, e[4] = {0};
    for (int k = 0; k < 8; ++k) {
        const dual d = dual_of(palette[v->joints[k]]);
        const float size = (float)v->joint_weights[k] * WEIGHT_UNIT;
        const float weight = dot4(d.r, side.r) < 0.0f ? -size : size;
        for (int i = 0; i < 4; ++i) {
            r[i] += weight * d.r[i];
            e[i] += weight * d.e[i];
        }
    }
    const float by = 1.0f / sqrtf(dot4(r, r));
    const vec3 rv = scaled(by, vec3_of(r)), ev = scaled(by, vec3_of(e));
    const float rw = by * r[3], ew = by * e[3];
    const vec3 t = scaled(2.0f, add(add(scaled(rw, ev), scaled(-ew, rv)), cross(rv, ev)));
    rows3x4 out;
    for (int c = 0; c < 3; ++c) {
        const vec3 x = {c == 0, c == 1, c == 2};
        const vec3 turned = add(x, scaled(2.0f, cross(rv, add(cross(rv, x), scaled(rw, x)))));
        out.m[0][c] = turned.x;
        out.m[1][c] = turned.y;
        out.m[2][c] = turned.z;
    }
    out.m[0][3] = t.x;
    out.m[1][3] = t.y;
    out.m[2][3] = t.z;
    return out;
}

static tlw_skinning skinning_now; // of the character that is drawn

static rows3x4 skin_matrix(const gpu_vertex* v, const float (*palette)[16]) {
    return skinning_now == TLW_SKINNING_DUAL ? dual_matrix(v, palette) : linear_matrix(v, palette);
}

static bool is_skinned(const gpu_vertex* v) {
    return v->joint_weights[0] > 0; // places that are used come first
}

typedef struct shaded {
    vec3 position, normal;
} shaded;

static shaded shade_by_frames(const gpu_vertex* v, const gpu_streams* s) {
    rows3x4 frame = {{{0}}};
    for (int k = 0; k < 8; ++k) {
        const rows3x4 M = matrix_of(s, s->lattice, v->voxels[k]);
        add_scaled(&frame, (float)v->voxel_weights[k] * WEIGHT_UNIT, &M);
    }
    return (shaded){transform(&frame, vec3_of(v->position), 1),
                    turn_normal(&frame, vec3_of(v->normal))};
}

static shaded shade_by_deltas(const gpu_vertex* v, const float (*palette)[16],
                              const gpu_streams* s) {
    const rows3x4 skin = skin_matrix(v, palette);
    vec3 deviation = {0, 0, 0};
    for (int k = 0; k < 8; ++k) {
        const size_t at = (size_t)v->voxels[k] * 4;
        const vec3 delta = {component(s, s->voxel_deltas, at),
                            component(s, s->voxel_deltas, at + 1),
                            component(s, s->voxel_deltas, at + 2)};
        deviation = add(deviation, scaled((float)v->voxel_weights[k] * WEIGHT_UNIT, delta));
    }
    return (shaded){add(transform(&skin, vec3_of(v->position), 1), deviation),
                    turn_normal(&skin, vec3_of(v->normal))};
}

static shaded shade_by_fits(const gpu_vertex* v, const float (*palette)[16], const gpu_streams* s) {
    const rows3x4 skin = skin_matrix(v, palette);
    rows3x4 fit = {{{0}}};
    for (int k = 0; k < 8; ++k) {
        const rows3x4 own = matrix_of(s, s->voxel_fits, v->voxels[k]);
        add_scaled(&fit, (float)v->voxel_weights[k] * WEIGHT_UNIT, &own);
    }
    const vec3 x0 = vec3_of(v->position);
    const vec3 from = add(x0, scaled(-0.5f, vec3_of(v->centre)));
    rows3x4 gradient = skin; // the fourth column is not used
    add_scaled(&gradient, 1, &fit);
    return (shaded){add(transform(&skin, x0, 1), transform(&fit, from, 1)),
                    turn_normal(&gradient, vec3_of(v->normal))};
}

static shaded shade(tlw_embedding embedding, const gpu_vertex* v, const float (*palette)[16],
                    const gpu_streams* s) {
    return embedding == TLW_EMBED_FRAMES || !is_skinned(v) ? shade_by_frames(v, s)
           : embedding == TLW_EMBED_DELTA                  ? shade_by_deltas(v, palette, s)
                                                           : shade_by_fits(v, palette, s);
}

// ---- A character, and what is compared

typedef struct stage {
    tlw_blob blob;
    tlw_blob_info info;
    tlw_world* world;
    tlw_character_id id;
    void *world_memory, *memory;
    sample_joints pose;      // skinning matrices: the palette
    gpu_vertex* vertices[2]; // by order
    float *positions, *normals;
    gpu_streams streams[2]; // by format
} stage;

static void stage_open(stage* s, tlw_blob blob) {
    *s = (stage){.blob = blob};
    CHECK_OK(tlw_blob_get_info(&blob, &s->info));
    CHECK_LE(s->info.joint_count, SAMPLE_JOINTS_MAX);
    skinning_now = s->info.skinning;
    tlw_world_def world_def = tlw_default_world_def();
    world_def.scratch_bytes = s->info.scratch_bytes;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&world_def, &bytes));
    s->world_memory = sample_allocate(bytes);
    CHECK_OK(tlw_world_create(&world_def, s->world_memory, bytes, &s->world));
    tlw_character_def def = tlw_default_character_def();
    def.blob = blob;
    def.pose_kind = TLW_POSE_SKINNING;
    def.preset = TLW_PRESET_BUNNY;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    s->memory = sample_allocate(bytes);
    CHECK_OK(tlw_character_create(s->world, &def, s->memory, bytes, &s->id));
    const size_t vertices = s->info.vertex_count, voxels = s->info.voxel_count;
    for (int k = 0; k < 2; ++k) {
        const size_t size = k == TLW_FORMAT_FLOAT16 ? 2 : 4;
        s->vertices[k] = fill_vertices(&blob, (tlw_vertex_order)k, s->info.vertex_count);
        s->streams[k] =
            (gpu_streams){(tlw_format)k, sample_allocate(voxels * 4 * size),
                          sample_allocate(voxels * 12 * size), sample_allocate(voxels * 12 * size)};
    }
    s->positions = sample_allocate(vertices * 3 * sizeof(float));
    s->normals = sample_allocate(vertices * 3 * sizeof(float));
}

static void stage_close(stage* s) {
    tlw_world_destroy(s->world);
    void* memory[] = {s->world_memory,
                      s->memory,
                      s->positions,
                      s->normals,
                      s->vertices[0],
                      s->vertices[1],
                      s->streams[0].voxel_deltas,
                      s->streams[0].voxel_fits,
                      s->streams[0].lattice,
                      s->streams[1].voxel_deltas,
                      s->streams[1].voxel_fits,
                      s->streams[1].lattice};
    for (size_t k = 0; k < TLW_COUNT_OF(memory); ++k) {
        sample_free(memory[k]);
    }
}

static void set_pose(stage* s) {
    tlw_pose pose = tlw_default_pose();
    pose.joints = s->pose.matrices;
    pose.joint_count = s->info.joint_count;
    pose.root.rotation[1] = 0.3f; // outputs are in model space, whatever the root
    CHECK_OK(tlw_character_set_pose(s->world, s->id, &pose));
}

static void stage_step(stage* s, double dt) {
    set_pose(s);
    CHECK_EQ(tlw_world_step(s->world, dt) & ~(tlw_step_flags)TLW_STEP_NO_TIME, 0u);
}

typedef struct gap {
    double position, normal;
    double off; // the largest distance of a vertex from its skinned place
    uint32_t unskinned;
} gap;

// Writes this moment's output and compares it with what the shaders make of the voxels' streams.
static gap compare(stage* s, tlw_embedding embedding, float smoothing, tlw_vertex_order order,
                   tlw_format format) {
    const gpu_streams* streams = &s->streams[format];
    tlw_output output = tlw_default_output();
    output.embedding = embedding;
    output.smoothing = smoothing;
    output.order = order;
    output.positions.data = s->positions;
    output.normals.data = s->normals;
    output.voxel_deltas = (tlw_stream){streams->voxel_deltas,
                                       format == TLW_FORMAT_FLOAT16 ? 8u : 16u, streams->format};
    output.voxel_fits = (tlw_stream){streams->voxel_fits, 0, streams->format};
    output.lattice = (tlw_stream){streams->lattice, 0, streams->format};
    CHECK_OK(tlw_character_set_output(s->world, s->id, &output));
    stage_step(s, 0);
    gap g = {0};
    for (uint32_t v = 0; v < s->info.vertex_count; ++v) {
        const gpu_vertex* vertex = &s->vertices[order][v];
        const shaded got = shade(embedding, vertex, s->pose.matrices, streams);
        const vec3 expected = vec3_of(s->positions + 3 * (size_t)v);
        const vec3 normal = vec3_of(s->normals + 3 * (size_t)v);
        const double off = apart(got.position, expected);
        CHECK(off == off);
        g.position = fmax(g.position, off);
        if (dot(vec3_of(vertex->normal), vec3_of(vertex->normal)) > 0.0f) {
            g.normal = fmax(g.normal, apart(got.normal, normal));
        }
        if (is_skinned(vertex)) {
            const rows3x4 skin = skin_matrix(vertex, s->pose.matrices);
            g.off = fmax(g.off, apart(transform(&skin, vec3_of(vertex->position), 1), expected));
        } else {
            g.unskinned += 1;
        }
    }
    return g;
}

static const struct {
    const char* name;
    tlw_embedding embedding;
    float smoothing;
    double half; // how far positions may be off with streams of half floats
} cases[] = {{"delta", TLW_EMBED_DELTA, 0.25f, 1e-4},
             {"fit", TLW_EMBED_FIT, 0.25f, 2e-4},
             {"fit, smoothing 1", TLW_EMBED_FIT, 1.0f, 2e-4},
             {"frames", TLW_EMBED_FRAMES, 0.25f, 2e-3}};

static void compare_all(stage* s) {
    for (size_t k = 0; k < TLW_COUNT_OF(cases); ++k) {
        gap single = {0}, half = {0};
        for (int order = 0; order < 2; ++order) {
            for (int format = 0; format < 2; ++format) {
                gap* g = format == TLW_FORMAT_FLOAT16 ? &half : &single;
                const gap now = compare(s, cases[k].embedding, cases[k].smoothing,
                                        (tlw_vertex_order)order, (tlw_format)format);
                g->position = fmax(g->position, now.position);
                g->normal = fmax(g->normal, now.normal);
                g->off = fmax(g->off, now.off);
            }
        }
        printf("    %-16s positions %.1e m, half %.1e m; normals %.1e, half %.1e; off the skin by "
               "%.3f m\n",
               cases[k].name, single.position, half.position, single.normal, half.normal,
               single.off);
        CHECK_LT(single.position, 1e-5);
        CHECK_LT(half.position, cases[k].half);
        if (cases[k].embedding == TLW_EMBED_FIT) { // the others have no gradient in their stream
            CHECK_LT(single.normal, 1e-4);
            CHECK_LT(half.normal, 2e-3);
        }
        CHECK_LT(0.02, single.off); // it must move to prove anything
    }
}

TLW_TEST(shaders_on_streams_of_voxels_give_the_positions_of_the_runtime) {
    const sample_character* sample = sample_get(TLW_SAMPLE_STOUT, 24, 3);
    stage s;
    stage_open(&s, *sample_blob(sample));
    sample_pose(sample, SAMPLE_DANCE, 0, TLW_POSE_SKINNING, &s.pose);
    set_pose(&s);
    CHECK_OK(tlw_character_reset(s.world, s.id));
    for (int frame = 1; frame < 45; ++frame) {
        sample_pose(sample, SAMPLE_DANCE, frame / 50.0, TLW_POSE_SKINNING, &s.pose);
        stage_step(&s, 1.0 / 50.0); // between substeps
        if (frame == 20 || frame == 44) {
            compare_all(&s);
        }
    }
    stage_close(&s);
}

// The shader by frames takes the vertices without artist weights, whatever the others take.
TLW_TEST(vertices_without_artist_weights_follow_the_stream_lattice) {
    stage s;
    stage_open(&s, small_blob(SMALL_MIXED_ELL));
    const double size = s.info.extent_voxels * s.info.voxel_metres;
    for (int frame = 0; frame < 12; ++frame) {
        const double share = 0.003 * frame * frame;
        const double offset[3] = {share * size, 0, 0.5 * share * size};
        bind_pose(&s.blob, TLW_POSE_SKINNING, offset, &s.pose);
        if (frame == 0) {
            set_pose(&s);
            CHECK_OK(tlw_character_reset(s.world, s.id));
        }
        stage_step(&s, 1.0 / 50.0);
    }
    for (int order = 0; order < 2; ++order) {
        for (size_t k = 0; k < TLW_COUNT_OF(cases); ++k) {
            const gap g = compare(&s, cases[k].embedding, cases[k].smoothing,
                                  (tlw_vertex_order)order, TLW_FORMAT_FLOAT32);
            CHECK_LT(0u, g.unskinned);
            CHECK_LT(g.unskinned, s.info.vertex_count);
            CHECK_LT(g.position, 1e-5);
            CHECK_LT(0.01 * size, g.off);
        }
    }
    stage_close(&s);
}

// Bends the skeleton at its second joint, about the z axis.
static void bend(stage* s, double radians) {
    tlw_joint_info pivot;
    CHECK_OK(tlw_blob_get_joint(&s->blob, 1, &pivot));
    bind_pose(&s->blob, TLW_POSE_SKINNING, (const double[3]){0}, &s->pose);
    const double x = pivot.bind[12], y = pivot.bind[13], cs = cos(radians), sn = sin(radians);
    for (uint32_t j = 1; j < s->info.joint_count; ++j) {
        float* m = s->pose.matrices[j];
        m[0] = m[5] = (float)cs;
        m[1] = (float)sn;
        m[4] = (float)-sn;
        m[12] = (float)(x - cs * x + sn * y);
        m[13] = (float)(y - sn * x - cs * y);
    }
}

// The streams have skinned volume in them, so a bent limb is off the engine's skinning also where
// nothing jiggles; and shaders that blend as the blob does give the runtime's positions.
TLW_TEST(shaders_skin_as_the_blob_was_cooked_to_be_skinned) {
    static const uint32_t blobs[] = {SMALL_ELL, SMALL_DUAL_ELL};
    for (size_t b = 0; b < TLW_COUNT_OF(blobs); ++b) {
        stage s;
        stage_open(&s, small_blob(blobs[b]));
        CHECK_EQ(s.info.skinning, b == 1 ? TLW_SKINNING_DUAL : TLW_SKINNING_LINEAR);
        for (int frame = 0; frame < 12; ++frame) {
            bend(&s, 1.2 + 0.02 * frame);
            if (frame == 0) {
                set_pose(&s);
                CHECK_OK(tlw_character_reset(s.world, s.id));
            }
            stage_step(&s, 1.0 / 50.0);
            for (size_t k = 0; k < TLW_COUNT_OF(cases) && frame % 11 == 0; ++k) {
                const gap g = compare(&s, cases[k].embedding, cases[k].smoothing, TLW_ORDER_COOKED,
                                      TLW_FORMAT_FLOAT32);
                CHECK_LT(g.position, 1e-5);
                CHECK_LT(0.01 * s.info.voxel_metres, g.off);
            }
        }
        // The other kind of skinning would not do.
        skinning_now = b == 1 ? TLW_SKINNING_LINEAR : TLW_SKINNING_DUAL;
        const gap wrong = compare(&s, TLW_EMBED_DELTA, 0.0f, TLW_ORDER_COOKED, TLW_FORMAT_FLOAT32);
        CHECK_LT(0.01 * s.info.voxel_metres, wrong.position);
        stage_close(&s);
    }
}

TLW_TEST(renamed_indices_draw_the_same_triangles_in_the_cooked_order) {
    const tlw_blob* blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, 24, 3));
    stage s;
    stage_open(&s, *blob);
    tlw_geometry geometry;
    CHECK_OK(tlw_blob_get_geometry(blob, &geometry));
    CHECK_LT(0u, geometry.index_count);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < geometry.index_count; ++i) {
        const uint32_t source = geometry.indices[i], cooked = geometry.cooked_of[source];
        CHECK_EQ(geometry.source_of[cooked], source);
        CHECK_BYTES(&s.vertices[TLW_ORDER_COOKED][cooked], &s.vertices[TLW_ORDER_SOURCE][source],
                    sizeof(gpu_vertex));
        moved += cooked != source;
    }
    CHECK_LT(geometry.index_count / 2, moved);
    stage_close(&s);
}
