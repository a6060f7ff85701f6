// SPDX-License-Identifier: MIT
// Makes the shoulder: a barrel and a capsule that overlap, three joints, and a pectoral by the
// cooker's interface (RULES 9.12).
#include "tools/motion/shoulder.h"

#include <math.h>

#define DEGREE      0.017453292519943295
#define HANG        45.0 // degrees of the arm below the horizontal
#define TRUNK_HALF  0.25 // metres, as are all of these
#define TRUNK_WIDE  0.165
#define TRUNK_DEEP  0.117
#define ARM_RADIUS  0.05
#define ARM_START   (-0.03) // along the arm, from the shoulder
#define ARM_END     0.40
#define BLEND_START 0.0 // where the arm's weights begin and end to follow it
#define BLEND_END   0.10

enum { AROUND = 40, TRUNK_POINTS = 41, CAP_STEPS = 8, SHAFT_STEPS = 40 };
enum { ARM_POINTS = 2 * CAP_STEPS + SHAFT_STEPS + 1 };
enum { CHEST, UPPER_ARM, FOREARM };
enum { BELLY_END = 5 }; // its last vertex that follows the chest alone

static const char* const names[TLW_SHOULDER_JOINTS] = {"chest", "upper_arm", "forearm"};
static const double joint_places[TLW_SHOULDER_JOINTS][3] = {
    {0, 1.10, 0}, {0.17, 1.37, 0}, {0.17 + 0.19799, 1.37 - 0.19799, 0}};

const double tlw_shoulder_ribs[3] = {0, 1.24, 0}, tlw_shoulder_rib_radii[3] = {0.14, 0.22, 0.095};

// ---- The mesh

static void make_trunk(tlw_shoulder* s) {
    tlw_revolve_point points[TRUNK_POINTS];
    for (int i = 0; i < TRUNK_POINTS; ++i) {
        const double angle = (180.0 * i / (TRUNK_POINTS - 1) - 90.0) * DEGREE;
        const double share = sin(angle); // -1 to 1, denser at the ends
        points[i].along = tlw_shoulder_ribs[1] + TRUNK_HALF * share;
        points[i].radius = sqrt(fmax(0, 1 - share * share * share * share));
    }
    points[0].radius = points[TRUNK_POINTS - 1].radius = 0;
    tlw_revolve_add(&s->surface, points, TRUNK_POINTS, AROUND, 1);
    for (uint32_t v = 0; v < s->surface.vertex_count; ++v) {
        float *p = s->surface.positions + (size_t)v * 3, *n = s->surface.normals + (size_t)v * 3;
        p[0] *= (float)TRUNK_WIDE;
        p[2] *= (float)TRUNK_DEEP;
        n[0] /= (float)TRUNK_WIDE;
        n[2] /= (float)TRUNK_DEEP;
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        n[0] /= length, n[1] /= length, n[2] /= length;
    }
}

static void make_arm(tlw_shoulder* s) {
    tlw_revolve_point points[ARM_POINTS];
    for (int i = 0; i < CAP_STEPS; ++i) {
        const double angle = 90.0 * i / CAP_STEPS * DEGREE;
        const tlw_revolve_point cap = {ARM_RADIUS * cos(angle), ARM_RADIUS * sin(angle)};
        points[i] = (tlw_revolve_point){ARM_START - cap.along, cap.radius};
        points[ARM_POINTS - 1 - i] = (tlw_revolve_point){ARM_END + cap.along, cap.radius};
    }
    for (int i = 0; i <= SHAFT_STEPS; ++i) {
        const double along = ARM_START + (ARM_END - ARM_START) * i / SHAFT_STEPS;
        points[CAP_STEPS + i] = (tlw_revolve_point){along, ARM_RADIUS};
    }
    const uint32_t first = s->surface.vertex_count;
    tlw_revolve_add(&s->surface, points, ARM_POINTS, AROUND, 0);
    const float c = (float)cos(HANG * DEGREE), d = (float)sin(HANG * DEGREE);
    for (uint32_t v = first; v < s->surface.vertex_count; ++v) {
        float *p = s->surface.positions + (size_t)v * 3, *n = s->surface.normals + (size_t)v * 3;
        const double x = ((double)p[0] - BLEND_START) / (BLEND_END - BLEND_START);
        const double share = fmin(fmax(x, 0), 1);
        tlw_revolve_weigh(&s->surface, v, share * share * (3 - 2 * share));
        const float at[2] = {p[0], p[1]}, to[2] = {n[0], n[1]};
        p[0] = c * at[0] + d * at[1] + (float)joint_places[UPPER_ARM][0];
        p[1] = -d * at[0] + c * at[1] + (float)joint_places[UPPER_ARM][1];
        n[0] = c * to[0] + d * to[1];
        n[1] = -d * to[0] + c * to[1];
    }
}

static void make_joints(tlw_shoulder* s) {
    for (uint32_t j = 0; j < TLW_SHOULDER_JOINTS; ++j) {
        s->joints[j] = (tlw_cook_joint){.name = names[j], .parent = j == 0 ? TLW_NO_JOINT : j - 1};
        for (int i = 0; i < 4; ++i) {
            s->joints[j].bind[i * 5] = 1;
        }
        for (int a = 0; a < 3; ++a) {
            s->joints[j].bind[12 + a] = joint_places[j][a];
        }
    }
}

