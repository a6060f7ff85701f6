// SPDX-License-Identifier: MIT
// Private to runtime: what the passes read and write, and the table of stages (MODEL 3.1, 7.2).
// Kernels are compiled once per instruction set. Each works on a range of blocks of one character
// (regions2: of regions) and writes only what belongs to these.
//
//     pose      p_skin and Rb, from the joints; of this substep and of the last
//     state     p and Q of this substep and of the last, and v; in windows, streamed
//     sites     q and what is computed from it; rows are contiguous, neighbours are plain loads
//
//     stage            reads                             writes
//     skin             joints                            pose
//     field            pose, joints, F                   q: p_skin; mq: v
//     measure          q and mq (faces)                  bend_sums, couple_sums
//     correct          lengths, own mq                   pose: p_skin; corrections
//     predict          last p, v, both poses             q; last p, where it is off its limit
//     bellies          belly_rows, pose, q               displacement: m; q
//     stretch          q; factors of pairs backward      work: factors of pairs forward; mq
//     regions          mq (27), last Q                   lanes: sums of T, R; now Q; work 0-11:
//                                                        T, R of windows beside a cut, or in
//                                                        blocks too long for the stack buffer
//     goal             lanes (9 rows); work beside cuts; q
//                      own mq
//     anchor           q, pose                           q
//     volume gradients q (faces), now Q                  work 0-8: for the faces; mq: own share
//     volume           work (faces), own mq and q        q
//     stand            displacement, q, pose             q; pose: p_skin becomes t
//     limit            q, pose                           q
//     contact          q, last p, pose, shapes           q; lanes 0-4: n', the most of v.n', and a
//                                                        factor of the relative velocity
//     velocity         q, last p, both poses, lanes      now p, v
//
//     regions2         mq of a region's voxels           region_rotation, region_work
//     goal2            region_work of a voxel's regions  q; now Q
//     seat             belly_rows, pose                  displacement: m; pose: p_skin becomes t
//     carry            last p, Q, v, both poses          now p, Q, v
//
// field, measure and correct run only where volume is kept; between the last two the lengths are
// solved for (step/bends.c). regions2 and goal2 stand for regions and goal where regions have
// width 2. carry stands for predict to velocity in a carried substep. bellies, stand and seat run
// only where there are muscles, whose lines have moved before (step/muscles.c); from stand on, and
// in carry, the pose's p_skin is t. A stage that reads its neighbours begins when the stage before
// has ended on all blocks; any other follows on a block as soon as the stage before is done with it
// (step/substep.c). By then nothing reads what a stage overwrites. Only stretch reads what the same
// stage wrote elsewhere, and only from earlier blocks that the same thread has just done.
#ifndef TLW_RUNTIME_PASSES_KERNELS_H
#define TLW_RUNTIME_PASSES_KERNELS_H

#include "platform/isa.h"
#include "runtime/blob/arrays.h"
#include "runtime/passes.h"
#include "runtime/passes/shapes.h"

TLW_EXTERN_C_BEGIN

// State of the eight voxels of a window, at the last two substeps. Two buffers swap roles: a
// substep reads one and writes the other, so nothing is copied, and the output is interpolated
// between them. World-oriented, in voxels, relative to the root's position at that substep. Empty
// lanes are 0, except in Q and v, where nothing depends on them. Rotations go from the lattice's
// axes to the world.
typedef struct tlw_window_pose {
    float skin[3][TLW_LANES]; // p_skin
    float rb[4][TLW_LANES];   // Rb
} tlw_window_pose;

typedef struct tlw_window_state {
    float p[3][TLW_LANES];
    float rotation[4][TLW_LANES]; // Q = Rb^T R, the region's rotation relative to its pose
} tlw_window_state;

typedef struct tlw_window_velocity {
    float v[3][TLW_LANES]; // after a carried substep, relative to v_skin
} tlw_window_velocity;

// A joint's skinning matrix in voxels, joint times inverse bind: columns lane, row, plane,
// translation, the fourth component of each is 0. And its rotation.
typedef struct tlw_skin_entry {
    float column[4][4];
    float rotation[4];
} tlw_skin_entry;

// A joint's rigid motion from the lattice's cells to state as a dual quaternion, real and dual
// part, and its stretch about its bind, from cells to cells: columns like those of tlw_skin_entry.
typedef struct tlw_dual_entry {
    float real[4], dual[4];
    float stretch[4][4];
} tlw_dual_entry;

