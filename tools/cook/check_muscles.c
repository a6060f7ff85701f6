// SPDX-License-Identifier: MIT
// Part of the stage check (RULES 9.12, 12): the muscles of the recipe. Every number, every joint,
// and what mirroring asks of names. What needs the size of a voxel, such as the length of segments,
// is left to the stage muscles. Reads the recipe and cook->names.
#include "tools/cook/stages.h"

#include <stdio.h>
#include <string.h>

#define FAR         1e6 // metres, or segments: places are checked again in voxels
#define BULGE_MAX   10.0
#define REACH_MAX   100.0
#define ANGLE_MAX   180.0
#define ANGLE_LEAST 1.0
#define KEY_BYTES   32

static const char* name_of(const tlw_cook* cook, uint32_t muscle) {
    return cook->recipe->muscles[muscle].name;
}

// A number within [low, high], or ]low, high] where `low` itself is too little. `key` is its name
// below the muscle, "line[4].along".
typedef struct number_range {
    double low, high;
    bool is_above;
} number_range;

static tlw_result check_number(tlw_cook* cook, uint32_t muscle, const char* key, double value,
                               number_range range) {
    if ((range.is_above ? value > range.low : value >= range.low) && value <= range.high) {
        return TLW_OK;
    }
    const char* name = name_of(cook, muscle);
    tlw_cook_blame(cook, "muscles[%u].%s", muscle, key);
    return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                         range.is_above ? "muscle '%s': %s is %g; it is above %g and at most %g"
                                        : "muscle '%s': %s is %g; it is %g to %g",
                         name ? name : "auto", key, value, range.low, range.high);
}

static tlw_result check_vector(tlw_cook* cook, uint32_t muscle, const char* key,
                               const float value[3]) {
    for (int i = 0; i < 3; ++i) {
        if (check_number(cook, muscle, key, (double)value[i], (number_range){-FAR, FAR, false}) !=
            TLW_OK) {
            break;
        }
    }
    return cook->error.result;
}

// The joint's index, or TLW_NO_JOINT after setting the error.
static uint32_t check_joint(tlw_cook* cook, uint32_t muscle, const char* key, const char* joint) {
    const uint32_t found =
        joint ? tlw_find_joint_name(cook->names, cook->input->joint_count, joint) : TLW_NO_JOINT;
    if (found == TLW_NO_JOINT) {
        tlw_cook_blame(cook, "muscles[%u].%s", muscle, key);
        tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "muscle '%s', %s: there is no joint '%s'",
                      name_of(cook, muscle), key, joint ? joint : "");
        return TLW_NO_JOINT;
    }
    if (cook->recipe->muscles[muscle].is_mirrored &&
        tlw_cook_partner_of(cook, found) == TLW_NO_JOINT) {
        tlw_cook_blame(cook, "muscles[%u].mirror", muscle);
        tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND,
                      "muscle '%s' cannot be mirrored: %s is '%s', and there is no such joint on "
                      "the other side",
                      name_of(cook, muscle), key, joint);
        return TLW_NO_JOINT;
    }
    return found;
}

static tlw_result check_weights(tlw_cook* cook, uint32_t muscle, const char* what,
                                const tlw_cook_place* place) {
    char key[KEY_BYTES];
    uint32_t found[TLW_COOK_PLACE_JOINTS], count = 0;
    snprintf(key, sizeof key, "%s.joints", what);
    for (; count < TLW_COOK_PLACE_JOINTS && place->joints[count] != NULL; ++count) {
        found[count] = check_joint(cook, muscle, key, place->joints[count]);
        if (found[count] == TLW_NO_JOINT ||
            check_number(cook, muscle, key, (double)place->weights[count],
                         (number_range){0.0, FAR, true}) != TLW_OK) {
            return cook->error.result;
        }
        for (uint32_t k = 0; k < count; ++k) {
            if (found[k] == found[count]) {
                tlw_cook_blame(cook, "muscles[%u].%s", muscle, key);
                return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                     "muscle '%s', %s: joint '%s' is in the list already",
                                     name_of(cook, muscle), key, place->joints[count]);
            }
        }
    }
    if (count == 0) {
        tlw_cook_blame(cook, "muscles[%u].%s", muscle, what);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "muscle '%s', %s: it names no joint",
                             name_of(cook, muscle), what);
    }
    snprintf(key, sizeof key, "%s.at", what);
    return check_vector(cook, muscle, key, place->at);
}

// A place; `what` is "line[4]" or "fields[0]".
static tlw_result check_place(tlw_cook* cook, uint32_t muscle, const char* what,
                              const tlw_cook_place* place) {
    char key[KEY_BYTES];
    if (place->joint == NULL) {
        return check_weights(cook, muscle, what, place);
    }
    snprintf(key, sizeof key, "%s.joint", what);
    if (check_joint(cook, muscle, key, place->joint) == TLW_NO_JOINT) {
        return cook->error.result;
    }
    snprintf(key, sizeof key, "%s.along", what);
    if (check_number(cook, muscle, key, (double)place->along, (number_range){-FAR, FAR, false}) !=
        TLW_OK) {
        return cook->error.result;
    }
    snprintf(key, sizeof key, "%s.offset", what);
    return check_vector(cook, muscle, key, place->offset);
}

