// SPDX-License-Identifier: MIT
// Stage muscles (RULES 9.12): the action lines of the recipe's muscles, after Aubel and Thalmann
// 2000 (MODEL 3.18). muscles_auto.c makes the automatic ones. Reads the recipe's muscles, the
// skeleton, the grid and the order; writes cook->muscles, but for what the stage bellies adds.
#include "tools/cook/muscles.h"
#include "tools/cook/limbs.h"

#include "tools/cook/vectors.h"

#include <stdio.h>
#include <string.h>

#define TENDON_RATIO 20.0
#define FARTHEST     1048576.0 // voxels from the grid's corner along an axis
// Flex shares are within 1/LEAST_SPREAD; a belly whose volume all lies in the middle cannot move
// any there.
#define LEAST_SPREAD  0.0625
#define OUTWARD_LEAST 1e-6

double tlw_sin_pi(double x) {
    const double pi = 0x1.921fb54442d18p+1, half = x > 0.5 ? 1.0 - x : x;
    const double angle = pi * half, squared = angle * angle;
    double sum = 0.0;
    for (int i = 21; i > 1; i -= 2) { // terms of the series, the last one first
        sum = (1.0 + sum) * -squared / (double)(i * (i - 1));
    }
    return angle * (1.0 + sum);
}

// ---- Lines from the recipe

// Which of the recipe's muscles is read, and how it is mirrored.
typedef struct line_source {
    const tlw_cook_muscle* muscle;
    uint32_t index; // in the recipe's list
    bool is_mirror;
    int axis;     // of the model
    double plane; // where the mirror stands on that axis, metres
} line_source;

static uint32_t find_joint(tlw_cook* cook, const line_source* source, const char* name) {
    const uint32_t joint = tlw_find_joint_name(cook->names, cook->input->joint_count, name);
    return source->is_mirror ? tlw_cook_partner_of(cook, joint) : joint;
}

static double* component(tlw_double3* p, int axis) {
    return axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z;
}

// Whether joint `name` has a partner; where it does, the mirror is half way between the two.
static bool find_mirror(tlw_cook* cook, const char* name, line_source* source) {
    const uint32_t joint =
        name ? tlw_find_joint_name(cook->names, cook->input->joint_count, name) : TLW_NO_JOINT;
    const uint32_t partner = joint != TLW_NO_JOINT ? tlw_cook_partner_of(cook, joint) : joint;
    if (partner == TLW_NO_JOINT || partner == joint) {
        return false;
    }
    tlw_double3 a = cook->skeleton.joints[joint].position,
                b = cook->skeleton.joints[partner].position, apart = tlw_minus3(a, b);
    for (int axis = 1; axis < 3; ++axis) {
        if (fabs(*component(&apart, axis)) >
            fabs(*component(&apart, source->axis)) + TLW_SLACK * cook->grid.voxel) {
            source->axis = axis;
        }
    }
    source->plane = (*component(&a, source->axis) + *component(&b, source->axis)) / 2.0;
    return true;
}

// By the first joint of the muscle that has a partner: vertices first, then fields, then flex.
static void place_mirror(tlw_cook* cook, line_source* source) {
    const tlw_cook_muscle* muscle = source->muscle;
    for (uint32_t i = 0; i < muscle->vertex_count + muscle->field_count; ++i) {
        const tlw_cook_place* place = i < muscle->vertex_count
                                          ? &muscle->line[i].place
                                          : &muscle->fields[i - muscle->vertex_count].place;
        if (find_mirror(cook, place->joint, source)) {
            return;
        }
        for (int k = 0; place->joint == NULL && k < TLW_COOK_PLACE_JOINTS; ++k) {
            if (find_mirror(cook, place->joints[k], source)) {
                return;
            }
        }
    }
    find_mirror(cook, muscle->flex_joint, source);
}

// Joints of a place, ascending, with weights that sum to 1.
static void weigh_joints(tlw_cook* cook, const line_source* source, const tlw_cook_place* place,
                         tlw_muscle_vertex* to) {
    double sum = 0.0;
    for (int k = 0; k < TLW_COOK_PLACE_JOINTS && place->joints[k] != NULL; ++k) {
        const uint32_t joint = find_joint(cook, source, place->joints[k]);
        uint32_t at = to->joint_count++;
        for (; at > 0 && to->joint[at - 1] > joint; --at) {
            to->joint[at] = to->joint[at - 1];
            to->weight[at] = to->weight[at - 1];
        }
        to->joint[at] = joint;
        to->weight[at] = (double)place->weights[k];
        sum += (double)place->weights[k];
    }
    for (uint32_t k = 0; k < to->joint_count; ++k) {
        to->weight[k] /= sum;
    }
}

