// SPDX-License-Identifier: MIT
// Private to tools/sample: what the stages hand to each other. body (shape.c) -> mesh
// (polygonise.c)
// -> weights and bind pose (rig.c) -> clips (clips.c) -> bytes (glb.c).
#ifndef TLW_TOOLS_SAMPLE_BUILD_H
#define TLW_TOOLS_SAMPLE_BUILD_H

#include "platform/result.h"
#include "tools/sample/sample.h"
#include "tools/sample/vector.h"

// name, parent. Parents stand before children; the root is its own parent. Left is +x.
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

// What a primitive belongs to. Skin weights never reach from one limb into another.
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
    double flatness; // of a round cone: how much thinner it is along z
    double blend;    // width of the fillet to what stands before it
    // Derived: what evaluating it again and again would compute again and again.
    vec3 centre; // of a ball that holds it
    double reach;
    double aspect;        // of an ellipsoid, longest to shortest; 1 of a cone
    vec3 axis;            // of a cone, unit, in the space that undoes its flatness
    double length, slope; // its length there; how fast its radius shrinks
    double lean;          // slope / sqrt(1 - slope^2)
} sample_primitive;

#define SAMPLE_PRIMITIVES_MAX 48

// Metres throughout.
typedef struct sample_body {
    tlw_sample_variant variant;
    double unit; // the length that the variant's proportions are given in
    double extent;
    uint32_t resolution; // of the polygonisation
    vec3 joints[JOINT_COUNT];
    vec3 ends[JOINT_COUNT];      // where a joint's bone points to
    vec3 eye, nose, belly, tail; // for the colours
    double eye_radius, nose_radius, belly_radius, tail_radius;
    uint32_t primitive_count;
    sample_primitive primitives[SAMPLE_PRIMITIVES_MAX];
    // For the clips.
    double stride, step_height, crouch, leap;
    double arm_drop;   // degrees that arms come down from the bind pose when at ease
    double arm_swing;  // degrees
    double leg_spread; // how far the ankles come inwards when standing
} sample_body;

void tlw_sample_make_body(tlw_sample_variant variant, sample_body* body);
double tlw_sample_field(const sample_body* body, vec3 p);
double tlw_sample_part_distance(const sample_body* body, sample_part part, vec3 p);
// Widens a box to hold a primitive.
void tlw_sample_primitive_bounds(const sample_primitive* primitive, vec3* low, vec3* high);
// The box that holds all primitives.
void tlw_sample_bounds(const sample_body* body, vec3* low, vec3* high);
// Linear RGB of a surface point.
vec3 tlw_sample_colour(const sample_body* body, vec3 p, vec3 normal);

typedef struct sample_mesh {
    uint32_t vertex_count, triangle_count;
    float* positions; // 3 a vertex, multiples of 2^-16 m
    float* normals;   // 3
    float* uvs;       // 2
    uint8_t* colours; // 4
    uint8_t* joints;  // 4
    float* weights;   // 4, multiples of 2^-16 with a sum of exactly 1, largest first
    uint32_t* indices;
} sample_mesh;

tlw_result tlw_sample_polygonise(const sample_body* body, uint32_t resolution, sample_mesh* mesh);
void tlw_sample_free_mesh(sample_mesh* mesh);

typedef struct sample_rig {
    quat bind[JOINT_COUNT]; // model space; y points along the bone
    quat local_rotation[JOINT_COUNT];
    vec3 local_translation[JOINT_COUNT];
} sample_rig;

void tlw_sample_make_rig(const sample_body* body, sample_rig* rig);
tlw_result tlw_sample_make_weights(const sample_body* body, sample_mesh* mesh);

#define TLW_SAMPLE_CLIPS(X) X(idle) X(walk) X(dance) X(jump_and_land) X(sudden_stop)

typedef enum sample_clip_id {
#define CLIP_ENUM(name) CLIP_##name,
    TLW_SAMPLE_CLIPS(CLIP_ENUM)
#undef CLIP_ENUM
        CLIP_COUNT
} sample_clip_id;

extern const char* const tlw_sample_clip_names[CLIP_COUNT];

typedef enum sample_interpolation { LERP_STEP, LERP_LINEAR, LERP_CUBIC } sample_interpolation;

typedef struct sample_track {
    sample_joint joint;
    bool is_rotation; // else translation
    sample_interpolation interpolation;
    uint32_t key_count;
    uint32_t first_time, first_value; // into the clip's arrays
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

void tlw_sample_make_clip(const sample_body* body, const sample_rig* rig, sample_clip_id id,
                          sample_clip* clip);

tlw_result tlw_sample_write_glb(const tlw_sample_def* def, const sample_body* body,
                                const sample_mesh* mesh, const sample_rig* rig,
                                const sample_clip* clips, uint8_t** bytes, size_t* size);

#endif
