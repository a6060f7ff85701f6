// SPDX-License-Identifier: MIT
// Characters: their memory, poses, parameters, state and hash.
#include "runtime/world/character.h"

#include "platform/fpu.h"
#include "runtime/step/scalar_math.h"

#include <float.h>
#include <string.h>

#define CHARACTER_COOKIE 0x43485201u

tlw_character_def tlw_default_character_def(void) {
    return (tlw_character_def){.cookie = CHARACTER_COOKIE,
                               .pose_kind = TLW_POSE_MATRICES,
                               .preset = TLW_PRESET_COOKED,
                               .name = "character"};
}

// Presets

// By tlw_preset; the blob has the values of the first.
static const tlw_preset_values presets[TLW_PRESET_COUNT] = {{.name = "cooked"},
                                                            TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

const char* tlw_preset_name(tlw_preset which) {
    return (uint32_t)which < TLW_PRESET_COUNT ? presets[which].name : NULL;
}

static bool is_same_text(const char* a, const char* b) {
    while (*a == *b && *a != 0) {
        ++a;
        ++b;
    }
    return *a == *b;
}

bool tlw_preset_from_name(const char* name, tlw_preset* out) {
    TLW_ASSERT(name != NULL && out != NULL);
    for (uint32_t i = 0; i < TLW_PRESET_COUNT; ++i) {
        if (is_same_text(name, presets[i].name)) {
            *out = (tlw_preset)i;
            return true;
        }
    }
    return false;
}

static uint32_t material_count(const tlw_blob_arrays* blob) {
    return blob->lattice->part_count * blob->lattice->layer_count;
}

static void set_preset(tlw_character* c, tlw_preset which) {
    const uint32_t layers = c->blob.lattice->layer_count;
    for (uint32_t i = 0; i < material_count(&c->blob); ++i) {
        const uint32_t layer = i % layers;
        tlw_material* m = &c->materials[i];
        // Limits are not a preset's, but for what was cooked.
        const float limit_scale = which == TLW_PRESET_COOKED ? 1.0f : m->limit_scale;
        *m = (tlw_material){c->blob.materials[i].stiffness, c->blob.materials[i].damping,
                            c->blob.lattice->anchor_hz, limit_scale};
        if (which != TLW_PRESET_COOKED && layer > 0) {
            const int kind = layer + 1 == layers ? TLW_PRESET_SKIN
                             : layer == 1        ? TLW_PRESET_MUSCLE
                                                 : TLW_PRESET_FAT;
            m->stiffness = presets[which].stiffness[kind];
            m->damping = presets[which].damping[kind];
            m->anchor_hz = presets[which].anchor_hz;
        }
    }
}

// G(k) = 1 - exp(-(k/n) (h/h_ref)^2) and its like (design.md, "One substep").
typedef struct gains {
    float goal, damping, anchor, limit_scale;
} gains;

static gains gains_of(const tlw_character* c, uint32_t material) {
    const tlw_blob_lattice* l = c->blob.lattice;
    const tlw_material* m = &c->materials[material];
    const double h = c->substep_seconds, relative = h * 60.0;
    const double ks = (double)m->stiffness * (double)l->stiffness_scale / c->settings.repeats;
    const double turn = 2.0 * 3.14159265358979323846 * (double)m->anchor_hz * h;
    const double kd = (double)m->damping;
    const bool is_bone = material % l->layer_count == 0;
    return (gains){
        .goal = is_bone ? 0.0f : (float)(1.0 - tlw_exp_of(-ks * relative * relative)),
        .damping = is_bone || kd < 1e-30 ? 0.0f : (float)(tlw_exp_of(tlw_log_of(kd) * h / 0.1) / h),
        .anchor = (float)tlw_exp_of(-turn * turn),
        .limit_scale = m->limit_scale,
    };
}

void tlw_character_update_gains(tlw_character* c) {
    const tlw_blob_arrays* blob = &c->blob;
    uint32_t last = UINT32_MAX;
    gains g = {0};
    for (uint32_t s = 0; s < blob->slot_count; ++s) {
        tlw_window_gains* window = &c->gains[s / TLW_LANES];
        const uint32_t lane = s % TLW_LANES, material = blob->slot_material[s];
        const bool is_empty = blob->slot_voxel[s] == TLW_BLOB_NO_INDEX;
        if (material != last) {
            g = gains_of(c, material);
            last = material;
        }
        window->goal[lane] = is_empty ? 0.0f : g.goal;
        window->damping[lane] = is_empty ? 0.0f : g.damping;
        window->anchor[lane] = is_empty ? 0.0f : g.anchor;
        window->limit[lane] = g.limit_scale * blob->slot_limit[s];
    }
    c->still_substeps = 0;
    c->may_be_off = true;
}

// Memory

static tlw_character* carve(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_character* fields) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    const uint32_t joints = blob->lattice->joint_count, materials = material_count(blob);
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
    return c;
}

