// SPDX-License-Identifier: MIT
// Tests of the output between substeps (MODEL 5.1): at frame rates whose frames fall anywhere
// between two substeps, every frame's voxels, rotations and vertices against the oracle. Lengths in
// voxels.
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

// Where the output is written, and what the oracle expects.
typedef struct canvas {
    float *lattice, *positions;
    oracle_vec* expected; // [vertex]
} canvas;

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count, bytes);
    CHECK(memory != NULL);
    return memory;
}

static canvas open_canvas(oracle_pair* d, tlw_embedding embedding) {
    CHECK_EQ(d->info.vertex_count, d->cooked_input->point_count);
    canvas c = {allocate(d->info.voxel_count, 12 * sizeof(float)),
                allocate(d->info.vertex_count, 3 * sizeof(float)),
                allocate(d->info.vertex_count, sizeof(oracle_vec))};
    tlw_output output = tlw_default_output();
    output.embedding = embedding;
    output.lattice.data = c.lattice;
    output.positions.data = c.positions;
    CHECK_OK(tlw_character_set_output(d->world, d->id, &output));
    return c;
}

static void close_canvas(canvas* c) {
    free(c->lattice);
    free(c->positions);
    free(c->expected);
}

// From model space, metres, to the oracle's space: rotated by the root, in voxels.
static oracle_vec to_oracle(const oracle_pair* d, oracle_vec metres) {
    return quat_rotate(d->o->last.root_rotation, vec_scale(metres, 1 / d->info.voxel_metres));
}

static oracle_vec wide(const float a[3]) {
    return vec((double)a[0], (double)a[1], (double)a[2]);
}

static oracle_vec output_voxel(const oracle_pair* d, const canvas* c, uint32_t voxel) {
    const tlw_blob_cell* cell = &d->cells[voxel];
    const oracle_vec x0 = vec_add_scaled(vec_of(d->info.origin), d->info.voxel_metres,
                                         vec(cell->x + 0.5, cell->y + 0.5, cell->z + 0.5));
    const float* m = c->lattice + (size_t)voxel * 12;
    return to_oracle(d, vec(vec_dot(wide(m), x0) + (double)m[3],
                            vec_dot(wide(m + 4), x0) + (double)m[7],
                            vec_dot(wide(m + 8), x0) + (double)m[11]));
}

static oracle_quat output_rotation(const oracle_pair* d, const canvas* c, uint32_t voxel) {
    const float* m = c->lattice + (size_t)voxel * 12;
    const oracle_mat rows = mat_of_columns(wide(m), wide(m + 4), wide(m + 8));
    const oracle_mat own = mat_transpose(&rows);
    return quat_mul(d->o->last.root_rotation, quat_of_mat(&own));
}

// Largest distances of the output from the oracle's; and, to show that the test would notice, the
// distances that the likely mistakes would cause: the last substep's pose instead of this frame's,
// the newest deviation instead of the interpolated one, or the oldest.
typedef struct gap {
    double voxel, rotation, vertex;
    double off_skin; // of the output's voxels from their skinned places
    double if_late, if_newest, if_oldest;
    int frames_between; // frames that lie between two substeps
} gap;

static double larger(double a, double b) {
    return b > a || b != b ? b : a;
}

static void compare(const oracle_pair* d, canvas* c, oracle_embedding embedding, gap* g) {
    const oracle* o = d->o;
    const double a = 1 - (o->lag - o->accumulator) / d->substep_seconds;
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        const uint32_t k = d->oracle_voxel[i];
        const oracle_vec p = output_voxel(d, c, i);
        const double step = vec_length(vec_sub(o->d1[k], o->d0[k]));
        g->voxel = larger(g->voxel, vec_length(vec_sub(p, o->out_p[k])));
        g->rotation = larger(g->rotation, quat_angle(output_rotation(d, c, i), o->out_R[k]));
        g->off_skin = larger(g->off_skin, vec_length(vec_sub(p, o->out_p_skin[k])));
        g->if_late = larger(g->if_late, vec_length(vec_sub(o->out_p_skin[k], o->p_skin_prev[k])));
        g->if_newest = larger(g->if_newest, (1 - a) * step);
        g->if_oldest = larger(g->if_oldest, a * step);
    }
    oracle_embed(o, &(oracle_embed_def){.embedding = embedding}, d->cooked_input->points,
                 d->cooked_input->point_count, &(oracle_embedded){.positions = c->expected});
    for (uint32_t v = 0; v < d->info.vertex_count; ++v) {
        const oracle_vec x = to_oracle(d, wide(c->positions + (size_t)v * 3));
        // The error of a socket far outside grows with its distance.
        const double away =
            vec_length(vec_of(d->cooked_input->points[v].rest)) / d->info.extent_voxels;
        const double off = vec_length(vec_sub(x, c->expected[v]));
        g->vertex = larger(g->vertex, off / fmax(1, away));
    }
    g->frames_between += a > 0.01 && a < 0.99;
}

