// SPDX-License-Identifier: MIT
// Tallow's runtime: the one header that an engine includes.
//
//     blob --tlw_blob_open--> tissue --tlw_character_create--> character --tlw_world_step-->
//     output
//
// Nothing here allocates, starts a thread, reads a clock that you did not give or keeps a global:
// ask for bytes, give memory, create in it. Functions that return a result never assert on ids,
// counts or sizes; asserts are for null pointers and for calls during a step. A world is used from
// one thread at a time; the tasks that it asks for run wherever your task system runs them.
//
// Units: metres, seconds, radians; quaternions are x, y, z, w; matrices are column-major 4x4.
// Model space is the space of the bind pose; the root places it in the world.
#ifndef TLW_RUNTIME_TALLOW_H
#define TLW_RUNTIME_TALLOW_H

#include "platform/base.h"
#include "platform/handlers.h"
#include "platform/isa.h"
#include "platform/result.h"
#include "platform/task.h"
#include "runtime/blob.h"
#include "runtime/passes.h"
#include "runtime/presets.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_version {
    uint32_t major, minor, patch;
} tlw_version;

// The version of the library that was linked.
tlw_version tlw_get_version(void);

// Alignment of every block of memory that is given to Tallow, and of blobs.
#define TLW_MEMORY_ALIGNMENT 64

// ---- Tissue
// --------------------------------------------------------------------------------------

// A blob that was validated, used where it lies: it must stay there, unchanged, as long as any
// character of it lives. A plain value; only tlw_blob_open makes a good one.
typedef struct tlw_blob {
    const void* bytes;
    size_t size;
    uint64_t cookie;
} tlw_blob;

// Validates (tlw_blob_validate) and opens without copying. `report` may be null.
tlw_result tlw_blob_open(const void* bytes, size_t size, tlw_blob_trust trust, tlw_blob* out,
                         tlw_blob_report* report);

typedef struct tlw_blob_info {
    uint32_t voxel_count, vertex_count, joint_count, layer_count, part_count, mesh_count;
    uint32_t region_width, neighbours;
    bool has_artist_weights;
    double voxel_metres, extent_voxels;
    double origin[3];
    size_t scratch_bytes; // what a worker needs to step a character of it
    float cost;           // the scheduler's measure of one substep
} tlw_blob_info;

tlw_result tlw_blob_get_info(const tlw_blob* blob, tlw_blob_info* out);
// Names live in the blob. "" for an index out of range.
const char* tlw_blob_joint_name(const tlw_blob* blob, uint32_t joint);
const char* tlw_blob_layer_name(const tlw_blob* blob, uint32_t layer);

// ---- Worlds
// --------------------------------------------------------------------------------------

// Nanoseconds from anywhere, never going back. Called from tasks too.
typedef uint64_t tlw_clock(void* user);

typedef struct tlw_world_def {
    uint32_t cookie;
    uint32_t character_capacity; // 64
    // A worker: the largest tlw_blob_info.scratch_bytes of what will live here.
    size_t scratch_bytes;
    tlw_task_system tasks; // tlw_serial_task_system()
    tlw_isa isa;           // tlw_isa_best()
    tlw_clock* clock;      // null: no times are measured, reports show 0
    void* clock_user;
    double budget_ms; // a frame, for the reports; 2
    // 1/60; from 1/480 to 1/30. A call makes as many as there are in 1/15 s, rounded, or 4 if that
    // is more; time beyond is dropped.
    double substep_seconds;
    // Characters dearer than this (tlw_blob_info.cost) may be split among workers, whose tasks
    // then wait for each other between passes, spinning: better not with more workers than cores.
    // 0: the world decides by what there is to do; FLT_MAX: never. Results do not depend on it.
    float split_cost;
} tlw_world_def;

tlw_world_def tlw_default_world_def(void);

typedef struct tlw_world tlw_world;

// Exactly what tlw_world_create uses, tables and scratch of every worker.
tlw_result tlw_world_bytes(const tlw_world_def* def, size_t* bytes);
// TLW_ERROR_BAD_DEF, _BAD_ARGUMENT, _UNSUPPORTED (the instruction set), _MISALIGNED (memory is not
// on TLW_MEMORY_ALIGNMENT), _OUT_OF_MEMORY (one byte less than asked for).
tlw_result tlw_world_create(const tlw_world_def* def, void* memory, size_t bytes, tlw_world** out);
// Forgets all characters. Memory of world and characters is the caller's again.
void tlw_world_destroy(tlw_world* world);

