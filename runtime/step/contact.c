// SPDX-License-Identifier: MIT
// Contact on the character's side (contact.h): makes the shapes of a substep from the world's
// colliders and the character's limbs, and keeps what the kernel found (MODEL 3.15, 3.16, 4.7).
#include "runtime/step/contact.h"

#include "runtime/step/matrix.h"
#include "runtime/step/muscles.h"
#include "runtime/step/pose.h"

#include <float.h>
#include <string.h>

TLW_STATIC_ASSERT(TLW_COLLIDERS_MAX <= TLW_SHAPES_MAX && TLW_BLOB_LIMBS_MAX <= TLW_SHAPES_MAX,
                  "passes/contact.c has a bit for each shape of a list");

#define LIMB_FRICTION 0.3f
#define NEAR_VOXELS   1.0f // a collider that moves within this of a sleeper's bounds wakes it
#define BOUNDS_SLACK  1e-3f
#define LENGTH_MAX    1e9 // voxels: nothing is that far away, and squares stay finite

// ---- Shapes

// A pose in the character's state: voxels, world axes, relative to the root.
typedef struct placed {
    double centre[3];
    double rotation[4];
} placed;

static double clamp(double a) {
    return a < -LENGTH_MAX ? -LENGTH_MAX : a > LENGTH_MAX ? LENGTH_MAX : a;
}

static placed place_pose(const tlw_collider_pose* pose, const double root[3], double per_voxel) {
    placed out;
    for (int i = 0; i < 3; ++i) {
        out.centre[i] = clamp((pose->position[i] - root[i]) * per_voxel);
    }
    for (int i = 0; i < 4; ++i) {
        out.rotation[i] = (double)pose->rotation[i];
    }
    return out;
}

static void place_point(const placed* at, const float point[3], double per_voxel, double out[3]) {
    const double local[3] = {(double)point[0], (double)point[1], (double)point[2]};
    tlw_rotate_vector(at->rotation, local, out);
    for (int i = 0; i < 3; ++i) {
        out[i] = clamp(at->centre[i] + out[i] * per_voxel);
    }
}

static float thickness(float metres, double per_voxel) {
    const double voxels = clamp((double)metres * per_voxel);
    return (float)(voxels > TLW_SHAPE_RADIUS_MIN ? voxels : TLW_SHAPE_RADIUS_MIN);
}

// u = moved + turn (y - pivot): the rigid motion from one pose to the next.
static void set_motion(const placed* from, const placed* to, tlw_shape* out) {
    double before[3][3], after[3][3];
    tlw_rows_of_rotation(from->rotation, before);
    tlw_rows_of_rotation(to->rotation, after);
    out->turns = memcmp(from->rotation, to->rotation, sizeof from->rotation) != 0;
    for (int i = 0; i < 3; ++i) {
        out->pivot[i] = (float)from->centre[i];
        out->moved[i] = (float)(to->centre[i] - from->centre[i]);
        for (int k = 0; k < 3; ++k) { // row i, column k of after before^T
            double sum = i == k ? -1.0 : 0.0;
            for (int m = 0; m < 3; ++m) {
                sum += after[i][m] * before[k][m];
            }
            out->turn[k][i] = out->turns ? (float)sum : 0.0f;
        }
    }
}

static void set_way(const double from[3], const double to[3], tlw_shape* out, int end) {
    for (int i = 0; i < 3; ++i) {
        out->from[end][i] = (float)from[i];
        out->way[end][i] = (float)(to[i] - from[i]);
    }
}

// Grows the bounds of a shape by a ball.
static void add_bounds(tlw_shape* out, const double centre[3], const double size[3]) {
    for (int i = 0; i < 3; ++i) {
        const float low = (float)(centre[i] - size[i]), high = (float)(centre[i] + size[i]);
        out->low[i] = low < out->low[i] ? low : out->low[i];
        out->high[i] = high > out->high[i] ? high : out->high[i];
    }
}

static void begin_bounds(tlw_shape* out) {
    for (int i = 0; i < 3; ++i) {
        out->low[i] = FLT_MAX;
        out->high[i] = -FLT_MAX;
    }
}