static tlw_result check_def(const tlw_character_def* def) {
    tlw_blob_info info;
    if (def->cookie != CHARACTER_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    if ((uint32_t)def->pose_kind > TLW_POSE_SKINNING || (uint32_t)def->preset >= TLW_PRESET_COUNT) {
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
    (void)carve(&arena, &blob, &fields);
    *bytes = arena.high_water_bytes;
    return TLW_OK;
}

static tlw_runner own_runner(tlw_world* world) {
    return (tlw_runner){.kernels = world->kernels, .pass_ns = world->pass_ns[0]};
}

static tlw_result find_free(tlw_world* world, uint32_t* out) {
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        if (world->slots[i].character == NULL) {
            *out = i;
            return TLW_OK;
        }
    }
    return TLW_ERROR_CAPACITY;
}

// Where one blob was another may lie now: its gaps are elsewhere.
static void forget_blob(tlw_world* world, const void* blob) {
    for (uint32_t i = 0; i < world->def.tasks.worker_count; ++i) {
        tlw_scratch* scratch = &world->scratch[i];
        scratch->cleared_for = scratch->cleared_for == blob ? NULL : scratch->cleared_for;
    }
}

tlw_result tlw_character_create(tlw_world* world, const tlw_character_def* def, void* memory,
                                size_t bytes, tlw_character_id* out) {
    TLW_ASSERT(world != NULL && def != NULL && memory != NULL && out != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    *out = (tlw_character_id){0, 0};
    size_t needed;
    uint32_t slot;
    tlw_result result = tlw_character_bytes(def, &needed);
    if (result != TLW_OK) {
        return result;
    }
    if ((uintptr_t)memory % TLW_MEMORY_ALIGNMENT != 0) {
        return TLW_ERROR_MISALIGNED;
    }
    if (bytes < needed) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    tlw_character fields = {.memory = memory, .memory_bytes = needed};
    tlw_blob_arrays_open(def->blob.bytes, &fields.blob);
    forget_blob(world, def->blob.bytes);
    result = find_free(world, &slot);
    if (result != TLW_OK) {
        return result;
    }
    if (tlw_scratch_bytes(&fields.blob) > world->def.scratch_bytes) {
        return TLW_ERROR_CAPACITY;
    }
    TLW_FLOAT_SCOPE();
    tlw_arena arena;
    memset(memory, 0, needed);
    (void)tlw_arena_init(&arena, "character", memory, needed);
    tlw_character* c = carve(&arena, &fields.blob, &fields);
    *c = fields;
    c->name = def->name ? def->name : "character";
    c->report.user_data = def->user_data;
    c->pose_kind = def->pose_kind;
    c->substep_seconds = world->def.substep_seconds;
    c->settings = (tlw_settings){.rotation_iterations = 2, .repeats = 1};
    c->embed.blob = &c->blob;
    c->embed.output = tlw_default_output();
    tlw_embed_plan(&c->embed);
    for (uint32_t j = 0; j < c->blob.lattice->joint_count; ++j) {
        tlw_bind_of(c->blob.joints[j].bind, c->blob.lattice, &c->binds[j]);
    }
    tlw_pose_set_bind(c->binds, c->blob.lattice->joint_count, &c->now);
    tlw_pose_set_bind(c->binds, c->blob.lattice->joint_count, &c->last);
    set_preset(c, TLW_PRESET_COOKED);
    set_preset(c, def->preset);
    tlw_character_update_gains(c);
    const tlw_runner runner = own_runner(world);
    tlw_character_settle(c, &world->scratch[0], &runner);
    world->slots[slot].character = c;
    world->slots[slot].generation += 1;
    world->slots[slot].generation += world->slots[slot].generation == 0;
    world->character_count += 1;
    *out = (tlw_character_id){slot + 1, world->slots[slot].generation};
    return TLW_OK;
}

tlw_result tlw_world_find(const tlw_world* world, tlw_character_id id, tlw_character** out) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    *out = NULL;
    if (id.index1 == 0 || id.index1 > world->def.character_capacity) {
        return TLW_ERROR_STALE_ID;
    }
    const tlw_world_slot* slot = &world->slots[id.index1 - 1];
    if (slot->character == NULL || slot->generation != id.generation) {
        return TLW_ERROR_STALE_ID;
    }
    *out = slot->character;
    return TLW_OK;
}

tlw_result tlw_character_destroy(tlw_world* world, tlw_character_id id) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        world->slots[id.index1 - 1].character = NULL;
        world->character_count -= 1;
    }
    return result;
}