static tlw_result check_line(tlw_cook* cook, uint32_t i) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[i];
    if (muscle->line == NULL || muscle->vertex_count < 3 ||
        muscle->vertex_count > TLW_BLOB_LINE_VERTICES) {
        tlw_cook_blame(cook, "muscles[%u].line", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s': its line has %u vertices; it has 3 to %u", muscle->name,
                             muscle->line ? muscle->vertex_count : 0, TLW_BLOB_LINE_VERTICES);
    }
    bool has_radius = false;
    for (uint32_t v = 0; v < muscle->vertex_count; ++v) {
        const tlw_cook_line_vertex* vertex = &muscle->line[v];
        char key[KEY_BYTES];
        snprintf(key, sizeof key, "line[%u]", v);
        if (check_place(cook, i, key, &vertex->place) != TLW_OK) {
            return cook->error.result;
        }
        snprintf(key, sizeof key, "line[%u].radius", v);
        if (!(vertex->radius < 0.0f) && check_number(cook, i, key, (double)vertex->radius,
                                                     (number_range){0.0, 1.0, false}) != TLW_OK) {
            return cook->error.result;
        }
        const bool is_end = v == 0 || v + 1 == muscle->vertex_count;
        has_radius |= vertex->radius > 0.0f || (vertex->radius < 0.0f && !is_end);
    }
    if (!has_radius) {
        tlw_cook_blame(cook, "muscles[%u].line", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s': no vertex of its line has a radius above 0",
                             muscle->name);
    }
    return TLW_OK;
}

static tlw_result check_tendons(tlw_cook* cook, uint32_t i) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[i];
    const uint32_t segments = muscle->vertex_count - 1;
    uint32_t tendons = 0;
    for (uint32_t k = 0; k < muscle->tendon_count; ++k) {
        const uint32_t segment = muscle->tendons[k];
        if (segment >= segments || (tendons >> segment & 1) != 0) {
            tlw_cook_blame(cook, "muscles[%u].tendons", i);
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 segment >= segments
                                     ? "muscle '%s': tendon %u is segment %u; segments are 0 to %u"
                                     : "muscle '%s': tendon %u is segment %u, which is in the "
                                       "list already (segments are 0 to %u)",
                                 muscle->name, k, segment, segments - 1);
        }
        tendons |= 1u << segment;
    }
    if (muscle->tendon_count >= segments) {
        tlw_cook_blame(cook, "muscles[%u].tendons", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s': all of its %u segments are tendons; one at least is "
                             "its belly",
                             muscle->name, segments);
    }
    return TLW_OK;
}

static tlw_result check_field(tlw_cook* cook, uint32_t i, uint32_t f) {
    const tlw_cook_muscle_field* field = &cook->recipe->muscles[i].fields[f];
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "fields[%u]", f);
    if (check_place(cook, i, key, &field->place) != TLW_OK) {
        return cook->error.result;
    }
    if (field->place.joint == NULL && field->place.joints[1] != NULL) {
        tlw_cook_blame(cook, "muscles[%u].%s.joints", i, key);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s', %s: a field follows one joint", name_of(cook, i), key);
    }
    const struct {
        const char* key;
        double value;
        number_range range;
    } numbers[] = {
        {"radii", (double)field->radii[0], {0.0, FAR, true}},
        {"radii", (double)field->radii[1], {0.0, FAR, true}},
        {"radii", (double)field->radii[2], {0.0, FAR, true}},
        {"gain", (double)field->gain, {0.0, (double)TLW_BLOB_FIELD_GAIN_MAX, false}},
        {"reach", field->attracts ? (double)field->reach : REACH_MAX, {1.0, REACH_MAX, true}},
    };
    for (size_t k = 0; k < TLW_COUNT_OF(numbers) && cook->error.result == TLW_OK; ++k) {
        snprintf(key, sizeof key, "fields[%u].%s", f, numbers[k].key);
        check_number(cook, i, key, numbers[k].value, numbers[k].range);
    }
    return cook->error.result;
}

static tlw_result check_fields(tlw_cook* cook, uint32_t i) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[i];
    if (muscle->field_count > TLW_BLOB_LINE_FIELDS) {
        tlw_cook_blame(cook, "muscles[%u].fields", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s': %u fields; at most %u are possible", muscle->name,
                             muscle->field_count, TLW_BLOB_LINE_FIELDS);
    }
    for (uint32_t f = 0; f < muscle->field_count && cook->error.result == TLW_OK; ++f) {
        check_field(cook, i, f);
    }
    return cook->error.result;
}

