// SPDX-License-Identifier: MIT
#include "tests/runtime/support/muscled_arm.h"

#include "runtime/step/muscles.h"
#include "tests/cook/support/muscle_arm.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"

#include <math.h>

#define FRAME (1.0 / 60.0)

static tlw_blob cook_arm(bool has_muscles) {
    scene* s = arm_scene();
    arm_muscle biceps, triceps;
    arm_make_muscle(&biceps, "biceps", "joint0", "joint1");
    arm_make_muscle(&triceps, "triceps", "joint0", "joint1");
    for (int i = 0; i < ARM_VERTICES; ++i) {
        triceps.line[i].place.offset[2] = -triceps.line[i].place.offset[2];
    }
    biceps.muscle.bulge = 2.0f;
    biceps.muscle.field_count = 0;
    triceps.muscle.flex_joint = "joint1";
    triceps.muscle.flex_from = 30.0f;
    triceps.muscle.flex_to = 90.0f;
    const tlw_cook_muscle muscles[3] = {biceps.muscle, triceps.muscle,
                                        tlw_default_cook_muscle(NULL)};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 40;
    recipe.muscles = muscles;
    recipe.muscle_count = has_muscles ? 3 : 0;
    const tlw_cook_options options = tlw_default_cook_options();
    static tlw_cook_output out[2];
    CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &out[has_muscles]));
    scene_free(s);
    tlw_blob blob;
    CHECK_OK(tlw_blob_open(out[has_muscles].blob, out[has_muscles].blob_bytes, TLW_BLOB_CHECK_ALL,
                           &blob, NULL));
    return blob;
}

static tlw_blob blob_of(bool has_muscles) {
    static tlw_blob blobs[2];
    if (blobs[has_muscles].bytes == NULL) {
        blobs[has_muscles] = cook_arm(has_muscles);
    }
    return blobs[has_muscles];
}

tlw_blob muscled_arm_blob(void) {
    return blob_of(true);
}

tlw_blob bare_arm_blob(void) {
    return blob_of(false);
}

tlw_world_def muscled_arm_def(void) {
    const tlw_blob blob = muscled_arm_blob();
    tlw_blob_info info;
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    tlw_world_def def = tlw_default_world_def();
    def.character_capacity = 1;
    def.scratch_bytes = info.scratch_bytes;
    return def;
}

muscled_arm muscled_arm_make(const tlw_world_def* def, const tlw_blob* blob) {
    muscled_arm out = {.root = {{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f}};
    size_t bytes;
    CHECK_OK(tlw_world_bytes(def, &bytes));
    CHECK_OK(tlw_world_create(def, sample_allocate(bytes), bytes, &out.world));
    tlw_character_def character = tlw_default_character_def();
    character.blob = *blob;
    character.pose_kind = TLW_POSE_TRANSFORMS;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    out.memory = sample_allocate(bytes);
    CHECK_OK(tlw_character_create(out.world, &character, out.memory, bytes, &out.id));
    CHECK_OK(tlw_world_find(out.world, out.id, &out.c));
    return out;
}

muscled_arm muscled_arm_alone(void) {
    const tlw_world_def def = muscled_arm_def();
    const tlw_blob blob = muscled_arm_blob();
    return muscled_arm_make(&def, &blob);
}

void muscled_arm_free(muscled_arm* arm) {
    tlw_world_destroy(arm->world);
    sample_free(arm->world);
    sample_free(arm->memory);
}

void muscled_arm_pose(const muscled_arm* arm, double degrees, bool is_jump) {
    const double half = degrees * 3.14159265358979323846 / 360.0;
    const tlw_transform joints[ARM_JOINT_COUNT] = {
        {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = {1.0f, 1.0f, 1.0f}},
        {.translation = {(float)ARM_ELBOW, 0.0f, 0.0f},
         .rotation = {0.0f, (float)-sin(half), 0.0f, (float)cos(half)},
         .scale = {1.0f, 1.0f, 1.0f}}};
    const tlw_pose pose = {joints, ARM_JOINT_COUNT, arm->root, is_jump};
    CHECK_OK(tlw_character_set_pose(arm->world, arm->id, &pose));
}

tlw_step_flags muscled_arm_step(const muscled_arm* arm, double degrees) {
    muscled_arm_pose(arm, degrees, false);
    return tlw_world_step(arm->world, FRAME);
}

void muscled_arm_move(const muscled_arm* arm, double from, double to, int frames) {
    for (int i = 1; i <= frames; ++i) {
        const tlw_step_flags flags = muscled_arm_step(arm, from + (to - from) * i / frames);
        CHECK_EQ(flags & (TLW_STEP_NOT_FINITE | TLW_STEP_JUMPED), 0u);
    }
}

void muscled_arm_reset(const muscled_arm* arm, double degrees) {
    muscled_arm_pose(arm, degrees, false);
    CHECK_OK(tlw_character_reset(arm->world, arm->id));
}

void muscled_arm_set_gravity(const muscled_arm* arm, float z) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(arm->world, arm->id, &settings));
    settings.gravity[2] = z;
    CHECK_OK(tlw_character_set_settings(arm->world, arm->id, &settings));
}

static double distance_of_rows(const tlw_line_row* a, const tlw_line_row* b, uint32_t count,
                               bool is_to_b) {
    double most = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        for (int lane = 0; lane < TLW_LANES; ++lane) {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) {
                const double d =
                    (double)a[i].x[k][lane] - (double)(is_to_b ? a[i].b[k][lane] : b[i].x[k][lane]);
                sum += d * d;
            }
            most = sum > most || sum != sum ? sum : most;
        }
    }
    return sqrt(most);
}

double line_distance(const muscled_arm* a, const muscled_arm* b) {
    const uint32_t rows = tlw_muscle_sizes_of(&a->c->blob).rows;
    return distance_of_rows(a->c->line_rows, b->c->line_rows, rows, false);
}

double line_off(const muscled_arm* arm) {
    const uint32_t rows = tlw_muscle_sizes_of(&arm->c->blob).rows;
    return distance_of_rows(arm->c->line_rows, arm->c->line_rows, rows, true);
}

double largest_displacement(const muscled_arm* arm) {
    double most = 0.0;
    for (uint32_t slot = 0; slot < arm->c->blob.slot_count; ++slot) {
        const tlw_window_displacement* m = &arm->c->displacements[arm->c->is_odd][slot / TLW_LANES];
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            sum += (double)m->m[k][slot % TLW_LANES] * (double)m->m[k][slot % TLW_LANES];
        }
        most = sum > most || sum != sum ? sum : most;
    }
    return sqrt(most);
}
