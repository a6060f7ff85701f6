// SPDX-License-Identifier: MIT
// Private to runtime: what is drawn. Three stages, each after the one before has run on everything:
//
//     stage      works on   reads                     writes
//     lattice    blocks     tissue, poses             deltas, frames, m p and m delta, bounds
//     frames     blocks     m p, m delta (27 sites)   slopes, frame slopes; if wants_gradients
//     vertices   groups     all of these              output streams
//
// design.md, "What is drawn is in step with this frame's pose" and cooking rule 10. Model space,
// metres, everywhere; rest axes as the asset has them, not turned.
//
//     delta    x = L x0 + sum w_j delta_j    gradient L + sum w_j D_j    L = sum_k w_k M_k
//     frames   x = sum w_j M_j x0            gradient sum w_j F_j        M_j = [R_j | p_j - R_j p0]
//
//     n = normalise(cof(gradient) n0)        t = normalise(gradient t0), its handedness unchanged
//
// F_j = A_j A0_j^-1 is the gradient of p over a voxel's 27 neighbours, D_j the same of delta: where
// nothing is off its skinned place D is 0 and normals are exactly the skinned ones. (F_j Rb_j^T on
// the skinned normal, the obvious way to write it, is not: where joints bend the gradient of p_skin
// is not Rb.) Where the neighbours do not span space, det A0_j <= 1e-3 (tr A0_j / 3)^3, F_j is R_j
// and D_j is R_j - Rb_j. What has no length to normalise stays the rest pose's.
#ifndef TLW_RUNTIME_OUTPUT_EMBED_H
#define TLW_RUNTIME_OUTPUT_EMBED_H

#include "runtime/passes/kernels.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// Three rows of a 3x4 matrix in a line of their own, on a multiple of 64 bytes.
typedef struct tlw_affine {
    float row[3][4];
    float unused[4];
} tlw_affine;
TLW_STATIC_ASSERT(sizeof(tlw_affine) == 64, "rows");

// The same without the gap: there are many.
typedef struct tlw_voxel_rows {
    float row[3][4];
} tlw_voxel_rows;

typedef struct tlw_embed {
    const tlw_blob_arrays* blob;
    // Of the last two substeps: what is drawn is between them.
    const tlw_window_state *from, *to;
    const tlw_window_pose *pose_from, *pose_to;
    float blend;                     // accumulator / h
    const tlw_window_pose* pose;     // of this frame
    float root_rotation[4];          // of now, normalised; poses have it, outputs do not
    const tlw_affine* joint_affines; // joint times inverse bind of now; the root is not in it
    tlw_output output;               // as it was set, checked

    // By tlw_embed_plan.
    uint32_t first_vertex, vertex_count; // of the output; a stream begins with the first of them
    uint32_t vertex_groups;
    uint32_t group_count;   // of stage vertices: 8 vertices each, then 8 voxels of the lattice each
    bool is_delta;          // or frames
    bool has_unskinned;     // vertices without artist weights, which ride on frames in delta mode
    bool wants_base;        // places of vertices, not only deltas
    bool wants_deltas;      // in an array of their own
    bool wants_frames;      // M
    bool wants_gradients;   // stage frames has something to do
    bool wants_slopes;      // D
    bool wants_site_deltas; // m delta
    bool wants_frame_slopes; // F - R

    // Scratch, by tlw_embed_place; one a slot, or one a site.
    float (*deltas)[8];           // p - p_skin; the rest is 0
    tlw_voxel_rows* frames;       // M
    tlw_voxel_rows* slopes;       // [D | delta]
    tlw_voxel_rows* frame_slopes; // [F - R | delta]: what M lacks to F
    float* mp[3];                 // mass times p, voxels
    float* md[3];                 // mass times delta, voxels

    // low and high: of the block's voxels' centres, not grown; whether one is not finite.
    tlw_block_result* results;
} tlw_embed;

// TLW_OK, or what is wrong: TLW_ERROR_BAD_DEF, _BAD_ARGUMENT (embedding, formats, strides, range),
// _MISALIGNED (data is not on a multiple of its component).
tlw_result tlw_output_check(const tlw_blob_arrays* blob, const tlw_output* output);
// What a checked output needs. Looks at every vertex: once an output, not once a frame.
void tlw_embed_plan(tlw_embed* embed);
// Enough for any output, and where in it things lie; `memory` and the stride on multiples of 64
// bytes. Whatever was there before does not matter. First arrays of sites, whose gaps are 0
// afterwards; then rows by slot, of which an output uses so many bytes.
#define TLW_EMBED_SITE_ARRAYS 6
size_t tlw_embed_scratch_bytes(const tlw_blob_arrays* blob, size_t site_stride);
void tlw_embed_place(tlw_embed* embed, float* memory, size_t site_stride);
size_t tlw_embed_rows_used(const tlw_embed* embed);

TLW_EXTERN_C_END

#endif
