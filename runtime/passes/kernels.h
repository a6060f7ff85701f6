// SPDX-License-Identifier: MIT
// Private to runtime: what the passes read and write. Kernels are compiled once per instruction
// set; every one works on a range of windows of one character and writes only what belongs to them.
//
//     pose      joints of one moment -> p_skin, Rb; of this substep and of the last
//     tissue    p and Q of this substep and of the last; v; in windows, streamed
//     sites     q and what is computed from it: contiguous along a row, neighbours are plain loads
//
//     stage            reads                             writes
//     skin             joints                            pose
//     predict          last p, v, both poses             q; last p, where it is off its limit
//     stretch          q; factors of pairs backward      work: factors of pairs forward; q2
//     volume gradients q2 (faces)                        work 0-8: for the faces; q: own share
//     volume           work (faces), own q and q2        q; mq, over q2
//     regions          mq (27), last Q                   lanes: sums of T, R; now Q; work 0-11:
//                                                        T, R of windows that are told apart,
//                                                        or in blocks too long for a buffer
//     goal             lanes (9 rows); work beside cuts  q
//     limit            q, pose                           q
//     velocity         q, last p, both poses             now p, v
//
// A stage that reads its neighbours' begins when the one before has ended everywhere; the others
// follow on a block as soon as the one before is done with it (run.c). What a stage overwrites is
// then no longer read. Of what the same stage writes only stretch reads, and only of blocks before
// that the same thread has just done.
#ifndef TLW_RUNTIME_PASSES_KERNELS_H
#define TLW_RUNTIME_PASSES_KERNELS_H

#include "platform/isa.h"
#include "runtime/blob/arrays.h"

TLW_EXTERN_C_BEGIN

// State of eight voxels: pose and tissue of two moments, the last two substeps, and the velocity.
// Two buffers that swap roles: a substep reads one and writes the other, nothing is copied from now
// to last, and what is drawn goes from one to the other. World-oriented, in voxels, relative to the
// root at that substep; empty lanes are 0, but for Q and v, which nothing depends on there.
// Rotations take the turned rest frame to the world.
typedef struct tlw_window_pose {
    float skin[3][TLW_LANES]; // p_skin
    float rb[4][TLW_LANES];   // Rb
} tlw_window_pose;

typedef struct tlw_window_state {
    float p[3][TLW_LANES];
    float rotation[4][TLW_LANES]; // Q = Rb^T R: how far the region is rotated off its pose
} tlw_window_state;

typedef struct tlw_window_velocity {
    float v[3][TLW_LANES]; // relative to the skinned one after a carried substep
} tlw_window_velocity;

// Of a joint: columns of joint times inverse bind in voxels, along the lane, p, q and the shift,
// the fourth number of each 0; and its rotation.
typedef struct tlw_skin_entry {
    float column[4][4];
    float rotation[4];
} tlw_skin_entry;

// What the materials of eight voxels come to in one substep. Kept by window, not by material: four
// gathers a pass cost more than the line that this is.
typedef struct tlw_window_gains {
    float goal[TLW_LANES];    // G(ks); 0 for bone
    float damping[TLW_LANES]; // kd^(h/0.1) / h; 0 for bone
    float anchor[TLW_LANES];  // exp(-(2 pi f h)^2): what the anchor leaves
    float limit[TLW_LANES];   // d_max
} tlw_window_gains;

#define TLW_WORK_ARRAYS 13
#define TLW_LANE_ARRAYS 9

// What a block's tasks found, reduced by block index.
typedef struct tlw_block_result {
    float moved;         // largest component of dp against the skin's, of the substep
    uint32_t not_finite; // any
    float low[3], high[3];
} tlw_block_result;

