// SPDX-License-Identifier: MIT
// What Lame layers promise (MODEL 3.20, 10), on the runtime alone: a breast of 903 voxels of 1 cm
// on a plate of bone, with a shear modulus of 1 kPa and lambda of 200 mu, and an arm whose fat and
// skin are lame on shape-matched muscle, both without limits. Lengths are in voxels.
#include "runtime/blob.h"
#include "tests/runtime/support/hostile_tasks.h"
#include "tests/runtime/support/touch_scene.h"
#include "tests/test.h"
#include "tools/motion/arm.h"
#include "tools/motion/breast.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT 1e9f
#define G        9.81

static void skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer");
    }
}

// ---- Bodies

// A body and a scene of it. It must not be moved.
typedef struct body {
    tlw_cook_output output;
    tlw_blob blob;
    touch_scene s;
    uint8_t* is_lame; // [voxel]
    uint32_t lame_count;
} body;

static void mark_lame(body* b) {
    uint64_t count;
    const uint32_t* slots = tlw_blob_find(b->blob.bytes, TLW_SECTION_VOXEL_SLOT, &count);
    const tlw_blob_lame_window* windows =
        tlw_blob_find(b->blob.bytes, TLW_SECTION_LAME_WINDOWS, &count);
    b->lame_count = 0;
    b->is_lame = calloc(b->s.voxel_count, 1);
    CHECK(b->is_lame != NULL);
    for (uint32_t v = 0; v < b->s.voxel_count; ++v) {
        b->is_lame[v] = windows[slots[v] / 8].lanes >> slots[v] % 8 & 1;
        b->lame_count += b->is_lame[v];
    }
    CHECK_EQ(b->lame_count, b->output.report.lame_voxels);
}

static void set_damping(touch_scene* s, float damping) {
    for (uint32_t i = 0; i < s->info.part_count * s->info.layer_count; ++i) {
        const uint32_t part = i / s->info.layer_count, layer = i % s->info.layer_count;
        tlw_material m;
        CHECK_OK(tlw_character_get_material(s->world, s->id, part, layer, &m));
        m.limit_scale = NO_LIMIT;
        m.damping = damping >= 0.0f ? damping : m.damping;
        CHECK_OK(tlw_character_set_material(s->world, s->id, part, layer, &m));
    }
}

static void cook_blob(body* b, const tlw_cook_input* input, const tlw_cook_recipe* recipe) {
    const tlw_cook_options options = tlw_default_cook_options();
    (void)tlw_cook_character(input, recipe, &options, &b->output);
    CHECK_STRING(b->output.error.message, "");
    CHECK_OK(
        tlw_blob_open(b->output.blob, b->output.blob_bytes, TLW_BLOB_CHECK_ALL, &b->blob, NULL));
}

static void make_scene(body* b, touch_def def) {
    def.blob = &b->blob;
    b->s = touch_make(&def);
    CHECK(b->s.info.has_lame);
    set_damping(&b->s, -1.0f);
    mark_lame(b);
}

static void make_breast(body* b, touch_def def, const float* rest_gravity) {
    tlw_breast breast;
    CHECK(tlw_breast_make(&breast, true));
    if (rest_gravity != NULL) {
        memcpy(breast.recipe.rest_gravity, rest_gravity, sizeof breast.recipe.rest_gravity);
    }
    cook_blob(b, &breast.input, &breast.recipe);
    tlw_breast_free(&breast);
    make_scene(b, def);
}

// Fat and skin are lame.
static void make_arm(body* b, touch_def def) {
    tlw_arm arm;
    CHECK(tlw_arm_make(&arm, TLW_ARM_BARE));
    arm.recipe.layers[2].lame.solver = TLW_SOLVER_LAME;
    cook_blob(b, &arm.input, &arm.recipe);
    tlw_arm_free(&arm);
    make_scene(b, def);
}

static void free_body(body* b) {
    free(b->is_lame);
    touch_free(&b->s);
    tlw_cook_output_free(&b->output);
}

// ---- Motion and measures

static const touch_vec down = {0, -1, 0};

