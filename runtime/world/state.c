// SPDX-License-Identifier: MIT
// State of a character as tests, debug views and effects see it: single voxels, and the hash over
// everything that the next step depends on (MODEL 2, 8).
#include "runtime/step/matrix.h"
#include "runtime/step/muscles.h"
#include "runtime/world/world.h"

// Makes a rotation from lattice axes to the world into one from the asset's axes to the world.
static void rotate_from_asset(const tlw_blob_lattice* l, const float from_lattice[4],
                              float out[4]) {
    double axes[4], r[4];
    tlw_lattice_rotation(l, axes);
    const double inverse[4] = {0.0 - axes[0], 0.0 - axes[1], 0.0 - axes[2], axes[3]};
    for (int i = 0; i < 4; ++i) {
        r[i] = (double)from_lattice[i];
    }
    tlw_multiply_rotations(r, inverse, r);
    for (int i = 0; i < 4; ++i) {
        out[i] = (float)r[i];
    }
}

double tlw_character_velocity_base(const tlw_character* c, uint32_t slot, int axis) {
    const uint32_t w = slot / TLW_LANES, lane = slot % TLW_LANES;
    const double now = (double)c->poses[c->is_odd][w].skin[axis][lane],
                 last = (double)c->poses[!c->is_odd][w].skin[axis][lane];
    return c->starts_next ? 0.0 : (now - last + (double)c->rebase[axis]) / c->substep_seconds;
}

// What the stored relative velocity of a voxel is multiplied by to be its own (MODEL 3.9).
static double velocity_share(const tlw_character* c, uint32_t slot) {
    return tlw_anchor_share(c->gains[slot / TLW_LANES].anchor[slot % TLW_LANES]);
}