// One character, one substep.
typedef struct tlw_substep {
    const tlw_blob_arrays* blob;
    tlw_window_pose* pose; // now's
    const tlw_window_pose* pose_last;
    tlw_window_state *now, *last;
    tlw_window_velocity* velocity;
    const tlw_skin_entry* joints;
    const tlw_window_gains* gains;
    // Sites: arrays one `stride` after the other, so that a row's are one pointer and a register.
    size_t stride;
    float* q;     // 3
    float* mq;    // 3
    float* work;  // TLW_WORK_ARRAYS
    float* lanes; // TLW_LANE_ARRAYS
    float* q2;    // mq by another name: a voxel's is read for the last time where its mq is made
    // Regions of width 2, arrays blob->region_stride apart.
    float* region_rotation; // state: 4, Q
    float* region_work;     // 16: T, R columns, then R as a quaternion
    tlw_block_result* results;
    // Stretch: so many blocks before the first of a call were this thread's, just before, in the
    // same stage.
    uint32_t seen_blocks;
    float step_seconds;
    float rebase[3];  // how far the root moved since the last substep, voxels
    float gravity[3]; // h^2 g, voxels
    float stretch_gain, volume_gain;
    uint32_t rotation_iterations;
    bool is_cold;          // the state is not in a cache: stages fetch ahead what later ones want
    bool has_turned_pairs; // of joints whose rotations point apart: skin chooses their signs
    bool is_first_repeat;
    bool starts_back; // all rotations start a little way back, not only those that need it
    bool may_be_off;  // some p may be further off than its limit: predict looks
    bool is_start;    // the first ordinary substep after a carried one: v is relative
    bool is_reset;    // of a carried one: nothing is kept
} tlw_substep;

// name, pass, whether the stage reads what the one before wrote at its neighbours
#define TLW_STAGE_TABLE(X)         \
    X(skin, SKIN, 0)               \
    X(predict, PREDICT, 0)         \
    X(stretch, STRETCH, 1)         \
    X(volume_gradients, VOLUME, 1) \
    X(volume, VOLUME, 1)           \
    X(regions, REGIONS, 1)         \
    X(goal, GOAL, 1)               \
    X(limit, LIMIT, 0)             \
    X(velocity, VELOCITY, 0)

typedef enum tlw_stage {
#define TLW_STAGE_ENUM(name, pass, reach) TLW_STAGE_##name,
    TLW_STAGE_TABLE(TLW_STAGE_ENUM)
#undef TLW_STAGE_ENUM
        TLW_STAGE_COUNT
} tlw_stage;

// Works on blocks [first, end).
typedef void tlw_stage_function(const tlw_substep* substep, uint32_t first, uint32_t end);

struct tlw_embed;
typedef void tlw_embed_function(const struct tlw_embed* embed, uint32_t first, uint32_t end);

// All kernels of one instruction set.
typedef struct tlw_kernels {
    tlw_stage_function* stages[TLW_STAGE_COUNT];
    tlw_stage_function* carry;    // puts what is kept on a new pose, instead of predict to velocity
    tlw_stage_function* regions2; // width 2: [first, end) are windows of 8 regions
    tlw_stage_function* goal2;
    tlw_embed_function* embed_lattice;  // blocks; runtime/embed.h
    tlw_embed_function* embed_frames;   // blocks
    tlw_embed_function* embed_vertices; // groups of 8 vertices
} tlw_kernels;

// Null for a set that this build has no kernels of.
const tlw_kernels* tlw_kernels_of(tlw_isa isa);

#if defined(TLW_ISA_SUFFIX) // in a kernel file
// First in a stage: s, the stage's own copy of the substep and of the blob's arrays. A store of
// eight lanes may alias anything, so what is behind a caller's pointer would be read anew after
// each; of a copy that nobody else sees the compiler keeps what it needs in registers.
#    define TLW_STAGE_COPY(substep)                           \
        const tlw_blob_arrays arrays_copy = *(substep)->blob; \
        tlw_substep substep_copy = *(substep);                \
        substep_copy.blob = &arrays_copy;                     \
        const tlw_substep* const s = &substep_copy
#    define TLW_STAGE_DECLARE(name, pass, reach) tlw_stage_function TLW_KERNEL(tlw_stage_##name);
TLW_STAGE_TABLE(TLW_STAGE_DECLARE)
#    undef TLW_STAGE_DECLARE
tlw_stage_function TLW_KERNEL(tlw_stage_carry);
tlw_stage_function TLW_KERNEL(tlw_stage_regions2);
tlw_stage_function TLW_KERNEL(tlw_stage_goal2);
tlw_embed_function TLW_KERNEL(tlw_embed_lattice);
tlw_embed_function TLW_KERNEL(tlw_embed_frames);
tlw_embed_function TLW_KERNEL(tlw_embed_vertices);
#endif

TLW_EXTERN_C_END

#endif
