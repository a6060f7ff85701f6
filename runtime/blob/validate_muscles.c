// SPDX-License-Identifier: MIT
// The blob's validator: muscles, their groups, the vertices of action lines and the fields (MODEL
// 3.18, 9.3, RULES 9.12). Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#include "runtime/blob/text.h"

#define NAME_MAX        63u
#define BULGE_MAX       10.0f
#define RADIUS_MAX      32768.0f   // voxels
#define PLACE_MAX       1048576.0f // 2^20 voxels
#define ANGLE_MAX       180.0f
#define REACH_MAX       64.0f // of |d|
#define FLEX_MAX        16.0f
#define FIELD_REACH_MAX 100.0f
#define INVERSE_MIN     1e-20f
// What floats may miss by.
#define SLACK 1e-4f

// All sections are there if the lattice has muscles, and none if it has none. Sections whose
// elements are counted by others are looked at where these are.
static tlw_result check_presence(const blob_view* view) {
    const uint32_t count = view->lattice->muscle_count;
    if (count == 0) {
        for (uint32_t kind = TLW_SECTION_MUSCLES; kind <= TLW_SECTION_BELLY_WEIGHT; ++kind) {
            if (view->sections[kind] != NULL) {
                return fail(view, kind, 0, view->sections[kind]->offset, "absent without muscles",
                            0, 1);
            }
        }
        return TLW_OK;
    }
    const uint64_t groups = ((uint64_t)count + LANES - 1) / LANES;
    tlw_result result = check_count(view, TLW_SECTION_MUSCLES, count);
    if (result == TLW_OK) {
        result = check_count(view, TLW_SECTION_MUSCLE_GROUPS, groups + 1);
    }
    return result == TLW_OK ? check_count(view, TLW_SECTION_BELLY_WINDOWS,
                                          (uint64_t)view->lattice->window_count + 1)
                            : result;
}

// Names are compared with all before them, so they have to be short.
static tlw_result check_muscle_name(const blob_view* view, uint32_t m) {
    const tlw_blob_section_kind kind = TLW_SECTION_MUSCLES;
    const tlw_blob_muscle* muscles = first_of(view, kind);
    const char* strings = first_of(view, TLW_SECTION_STRINGS);
    const tlw_result result = check_name(view, kind, m, muscles[m].name);
    if (result != TLW_OK) {
        return result;
    }
    const char* name = strings + muscles[m].name;
    uint32_t length = 0;
    while (length <= NAME_MAX && name[length] != 0) {
        length += 1;
    }
    if (length == 0 || length > NAME_MAX) {
        return fail_at(view, kind, m, "bytes of a name, 1 to 63", length == 0 ? 1 : NAME_MAX,
                       length);
    }
    for (uint32_t k = 0; k < m; ++k) {
        if (tlw_is_same_text(name, strings + muscles[k].name)) {
            return fail_at(view, kind, m, "a name that no muscle before it has", 0, 1);
        }
    }
    return TLW_OK;
}

static tlw_result check_flex(const blob_view* view, uint32_t m) {
    const tlw_blob_section_kind kind = TLW_SECTION_MUSCLES;
    const tlw_blob_muscle* muscle = (const tlw_blob_muscle*)first_of(view, kind) + m;
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    const bool has_flex = muscle->flex_joint != TLW_BLOB_NO_INDEX;
    const float angles[2] = {muscle->flex_from, muscle->flex_to};
    if (has_flex && muscle->flex_joint >= view->lattice->joint_count) {
        return fail_at(view, kind, m, "joint", last_index(view->lattice->joint_count),
                       muscle->flex_joint);
    }
    if (has_flex && joints[muscle->flex_joint].parent == TLW_BLOB_NO_INDEX) {
        return fail_at(view, kind, m, "a joint with a parent", 1, 0);
    }
    for (uint32_t k = 0; k < 2; ++k) {
        const float most = has_flex ? ANGLE_MAX : 0.0f;
        if (!(angles[k] >= 0.0f && angles[k] <= most)) {
            return fail_component(view, kind, m, k, "angle, 0 to 180; 0 without a joint",
                                  float_bound(angles[k], 0.0f, most), bits_of(angles[k]));
        }
    }
    const float apart = angles[1] < angles[0] ? angles[0] - angles[1] : angles[1] - angles[0];
    return has_flex && apart < 1.0f ? fail_at(view, kind, m, "angles at least 1 degree apart",
                                              bits_of(1.0f), bits_of(apart))
                                    : TLW_OK;
}

