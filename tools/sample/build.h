// SPDX-License-Identifier: MIT
// Private to tools/sample and its tests: the data that the stages pass on.
//
//     shape.c  ->  polygonise.c  ->  rig.c              ->  clips.c  ->  glb.c
//     shape        mesh              bind pose, weights     clips        bytes
#ifndef TLW_TOOLS_SAMPLE_BUILD_H
#define TLW_TOOLS_SAMPLE_BUILD_H

#include "platform/result.h"
#include "tools/sample/sample.h"
#include "tools/sample/vector.h"

// name, parent. Parents come before their children; the root is its own parent. Left is +x.
#define TLW_SAMPLE_JOINTS(X) \
    X(root, root)            \
    X(hips, root)            \
    X(spine, hips)           \
    X(chest, spine)          \
    X(head, chest)           \
    X(ear_l, head)           \
    X(ear_tip_l, ear_l)      \
    X(ear_r, head)           \
    X(ear_tip_r, ear_r)      \
    X(arm_l, chest)          \
    X(forearm_l, arm_l)      \
    X(arm_r, chest)          \
    X(forearm_r, arm_r)      \
    X(leg_l, hips)           \
    X(shin_l, leg_l)         \
    X(foot_l, shin_l)        \
    X(leg_r, hips)           \
    X(shin_r, leg_r)         \
    X(foot_r, shin_r)

typedef enum sample_joint {
#define JOINT_ENUM(name, parent) JOINT_##name,
    TLW_SAMPLE_JOINTS(JOINT_ENUM)
#undef JOINT_ENUM
        JOINT_COUNT
} sample_joint;

extern const char* const tlw_sample_joint_names[JOINT_COUNT];
extern const sample_joint tlw_sample_joint_parents[JOINT_COUNT];

// The part that a primitive belongs to. Skin weights never reach from one limb into another.
typedef enum sample_part {
    PART_TORSO,
    PART_HEAD,
    PART_EAR_L,
    PART_EAR_R,
    PART_ARM_L,
    PART_ARM_R,
    PART_LEG_L,
    PART_LEG_R,
    PART_COUNT
} sample_part;

// A round cone from a to b, or, where has_radii, an ellipsoid about a.
typedef struct sample_primitive {
    sample_part part;
    bool has_radii;
    vec3 a, b, radii;
    double radius_a, radius_b;
    double flatness; // cone: how much thinner it is along z
    double blend;    // width of the fillet to the primitives before this one
    // Derived from the above once, because the field is evaluated millions of times.
    vec3 centre;   // of a ball that contains the primitive
    double reach;  // the ball's radius
    double aspect; // longest to shortest radius of an ellipsoid; 1 for a cone
    vec3 axis;     // cone: unit vector, in the space where z is scaled by `flatness`
    double length; // cone: length in that space
    double slope;  // cone: how much the radius shrinks per unit of length
    double lean;   // slope / sqrt(1 - slope^2)
} sample_primitive;

#define SAMPLE_PRIMITIVES_MAX 64

// A sample's skeleton and implicit surface, and the figures that its clips need. In metres.
typedef struct sample_shape {
    tlw_sample_variant variant;
    double unit;         // length of the unit in which the variant's proportions are given
    double extent;       // the longer of width and height
    uint32_t resolution; // default resolution of the polygonisation
    vec3 joints[JOINT_COUNT];
    vec3 ends[JOINT_COUNT];      // end of the bone that starts at the joint
    vec3 eye, nose, belly, tail; // for the colours
    double eye_radius, nose_radius, belly_radius, tail_radius;
    uint32_t primitive_count;
    sample_primitive primitives[SAMPLE_PRIMITIVES_MAX];
    // For the clips.
    double stride, step_height, crouch, leap;
    double arm_drop;   // degrees by which relaxed arms hang below the bind pose
    double arm_swing;  // degrees
    double leg_spread; // how far the ankles move inwards when standing
} sample_shape;

void tlw_sample_make_shape(tlw_sample_variant variant, sample_shape* shape);
// The implicit surface: 0 on it, negative inside, near the surface a distance in metres.
double tlw_sample_field(const sample_shape* shape, vec3 p);
// Distance to the nearest primitive of a part, negative inside.
double tlw_sample_part_distance(const sample_shape* shape, sample_part part, vec3 p);
// Grows the box so that it contains the primitive.
void tlw_sample_primitive_bounds(const sample_primitive* primitive, vec3* low, vec3* high);
// The box around all primitives.
void tlw_sample_bounds(const sample_shape* shape, vec3* low, vec3* high);
// Linear RGB of a surface point.
vec3 tlw_sample_colour(const sample_shape* shape, vec3 p, vec3 normal);

typedef struct sample_mesh {
    uint32_t vertex_count, triangle_count;
    float* positions;  // 3 per vertex, multiples of 2^-16 m
    float* normals;    // 3 per vertex
    float* uvs;        // 2 per vertex
    uint8_t* colours;  // 4 per vertex
    uint8_t* joints;   // 4 per vertex
    float* weights;    // 4 per vertex, multiples of 2^-16 that sum to exactly 1, largest first
    uint32_t* indices; // 3 per triangle
} sample_mesh;

tlw_result tlw_sample_polygonise(const sample_shape* shape, uint32_t resolution, sample_mesh* mesh);
void tlw_sample_free_mesh(sample_mesh* mesh);

typedef struct sample_rig {
    quat bind[JOINT_COUNT];           // to model space; y points along the bone
    quat local_rotation[JOINT_COUNT]; // to the parent
    vec3 local_translation[JOINT_COUNT];
} sample_rig;

void tlw_sample_make_rig(const sample_shape* shape, sample_rig* rig);
tlw_result tlw_sample_make_weights(const sample_shape* shape, sample_mesh* mesh);

#define TLW_SAMPLE_CLIPS(X) X(idle) X(walk) X(dance) X(jump_and_land) X(sudden_stop) X(flex)

typedef enum sample_clip_id {
#define CLIP_ENUM(name) CLIP_##name,
    TLW_SAMPLE_CLIPS(CLIP_ENUM)
#undef CLIP_ENUM
        CLIP_COUNT
} sample_clip_id;

extern const char* const tlw_sample_clip_names[CLIP_COUNT];
// How many of the clips a variant's file has: all, or all but the last, flex.
int tlw_sample_clip_count(tlw_sample_variant variant);

typedef enum sample_interpolation { LERP_STEP, LERP_LINEAR, LERP_CUBIC } sample_interpolation;

typedef struct sample_track {
    sample_joint joint;
    bool is_rotation; // false: a translation
    sample_interpolation interpolation;
    uint32_t key_count;
    uint32_t first_time, first_value; // indices into the clip's arrays
} sample_track;

#define SAMPLE_KEYS_MAX   136
#define SAMPLE_TRACKS_MAX 24

typedef struct sample_clip {
    uint32_t track_count;
    sample_track tracks[SAMPLE_TRACKS_MAX];
    uint32_t time_count, value_count;
    float times[SAMPLE_KEYS_MAX + 64];
    float values[SAMPLE_TRACKS_MAX * SAMPLE_KEYS_MAX * 4];
} sample_clip;

void tlw_sample_make_clip(const sample_shape* shape, const sample_rig* rig, sample_clip_id id,
                          sample_clip* clip);

tlw_result tlw_sample_write_glb(const tlw_sample_def* def, const sample_shape* shape,
                                const sample_mesh* mesh, const sample_rig* rig,
                                const sample_clip* clips, uint8_t** bytes, size_t* size);

#endif
