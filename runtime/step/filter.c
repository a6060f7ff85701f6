// SPDX-License-Identifier: MIT
// The filter for captured poses (MODEL 4.10): one-euro, after Casiez, Roussel, Vogel 2012, "1 Euro
// Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems", on each
// joint relative to its parent. Slow motion is smoothed much, because there trembling shows; fast
// motion little, because there lag would.
#include "runtime/step/filter.h"

#include "platform/fpu.h"
#include "runtime/step/matrix.h"
#include "runtime/world/world.h"

#include <float.h>
#include <string.h>

#define SPEED_CUTOFF_HZ 1.0
#define TWO_PI          6.28318530717958647693

tlw_pose_filter tlw_default_pose_filter(void) {
    return (tlw_pose_filter){.cutoff_hz = 1.5f, .hz_per_speed = 3.0f, .hz_per_turn = 3.0f};
}

// A joint relative to its parent; one without a parent as it is.
typedef struct relative {
    double translation[3], rotation[4];
} relative;

static const tlw_joint_pose* parent_of(const tlw_character* c, const tlw_joint_pose* joints,
                                       uint32_t joint) {
    const uint32_t parent = c->blob.joints[joint].parent;
    return parent != TLW_BLOB_NO_INDEX ? &joints[parent] : NULL;
}

static void rotation_of(const tlw_joint_pose* joint, double out[4]) {
    for (int i = 0; i < 4; ++i) {
        out[i] = (double)joint->rotation[i];
    }
}

static void conjugate(double r[4]) {
    for (int i = 0; i < 3; ++i) {
        r[i] = -r[i];
    }
}

static relative relative_of(const tlw_character* c, uint32_t joint) {
    const tlw_joint_pose* at = &c->filter.set[joint];
    const tlw_joint_pose* parent = parent_of(c, c->filter.set, joint);
    relative out;
    rotation_of(at, out.rotation);
    for (int i = 0; i < 3; ++i) {
        out.translation[i] = (double)at->translation[i];
    }
    if (parent != NULL) {
        double back[4];
        rotation_of(parent, back);
        conjugate(back);
        for (int i = 0; i < 3; ++i) {
            out.translation[i] -= (double)parent->translation[i];
        }
        tlw_rotate_vector(back, out.translation, out.translation);
        tlw_multiply_rotations(back, out.rotation, out.rotation);
    }
    return out;
}

// Puts a filtered joint back on its filtered parent, which came before it.
static void place_joint(tlw_character* c, uint32_t joint) {
    const tlw_filter_joint* f = &c->filter.joints[joint];
    tlw_joint_pose* to = &c->now.joints[joint];
    const tlw_joint_pose* parent = parent_of(c, c->now.joints, joint);
    double translation[3], rotation[4];
    memcpy(translation, f->translation, sizeof translation);
    memcpy(rotation, f->rotation, sizeof rotation);
    if (parent != NULL) {
        double above[4];
        rotation_of(parent, above);
        tlw_rotate_vector(above, translation, translation);
        tlw_multiply_rotations(above, rotation, rotation);
        for (int i = 0; i < 3; ++i) {
            translation[i] += (double)parent->translation[i];
        }
    }
    tlw_normalise_rotation(rotation);
    for (int i = 0; i < 3; ++i) {
        to->translation[i] = (float)translation[i];
    }
    for (int i = 0; i < 4; ++i) {
        to->rotation[i] = (float)rotation[i];
    }
}

// The share of the way that a low-pass goes in dt.
static double share_of(double hz, double dt) {
    const double x = TWO_PI * hz * dt;
    return x / (1.0 + x);
}

// Moves a speed by its own low-pass, and returns the share of the way for what it is the speed of.
static double share_by_speed(double speed[3], const double now[3], double cutoff, double per_speed,
                             double dt) {
    const double share = share_of(SPEED_CUTOFF_HZ, dt);
    double length2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        speed[i] += share * (now[i] - speed[i]);
        length2 += speed[i] * speed[i];
    }
    // Below the range of a float it counts as 0, and far beyond it nothing is filtered.
    const double length = length2 < 1e-30  ? 0.0
                          : length2 > 1e30 ? 1e15
                                           : length2 * tlw_inverse_sqrt_of(length2);
    return share_of(cutoff + per_speed * length, dt);
}

