// SPDX-License-Identifier: MIT
// Cooks an input twice, by the library and by the cooking oracle, matches the voxels of both by
// their cells, and drives runtime and oracle side by side.
#include "tests/runtime/support/oracle_pair.h"

#include "runtime/presets.h"
#include "tests/cook/support/blob_reader.h"
#include "tests/runtime/oracle/blob_muscles.h"
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static void* allocate(size_t bytes) {
    void* memory = blob_allocate(bytes);
    CHECK(memory != NULL);
    memset(memory, 0, bytes);
    return memory;
}

static const void* section(const oracle_pair* pair, tlw_blob_section_kind kind) {
    uint64_t count;
    return tlw_blob_find(pair->cooked.blob, kind, &count);
}

static void make_runtime(oracle_pair* pair, const oracle_pair_def* def) {
    CHECK_OK(tlw_blob_open(pair->cooked.blob, pair->cooked.blob_bytes, TLW_BLOB_CHECK_ALL,
                           &pair->blob, NULL));
    CHECK_OK(tlw_blob_get_info(&pair->blob, &pair->info));
    pair->lattice = section(pair, TLW_SECTION_LATTICE);
    pair->cells = section(pair, TLW_SECTION_VOXEL_CELL);
    pair->slot_layer = section(pair, TLW_SECTION_SLOT_LAYER);
    pair->voxel_slot = section(pair, TLW_SECTION_VOXEL_SLOT);
    pair->lane_axis = pair->lattice->lane_axis;
    tlw_world_def world = tlw_default_world_def();
    world.character_capacity = 1;
    world.scratch_bytes = pair->info.scratch_bytes;
    world.substep_seconds = def->substep_seconds > 0 ? def->substep_seconds : world.substep_seconds;
    world.collider_capacity = def->collider_capacity;
    world.contact_capacity = def->contact_capacity;
    pair->substep_seconds = world.substep_seconds;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&world, &bytes));
    pair->world_memory = allocate(bytes);
    CHECK_OK(tlw_world_create(&world, pair->world_memory, bytes, &pair->world));
    tlw_character_def character = tlw_default_character_def();
    character.blob = pair->blob;
    character.preset = def->preset;
    character.pose_kind = pair->pose_kind = def->pose_kind;
    character.drag_capacity = def->drag_capacity;
    character.has_pose_filter = def->has_pose_filter;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    pair->memory = allocate(bytes);
    CHECK_OK(tlw_character_create(pair->world, &character, pair->memory, bytes, &pair->id));
    if (def->settings.rotation_iterations > 0) {
        tlw_settings settings = def->settings;
        settings.skinned_volume = settings.skinned_volume && pair->info.has_bends;
        settings.own_limbs = settings.own_limbs && pair->info.limb_count > 0;
        CHECK_OK(tlw_character_set_settings(pair->world, pair->id, &settings));
    }
    const uint32_t part_count = def->is_limit_off ? pair->lattice->part_count : 0;
    for (uint32_t i = 0; i < part_count * pair->info.layer_count; ++i) {
        const uint32_t part = i / pair->info.layer_count, layer = i % pair->info.layer_count;
        tlw_material material;
        CHECK_OK(tlw_character_get_material(pair->world, pair->id, part, layer, &material));
        material.limit_scale = 1e9f;
        CHECK_OK(tlw_character_set_material(pair->world, pair->id, part, layer, &material));
    }
    pair->state = allocate(pair->info.voxel_count * sizeof *pair->state);
}

static oracle_pose pose_of(const oracle_pair* pair, double matrices[][16]) {
    oracle_pose pose = {.kind = ORACLE_POSE_MATRICES,
                        .matrices = (const double(*)[16])matrices,
                        .root_scale = (double)pair->root.scale};
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        for (int k = 0; k < 16; ++k) {
            matrices[j][k] = (double)pair->joints[j][k];
        }
    }
    memcpy(pose.root_position, pair->root.position, sizeof pose.root_position);
    for (int k = 0; k < 4; ++k) {
        pose.root_rotation[k] = (double)pair->root.rotation[k];
    }
    return pose;
}

