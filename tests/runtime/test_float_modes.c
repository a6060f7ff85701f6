// SPDX-License-Identifier: MIT
// Engines set the float control word of their threads as they like: other rounding, flushed
// denormals, exceptions that stop the process. Every public call must give the same result under
// any of them, and must leave the caller's control word as it was.
#include "platform/fpu.h"
#include "tests/cook/support/small_blobs.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

#if TLW_CPU_X64
// Rounding up, down, to zero; flushing denormals; invalid, division by zero and overflow unmasked.
static const uint64_t modes[] = {0x1F80, 0x5F80, 0x3F80, 0x7F80, 0x9FC0, 0x1F80 & ~0x680};
#    define MODE_BITS 0xFFC0u // all but the status flags that arithmetic sets

static uint64_t get_mode(void) {
    return _mm_getcsr() & MODE_BITS;
}
#elif TLW_CPU_ARM64
// The same without traps, which few ARM CPUs have.
static const uint64_t modes[] = {0, 1u << 22, 2u << 22, 3u << 22, 1u << 24};

static uint64_t get_mode(void) {
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}
#else
static const uint64_t modes[] = {0};

static uint64_t get_mode(void) {
    return 0;
}
#endif

static void set_mode(uint64_t mode) {
    const tlw_float_control control = {mode};
    tlw_float_control_restore(&control);
}

// Evaluates `expression` in a mode, restores the test's own mode and checks that the expression
// left the mode as it was.
#define IN_MODE(mode, expression)         \
    do {                                  \
        set_mode(mode);                   \
        expression;                       \
        const uint64_t left = get_mode(); \
        set_mode(modes[0]);               \
        CHECK_EQ(left, (mode));           \
    } while (0)

// The engine's callbacks must run with the engine's control word.
typedef struct callback_modes {
    tlw_task_system inner;
    uint64_t mode;
    uint32_t wrong;
} callback_modes;

static void* enqueue_in_mode(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                             void* user) {
    callback_modes* callbacks = user;
    callbacks->wrong += get_mode() != callbacks->mode;
    (void)callbacks->inner.enqueue(task, count, min_range, context, callbacks->inner.user);
    callbacks->wrong += get_mode() != callbacks->mode;
    return callbacks;
}

static void finish_in_mode(void* handle, void* user) {
    callback_modes* callbacks = user;
    callbacks->wrong += get_mode() != callbacks->mode || handle != user;
}

// Colliders, good ones and ones with a NaN; one is left where the body is. Returns a place in it.
static tlw_overlap touch_in_mode(uint64_t mode, tlw_world* world, tlw_character_id id, int frame) {
    const volatile double not_a_number = (double)NAN;
    tlw_result result;
    tlw_collider_def box = tlw_default_collider_def(), plane = box;
    tlw_collider_pose at = tlw_default_collider_pose(), bad_at;
    tlw_collider_id collider;
    tlw_overlap overlap; // the lowest soft voxel: deepest below a plane that is above everything
    plane.kind = TLW_COLLIDER_PLANE;
    at.position[1] = 50.0;
    IN_MODE(mode, result = tlw_character_overlap(world, id, &plane, &at, &overlap));
    CHECK_OK(result);
    CHECK_LT(0u, overlap.voxel_count);
    memcpy(at.position, overlap.position, sizeof at.position);
    at.rotation[1] = 0.3f;
    bad_at = at;
    bad_at.rotation[2] = (float)not_a_number;
    box.kind = frame % 2 ? TLW_COLLIDER_BOX : TLW_COLLIDER_CAPSULE;
    box.half_extents[0] = box.radii[0] = box.radii[1] = 0.2f;
    box.rounding = 1e-40f; // a denormal
    tlw_collider_def bad_box = box;
    bad_box.friction = (float)not_a_number;
    IN_MODE(mode, result = tlw_collider_create(world, &bad_box, &at, &collider));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
    IN_MODE(mode, result = tlw_collider_create(world, &box, &bad_at, &collider));
    CHECK_RESULT(result, TLW_ERROR_BAD_POSE);
    IN_MODE(mode, result = tlw_collider_create(world, &box, &at, &collider));
    CHECK_OK(result);
    at.position[1] += 0.03;
    IN_MODE(mode, result = tlw_collider_teleport(world, collider, &at));
    CHECK_OK(result);
    IN_MODE(mode, result = tlw_collider_set_pose(world, collider, &bad_at));
    CHECK_RESULT(result, TLW_ERROR_BAD_POSE);
    at.position[1] += 0.04;
    IN_MODE(mode, result = tlw_collider_set_pose(world, collider, &at));
    CHECK_OK(result);
    if (frame > 0) { // the one of the frame before
        const tlw_collider_id old = {collider.index1 == 1 ? 2 : 1, (uint32_t)(frame + 1) / 2};
        IN_MODE(mode, result = tlw_collider_destroy(world, old));
        CHECK_OK(result);
    }
    tlw_contact contacts[4];
    uint32_t count;
    IN_MODE(mode, result = tlw_character_get_contacts(world, id, contacts, 4, &count));
    CHECK_OK(result);
    return overlap;
}