// What a window adds to one of its bends: A_0 to A_3.
typedef struct tlw_bend_sums {
    float a[4];
} tlw_bend_sums;

// How far skinned volume has moved p_skin.
typedef struct tlw_window_correction {
    float by[3][TLW_LANES];
} tlw_window_correction;

// How far muscles move the place to which tissue is drawn: m, world axes.
typedef struct tlw_window_displacement {
    float m[3][TLW_LANES];
} tlw_window_displacement;

// What the lines of eight muscles come to at one of their vertices (MODEL 3.19), by MUSCLE_ROWS.
typedef struct tlw_belly_row {
    float b[TLW_LANES];    // B
    float c[3][TLW_LANES]; // world axes
} tlw_belly_row;

// Lame layers in a substep (MODEL 3.20).
typedef struct tlw_lame_window {
    float c[TLW_LANES];               // of Lame voxels; 0 in other lanes
    float bulk[TLW_LANES];            // C; 0 in other lanes
    float shear_inverse[TLW_LANES];   // 1 over the diagonal of 1 + c L
    float bulk_inverse[3][TLW_LANES]; // 1 over that of 1 + D^T C D, by component
} tlw_lame_window;

// What the materials of eight voxels come to in one substep. Stored per window, not per material:
// four gathers per pass cost more than loading this cache line.
typedef struct tlw_window_gains {
    float goal[TLW_LANES];    // G(ks); 0 for bone
    float damping[TLW_LANES]; // kd^(h/0.1) / (h max(1 - a, 1/2)); 0 for bone
    float anchor[TLW_LANES];  // 1 - a = exp(-(2 pi f h)^2): what the anchor leaves of p - p_skin
    float limit[TLW_LANES];   // d_max
} tlw_window_gains;

// The second cache holds about this many windows of a character. With more, the first are evicted
// before a stage has come to the last: the character is cold even if it was stepped just before,
// and regions need not prefetch for goal.
#define TLW_COLD_WINDOWS 1000

// Arrays of floats: `work` and `lanes` by site, `region_work` by region.
#define TLW_WORK_ARRAYS        13
#define TLW_LANE_ARRAYS        9
#define TLW_REGION_WORK_ARRAYS 16
#define TLW_SITE_ARRAYS        (3 + 3 + TLW_WORK_ARRAYS + TLW_LANE_ARRAYS) // q, mq, lanes, work

// What the stages found out about a block. Results of blocks are combined in the blocks' order.
typedef struct tlw_block_result {
    float moved;         // largest component of dp relative to dp_skin in this substep
    uint32_t not_finite; // whether any number is not finite
    // Bounds of the output's voxel centres; contact leaves those of p and q.
    float low[3], high[3];
    uint32_t touched; // whether contact moved anything; of no meaning where contact did not run
} tlw_block_result;

// What one drag does in a substep (MODEL 3.17).
typedef struct tlw_pull {
    const float* weights;              // w by slot
    uint32_t first_window, end_window; // the others have no weight
    float by[3];                       // times w
} tlw_pull;
#define TLW_PULLS_MAX 8

