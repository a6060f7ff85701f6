// SPDX-License-Identifier: MIT
// Private to runtime: the output of a frame (MODEL 5, RULES 10). Stages, each after the one before
// has run on everything:
//
//     stage         works on   reads                     writes
//     lattice       blocks     state, poses              deltas, frames, m p and m delta, bounds
//     frames        blocks     m p, m delta (27 sites)   slopes, frame slopes
//     centres       centres    deltas                    values of centres            rbf only
//     coefficients  domains    values of centres         coefficients                 rbf only
//     rows          rows       coefficients              deviations of rows           rbf only
//     seams         seams      deviations of rows        the same, 5 times            rbf only
//     deviations    groups     deltas, slopes, or rows   deviations of vertices       rings and rbf
//     vertices      groups     all of these              output streams
//
// Everything is in model space, metres; rest axes are the asset's, not the lattice's. A vertex with
// rest position x0, normal n0 and tangent t0 hangs on joints k (artist weights w_k) and voxels j
// (binding weights w_j):
//
//     skinned  x = L x0 + u              gradient L + sum w_j D_j    L = sum_k w_k M_k
//     frames   x = sum w_j M_j x0        gradient sum w_j F_j        M_j = [R_j | p_j - R_j p0]
//
//     delta    u = sum w_j delta_j
//     fit      u = sum w_j e_j + (sum w_j D_j)(x0 - xb/2)            e_j = d_j - D_j p0_j/2
//
//     n = normalise(cof(gradient) n0)    t = normalise(gradient t0), its handedness unchanged
//
// Why two ways: the first is exactly the artist's skinning where nothing deviates from its skinned
// place; frames needs no artist weights, and is exact at rest and under rigid motion (plain
// trilinear interpolation, where centres are missing at the surface, is half a voxel off at rest).
//
// Here delta = p - p_skin, and the arrays called slopes hold gradients of voxels: D and F - R.
//
// F_j = A_j A0_j^-1 is the gradient of p over a voxel and its linked neighbours, D_j that of delta:
// where nothing deviates D is 0 and normals are exactly the skinned ones. (F_j Rb_j^T applied to
// the skinned normal, the obvious way to write it, is not exact: where joints bend, the gradient of
// p_skin is not Rb.) Where the neighbours do not span space, SLOT_REST is 0, F_j is R_j and D_j is
// R_j - Rb_j. A normal or tangent that comes out without a length stays that of the rest pose.
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

// A joint's rigid motion in model space as a dual quaternion.
typedef struct tlw_dual_affine {
    float real[4], dual[4];
} tlw_dual_affine;

// What stages leave per voxel, by window: eight voxels' numbers side by side, as they were
// computed. Voxels of a group lie beside each other in a few windows, so a reader that broadcasts
// one number at a time finds them in the first cache; rows by voxel would cost transposes and more
// stores.
typedef struct tlw_window_rows {
    float number[12][TLW_LANES]; // three rows of a 3x4 matrix
} tlw_window_rows;

// A gradient by rows, and what is summed along with it: delta, or e of fit.
#define TLW_SLOPE_LAST 9
typedef struct tlw_window_slopes {
    float number[12][TLW_LANES];
} tlw_window_slopes;

typedef struct tlw_window_deltas {
    float number[3][TLW_LANES];
} tlw_window_deltas;

// Three numbers where four are as fast: a deviation of a centre or a vertex.
typedef struct tlw_deviation {
    float x, y, z, unused;
} tlw_deviation;

// What the site arrays of a quantity hold, and their sums over three sites along the lane.
typedef struct tlw_embed_sites {
    float* value[3];
    float* sum[3];        // of a site and the two beside it
    float* difference[3]; // the site after it less the one before
} tlw_embed_sites;

// How u is found.
typedef enum tlw_deviation_source {
    TLW_DEVIATION_BY_DELTAS, // sum w delta
    TLW_DEVIATION_BY_FITS,   // sum w e + (sum w D)(x0 - xb/2)
    TLW_DEVIATION_BY_ROWS    // radial basis functions
} tlw_deviation_source;

