// SPDX-License-Identifier: MIT
// Tests of pass embed (runtime/output, MODEL 5): the output against double precision, on every
// instruction set, in every stream format; and which memory an output may touch.
#include "tests/runtime/support/embed_fixture.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 0xa5

// Fixtures are cooked once per run, because cooking takes longer than all tests on them.
enum { STOUT, SOCKETS, CUT, BARE, NARROW, EIGHT, FIXTURES };

static embed_fixture* get_fixture(int which) {
    static embed_fixture* fixtures[FIXTURES];
    // Every link between these joints is cut, so that there are windows with cuts.
    static const tlw_cook_cut cuts[] = {{"spine", "chest", TLW_CUT_ALL},
                                        {"hips", "spine", TLW_CUT_ALL}};
    static const embed_fixture_def defs[FIXTURES] = {
        [STOUT] = {.variant = TLW_SAMPLE_STOUT, .resolution = 16, .has_tangents = true},
        [SOCKETS] = {.variant = TLW_SAMPLE_STOUT, .resolution = 16, .has_points = true},
        [CUT] = {.variant = TLW_SAMPLE_BUNNY,
                 .resolution = 24,
                 .has_tangents = true,
                 .cuts = cuts,
                 .cut_count = TLW_COUNT_OF(cuts)},
        [BARE] = {.variant = TLW_SAMPLE_THIN,
                  .resolution = 32,
                  .has_tangents = true,
                  .forgets_weights = true},
        [NARROW] = {.variant = TLW_SAMPLE_STOUT, .resolution = 16, .region_width = 2},
        [EIGHT] = {.variant = TLW_SAMPLE_STOUT,
                   .resolution = 16,
                   .has_tangents = true,
                   .has_eight_weights = true}};
    if (fixtures[which] == NULL) {
        fixtures[which] = embed_fixture_make(&defs[which]);
    }
    embed_fixture* fixture = fixtures[which];
    fixture->random = 100 + (uint64_t)which;
    fixture->embed.blend = 1.0f;
    embed_fixture_pose(fixture, 0.0, 0.0, 0.0);
    embed_fixture_disturb(fixture, 0.0, 0.0);
    return fixture;
}

static void move(embed_fixture* fixture) {
    embed_fixture_pose(fixture, 0.6, 0.1, 3.0);
    embed_fixture_disturb(fixture, 0.3, 0.5);
    fixture->embed.blend = 0.375f;
}

// All streams, packed floats.
typedef struct all_streams {
    float *positions, *normals, *tangents, *deltas, *lattice;
} all_streams;

static float* floats(size_t count) {
    float* memory = malloc(count * sizeof *memory);
    CHECK(memory != NULL);
    return memory;
}

static all_streams embed(embed_fixture* fixture, tlw_embedding embedding, tlw_isa isa,
                         uint32_t grain) {
    const size_t vertices = fixture->blob.lattice->vertex_count;
    const all_streams d = {floats(vertices * 3), floats(vertices * 3), floats(vertices * 3),
                           floats(vertices * 3),
                           floats((size_t)fixture->blob.lattice->voxel_count * 12)};
    tlw_output output = tlw_default_output();
    output.embedding = embedding;
    output.positions.data = d.positions;
    output.normals.data = d.normals;
    output.tangents.data = d.tangents;
    output.deltas.data = d.deltas;
    output.lattice.data = d.lattice;
    embed_fixture_run(fixture, &output, isa, grain);
    return d;
}

static void free_streams(all_streams d) {
    free(d.positions);
    free(d.normals);
    free(d.tangents);
    free(d.deltas);
    free(d.lattice);
}

static double largest_difference(const float* a, const double* b, size_t count) {
    double largest = 0.0;
    for (size_t i = 0; i < count; ++i) {
        const double difference = fabs((double)a[i] - b[i]);
        largest = difference > largest || difference != difference ? difference : largest;
    }
    return largest;
}

