// SPDX-License-Identifier: MIT
// Oracle: what touches and moves a body from outside. Shapes and contact (MODEL 3.15), own limbs
// (MODEL 3.16), forces (MODEL 3.17) and the filter of poses (MODEL 4.10). oracle.h includes this.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_CONTACT_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_CONTACT_H

#include "tests/runtime/oracle/oracle_math.h"

#define ORACLE_COLLIDERS_MAX 64
#define ORACLE_LIMBS_MAX     32
#define ORACLE_SHAPES_MAX    (ORACLE_LIMBS_MAX + ORACLE_COLLIDERS_MAX)
#define ORACLE_DRAGS_MAX     8
#define ORACLE_NO_PARENT     UINT32_MAX

typedef struct oracle oracle;

// Shapes

typedef enum oracle_shape_kind {
    ORACLE_SHAPE_CAPSULE, // with two radii; a sphere if both ends are one point
    ORACLE_SHAPE_PLANE,   // solid below
    ORACLE_SHAPE_BOX
} oracle_shape_kind;

// A shape at one moment, in simulation space.
typedef struct oracle_shape {
    oracle_shape_kind kind;
    oracle_vec centre; // what the rotation turns about: a collider's position, a limb's first end
    oracle_quat rotation;
    oracle_vec ends[2]; // capsule
    double radii[2];
    oracle_vec across;       // capsule, own axes: n where a voxel lies on its axis
    oracle_vec normal;       // plane
    oracle_vec half_extents; // box, without its rounding
    double rounding;
} oracle_shape;

// Where a point is relative to a shape: its distance from the surface, negative inside, and the
// direction that leads out.
typedef struct oracle_nearness {
    double distance;
    oracle_vec n;
} oracle_nearness;

oracle_nearness oracle_nearness_of(const oracle_shape* shape, oracle_vec x);
// C(s), between C(0) and C(1).
oracle_shape oracle_shape_between(const oracle_shape* from, const oracle_shape* to, double s);

// What is cooked of a limb: a capsule that moves with a joint. Lengths in voxels, ends from the
// grid's lowest corner along the model's axes.
typedef struct oracle_limb_rest {
    uint32_t joint;
    double ends[2][3];
    double radii[2];
} oracle_limb_rest;

// Lengths in metres, along the collider's own axes.
typedef struct oracle_collider_def {
    oracle_shape_kind kind;
    double ends[2][3];
    double radii[2];
    double half_extents[3];
    double rounding;
    double friction;
    uint32_t mask;
} oracle_collider_def;

// A sphere at its position of no size that touches every character, with friction 0.5.
oracle_collider_def oracle_default_collider(void);

typedef struct oracle_place {
    double position[3]; // world, metres
    oracle_quat rotation;
} oracle_place;

typedef struct oracle_collider {
    bool is_there;
    oracle_collider_def def;
    oracle_place last, now; // at the last call and at this one
    oracle_place before;    // at the character's last substep
} oracle_collider;

// A limb or a collider in this substep, with C(0) and C(1).
typedef struct oracle_sweep {
    oracle_shape from, to;
    double friction;
    bool is_limb;
    uint32_t index; // of the limb or the collider
} oracle_sweep;

// What contact left at a voxel in the last ordinary substep.
typedef struct oracle_touch {
    bool is_touched;  // some shape had d > 0
    oracle_vec n;     // n', 0 if the sum of d n has no length
    double most;      // the bound of v.n', voxels/s; infinite without one
    bool is_at_limit; // the cap of 1.5 d_max shortened it
} oracle_touch;

// The voxel that a shape pushed deepest in the substeps of the last call that had any.
typedef struct oracle_deepest {
    bool is_touched;
    uint32_t voxel;
    double depth;       // n.(q - p_skin) after the push by this shape, voxels
    oracle_vec n;       //
    double speed;       // n.(u/h - v), v of predict
    double position[3]; // of q in the world, metres
} oracle_deepest;

// Where it is from now on, without a sweep. Rotations are normalised.
void oracle_set_collider(oracle* o, uint32_t collider, const oracle_collider_def* def,
                         const oracle_place* at);
void oracle_remove_collider(oracle* o, uint32_t collider);
// Where it is at the end of the next call.
void oracle_move_collider(oracle* o, uint32_t collider, const oracle_place* to);
void oracle_teleport_collider(oracle* o, uint32_t collider, const oracle_place* to);

// A collider as a shape, relative to a root of this position and scale.
oracle_shape oracle_place_collider(const oracle* o, const oracle_collider_def* def,
                                   const oracle_place* at, const double root_position[3],
                                   double root_scale);
// e of a voxel and a collider, or a limb, where both were at the last substep: above 0 inside.
double oracle_collider_depth(const oracle* o, uint32_t collider, uint32_t voxel);
double oracle_limb_depth(const oracle* o, uint32_t limb, uint32_t voxel);
// The largest e of any soft voxel below its cap of 1.5 d_max, over all colliders and limbs that may
// touch it; minus infinity if nothing may.
double oracle_deepest_inside(const oracle* o, uint32_t* voxel);

// Forces

typedef struct oracle_drag {
    bool is_on;
    uint32_t voxel;   // the pick
    double target[3]; // world, metres
    double hz;
    double* weight; // w, per voxel
} oracle_drag;

// radius: metres in the world, along links, at the scale of the pose that was set last.
void oracle_set_drag(oracle* o, uint32_t drag, uint32_t voxel, const double target[3],
                     double radius, double hz);
void oracle_end_drag(oracle* o, uint32_t drag);
// The shortest way over links from a voxel to every other, in voxels at rest; infinite where there
// is none. Steps count 1, sqrt 2 or sqrt 3.
void oracle_ways_from(const oracle* o, uint32_t voxel, double* ways);

// World, metres and seconds.
void oracle_push(oracle* o, const double centre[3], double radius, oracle_vec velocity,
                 double outward);
// The soft voxel that a ray meets first, or ORACLE_NO_VOXEL; `distance` receives the way in metres
// unless it is null.
uint32_t oracle_pick(const oracle* o, const double origin[3], oracle_vec direction,
                     double* distance);

// The filter of poses

typedef struct oracle_filter_def {
    double cutoff, per_speed, per_turn; // Hz, Hz per m/s, Hz per rad/s
} oracle_filter_def;

// A joint as the filter keeps it, relative to its parent.
typedef struct oracle_filter_joint {
    oracle_vec t, w; // metres, m/s
    oracle_quat r;
    oracle_vec turn; // w', rad/s
} oracle_filter_joint;

typedef struct oracle_filter {
    bool is_on;
    oracle_filter_def def;
    oracle_filter_joint* joints;
} oracle_filter;

// Null switches it off. One that was off starts on the pose that was set last.
void oracle_set_filter(oracle* o, const oracle_filter_def* def);

#endif