// With width 2 a region uses the Rb of its voxel with the lowest slot (MODEL 3.6). The oracle,
// which has no slots, takes the lowest by z, y, x; where rows run along y or z that can be another
// voxel.
static void guide_by_slots(oracle_pair* pair) {
    const oracle_input* input = &pair->cooked_input->input;
    for (uint32_t r = 0; r < input->region_count && input->region_width == 2; ++r) {
        uint32_t lowest = UINT32_MAX;
        for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
            for (int k = 0; k < 8; ++k) {
                if (input->region[r][k] == pair->oracle_voxel[i] && pair->voxel_slot[i] < lowest) {
                    lowest = pair->voxel_slot[i];
                    pair->o->region_guide[r] = pair->oracle_voxel[i];
                }
            }
        }
    }
}

static void match_voxels(oracle_pair* pair) {
    const oracle_input* input = &pair->cooked_input->input;
    CHECK_EQ(input->voxel_count, pair->info.voxel_count);
    pair->oracle_voxel = allocate(pair->info.voxel_count * sizeof *pair->oracle_voxel);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const int32_t cell[3] = {pair->cells[i].x, pair->cells[i].y, pair->cells[i].z};
        uint32_t at = i; // both are ordered by z, y, x, but neither promises it
        for (uint32_t n = 0;
             n < input->voxel_count && memcmp(input->cell[at], cell, sizeof cell) != 0; ++n) {
            at = (at + 1) % input->voxel_count;
        }
        CHECK_EQ(memcmp(input->cell[at], cell, sizeof cell), 0);
        CHECK_EQ(input->layer[at], pair_layer(pair, i));
        pair->oracle_voxel[i] = at;
    }
}

// Gives the oracle the materials of the blob, ordered by part, then by layer. A preset replaces
// those of part 0, the whole character; firm parts and parts of the recipe keep their own
// (MODEL 3.10). Which part a voxel has, the cooking oracle found out by itself.
static void set_oracle_materials(oracle_pair* pair, tlw_preset preset, oracle_settings* settings) {
    const tlw_blob_material* materials = section(pair, TLW_SECTION_MATERIALS);
    const uint16_t* slot_material = section(pair, TLW_SECTION_SLOT_MATERIAL);
    const oracle_input* input = &pair->cooked_input->input;
    CHECK_EQ(pair->lattice->layer_count, ORACLE_LAYERS);
    settings->material_count = pair->lattice->part_count * ORACLE_LAYERS;
    CHECK_LE(settings->material_count, PAIR_MATERIALS_MAX);
    for (uint32_t i = 0; i < settings->material_count; ++i) {
        const uint32_t layer = i % ORACLE_LAYERS;
        const bool is_cooked = preset == TLW_PRESET_COOKED || i >= ORACLE_LAYERS;
        pair->ks[i] = is_cooked ? (double)materials[i].stiffness : settings->ks[layer];
        pair->kd[i] = is_cooked ? (double)materials[i].damping : settings->kd[layer];
        pair->anchors[i] = is_cooked ? (double)materials[i].anchor_hz : settings->anchors[layer];
        pair->limit_scales[i] = settings->limit_scale;
    }
    settings->ks = pair->ks;
    settings->kd = pair->kd;
    settings->anchors = pair->anchors;
    settings->limit_scales = pair->limit_scales;

    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        CHECK_EQ(input->material[pair->oracle_voxel[i]], slot_material[pair->voxel_slot[i]]);
    }
}

static int compare_cells(const void* a, const void* b) {
    const int32_t *x = a, *y = b;
    for (int axis = 2; axis >= 0; --axis) {
        if (x[axis] != y[axis]) {
            return x[axis] < y[axis] ? -1 : 1;
        }
    }
    return 0;
}