static void check_against_doubles(embed_fixture* fixture, tlw_embedding embedding) {
    const tlw_blob_lattice* lattice = fixture->blob.lattice;
    const size_t vertices = lattice->vertex_count;
    const double voxel = lattice->voxel_metres;
    embed_expected* expected = embed_fixture_expect(fixture, embedding);
    const all_streams d = embed(fixture, embedding, tlw_isa_best(), 1000);
    CHECK_LT(largest_difference(d.positions, expected->positions[0], vertices * 3), 1e-4 * voxel);
    CHECK_LT(largest_difference(d.deltas, expected->deltas[0], vertices * 3), 1e-5 * voxel);
    CHECK_LT(largest_difference(d.normals, expected->normals[0], vertices * 3), 1e-3);
    CHECK_LT(largest_difference(d.tangents, expected->tangents[0], vertices * 3), 1e-3);
    CHECK_LT(largest_difference(d.lattice, expected->lattice[0], lattice->voxel_count * 12ull),
             1e-5);
    for (int i = 0; i < 3; ++i) {
        float low = fixture->results[0].low[i], high = fixture->results[0].high[i];
        for (uint32_t b = 1; b < fixture->blob.block_count; ++b) {
            low = fixture->results[b].low[i] < low ? fixture->results[b].low[i] : low;
            high = fixture->results[b].high[i] > high ? fixture->results[b].high[i] : high;
        }
        CHECK_NEAR(low, expected->low[i], 1e-4 * voxel);
        CHECK_NEAR(high, expected->high[i], 1e-4 * voxel);
    }
    free_streams(d);
    embed_expected_free(expected);
}

TLW_TEST(delta_mode_gives_what_double_precision_says) {
    embed_fixture* fixture = get_fixture(STOUT);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
}

TLW_TEST(eight_joints_per_vertex_give_what_double_precision_says) {
    embed_fixture* fixture = get_fixture(EIGHT);
    uint32_t with_eight = 0;
    for (uint32_t v = 0; v < fixture->blob.lattice->vertex_count; ++v) {
        with_eight += fixture->skinning[v].weights[7] > 0.0f;
    }
    CHECK_LT(0u, with_eight);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
}

TLW_TEST(frames_mode_gives_what_double_precision_says) {
    embed_fixture* fixture = get_fixture(STOUT);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_FRAMES);
}

TLW_TEST(cut_links_do_not_reach_normals) {
    embed_fixture* fixture = get_fixture(CUT);
    uint32_t with_cuts = 0;
    for (uint32_t w = 0; w < fixture->blob.window_count; ++w) {
        with_cuts += (fixture->blob.windows[w].flags & TLW_WINDOW_HAS_CUTS) != 0;
    }
    CHECK_LT(0u, with_cuts);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
    check_against_doubles(fixture, TLW_EMBED_FRAMES);
}

TLW_TEST(points_without_artist_weights_follow_frames_in_delta_mode) {
    embed_fixture* fixture = get_fixture(SOCKETS);
    const uint32_t last = fixture->blob.lattice->vertex_count - 1;
    CHECK_EQ(fixture->skinning[last].weights[0], 0.0f);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
    CHECK(fixture->embed.is_any_skinned && fixture->embed.is_any_unskinned);
}

TLW_TEST(mesh_without_artist_weights_follows_frames_whatever_is_asked_for) {
    embed_fixture* fixture = get_fixture(BARE);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_AUTO);
    CHECK(!fixture->embed.is_any_skinned);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
    CHECK(!fixture->embed.is_any_skinned);
}

TLW_TEST(regions_of_width_2_have_normals_too) {
    embed_fixture* fixture = get_fixture(NARROW);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
    check_against_doubles(fixture, TLW_EMBED_FRAMES);
}

// Arms one voxel thick.
TLW_TEST(voxels_whose_neighbours_span_no_space_take_their_rotation) {
    const embed_fixture_def def = {
        .variant = TLW_SAMPLE_THIN, .resolution = 16, .has_tangents = true};
    embed_fixture* fixture = embed_fixture_make(&def);
    uint32_t thin = 0;
    for (uint32_t w = 0; w < fixture->blob.window_count; ++w) {
        thin += (fixture->blob.windows[w].flags & TLW_WINDOW_IS_THIN) != 0;
    }
    CHECK_LT(0u, thin);
    move(fixture);
    check_against_doubles(fixture, TLW_EMBED_DELTA);
    check_against_doubles(fixture, TLW_EMBED_FRAMES);
    embed_fixture_free(fixture);
}

