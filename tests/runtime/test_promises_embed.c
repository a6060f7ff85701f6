// SPDX-License-Identifier: MIT
// What the embeddings promise (MODEL 5.1, 5.2, 5.4, 10) about fields of deviations that are imposed
// on the voxels of sample characters: fit is exact on linear fields and nearer to smooth ones than
// delta; nothing deviates at rest; results turn with the field. Lengths in voxels.
#include "tests/cook/support/sample_input.h"
#include "tests/runtime/oracle/blob_points.h"
#include "tests/runtime/support/oracle_pair.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

// A sample in the bind pose, cooked for every embedding, without the oracle's time.
typedef struct stage {
    oracle_pair* pair;
    blob_points* points;
    float* deltas;          // 3 per vertex
    bool* is_hung_on_solid; // per vertex: all its voxels span space
    oracle_vec* u;          // per vertex, as embedded last
} stage;

static stage* stage_make(tlw_sample_variant variant, uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    sample_input* sample = sample_input_make(variant);
    const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT, .is_limit_off = true};
    stage* s = allocate(1, sizeof *s);
    s->pair = pair_make(sample_input_get(sample), &recipe, &def);
    sample_input_free(sample);
    const uint32_t voxels = s->pair->info.voxel_count, vertices = s->pair->info.vertex_count;
    uint32_t* same = allocate(voxels, sizeof *same);
    bool* is_solid = allocate(voxels, sizeof *is_solid);
    uint64_t count;
    const float* rest = tlw_blob_find(s->pair->cooked.blob, TLW_SECTION_SLOT_REST, &count);
    for (uint32_t i = 0; i < voxels; ++i) {
        same[i] = i;
        is_solid[i] = rest[s->pair->voxel_slot[i]] > 0;
    }
    s->points = blob_points_read(s->pair->cooked.blob, same);
    s->deltas = allocate(vertices, 3 * sizeof(float));
    s->u = allocate(vertices, sizeof *s->u);
    s->is_hung_on_solid = allocate(vertices, sizeof *s->is_hung_on_solid);
    for (uint32_t v = 0; v < vertices; ++v) {
        s->is_hung_on_solid[v] = true;
        for (int k = 0; k < 8; ++k) {
            s->is_hung_on_solid[v] =
                s->is_hung_on_solid[v] &&
                (s->points->points[v].weight[k] == 0 || is_solid[s->points->points[v].voxel[k]]);
        }
    }
    free(same);
    free(is_solid);
    return s;
}

static void stage_free(stage* s) {
    pair_free(s->pair);
    blob_points_free(s->points);
    free(s->deltas);
    free(s->u);
    free(s->is_hung_on_solid);
    free(s);
}

static const tlw_sample_variant variants[] = {TLW_SAMPLE_BUNNY, TLW_SAMPLE_STOUT, TLW_SAMPLE_THIN};

// A field of deviations over rest positions, from the grid's lowest corner.
typedef oracle_vec field(oracle_vec rest, double extent);

static const oracle_mat slopes = {{{0.1, 0.2, 0}, {-0.15, 0.1, 0.1}, {0, -0.1, 0.2}}};

static oracle_vec affine(oracle_vec x, double extent) {
    return mat_apply(&slopes, vec_sub(x, vec(0.5 * extent, 0.5 * extent, 0)));
}

// Three sines of wavelength 0.35 L in different directions.
static oracle_vec sines(oracle_vec x, double extent) {
    const double k = 2 * 3.14159265358979 / (0.35 * extent);
    const double a = 0.02 * extent;
    return vec(a * sin(k * (0.8 * x.y + 0.6 * x.z)), a * sin(k * (0.6 * x.x - 0.8 * x.z) + 1),
               a * sin(k * (0.36 * x.x + 0.48 * x.y + 0.8 * x.z) + 2));
}

static oracle_vec none(oracle_vec x, double extent) {
    (void)x;
    (void)extent;
    return vec(0, 0, 0);
}

// Sets the voxels, rotated by `turn`, and embeds without letting time pass.
static void embed(stage* s, field* of, oracle_quat turn, tlw_embedding embedding,
                  double smoothing) {
    oracle_pair* d = s->pair;
    tlw_output output = tlw_default_output();
    output.embedding = embedding;
    output.smoothing = (float)smoothing;
    output.deltas.data = s->deltas;
    CHECK_OK(tlw_character_set_output(d->world, d->id, &output));
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        tlw_voxel_state state;
        CHECK_OK(tlw_character_get_voxel(d->world, d->id, i, &state));
        const tlw_blob_cell* cell = &d->cells[i];
        const oracle_vec rest = {cell->x + 0.5, cell->y + 0.5, cell->z + 0.5};
        const oracle_vec off = quat_rotate(turn, of(rest, d->info.extent_voxels));
        const float p[3] = {state.skinned[0] + (float)off.x, state.skinned[1] + (float)off.y,
                            state.skinned[2] + (float)off.z};
        const float still[3] = {0, 0, 0};
        CHECK_OK(tlw_character_set_voxel(d->world, d->id, i, p, still));
    }
    tlw_world_step(d->world, 0);
    const oracle_quat root = {(double)d->root.rotation[0], (double)d->root.rotation[1],
                              (double)d->root.rotation[2], (double)d->root.rotation[3]};
    for (uint32_t v = 0; v < d->info.vertex_count; ++v) {
        const oracle_vec metres = {(double)s->deltas[3 * v], (double)s->deltas[3 * v + 1],
                                   (double)s->deltas[3 * v + 2]};
        s->u[v] = quat_rotate(root, vec_scale(metres, 1 / d->info.voxel_metres));
    }
}