static tlw_result check_flex(tlw_cook* cook, uint32_t i) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[i];
    const number_range angles = {0.0, ANGLE_MAX, false};
    if (muscle->flex_joint == NULL) {
        return TLW_OK;
    }
    const uint32_t joint = check_joint(cook, i, "flex.joint", muscle->flex_joint);
    if (joint == TLW_NO_JOINT ||
        check_number(cook, i, "flex.from", (double)muscle->flex_from, angles) != TLW_OK ||
        check_number(cook, i, "flex.to", (double)muscle->flex_to, angles) != TLW_OK) {
        return cook->error.result;
    }
    const double apart = (double)muscle->flex_to - (double)muscle->flex_from;
    if (apart < ANGLE_LEAST && apart > -ANGLE_LEAST) {
        tlw_cook_blame(cook, "muscles[%u].flex", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s', flex: from %g to %g degrees; they are at least %g apart",
                             muscle->name, (double)muscle->flex_from, (double)muscle->flex_to,
                             ANGLE_LEAST);
    }
    if (cook->input->joints[joint].parent == TLW_NO_JOINT) {
        tlw_cook_blame(cook, "muscles[%u].flex.joint", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle '%s', flex.joint: '%s' has no parent to bend against",
                             muscle->name, muscle->flex_joint);
    }
    return TLW_OK;
}

// ---- Mirror

uint32_t tlw_cook_partner_of(tlw_cook* cook, uint32_t joint) {
    const char* name = cook->input->joints[joint].name;
    char* mirrored = tlw_cook_allocate(cook, strlen(name) + TLW_MIRRORED_BYTES, 1);
    uint32_t partner = TLW_NO_JOINT;
    if (mirrored != NULL) {
        const uint32_t sides = tlw_mirror_name(name, mirrored);
        partner = sides == 0 ? joint
                  : sides == 1
                      ? tlw_find_joint_name(cook->names, cook->input->joint_count, mirrored)
                      : TLW_NO_JOINT;
        tlw_cook_free(cook, mirrored);
    }
    return partner;
}

static bool has_side(const char* joint) {
    return joint != NULL && tlw_mirror_name(joint, NULL) == 1;
}

static bool place_has_side(const tlw_cook_place* place) {
    bool found = has_side(place->joint);
    for (int k = 0; place->joint == NULL && k < TLW_COOK_PLACE_JOINTS; ++k) {
        found = found || has_side(place->joints[k]);
    }
    return found;
}

static tlw_result check_mirror(tlw_cook* cook, uint32_t i) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[i];
    char mirrored[TLW_COOK_NAME_MAX + TLW_MIRRORED_BYTES];
    const uint32_t sides = tlw_mirror_name(muscle->name, mirrored);
    const char* wrong = NULL;
    if (sides != 1) {
        wrong = sides == 0 ? "none of the words of its name is left, right, l or r"
                           : "more than one of the words of its name is left, right, l or r";
    } else if (strlen(mirrored) >= TLW_COOK_NAME_MAX) {
        wrong = "its name on the other side is too long";
    }
    bool has_partner = has_side(muscle->flex_joint);
    for (uint32_t v = 0; v < muscle->vertex_count; ++v) {
        has_partner = has_partner || place_has_side(&muscle->line[v].place);
    }
    for (uint32_t f = 0; f < muscle->field_count; ++f) {
        has_partner = has_partner || place_has_side(&muscle->fields[f].place);
    }
    if (wrong == NULL && !has_partner) {
        wrong = "none of its joints has a partner on the other side";
    }
    if (wrong != NULL) {
        tlw_cook_blame(cook, "muscles[%u].mirror", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "muscle '%s' cannot be mirrored: %s",
                             muscle->name, wrong);
    }
    return TLW_OK;
}

static tlw_result check_muscle(tlw_cook* cook, uint32_t i) {
    const tlw_cook_muscle* muscle = &cook->recipe->muscles[i];
    if (muscle->name != NULL &&
        (muscle->name[0] == 0 || strlen(muscle->name) >= TLW_COOK_NAME_MAX)) {
        tlw_cook_blame(cook, "muscles[%u].name", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "muscle %u: its name '%s' has %zu bytes; it has 1 to %d", i,
                             muscle->name, strlen(muscle->name), TLW_COOK_NAME_MAX - 1);
    }
    if (check_number(cook, i, "bulge", (double)muscle->bulge,
                     (number_range){0.0, BULGE_MAX, false}) != TLW_OK ||
        muscle->name == NULL) {
        return cook->error.result;
    }
    if (check_number(cook, i, "radius", (double)muscle->radius, (number_range){1e-9, FAR, false}) !=
            TLW_OK ||
        check_line(cook, i) != TLW_OK || check_tendons(cook, i) != TLW_OK ||
        check_fields(cook, i) != TLW_OK || check_flex(cook, i) != TLW_OK) {
        return cook->error.result;
    }
    return muscle->is_mirrored ? check_mirror(cook, i) : TLW_OK;
}

tlw_result tlw_cook_check_muscles(tlw_cook* cook) {
    bool has_auto = false;
    for (uint32_t i = 0; i < cook->recipe->muscle_count; ++i) {
        if (check_muscle(cook, i) != TLW_OK) {
            break;
        }
        if (cook->recipe->muscles[i].name == NULL && has_auto) {
            tlw_cook_blame(cook, "muscles[%u]", i);
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "muscle %u: \"auto\" is in the list already", i);
        }
        has_auto |= cook->recipe->muscles[i].name == NULL;
    }
    return cook->error.result;
}
