// SPDX-License-Identifier: MIT
// What touches and moves an oracle_pair from outside: colliders, drags, pushes and the filter of
// poses. Both sides get the same calls (MODEL 3.15 to 3.17, 4.10). The pair's def must have places
// for them.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_ORACLE_PAIR_CONTACT_H
#define TLW_TESTS_RUNTIME_SUPPORT_ORACLE_PAIR_CONTACT_H

#include "tests/runtime/support/oracle_pair.h"

// Returns the index by which the functions below know it. It may belong to a collider that was
// removed.
uint32_t pair_add_collider(oracle_pair* pair, const tlw_collider_def* def,
                           const tlw_collider_pose* pose);
void pair_move_collider(oracle_pair* pair, uint32_t collider, const tlw_collider_pose* pose);
void pair_teleport_collider(oracle_pair* pair, uint32_t collider, const tlw_collider_pose* pose);
void pair_remove_collider(oracle_pair* pair, uint32_t collider);

void pair_set_drag(oracle_pair* pair, uint32_t drag, const tlw_drag* how);
void pair_end_drag(oracle_pair* pair, uint32_t drag);
void pair_push_around(oracle_pair* pair, const tlw_push* push);
// Null switches it off.
void pair_set_filter(oracle_pair* pair, const tlw_pose_filter* filter);

// A shape as the oracle has it, for what is computed in double from it.
oracle_collider_def pair_shape_of(const tlw_collider_def* def);
oracle_place pair_place_of(const tlw_collider_pose* pose);
// Root position + scale voxel_metres p, with the root of the last substep.
oracle_vec pair_in_world(const oracle_pair* pair, oracle_vec p);

typedef struct oracle_pair_contacts {
    uint32_t count;        // that both have
    uint32_t other_voxels; // among them those where the two name another voxel, of the same depth
    // Largest differences; of those with another voxel the depth only.
    double depth, place; // voxels
    double normal;
    double speed; // times h: voxels
} oracle_pair_contacts;

// Contacts of the last call against the deepest of the oracle. Fails the test if one side has a
// contact deeper than 1e-3 voxel that the other has not, if they are not ordered by depth, or if a
// limb or collider is named twice.
oracle_pair_contacts pair_compare_contacts(oracle_pair* pair);

#endif