static void set_gravity(touch_scene* s, touch_vec g) {
    tlw_settings settings = touch_get_settings(s);
    settings.gravity[0] = (float)g.x;
    settings.gravity[1] = (float)g.y;
    settings.gravity[2] = (float)g.z;
    touch_settings(s, &settings);
}

static void bend_elbow(touch_scene* s, double angle) {
    touch_rest_pose(s);
    touch_bend(s, "forearm", (touch_vec){0, -1, 0}, angle);
}

static double uniform(uint64_t* random, double low, double high) {
    return low + (high - low) * (double)(tlw_test_random(random) >> 11) / 9007199254740992.0;
}

static double normal(uint64_t* random) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) {
        sum += uniform(random, 0.0, 1.0);
    }
    return sum;
}

static void scatter(touch_scene* s, uint64_t* random, double sigma) {
    touch_read(s);
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        float p[3];
        for (int a = 0; a < 3; ++a) {
            const double by = s->is_bone[v] ? 0.0 : sigma * normal(random);
            p[a] = (float)((double)s->state[v].position[a] + by);
        }
        CHECK_OK(tlw_character_set_voxel(s->world, s->id, v, p, s->state[v].velocity));
    }
}

// Mean deviation of Lame voxels along a direction.
static double mean_along(const body* b, touch_vec direction) {
    double sum = 0.0;
    for (uint32_t v = 0; v < b->s.voxel_count; ++v) {
        sum += b->is_lame[v] ? touch_dot(touch_deviation(&b->s, v), direction) : 0.0;
    }
    return sum / b->lame_count;
}

static double largest_lame(const body* b) {
    double most = 0.0;
    for (uint32_t v = 0; v < b->s.voxel_count; ++v) {
        most = fmax(most, b->is_lame[v] ? touch_length(touch_deviation(&b->s, v)) : 0.0);
    }
    return most;
}

// The mean over Lame voxels with six neighbours of the volume of the box that these span.
static double mean_volume(const body* b) {
    enum { N = 32 };
    static int32_t at[N][N][N];
    uint64_t count;
    const tlw_blob_cell* cells = tlw_blob_find(b->blob.bytes, TLW_SECTION_VOXEL_CELL, &count);
    memset(at, -1, sizeof at);
    for (uint32_t v = 0; v < count; ++v) {
        CHECK(cells[v].x < N - 2 && cells[v].y < N - 2 && cells[v].z < N - 2);
        at[cells[v].x + 1][cells[v].y + 1][cells[v].z + 1] = (int32_t)v;
    }
    double sum = 0.0;
    uint32_t boxes = 0;
    for (uint32_t v = 0; v < count; ++v) {
        const int x = cells[v].x + 1, y = cells[v].y + 1, z = cells[v].z + 1;
        const int32_t ends[6] = {at[x - 1][y][z], at[x + 1][y][z], at[x][y - 1][z],
                                 at[x][y + 1][z], at[x][y][z - 1], at[x][y][z + 1]};
        touch_vec e[3];
        bool is_whole = b->is_lame[v];
        for (int a = 0; a < 3; ++a) {
            is_whole = is_whole && ends[2 * a] >= 0 && ends[2 * a + 1] >= 0;
            if (is_whole) {
                e[a] = touch_times(touch_sub3(touch_place(&b->s, (uint32_t)ends[2 * a + 1]),
                                              touch_place(&b->s, (uint32_t)ends[2 * a])),
                                   0.5);
            }
        }
        if (is_whole) {
            sum += e[0].x * (e[1].y * e[2].z - e[1].z * e[2].y) +
                   e[0].y * (e[1].z * e[2].x - e[1].x * e[2].z) +
                   e[0].z * (e[1].x * e[2].y - e[1].y * e[2].x);
            boxes += 1;
        }
    }
    return sum / boxes;
}

// ---- Rest and motion of the whole

