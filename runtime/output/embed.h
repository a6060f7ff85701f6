// SPDX-License-Identifier: MIT
// Private to runtime: the output of a frame (MODEL 5, RULES 10). Three stages, each after the one
// before has run on everything:
//
//     stage      works on   reads                     writes
//     lattice    blocks     state, poses              deltas, frames, m p and m delta, bounds
//     frames     blocks     m p, m delta (27 sites)   slopes, frame slopes; if wants_gradients
//     vertices   groups     all of these              output streams
//
// Everything is in model space, metres; rest axes are the asset's, not the lattice's. A vertex with
// rest position x0, normal n0 and tangent t0 hangs on joints k (artist weights w_k) and voxels j
// (binding weights w_j):
//
//     delta    x = L x0 + sum w_j delta_j    gradient L + sum w_j D_j    L = sum_k w_k M_k
//     frames   x = sum w_j M_j x0            gradient sum w_j F_j        M_j = [R_j | p_j - R_j p0]
//
//     n = normalise(cof(gradient) n0)        t = normalise(gradient t0), its handedness unchanged
//
// Why two ways: delta is exactly the artist's skinning where nothing deviates from its skinned
// place; frames needs no artist weights, and is exact at rest and under rigid motion (plain
// trilinear interpolation, where centres are missing at the surface, is half a voxel off at rest).
//
// Here delta = p - p_skin, and the arrays called slopes hold gradients of voxels: D and F - R.
//
// F_j = A_j A0_j^-1 is the gradient of p over a voxel and its linked neighbours, D_j that of delta:
// where nothing deviates D is 0 and normals are exactly the skinned ones. (F_j Rb_j^T applied to
// the skinned normal, the obvious way to write it, is not exact: where joints bend, the gradient of
// p_skin is not Rb.) Where the neighbours do not span space, det A0_j <= 1e-3 (tr A0_j / 3)^3, F_j
// is R_j and D_j is R_j - Rb_j. A normal or tangent that comes out without a length stays that of
// the rest pose.
#ifndef TLW_RUNTIME_OUTPUT_EMBED_H
#define TLW_RUNTIME_OUTPUT_EMBED_H

#include "runtime/passes/kernels.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// Three rows of a 3x4 matrix in a cache line of their own, on a multiple of 64 bytes.
typedef struct tlw_affine {
    float row[3][4];
    float unused[4];
} tlw_affine;
TLW_STATIC_ASSERT(sizeof(tlw_affine) == 64, "rows");

// The same without the gap, because there is one per voxel.
typedef struct tlw_voxel_rows {
    float row[3][4];
} tlw_voxel_rows;

typedef struct tlw_embed {
    const tlw_blob_arrays* blob;
    // State and poses of the last two substeps; the output lies between them.
    const tlw_window_state *from, *to;
    const tlw_window_pose *pose_from, *pose_to;
    float blend;                     // 0 from, 1 to (MODEL 5.1)
    const tlw_window_pose* pose;     // of this frame
    float root_rotation[4];          // of this frame, normalised; in the poses, not in the output
    const tlw_affine* joint_affines; // joint times inverse bind of this frame, without the root
    tlw_output output;               // as it was set, checked

    // Set by tlw_embed_plan.
    uint32_t first_vertex, vertex_count; // of the output; a stream begins with the first of them
    uint32_t vertex_groups;
    uint32_t group_count; // of stage vertices: groups of 8 vertices, then groups of 8 voxels for
                          // the lattice stream
    bool is_delta;        // delta mode; false: frames mode
    bool has_unskinned;   // delta mode with vertices that have no artist weights: those use frames
    bool wants_base;      // positions of vertices, not only deltas
    bool wants_deltas;    // in an array of their own
    bool wants_frames;    // M
    bool wants_gradients; // stage frames has something to do
    bool wants_slopes;    // D
    bool wants_site_deltas;  // m delta
    bool wants_frame_slopes; // F - R

    // Scratch, set by tlw_embed_place. The first four have an element per slot, mp and md per site.
    float (*deltas)[8];           // p - p_skin, then five zeros
    tlw_voxel_rows* frames;       // M
    tlw_voxel_rows* slopes;       // [D | delta]
    tlw_voxel_rows* frame_slopes; // [F - R | delta]: F is the rotation of M plus this
    float* mp[3];                 // mass times p, voxels
    float* md[3];                 // mass times delta, voxels

    // Stage lattice sets not_finite, and low and high: the bounds of the block's voxel centres, not
    // yet grown by the size of a voxel.
    tlw_block_result* results;
} tlw_embed;

// TLW_OK, or what is wrong: TLW_ERROR_BAD_DEF, _BAD_ARGUMENT (embedding, formats, strides, range),
// _MISALIGNED (data is not on a multiple of its component).
tlw_result tlw_output_check(const tlw_blob_arrays* blob, const tlw_output* output);
// Finds what a checked output needs. Looks at every vertex, so it is called once when an output is
// set and not in every frame.
void tlw_embed_plan(tlw_embed* embed);

// Scratch: first the arrays of sites, whose gaps are 0 after stage lattice, then rows by slot.
// tlw_embed_scratch_bytes is enough for any output, tlw_embed_rows_used says how many bytes of rows
// this output uses. `memory` must lie, and the stride be, on a multiple of 64 bytes; what the
// memory held before does not matter.
#define TLW_EMBED_SITE_ARRAYS 6
size_t tlw_embed_scratch_bytes(const tlw_blob_arrays* blob, size_t site_stride);
void tlw_embed_place(tlw_embed* embed, float* memory, size_t site_stride);
size_t tlw_embed_rows_used(const tlw_embed* embed);

TLW_EXTERN_C_END

#endif
