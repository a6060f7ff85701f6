// SPDX-License-Identifier: MIT
// Oracle, one substep: MODEL 3.3 to 3.9, stage by stage, but for volume (oracle_volume.c), forces
// (oracle_forces.c), Lame layers (oracle_lame.c) and contact (oracle_contact.c). Reads p_skin, m
// and Rb of this moment, p_skin with m in it (t of MODEL 3.19); writes p, v, R and what the next
// substeps and the output keep of them. Every stage is a Jacobi iteration: it reads the positions
// that the previous stage left and adds all its corrections at its end.
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define STRETCH_K    2.0 // the 2 in the G(2) of stretch
#define BONE_MASS    10.0
#define H_REF        (1.0 / 60.0)
#define SNAP_P       2e-5
#define SNAP_V       2e-3
#define QUIET_DP     5e-5
#define TOWARDS_REST 0.05 // how far a substep starts Q back towards the identity
#define SHORTEST     1e-3 // voxels: pairs that are nearer pull as if they were this far apart

bool oracle_is_bone(const oracle* o, uint32_t voxel) {
    return o->input->layer[voxel] == 0;
}

// G(k) = 1 - exp(-(k/n) (h/h_ref)^2)
double oracle_gain(const oracle_settings* settings, double k) {
    const double share = settings->h / H_REF;
    return 1 - exp(-(k / (double)settings->repeats) * share * share);
}

static oracle_vec bring_within(oracle_vec p, oracle_vec centre, double radius) {
    const oracle_vec away = vec_sub(p, centre);
    const double distance = vec_length(away);
    return distance > radius ? vec_add_scaled(centre, radius / distance, away) : p;
}

static void remember_stage(oracle* o, oracle_stage stage, const oracle_vec* q) {
    memcpy(o->stage[stage], q, o->input->voxel_count * sizeof *q);
}

void oracle_apply(oracle* o, oracle_vec* q, double gain) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (!oracle_is_bone(o, i)) {
            q[i] = vec_add_scaled(q[i], gain, o->work_delta[i]);
        }
    }
}

oracle_vec oracle_velocity(const oracle* o, uint32_t voxel) {
    const oracle_vec relative = vec_sub(o->v[voxel], o->v_skin[voxel]);
    return vec_add_scaled(o->v_skin[voxel], o->share[voxel], relative);
}

void oracle_set_velocity(oracle* o, uint32_t voxel, oracle_vec velocity) {
    const oracle_vec relative = vec_sub(velocity, o->v_skin[voxel]);
    o->v[voxel] = vec_add_scaled(o->v_skin[voxel], 1 / o->share[voxel], relative);
}

// Before a substep is early enough: in between nothing that can be seen depends on the share.
void oracle_follow_materials(oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const double share = oracle_share_of(o, i);
        if (share != o->share[i]) {
            const oracle_vec velocity = oracle_velocity(o, i);
            o->share[i] = share;
            oracle_set_velocity(o, i, velocity);
        }
    }
}

// Whether p or a limit was set since the last substep (MODEL 3.3): what contact pushed beyond its
// limit stays there otherwise.
static bool is_changed(const oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec p = o->p[i], left = o->left_p[i];
        if (p.x != left.x || p.y != left.y || p.z != left.z ||
            o->gains[i].limit != o->left_limit[i]) {
            return true;
        }
    }
    return false;
}

static void remember_left(oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->left_p[i] = o->p[i];
        o->left_limit[i] = o->gains[i].limit;
    }
}

// Predict (MODEL 3.3). Also computes v_skin, which a start needs here and the velocity stage later.
// Whether this substep has limbs or colliders.
static bool may_touch(const oracle* o) {
    bool may = o->settings.own_limbs && o->input->limb_count > 0;
    for (uint32_t i = 0; i < ORACLE_COLLIDERS_MAX; ++i) {
        may = may || (o->colliders[i].is_there &&
                      (o->colliders[i].def.mask & o->settings.collider_mask) != 0);
    }
    return may;
}

