// SPDX-License-Identifier: MIT
// Makes the arm: its mesh with smooth weights at the elbow, its joints, and its muscles by the
// cooker's interface (RULES 9.12).
#include "tools/motion/arm.h"

#include <math.h>

#define RADIUS TLW_ARM_RADIUS_METRES
#define VOXEL  TLW_ARM_VOXEL_METRES
#define DEGREE 0.017453292519943295

// The capsule: centres of its round ends, relative to the elbow; two rings of vertices per voxel of
// the shaft, and the turn of an end in 8 steps.
#define SHOULDER_END (-0.162)
#define WRIST_END    0.1155
enum { AROUND = 32, CAP_STEPS = 8, SHAFT_STEPS = 48, POINTS = 2 * CAP_STEPS + SHAFT_STEPS + 1 };
// Half the length over which the weights of the two joints blend.
#define BLEND_METRES (3 * VOXEL)

static const char* const names[TLW_ARM_JOINTS] = {"upper_arm", "forearm"};

static void make_surface(tlw_arm* arm) {
    tlw_revolve_point points[POINTS];
    for (int i = 0; i < CAP_STEPS; ++i) {
        const double angle = 90.0 * i / CAP_STEPS * DEGREE;
        const tlw_revolve_point cap = {RADIUS * cos(angle), RADIUS * sin(angle)};
        points[i] = (tlw_revolve_point){SHOULDER_END - cap.along, cap.radius};
        points[POINTS - 1 - i] = (tlw_revolve_point){WRIST_END + cap.along, cap.radius};
    }
    for (int i = 0; i <= SHAFT_STEPS; ++i) {
        const double along = SHOULDER_END + (WRIST_END - SHOULDER_END) * i / SHAFT_STEPS;
        points[CAP_STEPS + i] = (tlw_revolve_point){along, RADIUS};
    }
    tlw_revolve_add(&arm->surface, points, POINTS, AROUND, 0);
    for (uint32_t v = 0; v < arm->surface.vertex_count; ++v) {
        const double x = ((double)arm->surface.positions[(size_t)v * 3] / BLEND_METRES + 1) / 2;
        const double share = x < 0 ? 0 : x > 1 ? 1 : x;
        tlw_revolve_weigh(&arm->surface, v, share * share * (3 - 2 * share));
    }
}

static void make_joints(tlw_arm* arm) {
    for (uint32_t j = 0; j < TLW_ARM_JOINTS; ++j) {
        arm->joints[j] =
            (tlw_cook_joint){.name = names[j], .parent = j == 0 ? TLW_NO_JOINT : j - 1};
        for (int i = 0; i < 4; ++i) {
            arm->joints[j].bind[i * 5] = 1;
        }
    }
    arm->joints[0].bind[12] = -TLW_ARM_UPPER_METRES;
}

// A station of a line: on a joint, or half on each at the elbow (along is not read then).
typedef struct station {
    int joint; // -1: half on each
    float along, height, radius;
} station;

enum { HALF = -1 };

static void make_muscle(tlw_arm* arm, uint32_t index, const char* name, const station* stations,
                        uint32_t count, const uint32_t* tendons, uint32_t tendon_count) {
    tlw_cook_line_vertex* line = arm->lines[index];
    for (uint32_t i = 0; i < count; ++i) {
        const station* s = &stations[i];
        line[i] = (tlw_cook_line_vertex){.radius = s->radius, .is_dynamic = TLW_COOK_KEEP};
        if (s->joint == HALF) {
            for (int j = 0; j < TLW_ARM_JOINTS; ++j) {
                line[i].place.joints[j] = names[j];
                line[i].place.weights[j] = 0.5f;
            }
            line[i].place.at[2] = s->height;
        } else {
            line[i].place.joint = names[s->joint];
            line[i].place.along = s->along;
            line[i].place.offset[2] = s->height;
        }
    }
    tlw_cook_muscle* muscle = &arm->muscles[index];
    *muscle = tlw_default_cook_muscle(name);
    muscle->radius = 0.022f;
    muscle->line = line;
    muscle->vertex_count = count;
    muscle->tendons = tendons;
    muscle->tendon_count = tendon_count;
    arm->recipe.muscle_count = index + 1;
}

