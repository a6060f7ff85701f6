// SPDX-License-Identifier: MIT
// The runtime's output streams against the oracle's embedding (MODEL 5.1 to 5.8) on sample
// characters in motion, for every embedding and source of normals. The oracle gets the voxels that
// the runtime wrote to the stream `lattice`, so that only the embedding is compared; test_output.c
// compares the voxels. Lengths in voxels.
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/sample_input.h"
#include "tests/runtime/oracle/blob_points.h"
#include "tests/runtime/support/joint_poses.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

// One output that is compared.
typedef struct embed_case {
    const char* name;
    tlw_embedding embedding;
    oracle_embedding expected; // for AUTO: what it stands for here
    double smoothing;
    bool by_ring;
} embed_case;

static const embed_case cases[] = {
    {"delta", TLW_EMBED_DELTA, ORACLE_EMBED_DELTA, 0.25, false},
    {"frames", TLW_EMBED_FRAMES, ORACLE_EMBED_FRAMES, 0.25, false},
    {"fit 0", TLW_EMBED_FIT, ORACLE_EMBED_FIT, 0, false},
    {"fit 0.25", TLW_EMBED_FIT, ORACLE_EMBED_FIT, 0.25, false},
    {"fit 1", TLW_EMBED_FIT, ORACLE_EMBED_FIT, 1, false},
    {"rbf", TLW_EMBED_RBF, ORACLE_EMBED_RBF, 0.25, false},
    {"auto", TLW_EMBED_AUTO, ORACLE_EMBED_RBF, 0.25, false},
    {"delta, rings", TLW_EMBED_DELTA, ORACLE_EMBED_DELTA, 0.25, true},
    {"fit 0.25, rings", TLW_EMBED_FIT, ORACLE_EMBED_FIT, 0.25, true},
    {"rbf, rings", TLW_EMBED_RBF, ORACLE_EMBED_RBF, 0.25, true},
    {"frames, rings", TLW_EMBED_FRAMES, ORACLE_EMBED_FRAMES, 0.25, true},
};

// Streams of the runtime and of the oracle.
typedef struct canvas {
    float *positions, *normals, *tangents, *deltas; // 3 per vertex
    float *lattice, *fits;                          // 12 per voxel
    float* voxel_deltas;                            // 3 per voxel
    oracle_embedded expected;
} canvas;

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

static canvas canvas_make(const oracle_pair* d) {
    const size_t vertices = d->info.vertex_count, voxels = d->info.voxel_count;
    canvas c;
    float** floats[] = {&c.positions, &c.normals, &c.tangents,    &c.deltas,
                        &c.lattice,   &c.fits,    &c.voxel_deltas};
    for (size_t k = 0; k < TLW_COUNT_OF(floats); ++k) {
        *floats[k] = allocate(k < 4 ? vertices * 3 : voxels * 12, sizeof(float));
    }
    c.expected = (oracle_embedded){
        allocate(vertices, sizeof(oracle_vec)), allocate(vertices, sizeof(oracle_vec)),
        allocate(vertices, sizeof(oracle_vec)), allocate(vertices, sizeof(oracle_vec))};
    return c;
}

static void canvas_free(canvas* c) {
    void* memory[] = {c->positions,
                      c->normals,
                      c->tangents,
                      c->deltas,
                      c->lattice,
                      c->fits,
                      c->voxel_deltas,
                      c->expected.normals,
                      c->expected.positions,
                      c->expected.tangents,
                      c->expected.deltas};
    for (size_t k = 0; k < TLW_COUNT_OF(memory); ++k) {
        free(memory[k]);
    }
}

static void set_output(const oracle_pair* d, const canvas* c, const embed_case* from) {
    tlw_output output = tlw_default_output();
    output.embedding = from->embedding;
    output.smoothing = (float)from->smoothing;
    output.normals_by = from->by_ring ? TLW_NORMALS_BY_RING : TLW_NORMALS_BY_GRADIENT;
    output.positions.data = c->positions;
    output.normals.data = c->normals;
    output.tangents.data = c->tangents;
    output.deltas.data = c->deltas;
    output.lattice.data = c->lattice;
    output.voxel_deltas.data = c->voxel_deltas;
    output.voxel_fits.data = c->fits;
    CHECK_OK(tlw_character_set_output(d->world, d->id, &output));
}

