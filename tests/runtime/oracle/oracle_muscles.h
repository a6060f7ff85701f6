// SPDX-License-Identifier: MIT
// The muscles of the runtime's oracle (MODEL 3.18, 3.19): what is cooked of them, their state, and
// what tests call. Included by oracle.h. Lengths in voxels; rest places in voxels from the grid's
// lowest corner, along the model's axes; state in world axes, relative to the root.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_MUSCLES_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_MUSCLES_H

#include "tests/runtime/oracle/oracle_math.h"

#define ORACLE_LINE_VERTICES 32
#define ORACLE_LINE_FIELDS   8
#define ORACLE_VOXEL_MUSCLES 4
#define ORACLE_NO_FLEX       UINT32_MAX

struct oracle;

// A vertex of an action line at rest, and the segment from it to the next vertex.
typedef struct oracle_line_vertex {
    oracle_vec place;   // x0
    oracle_vec tangent; // t0
    oracle_vec balance; // f0 without the factor (2 pi 12 Hz h)^2
    oracle_vec outward; // n0; 0: it has none
    double radius;      // r
    double arc;         // u: arc length from the first vertex
    double flex;        // phi
    bool is_dynamic;
    uint32_t joint[4];
    double weight[4]; // where it is 0 the joint is not read
    // What belongs to the segment after it; not read at the last vertex.
    double ratio;  // r_s mean(l0)/l0_s
    double length; // l0
    double slack;  // l
    bool is_belly;
} oracle_line_vertex;

// An ellipsoid that moves with a joint.
typedef struct oracle_line_field {
    uint32_t joint;
    oracle_vec centre;  // c0
    oracle_vec inverse; // 1/radii, along the model's axes
    oracle_vec first;   // the lane axis, whose radius stands in where nothing else has a direction
    double gain;        // k
    double reach;       // of one that attracts; 0: it repels
} oracle_line_field;

typedef struct oracle_muscle_rest {
    uint32_t vertex_count, field_count;
    oracle_line_vertex vertices[ORACLE_LINE_VERTICES];
    oracle_line_field fields[ORACLE_LINE_FIELDS];
    double bulge;
    double radius;             // largest r
    uint32_t flex_joint;       // ORACLE_NO_FLEX: tension follows no angle
    double flex_from, flex_to; // degrees
} oracle_muscle_rest;

// What a voxel has of one muscle (RULES 9.14).
typedef struct oracle_belly {
    uint32_t muscle;
    oracle_vec d; // along the model's axes
    double a;
    uint32_t count; // of the vertices that it is near, at most 4
    uint32_t vertex[4];
    double curve[4], linear[4]; // weights for B, for c
} oracle_belly;

typedef struct oracle_voxel_bellies {
    uint32_t count;
    oracle_belly of[ORACLE_VOXEL_MUSCLES];
} oracle_voxel_bellies;

// A muscle as the last substep left it.
typedef struct oracle_muscle {
    double set_tension; // that the engine set
    double tension;     // that counted in the last substep
    oracle_vec x[ORACLE_LINE_VERTICES], v[ORACLE_LINE_VERTICES];
    oracle_vec b[ORACLE_LINE_VERTICES];
    oracle_quat Rb[ORACLE_LINE_VERTICES];
    double B[ORACLE_LINE_VERTICES], R[ORACLE_LINE_VERTICES];
    oracle_vec c[ORACLE_LINE_VERTICES];
    double e[ORACLE_LINE_VERTICES]; // elongation, within its bounds
} oracle_muscle;

// Length of a muscle's belly over that at rest.
double oracle_elongation(const struct oracle* o, uint32_t muscle);

#endif
