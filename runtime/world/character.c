// SPDX-License-Identifier: MIT
// Characters: their memory and creation, poses, teleport, output and reports (MODEL 4.1, 4.5, 6.1).
#include "platform/arena.h"
#include "platform/fpu.h"
#include "runtime/step/filter.h"
#include "runtime/step/matrix.h"
#include "runtime/step/muscles.h"
#include "runtime/step/step.h"
#include "runtime/world/world.h"

#include <string.h>

#define CHARACTER_COOKIE 0x43485201u

tlw_character_def tlw_default_character_def(void) {
    return (tlw_character_def){.cookie = CHARACTER_COOKIE,
                               .pose_kind = TLW_POSE_MATRICES,
                               .preset = TLW_PRESET_COOKED,
                               .name = "character"};
}

// ---- Memory

static void carve_muscles(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_character* fields) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    const uint32_t count = blob->lattice->muscle_count, windows = blob->window_count;
    if (count == 0) {
        return;
    }
    for (int i = 0; i < 2; ++i) {
        fields->displacements[i] =
            tlw_arena_push_array(arena, windows, sizeof *fields->displacements[i], line);
    }
    fields->line_rows = tlw_arena_push_array(arena, tlw_muscle_sizes_of(blob).rows,
                                             sizeof *fields->line_rows, line);
    fields->tensions = tlw_arena_push_array(arena, count, sizeof *fields->tensions, line);
    fields->muscle_states = tlw_arena_push_array(arena, count, sizeof *fields->muscle_states, line);
}

// Divides the memory for a character and its arrays; the arrays' addresses go to `fields`.
static tlw_character* carve(tlw_arena* arena, const tlw_character_def* def,
                            const tlw_blob_arrays* blob, tlw_character* fields) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    const uint32_t joints = blob->lattice->joint_count, materials = tlw_material_count(blob);
    tlw_character* c = tlw_arena_push_array(arena, 1, sizeof *c, line);
    const uint32_t windows = blob->window_count;
    for (int i = 0; i < 2; ++i) {
        fields->poses[i] = tlw_arena_push_array(arena, windows, sizeof *fields->poses[i], line);
        fields->states[i] = tlw_arena_push_array(arena, windows, sizeof *fields->states[i], line);
    }
    fields->velocity = tlw_arena_push_array(arena, windows, sizeof *fields->velocity, line);
    fields->region_rotation =
        tlw_arena_push_array(arena, (size_t)blob->region_stride * 4, sizeof(float), line);
    fields->binds = tlw_arena_push_array(arena, joints, sizeof *fields->binds, line);
    fields->last.joints = tlw_arena_push_array(arena, joints, sizeof(tlw_joint_pose), line);
    fields->now.joints = tlw_arena_push_array(arena, joints, sizeof(tlw_joint_pose), line);
    fields->last_joints = tlw_arena_push_array(arena, joints, sizeof *fields->last_joints, line);
    fields->gains = tlw_arena_push_array(arena, windows, sizeof *fields->gains, line);
    fields->materials = tlw_arena_push_array(arena, materials, sizeof *fields->materials, line);
    fields->limb_last =
        tlw_arena_push_array(arena, blob->lattice->limb_count, sizeof *fields->limb_last, line);
    fields->drags = tlw_arena_push_array(arena, def->drag_capacity, sizeof *fields->drags, line);
    fields->drag_weights = tlw_arena_push_array(
        arena, (size_t)def->drag_capacity * blob->slot_count, sizeof(float), line);
    if (def->has_pose_filter) {
        tlw_filter* filter = &fields->filter;
        filter->joints = tlw_arena_push_array(arena, joints, sizeof *filter->joints, line);
        filter->set = tlw_arena_push_array(arena, joints, sizeof *filter->set, line);
        filter->order = tlw_arena_push_array(arena, joints, sizeof *filter->order, line);
    }
    carve_muscles(arena, blob, fields);
    return c;
}