static oracle_vec wide(const float* a) {
    return vec((double)a[0], (double)a[1], (double)a[2]);
}

// From model space, metres, to the oracle's space: rotated by the root, in voxels.
static oracle_vec to_oracle(const oracle_pair* d, const float* metres) {
    return quat_rotate(d->o->last.root_rotation, vec_scale(wide(metres), 1 / d->info.voxel_metres));
}

static oracle_vec rotated(const oracle_pair* d, const float* direction) {
    return quat_rotate(d->o->last.root_rotation, wide(direction));
}

// The centre of a voxel at rest, model space, metres.
static oracle_vec centre(const oracle_pair* d, uint32_t voxel) {
    const tlw_blob_cell* cell = &d->cells[voxel];
    return vec_add_scaled(vec_of(d->info.origin), d->info.voxel_metres,
                          vec(cell->x + 0.5, cell->y + 0.5, cell->z + 0.5));
}

static oracle_mat matrix_of(const float m[12]) {
    const oracle_mat rows = mat_of_columns(wide(m), wide(m + 4), wide(m + 8));
    return mat_transpose(&rows);
}

// Gives the oracle the voxels that the runtime wrote; returns how far they were apart.
static double take_voxels(oracle_pair* d, const canvas* c) {
    const oracle_mat root = mat_of_quat(d->o->last.root_rotation);
    double off = 0;
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        const float* m = c->lattice + (size_t)i * 12;
        const uint32_t k = d->oracle_voxel[i];
        const oracle_mat R = matrix_of(m), turned = mat_mul(&root, &R);
        const oracle_vec shift = {(double)m[3], (double)m[7], (double)m[11]};
        const oracle_vec at =
            vec_scale(vec_add(mat_apply(&R, centre(d, i)), shift), 1 / d->info.voxel_metres);
        const oracle_vec p = mat_apply(&root, at);
        off = fmax(off, vec_length(vec_sub(p, d->o->out_p[k])));
        d->o->out_p[k] = p;
        d->o->out_R[k] = quat_of_mat(&turned);
    }
    return off;
}

typedef struct gaps {
    double position, normal, tangent, delta, voxel_delta, d, D;
    double off;         // the largest deviation of a vertex
    uint32_t unskinned; // vertices
} gaps;

static double larger(double a, double b) {
    return b > a || b != b ? b : a;
}

static void compare_vertices(const oracle_pair* d, const canvas* c, const blob_points* points,
                             const embed_case* from, gaps* g) {
    const oracle_embed_def def = {.embedding = from->expected,
                                  .smoothing = (double)(float)from->smoothing,
                                  .rbf = points->has_rbf ? &points->rbf : NULL,
                                  .rings = from->by_ring ? points->rings : NULL};
    oracle_embed(d->o, &def, points->points, points->count, &c->expected);
    for (uint32_t v = 0; v < points->count; ++v) {
        const size_t at = 3 * (size_t)v;
        const oracle_embedded* e = &c->expected;
        bool is_skinned = false;
        for (int k = 0; k < 8; ++k) {
            is_skinned = is_skinned || points->points[v].skinning[k] != 0;
        }
        g->unskinned += !is_skinned;
        g->position = larger(g->position,
                             vec_length(vec_sub(to_oracle(d, c->positions + at), e->positions[v])));
        g->normal =
            larger(g->normal, vec_length(vec_sub(rotated(d, c->normals + at), e->normals[v])));
        g->tangent =
            larger(g->tangent, vec_length(vec_sub(rotated(d, c->tangents + at), e->tangents[v])));
        if (is_skinned && from->expected != ORACLE_EMBED_FRAMES) {
            g->delta =
                larger(g->delta, vec_length(vec_sub(to_oracle(d, c->deltas + at), e->deltas[v])));
            g->off = larger(g->off, vec_length(e->deltas[v]));
        }
    }
}

