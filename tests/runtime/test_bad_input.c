// SPDX-License-Identifier: MIT
// Every mistake that a caller can make has a named result or a flag, and leaves the good state that
// was there (MODEL 4.8).
#include "runtime/world/world.h"
#include "tests/cook/support/small_blobs.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

static const float not_a_number = (float)NAN, endless = (float)INFINITY;

// Defs

TLW_TEST(world_defs_that_are_not_usable_are_named) {
    const tlw_world_def good = fixture_world_def(2);
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&good, &bytes));
    void* memory = sample_allocate(bytes);
#define BAD_WORLD(change, expected)                                            \
    do {                                                                       \
        tlw_world_def def = good;                                              \
        tlw_world* world;                                                      \
        size_t bytes_;                                                         \
        change;                                                                \
        CHECK_RESULT(tlw_world_bytes(&def, &bytes_), expected);                \
        CHECK_RESULT(tlw_world_create(&def, memory, bytes, &world), expected); \
        CHECK(world == NULL);                                                  \
    } while (0)
    BAD_WORLD(def.cookie = 0, TLW_ERROR_BAD_DEF);
    BAD_WORLD(def.cookie ^= 1, TLW_ERROR_BAD_DEF);
    BAD_WORLD(def.character_capacity = 0, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.character_capacity = UINT32_MAX, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.scratch_bytes = SIZE_MAX, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.tasks.enqueue = NULL, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.tasks.finish = NULL, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.tasks.worker_count = 0, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.tasks.worker_count = 1u << 20, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.substep_seconds = 0.0, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.substep_seconds = 1.0 / 481.0, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.substep_seconds = 1.0 / 29.0, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.substep_seconds = (double)NAN, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.budget_ms = -1.0, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.budget_ms = (double)NAN, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.split_cost = -1.0f, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.split_cost = not_a_number, TLW_ERROR_BAD_ARGUMENT);
    BAD_WORLD(def.isa = TLW_ISA_COUNT, TLW_ERROR_UNSUPPORTED);
    BAD_WORLD(def.isa = (tlw_isa)-1, TLW_ERROR_UNSUPPORTED);
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
            BAD_WORLD(def.isa = (tlw_isa)isa, TLW_ERROR_UNSUPPORTED); // NEON on x86, AVX2 on ARM
        }
    }
    sample_free(memory);
}

