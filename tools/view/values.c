// SPDX-License-Identifier: MIT
// Values of a character, copies of them, and the list of states for undo.
#include "tools/view/values.h"

#include "runtime/blob.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory

static size_t cells_of(const tlw_view_values* v) {
    return (size_t)v->part_count * v->layer_count;
}

static bool make_rows(tlw_view_values* v) {
    v->materials = calloc(cells_of(v) + 1, sizeof *v->materials);
    v->lame = calloc(cells_of(v) + 1, sizeof *v->lame);
    v->tensions = calloc((size_t)v->muscle_count + 1, sizeof *v->tensions);
    if (!v->materials || !v->lame || !v->tensions) {
        tlw_view_values_free(v);
        return false;
    }
    return true;
}

void tlw_view_values_free(tlw_view_values* v) {
    free(v->materials);
    free(v->lame);
    free(v->tensions);
    *v = (tlw_view_values){0};
}

bool tlw_view_values_copy(tlw_view_values* to, const tlw_view_values* from) {
    tlw_view_values copy = *from;
    if (to->materials) {
        copy.materials = to->materials;
        copy.lame = to->lame;
        copy.tensions = to->tensions;
    } else if (!make_rows(&copy)) {
        return false;
    }
    memcpy(copy.materials, from->materials, cells_of(from) * sizeof *copy.materials);
    memcpy(copy.lame, from->lame, cells_of(from) * sizeof *copy.lame);
    memcpy(copy.tensions, from->tensions, from->muscle_count * sizeof *copy.tensions);
    *to = copy;
    return true;
}

// ---- Comparing