// The capsule's own axis that is most across it, made square to it; x for a sphere.
static void set_across(const double direction[3], const double rotation[4], tlw_shape* out) {
    double length2 = 0.0, across[3] = {1.0, 0.0, 0.0};
    int least = 0;
    for (int i = 0; i < 3; ++i) {
        length2 += direction[i] * direction[i];
        const double a = direction[i] < 0.0 ? -direction[i] : direction[i];
        const double b = direction[least] < 0.0 ? -direction[least] : direction[least];
        least = a < b ? i : least;
    }
    if (length2 > 1e-24) {
        double sum = 0.0;
        for (int i = 0; i < 3; ++i) {
            across[i] = (i == least ? 1.0 : 0.0) - direction[i] * direction[least] / length2;
            sum += across[i] * across[i];
        }
        const double by = tlw_inverse_sqrt_of(sum);
        for (int i = 0; i < 3; ++i) {
            across[i] *= by;
        }
    }
    tlw_rotate_vector(rotation, across, across);
    for (int i = 0; i < 3; ++i) {
        out->across[i] = (float)across[i];
    }
}

// A capsule whose ends go from before[] to after[].
static void set_capsule(double before[2][3], double after[2][3], const float radius[2],
                        tlw_shape* out) {
    out->kind = TLW_COLLIDER_CAPSULE;
    begin_bounds(out);
    for (int end = 0; end < 2; ++end) {
        out->radius[end] = radius[end];
        const double size = (double)(radius[end] + TLW_VOXEL_RADIUS + BOUNDS_SLACK);
        const double sizes[3] = {size, size, size};
        set_way(before[end], after[end], out, end);
        add_bounds(out, before[end], sizes);
        add_bounds(out, after[end], sizes);
    }
    const float least = radius[0] < radius[1] ? radius[0] : radius[1];
    out->look = 0.5f * (least + 0.5f);
    double length2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double along = after[1][i] - after[0][i];
        out->end[i] = (float)after[0][i];
        out->axis[i] = (float)along;
        length2 += along * along;
    }
    out->inverse_length2 = length2 > 1e-12 ? (float)(1.0 / length2) : 0.0f;
}

static void set_collider_capsule(const tlw_collider_def* def, const placed* from, const placed* to,
                                 double per_voxel, tlw_shape* out) {
    double before[2][3], after[2][3], direction[3];
    const float radius[2] = {thickness(def->radii[0], per_voxel),
                             thickness(def->radii[1], per_voxel)};
    for (int end = 0; end < 2; ++end) {
        place_point(from, def->ends[end], per_voxel, before[end]);
        place_point(to, def->ends[end], per_voxel, after[end]);
    }
    for (int i = 0; i < 3; ++i) {
        direction[i] = clamp(((double)def->ends[1][i] - (double)def->ends[0][i]) * per_voxel);
    }
    set_capsule(before, after, radius, out);
    set_across(direction, to->rotation, out);
}

// While it turns, a box is somewhere in the ball around it.
static void bound_box(const placed* at, tlw_shape* out) {
    double rows[3][3], size[3], ball = 0.0;
    tlw_rows_of_rotation(at->rotation, rows);
    const double around = (double)(out->radius[0] + TLW_VOXEL_RADIUS + BOUNDS_SLACK);
    for (int i = 0; i < 3; ++i) {
        ball += (double)out->half[i];
        size[i] = around;
        for (int k = 0; k < 3; ++k) {
            size[i] += (rows[i][k] < 0.0 ? -rows[i][k] : rows[i][k]) * (double)out->half[k];
        }
    }
    for (int i = 0; i < 3; ++i) {
        size[i] = out->turns ? ball + around : size[i];
    }
    add_bounds(out, at->centre, size);
}

static void set_box(const tlw_collider_def* def, const placed* from, const placed* to,
                    double per_voxel, tlw_shape* out) {
    double dot = 0.0;
    out->radius[0] = out->radius[1] = thickness(def->rounding, per_voxel);
    out->look = 0.5f * (out->radius[0] + 0.5f);
    set_way(from->centre, to->centre, out, 0);
    for (int i = 0; i < 4; ++i) {
        dot += from->rotation[i] * to->rotation[i];
    }
    for (int i = 0; i < 4; ++i) {
        out->rotation[0][i] = (float)from->rotation[i];
        out->rotation[1][i] = (float)(dot < 0.0 ? -to->rotation[i] : to->rotation[i]);
    }
    for (int i = 0; i < 3; ++i) {
        out->half[i] = (float)clamp((double)def->half_extents[i] * per_voxel);
    }
    begin_bounds(out);
    bound_box(from, out);
    bound_box(to, out);
}

