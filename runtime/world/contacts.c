// SPDX-License-Identifier: MIT
// What touched a character, what a shape would touch, and its limbs, for the game and for debug
// views (MODEL 3.15, 3.16).
#include "platform/fpu.h"
#include "runtime/step/contact.h"
#include "runtime/step/matrix.h"
#include "runtime/world/world.h"

#include <string.h>

tlw_result tlw_character_get_contacts(const tlw_world* world, tlw_character_id id, tlw_contact* out,
                                      uint32_t capacity, uint32_t* count) {
    TLW_ASSERT(count != NULL && (out != NULL || capacity == 0));
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *count = c->contact_count;
        const uint32_t copied = c->contact_count < capacity ? c->contact_count : capacity;
        if (copied > 0) { // memcpy wants no null pointer, even for 0 bytes
            memcpy(out, c->contacts, copied * sizeof *out);
        }
    }
    return result;
}

// ---- Overlap: the geometry of passes/contact.c for one voxel, in double

typedef struct probe {
    double depth;
    double n[3];
} probe;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The length of a vector, which it divides by it; below 1e-6 it leaves it alone.
static double normalise(double a[3]) {
    const double length2 = dot(a, a);
    if (length2 < 1e-12) {
        return 0.0;
    }
    const double by = tlw_inverse_sqrt_of(length2);
    for (int i = 0; i < 3; ++i) {
        a[i] *= by;
    }
    return length2 * by;
}

static probe probe_capsule(const tlw_shape* shape, const double x[3]) {
    double axis[3], from[3];
    for (int i = 0; i < 3; ++i) {
        axis[i] = (double)shape->from[1][i] - (double)shape->from[0][i];
        from[i] = x[i] - (double)shape->from[0][i];
    }
    const double length2 = dot(axis, axis);
    double t = length2 > 1e-12 ? dot(from, axis) / length2 : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    probe out;
    for (int i = 0; i < 3; ++i) {
        out.n[i] = from[i] - t * axis[i];
    }
    const double distance = normalise(out.n);
    for (int i = 0; i < 3 && distance == 0.0; ++i) {
        out.n[i] = (double)shape->across[i];
    }
    const double radius =
        (double)shape->radius[0] + t * ((double)shape->radius[1] - (double)shape->radius[0]);
    out.depth = radius + (double)TLW_VOXEL_RADIUS - distance;
    return out;
}

static probe probe_plane(const tlw_shape* shape, const double x[3]) {
    probe out = {.depth = (double)TLW_VOXEL_RADIUS};
    for (int i = 0; i < 3; ++i) {
        out.n[i] = (double)shape->normal[0][i];
        out.depth -= out.n[i] * (x[i] - (double)shape->from[0][i]);
    }
    return out;
}

static probe probe_box(const tlw_shape* shape, const double x[3]) {
    double rotation[4], back[4], at[3], out_by[3], deepest = -1e300;
    int face = 0;
    for (int i = 0; i < 4; ++i) {
        rotation[i] = (double)shape->rotation[0][i];
        back[i] = i < 3 ? -rotation[i] : rotation[i];
    }
    for (int i = 0; i < 3; ++i) {
        at[i] = x[i] - (double)shape->from[0][i];
    }
    tlw_rotate_vector(back, at, at);
    for (int i = 0; i < 3; ++i) {
        const double over = (at[i] < 0.0 ? -at[i] : at[i]) - (double)shape->half[i];
        out_by[i] = over > 0.0 ? (at[i] < 0.0 ? -over : over) : 0.0;
        face = over > deepest ? i : face;
        deepest = over > deepest ? over : deepest;
    }
    double distance = normalise(out_by);
    if (distance == 0.0) {
        distance = deepest;
        for (int i = 0; i < 3; ++i) {
            out_by[i] = i != face ? 0.0 : at[i] < 0.0 ? -1.0 : 1.0;
        }
    }
    probe out = {.depth = (double)(shape->radius[0] + TLW_VOXEL_RADIUS) - distance};
    tlw_rotate_vector(rotation, out_by, out.n);
    return out;
}

static probe probe_voxel(const tlw_character* c, const tlw_shape* shape, uint32_t slot) {
    const tlw_window_state* state = &c->states[c->is_odd][slot / TLW_LANES];
    double x[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = (double)state->p[i][slot % TLW_LANES];
    }
    return shape->kind == TLW_COLLIDER_CAPSULE ? probe_capsule(shape, x)
           : shape->kind == TLW_COLLIDER_PLANE ? probe_plane(shape, x)
                                               : probe_box(shape, x);
}

tlw_result tlw_character_overlap(const tlw_world* world, tlw_character_id id,
                                 const tlw_collider_def* shape, const tlw_collider_pose* pose,
                                 tlw_overlap* out) {
    TLW_ASSERT(shape != NULL && pose != NULL && out != NULL);
    tlw_character* c;
    tlw_collider_pose good;
    tlw_result result = tlw_world_find(world, id, &c);
    result = result == TLW_OK ? tlw_collider_check(shape, pose, &good) : result;
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    const double metres = c->blob.lattice->voxel_metres * (double)c->scale_at_substep;
    tlw_shape placed;
    double deepest = 0.0;
    tlw_contact_place(shape, &good, c->root_at_substep, 1.0 / metres, &placed);
    *out = (tlw_overlap){.voxel_count = 0};
    for (uint32_t voxel = 0; voxel < c->blob.lattice->voxel_count; ++voxel) {
        const uint32_t slot = c->blob.voxel_slot[voxel];
        const probe at = probe_voxel(c, &placed, slot);
        if (c->blob.slot_layer[slot] == 0 || !(at.depth > 0.0)) {
            continue;
        }
        out->voxel_count += 1;
        if (at.depth > deepest) {
            deepest = at.depth;
            out->voxel = voxel;
            out->depth = (float)(at.depth * metres);
            for (int i = 0; i < 3; ++i) {
                const float p = c->states[c->is_odd][slot / TLW_LANES].p[i][slot % TLW_LANES];
                out->normal[i] = (float)at.n[i];
                out->position[i] = c->root_at_substep[i] + (double)p * metres;
            }
        }
    }
    return TLW_OK;
}

tlw_result tlw_character_get_limb(const tlw_world* world, tlw_character_id id, uint32_t limb,
                                  tlw_limb* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (limb >= c->blob.lattice->limb_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    TLW_FLOAT_SCOPE();
    const double metres = c->blob.lattice->voxel_metres * (double)c->scale_at_substep;
    out->joint = c->blob.limbs[limb].joint;
    for (int end = 0; end < 2; ++end) {
        out->radii[end] = (float)((double)c->blob.limbs[limb].radius[end] * metres);
        for (int i = 0; i < 3; ++i) {
            out->ends[end][i] = c->root_at_substep[i] + c->limb_last[limb].ends[end][i] * metres;
        }
    }
    return TLW_OK;
}