static void predict(oracle* o, const oracle_skin* skin, oracle_vec* q) {
    const double h = o->settings.h;
    const bool looks = is_changed(o);
    const double reach = may_touch(o) ? 1.5 : 1; // of d_max: contact may have pushed so far
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->p[i] = vec_sub(o->p[i], skin->root_displacement);
        o->p_skin_prev[i] = vec_sub(o->p_skin_prev[i], skin->root_displacement);
        o->v_skin[i] = vec_scale(vec_sub(skin->p_skin[i], o->p_skin_prev[i]), 1 / h);
        if (o->starts) {
            o->v[i] = vec_add(o->v_skin[i], o->v[i]);
        }
        if (oracle_is_bone(o, i)) {
            o->p[i] = skin->p_skin[i];
            q[i] = skin->p_skin[i];
        } else {
            if (looks) {
                o->p[i] = bring_within(o->p[i], o->p_skin_prev[i], reach * o->gains[i].limit);
            }
            q[i] = vec_add_scaled(o->p[i], h, o->v[i]);
        }
    }
    oracle_apply_forces(o, skin, q);
    o->starts = false;
}

static bool is_in_set(uint32_t neighbours, const int step[3]) {
    const int length = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
    switch (neighbours) {
    case 6:
        return length == 1;
    case 14:
        return length == 1 || length == 3;
    case 18:
        return length == 1 || length == 2;
    case 20:
        return length == 2 || length == 3;
    default:
        return true;
    }
}

// Stretch (MODEL 3.4): q += G(2) mean over neighbours j of -w (l - l0) d/l, d = q_i - q_j,
// l = max(|d|, 1e-3)
static void stretch(oracle* o, oracle_vec* q) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        oracle_vec sum = {0, 0, 0};
        uint32_t count = 0;
        for (uint32_t k = 0; k < 26; ++k) {
            int step[3];
            oracle_link_step(k, step);
            const uint32_t j = o->linked[i][k];
            if (j == ORACLE_NO_VOXEL || !is_in_set(o->input->neighbours, step)) {
                continue;
            }
            count += 1;
            const oracle_vec d = vec_sub(q[i], q[j]);
            const double l = fmax(vec_length(d), SHORTEST);
            const double l0 = vec_length(vec_sub(o->rest[i], o->rest[j]));
            sum = vec_add_scaled(sum, -(oracle_is_bone(o, j) ? 1 : 0.5) * (l - l0) / l, d);
        }
        o->work_delta[i] = count == 0 ? sum : vec_scale(sum, 1 / (double)count);
    }
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (oracle_is_lame(o, i)) {
            o->work_delta[i] = vec(0, 0, 0);
        }
    }
    oracle_apply(o, q, oracle_gain(&o->settings, STRETCH_K));
}

// Newton for the rotation nearest to A (MODEL 3.6): B = R^T A, S = sym B,
// g = (B32-B23, B13-B31, B21-B12), (tr(S) I - S) w = g, R = R exp(w)
oracle_quat oracle_rotation(oracle_quat R, const oracle_mat* A, uint32_t iterations) {
    for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
        const oracle_mat rotated = mat_of_quat(quat_conjugate(R));
        const oracle_mat B = mat_mul(&rotated, A);
        oracle_mat H; // tr(S) I - S
        const double trace = mat_trace(&B);
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                H.m[row][column] =
                    (row == column ? trace : 0) - 0.5 * (B.m[row][column] + B.m[column][row]);
            }
        }
        const oracle_vec g = {B.m[2][1] - B.m[1][2], B.m[0][2] - B.m[2][0], B.m[1][0] - B.m[0][1]};
        const double minor1 = H.m[0][0];
        const double minor2 = H.m[0][0] * H.m[1][1] - H.m[0][1] * H.m[1][0];
        const double minor3 = mat_determinant(&H);
        oracle_vec w;
        if (minor1 > 0 && minor2 > 0 && minor3 > 0 && minor3 > 1e-4 * trace * trace * trace) {
            const oracle_mat inverse = mat_inverse(&H);
            w = mat_apply(&inverse, g);
        } else {
            w = vec_scale(g, 1 / (fabs(trace) + 1e-6));
        }
        R = quat_normalise(quat_mul(R, quat_exp(bring_within(w, vec(0, 0, 0), 1))));
    }
    return R;
}

