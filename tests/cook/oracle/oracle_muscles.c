// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 9.12: reads the recipe's muscles and the skeleton, writes muscles with
// all that their lines have at rest.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUSCLES_MAX   1024
#define SEGMENT_LEAST 0.25
#define TENDON_RATIO  20.0
#define PI            3.141592653589793

double oracle_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void oracle_add_scaled(const double a[3], double t, const double b[3], double out[3]) {
    for (int k = 0; k < 3; ++k) {
        out[k] = a[k] + t * b[k];
    }
}

double oracle_normalise(double v[3]) {
    const double length = sqrt(oracle_dot(v, v));
    for (int k = 0; k < 3 && length > 0; ++k) {
        v[k] /= length;
    }
    return length;
}

void oracle_take_part(double v[3], const double direction[3]) {
    oracle_add_scaled(v, -oracle_dot(v, direction), direction, v);
}

// What follows from places, radii and tendons
// -------------------------------------------------------------------------------------------

// Lengths, slack, ratios and arc lengths. A tendon's ratio is set before its length counts.
static const char* measure_segments(oracle_cooked_muscle* m, double directions[][3]) {
    double mean = 0;
    bool has_belly = false;
    m->vertices[0].arc = 0;
    for (uint32_t s = 0; s + 1 < m->vertex_count; ++s) {
        oracle_cooked_vertex *from = &m->vertices[s], *to = &m->vertices[s + 1];
        oracle_add_scaled(to->place, -1, from->place, directions[s]);
        from->length = oracle_normalise(directions[s]);
        if (from->length < SEGMENT_LEAST - ORACLE_SLACK) {
            return "a segment of a muscle is shorter than 0.25 voxel";
        }
        to->arc = from->arc + from->length;
        mean += from->length;
        has_belly = has_belly || from->is_belly;
    }
    if (!has_belly) {
        return "a muscle has no segment that is no tendon";
    }
    mean /= m->vertex_count - 1;
    for (uint32_t s = 0; s + 1 < m->vertex_count; ++s) {
        oracle_cooked_vertex* from = &m->vertices[s];
        const double ratio = from->is_belly ? 1 : TENDON_RATIO;
        from->ratio = ratio * mean / from->length;
        from->slack = from->length * (1 - 0.5 / ratio);
    }
    return NULL;
}

static void make_tangents(oracle_cooked_muscle* m, double directions[][3]) {
    const uint32_t last = m->vertex_count - 1;
    for (uint32_t i = 0; i <= last; ++i) {
        const double* before = directions[i > 0 ? i - 1 : 0];
        const double* after = directions[i < last ? i : last - 1];
        double sum[3];
        oracle_add_scaled(before, 1, after, sum);
        const bool is_sum = oracle_normalise(sum) >= 1e-6;
        memcpy(m->vertices[i].tangent, is_sum ? sum : after, sizeof sum);
    }
}

static void balance(oracle_cooked_muscle* m, double directions[][3]) {
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        double* f = m->vertices[i].balance;
        for (int k = 0; k < 3; ++k) {
            f[k] = 0;
        }
        for (uint32_t s = i > 0 ? i - 1 : 0; s <= i && s + 1 < m->vertex_count; ++s) {
            const oracle_cooked_vertex* v = &m->vertices[s];
            const double g = v->ratio * (v->length - v->slack);
            oracle_add_scaled(f, s < i ? g : -g, directions[s], f);
        }
    }
}

static void share_flex(oracle_cooked_muscle* m) {
    double w[ORACLE_LINE_VERTICES], sum = 0, weighted = 0, begin = -1, end = 0;
    for (uint32_t s = 0; s + 1 < m->vertex_count; ++s) {
        if (m->vertices[s].is_belly) {
            begin = begin < 0 ? m->vertices[s].arc : begin;
            end = m->vertices[s + 1].arc;
        }
    }
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        const double z = (m->vertices[i].arc - begin) / (end - begin);
        const double sine = z > 0 && z < 1 ? sin(PI * z) : 0;
        w[i] = sine * sine * sine * sine;
    }
    for (uint32_t s = 0; s + 1 < m->vertex_count; ++s) {
        const double r0 = m->vertices[s].radius, r1 = m->vertices[s + 1].radius;
        sum += m->vertices[s].length * (r0 * r0 + r1 * r1) / 2;
        weighted += m->vertices[s].length * (r0 * r0 * w[s] + r1 * r1 * w[s + 1]) / 2;
    }
    const double c = weighted / sum;
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        m->vertices[i].flex = 1 - c < 1.0 / 16 ? 0 : (w[i] - c) / (1 - c);
    }
}

