// SPDX-License-Identifier: MIT
// Oracle, geometry of contact (MODEL 3.15, 3.16): shapes between two moments, how near a point is
// to them, and where colliders and limbs are in a substep.
#include "tests/runtime/oracle/oracle_private.h"

#define LEAST_RADIUS  0.5  // voxels, of colliders
#define NO_DISTANCE   1e-6 // voxels: nearer to an axis or a box than this there is no direction
#define LIMB_FRICTION 0.3

oracle_shape oracle_shape_between(const oracle_shape* from, const oracle_shape* to, double s) {
    oracle_shape shape = *to;
    shape.centre = vec_lerp(from->centre, to->centre, s);
    shape.rotation = quat_nlerp(from->rotation, to->rotation, s);
    shape.ends[0] = vec_lerp(from->ends[0], to->ends[0], s);
    shape.ends[1] = vec_lerp(from->ends[1], to->ends[1], s);
    const oracle_vec normal = vec_lerp(from->normal, to->normal, s);
    const double length = vec_length(normal);
    shape.normal = length > 0 ? vec_scale(normal, 1 / length) : to->normal;
    return shape;
}

// The own axis that is across, turned by the pose and made square to the capsule.
static oracle_vec away_from_axis(const oracle_shape* shape, oracle_vec along) {
    const oracle_vec axis = quat_rotate(shape->rotation, shape->across);
    const double square = vec_dot(along, along);
    const oracle_vec n =
        square > 0 ? vec_add_scaled(axis, -vec_dot(axis, along) / square, along) : axis;
    return vec_scale(n, 1 / vec_length(n));
}

static oracle_nearness near_capsule(const oracle_shape* shape, oracle_vec x) {
    const oracle_vec along = vec_sub(shape->ends[1], shape->ends[0]);
    const double square = vec_dot(along, along);
    const double share = square > 0 ? vec_dot(vec_sub(x, shape->ends[0]), along) / square : 0;
    const double t = fmin(1, fmax(0, share));
    const oracle_vec away = vec_sub(x, vec_add_scaled(shape->ends[0], t, along));
    const double r = (1 - t) * shape->radii[0] + t * shape->radii[1];
    const double distance = vec_length(away);
    const oracle_vec n =
        distance < NO_DISTANCE ? away_from_axis(shape, along) : vec_scale(away, 1 / distance);
    return (oracle_nearness){distance - r, n};
}

static oracle_nearness near_box(const oracle_shape* shape, oracle_vec x) {
    const oracle_vec local = quat_unrotate(shape->rotation, vec_sub(x, shape->centre));
    const double at[3] = {local.x, local.y, local.z};
    const double half[3] = {shape->half_extents.x, shape->half_extents.y, shape->half_extents.z};
    double away[3], square = 0;
    for (int k = 0; k < 3; ++k) {
        away[k] = at[k] - fmin(half[k], fmax(-half[k], at[k]));
        square += away[k] * away[k];
    }
    double distance = sqrt(square);
    oracle_vec n;
    if (distance > NO_DISTANCE) {
        n = vec_scale(vec_of(away), 1 / distance);
    } else {
        int face = 0;
        for (int k = 1; k < 3; ++k) {
            face = half[k] - fabs(at[k]) < half[face] - fabs(at[face]) ? k : face;
        }
        double out[3] = {0, 0, 0};
        out[face] = at[face] < 0 ? -1 : 1;
        n = vec_of(out);
        distance = fabs(at[face]) - half[face];
    }
    return (oracle_nearness){distance - shape->rounding, quat_rotate(shape->rotation, n)};
}

oracle_nearness oracle_nearness_of(const oracle_shape* shape, oracle_vec x) {
    switch (shape->kind) {
    case ORACLE_SHAPE_CAPSULE:
        return near_capsule(shape, x);
    case ORACLE_SHAPE_BOX:
        return near_box(shape, x);
    default:
        return (oracle_nearness){vec_dot(shape->normal, vec_sub(x, shape->centre)), shape->normal};
    }
}

// The axis with the least component along a direction, ties to the first: x for a sphere.
static oracle_vec least_axis(oracle_vec along) {
    const double size[3] = {fabs(along.x), fabs(along.y), fabs(along.z)};
    int least = 0;
    for (int k = 1; k < 3; ++k) {
        least = size[k] < size[least] ? k : least;
    }
    return vec(least == 0, least == 1, least == 2);
}

oracle_collider_def oracle_default_collider(void) {
    return (oracle_collider_def){.kind = ORACLE_SHAPE_CAPSULE, .friction = 0.5, .mask = UINT32_MAX};
}