// A = sum m (q - c)(p0 - c0)^T, c = sum m q / sum m
oracle_mat oracle_region_matrix(const oracle* o, const oracle_vec* q, uint32_t region,
                                oracle_vec* c) {
    const uint32_t first = o->region_first[region], end = o->region_first[region + 1];
    oracle_vec centre = {0, 0, 0};
    double mass = 0;
    for (uint32_t k = first; k < end; ++k) {
        const double m = oracle_is_bone(o, o->region_voxels[k]) ? BONE_MASS : 1;
        centre = vec_add_scaled(centre, m, q[o->region_voxels[k]]);
        mass += m;
    }
    centre = vec_scale(centre, 1 / mass);
    oracle_mat A = {0};
    for (uint32_t k = first; k < end; ++k) {
        const uint32_t j = o->region_voxels[k];
        const double m = oracle_is_bone(o, j) ? BONE_MASS : 1;
        mat_add_outer(&A, m, vec_sub(q[j], centre), vec_sub(o->rest[j], o->region_rest[region]));
    }
    if (c) {
        *c = centre;
    }
    return A;
}

// A voxel's R: its region's, or with width 2 the normalised mean over the regions that hold it,
// each flipped to the side of the voxel's Rb (MODEL 3.6).
static void average_rotations(oracle* o, const oracle_quat* Rb) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (o->input->region_width == 3) {
            o->R[i] = o->region_R[i];
            continue;
        }
        oracle_quat sum = {0, 0, 0, 0};
        for (uint32_t k = o->holding_first[i]; k < o->holding_first[i + 1]; ++k) {
            sum = quat_add(sum, quat_align(o->region_R[o->holding[k]], Rb[i]));
        }
        o->R[i] = o->holding_first[i] == o->holding_first[i + 1] ? Rb[i] : quat_normalise(sum);
    }
}

// R = Rb_now normalise(0.95 Q + 0.05 (1,0,0,0))
static oracle_quat start_rotation(oracle_quat Rb, oracle_quat Q) {
    return quat_mul(Rb, quat_normalise(quat_add(quat_scale(Q, 1 - TOWARDS_REST),
                                                quat_scale(QUAT_IDENTITY, TOWARDS_REST))));
}

// Start rotations of the regions, each from its own Q and Rb (MODEL 3.6).
static void start_rotations(oracle* o, const oracle_quat* Rb) {
    for (uint32_t r = 0; r < o->region_count; ++r) {
        o->region_R[r] = start_rotation(Rb[o->region_guide[r]], o->region_Q[r]);
    }
}

// Regions and goal (MODEL 3.6, 3.7): g_i = mean over regions r holding i of R_r (p0_i - c0_r) +
// c_r, q += G(ks) (g_i - q)
static void match_shapes(oracle* o, const oracle_quat* Rb, oracle_vec* q) {
    for (uint32_t r = 0; r < o->region_count; ++r) {
        o->region_A[r] = oracle_region_matrix(o, q, r, &o->region_c[r]);
        o->region_R[r] = oracle_rotation(o->region_R[r], &o->region_A[r], o->settings.iterations);
    }
    average_rotations(o, Rb);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        oracle_vec sum = {0, 0, 0};
        const uint32_t first = o->holding_first[i], end = o->holding_first[i + 1];
        for (uint32_t k = first; k < end; ++k) {
            const uint32_t r = o->holding[k];
            const oracle_vec arm = vec_sub(o->rest[i], o->region_rest[r]);
            sum = vec_add(sum, vec_add(quat_rotate(o->region_R[r], arm), o->region_c[r]));
        }
        o->goal[i] = first == end ? q[i] : vec_scale(sum, 1 / (double)(end - first));
    }
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (!oracle_is_bone(o, i)) {
            const double gain = o->gains[i].goal;
            q[i] = vec_add_scaled(q[i], gain, vec_sub(o->goal[i], q[i]));
        }
    }
}

// Anchor (MODEL 3.8): q += a (p_skin - q), both without m
static void anchor(oracle* o, const oracle_vec* p_skin, oracle_vec* q) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (!oracle_is_bone(o, i)) {
            const double a = 1 - o->gains[i].anchor;
            q[i] = vec_add_scaled(q[i], a, vec_sub(p_skin[i], q[i]));
        }
    }
}

// Limit (MODEL 3.8): |q - p_skin| <= d_max
static void limit(oracle* o, const oracle_skin* skin, oracle_vec* q) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (!oracle_is_bone(o, i)) {
            q[i] = bring_within(q[i], skin->p_skin[i], o->gains[i].limit);
        }
    }
}

