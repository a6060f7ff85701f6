// SPDX-License-Identifier: MIT
// Private to runtime: poses. A joint's transform is kept as translation, rotation and stretch,
// M = T R U, so that it can be interpolated and a general 4x4 comes back exactly at both ends.
#ifndef TLW_RUNTIME_STEP_POSE_H
#define TLW_RUNTIME_STEP_POSE_H

#include "runtime/output/embed.h"
#include "runtime/passes/kernels.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_joint_pose {
    float translation[3];
    float rotation[4];
    float stretch[3][3]; // columns of U = R^T M
} tlw_joint_pose;

// Of the bind pose, and what it makes of the lattice.
typedef struct tlw_joint_bind {
    double inverse[3][4]; // rows of the inverse bind
    double matrix[3][4];  // rows of the bind
    double lattice[3]
                  [4]; // rows of the inverse bind times the lattice: turned axes, then the origin
    double turn[4];    // its rotation
} tlw_joint_bind;

// A whole pose: joints and root.
typedef struct tlw_pose_moment {
    tlw_joint_pose* joints;
    tlw_root root;
} tlw_pose_moment;

void tlw_bind_of(const double bind[16], const tlw_blob_lattice* lattice, tlw_joint_bind* out);
// The bind pose itself.
void tlw_pose_set_bind(const tlw_joint_bind* binds, uint32_t count, tlw_pose_moment* out);

// False, and nothing written, if anything is not usable: not finite, no volume, root scale.
bool tlw_pose_read(const tlw_pose* pose, tlw_pose_kind kind, const tlw_joint_bind* binds,
                   tlw_pose_moment* out);
bool tlw_pose_is_equal(const tlw_pose_moment* a, const tlw_pose_moment* b, uint32_t count);

// Between two poses: lerp, nlerp, lerp; 0 and 1 give the ends to the bit. Only the root here:
// tlw_pose_joints does joints.
tlw_root tlw_root_between(const tlw_root* a, const tlw_root* b, double share);

// Where joints are at a moment between two poses, as the passes want it: joint times inverse bind
// in voxels with the root's rotation, columns turned, and the rotations' quaternions.
void tlw_pose_joints(const tlw_blob_arrays* blob, const tlw_joint_bind* binds,
                     const tlw_pose_moment* a, const tlw_pose_moment* b, double share,
                     tlw_skin_entry* joints);
// Joint times inverse bind at a pose, as drawing wants it: in model space, metres, without the
// root.
void tlw_pose_affines(const tlw_joint_bind* binds, const tlw_pose_moment* pose, uint32_t count,
                      tlw_affine* rows);
// Turns rotations around, q to -q, so that no joint's points away from its parent's. True if the
// rotations of a pair of the blob's point apart all the same: blending must then choose by voxel.
// Signs that were chosen before stay.
bool tlw_pose_choose_signs(const tlw_blob_arrays* blob, tlw_skin_entry* joints);

// Whether a corner of what a joint moves moves further than so many voxels, root-relative; if none
// does, no voxel does. `a_joints` and `b_joints` of tlw_pose_joints.
bool tlw_pose_moves_far(const tlw_blob_arrays* blob, const tlw_skin_entry* a_joints,
                        const tlw_skin_entry* b_joints, float limit);

// Quaternions of one.
void tlw_multiply_rotations(const double a[4], const double b[4], double out[4]);
void tlw_normalise_rotation(double q[4]);
void tlw_rotate_vector(const double rotation[4], const double v[3], double out[3]);

TLW_EXTERN_C_END

#endif