static void set_plane(const placed* from, const placed* to, tlw_shape* out) {
    const placed* ends[2] = {from, to};
    out->look = FLT_MAX;
    set_way(from->centre, to->centre, out, 0);
    for (int end = 0; end < 2; ++end) {
        double normal[3] = {0.0, 1.0, 0.0};
        tlw_rotate_vector(ends[end]->rotation, normal, normal);
        for (int i = 0; i < 3; ++i) {
            out->normal[end][i] = (float)normal[i];
        }
    }
}

static void set_shape(const tlw_collider_def* def, const placed* from, const placed* to,
                      double per_voxel, tlw_shape* out) {
    *out = (tlw_shape){.kind = def->kind, .friction = def->friction};
    set_motion(from, to, out);
    if (def->kind == TLW_COLLIDER_CAPSULE) {
        set_collider_capsule(def, from, to, per_voxel, out);
    } else if (def->kind == TLW_COLLIDER_BOX) {
        set_box(def, from, to, per_voxel, out);
    } else {
        set_plane(from, to, out);
    }
}

void tlw_contact_place(const tlw_collider_def* def, const tlw_collider_pose* pose,
                       const double root[3], double per_voxel, tlw_shape* out) {
    const placed at = place_pose(pose, root, per_voxel);
    set_shape(def, &at, &at, per_voxel, out);
}

// ---- Poses between calls

static tlw_collider_pose pose_between(const tlw_collider* collider, double share) {
    const tlw_collider_pose *a = &collider->before, *b = &collider->now;
    if (share >= 1.0 || memcmp(a, b, sizeof *a) == 0) {
        return *b;
    }
    const tlw_root from = {
        .position = {a->position[0], a->position[1], a->position[2]},
        .rotation = {a->rotation[0], a->rotation[1], a->rotation[2], a->rotation[3]},
        .scale = 1.0f};
    const tlw_root to = {
        .position = {b->position[0], b->position[1], b->position[2]},
        .rotation = {b->rotation[0], b->rotation[1], b->rotation[2], b->rotation[3]},
        .scale = 1.0f};
    const tlw_root root = tlw_root_between(&from, &to, share);
    tlw_collider_pose out;
    memcpy(out.position, root.position, sizeof out.position);
    memcpy(out.rotation, root.rotation, sizeof out.rotation);
    return out;
}

static bool may_touch(const tlw_character* c, const tlw_collider* collider) {
    return collider->is_alive && (collider->def.mask & c->settings.collider_mask) != 0;
}

// A sleeper has not followed the colliders: it starts from where they were at the last call.
static void forget_sleep(tlw_character* c) {
    for (uint32_t i = 0; c->slept && i < c->colliders->capacity; ++i) {
        c->collider_last[i] = c->colliders->list[i].before;
    }
    c->slept = false;
}

// ---- Limbs

static void joint_point(const tlw_skin_entry* joint, const float x[3], double out[3]) {
    for (int i = 0; i < 3; ++i) {
        out[i] = (double)joint->column[3][i];
        for (int k = 0; k < 3; ++k) {
            out[i] += (double)joint->column[k][i] * (double)x[k];
        }
    }
}

static tlw_limb_place limb_at(const tlw_blob_limb* limb, const tlw_skin_entry* joints) {
    const tlw_skin_entry* joint = &joints[limb->joint];
    tlw_limb_place out;
    for (int end = 0; end < 2; ++end) {
        joint_point(joint, limb->ends[end], out.ends[end]);
    }
    for (int i = 0; i < 4; ++i) {
        out.rotation[i] = (double)joint->rotation[i];
    }
    return out;
}