// The filter and forces, good ones and ones with a NaN, on what a ray meets.
static void pull_in_mode(uint64_t mode, tlw_world* world, tlw_character_id id, int frame,
                         const double place[3]) {
    const volatile double not_a_number = (double)NAN;
    tlw_result result;
    tlw_pose_filter filter = tlw_default_pose_filter();
    IN_MODE(mode, result = tlw_character_set_pose_filter(world, id, &filter));
    CHECK_OK(result);
    filter.cutoff_hz = (float)not_a_number;
    IN_MODE(mode, result = tlw_character_set_pose_filter(world, id, &filter));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
    const double origin[3] = {place[0], place[1], place[2] - 3.0};
    const float along[3] = {0.0f, 0.0f, 0.3f}, nowhere[3] = {(float)not_a_number, 0.0f, 0.0f};
    tlw_pick pick;
    IN_MODE(mode, result = tlw_character_pick(world, id, origin, along, &pick));
    CHECK_OK(result);
    IN_MODE(mode, result = tlw_character_pick(world, id, origin, nowhere, &pick));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
    tlw_drag drag = {pick.voxel, {place[0], place[1] + 0.1, place[2]}, 0.2f, 7.0f};
    IN_MODE(mode, result = tlw_character_set_drag(world, id, (uint32_t)frame, &drag));
    CHECK_OK(result);
    drag.target[0] = not_a_number;
    IN_MODE(mode, result = tlw_character_set_drag(world, id, (uint32_t)frame, &drag));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
    tlw_push push = {{place[0], place[1], place[2]}, 0.4f, {0.1f, 0.2f, 0.3f}, -0.7f};
    IN_MODE(mode, result = tlw_character_push(world, id, &push));
    CHECK_OK(result);
    push.outward = (float)not_a_number;
    IN_MODE(mode, result = tlw_character_push(world, id, &push));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
}

