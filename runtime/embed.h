// SPDX-License-Identifier: MIT
// Private to runtime: what is drawn. Three stages, each after the one before has run on everything:
//
//     lattice    blocks               state, pose of now -> p, R of every voxel at this frame's
//     pose frames     blocks               p of 27 sites      -> F of every voxel, where normals
//     want it vertices   groups of 8 vertices p, R, F            -> output streams
//
// design.md, "What is drawn is in step with this frame's pose" and cooking rule 10.
#ifndef TLW_RUNTIME_EMBED_H
#define TLW_RUNTIME_EMBED_H

#include "runtime/kernels.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// What a vertex needs of a voxel, model space: a line, or two with frames.
typedef struct tlw_voxel_frame {
    float delta[4];       // p - p_skin, metres; [3] is 0
    float place[4];       // frames: p - R p0, metres, so that x = sum w (R x0 + place)
    float rotation[3][4]; // frames: columns of R, of the rest frame as the blob has it (x, y, z)
    float gradient[3][4]; // normals: columns of F, the same
} tlw_voxel_frame;

typedef struct tlw_embed {
    const tlw_body* body;
    const tlw_window_state* state;
    const tlw_window_pose* pose; // of now
    float blend;                 // accumulator / h: from d0, Q0 to d, Q
    float root_rotation[4];      // of now; poses have it, outputs do not
    float (*joint_rows)[12]; // joint times inverse bind of now, model space, metres: 3 rows of 4
    tlw_output output;       // as it was set, checked
    bool wants_frames, wants_gradients; // of the output, see tlw_embed_plan
    tlw_voxel_frame* frames;            // scratch, one a slot
    float* mp[3];                       // scratch, sites: mass times p, for the gradients
    tlw_block_result* results;          // bounds a block, model space, metres
} tlw_embed;

// Whether frames (rotations) and gradients are needed for this output, and which embedding AUTO is.
void tlw_embed_plan(tlw_embed* embed);
// TLW_OK, or which argument is wrong: strides, formats, ranges.
tlw_result tlw_output_check(const tlw_body* body, const tlw_output* output);

TLW_EXTERN_C_END

#endif
