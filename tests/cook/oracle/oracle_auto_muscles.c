// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 9.13: reads the skeleton and shell voxels, writes four muscles around
// each limb that is long and thick enough.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AUTO_VERTICES 9

// A joint j below p that gets muscles.
typedef struct oracle_limb_bone {
    uint32_t p, j;
    double p_at[3], j_at[3];
    double u[3], v[3]; // directions
    double u_length, v_length;
    double radius; // R
} oracle_limb_bone;

static uint32_t count_children(const oracle_result* result, uint32_t joint) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        count += result->is_kept[j] && result->parent[j] == joint;
    }
    return count;
}

// The mean distance of p's shell voxels beside the middle half of the bone, and a quarter; 0
// without any.
static double limb_radius(const oracle_result* result, const oracle_limb_bone* bone) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->voxel_count; ++i) {
        const oracle_voxel* voxel = &result->voxels[i];
        double centre[3], nearest[3], t;
        if (!voxel->is_shell || voxel->joint != bone->p) {
            continue;
        }
        oracle_centre_of(voxel, centre);
        const double squared =
            oracle_nearest_on_segment(centre, bone->p_at, bone->j_at, nearest, &t);
        if (t >= 0.25 - ORACLE_SLACK && t <= 0.75 + ORACLE_SLACK) {
            sum += sqrt(squared);
            count += 1;
        }
    }
    return count > 0 ? sum / count + 0.25 : 0;
}

static bool find_bone(const oracle_result* result, uint32_t j, oracle_limb_bone* bone) {
    const uint32_t p = result->parent[j];
    if (!result->is_kept[j] || p == ORACLE_NONE || count_children(result, j) > 1 ||
        count_children(result, p) > 1) {
        return false;
    }
    *bone = (oracle_limb_bone){.p = p, .j = j};
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        const oracle_segment* segment = &result->segments[k];
        if (segment->owner == p && segment->child == j) {
            memcpy(bone->p_at, segment->ends[0], sizeof bone->p_at);
            memcpy(bone->j_at, segment->ends[1], sizeof bone->j_at);
        }
        if (segment->owner == j) {
            oracle_add_scaled(segment->ends[1], -1, segment->ends[0], bone->v);
        }
    }
    oracle_add_scaled(bone->j_at, -1, bone->p_at, bone->u);
    bone->u_length = oracle_normalise(bone->u);
    bone->v_length = oracle_normalise(bone->v);
    bone->radius = limb_radius(result, bone);
    return bone->u_length >= 0.08 * result->length - ORACLE_SLACK &&
           bone->v_length >= 0.03 * result->length - ORACLE_SLACK &&
           bone->radius >= 1.2 - ORACLE_SLACK;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; ++k) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

// a_0 to a_3.
static void find_directions(const oracle_limb_bone* bone, double a[4][3]) {
    double turn[3];
    cross(bone->u, bone->v, turn);
    memcpy(a[0], bone->v, sizeof turn);
    if (sqrt(oracle_dot(turn, turn)) < 0.1 - ORACLE_SLACK) {
        int least = 0;
        for (int k = 1; k < 3; ++k) {
            least = fabs(bone->u[k]) < fabs(bone->u[least]) - ORACLE_SLACK ? k : least;
        }
        for (int k = 0; k < 3; ++k) {
            a[0][k] = k == least;
        }
    }
    oracle_take_part(a[0], bone->u);
    oracle_normalise(a[0]);
    cross(bone->u, a[0], a[1]);
    for (int k = 0; k < 3; ++k) {
        a[2][k] = -a[0][k];
        a[3][k] = -a[1][k];
    }
}

// at + along direction + out a
static void place(oracle_cooked_vertex* vertex, const double at[3], double along,
                  const double direction[3], double out, const double a[3]) {
    oracle_add_scaled(at, along, direction, vertex->place);
    oracle_add_scaled(vertex->place, out, a, vertex->place);
}