static tlw_result find_voxel(const tlw_world* world, tlw_character_id id, uint32_t voxel,
                             tlw_character** out, uint32_t* slot) {
    const tlw_result result = tlw_world_find(world, id, out);
    if (result != TLW_OK) {
        return result;
    }
    if (voxel >= (*out)->blob.lattice->voxel_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    *slot = (*out)->blob.voxel_slot[voxel];
    return TLW_OK;
}

tlw_result tlw_character_get_voxel(const tlw_world* world, tlw_character_id id, uint32_t voxel,
                                   tlw_voxel_state* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    uint32_t slot;
    const tlw_result result = find_voxel(world, id, voxel, &c, &slot);
    if (result != TLW_OK) {
        return result;
    }
    const uint32_t lane = slot % TLW_LANES;
    const tlw_window_state* state = &c->states[c->is_odd][slot / TLW_LANES];
    const tlw_window_pose* pose = &c->poses[c->is_odd][slot / TLW_LANES];
    for (int i = 0; i < 3; ++i) {
        out->position[i] = state->p[i][lane];
        const double base = tlw_character_velocity_base(c, slot, i);
        const double v = (double)c->velocity[slot / TLW_LANES].v[i][lane];
        out->velocity[i] = (float)(base + (v - base) * velocity_share(c, slot));
        out->skinned[i] = pose->skin[i][lane];
    }
    double rb[4], r[4]; // R = Rb Q
    float from_lattice[4];
    for (int i = 0; i < 4; ++i) {
        from_lattice[i] = pose->rb[i][lane];
        rb[i] = (double)from_lattice[i];
        r[i] = (double)state->rotation[i][lane];
    }
    rotate_from_asset(c->blob.lattice, from_lattice, out->skinned_rotation);
    tlw_multiply_rotations(rb, r, r);
    for (int i = 0; i < 4; ++i) {
        from_lattice[i] = (float)r[i];
    }
    rotate_from_asset(c->blob.lattice, from_lattice, out->rotation);
    return TLW_OK;
}

tlw_result tlw_character_set_voxel(tlw_world* world, tlw_character_id id, uint32_t voxel,
                                   const float position[3], const float velocity[3]) {
    TLW_ASSERT(position != NULL && velocity != NULL);
    tlw_character* c;
    uint32_t slot;
    const tlw_result result = find_voxel(world, id, voxel, &c, &slot);
    if (result != TLW_OK) {
        return result;
    }
    for (int i = 0; i < 3; ++i) {
        c->states[c->is_odd][slot / TLW_LANES].p[i][slot % TLW_LANES] = position[i];
        const double base = tlw_character_velocity_base(c, slot, i);
        c->velocity[slot / TLW_LANES].v[i][slot % TLW_LANES] =
            (float)(base + ((double)velocity[i] - base) / velocity_share(c, slot));
    }
    c->still_substeps = 0;
    c->may_be_off = true;
    return TLW_OK;
}

// What contact, forces and the filter add: nothing where none is in use, so that a character
// without them has the hash that it always had.
static uint64_t hash_control(const tlw_character* c, uint64_t hash) {
    const tlw_settings* s = &c->settings;
    const bool has_wind = s->wind_drag > 0.0f, has_limbs = c->blob.lattice->limb_count > 0;
    if (has_wind || s->time_scale != 1.0f || s->collider_mask != UINT32_MAX || has_limbs) {
        const struct {
            float wind[3], wind_drag, time_scale;
            uint32_t mask, own_limbs;
        } set = {{s->wind[0], s->wind[1], s->wind[2]},
                 s->wind_drag,
                 s->time_scale,
                 s->collider_mask,
                 s->own_limbs};
        hash = tlw_xxh64(&set, sizeof set, hash);
        hash = tlw_xxh64(c->limb_last, c->blob.lattice->limb_count * sizeof *c->limb_last, hash);
    }
    for (uint32_t i = 0; i < c->colliders->capacity; ++i) {
        const tlw_collider* collider = &c->colliders->list[i];
        if (collider->is_alive) {
            // A sleeper's own last poses are old: it will start from the colliders'.
            const tlw_collider_pose* from = c->slept ? &collider->before : &c->collider_last[i];
            const tlw_collider_pose poses[3] = {*from, collider->before, collider->now};
            hash = tlw_xxh64(&collider->def, sizeof collider->def, hash ^ i);
            hash = tlw_xxh64(poses, sizeof poses, hash);
        }
    }
    for (uint32_t i = 0; i < c->drag_capacity; ++i) {
        if (c->drags[i].is_on) {
            const tlw_drag* how = &c->drags[i].how;
            hash = tlw_xxh64(how->target, sizeof how->target, hash ^ i);
            const float numbers[3] = {(float)how->voxel, how->radius, how->hz};
            hash = tlw_xxh64(numbers, sizeof numbers, hash);
        }
    }
    if (c->filter.is_on) {
        const size_t joints = c->blob.lattice->joint_count;
        hash = tlw_xxh64(&c->filter.how, sizeof c->filter.how, hash);
        hash = tlw_xxh64(c->filter.joints, joints * sizeof *c->filter.joints, hash);
        hash = tlw_xxh64(c->filter.set, joints * sizeof *c->filter.set, hash);
    }
    return hash;
}

// Lines, what they displace, and tensions: nothing without muscles.
static uint64_t hash_muscles(const tlw_character* c, uint64_t hash) {
    if (c->line_rows == NULL) {
        return hash;
    }
    const size_t rows = tlw_muscle_sizes_of(&c->blob).rows, windows = c->blob.window_count;
    hash = tlw_xxh64(c->line_rows, rows * sizeof *c->line_rows, hash);
    hash = tlw_xxh64(c->tensions, c->blob.lattice->muscle_count * sizeof *c->tensions, hash);
    for (uint32_t i = 0; i < 2; ++i) {
        const tlw_window_displacement* m = c->displacements[i ^ c->is_odd];
        hash = tlw_xxh64(m, windows * sizeof *m, hash);
    }
    return hash;
}

uint64_t tlw_character_state_hash(const tlw_character* c) {
    const uint32_t joints = c->blob.lattice->joint_count;
    const struct {
        double accumulator, lag, root[3], scale, scale_now;
        float rebase[3];
        uint32_t still, is_jump, carries, starts, volume_since_back_and_off;
    } scalars = {c->accumulator,
                 c->lag,
                 {c->root_at_substep[0], c->root_at_substep[1], c->root_at_substep[2]},
                 (double)c->last.root.scale,
                 (double)c->now.root.scale,
                 {c->rebase[0], c->rebase[1], c->rebase[2]},
                 c->still_substeps,
                 c->is_jump,
                 c->carries_next,
                 c->starts_next,
                 (uint32_t)c->settings.skinned_volume << 16 | (uint32_t)c->since_back << 1 |
                     c->may_be_off};
    const size_t windows = c->blob.window_count;
    uint64_t hash = tlw_xxh64(c->velocity, windows * sizeof *c->velocity, 0);
    for (uint32_t i = 0; i < 2; ++i) { // the later substep first, whichever buffer it is in
        const uint32_t which = i ^ c->is_odd;
        hash = tlw_xxh64(c->states[which], windows * sizeof *c->states[which], hash);
        hash = tlw_xxh64(c->poses[which], windows * sizeof *c->poses[which], hash);
    }
    hash = tlw_xxh64(c->region_rotation, (size_t)c->blob.region_stride * 4 * sizeof(float), hash);
    hash = tlw_xxh64(c->now.joints, joints * sizeof *c->now.joints, hash);
    hash = tlw_xxh64(c->last.joints, joints * sizeof *c->last.joints, hash);
    hash = tlw_xxh64(c->last.root.position, sizeof c->last.root.position, hash);
    hash = tlw_xxh64(c->last.root.rotation, sizeof c->last.root.rotation, hash);
    hash = tlw_xxh64(c->now.root.position, sizeof c->now.root.position, hash);
    hash = tlw_xxh64(c->now.root.rotation, sizeof c->now.root.rotation, hash);
    hash = tlw_xxh64(c->materials, tlw_material_count(&c->blob) * sizeof *c->materials, hash);
    // Up to skinned_volume, after which there is padding.
    hash = tlw_xxh64(&c->settings, offsetof(tlw_settings, skinned_volume), hash);
    hash = hash_control(c, hash);
    hash = hash_muscles(c, hash);
    if (tlw_character_is_fading(c)) { // otherwise the gains follow from the materials
        hash = tlw_xxh64(&c->fade, sizeof c->fade, hash);
        hash = tlw_xxh64(c->gains, windows * sizeof *c->gains, hash);
    }
    return tlw_xxh64(&scalars, sizeof scalars, hash);
}

tlw_result tlw_character_hash(const tlw_world* world, tlw_character_id id, uint64_t* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *out = tlw_character_state_hash(c);
    }
    return result;
}