static tlw_double3 as_double3(const float v[3]) {
    return (tlw_double3){(double)v[0], (double)v[1], (double)v[2]};
}

// Place, joints and weights of a vertex or a field; `what` and `at` name it in an error.
static tlw_result find_place(tlw_cook* cook, const line_source* source, const tlw_cook_place* place,
                             const char* what, uint32_t at, tlw_muscle_vertex* to) {
    if (place->joint == NULL) {
        to->place = as_double3(place->at);
        if (source->is_mirror) {
            double* x = component(&to->place, source->axis);
            *x = 2.0 * source->plane - *x;
        }
        weigh_joints(cook, source, place, to);
    } else {
        const uint32_t joint = find_joint(cook, source, place->joint);
        const tlw_cook_skeleton_joint* owner = &cook->skeleton.joints[joint];
        if (owner->segment_begin == owner->segment_end) {
            tlw_cook_blame(cook, "muscles[%u].%s[%u].joint", source->index, what, at);
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "muscle '%s', %s[%u]: joint '%s' has no segment, because no "
                                 "vertex of the mesh follows it",
                                 source->muscle->name, what, at, cook->input->joints[joint].name);
        }
        const tlw_cook_segment* segment = &cook->skeleton.segments[owner->segment_begin];
        tlw_double3 offset = as_double3(place->offset);
        if (source->is_mirror) {
            *component(&offset, source->axis) *= -1.0;
        }
        to->place = tlw_add3(tlw_add3(segment->start, (double)place->along,
                                      tlw_minus3(segment->end, segment->start)),
                             1.0, offset);
        to->joint_count = 1;
        to->joint[0] = joint;
        to->weight[0] = 1.0;
    }
    const tlw_double3 p = tlw_cook_in_voxels(&cook->grid, to->place);
    if (!(fabs(p.x) <= FARTHEST && fabs(p.y) <= FARTHEST && fabs(p.z) <= FARTHEST)) {
        tlw_cook_blame(cook, "muscles[%u].%s[%u]", source->index, what, at);
        return tlw_cook_fail(
            cook, TLW_ERROR_BAD_ARGUMENT,
            "muscle '%s', %s[%u] is at %g, %g, %g metres, more than %g voxels away",
            source->muscle->name, what, at, to->place.x, to->place.y, to->place.z, FARTHEST);
    }
    return TLW_OK;
}

static tlw_result make_vertices(tlw_cook* cook, const line_source* source, tlw_muscle_line* line) {
    const tlw_cook_muscle* muscle = source->muscle;
    for (uint32_t i = 0; i < muscle->vertex_count; ++i) {
        const tlw_cook_line_vertex* from = &muscle->line[i];
        tlw_muscle_vertex* to = &line->vertices[i];
        const bool is_end = i == 0 || i + 1 == muscle->vertex_count;
        const double share = from->radius >= 0.0f ? (double)from->radius : is_end ? 0.0 : 1.0;
        if (find_place(cook, source, &from->place, "line", i, to) != TLW_OK) {
            return cook->error.result;
        }
        to->radius = share * (double)muscle->radius / cook->grid.voxel;
        to->is_dynamic = from->is_dynamic < 0 ? !is_end : from->is_dynamic != 0;
    }
    line->vertex_count = muscle->vertex_count;
    for (uint32_t i = 0; i < muscle->tendon_count; ++i) {
        line->is_tendon[muscle->tendons[i]] = true;
    }
    return TLW_OK;
}

