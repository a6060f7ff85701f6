// SPDX-License-Identifier: MIT
// What Lame layers promise (MODEL 3.20, 10), on the runtime alone: a breast of 903 voxels of 1 cm
// on a plate of bone, with a shear modulus of 1 kPa and lambda of 200 mu, without limits. Lengths
// are in voxels.
#include "runtime/blob.h"
#include "tests/runtime/support/touch_scene.h"
#include "tests/test.h"
#include "tools/motion/breast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT 1e9f

// ---- Bodies

typedef struct cooked_body {
    tlw_cook_output output;
    tlw_blob blob;
} cooked_body;

static void cook_body(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                      cooked_body* out) {
    const tlw_cook_options options = tlw_default_cook_options();
    (void)tlw_cook_character(input, recipe, &options, &out->output);
    CHECK_STRING(out->output.error.message, "");
    CHECK_OK(tlw_blob_open(out->output.blob, out->output.blob_bytes, TLW_BLOB_CHECK_ALL,
                           &out->blob, NULL));
}

static void remove_limits(touch_scene* s, float damping) {
    for (uint32_t part = 0; part < s->info.part_count; ++part) {
        for (uint32_t layer = 0; layer < s->info.layer_count; ++layer) {
            tlw_material m;
            CHECK_OK(tlw_character_get_material(s->world, s->id, part, layer, &m));
            m.limit_scale = NO_LIMIT;
            m.damping = damping >= 0.0f ? damping : m.damping;
            CHECK_OK(tlw_character_set_material(s->world, s->id, part, layer, &m));
        }
    }
}

typedef struct breast_scene {
    cooked_body body;
    touch_scene s;
    uint8_t* is_lame; // [voxel]
    uint32_t lame_count;
} breast_scene;

static void mark_lame(breast_scene* b) {
    uint64_t count;
    const uint8_t* bytes = b->s.blob.bytes;
    const uint32_t* slots = tlw_blob_find(bytes, TLW_SECTION_VOXEL_SLOT, &count);
    const tlw_blob_lame_window* windows = tlw_blob_find(bytes, TLW_SECTION_LAME_WINDOWS, &count);
    b->is_lame = calloc(b->s.voxel_count, 1);
    CHECK(b->is_lame != NULL);
    for (uint32_t v = 0; v < b->s.voxel_count; ++v) {
        b->is_lame[v] = windows[slots[v] / 8].lanes >> slots[v] % 8 & 1;
        b->lame_count += b->is_lame[v];
    }
}

static breast_scene make_breast(touch_def def, const float* rest_gravity) {
    breast_scene b = {.lame_count = 0};
    tlw_breast breast;
    CHECK(tlw_breast_make(&breast, true));
    if (rest_gravity != NULL) {
        memcpy(breast.recipe.rest_gravity, rest_gravity, sizeof breast.recipe.rest_gravity);
    }
    cook_body(&breast.input, &breast.recipe, &b.body);
    tlw_breast_free(&breast);
    def.blob = &b.body.blob;
    b.s = touch_make(&def);
    remove_limits(&b.s, -1.0f);
    mark_lame(&b);
    return b;
}

static void free_breast(breast_scene* b) {
    free(b->is_lame);
    touch_free(&b->s);
    tlw_cook_output_free(&b->body.output);
}

// ---- Measuring

static void set_gravity(touch_scene* s, double x, double y, double z) {
    tlw_settings settings = touch_get_settings(s);
    settings.gravity[0] = (float)x;
    settings.gravity[1] = (float)y;
    settings.gravity[2] = (float)z;
    touch_settings(s, &settings);
}

// Mean deviation of Lame voxels along a direction.
static double mean_along(const breast_scene* b, touch_vec direction) {
    double sum = 0.0;
    for (uint32_t v = 0; v < b->s.voxel_count; ++v) {
        sum += b->is_lame[v] ? touch_dot(touch_deviation(&b->s, v), direction) : 0.0;
    }
    return sum / b->lame_count;
}

TLW_TEST(explore) {
    breast_scene b = make_breast((touch_def){0}, NULL);
    const touch_vec down = {0, -1, 0};
    printf("%u voxels, %u lame\n", b.s.voxel_count, b.lame_count);
    touch_run(&b.s, 60);
    printf("rest: %g\n", touch_largest_deviation(&b.s));
    set_gravity(&b.s, 0, -9.81, 0);
    double most = 0;
    for (int i = 0; i < 240; ++i) {
        touch_step(&b.s, TOUCH_SUBSTEP);
        const double at = mean_along(&b, down);
        most = fmax(most, at);
        if (i % 20 == 19 || i < 8) {
            printf("%d: %.4f max %.4f\n", i + 1, at, touch_largest_deviation(&b.s));
        }
    }
    printf("most %.4f\n", most);
    free_breast(&b);
}