static void snap(double* p, double* v, double p_skin, double v_skin) {
    if (fabs(*p - p_skin) < SNAP_P && fabs(*v - v_skin) < SNAP_V) {
        *p = p_skin;
        *v = v_skin;
    }
}

// Velocity (MODEL 3.9): v = v_skin + kd^(h/0.1) / max(1 - a, 1/2) ((q - p)/h - v_skin), p = q; then
// components that are almost at rest snap to p_skin and v_skin.
static void move(oracle* o, const oracle_skin* skin, const oracle_vec* q) {
    const double h = o->settings.h;
    o->largest_dp = 0;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec target = skin->p_skin[i], v_skin = o->v_skin[i];
        if (oracle_is_bone(o, i)) {
            o->v[i] = v_skin;
            continue;
        }
        const double kept = o->gains[i].kept;
        const oracle_vec dp = vec_sub(q[i], o->p[i]);
        const oracle_vec relative = vec_sub(vec_scale(dp, 1 / h), v_skin);
        const double share = o->touches[i].is_touched ? 1 : o->share[i]; // MODEL 3.15
        oracle_vec v = vec_add_scaled(v_skin, kept / share, relative);
        v = oracle_bound_velocity(o, i, v);
        oracle_vec p = q[i];
        snap(&p.x, &v.x, target.x, v_skin.x);
        snap(&p.y, &v.y, target.y, v_skin.y);
        snap(&p.z, &v.z, target.z, v_skin.z);
        o->largest_dp = fmax(o->largest_dp, vec_length(vec_sub(p, o->p[i])));
        o->p[i] = p;
        o->v[i] = v;
    }
}

static oracle_quat upper(oracle_quat r) {
    return quat_align(r, QUAT_IDENTITY);
}

// Rb^T (p - p_skin), p_skin without m (MODEL 3.19).
static oracle_vec deviation_with_m(const oracle* o, const oracle_skin* skin, uint32_t i) {
    const oracle_vec p_skin = vec_sub(skin->p_skin[i], skin->m[i]);
    return quat_unrotate(skin->Rb[i], vec_sub(o->p[i], p_skin));
}

// Keeps d and Q of the last two substeps, and where the skeleton was.
static void remember(oracle* o, const oracle_skin* skin) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->Rb[i] = skin->Rb[i];
        o->p_skin_prev[i] = skin->p_skin[i];
        o->d0[i] = o->d1[i];
        o->m[i] = skin->m[i];
        o->d1[i] = deviation_with_m(o, skin, i);
        o->Q0[i] = o->Q1[i];
        o->Q1[i] = upper(quat_mul(quat_conjugate(skin->Rb[i]), o->R[i]));
    }
    for (uint32_t r = 0; r < o->region_count; ++r) {
        const oracle_quat Rb = skin->Rb[o->region_guide[r]];
        o->region_Q[r] = upper(quat_mul(quat_conjugate(Rb), o->region_R[r]));
    }
    remember_left(o);
}

static bool is_finite(const oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_quat R = o->R[i];
        if (!vec_is_finite(o->p[i]) || !vec_is_finite(o->v[i]) ||
            !vec_is_finite(o->p_skin_prev[i]) || !number_is_finite(quat_dot(R, R))) {
            return false;
        }
    }
    for (uint32_t r = 0; r < o->region_count; ++r) {
        if (!number_is_finite(quat_dot(o->region_R[r], o->region_R[r]))) {
            return false;
        }
    }
    return true;
}

// The stages from stretch to volume and Lame layers, which see q and p_skin without m.
static void relax(oracle* o, const oracle_skin* skin, oracle_vec* q) {
    const uint32_t n = o->input->voxel_count;
    oracle_vec* p_skin = o->stage[ORACLE_STAGE_LIMIT]; // lent until that stage
    for (uint32_t i = 0; i < n; ++i) {
        q[i] = vec_sub(q[i], skin->m[i]);
        p_skin[i] = vec_sub(skin->p_skin[i], skin->m[i]);
    }
    start_rotations(o, skin->Rb);
    for (uint32_t repeat = 0; repeat < o->settings.repeats; ++repeat) {
        stretch(o, q);
        remember_stage(o, ORACLE_STAGE_STRETCH, q);
        match_shapes(o, skin->Rb, q);
        remember_stage(o, ORACLE_STAGE_GOAL, q);
    }
    anchor(o, p_skin, q);
    remember_stage(o, ORACLE_STAGE_ANCHOR, q);
    oracle_keep_volume(o, q);
    remember_stage(o, ORACLE_STAGE_VOLUME, q);
    oracle_solve_lame(o, skin, p_skin, q);
    remember_stage(o, ORACLE_STAGE_LAME, q);
    for (uint32_t i = 0; i < n; ++i) {
        q[i] = vec_add(q[i], skin->m[i]);
    }
}