TLW_TEST(a_lame_layer_at_rest_is_exactly_still_and_sleeps) {
    body b;
    make_breast(&b, (touch_def){.may_sleep = true}, NULL);
    tlw_step_flags flags = 0;
    for (int i = 0; i < 90; ++i) {
        flags = touch_step(&b.s, TOUCH_SUBSTEP);
        CHECK_EQ(touch_largest_deviation(&b.s), 0.0);
    }
    CHECK(flags & TLW_STEP_ASLEEP);
    free_body(&b);
}

// The root, gravity and what was pushed are rotated about (1, 2, 3)/sqrt 14.
TLW_TEST(a_rotated_body_under_rotated_gravity_sags_rotated) {
    body a, b;
    make_breast(&a, (touch_def){0}, NULL);
    make_breast(&b, (touch_def){0}, NULL);
    const double s = sin(0.6) / sqrt(14), q[4] = {s, 2 * s, 3 * s, cos(0.6)};
    for (int i = 0; i < 4; ++i) {
        b.s.root.rotation[i] = (float)q[i];
    }
    touch_step(&b.s, 0.0);
    CHECK_OK(tlw_character_set_pose(
        b.s.world, b.s.id,
        &(tlw_pose){.joints = &b.s.joints, .joint_count = b.s.info.joint_count, .root = b.s.root}));
    CHECK_OK(tlw_character_reset(b.s.world, b.s.id));
    const touch_vec g = {1, -9, 3};
    // g rotated by q
    const touch_vec u = {q[0], q[1], q[2]};
    const touch_vec t = touch_times(
        (touch_vec){u.y * g.z - u.z * g.y, u.z * g.x - u.x * g.z, u.x * g.y - u.y * g.x}, 2);
    const touch_vec turned = touch_add3(
        touch_add3(g, touch_times(t, q[3])),
        (touch_vec){u.y * t.z - u.z * t.y, u.z * t.x - u.x * t.z, u.x * t.y - u.y * t.x});
    set_gravity(&a.s, g);
    set_gravity(&b.s, turned);
    touch_run(&a.s, 30);
    touch_run(&b.s, 30);
    double most = 0;
    for (uint32_t v = 0; v < a.s.voxel_count; ++v) {
        const touch_vec x = touch_deviation(&a.s, v), y = touch_deviation(&b.s, v);
        most = fmax(most, fabs(touch_dot(x, g) - touch_dot(y, turned)) / touch_length(g));
        most = fmax(most, fabs(touch_length(x) - touch_length(y)));
    }
    printf("    sags by %.2f, rotated differs by %.1e\n", largest_lame(&a), most);
    CHECK_LT(0.5, largest_lame(&a));
    CHECK_LT(most, 1e-3);
    free_body(&a);
    free_body(&b);
}

static void walk(body* b, int frames, double* lag) {
    const double speed = 30 * TOUCH_SUBSTEP * b->s.metres; // metres per frame
    for (int i = 0; i < frames; ++i) {
        b->s.root.position[1] += speed;
        touch_run(&b->s, 1);
    }
    *lag = largest_lame(b);
}

TLW_TEST(a_lame_layer_does_not_lag_and_overshoots_a_stop_by_what_it_weighs) {
    body b;
    double lag;
    make_breast(&b, (touch_def){0}, NULL);
    walk(&b, 240, &lag);
    double peak = 0;
    for (int i = 0; i < 30; ++i) {
        touch_step(&b.s, TOUCH_SUBSTEP);
        peak = fmax(peak, mean_along(&b, (touch_vec){0, 1, 0}));
    }
    printf("    lag %.1e after 4 s at 30 voxels/s; overshoots by %.3f\n", lag, peak);
    CHECK_LT(lag, 1e-3);
    CHECK_LT(0.65 * 0.95, peak);
    CHECK_LT(peak, 0.65 * 1.05);
    free_body(&b);
}

// ---- Gravity

