// SPDX-License-Identifier: MIT
// Part of the stage muscles (RULES 9.13): automatic muscles, four around every joint that looks
// like an elbow or a knee. Reads cook->skeleton, cook->weights, cook->anatomy and the grid; adds to
// cook->muscles.
#include "tools/cook/limbs.h"
#include "tools/cook/muscles.h"
#include "tools/cook/vectors.h"

#include <stdio.h>
#include <string.h>

#define UPPER_LEAST      0.08 // of L
#define LOWER_LEAST      0.03
#define LIMB_LEAST       1.2 // voxels
#define MIDDLE_BEGIN     0.25
#define MIDDLE_END       0.75
#define SHELL_DEPTH      0.25 // voxels from a shell voxel's centre to the skin, about
#define LINE_SHARE       0.6  // of R: how far lines are from the bone
#define INSERTION_SHARE  0.54 // the last vertex, and the field
#define RADIUS_SHARE     0.35
#define STRAIGHT         0.1 // of |u' x v'|: below it the limb has no bending plane
#define AROUND           4
#define STATIONS         9
#define UPPER_STATIONS   5
#define FIRST_NEAR_JOINT 4 // of the last four segments, around j
#define FIRST_END_TENDON 5 // of the last three

static const double upper_shares[UPPER_STATIONS] = {0.08, 0.28, 0.46, 0.64, 0.82};
static const double radius_shares[STATIONS] = {0, 0.8, 1, 1, 0.75, 0.3, 0, 0, 0};

// Shell voxels of a joint around the middle half of its segment.
typedef struct limb_sum {
    double distance;
    uint32_t voxels;
} limb_sum;

// A joint that muscles lead across. Lengths are in metres.
typedef struct bent_joint {
    uint32_t upper, joint; // p and j
    tlw_double3 p, j;
    tlw_double3 u, v; // unit directions
    double upper_length, lower_length;
    double radius; // R
} bent_joint;

static uint32_t segments_of(const tlw_cook* cook, uint32_t joint) {
    const tlw_cook_skeleton_joint* owner = &cook->skeleton.joints[joint];
    return owner->segment_end - owner->segment_begin;
}

static const tlw_cook_segment* first_segment(const tlw_cook* cook, uint32_t joint) {
    return &cook->skeleton.segments[cook->skeleton.joints[joint].segment_begin];
}

static limb_sum* sum_limbs(tlw_cook* cook) {
    limb_sum* sums = tlw_cook_allocate(cook, cook->skeleton.joint_count, sizeof *sums);
    for (uint32_t v = 0; sums != NULL && v < cook->voxels.count; ++v) {
        const uint32_t joint = cook->weights[v].joint[0];
        if (cook->anatomy.d_skin[v] != 0 || segments_of(cook, joint) != 1) {
            continue;
        }
        const tlw_cook_segment* segment = first_segment(cook, joint);
        const tlw_double3 ends[2] = {tlw_cook_in_voxels(&cook->grid, segment->start),
                                     tlw_cook_in_voxels(&cook->grid, segment->end)};
        const tlw_axis_point nearest = tlw_nearest_on_axis(ends, tlw_centre_in_voxels(cook, v));
        if (nearest.parameter >= MIDDLE_BEGIN - TLW_SLACK &&
            nearest.parameter <= MIDDLE_END + TLW_SLACK) {
            sums[joint].distance += nearest.distance;
            sums[joint].voxels += 1;
        }
    }
    return sums;
}

