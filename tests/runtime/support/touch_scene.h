// SPDX-License-Identifier: MIT
// A character and colliders, for tests of contact and forces: poses of joints and colliders go in,
// and what a test asserts comes out in voxels. How deep tissue is inside of a collider is measured
// here, in double precision, not by the runtime.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_TOUCH_SCENE_H
#define TLW_TESTS_RUNTIME_SUPPORT_TOUCH_SCENE_H

#include "tests/runtime/support/sample_characters.h"

#define TOUCH_SUBSTEP       (1.0 / 60.0)
#define TOUCH_COLLIDERS_MAX 12

typedef struct touch_vec {
    double x, y, z;
} touch_vec;

typedef struct touch_def {
    const tlw_blob* blob; // with at most SAMPLE_JOINTS_MAX joints
    tlw_preset preset;
    double substep_seconds; // 0: 1/60 s
    double root_scale;      // 0: 1
    bool may_sleep;         // false: kept awake, so that a voxel's speed can be read at any time
    bool wants_positions;   // of vertices
    bool has_pose_filter;
} touch_def;

// Lengths are in voxels, also those of shapes and places.
typedef struct touch_shape {
    tlw_collider_kind kind;
    touch_vec ends[2]; // capsule
    double radii[2];
    touch_vec half_extents; // box
    double rounding;
    double friction;
} touch_shape;

typedef struct touch_collider {
    tlw_collider_id id;
    touch_shape shape;
    touch_vec at;
    double rotation[4];
} touch_collider;

typedef struct touch_scene {
    tlw_blob blob;
    tlw_blob_info info;
    tlw_world* world;
    tlw_character_id id;
    void *world_memory, *memory;
    double metres; // of a voxel, with the root's scale
    bool may_sleep;
    uint32_t voxel_count;
    bool* is_bone;          // [voxel]
    double* limit;          // [voxel], d_max as it was cooked
    tlw_voxel_state* state; // [voxel], after the last step
    touch_vec* last;        // [voxel], place in the world before the last step
    float* positions;       // [vertex][3], model space, metres
    float* deltas;          // [vertex][3], what tissue adds to skinning
    sample_joints joints;   // of the next step, as matrices
    tlw_root root;          // of the next step
    double root_at_step[3]; // of the last step
    touch_collider colliders[TOUCH_COLLIDERS_MAX];
    uint32_t collider_count;
} touch_scene;

// In the bind pose, at rest. Fails the running test if anything does not work.
touch_scene touch_make(const touch_def* def);
void touch_free(touch_scene* scene);

touch_shape touch_sphere(double radius);
touch_shape touch_capsule_x(double radius, double half_length); // along x
touch_shape touch_plane(void);
touch_shape touch_box(double half_extent, double rounding);

uint32_t touch_add(touch_scene* scene, const touch_shape* shape, touch_vec at);
// Plane or box: rotated by an angle in radians about an axis.
uint32_t touch_add_turned(touch_scene* scene, const touch_shape* shape, touch_vec at,
                          touch_vec axis, double angle);
void touch_remove(touch_scene* scene, uint32_t collider);
void touch_move(touch_scene* scene, uint32_t collider, touch_vec at);
void touch_turn(touch_scene* scene, uint32_t collider, touch_vec axis, double angle);
void touch_teleport(touch_scene* scene, uint32_t collider, touch_vec at);
// Teleports it with a rotation.
void touch_place_turned(touch_scene* scene, uint32_t collider, touch_vec at, touch_vec axis,
                        double angle);

void touch_move_root(touch_scene* scene, touch_vec at);
// A joint by its name, rotated about its own place, in model space, with what is below it.
void touch_bend(touch_scene* scene, const char* joint, touch_vec axis, double angle);
void touch_rest_pose(touch_scene* scene);
void touch_settings(touch_scene* scene, const tlw_settings* settings);
tlw_settings touch_get_settings(const touch_scene* scene);

// Steps and reads the state.
tlw_step_flags touch_step(touch_scene* scene, double dt);
// Steps of 1/60 s; the state is read after the last one.
void touch_run(touch_scene* scene, int frames);
void touch_read(touch_scene* scene);
uint64_t touch_hash(const touch_scene* scene);

// What follows is about the state as it was read last. Speeds are right where the pose is held.
touch_vec touch_place(const touch_scene* scene, uint32_t voxel); // in the world, voxels
touch_vec touch_deviation(const touch_scene* scene, uint32_t voxel);
// The soft voxel that is furthest along a direction in the pose.
uint32_t touch_furthest(const touch_scene* scene, touch_vec direction);
// How deep a place is inside of a collider where it was set last; negative: outside.
double touch_depth_at(const touch_scene* scene, uint32_t collider, touch_vec place);
// How deep soft voxels are inside of any collider, their own radius of 0.25 counted. Voxels at
// their cap of 1.5 d_max do not count, because it forbids to push them on.
double touch_inside(const touch_scene* scene);
// The same for the character's own limbs and the voxels that each may touch. `by_skin`: where
// skinning alone puts them.
double touch_inside_limbs(const touch_scene* scene, bool by_skin);
double touch_largest_speed(const touch_scene* scene);     // |v|, voxels per second
double touch_largest_step(const touch_scene* scene);      // of p, against the last step
double touch_largest_deviation(const touch_scene* scene); // |p - p_skin|
double touch_largest_of_limit(const touch_scene* scene);  // |p - p_skin|/d_max
bool touch_is_finite(const touch_scene* scene);

double touch_length(touch_vec a);
touch_vec touch_add3(touch_vec a, touch_vec b);
touch_vec touch_sub3(touch_vec a, touch_vec b);
touch_vec touch_times(touch_vec a, double s);
double touch_dot(touch_vec a, touch_vec b);

#endif