TLW_TEST(rest_pose_gives_the_asset_as_it_is) {
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FRAMES};
    embed_fixture* fixture = get_fixture(STOUT);
    for (int m = 0; m < 2; ++m) {
        const all_streams d = embed(fixture, embeddings[m], tlw_isa_best(), 1000);
        for (uint32_t v = 0; v < fixture->blob.lattice->vertex_count; ++v) {
            const tlw_vertex* vertex = &fixture->vertices[v];
            for (int i = 0; i < 3; ++i) {
                CHECK_NEAR(d.positions[v * 3 + (uint32_t)i], vertex->position[i], 1e-6);
                CHECK_NEAR(d.normals[v * 3 + (uint32_t)i], vertex->normal[i], m == 0 ? 1e-6 : 1e-4);
                CHECK_NEAR(d.tangents[v * 3 + (uint32_t)i], vertex->tangent[i],
                           m == 0 ? 1e-6 : 1e-4);
                CHECK_EQ(d.deltas[v * 3 + (uint32_t)i], 0.0f);
            }
        }
        free_streams(d);
    }
}

// Bent, but no voxel deviates from its skinned place: the artist's skinning and nothing else.
TLW_TEST(delta_mode_without_deviation_is_the_artists_skinning) {
    embed_fixture* fixture = get_fixture(STOUT);
    embed_fixture_pose(fixture, 1.0, 0.1, 3.0);
    embed_fixture_disturb(fixture, 0.0, 0.0);
    const all_streams d = embed(fixture, TLW_EMBED_DELTA, tlw_isa_best(), 1000);
    for (uint32_t v = 0; v < fixture->blob.lattice->vertex_count; ++v) {
        const tlw_vertex* vertex = &fixture->vertices[v];
        double m[3][4] = {{0.0}}, n[3], length = 0.0;
        for (int k = 0; k < 8; ++k) {
            for (int i = 0; i < 12; ++i) {
                m[i / 4][i % 4] +=
                    (double)fixture->skinning[v].weights[k] *
                    (double)fixture->joints[fixture->skinning[v].joints[k]].row[i / 4][i % 4];
            }
        }
        for (int i = 0; i < 3; ++i) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            n[i] = 0.0;
            for (int j = 0; j < 3; ++j) {
                const int e = (j + 1) % 3, f = (j + 2) % 3;
                n[i] += (m[a][e] * m[b][f] - m[a][f] * m[b][e]) * (double)vertex->normal[j];
            }
            length += n[i] * n[i];
        }
        for (int i = 0; i < 3; ++i) {
            const double x = m[i][0] * (double)vertex->position[0] +
                             m[i][1] * (double)vertex->position[1] +
                             m[i][2] * (double)vertex->position[2] + m[i][3];
            CHECK_NEAR(d.positions[v * 3 + (uint32_t)i], x, 1e-6);
            CHECK_NEAR(d.normals[v * 3 + (uint32_t)i], n[i] / sqrt(length), 1e-6);
            CHECK_EQ(d.deltas[v * 3 + (uint32_t)i], 0.0f);
        }
    }
    free_streams(d);
}

