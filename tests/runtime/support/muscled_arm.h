// SPDX-License-Identifier: MIT
// An arm with muscles, cooked and alive in a world of its own: a biceps above its bones, a triceps
// below them that flexes with the elbow, and four automatic muscles.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_MUSCLED_ARM_H
#define TLW_TESTS_RUNTIME_SUPPORT_MUSCLED_ARM_H

#include "runtime/world/world.h"

enum { ARM_BICEPS, ARM_TRICEPS, ARM_AUTO };
enum { ARM_JOINT_COUNT = 2 };

typedef struct muscled_arm {
    tlw_world* world;
    tlw_character_id id;
    tlw_character* c; // for what the interface does not show
    void* memory;
    tlw_root root; // of the next pose
} muscled_arm;

// Cooked once, with and without its muscles.
tlw_blob muscled_arm_blob(void);
tlw_blob bare_arm_blob(void);
// A def for a world that has room for one of them.
tlw_world_def muscled_arm_def(void);
muscled_arm muscled_arm_make(const tlw_world_def* def, const tlw_blob* blob);
// One with muscles in a world by default.
muscled_arm muscled_arm_alone(void);
void muscled_arm_free(muscled_arm* arm);

// Bends the elbow, upwards, by so many degrees, at arm->root.
void muscled_arm_pose(const muscled_arm* arm, double degrees, bool is_jump);
// Poses it and resets it there.
void muscled_arm_reset(const muscled_arm* arm, double degrees);
// Poses it and makes a step of 1/60 s.
tlw_step_flags muscled_arm_step(const muscled_arm* arm, double degrees);
// Bends from one angle to another and back or on, at a steady speed, in so many frames.
void muscled_arm_move(const muscled_arm* arm, double from, double to, int frames);
void muscled_arm_set_gravity(const muscled_arm* arm, float z);

// The largest distance of a vertex from another's, and from where it is drawn, in voxels.
double line_distance(const muscled_arm* a, const muscled_arm* b);
double line_off(const muscled_arm* arm);
// The largest |m| of a voxel, in voxels.
double largest_displacement(const muscled_arm* arm);

#endif