static tlw_result check_def(const tlw_character_def* def) {
    tlw_blob_info info;
    if (def->cookie != CHARACTER_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    if ((uint32_t)def->pose_kind > TLW_POSE_SKINNING || (uint32_t)def->preset >= TLW_PRESET_COUNT ||
        def->drag_capacity > TLW_PULLS_MAX) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    return tlw_blob_get_info(&def->blob, &info);
}

tlw_result tlw_character_bytes(const tlw_character_def* def, size_t* bytes) {
    TLW_ASSERT(def != NULL && bytes != NULL);
    const tlw_result result = check_def(def);
    if (result != TLW_OK) {
        return result;
    }
    tlw_blob_arrays blob;
    tlw_character fields;
    tlw_arena arena;
    tlw_blob_arrays_open(def->blob.bytes, &blob);
    tlw_arena_init_measuring(&arena, "character");
    (void)carve(&arena, def, &blob, &fields);
    *bytes = arena.high_water_bytes;
    return TLW_OK;
}

// For stages that run between steps, on the caller's thread.
static tlw_runner own_runner(tlw_world* world) {
    return (tlw_runner){.kernels = world->kernels, .pass_ns = world->pass_ns[0]};
}

tlw_result tlw_character_create(tlw_world* world, const tlw_character_def* def, void* memory,
                                size_t bytes, tlw_character_id* out) {
    TLW_ASSERT(world != NULL && def != NULL && memory != NULL && out != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    *out = (tlw_character_id){0, 0};
    size_t needed;
    uint32_t slot;
    tlw_result result = tlw_character_bytes(def, &needed);
    result = result == TLW_OK ? tlw_check_memory(memory, bytes, needed) : result;
    if (result != TLW_OK) {
        return result;
    }
    tlw_character fields = {.memory = memory, .memory_bytes = needed};
    tlw_blob_arrays_open(def->blob.bytes, &fields.blob);
    tlw_world_forget_blob(world, def->blob.bytes);
    result = tlw_world_find_free_slot(world, &slot);
    if (result != TLW_OK) {
        return result;
    }
    const bool has_hits =
        world->def.contact_capacity == 0 || fields.blob.block_count <= world->block_capacity;
    if (tlw_scratch_bytes(&fields.blob) > world->def.scratch_bytes || !has_hits) {
        return TLW_ERROR_SMALL_SCRATCH;
    }
    TLW_FLOAT_SCOPE();
    tlw_arena arena;
    memset(memory, 0, needed);
    (void)tlw_arena_init(&arena, "character", memory, needed);
    tlw_character* c = carve(&arena, def, &fields.blob, &fields);
    fields.drag_capacity = def->drag_capacity;
    for (uint32_t i = 0; i < def->drag_capacity; ++i) {
        fields.drags[i].weights = fields.drag_weights + (size_t)i * fields.blob.slot_count;
    }
    tlw_world_give_colliders(world, slot, &fields);
    *c = fields;
    c->name = def->name ? def->name : "character";
    c->report.user_data = def->user_data;
    c->pose_kind = def->pose_kind;
    c->substep_seconds = world->def.substep_seconds;
    c->settings = (tlw_settings){
        .rotation_iterations = 2,
        .repeats = 1,
        .skinned_volume = c->blob.bend_count > 0,
        .own_limbs = c->blob.lattice->limb_count > 0,
        .collider_mask = UINT32_MAX,
        .time_scale = 1.0f,
    };
    c->embed.blob = &c->blob;
    c->embed.output = tlw_default_output();
    tlw_embed_plan(&c->embed);
    for (uint32_t j = 0; j < c->blob.lattice->joint_count; ++j) {
        tlw_bind_of(c->blob.joints[j].bind, c->blob.lattice, &c->binds[j]);
    }
    tlw_pose_set_bind(c->binds, c->blob.lattice->joint_count, &c->now);
    tlw_pose_set_bind(c->binds, c->blob.lattice->joint_count, &c->last);
    tlw_filter_init(c);
    tlw_character_set_preset(c, TLW_PRESET_COOKED);
    tlw_character_set_preset(c, def->preset);
    tlw_character_update_gains(c);
    const tlw_runner runner = own_runner(world);
    tlw_character_settle(c, &world->scratch[0], &runner);
    *out = tlw_world_fill_slot(world, slot, c);
    return TLW_OK;
}

// ---- Poses

tlw_pose tlw_default_pose(void) {
    return (tlw_pose){.root = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = 1.0f}};
}

tlw_result tlw_character_set_pose(tlw_world* world, tlw_character_id id, const tlw_pose* pose) {
    TLW_ASSERT(pose != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (pose->joint_count != c->blob.lattice->joint_count || pose->joints == NULL) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    TLW_FLOAT_SCOPE();
    // Where poses are filtered, the step makes `now` from what is set here.
    tlw_pose_moment to = {.joints = c->filter.is_on ? c->filter.set : c->now.joints};
    const tlw_pose_problem problem = tlw_pose_read(pose, c->pose_kind, c->binds, &to);
    if (problem.what == NULL) {
        c->now.root = to.root;
    } else {
        c->bad_pose = problem;
        c->pending |= TLW_STEP_BAD_POSE;
        return TLW_ERROR_BAD_POSE;
    }
    c->is_jump = c->is_jump || pose->is_jump;
    return TLW_OK;
}

tlw_result tlw_character_get_pose_problem(const tlw_world* world, tlw_character_id id,
                                          tlw_pose_problem* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *out = c->bad_pose;
    }
    return result;
}

tlw_result tlw_character_get_joints(const tlw_world* world, tlw_character_id id,
                                    float (*matrices)[16], uint32_t joint_count) {
    TLW_ASSERT(matrices != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (joint_count != c->blob.lattice->joint_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    TLW_FLOAT_SCOPE();
    for (uint32_t j = 0; j < joint_count; ++j) {
        const tlw_joint_pose* joint = &c->last.joints[j];
        const double rotation[4] = {(double)joint->rotation[0], (double)joint->rotation[1],
                                    (double)joint->rotation[2], (double)joint->rotation[3]};
        for (int column = 0; column < 3; ++column) { // M = T R U
            double v[3] = {(double)joint->stretch[column][0], (double)joint->stretch[column][1],
                           (double)joint->stretch[column][2]};
            tlw_rotate_vector(rotation, v, v);
            for (int i = 0; i < 3; ++i) {
                matrices[j][4 * column + i] = (float)v[i];
            }
            matrices[j][4 * column + 3] = 0.0f;
            matrices[j][12 + column] = joint->translation[column];
        }
        matrices[j][15] = 1.0f;
    }
    return TLW_OK;
}

tlw_result tlw_character_reset(tlw_world* world, tlw_character_id id) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        const tlw_runner runner = own_runner(world);
        if (tlw_character_is_fading(c)) {
            TLW_FLOAT_SCOPE();
            tlw_character_update_gains(c);
        }
        tlw_character_settle(c, &world->scratch[0], &runner);
    }
    return result;
}

static void rotate_lanes(const double rotation[4], float v[3][TLW_LANES]) {
    for (int lane = 0; lane < TLW_LANES; ++lane) {
        double at[3] = {(double)v[0][lane], (double)v[1][lane], (double)v[2][lane]};
        tlw_rotate_vector(rotation, at, at);
        for (int i = 0; i < 3; ++i) {
            v[i][lane] = (float)at[i];
        }
    }
}

static void rotate_rotations(const double rotation[4], float rb[4][TLW_LANES]) {
    for (int lane = 0; lane < TLW_LANES; ++lane) {
        double r[4];
        for (int i = 0; i < 4; ++i) {
            r[i] = (double)rb[i][lane];
        }
        tlw_multiply_rotations(rotation, r, r);
        for (int i = 0; i < 4; ++i) {
            rb[i][lane] = (float)r[i];
        }
    }
}

// Lines, and what they displace.
static void turn_muscles(tlw_character* c, const double rotation[4]) {
    for (uint32_t i = 0; i < tlw_muscle_sizes_of(&c->blob).rows; ++i) {
        rotate_lanes(rotation, c->line_rows[i].x);
        rotate_lanes(rotation, c->line_rows[i].v);
        rotate_lanes(rotation, c->line_rows[i].b);
        rotate_rotations(rotation, c->line_rows[i].rb);
    }
    for (uint32_t w = 0; c->line_rows != NULL && w < c->blob.window_count; ++w) {
        rotate_lanes(rotation, c->displacements[0][w].m);
        rotate_lanes(rotation, c->displacements[1][w].m);
    }
}

// Moves a root X to rotation (X - from) + to.
static void move_root(tlw_root* root, const double rotation[4], const double from[3],
                      const double to[3]) {
    double at[3], r[4];
    for (int i = 0; i < 3; ++i) {
        at[i] = root->position[i] - from[i];
    }
    tlw_rotate_vector(rotation, at, at);
    for (int i = 0; i < 4; ++i) {
        r[i] = (double)root->rotation[i];
    }
    tlw_multiply_rotations(rotation, r, r);
    // Rounding leaves a length that is not quite 1, and its error would double with every teleport.
    tlw_normalise_rotation(r);
    for (int i = 0; i < 4; ++i) {
        root->rotation[i] = (float)r[i];
    }
    for (int i = 0; i < 3; ++i) {
        root->position[i] = at[i] + to[i];
    }
}

// Limbs are where the last substep had them, relative to a root that is somewhere else now.
static void turn_limbs(tlw_character* c, const double rotation[4]) {
    for (uint32_t i = 0; i < c->blob.lattice->limb_count; ++i) {
        tlw_limb_place* limb = &c->limb_last[i];
        tlw_rotate_vector(rotation, limb->ends[0], limb->ends[0]);
        tlw_rotate_vector(rotation, limb->ends[1], limb->ends[1]);
        tlw_multiply_rotations(rotation, limb->rotation, limb->rotation);
    }
    c->has_touch_bounds = c->hull.is_known = false;
    c->still_substeps = 0; // it may be in the middle of a collider
}

tlw_result tlw_character_teleport(tlw_world* world, tlw_character_id id, const double position[3],
                                  const float rotation[4]) {
    TLW_ASSERT(position != NULL && rotation != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    double to[4], back[4], between[4], length2 = 0.0;
    bool is_good = true;
    for (int i = 0; i < 4; ++i) {
        to[i] = (double)rotation[i];
        length2 += to[i] * to[i];
        back[i] = (double)c->now.root.rotation[i] * (i < 3 ? -1.0 : 1.0);
    }
    for (int i = 0; i < 3; ++i) {
        is_good = is_good && position[i] >= -1e18 && position[i] <= 1e18;
    }
    if (!is_good || !(length2 > 1e-12 && length2 < 1e12)) {
        return TLW_ERROR_BAD_POSE;
    }
    tlw_multiply_rotations(to, back, between);
    tlw_normalise_rotation(between);
    const double from[3] = {c->now.root.position[0], c->now.root.position[1],
                            c->now.root.position[2]};
    for (uint32_t w = 0; w < c->blob.window_count; ++w) {
        rotate_lanes(between, c->velocity[w].v);
        for (int i = 0; i < 2; ++i) {
            rotate_lanes(between, c->states[i][w].p);
            rotate_lanes(between, c->poses[i][w].skin);
            rotate_rotations(between, c->poses[i][w].rb);
        }
    }
    turn_muscles(c, between);
    double rebase[3] = {(double)c->rebase[0], (double)c->rebase[1], (double)c->rebase[2]};
    tlw_rotate_vector(between, rebase, rebase);
    for (int i = 0; i < 3; ++i) {
        c->rebase[i] = (float)rebase[i];
    }
    tlw_root at_substep = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    memcpy(at_substep.position, c->root_at_substep, sizeof c->root_at_substep);
    move_root(&at_substep, between, from, position);
    memcpy(c->root_at_substep, at_substep.position, sizeof c->root_at_substep);
    move_root(&c->last.root, between, from, position);
    c->has_last_joints = false;
    turn_limbs(c, between);
    move_root(&c->now.root, between, from, position);
    memcpy(c->now.root.position, position, sizeof c->now.root.position);
    return TLW_OK;
}

// ---- Output and reports

tlw_result tlw_character_set_output(tlw_world* world, tlw_character_id id,
                                    const tlw_output* output) {
    TLW_ASSERT(output != NULL);
    tlw_character* c;
    tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        result = tlw_output_check(&c->blob, output);
    }
    if (result == TLW_OK) {
        c->embed.output = *output;
        tlw_embed_plan(&c->embed);
    }
    return result;
}

tlw_result tlw_character_get_bounds(const tlw_world* world, tlw_character_id id, tlw_bounds* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *out = c->bounds;
    }
    return result == TLW_OK && !c->embed.wants_anything ? TLW_ERROR_UNSUPPORTED : result;
}

tlw_result tlw_character_get_flags(const tlw_world* world, tlw_character_id id,
                                   tlw_step_flags* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *out = c->report.flags;
    }
    return result;
}

tlw_result tlw_character_get_report(const tlw_world* world, tlw_character_id id,
                                    tlw_character_report* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *out = c->report;
    }
    return result;
}
