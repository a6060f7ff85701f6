// SPDX-License-Identifier: MIT
// What soak.c and soak_events.c share: the soak's state.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SOAK_PRIVATE_H
#define TLW_TESTS_RUNTIME_SUPPORT_SOAK_PRIVATE_H

#include "tests/runtime/support/soak.h"

#define SOAK_FRAME_SECONDS (1.0 / 60.0)

typedef struct soaked {
    const sample_character* sample;
    tlw_pose_kind kind;
    tlw_character_id id;
    void* memory;
    float* deltas;
    float* caps; // 1.5 times the cooked limit of each voxel, 0 for bone
    sample_motion clip;
    double clip_seconds;
    double home[3];
    tlw_root root;
    double velocity[3]; // of the root, m/s
    float spin[4];
} soaked;

typedef struct soak_collider {
    tlw_collider_id id;
    tlw_collider_pose pose;
    double velocity[3];
    float spin[4];
} soak_collider;

struct soak {
    uint64_t random;
    bool is_extreme;
    uint32_t acts;
    tlw_world* world;
    soaked characters[SOAK_CHARACTERS];
    soak_collider colliders[SOAK_COLLIDERS];
    soak_seen seen;
};

// Makes what was chosen happen before a step, and returns the dt of that step.
double soak_act(soak* s);

#endif
