// SPDX-License-Identifier: MIT
#include "tests/runtime/support/pair_track.h"

#include "tests/runtime/oracle/cooked_input.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#define AFTER_ONE  1e-4
#define AFTER_MANY 1e-3

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count, bytes);
    CHECK(memory != NULL);
    return memory;
}

static void grow(double* largest, double value) {
    *largest = value > *largest || value != value ? value : *largest;
}

pair_track track_begin(oracle_pair* pair) {
    CHECK_EQ(pair->info.vertex_count, pair->cooked_input->point_count);
    pair_track track = {.pair = pair,
                        .lattice = allocate(pair->info.voxel_count, 12 * sizeof(float)),
                        .positions = allocate(pair->info.vertex_count, 3 * sizeof(float)),
                        .expected = allocate(pair->info.vertex_count, sizeof(oracle_vec))};
    tlw_output output = tlw_default_output();
    output.embedding = TLW_EMBED_DELTA;
    output.lattice.data = track.lattice;
    output.positions.data = track.positions;
    CHECK_OK(tlw_character_set_output(pair->world, pair->id, &output));
    return track;
}

static oracle_vec wide(const float a[3]) {
    return vec((double)a[0], (double)a[1], (double)a[2]);
}

// From model space, metres, to the oracle's space: rotated by the root, in voxels.
static oracle_vec to_oracle(const oracle_pair* pair, oracle_vec metres) {
    return quat_rotate(pair->o->last.root_rotation, vec_scale(metres, 1 / pair->info.voxel_metres));
}

// Where a voxel of the stream `lattice` is: its matrix takes the place at rest along.
static oracle_vec drawn_voxel(const pair_track* track, uint32_t voxel) {
    const oracle_pair* pair = track->pair;
    const tlw_blob_cell* cell = &pair->cells[voxel];
    const oracle_vec x0 = vec_add_scaled(vec_of(pair->info.origin), pair->info.voxel_metres,
                                         vec(cell->x + 0.5, cell->y + 0.5, cell->z + 0.5));
    const float* m = track->lattice + (size_t)voxel * 12;
    return to_oracle(pair, vec(vec_dot(wide(m), x0) + (double)m[3],
                               vec_dot(wide(m + 4), x0) + (double)m[7],
                               vec_dot(wide(m + 8), x0) + (double)m[11]));
}

static void compare_output(pair_track* track) {
    const oracle_pair* pair = track->pair;
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const oracle_vec p = pair->o->out_p[pair->oracle_voxel[i]];
        grow(&track->output, vec_length(vec_sub(drawn_voxel(track, i), p)));
    }
    oracle_embed(pair->o, &(oracle_embed_def){.embedding = ORACLE_EMBED_DELTA},
                 pair->cooked_input->points, pair->cooked_input->point_count,
                 &(oracle_embedded){.positions = track->expected});
    for (uint32_t v = 0; v < pair->info.vertex_count; ++v) {
        const oracle_vec x = to_oracle(pair, wide(track->positions + (size_t)v * 3));
        // The error of a socket far outside grows with its distance.
        const double away =
            vec_length(vec_of(pair->cooked_input->points[v].rest)) / pair->info.extent_voxels;
        grow(&track->vertex, vec_length(vec_sub(x, track->expected[v])) / fmax(1, away));
    }
}

static void measure(pair_track* track) {
    const oracle* o = track->pair->o;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        grow(&track->displaced, o->m != NULL ? vec_length(o->m[i]) : 0);
        grow(&track->tissue_off, vec_length(vec_sub(o->p[i], o->p_skin_prev[i])));
    }
    for (uint32_t m = 0; m < o->input->muscle_count; ++m) {
        for (uint32_t i = 0; i < o->input->muscles[m].vertex_count; ++i) {
            grow(&track->line_off, vec_length(vec_sub(o->muscles[m].x[i], o->muscles[m].b[i])));
        }
    }
}

void track_compare(pair_track* track) {
    const oracle_pair_gap gap = pair_compare(track->pair);
    track->one = track->steps <= 1 ? fmax(gap.p, gap.line) : track->one;
    grow(&track->many, gap.p);
    grow(&track->skin, gap.skin);
    grow(&track->velocity, gap.velocity);
    grow(&track->rotation, gap.rotation);
    grow(&track->line, gap.line);
    grow(&track->elongation, gap.elongation);
    grow(&track->tension, gap.tension);
    measure(track);
}

tlw_step_flags track_step(pair_track* track, double dt, bool is_jump) {
    const tlw_step_flags flags = pair_step(track->pair, dt, is_jump);
    track->steps += 1;
    track_compare(track);
    compare_output(track);
    return flags;
}

void track_drop(pair_track* track) {
    free(track->lattice);
    free(track->positions);
    free(track->expected);
}

void track_end(const char* name, pair_track* track) {
    printf("    %-28s %4u voxels: %.1e after 1, %.1e after %u; t %.1e, hv %.1e, R %.1e; lines "
           "%.1e, e %.1e, T %.1e; drawn %.1e, vertices %.1e\n",
           name, track->pair->info.voxel_count, track->one, track->many, track->steps, track->skin,
           track->velocity, track->rotation, track->line, track->elongation, track->tension,
           track->output, track->vertex);
    printf("      (lines off by up to %.2f, m up to %.2f, tissue off by up to %.2f)\n",
           track->line_off, track->displaced, track->tissue_off);
    CHECK_LT(track->one, AFTER_ONE);
    const double all[] = {
        track->many,   track->skin,       track->velocity,
        track->line,   track->elongation, track->tension,
        track->output, track->vertex,     track->has_flat_regions ? 0 : track->rotation};
    for (size_t i = 0; i < TLW_COUNT_OF(all); ++i) {
        CHECK_LT(all[i], AFTER_MANY);
    }
    track_drop(track);
}
