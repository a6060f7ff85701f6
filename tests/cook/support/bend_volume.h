// SPDX-License-Identifier: MIT
// MODEL 3.12 in double over what the oracle cooker gives: how a pose moves voxels with linear
// skinning (MODEL 3.2), and the lengths that give bent joints their volume back. It knows nothing
// of windows or floats, so that a test can look at the equations alone.
#ifndef TLW_TESTS_COOK_SUPPORT_BEND_VOLUME_H
#define TLW_TESTS_COOK_SUPPORT_BEND_VOLUME_H

#include "tests/cook/oracle/oracle.h"

// How a joint moves its voxels from the bind pose, in voxels along the grid's axes: first the
// rotation about the grid's origin, then the shift. Joint scale is not needed here.
typedef struct bend_motion {
    double rotation[4]; // quaternion, x y z w
    double shift[3];
} bend_motion;

// A rotation about an axis of length 1 through a point.
bend_motion bend_motion_about(const double axis[3], double radians, const double point[3]);
// First `inner`, then `outer`.
bend_motion bend_motion_after(bend_motion outer, bend_motion inner);
void bend_motion_apply(const bend_motion* motion, const double x[3], double out[3]);

typedef struct bend_state {
    double (*skinned)[3];     // [voxel] p_skin before the correction
    double (*rotation)[3][3]; // [voxel] Rb: element [row][column]
    double (*v)[3];           // [voxel] f Rb F
    double (*corrected)[3];   // [voxel] p_skin after it
    double* length;           // [bend] l
    double* factor;           // [voxel] f
} bend_state;

// `motions` has one per joint.
bend_state bend_evaluate(const oracle_result* result, const bend_motion* motions);
void bend_state_free(bend_state* state);
// The volume of a voxel by its stencil (MODEL 3.5) with these positions.
double bend_voxel_volume(const oracle_result* result, const bend_state* state,
                         const double (*positions)[3], uint32_t voxel);
double bend_triple(const double a[3], const double b[3], const double c[3]);

#endif