static void make_biceps(tlw_arm* arm) {
    static const station stations[] = {{0, 0.0f, 0.03f, 0},      {0, 0.2f, 0.03f, 0.8f},
                                       {0, 0.38f, 0.03f, 1},     {0, 0.56f, 0.03f, 1},
                                       {0, 0.74f, 0.03f, 0.75f}, {0, 0.9f, 0.03f, 0.3f},
                                       {1, 0.12f, 0.02f, 0}};
    static const uint32_t tendons[] = {0, 5};
    make_muscle(arm, 0, "biceps", stations, TLW_COUNT_OF(stations), tendons, TLW_COUNT_OF(tendons));
}

// It goes around the elbow with three vertices, as a line needs that a field shall hold off.
static void make_triceps(tlw_arm* arm) {
    static const station stations[TLW_ARM_VERTICES_MAX] = {
        {0, 0.08f, -0.03f, 0}, {0, 0.28f, -0.03f, 0.8f},  {0, 0.46f, -0.03f, 1},
        {0, 0.64f, -0.03f, 1}, {0, 0.82f, -0.03f, 0.75f}, {0, 0.9f, -0.03f, 0.3f},
        {HALF, 0, -0.03f, 0},  {1, 0.1f, -0.03f, 0},      {1, 0.2f, -0.027f, 0}};
    static const uint32_t tendons[] = {0, 5, 6, 7};
    make_muscle(arm, 1, "triceps", stations, TLW_COUNT_OF(stations), tendons,
                TLW_COUNT_OF(tendons));
    arm->field = tlw_default_cook_muscle_field();
    for (int a = 0; a < 3; ++a) {
        arm->field.radii[a] = 0.027f;
    }
    arm->field.place.joint = names[1];
    arm->muscles[1].fields = &arm->field;
    arm->muscles[1].field_count = 1;
}

bool tlw_arm_make(tlw_arm* arm, tlw_arm_muscles muscles) {
    *arm = (tlw_arm){.recipe = tlw_default_cook_recipe()};
    if (!tlw_revolve_create(&arm->surface, tlw_revolve_vertices(POINTS, AROUND),
                            tlw_revolve_triangles(POINTS, AROUND))) {
        return false;
    }
    make_surface(arm);
    make_joints(arm);
    arm->mesh = tlw_revolve_mesh(&arm->surface, "arm");
    arm->input = (tlw_cook_input){.joints = arm->joints,
                                  .joint_count = TLW_ARM_JOINTS,
                                  .meshes = &arm->mesh,
                                  .mesh_count = 1};
    arm->recipe.resolution = 0;
    arm->recipe.voxel_metres = VOXEL;
    arm->recipe.is_firm_auto = false;
    arm->recipe.volume_reach = 0;
    arm->recipe.muscles = arm->muscles;
    if (muscles == TLW_ARM_AUTO) {
        arm->muscles[0] = tlw_default_cook_muscle(NULL);
        arm->recipe.muscle_count = 1;
    } else if (muscles != TLW_ARM_BARE) {
        make_biceps(arm);
    }
    if (muscles == TLW_ARM_BOTH) {
        make_triceps(arm);
    }
    return true;
}

void tlw_arm_free(tlw_arm* arm) {
    tlw_revolve_free(&arm->surface);
}

tlw_bent_joint tlw_arm_elbow(double degrees) {
    return (tlw_bent_joint){.joint = names[1], .degrees = degrees, .towards = {0, 0, 1}};
}

void tlw_arm_pose(const tlw_arm* arm, double degrees, float* joints) {
    for (size_t i = 0; i < (size_t)TLW_ARM_JOINTS * 16; ++i) {
        joints[i] = (float)arm->joints[i / 16].bind[i % 16];
    }
    // The elbow is the origin: x turns towards z.
    const float c = (float)cos(degrees * DEGREE), s = (float)sin(degrees * DEGREE);
    float* elbow = joints + 16;
    elbow[0] = c, elbow[2] = s, elbow[8] = -s, elbow[10] = c;
}