static tlw_result make_fields(tlw_cook* cook, const line_source* source, tlw_muscle_line* line) {
    const tlw_cook_muscle* muscle = source->muscle;
    for (uint32_t i = 0; i < muscle->field_count; ++i) {
        const tlw_cook_muscle_field* from = &muscle->fields[i];
        tlw_muscle_ellipsoid* to = &line->fields[i];
        tlw_muscle_vertex place = {.joint_count = 0};
        if (find_place(cook, source, &from->place, "fields", i, &place) != TLW_OK) {
            return cook->error.result;
        }
        *to = (tlw_muscle_ellipsoid){.joint = place.joint[0],
                                     .centre = place.place,
                                     .gain = (double)from->gain,
                                     .reach = from->attracts ? (double)from->reach : 0.0};
        for (int a = 0; a < 3; ++a) {
            to->radii[a] = (double)from->radii[a] / cook->grid.voxel;
            if (!(to->radii[a] >= (double)TLW_BLOB_SEGMENT_LEAST - TLW_SLACK)) {
                tlw_cook_blame(cook, "muscles[%u].fields[%u].radii", source->index, i);
                return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                     "muscle '%s', fields[%u]: radius %d is %g voxel; at least %g",
                                     muscle->name, i, a, to->radii[a],
                                     (double)TLW_BLOB_SEGMENT_LEAST);
            }
        }
    }
    line->field_count = muscle->field_count;
    return TLW_OK;
}

uint32_t tlw_find_short_segment(const tlw_cook* cook, const tlw_muscle_line* line, double* length) {
    for (uint32_t s = 0; s + 1 < line->vertex_count; ++s) {
        *length = tlw_length3(tlw_minus3(line->vertices[s + 1].place, line->vertices[s].place)) /
                  cook->grid.voxel;
        if (!(*length >= (double)TLW_BLOB_SEGMENT_LEAST - TLW_SLACK)) {
            return s;
        }
    }
    return line->vertex_count;
}

static tlw_result check_segments(tlw_cook* cook, const line_source* source,
                                 const tlw_muscle_line* line) {
    double length = 0.0;
    const uint32_t s = tlw_find_short_segment(cook, line, &length);
    if (s < line->vertex_count) {
        tlw_cook_blame(cook, "muscles[%u].line[%u]", source->index, s + 1);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s', line[%u]: its distance from line[%u] is %g voxel; at "
                             "least %g",
                             line->name, s + 1, s, length, (double)TLW_BLOB_SEGMENT_LEAST);
    }
    return TLW_OK;
}

static tlw_result add_from_recipe(tlw_cook* cook, uint32_t index, bool is_mirror,
                                  tlw_muscle_line* line) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[index];
    line_source source = {.muscle = muscle, .index = index, .is_mirror = is_mirror};
    memset(line, 0, sizeof *line);
    tlw_cook_blame(cook, "muscles[%u].%s", index, is_mirror ? "mirror" : "name");
    if (is_mirror) {
        char name[TLW_COOK_NAME_MAX + TLW_MIRRORED_BYTES];
        tlw_mirror_name(muscle->name, name); // the stage check has seen that it fits
        memcpy(line->name, name, sizeof line->name);
        line->name[sizeof line->name - 1] = 0;
        place_mirror(cook, &source);
    } else {
        snprintf(line->name, sizeof line->name, "%s", muscle->name);
    }
    line->bulge = (double)muscle->bulge;
    line->flex_joint =
        muscle->flex_joint ? find_joint(cook, &source, muscle->flex_joint) : TLW_NO_JOINT;
    line->flex_from = muscle->flex_joint ? (double)muscle->flex_from : 0.0;
    line->flex_to = muscle->flex_joint ? (double)muscle->flex_to : 0.0;
    tlw_result result = make_vertices(cook, &source, line);
    if (result == TLW_OK) {
        result = make_fields(cook, &source, line);
    }
    if (result == TLW_OK) {
        result = check_segments(cook, &source, line);
    }
    return result == TLW_OK ? tlw_cook_add_muscle(cook, line) : result;
}

tlw_result tlw_cook_add_muscle(tlw_cook* cook, const tlw_muscle_line* line) {
    tlw_cook_muscles* muscles = &cook->muscles;
    if (muscles->count == TLW_BLOB_MUSCLES_MAX) {
        tlw_cook_blame(cook, "muscles");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "more than %u muscles, mirrored and automatic ones included",
                             TLW_BLOB_MUSCLES_MAX);
    }
    for (uint32_t i = 0; i < muscles->count; ++i) {
        if (strcmp(muscles->lines[i].name, line->name) == 0) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "two muscles have the same name '%s'", line->name);
        }
    }
    muscles->lines[muscles->count++] = *line;
    return TLW_OK;
}

