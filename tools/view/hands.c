// SPDX-License-Identifier: MIT
// Pulling tissue, and moving what touches it.
#include "tools/view/hands.h"

#include <math.h>
#include <string.h>

#define PULL_RADIUS    0.07f // in sizes of the character, as all below
#define PULL_HZ        10.0f
#define BALL_RADIUS    0.07f
#define CAPSULE_RADIUS 0.04f
#define CAPSULE_HALF   0.18f
#define PLANE_ABOVE    0.005f // the ground, which would show through in stripes
#define THROW_SPEED    4.0    // per second
#define THROW_FROM     1.6    // before what it is thrown at, if the eye is farther away
#define BALL_SECONDS   6.0    // after which a ball is gone
#define BALL_OMEGA     60.0   // of the spring that throws it back, rad/s
#define BALL_KEPT      0.6    // of its speed, when it leaves the ground
#define FALL           9.81   // m/s^2

// ---- Things in worlds

static tlw_collider_def def_of(const tlw_view_hands* h, tlw_view_thing_kind kind) {
    const tlw_view_thing* thing = &h->things[kind];
    tlw_collider_def def = tlw_default_collider_def();
    def.kind = kind == TLW_VIEW_PLANE ? TLW_COLLIDER_PLANE : TLW_COLLIDER_CAPSULE;
    if (kind != TLW_VIEW_PLANE) {
        def.radii[0] = def.radii[1] = thing->radius;
        def.ends[0][0] = -thing->half_length;
        def.ends[1][0] = thing->half_length;
    }
    return def;
}

static tlw_collider_pose pose_of(const tlw_view_thing* thing) {
    tlw_collider_pose pose = tlw_default_collider_pose();
    const float half = 0.5f * thing->yaw_degrees * 0.01745329252f;
    memcpy(pose.position, thing->position, sizeof pose.position);
    pose.rotation[1] = sinf(half);
    pose.rotation[3] = cosf(half);
    return pose;
}

static void take_out(tlw_view_hands* h, tlw_view_thing_kind kind, uint32_t side) {
    tlw_collider_id* id = &h->things[kind].ids[side];
    if (h->characters[side] && !tlw_collider_id_is_null(*id)) {
        TLW_IGNORE(tlw_collider_destroy(h->characters[side]->motion->world, *id));
    }
    *id = (tlw_collider_id){0};
}

static void put_in(tlw_view_hands* h, tlw_view_thing_kind kind, uint32_t side) {
    tlw_view_thing* thing = &h->things[kind];
    take_out(h, kind, side);
    if (thing->is_there && h->characters[side]) {
        const tlw_collider_def def = def_of(h, kind);
        const tlw_collider_pose pose = pose_of(thing);
        // There is room for each kind; a size that is refused leaves the thing out.
        if (tlw_collider_create(h->characters[side]->motion->world, &def, &pose,
                                &thing->ids[side]) != TLW_OK) {
            thing->ids[side] = (tlw_collider_id){0};
        }
    }
}

void tlw_view_hands_attach(tlw_view_hands* h, uint32_t side, tlw_view_character* character) {
    if (h->is_pulling && h->pulled == side) {
        tlw_view_hands_let_go(h);
    }
    // Colliders of a world that is gone went with it.
    h->characters[side] = character;
    for (uint32_t kind = 0; kind < TLW_VIEW_COLLIDERS; ++kind) {
        h->things[kind].ids[side] = (tlw_collider_id){0};
        put_in(h, (tlw_view_thing_kind)kind, side);
    }
}

void tlw_view_hands_lay_out(tlw_view_hands* h, float size, float ground, const float middle[3]) {
    h->size = size;
    h->ground = ground;
    tlw_view_thing *ball = &h->things[TLW_VIEW_BALL], *plane = &h->things[TLW_VIEW_PLANE],
                   *capsule = &h->things[TLW_VIEW_CAPSULE];
    ball->radius = BALL_RADIUS * size;
    capsule->radius = CAPSULE_RADIUS * size;
    capsule->half_length = CAPSULE_HALF * size;
    plane->position[1] = (double)(ground + PLANE_ABOVE * size);
    for (int axis = 0; axis < 3; ++axis) {
        ball->position[axis] = capsule->position[axis] = (double)middle[axis];
    }
    capsule->position[2] += 0.4 * (double)size;
}

