// SPDX-License-Identifier: MIT
// The arm on which muscles are studied (MODEL 3.18, 3.19): a capsule of two joints, upper_arm and
// forearm, along x, with the elbow at the origin, which bends towards +z. Its voxels have an edge
// of 12 mm. It is 8 voxels thick, so that the limb radius of RULES 9.13 is 4.1 voxels, and cooks to
// 1,800 voxels. The biceps is on the side of +z, the triceps on that of -z.
//
//     tlw_arm arm;
//     if (tlw_arm_make(&arm, TLW_ARM_BICEPS)) {
//         arm.muscles[0].bulge = 2; // or anything else of arm.recipe
//         code = tlw_actor_cook_input(&actor, "arm", &arm.input, &arm.recipe, &error);
//     }
//     tlw_arm_free(&arm);
//     const tlw_bent_joint elbow = tlw_arm_elbow(90);
//     tlw_bent_set(motion, &elbow, 1, 1.0);
#ifndef TLW_TOOLS_MOTION_ARM_H
#define TLW_TOOLS_MOTION_ARM_H

#include "tools/motion/bent.h"
#include "tools/motion/revolve.h"

TLW_EXTERN_C_BEGIN

#define TLW_ARM_VOXEL_METRES 0.012
// Metres: from the shoulder to the elbow, and of the skin around the bone.
#define TLW_ARM_UPPER_METRES  0.168
#define TLW_ARM_RADIUS_METRES 0.0474

typedef enum tlw_arm_muscles {
    TLW_ARM_BARE,   // none
    TLW_ARM_BICEPS, // the biceps alone
    TLW_ARM_BOTH,   // biceps and triceps, with a sphere at the elbow that repels the latter
    TLW_ARM_AUTO    // those of RULES 9.13
} tlw_arm_muscles;

enum { TLW_ARM_JOINTS = 2, TLW_ARM_VERTICES_MAX = 9 };

// The recipe points into the arm, which must not be moved.
typedef struct tlw_arm {
    tlw_cook_input input;
    tlw_cook_recipe recipe; // no firm parts, no skinned volume; muscles as asked for
    tlw_cook_joint joints[TLW_ARM_JOINTS];
    tlw_cook_mesh mesh;
    tlw_cook_muscle muscles[2];
    tlw_cook_line_vertex lines[2][TLW_ARM_VERTICES_MAX];
    tlw_cook_muscle_field field;
    tlw_revolve surface;
} tlw_arm;

// False if out of memory. Free the arm also then.
bool tlw_arm_make(tlw_arm* arm, tlw_arm_muscles muscles);
void tlw_arm_free(tlw_arm* arm);
// The elbow, bent by that angle.
tlw_bent_joint tlw_arm_elbow(double degrees);
// Matrices from joint to model space with the elbow bent, 16 floats per joint, column-major.
void tlw_arm_pose(const tlw_arm* arm, double degrees, float* joints);

TLW_EXTERN_C_END

#endif