static bool floats_equal(const float* a, const float* b, size_t count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool settings_equal(const tlw_settings* a, const tlw_settings* b) {
    return floats_equal(a->gravity, b->gravity, 3) && floats_equal(a->wind, b->wind, 3) &&
           floats_equal(&a->wind_drag, &b->wind_drag, 1) &&
           floats_equal(&a->time_scale, &b->time_scale, 1) &&
           a->rotation_iterations == b->rotation_iterations && a->repeats == b->repeats &&
           a->skinned_volume == b->skinned_volume && a->own_limbs == b->own_limbs &&
           a->collider_mask == b->collider_mask;
}

TLW_STATIC_ASSERT(sizeof(tlw_material) == 4 * sizeof(float), "no padding, which would be compared");
TLW_STATIC_ASSERT(sizeof(tlw_lame) == 3 * sizeof(float), "likewise");
TLW_STATIC_ASSERT(sizeof(tlw_pose_filter) == 3 * sizeof(float), "likewise");

bool tlw_view_values_equal(const tlw_view_values* a, const tlw_view_values* b) {
    return cells_of(a) == cells_of(b) && a->muscle_count == b->muscle_count &&
           a->has_filter == b->has_filter && a->profile == b->profile &&
           memcmp(a->materials, b->materials, cells_of(a) * sizeof *a->materials) == 0 &&
           memcmp(a->lame, b->lame, cells_of(a) * sizeof *a->lame) == 0 &&
           floats_equal(a->tensions, b->tensions, a->muscle_count) &&
           memcmp(&a->filter, &b->filter, sizeof a->filter) == 0 &&
           settings_equal(&a->settings, &b->settings);
}

// ---- Characters

tlw_material* tlw_view_material(const tlw_view_values* v, uint32_t part, uint32_t layer) {
    return &v->materials[(size_t)part * v->layer_count + layer];
}

tlw_lame* tlw_view_lame(const tlw_view_values* v, uint32_t part, uint32_t layer) {
    return &v->lame[(size_t)part * v->layer_count + layer];
}

bool tlw_view_values_read(tlw_view_values* out, const tlw_view_character* from) {
    const tlw_blob_info* info = &from->model->actor.info;
    const tlw_world* world = from->motion->world;
    const tlw_character_id id = from->motion->id;
    tlw_view_values v = {.part_count = info->part_count,
                         .layer_count = info->layer_count,
                         .muscle_count = info->muscle_count,
                         .has_lame = info->has_lame,
                         .filter = tlw_default_pose_filter()};
    if (!make_rows(&v)) {
        return false;
    }
    for (uint32_t p = 0; p < v.part_count; ++p) {
        for (uint32_t l = 1; l < v.layer_count; ++l) {
            TLW_IGNORE(tlw_character_get_material(world, id, p, l, tlw_view_material(&v, p, l)));
            if (tlw_character_get_lame(world, id, p, l, tlw_view_lame(&v, p, l)) != TLW_OK) {
                *tlw_view_lame(&v, p, l) = (tlw_lame){0};
            }
        }
    }
    TLW_IGNORE(tlw_character_get_settings(world, id, &v.settings)); // the id is our own
    tlw_view_values_free(out);
    *out = v;
    return true;
}

// ---- What a recipe says

#define SETTING(name, of_kind, field, in_view)                              \
    {                                                                       \
        "view." name, TLW_VIEW_##of_kind, offsetof(tlw_view_values, field), \
            offsetof(tlw_recipe_view, in_view)                              \
    }
const tlw_view_setting tlw_view_settings[TLW_VIEW_SETTING_COUNT] = {
    SETTING("gravity", VECTOR, settings.gravity, gravity),
    SETTING("wind", VECTOR, settings.wind, wind),
    SETTING("wind_drag", FLOAT, settings.wind_drag, wind_drag),
    SETTING("time_scale", FLOAT, settings.time_scale, time_scale),
    SETTING("rotation_iterations", INTEGER, settings.rotation_iterations, rotation_iterations),
    SETTING("repeats", INTEGER, settings.repeats, repeats),
    SETTING("skinned_volume", SWITCH, settings.skinned_volume, skinned_volume),
    SETTING("own_limbs", SWITCH, settings.own_limbs, own_limbs),
    SETTING("filter.on", SWITCH, has_filter, has_filter),
    SETTING("filter.cutoff_hz", FLOAT, filter.cutoff_hz, cutoff_hz),
    SETTING("filter.hz_per_speed", FLOAT, filter.hz_per_speed, hz_per_speed),
    SETTING("filter.hz_per_turn", FLOAT, filter.hz_per_turn, hz_per_turn),
};
#undef SETTING

static const size_t setting_bytes[] = {[TLW_VIEW_FLOAT] = sizeof(float),
                                       [TLW_VIEW_VECTOR] = 3 * sizeof(float),
                                       [TLW_VIEW_INTEGER] = sizeof(uint32_t),
                                       [TLW_VIEW_SWITCH] = sizeof(bool)};

static void say(char* message, size_t room, const char* format, ...) TLW_PRINTF(3, 4);

// Appends a line to `message`.
static void say(char* message, size_t room, const char* format, ...) {
    const size_t used = strlen(message);
    va_list values;
    va_start(values, format);
    if (used + 1 < room) {
        message[used] = '\n';
        vsnprintf(message + used + (used > 0), room - used - 1, format, values);
    }
    va_end(values);
}

static void take_tensions(tlw_view_values* v, const tlw_view_model* model,
                          const tlw_recipe_view* view, char* message, size_t room) {
    for (uint32_t i = 0; i < view->tension_count; ++i) {
        uint32_t muscle;
        if (tlw_blob_find_muscle(&model->actor.blob, view->tensions[i].muscle, &muscle) == TLW_OK) {
            v->tensions[muscle] = view->tensions[i].tension;
        } else {
            say(message, room, "view.tensions: there is no muscle '%s'", view->tensions[i].muscle);
        }
    }
}

static void take_limits(tlw_view_values* v, const tlw_view_model* model,
                        const tlw_recipe_view* view, char* message, size_t room) {
    for (uint32_t i = 0; i < view->part_count; ++i) {
        const tlw_cook_profile_part* said = &view->parts[i];
        uint32_t part = 0;
        if (said->joint && tlw_blob_find_part(&model->actor.blob, said->joint, &part) != TLW_OK) {
            say(message, room, "view.parts: joint '%s' has no part", said->joint);
            continue;
        }
        for (uint32_t l = 1; l < v->layer_count; ++l) {
            if (said->limit_scale[l] >= 0.0f) {
                tlw_view_material(v, part, l)->limit_scale = said->limit_scale[l];
            }
        }
    }
}

void tlw_view_values_set_profile(tlw_view_values* v, const tlw_view_model* model,
                                 uint32_t profile) {
    uint64_t count, profile_count;
    char ignored[8] = "";
    const uint8_t* memory = model->actor.blob_memory;
    const tlw_blob_material* cooked = tlw_blob_find(memory, TLW_SECTION_MATERIALS, &count);
    const tlw_blob_profile_material* of_profiles =
        tlw_blob_find(memory, TLW_SECTION_PROFILE_MATERIALS, &profile_count);
    const size_t cells = cells_of(v), first = profile > 0 ? (profile - 1) * cells : 0;
    v->profile = profile;
    for (size_t i = 0; i < cells; ++i) {
        tlw_material* to = &v->materials[i];
        if (i % v->layer_count == 0) {
            continue;
        }
        if (profile > 0 && first + i < profile_count) {
            const tlw_blob_profile_material* m = &of_profiles[first + i];
            *to = (tlw_material){m->stiffness, m->damping, m->anchor_hz, m->limit_scale};
        } else if (profile == 0 && i < count) {
            const tlw_blob_material* m = &cooked[i];
            *to = (tlw_material){m->stiffness, m->damping, m->anchor_hz, 1.0f};
        }
    }
    if (profile == 0) {
        take_limits(v, model, &model->recipe.view, ignored, sizeof ignored);
    }
}

void tlw_view_values_take(tlw_view_values* v, const tlw_view_model* model, const tlw_recipe* recipe,
                          char* message, size_t room) {
    const tlw_recipe_view* view = &recipe->view;
    const tlw_blob_info* info = &model->actor.info;
    uint32_t profile;
    message[0] = 0;
    for (size_t i = 0; i < TLW_VIEW_SETTING_COUNT; ++i) {
        const tlw_view_setting* s = &tlw_view_settings[i];
        if (tlw_recipe_place(recipe, s->key)) {
            memcpy((char*)v + s->value, (const char*)view + s->said, setting_bytes[s->kind]);
        }
    }
    v->settings.skinned_volume = v->settings.skinned_volume && info->has_bends;
    v->settings.own_limbs = v->settings.own_limbs && info->limb_count > 0;
    take_tensions(v, model, view, message, room);
    take_limits(v, model, view, message, room);
    if (view->profile &&
        tlw_blob_find_profile(&model->actor.blob, view->profile, &profile) == TLW_OK &&
        profile > 0) {
        tlw_view_values_set_profile(v, model, profile);
    }
}

// ---- Setting them

bool tlw_view_values_apply(const tlw_view_values* v, const tlw_view_character* to, char* message,
                           size_t room) {
    tlw_world* world = to->motion->world;
    const tlw_character_id id = to->motion->id;
    const char* what = NULL;
    tlw_result first = TLW_OK;
#define TRY(call, name)                         \
    do {                                        \
        const tlw_result result = (call);       \
        if (result != TLW_OK && what == NULL) { \
            what = (name);                      \
            first = result;                     \
        }                                       \
    } while (0)
    for (uint32_t p = 0; p < v->part_count; ++p) {
        for (uint32_t l = 1; l < v->layer_count; ++l) {
            TRY(tlw_character_set_material(world, id, p, l, tlw_view_material(v, p, l)),
                "a material");
            if (tlw_view_lame(v, p, l)->young_kpa > 0.0f) {
                TRY(tlw_character_set_lame(world, id, p, l, tlw_view_lame(v, p, l)),
                    "a Lame layer");
            }
        }
    }
    for (uint32_t m = 0; m < v->muscle_count; ++m) {
        TRY(tlw_character_set_tension(world, id, m, v->tensions[m]), "a tension");
    }
    TRY(tlw_character_set_settings(world, id, &v->settings), "settings");
    TRY(tlw_character_set_pose_filter(world, id, v->has_filter ? &v->filter : NULL), "the filter");
#undef TRY
    if (what) {
        snprintf(message, room, "%s cannot be set: %s", what, tlw_result_meaning(first));
    }
    return what == NULL;
}

const char* tlw_view_part_name(const tlw_view_model* model, uint32_t part) {
    tlw_part_info info;
    return tlw_blob_get_part(&model->actor.blob, part, &info) == TLW_OK &&
                   info.joint != TLW_NO_INDEX
               ? tlw_blob_joint_name(&model->actor.blob, info.joint)
               : "whole character";
}

// ---- Carrying over

// The part or layer of the new model that has the name of an old one; TLW_NO_INDEX if none has.
static uint32_t new_part(const tlw_view_model* to, const tlw_view_model* from, uint32_t part) {
    for (uint32_t p = 0; p < to->actor.info.part_count; ++p) {
        if (strcmp(tlw_view_part_name(to, p), tlw_view_part_name(from, part)) == 0) {
            return p;
        }
    }
    return TLW_NO_INDEX;
}

static uint32_t new_layer(const tlw_view_model* to, const tlw_view_model* from, uint32_t layer) {
    uint32_t found;
    const char* name = tlw_blob_layer_name(&from->actor.blob, layer);
    return tlw_blob_find_layer(&to->actor.blob, name, &found) == TLW_OK ? found : TLW_NO_INDEX;
}

// Each number for itself, so that a file that changes one and a slider that changes another are
// both heard.
static void carry_floats(float* to, const float* from, const float* base, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (memcmp(&from[i], &base[i], sizeof *from) != 0) {
            to[i] = from[i];
        }
    }
}