static tlw_result check_muscle(const blob_view* view, uint32_t m) {
    const tlw_blob_section_kind kind = TLW_SECTION_MUSCLES;
    const tlw_blob_muscle* muscle = (const tlw_blob_muscle*)first_of(view, kind) + m;
    if (muscle->vertex_count < 3 || muscle->vertex_count > TLW_BLOB_LINE_VERTICES) {
        return fail_at(view, kind, m, "vertices, 3 to 32",
                       integer_bound(muscle->vertex_count, 3, TLW_BLOB_LINE_VERTICES),
                       muscle->vertex_count);
    }
    const struct {
        const char* what;
        float value, high;
    } numbers[] = {{"bulge, 0 to 10", muscle->bulge, BULGE_MAX},
                   {"radius, 0 to 2^15 voxels", muscle->radius, RADIUS_MAX},
                   {"reach, 0 to 64", muscle->reach, REACH_MAX}};
    for (size_t i = 0; i < TLW_COUNT_OF(numbers); ++i) {
        const float value = numbers[i].value;
        if (!(value >= 0.0f && value <= numbers[i].high)) {
            return fail_at(view, kind, m, numbers[i].what,
                           float_bound(value, 0.0f, numbers[i].high), bits_of(value));
        }
    }
    const tlw_result result = check_muscle_name(view, m);
    return result == TLW_OK ? check_flex(view, m) : result;
}

// ---- Groups

static uint32_t muscles_of(const blob_view* view, uint32_t group) {
    const uint32_t left = view->lattice->muscle_count - group * LANES;
    return left < LANES ? left : LANES;
}

// A group has as many rows as its longest muscle has vertices, and at most 8 fields.
static tlw_result check_groups(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_MUSCLE_GROUPS;
    const tlw_blob_muscle_group* groups = first_of(view, kind);
    const tlw_blob_muscle* muscles = first_of(view, TLW_SECTION_MUSCLES);
    const uint32_t count = (uint32_t)count_of(view, kind) - 1;
    uint64_t row = 0, field = 0, most = 0;
    for (uint32_t g = 0; g <= count; ++g) {
        if (groups[g].first_row != row) {
            return fail_at(view, kind, g, "rows one after another", row, groups[g].first_row);
        }
        if (groups[g].first_field < field || groups[g].first_field > field + most) {
            return fail_component(view, kind, g, 1, "fields one after another, at most 8",
                                  integer_bound(groups[g].first_field, field, field + most),
                                  groups[g].first_field);
        }
        field = groups[g].first_field;
        most = TLW_BLOB_LINE_FIELDS;
        uint32_t longest = 0;
        for (uint32_t lane = 0; g < count && lane < muscles_of(view, g); ++lane) {
            const uint32_t vertices = muscles[g * LANES + lane].vertex_count;
            longest = vertices > longest ? vertices : longest;
        }
        row += longest;
    }
    const tlw_result result = check_count(view, TLW_SECTION_MUSCLE_ROWS, row);
    return result == TLW_OK ? check_count(view, TLW_SECTION_MUSCLE_FIELDS, field) : result;
}

// ---- Rows

// Where something stands in a row: component array * 8 + lane of a report.
enum { ROW_JOINTS = offsetof(tlw_blob_muscle_row, joint) / (sizeof(float) * TLW_BLOB_LANES) };
#define ROW_ARRAY(field) \
    ((uint32_t)(offsetof(tlw_blob_muscle_row, field) / (sizeof(float) * LANES)))

// A vertex under check.
typedef struct line_vertex {
    const tlw_blob_muscle_row* row;
    uint64_t element; // in the section
    uint32_t lane;
} line_vertex;

