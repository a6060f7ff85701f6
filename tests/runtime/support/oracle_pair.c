// SPDX-License-Identifier: MIT
#include "tests/runtime/support/oracle_pair.h"

#include "tests/cook/support/blob_reader.h"
#include "tests/runtime/oracle/cooked_body.h"
#include "tests/test.h"

#include <string.h>

static void* allocate(size_t bytes) {
    void* memory = blob_allocate(bytes);
    CHECK(memory != NULL);
    memset(memory, 0, bytes);
    return memory;
}

static const void* section(const oracle_pair* d, tlw_blob_section_kind kind) {
    uint64_t count;
    return tlw_blob_find(d->cooked.blob, kind, &count);
}

static void make_runtime(oracle_pair* d, const oracle_pair_def* def) {
    CHECK_OK(
        tlw_blob_open(d->cooked.blob, d->cooked.blob_bytes, TLW_BLOB_CHECK_ALL, &d->blob, NULL));
    CHECK_OK(tlw_blob_get_info(&d->blob, &d->info));
    d->lattice = section(d, TLW_SECTION_LATTICE);
    d->cells = section(d, TLW_SECTION_VOXEL_CELL);
    d->slot_layer = section(d, TLW_SECTION_SLOT_LAYER);
    d->voxel_slot = section(d, TLW_SECTION_VOXEL_SLOT);
    d->lane_axis = d->lattice->lane_axis;
    tlw_world_def world = tlw_default_world_def();
    world.character_capacity = 1;
    world.scratch_bytes = d->info.scratch_bytes;
    world.substep_seconds = def->substep_seconds > 0 ? def->substep_seconds : world.substep_seconds;
    d->substep_seconds = world.substep_seconds;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&world, &bytes));
    d->world_memory = allocate(bytes);
    CHECK_OK(tlw_world_create(&world, d->world_memory, bytes, &d->world));
    tlw_character_def character = tlw_default_character_def();
    character.blob = d->blob;
    character.preset = def->preset;
    character.pose_kind = d->pose_kind = def->pose_kind;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    d->memory = allocate(bytes);
    CHECK_OK(tlw_character_create(d->world, &character, d->memory, bytes, &d->id));
    if (def->settings.rotation_iterations > 0) {
        CHECK_OK(tlw_character_set_settings(d->world, d->id, &def->settings));
    }
    for (uint32_t layer = 0; layer < d->info.layer_count && def->is_limit_off; ++layer) {
        tlw_material material;
        CHECK_OK(tlw_character_get_material(d->world, d->id, 0, layer, &material));
        material.limit_scale = 1e9f;
        CHECK_OK(tlw_character_set_material(d->world, d->id, TLW_ALL, layer, &material));
    }
    d->state = allocate(d->info.voxel_count * sizeof *d->state);
}

static oracle_pose pose_of(const oracle_pair* d, double matrices[][16]) {
    oracle_pose pose = {.kind = ORACLE_POSE_MATRICES,
                        .matrices = (const double(*)[16])matrices,
                        .root_scale = (double)d->root.scale};
    for (uint32_t j = 0; j < d->joint_count; ++j) {
        for (int k = 0; k < 16; ++k) {
            matrices[j][k] = (double)d->joints[j][k];
        }
    }
    memcpy(pose.root_position, d->root.position, sizeof pose.root_position);
    for (int k = 0; k < 4; ++k) {
        pose.root_rotation[k] = (double)d->root.rotation[k];
    }
    return pose;
}

// "Its first voxel in blob order" is that of the lowest slot (READING 5.7).
static void guide_by_slots(oracle_pair* d) {
    const oracle_body* body = &d->body->body;
    for (uint32_t r = 0; r < body->region_count && body->region_width == 2; ++r) {
        uint32_t lowest = UINT32_MAX;
        for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
            for (int k = 0; k < 8; ++k) {
                if (body->region[r][k] == d->oracle_voxel[i] && d->voxel_slot[i] < lowest) {
                    lowest = d->voxel_slot[i];
                    d->o->region_guide[r] = d->oracle_voxel[i];
                }
            }
        }
    }
}

