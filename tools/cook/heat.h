// SPDX-License-Identifier: MIT
// Heat and diffusion weights (RULES 5.9 and 5.10), for the stage reweigh. Private to the cooking
// library.
#ifndef TLW_TOOLS_COOK_HEAT_H
#define TLW_TOOLS_COOK_HEAT_H

#include "tools/cook/stages.h"

// Receives a joint's value at a voxel, the joint's energy included, not rounded yet. Values of 0
// are left out. The joints of a voxel come in ascending order. Called on the calling thread.
typedef void tlw_take_value(uint32_t voxel, uint32_t joint, double value, void* user);

// Heat or diffusion, as cook->weight_mode says, on the links that are left. Reads cook->voxels,
// cook->skeleton, cook->links and the recipe's heat; writes cook->weight_sweeps.
tlw_result tlw_cook_spread(tlw_cook* cook, tlw_take_value* take, void* user);

// Values are rounded to this step before the largest are chosen, so that ties which symmetry makes
// stay ties.
double tlw_round_spread(double value);

#endif
