// SPDX-License-Identifier: MIT
// Private to runtime: a character, the scratch that steps one, and the world that holds them.
#ifndef TLW_RUNTIME_WORLD_CHARACTER_H
#define TLW_RUNTIME_WORLD_CHARACTER_H

#include "platform/arena.h"
#include "platform/atomic.h"
#include "runtime/output/embed.h"
#include "runtime/passes/kernels.h"
#include "runtime/step/pose.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

#define TLW_SUBSTEPS_MAX  4    // a call, or 4/60 s where that is more
#define TLW_STILL_SECONDS 1.0  // before sleep; after 0.5 a slow mode can still be 2.2e-4 voxel off
#define TLW_STILL_SPEED   3e-3 // voxels a second: 5e-5 a substep of 1/60
#define TLW_ROOT_JUMP     0.25 // of L, in 1/60 s
#define TLW_POSE_JUMP     0.20 // of L, a call
#define TLW_BACK_SUBSTEPS 8    // of so many one puts the lengths of all rotations right
#define TLW_COLD_WINDOWS  1000 // of so many the first are no longer in the second cache at the end

// A piece of work on items [begin, end) of one character; adds its times to `pass_ns`. Items [seen,
// begin) of the same job were this thread's, just before.
typedef void tlw_team_job(const void* context, uint32_t seen, uint32_t begin, uint32_t end,
                          uint64_t* pass_ns);

// Threads that step one character together (run.c): the one that took it, and whoever has nothing
// better to do. Nobody waits for others to come, so any task system will do: one that runs its
// tasks late, one after the other, or all but one never until the step is over.
#define TLW_TEAM_PARTS_MAX 16
typedef struct tlw_team {
    // Count of jobs, whether one may be joined, helpers in it; 0 when a step begins.
    tlw_atomic_u32 gate;
    tlw_atomic_u32 helper_count; // that ever came
    tlw_atomic_u32 is_done;
    // The job: written when it may not be joined and nobody is in it.
    tlw_team_job* job;
    const void* context;
    uint32_t count;
    uint32_t part_count; // of the step: a thread each, so that it meets the same items in every job
    tlw_atomic_u32 next[TLW_TEAM_PARTS_MAX];  // of each part, the first that nobody took
    tlw_atomic_u64 helper_ns[TLW_PASS_COUNT]; // helpers' times
} tlw_team;

typedef struct tlw_character {
    tlw_blob_arrays blob;
    // Of the last two substeps; [is_odd] is now's, the other the one before.
    tlw_window_pose* poses[2];
    tlw_window_state* states[2];
    tlw_window_velocity* velocity;
    bool is_odd;
    uint8_t since_back;     // substeps since all rotations started back
    float* region_rotation; // width 2: [4][region_stride]
    tlw_joint_bind* binds;
    tlw_pose_moment last, now;   // poses of the last call and of this one
    tlw_skin_entry* last_joints; // those of `last`
    bool has_last_joints;        // false: to be made anew
    tlw_material* materials;
    tlw_window_gains* gains;
    tlw_settings settings;
    double root_at_substep[3]; // where now's tissue and pose are relative to
    float rebase[3];           // from the one before, voxels
    double accumulator;
    double substep_seconds; // the world's
    tlw_embed embed;        // the output, and what was planned for it
    tlw_bounds bounds;
    tlw_character_report report;
    tlw_step_flags pending; // raised between steps
    uint32_t still_substeps;
    bool is_jump;      // the caller says so, for the next call
    bool carries_next; // the first substep of the next call is carried: there was a jump
    bool starts_next;  // the next ordinary substep begins with its own v_skin
    bool may_be_off;   // further than the limit, where a substep starts: it or tissue was set
    tlw_pose_kind pose_kind;
    const char* name;
    const void* memory;
    size_t memory_bytes;
    tlw_team team;
} tlw_character;

