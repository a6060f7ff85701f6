// SPDX-License-Identifier: MIT
// Oracle, space and time (MODEL 3.2, 4 without 4.10, and 5.1): keeps and interpolates poses, skins
// voxels, counts substeps, handles jumps, dropped time, resets and teleports, and writes the output
// at this frame's pose.
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

// A substep is due when the accumulator is within this share of h of it (MODEL 4.2).
#define DUE_SLACK 1e-6
// A longer dt counts as this one: its time is dropped in any case, and sums stay finite.
#define LONGEST_DT 1e6

static oracle_vec matrix_column(const double m[16], int c) {
    return vec(m[4 * c], m[4 * c + 1], m[4 * c + 2]);
}

// MODEL 4.1: the axes are x, then y made perpendicular to it, then z = x cross y. The remainder is
// upper triangular: its diagonal is the scale, negative in z for a mirrored matrix, the rest the
// shear.
bool oracle_decompose(const double matrix[16], oracle_trs* trs) {
    for (int k = 0; k < 16; ++k) {
        if (!number_is_finite(matrix[k])) {
            return false;
        }
    }
    const oracle_vec a = matrix_column(matrix, 0), b = matrix_column(matrix, 1),
                     c = matrix_column(matrix, 2);
    const double volume = vec_dot(vec_cross(a, b), c);
    if (!number_is_finite(volume) || volume == 0) {
        return false;
    }
    const oracle_vec x = vec_scale(a, 1 / vec_length(a));
    oracle_vec y = vec_add_scaled(b, -vec_dot(b, x), x);
    y = vec_scale(y, 1 / vec_length(y));
    const oracle_vec z = vec_cross(x, y);
    const oracle_mat axes = mat_of_columns(x, y, z);
    trs->translation = matrix_column(matrix, 3);
    trs->rotation = quat_of_mat(&axes);
    trs->scale = vec(vec_dot(a, x), vec_dot(b, y), vec_dot(c, z));
    trs->shear = vec(vec_dot(b, x), vec_dot(c, x), vec_dot(c, y));
    return vec_is_finite(trs->scale) && vec_is_finite(trs->shear) &&
           number_is_finite(quat_dot(trs->rotation, trs->rotation));
}

static void multiply(const double a[16], const double b[16], double product[16]) {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) {
                sum += a[4 * k + row] * b[4 * column + k];
            }
            product[4 * column + row] = sum;
        }
    }
}

static bool is_sound(const oracle_trs* joint) {
    const double length = quat_dot(joint->rotation, joint->rotation);
    return vec_is_finite(joint->translation) && vec_is_finite(joint->scale) &&
           vec_is_finite(joint->shear) && number_is_finite(length) && length > 0 &&
           joint->scale.x * joint->scale.y * joint->scale.z != 0;
}

bool oracle_keep_pose(const oracle* o, const oracle_pose* pose, oracle_kept_pose* kept) {
    const oracle_quat root = quat_of(pose->root_rotation);
    const double length = quat_dot(root, root);
    if (!vec_is_finite(vec_of(pose->root_position)) || !number_is_finite(length) || length <= 0 ||
        !number_is_finite(pose->root_scale) || pose->root_scale <= 0) {
        return false;
    }
    for (uint32_t j = 0; j < o->input->joint_count; ++j) {
        oracle_trs* joint = &kept->joints[j];
        if (pose->kind == ORACLE_POSE_TRS) {
            *joint = pose->trs[j];
        } else if (pose->kind == ORACLE_POSE_MATRICES) {
            if (!oracle_decompose(pose->matrices[j], joint)) {
                return false;
            }
        } else {
            double matrix[16]; // interpolated as joints, not as skinning matrices
            multiply(pose->matrices[j], o->input->bind[j], matrix);
            if (!oracle_decompose(matrix, joint)) {
                return false;
            }
        }
        if (!is_sound(joint)) {
            return false;
        }
        joint->rotation = quat_normalise(joint->rotation);
    }
    memcpy(kept->root_position, pose->root_position, sizeof kept->root_position);
    kept->root_rotation = quat_normalise(root);
    kept->root_scale = pose->root_scale;
    return true;
}

static void copy_pose(const oracle* o, oracle_kept_pose* to, const oracle_kept_pose* from) {
    oracle_trs* joints = to->joints;
    memcpy(joints, from->joints, o->input->joint_count * sizeof *joints);
    *to = *from;
    to->joints = joints;
}