// Whether joint j is an elbow or a knee. Counts those that are too short or too thin.
static bool find_bent(tlw_cook* cook, const limb_sum* sums, uint32_t j, bent_joint* out) {
    const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[j];
    const uint32_t p = joint->parent;
    if (!joint->is_kept || p == TLW_NO_JOINT || segments_of(cook, j) != 1 ||
        segments_of(cook, p) != 1) {
        return false;
    }
    tlw_cook_auto_report* report = &cook->muscles.automatic;
    const double slack = TLW_SLACK * cook->grid.voxel;
    *out = (bent_joint){.upper = p,
                        .joint = j,
                        .p = cook->skeleton.joints[p].position,
                        .j = joint->position,
                        .u = tlw_minus3(joint->position, cook->skeleton.joints[p].position),
                        .v = tlw_minus3(first_segment(cook, j)->end, joint->position)};
    const double radius =
        sums[p].voxels > 0 ? sums[p].distance / (double)sums[p].voxels + SHELL_DEPTH : 0.0;
    out->radius = radius * cook->grid.voxel;
    out->upper_length = tlw_length3(out->u);
    out->lower_length = tlw_length3(out->v);
    if (!(out->upper_length >= UPPER_LEAST * cook->grid.extent - slack &&
          out->lower_length >= LOWER_LEAST * cook->grid.extent - slack &&
          tlw_normalise3(&out->u, 0.0) && tlw_normalise3(&out->v, 0.0))) {
        report->too_short += 1;
        return false;
    }
    report->too_thin += !(radius >= LIMB_LEAST - TLW_SLACK);
    return radius >= LIMB_LEAST - TLW_SLACK;
}

// The model axis that is least aligned with a direction.
static tlw_double3 least_aligned(tlw_double3 u) {
    const double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    if (!(y < x - TLW_SLACK) && !(z < x - TLW_SLACK)) {
        return (tlw_double3){1, 0, 0};
    }
    return z < y - TLW_SLACK ? (tlw_double3){0, 0, 1} : (tlw_double3){0, 1, 0};
}

// Where the lines are around the upper segment.
static void find_directions(const bent_joint* bent, tlw_double3 around[AROUND]) {
    const bool is_straight = tlw_length3(tlw_cross3(bent->u, bent->v)) < STRAIGHT - TLW_SLACK;
    tlw_double3 first = tlw_across3(is_straight ? least_aligned(bent->u) : bent->v, bent->u);
    tlw_normalise3(&first, 0.0);
    const tlw_double3 second = tlw_cross3(bent->u, first), none = {0, 0, 0};
    around[0] = first;
    around[1] = second;
    around[2] = tlw_minus3(none, first);
    around[3] = tlw_minus3(none, second);
}

// Places of the nine vertices of a line in direction a.
static void place_stations(const bent_joint* bent, tlw_double3 a, tlw_double3 places[STATIONS]) {
    const double out = LINE_SHARE * bent->radius, upper = bent->upper_length,
                 lower = bent->lower_length;
    double w = LINE_SHARE * bent->radius;
    w = 0.1 * upper < w ? 0.1 * upper : w;
    w = 0.3 * lower < w ? 0.3 * lower : w;
    tlw_double3 below = tlw_across3(a, bent->v);
    if (!tlw_normalise3(&below, TLW_SLACK)) {
        below = a;
    }
    for (int i = 0; i < UPPER_STATIONS; ++i) {
        places[i] = tlw_add3(tlw_add3(bent->p, upper_shares[i] * upper, bent->u), out, a);
    }
    tlw_double3 between = tlw_add3(a, 1.0, below);
    tlw_normalise3(&between, 0.0);
    const double insertion = 0.15 * lower > 2.0 * w ? 0.15 * lower : 2.0 * w;
    places[5] = tlw_add3(tlw_add3(bent->j, -w, bent->u), out, a);
    places[6] = tlw_add3(bent->j, out, between);
    places[7] = tlw_add3(tlw_add3(bent->j, w, bent->v), out, below);
    places[8] =
        tlw_add3(tlw_add3(bent->j, insertion, bent->v), INSERTION_SHARE * bent->radius, below);
}

static void attach(const bent_joint* bent, int station, tlw_muscle_vertex* vertex) {
    if (station == 6) {
        const bool ascends = bent->upper < bent->joint;
        vertex->joint_count = 2;
        vertex->joint[0] = ascends ? bent->upper : bent->joint;
        vertex->joint[1] = ascends ? bent->joint : bent->upper;
        vertex->weight[0] = vertex->weight[1] = 0.5;
    } else {
        vertex->joint_count = 1;
        vertex->joint[0] = station < 6 ? bent->upper : bent->joint;
        vertex->weight[0] = 1.0;
    }
}

