// SPDX-License-Identifier: MIT
// A character on the runtime and, where a test asks for it, the same character on the oracle; both
// get the same poses and the same time. The runtime steps a blob that the cooking library made, the
// oracle an input that the cooking oracle made; all that they share is the mesh, the recipe, and
// muscles, bellies and Lame materials, which the oracle reads from the blob.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_ORACLE_PAIR_H
#define TLW_TESTS_RUNTIME_SUPPORT_ORACLE_PAIR_H

#include "runtime/blob.h"
#include "runtime/tallow.h"
#include "tests/helpers.h"
#include "tests/runtime/oracle/oracle.h"
#include "tools/cook/cook.h"

#define PAIR_SUBSTEP       (1.0 / 60.0)
#define PAIR_JOINTS_MAX    40
#define PAIR_MATERIALS_MAX 256 // parts times layers

// Sanitizers make the wide floats of a debug build very slow: tests then run fewer frames and
// shapes.
#define PAIR_IS_SLOW TLW_UNDER_SANITIZER

typedef struct oracle_pair_def {
    tlw_preset preset;
    tlw_pose_kind pose_kind;
    bool has_oracle;
    bool is_limit_off;
    tlw_settings settings; // the defaults if rotation_iterations is 0; volume where there are bends
    double substep_seconds; // the default if 0
    // For oracle_pair_contact.h.
    uint32_t collider_capacity, contact_capacity, drag_capacity;
    bool has_pose_filter;
} oracle_pair_def;

typedef struct oracle_pair {
    tlw_cook_output cooked;
    tlw_blob blob;
    tlw_blob_info info;
    const tlw_blob_lattice* lattice;
    const tlw_blob_cell* cells; // [voxel]
    const uint8_t* slot_layer;
    const uint32_t* voxel_slot;
    uint32_t lane_axis;

    tlw_world* world;
    tlw_character_id id;
    tlw_pose_kind pose_kind;
    void *world_memory, *memory;
    tlw_voxel_state* state; // [voxel], as pair_read last saw it

    oracle* o; // null if the runtime runs alone
    struct cooked_input* cooked_input;
    struct blob_muscles* muscles; // what the blob has of them and of Lame layers
    uint32_t* oracle_voxel;       // [voxel]
    uint16_t* second;             // the oracle's, by its voxels, as the two after it
    double *second_share, *stiffness;
    double ks[PAIR_MATERIALS_MAX], kd[PAIR_MATERIALS_MAX], anchors[PAIR_MATERIALS_MAX],
        limit_scales[PAIR_MATERIALS_MAX]; // the oracle's, ordered by part, then by layer

    // The pose of the next step: joint to model space, and the root.
    uint32_t joint_count;
    uint32_t parent[PAIR_JOINTS_MAX];
    double bind[PAIR_JOINTS_MAX][16];
    float joints[PAIR_JOINTS_MAX][16];
    tlw_root root;
    double substep_seconds;
    tlw_collider_id colliders[ORACLE_COLLIDERS_MAX]; // by the oracle's index
} oracle_pair;

// Starts in the bind pose at the origin. Fails the running test if anything does not work.
oracle_pair* pair_make(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                       const oracle_pair_def* def);
void pair_free(oracle_pair* pair);

// Poses. A joint rotates about its own position and takes its children along.
void pair_rest_pose(oracle_pair* pair); // the root too
void pair_rotate_joints(oracle_pair* pair, const oracle_vec* rotations, const double* scales);
void pair_move_root(oracle_pair* pair, oracle_vec voxels);
void pair_rotate_root(oracle_pair* pair, oracle_quat rotation);
// The pose of a lively motion that starts at rest: it sways, rotates, bends and twists. A `size` of
// 1 suits a character of 20 voxels.
void pair_dance(oracle_pair* pair, double seconds, double size);

// Gives the pose to both and steps both. Fails the test if the flags that both have differ.
tlw_step_flags pair_step(oracle_pair* pair, double dt, bool is_jump);
// Puts both at rest on the pose, as after a reset.
void pair_settle(oracle_pair* pair);
void pair_teleport(oracle_pair* pair, oracle_vec metres, oracle_quat rotation);
// Adds to the position of a voxel, in voxels.
void pair_push(oracle_pair* pair, uint32_t voxel, oracle_vec off);
// Sets it in both; TLW_ALL for all parts or layers.
void pair_set_material(oracle_pair* pair, uint32_t part, uint32_t layer,
                       const tlw_material* material);
// Sets all of them in both.
void pair_set_settings(oracle_pair* pair, const tlw_settings* settings);
// Gravity alone, in m/s^2, in both.
void pair_set_gravity(oracle_pair* pair, float x, float y, float z);
// How hard a muscle is flexed (MODEL 3.18).
void pair_set_tension(oracle_pair* pair, uint32_t muscle, double tension);
// Numbers of Lame layers (MODEL 3.20); TLW_ALL for all parts or layers that are lame.
void pair_set_lame(oracle_pair* pair, uint32_t part, uint32_t layer, const tlw_lame* lame);
// Turns the correction of p_skin off or on in both (MODEL 3.12).
void pair_set_skinned_volume(oracle_pair* pair, bool is_on);
// Leads both to a profile of the blob (MODEL 3.14); 0 is what was cooked outside profiles.
void pair_fade_to(oracle_pair* pair, uint32_t profile, double seconds);
void pair_read(oracle_pair* pair);

oracle_vec pair_p(const oracle_pair* pair, uint32_t voxel); // after pair_read, as those below
oracle_vec pair_deviation(const oracle_pair* pair, uint32_t voxel);    // p - p_skin
double pair_rotation_degrees(const oracle_pair* pair, uint32_t voxel); // R against Rb, degrees
uint32_t pair_layer(const oracle_pair* pair, uint32_t voxel);
uint32_t pair_part(const oracle_pair* pair, uint32_t voxel); // as the oracle has it

typedef struct oracle_pair_gap {
    double p, skin;    // voxels
    double velocity;   // times h: voxels
    double rotation;   // radians
    uint32_t voxel;    // where p is furthest apart
    double line;       // vertices of action lines, voxels
    double elongation; // of bellies
    double tension;
} oracle_pair_gap;

// Runtime against oracle: the largest difference over all voxels and muscles. Calls pair_read, and
// so do the next two.
oracle_pair_gap pair_compare(oracle_pair* pair);
double pair_largest_deviation(oracle_pair* pair);
double pair_largest_rotation(oracle_pair* pair);

#endif
