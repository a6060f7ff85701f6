// SPDX-License-Identifier: MIT
// Oracle, gains and fades (MODEL 3.10, 3.14): what the materials of a voxel come to in a substep,
// and how the gains of one set of materials become those of another.
#include "tests/runtime/oracle/oracle_private.h"

#define LEAST_SHARE 0.5  // bounds what velocity makes up for the anchor (MODEL 3.9)
#define TIME_SLACK  1e-6 // of h: a substep that ends this near to the end of a fade ends it

static const double two_pi = 6.283185307179586476925;

// ks, kd, f_a or limit scale of a voxel, which may have two materials (MODEL 3.10).
static double blended(const oracle* o, const double* of_materials, uint32_t voxel) {
    const double own = of_materials[o->input->material[voxel]];
    if (o->input->second == NULL) {
        return own;
    }
    const double b = o->input->second_share[voxel];
    return (1 - b) * own + b * of_materials[o->input->second[voxel]];
}

oracle_gains oracle_material_gains(const oracle* o, uint32_t voxel) {
    const oracle_settings* s = &o->settings;
    const double painted = o->input->stiffness ? o->input->stiffness[voxel] : 1;
    const double ks = painted * blended(o, s->ks, voxel) * o->input->stiffness_scale;
    const double angle = two_pi * blended(o, s->anchors, voxel) * s->h;
    const double scale = s->limit_scales ? blended(o, s->limit_scales, voxel) : s->limit_scale;
    const bool is_lame = oracle_is_lame(o, voxel); // MODEL 3.20: no goal, no anchor
    return (oracle_gains){.goal = is_lame ? 0 : oracle_gain(s, ks),
                          .anchor = is_lame ? 1 : exp(-angle * angle),
                          .kept = pow(blended(o, s->kd, voxel), s->h / 0.1),
                          .limit = s->is_limit_off ? HUGE_VAL : o->input->limit[voxel] * scale};
}

oracle_gains oracle_gains_of(const oracle* o, uint32_t voxel) {
    return o->is_fading ? o->gains[voxel] : oracle_material_gains(o, voxel);
}

double oracle_anchor(const oracle* o, uint32_t voxel) {
    return 1 - oracle_gains_of(o, voxel).anchor;
}

double oracle_share_of(const oracle* o, uint32_t voxel) {
    return oracle_is_bone(o, voxel) ? 1 : fmax(oracle_gains_of(o, voxel).anchor, LEAST_SHARE);
}

void oracle_begin_fade(oracle* o, double seconds) {
    oracle_follow_materials(o); // what changed before the fade changed at once
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->gains[i] = oracle_gains_of(o, i);
    }
    o->is_fading = seconds > 0;
    o->fade_seconds = seconds;
    o->fade_substeps = 0;
}

void oracle_end_fade(oracle* o) {
    o->is_fading = false;
}

// No limit stays none: infinity has no share that could be taken.
static void move_towards(double* x, double target, double share) {
    *x = *x == target ? target : *x + share * (target - *x);
}

// x += (1 - exp(-h/tau)) (target - x), tau = seconds/3. v is left alone: only the share that it
// counts with changes.
static void advance_fade(oracle* o) {
    const double h = o->settings.h;
    const double share = 1 - exp(-h / (o->fade_seconds / 3));
    o->fade_substeps += 1;
    o->is_fading = o->fade_substeps * h < o->fade_seconds - TIME_SLACK * h;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (o->is_fading) {
            const oracle_gains target = oracle_material_gains(o, i);
            move_towards(&o->gains[i].goal, target.goal, share);
            move_towards(&o->gains[i].anchor, target.anchor, share);
            move_towards(&o->gains[i].kept, target.kept, share);
            move_towards(&o->gains[i].limit, target.limit, share);
        }
        o->share[i] = oracle_share_of(o, i);
    }
}

void oracle_update_gains(oracle* o) {
    if (o->is_fading) {
        advance_fade(o);
    } else {
        oracle_follow_materials(o);
    }
    for (uint32_t i = 0; i < o->input->voxel_count && !o->is_fading; ++i) {
        o->gains[i] = oracle_material_gains(o, i);
    }
}
