// SPDX-License-Identifier: MIT
// Numbers of the voxel lattice that cooker, validator, passes and tools share: lanes, the cells
// around a voxel, neighbour sets, mass. Each exists here and nowhere else (MODEL 9).
//
// A voxel has 27 cells around it, itself included, numbered along the first axis fastest: cell =
// (dx + 1) + 3 (dy + 1) + 9 (dz + 1). Cell 13 is the voxel itself. The 26 steps to a neighbour are
// the same numbers without cell 13. In a blob the axes are the lattice's: lane, row, plane.
#ifndef TLW_RUNTIME_LATTICE_H
#define TLW_RUNTIME_LATTICE_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Voxels of one window, side by side along the lane axis.
#define TLW_LANES 8

#define TLW_CELLS_AROUND 27
#define TLW_STEPS        26
#define TLW_CELL_SELF    13

// The nine rows around a voxel: row = cell / 3. Row 4 is the voxel's own.
#define TLW_ROWS_AROUND 9
#define TLW_ROW_SELF    4

// The six steps through a face; a bit mask of steps has bit i for step i.
enum {
    TLW_STEP_PLANE_MINUS = 4,
    TLW_STEP_ROW_MINUS = 10,
    TLW_STEP_LANE_MINUS = 12,
    TLW_STEP_LANE_PLUS = 13,
    TLW_STEP_ROW_PLUS = 15,
    TLW_STEP_PLANE_PLUS = 21
};
#define TLW_FACE_STEPS                                                                   \
    (1u << TLW_STEP_PLANE_MINUS | 1u << TLW_STEP_ROW_MINUS | 1u << TLW_STEP_LANE_MINUS | \
     1u << TLW_STEP_LANE_PLUS | 1u << TLW_STEP_ROW_PLUS | 1u << TLW_STEP_PLANE_PLUS)

// Undefined for cell 13, which no step leads to.
TLW_INLINE int tlw_step_of_cell(int cell) {
    return cell - (cell > TLW_CELL_SELF);
}

TLW_INLINE int tlw_cell_of_step(int step) {
    return step + (step >= TLW_CELL_SELF);
}

// The step from the neighbour back.
TLW_INLINE int tlw_opposite_step(int step) {
    return TLW_STEPS - 1 - step;
}

// Axes that a cell differs along: 0 for cell 13, 1 for a face, 2 for an edge, 3 for a corner.
TLW_INLINE int tlw_cell_distance(int cell) {
    return (cell % 3 != 1) + (cell / 3 % 3 != 1) + (cell / 9 != 1);
}

// Neighbour sets that stretch can use, by their number of neighbours: number, whether faces (6),
// edges (12) and corners (8) are in it.
#define TLW_NEIGHBOUR_SETS(X) \
    X(6, 1, 0, 0)             \
    X(14, 1, 0, 1)            \
    X(18, 1, 1, 0)            \
    X(20, 0, 1, 1)            \
    X(26, 1, 1, 1)

// Whether the set has the cells at a distance of 1 (faces), 2 (edges) or 3 (corners). False for a
// number that is no set.
TLW_INLINE bool tlw_neighbour_set_has(uint32_t neighbours, int distance) {
    switch (neighbours) {
#define TLW_NEIGHBOUR_SET_CASE(number, faces, edges, corners) \
case number:                                                  \
    return distance == 1 ? faces : distance == 2 ? edges : distance == 3 ? corners : false;
        TLW_NEIGHBOUR_SETS(TLW_NEIGHBOUR_SET_CASE)
#undef TLW_NEIGHBOUR_SET_CASE
    default:
        return false;
    }
}

TLW_INLINE bool tlw_is_neighbour_set(uint32_t neighbours) {
    return tlw_neighbour_set_has(neighbours, 1) || tlw_neighbour_set_has(neighbours, 2);
}

// Mass of a bone voxel in a region's fit; all others weigh 1. Heavy bone stops thin parts from
// trailing behind their bones or staying bent (MODEL 3.6).
#define TLW_BONE_MASS 10

TLW_EXTERN_C_END

#endif