// ---- Characters
// ----------------------------------------------------------------------------------

// Zeroed: null. A stale id is caught by its generation: TLW_ERROR_STALE_ID.
typedef struct tlw_character_id {
    uint32_t index1;
    uint32_t generation;
} tlw_character_id;

typedef enum tlw_pose_kind {
    TLW_POSE_MATRICES,   // joint to model space: float[16] a joint
    TLW_POSE_TRANSFORMS, // the same as tlw_transform
    TLW_POSE_SKINNING    // joint to model space times inverse bind: float[16] a joint
} tlw_pose_kind;

typedef enum tlw_preset {
    TLW_PRESET_COOKED, // what the recipe said
#define TLW_PRESET_ENUM(enumerator, name, k0, k1, k2, d0, d1, d2, hz) TLW_PRESET_##enumerator,
    TLW_PRESET_TABLE(TLW_PRESET_ENUM)
#undef TLW_PRESET_ENUM
        TLW_PRESET_COUNT
} tlw_preset;

// "bloat-low"; null for a number outside the list.
const char* tlw_preset_name(tlw_preset preset);
bool tlw_preset_from_name(const char* name, tlw_preset* out);

typedef struct tlw_character_def {
    uint32_t cookie;
    tlw_blob blob;
    tlw_pose_kind pose_kind; // matrices
    tlw_preset preset;       // cooked
    // Of its profiler zones; not copied: a literal, or it outlives the character and the capture.
    const char* name;
    uint64_t user_data;
} tlw_character_def;

tlw_character_def tlw_default_character_def(void);

// Exactly what tlw_character_create uses.
tlw_result tlw_character_bytes(const tlw_character_def* def, size_t* bytes);
// Created in the bind pose at the world's origin, at rest, any time between steps. Beside the
// errors of a world: TLW_ERROR_CAPACITY when the world's table is full or its scratch too small for
// the asset.
tlw_result tlw_character_create(tlw_world* world, const tlw_character_def* def, void* memory,
                                size_t bytes, tlw_character_id* out);
tlw_result tlw_character_destroy(tlw_world* world, tlw_character_id id);
bool tlw_character_is_valid(const tlw_world* world, tlw_character_id id);
uint32_t tlw_world_character_count(const tlw_world* world);

// ---- Per frame
// -----------------------------------------------------------------------------------

typedef struct tlw_transform {
    float translation[3];
    float rotation[4]; // normalised for you
    float scale[3];
} tlw_transform;

typedef struct tlw_root {
    double position[3];
    float rotation[4];
    float scale; // uniform, above 0
} tlw_root;

typedef struct tlw_pose {
    const void* joints; // as the def's pose_kind says, in the blob's order of joints
    uint32_t joint_count;
    tlw_root root;
    bool is_jump; // a cut: do not interpolate from the last pose, carry the tissue over
} tlw_pose;

// Copies the pose for the next step. A 4x4 is taken apart into a rotation and what is left, the
// stretch in the rotated frame, so that shear and mirroring are kept exactly at both ends and
// interpolated linearly between them. Data that is not finite, a joint without volume or a root
// scale that is not above 0: TLW_ERROR_BAD_POSE, the last good pose stays and TLW_STEP_BAD_POSE is
// raised. Other errors: TLW_ERROR_STALE_ID, TLW_ERROR_BAD_ARGUMENT (joint_count).
tlw_result tlw_character_set_pose(tlw_world* world, tlw_character_id id, const tlw_pose* pose);

// What happened in a step: of one character, or of all of them together.
#define TLW_STEP_FLAG_TABLE(X)                                                                 \
    X(TLW_STEP_BAD_DT, 0, "dt was negative, NaN or infinite: nothing moved")                   \
    X(TLW_STEP_NO_TIME, 1, "dt was 0: only outputs were written")                              \
    X(TLW_STEP_DROPPED_TIME, 2, "more was due than a call makes up for: old time was dropped") \
    X(TLW_STEP_BAD_POSE, 3, "a pose was not usable: the last good one was kept")               \
    X(TLW_STEP_JUMPED, 4, "the pose jumped: tissue was carried over, not dragged")             \
    X(TLW_STEP_NOT_FINITE, 5, "state was not finite: the character was reset")                 \
    X(TLW_STEP_ASLEEP, 6, "nothing moved for a second: no substep was needed")

