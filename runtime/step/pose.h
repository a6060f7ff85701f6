// SPDX-License-Identifier: MIT
// Private to runtime: poses (MODEL 4.1). A joint's transform is kept as translation, rotation and
// stretch, M = T R U, so that it can be interpolated and a general 4x4 comes back exactly at both
// ends.
#ifndef TLW_RUNTIME_STEP_POSE_H
#define TLW_RUNTIME_STEP_POSE_H

#include "runtime/blob.h"
#include "runtime/output/embed.h"
#include "runtime/passes/kernels.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_joint_pose {
    float translation[3];
    float rotation[4];
    float stretch[3][3]; // columns of U = R^T M
} tlw_joint_pose;

// A joint's bind pose, and what the lattice becomes in the joint's space.
typedef struct tlw_joint_bind {
    double inverse[3][4]; // rows of the inverse bind
    double matrix[3][4];  // rows of the bind
    // Rows of the inverse bind times the lattice: columns lane, row, plane, origin.
    double lattice[3][4];
    double lattice_rotation[4]; // rotation of the inverse bind times the lattice
} tlw_joint_bind;

// A whole pose at one moment.
typedef struct tlw_pose_moment {
    tlw_joint_pose* joints;
    tlw_root root;
} tlw_pose_moment;

// The rotation from the lattice's axes (lane, row, plane) to the asset's.
void tlw_lattice_rotation(const tlw_blob_lattice* lattice, double out[4]);
void tlw_bind_of(const double bind[16], const tlw_blob_lattice* lattice, tlw_joint_bind* out);
// Sets a pose to the bind pose.
void tlw_pose_set_bind(const tlw_joint_bind* binds, uint32_t count, tlw_pose_moment* out);

// Reads a pose of the engine's. What is wrong with it, and then nothing is written; `what` is null
// if nothing is.
tlw_pose_problem tlw_pose_read(const tlw_pose* pose, tlw_pose_kind kind,
                               const tlw_joint_bind* binds, tlw_pose_moment* out);
bool tlw_pose_is_equal(const tlw_pose_moment* a, const tlw_pose_moment* b, uint32_t count);

// The root at `share` of the way from a to b: positions and scales linearly, rotations by a
// normalised linear blend. 0 and 1 give the ends to the bit.
tlw_root tlw_root_between(const tlw_root* a, const tlw_root* b, double share);

// Skinning matrices for the passes at `share` of the way from a to b: joint times inverse bind in
// voxels and in the lattice's axes, with the root's rotation, and the quaternions of their
// rotations. Translations and stretches are interpolated linearly, rotations by a normalised linear
// blend.
void tlw_pose_joints(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                     const tlw_pose_moment* a, const tlw_pose_moment* b, double share,
                     tlw_skin_entry* joints);
// Skinning matrices for the output: joint times inverse bind in model space, metres, without the
// root.
void tlw_pose_affines(const tlw_joint_bind* binds, const tlw_pose_moment* pose, uint32_t count,
                      tlw_affine* joint_affines);
// Flips quaternions to the opposite sign, which is the same rotation, so that no joint's points
// away from its parent's (MODEL 3.2). True if the quaternions of one of the blob's joint pairs
// point apart all the same: skin must then choose signs per voxel. Signs that were chosen before
// stay.
bool tlw_pose_choose_signs(const tlw_blob_arrays* blob, tlw_skin_entry* joints);

// Whether two joints of a voxel are so far apart that skinned volume takes its field back: their
// quaternions' dot product is within 1/4 of 0 (MODEL 3.12).
bool tlw_pose_has_turned_pairs(const tlw_blob_arrays* blob, const tlw_skin_entry* joints);

// For skinning by dual quaternions (MODEL 3.13), at the same share of the way: `joints` are those
// of tlw_pose_joints after their signs were chosen. True if some joint is stretched.
bool tlw_pose_duals(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                    const tlw_pose_moment* a, const tlw_pose_moment* b, double share,
                    const tlw_skin_entry* joints, tlw_dual_entry* duals);

typedef struct tlw_dual_flags {
    bool has_stretch;
    bool may_point_apart; // quaternions of two joints may point apart, whichever vertex has them
} tlw_dual_flags;

// The same for the output, in model space without the root, with stretches as 3x4 matrices.
tlw_dual_flags tlw_pose_dual_affines(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                                     const tlw_pose_moment* pose, const tlw_skin_entry* joints,
                                     tlw_dual_affine* duals, tlw_affine* stretches);

// A normalised linear blend; b is flipped to the side of a.
void tlw_blend_rotations(const float a[4], const float b[4], double share, double out[4]);

// Whether some corner of a joint's box, which holds all voxels that the joint moves, moves further
// than `limit` voxels, relative to the root. If none does, no voxel does.
bool tlw_pose_moves_far(const tlw_blob_arrays* blob, const tlw_skin_entry* a_joints,
                        const tlw_skin_entry* b_joints, float limit);

TLW_EXTERN_C_END

#endif
