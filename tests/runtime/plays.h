// SPDX-License-Identifier: MIT
// Scenes that always play the same way, frame by frame, whoever runs their tasks: for golden
// hashes. Each has a world of its own; what is drawn of its first character is hashed too.
#ifndef TLW_TESTS_RUNTIME_PLAYS_H
#define TLW_TESTS_RUNTIME_PLAYS_H

#include "tests/runtime/cast.h"

// name, what it is
#define PLAY_TABLE(X)                                                                         \
    X(stout_dance, "60 Hz, cooked preset")                                                    \
    X(bunny_walk, "60 Hz, 100,000 voxels from the origin, teleported back every second")      \
    X(thin_jump, "90 Hz, transforms, two repeats, four rotation iterations")                  \
    X(bunny_stop, "30 Hz, skinning matrices, gravity, a scaled root")                         \
    X(stout_width_2, "60 Hz, regions of width 2")                                             \
    X(crowd, "60 Hz, three assets, one character far larger, some coming and going")          \
    X(odd_times, "any dt, jumps, dropped time, bad poses, garbage, resets, presets, falling " \
                 "asleep")

typedef enum play_name {
#define PLAY_ENUM(name, text) PLAY_##name,
    PLAY_TABLE(PLAY_ENUM)
#undef PLAY_ENUM
        PLAY_COUNT
} play_name;

const char* play_name_of(play_name which);

// Who runs it.
typedef struct play_config {
    tlw_isa isa;
    tlw_task_system tasks;
    float split_cost;
    bool is_hostile; // the caller's own float control word is not what it should be
} play_config;

#define PLAY_CAST_MAX 12

typedef struct play {
    play_name which;
    play_config config;
    tlw_world* world;
    uint32_t capacity;
    struct {
        const performer* performer;
        cast_clip clip;
        tlw_pose_kind kind;
        double offset_seconds;
        tlw_character_id id;
        void* memory;
    } cast[PLAY_CAST_MAX];
    double seconds;
    uint64_t random;
    tlw_step_flags flags_seen;
    uint64_t substeps;
    uint32_t splits;
    float *positions, *normals, *tangents, *lattice;
    uint16_t* deltas;
    size_t lattice_floats;
} play;

// What a frame came to.
typedef struct play_frame {
    uint64_t state;  // tlw_world_hash
    uint64_t output; // what the first character wrote
} play_frame;

play* play_open(play_name which, const play_config* config);
// Frames from 1 on, in order.
play_frame play_advance(play* p, uint32_t frame);
void play_close(play* p);

#endif