// What one character needs while it is stepped: that of the worker who took it.
typedef struct tlw_scratch {
    uint8_t* memory;
    size_t bytes;
    const void* cleared_for; // blob whose gaps between rows are 0
    const void* stepped;     // the character before
} tlw_scratch;

// The scratch carved for one blob.
typedef struct tlw_scratch_view {
    tlw_skin_entry* joints;
    tlw_affine* joint_affines;
    tlw_window_pose* pose; // of this frame, where no substep is at its time
    float* sites;          // all site arrays; what is drawn lies over them
    size_t site_stride;
    float* regions; // width 2
    tlw_block_result* results;
} tlw_scratch_view;

// Null memory: measures. What a view needs of `arena`.
void tlw_scratch_carve(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_scratch_view* out);
size_t tlw_scratch_bytes(const tlw_blob_arrays* blob);
// Fills in what does not change between a character's substeps.
void tlw_substep_init(const tlw_character* c, const tlw_scratch_view* view, tlw_substep* out);

// How stages are run: all on this thread, one block behind the other, or with a team.
typedef struct tlw_runner {
    const tlw_kernels* kernels;
    tlw_team* team;   // null: on this thread
    tlw_clock* clock; // null: no times
    void* clock_user;
    uint64_t* pass_ns; // this thread's
} tlw_runner;

// Before a step's tasks are enqueued. `threads` that may come, the one that takes it included.
void tlw_team_begin(tlw_team* team, uint32_t threads);
// When the one that took the character is through with it.
void tlw_team_end(tlw_team* team);
// Helps until the character is done, or there was nothing to do for too long. Adds to `pass_ns`.
void tlw_team_help(tlw_team* team, uint64_t pass_ns[TLW_PASS_COUNT]);

// TLW_STEP_NO_TIME or _BAD_DT, 0 for a dt that time can pass by.
tlw_step_flags tlw_step_flags_of_time(double dt);
// One call's worth of a character: poses, substeps, output. Returns its flags.
tlw_step_flags tlw_character_step(tlw_character* c, tlw_scratch* scratch, const tlw_runner* runner,
                                  double dt);
// To its current pose, at rest.
void tlw_character_settle(tlw_character* c, tlw_scratch* scratch, const tlw_runner* runner);
void tlw_character_update_gains(tlw_character* c);
uint64_t tlw_character_state_hash(const tlw_character* c);

// Run stages of a substep on all blocks (run.c).
void tlw_run_substep(const tlw_runner* runner, const tlw_substep* substep, uint32_t repeats);
void tlw_run_stage(const tlw_runner* runner, tlw_pass pass, tlw_stage_function* stage,
                   const tlw_substep* substep, uint32_t count);
void tlw_run_embed(const tlw_runner* runner, tlw_embed_function* stage, const tlw_embed* embed,
                   uint32_t count);

// The world

typedef struct tlw_world_slot {
    tlw_character* character; // null: free
    uint32_t generation;
} tlw_world_slot;

struct tlw_world {
    tlw_world_def def;
    const tlw_kernels* kernels;
    tlw_world_slot* slots;
    uint32_t* order;                  // of the step: slots of characters, dearest first
    uint32_t task_count, split_count; // of the order, those that are split come first
    uint32_t thread_count;            // tasks for those
    tlw_atomic_u32 next_split;        // the first that nobody took
    uint32_t character_count;
    tlw_scratch* scratch;                // a worker each
    uint64_t (*pass_ns)[TLW_PASS_COUNT]; // a worker each
    void *split_handle, *handle;         // of the tasks under way
    bool is_stepping;
    double dt;
    uint64_t begin_ns;
    tlw_world_report report;
    size_t memory_bytes;
};

// TLW_ERROR_STALE_ID unless the id names a living character.
tlw_result tlw_world_find(const tlw_world* world, tlw_character_id id, tlw_character** out);

TLW_EXTERN_C_END

#endif