static tlw_result fail_vertex(const blob_view* view, const line_vertex* v, uint32_t array,
                              const char* what, uint64_t expected, uint64_t found) {
    return fail_component(view, TLW_SECTION_MUSCLE_ROWS, v->element, array * LANES + v->lane, what,
                          expected, found);
}

static tlw_result check_range(const blob_view* view, const line_vertex* v, uint32_t array,
                              const char* what, float value, float low, float high) {
    return value >= low && value <= high
               ? TLW_OK
               : fail_vertex(view, v, array, what, float_bound(value, low, high), bits_of(value));
}

// The element of a lane in an array of floats of a row or a field.
static float number_at(const void* arrays, uint32_t array, uint32_t lane) {
    return ((const float*)arrays)[array * LANES + lane];
}

// Nothing beyond the last vertex of a muscle.
static tlw_result check_unused(const blob_view* view, const line_vertex* v) {
    for (uint32_t i = 0; i < ROW_JOINTS; ++i) {
        const uint64_t bits = bits_of(number_at(v->row, i, v->lane));
        if (bits != 0) {
            return fail_vertex(view, v, i, "0 beyond the last vertex", 0, bits);
        }
    }
    for (uint32_t k = 0; k < TLW_BLOB_LINE_JOINTS; ++k) {
        if (v->row->joint[k][v->lane] != 0) {
            return fail_vertex(view, v, ROW_JOINTS + k, "0 beyond the last vertex", 0,
                               v->row->joint[k][v->lane]);
        }
    }
    return TLW_OK;
}

// Joints ascend and exist, weights sum to 1, unused places are 0.
static tlw_result check_weights(const blob_view* view, const line_vertex* v) {
    const uint32_t lane = v->lane, joints = view->lattice->joint_count;
    uint32_t least = 0;
    float sum = 0.0f;
    bool has_ended = false;
    for (uint32_t k = 0; k < TLW_BLOB_LINE_JOINTS; ++k) {
        const float weight = v->row->weight[k][lane];
        const uint32_t joint = v->row->joint[k][lane];
        const tlw_result result = check_range(view, v, ROW_ARRAY(weight) + k, "weight, 0 to 1",
                                              weight, 0.0f, has_ended ? 0.0f : 1.0f);
        if (result != TLW_OK) {
            return result;
        }
        has_ended = has_ended || !(weight > 0.0f);
        const uint32_t low = has_ended ? 0 : least, high = has_ended ? 0 : joints - 1;
        if (joint < low || joint > high) {
            return fail_vertex(view, v, ROW_JOINTS + k, "joints, ascending; 0 without a weight",
                               joint < low ? low : high, joint);
        }
        least = joint + 1;
        sum += weight;
    }
    return check_range(view, v, ROW_ARRAY(weight), "weights that sum to 1", sum, 1.0f - SLACK,
                       1.0f + SLACK);
}

// The lengths of a line's segments, and their sum.
static tlw_result check_lengths(const blob_view* view, const line_vertex* first, uint32_t segments,
                                float* sum) {
    tlw_result result = TLW_OK;
    *sum = 0.0f;
    for (uint32_t s = 0; s < segments && result == TLW_OK; ++s) {
        const line_vertex v = {first->row + s, first->element + s, first->lane};
        const float length = v.row->length[v.lane];
        result = check_range(view, &v, ROW_ARRAY(length), "length of a segment, 0.25 or more",
                             length, TLW_BLOB_SEGMENT_LEAST * (1.0f - SLACK), 4.0f * PLACE_MAX);
        *sum += length;
    }
    return result;
}

// What else belongs to the segment after a vertex. `mean` is the mean length of the muscle's
// segments.
static tlw_result check_segment(const blob_view* view, const line_vertex* v, float mean) {
    const uint32_t lane = v->lane;
    const float length = v->row->length[lane], belly = v->row->belly[lane];
    const float unit = mean / length, ratio = v->row->ratio[lane];
    tlw_result result =
        check_range(view, v, ROW_ARRAY(ratio), "stiffness ratio, 1 to 100", ratio,
                    unit * (1.0f - SLACK), unit * TLW_BLOB_RATIO_MAX * (1.0f + SLACK));
    if (result != TLW_OK) {
        return result;
    }
    const float slack = length * (1.0f - 0.5f * (unit / ratio));
    result = check_range(view, v, ROW_ARRAY(slack), "slack length, by the ratio",
                         v->row->slack[lane], slack - SLACK * length, slack + SLACK * length);
    return result != TLW_OK || belly == 0.0f || belly == 1.0f
               ? result
               : fail_vertex(view, v, ROW_ARRAY(belly), "belly, 0 or 1",
                             float_bound(belly, 0.0f, 1.0f), bits_of(belly));
}

