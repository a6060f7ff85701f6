// SPDX-License-Identifier: MIT
// The arm of tools/motion on the runtime, for the promises about muscles: cooked, alive in a world
// of its own, and posed by its elbow. Lengths are in voxels.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_ARM_STUDY_H
#define TLW_TESTS_RUNTIME_SUPPORT_ARM_STUDY_H

#include "runtime/world/world.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "tools/motion/arm.h"

#define ARM_FRAME (1.0 / 60.0)

typedef struct arm_study_def {
    tlw_arm_muscles muscles;
    tlw_preset preset;      // TLW_PRESET_COOKED
    float bulge;            // of all muscles; 0: 1
    bool is_lame;           // fat and skin are Lame layers
    double substep_seconds; // 0: 1/60
} arm_study_def;

// It must not be moved.
typedef struct arm_study {
    tlw_arm arm;
    tlw_actor actor;
    tlw_motion* motion;
    tlw_character* c; // for what the interface does not show
    tlw_bent_joint elbow;
} arm_study;

typedef double arm_line[TLW_ARM_VERTICES_MAX][3];

// In the bind pose, at rest. Fails the running test if anything does not work.
void arm_study_make(arm_study* s, const arm_study_def* def);
void arm_study_free(arm_study* s);

// Puts it at rest with the elbow bent.
void arm_study_reset(arm_study* s, double degrees);
// Bends the elbow evenly from one angle to another, in so many frames of 1/60 s.
void arm_study_bend(arm_study* s, double from, double to, int frames);
// Holds the pose that it has.
void arm_study_hold(arm_study* s, int frames);
void arm_study_set_gravity(arm_study* s, const double gravity[3]);
void arm_study_set_tension(arm_study* s, uint32_t muscle, float tension);

// The vertices of a line relative to the root's place; returns how many there are.
uint32_t arm_study_line(const arm_study* s, uint32_t muscle, arm_line out);
double arm_study_elongation(const arm_study* s, uint32_t muscle);
// Both read their voxels. The largest distance between voxels, and between vertices of lines; the
// second one is moved and turned back by its root.
double arm_study_voxel_gap(const arm_study* a, const arm_study* b);
double arm_study_line_gap(const arm_study* a, const arm_study* b);

double arm_study_distance(const double a[3], const double b[3]);
void arm_study_rotate(const float q[4], const double v[3], double out[3]);
// Even, in [low, high), and about normal with a sigma of 1.
double arm_study_random(uint64_t* state, double low, double high);
double arm_study_normal(uint64_t* state);

#endif
