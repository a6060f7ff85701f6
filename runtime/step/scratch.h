// SPDX-License-Identifier: MIT
// Private to runtime: scratch, the memory that a worker needs while it steps a character
// (MODEL 6.2). It belongs to the worker, not to the character, and holds nothing that outlives the
// step.
#ifndef TLW_RUNTIME_STEP_SCRATCH_H
#define TLW_RUNTIME_STEP_SCRATCH_H

#include "platform/arena.h"
#include "runtime/output/embed.h"
#include "runtime/passes/kernels.h"
#include "runtime/passes/lines.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_character tlw_character;

// One worker's scratch.
typedef struct tlw_scratch {
    uint8_t* memory;
    size_t bytes;
    const void* cleared_for; // the blob whose gaps between rows are 0 now
    const void* stepped;     // the character that was stepped last
    tlw_shape* shapes;       // for the world's colliders
    tlw_block_hits* hits;    // for as many blocks as the scratch can serve; null without contacts
} tlw_scratch;

// The scratch as one blob divides it.
typedef struct tlw_scratch_view {
    tlw_skin_entry* joints;
    tlw_affine* joint_affines;
    tlw_dual_entry* duals;        // only of characters that are skinned by dual quaternions
    tlw_dual_affine* joint_duals; // the same
    tlw_window_pose* pose;        // of this frame, where no substep falls on the frame's time
    float* sites;                 // all site arrays; the output stages reuse this memory
    size_t site_stride;
    float* regions; // region_work of regions of width 2
    tlw_block_result* results;
    tlw_shape* limbs; // only of blobs that have limbs
    // Only of blobs that have bends (passes/kernels.h).
    tlw_bend_sums* bend_sums;
    float *couple_sums, *lengths;
    double* bend_work;
    tlw_window_correction* corrections;
    // Only of blobs that have muscles (passes/lines.h).
    tlw_belly_row* belly_rows;
    tlw_line_group* line_groups;
    tlw_line_work* line_work;
    tlw_line_field* line_fields;
} tlw_scratch_view;

// Divides the arena's memory for a blob; with a measuring arena it only counts bytes.
void tlw_scratch_carve(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_scratch_view* out);
size_t tlw_scratch_bytes(const tlw_blob_arrays* blob);

// Fills in what does not change between a character's substeps.
void tlw_substep_init(const tlw_character* c, const tlw_scratch_view* view, tlw_substep* out);

// Makes a worker's scratch ready to step a character: divides it, initialises the substep, and
// clears what passes read but never write.
void tlw_scratch_open(tlw_scratch* scratch, const tlw_character* c, tlw_scratch_view* view,
                      tlw_substep* substep);
// Clears the sites of the lane arrays that stand for rows which do not exist. Every substep writes
// the rest of these arrays.
void tlw_scratch_clear_lanes(const tlw_substep* substep);

TLW_EXTERN_C_END

#endif