// Second materials by RULES 8.5, from the parts and links that the cooking oracle found: the part
// behind most of the linked faces, the lowest of several, with a share of 1/4.
static uint32_t part_beside(const oracle_input* input, uint32_t voxel) {
    static const int face_bits[6] = {4, 10, 12, 13, 15, 21}; // -z, -y, -x, +x, +y, +z
    const uint32_t own = input->material[voxel] / ORACLE_LAYERS;
    uint32_t faces[PAIR_MATERIALS_MAX / ORACLE_LAYERS] = {0}, best = own;
    for (int k = 0; k < 6; ++k) {
        int32_t cell[3] = {input->cell[voxel][0], input->cell[voxel][1], input->cell[voxel][2]};
        cell[k < 3 ? 2 - k : k - 3] += k < 3 ? -1 : 1;
        const int32_t(*found)[3] =
            bsearch(cell, input->cell, input->voxel_count, sizeof cell, compare_cells);
        if (input->links[voxel] >> face_bits[k] & 1) {
            CHECK(found != NULL);
            faces[input->material[found - input->cell] / ORACLE_LAYERS] += 1;
        }
    }
    for (uint32_t p = 0; p < TLW_COUNT_OF(faces); ++p) {
        if (p != own && faces[p] > (best == own ? 0 : faces[best])) {
            best = p;
        }
    }
    return best;
}

// Blends are the rule's, and the blob must have the same; paint is the blob's. A blob has neither
// section where nothing uses it.
static void set_oracle_mixtures(oracle_pair* pair) {
    oracle_input* input = &pair->cooked_input->input;
    const tlw_blob_blend* blends = section(pair, TLW_SECTION_SLOT_BLEND);
    const float* stiffness = section(pair, TLW_SECTION_SLOT_STIFFNESS);
    uint32_t blended = 0;
    pair->second = allocate(pair->info.voxel_count * sizeof *pair->second);
    pair->second_share = allocate(pair->info.voxel_count * sizeof *pair->second_share);
    pair->stiffness = allocate(pair->info.voxel_count * sizeof *pair->stiffness);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const uint32_t k = pair->oracle_voxel[i], slot = pair->voxel_slot[i];
        const uint32_t part = part_beside(input, k);
        if (input->layer[k] > 0 && part != input->material[k] / ORACLE_LAYERS) {
            pair->second[k] = (uint16_t)(part * ORACLE_LAYERS + input->layer[k]);
            pair->second_share[k] = 0.25;
            blended += 1;
        }
        if (blends != NULL) {
            CHECK_EQ(blends[slot].material, pair->second[k]);
            CHECK_EQ(blends[slot].share / 65536.0, pair->second_share[k]);
        }
        pair->stiffness[k] = stiffness != NULL ? (double)stiffness[slot] : 1;
    }
    CHECK_EQ(blends != NULL, blended > 0);
    input->second = pair->second;
    input->second_share = pair->second_share;
    input->stiffness = pair->stiffness;
}

static void copy_settings(const tlw_settings* from, oracle_settings* to) {
    to->iterations = from->rotation_iterations;
    to->repeats = from->repeats;
    to->skinned_volume = from->skinned_volume;
    to->own_limbs = from->own_limbs;
    to->collider_mask = from->collider_mask;
    to->time_scale = (double)from->time_scale;
    to->wind_drag = (double)from->wind_drag;
    for (int k = 0; k < 3; ++k) {
        to->gravity[k] = (double)from->gravity[k];
        to->wind[k] = (double)from->wind[k];
    }
}

