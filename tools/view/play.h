// SPDX-License-Identifier: MIT
// Time and pose of what is shown: which clip, how fast, in steps of which length, and what is done
// to the pose before tissue follows it. Characters that are shown side by side share one, and so
// stay in step.
#ifndef TLW_TOOLS_VIEW_PLAY_H
#define TLW_TOOLS_VIEW_PLAY_H

#include "tools/motion/motion.h"

#define TLW_VIEW_SPEED_LEAST (1.0 / 64.0)
#define TLW_VIEW_SPEED_MOST  4.0
#define TLW_VIEW_STEP_HZ     60.0 // of single steps, unless frames are limited
#define TLW_VIEW_LIMIT_LOW   24u
#define TLW_VIEW_LIMIT_HIGH  240u
#define TLW_VIEW_NOISE_MM    60.0f // most, on a character of 1.7 m
#define TLW_VIEW_CAPTURE_HZ  30.0  // of poses with noise

typedef struct tlw_view_play {
    bool is_paused;
    double speed; // 1: as long as in life
    // Steps per second of the motion: 0: one for each picture, otherwise TLW_VIEW_LIMIT_LOW to
    // _HIGH.
    uint32_t limit_hz;
    bool is_in_place; // the way of the clip is taken out
    float noise_mm;   // of each captured pose, on a character of 1.7 m; 0: poses as they are
    double seconds;   // since the beginning
    double owed;      // time that has passed and was not stepped yet
} tlw_view_play;

tlw_view_play tlw_default_view_play(void);

// Takes time that has passed in the room, and returns how many steps are due, each of *dt seconds.
// Nothing while it is paused.
uint32_t tlw_view_play_due(tlw_view_play* play, double passed, double* dt);
// Length of a single step.
double tlw_view_play_step(const tlw_view_play* play);

// The way of a clip over the ground: the motion of the topmost joint that moves.
typedef struct tlw_view_way {
    uint32_t clip;
    uint32_t joint;   // TLW_NO_INDEX: nothing moves
    double start[3];  // where the joint begins
    double length[3]; // from there to where it ends; 0 for clips that end where they began
    double seconds;   // of the clip
} tlw_view_way;

tlw_view_way tlw_view_find_way(const tlw_actor* actor, uint32_t clip);

// Sets joints and root of a motion for the next step: the clip at play->seconds.
void tlw_view_pose(const tlw_view_play* play, const tlw_view_way* way, tlw_motion* motion);

#endif
