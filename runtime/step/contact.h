// SPDX-License-Identifier: MIT
// Private to runtime: contact on the character's side (MODEL 3.15, 3.16, 4.7): the shapes of a
// substep, where they were at the last one, what touched, and what wakes a sleeper.
#ifndef TLW_RUNTIME_STEP_CONTACT_H
#define TLW_RUNTIME_STEP_CONTACT_H

#include "runtime/passes/kernels.h"
#include "runtime/world/character.h"
#include "runtime/world/colliders.h"

TLW_EXTERN_C_BEGIN

// Makes the shapes that a character may touch in a substep at `share` of the way from the last call
// to this one, under this root, from joints at that moment. Lists without any leave contact out.
void tlw_contact_prepare(tlw_character* c, double share, const tlw_root* root,
                         const tlw_skin_entry* joints, tlw_shape* limbs, tlw_shape* colliders,
                         tlw_substep* substep);
// At the end of a substep, carried or not, at the same moment: the next one starts from here.
void tlw_contact_end(tlw_character* c, double share, const tlw_skin_entry* joints);
// Adds what the blocks of an ordinary substep found to the character's contacts.
void tlw_contact_collect(tlw_character* c, const tlw_substep* substep);

// Whether a collider that moved in this call was or is near a sleeping character.
bool tlw_contact_wakes(tlw_character* c);
// Whether a collider is within a voxel of the character, before or now.
bool tlw_contact_is_near(tlw_character* c, const tlw_collider* collider);

// A shape that does not move, in the character's state under this root.
void tlw_contact_place(const tlw_collider_def* def, const tlw_collider_pose* pose,
                       const double root[3], double per_voxel, tlw_shape* out);

TLW_EXTERN_C_END

#endif