static void match_voxels(oracle_pair* d) {
    const oracle_body* body = &d->body->body;
    CHECK_EQ(body->voxel_count, d->info.voxel_count);
    d->oracle_voxel = allocate(d->info.voxel_count * sizeof *d->oracle_voxel);
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        const int32_t cell[3] = {d->cells[i].x, d->cells[i].y, d->cells[i].z};
        uint32_t at = i; // both by z, y, x, but that is nobody's promise
        for (uint32_t n = 0;
             n < body->voxel_count && memcmp(body->cell[at], cell, sizeof cell) != 0; ++n) {
            at = (at + 1) % body->voxel_count;
        }
        CHECK_EQ(memcmp(body->cell[at], cell, sizeof cell), 0);
        CHECK_EQ(body->layer[at], pair_layer(d, i));
        d->oracle_voxel[i] = at;
    }
}

// By part, then layer: the preset's in every part, or what the recipe says.
static void set_oracle_materials(oracle_pair* d, const tlw_cook_recipe* recipe, tlw_preset preset,
                                 oracle_settings* settings) {
    CHECK_EQ(recipe->layer_count, ORACLE_LAYERS);
    settings->material_count = (recipe->part_count + 1) * ORACLE_LAYERS;
    CHECK_LE(settings->material_count, DUET_MATERIALS);
    for (uint32_t i = 0; i < settings->material_count; ++i) {
        const uint32_t layer = i % ORACLE_LAYERS, part = i / ORACLE_LAYERS;
        d->ks[i] = settings->ks[layer];
        d->kd[i] = settings->kd[layer];
        d->anchors[i] = settings->anchor_hz;
        d->limit_scales[i] = settings->limit_scale;
        if (preset == TLW_PRESET_COOKED) {
            const tlw_cook_part* own = part > 0 ? &recipe->parts[part - 1] : NULL;
            const bool has_ks = own && own->stiffness[layer] >= 0;
            const bool has_kd = own && own->damping[layer] >= 0;
            d->ks[i] = (double)(has_ks ? own->stiffness[layer] : recipe->layers[layer].stiffness);
            d->kd[i] = (double)(has_kd ? own->damping[layer] : recipe->layers[layer].damping);
            d->anchors[i] = (double)recipe->anchor_hz;
        }
    }
    settings->ks = d->ks;
    settings->kd = d->kd;
    settings->anchors = d->anchors;
    settings->limit_scales = d->limit_scales;
}

static void make_oracle(oracle_pair* d, const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                        const oracle_pair_def* def) {
    static const oracle_preset presets[TLW_PRESET_COUNT] = {
        [TLW_PRESET_COOKED] = ORACLE_PRESET_DEFAULT,
        [TLW_PRESET_DEFAULT] = ORACLE_PRESET_DEFAULT,
        [TLW_PRESET_BUNNY] = ORACLE_PRESET_BUNNY,
        [TLW_PRESET_SMURF] = ORACLE_PRESET_SMURF,
        [TLW_PRESET_BLOAT] = ORACLE_PRESET_BLOAT,
        [TLW_PRESET_BLOAT_LOW] = ORACLE_PRESET_BLOAT_LOW};
    d->body = cooked_body_make(input, recipe);
    match_voxels(d);
    oracle_settings settings = oracle_preset_settings(presets[def->preset]);
    set_oracle_materials(d, recipe, def->preset, &settings);
    settings.is_limit_off = def->is_limit_off;
    settings.h = d->substep_seconds;
    if (def->settings.rotation_iterations > 0) {
        settings.iterations = def->settings.rotation_iterations;
        settings.repeats = def->settings.repeats;
        for (int k = 0; k < 3; ++k) {
            settings.gravity[k] = (double)def->settings.gravity[k];
        }
    }
    double matrices[DUET_JOINTS_MAX][16];
    const oracle_pose pose = pose_of(d, matrices);
    d->o = oracle_create(&d->body->body, &settings, &pose);
    CHECK(d->o != NULL);
    guide_by_slots(d);
}

oracle_pair* pair_make(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                       const oracle_pair_def* def) {
    oracle_pair* d = allocate(sizeof *d);
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_recipe own = *recipe;
    own.cookie = tlw_default_cook_recipe().cookie;
    const tlw_result result = tlw_cook_character(input, &own, &options, &d->cooked);
    CHECK_STRING(result == TLW_OK ? "" : d->cooked.error.message, "");
    CHECK_LE(input->joint_count, DUET_JOINTS_MAX);
    d->joint_count = input->joint_count;
    for (uint32_t j = 0; j < d->joint_count; ++j) {
        d->parent[j] = input->joints[j].parent;
        memcpy(d->bind[j], input->joints[j].bind, sizeof d->bind[j]);
    }
    make_runtime(d, def);
    pair_rest_pose(d);
    if (def->has_oracle) {
        make_oracle(d, input, &own, def);
    }
    pair_settle(d);
    return d;
}