// lerp for translations, scales and shears, nlerp for rotations; the root likewise.
void oracle_interpolate(const oracle* o, const oracle_kept_pose* a, const oracle_kept_pose* b,
                        double t, oracle_kept_pose* between) {
    for (uint32_t j = 0; j < o->input->joint_count; ++j) {
        const oracle_trs *x = &a->joints[j], *y = &b->joints[j];
        between->joints[j] = (oracle_trs){
            vec_lerp(x->translation, y->translation, t), quat_nlerp(x->rotation, y->rotation, t),
            vec_lerp(x->scale, y->scale, t), vec_lerp(x->shear, y->shear, t)};
    }
    for (int k = 0; k < 3; ++k) {
        const double moved = b->root_position[k] - a->root_position[k];
        between->root_position[k] = t == 1 ? b->root_position[k] : a->root_position[k] + t * moved;
    }
    between->root_rotation = quat_nlerp(a->root_rotation, b->root_rotation, t);
    between->root_scale = (1 - t) * a->root_scale + t * b->root_scale;
}

oracle_mat oracle_stretch_of(const oracle_trs* trs) {
    return (oracle_mat){{{trs->scale.x, trs->shear.x, trs->shear.y},
                         {0, trs->scale.y, trs->shear.z},
                         {0, 0, trs->scale.z}}};
}

oracle_quat oracle_joint_rotation(const oracle* o, const oracle_kept_pose* pose, uint32_t joint) {
    const oracle_quat unbind = quat_conjugate(o->joints[joint].bind_rotation);
    return quat_mul(pose->root_rotation, quat_mul(pose->joints[joint].rotation, unbind));
}

uint32_t oracle_largest_weight(const double* weight, uint32_t count) {
    uint32_t largest = 0;
    for (uint32_t k = 1; k < count; ++k) {
        largest = weight[k] > weight[largest] ? k : largest;
    }
    return largest;
}

// A place in voxels from the grid's lowest corner, in model space and metres.
static oracle_vec in_model(const oracle* o, oracle_vec rest) {
    return vec_add_scaled(vec_of(o->input->origin), o->input->voxel_metres, rest);
}

// By dual quaternions if the input says so.
oracle_vec oracle_skin_point(const oracle* o, const oracle_kept_pose* pose, oracle_vec rest,
                             const uint32_t* joint, const double* weight, uint32_t count,
                             oracle_mat* blended) {
    if (o->input->skinning == ORACLE_SKINNING_DUAL) {
        return oracle_skin_point_dual(o, pose, in_model(o, rest), joint, weight, count, blended);
    }
    return oracle_blend_point(o, pose, rest, joint, weight, count, blended);
}

// Linear blend skinning: root rotation * sum w_j joint_j bind_j^-1 x0, in voxels. `blended`
// receives the linear part.
oracle_vec oracle_blend_point(const oracle* o, const oracle_kept_pose* pose, oracle_vec rest,
                              const uint32_t* joint, const double* weight, uint32_t count,
                              oracle_mat* blended) {
    const oracle_vec x0 = in_model(o, rest);
    oracle_mat linear = {0};
    oracle_vec x = {0, 0, 0};
    for (uint32_t k = 0; k < count; ++k) {
        if (weight[k] == 0) {
            continue;
        }
        const struct oracle_joint* bind = &o->joints[joint[k]];
        const oracle_trs* trs = &pose->joints[joint[k]];
        const oracle_vec local = vec_add(mat_apply(&bind->unbind, x0), bind->unbind_move);
        const oracle_mat stretch = oracle_stretch_of(trs);
        const oracle_vec moved =
            vec_add(quat_rotate(trs->rotation, mat_apply(&stretch, local)), trs->translation);
        x = vec_add_scaled(x, weight[k], moved);
        if (blended) {
            const oracle_mat rotation = mat_of_quat(trs->rotation);
            const oracle_mat stretched_unbind = mat_mul(&stretch, &bind->unbind);
            const oracle_mat skinning = mat_mul(&rotation, &stretched_unbind);
            mat_add_scaled(&linear, weight[k], &skinning);
        }
    }
    if (blended) {
        const oracle_mat root = mat_of_quat(pose->root_rotation);
        *blended = mat_mul(&root, &linear);
    }
    return quat_rotate(pose->root_rotation, vec_scale(x, 1 / o->input->voxel_metres));
}

