// SPDX-License-Identifier: MIT
// What forces add to a substep (MODEL 3.17).
#include "runtime/step/forces.h"

#include "runtime/step/matrix.h"

#define TWO_PI 6.28318530717958647693

static double per_voxel_of(const tlw_character* c, const tlw_root* root) {
    return 1.0 / (c->blob.lattice->voxel_metres * (double)root->scale);
}

void tlw_forces_prepare(const tlw_character* c, const tlw_root* root, tlw_substep* substep) {
    const tlw_blob_lattice* l = c->blob.lattice;
    const double per_voxel = per_voxel_of(c, root), h = c->substep_seconds;
    bool has_forces = tlw_forces_has_drags(c) || c->settings.wind_drag > 0.0f;
    for (uint32_t a = 0; a < 3; ++a) {
        const float g0 = l->rest_gravity[(l->lane_axis + a) % 3];
        substep->rest_gravity[a] = (float)(h * h * (double)g0 * per_voxel);
        substep->wind[a] = (float)((double)c->settings.wind[a] * per_voxel);
        has_forces = has_forces || g0 != 0.0f;
    }
    substep->wind_share = (float)(h * (double)c->settings.wind_drag / per_voxel);
    substep->has_forces = has_forces;
    substep->pull_count = 0;
}

bool tlw_forces_has_drags(const tlw_character* c) {
    for (uint32_t i = 0; i < c->drag_capacity; ++i) {
        if (c->drags[i].is_on) {
            return true;
        }
    }
    return false;
}

// The part of a deviation that is beyond its limit is not there for predict.
static double within_limit(const tlw_substep* s, uint32_t slot, double off[3]) {
    const bool may_touch = s->limbs.count + s->colliders.count > 0;
    const double limit = (double)s->gains[slot / TLW_LANES].limit[slot % TLW_LANES] *
                         (may_touch ? (double)TLW_CONTACT_CAP : 1.0);
    const double length2 = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
    return s->may_be_off && length2 > limit * limit ? limit * tlw_inverse_sqrt_of(length2) : 1.0;
}

static void pull_of(const tlw_character* c, const tlw_root* root, const tlw_substep* s,
                    const tlw_drag_state* drag, tlw_pull* out) {
    const uint32_t w = drag->slot / TLW_LANES, lane = drag->slot % TLW_LANES;
    const double per_voxel = per_voxel_of(c, root), h = c->substep_seconds;
    const double angle = TWO_PI * (double)drag->how.hz * h;
    const double gain = 1.0 - tlw_exp_of(-angle * angle);
    double off[3];
    for (int i = 0; i < 3; ++i) {
        off[i] = (double)s->last[w].p[i][lane] - (double)s->pose_last[w].skin[i][lane];
    }
    const double kept = within_limit(s, drag->slot, off);
    for (int i = 0; i < 3; ++i) {
        const double from = (double)s->pose_last[w].skin[i][lane] - (double)s->rebase[i];
        double step = h * (double)s->velocity[w].v[i][lane];
        if (s->is_start) { // v is relative to v_skin
            step += (double)s->pose[w].skin[i][lane] - from;
        }
        const double target = (drag->how.target[i] - root->position[i]) * per_voxel;
        const double by = gain * (target - (from + kept * off[i]) - step);
        out->by[i] = (float)(by < -1e9 ? -1e9 : by > 1e9 ? 1e9 : by); // a NaN stays one
    }
    out->weights = drag->weights;
    out->first_window = drag->first_window;
    out->end_window = drag->end_window;
}

void tlw_forces_pull(const tlw_character* c, const tlw_root* root, tlw_substep* substep) {
    for (uint32_t i = 0; i < c->drag_capacity; ++i) {
        if (c->drags[i].is_on) {
            pull_of(c, root, substep, &c->drags[i], &substep->pulls[substep->pull_count++]);
        }
    }
}
