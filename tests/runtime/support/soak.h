// SPDX-License-Identifier: MIT
// Two characters to whom everything happens that the public header allows, at random from a fixed
// seed: colliders of every kind that come, go and fly through bone, limbs, drags, pushes, wind,
// gravity, any dt and time scale, filtered poses, jumps, bad frames, settings, materials, fades and
// resets. Every number is finite and in its range, so state must stay finite, too.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SOAK_H
#define TLW_TESTS_RUNTIME_SUPPORT_SOAK_H

#include "tests/runtime/support/sample_characters.h"

#define SOAK_CHARACTERS 2
#define SOAK_COLLIDERS  8
#define SOAK_DRAGS      3

typedef struct soak_config {
    tlw_task_system tasks;
    float split_cost;
    uint64_t seed;
    bool is_extreme; // many numbers are at the ends of their ranges
} soak_config;

// What the random calls led to, so that a test can tell that they were not all in vain.
typedef struct soak_seen {
    tlw_step_flags flags;
    uint32_t collider_contacts, limb_contacts, drags, pushes, fades, sleeps, not_finite, splits;
} soak_seen;

typedef struct soak soak;

soak* soak_open(const soak_config* config);
void soak_close(soak* s);
// Decides anew, at random, which kinds of things happen in the next frames.
void soak_choose(soak* s);
void soak_choose_all(soak* s);
// A frame of all that was chosen.
void soak_frame(soak* s);
// Ends everything: no colliders, drags and wind, cooked materials, the bind pose held still, under
// the gravity that the characters were modelled under. What tissue did before goes on.
void soak_calm(soak* s);
// A frame of 1/60 s in which nothing happens. Returns whether all characters are asleep.
bool soak_calm_frame(soak* s);

// How far tissue is from where skinning puts it, and how fast it moves relative to nothing.
typedef struct soak_state {
    double deviation; // the largest, voxels
    double of_cap;    // the largest share of 1.5 times its cooked limit that a voxel is off
    double energy;    // mean of half the squared velocity, voxels^2/s^2
    bool is_finite;
} soak_state;

soak_state soak_measure(const soak* s);
soak_seen soak_get_seen(const soak* s);
uint64_t soak_hash(const soak* s);

#endif