oracle_shape oracle_place_collider(const oracle* o, const oracle_collider_def* def,
                                   const oracle_place* at, const double root_position[3],
                                   double root_scale) {
    const double voxel = 1 / (o->input->voxel_metres * root_scale); // voxels of a metre
    const oracle_vec first = vec_of(def->ends[0]), second = vec_of(def->ends[1]);
    oracle_shape shape = {.kind = def->kind, .rotation = at->rotation};
    shape.centre = vec_scale(vec_sub(vec_of(at->position), vec_of(root_position)), voxel);
    shape.ends[0] = vec_add_scaled(shape.centre, voxel, quat_rotate(at->rotation, first));
    shape.ends[1] = vec_add_scaled(shape.centre, voxel, quat_rotate(at->rotation, second));
    shape.radii[0] = fmax(LEAST_RADIUS, voxel * def->radii[0]);
    shape.radii[1] = fmax(LEAST_RADIUS, voxel * def->radii[1]);
    shape.across = least_axis(vec_sub(second, first));
    shape.normal = quat_rotate(at->rotation, vec(0, 1, 0));
    shape.half_extents = vec_scale(vec_of(def->half_extents), voxel);
    shape.rounding = fmax(LEAST_RADIUS, voxel * def->rounding);
    return shape;
}

static oracle_place place_between(const oracle_place* a, const oracle_place* b, double t) {
    oracle_place place = {.rotation = quat_nlerp(a->rotation, b->rotation, t)};
    for (int k = 0; k < 3; ++k) {
        const double moved = b->position[k] - a->position[k];
        place.position[k] = t == 1 ? b->position[k] : a->position[k] + t * moved;
    }
    return place;
}

// Both ends are M x0 of the joint, and r turns the limb (MODEL 3.16).
static oracle_shape place_limb(const oracle* o, const oracle_limb_rest* limb,
                               const oracle_kept_pose* pose) {
    const double all = 1;
    oracle_shape shape = {.kind = ORACLE_SHAPE_CAPSULE};
    for (int end = 0; end < 2; ++end) {
        shape.ends[end] =
            oracle_skin_point(o, pose, vec_of(limb->ends[end]), &limb->joint, &all, 1, NULL);
        shape.radii[end] = limb->radii[end];
    }
    shape.centre = shape.ends[0];
    shape.rotation = oracle_joint_rotation(o, pose, limb->joint);
    shape.across = least_axis(vec_sub(vec_of(limb->ends[1]), vec_of(limb->ends[0])));
    return shape;
}

static oracle_shape rebased(oracle_shape shape, oracle_vec displacement) {
    shape.centre = vec_sub(shape.centre, displacement);
    shape.ends[0] = vec_sub(shape.ends[0], displacement);
    shape.ends[1] = vec_sub(shape.ends[1], displacement);
    return shape;
}

// Limbs first, then colliders, each by index. Those that may not touch are moved along all the
// same, so that what is switched on later starts from where it was.
void oracle_place_shapes(oracle* o, const oracle_kept_pose* pose, oracle_vec root_displacement,
                         double share, bool is_swept) {
    o->sweep_count = 0;
    for (uint32_t l = 0; l < o->input->limb_count; ++l) {
        const oracle_shape to = place_limb(o, &o->input->limbs[l], pose);
        const oracle_shape from = is_swept ? rebased(o->limb[l], root_displacement) : to;
        if (o->settings.own_limbs) {
            o->sweeps[o->sweep_count++] = (oracle_sweep){from, to, LIMB_FRICTION, true, l};
        }
        o->limb[l] = to;
    }
    for (uint32_t c = 0; c < ORACLE_COLLIDERS_MAX; ++c) {
        oracle_collider* collider = &o->colliders[c];
        if (!collider->is_there) {
            continue;
        }
        const oracle_place now = place_between(&collider->last, &collider->now, share);
        const oracle_place before = is_swept ? collider->before : now;
        if ((collider->def.mask & o->settings.collider_mask) != 0) {
            const double scale = pose->root_scale;
            const double* root = pose->root_position;
            o->sweeps[o->sweep_count++] =
                (oracle_sweep){oracle_place_collider(o, &collider->def, &before, root, scale),
                               oracle_place_collider(o, &collider->def, &now, root, scale),
                               collider->def.friction, false, c};
        }
        collider->before = now;
    }
}

void oracle_end_call_of_colliders(oracle* o) {
    for (uint32_t c = 0; c < ORACLE_COLLIDERS_MAX; ++c) {
        o->colliders[c].last = o->colliders[c].now;
    }
}

static oracle_place sound(const oracle_place* place) {
    oracle_place copy = *place;
    copy.rotation = quat_normalise(place->rotation);
    return copy;
}

void oracle_set_collider(oracle* o, uint32_t collider, const oracle_collider_def* def,
                         const oracle_place* at) {
    const oracle_place place = sound(at);
    o->colliders[collider] = (oracle_collider){true, *def, place, place, place};
    o->quiet_substeps = 0;
}

void oracle_remove_collider(oracle* o, uint32_t collider) {
    o->colliders[collider].is_there = false;
    o->quiet_substeps = 0;
}

void oracle_move_collider(oracle* o, uint32_t collider, const oracle_place* to) {
    o->colliders[collider].now = sound(to);
    o->quiet_substeps = 0;
}

void oracle_teleport_collider(oracle* o, uint32_t collider, const oracle_place* to) {
    oracle_collider* c = &o->colliders[collider];
    c->last = c->now = c->before = sound(to);
    o->quiet_substeps = 0;
}
