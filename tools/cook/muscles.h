// SPDX-License-Identifier: MIT
// Private to the stages muscles and bellies (RULES 9.12 to 9.14): action lines in double, before
// they are stored.
#ifndef TLW_TOOLS_COOK_MUSCLES_H
#define TLW_TOOLS_COOK_MUSCLES_H

#include "tools/cook/stages.h"

typedef struct tlw_muscle_vertex {
    tlw_double3 place;    // model space, metres
    uint32_t joint_count; // ascending joints, weights that sum to 1
    uint32_t joint[TLW_BLOB_LINE_JOINTS];
    double weight[TLW_BLOB_LINE_JOINTS];
    double radius; // voxels
    bool is_dynamic;
} tlw_muscle_vertex;

typedef struct tlw_muscle_ellipsoid {
    uint32_t joint;
    tlw_double3 centre; // model space, metres
    double radii[3];    // voxels, model axes
    double gain;
    double reach; // 0: it repels
} tlw_muscle_ellipsoid;

typedef struct tlw_muscle_line {
    char name[TLW_COOK_NAME_MAX];
    tlw_muscle_vertex vertices[TLW_BLOB_LINE_VERTICES];
    uint32_t vertex_count;
    bool is_tendon[TLW_BLOB_LINE_VERTICES]; // per segment
    tlw_muscle_ellipsoid fields[TLW_BLOB_LINE_FIELDS];
    uint32_t field_count;
    double bulge;
    uint32_t flex_joint; // TLW_NO_JOINT: none
    double flex_from, flex_to;
} tlw_muscle_line;

// Which segment of a line is too short (its length in voxels goes to *length), or the line's number
// of vertices.
uint32_t tlw_find_short_segment(const tlw_cook* cook, const tlw_muscle_line* line, double* length);
// Adds a line to cook->muscles. An error where there are too many, or where its name is taken.
tlw_result tlw_cook_add_muscle(tlw_cook* cook, const tlw_muscle_line* line);
// Adds the automatic muscles (RULES 9.13).
tlw_result tlw_cook_add_auto_muscles(tlw_cook* cook, double bulge);

// The direction from the skeleton to a point, across t; both in voxels of the grid. False where
// there is none.
bool tlw_find_outward(const tlw_cook* cook, tlw_double3 at, tlw_double3 t, tlw_double3* out);

// sin(pi x) for 0 <= x <= 1, in the same bits on every machine.
double tlw_sin_pi(double x);

#endif