// All joints move as one: frames carry the mesh, normals and tangents with them.
TLW_TEST(frames_mode_is_exact_under_rigid_motion) {
    embed_fixture* fixture = get_fixture(STOUT);
    // One rotation for all, written out: around a slanted axis through a point outside the body.
    const double s = sin(0.7), c = cos(0.7);
    const double m[3][4] = {{c, -s * 0.8, s * 0.6, 0.7},
                            {s * 0.8, 0.36 + 0.64 * c, 0.48 - 0.48 * c, -0.2},
                            {-s * 0.6, 0.48 - 0.48 * c, 0.64 + 0.36 * c, 1.1}};
    const double half = 0.35;
    const double r[4] = {0.0, 0.6 * sin(half), 0.8 * sin(half), cos(half)};
    for (uint32_t w = 0; w < fixture->blob.window_count; ++w) {
        for (int lane = 0; lane < 8; ++lane) {
            if (!(fixture->blob.windows[w].occupied >> lane & 1)) {
                continue;
            }
            const double voxel = fixture->blob.lattice->voxel_metres;
            double skin[3], rb[4], rotated[4];
            for (int i = 0; i < 3; ++i) {
                skin[i] = (double)fixture->pose[w].skin[i][lane] * voxel;
            }
            for (int i = 0; i < 4; ++i) {
                rb[i] = (double)fixture->pose[w].rb[i][lane];
            }
            rotated[0] = r[3] * rb[0] + r[0] * rb[3] + r[1] * rb[2] - r[2] * rb[1];
            rotated[1] = r[3] * rb[1] + r[1] * rb[3] + r[2] * rb[0] - r[0] * rb[2];
            rotated[2] = r[3] * rb[2] + r[2] * rb[3] + r[0] * rb[1] - r[1] * rb[0];
            rotated[3] = r[3] * rb[3] - r[0] * rb[0] - r[1] * rb[1] - r[2] * rb[2];
            for (int i = 0; i < 3; ++i) {
                const double x =
                    m[i][0] * skin[0] + m[i][1] * skin[1] + m[i][2] * skin[2] + m[i][3];
                fixture->pose[w].skin[i][lane] = (float)(x / voxel);
            }
            for (int i = 0; i < 4; ++i) {
                fixture->pose[w].rb[i][lane] = (float)rotated[i];
            }
        }
    }
    const all_streams d = embed(fixture, TLW_EMBED_FRAMES, tlw_isa_best(), 1000);
    for (uint32_t v = 0; v < fixture->blob.lattice->vertex_count; ++v) {
        const tlw_vertex* vertex = &fixture->vertices[v];
        for (int i = 0; i < 3; ++i) {
            double x = m[i][3], n = 0.0, t = 0.0;
            for (int j = 0; j < 3; ++j) {
                x += m[i][j] * (double)vertex->position[j];
                n += m[i][j] * (double)vertex->normal[j];
                t += m[i][j] * (double)vertex->tangent[j];
            }
            CHECK_NEAR(d.positions[v * 3 + (uint32_t)i], x,
                       1e-5 * fixture->blob.lattice->extent_voxels *
                           fixture->blob.lattice->voxel_metres);
            CHECK_NEAR(d.normals[v * 3 + (uint32_t)i], n, 1e-4);
            CHECK_NEAR(d.tangents[v * 3 + (uint32_t)i], t, 1e-4);
        }
    }
    free_streams(d);
}

TLW_TEST(root_rotation_does_not_reach_model_space) {
    embed_fixture* fixture = get_fixture(STOUT);
    const size_t count = fixture->blob.lattice->vertex_count * 3ull;
    embed_fixture_pose(fixture, 0.5, 0.0, 0.0);
    embed_fixture_disturb(fixture, 0.0, 0.0);
    const all_streams still = embed(fixture, TLW_EMBED_FRAMES, tlw_isa_best(), 1000);
    fixture = get_fixture(STOUT);
    embed_fixture_pose(fixture, 0.5, 0.0, 3.0);
    embed_fixture_disturb(fixture, 0.0, 0.0);
    CHECK_LT(fixture->embed.root_rotation[3], 0.999f);
    const all_streams rotated = embed(fixture, TLW_EMBED_FRAMES, tlw_isa_best(), 1000);
    for (size_t i = 0; i < count; ++i) {
        CHECK_NEAR(still.positions[i], rotated.positions[i], 1e-5);
        CHECK_NEAR(still.normals[i], rotated.normals[i], 1e-3);
    }
    free_streams(still);
    free_streams(rotated);
}