// What the stages get: one character, one substep.
typedef struct tlw_substep {
    const tlw_blob_arrays* blob;
    tlw_window_pose* pose; // of this substep
    const tlw_window_pose* pose_last;
    tlw_window_state *now, *last; // of this substep and of the one before
    tlw_window_velocity* velocity;
    const tlw_skin_entry* joints;
    const tlw_dual_entry* duals; // null: linear skinning
    const tlw_window_gains* gains;
    // Arrays by site, each `stride` floats after the one before, so that a pass reaches all arrays
    // of a row with one pointer and one register for the stride.
    size_t stride;
    float* q;     // 3
    float* mq;    // 3: mass times q, as stretch left it; volume keeps its own share here
    float* work;  // TLW_WORK_ARRAYS
    float* lanes; // TLW_LANE_ARRAYS
    // Arrays by region, of width 2, blob->region_stride floats apart.
    float* region_rotation; // 4: Q, state
    float* region_work;     // TLW_REGION_WORK_ARRAYS: T, columns of R, then R as a quaternion
    tlw_block_result* results;
    // Skinned volume; null unless it is kept.
    tlw_bend_sums* bend_sums;           // by BEND_ENTRY
    float* couple_sums;                 // by BEND_COUPLE
    float* lengths;                     // by BENDS: l
    tlw_window_correction* corrections; // by window
    double* bend_work;                  // of the solver
    // Muscles; null unless the character has any.
    tlw_window_displacement* displacement; // m of this substep
    const tlw_belly_row* belly_rows;
    // Lame layers: by the place of LAME_WINDOWS; null unless the character has any.
    const tlw_lame_window* lame;
    uint32_t lame_iteration;               // counts from 0 in each of the two solves
    float lame_kept_share, lame_new_share; // of Chebyshev's iteration: z = kept z + new P^-1 r
    // Contact (MODEL 3.15); without shapes the stage does not run.
    tlw_shapes limbs, colliders; // without colliders that are too far away to touch
    bool may_touch;              // there are limbs or colliders, near or far
    tlw_block_hits* hits;        // by block; null: nobody asks what touched
    // Forces (MODEL 3.17).
    bool has_forces; // some of what follows is not 0; predict takes another way through its loop
    float rest_gravity[3]; // h^2 g0, in voxels, lattice axes
    float wind[3];         // voxels per second
    float wind_share;      // h c, with c per voxel
    uint32_t pull_count;
    tlw_pull pulls[TLW_PULLS_MAX];
    // For stretch: this many blocks before the first one of a call were done by the same thread in
    // the same stage just before.
    uint32_t seen_blocks;
    float step_seconds;
    float rebase[3];  // how far the root moved since the last substep, in voxels
    float gravity[3]; // h^2 g, in voxels
    float stretch_gain, volume_gain;
    uint32_t rotation_iterations;
    bool is_cold;           // the state is not in a cache: stages prefetch what later ones read
    bool has_opposed_pairs; // quaternions of some joints point apart: skin chooses signs per voxel
    bool has_stretch;       // some joint is stretched: skinning by dual quaternions must look
    bool has_turned_pairs;  // joints of some voxel are far apart: field takes F back (f < 1)
    bool is_skinned;        // skin, and bends, have run: tlw_run_substep begins with predict
    bool is_first_repeat;
    bool starts_back; // all rotations start 5% back, not only those that need it
    bool may_be_off;  // some p may be beyond its limit: predict checks
    bool is_start;    // first ordinary substep after a carried one: v is relative to v_skin
    bool is_reset;    // a carried substep that keeps nothing: p = p_skin, Q = 1, v = 0
} tlw_substep;

// When a stage runs.
typedef enum tlw_phase {
    TLW_PHASE_SKIN,       // once per substep, also per carried one
    TLW_PHASE_MEASURE,    // after that, where volume is kept
    TLW_PHASE_CORRECT,    // after that, when the lengths of the bends are known
    TLW_PHASE_BEFORE,     // once per ordinary substep, before the repeats
    TLW_PHASE_REPEATED,   // in each of the repeats that the character's settings ask for
    TLW_PHASE_AFTER,      // once per ordinary substep, after the last repeat
    TLW_PHASE_LAME_BEGIN, // after that, where there are Lame layers
    TLW_PHASE_LAME_SHEAR, // after that, as often as c asks for
    TLW_PHASE_LAME_BULK,  // after that, four times
    TLW_PHASE_LAME_END,   // after that
    TLW_PHASE_LIMIT,      // after that
    TLW_PHASE_CONTACT,    // after that, where there is something to touch
    TLW_PHASE_END,        // after that
    TLW_PHASE_CARRIED     // alone, in a carried substep, after skin
} tlw_phase;

// Which characters a stage is for.
typedef enum tlw_stage_only {
    TLW_ONLY_ALL,     // every one
    TLW_ONLY_WIDTH_3, // with regions of this width
    TLW_ONLY_WIDTH_2,
    TLW_ONLY_BELLIES, // with muscles
    TLW_ONLY_LAME     // with Lame layers
} tlw_stage_only;

// What a stage's range [first, end) counts.
typedef enum tlw_stage_items {
    TLW_ITEMS_BLOCKS,
    TLW_ITEMS_REGIONS // eight regions of width 2 each
} tlw_stage_items;