TLW_TEST(a_breast_of_1_kpa_sags_by_1_16_across_and_keeps_its_volume) {
    body b;
    make_breast(&b, (touch_def){0}, NULL);
    const double rest = mean_volume(&b);
    double worst = 0, most = 0, mean[120];
    set_gravity(&b.s, touch_times(down, G));
    for (int i = 0; i < 120; ++i) {
        touch_step(&b.s, TOUCH_SUBSTEP);
        worst = fmax(worst, fabs(mean_volume(&b) / rest - 1));
        mean[i] = mean_along(&b, down);
        most = fmax(most, mean[i]);
    }
    const double sag = mean[119];
    int settled = 119;
    while (settled > 0 && fabs(mean[settled - 1] / sag - 1) < 0.05) {
        settled -= 1;
    }
    const double seconds = (settled + 1) * TOUCH_SUBSTEP;
    printf("    mean sag %.3f, overshoot %.2f, within 5%% after %.2f s; volume %+.2f%%, %.2f%% on "
           "the way\n",
           sag, most - sag, seconds, 100 * (mean_volume(&b) / rest - 1), 100 * worst);
    CHECK_NEAR(most - sag, 0.45, 0.1);
    CHECK_LT(seconds, 0.6);
    CHECK_LT(1.16 * 0.95, sag);
    CHECK_LT(sag, 1.16 * 1.05);
    CHECK_LT(worst, 0.01);
    CHECK_LT(touch_largest_step(&b.s), 1e-4);
    free_body(&b);
}

TLW_TEST(the_gravity_that_it_was_modelled_under_is_exactly_0_and_upside_down_is_twice_as_much) {
    const float g0[3] = {0, (float)-G, 0};
    body b;
    make_breast(&b, (touch_def){0}, g0);
    set_gravity(&b.s, (touch_vec){0, (double)g0[1], 0});
    for (int i = 0; i < 30; ++i) {
        touch_step(&b.s, TOUCH_SUBSTEP);
        CHECK_EQ(touch_largest_deviation(&b.s), 0.0);
    }
    set_gravity(&b.s, (touch_vec){0, -(double)g0[1], 0});
    touch_run(&b.s, 120);
    const double sag = mean_along(&b, touch_times(down, -1));
    printf("    upside down: %.3f\n", sag);
    CHECK_LT(2.32 * 0.95, sag);
    CHECK_LT(sag, 2.32 * 1.05);
    free_body(&b);
}

// Twice the size, four times the modulus and twice the gravity are the same numbers per voxel.
TLW_TEST(a_scaled_root_scales_what_lame_layers_weigh) {
    body a, b;
    make_breast(&a, (touch_def){0}, NULL);
    make_breast(&b, (touch_def){.root_scale = 2}, NULL);
    tlw_lame lame;
    CHECK_OK(tlw_character_get_lame(b.s.world, b.s.id, 1, 2, &lame));
    lame.young_kpa *= 4;
    CHECK_OK(tlw_character_set_lame(b.s.world, b.s.id, TLW_ALL, TLW_ALL, &lame));
    set_gravity(&a.s, touch_times(down, G));
    set_gravity(&b.s, touch_times(down, 2 * G));
    touch_run(&a.s, 20);
    touch_run(&b.s, 20);
    CHECK_LT(1, largest_lame(&a));
    for (uint32_t v = 0; v < a.s.voxel_count; ++v) {
        CHECK_BYTES(a.s.state[v].position, b.s.state[v].position, sizeof a.s.state[v].position);
    }
    free_body(&a);
    free_body(&b);
}

// ---- Stability

TLW_TEST(a_scattered_lame_layer_recovers) {
    body b;
    uint64_t random = 5;
    make_breast(&b, (touch_def){0}, NULL);
    scatter(&b.s, &random, 10);
    touch_run(&b.s, 60);
    printf("    off by %.1e 1 s after garbage\n", largest_lame(&b));
    CHECK_LT(largest_lame(&b), 0.01);
    touch_run(&b.s, 60);
    CHECK_LT(largest_lame(&b), 1e-4);
    free_body(&b);
}

