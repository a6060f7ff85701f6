// SPDX-License-Identifier: MIT
// A character with joints bent, and what its skinning loses there (MODEL 3.12). Figures and tests
// take these numbers from here.
//
//     const tlw_bent_joint knee = {.joint = "shin_l", .degrees = 90, .towards = {0, 0, -1}};
//     tlw_bent_set(motion, &knee, 1, 1.0);     // pose_joints
//     tlw_bent_skin(motion, true);             // at rest on p_skin, corrected
//     tlw_bent_numbers numbers;
//     tlw_bent_measure(motion, "shin_l", &numbers);
#ifndef TLW_TOOLS_MOTION_BENT_H
#define TLW_TOOLS_MOTION_BENT_H

#include "tools/motion/motion.h"

TLW_EXTERN_C_BEGIN

// The joint turns so that its bone, which ends at its first child, moves towards a direction of the
// bind pose, or turns about the bone.
typedef struct tlw_bent_joint {
    const char* joint;
    double degrees;
    double towards[3]; // (0, 0, 0): about the bone
} tlw_bent_joint;

// Sets pose_joints: the bind pose with the joints bent by that share of their angles. Joints of
// the list come before those below them. Unknown names are left out.
void tlw_bent_set(tlw_motion* motion, const tlw_bent_joint* joints, uint32_t count, double share);
// Puts the character at rest on what skinning gives in that pose, with or without skinned volume,
// and reads its voxels. False if the blob has no bends and they are asked for.
bool tlw_bent_skin(tlw_motion* motion, bool has_volume);
// Goes from the bind pose into the bent one within a second, waits until tissue is still, and
// reads its voxels.
void tlw_bent_hold(tlw_motion* motion, const tlw_bent_joint* joints, uint32_t count,
                   bool has_volume);

typedef struct tlw_bent_numbers {
    uint32_t voxel_count; // that have a share in the bend
    // Relative to rest, weighted by the shares: of p_skin, and of the voxels.
    double skinned, volume;
    // Likewise, but weighted by w_k w_parent, which is largest where the joint bends most.
    double skinned_crease, volume_crease;
    // Voxels with half a share and more whose V is below 0: they are inside out.
    uint32_t skinned_inverted, inverted;
    double reach; // most that l may be, voxels
} tlw_bent_numbers;

// Measures the voxels that tlw_motion read last. Returns false if the joint is no bend of the blob.
bool tlw_bent_measure(const tlw_motion* motion, const char* joint, tlw_bent_numbers* out);
// C v of every voxel, 3 each, along the world's axes: where p_skin moves to for an l of 1. Needs
// the voxels of a character without skinned volume, or with it: v is the same. False if the joint
// is no bend of the blob.
bool tlw_bent_field(const tlw_motion* motion, const char* joint, double* out);
// l of the bend in the pose that is set, in voxels. Leaves the character at rest on its corrected
// skinning.
double tlw_bent_length(tlw_motion* motion, const char* joint);

TLW_EXTERN_C_END

#endif