// ---- Storing

// What of a line is computed once and stored per vertex or segment. Voxels.
typedef struct line_measures {
    double length[TLW_BLOB_LINE_VERTICES], rho[TLW_BLOB_LINE_VERTICES],
        slack[TLW_BLOB_LINE_VERTICES], arc[TLW_BLOB_LINE_VERTICES], flex[TLW_BLOB_LINE_VERTICES];
    tlw_double3 direction[TLW_BLOB_LINE_VERTICES];
} line_measures;

static void measure_segments(const tlw_cook* cook, const tlw_muscle_line* line, line_measures* m) {
    const uint32_t segments = line->vertex_count - 1;
    double sum = 0.0;
    for (uint32_t s = 0; s < segments; ++s) {
        const tlw_double3 a = tlw_cook_in_voxels(&cook->grid, line->vertices[s].place),
                          b = tlw_cook_in_voxels(&cook->grid, line->vertices[s + 1].place);
        m->direction[s] = tlw_minus3(b, a);
        m->length[s] = tlw_length3(m->direction[s]);
        tlw_normalise3(&m->direction[s], 0.0);
        m->arc[s] = sum;
        sum += m->length[s];
    }
    m->arc[segments] = sum;
    for (uint32_t s = 0; s < segments; ++s) {
        const double ratio = line->is_tendon[s] ? TENDON_RATIO : 1.0;
        m->rho[s] = ratio * (sum / (double)segments) / m->length[s];
        m->slack[s] = m->length[s] * (1.0 - 0.5 / ratio);
    }
}

// Flex shares phi.
static void measure_flex(const tlw_muscle_line* line, line_measures* m) {
    const uint32_t count = line->vertex_count;
    uint32_t first = count, last = 0; // vertices at which the belly begins and ends
    for (uint32_t s = 0; s + 1 < count; ++s) {
        if (!line->is_tendon[s]) {
            first = first < count ? first : s;
            last = s + 1;
        }
    }
    double squared[TLW_BLOB_LINE_VERTICES], w[TLW_BLOB_LINE_VERTICES];
    for (uint32_t i = 0; i < count; ++i) {
        const double z = (m->arc[i] - m->arc[first]) / (m->arc[last] - m->arc[first]);
        const double sine = i > first && i < last ? tlw_sin_pi(z) : 0.0;
        w[i] = sine * sine * (sine * sine);
        squared[i] = line->vertices[i].radius * line->vertices[i].radius;
    }
    double weighted = 0.0, all = 0.0;
    for (uint32_t s = 0; s + 1 < count; ++s) {
        weighted += m->length[s] * (squared[s] * w[s] + squared[s + 1] * w[s + 1]) / 2.0;
        all += m->length[s] * (squared[s] + squared[s + 1]) / 2.0;
    }
    const double c = weighted / all;
    for (uint32_t i = 0; i < count; ++i) {
        m->flex[i] = 1.0 - c < LEAST_SPREAD ? 0.0 : (w[i] - c) / (1.0 - c);
    }
}

static tlw_double3 tangent_at(const line_measures* m, uint32_t vertex, uint32_t count) {
    const tlw_double3 none = {0, 0, 0}, before = vertex > 0 ? m->direction[vertex - 1] : none,
                      after = vertex + 1 < count ? m->direction[vertex] : none;
    tlw_double3 sum = tlw_add3(before, 1.0, after);
    return tlw_normalise3(&sum, 1e-6) ? sum : after;
}

static tlw_double3 balance_at(const line_measures* m, uint32_t vertex, uint32_t count) {
    tlw_double3 sum = {0, 0, 0};
    for (uint32_t side = 0; side < 2; ++side) { // the segment before, the one after
        const uint32_t s = vertex - 1 + side;
        if (side == 0 ? vertex > 0 : vertex + 1 < count) {
            const double force = m->rho[s] * (m->length[s] - m->slack[s]);
            sum = tlw_add3(sum, side == 0 ? force : -force, m->direction[s]);
        }
    }
    return sum;
}

