// SPDX-License-Identifier: MIT
#include "tests/cook/support/muscle_arm.h"

#include <stdio.h>
#include <string.h>

#define ARM_AWAY   0.03  // of the muscle's line from the bones
#define ARM_MUSCLE 0.022 // its radius
#define ARM_SIDE   0.2   // of arms from the middle

// Vertices from `first` on follow joint `lower` beyond the elbow and `upper` before it, and both
// for 5 cm around it.
static void weigh_arm(scene* s, uint32_t first, uint32_t upper, uint32_t lower) {
    scene_mesh* mesh = &s->meshes[s->mesh_count - 1];
    scene_weigh_rigidly(s, first, upper);
    for (uint32_t v = first; v < mesh->vertex_count; ++v) {
        const float beyond = (mesh->positions[v * 3] - (float)ARM_ELBOW) / 0.05f + 0.5f;
        const float share = beyond < 0.0f ? 0.0f : beyond > 1.0f ? 1.0f : beyond;
        mesh->joints[v * 4 + 1] = lower;
        mesh->weights[v * 4] = 1.0f - share;
        mesh->weights[v * 4 + 1] = share;
    }
}

static void add_arm(scene* s, uint32_t parent, double y) {
    const double from[3] = {0.0, y, 0.0}, to[3] = {ARM_END, y, 0.0};
    const uint32_t first = s->meshes[0].vertex_count;
    const uint32_t upper = scene_add_joint(s, parent, 0.0, y, 0.0);
    const uint32_t lower = scene_add_joint(s, upper, ARM_ELBOW, y, 0.0);
    scene_add_capsule(s, from, to, ARM_RADIUS, 12);
    weigh_arm(s, first, upper, lower);
}

scene* arm_scene(void) {
    scene* s = scene_new();
    add_arm(s, TLW_NO_JOINT, 0.0);
    return s;
}

scene* arms_scene(void) {
    static const char* const names[5] = {"trunk", "arm.L", "fore.L", "arm.R", "fore.R"};
    const double low[3] = {-0.2, -0.25, -0.06}, high[3] = {-0.05, 0.25, 0.06};
    scene* s = scene_new();
    scene_add_box(s, low, high);
    scene_weigh_rigidly(s, 0, scene_add_joint(s, TLW_NO_JOINT, -0.15, 0.0, 0.0));
    add_arm(s, 0, ARM_SIDE);
    add_arm(s, 0, -ARM_SIDE);
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        snprintf(s->joint_names[j], sizeof s->joint_names[j], "%s", names[j]);
    }
    return s;
}

void arm_make_muscle(arm_muscle* m, const char* name, const char* upper, const char* lower) {
    static const float along[ARM_VERTICES] = {0.05f, 0.2f, 0.38f, 0.56f, 0.74f, 0.9f, 0.12f};
    static const float radii[ARM_VERTICES] = {-1.0f, 0.8f, -1.0f, -1.0f, 0.75f, 0.3f, -1.0f};
    memset(m, 0, sizeof *m);
    for (int i = 0; i < ARM_VERTICES; ++i) {
        m->line[i] = (tlw_cook_line_vertex){.place = {.joint = i < ARM_VERTICES - 1 ? upper : lower,
                                                      .along = along[i],
                                                      .offset = {0.0f, 0.0f, (float)ARM_AWAY}},
                                            .radius = radii[i],
                                            .is_dynamic = -1};
    }
    m->tendons[0] = 0;
    m->tendons[1] = 5;
    m->field = tlw_default_cook_muscle_field();
    m->field.place.joint = lower;
    m->field.radii[0] = m->field.radii[1] = m->field.radii[2] = 0.025f;
    m->muscle = tlw_default_cook_muscle(name);
    m->muscle.radius = (float)ARM_MUSCLE;
    m->muscle.line = m->line;
    m->muscle.vertex_count = ARM_VERTICES;
    m->muscle.tendons = m->tendons;
    m->muscle.tendon_count = 2;
    m->muscle.fields = &m->field;
    m->muscle.field_count = 1;
}