static void filter_joint(tlw_character* c, uint32_t joint, double dt) {
    const tlw_pose_filter* how = &c->filter.how;
    tlw_filter_joint* f = &c->filter.joints[joint];
    relative set = relative_of(c, joint);
    double now[3], back[4], between[4];
    for (int i = 0; i < 3; ++i) {
        now[i] = (set.translation[i] - f->translation[i]) / dt;
    }
    const double share =
        share_by_speed(f->speed, now, (double)how->cutoff_hz, (double)how->hz_per_speed, dt);
    for (int i = 0; i < 3; ++i) {
        f->translation[i] += share * (set.translation[i] - f->translation[i]);
    }
    memcpy(back, f->rotation, sizeof back);
    conjugate(back);
    tlw_multiply_rotations(back, set.rotation, between);
    const double side = between[3] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; ++i) {
        now[i] = side * 2.0 * between[i] / dt;
    }
    const double turn =
        share_by_speed(f->turn, now, (double)how->cutoff_hz, (double)how->hz_per_turn, dt);
    for (int i = 0; i < 4; ++i) {
        f->rotation[i] += turn * (side * set.rotation[i] - f->rotation[i]);
    }
    tlw_normalise_rotation(f->rotation);
}

// Parents before children, by as many rounds as the skeleton is deep.
static void order_joints(tlw_character* c) {
    const uint32_t count = c->blob.lattice->joint_count;
    uint32_t placed = 0;
    // The filter's joints are not in use yet: speed[0] marks those that have a place.
    while (placed < count) {
        for (uint32_t j = 0; j < count; ++j) {
            const uint32_t parent = c->blob.joints[j].parent;
            const bool is_ready =
                parent == TLW_BLOB_NO_INDEX || c->filter.joints[parent].speed[0] > 0.0;
            if (is_ready && !(c->filter.joints[j].speed[0] > 0.0)) {
                c->filter.joints[j].speed[0] = 1.0;
                c->filter.order[placed++] = j;
            }
        }
    }
}

void tlw_filter_init(tlw_character* c) {
    if (c->filter.joints != NULL) {
        order_joints(c);
    }
}

void tlw_filter_take_set(tlw_character* c) {
    if (c->filter.is_on) {
        memcpy(c->now.joints, c->filter.set, c->blob.lattice->joint_count * sizeof *c->filter.set);
    }
}

void tlw_filter_restart(tlw_character* c) {
    for (uint32_t j = 0; c->filter.is_on && j < c->blob.lattice->joint_count; ++j) {
        const relative set = relative_of(c, j);
        tlw_filter_joint* f = &c->filter.joints[j];
        *f = (tlw_filter_joint){.speed = {0.0}};
        memcpy(f->translation, set.translation, sizeof f->translation);
        memcpy(f->rotation, set.rotation, sizeof f->rotation);
    }
}

void tlw_filter_advance(tlw_character* c, double dt) {
    for (uint32_t i = 0; i < c->blob.lattice->joint_count; ++i) {
        filter_joint(c, c->filter.order[i], dt);
        place_joint(c, c->filter.order[i]);
    }
}

// ---- The interface

tlw_result tlw_character_set_pose_filter(tlw_world* world, tlw_character_id id,
                                         const tlw_pose_filter* filter) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (c->filter.joints == NULL) {
        return TLW_ERROR_UNSUPPORTED;
    }
    TLW_FLOAT_SCOPE();
    if (filter != NULL && !(filter->cutoff_hz > 0.0f && filter->cutoff_hz <= FLT_MAX &&
                            filter->hz_per_speed >= 0.0f && filter->hz_per_speed <= FLT_MAX &&
                            filter->hz_per_turn >= 0.0f && filter->hz_per_turn <= FLT_MAX)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const size_t bytes = c->blob.lattice->joint_count * sizeof *c->filter.set;
    if (filter == NULL && c->filter.is_on) {
        memcpy(c->now.joints, c->filter.set, bytes);
        c->filter.is_on = false;
    } else if (filter != NULL) {
        if (!c->filter.is_on) { // it begins on the pose that was set
            memcpy(c->filter.set, c->now.joints, bytes);
            c->filter.is_on = true;
            tlw_filter_restart(c);
        }
        c->filter.how = *filter;
    }
    c->still_substeps = 0;
    return TLW_OK;
}