// The range of everything, nothing damped.
TLW_TEST(undamped_lame_layers_of_any_numbers_do_not_grow) {
    skip_where_slow();
    body b;
    uint64_t random = 7;
    make_breast(&b, (touch_def){0}, NULL);
    set_damping(&b.s, 1.0f);
    double worst = 0;
    for (int n = 0; n < 60; ++n) {
        const double mu = pow(10, uniform(&random, 0, 7));
        const double ratio = pow(10, uniform(&random, -2, 4));
        const double nu = fmin(0.4999, ratio / (2 * (ratio + 1)));
        const tlw_lame lame = {(float)fmin(1e6, 2 * mu * (1 + nu) / 1000), (float)nu, 950.0f};
        CHECK_OK(tlw_character_set_lame(b.s.world, b.s.id, TLW_ALL, TLW_ALL, &lame));
        b.s.root.scale = (float)pow(10, uniform(&random, -1, 1.3)); // voxels of 1 mm to 20 cm
        touch_run(&b.s, 1);
        CHECK_OK(tlw_character_reset(b.s.world, b.s.id));
        scatter(&b.s, &random, 1);
        double most[2] = {0, 0};
        for (int i = 0; i < 8; ++i) {
            touch_run(&b.s, 15);
            most[i / 4] = fmax(most[i / 4], largest_lame(&b));
        }
        CHECK(touch_is_finite(&b.s));
        worst = fmax(worst, most[1] / fmax(most[0], 1e-3));
        if (most[1] > 1.5 * most[0] + 1e-3) {
            printf("    mu %g Pa, lambda/mu %g, scale %g: %g, then %g\n", mu, ratio,
                   (double)b.s.root.scale, most[0], most[1]);
        }
    }
    printf("    second against first second: at most %.2f times\n", worst);
    CHECK_LT(worst, 1.5);
    free_body(&b);
}

// Stencils of volume that reach into a Lame layer once shook the muscle beside it for ever.
TLW_TEST(a_lame_layer_on_bent_muscle_comes_to_rest_whatever_its_numbers) {
    skip_where_slow();
    body b;
    uint64_t random = 1;
    make_arm(&b, (touch_def){0});
    int restless = 0;
    for (int n = 0; n < 40; ++n) {
        const double mu = pow(10, uniform(&random, 0, 7));
        const double ratio = pow(10, uniform(&random, -2, 4)), kd = uniform(&random, 0, 0.95);
        const double nu = fmin(0.4999, ratio / (2 * (ratio + 1)));
        const tlw_lame lame = {(float)fmin(1e6, 2 * mu * (1 + nu) / 1000), (float)nu,
                               (float)uniform(&random, 500, 2000)};
        CHECK_OK(tlw_character_set_lame(b.s.world, b.s.id, TLW_ALL, TLW_ALL, &lame));
        for (uint32_t layer = 0; layer < b.s.info.layer_count; ++layer) {
            const tlw_material m = {.stiffness = (float)pow(10, uniform(&random, -1, 1)),
                                    .damping = (float)(layer >= 2 ? kd : uniform(&random, 0, 0.9)),
                                    .anchor_hz = (float)uniform(&random, 0, 8),
                                    .limit_scale = NO_LIMIT};
            CHECK_OK(tlw_character_set_material(b.s.world, b.s.id, 0, layer, &m));
        }
        touch_rest_pose(&b.s);
        touch_run(&b.s, 1);
        CHECK_OK(tlw_character_reset(b.s.world, b.s.id));
        for (int i = 1; i <= 30; ++i) {
            bend_elbow(&b.s, i / 30.0 * 1.57);
            touch_run(&b.s, 1);
        }
        scatter(&b.s, &random, 1);
        touch_run(&b.s, 90);
        const double early = touch_largest_deviation(&b.s);
        touch_run(&b.s, 269);
        touch_step(&b.s, TOUCH_SUBSTEP);
        const double step = touch_largest_step(&b.s), off = touch_largest_deviation(&b.s);
        if (step > 1e-3) {
            printf("    mu %.2g Pa, lambda/mu %.2g, kd %.2f: steps of %.1e after 6 s\n", mu, ratio,
                   kd, step);
            restless += 1;
            CHECK_LT(mu, 10); // those are so soft that they creep
            CHECK_LT(step, 5e-3);
        }
        CHECK_LT(off, early + 0.01);
    }
    printf("    %d of 40 creep\n", restless);
    CHECK_LE(restless, 4);
    free_body(&b);
}