// What a stage writes. The stage recorder of the tests hashes these arrays, in this order.
#define TLW_WRITES_POSE          (1u << 4)
#define TLW_WRITES_NOW           (1u << 5) // p and Q of this substep
#define TLW_WRITES_ROTATION      (1u << 6) // Q of this substep
#define TLW_WRITES_VELOCITY      (1u << 7)
#define TLW_WRITES_WORK(n)       ((uint32_t)(n))       // the first n arrays of work, 0 to 15
#define TLW_WRITTEN_WORK(writes) ((int)((writes)&15u)) // that n
#define TLW_WRITES_Q             (1u << 8)
#define TLW_WRITES_MQ            (1u << 9)
#define TLW_WRITES_LANES         (1u << 10)
#define TLW_WRITES_REGIONS       (1u << 11) // region_work
#define TLW_WRITES_BEND_SUMS     (1u << 12)

// The stages; those of one phase run in the order of the table. Columns: name (the kernel is
// tlw_stage_NAME); pass that its time counts for; phase; which characters it is for; what its items
// are; whether it reads what the stage before wrote at its neighbours; what it writes.
#define TLW_STAGE_TABLE(X)                                                                 \
    X(skin, SKIN, SKIN, ALL, BLOCKS, 0, TLW_WRITES_POSE)                                   \
    X(field, BENDS, MEASURE, ALL, BLOCKS, 0, TLW_WRITES_Q | TLW_WRITES_MQ)                 \
    X(measure, BENDS, MEASURE, ALL, BLOCKS, 1, TLW_WRITES_BEND_SUMS)                       \
    X(correct, BENDS, CORRECT, ALL, BLOCKS, 0, TLW_WRITES_POSE)                            \
    X(predict, PREDICT, BEFORE, ALL, BLOCKS, 0, TLW_WRITES_Q)                              \
    X(bellies, MUSCLES, BEFORE, BELLIES, BLOCKS, 0, TLW_WRITES_Q)                          \
    X(stretch, STRETCH, REPEATED, ALL, BLOCKS, 1,                                          \
      TLW_WRITES_WORK(TLW_WORK_ARRAYS) | TLW_WRITES_MQ)                                    \
    X(lame_hold, LAME, REPEATED, LAME, BLOCKS, 0, TLW_WRITES_MQ)                           \
    X(regions, REGIONS, REPEATED, WIDTH_3, BLOCKS, 1,                                      \
      TLW_WRITES_ROTATION | TLW_WRITES_WORK(12) | TLW_WRITES_LANES)                        \
    X(regions2, REGIONS, REPEATED, WIDTH_2, REGIONS, 1, TLW_WRITES_REGIONS)                \
    X(goal, GOAL, REPEATED, WIDTH_3, BLOCKS, 1, TLW_WRITES_Q)                              \
    X(goal2, GOAL, REPEATED, WIDTH_2, BLOCKS, 1, TLW_WRITES_ROTATION | TLW_WRITES_Q)       \
    X(anchor, ANCHOR, AFTER, ALL, BLOCKS, 0, TLW_WRITES_Q)                                 \
    X(volume_gradients, VOLUME, AFTER, ALL, BLOCKS, 1, TLW_WRITES_WORK(9) | TLW_WRITES_MQ) \
    X(lame_spare, LAME, AFTER, LAME, BLOCKS, 0, TLW_WRITES_WORK(9) | TLW_WRITES_MQ)        \
    X(volume, VOLUME, AFTER, ALL, BLOCKS, 1, TLW_WRITES_Q)                                 \
    X(lame_begin, LAME, LAME_BEGIN, LAME, BLOCKS, 0, TLW_WRITES_WORK(TLW_WORK_ARRAYS))     \
    X(lame_shear, LAME, LAME_SHEAR, LAME, BLOCKS, 1, TLW_WRITES_WORK(TLW_WORK_ARRAYS))     \
    X(lame_divergence, LAME, LAME_BULK, LAME, BLOCKS, 1, TLW_WRITES_WORK(TLW_WORK_ARRAYS)) \
    X(lame_bulk, LAME, LAME_BULK, LAME, BLOCKS, 1, TLW_WRITES_WORK(TLW_WORK_ARRAYS))       \
    X(lame_end, LAME, LAME_END, LAME, BLOCKS, 0, TLW_WRITES_Q)                             \
    X(stand, MUSCLES, LIMIT, BELLIES, BLOCKS, 0, TLW_WRITES_POSE | TLW_WRITES_Q)           \
    X(limit, LIMIT, LIMIT, ALL, BLOCKS, 0, TLW_WRITES_Q)                                   \
    X(contact, CONTACT, CONTACT, ALL, BLOCKS, 0, TLW_WRITES_Q)                             \
    X(velocity, VELOCITY, END, ALL, BLOCKS, 0, TLW_WRITES_NOW | TLW_WRITES_VELOCITY)       \
    X(seat, MUSCLES, CARRIED, BELLIES, BLOCKS, 0, TLW_WRITES_POSE)                         \
    X(carry, PREDICT, CARRIED, ALL, BLOCKS, 0, TLW_WRITES_NOW | TLW_WRITES_VELOCITY)