static void compare_voxels(const oracle_pair* d, const canvas* c, double smoothing, gaps* g) {
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        const oracle_fit fit = oracle_fit_voxel(d->o, d->oracle_voxel[i], smoothing);
        const oracle_vec delta = to_oracle(d, c->voxel_deltas + (size_t)i * 3);
        g->voxel_delta = larger(g->voxel_delta, vec_length(vec_sub(delta, fit.delta)));
        const float* m = c->fits + (size_t)i * 12;
        const oracle_mat root = mat_of_quat(d->o->last.root_rotation), own = matrix_of(m);
        const oracle_mat D = mat_mul(&root, &own);
        // d is what the matrix gives at half of the centre: e + D p0/2.
        const oracle_vec half = mat_apply(&own, vec_scale(centre(d, i), 0.5));
        const float at[3] = {(float)((double)m[3] + half.x), (float)((double)m[7] + half.y),
                             (float)((double)m[11] + half.z)};
        g->d = larger(g->d, vec_length(vec_sub(to_oracle(d, at), fit.d)));
        for (int k = 0; k < 3; ++k) {
            g->D = larger(g->D, vec_length(vec_sub(mat_column(&D, k), mat_column(&fit.D, k))));
        }
    }
}

#define MESHES_MAX 5

// A cook input with made-up normals (where there are none) and tangents, points that have no artist
// weights, and, if a test asks for it, vertices without any in the middle of the mesh.
typedef struct embed_input {
    tlw_cook_input input;
    tlw_cook_mesh meshes[MESHES_MAX];
    tlw_cook_points points;
    float* normals[MESHES_MAX];
    float* tangents[MESHES_MAX];
    float* weights[MESHES_MAX];
    float sockets[12][3], socket_normals[12][3];
} embed_input;

// Directions from the middle of the mesh, of any length; every 50th vertex has none.
static void make_normals(const tlw_cook_mesh* mesh, float* normals) {
    oracle_vec middle = {0, 0, 0};
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        middle = vec_add_scaled(middle, 1.0 / mesh->vertex_count, wide(mesh->positions + 3 * v));
    }
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        const oracle_vec n = vec_sub(wide(mesh->positions + 3 * v), middle);
        normals[3 * v] = v % 50 == 49 ? 0 : (float)n.x;
        normals[3 * v + 1] = v % 50 == 49 ? 0 : (float)n.y;
        normals[3 * v + 2] = v % 50 == 49 ? 0 : (float)n.z;
    }
}

static void make_tangents(const tlw_cook_mesh* mesh, float* tangents) {
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        const oracle_vec n = wide(mesh->normals + 3 * v);
        const double size = vec_length(n);
        const oracle_vec t =
            size > 0 ? vec_cross(n, fabs(n.x) < 0.7 * size ? vec(1, 0, 0) : vec(0, 1, 0))
                     : vec(0, 0, 1);
        const double length = vec_length(t);
        tangents[4 * v] = (float)(t.x / length);
        tangents[4 * v + 1] = (float)(t.y / length);
        tangents[4 * v + 2] = (float)(t.z / length);
        tangents[4 * v + 3] = 1;
    }
}

// Vertices without weights: runs of a tenth of the mesh.
static void forget_some_weights(embed_input* in, uint32_t m) {
    tlw_cook_mesh* mesh = &in->meshes[m];
    const size_t count = (size_t)mesh->vertex_count * mesh->influence_count;
    in->weights[m] = allocate(count, sizeof(float));
    for (size_t k = 0; k < count; ++k) {
        const size_t v = k / mesh->influence_count;
        in->weights[m][k] = 10 * v / mesh->vertex_count % 4 == 1 ? 0 : mesh->weights[k];
    }
    mesh->weights = in->weights[m];
}

