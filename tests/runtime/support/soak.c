// SPDX-License-Identifier: MIT
// A soak's world and characters (soak.h), its frames and what is measured of it.
#include "tests/runtime/support/soak_private.h"

#include "runtime/blob.h"
#include "tests/test.h"

#include <math.h>

static void find_caps(soaked* c) {
    uint64_t count;
    const uint8_t* bytes = sample_blob(c->sample)->bytes;
    const uint32_t* slots = tlw_blob_find(bytes, TLW_SECTION_VOXEL_SLOT, &count);
    const float* limits = tlw_blob_find(bytes, TLW_SECTION_SLOT_LIMIT, &count);
    const uint8_t* layers = tlw_blob_find(bytes, TLW_SECTION_SLOT_LAYER, &count);
    const uint32_t voxels = sample_info(c->sample)->voxel_count;
    c->caps = sample_allocate(voxels * sizeof *c->caps);
    for (uint32_t v = 0; v < voxels; ++v) {
        c->caps[v] = layers[slots[v]] == 0 ? 0.0f : 1.5f * limits[slots[v]];
    }
}

static void create(soak* s, soaked* c) {
    tlw_character_def def = tlw_default_character_def();
    tlw_output output = tlw_default_output();
    size_t bytes;
    def.blob = *sample_blob(c->sample);
    def.pose_kind = c->kind;
    def.drag_capacity = SOAK_DRAGS;
    def.has_pose_filter = true;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    c->memory = sample_allocate(bytes);
    CHECK_OK(tlw_character_create(s->world, &def, c->memory, bytes, &c->id));
    c->deltas = sample_allocate((size_t)sample_info(c->sample)->voxel_count * 3 * sizeof(float));
    output.voxel_deltas.data = c->deltas;
    CHECK_OK(tlw_character_set_output(s->world, c->id, &output));
    find_caps(c);
}

soak* soak_open(const soak_config* config) {
    soak* s = sample_allocate(sizeof *s);
    tlw_world_def def = tlw_default_world_def();
    size_t bytes;
    s->random = config->seed;
    s->is_extreme = config->is_extreme;
    s->characters[0] =
        (soaked){.sample = sample_get_limbed(TLW_SAMPLE_STOUT, 16, 3), .kind = TLW_POSE_MATRICES};
    s->characters[1] = (soaked){.sample = sample_get_dual(TLW_SAMPLE_BUNNY, 14, 3),
                                .kind = TLW_POSE_SKINNING,
                                .home = {1.0, 0.0, 0.5}};
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        const size_t scratch = sample_info(s->characters[k].sample)->scratch_bytes;
        def.scratch_bytes = scratch > def.scratch_bytes ? scratch : def.scratch_bytes;
    }
    def.character_capacity = SOAK_CHARACTERS;
    def.collider_capacity = SOAK_COLLIDERS;
    def.contact_capacity = 16;
    def.tasks = config->tasks;
    def.split_cost = config->split_cost;
    CHECK_OK(tlw_world_bytes(&def, &bytes));
    CHECK_OK(tlw_world_create(&def, sample_allocate(bytes), bytes, &s->world));
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        create(s, &s->characters[k]);
    }
    soak_calm(s);
    return s;
}

void soak_close(soak* s) {
    tlw_world_destroy(s->world);
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        sample_free(s->characters[k].memory);
        sample_free(s->characters[k].deltas);
        sample_free(s->characters[k].caps);
    }
    sample_free(s->world);
    sample_free(s);
}
// ---- Frames

static void look(soak* s, tlw_step_flags flags) {
    tlw_world_report report;
    tlw_world_get_report(s->world, &report);
    s->seen.flags |= flags;
    s->seen.not_finite += (flags & TLW_STEP_NOT_FINITE) != 0;
    s->seen.sleeps += report.asleep_count > 0;
    s->seen.splits += report.split_count > 0;
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        tlw_contact contacts[16];
        uint32_t count;
        CHECK_OK(tlw_character_get_contacts(s->world, s->characters[k].id, contacts, 16, &count));
        for (uint32_t i = 0; i < count; ++i) {
            s->seen.limb_contacts += contacts[i].limb != TLW_NO_INDEX;
            s->seen.collider_contacts += contacts[i].limb == TLW_NO_INDEX;
        }
    }
}
void soak_frame(soak* s) {
    look(s, tlw_world_step(s->world, soak_act(s)));
}