bool tlw_find_outward(const tlw_cook* cook, tlw_double3 at, tlw_double3 t, tlw_double3* out) {
    double best = INFINITY;
    tlw_double3 nearest = at;
    for (uint32_t s = 0; s < cook->skeleton.segment_count; ++s) {
        const tlw_cook_segment* segment = &cook->skeleton.segments[s];
        const tlw_double3 ends[2] = {tlw_cook_in_voxels(&cook->grid, segment->start),
                                     tlw_cook_in_voxels(&cook->grid, segment->end)};
        const tlw_axis_point found = tlw_nearest_on_axis(ends, at);
        if (found.distance * found.distance < best * best - TLW_SLACK) {
            best = found.distance;
            nearest = tlw_add3(ends[0], found.parameter, tlw_minus3(ends[1], ends[0]));
        }
    }
    *out = tlw_across3(tlw_minus3(at, nearest), t);
    return tlw_normalise3(out, OUTWARD_LEAST);
}

static tlw_double3 outward_at(const tlw_cook* cook, const tlw_muscle_vertex* vertex,
                              tlw_double3 tangent) {
    const tlw_double3 none = {0, 0, 0};
    tlw_double3 n;
    const tlw_double3 at = tlw_cook_in_voxels(&cook->grid, vertex->place);
    return tlw_find_outward(cook, at, tangent, &n) ? n : none;
}

static void store_vector(const tlw_cook* cook, tlw_double3 v, float to[3][TLW_BLOB_LANES],
                         uint32_t lane) {
    for (uint32_t a = 0; a < 3; ++a) {
        to[a][lane] = (float)*component(&v, (int)((cook->order.lane_axis + a) % 3));
    }
}

static void store_line(tlw_cook* cook, const tlw_muscle_line* line, tlw_blob_muscle_row* rows,
                       uint32_t lane) {
    line_measures m;
    measure_segments(cook, line, &m);
    measure_flex(line, &m);
    for (uint32_t i = 0; i < line->vertex_count; ++i) {
        const tlw_muscle_vertex* vertex = &line->vertices[i];
        tlw_blob_muscle_row* row = &rows[i];
        store_vector(cook, tlw_cook_in_voxels(&cook->grid, vertex->place), row->place, lane);
        const tlw_double3 tangent = tangent_at(&m, i, line->vertex_count);
        store_vector(cook, tangent, row->tangent, lane);
        store_vector(cook, outward_at(cook, vertex, tangent), row->outward, lane);
        store_vector(cook, balance_at(&m, i, line->vertex_count), row->balance, lane);
        row->radius[lane] = (float)vertex->radius;
        row->arc[lane] = (float)m.arc[i];
        row->flex[lane] = (float)m.flex[i];
        row->is_dynamic[lane] = vertex->is_dynamic ? 1.0f : 0.0f;
        for (uint32_t k = 0; k < vertex->joint_count; ++k) {
            row->weight[k][lane] = (float)vertex->weight[k];
            row->joint[k][lane] = (uint16_t)vertex->joint[k];
        }
        if (i + 1 < line->vertex_count) {
            row->ratio[lane] = (float)m.rho[i];
            row->length[lane] = (float)m.length[i];
            row->slack[lane] = (float)m.slack[i];
            row->belly[lane] = line->is_tendon[i] ? 0.0f : 1.0f;
        }
    }
}

static void store_fields(tlw_cook* cook, const tlw_muscle_line* line, tlw_blob_muscle_field* fields,
                         uint32_t lane) {
    for (uint32_t i = 0; i < line->field_count; ++i) {
        const tlw_muscle_ellipsoid* from = &line->fields[i];
        const tlw_double3 inverse = {1.0 / from->radii[0], 1.0 / from->radii[1],
                                     1.0 / from->radii[2]};
        store_vector(cook, tlw_cook_in_voxels(&cook->grid, from->centre), fields[i].centre, lane);
        store_vector(cook, inverse, fields[i].inverse, lane);
        fields[i].gain[lane] = (float)from->gain;
        fields[i].reach[lane] = (float)from->reach;
        fields[i].joint[lane] = from->joint;
    }
}

static double largest_radius(const tlw_muscle_line* line) {
    double largest = 0.0;
    for (uint32_t i = 0; i < line->vertex_count; ++i) {
        largest = line->vertices[i].radius > largest ? line->vertices[i].radius : largest;
    }
    return largest;
}

