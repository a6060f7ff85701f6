// SPDX-License-Identifier: MIT
// For the oracle cooker's own tests: cooks scenes and checks what holds for every cooked character,
// and builds shapes whose numbers can be worked out by hand.
#ifndef TLW_TESTS_COOK_SUPPORT_ORACLE_CHECKS_H
#define TLW_TESTS_COOK_SUPPORT_ORACLE_CHECKS_H

#include "tests/cook/oracle/oracle.h"
#include "tests/cook/support/cook_scenes.h"

uint32_t bit_count(uint32_t bits);
// Cooks and checks the invariants. The caller frees the result.
oracle_result cook_checked(scene* s, const tlw_cook_recipe* recipe);
// The same with scene_recipe() at a resolution, with automatic or geodesic weights.
oracle_result cook_at(scene* s, uint32_t resolution);
oracle_result cook_geodesic(scene* s, uint32_t resolution);
// The voxel of a cell, which must be one.
const oracle_voxel* voxel_in(const oracle_result* r, int32_t x, int32_t y, int32_t z);
uint32_t count_layer(const oracle_result* r, uint32_t layer);

// A box around 0, given by half its size, with all weight on one joint at (joint_x, 0, 0).
scene* make_box(double x, double y, double z, double joint_x);
// The closed surface around solid blocks between lines along x, y and z: counts[a] blocks between
// counts[a] + 1 lines. `solid` has a '#' per solid block, x fastest, z slowest.
void add_blocks(scene* s, const double* const lines[3], const uint32_t counts[3],
                const char* solid);
// Gives every vertex of the last mesh wholly to one of two joints, by its place along an axis.
void weigh_by_side(scene* s, uint32_t axis, double border, uint32_t below, uint32_t above);
void turn_inside_out(scene* s);

#endif