static uint64_t step_in_mode(uint64_t mode) {
    const volatile double not_a_number = (double)NAN;
    const tlw_blob known[] = {*sample_blob(sample_get(TLW_SAMPLE_STOUT, 14, 3)),
                              small_blob(SMALL_LEGS)};
    tlw_blob blob;
    tlw_result result;
    for (size_t i = 0; i < TLW_COUNT_OF(known); ++i) {
        IN_MODE(mode, result = tlw_blob_open(known[i].bytes, known[i].size, TLW_BLOB_CHECK_ALL,
                                             &blob, NULL));
        CHECK_OK(result);
    }

    tlw_world_def def = fixture_world_def(1);
    size_t bytes;
    def.budget_ms = not_a_number;
    IN_MODE(mode, result = tlw_world_bytes(&def, &bytes));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
    def = fixture_world_def(1);
    def.substep_seconds = not_a_number;
    IN_MODE(mode, result = tlw_world_bytes(&def, &bytes));
    CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);

    def = fixture_world_def(1);
    def.collider_capacity = 2;
    def.contact_capacity = 4;
    callback_modes callbacks = {def.tasks, mode, 0};
    def.tasks = (tlw_task_system){enqueue_in_mode, finish_in_mode, &callbacks, 2};
    def.split_cost = 1e-3f;
    tlw_world* world;
    IN_MODE(mode, world = fixture_world(&def));
    fixture_character c;
    IN_MODE(mode, c = fixture_add_with_all(world, SMALL_LEGS, TLW_POSE_MATRICES));
    tlw_material material;
    tlw_settings settings;
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 1, &material));
    CHECK_OK(tlw_character_get_settings(world, c.id, &settings));
    for (int frame = 0; frame < 6; ++frame) {
        sample_joints joints;
        bind_pose(&blob, c.kind, (const double[3]){0.013 * (frame % 3), 0.0, 0.0}, &joints);
        const tlw_pose pose = {&joints, small_info(SMALL_LEGS).joint_count, fixture_root(),
                               frame == 4};
        IN_MODE(mode, result = tlw_character_set_pose(world, c.id, &pose));
        CHECK_OK(result);
        tlw_material bad_material = material;
        tlw_settings bad_settings = settings;
        bad_material.damping = (float)not_a_number;
        bad_settings.gravity[1] = (float)not_a_number;
        IN_MODE(mode, result = tlw_character_set_material(world, c.id, 0, 1, &bad_material));
        CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
        IN_MODE(mode, result = tlw_character_set_settings(world, c.id, &bad_settings));
        CHECK_RESULT(result, TLW_ERROR_BAD_ARGUMENT);
        material.stiffness = 0.3f + 0.1f * (float)frame;
        settings.gravity[1] = -0.1f * (float)frame;
        settings.wind[0] = 0.3f * (float)frame;
        settings.wind_drag = 0.7f;
        settings.time_scale = 1.0f - 0.03f * (float)frame;
        IN_MODE(mode, result = tlw_character_set_material(world, c.id, 0, 1, &material));
        CHECK_OK(result);
        IN_MODE(mode, result = tlw_character_set_settings(world, c.id, &settings));
        CHECK_OK(result);
        const double at[3] = {1.0, 0.1 * frame, 0.0}, nowhere[3] = {not_a_number, 0.0, 0.0};
        const float rotation[4] = {0.0f, 0.1f, 0.0f, 0.9f};
        IN_MODE(mode, result = tlw_character_teleport(world, c.id, nowhere, rotation));
        CHECK_RESULT(result, TLW_ERROR_BAD_POSE);
        IN_MODE(mode, result = tlw_character_teleport(world, c.id, at, rotation));
        CHECK_OK(result);
        const tlw_overlap overlap = touch_in_mode(mode, world, c.id, frame);
        pull_in_mode(mode, world, c.id, frame, overlap.position);
        tlw_step_flags flags;
        IN_MODE(mode, flags = tlw_world_step(world, not_a_number));
        CHECK_EQ(flags, TLW_STEP_BAD_DT);
        IN_MODE(mode, flags = tlw_world_step(world, FRAME));
        CHECK_EQ(flags & ~(tlw_step_flags)TLW_STEP_JUMPED, 0u);
    }
    CHECK_EQ(callbacks.wrong, 0u);
    const uint64_t hash = fixture_hash(world, &c);
    fixture_remove(world, &c);
    fixture_world_free(world);
    return hash;
}

TLW_TEST(every_call_gives_the_same_under_any_float_control_and_keeps_it) {
    const uint64_t hash = step_in_mode(modes[0]);
    for (size_t i = 1; i < TLW_COUNT_OF(modes); ++i) {
        CHECK_EQ(step_in_mode(modes[i]), hash);
    }
}
