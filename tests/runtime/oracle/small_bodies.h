// SPDX-License-Identifier: MIT
// Small voxel bodies made by hand, without a cooker or a blob, and poses for them: shared by the
// oracle's tests and by those that compare the runtime with it.
#ifndef TLW_TESTS_RUNTIME_ORACLE_SMALL_BODIES_H
#define TLW_TESTS_RUNTIME_ORACLE_SMALL_BODIES_H

#include "tests/runtime/oracle/oracle.h"

// name, what it is. All have two joints; joint 1 holds the far half, with a blend between.
#define BODY_KINDS(X)                                           \
    X(single, "one soft voxel")                                 \
    X(pair, "a bone voxel and a soft one above it")             \
    X(rod, "1x1x9, bone at its lower end")                      \
    X(boneless_rod, "1x1x9, all soft")                          \
    X(plate, "7x1x9, bone along one edge")                      \
    X(box, "5x5x7, bone along its axis")                        \
    X(ell, "an L, three thick, a cut link at its inner corner") \
    X(capsule, "radius 2.3, 14 long, bone along its axis")

typedef enum body_kind {
#define BODY_KIND_ENUM(name, text) BODY_##name,
    BODY_KINDS(BODY_KIND_ENUM)
#undef BODY_KIND_ENUM
        BODY_KIND_COUNT
} body_kind;

#define BODY_JOINTS 2

// The oracle_body points into the rest.
typedef struct test_body {
    oracle_body body;
    body_kind kind;
    int32_t (*cell)[3];
    uint8_t* layer;
    uint16_t* material;
    uint32_t (*joint)[4];
    double (*weight)[4];
    uint32_t* links;
    double* limit;
    double* volume_weight;
    uint32_t* d_skin;
    uint32_t (*region)[8];
    double bind[BODY_JOINTS][16];
} test_body;

const char* body_name(body_kind kind);
// region_width 3 or 2; neighbours 6, 14, 18, 20 or 26.
test_body* body_make(body_kind kind, uint32_t region_width, uint32_t neighbours);
void body_free(test_body* b);
// The voxel at a cell, or ORACLE_NO_VOXEL.
uint32_t body_voxel_at(const test_body* b, int x, int y, int z);

typedef struct body_pose {
    oracle_trs joints[BODY_JOINTS];
    oracle_vec root_position; // metres
    oracle_quat root_rotation;
    double root_scale;
} body_pose;

// The bind pose at the origin.
body_pose body_rest_pose(const test_body* b);
// Joint 1 turned about its own place by a rotation vector in model space.
void body_bend(body_pose* pose, oracle_vec turn);
// Valid as long as the body_pose is.
oracle_pose body_oracle_pose(const body_pose* pose);

#endif
