// SPDX-License-Identifier: MIT
// Muscles for small inputs of the runtime's oracle, made by hand: a plain reading of RULES 9.12 and
// 9.14 without the smoothing, the rounding and the rule on path lengths.
#ifndef TLW_TESTS_RUNTIME_ORACLE_SMALL_MUSCLES_H
#define TLW_TESTS_RUNTIME_ORACLE_SMALL_MUSCLES_H

#include "tests/runtime/oracle/small_inputs.h"

// A muscle without fields and flex, whose vertices have places, weights, radii and is_belly; makes
// the rest of it. The first and the last vertex become fixed and have no radius, the others are
// dynamic.
void small_muscle_finish(oracle_muscle_rest* muscle);
// What voxels have of the muscles, one element per voxel; n leads away from the axis of the small
// input, which runs along z through `axis`. The caller frees it.
oracle_voxel_bellies* small_bellies_make(const small_input* small,
                                         const oracle_muscle_rest* muscles, uint32_t count,
                                         oracle_vec axis);

#endif