oracle_quat oracle_blend_rotations(const oracle* o, const oracle_kept_pose* pose,
                                   const uint32_t joint[4], const double weight[4]) {
    const uint32_t largest = oracle_largest_weight(weight, 4);
    oracle_quat rotation[4], sum = {0, 0, 0, 0};
    for (uint32_t k = 0; k < 4; ++k) {
        if (weight[k] > 0) {
            rotation[k] = oracle_joint_rotation(o, pose, joint[k]);
        }
    }
    for (uint32_t k = 0; k < 4; ++k) {
        if (weight[k] > 0) {
            sum = quat_add(sum, quat_scale(quat_align(rotation[k], rotation[largest]), weight[k]));
        }
    }
    return quat_normalise(sum);
}

// Skin (MODEL 3.2).
void oracle_skin_voxels(const oracle* o, const oracle_kept_pose* pose, oracle_vec* p_skin,
                        oracle_quat* Rb) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const uint32_t* joint = o->input->joint[i];
        const double* weight = o->input->weight[i];
        p_skin[i] = oracle_skin_point(o, pose, o->rest[i], joint, weight, 4, NULL);
        Rb[i] = oracle_blend_rotations(o, pose, joint, weight);
    }
}

// Displacements of the root are divided by voxel size times current scale; its position never is.
static oracle_vec root_displacement(const oracle* o, const double from[3],
                                    const oracle_kept_pose* to) {
    const double voxel = o->input->voxel_metres * to->root_scale;
    return vec_scale(vec_sub(vec_of(to->root_position), vec_of(from)), 1 / voxel);
}

typedef enum substep_kind { SUBSTEP_ORDINARY, SUBSTEP_CARRIED, SUBSTEP_REST } substep_kind;

// Lines of muscles, m, and t = p_skin + m (MODEL 3.18, 3.19). `p_skin` receives t.
static void stand(oracle* o, const oracle_kept_pose* pose, oracle_vec displacement, bool is_at_rest,
                  oracle_vec* p_skin) {
    if (o->input->muscle_count == 0) {
        return;
    }
    oracle_move_lines(o, pose, displacement, is_at_rest);
    oracle_displace(o, o->work_Rb, o->work_m);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        p_skin[i] = vec_add(p_skin[i], o->work_m[i]);
    }
}

// `share` is how far the moment lies between the last call and this one.
static void run_substep(oracle* o, const oracle_kept_pose* pose, double share, substep_kind kind) {
    const oracle_vec displacement = root_displacement(o, o->root_at_substep, pose);
    oracle_skin_voxels(o, pose, o->work_p, o->work_Rb);
    oracle_correct_skin(o, pose, o->work_p, o->work_Rb);
    stand(o, pose, displacement, kind != SUBSTEP_ORDINARY, o->work_p);
    const oracle_skin skin = {o->work_p,    o->work_m,        o->work_Rb,
                              displacement, pose->root_scale, pose->root_position};
    oracle_place_shapes(o, pose, skin.root_displacement, share, kind == SUBSTEP_ORDINARY);
    if (kind == SUBSTEP_ORDINARY) {
        oracle_substep(o, &skin);
    } else if (kind == SUBSTEP_CARRIED) {
        oracle_carry(o, &skin);
    } else {
        oracle_rest_on(o, &skin);
    }
    memcpy(o->root_at_substep, pose->root_position, sizeof o->root_at_substep);
    o->scale_at_substep = pose->root_scale;
}

// MODEL 5.1: p = p_skin(now) + Rb(now) lerp(d0, d1, s),  R = Rb(now) nlerp(Q0, Q1, s),
// s = 1 - (lag - accumulator)/h
void oracle_output(oracle* o) {
    const double s = 1 - (o->lag - o->accumulator) / o->settings.h;
    oracle_skin_voxels(o, &o->last, o->out_plain, o->out_Rb);
    memcpy(o->out_p_skin, o->out_plain, o->input->voxel_count * sizeof *o->out_plain);
    oracle_correct_skin(o, &o->last, o->out_p_skin, o->out_Rb);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_vec d = vec_lerp(o->d0[i], o->d1[i], s);
        o->out_p[i] = vec_add(o->out_p_skin[i], quat_rotate(o->out_Rb[i], d));
        o->out_R[i] = quat_mul(o->out_Rb[i], quat_nlerp(o->Q0[i], o->Q1[i], s));
        o->last_p_skin[i] = o->out_plain[i];
    }
}