bool tlw_character_is_valid(const tlw_world* world, tlw_character_id id) {
    tlw_character* c;
    return tlw_world_find(world, id, &c) == TLW_OK;
}

// Poses

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
    if (!tlw_pose_read(pose, c->pose_kind, c->binds, &c->now)) {
        c->pending |= TLW_STEP_BAD_POSE;
        return TLW_ERROR_BAD_POSE;
    }
    c->is_jump = c->is_jump || pose->is_jump;
    return TLW_OK;
}

tlw_result tlw_character_reset(tlw_world* world, tlw_character_id id) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        const tlw_runner runner = own_runner(world);
        tlw_character_settle(c, &world->scratch[0], &runner);
    }
    return result;
}

static void turn_lanes(const double q[4], float v[3][TLW_LANES]) {
    for (int lane = 0; lane < TLW_LANES; ++lane) {
        double at[3] = {(double)v[0][lane], (double)v[1][lane], (double)v[2][lane]};
        tlw_rotate_vector(q, at, at);
        for (int i = 0; i < 3; ++i) {
            v[i][lane] = (float)at[i];
        }
    }
}

static void turn_rotations(const double turn[4], float rb[4][TLW_LANES]) {
    for (int lane = 0; lane < TLW_LANES; ++lane) {
        double q[4];
        for (int i = 0; i < 4; ++i) {
            q[i] = (double)rb[i][lane];
        }
        tlw_multiply_rotations(turn, q, q);
        for (int i = 0; i < 4; ++i) {
            rb[i][lane] = (float)q[i];
        }
    }
}