// ---- The same bits

typedef struct bits_def {
    tlw_isa isa;
    uint32_t threads; // of hostile tasks; 0: the caller's own
    float split_cost;
} bits_def;

static uint64_t hash_of_motion(const tlw_blob* blob, const bits_def* def, int frames) {
    tlw_blob_info info;
    CHECK_OK(tlw_blob_get_info(blob, &info));
    hostile* tasks = def->threads > 0 ? hostile_make(HOSTILE_LATE, def->threads) : NULL;
    tlw_world_def world_def = tlw_default_world_def();
    world_def.character_capacity = 1;
    world_def.scratch_bytes = info.scratch_bytes;
    world_def.isa = def->isa;
    world_def.split_cost = def->split_cost;
    if (tasks != NULL) {
        world_def.tasks = hostile_tasks(tasks);
    }
    tlw_character_def character_def = tlw_default_character_def();
    character_def.blob = *blob;
    size_t world_bytes, bytes;
    CHECK_OK(tlw_world_bytes(&world_def, &world_bytes));
    CHECK_OK(tlw_character_bytes(&character_def, &bytes));
    void *world_memory = sample_allocate(world_bytes), *memory = sample_allocate(bytes);
    tlw_world* world;
    tlw_character_id id;
    CHECK_OK(tlw_world_create(&world_def, world_memory, world_bytes, &world));
    CHECK_OK(tlw_character_create(world, &character_def, memory, bytes, &id));
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(world, id, &settings));
    settings.gravity[1] = -9.81f;
    settings.repeats = 2;
    CHECK_OK(tlw_character_set_settings(world, id, &settings));
    sample_joints joints;
    bind_pose(blob, TLW_POSE_MATRICES, (double[3]){0, 0, 0}, &joints);
    uint64_t hash = 0;
    for (int i = 0; i < frames; ++i) {
        tlw_pose pose = tlw_default_pose();
        pose.joints = &joints;
        pose.joint_count = info.joint_count;
        joints.matrices[info.joint_count - 1][12] += (float)(0.3 * info.voxel_metres);
        CHECK_OK(tlw_character_set_pose(world, id, &pose));
        tlw_world_step(world, TOUCH_SUBSTEP);
        uint64_t now;
        CHECK_OK(tlw_character_hash(world, id, &now));
        hash = hash * 31 + now;
    }
    tlw_world_destroy(world);
    if (tasks != NULL) {
        CHECK(!hostile_saw_fault(tasks));
        hostile_free(tasks);
    }
    sample_free(memory);
    sample_free(world_memory);
    return hash;
}

TLW_TEST(lame_layers_have_the_same_bits_on_every_instruction_set_and_any_workers) {
    body b;
    const int frames = TLW_UNDER_SANITIZER ? 4 : 20;
    make_arm(&b, (touch_def){0});
    const bits_def serial = {tlw_isa_best(), 0, FLT_MAX};
    const uint64_t expected = hash_of_motion(&b.blob, &serial, frames);
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (tlw_isa_is_supported((tlw_isa)isa) && tlw_isa_is_built((tlw_isa)isa)) {
            CHECK_EQ(hash_of_motion(&b.blob, &(bits_def){(tlw_isa)isa, 0, FLT_MAX}, frames),
                     expected);
        }
    }
    for (uint32_t threads = 1; threads <= 3; ++threads) {
        CHECK_EQ(hash_of_motion(&b.blob, &(bits_def){tlw_isa_best(), threads, FLT_MIN}, frames),
                 expected);
    }
    free_body(&b);
}

// ---- Cuts, carried substeps, sleep