void pair_free(oracle_pair* d) {
    if (d->o) {
        oracle_destroy(d->o);
        cooked_body_free(d->body);
    }
    tlw_world_destroy(d->world);
    tlw_cook_output_free(&d->cooked);
    blob_free(d->world_memory);
    blob_free(d->memory);
    blob_free((uint8_t*)d->state);
    if (d->oracle_voxel) {
        blob_free((uint8_t*)d->oracle_voxel);
    }
    blob_free((uint8_t*)d);
}

// Poses

void pair_rest_pose(oracle_pair* d) {
    for (uint32_t j = 0; j < d->joint_count; ++j) {
        for (int k = 0; k < 16; ++k) {
            d->joints[j][k] = (float)d->bind[j][k];
        }
    }
    d->root = (tlw_root){{0, 0, 0}, {0, 0, 0, 1}, 1};
}

// A joint moves model space by x -> turn x + move; its own turn comes first, then its parent's
// motion.
typedef struct joint_motion {
    oracle_quat turn;
    oracle_vec move;
    bool is_known;
} joint_motion;

static void find_motion(const oracle_pair* d, const oracle_vec* turns, uint32_t j,
                        joint_motion* motions) {
    const joint_motion none = {{0, 0, 0, 1}, {0, 0, 0}, true};
    const joint_motion* parent = &none;
    if (d->parent[j] != TLW_NO_JOINT) {
        parent = &motions[d->parent[j]];
        if (!parent->is_known) {
            find_motion(d, turns, d->parent[j], motions);
        }
    }
    const oracle_quat own = quat_exp(turns[j]);
    const oracle_vec place = vec_of(&d->bind[j][12]);
    const oracle_vec own_move = vec_sub(place, quat_rotate(own, place));
    motions[j] = (joint_motion){quat_mul(parent->turn, own),
                                vec_add(quat_rotate(parent->turn, own_move), parent->move), true};
}

void pair_turn_joints(oracle_pair* d, const oracle_vec* turns, const double* scales) {
    joint_motion motions[DUET_JOINTS_MAX] = {0};
    for (uint32_t j = 0; j < d->joint_count; ++j) {
        if (!motions[j].is_known) {
            find_motion(d, turns, j, motions);
        }
        for (int column = 0; column < 4; ++column) {
            const double scale = scales && column < 3 ? scales[j] : 1;
            oracle_vec at =
                quat_rotate(motions[j].turn, vec_scale(vec_of(&d->bind[j][4 * column]), scale));
            at = column == 3 ? vec_add(at, motions[j].move) : at;
            float* to = &d->joints[j][4 * column];
            to[0] = (float)at.x;
            to[1] = (float)at.y;
            to[2] = (float)at.z;
            to[3] = column == 3;
        }
    }
}

void pair_move_root(oracle_pair* d, oracle_vec voxels) {
    const double metres = d->info.voxel_metres * (double)d->root.scale;
    d->root.position[0] += metres * voxels.x;
    d->root.position[1] += metres * voxels.y;
    d->root.position[2] += metres * voxels.z;
}