typedef struct tlw_embed {
    const tlw_blob_arrays* blob;
    // State and poses of the last two substeps; the output lies between them.
    const tlw_window_state *from, *to;
    const tlw_window_pose *pose_from, *pose_to;
    float blend;                     // 0 from, 1 to (MODEL 5.1)
    const tlw_window_pose* pose;     // of this frame
    float root_rotation[4];          // of this frame, normalised; in the poses, not in the output
    const tlw_affine* joint_affines; // joint times inverse bind of this frame, without the root
    // Skinning by dual quaternions (MODEL 3.13): then joint_affines are the joints' stretches.
    const tlw_dual_affine* joint_duals; // null: linear
    bool has_stretch;                   // some joint is stretched; false: affines are not read
    bool may_point_apart;               // signs must be chosen vertex by vertex
    const tlw_window_correction* corrections; // of `pose`; null where volume is not kept
    // What muscles have moved the places of the poses by (MODEL 3.19): of both substeps, null
    // without muscles; and of `pose`, null where that has none of it.
    const tlw_window_displacement *displacement_from, *displacement_to, *displacement;
    tlw_output output; // as it was set, checked

    // Set by tlw_embed_plan.
    uint32_t first_vertex, end_vertex; // of the output; a stream begins with the first of them
    uint32_t first_group, group_count; // groups of vertices that may have vertices of the output
    uint32_t voxel_groups;             // groups of 8 voxels that streams of voxels have
    tlw_deviation_source deviation;
    bool is_any_skinned;     // some vertex has a base by joints; false: frames alone
    bool is_any_unskinned;   // some vertex follows frames
    bool wants_anything;     // false: no stage runs
    bool wants_base;         // positions of vertices, not only deviations
    bool wants_gradients;    // of vertices
    bool wants_rings;        // normals by ring
    bool wants_deviations;   // stage deviations has something to do
    bool wants_deltas;       // in an array of their own
    bool wants_frames;       // M
    bool wants_slopes;       // D
    bool wants_all_slopes;   // also of windows that no vertex hangs on
    bool wants_fits;         // last of slopes is e of fit, not delta
    bool wants_frame_slopes; // F - R

    // Scratch, set by tlw_embed_place.
    tlw_embed_sites mp, md;          // mass times p and mass times delta, voxels; sums of md only
    tlw_window_slopes* slopes;       // D, and delta or e
    tlw_window_slopes* frame_slopes; // F - R, and 0. F is the rotation of M plus this
    tlw_window_rows* frames;         // M
    tlw_window_deltas* deltas;       // p - p_skin
    tlw_deviation* deviations;       // per vertex in cooked order: u
    tlw_deviation* centres;          // per centre of rbf
    tlw_deviation* coefficients;     // of all domains
    tlw_deviation* rows[2];          // per row of rbf; seam passes go from one to the other
    uint32_t seam_pass;              // the pass of stage seams that runs now

    // Stage lattice sets not_finite, and low and high: the bounds of the block's voxel centres, not
    // yet grown by the size of a voxel.
    tlw_block_result* results;
} tlw_embed;

// TLW_OK, or what is wrong: TLW_ERROR_BAD_DEF, _BAD_ARGUMENT (embedding, order, smoothing, formats,
// strides, range), _MISALIGNED (data is not on a multiple of its component), _UNSUPPORTED.
tlw_result tlw_output_check(const tlw_blob_arrays* blob, const tlw_output* output);
// Finds what a checked output needs. Looks at every group, so it is called once when an output is
// set and not in every frame.
void tlw_embed_plan(tlw_embed* embed);

// Scratch: the arrays of sites, then rows by slot, then what rings and rbf need, over the arrays of
// a substep (step/scratch.h). tlw_embed_scratch_bytes is enough for any output. `memory` must lie,
// and the stride be, on a multiple of 64 bytes. In the first six arrays the gaps between rows, and
// in the six after them the first eight sites, must be 0; what the rest held does not matter.
#define TLW_EMBED_SITE_ARRAYS 12
size_t tlw_embed_scratch_bytes(const tlw_blob_arrays* blob, size_t site_stride);
void tlw_embed_place(tlw_embed* embed, float* memory, size_t site_stride);
// Whether this output overwrites the gaps of the substep's array `work`.
bool tlw_embed_uses_work(const tlw_embed* embed);

// The first number of a slot in an array by window; the next are TLW_LANES apart.
TLW_FORCE_INLINE const float* tlw_embed_of_slot(const float (*numbers)[TLW_LANES],
                                                uint32_t per_window, uint32_t slot) {
    return numbers[(size_t)(slot / TLW_LANES) * per_window] + slot % TLW_LANES;
}

// Items of the stages of rbf: so many centres, rows or seams each.
#define TLW_EMBED_CENTRES_PER_ITEM 64u
#define TLW_EMBED_ROWS_PER_ITEM    64u

TLW_EXTERN_C_END

#endif
