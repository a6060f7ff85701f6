// SPDX-License-Identifier: MIT
// Follows an oracle_pair through a motion: the largest differences of its state, its lines and its
// output, and how much happened meanwhile. Lengths in voxels.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_PAIR_TRACK_H
#define TLW_TESTS_RUNTIME_SUPPORT_PAIR_TRACK_H

#include "tests/runtime/support/oracle_pair.h"

typedef struct pair_track {
    oracle_pair* pair;
    float *lattice, *positions; // output
    oracle_vec* expected;       // [vertex]
    uint32_t steps;
    bool has_flat_regions; // flat, or squashed flat: their rotations are arbitrary, and not checked
    // Largest differences: after the first step, and after all.
    double one, many, skin, velocity, rotation, line, elongation, tension;
    double output, vertex; // voxels and vertices as they are drawn
    // What the oracle had at most: lines off the places where they are drawn, m, and tissue off t.
    double line_off, displaced, tissue_off;
} pair_track;

// Writes the pair's output from here on, by delta.
pair_track track_begin(oracle_pair* pair);
// pair_step, and compares.
tlw_step_flags track_step(pair_track* track, double dt, bool is_jump);
// Compares the state alone, after a reset.
void track_compare(pair_track* track);
// Prints the differences, checks them (1e-4 after one step, 1e-3 after all), and ends the track.
void track_end(const char* name, pair_track* track);
// Ends the track without a check.
void track_drop(pair_track* track);

#endif