// The character is far from the origin, where empty lanes lie.
TLW_TEST(bounds_hold_voxels_and_nothing_else) {
    embed_fixture* fixture = get_fixture(STOUT);
    const float away = 100.0f, voxel = (float)fixture->blob.lattice->voxel_metres;
    for (uint32_t w = 0; w < fixture->blob.window_count; ++w) {
        for (int i = 0; i < 24; ++i) {
            const bool is_voxel = fixture->blob.windows[w].occupied >> i % 8 & 1;
            fixture->pose[w].skin[i / 8][i % 8] += is_voxel ? away : 0.0f;
        }
    }
    free_streams(embed(fixture, TLW_EMBED_FRAMES, tlw_isa_best(), 1000));
    for (uint32_t b = 0; b < fixture->blob.block_count; ++b) {
        for (int i = 0; i < 3; ++i) {
            CHECK_LT(50.0f * voxel, fixture->results[b].low[i]);
            CHECK_LE(fixture->results[b].low[i], fixture->results[b].high[i]);
            CHECK_LT(fixture->results[b].high[i], 150.0f * voxel);
        }
    }
}

TLW_TEST(zero_normals_and_tangents_stay_zero) {
    embed_fixture* fixture = get_fixture(SOCKETS); // its mesh has no tangents
    move(fixture);
    const all_streams d = embed(fixture, TLW_EMBED_DELTA, tlw_isa_best(), 1000);
    for (size_t i = 0; i < fixture->blob.lattice->vertex_count * 3ull; ++i) {
        CHECK_EQ(d.tangents[i], 0.0f);
        CHECK_EQ(d.normals[i] - d.normals[i], 0.0f);
    }
    free_streams(d);
}

TLW_TEST(collapsed_tissue_keeps_the_normals_of_rest) {
    embed_fixture* fixture = get_fixture(STOUT);
    memset(fixture->joints, 0, fixture->blob.lattice->joint_count * sizeof *fixture->joints);
    for (uint32_t w = 0; w < fixture->blob.window_count; ++w) {
        memset(fixture->pose[w].skin, 0, sizeof fixture->pose[w].skin);
    }
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FRAMES};
    for (int m = 0; m < 2; ++m) {
        const all_streams d = embed(fixture, embeddings[m], tlw_isa_best(), 1000);
        for (size_t i = 0; i < fixture->blob.lattice->vertex_count * 3ull; ++i) {
            CHECK_EQ(d.positions[i] - d.positions[i], 0.0f);
            CHECK_EQ(d.normals[i], fixture->vertices[i / 3].normal[i % 3]);
            CHECK_EQ(d.tangents[i], fixture->vertices[i / 3].tangent[i % 3]);
        }
        free_streams(d);
    }
}

TLW_TEST(every_instruction_set_and_grain_gives_the_same_bits) {
    static const int which[] = {STOUT, SOCKETS, CUT};
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FRAMES};
    for (int b = 0; b < 3; ++b) {
        embed_fixture* fixture = get_fixture(which[b]);
        move(fixture);
        const size_t bytes = fixture->blob.lattice->vertex_count * 3ull * sizeof(float);
        for (int m = 0; m < 2; ++m) {
            const all_streams first = embed(fixture, embeddings[m], tlw_isa_best(), 1u << 30);
            tlw_block_result results[1024];
            const size_t result_bytes = fixture->blob.block_count * sizeof results[0];
            CHECK_LE(result_bytes, sizeof results);
            for (uint32_t k = 0; k < fixture->blob.block_count; ++k) {
                fixture->results[k].moved = 0.0f; // not set by this pass
                fixture->results[k].not_finite = 0;
            }
            memcpy(results, fixture->results, result_bytes);
            for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
                if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
                    continue;
                }
                const all_streams d = embed(fixture, embeddings[m], (tlw_isa)isa, 3);
                CHECK_BYTES(d.positions, first.positions, bytes);
                CHECK_BYTES(d.normals, first.normals, bytes);
                CHECK_BYTES(d.tangents, first.tangents, bytes);
                CHECK_BYTES(d.deltas, first.deltas, bytes);
                CHECK_BYTES(d.lattice, first.lattice,
                            fixture->blob.lattice->voxel_count * 12ull * sizeof(float));
                CHECK_BYTES(fixture->results, results, result_bytes);
                free_streams(d);
            }
            free_streams(first);
        }
    }
}