TLW_TEST(character_defs_and_blobs_that_are_not_usable_are_named) {
    const tlw_world_def def = fixture_world_def(2);
    tlw_world* world = fixture_world(&def);
    tlw_character_def good = tlw_default_character_def();
    good.blob = small_blob(SMALL_ELL);
    size_t bytes;
    CHECK_OK(tlw_character_bytes(&good, &bytes));
    void* memory = sample_allocate(bytes);
#define BAD_CHARACTER(change, expected)                                                \
    do {                                                                               \
        tlw_character_def bad = good;                                                  \
        tlw_character_id id;                                                           \
        size_t bytes_;                                                                 \
        change;                                                                        \
        CHECK_RESULT(tlw_character_bytes(&bad, &bytes_), expected);                    \
        CHECK_RESULT(tlw_character_create(world, &bad, memory, bytes, &id), expected); \
        CHECK_EQ(id.index1, 0u);                                                       \
    } while (0)
    BAD_CHARACTER(bad.cookie = 0, TLW_ERROR_BAD_DEF);
    BAD_CHARACTER(bad.pose_kind = (tlw_pose_kind)3, TLW_ERROR_BAD_ARGUMENT);
    BAD_CHARACTER(bad.preset = TLW_PRESET_COUNT, TLW_ERROR_BAD_ARGUMENT);
    BAD_CHARACTER(bad.preset = (tlw_preset)-1, TLW_ERROR_BAD_ARGUMENT);
    BAD_CHARACTER(memset(&bad.blob, 0, sizeof bad.blob), TLW_ERROR_BAD_ARGUMENT);
    BAD_CHARACTER(bad.blob.cookie ^= 1, TLW_ERROR_BAD_ARGUMENT);
    BAD_CHARACTER(bad.blob.bytes = NULL, TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(tlw_world_character_count(world), 0u);

    tlw_blob none;
    memset(&none, 0xFF, sizeof none);
    uint8_t* garbage = sample_allocate(4096);
    tlw_blob_report report;
    CHECK_RESULT(tlw_blob_open(garbage, 4096, TLW_BLOB_CHECK_ALL, &none, &report),
                 TLW_ERROR_BAD_BLOB);
    CHECK(none.bytes == NULL && none.cookie == 0);
    tlw_blob_info info;
    CHECK_RESULT(tlw_blob_get_info(&none, &info), TLW_ERROR_BAD_ARGUMENT);
    CHECK_STRING(tlw_blob_joint_name(&none, 0), "");
    CHECK_STRING(tlw_blob_layer_name(&none, 0), "");
    CHECK_STRING(tlw_blob_joint_name(&good.blob, 0), "joint0");
    CHECK_STRING(tlw_blob_joint_name(&good.blob, small_info(SMALL_ELL).joint_count), "");
    CHECK_STRING(tlw_blob_layer_name(&good.blob, 0), "bone");
    CHECK_STRING(tlw_blob_layer_name(&good.blob, UINT32_MAX), "");

    good.name = NULL; // then it gets a default name
    tlw_character_id id;
    CHECK_OK(tlw_character_create(world, &good, memory, bytes, &id));
    fixture_world_free(world);
    sample_free(memory);
    sample_free(garbage);
}

// Ids

static void check_all_calls(tlw_world* world, tlw_character_id id) {
    sample_joints joints = {0};
    const tlw_pose pose = {&joints, 2, fixture_root(), false};
    const tlw_output output = tlw_default_output();
    const tlw_material material = {
        .stiffness = 1.0f, .damping = 0.5f, .anchor_hz = 1.0f, .limit_scale = 1.0f};
    const tlw_settings settings = {
        .gravity = {0}, .rotation_iterations = 2, .repeats = 1, .time_scale = 1.0f};
    const double at[3] = {0};
    const float rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    tlw_step_flags flags;
    tlw_bounds bounds;
    tlw_material got_material;
    tlw_settings got_settings;
    tlw_voxel_state voxel;
    tlw_character_report report;
    uint64_t hash;
    CHECK(!tlw_character_is_valid(world, id));
    CHECK_RESULT(tlw_character_destroy(world, id), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_set_pose(world, id, &pose), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_flags(world, id, &flags), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_reset(world, id), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_teleport(world, id, at, rotation), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_set_output(world, id, &output), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_bounds(world, id, &bounds), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_set_material(world, id, TLW_ALL, TLW_ALL, &material),
                 TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_material(world, id, 0, 0, &got_material), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_set_settings(world, id, &settings), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_settings(world, id, &got_settings), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_apply_preset(world, id, TLW_PRESET_BUNNY), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_fade_to(world, id, 0, 0.0f), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_voxel(world, id, 0, &voxel), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_set_voxel(world, id, 0, rotation, rotation), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_hash(world, id, &hash), TLW_ERROR_STALE_ID);
    CHECK_RESULT(tlw_character_get_report(world, id, &report), TLW_ERROR_STALE_ID);
}

TLW_TEST(null_stale_and_foreign_ids_are_named_by_every_call) {
    const tlw_world_def def = fixture_world_def(2);
    tlw_world* world = fixture_world(&def);
    check_all_calls(world, (tlw_character_id){0, 0});
    check_all_calls(world, (tlw_character_id){0, 1});
    check_all_calls(world, (tlw_character_id){1, 0});
    check_all_calls(world, (tlw_character_id){3, 1});
    check_all_calls(world, (tlw_character_id){UINT32_MAX, 1});
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const tlw_character_id old = c.id;
    check_all_calls(world, (tlw_character_id){old.index1, old.generation + 1});
    fixture_remove(world, &c);
    check_all_calls(world, old);
    fixture_character again = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    CHECK_EQ(again.id.index1, old.index1); // the same slot, another generation
    check_all_calls(world, old);
    CHECK(tlw_character_is_valid(world, again.id));
    // Generations wrap around and are never 0.
    world->slots[again.id.index1 - 1].generation = UINT32_MAX;
    again.id.generation = UINT32_MAX;
    fixture_remove(world, &again);
    again = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    CHECK_EQ(again.id.generation, 1u);
    fixture_remove(world, &again);
    fixture_world_free(world);
}

// Poses

// Sets one component of one joint, or of the root.
static void break_joint(sample_joints* joints, tlw_pose_kind kind, uint32_t j, int part,
                        float value) {
    if (kind == TLW_POSE_TRANSFORMS) {
        ((float*)&joints->transforms[j])[part % 10] = value;
    } else {
        joints->matrices[j][part] = value;
    }
}

TLW_TEST(poses_that_are_not_usable_keep_the_last_good_one_and_raise_a_flag) {
    static const uint32_t blobs[] = {SMALL_ELL, SMALL_LEGS};
    for (uint32_t kind = TLW_POSE_MATRICES; kind <= TLW_POSE_SKINNING; ++kind) {
        for (size_t b = 0; b < TLW_COUNT_OF(blobs); ++b) {
            const tlw_world_def def = fixture_world_def(2);
            tlw_world* world = fixture_world(&def);
            fixture_character c = fixture_add(world, blobs[b], (tlw_pose_kind)kind);
            fixture_character other = fixture_add(world, blobs[b], TLW_POSE_MATRICES);
            const tlw_blob blob = small_blob(blobs[b]);
            const uint32_t count = small_info(blobs[b]).joint_count;
            const double offset[3] = {0.01, 0.0, 0.0};
            CHECK_OK(fixture_pose(world, &c, 0.01, false));
            const uint64_t good = fixture_hash(world, &c);
            const float bad_values[] = {not_a_number, endless, -endless, 1e30f};
            for (uint32_t j = 0; j < count; ++j) {
                for (int part = 0; part < 16; ++part) {
                    for (size_t i = 0; i < TLW_COUNT_OF(bad_values); ++i) {
                        sample_joints joints;
                        bind_pose(&blob, c.kind, offset, &joints);
                        break_joint(&joints, c.kind, j, part, bad_values[i]);
                        const tlw_pose pose = {&joints, count, fixture_root(), true};
                        CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose),
                                     TLW_ERROR_BAD_POSE);
                        CHECK_EQ(fixture_hash(world, &c), good);
                    }
                }
                // No volume: a scale of 0, or a matrix with an axis of 0 or two equal axes.
                for (int axis = 0; axis < 3; ++axis) {
                    sample_joints joints;
                    bind_pose(&blob, c.kind, offset, &joints);
                    if (c.kind == TLW_POSE_TRANSFORMS) {
                        joints.transforms[j].scale[axis] = 0.0f;
                    } else {
                        memset(joints.matrices[j] + 4 * axis, 0, 3 * sizeof(float));
                    }
                    tlw_pose pose = {&joints, count, fixture_root(), false};
                    CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose), TLW_ERROR_BAD_POSE);
                    bind_pose(&blob, c.kind, offset, &joints);
                    if (c.kind == TLW_POSE_TRANSFORMS) {
                        memset(joints.transforms[j].rotation, 0, 4 * sizeof(float));
                    } else {
                        memcpy(joints.matrices[j] + 4 * axis,
                               joints.matrices[j] + 4 * ((axis + 1) % 3), 3 * sizeof(float));
                    }
                    CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose), TLW_ERROR_BAD_POSE);
                }
            }
            CHECK_EQ(fixture_hash(world, &c), good);
            const tlw_step_flags flags = tlw_world_step(world, FRAME);
            CHECK_EQ(flags & TLW_STEP_BAD_POSE, TLW_STEP_BAD_POSE);
            CHECK_EQ(flags & TLW_STEP_JUMPED, 0u); // the jump of a bad pose is ignored
            CHECK_EQ(fixture_flags(world, &c) & TLW_STEP_BAD_POSE, TLW_STEP_BAD_POSE);
            CHECK_EQ(fixture_flags(world, &other), 0u);
            CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_BAD_POSE, 0u); // once
            fixture_remove(world, &c);
            fixture_remove(world, &other);
            fixture_world_free(world);
        }
    }
}