static void place_vertices(const oracle_limb_bone* bone, const double a[3],
                           oracle_cooked_muscle* m) {
    static const double shares[5] = {0.08, 0.28, 0.46, 0.64, 0.82};
    const double out = 0.6 * bone->radius;
    const double w = fmin(out, fmin(0.1 * bone->u_length, 0.3 * bone->v_length));
    double across[3], between[3];
    memcpy(across, a, sizeof across);
    oracle_take_part(across, bone->v);
    if (oracle_normalise(across) < 1e-9) {
        memcpy(across, a, sizeof across);
    }
    oracle_add_scaled(a, 1, across, between);
    oracle_normalise(between);
    for (int i = 0; i < 5; ++i) {
        place(&m->vertices[i], bone->p_at, shares[i] * bone->u_length, bone->u, out, a);
    }
    place(&m->vertices[5], bone->j_at, -w, bone->u, out, a);
    place(&m->vertices[6], bone->j_at, 0, bone->u, out, between);
    place(&m->vertices[7], bone->j_at, w, bone->v, out, across);
    place(&m->vertices[8], bone->j_at, fmax(0.15 * bone->v_length, 2 * w), bone->v,
          0.54 * bone->radius, across);
}

static void fill_muscle(const oracle_limb_bone* bone, oracle_cooked_muscle* m) {
    static const double radii[AUTO_VERTICES] = {0, 0.8, 1, 1, 0.75, 0.3, 0, 0, 0};
    m->vertex_count = AUTO_VERTICES;
    m->flex_joint = ORACLE_NONE;
    for (uint32_t i = 0; i < AUTO_VERTICES; ++i) {
        oracle_cooked_vertex* vertex = &m->vertices[i];
        vertex->radius = 0.35 * bone->radius * radii[i];
        vertex->is_dynamic = i > 0 && i < AUTO_VERTICES - 1;
        vertex->is_belly = i > 0 && i < 5; // a tendon: the first and the last three of eight
        vertex->joint_count = i == 6 ? 2 : 1;
        vertex->joints[0] = i < 6 ? bone->p : bone->j;
        vertex->weights[0] = i == 6 ? 0.5 : 1;
        if (i == 6) {
            vertex->joints[0] = bone->p < bone->j ? bone->p : bone->j;
            vertex->joints[1] = bone->p < bone->j ? bone->j : bone->p;
            vertex->weights[1] = 0.5;
        }
    }
    m->field_count = 1;
    m->fields[0] = (oracle_muscle_field){.joint = bone->j, .gain = 10};
    for (int k = 0; k < 3; ++k) {
        m->fields[0].centre[k] = bone->j_at[k];
        m->fields[0].radii[k] = 0.54 * bone->radius;
    }
}

// Leaves out what would fold around the joint.
static void unfold(const oracle_limb_bone* bone, oracle_cooked_muscle* m) {
    double across_joint[3], along[3];
    oracle_add_scaled(m->vertices[7].place, -1, m->vertices[5].place, across_joint);
    oracle_add_scaled(bone->u, 1, bone->v, along);
    bool is_folded = oracle_dot(across_joint, along) <= ORACLE_SLACK;
    for (int i = 4; i < 8; ++i) {
        double way[3];
        oracle_add_scaled(m->vertices[i + 1].place, -1, m->vertices[i].place, way);
        is_folded = is_folded || sqrt(oracle_dot(way, way)) < 0.25 - ORACLE_SLACK;
    }
    if (is_folded) { // 0 1 2 3 4 6 8
        m->vertices[5] = m->vertices[6];
        m->vertices[6] = m->vertices[8];
        m->vertex_count = 7;
    }
}

void oracle_add_auto_muscles(oracle_work* work, double bulge) {
    oracle_result* result = work->result;
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        oracle_limb_bone bone;
        if (!find_bone(result, j, &bone)) {
            continue;
        }
        double a[4][3];
        bool is_good = true;
        find_directions(&bone, a);
        for (uint32_t k = 0; k < 4; ++k) {
            oracle_cooked_muscle* m = &result->muscles[result->muscle_count + k];
            *m = (oracle_cooked_muscle){.bulge = bulge};
            fill_muscle(&bone, m);
            place_vertices(&bone, a[k], m);
            unfold(&bone, m);
            const char* name = work->input->joints[j].name;
            if (snprintf(m->name, sizeof m->name, "auto.%s.%u", name, k) >= (int)sizeof m->name) {
                snprintf(m->name, sizeof m->name, "auto.#%u.%u", j, k);
            }
            is_good = oracle_finish_muscle(m) == NULL && is_good;
        }
        result->muscle_count += is_good ? 4 : 0;
    }
}