// X -> turn (X - from) + to, of a root.
static void move_root(tlw_root* root, const double turn[4], const double from[3],
                      const double to[3]) {
    double at[3], q[4];
    for (int i = 0; i < 3; ++i) {
        at[i] = root->position[i] - from[i];
    }
    tlw_rotate_vector(turn, at, at);
    for (int i = 0; i < 4; ++i) {
        q[i] = (double)root->rotation[i];
    }
    tlw_multiply_rotations(turn, q, q);
    tlw_normalise_rotation(q); // what rounding left of its length would double with every teleport
    for (int i = 0; i < 4; ++i) {
        root->rotation[i] = (float)q[i];
    }
    for (int i = 0; i < 3; ++i) {
        root->position[i] = at[i] + to[i];
    }
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
    double to[4], back[4], turn[4], length2 = 0.0;
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
    tlw_multiply_rotations(to, back, turn);
    tlw_normalise_rotation(turn);
    const double from[3] = {c->now.root.position[0], c->now.root.position[1],
                            c->now.root.position[2]};
    for (uint32_t w = 0; w < c->blob.window_count; ++w) {
        turn_lanes(turn, c->velocity[w].v);
        for (int i = 0; i < 2; ++i) {
            turn_lanes(turn, c->states[i][w].p);
            turn_lanes(turn, c->poses[i][w].skin);
            turn_rotations(turn, c->poses[i][w].rb);
        }
    }
    double rebase[3] = {(double)c->rebase[0], (double)c->rebase[1], (double)c->rebase[2]};
    tlw_rotate_vector(turn, rebase, rebase);
    for (int i = 0; i < 3; ++i) {
        c->rebase[i] = (float)rebase[i];
    }
    tlw_root at_substep = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    memcpy(at_substep.position, c->root_at_substep, sizeof c->root_at_substep);
    move_root(&at_substep, turn, from, position);
    memcpy(c->root_at_substep, at_substep.position, sizeof c->root_at_substep);
    move_root(&c->last.root, turn, from, position);
    c->has_last_joints = false;
    move_root(&c->now.root, turn, from, position);
    memcpy(c->now.root.position, position, sizeof c->now.root.position);
    return TLW_OK;
}

// Parameters

static bool is_between(float value, float low, float high) {
    return value >= low && value <= high; // false for a NaN
}