void oracle_substep(oracle* o, const oracle_skin* skin) {
    oracle_vec* q = o->stage[ORACLE_STAGE_CONTACT]; // the last stage that moves q
    bool is_still = true;                           // whether the pose is that of the last substep
    for (uint32_t i = 0; i < o->input->voxel_count && is_still; ++i) {
        const oracle_vec before = vec_sub(o->p_skin_prev[i], skin->root_displacement);
        is_still = vec_length(vec_sub(before, skin->p_skin[i])) == 0;
    }
    oracle_update_gains(o);
    predict(o, skin, q);
    remember_stage(o, ORACLE_STAGE_PREDICT, q);
    relax(o, skin, q);
    limit(o, skin, q);
    remember_stage(o, ORACLE_STAGE_LIMIT, q);
    oracle_contact(o, skin, q);
    move(o, skin, q);
    remember(o, skin);
    const bool is_quiet = is_still && o->largest_dp < QUIET_DP && !o->is_fading;
    o->quiet_substeps = is_quiet ? o->quiet_substeps + 1 : 0;
    if (!is_finite(o)) {
        o->broke = true;
        oracle_rest_on(o, skin);
    }
}

// Carried (MODEL 4.3): p = t + Rb e with e = Rb_last^T (p - t) of the last substep, R = Rb Q,
// v = Rb Rb_last^T (v - v_skin), and v_skin = 0.
void oracle_carry(oracle* o, const oracle_skin* skin) {
    oracle_update_gains(o);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec relative = quat_unrotate(o->Rb[i], vec_sub(o->v[i], o->v_skin[i]));
        o->v[i] = quat_rotate(skin->Rb[i], relative);
        o->v_skin[i] = vec(0, 0, 0);
        const oracle_vec e = vec_sub(o->d1[i], quat_unrotate(o->Rb[i], o->m[i]));
        o->p[i] = vec_add(skin->p_skin[i], quat_rotate(skin->Rb[i], e));
        o->R[i] = quat_mul(skin->Rb[i], o->Q1[i]);
    }
    for (uint32_t r = 0; r < o->region_count; ++r) {
        o->region_R[r] = quat_mul(skin->Rb[o->region_guide[r]], o->region_Q[r]);
    }
    o->starts = true;
    o->quiet_substeps = 0;
    remember(o, skin);
    memcpy(o->d0, o->d1, o->input->voxel_count * sizeof *o->d0); // also where m has jumped
    if (!is_finite(o)) {
        o->broke = true;
        oracle_rest_on(o, skin);
    }
}

void oracle_rest_on(oracle* o, const oracle_skin* skin) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->v[i] = o->v_skin[i] = vec(0, 0, 0);
        o->m[i] = skin->m[i];
        o->Q0[i] = o->Q1[i] = QUAT_IDENTITY;
        o->p[i] = o->p_skin_prev[i] = skin->p_skin[i];
        o->R[i] = o->Rb[i] = skin->Rb[i];
        o->d0[i] = o->d1[i] = quat_unrotate(skin->Rb[i], skin->m[i]);
    }
    for (uint32_t r = 0; r < o->region_count; ++r) {
        o->region_Q[r] = QUAT_IDENTITY;
        o->region_R[r] = skin->Rb[o->region_guide[r]];
    }
    oracle_end_fade(o);
    oracle_update_gains(o);
    remember_left(o);
    o->starts = true;
    o->quiet_substeps = 0;
}

double oracle_largest_deviation(const oracle* o) {
    double largest = 0;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        largest = fmax(largest, vec_length(vec_sub(o->p[i], o->p_skin_prev[i])));
    }
    return largest;
}