// ---- The pectoral

// A place of the line, and how much of it follows the arm.
typedef struct station {
    float at[3], arm, radius;
} station;

static void make_pectoral(tlw_shoulder* s, bool has_field) {
    static const station stations[TLW_SHOULDER_VERTICES] = {
        {{0.015f, 1.265f, 0.105f}, 0, 0},        {{0.045f, 1.270f, 0.103f}, 0, 0.8f},
        {{0.073f, 1.276f, 0.095f}, 0, 1},        {{0.098f, 1.283f, 0.084f}, 0, 1},
        {{0.120f, 1.292f, 0.070f}, 0, 1},        {{0.143f, 1.300f, 0.057f}, 0, 0.8f},
        {{0.168f, 1.303f, 0.048f}, 0.25f, 0.5f}, {{0.195f, 1.300f, 0.042f}, 0.75f, 0.3f},
        {{0.226f, 1.292f, 0.035f}, 1, 0}};
    static const uint32_t tendons[] = {6, 7};
    for (uint32_t i = 0; i < TLW_SHOULDER_VERTICES; ++i) {
        tlw_cook_line_vertex* v = &s->line[i];
        *v = (tlw_cook_line_vertex){.radius = stations[i].radius, .is_dynamic = TLW_COOK_KEEP};
        uint32_t count = 0;
        if (stations[i].arm < 1) {
            v->place.joints[count] = names[CHEST];
            v->place.weights[count++] = 1 - stations[i].arm;
        }
        if (stations[i].arm > 0) {
            v->place.joints[count] = names[UPPER_ARM];
            v->place.weights[count++] = stations[i].arm;
        }
        for (int a = 0; a < 3; ++a) {
            v->place.at[a] = stations[i].at[a];
        }
    }
    s->pectoral = tlw_default_cook_muscle("pectoral");
    s->pectoral.radius = 0.02f;
    s->pectoral.line = s->line;
    s->pectoral.vertex_count = TLW_SHOULDER_VERTICES;
    s->pectoral.tendons = tendons;
    s->pectoral.tendon_count = TLW_COUNT_OF(tendons);
    s->field = tlw_default_cook_muscle_field();
    s->field.place.joints[0] = names[CHEST];
    s->field.place.weights[0] = 1;
    for (int a = 0; a < 3; ++a) {
        s->field.place.at[a] = (float)tlw_shoulder_ribs[a];
        s->field.radii[a] = (float)tlw_shoulder_rib_radii[a];
    }
    s->field.attracts = true;
    s->field.reach = 1.5f;
    s->pectoral.fields = has_field ? &s->field : NULL;
    s->pectoral.field_count = has_field;
    s->recipe.muscles = &s->pectoral;
    s->recipe.muscle_count = 1;
}

bool tlw_shoulder_make(tlw_shoulder* s, bool has_field) {
    *s = (tlw_shoulder){.recipe = tlw_default_cook_recipe()};
    if (!tlw_revolve_create(&s->surface,
                            tlw_revolve_vertices(TRUNK_POINTS, AROUND) +
                                tlw_revolve_vertices(ARM_POINTS, AROUND),
                            tlw_revolve_triangles(TRUNK_POINTS, AROUND) +
                                tlw_revolve_triangles(ARM_POINTS, AROUND))) {
        return false;
    }
    make_trunk(s);
    make_arm(s);
    make_joints(s);
    s->mesh = tlw_revolve_mesh(&s->surface, "shoulder");
    s->input = (tlw_cook_input){.joints = s->joints,
                                .joint_count = TLW_SHOULDER_JOINTS,
                                .meshes = &s->mesh,
                                .mesh_count = 1};
    s->recipe.resolution = 32;
    s->recipe.is_firm_auto = false;
    s->recipe.volume_reach = 0;
    make_pectoral(s, has_field);
    return true;
}

void tlw_shoulder_free(tlw_shoulder* s) {
    tlw_revolve_free(&s->surface);
}

tlw_bent_joint tlw_shoulder_abduction(double degrees) {
    return (tlw_bent_joint){.joint = names[UPPER_ARM], .degrees = degrees, .towards = {1, 1, 0}};
}

static double off_ribs(const double place[3]) {
    double phi = 0, length = 0;
    for (int a = 0; a < 3; ++a) {
        const double z = place[a] - tlw_shoulder_ribs[a];
        phi += z * z / (tlw_shoulder_rib_radii[a] * tlw_shoulder_rib_radii[a]);
        length += z * z;
    }
    return phi > 0 ? fabs(sqrt(length) * (1 - 1 / sqrt(phi))) : tlw_shoulder_rib_radii[2];
}

double tlw_shoulder_off_ribs(const tlw_muscle_sections* pectoral) {
    double most = 0;
    for (uint32_t i = 1; i < pectoral->vertex_count && i <= BELLY_END; ++i) {
        most = fmax(most, off_ribs(pectoral->vertices[i]));
    }
    return most;
}