bool oracle_set_pose(oracle* o, const oracle_pose* pose) {
    if (!oracle_keep_pose(o, pose, &o->between)) {
        o->has_bad_pose = true;
        return false;
    }
    copy_pose(o, &o->now, &o->between);
    copy_pose(o, &o->set, &o->between);
    o->has_new_pose = true;
    return true;
}

// MODEL 4.3: by the root, or by a voxel relative to it.
static bool jumps(const oracle* o, double dt) {
    const double L = o->input->extent_voxels;
    const oracle_vec moved = root_displacement(o, o->last.root_position, &o->now);
    if (vec_length(moved) > 0.25 * L * fmax(1, 60 * dt)) {
        return true;
    }
    oracle_skin_voxels(o, &o->now, o->work_p, o->work_Rb);
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        if (vec_length(vec_sub(o->work_p[i], o->last_p_skin[i])) > 0.20 * L * fmax(1, 24 * dt)) {
            return true;
        }
    }
    return false;
}

// A substep a number of seconds before this call's pose, between the last call's and this one's.
static void run_before(oracle* o, double seconds, double dt, substep_kind kind) {
    const double t = fmax(0, 1 - seconds / dt);
    oracle_interpolate(o, &o->last, &o->now, t, &o->between);
    run_substep(o, &o->between, t, kind);
}

// MODEL 4.10: the filtered joints of the pose that was set become this call's, unless it jumps.
static void filter_call(oracle* o, double dt, bool jumped) {
    copy_pose(o, &o->now, &o->set);
    if (!o->filter.is_on) {
        return;
    }
    if (jumped) {
        oracle_start_filter(o, &o->set);
    } else {
        oracle_filter_pose(o, dt, &o->set, &o->now);
    }
}

static bool is_same_pose(const oracle* o, const oracle_kept_pose* a, const oracle_kept_pose* b) {
    return memcmp(a->joints, b->joints, o->input->joint_count * sizeof *a->joints) == 0 &&
           memcmp(a->root_position, b->root_position, sizeof a->root_position) == 0 &&
           memcmp(&a->root_rotation, &b->root_rotation, sizeof a->root_rotation) == 0 &&
           a->root_scale == b->root_scale;
}

static void end_call(oracle* o) {
    copy_pose(o, &o->last, &o->now);
    oracle_end_call_of_colliders(o);
    o->has_new_pose = o->has_bad_pose = false;
    oracle_output(o);
}

unsigned oracle_step(oracle* o, double dt, bool jump) {
    const double h = o->settings.h;
    o->substep_count = o->carried_count = 0;
    if (!(dt > 0) || !number_is_finite(dt)) {
        return ORACLE_BAD_DT;
    }
    unsigned flags = o->has_bad_pose ? ORACLE_BAD_POSE : 0;
    o->broke = false;
    copy_pose(o, &o->now, &o->set);
    const bool jumped = jump || jumps(o, dt); // by the caller's dt and the pose before the filter
    flags |= jumped ? ORACLE_JUMPED : 0;
    filter_call(o, dt, jumped);
    o->carries_next = o->carries_next || o->settings.skinned_volume != o->had_skinned_volume;
    o->had_skinned_volume = o->settings.skinned_volume;
    dt *= o->settings.time_scale; // MODEL 4.9
    if (dt == 0) {
        o->carries_next = o->carries_next || jumped || !is_same_pose(o, &o->last, &o->now);
        for (uint32_t i = 0; i < ORACLE_COLLIDERS_MAX; ++i) { // no sweep when time goes on
            o->colliders[i].before = o->colliders[i].now;
        }
        end_call(o);
        return flags;
    }

    // Substeps are counted back from this call's pose: the last one lies the new accumulator before
    // it, the others h apart.
    const double elapsed = o->accumulator + fmin(dt, LONGEST_DT);
    const double due = floor(elapsed / h + DUE_SLACK);
    const double most = fmax(ORACLE_SUBSTEPS_MAX, floor(0.1 / h + 0.5)); // MODEL 4.4
    const bool drops = due > most;
    const uint32_t count = (uint32_t)fmin(due, most);
    o->accumulator = fmax(0, elapsed - due * h);
    o->lag = fmax(o->accumulator, fmin(o->lag, h) - 0.05 * dt);
    flags |= drops ? ORACLE_DROPPED_TIME : 0;
    if (count > 0) {
        memset(o->deepest, 0, sizeof o->deepest);
    }

    if (jumped) {
        for (uint32_t s = 0; s < count; ++s) {
            run_substep(o, &o->now, 1, SUBSTEP_CARRIED);
        }
        o->carried_count = count;
        o->carries_next = true;
    } else {
        if (drops) {
            run_before(o, o->accumulator + count * h, dt, SUBSTEP_CARRIED);
            o->carries_next = false;
        }
        for (uint32_t s = 0; s < count; ++s) {
            run_before(o, o->accumulator + (count - 1 - s) * h, dt,
                       o->carries_next ? SUBSTEP_CARRIED : SUBSTEP_ORDINARY);
            o->carried_count += o->carries_next;
            o->carries_next = false;
        }
    }
    o->substep_count = count;
    end_call(o);
    return flags | (o->broke ? ORACLE_BROKE : 0);
}