static tlw_result check_vectors(const blob_view* view, const line_vertex* v, float force) {
    tlw_result result = TLW_OK;
    float squared = 0.0f, outward_squared = 0.0f;
    for (uint32_t a = 0; a < 3 && result == TLW_OK; ++a) {
        const float tangent = v->row->tangent[a][v->lane], outward = v->row->outward[a][v->lane];
        result = check_range(view, v, ROW_ARRAY(place) + a, "place, within 2^20 voxels",
                             v->row->place[a][v->lane], -PLACE_MAX, PLACE_MAX);
        if (result == TLW_OK) {
            result = check_range(view, v, ROW_ARRAY(balance) + a, "balance, at most the springs'",
                                 v->row->balance[a][v->lane], -force, force);
        }
        if (result == TLW_OK) {
            result = check_range(view, v, ROW_ARRAY(tangent) + a, "tangent, -1 to 1", tangent,
                                 -(1.0f + SLACK), 1.0f + SLACK);
        }
        if (result == TLW_OK) {
            result = check_range(view, v, ROW_ARRAY(outward) + a, "outward direction, -1 to 1",
                                 outward, -(1.0f + SLACK), 1.0f + SLACK);
        }
        squared += tangent * tangent;
        outward_squared += outward * outward;
    }
    if (result == TLW_OK) {
        result = check_range(view, v, ROW_ARRAY(tangent), "tangent of length 1", squared,
                             1.0f - SLACK, 1.0f + SLACK);
    }
    return result == TLW_OK && outward_squared != 0.0f
               ? check_range(view, v, ROW_ARRAY(outward), "outward direction of length 1 or 0",
                             outward_squared, 1.0f - SLACK, 1.0f + SLACK)
               : result;
}

static tlw_result check_numbers(const blob_view* view, const line_vertex* v, float radius,
                                float arc) {
    const uint32_t lane = v->lane;
    const float dynamic = v->row->is_dynamic[lane];
    tlw_result result = check_range(view, v, ROW_ARRAY(radius), "radius, at most the muscle's",
                                    v->row->radius[lane], 0.0f, radius);
    if (result == TLW_OK) {
        result = check_range(view, v, ROW_ARRAY(arc), "arc length, the sum of the lengths",
                             v->row->arc[lane], arc * (1.0f - SLACK), arc * (1.0f + SLACK));
    }
    if (result == TLW_OK) {
        result = check_range(view, v, ROW_ARRAY(flex), "flex share, within 16", v->row->flex[lane],
                             -FLEX_MAX, FLEX_MAX);
    }
    if (result == TLW_OK && dynamic != 0.0f && dynamic != 1.0f) {
        result = fail_vertex(view, v, ROW_ARRAY(is_dynamic), "dynamic, 0 or 1",
                             float_bound(dynamic, 0.0f, 1.0f), bits_of(dynamic));
    }
    return result == TLW_OK ? check_weights(view, v) : result;
}

static tlw_result check_end(const blob_view* view, const line_vertex* v) {
    static const uint32_t arrays[] = {ROW_ARRAY(ratio), ROW_ARRAY(length), ROW_ARRAY(slack),
                                      ROW_ARRAY(belly)};
    for (size_t i = 0; i < TLW_COUNT_OF(arrays); ++i) {
        const uint64_t bits = bits_of(number_at(v->row, arrays[i], v->lane));
        if (bits != 0) {
            return fail_vertex(view, v, arrays[i], "no segment after the last vertex", 0, bits);
        }
    }
    return TLW_OK;
}