static void make_oracle(oracle_pair* pair, const tlw_cook_input* input,
                        const tlw_cook_recipe* recipe, const oracle_pair_def* def) {
#define ORACLE_PRESET_OF(enumerator, ...) [TLW_PRESET_##enumerator] = ORACLE_PRESET_##enumerator,
    static const oracle_preset presets[TLW_PRESET_COUNT] = {
        [TLW_PRESET_COOKED] = ORACLE_PRESET_DEFAULT, TLW_PRESET_TABLE(ORACLE_PRESET_OF)};
#undef ORACLE_PRESET_OF
    pair->cooked_input = cooked_input_make(input, recipe);
    match_voxels(pair);
    oracle_settings settings = oracle_preset_settings(presets[def->preset]);
    set_oracle_materials(pair, def->preset, &settings);
    set_oracle_mixtures(pair);
    CHECK_EQ(pair->cooked_input->input.bend_count > 0, pair->info.has_bends);
    CHECK_EQ(pair->cooked_input->input.limb_count, pair->info.limb_count);
    pair->muscles = blob_muscles_read(pair->cooked.blob, pair->oracle_voxel);
    pair->cooked_input->input.muscle_count = pair->muscles->muscle_count;
    pair->cooked_input->input.muscles = pair->muscles->muscles;
    pair->cooked_input->input.bellies = pair->muscles->bellies;
    settings.lame = pair->muscles->lame;
    settings.is_limit_off = def->is_limit_off;
    settings.h = pair->substep_seconds;
    if (def->settings.rotation_iterations > 0) {
        copy_settings(&def->settings, &settings);
    }
    settings.skinned_volume = settings.skinned_volume && pair->info.has_bends;
    settings.own_limbs = settings.own_limbs && pair->info.limb_count > 0;
    double matrices[PAIR_JOINTS_MAX][16];
    const oracle_pose pose = pose_of(pair, matrices);
    pair->o = oracle_create(&pair->cooked_input->input, &settings, &pose);
    CHECK(pair->o != NULL);
    guide_by_slots(pair);
}

oracle_pair* pair_make(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                       const oracle_pair_def* def) {
    oracle_pair* pair = allocate(sizeof *pair);
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_recipe own = *recipe;
    own.cookie = tlw_default_cook_recipe().cookie;
    const tlw_result result = tlw_cook_character(input, &own, &options, &pair->cooked);
    CHECK_STRING(result == TLW_OK ? "" : pair->cooked.error.message, "");
    CHECK_LE(input->joint_count, PAIR_JOINTS_MAX);
    pair->joint_count = input->joint_count;
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        pair->parent[j] = input->joints[j].parent;
        memcpy(pair->bind[j], input->joints[j].bind, sizeof pair->bind[j]);
    }
    make_runtime(pair, def);
    pair_rest_pose(pair);
    if (def->has_oracle) {
        make_oracle(pair, input, &own, def);
    }
    pair_settle(pair);
    return pair;
}

void pair_free(oracle_pair* pair) {
    if (pair->o) {
        oracle_destroy(pair->o);
        cooked_input_free(pair->cooked_input);
        blob_muscles_free(pair->muscles);
        blob_free((uint8_t*)pair->second);
        blob_free((uint8_t*)pair->second_share);
        blob_free((uint8_t*)pair->stiffness);
    }
    tlw_world_destroy(pair->world);
    tlw_cook_output_free(&pair->cooked);
    blob_free(pair->world_memory);
    blob_free(pair->memory);
    blob_free((uint8_t*)pair->state);
    if (pair->oracle_voxel) {
        blob_free((uint8_t*)pair->oracle_voxel);
    }
    blob_free((uint8_t*)pair);
}

// Poses

void pair_rest_pose(oracle_pair* pair) {
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        for (int k = 0; k < 16; ++k) {
            pair->joints[j][k] = (float)pair->bind[j][k];
        }
    }
    pair->root = (tlw_root){{0, 0, 0}, {0, 0, 0, 1}, 1};
}

// How a joint moves model space: x -> rotation x + move. A joint's own rotation is applied first,
// then its parent's motion.
typedef struct joint_motion {
    oracle_quat rotation;
    oracle_vec move;
    bool is_known;
} joint_motion;