typedef struct errors {
    double largest, rms, field; // the last: rms of the field itself
} errors;

static errors error_of(const stage* s, field* of) {
    errors e = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->pair->info.vertex_count; ++v) {
        if (s->is_hung_on_solid[v]) {
            const oracle_vec expected =
                of(vec_of(s->points->points[v].rest), s->pair->info.extent_voxels);
            const double off = vec_length(vec_sub(s->u[v], expected));
            e.largest = fmax(e.largest, off);
            e.rms += off * off;
            e.field += vec_dot(expected, expected);
            count += 1;
        }
    }
    CHECK_LT(s->pair->info.vertex_count / 2, count);
    e.rms = sqrt(e.rms / count);
    e.field = sqrt(e.field / count);
    return e;
}

TLW_TEST(fit_is_exact_on_affine_fields_and_delta_is_not) {
    for (uint32_t resolution = 16; resolution <= (PAIR_IS_SLOW ? 16 : 48); resolution += 16) {
        for (size_t k = 0; k < TLW_COUNT_OF(variants); ++k) {
            stage* s = stage_make(variants[k], resolution);
            double fit = 0;
            for (int beta = 0; beta <= 2; ++beta) {
                embed(s, affine, QUAT_IDENTITY, TLW_EMBED_FIT, 0.5 * beta);
                fit = fmax(fit, error_of(s, affine).largest);
            }
            embed(s, affine, QUAT_IDENTITY, TLW_EMBED_DELTA, 0);
            const double delta = error_of(s, affine).largest;
            printf("    %s at %u: fit %.1e, delta %.3f\n", tlw_sample_variant_name(variants[k]),
                   resolution, fit, delta);
            CHECK_LT(fit, 1e-4);
            CHECK_LT(0.05, delta);
            stage_free(s);
        }
    }
}

TLW_TEST(fit_follows_sines_better_than_delta) {
    for (uint32_t resolution = 24; resolution <= (PAIR_IS_SLOW ? 24 : 48); resolution += 12) {
        for (size_t k = 0; k < TLW_COUNT_OF(variants); ++k) {
            stage* s = stage_make(variants[k], resolution);
            embed(s, sines, QUAT_IDENTITY, TLW_EMBED_DELTA, 0);
            const errors delta = error_of(s, sines);
            embed(s, sines, QUAT_IDENTITY, TLW_EMBED_FIT, 0);
            const errors fit = error_of(s, sines);
            embed(s, sines, QUAT_IDENTITY, TLW_EMBED_FIT, 0.25);
            const errors smoothed = error_of(s, sines);
            printf("    %s at %u: rms error in %% of the field: delta %.1f, fit 0 %.1f, fit 0.25 "
                   "%.1f\n",
                   tlw_sample_variant_name(variants[k]), resolution, 100 * delta.rms / delta.field,
                   100 * fit.rms / fit.field, 100 * smoothed.rms / smoothed.field);
            CHECK_LE(fit.rms, 0.5 * delta.rms);
            CHECK_LE(smoothed.rms, delta.rms);
            stage_free(s);
        }
    }
}

// Rest, a rigid pose and a bent one, without any deviation.
TLW_TEST(nothing_deviates_where_the_skeleton_alone_moves) {
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FIT, TLW_EMBED_RBF};
    stage* s = stage_make(TLW_SAMPLE_STOUT, 16);
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(s->pair->world, s->pair->id, &settings));
    settings.skinned_volume = false; // it deviates from the artist's skinning on purpose
    CHECK_OK(tlw_character_set_settings(s->pair->world, s->pair->id, &settings));
    for (int pose = 0; pose < 3; ++pose) {
        if (pose == 1) {
            pair_rotate_root(s->pair, quat_exp(vec(0.4, 1, -0.3)));
        } else if (pose == 2) {
            pair_dance(s->pair, 1, 1);
        }
        pair_settle(s->pair);
        tlw_world_step(s->pair->world, 0);
        for (size_t k = 0; k < TLW_COUNT_OF(embeddings); ++k) {
            embed(s, none, QUAT_IDENTITY, embeddings[k], 0.25);
            for (uint32_t i = 0; i < 3 * s->pair->info.vertex_count; ++i) {
                CHECK_EQ(s->deltas[i], 0.0f);
            }
        }
    }
    stage_free(s);
}

TLW_TEST(a_rotated_field_gives_the_rotated_result) {
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FIT, TLW_EMBED_RBF};
    const oracle_quat turn = quat_exp(vec(0.5, -1.2, 0.7));
    stage* s = stage_make(TLW_SAMPLE_BUNNY, 24);
    oracle_vec* before = allocate(s->pair->info.vertex_count, sizeof *before);
    for (size_t k = 0; k < TLW_COUNT_OF(embeddings); ++k) {
        embed(s, sines, QUAT_IDENTITY, embeddings[k], 0.25);
        double largest = 0, off = 0;
        for (uint32_t v = 0; v < s->pair->info.vertex_count; ++v) {
            before[v] = quat_rotate(turn, s->u[v]);
            largest = fmax(largest, vec_length(s->u[v]));
        }
        embed(s, sines, turn, embeddings[k], 0.25);
        for (uint32_t v = 0; v < s->pair->info.vertex_count; ++v) {
            off = fmax(off, vec_length(vec_sub(before[v], s->u[v])));
        }
        printf("    embedding %d: %.1e apart, of deviations up to %.2f\n", (int)embeddings[k], off,
               largest);
        CHECK_LT(off, 1e-5);
        CHECK_LT(0.3, largest);
    }
    free(before);
    stage_free(s);
}