// What is scattered on the one side of a cut leaves the other side where it is.
TLW_TEST(nothing_passes_a_cut_through_a_lame_layer) {
    tlw_arm arm;
    body b;
    const tlw_cook_cut cut = {"upper_arm", "forearm", TLW_CUT_ALL};
    CHECK(tlw_arm_make(&arm, TLW_ARM_BARE));
    arm.recipe.layers[1].lame.solver = TLW_SOLVER_LAME;
    arm.recipe.cuts = &cut;
    arm.recipe.cut_count = 1;
    cook_blob(&b, &arm.input, &arm.recipe);
    tlw_arm_free(&arm);
    CHECK_LT(0, b.output.report.cut_links);
    make_scene(&b, (touch_def){0});
    uint64_t random = 3;
    // The skinned place tells the sides apart: links are cut between joints.
    touch_read(&b.s);
    for (uint32_t v = 0; v < b.s.voxel_count; ++v) {
        if (b.s.state[v].skinned[0] < -3.0f && !b.s.is_bone[v]) {
            const float p[3] = {b.s.state[v].position[0],
                                (float)((double)b.s.state[v].position[1] + normal(&random)),
                                b.s.state[v].position[2]};
            CHECK_OK(tlw_character_set_voxel(b.s.world, b.s.id, v, p, b.s.state[v].velocity));
        }
    }
    double other = 0, most = 0;
    for (int i = 0; i < 30; ++i) {
        touch_step(&b.s, TOUCH_SUBSTEP);
        for (uint32_t v = 0; v < b.s.voxel_count; ++v) {
            const double off = touch_length(touch_deviation(&b.s, v));
            if (b.s.state[v].skinned[0] > 3.0f) {
                other = fmax(other, off);
            }
            most = fmax(most, off);
        }
    }
    printf("    %u links cut: %.2f on one side, %g on the other\n", b.output.report.cut_links, most,
           other);
    CHECK_LT(0.1, most);
    CHECK_EQ(other, 0.0);
    free_body(&b);
}

TLW_TEST(a_jump_carries_the_sag_and_a_sagging_breast_sleeps) {
    body b;
    make_breast(&b, (touch_def){.may_sleep = true}, NULL);
    set_gravity(&b.s, touch_times(down, G));
    touch_run(&b.s, 180);
    const double sag = mean_along(&b, down);
    b.s.root.position[0] += 1000; // a jump
    CHECK(touch_step(&b.s, TOUCH_SUBSTEP) & TLW_STEP_JUMPED);
    CHECK_LT(fabs(mean_along(&b, down) - sag), 1e-4);
    double most = 0;
    tlw_step_flags flags = 0;
    for (int i = 0; i < 240 && !(flags & TLW_STEP_ASLEEP); ++i) {
        flags = touch_step(&b.s, TOUCH_SUBSTEP);
        most = fmax(most, fabs(mean_along(&b, down) - sag));
    }
    printf("    moves by %.1e after the jump\n", most);
    CHECK_LT(most, 1e-3);
    CHECK(flags & TLW_STEP_ASLEEP);
    const uint64_t hash = touch_hash(&b.s);
    touch_run(&b.s, 3);
    CHECK_EQ(touch_hash(&b.s), hash);
    // Other numbers wake it.
    tlw_lame lame;
    CHECK_OK(tlw_character_get_lame(b.s.world, b.s.id, 1, 2, &lame));
    lame.young_kpa *= 2;
    CHECK_OK(tlw_character_set_lame(b.s.world, b.s.id, TLW_ALL, TLW_ALL, &lame));
    CHECK(touch_hash(&b.s) != hash);
    touch_run(&b.s, 120);
    CHECK_LT(mean_along(&b, down), 0.7 * sag);
    free_body(&b);
}

// ---- Parameters

static void check_lame(const touch_scene* s, uint32_t part, uint32_t layer, float young_kpa) {
    tlw_lame lame;
    CHECK_OK(tlw_character_get_lame(s->world, s->id, part, layer, &lame));
    CHECK_EQ(lame.young_kpa, young_kpa);
}

