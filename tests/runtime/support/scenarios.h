// SPDX-License-Identifier: MIT
// Scenarios for golden hashes: each runs the same way frame by frame, whatever task system runs it.
// Each has a world of its own. The state of all its characters and the output of its first one are
// hashed.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SCENARIOS_H
#define TLW_TESTS_RUNTIME_SUPPORT_SCENARIOS_H

#include "tests/runtime/support/sample_characters.h"

// name, what it is
#define SCENARIO_TABLE(X)                                                                        \
    X(stout_dance, "60 Hz, cooked preset")                                                       \
    X(bunny_walk, "60 Hz, 100,000 voxels from the origin, teleported back every second")         \
    X(thin_jump, "90 Hz, transforms, two repeats, four rotation iterations")                     \
    X(bunny_stop, "30 Hz, skinning matrices, gravity, a scaled root")                            \
    X(stout_width_2, "60 Hz, regions of width 2")                                                \
    X(stout_dual, "60 Hz, dual quaternions, stretched and twisted joints, fades, volume off "    \
                  "and on")                                                                      \
    X(stout_touched, "60 Hz, colliders of every kind, own limbs, drags, pushes, wind, gravity, " \
                     "slow motion, captured poses")                                              \
    X(thin_muscles, "60 Hz, muscles and Lame layers, tensions, gravity, jumps, dropped time, "   \
                    "teleports, resets, garbage, every embedding")                               \
    X(crowd, "60 Hz, three assets, one character far larger, some coming and going")             \
    X(odd_times, "any dt, jumps, dropped time, bad poses, garbage, resets, presets, falling "    \
                 "asleep")

typedef enum scenario_id {
#define SCENARIO_ENUM(name, text) SCENARIO_##name,
    SCENARIO_TABLE(SCENARIO_ENUM)
#undef SCENARIO_ENUM
        SCENARIO_COUNT
} scenario_id;

const char* scenario_name(scenario_id which);

// What a scenario runs on.
typedef struct scenario_config {
    tlw_isa isa;
    tlw_task_system tasks;
    float split_cost;
    bool is_hostile; // the calling thread's float control word rounds down and flushes denormals
} scenario_config;

#define SCENARIO_CHARACTERS_MAX 12

typedef struct scenario {
    scenario_id which;
    scenario_config config;
    tlw_world* world;
    uint32_t capacity;
    struct {
        const sample_character* sample;
        sample_motion clip;
        tlw_pose_kind kind;
        double offset_seconds;
        tlw_character_id id;
        void* memory;
    } characters[SCENARIO_CHARACTERS_MAX];
    tlw_collider_id colliders[5];
    tlw_pick pick; // on the belly
    double seconds;
    uint64_t random;
    tlw_step_flags flags_seen;
    uint64_t substeps;
    uint32_t splits;
    float *positions, *normals, *tangents, *lattice, *voxel_fits;
    uint16_t *deltas, *voxel_deltas;
    size_t lattice_floats, voxel_count;
} scenario;

// The hashes of a frame.
typedef struct scenario_frame {
    uint64_t state;  // tlw_world_hash
    uint64_t output; // everything that the first character wrote
} scenario_frame;

scenario* scenario_open(scenario_id which, const scenario_config* config);
// Frames count from 1 and must be run in order.
scenario_frame scenario_advance(scenario* s, uint32_t frame);
void scenario_close(scenario* s);

#endif