static void carry_settings(tlw_settings* to, const tlw_settings* from, const tlw_settings* base) {
    carry_floats(to->gravity, from->gravity, base->gravity, 3);
    carry_floats(to->wind, from->wind, base->wind, 3);
    carry_floats(&to->wind_drag, &from->wind_drag, &base->wind_drag, 1);
    carry_floats(&to->time_scale, &from->time_scale, &base->time_scale, 1);
#define CARRY(field) to->field = from->field != base->field ? from->field : to->field
    CARRY(rotation_iterations);
    CARRY(repeats);
    CARRY(collider_mask);
#undef CARRY
}

void tlw_view_values_carry(tlw_view_values* to, const tlw_view_model* to_model,
                           const tlw_view_values* from, const tlw_view_values* base,
                           const tlw_view_model* from_model) {
    for (uint32_t p = 0; p < from->part_count; ++p) {
        const uint32_t part = new_part(to_model, from_model, p);
        for (uint32_t l = 1; l < from->layer_count && part != TLW_NO_INDEX; ++l) {
            const uint32_t layer = new_layer(to_model, from_model, l);
            if (layer == TLW_NO_INDEX || layer == 0) {
                continue;
            }
            carry_floats(&tlw_view_material(to, part, layer)->stiffness,
                         &tlw_view_material(from, p, l)->stiffness,
                         &tlw_view_material(base, p, l)->stiffness,
                         sizeof(tlw_material) / sizeof(float));
            if (tlw_view_lame(to, part, layer)->young_kpa > 0.0f &&
                tlw_view_lame(from, p, l)->young_kpa > 0.0f) {
                carry_floats(&tlw_view_lame(to, part, layer)->young_kpa,
                             &tlw_view_lame(from, p, l)->young_kpa,
                             &tlw_view_lame(base, p, l)->young_kpa,
                             sizeof(tlw_lame) / sizeof(float));
            }
        }
    }
    for (uint32_t m = 0; m < from->muscle_count; ++m) {
        tlw_muscle_info info;
        uint32_t found;
        if (tlw_blob_get_muscle(&from_model->actor.blob, m, &info) == TLW_OK &&
            tlw_blob_find_muscle(&to_model->actor.blob, info.name, &found) == TLW_OK) {
            carry_floats(&to->tensions[found], &from->tensions[m], &base->tensions[m], 1);
        }
    }
    const tlw_blob_info* info = &to_model->actor.info;
    carry_settings(&to->settings, &from->settings, &base->settings);
    if (info->has_bends && from->settings.skinned_volume != base->settings.skinned_volume) {
        to->settings.skinned_volume = from->settings.skinned_volume;
    }
    if (info->limb_count > 0 && from->settings.own_limbs != base->settings.own_limbs) {
        to->settings.own_limbs = from->settings.own_limbs;
    }
    if (from->has_filter != base->has_filter) {
        to->has_filter = from->has_filter;
    }
    carry_floats(&to->filter.cutoff_hz, &from->filter.cutoff_hz, &base->filter.cutoff_hz,
                 sizeof(tlw_pose_filter) / sizeof(float));
}