// The test must be able to fail.
static void check_power(const gap* g) {
    printf("      (late by a substep: %.2f, newest %.3f, oldest %.3f; off the skin by %.2f)\n",
           g->if_late, g->if_newest, g->if_oldest, g->off_skin);
    CHECK_LT(PAIR_IS_SLOW ? 4 : 10, g->frames_between);
    CHECK_LT(0.05, g->if_late);
}

static const double rates[] = {240, 144, 100, 37};
static const shape few[] = {SHAPE_box_along_y, SHAPE_lump, SHAPE_ell_with_cuts};

// With a limit of 0 tissue stays on its skinned place.
TLW_TEST(tissue_held_on_its_skinned_place_is_output_on_this_frames_pose_at_any_frame_rate) {
    for (size_t n = 0; n < TLW_COUNT_OF(rates); ++n) {
        const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};
        const shape which = few[n % TLW_COUNT_OF(few)];
        oracle_pair* d = shape_pair(which, 3, 26, &def);
        const tlw_material held = {
            .stiffness = 0.1f, .damping = 0.7f, .anchor_hz = 2, .limit_scale = 0};
        pair_set_material(d, TLW_ALL, TLW_ALL, &held);
        canvas c = open_canvas(d, TLW_EMBED_DELTA);
        gap g = {0};
        for (int k = 1; k <= (int)(rates[n] * (PAIR_IS_SLOW ? 0.3 : 0.5)); ++k) {
            pair_dance(d, k / rates[n], shape_liveliness(d));
            CHECK_EQ(pair_step(d, 1 / rates[n], false), 0u);
            compare(d, &c, ORACLE_EMBED_DELTA, &g);
        }
        printf("    %3g Hz %-14s voxels %.1e, vertices %.1e off LBS at this frame's pose\n",
               rates[n], shape_name(which), g.off_skin, g.vertex);
        check_power(&g);
        CHECK_LT(g.off_skin, 2e-5);
        CHECK_LT(g.vertex, 1e-4);
        close_canvas(&c);
        pair_free(d);
    }
}

TLW_TEST(tissue_is_output_on_this_frames_pose_with_its_deviation_between_two_substeps) {
    for (size_t n = 0; n < TLW_COUNT_OF(rates); ++n) {
        for (size_t s = 0; s < TLW_COUNT_OF(few); ++s) {
            const oracle_pair_def def = {.preset = n % 2 ? TLW_PRESET_BUNNY : TLW_PRESET_DEFAULT,
                                         .has_oracle = true};
            const bool is_delta = (n + s) % 2 == 0;
            oracle_pair* d = shape_pair(few[s], s == 1 ? 2 : 3, 26, &def);
            canvas c = open_canvas(d, is_delta ? TLW_EMBED_DELTA : TLW_EMBED_FRAMES);
            gap g = {0};
            for (int k = 1; k <= (int)(rates[n] * (PAIR_IS_SLOW ? 0.3 : 0.5)); ++k) {
                pair_dance(d, k / rates[n], shape_liveliness(d));
                CHECK_EQ(pair_step(d, 1 / rates[n], false), 0u);
                compare(d, &c, is_delta ? ORACLE_EMBED_DELTA : ORACLE_EMBED_FRAMES, &g);
            }
            printf("    %3g Hz %-14s voxels %.1e, R %.1e, vertices by %s %.1e\n", rates[n],
                   shape_name(few[s]), g.voxel, g.rotation, is_delta ? "delta" : "frames",
                   g.vertex);
            check_power(&g);
            CHECK_LT(g.voxel, 1e-3);
            CHECK_LT(g.rotation, 1e-3);
            CHECK_LT(g.vertex, 1e-3);
            CHECK_LT(0.01, g.if_newest);
            CHECK_LT(0.01, g.if_oldest);
            close_canvas(&c);
            pair_free(d);
        }
    }
}
