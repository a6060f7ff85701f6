// SPDX-License-Identifier: MIT
// Small inputs for the runtime's oracle, made by hand without a cooker or a blob, and poses for
// them.
#ifndef TLW_TESTS_RUNTIME_ORACLE_SMALL_INPUTS_H
#define TLW_TESTS_RUNTIME_ORACLE_SMALL_INPUTS_H

#include "tests/runtime/oracle/voxel_arrays.h"

// name, what it is. All have two joints; joint 1 holds the far half, with a blend in the middle.
#define SMALL_INPUTS(X)                                         \
    X(single, "one soft voxel")                                 \
    X(pair, "a bone voxel and a soft one above it")             \
    X(rod, "1x1x9, bone at its lower end")                      \
    X(boneless_rod, "1x1x9, all soft")                          \
    X(plate, "7x1x9, bone along one edge")                      \
    X(box, "5x5x7, bone along its axis")                        \
    X(ell, "an L, three thick, a cut link at its inner corner") \
    X(capsule, "radius 2.3, 14 long, bone along its axis")

typedef enum small_input_kind {
#define SMALL_INPUT_ENUM(name, text) SMALL_INPUT_##name,
    SMALL_INPUTS(SMALL_INPUT_ENUM)
#undef SMALL_INPUT_ENUM
        SMALL_INPUT_COUNT
} small_input_kind;

#define SMALL_INPUT_JOINTS 2

// `input` points to the other members.
typedef struct small_input {
    oracle_input input;
    small_input_kind kind;
    voxel_arrays voxels;
    uint32_t* d_skin;
    uint32_t (*region)[8];
    double bind[SMALL_INPUT_JOINTS][16];
    oracle_bend_rest bends[2];
} small_input;

const char* small_input_name(small_input_kind kind);
// region_width 3 or 2; neighbours 6, 14, 18, 20 or 26.
small_input* small_input_make(small_input_kind kind, uint32_t region_width, uint32_t neighbours);
void small_input_free(small_input* small);
// Gives it the bend of joint 1: the voxels that both joints move, each with a share of 1, and a
// field that leads away from the axis. `reach` is in voxels. Call it before an oracle is made, and
// not for rods, whose axis has no away.
void small_input_add_bend(small_input* small, double reach);
// The voxel at a cell, or ORACLE_NO_VOXEL if there is none.
uint32_t small_input_voxel_at(const small_input* small, int x, int y, int z);

typedef struct small_input_pose {
    oracle_trs joints[SMALL_INPUT_JOINTS];
    oracle_vec root_position; // metres
    oracle_quat root_rotation;
    double root_scale;
} small_input_pose;

// The bind pose at the origin.
small_input_pose small_input_rest_pose(const small_input* small);
// Rotates joint 1 about its own position by a rotation vector in model space.
void small_input_bend(small_input_pose* pose, oracle_vec rotation);
// Points into `pose`.
oracle_pose small_input_oracle_pose(const small_input_pose* pose);

#endif
