// SPDX-License-Identifier: MIT
// What muscles do to the skin (MODEL 3.18, 3.19): volume that a mesh encloses, girth of a limb,
// volume of a muscle's sections, and how far its line is from the skeleton. Figures and tests take
// these numbers from here.
//
//     tlw_muscle_look(&surface, motion, elbow, 1);          // at rest in that pose
//     const double girth = tlw_muscle_girth(&surface, joint, place, across);
//     tlw_muscle_sections sections;
//     tlw_muscle_measure(motion, 0, &sections);
#ifndef TLW_TOOLS_MOTION_MUSCLES_H
#define TLW_TOOLS_MOTION_MUSCLES_H

#include "tools/motion/bent.h"
#include "tools/motion/surface.h"

TLW_EXTERN_C_BEGIN

enum { TLW_MUSCLE_VERTICES_MAX = 32 };

// Puts the character at rest into the bind pose with these joints bent, without skinned volume,
// reads its voxels and draws its surface by fit. So what differs from a body without muscles is
// their displacement m alone. False if that cannot be drawn.
bool tlw_muscle_look(tlw_surface* surface, tlw_motion* motion, const tlw_bent_joint* joints,
                     uint32_t count);

// The volume that the surface encloses, in cubic metres; below 0 where triangles wind inwards.
double tlw_muscle_enclosed(const tlw_surface* surface);

// The length in metres of the cut of a plane through the triangles whose corners belong to a joint
// by their largest weights: how thick a limb is around that place.
double tlw_muscle_girth(const tlw_surface* surface, uint32_t joint, const double place[3],
                        const double across[3]);

// A muscle in the pose that was set.
typedef struct tlw_muscle_sections {
    uint32_t vertex_count;
    double vertices[TLW_MUSCLE_VERTICES_MAX][3]; // of the line, in the world, metres
    double radii[TLW_MUSCLE_VERTICES_MAX]; // r/sqrt(e) at the vertices: sections without tension
    double elongation;                     // of the belly
    // Cubic metres: the integral of pi r^2 along the line at rest, and of pi r^2/e in the pose.
    // Both are linear between vertices.
    double rest, volume;
} tlw_muscle_sections;

bool tlw_muscle_measure(const tlw_motion* motion, uint32_t muscle, tlw_muscle_sections* out);

// Voxels whose V (MODEL 3.5) is below 0: they are inside out.
uint32_t tlw_muscle_inverted(const tlw_motion* motion);

TLW_EXTERN_C_END

#endif