// A stream alone must hold what it holds among all, although other code makes it.
TLW_TEST(a_stream_does_not_depend_on_the_others) {
    embed_fixture* fixture = get_fixture(SOCKETS);
    move(fixture);
    const size_t count = fixture->blob.lattice->vertex_count * 3ull;
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FRAMES};
    for (int m = 0; m < 2; ++m) {
        const all_streams d = embed(fixture, embeddings[m], tlw_isa_best(), 1000);
        float* alone = floats((size_t)fixture->blob.lattice->voxel_count * 12 + count);
        for (int i = 0; i < 5; ++i) {
            tlw_output output = tlw_default_output();
            tlw_stream* const streams[] = {&output.positions, &output.normals, &output.tangents,
                                           &output.deltas, &output.lattice};
            const float* const all[] = {d.positions, d.normals, d.tangents, d.deltas, d.lattice};
            output.embedding = embeddings[m];
            streams[i]->data = alone;
            embed_fixture_run(fixture, &output, tlw_isa_best(), 1000);
            CHECK_BYTES(alone, all[i],
                        (i < 4 ? count : (size_t)fixture->blob.lattice->voxel_count * 12) *
                            sizeof(float));
        }
        free(alone);
        free_streams(d);
    }
}

// Reads back one component of a stream's element.
static double component(const tlw_stream* stream, uint32_t components, size_t element,
                        uint32_t which) {
    const size_t size = stream->format == TLW_FORMAT_FLOAT32 ? 4 : 2;
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : components * size;
    const unsigned char* at = (const unsigned char*)stream->data + element * stride + which * size;
    if (size == 4) {
        float value;
        memcpy(&value, at, sizeof value);
        return (double)value;
    }
    uint16_t half;
    memcpy(&half, at, sizeof half);
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double magnitude =
        exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

// The stream wrote `count` elements and no byte between, before or after them.
static void check_stream(const unsigned char* memory, size_t bytes, const tlw_stream* stream,
                         uint32_t components, const float* expected, size_t count) {
    const size_t size = stream->format == TLW_FORMAT_FLOAT32 ? 4 : 2;
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : components * size;
    const size_t begin = (size_t)((const unsigned char*)stream->data - memory);
    size_t touched = 0;
    for (size_t i = 0; i < bytes; ++i) {
        const bool is_inside =
            i >= begin && (i - begin) / stride < count && (i - begin) % stride < components * size;
        touched += !is_inside && memory[i] != GUARD;
    }
    CHECK_EQ(touched, 0u);
    for (size_t v = 0; v < count; ++v) {
        for (uint32_t i = 0; i < components; ++i) {
            const double value = (double)expected[v * components + i];
            CHECK_NEAR(component(stream, components, v, i), value,
                       size == 4 ? 0.0 : fabs(value) * 0x1p-11 + 0x1p-25);
        }
    }
}

TLW_TEST(streams_of_any_stride_format_and_range_write_their_elements_alone) {
    static const uint32_t strides[2][4] = {{0, 12, 16, 52}, {0, 6, 8, 50}};
    static const uint32_t ranges[][2] = {{0, UINT32_MAX}, {0, 1},   {5, 7},    {3, 8},
                                         {11, 16},        {100, 9}, {77, 250}, {40, 0}};
    embed_fixture* fixture = get_fixture(STOUT);
    move(fixture);
    const uint32_t vertices = fixture->blob.lattice->vertex_count;
    const all_streams d = embed(fixture, TLW_EMBED_DELTA, tlw_isa_best(), 1000);
    const float* const expected[] = {d.positions, d.normals, d.tangents, d.deltas};
    const size_t bytes = (size_t)vertices * 52 + 256;
    unsigned char* memory[4];
    for (int i = 0; i < 4; ++i) {
        memory[i] = malloc(bytes);
        CHECK(memory[i] != NULL);
    }
    for (uint32_t r = 0; r < TLW_COUNT_OF(ranges); ++r) {
        for (int format = 0; format < 2; ++format) {
            for (int s = 0; s < 4; ++s) {
                tlw_output output = tlw_default_output();
                tlw_stream* const streams[] = {&output.positions, &output.normals, &output.tangents,
                                               &output.deltas};
                output.embedding = TLW_EMBED_DELTA;
                output.first_vertex = ranges[r][0];
                output.vertex_count = ranges[r][1];
                for (int i = 0; i < 4; ++i) { // formats and strides mixed
                    const int f = (format + i) % 2;
                    *streams[i] = (tlw_stream){memory[i] + 64 + (f ? 2 : 4),
                                               strides[f][(s + i) % 4], (tlw_format)f};
                    memset(memory[i], GUARD, bytes);
                }
                embed_fixture_run(fixture, &output, tlw_isa_best(), 5);
                const uint32_t first = ranges[r][0];
                const size_t count = ranges[r][1] == UINT32_MAX ? vertices - first : ranges[r][1];
                for (int i = 0; i < 4; ++i) {
                    check_stream(memory[i], bytes, streams[i], 3, expected[i] + first * 3ull,
                                 count);
                }
            }
        }
    }
    for (int i = 0; i < 4; ++i) {
        free(memory[i]);
    }
    free_streams(d);
}

TLW_TEST(lattice_streams_of_any_stride_and_format_write_their_elements_alone) {
    static const uint32_t strides[2][3] = {{0, 48, 64}, {0, 24, 34}};
    embed_fixture* fixture = get_fixture(STOUT);
    move(fixture);
    const uint32_t voxels = fixture->blob.lattice->voxel_count;
    const all_streams d = embed(fixture, TLW_EMBED_DELTA, tlw_isa_best(), 1000);
    const size_t bytes = (size_t)voxels * 64 + 256;
    unsigned char* memory = malloc(bytes);
    CHECK(memory != NULL);
    for (int format = 0; format < 2; ++format) {
        for (int s = 0; s < 3; ++s) {
            tlw_output output = tlw_default_output();
            output.lattice = (tlw_stream){memory + 64, strides[format][s], (tlw_format)format};
            memset(memory, GUARD, bytes);
            embed_fixture_run(fixture, &output, tlw_isa_best(), 5);
            check_stream(memory, bytes, &output.lattice, 12, d.lattice, voxels);
        }
    }
    free(memory);
    free_streams(d);
}

// x = sum w M x0 over a vertex's bindings is the position in frames mode.
TLW_TEST(lattice_stream_embeds_a_mesh_elsewhere) {
    embed_fixture* fixture = get_fixture(STOUT);
    move(fixture);
    const all_streams d = embed(fixture, TLW_EMBED_FRAMES, tlw_isa_best(), 1000);
    for (uint32_t v = 0; v < fixture->blob.lattice->vertex_count; ++v) {
        const float* x0 = fixture->vertices[v].position;
        for (uint32_t i = 0; i < 3; ++i) {
            double x = 0.0;
            for (int k = 0; k < 8; ++k) {
                const tlw_vertex_binding* binding = &fixture->bindings[v];
                const float* m = d.lattice + binding->voxels[k] * 12ull + i * 4;
                x += (double)binding->weights[k] *
                     ((double)m[0] * (double)x0[0] + (double)m[1] * (double)x0[1] +
                      (double)m[2] * (double)x0[2] + (double)m[3]);
            }
            CHECK_NEAR(d.positions[v * 3 + i], x, 1e-6);
        }
    }
    free_streams(d);
}

// Source order and cooked order, whole and in part: a vertex has the same bits in all of them.
TLW_TEST(order_and_range_change_no_bits) {
    embed_fixture* fixture = get_fixture(SOCKETS);
    move(fixture);
    const tlw_blob_arrays* blob = &fixture->blob;
    const uint32_t vertices = blob->lattice->vertex_count;
    float* whole = floats((size_t)vertices * 3);
    float* part = floats((size_t)vertices * 3);
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FIT, TLW_EMBED_FRAMES};
    for (size_t k = 0; k < TLW_COUNT_OF(embeddings); ++k) {
        tlw_output output = tlw_default_output();
        output.embedding = embeddings[k];
        output.positions.data = whole;
        embed_fixture_run(fixture, &output, tlw_isa_best(), 1000);
        static const uint32_t ranges[][2] = {{0, UINT32_MAX}, {3, 40}, {8, 8}, {17, 1}};
        for (uint32_t r = 0; r < 2 * TLW_COUNT_OF(ranges); ++r) {
            output.order = r % 2 == 0 ? TLW_ORDER_COOKED : TLW_ORDER_SOURCE;
            output.first_vertex = ranges[r / 2][0];
            output.vertex_count = ranges[r / 2][1];
            output.positions.data = part;
            embed_fixture_run(fixture, &output, tlw_isa_best(), 1000);
            const uint32_t count = ranges[r / 2][1] == UINT32_MAX ? vertices : ranges[r / 2][1];
            for (uint32_t v = 0; v < count; ++v) {
                const uint32_t at = output.first_vertex + v;
                const uint32_t source = r % 2 == 0 ? blob->vertex_source[at] : at;
                CHECK_EQ(memcmp(part + (size_t)v * 3, whole + (size_t)source * 3, 12), 0);
            }
        }
    }
    free(whole);
    free(part);
}

