// SPDX-License-Identifier: MIT
// Gives colliders, drags, pushes and filters to both sides of an oracle_pair, and compares what
// touched them.
#include "tests/runtime/support/oracle_pair_contact.h"

#include "tests/test.h"

#include <string.h>

#define CONTACTS_MAX 16
#define DEPTH_SLACK  1e-3 // voxels: a contact that is shallower may be rounding

static oracle_vec wide(const float a[3]) {
    return vec((double)a[0], (double)a[1], (double)a[2]);
}

// Colliders

oracle_collider_def pair_shape_of(const tlw_collider_def* def) {
    static const oracle_shape_kind kinds[] = {[TLW_COLLIDER_CAPSULE] = ORACLE_SHAPE_CAPSULE,
                                              [TLW_COLLIDER_PLANE] = ORACLE_SHAPE_PLANE,
                                              [TLW_COLLIDER_BOX] = ORACLE_SHAPE_BOX};
    oracle_collider_def same = {.kind = kinds[def->kind],
                                .rounding = (double)def->rounding,
                                .friction = (double)def->friction,
                                .mask = def->mask};
    for (int end = 0; end < 2; ++end) {
        same.radii[end] = (double)def->radii[end];
        for (int k = 0; k < 3; ++k) {
            same.ends[end][k] = (double)def->ends[end][k];
            same.half_extents[k] = (double)def->half_extents[k];
        }
    }
    return same;
}

oracle_place pair_place_of(const tlw_collider_pose* pose) {
    const float* r = pose->rotation;
    oracle_place place = {.rotation = quat_normalise((oracle_quat){(double)r[0], (double)r[1],
                                                                   (double)r[2], (double)r[3]})};
    memcpy(place.position, pose->position, sizeof place.position);
    return place;
}

uint32_t pair_add_collider(oracle_pair* pair, const tlw_collider_def* def,
                           const tlw_collider_pose* pose) {
    tlw_collider_id id;
    CHECK_OK(tlw_collider_create(pair->world, def, pose, &id));
    const uint32_t collider = id.index1 - 1;
    pair->colliders[collider] = id;
    if (pair->o) {
        const oracle_collider_def same = pair_shape_of(def);
        const oracle_place place = pair_place_of(pose);
        oracle_set_collider(pair->o, collider, &same, &place);
    }
    return collider;
}

void pair_move_collider(oracle_pair* pair, uint32_t collider, const tlw_collider_pose* pose) {
    CHECK_OK(tlw_collider_set_pose(pair->world, pair->colliders[collider], pose));
    if (pair->o) {
        const oracle_place place = pair_place_of(pose);
        oracle_move_collider(pair->o, collider, &place);
    }
}

void pair_teleport_collider(oracle_pair* pair, uint32_t collider, const tlw_collider_pose* pose) {
    CHECK_OK(tlw_collider_teleport(pair->world, pair->colliders[collider], pose));
    if (pair->o) {
        const oracle_place place = pair_place_of(pose);
        oracle_teleport_collider(pair->o, collider, &place);
    }
}

void pair_remove_collider(oracle_pair* pair, uint32_t collider) {
    CHECK_OK(tlw_collider_destroy(pair->world, pair->colliders[collider]));
    if (pair->o) {
        oracle_remove_collider(pair->o, collider);
    }
}

// Forces and the filter

void pair_set_drag(oracle_pair* pair, uint32_t drag, const tlw_drag* how) {
    CHECK_OK(tlw_character_set_drag(pair->world, pair->id, drag, how));
    if (pair->o) {
        oracle_set_drag(pair->o, drag, pair->oracle_voxel[how->voxel], how->target,
                        (double)how->radius, (double)how->hz);
    }
}

void pair_end_drag(oracle_pair* pair, uint32_t drag) {
    CHECK_OK(tlw_character_end_drag(pair->world, pair->id, drag));
    if (pair->o) {
        oracle_end_drag(pair->o, drag);
    }
}

void pair_push_around(oracle_pair* pair, const tlw_push* push) {
    CHECK_OK(tlw_character_push(pair->world, pair->id, push));
    if (pair->o) {
        oracle_push(pair->o, push->centre, (double)push->radius, wide(push->velocity),
                    (double)push->outward);
    }
}

void pair_set_filter(oracle_pair* pair, const tlw_pose_filter* filter) {
    CHECK_OK(tlw_character_set_pose_filter(pair->world, pair->id, filter));
    if (pair->o && filter) {
        const oracle_filter_def same = {(double)filter->cutoff_hz, (double)filter->hz_per_speed,
                                        (double)filter->hz_per_turn};
        oracle_set_filter(pair->o, &same);
    } else if (pair->o) {
        oracle_set_filter(pair->o, NULL);
    }
}

// Contacts

static double voxel_in_world(const oracle_pair* pair) {
    return pair->info.voxel_metres * pair->o->last.root_scale;
}

oracle_vec pair_in_world(const oracle_pair* pair, oracle_vec p) {
    return vec_add_scaled(vec_of(pair->o->root_at_substep), voxel_in_world(pair), p);
}

static uint32_t shape_of(const tlw_contact* contact) {
    CHECK_EQ(contact->limb == TLW_NO_INDEX, !tlw_collider_id_is_null(contact->collider));
    return contact->limb == TLW_NO_INDEX ? ORACLE_LIMBS_MAX + contact->collider.index1 - 1
                                         : contact->limb;
}

static void compare_contact(const oracle_pair* pair, const tlw_contact* contact,
                            oracle_pair_contacts* gaps) {
    const oracle_deepest* deepest = &pair->o->deepest[shape_of(contact)];
    const double voxel = voxel_in_world(pair);
    if (!deepest->is_touched) {
        CHECK_LT((double)contact->depth / voxel, DEPTH_SLACK);
        return;
    }
    gaps->count += 1;
    gaps->depth = fmax(gaps->depth, fabs((double)contact->depth / voxel - deepest->depth));
    if (pair->oracle_voxel[contact->voxel] != deepest->voxel) {
        gaps->other_voxels += 1;
        return;
    }
    const double h = pair->substep_seconds;
    const oracle_vec place = pair_in_world(pair, pair->o->p[deepest->voxel]);
    gaps->place = fmax(gaps->place, vec_length(vec_sub(vec_of(contact->position), place)) / voxel);
    gaps->normal = fmax(gaps->normal, vec_length(vec_sub(wide(contact->normal), deepest->n)));
    gaps->speed = fmax(gaps->speed, h * fabs((double)contact->speed / voxel - deepest->speed));
}

oracle_pair_contacts pair_compare_contacts(oracle_pair* pair) {
    tlw_contact contacts[CONTACTS_MAX];
    bool is_named[ORACLE_SHAPES_MAX] = {false};
    oracle_pair_contacts gaps = {0};
    uint32_t count;
    CHECK_OK(tlw_character_get_contacts(pair->world, pair->id, contacts, CONTACTS_MAX, &count));
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t shape = shape_of(&contacts[i]);
        CHECK(!is_named[shape]);
        is_named[shape] = true;
        CHECK(i == 0 || contacts[i].depth <= contacts[i - 1].depth);
        compare_contact(pair, &contacts[i], &gaps);
    }
    for (uint32_t shape = 0; shape < ORACLE_SHAPES_MAX; ++shape) {
        if (!is_named[shape] && pair->o->deepest[shape].is_touched) {
            CHECK_LT(pair->o->deepest[shape].depth, DEPTH_SLACK);
        }
    }
    return gaps;
}