// The limb turns with its joint around its first end.
static void set_limb(const tlw_blob_limb* limb, const tlw_limb_place* last,
                     const tlw_limb_place* now, const float rebase[3], tlw_shape* out) {
    double before[2][3], after[2][3], direction[3];
    placed from, to;
    for (int i = 0; i < 3; ++i) {
        for (int end = 0; end < 2; ++end) {
            before[end][i] = clamp(last->ends[end][i] - (double)rebase[i]);
            after[end][i] = clamp(now->ends[end][i]);
        }
        from.centre[i] = before[0][i];
        to.centre[i] = after[0][i];
        direction[i] = (double)limb->ends[1][i] - (double)limb->ends[0][i];
    }
    memcpy(from.rotation, last->rotation, sizeof from.rotation);
    memcpy(to.rotation, now->rotation, sizeof to.rotation);
    float radius[2];
    for (int end = 0; end < 2; ++end) {
        const float least = (float)TLW_SHAPE_RADIUS_MIN;
        radius[end] = limb->radius[end] > least ? limb->radius[end] : least;
    }
    *out = (tlw_shape){.friction = LIMB_FRICTION};
    set_motion(&from, &to, out);
    set_capsule(before, after, radius, out);
    set_across(direction, to.rotation, out);
}

// ---- What is too far away

// Bounds of M x over the boxes of voxels that the joints move. Linear skinning puts a voxel between
// the places where its joints would; dual quaternions do not, and have no such bounds.
static tlw_hull hull_of(const tlw_character* c, const tlw_skin_entry* joints) {
    tlw_hull hull = {.is_known = c->blob.lattice->skinning == TLW_SKINNING_LINEAR};
    for (int i = 0; i < 3; ++i) {
        hull.low[i] = FLT_MAX;
        hull.high[i] = -FLT_MAX;
    }
    for (uint32_t j = 0; hull.is_known && j < c->blob.lattice->joint_count; ++j) {
        const tlw_blob_joint_box* box = &c->blob.joint_box[j];
        for (int i = 0; i < 3 && box->high[0] >= box->low[0]; ++i) {
            float middle = joints[j].column[3][i], size = 0.0f;
            for (int k = 0; k < 3; ++k) {
                const float column = joints[j].column[k][i];
                middle += column * 0.5f * (float)(box->low[k] + box->high[k] + 1);
                size +=
                    (column < 0.0f ? -column : column) * 0.5f * (float)(box->high[k] - box->low[k]);
            }
            hull.low[i] = middle - size < hull.low[i] ? middle - size : hull.low[i];
            hull.high[i] = middle + size > hull.high[i] ? middle + size : hull.high[i];
        }
    }
    return hull;
}

// How far a voxel can be from where skinning puts it, before any correction: its limit, what
// contact adds to that, skinned volume and muscles. The field is at most sqrt 3 long.
static float leeway_of(const tlw_character* c) {
    float reach = 0.0f;
    for (uint32_t i = 0; c->settings.skinned_volume && i < c->blob.bend_count; ++i) {
        reach = c->blob.bends[i].reach > reach ? c->blob.bends[i].reach : reach;
    }
    return TLW_CONTACT_CAP * c->limit_most + 1.75f * reach + tlw_muscles_reach(c) + BOUNDS_SLACK;
}

// Bounds of everything that the voxels pass through in a substep; unknown ones have no end.
static tlw_hull hull_of_substep(const tlw_character* c, const tlw_skin_entry* joints) {
    tlw_hull now = hull_of(c, joints);
    const float leeway = leeway_of(c);
    now.is_known = now.is_known && c->hull.is_known && leeway < 1e6f;
    for (int i = 0; i < 3; ++i) {
        const float low = c->hull.low[i] - c->rebase[i], high = c->hull.high[i] - c->rebase[i];
        now.low[i] = (low < now.low[i] ? low : now.low[i]) - leeway;
        now.high[i] = (high > now.high[i] ? high : now.high[i]) + leeway;
    }
    return now;
}

static bool may_meet(const tlw_shape* shape, const tlw_hull* hull) {
    for (int i = 0; i < 3 && hull->is_known && shape->kind != TLW_COLLIDER_PLANE; ++i) {
        if (shape->low[i] > hull->high[i] || shape->high[i] < hull->low[i]) {
            return false;
        }
    }
    return true;
}

// ---- A substep

