// SPDX-License-Identifier: MIT
// Colliders: places, ids and generations, poses, and whom they wake (MODEL 3.15, 4.7).
#include "runtime/world/colliders.h"

#include "platform/fpu.h"
#include "runtime/step/contact.h"
#include "runtime/step/matrix.h"
#include "runtime/world/world.h"

#include <string.h>

#define COLLIDER_COOKIE 0x434F4C01u
#define LENGTH_MAX      1e18f

tlw_collider_def tlw_default_collider_def(void) {
    return (tlw_collider_def){.cookie = COLLIDER_COOKIE,
                              .kind = TLW_COLLIDER_CAPSULE,
                              .friction = 0.5f,
                              .mask = UINT32_MAX};
}

tlw_collider_pose tlw_default_collider_pose(void) {
    return (tlw_collider_pose){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
}

// ---- Checks; comparisons are false for a NaN

static bool is_length(float a) {
    return a >= 0.0f && a <= LENGTH_MAX;
}

static bool is_good_def(const tlw_collider_def* def) {
    TLW_FLOAT_SCOPE();
    bool is_good = (uint32_t)def->kind <= TLW_COLLIDER_BOX && def->friction >= 0.0f &&
                   def->friction <= 1.0f && is_length(def->radii[0]) && is_length(def->radii[1]) &&
                   is_length(def->rounding);
    for (int i = 0; i < 3; ++i) {
        is_good = is_good && is_length(def->half_extents[i]);
        for (int end = 0; end < 2; ++end) {
            is_good =
                is_good && def->ends[end][i] >= -LENGTH_MAX && def->ends[end][i] <= LENGTH_MAX;
        }
    }
    return is_good;
}

static tlw_result check_pose(const tlw_collider_pose* pose, tlw_collider_pose* out) {
    TLW_FLOAT_SCOPE();
    double rotation[4], length2 = 0.0;
    bool is_good = true;
    for (int i = 0; i < 3; ++i) {
        is_good = is_good && pose->position[i] >= -1e18 && pose->position[i] <= 1e18;
    }
    for (int i = 0; i < 4; ++i) {
        rotation[i] = (double)pose->rotation[i];
        length2 += rotation[i] * rotation[i];
    }
    if (!is_good || !(length2 > 1e-12 && length2 < 1e12)) {
        return TLW_ERROR_BAD_POSE;
    }
    tlw_normalise_rotation(rotation);
    *out = *pose;
    for (int i = 0; i < 4; ++i) {
        out->rotation[i] = (float)rotation[i];
    }
    return TLW_OK;
}

tlw_result tlw_collider_check(const tlw_collider_def* def, const tlw_collider_pose* pose,
                              tlw_collider_pose* out) {
    if (def->cookie != COLLIDER_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    return is_good_def(def) ? check_pose(pose, out) : TLW_ERROR_BAD_ARGUMENT;
}

// ---- Ids

static tlw_result find(const tlw_world* world, tlw_collider_id id, tlw_collider** out) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    if (id.index1 == 0 || id.index1 > world->colliders.capacity) {
        return TLW_ERROR_STALE_ID;
    }
    tlw_collider* collider = &world->colliders.list[id.index1 - 1];
    if (!collider->is_alive || collider->generation != id.generation) {
        return TLW_ERROR_STALE_ID;
    }
    *out = collider;
    return TLW_OK;
}

// Wakes every character that the collider is near, where it was or where it is.
static void wake_near(tlw_world* world, const tlw_collider* collider) {
    TLW_FLOAT_SCOPE();
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        tlw_character* c = world->slots[i].character;
        if (c != NULL && tlw_contact_is_near(c, collider)) {
            c->still_substeps = 0;
        }
    }
}

// Puts a collider somewhere without a sweep, for every character.
static void place(tlw_world* world, uint32_t index, const tlw_collider_pose* pose) {
    tlw_collider* collider = &world->colliders.list[index];
    collider->before = collider->now = *pose;
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        world->collider_last[(size_t)i * world->colliders.capacity + index] = *pose;
    }
    wake_near(world, collider);
}

// ---- The interface

tlw_result tlw_collider_create(tlw_world* world, const tlw_collider_def* def,
                               const tlw_collider_pose* pose, tlw_collider_id* out) {
    TLW_ASSERT(world != NULL && def != NULL && pose != NULL && out != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    *out = (tlw_collider_id){0, 0};
    tlw_collider_pose good;
    const tlw_result result = tlw_collider_check(def, pose, &good);
    if (result != TLW_OK) {
        return result;
    }
    for (uint32_t i = 0; i < world->colliders.capacity; ++i) {
        tlw_collider* collider = &world->colliders.list[i];
        if (collider->is_alive) {
            continue;
        }
        collider->def = *def;
        collider->generation += 1;
        collider->generation += collider->generation == 0; // 0 is the null id's
        collider->is_alive = true;
        world->colliders.count += 1;
        place(world, i, &good);
        *out = (tlw_collider_id){i + 1, collider->generation};
        return TLW_OK;
    }
    return TLW_ERROR_CAPACITY;
}

tlw_result tlw_collider_destroy(tlw_world* world, tlw_collider_id id) {
    tlw_collider* collider;
    const tlw_result result = find(world, id, &collider);
    if (result == TLW_OK) {
        wake_near(world, collider);
        collider->is_alive = false;
        world->colliders.count -= 1;
    }
    return result;
}

tlw_result tlw_collider_set_pose(tlw_world* world, tlw_collider_id id,
                                 const tlw_collider_pose* pose) {
    TLW_ASSERT(pose != NULL);
    tlw_collider* collider;
    const tlw_result result = find(world, id, &collider);
    return result == TLW_OK ? check_pose(pose, &collider->now) : result;
}

tlw_result tlw_collider_teleport(tlw_world* world, tlw_collider_id id,
                                 const tlw_collider_pose* pose) {
    TLW_ASSERT(pose != NULL);
    tlw_collider* collider;
    tlw_collider_pose good;
    tlw_result result = find(world, id, &collider);
    result = result == TLW_OK ? check_pose(pose, &good) : result;
    if (result == TLW_OK) {
        wake_near(world, collider); // where it was
        place(world, id.index1 - 1, &good);
    }
    return result;
}

tlw_result tlw_collider_get(const tlw_world* world, tlw_collider_id id, tlw_collider_def* def,
                            tlw_collider_pose* pose) {
    tlw_collider* collider;
    const tlw_result result = find(world, id, &collider);
    if (result == TLW_OK && def != NULL) {
        *def = collider->def;
    }
    if (result == TLW_OK && pose != NULL) {
        *pose = collider->now;
    }
    return result;
}

bool tlw_collider_is_valid(const tlw_world* world, tlw_collider_id id) {
    tlw_collider* collider;
    return find(world, id, &collider) == TLW_OK;
}

uint32_t tlw_world_collider_count(const tlw_world* world) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    return world->colliders.count;
}

void tlw_colliders_end_call(tlw_collider_set* set) {
    for (uint32_t i = 0; i < set->capacity; ++i) {
        if (set->list[i].is_alive) {
            set->list[i].before = set->list[i].now;
        }
    }
}
