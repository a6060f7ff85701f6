// SPDX-License-Identifier: MIT
// Poses of an oracle_pair beyond its dance: single joints that bend or twist, joints that are
// stretched.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_JOINT_POSES_H
#define TLW_TESTS_RUNTIME_SUPPORT_JOINT_POSES_H

#include "tests/runtime/support/oracle_pair.h"

typedef enum stretch_kind { UNEVEN, UNEVEN_MIRRORED, SHEARED, SHEARED_MIRRORED } stretch_kind;

// Applies a stretch that changes with time before each joint's own transform.
void pair_stretch_joints(oracle_pair* pair, stretch_kind kind, double t);

// The joint of a name; fails the running test if there is none.
uint32_t pair_find_joint(const oracle_pair* pair, const char* name);
// The direction of a joint's bone, towards its first child, or away from its parent.
oracle_vec pair_bone_direction(const oracle_pair* pair, uint32_t joint);
// The rest pose with one joint turned, and what is below it: about a model axis (0 to 2), made
// square to its bone, or about the bone itself.
#define PAIR_TWIST 3
void pair_turn_joint(oracle_pair* pair, uint32_t joint, int axis, double degrees);

#endif
