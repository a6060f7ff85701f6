// SPDX-License-Identifier: MIT
// The body on which a pectoral is studied (MODEL 3.18): a trunk and its left arm, which hangs 45
// degrees below the horizontal in the bind pose. Joints chest, upper_arm and forearm; x is to the
// left, y up, z to the front. The pectoral runs from the breastbone over the ribs to the upper arm.
//
//     tlw_shoulder shoulder;
//     if (tlw_shoulder_make(&shoulder, true)) {
//         code = tlw_actor_cook_input(&actor, "shoulder", &shoulder.input, &shoulder.recipe,
//         &error);
//     }
//     tlw_shoulder_free(&shoulder);
//     const tlw_bent_joint raised = tlw_shoulder_abduction(80);
#ifndef TLW_TOOLS_MOTION_SHOULDER_H
#define TLW_TOOLS_MOTION_SHOULDER_H

#include "tools/motion/muscles.h"
#include "tools/motion/revolve.h"

TLW_EXTERN_C_BEGIN

enum { TLW_SHOULDER_JOINTS = 3, TLW_SHOULDER_VERTICES = 9 };

// The recipe points into the shoulder, which must not be moved.
typedef struct tlw_shoulder {
    tlw_cook_input input;
    tlw_cook_recipe recipe;
    tlw_cook_joint joints[TLW_SHOULDER_JOINTS];
    tlw_cook_mesh mesh;
    tlw_cook_muscle pectoral;
    tlw_cook_line_vertex line[TLW_SHOULDER_VERTICES];
    tlw_cook_muscle_field field; // the ribs, which attract
    tlw_revolve surface;
} tlw_shoulder;

// The ribs: an ellipsoid in model space, metres, which does not move.
extern const double tlw_shoulder_ribs[3], tlw_shoulder_rib_radii[3];

// With or without the field. False if out of memory. Free it also then.
bool tlw_shoulder_make(tlw_shoulder* shoulder, bool has_field);
void tlw_shoulder_free(tlw_shoulder* shoulder);
// The arm, raised by that angle from the bind pose; below 0: lowered.
tlw_bent_joint tlw_shoulder_abduction(double degrees);
// The largest distance to the ribs, in metres along the ray from their centre, of the vertices of
// the pectoral's belly that move.
double tlw_shoulder_off_ribs(const tlw_muscle_sections* pectoral);

TLW_EXTERN_C_END

#endif