static void find_motion(const oracle_pair* pair, const oracle_vec* rotations, uint32_t j,
                        joint_motion* motions) {
    const joint_motion none = {{0, 0, 0, 1}, {0, 0, 0}, true};
    const joint_motion* parent = &none;
    if (pair->parent[j] != TLW_NO_JOINT) {
        parent = &motions[pair->parent[j]];
        if (!parent->is_known) {
            find_motion(pair, rotations, pair->parent[j], motions);
        }
    }
    const oracle_quat own = quat_exp(rotations[j]);
    const oracle_vec place = vec_of(&pair->bind[j][12]);
    const oracle_vec own_move = vec_sub(place, quat_rotate(own, place));
    motions[j] =
        (joint_motion){quat_mul(parent->rotation, own),
                       vec_add(quat_rotate(parent->rotation, own_move), parent->move), true};
}

void pair_rotate_joints(oracle_pair* pair, const oracle_vec* rotations, const double* scales) {
    joint_motion motions[PAIR_JOINTS_MAX] = {0};
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        if (!motions[j].is_known) {
            find_motion(pair, rotations, j, motions);
        }
        for (int column = 0; column < 4; ++column) {
            const double scale = scales && column < 3 ? scales[j] : 1;
            oracle_vec at = quat_rotate(motions[j].rotation,
                                        vec_scale(vec_of(&pair->bind[j][4 * column]), scale));
            at = column == 3 ? vec_add(at, motions[j].move) : at;
            float* to = &pair->joints[j][4 * column];
            to[0] = (float)at.x;
            to[1] = (float)at.y;
            to[2] = (float)at.z;
            to[3] = column == 3;
        }
    }
}

void pair_move_root(oracle_pair* pair, oracle_vec voxels) {
    const double metres = pair->info.voxel_metres * (double)pair->root.scale;
    pair->root.position[0] += metres * voxels.x;
    pair->root.position[1] += metres * voxels.y;
    pair->root.position[2] += metres * voxels.z;
}

void pair_rotate_root(oracle_pair* pair, oracle_quat rotation) {
    float* r = pair->root.rotation;
    const double own[4] = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
    const oracle_quat now = quat_normalise(quat_mul(rotation, quat_of(own)));
    r[0] = (float)now.x;
    r[1] = (float)now.y;
    r[2] = (float)now.z;
    r[3] = (float)now.w;
}

void pair_dance(oracle_pair* pair, double t, double size) {
    oracle_vec rotations[PAIR_JOINTS_MAX];
    for (uint32_t j = 0; j < pair->joint_count; ++j) {
        rotations[j] =
            vec(0.35 * size * sin((3 + 0.3 * j) * t), 0.2 * size * sin((2.5 + 0.2 * j) * t),
                0.4 * size * sin((3.3 - 0.1 * j) * t));
    }
    pair_rest_pose(pair);
    pair_rotate_joints(pair, rotations, NULL);
    pair_rotate_root(
        pair, quat_exp(vec(0.2 * size * sin(2 * t), 0.3 * size * sin(t), 0.4 * size * sin(3 * t))));
    pair_move_root(pair, vec_scale(vec(2 * sin(5 * t), 1.5 * sin(3 * t), 1.2 * sin(7 * t)), size));
}

// Steps

