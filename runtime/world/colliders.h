// SPDX-License-Identifier: MIT
// Private to runtime: the colliders of a world (MODEL 3.15).
#ifndef TLW_RUNTIME_WORLD_COLLIDERS_H
#define TLW_RUNTIME_WORLD_COLLIDERS_H

#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

#define TLW_COLLIDERS_MAX 64
#define TLW_CONTACTS_MAX  16

typedef struct tlw_collider {
    tlw_collider_def def;
    tlw_collider_pose before, now; // at the end of the last call that had time, and of this one
    uint32_t generation;
    bool is_alive;
} tlw_collider;

// Tasks read it during a step; between steps the world's functions change it.
typedef struct tlw_collider_set {
    tlw_collider* list;
    uint32_t capacity;
    uint32_t count; // that are alive
} tlw_collider_set;

// Checks def and pose; writes the pose with a rotation of length 1.
tlw_result tlw_collider_check(const tlw_collider_def* def, const tlw_collider_pose* pose,
                              tlw_collider_pose* out);
// At the end of a call that had time.
void tlw_colliders_end_call(tlw_collider_set* set);

TLW_EXTERN_C_END

#endif