static embed_input* embed_input_make(const tlw_cook_input* from, bool forgets) {
    embed_input* in = allocate(1, sizeof *in);
    in->input = *from;
    CHECK_LE(from->mesh_count, MESHES_MAX);
    for (uint32_t m = 0; m < from->mesh_count; ++m) {
        tlw_cook_mesh* mesh = &in->meshes[m];
        *mesh = from->meshes[m];
        in->normals[m] = allocate(mesh->vertex_count, 3 * sizeof(float));
        in->tangents[m] = allocate(mesh->vertex_count, 4 * sizeof(float));
        if (!mesh->normals) {
            make_normals(mesh, in->normals[m]);
            mesh->normals = in->normals[m];
        }
        make_tangents(mesh, in->tangents[m]);
        mesh->tangents = in->tangents[m];
        if (forgets && mesh->influence_count > 0) {
            forget_some_weights(in, m);
        }
    }
    const tlw_cook_mesh* mesh = &in->meshes[0];
    for (size_t k = 0; k < TLW_COUNT_OF(in->sockets); ++k) {
        const size_t v = k * mesh->vertex_count / TLW_COUNT_OF(in->sockets);
        for (size_t a = 0; a < 3; ++a) { // a little beside the surface
            in->socket_normals[k][a] = mesh->normals[3 * v + a];
            in->sockets[k][a] = mesh->positions[3 * v + a] - 0.01f * mesh->normals[3 * v + a];
        }
    }
    in->points = (tlw_cook_points){.name = "sockets",
                                   .count = TLW_COUNT_OF(in->sockets),
                                   .positions = in->sockets[0],
                                   .normals = in->socket_normals[0]};
    in->input.meshes = in->meshes;
    in->input.points = &in->points;
    in->input.points_count = 1;
    return in;
}

static void embed_input_free(embed_input* in) {
    for (uint32_t m = 0; m < MESHES_MAX; ++m) {
        free(in->normals[m]);
        free(in->tangents[m]);
        free(in->weights[m]);
    }
    free(in);
}

static void check_gaps(const char* name, const embed_case* from, const gaps* g, double apart) {
    printf("    %-14s %-16s x %.1e n %.1e t %.1e u %.1e, voxels: delta %.1e d %.1e D %.1e; off by "
           "%.2f, voxels apart by %.1e\n",
           name, from->name, g->position, g->normal, g->tangent, g->delta, g->voxel_delta, g->d,
           g->D, g->off, apart);
    CHECK_LT(apart, 2e-3); // the voxels' own agreement is the business of other tests
    CHECK_LT(g->position, 1e-4);
    CHECK_LT(g->normal, 1e-3);
    CHECK_LT(g->tangent, 1e-3);
    CHECK_LT(g->delta, 1e-4);
    CHECK_LT(g->voxel_delta, 1e-4);
    CHECK_LT(g->d, 1e-4);
    CHECK_LT(g->D, 1e-4);
    CHECK_LT(0u, g->unskinned);
    // It must move to prove anything; under a sanitizer there are fewer frames to do so.
    const double least = TLW_UNDER_SANITIZER ? 0.005 : 0.05;
    CHECK(from->expected == ORACLE_EMBED_FRAMES || g->off > least);
}

// Dances, with one of the cases in each frame after the first ones.
static void compare_input(const char* what, const tlw_cook_input* from, bool forgets,
                          uint32_t resolution, uint32_t region_width, double liveliness,
                          tlw_skinning skinning) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.region_width = region_width;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    recipe.has_ring_normals = true;
    recipe.skinning = skinning;
    embed_input* in = embed_input_make(from, forgets);
    const oracle_pair_def def = {.preset = TLW_PRESET_BUNNY, .has_oracle = true};
    oracle_pair* d = pair_make(&in->input, &recipe, &def);
    CHECK(d->info.has_rbf && d->info.has_ring_normals && d->info.has_artist_weights);
    blob_points* points = blob_points_read(d->cooked.blob, d->oracle_voxel);
    canvas c = canvas_make(d);
    char name[32];
    (void)snprintf(name, sizeof name, "%s %u/%u", what, resolution, region_width);
    const uint32_t warm = PAIR_IS_SLOW ? 4 : 12; // frames before the first comparison
    for (uint32_t k = 1; k < warm + TLW_COUNT_OF(cases); ++k) {
        pair_dance(d, k * PAIR_SUBSTEP, liveliness);
        if (skinning == TLW_SKINNING_DUAL && k > warm) { // the first case is without a stretch
            pair_stretch_joints(d, UNEVEN, k * PAIR_SUBSTEP);
        }
        const embed_case* now = k < warm ? &cases[0] : &cases[k - warm];
        set_output(d, &c, now);
        // Frames of 1.4 substeps: the output lies between two of them.
        pair_step(d, 1.4 * PAIR_SUBSTEP, false);
        if (k >= warm) {
            gaps g = {0};
            const double apart = take_voxels(d, &c);
            compare_vertices(d, &c, points, now, &g);
            compare_voxels(d, &c, (double)(float)now->smoothing, &g);
            check_gaps(name, now, &g, apart);
        }
    }
    canvas_free(&c);
    blob_points_free(points);
    pair_free(d);
    embed_input_free(in);
}