// The line of a muscle, vertex by vertex.
static tlw_result check_line(const blob_view* view, uint32_t m) {
    const tlw_blob_muscle* muscle = (const tlw_blob_muscle*)first_of(view, TLW_SECTION_MUSCLES) + m;
    const tlw_blob_muscle_group* group =
        (const tlw_blob_muscle_group*)first_of(view, TLW_SECTION_MUSCLE_GROUPS) + m / LANES;
    const tlw_blob_muscle_row* rows =
        (const tlw_blob_muscle_row*)first_of(view, TLW_SECTION_MUSCLE_ROWS) + group->first_row;
    const uint32_t lane = m % LANES, last = muscle->vertex_count - 1;
    const line_vertex first = {rows, group->first_row, lane};
    float largest = 0.0f, arc = 0.0f, before = 0.0f, sum;
    bool has_belly = false;
    tlw_result result = check_lengths(view, &first, last, &sum);
    for (uint32_t i = 0; i <= last && result == TLW_OK; ++i) {
        const line_vertex v = {&rows[i], (uint64_t)group->first_row + i, lane};
        result = i < last ? check_segment(view, &v, sum / (float)last) : check_end(view, &v);
        if (result == TLW_OK) {
            result = check_numbers(view, &v, muscle->radius, arc);
        }
        const float after = rows[i].ratio[lane] * (rows[i].length[lane] - rows[i].slack[lane]);
        if (result == TLW_OK) {
            result = check_vectors(view, &v, (before + after) * (1.0f + SLACK));
        }
        before = after;
        arc += rows[i].length[lane];
        largest = rows[i].radius[lane] > largest ? rows[i].radius[lane] : largest;
        has_belly = has_belly || rows[i].belly[lane] == 1.0f;
    }
    if (result == TLW_OK && !has_belly) {
        result = fail_at(view, TLW_SECTION_MUSCLES, m, "a segment that is no tendon", 1, 0);
    }
    if (result == TLW_OK && (largest != muscle->radius || !(largest > 0.0f))) {
        // A radius of 0 is what the first of two different numbers is left for.
        result = fail_at(view, TLW_SECTION_MUSCLES, m, "the largest radius of its vertices",
                         bits_of(largest > 0.0f ? largest : 1.0f), bits_of(muscle->radius));
    }
    return result;
}

static tlw_result check_unused_rows(const blob_view* view, uint32_t group) {
    const tlw_blob_muscle_group* groups = first_of(view, TLW_SECTION_MUSCLE_GROUPS);
    const tlw_blob_muscle_row* rows = first_of(view, TLW_SECTION_MUSCLE_ROWS);
    const tlw_blob_muscle* muscles = first_of(view, TLW_SECTION_MUSCLES);
    const uint32_t used = muscles_of(view, group);
    for (uint32_t row = groups[group].first_row; row < groups[group + 1].first_row; ++row) {
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const uint32_t count = lane < used ? muscles[group * LANES + lane].vertex_count : 0;
            const line_vertex v = {&rows[row], row, lane};
            if (row - groups[group].first_row >= count && check_unused(view, &v) != TLW_OK) {
                return TLW_ERROR_BAD_BLOB;
            }
        }
    }
    return TLW_OK;
}

// ---- Fields

enum { FIELD_REACH = 7, FIELD_JOINT = 8 }; // arrays of a field, for reports

static tlw_result fail_field(const blob_view* view, uint64_t field, uint32_t array, uint32_t lane,
                             const char* what, uint64_t expected, uint64_t found) {
    return fail_component(view, TLW_SECTION_MUSCLE_FIELDS, field, array * LANES + lane, what,
                          expected, found);
}