static void give_pose(oracle_pair* pair, bool is_jump) {
    tlw_pose pose = {.joint_count = pair->joint_count, .root = pair->root, .is_jump = is_jump};
    double matrices[PAIR_JOINTS_MAX][16];
    float skinning[PAIR_JOINTS_MAX][16];
    tlw_transform transforms[PAIR_JOINTS_MAX];
    pose.joints = pair->joints;
    oracle_pose same = pose_of(pair, matrices);
    if (pair->pose_kind == TLW_POSE_SKINNING) {
        for (uint32_t j = 0; j < pair->joint_count; ++j) {
            const double* b = pair->bind[j];
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
    } else if (pair->pose_kind == TLW_POSE_TRANSFORMS) { // the oracle gets the same as matrices
        for (uint32_t j = 0; j < pair->joint_count; ++j) {
            const oracle_vec x = vec_of(matrices[j]), y = vec_of(matrices[j] + 4),
                             z = vec_of(matrices[j] + 8); // square to each other
            const double side = vec_dot(vec_cross(x, y), z) < 0 ? -1 : 1;
            const oracle_vec scale = {vec_length(x), vec_length(y), side * vec_length(z)};
            const oracle_mat r = mat_of_columns(
                vec_scale(x, 1 / scale.x), vec_scale(y, 1 / scale.y), vec_scale(z, 1 / scale.z));
            const oracle_quat rotation =
                quat_scale(quat_of_mat(&r), 3); // the runtime normalises it
            transforms[j] = (tlw_transform){
                {pair->joints[j][12], pair->joints[j][13], pair->joints[j][14]},
                {(float)rotation.x, (float)rotation.y, (float)rotation.z, (float)rotation.w},
                {(float)scale.x, (float)scale.y, (float)scale.z},
            };
        }
        pose.joints = transforms;
    }
    CHECK_OK(tlw_character_set_pose(pair->world, pair->id, &pose));
    if (pair->o) {
        CHECK(oracle_set_pose(pair->o, &same));
    }
}

tlw_step_flags pair_step(oracle_pair* pair, double dt, bool is_jump) {
    give_pose(pair, is_jump);
    const tlw_step_flags flags = tlw_world_step(pair->world, dt);
    if (pair->o) {
        const unsigned same = oracle_step(pair->o, dt, is_jump);
        CHECK_EQ((flags & TLW_STEP_JUMPED) != 0, (same & ORACLE_JUMPED) != 0);
        CHECK_EQ((flags & TLW_STEP_DROPPED_TIME) != 0, (same & ORACLE_DROPPED_TIME) != 0);
        CHECK_EQ((flags & TLW_STEP_NOT_FINITE) != 0, (same & ORACLE_BROKE) != 0);
        tlw_character_report report;
        CHECK_OK(tlw_character_get_report(pair->world, pair->id, &report));
        if (!(flags & TLW_STEP_ASLEEP)) {
            CHECK_EQ(report.substeps, pair->o->substep_count);
        }
    }
    return flags;
}

void pair_settle(oracle_pair* pair) {
    give_pose(pair, false);
    CHECK_OK(tlw_character_reset(pair->world, pair->id));
    if (pair->o) {
        oracle_step(pair->o, pair->substep_seconds,
                    true); // the oracle resets on the last call's pose
        oracle_reset(pair->o);
    }
}

void pair_teleport(oracle_pair* pair, oracle_vec metres, oracle_quat rotation) {
    const double position[3] = {metres.x, metres.y, metres.z};
    const float as_floats[4] = {(float)rotation.x, (float)rotation.y, (float)rotation.z,
                                (float)rotation.w};
    CHECK_OK(tlw_character_teleport(pair->world, pair->id, position, as_floats));
    if (pair->o) {
        const double same[4] = {(double)as_floats[0], (double)as_floats[1], (double)as_floats[2],
                                (double)as_floats[3]};
        oracle_teleport(pair->o, position, same);
    }
    memcpy(pair->root.position, position, sizeof position);
    memcpy(pair->root.rotation, as_floats, sizeof as_floats);
}

void pair_push(oracle_pair* pair, uint32_t voxel, oracle_vec off) {
    tlw_voxel_state state;
    CHECK_OK(tlw_character_get_voxel(pair->world, pair->id, voxel, &state));
    const float p[3] = {state.position[0] + (float)off.x, state.position[1] + (float)off.y,
                        state.position[2] + (float)off.z};
    CHECK_OK(tlw_character_set_voxel(pair->world, pair->id, voxel, p, state.velocity));
    if (pair->o) {
        const uint32_t k = pair->oracle_voxel[voxel];
        const oracle_vec now = vec((double)p[0], (double)p[1], (double)p[2]);
        const oracle_vec by = vec_sub(now, pair->o->p[k]);
        pair->o->p[k] = now;
        pair->o->d1[k] = vec_add(pair->o->d1[k], quat_unrotate(pair->o->Rb[k], by)); // drawn, too
    }
}

void pair_set_material(oracle_pair* pair, uint32_t part, uint32_t layer,
                       const tlw_material* material) {
    CHECK_OK(tlw_character_set_material(pair->world, pair->id, part, layer, material));
    if (pair->o) {
        oracle_end_fade(pair->o);
    }
    for (uint32_t i = 0; pair->o && i < pair->o->settings.material_count; ++i) {
        if ((part == TLW_ALL || part == i / ORACLE_LAYERS) &&
            (layer == TLW_ALL || layer == i % ORACLE_LAYERS)) {
            pair->ks[i] = (double)material->stiffness;
            pair->kd[i] = (double)material->damping;
            pair->anchors[i] = (double)material->anchor_hz;
            pair->limit_scales[i] = (double)material->limit_scale;
        }
    }
}

void pair_set_tension(oracle_pair* pair, uint32_t muscle, double tension) {
    CHECK_OK(tlw_character_set_tension(pair->world, pair->id, muscle, (float)tension));
    if (pair->o) {
        pair->o->muscles[muscle].set_tension = (double)(float)tension;
    }
}

void pair_set_lame(oracle_pair* pair, uint32_t part, uint32_t layer, const tlw_lame* lame) {
    CHECK_OK(tlw_character_set_lame(pair->world, pair->id, part, layer, lame));
    for (uint32_t i = 0; pair->o && i < pair->muscles->material_count; ++i) {
        oracle_lame* own = &pair->muscles->lame[i];
        if ((part == TLW_ALL || part == i / ORACLE_LAYERS) &&
            (layer == TLW_ALL || layer == i % ORACLE_LAYERS) && own->young_pa > 0) {
            *own = (oracle_lame){1000 * (double)lame->young_kpa, (double)lame->poisson,
                                 (double)lame->density};
        }
    }
}

void pair_set_settings(oracle_pair* pair, const tlw_settings* settings) {
    CHECK_OK(tlw_character_set_settings(pair->world, pair->id, settings));
    if (pair->o) {
        copy_settings(settings, &pair->o->settings);
    }
}

void pair_set_gravity(oracle_pair* pair, float x, float y, float z) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(pair->world, pair->id, &settings));
    settings.gravity[0] = x;
    settings.gravity[1] = y;
    settings.gravity[2] = z;
    pair_set_settings(pair, &settings);
}