static void compare_sample(tlw_sample_variant variant, bool forgets, uint32_t resolution,
                           uint32_t region_width, tlw_skinning skinning) {
    sample_input* sample = sample_input_make(variant);
    compare_input(tlw_sample_variant_name(variant), sample_input_get(sample), forgets, resolution,
                  region_width, 0.5 * resolution / 20, skinning);
    sample_input_free(sample);
}

TLW_TEST(streams_of_every_embedding_agree_with_the_oracle) {
    compare_sample(TLW_SAMPLE_STOUT, false, 16, 3, TLW_SKINNING_LINEAR);
    if (!PAIR_IS_SLOW) {
        compare_sample(TLW_SAMPLE_THIN, false, 32, 2, TLW_SKINNING_LINEAR);
        compare_sample(TLW_SAMPLE_BUNNY, false, 24, 3, TLW_SKINNING_LINEAR);
    }
}

// Joints are stretched too, unevenly, but for the first case.
TLW_TEST(streams_of_dual_quaternions_agree_with_the_oracle) {
    compare_sample(TLW_SAMPLE_STOUT, false, 16, 3, TLW_SKINNING_DUAL);
    if (!PAIR_IS_SLOW) {
        compare_sample(TLW_SAMPLE_BUNNY, true, 18, 3, TLW_SKINNING_DUAL);
    }
}

// Rods and plates, whose voxels do not span space; cuts; meshes that ride.
TLW_TEST(streams_agree_with_the_oracle_on_thin_shapes_and_beside_cuts) {
    static const struct {
        scene_kind kind;
        uint32_t resolution;
    } shapes[] = {{SCENE_plate, 12},
                  {SCENE_thin_rod, 14},
                  {SCENE_ell, 12},
                  {SCENE_legs, 20},
                  {SCENE_split_lump, 16}};
    for (size_t k = 0; k < TLW_COUNT_OF(shapes); ++k) {
        scene* s = scene_make(shapes[k].kind, 0);
        compare_input(scene_name(shapes[k].kind), scene_input(s), false, shapes[k].resolution, 3,
                      0.4, TLW_SKINNING_LINEAR);
        scene_free(s);
    }
}

TLW_TEST(streams_agree_with_the_oracle_where_some_vertices_have_no_weights) {
    compare_sample(TLW_SAMPLE_STOUT, true, 16, 3, TLW_SKINNING_LINEAR);
}

// AUTO without radial basis functions is fit, and frames where the mesh has no weights.
TLW_TEST(auto_without_rbf_is_fit_or_frames) {
    for (int k = 0; k < 2; ++k) {
        sample_input* sample = sample_input_make(TLW_SAMPLE_STOUT);
        embed_input* in = embed_input_make(sample_input_get(sample), false);
        in->meshes[0].influence_count = k == 0 ? in->meshes[0].influence_count : 0;
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 12;
        const oracle_pair_def def = {.preset = TLW_PRESET_BUNNY, .has_oracle = true};
        oracle_pair* d = pair_make(&in->input, &recipe, &def);
        blob_points* points = blob_points_read(d->cooked.blob, d->oracle_voxel);
        canvas c = canvas_make(d);
        const embed_case from = {
            "auto", TLW_EMBED_AUTO,
            oracle_auto_embedding(points->has_rbf, d->lattice->has_artist_weights != 0), 0.25,
            false};
        CHECK_EQ(from.expected, k == 0 ? ORACLE_EMBED_FIT : ORACLE_EMBED_FRAMES);
        set_output(d, &c, &from);
        for (uint32_t n = 1; n <= 10; ++n) {
            pair_dance(d, n * PAIR_SUBSTEP, 0.4);
            pair_step(d, PAIR_SUBSTEP, false);
        }
        gaps g = {0};
        const double apart = take_voxels(d, &c);
        compare_vertices(d, &c, points, &from, &g);
        compare_voxels(d, &c, 0.25, &g);
        check_gaps(k == 0 ? "with weights" : "without", &from, &g, apart);
        canvas_free(&c);
        blob_points_free(points);
        pair_free(d);
        embed_input_free(in);
        sample_input_free(sample);
    }
}