static tlw_result check_used_field(const blob_view* view, uint64_t i, uint32_t lane) {
    const tlw_blob_muscle_field* field =
        (const tlw_blob_muscle_field*)first_of(view, TLW_SECTION_MUSCLE_FIELDS) + i;
    const float most = (1.0f + SLACK) / TLW_BLOB_SEGMENT_LEAST, reach = field->reach[lane];
    const struct {
        const char* what;
        float value, low, high;
    } numbers[] = {
        {"centre, within 2^20 voxels", field->centre[0][lane], -PLACE_MAX, PLACE_MAX},
        {"centre, within 2^20 voxels", field->centre[1][lane], -PLACE_MAX, PLACE_MAX},
        {"centre, within 2^20 voxels", field->centre[2][lane], -PLACE_MAX, PLACE_MAX},
        {"inverse of a radius, at most 4", field->inverse[0][lane], INVERSE_MIN, most},
        {"inverse of a radius, at most 4", field->inverse[1][lane], INVERSE_MIN, most},
        {"inverse of a radius, at most 4", field->inverse[2][lane], INVERSE_MIN, most},
        {"gain, 0 to 40", field->gain[lane], 0.0f, TLW_BLOB_FIELD_GAIN_MAX},
        {"reach, 0, or above 1 up to 100", reach, 0.0f, FIELD_REACH_MAX},
    };
    for (uint32_t k = 0; k < TLW_COUNT_OF(numbers); ++k) {
        const float value = numbers[k].value;
        if (!(value >= numbers[k].low && value <= numbers[k].high)) {
            return fail_field(view, i, k, lane, numbers[k].what,
                              float_bound(value, numbers[k].low, numbers[k].high), bits_of(value));
        }
    }
    if (reach != 0.0f && !(reach > 1.0f)) {
        return fail_field(view, i, FIELD_REACH, lane, "reach, 0, or above 1 up to 100", 0,
                          bits_of(reach));
    }
    return field->joint[lane] < view->lattice->joint_count
               ? TLW_OK
               : fail_field(view, i, FIELD_JOINT, lane, "joint",
                            last_index(view->lattice->joint_count), field->joint[lane]);
}

static tlw_result check_unused_field(const blob_view* view, uint64_t i, uint32_t lane) {
    const tlw_blob_muscle_field* field =
        (const tlw_blob_muscle_field*)first_of(view, TLW_SECTION_MUSCLE_FIELDS) + i;
    for (uint32_t k = 0; k < FIELD_JOINT; ++k) {
        const uint64_t bits = bits_of(number_at(field, k, lane));
        if (bits != 0) {
            return fail_field(view, i, k, lane, "0 where there is no field", 0, bits);
        }
    }
    return field->joint[lane] == 0 ? TLW_OK
                                   : fail_field(view, i, FIELD_JOINT, lane,
                                                "0 where there is no field", 0, field->joint[lane]);
}

// A lane has fields from the first on, and a field has a lane. A field of radius 0 is none.
static tlw_result check_fields(const blob_view* view, uint32_t group) {
    const tlw_blob_muscle_group* groups = first_of(view, TLW_SECTION_MUSCLE_GROUPS);
    const tlw_blob_muscle_field* fields = first_of(view, TLW_SECTION_MUSCLE_FIELDS);
    bool is_open[LANES]; // the lane had all fields so far
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        is_open[lane] = lane < muscles_of(view, group);
    }
    for (uint32_t i = groups[group].first_field; i < groups[group + 1].first_field; ++i) {
        bool has_any = false;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            is_open[lane] = is_open[lane] && bits_of(fields[i].inverse[0][lane]) != 0;
            has_any = has_any || is_open[lane];
            const tlw_result result =
                is_open[lane] ? check_used_field(view, i, lane) : check_unused_field(view, i, lane);
            if (result != TLW_OK) {
                return result;
            }
        }
        if (!has_any) {
            return fail_at(view, TLW_SECTION_MUSCLE_FIELDS, i, "a field that a muscle has", 1, 0);
        }
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_muscles(const blob_view* view) {
    const uint32_t count = view->lattice->muscle_count;
    tlw_result result = check_presence(view);
    if (result != TLW_OK || count == 0) {
        return result;
    }
    for (uint32_t m = 0; m < count && result == TLW_OK; ++m) {
        result = check_muscle(view, m);
    }
    if (result == TLW_OK) {
        result = check_groups(view);
    }
    for (uint32_t m = 0; m < count && result == TLW_OK; ++m) {
        result = check_line(view, m);
    }
    for (uint32_t g = 0; g * LANES < count && result == TLW_OK; ++g) {
        result = check_unused_rows(view, g);
        if (result == TLW_OK) {
            result = check_fields(view, g);
        }
    }
    return result;
}