TLW_TEST(roots_that_are_not_usable_are_bad_poses) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const tlw_blob blob = small_blob(SMALL_ELL);
    const uint32_t count = small_info(SMALL_ELL).joint_count;
    sample_joints joints;
    bind_pose(&blob, c.kind, (const double[3]){0}, &joints);
    const uint64_t good = fixture_hash(world, &c);
#define BAD_ROOT(change)                                                              \
    do {                                                                              \
        tlw_pose pose = {&joints, count, fixture_root(), false};                      \
        change;                                                                       \
        CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose), TLW_ERROR_BAD_POSE); \
        CHECK_EQ(fixture_hash(world, &c), good);                                      \
        CHECK_EQ(tlw_world_step(world, 0.0), TLW_STEP_BAD_POSE | TLW_STEP_NO_TIME);   \
        CHECK_EQ(fixture_hash(world, &c), good);                                      \
    } while (0)
    const double bad_places[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300};
    for (int i = 0; i < 4; ++i) {
        BAD_ROOT(pose.root.position[i % 3] = bad_places[i]);
        BAD_ROOT(pose.root.rotation[i] = not_a_number);
        BAD_ROOT(pose.root.rotation[i] = endless);
    }
    const float bad_scales[] = {0.0f, -0.0f, -1.0f, not_a_number, endless, -endless};
    for (size_t i = 0; i < TLW_COUNT_OF(bad_scales); ++i) {
        BAD_ROOT(pose.root.scale = bad_scales[i]);
    }
    BAD_ROOT(memset(pose.root.rotation, 0, sizeof pose.root.rotation));
    // Counts and pointers are arguments, not poses: no flag.
    const tlw_pose few = {&joints, count - 1, fixture_root(), false};
    const tlw_pose many = {&joints, count + 1, fixture_root(), false};
    const tlw_pose none = {NULL, count, fixture_root(), false};
    CHECK_RESULT(tlw_character_set_pose(world, c.id, &few), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_set_pose(world, c.id, &many), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_set_pose(world, c.id, &none), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(tlw_world_step(world, FRAME), 0u);

    const float rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f}, no_rotation[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const uint64_t before = fixture_hash(world, &c);
    for (int i = 0; i < 4; ++i) {
        double at[3] = {1.0, 2.0, 3.0};
        float bad_rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        CHECK_RESULT(tlw_character_teleport(world, c.id, at, no_rotation), TLW_ERROR_BAD_POSE);
        at[i % 3] = bad_places[i];
        CHECK_RESULT(tlw_character_teleport(world, c.id, at, rotation), TLW_ERROR_BAD_POSE);
        at[i % 3] = 0.0;
        bad_rotation[i] = i % 2 ? not_a_number : endless;
        CHECK_RESULT(tlw_character_teleport(world, c.id, at, bad_rotation), TLW_ERROR_BAD_POSE);
    }
    CHECK_EQ(fixture_hash(world, &c), before);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

// Time

TLW_TEST(invalid_dt_keeps_the_state_and_raises_a_flag) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    const struct {
        double dt;
        tlw_step_flags flags;
    } times[] = {{0.0, TLW_STEP_NO_TIME},
                 {-0.0, TLW_STEP_NO_TIME},
                 {-1e-9, TLW_STEP_BAD_DT},
                 {-1e9, TLW_STEP_BAD_DT},
                 {(double)NAN, TLW_STEP_BAD_DT},
                 {(double)INFINITY, TLW_STEP_BAD_DT},
                 {-(double)INFINITY, TLW_STEP_BAD_DT}};
    for (size_t i = 0; i < TLW_COUNT_OF(times); ++i) { // an empty world
        CHECK_EQ(tlw_world_step(world, times[i].dt), times[i].flags);
    }
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    for (int frame = 0; frame < 5; ++frame) {
        CHECK_OK(fixture_pose(world, &c, 0.02 * frame, false));
        (void)tlw_world_step(world, FRAME);
    }
    const uint64_t before = fixture_hash(world, &c);
    for (size_t i = 0; i < TLW_COUNT_OF(times); ++i) {
        CHECK_EQ(tlw_world_step(world, times[i].dt), times[i].flags);
        CHECK_EQ(fixture_hash(world, &c), before);
    }
    // 1e9 s: all of it but the end is dropped.
    CHECK_EQ(tlw_world_step(world, 1e9), TLW_STEP_DROPPED_TIME);
    tlw_character_report report;
    CHECK_OK(tlw_character_get_report(world, c.id, &report));
    CHECK_EQ(report.substeps, 6u);
    for (uint32_t v = 0; v < small_info(SMALL_ELL).voxel_count; ++v) {
        tlw_voxel_state state;
        CHECK_OK(tlw_character_get_voxel(world, c.id, v, &state));
        for (int i = 0; i < 3; ++i) {
            CHECK_LT(fabs((double)state.position[i] - (double)state.skinned[i]), 3.0);
        }
    }
    CHECK_EQ(tlw_world_step(world, 6.5 * FRAME), 0u); // six substeps are not too many
    CHECK_EQ(tlw_world_step(world, 7.0 * FRAME), TLW_STEP_DROPPED_TIME);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

// A pose that is set before a call without time is kept: the next call with time acts as if the
// call without time had not been made.
TLW_TEST(pose_and_jump_wait_for_a_step_that_has_time) {
    for (int way = 0; way < 4; ++way) {
        const tlw_world_def def = fixture_world_def(2);
        tlw_world* world = fixture_world(&def);
        fixture_character a = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
        fixture_character b = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
        for (int frame = 0; frame < 4; ++frame) {
            CHECK_OK(fixture_pose(world, &a, 0.01 * frame, false));
            CHECK_OK(fixture_pose(world, &b, 0.01 * frame, false));
            (void)tlw_world_step(world, FRAME);
        }
        const double to =
            way < 2 ? 30.0 : 0.05; // a jump by its distance; a jump because the caller says so
        CHECK_OK(fixture_pose(world, &a, to, way >= 2));
        CHECK_EQ(tlw_world_step(world, way % 2 ? (double)NAN : 0.0),
                 way % 2 ? TLW_STEP_BAD_DT : TLW_STEP_NO_TIME);
        CHECK_OK(fixture_pose(world, &b, to, way >= 2));
        CHECK_EQ(tlw_world_step(world, FRAME), TLW_STEP_JUMPED);
        CHECK_EQ(fixture_flags(world, &a), TLW_STEP_JUMPED);
        for (int frame = 0; frame < 3; ++frame) {
            CHECK_EQ(fixture_hash(world, &a), fixture_hash(world, &b));
            (void)tlw_world_step(world, FRAME);
        }
        CHECK_OK(fixture_pose(world, &a, to + 0.005, false)); // the jump was for one call only
        CHECK_EQ(tlw_world_step(world, FRAME), 0u);
        fixture_remove(world, &a);
        fixture_remove(world, &b);
        fixture_world_free(world);
    }
}

// State

static float zero_if_finite(const void* floats, size_t bytes) {
    float sum = 0.0f;
    for (size_t i = 0; i < bytes / sizeof sum; ++i) {
        sum += ((const float*)floats)[i] * 0.0f;
    }
    return sum;
}

static bool is_finite_state(const tlw_character* c) {
    const size_t windows = c->blob.window_count;
    float sum = zero_if_finite(c->velocity, windows * sizeof *c->velocity);
    for (int i = 0; i < 2; ++i) {
        sum += zero_if_finite(c->states[i], windows * sizeof *c->states[i]);
        sum += zero_if_finite(c->poses[i], windows * sizeof *c->poses[i]);
    }
    return sum == 0.0f;
}

// The first voxel from `from` on that is not bone.
static uint32_t soft_voxel(const tlw_world* world, const fixture_character* c, uint32_t from) {
    tlw_character* character;
    CHECK_OK(tlw_world_find(world, c->id, &character));
    const tlw_blob_arrays* blob = &character->blob;
    for (uint32_t v = from; v < blob->lattice->voxel_count; ++v) {
        if (blob->slot_material[blob->voxel_slot[v]] % blob->lattice->layer_count != 0) {
            return v;
        }
    }
    tlw_test_skip(__FILE__, __LINE__, "all bone");
}

TLW_TEST(state_that_is_not_finite_resets_that_character_alone) {
    const float garbage[][2] = {{not_a_number, 0.0f},
                                {0.0f, not_a_number},
                                {endless, 0.0f},
                                {0.0f, endless},
                                {-endless, -endless}};
    for (size_t i = 0; i < TLW_COUNT_OF(garbage); ++i) {
        for (uint32_t which = SMALL_ELL; which <= SMALL_LARGE_ELL; ++which) { // both widths
            const tlw_world_def def = fixture_world_def(2);
            tlw_world* world = fixture_world(&def);
            fixture_character a = fixture_add(world, which, TLW_POSE_MATRICES);
            fixture_character b = fixture_add(world, which, TLW_POSE_MATRICES);
            const float place[3] = {garbage[i][0], 0.0f, garbage[i][0]};
            const float speed[3] = {0.0f, garbage[i][1], garbage[i][1]};
            (void)tlw_world_step(world, FRAME);
            const uint32_t voxel = soft_voxel(world, &a, 3);
            CHECK_OK(tlw_character_set_voxel(world, a.id, voxel, place, speed));
            const tlw_step_flags flags = tlw_world_step(world, FRAME);
            tlw_character *damaged, *sound;
            CHECK_OK(tlw_world_find(world, a.id, &damaged));
            CHECK_OK(tlw_world_find(world, b.id, &sound));
            CHECK(is_finite_state(sound));
            CHECK_EQ(fixture_flags(world, &b), 0u);
            CHECK_EQ(flags, TLW_STEP_NOT_FINITE);
            CHECK_EQ(fixture_flags(world, &a), TLW_STEP_NOT_FINITE);
            CHECK(is_finite_state(damaged));
            CHECK_EQ(tlw_world_step(world, FRAME), 0u);
            fixture_remove(world, &a);
            fixture_remove(world, &b);
            fixture_world_free(world);
        }
    }
}

// Also where no ordinary substep checks the state: between two substeps, without time, and over a
// jump.
TLW_TEST(state_that_is_not_finite_is_never_output) {
    static const double times[] = {FRAME, FRAME / 4, FRAME / 8, 0.0, -1.0};
    for (size_t i = 0; i < TLW_COUNT_OF(times) * 2; ++i) {
        const tlw_world_def def = fixture_world_def(1);
        tlw_world* world = fixture_world(&def);
        fixture_character c = fixture_add(world, SMALL_LEGS, TLW_POSE_MATRICES);
        const uint32_t vertices = small_info(SMALL_LEGS).vertex_count;
        float* positions = sample_allocate(vertices * 3 * sizeof *positions);
        tlw_output output = tlw_default_output();
        output.positions.data = positions;
        CHECK_OK(tlw_character_set_output(world, c.id, &output));
        (void)tlw_world_step(world, FRAME);
        const float place[3] = {not_a_number, 0.0f, endless}, speed[3] = {0.0f, 0.0f, 0.0f};
        for (uint32_t v = 0; v < small_info(SMALL_LEGS).voxel_count; v += 7) {
            CHECK_OK(tlw_character_set_voxel(world, c.id, v, place, speed));
        }
        const double dt = times[i / 2];
        const bool is_jump = i % 2 == 1;
        CHECK_OK(fixture_pose(world, &c, 0.01, is_jump));
        CHECK_EQ(tlw_world_step(world, dt) & TLW_STEP_NOT_FINITE, TLW_STEP_NOT_FINITE);
        CHECK_EQ(zero_if_finite(positions, vertices * 3 * sizeof *positions), 0.0f);
        tlw_character* state;
        CHECK_OK(tlw_world_find(world, c.id, &state));
        CHECK(is_finite_state(state));
        for (int frame = 0; frame < 3; ++frame) { // at rest on its pose
            CHECK_OK(fixture_pose(world, &c, 0.01, false));
            CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
        }
        for (uint32_t v = 0; v < small_info(SMALL_LEGS).voxel_count; ++v) {
            tlw_voxel_state s;
            CHECK_OK(tlw_character_get_voxel(world, c.id, v, &s));
            for (int axis = 0; axis < 3; ++axis) {
                CHECK_NEAR(s.position[axis], s.skinned[axis], 1e-4);
            }
        }
        sample_free(positions);
        fixture_remove(world, &c);
        fixture_world_free(world);
    }
}

TLW_TEST(excess_time_of_any_length_is_dropped_the_same_way) {
    static const double times[] = {0.5, 1e3, 1e10, 1e13, 2e13, 1e14, 1e20, 9e29};
    for (size_t i = 0; i < TLW_COUNT_OF(times); ++i) {
        const tlw_world_def def = fixture_world_def(1);
        tlw_world* world = fixture_world(&def);
        fixture_character c = fixture_add(world, SMALL_LEGS, TLW_POSE_MATRICES);
        const tlw_blob_info info = small_info(SMALL_LEGS);
        CHECK_OK(fixture_pose(world, &c, 0.0, false));
        (void)tlw_world_step(world, FRAME);
        CHECK_OK(fixture_pose(world, &c, 0.8 * info.voxel_metres, false));
        CHECK_EQ(tlw_world_step(world, times[i]), TLW_STEP_DROPPED_TIME);
        // It moves less than a voxel in all that time, so slowly that nothing lags.
        for (uint32_t v = 0; v < info.voxel_count; ++v) {
            tlw_voxel_state s;
            CHECK_OK(tlw_character_get_voxel(world, c.id, v, &s));
            for (int axis = 0; axis < 3; ++axis) {
                CHECK_NEAR(s.position[axis], s.skinned[axis], 1e-3);
            }
        }
        fixture_remove(world, &c);
        fixture_world_free(world);
    }
}

TLW_TEST(voxels_out_of_range_are_named) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const uint32_t count = small_info(SMALL_ELL).voxel_count;
    const float at[3] = {1.0f, 2.0f, 3.0f};
    tlw_voxel_state state;
    CHECK_RESULT(tlw_character_get_voxel(world, c.id, count, &state), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_voxel(world, c.id, UINT32_MAX, &state), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_set_voxel(world, c.id, count, at, at), TLW_ERROR_BAD_ARGUMENT);
    CHECK_OK(tlw_character_set_voxel(world, c.id, count - 1, at, at));
    CHECK_OK(tlw_character_get_voxel(world, c.id, count - 1, &state));
    CHECK_BYTES(state.position, at, sizeof at);
    CHECK_BYTES(state.velocity, at, sizeof at);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

// Parameters

TLW_TEST(fades_to_profiles_or_in_times_that_are_not_there_are_named) {
    const tlw_world_def def = fixture_world_def(2);
    tlw_world* world = fixture_world(&def);
    fixture_character some = fixture_add(world, SMALL_DUAL_ELL, TLW_POSE_MATRICES);
    fixture_character one = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const uint32_t count = small_info(SMALL_DUAL_ELL).profile_count;
    CHECK_EQ(count, 3u);
    CHECK_EQ(small_info(SMALL_ELL).profile_count, 1u);
    CHECK_OK(fixture_pose(world, &some, 0.02, false));
    CHECK_OK(tlw_character_fade_to(world, some.id, 1, 0.5f));
    (void)tlw_world_step(world, FRAME);
    const uint64_t fading = fixture_hash(world, &some), still = fixture_hash(world, &one);
    const float bad_seconds[] = {-1e-9f, -1.0f, not_a_number, endless, -endless};
    for (size_t i = 0; i < TLW_COUNT_OF(bad_seconds); ++i) {
        CHECK_RESULT(tlw_character_fade_to(world, some.id, 2, bad_seconds[i]),
                     TLW_ERROR_BAD_ARGUMENT);
    }
    const uint32_t bad_profiles[] = {count, count + 1, UINT32_MAX};
    for (size_t i = 0; i < TLW_COUNT_OF(bad_profiles); ++i) {
        CHECK_RESULT(tlw_character_fade_to(world, some.id, bad_profiles[i], 1.0f),
                     TLW_ERROR_BAD_ARGUMENT);
        CHECK_RESULT(tlw_character_fade_to(world, one.id, bad_profiles[i], 0.0f),
                     TLW_ERROR_BAD_ARGUMENT);
    }
    CHECK_RESULT(tlw_character_fade_to(world, one.id, 1, 0.0f), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(fixture_hash(world, &some), fading);
    CHECK_EQ(fixture_hash(world, &one), still);
    // What is just good enough.
    CHECK_OK(tlw_character_fade_to(world, some.id, count - 1, FLT_MAX));
    CHECK_OK(tlw_character_fade_to(world, some.id, count - 1, -0.0f));
    CHECK_OK(tlw_character_fade_to(world, one.id, 0, 1e-45f));
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
    }
    fixture_remove(world, &some);
    fixture_remove(world, &one);
    fixture_world_free(world);
}

TLW_TEST(skinned_volume_that_was_not_cooked_is_named) {
    const tlw_world_def def = fixture_world_def(SMALL_BLOB_COUNT);
    tlw_world* world = fixture_world(&def);
    uint32_t with = 0;
    for (uint32_t which = 0; which < SMALL_BLOB_COUNT; ++which) {
        fixture_character c = fixture_add(world, which, TLW_POSE_MATRICES);
        tlw_settings settings;
        CHECK_OK(tlw_character_get_settings(world, c.id, &settings));
        CHECK_EQ(settings.skinned_volume, small_info(which).has_bends);
        CHECK_OK(fixture_pose(world, &c, 0.02, false));
        (void)tlw_world_step(world, FRAME);
        const uint64_t before = fixture_hash(world, &c);
        settings.skinned_volume = true;
        settings.gravity[1] = -9.0f;
        if (small_info(which).has_bends) {
            with += 1;
            CHECK_OK(tlw_character_set_settings(world, c.id, &settings));
            CHECK(fixture_hash(world, &c) != before);
        } else {
            CHECK_RESULT(tlw_character_set_settings(world, c.id, &settings), TLW_ERROR_UNSUPPORTED);
            CHECK_EQ(fixture_hash(world, &c), before);
            CHECK_OK(tlw_character_get_settings(world, c.id, &settings));
            CHECK(!settings.skinned_volume && settings.gravity[1] == 0.0f);
        }
        fixture_remove(world, &c);
    }
    CHECK(with > 0 && with < SMALL_BLOB_COUNT);
    fixture_world_free(world);
}

TLW_TEST(materials_settings_and_presets_out_of_range_are_named) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const tlw_blob_info info = small_info(SMALL_ELL);
    tlw_material cooked, got;
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 1, &cooked));
    const uint64_t before = fixture_hash(world, &c);
    const float bad[] = {-1e-6f, not_a_number, endless, -endless};
    for (size_t field = 0; field < sizeof(tlw_material) / sizeof(float); ++field) {
        for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
            tlw_material material = {
                .stiffness = 1.0f, .damping = 0.5f, .anchor_hz = 1.0f, .limit_scale = 1.0f};
            ((float*)&material)[field] = bad[i];
            CHECK_RESULT(tlw_character_set_material(world, c.id, TLW_ALL, TLW_ALL, &material),
                         TLW_ERROR_BAD_ARGUMENT);
        }
    }
    const tlw_material too_springy = {
        .stiffness = 1.0f, .damping = 1.0001f, .anchor_hz = 1.0f, .limit_scale = 1.0f};
    CHECK_RESULT(tlw_character_set_material(world, c.id, 0, 0, &too_springy),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_set_material(world, c.id, info.part_count, 0, &cooked),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_set_material(world, c.id, 0, info.layer_count, &cooked),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_material(world, c.id, TLW_ALL, 0, &got), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_get_material(world, c.id, 0, info.layer_count, &got),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_apply_preset(world, c.id, TLW_PRESET_COUNT), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_character_apply_preset(world, c.id, (tlw_preset)-1), TLW_ERROR_BAD_ARGUMENT);
    const tlw_settings bad_settings[] = {
        {.gravity = {0}, .rotation_iterations = 0, .repeats = 1, .time_scale = 1.0f},
        {.gravity = {0}, .rotation_iterations = 5, .repeats = 1, .time_scale = 1.0f},
        {.gravity = {0}, .rotation_iterations = 2, .repeats = 0, .time_scale = 1.0f},
        {.gravity = {0}, .rotation_iterations = 2, .repeats = 9, .time_scale = 1.0f},
        {.gravity = {not_a_number}, .rotation_iterations = 2, .repeats = 1, .time_scale = 1.0f},
        {.gravity = {0.0f, endless, 0.0f},
         .rotation_iterations = 2,
         .repeats = 1,
         .time_scale = 1.0f},
        {.gravity = {0.0f, 0.0f, -endless},
         .rotation_iterations = 2,
         .repeats = 1,
         .time_scale = 1.0f}};
    for (size_t i = 0; i < TLW_COUNT_OF(bad_settings); ++i) {
        CHECK_RESULT(tlw_character_set_settings(world, c.id, &bad_settings[i]),
                     TLW_ERROR_BAD_ARGUMENT);
    }
    CHECK_EQ(fixture_hash(world, &c), before);

    // The ends of every range are valid, and steps with them stay finite.
    const tlw_material ends[] = {
        {.stiffness = 0.0f, .damping = 0.0f, .anchor_hz = 0.0f, .limit_scale = 0.0f},
        {.stiffness = FLT_MAX, .damping = 1.0f, .anchor_hz = FLT_MAX, .limit_scale = FLT_MAX},
        {.stiffness = 1e-38f, .damping = 1e-38f, .anchor_hz = 1e-38f, .limit_scale = 1e-38f}};
    for (size_t i = 0; i < TLW_COUNT_OF(ends); ++i) {
        CHECK_OK(tlw_character_set_material(world, c.id, TLW_ALL, TLW_ALL, &ends[i]));
        for (uint32_t repeats = 1; repeats <= 8; repeats += 7) {
            const tlw_settings settings = {.gravity = {10.0f, -1e3f, 0.0f},
                                           .rotation_iterations = repeats > 1 ? 4 : 1,
                                           .repeats = repeats,
                                           .time_scale = 1.0f};
            tlw_settings got_settings;
            CHECK_OK(tlw_character_set_settings(world, c.id, &settings));
            CHECK_OK(tlw_character_get_settings(world, c.id, &got_settings));
            CHECK_BYTES(&settings, &got_settings, sizeof settings);
            for (int frame = 0; frame < 10; ++frame) {
                CHECK_OK(fixture_pose(world, &c, 0.02 * (frame % 3), false));
                CHECK_EQ(tlw_world_step(world, FRAME), 0u);
            }
            tlw_character* character;
            CHECK_OK(tlw_world_find(world, c.id, &character));
            CHECK(is_finite_state(character));
        }
    }
    fixture_remove(world, &c);
    fixture_world_free(world);
}