typedef enum tlw_step_flag {
#define TLW_STEP_FLAG_ENUM(name, bit, meaning) name = 1 << bit,
    TLW_STEP_FLAG_TABLE(TLW_STEP_FLAG_ENUM)
#undef TLW_STEP_FLAG_ENUM
} tlw_step_flag;
typedef uint32_t tlw_step_flags;

// Advances all characters by dt seconds and writes their outputs. dt of 0 writes outputs for the
// poses as they are.
tlw_step_flags tlw_world_step(tlw_world* world, double dt);
// The same in two halves: between them the engine does other work and calls nothing else of this
// world. Everything is handed to the tasks in the first half, split characters too; with tasks that
// run at once it is over by then.
void tlw_world_begin_step(tlw_world* world, double dt);
tlw_step_flags tlw_world_end_step(tlw_world* world);

// Flags of the character's last step.
tlw_result tlw_character_get_flags(const tlw_world* world, tlw_character_id id,
                                   tlw_step_flags* out);

// To the current pose at rest, as if it had always been there.
tlw_result tlw_character_reset(tlw_world* world, tlw_character_id id);
// Moves state, last pose and root rigidly to a new root position and rotation: no kick. What is not
// finite, or a rotation of no length: TLW_ERROR_BAD_POSE, nothing moves and no flag is raised.
tlw_result tlw_character_teleport(tlw_world* world, tlw_character_id id, const double position[3],
                                  const float rotation[4]);

// ---- Output
// --------------------------------------------------------------------------------------

typedef enum tlw_format {
    TLW_FORMAT_FLOAT32,
    TLW_FORMAT_FLOAT16 // for positions of what is small; rounded to nearest
} tlw_format;

// Elements of 3 components (the lattice: 12, three rows of a 3x4), `stride_bytes` apart. Written
// once, in order, never read: it may be write-combined memory. Null data: not wanted. A stride that
// is not a multiple of the component, or shorter than an element: TLW_ERROR_BAD_ARGUMENT.
typedef struct tlw_stream {
    void* data;
    uint32_t stride_bytes; // 0: packed
    tlw_format format;
} tlw_stream;

typedef enum tlw_embedding {
    TLW_EMBED_AUTO,  // delta where there are artist weights, else frames
    TLW_EMBED_DELTA, // the artist's skinning plus how far tissue is off
    TLW_EMBED_FRAMES // riding on the voxels alone
} tlw_embedding;

// Everything in model space (the root not applied), metres; vertices in the blob's order.
typedef struct tlw_output {
    uint32_t cookie;
    tlw_embedding embedding;
    // 0 and UINT32_MAX: all. Element 0 of every stream is first_vertex.
    uint32_t first_vertex, vertex_count;
    tlw_stream positions, normals, tangents;
    // sum w (p - p_skin): for engines that skin on the GPU and add it there.
    tlw_stream deltas;
    // One 3x4 a voxel, rest to posed model space, x = sum w M x0 over a vertex's bindings; voxels
    // in the order of the blob's VOXEL sections.
    tlw_stream lattice;
} tlw_output;

tlw_output tlw_default_output(void);

// Where the steps from now on write. The memory stays the engine's; a zeroed stream stops one.
// TLW_ERROR_BAD_DEF, _BAD_ARGUMENT (embedding, formats, strides, range), _MISALIGNED (data is not
// on a multiple of its component): the last output stays.
tlw_result tlw_character_set_output(tlw_world* world, tlw_character_id id,
                                    const tlw_output* output);

// Of the voxels' centres as last written out, grown by half a voxel diagonal; model space, metres.
// All 0 before the first step.
typedef struct tlw_bounds {
    float low[3], high[3];
} tlw_bounds;

tlw_result tlw_character_get_bounds(const tlw_world* world, tlw_character_id id, tlw_bounds* out);

// ---- Parameters
// ----------------------------------------------------------------------------------

// Of one layer in one part. Anything not finite or outside its range: TLW_ERROR_BAD_ARGUMENT.
typedef struct tlw_material {
    float stiffness;   // ks at resolution 32, 0 and up
    float damping;     // kd: share of relative velocity kept after 0.1 s, 0 to 1
    float anchor_hz;   // pull to the skinned place, 0 and up
    float limit_scale; // times the cooked limit; 0 and up; 1e9 and more: no limit
} tlw_material;