const char* oracle_finish_muscle(oracle_cooked_muscle* m) {
    double directions[ORACLE_LINE_VERTICES][3];
    const char* error = measure_segments(m, directions);
    if (error != NULL) {
        return error;
    }
    m->radius = 0;
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        m->radius = fmax(m->radius, m->vertices[i].radius);
    }
    if (!(m->radius > 0)) {
        return "a muscle has no vertex with a radius";
    }
    make_tangents(m, directions);
    balance(m, directions);
    share_flex(m);
    return NULL;
}

// A muscle of the recipe
// -------------------------------------------------------------------------------------------

// The other side: names change sides, and places are reflected along an axis.
typedef struct oracle_mirror {
    bool is_on;
    int axis;
    double twice; // the plane's place along the axis, twice, metres
} oracle_mirror;

static uint32_t joint_named(const oracle_work* work, const oracle_mirror* mirror,
                            const char* name) {
    char other[1024];
    const bool has_side = mirror->is_on && oracle_mirror_name(name, other, sizeof other);
    return oracle_joint_named(work->input, has_side ? other : name);
}

// A place in metres, and its joints.
static const char* find_place(const oracle_work* work, const oracle_mirror* mirror,
                              const tlw_cook_place* given, oracle_cooked_vertex* out) {
    const oracle_result* result = work->result;
    const bool is_on_joint = given->joint != NULL;
    for (uint32_t k = 0; k < (is_on_joint ? 1 : ORACLE_LINE_JOINTS); ++k) {
        const char* name = is_on_joint ? given->joint : given->joints[k];
        if (name == NULL) {
            break;
        }
        out->joints[k] = joint_named(work, mirror, name);
        out->weights[k] = is_on_joint ? 1 : (double)given->weights[k];
        out->joint_count += 1;
        if (out->joints[k] == ORACLE_NONE) {
            return "a joint of a muscle is not in the skeleton";
        }
    }
    const oracle_segment* segment = NULL;
    for (uint32_t k = 0; k < result->segment_count && segment == NULL; ++k) {
        segment = result->segments[k].owner == out->joints[0] ? &result->segments[k] : NULL;
    }
    if (is_on_joint && segment == NULL) {
        return "a joint of a muscle owns no segment";
    }
    for (int a = 0; a < 3; ++a) {
        const bool is_turned = mirror->is_on && mirror->axis == a;
        if (is_on_joint) {
            const double start = segment->ends[0][a], end = segment->ends[1][a];
            const double offset = (is_turned ? -1 : 1) * (double)given->offset[a] / result->s;
            out->place[a] = start + (double)given->along * (end - start) + offset;
        } else {
            const double at = (double)given->at[a];
            out->place[a] = oracle_to_voxels(result, is_turned ? mirror->twice - at : at, a);
        }
    }
    return NULL;
}

// Ascending by joint, with a sum of 1.
static void sort_joints(oracle_cooked_vertex* v) {
    double sum = 0;
    for (uint32_t i = 0; i < v->joint_count; ++i) {
        sum += v->weights[i];
        for (uint32_t k = i; k > 0 && v->joints[k - 1] > v->joints[k]; --k) {
            const uint32_t joint = v->joints[k];
            const double weight = v->weights[k];
            v->joints[k] = v->joints[k - 1], v->weights[k] = v->weights[k - 1];
            v->joints[k - 1] = joint, v->weights[k - 1] = weight;
        }
    }
    for (uint32_t i = 0; i < v->joint_count; ++i) {
        v->weights[i] /= sum;
    }
}

static const char* add_vertices(const oracle_work* work, const oracle_mirror* mirror,
                                const tlw_cook_muscle* given, oracle_cooked_muscle* m) {
    const double s = work->result->s;
    for (uint32_t i = 0; i < given->vertex_count; ++i) {
        const tlw_cook_line_vertex* from = &given->line[i];
        oracle_cooked_vertex* to = &m->vertices[i];
        const bool is_end = i == 0 || i + 1 == given->vertex_count;
        const char* error = find_place(work, mirror, &from->place, to);
        if (error != NULL) {
            return error;
        }
        sort_joints(to);
        const double share = from->radius < 0 ? (is_end ? 0 : 1) : (double)from->radius;
        to->radius = share * (double)given->radius / s;
        to->is_dynamic = from->is_dynamic < 0 ? !is_end : from->is_dynamic != 0;
        to->is_belly = i + 1 < given->vertex_count;
    }
    for (uint32_t k = 0; k < given->tendon_count; ++k) {
        m->vertices[given->tendons[k]].is_belly = false;
    }
    return NULL;
}