static void calm(soak* s, soaked* c) {
    const tlw_blob_info* info = sample_info(c->sample);
    const tlw_settings settings = {
        .gravity = {info->rest_gravity[0], info->rest_gravity[1], info->rest_gravity[2]},
        .rotation_iterations = 2,
        .repeats = 1,
        .skinned_volume = info->has_bends,
        .own_limbs = info->limb_count > 0,
        .collider_mask = UINT32_MAX,
        .time_scale = 1.0f};
    CHECK_OK(tlw_character_set_settings(s->world, c->id, &settings));
    CHECK_OK(tlw_character_apply_preset(s->world, c->id, TLW_PRESET_COOKED));
    CHECK_OK(tlw_character_set_pose_filter(s->world, c->id, NULL));
    for (uint32_t i = 0; i < SOAK_DRAGS; ++i) {
        CHECK_OK(tlw_character_end_drag(s->world, c->id, i));
    }
    sample_joints joints;
    const double none[3] = {0.0, 0.0, 0.0};
    bind_pose(sample_blob(c->sample), c->kind, none, &joints);
    c->root = tlw_default_pose().root;
    for (int i = 0; i < 3; ++i) {
        c->root.position[i] = c->home[i];
        c->velocity[i] = 0.0;
    }
    const tlw_pose pose = {&joints, info->joint_count, c->root, true};
    CHECK_OK(tlw_character_set_pose(s->world, c->id, &pose));
}

void soak_calm(soak* s) {
    for (int k = 0; k < SOAK_COLLIDERS; ++k) {
        if (!tlw_collider_id_is_null(s->colliders[k].id)) {
            CHECK_OK(tlw_collider_destroy(s->world, s->colliders[k].id));
            s->colliders[k].id = (tlw_collider_id){0, 0};
        }
    }
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        calm(s, &s->characters[k]);
    }
}

bool soak_calm_frame(soak* s) {
    tlw_world_report report;
    look(s, tlw_world_step(s->world, SOAK_FRAME_SECONDS));
    tlw_world_get_report(s->world, &report);
    return report.asleep_count == SOAK_CHARACTERS;
}

// ---- Measures

static void measure(const soak* s, const soaked* c, soak_state* out, double* energy) {
    const uint32_t voxels = sample_info(c->sample)->voxel_count;
    for (uint32_t v = 0; v < voxels; ++v) {
        tlw_voxel_state state;
        double off2 = 0.0, speed2 = 0.0;
        CHECK_OK(tlw_character_get_voxel(s->world, c->id, v, &state));
        for (int i = 0; i < 3; ++i) {
            const double off = (double)state.position[i] - (double)state.skinned[i];
            off2 += off * off;
            speed2 += (double)state.velocity[i] * (double)state.velocity[i];
            out->is_finite = out->is_finite && isfinite(c->deltas[3 * v + (uint32_t)i]);
        }
        // Not isfinite, which some C libraries implement for floats only.
        out->is_finite = out->is_finite && off2 - off2 == 0.0 && speed2 - speed2 == 0.0;
        const double off = sqrt(off2);
        out->deviation = fmax(out->deviation, off);
        out->of_cap = fmax(out->of_cap, off / ((double)c->caps[v] + 1e-3));
        *energy += 0.5 * speed2 / voxels;
    }
}

soak_state soak_measure(const soak* s) {
    soak_state out = {.is_finite = true};
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        double energy = 0.0;
        measure(s, &s->characters[k], &out, &energy);
        out.energy = fmax(out.energy, energy);
    }
    return out;
}

soak_seen soak_get_seen(const soak* s) {
    return s->seen;
}

uint64_t soak_hash(const soak* s) {
    return tlw_world_hash(s->world);
}