TLW_TEST(presets_set_what_they_say_and_have_names) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const tlw_blob_info info = small_info(SMALL_ELL);
    tlw_material cooked[8], got;
    CHECK_EQ(info.layer_count, 4u);
    for (uint32_t layer = 0; layer < 4; ++layer) {
        CHECK_OK(tlw_character_get_material(world, c.id, 0, layer, &cooked[layer]));
    }
    tlw_material tight = cooked[1];
    tight.limit_scale = 0.25f;
    CHECK_OK(tlw_character_set_material(world, c.id, TLW_ALL, 1, &tight));
    CHECK_OK(tlw_character_apply_preset(world, c.id, TLW_PRESET_BLOAT_LOW));
    CHECK_LT(1, info.part_count);
    for (uint32_t part = 1; part < info.part_count; ++part) { // firm, or the recipe's
        CHECK_OK(tlw_character_get_material(world, c.id, part, 1, &got));
        CHECK_BYTES(&got, &tight, sizeof got);
    }
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 1, &got));
    CHECK_EQ(got.stiffness, 1.9f);
    CHECK_EQ(got.damping, 0.6f);
    CHECK_EQ(got.anchor_hz, 4.0f);
    CHECK_EQ(got.limit_scale, 0.25f); // presets do not set limits
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 2, &got));
    CHECK_EQ(got.stiffness, 0.9f);
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 3, &got));
    CHECK_EQ(got.damping, 0.3f);
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 0, &got));
    CHECK_BYTES(&got, &cooked[0], sizeof got);
    CHECK_OK(tlw_character_apply_preset(world, c.id, TLW_PRESET_COOKED));
    for (uint32_t layer = 0; layer < 4; ++layer) {
        CHECK_OK(tlw_character_get_material(world, c.id, 0, layer, &got));
        CHECK_BYTES(&got, &cooked[layer], sizeof got);
    }
    // One layer of one part only.
    const tlw_material own = {
        .stiffness = 5.0f, .damping = 0.1f, .anchor_hz = 0.5f, .limit_scale = 2.0f};
    CHECK_OK(tlw_character_set_material(world, c.id, info.part_count - 1, 2, &own));
    CHECK_OK(tlw_character_get_material(world, c.id, info.part_count - 1, 2, &got));
    CHECK_BYTES(&got, &own, sizeof got);
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 1, &got));
    CHECK_BYTES(&got, &cooked[1], sizeof got);
    for (uint32_t i = 0; i < TLW_PRESET_COUNT; ++i) {
        tlw_preset found;
        CHECK(tlw_preset_from_name(tlw_preset_name((tlw_preset)i), &found));
        CHECK_EQ((uint32_t)found, i);
    }
    tlw_preset found = TLW_PRESET_BUNNY;
    CHECK(!tlw_preset_from_name("bloat-lo", &found) && !tlw_preset_from_name("", &found));
    CHECK(!tlw_preset_from_name("bunnyx", &found) && found == TLW_PRESET_BUNNY);
    CHECK_STRING(tlw_preset_name(TLW_PRESET_BLOAT_LOW), "bloat-low");
    CHECK(tlw_preset_name(TLW_PRESET_COUNT) == NULL);
    CHECK(tlw_preset_name((tlw_preset)-1) == NULL);
    fixture_remove(world, &c);
    fixture_world_free(world);
}
