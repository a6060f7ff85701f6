// SPDX-License-Identifier: MIT
// The body on which Lame layers are studied (MODEL 3.20): half an ellipsoid of fat and skin on a
// plate of bone, towards +z, in voxels of 1 cm. It cooks to 903 soft voxels, 7 deep, all of joint
// breast, on a plate of 241, of which the 177 below them are bone.
//
// The plate has a second layer of voxels: a shell voxel of a deep body is never bone (RULES 8), so
// the bone under the breast is the plate's upper layer, and most of what is below it is skin. That
// skin shares no face with the breast and is never lame. There are two joints for that reason:
// plate, whose voxels are bone as far as they can be, and breast, which has none. Give both the
// same motion.
#ifndef TLW_TOOLS_MOTION_BREAST_H
#define TLW_TOOLS_MOTION_BREAST_H

#include "tools/motion/revolve.h"

TLW_EXTERN_C_BEGIN

#define TLW_BREAST_VOXEL_METRES 0.01
// Shear modulus and density of its fat; lambda is 200 times mu.
#define TLW_BREAST_MU_PASCAL    1000.0
#define TLW_BREAST_LAMBDA_SHARE 200.0
#define TLW_BREAST_DENSITY      950.0

enum { TLW_BREAST_JOINTS = 2, TLW_BREAST_JOINT = 0, TLW_BREAST_PLATE = 1 };

// The recipe points into the breast, which must not be moved.
typedef struct tlw_breast {
    tlw_cook_input input;
    tlw_cook_recipe recipe; // no firm parts, no muscle layer in the breast
    tlw_cook_joint joints[TLW_BREAST_JOINTS];
    tlw_cook_part parts[TLW_BREAST_JOINTS]; // of the joints
    tlw_cook_cut cut;
    tlw_cook_mesh mesh;
    tlw_revolve surface;
} tlw_breast;

// Its fat and skin as Lame layers, or the default ones. False if out of memory. Free it also then.
bool tlw_breast_make(tlw_breast* breast, bool is_lame);
void tlw_breast_free(tlw_breast* breast);

TLW_EXTERN_C_END

#endif