// Where the rows and fields of every group begin.
static void count_groups(tlw_cook_muscles* muscles) {
    for (uint32_t g = 0; g < muscles->group_count; ++g) {
        uint32_t vertices = 0, fields = 0;
        for (uint32_t m = g * TLW_BLOB_LANES; m < (g + 1) * TLW_BLOB_LANES && m < muscles->count;
             ++m) {
            const tlw_muscle_line* line = &muscles->lines[m];
            vertices = line->vertex_count > vertices ? line->vertex_count : vertices;
            fields = line->field_count > fields ? line->field_count : fields;
        }
        muscles->groups[g] = (tlw_blob_muscle_group){muscles->row_count, muscles->field_count};
        muscles->row_count += vertices;
        muscles->field_count += fields;
    }
    muscles->groups[muscles->group_count] =
        (tlw_blob_muscle_group){muscles->row_count, muscles->field_count};
}

static tlw_result store_muscles(tlw_cook* cook) {
    tlw_cook_muscles* muscles = &cook->muscles;
    muscles->group_count = (muscles->count + TLW_BLOB_LANES - 1) / TLW_BLOB_LANES;
    muscles->list = tlw_cook_allocate(cook, muscles->count, sizeof *muscles->list);
    muscles->names = tlw_cook_allocate(cook, muscles->count, sizeof *muscles->names);
    muscles->voxels = tlw_cook_allocate(cook, muscles->count, sizeof *muscles->voxels);
    muscles->groups =
        tlw_cook_allocate(cook, (uint64_t)muscles->group_count + 1, sizeof *muscles->groups);
    if (cook->error.result == TLW_OK) {
        count_groups(muscles);
        muscles->rows = tlw_cook_allocate(cook, muscles->row_count, sizeof *muscles->rows);
        muscles->fields = tlw_cook_allocate(cook, muscles->field_count, sizeof *muscles->fields);
    }
    for (uint32_t m = 0; m < muscles->count && cook->error.result == TLW_OK; ++m) {
        const tlw_muscle_line* line = &muscles->lines[m];
        const tlw_blob_muscle_group group = muscles->groups[m / TLW_BLOB_LANES];
        memcpy(muscles->names[m], line->name, sizeof line->name);
        muscles->list[m] = (tlw_blob_muscle){.vertex_count = line->vertex_count,
                                             .bulge = (float)line->bulge,
                                             .radius = (float)largest_radius(line),
                                             .flex_joint = line->flex_joint,
                                             .flex_from = (float)line->flex_from,
                                             .flex_to = (float)line->flex_to};
        store_line(cook, line, muscles->rows + group.first_row, m % TLW_BLOB_LANES);
        store_fields(cook, line, muscles->fields + group.first_field, m % TLW_BLOB_LANES);
    }
    return cook->error.result;
}

static tlw_result add_all(tlw_cook* cook, tlw_muscle_line* line) {
    const tlw_cook_recipe* recipe = cook->recipe;
    for (uint32_t i = 0; i < recipe->muscle_count && cook->error.result == TLW_OK; ++i) {
        const tlw_cook_muscle* muscle = &recipe->muscles[i];
        if (muscle->name == NULL) {
            tlw_cook_blame(cook, "muscles[%u]", i);
            tlw_cook_add_auto_muscles(cook, (double)muscle->bulge);
        } else if (add_from_recipe(cook, i, false, line) == TLW_OK && muscle->is_mirrored) {
            add_from_recipe(cook, i, true, line);
        }
    }
    return cook->error.result;
}

tlw_result tlw_cook_make_muscles(tlw_cook* cook) {
    if (cook->recipe->muscle_count == 0) {
        return TLW_OK;
    }
    tlw_cook_muscles* muscles = &cook->muscles;
    muscles->lines = tlw_cook_allocate(cook, TLW_BLOB_MUSCLES_MAX, sizeof *muscles->lines);
    tlw_muscle_line* line = tlw_cook_allocate(cook, 1, sizeof *line);
    if (cook->error.result == TLW_OK) {
        cook->is_about_recipe = true;
        add_all(cook, line);
        cook->is_about_recipe = false;
    }
    if (cook->error.result == TLW_OK) {
        cook->error.key[0] = 0; // later errors are not about the last muscle
    }
    if (cook->error.result == TLW_OK && muscles->count > 0) {
        store_muscles(cook);
    }
    tlw_cook_free(cook, line);
    return cook->error.result;
}
