// SPDX-License-Identifier: MIT
// Oracle, captured motion (MODEL 4.10): a one-euro filter on the joints of the poses that were set,
// each relative to its parent.
#include "tests/runtime/oracle/oracle_private.h"

#define SPEED_HZ 1.0 // cutoff of the speeds

static const double two_pi = 6.283185307179586476925;

// a(f) = 1/(1 + 1/(2 pi f dt))
static double share_of(double f, double dt) {
    return 1 / (1 + 1 / (two_pi * f * dt));
}

static uint32_t parent_of(const oracle* o, uint32_t joint) {
    return o->input->parent ? o->input->parent[joint] : ORACLE_NO_PARENT;
}

// t = R_p^T (T - T_p), r = R_p^-1 R; joints without a parent as they are.
static void relative_joint(const oracle* o, const oracle_kept_pose* pose, uint32_t joint,
                           oracle_vec* t, oracle_quat* r) {
    const uint32_t parent = parent_of(o, joint);
    const oracle_trs* own = &pose->joints[joint];
    *t = own->translation;
    *r = own->rotation;
    if (parent != ORACLE_NO_PARENT) {
        const oracle_trs* above = &pose->joints[parent];
        *t = quat_unrotate(above->rotation, vec_sub(own->translation, above->translation));
        *r = quat_mul(quat_conjugate(above->rotation), own->rotation);
    }
}

void oracle_start_filter(oracle* o, const oracle_kept_pose* pose) {
    for (uint32_t j = 0; j < o->input->joint_count; ++j) {
        oracle_filter_joint* kept = &o->filter.joints[j];
        *kept = (oracle_filter_joint){0};
        relative_joint(o, pose, j, &kept->t, &kept->r);
    }
}

static void filter_joint(const oracle_filter_def* def, double dt, oracle_vec t, oracle_quat r,
                         oracle_filter_joint* kept) {
    const double a = share_of(SPEED_HZ, dt);
    const oracle_vec behind = vec_sub(t, kept->t);
    kept->w = vec_lerp(kept->w, vec_scale(behind, 1 / dt), a);
    kept->t = vec_add_scaled(
        kept->t, share_of(def->cutoff + def->per_speed * vec_length(kept->w), dt), behind);

    const oracle_quat turn =
        quat_align(quat_mul(quat_conjugate(kept->r), r), QUAT_IDENTITY); // w not negative
    kept->turn = vec_lerp(kept->turn, vec_scale(vec(turn.x, turn.y, turn.z), 2 / dt), a);
    kept->r =
        quat_nlerp(kept->r, r, share_of(def->cutoff + def->per_turn * vec_length(kept->turn), dt));
}

// The joint in model space, from its parent up to the root.
static void compose(const oracle* o, uint32_t joint, oracle_vec* translation,
                    oracle_quat* rotation) {
    const uint32_t parent = parent_of(o, joint);
    *translation = o->filter.joints[joint].t;
    *rotation = o->filter.joints[joint].r;
    if (parent != ORACLE_NO_PARENT) {
        oracle_vec above;
        oracle_quat turned;
        compose(o, parent, &above, &turned);
        *translation = vec_add(above, quat_rotate(turned, *translation));
        *rotation = quat_normalise(quat_mul(turned, *rotation));
    }
}

void oracle_filter_pose(oracle* o, double dt, const oracle_kept_pose* set, oracle_kept_pose* out) {
    for (uint32_t j = 0; j < o->input->joint_count; ++j) {
        oracle_vec t;
        oracle_quat r;
        relative_joint(o, set, j, &t, &r);
        filter_joint(&o->filter.def, dt, t, r, &o->filter.joints[j]);
    }
    for (uint32_t j = 0; j < o->input->joint_count; ++j) {
        compose(o, j, &out->joints[j].translation, &out->joints[j].rotation);
    }
}

void oracle_set_filter(oracle* o, const oracle_filter_def* def) {
    if (def && !o->filter.is_on) {
        oracle_start_filter(o, &o->set);
    }
    o->filter.is_on = def != NULL;
    if (def) {
        o->filter.def = *def;
    }
    o->quiet_substeps = 0;
}