TLW_TEST(stiffness_and_anchor_do_nothing_in_a_lame_layer) {
    body a, b;
    make_breast(&a, (touch_def){0}, NULL);
    make_breast(&b, (touch_def){0}, NULL);
    for (uint32_t layer = 2; layer < 4; ++layer) {
        tlw_material m;
        CHECK_OK(tlw_character_get_material(b.s.world, b.s.id, 1, layer, &m));
        m.stiffness = 20.0f;
        m.anchor_hz = 20.0f;
        CHECK_OK(tlw_character_set_material(b.s.world, b.s.id, 1, layer, &m));
    }
    set_gravity(&a.s, touch_times(down, G));
    set_gravity(&b.s, touch_times(down, G));
    touch_run(&a.s, 10);
    touch_run(&b.s, 10);
    for (uint32_t v = 0; v < a.s.voxel_count; ++v) {
        CHECK_BYTES(a.s.state[v].position, b.s.state[v].position, sizeof a.s.state[v].position);
    }
    free_body(&a);
    free_body(&b);
}

TLW_TEST(presets_fades_and_profiles_leave_lame_numbers_but_the_cooked_preset_restores_them) {
    body b;
    make_breast(&b, (touch_def){0}, NULL);
    tlw_lame cooked;
    CHECK_OK(tlw_character_get_lame(b.s.world, b.s.id, 1, 2, &cooked));
    const tlw_lame other = {9.0f, 0.25f, 1000.0f};
    CHECK_OK(tlw_character_set_lame(b.s.world, b.s.id, 1, 2, &other));
    check_lame(&b.s, 1, 3, cooked.young_kpa); // the layer outside it keeps its own
    CHECK_OK(tlw_character_apply_preset(b.s.world, b.s.id, TLW_PRESET_BUNNY));
    check_lame(&b.s, 1, 2, 9.0f);
    CHECK_OK(tlw_character_fade_to(b.s.world, b.s.id, 0, 0.1f));
    touch_run(&b.s, 12);
    check_lame(&b.s, 1, 2, 9.0f);
    CHECK_OK(tlw_character_apply_preset(b.s.world, b.s.id, TLW_PRESET_COOKED));
    check_lame(&b.s, 1, 2, cooked.young_kpa);
    free_body(&b);
}

TLW_TEST(bad_lame_numbers_are_refused_and_change_nothing) {
    body b;
    make_breast(&b, (touch_def){0}, NULL);
    static const tlw_lame bad[] = {
        {0.0f, 0.3f, 950.0f}, {-1.0f, 0.3f, 950.0f},  {2e6f, 0.3f, 950.0f},   {NAN, 0.3f, 950.0f},
        {3.0f, 0.5f, 950.0f}, {3.0f, -0.1f, 950.0f},  {3.0f, NAN, 950.0f},    {3.0f, 0.3f, 0.5f},
        {3.0f, 0.3f, 2e5f},   {3.0f, 0.3f, INFINITY}, {INFINITY, 0.3f, 1e3f},
    };
    const tlw_lame good = {5.0f, 0.4f, 900.0f};
    const uint64_t hash = touch_hash(&b.s);
    tlw_lame lame;
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK_EQ(tlw_character_set_lame(b.s.world, b.s.id, 1, 2, &bad[i]), TLW_ERROR_BAD_ARGUMENT);
    }
    CHECK_EQ(tlw_character_set_lame(b.s.world, b.s.id, 9, 2, &good), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(tlw_character_set_lame(b.s.world, b.s.id, 1, 4, &good), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(tlw_character_set_lame(b.s.world, b.s.id, 0, 2, &good), TLW_ERROR_UNSUPPORTED);
    CHECK_EQ(tlw_character_set_lame(b.s.world, b.s.id, TLW_ALL, 0, &good), TLW_ERROR_UNSUPPORTED);
    CHECK_EQ(tlw_character_get_lame(b.s.world, b.s.id, 0, 2, &lame), TLW_ERROR_UNSUPPORTED);
    CHECK_EQ(tlw_character_get_lame(b.s.world, b.s.id, TLW_ALL, 2, &lame), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(touch_hash(&b.s), hash);
    const tlw_character_id stale = {b.s.id.index1, b.s.id.generation + 1};
    CHECK_EQ(tlw_character_set_lame(b.s.world, stale, 1, 2, &good), TLW_ERROR_STALE_ID);
    CHECK_OK(tlw_character_set_lame(b.s.world, b.s.id, TLW_ALL, TLW_ALL, &good));
    check_lame(&b.s, 1, 3, 5.0f);
    free_body(&b);
}