tlw_result tlw_character_set_material(tlw_world* world, tlw_character_id id, uint32_t part,
                                      uint32_t layer, const tlw_material* material) {
    TLW_ASSERT(material != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    const tlw_blob_lattice* l = c->blob.lattice;
    if ((part != TLW_ALL && part >= l->part_count) ||
        (layer != TLW_ALL && layer >= l->layer_count) ||
        !is_between(material->stiffness, 0.0f, FLT_MAX) ||
        !is_between(material->damping, 0.0f, 1.0f) ||
        !is_between(material->anchor_hz, 0.0f, FLT_MAX) ||
        !is_between(material->limit_scale, 0.0f, FLT_MAX)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    for (uint32_t i = 0; i < material_count(&c->blob); ++i) {
        if ((part == TLW_ALL || i / l->layer_count == part) &&
            (layer == TLW_ALL || i % l->layer_count == layer)) {
            c->materials[i] = *material;
            // A limit of a thousand million voxels is none; larger ones would have no square.
            c->materials[i].limit_scale =
                material->limit_scale < 1e9f ? material->limit_scale : 1e9f;
        }
    }
    tlw_character_update_gains(c);
    return TLW_OK;
}

tlw_result tlw_character_get_material(const tlw_world* world, tlw_character_id id, uint32_t part,
                                      uint32_t layer, tlw_material* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (part >= c->blob.lattice->part_count || layer >= c->blob.lattice->layer_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    *out = c->materials[part * c->blob.lattice->layer_count + layer];
    return TLW_OK;
}

tlw_result tlw_character_set_settings(tlw_world* world, tlw_character_id id,
                                      const tlw_settings* settings) {
    TLW_ASSERT(settings != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    bool is_good = settings->rotation_iterations >= 1 && settings->rotation_iterations <= 4 &&
                   settings->repeats >= 1 && settings->repeats <= 8;
    for (int i = 0; i < 3; ++i) {
        is_good = is_good && is_between(settings->gravity[i], -1e6f, 1e6f);
    }
    if (!is_good) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    c->settings = *settings;
    tlw_character_update_gains(c);
    return TLW_OK;
}

tlw_result tlw_character_get_settings(const tlw_world* world, tlw_character_id id,
                                      tlw_settings* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        *out = c->settings;
    }
    return result;
}

tlw_result tlw_character_apply_preset(tlw_world* world, tlw_character_id id, tlw_preset which) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if ((uint32_t)which >= TLW_PRESET_COUNT) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    TLW_FLOAT_SCOPE();
    set_preset(c, which);
    tlw_character_update_gains(c);
    return TLW_OK;
}

// Output

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
    return result;
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

// State

// Rest to world, from the frame with the lane axis first.
static void untwist(const tlw_blob_lattice* l, const float turned[4], float out[4]) {
    const double third = l->lane_axis == 0 ? 0.0 : l->lane_axis == 1 ? -0.5 : 0.5;
    const double back[4] = {third, third, third, l->lane_axis == 0 ? 1.0 : 0.5};
    double q[4] = {(double)turned[0], (double)turned[1], (double)turned[2], (double)turned[3]};
    tlw_multiply_rotations(q, back, q);
    for (int i = 0; i < 4; ++i) {
        out[i] = (float)q[i];
    }
}

tlw_result tlw_character_get_voxel(const tlw_world* world, tlw_character_id id, uint32_t voxel,
                                   tlw_voxel_state* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (voxel >= c->blob.lattice->voxel_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const uint32_t slot = c->blob.voxel_slot[voxel], lane = slot % TLW_LANES;
    const tlw_window_state* state = &c->states[c->is_odd][slot / TLW_LANES];
    const tlw_window_pose* pose = &c->poses[c->is_odd][slot / TLW_LANES];
    double rb[4], q[4];
    for (int i = 0; i < 3; ++i) {
        out->position[i] = state->p[i][lane];
        out->velocity[i] = c->velocity[slot / TLW_LANES].v[i][lane];
        out->skinned[i] = pose->skin[i][lane];
    }
    float turned[4];
    for (int i = 0; i < 4; ++i) {
        turned[i] = pose->rb[i][lane];
        rb[i] = (double)turned[i];
        q[i] = (double)state->rotation[i][lane];
    }
    untwist(c->blob.lattice, turned, out->skinned_rotation);
    tlw_multiply_rotations(rb, q, q);
    for (int i = 0; i < 4; ++i) {
        turned[i] = (float)q[i];
    }
    untwist(c->blob.lattice, turned, out->rotation);
    return TLW_OK;
}

tlw_result tlw_character_set_voxel(tlw_world* world, tlw_character_id id, uint32_t voxel,
                                   const float position[3], const float velocity[3]) {
    TLW_ASSERT(position != NULL && velocity != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (voxel >= c->blob.lattice->voxel_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const uint32_t slot = c->blob.voxel_slot[voxel];
    for (int i = 0; i < 3; ++i) {
        c->states[c->is_odd][slot / TLW_LANES].p[i][slot % TLW_LANES] = position[i];
        c->velocity[slot / TLW_LANES].v[i][slot % TLW_LANES] = velocity[i];
    }
    c->still_substeps = 0;
    c->may_be_off = true;
    return TLW_OK;
}

uint64_t tlw_character_state_hash(const tlw_character* c) {
    const uint32_t joints = c->blob.lattice->joint_count;
    const struct {
        double accumulator, root[3], scale, scale_now;
        float rebase[3];
        uint32_t still, is_jump, carries, starts, since_back_and_off;
    } scalars = {c->accumulator,
                 {c->root_at_substep[0], c->root_at_substep[1], c->root_at_substep[2]},
                 (double)c->last.root.scale,
                 (double)c->now.root.scale,
                 {c->rebase[0], c->rebase[1], c->rebase[2]},
                 c->still_substeps,
                 c->is_jump,
                 c->carries_next,
                 c->starts_next,
                 (uint32_t)c->since_back << 1 | c->may_be_off};
    const size_t windows = c->blob.window_count;
    uint64_t hash = tlw_xxh64(c->velocity, windows * sizeof *c->velocity, 0);
    for (uint32_t i = 0; i < 2; ++i) { // now's first, whichever buffer it is in
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
    hash = tlw_xxh64(c->materials, material_count(&c->blob) * sizeof *c->materials, hash);
    hash = tlw_xxh64(&c->settings, sizeof c->settings, hash);
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