void pair_turn_root(oracle_pair* d, oracle_quat turn) {
    float* q = d->root.rotation;
    const double own[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    const oracle_quat now = quat_normalise(quat_mul(turn, quat_of(own)));
    q[0] = (float)now.x;
    q[1] = (float)now.y;
    q[2] = (float)now.z;
    q[3] = (float)now.w;
}

void pair_dance(oracle_pair* d, double t, double size) {
    oracle_vec turns[DUET_JOINTS_MAX];
    for (uint32_t j = 0; j < d->joint_count; ++j) {
        turns[j] = vec(0.35 * size * sin((3 + 0.3 * j) * t), 0.2 * size * sin((2.5 + 0.2 * j) * t),
                       0.4 * size * sin((3.3 - 0.1 * j) * t));
    }
    pair_rest_pose(d);
    pair_turn_joints(d, turns, NULL);
    pair_turn_root(
        d, quat_exp(vec(0.2 * size * sin(2 * t), 0.3 * size * sin(t), 0.4 * size * sin(3 * t))));
    pair_move_root(d, vec_scale(vec(2 * sin(5 * t), 1.5 * sin(3 * t), 1.2 * sin(7 * t)), size));
}

// Steps

static void give_pose(oracle_pair* d, bool is_jump) {
    tlw_pose pose = {.joint_count = d->joint_count, .root = d->root, .is_jump = is_jump};
    double matrices[DUET_JOINTS_MAX][16];
    float skinning[DUET_JOINTS_MAX][16];
    tlw_transform transforms[DUET_JOINTS_MAX];
    pose.joints = d->joints;
    oracle_pose same = pose_of(d, matrices);
    if (d->pose_kind == TLW_POSE_SKINNING) {
        for (uint32_t j = 0; j < d->joint_count; ++j) {
            const double* b = d->bind[j];
            const oracle_mat bind = mat_of_columns(vec_of(b), vec_of(b + 4), vec_of(b + 8));
            const oracle_mat unbind = mat_inverse(&bind);
            const double* m = matrices[j];
            const oracle_mat posed = mat_of_columns(vec_of(m), vec_of(m + 4), vec_of(m + 8));
            const oracle_mat whole = mat_mul(&posed, &unbind);
            const oracle_vec at = vec_sub(vec_of(m + 12), mat_apply(&whole, vec_of(b + 12)));
            for (int c = 0; c < 4; ++c) {
                const oracle_vec column = c < 3 ? mat_column(&whole, c) : at;
                skinning[j][4 * c] = (float)column.x;
                skinning[j][4 * c + 1] = (float)column.y;
                skinning[j][4 * c + 2] = (float)column.z;
                skinning[j][4 * c + 3] = c == 3;
            }
            for (int k = 0; k < 16; ++k) {
                matrices[j][k] = (double)skinning[j][k];
            }
        }
        pose.joints = skinning;
        same.kind = ORACLE_POSE_SKINNING;
    } else if (d->pose_kind == TLW_POSE_TRANSFORMS) { // the oracle has the same as matrices
        for (uint32_t j = 0; j < d->joint_count; ++j) {
            const oracle_vec x = vec_of(matrices[j]), y = vec_of(matrices[j] + 4),
                             z = vec_of(matrices[j] + 8); // square to each other
            const double side = vec_dot(vec_cross(x, y), z) < 0 ? -1 : 1;
            const oracle_vec scale = {vec_length(x), vec_length(y), side * vec_length(z)};
            const oracle_mat r = mat_of_columns(
                vec_scale(x, 1 / scale.x), vec_scale(y, 1 / scale.y), vec_scale(z, 1 / scale.z));
            const oracle_quat q = quat_scale(quat_of_mat(&r), 3); // normalised for us
            transforms[j] = (tlw_transform){
                {d->joints[j][12], d->joints[j][13], d->joints[j][14]},
                {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                {(float)scale.x, (float)scale.y, (float)scale.z},
            };
        }
        pose.joints = transforms;
    }
    CHECK_OK(tlw_character_set_pose(d->world, d->id, &pose));
    if (d->o) {
        CHECK(oracle_set_pose(d->o, &same));
    }
}

tlw_step_flags pair_step(oracle_pair* d, double dt, bool is_jump) {
    give_pose(d, is_jump);
    const tlw_step_flags flags = tlw_world_step(d->world, dt);
    if (d->o) {
        const unsigned same = oracle_step(d->o, dt, is_jump);
        CHECK_EQ((flags & TLW_STEP_JUMPED) != 0, (same & ORACLE_JUMPED) != 0);
        CHECK_EQ((flags & TLW_STEP_DROPPED_TIME) != 0, (same & ORACLE_DROPPED_TIME) != 0);
        CHECK_EQ((flags & TLW_STEP_NOT_FINITE) != 0, (same & ORACLE_BROKE) != 0);
        tlw_character_report report;
        CHECK_OK(tlw_character_get_report(d->world, d->id, &report));
        if (!(flags & TLW_STEP_ASLEEP)) {
            CHECK_EQ(report.substeps, d->o->substep_count);
        }
    }
    return flags;
}

// READING 8.6: the runtime begins its time anew, so that the next substep is an ordinary one.
void pair_settle(oracle_pair* d) {
    give_pose(d, false);
    CHECK_OK(tlw_character_reset(d->world, d->id));
    if (d->o) {
        oracle_step(d->o, d->substep_seconds, true);
        d->o->accumulator = 0;
        oracle_reset(d->o);
        d->o->carries_next = false;
    }
}

void pair_teleport(oracle_pair* d, oracle_vec metres, oracle_quat rotation) {
    const double position[3] = {metres.x, metres.y, metres.z};
    const float turned[4] = {(float)rotation.x, (float)rotation.y, (float)rotation.z,
                             (float)rotation.w};
    CHECK_OK(tlw_character_teleport(d->world, d->id, position, turned));
    if (d->o) {
        const double same[4] = {(double)turned[0], (double)turned[1], (double)turned[2],
                                (double)turned[3]};
        oracle_teleport(d->o, position, same);
    }
    memcpy(d->root.position, position, sizeof position);
    memcpy(d->root.rotation, turned, sizeof turned);
}

void pair_push(oracle_pair* d, uint32_t voxel, oracle_vec off) {
    tlw_voxel_state state;
    CHECK_OK(tlw_character_get_voxel(d->world, d->id, voxel, &state));
    const float p[3] = {state.position[0] + (float)off.x, state.position[1] + (float)off.y,
                        state.position[2] + (float)off.z};
    CHECK_OK(tlw_character_set_voxel(d->world, d->id, voxel, p, state.velocity));
    if (d->o) {
        d->o->p[d->oracle_voxel[voxel]] = vec((double)p[0], (double)p[1], (double)p[2]);
    }
}

void pair_set_material(oracle_pair* d, uint32_t part, uint32_t layer,
                       const tlw_material* material) {
    CHECK_OK(tlw_character_set_material(d->world, d->id, part, layer, material));
    for (uint32_t i = 0; d->o && i < d->o->settings.material_count; ++i) {
        if ((part == TLW_ALL || part == i / ORACLE_LAYERS) &&
            (layer == TLW_ALL || layer == i % ORACLE_LAYERS)) {
            d->ks[i] = (double)material->stiffness;
            d->kd[i] = (double)material->damping;
            d->anchors[i] = (double)material->anchor_hz;
            d->limit_scales[i] = (double)material->limit_scale;
        }
    }
}

// What there is to see

void pair_read(oracle_pair* d) {
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        CHECK_OK(tlw_character_get_voxel(d->world, d->id, i, &d->state[i]));
    }
}

static oracle_vec wide(const float a[3]) {
    return vec((double)a[0], (double)a[1], (double)a[2]);
}

static oracle_quat wide4(const float a[4]) {
    return (oracle_quat){(double)a[0], (double)a[1], (double)a[2], (double)a[3]};
}

oracle_vec pair_p(const oracle_pair* d, uint32_t voxel) {
    return wide(d->state[voxel].position);
}

oracle_vec pair_off(const oracle_pair* d, uint32_t voxel) {
    return vec_sub(wide(d->state[voxel].position), wide(d->state[voxel].skinned));
}

double pair_turn(const oracle_pair* d, uint32_t voxel) {
    const tlw_voxel_state* s = &d->state[voxel];
    return quat_angle(wide4(s->rotation), wide4(s->skinned_rotation)) * 57.29577951308232;
}

uint32_t pair_layer(const oracle_pair* d, uint32_t voxel) {
    return d->slot_layer[d->voxel_slot[voxel]];
}

uint32_t pair_part(const oracle_pair* d, uint32_t voxel) {
    return d->body->body.material[d->oracle_voxel[voxel]] / ORACLE_LAYERS;
}

static double larger(double a, double b) {
    return b > a || b != b ? b : a;
}

oracle_pair_gap pair_compare(oracle_pair* d) {
    oracle_pair_gap gap = {0};
    pair_read(d);
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        const uint32_t k = d->oracle_voxel[i];
        const tlw_voxel_state* s = &d->state[i];
        const double p = vec_length(vec_sub(wide(s->position), d->o->p[k]));
        if (p > gap.p || p != p) {
            gap.p = p;
            gap.voxel = i;
        }
        gap.skin = larger(gap.skin, vec_length(vec_sub(wide(s->skinned), d->o->p_skin_prev[k])));
        gap.velocity = larger(gap.velocity, d->substep_seconds *
                                                vec_length(vec_sub(wide(s->velocity), d->o->v[k])));
        gap.rotation = larger(gap.rotation, quat_angle(wide4(s->rotation), d->o->R[k]));
    }
    return gap;
}

double pair_largest_off(oracle_pair* d) {
    double largest = 0;
    pair_read(d);
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        largest = larger(largest, vec_length(pair_off(d, i)));
    }
    return largest;
}

double pair_largest_turn(oracle_pair* d) {
    double largest = 0;
    pair_read(d);
    for (uint32_t i = 0; i < d->info.voxel_count; ++i) {
        largest = larger(largest, pair_turn(d, i));
    }
    return largest;
}