// `auto.NAME.0`, or the joint's number where its name is too long.
static void name_line(const tlw_cook* cook, uint32_t joint, uint32_t number, char* to) {
    const char* name = cook->input->joints[joint].name;
    const int length = snprintf(to, TLW_COOK_NAME_MAX, "auto.%s.%u", name, number);
    if (length >= TLW_COOK_NAME_MAX) {
        snprintf(to, TLW_COOK_NAME_MAX, "auto.#%u.%u", joint, number);
    }
}

// Whether a line folds around j: two stations are too close to each other, or have changed places.
static bool is_folded(const tlw_cook* cook, const bent_joint* bent,
                      const tlw_double3 places[STATIONS]) {
    const double voxel = cook->grid.voxel;
    const tlw_double3 along = tlw_add3(bent->u, 1.0, bent->v);
    bool is = !(tlw_dot3(tlw_minus3(places[7], places[5]), along) > TLW_SLACK * voxel);
    for (int i = FIRST_NEAR_JOINT; i + 1 < STATIONS; ++i) {
        const double length = tlw_length3(tlw_minus3(places[i + 1], places[i])) / voxel;
        is = is || !(length >= (double)TLW_BLOB_SEGMENT_LEAST - TLW_SLACK);
    }
    return is;
}

static void make_line(const tlw_cook* cook, const bent_joint* bent, tlw_double3 a, double bulge,
                      tlw_muscle_line* line) {
    const double voxel = cook->grid.voxel;
    tlw_double3 places[STATIONS] = {{0, 0, 0}};
    place_stations(bent, a, places);
    const bool is_short = is_folded(cook, bent, places);
    memset(line, 0, sizeof *line);
    line->bulge = bulge;
    line->flex_joint = TLW_NO_JOINT;
    for (int i = 0; i < STATIONS; ++i) {
        if (is_short && (i == 5 || i == 7)) {
            continue;
        }
        tlw_muscle_vertex* vertex = &line->vertices[line->vertex_count];
        vertex->place = places[i];
        attach(bent, i, vertex);
        vertex->radius = RADIUS_SHARE * bent->radius / voxel * radius_shares[i];
        vertex->is_dynamic = i > 0 && i + 1 < STATIONS;
        line->is_tendon[line->vertex_count] = i == 0 || i >= FIRST_END_TENDON;
        line->vertex_count += 1;
    }
    const double sphere = INSERTION_SHARE * bent->radius / voxel;
    line->field_count = 1;
    line->fields[0] = (tlw_muscle_ellipsoid){.joint = bent->joint,
                                             .centre = bent->j,
                                             .radii = {sphere, sphere, sphere},
                                             .gain = TLW_MUSCLE_GAIN};
}

// The four muscles of a joint, or none where one of them has a short segment.
static tlw_result add_around(tlw_cook* cook, const bent_joint* bent, double bulge,
                             tlw_muscle_line lines[AROUND]) {
    tlw_double3 around[AROUND];
    double length;
    find_directions(bent, around);
    for (uint32_t k = 0; k < AROUND; ++k) {
        make_line(cook, bent, around[k], bulge, &lines[k]);
        name_line(cook, bent->joint, k, lines[k].name);
        if (tlw_find_short_segment(cook, &lines[k], &length) < lines[k].vertex_count) {
            cook->muscles.automatic.too_close += 1;
            return TLW_OK;
        }
    }
    for (uint32_t k = 0; k < AROUND && cook->error.result == TLW_OK; ++k) {
        tlw_cook_add_muscle(cook, &lines[k]);
    }
    cook->muscles.automatic.joints += 1;
    return cook->error.result;
}

tlw_result tlw_cook_add_auto_muscles(tlw_cook* cook, double bulge) {
    limb_sum* sums = sum_limbs(cook);
    tlw_muscle_line* lines = tlw_cook_allocate(cook, AROUND, sizeof *lines);
    bent_joint bent = {.upper = TLW_NO_JOINT};
    cook->muscles.automatic.is_asked = true;
    for (uint32_t j = 0; j < cook->skeleton.joint_count && cook->error.result == TLW_OK; ++j) {
        if (find_bent(cook, sums, j, &bent)) {
            add_around(cook, &bent, bulge, lines);
        }
    }
    tlw_cook_free(cook, sums);
    tlw_cook_free(cook, lines);
    return cook->error.result;
}
