// SPDX-License-Identifier: MIT
// A take: a character plays a clip or bobs, and moments of it (shots) are kept for drawing.
// Everything that moves is in the world: the root's motion is added to what the runtime wrote.
#ifndef TLW_TOOLS_FIGURES_TAKE_H
#define TLW_TOOLS_FIGURES_TAKE_H

#include "tools/motion/motion.h"
#include "tools/scene/solids.h"

#define TLW_TAKE_HZ 60.0

// What a figure does in each frame: before the step it moves colliders, drags or pose_joints, and
// after it reads what came of that.
typedef struct tlw_take_script {
    void (*before)(tlw_motion* motion, uint32_t frame, void* user);
    void (*after)(tlw_motion* motion, uint32_t frame, void* user); // may be null
    void* user;
    const tlw_solids* solids; // a shot keeps them as they are after the step; null: none
} tlw_take_script;

typedef struct tlw_take_def {
    tlw_motion_def motion;
    const char* clip;  // null: the bind pose
    bool is_bobbing;   // the root moves as in the experiment TLW_MOTION_BOB
    bool has_voxels;   // shots keep voxels, too
    double capture_hz; // poses are held at this rate; 0: every frame has its own
    double noise;      // error of the captured skeleton in shares of L, per axis
    // Profile of the blob (MODEL 3.14) from the start; 0: what the motion's def says. At fade_at,
    // unless that is 0, the character fades to another one.
    uint32_t profile, fade_profile;
    double fade_at, fade_seconds;
    tlw_take_script script; // without functions: none
} tlw_take_def;

tlw_take_def tlw_default_take_def(const tlw_actor* actor);

typedef struct tlw_take_shot {
    double seconds;
    float centre[3];                      // of what skinning shows; y is 0. The camera follows it
    float *positions, *normals, *skinned; // 3 per vertex
    float* deviation;                     // length in metres, one per vertex
    float* lattice;                       // 12 per voxel: rest to model space; null without voxels
    float* joints;                        // 16 per joint: joint to model space
    float root[3];                        // was added to positions and skinned
    tlw_solids solids;
} tlw_take_shot;

// The mean position of the belly in every frame, 3 values each.
typedef struct tlw_take_track {
    uint32_t frame_count;
    double *skinned, *tissue;
} tlw_take_track;

typedef struct tlw_take {
    const tlw_actor* actor;
    uint32_t shot_count;
    tlw_take_shot* shots;
    tlw_take_track track;
    double extent_metres; // L
    uint8_t* layers;      // of each voxel; 0 is bone
    uint32_t* joints;     // of each voxel
} tlw_take;

// Plays from the start until the last of the times, which ascend and are rounded to frames of 1/60
// s. Free the take also after a failure.
tlw_scene_code tlw_take_play(tlw_take* take, const tlw_take_def* def, const double* seconds,
                             uint32_t shot_count, tlw_scene_error* error);
void tlw_take_free(tlw_take* take);

// The largest deviation of any vertex in any shot, in metres.
float tlw_take_farthest(const tlw_take* take);

#endif