void pair_set_skinned_volume(oracle_pair* pair, bool is_on) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(pair->world, pair->id, &settings));
    settings.skinned_volume = is_on;
    pair_set_settings(pair, &settings);
}

void pair_fade_to(oracle_pair* pair, uint32_t profile, double seconds) {
    const tlw_blob_material* cooked = section(pair, TLW_SECTION_MATERIALS);
    const tlw_blob_profile_material* others = section(pair, TLW_SECTION_PROFILE_MATERIALS);
    const uint32_t count = pair->lattice->part_count * pair->lattice->layer_count;
    CHECK_LT(profile, pair->lattice->profile_count);
    CHECK_OK(tlw_character_fade_to(pair->world, pair->id, profile, (float)seconds));
    if (!pair->o) {
        return;
    }
    oracle_begin_fade(pair->o, (double)(float)seconds);
    for (uint32_t i = 0; i < count; ++i) {
        tlw_blob_profile_material m = {cooked[i].stiffness, cooked[i].damping, cooked[i].anchor_hz,
                                       1};
        if (profile > 0) {
            m = others[(size_t)(profile - 1) * count + i];
        }
        pair->ks[i] = (double)m.stiffness;
        pair->kd[i] = (double)m.damping;
        pair->anchors[i] = (double)m.anchor_hz;
        pair->limit_scales[i] = (double)m.limit_scale;
    }
}

// Reading and comparing

void pair_read(oracle_pair* pair) {
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        CHECK_OK(tlw_character_get_voxel(pair->world, pair->id, i, &pair->state[i]));
    }
}