// Of a whole character: regions reach across the borders of parts and layers.
typedef struct tlw_settings {
    float gravity[3];             // m/s^2, world; 0 by default
    uint32_t rotation_iterations; // 1 to 4; 2
    uint32_t repeats;             // of stretch, volume and shape matching, 1 to 8; 1
} tlw_settings;

// UINT32_MAX for layer or part means all of them. The bone layer, 0, has no use for them.
#define TLW_ALL UINT32_MAX
tlw_result tlw_character_set_material(tlw_world* world, tlw_character_id id, uint32_t part,
                                      uint32_t layer, const tlw_material* material);
tlw_result tlw_character_get_material(const tlw_world* world, tlw_character_id id, uint32_t part,
                                      uint32_t layer, tlw_material* out);
tlw_result tlw_character_set_settings(tlw_world* world, tlw_character_id id,
                                      const tlw_settings* settings);
tlw_result tlw_character_get_settings(const tlw_world* world, tlw_character_id id,
                                      tlw_settings* out);
// Stiffness, damping and anchor of every part's muscle, fat and skin; layers between take fat's,
// the first behind bone muscle's, the last skin's. TLW_PRESET_COOKED brings back the blob's.
tlw_result tlw_character_apply_preset(tlw_world* world, tlw_character_id id, tlw_preset preset);

// ---- State
// ---------------------------------------------------------------------------------------

// Of one voxel (in the order of the blob's VOXEL sections), for tests and debug views. Voxels,
// world oriented, relative to the root's position at the last substep.
typedef struct tlw_voxel_state {
    float position[3], velocity[3]; // voxels, voxels a second
    float skinned[3];               // p_skin
    float rotation[4];              // R, rest to world
    float skinned_rotation[4];      // Rb
} tlw_voxel_state;

tlw_result tlw_character_get_voxel(const tlw_world* world, tlw_character_id id, uint32_t voxel,
                                   tlw_voxel_state* out);
// For tests and effects: an impulse, garbage. The velocity is relative to the skinned one's while
// the next substep starts anew (after a reset, a jump or creation).
tlw_result tlw_character_set_voxel(tlw_world* world, tlw_character_id id, uint32_t voxel,
                                   const float position[3], const float velocity[3]);
// XXH64 over everything that the next step depends on.
tlw_result tlw_character_hash(const tlw_world* world, tlw_character_id id, uint64_t* out);
// Of all characters in order of creation slots.
uint64_t tlw_world_hash(const tlw_world* world);

// ---- Reports
// -------------------------------------------------------------------------------------

typedef struct tlw_character_report {
    tlw_step_flags flags;
    uint32_t substeps; // of the last step
    bool was_split;
    uint64_t step_ns;                 // begin to end
    uint64_t pass_ns[TLW_PASS_COUNT]; // summed over workers
    uint64_t user_data;
} tlw_character_report;

#define TLW_WORST_FRAMES 8

typedef struct tlw_worst_step {
    uint64_t step; // number of the step, from 1; 0: none yet
    uint64_t wall_ns;
    uint64_t pass_ns[TLW_PASS_COUNT];
} tlw_worst_step;

typedef struct tlw_world_report {
    uint64_t step_count;
    tlw_step_flags flags; // of the last step
    uint32_t character_count, asleep_count, split_count;
    uint32_t substeps;       // of the last step, over characters
    uint64_t voxel_substeps; // of the last step
    double budget_ms;
    uint64_t wall_ns;                 // begin to end of the last step
    uint64_t pass_ns[TLW_PASS_COUNT]; // of the last step, summed over workers
    uint64_t total_wall_ns, total_pass_ns[TLW_PASS_COUNT];
    uint64_t over_budget_count;
    tlw_worst_step worst[TLW_WORST_FRAMES];        // longest first
    size_t memory_bytes, scratch_high_water_bytes; // of the world; of the worker that used most
} tlw_world_report;

tlw_result tlw_character_get_report(const tlw_world* world, tlw_character_id id,
                                    tlw_character_report* out);
void tlw_world_get_report(const tlw_world* world, tlw_world_report* out);
// Forgets totals and worst frames.
void tlw_world_reset_report(tlw_world* world);

TLW_EXTERN_C_END

#endif