void tlw_contact_prepare(tlw_character* c, double share, const tlw_root* root,
                         const tlw_skin_entry* joints, tlw_shape* limbs, tlw_shape* colliders,
                         tlw_substep* substep) {
    const double per_voxel = 1.0 / (c->blob.lattice->voxel_metres * (double)root->scale);
    const uint32_t limb_count = c->settings.own_limbs ? c->blob.lattice->limb_count : 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < limb_count; ++i) {
        const tlw_limb_place now = limb_at(&c->blob.limbs[i], joints);
        set_limb(&c->blob.limbs[i], &c->limb_last[i], &now, c->rebase, &limbs[i]);
        limbs[i].place = i;
    }
    forget_sleep(c);
    substep->may_touch = limb_count > 0;
    tlw_hull hull = {.is_known = false};
    if (c->colliders->count > 0) {
        hull = hull_of_substep(c, joints);
    }
    for (uint32_t i = 0; c->colliders->count > 0 && i < c->colliders->capacity; ++i) {
        const tlw_collider* collider = &c->colliders->list[i];
        if (may_touch(c, collider)) {
            const tlw_collider_pose now = pose_between(collider, share);
            const placed from = place_pose(&c->collider_last[i], root->position, per_voxel);
            const placed to = place_pose(&now, root->position, per_voxel);
            set_shape(&collider->def, &from, &to, per_voxel, &colliders[count]);
            colliders[count].place = i;
            count += may_meet(&colliders[count], &hull);
            substep->may_touch = true;
        }
    }
    substep->limbs = (tlw_shapes){limbs, limb_count};
    substep->colliders = (tlw_shapes){colliders, count};
}

void tlw_contact_end(tlw_character* c, double share, const tlw_skin_entry* joints) {
    for (uint32_t i = 0; i < c->blob.lattice->limb_count; ++i) {
        c->limb_last[i] = limb_at(&c->blob.limbs[i], joints);
    }
    for (uint32_t i = 0; c->colliders->count > 0 && i < c->colliders->capacity; ++i) {
        if (c->colliders->list[i].is_alive) {
            c->collider_last[i] = pose_between(&c->colliders->list[i], share);
        }
    }
    c->hull.is_known = false;
    if (c->colliders->count > 0) {
        c->hull = hull_of(c, joints);
    }
    c->slept = c->has_touch_bounds = false;
}

// ---- What touched

// Contacts are sorted by depth, the deepest first. Among equally deep ones limbs come before
// colliders, and a lower place in the blob or world before a higher one.
static bool is_before(const tlw_contact* a, const tlw_contact* b) {
    if (a->depth != b->depth) {
        return a->depth > b->depth;
    }
    const uint32_t key_a = a->limb != TLW_NO_INDEX ? a->limb : TLW_SHAPES_MAX + a->collider.index1;
    const uint32_t key_b = b->limb != TLW_NO_INDEX ? b->limb : TLW_SHAPES_MAX + b->collider.index1;
    return key_a < key_b;
}

static void keep_contact(tlw_character* c, const tlw_contact* contact) {
    uint32_t at = 0;
    while (at < c->contact_count &&
           (c->contacts[at].limb != contact->limb ||
            !tlw_collider_id_equals(c->contacts[at].collider, contact->collider))) {
        at += 1;
    }
    const bool is_full = c->contact_count == c->contact_capacity;
    if (at < c->contact_count) {
        if (!(contact->depth > c->contacts[at].depth)) {
            return; // it has a deeper one
        }
    } else if (!is_full) {
        c->contact_count += 1;
    } else if (is_before(contact, &c->contacts[c->contact_count - 1])) {
        at = c->contact_count - 1;
    } else {
        return;
    }
    for (; at > 0 && is_before(contact, &c->contacts[at - 1]); --at) {
        c->contacts[at] = c->contacts[at - 1];
    }
    c->contacts[at] = *contact;
}