// ---- History

void tlw_view_history_free(tlw_view_history* h) {
    for (uint32_t i = 0; i < TLW_VIEW_UNDO_MOST; ++i) {
        tlw_view_values_free(&h->states[i]);
    }
    h->count = h->at = 0;
}

bool tlw_view_history_begin(tlw_view_history* h, const tlw_view_values* values) {
    tlw_view_history_free(h);
    h->count = tlw_view_values_copy(&h->states[0], values) ? 1 : 0;
    return h->count == 1;
}

void tlw_view_history_keep(tlw_view_history* h, const tlw_view_values* values) {
    if (h->count == 0 || tlw_view_values_equal(&h->states[h->at], values)) {
        return;
    }
    if (h->at + 1 == TLW_VIEW_UNDO_MOST) { // the oldest makes room
        const tlw_view_values oldest = h->states[0];
        memmove(&h->states[0], &h->states[1], h->at * sizeof h->states[0]);
        h->states[h->at] = oldest;
        --h->at;
    }
    if (tlw_view_values_copy(&h->states[h->at + 1], values)) {
        ++h->at;
        h->count = h->at + 1;
    }
}

bool tlw_view_history_can_undo(const tlw_view_history* h) {
    return h->at > 0;
}

bool tlw_view_history_can_redo(const tlw_view_history* h) {
    return h->at + 1 < h->count;
}

const tlw_view_values* tlw_view_history_undo(tlw_view_history* h) {
    return tlw_view_history_can_undo(h) ? &h->states[--h->at] : NULL;
}

const tlw_view_values* tlw_view_history_redo(tlw_view_history* h) {
    return tlw_view_history_can_redo(h) ? &h->states[++h->at] : NULL;
}
