// SPDX-License-Identifier: MIT
#include "tests/runtime/support/arm_study.h"

#include <math.h>

void arm_study_make(arm_study* s, const arm_study_def* def) {
    tlw_scene_error error = {0};
    CHECK(tlw_arm_make(&s->arm, def->muscles));
    for (uint32_t i = 0; i < s->arm.recipe.muscle_count && def->bulge > 0.0f; ++i) {
        s->arm.muscles[i].bulge = def->bulge;
    }
    if (def->is_lame) {
        s->arm.recipe.layers[2].lame.solver = TLW_SOLVER_LAME;
    }
    (void)tlw_actor_cook_input(&s->actor, "arm", &s->arm.input, &s->arm.recipe, &error);
    CHECK_STRING(error.message, "");
    tlw_motion_def motion = tlw_default_motion_def();
    motion.actor = &s->actor;
    motion.preset = def->preset;
    motion.substep_seconds = def->substep_seconds > 0 ? def->substep_seconds : ARM_FRAME;
    (void)tlw_motion_open(&motion, &s->motion, &error);
    CHECK_STRING(error.message, "");
    CHECK_OK(tlw_world_find(s->motion->world, s->motion->id, &s->c));
    s->elbow = tlw_arm_elbow(1.0);
    arm_study_reset(s, 0.0);
}

void arm_study_free(arm_study* s) {
    tlw_motion_close(s->motion);
    tlw_actor_free(&s->actor);
    tlw_arm_free(&s->arm);
}

void arm_study_reset(arm_study* s, double degrees) {
    tlw_bent_set(s->motion, &s->elbow, 1, degrees);
    tlw_motion_settle(s->motion);
    (void)tlw_motion_step(s->motion, 0.0);
}

void arm_study_bend(arm_study* s, double from, double to, int frames) {
    for (int i = 1; i <= frames; ++i) {
        tlw_bent_set(s->motion, &s->elbow, 1, from + (to - from) * i / frames);
        arm_study_hold(s, 1);
    }
}

void arm_study_hold(arm_study* s, int frames) {
    for (int i = 0; i < frames; ++i) {
        const tlw_step_flags flags = tlw_motion_step(s->motion, ARM_FRAME);
        CHECK_EQ(flags & (TLW_STEP_NOT_FINITE | TLW_STEP_JUMPED), 0u);
    }
}

void arm_study_set_gravity(arm_study* s, const double gravity[3]) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(s->motion->world, s->motion->id, &settings));
    for (int i = 0; i < 3; ++i) {
        settings.gravity[i] = (float)gravity[i];
    }
    CHECK_OK(tlw_character_set_settings(s->motion->world, s->motion->id, &settings));
}

void arm_study_set_tension(arm_study* s, uint32_t muscle, float tension) {
    CHECK_OK(tlw_character_set_tension(s->motion->world, s->motion->id, muscle, tension));
}

uint32_t arm_study_line(const arm_study* s, uint32_t muscle, arm_line out) {
    const tlw_motion* motion = s->motion;
    tlw_muscle about;
    CHECK_OK(tlw_character_get_muscle(motion->world, motion->id, muscle, &about));
    CHECK_LE(about.vertex_count, (uint32_t)TLW_ARM_VERTICES_MAX);
    CHECK_OK(tlw_character_get_line(motion->world, motion->id, muscle, out, about.vertex_count));
    for (uint32_t i = 0; i < about.vertex_count; ++i) {
        for (int a = 0; a < 3; ++a) {
            out[i][a] = (out[i][a] - motion->root.position[a]) / motion->voxel_metres;
        }
    }
    return about.vertex_count;
}

double arm_study_elongation(const arm_study* s, uint32_t muscle) {
    tlw_muscle about;
    CHECK_OK(tlw_character_get_muscle(s->motion->world, s->motion->id, muscle, &about));
    return (double)about.elongation;
}

// A place that turns with b's root, as it is with a's, which is not turned.
static void turn_back(const arm_study* b, const double v[3], double out[3]) {
    const float* q = b->motion->root.rotation;
    arm_study_rotate((const float[4]){-q[0], -q[1], -q[2], q[3]}, v, out);
}

double arm_study_voxel_gap(const arm_study* a, const arm_study* b) {
    double most = 0.0;
    tlw_motion_read(a->motion);
    tlw_motion_read(b->motion);
    CHECK_EQ(a->motion->voxel_count, b->motion->voxel_count);
    for (uint32_t v = 0; v < a->motion->voxel_count; ++v) {
        const float *pa = a->motion->voxels[v].position, *pb = b->motion->voxels[v].position;
        double back[3];
        turn_back(b, (const double[3]){(double)pb[0], (double)pb[1], (double)pb[2]}, back);
        most =
            fmax(most, arm_study_distance(
                           (const double[3]){(double)pa[0], (double)pa[1], (double)pa[2]}, back));
    }
    return most;
}

double arm_study_line_gap(const arm_study* a, const arm_study* b) {
    double most = 0.0;
    for (uint32_t m = 0; m < a->actor.info.muscle_count; ++m) {
        arm_line la, lb;
        const uint32_t count = arm_study_line(a, m, la);
        CHECK_EQ(arm_study_line(b, m, lb), count);
        for (uint32_t i = 0; i < count; ++i) {
            double back[3];
            turn_back(b, lb[i], back);
            most = fmax(most, arm_study_distance(la[i], back));
        }
    }
    return most;
}

double arm_study_distance(const double a[3], const double b[3]) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

// v + 2 w (u x v) + 2 u x (u x v)
void arm_study_rotate(const float q[4], const double v[3], double out[3]) {
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]),
                         2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

double arm_study_random(uint64_t* state, double low, double high) {
    return low + (high - low) * (double)(tlw_test_random(state) >> 11) * 0x1p-53;
}

double arm_study_normal(uint64_t* state) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) {
        sum += arm_study_random(state, 0.0, 1.0);
    }
    return sum;
}