typedef enum tlw_stage {
#define TLW_STAGE_ENUM(name, ...) TLW_STAGE_##name,
    TLW_STAGE_TABLE(TLW_STAGE_ENUM)
#undef TLW_STAGE_ENUM
        TLW_STAGE_COUNT
} tlw_stage;

// A row of the table.
typedef struct tlw_stage_info {
    const char* name;
    tlw_pass pass;
    tlw_phase phase;
    tlw_stage_only only;
    tlw_stage_items items;
    bool reads_neighbours;
    uint32_t writes;
} tlw_stage_info;
extern const tlw_stage_info tlw_stages[TLW_STAGE_COUNT];

// Works on items [first, end).
typedef void tlw_stage_function(const tlw_substep* substep, uint32_t first, uint32_t end);

struct tlw_embed;
struct tlw_lines;
typedef void tlw_embed_function(const struct tlw_embed* embed, uint32_t first, uint32_t end);

// Moves the action lines of a character (passes/lines.h). No stage: it works on muscles.
typedef void tlw_lines_function(const struct tlw_lines* lines);

// All kernels of one instruction set.
typedef struct tlw_kernels {
    tlw_stage_function* stages[TLW_STAGE_COUNT];
    tlw_lines_function* solve_lines;
    // The output's stages (output/embed.h).
    tlw_embed_function* embed_lattice;      // items are blocks
    tlw_embed_function* embed_frames;       // items are blocks
    tlw_embed_function* embed_centres;      // items are TLW_EMBED_CENTRES_PER_ITEM centres
    tlw_embed_function* embed_coefficients; // items are domains
    tlw_embed_function* embed_rows;         // items are TLW_EMBED_ROWS_PER_ITEM rows
    tlw_embed_function* embed_seams;        // items are as many seams
    tlw_embed_function* embed_deviations;   // items are groups of 8 vertices
    tlw_embed_function* embed_vertices;     // items are groups of 8 vertices, then of 8 voxels
} tlw_kernels;

// Null for an instruction set that this build has no kernels for.
const tlw_kernels* tlw_kernels_of(tlw_isa isa);

#if defined(TLW_ISA_SUFFIX) // in a kernel file
// A stage begins with this. It declares s, the stage's own copy of the substep and of the blob's
// arrays. A store of eight lanes may alias anything, so the compiler would load what a caller's
// pointer leads to again after every store; from a copy that no other code sees it keeps what it
// needs in registers.
#    define TLW_STAGE_COPY(substep)                           \
        const tlw_blob_arrays arrays_copy = *(substep)->blob; \
        tlw_substep substep_copy = *(substep);                \
        substep_copy.blob = &arrays_copy;                     \
        const tlw_substep* const s = &substep_copy
#    define TLW_STAGE_DECLARE(name, ...) tlw_stage_function TLW_KERNEL(tlw_stage_##name);
TLW_STAGE_TABLE(TLW_STAGE_DECLARE)
#    undef TLW_STAGE_DECLARE
tlw_lines_function TLW_KERNEL(tlw_solve_lines);
tlw_embed_function TLW_KERNEL(tlw_embed_lattice);
tlw_embed_function TLW_KERNEL(tlw_embed_frames);
tlw_embed_function TLW_KERNEL(tlw_embed_centres);
tlw_embed_function TLW_KERNEL(tlw_embed_coefficients);
tlw_embed_function TLW_KERNEL(tlw_embed_rows);
tlw_embed_function TLW_KERNEL(tlw_embed_seams);
tlw_embed_function TLW_KERNEL(tlw_embed_deviations);
tlw_embed_function TLW_KERNEL(tlw_embed_vertices);
#endif

TLW_EXTERN_C_END

#endif
