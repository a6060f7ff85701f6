// SPDX-License-Identifier: MIT
// Presets, profiles, materials and settings of a character, and the gains per window that the
// passes read (MODEL 3.10, 3.14).
#include "platform/fpu.h"
#include "runtime/blob/text.h"
#include "runtime/step/scalar_math.h"
#include "runtime/world/world.h"

#include <float.h>

// A fade of T seconds has a time constant of T/3, and ends although this share of a substep is
// missing: what is due may not depend on how a sum rounds.
#define FADE_TIMES 3.0
#define FADE_SLACK 1e-6

// ---- Presets

// Indexed by tlw_preset. The first one's values are in the blob.
static const tlw_preset_values presets[TLW_PRESET_COUNT] = {{.name = "cooked"},
                                                            TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

const char* tlw_preset_name(tlw_preset which) {
    return (uint32_t)which < TLW_PRESET_COUNT ? presets[which].name : NULL;
}

bool tlw_preset_from_name(const char* name, tlw_preset* out) {
    TLW_ASSERT(name != NULL && out != NULL);
    for (uint32_t i = 0; i < TLW_PRESET_COUNT; ++i) {
        if (tlw_is_same_text(name, presets[i].name)) {
            *out = (tlw_preset)i;
            return true;
        }
    }
    return false;
}

void tlw_character_set_preset(tlw_character* c, tlw_preset which) {
    const uint32_t layers = c->blob.lattice->layer_count;
    if (which == TLW_PRESET_COOKED) {
        tlw_character_restore_lame(c);
    }
    for (uint32_t i = 0; i < tlw_material_count(&c->blob); ++i) {
        const uint32_t layer = i % layers;
        const tlw_blob_material* cooked = &c->blob.materials[i];
        tlw_material* m = &c->materials[i];
        if (which == TLW_PRESET_COOKED) {
            *m = (tlw_material){cooked->stiffness, cooked->damping, cooked->anchor_hz, 1.0f};
        } else if (c->blob.parts[i / layers].kind != TLW_PART_WHOLE) {
            continue; // firm, or set by the recipe
        } else if (layer == 0) {
            *m = (tlw_material){cooked->stiffness, cooked->damping, cooked->anchor_hz,
                                m->limit_scale};
        } else {
            const int kind = layer + 1 == layers ? TLW_PRESET_SKIN
                             : layer == 1        ? TLW_PRESET_MUSCLE
                                                 : TLW_PRESET_FAT;
            *m = (tlw_material){presets[which].stiffness[kind], presets[which].damping[kind],
                                presets[which].anchor_hz[kind], m->limit_scale};
        }
    }
}

// ---- Gains

double tlw_gain_of(double k, uint32_t repeats, double h) {
    const double relative = h * TLW_REFERENCE_HZ;
    return 1.0 - tlw_exp_of(-(k / repeats) * relative * relative);
}

// What a slot is made of: one material, or two with the second's share, and the painted factor of
// its stiffness.
typedef struct mixture {
    uint32_t material, second;
    uint32_t share; // in 65,536ths
    float stiffness;
} mixture;

static mixture mixture_of(const tlw_blob_arrays* blob, uint32_t slot) {
    mixture m = {.material = blob->slot_material[slot], .stiffness = 1.0f};
    if (blob->slot_blend != NULL) {
        m.second = blob->slot_blend[slot].material;
        m.share = blob->slot_blend[slot].share;
    }
    if (blob->slot_stiffness != NULL) {
        m.stiffness = blob->slot_stiffness[slot];
    }
    return m;
}

static bool is_same_mixture(mixture a, mixture b) {
    return a.material == b.material && a.second == b.second && a.share == b.share &&
           a.stiffness == b.stiffness;
}

// A slot with one material has a share of 0, which leaves the bits of its value as they are.
static double blend(float own, float second, double share) {
    return (1.0 - share) * (double)own + share * (double)second;
}

// What a mixture comes to in a substep (tlw_window_gains).
typedef struct gains {
    float goal, anchor, limit_scale;
    double left; // K = kd^(h/0.1): of a relative velocity after a substep; 0 for bone
} gains;

static gains gains_of(const tlw_character* c, mixture mix) {
    const tlw_blob_lattice* l = c->blob.lattice;
    const tlw_material *m = &c->materials[mix.material], *n = &c->materials[mix.second];
    const double h = c->substep_seconds, share = (double)mix.share / TLW_BLOB_SHARE_ONE;
    const double ks = blend(m->stiffness, n->stiffness, share) * (double)mix.stiffness *
                      (double)l->stiffness_scale;
    const double angle =
        2.0 * 3.14159265358979323846 * blend(m->anchor_hz, n->anchor_hz, share) * h;
    const double kd = blend(m->damping, n->damping, share);
    const bool is_bone = mix.material % l->layer_count == 0;
    const bool is_lame =
        c->lame.materials != NULL && c->lame.materials[mix.material].density > 0.0f;
    const float anchor = is_lame ? 1.0f : (float)tlw_exp_of(-angle * angle);
    return (gains){
        .goal = is_bone || is_lame ? 0.0f : (float)tlw_gain_of(ks, c->settings.repeats, h),
        .left = is_bone || kd < 1e-30 ? 0.0 : tlw_exp_of(tlw_log_of(kd) * h / 0.1),
        .anchor = anchor,
        .limit_scale = (float)blend(m->limit_scale, n->limit_scale, share),
    };
}

static float damping_of(const tlw_character* c, double left, float kept) {
    return (float)(left / (c->substep_seconds * tlw_anchor_share(kept)));
}

// The stored relative velocity contains 1/max(1 - a, 1/2) (MODEL 3.9). With another anchor it is
// multiplied by the change of that, so that what moves goes on at its speed.
static void rescale_velocity(tlw_character* c, uint32_t slot, float kept_before, float kept) {
    const double before = tlw_anchor_share(kept_before), after = tlw_anchor_share(kept);
    for (int i = 0; i < 3 && before != after; ++i) {
        float* v = &c->velocity[slot / TLW_LANES].v[i][slot % TLW_LANES];
        const double base = tlw_character_velocity_base(c, slot, i);
        *v = (float)(base + ((double)*v - base) * (before / after));
    }
}

// Tissue that was pushed beyond its limit stays there unless the limit is another (MODEL 3.3).
static void set_limit(tlw_character* c, float* limit, float value) {
    c->may_be_off = c->may_be_off || *limit != value;
    c->limit_most = value > c->limit_most ? value : c->limit_most;
    *limit = value;
}

// Makes the gains those of the materials. `keeps_speed`: what moves goes on at its speed.
static void set_gains(tlw_character* c, bool keeps_speed) {
    const tlw_blob_arrays* blob = &c->blob;
    mixture last = {.material = UINT32_MAX};
    gains g = {0};
    c->limit_most = 0.0f;
    for (uint32_t s = 0; s < blob->slot_count; ++s) {
        tlw_window_gains* window = &c->gains[s / TLW_LANES];
        const uint32_t lane = s % TLW_LANES;
        const mixture mix = mixture_of(blob, s);
        const bool is_empty = blob->slot_voxel[s] == TLW_BLOB_NO_INDEX;
        if (!is_same_mixture(mix, last)) {
            g = gains_of(c, mix);
            last = mix;
        }
        if (!is_empty && keeps_speed) {
            rescale_velocity(c, s, window->anchor[lane], g.anchor);
        }
        window->goal[lane] = is_empty ? 0.0f : g.goal;
        window->damping[lane] = is_empty ? 0.0f : damping_of(c, g.left, g.anchor);
        window->anchor[lane] = is_empty ? 0.0f : g.anchor;
        set_limit(c, &window->limit[lane], g.limit_scale * blob->slot_limit[s]);
    }
    c->fade = (tlw_fade){0.0, 0.0};
    c->still_substeps = 0;
}

void tlw_character_update_gains(tlw_character* c) {
    set_gains(c, true);
}

// ---- Fades

static float towards(float from, float to, double share) {
    return (float)((double)from + share * ((double)to - (double)from));
}

// Brings the gains of a lane nearer to g. Damping follows from the faded K and anchor: fading it by
// itself would let tissue gain speed.
static void fade_lane(tlw_character* c, tlw_window_gains* window, uint32_t lane, const gains* g,
                      float limit, double share) {
    const float kept = window->anchor[lane];
    const double left = (double)window->damping[lane] * c->substep_seconds * tlw_anchor_share(kept);
    window->goal[lane] = towards(window->goal[lane], g->goal, share);
    window->anchor[lane] = towards(kept, g->anchor, share);
    window->damping[lane] = damping_of(c, left + share * (g->left - left), window->anchor[lane]);
    set_limit(c, &window->limit[lane], towards(window->limit[lane], limit, share));
}

void tlw_character_advance_fade(tlw_character* c) {
    const tlw_blob_arrays* blob = &c->blob;
    if (!tlw_character_is_fading(c)) {
        return;
    }
    const double h = c->substep_seconds;
    c->fade.elapsed += h;
    if (c->fade.elapsed >= c->fade.seconds - FADE_SLACK * h) {
        set_gains(c, false);
        return;
    }
    const double share = 1.0 - tlw_exp_of(-h * FADE_TIMES / c->fade.seconds);
    mixture last = {.material = UINT32_MAX};
    gains g = {0};
    c->limit_most = 0.0f;
    for (uint32_t s = 0; s < blob->slot_count; ++s) {
        const mixture mix = mixture_of(blob, s);
        if (blob->slot_voxel[s] == TLW_BLOB_NO_INDEX) {
            continue;
        }
        if (!is_same_mixture(mix, last)) {
            g = gains_of(c, mix);
            last = mix;
        }
        fade_lane(c, &c->gains[s / TLW_LANES], s % TLW_LANES, &g,
                  g.limit_scale * blob->slot_limit[s], share);
    }
    c->still_substeps = 0;
}

// 1e9 voxels are no limit; the square of a much larger number would overflow a float.
static float limit_within(float limit_scale) {
    return limit_scale < 1e9f ? limit_scale : 1e9f;
}

static void set_profile(tlw_character* c, uint32_t profile) {
    const uint32_t count = tlw_material_count(&c->blob);
    for (uint32_t i = 0; i < count; ++i) {
        if (profile == 0) {
            const tlw_blob_material* m = &c->blob.materials[i];
            c->materials[i] = (tlw_material){m->stiffness, m->damping, m->anchor_hz, 1.0f};
        } else {
            const tlw_blob_profile_material* m =
                &c->blob.profile_materials[(size_t)(profile - 1) * count + i];
            c->materials[i] = (tlw_material){m->stiffness, m->damping, m->anchor_hz,
                                             limit_within(m->limit_scale)};
        }
    }
}

tlw_result tlw_character_fade_to(tlw_world* world, tlw_character_id id, uint32_t profile,
                                 float seconds) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    // False for a NaN.
    if (profile >= c->blob.lattice->profile_count || !(seconds >= 0.0f && seconds <= FLT_MAX)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    TLW_FLOAT_SCOPE();
    set_profile(c, profile);
    if (seconds > 0.0f) {
        c->fade = (tlw_fade){(double)seconds, 0.0};
        c->still_substeps = 0;
    } else {
        tlw_character_update_gains(c);
    }
    return TLW_OK;
}

// ---- Parameters

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
    for (uint32_t i = 0; i < tlw_material_count(&c->blob); ++i) {
        if ((part == TLW_ALL || i / l->layer_count == part) &&
            (layer == TLW_ALL || i % l->layer_count == layer)) {
            c->materials[i] = *material;
            c->materials[i].limit_scale = limit_within(material->limit_scale);
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
        is_good = is_good && is_between(settings->gravity[i], -1e6f, 1e6f) &&
                  is_between(settings->wind[i], -1e6f, 1e6f);
    }
    is_good = is_good && is_between(settings->wind_drag, 0.0f, 1e6f) &&
              is_between(settings->time_scale, 0.0f, 10.0f);
    if (!is_good) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    if ((settings->skinned_volume && c->blob.bend_count == 0) ||
        (settings->own_limbs && c->blob.lattice->limb_count == 0)) {
        return TLW_ERROR_UNSUPPORTED;
    }
    // Another p_skin: tissue is put on it, not dragged there.
    c->carries_next = c->carries_next || c->settings.skinned_volume != settings->skinned_volume;
    c->settings = *settings;
    if (tlw_character_is_fading(c)) { // it goes on to what the settings make of the materials
        c->still_substeps = 0;
    } else {
        tlw_character_update_gains(c);
    }
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
    tlw_character_set_preset(c, which);
    tlw_character_update_gains(c);
    return TLW_OK;
}
