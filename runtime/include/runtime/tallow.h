// SPDX-License-Identifier: MIT
// Tallow's runtime: the one header that an engine includes. MODEL.md describes the model behind it.
//
//     file --tlw_blob_open--> blob --tlw_character_create--> character --tlw_world_step--> output
//
// Nothing here allocates, starts a thread, reads a clock other than yours or keeps a global. For
// everything that needs memory there is a function that returns its size; you provide the memory.
//
// A function that returns a tlw_result answers bad ids, counts, sizes and data with an error and
// changes nothing. Null pointers, and calls on a world while it is being stepped, are programming
// errors and assert (platform/handlers.h).
//
// Threads: a world and its characters are used by one thread at a time, which need not always be
// the same one. Between tlw_world_begin_step and tlw_world_end_step nothing else of that world may
// be called. Different worlds are independent: they may be created, stepped and destroyed at the
// same time, also if they share blobs. What does not take a world (runtime/asset.h, defaults,
// names, sizes) may be called from any thread at any time. The tasks that a step asks for run
// wherever your task system runs them.
//
// Units are metres, seconds and radians. Quaternions are x, y, z, w. Matrices are 4x4,
// column-major. Model space is the space of the bind pose; the root places the model in the world.
#ifndef TLW_RUNTIME_TALLOW_H
#define TLW_RUNTIME_TALLOW_H

#include "platform/base.h"
#include "platform/handlers.h"
#include "platform/isa.h"
#include "platform/result.h"
#include "platform/task.h"
#include "runtime/asset.h"
#include "runtime/passes.h"
#include "runtime/presets.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_version {
    uint32_t major, minor, patch;
} tlw_version;

// Returns the version of the library that was linked.
tlw_version tlw_get_version(void);

// ---- Worlds

// Returns nanoseconds since any moment; must never go back. Called from tasks, too.
typedef uint64_t tlw_clock(void* user);

// The defaults are those of tlw_default_world_def; a def must come from it.
typedef struct tlw_world_def {
    uint32_t cookie;
    uint32_t character_capacity; // characters that can live at the same time; 64, at most 2^24
    size_t scratch_bytes;  // per worker: the largest tlw_blob_info.scratch_bytes of your blobs; 0
    tlw_task_system tasks; // tlw_serial_task_system(), which runs everything on your thread
    tlw_isa isa;           // tlw_isa_best(); results do not depend on it
    tlw_clock* clock;      // null: no times are measured and reports show 0
    void* clock_user;      // passed to the clock
    double budget_ms;      // per step; reports count the steps that took longer; 2
    // Length of a substep, 1/480 to 1/30; 1/60. One call makes at most as many as there are in 0.1
    // s, rounded, or 6 if that is more. Time beyond that is dropped.
    double substep_seconds;
    // Characters whose tlw_blob_info.cost is above this may be split among workers. The tasks of a
    // split character wait for each other between passes, spinning, so avoid more workers than
    // cores. 0: the world decides, from what there is to do; FLT_MAX: never. Results do not depend
    // on it. 0.
    float split_cost;
    uint32_t collider_capacity; // colliders that can live at the same time, 0 to 64; 0
    uint32_t contact_capacity;  // contacts that are kept for each character, 0 to 16; 0
} tlw_world_def;

tlw_world_def tlw_default_world_def(void);

typedef struct tlw_world tlw_world;

// Computes exactly what tlw_world_create uses: tables, and the scratch of every worker.
TLW_MUST_USE tlw_result tlw_world_bytes(const tlw_world_def* def, size_t* bytes);
// Creates a world in your memory. Errors: TLW_ERROR_BAD_DEF, TLW_ERROR_BAD_ARGUMENT,
// TLW_ERROR_UNSUPPORTED (the instruction set), TLW_ERROR_MISALIGNED (memory is not aligned to
// TLW_MEMORY_ALIGNMENT), TLW_ERROR_OUT_OF_MEMORY (fewer bytes than tlw_world_bytes said).
TLW_MUST_USE tlw_result tlw_world_create(const tlw_world_def* def, void* memory, size_t bytes,
                                         tlw_world** out);
// Destroys a world and all characters in it. Their memory is yours again.
void tlw_world_destroy(tlw_world* world);

// ---- Characters

// A zeroed id is null. An id whose character was destroyed is caught by its generation, also when
// its place was taken by another: TLW_ERROR_STALE_ID.
typedef struct tlw_character_id {
    uint32_t index1; // index of its slot in the world, plus 1
    uint32_t generation;
} tlw_character_id;