void tlw_view_hands_show(tlw_view_hands* h, tlw_view_thing_kind kind, bool is_there) {
    h->things[kind].is_there = is_there;
    for (uint32_t side = 0; side < TLW_VIEW_CHARACTERS; ++side) {
        put_in(h, kind, side);
    }
}

void tlw_view_hands_place(tlw_view_hands* h, tlw_view_thing_kind kind) {
    const tlw_view_thing* thing = &h->things[kind];
    const tlw_collider_pose pose = pose_of(thing);
    for (uint32_t side = 0; side < TLW_VIEW_CHARACTERS; ++side) {
        if (h->characters[side] && !tlw_collider_id_is_null(thing->ids[side])) {
            TLW_IGNORE(tlw_collider_set_pose(h->characters[side]->motion->world, thing->ids[side],
                                             &pose)); // a place too far away is kept out
        }
    }
}

// ---- The ball

// Throws the ball at the first tissue that the ray meets. It is aimed higher by as much as it falls
// on the way.
void tlw_view_hands_throw(tlw_view_hands* h, const tlw_view_ray* ray) {
    tlw_view_thing* ball = &h->things[TLW_VIEW_BALL];
    const tlw_view_character* c = h->characters[0];
    const double size = (double)h->size, speed = THROW_SPEED * size;
    double from = 0.2 * size, seconds = 0.0;
    tlw_pick pick;
    if (c && tlw_character_pick(c->motion->world, c->motion->id, ray->origin, ray->direction,
                                &pick) == TLW_OK) {
        from = fmax(from, (double)pick.distance - THROW_FROM * size);
        seconds = fmax((double)pick.distance - from, 0.0) / speed;
    }
    ball->seconds = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        ball->position[axis] = ray->origin[axis] + from * (double)ray->direction[axis];
        ball->velocity[axis] = speed * (double)ray->direction[axis];
    }
    ball->velocity[1] += 0.5 * FALL * seconds;
    tlw_view_hands_show(h, TLW_VIEW_BALL, true);
}

// The tissue of the first character throws it back, as far as it is pressed in.
static void push_back(const tlw_view_hands* h, tlw_view_thing* ball, double dt) {
    const tlw_view_character* c = h->characters[0];
    const tlw_collider_def def = def_of(h, TLW_VIEW_BALL);
    const tlw_collider_pose pose = pose_of(ball);
    tlw_overlap overlap;
    if (c == NULL ||
        tlw_character_overlap(c->motion->world, c->motion->id, &def, &pose, &overlap) != TLW_OK ||
        overlap.voxel_count == 0) {
        return;
    }
    const double push = BALL_OMEGA * BALL_OMEGA * (double)overlap.depth * dt;
    for (int axis = 0; axis < 3; ++axis) {
        ball->velocity[axis] -= push * (double)overlap.normal[axis];
    }
}

void tlw_view_hands_advance(tlw_view_hands* h, double dt) {
    tlw_view_thing* ball = &h->things[TLW_VIEW_BALL];
    if (!ball->is_there || (h->is_moving && h->moved == TLW_VIEW_BALL)) {
        return;
    }
    ball->seconds += dt;
    if (ball->seconds > BALL_SECONDS) {
        tlw_view_hands_show(h, TLW_VIEW_BALL, false);
        return;
    }
    push_back(h, ball, dt);
    ball->velocity[1] -= FALL * dt;
    for (int axis = 0; axis < 3; ++axis) {
        ball->position[axis] += ball->velocity[axis] * dt;
    }
    const double lowest = (double)(h->ground + ball->radius);
    if (ball->position[1] < lowest && ball->velocity[1] < 0.0) {
        ball->position[1] = lowest;
        ball->velocity[1] *= -BALL_KEPT;
    }
    tlw_view_hands_place(h, TLW_VIEW_BALL);
}

// ---- The mouse

// Where the ray meets the plane through a place, parallel to the picture.
static void place_on_plane(const tlw_view_ray* ray, const double through[3], double out[3]) {
    double way = 0.0, pace = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        way += (through[axis] - ray->origin[axis]) * (double)ray->back[axis];
        pace += (double)(ray->direction[axis] * ray->back[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = ray->origin[axis] + (double)ray->direction[axis] * way / pace;
    }
}

// How far along the ray a ball is met; negative: it is not.
static double meet_ball(const tlw_view_ray* ray, const double centre[3], double radius) {
    double along = 0.0, squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double to = centre[axis] - ray->origin[axis];
        along += to * (double)ray->direction[axis];
        squared += to * to;
    }
    const double inside = radius * radius - (squared - along * along);
    return inside > 0.0 ? along - sqrt(inside) : -1.0;
}