TLW_TEST(output_that_cannot_be_written_is_named) {
    const tlw_blob_arrays* blob = &get_fixture(STOUT)->blob;
    float data[16];
    tlw_output output = tlw_default_output();
    CHECK_OK(tlw_output_check(blob, &output));
    output.cookie = 0;
    CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_DEF);

    const size_t streams[] = {offsetof(tlw_output, positions),    offsetof(tlw_output, normals),
                              offsetof(tlw_output, tangents),     offsetof(tlw_output, deltas),
                              offsetof(tlw_output, voxel_deltas), offsetof(tlw_output, lattice),
                              offsetof(tlw_output, voxel_fits)};
    for (size_t i = 0; i < TLW_COUNT_OF(streams); ++i) {
        const uint32_t components = i < 5 ? 3 : 12;
        output = tlw_default_output();
        tlw_stream* stream = (tlw_stream*)(void*)((char*)&output + streams[i]);
        *stream = (tlw_stream){data, components * 4, TLW_FORMAT_FLOAT32};
        CHECK_OK(tlw_output_check(blob, &output));
        stream->stride_bytes = components * 4 + 2;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
        stream->stride_bytes = components * 4 - 4;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
        stream->format = TLW_FORMAT_FLOAT16;
        stream->stride_bytes = components * 2;
        CHECK_OK(tlw_output_check(blob, &output));
        stream->stride_bytes = components * 2 + 1;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
        stream->stride_bytes = components * 2 - 2;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
        stream->stride_bytes = 0;
        stream->format = (tlw_format)2;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
        stream->format = TLW_FORMAT_FLOAT32;
        stream->data = (char*)data + 2;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_MISALIGNED);
        stream->format = TLW_FORMAT_FLOAT16;
        CHECK_OK(tlw_output_check(blob, &output));
        stream->data = (char*)data + 1;
        CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_MISALIGNED);
    }

    const uint32_t vertices = blob->lattice->vertex_count;
    output = tlw_default_output();
    output.first_vertex = vertices;
    CHECK_OK(tlw_output_check(blob, &output));
    output.first_vertex = vertices + 1;
    CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
    output.first_vertex = 1;
    output.vertex_count = vertices - 1;
    CHECK_OK(tlw_output_check(blob, &output));
    output.vertex_count = vertices;
    CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
    output = tlw_default_output();
    output.embedding = (tlw_embedding)5;
    CHECK_RESULT(tlw_output_check(blob, &output), TLW_ERROR_BAD_ARGUMENT);
}