static oracle_vec wide(const float a[3]) {
    return vec((double)a[0], (double)a[1], (double)a[2]);
}

static oracle_quat wide4(const float a[4]) {
    return (oracle_quat){(double)a[0], (double)a[1], (double)a[2], (double)a[3]};
}

oracle_vec pair_p(const oracle_pair* pair, uint32_t voxel) {
    return wide(pair->state[voxel].position);
}

oracle_vec pair_deviation(const oracle_pair* pair, uint32_t voxel) {
    return vec_sub(wide(pair->state[voxel].position), wide(pair->state[voxel].skinned));
}

double pair_rotation_degrees(const oracle_pair* pair, uint32_t voxel) {
    const tlw_voxel_state* s = &pair->state[voxel];
    return quat_angle(wide4(s->rotation), wide4(s->skinned_rotation)) * 57.29577951308232;
}

uint32_t pair_layer(const oracle_pair* pair, uint32_t voxel) {
    return pair->slot_layer[pair->voxel_slot[voxel]];
}

uint32_t pair_part(const oracle_pair* pair, uint32_t voxel) {
    return pair->cooked_input->input.material[pair->oracle_voxel[voxel]] / ORACLE_LAYERS;
}

static double larger(double a, double b) {
    return b > a || b != b ? b : a;
}

// Lines are given in the world; the oracle's are relative to the root of its last substep.
static void compare_muscles(const oracle_pair* pair, oracle_pair_gap* gap) {
    const double metres = pair->info.voxel_metres * pair->o->scale_at_substep;
    for (uint32_t m = 0; m < pair->o->input->muscle_count; ++m) {
        const uint32_t count = pair->o->input->muscles[m].vertex_count;
        double places[ORACLE_LINE_VERTICES][3];
        tlw_muscle muscle;
        CHECK_OK(tlw_character_get_muscle(pair->world, pair->id, m, &muscle));
        CHECK_EQ(muscle.vertex_count, count);
        CHECK_OK(tlw_character_get_line(pair->world, pair->id, m, places, count));
        gap->tension =
            larger(gap->tension, fabs((double)muscle.tension - pair->o->muscles[m].tension));
        gap->elongation = larger(gap->elongation,
                                 fabs((double)muscle.elongation - oracle_elongation(pair->o, m)));
        for (uint32_t i = 0; i < count; ++i) {
            const oracle_vec at =
                vec_scale(vec_sub(vec_of(places[i]), vec_of(pair->o->root_at_substep)), 1 / metres);
            gap->line = larger(gap->line, vec_length(vec_sub(at, pair->o->muscles[m].x[i])));
        }
    }
}

oracle_pair_gap pair_compare(oracle_pair* pair) {
    oracle_pair_gap gap = {0};
    pair_read(pair);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const uint32_t k = pair->oracle_voxel[i];
        const tlw_voxel_state* s = &pair->state[i];
        const double p = vec_length(vec_sub(wide(s->position), pair->o->p[k]));
        if (p > gap.p || p != p) {
            gap.p = p;
            gap.voxel = i;
        }
        gap.skin = larger(gap.skin, vec_length(vec_sub(wide(s->skinned), pair->o->p_skin_prev[k])));
        gap.velocity = larger(
            gap.velocity, pair->substep_seconds *
                              vec_length(vec_sub(wide(s->velocity), oracle_velocity(pair->o, k))));
        gap.rotation = larger(gap.rotation, quat_angle(wide4(s->rotation), pair->o->R[k]));
    }
    compare_muscles(pair, &gap);
    return gap;
}

double pair_largest_deviation(oracle_pair* pair) {
    double largest = 0;
    pair_read(pair);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        largest = larger(largest, vec_length(pair_deviation(pair, i)));
    }
    return largest;
}

double pair_largest_rotation(oracle_pair* pair) {
    double largest = 0;
    pair_read(pair);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        largest = larger(largest, pair_rotation_degrees(pair, i));
    }
    return largest;
}