// A capsule is met where one of a row of balls is, which is near enough for a mouse.
static double meet_thing(const tlw_view_thing* thing, const tlw_view_ray* ray) {
    const double yaw = (double)thing->yaw_degrees * 0.01745329252;
    double nearest = -1.0;
    for (int i = -8; i <= 8 && thing->is_there; ++i) {
        const double along = (double)thing->half_length * i / 8.0;
        const double centre[3] = {thing->position[0] + along * cos(yaw), thing->position[1],
                                  thing->position[2] - along * sin(yaw)};
        const double way = meet_ball(ray, centre, (double)thing->radius);
        nearest = way > 0.0 && (nearest < 0.0 || way < nearest) ? way : nearest;
    }
    return nearest;
}

static bool grab_thing(tlw_view_hands* h, const tlw_view_ray* ray, double before) {
    static const tlw_view_thing_kind kinds[] = {TLW_VIEW_BALL, TLW_VIEW_CAPSULE};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        const double way = meet_thing(&h->things[kinds[i]], ray);
        if (way > 0.0 && way < before) {
            before = way;
            h->is_moving = true;
            h->moved = kinds[i];
        }
    }
    if (h->is_moving) {
        double at[3];
        const tlw_view_thing* thing = &h->things[h->moved];
        place_on_plane(ray, thing->position, at);
        for (int axis = 0; axis < 3; ++axis) {
            h->grip[axis] = at[axis] - thing->position[axis];
        }
    }
    return h->is_moving;
}

bool tlw_view_hands_grab(tlw_view_hands* h, uint32_t side, const tlw_view_ray* ray) {
    tlw_view_character* c = h->characters[side];
    tlw_pick pick = {.distance = INFINITY};
    const bool has_tissue = c && tlw_character_pick(c->motion->world, c->motion->id, ray->origin,
                                                    ray->direction, &pick) == TLW_OK;
    tlw_view_hands_let_go(h);
    if (grab_thing(h, ray, (double)pick.distance)) {
        return true;
    }
    if (has_tissue) {
        h->drag = (tlw_drag){.voxel = pick.voxel, .radius = PULL_RADIUS * h->size, .hz = PULL_HZ};
        memcpy(h->drag.target, pick.position, sizeof pick.position);
        h->is_pulling = true;
        h->pulled = side;
        tlw_view_hands_move(h, ray);
    }
    return h->is_pulling;
}

void tlw_view_hands_move(tlw_view_hands* h, const tlw_view_ray* ray) {
    if (h->is_pulling) {
        const tlw_motion* motion = h->characters[h->pulled]->motion;
        place_on_plane(ray, h->drag.target, h->drag.target);
        h->is_pulling = tlw_character_set_drag(motion->world, motion->id, 0, &h->drag) == TLW_OK;
    } else if (h->is_moving) {
        tlw_view_thing* thing = &h->things[h->moved];
        double at[3];
        place_on_plane(ray, thing->position, at);
        for (int axis = 0; axis < 3; ++axis) {
            thing->position[axis] = at[axis] - h->grip[axis];
            thing->velocity[axis] = 0.0;
        }
        tlw_view_hands_place(h, h->moved);
    }
}

void tlw_view_hands_let_go(tlw_view_hands* h) {
    if (h->is_pulling && h->characters[h->pulled]) {
        const tlw_motion* motion = h->characters[h->pulled]->motion;
        TLW_IGNORE(tlw_character_end_drag(motion->world, motion->id, 0));
    }
    h->is_pulling = h->is_moving = false;
}

bool tlw_view_hands_pull(const tlw_view_hands* h, float from[3], float to[3]) {
    tlw_voxel_state voxel;
    const tlw_view_character* c = h->characters[h->pulled];
    if (!h->is_pulling ||
        tlw_character_get_voxel(c->motion->world, c->motion->id, h->drag.voxel, &voxel) != TLW_OK) {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = (float)(c->motion->root.position[axis] +
                             (double)voxel.position[axis] * c->motion->voxel_metres);
        to[axis] = (float)h->drag.target[axis];
    }
    return true;
}