static tlw_contact contact_of(const tlw_character* c, const tlw_substep* s, const tlw_hit* hit) {
    const double metres = c->blob.lattice->voxel_metres * (double)c->scale_at_substep;
    const tlw_window_state* state = &c->states[c->is_odd][hit->slot / TLW_LANES];
    tlw_contact out = {.limb = hit->is_limb ? hit->shape : TLW_NO_INDEX,
                       .voxel = c->blob.slot_voxel[hit->slot],
                       .depth = (float)((double)hit->depth * metres),
                       .speed = (float)((double)hit->speed * metres)};
    if (!hit->is_limb) {
        const uint32_t place = s->colliders.list[hit->shape].place;
        out.collider = (tlw_collider_id){place + 1, c->colliders->list[place].generation};
    }
    for (int i = 0; i < 3; ++i) {
        out.normal[i] = hit->normal[i];
        out.position[i] =
            c->root_at_substep[i] + (double)state->p[i][hit->slot % TLW_LANES] * metres;
    }
    return out;
}

void tlw_contact_collect(tlw_character* c, const tlw_substep* substep) {
    // Without shapes the stage does not run, and the hits are of an earlier substep or another
    // character.
    const bool has_hits =
        substep->hits != NULL && substep->limbs.count + substep->colliders.count > 0;
    for (uint32_t b = 0; has_hits && b < c->blob.block_count; ++b) {
        const tlw_block_hits* hits = &substep->hits[b];
        for (uint32_t i = 0; i < hits->count; ++i) {
            const tlw_contact contact = contact_of(c, substep, &hits->list[i]);
            keep_contact(c, &contact);
        }
    }
}

// ---- Sleep

// Bounds of the voxels as the last substep left them. They are kept until the next one.
static void find_bounds(tlw_character* c) {
    if (c->has_touch_bounds) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        c->touch_low[i] = FLT_MAX;
        c->touch_high[i] = -FLT_MAX;
    }
    for (uint32_t slot = 0; slot < c->blob.slot_count; ++slot) {
        const tlw_window_state* state = &c->states[c->is_odd][slot / TLW_LANES];
        for (int i = 0; i < 3 && c->blob.slot_voxel[slot] != TLW_BLOB_NO_INDEX; ++i) {
            const float p = state->p[i][slot % TLW_LANES];
            c->touch_low[i] = p < c->touch_low[i] ? p : c->touch_low[i];
            c->touch_high[i] = p > c->touch_high[i] ? p : c->touch_high[i];
        }
    }
    c->has_touch_bounds = true;
}

static bool is_plane_near(const tlw_character* c, const tlw_shape* shape, int end) {
    float least = -TLW_VOXEL_RADIUS - NEAR_VOXELS;
    for (int i = 0; i < 3; ++i) {
        const float n = shape->normal[end][i];
        const float at = shape->from[0][i] + (float)end * shape->way[0][i];
        least += n * ((n > 0.0f ? c->touch_low[i] : c->touch_high[i]) - at);
    }
    return least < 0.0f;
}

// Where it was, where it is, or on the way: what is fast crosses a character within a call.
bool tlw_contact_is_near(tlw_character* c, const tlw_collider* collider) {
    if (!may_touch(c, collider)) {
        return false;
    }
    find_bounds(c);
    const double per_voxel = 1.0 / (c->blob.lattice->voxel_metres * (double)c->scale_at_substep);
    const placed from = place_pose(&collider->before, c->root_at_substep, per_voxel);
    const placed to = place_pose(&collider->now, c->root_at_substep, per_voxel);
    tlw_shape shape;
    set_shape(&collider->def, &from, &to, per_voxel, &shape);
    if (shape.kind == TLW_COLLIDER_PLANE) {
        return is_plane_near(c, &shape, 0) || is_plane_near(c, &shape, 1);
    }
    for (int i = 0; i < 3; ++i) {
        if (!(shape.low[i] <= c->touch_high[i] + NEAR_VOXELS &&
              shape.high[i] >= c->touch_low[i] - NEAR_VOXELS)) {
            return false;
        }
    }
    return true;
}

bool tlw_contact_wakes(tlw_character* c) {
    for (uint32_t i = 0; c->colliders->count > 0 && i < c->colliders->capacity; ++i) {
        const tlw_collider* collider = &c->colliders->list[i];
        if (memcmp(&collider->before, &collider->now, sizeof collider->now) != 0 &&
            tlw_contact_is_near(c, collider)) {
            return true;
        }
    }
    return false;
}