TLW_INLINE bool tlw_character_id_is_null(tlw_character_id id) {
    return id.index1 == 0;
}

TLW_INLINE bool tlw_character_id_equals(tlw_character_id a, tlw_character_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

// An id as a number, for an engine's handles and script values; 0 for null.
TLW_INLINE uint64_t tlw_character_id_store(tlw_character_id id) {
    return (uint64_t)id.generation << 32 | id.index1;
}

TLW_INLINE tlw_character_id tlw_character_id_load(uint64_t stored) {
    tlw_character_id id;
    id.index1 = (uint32_t)stored;
    id.generation = (uint32_t)(stored >> 32);
    return id;
}

// What the joints of a pose are.
typedef enum tlw_pose_kind {
    TLW_POSE_MATRICES,   // float[16] per joint: joint to model space
    TLW_POSE_TRANSFORMS, // tlw_transform per joint: joint to model space
    TLW_POSE_SKINNING    // float[16] per joint: joint to model space times inverse bind
} tlw_pose_kind;

typedef enum tlw_preset {
    TLW_PRESET_COOKED, // the values of the recipe that the blob was cooked with
#define TLW_PRESET_ENUM(enumerator, name, k0, k1, k2, d0, d1, d2, a0, a1, a2) \
    TLW_PRESET_##enumerator,
    TLW_PRESET_TABLE(TLW_PRESET_ENUM)
#undef TLW_PRESET_ENUM
        TLW_PRESET_COUNT
} tlw_preset;

// Returns "bloat-low" and the like; null for a number that is no preset.
const char* tlw_preset_name(tlw_preset preset);
// Returns false, and writes nothing, for an unknown name.
bool tlw_preset_from_name(const char* name, tlw_preset* out);

// The defaults are those of tlw_default_character_def; a def must come from it.
typedef struct tlw_character_def {
    uint32_t cookie;
    tlw_blob blob;           // none; must be set
    tlw_pose_kind pose_kind; // TLW_POSE_MATRICES
    tlw_preset preset;       // TLW_PRESET_COOKED
    // Name of its profiler zones; "character". Not copied: use a literal, or keep it alive as long
    // as the character and the profiler's capture.
    const char* name;
    uint64_t user_data; // comes back in the character's report; 0
    // What it may be asked to do, and has memory for.
    uint32_t drag_capacity; // tlw_character_set_drag, 0 to 8; 0
    bool has_pose_filter;   // tlw_character_set_pose_filter; false
} tlw_character_def;

tlw_character_def tlw_default_character_def(void);

// Computes exactly what tlw_character_create uses.
TLW_MUST_USE tlw_result tlw_character_bytes(const tlw_character_def* def, size_t* bytes);
// Creates a character in your memory, in the bind pose at the world's origin, at rest. May be
// called at any time between steps. Errors are those of tlw_world_create, TLW_ERROR_CAPACITY if the
// world has no room for another character, and TLW_ERROR_SMALL_SCRATCH if the world's def gave less
// scratch than the blob needs.
TLW_MUST_USE tlw_result tlw_character_create(tlw_world* world, const tlw_character_def* def,
                                             void* memory, size_t bytes, tlw_character_id* out);
// Destroys a character between steps. Its memory is yours again.
TLW_MUST_USE tlw_result tlw_character_destroy(tlw_world* world, tlw_character_id id);
bool tlw_character_is_valid(const tlw_world* world, tlw_character_id id);
uint32_t tlw_world_character_count(const tlw_world* world);

// ---- Per frame

typedef struct tlw_transform {
    float translation[3];
    float rotation[4]; // any length that is not near 0: it is normalised
    float scale[3];    // each not 0
} tlw_transform;

// Where the model is in the world.
typedef struct tlw_root {
    double position[3];
    float rotation[4]; // any length that is not near 0: it is normalised
    float scale;       // uniform, above 0
} tlw_root;

typedef struct tlw_pose {
    const void* joints;   // as the def's pose_kind says, in the blob's order of joints
    uint32_t joint_count; // must be the blob's
    tlw_root root;
    bool is_jump; // a cut: do not interpolate from the last pose, carry the tissue over to this one
} tlw_pose;

// Returns a pose without joints, with the root at the origin: no rotation, scale 1. (A zeroed root
// is refused: it has neither rotation nor scale.)
tlw_pose tlw_default_pose(void);

// Copies a pose, which the next step uses. A 4x4 matrix is split into a rotation and a stretch in
// the rotated frame, so that shear and mirroring are exact at both ends of an interpolation, and
// linear between them. Errors: TLW_ERROR_STALE_ID, TLW_ERROR_BAD_ARGUMENT (joints or joint_count),
// and TLW_ERROR_BAD_POSE if a number is not finite, a joint has no volume or the root's scale is
// not above 0. After a bad pose the last good one stays, the next step raises TLW_STEP_BAD_POSE,
// and tlw_character_get_pose_problem says which joint it was.
TLW_MUST_USE tlw_result tlw_character_set_pose(tlw_world* world, tlw_character_id id,
                                               const tlw_pose* pose);

// What was wrong with the pose that was refused last.
typedef struct tlw_pose_problem {
    uint32_t joint;   // TLW_NO_INDEX: the root
    const char* what; // a literal; null if no pose has been refused
} tlw_pose_problem;

TLW_MUST_USE tlw_result tlw_character_get_pose_problem(const tlw_world* world, tlw_character_id id,
                                                       tlw_pose_problem* out);

// What happened in a step, to one character or to any of them.
#define TLW_STEP_FLAG_TABLE(X)                                                                 \
    X(TLW_STEP_BAD_DT, 0, "dt was negative, NaN, infinite or 1e30 s and more: nothing moved")  \
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

// Advances all characters by dt seconds and writes their outputs. A dt of 0 writes the outputs for
// the poses that were set, without advancing. Returns the flags of all characters together.
tlw_step_flags tlw_world_step(tlw_world* world, double dt);
// The same in two halves. Between them the engine may do other work, but call nothing else of this
// world. The first half hands everything to the task system, so that tasks run meanwhile; with a
// task system that runs tasks at once, the work is done when it returns.
void tlw_world_begin_step(tlw_world* world, double dt);
tlw_step_flags tlw_world_end_step(tlw_world* world);

// Gets the flags of the character's last step.
TLW_MUST_USE tlw_result tlw_character_get_flags(const tlw_world* world, tlw_character_id id,
                                                tlw_step_flags* out);

// Puts the character to its current pose, at rest, as if it had always been there. Writes no
// output; the next step does, also one of dt 0.
TLW_MUST_USE tlw_result tlw_character_reset(tlw_world* world, tlw_character_id id);
// Moves state, last pose and root rigidly to a new position and rotation of the root, so that the
// tissue notices nothing. TLW_ERROR_BAD_POSE if a number is not finite or the rotation has no
// length; then nothing moves and no flag is raised.
TLW_MUST_USE tlw_result tlw_character_teleport(tlw_world* world, tlw_character_id id,
                                               const double position[3], const float rotation[4]);

// ---- Output

typedef enum tlw_format {
    TLW_FORMAT_FLOAT32,
    TLW_FORMAT_FLOAT16 // rounded to nearest; precise enough for positions of small models
} tlw_format;

// Memory that a step writes one element per vertex or voxel to: 3 components each, or 12 for the
// three rows of a 3x4 matrix. It is written once and never read, so it may be write-combined
// memory. Voxels, and vertices in cooked order, are written in ascending order by each task.
typedef struct tlw_stream {
    void* data; // null: this stream is not written
    // From one element to the next: a multiple of the component's size and at least an element. 0:
    // packed. What lies between elements is left as it is.
    uint32_t stride_bytes;
    tlw_format format;
} tlw_stream;

// How vertices follow the voxels (MODEL 5.2 to 5.4). All but frames add a deviation to the artist's
// skinning. A vertex without artist weights follows frames, whatever is chosen.
typedef enum tlw_embedding {
    TLW_EMBED_AUTO,   // rbf if it was cooked, else fit if the mesh has artist weights, else frames
    TLW_EMBED_DELTA,  // the mean deviation of the voxels around the vertex: the cheapest
    TLW_EMBED_FRAMES, // the voxels' positions and rotations alone, without the artist's skinning
    TLW_EMBED_FIT,    // their deviations and slopes: exact where voxels are missing, and smoother
    TLW_EMBED_RBF     // radial basis functions; needs tlw_blob_info.has_rbf
} tlw_embedding;

// What normals and tangents are made from (MODEL 5.5, 5.6).
typedef enum tlw_normal_source {
    TLW_NORMALS_BY_GRADIENT, // the gradient of the tissue around the vertex, which fit has ready
    TLW_NORMALS_BY_RING      // mesh neighbours: cheaper with delta; needs has_ring_normals
} tlw_normal_source;

// What steps write for a character: in model space (the root is not applied), in metres. It must
// come from tlw_default_output.
typedef struct tlw_output {
    uint32_t cookie;
    tlw_embedding embedding;      // of the streams of vertices; TLW_EMBED_AUTO
    tlw_normal_source normals_by; // TLW_NORMALS_BY_GRADIENT
    tlw_vertex_order order;       // of the streams of vertices; TLW_ORDER_SOURCE
    float smoothing;   // of fit and voxel_fits: 0 follows every voxel, 1 their local planes; 0.25
    bool wants_bounds; // compute bounds also where no stream is set; false

    // Streams of vertices have vertex_count elements, of the vertices from first_vertex on in the
    // chosen order. 0 and UINT32_MAX: all.
    uint32_t first_vertex, vertex_count;
    // Normals and tangents have length 1, or 0 for meshes that have none. The handedness of a
    // tangent never changes: it is in tlw_vertex, and not written.
    tlw_stream positions, normals, tangents;
    // The deviation alone, positions less the artist's skinning, for engines that skin on the GPU
    // and add it there. Of no use with frames and for vertices without artist weights, which have
    // no skinning to add it to.
    tlw_stream deltas;

    // Streams of voxels have tlw_blob_info.voxel_count elements, whatever the range and embedding,
    // for engines that embed on the GPU. tlw_blob_get_bindings has the voxels and weights w of each
    // vertex, and INTEGRATING.md the shaders. Below, x0 is the vertex at rest.
    tlw_stream lattice;      // M, 3x4, for frames: x = sum w M x0
    tlw_stream voxel_deltas; // delta, 3 components, for delta: x = skinned x0 + sum w delta
    // [D | e], 3x4, for fit: x = skinned x0 + sum w e + (sum w D)(x0 - centre/2).
    tlw_stream voxel_fits;
} tlw_output;

// Returns an output that writes nothing.
tlw_output tlw_default_output(void);

// Says where the next steps write to, until another output is set. The memory stays yours; a zeroed
// stream is no longer written. Without any stream and without wants_bounds nothing is embedded,
// which costs nothing. If there is an error, the last output stays: TLW_ERROR_STALE_ID,
// TLW_ERROR_BAD_DEF, TLW_ERROR_BAD_ARGUMENT (an unknown enumerator; smoothing, stride or range),
// TLW_ERROR_MISALIGNED (data is not aligned to its component), TLW_ERROR_UNSUPPORTED (rbf or ring
// normals that the recipe did not ask for).
TLW_MUST_USE tlw_result tlw_character_set_output(tlw_world* world, tlw_character_id id,
                                                 const tlw_output* output);

// Bounds of the voxels' centres in the last step's output, grown by half the diagonal of a voxel;
// model space, metres. All 0 before the first step. TLW_ERROR_UNSUPPORTED if the output neither
// sets a stream nor asks for bounds.
typedef struct tlw_bounds {
    float low[3], high[3];
} tlw_bounds;

TLW_MUST_USE tlw_result tlw_character_get_bounds(const tlw_world* world, tlw_character_id id,
                                                 tlw_bounds* out);

// ---- Parameters

// Parameters of one layer in one part. A value that is not finite or not in its range is a
// TLW_ERROR_BAD_ARGUMENT.
typedef struct tlw_material {
    float stiffness;   // ks, given for resolution 32; 0 or more
    float damping;     // kd, the share of relative velocity that is left after 0.1 s; 0 to 1
    float anchor_hz;   // how fast a voxel is pulled to its skinned position; 0 or more
    float limit_scale; // scales the cooked limit; 0 or more, and 1e9 or more is no limit
} tlw_material;

// Parameters of the whole character, because regions reach across borders of parts and layers.
typedef struct tlw_settings {
    float gravity[3];             // m/s^2, in world axes, within 1e6; 0
    uint32_t rotation_iterations; // Newton steps per region and repeat, 1 to 4; 2
    uint32_t repeats; // how often a substep repeats stretch and shape matching, 1 to 8; 1
    // Give back the volume that bent joints lose to skinning, before tissue moves (MODEL 3.12).
    // Needs tlw_blob_info.has_bends, and is on where the blob has them.
    bool skinned_volume;
    // Limbs press into other parts of the body (MODEL 3.16). Needs tlw_blob_info.limb_count above
    // 0, and is on where the blob has them.
    bool own_limbs;
    uint32_t collider_mask; // touched by colliders that have a bit of it; all bits
    float time_scale;       // multiplies the dt of steps, 0 to 10; 1
    float wind[3];          // m/s, in world axes, within 1e6; 0
    float wind_drag;        // per metre: how fast tissue takes on the wind, 0 to 1e6; 0
} tlw_settings;

// Stands for all parts or all layers in tlw_character_set_material.
#define TLW_ALL UINT32_MAX

// Part 0 is the whole character without the other parts. Layer 0 is bone, which uses no material.
TLW_MUST_USE tlw_result tlw_character_set_material(tlw_world* world, tlw_character_id id,
                                                   uint32_t part, uint32_t layer,
                                                   const tlw_material* material);
TLW_MUST_USE tlw_result tlw_character_get_material(const tlw_world* world, tlw_character_id id,
                                                   uint32_t part, uint32_t layer,
                                                   tlw_material* out);
// A layer in physical units (MODEL 3.20). Which layers are lame the recipe decides; in those,
// stiffness and anchor of the material do nothing.
typedef struct tlw_lame {
    float young_kpa; // Young's modulus, above 0, at most 1e6
    float poisson;   // Poisson ratio, 0 to 0.4999: 0.5 would keep all volume
    float density;   // kg/m^3, 1 to 1e5
} tlw_lame;

// Part and layer as in tlw_character_set_material; with TLW_ALL, those that are lame. A
// TLW_ERROR_UNSUPPORTED if none is, a TLW_ERROR_BAD_ARGUMENT for a number outside its range.
// TLW_PRESET_COOKED restores the blob's values; profiles do not change them.
TLW_MUST_USE tlw_result tlw_character_set_lame(tlw_world* world, tlw_character_id id, uint32_t part,
                                               uint32_t layer, const tlw_lame* lame);
TLW_MUST_USE tlw_result tlw_character_get_lame(const tlw_world* world, tlw_character_id id,
                                               uint32_t part, uint32_t layer, tlw_lame* out);
// TLW_ERROR_UNSUPPORTED for skinned volume and own limbs that the recipe did not ask for. Turning
// skinned volume on or off carries the tissue over, as after a jump.
TLW_MUST_USE tlw_result tlw_character_set_settings(tlw_world* world, tlw_character_id id,
                                                   const tlw_settings* settings);
TLW_MUST_USE tlw_result tlw_character_get_settings(const tlw_world* world, tlw_character_id id,
                                                   tlw_settings* out);
// Sets stiffness, damping and anchor of part 0: muscle's values for the layer next to bone, skin's
// for the outermost, fat's for all between. Firm parts, and parts that the recipe set, keep what
// they have. TLW_PRESET_COOKED restores the blob's values in every part, and sets limit_scale to 1.
TLW_MUST_USE tlw_result tlw_character_apply_preset(tlw_world* world, tlw_character_id id,
                                                   tlw_preset preset);

// Makes the materials those of a profile, in every part: TLW_ERROR_BAD_ARGUMENT if the blob has no
// such profile. The tissue follows over `seconds`, which must be finite and 0 or more; 0 changes it
// at once. A fade goes on where the one before it was. Setting a material or applying a preset ends
// it with the new values at once, a reset with the profile's; settings leave it alone (MODEL 3.14).
TLW_MUST_USE tlw_result tlw_character_fade_to(tlw_world* world, tlw_character_id id,
                                              uint32_t profile, float seconds);

// ---- Colliders

// What tissue gives way to (MODEL 3.15). A collider belongs to a world and touches every character
// whose settings have a bit of its mask.

// A zeroed id is null; a stale one is caught by its generation, as a character's is.
typedef struct tlw_collider_id {
    uint32_t index1; // index of its place in the world, plus 1
    uint32_t generation;
} tlw_collider_id;

TLW_INLINE bool tlw_collider_id_is_null(tlw_collider_id id) {
    return id.index1 == 0;
}

TLW_INLINE bool tlw_collider_id_equals(tlw_collider_id a, tlw_collider_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

typedef enum tlw_collider_kind {
    TLW_COLLIDER_CAPSULE, // with two radii; a sphere if both ends are one point
    TLW_COLLIDER_PLANE,   // solid below the plane through its position, square to its y axis
    TLW_COLLIDER_BOX      // with rounded edges
} tlw_collider_kind;

// The defaults are those of tlw_default_collider_def; a def must come from it. Lengths are in
// metres, in the collider's own axes. A radius or rounding of less than half a voxel counts as that
// much. Lengths must be finite, at most 1e18, and not negative.
typedef struct tlw_collider_def {
    uint32_t cookie;
    tlw_collider_kind kind; // TLW_COLLIDER_CAPSULE
    float ends[2][3];       // capsule: centres of its ends; 0
    float radii[2];         // capsule: at each end; 0
    float half_extents[3];  // box: without the rounding, which is added on every side; 0
    float rounding;         // box: radius of its edges and corners; 0
    float friction;         // mu, 0 to 1; 0.5
    uint32_t mask;          // which characters it touches; all bits
} tlw_collider_def;

tlw_collider_def tlw_default_collider_def(void);

typedef struct tlw_collider_pose {
    double position[3]; // in the world, metres
    float rotation[4];  // any length that is not near 0: it is normalised
} tlw_collider_pose;

// At the world's origin, without rotation.
tlw_collider_pose tlw_default_collider_pose(void);

// Errors of all: TLW_ERROR_STALE_ID, TLW_ERROR_BAD_DEF, TLW_ERROR_BAD_ARGUMENT (a length or
// friction outside its range, an unknown kind), TLW_ERROR_BAD_POSE, and TLW_ERROR_CAPACITY if the
// world's def has no place for another. After an error nothing has changed.
TLW_MUST_USE tlw_result tlw_collider_create(tlw_world* world, const tlw_collider_def* def,
                                            const tlw_collider_pose* pose, tlw_collider_id* out);
TLW_MUST_USE tlw_result tlw_collider_destroy(tlw_world* world, tlw_collider_id id);
// Sets where it is at the end of the next step. It sweeps there from where it was: what moves fast
// does not pass through.
TLW_MUST_USE tlw_result tlw_collider_set_pose(tlw_world* world, tlw_collider_id id,
                                              const tlw_collider_pose* pose);
// Puts it there without a sweep.
TLW_MUST_USE tlw_result tlw_collider_teleport(tlw_world* world, tlw_collider_id id,
                                              const tlw_collider_pose* pose);
// The def that it was created with and the pose that was set last; either may be null.
TLW_MUST_USE tlw_result tlw_collider_get(const tlw_world* world, tlw_collider_id id,
                                         tlw_collider_def* def, tlw_collider_pose* pose);
bool tlw_collider_is_valid(const tlw_world* world, tlw_collider_id id);
uint32_t tlw_world_collider_count(const tlw_world* world);

// What touched a character in its last step that had a substep: a collider, or one of its own
// limbs. Metres and seconds, in the world.
typedef struct tlw_contact {
    tlw_collider_id collider; // null: a limb of its own
    uint32_t limb;            // TLW_NO_INDEX: a collider
    uint32_t voxel;           // the one that was pushed deepest
    double position[3];       // its centre
    float normal[3];          // out of what touched
    float depth;              // how far it was pushed from where skinning puts it, along the normal
    float speed;              // at which the two closed; negative: they part
} tlw_contact;

// Copies contacts, deepest first, at most one of each collider and limb; *count is how many there
// are, also if `capacity` is less. None are kept unless the world's def says contact_capacity.
TLW_MUST_USE tlw_result tlw_character_get_contacts(const tlw_world* world, tlw_character_id id,
                                                   tlw_contact* out, uint32_t capacity,
                                                   uint32_t* count);

// Where a shape overlaps a character's voxels.
typedef struct tlw_overlap {
    uint32_t voxel_count; // that are not bone and reach into it; 0: nothing else is set
    uint32_t voxel;       // the deepest of them
    float depth;          // of that one, metres
    float normal[3];      // there, out of the shape
    double position[3];   // its centre in the world
} tlw_overlap;

// Asks about a shape that need not be a collider, against the tissue as the last substep left it.
// Mask and friction are not used. Errors are those of tlw_collider_create.
TLW_MUST_USE tlw_result tlw_character_overlap(const tlw_world* world, tlw_character_id id,
                                              const tlw_collider_def* shape,
                                              const tlw_collider_pose* pose, tlw_overlap* out);

// A limb of a character where the last substep had it, for debug views.
typedef struct tlw_limb {
    uint32_t joint;
    double ends[2][3]; // in the world, metres
    float radii[2];
} tlw_limb;

// TLW_ERROR_BAD_ARGUMENT if it has no such limb (tlw_blob_info.limb_count).
TLW_MUST_USE tlw_result tlw_character_get_limb(const tlw_world* world, tlw_character_id id,
                                               uint32_t limb, tlw_limb* out);

// ---- Forces

// Gravity, wind and time scale are settings; MODEL 3.17 has the formulas. All of these wake a
// character that sleeps. Numbers that are not finite or not in their range are a
// TLW_ERROR_BAD_ARGUMENT and change nothing.

// What a ray meets first.
typedef struct tlw_pick {
    uint32_t voxel;     // the soft voxel, for tlw_drag
    float distance;     // along the ray, metres
    double position[3]; // of the voxel's centre in the world
} tlw_pick;

// Finds the first soft voxel along a ray, among those within a voxel of it, as the last substep
// left them. TLW_ERROR_NOT_FOUND if there is none; TLW_ERROR_BAD_ARGUMENT if the direction has no
// length, which otherwise does not matter.
TLW_MUST_USE tlw_result tlw_character_pick(const tlw_world* world, tlw_character_id id,
                                           const double origin[3], const float direction[3],
                                           tlw_pick* out);

// Pulls a voxel, and what is around it, towards a place.
typedef struct tlw_drag {
    uint32_t voxel;   // that was picked; bone is refused
    double target[3]; // in the world, metres, within 1e18
    float radius;     // how far along the tissue the pull reaches, in the world, metres; above 0
    float hz;         // how strongly it pulls, 0 to 1000: 10 leaves a third of the way
} tlw_drag;

// Sets one of the drags of the character's def, 0 to drag_capacity - 1, until it ends;
// TLW_ERROR_CAPACITY for one beyond. Moving the target of a drag costs nothing; another voxel or
// radius measures the tissue around it.
TLW_MUST_USE tlw_result tlw_character_set_drag(tlw_world* world, tlw_character_id id, uint32_t drag,
                                               const tlw_drag* how);
TLW_MUST_USE tlw_result tlw_character_end_drag(tlw_world* world, tlw_character_id id,
                                               uint32_t drag);

// A blow: adds velocity to tissue around a place, once, less the further away, 0 beyond the radius.
typedef struct tlw_push {
    double centre[3];  // in the world, metres, within 1e18
    float radius;      // metres, above 0
    float velocity[3]; // m/s, in world axes, within 1e6
    float outward;     // m/s, away from the centre; negative: towards it
} tlw_push;

TLW_MUST_USE tlw_result tlw_character_push(tlw_world* world, tlw_character_id id,
                                           const tlw_push* push);

// A filter for captured poses that tremble (MODEL 4.10).
typedef struct tlw_pose_filter {
    float cutoff_hz;    // of a joint that does not move, above 0; 1.5
    float hz_per_speed; // more for each m/s of a joint relative to its parent, 0 or more; 3
    float hz_per_turn;  // more for each rad/s, 0 or more; 3
} tlw_pose_filter;

tlw_pose_filter tlw_default_pose_filter(void);

// Switches the filter on, or off with null. TLW_ERROR_UNSUPPORTED unless the character's def says
// has_pose_filter.
TLW_MUST_USE tlw_result tlw_character_set_pose_filter(tlw_world* world, tlw_character_id id,
                                                      const tlw_pose_filter* filter);
// The joints that the last step with time used, joint to model space: what was set or, with a
// filter, what came out of it. An engine that adds deltas to its own skinning must skin with these.
// `joint_count` must be the blob's: TLW_ERROR_BAD_ARGUMENT.
TLW_MUST_USE tlw_result tlw_character_get_joints(const tlw_world* world, tlw_character_id id,
                                                 float (*matrices)[16], uint32_t joint_count);

// ---- Muscles

// Muscles are counted and named in runtime/asset.h. How hard a muscle is flexed: it thickens where
// it is thickest (MODEL 3.19), and gravity bends its line less. 0 to 1, 0 after creation; the
// larger of this and of what a joint's angle gives (`flex` in the recipe) counts.
// TLW_ERROR_BAD_ARGUMENT for a muscle that the blob does not have, and for a tension outside 0 to 1
// or not finite. A reset leaves tensions alone.
TLW_MUST_USE tlw_result tlw_character_set_tension(tlw_world* world, tlw_character_id id,
                                                  uint32_t muscle, float tension);

// A muscle as the last substep left it, for debug views and gameplay.
typedef struct tlw_muscle {
    float tension;    // that counted in the last substep
    float elongation; // length of its belly over that at rest: below 1 where it is short and thick
    uint32_t vertex_count;
} tlw_muscle;

TLW_MUST_USE tlw_result tlw_character_get_muscle(const tlw_world* world, tlw_character_id id,
                                                 uint32_t muscle, tlw_muscle* out);
// Copies the vertices of its action line, in the world, metres. TLW_ERROR_BAD_ARGUMENT unless
// `count` is the muscle's vertex_count.
TLW_MUST_USE tlw_result tlw_character_get_line(const tlw_world* world, tlw_character_id id,
                                               uint32_t muscle, double (*places)[3],
                                               uint32_t count);

// ---- State

// State of one voxel, for tests and debug views. In voxels, in world axes, relative to the root's
// position at the last substep.
typedef struct tlw_voxel_state {
    float position[3];
    float velocity[3]; // voxels per second
    // The place to which it is drawn: p_skin, with what skinned volume and muscles add.
    float skinned[3];
    float rotation[4];         // R, from rest to world
    float skinned_rotation[4]; // Rb, from rest to world by skinning alone
} tlw_voxel_state;

// `voxel` counts in the order of the blob's VOXEL sections.
TLW_MUST_USE tlw_result tlw_character_get_voxel(const tlw_world* world, tlw_character_id id,
                                                uint32_t voxel, tlw_voxel_state* out);
// Sets position and velocity, for effects (an impulse) and tests. After creation, a reset or a
// jump, until the next substep, the velocity is relative to the skinned one. Numbers that are not
// finite reset the character in the next step.
TLW_MUST_USE tlw_result tlw_character_set_voxel(tlw_world* world, tlw_character_id id,
                                                uint32_t voxel, const float position[3],
                                                const float velocity[3]);
// Computes an XXH64 hash over everything that the next step depends on.
TLW_MUST_USE tlw_result tlw_character_hash(const tlw_world* world, tlw_character_id id,
                                           uint64_t* out);
// Combines the hashes of all characters, in the order of their slots.
uint64_t tlw_world_hash(const tlw_world* world);

// ---- Reports

// About a character's last step. Times are 0 without a clock.
typedef struct tlw_character_report {
    tlw_step_flags flags;
    uint32_t substeps;
    bool was_split;                   // among several workers
    uint64_t step_ns;                 // from its begin to its end
    uint64_t pass_ns[TLW_PASS_COUNT]; // summed over workers
    uint64_t user_data;               // the def's
} tlw_character_report;

#define TLW_WORST_FRAMES 8

typedef struct tlw_worst_step {
    uint64_t step; // number of the step, from 1; 0: none yet
    uint64_t wall_ns;
    uint64_t pass_ns[TLW_PASS_COUNT]; // summed over workers
} tlw_worst_step;

typedef struct tlw_world_report {
    uint64_t step_count;
    // About the last step.
    tlw_step_flags flags; // of all characters together
    uint32_t character_count, asleep_count, split_count;
    uint32_t substeps;                // summed over characters
    uint64_t voxel_substeps;          // substeps times voxels, summed over characters
    double budget_ms;                 // the def's
    uint64_t wall_ns;                 // from begin to end
    uint64_t pass_ns[TLW_PASS_COUNT]; // summed over workers
    // About all steps since the world was created or its report reset.
    uint64_t total_wall_ns, total_pass_ns[TLW_PASS_COUNT];
    uint64_t over_budget_count;             // steps that took longer than the budget
    tlw_worst_step worst[TLW_WORST_FRAMES]; // longest first
    size_t memory_bytes;                    // that the world uses, scratch included
    size_t scratch_high_water_bytes;        // of the worker that used most
} tlw_world_report;

TLW_MUST_USE tlw_result tlw_character_get_report(const tlw_world* world, tlw_character_id id,
                                                 tlw_character_report* out);
void tlw_world_get_report(const tlw_world* world, tlw_world_report* out);
// Forgets totals and worst steps.
void tlw_world_reset_report(tlw_world* world);

TLW_EXTERN_C_END

#endif