static const char* add_fields(const oracle_work* work, const oracle_mirror* mirror,
                              const tlw_cook_muscle* given, oracle_cooked_muscle* m) {
    for (uint32_t i = 0; i < given->field_count; ++i) {
        const tlw_cook_muscle_field* from = &given->fields[i];
        oracle_muscle_field* to = &m->fields[i];
        oracle_cooked_vertex at = {.joint_count = 0};
        const char* error = find_place(work, mirror, &from->place, &at);
        if (error != NULL) {
            return error;
        }
        to->joint = at.joints[0];
        to->gain = (double)from->gain;
        to->reach = from->attracts ? (double)from->reach : 0;
        for (int a = 0; a < 3; ++a) {
            to->centre[a] = at.place[a];
            to->radii[a] = (double)from->radii[a] / work->result->s;
        }
    }
    m->field_count = given->field_count;
    return NULL;
}

static const char* add_muscle(oracle_work* work, const tlw_cook_muscle* given,
                              const oracle_mirror* mirror) {
    oracle_result* result = work->result;
    if (result->muscle_count == MUSCLES_MAX || given->vertex_count < 3 ||
        given->vertex_count > ORACLE_LINE_VERTICES || given->field_count > ORACLE_LINE_FIELDS) {
        return "too many muscles, vertices or fields, or too few vertices";
    }
    oracle_cooked_muscle* m = &result->muscles[result->muscle_count++];
    *m = (oracle_cooked_muscle){.bulge = (double)given->bulge,
                                .vertex_count = given->vertex_count,
                                .flex_joint = ORACLE_NONE};
    if (!mirror->is_on) {
        snprintf(m->name, sizeof m->name, "%s", given->name);
    } else if (!oracle_mirror_name(given->name, m->name, sizeof m->name)) {
        return "a mirrored muscle has no side in its name";
    }
    if (given->flex_joint != NULL) {
        m->flex_joint = joint_named(work, mirror, given->flex_joint);
        m->flex_from = (double)given->flex_from;
        m->flex_to = (double)given->flex_to;
    }
    const char* error = add_vertices(work, mirror, given, m);
    if (error == NULL) {
        error = add_fields(work, mirror, given, m);
    }
    return error != NULL ? error : oracle_finish_muscle(m);
}

// Takes the mirror plane from a joint, if it has a partner.
static bool find_plane(const oracle_work* work, const char* name, oracle_mirror* mirror) {
    char other[1024];
    if (name == NULL || !oracle_mirror_name(name, other, sizeof other)) {
        return false;
    }
    const uint32_t a = oracle_joint_named(work->input, name);
    const uint32_t b = oracle_joint_named(work->input, other);
    if (a == ORACLE_NONE || b == ORACLE_NONE) {
        return false;
    }
    const double *from = &work->input->joints[a].bind[12], *to = &work->input->joints[b].bind[12];
    double farthest = -1;
    for (int k = 0; k < 3; ++k) {
        const double apart = fabs(from[k] - to[k]) / work->result->s;
        if (apart > farthest + ORACLE_SLACK) {
            farthest = apart;
            mirror->axis = k;
        }
    }
    mirror->twice = from[mirror->axis] + to[mirror->axis];
    mirror->is_on = true;
    return true;
}

static bool find_plane_of_place(const oracle_work* work, const tlw_cook_place* place,
                                oracle_mirror* mirror) {
    if (place->joint != NULL) {
        return find_plane(work, place->joint, mirror);
    }
    for (uint32_t k = 0; k < ORACLE_LINE_JOINTS && place->joints[k] != NULL; ++k) {
        if (find_plane(work, place->joints[k], mirror)) {
            return true;
        }
    }
    return false;
}

static const char* add_mirrored(oracle_work* work, const tlw_cook_muscle* given) {
    oracle_mirror mirror = {.is_on = false};
    for (uint32_t i = 0; i < given->vertex_count && !mirror.is_on; ++i) {
        find_plane_of_place(work, &given->line[i].place, &mirror);
    }
    for (uint32_t i = 0; i < given->field_count && !mirror.is_on; ++i) {
        find_plane_of_place(work, &given->fields[i].place, &mirror);
    }
    if (!mirror.is_on && !find_plane(work, given->flex_joint, &mirror)) {
        return "no joint of a mirrored muscle has a partner";
    }
    return add_muscle(work, given, &mirror);
}

const char* oracle_make_muscles(oracle_work* work) {
    static const oracle_mirror none = {.is_on = false};
    const tlw_cook_recipe* recipe = work->recipe;
    if (recipe->muscle_count == 0) {
        return NULL;
    }
    const char* error = NULL;
    work->result->muscles = oracle_allocate(MUSCLES_MAX, sizeof *work->result->muscles);
    for (uint32_t i = 0; i < recipe->muscle_count && error == NULL; ++i) {
        const tlw_cook_muscle* given = &recipe->muscles[i];
        if (given->name == NULL) {
            oracle_add_auto_muscles(work, (double)given->bulge);
            continue;
        }
        error = add_muscle(work, given, &none);
        if (error == NULL && given->is_mirrored) {
            error = add_mirrored(work, given);
        }
    }
    return error;
}