void oracle_reset(oracle* o) {
    o->had_skinned_volume = o->settings.skinned_volume;
    if (o->filter.is_on) {
        if (!o->has_new_pose) { // the last call's pose as it was set
            copy_pose(o, &o->last, &o->set);
            copy_pose(o, &o->now, &o->set);
        }
        oracle_start_filter(o, &o->last);
    }
    run_substep(o, &o->last, 0, SUBSTEP_REST);
    o->accumulator = o->lag = 0;
    o->carries_next = false;
    oracle_output(o);
}

// x -> new + rotation (x - old), where old is the last call's root.
void oracle_teleport(oracle* o, const double root_position[3], const double root_rotation[4]) {
    const oracle_quat to = quat_normalise(quat_of(root_rotation));
    const oracle_quat rotation = quat_mul(to, quat_conjugate(o->last.root_rotation));
    const oracle_vec behind =
        quat_rotate(rotation, vec_sub(vec_of(o->root_at_substep), vec_of(o->last.root_position)));
    o->root_at_substep[0] = root_position[0] + behind.x;
    o->root_at_substep[1] = root_position[1] + behind.y;
    o->root_at_substep[2] = root_position[2] + behind.z;
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        o->p[i] = quat_rotate(rotation, o->p[i]);
        o->left_p[i] = quat_rotate(rotation, o->left_p[i]);
        o->v[i] = quat_rotate(rotation, o->v[i]);
        o->p_skin_prev[i] = quat_rotate(rotation, o->p_skin_prev[i]);
        o->v_skin[i] = quat_rotate(rotation, o->v_skin[i]);
        o->Rb[i] = quat_mul(rotation, o->Rb[i]);
        o->R[i] = quat_mul(rotation, o->R[i]);
        o->m[i] = quat_rotate(rotation, o->m[i]);
    }
    for (uint32_t k = 0; k < o->input->muscle_count; ++k) {
        oracle_muscle* muscle = &o->muscles[k];
        for (uint32_t i = 0; i < o->input->muscles[k].vertex_count; ++i) {
            muscle->x[i] = quat_rotate(rotation, muscle->x[i]);
            muscle->v[i] = quat_rotate(rotation, muscle->v[i]);
            muscle->b[i] = quat_rotate(rotation, muscle->b[i]);
            muscle->Rb[i] = quat_mul(rotation, muscle->Rb[i]);
        }
    }
    for (uint32_t r = 0; r < o->region_count; ++r) {
        o->region_R[r] = quat_mul(rotation, o->region_R[r]);
    }
    for (uint32_t l = 0; l < o->input->limb_count; ++l) {
        oracle_shape* limb = &o->limb[l];
        limb->centre = quat_rotate(rotation, limb->centre);
        limb->ends[0] = quat_rotate(rotation, limb->ends[0]);
        limb->ends[1] = quat_rotate(rotation, limb->ends[1]);
        limb->rotation = quat_mul(rotation, limb->rotation);
    }
    memcpy(o->last.root_position, root_position, sizeof o->last.root_position);
    o->last.root_rotation = to;
    if (!o->has_new_pose) {
        memcpy(o->set.root_position, root_position, sizeof o->set.root_position);
        o->set.root_rotation = to;
        copy_pose(o, &o->now, &o->last);
    }
    oracle_output(o);
}
